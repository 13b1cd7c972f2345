(** That Steps show what they have to show, as the second checker computes them
    (spec/calculus.md#steps), through instructions that are covered. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists CellsStand CoveredLists Moving RegisterScopes PointerScopes Followed Drawn FreshObjects MadeShown Performed Stepped StepShown Decided.
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
Hypothesis no_local_sort : forall s, Tidy.is_local P (Sorts.declaration (trees s)) = false.
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
Theorem alone_shows s c who m l i c' s' : sane s c -> (who =? 0)%N = false -> stands_covered E s c who m l i -> Rules.step_alone E who c s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = progress c /\ Herds.sound_decided machine stage shows (Open s c) (N.to_nat (N.pred who)) (Open s' c').
Proof.
  intros Sn Wh Co Ru. pose proof Sn as [Mo Sc]. pose proof Co as [H Pl At _ _]. unfold Rules.step_alone, member_at in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. rewrite H in Ru. unfold ret at 1 in Ru.
  change ((let$ os := outcomes E m in forced_from c who os) s = Gives c' s') in Ru.
  unfold bind at 1 in Ru. destruct (outcomes E m s) as [os s1|] eqn:Os; [|discriminate]. destruct (outcomes_later E tabs s c who m l i os s1 Sn Co Os) as [L1 Wo]. pose proof (later_sane tabs _ _ _ L1 Sn) as Sn1.
  unfold forced_from in Ru. unfold bind at 1 in Ru. destruct (Rules.not_excluded os s1) as [kept s2|] eqn:Ne; [|discriminate]. destruct (proj1 Sn1 zeros zeros_sorted) as [Mz Gz].
  destruct (not_excluded_peek tabs zeros s1 Mz os Gz _ _ Ne) as [-> [A _]]. destruct kept as [|[n o] [|]]; try discriminate. pose proof (A n o (or_introl eq_refl)) as Io. clear Mz Gz A.
  unfold bind at 1 in Ru. unfold demand at 1 in Ru. rewrite Wh in Ru. destruct (Rules.is_ignorance o) eqn:Ig; [discriminate|]. cbn [orb negb] in Ru. unfold ret at 1 in Ru.
  pose proof (follow_sane E P under tabs setting_right s1 c who m l o c' s' Sn1 H Pl (Wo o Io) Ru) as (L2 & Sn2 & Pr). rewrite Wh in Pr.
  split; [eapply later_trans; eauto|]. split; [exact Sn2|]. split; [exact Pr|].
  intros t ts [Hd (nu & M & phi & S)]. pose proof S as (W & G & _).
  destruct (scapegoat_stands E P under trees tabs setting_right locals types memories contents nu M phi s c who m l i t ts Hd Sc S Wh Co)
    as (front & k & r0 & back & st & g & rho & roots & lasts & placed & -> & Lf & Ls & Lo & Fg & D & Do).
  pose proof (terms_of_member s c who m Sc H) as Tm.
  destruct (scapegoat_lists E P under tabs setting_right types memories nu M phi s c who m l i rho roots lasts placed g W G Sc Co Fg D _ _ Os) as (M1 & G1 & K1 & [Ex Re] & _).
  pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t _ Sc G1 K1 S) as S1.
  destruct (not_excluded_peek tabs nu s1 M1 os G1 _ _ Ne) as [_ [_ B]]. destruct (Ex still) as (o' & Io' & Ho & _). destruct (B o' Io' Ho) as (n' & [[= <- <-]|[]]).
  assert (Ca : can_happen P under l m rho roots lasts g M1 (effect_of o)) by (apply Re; [exact Io' | unfold Rules.is_ignorance in Ig; destruct (tag_of o); congruence | exact Ho]).
  destruct (follow_is E tabs s1 c who o c' s' Sn1 Ru) as (more & env & Inc & Pe). rewrite Wh in Pe. cbv zeta in Pe. destruct (Wo o Io') as [Wl We].
  set (c2 := with_literals c (known_literals c ++ more)) in *.
  assert (Sc2 : in_scope s1 c2) by (apply (more_literals_scope s1 c more (proj2 Sn1)); auto).
  assert (S2 : shows_under s1 c2 nu M1 phi t (front ++ (k, r0) :: back)) by (apply (more_literals_show P under trees tabs s1 c nu M1 phi t _ more S1); auto).
  destruct (scapegoat_goes E P under trees tabs setting_right no_local_sort nu phi c2 who m l o t s1 M1 s' c' env front k r0 back st g rho roots lasts placed W G1 (conj (proj1 Sn1) Sc2) H Wh Pl
    (conj Wl We) S2 Lf Ls Lo Do Fg) as (r' & X & Sh); auto.
  - revert D. apply SameValues.describes_same; [intros y q; auto|]. apply member_same. intros p J. eapply kept_value; [exact K1|]. exact (within_in nu tabs (variables c) s M p G (Tm p J)).
  - exists k, r0, r', front, back. auto.
Qed.
End Forced.
