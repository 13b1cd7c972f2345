(** Inputs and entry states (spec/program.md#inputs). *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine.
Import ListNotations.
Open Scope Z_scope.

(** What the caller hands over: of a node its integers and, for each child
    field, what hangs there. *)
Inductive linked := NoNode | LinkedTo (integers : list Z) (children : list linked).
Inductive input_value :=
| IntegerValue (z : Z)
| ArrayValue (elements : list (list Z))
| SingleValue (fields : option (list Z))
| LinkedValue (t : linked).

Section Inputs.
Variable P : program.

(** One integer for each integer field, in its range. *)
Fixpoint row_fits (l : list Programs.field) (row : list Z) : bool := match l with
  | [] => match row with [] => true | _ => false end
  | f :: l => match holds f, row with
    | PointerType, _ => row_fits l row
    | IntegerType T, z :: row => Integers.is_within T z && row_fits l row
    | IntegerType _, [] => false end end.
Fixpoint columns (l : list Programs.field) n (rows : list (list Z)) : list cells := match l with
  | [] => []
  | f :: l => match holds f with
    | PointerType => {| initially := Same Uninitialised; written := [] |} :: columns l n rows
    | IntegerType _ => {| initially := Each (map (fun row => Integer (nth n row 0)) rows); written := [] |} :: columns l (S n) rows
    end end.
Definition array_object d rows := {| declared := d; lower := 0; upper := Z.of_nat (length rows); alive := Live;
  fields_of := columns (layout_fields (layout_of_declaration P d)) 0 rows |}.
Definition start_of o := Pointer {| target := o; index := 0; byte := 0 |}.

Definition links_of d := match origin_of (declaration_of P d) with LinkedNode l => l | _ => [] end.
Definition child_sorts (l : list link) := flat_map (fun l => match l with Child s => [s] | _ => [] end) l.
Fixpoint node_cells (ls : list link) (integers : list Z) (children : list value) above : list cells := match ls with
  | [] => []
  | l :: ls =>
    let cell v rest := {| initially := Same v; written := [] |} :: rest in
    match l with
    | Data | Range _ _ => cell (Integer (hd 0 integers)) (node_cells ls (tl integers) children above)
    | Child _ => cell (hd Null children) (node_cells ls integers (tl children) above)
    | Up => cell above (node_cells ls integers children above)
    | Sorts.Null => cell Null (node_cells ls integers children above)
    | Other | Sorts.Same | Anything | Handed _ _ | Ring _ _ | Last _ => cell Uninitialised (node_cells ls integers children above) end end.

(** Nodes in preorder, the first of them number n. *)
Fixpoint plant (t : linked) d above n {struct t} : option (value * list object) := match t with
  | NoNode => Some (Null, [])
  | LinkedTo integers children =>
    let fix all (ts : list linked) ds m := match ts, ds with
      | [], [] => Some ([], [])
      | t :: ts, d :: ds => match plant t d (start_of n) m with
        | Some (v, os) => match all ts ds (m + length os)%nat with
          | Some (vs, os') => Some (v :: vs, os ++ os') | None => None end
        | None => None end
      | _, _ => None end in
    match all children (child_sorts (links_of d)) (S n) with
    | Some (vs, os) =>
      if row_fits (layout_fields (layout_of_declaration P d)) integers
      then Some (start_of n, {| declared := d; lower := 0; upper := 1; alive := Live;
                                fields_of := node_cells (links_of d) integers vs above |} :: os)
      else None
    | None => None end end.

Record loading := { loaded : list value; made : list object; latest : list (option nat) }.
Definition with_register a r v := {| loaded := replace (loaded a) r v; made := made a; latest := latest a |}.
Definition with_object a d o :=
  {| loaded := loaded a; made := made a ++ [o]; latest := replace (latest a) d (Some (length (made a))) |}.

Definition is_integer f := match holds f with IntegerType _ => true | PointerType => false end.
Definition load_input a (i : input) (v : input_value) : option loading := match i, v with
  | IntegerInput r, IntegerValue z =>
    if Integers.is_within (integer_type_of P r) z then Some (with_register a r (Integer z)) else None
  | ArrayInput p n d, ArrayValue rows =>
    let l := layout_of_declaration P d in
    let count := Z.of_nat (length rows) in
    if forallb is_integer (layout_fields l) && forallb (row_fits (layout_fields l)) rows
       && Integers.is_within (integer_type_of P n) count && (count <=? most_bytes / element_size l)
    then Some (with_object (with_register (with_register a n (Integer count)) p (start_of (length (made a)))) d (array_object d rows))
    else None
  | SingleInput p d, SingleValue None => Some (with_register a p Null)
  | SingleInput p d, SingleValue (Some row) =>
    if row_fits (layout_fields (layout_of_declaration P d)) row
    then Some (with_object (with_register a p (start_of (length (made a)))) d (array_object d [row])) else None
  | LinkedInput p d, LinkedValue t => match plant t d Null (length (made a)) with
    | Some (v, os) => Some {| loaded := replace (loaded a) p v; made := made a ++ os; latest := latest a |}
    | None => None end
  | _, _ => None end.
Fixpoint load_inputs a (is : list input) (vs : list input_value) : option loading := match is, vs with
  | [], [] => Some a
  | i :: is, v :: vs => match load_input a i v with Some a => load_inputs a is vs | None => None end
  | _, _ => None end.

(** ** Static objects, behind those of the inputs *)

Definition is_static_declaration o := match origin_of o with Static _ _ _ => true | _ => false end.
Definition static_reference base d := (base + length (filter is_static_declaration (firstn d (objects P))))%nat.
Definition static_cells base (f : Programs.field) (c : contents) : cells :=
  {| initially := match c with
       | Zeros => Same (zero_of (holds f))
       | FromTable t => Each (map Integer (Programs.values (nth t (tables P) {| table_type := Bool; Programs.values := [] |})))
       | Pointers ds => Each (map (fun d => match d with Some d => start_of (static_reference base d) | None => Null end) ds)
       end; written := [] |}.
Definition static_object base d : list object := match origin_of (declaration_of P d) with
  | Static count cs _ =>
    [{| declared := d; lower := 0; upper := count; alive := Live;
        fields_of := map (fun p => static_cells base (fst p) (snd p))
          (List.combine (layout_fields (layout_of_declaration P d)) cs) |}]
  | _ => [] end.
Definition numbered {A} (l : list A) := List.combine (seq 0 (length l)) l.
Definition add_statics a : state :=
  let base := length (made a) in
  {| location := 0; values := loaded a;
     memory := made a ++ flat_map (static_object base) (seq 0 (length (objects P)));
     current := map (fun p => match origin_of (snd p) with
        | Static _ _ _ => Some (static_reference base (fst p))
        | _ => nth (fst p) (latest a) None end) (numbered (objects P)) |}.

(** None: no valid input. *)
Definition entry_state (vs : list input_value) : option state :=
  option_map add_statics
    (load_inputs {| loaded := map (fun _ => Uninitialised) (registers P); made := []; latest := map (fun _ => None) (objects P) |}
       (inputs P) vs).
End Inputs.
