(** CheckLeaks (spec/program.md#check-leaks): the machine's rounds of marking
    find all that something leads to, and nothing else. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Existing.
Import ListNotations.

Section Leaks.
Variable P : program.
Variables (s : state) (roots : list nat).
Notation count := (length (memory s)).

Inductive leads_to : nat -> Prop :=
| from_root r o : In r roots -> In o (pointees_of (register s r)) -> leads_to o
| from_static o : (o < count)%nat -> is_static P s o = true -> leads_to o
| from_field o o' : leads_to o -> In o' (leads_on s o) -> leads_to o'.

(** As of executions: [step_exists]. *)
Hypothesis exist : pointers_exist s.

Lemma pointees_exist n v o : value_exists n v -> In o (pointees_of v) -> (o < n)%nat.
Proof. destruct v; simpl; try contradiction. intros H [<-|[]]. exact H. Qed.
Lemma registers_point r o : In o (pointees_of (register s r)) -> (o < count)%nat.
Proof. apply pointees_exist, register_exists. exact exist. Qed.
Lemma fields_point o o' : In o' (leads_on s o) -> (o' < count)%nat.
Proof.
  unfold leads_on. destruct (is_live s o); [|contradiction]. intros I. apply in_flat_map in I as (c & Hc & I).
  pose proof (object_at_exists _ s o exist) as X. unfold object_exists in X. rewrite Forall_forall in X.
  destruct (X c Hc) as [W J]. unfold leads_from in I. apply in_app_or in I as [I|I].
  - apply in_flat_map in I as (p & Hp & I). rewrite Forall_forall in W. eapply pointees_exist; [apply W; exact Hp | exact I].
  - destruct (initially c).
    + destruct (_ <? _)%Z; [|contradiction]. eapply pointees_exist; eauto.
    + apply in_flat_map in I as (p & Hp & I). destruct (is_written c _); [contradiction|].
      destruct p as [i v]. apply in_combine_r in Hp. rewrite Forall_forall in J. eapply pointees_exist; [apply J; exact Hp | exact I].
    + contradiction.
Qed.

Lemma mem_in n l : mem n l = true <-> In n l.
Proof.
  unfold mem. rewrite existsb_exists. split.
  - intros (x & I & E). apply Nat.eqb_eq in E. congruence.
  - intros I. exists n. split; auto. apply Nat.eqb_refl.
Qed.
Lemma add_new_in l : forall found x, In x (add_new l found) <-> In x l \/ In x found.
Proof.
  induction l as [|n l IH]; simpl; intros found x; [tauto|]. rewrite IH.
  destruct (mem n found) eqn:E; simpl; [apply mem_in in E | ]; intuition congruence.
Qed.
Lemma add_new_once l : forall found, NoDup found -> NoDup (add_new l found).
Proof.
  induction l as [|n l IH]; simpl; intros found D; auto. apply IH. destruct (mem n found) eqn:E; auto.
  constructor; auto. rewrite <- mem_in. congruence.
Qed.

Definition next found := add_new (flat_map (leads_on s) found) found.
Definition closed found := forall o, In o found -> incl (leads_on s o) found.

Lemma closed_next found : NoDup found -> closed found -> forall o, In o (next found) <-> In o found.
Proof.
  intros D C o. unfold next. rewrite add_new_in, in_flat_map. split; [|auto].
  intros [(x & Hx & I)|]; auto. apply (C x Hx o I).
Qed.
Lemma next_closed found : NoDup found -> closed found -> closed (next found).
Proof.
  intros D C o Ho o' Ho'. apply (closed_next found D C). apply (C o); auto. apply (closed_next found D C); auto.
Qed.
Lemma grows_or_closed found : NoDup found -> (length found < length (next found))%nat \/ closed found.
Proof.
  intros D. pose proof (add_new_once (flat_map (leads_on s) found) found D) as D'. fold (next found) in D'.
  assert (I : incl found (next found)) by (intros o Ho; apply add_new_in; auto).
  destruct (Nat.lt_ge_cases (length found) (length (next found))) as [|L]; auto. right.
  intros o Ho o' Ho'. apply (NoDup_length_incl D L I). apply add_new_in. left. apply in_flat_map. eauto.
Qed.
Lemma reach_closed k : forall found, NoDup found -> (forall o, In o found -> (o < count)%nat) ->
  (count <= k + length found)%nat -> closed (reach s k found).
Proof.
  induction k as [|k IH]; intros found D B L.
  - simpl. intros o Ho o' Ho'. apply (NoDup_length_incl (l := found) (l' := seq 0 count) D).
    + rewrite seq_length. exact L.
    + intros x Hx. apply in_seq. specialize (B x Hx). lia.
    + apply in_seq. pose proof (fields_point o o' Ho'). lia.
  - simpl. fold (next found). pose proof (add_new_once (flat_map (leads_on s) found) found D) as D'.
    assert (B' : forall o, In o (next found) -> (o < count)%nat).
    { intros o Ho. apply add_new_in in Ho as [Ho|Ho]; auto. apply in_flat_map in Ho as (x & _ & Ho). eapply fields_point; eauto. }
    destruct (grows_or_closed found D) as [G|C]; [apply IH; auto; lia|].
    assert (N : closed (next found)).
    { exact (next_closed found D C). }
    revert N D'. fold (next found). generalize (next found) as l. clear.
    induction k as [|k IH]; intros l C D; simpl; auto. apply IH; [apply next_closed; auto | apply add_new_once; auto].
Qed.
Lemma reach_grows k : forall found o, In o found -> In o (reach s k found).
Proof. induction k; simpl; intros; auto. apply IHk, add_new_in. auto. Qed.
Lemma reach_sound k : forall found, (forall o, In o found -> leads_to o) -> forall o, In o (reach s k found) -> leads_to o.
Proof.
  induction k as [|k IH]; simpl; intros found F; auto. apply IH. intros o Ho.
  apply add_new_in in Ho as [Ho|Ho]; auto. apply in_flat_map in Ho as (x & Hx & Ho). eapply from_field; eauto.
Qed.

Theorem reached_exactly o : In o (reached P s roots) <-> leads_to o.
Proof.
  unfold reached. set (first := add_new _ _).
  assert (F : forall o, In o first <-> (exists r, In r roots /\ In o (pointees_of (register s r))) \/ (o < count)%nat /\ is_static P s o = true).
  { intros x. unfold first. rewrite add_new_in, in_flat_map, filter_In. unfold all_objects. rewrite in_seq.
    split; intros [H|H]; auto; right; intuition lia. }
  split.
  - apply reach_sound. intros x Hx. apply F in Hx as [(r & Hr & Hx)|[B S]]; [eapply from_root | eapply from_static]; eauto.
  - assert (C : closed (reach s count first)).
    { apply reach_closed; [| |lia].
      - unfold first. apply add_new_once. apply NoDup_filter, seq_NoDup.
      - intros x Hx. apply F in Hx as [(r & _ & Hx)|[B _]]; auto. eapply registers_point; eauto. }
    induction 1 as [r o Hr Ho | o B S | o o' _ IH Ho]; [apply reach_grows, F; eauto | apply reach_grows, F; auto | apply (C o IH o' Ho)].
Qed.

(** It fails if and only if an object of the heap lives that nothing leads to. *)
Theorem check_leaks_fails : check_leaks P s roots = fails Leak <->
  exists o, (o < count)%nat /\ is_owed P s o = true /\ ~ leads_to o.
Proof.
  unfold check_leaks. destruct (existsb _ _) eqn:E.
  - split; auto. intros _. apply existsb_exists in E as (o & Ho & E). apply andb_true_iff in E as [E1 E2].
    apply in_seq in Ho. exists o. repeat split; auto; [lia|]. rewrite <- reached_exactly, <- mem_in.
    destruct (mem o (reached P s roots)); discriminate || congruence.
  - split; [discriminate|]. intros (o & Ho & Hw & N). exfalso.
    assert (X : existsb (fun o => is_owed P s o && negb (mem o (reached P s roots))) (all_objects s) = true); [|congruence].
    apply existsb_exists. exists o. split; [apply in_seq; lia|]. rewrite Hw. simpl.
    destruct (mem o (reached P s roots)) eqn:M; auto. apply mem_in, reached_exactly in M. contradiction.
Qed.
End Leaks.
