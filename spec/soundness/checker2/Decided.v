(** That StepDecided shows what it has to show, as the second checker computes it
    (spec/calculus.md#stepdecided), where the scapegoat is at an instruction that is covered
    and nothing is chosen. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists CellsStand CoveredLists Moving RegisterScopes PointerScopes Followed Drawn FreshObjects MadeShown Performed Stepped StepShown.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

(** ** One of many *)

Lemma one_of_many {A B C} (f : A -> B) (R : B -> C -> Prop) ms : forall p m ts, Forall2 R (List.map f ms) ts -> nth ms p = Some m ->
  exists front x back, ts = front ++ x :: back /\ length front = N.to_nat p /\ R (f m) x /\
    forall m' x', R (f m') x' -> Forall2 R (List.map f (replaced ms p m')) (front ++ x' :: back).
Proof.
  induction ms as [|a ms IH]; intros p m ts F N; [discriminate|]. cbn [List.map] in F. inversion F as [|? x ? ts' Ra F']; subst. cbn [nth] in N. cbn [replaced].
  destruct (N.eqb_spec p 0) as [->|D].
  - injection N as <-. exists [], x, ts'. split; auto. split; auto. split; auto. intros m' x' R'. simpl. constructor; auto.
  - destruct (IH _ _ _ F' N) as (front & y & back & -> & L & Ry & All). exists (x :: front), y, back. split; auto. split; [simpl; rewrite L; lia|]. split; auto.
    intros m' x' R'. simpl. constructor; auto.
Qed.

Section Decided.
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

(** ** The scapegoat behind the effect *)

(** Other terms have the values that they had; it accounts for what has been done. *)
Lemma scapegoat_moves nu phi s M mu s1 M1 c c1 who m m' t front k r0 back r1 : in_scope s c -> world tabs s1 (set_member c1 who m') mu M1 -> goes_on tabs s c M s1 (set_member c1 who m') M1 -> draws c c1 ->
  nth (herd c) who = Some m -> (who =? 0)%N = false -> size_of m' = size_of m -> shows_under s c nu M phi t (front ++ (k, r0) :: back) -> length front = N.to_nat (N.pred who) ->
  (Configurations.accounts P under (symbols_of c) (valued M1) phi (counted_of m) r0 -> Configurations.accounts P under (symbols_of c) (valued M1) phi (counted_of m') r1) ->
  shows_under s1 (set_member c1 who m') mu M1 phi t (front ++ (k, r1) :: back).
Proof.
  intros Sc W1 Go D H Wh Sz S Lf Ac.
  pose proof (carried P under trees tabs s s1 c nu mu M M1 phi t _ (world_sorted _ _ _ _ _ W1) (world_good _ _ _ _ _ W1) (fun p I => proj2 (goes_terms _ _ _ _ _ _ _ Go p (proj2 (proj2 Sc) p I))) S) as (Ws & Gd & L & Me & A & En).
  rewrite D in *. clear D. split; [exact Ws|]. split; [exact Gd|]. split; [exact L|]. split; [exact Me|]. split; [|exact En].
  unfold herd_accounts in *. cbn [set_member with_herd with_variables herd]. destruct (herd c) as [|m0 ms]; [destruct A|]. destruct A as [A B]. cbn [nth] in H. rewrite Wh in H. cbn [replaced]. rewrite Wh. split; [exact A|].
  destruct (one_of_many sized_of _ ms (N.pred who) m _ B H) as (front' & [k' r'] & back' & Ets & Lf' & [Sk Ac0] & All).
  assert (Same : front' = front /\ (k', r') = (k, r0) /\ back' = back).
  { assert (Lq : length front' = length front) by congruence. clear - Ets Lq. revert front' Lq Ets. induction front as [|a front IH]; intros [|b front'] Lq Eq; simpl in *; try discriminate.
    - injection Eq as -> -> ->. auto.
    - injection Eq as -> Eq. injection Lq as Lq. destruct (IH front' Lq Eq) as (-> & -> & ->). auto. }
  destruct Same as (-> & [= -> ->] & ->). cbn [fst snd] in Sk, Ac0. apply All. split; [simpl; rewrite Sz; exact Sk | exact (Ac Ac0)].
Qed.

(** ** The rule *)

Record stands_covered (s : state) (c : configuration) (who : N) (m : member_state) (l : N) (i : instruction) : Prop := {
  stands_member : nth (herd c) who = Some m;
  stands_place : place_of m = At l;
  stands_instruction : at_position (code E) l = Some i;
  stands_is : covered E m i = true;
  stands_known : is_leak_known m i s = true }.
Lemma entailed_meets nu sc predicate : Terms.well_sorted nu -> forall ls s M, good nu s M -> (forall k, In k predicate -> part_within s sc (LinearPart (term_of k))) -> all_within sc s ls ->
  meets nu s M (for_each (entail predicate) ls) (fun _ _ _ => literals_hold M predicate -> literals_hold M ls).
Proof.
  intros W. unfold for_each. induction ls as [|k ls IH]; intros s M G Kn Wl; cbn [folded_left]; [apply meets_ret; auto; intros _ ? []|].
  eapply meets_bind; [apply entail_meets; auto; [intros q I; exact (within_in nu tabs sc s M _ G (Kn q I)) | exact (within_in nu tabs sc s M _ G (Wl k (or_introl eq_refl)))]|].
  intros [] s1 M1 G1 K1 Hk. eapply meets_weaker; [apply IH; [exact G1 | intros q I; eapply part_kept; eauto | intros q I; eapply part_kept; [exact K1 | apply Wl; right; exact I]]|].
  intros ? s2 M2 _ _ Hl P0 q [<-|I]; [exact (Hk P0)|].
  apply (literal_kept _ _ _ _ q K1); [exact (within_in nu tabs sc s M _ G (Wl q (or_intror I)))|]. apply Hl; [|exact I].
  intros j J. apply (literal_kept _ _ _ _ j K1); [exact (within_in nu tabs sc s M _ G (Kn j J)) | auto].
Qed.
(** What is done once the list is there. *)
Definition decided_from env c who n (os : list outcome) : computes configuration :=
  let$ o := some (nth os n) Rejection.Missing in
  demand (negb (Rules.is_ignorance o)) Rejection.Ignorance >>
  for_each (entail (known_literals c)) (literals_of o) >>
  let$ (c, _) := perform E c env who (effect_of o) in ret c.
(** A scapegoat goes on as an outcome says that can happen; fresh variables have the values that
    it draws. *)
Lemma scapegoat_goes nu phi c who m l o t s M s1 c1 env front k r0 back st g rho roots lasts placed : Terms.well_sorted nu -> good nu s M ->
  sane s c -> nth (herd c) who = Some m -> (who =? 0)%N = false -> place_of m = At l -> outcome_within (variables c) s o ->
  shows_under s c nu M phi t (front ++ (k, r0) :: back) -> length front = N.to_nat (N.pred who) -> Herds.last machine r0 = Goatherd.Runs.Running st -> Machine.location st = N.to_nat l ->
  (forall d0, exists d, RegisterSteps.ends_alike P (Machine.step P under g d0) (Machine.step P under st d)) -> FoldedMembers.fine_state P g ->
  FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g ->
  can_happen P under l m rho roots lasts g M (effect_of o) -> perform E c AnyValue who (effect_of o) s = Gives (c1, env) s1 ->
  exists r', Herds.extends machine r0 r' /\ shows (Open s1 c1) t (front ++ (k, r') :: back).
Proof.
  intros W G [Mo Sc] H Wh Pl [Wl We] S Lf Ls Lo Do Fg D Ca Pe.
  assert (Hp : exists d0, Machine.start d0 = 0 /\ happens P l m rho roots lasts g M (effect_of o) (Machine.step P under g d0)).
  { destruct (effect_of o) as [k0|r v| |r T|q f el v|r dd nn f|q]; try exact Ca.
    2: { destruct Ca as (Dg & May & Ca). destruct (Ca still) as [d0 Sd]. exists d0. split; [rewrite <- (made_start P under g d0 r dd _ f still Sd); reflexivity|]. split; [exact Dg|]. split; [exact May|]. exists still. exact Sd. }
    destruct Ca as [Dg Ca]. destruct (Ca 0 (zero_within T)) as [d0 Sd].
    exists {| Machine.number := Machine.number d0; Machine.start := 0; Machine.fills := Machine.fills d0 |}. split; [reflexivity|]. split; [exact Dg|]. exists 0. split; [apply zero_within|].
    rewrite <- Sd. unfold Machine.draws, Machine.step in *. destruct (List.nth_error _ _) as [[]|]; try discriminate. reflexivity. }
  destruct Hp as (d0 & Bg & Hp). destruct (Do d0) as [d Al]. pose proof S as (_ & _ & _ & Me & _).
  destruct (performed E P under tabs setting_right phi s c nu M who m l (effect_of o) rho roots lasts placed g st d0 d (Build_world _ _ _ _ _ W G Sc Mo) H Pl We D Fg (meant_cells P trees _ phi _ l m rho roots lasts placed g no_local_sort Me D) Hp Bg Al Lo c1 env s1 Pe)
    as (mu & M1 & c2 & m' & Dr & -> & W1 & Go & Sz & Ac).
  exists (moved_on P under r0 st d). split.
  - unfold moved_on. apply (Herds.extends_step machine r0 r0); [apply (Herds.extends_refl machine)|]. rewrite Ls. simpl. exists d. split; reflexivity.
  - exists mu, M1, phi. eapply (scapegoat_moves nu phi s M mu s1 M1 c c2 who m m' t front k r0 back); eauto. intros [_ C]. apply Ac; [exact Ls|]. simpl in C. destruct (consumed_of m); auto. rewrite valued_term in C. exact C.
Qed.

(** Where a scapegoat is, and a state that its member describes. *)
Lemma scapegoat_stands nu M phi s c who m l i t ts : Herds.herd machine t ts -> in_scope s c -> shows_under s c nu M phi t ts -> (who =? 0)%N = false -> stands_covered s c who m l i ->
  exists front k r0 back st g rho roots lasts placed, ts = front ++ (k, r0) :: back /\ length front = N.to_nat (N.pred who) /\
    Herds.last machine r0 = Goatherd.Runs.Running st /\ Machine.location st = N.to_nat l /\ FoldedMembers.fine_state P g /\
    FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g /\
    forall d0, exists d, RegisterSteps.ends_alike P (Machine.step P under g d0) (Machine.step P under st d).
Proof.
  intros [_ Gts] Sc S Wh [H Pl At Cv _]. destruct S as (W & G & Lk & Me & A & _).
  assert (An : exists front k r0 back, ts = front ++ (k, r0) :: back /\ length front = N.to_nat (N.pred who) /\ Configurations.accounts P under (symbols_of c) (valued M) phi (counted_of m) r0).
  { unfold herd_accounts in A. destruct (herd c) as [|m0 ms]; [destruct A|]. destruct A as [_ B]. cbn [nth] in H. rewrite Wh in H.
    destruct (one_of_many sized_of _ ms (N.pred who) m ts B H) as (front & [k r0] & back & -> & Lf & [_ Ac] & _). exists front, k, r0, back. auto. }
  destruct An as (front & k & r0 & back & -> & Lf & Ac). assert (Gr : Herds.genuine machine r0).
  { rewrite Forall_forall in Gts. apply (Gts (k, r0)). apply in_or_app. right. left. reflexivity. }
  assert (An : exists st, Herds.last machine r0 = Goatherd.Runs.Running st /\ FoldedMembers.denotes_state P (symbols_of c) (valued M) phi (member_of l m) st).
  { destruct Ac as [Ac _]. simpl in Ac. rewrite Pl in Ac. exact Ac. }
  destruct An as (st & Ls & Dn). pose proof (Goatherd.Stepping.genuine_executed P under locals types memories contents r0 st Gr Ls) as Td.
  pose proof (Goatherd.Stepping.denoted_location P _ _ _ _ _ Dn) as Lo. change (FoldedMembers.place_of (member_of l m)) with (N.to_nat l) in Lo.
  assert (As : RegisterSteps.asked_of P (Translated.instruction_of i)) by (exact (covered_asked E P under setting_right m i Cv)).
  pose proof (proj1 (proj2 Sc) m (herd_member c m (nth_in _ _ _ H))) as Rn.
  destruct (RegisterSteps.steps_as P under locals types memories (symbols_of c) phi (valued M) (member_of l m) st _ Dn Td (same_code _ _ _ setting_right l i At) As (covered_allocates E P under setting_right l m i Cv Rn))
    as (g & rho & roots & lasts & placed & Fg & D & _ & Do).
  exists front, k, r0, back, st, g, rho, roots, lasts, placed. repeat (split; [assumption || reflexivity|]). exact Do.
Qed.
(** What its list says of that. *)
Lemma scapegoat_lists nu M phi s c who m l i rho roots lasts placed g : Terms.well_sorted nu -> good nu s M -> in_scope s c -> stands_covered s c who m l i ->
  FoldedMembers.fine_state P g -> FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g ->
  meets nu s M (outcomes E m) (fun os s' K => list_right P under l m rho roots lasts g K os /\ outcomes_within (variables c) s' os).
Proof.
  intros W G Sc [H Pl At Cv Kn] Fg D. pose proof (terms_of_member s c who m Sc H) as Tm. pose proof Sc as (_ & Rn0 & _). pose proof (Rn0 m (herd_member c m (nth_in _ _ _ H))) as Rn.
  apply (outcomes_are E tabs m l i _ nu s M Pl At). apply meets_also.
  - exact (instruction_listed E P under setting_right nu tabs l m (symbols_of c) phi s M rho roots lasts placed g D Fg Rn (fun p I => within_in nu tabs (variables c) s M p G (Tm p I))
      i At types (Bounds.layouts_formed _ memories) G i eq_refl Cv Kn).
  - apply instruction_within; [exact G | eapply member_within; eauto | exact Cv].
Qed.
(** What it may be is listed, whatever the values; what is entailed is there. *)
Lemma outcomes_later s c who m l i os s1 : sane s c -> stands_covered s c who m l i -> outcomes E m s = Gives os s1 -> later s s1 /\ outcomes_within (variables c) s1 os.
Proof.
  intros [Mo Sc] [H Pl At Cv _] Os.
  assert (Within_ : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (outcomes E m) (fun os s' _ => outcomes_within (variables c) s' os))
    by (intros nu M W G; apply (outcomes_are E tabs m l i (fun os s' _ => outcomes_within (variables c) s' os) nu s M Pl At); apply instruction_within; [exact G | eapply member_within; eauto | exact Cv]).
  split; [eapply (meets_later tabs s _ os s1 (fun _ _ os s' _ => outcomes_within (variables c) s' os)); eauto|].
  destruct (Mo zeros zeros_sorted) as [M G]. destruct (Within_ zeros M zeros_sorted G _ _ Os) as (_ & _ & _ & X). exact X.
Qed.
Lemma entailed_later s c ls u s1 : sane s c -> all_within (variables c) s ls -> for_each (entail (known_literals c)) ls s = Gives u s1 -> later s s1.
Proof.
  intros [Mo Sc] Wl Fe. eapply (meets_later tabs s _ u s1 (fun _ M _ _ _ => literals_hold M (known_literals c) -> literals_hold M ls)); [|exact Fe].
  intros nu M W G. apply (entailed_meets nu (variables c) (known_literals c) W); auto. exact (proj1 (in_scope_parts s c Sc)).
Qed.
Theorem step_decided_shows s c who m l i n c' s' : sane s c -> stands_covered s c who m l i -> Rules.step_decided E c who n None s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = progress c /\ Herds.sound_decided machine stage shows (Open s c) (N.to_nat (N.pred who)) (Open s' c').
Proof.
  intros Sn Co Ru. pose proof Co as [H Pl At _ _]. pose proof Sn as [Mo Sc]. unfold Rules.step_decided, Rules.no_primary in Ru. unfold bind at 1 in Ru. unfold demand at 1 in Ru.
  destruct (who =? 0)%N eqn:Wh; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold member_at in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. rewrite H in Ru. unfold ret at 1 in Ru.
  change ((let$ os := outcomes E m in decided_from AnyValue c who n os) s = Gives c' s') in Ru.
  unfold bind at 1 in Ru. destruct (outcomes E m s) as [os s1|] eqn:Os; [|discriminate]. destruct (outcomes_later s c who m l i os s1 Sn Co Os) as [L1 Wo]. pose proof (later_sane tabs _ _ _ L1 Sn) as Sn1.
  unfold decided_from in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. destruct (nth os n) as [o|] eqn:En; [|discriminate]. unfold ret at 1 in Ru.
  unfold bind at 1 in Ru. unfold demand at 1 in Ru. destruct (Rules.is_ignorance o) eqn:Ig; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold bind at 1 in Ru.
  destruct (for_each (entail (known_literals c)) (literals_of o) s1) as [u s2|] eqn:Fe; [|discriminate]. pose proof (Wo o (nth_in _ _ _ En)) as Wi. destruct Wi as [Wl We].
  pose proof (entailed_later s1 c _ u s2 Sn1 Wl Fe) as L2. pose proof (later_sane tabs _ _ _ L2 Sn1) as Sn2. pose proof (outcome_later tabs s1 s2 _ o (proj1 Sn1) L2 (conj Wl We)) as Wi2.
  unfold bind at 1 in Ru. destruct (perform E c AnyValue who (effect_of o) s2) as [[c3 env] s3|] eqn:Pe; [|discriminate]. injection Ru as <- <-.
  destruct (performed_sane E P under tabs setting_right s2 c who m l (effect_of o) c3 env s3 Sn2 H Pl (proj2 Wi2) Pe) as (L3 & Sn3 & Pr).
  split; [eapply later_trans; [exact L1 | eapply later_trans; eauto]|]. split; [exact Sn3|]. split; [exact Pr|].
  intros t ts [Hd (nu & M & phi & S)]. pose proof S as (W & G & _).
  destruct (scapegoat_stands nu M phi s c who m l i t ts Hd Sc S Wh Co) as (front & k & r0 & back & st & g & rho & roots & lasts & placed & -> & Lf & Ls & Lo & Fg & D & Do).
  pose proof (terms_of_member s c who m Sc H) as Tm.
  destruct (scapegoat_lists nu M phi s c who m l i rho roots lasts placed g W G Sc Co Fg D _ _ Os) as (M1 & G1 & K1 & [_ Re] & _).
  pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t _ Sc G1 K1 S) as S1.
  destruct (entailed_meets nu (variables c) (known_literals c) W (literals_of o) s1 M1 G1 (proj1 (in_scope_parts s1 c (proj2 Sn1))) Wl _ _ Fe) as (M2 & G2 & K2 & Hl).
  pose proof (Hl (proj1 (proj2 (proj2 S1)))) as Ho. clear Hl.
  assert (Ca : can_happen P under l m rho roots lasts g M1 (effect_of o)) by (apply Re; [eapply nth_in; eauto | unfold Rules.is_ignorance in Ig; destruct (tag_of o); congruence | exact Ho]).
  destruct (scapegoat_goes nu phi c who m l o t s2 M2 s3 c3 env front k r0 back st g rho roots lasts placed W G2 Sn2 H Wh Pl Wi2
    (carried_on P under trees tabs s1 s2 c nu M1 M2 phi t _ (proj2 Sn1) G2 K2 S1) Lf Ls Lo Do Fg) as (r' & X & Sh); auto.
  - revert D. apply SameValues.describes_same; [intros y q; auto|]. apply member_same. intros p J. eapply kept_value; [eapply keeps_trans; eauto|]. exact (within_in nu tabs (variables c) s M p G (Tm p J)).
  - apply (can_happen_kept P under l m rho roots lasts g s1 M1 s2 M2 _ K2); [intros p J; exact (within_in nu tabs (variables c) s1 M1 p G1 (We p J)) | exact Ca].
  - exists k, r0, r', front, back. auto.
Qed.
End Decided.
