(** That Step shows what it has to show, as the second checker computes it
    (spec/calculus.md#step), where the primary is at an instruction that is covered. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists CellsStand CoveredLists Moving RegisterScopes PointerScopes Followed Drawn MadeShown Performed Stepped.
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
Hypothesis no_local_sort : forall s, Tidy.is_local P (Sorts.declaration (trees s)) = false.
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

(** The primary is at an instruction that is covered, and what leaks ask for is computed. *)
Record at_covered (s : state) (c : configuration) (m : member_state) (l : N) (i : instruction) : Prop := {
  covered_member : nth (herd c) 0 = Some m;
  covered_place : place_of m = At l;
  covered_instruction : at_position (code E) l = Some i;
  covered_is : covered E m i = true;
  covered_known : is_leak_known m i s = true }.
Lemma member_within s c who m : in_scope s c -> nth (herd c) who = Some m -> tables_within (variables c) m s.
Proof.
  intros Sc H. pose proof (terms_of_member s c who m Sc H) as Tm. destruct Sc as (_ & Rn & _). destruct (Rn m (herd_member c m (nth_in _ _ _ H))) as [R O _]. split.
  - intros r v F p I. apply Tm. rewrite member_terms_are. apply in_or_app. right. unfold other_terms. apply in_or_app. left. unfold entry_terms. apply in_flat_map.
    exists (r, v). split; [apply in_order_in; split; [exact (R r v F) | exact F] | exact I].
  - intros o x F p I. apply Tm. rewrite member_terms_are. apply in_or_app. right. unfold other_terms. apply in_or_app. right. apply in_or_app. left. unfold entry_terms. apply in_flat_map.
    exists (o, x). split; [apply in_order_in; split; [exact (O o x F) | exact F] | exact I].
Qed.
Lemma outcomes_are m l i (Q : list outcome -> state -> model -> Prop) nu s M : place_of m = At l -> at_position (code E) l = Some i ->
  meets nu s M (list_of_instruction E m i (N.succ l)) (fun os s' K => Q (shown os) s' K) -> meets nu s M (outcomes E m) Q.
Proof.
  intros Pl At H. unfold outcomes. rewrite Pl. cbn [instruction_at]. rewrite At. eapply meets_peek; [apply (peeks_some s _ _ (fun x => x = i)); congruence|]. intros ? ->.
  eapply meets_peek; [apply next_number_peek|]. intros ? ->. eapply meets_bind; [exact H|]. intros os s1 M1 G1 K1 q. apply meets_ret; auto.
Qed.
Definition rest_of_step c refuted (os : list outcome) : computes (list configuration) :=
  let$ os := Rules.not_excluded os in let$ os := Rules.still_open c os refuted in mapped (follow E c 0) os.
Lemma rest_follows s c m l refuted os cs s' : sane s c -> nth (herd c) 0 = Some m -> place_of m = At l -> outcomes_within (variables c) s os -> rest_of_step c refuted os s = Gives cs s' ->
  later s s' /\ (forall c', In c' cs -> sane s' c' /\ progress c' = true) /\
  forall o nu M, In o os -> Terms.well_sorted nu -> good nu s M -> literals_hold M (known_literals c) -> literals_hold M (literals_of o) ->
    exists s1 c' s2, later s s1 /\ sane s1 c /\ follow E c 0 o s1 = Gives c' s2 /\ later s2 s' /\ In c' cs.
Proof.
  intros Sn H Pl Wo R. pose proof Sn as [Mo Sc]. unfold rest_of_step in R. unfold bind at 1 in R. destruct (Rules.not_excluded os s) as [kept s0|] eqn:Ne; [|discriminate].
  destruct (Mo zeros zeros_sorted) as [M0 G0]. destruct (not_excluded_peek zeros s M0 os G0 _ _ Ne) as [-> [A _]].
  unfold bind at 1 in R. destruct (Rules.still_open c kept refuted s) as [os1 s1|] eqn:So; [|discriminate].
  assert (Op : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (Rules.still_open c kept refuted) (fun l _ _ => (forall o, In o l -> exists n, In (n, o) kept) /\
    forall n o, In (n, o) kept -> literals_hold M (known_literals c) -> literals_hold M (literals_of o) -> In o l))
    by (intros nu M W G; apply (still_open_meets nu (variables c) c W kept refuted s M G (proj1 (in_scope_parts s c Sc))); intros n o I; exact (proj1 (Wo o (A n o I)))).
  assert (L1 : later s s1) by (eapply (meets_later tabs s _ os1 s1 (fun _ M l _ _ => (forall o, In o l -> exists n, In (n, o) kept) /\ _)); [exact Op | exact So]).
  destruct (Op zeros M0 zeros_sorted G0 _ _ So) as (_ & _ & _ & B & _).
  destruct (mapped_each tabs (follow E c 0) (fun s => sane s c /\ outcomes_within (variables c) s os1) (fun c' s' => sane s' c' /\ progress c' = true)) with (l := os1) (s := s1) (bs := cs) (s' := s') as (L2 & Qs & Each); auto.
  - intros s2 s3 L [Sn2 Wo2]. split; [eapply later_sane; eauto|]. intros o I. eapply outcome_later; [exact (proj1 Sn2) | exact L | auto].
  - intros c' s2 s3 L [Sn2 Pr]. split; [eapply later_sane; eauto | exact Pr].
  - intros o s2 c' s3 I [Sn2 Wo2] Fo. exact (follow_sane E P under tabs setting_right s2 c 0 m l o c' s3 Sn2 H Pl (Wo2 o I) Fo).
  - split; [eapply later_sane; eauto|]. intros o I. destruct (B o I) as (n & J). eapply outcome_later; [exact Mo | exact L1 | exact (Wo o (A n o J))].
  - split; [eapply later_trans; eauto|]. split; [exact Qs|]. intros o nu M I W G Kn Lo.
    destruct (not_excluded_peek nu s M os G _ _ Ne) as [_ [_ A']]. destruct (A' o I Lo) as (n & J). destruct (Op nu M W G _ _ So) as (_ & _ & _ & _ & B').
    destruct (Each o (B' n o J Kn Lo)) as (s2 & c' & s3 & La & [Sn2 _] & Fo & Lb & Ic). exists s2, c', s3. split; [eapply later_trans; eauto | auto].
Qed.
Theorem step_shows s c m l i refuted cs s' : sane s c -> at_covered s c m l i -> Rules.step E c refuted s = Gives cs s' ->
  later s s' /\ (forall c', In c' cs -> sane s' c' /\ progress c' = true) /\ Herds.sound_step machine stage shows (Open s c) (List.map (Open s') cs).
Proof.
  intros Sn Co Ru. pose proof Sn as [Mo Sc]. pose proof Co as [H Pl At Cv Kn].
  unfold Rules.step, member_at in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. rewrite H in Ru. unfold ret at 1 in Ru. unfold bind at 1 in Ru.
  destruct (outcomes E m s) as [os s1|] eqn:Os; [|discriminate]. change (rest_of_step c refuted os s1 = Gives cs s') in Ru.
  assert (Within_ : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (outcomes E m) (fun os s' _ => outcomes_within (variables c) s' os))
    by (intros nu M W G; apply (outcomes_are m l i (fun os s' _ => outcomes_within (variables c) s' os) nu s M Pl At); apply instruction_within; [exact G | eapply member_within; eauto | exact Cv]).
  assert (L1 : later s s1) by (eapply (meets_later tabs s _ os s1 (fun _ _ os s' _ => outcomes_within (variables c) s' os)); eauto).
  assert (Wo : outcomes_within (variables c) s1 os) by (destruct (Mo zeros zeros_sorted) as [M G]; destruct (Within_ zeros M zeros_sorted G _ _ Os) as (_ & _ & _ & X); exact X).
  destruct (rest_follows s1 c m l refuted os cs s' (later_sane tabs _ _ _ L1 Sn) H Pl Wo Ru) as (L2 & Kc & Fo). split; [eapply later_trans; eauto|]. split; [exact Kc|].
  intros t ts [[Gt _] (nu & M & phi & S)]. pose proof S as (W & G & Lk & Me & A & _).
  (* The primary's state, and the one that is described. *)
  pose proof (terms_of_member s c 0 m Sc H) as Tm.
  assert (An : exists st, Herds.last machine t = Goatherd.Runs.Running st /\ FoldedMembers.denotes_state P (symbols_of c) (valued M) phi (member_of l m) st).
  { unfold herd_accounts in A. destruct (herd c) as [|m0 ms]; [destruct A|]. injection H as ->. destruct A as [[A _] _]. simpl in A. rewrite Pl in A. exact A. }
  destruct An as (st & Ls & Dn). rewrite Ls. split; [simpl; auto|]. intros k x Hx. simpl in Hx. destruct Hx as (d & -> & ->).
  pose proof (Goatherd.Stepping.genuine_executed P under locals types memories contents t st Gt Ls) as Td.
  pose proof (Goatherd.Stepping.denoted_location P _ _ _ _ _ Dn) as Lo. change (FoldedMembers.place_of (member_of l m)) with (N.to_nat l) in Lo.
  assert (As : RegisterSteps.asked_of P (Translated.instruction_of i)) by (exact (covered_asked E P under setting_right m i Cv)).
  assert (Rn : tables_right m) by (destruct Sc as (_ & Rn & _); exact (Rn m (herd_member c m (nth_in _ _ _ H)))).
  destruct (RegisterSteps.steps_as P under locals types memories (symbols_of c) phi (valued M) (member_of l m) st _ Dn Td (same_code _ _ _ setting_right l i At) As (covered_allocates E P under setting_right l m i Cv Rn))
    as (g & rho & roots & lasts & placed & Fg & D & Do & _). destruct (Do d) as (d0 & _ & Bg & Al).
  (* The outcome that happens, and the state in which its child is made. *)
  assert (Right : meets nu s M (outcomes E m) (fun os s' K' => list_right P under l m rho roots lasts g K' os)).
  { apply (outcomes_are m l i _ nu s M Pl At).
    exact (instruction_listed E P under setting_right nu tabs l m (symbols_of c) phi s M rho roots lasts placed g D Fg Rn (fun p I => within_in nu tabs (variables c) s M p G (Tm p I))
      i At types (Bounds.layouts_formed _ memories) G i eq_refl Cv Kn). }
  destruct (Right _ _ Os) as (M1 & G1 & K1 & [Ex _]). destruct (Ex d0) as (o & I & Ho & Hp).
  pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t ts Sc G1 K1 S) as S1.
  destruct (Fo o nu M1 I W G1 (proj1 (proj2 (proj2 S1))) Ho) as (s2 & c' & s3 & La & Sn2 & Fl & Lb & Ic). destruct (La nu M1 W G1) as (M2 & G2 & K2). destruct (Wo o I) as [Wl We].
  destruct (follow_shows E P under trees tabs setting_right nu phi s2 M2 c m l o c' s3 t ts st g d d0 rho roots lasts placed Sn2 H Pl) as (mu & K & S3); auto.
  - apply (outcome_later tabs s1 s2); [exact (proj1 (later_sane tabs _ _ _ L1 Sn)) | exact La | exact (Wo o I)].
  - exact (carried_on P under trees tabs s1 s2 c nu M1 M2 phi t ts (proj2 (later_sane tabs _ _ _ L1 Sn)) G2 K2 S1).
  - revert D. apply SameValues.describes_same; [intros y q; auto|]. apply member_same. intros p J. eapply kept_value; [eapply keeps_trans; eauto|]. exact (within_in nu tabs (variables c) s M p G (Tm p J)).
  - exact (meant_cells P trees _ phi _ l m rho roots lasts placed g no_local_sort Me D).
  - intros q J. apply (literal_kept _ _ _ _ q K2); [exact (within_in nu tabs (variables c) s1 M1 _ G1 (Wl q J)) | auto].
  - apply (happens_kept P l m rho roots lasts g s1 M1 s2 M2 _ _ K2); [intros p J; exact (within_in nu tabs (variables c) s1 M1 p G1 (We p J)) | exact Hp].
  - pose proof S3 as (W3 & G3 & _). destruct (Lb mu K W3 G3) as (K' & G4 & K4). exists (Open s' c'). split; [apply in_map; exact Ic|]. exists mu, K', phi.
    assert (Sc3 : in_scope s3 c') by (destruct (follow_sane E P under tabs setting_right s2 c 0 m l o c' s3 Sn2 H Pl (outcome_later tabs s1 s2 _ o (proj1 (later_sane tabs _ _ _ L1 Sn)) La (Wo o I)) Fl) as (_ & [_ X] & _); exact X).
    exact (carried_on P under trees tabs s3 s' c' mu K K' phi _ ts Sc3 G4 K4 S3).
Qed.
End StepShown.
