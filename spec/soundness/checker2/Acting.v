(** That a replay does to open configurations what rules have to show
    (spec/calculus.md#replay): by all rules, if those that are not proved do; and by those
    that are proved alone, of which nothing is asked. *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Owed Tidy Typed Bounds Entries Planting Loading Recognised.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena States Denoting Shown Listed Staying WholeKept Replayed.
From Goatherd.checker2 Require ContentsDrawn Rules Replay.
Import ListNotations.
Open Scope N_scope.

(** ** By proved rules alone *)

Section Proved.
Variable E : setting.
Variable described : list configuration.
Definition proved_alone (who : N) (c : configuration) : computes configuration :=
  fun s => if is_covered_by_kinds E c who s then Rules.step_alone E who c s else Refuses Rejection.Outcomes.
(** Are the rule's steps proved, each where it is taken? *)
Definition is_proved (c : configuration) (r : rule) (s : state) : bool := match r with
  | Steps who n => match Rules.repeated (N.to_nat n) (proved_alone who) c s with Gives _ _ => true | Refuses _ => false end
  | _ => negb (is_assumed E described c r s) end.
(** As [Replay.act_alone], but for rules that are not proved, which it refuses. *)
Definition act_proved (c : configuration) (mark : unit) (r : rule) (log : unit) : computes (list (configuration * unit) * unit) := fun s =>
  if is_proved c r (with_hints s (Rules.hints_of r)) then Replay.act_alone E (index_of described) c mark r log s else Refuses Rejection.Outcomes.
End Proved.
(** As [Replay.safe]. *)
Definition safe_by_proved_rules (c : certificate) (p : proof) : answer unit :=
  let st := statement_of c in
  let! P := Replay.with_lemmas (program_of st) (lemmas p) in
  let E := setting_of P (under st) (k_of p) (sorts p) in
  let! (cs, s) := Replay.premises E c p in
  Replay.replay_proof E (act_proved E cs) (fun _ => tt) cs p tt s.

Section Acting.
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
Hypothesis nodes : Planting.nodes_formed P trees.
Hypothesis well_given : Loading.inputs_formed P.
Hypothesis targets : Recognised.targets_formed P.
Hypothesis leaks_asked : Owed.checks_leaks P -> asks_for_leaks E = true.
Hypothesis sorts_are : ContentsDrawn.sorts_right E trees.
Variable described : list configuration.
Variable start : state.
Hypothesis terms_modelled : modelled tabs start.
Hypothesis templates_right : forall d, In d described -> in_scope start d /\ progress d = false /\ tables_kept E d.
Notation ready := (ready E tabs start).
Notation shown_at := (shown_at E P under trees tabs described start).
Notation alone_shown := (alone_shown E P under trees tabs described start).
Notation acts_right := (acts_right E P under trees tabs described start).

Lemma alone_is c r log s es log' s' : Replay.act_alone E (index_of described) c tt r log s = Gives (es, log') s' ->
  exists ds, es = List.map (fun c => (c, tt)) ds /\ Rules.replay_rule E (index_of described) c r s = Gives ds s'.
Proof. unfold Replay.act_alone, bind. destruct (Rules.replay_rule _ _ c r s) as [ds s1|]; [|discriminate]. intros [= <- _ <-]. eauto. Qed.
Lemma steps_right who n c s f : ready s c -> (forall c s c' s', ready s c -> f c s = Gives c' s' -> Rules.step_alone E who c s = Gives c' s' /\ alone_shown s c who) ->
  (exists d s', Rules.repeated (N.to_nat n) f c s = Gives d s') \/ f = Rules.step_alone E who -> shown_at s c (Steps who n).
Proof.
  intros R Each Ran ds s' H. apply steps_are in H as (d & -> & H).
  assert (F : Rules.repeated (N.to_nat n) f c s = Gives d s').
  { destruct Ran as [(d1 & s1 & F)| ->]; [|exact H]. destruct (repeated_shown E P under trees tabs setting_right types described start who f Each _ _ _ _ _ R F) as [H1 _]. congruence. }
  destruct (repeated_shown E P under trees tabs setting_right types described start who f Each _ _ _ _ _ R F) as (_ & L & K & C).
  split; auto. split; [intros ? [<-|[]]; split; [exact K | discriminate]|]. intros Cl. apply C, Cl. left. reflexivity.
Qed.
(** ** All rules *)

Theorem alone_acts : (forall s c who, is_covered_by_kinds E c who s = false -> alone_shown s c who) -> (forall c r s, is_assumed E described c r s = true -> ready s c -> shown_at s c r) ->
  acts_right (Replay.act_alone E (index_of described)).
Proof.
  intros Alone Assumed c r log s es log' s' R A. apply alone_is in A as (ds & -> & A). exists ds. split; auto. pose proof (ready_hints E tabs start s c (Rules.hints_of r) R) as Rh.
  eapply (replayed_rule E P under trees tabs setting_right types); [exact R | | exact A]. destruct (is_assumed E described c r (with_hints s (Rules.hints_of r))) eqn:Ar; [exact (Assumed c r _ Ar Rh)|].
  assert (Other : (forall who n, r <> Steps who n) -> shown_at (with_hints s (Rules.hints_of r)) c r)
    by (intros Ns; eapply others_shown; eauto).
  destruct r as [rs|who n x hs|k|h|ds1 is_ hs|who|n mt hs|who| |u|sy en|who n|who]; try (apply Other; discriminate).
  apply (steps_right who n c _ (Rules.step_alone E who) Rh); [|right; reflexivity]. intros c1 s1 c' s2 _ H. split; [exact H|].
  destruct (is_covered_by_kinds E c1 who s1) eqn:C; [eapply covered_alone; eauto | exact (Alone s1 c1 who C)].
Qed.
Theorem proved_acts : acts_right (act_proved E described).
Proof.
  intros c r log s es log' s' R A. unfold act_proved in A. destruct (is_proved E described c r (with_hints s (Rules.hints_of r))) eqn:Pr; [|discriminate].
  apply alone_is in A as (ds & -> & A). exists ds. split; auto. pose proof (ready_hints E tabs start s c (Rules.hints_of r) R) as Rh.
  eapply (replayed_rule E P under trees tabs setting_right types); [exact R | | exact A].
  assert (Other : negb (is_assumed E described c r (with_hints s (Rules.hints_of r))) = true -> (forall who n, r <> Steps who n) -> shown_at (with_hints s (Rules.hints_of r)) c r)
    by (intros As Ns; apply negb_true_iff in As; eapply others_shown; eauto).
  destruct r as [rs|who n x hs|k|h|ds1 is_ hs|who|n mt hs|who| |u|sy en|who n|who]; try (apply Other; [exact Pr | discriminate]).
  cbn [is_proved] in Pr. apply (steps_right who n c _ (proved_alone E who) Rh).
  - intros c1 s1 c' s2 _ H. unfold proved_alone in H. destruct (is_covered_by_kinds E c1 who s1) eqn:C; [|discriminate]. split; [exact H | eapply covered_alone; eauto].
  - left. destruct (Rules.repeated _ _ _ _) as [d s1|]; [eauto | discriminate].
Qed.
End Acting.
