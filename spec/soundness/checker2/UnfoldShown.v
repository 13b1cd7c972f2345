(** That Unfold shows what it has to show, as the second checker computes it
    (spec/calculus.md#unfold), of trees and segments, in all members and at the entry. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Typed Folding FoldedMembers Configurations Members Opening Unfold Cases Planting Loading Inputs Kept EntryKept SameInputs SameEntries.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed Moving Templates Folds Drawn NodeOpened OpenShown ContentsDrawn.
Import ListNotations.
Open Scope Z_scope.

Lemma Forall2_flip_in {A B} (R : A -> B -> Prop) l k : Forall2 R l k -> forall b, In b k -> exists a, R a b.
Proof. induction 1 as [|a b l k H _ IH]; intros y I; [destruct I|]. destruct I as [<-|I]; eauto. Qed.

Section UnfoldShown.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Hypothesis setting_right : same_setting E P under.
Hypothesis sorts_are : sorts_right E trees.
(** What well-formedness asks of nodes and of inputs. *)
Hypothesis nodes : Planting.nodes_formed P trees.
Hypothesis well_given : Loading.inputs_formed P.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows_under := (shows_under P under trees tabs).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).
Notation world := (world tabs).
Let bounded := same_arithmetic _ _ _ setting_right.

(** ** Sorts *)

Definition link_formed (p : link * field) : bool := Bool.eqb (is_integer_link (fst p)) (negb (is_pointer (field_type (snd p)))).
(** Are its nodes nodes, with a link for each field, of integers where these are? So
    well-formedness asks. *)
Definition is_sort_formed (n : N) : bool := match WellFormed.nodes (names_in E) (sorts_in E) n with
  | Some (d, _, ss) => match at_position (objects_of (names_in E)) d with
    | Some x => is_node (Certificates.origin_of x) && match at_position (layouts_of (names_in E)) (Certificates.layout_of x) with
      | Some y => forallb (fun ks => Nat.eqb (length ks) (length (fields y)) && forallb link_formed (List.combine ks (fields y))) ss
      | None => false end
    | None => false end
  | None => false end.
Lemma sort_formed n d r ss : WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> is_sort_formed n = true -> FoldedMembers.is_node P (N.to_nat d) = true /\
  exists y, (forall s l s', layout_in E d s = Gives l s' -> s' = s /\ l = y) /\ (forall k f, List.nth_error (fields y) k = Some f -> Typed.field_type P (N.to_nat d) k = Translated.type_of (field_type f)) /\
    forall ks, In ks ss -> length ks = length (fields y) /\ forall l f, In (l, f) (List.combine ks (fields y)) -> is_integer_link l = negb (is_pointer (field_type f)).
Proof.
  intros Nd. unfold is_sort_formed. rewrite Nd. destruct (at_position (objects_of (names_in E)) d) as [x|] eqn:Ax; [|discriminate]. intros H. apply andb_prop in H as [Nx H]. destruct (at_position (layouts_of (names_in E)) (Certificates.layout_of x)) as [y|] eqn:Ay; [|discriminate].
  split; [unfold FoldedMembers.is_node; rewrite (same_objects _ _ _ setting_right d x Ax); cbn; destruct (Certificates.origin_of x); discriminate || reflexivity|]. exists y. split; [|split].
  - intros s l s' L. unfold layout_in, object_in, bind, some in L. rewrite Ax in L. unfold ret at 1 in L. rewrite Ay in L. injection L as <- <-. auto.
  - intros k f Nf. unfold Typed.field_type, Machine.layout_of_declaration. rewrite (same_objects _ _ _ setting_right d x Ax). cbn [Translated.object_of Programs.layout_of]. rewrite (same_layouts _ _ _ setting_right _ y Ay). cbn [Translated.layout_of Programs.layout_fields].
    apply nth_error_nth. rewrite nth_error_map, nth_error_map, Nf. reflexivity.
  - intros ks I. rewrite forallb_forall in H. specialize (H ks I). apply andb_prop in H as [Le Fo]. apply Nat.eqb_eq in Le. split; [exact Le|]. intros l f J. rewrite forallb_forall in Fo. specialize (Fo (l, f) J). apply Bool.eqb_prop in Fo. exact Fo.
Qed.

(** ** The fields that the tree has *)

Lemma rights_are hole d y : (forall k f, List.nth_error (fields y) k = Some f -> Typed.field_type P d k = Translated.type_of (field_type f)) -> forall ks fs fls n, (forall l f, In (l, f) (List.combine ks fs) -> is_integer_link l = negb (is_pointer (field_type f))) ->
  (forall k f, List.nth_error fs k = Some f -> List.nth_error (fields y) (N.to_nat n + k) = Some f) -> length ks = length fs -> length fls = length ks ->
  (forall k l fl, is_hole_at hole (n + N.of_nat k) = false -> List.nth_error ks k = Some l -> List.nth_error fls k = Some fl -> Sorts.fits trees (Translated.link_of l) fl) ->
  (forall k z, List.nth_error fls k = Some (Sorts.Integer z) -> Typed.value_in (Typed.field_type P d (N.to_nat n + k)) (Machine.Integer z)) -> (forall e t, In (Sorts.Below e t) fls -> Folding.typed_tree P t) -> (forall e t, In (Sorts.Ringed e t) fls -> Folding.typed_context P t) ->
  fields_right_ P trees hole n (List.combine ks fs) fls.
Proof.
  intros Ty. induction ks as [|l ks IH]; intros [|f fs] [|fl fls] n Li At_ Lk Lf Fi Va Be Ri; try discriminate; [exact Logic.I|]. cbn [List.combine fields_right_]. split.
  - intros Nh. split; [apply (Fi 0%nat l fl); [rewrite N.add_0_r; exact Nh | reflexivity | reflexivity]|]. split; [apply Li; left; reflexivity|]. split.
    + intros z T -> Tf. specialize (Va 0%nat z eq_refl). specialize (At_ 0%nat f eq_refl). rewrite (Ty _ f At_), Tf in Va. exact Va.
    + split; intros e t ->; [eapply Be | eapply Ri]; left; reflexivity.
  - apply IH.
    + intros l' f' I. apply Li. right. exact I.
    + intros k f' Nf. specialize (At_ (Datatypes.S k) f' Nf). replace (N.to_nat (N.succ n) + k)%nat with (N.to_nat n + Datatypes.S k)%nat by lia. exact At_.
    + injection Lk; auto.
    + injection Lf; auto.
    + intros k l' fl' Nh Nl Nfl. apply (Fi (Datatypes.S k) l' fl'); auto. replace (n + N.of_nat (Datatypes.S k))%N with (N.succ n + N.of_nat k)%N by lia. exact Nh.
    + intros k z Nz. specialize (Va (Datatypes.S k) z Nz). replace (N.to_nat (N.succ n) + k)%nat with (N.to_nat n + Datatypes.S k)%nat by lia. exact Va.
    + intros e t I. eapply Be. right. exact I.
    + intros e t I. eapply Ri. right. exact I.
Qed.
Lemma fields_fit ls fls : Sorts.fields trees ls fls -> length fls = length ls /\ forall k l fl, List.nth_error ls k = Some l -> List.nth_error fls k = Some fl -> Sorts.fits trees l fl.
Proof.
  induction 1 as [|l ls fl fls F _ [Le IH]]; [split; [reflexivity | intros [|k]; discriminate]|]. split; [cbn; congruence|]. intros [|k] l' fl' Nl Nf; cbn in *; [congruence | eauto].
Qed.
Lemma all_fit c M phi : forall xs fls n, contents_fit_at None n c M phi xs fls -> Unfold.contents_fit (symbols_of c) (valued M) phi (List.map content_in xs) fls.
Proof. unfold Unfold.contents_fit. induction xs as [|x xs IH]; intros [|fl fls] n H; try contradiction; cbn in *; constructor; [apply H | apply (IH fls (N.succ n)), H]. Qed.
Lemma behind_hole c M phi h : forall xs fls n, (h < n)%N -> contents_fit_at (Some h) n c M phi xs fls -> Unfold.contents_fit (symbols_of c) (valued M) phi (List.map content_in xs) fls.
Proof.
  unfold Unfold.contents_fit. induction xs as [|x xs IH]; intros [|fl fls] n L H; try contradiction; cbn [contents_fit_at List.map] in *; constructor.
  - unfold is_hole_at in H. destruct (N.eqb_spec h n); [lia | apply H].
  - apply (IH fls (N.succ n)); [lia | apply H].
Qed.
Lemma link_fit c M phi fl after : forall before xs n h, h = (n + N.of_nat (length before))%N -> contents_fit_at (Some h) n c M phi xs (before ++ fl :: after) -> Unfold.link_fits (symbols_of c) (valued M) phi (List.map content_in xs) before after.
Proof.
  induction before as [|b before IH]; intros [|x xs] n h Eh H; try contradiction; cbn [app contents_fit_at] in H.
  - cbn in Eh. rewrite N.add_0_r in Eh. subst h. unfold is_hole_at in H. rewrite N.eqb_refl in H. destruct H as [-> H]. exists [], (List.map content_in xs). split; [reflexivity|]. split; [constructor|]. apply (behind_hole c M phi n xs after (N.succ n)); [lia | exact H].
  - destruct H as [Hx H]. unfold is_hole_at in Hx. destruct (N.eqb_spec h n); [cbn in Eh; lia|]. destruct (IH xs (N.succ n) h) as (cs1 & cs2 & Ecs & F1 & F2); [cbn in Eh; lia | exact H|].
    exists (content_in x :: cs1), cs2. cbn [List.map app]. rewrite Ecs. split; [reflexivity|]. split; [constructor; [exact Hx | exact F1] | exact F2].
Qed.
Lemma contents_kept c M phi hole sc nu s s2 M2 : good nu s M -> keeps s M s2 M2 -> forall xs fls n, contents_within s sc xs -> contents_fit_at hole n c M phi xs fls -> contents_fit_at hole n c M2 phi xs fls.
Proof.
  intros G K. induction xs as [|x xs IH]; intros [|fl fls] n W H; try contradiction; auto. cbn [contents_fit_at] in *. destruct H as [Hx H]. split; [|apply IH; [intros v I; apply W; right; exact I | exact H]].
  destruct (is_hole_at hole n); [exact Hx|]. destruct x as [v| | |sy g|sy from| |sy e|j]; cbn [content_in] in *; try (inversion Hx; subst; econstructor; eauto; fail).
  destruct v as [| |t| |o i b|f|f]; cbn [slot_of] in *; try (inversion Hx; subst; constructor; fail). inversion Hx; subst. constructor. rewrite !valued_term.
  exact (proj2 (keeps_linears _ _ _ _ K) t (within_in nu tabs sc s M _ G (W (IntegerSlot t) (or_introl eq_refl) (LinearPart t) (or_introl eq_refl)))).
Qed.

(** ** All members *)

Lemma member_within s c m p : in_scope s c -> In m (members_of c) -> In p (member_terms m) -> part_within s (variables c) p.
Proof.
  intros Sc I J. apply (proj2 (in_scope_parts s c Sc)). unfold members_of in I. apply in_app_or in I as [I|I]; apply in_or_app; [left; apply in_flat_map; eauto | right].
  unfold entry_member_terms. destruct (entry_member c); [destruct I as [<-|[]]; exact J | destruct I].
Qed.
Lemma members_shown k x act (asked : state -> Prop) s c nu M c' s' : (forall s M s' M', keeps s M s' M' -> asked s -> asked s') ->
  (forall mu s M m f p, good mu s M -> asked s -> tables_right m -> (forall q, In q (member_terms m) -> part_within s (variables c) q) -> (f < given (parts_held m))%N -> find (parts_held m) f = Some p -> symbol p = x ->
    meets mu s M (act m f) (fun m' s' K => keeps s M s' K /\ changed_by k x f (variables c) m s' K m')) ->
  world s c nu M -> asked s -> each_occurrence act x c s = Gives c' s' ->
  exists K, world s' c' nu K /\ later s s' /\ keeps s M s' K /\ variables c' = variables c /\ symbols c' = symbols c /\ known_literals c' = known_literals c /\ progress c' = progress c /\
    SameInputs.both (fun m m' => member_changed (variables c) k x m s M m' s' K) (entry_member c) (entry_member c') /\ Forall2 (fun m m' => member_changed (variables c) k x m s M m' s' K) (herd c) (herd c').
Proof.
  intros Kept Acts W As H. unfold each_occurrence in H. unfold bind at 1 in H. destruct (mapped (in_member act x) (herd c) s) as [ms s1|] eqn:Ma; [|discriminate].
  unfold bind at 1 in H. match type of H with (match ?r s1 with _ => _ end) = _ => destruct (r s1) as [e s2|] eqn:Me; [|discriminate] end. unfold ret in H. injection H as <- <-.
  pose proof (world_scope _ _ _ _ _ W) as Sc. assert (Ms : forall m, In m (members_of c) -> tables_right m /\ forall q, In q (member_terms m) -> part_within s (variables c) q)
    by (intros m I; split; [apply (proj1 (proj2 Sc)); exact I | intros q; exact (member_within s c m q Sc I)]).
  destruct (computed tabs s c nu M (mapped (in_member act x) (herd c)) (fun _ M ms' s' K => keeps s M s' K /\ Forall2 (fun m m' => member_changed (variables c) k x m s M m' s' K) (herd c) ms') ms s1 W) as (K1 & W1 & G1 & Kp1 & _ & F); [|exact Ma|].
  { intros mu L Wm Gl. apply (members_meets mu tabs (variables c) k x act asked Kept (Acts mu)); auto. intros m I. apply Ms, herd_member. exact I. }
  assert (Second : exists K, world s2 c nu K /\ later s1 s2 /\ keeps s1 K1 s2 K /\ SameInputs.both (fun m m' => member_changed (variables c) k x m s M m' s2 K) (entry_member c) e).
  { destruct (entry_member c) as [m|] eqn:En; [|injection Me as <- <-; exists K1; split; [exact W1|]; split; [apply later_refl|]; split; [apply keeps_refl | exact Logic.I]].
    unfold bind in Me. destruct (in_member act x m s1) as [m' s3|] eqn:Im; [|discriminate]. injection Me as <- <-. destruct (Ms m) as [T Wm]; [unfold members_of; rewrite En; apply in_or_app; right; left; reflexivity|].
    assert (Wm1 : forall q, In q (member_terms m) -> part_within s1 (variables c) q) by (intros q J; eapply part_kept; [exact Kp1 | exact (Wm q J)]).
    destruct (computed tabs s1 c nu K1 (in_member act x m) (fun _ M m' s' K => keeps s1 M s' K /\ member_changed (variables c) k x m s1 M m' s' K) m' s3 W1) as (K2 & W2 & G2 & Kp2 & _ & C); [|exact Im|].
    { intros mu L Wl Gl. apply (in_member_meets mu tabs (variables c) k x act asked Kept (Acts mu)); auto. eapply Kept; eauto. }
    exists K2. split; [exact W2|]. split; [apply G2|]. split; [exact Kp2|]. exact (changed_earlier nu tabs (variables c) k x m s M s1 K1 m' s3 K2 (world_good _ _ _ _ _ W) Kp1 Wm C). }
  destruct Second as (K & W2 & L2 & Kp2 & Be). pose proof (world_good _ _ _ _ _ W1) as Gk1.
  assert (F2 : Forall2 (fun m m' => member_changed (variables c) k x m s M m' s2 K) (herd c) ms) by (clear - F Gk1 Kp2; induction F; constructor; auto; eapply changed_later; eauto).
  exists K. split; [|split; [eapply later_trans; [apply G1 | exact L2]|]; split; [eapply keeps_trans; eauto|]; repeat split; [exact Be | exact F2]]. destruct W2 as [A1 A2 (F1 & _ & T1) A4]. split; auto.
  assert (Each : forall m', In m' (members_of (with_entry (with_herd c ms) e)) -> exists m, member_changed (variables c) k x m s M m' s2 K).
  { intros m' I. unfold members_of in I. cbn [with_entry with_herd herd entry_member] in I. apply in_app_or in I as [I|I]; [exact (Forall2_flip_in _ _ _ F2 _ I)|]. destruct e as [z|]; [|destruct I]. destruct I as [<-|[]]. destruct (entry_member c) as [m|]; [eauto | destruct Be]. }
  split; [exact F1|]. split; [intros m I; destruct (Each m I) as (m0 & C); exact (all_tables _ _ _ _ _ _ _ _ _ C)|].
  intros p I. unfold configuration_terms in I. apply in_app_or in I as [I|I]; [apply T1; unfold configuration_terms; apply in_or_app; left; exact I|].
  assert (J : exists m', In m' (members_of (with_entry (with_herd c ms) e)) /\ In p (member_terms m')).
  { apply in_app_or in I as [I|I]; [apply in_flat_map in I as (m & I & J); exists m; split; [apply herd_member; exact I | exact J]|]. unfold entry_member_terms in I. cbn [with_entry entry_member] in I.
    destruct e as [z|]; [|destruct I]. exists z. split; [unfold members_of; cbn [with_entry entry_member]; apply in_or_app; right; left; reflexivity | exact I]. }
  destruct J as (m' & Im & J). destruct (Each m' Im) as (m0 & C). exact (all_terms _ _ _ _ _ _ _ _ _ C p J).
Qed.
(** So the herd that is denoted stays. *)
Lemma member_accounts k x sc m s M m' s' K ss phi r : member_changed sc k x m s M m' s' K -> (forall s1 M1, keeps s M s1 M1 -> Cases.case_right P (N.to_nat x) ss (valued M1) phi k) -> all_same M K (slot_terms (consumed_of m)) ->
  Configurations.accounts P under ss (valued M) phi (counted_of m) r -> Configurations.accounts P under ss (valued K) phi (counted_of m') r.
Proof.
  intros [(Pl & _ & Cn) _ _ De] Ca Sm [A B]. split.
  - cbn [counted_of Configurations.stands] in *. rewrite Pl. destruct (place_of m) as [l|]; [|exact A]. destruct A as (st & L & g & rn & Fg & D & Al). exists st. split; [exact L|]. exists g, rn. split; [exact Fg|]. split; [|exact Al]. exact (De P ss phi l g Ca D).
  - cbn [counted_of Configurations.counted] in *. rewrite Cn. destruct (consumed_of m) as [| |t| | | |]; auto. rewrite valued_term in *. rewrite <- B. exact (Sm (LinearPart t) (or_introl eq_refl)).
Qed.
Lemma herd_accounts_on k x sc s M s' K ss phi c c' t ts : Forall2 (fun m m' => member_changed sc k x m s M m' s' K) (herd c) (herd c') -> (forall s1 M1, keeps s M s1 M1 -> Cases.case_right P (N.to_nat x) ss (valued M1) phi k) ->
  (forall m, In m (herd c) -> all_same M K (slot_terms (consumed_of m))) -> herd_accounts P under c ss (valued M) phi t ts -> herd_accounts P under c' ss (valued K) phi t ts.
Proof.
  intros F Ca Sm A. unfold herd_accounts in *. destruct F as [|m m' ms ms' C F]; [exact A|]. destruct A as [A B]. split; [eapply member_accounts; eauto; apply Sm; left; reflexivity|].
  assert (Sm' : forall z, In z ms -> all_same M K (slot_terms (consumed_of z))) by (intros z I; apply Sm; right; exact I). clear - F Ca Sm' B. revert ts B. induction F as [|z z' zs zs' C F IH]; intros ts B; cbn [List.map] in *; inversion B as [|? q ? ts' [Sz A] B']; subst; constructor.
  - split; [destruct C as [(_ & Es & _) _ _ _]; cbn [sized_of fst] in *; rewrite Es; exact Sz|]. cbn [sized_of snd] in *. eapply member_accounts; eauto. apply Sm'. left. reflexivity.
  - apply IH; [intros y I; apply Sm'; right; exact I | exact B'].
Qed.

(** So does the entry, which is right still. *)
Lemma entry_accounts_on k x sc s M s' K ss phi c c' t : SameInputs.both (fun m m' => member_changed sc k x m s M m' s' K) (entry_member c) (entry_member c') -> (forall s1 M1, keeps s M s1 M1 -> Cases.case_right P (N.to_nat x) ss (valued M1) phi k) ->
  (forall s1 M1, keeps s M s1 M1 -> EntryKept.entry_case P trees (N.to_nat x) ss (valued M1) phi k) -> (forall m, entry_member c = Some m -> all_same M K (slot_terms (consumed_of m))) ->
  entry_accounts P under c ss (valued M) phi t -> entry_accounts P under c' ss (valued K) phi t.
Proof.
  intros B Ca Ce Sm A. unfold entry_accounts in *. destruct (entry_member c) as [m|], (entry_member c') as [m'|]; try contradiction; [|exact Logic.I].
  destruct A as [A (Sz & l & vs & cs & Pl & Ri)]. split; [eapply member_accounts; eauto|]. destruct B as [(Ep & Es & _) _ _ _ Rt]. split; [congruence|].
  destruct (Rt P trees ss phi l vs cs nodes well_given Ce Ri) as (vs' & cs' & Ri'). exists l, vs', cs'. split; [congruence | exact Ri'].
Qed.

(** ** One case *)

Lemma combined_at {A B} (l : list A) (k : list B) : forall j a, List.nth_error l j = Some a -> (j < length (List.combine l k))%nat -> exists b, List.nth_error (List.combine l k) j = Some (a, b).
Proof.
  revert k. induction l as [|x l IH]; intros [|y k] [|j] a N L; cbn in *; try discriminate; try lia; [injection N as ->; eauto | apply IH; [exact N | lia]].
Qed.
Lemma world_of s c nu M phi t ts : modelled tabs s -> in_scope s c -> shows_under s c nu M phi t ts -> world s c nu M.
Proof. intros Mo Sc (W & G & _). split; auto. Qed.
Lemma entry_among c m : entry_member c = Some m -> In m (members_of c).
Proof. intros E0. unfold members_of. rewrite E0. apply in_or_app. right. left. reflexivity. Qed.
Lemma consumed_same s c nu M s' K m : world s c nu M -> keeps s M s' K -> In m (members_of c) -> all_same M K (slot_terms (consumed_of m)).
Proof.
  intros W Kp I p J. eapply kept_value; [exact Kp|]. apply (within_in nu tabs (variables c) s M p (world_good _ _ _ _ _ W)). apply (member_within s c m p (world_scope _ _ _ _ _ W) I). unfold member_terms. apply in_or_app. auto.
Qed.
Lemma literals_on s c nu M s' K : world s c nu M -> keeps s M s' K -> literals_hold M (known_literals c) -> literals_hold K (known_literals c).
Proof.
  intros W Kp L l I. apply (literal_kept _ _ _ _ l Kp); [eapply literals_in; [exact (world_good _ _ _ _ _ W) | exact (world_scope _ _ _ _ _ W) | exact I] | apply L; exact I].
Qed.
Theorem closed_case s c sy c' s' nu M : world s c nu M -> each_occurrence close_part sy c s = Gives c' s' ->
  exists K, world s' c' nu K /\ later s s' /\ progress c' = progress c /\ forall phi t ts, match List.nth_error (symbols_of c) (N.to_nat sy) with
    | Some (FoldedMembers.TreeOf _) => FoldedMembers.trees phi (N.to_nat sy) = Sorts.Empty | _ => FoldedMembers.contexts phi (N.to_nat sy) = Sorts.Hole end ->
    shows_under s c nu M phi t ts -> shows_under s' c' nu K phi t ts.
Proof.
  intros W H. destruct (members_shown Cases.Emptied sy close_part (fun _ => True) s c nu M c' s') as (K & W' & La & Kp & _ & Sy & Kn & Pr & Be & F); auto.
  { intros mu s1 M1 m f p G _ T Wm L Fp Sp. eapply meets_weaker; [apply (close_meets mu tabs (variables c) s1 M1 m f G T Wm L)|]. intros m' s2 K _ _ (Kp & p' & Fp' & Ch). rewrite Fp in Fp'. injection Fp' as <-. rewrite Sp in Ch. auto. }
  exists K. split; [exact W'|]. split; [exact La|]. split; [exact Pr|]. intros phi t ts Ca (_ & _ & L & Me & A & En). assert (Ss : symbols_of c' = symbols_of c) by (unfold symbols_of; rewrite Sy; reflexivity).
  split; [apply W'|]. split; [apply W'|]. split; [rewrite Kn; eapply literals_on; eauto|]. rewrite Ss. split; [exact Me|]. split.
  - eapply herd_accounts_on; [exact F | intros s1 M1 _; exact Ca | intros m I; eapply consumed_same; eauto using herd_member | exact A].
  - eapply entry_accounts_on; [exact Be | intros s1 M1 _; exact Ca | | intros m Em; eapply consumed_same; eauto using entry_among | exact En].
    intros s1 M1 _ d Ed _. rewrite Ed in Ca. exact Ca.
Qed.
(** A tree of a declaration, as inputs are. *)
Lemma node_tree o d b fls : FoldedMembers.is_node P o = true -> Sorts.of_sort trees o (Sorts.Node d b fls) -> d = o /\ b = 0 /\ Sorts.fields trees (Inputs.links_of P o) fls.
Proof.
  intros No Of. inversion Of as [|? ls ? Il Fi]; subst. rewrite (Planting.sorts_of_nodes _ _ nodes o No) in *. cbn [Sorts.shapes Sorts.declaration Sorts.entrance] in *. destruct Il as [<-|[]]. auto.
Qed.
(** What the tree, or the segment, is in the case of a node. *)
Definition case_is (c : configuration) (phi : FoldedMembers.meaning) (shape : tree_sort) (sy d b : N) (e : segment_end) (hole : option N) (fls : list Sorts.field) (rest_ : Sorts.context) : Prop := match shape with
  | Tree t => hole = None /\ FoldedMembers.trees phi (N.to_nat sy) = Sorts.Node (N.to_nat d) (Z.of_N b) fls
  | Segment t => exists before g fl after, fls = before ++ fl :: after /\ hole = Some (N.of_nat (length before)) /\ Sorts.segment trees (N.to_nat t) rest_ /\ Folding.typed_context P rest_ /\
      FoldedMembers.contexts phi (N.to_nat sy) = match e with Top => Sorts.Cell (N.to_nat d) (Z.of_N b) before g rest_ after | Bottom => Sorts.compose rest_ (Sorts.Cell (N.to_nat d) (Z.of_N b) before g Sorts.Hole after) end end.
Theorem opened_case s c shape sy d b e ks hole c' s' y fls rest_ nu M phi : world s c nu M -> (forall n, shape = Tree n -> In (List.map Translated.link_of ks) (Sorts.shapes (trees (N.to_nat n)))) -> (forall s l s', layout_in E d s = Gives l s' -> s' = s /\ l = y) -> FoldedMembers.is_node P (N.to_nat d) = true ->
  find (symbols c) sy = Some shape -> (sy < given (symbols c))%N -> length fls = length (List.combine ks (fields y)) -> open_case E c shape sy d b e ks hole s = Gives c' s' ->
  exists mu K phi', world s' c' mu K /\ later s s' /\ progress c' = progress c /\ (fields_right_ P trees hole 0 (List.combine ks (fields y)) fls -> case_is c phi shape sy d b e hole fls rest_ ->
    forall t ts, shows_under s c nu M phi t ts -> shows_under s' c' mu K phi' t ts).
Proof.
  intros W Sh_ Ly Nd Fs Ls Lf H. unfold open_case in H. unfold bind at 1 in H. destruct (contents_of_node E c AnyValue d ks hole s) as [[[xs c1] env1] s1|] eqn:Co; [|discriminate].
  unfold contents_of_node, bind in Co. destruct (layout_in E d s) as [l s0|] eqn:La; [|discriminate]. destruct (Ly _ _ _ La) as [-> ->].
  destruct (contents_drawn E P trees tabs bounded sorts_are hole (List.combine ks (fields y)) 0 fls s c nu M phi xs c1 env1 s1 W Lf Co) as (mu & M1 & phi1 & D & Wx & Sx & Fit & Chi). pose proof D as [W1 G1 (Hd & En1 & Pr1) [Lg Hg] [Ht Hc] Li Mt].
  (* The rest of a segment. *)
  set (y2 := given (symbols c1)). set (phi2 := match shape with Tree _ => phi1 | Segment _ => {| FoldedMembers.trees := FoldedMembers.trees phi1; FoldedMembers.contexts := fun v => if Nat.eqb v (N.to_nat y2) then rest_ else FoldedMembers.contexts phi1 v |} end).
  assert (Two : exists x c2, (let (x, c) := match shape with Tree _ => (None, c1) | Segment _ => let (y, c) := fresh_symbol c1 shape in (Some (y, e), c) end in each_occurrence (fun m f => let$ (_, m) := open_part m f d b xs x in ret m) sy c) s1 = each_occurrence (fun m f => let$ (_, m) := open_part m f d b xs x in ret m) sy c2 s1 /\
    x = (match shape with Tree _ => None | Segment _ => Some (y2, e) end) /\ world s1 c2 mu M1 /\ variables c2 = variables c1 /\ herd c2 = herd c1 /\ known_literals c2 = known_literals c1 /\ progress c2 = progress c1 /\ entry_member c2 = entry_member c1 /\
    (given (symbols c1) <= given (symbols c2))%N /\ (forall g, (g < given (symbols c1))%N -> find (symbols c2) g = find (symbols c1) g) /\ given (symbols c2) = match shape with Tree _ => given (symbols c1) | Segment _ => N.succ (given (symbols c1)) end /\ match shape with Tree _ => True | Segment _ => find (symbols c2) y2 = Some shape end).
  { destruct shape as [t|t].
    - exists None, c1. split; [reflexivity|]. split; [reflexivity|]. split; [exact W1|]. do 5 (split; [reflexivity|]). split; [lia|]. auto.
    - exists (Some (y2, e)), (snd (fresh_symbol c1 (Segment t))). split; [reflexivity|]. split; [reflexivity|]. split; [apply (world_changes tabs s1 c1); [exact W1 | exact (world_scope _ _ _ _ _ W1)]|]. do 5 (split; [reflexivity|]). cbn [fresh_symbol added snd with_symbols symbols put one_more_number given].
      split; [lia|]. split; [intros g L; rewrite find_put; destruct (N.eqb_spec g (given (symbols c1))); [lia | reflexivity]|]. split; [reflexivity | unfold y2; rewrite find_put, N.eqb_refl; reflexivity]. }
  destruct Two as (x & c2 & Eq & Ex & W2 & Va2 & Hd2 & Kn2 & Pr2 & En2 & Lg2 & Hg2 & Gv2 & Sh2). rewrite Eq in H.
  destruct (members_shown (case_of d b xs x) sy (fun m f => let$ (_, m) := open_part m f d b xs x in ret m) (fun s => contents_within s (variables c2) xs) s1 c2 mu M1 c' s') as (K & W' & La' & Kp & Va' & Sy' & Kn' & Pr' & Be & F); auto.
  { intros sa Ma sb Mb Kab Wa v I p J. eapply part_kept; [exact Kab | exact (Wa v I p J)]. }
  { intros mu0 sa Ma m f p G Wa T Wm L Fp Sp. eapply meets_bind; [apply (open_meets mu0 tabs (variables c2) sa Ma m f p d b xs x G T Wm Wa L Fp)|]. intros [fs m'] sb Kb Gb _ (Kab & Ch). apply meets_ret; [exact Gb|]. rewrite Sp in Ch. auto. }
  { rewrite Va2. exact Wx. }
  exists mu, K, phi2. split; [exact W'|]. split; [eapply later_trans; [exact (goes_later _ _ _ _ _ _ _ G1) | exact La']|]. split; [congruence|]. intros Ri Ca t ts (_ & _ & L & Me & A & En).
  assert (Ss : symbols_of c' = symbols_of c2) by (unfold symbols_of; rewrite Sy'; reflexivity).
  assert (Lsy : (N.to_nat sy < N.to_nat (given (symbols c)))%nat) by lia.
  assert (At2 : forall v, (v < N.to_nat (given (symbols c1)))%nat -> List.nth_error (symbols_of c2) v = List.nth_error (symbols_of c1) v) by (intros v Lv; apply symbols_stay; auto).
  assert (At1 : forall v, (v < N.to_nat (given (symbols c)))%nat -> List.nth_error (symbols_of c1) v = List.nth_error (symbols_of c) v) by (intros v Lv; apply symbols_stay; auto).
  assert (Tr2 : forall v, FoldedMembers.trees phi2 v = FoldedMembers.trees phi1 v) by (intros v; unfold phi2; destruct shape; reflexivity).
  assert (Cx2 : forall v, (v < N.to_nat (given (symbols c1)))%nat -> FoldedMembers.contexts phi2 v = FoldedMembers.contexts phi1 v) by (intros v Lv; unfold phi2; destruct shape; [reflexivity|]; cbn; destruct (Nat.eqb_spec v (N.to_nat y2)); [unfold y2 in *; lia | reflexivity]).
  assert (Ext : Configurations.extends_symbols (symbols_of c) (symbols_of c2) phi phi2).
  { intros v srt Hv. assert (Lv : (v < N.to_nat (given (symbols c)))%nat) by (assert (v < length (symbols_of c))%nat by (apply nth_error_Some; congruence); unfold symbols_of, numbers_of in *; rewrite map_length, numbers_from_length in *; assumption).
    rewrite At2, At1 by lia. rewrite Tr2, Ht, Cx2, Hc by lia. auto. }
  assert (Meant : FoldedMembers.well_meant P trees (symbols_of c2) phi2).
  { intros v. destruct (Nat.lt_ge_cases v (N.to_nat (given (symbols c1)))) as [L1|L1].
    - apply (meant_again P trees (symbols_of c1) (symbols_of c2) phi1 phi2 v); [apply At2; exact L1 | apply Tr2 | apply Cx2; exact L1|]. destruct (Nat.lt_ge_cases v (N.to_nat (given (symbols c)))) as [L0|L0]; [|exact (Mt Ri v L0)].
      apply (meant_again P trees (symbols_of c) (symbols_of c1) phi phi1 v); [apply At1; exact L0 | apply Ht; exact L0 | apply Hc; exact L0 | exact (Me v)].
    - unfold FoldedMembers.well_meant_symbol. destruct shape as [t0|t0].
      + replace (List.nth_error (symbols_of c2) v) with (@None FoldedMembers.symbol_sort); [exact Logic.I|]. symmetry. apply nth_error_None. unfold symbols_of, numbers_of. rewrite map_length, numbers_from_length, Gv2. exact L1.
      + destruct (Nat.eq_dec v (N.to_nat y2)) as [->|Nv].
        * rewrite symbols_at, Gv2. destruct (N.ltb_spec y2 (N.succ (given (symbols c1)))); [|unfold y2 in *; lia]. rewrite Sh2. cbn [symbol_of]. unfold phi2. cbn [FoldedMembers.contexts]. rewrite Nat.eqb_refl. destruct Ca as (before & g & fl & after & _ & _ & Sg & Tc & _). auto.
        * replace (List.nth_error (symbols_of c2) v) with (@None FoldedMembers.symbol_sort); [exact Logic.I|]. symmetry. apply nth_error_None. unfold symbols_of, numbers_of. rewrite map_length, numbers_from_length, Gv2. unfold y2 in *. lia. }
  assert (Up : forall M3 cs1 fs1, Unfold.contents_fit (symbols_of c1) (valued M3) phi1 (List.map content_in cs1) fs1 -> (forall z, In z cs1 -> In z xs) -> Unfold.contents_fit (symbols_of c2) (valued M3) phi2 (List.map content_in cs1) fs1).
  { intros M3. unfold Unfold.contents_fit. induction cs1 as [|z cs1 IH]; intros [|fl fs1] Hf In_; cbn [List.map] in *; inversion Hf as [|? ? ? ? Hz Hr]; subst; constructor; [|apply IH; [exact Hr | intros w J; apply In_; right; exact J]].
    specialize (Sx) as Sz. destruct z as [v| | |s0 g|s0 from| |s0 e0|j0]; cbn [content_in] in *; try (inversion Hz; subst; econstructor; eauto; fail).
    - pose proof (Sz s0 _ (In_ _ (or_introl eq_refl)) eq_refl) as L0. inversion Hz; subst. eapply Opening.tree_is; [apply Tr2 | rewrite At2 by lia; eassumption | assumption].
    - pose proof (Sz s0 _ (In_ _ (or_introl eq_refl)) eq_refl) as L0. inversion Hz; subst. eapply Opening.tree_is; [apply Tr2 | rewrite At2 by lia; eassumption | assumption].
    - pose proof (Sz s0 _ (In_ _ (or_introl eq_refl)) eq_refl) as L0. inversion Hz; subst. eapply Opening.ring_is; [apply Cx2; lia | rewrite At2 by lia; eassumption]. }
  assert (Sort : List.nth_error (symbols_of c2) (N.to_nat sy) = Some (symbol_of (Some shape))) by (rewrite At2, At1 by lia; rewrite symbols_at, Fs; destruct (N.ltb_spec sy (given (symbols c))); [reflexivity | lia]).
  assert (Case : forall s3 M3, keeps s1 M1 s3 M3 -> Cases.case_right P (N.to_nat sy) (symbols_of c2) (valued M3) phi2 (case_of d b xs x)).
  { intros s3 M3 K3. pose proof (contents_kept c1 M1 phi1 hole (variables c1) mu s1 s3 M3 (world_good _ _ _ _ _ W1) K3 xs fls 0%N Wx (Fit Ri)) as Fit3.
    subst x. destruct shape as [t0|t0]; cbn [case_of] in *.
    - destruct Ca as [-> Tn]. split; [exact Nd|]. exists (N.to_nat t0), fls. split; [exact Sort|]. split; [rewrite Tr2, Ht by lia; exact Tn|]. apply Up; [eapply all_fit; exact Fit3 | auto].
    - destruct Ca as (before & g & fl & after & -> & -> & Sg & Tc & Cn). apply (link_fit c1 M3 phi1 fl after before xs 0%N (N.of_nat (length before))) in Fit3; [|lia].
      assert (Fit2 : Unfold.link_fits (symbols_of c2) (valued M3) phi2 (List.map content_in xs) before after).
      { destruct Fit3 as (cs1 & cs2 & Ecs & F1 & F2). assert (Sp : exists xs1 xs2 z, xs = xs1 ++ z :: xs2 /\ cs1 = List.map content_in xs1 /\ cs2 = List.map content_in xs2).
        { clear - Ecs. revert xs Ecs. induction cs1 as [|a cs1 IH]; intros [|z xs] E0; try discriminate; cbn [List.map app] in E0; injection E0 as E1 E2; [exists [], xs, z; auto|]. destruct (IH xs E2) as (xs1 & xs2 & w & -> & -> & ->). exists (z :: xs1), xs2, w. cbn [List.map app]. rewrite E1. auto. }
        destruct Sp as (xs1 & xs2 & z & Exs & -> & ->). eexists _, _. split; [exact Ecs|]. split; apply Up; auto; intros w I; rewrite Exs; apply in_or_app; [left | right; right]; exact I. }
      assert (Sy2 : List.nth_error (symbols_of c2) (N.to_nat y2) = Some (FoldedMembers.SegmentOf (N.to_nat t0))) by (rewrite symbols_at, Gv2; destruct (N.ltb_spec y2 (N.succ (given (symbols c1)))); [rewrite Sh2; reflexivity | unfold y2 in *; lia]).
      assert (Cy : FoldedMembers.contexts phi2 (N.to_nat y2) = rest_) by (unfold phi2; cbn; rewrite Nat.eqb_refl; reflexivity).
      assert (Cs : FoldedMembers.contexts phi2 (N.to_nat sy) = FoldedMembers.contexts phi (N.to_nat sy)) by (rewrite Cx2 by lia; apply Hc; lia).
      destruct e; (split; [exact Nd|]); exists (N.to_nat t0), before, g, rest_, after; rewrite Cs, Cn; auto. }
  (* What is at the entry is a tree of nodes. *)
  assert (Case_entry : forall s3 M3, keeps s1 M1 s3 M3 -> EntryKept.entry_case P trees (N.to_nat sy) (symbols_of c2) (valued M3) phi2 (case_of d b xs x)).
  { intros s3 M3 K3 o Eo No. rewrite Sort in Eo. destruct shape as [n|n]; [|discriminate]. injection Eo as Eo. cbn [symbol_of] in *. subst x. cbn [case_of]. destruct Ca as [-> Tn].
    pose proof (Me (N.to_nat sy)) as My. unfold FoldedMembers.well_meant_symbol in My. rewrite <- At1, <- At2, Sort, Tn in My by lia. destruct My as [Of Td]. specialize (Sh_ n eq_refl). rewrite Eo in *.
    apply (node_tree o) in Of as (Ed & Eb & Fi); [|exact No]. rewrite (Planting.sorts_of_nodes _ _ nodes _ No) in Sh_. destruct Sh_ as [El|[]].
    split; [exact Ed|]. split; [exact Eb|]. exists fls. rewrite Tr2, Ht, Tn by lia. split; [congruence|]. split; [apply Up; [eapply all_fit; exact (contents_kept c1 M1 phi1 None (variables c1) mu s1 s3 M3 (world_good _ _ _ _ _ W1) K3 xs fls 0%N Wx (Fit Ri)) | auto]|].
    split; [exact Fi|]. inversion Td as [|? ? ? Vi _ _]; subst. split; [intros j z Ej; rewrite <- Ed; exact (Vi j z Ej)|]. intros j s0 v g Ej Ec. rewrite El, nth_error_map in Ej. rewrite nth_error_map in Ec.
    destruct (List.nth_error ks j) as [k0|] eqn:Ek; [|discriminate]. injection Ej as Ej. destruct k0 as [|n0| | | | |? ?| |? ?|? ?|?]; try discriminate. injection Ej as <-. destruct (List.nth_error xs j) as [x0|] eqn:Ex; [|discriminate]. injection Ec as Ec.
    assert (Ej : exists f, List.nth_error (List.combine ks (fields y)) j = Some (Child n0, f)).
    { apply combined_at; [exact Ek|]. rewrite <- Lf. pose proof (Folding.Forall2_length _ _ _ (all_fit _ _ _ _ _ _ (Fit Ri))) as Le. rewrite !map_length in Le. rewrite <- Le. apply nth_error_Some. congruence. }
    destruct Ej as (f & Ef). assert (Sb : symbol_below x0 = Some (N.of_nat v)) by (destruct x0; try discriminate; cbn [content_in] in Ec; injection Ec as <- _; cbn; rewrite N2Nat.id; reflexivity).
    destruct (Chi j n0 f x0 (N.of_nat v) Ef Ex Sb) as (g0 & -> & Eg & Es). cbn [content_in] in Ec. injection Ec as _ <-. specialize (Sx _ _ (List.nth_error_In _ _ Ex) eq_refl). rewrite Nat2N.id in Es. rewrite At2 by lia. split; [exact Es | congruence]. }
  split; [apply W'|]. split; [apply W'|]. split; [rewrite Kn', Kn2; eapply literals_on; [exact W1 | exact Kp | exact (Li Ri L)]|]. rewrite Ss. split; [exact Meant|].
  (* As it was before, with the symbols that have come. *)
  assert (Sm : forall m, In m (members_of c) -> all_same M M1 (member_terms m)) by (intros m I p J; exact (proj2 (goes_terms _ _ _ _ _ _ _ G1 p (member_within s c m p (world_scope _ _ _ _ _ W) I J)))).
  split.
  - eapply (herd_accounts_on (case_of d b xs x) sy (variables c2) s1 M1 s' K); [exact F | exact Case | intros m I; eapply consumed_same; [exact W2 | exact Kp | apply herd_member; exact I]|].
    unfold herd_accounts in *. rewrite Hd2, Hd. destruct (herd c) as [|m ms] eqn:Hh; [exact A|]. destruct A as [A B]. split; [eapply (counted_same M M1); [exact Ext | apply Sm, herd_member; rewrite Hh; left; reflexivity | exact A]|].
    eapply (sized_same M M1); [exact Ext | | exact B]. intros p I. apply in_flat_map in I as (z & I & J). apply (Sm z); [apply herd_member; rewrite Hh; right; exact I | exact J].
  - eapply (entry_accounts_on (case_of d b xs x) sy (variables c2) s1 M1 s' K); [exact Be | exact Case | exact Case_entry | intros m Em; eapply consumed_same; [exact W2 | exact Kp | apply entry_among; exact Em]|].
    unfold entry_accounts in *. rewrite En2, En1. destruct (entry_member c) as [m|] eqn:Em; [|exact Logic.I]. specialize (Sm m (entry_among c m Em)). destruct En as [A1 (Sz & l & vs & cs & Pl & Rt)]. split; [eapply (counted_same M M1); [exact Ext | exact Sm | exact A1]|].
    split; [exact Sz|]. exists l, vs, cs. split; [exact Pl|]. eapply EntryKept.same_right; [|eapply SameEntries.entry_too; [apply SameInputs.member_itself, member_same; exact Sm | exact Rt]].
    intros f q srt _ Hs. destruct (Ext _ _ Hs) as (-> & -> & _). auto.
Qed.

(** ** The rule *)

(** It acts in any later state, and leaves what is sane. *)
Definition runs (c : configuration) (f : computes configuration) : Prop := forall s c' s', sane s c -> f s = Gives c' s' -> later s s' /\ sane s' c' /\ progress c' = progress c.
Lemma later_on s s' c : later s s' -> sane s c -> sane s' c.
Proof.
  intros L [Mo Sc]. split; [eapply modelled_later; eauto|]. destruct (Mo zeros zeros_sorted) as [M G]. destruct (L zeros M zeros_sorted G) as (M' & _ & K). eapply in_scope_later; eauto.
Qed.
Lemma mapped_runs {A} c (f : A -> computes configuration) l : forall s cs s', (forall a, In a l -> runs c (f a)) -> sane s c -> mapped f l s = Gives cs s' -> later s s' /\ (forall d, In d cs -> sane s' d /\ progress d = progress c) /\
  forall a, In a l -> exists s1 d s2, later s s1 /\ f a s1 = Gives d s2 /\ later s2 s' /\ In d cs.
Proof.
  induction l as [|b l IH]; intros s cs s' R Sn H; cbn [mapped] in H; [injection H as <- <-; split; [apply later_refl|]; split; [intros ? [] | intros ? []]|].
  unfold bind at 1 in H. destruct (f b s) as [d s1|] eqn:F; [|discriminate]. unfold bind in H. destruct (mapped f l s1) as [ds s2|] eqn:Ma; [|discriminate]. injection H as <- <-.
  destruct (R b (or_introl eq_refl) s d s1 Sn F) as (L1 & S1 & P1). destruct (IH s1 ds s2 (fun a I => R a (or_intror I)) (later_on _ _ _ L1 Sn) Ma) as (L2 & S2 & At_). split; [eapply later_trans; eauto|]. split.
  - intros z [<-|I]; [split; [exact (later_on _ _ _ L2 S1) | exact P1] | exact (S2 z I)].
  - intros a [<-|I]; [exists s, d, s1; split; [apply later_refl|]; split; [exact F|]; split; [exact L2 | left; reflexivity]|]. destruct (At_ a I) as (s3 & z & s4 & L3 & F3 & L4 & I4). exists s3, z, s4. split; [eapply later_trans; eauto|]. split; [exact F3|]. split; [exact L4 | right; exact I4].
Qed.
Lemma nested_runs {A B} c (f : A -> B -> computes configuration) (hs : A -> list B) l : forall s ls s', (forall a b, In a l -> In b (hs a) -> runs c (f a b)) -> sane s c -> mapped (fun a => mapped (f a) (hs a)) l s = Gives ls s' ->
  later s s' /\ (forall d, In d (List.concat ls) -> sane s' d /\ progress d = progress c) /\ forall a b, In a l -> In b (hs a) -> exists s1 d s2, later s s1 /\ f a b s1 = Gives d s2 /\ later s2 s' /\ In d (List.concat ls).
Proof.
  induction l as [|a l IH]; intros s ls s' R Sn H; cbn [mapped] in H; [injection H as <- <-; split; [apply later_refl|]; split; [intros ? [] | intros ? ? []]|].
  unfold bind at 1 in H. destruct (mapped (f a) (hs a) s) as [ds s1|] eqn:F; [|discriminate]. unfold bind in H. destruct (mapped _ l s1) as [dss s2|] eqn:Ma; [|discriminate]. injection H as <- <-.
  destruct (mapped_runs c (f a) (hs a) s ds s1 (fun b I => R a b (or_introl eq_refl) I) Sn F) as (L1 & S1 & A1). destruct (IH s1 dss s2 (fun z b I => R z b (or_intror I)) (later_on _ _ _ L1 Sn) Ma) as (L2 & S2 & A2).
  split; [eapply later_trans; eauto|]. cbn [List.concat]. split.
  - intros z I. apply in_app_or in I as [I|I]; [destruct (S1 z I) as [X Y]; split; [exact (later_on _ _ _ L2 X) | exact Y] | exact (S2 z I)].
  - intros z b [<-|I] Ib.
    + destruct (A1 b Ib) as (s3 & d & s4 & L3 & F3 & L4 & I4). exists s3, d, s4. split; [exact L3|]. split; [exact F3|]. split; [eapply later_trans; eauto | apply in_or_app; auto].
    + destruct (A2 z b I Ib) as (s3 & d & s4 & L3 & F3 & L4 & I4). exists s3, d, s4. split; [eapply later_trans; eauto|]. split; [exact F3|]. split; [exact L4 | apply in_or_app; auto].
Qed.
Lemma shows_on s s' c nu M phi t ts : later s s' -> in_scope s c -> shows_under s c nu M phi t ts -> exists M', shows_under s' c nu M' phi t ts.
Proof. intros L Sc S. pose proof S as (W & G & _). destruct (L nu M W G) as (M' & G' & K). exists M'. exact (carried_on P under trees tabs s s' c nu M M' phi t ts Sc G' K S). Qed.
(** Of a symbol and a sort as well-formedness has them. *)
Definition is_unfold_covered (c : configuration) (sy : N) : bool := (sy <? given (symbols c))%N && match find (symbols c) sy with Some (Tree n) | Some (Segment n) => is_sort_formed n | None => true end.
Lemma sane_world s c : sane s c -> exists M, world s c zeros M.
Proof. intros [Mo Sc]. destruct (Mo zeros zeros_sorted) as [M G]. exists M. split; auto using zeros_sorted. Qed.
Theorem unfold_shows s c sy e cs s' : sane s c -> is_unfold_covered c sy = true -> Folds.unfold E c sy e s = Gives cs s' ->
  later s s' /\ (forall d, In d cs -> sane s' d /\ progress d = progress c) /\ Herds.sound_cover machine stage shows (Open s c) (List.map (Open s') cs).
Proof.
  intros Sn Cv H. unfold is_unfold_covered in Cv. apply andb_prop in Cv as [Ls Cv]. apply N.ltb_lt in Ls.
  unfold Folds.unfold in H. unfold bind at 1, some at 1 in H. destruct (find (symbols c) sy) as [shape|] eqn:Fs; [|discriminate]. unfold ret at 1 in H.
  assert (Sh : exists n is_tree, (shape = Tree n /\ is_tree = true \/ shape = Segment n /\ is_tree = false) /\ match shape with Tree t => (t, true) | Segment t => (t, false) end = (n, is_tree) /\ is_sort_formed n = true) by (destruct shape as [n|n]; [exists n, true | exists n, false]; auto).
  destruct Sh as (n & is_tree & Shape & Es & Fo). rewrite Es in H. unfold bind at 1, nodes_of, some in H. destruct (WellFormed.nodes (names_in E) (sorts_in E) n) as [[[d r] ss]|] eqn:Nd; [|discriminate]. unfold ret at 1 in H.
  destruct (sort_formed n d r ss Nd Fo) as (Isn & y & Ly & Ty & Sh).
  unfold bind at 1 in H. destruct ((if is_any r || negb is_tree then let$ c := each_occurrence close_part sy c in ret [c] else ret []) s) as [empty s1|] eqn:Em; [|discriminate]. unfold bind in H.
  destruct (mapped (fun ks => mapped (open_case E c shape sy d (entrance r) e ks) (if is_tree then [None] else List.map Some (holes n ks))) ss s1) as [others s2|] eqn:Ot; [|discriminate]. unfold ret in H. injection H as <- <-.
  assert (RunsC : runs c (each_occurrence close_part sy c)).
  { intros sa c' sb Sa Ca. destruct (sane_world sa c Sa) as [Ma Wa]. destruct (closed_case sa c sy c' sb zeros Ma Wa Ca) as (K & Wb & La & Pr & _). split; [exact La|]. split; [split; [apply Wb | apply Wb] | exact Pr]. }
  pose proof (sort_shapes _ _ sorts_are n d r ss Nd) as Ssh.
  assert (Of_sort : forall ks, In ks ss -> forall n0, shape = Tree n0 -> In (List.map Translated.link_of ks) (Sorts.shapes (trees (N.to_nat n0)))).
  { intros ks Ik n0 ->. assert (n0 = n) as -> by (destruct Shape as [[[= ->] _]|[[=] _]]; reflexivity). rewrite Ssh. apply in_map. exact Ik. }
  assert (RunsO : forall ks hole, In ks ss -> runs c (open_case E c shape sy d (entrance r) e ks hole)).
  { intros ks hole Ik sa c' sb Sa Ca. destruct (sane_world sa c Sa) as [Ma Wa].
    destruct (opened_case sa c shape sy d (entrance r) e ks hole c' sb y (repeat (Sorts.Pointer Sorts.Other) (length (List.combine ks (fields y)))) Sorts.Hole zeros Ma {| FoldedMembers.trees := fun _ => Sorts.Empty; FoldedMembers.contexts := fun _ => Sorts.Hole |} Wa (Of_sort ks Ik) Ly Isn Fs Ls (repeat_length _ _) Ca) as (mu & K & phi' & Wb & La & Pr & _).
    split; [exact La|]. split; [split; [apply Wb | apply Wb] | exact Pr]. }
  assert (First : later s s1 /\ (forall z, In z empty -> sane s1 z /\ progress z = progress c) /\ (is_any r || negb is_tree = true -> exists z, empty = [z] /\ each_occurrence close_part sy c s = Gives z s1)).
  { destruct (is_any r || negb is_tree).
    - unfold bind in Em. destruct (each_occurrence close_part sy c s) as [z s3|] eqn:Ca; [|discriminate]. injection Em as <- <-. destruct (RunsC s z s3 Sn Ca) as (L1 & S1 & P1). split; [exact L1|]. split; [intros w [<-|[]]; auto | eauto].
    - unfold ret in Em. injection Em as <- <-. split; [apply later_refl|]. split; [intros ? [] | discriminate]. }
  destruct First as (L1 & S1 & E1). pose proof (later_on _ _ _ L1 Sn) as Sn1.
  destruct (nested_runs c (open_case E c shape sy d (entrance r) e) (fun ks => if is_tree then [None] else List.map Some (holes n ks)) ss s1 others s2 (fun ks hole I _ => RunsO ks hole I) Sn1 Ot) as (L2 & S2 & A2).
  split; [eapply later_trans; eauto|]. split; [intros z I; apply in_app_or in I as [I|I]; [destruct (S1 z I) as [X Y]; split; [exact (later_on _ _ _ L2 X) | exact Y] | exact (S2 z I)]|].
  intros t ts [_ (nu & M & phi & S)]. pose proof Sn as [Mo Sc].
  assert (At_ : List.nth_error (symbols_of c) (N.to_nat sy) = Some (symbol_of (Some shape))) by (rewrite symbols_at, Fs; destruct (N.ltb_spec sy (given (symbols c))); [reflexivity | lia]).
  assert (Emptied : is_any r || negb is_tree = true -> match List.nth_error (symbols_of c) (N.to_nat sy) with Some (FoldedMembers.TreeOf _) => FoldedMembers.trees phi (N.to_nat sy) = Sorts.Empty | _ => FoldedMembers.contexts phi (N.to_nat sy) = Sorts.Hole end ->
    exists x, In x (List.map (Open s2) (empty ++ List.concat others)) /\ shows x t ts).
  { intros Al Ca. destruct (E1 Al) as (z & -> & Cl). destruct (closed_case s c sy z s1 nu M (world_of s c nu M phi t ts Mo Sc S) Cl) as (K & Wz & _ & _ & Sz). pose proof (Sz phi t ts Ca S) as S3.
    destruct (shows_on s1 s2 z nu K phi t ts L2 (world_scope _ _ _ _ _ Wz) S3) as (K2 & S4). exists (Open s2 z). split; [apply in_map; left; reflexivity | exists nu, K2, phi; exact S4]. }
  assert (Opened : forall ks hole fls rest_, In ks ss -> In hole (if is_tree then [None] else List.map Some (holes n ks)) -> length fls = length ks -> fields_right_ P trees hole 0 (List.combine ks (fields y)) fls -> case_is c phi shape sy d (entrance r) e hole fls rest_ ->
    exists x, In x (List.map (Open s2) (empty ++ List.concat others)) /\ shows x t ts).
  { intros ks hole fls rest_ Ik Ih Lf Ri Ca. destruct (A2 ks hole Ik Ih) as (s3 & z & s4 & L3 & F3 & L4 & Iz). pose proof (later_trans tabs _ _ _ L1 L3) as L13. destruct (shows_on s s3 c nu M phi t ts L13 Sc S) as (M3 & S3). destruct (later_on _ _ _ L13 Sn) as [Mo3 Sc3].
    destruct (Sh ks Ik) as [Lk _]. assert (Lc : length fls = length (List.combine ks (fields y))) by (rewrite combine_length; lia).
    destruct (opened_case s3 c shape sy d (entrance r) e ks hole z s4 y fls rest_ nu M3 phi (world_of s3 c nu M3 phi t ts Mo3 Sc3 S3) (Of_sort ks Ik) Ly Isn Fs Ls Lc F3) as (mu & K & phi' & Wz & _ & _ & Sz). pose proof (Sz Ri Ca t ts S3) as S4.
    destruct (shows_on s4 s2 z mu K phi' t ts L4 (world_scope _ _ _ _ _ Wz) S4) as (K2 & S5). exists (Open s2 z). split; [apply in_map, in_or_app; right; exact Iz | exists mu, K2, phi'; exact S5]. }
  destruct S as (_ & _ & _ & Me & _). specialize (Me (N.to_nat sy)). unfold FoldedMembers.well_meant_symbol in Me. rewrite At_ in Me, Emptied.
  pose proof (sort_declared _ _ sorts_are n d r ss Nd) as Sd. pose proof (sort_null _ _ sorts_are n d r ss Nd) as Sz. pose proof (sort_entrance _ _ sorts_are n d r ss Nd) as Se.
  assert (Of_shape : forall ls, In ls (Sorts.shapes (trees (N.to_nat n))) -> exists ks, In ks ss /\ ls = List.map Translated.link_of ks) by (intros ls I; rewrite Ssh in I; apply in_map_iff in I as (ks & <- & I); eauto).
  destruct Shape as [[-> ->]|[-> ->]]; cbn [symbol_of] in Me, Emptied.
  - destruct Me as [Of Td]. apply Sorts.unfold_tree in Of as [[Nu Tn]|(ls & fls & Il & Fi & Tn)].
    + apply Emptied; [rewrite Sz in Nu; rewrite Nu; reflexivity | exact Tn].
    + destruct (Of_shape ls Il) as (ks & Ik & ->). destruct (fields_fit _ _ Fi) as [Lf Ff]. rewrite map_length in Lf. destruct (Sh ks Ik) as [Lk Li]. rewrite Tn in Td. inversion Td as [|? ? ? Vi Vb Vr]; subst. apply (Opened ks None fls Sorts.Hole Ik); [left; reflexivity | exact Lf | | split; [reflexivity | rewrite Tn, Sd, Se; reflexivity]].
      rewrite Sd in Vi. apply (rights_are None (N.to_nat d) y Ty ks (fields y) fls 0%N); auto. intros k l fl _ Nl Nf. apply (Ff k); [rewrite nth_error_map, Nl; reflexivity | exact Nf].
  - destruct Me as [Of Td].
    assert (Link : forall ls1 ls2 fs1 fs2 ctx, In (ls1 ++ Sorts.Child (N.to_nat n) :: ls2) (Sorts.shapes (trees (N.to_nat n))) -> Sorts.fields trees ls1 fs1 -> Sorts.fields trees ls2 fs2 -> Sorts.segment trees (N.to_nat n) ctx -> Folding.typed_context P ctx ->
      Folding.typed_tree P (Sorts.Node (N.to_nat d) (Z.of_N (entrance r)) (fs1 ++ Sorts.Below (Sorts.AsIn (Sorts.same_field trees (N.to_nat n))) Sorts.Empty :: fs2)) ->
      FoldedMembers.contexts phi (N.to_nat sy) = match e with Top => Sorts.Cell (N.to_nat d) (Z.of_N (entrance r)) fs1 (Sorts.AsIn (Sorts.same_field trees (N.to_nat n))) ctx fs2 | Bottom => Sorts.compose ctx (Sorts.Cell (N.to_nat d) (Z.of_N (entrance r)) fs1 (Sorts.AsIn (Sorts.same_field trees (N.to_nat n))) Sorts.Hole fs2) end ->
      exists x, In x (List.map (Open s2) (empty ++ List.concat others)) /\ shows x t ts).
    { intros ls1 ls2 fs1 fs2 ctx Il F1 F2 Sg Tc Tt Cn. destruct (Of_shape _ Il) as (ks & Ik & Eks). destruct (Sh ks Ik) as [Lk Li]. destruct (fields_fit _ _ F1) as [Lf1 Ff1]. destruct (fields_fit _ _ F2) as [Lf2 Ff2].
      set (hole := Sorts.Below (Sorts.AsIn (Sorts.same_field trees (N.to_nat n))) Sorts.Empty) in *. inversion Tt as [|? ? ? Vi Vb Vr]; subst.
      assert (Lks : length ks = (length ls1 + Datatypes.S (length ls2))%nat) by (rewrite <- (map_length Translated.link_of ks), <- Eks, app_length; reflexivity).
      apply (Opened ks (Some (N.of_nat (length fs1))) (fs1 ++ hole :: fs2) ctx Ik).
      - apply in_map. unfold holes. apply in_map_iff. assert (Nh : List.nth_error ks (length fs1) = Some (Child n)).
        { assert (X : List.nth_error (List.map Translated.link_of ks) (length fs1) = Some (Sorts.Child (N.to_nat n))) by (rewrite <- Eks, nth_error_app2, Lf1, Nat.sub_diag by lia; reflexivity). rewrite nth_error_map in X. destruct (List.nth_error ks (length fs1)) as [l|]; [|discriminate]. injection X as X.
          destruct l; try discriminate. injection X as X. apply N2Nat.inj in X. congruence. }
        exists (N.of_nat (length fs1), Child n). split; [reflexivity|]. apply filter_In. split; [|cbn; apply N.eqb_refl]. clear - Nh. enough (X : forall b, In ((b + N.of_nat (length fs1))%N, Child n) (List.combine (numbers_from b (length ks)) ks)) by (specialize (X 0%N); rewrite N.add_0_l in X; exact X).
        revert ks Nh. generalize (length fs1) as h. intros h ks. revert h. induction ks as [|a ks IH]; intros [|h] Nh b; try discriminate; cbn [length numbers_from List.combine]; [injection Nh as ->; left; f_equal; lia|]. right. replace (b + N.of_nat (Datatypes.S h))%N with (N.succ b + N.of_nat h)%N by lia. apply IH. exact Nh.
      - rewrite app_length. cbn [length]. lia.
      - apply (rights_are (Some (N.of_nat (length fs1))) (N.to_nat d) y Ty ks (fields y) (fs1 ++ hole :: fs2) 0%N); auto.
        + rewrite app_length. cbn [length]. lia.
        + intros k l fl Nhole Nl Nf. assert (Nm : List.nth_error (ls1 ++ Sorts.Child (N.to_nat n) :: ls2) k = Some (Translated.link_of l)) by (rewrite Eks, nth_error_map, Nl; reflexivity).
          destruct (Nat.lt_trichotomy k (length fs1)) as [L|[->|L]].
          * rewrite nth_error_app1 in Nf by lia. rewrite nth_error_app1 in Nm by lia. exact (Ff1 k _ _ Nm Nf).
          * unfold is_hole_at in Nhole. rewrite N.add_0_l, N.eqb_refl in Nhole. discriminate.
          * rewrite nth_error_app2 in Nf by lia. rewrite nth_error_app2 in Nm by lia. rewrite Lf1 in Nf. destruct (k - length ls1)%nat as [|j] eqn:Ej; [lia|]. exact (Ff2 j _ _ Nm Nf).
      - exists fs1, (Sorts.AsIn (Sorts.same_field trees (N.to_nat n))), hole, fs2. auto. }
    destruct e.
    + apply Sorts.unfold_top in Of as [Th|(ls1 & ls2 & fs1 & fs2 & ctx & Il & F1 & F2 & Sg & Tn)]; [apply Emptied; [apply orb_true_r | exact Th]|]. rewrite Tn, Sd, Se in Td. inversion Td as [|? ? ? ? ? ? T1 T2]; subst. apply (Link ls1 ls2 fs1 fs2 ctx); auto. rewrite Tn, Sd, Se. reflexivity.
    + apply Sorts.unfold_bottom in Of as [Th|(ls1 & ls2 & fs1 & fs2 & ctx & Il & F1 & F2 & Sg & Tn)]; [apply Emptied; [apply orb_true_r | exact Th]|]. rewrite Tn, Sd, Se in Td. apply Cases.typed_compose in Td as [T1 T3]. inversion T3 as [|? ? ? ? ? ? T2 _]; subst. apply (Link ls1 ls2 fs1 fs2 ctx); auto. rewrite Tn, Sd, Se. reflexivity.
Qed.
End UnfoldShown.
