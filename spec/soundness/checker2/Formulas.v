(** Which formulas have a meaning (spec/format.md#formulas): parts stand before what
    they are parts of, and are of the domains that its operation is of. *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed.
Import ListNotations.
Open Scope N_scope.

(** By number of an expression, its domain, as far as they have been found. *)
Notation domains := (PositiveMap.t domain).
Definition same_domain (d e : domain) : bool := match d, e with
  | BooleanDomain, BooleanDomain | IntegerDomain, IntegerDomain | ArrayDomain, ArrayDomain => true | _, _ => false end.

Section Formula.
Variable constants_of : indexed formula_constant.
Variable found : domains.
(** None where the expression is not there, or not yet. *)
Definition domain_at (e : N) : option domain := PositiveMap.find (N.succ_pos e) found.
Definition is_of (d : domain) (e : N) : bool := match domain_at e with Some d' => same_domain d d' | None => false end.
Definition are_of (d : domain) (es : list N) : bool := forallb (is_of d) es.

Inductive known_domain := Known (d : domain) | Wrong | NoSuchConstant.
Definition when (b : bool) (d : domain) : known_domain := if b then Known d else Wrong.
Definition find_domain (e : expression) : known_domain := match e with
  | ConstantExpression c => match at_position constants_of c with Some c => Known (domain_of c) | None => NoSuchConstant end
  | Not e => when (is_of BooleanDomain e) BooleanDomain
  | AllOf es | AnyOf es => when (are_of BooleanDomain es) BooleanDomain
  | IfThenElse c t o => match domain_at t with Some d => when (is_of BooleanDomain c && is_of d o) d | None => Wrong end
  | Equal l r => match domain_at l with Some d => when (is_of d r) BooleanDomain | None => Wrong end
  | AtMost l r => when (are_of IntegerDomain [l; r]) BooleanDomain
  | Sum _ es => when (are_of IntegerDomain (List.map fst es)) IntegerDomain
  | QuotientExpression a d => when ((1 <=? d)%Z && is_of IntegerDomain a) IntegerDomain
  | SelectExpression a i => when (is_of ArrayDomain a && is_of IntegerDomain i) IntegerDomain
  | StoreExpression a i v => when (is_of ArrayDomain a && are_of IntegerDomain [i; v]) ArrayDomain
  | Fill v => when (is_of IntegerDomain v) ArrayDomain
  | Witness l r => when (are_of ArrayDomain [l; r]) IntegerDomain end.
End Formula.

Definition is_witness (e : expression) : bool := match e with Witness _ _ => true | _ => false end.
(** Witnesses stand in the evidence alone, which begins with number [own]. *)
Fixpoint find_domains (constants_of : indexed formula_constant) (own n : N) (found : domains) (es : list expression) : answer domains := match es with
  | [] => Fine found
  | e :: es =>
    let wrong := Failed (IllFormed Part.Expression n Fault.Domain) in
    if is_witness e && (n <? own) then wrong else match find_domain constants_of found e with
    | Known d => find_domains constants_of own (N.succ n) (PositiveMap.add (N.succ_pos n) d found) es
    | Wrong => wrong
    | NoSuchConstant => Failed (MissingEntry Part.Expression n) end end.
(** The domains of all expressions, of the formula and of the evidence. *)
Definition find_domains_of (f : formula) (more : list expression) : answer domains :=
  let! found := find_domains (index_of (constants f)) (count (expressions f)) 0 (PositiveMap.empty domain) (expressions f ++ more) in
  each Part.Assertion (fun e => require (is_of found BooleanDomain e) Fault.Domain) (asserted f) ;;
  Fine found.
