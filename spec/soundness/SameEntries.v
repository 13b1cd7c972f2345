(** Whether an entry is right depends on the values of terms alone
    (spec/calculus.md#configurations): members of the same form, whose terms have the
    same values, are both right, or none is. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Terms Sorts Programs Machine Folding FoldedMembers Presented Kept SameInputs.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

Section SameEntries.
Variable P : program.
Variables nu nu' : valuation.
Variables (sorts : list symbol_sort) (phi : meaning) (m m' : member).
Hypothesis same : tables_same nu nu' m m'.
Lemma readable_too v w : slots_same nu nu' v w -> readable nu m v -> readable nu' m' w.
Proof.
  destruct v as [[| |t| |o i b]|f|f]; intros S R; try contradiction.
  1, 3: rewrite (plain_same _ _ _ _ S) by discriminate; exact R.
  - apply integer_slot_same in S as (u & -> & _). exact I.
  - apply pointer_slot_same in S as (j & -> & E). simpl in *. rewrite E. exact R.
  - rewrite (plain_same _ _ _ _ S) by discriminate. simpl in *. pose proof (part_same _ _ _ _ same f) as B. destruct (part_named m f), (part_named m' f); try contradiction; congruence.
Qed.
Lemma clean_too : clean P nu m -> clean P nu' m'.
Proof.
  intros [C1 C2 C3]. split.
  - intros o y E N. destruct (object_before _ _ _ _ same o y E) as (x & Ex & [K L _ _ C]). rewrite K in N |- *. destruct (C1 o x Ex N) as (Lx & W & F).
    rewrite L, <- (Folding.Forall2_length _ _ _ C). split; [exact Lx|]. split; [exact W|]. intros g I. destruct (In_nth_error _ _ I) as (k & Ek).
    destruct (nth_error (contents x) k) as [h|] eqn:Eh; [|apply nth_error_None in Eh; rewrite (Folding.Forall2_length _ _ _ C) in Eh; assert (k < length (contents y))%nat by (apply nth_error_Some; congruence); lia].
    destruct (F h (nth_error_In _ _ Eh)) as (v & V & R). pose proof (forall2_nth _ _ _ no_field C (field_none_same _ _) k) as [A _].
    rewrite (nth_error_nth _ _ _ Ek), (nth_error_nth _ _ _ Eh), V in A. inversion A as [|? w ? ws S Z]; subst. inversion Z; subst. exists w. split; [reflexivity | eapply readable_too; eauto].
  - intros p d I. eapply readable_too; [apply (slot_same _ _ _ _ same) | eauto].
  - intros f r E. pose proof (part_same _ _ _ _ same f) as B. rewrite E in B. destruct (part_named m f) as [q|] eqn:Q; [|destruct B]. eapply readable_too; [apply (aboves_same _ _ _ _ B) | eauto].
Qed.
Theorem entry_too vs cs : entry_right P sorts nu phi m vs cs -> entry_right P sorts nu' phi m' vs cs.
Proof.
  intros [H C A]. split; [eapply inputs_same; eauto | apply clean_too; exact C|]. intros [o|f] Hb; apply A; simpl in *.
  - destruct Hb as (n & En & L). exists n. rewrite <- En. split; [symmetry; exact (node_here_same nu nu' P sorts phi m m' same o) | exact L].
  - destruct Hb as (r & Er). exists r. rewrite <- Er. symmetry. exact (heap_part_here_same nu nu' P sorts phi m m' same f).
Qed.
End SameEntries.
