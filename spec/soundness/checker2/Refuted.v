(** That hints which are replayed refute: no well-sorted valuation satisfies the predicate
    and the assumptions (spec/calculus.md#refutations, Lemma 6). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting Mentioned Meaning Normal.
Import ListNotations.
Open Scope Z_scope.
Arguments Z.mul : simpl never.
Arguments Z.add : simpl never.
Arguments Z.div : simpl never.
Arguments Z.modulo : simpl never.
Arguments Z.sub : simpl never.
Arguments Z.opp : simpl never.

Section Refuted.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Variable tabs : indexed table.
(** Under what the facts hold: what is refuted need not, and terms are made all the same. *)
Variable Q : Prop.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Notation atom_value := (atom_value nu).
Notation array_value := (array_value nu tabs).

(** ** Facts *)

Definition facts_true (s : state) (M : model) (F : facts) : Prop :=
  forall n l, PositiveMap.find (N.succ_pos n) (by_number F) = Some l -> literal_in s l /\ (Q -> literal_holds M l).
Lemma facts_kept s M s' M' F : keeps s M s' M' -> facts_true s M F -> facts_true s' M' F.
Proof. intros K H n l E. destruct (H n l E) as [I T]. destruct (literal_kept _ _ _ _ l K I). tauto. Qed.
Lemma fact_added s M F l : facts_true s M F -> literal_in s l -> (Q -> literal_holds M l) -> facts_true s M (add_fact F l).
Proof.
  intros H I T n m E. simpl in E. destruct (N.eq_dec n (fact_count F)) as [->|D].
  - rewrite PositiveMap.gss in E. injection E as <-. auto.
  - rewrite PositiveMap.gso in E by (intros E'; apply key_of_n_injective in E'; auto). eauto.
Qed.
Lemma fact_peek s M F n : facts_true s M F -> peeks s (fact F n) (fun l => literal_in s l /\ (Q -> literal_holds M l)).
Proof.
  intros H. unfold fact. destruct (PositiveMap.find (N.succ_pos n) (by_number F)) as [l|] eqn:E; [|apply peeks_refuses].
  destruct (n <? fact_count F)%N; [apply peeks_ret; eauto | apply peeks_refuses].
Qed.

(** What a deduction comes to: facts that hold, and no contradiction. *)
Definition right_deduction (d : deduced) (s : state) (M : model) : Prop := facts_true s M (fst d) /\ (Q -> snd d = false).
Lemma add_one_meets s M g t F : good s M -> facts_true s M F -> (t < linears_in s)%N -> (Q -> literal_holds M (lit g t)) ->
  meets s M (add_one g t F) right_deduction.
Proof.
  intros G H I T. unfold add_one. eapply meets_peek; [eapply value_peek; eauto|]. intros v _.
  eapply meets_peek; [eapply is_false_peek; eauto|]. intros f E. apply meets_ret; auto. split; simpl; [apply fact_added; auto|].
  intros hq. destruct v; auto. destruct f; auto. exfalso. apply E; auto.
Qed.
Lemma add_several_meets ls : forall s M F, good s M -> facts_true s M F -> (forall l, In l ls -> literal_in s l /\ (Q -> literal_holds M l)) ->
  meets s M (add_several ls F) right_deduction.
Proof.
  unfold add_several. assert (R : forall s M F c, good s M -> facts_true s M F -> (Q -> c = false) -> (forall l, In l ls -> literal_in s l /\ (Q -> literal_holds M l)) ->
    meets s M (folded_left (fun '(F, closed) l => let$ (F, c) := add_one (sign_of l) (term_of l) F in ret (F, closed || c)) ls (F, c)) right_deduction).
  { induction ls as [|l ls IH]; intros s M F c G H C A; simpl; [apply meets_ret; auto; split; auto|].
    destruct (A l (or_introl eq_refl)) as [I T]. destruct l as [g t].
    eapply meets_bind with (P := right_deduction).
    - eapply meets_bind; [apply add_one_meets; eauto|]. intros [F' c'] s' M' G' _ [H' E]. simpl in *. apply meets_ret; auto. split; simpl; auto. intros hq. rewrite C, E; auto.
    - intros [F' c'] s' M' G' K [H' E]. simpl in *. apply IH; auto. intros m Hm. destruct (A m (or_intror Hm)) as [I' T'].
      destruct (literal_kept _ _ _ _ m K I'). tauto. }
  intros. apply R; auto.
Qed.
Lemma equate_meets s M F a t : good s M -> facts_true s M F -> (t < linears_in s)%N -> (Q -> va M a = vl M t) -> meets s M (equate F a t) right_deduction.
Proof.
  intros G H I E. unfold equate. eapply meets_peek; [eapply of_atom_peek; eauto|]. intros u [J V].
  eapply meets_bind; [apply difference_meets; auto|]. intros d s' M' G' K [I' V'].
  apply add_one_meets; auto; [eapply facts_kept; eauto|]. intros hq. specialize (E hq). unfold literal_holds; simpl. lia.
Qed.

(** ** Premises *)

Lemma implies_meets s M F n needed : good s M -> facts_true s M F -> literal_in s needed -> meets s M (implies F n needed) (fun _ _ _ => Q -> literal_holds M needed).
Proof.
  intros G H I. unfold implies. eapply meets_peek; [eapply is_true_peek; eauto|]. intros [|] E; [apply meets_ret; auto|].
  eapply meets_peek; [eapply fact_peek; eauto|]. intros f [If Tf].
  eapply meets_bind; [apply combine_meets; auto|]. intros o s1 M1 G1 K1 [Io Vo].
  eapply meets_peek; [eapply constant_difference_peek; eauto|]. intros g Hg.
  eapply meets_peek; [eapply constant_difference_peek; eauto|]. intros og Hog.
  apply meets_demand; auto. intros D hq. specialize (Tf hq). pose proof (proj2 (keeps_linears _ _ _ _ K1)) as L.
  rewrite Vo in Hog. rewrite (L _ If) in *. rewrite (L _ I) in Hg. simpl in Hog.
  unfold literal_holds in *. destruct (sign_of f), (sign_of needed); try discriminate; unfold holds_of in D;
  destruct g as [g|], og as [og|]; try discriminate; try (apply orb_prop in D as [D|D]); try discriminate;
  try apply Z.leb_le in D; try apply Z.ltb_lt in D; try apply Z.eqb_eq in D; lia.
Qed.
Lemma is_zero_meets s M F t by_ : good s M -> facts_true s M F -> (t < linears_in s)%N -> meets s M (is_zero_by F t by_) (fun _ _ _ => Q -> vl M t = 0).
Proof.
  intros G H I. unfold is_zero_by. eapply meets_bind; [apply combine_meets; auto|]. intros o s1 M1 G1 K1 [Io Vo].
  pose proof (proj2 (keeps_linears _ _ _ _ K1) _ I) as Vt. pose proof (proj1 (keeps_linears _ _ _ _ K1)).
  eapply meets_bind; [apply implies_meets; auto; [eapply facts_kept; eauto | unfold literal_in; simpl; lia]|]. intros ? s2 M2 G2 K2 A.
  eapply meets_weaker; [apply implies_meets; auto|].
  - eapply facts_kept; [eauto|]. eapply facts_kept; eauto.
  - unfold literal_in; simpl. pose proof (proj1 (keeps_linears _ _ _ _ K2)). lia.
  - intros ? s3 M3 _ _ B hq. cbn beta in A, B. specialize (A hq). specialize (B hq). unfold literal_holds in *; simpl in *. rewrite (proj2 (keeps_linears _ _ _ _ K2)), Vo in B by auto. simpl in B. lia.
Qed.

(** ** Deductions *)

Lemma common_divisor_peek s l : peeks s (common_divisor l) (fun _ => True).
Proof.
  unfold common_divisor. eapply peeks_weaker; [apply (peeks_fold s _ (fun _ _ => True)); auto|auto].
  intros d [a k] l' _. eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. apply peeks_ret. exact I.
Qed.
Lemma sum_peek s M F : facts_true s M F -> forall summed, peeks s (mapped (fun '(n, k) =>
  let$ l := fact F n in demand (may_sum (sign_of l) k) Rejection.Deduction >> ret (term_of l, k)) summed) (fun ts => Q -> parts_value M ts <= 0).
Proof.
  intros H. induction summed as [|[n k] summed IH]; simpl; [apply peeks_ret; simpl; lia|].
  eapply peeks_bind with (P := fun p => Q -> snd p * vl M (fst p) <= 0).
  - eapply peeks_bind; [eapply fact_peek; eauto|]. intros l [_ T].
    eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => may_sum (sign_of l) k = true)); auto|]. intros u D. cbn beta in D.
    apply peeks_ret. intros hq. specialize (T hq). simpl. unfold literal_holds in T. destruct (sign_of l); simpl in D; [apply Z.ltb_lt in D; nia | nia | discriminate].
  - intros [t h] T. eapply peeks_bind; [apply IH|]. intros ts E. apply peeks_ret. intros hq. cbn beta in T, E. specialize (T hq). specialize (E hq). simpl in *. lia.
Qed.
Lemma combine_facts_meets s M F summed : good s M -> facts_true s M F -> meets s M (combine_facts F summed) right_deduction.
Proof.
  intros G H. unfold combine_facts. eapply meets_peek; [eapply sum_peek; eauto|]. intros ts E. cbn beta in E.
  eapply meets_bind; [apply combine_meets; auto|]. intros sum s1 M1 G1 K1 [I1 V1].
  pose proof (facts_kept _ _ _ _ _ K1 H) as H1.
  eapply meets_peek; [eapply linear_peek; eauto|]. intros l (_ & _ & Vl).
  eapply meets_peek; [apply common_divisor_peek|]. intros d _. destruct (Z.leb_spec d 1).
  - apply add_one_meets; auto. intros hq. specialize (E hq). unfold literal_holds; simpl. lia.
  - eapply meets_peek; [apply peeks_small|]. intros ? ->.
    eapply meets_bind; [apply plus_meets; auto|]. intros u s2 M2 G2 K2 [I2 V2].
    eapply meets_bind; [apply quotient_meets; auto|]. intros q s3 M3 G3 K3 [I3 V3].
    eapply meets_peek; [apply peeks_small|]. intros ? ->.
    eapply meets_bind; [apply plus_meets; auto|]. intros v s4 M4 G4 K4 [I4 V4].
    apply add_one_meets; auto.
    + eapply facts_kept; [|eauto]. eapply keeps_trans; [eauto|]. eapply keeps_trans; eauto.
    + intros hq. specialize (E hq). unfold literal_holds; simpl. rewrite V4, V3, V2. pose proof (Z.div_le_mono (vl M1 sum + - constant l) (- constant l) d ltac:(lia) ltac:(lia)). lia.
Qed.
Lemma tighten_meets s M F b e : good s M -> facts_true s M F -> meets s M (tighten F b e) right_deduction.
Proof.
  intros G H. unfold tighten. eapply meets_peek; [eapply fact_peek; eauto|]. intros l [I T].
  eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => sign_eqb (sign_of l) AtMostZero = true)); auto|]. intros u D. cbn beta in D.
  eapply meets_bind; [apply (implies_meets s M F e (lit NotZero (term_of l))); auto|]. intros ? s1 M1 G1 K1 Ne. cbn beta in Ne.
  pose proof (proj2 (keeps_linears _ _ _ _ K1) _ I) as V.
  eapply meets_bind; [apply plus_meets; auto|]. intros t s2 M2 G2 K2 [I2 V2].
  apply add_one_meets; auto; [eapply facts_kept; [exact K2 | eapply facts_kept; eauto]|].
  intros hq. specialize (T hq). specialize (Ne hq). unfold literal_holds in *; simpl in *. destruct (sign_of l); try discriminate. lia.
