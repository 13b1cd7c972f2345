(** Formulas without a model: clauses, one after the other, the last one empty
    (spec/smt.md). *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Formulas Arena Refuting States.
Import ListNotations.
Open Scope N_scope.

Section Formula.
Variable f : formula.
(** All expressions, their domains, and the value of each that is an integer. *)
Variable all : indexed expression.
Variable found : PositiveMap.t domain.

Definition expression_at (e : N) : computes expression := some (at_position all e) Rejection.Missing.
Definition value_in (values_ : PositiveMap.t N) (e : N) : computes N := some (PositiveMap.find (N.succ_pos e) values_) Rejection.Deduction.

(** Sums and quotients are those of terms; every other integer is a variable of any value
    with the expression's number. *)
Definition evaluate_one (values_ : PositiveMap.t N) (x : N * expression) : computes (PositiveMap.t N) :=
  let (n, e) := x in
  match PositiveMap.find (N.succ_pos n) found with
  | Some IntegerDomain =>
    let$ t := match e with
      | Sum c es => let$ ps := mapped (fun '(e, k) => let$ t := value_in values_ e in ret (t, k)) es in combine c ps
      | QuotientExpression a d => let$ t := value_in values_ a in quotient t d
      | _ => variable None n end in
    ret (PositiveMap.add (N.succ_pos n) t values_)
  | _ => ret values_ end.

(** ** Definitions *)

Definition opposite_of (s : signed_expression) : signed_expression := match s with Holds e => Fails e | Fails e => Holds e end.
(** Of a junction of parts: what it says of each, and, last, what its opposite says of one
    of them. *)
Definition junction (es : list N) (n : N) (each last_ : signed_expression) (of_each of_last : N -> signed_expression) : computes (list signed_expression) :=
  match nth es n with
  | Some e => ret [each; of_each e]
  | None => demand (n =? count es) Rejection.Missing >> ret (last_ :: List.map of_last es) end.
Definition is_boolean (e : N) : bool := is_of found BooleanDomain e.
Definition nth_clause (cs : list (list signed_expression)) (n : N) : computes (list signed_expression) := some (nth cs n) Rejection.Missing.
Definition definition_of (e n : N) : computes (list signed_expression) :=
  let$ x := expression_at e in
  match x with
  | Not p => nth_clause [[Fails e; Fails p]; [Holds e; Holds p]] n
  | AllOf es => junction es n (Fails e) (Holds e) Holds Fails
  | AnyOf es => junction es n (Holds e) (Fails e) Fails Holds
  | Equal a b =>
    if is_boolean a then nth_clause [[Fails e; Fails a; Holds b]; [Fails e; Holds a; Fails b]; [Holds e; Holds a; Holds b]; [Holds e; Fails a; Fails b]] n
    else refuses Rejection.Deduction
  | IfThenElse c a b =>
    if is_boolean e then nth_clause [[Fails c; Fails e; Holds a]; [Fails c; Holds e; Fails a]; [Holds c; Fails e; Holds b]; [Holds c; Holds e; Fails b]] n
    else refuses Rejection.Deduction
  | _ => refuses Rejection.Deduction end.

(** ** Steps *)

Definition both_sides (e : N) : computes (N * N) := let$ x := expression_at e in match x with Equal a b => ret (a, b) | _ => refuses Rejection.Deduction end.
Definition element_of (e : N) : computes (N * N) := let$ x := expression_at e in match x with SelectExpression a i => ret (a, i) | _ => refuses Rejection.Deduction end.
Definition pair_eqb (p q : N * N) : bool := (fst p =? fst q) && (snd p =? snd q).
Definition choice_clause (e : N) : computes (list signed_expression) :=
  let$ (chosen, v) := both_sides e in
  let$ x := expression_at chosen in
  match x with
  | IfThenElse c a b =>
    if v =? a then ret [Fails c; Holds e] else if v =? b then ret [Holds c; Holds e] else refuses Rejection.Deduction
  | _ => refuses Rejection.Deduction end.
(** Of [select(store(a, i, v), j) = t] and [i = j]: a and v. *)
Definition read_stored (e is_ : N) : computes (N * N) :=
  let$ (x, _) := both_sides e in
  let$ (a, i) := element_of x in
  let$ y := expression_at a in
  match y with
  | StoreExpression b j v => let$ p := both_sides is_ in demand (pair_eqb p (j, i)) Rejection.Deduction >> ret (b, v)
  | _ => refuses Rejection.Deduction end.
Definition read_same_clause (e is_ : N) : computes (list signed_expression) :=
  let$ (_, v) := read_stored e is_ in
  let$ (_, t) := both_sides e in
  demand (t =? v) Rejection.Deduction >> ret [Fails is_; Holds e].
Definition read_other_clause (e is_ : N) : computes (list signed_expression) :=
  let$ (below_, _) := read_stored e is_ in
  let$ (_, other) := both_sides e in
  let$ (_, j) := both_sides is_ in
  let$ p := element_of other in
  demand (pair_eqb p (below_, j)) Rejection.Deduction >> ret [Holds is_; Holds e].
Definition read_fill_clause (e : N) : computes (list signed_expression) :=
  let$ (x, other) := both_sides e in
  let$ (a, _) := element_of x in
  let$ y := expression_at a in
  demand match y with Fill v => v =? other | _ => false end Rejection.Deduction >> ret [Holds e].
Fixpoint same_parts (ps : list (N * N)) (premises_ : list N) : computes (list signed_expression) := match ps with
  | [] => demand (is_empty premises_) Rejection.Deduction >> ret []
  | (a, b) :: ps =>
    if a =? b then same_parts ps premises_ else match premises_ with
    | [] => refuses Rejection.Deduction
    | p :: premises_ =>
      let$ q := both_sides p in
      demand (pair_eqb q (a, b)) Rejection.Deduction >>
      let$ c := same_parts ps premises_ in ret (Fails p :: c) end end.
Definition same_element_clause (e : N) (premises_ : list N) : computes (list signed_expression) :=
  let$ (x, y) := both_sides e in
  let$ (a, i) := element_of x in let$ (b, j) := element_of y in
  let$ c := same_parts [(a, b); (i, j)] premises_ in
  ret (c ++ [Holds e]).
Definition extensionality_clause (e elements : N) : computes (list signed_expression) :=
  let$ (a, b) := both_sides e in
  let$ (x, y) := both_sides elements in
  let$ (a', i) := element_of x in let$ (b', j) := element_of y in
  let$ w := expression_at i in
  demand (match w with Witness l r => (l =? a) && (r =? b) | _ => false end && (a' =? a) && (b' =? b) && (j =? i)) Rejection.Deduction >>
  ret [Holds e; Fails elements].

(** The opposite of a comparison or an equation of integers. *)
Definition opposite_literal (values_ : PositiveMap.t N) (x : signed_expression) : computes literal :=
  let '(e, holds) := match x with Holds e => (e, true) | Fails e => (e, false) end in
  let$ y := expression_at e in
  match y with
  | AtMost a b =>
    let$ s := value_in values_ a in let$ t := value_in values_ b in
    if holds then less t s else at_most s t
  | Equal a b =>
    let$ s := value_in values_ a in let$ t := value_in values_ b in
    let$ d := difference s t in ret (lit (if holds then NotZero else IsZero) d)
  | _ => refuses Rejection.Deduction end.
(** Terms that are made are forgotten again: no step names them. *)
Definition arithmetic_step (values_ : PositiveMap.t N) (c : list signed_expression) (h : list deduction) : computes unit := fun s =>
  match (let$ ls := mapped (opposite_literal values_) c in refuted_by (facts_of ls) [] h) s with
  | Gives _ _ => Gives tt s | Refuses r => Refuses r end.

(** ** Unit propagation *)

Notation assigned := (PositiveMap.t bool).
Definition parts_of_sign (x : signed_expression) : N * bool := match x with Holds e => (e, true) | Fails e => (e, false) end.
Definition assign (m : assigned) (x : signed_expression) (is_true_ : bool) : computes assigned :=
  let (e, wanted) := parts_of_sign x in
  demand (e <? entries all) Rejection.Missing >>
  demand (negb (PositiveMap.mem (N.succ_pos e) m)) Rejection.Hints >>
  ret (PositiveMap.add (N.succ_pos e) (Bool.eqb wanted is_true_) m).
Definition same_signed (x y : signed_expression) : bool := match x, y with
  | Holds a, Holds b | Fails a, Fails b => a =? b | _, _ => false end.
(** The literal of a clause that is left, if one is. *)
Definition unit_literal (m : assigned) (c : list signed_expression) : computes (option signed_expression) :=
  folded_left (fun left_ x =>
    let (e, wanted) := parts_of_sign x in
    match PositiveMap.find (N.succ_pos e) m with
    | Some v => demand (negb (Bool.eqb v wanted)) Rejection.Hints >> ret left_
    | None => match left_ with
      | None => ret (Some x)
      | Some y => demand (same_signed x y) Rejection.Hints >> ret left_ end end) c None.
Fixpoint propagated (clauses : numbered (list signed_expression)) (m : assigned) (hs : list N) : computes unit := match hs with
  | [] => refuses Rejection.NotRefuted
  | h :: hs =>
    let$ c := some (find clauses h) Rejection.Missing in
    let$ u := unit_literal m c in
    match u with
    | None => demand (is_empty hs) Rejection.Hints
    | Some x => let$ m := assign m x true in propagated clauses m hs end end.
Definition propagation (clauses : numbered (list signed_expression)) (c : list signed_expression) (hs : list N) : computes unit :=
  let assume_false m x := (if is_boolean (fst (parts_of_sign x)) then ret tt else refuses Rejection.Domain) >> assign m x false in
  let$ m := folded_left assume_false c (PositiveMap.empty bool) in
  propagated clauses m hs.

(** The clause that a step shows. *)
Definition clause_of (values_ : PositiveMap.t N) (clauses : numbered (list signed_expression)) (i : inference) : computes (list signed_expression) := match i with
  | AssertionStep n => let$ a := some (nth (asserted f) n) Rejection.Missing in ret [Holds a]
  | Definition_ e n => definition_of e n
  | ChoiceStep e => choice_clause e
  | ReadSameStep e is_ => read_same_clause e is_
  | ReadOtherStep e is_ => read_other_clause e is_
  | ReadFill e => read_fill_clause e
  | SameElement e ps => same_element_clause e ps
  | Extensionality e es => extensionality_clause e es
  | Arithmetic c h => arithmetic_step values_ c h >> ret c
  | Propagation c hs => propagation clauses c hs >> ret c end.
Definition add_clause values_ clauses (i : inference) : computes (numbered (list signed_expression)) :=
  let$ c := clause_of values_ clauses i in ret (snd (added clauses c)).
End Formula.
