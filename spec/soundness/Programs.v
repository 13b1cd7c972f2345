(** The program form (spec/program.md): its data types, as in
    certificates/src/program.rs.  Names for people are left out; registers,
    layouts, objects, tables and locations are positions in lists. *)
From Coq Require Import List ZArith.
From Goatherd Require Import Integers Sorts.
Import ListNotations.
Open Scope Z_scope.

(** What a register or a field holds. *)
Inductive type := IntegerType (T : integer_type) | PointerType.

(** In bytes. *)
Record field := { offset : Z; holds : type }.
Record layout := { element_size : Z; layout_fields : list field }.

Inductive access := ReadOnly | ReadWrite.
Inductive contents := Zeros | FromTable (table : nat) | Pointers (targets : list (option nat)).
Inductive origin :=
| Input
| Static (count : Z) (initially : list contents) (may : access)
| Local (count : Z)
| Heap
| LinkedNode (links : list link).
Record object_declaration := { layout_of : nat; origin_of : origin }.

Record table := { table_type : integer_type; values : list Z }.

Inductive input :=
| IntegerInput (register : nat)
| ArrayInput (pointer length object : nat)
| SingleInput (pointer object : nat)
| LinkedInput (pointer object : nat).

Inductive operand := Register (r : nat) | Number (z : Z).
Inductive pointer_operand := PointerRegister (r : nat) | NullPointer.
Inductive relation := IsEqual | IsLess | IsLessOrEqual.
Inductive condition :=
| Integers (r : relation) (left right : operand)
| PointersCompared (r : relation) (left right : pointer_operand).
Inductive fresh := Arbitrary | Zero.

Inductive instruction :=
| Jump (target : nat)
| Branch (c : condition) (then_ otherwise : nat)
| Choose (then_ otherwise : nat)
| Halt
| Fail
| Ignore
| Assign (target : nat) (value : operand)
| Compute (target : nat) (op : operation) (left right : operand)
| Havoc (target : nat)
| Uninitialise (target : nat)
| SetNull (target : nat)
| Copy (target source : nat)
| Address (target object : nat)
| Advance (target base : nat) (index : operand) (scale : Z)
| Distance (target left right : nat) (scale : Z)
| Load (target address : nat) (offset : Z)
| Store (address : nat) (offset : Z) (source : nat)
| Allocate (target object : nat) (bytes : operand) (f : fresh)
| Free (pointer : nat)
| Enter (object : nat)
| Leave (object : nat)
| CheckLeaks (roots : list nat).

Record program := {
  registers : list type;
  layouts : list layout;
  objects : list object_declaration;
  tables : list table;
  inputs : list input;
  instructions : list instruction }.

(** Claim parameters that the transition relation reads. *)
Inductive signed_overflow := Wraps | OverflowFails.
Inductive pointer_formation := Anywhere | InsideObject.
Inductive allocation := Succeeds | MayFail.
Record parameters := {
  on_overflow : signed_overflow;
  formation : pointer_formation;
  allocating : allocation }.
