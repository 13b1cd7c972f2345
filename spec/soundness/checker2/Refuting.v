(** Hints, replayed: deductions from a predicate and assumptions to a contradiction
    (spec/calculus.md#refutations), and what is shown by them
    (spec/numbering.md#facts). *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena.
Import ListNotations.
Open Scope Z_scope.

(** ** Facts *)

(** By number: the predicate, then what was assumed and deduced. *)
Record facts := { by_number : PositiveMap.t literal; fact_count : N }.
Definition add_fact (F : facts) (l : literal) : facts := {|
  by_number := PositiveMap.add (N.succ_pos (fact_count F)) l (by_number F); fact_count := N.succ (fact_count F) |}.
Definition facts_of (ls : list literal) : facts := fold_left add_fact ls {| by_number := PositiveMap.empty literal; fact_count := 0 |}.
Definition fact (F : facts) (n : N) : computes literal := match PositiveMap.find (N.succ_pos n) (by_number F) with
  | Some l => if (n <? fact_count F)%N then ret l else refuses Rejection.Deduction
  | None => refuses Rejection.Deduction end.

(** Facts after a deduction, and whether they contradict each other. *)
Definition deduced := (facts * bool)%type.
Definition add_one (s : sign) (t : N) (F : facts) : computes deduced :=
  let$ v := value_of t in
  let$ f := is_false (lit s t) in
  ret (add_fact F (lit s t), match v with Some _ => f | None => false end).
Definition add_several (ls : list literal) (F : facts) : computes deduced :=
  folded_left (fun '(F, closed) l => let$ (F, c) := add_one (sign_of l) (term_of l) F in ret (F, closed || c)) ls (F, false).
(** The atom and the term are equal. *)
Definition equate (F : facts) (a t : N) : computes deduced :=
  let$ s := of_atom a in let$ d := difference s t in add_one IsZero d F.

(** ** Premises *)

Definition holds_of (f : Z -> bool) (z : option Z) : bool := match z with Some z => f z | None => false end.
(** What is needed is evident, or the fact says it, about the same term or the opposite
    one, up to constants. *)
Definition implies (F : facts) (n : N) (needed : literal) : computes unit :=
  let$ e := is_true needed in
  if e then ret tt else
  let$ f := fact F n in
  let$ opposite := combine 0 [(term_of needed, -1)] in
  let$ gap := constant_difference (term_of f) (term_of needed) in
  let$ opposite_gap := constant_difference (term_of f) opposite in
  demand match sign_of f, sign_of needed with
    | AtMostZero, AtMostZero => holds_of (Z.leb 0) gap
    | IsZero, AtMostZero => holds_of (Z.leb 0) gap || holds_of (fun z => z <=? 0) opposite_gap
    | AtMostZero, NotZero => holds_of (Z.ltb 0) gap || holds_of (Z.ltb 0) opposite_gap
    | NotZero, NotZero => holds_of (Z.eqb 0) gap || holds_of (Z.eqb 0) opposite_gap
    | _, _ => false end Rejection.Deduction.
(** [t = 0], by [t <= 0] and [-t <= 0]. *)
Definition is_zero_by (F : facts) (t : N) (by_ : N * N) : computes unit :=
  let$ opposite := combine 0 [(t, -1)] in
  implies F (fst by_) (lit AtMostZero t) >> implies F (snd by_) (lit AtMostZero opposite).

(** ** Deductions *)

Definition may_sum (s : sign) (k : Z) : bool := match s with AtMostZero => 0 <? k | IsZero => negb (k =? 0) | NotZero => false end.
Definition common_divisor (l : list (N * Z)) : computes Z := folded_left (fun d '(_, k) =>
  demand (negb (k =? - 2 ^ 127)) Rejection.Overflow >> ret (Z.gcd d k)) l 0.
(** A linear combination, rounded (Farkas; Chvatal and Gomory). *)
Definition combine_facts (F : facts) (summed : list (N * Z)) : computes deduced :=
  let$ ts := mapped (fun '(n, k) =>
    let$ l := fact F n in demand (may_sum (sign_of l) k) Rejection.Deduction >> ret (term_of l, k)) summed in
  let$ sum := combine 0 ts in
  let$ l := linear_at sum in
  let$ d := common_divisor (summands l) in
  if d <=? 1 then add_one AtMostZero sum F else
  let$ negated := small (- constant l) in
  let$ multiple := plus sum negated in
  let$ reduced := quotient multiple d in
  let$ bound := small (- (negated / d)) in
  let$ rounded := plus reduced bound in
  add_one AtMostZero rounded F.
Definition tighten (F : facts) (bound disequality : N) : computes deduced :=
  let$ l := fact F bound in
  demand (sign_eqb (sign_of l) AtMostZero) Rejection.Deduction >>
  implies F disequality (lit NotZero (term_of l)) >>
  let$ t := plus (term_of l) 1 in
  add_one AtMostZero t F.
(** The definition of a quotient; the range of anything else. *)
Definition axiom (F : facts) (a : N) : computes deduced :=
  let$ t := of_atom a in
  let$ x := atom_at a in
  let$ (low, high) := match x with
    | Quotient d u =>
      let$ k := small (- d) in let$ rest := combine 0 [(u, 1); (t, k)] in let$ g := small (d - 1) in within rest (0, g)
    | _ => let$ r := atom_range a in let$ r := some r Rejection.Deduction in within t r end in
  add_several [low; high] F.
(** Of [select(store(A, i, v), j)]: [select(A, j)], [i - j] and v. *)
Definition read_of (a : N) : computes (N * N * N) :=
  let$ x := atom_at a in
  match x with
  | Select b j =>
    let$ y := array_at b in
    match y with
    | Stored below i v => let$ read := select below j in let$ gap := difference i j in ret (read, gap, v)
    | _ => refuses Rejection.Deduction end
  | _ => refuses Rejection.Deduction end.
Definition read_same (F : facts) (a : N) (by_ : N * N) : computes deduced :=
  let$ (_, gap, v) := read_of a in is_zero_by F gap by_ >> equate F a v.
Definition read_other (F : facts) (a by_ : N) : computes deduced :=
  let$ (below, gap, _) := read_of a in implies F by_ (lit NotZero gap) >> equate F a below.

(** The type and the argument of a conversion: [argument + 0] in the type. *)
Definition conversion (a : N) : computes (option (integer_type * N)) :=
  let$ x := atom_at a in
  match x with
  | Apply Add T s t => let$ v := value_of t in ret match v with Some 0 => Some (T, s) | _ => None end
  | _ => ret None end.
(** How far v is from the argument, or from another conversion of it by a multiple of the
    period. *)
Definition converted_distance (T : integer_type) (argument v : N) : computes (option Z) :=
  let$ l := linear_at v in
  let$ d := constant_difference v argument in
  match summands l with
  | [(wide, 1)] =>
    let$ c := conversion wide in
    ret match c with
    | Some (U, from) => if (from =? argument)%N && (period U mod period T =? 0) then Some (constant l) else d
    | None => d end
  | _ => ret d end.
Definition convert_fact (F : facts) (a v : N) (by_ : N * N) : computes deduced :=
  let$ c := conversion a in
  let$ (T, argument) := some c Rejection.Deduction in
  let$ d := converted_distance T argument v in
  let$ d := some d Rejection.Deduction in
  demand (d mod period T =? 0) Rejection.Deduction >>
  let$ (low, high) := within v (type_range T) in
  implies F (fst by_) low >> implies F (snd by_) high >> equate F a v.

(** Of two terms that are not negative, [|] adds those bits of the other that one does not
    have, and [^] takes those away that it has. *)
Definition bits (F : facts) (a : N) (by_ : N * N) : computes deduced :=
  let$ x := atom_at a in
  match x with
  | Apply op T s t =>
    let$ is_or := match op with Or => ret true | Xor => ret false | _ => refuses Rejection.Deduction end in
    let$ zero := constant_term 0 in
    let$ u := of_atom a in
    let$ sum := combine 0 [(s, 1); (t, 1)] in
    let$ at_least := at_most zero u in
    let$ at_most_sum := at_most u sum in
    let side p other n :=
      let$ r := linear_range p in
      demand (lies_in r T) Rejection.Deduction >>
      let$ needed := at_most zero p in
      implies F n needed >>
      let$ low := if is_or then ret p else difference p other in
      at_most low u in
    let$ first := side s t (fst by_) in
    let$ second := side t s (snd by_) in
    add_several [at_least; at_most_sum; first; second] F
  | _ => refuses Rejection.Deduction end.

Definition part_eqb (p q : part) : bool := match p, q with
  | LinearPart s, LinearPart t | ArrayPart s, ArrayPart t => (s =? t)%N | _, _ => false end.
(** Parts that differ are equal by facts, in order. *)
Fixpoint congruent (F : facts) (ps : list (part * part)) (by_ : list (N * N)) : computes unit := match ps with
  | [] => demand (is_empty by_) Rejection.Deduction
  | (p, q) :: ps =>
    if part_eqb p q then congruent F ps by_ else match p, q with
    | LinearPart s, LinearPart t =>
      let$ gap := difference s t in
      match by_ with [] => refuses Rejection.Deduction | b :: by_ => is_zero_by F gap b >> congruent F ps by_ end
    | _, _ => refuses Rejection.Deduction end end.
Definition operation_alone (a : atom) : atom := atom_with a (List.map (fun _ => 0%N) (parts_of_atom a)).
Definition congruence (F : facts) (a b : N) (by_ : list (N * N)) : computes deduced :=
  let$ x := atom_at a in let$ y := atom_at b in
  demand (atom_eqb (operation_alone x) (operation_alone y)) Rejection.Deduction >>
  congruent F (List.combine (parts_of_atom x) (parts_of_atom y)) by_ >>
  let$ t := of_atom b in
  equate F a t.

(** The atom with constants for its arguments, in normal form. *)
Fixpoint arguments (F : facts) (ps : list part) (vs : list (Z * (N * N))) : computes (list N) := match ps with
  | [] => demand (is_empty vs) Rejection.Deduction >> ret []
  | ArrayPart a :: ps => let$ ns := arguments F ps vs in ret (a :: ns)
  | LinearPart t :: ps =>
    let$ v := value_of t in
    match v, vs with
    | Some _, _ => let$ ns := arguments F ps vs in ret (t :: ns)
    | None, [] => refuses Rejection.Deduction
    | None, (z, by_) :: vs =>
      let$ u := constant_term z in
      let$ gap := difference t u in
      is_zero_by F gap by_ >>
      let$ ns := arguments F ps vs in ret (u :: ns) end end.
Definition evaluate (F : facts) (a : N) (vs : list (Z * (N * N))) : computes deduced :=
  let$ x := atom_at a in
  let$ ns := arguments F (parts_of_atom x) vs in
  let$ t := normal (atom_with x ns) in
  equate F a t.

Definition deduce (F : facts) (d : deduction) : computes deduced := match d with
  | Combine l => combine_facts F l
  | Tighten b e => tighten F b e
  | Axiom_ a => axiom F a
  | Congruence a b fs => congruence F a b fs
  | ReadSame a fs => read_same F a fs
  | ReadOther a f => read_other F a f
  | Convert a v fs => convert_fact F a v fs
  | Case l => linear_at (term_of l) >> let$ f := is_false l in ret (add_fact F l, f)
  | Bits a fs => bits F a fs
  | Evaluate a vs => evaluate F a vs end.

(** ** Hints *)

(** Open cases: the facts before, and what was assumed.  Where a case is closed its
    negation takes its place. *)
Fixpoint close (cases : list (facts * literal)) : computes (option (facts * list (facts * literal))) := match cases with
  | [] => ret None
  | (F, l) :: cases =>
    let$ m := negate l in
    let$ closed := is_false m in
    if closed then close cases else ret (Some (add_fact F m, cases)) end.
(** Ends in a contradiction with its last deduction. *)
Fixpoint refuted_by (F : facts) (cases : list (facts * literal)) (ds : list deduction) : computes unit := match ds with
  | [] => refuses Rejection.NotRefuted
  | d :: ds =>
    let cases := match d with Case l => (F, l) :: cases | _ => cases end in
    let$ (F, closed) := deduce F d in
    if closed then
      let$ left := close cases in
      match left with
      | None => demand (is_empty ds) Rejection.NotRefuted
      | Some (F, cases) => refuted_by F cases ds end
    else refuted_by F cases ds end.

(** The next hint refutes the predicate under the assumptions. *)
Definition refute (predicate assumptions : list literal) : computes unit := fun s => match hints_left s with
  | [] => Refuses Rejection.Hints
  | ds :: hints => refuted_by (facts_of (predicate ++ assumptions)) [] ds (with_hints s hints) end.

(** ** What is to be shown *)

Definition stands_in (l : literal) (predicate : list literal) : bool := existsb (literal_eqb l) predicate.
Definition entail (predicate : list literal) (l : literal) : computes unit :=
  let$ e := is_true l in
  if e || stands_in l predicate then ret tt else
  match sign_of l with
  | IsZero =>
    let$ above := combine 1 [(term_of l, 1)] in
    refute predicate [lit AtMostZero above] >>
    let$ below := combine 1 [(term_of l, -1)] in
    refute predicate [lit AtMostZero below]
  | _ => let$ m := negate l in refute predicate [m] end.
Definition shown_range (predicate : list literal) (t : N) (r : Z * Z) : computes unit :=
  let$ (low, high) := within t r in entail predicate low >> entail predicate high.
(** The term, which the certificate gives, mentions existing variables and has values of
    the sort. *)
Definition shown_integer (sc : scope) (predicate : list literal) (t : N) (s : option integer_type) : computes unit :=
  exists_in sc (LinearPart t) >>
  let$ r := linear_range t in
  match s with
  | Some T => if lies_in r T then ret tt else shown_range predicate t (type_range T)
  | None => ret tt end.
(** Elements of an array: evidently, or store by store. *)
Fixpoint shown_elements (fuel : nat) (predicate : list literal) (a : N) (T : integer_type) : computes unit :=
  let$ r := array_range a in
  if lies_in r T then ret tt else
  let$ x := array_at a in
  match x, fuel with
  | Stored b _ v, S fuel => shown_range predicate v (type_range T) >> shown_elements fuel predicate b T
  | Constant v, _ => shown_range predicate v (type_range T)
  | _, _ => refuses Rejection.Choice end.
Definition shown_array (sc : scope) (predicate : list literal) (a : N) (T : integer_type) : computes unit :=
  exists_in sc (ArrayPart a) >>
  let$ n := looks (fun s => how_many (array_nodes s)) in
  shown_elements (N.to_nat n) predicate a T.
