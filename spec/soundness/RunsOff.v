(** Why a failure stands behind the program, whatever a lemma asks
    (spec/calculus.md#asking-for-one-failure, attack L5): were it what ends the
    executions that are not asked for, a program that runs off its end would be
    safe with the lemma, and is not without. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Sorts Programs Machine Inputs Runs Lemmas Asking.
Import ListNotations.

(** What is not asked for comes first behind the program. *)
Definition first_ignored P l x := let n := length (instructions P) in
  with_register P x (replace (instructions P) l (Branch (Integers IsEqual (Register x) (Register (length (registers P)))) (S n) n) ++ [Ignore; Fail]).

(** It jumps over the failure, and runs off its end. *)
Definition P := {| registers := [IntegerType I32]; layouts := []; objects := []; tables := []; inputs := [];
  instructions := [Jump 2; Fail; Programs.Uninitialise 0] |}.
Definition under := {| on_overflow := Wraps; formation := Anywhere; allocating := MayFail |}.
Notation Q := (first_ignored P 1 0).

Lemma program_is_formed : program_formed P.
Proof.
  split.
  - intros j k [<-|[<-|[<-|[]]]] I; simpl in *; intuition lia.
  - intros i [<-|[<-|[<-|[]]]] r I; simpl in *; intuition lia.
  - intros j [].
  - split; simpl; intros; intuition discriminate.
  - assert (N : forall d, declaration_of P d = no_declaration) by (intros [|d]; reflexivity).
    split; intros d; rewrite N; discriminate.
Qed.
Lemma ends_ignored r : genuine (system_of Q under) r -> match last _ r with Running s => In (location s) [0; 2; 3]%nat | Over e => e = Ignored end.
Proof.
  induction 1 as [x E | o k x j y _ IH S].
  - destruct E as (vs & s & Es & ->). unfold entry_state in Es. destruct (load_inputs _ _ _ _); [|discriminate]. injection Es as <-. simpl. auto.
  - cbn [last] in *. destruct x as [s|e]; [|destruct S]. destruct S as (d & -> & ->). rewrite step_executes. destruct IH as [Eq|[Eq|[Eq|[]]]]; rewrite <- Eq; simpl; rewrite <- ?Eq; auto.
Qed.
Lemma with_it_safe : safe (system_of Q under).
Proof. intros r G F. pose proof (ends_ignored r G) as X. destruct (last _ r) as [s|e]; [exact F | rewrite X in F; exact F]. Qed.
Lemma without_it_unsafe : ~ safe (system_of P under).
Proof.
  intros S. destruct (entry_state P []) as [s|] eqn:E; [|discriminate]. injection E as <-.
  pose proof (genuine_entry (system_of P under) _ ltac:(exists [], (add_statics P {| loaded := [Uninitialised]; made := []; latest := [] |}); split; reflexivity)) as G.
  eapply genuine_step in G; [|exists nothing_decided; split; reflexivity]. eapply genuine_step in G; [|exists nothing_decided; split; reflexivity].
  eapply genuine_step in G; [|exists nothing_decided; split; reflexivity]. exact (S _ G I).
Qed.
Theorem first_ignored_unsound : program_formed P /\ safe (system_of Q under) /\ ~ safe (system_of P under).
Proof. exact (conj program_is_formed (conj with_it_safe without_it_unsafe)). Qed.
