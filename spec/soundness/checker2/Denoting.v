(** What configurations of the second checker denote (spec/calculus.md#states-and-herds):
    members as FoldedMembers.v has them, each term a variable of its number, whose value is
    the one that a model of the state of terms gives it. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Typed Folding Members FoldedMembers Configurations Kept.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Refuting States.
Import ListNotations.
Open Scope Z_scope.

(** ** Programs *)

Module Translated.
Import Certificates.
Definition type_of (t : type) : Programs.type := match t with IntegerType T => Programs.IntegerType T | Pointer => Programs.PointerType end.
Definition field_of (f : field) : Programs.field := {| Programs.offset := Z.of_N (offset f); Programs.holds := type_of (field_type f) |}.
Definition layout_of (l : layout) : Programs.layout := {| Programs.element_size := Z.of_N (element_size l); Programs.layout_fields := List.map field_of (fields l) |}.
Definition source_of (f : source) : Sorts.source := match f with FromField f => Sorts.FromField (N.to_nat f) | FromAbove => Sorts.FromAbove end.
Definition link_of (l : link) : Sorts.link := match l with
  | Data => Sorts.Data | Child s => Sorts.Child (N.to_nat s) | Up => Sorts.Up | Other => Sorts.Other | Null => Sorts.Null | Same => Sorts.Same
  | Range a b => Sorts.Range a b | Anything => Sorts.Anything | Handed s f => Sorts.Handed (N.to_nat s) (source_of f)
  | Ring s e => Sorts.Ring (N.to_nat s) (Z.of_N e) | Last_ f => Sorts.Last (N.to_nat f) end.
Definition access_of (a : access) : Programs.access := match a with ReadOnly => Programs.ReadOnly | ReadWrite => Programs.ReadWrite end.
Definition contents_of (c : contents) : Programs.contents := match c with
  | Zeros => Programs.Zeros | FromTable t => Programs.FromTable (N.to_nat t) | Pointers ts => Programs.Pointers (List.map (option_map N.to_nat) ts) end.
Definition origin_of (o : origin) : Programs.origin := match o with
  | InputObject => Programs.Input
  | Static n cs a => Programs.Static (Z.of_N n) (List.map contents_of cs) (access_of a)
  | Local n => Programs.Local (Z.of_N n) | Heap => Programs.Heap | Node ls => Programs.LinkedNode (List.map link_of ls) end.
Definition object_of (o : object) : Programs.object_declaration := {| Programs.layout_of := N.to_nat (Certificates.layout_of o); Programs.origin_of := origin_of (Certificates.origin_of o) |}.
Definition table_of (t : table) : Programs.table := {| Programs.table_type := table_type t; Programs.values := values t |}.
Definition input_of (i : input) : Programs.input := match i with
  | IntegerInput r => Programs.IntegerInput (N.to_nat r)
  | ArrayInput p l o => Programs.ArrayInput (N.to_nat p) (N.to_nat l) (N.to_nat o)
  | SingleInput p o => Programs.SingleInput (N.to_nat p) (N.to_nat o)
  | LinkedInput p o => Programs.LinkedInput (N.to_nat p) (N.to_nat o) end.
Definition operand_of (o : operand) : Programs.operand := match o with Register r => Programs.Register (N.to_nat r) | Number z => Programs.Number z end.
Definition pointer_of (o : pointer_operand) : Programs.pointer_operand := match o with
  | PointerRegister r => Programs.PointerRegister (N.to_nat r) | NullPointer => Programs.NullPointer end.
Definition relation_of (r : relation) : Programs.relation := match r with
  | IsEqual => Programs.IsEqual | IsLess => Programs.IsLess | IsLessOrEqual => Programs.IsLessOrEqual end.
Definition condition_of (c : condition) : Programs.condition := match c with
  | IntegersCompared r a b => Programs.Integers (relation_of r) (operand_of a) (operand_of b)
  | PointersCompared r a b => Programs.PointersCompared (relation_of r) (pointer_of a) (pointer_of b) end.
Definition fresh_of (f : fresh) : Programs.fresh := match f with Arbitrary => Programs.Arbitrary | Zero => Programs.Zero end.
Definition instruction_of (i : instruction) : Programs.instruction :=
  let n := N.to_nat in match i with
  | Jump l => Programs.Jump (n l)
  | Branch c a b => Programs.Branch (condition_of c) (n a) (n b)
  | Choose a b => Programs.Choose (n a) (n b)
  | Halt => Programs.Halt | Fail _ => Programs.Fail | Ignore => Programs.Ignore
  | Assign r v => Programs.Assign (n r) (operand_of v)
  | Compute r op a b => Programs.Compute (n r) op (operand_of a) (operand_of b)
  | Havoc r => Programs.Havoc (n r) | Uninitialise r => Programs.Uninitialise (n r) | SetNull r => Programs.SetNull (n r)
  | Copy r q => Programs.Copy (n r) (n q)
  | Address r o => Programs.Address (n r) (n o)
  | Advance r p i k => Programs.Advance (n r) (n p) (operand_of i) k
  | Distance r p q k => Programs.Distance (n r) (n p) (n q) (Z.of_N k)
  | Load r p k => Programs.Load (n r) (n p) k
  | Store p k r => Programs.Store (n p) k (n r)
  | Allocate r o b f => Programs.Allocate (n r) (n o) (operand_of b) (fresh_of f)
  | Free p => Programs.Free (n p) | Enter o => Programs.Enter (n o) | Leave o => Programs.Leave (n o)
  | CheckLeaks rs => Programs.CheckLeaks (List.map n rs) end.
Definition program_of (P : program) : Programs.program := {|
  Programs.registers := List.map (fun r => type_of (register_type r)) (registers P); Programs.layouts := List.map layout_of (layouts P);
  Programs.objects := List.map object_of (objects P); Programs.tables := List.map table_of (tables P); Programs.inputs := List.map input_of (inputs P);
  Programs.instructions := List.map instruction_of (instructions P) |}.
(** C's arithmetic; of unbounded integers nothing is said. *)
Definition parameters_of (u : parameters) : Programs.parameters := {|
  Programs.on_overflow := match on_overflow u with Wraps => Programs.Wraps | OverflowFails => Programs.OverflowFails end;
  Programs.formation := match formation u with FormedAnywhere => Programs.Anywhere | InsideObject => Programs.InsideObject end;
  Programs.allocating := match allocating u with Succeeds => Programs.Succeeds | MayFail => Programs.MayFail end |}.
End Translated.

(** ** Members *)

Definition term_of_number (t : N) : Terms.term := Terms.Var None (N.to_nat t).
Definition array_of_number (a : N) : Terms.array := Terms.ArrayVar U64 (N.to_nat a).
Definition valued (M : model) : Terms.valuation := {|
  Terms.integers := fun _ x => vl M (N.of_nat x); Terms.arrays := fun _ x => vr M (N.of_nat x) |}.
Lemma valued_term M t : Terms.eval (valued M) (term_of_number t) = vl M t.
Proof. simpl. rewrite N2Nat.id. reflexivity. Qed.

Definition slot_of (v : slot) : FoldedMembers.slot := match v with
  | Forgotten => FoldedMembers.Plain Members.Forgotten
  | Uninitialised => FoldedMembers.Plain Members.NothingHeld
  | IntegerSlot t => FoldedMembers.Plain (Members.IntegerSlot (term_of_number t))
  | NullSlot => FoldedMembers.Plain Members.NullSlot
  | PointerSlot o i b => FoldedMembers.Plain (Members.PointerSlot (N.to_nat o) (term_of_number i) (Z.of_N b))
  | Folded f => FoldedMembers.RootOf (N.to_nat f)
  | Last f => FoldedMembers.LastOf (N.to_nat f) end.
Definition field_of (f : field_state) : FoldedMembers.field_state := {|
  FoldedMembers.apart := List.map slot_of (cells f); FoldedMembers.rest := option_map array_of_number (rest f) |}.
Definition life_of_object (l : life) : Machine.life := match l with Live => Machine.Live | Dead => Machine.Dead end.
Definition object_of (x : object_state) : FoldedMembers.object_state := {|
  FoldedMembers.kind := N.to_nat (declaration x); FoldedMembers.life_of := life_of_object (life_of x);
  FoldedMembers.begins := term_of_number (lower x); FoldedMembers.ends := term_of_number (upper x);
  FoldedMembers.contents := List.map field_of (field_states x) |}.
Definition part_of (p : folded) : FoldedMembers.part := {|
  FoldedMembers.symbol := N.to_nat (symbol p); FoldedMembers.above := slot_of (above p); FoldedMembers.alongside := slot_of (same p);
  FoldedMembers.below := slot_of (below p) |}.
Definition entries_of {A B} (f : A -> B) (x : numbered A) : list (option B) := List.map (fun n => option_map f (find x n)) (numbers_of x).
(** A register that has no slot may hold anything. *)
Definition member_of (l : N) (m : member_state) : FoldedMembers.member := {|
  FoldedMembers.place_of := N.to_nat l;
  FoldedMembers.slots := List.map (fun v => match v with Some v => v | None => FoldedMembers.forgotten end) (entries_of slot_of (held m));
  FoldedMembers.named := entries_of object_of (objects_held m);
  FoldedMembers.parts := entries_of part_of (parts_held m) |}.
Definition counted_of (m : member_state) : Configurations.counted_member := {|
  Configurations.stands := match place_of m with At l => Configurations.At (member_of l m) | HasFailed => Configurations.HasFailed end;
  Configurations.counted := match consumed_of m with IntegerSlot t => Some (term_of_number t) | _ => None end |}.
Definition size_of_input (s : input_size) : Herds.input_size := match s with Smaller => Herds.Smaller | NotLarger => Herds.NotLarger end.
Definition sized_of (m : member_state) : Herds.input_size * Configurations.counted_member := (size_of_input (size_of m), counted_of m).
Definition symbol_of (s : option tree_sort) : FoldedMembers.symbol_sort := match s with
  | Some (Tree s) => FoldedMembers.TreeOf (N.to_nat s) | Some (Segment s) => FoldedMembers.SegmentOf (N.to_nat s) | None => FoldedMembers.TreeOf 0 end.
Definition symbols_of (c : configuration) : list FoldedMembers.symbol_sort := List.map (fun n => symbol_of (find (symbols c) n)) (numbers_of (symbols c)).

(** ** Terms of configurations *)

Definition slot_terms (v : slot) : list part := match v with IntegerSlot t | PointerSlot _ t _ => [LinearPart t] | _ => [] end.
Definition field_terms (f : field_state) : list part := flat_map slot_terms (cells f) ++ match rest f with Some a => [ArrayPart a] | None => [] end.
Definition object_terms (x : object_state) : list part := LinearPart (lower x) :: LinearPart (upper x) :: flat_map field_terms (field_states x).
Definition folded_terms (p : folded) : list part := slot_terms (above p) ++ slot_terms (same p) ++ slot_terms (below p).
Definition entry_terms {A} (f : A -> list part) (x : numbered A) : list part := flat_map (fun '(_, a) => f a) (in_order x).
Definition member_terms (m : member_state) : list part := slot_terms (consumed_of m) ++ entry_terms slot_terms (held m) ++
  entry_terms object_terms (objects_held m) ++ entry_terms folded_terms (parts_held m).
Definition entry_member_terms (c : configuration) : list part := match entry_member c with Some m => member_terms m | None => [] end.
Definition literal_terms (ls : list literal) : list part := List.map (fun l => LinearPart (term_of l)) ls.
Definition configuration_terms (c : configuration) : list part := literal_terms (known_literals c) ++ flat_map member_terms (herd c) ++ entry_member_terms c.
(** Registers that have a slot are registers. *)
Definition numbered_right {A} (x : numbered A) : Prop := forall n a, find x n = Some a -> (n < given x)%N.
(** ... and objects are in the table by their names. *)
Record tables_right (m : member_state) : Prop := {
  registers_numbered : numbered_right (held m);
  objects_numbered : numbered_right (objects_held m);
  objects_by_name : forall o x, find (objects_held m) o = Some x -> named x = o }.
(** Its members, that at the entry among them. *)
Definition members_of (c : configuration) : list member_state := herd c ++ match entry_member c with Some m => [m] | None => [] end.
Lemma herd_member c m : In m (herd c) -> In m (members_of c).
Proof. intros I. apply in_or_app. auto. Qed.
(** What is so of all members is so where only those of the herd are others. *)
Lemma members_again (Q : member_state -> Prop) c c' : entry_member c' = entry_member c -> (forall m, In m (herd c') -> Q m) -> (forall m, In m (members_of c) -> Q m) -> forall m, In m (members_of c') -> Q m.
Proof. unfold members_of. intros -> H A m I. apply in_app_or in I as [I|I]; [auto|]. apply A, in_or_app. auto. Qed.
(** Only variables that exist are mentioned. *)
Definition in_scope (s : state) (c : configuration) : Prop := formed_scope (variables c) /\
  (forall m, In m (members_of c) -> tables_right m) /\ forall p, In p (configuration_terms c) -> part_within s (variables c) p.

(** ** What is denoted *)

Definition literals_hold (M : model) (ls : list literal) : Prop := forall l, In l ls -> literal_holds M l.

Section Denotes.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Notation machine := (Goatherd.Runs.system_of P under).
Notation accounts := (Configurations.accounts P under).

(** The primary's execution at its entry. *)
Definition beginning (t : Herds.run machine) : Herds.run machine := Herds.Run machine (Herds.origin machine t) 0 (Herds.origin machine t).
(** There the member holds inputs, of which nothing has been left out, and nothing else. *)
Definition holds_inputs ss nu phi (m : member_state) : Prop := size_of m = NotLarger /\ exists l vs cs, place_of m = At l /\ Kept.entry_right P ss nu phi (member_of l m) vs cs.
Definition entry_accounts (c : configuration) ss nu phi (t : Herds.run machine) : Prop := match entry_member c with
  | Some m => accounts ss nu phi (counted_of m) (beginning t) /\ holds_inputs ss nu phi m | None => True end.
Definition herd_accounts (c : configuration) ss nu phi (t : Herds.run machine) (ts : Herds.scapegoats machine) : Prop := match herd c with
  | m :: ms => accounts ss nu phi (counted_of m) t /\ Forall2 (Configurations.accounts_sized P under ss nu phi) (List.map sized_of ms) ts
  | [] => False end.
(** Under a valuation of its variables, a model of its terms, and a meaning of its symbols. *)
Definition shows_under (s : state) (c : configuration) (nu : Terms.valuation) (M : model) (phi : FoldedMembers.meaning) t ts : Prop :=
  Terms.well_sorted nu /\ good nu tabs s M /\ literals_hold M (known_literals c) /\ FoldedMembers.well_meant P trees (symbols_of c) phi /\
  herd_accounts c (symbols_of c) (valued M) phi t ts /\ entry_accounts c (symbols_of c) (valued M) phi t.
(** A configuration with the terms that have been made; or the primary's end, which is in no
    table. *)
Inductive stage := Open (s : state) (c : configuration) | Ended.
Definition shows_stage (x : stage) (t : Herds.run machine) (ts : Herds.scapegoats machine) : Prop := match x with
  | Open s c => exists nu M phi, shows_under s c nu M phi t ts
  | Ended => Herds.last machine t = Goatherd.Runs.Over Machine.Halted \/ Herds.last machine t = Goatherd.Runs.Over Machine.Ignored end.
End Denotes.
