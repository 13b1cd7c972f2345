(** That no execution of a program of integers, arrays, single objects and linked structures fails
    (spec/calculus.md#theorem), where its proof is replayed by proved rules: nothing is asked
    of rules then, nor of Root; and certificates of which this is so. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Sorts Programs Machine Tidy Lemmas Asking.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Arena Mentioned States Denoting Listed KindsKept Replayed Acting SafeShown RootedInputs InputRoots InputPrograms LemmasShown.
From Goatherd.checker2 Require ContentsDrawn Rules Replay Checker.
Import ListNotations.
Open Scope N_scope.

(** All of it is computed: that the program is of these alone and well-formed, that no sort is
    of local variables, and that its proof is replayed by proved rules. *)
Definition has_formed_scope (t : Certificates.template) : bool := Nat.eqb (length (integers (scope_of t))) 10 && Nat.eqb (length (arrays (scope_of t))) 9.
Definition shows_inputs_safe (c : certificate) (p : proof) : bool := match Replay.with_lemmas (program_of (statement_of c)) (lemmas p) with
  | Fine Q => Checker.is_c (arithmetic_of (under (statement_of c))) && is_of_inputs Q && forallb has_formed_scope (templates p) && ContentsDrawn.are_of_no_local Q (sorts p) && match safe_by_proved_rules c p with Fine _ => true | Failed _ => false end
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
  unfold shows_inputs_safe. rewrite lemmas_added. intros H. apply andb_prop in H as [H Sa]. apply andb_prop in H as [H Nl]. apply andb_prop in H as [H Sc]. apply andb_prop in H as [Ic Of]. fold us in Ic.
  destruct (safe_by_proved_rules c p) as [u|] eqn:Sp; [|discriminate]. assert (Cs : arithmetic_of us = C) by (destruct (arithmetic_of us); [reflexivity | discriminate]).
  assert (Fs : forall t, In t (templates p) -> formed_scope (scope_of t)).
  { rewrite forallb_forall in Sc. intros t I. specialize (Sc t I). apply andb_prop in Sc as [A B]. apply Nat.eqb_eq in A, B. split; assumption. }
  set (trees := ContentsDrawn.trees_of (setting_of Q us (k_of p) (sorts p))). pose proof (ContentsDrawn.trees_not_local Q us (k_of p) (sorts p) Nl) as Ns.
  assert (Links : links_in_pointers (setting_of Q us (k_of p) (sorts p))) by (intros r o I x Ax; cbn [setting_of names_in names_of registers_of] in Ax; rewrite Closing.at_position_is in Ax; pose proof (linked_pointers Q Of r o I) as Ty; unfold type_is in Ty; rewrite Ax in Ty; destruct (register_type x); discriminate || reflexivity).
  destruct (Replay.premises (setting_of Q us (k_of p) (sorts p)) c p) as [[cs s]|] eqn:Made.
  - apply (proved_safe c p Q lemmas_added trees Cs Fs (inputs_locals Q Of) (inputs_types Q Of) (inputs_memory Q Of) (inputs_contents Q Of) Ns (inputs_nodes Q Of us (k_of p) (sorts p)) (inputs_given Q Of) (inputs_targets Q Of) Links (ContentsDrawn.trees_right _) cs s Made) with (u := u); [| |exact Sp].
    + intros class s1 d s' Mo R. exact (input_root_sane Q us (k_of p) (sorts p) trees Cs (inputs_are Q Of) (inputs_given Q Of) (lengths_of p) class s1 d s' Mo R).
    + intros s1 l G. exact (input_roots_cover Q us (k_of p) (sorts p) trees Cs (inputs_are Q Of) (inputs_given Q Of) (inputs_nodes Q Of us (k_of p) (sorts p)) (inputs_contents Q Of) (inputs_targets Q Of) (lengths_of p) s1 l G).
  - unfold safe_by_proved_rules, then_ in Sp. rewrite lemmas_added in Sp. fold us in Sp. rewrite Made in Sp. discriminate.
Qed.
End Claim.

(** ** The statement's own program *)

(** Its instructions lead to instructions, and mention registers that it has, as those that
    lemmas add do. *)
Definition is_inside (Q : program) : bool := let P := Translated.program_of Q in let n := length (Programs.registers P) in
  forallb (fun i => forallb (fun r => Nat.ltb r n) (Asking.mentioned_by i) && forallb (fun k => Nat.ltb k (length (Programs.instructions P))) (Lemmas.targets_of i)) (Programs.instructions P) &&
  forallb (fun i => forallb (fun r => Nat.ltb r n) (Asking.registers_of_input i)) (Programs.inputs P).
Lemma inside_formed Q : is_of_inputs Q = true -> is_inside Q = true -> Asking.program_formed (Translated.program_of Q).
Proof.
  intros Of In_. apply andb_prop in In_ as [Is Js]. rewrite forallb_forall in Is, Js.
  split; [| | | exact (inputs_types Q Of) | exact (inputs_contents Q Of)].
  - intros i k I K. specialize (Is i I). apply andb_prop in Is as [_ Is]. rewrite forallb_forall in Is. apply Nat.ltb_lt. exact (Is k K).
  - intros i I r J. specialize (Is i I). apply andb_prop in Is as [Is _]. rewrite forallb_forall in Is. apply Nat.ltb_lt. exact (Is r J).
  - intros j I r J. specialize (Js j I). rewrite forallb_forall in Js. apply Nat.ltb_lt. exact (Js r J).
Qed.
Definition shows_statement_safe (c : certificate) (p : proof) : bool := let Q := program_of (statement_of c) in shows_inputs_safe c p && is_of_inputs Q && is_inside Q.
Corollary statement_safe c p : shows_statement_safe c p = true ->
  Herds.safe (Goatherd.Runs.system_of (Translated.program_of (program_of (statement_of c))) (Translated.parameters_of (under (statement_of c)))).
Proof.
  intros H. apply andb_prop in H as [H In_]. apply andb_prop in H as [H Of]. destruct (Replay.with_lemmas (program_of (statement_of c)) (lemmas p)) as [Q|] eqn:Lm; [|unfold shows_inputs_safe in H; rewrite Lm in H; discriminate].
  exact (without_lemmas_safe _ _ Q _ Lm (inside_formed _ Of In_) (inputs_computed c p Q Lm H)).
Qed.

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
Proof. apply (statement_safe (certificate_ 11) evidence_). vm_compute. reflexivity. Qed.
End Counting.

(** ** Objects that are made *)

(** An input, and what an instruction makes. *)
Definition of_object (o : origin) (is : list instruction) : program := {| entry := []; registers := List.map (fun t => {| register_name := []; register_type := t |}) [IntegerType I32; Pointer; IntegerType I32];
  layouts := [{| layout_name := []; element_size := 4; fields := [{| field_name := []; offset := 0; field_type := IntegerType I32 |}] |}];
  objects := [{| object_name := []; Certificates.layout_of := 0; Certificates.origin_of := o |}]; tables := [];
  inputs := [IntegerInput 0]; instructions := is; assertions := [] |}.
Definition proof_by (bytes : list N) : proof := {| k_of := 1; lengths_of := Classes; lemmas := []; sorts := []; templates := [];
  roots := {| rules_offset := 0; rules_bytes := bytes; rules_length := count bytes; rules_terms := {| atoms_known := 0; linears_known := 0; arrays_known := 0 |} |}; derivations := [] |}.
Definition certificate_of (Q : program) (p : proof) : certificate := {|
  declared := {| memory := 0; work := 0 |};
  statement_of := {| claimed := Safe; under := under (statement_of (Counting.certificate_ 11)); landmarks := [];
    origin_of_statement := {| file := []; digest_of_file := []; definitions := []; Certificates.includes := []; waived := [] |}; program_of := Q |};
  files := []; positions := []; terms := []; Certificates.shows := OfProof p; witnesses := [] |}.
Definition shown_by (Q : program) (p : proof) : bool := shows_statement_safe (certificate_of Q p) p.
Theorem shown_safe Q p : shown_by Q p = true -> Herds.safe (Goatherd.Runs.system_of (Translated.program_of Q) (Translated.parameters_of (under (statement_of (certificate_of Q p))))).
Proof. exact (statement_safe (certificate_of Q p) p). Qed.
Definition steps_ (n : nat) : list N := concat (repeat Counting.step_ n).

(** Keeps the input in a local, and reads it there; of what the local holds when nothing is
    written to it nothing is known. *)
Module Keeping.
Definition keeping (write : instruction) : program := of_object (Local 1) [
  Enter 0;
  Address 1 0;
  write;
  Load 2 1 0;
  Branch (IntegersCompared IsEqual (Register 2) (Register 0)) 6 5;
  Fail Assertion;
  Leave 0;
  Halt].
(** A step at each instruction, each with one outcome that is not excluded. *)
Definition evidence_ : proof := proof_by (steps_ 6 ++ Counting.end_).
Theorem never_fails : Herds.safe (Goatherd.Runs.system_of (Translated.program_of (keeping (Store 1 0 0))) (Translated.parameters_of (under (statement_of (certificate_of (keeping (Store 1 0 0)) evidence_))))).
Proof. apply shown_safe. vm_compute. reflexivity. Qed.
Theorem twin_refused : shown_by (keeping (Jump 3)) evidence_ = false.
Proof. vm_compute. reflexivity. Qed.
End Keeping.

(** Keeps it in memory that is allocated, or in a node, unless there is none, and frees that;
    what is freed before it is read is dead there. *)
Module Allocating.
Definition allocating (o : origin) (write : instruction) : program := of_object o [
  Allocate 1 0 (Number 4) Zero;
  Branch (PointersCompared IsEqual (PointerRegister 1) NullPointer) 7 2;
  write;
  Load 2 1 0;
  Branch (IntegersCompared IsEqual (Register 2) (Register 0)) 6 5;
  Fail Assertion;
  Free 1;
  Halt].
Definition evidence_ : proof := proof_by (steps_ 6 ++ Counting.end_ ++ steps_ 1 ++ Counting.end_).
Theorem never_fails o : o = Heap \/ o = Node [Data] -> Herds.safe (Goatherd.Runs.system_of (Translated.program_of (allocating o (Store 1 0 0))) (Translated.parameters_of (under (statement_of (certificate_of (allocating o (Store 1 0 0)) evidence_))))).
Proof. intros [-> | ->]; apply shown_safe; vm_compute; reflexivity. Qed.
Theorem twin_refused : shown_by (allocating Heap (Free 1)) evidence_ = false /\ shown_by (allocating (Node [Data]) (Free 1)) evidence_ = false.
Proof. vm_compute. split; reflexivity. Qed.
(** An integer is no link to a node. *)
Theorem link_refused : shown_by (allocating (Node [Child 0]) (Store 1 0 0)) evidence_ = false.
Proof. vm_compute. reflexivity. Qed.
End Allocating.

(** Frees what it has allocated, or keeps a pointer to it, before it checks for leaks; what is
    neither has leaked. *)
Module Leaking.
Definition leaking (o : origin) (write : instruction) (kept : list N) : program := of_object o [
  Allocate 1 0 (Number 4) Zero;
  Branch (PointersCompared IsEqual (PointerRegister 1) NullPointer) 3 2;
  write;
  CheckLeaks kept;
  Halt].
Definition evidence_ : proof := proof_by (steps_ 4 ++ Counting.end_ ++ steps_ 2 ++ Counting.end_).
Theorem never_fails o write kept : o = Heap \/ o = Node [Data] -> (write, kept) = (Free 1, []) \/ (write, kept) = (Jump 3, [1]) ->
  Herds.safe (Goatherd.Runs.system_of (Translated.program_of (leaking o write kept)) (Translated.parameters_of (under (statement_of (certificate_of (leaking o write kept) evidence_))))).
Proof. intros [-> | ->] [[= -> ->]|[= -> ->]]; apply shown_safe; vm_compute; reflexivity. Qed.
Theorem twin_refused : shown_by (leaking Heap (Jump 3) []) evidence_ = false /\ shown_by (leaking (Node [Data]) (Jump 3) []) evidence_ = false.
Proof. vm_compute. split; reflexivity. Qed.
End Leaking.

(** ** Static objects *)

(** Reads the one element of a static object, and says what it is; of contents that are not of
    the field's type nothing is shown. *)
Module Looking.
Definition looking (cs : list contents) (z : Z) : program := let Q := of_object (Static 1 cs ReadOnly) [
  Address 1 0;
  Load 2 1 0;
  Branch (IntegersCompared IsEqual (Register 2) (Number z)) 4 3;
  Fail Assertion;
  Halt] in {| entry := []; registers := registers Q; layouts := layouts Q; objects := objects Q; tables := [{| table_type := I32; values := [5%Z] |}]; inputs := inputs Q; instructions := instructions Q; assertions := [] |}.
Definition evidence_ : proof := proof_by (steps_ 3 ++ Counting.end_).
Theorem never_fails cs z : (cs, z) = ([FromTable 0], 5%Z) \/ (cs, z) = ([Zeros], 0%Z) ->
  Herds.safe (Goatherd.Runs.system_of (Translated.program_of (looking cs z)) (Translated.parameters_of (under (statement_of (certificate_of (looking cs z) evidence_))))).
Proof. intros [[= -> ->]|[= -> ->]]; apply shown_safe; vm_compute; reflexivity. Qed.
Theorem twins_refused : shown_by (looking [FromTable 0] 0) evidence_ = false /\ shown_by (looking [Zeros] 5) evidence_ = false /\ shown_by (looking [Pointers [None]] 0) evidence_ = false.
Proof. vm_compute. repeat split. Qed.
End Looking.

(** ** Single objects *)

(** Reads twice what it is given a pointer to, unless that is NULL; what does so in any case
    is refused. *)
Module Pointing.
Definition pointing (first : instruction) : program := let Q := of_object InputObject [
  first;
  Load 0 1 0;
  Load 2 1 0;
  Branch (IntegersCompared IsEqual (Register 2) (Register 0)) 5 4;
  Fail Assertion;
  Halt] in {| entry := []; registers := registers Q; layouts := layouts Q; objects := objects Q; tables := []; inputs := [SingleInput 1 0]; instructions := instructions Q; assertions := [] |}.
Definition checked : program := pointing (Branch (PointersCompared IsEqual (PointerRegister 1) NullPointer) 5 1).
(** Of NULL, and of an object. *)
Definition evidence_ (n : nat) : proof := proof_by (steps_ n ++ Counting.end_ ++ steps_ 4 ++ Counting.end_).
Theorem never_fails : Herds.safe (Goatherd.Runs.system_of (Translated.program_of checked) (Translated.parameters_of (under (statement_of (certificate_of checked (evidence_ 1)))))).
Proof. apply shown_safe. vm_compute. reflexivity. Qed.
Theorem twin_refused : shown_by (pointing (Jump 1)) (evidence_ 4) = false.
Proof. vm_compute. reflexivity. Qed.
End Pointing.
