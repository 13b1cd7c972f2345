(** Configurations that keep the primary's state at the entry
    (spec/calculus.md#configurations, #addscapegoat), derivations from roots, and
    what they exclude (spec/calculus.md#theorem).

    The entry is one more member: that of the execution that the primary's has
    been before its first step, on an input that is no larger.  So the rules that
    are sound of members are sound of it.  It goes with the first template. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Inputs Runs Existing Tidy Typed Bounds Folding FoldedMembers Configurations FoldedSteps FoldedRules FoldedTwins Reading Subsume Cases Marking Stepping Creating Derivations.
From Goatherd Require Members Effects Outcomes Rules Entries.
Import ListNotations.
Open Scope Z_scope.

Record entered := { body : configuration; at_entry : member }.

(** ** The entry as a member *)

Definition newcomer m := {| stands := At m; counted := Some (Constant 0) |}.
Definition with_member k m c := {| variables := variables c; symbols := symbols c; predicate := predicate c; primary := primary c;
  others := others c ++ [(k, newcomer m)] |}.
Definition with_entry c := with_member NotLarger (at_entry c) (body c).
Lemma with_member_scope k m c : in_scope (with_member k m c) = in_scope c && scoped_member (variables c) m.
Proof.
  unfold in_scope. simpl. rewrite forallb_app. simpl. unfold scoped_counted at 3. simpl. rewrite !andb_true_r. rewrite !andb_assoc. reflexivity.
Qed.

Section Entered.
Variable P : program.
Variable under : parameters.
Variable few : nat.
Variable table : nat -> sort_of_trees.
Notation machine := (system_of P under).
Notation accounts := (accounts P under).
Notation accounts_sized := (accounts_sized P under).
Notation shows := (shows P under table).
(** What well-formedness asks of sorts and of the program. *)
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.
Hypothesis ones : one_same table.
Hypothesis checked : forall s, Sorts.named (table s) <> None -> names_wider table s.
Hypothesis locals : locals_formed P.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Hypothesis contents : Entries.contents_formed P.
Hypothesis addresses_formed : forall r d, In (Address r d) (instructions P) -> has_name P d = true.

Definition beginning (t : run machine) : run machine := Run machine (Herds.origin machine t) 0 (Herds.origin machine t).
Definition shows_entered c (t : run machine) (ts : scapegoats machine) := shows (with_entry c) t (ts ++ [(NotLarger, beginning t)]).
Lemma genuine_origin t : genuine machine t -> Herds.entry machine (Herds.origin machine t).
Proof. induction 1; auto. Qed.
Lemma entered_denotes c t ts : denotes machine entered shows_entered c t ts ->
  denotes machine configuration shows (with_entry c) t (ts ++ [(NotLarger, beginning t)]).
Proof.
  intros [[G F] S]. split; [|exact S]. split; auto. apply Forall_app. split; auto. constructor; [|constructor].
  split; [apply genuine_entry, genuine_origin; exact G | simpl; lia].
Qed.

(** A member that is forgotten. *)
Lemma forgotten_shows c c' front p back t ts : others c = front ++ p :: back -> others c' = front ++ back ->
  variables c' = variables c -> symbols c' = symbols c -> predicate c' = predicate c -> primary c' = primary c -> shows c t ts ->
  exists ts1 q ts2, ts = ts1 ++ q :: ts2 /\ length ts2 = length back /\ shows c' t (ts1 ++ ts2).
Proof.
  intros E E' V Y Q R (S & nu & phi & M & Me & A & O). rewrite E in O. apply Forall2_app_inv_l in O as (ts1 & ts0 & O1 & O2 & ->).
  inversion O2 as [|? q ? ts2 Hq O3]; subst. exists ts1, q, ts2. split; auto. split; [symmetry; apply (Forall2_length _ _ _ O3)|].
  split.
  - apply scope_parts in S as (S1 & S2 & S3). unfold in_scope. rewrite V, Q, R, E', S1, S2. rewrite E, forallb_app in S3. simpl in S3.
    apply andb_prop in S3 as [S3 S4]. apply andb_prop in S4 as [_ S4]. rewrite forallb_app, S3, S4. auto.
  - exists nu, phi. rewrite Q, Y, R, E'. split; auto. split; auto. split; auto. apply Forall2_app; auto.
Qed.
Lemma body_shows c t ts : shows_entered c t ts -> shows (body c) t ts.
Proof.
  intros S. destruct (forgotten_shows (with_entry c) (body c) (others (body c)) (NotLarger, newcomer (at_entry c)) [] t _ eq_refl
    (eq_sym (app_nil_r _)) eq_refl eq_refl eq_refl eq_refl S) as (ts1 & q & ts2 & E & L & S').
  destruct ts2; [|discriminate]. apply app_inj_tail in E as [-> _]. rewrite app_nil_r in S'. exact S'.
Qed.
Lemma shown_count c t ts : shows c t ts -> length ts = length (others c).
Proof. intros (_ & nu & phi & _ & _ & _ & O). symmetry. apply (Forall2_length _ _ _ O). Qed.

(** ** Configurations of both kinds *)

Definition configured := (configuration + entered)%type.
Definition shows_configured (x : configured) := match x with inl c => shows c | inr c => shows_entered c end.
Notation closed_configured := (closed machine configured shows_configured).
Lemma closed_without templates b c : closed machine configuration shows templates b c -> closed_configured (map inl templates) b (inl c).
Proof.
  induction 1 as [b c cs R _ IH | b c i c' R _ IH | b c cs R _ IH | b c c' R _ IH | b c c' R _ IH | c c' R I | b c R | b c R | b c R].
  - eapply (closed_step machine configured) with (cs := map inl cs).
    + intros t ts D. destruct (R t ts D) as [N A]. split; auto. intros k s Hs. destruct (A k s Hs) as (c' & I & S). exists (inl c').
      split; [apply in_map; exact I | exact S].
    + intros x I. apply in_map_iff in I as (c' & <- & I). auto.
  - eapply (closed_decided machine configured) with (m := i) (c' := inl c'); auto.
  - eapply (closed_cover machine configured) with (cs := map inl cs).
    + intros t ts D. destruct (R t ts D) as (c' & I & S). exists (inl c'). split; [apply in_map; exact I | exact S].
    + intros x I. apply in_map_iff in I as (c' & <- & I). auto.
  - eapply (closed_drop machine configured) with (c' := inl c'); auto.
  - eapply (closed_add machine configured) with (c' := inl c'); auto.
  - eapply (closed_subsume machine configured) with (c' := inl c'); [exact R | apply in_map; exact I].
  - apply (closed_descent machine configured). exact R.
  - apply (closed_twin machine configured). exact R.
  - apply (closed_end machine configured). exact R.
Qed.

(** *** Rules that are sound of a member more *)

Lemma entered_step c children : sound_step machine _ shows (with_entry c) (map with_entry children) -> sound_step machine _ shows_configured (inr c) (map inr children).
Proof.
  intros R t ts D. destruct (R _ _ (entered_denotes c t ts D)) as [N A]. split; auto. intros k s Hs.
  destruct (A k s Hs) as (c' & I & S). apply in_map_iff in I as (d & <- & I). exists (inr d). split; [apply in_map; exact I | exact S].
Qed.
Lemma entered_cover c children : sound_cover machine _ shows (with_entry c) (map with_entry children) -> sound_cover machine _ shows_configured (inr c) (map inr children).
Proof.
  intros R t ts D. destruct (R _ _ (entered_denotes c t ts D)) as (c' & I & S). apply in_map_iff in I as (d & <- & I).
  exists (inr d). split; [apply in_map; exact I | exact S].
Qed.
Lemma entered_decided c i c' : sound_decided machine _ shows (with_entry c) i (with_entry c') -> (i < length (others (body c)))%nat ->
  sound_decided machine _ shows_configured (inr c) i (inr c').
Proof.
  intros R L t ts D. destruct (R _ _ (entered_denotes c t ts D)) as (k & r & r' & front & back & E & Lf & X & S).
  pose proof (shown_count _ _ _ (body_shows c t ts (proj2 D))) as Lt.
  destruct back as [|b back _] using rev_ind.
  - apply app_inj_tail in E as [E _]. subst. lia.
  - change (front ++ (k, r) :: back ++ [b]) with (front ++ ((k, r) :: back) ++ [b]) in E. rewrite app_assoc in E. apply app_inj_tail in E as [E <-].
    exists k, r, r', front, back. split; auto. split; auto. split; auto. simpl. unfold shows_entered.
    change ((k, r') :: back ++ [(NotLarger, beginning t)]) with (((k, r') :: back) ++ [(NotLarger, beginning t)]) in S. rewrite app_assoc in S. exact S.
Qed.

(** ** AddScapegoat *)

(** What is to be shown of a member that is added: that it is an entry state of
    an input that is smaller, or no larger. *)
Definition adds c k m := scoped_member (variables (body c)) m = true /\
  forall nu phi x, model nu (predicate (body c)) -> well_meant P table (symbols (body c)) phi ->
    is_entry P (Running x) -> denotes_state P (symbols (body c)) nu phi (at_entry c) x ->
    exists y, is_entry P (Running y) /\ denotes_state P (symbols (body c)) nu phi m y /\
      match k with Smaller => (input_size_of P y < input_size_of P x)%nat | NotLarger => (input_size_of P y <= input_size_of P x)%nat end.
Definition added c k m := {| body := with_member k m (body c); at_entry := at_entry c |}.
Theorem add_sound c k m : adds c k m -> sound_add machine _ shows_configured (inr c) (inr (added c k m)).
Proof.
  intros [Sm Ad] t ts [[G F] (S & nu & phi & M & Me & A & O)]. simpl in O. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & E).
  inversion O2 as [|? q ? ts3 Hq O3]; subst. inversion O3; subst. apply app_inj_tail in E as [<- <-].
  pose proof Hq as [_ [B _]]. simpl in B. destruct B as (x & Ex & Dx). apply genuine_origin in G. rewrite Ex in G.
  destruct (Ad nu phi x M Me G Dx) as (y & Ey & Dy & Sz). exists k, (Running y). split; [exact Ey|]. split.
  { destruct k; simpl; rewrite Ex; exact Sz. }
  assert (Bound : in_scope (with_entry (added c k m)) = true).
  { unfold with_entry, added in *. simpl in *. rewrite with_member_scope in S |- *. rewrite with_member_scope. simpl. apply andb_prop in S as [S1 S2].
    rewrite S1, S2, Sm. reflexivity. }
  split; [exact Bound|]. exists nu, phi. split; auto. split; auto. split; auto. simpl. apply Forall2_app; [|constructor; [exact Hq | constructor]].
  apply Forall2_app; auto. constructor; [|constructor]. split; [reflexivity|]. split; [simpl; eauto | reflexivity].
Qed.

(** ** Derivations from roots *)

Section Rules.
Variable templates : list configuration.
(** Where nothing more is added the entry may be forgotten; so it is where a
    configuration is closed. *)
Inductive enters : bool -> entered -> Prop :=
| forgets_entry b c : derived P under few table templates b (body c) -> enters b c
| enters_step b c m os children : stands (primary (body c)) = At m -> offers P under m os ->
    (forall o, In o os -> forallb (scoped_literal (variables (body c))) (literals o) = true) ->
    (forall o, In o os -> absurd (literals o ++ predicate (body c)) \/
      let d := {| body := follow_primary P few (body c) m o; at_entry := at_entry c |} in In d children /\ in_scope (with_entry d) = true) ->
    (forall c', In c' children -> enters true c') -> enters b c
| enters_decided b c front k m x back os o : others (body c) = front ++ (k, x) :: back -> stands x = At m -> offers P under m os -> In o os ->
    tag_of o <> Effects.Ignorance -> (forall o, In o os -> forallb (scoped_literal (variables (body c))) (literals o) = true) ->
    (forall nu, model nu (predicate (body c)) -> Forall (holds nu) (literals o)) ->
    let d := {| body := follow_other P few (body c) front k m x back o; at_entry := at_entry c |} in
    in_scope (with_entry d) = true -> enters b d -> enters b c
| enters_one_outcome b c front k m x back os o : others (body c) = front ++ (k, x) :: back -> stands x = At m -> offers P under m os ->
    (forall o', In o' os -> o' = o \/ absurd (literals o' ++ predicate (body c))) ->
    (forall o, In o os -> forallb (scoped_literal (variables (body c))) (literals o) = true) ->
    let d := {| body := follow_forced P few (body c) front k m x back o; at_entry := at_entry c |} in
    in_scope (with_entry d) = true -> enters b d -> enters b c
| enters_choice b c front k m x back r T t : others (body c) = front ++ (k, x) :: back -> stands x = At m ->
    nth_error (instructions P) (place_of m) = Some (Havoc r) -> type_of P r = IntegerType T ->
    scoped (variables (body c)) t = true -> (forall nu, model nu (predicate (body c)) -> within T (eval nu t)) ->
    let d := {| body := choose_other (body c) front k m x back r t; at_entry := at_entry c |} in
    in_scope (with_entry d) = true -> enters b d -> enters b c
| enters_creation b c front k m x back os o r d count t fs : others (body c) = front ++ (k, x) :: back -> stands x = At m -> offers P under m os -> In o os ->
    tag_of o <> Effects.Ignorance -> (forall o, In o os -> forallb (scoped_literal (variables (body c))) (literals o) = true) ->
    (forall nu, model nu (predicate (body c)) -> Forall (holds nu) (literals o)) -> effect_of o = Creates r d count Arbitrary ->
    (forall nu, model nu (predicate (body c)) -> right_choice P nu d t count fs) ->
    let c' := {| body := create_other P (body c) front k m x back r d count t fs; at_entry := at_entry c |} in
    in_scope (with_entry c') = true -> enters b c' -> enters b c
| enters_unfold b c x children : unfolds P table x (with_entry c) (map with_entry children) -> (forall c', In c' children -> enters b c') -> enters b c
| enters_split b c l : scoped_literal (variables (body c)) l = true -> scoped_literal (variables (body c)) (negation l) = true ->
    enters b {| body := assume [l] (body c); at_entry := at_entry c |} -> enters b {| body := assume [negation l] (body c); at_entry := at_entry c |} -> enters b c
| enters_let b c t : scoped (variables (body c)) t = true -> let d := {| body := define t (body c); at_entry := at_entry c |} in
    in_scope (with_entry d) = true -> enters b d -> enters b c
| enters_drop b c front p back : others (body c) = front ++ p :: back ->
    enters b {| body := {| variables := variables (body c); symbols := symbols (body c); predicate := predicate (body c); primary := primary (body c);
      others := front ++ back |}; at_entry := at_entry c |} -> enters b c
| enters_add b c k m : adds c k m -> enters b (added c k m) -> enters b c.

Lemma entry_behind c front p back : others (body c) = front ++ p :: back ->
  others (with_entry c) = front ++ p :: back ++ [(NotLarger, newcomer (at_entry c))].
Proof. simpl. intros ->. rewrite <- app_assoc. reflexivity. Qed.
Lemma in_front (front back : list (input_size * counted_member)) p c : others c = front ++ p :: back -> (length front < length (others c))%nat.
Proof. intros ->. rewrite app_length. simpl. lia. Qed.
Lemma moved_behind front p back e : (front ++ p :: back) ++ [e] = front ++ p :: back ++ [e : input_size * counted_member].
Proof. rewrite <- app_assoc. reflexivity. Qed.

Theorem enters_closed b c : enters b c -> closed_configured (map inl templates) b (inr c).
Proof.
  induction 1 as [b c D | b c m os children Pm Os Sc Cases _ IH | b c front k m x back os o E Xm Os I T Sc En d Sf _ IH
    | b c front k m x back os o E Xm Os One Sc d Sf _ IH | b c front k m x back r T t E Xm Hi Ht St In d Sf _ IH | b c front k m x back os o r d count t fs E Xm Os I T Sc En Ef Ch c1 Sf _ IH | b c x children U _ IH
    | b c l L L' _ IH1 _ IH2 | b c t T d S _ IH | b c front p back E _ IH | b c k m Ad _ IH].
  - eapply (closed_cover machine configured) with (cs := [inl (body c)]).
    + intros t ts [_ S]. exists (inl (body c)). split; [simpl; auto | apply body_shows; exact S].
    + intros x [<-|[]]. apply closed_without. eapply derived_closed; eauto.
  - eapply (closed_step machine configured); [apply entered_step with (children := children)|].
    + apply (folded_step_sound P under few table of_nodes locals types memories contents (with_entry c) m os); auto.
      intros o I. destruct (Cases o I) as [A|[J S]]; [left; exact A | right]. split; [|exact S].
      apply (in_map with_entry) in J. exact J.
    + intros y I. apply in_map_iff in I as (c' & <- & I). auto.
  - eapply (closed_decided machine configured); [apply entered_decided with (c' := d); [|eapply in_front; exact E] | exact IH].
    pose proof (entry_behind c front (k, x) back E) as E'.
    replace (with_entry d) with (follow_other P few (with_entry c) front k m x (back ++ [(NotLarger, newcomer (at_entry c))]) o) in *
      by (unfold d, with_entry, with_member, follow_other; simpl; rewrite moved_behind; reflexivity).
    eapply folded_step_decided_sound; eauto.
  - eapply (closed_decided machine configured); [apply entered_decided with (c' := d); [|eapply in_front; exact E] | exact IH].
    pose proof (entry_behind c front (k, x) back E) as E'.
    replace (with_entry d) with (follow_forced P few (with_entry c) front k m x (back ++ [(NotLarger, newcomer (at_entry c))]) o) in *
      by (unfold d, with_entry, with_member, follow_forced; simpl; rewrite moved_behind; reflexivity).
    apply forced_decided. eapply folded_forced_sound; eauto.
  - eapply (closed_decided machine configured); [apply entered_decided with (c' := d); [|eapply in_front; exact E] | exact IH].
    pose proof (entry_behind c front (k, x) back E) as E'.
    replace (with_entry d) with (choose_other (with_entry c) front k m x (back ++ [(NotLarger, newcomer (at_entry c))]) r t) in *
      by (unfold d, with_entry, with_member, choose_other; simpl; rewrite moved_behind; reflexivity).
    eapply folded_choice_sound; eauto.
  - eapply (closed_decided machine configured); [apply entered_decided with (c' := c1); [|eapply in_front; exact E] | exact IH].
    pose proof (entry_behind c front (k, x) back E) as E'.
    replace (with_entry c1) with (create_other P (with_entry c) front k m x (back ++ [(NotLarger, newcomer (at_entry c))]) r d count t fs) in *
      by (unfold c1, with_entry, with_member, create_other; simpl; rewrite moved_behind; reflexivity).
    eapply folded_creation_sound; eauto.
  - eapply (closed_cover machine configured); [apply entered_cover with (children := children)|].
    + eapply unfold_sound; eauto.
    + intros y I. apply in_map_iff in I as (c' & <- & I). auto.
  - eapply (closed_cover machine configured).
    + apply entered_cover with (children := [{| body := assume [l] (body c); at_entry := at_entry c |}; {| body := assume [negation l] (body c); at_entry := at_entry c |}]).
      exact (folded_split_sound P under table (with_entry c) l L L').
    + intros y [<-|[<-|[]]]; auto.
  - eapply (closed_cover machine configured).
    + apply entered_cover with (children := [d]). exact (folded_let_sound P under table (with_entry c) t T S).
    + intros y [<-|[]]. exact IH.
  - eapply (closed_drop machine configured); [|exact IH]. intros t ts [_ S]. pose proof (entry_behind c front p back E) as E'.
    match goal with |- exists ts', _ /\ shows_configured (inr ?d) _ _ => destruct (forgotten_shows (with_entry c) (with_entry d) front p
      (back ++ [(NotLarger, newcomer (at_entry c))]) t _ E' (eq_sym (app_assoc _ _ _)) eq_refl eq_refl eq_refl eq_refl S) as (ts1 & q & ts2 & X & L & S') end.
    destruct ts2 as [|z ts2 _] using rev_ind; [rewrite app_length in L; simpl in L; lia|].
    change (ts1 ++ q :: ts2 ++ [z]) with (ts1 ++ (q :: ts2) ++ [z]) in X. rewrite app_assoc in X. apply app_inj_tail in X as [-> <-].
    exists (ts1 ++ ts2). split.
    + intros y I. apply in_app_or in I. apply in_or_app. simpl. tauto.
    + rewrite app_assoc in S'. exact S'.
  - eapply (closed_add machine configured); [apply add_sound; exact Ad | exact IH].
Qed.
End Rules.

(** Where templates are derived, and roots that cover all entry states, no
    execution from a valid input fails. *)
Theorem entered_acceptance templates roots : (forall c, In c templates -> derived P under few table templates false c) ->
  (forall c, In c roots -> enters templates true c) ->
  (forall s, is_entry P (Running s) -> exists c, In c roots /\ shows_entered c (Run machine (Running s) 0 (Running s)) []) -> safe machine.
Proof.
  intros T R Cov. eapply (acceptance machine configured shows_configured (map inl templates)) with (canonical := is_entry P) (roots := map inr roots); auto.
  - intros x I. apply in_map_iff in I as (c & <- & I). apply closed_without. eapply derived_closed; eauto.
  - intros r G F. exists r. split; auto. split; [apply genuine_origin; exact G | auto].
  - intros x I. apply in_map_iff in I as (c & <- & I). apply enters_closed. auto.
  - intros x Ex. pose proof Ex as (vs & s & _ & ->). destruct (Cov s Ex) as (c & I & S). exists (inr c). split; [apply in_map; exact I | exact S].
Qed.
End Entered.
