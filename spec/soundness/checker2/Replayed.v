(** What a replay that ends shows (spec/calculus.md#replay, #theorem): all templates and all
    roots are closed by rules that are sound, so that no execution fails, if each rule that
    is not looked at here shows what it has to show, and roots cover all valid inputs. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Owed Tidy Typed Bounds Entries Planting FoldedMembers Configurations Loading Recognised.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed RegisterLists CellsStand Stepped StepShown Decided Chosen ObjectChosen Forced EntryLeft AddedShown Staying WholeKept TwinShown Kinds KindsKept ContentsDrawn UnfoldShown UnfoldKinds SubsumeShown.
From Goatherd.checker2 Require Covering Rules Replay.
Import ListNotations.
Open Scope Z_scope.

Section Replayed.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows := (shows_stage P under trees tabs).
Notation sane := (sane tabs).
Notation modelled := (modelled tabs).
Notation later := (later tabs).
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
(** The sorts of the setting. *)
Hypothesis sorts_are : sorts_right E trees.

(** ** Later states *)

Lemma later_cover s s' c : in_scope s c -> later s s' -> Herds.sound_cover machine stage shows (Open s c) [Open s' c].
Proof.
  intros Sc L t ts [_ (nu & M & phi & S)]. pose proof S as (W & G & _). destruct (L nu M W G) as (M' & G' & K).
  exists (Open s' c). split; [left; reflexivity|]. exists nu, M', phi. eapply carried_on; eauto.
Qed.
Lemma hints_later s hs : later s (with_hints s hs).
Proof.
  intros nu M _ G. exists M. split; [apply hints_good; exact G|]. apply hints_keep with (hs := hs). apply keeps_refl.
Qed.

(** ** Rules *)

Section Templates.
(** What rules keep, whatever terms are: a slot for each register, and kinds. *)
Definition tables_kept (c : configuration) : Prop := whole E c /\ kinds_right E c.
(** Templates, in the state of terms in which derivations begin. *)
Variable described : list configuration.
Variable start : state.
Hypothesis terms_modelled : modelled start.
Hypothesis templates_right : forall d, In d described -> in_scope start d /\ progress d = false /\ tables_kept d.
Let templates := List.map (Open start) described.
Notation ts := (index_of described).
Notation closed := (Herds.closed machine stage shows templates).
(** The configuration is closed, with progress as it says. *)
Definition shut (x : stage) : Prop := match x with Open s c => closed (progress c) (Open s c) | Ended => True end.
Lemma shut_later s s' c : in_scope s c -> later s s' -> shut (Open s' c) -> shut (Open s c).
Proof. intros Sc L H. eapply Herds.closed_cover; [eapply later_cover; eauto|]. intros x [<-|[]]. exact H. Qed.

(** What is known of configurations that are open; of kinds a rule has to show what is not
    proved of it. *)
Definition ready (s : state) (c : configuration) : Prop := sane s c /\ tables_kept c /\ later start s.
Definition shown_at (s : state) (c : configuration) (r : rule) : Prop := forall ds s', Rules.apply_rule E ts c r s = Gives ds s' ->
  later s s' /\ (forall d, In d ds -> sane s' d /\ (keeps_kinds r = false -> kinds_right E d)) /\ ((forall d, In d ds -> shut (Open s' d)) -> shut (Open s c)).
Definition rule_shown (c : configuration) (r : rule) : Prop := forall s, ready s c -> shown_at s c r.

Lemma assume_progress c l s c' s' : assume c l s = Gives c' s' -> progress c' = progress c.
Proof.
  unfold assume, bind. destruct (is_true l s) as [e s1|]; [|discriminate]. intros [= <- _]. destruct (_ || _); reflexivity.
Qed.
Lemma assumed_progress c ls : forall s cs s', mapped (assume c) ls s = Gives cs s' -> forall c', In c' cs -> progress c' = progress c.
Proof.
  induction ls as [|l ls IH]; intros s cs s' H c' I; cbn [mapped] in H; [injection H as <- _; destruct I|].
  unfold bind in H. destruct (assume c l s) as [c1 s1|] eqn:A; [|discriminate]. destruct (mapped (assume c) ls s1) as [cs1 s2|] eqn:B; [|discriminate].
  injection H as <- _. destruct I as [<-|I]; [eapply assume_progress; eauto | eapply IH; eauto].
Qed.
Theorem split_shown c l : rule_shown c (Split l).
Proof.
  intros s [Sn _] ds s' H. destruct (split_shows P under trees tabs s c l ds s' Sn H) as [[L K] C]. split; auto. split; [intros d I; split; [auto | discriminate]|]. intros Cl.
  eapply Herds.closed_cover; [exact C|]. intros x I. apply in_map_iff in I as (c' & <- & I). specialize (Cl c' I). simpl in Cl.
  assert (Pr : progress c' = progress c); [|rewrite <- Pr; exact Cl].
  simpl in H. unfold Rules.split, bind in H. destruct (exists_in _ _ s) as [u s1|]; [|discriminate]. destruct (negate l s1) as [k s2|]; [|discriminate].
  eapply assumed_progress; eauto.
Qed.
Theorem infeasible_shown c h : rule_shown c (Infeasible h).
Proof.
  intros s [Sn _] ds s' H. destruct (infeasible_shows P under trees tabs s c ds s' Sn H) as (-> & L & C). split; auto. split; [intros ? []|]. intros _.
  eapply Herds.closed_cover; [exact C | intros ? []].
Qed.
Lemma one_open_is (rule : computes configuration) s cs s' : Rules.one_open rule s = Gives cs s' -> exists c, cs = [c] /\ rule s = Gives c s'.
Proof. unfold Rules.one_open, bind. destruct (rule s) as [c s1|]; [|discriminate]. intros [= <- <-]. eauto. Qed.
Lemma closed_is (rule : computes unit) s cs s' : Rules.closed rule s = Gives cs s' -> cs = [] /\ exists u, rule s = Gives u s'.
Proof. unfold Rules.closed, bind. destruct (rule s) as [u s1|]; [|discriminate]. intros [= <- <-]. eauto. Qed.
Theorem let_shown c u : rule_shown c (Let_ u).
Proof.
  intros s [Sn _] ds s' H. apply one_open_is in H as (d & -> & H). destruct (let_shows P under trees tabs s c u d s' Sn H) as (L & K & C).
  split; auto. split; [intros ? [<-|[]]; split; [exact K | discriminate]|]. intros Cl. eapply Herds.closed_cover; [exact C|]. intros x [<-|[]].
  specialize (Cl d (or_introl eq_refl)). simpl in Cl. assert (Pr : progress d = progress c); [|rewrite <- Pr; exact Cl].
  unfold Rules.names_term, bind in H. destruct (exists_in _ _ s) as [v s1|]; [|discriminate]. destruct (fresh c None s1) as [[x c1] s2|] eqn:F; [|discriminate].
  destruct (equal x u s2) as [l s3|]; [|discriminate]. injection H as <- _. simpl. unfold fresh, bind in F.
  destruct (some _ _ s1) as [n s4|]; [|discriminate]. destruct (next_number n s4) as [y s5|]; [|discriminate]. destruct (variable None n s5) as [z s6|]; [|discriminate].
  injection F as _ <- _. reflexivity.
Qed.
Theorem drop_shown c who : rule_shown c (Drop who).
Proof.
  intros s [Sn _] ds s' H. apply one_open_is in H as (d & -> & H). destruct (drop_shows P under trees tabs s c who d s' Sn H) as (L & K & C).
  split; auto. split; [intros ? [<-|[]]; split; [exact K | discriminate]|]. intros Cl. eapply Herds.closed_drop; [exact C|].
  specialize (Cl d (or_introl eq_refl)). simpl in Cl. assert (Pr : progress d = progress c); [|rewrite <- Pr; exact Cl].
  unfold Rules.drop_member, bind in H. destruct (Rules.no_primary who s) as [u s1|]; [|discriminate]. destruct (member_at c who s1) as [v s2|]; [|discriminate].
  injection H as <- _. reflexivity.
Qed.
Theorem descent_shown c who : rule_shown c (Descent who).
Proof.
  intros s [Sn _] ds s' H. apply closed_is in H as (-> & u & H). destruct (descent_shows E P under trees tabs (same_code _ _ _ setting_right) s c who u s' Sn H) as [L D].
  split; auto. split; [intros ? []|]. intros _. apply Herds.closed_descent. exact D.
Qed.
Theorem end_shown c : rule_shown c End_.
Proof.
  intros s [Sn _] ds s' H. apply closed_is in H as (-> & u & H). destruct (ends_shows E P under trees tabs (same_code _ _ _ setting_right) s c u s' H) as (L & St & En).
  split; auto. split; [intros ? []|]. intros _. eapply Herds.closed_step; [exact St|]. intros x [<-|[]]. apply Herds.closed_end. exact En.
Qed.

(** Step, StepDecided, and one step of Steps, where the member is at an instruction that is
    covered. *)
Definition is_covered (c : configuration) (who : N) (s : state) : bool := match nth (herd c) who with
  | Some m => match place_of m with
    | At l => match at_position (code E) l with Some i => covered E m i && is_leak_known m i s | None => false end
    | HasFailed => false end
  | None => false end.
Lemma covered_is c who s : is_covered c who s = true -> exists m l i, stands_covered E s c who m l i.
Proof.
  unfold is_covered. intros Cv. destruct (nth (herd c) who) as [m|] eqn:Hm; [|discriminate]. destruct (place_of m) as [l|] eqn:Pl; [|discriminate].
  destruct (at_position (code E) l) as [i|] eqn:At; [|discriminate]. apply andb_prop in Cv as [Cv Kn]. exists m, l, i. split; auto.
Qed.
(** ... where loads and stores are as kinds say. *)
Definition is_covered_by_kinds (c : configuration) (who : N) (s : state) : bool := match nth (herd c) who with
  | Some m => match place_of m with
    | At l => match at_position (code E) l with Some i => covered_by_kinds E m i && is_leak_known m i s | None => false end
    | HasFailed => false end
  | None => false end.
Lemma kinds_covered s c who : ready s c -> is_covered_by_kinds c who s = true -> is_covered c who s = true.
Proof.
  intros (_ & [_ K] & _). unfold is_covered_by_kinds, is_covered. destruct (nth (herd c) who) as [m|] eqn:H; [|discriminate]. destruct (place_of m); [|discriminate]. destruct (at_position _ _); [|discriminate].
  intros Cv. apply andb_prop in Cv as [Cv Kn]. rewrite Kn, andb_true_r. apply kinds_cover; [exact (member_in E c who m H K) | exact Cv].
Qed.
Theorem step_shown s c refuted : is_covered_by_kinds c 0 s = true -> ready s c -> shown_at s c (Step refuted).
Proof.
  intros Cv R ds s' H. apply (kinds_covered s c 0 R) in Cv. destruct R as [Sn _]. destruct (covered_is c 0 s Cv) as (m & l & i & [Hm Pl At Ci Kn]).
  destruct (step_shows E P under trees tabs setting_right locals types memories contents no_local_sort s c m l i (List.map fst refuted) ds s' Sn) as (L & K & St); [split; auto | exact H|].
  split; auto. split; [intros c' I; split; [apply K; exact I | discriminate]|]. intros Cl. eapply Herds.closed_step; [exact St|].
  intros x I. apply in_map_iff in I as (c' & <- & I). destruct (K c' I) as [_ Pr]. specialize (Cl c' I). simpl in Cl. rewrite Pr in Cl. exact Cl.
Qed.
(** Where a scapegoat says what an object is, that is shown of what is no node, and of a node
    that begins at 0. *)
Definition is_chosen_plain (c : configuration) (who : N) (x : option choice) (s : state) : bool := match x with
  | Some (Allocation lo _) => match nth (herd c) who with
    | Some m => match place_of m with
      | At l => match at_position (code E) l with Some i => allots_plain E i || begins_at_zero lo s | None => false end
      | HasFailed => false end
    | None => false end
  | _ => true end.
Theorem decided_shown s c who n x hs : is_covered_by_kinds c who s = true -> is_chosen_plain c who x s = true -> ready s c -> shown_at s c (StepDecided who n x hs).
Proof.
  intros Cv Dx R ds s' H. apply (kinds_covered s c who R) in Cv. destruct R as [Sn _]. destruct (covered_is c who s Cv) as (m & l & i & St). apply one_open_is in H as (d & -> & H).
  assert (D : later s s' /\ sane s' d /\ progress d = progress c /\ Herds.sound_decided machine stage shows (Open s c) (N.to_nat (N.pred who)) (Open s' d)).
  { destruct x as [[x|lo fs]|]; [eapply (value_chosen_shows E P under trees tabs); eauto | eapply (object_chosen_shows E P under trees tabs); eauto | eapply (step_decided_shows E P under trees tabs); eauto].
    destruct St as [Hm Pl At _ _]. unfold is_chosen_plain in Dx. rewrite Hm, Pl, At in Dx. exact Dx. }
  destruct D as (L & K & Pr & D). split; auto. split; [intros ? [<-|[]]; split; [exact K | discriminate]|]. intros Cl. eapply Herds.closed_decided; [exact D|]. specialize (Cl d (or_introl eq_refl)). simpl in Cl. rewrite <- Pr. exact Cl.
Qed.
Definition alone_shown (s : state) (c : configuration) (who : N) : Prop := forall c' s', ready s c -> Rules.step_alone E who c s = Gives c' s' ->
  later s s' /\ sane s' c' /\ (shut (Open s' c') -> shut (Open s c)).
Theorem covered_alone s c who : is_covered_by_kinds c who s = true -> alone_shown s c who.
Proof.
  intros Cv c' s' R H. apply (kinds_covered s c who R) in Cv. destruct R as [Sn _]. destruct (covered_is c who s Cv) as (m & l & i & St). destruct (who =? 0)%N eqn:Wh.
  - apply N.eqb_eq in Wh. subst who. apply alone_is_step in H. destruct St as [Hm Pl At Ci Kn].
    destruct (step_shows E P under trees tabs setting_right locals types memories contents no_local_sort s c m l i [] [c'] s' Sn) as (L & K & Sd); [split; auto | exact H|].
    destruct (K c' (or_introl eq_refl)) as [K1 Pr]. split; auto. split; auto. intros Cl. eapply Herds.closed_step; [exact Sd|]. intros x [<-|[]]. simpl in Cl. rewrite Pr in Cl. exact Cl.
  - destruct (alone_shows E P under trees tabs setting_right locals types memories contents no_local_sort s c who m l i c' s' Sn Wh St H) as (L & K & Pr & D).
    split; auto. split; auto. intros Cl. eapply Herds.closed_decided; [exact D|]. simpl in Cl. rewrite <- Pr. exact Cl.
Qed.
(** Steps are as many of these. *)
Lemma repeated_shown who (f : configuration -> computes configuration) : (forall c s c' s', ready s c -> f c s = Gives c' s' -> Rules.step_alone E who c s = Gives c' s' /\ alone_shown s c who) ->
  forall n c s c' s', ready s c -> Rules.repeated n f c s = Gives c' s' ->
  Rules.repeated n (Rules.step_alone E who) c s = Gives c' s' /\ later s s' /\ sane s' c' /\ (shut (Open s' c') -> shut (Open s c)).
Proof.
  intros Each n. induction n as [|n IH]; intros c s c' s' R H; cbn [Rules.repeated] in *; [injection H as <- <-; split; auto; split; [apply later_refl|]; split; [exact (proj1 R) | auto]|].
  unfold bind in *. destruct (f c s) as [c1 s1|] eqn:F; [|discriminate]. destruct (Each c s c1 s1 R F) as [A Sh]. rewrite A. destruct (Sh c1 s1 R A) as (L & K & C).
  destruct R as (Sn & [W Ki] & La). destruct (IH c1 s1 c' s') as (Re & L' & K' & C'); [split; [exact K | split; [split; [exact (alone_whole E c who W _ _ _ A) | exact (alone_kinds E P under setting_right types c who Ki _ _ _ A)] | eapply later_trans; eauto]] | exact H|].
  split; [exact Re|]. split; [eapply later_trans; eauto | auto].
Qed.
Lemma steps_are c who n s ds s' : Rules.apply_rule E ts c (Steps who n) s = Gives ds s' -> exists d, ds = [d] /\ Rules.repeated (N.to_nat n) (Rules.step_alone E who) c s = Gives d s'.
Proof.
  intros H. apply one_open_is in H as (d & -> & H). exists d. split; auto. unfold Rules.steps_of, bind, demand in H. destruct (n <=? entries (code E))%N; [exact H | discriminate].
Qed.
(** Subsume, by substitution and by reading, where tables are as templates have them. *)
Theorem subsume_shown c n d mt hs : at_position ts n = Some d -> is_read_covered E c d mt = true -> rule_shown c (Subsume n mt hs).
Proof.
  intros At Cv s (Sn & [Wc _] & La) ds s' H.
  assert (I : In d described) by (rewrite at_position_is in At; eapply List.nth_error_In; exact At). destruct (templates_right d I) as (Sc & _ & [Wd _]).
  apply closed_is in H as (-> & u & H). rewrite At in H. unfold bind at 1, some at 1, ret at 1 in H.
  destruct (subsume_shows E P under trees tabs setting_right sorts_are leaks_asked c d mt start terms_modelled Sc Wc Wd (fun m J => proj1 (proj2 (proj2 Sn)) m (herd_member c m J)) Cv s u s' Sn La H) as [L Sh]. split; auto. split; [intros ? []|]. intros _.
  assert (Pr : progress c = true) by (unfold Covering.subsume, bind at 1, demand at 1 in H; destruct (progress c); [reflexivity | discriminate]).
  unfold shut. rewrite Pr. eapply Herds.closed_subsume; [exact Sh|]. apply in_map. exact I.
Qed.

(** AddScapegoat, where nothing is lost, and nodes stand where parts may. *)
Definition is_added (c : configuration) (ds : list (N * dropped)) (is_ : list (N * N)) (s : state) : bool := is_added_whole E c ds is_ s && is_left_alike E c ds s &&
  (forallb is_element ds || match Rules.add_scapegoat E c ds is_ s with Gives d _ => forallb (has_kinds E) (members_of d) | Refuses _ => true end).
Theorem scapegoat_shown c ds is_ hs s : is_added c ds is_ s = true -> ready s c -> shown_at s c (AddScapegoat ds is_ hs).
Proof.
  intros Ad (Sn & _) es s' H. apply andb_prop in Ad as [Ad Kd]. apply andb_prop in Ad as [Nl Al]. apply one_open_is in H as (d & -> & H).
  destruct (scapegoat_shows E P under trees tabs setting_right sorts_are nodes well_given contents targets locals leaks_asked s c ds is_ d s' Nl Al Sn H) as (L & K & Pr & A).
  split; auto. split; [intros ? [<-|[]]; split; [exact K|]|intros Cl; eapply Herds.closed_add; [exact A|]; specialize (Cl d (or_introl eq_refl)); simpl in Cl; rewrite <- Pr; exact Cl].
  cbn [keeps_kinds]. intros Ne. rewrite Ne, H in Kd. cbn [orb] in Kd. rewrite forallb_forall in Kd. intros m I. exact (has_kinds_right E m (proj1 (proj2 (proj2 K)) m I) (Kd m I)).
Qed.

(** Twin, where each element that lives has a cell or stands in a rest. *)
Theorem twin_shown c who s : is_twin_covered E c s = true -> ready s c -> shown_at s c (Twin who).
Proof.
  intros Cv (Sn & [Wc _] & _) ds s' H. apply closed_is in H as (-> & u & H). destruct (twin_shows E P under trees tabs setting_right locals leaks_asked s c who u s' Sn Wc Cv H) as [L T].
  split; auto. split; [intros ? []|]. intros _. apply Herds.closed_twin. exact T.
Qed.

(** Unfold. *)
Theorem unfold_shown c sy e : is_unfold_covered E c sy = true -> rule_shown c (Unfold sy e).
Proof.
  intros Cv s (Sn & [_ Ki] & _) ds s' H. destruct (unfold_shows E P under trees tabs setting_right sorts_are nodes well_given s c sy e ds s' Sn Cv H) as (L & K & C). split; auto. split.
  - intros d I. split; [apply K; exact I|]. intros _. pose proof (unfold_kinds E c sy e Cv Ki _ _ _ H) as F. rewrite Forall_forall in F. exact (F d I).
  - intros Cl. eapply Herds.closed_cover; [exact C|]. intros x I. apply in_map_iff in I as (d & <- & I). specialize (Cl d I). simpl in Cl. rewrite (proj2 (K d I)) in Cl. exact Cl.
Qed.

(** These are all rules but for the following, in the state of terms in which they act. *)
Definition is_assumed (c : configuration) (r : rule) (s : state) : bool := match r with
  | Step _ => negb (is_covered_by_kinds c 0 s)
  | StepDecided who _ x _ => negb (is_covered_by_kinds c who s && is_chosen_plain c who x s)
  | Subsume n mt _ => match at_position ts n with Some d => negb (is_read_covered E c d mt) | None => false end
  | AddScapegoat ds is_ _ => negb (is_added c ds is_ s)
  | Twin _ => negb (is_twin_covered E c s)
  | Unfold sy _ => negb (is_unfold_covered E c sy)
  | Steps _ _ | Split _ | Infeasible _ | Drop _ | Descent _ | End_ | Let_ _ => false end.
Theorem others_shown c r s : is_assumed c r s = false -> (forall who n, r <> Steps who n) -> ready s c -> shown_at s c r.
Proof.
  intros A Ns Re. destruct r as [rs|who n x hs|k|h|ds is_ hs|who|n mt hs|who| |u|sy en|who n|who]; try discriminate; cbn [is_assumed] in A; try apply negb_false_iff in A.
  - apply step_shown; auto.
  - apply andb_prop in A as [A Dx]. apply decided_shown; auto.
  - apply split_shown; auto.
  - apply infeasible_shown; auto.
  - apply scapegoat_shown; auto.
  - apply drop_shown; auto.
  - destruct (at_position ts n) as [d|] eqn:At; [apply negb_false_iff in A; eapply subsume_shown; eauto|].
    intros ds s' H. apply closed_is in H as (_ & u & H). rewrite At in H. discriminate.
  - apply descent_shown; auto.
  - apply end_shown; auto.
  - apply let_shown; auto.
  - apply unfold_shown; auto.
  - destruct (Ns who n eq_refl).
  - apply twin_shown; auto.
Qed.
(** With the rule's hints, all of which are used. *)
Lemma replayed_rule c r s ds s' : ready s c -> shown_at (with_hints s (Rules.hints_of r)) c r -> Rules.replay_rule E ts c r s = Gives ds s' ->
  later s s' /\ (forall d, In d ds -> sane s' d /\ tables_kept d) /\ ((forall d, In d ds -> shut (Open s' d)) -> shut (Open s c)).
Proof.
  intros (Sn & [W Ki] & La) Sh H. unfold Rules.replay_rule in H. destruct (Rules.apply_rule E ts c r (with_hints s (Rules.hints_of r))) as [es s1|] eqn:A; [|discriminate].
  destruct (hints_left s1); [|discriminate]. injection H as <- <-. pose proof (hints_later s (Rules.hints_of r)) as L0.
  destruct (Sh _ _ A) as (L & K & C). pose proof (rule_whole E ts c r W _ _ _ A) as Wh. rewrite Forall_forall in Wh.
  split; [eapply later_trans; eauto|]. split; [|intros Cl; eapply shut_later; [exact (proj2 Sn) | exact L0 | auto]].
  intros d I. destruct (K d I) as [Sd Kd]. split; [exact Sd|]. split; [exact (Wh d I)|]. destruct (keeps_kinds r) eqn:Ke; [|auto].
  pose proof (rule_kinds E P under setting_right types ts c r Ke Ki _ _ _ A) as F. rewrite Forall_forall in F. exact (F d I).
Qed.
Lemma ready_hints s c hs : ready s c -> ready (with_hints s hs) c.
Proof. intros (Sn & W & La). pose proof (hints_later s hs) as L0. split; [eapply later_sane; eauto|]. split; [exact W | eapply later_trans; eauto]. Qed.

(** ** Derivations *)

(** The roots of the classes from one on, each as it is made when it is its turn. *)
Inductive given_roots (root : N -> computes (option configuration)) : N -> state -> list stage -> Prop :=
| no_more_roots class s s' : modelled s -> root class s = Gives None s' -> given_roots root class s []
| one_more_root class s c s' s2 l : modelled s -> root class s = Gives (Some c) s' -> given_roots root (N.succ class) s2 l ->
    given_roots root class s (Open s' c :: l).
Lemma placed_is {A} w (x : computes A) s a s' : Replay.placed w x s = Fine (a, s') -> x s = Gives a s'.
Proof. unfold Replay.placed. destruct (x s); [intros [= <- <-]; reflexivity | discriminate]. Qed.
Definition in_stack (stack : list (configuration * unit)) c := In (c, tt) stack.
Lemma in_children ds stack c : in_stack (List.map (fun c => (c, tt)) ds ++ stack) c <-> In c ds \/ in_stack stack c.
Proof.
  unfold in_stack. rewrite in_app_iff, in_map_iff. split; intros [H|H]; auto; left; [destruct H as (d & [= <-] & I); exact I | exists c; auto].
Qed.
(** What is done to open configurations shows what rules have to show. *)
Notation action := (configuration -> unit -> rule -> unit -> computes (list (configuration * unit) * unit)).
Definition acts_right (act : action) : Prop := forall c r log s es log' s', ready s c -> act c tt r log s = Gives (es, log') s' -> exists ds, es = List.map (fun c => (c, tt)) ds /\
  later s s' /\ (forall d, In d ds -> sane s' d /\ tables_kept d) /\ ((forall d, In d ds -> shut (Open s' d)) -> shut (Open s c)).
Variable act : action.
Hypothesis acts : acts_right act.
Section Derive.
Variable root : N -> computes (option configuration).
Variable at_rule : N -> N -> Where.t.
Hypothesis root_right : forall class s c s', modelled s -> later start s -> root class s = Gives (Some c) s' -> later s s' /\ sane s' c /\ tables_kept c.
Notation derive := (Replay.derive act tt root at_rule).
Theorem derive_shuts fuel : forall rs class rule stack log s log', derive fuel rs class rule stack log s = Fine log' -> modelled s -> later start s ->
  (forall c, in_stack stack c -> in_scope s c /\ tables_kept c) ->
  (forall c, in_stack stack c -> shut (Open s c)) /\ exists s2 l, (stack = [] -> s2 = s) /\
    given_roots root (if is_empty stack then class else N.succ class) s2 l /\ forall x, In x l -> shut x.
Proof.
  induction fuel as [|b fuel IH]; intros rs class rule stack log s log' H Mo La Sc.
  all: cbn [Replay.derive] in H; unfold then_ in H; destruct stack as [|[c []] stack]; cbn [Replay.next_open] in H; unfold then_ in H.
  - destruct (Replay.placed (at_rule class rule) (root class) s) as [[[c|] s1]|] eqn:R; try discriminate; cbn [option_map] in H.
    + destruct (next_rule rs) as [[[r rs']|]|]; discriminate.
    + apply placed_is in R. split; [intros ? []|]. exists s, []. split; auto. split; [simpl; eapply no_more_roots; eauto | intros ? []].
  - destruct (next_rule rs) as [[[r rs']|]|]; discriminate.
  - destruct (Replay.placed (at_rule class rule) (root class) s) as [[[c|] s1]|] eqn:R; try discriminate; cbn [option_map] in H; apply placed_is in R.
    + destruct (root_right _ _ _ _ Mo La R) as (L1 & Sn & W). destruct (next_rule rs) as [[[r rs']|]|]; try discriminate.
      destruct (Replay.placed _ (act c tt r log) s1) as [[[es log1] s2]|] eqn:A; [|discriminate]. apply placed_is in A.
      pose proof (later_trans _ _ _ _ La L1) as La1. apply acts in A as (ds & -> & L & K & C); [|split; auto].
      rewrite app_nil_r in H. destruct (IH _ _ _ _ _ _ _ H) as [Cl (s3 & l & _ & Gi & Sh)].
      * eapply modelled_later; [exact (proj1 Sn) | exact L].
      * eapply later_trans; eauto.
      * intros d I. rewrite <- (app_nil_r (List.map _ ds)) in I. apply in_children in I as [I|[]]. destruct (K d I) as [[_ Sd] Wd]. auto.
      * split; [intros ? []|]. exists s, (Open s1 c :: l). split; auto. split.
        -- simpl. eapply one_more_root; eauto. destruct (List.map (fun c => (c, tt)) ds); exact Gi.
        -- intros x [<-|I]; auto. apply C. intros d I. apply Cl. rewrite <- (app_nil_r (List.map _ ds)). apply in_children. auto.
    + split; [intros ? []|]. exists s, []. split; auto. split; [simpl; eapply no_more_roots; eauto | intros ? []].
  - destruct (Sc c (or_introl eq_refl)) as [Scc Wc]. destruct (next_rule rs) as [[[r rs']|]|]; try discriminate.
    destruct (Replay.placed _ (act c tt r log) s) as [[[es log1] s2]|] eqn:A; [|discriminate]. apply placed_is in A.
    apply acts in A as (ds & -> & L & K & C); [|split; [split; auto | auto]].
    destruct (IH _ _ _ _ _ _ _ H) as [Cl (s3 & l & _ & Gi & Sh)].
    + eapply modelled_later; eauto.
    + eapply later_trans; eauto.
    + intros d I. apply in_children in I as [I|I]; [destruct (K d I) as [[_ Sd] Wd]; auto|]. destruct (Sc d (or_intror I)) as [Sd Wd]. split; [eapply later_scope; eauto | exact Wd].
    + split.
      * intros d [[= <-]|I]; [apply C; intros d I; apply Cl, in_children; auto|]. eapply shut_later; [apply (Sc d (or_intror I)) | exact L | apply Cl, in_children; auto].
      * exists s3, l. split; [discriminate|]. split; auto. cbn [is_empty]. destruct (List.map (fun c => (c, tt)) ds ++ stack); exact Gi.
Qed.
End Derive.

(** ** A proof *)

Lemma derivations_shut more : forall n ds log log', incl more described ->
  Replay.derivations_of act (fun _ => tt) n more ds log start = Fine log' -> length ds = length more ->
  forall c, In c more -> shut (Open start c).
Proof.
  induction more as [|c more IH]; intros n [|rs ds] log log' In_ H Le d I; try discriminate; [destruct I|].
  cbn [Replay.derivations_of] in H. unfold then_ in H. unfold Replay.derivation at 1 in H.
  match type of H with (match ?x with _ => _ end) = _ => destruct x as [log1|] eqn:D; [|discriminate] end.
  destruct I as [<-|I]; [|eapply (IH (N.succ n) ds log1 log'); eauto; intros x J; apply In_; right; exact J].
  destruct (templates_right c (In_ c (or_introl eq_refl))) as (Sc & _ & Wc).
  eapply (derive_shuts (fun class => ret (if (class =? 0)%N then Some c else None)) (fun _ rule => Where.Derivation n rule)) in D;
    [destruct D as [_ (s2 & l & Es & Gi & Sh)] | | exact terms_modelled | apply later_refl | intros ? []].
  2: { intros class s0 c0 s1 Mo La R. unfold ret in R. destruct (class =? 0)%N; [|discriminate]. injection R as <- <-. split; [apply later_refl|]. split; [split; [exact Mo | exact (later_scope tabs _ _ _ terms_modelled La Sc)] | exact Wc]. }
  specialize (Es eq_refl). subst s2. simpl in Gi. inversion Gi as [? ? ? ? R | ? ? c1 s1 s2 l1 ? R]; subst; unfold ret in R; simpl in R; [discriminate|].
  injection R as <- <-. apply Sh. left. reflexivity.
Qed.

Variable p : proof.
Hypothesis links : links_in_pointers E.
Notation root := (Rules.root_of_class E (lengths_of p)).
Hypothesis as_many : length (derivations p) = length described.
(** What Root has to show. *)
Hypothesis root_sane : forall class s1 c s', modelled s1 -> root class s1 = Gives (Some c) s' -> later s1 s' /\ sane s' c.
Hypothesis roots_cover : forall s1 l, given_roots root 0%N s1 l ->
  forall x, Goatherd.Runs.is_entry P x -> exists y, In y l /\ shows y (Herds.Run machine x 0 x) [].
Theorem replayed_safe u : Replay.replay_proof E act (fun _ => tt) described p tt start = Fine u -> Herds.safe machine.
Proof.
  intros H. unfold Replay.replay_proof in H. unfold then_ at 1 in H.
  match type of H with (match ?x with _ => _ end) = _ => destruct x as [log1|] eqn:D; [|discriminate] end.
  pose proof (derivations_shut described 0%N (derivations p) log1 u (incl_refl described) H as_many) as Ts.
  unfold Replay.derivation in D. eapply (derive_shuts root Where.Root) in D; [destruct D as [_ (s2 & l & _ & Gi & Sh)] | | exact terms_modelled | apply later_refl | intros ? []].
  - simpl in Gi. eapply (Herds.acceptance machine stage shows templates) with (canonical := Goatherd.Runs.is_entry P) (roots := l); auto.
    + intros y I. apply in_map_iff in I as (c & <- & I). destruct (templates_right c I) as (_ & Pr & _). specialize (Ts c I). simpl in Ts. rewrite Pr in Ts. exact Ts.
    + intros r G F. exists r. split; auto. split; [|auto]. clear F. induction G; auto.
    + assert (T : forall class s3 l, given_roots root class s3 l -> forall y, In y l -> exists s' c, y = Open s' c /\ progress c = true).
      { clear. induction 1 as [|class s3 c s' s4 l Mo R _ IH]; intros y I; [destruct I|]. destruct I as [<-|I]; [|auto].
        exists s', c. split; auto. apply root_stands in R as [Pr _]. exact Pr. }
      intros y I. destruct (T _ _ _ Gi y I) as (s' & c & -> & Pr). specialize (Sh _ I). simpl in Sh. rewrite Pr in Sh. exact Sh.
    + eapply roots_cover. exact Gi.
  - intros class s1 c s' Mo La R. destruct (root_sane _ _ _ _ Mo R) as [L Sn]. split; [exact L|]. split; [exact Sn|]. split; [apply root_stands in R as (_ & _ & W); exact W | exact (root_kinds E (lengths_of p) class links _ _ _ R)].
Qed.
End Templates.
End Replayed.
