(** What an accepted proof shows (spec/calculus.md#theorem), of what has been decoded: that
    no execution fails, if the rules that are not looked at show what they have to show and
    roots cover all valid inputs. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Owed Tidy Typed Bounds Entries Planting Loading Recognised.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Listed Templates Staying WholeKept Kinds KindsKept Replayed Acting.
From Goatherd.checker2 Require ContentsDrawn Covering Rules Replay.
Import ListNotations.
Open Scope Z_scope.

(** ** The table of terms, and the templates *)

Section Premises.
Variable tabs : indexed table.
Notation modelled := (modelled tabs).
Notation later := (later tabs).
Lemma initial_modelled l : index_of l = tabs -> modelled (initial_state l).
Proof. intros H nu _. exists {| va := fun _ => 0; vl := fun _ => 0; vr := fun _ _ => 0 |}. apply initial_good. exact H. Qed.
Lemma defined_modelled ts : forall n s s', Replay.define_all n ts s = Fine s' -> modelled s -> modelled s'.
Proof.
  induction ts as [|t ts IH]; intros n s s' H Mo; cbn [Replay.define_all] in H; [injection H as <-; exact Mo|]. unfold then_ in H.
  destruct (Replay.placed (Where.Term n) (define_term t) s) as [[u s1]|] eqn:D; [|discriminate]. apply (placed_is (Where.Term n)) in D.
  eapply IH; [exact H|]. eapply modelled_later; [exact Mo|]. eapply (meets_later tabs s (define_term t) u s1 (fun _ _ _ _ _ => True)); [|exact D].
  intros nu M W G. apply define_term_meets; auto.
Qed.
Lemma templates_made E ts : forall n s cs s', Replay.make_templates E n ts s = Fine (cs, s') -> modelled s -> (forall t, In t ts -> formed_scope (scope_of t)) ->
  s' = s /\ length cs = length ts /\ forall c, In c cs -> in_scope s c /\ progress c = false.
Proof.
  induction ts as [|t ts IH]; intros n s cs s' H Mo F; cbn [Replay.make_templates] in H; [injection H as <- <-; split; auto; split; auto; intros ? []|]. unfold then_ in H.
  destruct (Replay.placed (Where.Template n) (Covering.configuration_of E t) s) as [[c s1]|] eqn:D; [|discriminate]. apply (placed_is (Where.Template n)) in D.
  destruct (Mo zeros zeros_sorted) as [M G]. destruct (template_right E t zeros tabs s M G (F t (or_introl eq_refl)) _ _ D) as [-> R].
  destruct (Replay.make_templates E (N.succ n) ts s) as [[cs1 s2]|] eqn:Ms; [|discriminate]. injection H as <- <-.
  destruct (IH _ _ _ _ Ms Mo) as (-> & L & All); [intros x I; apply F; right; exact I|]. split; auto. split; [simpl; congruence|]. intros x [<-|I]; auto.
Qed.
(** ... and they have not made progress, have a slot for each register, and kinds. *)
Lemma made_start E ts : forall n s cs s', Replay.make_templates E n ts s = Fine (cs, s') -> forall c, In c cs -> starts E c /\ kinds_right E c.
Proof.
  induction ts as [|t ts IH]; intros n s cs s' H; cbn [Replay.make_templates] in H; [injection H as <- _; intros ? []|]. unfold then_ in H.
  destruct (Replay.placed (Where.Template n) (Covering.configuration_of E t) s) as [[c s1]|] eqn:D; [|discriminate]. apply (placed_is (Where.Template n)) in D.
  destruct (Replay.make_templates E (N.succ n) ts s1) as [[cs1 s2]|] eqn:Ms; [|discriminate]. injection H as <- _.
  intros x [<-|I]; [split; [exact (template_starts E t _ _ _ D) | exact (template_kinds E t _ _ _ D)] | eapply IH; eauto].
Qed.
End Premises.

(** Terms have a model, and templates are in scope. *)
Lemma premises_right E c p cs s tabs : Replay.premises E c p = Fine (cs, s) -> tabs = index_of (tables (program_in E)) -> (forall t, In t (templates p) -> formed_scope (scope_of t)) ->
  modelled tabs s /\ length (derivations p) = length cs /\ forall d, In d cs -> in_scope s d /\ progress d = false /\ tables_kept E d.
Proof.
  intros Pr -> Sc. unfold Replay.premises in Pr. unfold then_ at 1 in Pr.
  destruct (Replay.define_all 0 (terms c) (initial_state (tables (program_in E)))) as [s0|] eqn:D; [|discriminate].
  unfold then_ at 1 in Pr. unfold ensure in Pr. destruct (count (derivations p) =? count (templates p))%N eqn:Cn; [|discriminate].
  pose proof (defined_modelled _ (terms c) 0%N _ s0 D (initial_modelled _ (tables (program_in E)) eq_refl)) as Mo.
  destruct (templates_made _ E (templates p) 0%N s0 cs s Pr Mo Sc) as (-> & Lc & Tr).
  apply N.eqb_eq in Cn. rewrite !count_length in Cn. split; [exact Mo|]. split; [lia|].
  intros d I. destruct (Tr d I) as [Sd Pd]. destruct (made_start E (templates p) 0%N s0 cs s0 Pr d I) as [(_ & Wd & _) Kd]. split; [exact Sd|]. split; [exact Pd | split; assumption].
