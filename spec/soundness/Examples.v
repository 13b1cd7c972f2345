(** Lists of outcomes as spec/numbering.md#examples-of-outcomes has them: what
    is computed here is what the kernel gives there. *)
From Coq Require Import List ZArith.
From Goatherd Require Import Integers Terms Sorts Programs Machine Members Effects Outcomes.
Import ListNotations.
Open Scope Z_scope.

(** [x], [y] of type [int], [c] of [signed char], [d] of [long]; [a] and [b]
    point to the objects 0 and 1, of [n_a] and [n_b] elements, with one cell
    each; [p] is [&a[x]].  Registers have numbers in this order. *)
Definition program_of i := {|
  registers := [IntegerType I32; IntegerType I32; IntegerType I8; IntegerType I64; PointerType; PointerType; PointerType];
  layouts := [{| element_size := 1; layout_fields := [{| offset := 0; Programs.holds := IntegerType I8 |}] |}];
  objects := [{| layout_of := 0; origin_of := Input |}; {| layout_of := 0; origin_of := Input |}; {| layout_of := 0; origin_of := Heap |}];
  tables := []; inputs := []; instructions := [i] |}.
Definition checks := {| on_overflow := OverflowFails; formation := InsideObject; allocating := MayFail |}.
Definition x := Var (Some I32) 0.
Definition y := Var (Some I32) 1.
Definition c := Var (Some I8) 2.
Definition n_a := Var (Some I32) 3.
Definition n_b := Var (Some I32) 4.
Definition first n := IntegerSlot (Var (Some I8) n).
Definition others n := ArrayVar I8 n.
Definition array_of count n := {| kind := 0; life_of := Live; begins := Constant 0; ends := count;
  held := [{| apart := [first n]; rest := Some (others (S n)) |}] |}.
Definition here := {| place_of := 0;
  slots := [IntegerSlot x; IntegerSlot y; IntegerSlot c; NothingHeld; PointerSlot 0 (Constant 0) 0; PointerSlot 1 (Constant 0) 0; PointerSlot 0 x 0];
  named := [Some (array_of n_a 5); Some (array_of n_b 7); None] |}.

(** Literals in normal form: what is at most 0, is 0, is not 0. *)
Inductive sign := LE | EQ | NE.
Definition shown_literal l := match l with AtMost t => (LE, normal t) | Equal t => (EQ, normal t) | Unequal t => (NE, normal t) end.
(** The list of one instruction. *)
Definition shown i := option_map (map (fun o => (map shown_literal (literals o), effect_of o, tag_of o))) (outcomes (program_of i) checks here).

Definition inside_a := [(LE, (0, [(x, -1)])); (LE, (1, [(x, 1); (n_a, -1)]))].
Definition below_a := [(LE, (1, [(x, 1)]))].
Definition above_a := [(LE, (0, [(x, -1); (n_a, 1)]))].
Definition past_a := [(LE, (1, [(x, -1); (n_a, 1)]))].
Ltac computed := vm_compute; reflexivity.

(** [if (p <= a) goto 7; else goto 8] *)
Example ordered : shown (Branch (PointersCompared IsLessOrEqual (PointerRegister 6) (PointerRegister 4)) 7 8) = Some [
  ([(LE, (0, [(x, 1)]))], GoesTo 7, Exact);
  ([(LE, (1, [(x, -1)]))], GoesTo 8, Exact)].
Proof. computed. Qed.
(** [if (p == NULL) goto 7; else goto 8]: one past the end is no NULL. *)
Example compared_with_null : shown (Branch (PointersCompared IsEqual (PointerRegister 6) NullPointer) 7 8) = Some [
  ([(LE, (0, [(x, -1)])); (LE, (0, [(x, 1); (n_a, -1)]))], GoesTo 8, Exact);
  (below_a, GoesTo 7, Real);
  (below_a, GoesTo 8, Real);
  (past_a, GoesTo 7, Real);
  (past_a, GoesTo 8, Real)].
Proof. computed. Qed.
(** [if (p == b) goto 7; else goto 8] *)
Example compared : shown (Branch (PointersCompared IsEqual (PointerRegister 6) (PointerRegister 5)) 7 8) = Some [
  (inside_a ++ [(LE, (1, [(n_b, -1)]))], GoesTo 8, Exact);
  (below_a, GoesTo 7, Real);
  (below_a, GoesTo 8, Real);
  (above_a, GoesTo 7, Real);
  (above_a, GoesTo 8, Real);
  ([(LE, (0, [(n_b, 1)]))], GoesTo 7, Real);
  ([(LE, (0, [(n_b, 1)]))], GoesTo 8, Real)].
Proof. computed. Qed.
(** The pointer moves by [y], which is by [moved] elements of one byte. *)
Definition moved := Quotient (Plus (Constant 0) (Times 1 y)) 1.
Example advanced : shown (Advance 6 6 (Register 1) 1) = Some [
  ([(LE, (0, [(moved, -1); (x, -1)])); (LE, (0, [(moved, 1); (x, 1); (n_a, -1)]))], Sets 6 (PointerSlot 0 (Plus x moved) 0), Exact);
  ([(LE, (1, [(moved, 1); (x, 1)]))], FailsHere, Exact);
  ([(LE, (1, [(moved, -1); (x, -1); (n_a, 1)]))], FailsHere, Exact)].
