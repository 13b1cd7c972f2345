(** Entry states (spec/program.md#inputs): integers are in range, and no object
    ends before it begins. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Inputs Existing Tidy Alike Typed Members Bounds.
Import ListNotations.
Open Scope Z_scope.

Section Entries.
Variable P : program.

(** What is asked of programs (spec/program.md#well-formedness) as far as it
    bears on what is there at first. *)
Definition contents_fit (f : Programs.field) c := match c, holds f with
  | FromTable t, IntegerType T => exists b, nth_error (tables P) t = Some b /\ Forall (within T) (Programs.values b)
  | FromTable _, PointerType => False
  | Pointers _, IntegerType _ => False
  | _, _ => True end.
Definition link_fits (f : Programs.field) l := match l, holds f with
  | Data, PointerType | Range _ _, _ => False
  | Data, IntegerType _ | _, PointerType => True
  | _, IntegerType _ => False end.
Record contents_formed : Prop := {
  statics_formed : forall d c cs a, origin_of (declaration_of P d) = Static c cs a -> 0 <= c /\
    Forall2 contents_fit (layout_fields (layout_of_declaration P d)) cs;
  links_formed : forall d l, origin_of (declaration_of P d) = LinkedNode l -> Forall2 link_fits (layout_fields (layout_of_declaration P d)) l;
  pointers_formed : forall d count cs may ds, origin_of (declaration_of P d) = Static count cs may -> In (Pointers ds) cs ->
    Z.of_nat (length ds) <= count /\ forall t, In (Some t) ds -> is_static_declaration (declaration_of P t) = true }.
Hypothesis formed : contents_formed.

Definition object_fine x := ordered x /\ object_in P x.
Lemma dead_fine : object_fine dead_object.
Proof. split; [unfold ordered; simpl; lia|]. intros f i. unfold field_of. simpl. destruct f; exact I. Qed.

(** *** Arrays *)

Lemma each_in t l i : Forall (value_in t) l -> value_in t (read {| initially := Each l; written := [] |} i).
Proof.
  intros F. unfold read; simpl. destruct (0 <=? i); [|exact I]. apply (Forall_nth_default (value_in t)); [exact F | exact I].
Qed.
Lemma columns_in l : forall n rows, Forall (fun row => row_fits l (skipn n row) = true) rows ->
  forall f i, value_in (nth f (map holds l) PointerType) (read (nth f (columns l n rows) no_cells) i).
Proof.
  induction l as [|x l IH]; intros n rows F f i; [destruct f; exact I|]. simpl columns. simpl map. destruct (holds x) as [T|] eqn:Hx.
  - destruct f as [|f]; cbn [nth].
    + apply each_in. rewrite Forall_forall in F |- *. intros v Hv. apply in_map_iff in Hv as (row & <- & I). specialize (F row I).
      simpl in F. rewrite Hx in F. destruct (skipn n row) as [|z rest] eqn:E; [discriminate|]. apply andb_prop in F as [W _]. apply is_within_iff in W.
      assert (N : nth n row 0 = z) by (rewrite <- (firstn_skipn n row) at 1; rewrite E; assert (L : length (firstn n row) = n) by (apply firstn_length_le; rewrite <- (firstn_skipn n row), app_length, E; pose proof (firstn_le_length n row); destruct (Nat.le_gt_cases n (length row)); [rewrite firstn_length_le by auto; lia | rewrite skipn_all2 in E by lia; discriminate]); rewrite app_nth2 by lia; rewrite L, Nat.sub_diag; reflexivity).
      simpl. rewrite N. exact W.
    + apply IH. rewrite Forall_forall in F |- *. intros row I. specialize (F row I). simpl in F. rewrite Hx in F.
      destruct (skipn n row) as [|z rest] eqn:E; [discriminate|]. apply andb_prop in F as [_ F].
      replace (skipn (S n) row) with rest; auto. clear - E. revert row E. induction n; intros [|y row] E; simpl in *; try discriminate; [congruence | apply IHn; exact E].
  - destruct f as [|f]; cbn [nth]; [exact I|]. apply IH. rewrite Forall_forall in F |- *. intros row I. specialize (F row I). simpl in F. rewrite Hx in F. exact F.
Qed.
Lemma array_fine d rows : forallb (row_fits (layout_fields (layout_of_declaration P d))) rows = true -> object_fine (array_object P d rows).
Proof.
  intros F. split; [unfold ordered; simpl; lia|]. intros f i. apply columns_in. rewrite forallb_forall in F. rewrite Forall_forall. exact F.
Qed.

(** *** Nodes *)

Lemma node_cells_in fs ls : Forall2 link_fits fs ls -> forall row children above, row_fits fs row = true ->
  Forall (value_in PointerType) children -> forall f i, value_in (nth f (map holds fs) PointerType) (read (nth f (node_cells ls row children above) no_cells) i).
Proof.
  assert (Any_pointer : forall v, value_in PointerType v) by (intros []; exact I).
  induction 1 as [|x l fs ls X _ IH]; intros row children above R C f i; [destruct f; exact I|]. unfold link_fits in X. simpl in R.
  destruct (holds x) as [T|] eqn:Hx.
  - destruct l; try contradiction. destruct row as [|z row]; [discriminate|]. apply andb_prop in R as [W R]. simpl map. rewrite Hx.
    destruct f as [|f]; cbn [nth node_cells hd tl]; [apply is_within_iff in W; exact W | apply IH; auto].
  - simpl map. rewrite Hx. destruct l; try contradiction; (destruct f as [|f]; cbn [nth node_cells]; [apply Any_pointer | apply IH; auto]);
    destruct children; simpl; auto; inversion C; auto.
Qed.
Lemma plant_fine : forall t d above n v os, plant P t d above n = Some (v, os) -> value_in PointerType v /\ Forall object_fine os.
Proof.
  fix IH 1. intros [|integers children] d above n v os; simpl; [intros [= <- <-]; split; [exact I | constructor]|].
  set (all := fix all (ts : list linked) (ds : list nat) (m : nat) {struct ts} : option (list value * list object) := _).
  assert (X : forall ds m vs os', all children ds m = Some (vs, os') -> Forall (value_in PointerType) vs /\ Forall object_fine os').
  { induction children as [|t ts IHt]; intros [|c ds] m vs os'; simpl; try discriminate; [intros [= <- <-]; split; constructor|].
    destruct (plant P t c (start_of n) m) as [[v' os1]|] eqn:E; [|discriminate].
    destruct (all ts ds (m + length os1)%nat) as [[vs' os2]|] eqn:E'; [|discriminate]. intros [= <- <-].
    destruct (IH _ _ _ _ _ _ E) as [V1 O1]. destruct (IHt _ _ _ _ E') as [V2 O2]. split; [constructor; auto | apply Forall_app; auto]. }
  destruct (all children (child_sorts (links_of P d)) (S n)) as [[vs os']|] eqn:E; [|discriminate].
  destruct (row_fits _ _) eqn:R; [|discriminate]. intros [= <- <-]. destruct (X _ _ _ _ E) as [V O]. split; [exact I|]. constructor; auto.
  split; [unfold ordered; simpl; lia|]. intros f i. unfold field_of, field_type, links_of. cbn [fields_of declared].
  destruct (origin_of (declaration_of P d)) as [| | | |l] eqn:Od; try (simpl; destruct f; exact I).
  apply node_cells_in; auto. apply (links_formed formed). exact Od.
Qed.

(** *** Loading *)

Definition register_fine (l : list value) := forall r, value_in (type_of P r) (nth r l Uninitialised).
Definition loading_fine a := register_fine (loaded a) /\ Forall object_fine (made a).
Lemma register_set l r v : register_fine l -> value_in (type_of P r) v -> register_fine (replace l r v).
Proof. intros F V q. rewrite nth_replace. destruct (Nat.eqb_spec q r) as [->|]; simpl; [destruct (Nat.ltb _ _); auto | apply F]. Qed.
Lemma start_in t o : value_in t (start_of o).
Proof. destruct t; exact I. Qed.
Lemma integer_in r z : is_within (integer_type_of P r) z = true -> value_in (type_of P r) (Integer z).
Proof. unfold integer_type_of. intros W. apply is_within_iff in W. simpl. destruct (type_of P r); auto. Qed.
Lemma pointer_in t v : value_in PointerType v -> (forall z, v <> Integer z) -> value_in t v.
Proof. destruct v, t; simpl; auto. intros _ N. destruct (N z eq_refl). Qed.
Lemma plant_value t d above n v os : plant P t d above n = Some (v, os) -> forall z, v <> Integer z.
Proof.
  destruct t; simpl; [intros [= <- _]; discriminate|]. destruct (_ children (child_sorts (links_of P d)) (S n)) as [[vs os']|]; [|discriminate].
  destruct (row_fits _ _); [|discriminate]. intros [= <- _]. discriminate.
Qed.
Lemma load_input_fine a i v b : loading_fine a -> load_input P a i v = Some b -> loading_fine b.
Proof.
  intros [R M] H. destruct i, v; simpl in H; try discriminate.
  - destruct (is_within _ _) eqn:W; [|discriminate]. injection H as <-. split; auto. apply register_set; auto. apply integer_in. exact W.
  - destruct (_ && _) eqn:C; [|discriminate]. injection H as <-. apply andb_prop in C as [C _]. apply andb_prop in C as [C W]. apply andb_prop in C as [_ F].
    split; simpl; [|apply Forall_app; split; auto; constructor; auto; apply array_fine; auto].
    apply register_set; [apply register_set; auto; apply integer_in; exact W | apply start_in].
  - destruct fields as [row|].
    + destruct (row_fits _ _) eqn:F; [|discriminate]. injection H as <-. split; simpl; [apply register_set; auto; apply start_in|].
      apply Forall_app. split; auto. constructor; auto. apply array_fine. simpl. rewrite F. auto.
    + injection H as <-. split; auto. simpl. apply register_set; auto. destruct (type_of P pointer); exact I.
  - destruct (plant P t object Null (length (made a))) as [[v os]|] eqn:E; [|discriminate]. injection H as <-.
    destruct (plant_fine _ _ _ _ _ _ E) as [V O]. split; simpl; [|apply Forall_app; auto]. apply register_set; auto. apply pointer_in; auto. eapply plant_value; eauto.
Qed.
Lemma load_inputs_fine is : forall a vs b, loading_fine a -> load_inputs P a is vs = Some b -> loading_fine b.
Proof.
  induction is as [|i is IH]; intros a [|v vs] b L; simpl; try discriminate; [intros [= <-]; auto|].
  destruct (load_input P a i v) as [c|] eqn:E; [|discriminate]. apply IH. eapply load_input_fine; eauto.
Qed.

(** *** Static objects *)

Lemma static_cells_in base f c i : contents_fit f c -> value_in (holds f) (read (static_cells P base f c) i).
Proof.
  unfold contents_fit. destruct c as [|t|ds]; destruct (holds f) as [T|] eqn:Hf; simpl; try contradiction; intros H.
  - unfold static_cells, read; simpl. rewrite Hf. apply zero_within.
  - unfold static_cells, read; simpl. rewrite Hf. exact I.
  - destruct H as (b & E & F). unfold static_cells. apply each_in. rewrite (nth_error_nth _ _ _ E). rewrite Forall_forall in F |- *.
    intros v I0. apply in_map_iff in I0 as (z & <- & I0). apply F. exact I0.
  - destruct (read _ _); exact I.
Qed.
Lemma static_fine base d x : In x (static_object P base d) -> object_fine x.
Proof.
  unfold static_object. destruct (origin_of (declaration_of P d)) as [|c cs a| | |] eqn:O; simpl; try contradiction. intros [<-|[]].
  destruct (statics_formed formed d c cs a O) as [C F]. split; [unfold ordered; simpl; lia|]. intros f i. unfold field_of, field_type. cbn [fields_of declared].
  clear O. revert f. induction F as [|y z l l' Y _ IH]; intros f.
  - destruct f; exact I.
  - destruct f as [|f]; [apply static_cells_in; exact Y | apply IH].
Qed.

Theorem entry_fine vs s : entry_state P vs = Some s -> typed P s /\ all_ordered s.
Proof.
  unfold entry_state. destruct (load_inputs _ _ _ _) as [a|] eqn:E; [|discriminate]. simpl. intros [= <-].
  assert (L : loading_fine a).
  { eapply load_inputs_fine; [|exact E]. split; [|constructor]. intros r. simpl.
    assert (U : nth r (map (fun _ => Uninitialised) (registers P)) Uninitialised = Uninitialised).
    { generalize (registers P) as l. intros l. revert r. induction l; intros [|r]; simpl; auto. }
    rewrite U. exact I. }
  destruct L as [R M].
  assert (O : forall o, object_fine (object_at (add_statics P a) o)).
  { intros o. unfold object_at. apply (Forall_nth_default object_fine); [|apply dead_fine]. simpl. apply Forall_app. split; auto.
    rewrite Forall_forall. intros x I0. apply in_flat_map in I0 as (d & _ & I0). eapply static_fine; eauto. }
  split; [split; [exact R|]|]; intros o; apply (O o).
Qed.
End Entries.
