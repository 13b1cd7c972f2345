(** Nodes that are left out of a member (spec/calculus.md#addscapegoat), as the
    kernel does it: pointers to the node become its heir, wherever they stand; the
    heir's [Up] fields hold what those of the node did; the node is dead.  In the
    heap of the member that is what Scapegoats.v says of heaps. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Folding FoldedMembers Entries Planting Presented Loading Recognised Built Entering Roots Elements.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

(** ** What is done *)

Section Without.
Variables (o : nat) (heir : slot) (up : option slot) (ls : list link).
Definition image v := match v with Plain (Members.PointerSlot q _ _) => if Nat.eqb q o then heir else v | _ => v end.
Definition image_field f := {| apart := map image (apart f); rest := rest f |}.
Definition fill_field u l f := match l with Up => {| apart := map (fun _ => u) (apart f); rest := rest f |} | _ => f end.
Fixpoint filled (l : list link) u fs := match l, fs with k :: l, f :: fs => fill_field u k f :: filled l u fs | _, _ => fs end.
Definition hung u fs := match u with Some u => filled ls u fs | None => fs end.
Definition is_heir y := match heir with Plain (Members.PointerSlot h _ _) => Nat.eqb y h | _ => false end.
Definition is_heir_part f := match heir with RootOf h => Nat.eqb f h | _ => false end.
Definition object_without y z := {| kind := kind z; life_of := if Nat.eqb y o then Dead else life_of z; begins := begins z; ends := ends z;
  contents := if is_heir y then hung up (map image_field (contents z)) else map image_field (contents z) |}.
Definition part_without f q := {| symbol := symbol q; above := match is_heir_part f, up with true, Some u => u | _, _ => image (above q) end;
  alongside := image (alongside q); below := image (below q) |}.
Definition each_named {A} (f : nat -> A -> A) (l : list (option A)) := map (fun p => option_map (f (fst p)) (snd p)) (combine (seq 0 (length l)) l).
Definition without_node m := {| place_of := place_of m; slots := map image (slots m); named := each_named object_without (named m); parts := each_named part_without (parts m) |}.
Lemma each_at {A} (f : nat -> A -> A) l y : nth y (each_named f l) None = option_map (f y) (nth y l None).
Proof.
  unfold each_named. destruct (Nat.lt_ge_cases y (length l)) as [L|L].
  - set (g := fun p => option_map (f (fst p)) (snd p)). change (@None A) with (g (O, None)) at 1. rewrite map_nth, combine_nth by apply seq_length. rewrite seq_nth by exact L. reflexivity.
  - rewrite !nth_overflow; auto. rewrite map_length, combine_length, seq_length. lia.
Qed.
Lemma each_length {A} (f : nat -> A -> A) l : length (each_named f l) = length l.
Proof. unfold each_named. rewrite map_length, combine_length, seq_length. lia. Qed.
End Without.
Fixpoint up_field (ls : list link) (fs : list field_state) : option slot := match ls, fs with
  | Up :: _, f :: _ => Some (nth 0 (apart f) forgotten) | _ :: ls, _ :: fs => up_field ls fs | _, _ => None end.
Definition heir_field ls d fs (child : option nat) : option slot := match child with
  | None => Some (Plain Members.NullSlot)
  | Some k => match nth_error ls k with
    | Some (Child s) => if Nat.eqb s d then option_map (fun f => nth 0 (apart f) forgotten) (nth_error fs k) else None
    | _ => None end end.

Section Nodes.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Notation links := (links_of P).
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning).
Notation heap := (heap_of P sorts nu phi).
Notation presents := (presents P sorts nu phi).
Notation weights := (weights nu phi).

(** The node is live, and what stands in its place is there. *)
Definition drops_node m o child m' := exists x heir, object_named m o = Some x /\ is_node P (kind x) = true /\ life_of x = Live /\
  heir_field (links (kind x)) (kind x) (contents x) child = Some heir /\ m' = without_node o heir (up_field (links (kind x)) (contents x)) (links (kind x)) m.

(** ** What is asked of the member *)

(** Pointers to nodes are to where they begin, and fields of nodes are one cell. *)
Definition at_start v := match v with Plain (Members.PointerSlot q i b) => eval nu i = 0 /\ b = 0 | _ => True end.
Definition single (f : field_state) := exists v, apart f = [v].
Record tidy_nodes m : Prop := {
  nodes_single : forall y z, object_named m y = Some z -> is_node P (kind z) = true -> length (contents z) = length (links (kind z)) /\ Forall single (contents z);
  node_slots : forall y z f v, object_named m y = Some z -> is_node P (kind z) = true -> In f (contents z) -> In v (apart f) -> at_start v;
  root_slots : forall p d, In (LinkedInput p d) (inputs P) -> at_start (slot_at m p);
  part_slots : forall f q, part_named m f = Some q -> at_start (above q) }.

Section Dropped.
Variables (m : member) (o : nat) (x : object_state) (heir : slot).
Hypothesis tidy_member : tidy_nodes m.
Hypothesis is_there : object_named m o = Some x.
Hypothesis is_a_node : is_node P (kind x) = true.
Notation ls := (links (kind x)).
Hypothesis heir_start : at_start heir.
Let up := up_field ls (contents x).
Let m' := without_node o heir up ls m.

Lemma without_object y : object_named m' y = option_map (object_without o heir up ls y) (object_named m y).
Proof. unfold object_named, m'. simpl. apply each_at. Qed.
Lemma without_part f : part_named m' f = option_map (part_without o heir up f) (part_named m f).
Proof. unfold part_named, m'. simpl. apply each_at. Qed.
Lemma without_slot r : slot_at m' r = image o heir (slot_at m r).
Proof. unfold slot_at, m'. simpl. change forgotten with (image o heir forgotten) at 1. apply map_nth. Qed.
Lemma unreadable_same : unreadable m' = unreadable m.
Proof. unfold unreadable, m'. simpl. rewrite each_length. reflexivity. Qed.
Lemma heap_slot_same v : heap_slot nu m' v = heap_slot nu m v.
Proof. unfold heap_slot. rewrite unreadable_same. reflexivity. Qed.
Lemma start_slot q i b : eval nu i = 0 -> b = 0 -> heap_slot nu m (Plain (Members.PointerSlot q i b)) = Scapegoats.SNode q.
Proof. intros E ->. simpl. rewrite E. reflexivity. Qed.
Lemma image_slot v : at_start v -> heap_slot nu m (image o heir v) = Scapegoats.rename o (heap_slot nu m heir) (heap_slot nu m v).
Proof.
  destruct v as [[| |t| |q i b]|f|f]; simpl image; try reflexivity. intros [E B]. rewrite (start_slot q i b E B). simpl.
  destruct (Nat.eqb_spec q o) as [->|N]; auto. apply start_slot; auto.
Qed.
Lemma up_same : Scapegoats.up_slot ls (map (fun f => heap_slot nu m (nth 0 (apart f) forgotten)) (contents x)) = option_map (heap_slot nu m) up.
Proof.
  unfold up. generalize (contents x) as fs. generalize ls as l. induction l as [|k l IH]; intros [|f fs]; simpl; auto; destruct k; simpl; auto.
Qed.
Lemma heir_named y : match heap_slot nu m heir with Scapegoats.SNode h => Nat.eqb y h | _ => false end = is_heir heir y.
Proof.
  unfold is_heir. destruct heir as [[| |t| |q i b]|f|f]; simpl in *; auto. destruct heir_start as [E ->]. rewrite E. reflexivity.
Qed.
Lemma heir_part f q : part_named m f = Some q -> match heap_slot nu m heir with Scapegoats.SPart h => Nat.eqb f h | _ => false end = is_heir_part heir f.
Proof.
  intros Q. assert (N : Nat.eqb f (length (parts m)) = false) by (apply Nat.eqb_neq; apply named_bound in Q; lia).
  unfold is_heir_part. destruct heir as [[| |t| |q' i b]|f'|f']; simpl in *; auto. destruct heir_start as [E ->]. rewrite E. reflexivity.
Qed.
Lemma first_image f : nth 0 (apart (image_field o heir f)) forgotten = image o heir (nth 0 (apart f) forgotten).
Proof. simpl. change forgotten with (image o heir forgotten) at 1. apply map_nth. Qed.
Lemma filled_slots l u fs : Forall single fs ->
  map (fun f => heap_slot nu m (nth 0 (apart f) forgotten)) (filled l u fs) = Scapegoats.fill l (map (fun f => heap_slot nu m (nth 0 (apart f) forgotten)) fs) (heap_slot nu m u).
Proof.
  revert fs. induction l as [|k l IH]; intros fs S; [reflexivity|]. destruct S as [|f fs [v V] S]; [reflexivity|]. simpl. rewrite IH by exact S. f_equal.
  destruct k; auto. simpl. rewrite V. reflexivity.
Qed.
Lemma image_single fs : Forall single fs -> Forall single (map (image_field o heir) fs).
Proof. induction 1 as [|f fs [v V] _ IH]; simpl; constructor; auto. exists (image o heir v). simpl. rewrite V. reflexivity. Qed.

Definition dropped_node : Scapegoats.node := {| Scapegoats.sort := kind x; Scapegoats.alive := heap_life (life_of x);
  Scapegoats.slots := map (fun f => heap_slot nu m (nth 0 (apart f) forgotten)) (contents x) |}.
Lemma node_there : Scapegoats.nodes (heap m) o = Some dropped_node.
Proof. simpl. unfold heap_node. rewrite is_there, is_a_node. reflexivity. Qed.
Notation replaced := (Scapegoats.replaced links (heap m) o dropped_node (heap_slot nu m heir)).

Lemma images_renamed y z : object_named m y = Some z -> is_node P (kind z) = true ->
  map (fun f => heap_slot nu m (nth 0 (apart f) forgotten)) (map (image_field o heir) (contents z)) =
  map (Scapegoats.rename o (heap_slot nu m heir)) (map (fun f => heap_slot nu m (nth 0 (apart f) forgotten)) (contents z)).
Proof.
  intros E N. rewrite !map_map. apply map_ext_in. intros f I. rewrite first_image. apply image_slot.
  pose proof (proj2 (nodes_single _ tidy_member y z E N)) as S. rewrite Forall_forall in S. destruct (S f I) as [v V]. rewrite V. simpl.
  apply (node_slots _ tidy_member y z f v E N I). rewrite V. simpl. auto.
Qed.
Lemma nodes_replaced y : Scapegoats.nodes (heap m') y = Scapegoats.nodes replaced y.
Proof.
  simpl. unfold heap_node. rewrite without_object. destruct (object_named m y) as [z|] eqn:E; auto. simpl option_map. cbv iota. simpl kind.
  destruct (is_node P (kind z)) eqn:N; auto. f_equal. pose proof (images_renamed y z E N) as R.
  pose proof (heir_named y) as H. rewrite up_same. destruct (nodes_single _ tidy_member y z E N) as [Lz Sz].
  f_equal.
  - simpl. destruct (Nat.eqb y o); reflexivity.
  - simpl. rewrite H. rewrite (map_ext (fun f => heap_slot nu m' (nth 0 (apart f) forgotten)) (fun f => heap_slot nu m (nth 0 (apart f) forgotten))) by (intros f; apply heap_slot_same).
    destruct (is_heir heir y); [|exact R]. destruct up as [u|]; simpl; [|exact R]. rewrite filled_slots by (apply image_single; exact Sz). rewrite R. reflexivity.
Qed.
Lemma parts_replaced f : Scapegoats.parts (heap m') f = Scapegoats.parts replaced f.
Proof.
  simpl. unfold heap_part. rewrite without_part. destruct (part_named m f) as [q|] eqn:Q; auto. simpl option_map. cbv iota. simpl symbol.
  destruct (nth_error sorts (symbol q)) as [[d|d]|]; auto. f_equal. rewrite up_same, heap_slot_same. pose proof (heir_part f q Q) as H. f_equal.
  simpl above. rewrite H. destruct (is_heir_part heir f); [destruct up as [u|]|]; simpl; auto; apply image_slot; apply (part_slots _ tidy_member f q Q).
Qed.
Lemma reads_replaced d s a t fp : Scapegoats.reads links replaced d s a t fp -> Scapegoats.reads links (heap m') d s a t fp.
Proof. apply (proj1 (reads_same links replaced (heap m') nodes_replaced parts_replaced)). Qed.

(** What it is as a heap's node. *)
Lemma heir_dropped child : heir_field ls (kind x) (contents x) child = Some heir -> Scapegoats.heir_of links dropped_node child = Some (heap_slot nu m heir).
Proof.
  unfold heir_field, Scapegoats.heir_of. destruct child as [k|]; [|intros [= <-]; reflexivity]. simpl Scapegoats.sort. destruct (nth_error ls k) as [[| |s| | | | | | | |]|]; try discriminate.
  destruct (Nat.eqb s (kind x)); [|discriminate]. simpl Scapegoats.slots. rewrite nth_error_map. destruct (nth_error (contents x) k); simpl; [|discriminate]. intros [= <-]. reflexivity.
Qed.
Lemma drop_is child : life_of x = Live -> heir_field ls (kind x) (contents x) child = Some heir -> Scapegoats.drop links (heap m) o child = Some replaced.
Proof.
  intros Lv H. unfold Scapegoats.drop, Scapegoats.drop_where. rewrite node_there. unfold Scapegoats.is_live. simpl Scapegoats.alive. rewrite Lv. simpl.
  pose proof (heir_dropped child H) as E. unfold dropped_node in E. rewrite Lv in E. unfold dropped_node. rewrite Lv. simpl in E |- *. rewrite E. reflexivity.
Qed.
End Dropped.
End Nodes.
