(** Computations beside two models that began as given ones (spec/calculus.md#subsume): under
    the configuration's valuation, and under the one that a substitution makes of it.

    What is said of values is said of the models that were there first, in which the terms of
    both configurations are: terms that are made later change nothing of it. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States Denoting LoadLists Substituted.
From Goatherd.checker2 Require Closing Covering.
Import ListNotations.
Open Scope Z_scope.

Section Going.
Variable c : configuration.
Variables nu mu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Hypothesis sorted_too : Terms.well_sorted mu.
Variable tabs : indexed table.
(** What is asked of values, if anything is. *)
Variable Q : Prop.
Notation theta_right := (theta_right mu Q).
Notation meets nu := (meets nu tabs).
Notation twice := (twice nu mu tabs).
(** The models that were there first. *)
Variables (s0 : state) (M0 K0 : model).
(** The configuration's literals are there, and hold. *)
Hypothesis known_in : forall l, In l (known_literals c) -> literal_in s0 l.
Hypothesis known_hold : Q -> forall l, In l (known_literals c) -> literal_holds M0 l.

Record here (s : state) (M K : model) (th : Covering.substitution) : Prop := {
  here_good : good nu tabs s M;
  here_too : good mu tabs s K;
  here_first : keeps s0 M0 s M;
  here_second : keeps s0 K0 s K;
  here_theta : theta_right s M K th }.
Definition goes {A} th (x : computes A) (th_of : A -> Covering.substitution) (post : A -> Prop) : Prop :=
  forall s M K, here s M K th -> forall a s', x s = Gives a s' -> exists M' K', here s' M' K' (th_of a) /\ post a.

Lemma goes_bind {A B} th (x : computes A) (f : A -> computes B) th_a th_b P R : goes th x th_a P -> (forall a, P a -> goes (th_a a) (f a) th_b R) -> goes th (bind x f) th_b R.
Proof.
  intros H F s M K He b s2 E. unfold bind in E. destruct (x s) as [a s1|] eqn:X; [|discriminate]. destruct (H s M K He _ _ X) as (M1 & K1 & H1 & Pa). exact (F a Pa s1 M1 K1 H1 b s2 E).
Qed.
Lemma goes_ret {A} th (a : A) th_a (P : A -> Prop) : th_a a = th -> P a -> goes th (ret a) th_a P.
Proof. intros Eq Pa s M K He b s' [= <- <-]. exists M, K. rewrite Eq. auto. Qed.
Lemma goes_refuses {A} th r th_a (P : A -> Prop) : goes th (refuses r) th_a P.
Proof. intros s M K _ a s' [=]. Qed.
Lemma goes_peek {A B} th (x : computes A) (f : A -> computes B) th_b P R : (forall s M K, here s M K th -> peeks s x P) -> (forall a, P a -> goes th (f a) th_b R) -> goes th (bind x f) th_b R.
Proof.
  intros H F. eapply goes_bind with (th_a := fun _ => th) (P := P); [|exact F]. intros s M K He a s' X. destruct (H s M K He _ _ X) as [-> Pa]. eauto.
Qed.
Lemma goes_weaker {A} th (x : computes A) th_a (P R : A -> Prop) : goes th x th_a P -> (forall a, P a -> R a) -> goes th x th_a R.
Proof. intros H F s M K He a s' X. destruct (H s M K He _ _ X) as (M1 & K1 & H1 & Pa). eauto. Qed.
Lemma goes_demand {B} th b r (x : computes B) th_b R : (b = true -> goes th x th_b R) -> goes th (demand b r >> x) th_b R.
Proof. intros H. eapply goes_peek with (P := fun _ => b = true); [intros; apply peeks_demand; auto | auto]. Qed.
Lemma goes_some {A B} th (x : option A) r (f : A -> computes B) th_b R : (forall a, x = Some a -> goes th (f a) th_b R) -> goes th (bind (some x r) f) th_b R.
Proof. intros H. eapply goes_peek with (P := fun a => x = Some a); [intros; apply peeks_some; auto | exact H]. Qed.
(** What leaves the substitution as it is. *)
Lemma goes_meets {A} th (x : computes A) (P : A -> Prop) : (forall s M K, here s M K th -> meets nu s M x (fun a _ _ => P a) /\ meets mu s K x (fun _ _ _ => True)) -> goes th x (fun _ => th) P.
Proof.
  intros H s M K He a s' X. destruct (H s M K He) as [Hm Hk]. destruct (Hm _ _ X) as (M1 & G1 & K1 & Pa). destruct (Hk _ _ X) as (L1 & G2 & K2 & _). exists M1, L1. split; [|exact Pa].
  destruct He. split; auto; [eapply keeps_trans; eauto | eapply keeps_trans; eauto | eapply theta_kept; eauto].
Qed.
Lemma goes_twice {A} th (x : computes A) th_a (P : A -> Prop) : (forall s M K, here s M K th -> twice s M K x (fun a s' M' K' => theta_right s' M' K' (th_a a) /\ P a)) -> goes th x th_a P.
Proof.
  intros H s M K He a s' X. destruct (H s M K He _ _ X) as (M1 & K1 & G1 & G2 & Km & Kk & T & Pa). exists M1, K1. split; [|exact Pa].
  destruct He. split; auto; eapply keeps_trans; eauto.
Qed.

(** Folds, along what grows. *)
Section Fold.
Context {A B : Type}.
Variables (f : B -> A -> computes B) (th_of : B -> Covering.substitution) (I : B -> Prop) (grow : B -> B -> Prop) (R : B -> A -> Prop).
Hypothesis grow_refl : forall b, grow b b.
Hypothesis grow_trans : forall a b d, grow a b -> grow b d -> grow a d.
Hypothesis R_grows : forall b b' a, grow b b' -> R b a -> R b' a.
Lemma goes_folded l : (forall b a, In a l -> I b -> goes (th_of b) (f b a) th_of (fun b' => I b' /\ grow b b' /\ R b' a)) ->
  forall b, I b -> goes (th_of b) (folded_left f l b) th_of (fun b' => I b' /\ grow b b' /\ forall a, In a l -> R b' a).
Proof.
  induction l as [|a l IH]; intros H b Ib; cbn [folded_left]; [apply goes_ret; auto; repeat split; auto; intros ? []|].
  eapply goes_bind; [apply H; auto; left; reflexivity|]. intros b1 (I1 & G1 & R1). eapply goes_weaker; [apply IH; auto; intros; apply H; auto; right; assumption|].
  intros b2 (I2 & G2 & R2). split; [exact I2|]. split; [eauto|]. intros x [<-|J]; eauto.
Qed.
End Fold.

(** ** Terms *)

(** The value of a configuration's term, and of a template's. *)
Definition same_value (a t : N) : Prop := Q -> vl M0 a = vl K0 t.
Definition in_first (p : part) : Prop := part_in s0 p.
Definition slot_in (v : slot) : Prop := forall p, In p (slot_terms v) -> in_first p.
Lemma known_here s M K th : here s M K th -> (forall l, In l (known_literals c) -> literal_in s l) /\ (Q -> forall l, In l (known_literals c) -> literal_holds M l).
Proof. intros [_ _ F _ _]. split; [|intros hq]; intros l I; apply (literal_kept _ _ _ _ l F (known_in l I)); auto. Qed.
Lemma term_here s M K th a : here s M K th -> in_first (LinearPart a) -> (a < linears_in s)%N /\ vl M a = vl M0 a /\ vl K a = vl K0 a.
Proof. intros [_ _ F S _] I. simpl in I. destruct (keeps_linears _ _ _ _ F) as [L V]. split; [lia|]. split; [apply V; exact I | apply (keeps_linears _ _ _ _ S); exact I]. Qed.
Lemma array_here s M K th a : here s M K th -> in_first (ArrayPart a) -> (a < arrays_in s)%N /\ (forall j, vr M a j = vr M0 a j) /\ (forall j, vr K a j = vr K0 a j).
Proof. intros [_ _ F S _] I. simpl in I. destruct (keeps_arrays _ _ _ _ F) as [L V]. split; [lia|]. split; intros j; [apply V; exact I | apply (keeps_arrays _ _ _ _ S); exact I]. Qed.

Lemma equal_meets rho s M a u : Terms.well_sorted rho -> good rho tabs s M -> (forall l, In l (known_literals c) -> literal_in s l) -> (a < linears_in s)%N -> (u < linears_in s)%N ->
  meets rho s M (Covering.equal_terms c a u) (fun _ _ _ => (forall l, In l (known_literals c) -> literal_holds M l) -> vl M a = vl M u).
Proof.
  intros W G L Ia Iu. unfold Covering.equal_terms. destruct (N.eqb_spec a u) as [->|_]; [apply meets_ret; auto|].
  unfold equal. eapply meets_bind with (P := fun l s' M' => literal_in s' l /\ (literal_holds M' l -> vl M a = vl M u)).
  - eapply meets_bind; [apply difference_meets; exact G|]. intros d s1 M1 G1 K1 [Id Vd]. apply meets_ret; [exact G1|]. split; [exact Id|].
    unfold literal_holds. simpl. rewrite Vd. lia.
  - intros l s1 M1 G1 K1 [Il Hl]. assert (L1 : forall k, In k (known_literals c) -> literal_in s1 k) by (intros k J; apply (literal_kept _ _ _ _ k K1); auto).
    eapply meets_weaker; [apply entail_meets; auto|]. intros ? ? ? _ _ En H. apply Hl, En. intros k J. apply (literal_kept _ _ _ _ k K1); auto.
Qed.
Lemma equal_goes th a u : in_first (LinearPart a) -> in_first (LinearPart u) -> goes th (Covering.equal_terms c a u) (fun _ => th) (fun _ => Q -> vl M0 a = vl M0 u).
Proof.
  intros Ia Iu. apply goes_meets. intros s M K He. pose proof (known_here _ _ _ _ He) as [L Ho]. destruct (term_here _ _ _ _ a He Ia) as (Ja & Va & _), (term_here _ _ _ _ u He Iu) as (Ju & Vu & _). destruct He as [G G' _ _ _]. split.
  - eapply meets_weaker; [apply (equal_meets nu); auto|]. intros ? ? ? _ _ H hq. rewrite <- Va, <- Vu. apply H. exact (Ho hq).
  - eapply meets_weaker; [apply (equal_meets mu); auto|]. auto.
Qed.
Lemma equal_image_goes v a t : in_first (LinearPart a) -> in_first (LinearPart t) -> goes (Covering.theta v) (Covering.equal_to_image c v a t) Covering.theta (fun v' => (exists th, v' = Covering.with_theta v th) /\ same_value a t).
Proof.
  intros Ia It. apply goes_twice. intros s M K He. pose proof (known_here _ _ _ _ He) as [L Ho]. destruct (term_here _ _ _ _ a He Ia) as (Ja & Va & _), (term_here _ _ _ _ t He It) as (Jt & _ & Vt). destruct He as [G G' _ _ T].
  unfold Covering.equal_to_image. eapply twice_bind; [apply (linear_image_meets nu mu sorted sorted_too tabs Q); auto|]. intros [u th] s1 M1 K1 G1 H1 Km Kk [[_ [Iu Vu]] T1].
  assert (Ia1 : (a < linears_in s1)%N) by (pose proof (proj1 (keeps_linears _ _ _ _ Km)); lia).
  assert (L1 : forall l, In l (known_literals c) -> literal_in s1 l) by (intros l I; apply (literal_kept _ _ _ _ l Km); auto).
  assert (Ho1 : Q -> forall l, In l (known_literals c) -> literal_holds M1 l) by (intros hq l I; apply (literal_kept _ _ _ _ l Km (L l I)), Ho; auto).
  eapply twice_bind; [apply twice_both; [apply (equal_meets nu); auto | apply (equal_meets mu s1 K1); auto]|]. intros ? s2 M2 K2 G2 H2 Km2 Kk2 [Eq _].
  apply twice_ret; auto. split; [simpl; eapply theta_kept; eauto|]. split; [eauto|].
  intros hq. rewrite <- Va, <- Vt, <- (proj2 (keeps_linears _ _ _ _ Km) a Ja), <- (proj2 (keeps_linears _ _ _ _ Kk) t Jt), <- (Vu hq). apply Eq. exact (Ho1 hq).
Qed.

(** ** Arrays *)

Lemma arrays_meets rho fuel : Terms.well_sorted rho -> forall s M a b, good rho tabs s M -> (forall l, In l (known_literals c) -> literal_in s l) -> (a < arrays_in s)%N -> (b < arrays_in s)%N ->
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
(** The array is equal to the image of the template's, as a field's rest is. *)
Definition equals_array_image th a b : computes Covering.substitution :=
  let$ (b, th) := Covering.array_image th b in let$ n := looks (fun s => how_many (array_nodes s)) in Covering.equal_arrays c (N.to_nat n) a b >> ret th.
Lemma array_image_goes th a b : in_first (ArrayPart a) -> in_first (ArrayPart b) -> goes th (equals_array_image th a b) (fun th' => th') (fun _ => Q -> forall j, vr M0 a j = vr K0 b j).
Proof.
  intros Ia Ib. apply goes_twice. intros s M K He. pose proof (known_here _ _ _ _ He) as [L Ho]. destruct (array_here _ _ _ _ a He Ia) as (Ja & Va & _), (array_here _ _ _ _ b He Ib) as (Jb & _ & Vb). destruct He as [G G' _ _ T].
  unfold equals_array_image, Covering.array_image. eapply twice_bind; [apply (image_meets nu mu sorted sorted_too tabs Q _ s M K th (ArrayPart b)); auto|]. intros [b' th'] s1 M1 K1 G1 H1 Km Kk [[_ [Ib' Vb']] T1].
  eapply twice_bind with (P := fun _ s' M' K' => s' = s1 /\ M' = M1 /\ K' = K1); [intros n s' [= <- <-]; exists M1, K1; auto 10 using keeps_refl|]. intros n ? ? ? _ _ _ _ (-> & -> & ->).
  assert (L1 : forall l, In l (known_literals c) -> literal_in s1 l) by (intros l I; apply (literal_kept _ _ _ _ l Km); auto).
  assert (Ho1 : Q -> forall l, In l (known_literals c) -> literal_holds M1 l) by (intros hq l I; apply (literal_kept _ _ _ _ l Km (L l I)), Ho; auto).
  pose proof (keeps_arrays _ _ _ _ Km) as [La Sa].
  eapply twice_bind; [apply twice_both; [apply (arrays_meets nu (N.to_nat n) sorted s1 M1 a b'); auto; lia | apply (arrays_meets mu (N.to_nat n) sorted_too s1 K1 a b'); auto; lia]|]. intros ? s2 M2 K2 G2 H2 Km2 Kk2 [Eq _].
  apply twice_ret; auto. split; [eapply theta_kept; eauto|]. intros hq j. rewrite <- Va, <- Vb, <- (Sa a Ja), (Eq (Ho1 hq) j), (Vb' hq j). apply (keeps_arrays _ _ _ _ Kk). exact Jb.
Qed.
End Going.
