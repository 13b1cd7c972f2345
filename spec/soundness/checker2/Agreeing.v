(** Valuations that agree in a scope (spec/calculus.md#terms): terms in it have the same
    values, whatever else is in the state.  So a fresh variable may have any value. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning.
Import ListNotations.
Open Scope Z_scope.

(** ** The same values in a scope *)

Definition agree_within (sc : scope) (nu mu : Terms.valuation) : Prop :=
  (forall q x, integer_exists sc q x -> Terms.integers mu q (N.to_nat x) = Terms.integers nu q (N.to_nat x)) /\
  (forall T x, array_exists sc T x -> forall j, Terms.arrays mu T (N.to_nat x) j = Terms.arrays nu T (N.to_nat x) j).
(** What a term is worth in two models. *)
Definition same_value (M K : model) (p : part) : Prop := match p with
  | LinearPart t => vl K t = vl M t
  | ArrayPart a => forall j, vr K a j = vr M a j end.

Section Agreeing.
Variable tabs : indexed table.
Variables (nu mu : Terms.valuation) (sc : scope).
Hypothesis agrees : agree_within sc nu mu.

Theorem within_agree s M K : good nu tabs s M -> good mu tabs s K ->
  (forall n, atom_within s sc n -> va K n = va M n) /\ (forall p, part_within s sc p -> same_value M K p).
Proof.
  intros G H. apply (within_ind s sc (fun n _ => va K n = va M n) (fun p _ => same_value M K p)).
  - intros n x E O _ IH. destruct (good_atoms _ _ _ _ G n x E) as (_ & _ & V & _). destruct (good_atoms _ _ _ _ H n x E) as (_ & _ & W & _).
    rewrite V, W. destruct (content x) as [q y|a i|d t|op T t u]; simpl in *.
    + apply (proj1 agrees); exact O.
    + pose proof (IH (LinearPart i) (or_intror (or_introl eq_refl))) as Vi. pose proof (IH (ArrayPart a) (or_introl eq_refl)) as Va.
      simpl in Vi, Va. rewrite Vi, Va. reflexivity.
    + pose proof (IH (LinearPart t) (or_introl eq_refl)) as Vt. simpl in Vt. rewrite Vt. reflexivity.
    + pose proof (IH (LinearPart t) (or_introl eq_refl)) as Vt. pose proof (IH (LinearPart u) (or_intror (or_introl eq_refl))) as Vu.
      simpl in Vt, Vu. rewrite Vt, Vu. reflexivity.
  - intros n x E _ IH. destruct (good_linears _ _ _ _ G n x E) as (_ & _ & V & _). destruct (good_linears _ _ _ _ H n x E) as (_ & _ & W & _).
    simpl. rewrite V, W. unfold linear_value. f_equal. clear E V W. induction (summands (content x)) as [|[a k] l IHl]; simpl; auto.
    rewrite IHl by (intros b h I; apply (IH b h); right; exact I). rewrite (IH a k) by (left; auto). reflexivity.
  - intros n x E O _ IH. destruct (good_arrays _ _ _ _ G n x E) as (_ & _ & V). destruct (good_arrays _ _ _ _ H n x E) as (_ & _ & W).
    simpl. intros j. rewrite (proj1 (V j)), (proj1 (W j)). destruct (content x) as [T y|a i v|v|t]; simpl in *; auto.
    + apply (proj2 agrees); exact O.
    + pose proof (IH (ArrayPart a) (or_introl eq_refl)) as Va. pose proof (IH (LinearPart i) (or_intror (or_introl eq_refl))) as Vi.
      pose proof (IH (LinearPart v) (or_intror (or_intror (or_introl eq_refl)))) as Vv. simpl in Va, Vi, Vv. rewrite Va, Vi, Vv. reflexivity.
    + exact (IH (LinearPart v) (or_introl eq_refl)).
Qed.
End Agreeing.

(** ** Fresh variables *)

Definition set_integer (nu : Terms.valuation) (q : option integer_type) (x : N) (z : Z) : Terms.valuation := {|
  Terms.integers := fun r y => if Terms.sort_eqb r q && Nat.eqb y (N.to_nat x) then z else Terms.integers nu r y;
  Terms.arrays := Terms.arrays nu |}.
Lemma set_integer_value nu q x z : Terms.integers (set_integer nu q x z) q (N.to_nat x) = z.
Proof. simpl. rewrite (proj2 (Terms.sort_eqb_eq q q) eq_refl), Nat.eqb_refl. reflexivity. Qed.
Lemma set_integer_sorted nu q x z : Terms.well_sorted nu -> match q with Some T => Integers.within T z | None => True end -> Terms.well_sorted (set_integer nu q x z).
Proof.
  intros [A B] W. split; auto. intros T y. cbn [Terms.integers set_integer]. destruct (Terms.sort_eqb (Some T) q && _) eqn:E; auto.
  apply andb_prop in E as [E _]. apply Terms.sort_eqb_eq in E. subst q. exact W.
Qed.
(** The next number is of no variable that exists. *)
Lemma set_integer_agrees sc nu q x z : nth (integers sc) (number_of_sort q) = Some x -> agree_within sc nu (set_integer nu q x z).
Proof.
  intros E. split; auto. intros r y (n & En & L). cbn [Terms.integers set_integer]. destruct (Terms.sort_eqb r q && _) eqn:D; auto.
  apply andb_prop in D as [D1 D2]. apply Terms.sort_eqb_eq in D1. apply Nat.eqb_eq in D2. apply N2Nat.inj in D2. subst. rewrite E in En. injection En as <-. lia.
Qed.

(** ** Scopes that grow *)

Lemma within_wider s sc sc' : (forall q x, integer_exists sc q x -> integer_exists sc' q x) -> (forall T x, array_exists sc T x -> array_exists sc' T x) ->
  (forall n, atom_within s sc n -> atom_within s sc' n) /\ (forall p, part_within s sc p -> part_within s sc' p).
Proof.
  intros A B. apply (within_ind s sc (fun n _ => atom_within s sc' n) (fun p _ => part_within s sc' p)).
  - intros n x E O _ IH. econstructor; eauto. destruct (content x); simpl in *; auto.
  - intros n x E _ IH. econstructor; eauto.
  - intros n x E O _ IH. econstructor; eauto. destruct (content x); simpl in *; auto.
Qed.
Lemma set_at_length l v : forall n, length (set_at l n v) = length l.
Proof. induction l as [|a l IH]; intros n; simpl; auto. destruct (n =? 0)%N; simpl; auto. Qed.
Lemma nth_set_at l v : forall n m a, nth l n = Some a -> nth (set_at l n v) m = if (m =? n)%N then Some v else nth l m.
Proof.
  induction l as [|b l IH]; intros n m a; [discriminate|]. cbn [nth set_at]. destruct (N.eqb_spec n 0) as [->|Nn].
  - intros _. cbn [nth]. destruct (N.eqb_spec m 0); reflexivity.
  - intros E. cbn [nth]. destruct (N.eqb_spec m 0) as [->|Nm].
    + destruct (N.eqb_spec 0 n); [congruence | reflexivity].
    + rewrite (IH _ (N.pred m) _ E). destruct (N.eqb_spec (N.pred m) (N.pred n)), (N.eqb_spec m n); auto; lia.
Qed.
(** One variable more of a sort. *)
Definition one_more_integer (sc : scope) q (y : N) : scope := {| integers := set_at (integers sc) (number_of_sort q) y; arrays := arrays sc |}.
Lemma one_more_formed sc q y : formed_scope sc -> formed_scope (one_more_integer sc q y).
Proof. intros [A B]. split; simpl; [rewrite set_at_length|]; auto. Qed.
Lemma one_more_exists sc q x r y : nth (integers sc) (number_of_sort q) = Some x -> integer_exists sc r y -> integer_exists (one_more_integer sc q (N.succ x)) r y.
Proof.
  intros E (n & En & L). unfold integer_exists. simpl. rewrite (nth_set_at _ _ _ _ _ E). destruct (N.eqb_spec (number_of_sort r) (number_of_sort q)) as [D|D]; [|eauto].
  exists (N.succ x). split; auto. rewrite D, E in En. injection En as <-. lia.
Qed.
Lemma one_more_new sc q x : nth (integers sc) (number_of_sort q) = Some x -> integer_exists (one_more_integer sc q (N.succ x)) q x.
Proof. intros E. exists (N.succ x). simpl. rewrite (nth_set_at _ _ _ _ _ E), N.eqb_refl. split; auto. lia. Qed.
