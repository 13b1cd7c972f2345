(** Configurations as rules work on them (spec/calculus.md#configurations), and what
    fresh objects and inputs hold (spec/numbering.md#roots). *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting.
Import ListNotations.
Open Scope Z_scope.

(** ** Slots *)

Definition slot_eqb (v w : slot) : bool := match v, w with
  | Forgotten, Forgotten | Uninitialised, Uninitialised | NullSlot, NullSlot => true
  | IntegerSlot s, IntegerSlot t | Folded s, Folded t | Last s, Last t => (s =? t)%N
  | PointerSlot o i b, PointerSlot p j c => (o =? p)%N && (i =? j)%N && (b =? c)%N
  | _, _ => false end.
Definition element (o i : N) : slot := PointerSlot o i 0.

(** ** Tables that change *)

(** Entries by number; [given] is how many numbers there are. *)
Record numbered A := { present_entries : PositiveMap.t A; given : N }.
Arguments present_entries {A}. Arguments given {A}.
Definition none_numbered A (n : N) : numbered A := {| present_entries := PositiveMap.empty A; given := n |}.
Definition find {A} (x : numbered A) (n : N) : option A := PositiveMap.find (N.succ_pos n) (present_entries x).
Definition put {A} (x : numbered A) (n : N) (a : A) : numbered A := {| present_entries := PositiveMap.add (N.succ_pos n) a (present_entries x); given := given x |}.
Definition clear {A} (x : numbered A) (n : N) : numbered A := {| present_entries := PositiveMap.remove (N.succ_pos n) (present_entries x); given := given x |}.
Definition one_more_number {A} (x : numbered A) : numbered A := {| present_entries := present_entries x; given := N.succ (given x) |}.
(** The next number, and the table with it. *)
Definition added {A} (x : numbered A) (a : A) : N * numbered A := (given x, put (one_more_number x) (given x) a).
Fixpoint numbers_from (n : N) (count : nat) : list N := match count with O => [] | S c => n :: numbers_from (N.succ n) c end.
Definition numbers_of {A} (x : numbered A) : list N := numbers_from 0 (N.to_nat (given x)).
Definition in_order {A} (x : numbered A) : list (N * A) :=
  flat_map (fun n => match find x n with Some a => [(n, a)] | None => [] end) (numbers_of x).
Definition map_numbered {A} (f : A -> A) (x : numbered A) : numbered A := {| present_entries := PositiveMap.map f (present_entries x); given := given x |}.
Definition numbered_of {A} (l : list A) : numbered A := fold_left (fun x a => snd (added x a)) l (none_numbered A 0).

(** ** Members and configurations *)

Inductive place := At (l : N) | HasFailed.
Record member_state := {
  place_of : place; held : numbered slot; objects_held : numbered object_state; parts_held : numbered folded;
  size_of : input_size; consumed_of : slot }.
Definition at_place m p := {| place_of := p; held := held m; objects_held := objects_held m; parts_held := parts_held m; size_of := size_of m; consumed_of := consumed_of m |}.
Definition with_held m h := {| place_of := place_of m; held := h; objects_held := objects_held m; parts_held := parts_held m; size_of := size_of m; consumed_of := consumed_of m |}.
Definition with_objects m os := {| place_of := place_of m; held := held m; objects_held := os; parts_held := parts_held m; size_of := size_of m; consumed_of := consumed_of m |}.
Definition with_parts m ps := {| place_of := place_of m; held := held m; objects_held := objects_held m; parts_held := ps; size_of := size_of m; consumed_of := consumed_of m |}.
Definition with_size m s := {| place_of := place_of m; held := held m; objects_held := objects_held m; parts_held := parts_held m; size_of := s; consumed_of := consumed_of m |}.
Definition with_consumed m v := {| place_of := place_of m; held := held m; objects_held := objects_held m; parts_held := parts_held m; size_of := size_of m; consumed_of := v |}.

(** [entry_member]: the primary at the entry; none below a template.  [progress]: has the
    primary taken a step since the template's root? *)
Record configuration := {
  variables : scope; symbols : numbered tree_sort; known_literals : list literal; herd : list member_state;
  entry_member : option member_state; progress : bool }.
Definition with_variables c v := {| variables := v; symbols := symbols c; known_literals := known_literals c; herd := herd c; entry_member := entry_member c; progress := progress c |}.
Definition with_symbols c s := {| variables := variables c; symbols := s; known_literals := known_literals c; herd := herd c; entry_member := entry_member c; progress := progress c |}.
Definition with_literals c ls := {| variables := variables c; symbols := symbols c; known_literals := ls; herd := herd c; entry_member := entry_member c; progress := progress c |}.
Definition with_herd c ms := {| variables := variables c; symbols := symbols c; known_literals := known_literals c; herd := ms; entry_member := entry_member c; progress := progress c |}.
Definition with_entry c m := {| variables := variables c; symbols := symbols c; known_literals := known_literals c; herd := herd c; entry_member := m; progress := progress c |}.
Definition with_progress c b := {| variables := variables c; symbols := symbols c; known_literals := known_literals c; herd := herd c; entry_member := entry_member c; progress := b |}.

Fixpoint replaced {A} (l : list A) (n : N) (a : A) : list A := match l with
  | [] => [] | b :: l => if (n =? 0)%N then a :: l else b :: replaced l (N.pred n) a end.
Definition member_at (c : configuration) (n : N) : computes member_state := some (nth (herd c) n) Rejection.Missing.
Definition set_member c n m := with_herd c (replaced (herd c) n m).

Definition register_slot m r : computes slot := some (find (held m) r) Rejection.Missing.
Definition set_register m r v : computes member_state := match find (held m) r with
  | Some _ => ret (with_held m (put (held m) r v)) | None => refuses Rejection.Missing end.
Definition object_state_at m o : computes object_state := some (find (objects_held m) o) Rejection.Missing.
Definition is_live (l : life) : bool := match l with Live => true | Dead => false end.
(** The live object of a declaration of which one lives at most (attack G1). *)
Definition live m d : option object_state :=
  option_map snd (List.find (fun '(_, x) => (declaration x =? d)%N && is_live (life_of x)) (in_order (objects_held m))).
Definition with_life x l := {| named := named x; declaration := declaration x; life_of := l; lower := lower x; upper := upper x; field_states := field_states x |}.
Definition with_fields x fs := {| named := named x; declaration := declaration x; life_of := life_of x; lower := lower x; upper := upper x; field_states := fs |}.
Definition with_lower x l := {| named := named x; declaration := declaration x; life_of := life_of x; lower := l; upper := upper x; field_states := field_states x |}.
Definition with_upper x u := {| named := named x; declaration := declaration x; life_of := life_of x; lower := lower x; upper := u; field_states := field_states x |}.
Definition kill m o : computes member_state := let$ x := object_state_at m o in ret (with_objects m (put (objects_held m) o (with_life x Dead))).
(** The name of a new object: that of its declaration or, where there has been one, the
    next. *)
Definition vacant m d : N * member_state := match find (objects_held m) d with
  | None => if (d <? given (objects_held m))%N then (d, m) else (given (objects_held m), with_objects m (one_more_number (objects_held m)))
  | Some _ => (given (objects_held m), with_objects m (one_more_number (objects_held m))) end.

(** ** What rules read beside the configuration *)

Record setting := {
  program_in : program; names_in : names; code : indexed instruction; parameters_in : parameters; k_in : N; sorts_in : indexed sort;
  asks_for_leaks : bool }.
Definition is_check_leaks (i : instruction) : bool := match i with CheckLeaks _ => true | _ => false end.
Definition setting_of P us k ss := {|
  program_in := P; names_in := names_of P; code := index_of (instructions P); parameters_in := us; k_in := k; sorts_in := index_of ss;
  asks_for_leaks := existsb is_check_leaks (instructions P) |}.

Section Setting.
Variable E : setting.

Definition object_in o : computes object := some (at_position (objects_of (names_in E)) o) Rejection.Missing.
Definition layout_in o : computes layout := let$ x := object_in o in some (at_position (layouts_of (names_in E)) (layout_of x)) Rejection.Missing.
Definition register_kind r : computes type := let$ x := some (at_position (registers_of (names_in E)) r) Rejection.Missing in ret (register_type x).
Definition integer_kind r : computes integer_type := let$ t := register_kind r in match t with IntegerType T => ret T | Pointer => refuses Rejection.Missing end.
Definition instruction_at (p : place) : option instruction := match p with At l => at_position (code E) l | HasFailed => None end.
Definition is_bounded : bool := match arithmetic_of (parameters_in E) with C => true | Unbounded => false end.
(** The sort of the values of a type: on unbounded integers, any. *)
Definition sort_of_type (T : integer_type) : option integer_type := if is_bounded then Some T else None.
(** How many elements an array has at most. *)
Definition greatest_count o : computes Z := let$ l := layout_in o in quotient_of (greatest I64) (Z.of_N (element_size l)).
Definition nodes_of (s : N) : computes (N * root * list (list link)) := some (WellFormed.nodes (names_in E) (sorts_in E) s) Rejection.Missing.
Definition same_field_of (s : N) : computes (option N) := let$ (_, _, ss) := nodes_of s in ret (same_of ss).

(** ** Fresh variables and symbols *)

Definition fresh c (s : option integer_type) : computes (N * configuration) :=
  let is_ := integers (variables c) in
  let$ x := some (nth is_ (number_of_sort s)) Rejection.Missing in
  let$ y := next_number x in
  let$ t := variable s x in
  ret (t, with_variables c {| integers := set_at is_ (number_of_sort s) y; arrays := arrays (variables c) |}).
Definition fresh_array c (T : integer_type) : computes (N * configuration) :=
  let as_ := arrays (variables c) in
  let$ x := some (nth as_ (number_of T)) Rejection.Missing in
  let$ y := next_number x in
  let$ t := array_variable T x in
  ret (t, with_variables c {| integers := integers (variables c); arrays := set_at as_ (number_of T) y |}).
Definition fresh_symbol c (s : tree_sort) : N * configuration := let (n, ss) := added (symbols c) s in (n, with_symbols c ss).

(** Adds a literal, unless it is evident or stands there already. *)
Definition assume c (l : literal) : computes configuration :=
  let$ e := is_true l in
  ret (if e || stands_in l (known_literals c) then c else with_literals c (known_literals c ++ [l])).

(** ** What the program does not determine *)

(** Nobody says it: fresh variables; a scapegoat chooses; a run has these values, or these
    elements of an input with so many fields set; the program says it. *)
Inductive environment :=
| AnyValue
| Chosen (c : choice)
| FromRun (choices : list Z)
| FromElements (elements : list (list Z)) (set : N)
| FromContents (cs : list contents).

(** A value that a run gives, of the type. *)
Definition run_value (cs : list Z) (T : integer_type) : computes (N * environment) := match cs with
  | z :: cs => demand (is_within T z) Rejection.Run >> let$ t := constant_term z in ret (t, FromRun cs)
  | [] => refuses Rejection.Run end.
Definition new_value c env (T : integer_type) : computes (N * configuration * environment) := match env with
  | AnyValue => let$ (t, c) := fresh c (sort_of_type T) in ret (t, c, env)
  | Chosen (Value t) => shown_integer (variables c) (known_literals c) t (Some T) >> ret (t, c, env)
  | FromRun cs => let$ (t, env) := run_value cs T in ret (t, c, env)
  | _ => refuses Rejection.Choice end.

(** Elements of an input, from the last one on. *)
Fixpoint stored_elements (T : integer_type) (set i : N) (es : list (list Z)) : computes N := match es with
  | [] => let$ zero := constant_term 0 in constant_array zero
  | e :: es =>
    let$ a := stored_elements T set (N.succ i) es in
    let$ z := some (nth e set) Rejection.Run in
    demand (is_within T z) Rejection.Run >>
    let$ i := constant_term (Z.of_N i) in let$ v := constant_term z in store a i v end.

(** How many cells of a field stand apart, and whether there are others. *)
Definition pointer_cells : Z := 64.
Definition is_whole (o : origin) (count : Z) : bool := match o with Heap => false | Node _ => true | _ => count <=? Z.of_N (k_in E) end.
Definition extent o (t : type) (count : option Z) : computes (N * bool) :=
  let known := match count with Some z => if z <=? Z.of_N greatest_u32 then Some (Z.max z 0) else None | None => None end in
  match t, known with
  | Pointer, Some z => if z <=? pointer_cells then ret (Z.to_N z, false) else refuses (Rejection.Unsupported Unsupported.PointerArray)
  | Pointer, None => refuses (Rejection.Unsupported Unsupported.PointerArray)
  | IntegerType _, Some z => let$ x := object_in o in ret (if is_whole (origin_of x) z then (Z.to_N z, false) else (k_in E, true))
  | IntegerType _, None => ret (k_in E, true) end.

Definition no_values : list N * option N := ([], None).
Definition is_nothing (x : option (list N * option N)) : bool := match x with Some ([], None) => true | _ => false end.
Definition pointer_field env (position cells : N) : computes field_state :=
  let$ first := constant_term 0 in
  let all v := {| cells := repeat v (N.to_nat cells); rest := None |} in
  match env with
  | FromContents cs => match nth cs position with
    | Some (Pointers targets) => ret {| cells := List.map (fun t => match t with Some o => element o first | None => NullSlot end) targets; rest := None |}
    | _ => ret (all NullSlot) end
  | Chosen (Allocation _ fs) => if is_nothing (nth fs position) then ret (all Uninitialised) else refuses Rejection.Choice
  | _ => ret (all Uninitialised) end.

Definition chosen_field c (T : integer_type) (e : N * bool) (vs : list N) (r : option N) : computes field_state :=
  demand ((count vs =? fst e)%N && Bool.eqb (match r with Some _ => true | None => false end) (snd e)) Rejection.Choice >>
  for_each (fun t => shown_integer (variables c) (known_literals c) t (Some T)) vs >>
  match r with Some a => shown_array (variables c) (known_literals c) a T | None => ret tt end >>
  ret {| cells := List.map IntegerSlot vs; rest := r |}.
Fixpoint fresh_cells c (T : integer_type) (n : nat) : computes (list slot * configuration) := match n with
  | O => ret ([], c)
  | S n => let$ (t, c) := fresh c (Some T) in let$ (vs, c) := fresh_cells c T n in ret (IntegerSlot t :: vs, c) end.
(** Cells that are elements of an array, and the array for the rest. *)
Definition cells_of a (e : N * bool) : computes field_state :=
  let$ vs := mapped (fun i => let$ i := constant_term (Z.of_N i) in let$ t := select a i in ret (IntegerSlot t)) (numbers_from 0 (N.to_nat (fst e))) in
  ret {| cells := vs; rest := if snd e then Some a else None |}.
Definition integer_field c env (position : N) (T : integer_type) (e : N * bool) : computes (field_state * configuration * environment) :=
  let$ zero := constant_term 0 in
  match env with
  | AnyValue =>
    let$ (vs, c) := fresh_cells c T (N.to_nat (fst e)) in
    if snd e then let$ (a, c) := fresh_array c T in ret ({| cells := vs; rest := Some a |}, c, env)
    else ret ({| cells := vs; rest := None |}, c, env)
  | Chosen (Allocation _ fs) =>
    let$ (vs, r) := some (nth fs position) Rejection.Choice in
    let$ f := chosen_field c T e vs r in ret (f, c, env)
  | Chosen (Value _) => refuses Rejection.Choice
  | FromRun cs =>
    let$ (t, env) := run_value cs T in let$ a := constant_array t in let$ f := cells_of a e in ret (f, c, env)
  | FromElements es set =>
    let$ a := stored_elements T set 0 es in let$ f := cells_of a e in ret (f, c, FromElements es (N.succ set))
  | FromContents cs =>
    let$ a := match nth cs position with Some (FromTable t) => table_array t | _ => constant_array zero end in
    let$ f := cells_of a e in ret (f, c, env) end.

Fixpoint new_fields c env d (count : option Z) (position : N) (fs : list field) : computes (list field_state * configuration * environment) := match fs with
  | [] => ret ([], c, env)
  | f :: fs =>
    let$ e := extent d (field_type f) count in
    let$ (x, c, env) := match field_type f with
      | Pointer => let$ x := pointer_field env position (fst e) in ret (x, c, env)
      | IntegerType T => integer_field c env position T e end in
    let$ (xs, c, env) := new_fields c env d count (N.succ position) fs in
    ret (x :: xs, c, env) end.

Definition has_no_rest (f : field_state) : bool := match rest f with None => true | Some _ => false end.
Definition chosen_lower c env (fs : list field_state) (zero : N) : computes N := match env with
  | Chosen (Allocation l contents) =>
    exists_in (variables c) (LinearPart l) >>
    demand ((count contents =? count fs)%N && (negb (existsb has_no_rest fs) || (l =? zero)%N)) Rejection.Choice >>
    ret l
  | _ => ret zero end.
(** Makes an object of so many elements live in a member; gives a pointer to the first. *)
Definition create c env (who d n : N) : computes (slot * configuration * environment) :=
  let$ l := layout_in d in
  let$ z := value_of n in
  let$ (fs, c, env) := new_fields c env d z 0 (fields l) in
  let$ zero := constant_term 0 in
  let$ low := chosen_lower c env fs zero in
  let$ high := combine 0 [(low, 1); (n, 1)] in
  let$ x := object_in d in
  let$ m := member_at c who in
  let$ m := match (if is_local (origin_of x) then live m d else None) with Some earlier => kill m (named earlier) | None => ret m end in
  let (o, m) := vacant m d in
  let y := {| named := o; declaration := d; life_of := Live; lower := low; upper := high; field_states := fs |} in
  ret (element o low, set_member c who (with_objects m (put (objects_held m) o y)), env).

(** ** The entry *)

Definition add_part m (p : folded) : N * member_state := let (n, ps) := added (parts_held m) p in (n, with_parts m ps).
Definition set_in c who r v : computes configuration := let$ m := member_at c who in let$ m := set_register m r v in ret (set_member c who m).
(** An integer; an array of so many elements; NULL or a single object. *)
Definition set_input c env (i : input) (n : N) : computes (configuration * environment) := match i with
  | IntegerInput r =>
    let$ T := integer_kind r in let$ (t, c, env) := new_value c env T in let$ c := set_in c 0 r (IntegerSlot t) in ret (c, env)
  | ArrayInput p l o =>
    let$ c := set_in c 0 l (IntegerSlot n) in let$ (v, c, env) := create c env 0 o n in let$ c := set_in c 0 p v in ret (c, env)
  | SingleInput p o =>
    let$ z := value_of n in
    let$ (v, c, env) := match z with Some 0 => ret (NullSlot, c, env) | _ => create c env 0 o n end in
    let$ c := set_in c 0 p v in ret (c, env)
  | LinkedInput p o =>
    let (s, c) := fresh_symbol c (Tree o) in
    let$ m := member_at c 0 in
    let (f, m) := add_part m {| symbol := s; above := NullSlot; same := Forgotten; below := NullSlot |} in
    let$ c := set_in (set_member c 0 m) 0 p (Folded f) in ret (c, env) end.

Definition new_member (p : place) (v : slot) : member_state := {|
  place_of := p; held := numbered_of (List.map (fun _ => v) (registers (program_in E)));
  objects_held := none_numbered object_state (count (objects (program_in E))); parts_held := none_numbered folded 0;
  size_of := NotLarger; consumed_of := v |}.
(** Static objects exist; registers hold no value. *)
Definition create_static c (o : N * object) : computes configuration := match origin_of (snd o) with
  | Static n cs _ => let$ n := constant_term (Z.of_N n) in let$ (_, c, _) := create c (FromContents cs) 0 (fst o) n in ret c
  | _ => ret c end.
Definition before_inputs : computes configuration :=
  let$ zero := constant_term 0 in
  let m := with_consumed (new_member (At 0) Uninitialised) (IntegerSlot zero) in
  let c := {| variables := no_scope; symbols := none_numbered tree_sort 0; known_literals := []; herd := [m]; entry_member := None; progress := true |} in
  let os := objects (program_in E) in
  folded_left create_static (List.combine (numbers_from 0 (length os)) os) c.
End Setting.
