(** What a program does (spec/program.md#transition-relation), executable.

    [step] takes what the environment decides as an argument; the transition
    relation is that there is such a decision.  Every instruction is a function
    of its own, below the section of spec/program.md that it follows. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Herds.
Import ListNotations.
Open Scope Z_scope.

(** ** Values and objects *)

(** An element of an object, and a byte of it: [0 <= byte < element_size]. *)
Record pointer := { target : nat; index : Z; byte : Z }.
Inductive value := Uninitialised | Integer (z : Z) | Null | Pointer (p : pointer).

(** One field of all elements: what was written, above what was there first. *)
Inductive initial :=
| Same (v : value)
| Each (l : list value)         (* from index 0 *)
| Any (f : Z -> Z).             (* integers *)
Record cells := { initially : initial; written : list (Z * value) }.

Definition initial_at (c : initial) i := match c with
  | Same v => v
  | Each l => if 0 <=? i then nth (Z.to_nat i) l Uninitialised else Uninitialised
  | Any f => Integer (f i) end.
Fixpoint find_written i (l : list (Z * value)) : option value := match l with
  | [] => None | (j, v) :: l => if i =? j then Some v else find_written i l end.
Definition read c i := match find_written i (written c) with Some v => v | None => initial_at (initially c) i end.
Definition write c i v :=
  {| initially := initially c; written := (i, v) :: filter (fun p => negb (fst p =? i)) (written c) |}.

Inductive life := Live | Dead.
(** Its elements are those with [lower <= index < upper]. *)
Record object := { declared : nat; lower : Z; upper : Z; alive : life; fields_of : list cells }.

Record state := {
  location : nat;
  values : list value;              (* of the registers *)
  memory : list object;             (* all that exist or have existed *)
  current : list (option nat) }.    (* the latest object of each declaration *)

(** ** How steps end *)

Inductive failure :=
| ProgramFailed | NullAccess | OutOfBounds | DeadObject | UninitialisedUse | DivisionByZero | DivisionOverflow
| ShiftAmount | SignedOverflow | PointerFormation | PointerComparison | PointerDifference | InvalidFree
| ReadOnlyWrite | Leak.
Inductive ending := Halted | Ignored | Failed (f : failure) | Unsupported.

Inductive outcome (A : Type) := Ok (a : A) | Stop (e : ending).
Arguments Ok {A}. Arguments Stop {A}.
Definition bind {A B} (x : outcome A) (f : A -> outcome B) : outcome B := match x with Ok a => f a | Stop e => Stop e end.
Notation "x <- e ; f" := (bind e (fun x => f)) (at level 60, e at next level, right associativity).
Definition fails {A} f : outcome A := Stop (Failed f).

(** What the environment decides in one step: a value or one of two ways, and
    for a fresh object where it begins and what its integers are, by field and
    index.  Values are reduced to their types, so that every decision is one. *)
Record decision := { number : Z; start : Z; fills : nat -> Z -> Z }.

(** ** Small things *)

Fixpoint replace {A} (l : list A) n x := match l, n with
  | [], _ => [] | _ :: l, O => x :: l | y :: l, S n => y :: replace l n x end.

Section Steps.
Variable P : program.
Variable under : parameters.

Definition type_of r := nth r (registers P) PointerType.
Definition integer_type_of r := match type_of r with IntegerType T => T | PointerType => U64 end.
Definition no_layout := {| element_size := 1; layout_fields := [] |}.
Definition no_declaration := {| layout_of := 0; origin_of := Input |}.
Definition declaration_of d := nth d (objects P) no_declaration.
Definition layout_of_declaration d := nth (layout_of (declaration_of d)) (layouts P) no_layout.
Definition dead_object := {| declared := 0; lower := 0; upper := 0; alive := Dead; fields_of := [] |}.

Definition object_at s o := nth o (memory s) dead_object.
Definition size_at s o := element_size (layout_of_declaration (declared (object_at s o))).
Definition is_live s o := match alive (object_at s o) with Live => true | Dead => false end.
Definition is_inside o i := (lower o <=? i) && (i <? upper o).

Definition next_location s := {| location := S (location s); values := values s; memory := memory s; current := current s |}.
Definition go l s := {| location := l; values := values s; memory := memory s; current := current s |}.
Definition set s r v :=
  {| location := S (location s); values := replace (values s) r v; memory := memory s; current := current s |}.
Definition set_object s o x :=
  {| location := location s; values := values s; memory := replace (memory s) o x; current := current s |}.

(** ** Uses *)

Definition register s r := nth r (values s) Uninitialised.
Definition use_integer s (o : operand) : outcome Z := match o with
  | Number z => Ok z
  | Register r => match register s r with Integer z => Ok z | _ => fails UninitialisedUse end end.
(** None for NULL. *)
Definition use_pointer s r : outcome (option pointer) := match register s r with
  | Null => Ok None
  | Pointer p => if is_live s (target p) then Ok (Some p) else fails DeadObject
  | _ => fails UninitialisedUse end.
Definition use_pointer_operand s (o : pointer_operand) := match o with
  | NullPointer => Ok None | PointerRegister r => use_pointer s r end.

(** ** Branch *)

Definition related r (x y : Z) : bool := match r with IsEqual => x =? y | IsLess => x <? y | IsLessOrEqual => x <=? y end.
Definition address_in s p := size_at s (target p) * index p + byte p.
Definition certainly_different s (p q : option pointer) : bool := match p, q with
  | Some p, Some q => is_inside (object_at s (target p)) (index p) && is_inside (object_at s (target q)) (index q)
  | Some p, None | None, Some p =>
    let o := object_at s (target p) in (lower o <=? index p) && (index p <=? upper o)
  | None, None => false end.
Definition same_object (p q : option pointer) := match p, q with
  | Some p, Some q => if Nat.eqb (target p) (target q) then Some (p, q) else None | _, _ => None end.
Definition condition_holds s (d : decision) (c : condition) : outcome bool := match c with
  | Integers r a b => x <- use_integer s a; y <- use_integer s b; Ok (related r x y)
  | PointersCompared r a b =>
    p <- use_pointer_operand s a; q <- use_pointer_operand s b;
    match same_object p q with
    | Some (p, q) => Ok (related r (address_in s p) (address_in s q))
    | None => match r, p, q with
      | IsEqual, None, None => Ok true
      | IsEqual, _, _ => Ok (if certainly_different s p q then false else negb (number d =? 0))
      | _, _, _ => fails PointerComparison end end end.

(** ** Integers *)

Definition assign s r (o : operand) : outcome state :=
  let copies := match o with
    | Register q => match register s q, type_of q, type_of r with
      | Uninitialised, IntegerType T, IntegerType U => integer_type_eqb T U
      | _, _, _ => false end
    | Number _ => false end in
  if copies then Ok (set s r Uninitialised)
  else x <- use_integer s o; Ok (set s r (Integer (wrap (integer_type_of r) x))).

Definition compute_in s r op a b : outcome state :=
  let T := integer_type_of r in
  x <- use_integer s a; y <- use_integer s b;
  match compute T op x y with
  | Fits v => Ok (set s r (Integer v))
  | Overflows v => match on_overflow under, signed T with
    | OverflowFails, true => fails SignedOverflow | _, _ => Ok (set s r (Integer v)) end
  | DividesByZero => fails DivisionByZero
  | DivisionOverflows => fails DivisionOverflow
  | BadAmount => fails ShiftAmount end.

(** ** Pointers *)

Definition address s r d : outcome state := match nth d (current s) None with
  | None => Stop Unsupported
  | Some o => Ok (set s r (Pointer {| target := o; index := lower (object_at s o); byte := 0 |})) end.

(** So many bytes further on, normalised. *)
Definition move s p bytes :=
  let size := size_at s (target p) in
  {| target := target p; index := index p + (byte p + bytes) / size; byte := (byte p + bytes) mod size |}.

Definition advance s r base i scale : outcome state :=
  p <- use_pointer s base; n <- use_integer s i;
  match p with
  | None => if n =? 0 then Ok (set s r Null) else fails NullAccess
  | Some p =>
    let q := move s p (n * scale) in
    let o := object_at s (target q) in
    let formed := is_inside o (index q) || (index q =? upper o) && (byte q =? 0) in
    match formation under with
    | InsideObject => if formed then Ok (set s r (Pointer q)) else fails PointerFormation
    | Anywhere => Ok (set s r (Pointer q)) end end.

Definition distance s r a b scale : outcome state :=
  p <- use_pointer s a; q <- use_pointer s b;
  bytes <- match p, q with
    | None, None => Ok 0
    | _, _ => match same_object p q with
      | Some (p, q) => Ok (address_in s p - address_in s q) | None => fails PointerDifference end end;
  if negb (bytes mod scale =? 0) then Stop Unsupported
  else if is_within I64 (bytes / scale) then Ok (set s r (Integer (bytes / scale))) else fails PointerDifference.

(** ** Memory *)

Definition as_wide (a b : type) : bool := match a, b with
  | PointerType, PointerType => true
  | IntegerType T, IntegerType U => width T =? width U
  | _, _ => false end.
Fixpoint field_at (l : list field) at_ t n : option (nat * type) := match l with
  | [] => None
  | f :: l => if (offset f =? at_) && as_wide (holds f) t then Some (n, holds f) else field_at l at_ t (S n) end.
Definition type_eqb (a b : type) : bool := match a, b with
  | PointerType, PointerType => true | IntegerType T, IntegerType U => integer_type_eqb T U | _, _ => false end.
(** An integer that is read or written with another type of its width. *)
Definition convert (from to : type) v : outcome value :=
  if type_eqb from to then Ok v else match to, v with
  | IntegerType Bool, Integer _ => Stop Unsupported
  | IntegerType T, Integer z => Ok (Integer (wrap T z))
  | _, _ => Ok v end.
Definition no_cells := {| initially := Same Uninitialised; written := [] |}.

(** Where an access reaches, not yet known to be inside. *)
Definition place s a off t : outcome (pointer * nat * type) :=
  p <- use_pointer s a;
  match p with
  | None => fails NullAccess
  | Some p =>
    let q := move s p off in
    match field_at (layout_fields (layout_of_declaration (declared (object_at s (target q))))) (byte q) t 0 with
    | None => Stop Unsupported
    | Some (f, from) => Ok (q, f, from) end end.

Definition load s r a off : outcome state :=
  at_ <- place s a off (type_of r);
  let '(q, f, from) := at_ in
  let o := object_at s (target q) in
  if is_inside o (index q)
  then v <- convert from (type_of r) (read (nth f (fields_of o) no_cells) (index q)); Ok (set s r v)
  else fails OutOfBounds.

Definition may_write o := match origin_of (declaration_of (declared o)) with
  | Static _ _ ReadOnly => false | _ => true end.
Definition write_field o f i v :=
  {| declared := declared o; lower := lower o; upper := upper o; alive := alive o;
     fields_of := replace (fields_of o) f (write (nth f (fields_of o) no_cells) i v) |}.
Definition store s a off r : outcome state :=
  at_ <- place s a off (type_of r);
  let '(q, f, to) := at_ in
  let o := object_at s (target q) in
  if may_write o then
    v <- convert (type_of r) to (register s r);
    if is_inside o (index q) then Ok (set_object (next_location s) (target q) (write_field o f (index q) v))
    else fails OutOfBounds
  else fails ReadOnlyWrite.

(** ** Objects come and go *)

Definition zero_of t := match t with IntegerType _ => Integer 0 | PointerType => Null end.
Fixpoint fresh_cells (l : list field) n (f : fresh) (d : decision) : list cells := match l with
  | [] => []
  | x :: l =>
    let c := match f, holds x with
      | Zero, t => Same (zero_of t)
      | Arbitrary, PointerType => Same Uninitialised
      | Arbitrary, IntegerType T => Any (fun i => wrap T (fills d n i)) end in
    {| initially := c; written := [] |} :: fresh_cells l (S n) f d end.
Definition create s d count f (w : decision) :=
  let o := {| declared := d; lower := start w; upper := start w + count; alive := Live;
    fields_of := fresh_cells (layout_fields (layout_of_declaration d)) 0 f w |} in
  {| location := location s; values := values s; memory := memory s ++ [o];
     current := replace (current s) d (Some (length (memory s))) |}.
Definition kill s o :=
  let x := object_at s o in
  set_object s o {| declared := declared x; lower := lower x; upper := upper x; alive := Dead; fields_of := fields_of x |}.
Definition kill_current s d := match nth d (current s) None with Some o => kill s o | None => s end.

Definition most_bytes := 2 ^ 63 - 1.
Definition is_node d := match origin_of (declaration_of d) with LinkedNode _ => true | _ => false end.
Definition allocate s r d b f (w : decision) : outcome state :=
  n <- use_integer s b;
  if most_bytes <? n then Ok (set s r Null)
  else if match allocating under with MayFail => number w =? 0 | Succeeds => false end then Ok (set s r Null)
  else
    let count := n / element_size (layout_of_declaration d) in
    if is_node d && negb (count =? 1) then Stop Unsupported
    else Ok (set (create s d count f w) r (Pointer {| target := length (memory s); index := start w; byte := 0 |})).

Definition may_free o := match origin_of (declaration_of (declared o)) with
  | Heap | Input | LinkedNode _ => true | _ => false end.
Definition free s r : outcome state :=
  p <- use_pointer s r;
  match p with
  | None => Ok (next_location s)
  | Some p =>
    let o := object_at s (target p) in
    if may_free o && (index p =? lower o) && (byte p =? 0) then Ok (kill (next_location s) (target p)) else fails InvalidFree end.

Definition enter s d (w : decision) : outcome state := match origin_of (declaration_of d) with
  | Local count => Ok (create (kill_current (next_location s) d) d count Arbitrary w)
  | _ => Ok (next_location s) end.
Definition leave s d : outcome state := Ok (kill_current (next_location s) d).

(** ** Leaks *)

Definition pointees_of (v : value) := match v with Pointer p => [target p] | _ => [] end.
Definition is_written c i := match find_written i (written c) with Some _ => true | None => false end.
(** What the cells of one field of an object lead to. *)
Definition leads_from o c :=
  flat_map (fun p => pointees_of (snd p)) (written c) ++ match initially c with
  | Same v => if Z.of_nat (length (written c)) <? upper o - lower o then pointees_of v else []
  | Each l => flat_map (fun p => if is_written c (Z.of_nat (fst p)) then [] else pointees_of (snd p)) (combine (seq 0 (length l)) l)
  | Any _ => [] end.
Definition leads_on s o := if is_live s o then flat_map (leads_from (object_at s o)) (fields_of (object_at s o)) else [].
Definition mem n l := existsb (Nat.eqb n) l.
Fixpoint add_new l found := match l with [] => found | n :: l => add_new l (if mem n found then found else n :: found) end.
(** As many rounds as there are objects find all that is reached. *)
Fixpoint reach s rounds found := match rounds with
  | O => found | S n => reach s n (add_new (flat_map (leads_on s) found) found) end.
Definition is_static s o := match origin_of (declaration_of (declared (object_at s o))) with Static _ _ _ => true | _ => false end.
Definition is_owed s o := match origin_of (declaration_of (declared (object_at s o))) with
  | Heap | LinkedNode _ => is_live s o | _ => false end.
Definition all_objects s := seq 0 (length (memory s)).
Definition reached s roots :=
  reach s (length (memory s))
    (add_new (flat_map (fun r => pointees_of (register s r)) roots) (filter (is_static s) (all_objects s))).
Definition check_leaks s roots : outcome state :=
  let found := reached s roots in
  if existsb (fun o => is_owed s o && negb (mem o found)) (all_objects s) then fails Leak else Ok (next_location s).

(** ** One step *)

Definition step s (d : decision) : outcome state :=
  match nth_error (instructions P) (location s) with
  | None => Stop Unsupported
  | Some i => match i with
    | Jump l => Ok (go l s)
    | Branch c l m => b <- condition_holds s d c; Ok (go (if b : bool then l else m) s)
    | Choose l m => Ok (go (if number d =? 0 then l else m) s)
    | Halt => Stop Halted
    | Fail => fails ProgramFailed
    | Ignore => Stop Ignored
    | Assign r o => assign s r o
    | Compute r op a b => compute_in s r op a b
    | Havoc r => Ok (set s r (Integer (wrap (integer_type_of r) (number d))))
    | Uninitialise r => Ok (set s r Uninitialised)
    | SetNull r => Ok (set s r Null)
    | Copy r q => Ok (set s r (register s q))
    | Address r o => address s r o
    | Advance r p i scale => advance s r p i scale
    | Distance r p q scale => distance s r p q scale
    | Load r a off => load s r a off
    | Store a off r => store s a off r
    | Allocate r o b f => allocate s r o b f d
    | Free r => free s r
    | Enter o => enter s o d
    | Leave o => leave s o
    | CheckLeaks roots => check_leaks s roots
    end end.

(** ** What a step consumes: a nondeterministic value, or a round, if it leads
    back, to a location that is not behind its own *)

Definition draws s := match nth_error (instructions P) (location s) with Some (Havoc _) => true | _ => false end.
Definition leads_back s s' := Nat.leb (location s') (location s).
Definition consumes s (y : outcome state) : nat := match y with
  | Ok s' => (if draws s then 1 else 0) + (if leads_back s s' then 1 else 0)
  | Stop _ => 0 end.
End Steps.