Qed.
Lemma leaks_asked_of Q us k ts : Owed.checks_leaks (Translated.program_of Q) -> asks_for_leaks (setting_of Q us k ts) = true.
Proof.
  intros (rs & I). apply in_map_iff in I as (i & Ei & I). apply existsb_exists. exists i. split; [exact I|]. destruct i; discriminate || reflexivity.
Qed.

Section Safe.
Variable c : certificate.
Variable p : proof.
(** The program with the lemmas of the proof. *)
Variable Q : program.
Hypothesis lemmas_added : Replay.with_lemmas (program_of (statement_of c)) (lemmas p) = Fine Q.
Let us := under (statement_of c).
Let E := setting_of Q us (k_of p) (sorts p).
Let P := Translated.program_of Q.
Notation machine := (Goatherd.Runs.system_of P (Translated.parameters_of us)).
Variable trees : nat -> Sorts.sort_of_trees.
Let tabs := index_of (tables Q).
Notation shows := (shows_stage P (Translated.parameters_of us) trees tabs).
Hypothesis integers_of_c : arithmetic_of us = C.
(** What decoding and well-formedness see to. *)
Hypothesis scopes_formed : forall t, In t (templates p) -> formed_scope (scope_of t).
Hypothesis locals : Tidy.locals_formed P.
Hypothesis types : Typed.types_formed P.
Hypothesis memories : Bounds.memory_formed P.
Hypothesis contents : Entries.contents_formed P.
Hypothesis no_local_sort : forall s, Tidy.is_local P (Sorts.declaration (trees s)) = false.
Hypothesis nodes : Planting.nodes_formed P trees.
Hypothesis well_given : Loading.inputs_formed P.
Hypothesis targets : Recognised.targets_formed P.
Hypothesis links : links_in_pointers E.
Hypothesis sorts_are : ContentsDrawn.sorts_right E trees.
(** Its terms and templates. *)
Variables (cs : list configuration) (s : state).
Hypothesis made : Replay.premises E c p = Fine (cs, s).
(** What is not proved of Root. *)
Hypothesis root_sane : forall class s1 d s', modelled tabs s1 -> Rules.root_of_class E (lengths_of p) class s1 = Gives (Some d) s' ->
  later tabs s1 s' /\ sane tabs s' d.
Hypothesis roots_cover : forall s1 l, given_roots tabs (Rules.root_of_class E (lengths_of p)) 0%N s1 l ->
  forall x, Goatherd.Runs.is_entry P x -> exists y, In y l /\ shows y (Herds.Run machine x 0 x) [].
Lemma setting_here : same_setting E P (Translated.parameters_of us).
Proof. exact (setting_same Q us (k_of p) (sorts p) integers_of_c). Qed.
Lemma premises_here : modelled tabs s /\ length (derivations p) = length cs /\ forall d, In d cs -> in_scope s d /\ progress d = false /\ tables_kept E d.
Proof. exact (premises_right E c p cs s tabs made eq_refl scopes_formed). Qed.
Lemma acted_safe act u : acts_right E P (Translated.parameters_of us) trees tabs cs s act -> Replay.replay_proof E act (fun _ => tt) cs p tt s = Fine u -> Herds.safe machine.
Proof.
  intros A H. destruct premises_here as (Mo & Ld & Tr).
  exact (replayed_safe E P (Translated.parameters_of us) trees tabs cs s Mo Tr act A p links Ld root_sane roots_cover u H).
Qed.

(** With what is not proved of rules. *)
Theorem safe_shown u : (forall s1 d who, is_covered_by_kinds E d who s1 = false -> alone_shown E P (Translated.parameters_of us) trees tabs cs s s1 d who) ->
  (forall d r s1, is_assumed E cs d r s1 = true -> ready E tabs s s1 d -> shown_at E P (Translated.parameters_of us) trees tabs cs s s1 d r) ->
  Replay.safe c p = Fine u -> Herds.safe machine.
Proof.
  intros Alone Assumed H. unfold Replay.safe in H. unfold then_ at 1 in H. rewrite lemmas_added in H. fold us in H. fold E in H. unfold then_ at 1 in H. rewrite made in H.
  destruct premises_here as (Mo & _ & Tr). eapply acted_safe; [|exact H]. eapply alone_acts; eauto using setting_here. apply leaks_asked_of.
Qed.
(** Where proved rules are enough nothing is asked of rules. *)
Theorem proved_safe u : safe_by_proved_rules c p = Fine u -> Herds.safe machine.
Proof.
  intros H. unfold safe_by_proved_rules in H. unfold then_ at 1 in H. rewrite lemmas_added in H. fold us in H. fold E in H. unfold then_ at 1 in H. rewrite made in H.
  destruct premises_here as (Mo & _ & Tr). eapply acted_safe; [|exact H]. eapply proved_acts; eauto using setting_here. apply leaks_asked_of.
Qed.
End Safe.
