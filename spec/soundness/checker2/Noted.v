(** That what is recorded of a replay that ends accounts for all executions
    (spec/calculus.md#why-that-suffices): each configuration that was ever open is [noted] in
    the sense of [Paths.v], if the rules that are not looked at here show what they have to
    show. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Paths Terms Sorts Programs Machine Tidy Typed Bounds Entries FoldedMembers Configurations.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed Stepped StepShown Replayed Graphs Leading Staying Recorded.
From Goatherd.checker2 Require Folds Covering Rules Replay.
Import ListNotations.
Open Scope Z_scope.

Section Noted.
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

(** The location of an execution that has not ended. *)
Definition place_in (x : Goatherd.Runs.execution) : option N := match x with
  | Goatherd.Runs.Running st => Some (N.of_nat (Machine.location st)) | Goatherd.Runs.Over _ => None end.

(** Templates, by number, in the state in which derivations begin; the nodes in the end. *)
Variable ts : indexed configuration.
Variable start : state.
Variable last_ : unfolding.
Notation nodes := (recorded_graph last_).
Definition template (n : N) (x : stage) : Prop := exists d, at_position ts n = Some d /\ x = Open start d.
Definition from_node (from : reached) : Paths.reached N nodes := match from with
  | AtEntry => Paths.Entry N nodes | AtTemplate n => Paths.AsTemplate N nodes n | FromNode n => Paths.From N nodes n end.
Notation noted := (Paths.noted machine N place_in stage shows nodes template).
Definition is_noted (s : state) (c : configuration) (from : reached) : Prop := noted (progress c) (from_node from) (Open s c).

Lemma noted_later s s' c from : in_scope s c -> later s s' -> is_noted s' c from -> is_noted s c from.
Proof. intros Sc L H. eapply Paths.noted_cover; [eapply later_cover; eauto|]. intros x [<-|[]]. exact H. Qed.

(** ** What rules have to show that are not looked at here *)

Definition step_right (s : state) (c : configuration) (refuted : list N) : Prop := forall cs s', sane s c -> Rules.step E c refuted s = Gives cs s' ->
  later s s' /\ (forall c', In c' cs -> sane s' c' /\ progress c' = true) /\ Herds.sound_step machine stage shows (Open s c) (List.map (Open s') cs).
Definition unfold_right (c : configuration) (sy : N) (e : segment_end) : Prop := forall s cs s', sane s c -> Folds.unfold E c sy e s = Gives cs s' ->
  later s s' /\ (forall c', In c' cs -> sane s' c') /\ Herds.sound_cover machine stage shows (Open s c) (List.map (Open s') cs).
(** Both have a slot for each register. *)
Definition subsume_right (c d : configuration) (mt : matching) : Prop := forall s u s', sane s c -> later start s -> whole E c -> whole E d ->
  Covering.subsume E c d mt s = Gives u s' -> later s s' /\ Herds.sound_subsume machine stage shows (Open s c) (Open start d).
Hypothesis steps_right : forall s c refuted, is_covered E c 0 s = false -> step_right s c refuted.
Hypothesis unfolds_right : forall c sy e, unfold_right c sy e.
Hypothesis subsumes_right : forall c n d mt, at_position ts n = Some d -> subsume_right c d mt.

Lemma every_step_right s c refuted : step_right s c refuted.
Proof.
  destruct (is_covered E c 0 s) eqn:C; [|apply steps_right; exact C]. destruct (covered_is E c 0 s C) as (m & l & i & [H Pl At Ci Kn]). intros cs s' Sn R.
  eapply (step_shows E P under trees tabs setting_right locals types memories contents no_local_sort s c m l i refuted cs s' Sn); [split; auto | exact R].
Qed.

(** ** One rule *)

Lemma entailed_place s c p : primary_at p c -> forall t tgs, Herds.denotes machine stage shows (Open s c) t tgs ->
  match p with
  | At l => exists st, Herds.last machine t = Goatherd.Runs.Running st /\ Machine.location st = N.to_nat l
  | HasFailed => place_in (Herds.last machine t) = None end.
Proof.
  intros (m & H & Pl) t tgs [_ (nu & M & phi & _ & _ & _ & _ & A & _)]. unfold herd_accounts in A. destruct (herd c) as [|m0 ms]; [destruct A|]. injection H as ->.
  destruct A as [A _]. destruct p as [l|].
  - eapply standing_state; eauto.
  - destruct A as [A _]. simpl in A. rewrite Pl in A. destruct (Herds.last machine t); [destruct A | reflexivity].
Qed.
Lemma stands_there s c l : primary_at (At l) c -> Paths.stands machine N place_in stage shows (Open s c) l.
Proof. intros Pl t tgs D. destruct (entailed_place s c _ Pl t tgs D) as (st & -> & L). simpl. rewrite L, N2Nat.id. reflexivity. Qed.
Lemma over_noted s c from b : primary_at HasFailed c -> noted b from (Open s c).
Proof. intros Pl. apply Paths.noted_over. intros t tgs D. exact (entailed_place s c _ Pl t tgs D). Qed.
(** Behind these nothing stands anywhere. *)
Lemma last_there s c l i : primary_at (At l) c -> at_position (code E) l = Some i -> match i with Halt | Ignore | Fail _ => True | _ => False end ->
  forall t tgs, Herds.denotes machine stage shows (Open s c) t tgs -> forall k x, Herds.step machine (Herds.last machine t) k x -> place_in x = None.
Proof.
  intros Pl At Li t tgs D k x Hx. destruct (entailed_place s c _ Pl t tgs D) as (st & L & Loc). rewrite L in Hx. simpl in Hx. destruct Hx as (d & _ & ->).
  unfold Machine.step. rewrite Loc, (same_code _ _ _ setting_right l i At). destruct i; try contradiction; reflexivity.
Qed.
Lemma reached_node v from n : grows v last_ -> is_reached v from n -> Paths.reaches N nodes (from_node from) n.
Proof. intros [_ En Ed]. destruct from; simpl; auto. Qed.

Theorem act_noted u c from r s ds v s' : right E ts u -> fits E u c from -> sane s c -> later start s -> act_recorded E ts c from r u s = Gives (ds, v) s' -> grows v last_ ->
  later s s' /\ (forall c' k, In (c', k) ds -> sane s' c') /\ ((forall c' k, In (c', k) ds -> is_noted s' c' k) -> is_noted s c from).
Proof.
  intros R F Sn La A Gr. apply acted_is in A as (m & next & cs & Hm & V & -> & Re). assert (Pl : primary_at (place_of m) c) by (exists m; auto).
  (* The hints of the rule are there. *)
  pose proof (hints_later tabs s (Rules.hints_of r)) as L0. pose proof (later_sane tabs _ _ _ L0 Sn) as Sn0.
  assert (Back : forall s1, later (with_hints s (Rules.hints_of r)) s1 -> later s s1) by (intros; eapply later_trans; eauto).
  assert (Cover : forall s1 ds1, Herds.sound_cover machine stage shows (Open (with_hints s (Rules.hints_of r)) c) (List.map (Open s1) ds1) ->
    (forall d, In d ds1 -> progress d = progress c) -> (forall d, In d ds1 -> is_noted s1 d from) -> is_noted s c from).
  { intros s1 ds1 C Pr H. eapply noted_later; [exact (proj2 Sn) | exact L0|]. eapply Paths.noted_cover; [exact C|]. intros x I. apply in_map_iff in I as (d & <- & I).
    rewrite <- (Pr d I). exact (H d I). }
  assert (Ran : Rules.replay_rule E ts c r s = Gives cs s' -> Rules.apply_rule E ts c r (with_hints s (Rules.hints_of r)) = Gives cs s').
  { unfold Rules.replay_rule. destruct (Rules.apply_rule _ _ _ _ _) as [cs1 s1|]; [|discriminate]. destruct (hints_left s1); [auto | discriminate]. }
  destruct (is_quiet r) eqn:Q.
  { assert (next = from /\ v = u) as [-> ->] by (apply visit_is in V as [(_ & A & B)|[(Mk & _)|[(Mk & _)|(t & mt & hs & -> & _)]]]; auto; try (destruct r; discriminate); discriminate).
    destruct Re as [(-> & _)|Re]; [discriminate|]. specialize (Ran Re). pose proof (quiet_stays E ts c r Q _ _ _ Ran) as St. rewrite Forall_forall in St.
    assert (Pr : forall d, In d cs -> progress d = progress c) by (intros d I; exact (proj1 (St d I))).
    assert (X : later (with_hints s (Rules.hints_of r)) s' /\ (forall d, In d cs -> sane s' d) /\
      Herds.sound_cover machine stage shows (Open (with_hints s (Rules.hints_of r)) c) (List.map (Open s') cs)).
    { destruct r; try discriminate; cbn [Rules.apply_rule] in Ran.
      - destruct (split_shows P under trees tabs _ c l cs s' Sn0 Ran) as [[L K] C]. auto.
      - destruct (infeasible_shows P under trees tabs _ c cs s' Sn0 Ran) as (-> & L & C). split; auto. split; [intros ? []|exact C].
      - apply one_open_is in Ran as (d & -> & Ran). destruct (let_shows P under trees tabs _ c _ d s' Sn0 Ran) as (L & K & C). split; auto. split; [intros ? [<-|[]]; exact K | exact C].
      - exact (unfolds_right c _ _ _ cs s' Sn0 Ran). }
    destruct X as (L & K & C). split; auto. split; [intros c' k I; apply marked_in in I as [I _]; auto|].
    intros H. apply (Cover s' cs C Pr). intros d I. apply H. apply in_map_iff. eauto. }
  destruct (makes_node r) eqn:Mk.
  - destruct (node_visited E ts u c from _ r s next v s R F Pl Mk V) as [(n & l & -> & [R1 G1 Ri L1 Pe])|(Pe & -> & ->)].
    + rewrite Pe in *. assert (Node : forall s1, Paths.has_node machine N place_in stage shows nodes (from_node from) (Open s1 c) n).
      { intros s1. split; [eapply reached_node; eauto|]. exists l. split; [apply stands_there; exact Pl | apply (grows_located _ _ Gr); exact L1]. }
      assert (Ends : forall i, at_position (code E) l = Some i -> match i with Halt | Ignore | Fail _ => True | _ => False end -> forall s1, is_noted s1 c from).
      { intros i At Li s1. eapply Paths.noted_end; [apply Node | eapply last_there; eauto]. }
      destruct Re as [(-> & Fl & -> & ->)|Re].
      * split; [apply later_refl|]. split; [intros ? ? []|]. intros _. unfold Rules.is_failing in Fl. cbn [instruction_at] in Fl.
        destruct (at_position (code E) l) as [i|] eqn:At; [|discriminate]. eapply Ends; [reflexivity|]. destruct i; try discriminate; exact I.
      * specialize (Ran Re). destruct r; try discriminate; cbn [Rules.apply_rule] in Ran.
        -- destruct (every_step_right _ c _ cs s' Sn0 Ran) as (L & K & C). split; auto. split; [intros c' k I; apply marked_in in I as [I _]; apply K, I|].
           intros H. eapply noted_later; [exact (proj2 Sn) | exact L0|]. eapply Paths.noted_step; [apply Node | exact C|].
           intros x I. apply in_map_iff in I as (d & <- & I). rewrite <- (proj2 (K d I)). apply (H d (FromNode n)). apply in_map_iff. eauto.
        -- apply closed_is in Ran as (-> & x & Ran). destruct (ends_shows E P under trees tabs (same_code _ _ _ setting_right) _ c x s' Ran) as (L & _ & _).
           split; auto. split; [intros ? ? []|]. intros _. unfold Rules.ends_, member_at, bind, some, demand in Ran. rewrite Hm in Ran. unfold ret in Ran. rewrite Pe in Ran. cbn [instruction_at] in Ran.
           destruct (at_position (code E) l) as [i|] eqn:At; [|discriminate]. eapply Ends; [reflexivity|]. destruct i; try discriminate; exact I.
    + rewrite Pe in *. destruct Re as [(-> & _ & -> & ->)|Re].
      * split; [apply later_refl|]. split; [intros ? ? []|]. intros _. apply over_noted. exact Pl.
      * exfalso. specialize (Ran Re). destruct r; try discriminate; cbn [Rules.apply_rule] in Ran.
        -- unfold Rules.step, member_at, bind at 1 in Ran. unfold some at 1 in Ran. rewrite Hm in Ran. unfold ret at 1, outcomes in Ran. rewrite Pe in Ran. discriminate.
        -- unfold Rules.closed, Rules.ends_, member_at, bind, some, demand in Ran. rewrite Hm in Ran. unfold ret in Ran. rewrite Pe in Ran. discriminate.
  - apply visit_is in V as [(Q' & _)|[(Mk' & _)|[(Mk' & _)|(t & mt & hs & -> & -> & ->)]]]; try congruence.
    destruct Re as [(E0 & _)|Re]; [discriminate|]. specialize (Ran Re). cbn [Rules.apply_rule Rules.hints_of] in *.
    apply closed_is in Ran as (-> & x & Ran). unfold bind, some in Ran. destruct (at_position ts t) as [d|] eqn:At; [|discriminate]. unfold ret in Ran.
    destruct (right_templates _ _ u R t d At) as (l & Lt & Pd' & Wd).
    destruct (subsumes_right c t d mt At _ x s' Sn0 (later_trans _ _ _ _ La L0) (proj1 F) Wd Ran) as [L Su]. split; auto. split; [intros ? ? []|]. intros _.
    destruct (subsume_stands E c d mt (place_of m) Pl _ _ _ Ran) as [Pr Pd].
    rewrite (primary_place _ _ _ Pd Pd') in Pl.
    assert (Nt : forall k, from <> AtTemplate k) by (intros k ->; destruct F as (_ & Pc & _); congruence).
    destruct (reach_right E ts u c from t l R F Pl Lt Nt) as (_ & _ & Rn).
    eapply noted_later; [exact (proj2 Sn) | exact L0|]. unfold is_noted. rewrite Pr. eapply Paths.noted_subsume; [exact Su | exists d; split; [exact At | reflexivity] | eapply reached_node; eauto].
Qed.

(** ** Derivations *)

Definition noted_from (from : reached) (x : stage) : Prop := match x with Open s c => is_noted s c from | Ended => True end.
Section Derive.
Variable root : N -> computes (option configuration).
Variable at_rule : N -> N -> Where.t.
Variable first_mark : reached.
Hypothesis root_sane : forall class s c s', modelled s -> later start s -> root class s = Gives (Some c) s' -> later s s' /\ sane s' c.
Hypothesis root_fits : forall u class s c s', right E ts u -> root class s = Gives (Some c) s' -> fits E u c first_mark.
Notation derive := (Replay.derive (act_recorded E ts) first_mark root at_rule).
Lemma derive_grows fuel rs class rule stack u s v : derive fuel rs class rule stack u s = Fine v -> right E ts u ->
  (forall c k, In (c, k) stack -> fits E u c k) -> right E ts v /\ grows u v.
Proof.
  apply derive_keeps; [apply grows_refl | apply grows_trans | intros; eapply fits_grows; eauto | intros; eapply act_keeps; eauto | exact root_fits].
Qed.
(** A configuration is popped, with what is left of the derivation. *)
Lemma popped_noted fuel rs class rule c from stack u s v : (forall rs class rule stack u s v, derive fuel rs class rule stack u s = Fine v -> right E ts u -> grows v last_ ->
    modelled s -> later start s -> (forall c k, In (c, k) stack -> in_scope s c /\ fits E u c k) ->
    (forall c k, In (c, k) stack -> is_noted s c k) /\ exists s2 l, (stack = [] -> s2 = s) /\
      given_roots tabs root (if is_empty stack then class else N.succ class) s2 l /\ forall x, In x l -> noted_from first_mark x) ->
  forall r cs u1 s1, act_recorded E ts c from r u s = Gives (cs, u1) s1 -> derive fuel rs (if is_empty (cs ++ stack) then N.succ class else class) rule (cs ++ stack) u1 s1 = Fine v ->
  right E ts u -> grows v last_ -> sane s c -> fits E u c from -> later start s -> (forall c k, In (c, k) stack -> in_scope s c /\ fits E u c k) ->
  is_noted s c from /\ (forall c k, In (c, k) stack -> is_noted s c k) /\ exists s2 l,
    given_roots tabs root (N.succ class) s2 l /\ forall x, In x l -> noted_from first_mark x.
Proof.
  intros IH r cs u1 s1 A H R Gr Sn F La Sc. pose proof (act_keeps E ts u c from r s cs u1 s1 R F A) as (R1 & G1 & F1).
  assert (All : forall c' k, In (c', k) (cs ++ stack) -> fits E u1 c' k).
  { intros c' k I. apply in_app_or in I as [I|I]; [auto|]. eapply fits_grows; [exact G1 | apply (Sc c' k I)]. }
  destruct (derive_grows fuel _ _ _ _ _ _ _ H R1 All) as [_ G2].
  destruct (act_noted u c from r s cs u1 s1 R F Sn La A (grows_trans _ _ _ G2 Gr)) as (L & K & C).
  destruct (IH _ _ _ _ _ _ _ H R1 Gr) as [Cl (s3 & l & _ & Gi & Sh)].
  - eapply modelled_later; [exact (proj1 Sn) | exact L].
  - eapply later_trans; eauto.
  - intros d k I. split; [|apply All; exact I]. apply in_app_or in I as [I|I]; [apply (K d k I)|].
    eapply later_scope; [exact (proj1 Sn) | exact L | apply (Sc d k I)].
  - split; [apply C; intros d k I; apply Cl, in_or_app; auto|]. split.
    + intros d k I. eapply noted_later; [apply (Sc d k I) | exact L | apply Cl, in_or_app; auto].
    + exists s3, l. split; auto. destruct (is_empty (cs ++ stack)); exact Gi.
Qed.
Theorem derive_notes fuel : forall rs class rule stack u s v, derive fuel rs class rule stack u s = Fine v -> right E ts u -> grows v last_ ->
  modelled s -> later start s -> (forall c k, In (c, k) stack -> in_scope s c /\ fits E u c k) ->
  (forall c k, In (c, k) stack -> is_noted s c k) /\ exists s2 l, (stack = [] -> s2 = s) /\
    given_roots tabs root (if is_empty stack then class else N.succ class) s2 l /\ forall x, In x l -> noted_from first_mark x.
Proof.
  induction fuel as [|b fuel IH]; intros rs class rule stack u s v H R Gr Mo La Sc.
  all: cbn [Replay.derive] in H; unfold then_ in H; destruct stack as [|[c from] stack]; cbn [Replay.next_open] in H; unfold then_ in H.
  - destruct (Replay.placed (at_rule class rule) (root class) s) as [[[c|] s1]|] eqn:Rt; try discriminate; cbn [option_map] in H.
    + destruct (next_rule rs) as [[[r rs']|]|]; discriminate.
    + apply placed_is in Rt. split; [intros ? ? []|]. exists s, []. split; auto. split; [simpl; eapply no_more_roots; eauto | intros ? []].
  - destruct (next_rule rs) as [[[r rs']|]|]; discriminate.
  - destruct (Replay.placed (at_rule class rule) (root class) s) as [[[c|] s1]|] eqn:Rt; try discriminate; cbn [option_map] in H; apply placed_is in Rt.
    + destruct (root_sane _ _ _ _ Mo La Rt) as [L1 Sn]. destruct (next_rule rs) as [[[r rs']|]|]; try discriminate.
      destruct (Replay.placed _ (act_recorded E ts c first_mark r u) s1) as [[[cs u1] s2]|] eqn:A; [|discriminate]. apply placed_is in A.
      destruct (popped_noted fuel _ _ _ c first_mark [] u s1 v IH r cs u1 s2 A H R Gr Sn) as (N & _ & s3 & l & Gi & Sh);
        [eapply root_fits; eauto | eapply later_trans; eauto | intros ? ? []|].
      split; [intros ? ? []|]. exists s, (Open s1 c :: l). split; auto. split; [simpl; eapply one_more_root; eauto|]. intros x [<-|I]; [exact N | auto].
    + split; [intros ? ? []|]. exists s, []. split; auto. split; [simpl; eapply no_more_roots; eauto | intros ? []].
  - destruct (Sc c from (or_introl eq_refl)) as [Scc Fc]. assert (Sn : sane s c) by (split; auto). destruct (next_rule rs) as [[[r rs']|]|]; try discriminate.
    destruct (Replay.placed _ (act_recorded E ts c from r u) s) as [[[cs u1] s2]|] eqn:A; [|discriminate]. apply placed_is in A.
    destruct (popped_noted fuel _ _ _ c from stack u s v IH r cs u1 s2 A H R Gr Sn Fc La) as (N & Ns & s3 & l & Gi & Sh); [intros d k I; apply Sc; right; exact I|].
    split; [intros d k [[= <- <-]|I]; [exact N | auto]|]. exists s3, l. split; [discriminate | auto].
Qed.
End Derive.
End Noted.
