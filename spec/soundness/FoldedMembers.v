(** Members with folded parts (spec/calculus.md#folded-heaps), and the states
    that they describe.

    A state that a member describes has all that is in the member's tables,
    each object and each part in a place of its own.  An execution's state may
    lack what nothing leads to, such as what hung from a node that was left out
    of an input: then it is a state that is described up to that
    ([denotes_state]). *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Existing Tidy Alike Owed Typed Bounds Folding.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

(** ** What a member is *)

Inductive slot :=
| Plain (v : Members.slot)
| RootOf (f : nat)                            (* a pointer to the root of a folded part *)
| LastOf (f : nat).                           (* a pointer to its last cell *)
Definition forgotten := Plain Members.Forgotten.

Record field_state := { apart : list slot; rest : option array }.
Record object_state := { kind : nat; life_of : life; begins : term; ends : term; contents : list field_state }.
(** An occurrence of a symbol: what the [Up] fields of its root hold, what the
    [Same] field of its root does, and what stands in the hole of a segment. *)
Record part := { symbol : nat; above : slot; alongside : slot; below : slot }.
(** Objects and parts are named by their positions. *)
Record member := { place_of : nat; slots : list slot; named : list (option object_state); parts : list (option part) }.

Definition slot_at m r := nth r (slots m) forgotten.
Definition object_named m o := nth o (named m) None.
Definition part_named m f := nth f (parts m) None.
Definition no_field := {| apart := []; rest := None |}.

(** ** What symbols are *)

Inductive symbol_sort := TreeOf (s : nat) | SegmentOf (s : nat).
Record meaning := { trees : nat -> tree; contexts : nat -> context }.

Section Members.
Variable P : program.
Variable table : nat -> sort_of_trees.

(** What symbols stand for is of their sorts, with data in the ranges of the
    fields' types: there may be no such meaning. *)
Definition well_meant_symbol (sorts : list symbol_sort) phi x := match nth_error sorts x with
  | Some (TreeOf s) => of_sort table s (trees phi x) /\ typed_tree P (trees phi x)
  | Some (SegmentOf s) => segment table s (contexts phi x) /\ typed_context P (contexts phi x)
  | None => True end.
Definition well_meant sorts phi := forall x, well_meant_symbol sorts phi x.

Definition has_name d := match origin_of (declaration_of P d) with Static _ _ _ | Local _ => true | _ => false end.
Definition is_node d := match origin_of (declaration_of P d) with LinkedNode _ => true | _ => false end.

(** ** What slots say *)

Section Valuation.
Variable nu : valuation.
Variable m : member.
(** Which object of the state an object is. *)
Variable rho : nat -> nat.
(** What pointers to roots and to last cells of folded parts hold. *)
Variables roots lasts : nat -> holding.

(** Of a part that is no more nothing is known.  What has never been in the
    table is no value: no state is described where a known slot says so. *)
Definition means_part f (r : holding) : holding := match part_named m f with
  | Some _ => r | None => if Nat.ltb f (length (parts m)) then anything else nothing end.
Definition means (v : slot) : holding := match v with
  | Plain Members.Forgotten => anything
  | Plain Members.NothingHeld => eq Uninitialised
  | Plain (Members.IntegerSlot t) => eq (Integer (eval nu t))
  | Plain Members.NullSlot => eq Null
  | Plain (Members.PointerSlot o i b) => match object_named m o with
    | Some _ => eq (Pointer {| target := rho o; index := eval nu i; byte := b |}) | None => nothing end
  | RootOf f => means_part f (roots f)
  | LastOf f => means_part f (lasts f) end.
Definition means_element f i : holding :=
  if (0 <=? i) && (i <? Z.of_nat (length (apart f))) then means (nth (Z.to_nat i) (apart f) forgotten)
  else match rest f with Some a => eq (Integer (eval_array nu a i)) | None => anything end.
(** What dead objects hold is no matter. *)
Record describes_object x (y : object) : Prop := {
  same_kind : declared y = kind x;
  same_alive : alive y = life_of x;
  same_start : lower y = eval nu (begins x);
  same_end : upper y = eval nu (ends x);
  same_width : length (fields_of y) = length (contents x);
  same_elements : life_of x = Live -> forall f i, lower y <= i < upper y ->
    means_element (nth f (contents x) no_field) i (read (field_of y f) i) }.

(** A tree has no last cell, and NULL below.  In which order its cells are
    listed is no matter. *)
Variable sorts : list symbol_sort.
Variable phi : meaning.
Definition describes_part g f q cells := exists fp, Permutation fp cells /\ match nth_error sorts (symbol q) with
  | Some (TreeOf s) => below q = Plain Members.NullSlot /\ sub (lasts f) nothing /\
      tree_at g (trees phi (symbol q)) (roots f) (means (above q)) (means (alongside q)) fp
  | Some (SegmentOf s) =>
      context_at g (contexts phi (symbol q)) (roots f) (means (above q)) (means (alongside q)) fp (lasts f) (means (below q))
  | None => False end.
End Valuation.

(** All that is owed is in the tables. *)
Definition tables_whole m (rho : nat -> nat) (cells : nat -> list nat) g := forall p, owed P g p ->
  (exists o x, object_named m o = Some x /\ rho o = p) \/ exists f q, part_named m f = Some q /\ In p (cells f).
(** A node begins at 0 and is one element; of a declaration with a name what
    lives is the one that [Address] gives; where leaks are checked, the tables
    are whole. *)
Record describes_by sorts nu phi m rho roots lasts cells g : Prop := {
  is_at : location g = place_of m;
  register_count : length (values g) = length (slots m);
  name_count : length (current g) = length (objects P);
  registers_hold : forall r, means nu m rho roots lasts (slot_at m r) (register g r);
  objects_exist : forall o x, object_named m o = Some x -> (rho o < length (memory g))%nat;
  objects_hold : forall o x, object_named m o = Some x -> describes_object nu m rho roots lasts x (object_at g (rho o));
  objects_apart : forall o o' x x', object_named m o = Some x -> object_named m o' = Some x' -> rho o = rho o' -> o = o';
  names_hold : forall o x, object_named m o = Some x -> life_of x = Live -> has_name (kind x) = true ->
    nth (kind x) (current g) None = Some (rho o);
  nodes_hold : forall o x, object_named m o = Some x -> is_node (kind x) = true -> eval nu (begins x) = 0 /\ eval nu (ends x) = 1;
  parts_hold : forall f q, part_named m f = Some q -> describes_part nu m rho roots lasts sorts phi g f q (cells f);
  cells_once : forall f q, part_named m f = Some q -> NoDup (cells f);
  parts_apart : forall f f' q q' c, part_named m f = Some q -> part_named m f' = Some q' -> In c (cells f) -> In c (cells f') -> f = f';
  cells_apart : forall o x f q, object_named m o = Some x -> part_named m f = Some q -> ~ In (rho o) (cells f);
  all_tabled : checks_leaks P -> tables_whole m rho cells g }.
Definition describes sorts nu phi m g := exists rho roots lasts cells, describes_by sorts nu phi m rho roots lasts cells g.

(** The state of an execution is part of one that is described: all that its
    registers and names lead to, up to names and index shifts; and all that is
    owed, where leaks are checked. *)
Definition everything : knowledge := {|
  knows_register := fun _ => True; knows_element := fun _ _ _ => True; knows_name := fun d => has_name d = true |}.
(** Of a declaration with a name what lives is the object that [Address] gives:
    static objects are made at the entry, and never end. *)
Definition lives_by_name s := forall o, alive (object_at s o) = Live -> has_name (declared (object_at s o)) = true ->
  nth (declared (object_at s o)) (current s) None = Some o.
(** As states of executions are. *)
Record fine_state s : Prop := {
  fine_tidy : tidy P s;
  fine_typed : typed P s;
  fine_ordered : all_ordered s;
  fine_exist : pointers_exist s;
  fine_named : lives_by_name s;
  fine_inside : inside_state s }.
Definition denotes_state sorts nu phi m s := exists g rho, fine_state g /\ describes sorts nu phi m g /\ alike everything rho g s /\
  (checks_leaks P -> all_mapped P rho g s).
End Members.
