(** Subsume: a template covers a configuration (spec/calculus.md#subsume,
    spec/numbering.md#covering); what templates are. *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Stepping Folds.
Import ListNotations.
Open Scope N_scope.

(** ** Substitutions *)

(** [images]: what has been substituted already; [depth]: terms mention earlier ones
    alone, so they are no deeper than there are terms. *)
Record substitution := { of_integers : list (list N); of_arrays : list (list N); images : PositiveMap.t N; depth : nat }.
Definition key_of_part (p : part) : positive := match p with LinearPart t => (N.succ_pos t)~0 | ArrayPart a => (N.succ_pos a)~1 end.
Fixpoint take_first (n : nat) (l : list N) : option (list N * list N) := match n, l with
  | O, l => Some ([], l)
  | S _, [] => None
  | S n, a :: l => option_map (fun '(k, l) => (a :: k, l)) (take_first n l) end.
(** The terms of each sort, if there are as many as variables. *)
Fixpoint by_sort (counts : list N) (ts : list N) : option (list (list N)) := match counts with
  | [] => match ts with [] => Some [] | _ :: _ => None end
  | n :: counts =>
    if count ts <? n then None else
    match take_first (N.to_nat n) ts with
    | Some (own, ts) => option_map (cons own) (by_sort counts ts)
    | None => None end end.
Definition nested (l : list (list N)) (n m : N) : computes N :=
  some (match nth l n with Some l => nth l m | None => None end) Rejection.Substitution.
(** The image of a variable, or of what was substituted already. *)
Definition known_image (th : substitution) (p : part) : computes (option N) :=
  let cached := PositiveMap.find (key_of_part p) (images th) in
  match p with
  | LinearPart t =>
    let$ a := as_atom t in
    match a with
    | Some (IntegerVariable s x) => let$ n := nested (of_integers th) (number_of_sort s) x in ret (Some n)
    | _ => ret cached end
  | ArrayPart a =>
    let$ x := array_at a in
    match x with
    | ArrayVariable T x => let$ n := nested (of_arrays th) (number_of T) x in ret (Some n)
    | _ => ret cached end end.
Definition with_image th p n := {| of_integers := of_integers th; of_arrays := of_arrays th; images := PositiveMap.add (key_of_part p) n (images th); depth := depth th |}.
Definition each_image (image : substitution -> part -> computes (N * substitution)) th (ps : list part) : computes (list N * substitution) :=
  folded_left (fun '(ns, th) p => let$ (n, th) := image th p in ret (ns ++ [n], th)) ps ([], th).
Fixpoint image_of (fuel : nat) (th : substitution) (p : part) : computes (N * substitution) :=
  let$ k := known_image th p in
  match k, fuel with
  | Some n, _ => ret (n, th)
  | None, O => refuses Rejection.Substitution
  | None, S fuel =>
    let$ (n, th) := match p with
      | LinearPart t =>
        let$ a := as_atom t in
        match a with
        | Some a => let$ (ns, th) := each_image (image_of fuel) th (parts_of_atom a) in let$ n := normal (atom_with a ns) in ret (n, th)
        | None =>
          let$ l := linear_at t in
          let$ ps := mapped (fun '(a, _) => let$ t := of_atom a in ret (LinearPart t)) (summands l) in
          let$ (ns, th) := each_image (image_of fuel) th ps in
          let$ n := combine (constant l) (List.combine ns (List.map snd (summands l))) in ret (n, th) end
      | ArrayPart a =>
        let$ x := array_at a in
        let$ (ns, th) := each_image (image_of fuel) th (parts_of_array x) in
        let$ n := normal_array (array_with x ns) in ret (n, th) end in
    ret (n, with_image th p n) end.
Definition linear_image th t : computes (N * substitution) :=
  let$ v := value_of t in
  match v with Some _ => ret (t, th) | None => image_of (depth th) th (LinearPart t) end.
Definition array_image th a : computes (N * substitution) := image_of (depth th) th (ArrayPart a).
Definition substitution_of c (sc : scope) (mt : matching) : computes substitution :=
  let$ is_ := some (by_sort (integers sc) (integer_images mt)) Rejection.Substitution in
  let$ as_ := some (by_sort (arrays sc) (array_images mt)) Rejection.Substitution in
  for_each (fun '(s, ts) => for_each (fun t => shown_integer (variables c) (known_literals c) t s) ts)
    (List.combine (None :: List.map Some all_types) is_) >>
  for_each (fun '(T, ars) => for_each (fun a => shown_array (variables c) (known_literals c) a T) ars) (List.combine all_types as_) >>
  looks (fun s => {| of_integers := is_; of_arrays := as_; images := PositiveMap.empty N;
    depth := S (N.to_nat (how_many (linear_nodes s) + how_many (array_nodes s))) |}).

(** ** What is read *)

Inductive piece := NullPiece | SymbolPiece (s : N) | NodePiece | DataPiece (t : N) | HeaderPiece.
(** Where a ring ends: the pointer to its header, and what is to be its last cell. *)
Record ring_end := { header_is : slot; last_is : option slot }.
(** A pointer in the heap: what it holds, the pointer to the cell above, what its [Same]
    field must hold, of which sort the tree must be, and the ring that it is in, if it is. *)
Record reading_position := { value_at : slot; above_at : option slot; same_at : option slot; sort_at : N; ring_at : option ring_end }.

(** A covering under way: what of the member has been neither matched nor read; by object
    of the template its image; by part of the template what pointers to its root and to its
    last cell hold; by symbol of the template what it stands for. *)
Record covering := {
  free_objects : numbered object_state; free_parts : numbered folded; matched : PositiveMap.t N;
  roots_seen : numbered slot; ends_seen : numbered slot; theta : substitution; read_symbols : PositiveMap.t (list piece) }.
Definition with_free v os ps := {| free_objects := os; free_parts := ps; matched := matched v; roots_seen := roots_seen v; ends_seen := ends_seen v; theta := theta v; read_symbols := read_symbols v |}.
Definition with_seen v r e := {| free_objects := free_objects v; free_parts := free_parts v; matched := matched v; roots_seen := r; ends_seen := e; theta := theta v; read_symbols := read_symbols v |}.
Definition with_theta v th := {| free_objects := free_objects v; free_parts := free_parts v; matched := matched v; roots_seen := roots_seen v; ends_seen := ends_seen v; theta := th; read_symbols := read_symbols v |}.
Definition with_matched v m := {| free_objects := free_objects v; free_parts := free_parts v; matched := m; roots_seen := roots_seen v; ends_seen := ends_seen v; theta := theta v; read_symbols := read_symbols v |}.
Definition with_read v s := {| free_objects := free_objects v; free_parts := free_parts v; matched := matched v; roots_seen := roots_seen v; ends_seen := ends_seen v; theta := theta v; read_symbols := s |}.

Definition take_object v o : computes (object_state * covering) :=
  let$ x := some (find (free_objects v) o) Rejection.NotRead in ret (x, with_free v (clear (free_objects v) o) (free_parts v)).
(** Two values that nobody knows are not one pointer (attack K3). *)
Definition is_one_slot (p : option slot) (found : slot) : bool := match p with
  | None => true | Some v => negb (is_forgotten found) && slot_eqb v found end.
Definition agree_in (x : numbered slot) (n : N) (v : slot) : computes (numbered slot) :=
  demand (n <? given x) Rejection.Missing >>
  match find x n with
  | Some w => demand (slot_eqb w v) Rejection.Slot >> ret x
  | None => ret (put x n v) end.
Definition agree_root v f w : computes covering := let$ r := agree_in (roots_seen v) f w in ret (with_seen v r (ends_seen v)).
Definition agree_end v f w : computes covering := let$ e := agree_in (ends_seen v) f w in ret (with_seen v (roots_seen v) e).

Section Subsume.
Variable E : setting.
Variable c : configuration.
Variable pattern : configuration.
Variable mt : matching.

Definition equal_terms s t : computes unit := if s =? t then ret tt else let$ l := equal s t in entail (known_literals c) l.
(** The term is equal to the image of the template's. *)
Definition equal_to_image v s t : computes covering := let$ (u, th) := linear_image (theta v) t in equal_terms s u >> ret (with_theta v th).
Fixpoint equal_arrays (fuel : nat) a b : computes unit :=
  if a =? b then ret tt else
  let$ x := array_at a in let$ y := array_at b in
  match x, y, fuel with
  | Stored a i s, Stored b j t, S fuel => equal_terms i j >> equal_terms s t >> equal_arrays fuel a b
  | Constant s, Constant t, _ => equal_terms s t
  | _, _, _ => refuses Rejection.Slot end.

(** ** Slots and objects *)

Definition pointer_matches v o b o' b' : bool := match PositiveMap.find (N.succ_pos o') (matched v) with
  | Some p => (p =? o) && (b =? b') | None => false end.
Definition cover_other v w target_ : computes covering := match w, target_ with
  | (Forgotten | IntegerSlot _), _ => refuses Rejection.Slot
  | w, Folded f => agree_root v f w
  | w, Last f => agree_end v f w
  | _, _ => refuses Rejection.Slot end.
Definition cover_slot v (w target_ : slot) : computes covering := match w, target_ with
  | _, Forgotten | Uninitialised, Uninitialised | NullSlot, NullSlot => ret v
  | IntegerSlot s, IntegerSlot t => equal_to_image v s t
  | PointerSlot o i b, PointerSlot o' i' b' => if pointer_matches v o b o' b' then equal_to_image v i i' else refuses Rejection.Slot
  | w, t => cover_other v w t end.
Definition cover_slots v (ps : list (slot * slot)) : computes covering := folded_left (fun v '(w, t) => cover_slot v w t) ps v.

Definition cover_field x v (p : field_state * field_state) : computes covering :=
  let (f, t) := p in
  let alike := (count (cells f) =? count (cells t)) && Bool.eqb (has_no_rest f) (has_no_rest t) in
  let longer := (count (cells f) <=? count (cells t)) && forallb is_integer_slot (skipn (length (cells f)) (cells t)) in
  let$ all := is_all x f in
  demand (alike || (longer && all)) Rejection.Shape >>
  let$ v := cover_slots v (List.combine (cells f) (cells t)) in
  match rest f, rest t with
  | Some a, Some b =>
    let$ (b, th) := array_image (theta v) b in
    let$ n := looks (fun s => how_many (array_nodes s)) in
    equal_arrays (N.to_nat n) a b >> ret (with_theta v th)
  | _, _ => ret v end.
Definition cover_object v (p : object_state * object_state) : computes covering :=
  let (x, t) := p in
  demand ((declaration x =? declaration t) && Bool.eqb (is_live (life_of x)) (is_live (life_of t))) Rejection.Shape >>
  let$ v := equal_to_image v (lower x) (lower t) in
  let$ v := equal_to_image v (upper x) (upper t) in
  folded_left (cover_field x) (List.combine (field_states x) (field_states t)) v.

(** ** Folded parts *)

(** What a slot around a part holds; none for anything. *)
Definition around v (target_ : slot) (f : N) : computes (option slot) :=
  let$ w := match target_ with
    | NullSlot => ret (Some NullSlot)
    | PointerSlot o i b =>
      let$ z := value_of i in
      ret match z, PositiveMap.find (N.succ_pos o) (matched v) with Some _, Some p => Some (PointerSlot p i b) | _, _ => None end
    | Last g => ret (if g <? f then find (ends_seen v) g else None)
    | _ => ret None end in
  if is_forgotten target_ then ret None else
  demand match w with Some w => negb (is_forgotten w) | None => false end Rejection.NotRead >> ret w.

(** A reading: the shapes of nodes to come, the pieces so far, the last first, and what
    hangs below and has not been read, the last first. *)
Record reading := { so_far : covering; shapes_left : list N; pieces_read : list piece; hanging : list reading_position }.
Definition with_piece r p := {| so_far := so_far r; shapes_left := shapes_left r; pieces_read := p :: pieces_read r; hanging := hanging r |}.
Definition with_hanging r x := {| so_far := so_far r; shapes_left := shapes_left r; pieces_read := pieces_read r; hanging := x :: hanging r |}.
Definition with_covering r v := {| so_far := v; shapes_left := shapes_left r; pieces_read := pieces_read r; hanging := hanging r |}.
Definition with_rest_hanging r h := {| so_far := so_far r; shapes_left := shapes_left r; pieces_read := pieces_read r; hanging := h |}.

Definition is_up (l : link) : bool := match l with Up => true | _ => false end.
(** Along what sorts are within. *)
Fixpoint within_one_of (fuel : nat) (s t : N) : bool := (s =? t) || match fuel, own (names_in E) (sorts_in E) s with
  | S fuel, Some {| within_sort := Some w |} => within_one_of fuel w t | _, _ => false end.
Definition is_within_sort (s t : N) : bool := within_one_of (N.to_nat (entries (sorts_in E))) s t.

(** A ring has one way on, and nothing is handed on along it. *)
Definition is_handed (l : link) : bool := match l with Handed _ _ => true | _ => false end.
Definition has_one_way (s : N) (ks : list link) : bool := match filter (fun l => is_child_of s l || is_handed l) ks with
  | [l] => is_child_of s l | _ => false end.
Definition is_free (x : reading_position) : bool := match ring_at x with Some _ => false | None => true end.
(** What has no hole does not lead back to a header. *)
Definition read_part r f (x : reading_position) (ss : list (list link)) : computes reading :=
  let v := so_far r in
  let$ p := some (find (free_parts v) f) Rejection.NotRead in
  let r := with_covering r (with_free v (free_objects v) (clear (free_parts v) f)) in
  let is_below := is_one_slot (above_at x) (above p) in
  demand (is_below || negb (existsb (existsb is_up) ss)) Rejection.NotRead >>
  demand (is_one_slot (same_at x) (same p)) Rejection.NotRead >>
  let r := with_piece r (SymbolPiece (symbol p)) in
  let$ shape := some (find (symbols c) (symbol p)) Rejection.Missing in
  let '(found, is_segment) := match shape with Tree s => (s, false) | Segment s => (s, true) end in
  demand (is_within_sort found (sort_at x)) Rejection.NotRead >>
  demand (is_segment || is_free x) Rejection.NotRead >>
  ret (if is_segment then with_hanging r {| value_at := below p; above_at := Some (if is_below then Last f else Forgotten);
    same_at := same_at x; sort_at := sort_at x; ring_at := ring_at x |} else r).
(** What the [Same] fields of a tree must hold that hangs from the node. *)
Definition handed_down (l : link) y (x : reading_position) : computes (option slot) :=
  let cell (f : option N) := match f with
    | Some f => match nth (field_states y) f with Some {| cells := w :: _ |} => Some w | _ => None end
    | None => None end in
  match l with
  | Child s => let$ f := same_field_of E s in ret (cell f)
  | Handed _ (FromField f) => ret (cell (Some f))
  | _ => ret (same_at x) end.
(** What the node says is the last cell of the ring in field n: all of them one thing. *)
Definition is_last (n : N) (l : link) : bool := match l with Last_ f => f =? n | _ => false end.
Definition last_in (ps : list (link * field_state)) (n : N) : computes (option slot) :=
  match flat_map (fun '(l, f) => if is_last n l then cells f else []) ps with
  | [] => ret None
  | v :: vs => demand (forallb (slot_eqb v) vs) Rejection.NotRead >> ret (Some v) end.
Definition read_field y (x : reading_position) (all : list (link * field_state)) r (p : N * (link * field_state)) : computes reading :=
  let '(n, (l, f)) := p in
  let child s w := let$ g := handed_down l y x in
    ret (with_hanging r {| value_at := w; above_at := Some (value_at x); same_at := g; sort_at := s;
      ring_at := if s =? sort_at x then ring_at x else None |}) in
  match l, cells f with
  | Data, [IntegerSlot t] => ret (with_piece r (DataPiece t))
  | Range a b, [IntegerSlot t] => shown_range (known_literals c) t (a, b) >> ret (with_piece r (DataPiece t))
  | Up, [w] => if is_one_slot (above_at x) w then ret r else refuses Rejection.NotRead
  | Same, [w] => if is_one_slot (same_at x) w then ret r else refuses Rejection.NotRead
  | Other, [Uninitialised] | Null, [NullSlot] | Anything, [_] | Last_ _, [_] => ret r
  | Child s, [w] => child s w
  | Handed s _, [w] => child s w
  | Ring s b, [w] =>
    let h := at_byte (value_at x) b in
    let$ last_ := last_in all n in
    ret (with_hanging r {| value_at := w; above_at := Some h; same_at := None; sort_at := s;
      ring_at := Some {| header_is := h; last_is := last_ |} |})
  | _, _ => refuses Rejection.NotRead end.
Definition read_node r y (x : reading_position) (ss : list (list link)) : computes reading :=
  let '(shape, left_) := match ss, shapes_left r with
    | [_], l => (Some 0, l) | _, s :: l => (Some s, l) | _, [] => (None, []) end in
  let$ ks := some match shape with Some s => nth ss s | None => None end Rejection.NotRead in
  let r := {| so_far := so_far r; shapes_left := left_; pieces_read := NodePiece :: pieces_read r; hanging := hanging r |} in
  let all := List.combine ks (field_states y) in
  folded_left (read_field y x all) (List.combine (numbers_from 0 (length all)) all) r.
(** Behind the last cell of a ring stands its header; two values that nobody knows are not
    one pointer (attack K3). *)
Definition read_header r (x : reading_position) (h : ring_end) : computes reading :=
  demand match last_is h with Some v => is_one_slot (above_at x) v | None => true end Rejection.NotRead >>
  ret (with_piece r HeaderPiece).
(** One cell, or a symbol. *)
Definition read_below r (x : reading_position) (d : N) (root_ : root) (ss : list (list link)) : computes reading := match value_at x with
  | NullSlot => if is_any root_ && is_free x then ret (with_piece r NullPiece) else refuses Rejection.NotRead
  | Folded f => read_part r f x ss
  | PointerSlot o i b =>
    let$ (y, v) := take_object (so_far r) o in
    demand ((declaration y =? d) && is_live (life_of y) && slot_eqb (value_at x) (PointerSlot o (lower y) (entrance root_))) Rejection.NotRead >>
    read_node (with_covering r v) y x ss
  | _ => refuses Rejection.NotRead end.
Definition read_one r (x : reading_position) : computes reading :=
  let$ (d, root_, ss) := nodes_of E (sort_at x) in
  match ring_at x with
  | None => read_below r x d root_ ss
  | Some h =>
    demand (forallb (has_one_way (sort_at x)) ss) Rejection.NotRead >>
    if slot_eqb (header_is h) (value_at x) then read_header r x h else read_below r x d root_ ss end.
(** All that hangs below; each position that is read is NULL, or takes an object or a
    part. *)
Fixpoint read_all (fuel : nat) r : computes reading := match hanging r, fuel with
  | [], _ => ret r
  | x :: h, S fuel => let$ r := read_one (with_rest_hanging r h) x in read_all fuel r
  | _, O => refuses Rejection.NotRead end.
Definition most_fields : N := fold_left (fun n l => N.max n (count (fields l))) (layouts (program_in E)) 1.
Definition reading_fuel v : nat := N.to_nat ((given (free_objects v) + given (free_parts v) + 2) * (most_fields + 1)).

Fixpoint without_nth (l : list reading_position) (n : N) : option (reading_position * list reading_position) := match l with
  | [] => None
  | x :: l => if n =? 0 then Some (x, l) else option_map (fun '(y, l) => (y, x :: l)) (without_nth l (N.pred n)) end.
(** Along a path: which position below leads on, counted in the order of the fields. *)
Fixpoint read_path (fuel : nat) r (x : reading_position) (path : list N) : computes (reading * reading_position) := match path with
  | [] => ret (r, x)
  | child :: path =>
    let$ r := read_one r x in
    let$ (y, h) := some (without_nth (rev (hanging r)) child) Rejection.NotRead in
    demand ((sort_at y =? sort_at x) && is_free y) Rejection.NotRead >>
    let$ r := read_all fuel (with_rest_hanging r (rev h)) in
    read_path fuel r y path end.

Definition cover_piece (p : piece * piece) : computes unit := match p with
  | (DataPiece s, DataPiece t) => equal_terms s t
  | (NullPiece, NullPiece) | (NodePiece, NodePiece) | (HeaderPiece, HeaderPiece) => ret tt
  | (SymbolPiece s, SymbolPiece t) => demand (s =? t) Rejection.NotRead
  | _ => refuses Rejection.NotRead end.
(** The first occurrence says what the symbol stands for. *)
Definition occurrence v s (ps : list piece) : computes covering :=
  demand (s <? given (symbols pattern)) Rejection.Missing >>
  match PositiveMap.find (N.succ_pos s) (read_symbols v) with
  | None => ret (with_read v (PositiveMap.add (N.succ_pos s) ps (read_symbols v)))
  | Some first =>
    demand (count first =? count ps) Rejection.NotRead >>
    for_each cover_piece (List.combine first ps) >> ret v end.
Definition cover_part v (q : N * folded) : computes covering :=
  let (f, t) := q in
  let$ shape := some (find (symbols pattern) (symbol t)) Rejection.Missing in
  let '(s, is_tree) := match shape with Tree s => (s, true) | Segment s => (s, false) end in
  let$ (_, _, ss) := nodes_of E s in
  demand (is_tree || negb (existsb (existsb is_handed) ss)) Rejection.Shape >>
  demand (f <? given (roots_seen v)) Rejection.Missing >>
  let$ w := some (find (roots_seen v) f) Rejection.NotRead in
  let$ up := around v (above t) f in
  let$ along := around v (same t) f in
  let x := {| value_at := w; above_at := up; same_at := along; sort_at := s; ring_at := None |} in
  let$ path := some (nth (paths_read mt) (symbol t)) Rejection.Missing in
  let shapes_ := match nth (shapes_read mt) (symbol t) with Some l => l | None => [] end in
  let fuel := reading_fuel v in
  let$ (r, x) := read_path fuel {| so_far := v; shapes_left := shapes_; pieces_read := []; hanging := [] |} x path in
  let$ r := read_all fuel (if is_tree then with_hanging r x else r) in
  let v := so_far r in
  let$ v := if is_tree then ret v else
    let$ v := match above_at x with Some last_ => agree_end v f last_ | None => ret v end in
    cover_slot v (value_at x) (below t) in
  occurrence v (symbol t) (rev (pieces_read r)).

(** ** Members *)

Definition place_eqb (p q : place) : bool := match p, q with
  | At l, At k => l =? k | HasFailed, HasFailed => true | _, _ => false end.
Definition size_at_most (s t : input_size) : bool := match s, t with NotLarger, Smaller => false | _, _ => true end.
(** Is nothing left that a claim about leaks has to know of? *)
Definition nothing_left v : bool := negb (asks_for_leaks E) ||
  (is_empty (in_order (free_parts v)) && negb (existsb (fun '(_, x) => is_owed E x) (in_order (free_objects v)))).
Definition match_object (p : covering * list (object_state * object_state)) (q : object_state * N) : computes (covering * list (object_state * object_state)) :=
  let '(v, pairs) := p in let '(t, image) := q in
  let v := with_matched v (PositiveMap.add (N.succ_pos (named t)) image (matched v)) in
  let$ (x, v) := take_object v image in
  ret (v, pairs ++ [(x, t)]).
Definition cover_member (state_ : substitution * PositiveMap.t (list piece)) (p : member_state * member_state * list N) : computes (substitution * PositiveMap.t (list piece)) :=
  let '(m, t, images_) := p in
  demand (place_eqb (place_of m) (place_of t) && size_at_most (size_of m) (size_of t)) Rejection.Shape >>
  let parts_ := given (parts_held t) in
  let v := {| free_objects := objects_held m; free_parts := parts_held m; matched := PositiveMap.empty N;
    roots_seen := none_numbered slot parts_; ends_seen := none_numbered slot parts_; theta := fst state_; read_symbols := snd state_ |} in
  let targets := List.map snd (in_order (objects_held t)) in
  demand (count targets =? count images_) Rejection.Shape >>
  let$ (v, pairs) := folded_left match_object (List.combine targets images_) (v, []) in
  let$ v := cover_slot v (consumed_of m) (consumed_of t) in
  let$ v := cover_slots v (List.combine (List.map snd (in_order (held m))) (List.map snd (in_order (held t)))) in
  let$ v := folded_left cover_object pairs v in
  let$ v := folded_left cover_part (in_order (parts_held t)) v in
  demand (nothing_left v) Rejection.Leak >>
  ret (theta v, read_symbols v).
(** A symbol without occurrences stands for NULL or an empty segment, if for anything. *)
Definition may_be_empty (s : tree_sort) : bool := match s with
  | Tree s => match WellFormed.nodes (names_in E) (sorts_in E) s with Some (_, r, _) => is_any r | None => true end
  | Segment _ => true end.
Definition subsume : computes unit :=
  demand (progress c) Rejection.Progress >>
  let$ th := substitution_of c (variables pattern) mt in
  demand (count (paths_read mt) =? given (symbols pattern)) Rejection.Substitution >>
  demand ((count (herd c) =? count (herd pattern)) && (count (objects_matched mt) =? count (herd pattern))) Rejection.Shape >>
  let$ (th, read_) := folded_left cover_member (List.combine (List.combine (herd c) (herd pattern)) (objects_matched mt)) (th, PositiveMap.empty (list piece)) in
  demand (forallb (fun '(n, s) => PositiveMap.mem (N.succ_pos n) read_ || may_be_empty s) (in_order (symbols pattern))) Rejection.NotRead >>
  let$ _ := folded_left (fun th l =>
    let$ (t, th) := linear_image th (term_of l) in
    entail (known_literals c) (lit (sign_of l) t) >> ret th) (known_literals pattern) th in
  ret tt.
End Subsume.

(** ** Templates *)

Section Template.
Variable E : setting.
Variable t : template.

(** Of what kind slots are, and that terms mention the template's variables (attacks H19,
    K2). *)
Definition check_term (p : part) : computes unit := exists_in (scope_of t) p.
Definition sort_of_part (ps : list folded) (f : N) : computes tree_sort :=
  let$ p := some (nth ps f) Rejection.Missing in some (nth (trees t) (symbol p)) Rejection.Missing.
Definition check_slot (ps : list folded) (is_pointer_ : bool) (v : slot) : computes unit :=
  let$ ok := match v with
    | Forgotten | Uninitialised => ret true
    | IntegerSlot u => check_term (LinearPart u) >> ret (negb is_pointer_)
    | NullSlot => ret is_pointer_
    | PointerSlot _ i _ => check_term (LinearPart i) >> ret is_pointer_
    | Folded f => sort_of_part ps f >> ret is_pointer_
    | Last f => if is_pointer_ then let$ s := sort_of_part ps f in ret match s with Segment _ => true | Tree _ => false end else ret false end in
  demand ok Rejection.Slot.
Definition check_field (ps : list folded) (p : field * field_state) : computes unit :=
  let (f, x) := p in
  match rest x with
  | Some a => demand (negb (is_pointer (field_type f))) Rejection.Shape >> check_term (ArrayPart a)
  | None => ret tt end >>
  for_each (check_slot ps (is_pointer (field_type f))) (cells x).
Definition check_object_state (ps : list folded) (x : object_state) : computes unit :=
  let$ l := layout_in E (declaration x) in
  demand (count (fields l) =? count (field_states x)) Rejection.Shape >>
  check_term (LinearPart (lower x)) >> check_term (LinearPart (upper x)) >>
  for_each (check_field ps) (List.combine (fields l) (field_states x)).
(** Whichever segments are empty, what a pointer to a root denotes is well-founded. *)
Definition check_part (ps : list folded) (q : N * folded) : computes unit :=
  let (f, p) := q in
  check_slot ps true (above p) >> check_slot ps true (same p) >> check_slot ps true (below p) >>
  let$ s := sort_of_part ps f in
  demand match s, below p with
    | Tree _, NullSlot => true
    | Tree _, _ => false
    | Segment _, Folded g => f <? g
    | Segment _, Last g => negb (g =? f)
    | Segment _, _ => true end Rejection.Shape.
Definition check_member (m : member) : computes unit :=
  let ps := folded_parts m in
  match consumed m with Forgotten => ret tt | IntegerSlot u => check_term (LinearPart u) | _ => refuses Rejection.Slot end >>
  for_each (fun '(r, v) => let$ k := register_kind E r in check_slot ps (is_pointer k) v) (register_slots m) >>
  for_each (check_object_state ps) (object_states m) >>
  for_each (check_part ps) (List.combine (numbers_from 0 (length ps)) ps).
Definition check_kinds : computes unit :=
  for_each (fun l => check_term (LinearPart (term_of l))) (predicate t) >> for_each check_member (members t).

Definition described_member (m : member) : computes member_state :=
  demand (ascend (List.map fst (register_slots m)) && ascend (List.map named (object_states m))) Rejection.Shape >>
  let start := new_member E (At (location m)) Forgotten in
  let$ x := folded_left (fun x '(r, v) => set_register x r v) (register_slots m) start in
  let os := objects_held x in
  let os := {| present_entries := present_entries os; given := given os + count (object_states m) |} in
  let$ os := folded_left (fun os y => demand (named y <? given os) Rejection.Missing >> ret (put os (named y) y)) (object_states m) os in
  ret (with_consumed (with_size (with_parts (with_objects x os) (numbered_of (folded_parts m))) (size m)) (consumed m)).
(** What the template does not list is forgotten or not there. *)
Definition configuration_of : computes configuration :=
  check_kinds >>
  let$ ms := mapped described_member (members t) in
  ret {| variables := scope_of t; symbols := numbered_of (trees t); known_literals := predicate t; herd := ms; entry_member := None; progress := false |}.
End Template.
