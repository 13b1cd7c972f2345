(** An entry state that a member denotes is at least as large as the inputs that
    the member holds (spec/calculus.md#addscapegoat): all that they consist of is
    reached, and nothing of it twice. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Folding FoldedMembers Entries Planting Presented Loading Recognised.
From Goatherd Require Members Scapegoats Unfolding.
Import ListNotations.
Open Scope Z_scope.

Section Sizes.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Hypothesis targets : targets_formed P.
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (m : member).
Hypothesis shaped : entry_shaped P nu m.
Hypothesis meant : well_meant P table sorts phi.
Variable g : state.
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat).
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Hypothesis typed_state : typed P g.

Variables (rn : renaming) (s : state).
Hypothesis alike_to : alike (everything P) rn g s.
Definition mapped v := match v with Pointer p => rn (target p) <> None | _ => True end.
Lemma alike_mapped v w : value_alike rn v w -> mapped v.
Proof. destruct v, w; simpl; auto; try contradiction. intros (k & E & _). congruence. Qed.
Lemma content_mapped o n j : is_cell g o n j -> rn o <> None -> forall k, mapped (content g o k).
Proof.
  intros (D & A & L & U & _) R k. destruct (rn o) as [[p i]|] eqn:E; [|congruence].
  eapply alike_mapped. apply (same_contents _ _ _ _ _ (same_object_states _ _ _ _ alike_to o p i E) A k (lower (object_at g o))); [lia | exact I].
Qed.
Lemma trees_mapped :
  (forall t r a h fp, tree_at g t r a h fp -> (exists v, r v /\ mapped v) -> Forall (fun o => rn o <> None) fp) /\
  (forall o b all a h k fs fp, fields_at g o b all a h k fs fp -> (forall j, mapped (content g o j)) -> Forall (fun o => rn o <> None) fp) /\
  (forall o b all a h k f fp, field_at g o b all a h k f fp -> (forall j, mapped (content g o j)) -> Forall (fun o => rn o <> None) fp) /\
  (forall c r a h fp l b, context_at g c r a h fp l b -> (exists v, r v /\ mapped v) -> Forall (fun o => rn o <> None) fp).
Proof.
  apply tree_at_ind'; intros; auto.
  - destruct H0 as (v & Rv & M). apply s0 in Rv. subst v. simpl in M. constructor; auto. apply H. eapply content_mapped; eauto.
  - apply Forall_app. auto.
  - apply H. exists (content g o k). auto.
  - apply H. exists (content g o k). auto.
  - destruct H2 as (v & Rv & M). match goal with S : sub r _ |- _ => apply S in Rv end. subst v. simpl in M. pose proof (content_mapped _ _ _ i M) as All.
    constructor; auto. repeat (apply Forall_app; split); auto. apply H0. eauto.
Qed.

Lemma inputs_mapped is vs cs : presents P sorts nu phi m is vs cs -> incl is (inputs P) -> Forall (fun o => rn o <> None) (places rho cells cs).
Proof.
  assert (Register : forall r, mapped (register g r)).
  { intros r. eapply alike_mapped. apply (same_registers _ _ _ _ alike_to r I). }
  induction 1 as [| r z is vs cs _ _ _ IH | p n d rows x is vs cs Hp Hx _ _ _ IH | p d is vs cs _ _ IH | p d row x is vs cs Hp Hx _ _ IH | p d t fp is vs cs R _ IH];
  intros Ic; try (apply IH; intros i J; apply Ic; simpl; auto).
  - constructor.
  - simpl. constructor; [|apply IH; intros i J; apply Ic; simpl; auto]. pose proof (Register p) as X.
    destruct (rows_alike P sorts nu phi m g rho roots lasts cells described rn p d x rows Hp Hx) as (_ & E & _). rewrite E in X. exact X.
  - simpl. constructor; [|apply IH; intros i J; apply Ic; simpl; auto]. pose proof (Register p) as X.
    destruct (rows_alike P sorts nu phi m g rho roots lasts cells described rn p d x [row] Hp Hx) as (_ & E & _). rewrite E in X. exact X.
  - unfold places. rewrite flat_map_app. apply Forall_app. split; [|apply IH; intros i J; apply Ic; simpl; auto].
    assert (N : is_node P d = true) by (eapply (linked_nodes P well_given); apply Ic; simpl; auto).
    destruct (proj1 (reads_stand P table formed sorts nu phi m meant g rho roots lasts cells described) _ _ _ _ _ R N) as (fq & Pm & T).
    assert (F : Forall (fun o => rn o <> None) fq).
    { apply (proj1 trees_mapped _ _ _ _ _ T). exists (register g p). split; [|apply Register]. eapply slot_means, (registers_hold _ _ _ _ _ _ _ _ _ _ described). }
    rewrite Forall_forall in F |- *. intros o Io. apply F. apply (Permutation_in _ (Permutation_sym Pm)). exact Io.
Qed.

Theorem at_least vs cs : presents P sorts nu phi m (inputs P) vs cs -> NoDup cs -> (forall d, is_local P d = true -> nth d (current g) None = None) ->
  (weights nu phi m cs <= input_size_of P s)%nat.
Proof.
  intros Pr Nd Un. destruct (recognised P table formed well_given targets sorts nu phi m shaped meant g rho roots lasts cells described typed_state vs cs Pr Nd Un)
    as (_ & _ & l & _ & _ & _ & Pm & Once & Sz & _).
  pose proof (inputs_mapped _ _ _ Pr (incl_refl _)) as M.
  assert (Ml : forall o, In o l -> exists p k, rn o = Some (p, k)).
  { intros o I. rewrite Forall_forall in M. specialize (M o (Permutation_in _ Pm I)). destruct (rn o) as [[p k]|]; [eauto | congruence]. }
  set (at_ := fun o => match rn o with Some (p, _) => p | None => O end).
  rewrite <- Sz, size_of_widths.
  replace (list_sum (map (fun o => width P (object_at g o)) l)) with (list_sum (map (fun p => width P (nth p (memory s) dead_object)) (map at_ l))).
  - apply sum_part.
    + clear - Once Ml alike_to. induction Once as [|o l No _ IH]; simpl; constructor.
      * intros I. apply in_map_iff in I as (o' & E & I). unfold at_ in E. destruct (Ml o (or_introl eq_refl)) as (p & k & Eo), (Ml o' (or_intror I)) as (p' & k' & Eo').
        rewrite Eo, Eo' in E. subst p'. apply No. rewrite (one_to_one _ _ _ _ alike_to o o' p k k' Eo Eo'). exact I.
      * apply IH. intros o' I. apply Ml. simpl; auto.
    + intros p I. apply in_map_iff in I as (o & <- & I). unfold at_. destruct (Ml o I) as (p & k & Eo). rewrite Eo. apply (in_memory _ _ _ _ alike_to o p k Eo).
  - rewrite map_map. f_equal. apply map_ext_in. intros o I. unfold at_. destruct (Ml o I) as (p & k & Eo). rewrite Eo.
    destruct (same_object_states _ _ _ _ alike_to o p k Eo) as [D V L U _ _]. unfold object_at in *. unfold width. rewrite D, L, U. destruct (origin_of _); auto; f_equal; lia.
Qed.
End Sizes.
