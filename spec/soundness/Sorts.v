(** Trees and segments of sorts (spec/calculus.md#folded-heaps): what symbols
    stand for, why a sort that is *within* another has only trees and segments
    of that one, and that Unfold's cases are all cases.

    This file is about shapes with data.  Where the pointers of a heap lead that
    are no children is a matter of a part's place in its member, and not here. *)
From Coq Require Import List ZArith Lia Bool.
Import ListNotations.
Open Scope Z_scope.

(** Where a pointer that is handed down stands: in a field of the node, or it
    is the node's own. *)
Inductive source := FromField (f : nat) | FromAbove.
(** [Ring s e]: the root of a segment, below byte e of the node itself, which its
    hole leads back to; [Last f]: what pointers to the last cell of the ring in
    field f hold. *)
Inductive link := Data | Range (least greatest : Z) | Child (s : nat) | Up | Other | Null | Same | Anything | Handed (s : nat) (from : source)
| Ring (s : nat) (e : Z) | Last (f : nat).
(** The links of pointers from which nothing hangs. *)
Definition points l := match l with Up | Other | Null | Same | Anything | Last _ => True | _ => False end.
#[export] Hint Extern 0 (points _) => exact I : core.

(** [entrance]: to which byte of a node pointers to it lead.  [named = None]: the
    sort names none that it is within. *)
Record sort_of_trees := { declaration : nat; entrance : Z; may_be_null : bool; shapes : list (list link); named : option nat }.

Section Sorts.
Variable table : nat -> sort_of_trees.

(** m(s) of the text: the sort that s names, or s itself. *)
Definition wider s := match named (table s) with Some t => t | None => s end.

(** The field that is [Same] in the sort, if any is: that of its first shape,
    which well-formedness asks all the others to have as well ([Same]). *)
Fixpoint position_of_same (ls : list link) : option nat := match ls with
  | [] => None | Same :: _ => Some O | _ :: ls => option_map S (position_of_same ls) end.
Definition same_field s := match shapes (table s) with ls :: _ => position_of_same ls | [] => None end.
Definition one_same := forall s ls, In ls (shapes (table s)) -> position_of_same ls = same_field s.

(** ** What symbols stand for *)

(** What a tree below a node gets as its [same]: what the node holds in the
    field that is [Same] in the tree's sort, or what a [Handed] link says.  It
    is part of what a symbol stands for, as which pointers a node has is: two
    shapes of one sort may differ in it.  So is the byte of a node to which
    pointers to it lead.

    A segment is a tree with a hole: the hole alone, or a cell of which one field
    leads on.  A ring is one whose hole leads to byte e of the node from which it
    hangs. *)
Inductive given := AsIn (f : option nat) | By (from : source).
Inductive tree := Empty | Node (d : nat) (b : Z) (fs : list field)
with field := Integer (z : Z) | Below (g : given) (t : tree) | Pointer (l : link) | Ringed (e : Z) (c : context)
with context := Hole | Cell (d : nat) (b : Z) (before : list field) (g : given) (c : context) (after : list field).

Inductive of_sort : nat -> tree -> Prop :=
| of_null s : may_be_null (table s) = true -> of_sort s Empty
| of_node s ls fs : In ls (shapes (table s)) -> fields ls fs -> of_sort s (Node (declaration (table s)) (entrance (table s)) fs)
with fields : list link -> list field -> Prop :=
| fields_nil : fields [] []
| fields_cons l ls f fs : fits l f -> fields ls fs -> fields (l :: ls) (f :: fs)
with fits : link -> field -> Prop :=
| fits_data z : fits Data (Integer z)
| fits_range a b z : a <= z <= b -> fits (Range a b) (Integer z)
| fits_child s g t : of_sort s t -> (g = AsIn (same_field s) \/ t = Empty) -> fits (Child s) (Below g t)
| fits_handed s from t : of_sort s t -> fits (Handed s from) (Below (By from) t)
| fits_pointer l : points l -> fits l (Pointer l)
| fits_ring s e c : segment s c -> fits (Ring s e) (Ringed e c)
(** In a cell of sort s one field [Child s] leads on. *)
with segment : nat -> context -> Prop :=
| segment_empty s : segment s Hole
| segment_cell s ls1 ls2 fs1 c fs2 : In (ls1 ++ Child s :: ls2) (shapes (table s)) ->
    fields ls1 fs1 -> segment s c -> fields ls2 fs2 ->
    segment s (Cell (declaration (table s)) (entrance (table s)) fs1 (AsIn (same_field s)) c fs2).
Scheme of_sort_mind := Induction for of_sort Sort Prop
  with fields_mind := Induction for fields Sort Prop
  with fits_mind := Induction for fits Sort Prop
  with segment_mind := Induction for segment Sort Prop.
Combined Scheme of_sort_ind' from of_sort_mind, fields_mind, fits_mind, segment_mind.

Fixpoint plug c t := match c with Hole => t | Cell d b before g c after => Node d b (before ++ Below g (plug c t) :: after) end.
Fixpoint compose c c' := match c with Hole => c' | Cell d b before g c after => Cell d b before g (compose c c') after end.

(** ** Within *)

(** The conditions of well-formedness ([Within]). *)
Definition maps (l l' : link) : Prop := match l, l' with
  | Child t, Child t' => t' = wider t
  | Range a b, Range c d => c <= a /\ b <= d
  | Range _ _, Data => True
  | Child _, _ | _, Child _ => False
  | l, l' => l = l' end.
Definition names_wider s := declaration (table (wider s)) = declaration (table s) /\ entrance (table (wider s)) = entrance (table s) /\
  (may_be_null (table (wider s)) = false -> may_be_null (table s) = false) /\
  forall ls, In ls (shapes (table s)) -> exists ls', In ls' (shapes (table (wider s))) /\ Forall2 maps ls ls'.

(** Only the sorts that name another are looked at. *)
Hypothesis checked : forall s, named (table s) <> None -> names_wider s.
Hypothesis ones : one_same.

Lemma wider_self s : named (table s) = None -> wider s = s.
Proof. unfold wider. intros ->. auto. Qed.

(** Where a sort has nodes, the wider one hands on what it does. *)
Lemma maps_same ls ls' : Forall2 maps ls ls' -> position_of_same ls' = position_of_same ls.
Proof.
  induction 1 as [|l l' ls ls' M _ IH]; auto.
  destruct l, l'; simpl in M |- *; try contradiction; try discriminate; rewrite ?IH; auto.
Qed.
Lemma same_widens s ls : In ls (shapes (table s)) -> same_field (wider s) = same_field s.
Proof.
  intros I. destruct (named (table s)) eqn:E; [|rewrite wider_self; auto].
  destruct (checked s ltac:(congruence)) as (_ & _ & _ & Hs). destruct (Hs _ I) as (ls' & I' & M).
  rewrite <- (ones _ _ I'), <- (ones _ _ I). apply maps_same. exact M.
Qed.
Lemma given_widens s g t : of_sort s t -> g = AsIn (same_field s) \/ t = Empty -> g = AsIn (same_field (wider s)) \/ t = Empty.
Proof.
  intros H [->|E]; auto. inversion H as [|? ls fs I _]; subst; auto. left. f_equal. symmetry. eapply same_widens; eauto.
Qed.

Lemma trees_widen :
  (forall s t, of_sort s t -> of_sort (wider s) t) /\
  (forall ls fs, fields ls fs -> forall ls', Forall2 maps ls ls' -> fields ls' fs) /\
  (forall l f, fits l f -> forall l', maps l l' -> fits l' f) /\
  (forall s c, segment s c -> segment (wider s) c).
Proof.
  apply of_sort_ind'.
  - intros s H. destruct (named (table s)) eqn:E.
    + destruct (checked s ltac:(congruence)) as (_ & _ & Hn & _). constructor.
      destruct (may_be_null (table (wider s))); auto. rewrite Hn in H; auto.
    + rewrite wider_self by auto. constructor; auto.
  - intros s ls fs Hin Hf IH. destruct (named (table s)) eqn:E.
    + destruct (checked s ltac:(congruence)) as (Hd & Hb & _ & Hs). destruct (Hs ls Hin) as (ls' & Hin' & Hm).
      rewrite <- Hd, <- Hb. econstructor; eauto.
    + rewrite wider_self by auto. econstructor; eauto.
  - intros ls' H. inversion H. constructor.
  - intros l ls f fs _ IH1 _ IH2 ls' H. inversion H; subst. constructor; auto.
  - intros z [] H; simpl in H; try contradiction; try discriminate. constructor.
  - intros a b z Hz [] H; simpl in H; try contradiction; try discriminate; constructor; lia.
  - intros s g t O IH G [] H; simpl in H; try contradiction; try discriminate. subst. constructor; auto. eapply given_widens; eauto.
  - intros s from t O _ [] H; simpl in H; try contradiction; try discriminate. injection H as <- <-. constructor; auto.
  - intros l Hl l' H. assert (l' = l) as -> by (destruct l, l'; simpl in Hl, H; try contradiction; congruence). constructor. exact Hl.
  - intros s e c S _ [] H; simpl in H; try contradiction; try discriminate. injection H as <- <-. constructor. exact S.
  - constructor.
  - intros s ls1 ls2 fs1 c fs2 Hin F1 IH1 S IH F2 IH2. destruct (named (table s)) eqn:E; [|rewrite wider_self by auto; econstructor; eauto].
    destruct (checked s ltac:(congruence)) as (Hd & Hb & _ & Hs).
    destruct (Hs _ Hin) as (ls' & Hin' & Hm). apply Forall2_app_inv_l in Hm as (l1 & l2 & M1 & M2 & ->).
    inversion M2 as [|? x ? l3 Hx M3]; subst. destruct x; simpl in Hx; try contradiction. subst.
    rewrite <- Hd, <- Hb, <- (same_widens _ _ Hin). econstructor; eauto.
Qed.
Lemma segments_widen s c : segment s c -> segment (wider s) c.
Proof. apply trees_widen. Qed.

(** Along a chain of sorts, each within the next: what Subsume may read. *)
Inductive chain : nat -> nat -> Prop :=
| chain_refl s : chain s s
| chain_next s t : chain (wider s) t -> chain s t.
Theorem chain_trees s t u : chain s t -> of_sort s u -> of_sort t u.
Proof. induction 1; auto. intros. apply IHchain. apply trees_widen; auto. Qed.
Theorem chain_segments s t c : chain s t -> segment s c -> segment t c.
Proof. induction 1; auto. intros. apply IHchain. apply segments_widen; auto. Qed.

(** A segment with a tree of its sort in its hole is one; one with a segment is
    a segment: Subsume reads on behind it. *)
Lemma fields_app ls1 : forall fs1 ls2 fs2, fields ls1 fs1 -> fields ls2 fs2 -> fields (ls1 ++ ls2) (fs1 ++ fs2).
Proof. induction ls1; intros fs1 ls2 fs2 H1 H2; inversion H1; subst; simpl; auto. constructor; auto. Qed.
Theorem plugged s c t : segment s c -> of_sort s t -> of_sort s (plug c t).
Proof.
  induction 1; simpl; auto. intros Ht. econstructor; eauto. apply fields_app; auto. constructor; auto. constructor; auto.
Qed.
Theorem composed s c c' : segment s c -> segment s c' -> segment s (compose c c').
Proof. induction 1; simpl; auto. intros. econstructor; eauto. Qed.

(** ** Unfold is exact: the cases of a symbol *)

Theorem unfold_tree s t : of_sort s t <->
  may_be_null (table s) = true /\ t = Empty \/
  exists ls fs, In ls (shapes (table s)) /\ fields ls fs /\ t = Node (declaration (table s)) (entrance (table s)) fs.
Proof.
  split.
  - intros H. inversion H; subst; [left; auto | right; eauto].
  - intros [[H ->]|(ls & fs & H1 & H2 & ->)]; econstructor; eauto.
Qed.
Theorem unfold_top s c : segment s c <-> c = Hole \/
  exists ls1 ls2 fs1 fs2 c', In (ls1 ++ Child s :: ls2) (shapes (table s)) /\ fields ls1 fs1 /\ fields ls2 fs2 /\
    segment s c' /\ c = Cell (declaration (table s)) (entrance (table s)) fs1 (AsIn (same_field s)) c' fs2.
Proof.
  split.
  - intros H; inversion H; subst; [auto | right; repeat eexists; eauto].
  - intros [->|(ls1 & ls2 & fs1 & fs2 & c' & H1 & H2 & H3 & H4 & ->)]; [constructor | econstructor; eauto].
Qed.
Theorem unfold_bottom s c : segment s c <-> c = Hole \/
  exists ls1 ls2 fs1 fs2 c', In (ls1 ++ Child s :: ls2) (shapes (table s)) /\ fields ls1 fs1 /\ fields ls2 fs2 /\
    segment s c' /\ c = compose c' (Cell (declaration (table s)) (entrance (table s)) fs1 (AsIn (same_field s)) Hole fs2).
Proof.
  split.
  - induction 1 as [|s ls1 ls2 fs1 c fs2 Hin F1 Hc IH F2]; [auto|]. right.
    destruct IH as [->|(ks1 & ks2 & gs1 & gs2 & c' & G1 & G2 & G3 & G4 & ->)].
    + exists ls1, ls2, fs1, fs2, Hole. repeat split; auto; constructor.
    + exists ks1, ks2, gs1, gs2, (Cell (declaration (table s)) (entrance (table s)) fs1 (AsIn (same_field s)) c' fs2).
      split; [exact G1|]. split; [exact G2|]. split; [exact G3|]. split; [|reflexivity]. apply (segment_cell s ls1 ls2); auto.
  - intros [->|(ls1 & ls2 & fs1 & fs2 & c' & H1 & H2 & H3 & H4 & ->)]; [constructor|].
    apply composed; auto. econstructor; eauto. constructor.
Qed.
End Sorts.
