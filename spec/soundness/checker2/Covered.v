(** That a template without folded parts covers what the rule Subsume says it does
    (spec/calculus.md#subsume): slots and objects have the values that the template's have
    under the substitution, and its literals hold. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States Denoting Carried Closing Moving Places LoadLists Leading Staying Substituted.
From Goatherd.checker2 Require Covering.
Import ListNotations.
Open Scope Z_scope.

(** A template without folded parts and symbols. *)
Definition plain_member (m : member_state) : bool := (given (parts_held m) =? 0)%N.
Definition is_plain (d : configuration) : bool := forallb plain_member (herd d) && (given (symbols d) =? 0)%N && match entry_member d with None => true | Some _ => false end.

Section Covered.
Variable E : setting.
Variable c : configuration.
Variables nu mu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Hypothesis sorted_too : Terms.well_sorted mu.
Variable tabs : indexed table.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation twice := (twice nu mu tabs).
(** What is asked of values, if anything is. *)
Variable Q : Prop.
Notation theta_right := (theta_right mu Q).

(** ** Folds *)

Section Fold.
Context {A B : Type}.
Variables (f : B -> A -> computes B) (I : B -> state -> model -> model -> Prop) (R : A -> state -> model -> model -> Prop).
Hypothesis R_kept : forall a s M K s' M' K', keeps s M s' M' -> keeps s K s' K' -> R a s M K -> R a s' M' K'.
Lemma twice_folded l : forall b s M K, (forall b a s M K, In a l -> good nu s M -> good mu s K -> I b s M K -> twice s M K (f b a) (fun b' s' M' K' => I b' s' M' K' /\ R a s' M' K')) ->
  good nu s M -> good mu s K -> I b s M K -> twice s M K (folded_left f l b) (fun b' s' M' K' => I b' s' M' K' /\ forall a, In a l -> R a s' M' K').
Proof.
  induction l as [|a l IH]; intros b s M K H G G' J; cbn [folded_left]; [apply twice_ret; auto; split; [exact J | intros ? []]|].
  eapply twice_bind; [apply H; auto; left; reflexivity|]. intros b1 s1 M1 K1 G1 H1 Km Kk [J1 R1].
  eapply twice_weaker; [apply IH; auto; intros; apply H; auto; right; assumption|]. intros b2 s2 M2 K2 _ _ Km2 Kk2 [J2 R2]. split; [exact J2|].
  intros x [<-|In_]; [eapply R_kept; eauto | auto].
Qed.
End Fold.

(** ** Terms that are equal *)

(** The configuration's literals are there, and hold. *)
Definition known_right (s : state) (M : model) : Prop := (forall l, In l (known_literals c) -> literal_in s l) /\ (Q -> forall l, In l (known_literals c) -> literal_holds M l).
Lemma known_kept s M s' M' : keeps s M s' M' -> known_right s M -> known_right s' M'.
Proof. intros Kp [I H]. split; [|intros hq]; intros l J; apply (literal_kept _ _ _ _ l Kp (I l J)); auto. Qed.
Lemma equal_meets rho s M a u : Terms.well_sorted rho -> good rho s M -> (forall l, In l (known_literals c) -> literal_in s l) -> (a < linears_in s)%N -> (u < linears_in s)%N ->
  meets rho s M (Covering.equal_terms c a u) (fun _ _ _ => (forall l, In l (known_literals c) -> literal_holds M l) -> vl M a = vl M u).
Proof.
  intros W G L Ia Iu. unfold Covering.equal_terms. destruct (N.eqb_spec a u) as [->|_]; [apply meets_ret; auto|].
  unfold equal. eapply meets_bind with (P := fun l s' M' => literal_in s' l /\ (literal_holds M' l -> vl M a = vl M u)).
  - eapply meets_bind; [apply difference_meets; exact G|]. intros d s1 M1 G1 K1 [Id Vd]. apply meets_ret; [exact G1|]. split; [exact Id|].
    unfold literal_holds. simpl. rewrite Vd. lia.
  - intros l s1 M1 G1 K1 [Il Hl]. assert (L1 : forall k, In k (known_literals c) -> literal_in s1 k) by (intros k J; apply (literal_kept _ _ _ _ k K1); auto).
    eapply meets_weaker; [apply entail_meets; auto|]. intros ? ? ? _ _ En H. apply Hl, En. intros k J. apply (literal_kept _ _ _ _ k K1); auto.
Qed.
Lemma equal_image_meets s M K v a t : good nu s M -> good mu s K -> known_right s M -> theta_right s M K (Covering.theta v) -> (a < linears_in s)%N -> (t < linears_in s)%N ->
  twice s M K (Covering.equal_to_image c v a t) (fun v' s' M' K' => (exists th, v' = Covering.with_theta v th) /\ theta_right s' M' K' (Covering.theta v') /\ (Q -> vl M a = vl K t)).
Proof.
  intros G G' Kn T Ia It. unfold Covering.equal_to_image. eapply twice_bind; [apply (linear_image_meets nu mu sorted sorted_too tabs Q); auto|]. intros [u th] s1 M1 K1 G1 H1 Km Kk [[_ [Iu Vu]] T1].
  assert (Ia1 : (a < linears_in s1)%N) by (pose proof (proj1 (keeps_linears _ _ _ _ Km)); lia). pose proof (known_kept _ _ _ _ Km Kn) as [L1 Ho1].
  eapply twice_bind; [apply twice_both; [apply (equal_meets nu); auto | apply (equal_meets mu s1 K1); auto]|]. intros ? s2 M2 K2 G2 H2 Km2 Kk2 [Eq _].
  apply twice_ret; auto. split; [eauto|]. split; [simpl; eapply theta_kept; eauto|].
  intros hq. rewrite <- (proj2 (keeps_linears _ _ _ _ Km) a Ia), <- (proj2 (keeps_linears _ _ _ _ Kk) t It), <- (Vu hq). apply Eq. exact (Ho1 hq).
Qed.

(** ** Slots *)

(** Of a template without parts a slot says no more than the member's; which object of the
    member an object of the template is. *)
Section Matched.
Variable mm : PositiveMap.t N.
Definition image_is (o' o : N) : Prop := PositiveMap.find (N.succ_pos o') mm = Some o.
Definition slot_covered (p : slot * slot) (s : state) (M K : model) : Prop := match snd p with
  | Forgotten => True
  | IntegerSlot t => (t < linears_in s)%N /\ exists a, fst p = IntegerSlot a /\ (a < linears_in s)%N /\ (Q -> vl M a = vl K t)
  | PointerSlot o' t b => (t < linears_in s)%N /\ exists o a, fst p = PointerSlot o a b /\ image_is o' o /\ (a < linears_in s)%N /\ (Q -> vl M a = vl K t)
  | Uninitialised => fst p = Uninitialised | NullSlot => fst p = NullSlot
  | _ => False end.
Lemma value_kept s M K s' M' K' a t : keeps s M s' M' -> keeps s K s' K' -> (a < linears_in s)%N -> (t < linears_in s)%N -> (Q -> vl M a = vl K t) -> (a < linears_in s')%N /\ (t < linears_in s')%N /\ (Q -> vl M' a = vl K' t).
Proof.
  intros Km Kk Ia It V. pose proof (proj1 (keeps_linears _ _ _ _ Km)). split; [lia|]. split; [lia|]. rewrite (proj2 (keeps_linears _ _ _ _ Km) a Ia), (proj2 (keeps_linears _ _ _ _ Kk) t It). exact V.
Qed.
Lemma covered_kept p s M K s' M' K' : keeps s M s' M' -> keeps s K s' K' -> slot_covered p s M K -> slot_covered p s' M' K'.
Proof.
  intros Km Kk. unfold slot_covered. destruct (snd p) as [| |t| |o' t b|f|f]; auto.
  - intros (It & a & Eq & Ia & V). destruct (value_kept _ _ _ _ _ _ _ _ Km Kk Ia It V) as (Ia' & It' & V'). split; [exact It'|]. exists a. auto.
  - intros (It & o & a & Eq & Im & Ia & V). destruct (value_kept _ _ _ _ _ _ _ _ Km Kk Ia It V) as (Ia' & It' & V'). split; [exact It'|]. exists o, a. auto.
Qed.
Definition plain_covering (v : Covering.covering) : Prop := given (Covering.roots_seen v) = 0%N /\ given (Covering.ends_seen v) = 0%N /\ Covering.matched v = mm.
Definition terms_there (s : state) (v : slot) : Prop := forall p, In p (slot_terms v) -> part_in s p.
Lemma there_kept s M s' M' v : keeps s M s' M' -> terms_there s v -> terms_there s' v.
Proof. intros Kp H p I. eapply part_in_kept; eauto. Qed.
Lemma agrees_nowhere x n w : given x = 0%N -> yields (Covering.agree_in x n w) (fun _ => False).
Proof. intros Z. unfold Covering.agree_in. rewrite Z. destruct n; apply yields_refuses. Qed.
Lemma other_covered v w t : plain_covering v -> yields (Covering.cover_other v w t) (fun _ => False).
Proof.
  intros (R & En & _). unfold Covering.cover_other, Covering.agree_root, Covering.agree_end.
  destruct w; try apply yields_refuses; destruct t; try apply yields_refuses; (eapply yields_bind; [apply agrees_nowhere; assumption | intros ? []]).
Qed.
(** What a covering keeps, and what is said of a part of it. *)
Notation covers_so x R := (fun v' s' M' K' => (plain_covering v' /\ theta_right s' M' K' (Covering.theta v')) /\ R x s' M' K').
Lemma slot_meets s M K v w t : good nu s M -> good mu s K -> known_right s M -> theta_right s M K (Covering.theta v) -> plain_covering v -> terms_there s w -> terms_there s t ->
  twice s M K (Covering.cover_slot c v w t) (covers_so (w, t) slot_covered).
Proof.
  intros G G' Kn T Pv Iw It.
  assert (Same : slot_covered (w, t) s M K -> twice s M K (ret v) (covers_so (w, t) slot_covered)) by (intros C; apply twice_ret; auto).
  assert (Other : twice s M K (Covering.cover_other v w t) (covers_so (w, t) slot_covered)) by (intros a s' H; destruct (other_covered v w t Pv _ _ _ H)).
  destruct t as [| |u| |o' i' b'|f|f]; cbn [Covering.cover_slot].
  - destruct w; apply Same; exact I.
  - destruct w; try exact Other. apply Same. reflexivity.
  - destruct w as [| |a| |o i b|g|g]; try exact Other. pose proof (Iw (LinearPart a) (or_introl eq_refl)) as Ia. pose proof (It (LinearPart u) (or_introl eq_refl)) as Iu. simpl in Ia, Iu.
    eapply twice_weaker; [apply equal_image_meets; auto|]. intros v' s' M' K' _ _ Km Kk ((th & ->) & T' & V). split; [split; [exact Pv | exact T']|].
    eapply covered_kept; [exact Km | exact Kk|]. split; [exact Iu|]. exists a. auto.
  - destruct w; try exact Other. apply Same. reflexivity.
  - destruct w as [| |a| |o i b|g|g]; try exact Other. unfold Covering.cover_slot, Covering.pointer_matches. rewrite (proj2 (proj2 Pv)).
    destruct (PositiveMap.find (N.succ_pos o') mm) as [p|] eqn:Fm; [|apply twice_refuses]. destruct (N.eqb_spec p o) as [->|]; [|apply twice_refuses]. destruct (N.eqb_spec b b') as [->|]; [|apply twice_refuses]. cbn [andb].
    pose proof (Iw (LinearPart i) (or_introl eq_refl)) as Ia. pose proof (It (LinearPart i') (or_introl eq_refl)) as Iu. simpl in Ia, Iu.
    eapply twice_weaker; [apply equal_image_meets; auto|]. intros v' s' M' K' _ _ Km Kk ((th & ->) & T' & V). split; [split; [exact Pv | exact T']|].
    eapply covered_kept; [exact Km | exact Kk|]. split; [exact Iu|]. exists o, i. auto.
  - destruct w; exact Other.
  - destruct w; exact Other.
Qed.
Lemma slots_meets s M K v ps : good nu s M -> good mu s K -> known_right s M -> theta_right s M K (Covering.theta v) -> plain_covering v ->
  (forall w t, In (w, t) ps -> terms_there s w /\ terms_there s t) ->
  twice s M K (Covering.cover_slots c v ps) (covers_so ps (fun ps s' M' K' => forall p, In p ps -> slot_covered p s' M' K')).
Proof.
  intros G G' Kn T Pv There. unfold Covering.cover_slots.
  eapply twice_weaker; [apply (twice_folded (fun v '(w, t) => Covering.cover_slot c v w t)
    (fun v s M K => (forall w t, In (w, t) ps -> terms_there s w /\ terms_there s t) /\ known_right s M /\ plain_covering v /\ theta_right s M K (Covering.theta v)) slot_covered)|].
  - intros; eapply covered_kept; eauto.
  - intros b [w t] s1 M1 K1 I G1 H1 (Th & Kn1 & Pb & Tb). destruct (Th w t I) as [Tw Tt]. eapply twice_weaker; [apply slot_meets; eauto|].
    intros b' s2 M2 K2 _ _ Km Kk ((Pb' & Tb') & Cv). split; [|exact Cv]. split; [intros x y J; destruct (Th x y J); split; eapply there_kept; eauto|].
    split; [eapply known_kept; eauto | auto].
  - exact G.
  - exact G'.
  - auto.
  - intros v' s' M' K' _ _ _ _ ((_ & _ & P' & T') & R1). auto.
Qed.

(** ** Objects *)

Lemma arrays_meets rho fuel : Terms.well_sorted rho -> forall s M a b, good rho s M -> (forall l, In l (known_literals c) -> literal_in s l) -> (a < arrays_in s)%N -> (b < arrays_in s)%N ->
  meets rho s M (Covering.equal_arrays c fuel a b) (fun _ _ _ => (forall l, In l (known_literals c) -> literal_holds M l) -> forall j, vr M a j = vr M b j).
Proof.
  intros W. induction fuel as [|fuel IH]; intros s M a b G L Ia Ib; cbn [Covering.equal_arrays]; (destruct (N.eqb_spec a b) as [->|_]; [apply meets_ret; auto|]);
    (eapply meets_peek; [apply (array_peek rho tabs s M a G)|]; intros x (_ & Px & Vx); eapply meets_peek; [apply (array_peek rho tabs s M b G)|]; intros y (_ & Py & Vy));
    destruct x as [T x|a' i v|v|t]; destruct y as [U y|b' j w|w|u]; try apply meets_refuses.
  - pose proof (Px (LinearPart v) (or_introl eq_refl)) as Iv. pose proof (Py (LinearPart w) (or_introl eq_refl)) as Iw. eapply meets_weaker; [apply equal_meets; auto|]. intros ? ? ? _ _ H Ho k. rewrite Vx, Vy. simpl. auto.
  - pose proof (Px (ArrayPart a') (or_introl eq_refl)) as Ia'. pose proof (Px (LinearPart i) (or_intror (or_introl eq_refl))) as Ii. pose proof (Px (LinearPart v) (or_intror (or_intror (or_introl eq_refl)))) as Iv.
    pose proof (Py (ArrayPart b') (or_introl eq_refl)) as Ib'. pose proof (Py (LinearPart j) (or_intror (or_introl eq_refl))) as Ij. pose proof (Py (LinearPart w) (or_intror (or_intror (or_introl eq_refl)))) as Iw. simpl in Ia', Ii, Iv, Ib', Ij, Iw.
    eapply meets_bind; [apply equal_meets; auto|]. intros ? s1 M1 G1 K1 E1. cbn beta in E1. pose proof (keeps_linears _ _ _ _ K1) as [L1 S1].
    assert (Kn1 : forall l, In l (known_literals c) -> literal_in s1 l) by (intros l I; apply (literal_kept _ _ _ _ l K1); auto).
    eapply meets_bind; [apply (equal_meets rho s1 M1); auto; lia|]. intros ? s2 M2 G2 K2 E2. cbn beta in E2.
    assert (Kn2 : forall l, In l (known_literals c) -> literal_in s2 l) by (intros l I; apply (literal_kept _ _ _ _ l K2); auto). pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K12. pose proof (keeps_arrays _ _ _ _ K12) as [L2 S2].
    eapply meets_weaker; [apply IH; auto; lia|]. intros ? ? ? _ _ E3 Ho k.
    assert (Ho1 : forall l, In l (known_literals c) -> literal_holds M1 l) by (intros l I; apply (literal_kept _ _ _ _ l K1); auto). assert (Ho2 : forall l, In l (known_literals c) -> literal_holds M2 l) by (intros l I; apply (literal_kept _ _ _ _ l K12); auto).
    rewrite Vx, Vy. simpl. specialize (E1 Ho). specialize (E2 Ho1). specialize (E3 Ho2 k). rewrite !S1 in E2 by auto. rewrite !S2 in E3 by auto. rewrite E1, E2, E3. reflexivity.
  - pose proof (Px (LinearPart v) (or_introl eq_refl)) as Iv. pose proof (Py (LinearPart w) (or_introl eq_refl)) as Iw. eapply meets_weaker; [apply equal_meets; auto|]. intros ? ? ? _ _ H Ho k. rewrite Vx, Vy. simpl. auto.
Qed.
(** As many cells, and the same rest; or all elements have cells. *)
Definition field_covered (x : object_state) (p : field_state * field_state) (s : state) (M K : model) : Prop :=
  (forall q, In q (List.combine (cells (fst p)) (cells (snd p))) -> slot_covered q s M K) /\
  (length (cells (fst p)) = length (cells (snd p)) /\ match rest (fst p), rest (snd p) with
     | Some a, Some b => (a < arrays_in s)%N /\ (b < arrays_in s)%N /\ (Q -> forall j, vr M a j = vr K b j) | None, None => True | _, _ => False end \/
   (length (cells (fst p)) <= length (cells (snd p)))%nat /\ (lower x < linears_in s)%N /\ (upper x < linears_in s)%N /\ 0 <= vl M (lower x) /\ vl M (upper x) <= Z.of_nat (length (cells (fst p)))).
Lemma field_kept x p s M K s' M' K' : keeps s M s' M' -> keeps s K s' K' -> field_covered x p s M K -> field_covered x p s' M' K'.
Proof.
  intros Km Kk [Cs H]. split; [intros q I; eapply covered_kept; eauto|]. destruct H as [[L H]|(L & Il & Iu & H)]; [left; split; [exact L|] | right].
  - destruct (rest (fst p)) as [a|], (rest (snd p)) as [b|]; auto. destruct H as (Ia & Ib & V). pose proof (proj1 (keeps_arrays _ _ _ _ Km)). split; [lia|]. split; [lia|].
    intros hq j. rewrite (proj2 (keeps_arrays _ _ _ _ Km) a Ia), (proj2 (keeps_arrays _ _ _ _ Kk) b Ib). auto.
  - pose proof (proj1 (keeps_linears _ _ _ _ Km)). split; [exact L|]. split; [lia|]. split; [lia|]. rewrite !(proj2 (keeps_linears _ _ _ _ Km)) by assumption. exact H.
Qed.
Definition parts_there (s : state) (ps : list part) : Prop := forall p, In p ps -> part_in s p.
Lemma parts_kept s M s' M' ps : keeps s M s' M' -> parts_there s ps -> parts_there s' ps.
Proof. intros K H p I. eapply part_in_kept; eauto. Qed.
Lemma field_meets x s M K v f t : good nu s M -> good mu s K -> known_right s M -> theta_right s M K (Covering.theta v) -> plain_covering v -> parts_there s (LinearPart (lower x) :: LinearPart (upper x) :: field_terms f ++ field_terms t) ->
  twice s M K (Covering.cover_field c x v (f, t)) (covers_so (f, t) (field_covered x)).
Proof.
  intros G G' Kn T Pv Th. assert (Tf : parts_there s (field_terms f)) by (intros p I; apply Th; right; right; apply in_or_app; auto). assert (Tt : parts_there s (field_terms t)) by (intros p I; apply Th; right; right; apply in_or_app; auto).
  pose proof (Th (LinearPart (lower x)) (or_introl eq_refl)) as Ilo. pose proof (Th (LinearPart (upper x)) (or_intror (or_introl eq_refl))) as Iup. simpl in Ilo, Iup.
  unfold Covering.cover_field. eapply twice_peek; [apply (all_peek nu tabs s M x f G)|]. intros all All.
  eapply twice_peek with (P := fun _ => (length (cells f) = length (cells t) /\ match rest f, rest t with Some _, Some _ | None, None => True | _, _ => False end) \/ ((length (cells f) <= length (cells t))%nat /\ all = true)).
  { apply peeks_demand. intros D. apply orb_prop in D as [D|D]; apply andb_prop in D as [D D'].
    - left. apply N.eqb_eq in D. rewrite !Templates.count_length in D. split; [lia|]. unfold has_no_rest in D'. destruct (rest f), (rest t); simpl in D'; auto; discriminate.
    - right. apply andb_prop in D as [D _]. apply N.leb_le in D. rewrite !Templates.count_length in D. split; [lia | exact D']. }
  intros shaped Sh. cbn beta in Sh. eapply twice_bind; [apply slots_meets; auto|].
  { intros w u I. pose proof (in_combine_l _ _ _ _ I) as Iw. pose proof (in_combine_r _ _ _ _ I) as Iu.
    split; intros p J; [apply Tf | apply Tt]; unfold field_terms; apply in_or_app; left; apply in_flat_map; eauto. }
  intros v1 s1 M1 K1 G1 H1 Km Kk ((Pv1 & T1) & Cs). pose proof (known_kept _ _ _ _ Km Kn) as [L1 Ho1].
  assert (Longer : forall s2 M2, keeps s1 M1 s2 M2 -> (length (cells f) <= length (cells t))%nat -> all = true -> (length (cells f) <= length (cells t))%nat /\ (lower x < linears_in s2)%N /\ (upper x < linears_in s2)%N /\ 0 <= vl M2 (lower x) /\ vl M2 (upper x) <= Z.of_nat (length (cells f))).
  { intros s2 M2 K2 L A. pose proof (keeps_linears _ _ _ _ (keeps_trans _ _ _ _ _ _ Km K2)) as [Le V]. split; [exact L|]. split; [lia|]. split; [lia|]. rewrite !V by assumption. exact (All A). }
  destruct (rest f) as [a|] eqn:Rf; [destruct (rest t) as [b|] eqn:Rt|].
  - assert (Ia : (a < arrays_in s)%N) by (apply (Tf (ArrayPart a)); unfold field_terms; rewrite Rf; apply in_or_app; right; left; reflexivity).
    assert (Ib : (b < arrays_in s)%N) by (apply (Tt (ArrayPart b)); unfold field_terms; rewrite Rt; apply in_or_app; right; left; reflexivity).
    unfold Covering.array_image. eapply twice_bind; [apply (image_meets nu mu sorted sorted_too tabs Q _ s1 M1 K1 (Covering.theta v1) (ArrayPart b)); auto|]. intros [b' th] s2 M2 K2 G2 H2 Km2 Kk2 [[_ [Ib' Vb]] T2].
    eapply twice_bind with (P := fun _ s' M' K' => s' = s2 /\ M' = M2 /\ K' = K2); [intros n s' [= <- <-]; exists M2, K2; auto 10 using keeps_refl|]. intros n ? ? ? _ _ _ _ (-> & -> & ->).
    pose proof (keeps_trans _ _ _ _ _ _ Km Km2) as Km02. pose proof (keeps_trans _ _ _ _ _ _ Kk Kk2) as Kk02. pose proof (known_kept _ _ _ _ Km02 Kn) as [L2 Ho2]. pose proof (keeps_arrays _ _ _ _ Km02) as [La Va].
    eapply twice_bind; [apply twice_both; [apply (arrays_meets nu (N.to_nat n) sorted s2 M2 a b'); auto; lia | apply (arrays_meets mu (N.to_nat n) sorted_too s2 K2 a b'); auto; lia]|]. intros ? s3 M3 K3 G3 H3 Km3 Kk3 [Eq _].
    apply twice_ret; auto. split; [split; [exact Pv1 | simpl; eapply theta_kept; eauto]|]. pose proof (keeps_trans _ _ _ _ _ _ Km02 Km3) as Km03. pose proof (keeps_trans _ _ _ _ _ _ Kk02 Kk3) as Kk03. pose proof (keeps_arrays _ _ _ _ Km03) as [La3 Va3]. pose proof (keeps_arrays _ _ _ _ Kk03) as [_ Vb3].
    split; [intros q I; eapply covered_kept; [exact (keeps_trans _ _ _ _ _ _ Km2 Km3) | exact (keeps_trans _ _ _ _ _ _ Kk2 Kk3) | apply Cs; exact I]|]. cbn [fst snd]. rewrite Rf, Rt. destruct Sh as [[L _]|[L A]].
    + left. split; [exact L|]. split; [lia|]. split; [lia|]. intros hq j. rewrite Va3, Vb3 by assumption. rewrite <- (Va a Ia j), (Eq (Ho2 hq) j), (Vb hq j). apply (proj2 (keeps_arrays _ _ _ _ Kk02)). exact Ib.
    + right. exact (Longer s3 M3 (keeps_trans _ _ _ _ _ _ Km2 Km3) L A).
  - apply twice_ret; auto. split; [auto|]. split; [exact Cs|]. cbn [fst snd]. rewrite Rf, Rt. destruct Sh as [[_ []]|[L A]]. right. exact (Longer s1 M1 (keeps_refl _ _) L A).
  - apply twice_ret; auto. split; [auto|]. split; [exact Cs|]. cbn [fst snd]. rewrite Rf. destruct Sh as [[L R]|[L A]]; [left; auto | right; exact (Longer s1 M1 (keeps_refl _ _) L A)].
Qed.
(** Objects of one declaration and life, with the same bounds, field by field. *)
Record object_covered (p : object_state * object_state) (s : state) (M K : model) : Prop := {
  object_declared : declaration (fst p) = declaration (snd p);
  object_lives : life_of (fst p) = life_of (snd p);
  object_begins : (lower (fst p) < linears_in s)%N /\ (lower (snd p) < linears_in s)%N /\ (Q -> vl M (lower (fst p)) = vl K (lower (snd p)));
  object_ends : (upper (fst p) < linears_in s)%N /\ (upper (snd p) < linears_in s)%N /\ (Q -> vl M (upper (fst p)) = vl K (upper (snd p)));
  object_fields : forall q, In q (List.combine (field_states (fst p)) (field_states (snd p))) -> field_covered (fst p) q s M K }.
Lemma object_kept p s M K s' M' K' : keeps s M s' M' -> keeps s K s' K' -> object_covered p s M K -> object_covered p s' M' K'.
Proof.
  intros Km Kk [A B (C1 & C2 & C3) (D1 & D2 & D3) F]. split; auto; [eapply value_kept; eauto | eapply value_kept; eauto | intros q I; eapply field_kept; eauto].
Qed.
Lemma object_meets s M K v x t : good nu s M -> good mu s K -> known_right s M -> theta_right s M K (Covering.theta v) -> plain_covering v -> parts_there s (object_terms x ++ object_terms t) ->
  twice s M K (Covering.cover_object c v (x, t)) (covers_so (x, t) object_covered).
Proof.
  intros G G' Kn T Pv Th. unfold Covering.cover_object. assert (Tx : parts_there s (object_terms x)) by (intros p I; apply Th, in_or_app; auto). assert (Tt : parts_there s (object_terms t)) by (intros p I; apply Th, in_or_app; auto).
  pose proof (Tx _ (or_introl eq_refl)) as Ilx. pose proof (Tx _ (or_intror (or_introl eq_refl))) as Iux. pose proof (Tt _ (or_introl eq_refl)) as Ilt. pose proof (Tt _ (or_intror (or_introl eq_refl))) as Iut. simpl in Ilx, Iux, Ilt, Iut.
  eapply twice_peek with (P := fun _ => declaration x = declaration t /\ life_of x = life_of t).
  { apply peeks_demand. intros D. apply andb_prop in D as [D L]. apply N.eqb_eq in D. split; [exact D|]. destruct (life_of x), (life_of t); simpl in L; auto; discriminate. }
  intros ? [Ed El]. cbn beta in Ed, El.
  eapply twice_bind; [apply (equal_image_meets s M K v (lower x) (lower t)); auto|]. intros v1 s1 M1 K1 G1 H1 Km1 Kk1 ((th1 & ->) & T1 & V1). pose proof (known_kept _ _ _ _ Km1 Kn) as Kn1.
  pose proof (proj1 (keeps_linears _ _ _ _ Km1)) as Le1.
  eapply twice_bind; [apply (equal_image_meets s1 M1 K1 _ (upper x) (upper t)); auto; lia|]. intros v2 s2 M2 K2 G2 H2 Km2 Kk2 ((th2 & ->) & T2 & V2). pose proof (known_kept _ _ _ _ Km2 Kn1) as Kn2.
  pose proof (keeps_trans _ _ _ _ _ _ Km1 Km2) as Km02. pose proof (keeps_trans _ _ _ _ _ _ Kk1 Kk2) as Kk02.
  set (ps := List.combine (field_states x) (field_states t)).
  assert (Pth : forall q, In q ps -> parts_there s2 (LinearPart (lower x) :: LinearPart (upper x) :: field_terms (fst q) ++ field_terms (snd q))).
  { intros [f g] I p J. pose proof (in_combine_l _ _ _ _ I) as If. pose proof (in_combine_r _ _ _ _ I) as Ig. apply (parts_kept s M s2 M2 _ Km02 Th). unfold object_terms. cbn [fst snd] in J.
    destruct J as [<-|[<-|J]]; [left; reflexivity | right; left; reflexivity|]. apply in_app_or in J as [J|J].
    - right. right. apply in_or_app. left. apply in_flat_map. eauto.
    - apply in_or_app. right. right. right. apply in_flat_map. eauto. }
  eapply twice_weaker; [apply (twice_folded (Covering.cover_field c x)
    (fun v s M K => (forall q, In q ps -> parts_there s (LinearPart (lower x) :: LinearPart (upper x) :: field_terms (fst q) ++ field_terms (snd q))) /\ known_right s M /\ plain_covering v /\ theta_right s M K (Covering.theta v)) (field_covered x)) with (l := ps)|].
  - intros; eapply field_kept; eauto.
  - intros b [f g] s3 M3 K3 I G3 H3 (Th3 & Kn3 & Pb & Tb). eapply twice_weaker; [apply field_meets; auto; exact (Th3 (f, g) I)|].
    intros b' s4 M4 K4 _ _ Km Kk ((Pb' & Tb') & Cv). split; [|exact Cv]. split; [intros q J; eapply parts_kept; eauto|]. split; [eapply known_kept; eauto | auto].
  - exact G2.
  - exact H2.
  - split; [exact Pth|]. split; [exact Kn2|]. split; [exact Pv | exact T2].
  - intros v3 s3 M3 K3 _ _ Km Kk ((_ & _ & P3 & T3) & F). split; [auto|]. pose proof (keeps_trans _ _ _ _ _ _ Km02 Km) as Km03. pose proof (keeps_trans _ _ _ _ _ _ Kk02 Kk) as Kk03.
    split; auto; cbn [fst snd]; [destruct (value_kept s M K s3 M3 K3 (lower x) (lower t) Km03 Kk03 Ilx Ilt V1) as (A1 & A2 & A3); auto|].
    assert (V2' : Q -> vl M (upper x) = vl K (upper t)) by (intros hq; specialize (V2 hq); rewrite (proj2 (keeps_linears _ _ _ _ Km1)), (proj2 (keeps_linears _ _ _ _ Kk1)) in V2 by assumption; exact V2).
    destruct (value_kept s M K s3 M3 K3 (upper x) (upper t) Km03 Kk03 Iux Iut V2') as (A1 & A2 & A3); auto.
Qed.
End Matched.

(** ** Which object is which *)

Lemma find_clear {X} (x : numbered X) n k : find (clear x n) k = if (k =? n)%N then None else find x k.
Proof.
  unfold find, clear. cbn [present_entries]. destruct (N.eqb_spec k n) as [->|D]; [apply PositiveMap.grs|]. apply PositiveMap.gro. intros H. apply key_of_n_injective in H. auto.
Qed.
(** What has been matched: objects of the template beside those of the member, each once. *)
Record is_matched (objects : numbered object_state) (v : Covering.covering) (pairs : list (object_state * object_state)) : Prop := {
  matched_here : forall x t, In (x, t) pairs -> exists o, image_is (Covering.matched v) (named t) o /\ find objects o = Some x /\ find (Covering.free_objects v) o = None;
  matched_there : forall o' o, image_is (Covering.matched v) o' o -> exists x t, In (x, t) pairs /\ named t = o';
  matched_once : forall o1 o2 o, image_is (Covering.matched v) o1 o -> image_is (Covering.matched v) o2 o -> o1 = o2;
  matched_free : forall o x, find (Covering.free_objects v) o = Some x -> find objects o = Some x }.
Lemma match_peek s objects v pairs t image : is_matched objects v pairs -> (forall x u, In (x, u) pairs -> named u <> named t) -> peeks s (Covering.match_object (v, pairs) (t, image)) (fun r =>
  is_matched objects (fst r) (snd r) /\ (exists x, snd r = pairs ++ [(x, t)]) /\ Covering.theta (fst r) = Covering.theta v /\ Covering.roots_seen (fst r) = Covering.roots_seen v /\ Covering.ends_seen (fst r) = Covering.ends_seen v).
Proof.
  intros [A B C D] New. unfold Covering.match_object, Covering.take_object. cbn [Covering.with_matched Covering.free_objects].
  eapply peeks_bind with (P := fun r => exists x, find (Covering.free_objects v) image = Some x /\ fst r = x /\ snd r = Covering.with_free (Covering.with_matched v (PositiveMap.add (N.succ_pos (named t)) image (Covering.matched v))) (clear (Covering.free_objects v) image) (Covering.free_parts v)).
  { eapply peeks_bind; [apply (peeks_some s _ _ (fun x => find (Covering.free_objects v) image = Some x)); auto|]. intros x F. apply peeks_ret. exists x. auto. }
  intros [x v'] (y & F & E1 & E2). cbn [fst snd] in E1, E2. subst y v'. apply peeks_ret. cbn [fst snd]. split; [|split; [eauto|]; split; [reflexivity|]; split; reflexivity].
  assert (Find : forall o' o, image_is (PositiveMap.add (N.succ_pos (named t)) image (Covering.matched v)) o' o <-> (o' = named t /\ o = image) \/ (o' <> named t /\ image_is (Covering.matched v) o' o)).
  { intros o' o. unfold image_is. destruct (N.eq_dec o' (named t)) as [->|Ne].
    - rewrite PositiveMap.gss. split; [intros [= <-]; auto | intros [[_ ->]|[H _]]; [reflexivity | congruence]].
    - rewrite PositiveMap.gso by (intros H; apply key_of_n_injective in H; auto). split; [auto | intros [[H _]|[_ H]]; [congruence | exact H]]. }
  assert (Away : forall o', image_is (Covering.matched v) o' image -> False).
  { intros o' I. destruct (B o' image I) as (z & u & Iz & <-). destruct (A z u Iz) as (o & Im & _ & Fn). unfold image_is in *. rewrite I in Im. injection Im as <-. congruence. }
  split; cbn [Covering.with_free Covering.with_matched Covering.matched Covering.free_objects].
  - intros z u I. apply in_app_or in I as [I|[[= <- <-]|[]]].
    + destruct (A z u I) as (o & Im & Fo & Fn). exists o. split; [apply Find; right; split; [exact (New z u I) | exact Im]|]. split; [exact Fo|]. rewrite find_clear. destruct (o =? image)%N; [reflexivity | exact Fn].
    + exists image. split; [apply Find; auto|]. split; [exact (D _ _ F)|]. rewrite find_clear, N.eqb_refl. reflexivity.
  - intros o' o I. apply Find in I as [[-> ->]|[_ I]]; [exists x, t; split; [apply in_or_app; right; left; reflexivity | reflexivity]|]. destruct (B o' o I) as (z & u & Iz & E1). exists z, u. split; [apply in_or_app; auto | exact E1].
  - intros o1 o2 o I1 I2. apply Find in I1, I2. destruct I1 as [[-> ->]|[_ I1]], I2 as [[-> E2]|[_ I2]]; auto; [destruct (Away _ I2) | subst o; destruct (Away _ I1) | eauto].
  - intros o z Fz. rewrite find_clear in Fz. destruct (o =? image)%N; [discriminate | eauto].
Qed.
Lemma matches_peek s objects : forall ts images_ v pairs, is_matched objects v pairs -> length images_ = length ts -> NoDup (List.map named ts) -> (forall x u t, In (x, u) pairs -> In t ts -> named u <> named t) ->
  peeks s (folded_left Covering.match_object (List.combine ts images_) (v, pairs)) (fun r => is_matched objects (fst r) (snd r) /\ List.map snd (snd r) = List.map snd pairs ++ ts /\ Covering.theta (fst r) = Covering.theta v /\
    Covering.roots_seen (fst r) = Covering.roots_seen v /\ Covering.ends_seen (fst r) = Covering.ends_seen v).
Proof.
  induction ts as [|t ts IH]; intros [|i is_] v pairs Ma Le Nd Ap; try discriminate; cbn [List.combine folded_left]; [apply peeks_ret; cbn [fst snd]; rewrite app_nil_r; auto|].
  cbn [List.map] in Nd. inversion_clear Nd as [|? ? Nt Nd']. eapply peeks_bind; [apply match_peek; [exact Ma | intros x u I; apply (Ap x u t I); left; reflexivity]|].
  intros [v1 p1] (Ma1 & (x & E1) & Th & Ro & En). cbn [fst snd] in *. subst p1. injection Le as Le. eapply peeks_weaker; [apply (IH is_ v1 (pairs ++ [(x, t)])); auto|].
  - intros z u w I J. apply in_app_or in I as [I|[[= <- <-]|[]]]; [apply (Ap z u w I); right; exact J|]. intros E2. apply Nt. rewrite E2. apply in_map. exact J.
  - intros r (A & B & C & D & F). split; [exact A|]. split; [rewrite B, map_app, <- app_assoc; reflexivity|]. split; [congruence|]. split; congruence.
Qed.

(** ** Members *)

(** A member of a template without parts, beside the one that it covers. *)
Record covered_by mm (p : member_state * member_state) (s : state) (M K : model) : Prop := {
  covered_count : slot_covered mm (consumed_of (fst p), consumed_of (snd p)) s M K;
  covered_slots : forall r w t, find (held (fst p)) r = Some w -> find (held (snd p)) r = Some t -> slot_covered mm (w, t) s M K;
  covered_objects : forall o' t, find (objects_held (snd p)) o' = Some t -> exists o x, image_is mm o' o /\ find (objects_held (fst p)) o = Some x /\ object_covered mm (x, t) s M K;
  covered_names : forall o' o, image_is mm o' o -> exists t, find (objects_held (snd p)) o' = Some t;
  covered_once : forall o1 o2 o, image_is mm o1 o -> image_is mm o2 o -> o1 = o2 }.
Record member_covered (p : member_state * member_state) (s : state) (M K : model) : Prop := {
  covered_at : place_of (fst p) = place_of (snd p);
  covered_size : Covering.size_at_most (size_of (fst p)) (size_of (snd p)) = true;
  covered_so : exists mm, covered_by mm p s M K }.
Lemma member_kept p s M K s' M' K' : keeps s M s' M' -> keeps s K s' K' -> member_covered p s M K -> member_covered p s' M' K'.
Proof.
  intros Km Kk [A B (mm & [C D Ob N O])]. split; auto. exists mm. split; auto; [eapply covered_kept; eauto | intros r w t F F'; eapply covered_kept; eauto|].
  intros o' t F. destruct (Ob o' t F) as (o & x & I & Fx & Cv). exists o, x. split; [exact I|]. split; [exact Fx | eapply object_kept; eauto].
Qed.
(** Its terms are there, and its tables right. *)
Definition member_there (s : state) (m : member_state) : Prop := tables_right m /\ parts_there s (member_terms m).
Lemma member_there_kept s M s' M' m : keeps s M s' M' -> member_there s m -> member_there s' m.
Proof. intros Kp [A B]. split; [exact A | eapply parts_kept; eauto]. Qed.
Lemma slots_there s m : member_there s m -> terms_there s (consumed_of m) /\ forall r v, find (held m) r = Some v -> terms_there s v.
Proof.
  intros [[Rn _ _] T]. split; [intros p J; apply T; unfold member_terms; apply in_or_app; left; exact J|]. intros r v F p J. apply T. unfold member_terms. apply in_or_app. right. apply in_or_app. left.
  unfold entry_terms. apply in_flat_map. exists (r, v). split; [apply in_order_in; split; [exact (Rn r v F) | exact F] | exact J].
Qed.
Lemma objects_there s m o x : member_there s m -> find (objects_held m) o = Some x -> parts_there s (object_terms x).
Proof.
  intros [[_ Ro _] T] F p J. apply T. unfold member_terms. apply in_or_app. right. apply in_or_app. right. apply in_or_app. left.
  unfold entry_terms. apply in_flat_map. exists (o, x). split; [apply in_order_in; split; [exact (Ro o x F) | exact F] | exact J].
Qed.
Lemma targets_are t : tables_right t -> NoDup (List.map named (List.map snd (in_order (objects_held t)))) /\ forall x, In x (List.map snd (in_order (objects_held t))) <-> exists o, find (objects_held t) o = Some x.
Proof.
  intros [_ Ro Rb]. split.
  - rewrite map_map. unfold in_order. assert (H : forall l, NoDup l -> NoDup (List.map (fun p => named (snd p)) (flat_map (fun n => match find (objects_held t) n with Some a => [(n, a)] | None => [] end) l)) /\
      forall y, In y (List.map (fun p => named (snd p)) (flat_map (fun n => match find (objects_held t) n with Some a => [(n, a)] | None => [] end) l)) -> In y l).
    { induction l as [|n l IH]; intros Nd; [split; [constructor | intros ? []]|]. inversion_clear Nd as [|? ? Nn Nl]. destruct (IH Nl) as [A B]. cbn [flat_map]. destruct (find (objects_held t) n) as [a|] eqn:F; cbn [app List.map snd].
      - rewrite (Rb n a F). split; [constructor; [intros I; apply Nn, B; exact I | exact A] | intros y [<-|I]; [left; reflexivity | right; auto]].
      - split; [exact A | intros y I; right; auto]. }
    apply H. unfold numbers_of. generalize (N.to_nat (given (objects_held t))) 0%N. induction n as [|n IH]; intros k; cbn [numbers_from]; constructor; [|apply IH]. intros I. apply Carried.numbers_from_in in I. lia.
  - intros x. rewrite in_map_iff. split; [intros ([o y] & <- & I); apply in_order_in in I as [_ F]; eauto | intros (o & F); exists (o, x); split; [reflexivity | apply in_order_in; split; [exact (Ro o x F) | exact F]]].
Qed.

Lemma whole_pairs (m t : member_state) : whole_member E m -> whole_member E t -> let ps := List.combine (List.map snd (in_order (held m))) (List.map snd (in_order (held t))) in
  (forall w v, In (w, v) ps -> exists r, find (held m) r = Some w /\ find (held t) r = Some v) /\
  (forall r w v, find (held m) r = Some w -> find (held t) r = Some v -> In (w, v) ps).
Proof.
  intros [Dm Gm] [Dt Gt]. assert (Len : forall x : numbered slot, dense x -> List.map Some (List.map snd (in_order x)) = List.map (find x) (numbers_of x)).
  { intros x D. unfold in_order. rewrite <- (app_nil_r (numbers_of x)) at 2. assert (H : forall l, (forall n, In n l -> find x n <> None) ->
      List.map Some (List.map snd (flat_map (fun n => match find x n with Some a => [(n, a)] | None => [] end) l)) = List.map (find x) l).
    { induction l as [|n l IH]; intros F; [reflexivity|]. cbn [flat_map List.map]. pose proof (F n (or_introl eq_refl)) as Fn. destruct (find x n) as [a|]; [|congruence].
      cbn [app List.map snd]. rewrite IH; [reflexivity | intros k J; apply F; right; exact J]. }
    rewrite app_nil_r. apply H. intros n I. apply Carried.numbers_of_in in I. apply D. exact I. }
  assert (Pairs : List.map (fun p => (Some (fst p), Some (snd p))) (List.combine (List.map snd (in_order (held m))) (List.map snd (in_order (held t)))) =
    List.map (fun r => (find (held m) r, find (held t) r)) (numbers_of (held m))).
  { pose proof (Len _ Dm) as A. pose proof (Len _ Dt) as B. unfold numbers_of in B. rewrite Gt, <- Gm in B. fold (numbers_of (held m)) in B. revert A B.
    generalize (numbers_of (held m)) (List.map snd (in_order (held m))) (List.map snd (in_order (held t))).
    induction l as [|n l IH]; intros [|a k] [|b h] A B; try discriminate; [reflexivity|]. cbn [List.map List.combine fst snd] in *. injection A as A0 A. injection B as B0 B.
    rewrite A0, B0. f_equal. apply IH; auto. }
  cbv zeta. split.
  - intros w v I. apply (in_map (fun p => (Some (fst p), Some (snd p)))) in I. rewrite Pairs in I. apply in_map_iff in I as (r & [= A B] & _). exists r. auto.
  - intros r w v F F'. assert (I : In r (numbers_of (held m))) by (apply Carried.numbers_of_in; apply Dm; congruence).
    apply (in_map (fun r => (find (held m) r, find (held t) r))) in I. rewrite <- Pairs, F, F' in I. apply in_map_iff in I as ([a b] & [= <- <-] & I). exact I.
Qed.
Lemma member_meets d mt s M K th seen m t images_ : good nu s M -> good mu s K -> known_right s M -> theta_right s M K th -> plain_member t = true ->
  whole_member E m -> whole_member E t -> member_there s m -> member_there s t ->
  twice s M K (Covering.cover_member E c d mt (th, seen) (m, t, images_)) (fun st s' M' K' => theta_right s' M' K' (fst st) /\ member_covered (m, t) s' M' K').
Proof.
  intros G G' Kn T Pl Wm Wt Thm Tht. unfold plain_member in Pl. apply N.eqb_eq in Pl. destruct (slots_there s m Thm) as [Cm Hm]. destruct (slots_there s t Tht) as [Ct Ht].
  assert (Ps : in_order (parts_held t) = []) by (unfold in_order, numbers_of; rewrite Pl; reflexivity). destruct (targets_are t (proj1 Tht)) as [Nt Tt].
  unfold Covering.cover_member. rewrite Ps.
  eapply twice_peek; [apply (peeks_demand s _ _ (fun _ => place_of m = place_of t /\ Covering.size_at_most (size_of m) (size_of t) = true)); intros A; apply andb_prop in A as [A B]; split; [apply place_eqb_is; exact A | exact B]|].
  intros ? [Pe Se]. cbn beta in Pe, Se. set (ts := List.map snd (in_order (objects_held t))) in *. eapply twice_peek; [apply (peeks_demand s _ _ (fun _ => length images_ = length ts)); intros L; apply N.eqb_eq in L; rewrite !Templates.count_length in L; lia|]. intros ? Le. cbn beta in Le.
  match goal with |- context [folded_left Covering.match_object _ (?v0, [])] => set (start := v0) end.
  eapply twice_peek; [apply (matches_peek s (objects_held m) ts images_ start []); [split; [intros ? ? [] | | |]; unfold start, image_is; cbn [Covering.matched Covering.free_objects]; intros; try (rewrite PositiveMap.gempty in *; discriminate); auto | exact Le | exact Nt | intros ? ? ? []]|].
  intros [v pairs] (Ma & Ep & Ev & Ro & En). cbn [fst snd app List.map] in *. set (mm := Covering.matched v).
  assert (Pv : plain_covering mm v) by (split; [rewrite Ro; exact Pl|]; split; [rewrite En; exact Pl | reflexivity]). assert (Tv : theta_right s M K (Covering.theta v)) by (rewrite Ev; exact T).
  eapply twice_bind; [apply (slot_meets mm); eauto|]. intros v1 s1 M1 K1 G1 H1 Km1 Kk1 ((Pv1 & Tv1) & C1). pose proof (known_kept _ _ _ _ Km1 Kn) as Kn1.
  destruct (whole_pairs m t Wm Wt) as [In1 In2].
  eapply twice_bind; [apply (slots_meets mm); auto|].
  { intros w x I. destruct (In1 w x I) as (r & F & F'). split; [eapply there_kept; [exact Km1 | eapply Hm; eauto] | eapply there_kept; [exact Km1 | eapply Ht; eauto]]. }
  intros v2 s2 M2 K2 G2 H2 Km2 Kk2 ((Pv2 & Tv2) & C2). pose proof (known_kept _ _ _ _ Km2 Kn1) as Kn2. pose proof (keeps_trans _ _ _ _ _ _ Km1 Km2) as Km02. pose proof (keeps_trans _ _ _ _ _ _ Kk1 Kk2) as Kk02.
  assert (Pth : forall q, In q pairs -> parts_there s2 (object_terms (fst q) ++ object_terms (snd q))).
  { intros [x u] I. apply (parts_kept s M s2 M2 _ Km02). destruct (matched_here _ _ _ Ma x u I) as (o & _ & Fx & _). assert (Iu : In u ts) by (rewrite <- Ep; apply (in_map snd) in I; exact I). apply Tt in Iu as (o' & Fu).
    intros p J. apply in_app_or in J as [J|J]; [exact (objects_there s m o x Thm Fx p J) | exact (objects_there s t o' u Tht Fu p J)]. }
  eapply twice_bind; [apply (twice_folded (Covering.cover_object c) (fun v s M K => (forall q, In q pairs -> parts_there s (object_terms (fst q) ++ object_terms (snd q))) /\ known_right s M /\ plain_covering mm v /\ theta_right s M K (Covering.theta v)) (object_covered mm)) with (l := pairs)|].
  - intros; eapply object_kept; eauto.
  - intros b [x u] s3 M3 K3 I G3 H3 (Th3 & Kn3 & Pb & Tb). eapply twice_weaker; [apply (object_meets mm); auto; exact (Th3 (x, u) I)|].
    intros b' s4 M4 K4 _ _ Km Kk ((Pb' & Tb') & Cv). split; [|exact Cv]. split; [intros q J; eapply parts_kept; eauto|]. split; [eapply known_kept; eauto | auto].
  - exact G2.
  - exact H2.
  - auto.
  - intros v3 s3 M3 K3 G3 H3 Km3 Kk3 ((_ & _ & _ & Tv3) & C3). cbn [folded_left]. eapply twice_peek; [apply (peeks_ret s3 v3 (fun x => x = v3)); reflexivity|]. intros ? ->.
    eapply twice_peek; [apply (peeks_demand s3 _ _ (fun _ => True)); auto|]. intros ? _. apply twice_ret; auto. split; [exact Tv3|]. split; [exact Pe | exact Se|]. exists mm. split.
    + eapply covered_kept; [exact (keeps_trans _ _ _ _ _ _ Km2 Km3) | exact (keeps_trans _ _ _ _ _ _ Kk2 Kk3) | exact C1].
    + intros r w x F F'. eapply covered_kept; [exact Km3 | exact Kk3|]. apply (C2 (w, x)). eapply In2; eauto.
    + intros o' u F. assert (Iu : In u ts) by (apply Tt; eauto). rewrite <- Ep in Iu. apply in_map_iff in Iu as ([x u'] & Eu & I). cbn [snd] in Eu. subst u'.
      destruct (matched_here _ _ _ Ma x u I) as (o & Im & Fx & _). rewrite (objects_by_name t (proj1 Tht) o' u F) in Im. exists o, x. split; [exact Im|]. split; [exact Fx | exact (C3 (x, u) I)].
    + intros o' o Im. destruct (matched_there _ _ _ Ma o' o Im) as (x & u & I & En'). assert (Iu : In u ts) by (rewrite <- Ep; apply (in_map snd) in I; exact I). apply Tt in Iu as (o1 & Fu).
      pose proof (objects_by_name t (proj1 Tht) o1 u Fu) as N1. exists u. cbn [snd]. rewrite <- En', N1. exact Fu.
    + exact (matched_once _ _ _ Ma).
Qed.

(** ** The template's literals *)

Lemma literals_meets d s M K th : good nu s M -> good mu s K -> known_right s M -> theta_right s M K th -> (forall l, In l (known_literals d) -> literal_in s l) ->
  twice s M K (folded_left (fun th l => let$ (t, th) := Covering.linear_image th (term_of l) in entail (known_literals c) (lit (sign_of l) t) >> ret th) (known_literals d) th)
    (fun _ _ _ _ => Q -> forall l, In l (known_literals d) -> literal_holds K l).
Proof.
  intros G G' Kn T Ld. set (f := fun th l => let$ (t, th) := Covering.linear_image th (term_of l) in entail (known_literals c) (lit (sign_of l) t) >> ret th).
  set (there := fun th (s : state) M K => (forall l, In l (known_literals d) -> literal_in s l) /\ known_right s M /\ theta_right s M K th).
  set (shown := fun l (s : state) (_ K' : model) => literal_in s l /\ (Q -> literal_holds K' l)).
  assert (Kept : forall l s M K s' M' K', keeps s M s' M' -> keeps s K s' K' -> shown l s M K -> shown l s' M' K')
    by (intros l s2 M2 K2 s3 M3 K3 _ Kk [A B]; split; [|intros hq]; apply (literal_kept _ _ _ _ l Kk A); auto).
  assert (Each : forall th l s M K, In l (known_literals d) -> good nu s M -> good mu s K -> there th s M K -> twice s M K (f th l) (fun th' s' M' K' => there th' s' M' K' /\ shown l s' M' K')).
  { intros th2 l s2 M2 K2 Il G2 H2 (L2 & Kn2 & T2). unfold f. eapply twice_bind; [apply (linear_image_meets nu mu sorted sorted_too tabs Q); auto|]. intros [u th3] s3 M3 K3 G3 H3 Km Kk [[_ [Iu Vu]] T3].
    pose proof (known_kept _ _ _ _ Km Kn2) as [L3 Ho3].
    eapply twice_bind; [apply twice_both; [apply (entail_meets nu sorted tabs s3 M3 (known_literals c) (lit (sign_of l) u)); auto | apply (entail_meets mu sorted_too tabs s3 K3 (known_literals c) (lit (sign_of l) u)); auto]|].
    intros ? s4 M4 K4 G4 H4 Km4 Kk4 [En _]. apply twice_ret; auto. pose proof (keeps_trans _ _ _ _ _ _ Km Km4) as Kma. pose proof (keeps_trans _ _ _ _ _ _ Kk Kk4) as Kka.
    split; [split; [intros k J; apply (literal_kept _ _ _ _ k Kma); auto | split; [eapply known_kept; [exact Kma | exact Kn2] | apply (theta_kept mu Q s3 M3 K3); auto]]|].
    apply (Kept l s2 M2 K2 s4 M4 K4 Kma Kka). split; [exact (L2 l Il)|]. intros hq. specialize (En (Ho3 hq)). unfold literal_holds in *. cbn [sign_of term_of lit] in En.
    rewrite (Vu hq), (proj2 (keeps_linears _ _ _ _ Kk) _ (L2 l Il)) in En. exact En. }
  intros th1 s1 Ru. destruct (twice_folded f there shown Kept (known_literals d) th s M K Each G G' (conj Ld (conj Kn T)) th1 s1 Ru) as (M1 & K1 & G1 & H1 & Km & Kk & _ & Ho).
  exists M1, K1. repeat (split; [assumption|]). intros hq l Il. destruct (Ho l Il) as [_ B]. apply (literal_kept _ _ _ _ l Kk (Ld l Il)). exact (B hq).
Qed.
End Covered.
