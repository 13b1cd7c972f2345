(** That StepDecided shows what it has to show, as the second checker computes it
    (spec/calculus.md#stepdecided), where the scapegoat draws a value and says which. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums CoveredLists Moving RegisterScopes PointerScopes Followed Stepped StepShown Decided.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Section Chosen.
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

(** The term that is chosen mentions what exists, and is in the range of the type. *)
Lemma chosen_value_meets nu s M c x T : Terms.well_sorted nu -> good nu s M -> in_scope s c -> meets nu s M (shown_integer (variables c) (known_literals c) x (Some T))
  (fun _ s' K => part_within s' (variables c) (LinearPart x) /\ (x < linears_in s)%N /\ vl K x = vl M x /\ (literals_hold M (known_literals c) -> Integers.within T (vl M x))).
Proof.
  intros Ws G Sc. pose proof (in_scope_parts s c Sc) as [Kn _].
  assert (Wx : forall u s', shown_integer (variables c) (known_literals c) x (Some T) s = Gives u s' -> part_within s (variables c) (LinearPart x)).
  { intros u s' Ex. unfold shown_integer in Ex. unfold bind at 1 in Ex. destruct (exists_in (variables c) (LinearPart x) s) as [v s1|] eqn:Ei; [|discriminate].
    exact (proj2 (exists_in_peek tabs nu s M (variables c) (LinearPart x) G (proj1 Sc) _ _ Ei)). }
  intros u s' Ex. pose proof (Wx u s' Ex) as W.
  destruct (shown_integer_meets nu Ws tabs s M (variables c) (known_literals c) x (Some T) G (fun q I => within_in nu tabs (variables c) s M _ G (Kn q I)) u s' Ex) as (K & G' & K' & Ix & V).
  exists K. split; auto. split; auto. split; [eapply part_kept; eauto|]. split; [exact Ix|]. split; [exact (proj2 (keeps_linears _ _ _ _ K') x Ix) | exact V].
Qed.
(** What is performed: a value is drawn, and is the one that is chosen. *)
Theorem perform_chosen nu s M c who m l e ch : Terms.well_sorted nu -> good nu s M -> in_scope s c -> nth (herd c) who = Some m -> place_of m = At l -> is_followed e = true ->
  meets nu s M (perform E c (Chosen ch) who e) (fun r s' K => exists q T x m', e = Draws q T /\ fst r = set_member c who m' /\ find (held m') q = Some (IntegerSlot x) /\
    (literals_hold M (known_literals c) -> Integers.within T (vl K x)) /\ vl K x = vl M x /\ (x < linears_in s)%N /\ moved K m m' l e /\ in_scope s' c /\ forall p, In p (member_terms m') -> part_within s' (variables c) p).
Proof.
  intros W G Sc H Pl Ch. pose proof (terms_of_member s c who m Sc H) as Tm.
  unfold perform. unfold member_at at 1. eapply meets_peek; [apply (peeks_some s _ _ (fun x => x = m)); congruence|]. intros ? ->. rewrite Pl.
  eapply meets_peek; [apply next_number_peek|]. intros ? ->. eapply meets_peek with (P := fun _ => is_offered e (Chosen ch) = true); [apply peeks_demand; auto|]. intros _ Of.
  destruct ch as [x|lo fs]; [|destruct e; try discriminate]. destruct e as [k|r v| |r T|o f e v|r d n f|o]; try discriminate.
  eapply meets_bind with (P := fun y s' K => exists w, find (held m) r <> None /\ vl K x = vl M x /\ (literals_hold M (known_literals c) -> Integers.within T (vl M x)) /\
    (x < linears_in s)%N /\ in_scope s' c /\
    (forall p, In p (member_terms (with_consumed (with_held m (put (held m) r (IntegerSlot x))) w)) -> part_within s' (variables c) p) /\
    counts_on K (consumed_of m) w 1 /\ y = (set_member c who (with_consumed (with_held m (put (held m) r (IntegerSlot x))) w), Chosen (Value x), At (N.succ l))).
  { unfold new_value. eapply meets_bind with (P := fun y s' K => y = (x, c, Chosen (Value x)) /\ part_within s' (variables c) (LinearPart x) /\ (x < linears_in s)%N /\ vl K x = vl M x /\
      (literals_hold M (known_literals c) -> Integers.within T (vl M x)) /\ keeps s M s' K).
    - eapply meets_bind; [apply meets_also_kept, chosen_value_meets; auto|]. intros ? s1 M1 G1 _ (K1 & Wx & Ix & Vx & In_). apply meets_ret; auto 10.
    - intros ? s1 M1 G1 _ (-> & Wx & Ix & Vx & In_ & K1). pose proof (in_scope_later s M s1 M1 c K1 Sc) as Sc1. pose proof (terms_of_member s1 c who m Sc1 H) as Tm1.
      eapply meets_peek; [apply set_in_peek; exact H|]. intros c2 [F ->]. set (m2 := with_held m (put (held m) r (IntegerSlot x))).
      assert (T2 : forall p, In p (member_terms m2) -> part_within s1 (variables c) p) by (apply with_held_terms; [exact Tm1 | intros p [<-|[]]; exact Wx]).
      eapply meets_bind; [apply count_meets with (m := m2); [exact G1 | apply member_set; congruence | intros p I; apply T2; rewrite member_terms_are; apply in_or_app; auto]|].
      intros c3 s2 M2 G2 K2 (w & -> & Cn & Ww). apply meets_ret; auto. exists w. split; auto.
      split; [rewrite (proj2 (keeps_linears _ _ _ _ K2)); [exact Vx | pose proof (proj1 (keeps_linears _ _ _ _ K1)); lia]|]. split; [exact In_|]. split; [exact Ix|].
      split; [eapply in_scope_later; eauto|]. split; [|split; [exact Cn | rewrite set_member_twice; reflexivity]].
      intros p I. apply (end_terms s1 s2 (variables c) m2 w (place_of m2)); [intros q; apply (part_kept (variables c) s1 M1 s2 M2 q K2) | exact T2 | exact Ww | exact I]. }
  intros ? s1 M1 G1 K1 (w & F & Vx & In_ & Ix & Sc1 & Tt & Cn & ->). rewrite behind_itself. set (m3 := with_consumed (with_held m (put (held m) r (IntegerSlot x))) w) in *.
  eapply meets_bind; [apply (meets_ret nu tabs s1 M1 (set_member c who m3)) with (Q := fun x s' K => x = set_member c who m3 /\ s' = s1 /\ K = M1); auto|].
  intros ? s2 M2 G2 _ (-> & -> & ->). unfold member_at. eapply meets_peek; [apply (peeks_some s1 _ _ (fun y => y = m3)); rewrite member_set by congruence; congruence|]. intros ? ->.
  apply meets_ret; auto. cbn [fst]. rewrite set_member_twice. exists r, T, x, (at_place m3 (At (N.succ l))). split; auto. split; auto.
  split; [simpl; rewrite find_put, N.eqb_refl; reflexivity|]. split; [rewrite Vx; exact In_|]. split; [exact Vx|]. split; [exact Ix|].
  split; [split; simpl; auto; exists r, (IntegerSlot x); split; [split; eauto | auto]|]. split; [exact Sc1 | exact Tt].
Qed.

(** ** The rule *)

Theorem value_chosen_shows s c who m l i n ch c' s' : sane s c -> stands_covered E c who m l i -> Rules.step_decided E c who n (Some ch) s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = progress c /\ Herds.sound_decided machine stage shows (Open s c) (N.to_nat (N.pred who)) (Open s' c').
Proof.
  intros Sn [H Pl At Cv] Ru. pose proof Sn as [Mo Sc]. unfold Rules.step_decided, Rules.no_primary in Ru. unfold bind at 1 in Ru. unfold demand at 1 in Ru.
  destruct (who =? 0)%N eqn:Wh; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold member_at in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. rewrite H in Ru. unfold ret at 1 in Ru.
  change ((let$ os := outcomes E m in decided_from E (Chosen ch) c who n os) s = Gives c' s') in Ru.
  assert (R : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (let$ os := outcomes E m in decided_from E (Chosen ch) c who n os) (fun c' s' _ => in_scope s' c' /\ progress c' = progress c)).
  { intros nu M W G. eapply meets_bind; [apply (outcomes_are E tabs m l i (fun os s' _ => outcomes_within (variables c) s' os) nu s M Pl At); intros next_;
      apply instruction_within; [exact G | eapply member_within; eauto | exact Cv]|].
    intros os s1 M1 G1 K1 Wo. pose proof (in_scope_later s M s1 M1 c K1 Sc) as Sc1. unfold decided_from. eapply meets_peek; [apply (peeks_some s1 _ _ (fun o => In o os)); intros o; apply nth_in|].
    intros o I. destruct (Wo o I) as (Wl & We & Ch). eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
    eapply meets_bind; [apply (entailed_meets tabs nu (variables c) (known_literals c) W); auto; exact (proj1 (in_scope_parts s1 c Sc1))|]. intros ? s2 M2 G2 K2 _.
    eapply meets_bind; [apply (perform_chosen nu s2 M2 c who m l (effect_of o) ch); auto; eapply in_scope_later; eauto|].
    intros [c3 env] s3 M3 G3 _ (q & T & x & m' & _ & Ec & _ & _ & _ & _ & Mv & Sc3 & Tm). cbn [fst] in Ec. subst c3. apply meets_ret; auto. split; [|reflexivity].
    apply (moved_scope s3 M3 c who m m' l (effect_of o)); auto. }
  assert (La : later s s') by (eapply (meets_later tabs s _ c' s' (fun _ _ c' s' _ => in_scope s' c' /\ progress c' = progress c)); eauto).
  split; auto. destruct (Mo zeros zeros_sorted) as [Mz Gz]. destruct (R zeros Mz zeros_sorted Gz _ _ Ru) as (_ & _ & _ & J1 & J2). clear Mz Gz.
  split; [split; [eapply modelled_later; eauto | exact J1]|]. split; [exact J2|].
  intros t ts [Hd (nu & M & phi & S)]. pose proof S as (W & G & _).
  destruct (scapegoat_stands E P under trees tabs setting_right locals types memories contents nu M phi s c who m l i t ts Hd Sc S Wh (Build_stands_covered _ _ _ _ _ _ H Pl At Cv))
    as (front & k & r0 & back & st & g & rho & roots & lasts & placed & -> & Lf & Ls & Lo & Fg & D & Do).
  pose proof (terms_of_member s c who m Sc H) as Tm.
  unfold bind at 1 in Ru. destruct (outcomes E m s) as [os s1|] eqn:Os; [|discriminate].
  destruct (scapegoat_lists E P under tabs setting_right types memories nu M phi s c who m l i rho roots lasts placed g W G Sc (Build_stands_covered _ _ _ _ _ _ H Pl At Cv) Fg D _ _ Os) as (M1 & G1 & K1 & [_ Re] & Wo).
  unfold decided_from in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. destruct (nth os n) as [o|] eqn:En; [|discriminate]. unfold ret at 1 in Ru.
  unfold bind at 1 in Ru. unfold demand at 1 in Ru. destruct (Rules.is_ignorance o) eqn:Ig; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold bind at 1 in Ru.
  destruct (for_each (entail (known_literals c)) (literals_of o) s1) as [u s2|] eqn:Fe; [|discriminate].
  destruct (Wo o (nth_in _ _ _ En)) as (Wl & We & Ch). pose proof (in_scope_later s M s1 M1 c K1 Sc) as Sc1.
  pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t _ Sc G1 K1 S) as S1.
  destruct (entailed_meets tabs nu (variables c) (known_literals c) W (literals_of o) s1 M1 G1 (proj1 (in_scope_parts s1 c Sc1)) Wl _ _ Fe) as (M2 & G2 & K2 & Hl).
  pose proof (Hl (proj1 (proj2 (proj2 S1)))) as Ho. clear Hl.
  assert (Ca : can_happen P under l m rho roots lasts g M1 (effect_of o)) by (apply Re; [eapply nth_in; eauto | unfold Rules.is_ignorance in Ig; destruct (tag_of o); congruence | exact Ho]).
  assert (Vs : all_same M M2 (member_terms m)).
  { intros p I. eapply kept_value; [eapply keeps_trans; [exact K1 | exact K2]|]. exact (within_in nu tabs (variables c) s M p G (Tm p I)). }
  unfold bind at 1 in Ru. destruct (perform E c (Chosen ch) who (effect_of o) s2) as [[c3 env] s3|] eqn:Pe; [|discriminate]. injection Ru as <- <-.
  pose proof (in_scope_later s1 M1 s2 M2 c K2 Sc1) as Sc2. pose proof (carried_on P under trees tabs s1 s2 c nu M1 M2 phi t _ Sc1 G2 K2 S1) as S2.
  destruct (perform_chosen nu s2 M2 c who m l (effect_of o) ch W G2 Sc2 H Pl Ch _ _ Pe) as (M3 & G3 & K3 & q & T & x & m' & Ee & Ec & Fx & Wx & Vx & Ix & Mv & Sc3 & Tm3). cbn [fst] in Ec. subst c3.
  (* The machine draws that value. *)
  pose proof (Wx (proj1 (proj2 (proj2 S2)))) as Wz. rewrite Ee in Ca. destruct Ca as [Dg Ca]. destruct (Ca _ Wz) as [d0 Sd]. destruct (Do d0) as [d Al].
  exists k, r0, (moved_on P under r0 st d), front, back. split; auto. split; auto.
  split; [unfold moved_on; apply (Herds.extends_step machine r0 r0); [apply (Herds.extends_refl machine)|]; rewrite Ls; simpl; exists d; split; reflexivity|].
  exists nu, M3, phi. eapply (scapegoat_accounts P under trees tabs); [exact G2 | exact Sc2 | exact H | exact Wh | exact Pl | exact Ch | intros p I; eapply part_kept; eauto | exact S2 | exact Ls | exact Lo | exact Al
    | exact (described_later P phi c m l g rho roots lasts placed M M2 Vs D) | | exact G3 | exact K3 | auto | exact Mv | | reflexivity | exact Lf].
  - rewrite Ee. split; [exact Dg|]. eexists. split; [exact Wz | exact Sd].
  - intros r1 T1 Er. rewrite Ee in Er. injection Er as <- <-. exists x. split; [exact Fx | exact Sd].
Qed.
End Chosen.
