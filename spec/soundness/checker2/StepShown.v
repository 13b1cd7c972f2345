(** That Step shows what it has to show, as the second checker computes it
    (spec/calculus.md#step), where the primary is at an instruction that is covered. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists CoveredLists Moving RegisterScopes PointerScopes Followed Stepped.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Section StepShown.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Hypothesis setting_right : same_setting E P under.
(** What well-formedness asks of the program. *)
Hypothesis locals : Tidy.locals_formed P.
Hypothesis types : Typed.types_formed P.
Hypothesis memories : Bounds.memory_formed P.
Hypothesis contents : Entries.contents_formed P.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows_under := (shows_under P under trees tabs).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).

(** ** Outcomes that are left *)

Lemma in_numbers {A} (os : list A) o : forall n, In o os -> exists k, In (k, o) (List.combine (numbers_from n (length os)) os).
Proof.
  induction os as [|a os IH]; intros n I; [destruct I|]. cbn [length numbers_from List.combine]. destruct I as [->|I]; [exists n; left; reflexivity|].
  destruct (IH (N.succ n) I) as (k & J). exists k. right. exact J.
Qed.
Lemma excluded_peek nu s M o : good nu s M -> peeks s (is_excluded o) (fun x => x = true -> ~ literals_hold M (literals_of o)).
Proof.
  intros G. unfold is_excluded. eapply peeks_weaker; [apply (peeks_fold s _ (fun x rest => exists before, literals_of o = before ++ rest /\ (x = true -> exists k, In k before /\ ~ literal_holds M k)))|].
  - intros x k rest (before & Eq & H). destruct x.
    + apply peeks_ret. exists (before ++ [k]). rewrite <- app_assoc. split; auto. intros _. destruct (H eq_refl) as (j & J & N). exists j. split; [apply in_or_app; auto | exact N].
    + eapply peeks_weaker; [eapply is_false_peek; eauto|]. intros x Hx. exists (before ++ [k]). rewrite <- app_assoc. split; auto. intros Ex. exists k. split; [apply in_or_app; right; left; auto | auto].
  - exists []. split; auto. discriminate.
  - intros x (before & Eq & H) Ex Al. destruct (H Ex) as (k & I & N). apply N, Al. rewrite Eq. apply in_or_app. auto.
Qed.
Lemma not_excluded_peek nu s M os : good nu s M -> peeks s (Rules.not_excluded os) (fun kept => (forall n o, In (n, o) kept -> In o os) /\
  forall o, In o os -> literals_hold M (literals_of o) -> exists n, In (n, o) kept).
Proof.
  intros G. unfold Rules.not_excluded. set (all := List.combine (numbers_from 0 (length os)) os).
  eapply peeks_weaker; [apply (peeks_fold s _ (fun kept rest => exists before, all = before ++ rest /\ (forall p, In p kept -> In p before) /\
    forall n o, In (n, o) before -> literals_hold M (literals_of o) -> In (n, o) kept))|].
  - intros kept [n o] rest (before & Eq & A & B). eapply peeks_bind; [eapply excluded_peek; eauto|]. intros x Hx. apply peeks_ret. exists (before ++ [(n, o)]). rewrite <- app_assoc. split; auto. destruct x.
    + split; [intros p I; apply in_or_app; auto|]. intros k q I L. apply in_app_or in I as [I|[[= <- <-]|[]]]; auto. destruct (Hx eq_refl L).
    + split; [intros p I; apply in_app_or in I as [I|I]; apply in_or_app; auto|]. intros k q I L. apply in_app_or in I as [I|I]; apply in_or_app; auto.
  - exists []. auto.
  - intros kept (before & Eq & A & B). rewrite app_nil_r in Eq. subst before. split.
    + intros n o I. apply A in I. apply in_combine_r in I. exact I.
    + intros o I L. destruct (in_numbers os o 0%N I) as (k & J). exists k. apply B; auto.
Qed.
Lemma still_open_meets nu sc c : Terms.well_sorted nu -> forall os refuted s M, good nu s M -> (forall k, In k (known_literals c) -> part_within s sc (LinearPart (term_of k))) ->
  (forall n o, In (n, o) os -> all_within sc s (literals_of o)) ->
  meets nu s M (Rules.still_open c os refuted) (fun l _ _ => (forall o, In o l -> exists n, In (n, o) os) /\
    forall n o, In (n, o) os -> literals_hold M (known_literals c) -> literals_hold M (literals_of o) -> In o l).
Proof.
  intros W. induction os as [|[n o] os IH]; intros refuted s M G Kn Wo; cbn [Rules.still_open].
  - eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _. apply meets_ret; auto. split; [intros ? [] | intros ? ? []].
  - assert (Keep : forall rs, meets nu s M (let$ l := Rules.still_open c os rs in ret (o :: l)) (fun l _ _ => (forall o0, In o0 l -> exists n0, In (n0, o0) ((n, o) :: os)) /\
      forall n0 o0, In (n0, o0) ((n, o) :: os) -> literals_hold M (known_literals c) -> literals_hold M (literals_of o0) -> In o0 l)).
    { intros rs. eapply meets_bind; [apply IH; eauto; intros n0 o0 I; apply (Wo n0 o0); right; exact I|]. intros l s1 M1 G1 K1 [A B]. apply meets_ret; auto. split.
      - intros o0 [<-|I]; [exists n; left; auto|]. destruct (A o0 I) as (k & J). exists k. right. exact J.
      - intros n0 o0 [[= <- <-]|I] Hk Ho; [left; auto | right; eapply B; eauto]. }
    destruct refuted as [|r rs]; [apply Keep|]. destruct (r =? n)%N; [|apply Keep].
    assert (In_ : forall k, In k (known_literals c ++ literals_of o) -> part_within s sc (LinearPart (term_of k))).
    { intros k I. apply in_app_or in I as [I|I]; [apply Kn; exact I | exact (Wo n o (or_introl eq_refl) k I)]. }
    eapply meets_bind; [apply refute_meets; auto; intros k I; exact (within_in nu tabs sc s M _ G (In_ k I))|]. intros ? s1 M1 G1 K1 N.
    eapply meets_weaker; [apply IH; [exact G1 | intros k I; eapply part_kept; eauto | intros n0 o0 I k J; eapply part_kept; [exact K1 | exact (Wo n0 o0 (or_intror I) k J)]]|].
    intros l s2 M2 _ _ [A B]. split; [intros o0 I; destruct (A o0 I) as (k & J); exists k; right; exact J|].
    intros n0 o0 [[= <- <-]|I] Hk Ho; [exfalso; apply N; intros k J; apply in_app_or in J as [J|J]; auto|].
    apply (B n0 o0 I); intros k J; apply (literal_kept _ _ _ _ k K1); auto; [exact (within_in nu tabs sc s M _ G (Kn k J)) | exact (within_in nu tabs sc s M _ G (Wo n0 o0 (or_intror I) k J))].
Qed.

(** ** The rule *)

(** The primary is at an instruction that is covered. *)
Record at_covered (c : configuration) (m : member_state) (l : N) (i : instruction) : Prop := {
  covered_member : nth (herd c) 0 = Some m;
  covered_place : place_of m = At l;
  covered_instruction : at_position (code E) l = Some i;
  covered_is : covered E m i = true }.
Lemma member_within s c who m : in_scope s c -> nth (herd c) who = Some m -> tables_within (variables c) m s.
Proof.
  intros Sc H. pose proof (terms_of_member s c who m Sc H) as Tm. destruct Sc as (_ & Rn & _). destruct (Rn m (herd_member c m (nth_in _ _ _ H))) as [R O _]. split.
  - intros r v F p I. apply Tm. rewrite member_terms_are. apply in_or_app. right. unfold other_terms. apply in_or_app. left. unfold entry_terms. apply in_flat_map.
    exists (r, v). split; [apply in_order_in; split; [exact (R r v F) | exact F] | exact I].
  - intros o x F p I. apply Tm. rewrite member_terms_are. apply in_or_app. right. unfold other_terms. apply in_or_app. right. apply in_or_app. left. unfold entry_terms. apply in_flat_map.
    exists (o, x). split; [apply in_order_in; split; [exact (O o x F) | exact F] | exact I].
Qed.
Lemma outcomes_are m l i (Q : list outcome -> state -> model -> Prop) nu s M : place_of m = At l -> at_position (code E) l = Some i ->
  (forall next_, meets nu s M (list_of_instruction E m i next_) (fun os s' K => Q (shown os) s' K)) -> meets nu s M (outcomes E m) Q.
Proof.
  intros Pl At H. unfold outcomes. rewrite Pl. cbn [instruction_at]. rewrite At. eapply meets_peek; [apply (peeks_some s _ _ (fun x => x = i)); congruence|]. intros ? ->.
  eapply meets_peek; [apply next_number_peek|]. intros next_ _. eapply meets_bind; [apply (H next_)|]. intros os s1 M1 G1 K1 q. apply meets_ret; auto.
Qed.
Definition rest_of_step c refuted (os : list outcome) : computes (list configuration) :=
  let$ os := Rules.not_excluded os in let$ os := Rules.still_open c os refuted in mapped (follow E c 0) os.
Lemma rest_scope nu s M c m l refuted os : Terms.well_sorted nu -> good nu s M -> in_scope s c -> nth (herd c) 0 = Some m -> place_of m = At l -> outcomes_within (variables c) s os ->
  meets nu s M (rest_of_step c refuted os) (fun cs s' _ => forall c', In c' cs -> in_scope s' c' /\ progress c' = true).
Proof.
  intros W G Sc H Pl Wo. unfold rest_of_step. eapply meets_peek; [eapply not_excluded_peek; eauto|]. intros kept [A _].
  eapply meets_bind; [apply (still_open_meets nu (variables c) c W kept refuted s M G (proj1 (in_scope_parts s c Sc))); intros n o I; exact (proj1 (Wo o (A n o I)))|].
  intros os1 s1 M1 G1 K1 [B _].
  apply (mapped_all tabs nu (follow E c 0) (fun s => in_scope s c /\ outcomes_within (variables c) s os1) (fun c' s' => in_scope s' c' /\ progress c' = true)); auto.
  - intros s2 M2 s3 M3 K [Sc2 Wo2]. split; [eapply in_scope_later; eauto|]. intros o I. destruct (Wo2 o I) as (X & Y & Z1).
    split; [intros k J; eapply part_kept; eauto | split; [intros p J; eapply part_kept; eauto | exact Z1]].
  - intros c' s2 M2 s3 M3 K [Sc2 Pr]. split; [eapply in_scope_later; eauto | exact Pr].
  - intros o s2 M2 I G2 [Sc2 Wo2]. eapply (follow_scope E P under tabs setting_right); eauto.
  - split; [eapply in_scope_later; eauto|]. intros o I. destruct (B o I) as (n & J). destruct (Wo o (A n o J)) as (X & Y & Z1).
    split; [intros k I2; eapply part_kept; eauto | split; [intros p I2; eapply part_kept; eauto | exact Z1]].
Qed.
Lemma step_scope nu s M c m l i refuted : Terms.well_sorted nu -> good nu s M -> in_scope s c -> at_covered c m l i ->
  meets nu s M (Rules.step E c refuted) (fun cs s' _ => forall c', In c' cs -> in_scope s' c' /\ progress c' = true).
Proof.
  intros W G Sc [H Pl At Cv]. unfold Rules.step, member_at. eapply meets_peek; [apply (peeks_some s _ _ (fun x => x = m)); congruence|]. intros ? ->.
  eapply meets_bind; [apply (outcomes_are m l i (fun os s' _ => outcomes_within (variables c) s' os) nu s M Pl At); intros next_;
    apply instruction_within; [exact G | eapply member_within; eauto | exact Cv]|].
  intros os s1 M1 G1 K1 Wo. apply (rest_scope nu s1 M1 c m l refuted os); auto. eapply in_scope_later; eauto.
Qed.

(** Under values of fresh variables that are chosen before it acts, the rule has a child for
    what happens. *)
Lemma rest_shows nu phi c m l o t ts st g d d0 rho roots lasts placed s M refuted os : Terms.well_sorted nu -> nth (herd c) 0 = Some m -> place_of m = At l ->
  Herds.last machine t = Goatherd.Runs.Running st -> Machine.location st = N.to_nat l ->
  RegisterSteps.ends_alike P (Machine.step P under g d0) (Machine.step P under st d) ->
  (forall r T, effect_of o = Draws r T -> exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x /\
    Machine.step P under g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (Terms.integers nu (Some T) (N.to_nat x))))) ->
  good nu s M -> In o os -> outcomes_within (variables c) s os -> chosen P under trees tabs nu phi c m l o t ts g d0 rho roots lasts placed s M ->
  meets nu s M (rest_of_step c refuted os) (fun cs s' K => exists c', In c' cs /\ shows_under s' c' nu K phi (moved_on P under t st d) ts).
Proof.
  intros W H Pl La Lo Al Dr G I Wo Ch. pose proof (chosen_scope _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Ch) as Sc.
  pose proof (chosen_holds _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Ch) as Ho. pose proof (chosen_shows _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Ch) as (_ & _ & Lk & _).
  unfold rest_of_step. eapply meets_peek; [eapply not_excluded_peek; eauto|]. intros kept [A A']. destruct (A' o I Ho) as (n & J).
  eapply meets_bind; [apply (still_open_meets nu (variables c) c W kept refuted s M G (proj1 (in_scope_parts s c Sc))); intros k q J'; exact (proj1 (Wo q (A k q J')))|].
  intros os1 s1 M1 G1 K1 [B B']. pose proof (B' n o J Lk Ho) as I1.
  eapply meets_weaker; [apply (mapped_one tabs nu (follow E c 0)
    (fun s M => chosen P under trees tabs nu phi c m l o t ts g d0 rho roots lasts placed s M /\ good nu s M /\ outcomes_within (variables c) s os1)
    (fun c' s' K => in_scope s' c' /\ good nu s' K /\ shows_under s' c' nu K phi (moved_on P under t st d) ts)) with (o := o)|].
  - intros s2 M2 s3 M3 G3 K (C2 & G2 & W2). split; [eapply chosen_later; eauto|]. split; auto. intros q Iq. destruct (W2 q Iq) as (X & Y & Z1).
    split; [intros k J2; eapply part_kept; eauto | split; [intros p J2; eapply part_kept; eauto | exact Z1]].
  - intros c' s2 M2 s3 M3 G3 K (S2 & G2 & Sh). split; [eapply in_scope_later; eauto|]. split; auto. eapply carried_on; eauto.
  - exact I1.
  - intros q s2 M2 Iq G2 (C2 & _ & W2). eapply meets_weaker; [eapply (follow_scope E P under tabs setting_right); eauto; exact (chosen_scope _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ C2) | auto].
  - intros s2 M2 G2 (C2 & _ & W2). eapply meets_weaker; [eapply (follow_shows E P under trees tabs setting_right); eauto|].
    intros c' s3 M3 G3 _ [S3 Sh]. auto.
  - exact G1.
  - split; [exact (chosen_later P under trees tabs nu phi c m l o t ts g d0 rho roots lasts placed H s M s1 M1 G G1 K1 Ch)|]. split; [exact G1|]. intros q Iq. destruct (B q Iq) as (k & J2). destruct (Wo q (A k q J2)) as (X & Y & Z1).
    split; [intros k2 I2; eapply part_kept; eauto | split; [intros p I2; eapply part_kept; eauto | exact Z1]].
  - intros cs s2 M2 _ _ (c' & Ic & _ & _ & Sh). eauto.
Qed.

(** What the list says happens, and the values of fresh variables that it asks for. *)
Lemma values_for nu s c M e z : modelled tabs s -> in_scope s c -> Terms.well_sorted nu -> good nu s M ->
  (forall r T, e = Draws r T -> Integers.within T z) -> exists mu K, Terms.well_sorted mu /\ good mu s K /\ agree_within (variables c) nu mu /\
    forall r T, e = Draws r T -> exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x /\ Terms.integers mu (Some T) (N.to_nat x) = z.
Proof.
  intros Mo [F _] W G Wz. assert (Same : agree_within (variables c) nu nu) by (split; auto).
  destruct e as [k|r v| |r T|q f el v|r dd n f|q]; try (exists nu, M; split; auto; split; auto; split; auto; intros; discriminate).
  assert (Ex : exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x).
  { destruct F as [F _]. destruct (integers (variables c)) as [|a0 [|a1 [|a2 [|a3 [|a4 [|a5 [|a6 [|a7 [|a8 [|a9 [|]]]]]]]]]]]; try discriminate. destruct T; eexists; reflexivity. }
  destruct Ex as [x Ex]. pose proof (Wz r T eq_refl) as Wt. set (mu := set_integer nu (Some T) x z).
  assert (Wm : Terms.well_sorted mu) by (apply set_integer_sorted; auto). destruct (Mo mu Wm) as [K Gk]. exists mu, K. split; auto. split; auto.
  split; [apply set_integer_agrees; exact Ex|]. intros r0 T0 [= <- <-]. exists x. split; auto. apply set_integer_value.
Qed.
Theorem step_shows s c m l i refuted cs s' : sane s c -> at_covered c m l i -> Rules.step E c refuted s = Gives cs s' ->
  later s s' /\ (forall c', In c' cs -> sane s' c' /\ progress c' = true) /\ Herds.sound_step machine stage shows (Open s c) (List.map (Open s') cs).
Proof.
  intros Sn Co Ru. pose proof Sn as [Mo Sc]. pose proof Co as [H Pl At Cv].
  assert (R : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (Rules.step E c refuted) (fun cs s' _ => forall c', In c' cs -> in_scope s' c' /\ progress c' = true))
    by (intros; eapply step_scope; eauto).
  assert (La : later s s') by (eapply (meets_later tabs s _ cs s' (fun _ _ cs s' _ => forall c', In c' cs -> in_scope s' c' /\ progress c' = true)); eauto).
  split; auto. split.
  { intros c' I. destruct (Mo zeros zeros_sorted) as [M G]. destruct (R zeros M zeros_sorted G _ _ Ru) as (_ & _ & _ & J). destruct (J c' I) as [J1 J2].
    split; [|exact J2]. split; [eapply modelled_later; eauto | exact J1]. }
  intros t ts [[Gt _] (nu & M & phi & S)]. pose proof S as (W & G & Lk & Me & A & _).
  (* The primary's state, and the one that is described. *)
  pose proof (member_within s c 0 m Sc H) as Sl. pose proof (terms_of_member s c 0 m Sc H) as Tm.
  assert (An : exists st, Herds.last machine t = Goatherd.Runs.Running st /\ FoldedMembers.denotes_state P (symbols_of c) (valued M) phi (member_of l m) st).
  { unfold herd_accounts in A. destruct (herd c) as [|m0 ms]; [destruct A|]. injection H as ->. destruct A as [[A _] _]. simpl in A. rewrite Pl in A. exact A. }
  destruct An as (st & Ls & Dn). rewrite Ls. split; [simpl; auto|]. intros k x Hx. simpl in Hx. destruct Hx as (d & -> & ->).
  pose proof (proj1 (Goatherd.Stepping.genuine_executed P under locals types memories contents t st Gt Ls)) as Td.
  pose proof (Goatherd.Stepping.denoted_location P _ _ _ _ _ Dn) as Lo. change (FoldedMembers.place_of (member_of l m)) with (N.to_nat l) in Lo.
  assert (As : Goatherd.Stepping.asked P (Translated.instruction_of i)) by (exact (covered_asked E P under setting_right m i Cv)).
  assert (Na : forall r e b f, Translated.instruction_of i <> Programs.Allocate r e b f) by (clear - Cv; intros; destruct i; simpl in *; discriminate).
  destruct (RegisterSteps.steps_as P under locals types memories (symbols_of c) phi (valued M) (member_of l m) st _ Dn Td (same_code _ _ _ setting_right l i At) As Na)
    as (g & rho & roots & lasts & placed & Fg & D & Do & _). destruct (Do d) as (d0 & _ & Al).
  assert (Rn : tables_right m) by (destruct Sc as (_ & Rn & _); exact (Rn m (herd_member c m (nth_in _ _ _ H)))).
  (* The outcome that happens. *)
  unfold Rules.step, member_at in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. rewrite H in Ru. unfold ret at 1 in Ru. unfold bind at 1 in Ru.
  destruct (outcomes E m s) as [os s1|] eqn:Os; [|discriminate]. change (rest_of_step c refuted os s1 = Gives cs s') in Ru.
  assert (Right : forall mu K, Terms.well_sorted mu -> good mu s K -> all_same M K (member_terms m) -> meets mu s K (outcomes E m) (fun os s' K' =>
    list_right P under l m rho roots lasts g K' os /\ outcomes_within (variables c) s' os)).
  { intros mu K Wm Gk Vs. apply (outcomes_are m l i _ mu s K Pl At). intros next_. apply meets_also.
    - exact (instruction_listed E P under setting_right mu tabs l m (symbols_of c) phi s K rho roots lasts placed g
        (described_later P phi c m l g rho roots lasts placed M K Vs D) Fg Rn (fun p I => within_in mu tabs (variables c) s K p Gk (Tm p I))
        i At types (Bounds.layouts_formed _ memories) s K Gk (keeps_refl s K) i next_ eq_refl Cv).
    - apply instruction_within; auto. }
  destruct (Right nu M W G ltac:(intros p I; destruct p; simpl; auto) _ _ Os) as (M1 & G1 & K1 & [Ex _] & Wo). destruct (Ex d0) as (o & I & Ho & Hp).
  (* Values of fresh variables. *)
  assert (Zs : exists z, forall r T, effect_of o = Draws r T -> Integers.within T z /\ Machine.step P under g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z))).
  { clear - Hp. destruct (effect_of o); try (exists 0; intros; discriminate). destruct Hp as (_ & z & Wz & Sz). exists z. intros r0 T0 [= <- <-]. auto. }
  destruct Zs as [z Zs]. destruct (values_for nu s c M (effect_of o) z Mo Sc W G (fun r T Ee => proj1 (Zs r T Ee))) as (mu & K & Wm & Gk & Ag & Fv).
  assert (Vs : forall p, part_within s (variables c) p -> same_value M K p) by (intros p; apply (within_agree tabs nu mu (variables c) Ag s M K G Gk)).
  destruct (Right mu K Wm Gk (fun p I2 => Vs p (Tm p I2)) _ _ Os) as (N1 & H1 & L1 & _ & _).
  assert (Vs1 : forall p, part_within s1 (variables c) p -> same_value M1 N1 p) by (intros p; apply (within_agree tabs nu mu (variables c) Ag s1 M1 N1 G1 H1)).
  destruct (Wo o I) as (Wl & We & Ch).
  assert (C : chosen P under trees tabs mu phi c m l o t ts g d0 rho roots lasts placed s1 N1).
  { split.
    - eapply in_scope_later; eauto.
    - apply (carried_on P under trees tabs s s1 c mu K N1 phi t ts Sc H1 L1). exact (carried_over P under trees tabs s c nu mu M K phi t ts Sc Wm Ag Gk S).
    - intros q J. apply (literal_same M1 N1); [apply Vs1, Wl, J | auto].
    - exact (Wo o I).
    - apply (described_later P phi c m l g rho roots lasts placed M N1); [|exact D]. intros p J. pose proof (Vs p (Tm p J)) as V.
      pose proof (kept_value s K s1 N1 p L1 (within_in mu tabs (variables c) s K p Gk (Tm p J))) as V'. destruct p; simpl in *; [congruence | intros j; rewrite V'; apply V].
    - apply (happens_same P l m rho roots lasts g M1 N1); [intros p J; apply Vs1, We, J | exact Hp]. }
  assert (Dr : forall r T, effect_of o = Draws r T -> exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x /\
    Machine.step P under g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (Terms.integers mu (Some T) (N.to_nat x))))).
  { intros r T Ee. destruct (Fv r T Ee) as (x & Ex' & Vx). exists x. split; auto. rewrite Vx. exact (proj2 (Zs r T Ee)). }
  destruct (rest_shows mu phi c m l o t ts st g d d0 rho roots lasts placed s1 N1 refuted os Wm H Pl Ls Lo Al Dr H1 I Wo C _ _ Ru) as (N2 & _ & _ & c' & J & Sh).
  exists (Open s' c'). split; [apply in_map; exact J|]. exists mu, N2, phi. exact Sh.
Qed.
End StepShown.