Qed.
Lemma axiom_meets s M F a : good s M -> facts_true s M F -> meets s M (axiom F a) right_deduction.
Proof.
  intros G H. unfold axiom. eapply meets_peek; [eapply of_atom_peek; eauto|]. intros t [It Vt].
  eapply meets_peek with (P := fun x => parts_in s (parts_of_atom x) /\ va M a = atom_value M x /\ right_divisor x).
  { unfold atom_at, look_up, Arena.bind, ret. intros x s'. destruct (node_at (atom_nodes s) a) as [y|] eqn:E; [|discriminate].
    intros [= <- <-]. pose proof (good_divisors _ _ _ _ G _ _ E). apply G in E as (_ & J & V & _). auto. }
  intros x (J & V & Rd).
  eapply meets_bind with (P := fun p s' M' => literal_in s' (fst p) /\ literal_in s' (snd p) /\ literal_holds M' (fst p) /\ literal_holds M' (snd p)).
  - assert (At : meets s M (let$ r := atom_range a in let$ r := some r Rejection.Deduction in within t r)
      (fun p s' M' => literal_in s' (fst p) /\ literal_in s' (snd p) /\ literal_holds M' (fst p) /\ literal_holds M' (snd p))).
    { eapply meets_peek; [eapply atom_range_peek; eauto|]. intros r R.
      eapply meets_peek; [apply (peeks_some s r _ (fun q => r = Some q)); auto|]. intros [lo hi] ->. simpl in R.
      eapply meets_weaker; [apply within_meets; auto|]. intros p s' M' _ _ (A & B & C & D). rewrite Vt in *. intuition. }
    destruct x as [| |d u|]; auto. simpl in V, Rd.
    eapply meets_peek; [apply peeks_small|]. intros ? ->.
    eapply meets_bind; [apply combine_meets; auto|]. intros rest s1 M1 G1 K1 [I1 V1].
    eapply meets_peek; [apply peeks_small|]. intros ? ->.
    eapply meets_weaker; [apply within_meets; auto|]. intros p s' M' _ _ (A & B & C & D).
    rewrite V1 in *. simpl in C, D. rewrite Vt, V in *. pose proof (Z.div_mod (vl M u) d ltac:(lia)). pose proof (Z.mod_pos_bound (vl M u) d ltac:(lia)).
    repeat split; auto; [apply C | apply D]; lia.
  - intros [low high] s1 M1 G1 K1 (A & B & C & D). apply add_several_meets; auto; [eapply facts_kept; eauto|].
    intros l [<-|[<-|[]]]; auto.
Qed.

(** *** Reading *)

