(** Steps that change registers alone (spec/calculus.md#outcomes): an execution's
    state does what the described one does, and that is described by the member
    with the same register changed. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Terms Sorts Programs Machine Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Frames Reached Stepping.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Section RegisterSteps.
Variable P : program.
Variable under : parameters.
Hypothesis locals : locals_formed P.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Variables (sorts : list symbol_sort) (phi : meaning) (nu : valuation).

(** ** What an execution does beside the state that is described *)

Definition ends_alike (x y : Machine.outcome state) : Prop := match x, y with
  | Ok g, Ok s => fine_state P g /\ exists rn, alike (everything P) rn g s /\ (checks_leaks P -> all_mapped P rn g s)
  | Stop e, Stop e' => e = e'
  | _, _ => False end.
Lemma follows_fine rn g s i d k d' : fine_state P g -> alike (everything P) rn g s -> (checks_leaks P -> all_mapped P rn g s) -> tidy P s -> nth_error (instructions P) (location g) = Some i -> asked P i ->
  (forall r e b f, i = Allocate r e b f -> (r < length (Machine.values g))%nat /\ has_name P e = false) ->
  elsewhere k d d' -> ends_alike (step P under g d) (step P under s d').
Proof.
  intros F A Mp T E As Na El. pose proof (follows P under rn g s i d k d' A (fine_tidy _ _ F) T E As El) as X. unfold ends_alike.
  destruct (step P under g d) as [g'|e] eqn:Sg, (step P under s d') as [s'|e'] eqn:Ss; auto. split; [eapply step_fine; eauto|].
  destruct X as (rn' & Mr & X). exists rn'. split; [exact X|]. intros Ck. apply (mapped_on P under rn rn' g s g' s' d d' (Mp Ck) A X Mr Sg Ss).
  intros r e b f I. rewrite E in I. injection I as ->. exact (Na r e b f eq_refl).
Qed.
(** Leaks are seen in both or in none. *)
Lemma leaks_same rn g s roots : fine_state P g -> alike (everything P) rn g s -> all_mapped P rn g s -> pointers_exist s -> inside_state s ->
  check_leaks P g roots = Ok (next_location g) /\ check_leaks P s roots = Ok (next_location s) \/ check_leaks P g roots = fails Leak /\ check_leaks P s roots = fails Leak.
Proof.
  intros F A Mp Es Is. pose proof (fine_exist _ _ F) as Eg. pose proof (fine_inside _ _ F) as Ig. pose proof (fine_named _ _ F) as Ng.
  destruct (found_or_lost P g roots Ig Eg) as [All|(o & W & N)].
  - left. split; [apply no_leaks_exactly; auto|]. apply no_leaks_exactly; auto. eapply all_found_alike; eauto.
  - right. split; [apply leaks_exactly; eauto|]. apply leaks_exactly; auto. eapply lost_alike; eauto.
Qed.
Lemma next_fine g : fine_state P g -> fine_state P (next_location g).
Proof. intros [F1 F2 F3 F4 F5 F6]. split; [apply next_tidy; exact F1 | exact F2 | exact F3 | exact F4 | exact F5 | exact F6]. Qed.
Lemma leaks_follow rn g s roots d d' : fine_state P g -> alike (everything P) rn g s -> (checks_leaks P -> all_mapped P rn g s) -> as_executed P s ->
  nth_error (instructions P) (location g) = Some (CheckLeaks roots) -> ends_alike (step P under g d) (step P under s d').
Proof.
  intros F A Mp [_ Ex] E. assert (Ck : checks_leaks P) by (exists roots; eapply nth_error_In; exact E). destruct (Ex Ck) as [Es Is].
  unfold step. rewrite (same_location _ _ _ _ A), E. destruct (leaks_same rn g s roots F A (Mp Ck) Es Is) as [[-> ->]|[-> ->]]; [|reflexivity].
  split; [apply next_fine; exact F|]. exists rn. split; [apply next_alike; exact A|]. intros _. destruct (Mp Ck) as [M1 M2]. split; [exact M1 | exact M2].
Qed.
(** What is said of executions' states is asked of no instruction but of these. *)
Definition asked_of i := match i with CheckLeaks _ => True | i => asked P i end.
Theorem steps_as m s i : denotes_state P sorts nu phi m s -> as_executed P s -> nth_error (instructions P) (place_of m) = Some i -> asked_of i ->
  (forall r e b f, i = Allocate r e b f -> (r < length (slots m))%nat /\ has_name P e = false) -> exists g rho roots lasts cells, fine_state P g /\ describes_by P sorts nu phi m rho roots lasts cells g /\
    (forall d, exists d0, number d0 = number d /\ start d0 = 0 /\ ends_alike (step P under g d0) (step P under s d)) /\
    (forall d0, exists d, ends_alike (step P under g d0) (step P under s d)).
Proof.
  intros (g & rn & F & (rho & ro & la & ce & D) & A & Mp) T E As Na. exists g, rho, ro, la, ce. split; auto. split; auto.
  pose proof (is_at _ _ _ _ _ _ _ _ _ _ D) as La. rewrite <- La in E.
  assert (Na' : forall r e b f, i = Allocate r e b f -> (r < length (Machine.values g))%nat /\ has_name P e = false) by (rewrite (register_count _ _ _ _ _ _ _ _ _ _ D); exact Na).
  assert (Ends : forall d k d', elsewhere k d d' -> ends_alike (step P under g d) (step P under s d')).
  { intros d k d' El. destruct i; try (eapply follows_fine; eauto; apply T; fail). eapply leaks_follow; eauto. }
  split.
  - intros d. exists (moved (- start d) d). split; auto. split; [apply Z.add_opp_diag_r|]. exact (Ends _ _ _ (elsewhere_moved (start d) d)).
  - intros d0. exists (moved 0 d0). exact (Ends _ _ _ (moved_elsewhere 0 d0)).
Qed.
Lemma ends_denoted m rho roots lasts cells g s : describes_by P sorts nu phi m rho roots lasts cells g -> ends_alike (Ok g) (Ok s) -> denotes_state P sorts nu phi m s.
Proof. intros D [F (rn & A & Mp)]. exists g, rn. split; auto. split; [exists rho, roots, lasts, cells; exact D | auto]. Qed.

(** ** Registers that change *)

(** Objects and parts stay: all that is said of memory is said still. *)
Theorem registers_change m m' rho roots lasts cells g g' : describes_by P sorts nu phi m rho roots lasts cells g ->
  named m' = named m -> parts m' = parts m -> memory g' = memory g -> current g' = current g -> location g' = place_of m' ->
  length (Machine.values g') = length (slots m') -> (forall r, means nu m rho roots lasts (slot_at m' r) (register g' r)) ->
  describes_by P sorts nu phi m' rho roots lasts cells g'.
Proof.
  intros [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14] N Q Me Cu L C R. destruct m' as [l' sl' nm' pt']. simpl in N, Q. subst nm' pt'. destruct g' as [lg vg mg cg]. simpl in Me, Cu. subst mg cg.
  split; [exact L | exact C | exact D3 | exact R | exact D5 | | exact D7 | exact D8 | exact D9 | | exact D11 | exact D12 | exact D13 | exact D14].
  - intros o x E. destruct (D6 o x E) as [A1 A2 A3 A4 A5 A6]. split; assumption.
  - intros f q E. destruct (D10 f q E) as (fp & Pm & D). exists fp. split; auto.
    assert (Sc : forall c, In c fp -> same_cell g {| location := lg; Machine.values := vg; memory := memory g; current := current g |} c) by (intros c _; split; auto).
    destruct (nth_error sorts (symbol q)) as [[s|s]|]; auto.
    + destruct D as (B & L' & T). split; auto. split; auto. eapply tree_stays; [exact T | exact Sc].
    + eapply context_stays; [exact D | exact Sc].
Qed.
Lemma register_set g r v q : register (set g r v) q = if Nat.eqb q r && Nat.ltb r (length (Machine.values g)) then v else register g q.
Proof. unfold register, set. simpl. apply nth_replace. Qed.
End RegisterSteps.
