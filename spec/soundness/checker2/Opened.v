(** What a member is whose folded part becomes something else, as the second checker computes
    it (spec/calculus.md#unfold): up to terms of the same value it is what [Changes.v] says,
    with the node and the parts that come. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Sorts Programs Machine Folding FoldedMembers Members Changes Opening Unfold SameInputs SameMembers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Refuting States Denoting Carried Listed PointerLists Moving Folds Followed Covered TwinShown.
Import ListNotations.
Open Scope Z_scope.

Lemma find_mapped {A} (g : A -> A) (x : numbered A) n : find (map_numbered g x) n = option_map g (find x n).
Proof. unfold find. cbn [map_numbered present_entries]. unfold PositiveMap.map. rewrite PositiveMap.gmapi. reflexivity. Qed.
Lemma part_named_is l m q : FoldedMembers.part_named (member_of l m) q =
  if Nat.ltb q (N.to_nat (given (parts_held m))) then option_map part_of (find (parts_held m) (N.of_nat q)) else None.
Proof.
  unfold FoldedMembers.part_named. simpl. unfold entries_of. destruct (Nat.ltb_spec q (N.to_nat (given (parts_held m)))) as [L|L].
  - apply nth_error_nth. rewrite nth_error_map, numbers_of_at. destruct (Nat.ltb_spec q (N.to_nat (given (parts_held m)))); [reflexivity | lia].
  - apply nth_overflow. unfold numbers_of. rewrite map_length, numbers_from_length. exact L.
Qed.
Lemma parts_of_member l m : length (FoldedMembers.parts (member_of l m)) = N.to_nat (given (parts_held m)).
Proof. simpl. unfold entries_of, numbers_of. rewrite !map_length. apply numbers_from_length. Qed.
(** Pointers to the part become these. *)
Definition replaces (f : N) (root_ last_ v : slot) : slot := match v with
  | Folded g => if (g =? f)%N then root_ else v
  | Last g => if (g =? f)%N then last_ else v
  | v => v end.
Lemma nth_seq {A} (F : nat -> A) n k d : List.nth k (List.map F (seq 0 n)) d = if Nat.ltb k n then F k else d.
Proof.
  destruct (Nat.ltb_spec k n) as [L|L]; [apply Opening.nth_seq; exact L|]. apply nth_overflow. rewrite map_length, seq_length. exact L.
Qed.

Section Replaced.
Variable l : N.
(** The member, that with what comes in its tables, and what the part was. *)
Variables m m6 : member_state.
Variable f : N.
Variable p : folded.
Variables root_ last_ : slot.
Variable nu : Terms.valuation.
Notation slots_same := (SameInputs.slots_same nu nu).
Notation objects_same := (SameInputs.objects_same nu nu).
Notation folded_same := (SameInputs.folded_same nu nu).
Variables root last : FoldedMembers.slot.
Variable node : option (nat * FoldedMembers.object_state).
Variable fresh : nat -> option FoldedMembers.part.
Hypothesis part_here : find (parts_held m) f = Some p.
Hypothesis part_given : (f < given (parts_held m))%N.
Hypothesis held_same : held m6 = held m.
Hypothesis objects_more : (given (objects_held m) <= given (objects_held m6))%N.
Hypothesis parts_more : (given (parts_held m) <= given (parts_held m6))%N.
Hypothesis objects_come : forall o, (o < given (objects_held m6))%N -> match node with
  | Some (n, x) => if Nat.eqb (N.to_nat o) n then FoldedMembers.object_named (member_of l m) n = None /\ exists y, find (objects_held m6) o = Some y /\ objects_same x (object_of y)
    else find (objects_held m6) o = (if (o <? given (objects_held m))%N then find (objects_held m) o else None)
  | None => find (objects_held m6) o = (if (o <? given (objects_held m))%N then find (objects_held m) o else None) end.
Hypothesis node_given : forall n x, node = Some (n, x) -> (n < N.to_nat (given (objects_held m6)))%nat.
Hypothesis parts_stay : forall g, (g < given (parts_held m))%N -> find (parts_held m6) g = find (parts_held m) g.
Hypothesis parts_come : forall g, (given (parts_held m) <= g < given (parts_held m6))%N -> SameInputs.both folded_same (fresh (N.to_nat g)) (option_map part_of (find (parts_held m6) g)).
Hypothesis fresh_given : forall g q, fresh g = Some q -> (g < N.to_nat (given (parts_held m6)))%nat.
Hypothesis root_same : slots_same root (slot_of root_).
Hypothesis last_same : slots_same last (slot_of last_).
Notation s := (Changes.onto (N.to_nat f) root last).
Notation r := (replaces f root_ last_).
Let old := member_of l m.
Let m' := replace_part m6 f root_ last_.

Definition named_behind (o : nat) : option FoldedMembers.object_state := match FoldedMembers.object_named old o with
  | Some x => Some (Changes.map_object s x) | None => option_map (Changes.map_object s) (Changes.fresh_object node o) end.
Definition part_behind (g : nat) : option FoldedMembers.part := if Nat.eqb g (N.to_nat f) then None else match FoldedMembers.part_named old g with
  | Some q => Some (Changes.map_part s q)
  | None => if Nat.ltb g (length (FoldedMembers.parts old)) then None else option_map (Changes.map_part s) (fresh g) end.
(** What the calculus makes of it. *)
Definition behind : FoldedMembers.member := {|
  FoldedMembers.place_of := FoldedMembers.place_of old;
  FoldedMembers.slots := List.map s (FoldedMembers.slots old);
  FoldedMembers.named := List.map named_behind (seq 0 (N.to_nat (given (objects_held m6))));
  FoldedMembers.parts := List.map part_behind (seq 0 (N.to_nat (given (parts_held m6)))) |}.
Theorem behind_changes : Changes.changes old behind (N.to_nat f) (part_of p) root last node fresh.
Proof.
  assert (Bound : forall o x, FoldedMembers.object_named old o = Some x -> (o < N.to_nat (given (objects_held m6)))%nat).
  { intros o x H. unfold old in H. rewrite object_named_is in H. destruct (Nat.ltb_spec o (N.to_nat (given (objects_held m)))); [lia | discriminate]. }
  split.
  - unfold old. rewrite part_named_is, N2Nat.id, part_here. destruct (Nat.ltb_spec (N.to_nat f) (N.to_nat (given (parts_held m)))); [reflexivity | lia].
  - reflexivity.
  - reflexivity.
  - intros o. unfold FoldedMembers.object_named at 1. cbn [behind FoldedMembers.named]. rewrite nth_seq. destruct (Nat.ltb_spec o (N.to_nat (given (objects_held m6)))) as [L|L]; [reflexivity|].
    destruct (FoldedMembers.object_named old o) as [x|] eqn:Ox; [pose proof (Bound o x Ox); lia|]. unfold Changes.fresh_object. destruct node as [[n x]|]; [|reflexivity].
    destruct (Nat.eqb_spec o n) as [->|]; [|reflexivity]. pose proof (node_given n x eq_refl). lia.
  - intros g. unfold FoldedMembers.part_named at 1. cbn [behind FoldedMembers.parts]. rewrite nth_seq. destruct (Nat.ltb_spec g (N.to_nat (given (parts_held m6)))) as [L|L]; [reflexivity|].
    destruct (Nat.eqb g (N.to_nat f)); [reflexivity|]. unfold old. rewrite part_named_is, parts_of_member. destruct (Nat.ltb_spec g (N.to_nat (given (parts_held m)))); [lia|].
    destruct (fresh g) as [q|] eqn:Fg; [|reflexivity]. pose proof (fresh_given g q Fg). lia.
  - unfold old. rewrite parts_of_member. cbn [behind FoldedMembers.parts]. rewrite map_length, seq_length. lia.
Qed.

Lemma slots_refl v : slots_same v v.
Proof. destruct v as [[]| |]; simpl; auto. Qed.
Lemma replaced_slot a v : slots_same a (slot_of v) -> slots_same (s a) (slot_of (r v)).
Proof.
  destruct a as [a|g|g]; intros S.
  - assert (r v = v) as ->; [|exact S]. destruct v as [| |t| |o i b|g|g]; try reflexivity; destruct a; simpl in S; discriminate.
  - destruct v as [| |t| |o i b|g'|g']; simpl in S; try discriminate. injection S as <-. cbn [Changes.onto replaces]. rewrite same_number, N.eqb_sym. destruct (g' =? f)%N; [exact root_same | reflexivity].
  - destruct v as [| |t| |o i b|g'|g']; simpl in S; try discriminate. injection S as <-. cbn [Changes.onto replaces]. rewrite same_number, N.eqb_sym. destruct (g' =? f)%N; [exact last_same | reflexivity].
Qed.
Lemma replaced_field x y : SameInputs.fields_same nu nu x (field_of y) -> SameInputs.fields_same nu nu (Changes.map_field s x) (field_of (map_cells r y)).
Proof.
  intros [A R]. split; [|exact R]. cbn [Changes.map_field field_of map_cells FoldedMembers.apart cells] in *. revert A. generalize (FoldedMembers.apart x). induction (cells y) as [|v vs IH]; intros xs A; inversion A; subst; constructor; auto using replaced_slot.
Qed.
Lemma replaced_object x y : objects_same x (object_of y) -> objects_same (Changes.map_object s x) (object_of (with_fields y (List.map (map_cells r) (field_states y)))).
Proof.
  intros [K L B En C]. split; auto. cbn [Changes.map_object object_of with_fields FoldedMembers.contents field_states] in *. revert C. generalize (FoldedMembers.contents x).
  induction (field_states y) as [|v vs IH]; intros xs C; inversion C; subst; constructor; auto using replaced_field.
Qed.
Lemma replaced_part q y : folded_same q (part_of y) -> folded_same (Changes.map_part s q) (part_of (map_part r y)).
Proof. intros [S A G B]. split; [exact S | | |]; apply replaced_slot; assumption. Qed.
Lemma field_refl x : SameInputs.fields_same nu nu x x.
Proof. split; [induction (FoldedMembers.apart x); constructor; auto using slots_refl | destruct (FoldedMembers.rest x); simpl; auto]. Qed.
Lemma object_refl x : objects_same x x.
Proof. split; auto. induction (FoldedMembers.contents x); constructor; auto using field_refl. Qed.
Lemma part_refl q : folded_same q q.
Proof. split; auto using slots_refl. Qed.
Theorem behind_same : SameInputs.tables_same nu nu behind (member_of l m').
Proof.
  split.
  - reflexivity.
  - rewrite slots_of_member. cbn [behind FoldedMembers.slots]. rewrite map_length. unfold old. rewrite slots_of_member. unfold m', replace_part. cbn [map_slots with_held held map_numbered given with_parts]. rewrite held_same. reflexivity.
  - rewrite parts_of_member. cbn [behind FoldedMembers.parts]. rewrite map_length, seq_length. reflexivity.
  - intros q. unfold FoldedMembers.slot_at at 1. cbn [behind FoldedMembers.slots]. change FoldedMembers.forgotten with (s FoldedMembers.forgotten) at 1. rewrite map_nth.
    change (List.nth q (FoldedMembers.slots old) FoldedMembers.forgotten) with (FoldedMembers.slot_at old q). unfold old. rewrite !slot_at_is. unfold m', replace_part. cbn [map_slots with_held held map_numbered given with_parts]. rewrite held_same.
    destruct (Nat.ltb q (N.to_nat (given (held m)))); [|reflexivity]. rewrite find_mapped. destruct (find (held m) (N.of_nat q)) as [v|]; [|reflexivity]. cbn [option_map]. apply replaced_slot, slots_refl.
  - intros o. unfold FoldedMembers.object_named at 1. cbn [behind FoldedMembers.named]. rewrite nth_seq, object_named_is. unfold m', replace_part. cbn [map_slots with_held objects_held with_parts with_objects map_numbered given].
    destruct (Nat.ltb_spec o (N.to_nat (given (objects_held m6)))) as [L|L]; [|exact Logic.I]. rewrite find_mapped. cbn [with_parts objects_held].
    assert (Lo : (N.of_nat o < given (objects_held m6))%N) by lia. pose proof (objects_come (N.of_nat o) Lo) as Co. unfold named_behind.
    assert (Kept : find (objects_held m6) (N.of_nat o) = (if (N.of_nat o <? given (objects_held m))%N then find (objects_held m) (N.of_nat o) else None) -> Changes.fresh_object node o = None ->
      SameInputs.both objects_same match FoldedMembers.object_named old o with Some x => Some (Changes.map_object s x) | None => option_map (Changes.map_object s) (Changes.fresh_object node o) end
        (option_map object_of (option_map (fun x => with_fields x (List.map (map_cells r) (field_states x))) (find (objects_held m6) (N.of_nat o))))).
    { intros -> ->. unfold old. rewrite object_named_is. destruct (Nat.ltb_spec o (N.to_nat (given (objects_held m)))), (N.ltb_spec (N.of_nat o) (given (objects_held m))); try lia; [|exact Logic.I].
      destruct (find (objects_held m) (N.of_nat o)) as [y|]; [|exact Logic.I]. cbn [option_map SameInputs.both]. apply replaced_object, object_refl. }
    unfold Changes.fresh_object in *. destruct node as [[n x]|]; [|apply Kept; [exact Co | reflexivity]]. rewrite Nat2N.id in Co. destruct (Nat.eqb_spec o n) as [->|]; [|apply Kept; [exact Co | reflexivity]].
    destruct Co as (No & y & Fy & Sy). fold old in No. rewrite No, Fy. cbn [option_map SameInputs.both]. apply replaced_object. exact Sy.
  - intros g. unfold FoldedMembers.part_named at 1. cbn [behind FoldedMembers.parts]. rewrite nth_seq, part_named_is. unfold m', replace_part. cbn [map_slots with_held parts_held with_parts with_objects map_numbered given clear].
    destruct (Nat.ltb_spec g (N.to_nat (given (parts_held m6)))) as [L|L]; [|exact Logic.I]. rewrite find_mapped. cbn [with_parts parts_held with_objects with_held]. rewrite find_clear. unfold part_behind.
    destruct (Nat.eqb_spec g (N.to_nat f)) as [->|Ng]; [rewrite N2Nat.id, N.eqb_refl; exact Logic.I|]. destruct (N.eqb_spec (N.of_nat g) f) as [<-|_]; [lia|].
    unfold old. rewrite part_named_is, parts_of_member. destruct (Nat.ltb_spec g (N.to_nat (given (parts_held m)))) as [Lg|Lg].
    + rewrite parts_stay by lia. destruct (find (parts_held m) (N.of_nat g)) as [q|]; [|exact Logic.I]. cbn [option_map SameInputs.both]. apply replaced_part, part_refl.
    + pose proof (parts_come (N.of_nat g)) as Co. rewrite Nat2N.id in Co. specialize (Co ltac:(lia)). destruct (fresh g) as [q|], (find (parts_held m6) (N.of_nat g)) as [y|]; cbn [option_map SameInputs.both] in *; try contradiction; [apply replaced_part; exact Co | exact Logic.I].
Qed.
End Replaced.
