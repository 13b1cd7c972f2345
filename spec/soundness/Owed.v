(** What has to be freed, or to be led to, where memory is asked for that has
    leaked (spec/program.md#check-leaks); and what steps do to it. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Existing Tidy Alike.
Import ListNotations.
Open Scope Z_scope.

Section Owed.
Variable P : program.
Variable under : parameters.

Definition checks_leaks := exists roots, In (CheckLeaks roots) (instructions P).
Definition is_static_kind d := match origin_of (declaration_of P d) with Static _ _ _ => true | _ => false end.
Definition is_owed_kind d := match origin_of (declaration_of P d) with Heap | LinkedNode _ => true | _ => false end.
Definition owed s o := alive (object_at s o) = Live /\ is_owed_kind (declared (object_at s o)) = true.
(** All that is owed, and static objects that live, are in both states. *)
Record all_mapped (rho : renaming) g s : Prop := {
  mapped_from : forall o, owed g o -> rho o <> None;
  mapped_to : forall p, alive (object_at s p) = Live -> is_owed_kind (declared (object_at s p)) = true \/ is_static_kind (declared (object_at s p)) = true ->
    exists o k, rho o = Some (p, k) }.
Lemma live_exists s o : alive (object_at s o) = Live -> (o < length (memory s))%nat.
Proof. intros A. destruct (Nat.lt_ge_cases o (length (memory s))) as [L|L]; auto. unfold object_at in A. rewrite nth_overflow in A by auto. discriminate. Qed.

(** ** Steps *)

Ltac splits H := unfold bind, fails in H; repeat match type of H with
  | match ?x with _ => _ end = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | (if ?x then _ else _) = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | Ok _ = Ok _ => injection H as <- end.
(** Nothing comes to life again. *)
Definition none_revives s s' := forall p, (p < length (memory s))%nat -> alive (object_at s' p) = Live ->
  alive (object_at s p) = Live /\ declared (object_at s' p) = declared (object_at s p).
Lemma same_revives s s' : memory s' = memory s -> none_revives s s'.
Proof. intros M p _. unfold object_at. rewrite M. auto. Qed.
Lemma set_revives s o x : declared x = declared (object_at s o) -> (alive x = Live -> alive (object_at s o) = Live) -> none_revives s (set_object s o x).
Proof. intros D A p _. rewrite object_at_set. destruct (Nat.eqb_spec p o) as [->|]; simpl; auto. destruct (Nat.ltb _ _); auto. Qed.
Lemma kill_revives s o : none_revives s (kill s o).
Proof. apply set_revives; auto. simpl. discriminate. Qed.
Lemma kill_current_revives s d : none_revives s (kill_current s d).
Proof. unfold kill_current. destruct (nth d (current s) None); [apply kill_revives | apply same_revives; reflexivity]. Qed.
Lemma create_revives s d count f w : none_revives s (create P s d count f w).
Proof. intros p L. rewrite object_at_create. destruct (Nat.eqb_spec p (length (memory s))); [lia | auto]. Qed.
Theorem step_revives s d s' : step P under s d = Ok s' -> none_revives s s'.
Proof.
  intros H. unfold step in H. destruct (nth_error (instructions P) (location s)) as [i|]; [|discriminate].
  destruct i; try discriminate; try (splits H; (apply same_revives; reflexivity));
  unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in H; cbv zeta in H;
  try match type of H with (if match ?o with _ => _ end then _ else _) = _ => match type of H with (if ?b then _ else _) = _ => destruct b end end;
  try (splits H; (apply same_revives; reflexivity)).
  - splits H. apply (set_revives (next_location s)); auto.
  - splits H; try (apply same_revives; reflexivity). exact (create_revives s object (a / element_size (layout_of_declaration P object)) f d).
  - splits H; [exact (kill_revives (next_location s) _) | apply same_revives; reflexivity].
  - splits H; try (apply same_revives; reflexivity). intros p L V.
    destruct (create_revives (kill_current (next_location s) object) object count Arbitrary d p ltac:(rewrite kill_current_length; exact L) V) as [A B].
    destruct (kill_current_revives (next_location s) object p L A) as [A' B']. split; [exact A' | etransitivity; [exact B | exact B']].
  - injection H as <-. exact (kill_current_revives (next_location s) object).
Qed.
(** What comes to be is local, or there is a pointer to it. *)
Definition comes_to_be s s' p := p = length (memory s) /\ (is_local P (declared (object_at s' p)) = true \/
  exists r e b f k c, nth_error (instructions P) (location s) = Some (Allocate r e b f) /\ declared (object_at s' p) = e /\
    values s' = replace (values s) r (Pointer {| target := p; index := k; byte := c |})).
Theorem step_comes s d s' p : step P under s d = Ok s' -> (length (memory s) <= p)%nat -> alive (object_at s' p) = Live -> comes_to_be s s' p.
Proof.
  intros H L V. pose proof (live_exists s' p V) as B. pose proof H as H'. unfold step in H. destruct (nth_error (instructions P) (location s)) as [i|] eqn:I; [|discriminate].
  assert (Same : length (memory s') = length (memory s) -> comes_to_be s s' p) by (intros E; lia).
  destruct i; try discriminate; try (splits H; (apply Same; reflexivity));
  unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in H; cbv zeta in H;
  try match type of H with (if match ?o with _ => _ end then _ else _) = _ => match type of H with (if ?b then _ else _) = _ => destruct b end end;
  try (splits H; (apply Same; reflexivity)).
  - splits H. apply Same. simpl. apply replace_length.
  - splits H; try (apply Same; reflexivity). simpl in B. rewrite app_length in B. simpl in B. assert (p = length (memory s)) by lia. subst p. split; auto. right.
    exists target, object, bytes, f, (start d), 0. split; [exact I|]. split; [|reflexivity].
    change (declared (object_at (create P s object (a / element_size (layout_of_declaration P object)) f d) (length (memory s))) = object). rewrite object_at_create, Nat.eqb_refl. reflexivity.
  - splits H; apply Same; simpl; try apply replace_length; reflexivity.
  - destruct (origin_of (declaration_of P object)) as [| |count| |] eqn:O; splits H; try (apply Same; reflexivity).
    simpl in B. rewrite app_length in B. simpl in B. rewrite kill_current_length in B. simpl in B. assert (p = length (memory s)) by lia. subst p. split; auto. left.
    rewrite object_at_create, kill_current_length. simpl. rewrite Nat.eqb_refl. simpl. unfold is_local. rewrite O. reflexivity.
  - injection H as <-. apply Same. rewrite kill_current_length. reflexivity.
Qed.
Lemma local_not_owed d : is_local P d = true -> is_owed_kind d = false /\ is_static_kind d = false.
Proof. unfold is_local, is_owed_kind, is_static_kind. destruct (origin_of _); auto; discriminate. Qed.
End Owed.
