(** Rings that hang from nodes (spec/calculus.md#folded-heaps) can be had, and are read;
    and what a node says of the last cell counts.

    A folder has a ring of files around its byte 8.  Files are nodes of the same
    declaration, and pointers lead to their byte 8 as well: the header is told from a
    file by the node that it is in. *)
From Coq Require Import List ZArith.
From Goatherd Require Import Terms Sorts Programs Machine Folding FoldedMembers Reading.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Definition folders := O.
Definition files := 1%nat.
Definition linked_at b ls := {| declaration := 0; entrance := b; may_be_null := false; shapes := [ls]; Sorts.named := None |}.
Definition table s := match s with O => linked_at 0 [Ring files 8; Sorts.Last 0] | _ => linked_at 8 [Child files; Up] end.
Definition file := Cell 0 8 [] (AsIn None) Hole [Sorts.Pointer Up].
Definition folder := Node 0 0 [Ringed 8 file; Sorts.Pointer (Sorts.Last 0)].
Theorem folder_of_sort : of_sort table folders folder.
Proof.
  apply (of_node table folders [Ring files 8; Sorts.Last 0]); [simpl; auto|]. constructor; [constructor | constructor; [constructor; exact I | constructor]].
  apply (segment_cell table files [] [Up] [] Hole [Sorts.Pointer Up]); [simpl; auto | constructor | constructor |].
  constructor; [constructor; exact I | constructor].
Qed.

(** ** In memory: folder 0, with file 1 *)

Definition inside o := Pointer {| target := o; index := 0; byte := 8 |}.
Definition of_two next last := {| declared := 0; lower := 0; upper := 1; alive := Live;
  fields_of := map (fun v => {| initially := Machine.Same v; written := [] |}) [next; last] |}.
Definition heap last := {| location := 0; values := []; memory := [of_two (inside 1) last; of_two (inside 0) (inside 0)]; current := [] |}.
Definition start := Pointer {| target := 0%nat; index := 0; byte := 0 |}.

Theorem ring_there : tree_at (heap (inside 1)) folder (eq start) anything anything [0; 1]%nat.
Proof.
  apply node_at; [intros v <-; reflexivity | repeat split; reflexivity|].
  apply (more_fields _ _ _ _ _ _ _ _ _ [1%nat] []); [|apply (more_fields _ _ _ _ _ _ _ _ _ [] []); [apply plain_field; exact I | constructor]].
  apply ring_field. apply (link_at _ 1%nat 0 8 [] (AsIn None) Hole [Sorts.Pointer Up] _ _ _ _ _ (eq (inside 0)) [] [] []);
    [intros v <-; reflexivity | repeat split; reflexivity | constructor | reflexivity | |].
  - apply hole_at; [intros v <-; reflexivity|]. intros w (j & E & ->). destruct j as [|[|j]]; [discriminate E | reflexivity | destruct j; discriminate E].
  - apply (more_fields _ _ _ _ _ _ _ _ _ [] []); [apply plain_field; [exact I | reflexivity] | constructor].
Qed.
(** The folder says that its last file is the header, as if there were none. *)
Theorem wrong_last cells : ~ tree_at (heap (inside 0)) folder (eq start) anything anything cells.
Proof.
  intros T. inversion T as [|o ? ? ? ? ? ? fp R _ F]; subst. specialize (R _ eq_refl). assert (o = 0%nat) as -> by (unfold start_of, start in R; congruence).
  inversion F as [|? ? ? ? ? ? ? ? fq ? Rg _]; subst. inversion Rg as [? ? ? ? ? ? ? N| |? ? ? ? ? ? ? ? ? C]; subst; [destruct N|].
  inversion C as [|p ? ? ? ? ? ? ? ? ? ? ? q ? fc ? R' _ _ _ X _]; subst. specialize (R' _ eq_refl). assert (p = 1%nat) as -> by (change (content (heap (inside 0)) 0 0) with (inside 1) in R'; unfold start_of, inside in R'; congruence). inversion X as [? ? ? ? ? _ L|]; subst.
  specialize (L (inside 0)). discriminate L. exists 1%nat. split; reflexivity.
Qed.

(** ** In a member *)

Definition pointing o := Plain (Members.PointerSlot o (Constant 0) 8).
Definition node_of next last := Some {| kind := 0; life_of := Live; begins := Constant 0; ends := Constant 1;
  contents := map (fun v => {| apart := [v]; rest := None |}) [next; last] |}.
Definition opened last := {| place_of := 0; slots := []; named := [node_of (pointing 1) last; node_of (pointing 0) (pointing 0)]; parts := [] |}.
Definition read_file := NodePath 0 8 [] (AsIn None) PathEnd [PointerPiece Up].
Definition read_folder := NodePiece 0 0 [RingPiece 8 read_file (Is (pointing 1)); PointerPiece (Sorts.Last 0)].
Theorem ring_read : reads table (fun _ => False) [] (opened (pointing 1)) (to_node table folders 0 (Constant 0)) OfNoInterest OfNoInterest folders read_folder [inl 0; inl 1]%nat.
Proof.
  eapply (reads_node table (fun _ => False) [] _ 0%nat); [repeat split; simpl; auto | |].
  - eapply (reads_more _ _ _ _ _ _ _ _ _ _ _ _ _ _ [inl 1%nat] []); [reflexivity | |].
    + apply reads_ring. change (pointing 1) with (to_node table files 1 (Constant 0)).
      eapply (path_node table (fun _ => False) [] _ Single 1%nat _ (Constant 0) files [] [Up] _ _ [] (pointing 0) PathEnd [PointerPiece Up] [] [] []);
        [repeat split; simpl; auto | split; [intros [] | intros [E|[]]; discriminate E] | constructor | reflexivity | constructor | |].
      * eapply (reads_more _ _ _ _ _ _ _ _ _ _ _ _ _ _ [] []); [reflexivity | | constructor]. apply reads_up. split; [reflexivity | discriminate].
      * intros j k E. destruct j as [|[|[|j]]]; try discriminate E.
    + eapply (reads_more _ _ _ _ _ _ _ _ _ _ _ _ _ _ [] []); [reflexivity | apply reads_last | constructor].
  - intros j k E. destruct j as [|[|j]]; [discriminate E | | destruct j; discriminate E]. injection E as <-.
    exists (pointing 1), 8, read_file, (Is (pointing 1)). repeat split; discriminate.
Qed.
