(** That no execution of a program of integers and of arrays of integers fails
    (spec/calculus.md#theorem), where its proof is replayed by proved rules: nothing is asked
    of rules then, nor of Root; and certificates of which this is so. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Sorts Programs Machine.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Arena Mentioned States Denoting Listed KindsKept Replayed Acting SafeShown InputRoots InputPrograms.
From Goatherd.checker2 Require ContentsDrawn Rules Replay Checker.
Import ListNotations.
Open Scope N_scope.

(** All of it is computed: that the program is of integers and arrays alone and well-formed,
    and that its proof is replayed by proved rules. *)
Definition has_formed_scope (t : Certificates.template) : bool := Nat.eqb (length (integers (scope_of t))) 10 && Nat.eqb (length (arrays (scope_of t))) 9.
Definition shows_inputs_safe (c : certificate) (p : proof) : bool := match Replay.with_lemmas (program_of (statement_of c)) (lemmas p) with
  | Fine Q => Checker.is_c (arithmetic_of (under (statement_of c))) && is_of_inputs Q && forallb has_formed_scope (templates p) && match safe_by_proved_rules c p with Fine _ => true | Failed _ => false end
  | Failed _ => false end.
Section Claim.
Variable c : certificate.
Variable p : proof.
(** The program with the lemmas of the proof. *)
Variable Q : program.
Hypothesis lemmas_added : Replay.with_lemmas (program_of (statement_of c)) (lemmas p) = Fine Q.
Let us := under (statement_of c).
Let P := Translated.program_of Q.
Theorem inputs_computed : shows_inputs_safe c p = true -> Herds.safe (Goatherd.Runs.system_of P (Translated.parameters_of us)).
Proof.
  unfold shows_inputs_safe. rewrite lemmas_added. intros H. apply andb_prop in H as [H Sa]. apply andb_prop in H as [H Sc]. apply andb_prop in H as [Ic Of]. fold us in Ic.
  destruct (safe_by_proved_rules c p) as [u|] eqn:Sp; [|discriminate]. assert (Cs : arithmetic_of us = C) by (destruct (arithmetic_of us); [reflexivity | discriminate]).
  assert (Fs : forall t, In t (templates p) -> formed_scope (scope_of t)).
  { rewrite forallb_forall in Sc. intros t I. specialize (Sc t I). apply andb_prop in Sc as [A B]. apply Nat.eqb_eq in A, B. split; assumption. }
  set (trees := ContentsDrawn.trees_of (setting_of Q us (k_of p) (sorts p))).
  assert (Links : links_in_pointers (setting_of Q us (k_of p) (sorts p))) by (intros r o I; destruct (inputs_plain Q (inputs_are Q Of) _ I)).
  destruct (Replay.premises (setting_of Q us (k_of p) (sorts p)) c p) as [[cs s]|] eqn:Made.
  - apply (proved_safe c p Q lemmas_added trees Cs Fs (inputs_locals Q Of) (inputs_types Q Of) (inputs_memory Q Of) (inputs_contents Q Of) (inputs_nodes Q Of trees) (inputs_given Q Of) (inputs_targets Q Of) Links (ContentsDrawn.trees_right _) cs s Made) with (u := u); [| |exact Sp].
    + intros class s1 d s' Mo R. exact (input_root_sane Q us (k_of p) (sorts p) Cs (inputs_are Q Of) (inputs_given Q Of) (lengths_of p) class s1 d s' Mo R).
    + intros s1 l G. exact (input_roots_cover Q us (k_of p) (sorts p) trees Cs (inputs_are Q Of) (inputs_given Q Of) (inputs_nodes Q Of trees) (inputs_contents Q Of) (inputs_leaks Q Of) (lengths_of p) s1 l G).
  - unfold safe_by_proved_rules, then_ in Sp. rewrite lemmas_added in Sp. fold us in Sp. rewrite Made in Sp. discriminate.
Qed.
End Claim.

(** Of the statement's own program, where there are no lemmas. *)
Corollary statement_safe c p : lemmas p = [] -> shows_inputs_safe c p = true ->
  Herds.safe (Goatherd.Runs.system_of (Translated.program_of (program_of (statement_of c))) (Translated.parameters_of (under (statement_of c)))).
Proof. intros L. apply inputs_computed. rewrite L. apply without_lemmas. Qed.

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
