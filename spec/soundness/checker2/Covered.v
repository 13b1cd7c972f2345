(** That a template without objects and folded parts covers what the rule Subsume says it
    does (spec/calculus.md#subsume): slots have the values that the template's have under
    the substitution, and its literals hold. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States Denoting Leading Staying Substituted.
From Goatherd.checker2 Require Covering.
Import ListNotations.
Open Scope Z_scope.

(** A template with neither objects nor folded parts, nor symbols. *)
Definition plain_member (m : member_state) : bool := is_empty (in_order (objects_held m)) && (given (parts_held m) =? 0)%N.
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

(** Of a template without objects and parts a slot says no more than the member's. *)
Definition slot_covered (p : slot * slot) (s : state) (M K : model) : Prop := match snd p with
  | Forgotten => True
  | IntegerSlot t => (t < linears_in s)%N /\ exists a, fst p = IntegerSlot a /\ (a < linears_in s)%N /\ (Q -> vl M a = vl K t)
  | Uninitialised => fst p = Uninitialised | NullSlot => fst p = NullSlot
  | _ => False end.
Lemma covered_kept p s M K s' M' K' : keeps s M s' M' -> keeps s K s' K' -> slot_covered p s M K -> slot_covered p s' M' K'.
Proof.
  intros Km Kk. unfold slot_covered. destruct (snd p); auto. intros (It & a & Eq & Ia & V). pose proof (proj1 (keeps_linears _ _ _ _ Km)). split; [lia|]. exists a. split; auto.
  split; [lia|]. rewrite (proj2 (keeps_linears _ _ _ _ Km) a Ia), (proj2 (keeps_linears _ _ _ _ Kk) term It). exact V.
Qed.
Definition plain_covering (v : Covering.covering) : Prop := given (Covering.roots_seen v) = 0%N /\ given (Covering.ends_seen v) = 0%N /\ Covering.matched v = PositiveMap.empty N.
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
Lemma slot_meets s M K v w t : good nu s M -> good mu s K -> known_right s M -> theta_right s M K (Covering.theta v) -> plain_covering v -> terms_there s w -> terms_there s t ->
  twice s M K (Covering.cover_slot c v w t) (fun v' s' M' K' => (plain_covering v' /\ theta_right s' M' K' (Covering.theta v')) /\ slot_covered (w, t) s' M' K').
Proof.
  intros G G' Kn T Pv Iw It.
  assert (Same : slot_covered (w, t) s M K -> twice s M K (ret v) (fun v' s' M' K' => (plain_covering v' /\ theta_right s' M' K' (Covering.theta v')) /\ slot_covered (w, t) s' M' K'))
    by (intros C; apply twice_ret; auto).
  assert (Other : twice s M K (Covering.cover_other v w t) (fun v' s' M' K' => (plain_covering v' /\ theta_right s' M' K' (Covering.theta v')) /\ slot_covered (w, t) s' M' K'))
    by (intros a s' H; destruct (other_covered v w t Pv _ _ _ H)).
  destruct t as [| |u| |o' i' b'|f|f]; cbn [Covering.cover_slot].
  - destruct w; apply Same; exact I.
  - destruct w; try exact Other. apply Same. reflexivity.
  - destruct w as [| |a| |o i b|g|g]; try exact Other. pose proof (Iw (LinearPart a) (or_introl eq_refl)) as Ia. pose proof (It (LinearPart u) (or_introl eq_refl)) as Iu. simpl in Ia, Iu.
    eapply twice_weaker; [apply equal_image_meets; auto|]. intros v' s' M' K' _ _ Km Kk ((th & ->) & T' & V). split; [split; [exact Pv | exact T']|].
    eapply covered_kept; [exact Km | exact Kk|]. split; [exact Iu|]. exists a. auto.
  - destruct w; try exact Other. apply Same. reflexivity.
  - destruct w as [| |a| |o i b|g|g]; try exact Other. unfold Covering.cover_slot, Covering.pointer_matches. rewrite (proj2 (proj2 Pv)), PositiveMap.gempty. apply twice_refuses.
  - destruct w; exact Other.
  - destruct w; exact Other.
Qed.
Lemma slots_meets s M K v ps : good nu s M -> good mu s K -> known_right s M -> theta_right s M K (Covering.theta v) -> plain_covering v ->
  (forall w t, In (w, t) ps -> terms_there s w /\ terms_there s t) ->
  twice s M K (Covering.cover_slots c v ps) (fun v' s' M' K' => (plain_covering v' /\ theta_right s' M' K' (Covering.theta v')) /\ forall p, In p ps -> slot_covered p s' M' K').
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

(** ** Members *)

(** A member of a template without objects and parts, beside the one that it covers. *)
Record member_covered (p : member_state * member_state) (s : state) (M K : model) : Prop := {
  covered_at : place_of (fst p) = place_of (snd p);
  covered_size : Covering.size_at_most (size_of (fst p)) (size_of (snd p)) = true;
  covered_count : slot_covered (consumed_of (fst p), consumed_of (snd p)) s M K;
  covered_slots : forall r w t, find (held (fst p)) r = Some w -> find (held (snd p)) r = Some t -> slot_covered (w, t) s M K }.
Lemma member_kept p s M K s' M' K' : keeps s M s' M' -> keeps s K s' K' -> member_covered p s M K -> member_covered p s' M' K'.
Proof. intros Km Kk [A B C D]. split; auto; [eapply covered_kept; eauto|]. intros r w t F F'. eapply covered_kept; eauto. Qed.
Definition member_there (s : state) (m : member_state) : Prop := terms_there s (consumed_of m) /\ forall r v, find (held m) r = Some v -> terms_there s v.
Lemma member_there_kept s M s' M' m : keeps s M s' M' -> member_there s m -> member_there s' m.
Proof. intros Kp [A B]. split; [eapply there_kept; eauto|]. intros r v F. eapply there_kept; eauto. Qed.

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
  intros G G' Kn T Pl Wm Wt [Cm Hm] [Ct Ht]. apply andb_prop in Pl as [Po Pp]. apply N.eqb_eq in Pp.
  assert (Os : in_order (objects_held t) = []) by (destruct (in_order (objects_held t)); [reflexivity | discriminate]).
  assert (Ps : in_order (parts_held t) = []) by (unfold in_order, numbers_of; rewrite Pp; reflexivity).
  unfold Covering.cover_member. rewrite Os, Ps. cbn [List.map snd].
  eapply twice_peek; [apply (peeks_demand s _ _ (fun _ => place_of m = place_of t /\ Covering.size_at_most (size_of m) (size_of t) = true)); intros A; apply andb_prop in A as [A B]; split; [apply place_eqb_is; exact A | exact B]|].
  intros ? [Pe Se]. cbn beta in Pe, Se. eapply twice_peek; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros ? _. cbn [List.combine folded_left].
  eapply twice_peek with (P := fun x => plain_covering (fst x) /\ theta_right s M K (Covering.theta (fst x)) /\ snd x = []).
  { apply peeks_ret. split; [|split; [exact T | reflexivity]]. split; [simpl; exact Pp|]. split; [simpl; exact Pp | reflexivity]. }
  intros [v pairs] (Pv & Tv & Ep). cbn [fst snd] in Pv, Tv, Ep. subst pairs.
  eapply twice_bind; [apply slot_meets; eauto|]. intros v1 s1 M1 K1 G1 H1 Km1 Kk1 ((Pv1 & Tv1) & C1).
  destruct (whole_pairs m t Wm Wt) as [In1 In2].
  eapply twice_bind; [apply slots_meets; auto; [eapply known_kept; eauto|]|].
  { intros w x I. destruct (In1 w x I) as (r & F & F'). split; [eapply there_kept; [exact Km1 | eapply Hm; eauto] | eapply there_kept; [exact Km1 | eapply Ht; eauto]]. }
  intros v2 s2 M2 K2 G2 H2 Km2 Kk2 ((Pv2 & Tv2) & C2). cbn [folded_left].
  eapply twice_peek; [apply (peeks_ret s2 v2 (fun x => x = v2)); reflexivity|]. intros ? ->.
  eapply twice_peek; [apply (peeks_ret s2 v2 (fun x => x = v2)); reflexivity|]. intros ? ->.
  eapply twice_peek; [apply (peeks_demand s2 _ _ (fun _ => True)); auto|]. intros ? _. apply twice_ret; auto. split; [exact Tv2|].
  split; auto; [eapply covered_kept; eauto|]. intros r w x F F'. apply (C2 (w, x)). eapply In2; eauto.
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
