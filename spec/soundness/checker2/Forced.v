(** That Steps show what they have to show, as the second checker computes them
    (spec/calculus.md#steps), through instructions that are covered. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists CoveredLists Moving RegisterScopes PointerScopes Followed Stepped StepShown Decided.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Section Forced.
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

(** ** The primary: a step whose list has one outcome left *)

Lemma alone_is_step c s c' s' : Rules.step_alone E 0 c s = Gives c' s' -> Rules.step E c [] s = Gives [c'] s'.
Proof.
  unfold Rules.step_alone, Rules.step, bind. destruct (member_at c 0 s) as [m s0|]; [|discriminate]. destruct (outcomes E m s0) as [os s1|]; [|discriminate].
  destruct (Rules.not_excluded os s1) as [[|[n o] [|]] s2|]; try discriminate. intros H. cbn [Rules.still_open]. unfold bind, demand, ret. cbn [is_empty mapped].
  unfold bind, ret. cbn in H. unfold bind, demand, ret in H. simpl in H. destruct (follow E c 0 o s2); [|discriminate]. injection H as <- <-. reflexivity.
Qed.

(** ** A scapegoat: whatever it does is the one outcome that is left *)

(** The list is there; one outcome is left of it. *)
Definition forced_from c who (os : list outcome) : computes configuration :=
  let$ os := Rules.not_excluded os in
  match os with
  | [(_, o)] => demand ((who =? 0)%N || negb (Rules.is_ignorance o)) Rejection.Ignorance >> follow E c who o
  | _ => refuses Rejection.Outcomes end.
Lemma follow_in_scope nu s M c who m l o : Terms.well_sorted nu -> good nu s M -> in_scope s c -> (who =? 0)%N = false -> nth (herd c) who = Some m -> place_of m = At l ->
  outcome_within (variables c) s o -> meets nu s M (follow E c who o) (fun c' s' _ => in_scope s' c' /\ progress c' = progress c).
Proof.
  intros W G Sc Wh H Pl (Wl & We & Ch). unfold follow. eapply meets_peek; [eapply assume_all; eauto|]. intros c1 (more & -> & Inc). rewrite Wh.
  set (c2 := with_literals c (known_literals c ++ more)). assert (Sc2 : in_scope s c2) by (apply more_literals_scope; auto).
  eapply meets_bind; [apply (perform_scope E P under tabs setting_right nu s M c2 who m l (effect_of o)); auto|]. intros [c' env] s1 M1 G1 _ R. apply meets_ret; auto.
Qed.
Lemma forced_scope nu s M c who m l os : Terms.well_sorted nu -> good nu s M -> in_scope s c -> (who =? 0)%N = false -> nth (herd c) who = Some m -> place_of m = At l ->
  outcomes_within (variables c) s os -> meets nu s M (forced_from c who os) (fun c' s' _ => in_scope s' c' /\ progress c' = progress c).
Proof.
  intros W G Sc Wh H Pl Wo. unfold forced_from. eapply meets_peek; [eapply not_excluded_peek; eauto|]. intros [|[n o] [|]] [A _]; try apply meets_refuses.
  eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _. eapply follow_in_scope; eauto. apply Wo, (A n). left. reflexivity.
Qed.
Theorem alone_shows s c who m l i c' s' : sane s c -> (who =? 0)%N = false -> stands_covered E c who m l i -> Rules.step_alone E who c s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = progress c /\ Herds.sound_decided machine stage shows (Open s c) (N.to_nat (N.pred who)) (Open s' c').
Proof.
  intros Sn Wh Co Ru. pose proof Sn as [Mo Sc]. pose proof Co as [H Pl At Cv]. unfold Rules.step_alone, member_at in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. rewrite H in Ru. unfold ret at 1 in Ru.
  change ((let$ os := outcomes E m in forced_from c who os) s = Gives c' s') in Ru.
  assert (R : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (let$ os := outcomes E m in forced_from c who os) (fun c' s' _ => in_scope s' c' /\ progress c' = progress c)).
  { intros nu M W G. eapply meets_bind; [apply (outcomes_are E tabs m l i (fun os s' _ => outcomes_within (variables c) s' os) nu s M Pl At); intros next_;
      apply instruction_within; [exact G | eapply member_within; eauto | exact Cv]|].
    intros os s1 M1 G1 K1 Wo. apply (forced_scope nu s1 M1 c who m l os); auto. eapply in_scope_later; eauto. }
  assert (La : later s s') by (eapply (meets_later tabs s _ c' s' (fun _ _ c' s' _ => in_scope s' c' /\ progress c' = progress c)); eauto).
  split; auto. destruct (Mo zeros zeros_sorted) as [Mz Gz]. destruct (R zeros Mz zeros_sorted Gz _ _ Ru) as (_ & _ & _ & J1 & J2). clear Mz Gz.
  split; [split; [eapply modelled_later; eauto | exact J1]|]. split; [exact J2|].
  intros t ts [Hd (nu & M & phi & S)]. pose proof S as (W & G & _).
  destruct (scapegoat_stands E P under trees tabs setting_right locals types memories contents nu M phi s c who m l i t ts Hd Sc S Wh Co)
    as (front & k & r0 & back & st & g & rho & roots & lasts & placed & -> & Lf & Ls & Lo & Fg & D & Do).
  pose proof (terms_of_member s c who m Sc H) as Tm.
  unfold bind at 1 in Ru. destruct (outcomes E m s) as [os s1|] eqn:Os; [|discriminate].
  destruct (scapegoat_lists E P under tabs setting_right types memories nu M phi s c who m l i rho roots lasts placed g W G Sc Co Fg D _ _ Os) as (M1 & G1 & K1 & [Ex Re] & Wo).
  pose proof (in_scope_later s M s1 M1 c K1 Sc) as Sc1. pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t _ Sc G1 K1 S) as S1.
  unfold forced_from in Ru. unfold bind at 1 in Ru. destruct (Rules.not_excluded os s1) as [kept s2|] eqn:Ne; [|discriminate].
  destruct (not_excluded_peek tabs nu s1 M1 os G1 _ _ Ne) as [-> [A B]]. destruct kept as [|[n o] [|]]; try discriminate.
  destruct (Ex still) as (o' & Io' & Ho & _). destruct (B o' Io' Ho) as (n' & [[= <- <-]|[]]).
  unfold bind at 1 in Ru. unfold demand at 1 in Ru. rewrite Wh in Ru. destruct (Rules.is_ignorance o) eqn:Ig; [discriminate|]. cbn [orb negb] in Ru. unfold ret at 1 in Ru.
  destruct (Wo o Io') as (Wl & We & Ch).
  assert (Ca : can_happen P under l m rho roots lasts g M1 (effect_of o)) by (apply Re; [exact Io' | unfold Rules.is_ignorance in Ig; destruct (tag_of o); congruence | exact Ho]).
  unfold follow in Ru. unfold bind at 1 in Ru. destruct (folded_left assume (literals_of o) c s1) as [c1 s3|] eqn:Fa; [|discriminate].
  destruct (assume_all tabs nu s1 M1 c (literals_of o) G1 _ _ Fa) as [-> (more & -> & Inc)]. rewrite Wh in Ru.
  set (c2 := with_literals c (known_literals c ++ more)) in *.
  assert (Sc2 : in_scope s1 c2) by (apply more_literals_scope; auto).
  assert (S2 : shows_under s1 c2 nu M1 phi t (front ++ (k, r0) :: back)) by (apply (more_literals_show P under trees tabs s1 c nu M1 phi t _ more S1); auto).
  unfold bind at 1 in Ru. destruct (perform E c2 AnyValue who (effect_of o) s1) as [[c3 env] s3|] eqn:Pe; [|discriminate]. injection Ru as <- <-.
  assert (Vs : all_same M M1 (member_terms m)) by (intros p I; eapply kept_value; [exact K1|]; exact (within_in nu tabs (variables c) s M p G (Tm p I))).
  destruct (scapegoat_goes E P under trees tabs setting_right nu phi c2 who m l o t s1 M1 s1 M1 s3 c3 env front k r0 back st g rho roots lasts placed W G1 G1 (keeps_refl s1 M1) Sc2 H Wh Pl
    (conj Wl (conj We Ch)) S2 Lf Ls Lo Do (described_later P phi c m l g rho roots lasts placed M M1 Vs D) Ca Pe) as (r' & X & Sh).
  exists k, r0, r', front, back. auto.
Qed.
End Forced.
