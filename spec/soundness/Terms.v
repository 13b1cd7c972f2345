(** Terms, literals and their values (spec/calculus.md#terms).

    Terms are trees here; that the kernel keeps each term once, in a table, is
    a matter of its representation.  What its normal form says is an equality
    under all valuations: [normal_eval]. *)
From Coq Require Import List ZArith Lia Bool.
From Goatherd Require Import Integers.
Import ListNotations.
Open Scope Z_scope.
Arguments Z.mul : simpl never.
Arguments Z.add : simpl never.
Arguments Z.sub : simpl never.
Arguments Z.div : simpl never.
Arguments Z.leb : simpl never.
Arguments Z.eqb : simpl never.
Arguments Z.ltb : simpl never.
Arguments Z.opp : simpl never.
Arguments Z.max : simpl never.
Arguments Z.min : simpl never.

(** A sort is a C type, or none: an integer without bound. *)
Definition sort := option integer_type.
Definition sort_eqb (s t : sort) := match s, t with
  | Some a, Some b => integer_type_eqb a b | None, None => true | _, _ => false end.
Lemma sort_eqb_eq s t : sort_eqb s t = true <-> s = t.
Proof.
  destruct s, t; simpl; try (split; congruence). rewrite integer_type_eqb_eq. split; congruence.
Qed.

(** [Table] holds the entries of a constant table; outside of it is 0. *)
Inductive term :=
| Var (T : sort) (x : nat)
| Constant (z : Z)
| Plus (s t : term)
| Times (k : Z) (t : term)
| Select (a : array) (i : term)
| Quotient (t : term) (d : Z)
| Apply (op : operation) (T : integer_type) (s t : term)
with array :=
| ArrayVar (T : integer_type) (x : nat)
| Store (a : array) (i v : term)
| Everywhere (v : term)
| Table (l : list Z).

Scheme term_mind := Induction for term Sort Prop
  with array_mind := Induction for array Sort Prop.
Combined Scheme term_array_ind from term_mind, array_mind.

Definition Minus s t := Plus s (Times (-1) t).
Definition Convert T t := Apply Add T t (Constant 0).

(** ** Values *)

Record valuation := { integers : sort -> nat -> Z; arrays : integer_type -> nat -> Z -> Z }.

Definition well_sorted (nu : valuation) :=
  (forall T x, within T (integers nu (Some T) x)) /\
  (forall T x i, within T (arrays nu T x i)).

Definition entry_of l i := if 0 <=? i then nth (Z.to_nat i) l 0 else 0.

Fixpoint eval (nu : valuation) (t : term) : Z := match t with
  | Var T x => integers nu T x
  | Constant z => z
  | Plus s t => eval nu s + eval nu t
  | Times k t => k * eval nu t
  | Select a i => eval_array nu a (eval nu i)
  | Quotient t d => eval nu t / d
  | Apply op T s t => apply op T (eval nu s) (eval nu t)
  end
with eval_array nu (a : array) : Z -> Z := match a with
  | ArrayVar T x => arrays nu T x
  | Store a i v => fun j => if j =? eval nu i then eval nu v else eval_array nu a j
  | Everywhere v => fun _ => eval nu v
  | Table l => entry_of l
  end.

Theorem convert_eval nu T t : eval nu (Convert T t) = wrap T (eval nu t).
Proof. apply apply_convert. Qed.

Inductive literal := AtMost (t : term) | Equal (t : term) | Unequal (t : term).   (* t <= 0, t = 0, t != 0 *)
Definition holds nu l := match l with
  | AtMost t => eval nu t <= 0 | Equal t => eval nu t = 0 | Unequal t => eval nu t <> 0 end.
Definition negation l := match l with
  | AtMost t => AtMost (Minus (Constant 1) t) | Equal t => Unequal t | Unequal t => Equal t end.
Lemma holds_or_not nu l : holds nu l \/ holds nu (negation l).
Proof. destruct l; simpl; lia. Qed.
Lemma negation_holds nu l : holds nu (negation l) <-> ~ holds nu l.
Proof. destruct l; simpl; lia. Qed.

Definition model nu P := well_sorted nu /\ Forall (holds nu) P.
Definition absurd P := forall nu, ~ model nu P.
Lemma model_app nu F G : model nu F -> Forall (holds nu) G -> model nu (F ++ G).
Proof. intros [? ?] ?; split; auto. apply Forall_app; auto. Qed.

(** ** Equality of terms *)

Definition operation_eqb (a b : operation) : bool := match a, b with
  | Add, Add | Subtract, Subtract | Multiply, Multiply | Divide, Divide | Remainder, Remainder
  | And, And | Or, Or | Xor, Xor | ShiftLeft, ShiftLeft | ShiftRight, ShiftRight => true | _, _ => false end.
Lemma operation_eqb_eq a b : operation_eqb a b = true -> a = b.
Proof. destruct a, b; simpl; congruence. Qed.
Fixpoint numbers_eqb (l m : list Z) : bool := match l, m with
  | [], [] => true | a :: l, b :: m => (a =? b) && numbers_eqb l m | _, _ => false end.
Lemma numbers_eqb_eq l : forall m, numbers_eqb l m = true -> l = m.
Proof.
  induction l; intros [|b m]; simpl; try congruence. intros H. apply andb_prop in H as [H1 H2].
  apply Z.eqb_eq in H1. f_equal; auto.
Qed.

Fixpoint term_eqb (s t : term) : bool := match s, t with
  | Var T x, Var T' x' => sort_eqb T T' && Nat.eqb x x'
  | Constant a, Constant b => a =? b
  | Plus a b, Plus a' b' => term_eqb a a' && term_eqb b b'
  | Times k a, Times k' a' => (k =? k') && term_eqb a a'
  | Select a i, Select a' i' => array_eqb a a' && term_eqb i i'
  | Quotient a d, Quotient a' d' => term_eqb a a' && (d =? d')
  | Apply op T a b, Apply op' T' a' b' =>
    operation_eqb op op' && integer_type_eqb T T' && term_eqb a a' && term_eqb b b'
  | _, _ => false end
with array_eqb (a b : array) : bool := match a, b with
  | ArrayVar T x, ArrayVar T' x' => integer_type_eqb T T' && Nat.eqb x x'
  | Store a i v, Store a' i' v' => array_eqb a a' && term_eqb i i' && term_eqb v v'
  | Everywhere v, Everywhere v' => term_eqb v v'
  | Table l, Table m => numbers_eqb l m
  | _, _ => false end.
Lemma eqb_eq : (forall s t, term_eqb s t = true -> s = t) /\
               (forall a b, array_eqb a b = true -> a = b).
Proof.
  apply term_array_ind; intros; match goal with H : _ ?x = true |- _ = ?x => destruct x
    | H : _ = true |- _ = ?x => destruct x end; simpl in *; try discriminate;
  repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [? ?] end;
  f_equal; auto using operation_eqb_eq, numbers_eqb_eq;
  try (apply integer_type_eqb_eq; auto); try (apply sort_eqb_eq; auto);
  try (apply Nat.eqb_eq; auto); try (apply Z.eqb_eq; auto).
Qed.
Definition term_eqb_eq := proj1 eqb_eq.
Definition array_eqb_eq := proj2 eqb_eq.

(** ** Linear normal form: a constant, and atoms with coefficients *)

Definition linear := (Z * list (term * Z))%type.
Definition eval_summands nu (l : list (term * Z)) : Z :=
  fold_right (fun p z => snd p * eval nu (fst p) + z) 0 l.
Definition eval_linear nu (l : linear) := fst l + eval_summands nu (snd l).

Fixpoint insert (a : term) (k : Z) (l : list (term * Z)) := match l with
  | [] => if k =? 0 then [] else [(a, k)]
  | (b, m) :: l' => if term_eqb a b
      then (if k + m =? 0 then l' else (b, k + m) :: l')
      else (b, m) :: insert a k l' end.
Lemma insert_eval nu a k l : eval_summands nu (insert a k l) = k * eval nu a + eval_summands nu l.
Proof.
  induction l as [|[b m] l IH]; simpl.
  - destruct (Z.eqb_spec k 0); simpl; subst; lia.
  - destruct (term_eqb a b) eqn:E.
    + apply term_eqb_eq in E; subst b. destruct (Z.eqb_spec (k + m) 0); simpl; nia.
    + simpl. rewrite IH. lia.
Qed.

Fixpoint gather (k : Z) (t : term) (l : linear) : linear := match t with
  | Constant z => (fst l + k * z, snd l)
  | Plus s t => gather k s (gather k t l)
  | Times m t => gather (k * m) t l
  | t => (fst l, insert t k (snd l)) end.
Lemma gather_eval nu : forall t k l, eval_linear nu (gather k t l) = k * eval nu t + eval_linear nu l.
Proof.
  induction t; intros; unfold eval_linear in *; cbn [gather fst snd]; rewrite ?insert_eval; simpl eval; try lia.
  - rewrite IHt1, IHt2. lia.
  - rewrite IHt. lia.
Qed.
Definition normal t := gather 1 t (0, []).
Theorem normal_eval nu t : eval_linear nu (normal t) = eval nu t.
Proof. unfold normal. rewrite gather_eval. unfold eval_linear. simpl. lia. Qed.

Definition unlinear (l : linear) : term :=
  fold_right (fun p t => Plus (Times (snd p) (fst p)) t) (Constant (fst l)) (snd l).
Lemma unlinear_eval nu l : eval nu (unlinear l) = eval_linear nu l.
Proof. destruct l as [c l]. unfold unlinear, eval_linear; simpl. induction l as [|[a k] l IH]; simpl; lia. Qed.

(** ** Ranges: bounds by sorts and types alone; none where unknown *)

Definition range := (option Z * option Z)%type.
Definition in_range (r : range) z :=
  match fst r with Some a => a <= z | None => True end /\ match snd r with Some b => z <= b | None => True end.
Definition lift2 (f : Z -> Z -> Z) (a b : option Z) := match a, b with Some a, Some b => Some (f a b) | _, _ => None end.
Definition range_of_type T : range := (Some (least T), Some (greatest T)).
Definition range_of_sort (s : sort) : range := match s with Some T => range_of_type T | None => (None, None) end.
Definition range_sum (r s : range) : range := (lift2 Z.add (fst r) (fst s), lift2 Z.add (snd r) (snd s)).
Definition range_times k (r : range) : range :=
  let times o := option_map (Z.mul k) o in
  if k =? 0 then (Some 0, Some 0) else if 0 <? k then (times (fst r), times (snd r)) else (times (snd r), times (fst r)).
Definition range_union (r s : range) : range := (lift2 Z.min (fst r) (fst s), lift2 Z.max (snd r) (snd s)).
Definition range_quotient (r : range) d : range :=
  if 0 <? d then (option_map (fun a => a / d) (fst r), option_map (fun b => b / d) (snd r)) else (None, None).

Lemma range_sum_ok r s y z : in_range r y -> in_range s z -> in_range (range_sum r s) (y + z).
Proof. destruct r as [[a|] [b|]], s as [[c|] [d|]]; unfold in_range; simpl; lia. Qed.
Lemma range_times_ok k r z : in_range r z -> in_range (range_times k r) (k * z).
Proof.
  unfold range_times. destruct (Z.eqb_spec k 0); [subst; unfold in_range; simpl; lia|].
  destruct (Z.ltb_spec 0 k); destruct r as [[a|] [b|]]; unfold in_range; simpl; nia.
Qed.
Lemma range_union_ok r s z : in_range r z \/ in_range s z -> in_range (range_union r s) z.
Proof. destruct r as [[a|] [b|]], s as [[c|] [d|]]; unfold in_range; simpl; lia. Qed.
Lemma range_quotient_ok r d z : in_range r z -> in_range (range_quotient r d) (z / d).
Proof.
  unfold range_quotient. destruct (Z.ltb_spec 0 d); [|unfold in_range; simpl; auto].
  destruct r as [[a|] [b|]]; unfold in_range; simpl; intros [? ?]; split; auto; apply Z.div_le_mono; lia.
Qed.

Fixpoint range_of (t : term) : range := match t with
  | Var s _ => range_of_sort s
  | Constant z => (Some z, Some z)
  | Plus s t => range_sum (range_of s) (range_of t)
  | Times k t => range_times k (range_of t)
  | Select a _ => range_of_array a
  | Quotient t d => range_quotient (range_of t) d
  | Apply _ T _ _ => range_of_type T end
with range_of_array a : range := match a with
  | ArrayVar T _ => range_of_type T
  | Store a _ v => range_union (range_of_array a) (range_of v)
  | Everywhere v => range_of v
  | Table l => (Some (fold_right Z.min 0 l), Some (fold_right Z.max 0 l)) end.

Lemma entry_of_range l i : fold_right Z.min 0 l <= entry_of l i <= fold_right Z.max 0 l.
Proof.
  unfold entry_of.
  assert (B : fold_right Z.min 0 l <= 0 <= fold_right Z.max 0 l) by (induction l; simpl; lia).
  destruct (0 <=? i); auto. generalize (Z.to_nat i) as n. induction l as [|a l IH]; intros [|n]; simpl in *; try lia.
  assert (B' : fold_right Z.min 0 l <= 0 <= fold_right Z.max 0 l) by (clear; induction l; simpl; lia).
  specialize (IH B' n). lia.
Qed.
Lemma range_of_sound nu : well_sorted nu ->
  (forall t, in_range (range_of t) (eval nu t)) /\
  (forall a i, in_range (range_of_array a) (eval_array nu a i)).
Proof.
  intros [Hi Ha]. apply term_array_ind; simpl; intros.
  - destruct T as [T|]; [|unfold in_range; simpl; auto]. apply (Hi T x).
  - unfold in_range; simpl; lia.
  - apply range_sum_ok; auto.
  - apply range_times_ok; auto.
  - auto.
  - apply range_quotient_ok; auto.
  - apply apply_within.
  - apply Ha.
  - apply range_union_ok. destruct (_ =? _); auto.
  - auto.
  - apply entry_of_range.
Qed.

(** The range of a term in normal form, which knows what cancels out. *)
Definition range_of_linear (l : linear) : range :=
  fold_right (fun p r => range_sum (range_times (snd p) (range_of (fst p))) r) (Some (fst l), Some (fst l)) (snd l).
Lemma range_of_linear_sound nu l : well_sorted nu -> in_range (range_of_linear l) (eval_linear nu l).
Proof.
  intros H. destruct l as [c l]. unfold range_of_linear, eval_linear; simpl. induction l as [|[a k] l IH]; simpl.
  - unfold in_range; simpl; lia.
  - replace (c + (k * eval nu a + eval_summands nu l)) with (k * eval nu a + (c + eval_summands nu l)) by lia.
    apply range_sum_ok; auto. apply range_times_ok. apply range_of_sound; auto.
Qed.

(** A literal that holds under all well-sorted valuations, by ranges. *)
Definition evident l : bool := match l with
  | AtMost t => match snd (range_of_linear (normal t)) with Some b => b <=? 0 | None => false end
  | Equal t => match range_of_linear (normal t) with (Some a, Some b) => (a =? 0) && (b =? 0) | _ => false end
  | Unequal t => match fst (range_of_linear (normal t)) with Some a => 0 <? a | None => false end
      || match snd (range_of_linear (normal t)) with Some b => b <? 0 | None => false end end.
Theorem evident_holds nu l : well_sorted nu -> evident l = true -> holds nu l.
Proof.
  intros Hw. destruct l as [t|t|t]; simpl; pose proof (range_of_linear_sound nu (normal t) Hw) as R;
  rewrite normal_eval in R; destruct (range_of_linear (normal t)) as [[a|] [b|]]; unfold in_range in R; simpl in *;
  try discriminate; intros; lia.
Qed.

(** ** Scopes: which variables exist *)

Fixpoint scoped (n : nat) t : bool := match t with
  | Var _ x => Nat.ltb x n
  | Constant _ => true
  | Plus s t | Apply _ _ s t => scoped n s && scoped n t
  | Times _ t | Quotient t _ => scoped n t
  | Select a i => scoped_array n a && scoped n i end
with scoped_array n a : bool := match a with
  | ArrayVar _ x => Nat.ltb x n
  | Store a i v => scoped_array n a && scoped n i && scoped n v
  | Everywhere v => scoped n v
  | Table _ => true end.
Definition agree n (nu mu : valuation) :=
  (forall T x, (x < n)%nat -> integers nu T x = integers mu T x) /\
  (forall T x i, (x < n)%nat -> arrays nu T x i = arrays mu T x i).
Lemma agree_eval n nu mu : agree n nu mu ->
  (forall t, scoped n t = true -> eval nu t = eval mu t) /\
  (forall a, scoped_array n a = true -> forall i, eval_array nu a i = eval_array mu a i).
Proof.
  intros [Hi Ha]. apply term_array_ind; simpl; intros;
  repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [? ?] end;
  repeat match goal with H : ?A -> _, H' : ?A |- _ => specialize (H H') end;
  repeat match goal with H : eval _ _ = _ |- _ => rewrite H end;
  auto; try (apply Hi; apply Nat.ltb_lt; auto); try (apply Ha; apply Nat.ltb_lt; auto).
  destruct (_ =? _); auto.
Qed.

(** ** Substitutions.  What is not mapped is 0: never itself (trap 5). *)

Record substitution := { to_terms : list (sort * nat * term); to_arrays : list (integer_type * nat * array) }.
Fixpoint lookup (T : sort) x (l : list (sort * nat * term)) : term := match l with
  | [] => Constant 0
  | (T', x', t) :: l => if sort_eqb T T' && Nat.eqb x x' then t else lookup T x l end.
Fixpoint lookup_array (T : integer_type) x (l : list (integer_type * nat * array)) : array := match l with
  | [] => Everywhere (Constant 0)
  | (T', x', t) :: l => if integer_type_eqb T T' && Nat.eqb x x' then t else lookup_array T x l end.
Fixpoint subst th t := match t with
  | Var T x => lookup T x (to_terms th)
  | Constant z => Constant z
  | Plus s t => Plus (subst th s) (subst th t)
  | Times k t => Times k (subst th t)
  | Select a i => Select (subst_array th a) (subst th i)
  | Quotient t d => Quotient (subst th t) d
  | Apply op T s t => Apply op T (subst th s) (subst th t) end
with subst_array th a := match a with
  | ArrayVar T x => lookup_array T x (to_arrays th)
  | Store a i v => Store (subst_array th a) (subst th i) (subst th v)
  | Everywhere v => Everywhere (subst th v)
  | Table l => Table l end.
Definition subst_literal th l := match l with
  | AtMost t => AtMost (subst th t) | Equal t => Equal (subst th t) | Unequal t => Unequal (subst th t) end.

(** The valuation of the template's variables: nu after theta. *)
Definition after (nu : valuation) th : valuation := {|
  integers := fun T x => eval nu (lookup T x (to_terms th));
  arrays := fun T x => eval_array nu (lookup_array T x (to_arrays th)) |}.
Lemma subst_eval nu th :
  (forall t, eval nu (subst th t) = eval (after nu th) t) /\
  (forall a i, eval_array nu (subst_array th a) i = eval_array (after nu th) a i).
Proof. apply term_array_ind; simpl; intros; try congruence. rewrite H0, H1, H. auto. Qed.
Theorem subst_holds nu th l : holds nu (subst_literal th l) <-> holds (after nu th) l.
Proof. destruct l; simpl; rewrite (proj1 (subst_eval nu th)); tauto. Qed.

(** *** Range obligations: what makes nu after theta well-sorted *)

Definition in_type (T : integer_type) (t : term) : list literal :=
  [AtMost (Minus (Constant (least T)) t); AtMost (Minus t (Constant (greatest T)))].
Lemma in_type_within nu T t : Forall (holds nu) (in_type T t) -> within T (eval nu t).
Proof.
  intros H. inversion_clear H as [|? ? A B]. inversion_clear B as [|? ? C D]. simpl in *. unfold within; lia.
Qed.
(** An array is in range by its sort, store by store. *)
Fixpoint array_in_type (T : integer_type) (a : array) : option (list literal) := match a with
  | ArrayVar T' _ => if integer_type_eqb T T' then Some [] else None
  | Store a i v => match array_in_type T a with Some l => Some (l ++ in_type T v) | None => None end
  | Everywhere v => Some (in_type T v)
  | Table l => Some (in_type T (Constant 0) ++ flat_map (fun z => in_type T (Constant z)) l) end.
Lemma array_in_type_within nu T : well_sorted nu -> forall a l, array_in_type T a = Some l ->
  Forall (holds nu) l -> forall i, within T (eval_array nu a i).
Proof.
  intros Hw. fix IH 1. intros a; destruct a as [T' x | a i v | v | m]; simpl; intros l H Hl j.
  - destruct (integer_type_eqb T T') eqn:E; [|discriminate]. apply integer_type_eqb_eq in E. rewrite E. apply Hw.
  - destruct (array_in_type T a) as [l'|] eqn:E; inversion H; subst. apply Forall_app in Hl as [H1 H2].
    destruct (j =? eval nu i); [apply in_type_within; auto | eapply IH; eauto].
  - inversion H; subst. apply in_type_within; auto.
  - inversion H; subst. inversion_clear Hl as [|? ? A B]. inversion_clear B as [|? ? C D]. clear H.
    unfold entry_of. assert (Z0 : within T 0) by apply zero_within. destruct (0 <=? j); auto.
    generalize (Z.to_nat j) as n. revert D. induction m as [|a m IHm]; intros D [|n]; simpl in *; auto.
    + inversion_clear D as [|? ? E F]. inversion_clear F as [|? ? G K]. simpl in *. unfold within; lia.
    + inversion_clear D as [|? ? E F]. inversion_clear F as [|? ? G K]. auto.
Qed.
Definition ranges th : option (list literal) :=
  fold_right (fun p acc => match acc, p with
     | Some l, (T, _, a) => match array_in_type T a with Some l' => Some (l' ++ l) | None => None end
     | None, _ => None end)
   (Some (flat_map (fun p => match p with (Some T, _, t) => in_type T t | _ => [] end) (to_terms th)))
   (to_arrays th).
Theorem ranges_sound nu th l : well_sorted nu -> ranges th = Some l ->
  Forall (holds nu) l -> well_sorted (after nu th).
Proof.
  intros Hw. unfold ranges. set (base := flat_map _ _).
  assert (Hb : Forall (holds nu) base -> forall T x, within T (integers (after nu th) (Some T) x)).
  { unfold after, base; simpl. induction (to_terms th) as [|[[T' x'] t] m IH]; simpl; intros H T x; [apply zero_within|].
    apply Forall_app in H as [H1 H2].
    destruct (_ && _) eqn:E; [|auto]. apply andb_prop in E as [E _]. apply (sort_eqb_eq (Some T)) in E. subst T'.
    apply in_type_within. auto. }
  clearbody base. intros Hr Hl.
  assert (Forall (holds nu) base /\ forall T x i, within T (arrays (after nu th) T x i)) as [H1 H2]; [|split; auto].
  unfold after; simpl. clear Hb. revert l Hr Hl. induction (to_arrays th) as [|[[T' x'] a] m IH]; simpl; intros l Hr Hl.
  - inversion Hr; subst. split; auto. intros. apply zero_within.
  - destruct (fold_right _ _ m) as [l0|]; [|discriminate].
    destruct (array_in_type T' a) as [l'|] eqn:E; [|discriminate]. inversion Hr; subst.
    apply Forall_app in Hl as [A B]. destruct (IH _ eq_refl B) as [C D]. split; auto.
    intros T x i. destruct (integer_type_eqb T T' && Nat.eqb x x') eqn:E'; auto.
    apply andb_prop in E' as [E' _]. apply integer_type_eqb_eq in E'. subst T'. eapply array_in_type_within; eauto.
Qed.
