(** Rules on configurations without folded parts (spec/calculus.md#rules):
    that each of them is sound in the sense of Herds.v. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Members Bounds Entries Effects Lifetimes Outcomes Exhaustive.
Import ListNotations.
Open Scope Z_scope.

Section Rules.
Variable P : program.
Variable under : parameters.
Variable few : nat.
Notation affect := (Effects.affect P few).
Notation next_variable := (Effects.next_variable P few).
Notation reaches_state := (Exhaustive.reaches_state P few).
Notation holds := Terms.holds.
Notation outcomes := (Outcomes.outcomes P under).
Notation machine := (system_of P under).

(** ** Configurations *)

Inductive standing := At (m : member) | HasFailed.
(** What it has consumed, unless that is forgotten. *)
Record counted_member := { stands : standing; counted : option term }.
Record configuration := {
  variables : nat;
  predicate : list literal;
  primary : counted_member;
  others : list (input_size * counted_member) }.

Definition accounts nu x (r : run machine) :=
  match stands x with
  | At m => exists s, last _ r = Running s /\ denotes_state P nu m s
  | HasFailed => has_failed (last _ r) end /\
  match counted x with Some t => eval nu t = Z.of_nat (consumed _ r) | None => True end.
Definition accounts_sized nu (p : input_size * counted_member) (q : input_size * run machine) :=
  fst p = fst q /\ accounts nu (snd p) (snd q).

Definition scoped_literal n l := match l with AtMost t | Equal t | Unequal t => scoped n t end.
Definition scoped_counted n x := match stands x with At m => scoped_member n m | HasFailed => true end &&
  match counted x with Some t => scoped n t | None => true end.
(** That terms mention existing variables only is a matter of how they are
    made, which is not looked at here: it is part of what rules check. *)
Definition in_scope c := forallb (scoped_literal (variables c)) (predicate c) && scoped_counted (variables c) (primary c) &&
  forallb (fun p => scoped_counted (variables c) (snd p)) (others c).
Definition shows c (t : run machine) (ts : scapegoats machine) := in_scope c = true /\ exists nu,
  model nu (predicate c) /\ accounts nu (primary c) t /\ Forall2 (accounts_sized nu) (others c) ts.
Notation denotes := (Herds.denotes machine configuration shows).

(** ** Agreement *)

Section Agree.
Variables (n : nat) (nu mu : valuation).
Hypothesis agrees : agree n nu mu.
Lemma literal_agree l : scoped_literal n l = true -> holds nu l -> holds mu l.
Proof. destruct l; simpl; intros S; rewrite (proj1 (agree_eval n nu mu agrees) _ S); auto. Qed.
Lemma literals_agree ls : forallb (scoped_literal n) ls = true -> Forall (holds nu) ls -> Forall (holds mu) ls.
Proof. rewrite forallb_forall, !Forall_forall. intros S H l I. apply literal_agree; auto. Qed.
Lemma counted_agree (x : counted_member) c : match counted x with Some t => scoped n t | None => true end = true ->
  match counted x with Some t => eval nu t = c | None => True end -> match counted x with Some t => eval mu t = c | None => True end.
Proof. destruct (counted x) as [t|]; auto. intros S <-. symmetry. apply (proj1 (agree_eval n nu mu agrees)). exact S. Qed.
Lemma accounts_agree x r : scoped_counted n x = true -> accounts nu x r -> accounts mu x r.
Proof.
  unfold scoped_counted. intros S [A C]. apply andb_prop in S as [S1 S2]. split; [|eapply counted_agree; eauto].
  destruct (stands x) as [m|]; auto. destruct A as (s & L & rho & D). exists s. split; auto. exists rho. eapply denotes_agree; eauto.
Qed.
Lemma others_agree ps ts : forallb (fun p => scoped_counted n (snd p)) ps = true ->
  Forall2 (accounts_sized nu) ps ts -> Forall2 (accounts_sized mu) ps ts.
Proof.
  intros S H. induction H as [|p q ps ts [F A] _ IH]; constructor; simpl in S; apply andb_prop in S as [S1 S2]; auto.
  split; auto. apply accounts_agree; auto.
Qed.
End Agree.
Lemma in_scope_parts c : in_scope c = true -> forallb (scoped_literal (variables c)) (predicate c) = true /\
  scoped_counted (variables c) (primary c) = true /\ forallb (fun p => scoped_counted (variables c) (snd p)) (others c) = true.
Proof. unfold in_scope. intros S. apply andb_prop in S as [S S3]. apply andb_prop in S as [S1 S2]. auto. Qed.

(** ** Split, Infeasible, Let, Drop, Descent *)

Definition assume ls c := {| variables := variables c; predicate := ls ++ predicate c; primary := primary c; others := others c |}.
Theorem split_sound c l : scoped_literal (variables c) l = true -> scoped_literal (variables c) (negation l) = true ->
  sound_cover machine _ shows c [assume [l] c; assume [negation l] c].
Proof.
  intros L L' t ts [_ (S & nu & [W M] & A & O)]. apply in_scope_parts in S as (S1 & S2 & S3).
  destruct (holds_or_not nu l) as [H|H]; [exists (assume [l] c) | exists (assume [negation l] c)]; (split; [simpl; auto|]).
  - split; [unfold in_scope; simpl; rewrite L, S1, S2, S3; auto|]. exists nu. split; [split; [exact W | constructor; auto] | auto].
  - split; [unfold in_scope; simpl; rewrite L', S1, S2, S3; auto|]. exists nu. split; [split; [exact W | constructor; auto] | auto].
Qed.
Theorem infeasible_sound c : absurd (predicate c) -> sound_cover machine _ shows c [].
Proof. intros U t ts [_ (_ & nu & M & _)]. destruct (U nu M). Qed.
(** The next variable stands for a term. *)
Definition define t c := {| variables := S (variables c); predicate := Equal (Minus (Var None (variables c)) t) :: predicate c;
  primary := primary c; others := others c |}.
Theorem let_sound c t : scoped (variables c) t = true -> in_scope (define t c) = true -> sound_cover machine _ shows c [define t c].
Proof.
  intros T S' r ts [_ (S & nu & [W M] & A & O)]. apply in_scope_parts in S as (S1 & S2 & S3).
  set (n := variables c) in *.
  set (mu := {| integers := fun U x => if sort_eqb U None && Nat.eqb x n then eval nu t else integers nu U x; arrays := arrays nu |}).
  assert (G : agree n nu mu).
  { split; auto. intros U x L. simpl. destruct (Nat.eqb_spec x n); [lia|]. rewrite andb_false_r. auto. }
  exists (define t c). split; [simpl; auto|]. split; auto. exists mu. split; [split|split].
  - destruct W as [W1 W2]. split; auto.
  - simpl. constructor; [|eapply literals_agree; eauto]. simpl. fold n. rewrite Nat.eqb_refl.
    rewrite <- (proj1 (agree_eval n nu mu G) t T). lia.
  - eapply accounts_agree; eauto.
  - eapply others_agree; eauto.
Qed.
Theorem drop_rule_sound c front p back : others c = front ++ p :: back ->
  sound_drop machine _ shows c {| variables := variables c; predicate := predicate c; primary := primary c; others := front ++ back |}.
Proof.
  intros E t ts [_ (S & nu & M & A & O)]. rewrite E in O. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & ->).
  inversion O2 as [|? q ? ts3 Hq O3]; subst. exists (ts1 ++ ts3). split.
  - intros x I. apply in_app_or in I. apply in_or_app. simpl. tauto.
  - split; [|exists nu; split; auto; split; auto; apply Forall2_app; auto].
    apply in_scope_parts in S as (S1 & S2 & S3). unfold in_scope; simpl. rewrite S1, S2. rewrite E, forallb_app in S3. simpl in S3.
    apply andb_prop in S3 as [S3 S4]. apply andb_prop in S4 as [_ S4]. rewrite forallb_app, S3, S4. auto.
Qed.
(** A scapegoat has failed, on a smaller input or with less consumed. *)
Theorem descent_sound c k x : In (k, x) (others c) -> stands x = HasFailed ->
  (k = Smaller \/ exists s t, counted x = Some s /\ counted (primary c) = Some t /\
     forall nu, model nu (predicate c) -> eval nu s < eval nu t) ->
  sound_descent machine _ shows c.
Proof.
  intros I F L t ts [_ (_ & nu & M & [_ A] & O)].
  assert (X : exists r, In (k, r) ts /\ accounts nu x r).
  { clear - I O. induction O as [|p q ps ts [E B] _ IH]; [destruct I|]. destruct I as [->|I].
    - exists (snd q). simpl in *. split; auto. left. destruct q; simpl in *; congruence.
    - destruct (IH I) as (r & J & K). exists r. simpl. auto. }
  destruct X as (r & J & [B C]). rewrite F in B. exists k, r, r. split; auto. split; [constructor|]. split; [exact B|].
  destruct L as [L|(s & u & Es & Et & L)]; [auto|]. right. rewrite Es in C. rewrite Et in A. specialize (L nu M). lia.
Qed.
(** ** Step and StepDecided *)

Hypothesis locals : locals_formed P.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Hypothesis contents : contents_formed P.

Lemma genuine_states (r : run machine) s : genuine machine r -> last _ r = Running s -> tidy P s /\ typed P s /\ all_ordered s.
Proof.
  intros G. revert s. induction G as [x He | o n x k y _ IH Hs]; simpl; intros v.
  - intros ->. destruct He as (vs & w & Ew & Ex). injection Ex as ->. split; [eapply entry_tidy | eapply entry_fine]; eauto.
  - intros ->. destruct x as [w|e]; simpl in Hs; [|contradiction]. destruct Hs as (d & _ & Hs).
    destruct (step P under w d) as [w'|] eqn:S1; [|discriminate]. injection Hs as ->. destruct (IH w eq_refl) as (? & ? & ?).
    split; [eapply step_tidy | split; [eapply step_typed | eapply step_ordered]]; eauto.
Qed.

(** One more for a value that is drawn, and for a step back. *)
Definition counts m e : Z := match e with Draws _ _ => 1 | GoesTo l => if Nat.leb l (place_of m) then 1 else 0 | _ => 0 end.
Definition follow_member n m (t : option term) o := {|
  stands := match effect_of o with FailsHere => HasFailed | e => At (affect n e m) end;
  counted := option_map (fun t => Plus t (Constant (counts m (effect_of o)))) t |}.

Definition zeros : valuation := {| integers := fun _ _ => 0; arrays := fun _ _ _ => 0 |}.
Lemma draws_effect m s os o : outcomes m = Some os -> location s = place_of m -> In o os ->
  draws P s = match effect_of o with Draws _ _ => true | _ => false end.
Proof.
  assert (Z0 : well_sorted zeros) by (split; intros; apply zero_within).
  unfold draws. intros H -> I. destruct (nth_error (instructions P) (place_of m)) as [i|] eqn:E; [|unfold Outcomes.outcomes in H; rewrite E in H; discriminate].
  pose proof (effect_fits P under few zeros m Z0 os i o H E I) as F. unfold fits in F.
  destruct (effect_of o) eqn:Ef; try (destruct i; auto; exfalso; unfold Outcomes.outcomes in H; rewrite E in H; destruct (type_of P target); [|discriminate];
    injection H as <-; destruct I as [<-|[]]; discriminate).
  destruct F as [r' ->]. reflexivity.
Qed.

(** A step that an outcome accounts for consumes what the count says. *)
Lemma follow_accounts n mu m os o t (r : run machine) s d : outcomes m = Some os -> In o os -> location s = place_of m ->
  match t with Some t => eval mu t = Z.of_nat (consumed _ r) | None => True end ->
  reaches_state n mu m (effect_of o) (step P under s d) ->
  accounts mu (follow_member n m t o) (extend machine r (consumes P s (step P under s d))
    (match step P under s d with Ok s' => Running s' | Stop e => Over e end)).
Proof.
  intros H I Loc C R. pose proof (draws_effect m s os o H Loc I) as D. unfold reaches_state in R.
  assert (N : Z.of_nat (consumes P s (step P under s d)) = counts m (effect_of o)).
  { assert (L : forall s', step P under s d = Ok s' -> effect_of o <> FailsHere -> location s' = match effect_of o with GoesTo l => l | _ => S (place_of m) end).
    { intros s' E Nf. assert (X : denotes_state P mu (affect n (effect_of o) m) s').
      { destruct (effect_of o); try (destruct R as (s0 & R & X); rewrite E in R; injection R as <-; exact X). congruence. }
      destruct X as (rho & [A _]). rewrite (same_location _ _ _ _ A). destruct (without_place P m (match effect_of o with Creates _ d _ _ => d | _ => O end)) as (W & _).
      destruct (effect_of o) as [| | | | |[r'|]| ]; try reflexivity; [congruence|]. cbn [Effects.affect ground location place_of set_slot made]. rewrite W. reflexivity. }
    unfold consumes. rewrite D. destruct (effect_of o) eqn:E; try (destruct R as (s' & Es & _); rewrite Es; unfold leads_back; rewrite (L s' Es) by discriminate; rewrite Loc; unfold counts;
      try (destruct (Nat.leb_spec (S (place_of m)) (place_of m)); [lia | reflexivity])).
    - destruct (Nat.leb l (place_of m)); reflexivity.
    - destruct R as [f' Rf]. rewrite Rf. reflexivity. }
  split.
  - unfold follow_member. cbn [stands]. destruct (effect_of o) eqn:E; try (destruct R as (s' & -> & R); exists s'; split; [reflexivity | exact R]).
    destruct R as [f ->]. exact Logic.I.
  - unfold follow_member. cbn [counted]. destruct t as [t|]; simpl option_map; [|exact Logic.I].
    cbn [eval]. rewrite C, <- N. simpl consumed. lia.
Qed.
Lemma denoted_location nu m s : denotes_state P nu m s -> location s = place_of m.
Proof. intros (rho & [A _]). exact (same_location _ _ _ _ A). Qed.

(** Every outcome becomes a child, or is refuted. *)
Definition follow_primary c m o := {| variables := next_variable (variables c) (effect_of o); predicate := literals o ++ predicate c;
  primary := follow_member (variables c) m (counted (primary c)) o; others := others c |}.
Theorem step_sound c m os children : stands (primary c) = At m -> outcomes m = Some os ->
  (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
  (forall o, In o os -> absurd (literals o ++ predicate c) \/
    In (follow_primary c m o) children /\ in_scope (follow_primary c m o) = true) ->
  sound_step machine _ shows c children.
Proof.
  intros Pm Os Sc Cases t ts [[Gt _] (S & nu & [W M] & [A C] & O)]. apply in_scope_parts in S as (S1 & S2 & S3).
  rewrite Pm in A. destruct A as (s & L & D). destruct (genuine_states t s Gt L) as (Td & Ty & Od).
  assert (Sm : scoped_member (variables c) m = true).
  { unfold scoped_counted in S2. rewrite Pm in S2. apply andb_prop in S2 as [S2 _]. exact S2. }
  split; [rewrite L; simpl; auto|]. intros k x Hx. rewrite L in Hx. simpl in Hx. destruct Hx as (d & -> & ->).
  destruct (exhaustive P under few (variables c) nu m s os locals types memories W Sm Td Ty Od D Os d) as (o & mu & I & H & G & W' & R).
  destruct (Cases o I) as [U|[J Sf]].
  - exfalso. apply (U nu). split; auto. apply Forall_app. auto.
  - exists (follow_primary c m o). split; auto. split; auto. exists mu. split; [split; [exact W'|]|split].
    + simpl. apply Forall_app. split; eapply literals_agree; eauto.
    + simpl. eapply follow_accounts; eauto; [eapply denoted_location; eauto|].
      unfold scoped_counted in S2. apply andb_prop in S2 as [_ S2]. exact (counted_agree _ nu mu G (primary c) _ S2 C).
    + simpl. eapply others_agree; eauto.
Qed.

(** One outcome whose literals are entailed, and that is no [Ignorance]. *)
Definition follow_other c front k m x back o := {| variables := next_variable (variables c) (effect_of o); predicate := predicate c;
  primary := primary c; others := front ++ (k, follow_member (variables c) m (counted x) o) :: back |}.
Theorem step_decided_sound c front k m x back os o : others c = front ++ (k, x) :: back -> stands x = At m ->
  outcomes m = Some os -> In o os -> tag_of o <> Ignorance -> (forall nu, model nu (predicate c) -> Forall (holds nu) (literals o)) ->
  in_scope (follow_other c front k m x back o) = true ->
  sound_decided machine _ shows c (length front) (follow_other c front k m x back o).
Proof.
  intros E Xm Os I T En Sf t ts [[_ Gts] (S & nu & [W M] & A & O)]. apply in_scope_parts in S as (S1 & S2 & S3).
  rewrite E in O, S3. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & ->).
  inversion O2 as [|? q ? ts3 [Fk [B C]] O3]; subst. destruct q as [k' r]. simpl in Fk, B, C. subst k'.
  rewrite Xm in B. destruct B as (s & L & D).
  assert (Gr : genuine machine r).
  { rewrite Forall_forall in Gts. apply (Gts (k, r)). apply in_or_app. simpl. auto. }
  destruct (genuine_states r s Gr L) as (Td & Ty & Od).
  assert (Sm : scoped_member (variables c) m = true).
  { rewrite forallb_app in S3. simpl in S3. unfold scoped_counted at 2 in S3. rewrite Xm in S3.
    apply andb_prop in S3 as [_ S3]. apply andb_prop in S3 as [S3 _]. apply andb_prop in S3 as [S3 _]. exact S3. }
  destruct (real P under few (variables c) nu m s os locals types memories W Sm Td Ty Od D Os o I T (En nu (conj W M))) as (d & R).
  exists k, r, (extend machine r (consumes P s (step P under s d)) (match step P under s d with Ok s' => Running s' | Stop e => Over e end)), ts1, ts3.
  split; auto. split; [clear - O1; induction O1; simpl; congruence|]. split.
  - eapply extends_step; [constructor|]. rewrite L. exists d. split; reflexivity.
  - split; auto. exists nu. split; [split; auto|]. split; [exact A|]. simpl. apply Forall2_app; auto. constructor; auto.
    split; auto. simpl. eapply follow_accounts; eauto. eapply denoted_location; eauto.
Qed.

(** *** Choice: the value of a [Havoc] *)

Lemma agree_sym n nu mu : agree n nu mu -> agree n mu nu.
Proof. intros [A B]. split; intros; symmetry; auto. Qed.
(** A fresh variable has the value of a term. *)
Lemma chosen_denotes n nu mu m r T t s : agree n nu mu -> scoped_member n m = true -> eval mu (Var (Some T) n) = eval nu t ->
  denotes_state P mu (set_slot m r (IntegerSlot (Var (Some T) n))) s -> denotes_state P nu (set_slot m r (IntegerSlot t)) s.
Proof.
  intros G Sc E (rho & A & N). exists rho. split; [|exact N].
  assert (W : weaker_knowledge (known P (set_slot m r (IntegerSlot t))) (known P (set_slot m r (IntegerSlot (Var (Some T) n))))).
  { split; [|split; auto]. intros q. cbn [knows_register known]. rewrite !slot_set. destruct (_ && _); auto. }
  apply (alike_weaker _ _ _ _ _ W) in A. eapply alike_same; [|exact A]. split; auto.
  - cbn [ground values set_slot slots]. rewrite !map_replace. f_equal; [|simpl in E |- *; congruence]. symmetry. apply (values_agree n nu mu G m Sc).
  - cbn [ground memory named set_slot]. rewrite !map_length. auto.
  - intros o. rewrite !object_ground. apply (entry_agree n mu nu (agree_sym _ _ _ G)). apply (scoped_named n m o Sc).
Qed.
Definition choose_other c front k m x back r t := {| variables := variables c; predicate := predicate c; primary := primary c;
  others := front ++ (k, {| stands := At (set_slot m r (IntegerSlot t)); counted := option_map (fun u => Plus u (Constant 1)) (counted x) |}) :: back |}.
Theorem choice_sound c front k m x back r T t : others c = front ++ (k, x) :: back -> stands x = At m ->
  nth_error (instructions P) (place_of m) = Some (Havoc r) -> type_of P r = IntegerType T ->
  scoped (variables c) t = true -> (forall nu, model nu (predicate c) -> within T (eval nu t)) -> in_scope (choose_other c front k m x back r t) = true ->
  sound_decided machine _ shows c (length front) (choose_other c front k m x back r t).
Proof.
  intros E Xm Hi Ht St In Sf q ts [[_ Gts] (S & nu & [W M] & A & O)]. apply in_scope_parts in S as (S1 & S2 & S3).
  rewrite E in O, S3. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & ->).
  inversion O2 as [|? z ? ts3 [Fk [B C]] O3]; subst. destruct z as [k' w]. simpl in Fk, B, C. subst k'.
  rewrite Xm in B. destruct B as (s & L & D).
  assert (Gr : genuine machine w).
  { rewrite Forall_forall in Gts. apply (Gts (k, w)). apply in_or_app. simpl. auto. }
  destruct (genuine_states w s Gr L) as (Td & Ty & Od).
  assert (Sm : scoped_member (variables c) m = true /\ match counted x with Some u => scoped (variables c) u | None => true end = true).
  { rewrite forallb_app in S3. simpl in S3. unfold scoped_counted at 2 in S3. rewrite Xm in S3.
    apply andb_prop in S3 as [_ S3]. apply andb_prop in S3 as [S3 _]. apply andb_prop in S3 as [S3 S4]. auto. }
  destruct Sm as [Sm Sx]. set (n := variables c) in *. set (v := eval nu t). assert (Wv : within T v) by (apply In; split; auto).
  set (mu := {| integers := fun U y => if sort_eqb U (Some T) && Nat.eqb y n then v else integers nu U y; arrays := arrays nu |}).
  assert (G : agree n nu mu).
  { split; auto. intros U y Ly. simpl. destruct (Nat.eqb_spec y n); [lia|]. rewrite andb_false_r. auto. }
  assert (W' : well_sorted mu).
  { destruct W as [W1 W2]. split; auto. intros U y. simpl. destruct (integer_type_eqb U T && Nat.eqb y n) eqn:Q; auto.
    apply andb_prop in Q as [Q _]. apply integer_type_eqb_eq in Q. subst U. exact Wv. }
  assert (V : eval mu (Var (Some T) n) = eval nu t).
  { simpl. assert (Q : integer_type_eqb T T = true) by (apply integer_type_eqb_eq; auto). rewrite Q, Nat.eqb_refl. reflexivity. }
  set (o := exactly [] (Draws r T)).
  assert (Os : outcomes m = Some [o]) by (unfold Outcomes.outcomes; rewrite Hi, Ht; reflexivity).
  assert (D' : denotes_state P mu m s) by (destruct D as (rho & D); exists rho; eapply denotes_agree; eauto).
  destruct (real P under few n mu m s [o] locals types memories W' Sm Td Ty Od D' Os o (or_introl eq_refl) ltac:(discriminate) (Forall_nil _)) as (d & R).
  assert (C' : match counted x with Some u => eval mu u = Z.of_nat (consumed _ w) | None => True end) by exact (counted_agree n nu mu G x _ Sx C).
  destruct (follow_accounts n mu m [o] o (counted x) w s d Os (or_introl eq_refl) (denoted_location nu m s D) C' R) as [X Y].
  exists k, w, (extend machine w (consumes P s (step P under s d)) (match step P under s d with Ok s' => Running s' | Stop e => Over e end)), ts1, ts3.
  split; auto. split; [clear - O1; induction O1; simpl; congruence|]. split.
  - eapply extends_step; [constructor|]. rewrite L. exists d. split; reflexivity.
  - split; auto. exists nu. split; [split; auto|]. split; [exact A|]. simpl. apply Forall2_app; auto. constructor; auto.
    split; auto. split.
    + cbn [stands snd] in X |- *. destruct X as (s' & Ls & Ds). exists s'. split; auto. eapply chosen_denotes; eauto.
    + cbn [counted snd follow_member] in Y |- *. destruct (counted x) as [u|]; [|exact Logic.I]. cbn [option_map] in Y |- *.
      change (eval nu u + 1 = Z.of_nat (consumed machine (extend machine w (consumes P s (step P under s d)) (match step P under s d with Ok s' => Running s' | Stop e => Over e end)))).
      change (eval mu u + 1 = Z.of_nat (consumed machine (extend machine w (consumes P s (step P under s d)) (match step P under s d with Ok s' => Running s' | Stop e => Over e end)))) in Y.
      rewrite (proj1 (agree_eval n nu mu G) u Sx). exact Y.
Qed.
End Rules.
