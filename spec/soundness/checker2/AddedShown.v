(** That AddScapegoat shows what it has to show, as the second checker computes it
    (spec/calculus.md#addscapegoat), where elements of arrays and nodes are left out and
    integers given: what is added holds inputs that are no larger than those at the entry, so
    that it is at the entry of an execution. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Inputs Owed Tidy Entries Planting Folding FoldedMembers Configurations Loading Recognised Entering Entered Whole Kept.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed BeyondSums Moving CellsStand LeakLists ContentsDrawn EntryLeft NodeLeft.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Section Added.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Hypothesis setting_right : same_setting E P under.
Hypothesis sorts_are : sorts_right E trees.
(** What well-formedness asks of sorts and of the program. *)
Hypothesis nodes : Planting.nodes_formed P trees.
Hypothesis well_given : Loading.inputs_formed P.
Hypothesis contents : Entries.contents_formed P.
Hypothesis targets : Recognised.targets_formed P.
Hypothesis locals : Tidy.locals_formed P.
Hypothesis leaks_asked : Owed.checks_leaks P -> asks_for_leaks E = true.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).

(** Where leaks are checked it is computed of what has been added that nothing is lost. *)
Notation pointers_given := (flat_map (fun i => match i with LinkedInput p _ => [p] | _ => [] end) (inputs (program_in E))).
Definition is_none_lost (m : member_state) (s : state) : bool := negb (asks_for_leaks E) ||
  (is_leak_known m (CheckLeaks pointers_given) s && is_computed (let$ leaked := leaks E m pointers_given in ret (negb leaked)) s).
Definition is_added_whole c ds is_ (s : state) : bool := match Rules.add_scapegoat E c ds is_ s with
  | Gives c' s' => match rev (herd c') with m :: _ => is_none_lost m s' | [] => false end
  | Refuses _ => true end.
Lemma roots_same : Entering.linked_roots P = List.map N.to_nat pointers_given.
Proof.
  unfold Entering.linked_roots. rewrite (same_inputs _ _ _ setting_right). induction (inputs (program_in E)) as [|i is IH]; [reflexivity|]. cbn [List.map flat_map]. rewrite map_app, <- IH. destruct i; reflexivity.
Qed.
Lemma none_lost_here nu s M l m : good nu s M -> tables_right m -> is_none_lost m s = true -> Entering.none_lost_under P (valued M) (member_of l m).
Proof.
  intros G T H Ck. unfold is_none_lost in H. rewrite (leaks_asked Ck) in H. cbn [negb orb] in H. apply andb_prop in H as [Kn H]. unfold is_leak_known in Kn. apply andb_prop in Kn as [Kn Ld]. apply andb_prop in Kn as [Np _]. apply numbered_now in Np.
  unfold is_computed in Ld, H. destruct (leads_stand m s) as [b s1|] eqn:C; [|discriminate]. destruct (leads_peek nu tabs s M m G (objects_numbered m T) _ _ C) as [_ Leads].
  unfold bind, ret in H. destruct (leaks E m pointers_given s) as [leaked s2|] eqn:Lk; [|discriminate]. apply negb_true_iff in H.
  destruct (unleaked_peek E P under setting_right l m M T Np (Leads Ld) pointers_given s _ _ Lk) as [_ U]. rewrite roots_same. exact (U H).
Qed.
Lemma leaks_looked nu s M m : good nu s M -> meets nu s M (Rules.none_lost E m) (fun _ s' M' => s' = s /\ M' = M).
Proof.
  intros G. eapply meets_weaker; [apply (meets_peeks _ nu s M _ (fun _ => True) G)|intros ? ? ? _ _ (A & B & _); auto].
  unfold Rules.none_lost. destruct (negb (asks_for_leaks E)); [apply peeks_ret; exact I|]. eapply peeks_bind; [apply leaks_looks|]. intros l _. apply peeks_demand. auto.
Qed.
Lemma entry_left s M c entry : in_scope s c -> entry_member c = Some entry -> is_left P c entry M s M entry.
Proof.
  intros Sc En. split; auto.
  - apply (proj1 (proj2 Sc)), in_or_app. right. rewrite En. left. reflexivity.
  - intros p I. apply (proj2 (in_scope_parts s c Sc)), in_or_app. right. unfold entry_member_terms. rewrite En. exact I.
  - intros Se _ phi l vs cs Hi. exists vs, cs. split; [apply Kept.right_whole; exact Hi|]. rewrite Se. split; [reflexivity | exact (Kept.right_all _ _ _ _ _ _ _ Hi)].
Qed.
Lemma added_scope s c m : in_scope s c -> tables_right m -> (forall p, In p (member_terms m) -> part_within s (variables c) p) -> in_scope s (with_herd c (herd c ++ [m])).
Proof.
  intros (F & R & T) Tm Wm. split; [exact F|]. split.
  - apply (members_again tables_right c); [reflexivity | | exact R]. intros x I. cbn [with_herd herd] in I. apply in_app_or in I as [I|[<-|[]]]; [apply R, herd_member; exact I | exact Tm].
  - intros p I. unfold configuration_terms in I. cbn [with_herd known_literals herd] in I. rewrite flat_map_app in I. cbn [flat_map] in I. rewrite app_nil_r in I.
    apply in_app_or in I as [I|I]; [apply T, in_or_app; auto|]. apply in_app_or in I as [I|I]; [|apply T, in_or_app; right; apply in_or_app; right; exact I].
    apply in_app_or in I as [I|I]; [apply T, in_or_app; right; apply in_or_app; auto | apply Wm; exact I].
Qed.
(** Nodes are left out as they are made, where any are. *)
Definition is_left_alike (c : configuration) (ds : list (N * dropped)) (s : state) : bool := match entry_member c with Some m => are_dropped_alike E c m ds s | None => true end.
Lemma added_meets nu s M c ds is_ : is_left_alike c ds s = true -> Terms.well_sorted nu -> good nu s M -> in_scope s c ->
  meets nu s M (Rules.add_scapegoat E c ds is_) (fun c' s' M' => keeps s M s' M' /\ exists entry m, entry_member c = Some entry /\ c' = with_herd c (herd c ++ [m]) /\ is_left P c entry M s' M' m).
Proof.
  intros Al W G Sc. unfold is_left_alike in Al. unfold Rules.add_scapegoat. eapply meets_peek; [apply (peeks_some s _ _ (fun m => entry_member c = Some m)); auto|]. intros entry En. cbn beta in En. rewrite En in Al.
  eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
  eapply meets_bind; [apply meets_also_kept; apply (all_left E P under trees tabs setting_right sorts_are nodes well_given targets c entry M s nu ds s M entry Al W G Sc (keeps_refl s M) G (entry_left s M c entry Sc En))|].
  intros m1 s1 M1 G1 _ [K1 L1]. eapply meets_bind; [apply leaks_looked; auto|]. intros ? s2 M2 _ _ [-> ->].
  eapply meets_bind; [apply meets_also_kept; apply (folded_left_meets P tabs c entry M s) with (nu := nu); [| exact G1 | exact K1 | exact L1]|].
  - intros s2 M2 m x _ G2 K2 L2. apply (integer_left E P under tabs setting_right well_given c entry M s); auto. eapply in_scope_later; eauto.
  - intros m s2 M2 G2 _ [K L]. apply meets_ret; [exact G2|]. split; [eapply keeps_trans; eauto|]. exists entry, m. auto.
Qed.
Theorem scapegoat_shows s c ds is_ c' s' : is_added_whole c ds is_ s = true -> is_left_alike c ds s = true -> sane s c -> Rules.add_scapegoat E c ds is_ s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = progress c /\ Herds.sound_add machine stage shows (Open s c) (Open s' c').
Proof.
  intros Wh Al [Mo Sc] R. unfold is_added_whole in Wh. rewrite R in Wh.
  assert (La : later s s') by (eapply (meets_later tabs s _ c' s' (fun _ M c' s' M' => keeps s M s' M' /\ exists entry m, entry_member c = Some entry /\ c' = with_herd c (herd c ++ [m]) /\ is_left P c entry M s' M' m)); [intros nu M W G; exact (added_meets nu s M c ds is_ Al W G Sc) | exact R]).
  split; [exact La|]. destruct (Mo zeros zeros_sorted) as [Mz Gz]. destruct (added_meets zeros s Mz c ds is_ Al zeros_sorted Gz Sc _ _ R) as (M1 & G1 & K1 & _ & en & m1 & _ & Ec1 & L1).
  split; [split; [eapply modelled_later; eauto|]; rewrite Ec1; apply added_scope; [eapply in_scope_later; eauto | exact (left_tables _ _ _ _ _ _ _ _ L1) | exact (left_terms _ _ _ _ _ _ _ _ L1)]|].
  split; [rewrite Ec1; reflexivity|]. clear Mz Gz M1 G1 K1 en m1 Ec1 L1. intros t ts [[Ge _] (nu & M & phi & S)]. pose proof S as (W & G & L & Me & _ & En).
  destruct (added_meets nu s M c ds is_ Al W G Sc _ _ R) as (M' & G' & K & _ & entry & m & Ee & -> & Lf). unfold entry_accounts in En. rewrite Ee in En.
  destruct En as [[St _] (Sz & l & vs & cs & Pl & Hi)]. simpl in St. rewrite Pl in St. destruct St as (x & Lx & Dx). cbn [beginning Herds.last] in Lx.
  pose proof (Entered.genuine_origin P under t Ge) as Ex. rewrite Lx in Ex. destruct Lf as [Lp Lc Lt Lw Li]. destruct (Li Sz L phi l vs cs Hi) as (vs' & cs' & Hw & Cw). pose proof (Whole.whole_inputs _ _ _ _ _ _ _ Hw) as Hi'. apply Kept.right_inputs in Hi.
  cbn [with_herd herd] in Wh. rewrite rev_app_distr in Wh. cbn [rev app] in Wh.
  destruct (Entering.entry_denoted_under P trees nodes well_given contents targets (symbols_of c) (valued M') phi (member_of l m) vs' cs') as (y & Ey & Dy & Sy); auto; [exact (none_lost_here nu s' M' l m G' Lt Wh)|].
  pose proof (Entering.entry_at_least P trees nodes well_given targets locals (symbols_of c) (valued M) phi (member_of l entry) vs cs x Me Hi Ex Dx) as Sx.
  exists (size_of_input (size_of m)), (Goatherd.Runs.Running y). split; [exists vs', y; auto|]. split.
  - unfold Herds.compares. cbn [Herds.origin]. rewrite Lx. simpl. rewrite Sy. unfold compares in Cw. destruct (size_of m); simpl; lia.
  - pose proof (carried_on P under trees tabs s s' c nu M M' phi t ts Sc G' K S) as (W1 & _ & L1 & Me1 & A1 & E1). exists nu, M', phi.
    split; [exact W1|]. split; [exact G'|]. split; [exact L1|]. split; [exact Me1|]. split; [|exact E1]. unfold herd_accounts in *. cbn [with_herd herd]. destruct (herd c) as [|m0 ms] eqn:Hc; [destruct A1|].
    cbn [app]. destruct A1 as [A1 B1]. split; [exact A1|]. rewrite map_app. apply Forall2_app; [exact B1|]. constructor; [|constructor]. split; [reflexivity|]. split.
    + simpl. rewrite Lp, Pl. exists y. auto.
    + unfold entry_accounts in E1. rewrite Ee in E1. destruct E1 as [[_ Ce] _]. simpl in Ce |- *. rewrite Lc. exact Ce.
Qed.
End Added.