Lemma read_meets s M a : good s M -> meets s M (read_of a) (fun '(read, gap, v) s' M' =>
  (a < atoms_in s)%N /\ (read < linears_in s')%N /\ (gap < linears_in s')%N /\ (v < linears_in s')%N /\
  (vl M' gap = 0 -> va M a = vl M' v) /\ (vl M' gap <> 0 -> va M a = vl M' read)).
Proof.
  intros G. unfold read_of. eapply meets_peek; [eapply atom_peek; eauto|]. intros x (Ia & J & V). destruct x as [|b j| |]; try apply meets_refuses.
  eapply meets_peek; [eapply array_peek; eauto|]. intros y (Ib & Jb & Vb). destruct y as [|c i v| |]; try apply meets_refuses.
  eapply meets_bind; [apply select_meets; auto|]. intros read s1 M1 G1 K1 [I1 V1].
  eapply meets_bind; [apply difference_meets; auto|]. intros gap s2 M2 G2 K2 [I2 V2]. apply meets_ret; auto.
  assert (Iv : part_in s (LinearPart v)) by (apply Jb; simpl; auto). assert (Ii : part_in s (LinearPart i)) by (apply Jb; simpl; auto).
  assert (Ij : part_in s (LinearPart j)) by (apply J; simpl; auto). simpl in Iv, Ii, Ij.
  destruct (is_term_kept _ _ _ _ _ _ K2 (conj I1 V1)) as [I1' V1'].
  destruct (is_term_kept _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K1 K2) (conj Iv eq_refl)) as [Iv' Vv'].
  rewrite (proj2 (keeps_linears _ _ _ _ K1)), (proj2 (keeps_linears _ _ _ _ K1)) in V2 by auto.
  simpl in V. rewrite Vb in V. simpl in V. repeat split; auto; intros E; rewrite V, ?Vv', ?V1'; destruct (Z.eqb_spec (vl M j) (vl M i)); auto; lia.
Qed.
(** Steps from a state in which something has been read. *)
Lemma equate_later s M s' M' F a t : good s' M' -> keeps s M s' M' -> facts_true s M F -> (a < atoms_in s)%N -> (t < linears_in s')%N -> (Q -> vl M' t = va M a) -> meets s' M' (equate F a t) right_deduction.
Proof.
  intros G K H I It Vt. apply equate_meets; auto; [eapply facts_kept; eauto|]. intros hq. rewrite (Vt hq). apply (keeps_atoms _ _ _ _ K). auto.
Qed.
Lemma read_same_meets s M F a by_ : good s M -> facts_true s M F -> meets s M (read_same F a by_) right_deduction.
Proof.
  intros G H. unfold read_same. eapply meets_bind; [apply read_meets; auto|]. intros [[read gap] v] s1 M1 G1 K1 (Ia & Ir & Ig & Iv & E1 & _).
  pose proof (facts_kept _ _ _ _ _ K1 H) as H1.
  eapply meets_bind; [apply is_zero_meets; auto|]. intros ? s2 M2 G2 K2 Z0. cbn beta in Z0.
  destruct (is_term_kept _ _ _ _ _ _ K2 (conj Iv eq_refl)) as [I2 V2].
  eapply equate_later; [auto | exact (keeps_trans _ _ _ _ _ _ K1 K2) | auto | auto | auto|]. intros hq. rewrite V2. symmetry. auto.
Qed.
Lemma read_other_meets s M F a n : good s M -> facts_true s M F -> meets s M (read_other F a n) right_deduction.
Proof.
  intros G H. unfold read_other. eapply meets_bind; [apply read_meets; auto|]. intros [[read gap] v] s1 M1 G1 K1 (Ia & Ir & Ig & Iv & _ & E1).
  pose proof (facts_kept _ _ _ _ _ K1 H) as H1.
  eapply meets_bind; [apply (implies_meets s1 M1 F n (lit NotZero gap)); auto|]. intros ? s2 M2 G2 K2 Z0. cbn in Z0.
  destruct (is_term_kept _ _ _ _ _ _ K2 (conj Ir eq_refl)) as [I2 V2].
  eapply equate_later; [auto | exact (keeps_trans _ _ _ _ _ _ K1 K2) | auto | auto | auto|]. intros hq. rewrite V2. symmetry. apply E1, (Z0 hq).
Qed.

(** *** Conversions *)

Lemma conversion_peek s M a : good s M -> peeks s (conversion a) (fun c => match c with
  | Some (T, t) => (a < atoms_in s)%N /\ (t < linears_in s)%N /\ va M a = wrap T (vl M t) | None => True end).
Proof.
  intros G. unfold conversion. eapply peeks_bind; [eapply atom_peek; eauto|]. intros x (Ia & J & V).
  destruct x as [| | |op T t u]; try (apply peeks_ret; exact I). destruct op; try (apply peeks_ret; exact I).
  eapply peeks_bind; [eapply value_peek; eauto|]. intros v Hv. apply peeks_ret. destruct v as [[| |]|]; try exact I.
  destruct Hv as [_ Hv]. split; auto. split; [apply (J (LinearPart t)); simpl; auto|]. rewrite V. simpl. rewrite Hv. apply apply_convert.
Qed.
Lemma converted_distance_peek s M T argument v : good s M -> peeks s (converted_distance T argument v) (fun d => match d with
  | Some d => (v < linears_in s)%N /\ (Integers.within T (vl M v) -> d mod period T = 0 -> wrap T (vl M argument) = vl M v) | None => True end).
Proof.
  intros G. unfold converted_distance. eapply peeks_bind; [eapply linear_peek; eauto|]. intros l (Iv & J & V).
  eapply peeks_bind; [eapply constant_difference_peek; eauto|]. intros d D.
  pose proof (period_positive T) as P.
  assert (Own : match d with Some d => (v < linears_in s)%N /\ (Integers.within T (vl M v) -> d mod period T = 0 -> wrap T (vl M argument) = vl M v) | None => True end).
  { destruct d as [d|]; auto. split; auto. intros W E. apply Integers.convert with (k := d / period T); auto.
    pose proof (Z.div_mod d (period T) ltac:(lia)). lia. }
  destruct (summands l) as [|[wide k] [|]] eqn:E; try (apply peeks_ret; exact Own); try (destruct k as [|[| |]|]; apply peeks_ret; exact Own).
  destruct k as [|[k|k|]|k]; try (apply peeks_ret; exact Own).
  eapply peeks_bind; [eapply conversion_peek; eauto|]. intros [[U from]|] C; apply peeks_ret; auto.
  destruct ((from =? argument)%N && (period U mod period T =? 0)) eqn:B; auto. apply andb_prop in B as [B1 B2].
  apply N.eqb_eq in B1 as ->. apply Z.eqb_eq in B2. split; auto. intros W E'. destruct C as (_ & _ & C).
  unfold linear_value in V. rewrite E in V. simpl in V. rewrite C in V.
  apply (convert_twice T U _ (vl M v) (constant l / period T) (period U / period T)); auto.
  - pose proof (Z.div_mod (period U) (period T) ltac:(lia)). lia.
  - pose proof (Z.div_mod (constant l) (period T) ltac:(lia)). lia.
Qed.
Lemma convert_meets s M F a v by_ : good s M -> facts_true s M F -> meets s M (convert_fact F a v by_) right_deduction.
Proof.
  intros G H. unfold convert_fact. eapply meets_peek; [eapply conversion_peek; eauto|]. intros c C.
  eapply meets_peek; [apply (peeks_some s c _ (fun q => c = Some q)); auto|]. intros [T argument] ->. destruct C as (Ia & It & Va).
  eapply meets_peek; [eapply converted_distance_peek; eauto|]. intros d D.
  eapply meets_peek; [apply (peeks_some s d _ (fun q => d = Some q)); auto|]. intros d' ->. destruct D as [Iv D].
  eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => d' mod period T = 0)); apply Z.eqb_eq|]. intros ? E. cbn beta in E.
  eapply meets_bind; [apply within_meets; auto|]. intros [low high] s1 M1 G1 K1 (A & B & L & U). simpl in A, B, L, U.
  pose proof (facts_kept _ _ _ _ _ K1 H) as H1.
  eapply meets_bind; [apply implies_meets; auto|]. intros ? s2 M2 G2 K2 HL. cbn beta in HL.
  eapply meets_bind; [apply implies_meets; [auto | eapply facts_kept; eauto | apply (literal_kept _ _ _ _ high K2 B)]|]. intros ? s3 M3 G3 K3 HU. cbn beta in HU.
  pose proof (keeps_trans _ _ _ _ _ _ K1 (keeps_trans _ _ _ _ _ _ K2 K3)) as K.
  destruct (is_term_kept _ _ _ _ _ _ K (conj Iv eq_refl)) as [I3 V3].
  eapply equate_later; [auto | exact K | auto | auto | auto|]. intros hq. specialize (HL hq). specialize (HU hq).
  apply (literal_kept _ _ _ _ high K2 B) in HU. apply L in HL. apply U in HU.
  rewrite V3, Va. symmetry. apply D; auto. unfold Integers.within. lia.
Qed.

(** *** Bits *)

Lemma apply_bits T op f y z : bitwise op = Some f -> (op = Or \/ op = Xor) -> Integers.within T y -> Integers.within T z -> 0 <= y -> 0 <= z -> Integers.apply op T y z = f y z.
Proof.
  intros B O Hy Hz Py Pz. unfold Integers.apply. rewrite (wrap_same T _ Hy), (wrap_same T _ Hz).
  assert (W : Integers.within T (f y z)).
  { assert (HT : T <> Bool \/ T = Bool) by (destruct T; auto; left; discriminate).
    destruct HT as [HT| ->]; [apply (bitwise_within T op); auto|].
    unfold Integers.within in *; simpl in *. apply (bitwise_unsigned 1 op); auto; try reflexivity; change (2 ^ 1 - 1) with 1; lia. }
  destruct O as [-> | ->]; injection B as <-; apply wrap_same; exact W.
Qed.
Lemma side_meets s M F T (is_or : bool) zero u p other n : good s M -> facts_true s M F -> (p < linears_in s)%N -> (other < linears_in s)%N -> (u < linears_in s)%N -> is_term s M zero 0 ->
  meets s M (let$ r := linear_range p in
    demand (lies_in r T) Rejection.Deduction >>
    let$ needed := at_most zero p in
    implies F n needed >>
    let$ low := if is_or then ret p else difference p other in
    at_most low u) (fun l s' M' => literal_in s' l /\ (Q -> 0 <= vl M p) /\ Integers.within T (vl M p) /\
      (literal_holds M' l <-> (if is_or then vl M p else vl M p - vl M other) <= vl M u)).
