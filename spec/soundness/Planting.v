(** What stands in memory for the trees of linked inputs
    (spec/program.md#inputs): the tree that the caller hands over, in cells of its
    own, one behind the other. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Inputs Existing Alike Typed Folding FoldedMembers Entries.
From Goatherd Require Scapegoats Unfolding.
Import ListNotations.
Open Scope Z_scope.

Notation tree_size := Scapegoats.tree_size.
Notation field_size := Scapegoats.field_size.
Notation fields_size := Scapegoats.fields_size.
Notation of_declaration := Unfolding.of_declaration.
#[local] Notation start_of := Inputs.start_of.

(** ** Trees as the caller hands them over *)

Definition integer_of (f : Sorts.field) := match f with Sorts.Integer z => [z] | _ => [] end.
Definition integers_of fs := flat_map integer_of fs.
Fixpoint linked_of (t : tree) : linked := match t with
  | Empty => NoNode
  | Node _ _ fs => LinkedTo (integers_of fs) (flat_map (fun f => match f with Below _ t => [linked_of t] | _ => [] end) fs) end.
Definition child_of (f : Sorts.field) := match f with Below _ t => [linked_of t] | _ => [] end.
Definition children_of fs := flat_map child_of fs.
Lemma linked_node d b fs : linked_of (Node d b fs) = LinkedTo (integers_of fs) (children_of fs).
Proof. reflexivity. Qed.

Section Planting.
Variable P : program.
Variable table : nat -> sort_of_trees.
Notation links_of := (links_of P).
(** What well-formedness asks of nodes. *)
Record nodes_formed : Prop := {
  sorts_of_nodes : forall d, is_node P d = true -> table d = {| declaration := d; entrance := 0; may_be_null := true; shapes := [links_of d]; Sorts.named := None |};
  nodes_of_links : forall d, is_node P d = true -> Forall of_declaration (links_of d);
  fields_of_nodes : forall d, is_node P d = true -> Forall2 link_fits (layout_fields (layout_of_declaration P d)) (links_of d);
  children_of_nodes : forall d c, In (Child c) (links_of d) -> is_node P c = true }.
Hypothesis formed : nodes_formed.

Fixpoint plants (ts : list linked) (ds : list nat) above m : option (list value * list object) := match ts, ds with
  | [], [] => Some ([], [])
  | t :: ts, d :: ds => match plant P t d above m with
    | Some (v, os) => match plants ts ds above (m + length os)%nat with
      | Some (vs, os') => Some (v :: vs, os ++ os') | None => None end
    | None => None end
  | _, _ => None end.
Lemma plant_node integers children d above n : plant P (LinkedTo integers children) d above n =
  match plants children (child_sorts (links_of d)) (start_of n) (S n) with
  | Some (vs, os) =>
    if row_fits (layout_fields (layout_of_declaration P d)) integers
    then Some (start_of n, {| declared := d; lower := 0; upper := 1; alive := Live; fields_of := node_cells (links_of d) integers vs above |} :: os)
    else None
  | None => None end.
Proof.
  simpl. set (all := fix all (ts : list linked) (ds : list nat) (m : nat) {struct ts} : option (list value * list object) := _).
  assert (E : forall ts ds m, all ts ds m = plants ts ds (start_of n) m).
  { induction ts as [|t ts IH]; intros [|c ds] m; simpl; auto. destruct (plant P t c (start_of n) m) as [[v os]|]; auto. rewrite IH. reflexivity. }
  rewrite E. reflexivity.
Qed.

(** No ring hangs from it. *)
Lemma no_rings ls fs : Sorts.fields table ls fs -> Forall of_declaration ls -> forall e c, ~ In (Ringed e c) fs.
Proof.
  induction 1 as [|l ls f fs F _ IH]; intros D e c I; [destruct I|]. inversion_clear D as [|? ? Dl Ds]. destruct I as [->|I]; [|exact (IH Ds _ _ I)].
  inversion F; subst. destruct Dl.
Qed.
(** Integers of a node, in the order of its fields. *)
Lemma integers_fit fields ls fs : Forall2 link_fits fields ls -> Sorts.fields table ls fs -> Forall of_declaration ls ->
  (forall k z, nth_error fs k = Some (Sorts.Integer z) -> value_in (nth k (map holds fields) PointerType) (Integer z)) ->
  row_fits fields (integers_of fs) = true.
Proof.
  intros F. revert fs. induction F as [|x l fields ls X _ IH]; intros fs S D T; inversion S; subst; auto.
  inversion_clear D as [|? ? Dl Ds]. unfold link_fits in X. simpl.
  assert (R : row_fits fields (integers_of fs0) = true) by (apply IH; auto; intros k z E; exact (T (Datatypes.S k) z E)).
  match goal with A : fits _ l ?f |- _ => inversion A; subst end; try contradiction; destruct (holds x) as [U|] eqn:Hx; try contradiction; simpl; auto.
  - pose proof (T 0%nat _ eq_refl) as V. simpl in V. rewrite Hx in V. apply is_within_iff in V. rewrite V. exact R.
  - destruct l; contradiction.
Qed.

Definition stand (g : state) n os := forall i x, nth_error os i = Some x -> object_at g (n + i) = x.
Lemma stand_app g n os os' : stand g n (os ++ os') -> stand g n os /\ stand g (n + length os) os'.
Proof.
  intros S. split; intros i x E.
  - apply S. rewrite nth_error_app1; auto. apply nth_error_Some. congruence.
  - rewrite <- Nat.add_assoc. apply S. rewrite nth_error_app2 by lia. replace (length os + i - length os)%nat with i by lia. exact E.
Qed.
Definition node_object (x : object) := is_node P (declared x) = true /\ lower x = 0 /\ upper x = 1.
Definition root_at t n : value := match t with Empty => Machine.Null | Node _ _ _ => start_of n end.
Definition all_exist_in os above n := forall N, (n + length os <= N)%nat -> value_exists N above -> Forall (object_exists N) os.

Lemma planted : (forall s t, of_sort table s t -> is_node P s = true -> typed_tree P t -> forall above n, exists os,
    plant P (linked_of t) s above n = Some (root_at t n, os) /\ length os = tree_size t /\
    Forall node_object os /\ all_exist_in os above n /\
    forall g m, stand g n os -> tree_at g t (eq (root_at t n)) (eq above) m (seq n (tree_size t))) /\
  (forall ls fs, Sorts.fields table ls fs -> Forall of_declaration ls -> (forall c, In (Child c) ls -> is_node P c = true) ->
    (forall e t, In (Below e t) fs -> typed_tree P t) -> forall o n, exists vs os,
    plants (children_of fs) (child_sorts ls) (start_of o) n = Some (vs, os) /\ length os = fields_size fs /\
    Forall node_object os /\
    (forall N, (n + length os <= N)%nat -> (o < N)%nat -> Forall (object_exists N) os /\ forall above, value_exists N above ->
      Forall (cells_exist N) (node_cells ls (integers_of fs) vs above)) /\
    (forall above, length (node_cells ls (integers_of fs) vs above) = length fs) /\
    forall g all above m k, stand g n os -> lower (object_at g o) = 0 ->
      (forall j, content g o (k + j) = read (nth j (node_cells ls (integers_of fs) vs above) no_cells) 0) ->
      fields_at g o 0 all (eq above) m k fs (seq n (fields_size fs))) /\
  (forall l f, fits table l f -> match l with Child s => is_node P s = true | _ => of_declaration l end -> (forall e t, f = Below e t -> typed_tree P t) -> forall o n,
    match l, f with
    | Child s, Below e t => exists os, plant P (linked_of t) s (start_of o) n = Some (root_at t n, os) /\ length os = tree_size t /\
        Forall node_object os /\ all_exist_in os (start_of o) n /\
        forall g all a m k, stand g n os -> lower (object_at g o) = 0 -> content g o k = root_at t n -> field_at g o 0 all a m k f (seq n (tree_size t))
    | _, _ => is_plain_field f end) /\
  (forall s c, segment table s c -> True).
Proof.
  apply of_sort_ind'.
  - intros s _ _ _ above n. exists []. repeat split; auto; [intros N _ _; constructor|]. intros g m _. constructor. auto.
  - intros s ls fs I F IH N T above n. rewrite (sorts_of_nodes formed s N) in I |- *. destruct I as [<-|[]]. inversion T as [|? ? ? Td Tb _]; subst.
    rewrite (sorts_of_nodes formed s N) in Td.
    destruct (IH (nodes_of_links formed s N) (children_of_nodes formed s) Tb n (S n)) as (vs & os & E & L & D & X & Lc & C).
    simpl declaration in *. rewrite linked_node, plant_node, E.
    rewrite (integers_fit _ _ _ (fields_of_nodes formed s N) F (nodes_of_links formed s N)) by exact Td.
    eexists. split; [reflexivity|]. split; [simpl; f_equal; exact L|]. split; [constructor; [repeat split; exact N | exact D]|]. split.
    + intros M B A. simpl in B. destruct (X M ltac:(lia) ltac:(lia)) as [X1 X2]. constructor; auto. apply X2. exact A.
    + intros g m S. change (tree_size (Node s 0 fs)) with (Datatypes.S (fields_size fs)). simpl seq.
      pose proof (S 0%nat _ eq_refl) as Z. rewrite Nat.add_0_r in Z.
      assert (S' : stand g (Datatypes.S n) os) by (intros i x Ei; replace (Datatypes.S n + i)%nat with (n + Datatypes.S i)%nat by lia; exact (S (Datatypes.S i) x Ei)).
      constructor.
      * unfold Folding.start_of. rewrite Z. simpl. auto.
      * unfold is_cell. rewrite Z. simpl. rewrite Lc. auto.
      * apply C with (k := 0%nat); auto; [rewrite Z; reflexivity|]. intros j. unfold content, field_of. rewrite Z. reflexivity.
  - intros _ _ _ o n. exists [], []. repeat split; auto; try constructor. 
  - intros l ls f fs A IHf F IH D Ch T o n. inversion_clear D as [|? ? Dl Ds].
    assert (Hl : match l with Child s => is_node P s = true | _ => of_declaration l end) by (destruct l; auto; apply Ch; simpl; auto).
    destruct (IH Ds (fun c I => Ch c (or_intror I)) (fun e t I => T e t (or_intror I)) o (n + field_size f)%nat) as (vs & os & E & L & D & X & Lc & C).
    assert (Tf : forall e t, f = Below e t -> typed_tree P t) by (intros e t ->; eapply T; simpl; auto).
    specialize (IHf Hl Tf o n).
    inversion A; subst; simpl in Hl; try contradiction.
    + (* data *)
      cbn [Scapegoats.field_size] in E, X, C. rewrite Nat.add_0_r in E, X, C. exists vs, os.
      split; [exact E|]. split; [exact L|]. split; [exact D|]. split; [|split; [intros above; simpl; rewrite Lc; reflexivity|]].
      * intros N B O. destruct (X N B O) as [X1 X2]. split; auto. intros above V. simpl. constructor; [split; simpl; auto | auto].
      * intros g all above m k S Lo Co. change (seq n (fields_size (Sorts.Integer z :: fs))) with (@nil nat ++ seq n (fields_size fs)). constructor.
        -- constructor; auto. specialize (Co 0%nat). rewrite Nat.add_0_r in Co. simpl in Co |- *. rewrite Co. reflexivity.
        -- apply C with (above := above); auto. intros j. specialize (Co (Datatypes.S j)). replace (Datatypes.S k + j)%nat with (k + Datatypes.S j)%nat by lia. exact Co.
    + (* child *)
      cbn [Scapegoats.field_size] in E, X, C. destruct IHf as (os0 & E0 & L0 & D0 & X0 & C0). exists (root_at t n :: vs), (os0 ++ os).
      split; [simpl; rewrite E0, L0, E; reflexivity|]. split; [rewrite app_length, L0, L; reflexivity|].
      split; [apply Forall_app; auto|]. split; [|split; [intros above; simpl; rewrite Lc; reflexivity|]].
      * intros N B O. rewrite app_length in B. simpl in X. destruct (X N ltac:(lia) O) as [X1 X2].
        split; [apply Forall_app; split; auto; apply X0; [lia | exact O]|]. intros above V. simpl. constructor; [|auto].
        split; simpl; auto. destruct t; simpl; auto. simpl in L0, B. lia.
      * intros g0 all above m k S Lo Co. apply stand_app in S as [S1 S2]. rewrite L0 in S2.
        change (fields_size (Below g t :: fs)) with (tree_size t + fields_size fs)%nat. rewrite seq_app. constructor.
        -- apply C0; auto. specialize (Co 0%nat). rewrite Nat.add_0_r in Co. rewrite Co. reflexivity.
        -- apply C with (above := above); auto. intros j. specialize (Co (Datatypes.S j)). replace (Datatypes.S k + j)%nat with (k + Datatypes.S j)%nat by lia. exact Co.
    + (* other pointers *)
      cbn [Scapegoats.field_size] in E, X, C. rewrite Nat.add_0_r in E, X, C. exists vs, os.
      destruct l; simpl in Hl; try contradiction; try (match goal with A : points _ |- _ => destruct A end);
      (split; [exact E|]; split; [exact L|]; split; [exact D|]; split; [|split; [intros above; simpl; rewrite Lc; reflexivity|]];
       [intros N B O; destruct (X N B O) as [X1 X2]; split; auto; intros above V; simpl; constructor; [split; simpl; auto | auto]|];
       intros g all above m k S Lo Co; match goal with |- fields_at _ _ _ _ _ _ _ (?f :: _) _ => change (seq n (fields_size (f :: fs))) with (@nil nat ++ seq n (fields_size fs)) end;
       constructor; [constructor; [exact I|]; specialize (Co 0%nat); rewrite Nat.add_0_r in Co; simpl in Co |- *; rewrite Co; reflexivity|];
       apply C with (above := above); auto; intros j; specialize (Co (Datatypes.S j)); replace (Datatypes.S k + j)%nat with (k + Datatypes.S j)%nat by lia; exact Co).
  - intros z _ _ o n. exact I.
  - intros a b z _ [].
  - intros s e t O IH G N T o n. destruct (IH N (T e t eq_refl) (start_of o) n) as (os & E & L & D & X & C). exists os.
    split; auto. split; auto. split; auto. split; auto. intros g all a m k S Lo Co. constructor. rewrite Co.
    replace (Folding.start_of g o 0) with (start_of o) by (unfold Folding.start_of, start_of; rewrite Lo; reflexivity). apply C. exact S.
  - intros s from t _ _ [].
  - intros l H Hl _ o n. destruct l; simpl in Hl; try contradiction; try destruct H; exact I.
  - intros s e c _ _ [].
  - auto.
  - auto.
Qed.
(** A tree of an input's sort is what the caller can hand over, and stands in
    memory where that is. *)
Theorem plant_tree s t above n : of_sort table s t -> is_node P s = true -> typed_tree P t -> exists os,
  plant P (linked_of t) s above n = Some (root_at t n, os) /\ length os = tree_size t /\
  Forall node_object os /\ all_exist_in os above n /\
  forall g m, stand g n os -> tree_at g t (eq (root_at t n)) (eq above) m (seq n (tree_size t)).
Proof. intros O N T. apply (proj1 planted); auto. Qed.
End Planting.