Proof. computed. Qed.
(** [c = *p] *)
Example loaded : shown (Load 2 6 0) = Some [
  (inside_a ++ [(EQ, (0, [(x, 1)]))], Sets 2 (first 5), Exact);
  (inside_a ++ [(LE, (1, [(x, -1)]))], Sets 2 (IntegerSlot (Select (others 6) (Plus x (Constant 0)))), Exact);
  (below_a, FailsHere, Exact);
  (above_a, FailsHere, Exact)].
Proof. computed. Qed.
(** [*p = c] *)
Example stored : shown (Store 6 0 2) = Some [
  (inside_a ++ [(EQ, (0, [(x, 1)]))], Writes 0 0 (AtCell 0) (IntegerSlot c), Exact);
  (inside_a ++ [(LE, (1, [(x, -1)]))], Writes 0 0 (AtRest (Plus x (Constant 0))) (IntegerSlot c), Exact);
  (below_a, FailsHere, Exact);
  (above_a, FailsHere, Exact)].
Proof. computed. Qed.
(** [p = malloc(5)] *)
Example allocated : shown (Allocate 6 2 (Number 5) Arbitrary) = Some [
  ([(LE, (-9223372036854775802, []))], Creates (Some 6%nat) 2 (Quotient (Constant 5) 1) Arbitrary, Exact);
  ([(LE, (9223372036854775803, []))], Sets 6 NullSlot, Exact);
  ([(LE, (-9223372036854775802, []))], Sets 6 NullSlot, Exact)].
Proof. computed. Qed.
(** [free(p)] *)
Example freed : shown (Free 6) = Some [
  ([(EQ, (0, [(x, 1)]))], Kills 0, Exact);
  ([(NE, (0, [(x, 1)]))], FailsHere, Exact)].
Proof. computed. Qed.
(** [x = (int) (x & 12)] *)
Example masked_by_12 : shown (Compute 0 And (Register 0) (Number 12)) = Some [
  ([], Sets 0 (IntegerSlot (Minus (Times 4 (Quotient x 4)) (Times 16 (Quotient x 16)))), Exact)].
Proof. computed. Qed.
(** [x = (int) (x << 3)] *)
Example shifted_by_3 : shown (Compute 0 ShiftLeft (Register 0) (Number 3)) = Some [
  ([(LE, (0, [(x, -8)])); (LE, (-2147483647, [(x, 8)]))], Sets 0 (IntegerSlot (Times 8 x)), Exact);
  ([(LE, (1, [(x, 8)]))], FailsHere, Exact);
  ([(LE, (2147483648, [(x, -8)]))], FailsHere, Exact)].
Proof. computed. Qed.
(** [x = (int) (x / 7)] *)
Example divided_by_7 : shown (Compute 0 Divide (Register 0) (Number 7)) = Some [
  ([(EQ, (7, []))], FailsHere, Exact);
  ([(EQ, (8, [])); (EQ, (2147483648, [(x, 1)]))], FailsHere, Exact);
  ([(EQ, (8, [])); (NE, (2147483648, [(x, 1)]))], Sets 0 (IntegerSlot (Times (-1) x)), Exact);
  ([(LE, (0, [(x, -1)]))], Sets 0 (IntegerSlot (Times 1 (Quotient x 7))), Exact);
  ([(LE, (1, [(x, 1)]))], Sets 0 (IntegerSlot (Times (-1) (Quotient (Times (-1) x) 7))), Exact)].
Proof. computed. Qed.
(** [x = (int) (x >> y)] *)
Example shifted_by_y : shown (Compute 0 ShiftRight (Register 0) (Register 1)) = Some [
  ([(LE, (0, [(y, -1)])); (LE, (-31, [(y, 1)]))], Sets 0 (IntegerSlot (Apply ShiftRight I32 x y)), Exact);
  ([(LE, (1, [(y, 1)]))], FailsHere, Exact);
  ([(LE, (32, [(y, -1)]))], FailsHere, Exact)].
Proof. computed. Qed.
(** [d = ((char * ) p - (char * ) a) / 1]: what is checked is by how many
    elements of one byte [p] is above [a]. *)
Definition between := Quotient (Plus (Times 1 (Minus x (Constant 0))) (Constant 0)) 1.
Example subtracted : shown (Distance 3 6 4 1) = Some [
  ([(LE, (-9223372036854775808, [(between, -1)])); (LE, (-9223372036854775807, [(between, 1)]))], Sets 3 (IntegerSlot between), Exact);
  ([(LE, (9223372036854775809, [(between, 1)]))], FailsHere, Exact);
  ([(LE, (9223372036854775808, [(between, -1)]))], FailsHere, Exact)].
Proof. computed. Qed.
