(** Members of the same form whose terms have the same values describe the same states
    (spec/calculus.md#states-and-herds). SameValues.v says it of one member under two
    valuations. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Terms Sorts Programs Machine Folding FoldedMembers SameInputs.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Section SameMembers.
Variable P : program.
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning).
Notation slots_same := (slots_same nu nu).
Notation objects_same := (objects_same nu nu).
Notation folded_same := (folded_same nu nu).
Variables m m' : member.
Hypothesis same : tables_same nu nu m m'.
Section Means.
Variables (rho : nat -> nat) (roots lasts : nat -> holding).
Notation old := (means nu m rho roots lasts).
Notation new := (means nu m' rho roots lasts).
Lemma part_means f r : means_part m' f r = means_part m f r.
Proof. unfold means_part. pose proof (part_same _ _ _ _ same f) as B. rewrite (parts_as_many _ _ _ _ same). destruct (part_named m f), (part_named m' f); try contradiction; reflexivity. Qed.
Lemma slot_means v w : slots_same v w -> new w = old v.
Proof.
  destruct v as [[| |t| |o i b]|f|f]; intros S.
  - rewrite S. reflexivity.
  - rewrite S. reflexivity.
  - apply integer_slot_same in S as (u & -> & E). simpl. rewrite E. reflexivity.
  - rewrite S. reflexivity.
  - apply pointer_slot_same in S as (j & -> & E). simpl. rewrite E. pose proof (object_same _ _ _ _ same o) as B. destruct (object_named m o), (object_named m' o); try contradiction; reflexivity.
  - rewrite S. simpl. apply part_means.
  - rewrite S. simpl. apply part_means.
Qed.
Lemma element_means x y i : fields_same nu nu x y -> means_element nu m' rho roots lasts y i = means_element nu m rho roots lasts x i.
Proof.
  intros [A R]. unfold means_element. rewrite <- (Folding.Forall2_length _ _ _ A). destruct (_ && _).
  - apply slot_means. apply (forall2_nth slots_same); [exact A | apply forgotten_same].
  - unfold rests_same in R. destruct (rest x) as [a|], (rest y) as [b|]; try contradiction; [rewrite R|]; reflexivity.
Qed.
Lemma object_again x y z : objects_same x y -> describes_object nu m rho roots lasts x z -> describes_object nu m' rho roots lasts y z.
Proof.
  intros S [A1 A2 A3 A4 A5 A6]. pose proof S as [K L B En C]. split; try congruence.
  - rewrite A5. exact (Folding.Forall2_length _ _ _ C).
  - intros Lv f i I. rewrite (element_means (nth f (contents x) no_field)); [apply A6; [congruence | exact I]|]. apply (forall2_nth (fields_same nu nu)); [exact C | apply field_none_same].
Qed.
Lemma part_again g f q r cells : folded_same q r -> describes_part nu m rho roots lasts sorts phi g f q cells -> describes_part nu m' rho roots lasts sorts phi g f r cells.
Proof.
  intros [S A G B] (fp & Pm & D). exists fp. split; [exact Pm|]. rewrite S. destruct (nth_error sorts (symbol q)) as [[s|s]|]; [| |exact D].
  - destruct D as (Be & La & T). rewrite (slot_means _ _ A), (slot_means _ _ G). rewrite Be in B. auto.
  - rewrite (slot_means _ _ A), (slot_means _ _ G), (slot_means _ _ B). exact D.
Qed.
End Means.
Lemma object_before_it o y : object_named m' o = Some y -> exists x, object_named m o = Some x /\ objects_same x y.
Proof. intros E. pose proof (object_same _ _ _ _ same o) as B. rewrite E in B. destruct (object_named m o) as [x|]; [eauto | destruct B]. Qed.
Lemma part_before_it f r : part_named m' f = Some r -> exists q, part_named m f = Some q /\ folded_same q r.
Proof. intros E. pose proof (part_same _ _ _ _ same f) as B. rewrite E in B. destruct (part_named m f) as [q|]; [eauto | destruct B]. Qed.
Theorem describes_again g : describes P sorts nu phi m g -> describes P sorts nu phi m' g.
Proof.
  intros (rho & roots & lasts & cells & [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14]). exists rho, roots, lasts, cells. split.
  - rewrite (place_same _ _ _ _ same). exact D1.
  - rewrite (count_same _ _ _ _ same). exact D2.
  - exact D3.
  - intros r. rewrite (slot_means rho roots lasts _ _ (slot_same _ _ _ _ same r)). apply D4.
  - intros o y E. destruct (object_before_it o y E) as (x & X & _). eauto.
  - intros o y E. destruct (object_before_it o y E) as (x & X & S). eapply object_again; eauto.
  - intros o o' y y' E E'. destruct (object_before_it o y E) as (x & X & _), (object_before_it o' y' E') as (x' & X' & _). eauto.
  - intros o y E. destruct (object_before_it o y E) as (x & X & [K L _ _ _]). rewrite K, L. eauto.
  - intros o y E. destruct (object_before_it o y E) as (x & X & [K _ B En _]). rewrite K, B, En. eauto.
  - intros f r E. destruct (part_before_it f r E) as (q & Q & S). eapply part_again; eauto.
  - intros f r E. destruct (part_before_it f r E) as (q & Q & _). eauto.
  - intros f f' r r' c E E'. destruct (part_before_it f r E) as (q & Q & _), (part_before_it f' r' E') as (q' & Q' & _). eauto.
  - intros o y f r E E'. destruct (object_before_it o y E) as (x & X & _), (part_before_it f r E') as (q & Q & _). eauto.
  - intros Ck p W. destruct (D14 Ck p W) as [(o & x & X & R)|(f & q & Q & I)].
    + pose proof (object_same _ _ _ _ same o) as B. rewrite X in B. destruct (object_named m' o) as [y|] eqn:Y; [|destruct B]. left. eauto.
    + pose proof (part_same _ _ _ _ same f) as B. rewrite Q in B. destruct (part_named m' f) as [r|] eqn:R; [|destruct B]. right. eauto.
Qed.
End SameMembers.
