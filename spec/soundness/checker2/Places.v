(** That the places which the second checker lists for an access are all places
    (spec/calculus.md#memory), and that what stands there is what the state holds. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Alike Typed Bounds FoldedMembers Configurations Members RegisterSteps SameValues.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums ComputedLists PointerLists.
Import ListNotations.
Open Scope Z_scope.

Lemma nth_number {A} (xs : list A) : forall n, nth xs n = nth_error xs (N.to_nat n).
Proof.
  induction xs as [|a xs IH]; intros n; cbn [nth]; [destruct (N.to_nat n); reflexivity|]. destruct (N.eqb_spec n 0) as [->|D]; [reflexivity|]. rewrite IH.
  replace (N.to_nat n) with (S (N.to_nat (N.pred n))) by lia. reflexivity.
Qed.
Lemma length_counted {A} (xs : list A) : Z.of_N (count xs) = Z.of_nat (length xs).
Proof.
  unfold count. enough (H : forall n, Z.of_N (counted xs n) = Z.of_N n + Z.of_nat (length xs)) by (rewrite H; lia).
  induction xs as [|a xs IH]; intros n; cbn [counted length]; [lia|]. rewrite IH. lia.
Qed.

Section Places.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).

(** ** Literals that go without saying *)

Lemma filter_true_peek s M ls : good s M -> peeks s (filter_in (fun k => let$ t := is_true k in ret (negb t)) ls) (fun out => incl out ls /\ (literals_hold M out <-> literals_hold M ls)).
Proof.
  intros G. unfold filter_in. eapply peeks_weaker; [apply (peeks_fold s _ (fun kept rest => exists before, ls = before ++ rest /\ incl kept before /\ forall k, In k before -> In k kept \/ literal_holds M k))|].
  - intros kept k rest (before & Eq & A & B). eapply peeks_bind with (P := fun b => b = true \/ literal_holds M k).
    + eapply peeks_bind; [eapply is_true_peek; eauto|]. intros t Ht. apply peeks_ret. destruct t; auto.
    + intros b Hb. apply peeks_ret. exists (before ++ [k]). rewrite <- app_assoc. split; auto. split.
      * intros j I. destruct b; [apply in_app_or in I as [I|I]; apply in_or_app; auto | apply in_or_app; auto].
      * intros j I. apply in_app_or in I as [I|[<-|[]]].
        -- destruct (B j I); auto. left. destruct b; [apply in_or_app; auto | auto].
        -- destruct b; [left; apply in_or_app; right; left; auto | destruct Hb; [discriminate | auto]].
  - exists []. split; auto. split; intros ? [].
  - intros kept (before & Eq & A & B). rewrite app_nil_r in Eq. subst before. split; [exact A|]. split; [intros H k I; destruct (B k I); auto | intros H k I; apply H, A, I].
Qed.
Lemma place_under_peek s M within_ k e v : good s M -> peeks s (place_under within_ k e v) (fun p => exists ls, p = (ls, e, v) /\ incl ls (within_ ++ [k]) /\
  (literals_hold M ls <-> literals_hold M within_ /\ literal_holds M k)).
Proof.
  intros G. unfold place_under. eapply peeks_bind; [apply (filter_true_peek s M); exact G|]. intros ls [A B]. apply peeks_ret. exists ls. split; auto. split; auto. rewrite B. split.
  - intros H. split; [intros j I; apply H, in_or_app; auto | apply H, in_or_app; right; left; auto].
  - intros [H J] j I. apply in_app_or in I as [I|[<-|[]]]; auto.
Qed.

(** ** Places *)

(** Where they are, and what is there, where the index is inside of the object. *)
Section At.
Variable i : N.
Variables idx low_ : Z.
Variable inside : Prop.
Hypothesis above_low : inside -> low_ <= idx.
Definition literals_in s (ls : list literal) : Prop := forall k, In k ls -> literal_in s k.
Lemma literals_kept s M s' M' ls : keeps s M s' M' -> literals_in s ls -> literals_in s' ls /\ (literals_hold M' ls <-> literals_hold M ls).
Proof.
  intros K H. split; [intros k I; apply (literal_kept _ _ _ _ k K (H k I))|]. split; intros A k I; apply (literal_kept _ _ _ _ k K (H k I)); auto.