Proof.
  intros G H Ip Io Iu [Iz Vz]. eapply meets_peek; [eapply linear_range_peek; eauto|]. intros r R.
  eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => lies_in r T = true)); auto|]. intros ? L. cbn beta in L.
  assert (W : Integers.within T (vl M p)).
  { destruct r as [[lo hi]|]; [|discriminate]. simpl in L, R. apply andb_prop in L as [L1 L2]. apply is_within_iff in L1, L2. unfold Integers.within in *. lia. }
  unfold at_most. eapply meets_bind; [eapply meets_bind; [apply difference_meets; auto|]; intros d s1 M1 G1 K1 [I1 V1]; apply (meets_ret nu tabs s1 M1 _ (fun l s' M' => literal_in s' l /\ (literal_holds M' l <-> 0 <= vl M p))); auto; split; auto; unfold literal_holds; simpl; lia|].
  intros needed s1 M1 G1 K1 [In1 Nd]. pose proof (facts_kept _ _ _ _ _ K1 H) as H1.
  eapply meets_bind; [apply implies_meets; auto|]. intros ? s2 M2 G2 K2 HN. cbn beta in HN. assert (HN' : Q -> 0 <= vl M p) by (intros hq; apply Nd, HN, hq).
  pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K12. pose proof (proj2 (keeps_linears _ _ _ _ K12)) as V12. pose proof (proj1 (keeps_linears _ _ _ _ K12)) as L12.
  eapply meets_bind with (P := fun low s' M' => is_term s' M' low (if is_or then vl M p else vl M p - vl M other)).
  { destruct is_or; [apply meets_ret; auto; split; [lia | auto]|]. eapply meets_weaker; [apply difference_meets; auto|].
    intros low s' M' _ _ [Il Vl]. split; auto. rewrite Vl, !V12; auto. }
  intros low s3 M3 G3 K3 [I3 V3]. eapply meets_bind; [apply difference_meets; auto|]. intros d s4 M4 G4 K4 [I4 V4]. apply meets_ret; auto.
  split; auto. split; auto. split; auto. unfold literal_holds; simpl. rewrite V4, V3, (proj2 (keeps_linears _ _ _ _ K3)), V12 by lia. lia.
Qed.
Lemma bits_meets s M F a by_ : good s M -> facts_true s M F -> meets s M (bits F a by_) right_deduction.
Proof.
  intros G H. unfold bits. eapply meets_peek; [eapply atom_peek; eauto|]. intros x (Ia & J & V). destruct x as [| | |op T t u]; try apply meets_refuses.
  assert (It : (t < linears_in s)%N) by (apply (J (LinearPart t)); simpl; auto). assert (Iu : (u < linears_in s)%N) by (apply (J (LinearPart u)); simpl; auto).
  eapply meets_peek with (P := fun is_or => op = if is_or : bool then Or else Xor).
  { destruct op; try apply peeks_refuses; apply peeks_ret; auto. }
  intros is_or O. eapply meets_bind; [apply constant_meets; auto|]. intros zero s1 M1 G1 K1 Hz.
  eapply meets_peek; [eapply of_atom_peek; eauto|]. intros w [Iw Vw]. rewrite (proj2 (keeps_atoms _ _ _ _ K1)) in Vw by auto.
  pose proof (facts_kept _ _ _ _ _ K1 H) as H1. pose proof (proj2 (keeps_linears _ _ _ _ K1)) as V1. pose proof (proj1 (keeps_linears _ _ _ _ K1)) as L1.
  eapply meets_bind; [apply combine_meets; auto|]. intros sum s2 M2 G2 K2 [I2 V2]. simpl in V2. rewrite !V1 in V2 by auto.
  pose proof (proj2 (keeps_linears _ _ _ _ K2)) as W2. pose proof (proj1 (keeps_linears _ _ _ _ K2)) as L2.
  destruct Hz as [Iz Vz].
  unfold at_most at 1. eapply meets_bind; [eapply meets_bind; [apply difference_meets; auto|]; intros d s3 M3 G3 K3 [I3 V3]; apply (meets_ret nu tabs s3 M3 _ (fun l s' M' => literal_in s' l /\ (literal_holds M' l <-> 0 <= va M a))); auto; split; auto; unfold literal_holds; simpl; rewrite V3, !W2, Vz, Vw by auto; lia|].
  intros l1 s3 M3 G3 K3 [Il1 Hl1].
  pose proof (proj2 (keeps_linears _ _ _ _ K3)) as W3. pose proof (proj1 (keeps_linears _ _ _ _ K3)) as L3.
  unfold at_most at 1. eapply meets_bind; [eapply meets_bind; [apply difference_meets; auto|]; intros d s4 M4 G4 K4 [I4 V4]; apply (meets_ret nu tabs s4 M4 _ (fun l s' M' => literal_in s' l /\ (literal_holds M' l <-> va M a <= vl M t + vl M u))); auto; split; auto; unfold literal_holds; simpl; rewrite V4, !W3, V2, !W2, Vw by (auto; lia); lia|].
  intros l2 s4 M4 G4 K4 [Il2 Hl2].
  pose proof (keeps_trans _ _ _ _ _ _ K1 (keeps_trans _ _ _ _ _ _ K2 (keeps_trans _ _ _ _ _ _ K3 K4))) as K04.
  pose proof (keeps_trans _ _ _ _ _ _ K2 (keeps_trans _ _ _ _ _ _ K3 K4)) as K14.
  pose proof (proj2 (keeps_linears _ _ _ _ K04)) as W04. pose proof (proj1 (keeps_linears _ _ _ _ K04)) as L04.
  pose proof (proj2 (keeps_linears _ _ _ _ K14)) as W14. pose proof (proj1 (keeps_linears _ _ _ _ K14)) as L14.
  pose proof (facts_kept _ _ _ _ _ K14 H1) as H4.
  eapply meets_bind; [apply side_meets; auto; [lia | lia | lia | split; [lia | rewrite W14; auto]]|].
  intros l3 s5 M5 G5 K5 (Il3 & P3 & T3 & Hl3). rewrite !W04 in * by auto. rewrite W14, Vw in Hl3 by auto.
  pose proof (proj2 (keeps_linears _ _ _ _ K5)) as W5. pose proof (proj1 (keeps_linears _ _ _ _ K5)) as L5.
  eapply meets_bind; [apply side_meets; auto; [eapply facts_kept; eauto | lia | lia | lia | split; [lia | rewrite W5, W14; auto; lia]]|].
  intros l4 s6 M6 G6 K6 (Il4 & P4 & T4 & Hl4). rewrite !W5, !W04 in * by (auto; lia). rewrite W14, Vw in Hl4 by auto.
  assert (Bits : Q -> 0 <= va M a <= vl M t + vl M u /\ (if is_or then vl M t else vl M t - vl M u) <= va M a /\ (if is_or then vl M u else vl M u - vl M t) <= va M a).
  { intros hq. specialize (P3 hq). specialize (P4 hq). rewrite V. simpl. subst op. destruct is_or.
    - rewrite (apply_bits T Or Z.lor) by auto. pose proof (bits_or (vl M t) (vl M u) P3 P4). lia.
    - rewrite (apply_bits T Xor Z.lxor) by auto. pose proof (bits_xor (vl M t) (vl M u) P3 P4). lia. }
  apply add_several_meets; auto; [exact (facts_kept _ _ _ _ _ K6 (facts_kept _ _ _ _ _ K5 H4))|].
  intros l [<-|[<-|[<-|[<-|[]]]]].
  - destruct (literal_kept _ _ _ _ l1 (keeps_trans _ _ _ _ _ _ K4 (keeps_trans _ _ _ _ _ _ K5 K6)) Il1) as [A B]. split; auto. intros hq. specialize (Bits hq). apply B, Hl1. lia.
  - destruct (literal_kept _ _ _ _ l2 (keeps_trans _ _ _ _ _ _ K5 K6) Il2) as [A B]. split; auto. intros hq. specialize (Bits hq). apply B, Hl2. lia.
  - destruct (literal_kept _ _ _ _ l3 K6 Il3) as [A B]. split; auto. intros hq. specialize (Bits hq). apply B, Hl3. lia.
  - split; auto. intros hq. specialize (Bits hq). apply Hl4. lia.
