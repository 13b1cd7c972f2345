(** Whether the sorts of a setting are as well-formedness asks (spec/format.md#well-formedness),
    by computing: of nodes, with one field that is [Same], with rings where fields lead to last
    cells of these, and within the sorts that they name. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Sorts Programs Machine FoldedMembers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed States Denoting Listed ContentsDrawn UnfoldShown.
Import ListNotations.
Open Scope N_scope.

Section Sorts.
Variable E : setting.
Notation nodes n := (WellFormed.nodes (names_in E) (sorts_in E) n).
Notation own n := (WellFormed.own (names_in E) (sorts_in E) n).
Definition is_within_right (n : N) : bool := match own n with
  | Some t => match check_within (names_in E) (sorts_in E) t with Has _ => true | Lacks _ => false end | None => true end.
Definition are_lasts_named (ks : list link) : bool := forallb (fun l => match l with Last_ f => match List.nth_error ks (N.to_nat f) with Some (Ring _ _) => true | _ => false end | _ => true end) ks.
Definition is_sort_right (n : N) : bool := match nodes n with
  | Some (_, _, ss) => is_sort_formed E n && forallb (is_one (same_of ss) 0) ss && is_within_right n && forallb are_lasts_named ss | None => true end.
Definition are_sorts_formed : bool :=
  forallb (fun '(k, _) => is_sort_right (Pos.pred_N k)) (PositiveMap.elements (by_position (objects_of (names_in E)))) &&
  forallb (fun '(k, _) => is_sort_right (Pos.pred_N k + entries (objects_of (names_in E)))) (PositiveMap.elements (by_position (sorts_in E))).
Hypothesis formed : are_sorts_formed = true.
Lemma all_right n x : nodes n = Some x -> is_sort_right n = true.
Proof.
  pose proof formed as F. apply andb_prop in F as [Fo Fs]. rewrite forallb_forall in Fo, Fs. unfold WellFormed.nodes. destruct (own n) as [t|] eqn:Ow; intros Nd.
  - unfold WellFormed.own in Ow. destruct (N.leb_spec (entries (objects_of (names_in E))) n) as [L|]; [|discriminate]. unfold at_position in Ow. apply PositiveMap.elements_correct in Ow.
    specialize (Fs _ Ow). cbn beta iota in Fs. rewrite N.pos_pred_succ in Fs. replace (n - entries (objects_of (names_in E)) + entries (objects_of (names_in E))) with n in Fs by lia. exact Fs.
  - destruct (at_position (objects_of (names_in E)) n) as [o|] eqn:At; [|discriminate]. unfold at_position in At. apply PositiveMap.elements_correct in At. specialize (Fo _ At). cbn beta iota in Fo. rewrite N.pos_pred_succ in Fo. exact Fo.
Qed.
Lemma right_parts n d r ss : nodes n = Some (d, r, ss) -> is_sort_formed E n = true /\ (forall ks, In ks ss -> is_one (same_of ss) 0 ks = true) /\ is_within_right n = true.
Proof. intros Nd. pose proof (all_right n _ Nd) as R. unfold is_sort_right in R. rewrite Nd in R. apply andb_prop in R as [R _]. apply andb_prop in R as [R W]. apply andb_prop in R as [A B]. rewrite forallb_forall in B. auto. Qed.
Lemma lasts_named n d r ss ks j f : nodes n = Some (d, r, ss) -> In ks ss -> List.nth_error ks j = Some (Last_ f) -> exists s e, List.nth_error ks (N.to_nat f) = Some (Ring s e).
Proof.
  intros Nd I J. pose proof (all_right n _ Nd) as R. unfold is_sort_right in R. rewrite Nd in R. apply andb_prop in R as [_ R]. rewrite forallb_forall in R. specialize (R ks I).
  unfold are_lasts_named in R. rewrite forallb_forall in R. specialize (R _ (List.nth_error_In _ _ J)). cbn beta iota in R. destruct (List.nth_error ks (N.to_nat f)) as [[]|]; try discriminate. eauto.
Qed.

Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Hypothesis setting_right : same_setting E P under.
Hypothesis sorts_are : sorts_right E trees.
Lemma shape_of s ls : In ls (Sorts.shapes (trees s)) -> exists n d r ss ks, s = N.to_nat n /\ nodes n = Some (d, r, ss) /\ In ks ss /\ ls = List.map Translated.link_of ks.
Proof.
  rewrite <- (Nat2N.id s). destruct (nodes (N.of_nat s)) as [[[d r] ss]|] eqn:Nd.
  - rewrite (sort_shapes _ _ sorts_are _ d r ss Nd). intros I. apply in_map_iff in I as (ks & <- & I). exists (N.of_nat s), d, r, ss, ks. auto.
  - rewrite (sort_absent _ _ sorts_are _ Nd). intros [].
Qed.
Theorem of_nodes s ls : In ls (Sorts.shapes (trees s)) -> FoldedMembers.is_node P (Sorts.declaration (trees s)) = true.
Proof.
  intros I. apply shape_of in I as (n & d & r & ss & ks & -> & Nd & _ & _). destruct (right_parts n d r ss Nd) as [F _]. rewrite (sort_declared _ _ sorts_are n d r ss Nd). exact (proj1 (sort_formed E P under setting_right n d r ss Nd F)).
Qed.
(** Shapes of nodes of one declaration are as long. *)
Lemma shapes_long n d r ss ks : nodes n = Some (d, r, ss) -> In ks ss -> exists x y, at_position (objects_of (names_in E)) d = Some x /\ at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some y /\ length ks = length (fields y).
Proof.
  intros Nd I. destruct (right_parts n d r ss Nd) as [F _]. unfold is_sort_formed in F. rewrite Nd in F. destruct (at_position (objects_of (names_in E)) d) as [x|] eqn:Ax; [|discriminate]. apply andb_prop in F as [_ F].
  destruct (at_position (layouts_of (names_in E)) (Certificates.layout_of x)) as [y|] eqn:Ay; [|discriminate]. rewrite forallb_forall in F. specialize (F ks I). apply andb_prop in F as [F _]. apply Nat.eqb_eq in F. eauto.
Qed.
Lemma one_position same ks : forall n, is_one same n ks = true -> (forall s, same = Some s -> n <= s < n + N.of_nat (length ks)) -> same_position n ks = same.
Proof.
  induction ks as [|k ks IH]; intros n H B; cbn [is_one same_position length] in *.
  - destruct same as [s|]; [specialize (B s eq_refl); lia | reflexivity].
  - apply andb_prop in H as [Hk H]. apply Bool.eqb_prop in Hk. rewrite Hk. destruct same as [s|]; cbn [Nat.add] in *.
    + destruct (N.eqb_spec s n) as [->|D]; [reflexivity|]. apply IH; [exact H|]. intros s' [= <-]. specialize (B s eq_refl). lia.
    + apply IH; [exact H | discriminate].
Qed.
Lemma position_bounded ks : forall n s, same_position n ks = Some s -> n <= s < n + N.of_nat (length ks).
Proof. induction ks as [|k ks IH]; intros n s H; cbn [same_position length] in *; [discriminate|]. destruct (is_same k); [injection H as <-; lia|]. apply IH in H. lia. Qed.
Theorem ones_same : Sorts.one_same trees.
Proof.
  intros s ls I. pose proof (shape_of s ls I) as (n & d & r & ss & ks & -> & Nd & Ik & ->). destruct (right_parts n d r ss Nd) as (_ & O & _).
  unfold Sorts.same_field. rewrite (sort_shapes _ _ sorts_are n d r ss Nd). destruct ss as [|k1 ss]; [destruct Ik|]. cbn [List.map same_of] in *.
  destruct (shapes_long n d r _ ks Nd Ik) as (x & y & Ax & Ay & Lk). destruct (shapes_long n d r _ k1 Nd (or_introl eq_refl)) as (x1 & y1 & Ax1 & Ay1 & L1). rewrite Ax in Ax1. injection Ax1 as <-. rewrite Ay in Ay1. injection Ay1 as <-.
  assert (Sp : same_position 0 ks = same_position 0 k1) by (apply one_position; [apply O; exact Ik|]; intros q Hq; apply position_bounded in Hq; lia).
  pose proof (position_same ks 0) as A. pose proof (position_same k1 0) as B. rewrite Sp, B in A. destruct (Sorts.position_of_same (List.map Translated.link_of ks)), (Sorts.position_of_same (List.map Translated.link_of k1)); cbn in A; congruence.
Qed.
Lemma wider_is s : Sorts.wider trees (N.to_nat s) = N.to_nat (match own s with Some {| within_sort := Some w |} => w | _ => s end).
Proof. unfold Sorts.wider. rewrite (sort_named _ _ sorts_are s). destruct (own s) as [[o r ss [w|]]|]; reflexivity. Qed.
Lemma link_maps wide k : link_within (names_in E) (sorts_in E) wide k = true -> Sorts.maps trees (Translated.link_of k) (Translated.link_of wide).
Proof.
  destruct wide as [|t| | | | |a b| |t f|t e|f], k as [|s| | | | |a' b'| |s g|s e'|g]; cbn [link_within Translated.link_of Sorts.maps]; intros H; try discriminate; auto.
  - apply N.eqb_eq in H. rewrite wider_is, H. reflexivity.
  - apply andb_prop in H as [A B]. lia.
  - apply andb_prop in H as [A B]. apply N.eqb_eq in A. subst s. destruct f as [f|], g as [g|]; try discriminate; [apply N.eqb_eq in B; subst; reflexivity | reflexivity].
  - apply andb_prop in H as [A B]. apply N.eqb_eq in A, B. subst. reflexivity.
  - apply N.eqb_eq in H. subst. reflexivity.
Qed.
Lemma links_map : forall wide ks, length wide = length ks -> shape_within (names_in E) (sorts_in E) wide ks = true -> Forall2 (Sorts.maps trees) (List.map Translated.link_of ks) (List.map Translated.link_of wide).
Proof.
  unfold shape_within. induction wide as [|w wide IH]; intros [|k ks] L H; try discriminate; cbn [List.map combine forallb] in *; constructor; apply andb_prop in H as [A B]; [apply link_maps; exact A | apply IH; [injection L; auto | exact B]].
Qed.
Theorem checked_sorts s : Sorts.named (trees s) <> None -> Sorts.names_wider trees s.
Proof.
  rewrite <- (Nat2N.id s). set (n := N.of_nat s). clearbody n. intros H. pose proof (sort_named _ _ sorts_are n) as Hn. destruct (own n) as [t|] eqn:Ow; [|congruence]. destruct (within_sort t) as [w|] eqn:Ws; [|rewrite Hn in H; destruct H; reflexivity].
  assert (Nd : nodes n = Some (Certificates.object_of t, Certificates.root_of t, Certificates.shapes t)) by (unfold WellFormed.nodes; rewrite Ow; reflexivity). destruct (right_parts n _ _ _ Nd) as (_ & _ & Wi). unfold is_within_right in Wi. rewrite Ow in Wi. unfold check_within in Wi. rewrite Ws in Wi.
  destruct (nodes w) as [[[d r] ss]|] eqn:Nw; [|discriminate]. unfold require in Wi. match type of Wi with (match (if ?b then _ else _) with _ => _ end) = _ => destruct b eqn:Bs; [|discriminate] end.
  apply andb_prop in Bs as [Bs Sh]. apply andb_prop in Bs as [Bs An]. apply andb_prop in Bs as [De En]. apply N.eqb_eq in De, En.
  assert (Wd : Sorts.wider trees (N.to_nat n) = N.to_nat w) by (rewrite wider_is, Ow; destruct t as [o' r' s' w']; cbn in Ws; subst w'; reflexivity).
  unfold Sorts.names_wider. rewrite Wd, (sort_declared _ _ sorts_are _ _ _ _ Nd), (sort_declared _ _ sorts_are _ _ _ _ Nw), (sort_entrance _ _ sorts_are _ _ _ _ Nd), (sort_entrance _ _ sorts_are _ _ _ _ Nw), (sort_null _ _ sorts_are _ _ _ _ Nd), (sort_null _ _ sorts_are _ _ _ _ Nw), (sort_shapes _ _ sorts_are _ _ _ _ Nd), (sort_shapes _ _ sorts_are _ _ _ _ Nw).
  split; [congruence|]. split; [congruence|]. split; [intros Nr; rewrite Nr in An; apply negb_true_iff; exact An|]. intros ls I. apply in_map_iff in I as (ks & <- & I). rewrite forallb_forall in Sh. specialize (Sh ks I). apply existsb_exists in Sh as (wide & Iw & Sw).
  exists (List.map Translated.link_of wide). split; [apply in_map; exact Iw|]. apply links_map; [|exact Sw].
  destruct (shapes_long n _ _ _ ks Nd I) as (x & y & Ax & Ay & Lk). destruct (shapes_long w _ _ _ wide Nw Iw) as (x1 & y1 & Ax1 & Ay1 & L1). rewrite De in Ax1. rewrite Ax in Ax1. injection Ax1 as <-. rewrite Ay in Ay1. injection Ay1 as <-. congruence.
Qed.
End Sorts.
