(** Twin (spec/calculus.md#twin, Lemma 7): a scapegoat on a smaller input that
    is alike, as far as the rest of the program can tell, fails wherever the
    primary can. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Sorts Programs Machine Inputs Runs Existing Tidy Alike Owed.
Import ListNotations.
Open Scope Z_scope.

Section Twins.
Variable P : program.
Variable under : parameters.

(** ** What an instruction reads, writes and leads to *)

Definition of_operand o := match o with Register r => [r] | Number _ => [] end.
Definition of_pointer_operand o := match o with PointerRegister r => [r] | NullPointer => [] end.
Definition read_by i : list nat := match i with
  | Branch (Integers _ a b) _ _ | Compute _ _ a b => of_operand a ++ of_operand b
  | Branch (PointersCompared _ a b) _ _ => of_pointer_operand a ++ of_pointer_operand b
  | Assign _ o | Allocate _ _ o _ => of_operand o
  | Copy _ q => [q]
  | Advance _ p o _ => p :: of_operand o
  | Distance _ p q _ => [p; q]
  | Load _ a _ => [a]
  | Store a _ r => [a; r]
  | Free r => [r]
  | CheckLeaks roots => roots
  | _ => [] end.
Definition written_by i : option nat := match i with
  | Assign r _ | Compute r _ _ _ | Havoc r | Uninitialise r | SetNull r | Copy r _ | Address r _ | Advance r _ _ _
  | Distance r _ _ _ | Load r _ _ | Allocate r _ _ _ => Some r
  | _ => None end.
Definition leads_to i l : list nat := match i with
  | Jump m => [m]
  | Branch _ m n | Choose m n => [m; n]
  | Halt | Fail | Ignore => []
  | _ => [S l] end.

Ltac splits H := unfold bind, fails in H; repeat match type of H with
  | match ?x with _ => _ end = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | (if ?x then _ else _) = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | Ok _ = Ok _ => injection H as <- end.

Lemma kill_current_location s d : location (kill_current s d) = location s.
Proof. unfold kill_current. destruct (nth d (current s) None); auto. Qed.
Lemma step_leads s d s' i : nth_error (instructions P) (location s) = Some i -> step P under s d = Ok s' ->
  In (location s') (leads_to i (location s)).
Proof.
  intros E H. unfold step in H. rewrite E in H.
  destruct i; try discriminate; try (splits H; (simpl; auto; fail)); simpl leads_to;
  unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in H; cbv zeta in H;
  try match type of H with (if match ?o with _ => _ end then _ else _) = _ => match type of H with (if ?b then _ else _) = _ => destruct b end end;
  try (splits H; (simpl; auto; fail)).
  - destruct (condition_holds P s d c) as [[]|]; try discriminate; splits H; simpl; auto.
  - splits H; destruct (number d =? 0); simpl; auto.
  - splits H; simpl; rewrite ?kill_current_location; auto.
  - injection H as <-. rewrite kill_current_location. simpl. auto.
Qed.

(** ** The rest of the program from a location *)

Inductive use := Reads | Renews | Neither.
Inductive meets (what : instruction -> use) : nat -> Prop :=
| meets_here l i : nth_error (instructions P) l = Some i -> what i = Reads -> meets what l
| meets_later l i m : nth_error (instructions P) l = Some i -> what i = Neither -> In m (leads_to i l) -> meets what m -> meets what l.

Definition register_use r i := if mem r (read_by i) then Reads else match written_by i with
  | Some q => if Nat.eqb q r then Renews else Neither | None => Neither end.
Definition name_use d i := match i with
  | Address _ e => if Nat.eqb e d then Reads else Neither
  | Enter e => if Nat.eqb e d then Renews else Neither
  | _ => Neither end.
(** What the rest of the program reads and addresses, and all elements. *)
Definition ahead l : knowledge := {|
  knows_register := fun r => meets (register_use r) l;
  knows_element := fun _ _ _ => True;
  knows_name := fun d => meets (name_use d) l |}.

Hypothesis formed : locals_formed P.
Hypothesis no_leak_checks : ~ checks_leaks P.

Section Instruction.
Variables (l : nat) (i : instruction).
Hypothesis at_l : nth_error (instructions P) l = Some i.

Lemma reads_ahead r : In r (read_by i) -> knows_register (ahead l) r.
Proof.
  intros I. apply meets_here with i; auto. unfold register_use.
  assert (M : mem r (read_by i) = true); [|rewrite M; reflexivity].
  unfold mem. apply existsb_exists. exists r. split; auto. apply Nat.eqb_refl.
Qed.
Lemma asks_ahead s : asks P (ahead l) s i.
Proof.
  pose proof reads_ahead as R. pose proof (nth_error_In _ _ at_l) as I.
  assert (O : forall o, incl (of_operand o) (read_by i) -> known_operand (ahead l) o).
  { intros [r|z] H; simpl; auto. apply R, H. simpl; auto. }
  assert (O' : forall o, incl (of_pointer_operand o) (read_by i) -> known_pointer_operand (ahead l) o).
  { intros [r|] H; simpl; auto. apply R, H. simpl; auto. }
  destruct i; simpl in *; auto; try (repeat split; auto; fail).
  - destruct c; simpl in *; split; auto using incl_appl, incl_appr, incl_refl.
  - destruct value; auto. apply R. simpl; auto.
  - split; auto using incl_appl, incl_appr, incl_refl.
  - apply meets_here with (Address target object); auto. simpl. rewrite Nat.eqb_refl. auto.
  - split; auto. apply O. apply incl_tl, incl_refl.
  - apply O, incl_refl.
  - apply (entries_formed P formed). auto.
  - apply (entries_formed P formed). auto.
  - apply no_leak_checks. exists roots. auto.
Qed.

(** Behind the step all that the rest of the program asks for is known. *)
Lemma register_kept m r : In m (leads_to i l) -> knows_register (ahead m) r ->
  written_by i = Some r \/ written_by i <> Some r /\ knows_register (ahead l) r.
Proof.
  intros M H. destruct (mem r (read_by i)) eqn:E.
  - destruct (written_by i) as [q|]; [destruct (Nat.eq_dec q r) as [->|]; [auto|]|]; right; (split; [congruence|]);
    apply meets_here with i; auto; unfold register_use; rewrite E; auto.
  - destruct (written_by i) as [q|] eqn:W; [destruct (Nat.eqb_spec q r) as [->|N]; [auto|]|]; right; (split; [congruence|]);
    apply meets_later with i m; auto; unfold register_use; rewrite E, W; auto.
    apply Nat.eqb_neq in N. rewrite N. auto.
Qed.
Lemma after_registers s m r : In m (leads_to i l) -> knows_register (ahead m) r -> knows_register (after P (ahead l) s i) r.
Proof.
  intros M H. pose proof (register_kept m r M H) as X. pose proof reads_ahead as R.
  destruct i; simpl in *;
  try (destruct X as [[= ->]|[N X]]; [left; auto | right; split; [congruence | exact X]]; fail);
  try (destruct X as [X|[_ X]]; [discriminate | exact X]).
  - destruct X as [[= ->]|[N X]]; [left; split; auto | right; split; [congruence | exact X]].
    unfold is_loaded. simpl. auto.
  - destruct (place _ _ _ _ _) as [[[q f] t]|]; destruct X as [X|[_ X]]; try discriminate; exact X.
Qed.
Lemma after_elements s o f j : knows_element (after P (ahead l) s i) o f j.
Proof.
  pose proof reads_ahead as R. destruct i; simpl; auto.
  destruct (place _ _ _ _ _) as [[[q g] t]|]; simpl; auto.
  assert (D : {(o, f, j) = (target q, g, index q)} + {(o, f, j) <> (target q, g, index q)}) by (repeat decide equality).
  destruct D; [left | right]; split; auto. apply R. simpl; auto.
Qed.
Lemma after_names s d : knows_name (after P (ahead l) s i) d <-> knows_name (ahead l) d.
Proof. destruct i; simpl; try tauto. destruct (place _ _ _ _ _) as [[[q g] t]|]; simpl; tauto. Qed.
Lemma name_kept m d : In m (leads_to i l) -> knows_name (ahead m) d -> (forall e, i = Enter e -> e <> d) -> knows_name (ahead l) d.
Proof.
  intros M H N. destruct (name_use d i) eqn:E.
  - apply meets_here with i; auto.
  - unfold name_use in E. destruct i; try discriminate; [destruct (Nat.eqb object d); discriminate|].
    destruct (Nat.eqb_spec object d); try discriminate. destruct (N object eq_refl e).
  - apply meets_later with i m; auto.
Qed.
Lemma ahead_after s m : In m (leads_to i l) -> is_enter i = false -> weaker_knowledge (ahead m) (after P (ahead l) s i).
Proof.
  intros M E. split; [|split].
  - intros r. apply after_registers; auto.
  - intros. apply after_elements.
  - intros d H. apply after_names. eapply name_kept; eauto. intros e ->. discriminate.
Qed.
Lemma ahead_after_object s m n d : In m (leads_to i l) -> is_create i d ->
  weaker_knowledge (ahead m) (learn_object n d (after P (ahead l) s i)).
Proof.
  intros M E. split; [|split]; simpl.
  - intros r. apply after_registers; auto.
  - intros. right. apply after_elements.
  - intros e H. destruct (Nat.eq_dec e d); [auto|]. right. apply after_names. eapply name_kept; eauto.
    intros c ->. simpl in E. congruence.
Qed.
End Instruction.

(** ** Lemma 7 *)

Definition twins s s' := tidy P s /\ tidy P s' /\ exists rho, alike (ahead (location s)) rho s s'.
Definition same_choices (d : decision) := moved 0 d.

Theorem twins_step s s' d : twins s s' ->
  outcome_alike twins (step P under s d) (step P under s' (same_choices d)).
Proof.
  intros (T & T' & rho & A). destruct (nth_error (instructions P) (location s)) as [i|] eqn:E.
  - pose proof (step_alike P under _ rho s s' i 0 d (same_choices d) T T' A (moved_elsewhere 0 d) E (asks_ahead _ _ E s)) as X.
    destruct (step P under s d) as [s1|e] eqn:S1, (step P under s' (same_choices d)) as [s1'|e'] eqn:S1'; simpl in *; auto.
    split; [exact (step_tidy P under formed _ _ _ T S1)|]. split; [exact (step_tidy P under formed _ _ _ T' S1')|].
    pose proof (step_leads _ _ _ _ E S1) as L. destruct X as (rho' & _ & [(N & _ & B)|(e & C & B)]); exists rho'.
    + eapply alike_weaker; [apply ahead_after; eauto | exact B].
    + eapply alike_weaker; [apply ahead_after_object; eauto | exact B].
  - unfold step. rewrite (same_location _ _ _ _ A), E. reflexivity.
Qed.

Definition twin_executions (x y : execution) : Prop := match x, y with
  | Running s, Running s' => twins s s' | Over e, Over e' => e = e' | _, _ => False end.
Theorem twins_simulate : simulates (system_of P under) twin_executions.
Proof.
  intros [s|e] [s'|e']; simpl; try contradiction.
  - intros H. split; [contradiction|]. intros k x' (d & _ & ->). pose proof (twins_step s s' d H) as X.
    eexists. eexists. split; [exists (same_choices d); split; reflexivity|].
    destruct (step P under s d), (step P under s' (same_choices d)); simpl in *; auto; contradiction.
  - intros ->. split; auto. intros k x' H. contradiction.
Qed.

(** What a configuration has to say of a scapegoat for Twin: it is on a smaller
    input, and alike.  That executions are tidy needs no saying. *)
Theorem twin configuration (shows : configuration -> run (system_of P under) -> scapegoats (system_of P under) -> Prop) c :
  (forall t ts, denotes _ _ shows c t ts -> exists r s s' rho, In (Smaller, r) ts /\
    last _ t = Running s /\ last _ r = Running s' /\ alike (ahead (location s)) rho s s') ->
  sound_twin _ _ shows c.
Proof.
  intros H. apply twin_by_simulation with (like := twin_executions); [apply twins_simulate|].
  intros t ts D. destruct (H t ts D) as (r & s & s' & rho & I & Et & Er & A). exists r. split; auto. rewrite Et, Er.
  assert (G : forall u v, genuine (system_of P under) u -> last _ u = Running v -> tidy P v).
  { intros u v G. revert v. induction G as [x He | o n x k y _ IH Hs]; simpl; intros v.
    - intros ->. destruct He as (vs & w & Ew & Ex). injection Ex as ->. eapply entry_tidy; eauto.
    - intros ->. destruct x as [w|e]; simpl in Hs; [|contradiction]. destruct Hs as (d & _ & Hs).
      destruct (step P under w d) as [w'|] eqn:S1; [|discriminate]. injection Hs as ->.
      eapply step_tidy; [eassumption | | exact S1]. apply IH. reflexivity. }
  destruct D as [[Gt Gts] _]. rewrite Forall_forall in Gts. destruct (Gts _ I) as [Gr _].
  split; [exact (G t s Gt Et) | split; [exact (G r s' Gr Er) | exists rho; exact A]].
Qed.
End Twins.
