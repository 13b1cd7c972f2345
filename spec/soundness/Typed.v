(** Integers stay in the range of their types, in registers and in memory
    (spec/program.md#values): an invariant of steps. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Inputs Existing Tidy Alike.
Import ListNotations.
Open Scope Z_scope.

Section Typed.
Variable P : program.
Variable under : parameters.

Definition value_in t v := match v, t with Integer z, IntegerType T => within T z | _, _ => True end.
Definition field_type d f := nth f (map holds (layout_fields (layout_of_declaration P d))) PointerType.
Definition object_in x := forall f i, value_in (field_type (declared x) f) (read (field_of x f) i).
Definition typed s := (forall r, value_in (type_of P r) (register s r)) /\ (forall o, object_in (object_at s o)).

(** What is asked of programs (spec/program.md#well-formedness). *)
Definition operand_fits T (o : operand) := match o with
  | Number z => within T z
  | Register q => type_of P q = IntegerType T end.
Record types_formed : Prop := {
  compute_formed : forall r op a b, In (Compute r op a b) (instructions P) -> exists T, type_of P r = IntegerType T /\ T <> Bool /\
    operand_fits T a /\ match op with ShiftLeft | ShiftRight => True | _ => operand_fits T b end;
  copy_formed : forall r q, In (Copy r q) (instructions P) -> type_of P r = PointerType;
  distance_formed : forall r p q z, In (Distance r p q z) (instructions P) -> type_of P r = IntegerType I64 }.
Hypothesis formed : types_formed.

Lemma set_typed s r v : typed s -> value_in (type_of P r) v -> typed (set s r v).
Proof.
  intros [R O] H. split; auto. intros q. unfold register; simpl. rewrite nth_replace.
  destruct (Nat.eqb_spec q r) as [->|]; simpl; [|apply R]. destruct (Nat.ltb _ _); auto. apply R.
Qed.
Lemma wrap_in s r z : typed s -> typed (set s r (Integer (wrap (integer_type_of P r) z))).
Proof.
  intros T. apply set_typed; auto. unfold integer_type_of. simpl. destruct (type_of P r); auto. apply wrap_within.
Qed.
Lemma same_typed s s' : typed s -> values s' = values s -> memory s' = memory s -> typed s'.
Proof. intros [R O] V M. split; unfold register, object_at; [rewrite V | rewrite M]; auto. Qed.
Lemma set_object_typed s o x : typed s -> object_in x -> typed (set_object s o x).
Proof.
  intros [R O] H. split; auto. intros q. rewrite object_at_set. destruct (_ && _); auto.
Qed.
Lemma kill_typed s o : typed s -> typed (kill s o).
Proof. intros T. apply set_object_typed; auto. apply (proj2 T o). Qed.
Lemma kill_current_typed s d : typed s -> typed (kill_current s d).
Proof. intros T. unfold kill_current. destruct (nth d (current s) None); auto using kill_typed. Qed.
Lemma fresh_in l f d i : forall n g, value_in (nth g (map holds l) PointerType) (read (nth g (fresh_cells l n f d) no_cells) i).
Proof.
  induction l as [|x l IH]; intros n [|g]; simpl; auto. unfold read; simpl.
  destruct f, (holds x); simpl; auto using wrap_within, zero_within.
Qed.
Lemma create_typed s d count f w : typed s -> typed (create P s d count f w).
Proof.
  intros [R O]. split; auto. intros o. rewrite object_at_create. destruct (Nat.eqb _ _); auto. intros g i. apply fresh_in.
Qed.
Lemma field_at_type l a t : forall n f u, field_at l a t n = Some (f, u) -> (n <= f)%nat /\ nth (f - n) (map holds l) PointerType = u.
Proof.
  induction l as [|x l IH]; intros n f u; simpl; [discriminate|]. destruct (_ && _).
  - intros [= <- <-]. rewrite Nat.sub_diag. auto.
  - intros H. destruct (IH _ _ _ H) as [L E]. split; [lia|]. replace (f - n)%nat with (S (f - S n)) by lia. exact E.
Qed.
Lemma place_type s a off t q f u : place P s a off t = Ok (q, f, u) -> field_type (declared (object_at s (target q))) f = u.
Proof.
  unfold place, bind. destruct (use_pointer s a) as [[p|]|]; try discriminate. destruct (field_at _ _ _ _) as [[g v]|] eqn:F; [|discriminate].
  intros [= <- <- <-]. destruct (field_at_type _ _ _ _ _ _ F) as [_ E]. rewrite Nat.sub_0_r in E. exact E.
Qed.
Lemma convert_in from to v w : value_in from v -> convert from to v = Ok w -> value_in to w.
Proof.
  unfold convert. intros H. destruct (type_eqb from to) eqn:E.
  - intros [= <-]. destruct from as [T|], to as [U|]; try discriminate; try exact H. apply integer_type_eqb_eq in E. subst. exact H.
  - destruct to as [[]|], v; try discriminate; intros [= <-]; simpl; auto using wrap_within.
Qed.
Lemma write_in x f i v : object_in x -> value_in (field_type (declared x) f) v -> object_in (write_field x f i v).
Proof.
  intros H V g j. rewrite field_write. cbn [declared write_field]. destruct (Nat.eqb_spec g f) as [->|]; simpl; [|apply H].
  destruct (f <? length (fields_of x))%nat; [|apply H]. rewrite read_write. destruct (j =? i); [exact V | apply H].
Qed.
Lemma operand_in s T o z : typed s -> operand_fits T o -> use_integer s o = Ok z -> within T z.
Proof.
  intros [R _] F. destruct o as [q|y]; simpl; [|intros [= <-]; exact F]. pose proof (R q) as V. simpl in F.
  destruct (register s q); try discriminate. intros [= <-]. simpl in V. rewrite F in V. exact V.
Qed.

Ltac splits H := unfold bind, fails in H; repeat match type of H with
  | match ?x with _ => _ end = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | (if ?x then _ else _) = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | Ok _ = Ok _ => injection H as <- end.

Theorem step_typed s d s' : typed s -> step P under s d = Ok s' -> typed s'.
Proof.
  intros T H. unfold step in H. destruct (nth_error (instructions P) (location s)) as [i|] eqn:N; [|discriminate].
  apply nth_error_In in N.
  destruct i; try discriminate; try (splits H; (eapply same_typed; [exact T | reflexivity | reflexivity]));
  unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in H; cbv zeta in H;
  try (splits H; (first [eapply same_typed; [exact T | reflexivity | reflexivity] | apply set_typed; [exact T | exact I]])).
  - (* assign *)
    match type of H with (if ?b then _ else _) = _ => destruct b end; splits H; [apply set_typed; [exact T | exact I] | apply wrap_in; exact T].
  - (* compute *)
    destruct (compute_formed formed _ _ _ _ N) as (U & Ut & NB & Fa & Fb). unfold integer_type_of in H. rewrite Ut in H. unfold bind in H.
    destruct (use_integer s left) as [a|] eqn:A; [|discriminate]. destruct (use_integer s right) as [b|] eqn:B; [|discriminate].
    assert (W : forall v, compute U op a b = Fits v \/ compute U op a b = Overflows v -> within U v).
    { intros v. apply compute_within; auto; [eapply operand_in; eauto|]. destruct op; auto; eapply operand_in; eauto. }
    splits H; apply set_typed; auto; simpl; rewrite Ut; auto.
  - (* havoc *) splits H. apply wrap_in. exact T.
  - (* copy *) splits H. apply set_typed; auto. rewrite (copy_formed formed _ _ N). destruct (register s source); exact I.
  - (* distance *)
    splits H; apply set_typed; auto; simpl; rewrite (distance_formed formed _ _ _ _ N); apply is_within_iff; auto.
  - (* load *)
    unfold bind in H. match type of H with match ?x with _ => _ end = _ => destruct x as [[[q f] u]|] eqn:Ep; [|discriminate] end.
    destruct (is_inside _ _); [|discriminate]. destruct (convert _ _ _) eqn:Ec; [|discriminate]. injection H as <-.
    apply set_typed; auto. eapply convert_in; [|exact Ec]. rewrite <- (place_type _ _ _ _ _ _ _ Ep). apply (proj2 T).
  - (* store *)
    unfold bind in H. match type of H with match ?x with _ => _ end = _ => destruct x as [[[q f] u]|] eqn:Ep; [|discriminate] end.
    destruct (may_write _ _); [|discriminate]. destruct (convert _ _ _) eqn:Ec; [|discriminate]. destruct (is_inside _ _); [|discriminate].
    injection H as <-. apply set_object_typed; [eapply same_typed; [exact T | reflexivity | reflexivity]|].
    apply write_in; [apply (proj2 T)|]. rewrite (place_type _ _ _ _ _ _ _ Ep). eapply convert_in; [apply (proj1 T) | exact Ec].
  - (* allocate *)
    splits H; try (apply set_typed; [exact T | exact I]). apply set_typed; [apply create_typed; exact T | exact I].
  - (* free *) splits H; [apply kill_typed|]; (eapply same_typed; [exact T | reflexivity | reflexivity]).
  - (* enter *)
    splits H; try (eapply same_typed; [exact T | reflexivity | reflexivity]).
    apply create_typed, kill_current_typed. eapply same_typed; [exact T | reflexivity | reflexivity].
  - (* leave *) splits H. apply kill_current_typed. eapply same_typed; [exact T | reflexivity | reflexivity].
Qed.
End Typed.
