(** Pieces as the kernel lists them (spec/calculus.md#reading): in the order of
    reading, without their structure, and the shapes in one list for all
    occurrences of a symbol.  [pieces_same], [paths_same]: lists that are the same
    have the same structure. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Terms Refutations Sorts Programs Machine Alike Folding FoldedMembers Reading Subsume.
From Goatherd Require Members.
Import ListNotations.

Inductive listed_piece := ListedNull | ListedSymbol (x : nat) | ListedNode | ListedData (t : term) | ListedEnd.

Definition data_of f := match f with DataPiece t => [ListedData t] | _ => [] end.
Definition listed_data := flat_map data_of.
(** What hangs below a node is read from the last field to the first, and so is
    what follows in a ring. *)
Fixpoint listed p : list listed_piece := match p with
  | NullPiece => [ListedNull]
  | TreePiece x => [ListedSymbol x]
  | SegmentPiece x p => ListedSymbol x :: listed p
  | NodePiece _ _ fs => ListedNode :: listed_data fs ++ fold_right (fun f l => l ++ below_of f) [] fs end
with below_of f : list listed_piece := match f with BelowPiece _ p => listed p | RingPiece _ p _ => listed_ring p | _ => [] end
with listed_ring p : list listed_piece := match p with
  | PathEnd => [ListedEnd]
  | SegmentPath x p => ListedSymbol x :: listed_ring p
  | NodePath _ _ before _ p after =>
    ListedNode :: listed_data before ++ listed_data after ++ fold_right (fun f l => l ++ below_of f) [] after ++ listed_ring p ++
      fold_right (fun f l => l ++ below_of f) [] before end.
Definition listed_below fs := fold_right (fun f l => l ++ below_of f) [] fs.
(** The fields of a node on the path first; then the path goes on. *)
Fixpoint listed_path p : list listed_piece := match p with
  | PathEnd => []
  | SegmentPath x p => ListedSymbol x :: listed_path p
  | NodePath _ _ before _ p after =>
    ListedNode :: listed_data before ++ listed_data after ++ listed_below after ++ listed_below before ++ listed_path p end.

Section Pieces.
Variable table : nat -> sort_of_trees.
Variable sorts : list symbol_sort.
Variable entailed : literal -> Prop.

(** ** Which shapes were chosen, in the order of reading *)

Definition choice s (i : nat) : list nat := match shapes (table s) with [_] => [] | _ => [i] end.
Inductive shaped : nat -> piece -> list nat -> Prop :=
| shaped_null s : shaped s NullPiece []
| shaped_tree s x s' : nth_error sorts x = Some (TreeOf s') -> shaped s (TreePiece x) []
| shaped_segment s x s' p ns : nth_error sorts x = Some (SegmentOf s') -> shaped s p ns -> shaped s (SegmentPiece x p) ns
| shaped_node s i ls fs ns : nth_error (shapes (table s)) i = Some ls -> shaped_fields ls fs ns ->
    shaped s (NodePiece (declaration (table s)) (entrance (table s)) fs) (choice s i ++ ns)
with shaped_fields : list link -> list field_piece -> list nat -> Prop :=
| shaped_none : shaped_fields [] [] []
| shaped_more l ls f fs ns ms : shaped_field l f ns -> shaped_fields ls fs ms -> shaped_fields (l :: ls) (f :: fs) (ms ++ ns)
with shaped_field : link -> field_piece -> list nat -> Prop :=
| shaped_data t : shaped_field Data (DataPiece t) []
| shaped_range lo hi t : shaped_field (Range lo hi) (DataPiece t) []
| shaped_child s p ns : shaped s p ns -> shaped_field (Child s) (BelowPiece (AsIn (same_field table s)) p) ns
| shaped_handed s from p ns : shaped s p ns -> shaped_field (Handed s from) (BelowPiece (By from) p) ns
| shaped_pointer l : points l -> shaped_field l (PointerPiece l) []
| shaped_around s e p last ns : shaped_ring s p ns -> shaped_field (Ring s e) (RingPiece e p last) ns
with shaped_ring : nat -> path -> list nat -> Prop :=
| ring_end s : shaped_ring s PathEnd []
| ring_link s x s' p ns : nth_error sorts x = Some (SegmentOf s') -> shaped_ring s p ns -> shaped_ring s (SegmentPath x p) ns
| ring_cell s i ls1 ls2 before p after ns na nb : nth_error (shapes (table s)) i = Some (ls1 ++ Child s :: ls2) ->
    ~ In (Child s) ls1 -> ~ In (Child s) ls2 -> shaped_fields ls1 before nb -> shaped_fields ls2 after na -> shaped_ring s p ns ->
    shaped_ring s (NodePath (declaration (table s)) (entrance (table s)) before (AsIn (same_field table s)) p after) (choice s i ++ na ++ ns ++ nb).
