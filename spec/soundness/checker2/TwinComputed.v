(** A program all of whose derivation but the empty array is closed by Twin, of which it is
    proved by computing alone that no execution fails (spec/calculus.md#twin); and one whose
    twin reads what differs, which is refused. *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd Require Import Integers.
From Goatherd Require Herds Runs.
From Goatherd.checker2 Require Import Reasons Certificates Reader Denoting InputSafe.
From Goatherd.checker2 Require Replay.
Import ListNotations.
Open Scope N_scope.

(** An array of any length, whose length is overwritten before it is read, or is not. *)
Definition code_ (first : instruction) : list instruction := [
  first;
  Branch (IntegersCompared IsLess (Register 1) (Number 0)) 2 3;
  Fail Assertion;
  Halt].
Definition overwriting (first : instruction) : program := {| entry := [];
  registers := [{| register_name := []; register_type := Pointer |}; {| register_name := []; register_type := IntegerType I32 |}];
  layouts := [{| layout_name := []; element_size := 4; fields := [{| field_name := []; offset := 0; field_type := IntegerType I32 |}] |}];
  objects := [{| object_name := []; layout_of := 0; origin_of := InputObject |}]; tables := [];
  inputs := [ArrayInput 0 1 0]; instructions := code_ first; assertions := [] |}.
(** The length, and one less than its negation. *)
Definition terms_ : list term := [AtomTerm (IntegerVariable (Some I32) 0); LinearTerm {| constant := 1; summands := [(0, (-1)%Z)] |}].
(** Is there an element? Then one that has an element less is a twin. *)
Definition rules_ : list N := [2; 0; 1] ++ [4; 1; 0; 1; 0; 0] ++ [12; 1] ++ [0; 0; 0; 0; 8].
Definition evidence_ : proof := {| k_of := 0; lengths_of := Classes; lemmas := []; sorts := []; templates := []; derivations := [];
  roots := {| rules_offset := 0; rules_bytes := rules_; rules_length := count rules_; rules_terms := {| atoms_known := 1; linears_known := 2; arrays_known := 0 |} |} |}.
Definition certificate_ (first : instruction) : certificate := {|
  declared := {| memory := 0; work := 0 |};
  statement_of := {| claimed := Safe;
    under := {| Certificates.model := Lp64SignedChar; on_overflow := OverflowFails; formation := InsideObject; allocating := MayFail; arithmetic_of := C |};
    landmarks := []; origin_of_statement := {| file := []; digest_of_file := []; definitions := []; Certificates.includes := []; waived := [] |}; program_of := overwriting first |};
  files := []; positions := []; terms := terms_; Certificates.shows := OfProof evidence_; witnesses := [] |}.
Theorem twin_refused : Replay.safe (certificate_ (Jump 1)) evidence_ = Failed (Violated (Where.Root 0 2) Rejection.NotTwin).
Proof. vm_compute. reflexivity. Qed.
Theorem never_fails : Herds.safe (Goatherd.Runs.system_of (Translated.program_of (overwriting (Assign 1 (Number 0))))
  (Translated.parameters_of (under (statement_of (certificate_ (Assign 1 (Number 0))))))).
Proof. apply (statement_safe (certificate_ (Assign 1 (Number 0))) evidence_); vm_compute; reflexivity. Qed.
