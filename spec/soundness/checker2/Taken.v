(** What reading takes out of the tables of a member: each object and part once
    (spec/calculus.md#reading). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia Permutation.
From Goatherd Require Reading.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena States.
From Goatherd.checker2 Require Covering Moving.
Import ListNotations.
Open Scope Z_scope.

Section Taken.
Variable m : member_state.
Definition is_free (v : Covering.covering) (t : Reading.taken) : Prop := match t with
  | inl o => find (Covering.free_objects v) (N.of_nat o) <> None | inr f => find (Covering.free_parts v) (N.of_nat f) <> None end.
Record free_right (v : Covering.covering) : Prop := {
  free_objects_right : forall o x, find (Covering.free_objects v) o = Some x -> find (objects_held m) o = Some x;
  free_parts_right : forall f q, find (Covering.free_parts v) f = Some q -> find (parts_held m) f = Some q;
  as_many_objects : given (Covering.free_objects v) = given (objects_held m);
  as_many_parts : given (Covering.free_parts v) = given (parts_held m) }.
Record took (v : Covering.covering) (tk : list Reading.taken) (v' : Covering.covering) : Prop := {
  took_once : NoDup tk;
  took_free : forall t, In t tk -> is_free v t;
  took_left : forall t, is_free v' t <-> is_free v t /\ ~ In t tk;
  took_same : v' = Covering.with_free v (Covering.free_objects v') (Covering.free_parts v');
  took_right : free_right v -> free_right v' }.
Lemma took_none v : took v [] v.
Proof. split; try constructor; auto; try (intros ? []; fail); [intros [H _]; exact H | destruct v; reflexivity | apply H ..]. Qed.
Lemma NoDup_both {A} (l k : list A) : NoDup l -> NoDup k -> (forall a, In a l -> In a k -> False) -> NoDup (l ++ k).
Proof.
  induction 1 as [|a l N _ IH]; intros K D; [exact K|]. cbn [app]. constructor; [|apply IH; auto; intros b I J; apply (D b); [right|]; auto].
  intros I. apply in_app_or in I as [I|I]; [auto|]. apply (D a); [left; auto | exact I].
Qed.
Lemma took_trans v tk v1 tl v2 : took v tk v1 -> took v1 tl v2 -> took v (tk ++ tl) v2.
Proof.
  intros [A1 B1 C1 D1 E1] [A2 B2 C2 D2 E2]. split.
  - apply NoDup_both; auto. intros t I J. apply (proj1 (C1 t)); auto.
  - intros t I. apply in_app_or in I as [I|I]; [auto | apply C1; auto].
  - intros t. rewrite C2, C1, in_app_iff. tauto.
  - rewrite D2, D1. reflexivity.
  - auto.
Qed.
Lemma took_permuted v tk tl v' : Permutation tk tl -> took v tk v' -> took v tl v'.
Proof.
  intros P [A B C D F]. assert (Same : forall t, In t tk <-> In t tl) by (intros t; split; apply Permutation_in; [exact P | apply Permutation_sym; exact P]).
  split; auto; [eapply Permutation_NoDup; eauto | intros t I; apply B, Same, I|]. intros t. rewrite C, (Same t). tauto.
Qed.
Lemma clear_right {A} (x y : numbered A) n : (forall k a, find x k = Some a -> find y k = Some a) -> forall k a, find (clear x n) k = Some a -> find y k = Some a.
Proof. intros H k a. rewrite Moving.find_clear. destruct (k =? n)%N; [discriminate | auto]. Qed.
Lemma took_object v o x : find (Covering.free_objects v) o = Some x -> took v [inl (N.to_nat o)] (Covering.with_free v (clear (Covering.free_objects v) o) (Covering.free_parts v)).
Proof.
  intros F. split; [repeat constructor; auto | intros t [<-|[]]; simpl; rewrite N2Nat.id; congruence | | destruct v; reflexivity | intros [A B C D]; split; [apply clear_right; exact A | exact B | exact C | exact D]].
  intros [p|f]; simpl; [|split; [intros H; split; [exact H | intros [[=]|[]]] | tauto]]. rewrite Moving.find_clear. destruct (N.eqb_spec (N.of_nat p) o) as [Eq|D].
  - split; [congruence|]. intros [_ N]. exfalso. apply N. left. f_equal. lia.
  - split; [intros H; split; [exact H | intros [[= <-]|[]]; lia] | tauto].
Qed.
Lemma took_part v f q : find (Covering.free_parts v) f = Some q -> took v [inr (N.to_nat f)] (Covering.with_free v (Covering.free_objects v) (clear (Covering.free_parts v) f)).
Proof.
  intros F. split; [repeat constructor; auto | intros t [<-|[]]; simpl; rewrite N2Nat.id; congruence | | destruct v; reflexivity | intros [A B C D]; split; [exact A | apply clear_right; exact B | exact C | exact D]].
  intros [p|g]; simpl; [split; [intros H; split; [exact H | intros [[=]|[]]] | tauto]|]. rewrite Moving.find_clear. destruct (N.eqb_spec (N.of_nat g) f) as [Eq|D].
  - split; [congruence|]. intros [_ N]. exfalso. apply N. left. f_equal. lia.
  - split; [intros H; split; [exact H | intros [[= <-]|[]]; lia] | tauto].
Qed.
End Taken.
