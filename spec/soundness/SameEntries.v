(** Whether an entry is right, and what is left of one whole, depends on the values of
    terms alone (spec/calculus.md#configurations): members of the same form, whose terms
    have the same values, both are, or none is. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Terms Sorts Programs Machine Folding FoldedMembers Presented LeftNodes Whole Leaving Kept SameInputs.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

Section SameEntries.
Variable P : program.
Variables nu nu' : valuation.
Variables (sorts : list symbol_sort) (phi : meaning) (m m' : member).
Hypothesis same : tables_same nu nu' m m'.
Lemma matched {A} (R : A -> A -> Prop) l l' b : Forall2 R l l' -> In b l' -> exists a, In a l /\ R a b.
Proof. induction 1 as [|x y l l' S _ IH]; intros I; [destruct I|]. destruct I as [<-|I]; [exists x; simpl; auto|]. destruct (IH I) as (a & J & Q). exists a. simpl. auto. Qed.
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
    rewrite L, <- (Folding.Forall2_length _ _ _ C). split; [exact Lx|]. split; [exact W|]. intros g I. destruct (matched _ _ _ g C I) as (h & J & [S _]). destruct (F h J) as (v & V & R).
    rewrite V in S. inversion S as [|? w ? ws Sv Z Ev Ew]; subst. inversion Z; subst. exists w. split; [reflexivity | eapply readable_too; eauto].
  - intros p d I. eapply readable_too; [apply (slot_same _ _ _ _ same) | eauto].
  - intros f r E. pose proof (part_same _ _ _ _ same f) as B. rewrite E in B. destruct (part_named m f) as [q|] eqn:Q; [|destruct B]. eapply readable_too; [apply (aboves_same _ _ _ _ B) | eauto].
Qed.
Lemma there_too b : Scapegoats.is_there (heap_of P sorts nu' phi m') b -> Scapegoats.is_there (heap_of P sorts nu phi m) b.
Proof.
  destruct b as [o|f]; simpl.
  - intros (n & En & L). exists n. rewrite <- En. split; [symmetry; exact (node_here_same nu nu' P sorts phi m m' same o) | exact L].
  - intros (r & Er). exists r. rewrite <- Er. symmetry. exact (heap_part_here_same nu nu' P sorts phi m m' same f).
Qed.
Theorem entry_too vs cs : entry_right P sorts nu phi m vs cs -> entry_right P sorts nu' phi m' vs cs.
Proof.
  intros [H C A]. split; [eapply inputs_same; eauto | apply clean_too; exact C|]. intros b Hb. apply A, there_too. exact Hb.
Qed.

(** ** What is left *)

Lemma start_too v w : slots_same nu nu' v w -> at_start nu v -> at_start nu' w.
Proof.
  destruct v as [[| |t| |o i b]|f|f]; intros S R; try (rewrite (plain_same _ _ _ _ S) by discriminate; exact I).
  - apply integer_slot_same in S as (u & -> & _). exact I.
  - apply pointer_slot_same in S as (j & -> & E). simpl in *. rewrite E. exact R.
Qed.
Lemma tidy_too : tidy_nodes P nu m -> tidy_nodes P nu' m'.
Proof.
  intros [T1 T2 T3 T4]. split.
  - intros o y E N. destruct (object_before _ _ _ _ same o y E) as (x & Ex & [K _ _ _ C]). rewrite K in N |- *. destruct (T1 o x Ex N) as [L S]. rewrite <- (Folding.Forall2_length _ _ _ C). split; [exact L|].
    apply Forall_forall. intros g I. destruct (matched _ _ _ g C I) as (h & J & [A _]). rewrite Forall_forall in S. destruct (S h J) as (v & V). rewrite V in A. inversion A as [|? w ? ws _ Z]; subst. inversion Z; subst. exists w. auto.
  - intros o y g w E N I J. destruct (object_before _ _ _ _ same o y E) as (x & Ex & [K _ _ _ C]). rewrite K in N. destruct (matched _ _ _ g C I) as (h & Ih & [A _]). destruct (matched _ _ _ w A J) as (v & Iv & S). eapply start_too; eauto.
  - intros p d I. eapply start_too; [apply (slot_same _ _ _ _ same) | eauto].
  - intros f r E. pose proof (part_same _ _ _ _ same f) as B. rewrite E in B. destruct (part_named m f) as [q|] eqn:Q; [|destruct B]. eapply start_too; [apply (aboves_same _ _ _ _ B) | eauto].
Qed.
Theorem whole_too vs cs : holds_whole P sorts nu phi m vs cs -> holds_whole P sorts nu' phi m' vs cs.
Proof.
  intros [H T (gs & us & fp & R & Nd & Cov)]. split; [eapply inputs_same; eauto | apply tidy_too; exact T|]. exists gs, us, fp.
  split; [eapply all_reads_same; [exact (node_here_same nu nu' P sorts phi m m' same) | exact (heap_part_here_same nu nu' P sorts phi m m' same) | exact R]|]. split; [exact Nd|]. intros b Hb. apply Cov, there_too. exact Hb.
Qed.
Theorem nothing_too cs : nothing_else P sorts nu phi m cs -> nothing_else P sorts nu' phi m' cs.
Proof. intros N b Hb. apply N, there_too. exact Hb. Qed.
End SameEntries.
