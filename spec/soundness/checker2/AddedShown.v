(** That AddScapegoat shows what it has to show, as the second checker computes it
    (spec/calculus.md#addscapegoat), where integers are given and no leaks are checked: what
    is added holds inputs that are as large as those at the entry, so that it is at the entry
    of an execution. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Inputs Owed Tidy Entries Planting Folding FoldedMembers Configurations SameValues SameInputs Loading Recognised Entering Elements Entered.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed BeyondSums Moving Followed Decided Chosen.
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
(** What well-formedness asks of sorts and of the program. *)
Hypothesis nodes : Planting.nodes_formed P trees.
Hypothesis well_given : Loading.inputs_formed P.
Hypothesis contents : Entries.contents_formed P.
Hypothesis targets : Recognised.targets_formed P.
Hypothesis locals : Tidy.locals_formed P.
Hypothesis no_leaks : ~ Owed.checks_leaks P.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).

(** ** What is left of the entry *)

Section Entry.
(** The configuration, its member at the entry, and a model before the rule acts. *)
Variable c : configuration.
Variable entry : member_state.
Variables (M0 : model) (s0 : state).
Notation known := (literals_hold M0 (known_literals c)).
Notation ss := (symbols_of c).
Notation held_in M phi l m vs cs := (Entering.holds_inputs P ss (valued M) phi (member_of l m) vs cs).
Notation weight M phi l m cs := (Loading.weights (valued M) phi (member_of l m) cs).
Definition compares (k : input_size) (n n0 : nat) : Prop := match k with Smaller => (n < n0)%nat | NotLarger => (n <= n0)%nat end.
(** It mentions what exists, and holds inputs as its size says. *)
Record is_left (s : state) (M : model) (m : member_state) : Prop := {
  left_place : place_of m = place_of entry;
  left_consumed : consumed_of m = consumed_of entry;
  left_tables : tables_right m;
  left_terms : forall p, In p (member_terms m) -> part_within s (variables c) p;
  left_inputs : size_of entry = NotLarger -> known -> forall phi l vs cs, held_in M0 phi l entry vs cs -> exists vs', held_in M phi l m vs' cs /\ compares (size_of m) (weight M phi l m cs) (weight M0 phi l entry cs) }.

Lemma left_kept nu s M s' M' m : good nu s M -> keeps s M s' M' -> is_left s M m -> is_left s' M' m.
Proof.
  intros G K [Pl Cs R T H]. split; auto; [intros p I; eapply part_kept; eauto|]. intros Se Kn phi l vs cs Hi. destruct (H Se Kn phi l vs cs Hi) as (vs' & Hv & Sz). exists vs'.
  assert (Sa : SameInputs.members_same (valued M) (valued M') (member_of l m) (member_of l m)).
  { apply SameInputs.member_itself, member_same. intros p I. eapply kept_value; [exact K|]. eapply within_in; eauto. }
  split; [eapply SameInputs.inputs_same; eauto|]. rewrite (SameInputs.weights_too _ _ _ _ _ Sa). exact Sz.
Qed.

(** *** An integer is given *)

Lemma given_changed l m r v : tables_right m -> find (held m) r <> None -> let m' := with_held m (put (held m) r v) in
  Elements.changed P (member_of l m) (member_of l m') [N.to_nat r] [] /\ FoldedMembers.slot_at (member_of l m') (N.to_nat r) = slot_of v.
Proof.
  intros [Rn _ _] F m'. assert (At : forall q, FoldedMembers.slot_at (member_of l m') q = if Nat.eqb q (N.to_nat r) then slot_of v else FoldedMembers.slot_at (member_of l m) q)
    by (intros q; apply slot_at_put; auto; reflexivity).
  split; [|rewrite At, Nat.eqb_refl; reflexivity]. split; auto.
  - rewrite !slots_of_member. reflexivity.
  - intros q N. rewrite At. destruct (Nat.eqb_spec q (N.to_nat r)) as [->|]; [destruct N; left; reflexivity | reflexivity].
  - intros ? [].
Qed.
Lemma integer_left nu s M m x : Terms.well_sorted nu -> good nu s M -> in_scope s c -> keeps s0 M0 s M -> in_scope s0 c -> good nu s0 M0 -> is_left s M m ->
  meets nu s M (Rules.new_integer E c m x) (fun m' s' M' => is_left s' M' m' /\ size_of m' = size_of m).
Proof.
  intros W G Sc K0 Sc0 G0 L. destruct x as [i u]. unfold Rules.new_integer. cbn [fst snd]. destruct (nth (inputs (program_in E)) i) as [[r|p n o|p o|p o]|] eqn:In_; try apply meets_refuses.
  eapply meets_peek with (P := fun T => Machine.type_of P (N.to_nat r) = Programs.IntegerType T).
  { unfold integer_kind, register_kind, bind, some. intros T s'. destruct (at_position (registers_of (names_in E)) r) as [y|] eqn:Ay; [|discriminate]. unfold ret.
    destruct (register_type y) as [T'|] eqn:Ty; [|discriminate]. intros [= <- <-]. split; [reflexivity|]. rewrite (same_registers _ _ _ setting_right r y Ay), Ty. reflexivity. }
  intros T Ty. eapply meets_bind; [apply (chosen_value_meets tabs nu s M c u T); auto|]. intros ? s1 M1 G1 K1 (Wu & Iu & Vu & In_range).
  pose proof (left_kept nu s M s1 M1 m G K1 L) as [Pl Cs R Tm H]. unfold set_register. destruct (find (held m) r) as [w|] eqn:F; [|apply meets_refuses]. apply meets_ret; [exact G1|].
  assert (Fr : find (held m) r <> None) by congruence. set (m' := with_held m (put (held m) r (IntegerSlot u))). split; [|reflexivity]. split; auto.
  - destruct R as [Rn Ro Rb]. split; [apply put_numbered; assumption | exact Ro | exact Rb].
  - apply with_held_terms; [exact Tm | intros p [<-|[]]; exact Wu].
  - intros Se Kn phi l vs cs Hi. destruct (H Se Kn phi l vs cs Hi) as (vs1 & Hv & Sz). destruct (given_changed l m r (IntegerSlot u) R Fr) as [Ch Sr].
    destruct (Elements.integer_changed P well_given ss (valued M1) phi (member_of l m) (member_of l m') (N.to_nat r) (term_of_number u) vs1 cs Ch) as (vs2 & H2 & Ew); auto.
    + rewrite (same_inputs _ _ _ setting_right). apply (in_map Translated.input_of (inputs (program_in E)) (IntegerInput r)). eapply nth_in; eauto.
    + unfold Machine.integer_type_of. rewrite Ty, valued_term, Vu. apply In_range. intros k Ik. apply (literal_kept s0 M0 s M k K0 (literals_in tabs nu s0 M0 c k G0 Sc0 Ik)). auto.
    + exists vs2. split; [exact H2|]. rewrite Ew. exact Sz.
Qed.

(** *** All that is done to it *)

Lemma folded_left_meets {A} nu (f : member_state -> A -> computes member_state) : (forall s M m a, good nu s M -> keeps s0 M0 s M -> is_left s M m -> meets nu s M (f m a) (fun m' s' M' => is_left s' M' m')) ->
  forall l s M m, good nu s M -> keeps s0 M0 s M -> is_left s M m -> meets nu s M (folded_left f l m) (fun m' s' M' => is_left s' M' m').
Proof.
  intros H l. induction l as [|a l IH]; intros s M m G K L; cbn [folded_left]; [apply meets_ret; auto|].
  eapply meets_bind; [apply H; auto|]. intros m1 s1 M1 G1 K1 L1. apply IH; auto. eapply keeps_trans; eauto.
Qed.
End Entry.

(** ** The rule *)

(** Nothing is left out. *)
Definition gives_integers (ds : list (N * dropped)) : bool := is_empty ds.
Lemma leaks_unasked nu s M m : asks_for_leaks E = false -> good nu s M -> meets nu s M (Rules.none_lost E m) (fun _ s' M' => s' = s /\ M' = M).
Proof. intros N G. unfold Rules.none_lost. rewrite N. apply meets_ret; auto. Qed.
Lemma entry_left s M c entry : in_scope s c -> entry_member c = Some entry -> is_left c entry M s M entry.
Proof.
  intros Sc En. split; auto.
  - apply (proj1 (proj2 Sc)), in_or_app. right. rewrite En. left. reflexivity.
  - intros p I. apply (proj2 (in_scope_parts s c Sc)), in_or_app. right. unfold entry_member_terms. rewrite En. exact I.
  - intros Se _ phi l vs cs Hi. exists vs. split; [exact Hi|]. rewrite Se. simpl. lia.
Qed.
Lemma added_scope s c m : in_scope s c -> tables_right m -> (forall p, In p (member_terms m) -> part_within s (variables c) p) -> in_scope s (with_herd c (herd c ++ [m])).
Proof.
  intros (F & R & T) Tm Wm. split; [exact F|]. split.
  - apply (members_again tables_right c); [reflexivity | | exact R]. intros x I. cbn [with_herd herd] in I. apply in_app_or in I as [I|[<-|[]]]; [apply R, herd_member; exact I | exact Tm].
  - intros p I. unfold configuration_terms in I. cbn [with_herd known_literals herd] in I. rewrite flat_map_app in I. cbn [flat_map] in I. rewrite app_nil_r in I.
    apply in_app_or in I as [I|I]; [apply T, in_or_app; auto|]. apply in_app_or in I as [I|I]; [|apply T, in_or_app; right; apply in_or_app; right; exact I].
    apply in_app_or in I as [I|I]; [apply T, in_or_app; right; apply in_or_app; auto | apply Wm; exact I].
Qed.
Lemma added_meets nu s M c ds is_ : asks_for_leaks E = false -> gives_integers ds = true -> Terms.well_sorted nu -> good nu s M -> in_scope s c ->
  meets nu s M (Rules.add_scapegoat E c ds is_) (fun c' s' M' => keeps s M s' M' /\ exists entry m, entry_member c = Some entry /\ c' = with_herd c (herd c ++ [m]) /\ is_left c entry M s' M' m).
Proof.
  intros Nl Gi W G Sc. destruct ds; [|discriminate]. unfold Rules.add_scapegoat. eapply meets_peek; [apply (peeks_some s _ _ (fun m => entry_member c = Some m)); auto|]. intros entry En.
  eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _. cbn [folded_left]. eapply meets_peek; [apply (peeks_ret s entry (fun m => m = entry)); reflexivity|]. intros ? ->.
  eapply meets_bind; [apply leaks_unasked; auto|]. intros ? s1 M1 G1 _ [-> ->].
  eapply meets_bind; [apply meets_also_kept; apply (folded_left_meets c entry M s) with (nu := nu); [| exact G | apply keeps_refl | apply entry_left; auto]|].
  - intros s2 M2 m x G2 K2 L2. eapply meets_weaker; [eapply integer_left; eauto; eapply in_scope_later; eauto|]. intros m1 s3 M3 _ _ [L3 _]. exact L3.
  - intros m s2 M2 G2 _ [K L]. apply meets_ret; [exact G2|]. split; [exact K|]. exists entry, m. auto.
Qed.
Theorem scapegoat_shows s c ds is_ c' s' : asks_for_leaks E = false -> gives_integers ds = true -> sane s c -> Rules.add_scapegoat E c ds is_ s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = progress c /\ Herds.sound_add machine stage shows (Open s c) (Open s' c').
Proof.
  intros Nl Gi [Mo Sc] R.
  assert (La : later s s') by (eapply (meets_later tabs s _ c' s' (fun _ M c' s' M' => keeps s M s' M' /\ exists entry m, entry_member c = Some entry /\ c' = with_herd c (herd c ++ [m]) /\ is_left c entry M s' M' m)); [intros nu M W G; exact (added_meets nu s M c ds is_ Nl Gi W G Sc) | exact R]).
  split; [exact La|]. destruct (Mo zeros zeros_sorted) as [Mz Gz]. destruct (added_meets zeros s Mz c ds is_ Nl Gi zeros_sorted Gz Sc _ _ R) as (M1 & G1 & K1 & _ & en & m1 & _ & Ec1 & L1).
  split; [split; [eapply modelled_later; eauto|]; rewrite Ec1; apply added_scope; [eapply in_scope_later; eauto | exact (left_tables _ _ _ _ _ _ L1) | exact (left_terms _ _ _ _ _ _ L1)]|].
  split; [rewrite Ec1; reflexivity|]. clear Mz Gz M1 G1 K1 en m1 Ec1 L1. intros t ts [[Ge _] (nu & M & phi & S)]. pose proof S as (W & G & L & Me & _ & En).
  destruct (added_meets nu s M c ds is_ Nl Gi W G Sc _ _ R) as (M' & G' & K & _ & entry & m & Ee & -> & Lf). unfold entry_accounts in En. rewrite Ee in En.
  destruct En as [[St _] (Sz & l & vs & cs & Pl & Hi)]. simpl in St. rewrite Pl in St. destruct St as (x & Lx & Dx). cbn [beginning Herds.last] in Lx.
  pose proof (Entered.genuine_origin P under t Ge) as Ex. rewrite Lx in Ex. destruct Lf as [Lp Lc Lt Lw Li]. destruct (Li Sz L phi l vs cs Hi) as (vs' & Hi' & Cw).
  destruct (Entering.entry_denoted P trees nodes well_given contents targets (symbols_of c) (valued M') phi (member_of l m) vs' cs) as (y & Ey & Dy & Sy); auto; [intros Ck; contradiction | intros Ck; contradiction|].
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
