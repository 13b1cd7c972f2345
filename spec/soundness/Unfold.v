(** Unfold on a member (spec/calculus.md#unfold): a part is a node, at either end
    of a segment, as the symbol says. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Alike Typed Folding FoldedMembers Changes Opening.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

(** ** The first cell of a part, field by field *)

Section Cells.
Variable g : state.
Lemma fields_split o b all a m fs : forall k fp, fields_at g o b all a m k fs fp -> exists fps, fp = concat (map fps (seq k (length fs))) /\
  forall j fl, nth_error fs j = Some fl -> field_at g o b all a m (k + j) fl (fps (k + j)%nat).
Proof.
  induction fs as [|fl fs IH]; intros k fp F; inversion F; subst.
  - exists (fun _ => []). split; auto. intros [|j]; discriminate.
  - destruct (IH (S k) fq) as (fps & -> & A); [assumption|]. exists (fun i => if Nat.eqb i k then fp0 else fps i). split.
    + simpl. rewrite Nat.eqb_refl. f_equal. f_equal. apply map_ext_in. intros i I. apply in_seq in I. destruct (Nat.eqb_spec i k); [lia | reflexivity].
    + intros [|j] x; simpl; [intros [= <-]; rewrite Nat.add_0_r, Nat.eqb_refl; assumption|]. intros E.
      destruct (Nat.eqb_spec (k + S j) k); [lia|]. rewrite <- plus_n_Sm. apply (A j x E).
Qed.
Definition fields_hold o b all a m fps := forall k c, nth_error all k = Some c -> match c with
  | OfField fl => field_at g o b all a m k fl (fps k) | OfHole r => r (content g o k) /\ fps k = [] end.
Lemma tree_split o b fs a m fp : fields_at g o b (map OfField fs) a m 0 fs fp ->
  exists fps, fp = concat (map fps (seq 0 (length fs))) /\ fields_hold o b (map OfField fs) a m fps.
Proof.
  intros F. destruct (fields_split _ _ _ _ _ _ _ _ F) as (fps & E & A). exists fps. split; auto.
  intros k c Ec. rewrite nth_error_map in Ec. destruct (nth_error fs k) as [fl|] eqn:Ef; [|discriminate]. injection Ec as <-. apply (A k fl Ef).
Qed.
Definition with_hole before (r : holding) after := map OfField before ++ OfHole r :: map OfField after.
Lemma context_split o b before r after a m fb fa : fields_at g o b (with_hole before r after) a m 0 before fb -> r (content g o (length before)) ->
  fields_at g o b (with_hole before r after) a m (S (length before)) after fa ->
  exists fps, fb ++ fa = concat (map fps (seq 0 (length (with_hole before r after)))) /\ fields_hold o b (with_hole before r after) a m fps.
Proof.
  intros B R A. destruct (fields_split _ _ _ _ _ _ _ _ B) as (pb & -> & Fb), (fields_split _ _ _ _ _ _ _ _ A) as (pa & -> & Fa).
  set (lb := length before) in *.
  exists (fun i => if Nat.ltb i lb then pb i else if Nat.eqb i lb then [] else pa i). split.
  - unfold with_hole. rewrite app_length, map_length. fold lb. simpl length. rewrite map_length, seq_app, map_app, concat_app. simpl. f_equal.
    + f_equal. apply map_ext_in. intros i I. apply in_seq in I. destruct (Nat.ltb_spec i lb); [reflexivity | lia].
    + destruct (Nat.ltb_spec lb lb); [lia|]. rewrite Nat.eqb_refl. simpl. f_equal. apply map_ext_in. intros i I. apply in_seq in I.
      destruct (Nat.ltb_spec i lb); [lia|]. destruct (Nat.eqb_spec i lb); [lia | reflexivity].
  - intros k c Ec. unfold with_hole in Ec. destruct (Nat.lt_trichotomy k lb) as [L|[->|L]].
    + rewrite nth_error_app1 in Ec by (rewrite map_length; auto). rewrite nth_error_map in Ec.
      destruct (nth_error before k) as [fl|] eqn:Ef; [|discriminate]. injection Ec as <-. destruct (Nat.ltb_spec k lb); [|lia]. apply (Fb k fl Ef).
    + rewrite nth_error_app2 in Ec by (rewrite map_length; auto). rewrite map_length in Ec. fold lb in Ec. rewrite Nat.sub_diag in Ec. injection Ec as <-.
      destruct (Nat.ltb_spec lb lb); [lia|]. rewrite Nat.eqb_refl. auto.
    + rewrite nth_error_app2 in Ec by (rewrite map_length; fold lb; lia). rewrite map_length in Ec. fold lb in Ec.
      destruct (k - lb)%nat as [|j] eqn:J; [lia|]. simpl in Ec. rewrite nth_error_map in Ec.
      destruct (nth_error after j) as [fl|] eqn:Ef; [|discriminate]. injection Ec as <-. destruct (Nat.ltb_spec k lb); [lia|].
      destruct (Nat.eqb_spec k lb); [lia|]. specialize (Fa j fl Ef). replace (S lb + j)%nat with k in Fa by lia. exact Fa.
Qed.
End Cells.

(** ** The cases, in a member *)

Section Member.
Variable P : program.
Variable sorts : list symbol_sort.
Variables (nu : valuation) (phi : meaning).
Variables m m' : member.
Variables (f : nat) (q : part) (n d : nat) (b : Z) (child : nat -> nat) (fresh : nat -> option part).
Hypothesis is_declared : is_node P d = true.
Notation content_is := (content_is sorts nu phi).
Definition contents_fit cs (fs : list Sorts.field) := Forall2 content_is cs (map OfField fs).
Definition link_fits cs before after := exists cs1 cs2, cs = cs1 ++ HoldsHole :: cs2 /\ contents_fit cs1 before /\ contents_fit cs2 after.
Lemma link_all cs before after r : link_fits cs before after -> Forall2 content_is cs (with_hole before r after).
Proof. intros (cs1 & cs2 & -> & F1 & F2). apply Forall2_app; auto. constructor; auto. constructor. Qed.
Lemma the_hole before r after r' : In (OfHole r') (with_hole before r after) -> r' = r.
Proof.
  intros I. apply in_app_or in I as [I|[I|I]]; [|injection I as ->; auto|]; apply in_map_iff in I as (? & ? & _); discriminate.
Qed.

(** The node and the rest of a segment. *)
Definition opens_tree cs := opens m m' f q n d b cs child (node_slot n b) (node_slot n b) (above q) (below q) None fresh.
Definition opens_top cs y r := opens m m' f q n d b cs child (node_slot n b) (LastOf r) (above q) (RootOf r)
  (Some (r, {| symbol := y; above := node_slot n b; alongside := alongside q; below := below q |})) fresh.
Definition opens_bottom cs y r := opens m m' f q n d b cs child (RootOf r) (node_slot n b) (LastOf r) (below q)
  (Some (r, {| symbol := y; above := above q; alongside := alongside q; below := node_slot n b |})) fresh.

Theorem tree_opened cs s fs g : opens_tree cs -> nth_error sorts (symbol q) = Some (TreeOf s) -> trees phi (symbol q) = Node d b fs ->
  contents_fit cs fs -> describes P sorts nu phi m g -> describes P sorts nu phi m' g.
Proof.
  intros O Es Et Fit (rho & roots & lasts & cells & D). pose proof O as [Ch Fr].
  destruct (parts_hold _ _ _ _ _ _ _ _ _ _ D _ _ (goes _ _ _ _ _ _ _ _ Ch)) as (fp & Pm & T). rewrite Es, Et in T. destruct T as (_ & La & T).
  inversion T as [|o ? ? ? ? ? ? fp' Rt Cl F]; subst. destruct (tree_split _ _ _ _ _ _ _ F) as (fps & -> & H).
  pose proof (Forall2_length _ _ _ Fit) as Ln. rewrite map_length in Ln.
  set (all := map OfField fs) in *. assert (Cl' : is_cell g o d (length all)) by (unfold all; rewrite map_length; exact Cl).
  pose proof (node_means _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O nu g rho roots lasts o all nothing nothing Cl') as Nm.
  set (N := means nu m' (rho' n rho o) (roots' m cs child g roots o nothing) (lasts' m cs child g lasts o all nothing)) in *.
  assert (R1 : sub (roots f) (N (node_slot n b))) by (rewrite Nm; exact Rt).
  assert (R2 : sub (lasts f) (N (node_slot n b))) by (eapply sub_trans; [exact La | apply nothing_sub]).
  pose proof (slot_kept _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O nu g rho roots lasts cells o all fps nothing nothing [] R1 R2) as K.
  eexists _, _, _, _.
  refine (opened_describes P _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O sorts nu phi g rho roots lasts cells D is_declared o all _ _ fps nothing nothing []
    Cl' _ H Fit R1 R2 (K _) (K _) _ _ _).
  - rewrite app_nil_r, Ln, <- Pm. auto.
  - intros r I. unfold all in I. apply in_map_iff in I as (? & ? & _). discriminate.
  - intros c0 [].
  - discriminate.
Qed.

Theorem top_opened cs s before e c after y r g : opens_top cs y r -> nth_error sorts (symbol q) = Some (SegmentOf s) ->
  contexts phi (symbol q) = Cell d b before e c after -> link_fits cs before after ->
  nth_error sorts y = Some (SegmentOf s) -> contexts phi y = c -> describes P sorts nu phi m g -> describes P sorts nu phi m' g.
Proof.
  intros O Es Ec Fit Ey Ecy (rho & roots & lasts & cells & D). pose proof O as [Ch Fr].
  destruct (parts_hold _ _ _ _ _ _ _ _ _ _ D _ _ (goes _ _ _ _ _ _ _ _ Ch)) as (fp & Pm & T). rewrite Es, Ec in T.
  inversion T as [|o ? ? ? ? ? ? ? ? ? ? ? r' fb fc fa Rt Cl B Q X A]; subst.
  destruct (context_split _ _ _ _ _ _ _ _ _ _ B Q A) as (fps & Ef & H). set (all := with_hole before r' after) in *.
  pose proof (link_all _ _ _ r' Fit) as Fit'. fold all in Fit'. pose proof (Forall2_length _ _ _ Fit') as Ln.
  assert (Cl' : is_cell g o d (length all)).
  { unfold all, with_hole. rewrite app_length, map_length. simpl. rewrite map_length. exact Cl. }
  pose proof (node_means _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O nu g rho roots lasts o all r' (lasts f) Cl') as Nm.
  destruct (rest_means _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O nu g rho roots lasts cells o all fps r' (lasts f) fc _ _ eq_refl) as (Mr & Ml & Sr & _ & Vr & Vl).
  set (N := means nu m' (rho' n rho o) (roots' m cs child g roots o r') (lasts' m cs child g lasts o all (lasts f))) in *.
  assert (R1 : sub (roots f) (N (node_slot n b))) by (rewrite Nm; exact Rt).
  assert (R2 : sub (lasts f) (N (LastOf r))) by (rewrite Ml; apply sub_refl).
  pose proof (slot_kept _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O nu g rho roots lasts cells o all fps r' (lasts f) fc R1 R2) as K.
  eexists _, _, _, _.
  refine (opened_describes P _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O sorts nu phi g rho roots lasts cells D is_declared o all _ _ fps r' (lasts f) fc
    Cl' _ H Fit' R1 R2 (K _) (K _) _ _ _).
  - rewrite <- Pm, Ln, <- Ef. constructor. rewrite <- app_assoc. apply Permutation_app_head, Permutation_app_comm.
  - intros r0 I. rewrite (the_hole _ _ _ _ I), Sr. fold N. rewrite Mr. apply sub_refl.
  - intros c0 _. eauto.
  - intros r0 p [= <- <-]. exists fc. split; auto. simpl symbol. rewrite Ey, Vr, Vl. simpl.
    fold N. eapply context_weaker; [exact X | apply sub_refl | | apply K | apply sub_refl | apply K].
    change (sub (eq (start_of g o b)) (N (node_slot n b))). rewrite Nm. apply sub_refl.
Qed.

Theorem bottom_opened cs s before e c after y r g : opens_bottom cs y r -> nth_error sorts (symbol q) = Some (SegmentOf s) ->
  contexts phi (symbol q) = compose c (Cell d b before e Hole after) -> link_fits cs before after ->
  nth_error sorts y = Some (SegmentOf s) -> contexts phi y = c -> describes P sorts nu phi m g -> describes P sorts nu phi m' g.
Proof.
  intros O Es Ec Fit Ey Ecy (rho & roots & lasts & cells & D). pose proof O as [Ch Fr].
  destruct (parts_hold _ _ _ _ _ _ _ _ _ _ D _ _ (goes _ _ _ _ _ _ _ _ Ch)) as (fp & Pm & T). rewrite Es, Ec in T.
  destruct (decomposed_at _ _ _ _ _ _ _ _ _ T) as (fp1 & fp2 & l1 & h1 & Pm2 & T1 & T2).
  inversion T2 as [|o ? ? ? ? ? ? ? ? ? ? ? r' fb fc fa Rt Cl B Q X A]; subst. inversion X as [? ? ? ? ? Hh Hl|]; subst.
  destruct (context_split _ _ _ _ _ _ _ _ _ _ B Q A) as (fps & Ef & H). set (all := with_hole before r' after) in *.
  pose proof (link_all _ _ _ r' Fit) as Fit'. fold all in Fit'. pose proof (Forall2_length _ _ _ Fit') as Ln.
  assert (Cl' : is_cell g o d (length all)).
  { unfold all, with_hole. rewrite app_length, map_length. simpl. rewrite map_length. exact Cl. }
  pose proof (node_means _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O nu g rho roots lasts o all (roots f) l1 Cl') as Nm.
  destruct (rest_means _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O nu g rho roots lasts cells o all fps (roots f) l1 fp1 _ _ eq_refl) as (Mr & Ml & _ & Sl & Vr & Vl).
  set (N := means nu m' (rho' n rho o) (roots' m cs child g roots o (roots f)) (lasts' m cs child g lasts o all l1)) in *.
  assert (R1 : sub (roots f) (N (RootOf r))) by (rewrite Mr; apply sub_refl).
  assert (R2 : sub (lasts f) (N (node_slot n b))) by (rewrite Nm; exact Hl).
  pose proof (slot_kept _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O nu g rho roots lasts cells o all fps (roots f) l1 fp1 R1 R2) as K.
  eexists _, _, _, _.
  refine (opened_describes P _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ O sorts nu phi g rho roots lasts cells D is_declared o all _ _ fps (roots f) l1 fp1
    Cl' _ H Fit' R1 R2 _ (K _) _ _ _).
  - rewrite <- Pm, Pm2, Ln, <- Ef. simpl. rewrite Permutation_app_comm. simpl. auto.
  - rewrite Sl. fold N. rewrite Ml. apply sub_refl.
  - intros r0 I. rewrite (the_hole _ _ _ _ I). eapply sub_trans; [exact Hh | apply K].
  - intros c0 _. eauto.
  - intros r0 p [= <- <-]. exists fp1. split; auto. simpl symbol. rewrite Ey, Vr, Vl. simpl.
    fold N. eapply context_weaker; [exact T1 | apply sub_refl | apply K | apply K | apply sub_refl |].
    change (sub h1 (N (node_slot n b))). rewrite Nm. exact Rt.
Qed.
End Member.
