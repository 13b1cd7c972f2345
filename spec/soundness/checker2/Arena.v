(** Terms with sharing (spec/calculus.md#terms, spec/numbering.md#terms): each normal
    form once, by number, with its range and its variables.  What a rule works with is a
    state: the terms, and the hints that it has not used yet. *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed.
Import ListNotations.
Open Scope Z_scope.

(** ** Terms by content *)

(** Lists of positive numbers as keys. *)
Inductive trie := Trie (here : option N) (below : PositiveMap.t trie).
Definition no_keys := Trie None (PositiveMap.empty trie).
Fixpoint find_key (key : list positive) (t : trie) : option N := match t, key with
  | Trie here _, [] => here
  | Trie _ below, p :: key => match PositiveMap.find p below with Some t => find_key key t | None => None end end.
Fixpoint add_key (key : list positive) (n : N) (t : trie) : trie := match t, key with
  | Trie _ below, [] => Trie (Some n) below
  | Trie here below, p :: key =>
    let t := match PositiveMap.find p below with Some t => t | None => no_keys end in
    Trie here (PositiveMap.add p (add_key key n t) below) end.

Definition key_of_n (n : N) : positive := N.succ_pos n.
Definition key_of_z (z : Z) : positive := match z with Z0 => 1 | Zpos p => p~0 | Zneg p => p~1 end.
(** The position of a sort in [scope]: of none 0, of a type one more than of arrays. *)
Definition number_of (T : integer_type) : N := match T with
  | Bool => 0 | I8 => 1 | U8 => 2 | I16 => 3 | U16 => 4 | I32 => 5 | U32 => 6 | I64 => 7 | U64 => 8 end.
Definition number_of_sort (s : option integer_type) : N := match s with Some T => N.succ (number_of T) | None => 0 end.
Definition all_types := [Bool; I8; U8; I16; U16; I32; U32; I64; U64].
Definition number_of_operation (op : operation) : N := match op with
  | Add => 0 | Subtract => 1 | Multiply => 2 | Divide => 3 | Remainder => 4 | And => 5 | Or => 6 | Xor => 7 | ShiftLeft => 8 | ShiftRight => 9 end.
Definition key_of_atom (a : atom) : list positive := match a with
  | IntegerVariable s x => [1%positive; key_of_n (number_of_sort s); key_of_n x]
  | Select a i => [2%positive; key_of_n a; key_of_n i]
  | Quotient d t => [3%positive; key_of_z d; key_of_n t]
  | Apply op T s t => [4%positive; key_of_n (number_of_operation op); key_of_n (number_of T); key_of_n s; key_of_n t] end.
Definition key_of_array (a : array) : list positive := match a with
  | ArrayVariable T x => [1%positive; key_of_n (number_of T); key_of_n x]
  | Stored a i v => [2%positive; key_of_n a; key_of_n i; key_of_n v]
  | Constant v => [3%positive; key_of_n v]
  | TableOf t => [4%positive; key_of_n t] end.
Definition key_of_linear (l : linear) : list positive :=
  key_of_z (constant l) :: flat_map (fun '(a, k) => [key_of_n a; key_of_z k]) (summands l).

(** ** The state of a rule *)

(** Least and greatest value, where both are known from the term alone. *)
Notation range := (option (Z * Z)) (only parsing).
Record node A := { content : A; range_of : range; scope_of_node : scope }.
Arguments content {A}. Arguments range_of {A}. Arguments scope_of_node {A}.
Record nodes A := { nodes_by_number : PositiveMap.t (node A); numbers_by_key : trie; how_many : N }.
Arguments nodes_by_number {A}. Arguments numbers_by_key {A}. Arguments how_many {A}.
Definition no_nodes A : nodes A := {| nodes_by_number := PositiveMap.empty (node A); numbers_by_key := no_keys; how_many := 0 |}.

(** [linear_of_atom]: by atom, the linear term that is the atom. *)
Record state := {
  atom_nodes : nodes atom; linear_of_atom : PositiveMap.t N; linear_nodes : nodes linear; array_nodes : nodes array;
  constant_tables : indexed table; hints_left : list (list deduction) }.
Definition initial_state (tables : list table) := {|
  atom_nodes := no_nodes atom; linear_of_atom := PositiveMap.empty N; linear_nodes := no_nodes linear; array_nodes := no_nodes array;
  constant_tables := index_of tables; hints_left := [] |}.
Definition with_atoms s ns of_atom := {| atom_nodes := ns; linear_of_atom := of_atom; linear_nodes := linear_nodes s;
  array_nodes := array_nodes s; constant_tables := constant_tables s; hints_left := hints_left s |}.
Definition with_linears s ns := {| atom_nodes := atom_nodes s; linear_of_atom := linear_of_atom s; linear_nodes := ns;
  array_nodes := array_nodes s; constant_tables := constant_tables s; hints_left := hints_left s |}.
Definition with_arrays s ns := {| atom_nodes := atom_nodes s; linear_of_atom := linear_of_atom s; linear_nodes := linear_nodes s;
  array_nodes := ns; constant_tables := constant_tables s; hints_left := hints_left s |}.
Definition with_hints s hs := {| atom_nodes := atom_nodes s; linear_of_atom := linear_of_atom s; linear_nodes := linear_nodes s;
  array_nodes := array_nodes s; constant_tables := constant_tables s; hints_left := hs |}.

(** What a computation comes to: a value, or the condition that is violated. *)
Inductive result A := Gives (a : A) (s : state) | Refuses (r : Rejection.t).
Arguments Gives {A}. Arguments Refuses {A}.
Definition computes A := state -> result A.
Definition ret {A} (a : A) : computes A := fun s => Gives a s.
Definition refuses {A} (r : Rejection.t) : computes A := fun _ => Refuses r.
Definition bind {A B} (c : computes A) (f : A -> computes B) : computes B := fun s => match c s with Gives a s => f a s | Refuses r => Refuses r end.
Definition looks {A} (f : state -> A) : computes A := fun s => Gives (f s) s.
Definition demand (b : bool) (r : Rejection.t) : computes unit := if b then ret tt else refuses r.
Definition some {A} (x : option A) (r : Rejection.t) : computes A := match x with Some a => ret a | None => refuses r end.
Notation "'let$' x := c 'in' d" := (bind c (fun x => d)) (at level 200, x pattern, c at level 100, d at level 200).
Notation "c '>>' d" := (bind c (fun _ => d)) (at level 199, right associativity).
Fixpoint mapped {A B} (f : A -> computes B) (l : list A) : computes (list B) := match l with
  | [] => ret [] | a :: l => let$ b := f a in let$ bs := mapped f l in ret (b :: bs) end.
Fixpoint folded_left {A B} (f : B -> A -> computes B) (l : list A) (b : B) : computes B := match l with
  | [] => ret b | a :: l => let$ b := f b a in folded_left f l b end.
Definition for_each {A} (f : A -> computes unit) (l : list A) : computes unit := folded_left (fun _ a => f a) l tt.

(** ** Checked arithmetic: the kernel's integers have 128 bits *)

Definition is_small (z : Z) : bool := (- 2 ^ 127 <=? z) && (z <? 2 ^ 127).
Definition small (z : Z) : computes Z := if is_small z then ret z else refuses Rejection.Overflow.
Definition small_range (a b : Z) : range := if is_small a && is_small b then Some (a, b) else None.
(** Floor division; the divisor is positive. *)
Definition quotient_of (z d : Z) : computes Z := if 0 <? d then ret (z / d) else refuses Rejection.Overflow.
Definition rest_of (z d : Z) : computes Z := if 0 <? d then ret (z mod d) else refuses Rejection.Overflow.
Definition type_range (T : integer_type) : Z * Z := (least T, greatest T).
Definition lies_in (r : range) (T : integer_type) : bool := match r with
  | Some (a, b) => is_within T a && is_within T b | None => false end.

(** ** Looking up *)

Definition node_at {A} (ns : nodes A) (n : N) : option (node A) := PositiveMap.find (N.succ_pos n) (nodes_by_number ns).
Definition look_up {A} (of : state -> nodes A) (n : N) : computes (node A) := fun s => match node_at (of s) n with
  | Some x => Gives x s | None => Refuses Rejection.Missing end.
Definition atom_at a : computes atom := let$ x := look_up atom_nodes a in ret (content x).
Definition linear_at t : computes linear := let$ x := look_up linear_nodes t in ret (content x).
Definition array_at a : computes array := let$ x := look_up array_nodes a in ret (content x).
Definition range_in {A} (of : state -> nodes A) n : computes range := looks (fun s => match node_at (of s) n with Some x => range_of x | None => None end).
Definition linear_range := range_in linear_nodes.
Definition array_range := range_in array_nodes.
Definition atom_range := range_in atom_nodes.
(** The term's value, if it is a constant. *)
Definition value_of t : computes (option Z) := looks (fun s => match node_at (linear_nodes s) t with
  | Some {| content := {| constant := c; summands := [] |} |} => Some c | _ => None end).
Definition of_atom (a : N) : computes N := fun s => match PositiveMap.find (N.succ_pos a) (linear_of_atom s) with
  | Some t => Gives t s | None => Refuses Rejection.Missing end.
(** The atom that the term is, if it is one. *)
Definition as_atom t : computes (option atom) :=
  let$ l := linear_at t in
  match constant l, summands l with
  | 0, [(a, 1)] => let$ a := atom_at a in ret (Some a)
  | _, _ => ret None end.

(** ** Variables *)

Definition no_scope : scope := {| integers := repeat 0%N 10; arrays := repeat 0%N 9 |}.
Fixpoint maxima (l m : list N) : list N := match l, m with
  | a :: l, b :: m => N.max a b :: maxima l m | _, _ => [] end.
Definition join (a b : scope) : scope := {| integers := maxima (integers a) (integers b); arrays := maxima (arrays a) (arrays b) |}.
Fixpoint all_at_most (l m : list N) : bool := match l, m with
  | a :: l, b :: m => (a <=? b)%N && all_at_most l m | _, _ => true end.
Definition includes (outer inner : scope) : bool := all_at_most (integers inner) (integers outer) && all_at_most (arrays inner) (arrays outer).
Fixpoint set_at (l : list N) (n : N) (v : N) : list N := match l with
  | [] => [] | a :: l => if (n =? 0)%N then v :: l else a :: set_at l (N.pred n) v end.
Definition one_integer s x : scope := {| integers := set_at (integers no_scope) (number_of_sort s) (N.succ x); arrays := arrays no_scope |}.
Definition one_array T x : scope := {| integers := integers no_scope; arrays := set_at (arrays no_scope) (number_of T) (N.succ x) |}.
(** A counter is a [u32]. *)
Definition next_number (x : N) : computes N := if (x <? greatest_u32)%N then ret (N.succ x) else refuses Rejection.Overflow.

(** What a term mentions. *)
Inductive part := LinearPart (t : N) | ArrayPart (a : N).
Definition scope_of_part (p : part) : computes scope := match p with
  | LinearPart t => let$ x := look_up linear_nodes t in ret (scope_of_node x)
  | ArrayPart a => let$ x := look_up array_nodes a in ret (scope_of_node x) end.
Definition exists_in (s : scope) (p : part) : computes unit :=
  let$ own := scope_of_part p in demand (includes s own) Rejection.Variable_.
Definition scope_of_parts (s : scope) (ps : list part) : computes scope :=
  folded_left (fun s p => let$ own := scope_of_part p in ret (join s own)) ps s.

Definition parts_of_atom (a : atom) : list part := match a with
  | IntegerVariable _ _ => []
  | Select a i => [ArrayPart a; LinearPart i]
  | Quotient _ t => [LinearPart t]
  | Apply _ _ s t => [LinearPart s; LinearPart t] end.
Definition parts_of_array (a : array) : list part := match a with
  | ArrayVariable _ _ | TableOf _ => []
  | Stored a i v => [ArrayPart a; LinearPart i; LinearPart v]
  | Constant v => [LinearPart v] end.
(** The same operation on other parts, of which there are as many. *)
Definition atom_with (a : atom) (ns : list N) : atom := match a, ns with
  | Select _ _, [a; i] => Select a i
  | Quotient d _, [t] => Quotient d t
  | Apply op T _ _, [s; t] => Apply op T s t
  | a, _ => a end.
Definition array_with (a : array) (ns : list N) : array := match a, ns with
  | Stored _ _ _, [a; i; v] => Stored a i v
  | Constant _, [v] => Constant v
  | a, _ => a end.

(** ** Making terms *)

Definition add_node {A} (ns : nodes A) (key : list positive) (x : node A) : nodes A := {|
  nodes_by_number := PositiveMap.add (N.succ_pos (how_many ns)) x (nodes_by_number ns);
  numbers_by_key := add_key key (how_many ns) (numbers_by_key ns);
  how_many := N.succ (how_many ns) |}.

(** The range of a sum; none where a bound has more than 128 bits. *)
Definition scaled_sum (r : range) (of_atom : range) (k : Z) : range := match r, of_atom with
  | Some (a, b), Some (c, d) =>
    let (c, d) := (c * k, d * k) in
    if is_small c && is_small d then small_range (a + Z.min c d) (b + Z.max c d) else None
  | _, _ => None end.
Definition hull (r s : range) : range := match r, s with Some (a, b), Some (c, d) => Some (Z.min a c, Z.max b d) | _, _ => None end.

(** The summands ascend and are not 0. *)
Definition add_linear (l : linear) : computes N := fun s =>
  let key := key_of_linear l in
  match find_key key (numbers_by_key (linear_nodes s)) with
  | Some n => Gives n s
  | None =>
    (let$ (r, sc) := folded_left (fun '(r, sc) '(a, k) =>
       let$ x := look_up atom_nodes a in ret (scaled_sum r (range_of x) k, join sc (scope_of_node x)))
       (summands l) (Some (constant l, constant l), no_scope) in
     fun s => Gives (how_many (linear_nodes s)) (with_linears s (add_node (linear_nodes s) key {| content := l; range_of := r; scope_of_node := sc |}))) s end.

Definition add_atom (a : atom) (r : range) : computes N := fun s =>
  let key := key_of_atom a in
  match find_key key (numbers_by_key (atom_nodes s)) with
  | Some n => of_atom n s
  | None =>
    (let own := match a with IntegerVariable s x => one_integer s x | _ => no_scope end in
     match a with IntegerVariable _ x => let$ _ := next_number x in ret tt | _ => ret tt end >>
     let$ sc := scope_of_parts own (parts_of_atom a) in
     let$ n := looks (fun s => how_many (atom_nodes s)) in
     (fun s => Gives tt (with_atoms s (add_node (atom_nodes s) key {| content := a; range_of := r; scope_of_node := sc |}) (linear_of_atom s))) >>
     let$ t := add_linear {| constant := 0; summands := [(n, 1)] |} in
     fun s => Gives t (with_atoms s (atom_nodes s) (PositiveMap.add (N.succ_pos n) t (linear_of_atom s)))) s end.

Definition add_array (a : array) (r : range) : computes N := fun s =>
  let key := key_of_array a in
  match find_key key (numbers_by_key (array_nodes s)) with
  | Some n => Gives n s
  | None =>
    (let own := match a with ArrayVariable T x => one_array T x | _ => no_scope end in
     match a with ArrayVariable _ x => let$ _ := next_number x in ret tt | _ => ret tt end >>
     let$ sc := scope_of_parts own (parts_of_array a) in
     fun s => Gives (how_many (array_nodes s)) (with_arrays s (add_node (array_nodes s) key {| content := a; range_of := r; scope_of_node := sc |}))) s end.

(** ** Normal forms *)

(** Adds k times the atom to summands that ascend; those of one atom become one. *)
Fixpoint insert_summand (a : N) (k : Z) (l : list (N * Z)) : option (list (N * Z)) := match l with
  | [] => Some [(a, k)]
  | (b, h) :: l' => match (a ?= b)%N with
    | Lt => Some ((a, k) :: l)
    | Eq => if is_small (h + k) then Some ((b, h + k) :: l') else None
    | Gt => match insert_summand a k l' with Some l' => Some ((b, h) :: l') | None => None end end end.
(** [constant + sum of coefficient * term], in the order of the parts. *)
Definition combine (c : Z) (ps : list (N * Z)) : computes N :=
  let add_part '(c, l) '(t, k) :=
    let$ x := linear_at t in
    let$ c' := small (constant x * k) in
    let$ c := small (c + c') in
    let$ l := folded_left (fun l '(a, h) =>
      let$ h := small (h * k) in some (insert_summand a h l) Rejection.Overflow) (summands x) l in
    ret (c, l) in
  let$ (c, l) := folded_left add_part ps (c, []) in
  add_linear {| constant := c; summands := filter (fun '(_, k) => negb (k =? 0)) l |}.
Definition constant_term (z : Z) : computes N := combine z [].
Definition difference s t : computes N := combine 0 [(s, 1); (t, -1)].
Definition plus t (z : Z) : computes N := if z =? 0 then linear_at t >> ret t else combine z [(t, 1)].
Fixpoint same_summands (l m : list (N * Z)) : bool := match l, m with
  | [], [] => true | (a, k) :: l, (b, h) :: m => (a =? b)%N && (k =? h) && same_summands l m | _, _ => false end.
(** [s - t], if the terms differ by a constant. *)
Definition constant_difference s t : computes (option Z) :=
  let$ l := linear_at s in let$ m := linear_at t in
  if same_summands (summands l) (summands m) then let$ z := small (constant l - constant m) in ret (Some z) else ret None.

Definition variable (s : option integer_type) (x : N) : computes N := add_atom (IntegerVariable s x) (option_map type_range s).
Definition array_variable (T : integer_type) (x : N) : computes N := add_array (ArrayVariable T x) (Some (type_range T)).

Definition table_at (t : N) : computes table := fun s => match at_position (constant_tables s) t with
  | Some t => Gives t s | None => Refuses Rejection.Missing end.
Definition entry_at (l : list Z) (z : Z) : Z := if z <? 0 then 0 else match nth l (Z.to_N z) with Some v => v | None => 0 end.
(** Through stores whose index differs by a constant, down to an atom.  Arrays mention
    earlier ones alone, so that as many steps will do as there are. *)
Fixpoint select_in (fuel : nat) (a i : N) : computes N :=
  let atom := let$ r := array_range a in add_atom (Select a i) r in
  let$ x := array_at a in
  match x, fuel with
  | Constant v, _ => ret v
  | TableOf t, _ => let$ z := value_of i in match z with
    | Some z => let$ t := table_at t in constant_term (entry_at (values t) z)
    | None => atom end
  | Stored b j v, S fuel => let$ d := constant_difference j i in match d with
    | Some 0 => ret v
    | Some _ => select_in fuel b i
    | None => atom end
  | _, _ => atom end.
Definition select a i : computes N := let$ n := looks (fun s => how_many (array_nodes s)) in select_in (N.to_nat n) a i.
(** A store right below at the same index is dropped. *)
Definition store a i v : computes N :=
  let$ x := array_at a in
  let a := match x with Stored b j _ => if (j =? i)%N then b else a | _ => a end in
  let$ r := array_range a in let$ s := linear_range v in
  add_array (Stored a i v) (hull r s).
Definition constant_array v : computes N := let$ r := linear_range v in add_array (Constant v) r.
Definition table_array t : computes N :=
  let$ x := table_at t in
  add_array (TableOf t) (fold_left (fun r z => hull r (Some (z, z))) (values x) (Some (0, 0))).

Definition split_multiples (d : Z) (l : list (N * Z)) : list (N * Z) * list (N * Z) :=
  let not_0 := filter (fun '(_, k) => negb (k =? 0)) in
  (not_0 (List.map (fun '(a, k) => (a, k / d)) l), not_0 (List.map (fun '(a, k) => (a, k mod d)) l)).
(** Multiples of the divisor are taken out. *)
Definition quotient t (d : Z) : computes N :=
  demand (1 <=? d) Rejection.Term >>
  let$ l := linear_at t in
  let (outside, inside) := split_multiples d (summands l) in
  let whole := constant l / d in
  let$ u := add_linear {| constant := constant l mod d; summands := inside |} in
  let$ r := linear_range u in
  let r := match r with Some (a, b) => Some (a / d, b / d) | None => None end in
  let$ rest := match r with
    | Some (a, b) => if a =? b then constant_term a else add_atom (Quotient d u) r
    | None => add_atom (Quotient d u) r end in
  if (whole =? 0) && is_empty outside then ret rest else
  let$ o := add_linear {| constant := whole; summands := outside |} in
  combine 0 [(o, 1); (rest, 1)].

(** The value of the type that is equal modulo its period. *)
Definition reducible (T : integer_type) (z : Z) : computes unit := let$ _ := small (z - least T) in ret tt.
Definition apply_to (op : operation) (T : integer_type) s t : computes N :=
  let$ y := value_of s in let$ z := value_of t in
  match y, z with
  | Some y, Some z => reducible T y >> reducible T z >> constant_term (Integers.apply op T y z)
  | _, _ => add_atom (Apply op T s t) (Some (type_range T)) end.

Definition normal (a : atom) : computes N := match a with
  | IntegerVariable s x => variable s x
  | Select a i => select a i
  | Quotient d t => quotient t d
  | Apply op T s t => apply_to op T s t end.
Definition normal_array (a : array) : computes N := match a with
  | ArrayVariable T x => array_variable T x
  | Stored a i v => store a i v
  | Constant v => constant_array v
  | TableOf t => table_array t end.

(** ** The table of terms *)

Definition keys_eqb (k l : list positive) : bool := (fix go k l := match k, l with
  | [], [] => true | a :: k, b :: l => Pos.eqb a b && go k l | _, _ => false end) k l.
Definition atom_eqb a b := keys_eqb (key_of_atom a) (key_of_atom b).
Definition array_eqb a b := keys_eqb (key_of_array a) (key_of_array b).
Fixpoint ascending_above (n : N) (l : list (N * Z)) : bool := match l with
  | [] => true | (a, _) :: l => (n <? a)%N && ascending_above a l end.
Definition is_normal (l : list (N * Z)) : bool := match l with [] => true | (a, _) :: l => ascending_above a l end && forallb (fun '(_, k) => negb (k =? 0)) l.
(** An entry is new and in normal form, so that its number is its position. *)
Definition define_term (t : term) : computes unit :=
  let$ linears := looks (fun s => how_many (linear_nodes s)) in
  let$ arrays := looks (fun s => how_many (array_nodes s)) in
  let$ is_new := match t with
    | AtomTerm a => let$ n := normal a in let$ b := as_atom n in
      ret ((n =? linears)%N && match b with Some b => atom_eqb a b | None => false end)
    | LinearTerm l => if is_normal (summands l) then let$ n := add_linear l in ret (n =? linears)%N else ret false
    | ArrayTerm a => let$ n := normal_array a in let$ b := array_at n in ret ((n =? arrays)%N && array_eqb a b) end in
  demand is_new Rejection.Term.

(** ** Literals *)

Definition lit s t : literal := {| sign_of := s; term_of := t |}.
Definition negate (l : literal) : computes literal := match sign_of l with
  | AtMostZero => let$ t := combine 1 [(term_of l, -1)] in ret (lit AtMostZero t)
  | IsZero => ret (lit NotZero (term_of l))
  | NotZero => ret (lit IsZero (term_of l)) end.
Definition at_most s t : computes literal := let$ d := difference s t in ret (lit AtMostZero d).
Definition less s t : computes literal := let$ d := combine 1 [(s, 1); (t, -1)] in ret (lit AtMostZero d).
Definition equal s t : computes literal := let$ d := difference s t in ret (lit IsZero d).
Definition within t (r : Z * Z) : computes (literal * literal) :=
  let$ below := combine (fst r) [(t, -1)] in
  let$ g := small (- snd r) in
  let$ above := plus t g in
  ret (lit AtMostZero below, lit AtMostZero above).
(** Is it true or false by the ranges of its atoms alone? *)
Definition evident (l : literal) : computes (option bool) :=
  let$ r := linear_range (term_of l) in
  ret match r with
  | None => None
  | Some (a, b) =>
    let zero := (a =? 0) && (b =? 0) in let other := (0 <? a) || (b <? 0) in
    let '(holds, fails) := match sign_of l with AtMostZero => (b <=? 0, 0 <? a) | IsZero => (zero, other) | NotZero => (other, zero) end in
    if holds then Some true else if fails then Some false else None end.
Definition is_true (l : literal) : computes bool := let$ e := evident l in ret match e with Some true => true | _ => false end.
Definition is_false (l : literal) : computes bool := let$ e := evident l in ret match e with Some false => true | _ => false end.
Definition sign_eqb (s t : sign) : bool := match s, t with
  | AtMostZero, AtMostZero | IsZero, IsZero | NotZero, NotZero => true | _, _ => false end.
Definition literal_eqb (l m : literal) : bool := sign_eqb (sign_of l) (sign_of m) && (term_of l =? term_of m)%N.
