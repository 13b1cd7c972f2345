(** Folded parts of heaps: Unfold, and leaving a node out of an input
    (spec/calculus.md#unfold, spec/numbering.md#nodes). *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States.
Import ListNotations.
Open Scope N_scope.

(** ** Slots that are replaced everywhere *)

Definition map_cells (f : slot -> slot) (x : field_state) : field_state := {| cells := List.map f (cells x); rest := rest x |}.
Definition map_part (f : slot -> slot) (p : folded) : folded := {| symbol := symbol p; above := f (above p); same := f (same p); below := f (below p) |}.
Definition map_slots (f : slot -> slot) (m : member_state) : member_state :=
  with_held (with_parts (with_objects m
    (map_numbered (fun x => with_fields x (List.map (map_cells f) (field_states x))) (objects_held m)))
    (map_numbered (map_part f) (parts_held m)))
    (map_numbered f (held m)).
Definition part_at m f : computes folded := some (find (parts_held m) f) Rejection.Missing.
(** The part is no more: pointers to its root and to its last cell become these. *)
Definition replace_part m f (root_ last_ : slot) : member_state :=
  map_slots (fun v => match v with
    | Folded g => if g =? f then root_ else v
    | Last g => if g =? f then last_ else v
    | v => v end) (with_parts m (clear (parts_held m) f)).
(** The part is an empty tree, or an empty segment. *)
Definition close_part m f : computes member_state := let$ p := part_at m f in ret (replace_part m f (below p) (above p)).

(** ** A node *)

(** What a field of a new node holds. *)
Inductive content :=
| Held (v : slot)
| Above_                                 (** a pointer to the cell above *)
| Same_                                  (** what the same field of the cell above holds *)
| TreeBelow (s : N) (f : option N)       (** a tree of this symbol, whose [Same] field this is *)
| HandedBelow (s : N) (from : source)    (** a tree of this symbol, to which this is handed *)
| Hole                                   (** what follows in the segment *)
| RingBelow (s b : N)                    (** a ring of this symbol around this byte of the node *)
| LastBelow (f : N).                     (** the last cell of the ring in this field *)

(** What stands around a new node. *)
Record surroundings := { to_node : slot; up_is : slot; same_is : slot; hole_is : slot }.
Definition held_by (r : surroundings) (x : content) : slot := match x with
  | Held v => v | Above_ => up_is r | Same_ => same_is r | Hole => hole_is r | _ => Forgotten end.
(** Another byte of the node. *)
Definition at_byte (v : slot) (b : N) : slot := match v with PointerSlot o i _ => PointerSlot o i b | v => v end.
(** The fields of a new node, and the parts below it, in order. *)
Fixpoint fields_of_node (r : surroundings) (all : list content) m (xs : list content) : list slot * list N * member_state := match xs with
  | [] => ([], [], m)
  | x :: xs =>
    let part s v := {| symbol := s; above := to_node r; same := v; below := NullSlot |} in
    let hang p := let (f, m) := add_part m p in (Folded f, [f], m) in
    let '(v, new, m) := match x with
      | TreeBelow s f => hang (part s match f with
        | Some f => match nth all f with Some y => held_by r y | None => Forgotten end
        | None => Forgotten end)
      | HandedBelow s _ => hang (part s (same_is r))
      | RingBelow s b => let v := at_byte (to_node r) b in hang {| symbol := s; above := v; same := Forgotten; below := v |}
      | x => (held_by r x, [], m) end in
    let '(vs, fs, m) := fields_of_node r all m xs in
    (v :: vs, new ++ fs, m) end.
(** What leads to the last cell of a ring holds this when the ring is there. *)
Definition leads_to_last (all : list content) (vs : list slot) (p : content * slot) : slot := match p with
  | (LastBelow f, _) => match nth all f, nth vs f with Some (RingBelow _ _), Some (Folded g) => Last g | _, _ => Forgotten end
  | (_, v) => v end.
Definition with_lasts (xs : list content) (vs : list slot) : list slot := List.map (leads_to_last xs vs) (List.combine xs vs).
(** What a field holds that is handed on may be a tree that hangs from there. *)
Definition hand_on (vs : list slot) m (x : content * slot) : computes member_state := match x with
  | (HandedBelow _ (FromField f), Folded g) =>
    let$ v := some (nth vs f) Rejection.Missing in
    let$ p := part_at m g in
    ret (with_parts m (put (parts_held m) g {| symbol := symbol p; above := above p; same := v; below := below p |}))
  | _ => ret m end.
(** The rest of a segment, at whose end the node is. *)
Definition rest_of_segment m (p : folded) (v : slot) (x : option (N * segment_end)) : slot * slot * slot * slot * member_state := match x with
  | None => (v, v, above p, below p, m)
  | Some (s, Top) =>
    let (f, m) := add_part m {| symbol := s; above := v; same := same p; below := below p |} in (v, Last f, above p, Folded f, m)
  | Some (s, Bottom) =>
    let (f, m) := add_part m {| symbol := s; above := above p; same := same p; below := v |} in (Folded f, v, Last f, below p, m) end.
(** The part is a node with these contents, to whose byte b pointers to it lead; gives
    the parts below it. *)
Definition open_part m f (d b : N) (xs : list content) (x : option (N * segment_end)) : computes (list N * member_state) :=
  let$ p := part_at m f in
  let$ zero := constant_term 0 in let$ one := constant_term 1 in
  let (o, m) := vacant m d in
  let v := PointerSlot o zero b in
  let '(root_, last_, up, hole, m) := rest_of_segment m p v x in
  let r := {| to_node := v; up_is := up; same_is := same p; hole_is := hole |} in
  let '(vs, fs, m) := fields_of_node r xs m xs in
  let vs := with_lasts xs vs in
  let$ m := folded_left (hand_on vs) (List.combine xs vs) m in
  let y := {| named := o; declaration := d; life_of := Live; lower := zero; upper := one;
    field_states := List.map (fun v => {| cells := [v]; rest := None |}) vs |} in
  let m := with_objects m (put (objects_held m) o y) in
  ret (fs, replace_part m f root_ last_).

Section Unfold.
Variable E : setting.

Fixpoint contents_of c env (hole : option N) (n : N) (xs : list (link * field)) : computes (list content * configuration * environment) := match xs with
  | [] => ret ([], c, env)
  | (l, f) :: xs =>
    let is_hole := match hole with Some h => h =? n | None => false end in
    let$ (x, c, env) :=
      if is_hole then ret (Hole, c, env) else match l, field_type f with
      | _, IntegerType T =>
        let$ (t, c, env) := new_value E c env T in
        let$ c := match l with
          | Range a b => let$ (low, high) := within t (a, b) in let$ c := assume c low in assume c high
          | _ => ret c end in
        ret (Held (IntegerSlot t), c, env)
      | Child s, Pointer => let (y, c) := fresh_symbol c (Tree s) in let$ g := same_field_of E s in ret (TreeBelow y g, c, env)
      | Handed s from, Pointer => let (y, c) := fresh_symbol c (Tree s) in ret (HandedBelow y from, c, env)
      | Ring s b, Pointer => let (y, c) := fresh_symbol c (Segment s) in ret (RingBelow y b, c, env)
      | Last_ f, Pointer => ret (LastBelow f, c, env)
      | Anything, Pointer => ret (Held Forgotten, c, env)
      | Up, Pointer => ret (Above_, c, env)
      | Same, Pointer => ret (Same_, c, env)
      | Null, Pointer => ret (Held NullSlot, c, env)
      | _, Pointer => ret (Held Uninitialised, c, env) end in
    let$ (ys, c, env) := contents_of c env hole (N.succ n) xs in
    ret (x :: ys, c, env) end.
Definition contents_of_node c env (d : N) (ks : list link) (hole : option N) : computes (list content * configuration * environment) :=
  let$ l := layout_in E d in
  contents_of c env hole 0 (List.combine ks (fields l)).

(** Every occurrence of a symbol, in all members and at the entry (attack H6). *)
Definition occurrences m (s : N) : list N := List.map fst (filter (fun '(_, p) => symbol p =? s) (in_order (parts_held m))).
Definition in_member (act : member_state -> N -> computes member_state) (s : N) m : computes member_state := folded_left act (occurrences m s) m.
Definition each_occurrence (act : member_state -> N -> computes member_state) (s : N) c : computes configuration :=
  let$ ms := mapped (in_member act s) (herd c) in
  let$ e := match entry_member c with Some m => let$ m := in_member act s m in ret (Some m) | None => ret None end in
  ret (with_entry (with_herd c ms) e).

Definition is_child_of (s : N) (l : link) : bool := match l with Child t => t =? s | _ => false end.
(** The fields that may lead on to a hole. *)
Definition holes (s : N) (ks : list link) : list N :=
  List.map fst (filter (fun '(_, l) => is_child_of s l) (List.combine (numbers_from 0 (length ks)) ks)).
Definition open_case c (shape : tree_sort) (s d b : N) (e : segment_end) (ks : list link) (hole : option N) : computes configuration :=
  let$ (xs, c, _) := contents_of_node c AnyValue d ks hole in
  let (x, c) := match shape with Tree _ => (None, c) | Segment _ => let (y, c) := fresh_symbol c shape in (Some (y, e), c) end in
  each_occurrence (fun m f => let$ (_, m) := open_part m f d b xs x in ret m) s c.
Definition unfold c (s : N) (e : segment_end) : computes (list configuration) :=
  let$ shape := some (find (symbols c) s) Rejection.Missing in
  let '(of, is_tree) := match shape with Tree t => (t, true) | Segment t => (t, false) end in
  let$ (d, r, ss) := nodes_of E of in
  let$ empty := if is_any r || negb is_tree then let$ c := each_occurrence close_part s c in ret [c] else ret [] in
  let$ others := mapped (fun ks => mapped (open_case c shape s d (entrance r) e ks)
    (if is_tree then [None] else List.map Some (holes of ks))) ss in
  ret (empty ++ List.concat others).

(** ** Leaving a node out *)

Definition set_up (v : slot) (x : link * field_state) : field_state := match x with
  | (Up, f) => {| cells := List.map (fun _ => v) (cells f); rest := rest f |} | (_, f) => f end.
Fixpoint set_ups (v : slot) (ks : list link) (fs : list field_state) : list field_state := match ks, fs with
  | k :: ks, f :: fs => set_up v (k, f) :: set_ups v ks fs | _, fs => fs end.
(** The node or part, if it is one, hangs from where the pointer leads. *)
Definition hang_from m (heir v : slot) (ks : list link) : computes member_state := match heir with
  | PointerSlot o _ _ =>
    let$ x := object_state_at m o in
    ret (with_objects m (put (objects_held m) o (with_fields x (set_ups v ks (field_states x)))))
  | Folded f =>
    let$ p := some (find (parts_held m) f) Rejection.Drop in
    ret (with_parts m (put (parts_held m) f {| symbol := symbol p; above := v; same := same p; below := below p |}))
  | _ => ret m end.
Definition first_cell x (f : N) : computes slot := match nth (field_states x) f with
  | Some {| cells := v :: _ |} => ret v | _ => refuses Rejection.Drop end.
Fixpoint up_position (n : N) (ks : list link) : option N := match ks with
  | [] => None | Up :: _ => Some n | _ :: ks => up_position (N.succ n) ks end.
(** A child of the same declaration, or NULL, in its place; what has been left out is none
    of the input (attack H17). *)
Definition drop_node m (o : N) (child : option N) : computes member_state :=
  let$ x := some (find (objects_held m) o) Rejection.Drop in
  demand (is_live (life_of x)) Rejection.Drop >>
  let v := element o (lower x) in
  let$ (_, _, ss) := nodes_of E (declaration x) in
  match ss with
  | [ks] =>
    let$ heir := match child with
      | Some f => demand match nth ks f with Some l => is_child_of (declaration x) l | None => false end Rejection.Drop >> first_cell x f
      | None => ret NullSlot end in
    let$ up := match up_position 0 ks with Some f => let$ v := first_cell x f in ret (Some v) | None => ret None end in
    let m := map_slots (fun w => if slot_eqb w v then heir else w) m in
    let$ m := kill m o in
    match up with Some v => hang_from m heir v ks | None => ret m end
  | _ => refuses Rejection.Drop end.
End Unfold.
