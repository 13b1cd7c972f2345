(** Lemmas 1 and 2 (spec/calculus.md#lemmas-on-single-steps): outcomes are
    exhaustive and real, of all states that a member denotes. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Members Outcomes.
Import ListNotations.
Open Scope Z_scope.

Section Steps.
Variable P : program.
Variable under : parameters.
Notation outcomes := (Outcomes.outcomes P under).
Notation assigns := (Outcomes.assigns P).
Notation computes := (Outcomes.computes P under).
Notation sound_list := (Outcomes.sound_list P under).
Notation reaches := (Outcomes.reaches P).
Notation holds := Terms.holds.

Definition reaches_state n mu m e (x : Machine.outcome state) : Prop := match e with
  | FailsHere => exists f, x = fails f
  | _ => exists s, x = Ok s /\ denotes_state P mu (affect n e m) s end.

Lemma known_operand_used m o : used_integer m o <> NotKnown -> known_operand (known m) o.
Proof. destruct o as [r|]; simpl; auto. unfold known_slot. destruct (slot_at m r); auto; congruence. Qed.
Lemma with_integers_known m a b f os : with_integers m a b f = Some os -> known_operand (known m) a /\ known_operand (known m) b.
Proof.
  unfold with_integers. intros H. split; apply known_operand_used; intros E; rewrite E in H; try discriminate.
  destruct (used_integer m a); discriminate.
Qed.
Lemma outcomes_ask m s os i : outcomes m = Some os -> nth_error (instructions P) (place_of m) = Some i -> asks P (known m) s i.
Proof.
  unfold outcomes. intros H E. rewrite E in H. destruct i; simpl; auto; try discriminate.
  - destruct c; [|discriminate]. eapply with_integers_known; eauto.
  - unfold assigns in H. destruct (type_of P target), value; auto; try discriminate. unfold known_slot. destruct (slot_at m r); auto; discriminate.
  - eapply with_integers_known; eauto.
Qed.

Lemma slot_set m r v q : slot_at (set_slot m r v) q = if Nat.eqb q r && Nat.ltb r (length (slots m)) then v else slot_at m q.
Proof. apply nth_replace. Qed.
(** What is known behind an outcome is so behind the step. *)
Lemma set_known m r v (known_v : Prop) : (known_slot v -> known_v) -> weaker_knowledge (known (set_slot m r v)) (learn r known_v (known m)).
Proof.
  intros H. split; [|split; auto]. intros q. cbn [knows_register known learn]. rewrite slot_set.
  destruct (Nat.eqb_spec q r) as [->|N]; simpl; [|auto].
  destruct (Nat.ltb_spec r (length (slots m))); [auto|]. unfold slot_at. rewrite nth_overflow by auto. contradiction.
Qed.
Lemma weaker_refl K : weaker_knowledge K K.
Proof. split; [|split]; auto. Qed.
Definition sets_or_fails r o := match effect_of o with Sets q _ => q = r | FailsHere => True | _ => False end.
Lemma assigns_set m r o os : assigns m r o = Some os -> Forall (sets_or_fails r) os.
Proof.
  unfold assigns. destruct (type_of P r) as [T|]; [|discriminate]. destruct o as [q|z].
  - destruct (slot_at m q), (type_of P q) as [U|]; try discriminate; intros [= <-].
    + destruct (integer_type_eqb U T); repeat constructor.
    + destruct (subtype U T); [|destruct (_ && _)]; repeat constructor.
  - intros [= <-]. repeat constructor.
Qed.
Lemma computes_set r op s t os : computes r op s t = Some os -> Forall (sets_or_fails r) os.
Proof.
  unfold computes. destruct (type_of P r) as [T|]; [|discriminate]. destruct (integer_type_eqb T Bool); [discriminate|]. intros [= <-].
  unfold computing. destruct op; destruct (fails_on_overflow under T); try destruct (signed T); try destruct (is_constant t); try destruct (is_constant s);
  simpl; unfold checked, by_one_period; repeat constructor.
Qed.
Lemma with_integers_set m a b f os r : with_integers m a b f = Some os -> (forall s t ls, f s t = Some ls -> Forall (sets_or_fails r) ls) ->
  Forall (sets_or_fails r) os.
Proof.
  unfold with_integers. intros H F. destruct (used_integer m a), (used_integer m b); try discriminate; eauto; injection H as <-; repeat constructor.
Qed.
Lemma outcome_known m s os i o n : outcomes m = Some os -> nth_error (instructions P) (place_of m) = Some i -> In o os ->
  effect_of o <> FailsHere -> weaker_knowledge (known (affect n (effect_of o) m)) (after P (known m) s i).
Proof.
  intros H E I N.
  assert (Set_ : forall r, Forall (sets_or_fails r) os -> weaker_knowledge (known (affect n (effect_of o) m)) (learn r True (known m))).
  { intros r F. rewrite Forall_forall in F. specialize (F o I). unfold sets_or_fails in F. destruct (effect_of o); try contradiction.
    subst r0. apply set_known. auto. }
  unfold outcomes in H. rewrite E in H. destruct i; try discriminate; simpl after.
  - injection H as <-. destruct I as [<-|[]]. apply weaker_refl.
  - destruct c; [|discriminate]. assert (G : (exists l, effect_of o = GoesTo l) \/ effect_of o = FailsHere).
    { unfold with_integers in H. destruct (used_integer m left), (used_integer m right); try discriminate; injection H as <-;
      repeat (destruct I as [<-|I]; [simpl; eauto|]); destruct I. }
    destruct G as [[l ->] | G]; [apply weaker_refl | contradiction].
  - injection H as <-. destruct I as [<-|[<-|[]]]; apply weaker_refl.
  - injection H as <-. destruct I as [<-|[]]. contradiction N. reflexivity.
  - apply Set_. eapply assigns_set; eauto.
  - apply Set_. eapply with_integers_set; [exact H|]. intros a b ls. apply computes_set.
  - destruct (type_of P target); [|discriminate]. injection H as <-. destruct I as [<-|[]]. apply set_known. auto.
  - injection H as <-. apply Set_. repeat constructor.
  - injection H as <-. apply Set_. repeat constructor.
  - injection H as <-. destruct I as [<-|[]]. apply set_known. auto.
Qed.
Lemma named_affect n e m : named (affect n e m) = named m.
Proof. destruct e; reflexivity. Qed.

Lemma denoted_ranges nu m rho s : typed P s -> denotes_by P nu m rho s -> in_ranges P nu m.
Proof.
  intros [R _] [A _] r t T H HT. assert (K : knows_register (known m) r) by (simpl; rewrite H; exact I).
  apply (same_registers _ _ _ _ A) in K. rewrite register_ground, H in K. simpl in K. specialize (R r). rewrite HT in R.
  destruct (register s r); simpl in K, R; try contradiction. subst z. exact R.
Qed.

Section Lemmas.
Variables (n : nat) (nu : valuation) (m : member) (s : state) (os : list outcome).
Hypothesis formed : types_formed P.
Hypothesis sorted : well_sorted nu.
Hypothesis scope : scoped_member n m = true.
Hypothesis tidy_state : tidy P s.
Hypothesis typed_state : typed P s.
Hypothesis denoted : denotes_state P nu m s.
Hypothesis listed : outcomes m = Some os.

(** What the member's own state does, all states that it denotes do. *)
Lemma carried mu o d d' k : agree n nu mu -> elsewhere k d d' -> In o os ->
  reaches n m mu (effect_of o) (step P under (ground P nu m) d) -> reaches_state n mu m (effect_of o) (step P under s d').
Proof.
  intros G Hd Io R. destruct denoted as (rho & D). pose proof D as [A N].
  destruct (nth_error (instructions P) (place_of m)) as [i|] eqn:E; [|unfold outcomes in listed; rewrite E in listed; discriminate].
  pose proof (step_alike P under _ rho _ s i k d d' (ground_tidy P nu m rho s tidy_state D) tidy_state A Hd E (outcomes_ask _ _ _ _ listed E)) as X.
  unfold reaches in R. unfold reaches_state.
  assert (C : forall m', effect_of o <> FailsHere -> affect n (effect_of o) m = m' ->
    (exists s0, step P under (ground P nu m) d = Ok s0 /\ holds_same s0 (ground P mu m')) -> exists s0, step P under s d' = Ok s0 /\ denotes_state P mu m' s0).
  { intros m' NF <- (g' & Eg & Hs). rewrite Eg in X. destruct (step P under s d') as [s0|]; [|contradiction]. exists s0. split; auto.
    destruct X as (rho' & M & [[_ B]|(e & Ce & _)]).
    - exists rho'. split.
      + eapply alike_weaker; [eapply outcome_known; eauto|]. eapply alike_same; eauto.
      + intros q x. unfold object_named. rewrite named_affect. intros Hx L Hl. destruct (N q x Hx L Hl) as [y Y]. exists y. apply M. exact Y.
    - exfalso. unfold outcomes in listed. rewrite E in listed. destruct i; try contradiction; discriminate. }
  destruct (effect_of o) eqn:Ee; try (apply C; [discriminate | reflexivity | exact R]).
  destruct R as [f R]. rewrite R in X. destruct (step P under s d') as [s0|e]; simpl in X; [contradiction|]. subst e. exists f. reflexivity.
Qed.

Lemma list_sound : sound_list n nu m os.
Proof.
  destruct denoted as (rho & D). apply outcomes_sound; auto. eapply denoted_ranges; eauto.
Qed.
Theorem exhaustive d : exists o mu, In o os /\ Forall (holds nu) (literals o) /\ agree n nu mu /\ well_sorted mu /\
  reaches_state n mu m (effect_of o) (step P under s d).
Proof.
  destruct (proj1 list_sound (moved (- start d) d)) as (o & mu & I & H & G & W & R); [simpl; lia|].
  exists o, mu. repeat (split; auto); try apply G. eapply carried; eauto. apply elsewhere_moved.
Qed.
(** For all values of fresh variables, since [nu] is any. *)
Theorem real o : In o os -> tag_of o <> Ignorance -> Forall (holds nu) (literals o) -> exists d, reaches_state n nu m (effect_of o) (step P under s d).
Proof.
  intros I T H. destruct (proj2 list_sound o I T H) as (d & S & R). exists (moved 0 d). eapply carried; eauto using agree_refl. apply moved_elsewhere.
Qed.
End Lemmas.
End Steps.