Qed.
Definition place_is (s : state) (K : model) (here : Prop) (p : memory_place) e v : Prop := exists ls, p = (ls, e, v) /\ literals_in s ls /\ (literals_hold K ls <-> inside /\ here).
Lemma place_kept s M s' M' here p e v : keeps s M s' M' -> place_is s M here p e v -> place_is s' M' here p e v.
Proof. intros K (ls & -> & A & B). destruct (literals_kept _ _ _ _ ls K A) as [A' B']. exists ls. split; auto. split; auto. rewrite B'. exact B. Qed.
Variable within_ : list literal.
Definition index_says s M : Prop := (i < linears_in s)%N /\ vl M i = idx /\ literals_in s within_ /\ (literals_hold M within_ <-> inside).
Lemma index_kept s M s' M' : keeps s M s' M' -> index_says s M -> index_says s' M'.
Proof.
  intros K (A & B & C & D). destruct (literals_kept _ _ _ _ within_ K C) as [C' D']. pose proof (keeps_linears _ _ _ _ K) as [L Eq].
  split; [lia|]. split; [rewrite Eq; auto|]. split; auto. rewrite D'. exact D.
Qed.
Variables constant_ low : option Z.
Hypothesis constant_is : forall z, constant_ = Some z -> z = idx.
Hypothesis low_is : forall z, low = Some z -> z = low_.
Lemma cell_places_meets vs : forall c s M, good s M -> index_says s M -> meets s M (cell_places within_ i constant_ low c vs) (fun ps s' K => keeps s M s' K /\
  (forall p, In p ps -> exists j v, nth_error vs j = Some v /\ place_is s' K (idx = Z.of_N c + Z.of_nat j) p (AtCell (c + N.of_nat j)) v) /\
  (forall j v, nth_error vs j = Some v -> inside -> idx = Z.of_N c + Z.of_nat j -> exists p, In p ps /\ literals_hold K (fst (fst p)))).
Proof.
  induction vs as [|v vs IH]; intros c s M G X; cbn [cell_places].
  - apply meets_ret; auto. split; [apply keeps_refl|]. split; [intros ? []|]. intros [|j] w; discriminate.
  - eapply meets_bind with (P := fun ps s' K => keeps s M s' K /\ (forall p, In p ps -> place_is s' K (idx = Z.of_N c) p (AtCell c) v) /\ (inside -> idx = Z.of_N c -> exists p, In p ps /\ literals_hold K (fst (fst p)))).
    + destruct (may_be constant_ (Z.eqb (Z.of_N c)) && may_be low (fun l => l <=? Z.of_N c)) eqn:May.
      * eapply meets_bind; [apply meets_also_kept, plus_meets; exact G|]. intros d s1 M1 G1 _ [K1 [Id Vd]]. pose proof (index_kept _ _ _ _ K1 X) as (_ & _ & Iw & Hw). destruct X as (_ & Vi & _).
        eapply meets_peek; [eapply place_under_peek; eauto|]. intros p (ls & -> & Inc & H). apply meets_ret; auto. split; [exact K1|].
        assert (Hd : literal_holds M1 (lit IsZero d) <-> idx = Z.of_N c) by (unfold literal_holds; simpl; rewrite Vd, Vi; lia). rewrite Hd, Hw in H. split.
        -- intros p [<-|[]]. exists ls. split; auto. split; [|exact H]. intros k I. apply Inc, in_app_or in I as [I|[<-|[]]]; [apply Iw, I | exact Id].
        -- intros Ins Eq. exists (ls, AtCell c, v). split; [left; auto | apply H; auto].
      * apply meets_ret; auto. split; [apply keeps_refl|]. split; [intros ? []|]. intros Ins Eq. exfalso. apply andb_false_elim in May as [May|May].
        -- destruct constant_ as [z|]; simpl in May; [|discriminate]. apply Z.eqb_neq in May. pose proof (constant_is z eq_refl). lia.
        -- destruct low as [z|]; simpl in May; [|discriminate]. apply Z.leb_gt in May. pose proof (low_is z eq_refl). specialize (above_low Ins). lia.
    + intros ps s1 M1 G1 _ (K1 & A & B). eapply meets_bind; [apply (IH (N.succ c) s1 M1 G1), (index_kept _ _ _ _ K1 X)|]. intros qs s2 M2 G2 _ (K2 & C & D). apply meets_ret; auto.
      split; [eapply keeps_trans; eauto|]. split.
      * intros p I. apply in_app_or in I as [I|I].
        -- exists 0%nat, v. split; auto. replace (Z.of_N c + Z.of_nat 0) with (Z.of_N c) by lia. replace (c + N.of_nat 0)%N with c by lia. eapply place_kept; eauto.
        -- destruct (C p I) as (j & w & Nj & Pl). exists (S j), w. split; auto. replace (Z.of_N c + Z.of_nat (S j)) with (Z.of_N (N.succ c) + Z.of_nat j) by lia.
           replace (c + N.of_nat (S j))%N with (N.succ c + N.of_nat j)%N by lia. exact Pl.
      * intros [|j] w Nj Ins Eq.
        -- destruct (B Ins ltac:(lia)) as (p & I & H). destruct (A p I) as (ls & -> & Il & _). exists (ls, AtCell c, v). split; [apply in_or_app; auto|]. apply (literals_kept _ _ _ _ ls K2 Il). exact H.
        -- destruct (D j w Nj Ins ltac:(lia)) as (p & I & H). exists p. split; [apply in_or_app; auto | exact H].
Qed.
(** Beyond the cells, on both sides. *)
Lemma sides_peek s M t us : good s M -> index_says s M -> (forall u, In u us -> (u < linears_in s)%N) -> forall ps0, peeks s (folded_left (fun ps u =>
      let k := lit AtMostZero u in
      let$ never := is_false k in
      if never then ret ps else let$ p := place_under within_ k (AtRest i) (IntegerSlot t) in ret (ps ++ [p])) us ps0)
  (fun ps => exists more, ps = ps0 ++ more /\ (forall p, In p more -> exists u, In u us /\ place_is s M (vl M u <= 0) p (AtRest i) (IntegerSlot t)) /\
    (forall u, In u us -> inside -> vl M u <= 0 -> exists p, In p more /\ literals_hold M (fst (fst p)))).
Proof.
  intros G X. induction us as [|u us IH]; intros Iu ps0; cbn [folded_left].
  - apply peeks_ret. exists []. rewrite app_nil_r. split; auto. split; intros ? [].
  - pose proof X as (_ & _ & Iw & Hw). set (k := lit AtMostZero u). assert (Hk : literal_holds M k <-> vl M u <= 0) by (unfold literal_holds; simpl; reflexivity).
    eapply peeks_bind with (P := fun ps => exists more, ps = ps0 ++ more /\ (forall p, In p more -> place_is s M (vl M u <= 0) p (AtRest i) (IntegerSlot t)) /\
      (inside -> vl M u <= 0 -> exists p, In p more /\ literals_hold M (fst (fst p)))).
    + eapply peeks_bind; [eapply is_false_peek; eauto|]. intros [|] Hf.
      * apply peeks_ret. exists []. rewrite app_nil_r. split; auto. split; [intros ? []|]. intros _ U. exfalso. apply (Hf eq_refl), Hk, U.
      * eapply peeks_bind; [eapply place_under_peek; eauto|]. intros p (ls & -> & Inc & H). apply peeks_ret. exists [(ls, AtRest i, IntegerSlot t)]. split; auto. rewrite Hk, Hw in H. split.
        -- intros p [<-|[]]. exists ls. split; auto. split; [|exact H]. intros j I. apply Inc, in_app_or in I as [I|[<-|[]]]; [apply Iw, I | apply Iu; left; auto].
        -- intros Ins U. exists (ls, AtRest i, IntegerSlot t). split; [left; auto | apply H; auto].
    + intros ps (more & -> & A & B). eapply peeks_weaker; [apply IH; intros w I; apply Iu; right; exact I|]. intros ps (more' & -> & C & D). exists (more ++ more'). rewrite app_assoc. split; auto. split.
      * intros p I. apply in_app_or in I as [I|I]; [exists u; split; [left|]; auto|]. destruct (C p I) as (w & Iw' & Pl). exists w. split; [right|]; auto.
      * intros w [<-|I] Ins U; [destruct (B Ins U) as (p & J & H) | destruct (D w I Ins U) as (p & J & H)]; exists p; (split; [apply in_or_app; auto | exact H]).
Qed.
End At.
End Places.