Scheme shaped_mind := Induction for shaped Sort Prop
  with shaped_fields_mind := Induction for shaped_fields Sort Prop
  with shaped_field_mind := Induction for shaped_field Sort Prop
  with shaped_ring_mind := Induction for shaped_ring Sort Prop.
Combined Scheme shaped_ind' from shaped_mind, shaped_fields_mind, shaped_field_mind, shaped_ring_mind.

(** *** Whatever is read is so *)

Theorem reads_shaped m :
  (forall v up along s p tk, reads table entailed sorts m v up along s p tk -> exists ns, shaped s p ns) /\
  (forall own x up along k ls fs tk, reads_fields table entailed sorts m own x up along k ls fs tk -> exists ns, shaped_fields ls fs ns) /\
  (forall own x up along l v f tk, reads_field table entailed sorts m own x up along l v f tk -> exists ns, shaped_field l f ns) /\
  (forall w v up along s p tk v' up', reads_path table entailed sorts m w v up along s p tk v' up' -> w = Single -> exists ns, shaped_ring s p ns).
Proof.
  apply reads_ind'; intros; subst;
  repeat match goal with H : ?x = ?x -> _ |- _ => specialize (H eq_refl) end;
  repeat match goal with H : exists _, _ |- _ => destruct H as (? & H) end; try (eexists; econstructor; eauto; fail);
  try (eexists; eapply shaped_pointer; exact I; fail).
  - destruct n as (_ & _ & _ & _ & I & _). apply In_nth_error in I as (j & I). eexists. econstructor; eauto.
  - destruct n as (_ & _ & _ & _ & I & _). apply In_nth_error in I as (j & I). match goal with L : leads_on _ _ _ _ |- _ => destruct L end.
    eexists. econstructor; eauto.
Qed.

(** ** Lists that are the same *)

Inductive same_listed : listed_piece -> listed_piece -> Prop :=
| same_listed_null : same_listed ListedNull ListedNull
| same_listed_symbol x : same_listed (ListedSymbol x) (ListedSymbol x)
| same_listed_node : same_listed ListedNode ListedNode
| same_listed_data t u : equals entailed t u -> same_listed (ListedData t) (ListedData u)
| same_listed_end : same_listed ListedEnd ListedEnd.
Notation all_same := (Forall2 same_listed).
Notation same_piece := (same_piece entailed).
Notation same_pieces := (same_pieces entailed).

Lemma fields_data ls fs ns : shaped_fields ls fs ns -> forall gs ms r1 r2, shaped_fields ls gs ms ->
  all_same (listed_data fs ++ r1) (listed_data gs ++ r2) -> all_same (listed_data fs) (listed_data gs) /\ all_same r1 r2.
Proof.
  induction 1 as [|l ls f fs ns ms F _ IH]; intros gs ms' r1 r2 G H; inversion G as [|? ? f' ? ? ? F' G']; subst; [split; [constructor | exact H]|].
  unfold listed_data in *. simpl in H |- *. rewrite <- !app_assoc in H.
  inversion F; subst; inversion F'; subst; try (match goal with A : points _ |- _ => destruct A end);
  simpl in H |- *; try (eapply IH; eauto; fail); inversion H; subst; edestruct IH as [X Y]; eauto; split; auto.
Qed.

(** One shape has been chosen by the numbers that are left. *)
Lemma chosen_once s i j ls ls' (l l' : list nat) : choice s i ++ l = choice s j ++ l' -> nth_error (shapes (table s)) i = Some ls ->
  nth_error (shapes (table s)) j = Some ls' -> ls' = ls /\ l = l'.
Proof.
  intros N E E'. unfold choice in N. destruct (shapes (table s)) as [|ls0 [|]] eqn:Sh; simpl in N.
  - destruct i; discriminate.
  - destruct i, j; simpl in E, E'; try (destruct i; discriminate); try (destruct j; discriminate). split; [congruence | exact N].
  - injection N as -> N. split; [congruence | exact N].
