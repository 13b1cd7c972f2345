(** That no execution of a program of integers alone fails (spec/calculus.md#theorem), where
    its proof is replayed by proved rules: nothing is asked of rules then, nor of Root; and
    a certificate of which this is so. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Sorts Programs Machine Inputs Tidy Typed Bounds Entries Planting FoldedMembers Loading Recognised.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Arena Mentioned States Denoting Listed Replayed Acting SafeShown IntegerRoots IntegerPrograms.
From Goatherd.checker2 Require Rules Replay Checker.
Import ListNotations.
Open Scope N_scope.

Section Claim.
Variable c : certificate.
Variable p : proof.
(** The program with the lemmas of the proof. *)
Variable Q : program.
Hypothesis lemmas_added : Replay.with_lemmas (program_of (statement_of c)) (lemmas p) = Fine Q.
Let us := under (statement_of c).
Let P := Translated.program_of Q.
Hypothesis integers_of_c : arithmetic_of us = C.
(** What decoding and well-formedness see to. *)
Hypothesis scopes_formed : forall t, In t (templates p) -> formed_scope (scope_of t).
Hypothesis locals : Tidy.locals_formed P.
Hypothesis types : Typed.types_formed P.
Hypothesis memories : Bounds.memory_formed P.
Hypothesis contents : Entries.contents_formed P.
Hypothesis well_given : Loading.inputs_formed P.
Hypothesis targets : Recognised.targets_formed P.
(** No objects, and integers for inputs. *)
Variable rs : list N.
Hypothesis no_objects : objects Q = [].
Hypothesis integer_inputs : inputs Q = List.map IntegerInput rs.
Lemma nodes_here trees : Planting.nodes_formed P trees.
Proof.
  assert (No : forall d, Machine.declaration_of P d = Machine.no_declaration) by (intros d; unfold Machine.declaration_of, P; cbn [Translated.program_of Programs.objects]; rewrite no_objects; destruct d; reflexivity).
  assert (Nn : forall d, FoldedMembers.is_node P d = false) by (intros d; unfold FoldedMembers.is_node; rewrite No; reflexivity).
  split; try (intros d N; rewrite Nn in N; discriminate). intros d k I. unfold Inputs.links_of in I. rewrite No in I. destruct I.
Qed.
Theorem integers_safe u : safe_by_proved_rules c p = Fine u -> Herds.safe (Goatherd.Runs.system_of P (Translated.parameters_of us)).
Proof.
  intros H. set (trees := fun _ : nat => {| Sorts.declaration := 0; Sorts.may_be_null := true; Sorts.shapes := []; Sorts.named := None |}).
  destruct (Replay.premises (setting_of Q us (k_of p) (sorts p)) c p) as [[cs s]|] eqn:Made.
  - apply (proved_safe c p Q lemmas_added trees integers_of_c scopes_formed locals types memories contents (nodes_here trees) well_given targets cs s Made) with (u := u); [| |exact H].
    + intros class s1 d s' Mo R. exact (integer_root_sane Q us (k_of p) (sorts p) integers_of_c rs no_objects integer_inputs (lengths_of p) class s1 d s' Mo R).
    + intros s1 l G. exact (integer_roots_cover Q us (k_of p) (sorts p) trees integers_of_c rs no_objects integer_inputs locals contents (lengths_of p) s1 l G).
  - unfold safe_by_proved_rules, then_ in H. rewrite lemmas_added in H. fold us in H. rewrite Made in H. discriminate.
Qed.
End Claim.

(** ** By computing *)

(** All of it: that the program is of integers alone and well-formed, and that its proof is
    replayed by proved rules. *)
Definition has_formed_scope (t : Certificates.template) : bool := Nat.eqb (length (integers (scope_of t))) 10 && Nat.eqb (length (arrays (scope_of t))) 9.
Definition shows_integers_safe (c : certificate) (p : proof) : bool := match Replay.with_lemmas (program_of (statement_of c)) (lemmas p) with
  | Fine Q => Checker.is_c (arithmetic_of (under (statement_of c))) && is_of_integers Q && forallb has_formed_scope (templates p) && match safe_by_proved_rules c p with Fine _ => true | Failed _ => false end
  | Failed _ => false end.
Theorem integers_computed c p Q : Replay.with_lemmas (program_of (statement_of c)) (lemmas p) = Fine Q -> shows_integers_safe c p = true ->
  Herds.safe (Goatherd.Runs.system_of (Translated.program_of Q) (Translated.parameters_of (under (statement_of c)))).
Proof.
  unfold shows_integers_safe. intros L H. rewrite L in H. apply andb_prop in H as [H Sa]. apply andb_prop in H as [H Sc]. apply andb_prop in H as [Ic Of].
  destruct (safe_by_proved_rules c p) as [u|] eqn:Sp; [|discriminate].
  apply (integers_safe c p Q L) with (rs := input_registers Q) (u := u); auto using integer_locals, integer_types, integer_memory, integer_contents, integers_given, integer_targets, no_objects_here, integer_inputs_here.
  - destruct (arithmetic_of _); [reflexivity | discriminate].
  - rewrite forallb_forall in Sc. intros t I. specialize (Sc t I). apply andb_prop in Sc as [A B]. apply Nat.eqb_eq in A, B. split; assumption.
Qed.

(** Of the statement's own program, where there are no lemmas. *)
Corollary statement_safe c p : lemmas p = [] -> shows_integers_safe c p = true ->
  Herds.safe (Goatherd.Runs.system_of (Translated.program_of (program_of (statement_of c))) (Translated.parameters_of (under (statement_of c)))).
Proof. intros L. apply integers_computed. rewrite L. apply without_lemmas. Qed.

(** ** A loop *)

(** Counts the input up while it is at most 10, so that it is never more than 11 there; that
    it were never more than 10 is refused. *)
Module Counting.
Definition code_ (most : Z) : list instruction := [
  Branch (IntegersCompared IsLess (Number 10) (Register 0)) 4 1;
  Compute 0 Add (Register 0) (Number 1);
  Branch (IntegersCompared IsLess (Number most) (Register 0)) 3 0;
  Fail Assertion;
  Halt].
Definition counting (most : Z) : program := {| entry := []; registers := [{| register_name := []; register_type := IntegerType I32 |}]; layouts := []; objects := []; tables := [];
  inputs := [IntegerInput 0]; instructions := code_ most; assertions := [] |}.
(** A variable x, and x + 1. *)
Definition terms_ : list term := [AtomTerm (IntegerVariable (Some I32) 0); LinearTerm {| constant := 1; summands := [(0, 1%Z)] |}].
Definition loops : Certificates.template := {| scope_of := {| integers := [0; 0; 0; 0; 0; 0; 1; 0; 0; 0]; arrays := [0; 0; 0; 0; 0; 0; 0; 0; 0] |}; trees := []; predicate := [];
  members := [{| location := 0; size := NotLarger; consumed := Forgotten; register_slots := [(0, IntegerSlot 0)]; object_states := []; folded_parts := [] |}] |}.
Definition rules_of (bytes : list N) : rules := {| rules_offset := 0; rules_bytes := bytes; rules_length := count bytes; rules_terms := {| atoms_known := 1; linears_known := 2; arrays_known := 0 |} |}.
(** The template covers, with this term for x. *)
Definition subsume_ (image : N) : list N := [6; 0; 1; image; 0; 0; 0; 1; 0; 0].
(** A step, and one of whose outcomes one is refuted by the sum of two facts. *)
Definition step_ : list N := [0; 0].
Definition refuting_ (outcome first second : N) : list N := [0; 1; outcome; 1; 0; 2; first; 2; second; 2].
Definition end_ : list N := [8].
Definition evidence_ : proof := {| k_of := 0; lengths_of := Classes; lemmas := []; sorts := []; templates := [loops];
  roots := rules_of (subsume_ 0); derivations := [rules_of (step_ ++ end_ ++ refuting_ 2 0 1 ++ refuting_ 0 0 2 ++ subsume_ 1)] |}.
Definition certificate_ (most : Z) : certificate := {|
  declared := {| memory := 0; work := 0 |};
  statement_of := {| claimed := Safe;
    under := {| Certificates.model := Lp64SignedChar; on_overflow := OverflowFails; formation := InsideObject; allocating := MayFail; arithmetic_of := C |};
    landmarks := []; origin_of_statement := {| file := []; digest_of_file := []; definitions := []; Certificates.includes := []; waived := [] |}; program_of := counting most |};
  files := []; positions := []; terms := terms_; Certificates.shows := OfProof evidence_; witnesses := [] |}.
Theorem accepted : Replay.safe (certificate_ 11) evidence_ = Fine tt.
Proof. vm_compute. reflexivity. Qed.
Theorem twin_refused : Replay.safe (certificate_ 10) evidence_ = Failed (Violated (Where.Derivation 0 3) Rejection.NotRefuted).
Proof. vm_compute. reflexivity. Qed.
Notation P := (Translated.program_of (counting 11)).
Theorem never_fails : Herds.safe (Goatherd.Runs.system_of P (Translated.parameters_of (under (statement_of (certificate_ 11))))).
Proof. apply (statement_safe (certificate_ 11) evidence_); vm_compute; reflexivity. Qed.
End Counting.
