(** What an accepted claim about paths says (spec/calculus.md#paths), of the function that
    decides it: that the certified graph adds no path, whatever the derivation is, and that
    it is deterministic; and that it has all complete paths, if the rules that are not looked
    at show what they have to show and roots cover all valid inputs. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Paths Terms Sorts Programs Machine Tidy Typed Bounds Entries Planting Loading.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed Templates Stepped Replayed SafeShown Graphs Leading Staying WholeKept Covered UnfoldShown SubsumeShown Recorded Mapped Noted.
From Goatherd.checker2 Require Stepping Folds Covering Rules Replay Trees Checker.
Import ListNotations.
Open Scope N_scope.

(** ** Nodes of a replay that ends *)

Section Kept.
Variable E : setting.
Variable cs : list configuration.
Notation ts := (index_of cs).
Definition mark_of (t : option N) : reached := match t with Some t => AtTemplate t | None => AtEntry end.
Definition template_root (c : configuration) (class : N) : computes (option configuration) := ret (if class =? 0 then Some c else None).
Lemma template_root_is c class s d s' : template_root c class s = Gives (Some d) s' -> d = c /\ s' = s.
Proof. unfold template_root, ret. destruct (class =? 0); intros [= <- <-]. auto. Qed.
Lemma template_fits u n c : right E ts u -> at_position ts n = Some c -> progress c = false -> fits E u c (AtTemplate n).
Proof. intros R A Pr. destruct (right_templates E ts u R n c A) as (l & L & Pl & W). split; [exact W|]. split; [exact Pr|]. exists l. auto. Qed.
Hypothesis no_progress : forall c, In c cs -> progress c = false.
Lemma at_template n c : at_position ts n = Some c -> In c cs.
Proof. rewrite at_position_is. apply List.nth_error_In. Qed.
Lemma template_derive n c : at_position ts n = Some c -> forall at_rule fuel rs class rule u s v,
  Replay.derive (act_recorded E ts) (mark_of (Some n)) (template_root c) at_rule fuel rs class rule [] u s = Fine v -> right E ts u -> right E ts v /\ grows u v.
Proof.
  intros A at_rule fuel rs class rule u s v H R. eapply (derive_grows E ts (template_root c)); [|exact H | exact R | intros ? ? []].
  intros u1 k s1 d s2 R1 Rt. apply template_root_is in Rt as [-> _]. apply template_fits; auto. apply no_progress. eapply at_template; eauto.
Qed.
Lemma derivations_grow more : forall n ds u s v, (forall k c, List.nth_error more k = Some c -> at_position ts (n + N.of_nat k) = Some c) ->
  Replay.derivations_of (act_recorded E ts) mark_of n more ds u s = Fine v -> right E ts u -> right E ts v /\ grows u v.
Proof.
  induction more as [|c more IH]; intros n [|rs ds] u s v At H R; cbn [Replay.derivations_of] in H; try (injection H as <-; split; [exact R | apply grows_refl]).
  unfold then_ in H. unfold Replay.derivation at 1 in H.
  match type of H with (match ?x with _ => _ end) = _ => destruct x as [u1|] eqn:D; [|discriminate] end.
  pose proof (At 0%nat c eq_refl) as Ac. rewrite N.add_0_r in Ac. change (fun class : N => ret (if class =? 0 then Some c else None)) with (template_root c) in D.
  destruct (template_derive n c Ac _ _ _ _ _ _ _ _ D R) as [R1 G1].
  destruct (IH (N.succ n) ds u1 s v) as [Rv Gv]; auto.
  - intros k d K. replace (N.succ n + N.of_nat k) with (n + N.of_nat (S k)) by lia. apply At. exact K.
  - split; [exact Rv | eapply grows_trans; eauto].
Qed.
Lemma root_fits l u class s d s' : Rules.root_of_class E l class s = Gives (Some d) s' -> fits E u d AtEntry.
Proof. intros Rt. apply root_stands in Rt as (_ & At & W). split; [exact W | exact At]. Qed.
Lemma roots_grow l at_rule fuel rs class rule u s v :
  Replay.derive (act_recorded E ts) (mark_of None) (Rules.root_of_class E l) at_rule fuel rs class rule [] u s = Fine v -> right E ts u -> right E ts v /\ grows u v.
Proof.
  intros H R. eapply (derive_grows E ts (Rules.root_of_class E l)); [|exact H | exact R | intros ? ? []].
  intros u1 k s1 d s2 _ Rt. exact (root_fits _ _ _ _ _ _ Rt).
Qed.
Lemma proof_grows p u s v : Replay.replay_proof E (act_recorded E ts) mark_of cs p u s = Fine v -> right E ts u -> right E ts v /\ grows u v.
Proof.
  unfold Replay.replay_proof, then_ at 1, Replay.derivation at 1. intros H R.
  match type of H with (match ?x with _ => _ end) = _ => destruct x as [u1|] eqn:D; [|discriminate] end.
  apply roots_grow in D as [R1 G1]; [|exact R]. apply derivations_grow in H as [Rv Gv]; [|intros k c K; rewrite at_position_is, N.add_0_l, Nat2N.id; exact K | exact R1].
  split; [exact Rv | eapply grows_trans; eauto].
Qed.
End Kept.

(** ** The nodes of templates *)

Lemma templates_located l : forall u, dense (node_locations u) -> (forall c, In c l -> exists k, primary_at (At k) c) ->
  yields (folded_left template_node l u) (fun v => dense (node_locations v) /\ grows u v /\ entry_nodes v = entry_nodes u /\ edges v = edges u /\
    forall k c, List.nth_error l k = Some c -> exists h, find (node_locations v) (given (node_locations u) + N.of_nat k) = Some h /\ primary_at (At h) c).
Proof.
  induction l as [|c l IH]; intros u D At; cbn [folded_left]; [apply yields_ret; split; auto; split; [apply grows_refl|]; repeat split; intros [|] ? [=]|].
  destruct (At c (or_introl eq_refl)) as (h & m & Hm & Pm).
  eapply yields_bind with (P := fun v => v = snd (with_node u h)).
  { unfold template_node. eapply yields_bind; [apply member_yields|]. intros m' Hm'. assert (m' = m) as -> by congruence. apply yields_ret. rewrite Pm. reflexivity. }
  intros ? ->. set (u1 := snd (with_node u h)). assert (D1 : dense (node_locations u1)) by (apply (dense_added (node_locations u) h D)).
  assert (G1 : grows u u1) by (split; unfold u1; cbn; auto using incl_refl; intros n k; apply (added_keeps (node_locations u) h n k D)).
  eapply yields_weaker; [apply (IH u1 D1); intros d I; apply At; right; exact I|]. intros v (Dv & Gv & En & Ed & Fv). split; [exact Dv|].
  split; [eapply grows_trans; eauto|]. split; [exact En|]. split; [exact Ed|]. intros [|k] d; cbn [List.nth_error].
  - intros [= <-]. exists h. split; [|exists m; auto]. apply (grows_located _ _ Gv). unfold u1. cbn. rewrite N.add_0_r, Moving.find_put, N.eqb_refl. reflexivity.
  - intros K. destruct (Fv k d K) as (h' & F & Pl). exists h'. split; [|exact Pl]. replace (given (node_locations u) + N.of_nat (S k)) with (given (node_locations u1) + N.of_nat k) by (unfold u1; cbn; lia). exact F.
Qed.
Lemma templates_read l : forall u s v s', folded_left template_node l u s = Gives v s' -> s' = s.
Proof.
  induction l as [|c l IH]; intros u s v s' H; cbn [folded_left] in H; [injection H as _ <-; reflexivity|].
  unfold bind at 1 in H. destruct (template_node u c s) as [u1 s1|] eqn:T; [|discriminate]. unfold template_node, member_at, bind, some in T.
  destruct (nth (herd c) 0); [|discriminate]. injection T as _ <-. eapply IH; eauto.
Qed.
Lemma roots_start tabs E l class s roots : given_roots tabs (Rules.root_of_class E l) class s roots -> forall y, In y roots -> exists s' d, y = Open s' d /\ progress d = true.
Proof.
  induction 1 as [|class s d s' s2 roots Mo Rt _ IH]; intros y I; [destruct I|]. destruct I as [<-|I]; [|auto]. exists s', d. split; auto. apply root_stands in Rt as [Pr _]. exact Pr.
Qed.

Section Claim.
Variables (c : certificate) (e : ends) (p : proof) (vs : list (option N)).
Let E := paths_setting c p.
Notation program_code := (instructions (program_of (statement_of c))).

Lemma graph_is x : graph_shown c e p vs = Fine x -> exists u s, recorded c p = Fine (u, s) /\ exists y s', check_map (code E) e u (index_of vs) vs s = Gives y s'.
Proof.
  unfold graph_shown, then_. destruct (recorded c p) as [[u s]|]; [|discriminate]. fold E.
  destruct (Replay.placed Where.Evidence (check_map (code E) e u (index_of vs) vs) s) as [[y s']|] eqn:M; [|discriminate]. apply placed_gives in M. intros _. exists u, s. eauto.
Qed.
(** What is recorded, taken apart. *)
Lemma recorded_is u s : recorded c p = Fine (u, s) -> exists cs s0 u0, Replay.premises E c p = Fine (cs, s0) /\
  folded_left template_node cs {| node_locations := none_numbered N 0; entry_nodes := []; edges := [] |} s0 = Gives u0 s /\
  Replay.replay_proof E (act_recorded E (index_of cs)) mark_of cs p u0 s = Fine u /\ right E (index_of cs) u0 /\
  (forall d, In d cs -> progress d = false) /\ right E (index_of cs) u.
Proof.
  unfold recorded, then_. fold E. destruct (Replay.premises E c p) as [[cs s0]|] eqn:Pr; [|discriminate].
  destruct (Replay.placed Where.Evidence (folded_left template_node cs _) s0) as [[u0 s1]|] eqn:T; [|discriminate]. apply placed_gives in T.
  change (fun t : option N => match t with Some n => AtTemplate n | None => AtEntry end) with mark_of.
  destruct (Replay.replay_proof E (act_recorded E (index_of cs)) mark_of cs p u0 s1) as [v|] eqn:Re; [|discriminate]. intros [= <- <-].
  assert (St : forall d, In d cs -> starts E d).
  { unfold Replay.premises, then_ in Pr. destruct (Replay.define_all _ _ _) as [s2|]; [|discriminate]. destruct (ensure _ _); [|discriminate].
    intros d I. eapply made_start; eauto. }
  assert (R0 : right E (index_of cs) u0).
  { assert (At : forall d, In d cs -> exists k, primary_at (At k) d).
    { intros d I. destruct (St d I) as (_ & _ & Pl). assert (M : exists m, nth (herd d) 0 = Some m).
      { clear - T I. revert T. match goal with |- folded_left _ _ ?u s0 = _ -> _ => generalize u end. revert I.
        induction cs as [|a l IH]; intros I w T; [destruct I|]. cbn [folded_left] in T. unfold bind at 1 in T.
        destruct (template_node w a s0) as [w1 s2|] eqn:Tn; [|discriminate]. unfold template_node, member_at, bind, some in Tn.
        destruct (nth (herd a) 0) as [m|] eqn:Hm; [|discriminate]. injection Tn as _ <-. destruct I as [<-|I]; [eauto | eapply IH; eauto]. }
      destruct M as [m Hm]. destruct (Pl m (Closing.nth_in _ _ _ Hm)) as [k K]. exists k, m. auto. }
    apply (templates_located cs) in T as (D0 & _ & En & Ed & Lo); [|apply dense_none | exact At]. cbn in Lo. split.
    - exact D0.
    - intros n d A. rewrite at_position_is in A. destruct (Lo _ d A) as (h & F & Pl). exists h. split; [|split; [exact Pl | apply (St d); eapply List.nth_error_In; exact A]]. replace n with (N.of_nat (N.to_nat n)) by apply N2Nat.id. exact F.
    - intros n. rewrite En. intros [].
    - intros n m. rewrite Ed. intros []. }
  assert (Np : forall d, In d cs -> progress d = false) by (intros d I; apply (St d I)).
  exists cs, s0, u0. split; auto. split; auto. split; auto. split; auto. split; auto.
  eapply proof_grows; eauto.
Qed.

(** *** No path is added *)

(** Each location is one that the instruction before it may go on to. *)
Inductive follows_program : list N -> Prop :=
| follows_here l : follows_program [l]
| follows_on l k ls i : List.nth_error program_code (N.to_nat l) = Some i -> goes_on_to i l k -> follows_program (k :: ls) -> follows_program (l :: k :: ls).
(** What holds of a graph that is accepted, whatever the derivation is: it begins with the
    first instruction, at one vertex at most, its edges lead on as the program does, and the
    trace of a path is of no other. *)
Record graph_right (g : Paths.graph N) : Prop := {
  graph_begins : forall v, Paths.begins_at N g v -> Paths.stands_at N g v 0;
  graph_root : forall v w, Paths.begins_at N g v -> Paths.begins_at N g w -> v = w;
  graph_locations : forall v l k, Paths.stands_at N g v l -> Paths.stands_at N g v k -> l = k;
  graph_edges : forall v w, Paths.leads_to N g v w -> exists l k i, Paths.stands_at N g v l /\ Paths.stands_at N g w k /\
    List.nth_error program_code (N.to_nat l) = Some i /\ goes_on_to i l k;
  graph_deterministic : Paths.deterministic N g }.
Theorem accepted_graph x : graph_shown c e p vs = Fine x -> exists u s, recorded c p = Fine (u, s) /\ graph_right (image_of u vs).
Proof.
  intros H. apply graph_is in H as (u & s & Re & y & s' & M). exists u, s. split; [exact Re|].
  apply recorded_is in Re as (cs & _ & _ & _ & _ & _ & _ & _ & R). pose proof R as [Nu _ En Ed]. pose proof (map_checked _ _ _ _ Nu _ _ _ M) as [Mk Ml Ms Me Md].
  split.
  - intros v (n & Mn & I). exists n. auto.
  - intros v w (n & Mn & I) (m & Mm & J). eapply Me; [exact I | exact J | exact Mn | exact Mm].
  - intros v l k (n & Mn & L) (m & Mm & K). eapply Ml; [exact Mn | exact Mm | exact L | exact K].
  - intros v w (n & m & Mn & Mm & I). destruct (Ed n m I) as (l & k & i & A & B & C & D). unfold E in C. simpl in C. rewrite at_position_is in C.
    exists l, k, i. split; [exists n; auto|]. split; [exists m; auto | auto].
  - intros v w w' l (n & m & Mn & Mm & I) (n' & m' & Mn' & Mm' & I') (a & Ma & La) (b & Mb & Lb).
    destruct (Ed n m I) as (l1 & k1 & i1 & _ & B1 & _). destruct (Ed n' m' I') as (l2 & k2 & i2 & _ & B2 & _).
    pose proof (Ml m a w k1 l Mm Ma B1 La). pose proof (Ml m' b w' k2 l Mm' Mb B2 Lb). subst k1 k2.
    exact (Md n m n' m' v w w' l I I' Mn Mn' Mm Mm' B1 B2).
Qed.
Theorem nothing_added x : graph_shown c e p vs = Fine x -> exists u s, recorded c p = Fine (u, s) /\
  forall ls, Paths.has_path N (image_of u vs) ls -> follows_program ls /\ hd 0 ls = 0.
Proof.
  intros H. destruct (accepted_graph x H) as (u & s & Re & [Gb _ Gl Ge _]). exists u, s. split; [exact Re|]. intros ls (v & B & T). split.
  - clear B. induction T as [v l A | v l w ls A L T IH]; [constructor|]. destruct (Ge v w L) as (l1 & k & i & A1 & B1 & I & G).
    pose proof (Gl v l l1 A A1). subst l1. inversion T as [? k' A2|? k' ? ? A2]; subst; pose proof (Gl w k k' B1 A2); subst k'; econstructor; eauto.
  - pose proof (Gb v B) as S0. destruct T as [v l A|v l w ls A _ _]; exact (Gl v l 0 A S0).
Qed.

(** *** No path is lost *)

(** There are linked structures. *)
Definition has_nodes : Prop := exists k, WellFormed.nodes (names_in E) (sorts_in E) k <> None.

Section Lost.
Variable trees : nat -> Sorts.sort_of_trees.
Let us := under (statement_of c).
Let P := Translated.program_of (program_of (statement_of c)).
Notation machine := (Goatherd.Runs.system_of P (Translated.parameters_of us)).
Let tabs := index_of (tables (program_of (statement_of c))).
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
(** Its terms and templates. *)
Variables (cs : list configuration) (s : state).
Hypothesis made : Replay.premises E c p = Fine (cs, s).
Hypothesis sorts_are : ContentsDrawn.sorts_right E trees.
(** What is not proved of rules, and of Root. *)
Hypothesis steps_right : forall s1 d refuted, is_covered E d 0 s1 = false -> step_right E P (Translated.parameters_of us) trees tabs s1 d refuted.
Hypothesis unfolds_assumed : has_nodes -> forall d sy en, is_unfold_covered E d sy = false -> unfold_right E P (Translated.parameters_of us) trees tabs d sy en.
Hypothesis subsumes_assumed : forall b n d mt, at_position (index_of cs) n = Some d -> is_read_covered E b d mt = false -> subsume_right E P (Translated.parameters_of us) trees tabs s b d mt.
Hypothesis root_sane : forall class s1 d s', modelled tabs s1 -> Rules.root_of_class E (lengths_of p) class s1 = Gives (Some d) s' ->
  later tabs s1 s' /\ sane tabs s' d.
Hypothesis roots_cover : forall s1 l, given_roots tabs (Rules.root_of_class E (lengths_of p)) 0%N s1 l ->
  forall x, Goatherd.Runs.is_entry P x -> exists y, In y l /\ shows y (Herds.Run machine x 0 x) [].

Lemma premises_here : modelled tabs s /\ length (derivations p) = length cs /\ forall d, In d cs -> in_scope s d /\ progress d = false /\ whole E d.
Proof.
  destruct (premises_right E c p cs s tabs made eq_refl scopes_formed) as (Mo & L & T). split; [exact Mo|]. split; [exact L|]. intros d I. destruct (T d I) as (Sc & Pr & [W _]). auto.
Qed.
Lemma setting_of_paths : same_setting E P (Translated.parameters_of us).
Proof. exact (setting_same (program_of (statement_of c)) us 0 (sorts p) integers_of_c). Qed.
Lemma subsumes_right b n d mt : at_position (index_of cs) n = Some d -> subsume_right E P (Translated.parameters_of us) trees tabs s b d mt.
Proof.
  intros At. destruct (is_read_covered E b d mt) eqn:Cv; [|eapply subsumes_assumed; eauto].
  destruct premises_here as (Mo & _ & Tr). destruct (Tr d (at_template cs n d At)) as (Sc & _). intros s1 u s' Sn La Wb Wd R.
  refine (subsume_shows E P (Translated.parameters_of us) trees tabs setting_of_paths sorts_are _ b d mt s Mo Sc Wb Wd (fun m J => proj1 (proj2 (proj2 Sn)) m (herd_member b m J)) Cv s1 u s' Sn La R).
  apply (leaks_asked_of _ us 0 (sorts p)).
Qed.
Lemma unfolds_right d sy en : unfold_right E P (Translated.parameters_of us) trees tabs d sy en.
Proof.
  intros s1 ds s' Sn R. destruct (is_unfold_covered E d sy) eqn:Cv.
  { destruct (unfold_shows E P (Translated.parameters_of us) trees tabs setting_of_paths sorts_are nodes well_given s1 d sy en ds s' Sn Cv R) as (L & K & C). split; [exact L|]. split; [intros d' I; apply K; exact I | exact C]. }
  destruct (find (symbols d) sy) as [shape|] eqn:F; [|unfold Folds.unfold, bind, some in R; rewrite F in R; discriminate].
  assert (Nd : exists k, WellFormed.nodes (names_in E) (sorts_in E) k <> None).
  { unfold Folds.unfold, bind, nodes_of, some in R. rewrite F in R. unfold ret in R. destruct shape as [k|k]; cbn beta iota in R; exists k; intros N; rewrite N in R; discriminate. }
  exact (unfolds_assumed Nd d sy en Cv s1 ds s' Sn R).
Qed.
Notation is_noted u := (is_noted P (Translated.parameters_of us) trees tabs (index_of cs) s u s).
Lemma derivations_noted u more : forall ds n u1, (forall k d, List.nth_error more k = Some d -> at_position (index_of cs) (n + N.of_nat k) = Some d) -> length ds = length more ->
  Replay.derivations_of (act_recorded E (index_of cs)) mark_of n more ds u1 s = Fine u -> right E (index_of cs) u1 ->
  forall k d, List.nth_error more k = Some d -> is_noted u d (AtTemplate (n + N.of_nat k)).
Proof.
  destruct premises_here as (Mo0 & _ & Tr). assert (Np : forall d, In d cs -> progress d = false) by (intros d I; apply (Tr d I)).
  induction more as [|a more IH]; intros [|rs ds] n u1 At Len H R1 k d K; try discriminate; [destruct k; discriminate|].
  cbn [Replay.derivations_of] in H. unfold then_ in H. unfold Replay.derivation at 1 in H.
  match type of H with (match ?x with _ => _ end) = _ => destruct x as [u2|] eqn:Dr; [|discriminate] end.
  pose proof (At 0%nat a eq_refl) as Aa. rewrite N.add_0_r in Aa. change (fun class : N => ret (if class =? 0 then Some a else None)) with (template_root a) in Dr.
  destruct (template_derive E cs Np n a Aa _ _ _ _ _ _ _ _ Dr R1) as [R2 _].
  assert (At' : forall k d, List.nth_error more k = Some d -> at_position (index_of cs) (N.succ n + N.of_nat k) = Some d).
  { intros j b J. replace (N.succ n + N.of_nat j) with (n + N.of_nat (S j)) by lia. apply At. exact J. }
  destruct (derivations_grow E cs Np more (N.succ n) ds u2 s u At' H R2) as [_ G2].
  destruct k as [|k]; [|replace (n + N.of_nat (S k)) with (N.succ n + N.of_nat k) by lia; eapply IH; eauto].
  injection K as <-. rewrite N.add_0_r. pose proof (at_template cs n a Aa) as Ia. destruct (Tr a Ia) as (Sc & Pc & _).
  assert (Fa : forall w class sa b sb, right E (index_of cs) w -> template_root a class sa = Gives (Some b) sb -> fits E w b (AtTemplate n))
    by (intros w class sa b sb Rw Rt; apply template_root_is in Rt as [-> _]; apply (template_fits E cs); auto).
  assert (Sa : forall class sa b sb, modelled tabs sa -> later tabs s sa -> template_root a class sa = Gives (Some b) sb -> later tabs sa sb /\ sane tabs sb b)
    by (intros class sa b sb Mo La Rt; apply template_root_is in Rt as [-> ->]; split; [apply later_refl|]; split; [exact Mo|]; exact (later_scope tabs _ _ _ Mo0 La Sc)).
  destruct (derive_notes E P (Translated.parameters_of us) trees tabs setting_of_paths locals types memories contents no_local_sort (index_of cs) s u steps_right unfolds_right subsumes_right
    (template_root a) (fun _ rule => Where.Derivation n rule) (AtTemplate n) Sa Fa _ _ _ _ _ _ _ _ Dr R1 G2 Mo0 (later_refl tabs s) ltac:(intros ? ? [])) as [_ (s3 & l & Es & Gi & No)].
  specialize (Es eq_refl). subst s3. simpl in Gi. inversion Gi as [? ? ? ? Rt | ? ? b s4 s5 l1 ? Rt]; subst; unfold template_root, ret in Rt; simpl in Rt; [discriminate|].
  injection Rt as <- <-. exact (No _ (or_introl eq_refl)).
Qed.
Theorem all_nodes u s' : recorded c p = Fine (u, s') -> forall ls, Paths.is_path machine N place_in ls -> Paths.has_path N (recorded_graph u) ls.
Proof.
  intros Re. destruct (recorded_is u s' Re) as (cs1 & s1 & u0 & Pr & T & Rp & R0 & Np & R). rewrite made in Pr. injection Pr as <- <-.
  destruct premises_here as (Mo0 & Ld & _). pose proof (templates_read _ _ _ _ _ T) as ->.
  unfold Replay.replay_proof in Rp. unfold then_ at 1 in Rp. unfold Replay.derivation at 1 in Rp.
  match type of Rp with (match ?x with _ => _ end) = _ => destruct x as [u1|] eqn:Dr; [|discriminate] end.
  destruct (roots_grow E cs _ _ _ _ _ _ _ _ _ Dr R0) as [R1 _].
  assert (At0 : forall k d, List.nth_error cs k = Some d -> at_position (index_of cs) (0 + N.of_nat k) = Some d) by (intros k d K; rewrite at_position_is, N.add_0_l, Nat2N.id; exact K).
  destruct (derivations_grow E cs Np cs 0 (derivations p) u1 s u At0 Rp R1) as [_ G1].
  assert (Ro : forall class sa d sb, modelled tabs sa -> later tabs s sa -> Rules.root_of_class E (lengths_of p) class sa = Gives (Some d) sb -> later tabs sa sb /\ sane tabs sb d)
    by (intros; eapply root_sane; eauto).
  assert (Rf : forall w class sa d sb, right E (index_of cs) w -> Rules.root_of_class E (lengths_of p) class sa = Gives (Some d) sb -> fits E w d AtEntry)
    by (intros w class sa d sb _ Rt; exact (root_fits E _ _ _ _ _ _ Rt)).
  destruct (derive_notes E P (Translated.parameters_of us) trees tabs setting_of_paths locals types memories contents no_local_sort (index_of cs) s u steps_right unfolds_right subsumes_right
    (Rules.root_of_class E (lengths_of p)) Where.Root AtEntry Ro Rf _ _ _ _ _ _ _ _ Dr R0 G1 Mo0 (later_refl tabs s) ltac:(intros ? ? [])) as [_ (s2 & l & _ & Gi & No)].
  simpl in Gi. eapply (Paths.nothing_lost machine N place_in stage shows (recorded_graph u) (template (index_of cs) s)) with (roots := l).
  - intros n x (d & A & ->). pose proof A as A'. rewrite at_position_is in A'.
    pose proof (derivations_noted u cs (derivations p) 0 u1 At0 Ld Rp R1 (N.to_nat n) d A') as H.
    rewrite N.add_0_l, N2Nat.id in H. unfold Noted.is_noted in H. rewrite (Np d (at_template cs n d A)) in H. exact H.
  - intros x I. destruct (roots_start _ _ _ _ _ _ Gi x I) as (s4 & d & -> & Pd). specialize (No _ I). simpl in No. unfold Noted.is_noted in No. rewrite Pd in No. exact No.
  - exact (roots_cover _ _ Gi).
Qed.
(** A path that ends where one is to be kept. *)
Definition ends_kept (ls : list N) : Prop := is_kept (index_of program_code) e (last ls 0) = true.
Theorem no_path_lost x : graph_shown c e p vs = Fine x -> exists u s', recorded c p = Fine (u, s') /\
  forall ls, Paths.is_path machine N place_in ls -> ends_kept ls -> Paths.has_path N (image_of u vs) ls.
Proof.
  intros H. apply graph_is in H as (u & s' & Re & y & s1 & M). exists u, s'. split; [exact Re|]. intros ls Pa K.
  destruct (all_nodes u s' Re ls Pa) as (n & B & T). destruct (recorded_is u s' Re) as (ds & _ & _ & _ & _ & _ & _ & _ & R).
  destruct (map_checked _ _ _ _ (right_numbers _ _ _ R) _ _ _ M) as [Mk _ Ms _ _].
  assert (Tr : forall n ls, Paths.traced N (recorded_graph u) n ls -> ends_kept ls -> exists v, maps_to vs n v /\ Paths.traced N (image_of u vs) v ls).
  { clear - Mk Ms. induction 1 as [n l A | n l m ls A L T IH]; intros K.
    - destruct (Mk n l A K) as [v V]. exists v. split; [exact V|]. constructor. exists n. split; [exact V | exact A].
    - destruct IH as (w & W & Tw); [destruct T; exact K|]. destruct (Ms n m w L W) as [v V]. exists v. split; [exact V|].
      eapply Paths.traced_on; [exists n; split; [exact V | exact A] | exists n, m; split; [exact V | split; [exact W | exact L]] | exact Tw]. }
  destruct (Tr n ls T K) as (v & V & Tv). exists v. split; [exists n; split; [exact V | exact B] | exact Tv].
Qed.
End Lost.
End Claim.

(** ** What the second checker accepts *)

Theorem accepted_is hash allowed bytes e : Checker.check hash allowed bytes = Checker.Accepted (Paths e) -> exists c p vs,
  decode hash allowed bytes = Fine (AboutProgram c) /\ claimed (statement_of c) = Paths e /\ Certificates.shows c = OfPaths p vs /\ graph_shown c e p vs = Fine tt.
Proof.
  unfold Checker.check, then_ at 1. destruct (decode hash allowed bytes) as [[c|c|c]|]; [| | |discriminate]; cbn [Checker.check_subject]; unfold then_.
  - destruct (well_formed c); [|discriminate]. destruct (Checker.check_program_claim c) as [u|] eqn:K; [|discriminate]. intros [= Cl].
    unfold Checker.check_program_claim in K. rewrite Cl in K. destruct (Certificates.shows c) as [p|r|p vs] eqn:Sh; try discriminate. unfold then_ in K.
    destruct (Checker.check_paths c p); [|discriminate]. exists c, p, vs. destruct u. auto.
  - destruct (TreeModels.check_model _ _ _) as [u|] eqn:K; [|discriminate]. intros [= Cl]. destruct u. apply Trees.model_sound in K. rewrite Cl in K. destruct K.
  - destruct (Checker.check_formula_claim (formula_claim c)) eqn:K; [|discriminate]. destruct (Replay.unsatisfiable _ _); [|discriminate]. intros [= Cl]. rewrite Cl in K. discriminate.
Qed.
Theorem accepted_paths hash allowed bytes e : Checker.check hash allowed bytes = Checker.Accepted (Paths e) -> exists c p vs u s,
  decode hash allowed bytes = Fine (AboutProgram c) /\ claimed (statement_of c) = Paths e /\ Certificates.shows c = OfPaths p vs /\ recorded c p = Fine (u, s) /\ graph_right c (image_of u vs).
Proof.
  intros H. apply accepted_is in H as (c & p & vs & D & Cl & Sh & G). destruct (accepted_graph c e p vs tt G) as (u & s & Re & R). exists c, p, vs, u, s. auto 6.
Qed.