Qed.
(** A shape that has one way on. *)
Lemma split_single s ls1 : forall ls1' ls2 ls2', ls1' ++ Child s :: ls2' = ls1 ++ Child s :: ls2 -> ~ In (Child s) ls1 -> ~ In (Child s) ls1' -> ls1' = ls1 /\ ls2' = ls2.
Proof.
  induction ls1 as [|l ls1 IH]; intros [|l' ls1'] ls2 ls2' E N N'; simpl in E.
  - injection E as ->. auto.
  - injection E as -> _. destruct N'. simpl. auto.
  - injection E as <- _. destruct N. simpl. auto.
  - injection E as -> E. destruct (IH _ _ _ E) as [-> ->]; simpl in *; auto.
Qed.

Lemma same_structure :
  (forall s p ns, shaped s p ns -> forall q ms r1 r2 t1 t2, shaped s q ms -> all_same (listed p ++ r1) (listed q ++ r2) -> ns ++ t1 = ms ++ t2 ->
     same_piece p q /\ all_same r1 r2 /\ t1 = t2) /\
  (forall ls fs ns, shaped_fields ls fs ns -> forall gs ms r1 r2 t1 t2, shaped_fields ls gs ms ->
     all_same (listed_below fs ++ r1) (listed_below gs ++ r2) -> ns ++ t1 = ms ++ t2 ->
     (all_same (listed_data fs) (listed_data gs) -> same_pieces fs gs) /\ all_same r1 r2 /\ t1 = t2) /\
  (forall l f ns, shaped_field l f ns -> forall g ms r1 r2 t1 t2, shaped_field l g ms ->
     all_same (below_of f ++ r1) (below_of g ++ r2) -> ns ++ t1 = ms ++ t2 ->
     (forall fs gs, (all_same (data_of f ++ listed_data fs) (data_of g ++ listed_data gs) -> all_same (listed_data fs) (listed_data gs)) /\
       (all_same (data_of f ++ listed_data fs) (data_of g ++ listed_data gs) -> same_pieces fs gs -> same_pieces (f :: fs) (g :: gs))) /\
     all_same r1 r2 /\ t1 = t2) /\
  (forall s p ns, shaped_ring s p ns -> forall q ms r1 r2 t1 t2, shaped_ring s q ms -> all_same (listed_ring p ++ r1) (listed_ring q ++ r2) -> ns ++ t1 = ms ++ t2 ->
     same_path entailed p q /\ all_same r1 r2 /\ t1 = t2).
