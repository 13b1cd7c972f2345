(** That StepDecided shows what it has to show, as the second checker computes it
    (spec/calculus.md#stepdecided), where the scapegoat draws a value and says which. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists CellsStand BeyondSums CoveredLists Moving RegisterScopes PointerScopes Followed Drawn FreshObjects MadeShown Performed Stepped StepShown Decided.
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
Hypothesis no_local_sort : forall s, Tidy.is_local P (Sorts.declaration (trees s)) = false.
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
Theorem perform_chosen nu s M c who m l e x : Terms.well_sorted nu -> good nu s M -> in_scope s c -> nth (herd c) who = Some m -> place_of m = At l ->
  meets nu s M (perform E c (Chosen (Value x)) who e) (fun r s' K => exists q T m', e = Draws q T /\ fst r = set_member c who m' /\ find (held m') q = Some (IntegerSlot x) /\
    (literals_hold M (known_literals c) -> Integers.within T (vl K x)) /\ vl K x = vl M x /\ (x < linears_in s)%N /\ moved K m m' l e /\ in_scope s' c /\ forall p, In p (member_terms m') -> part_within s' (variables c) p).
Proof.
  intros W G Sc H Pl. pose proof (terms_of_member s c who m Sc H) as Tm.
  unfold perform. unfold member_at at 1. eapply meets_peek; [apply (peeks_some s _ _ (fun x => x = m)); congruence|]. intros ? ->. rewrite Pl.
  eapply meets_peek; [apply next_number_peek|]. intros ? ->. eapply meets_peek with (P := fun _ => is_offered e (Chosen (Value x)) = true); [apply peeks_demand; auto|]. intros _ Of.
  destruct e as [k|r v| |r T|o f e v|r d n f|o]; try discriminate.
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
  apply meets_ret; auto. cbn [fst]. rewrite set_member_twice. exists r, T, (at_place m3 (At (N.succ l))). split; auto. split; auto.
  split; [simpl; rewrite find_put, N.eqb_refl; reflexivity|]. split; [rewrite Vx; exact In_|]. split; [exact Vx|]. split; [exact Ix|].
  split; [split; simpl; auto; exists r, (IntegerSlot x); split; [split; eauto | auto]|]. split; [exact Sc1 | exact Tt].
Qed.

(** ** The rule *)

Theorem value_chosen_shows s c who m l i n x c' s' : sane s c -> stands_covered E s c who m l i -> Rules.step_decided E c who n (Some (Value x)) s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = progress c /\ Herds.sound_decided machine stage shows (Open s c) (N.to_nat (N.pred who)) (Open s' c').
Proof.
  intros Sn Co Ru. pose proof Co as [H Pl At _ _]. pose proof Sn as [Mo Sc]. unfold Rules.step_decided, Rules.no_primary in Ru. unfold bind at 1 in Ru. unfold demand at 1 in Ru.
  destruct (who =? 0)%N eqn:Wh; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold member_at in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. rewrite H in Ru. unfold ret at 1 in Ru.
  change ((let$ os := outcomes E m in decided_from E (Chosen (Value x)) c who n os) s = Gives c' s') in Ru.
  unfold bind at 1 in Ru. destruct (outcomes E m s) as [os s1|] eqn:Os; [|discriminate]. destruct (outcomes_later E tabs s c who m l i os s1 Sn Co Os) as [L1 Wo]. pose proof (later_sane tabs _ _ _ L1 Sn) as Sn1.
  unfold decided_from in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. destruct (nth os n) as [o|] eqn:En; [|discriminate]. unfold ret at 1 in Ru.
  unfold bind at 1 in Ru. unfold demand at 1 in Ru. destruct (Rules.is_ignorance o) eqn:Ig; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold bind at 1 in Ru.
  destruct (for_each (entail (known_literals c)) (literals_of o) s1) as [u s2|] eqn:Fe; [|discriminate]. destruct (Wo o (nth_in _ _ _ En)) as [Wl We].
  pose proof (entailed_later tabs s1 c _ u s2 Sn1 Wl Fe) as L2. pose proof (later_sane tabs _ _ _ L2 Sn1) as [Mo2 Sc2].
  unfold bind at 1 in Ru. destruct (perform E c (Chosen (Value x)) who (effect_of o) s2) as [[c3 env] s3|] eqn:Pe; [|discriminate]. injection Ru as <- <-.
  assert (Made : forall nu M, Terms.well_sorted nu -> good nu s2 M -> exists K q T m', good nu s3 K /\ keeps s2 M s3 K /\ effect_of o = Draws q T /\ c3 = set_member c who m' /\ find (held m') q = Some (IntegerSlot x) /\
    (literals_hold M (known_literals c) -> Integers.within T (vl K x)) /\ moved K m m' l (effect_of o) /\ in_scope s3 (set_member c who m')).
  { intros nu M W G. destruct (perform_chosen nu s2 M c who m l (effect_of o) x W G Sc2 H Pl _ _ Pe) as (K & Gk & Kk & q & T & m' & Ee & Ec & Fx & Wx & _ & _ & Mv & Sc3 & Tm). cbn [fst] in Ec.
    exists K, q, T, m'. repeat (split; [assumption|]). apply (moved_scope s3 K c who m m' l (effect_of o)); auto. }
  assert (L3 : later s2 s3) by (intros nu M W G; destruct (Made nu M W G) as (K & _ & _ & _ & Gk & Kk & _); eauto).
  split; [eapply later_trans; [exact L1 | eapply later_trans; eauto]|]. destruct (Mo2 zeros zeros_sorted) as [Mz Gz]. destruct (Made zeros Mz zeros_sorted Gz) as (_ & _ & _ & m0 & _ & _ & _ & Ec & _ & _ & _ & Sc3). clear Mz Gz.
  split; [split; [eapply modelled_later; eauto | rewrite Ec; exact Sc3]|]. split; [rewrite Ec; reflexivity|]. clear m0 Ec Sc3.
  intros t ts [Hd (nu & M & phi & S)]. pose proof S as (W & G & _).
  destruct (scapegoat_stands E P under trees tabs setting_right locals types memories contents nu M phi s c who m l i t ts Hd Sc S Wh Co) as (front & k & r0 & back & st & g & rho & roots & lasts & placed & -> & Lf & Ls & Lo & Fg & D & Do).
  pose proof (terms_of_member s c who m Sc H) as Tm.
  destruct (scapegoat_lists E P under tabs setting_right types memories nu M phi s c who m l i rho roots lasts placed g W G Sc Co Fg D _ _ Os) as (M1 & G1 & K1 & [_ Re] & _).
  pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t _ Sc G1 K1 S) as S1.
  destruct (entailed_meets tabs nu (variables c) (known_literals c) W (literals_of o) s1 M1 G1 (proj1 (in_scope_parts s1 c (proj2 Sn1))) Wl _ _ Fe) as (M2 & G2 & K2 & Hl).
  pose proof (Hl (proj1 (proj2 (proj2 S1)))) as Ho. clear Hl. pose proof (carried_on P under trees tabs s1 s2 c nu M1 M2 phi t _ (proj2 Sn1) G2 K2 S1) as S2.
  assert (Ca : can_happen P under l m rho roots lasts g M1 (effect_of o)) by (apply Re; [eapply nth_in; eauto | unfold Rules.is_ignorance in Ig; destruct (tag_of o); congruence | exact Ho]).
  destruct (Made nu M2 W G2) as (M3 & q & T & m' & G3 & K3 & Ee & -> & Fx & Wx & Mv & Sc3).
  (* The machine draws that value. *)
  pose proof (Wx (proj1 (proj2 (proj2 S2)))) as Wz. rewrite Ee in Ca. destruct Ca as [Dg Ca]. destruct (Ca _ Wz) as [d0 Sd]. destruct (Do d0) as [d Al].
  exists k, r0, (moved_on P under r0 st d), front, back. split; auto. split; auto.
  split; [unfold moved_on; apply (Herds.extends_step machine r0 r0); [apply (Herds.extends_refl machine)|]; rewrite Ls; simpl; exists d; split; reflexivity|].
  exists nu, M3, phi. eapply (scapegoat_moves P under trees tabs nu phi s2 M2 nu s3 M3 c c who m m' t front k r0 back).
  - exact Sc2.
  - split; [exact W | exact G3 | exact Sc3 | eapply modelled_later; eauto].
  - split; [exact L3|]. intros p Wp. split; [eapply part_kept; eauto | eapply kept_value; [exact K3 | exact (within_in nu tabs (variables c) s2 M2 p G2 Wp)]].
  - apply draws_refl.
  - exact H.
  - exact Wh.
  - exact (moved_size _ _ _ _ _ Mv).
  - exact S2.
  - exact Lf.
  - intros [_ C]. apply (moved_accounts P under l m m' (symbols_of c) phi M3 rho roots lasts placed g st) with (e := effect_of o) (d0 := d0); auto.
    + revert D. apply SameValues.describes_same; [intros y z; auto|]. apply member_same. intros p J. eapply kept_value; [eapply keeps_trans; [exact K1 | eapply keeps_trans; eauto]|]. exact (within_in nu tabs (variables c) s M p G (Tm p J)).
    + apply (proj1 (proj2 Sc)), herd_member. eapply nth_in; eauto.
    + rewrite Ee. split; [exact Dg|]. eexists. split; [exact Wz | exact Sd].
    + intros f z y Hq I. pose proof S as (_ & _ & _ & Me & _). exact (proj2 (meant_cells P trees _ phi _ l m rho roots lasts placed g no_local_sort Me D f z y Hq I)).
    + intros r1 T1 Er. rewrite Ee in Er. injection Er as <- <-. exists x. split; [exact Fx | exact Sd].
    + rewrite Ee. reflexivity.
    + simpl in C. destruct (consumed_of m); auto. rewrite valued_term in C. exact C.
Qed.
End Chosen.
