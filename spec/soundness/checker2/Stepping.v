(** What an instruction may lead to, by number (spec/numbering.md#outcomes), and what an
    outcome does to a configuration. *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States.
Import ListNotations.
Open Scope Z_scope.

(** ** Outcomes *)

Inductive tag := Exact | Real | Ignorance.
(** A cell, or the array for the rest at an index. *)
Inductive element_place := AtCell (c : N) | AtRest (i : N).
Inductive effect :=
| Goes (l : N)
| Sets (r : N) (v : slot)
| FailsHere
| Draws (r : N) (T : integer_type)
| Writes_ (object field : N) (e : element_place) (v : slot)
| Creates (r : option N) (d n : N) (f : Certificates.fresh)
| Kills (o : N).
Record outcome := { tag_of : tag; literals_of : list literal; effect_of : effect }.
Definition exact ls e := {| tag_of := Exact; literals_of := ls; effect_of := e |}.
Definition under_tag t ls e := {| tag_of := t; literals_of := ls; effect_of := e |}.
Definition failing (ls : list literal) : list outcome := List.map (fun l => exact [l] FailsHere) ls.

(** A list of outcomes, or none where the instruction fails whatever the variables are. *)
Notation listed := (computes (option (list outcome))) (only parsing).
Definition stops {A} : computes (option A) := ret None.
Definition goes_on {A B} (c : computes (option A)) (f : A -> computes (option B)) : computes (option B) :=
  let$ x := c in match x with Some a => f a | None => stops end.
Notation "'let%' x := c 'in' d" := (goes_on c (fun x => d)) (at level 200, x pattern, c at level 100, d at level 200).
Definition gives {A} (a : A) : computes (option A) := ret (Some a).
Definition lifted {A} (c : computes A) : computes (option A) := let$ a := c in gives a.
Definition always e : listed := gives [exact [] e].
Definition sets r v : listed := always (Sets r v).
Definition either (l : literal) e f : listed := let$ m := negate l in gives [exact [l] e; exact [m] f].

Section Step.
Variable E : setting.
Variable m : member_state.

(** ** Operands *)

(** A register whose value is used: neither uninitialised nor forgotten, and no folded
    part. *)
Definition used r : computes (option slot) :=
  let$ v := register_slot m r in
  match v with
  | Uninitialised => stops
  | Forgotten => refuses Rejection.Forgotten
  | Folded _ | Last _ => refuses Rejection.Folded
  | v => gives v end.
Definition used_integer (o : operand) : computes (option N) := match o with
  | Number z => lifted (constant_term z)
  | Register r => let% v := used r in match v with IntegerSlot t => gives t | _ => refuses Rejection.Missing end end.
(** An object, an index and a byte; none for NULL. *)
Definition spot := (N * N * N)%type.
Definition used_pointer r : computes (option (option spot)) :=
  let% v := used r in
  match v with
  | NullSlot => gives None
  | PointerSlot o i b =>
    let$ x := object_state_at m o in
    if is_live (life_of x) then gives (Some (o, i, b)) else stops
  | _ => refuses Rejection.Missing end.
Definition layout_held o : computes layout := let$ x := object_state_at m o in layout_in E (declaration x).
Definition size_held o : computes Z := let$ l := layout_held o in ret (Z.of_N (element_size l)).

(** ** Values *)

(** Under these literals a value, or a failure. *)
Definition case := (list literal * option N)%type.
Definition set_cases r (cs : list case) : list outcome := List.map (fun '(ls, v) => match v with
  | Some t => exact ls (Sets r (IntegerSlot t)) | None => exact ls FailsHere end) cs.
Definition relation_literal (r : relation) d : computes literal :=
  let$ t := plus d match r with IsLess => 1 | _ => 0 end in
  ret (lit match r with IsEqual => IsZero | _ => AtMostZero end t).
Definition checked_to t (r : Z * Z) : computes (list case) :=
  let$ (low, high) := within t r in
  let$ below := negate low in let$ above := negate high in
  ret [([low; high], Some t); ([below], None); ([above], None)].
Inductive periods := OnePeriod | AnyPeriods.
Definition convert t (T : integer_type) (p : periods) : computes (list case) :=
  let$ r := linear_range t in
  if negb (is_bounded E) || lies_in r T then ret [([], Some t)] else
  match p with
  | AnyPeriods => let$ zero := constant_term 0 in let$ u := apply_to Add T t zero in ret [([], Some u)]
  | OnePeriod =>
    let$ (low, high) := within t (type_range T) in
    let$ below := negate low in let$ above := negate high in
    let$ lowered := plus t (- period T) in let$ raised := plus t (period T) in
    ret [([low; high], Some t); ([above], Some lowered); ([below], Some raised)] end.
Definition fails_on_overflow (T : integer_type) : bool := (least T <? 0) && is_bounded E &&
  match on_overflow (parameters_in E) with OverflowFails => true | Wraps => false end.
Definition wrapped T t p : computes (list case) := if fails_on_overflow T then checked_to t (type_range T) else convert t T p.

Definition assigns r (o : operand) : listed :=
  let$ T := integer_kind E r in
  let convert_all p := let% t := used_integer o in let$ cs := convert t T p in gives (set_cases r cs) in
  match o with
  | Register q =>
    let$ U := integer_kind E q in
    if integer_type_eqb U T then let$ v := register_slot m q in sets r v
    else if lies_in (Some (type_range U)) T then let% t := used_integer o in sets r (IntegerSlot t)
    else convert_all (if width U =? width T then OnePeriod else AnyPeriods)
  | Number _ => convert_all AnyPeriods end.

(** ** Computing *)

(** The least power of two in a mask. *)
Definition lowest_bit (k : Z) : Z := Z.max (Z.land k (- k)) 1.
Definition is_run_of_ones (k : Z) : bool := (0 <=? k) && (Z.land k (k + lowest_bit k) =? 0).
Definition masks t (k : Z) : computes (list case) :=
  let low := lowest_bit k in let high := k + low in
  let$ above := quotient t high in let$ whole := quotient t low in
  let$ u := combine 0 [(whole, low); (above, - high)] in
  ret [([], Some u)].
Definition shifts (op : operation) (T : integer_type) t (a : Z) : computes (option (list case)) :=
  if negb ((0 <=? a) && (a <? width T)) then stops else
  match op with
  | ShiftRight => let$ q := quotient t (2 ^ a) in gives [([], Some q)]
  | _ =>
    let$ u := combine 0 [(t, 2 ^ a)] in
    lifted (if fails_on_overflow T then checked_to u (0, greatest T) else convert u T AnyPeriods) end.

Definition is_division (op : operation) : bool := match op with Divide => true | _ => false end.
(** By a number other than 0 and -1, by the sign of the dividend. *)
Definition division_by (op : operation) t (w : Z) : computes (list case) :=
  let$ zero := constant_term 0 in
  let$ negative := less t zero in
  let$ not_negative := negate negative in
  mapped (fun '(sign, l) =>
    let$ dividend := combine 0 [(t, sign)] in
    let$ a := small (Z.abs w) in
    let$ q := quotient dividend a in
    let$ q := combine 0 [(q, sign * Z.sgn w)] in
    let$ k := small (- w) in
    let$ r := combine 0 [(t, 1); (q, k)] in
    ret ([l], Some (if is_division op then q else r))) [(1, not_negative); (-1, negative)].
Definition divides (op : operation) (T : integer_type) s t : computes (list case) :=
  let$ zero := constant_term 0 in let$ minus_one := constant_term (-1) in
  let$ by_zero := equal t zero in let$ by_minus_one := equal t minus_one in
  let$ not_zero := negate by_zero in
  let$ (special, under) :=
    if least T <? 0 then
      let$ lowest := constant_term (least T) in
      let$ of_least := equal s lowest in
      let$ opposite := if is_division op then combine 0 [(s, -1)] else ret zero in
      let$ of_more := negate of_least in
      let$ not_minus_one := negate by_minus_one in
      ret ([([by_minus_one; of_least], None); ([by_minus_one; of_more], Some opposite)], [not_zero; not_minus_one])
    else ret ([], [not_zero]) in
  let$ v := value_of t in
  let opaque := let$ u := apply_to op T s t in ret [(under, Some u)] in
  let$ rest := match v with
    | Some w => if (w =? 0) || (w =? -1) then opaque else division_by op s w
    | None => opaque end in
  ret (([by_zero], None) :: special ++ rest).

Definition is_shift (op : operation) : bool := match op with ShiftLeft | ShiftRight => true | _ => false end.
Definition may_overflow (op : operation) : bool := match op with Multiply | ShiftLeft => true | _ => false end.
(** An operation that stays a term of its own. *)
Definition opaque r (op : operation) (T : integer_type) s t : listed :=
  let$ u := apply_to op T s t in
  let$ (under, others) :=
    if is_shift op then
      let$ (low, high) := within t (0, width T - 1) in
      let$ below := negate low in let$ above := negate high in
      ret ([low; high], failing [below; above])
    else match op with
    | Xor =>
      let$ same := equal s t in let$ differ := negate same in let$ zero := constant_term 0 in
      ret ([differ; lit NotZero u], [exact [same] (Sets r (IntegerSlot zero))])
    | _ => ret ([], []) end in
  let v := Sets r (IntegerSlot u) in
  gives ((if fails_on_overflow T && may_overflow op then [under_tag Ignorance under v; under_tag Ignorance under FailsHere] else [exact under v]) ++ others).

(** The one side that is a constant, the right one if it is, and the other side. *)
Definition scaled s t (y z : option Z) : option (N * Z) := match z, y with
  | Some z, _ => Some (s, z) | None, Some y => Some (t, y) | None, None => None end.
Definition is_multiplication (op : operation) : bool := match op with Multiply => true | _ => false end.
Definition mask_of (op : operation) (x : option (N * Z)) : option (N * Z) := match op, x with
  | And, Some (t, k) => if is_run_of_ones k then Some (t, k) else None | _, _ => None end.
Definition beyond_sums r (op : operation) (T : integer_type) s t (x : option (N * Z)) (z : option Z) : listed :=
  if negb (is_bounded E) then refuses (Rejection.Unsupported Unsupported.Unbounded) else
  match mask_of op x with
  | Some (u, k) => let$ cs := masks u k in gives (set_cases r cs)
  | None => match op, z with
    | (ShiftLeft | ShiftRight), Some a => let% cs := shifts op T s a in gives (set_cases r cs)
    | (Divide | Remainder), _ => let$ cs := divides op T s t in gives (set_cases r cs)
    | _, _ => opaque r op T s t end end.
Definition computes_to r (op : operation) (left_ right_ : operand) : listed :=
  let$ T := integer_kind E r in
  let% s := used_integer left_ in let% t := used_integer right_ in
  let$ y := value_of s in let$ z := value_of t in
  let x := scaled s t y z in
  match op, x with
  | Add, _ => let$ u := combine 0 [(s, 1); (t, 1)] in let$ cs := wrapped T u OnePeriod in gives (set_cases r cs)
  | Subtract, _ => let$ u := combine 0 [(s, 1); (t, -1)] in let$ cs := wrapped T u OnePeriod in gives (set_cases r cs)
  | Multiply, Some (u, k) => let$ u := combine 0 [(u, k)] in let$ cs := wrapped T u AnyPeriods in gives (set_cases r cs)
  | _, _ => beyond_sums r op T s t x z end.

(** ** Pointers *)

Definition filter_in (keep : literal -> computes bool) (ls : list literal) : computes (list literal) :=
  folded_left (fun kept l => let$ k := keep l in ret (if k then kept ++ [l] else kept)) ls [].
(** The index is below the object, or above the greatest that is allowed. *)
Definition outside o i (past : Z) : computes (list literal) :=
  let$ x := object_state_at m o in
  let$ end_ := plus (upper x) past in
  let$ below := less i (lower x) in let$ above := at_most end_ i in
  filter_in (fun l => let$ f := is_false l in ret (negb f)) [below; above].
Definition negations := mapped negate.
(** Whole steps of this size in so many bytes, and the bytes that are left. *)
Definition whole bytes (size : Z) (u : Unsupported.t) : computes (N * Z) :=
  let$ l := linear_at bytes in
  demand ((0 <? size) || is_empty (summands l)) (Rejection.Unsupported u) >>
  demand (forallb (fun '(_, k) => k mod size =? 0) (summands l)) (Rejection.Unsupported u) >>
  let$ r := rest_of (constant l) size in
  let$ q := quotient bytes size in
  ret (q, r).
Definition advances r b (i : operand) (scale : Z) : listed :=
  let% p := used_pointer b in let% n := used_integer i in
  match p with
  | None => let$ nowhere := relation_literal IsEqual n in either nowhere (Sets r NullSlot) FailsHere
  | Some (o, j, byte) =>
    let$ bytes := combine (Z.of_N byte) [(n, scale)] in
    let$ size := size_held o in
    let$ (elements, byte) := whole bytes size Unsupported.Advance in
    let$ j := combine 0 [(j, 1); (elements, 1)] in
    let moved := PointerSlot o j (Z.to_N byte) in
    match formation (parameters_in E) with
    | FormedAnywhere => sets r moved
    | InsideObject =>
      let$ out := outside o j (if byte =? 0 then 1 else 0) in
      let$ within_ := negations out in
      gives (exact within_ (Sets r moved) :: failing out) end end.
(** How far apart two spots in one object are: steps, and bytes of a step. *)
Definition gap (p q : option spot) : computes (option (N * Z)) := match p, q with
  | Some (o, i, b), Some (o', j, b') =>
    if (o =? o')%N then
      let$ size := size_held o in
      let$ bytes := small (Z.of_N b - Z.of_N b') in
      let '(unit_, scale) := if bytes =? 0 then (size, 1) else (1, size) in
      let$ t := combine bytes [(i, scale); (j, - scale)] in ret (Some (t, unit_))
    else ret None
  | _, _ => ret None end.
Definition distances r a b (scale : N) : listed :=
  let% p := used_pointer a in let% q := used_pointer b in
  let$ g := gap p q in
  let finish t := let$ cs := checked_to t (type_range I64) in gives (set_cases r cs) in
  match g, p, q with
  | Some (t, unit_), _, _ =>
    let$ bytes := combine 0 [(t, unit_)] in
    let$ (t, rest) := whole bytes (Z.of_N scale) Unsupported.Distance in
    demand (rest =? 0) (Rejection.Unsupported Unsupported.Distance) >> finish t
  | None, None, None => let$ zero := constant_term 0 in finish zero
  | _, _, _ => stops end.
Definition used_side (o : pointer_operand) : computes (option (option spot)) := match o with
  | NullPointer => gives None | PointerRegister r => used_pointer r end.
Definition outside_of (past : Z) (p : option spot) : computes (list literal) := match p with Some (o, i, _) => outside o i past | None => ret [] end.
Definition compares_pointers (r : relation) a b yes no : listed :=
  let% p := used_side a in let% q := used_side b in
  let$ g := gap p q in
  match g with
  | Some (d, _) => let$ l := relation_literal r d in either l yes no
  | None =>
    match r with
    | IsEqual =>
      let past := match p, q with Some _, Some _ => 0 | _, _ => 1 end in
      let$ out := outside_of past p in let$ out' := outside_of past q in
      let out := out ++ out' in
      match p, q with
      | None, None => always yes
      | _, _ =>
        let$ within_ := negations out in
        gives (exact within_ no :: flat_map (fun l => [under_tag Real [l] yes; under_tag Real [l] no]) out) end
    | _ => stops end end.
Definition branches (c : condition) (yes no : N) : listed := match c with
  | IntegersCompared r a b =>
    let% s := used_integer a in let% t := used_integer b in
    let$ d := difference s t in let$ l := relation_literal r d in either l (Goes yes) (Goes no)
  | PointersCompared r a b => compares_pointers r a b (Goes yes) (Goes no) end.

(** ** Memory *)

(** Do all elements have cells, as far as the bounds are numbers? *)
Definition is_all (x : object_state) (f : field_state) : computes bool :=
  let$ low := value_of (lower x) in let$ high := value_of (upper x) in
  ret match low, high with
  | Some low, Some high => (0 <=? low) && (0 <=? high) && (high <=? Z.of_N (count (cells f)))
  | _, _ => false end.
Definition is_hit (byte : Z) (access : type) (f : field) : bool := (Z.of_N (offset f) =? byte) && match access, field_type f with
  | IntegerType U, IntegerType T => width U =? width T | Pointer, Pointer => true | _, _ => false end.
Fixpoint hit (n : N) (byte : Z) access (fs : list field) : option (N * type) := match fs with
  | [] => None | f :: fs => if is_hit byte access f then Some (n, field_type f) else hit (N.succ n) byte access fs end.
(** A cell, or the array for the rest: under which literals, and what it holds. *)
Definition memory_place := (list literal * element_place * slot)%type.
Definition place_under (within_ : list literal) l e v : computes memory_place :=
  let$ ls := filter_in (fun l => let$ t := is_true l in ret (negb t)) (within_ ++ [l]) in ret (ls, e, v).
Definition may_be (z : option Z) (f : Z -> bool) : bool := match z with Some z => f z | None => true end.
Fixpoint cell_places within_ i (constant_ low : option Z) (c : N) (vs : list slot) : computes (list memory_place) := match vs with
  | [] => ret []
  | v :: vs =>
    let$ here := if may_be constant_ (Z.eqb (Z.of_N c)) && may_be low (fun l => l <=? Z.of_N c)
      then let$ d := plus i (- Z.of_N c) in let$ p := place_under within_ (lit IsZero d) (AtCell c) v in ret [p]
      else ret [] in
    let$ others := cell_places within_ i constant_ low (N.succ c) vs in
    ret (here ++ others) end.
Definition rest_places within_ i (low : option Z) (f : field_state) : computes (list memory_place) := match rest f with
  | None => ret []
  | Some a =>
    let$ t := select a i in
    let$ above := combine (Z.of_N (count (cells f))) [(i, -1)] in
    let$ below := if may_be low (fun l => l <? 0) then let$ b := plus i 1 in ret [b] else ret [] in
    folded_left (fun ps u =>
      let l := lit AtMostZero u in
      let$ never := is_false l in
      if never then ret ps else let$ p := place_under within_ l (AtRest i) (IntegerSlot t) in ret (ps ++ [p])) (above :: below) [] end.
(** The object, the field and its type, what is outside, and all places. *)
Record target_found := { found_object : N; found_field : N; found_type : type; found_outside : list literal; found_places : list memory_place }.
Definition target r (off : Z) (access : type) : computes (option target_found) :=
  let% p := used_pointer r in
  match p with
  | None => stops
  | Some (o, i, b) =>
    let$ l := layout_held o in
    let size := Z.of_N (element_size l) in
    let bytes := Z.of_N b + off in
    let$ elements := quotient_of bytes size in let$ byte := rest_of bytes size in
    let$ i := plus i elements in
    let$ (f, t) := some (hit 0 byte access (fields l)) (Rejection.Unsupported Unsupported.Access) in
    let$ x := object_state_at m o in
    let$ contents_ := some (nth (field_states x) f) Rejection.Missing in
    let$ out := outside o i 0 in
    let$ within_ := negations out in
    let$ all := is_all x contents_ in
    demand (negb (has_no_rest contents_) || all) Rejection.Shape >>
    let$ z := value_of i in let$ low := value_of (lower x) in
    let$ here := cell_places within_ i z low 0 (cells contents_) in
    let$ there := rest_places within_ i low contents_ in
    gives {| found_object := o; found_field := f; found_type := t; found_outside := out; found_places := here ++ there |} end.
(** What a slot of one type is as the other type of the same width. *)
Definition as_type v (from to : type) : computes (list (list literal * slot)) :=
  if same_type from to then ret [([], v)] else
  match v, to with
  | IntegerSlot t, IntegerType T =>
    if integer_type_eqb T Bool then refuses (Rejection.Unsupported Unsupported.Access) else
    let$ cs := convert t T OnePeriod in
    mapped (fun '(ls, u) => let$ u := some u Rejection.Missing in ret (ls, IntegerSlot u)) cs
  | IntegerSlot _, Pointer => refuses (Rejection.Unsupported Unsupported.Access)
  | Forgotten, _ => refuses Rejection.Forgotten
  | _, _ => ret [([], v)] end.
Definition loads r a (off : Z) : listed :=
  let$ access := register_kind E r in
  let% t := target a off access in
  let$ os := mapped (fun '(ls, _, v) =>
    let$ vs := as_type v (found_type t) access in
    ret (List.map (fun '(more, v) => exact (ls ++ more) (Sets r v)) vs)) (found_places t) in
  gives (List.concat os ++ failing (found_outside t)).
Definition is_integer_slot v : bool := match v with IntegerSlot _ => true | _ => false end.
Definition is_cell e : bool := match e with AtCell _ => true | AtRest _ => false end.
Definition is_read_only (o : origin) : bool := match o with Static _ _ ReadOnly => true | _ => false end.
Definition is_forgotten v : bool := match v with Forgotten => true | _ => false end.
Definition stores a (off : Z) s : listed :=
  let$ access := register_kind E s in
  let% t := target a off access in
  let$ x := object_state_at m (found_object t) in
  let$ d := object_in E (declaration x) in
  if is_read_only (origin_of d) then stops else
  let$ v := register_slot m s in
  demand (negb (is_forgotten v) || is_pointer access) Rejection.Forgotten >>
  let$ vs := as_type v access (found_type t) in
  let$ os := mapped (fun '(ls, e, _) => mapped (fun '(more, v) =>
    demand (is_cell e || is_integer_slot v) Rejection.Shape >>
    ret (exact (ls ++ more) (Writes_ (found_object t) (found_field t) e v))) vs) (found_places t) in
  gives (List.concat os ++ failing (found_outside t)).

(** ** Objects *)

Definition addresses r d : listed := match live m d with
  | Some x => sets r (element (named x) (lower x)) | None => refuses Rejection.Missing end.
Definition allocates r d (bytes : operand) (f : Certificates.fresh) : listed :=
  let% n := used_integer bytes in
  let$ most := constant_term (greatest I64) in
  let$ possible := at_most n most in
  let$ l := layout_in E d in
  let$ elements := quotient n (Z.of_N (element_size l)) in
  let$ x := object_in E d in
  let$ z := value_of elements in
  demand (negb (is_node (origin_of x)) || match z with Some 1 => true | _ => false end) (Rejection.Unsupported Unsupported.NodeArray) >>
  let% os := either possible (Creates (Some r) d elements f) (Sets r NullSlot) in
  gives (os ++ match allocating (parameters_in E) with MayFail => [exact [possible] (Sets r NullSlot)] | Succeeds => [] end).
Definition frees r (next_ : N) : listed :=
  let% p := used_pointer r in
  match p with
  | None => always (Goes next_)
  | Some (o, i, b) =>
    let$ x := object_state_at m o in
    let$ d := object_in E (declaration x) in
    if negb ((b =? 0)%N && negb (is_named (origin_of d))) then stops else
    let$ start := equal i (lower x) in either start (Kills o) FailsHere end.
Definition enters d : listed :=
  let$ x := object_in E d in
  match origin_of x with
  | Local n => let$ n := constant_term (Z.of_N n) in always (Creates None d n Arbitrary)
  | _ => refuses Rejection.Missing end.
Definition leaves d (next_ : N) : listed := match live m d with Some x => always (Kills (named x)) | None => always (Goes next_) end.

(** ** Leaks *)

(** An object that the program has to free, or to keep. *)
Definition is_owed (x : object_state) : bool := is_live (life_of x) &&
  match at_position (objects_of (names_in E)) (declaration x) with Some d => is_made (origin_of d) | None => false end.
(** What is not reached yet, and whether all that is reached is found. *)
Record reach := { objects_left : numbered object_state; parts_left : numbered folded; is_found : bool }.
Definition cells_of_object (x : object_state) : list slot := if is_live (life_of x) then flat_map cells (field_states x) else [].
Definition follow_slot (v : slot) (r : reach) : list slot * reach := match v with
  | PointerSlot o _ _ => match find (objects_held m) o with
    | Some _ => match find (objects_left r) o with
      | Some x => (cells_of_object x, {| objects_left := clear (objects_left r) o; parts_left := parts_left r; is_found := is_found r |})
      | None => ([], r) end
    | None => ([], {| objects_left := objects_left r; parts_left := parts_left r; is_found := false |}) end
  | Folded f => match find (parts_left r) f with
    | Some p => ([below p], {| objects_left := objects_left r; parts_left := clear (parts_left r) f; is_found := false |})
    | None => ([], {| objects_left := objects_left r; parts_left := parts_left r; is_found := false |}) end
  | Last _ | Forgotten => ([], {| objects_left := objects_left r; parts_left := parts_left r; is_found := false |})
  | Uninitialised | IntegerSlot _ | NullSlot => ([], r) end.
(** As many rounds as there are objects and parts, and one more, reach everything. *)
Fixpoint reach_all (rounds : nat) (vs : list slot) (r : reach) : reach := match rounds with
  | O => r
  | S rounds =>
    let '(more, r) := fold_left (fun '(more, r) v => let (found, r) := follow_slot v r in (rev_append found more, r)) vs ([], r) in
    match more with [] => r | _ => reach_all rounds more r end end.
Definition static_starts : list slot := List.map (fun '(d, _) => match live m d with
    | Some x => element (named x) (lower x) | None => Forgotten end)
  (filter (fun '(_, o) => is_static (origin_of o)) (List.combine (numbers_from 0 (length (objects (program_in E)))) (objects (program_in E)))).
(** Is there an object that is owed and that neither these registers nor static objects
    lead to?  Refuses where that is not known. *)
Definition leaks (roots_ : list N) : computes bool :=
  let$ vs := mapped (register_slot m) roots_ in
  let start := {| objects_left := objects_held m; parts_left := parts_held m; is_found := true |} in
  let r := reach_all (S (N.to_nat (given (objects_held m) + given (parts_held m)))) (vs ++ static_starts) start in
  let leaked := existsb (fun '(_, x) => is_owed x) (in_order (objects_left r)) in
  demand (if leaked then is_found r else is_empty (in_order (parts_left r))) Rejection.Leak >>
  ret leaked.
Definition checks_leaks roots_ (next_ : N) : listed := let$ l := leaks roots_ in if l then stops else always (Goes next_).

(** ** All instructions *)

Definition list_of_instruction (i : instruction) (next_ : N) : listed := match i with
  | Halt | Ignore => refuses Rejection.AtEnd
  | Fail _ => stops
  | Jump l => always (Goes l)
  | Choose a b => gives [exact [] (Goes a); exact [] (Goes b)]
  | Branch c a b => branches c a b
  | Assign r o => assigns r o
  | Compute r op a b => computes_to r op a b
  | Havoc r => let$ T := integer_kind E r in always (Draws r T)
  | Certificates.Uninitialise r => sets r Uninitialised
  | SetNull r => sets r NullSlot
  | Copy r s => let$ v := register_slot m s in sets r v
  | Address r d => addresses r d
  | Advance r b i k => advances r b i k
  | Distance r a b k => distances r a b k
  | Load r a off => loads r a off
  | Store a off s => stores a off s
  | Allocate r d n f => allocates r d n f
  | Free p => frees p next_
  | Enter d => enters d
  | Leave d => leaves d next_
  | CheckLeaks rs => checks_leaks rs next_ end.
Definition outcomes : computes (list outcome) := match place_of m with
  | HasFailed => refuses Rejection.AtEnd
  | At l =>
    let$ i := some (instruction_at E (At l)) Rejection.Missing in
    let$ next_ := next_number l in
    let$ os := list_of_instruction i next_ in
    ret match os with Some os => os | None => [exact [] FailsHere] end end.
End Step.

(** ** Effects *)

Section Effects.
Variable E : setting.

(** What is chosen is left open by the effect (attack K5). *)
Definition is_offered (e : effect) (env : environment) : bool := match env, e with
  | Chosen (Value _), Draws _ _ => true
  | Chosen (Value _), _ => false
  | Chosen _, Creates _ _ _ Arbitrary => true
  | Chosen _, _ => false
  | _, _ => true end.
Definition count_one c who : computes configuration :=
  let$ m := member_at c who in
  match consumed_of m with
  | IntegerSlot t => let$ t := plus t 1 in ret (set_member c who (with_consumed m (IntegerSlot t)))
  | _ => ret c end.
Definition write_field (f : field_state) e v : computes field_state := match e, v, rest f with
  | AtCell n, _, _ => demand (n <? count (cells f))%N Rejection.Missing >> ret {| cells := replaced (cells f) n v; rest := rest f |}
  | AtRest i, IntegerSlot t, Some a => let$ a := store a i t in ret {| cells := cells f; rest := Some a |}
  | _, _, _ => refuses Rejection.Shape end.
Definition write c who o f e v : computes configuration :=
  let$ m := member_at c who in
  let$ x := object_state_at m o in
  let$ old := some (nth (field_states x) f) Rejection.Missing in
  let$ new := write_field old e v in
  ret (set_member c who (with_objects m (put (objects_held m) o (with_fields x (replaced (field_states x) f new))))).
Definition create_by c env who r d n (f : Certificates.fresh) : computes (configuration * environment) :=
  let own := match f with Zero => FromContents [] | Arbitrary => env end in
  let$ (v, c, left_) := create E c own who d n in
  let$ c := match r with Some r => set_in c who r v | None => ret c end in
  ret (c, match f with Zero => env | Arbitrary => left_ end).
(** The effect of an instruction at which the member is. *)
Definition perform c env who (e : effect) : computes (configuration * environment) :=
  let$ m := member_at c who in
  match place_of m with
  | HasFailed => refuses Rejection.AtEnd
  | At l =>
    let$ next_ := next_number l in
    demand (is_offered e env) Rejection.Choice >>
    let$ (c, env, p) := match e with
      | Goes k => ret (c, env, At k)
      | FailsHere => ret (c, env, HasFailed)
      | Sets r v => let$ c := set_in c who r v in ret (c, env, At next_)
      | Draws r T =>
        let$ (t, c, env) := new_value E c env T in
        let$ c := set_in c who r (IntegerSlot t) in
        let$ c := count_one c who in ret (c, env, At next_)
      | Writes_ o f k v => let$ c := write c who o f k v in ret (c, env, At next_)
      | Creates r d n f => let$ (c, env) := create_by c env who r d n f in ret (c, env, At next_)
      | Kills o => let$ m := kill m o in ret (set_member c who m, env, At next_) end in
    (* A step back is a round. *)
    let$ c := match p with At k => if (k <=? l)%N then count_one c who else ret c | HasFailed => ret c end in
    let$ m := member_at c who in
    ret (set_member c who (at_place m p), env) end.
(** An outcome that happens, so that its literals hold. *)
Definition follow c who (o : outcome) : computes configuration :=
  let$ c := folded_left assume (literals_of o) c in
  let c := if (who =? 0)%N then with_progress c true else c in
  let$ (c, _) := perform c AnyValue who (effect_of o) in
  ret c.
(** A literal is false whatever the variables are. *)
Definition is_excluded (o : outcome) : computes bool :=
  folded_left (fun x l => if (x : bool) then ret true else is_false l) (literals_of o) false.
End Effects.