Proof.
  apply shaped_ind'.
  - intros s q ms r1 r2 t1 t2 Q H N. inversion Q; subst; simpl in H; inversion H as [|? ? ? ? A B]; subst; inversion A; subst. split; [constructor|]. auto.
  - intros s x s' E q ms r1 r2 t1 t2 Q H N. inversion Q; subst; simpl in H; inversion H as [|? ? ? ? A B]; subst; inversion A; subst.
    + split; [constructor|]. auto.
    + congruence.
  - intros s x s' p ns E _ IH q ms r1 r2 t1 t2 Q H N. inversion Q; subst; simpl in H; inversion H as [|? ? ? ? A B]; subst; inversion A; subst.
    + congruence.
    + edestruct IH as (X & Y & Z); eauto. split; [constructor; exact X | auto].
  - intros s i ls fs ns E F IH q ms r1 r2 t1 t2 Q H N. inversion Q as [| | |? j ls' gs ms' E' G]; subst; simpl in H; inversion H as [|? ? ? ? A B]; subst; inversion A; subst.
    rewrite <- !app_assoc in N. destruct (chosen_once _ _ _ _ _ _ _ N E E') as [-> N']. fold (listed_below fs) (listed_below gs) in B. rewrite <- !app_assoc in B.
    destruct (fields_data _ _ _ F _ _ _ _ G B) as [Dt Rt]. edestruct IH as (X & Y & Z); eauto. split; [constructor; auto | auto].
  - intros gs ms r1 r2 t1 t2 G H N. inversion G; subst. simpl in H, N. split; [constructor | auto].
  - intros l ls f fs ns ms F IH1 Fs IH2 gs ms' r1 r2 t1 t2 G H N. inversion G as [|? ? g gs' ns' ms0 G1 G2]; subst.
    unfold listed_below in H. simpl in H. fold (listed_below fs) (listed_below gs') in H. rewrite <- !app_assoc in H, N.
    edestruct IH2 as (X & Y & Z); eauto. edestruct IH1 as (X' & Y' & Z'); eauto. split; auto.
    intros D. unfold listed_data in D. simpl in D. destruct (X' fs gs') as [X1 X2]. apply X2; auto.
  - intros t g ms r1 r2 t1 t2 G H N. inversion G; subst; [|match goal with A : points _ |- _ => destruct A end].
    split; [|auto]. intros fs gs. simpl. split; intros D; inversion D as [|? ? ? ? A B]; subst; auto. inversion A; subst. intros S. constructor; auto.
  - intros lo hi t g ms r1 r2 t1 t2 G H N. inversion G; subst; [|match goal with A : points _ |- _ => destruct A end].
    split; [|auto]. intros fs gs. simpl. split; intros D; inversion D as [|? ? ? ? A B]; subst; auto. inversion A; subst. intros S. constructor; auto.
  - intros s p ns _ IH g ms r1 r2 t1 t2 G H N. inversion G; subst; [|match goal with A : points _ |- _ => destruct A end].
    simpl in H. edestruct IH as (X & Y & Z); eauto. split; [|auto]. intros fs gs. simpl. split; auto. intros _ S. constructor; auto.
  - intros s from p ns _ IH g ms r1 r2 t1 t2 G H N. inversion G; subst; [|match goal with A : points _ |- _ => destruct A end].
    simpl in H. edestruct IH as (X & Y & Z); eauto. split; [|auto]. intros fs gs. simpl. split; auto. intros _ S. constructor; auto.
  - intros l L g ms r1 r2 t1 t2 G H N.
    assert (g = PointerPiece l /\ ms = []) as [-> ->].
    { inversion G; subst; auto; destruct L. }
    simpl in H, N. split; [|auto]. intros fs gs. simpl. split; auto. intros _ S. constructor; auto.
  - intros s e p last ns _ IH g ms r1 r2 t1 t2 G H N. inversion G; subst; [match goal with A : points _ |- _ => destruct A end|].
    simpl in H. edestruct IH as (X & Y & Z); eauto. split; [|auto]. intros fs gs. simpl. split; auto. intros _ S. constructor; auto.
  - intros s q ms r1 r2 t1 t2 Q H N. inversion Q; subst; simpl in H; inversion H as [|? ? ? ? A B]; subst; inversion A; subst. split; [constructor|]. auto.
  - intros s x s' p ns E _ IH q ms r1 r2 t1 t2 Q H N. inversion Q; subst; simpl in H; inversion H as [|? ? ? ? A B]; subst; inversion A; subst.
    edestruct IH as (X & Y & Z); eauto. split; [constructor; exact X | auto].
  - intros s i ls1 ls2 before p after ns na nb E N1 N2 F1 IH1 F2 IH2 _ IH q ms r1 r2 t1 t2 Q H N.
    inversion Q as [| |? j ls1' ls2' before' q' after' ms' na' nb' E' N1' N2' G1 G2 Q' Es Eq En]; subst; simpl in H; inversion H as [|? ? ? ? A B]; subst; inversion A; subst.
    assert (Same : ls1' ++ Child s :: ls2' = ls1 ++ Child s :: ls2 /\ na ++ ns ++ nb ++ t1 = na' ++ ms' ++ nb' ++ t2).
    { rewrite <- !app_assoc in N. exact (chosen_once _ _ _ _ _ _ _ N E E'). }
    destruct Same as [Es N']. apply split_single in Es as [-> ->]; auto.
    fold (listed_below before) (listed_below before') (listed_below after) (listed_below after') in B. rewrite <- !app_assoc in B.
    destruct (fields_data _ _ _ F1 _ _ _ _ G1 B) as [D1 B1]. destruct (fields_data _ _ _ F2 _ _ _ _ G2 B1) as [D2 B2].
    destruct (IH2 _ _ _ _ _ _ G2 B2 N') as (X2 & B3 & M2). destruct (IH _ _ _ _ _ _ Q' B3 M2) as (X & B4 & M3).
    destruct (IH1 _ _ _ _ _ _ G1 B4 M3) as (X1 & B5 & M4). split; [constructor; auto | auto].
Qed.
(** The numbers of shapes are one list for all occurrences, of which each takes
    as many as it needs. *)
Theorem pieces_same s p q ns ms t1 t2 : shaped s p ns -> shaped s q ms -> ns ++ t1 = ms ++ t2 -> all_same (listed p) (listed q) -> same_piece p q.
Proof.
  intros S S' N H. rewrite <- (app_nil_r (listed p)), <- (app_nil_r (listed q)) in H. eapply same_structure; eauto.
Qed.

(** ** Paths: the numbers of children by which occurrences of a segment are read *)

Definition is_child l := match l with Child _ | Handed _ _ | Ring _ _ => true | _ => false end.
Definition children ls := length (filter is_child ls).
Inductive shaped_path : nat -> path -> list nat -> list nat -> Prop :=
| shaped_end s : shaped_path s PathEnd [] []
| shaped_link s x s' p ks ns : nth_error sorts x = Some (SegmentOf s') -> shaped_path s p ks ns -> shaped_path s (SegmentPath x p) (O :: ks) ns
| shaped_cell s i ls1 ls2 before p after ks ns na nb : nth_error (shapes (table s)) i = Some (ls1 ++ Child s :: ls2) ->
    shaped_fields ls1 before nb -> shaped_fields ls2 after na -> shaped_path s p ks ns ->
    shaped_path s (NodePath (declaration (table s)) (entrance (table s)) before (AsIn (same_field table s)) p after) (children ls1 :: ks) (choice s i ++ na ++ nb ++ ns).
Theorem path_shaped m w v up along s p tk v' up' : reads_path table entailed sorts m w v up along s p tk v' up' -> exists ks ns, shaped_path s p ks ns.
Proof.
  induction 1 as [| w f q s s' up along last p tk v up' E S _ _ _ (ks & ns & IH) | w o x i s ls1 ls2 up along fs1 v p fs2 tk1 tk tk2 v' up' N _ R1 _ _ (ks & ns & IH) R2 _].
  - do 2 eexists. constructor.
  - do 2 eexists. econstructor; eauto.
  - destruct N as (_ & _ & _ & _ & I & _). apply In_nth_error in I as (j & I).
    destruct (proj1 (proj2 (reads_shaped m)) _ _ _ _ _ _ _ _ R1) as (nb & F1), (proj1 (proj2 (reads_shaped m)) _ _ _ _ _ _ _ _ R2) as (na & F2).
    do 2 eexists. econstructor; eauto.
Qed.
Lemma split_once s ls1 : forall ls1' ls2 ls2', ls1 ++ Child s :: ls2 = ls1' ++ Child s :: ls2' -> children ls1 = children ls1' -> ls1 = ls1' /\ ls2 = ls2'.
Proof.
  unfold children. induction ls1 as [|l ls1 IH]; intros [|l' ls1'] ls2 ls2' E C; simpl in E.
  - injection E as ->. auto.
  - injection E as <- _. simpl in C. discriminate.
  - injection E as -> _. simpl in C. discriminate.
  - injection E as -> E. simpl in C. destruct (is_child l'); simpl in C; [injection C as C|]; destruct (IH _ _ _ E C) as [-> ->]; auto.
Qed.
Theorem paths_same s p ks ns : shaped_path s p ks ns -> forall q ms r1 r2 t1 t2, shaped_path s q ks ms ->
  all_same (listed_path p ++ r1) (listed_path q ++ r2) -> ns ++ t1 = ms ++ t2 -> same_path entailed p q.
Proof.
  induction 1 as [s | s x s' p ks ns E _ IH | s i ls1 ls2 before p after ks ns na nb E F1 F2 _ IH]; intros q ms r1 r2 t1 t2 Q H N.
  - inversion Q; subst. constructor.
  - inversion Q; subst; simpl in H; inversion H as [|? ? ? ? A B]; subst; inversion A; subst. constructor. eapply IH; eauto.
  - inversion Q as [| |? j ls1' ls2' before' q' after' ks' ms' na' nb' E' G1 G2 Q' Es Eq Ek En]; subst; simpl in H; inversion H as [|? ? ? ? A B]; subst; inversion A; subst.
    assert (Same : ls1' ++ Child s :: ls2' = ls1 ++ Child s :: ls2 /\ na ++ nb ++ ns ++ t1 = na' ++ nb' ++ ms' ++ t2).
    { rewrite <- !app_assoc in N. exact (chosen_once _ _ _ _ _ _ _ N E E'). }
    destruct Same as [Es N']. destruct (split_once _ _ _ _ _ Es) as [-> ->]; [congruence|]. rewrite <- !app_assoc in B.
    destruct (fields_data _ _ _ F1 _ _ _ _ G1 B) as [D1 B1]. destruct (fields_data _ _ _ F2 _ _ _ _ G2 B1) as [D2 B2].
    destruct (proj1 (proj2 same_structure) _ _ _ F2 _ _ _ _ _ _ G2 B2 N') as (X2 & B3 & N2).
    destruct (proj1 (proj2 same_structure) _ _ _ F1 _ _ _ _ _ _ G1 B3 N2) as (X1 & B4 & N3).
    constructor; auto. eapply IH; eauto.
Qed.
End Pieces.
