(** Derivations of configurations with folded parts (spec/calculus.md#rules), by
    the rules that are proved sound on them, and what they exclude
    (spec/calculus.md#theorem). *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Inputs Runs Existing Tidy Owed Typed Bounds Folding FoldedMembers Configurations FoldedSteps FoldedRules FoldedTwins Reading Subsume Cases Marking Stepping Creating.
From Goatherd Require Members Effects Outcomes Rules Entries Twins.
Import ListNotations.
Open Scope Z_scope.

Section Derivations.
Variable P : program.
Variable under : parameters.
Variable few : nat.
Variable table : nat -> sort_of_trees.
Notation machine := (system_of P under).
Notation accounts := (accounts P under).
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

(** ** End *)

Definition ends_at m := match nth_error (instructions P) (place_of m) with Some Halt | Some Ignore => True | _ => False end.
Definition ended_primary c := {| variables := variables c; symbols := symbols c; predicate := predicate c;
  primary := {| stands := HasEnded; counted := None |}; others := others c |}.
Lemma ended_scope c : in_scope c = true -> in_scope (ended_primary c) = true.
Proof. intros S. apply scope_parts in S as (S1 & S2 & S3). unfold in_scope. simpl. rewrite S1, S3. reflexivity. Qed.
Lemma ends_sound c m : stands (primary c) = At m -> ends_at m -> sound_step machine _ shows c [ended_primary c].
Proof.
  intros Pm En t ts [_ (S & nu & phi & M & Me & [A _] & O)]. rewrite Pm in A. destruct A as (s & L & D).
  pose proof (denoted_location _ _ _ _ _ _ D) as Loc. rewrite L. split; [simpl; auto|].
  intros k x Hx. simpl in Hx. destruct Hx as (d & -> & ->). exists (ended_primary c). split; [simpl; auto|]. split; [apply ended_scope; auto|].
  exists nu, phi. split; auto. split; auto. split; [|exact O]. split; [|exact Logic.I]. simpl.
  unfold ends_at in En. rewrite <- Loc in En. unfold step. destruct (nth_error (instructions P) (location s)) as [[]|]; try contradiction; auto.
Qed.
Lemma ended_sound c : sound_end machine _ shows (ended_primary c).
Proof.
  intros t ts [_ (_ & nu & phi & _ & _ & [A _] & _)]. simpl in A. split; [destruct A as [-> | ->]; simpl; auto|].
  intros k s H. destruct A as [E|E]; rewrite E in H; exact H.
Qed.

(** ** Steps of a scapegoat: one outcome is left *)

Definition follow_forced c front k m x back o := {| variables := next_variable P few (variables c) (effect_of o); symbols := symbols c;
  predicate := literals o ++ predicate c; primary := primary c; others := front ++ (k, follow_member P few (variables c) m (counted x) o) :: back |}.
Theorem folded_forced_sound c front k m x back os o : others c = front ++ (k, x) :: back -> stands x = At m -> offers P under m os ->
  (forall o', In o' os -> o' = o \/ absurd (literals o' ++ predicate c)) ->
  (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
  in_scope (follow_forced c front k m x back o) = true ->
  sound_forced machine _ shows c (length front) (follow_forced c front k m x back o).
Proof.
  intros E Xm Os One Sc Sf t ts [[_ Gts] (S & nu & phi & [W M] & Me & A & O)]. apply scope_parts in S as (S1 & S2 & S3).
  rewrite E in O, S3. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & ->).
  inversion O2 as [|? q ? ts3 [Fk [B C]] O3]; subst. destruct q as [k' r]. simpl in Fk, B, C. subst k'.
  rewrite Xm in B. destruct B as (s & L & D).
  assert (Gr : genuine machine r).
  { rewrite Forall_forall in Gts. apply (Gts (k, r)). apply in_or_app. simpl. auto. }
  pose proof (genuine_executed P under locals types memories contents r s Gr L) as Td.
  rewrite forallb_app in S3. simpl in S3. apply andb_prop in S3 as [S3 S4]. apply andb_prop in S4 as [Sx S5].
  pose proof Sx as Sm. unfold scoped_counted in Sm. rewrite Xm in Sm. apply andb_prop in Sm as [Sm Sn].
  exists k, r, ts1, ts3. split; auto. split; [clear - O1; induction O1; simpl; congruence|]. split.
  { rewrite L. apply never_stuck. }
  intros j y Hy. rewrite L in Hy. simpl in Hy. destruct Hy as (d & -> & ->).
  destruct (folded_exhaustive P under few table of_nodes locals types memories (symbols c) phi (variables c) nu m os s W Me Sm Os Td D Sc d)
    as (o' & mu & I & H & G & W' & R).
  destruct (One o' I) as [->|U]; [|exfalso; apply (U nu); split; auto; apply Forall_app; auto].
  split; auto. exists mu, phi. split; [split; [exact W'|] | split; [exact Me | split]].
  - simpl. apply Forall_app. split; eapply literals_agree; eauto.
  - eapply accounts_agree; eauto.
  - simpl. apply Forall2_app; [eapply others_agree; eauto|]. constructor; [|eapply others_agree; eauto]. split; auto. simpl.
    eapply follow_accounts; eauto. destruct (counted x) as [u|]; auto. simpl in Sn. rewrite <- (proj1 (agree_eval _ _ _ G) _ Sn). exact C.
Qed.

(** ** Choice: the value of a [Havoc] *)

(** A fresh variable has the value of a term. *)
Lemma chosen_describes sorts phi n nu mu m r T t g : agree n nu mu -> scoped_member n m = true -> eval mu (Var (Some T) n) = eval nu t ->
  describes P sorts mu phi (set_slot m r (Plain (Members.IntegerSlot (Var (Some T) n)))) g ->
  describes P sorts nu phi (set_slot m r (Plain (Members.IntegerSlot t))) g.
Proof.
  intros G Sc E (rho & ro & la & ce & D). exists rho, ro, la, ce.
  assert (G' : agree n mu nu) by (destruct G as [G1 G2]; split; intros; symmetry; auto).
  set (m1 := set_slot m r (Plain (Members.IntegerSlot (Var (Some T) n)))) in *. set (m2 := set_slot m r (Plain (Members.IntegerSlot t))).
  (* What is said of registers but this one, of objects and of parts is said in m. *)
  unfold scoped_member in Sc. apply andb_prop in Sc as [Sc S3]. apply andb_prop in Sc as [S1 S2].
  assert (Ex : extends_symbols sorts sorts phi phi) by (intros y s0 Es; auto).
  assert (Sa : forall w, scoped_slot n w = true -> means nu m2 rho ro la w = means mu m1 rho ro la w) by (intros w Sw; exact (slot_agree n mu nu G' m rho ro la w Sw)).
  destruct D as [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14]. split; auto.
  - simpl in D2 |- *. rewrite replace_length in *. exact D2.
  - intros q. specialize (D4 q). unfold slot_at in *. simpl in D4 |- *. rewrite nth_replace in *.
    destruct (Nat.eqb q r && Nat.ltb r (length (slots m))).
    + simpl in D4 |- *. rewrite <- E. exact D4.
    + rewrite Sa; [exact D4|]. apply (scoped_nth (scoped_slot n)); auto.
  - intros o x Eo. destruct (D6 o x Eo) as [A1 A2 A3 A4 A5 A6]. pose proof (entry_scoped (scoped_object n) _ _ _ S2 Eo) as So.
    unfold scoped_object in So. apply andb_prop in So as [So Sf]. apply andb_prop in So as [B1 B2]. pose proof (proj1 (agree_eval n mu nu G')) as V.
    split; auto; [rewrite <- (V _ B1); exact A3 | rewrite <- (V _ B2); exact A4|]. intros Lv f i I. specialize (A6 Lv f i I).
    assert (Q : means_element nu m2 rho ro la (nth f (FoldedMembers.contents x) no_field) i = means_element mu m1 rho ro la (nth f (FoldedMembers.contents x) no_field) i).
    { exact (element_agree n mu nu G' m rho ro la _ i (scoped_nth (scoped_field n) (FoldedMembers.contents x) f no_field Sf eq_refl)). }
    rewrite Q. exact A6.
  - intros o x Eo N. pose proof (entry_scoped (scoped_object n) _ _ _ S2 Eo) as So. unfold scoped_object in So. apply andb_prop in So as [So _]. apply andb_prop in So as [B1 B2].
    pose proof (proj1 (agree_eval n mu nu G')) as V. rewrite <- (V _ B1), <- (V _ B2). eauto.
  - intros f q Eq. exact (part_agree sorts sorts phi phi n mu nu Ex G' m rho ro la g f q (ce f) (entry_scoped (scoped_part n) _ _ _ S3 Eq) (D10 f q Eq)).
Qed.
Definition choose_other c front k m x back r t := {| variables := variables c; symbols := symbols c; predicate := predicate c; primary := primary c;
  others := front ++ (k, {| stands := At (set_slot m r (Plain (Members.IntegerSlot t)));
    counted := option_map (fun u => Plus u (Constant 1)) (counted x) |}) :: back |}.
Lemma havoc_offers m r T : nth_error (instructions P) (place_of m) = Some (Havoc r) -> type_of P r = IntegerType T -> offers P under m [exactly [] (Draws r T)].
Proof.
  intros Hi Ht. left. split; [|intros _; unfold result_there; rewrite Hi; exact Logic.I]. intros rho v V. exists [Effects.exactly [] (Effects.Draws r T)]. split.
  - unfold Outcomes.outcomes. rewrite (viewed_place _ _ _ V), Hi, Ht. reflexivity.
  - constructor; [|constructor]. split; auto. split; auto. constructor.
Qed.
Theorem folded_choice_sound c front k m x back r T t : others c = front ++ (k, x) :: back -> stands x = At m ->
  nth_error (instructions P) (place_of m) = Some (Havoc r) -> type_of P r = IntegerType T ->
  scoped (variables c) t = true -> (forall nu, model nu (predicate c) -> within T (eval nu t)) -> in_scope (choose_other c front k m x back r t) = true ->
  sound_decided machine _ shows c (length front) (choose_other c front k m x back r t).
Proof.
  intros E Xm Hi Ht St In Sf q ts [[_ Gts] (S & nu & phi & [W M] & Me & A & O)]. apply scope_parts in S as (S1 & S2 & S3).
  rewrite E in O, S3. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & ->).
  inversion O2 as [|? z ? ts3 [Fk [B C]] O3]; subst. destruct z as [k' w]. simpl in Fk, B, C. subst k'.
  rewrite Xm in B. destruct B as (s & L & D).
  assert (Gr : genuine machine w).
  { rewrite Forall_forall in Gts. apply (Gts (k, w)). apply in_or_app. simpl. auto. }
  pose proof (genuine_executed P under locals types memories contents w s Gr L) as Td.
  rewrite forallb_app in S3. simpl in S3. apply andb_prop in S3 as [S3 S4]. apply andb_prop in S4 as [Sx S5].
  unfold scoped_counted in Sx. rewrite Xm in Sx. apply andb_prop in Sx as [Sm Sn].
  set (n := variables c) in *. set (v := eval nu t). assert (Wv : within T v) by (apply In; split; auto).
  set (mu := {| integers := fun U y => if sort_eqb U (Some T) && Nat.eqb y n then v else integers nu U y; arrays := arrays nu |}).
  assert (G : agree n nu mu).
  { split; auto. intros U y Ly. simpl. destruct (Nat.eqb_spec y n); [lia|]. rewrite andb_false_r. auto. }
  assert (W' : well_sorted mu).
  { destruct W as [W1 W2]. split; auto. intros U y. simpl. destruct (integer_type_eqb U T && Nat.eqb y n) eqn:Q; auto.
    apply andb_prop in Q as [Q _]. apply integer_type_eqb_eq in Q. subst U. exact Wv. }
  assert (V : eval mu (Var (Some T) n) = eval nu t).
  { simpl. assert (Q : integer_type_eqb T T = true) by (apply integer_type_eqb_eq; auto). rewrite Q, Nat.eqb_refl. reflexivity. }
  set (o := exactly [] (Draws r T)). pose proof (havoc_offers m r T Hi Ht) as Os.
  assert (D' : denotes_state P (symbols c) mu phi m s).
  { destruct D as (g & rn & Fg & (rho & ro & la & ce & D) & Al & Mp). exists g, rn. split; auto. split; [|auto]. exists rho, ro, la, ce.
    eapply describes_agree; eauto. intros y s0 Es. auto. }
  assert (Sl : forall o0, List.In o0 [o] -> forallb (scoped_literal n) (literals o0) = true) by (intros o0 [<-|[]]; reflexivity).
  destruct (folded_real P under few table of_nodes locals types memories (symbols c) phi n mu m [o] s W' Me Sm Os Td D' Sl o (or_introl eq_refl)
    ltac:(discriminate) (Forall_nil _)) as (d & R).
  assert (C' : match counted x with Some u => eval mu u = Z.of_nat (consumed _ w) | None => True end).
  { destruct (counted x) as [u|]; auto. simpl in Sn. rewrite <- (proj1 (agree_eval _ _ _ G) _ Sn). exact C. }
  destruct (follow_accounts P under few (symbols c) phi n mu mu m [o] o (counted x) w s d Os (or_introl eq_refl) D' C' R) as [X Y].
  exists k, w, (extend machine w (consumes P s (step P under s d)) (match step P under s d with Ok s' => Running s' | Stop e => Over e end)), ts1, ts3.
  split; auto. split; [clear - O1; induction O1; simpl; congruence|]. split.
  - eapply extends_step; [constructor|]. rewrite L. exists d. split; reflexivity.
  - split; auto. exists nu, phi. split; [split; auto|]. split; [exact Me|]. split; [exact A|]. simpl. apply Forall2_app; auto. constructor; auto.
    split; auto. split.
    + cbn [stands snd] in X |- *. destruct X as (s' & Ls & g & rn & Fg & Ds & Al & Mp). exists s'. split; auto. exists g, rn. split; auto. split; [|auto].
      eapply chosen_describes; eauto.
    + cbn [counted snd follow_member] in Y |- *. destruct (counted x) as [u|]; [|exact Logic.I]. cbn [option_map] in Y |- *.
      simpl in Sn. cbn [eval] in Y |- *. rewrite (proj1 (agree_eval n nu mu G) u Sn). exact Y.
Qed.

(** ** Derivations *)

Section Rules.
Variable templates : list configuration.
Inductive derived : bool -> configuration -> Prop :=
| by_step b c m os children : stands (primary c) = At m -> offers P under m os ->
    (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
    (forall o, In o os -> absurd (literals o ++ predicate c) \/
      In (follow_primary P few c m o) children /\ in_scope (follow_primary P few c m o) = true) ->
    (forall c', In c' children -> derived true c') -> derived b c
| by_step_decided b c front k m x back os o : others c = front ++ (k, x) :: back -> stands x = At m -> offers P under m os -> In o os ->
    tag_of o <> Effects.Ignorance -> (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
    (forall nu, model nu (predicate c) -> Forall (holds nu) (literals o)) -> in_scope (follow_other P few c front k m x back o) = true ->
    derived b (follow_other P few c front k m x back o) -> derived b c
| by_one_outcome b c front k m x back os o : others c = front ++ (k, x) :: back -> stands x = At m -> offers P under m os ->
    (forall o', In o' os -> o' = o \/ absurd (literals o' ++ predicate c)) ->
    (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
    in_scope (follow_forced c front k m x back o) = true -> derived b (follow_forced c front k m x back o) -> derived b c
| by_choice b c front k m x back r T t : others c = front ++ (k, x) :: back -> stands x = At m ->
    nth_error (instructions P) (place_of m) = Some (Havoc r) -> type_of P r = IntegerType T ->
    scoped (variables c) t = true -> (forall nu, model nu (predicate c) -> within T (eval nu t)) ->
    in_scope (choose_other c front k m x back r t) = true -> derived b (choose_other c front k m x back r t) -> derived b c
| by_creation b c front k m x back os o r d count t fs : others c = front ++ (k, x) :: back -> stands x = At m -> offers P under m os -> In o os ->
    tag_of o <> Effects.Ignorance -> (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
    (forall nu, model nu (predicate c) -> Forall (holds nu) (literals o)) -> effect_of o = Creates r d count Arbitrary ->
    (forall nu, model nu (predicate c) -> right_choice P nu d t count fs) -> in_scope (create_other P c front k m x back r d count t fs) = true ->
    derived b (create_other P c front k m x back r d count t fs) -> derived b c
| by_unfold b c x children : unfolds P table x c children -> (forall c', In c' children -> derived b c') -> derived b c
| by_split b c l : scoped_literal (variables c) l = true -> scoped_literal (variables c) (negation l) = true ->
    derived b (assume [l] c) -> derived b (assume [negation l] c) -> derived b c
| by_infeasible b c : absurd (predicate c) -> derived b c
| by_let b c t : scoped (variables c) t = true -> in_scope (define t c) = true -> derived b (define t c) -> derived b c
| by_drop b c front p back : others c = front ++ p :: back ->
    derived b {| variables := variables c; symbols := symbols c; predicate := predicate c; primary := primary c; others := front ++ back |} -> derived b c
| by_subsume c d : in_scope d = true -> covers P table c d -> In d templates -> derived true c
| by_descent b c k x : In (k, x) (others c) -> stands x = HasFailed ->
    (k = Smaller \/ exists s t, counted x = Some s /\ counted (primary c) = Some t /\
       forall nu, model nu (predicate c) -> eval nu s < eval nu t) -> derived b c
| by_twin b c m x m' names : ~ checks_leaks P -> stands (primary c) = At m -> In (Smaller, x) (others c) -> stands x = At m' ->
    twin_members P names m m' -> (forall nu o y, model nu (predicate c) -> object_named m o = Some y -> covered_cells nu y) -> derived b c
| by_end b c m : stands (primary c) = At m -> ends_at m -> derived b c.

Theorem derived_closed b c : derived b c -> closed machine configuration shows templates b c.
Proof.
  induction 1 as [b c m os children Pm Os Sc Cases _ IH | b c front k m x back os o E Xm Os I T Sc En Sf _ IH
    | b c front k m x back os o E Xm Os One Sc Sf _ IH
    | b c front k m x back r T t E Xm Hi Ht St In Sf _ IH | b c front k m x back os o r d count t fs E Xm Os I T Sc En Ef Ch Sf _ IH | b c x children U _ IH | b c l L L' _ IH1 _ IH2 | b c U | b c t T S _ IH
    | b c front p back E _ IH | c d Sd C I | b c k x I F L | b c m x m' names Nl Pm I Xm Tw Cv | b c m Pm En].
  - eapply closed_step; [eapply folded_step_sound; eauto | exact IH].
  - eapply closed_decided; [eapply folded_step_decided_sound; eauto | exact IH].
  - eapply closed_decided; [apply forced_decided; eapply folded_forced_sound; eauto | exact IH].
  - eapply closed_decided; [eapply folded_choice_sound; eauto | exact IH].
  - eapply closed_decided; [eapply folded_creation_sound; eauto | exact IH].
  - eapply closed_cover; [eapply unfold_sound; eauto | exact IH].
  - eapply closed_cover; [apply (folded_split_sound P under table c l L L')|]. intros c' [<-|[<-|[]]]; auto.
  - eapply closed_cover; [apply folded_infeasible_sound; exact U | intros c' []].
  - eapply closed_cover; [apply (folded_let_sound P under table c t T S)|]. intros c' [<-|[]]. exact IH.
  - eapply closed_drop; [eapply folded_drop_sound; eauto | exact IH].
  - eapply covered_closed; eauto.
  - eapply closed_descent. eapply folded_descent_sound; eauto.
  - eapply closed_twin. eapply folded_twin_sound; eauto.
  - eapply closed_step; [eapply ends_sound; eauto|]. intros c' [<-|[]]. apply closed_end. apply ended_sound.
Qed.
End Rules.

(** What roots cover does not fail, where templates and roots are derived. *)
Theorem folded_acceptance templates roots : (forall c, In c templates -> derived templates false c) -> (forall c, In c roots -> derived templates true c) ->
  (forall x, is_entry P x -> exists c, In c roots /\ shows c (Run machine x 0 x) []) -> safe machine.
Proof.
  intros T R Cov. eapply (acceptance machine configuration shows templates) with (canonical := is_entry P) (roots := roots); auto.
  - intros c I. apply derived_closed. auto.
  - intros r G F. exists r. split; auto. split; [|auto]. clear - G. induction G; auto.
  - intros c I. apply derived_closed. auto.
Qed.
End Derivations.
