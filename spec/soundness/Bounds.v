(** No object ends before it begins (spec/program.md#objects): an invariant of
    steps, which one past the end asks for.  What is kept of an object is of its
    elements. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Inputs Existing Tidy Alike Typed Members.
Import ListNotations.
Open Scope Z_scope.

(** What was written is written once, and inside; what was there first as a
    list leads on from inside alone. *)
Definition between (x : object) i := lower x <= i < upper x.
Record cells_inside (x : object) (c : cells) : Prop := {
  written_once : NoDup (map fst (written c));
  written_inside : Forall (fun p => between x (fst p)) (written c);
  listed_inside : forall l k v, initially c = Each l -> nth_error l k = Some v -> pointees_of v <> [] -> between x (Z.of_nat k) }.
Definition all_inside x := Forall (cells_inside x) (fields_of x).
Definition inside_state s := forall o, all_inside (object_at s o).

Section Bounds.
Variable P : program.
Variable under : parameters.

(** What is asked of programs (spec/program.md#well-formedness) as far as it
    bears on memory. *)
Definition sizes_formed := forall l, In l (layouts P) -> 1 <= element_size l.
Record memory_formed : Prop := {
  layouts_formed : sizes_formed;
  requests_formed : forall r d b f, In (Allocate r d b f) (instructions P) -> has_name P d = false /\ operand_fits P U64 b;
  counts_formed : forall d c, origin_of (declaration_of P d) = Local c -> 0 <= c }.
Hypothesis formed : memory_formed.

Definition ordered (x : object) := lower x <= upper x.
Definition all_ordered s := forall o, ordered (object_at s o).
Lemma set_object_ordered s o x : all_ordered s -> ordered x -> all_ordered (set_object s o x).
Proof. intros A X q. rewrite object_at_set. destruct (_ && _); auto. Qed.
Lemma kill_ordered s o : all_ordered s -> all_ordered (kill s o).
Proof. intros A. apply set_object_ordered; auto. apply (A o). Qed.
Lemma kill_current_ordered s d : all_ordered s -> all_ordered (kill_current s d).
Proof. intros A. unfold kill_current. destruct (nth d (current s) None); auto using kill_ordered. Qed.
Lemma create_ordered s d c f w : all_ordered s -> 0 <= c -> all_ordered (create P s d c f w).
Proof. intros A C q. rewrite object_at_create. destruct (Nat.eqb _ _); [unfold ordered; simpl; lia | apply A]. Qed.

Ltac splits H := unfold bind, fails in H; repeat match type of H with
  | match ?x with _ => _ end = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | (if ?x then _ else _) = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | Ok _ = Ok _ => injection H as <- end.

Theorem step_ordered s d s' : typed P s -> all_ordered s -> step P under s d = Ok s' -> all_ordered s'.
Proof.
  intros T A H. unfold step in H. destruct (nth_error (instructions P) (location s)) as [i|] eqn:N; [|discriminate].
  apply nth_error_In in N.
  destruct i; try discriminate; try (splits H; exact A);
  unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in H; cbv zeta in H;
  try (splits H; exact A).
  - (* store *) splits H. apply set_object_ordered; [exact A|]. apply (A _).
  - (* allocate *)
    destruct (requests_formed formed _ _ _ _ N) as [_ F]. unfold bind in H. destruct (use_integer s bytes) as [z|] eqn:U; [|discriminate].
    pose proof (operand_in P s U64 bytes z T F U) as [Z0 _]. simpl in Z0.
    splits H; try exact A. apply (create_ordered s object (z / element_size (layout_of_declaration P object)) f d A).
    assert (S : 1 <= element_size (layout_of_declaration P object)).
    { unfold layout_of_declaration. set (k := layout_of (declaration_of P object)).
      destruct (nth_in_or_default k (layouts P) no_layout) as [I|X]; [apply (layouts_formed formed); auto | rewrite X; simpl; lia]. }
    apply Z.div_pos; lia.
  - (* free *) splits H; [apply kill_ordered|]; exact A.
  - (* enter *) destruct (origin_of _) eqn:O; splits H; try exact A. apply create_ordered; [apply kill_current_ordered; exact A|]. eapply counts_formed; eauto.
  - (* leave *) splits H. apply kill_current_ordered. exact A.
Qed.
End Bounds.