Qed.

(** *** Congruence *)

Definition same_part (M : model) (p : part * part) : Prop := match p with
  | (LinearPart t, LinearPart u) => vl M t = vl M u | (ArrayPart a, ArrayPart b) => a = b | _ => False end.
Lemma congruent_meets ps : forall s M F by_, good s M -> facts_true s M F -> (forall p q, In (p, q) ps -> part_in s p /\ part_in s q) ->
  meets s M (congruent F ps by_) (fun _ _ _ => Q -> Forall (same_part M) ps).
Proof.
  induction ps as [|[p q] ps IH]; intros s M F by_ G H J; simpl; [apply meets_demand; auto|].
  assert (J' : forall p q, In (p, q) ps -> part_in s p /\ part_in s q) by (intros; apply J; right; auto).
  destruct (part_eqb p q) eqn:E.
  - eapply meets_weaker; [apply IH; auto|]. intros ? s' M' _ _ A q'. constructor; [|apply A; auto].
    destruct p, q; simpl in *; try discriminate; apply N.eqb_eq in E; subst; auto.
  - destruct p as [t|a], q as [u|b]; try apply meets_refuses.
    destruct (J _ _ (or_introl eq_refl)) as [It Iu]. simpl in It, Iu.
    eapply meets_bind; [apply difference_meets; auto|]. intros gap s1 M1 G1 K1 [I1 V1]. destruct by_ as [|b by_]; [apply meets_refuses|].
    pose proof (facts_kept _ _ _ _ _ K1 H) as H1.
    eapply meets_bind; [apply is_zero_meets; auto|]. intros ? s2 M2 G2 K2 Z0. cbn beta in Z0.
    pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K.
    eapply meets_weaker; [apply IH; [auto | exact (facts_kept _ _ _ _ _ K H) |]|].
    + intros p q Hp. destruct (J' p q Hp). split; eapply part_in_kept; eauto.
    + intros ? s3 M3 _ _ A q'. cbn beta in A. specialize (A q'). specialize (Z0 q'). constructor; [simpl; lia|]. rewrite Forall_forall in *. intros [p q] Hp. specialize (A _ Hp). destruct (J' p q Hp) as [Jp Jq].
      destruct p, q; simpl in *; auto. rewrite !(proj2 (keeps_linears _ _ _ _ K)) in A by auto. auto.
Qed.
Lemma same_operation M x y : operation_alone x = operation_alone y -> Forall (same_part M) (List.combine (parts_of_atom x) (parts_of_atom y)) -> atom_value M x = atom_value M y.
Proof.
  unfold operation_alone. destruct x, y; simpl; try discriminate; intros [=] A; subst; auto;
  repeat match goal with H : Forall _ (_ :: _) |- _ => inversion_clear H end; simpl in *; subst; congruence.
Qed.
Lemma congruence_meets s M F a b by_ : good s M -> facts_true s M F -> meets s M (Refuting.congruence F a b by_) right_deduction.
Proof.
  intros G H. unfold Refuting.congruence. eapply meets_peek; [eapply atom_peek; eauto|]. intros x (Ia & Ja & Va).
  eapply meets_peek; [eapply atom_peek; eauto|]. intros y (Ib & Jb & Vb).
  eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => atom_eqb (operation_alone x) (operation_alone y) = true)); auto|]. intros ? E. cbn beta in E.
  assert (E' : operation_alone x = operation_alone y).
  { apply key_of_atom_injective. unfold atom_eqb, keys_eqb in E. revert E. generalize (key_of_atom (operation_alone x)) as k. generalize (key_of_atom (operation_alone y)) as l.
    intros l k. revert l. induction k as [|p k IHk]; intros [|q l]; try discriminate; auto. intros E. apply andb_prop in E as [E1 E2]. apply Pos.eqb_eq in E1. subst. f_equal. auto. }
  eapply meets_bind; [apply congruent_meets; auto|].
  { intros p q Hp. split; [eapply Ja, in_combine_l; eauto | eapply Jb, in_combine_r; eauto]. }
  intros ? s1 M1 G1 K1 A. cbn beta in A. eapply meets_peek; [eapply of_atom_peek; eauto|]. intros t [It Vt].
  eapply equate_later; [auto | exact K1 | auto | auto | auto|]. intros hq. rewrite Vt, (proj2 (keeps_atoms _ _ _ _ K1)), Va, Vb by auto.
  symmetry. apply same_operation; auto.
Qed.

(** *** Evaluation *)

(** A part in the place of another one, of the same value. *)
Definition stands_for (s : state) (M : model) (M' : model) (p : part) (n : N) : Prop := match p with
  | LinearPart t => (n < linears_in s)%N /\ (Q -> vl M n = vl M' t) | ArrayPart a => n = a end.
Lemma arguments_meets ps : forall s M F vs, good s M -> facts_true s M F -> parts_in s ps ->
  meets s M (arguments F ps vs) (fun ns s' M' => Forall2 (stands_for s' M' M) ps ns).
Proof.
  induction ps as [|p ps IH]; intros s M F vs G H J; simpl.
  - eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. apply meets_ret; auto.
  - assert (J' : parts_in s ps) by (intros q Hq; apply J; right; auto). assert (Jp : part_in s p) by (apply J; left; auto).
    destruct p as [t|a].
    + eapply meets_peek; [eapply value_peek; eauto|]. intros v Hv. destruct v as [z|].
      * eapply meets_bind; [apply IH; auto|]. intros ns s1 M1 G1 K1 A. apply meets_ret; auto. constructor; auto. simpl in *.
        split; [pose proof (proj1 (keeps_linears _ _ _ _ K1)); lia | intros _; apply (keeps_linears _ _ _ _ K1); auto].
      * destruct vs as [|[z by_] vs]; [apply meets_refuses|]. simpl in Jp.
        eapply meets_bind; [apply constant_meets; auto|]. intros u s1 M1 G1 K1 [Iu Vu].
        eapply meets_bind; [apply difference_meets; auto|]. intros gap s2 M2 G2 K2 [Ig Vg].
        pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K12.
        eapply meets_bind; [apply is_zero_meets; [auto | exact (facts_kept _ _ _ _ _ K12 H) | auto]|]. intros ? s3 M3 G3 K3 Z0. cbn beta in Z0.
        pose proof (keeps_trans _ _ _ _ _ _ K12 K3) as K13.
        eapply meets_bind; [apply IH; [auto | exact (facts_kept _ _ _ _ _ K13 H) | eapply parts_in_kept; eauto]|]. intros ns s4 M4 G4 K4 A.
        apply meets_ret; auto. constructor.
        -- simpl. destruct (is_term_kept _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K2 (keeps_trans _ _ _ _ _ _ K3 K4)) (conj Iu Vu)) as [I4 V4].
           split; auto. intros hq. specialize (Z0 hq). rewrite V4. rewrite (proj2 (keeps_linears _ _ _ _ K1)), Vu in Vg by auto. lia.
        -- clear - A K13 J'. induction A as [|q n qs ns Q0 A IHA]; constructor; auto.
           ++ destruct q; simpl in *; auto. destruct Q0 as [Q1 Q2]. split; auto. intros qq. rewrite (Q2 qq). apply (keeps_linears _ _ _ _ K13). apply (J' (LinearPart t)). left. auto.
           ++ apply IHA. intros r Hr. apply J'. right. auto.
    + eapply meets_bind; [apply IH; auto|]. intros ns s1 M1 G1 K1 A. apply meets_ret; auto. constructor; auto. reflexivity.
Qed.
Lemma atom_with_value s M M' x ns : Q -> Forall2 (stands_for s M M') (parts_of_atom x) ns ->
  (forall a, In (ArrayPart a) (parts_of_atom x) -> forall j, vr M a j = vr M' a j) -> atom_value M (atom_with x ns) = atom_value M' x.
Proof.
  intros hq A R. destruct x; simpl in *; repeat match goal with H : Forall2 _ (_ :: _) _ |- _ => inversion H; clear H; subst end;
  repeat match goal with H : Forall2 _ [] _ |- _ => inversion H; clear H; subst end; simpl in *;
  repeat match goal with H : _ /\ _ |- _ => destruct H end; repeat match goal with H : Q -> _ |- _ => specialize (H hq) end; subst; auto; try congruence.
  rewrite R by auto. congruence.
Qed.
Lemma evaluate_meets s M F a vs : good s M -> facts_true s M F -> meets s M (evaluate F a vs) right_deduction.
Proof.
  intros G H. unfold evaluate. eapply meets_peek; [eapply atom_peek; eauto|]. intros x (Ia & J & V).
  eapply meets_bind; [apply arguments_meets; auto|]. intros ns s1 M1 G1 K1 A.
  eapply meets_bind; [apply normal_meets; auto|]. intros t s2 M2 G2 K2 [It Vt].
  eapply equate_later; [auto | exact (keeps_trans _ _ _ _ _ _ K1 K2) | auto | auto | auto|]. intros hq. rewrite Vt, V.
  apply (atom_with_value s1 M1 M x ns hq A). intros b Hb j. apply (keeps_arrays _ _ _ _ K1). apply (J _ Hb).
Qed.

(** ** Hints *)

Lemma deduce_meets s M F d : good s M -> facts_true s M F -> (forall l, d <> Case l) -> meets s M (deduce F d) right_deduction.
Proof.
  intros G H C. destruct d; simpl; [apply combine_facts_meets | apply tighten_meets | apply axiom_meets | apply congruence_meets | apply read_same_meets
    | apply read_other_meets | apply convert_meets | exfalso; eapply C; reflexivity | apply bits_meets | apply evaluate_meets]; auto.
Qed.
End Refuted.

Section Hints.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).

Definition facts_in (s : state) (F : facts) : Prop := forall n l, PositiveMap.find (N.succ_pos n) (by_number F) = Some l -> literal_in s l.
Definition all_hold (M : model) (F : facts) : Prop := forall n l, PositiveMap.find (N.succ_pos n) (by_number F) = Some l -> literal_holds M l.
Lemma facts_in_kept s M s' M' F : keeps s M s' M' -> facts_in s F -> facts_in s' F.
Proof. intros K H n l E. apply (literal_kept _ _ _ _ l K). eauto. Qed.
Lemma all_hold_kept s M s' M' F : keeps s M s' M' -> facts_in s F -> all_hold M' F <-> all_hold M F.
Proof. intros K H. split; intros A n l E; destruct (literal_kept _ _ _ _ l K (H n l E)); firstorder. Qed.
Lemma find_fact F l n m : PositiveMap.find (N.succ_pos n) (by_number (add_fact F l)) = Some m -> m = l \/ PositiveMap.find (N.succ_pos n) (by_number F) = Some m.
Proof.
  simpl. destruct (N.eq_dec n (fact_count F)) as [->|D]; [rewrite PositiveMap.gss; intros [= <-]; auto|].
  rewrite PositiveMap.gso; auto. intros E. apply key_of_n_injective in E. auto.
Qed.
Lemma add_fact_in s F l : facts_in s F -> literal_in s l -> facts_in s (add_fact F l).
Proof. intros H I n m E. apply find_fact in E as [->|E]; eauto. Qed.
Lemma add_fact_holds M F l : all_hold M F -> literal_holds M l -> all_hold M (add_fact F l).
Proof. intros H I n m E. apply find_fact in E as [->|E]; eauto. Qed.
Lemma holds_or_not M l : literal_holds M l \/ ~ literal_holds M l.
Proof. unfold literal_holds. destruct (sign_of l); lia. Qed.

(** Open cases whose other halves have been refuted. *)
Definition cases_in (s : state) (cs : list (facts * literal)) : Prop := forall F l, In (F, l) cs -> facts_in s F /\ literal_in s l.
Definition cases_shown (M : model) (cs : list (facts * literal)) : Prop := forall F l, In (F, l) cs -> all_hold M F -> literal_holds M l.
Lemma cases_in_kept s M s' M' cs : keeps s M s' M' -> cases_in s cs -> cases_in s' cs.
Proof. intros K H F l I. destruct (H F l I). split; [eapply facts_in_kept; eauto | apply (literal_kept _ _ _ _ l K); auto]. Qed.
Lemma cases_shown_back s M s' M' cs : keeps s M s' M' -> cases_in s cs -> cases_shown M' cs -> cases_shown M cs.
Proof.
  intros K H A F l I T. destruct (H F l I) as [J J']. apply (literal_kept _ _ _ _ l K J'). apply (A F l I). apply (all_hold_kept _ _ _ _ F K J). auto.
Qed.

Lemma close_meets cs : forall s M, good s M -> cases_in s cs -> meets s M (close cs) (fun r s' M' => match r with
  | None => cases_shown M cs
  | Some (F, rest) => facts_in s' F /\ cases_in s' rest /\ (~ all_hold M' F -> cases_shown M' rest -> cases_shown M cs) end).
Proof.
  induction cs as [|[F l] cs IH]; intros s M G H; cbn [close]; [apply meets_ret; auto; intros ? ? []|].
  destruct (H F l (or_introl eq_refl)) as [JF Jl]. assert (H' : cases_in s cs) by (intros ? ? ?; apply H; right; auto).
  eapply meets_bind; [apply negate_meets; auto|]. intros m s1 M1 G1 K1 [Jm Nm].
  eapply meets_peek; [eapply is_false_peek; eauto|]. intros closed C. destruct closed.
  - eapply meets_weaker; [apply IH; auto; eapply cases_in_kept; eauto|]. intros r s2 M2 G2 K2 R.
    assert (Own : all_hold M F -> literal_holds M l) by (intros _; destruct (holds_or_not M l) as [|N]; auto; exfalso; apply C; auto; apply Nm; auto).
    assert (More : cases_shown M1 cs -> cases_shown M ((F, l) :: cs)).
    { intros A F' l' [[= <- <-]|I] T; auto. eapply cases_shown_back; eauto. }
    destruct r as [[F2 rest]|]; auto. destruct R as (A & B & D). auto.
  - apply meets_ret; auto. split; [apply add_fact_in; auto; eapply facts_in_kept; eauto|]. split; [eapply cases_in_kept; eauto|].
    intros N A F' l' [[= <- <-]|I] T; [|eapply cases_shown_back; eauto].
    destruct (holds_or_not M l) as [|NL]; auto. exfalso. apply N. apply add_fact_holds; [eapply all_hold_kept; eauto | apply Nm; auto].
Qed.

(** Where each deduction of a hint is right, its facts contradict each other, and the other
    halves of open cases do. *)
Lemma refuted_by_meets ds : forall s M F cs, good s M -> facts_in s F -> cases_in s cs ->
  meets s M (refuted_by F cs ds) (fun _ _ _ => ~ all_hold M F /\ cases_shown M cs).
Proof.
  induction ds as [|d ds IH]; intros s M F cs G JF JC; cbn [refuted_by]; [apply meets_refuses|].
  (* What comes behind a deduction. *)
  assert (Next : forall s1 M1 F1 closed cs1 (X : Prop), good s1 M1 -> facts_in s1 F1 -> cases_in s1 cs1 -> (closed = true -> X) -> (~ all_hold M1 F1 -> X) ->
    meets s1 M1 (if closed : bool then
      let$ left := close cs1 in
      match left with
      | None => demand (is_empty ds) Rejection.NotRefuted
      | Some (F, cases) => refuted_by F cases ds end
    else refuted_by F1 cs1 ds) (fun _ _ _ => X /\ cases_shown M1 cs1)).
  { intros s1 M1 F1 closed cs1 X G1 JF1 JC1 C N. destruct closed.
    - eapply meets_bind; [apply close_meets; auto|]. intros r s2 M2 G2 K2 R. destruct r as [[F2 rest]|].
      + destruct R as (A & B & D). eapply meets_weaker; [apply IH; auto|]. intros ? ? ? _ _ [N' S]. auto.
      + apply meets_demand; auto.
    - eapply meets_weaker; [apply IH; auto|]. intros ? ? ? _ _ [N' S]. auto. }
  assert (Is : (exists l, d = Case l) \/ (forall l, d <> Case l)).
  { destruct d; try (right; discriminate). left. eauto. }
  destruct Is as [[l ->]|No].
  - unfold deduce. eapply meets_bind with (P := fun r s' M' => s' = s /\ M' = M /\ literal_in s l /\ fst r = add_fact F l /\ (snd r = true -> ~ literal_holds M l)).
    + intros r s' E. unfold Arena.bind in E. destruct (linear_at (term_of l) s) as [x s1|] eqn:L; [|discriminate].
      destruct (linear_peek nu tabs s M _ G _ _ L) as [-> (I & _)]. destruct (is_false l s) as [f s1|] eqn:Ef; [|discriminate].
      destruct (is_false_peek nu tabs s M l G _ _ Ef) as [-> C]. injection E as <- <-. exists M. split; auto. split; [apply keeps_refl|]. simpl. auto.
    + intros [F1 closed] s1 M1 G1 _ (-> & -> & Il & E & C). simpl in E, C. subst F1.
      eapply meets_weaker; [apply (Next _ _ _ _ _ (~ all_hold M (add_fact F l))); [auto | apply add_fact_in; auto | | |auto]|].
      * intros F' l' [[= <- <-]|I]; auto.
      * intros Ec A. apply (C Ec). apply (A (fact_count F)). simpl. apply PositiveMap.gss.
      * intros ? ? ? _ _ [N S]. split.
        -- intros A. apply N. apply add_fact_holds; auto. apply (S F l); [left; reflexivity | auto].
        -- intros F' l' I. apply S. right. auto.
  - replace (match d with Case l => (F, l) :: cs | _ => cs end) with cs by (destruct d; auto; exfalso; eapply No; reflexivity).
    eapply meets_bind; [apply (deduce_meets nu sorted tabs (all_hold M F)); auto|].
    { intros n l E. split; [eauto | intros A; eapply A; eauto]. }
    intros [F1 closed] s1 M1 G1 K1 [T C]. simpl in T, C.
    eapply meets_weaker; [apply (Next s1 M1 F1 closed cs (~ all_hold M F)); auto|].
    + intros n l E. apply (T n l E).
    + eapply cases_in_kept; eauto.
    + intros -> A. specialize (C A). discriminate.
    + intros N A. apply N. intros n l E. apply (T n l E). auto.
    + intros ? ? ? _ _ [N S]. split; auto. eapply cases_shown_back; eauto.
Qed.

Lemma facts_of_from ls : forall F n l, PositiveMap.find (N.succ_pos n) (by_number (fold_left add_fact ls F)) = Some l ->
  PositiveMap.find (N.succ_pos n) (by_number F) = Some l \/ In l ls.
Proof.
  induction ls as [|m ls IH]; cbn [fold_left]; intros F n l E; auto. apply IH in E as [E|E]; [|right; right; auto].
  apply find_fact in E as [->|E]; auto. right. left. auto.
Qed.
Lemma fact_of ls n l : PositiveMap.find (N.succ_pos n) (by_number (facts_of ls)) = Some l -> In l ls.
Proof. unfold facts_of. intros E. apply facts_of_from in E as [E|E]; auto. simpl in E. rewrite PositiveMap.gempty in E. discriminate. Qed.

(** Hints are no terms. *)
Lemma hints_good s M hs : good s M -> good (with_hints s hs) M.
Proof. intros G. destruct G. split; auto. apply (scopes_kept s); auto. split; auto. Qed.
Lemma hints_keep s M hs s' M' : keeps (with_hints s hs) M s' M' -> keeps s M s' M'.
Proof. intros [A L R []]. split; auto. split; auto. Qed.
(** What a rule has refuted is false: of literals of terms that are there, some does not
    hold. *)
Theorem refute_meets s M predicate assumptions : good s M -> (forall l, In l (predicate ++ assumptions) -> literal_in s l) ->
  meets s M (refute predicate assumptions) (fun _ _ _ => ~ (forall l, In l (predicate ++ assumptions) -> literal_holds M l)).
Proof.
  intros G H u s' E. unfold refute in E. destruct (hints_left s) as [|ds hs]; [discriminate|].
  pose proof (hints_good s M hs G) as G'.
  destruct (refuted_by_meets ds (with_hints s hs) M (facts_of (predicate ++ assumptions)) [] G' ltac:(intros n l F; apply H; eapply fact_of; eauto) ltac:(intros ? ? []) _ _ E)
    as (M' & G2 & K & N & _).
  exists M'. split; auto. split; [eapply hints_keep; eauto|]. intros A. apply N. intros n l F. apply A. eapply fact_of; eauto.
Qed.
(** What is entailed holds where the predicate does. *)
Theorem entail_meets s M predicate l : good s M -> (forall l, In l predicate -> literal_in s l) -> literal_in s l ->
  meets s M (entail predicate l) (fun _ _ _ => (forall l, In l predicate -> literal_holds M l) -> literal_holds M l).
Proof.
  intros G H I. unfold entail. eapply meets_peek; [eapply is_true_peek; eauto|]. intros e E.
  destruct (e || stands_in l predicate) eqn:D.
  - apply meets_ret; auto. intros A. apply orb_prop in D as [->|D]; auto. unfold stands_in in D. apply existsb_exists in D as (m & Im & Em).
    unfold literal_eqb in Em. apply andb_prop in Em as [E1 E2]. apply N.eqb_eq in E2. specialize (A m Im).
    destruct l as [g t], m as [h u]; simpl in *. subst. destruct g, h; try discriminate; auto.
  - assert (Refuted : forall s1 M1 m, keeps s M s1 M1 -> good s1 M1 -> literal_in s1 m -> meets s1 M1 (refute predicate [m])
      (fun _ _ _ => (forall l, In l predicate -> literal_holds M l) -> ~ literal_holds M1 m)).
    { intros s1 M1 m K1 G1 Im. eapply meets_weaker; [apply refute_meets; auto|].
      - intros k Hk. apply in_app_or in Hk as [Hk|[<-|[]]]; auto. apply (literal_kept _ _ _ _ k K1). auto.
      - intros ? ? ? _ _ N A T. apply N. intros k Hk. apply in_app_or in Hk as [Hk|[<-|[]]]; auto. apply (literal_kept _ _ _ _ k K1); auto. }
    assert (Direct : meets s M (let$ m := negate l in refute predicate [m]) (fun _ _ _ => (forall l, In l predicate -> literal_holds M l) -> literal_holds M l)).
    { eapply meets_bind; [apply negate_meets; auto|]. intros m s1 M1 G1 K1 [Im Nm]. eapply meets_weaker; [apply Refuted; auto|].
      intros ? ? ? _ _ N A. destruct (holds_or_not M l) as [|F]; auto. exfalso. apply (N A). apply Nm. auto. }
    destruct (sign_of l) eqn:S; auto.
    eapply meets_bind; [apply combine_meets; auto|]. intros up s1 M1 G1 K1 [I1 V1].
    eapply meets_bind; [apply Refuted; auto|]. intros ? s2 M2 G2 K2 N1. cbn beta in N1.
    eapply meets_bind; [apply combine_meets; auto|]. intros down s3 M3 G3 K3 [I3 V3].
    pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K12. pose proof (keeps_trans _ _ _ _ _ _ K12 K3) as K13.
    eapply meets_weaker; [apply Refuted; auto|]. intros ? ? ? _ _ N2 A. specialize (N1 A). specialize (N2 A).
    unfold literal_holds in *; simpl in *. rewrite S. rewrite V1 in N1. rewrite V3 in N2. simpl in N1, N2.
    rewrite (proj2 (keeps_linears _ _ _ _ K12)) in N2 by auto. lia.
Qed.

(** Values that a certificate gives, of a sort. *)
Lemma shown_range_meets s M predicate t a b : good s M -> (forall l, In l predicate -> literal_in s l) -> (t < linears_in s)%N ->
  meets s M (shown_range predicate t (a, b)) (fun _ _ _ => (forall l, In l predicate -> literal_holds M l) -> a <= vl M t <= b).
Proof.
  intros G H I. unfold shown_range. eapply meets_bind; [apply within_meets; auto|]. intros [low high] s1 M1 G1 K1 (A & B & L & U). simpl in A, B, L, U.
  assert (H1 : forall l, In l predicate -> literal_in s1 l) by (intros l Hl; apply (literal_kept _ _ _ _ l K1); auto).
  eapply meets_bind; [apply entail_meets; auto|]. intros ? s2 M2 G2 K2 HL. cbn beta in HL.
  assert (H2 : forall l, In l predicate -> literal_in s2 l) by (intros l Hl; apply (literal_kept _ _ _ _ l K2); auto).
  eapply meets_weaker; [apply entail_meets; auto; apply (literal_kept _ _ _ _ high K2); auto|]. intros ? ? ? _ _ HU P.
  assert (P1 : forall l, In l predicate -> literal_holds M1 l) by (intros l Hl; apply (literal_kept _ _ _ _ l K1); auto).
  assert (P2 : forall l, In l predicate -> literal_holds M2 l) by (intros l Hl; apply (literal_kept _ _ _ _ l K2); auto).
  specialize (HL P1). specialize (HU P2). apply (literal_kept _ _ _ _ high K2 B) in HU. split; [apply L | apply U]; auto.
Qed.
Theorem shown_integer_meets s M sc predicate t q : good s M -> (forall l, In l predicate -> literal_in s l) ->
  meets s M (shown_integer sc predicate t q) (fun _ _ _ => (t < linears_in s)%N /\
    ((forall l, In l predicate -> literal_holds M l) -> match q with Some T => Integers.within T (vl M t) | None => True end)).
Proof.
  intros G H. unfold shown_integer, exists_in.
  eapply meets_peek with (P := fun _ => (t < linears_in s)%N).
  { eapply peeks_bind with (P := fun _ => (t < linears_in s)%N); [|intros x I; apply peeks_demand; auto].
    unfold scope_of_part, look_up, Arena.bind, ret. intros x s'. destruct (node_at (linear_nodes s) t) as [y|] eqn:E; [|discriminate].
    intros [= _ <-]. apply G in E as (I & _). auto. }
  intros ? I. cbn beta in I. eapply meets_peek; [eapply linear_range_peek; eauto|]. intros r R.
  destruct q as [T|]; [|apply meets_ret; auto]. destruct (lies_in r T) eqn:L.
  - apply meets_ret; auto. split; auto. intros _. destruct r as [[lo hi]|]; [|discriminate]. simpl in L, R.
    apply andb_prop in L as [L1 L2]. apply is_within_iff in L1, L2. unfold Integers.within in *. lia.
  - eapply meets_weaker; [apply shown_range_meets; auto|]. intros ? ? ? _ _ A. auto.
Qed.

(** ** States of a replay *)

Lemma initial_good ts M : index_of ts = tabs -> good (initial_state ts) M.
Proof.
  intros E. split; simpl; auto; [.. | split]; unfold node_at; simpl; intros; try (rewrite PositiveMap.gempty in *; discriminate);
  match goal with H : find_key _ no_keys = _ |- _ => rewrite find_no_keys in H; discriminate end.
Qed.
(** The table of terms: whatever is in it, there is a model. *)
Theorem define_term_meets s M t : good s M -> meets s M (define_term t) (fun _ _ _ => True).
Proof.
  intros G. unfold define_term. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; exact I|]. intros n _.
  eapply meets_peek with (P := fun _ => True); [apply peeks_looks; exact I|]. intros k _.
  eapply meets_bind with (P := fun _ _ _ => True); [|intros b s1 M1 G1 _ _; apply meets_demand; auto].
  destruct t as [a|l|a].
  - eapply meets_bind; [apply normal_meets; auto|]. intros u s1 M1 G1 _ _. eapply meets_peek with (P := fun _ => True).
    + unfold as_atom. eapply peeks_bind; [eapply linear_peek; eauto|]. intros l _.
      destruct (constant l); try (apply peeks_ret; exact I). destruct (summands l) as [|[b h] [|]]; try (apply peeks_ret; exact I);
      try (destruct h as [|[]|]; apply peeks_ret; exact I).
      destruct h as [|[h|h|]|h]; try (apply peeks_ret; exact I). eapply peeks_bind; [eapply atom_peek; eauto|]. intros; apply peeks_ret; exact I.
    + intros b _. apply meets_ret; auto.
  - destruct (is_normal (summands l)); [|apply meets_ret; auto]. eapply meets_bind; [apply add_linear_meets; auto|]. intros; apply meets_ret; auto.
  - eapply meets_bind; [apply normal_array_meets; auto|]. intros u s1 M1 G1 _ _. eapply meets_peek; [eapply array_peek; eauto|]. intros; apply meets_ret; auto.
Qed.
End Hints.
