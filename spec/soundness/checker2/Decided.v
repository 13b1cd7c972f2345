(** That StepDecided shows what it has to show, as the second checker computes it
    (spec/calculus.md#stepdecided), where the scapegoat is at an instruction that is covered
    and nothing is chosen. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists CoveredLists Moving RegisterScopes PointerScopes Followed Stepped StepShown.
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
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows_under := (shows_under P under trees tabs).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).

(** ** The scapegoat behind the effect *)

Lemma perform_scope nu s M c who m l e : Terms.well_sorted nu -> good nu s M -> in_scope s c -> nth (herd c) who = Some m -> place_of m = At l -> is_followed e = true ->
  (forall p, In p (effect_terms e) -> part_within s (variables c) p) -> meets nu s M (perform E c AnyValue who e) (fun r s' _ => in_scope s' (fst r) /\ progress (fst r) = progress c).
Proof.
  intros W G Sc H Pl Ch We. eapply meets_weaker; [apply (perform_moves E (same_arithmetic _ _ _ setting_right) nu W tabs s M c who m l e); auto|].
  intros [c3 env] s1 M1 _ _ (c4 & m' & Ec & Dr & Mv & Sc4 & Tm). cbn [fst] in *. subst c3.
  assert (Hd : herd c4 = herd c /\ progress c4 = progress c) by (unfold draws_from in Dr; destruct e; try (subst c4; auto; fail); destruct Dr as (x & t & _ & -> & _); auto).
  destruct Hd as [Hd Pr]. split; [|exact Pr]. apply (moved_scope s1 M1 c4 who m m' l e); auto. rewrite Hd. exact H.
Qed.
(** It accounts for what has been done, if registers have changed as the effect says. *)
Lemma scapegoat_accounts nu phi s M s1 M1 c c4 who m m' l e t ts r0 st g d d0 rho roots lasts placed : good nu s M -> in_scope s c ->
  nth (herd c) who = Some m -> (who =? 0)%N = false -> place_of m = At l -> is_followed e = true -> (forall p, In p (effect_terms e) -> part_within s (variables c) p) ->
  shows_under s c nu M phi t ts ->
  Herds.last machine r0 = Goatherd.Runs.Running st -> Machine.location st = N.to_nat l ->
  RegisterSteps.ends_alike P (Machine.step P under g d0) (Machine.step P under st d) ->
  FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g ->
  happens P l m rho roots lasts g M e (Machine.step P under g d0) ->
  good nu s1 M1 -> keeps s M s1 M1 -> herd c4 = herd c /\ symbols_of c4 = symbols_of c /\ known_literals c4 = known_literals c /\ entry_member c4 = entry_member c ->
  moved M1 m m' l e ->
  (forall r T, e = Draws r T -> exists u, find (held m') r = Some (IntegerSlot u) /\ Machine.step P under g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (vl M1 u)))) ->
  forall front k back, ts = front ++ (k, r0) :: back -> length front = N.to_nat (N.pred who) ->
  shows_under s1 (set_member c4 who m') nu M1 phi t (front ++ (k, moved_on P under r0 st d) :: back).
Proof.
  intros G Sc H Wh Pl Ch We S La Lo Al D Hp G1 K1 (Hd & Hs & Hk & He) Mv Drn front k back Ets Lf.
  pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t ts Sc G1 K1 S) as (W1 & _ & L1 & Me1 & A1 & En1).
  pose proof (terms_of_member s c who m Sc H) as Tm0. pose proof Sc as (_ & Rn & _). pose proof (Rn m (herd_member c m (nth_in _ _ _ H))) as Rm. clear Rn.
  unfold herd_accounts in A1. destruct (herd c) as [|m0 ms] eqn:Hh; [destruct A1|]. destruct A1 as [A1 B1]. cbn [nth] in H. rewrite Wh in H.
  destruct (one_of_many sized_of _ ms (N.pred who) m ts B1 H) as (front' & [k' r'] & back' & Ets' & Lf' & [Sz Ac] & All).
  assert (Same : front' = front /\ (k', r') = (k, r0) /\ back' = back).
  { rewrite Ets in Ets'. assert (Lq : length front' = length front) by congruence. clear - Ets' Lq. revert front' Lq Ets'. induction front as [|a front IH]; intros [|b front'] Lq Eq; simpl in *; try discriminate.
    - injection Eq as -> ->. auto.
    - injection Eq as -> Eq. injection Lq as Lq. destruct (IH front' Lq Eq) as (-> & -> & ->). auto. }
  destruct Same as (-> & [= -> ->] & ->). cbn [fst snd] in Sz, Ac. clear Ets' Lf'.
  split; [exact W1|]. split; [exact G1|]. split; [intros q I; apply L1; cbn [set_member with_herd known_literals] in I; rewrite Hk in I; exact I|].
  change (symbols_of (set_member c4 who m')) with (symbols_of c4). rewrite Hs. split; [exact Me1|]. split.
  - unfold herd_accounts. cbn [set_member with_herd herd]. rewrite Hd. cbn [replaced]. rewrite Wh. split; [exact A1|]. apply All. split; [simpl; rewrite (moved_size _ _ _ _ _ Mv); exact Sz|]. cbn [snd].
    assert (Vs : all_same M M1 (member_terms m)) by (intros p I; eapply kept_value; [exact K1|]; eapply (within_in nu tabs (variables c)); eauto).
    apply (moved_accounts P under l m m' (symbols_of c) phi M1 rho roots lasts placed g st (described_later P phi c m l g rho roots lasts placed M M1 Vs D)) with (e := e) (d0 := d0); auto.
    + apply (happens_kept P l m rho roots lasts g s M s1 M1 e _ K1); [intros p I; eapply (within_in nu tabs (variables c)); eauto | exact Hp].
    + destruct Ac as [_ C1]. simpl in C1. destruct (consumed_of m); auto. rewrite valued_term in C1. exact C1.
  - unfold entry_accounts in *. cbn [set_member with_herd entry_member]. rewrite He. exact En1.
Qed.
Lemma scapegoat_moves nu phi s M c who m l e t ts r0 st g d d0 rho roots lasts placed : Terms.well_sorted nu -> good nu s M -> in_scope s c ->
  nth (herd c) who = Some m -> (who =? 0)%N = false -> place_of m = At l -> is_followed e = true -> (forall p, In p (effect_terms e) -> part_within s (variables c) p) ->
  shows_under s c nu M phi t ts ->
  Herds.last machine r0 = Goatherd.Runs.Running st -> Machine.location st = N.to_nat l ->
  RegisterSteps.ends_alike P (Machine.step P under g d0) (Machine.step P under st d) ->
  FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g ->
  happens P l m rho roots lasts g M e (Machine.step P under g d0) ->
  (forall r T, e = Draws r T -> exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x /\
    Machine.step P under g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (Terms.integers nu (Some T) (N.to_nat x))))) ->
  forall front k back, ts = front ++ (k, r0) :: back -> length front = N.to_nat (N.pred who) ->
  meets nu s M (perform E c AnyValue who e) (fun r s' K => shows_under s' (fst r) nu K phi t (front ++ (k, moved_on P under r0 st d) :: back)).
Proof.
  intros W G Sc H Wh Pl Ch We S La Lo Al D Hp Drn front k back Ets Lf.
  eapply meets_weaker; [apply (perform_moves E (same_arithmetic _ _ _ setting_right) nu W tabs s M c who m l e); auto|].
  intros [c3 env] s1 M1 G1 K1 (c4 & m' & Ec & Dr & Mv & Sc4 & Tm). cbn [fst] in Ec |- *. subst c3.
  eapply (scapegoat_accounts nu phi s M s1 M1 c c4 who m m' l e); eauto.
  - unfold draws_from in Dr. destruct e; try (subst c4; auto; fail). destruct Dr as (x & u & _ & -> & _). auto.
  - intros r T Ee. destruct (Drn r T Ee) as (x & Ex & Sx). unfold draws_from in Dr. rewrite Ee in Dr. destruct Dr as (x' & u & Ex' & _ & Fu & Vu).
    rewrite Ex in Ex'. injection Ex' as <-. exists u. split; [exact Fu|]. rewrite Vu. exact Sx.
Qed.

(** ** The rule *)

Record stands_covered (c : configuration) (who : N) (m : member_state) (l : N) (i : instruction) : Prop := {
  stands_member : nth (herd c) who = Some m;
  stands_place : place_of m = At l;
  stands_instruction : at_position (code E) l = Some i;
  stands_is : covered E m i = true }.
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
Lemma decided_scope nu s M c who m l n os : Terms.well_sorted nu -> good nu s M -> in_scope s c -> nth (herd c) who = Some m -> place_of m = At l -> outcomes_within (variables c) s os ->
  meets nu s M (decided_from AnyValue c who n os) (fun c' s' _ => in_scope s' c' /\ progress c' = progress c).
Proof.
  intros W G Sc H Pl Wo. unfold decided_from. eapply meets_peek; [apply (peeks_some s _ _ (fun o => In o os)); intros o; apply nth_in|]. intros o I. destruct (Wo o I) as (Wl & We & Ch).
  eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
  eapply meets_bind; [apply (entailed_meets nu (variables c) (known_literals c) W); auto; exact (proj1 (in_scope_parts s c Sc))|]. intros ? s1 M1 G1 K1 _.
  eapply meets_bind; [apply (perform_scope nu s1 M1 c who m l (effect_of o)); auto; [eapply in_scope_later; eauto | intros p J; eapply part_kept; eauto]|].
  intros [c' env] s2 M2 G2 _ R. apply meets_ret; auto.
Qed.
(** A scapegoat goes on as an outcome says that can happen, with the value that the fresh
    variable has where one is drawn. *)
Lemma scapegoat_goes nu phi c who m l o t s1 M1 s2 M2 s3 c3 env front k r0 back st g rho roots lasts placed : Terms.well_sorted nu -> good nu s1 M1 -> good nu s2 M2 -> keeps s1 M1 s2 M2 ->
  in_scope s2 c -> nth (herd c) who = Some m -> (who =? 0)%N = false -> place_of m = At l -> outcome_within (variables c) s1 o ->
  shows_under s2 c nu M2 phi t (front ++ (k, r0) :: back) -> length front = N.to_nat (N.pred who) -> Herds.last machine r0 = Goatherd.Runs.Running st -> Machine.location st = N.to_nat l ->
  (forall d0, exists d, RegisterSteps.ends_alike P (Machine.step P under g d0) (Machine.step P under st d)) ->
  FoldedMembers.describes_by P (symbols_of c) (valued M2) phi (member_of l m) rho roots lasts placed g ->
  can_happen P under l m rho roots lasts g M1 (effect_of o) -> perform E c AnyValue who (effect_of o) s2 = Gives (c3, env) s3 ->
  exists r', Herds.extends machine r0 r' /\ shows (Open s3 c3) t (front ++ (k, r') :: back).
Proof.
  intros W G1 G2 K2 Sc2 H Wh Pl (Wl & We & Ch) S2 Lf Ls Lo Do D2 Ca Pe.
  assert (Hp : exists d0, happens P l m rho roots lasts g M1 (effect_of o) (Machine.step P under g d0) /\
    forall r T, effect_of o = Draws r T -> exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x /\
      Machine.step P under g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (Terms.integers nu (Some T) (N.to_nat x))))).
  { destruct (effect_of o) as [k0|r v| |r T|q f el v|r dd nn f|q] eqn:Ee; try (destruct Ca as [d0 Hp]; exists d0; split; [exact Hp | intros; discriminate]).
    destruct Ca as [Dg Ca]. assert (Ex : exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x).
    { destruct Sc2 as [[F _] _]. destruct (integers (variables c)) as [|a0 [|a1 [|a2 [|a3 [|a4 [|a5 [|a6 [|a7 [|a8 [|a9 [|]]]]]]]]]]]; try discriminate. destruct T; eexists; reflexivity. }
    destruct Ex as [x Ex]. pose proof (proj1 W T (N.to_nat x)) as Wx. destruct (Ca _ Wx) as [d0 Sd]. exists d0. split.
    - split; [exact Dg|]. eexists. split; [exact Wx | exact Sd].
    - intros r1 T1 [= <- <-]. exists x. auto. }
  destruct Hp as (d0 & Hp & Drn). destruct (Do d0) as [d Al].
  assert (Hp2 : happens P l m rho roots lasts g M2 (effect_of o) (Machine.step P under g d0)).
  { apply (happens_kept P l m rho roots lasts g s1 M1 s2 M2 _ _ K2); [intros p I; eapply (within_in nu tabs (variables c)); eauto | exact Hp]. }
  destruct (scapegoat_moves nu phi s2 M2 c who m l (effect_of o) t _ r0 st g d d0 rho roots lasts placed W G2 Sc2 H Wh Pl Ch (fun p I => part_kept (variables c) _ _ _ _ p K2 (We p I)) S2 Ls Lo Al
    D2 Hp2 Drn front k back eq_refl Lf _ _ Pe) as (M3 & _ & _ & Sh). cbn [fst] in Sh.
  exists (moved_on P under r0 st d). split; [|exists nu, M3, phi; exact Sh].
  unfold moved_on. apply (Herds.extends_step machine r0 r0); [apply (Herds.extends_refl machine)|]. rewrite Ls. simpl. exists d. split; reflexivity.
Qed.

(** Where a scapegoat is, and a state that its member describes. *)
Lemma scapegoat_stands nu M phi s c who m l i t ts : Herds.herd machine t ts -> in_scope s c -> shows_under s c nu M phi t ts -> (who =? 0)%N = false -> stands_covered c who m l i ->
  exists front k r0 back st g rho roots lasts placed, ts = front ++ (k, r0) :: back /\ length front = N.to_nat (N.pred who) /\
    Herds.last machine r0 = Goatherd.Runs.Running st /\ Machine.location st = N.to_nat l /\ FoldedMembers.fine_state P g /\
    FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g /\
    forall d0, exists d, RegisterSteps.ends_alike P (Machine.step P under g d0) (Machine.step P under st d).
Proof.
  intros [_ Gts] Sc S Wh [H Pl At Cv]. destruct S as (W & G & Lk & Me & A & _).
  assert (An : exists front k r0 back, ts = front ++ (k, r0) :: back /\ length front = N.to_nat (N.pred who) /\ Configurations.accounts P under (symbols_of c) (valued M) phi (counted_of m) r0).
  { unfold herd_accounts in A. destruct (herd c) as [|m0 ms]; [destruct A|]. destruct A as [_ B]. cbn [nth] in H. rewrite Wh in H.
    destruct (one_of_many sized_of _ ms (N.pred who) m ts B H) as (front & [k r0] & back & -> & Lf & [_ Ac] & _). exists front, k, r0, back. auto. }
  destruct An as (front & k & r0 & back & -> & Lf & Ac). assert (Gr : Herds.genuine machine r0).
  { rewrite Forall_forall in Gts. apply (Gts (k, r0)). apply in_or_app. right. left. reflexivity. }
  assert (An : exists st, Herds.last machine r0 = Goatherd.Runs.Running st /\ FoldedMembers.denotes_state P (symbols_of c) (valued M) phi (member_of l m) st).
  { destruct Ac as [Ac _]. simpl in Ac. rewrite Pl in Ac. exact Ac. }
  destruct An as (st & Ls & Dn). pose proof (proj1 (Goatherd.Stepping.genuine_executed P under locals types memories contents r0 st Gr Ls)) as Td.
  pose proof (Goatherd.Stepping.denoted_location P _ _ _ _ _ Dn) as Lo. change (FoldedMembers.place_of (member_of l m)) with (N.to_nat l) in Lo.
  assert (As : Goatherd.Stepping.asked P (Translated.instruction_of i)) by (exact (covered_asked E P under setting_right m i Cv)).
  assert (Na : forall r e b f, Translated.instruction_of i <> Programs.Allocate r e b f) by (clear - Cv; intros; destruct i; simpl in *; discriminate).
  destruct (RegisterSteps.steps_as P under locals types memories (symbols_of c) phi (valued M) (member_of l m) st _ Dn Td (same_code _ _ _ setting_right l i At) As Na)
    as (g & rho & roots & lasts & placed & Fg & D & _ & Do).
  exists front, k, r0, back, st, g, rho, roots, lasts, placed. repeat (split; [assumption || reflexivity|]). exact Do.
Qed.
(** What its list says of that. *)
Lemma scapegoat_lists nu M phi s c who m l i rho roots lasts placed g : Terms.well_sorted nu -> good nu s M -> in_scope s c -> stands_covered c who m l i ->
  FoldedMembers.fine_state P g -> FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g ->
  meets nu s M (outcomes E m) (fun os s' K => list_right P under l m rho roots lasts g K os /\ outcomes_within (variables c) s' os).
Proof.
  intros W G Sc [H Pl At Cv] Fg D. pose proof (terms_of_member s c who m Sc H) as Tm. pose proof Sc as (_ & Rn0 & _). pose proof (Rn0 m (herd_member c m (nth_in _ _ _ H))) as Rn.
  apply (outcomes_are E tabs m l i _ nu s M Pl At). intros next_. apply meets_also.
  - exact (instruction_listed E P under setting_right nu tabs l m (symbols_of c) phi s M rho roots lasts placed g D Fg Rn (fun p I => within_in nu tabs (variables c) s M p G (Tm p I))
      i At types (Bounds.layouts_formed _ memories) s M G (keeps_refl s M) i next_ eq_refl Cv).
  - apply instruction_within; [exact G | eapply member_within; eauto | exact Cv].
Qed.
Theorem step_decided_shows s c who m l i n c' s' : sane s c -> stands_covered c who m l i -> Rules.step_decided E c who n None s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = progress c /\ Herds.sound_decided machine stage shows (Open s c) (N.to_nat (N.pred who)) (Open s' c').
Proof.
  intros Sn [H Pl At Cv] Ru. pose proof Sn as [Mo Sc]. unfold Rules.step_decided, Rules.no_primary in Ru. unfold bind at 1 in Ru. unfold demand at 1 in Ru.
  destruct (who =? 0)%N eqn:Wh; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold member_at in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. rewrite H in Ru. unfold ret at 1 in Ru.
  assert (R : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (let$ os := outcomes E m in decided_from AnyValue c who n os) (fun c' s' _ => in_scope s' c' /\ progress c' = progress c)).
  { intros nu M W G. eapply meets_bind; [apply (outcomes_are E tabs m l i (fun os s' _ => outcomes_within (variables c) s' os) nu s M Pl At); intros next_;
      apply instruction_within; [exact G | eapply member_within; eauto | exact Cv]|].
    intros os s1 M1 G1 K1 Wo. apply (decided_scope nu s1 M1 c who m l n os); auto. eapply in_scope_later; eauto. }
  change ((let$ os := outcomes E m in decided_from AnyValue c who n os) s = Gives c' s') in Ru.
  assert (La : later s s') by (eapply (meets_later tabs s _ c' s' (fun _ _ c' s' _ => in_scope s' c' /\ progress c' = progress c)); eauto).
  split; auto. destruct (Mo zeros zeros_sorted) as [Mz Gz]. destruct (R zeros Mz zeros_sorted Gz _ _ Ru) as (_ & _ & _ & J1 & J2). clear Mz Gz.
  split; [split; [eapply modelled_later; eauto | exact J1]|]. split; [exact J2|].
  intros t ts [Hd (nu & M & phi & S)]. pose proof S as (W & G & _).
  destruct (scapegoat_stands nu M phi s c who m l i t ts Hd Sc S Wh (Build_stands_covered _ _ _ _ _ H Pl At Cv))
    as (front & k & r0 & back & st & g & rho & roots & lasts & placed & -> & Lf & Ls & Lo & Fg & D & Do).
  pose proof (terms_of_member s c who m Sc H) as Tm.
  unfold bind at 1 in Ru. destruct (outcomes E m s) as [os s1|] eqn:Os; [|discriminate].
  destruct (scapegoat_lists nu M phi s c who m l i rho roots lasts placed g W G Sc (Build_stands_covered _ _ _ _ _ H Pl At Cv) Fg D _ _ Os) as (M1 & G1 & K1 & [_ Re] & Wo).
  unfold decided_from in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. destruct (nth os n) as [o|] eqn:En; [|discriminate]. unfold ret at 1 in Ru.
  unfold bind at 1 in Ru. unfold demand at 1 in Ru. destruct (Rules.is_ignorance o) eqn:Ig; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold bind at 1 in Ru.
  destruct (for_each (entail (known_literals c)) (literals_of o) s1) as [u s2|] eqn:Fe; [|discriminate].
  destruct (Wo o (nth_in _ _ _ En)) as (Wl & We & Ch). pose proof (in_scope_later s M s1 M1 c K1 Sc) as Sc1.
  pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t _ Sc G1 K1 S) as S1.
  destruct (entailed_meets nu (variables c) (known_literals c) W (literals_of o) s1 M1 G1 (proj1 (in_scope_parts s1 c Sc1)) Wl _ _ Fe) as (M2 & G2 & K2 & Hl).
  pose proof (Hl (proj1 (proj2 (proj2 S1)))) as Ho. clear Hl.
  assert (Ca : can_happen P under l m rho roots lasts g M1 (effect_of o)) by (apply Re; [eapply nth_in; eauto | unfold Rules.is_ignorance in Ig; destruct (tag_of o); congruence | exact Ho]).
  assert (Vs : all_same M M2 (member_terms m)).
  { intros p I. eapply kept_value; [eapply keeps_trans; [exact K1 | exact K2]|]. exact (within_in nu tabs (variables c) s M p G (Tm p I)). }
  unfold bind at 1 in Ru. destruct (perform E c AnyValue who (effect_of o) s2) as [[c3 env] s3|] eqn:Pe; [|discriminate]. injection Ru as <- <-.
  pose proof (in_scope_later s1 M1 s2 M2 c K2 Sc1) as Sc2. pose proof (carried_on P under trees tabs s1 s2 c nu M1 M2 phi t _ Sc1 G2 K2 S1) as S2.
  destruct (scapegoat_goes nu phi c who m l o t s1 M1 s2 M2 s3 c3 env front k r0 back st g rho roots lasts placed W G1 G2 K2 Sc2 H Wh Pl (conj Wl (conj We Ch)) S2 Lf Ls Lo Do
    (described_later P phi c m l g rho roots lasts placed M M2 Vs D) Ca Pe) as (r' & X & Sh).
  exists k, r0, r', front, back. auto.
Qed.
End Decided.
