(** Lemmas of a proof (spec/calculus.md#lemmas): where the program with an
    assertion more is safe, the program is. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Sorts Programs Machine Inputs Runs Existing Tidy.
Import ListNotations.

(** ** The program with a lemma *)

Definition with_instructions P is := {| registers := registers P; layouts := layouts P; objects := objects P; tables := tables P; inputs := inputs P; instructions := is |}.
(** The instruction becomes a branch; behind the program come a failure, the
    instruction, and a jump behind its place. *)
Definition lemma_instructions (is : list instruction) l c i :=
  let n := length is in replace is l (Branch c (S n) n) ++ [Fail; i; Jump (S l)].
Definition with_lemma P l c := match nth_error (instructions P) l with
  | Some i => with_instructions P (lemma_instructions (instructions P) l c i) | None => P end.
Definition with_lemmas P ls := fold_left (fun P (l : nat * condition) => with_lemma P (fst l) (snd l)) ls P.

(** ** One instruction, wherever it stands *)

Section Instruction.
Variable P : program.
Variable under : parameters.
Definition execute_one s d i : outcome state := match i with
  | Jump l => Ok (go l s)
  | Branch c l m => bind (condition_holds P s d c) (fun b => Ok (go (if b : bool then l else m) s))
  | Choose l m => Ok (go (if Z.eqb (number d) 0 then l else m) s)
  | Halt => Stop Halted
  | Fail => fails ProgramFailed
  | Ignore => Stop Ignored
  | Assign r o => assign P s r o
  | Compute r op a b => compute_in P under s r op a b
  | Havoc r => Ok (set s r (Integer (wrap (integer_type_of P r) (number d))))
  | Uninitialise r => Ok (set s r Uninitialised)
  | SetNull r => Ok (set s r Null)
  | Copy r q => Ok (set s r (register s q))
  | Address r o => address s r o
  | Advance r p i scale => advance P under s r p i scale
  | Distance r p q scale => distance P s r p q scale
  | Load r a off => load P s r a off
  | Store a off r => store P s a off r
  | Allocate r o b f => allocate P under s r o b f d
  | Free r => free P s r
  | Enter o => enter P s o d
  | Leave o => leave s o
  | CheckLeaks roots => check_leaks P s roots end.
Lemma step_executes s d : Machine.step P under s d = match nth_error (instructions P) (location s) with None => Stop Unsupported | Some i => execute_one s d i end.
Proof. reflexivity. Qed.

Definition jumps i := match i with Jump _ | Branch _ _ _ | Choose _ _ => true | _ => false end.
Definition targets_of i := match i with Jump l => [l] | Branch _ l m | Choose l m => [l; m] | _ => [] end.
Lemma reached_same s k roots : reached P (go k s) roots = reached P s roots.
Proof.
  assert (R : forall rounds found, reach (go k s) rounds found = reach s rounds found) by (induction rounds as [|r IH]; intros found; [reflexivity | apply (IH (add_new (flat_map (leads_on s) found) found))]).
  unfold reached. rewrite R. reflexivity.
Qed.
(** Where it stands it does the same, and goes on behind itself if it does not
    say where. *)
Lemma execute_elsewhere s d i k : execute_one (go k s) d i = match execute_one s d i with
  | Stop e => Stop e | Ok s' => Ok (if jumps i then s' else go (S k) s') end.
Proof.
  destruct i; try reflexivity.
  - simpl. change (condition_holds P (go k s) d c) with (condition_holds P s d c). destruct (condition_holds P s d c); reflexivity.
  - destruct value as [q|z]; [|reflexivity]. simpl. unfold assign, use_integer. cbv zeta. change (register (go k s) q) with (register s q).
    destruct (register s q); simpl; try reflexivity. destruct (type_of P q), (type_of P target); try reflexivity. destruct (integer_type_eqb _ _); reflexivity.
  - simpl. unfold compute_in. cbv zeta. change (use_integer (go k s)) with (use_integer s). destruct (use_integer s left); [|reflexivity]. simpl. destruct (use_integer s right); [|reflexivity]. simpl.
    destruct (compute _ _ _ _); try reflexivity. destruct (on_overflow under); [|destruct (signed _)]; reflexivity.
  - simpl. unfold address. simpl. destruct (nth object (current s) None); reflexivity.
  - simpl. unfold advance. change (use_pointer (go k s)) with (use_pointer s). change (use_integer (go k s)) with (use_integer s). destruct (use_pointer s base); [|reflexivity]. simpl. destruct (use_integer s index); [|reflexivity]. simpl.
    destruct a; [|destruct (Z.eqb _ _); reflexivity]. cbv zeta. change (move P (go k s)) with (move P s). change (object_at (go k s)) with (object_at s). destruct (formation under); [reflexivity|]. destruct (_ || _); reflexivity.
  - simpl. unfold distance. change (use_pointer (go k s)) with (use_pointer s). change (address_in P (go k s)) with (address_in P s). destruct (use_pointer s left); [|reflexivity]. simpl. destruct (use_pointer s right); [|reflexivity]. simpl.
    destruct (match a with Some _ => _ | None => _ end); [|reflexivity]. simpl. destruct (negb _); [reflexivity|]. destruct (is_within _ _); reflexivity.
  - simpl. unfold load. change (place P (go k s)) with (place P s). destruct (place P s address offset (type_of P target)) as [[[q f] t]|]; [|reflexivity]. simpl. change (object_at (go k s)) with (object_at s).
    destruct (is_inside _ _); [|reflexivity]. destruct (convert _ _ _); reflexivity.
  - simpl. unfold store. change (place P (go k s)) with (place P s). destruct (place P s address offset (type_of P source)) as [[[q f] t]|]; [|reflexivity]. simpl. change (object_at (go k s)) with (object_at s). change (register (go k s)) with (register s).
    destruct (may_write _ _); [|reflexivity]. destruct (convert _ _ _); [|reflexivity]. simpl. destruct (is_inside _ _); reflexivity.
  - simpl. unfold allocate. cbv zeta. change (use_integer (go k s)) with (use_integer s). destruct (use_integer s bytes); [|reflexivity]. simpl. destruct (Z.ltb _ _); [reflexivity|].
    match goal with |- context [if ?b then Ok (set (go k s) _ _) else _] => destruct b end; [reflexivity|]. match goal with |- context [if ?b then Stop Unsupported else _] => destruct b end; reflexivity.
  - simpl. unfold free. change (use_pointer (go k s)) with (use_pointer s). destruct (use_pointer s pointer) as [[p|]|]; try reflexivity. simpl. change (object_at (go k s)) with (object_at s). destruct (_ && _ && _); reflexivity.
  - simpl. unfold enter. destruct (origin_of _); try reflexivity. unfold kill_current. simpl. destruct (nth object (current s) None); reflexivity.
  - simpl. unfold leave, kill_current. simpl. destruct (nth object (current s) None); reflexivity.
  - simpl. unfold check_leaks. cbv zeta. rewrite reached_same.
    match goal with |- context [existsb ?f (all_objects (go k s))] =>
      change (existsb f (all_objects (go k s))) with (existsb (fun o => is_owed P s o && negb (mem o (reached P s roots))) (all_objects s)) end.
    destruct (existsb _ _); reflexivity.
Qed.
Lemma execute_location s d i s' : execute_one s d i = Ok s' -> if jumps i then In (location s') (targets_of i) else location s' = S (location s).
Proof.
  intros E. destruct (jumps i) eqn:J.
  - destruct i; try discriminate; simpl in *.
    + injection E as <-. simpl. auto.
    + unfold bind in E. destruct (condition_holds P s d c) as [b|]; [|discriminate]. injection E as <-. destruct b; simpl; auto.
    + injection E as <-. destruct (Z.eqb _ _); simpl; auto.
  - pose proof (execute_elsewhere s d i (location s)) as X. rewrite E, J in X. assert (Z0 : go (location s) s = s) by (destruct s; reflexivity). rewrite Z0, E in X. injection X as X. rewrite X. reflexivity.
Qed.
End Instruction.

(** ** Safe with the lemma, safe without *)

Section Lemma_.
Variable P : program.
Variable under : parameters.
Variables (l : nat) (c : condition) (i : instruction).
Hypothesis there : nth_error (instructions P) l = Some i.
(** Well-formedness: what leads to somewhere leads to an instruction. *)
Hypothesis leads_inside : forall j k, In j (instructions P) -> In k (targets_of j) -> (k < length (instructions P))%nat.
Notation n := (length (instructions P)).
Notation P' := (with_instructions P (lemma_instructions (instructions P) l c i)).
Lemma execute_same s d j : execute_one P' under s d j = execute_one P under s d j.
Proof. reflexivity. Qed.
Lemma entries_same vs : entry_state P' vs = entry_state P vs.
Proof. reflexivity. Qed.
Lemma lemma_inside : (l < n)%nat.
Proof. apply nth_error_Some. congruence. Qed.
Lemma nth_error_replace {A} (is : list A) k x j : nth_error (replace is k x) j = if Nat.eqb j k && Nat.ltb k (length is) then Some x else nth_error is j.
Proof. revert k j. induction is as [|y is IH]; intros [|k] [|j]; simpl; auto; try (destruct (Nat.eqb _ _); reflexivity). rewrite IH. reflexivity. Qed.
Lemma other_instruction k : (k < n)%nat -> k <> l -> nth_error (instructions P') k = nth_error (instructions P) k.
Proof.
  intros L N. simpl. unfold lemma_instructions. rewrite nth_error_app1 by (rewrite replace_length; exact L). rewrite nth_error_replace. destruct (Nat.eqb_spec k l); [contradiction | reflexivity].
Qed.
Lemma at_lemma : nth_error (instructions P') l = Some (Branch c (S n) n).
Proof.
  simpl. unfold lemma_instructions. rewrite nth_error_app1 by (rewrite replace_length; apply lemma_inside). rewrite nth_error_replace, Nat.eqb_refl.
  pose proof lemma_inside as L. apply Nat.ltb_lt in L. rewrite L. reflexivity.
Qed.
Lemma behind k : nth_error (instructions P') (n + k) = nth_error [Fail; i; Jump (S l)] k.
Proof. simpl. unfold lemma_instructions. rewrite nth_error_app2 by (rewrite replace_length; lia). rewrite replace_length. f_equal. lia. Qed.
Lemma at_failure : nth_error (instructions P') n = Some Fail.
Proof. pose proof (behind 0) as B. rewrite Nat.add_0_r in B. exact B. Qed.
Lemma at_moved : nth_error (instructions P') (S n) = Some i.
Proof. pose proof (behind 1) as B. rewrite Nat.add_1_r in B. exact B. Qed.
Lemma at_return : nth_error (instructions P') (S (S n)) = Some (Jump (S l)).
Proof. pose proof (behind 2) as B. replace (n + 2)%nat with (S (S n)) in B by lia. exact B. Qed.

Notation system := (system_of P under).
Notation system' := (system_of P' under).
Hypothesis safe_with : safe system'.
Lemma goes_on o k s d s' : genuine system' (Run system' o k (Running s)) -> Machine.step P' under s d = Ok s' -> exists k', genuine system' (Run system' o k' (Running s')).
Proof.
  intros G E. eexists. eapply genuine_step with (Sys := system'); [exact G|]. exists d. rewrite E. split; reflexivity.
Qed.
Lemma no_failure o k s d e : genuine system' (Run system' o k (Running s)) -> Machine.step P' under s d = Stop e -> has_failed (Over e) -> False.
Proof.
  intros G E F. refine (safe_with (Run system' o _ (Over e)) _ F). eapply genuine_step with (Sys := system'); [exact G|]. exists d. rewrite E. split; reflexivity.
Qed.
Definition nothing := {| number := 0%Z; start := 0%Z; fills := fun _ _ => 0%Z |}.
Lemma condition_fails s d e : condition_holds P s d c = Stop e -> exists f, e = Failed f.
Proof.
  assert (U : forall x e, use_integer s x = Stop e -> exists f, e = Failed f).
  { intros [r|z] e'; simpl; [|discriminate]. destruct (register s r); try discriminate; intros [= <-]; eauto. }
  assert (V : forall x e, use_pointer_operand s x = Stop e -> exists f, e = Failed f).
  { intros [r|] e'; simpl; [|discriminate]. unfold use_pointer. destruct (register s r); try discriminate; try (intros [= <-]; eauto). destruct (is_live s (target p)); [discriminate | intros [= <-]; eauto]. }
  destruct c as [r a b|r a b]; simpl; unfold bind.
  - destruct (use_integer s a) eqn:A; [|intros [= <-]; eauto]. destruct (use_integer s b) eqn:B; [discriminate | intros [= <-]; eauto].
  - destruct (use_pointer_operand s a) as [p|] eqn:A; [|intros [= <-]; eauto]. destruct (use_pointer_operand s b) as [q|] eqn:B; [|intros [= <-]; eauto].
    destruct (same_object p q) as [[p' q']|]; [discriminate|]. destruct r, p, q; try discriminate; intros [= <-]; eauto.
Qed.

(** An execution of the program is one of the other, with branches and jumps in
    between. *)
Definition follows (r : run system) := match last system r with
  | Running s => (location s <= n)%nat /\ exists k, genuine system' (Run system' (Herds.origin system r) k (Running s))
  | Over e => ~ has_failed (Over e) end.
Lemma execution_follows r : genuine system r -> follows r.
Proof.
  induction 1 as [x E | o k x j y G IH S].
  - destruct E as (vs & s & Es & ->). simpl. split.
    + unfold entry_state in Es. destruct (load_inputs _ _ _ _); [|discriminate]. injection Es as <-. simpl. lia.
    + exists O. apply (genuine_entry system'). exists vs, s. split; [exact Es | reflexivity].
  - unfold follows in IH. simpl in IH. destruct x as [s|e]; [|destruct S]. destruct IH as [L (k' & G')]. destruct S as (d & -> & ->).
    unfold follows. cbn [last Herds.origin]. rewrite step_executes.
    destruct (Nat.eq_dec (location s) l) as [El|Nl].
    + rewrite El, there. pose proof (step_executes P' under s d) as St. rewrite El, at_lemma in St. simpl in St. change (condition_holds P' s d c) with (condition_holds P s d c) in St.
      destruct (condition_holds P s d c) as [b|e] eqn:C.
      * simpl in St. destruct (goes_on o k' s d _ G' St) as (k1 & G1). destruct b.
        -- pose proof (step_executes P' under (go (S n) s) d) as S2. change (location (go (S n) s)) with (S n) in S2. rewrite at_moved in S2.
           change (Machine.step P' under (go (S n) s) d = execute_one P under (go (S n) s) d i) in S2. rewrite execute_elsewhere in S2.
           destruct (execute_one P under s d i) as [s'|e'] eqn:X.
           ++ pose proof (execute_location P under s d i s' X) as Lo. destruct (goes_on o k1 _ d _ G1 S2) as (k2 & G2). destruct (jumps i) eqn:J.
              ** split; [|eauto]. apply Nat.lt_le_incl. eapply leads_inside; [eapply nth_error_In; exact there | exact Lo].
              ** split; [rewrite Lo, El; apply lemma_inside|].
                 pose proof (step_executes P' under (go (S (S n)) s') d) as S3. change (location (go (S (S n)) s')) with (S (S n)) in S3. rewrite at_return in S3. cbn [execute_one] in S3.
                 destruct (goes_on o k2 _ d _ G2 S3) as (k3 & G3). exists k3. replace (go (S l) (go (S (S n)) s')) with s' in G3; [exact G3|]. destruct s'; simpl in *. rewrite Lo, El. reflexivity.
           ++ intros F. exact (no_failure o k1 _ d e' G1 S2 F).
        -- exfalso. pose proof (step_executes P' under (go n s) d) as S2. change (location (go n s)) with n in S2. rewrite at_failure in S2. cbn [execute_one] in S2.
           exact (no_failure o k1 _ d _ G1 S2 I).
      * simpl in St. destruct (condition_fails s d e C) as (f & ->). exfalso. exact (no_failure o k' s d _ G' St I).
    + pose proof (step_executes P' under s d) as St. destruct (Nat.eq_dec (location s) n) as [En|Nn].
      * exfalso. rewrite En, at_failure in St. exact (no_failure o k' s d _ G' St I).
      * rewrite (other_instruction (location s)) in St by lia. destruct (nth_error (instructions P) (location s)) as [j0|] eqn:Ej; [|apply nth_error_None in Ej; lia].
        change (execute_one P' under s d j0) with (execute_one P under s d j0) in St. destruct (execute_one P under s d j0) as [s'|e] eqn:X.
        -- pose proof (execute_location P under s d j0 s' X) as Lo. split; [|exact (goes_on o k' s d s' G' St)].
           destruct (jumps j0); [apply Nat.lt_le_incl; eapply leads_inside; [eapply nth_error_In; exact Ej | exact Lo] | lia].
        -- intros F. exact (no_failure o k' s d e G' St F).
Qed.
Lemma safe_without : safe system.
Proof. intros r G F. pose proof (execution_follows r G) as X. unfold follows in X. destruct (last system r) as [s|e]; [exact F | exact (X F)]. Qed.
End Lemma_.

(** Well-formedness of lemmas, as they are added. *)
Definition targets_inside P := forall j k, In j (instructions P) -> In k (targets_of j) -> (k < length (instructions P))%nat.
Theorem lemma_sound P under l c : targets_inside P -> safe (system_of (with_lemma P l c) under) -> safe (system_of P under).
Proof. intros T S. unfold with_lemma in S. destruct (nth_error (instructions P) l) as [i|] eqn:E; [|exact S]. eapply safe_without; eauto. Qed.
Lemma lemma_targets P l c : targets_inside P -> targets_inside (with_lemma P l c).
Proof.
  intros T. unfold with_lemma. destruct (nth_error (instructions P) l) as [i|] eqn:E; [|exact T]. assert (L : (l < length (instructions P))%nat) by (apply nth_error_Some; congruence).
  intros j k Ij Ik. simpl in *. unfold lemma_instructions in *. rewrite app_length, replace_length. simpl. apply in_app_or in Ij as [Ij|[<-|[<-|[<-|[]]]]].
  - assert (X : j = Branch c (S (length (instructions P))) (length (instructions P)) \/ In j (instructions P)).
    { clear - Ij. revert l Ij. generalize (Branch c (S (length (instructions P))) (length (instructions P))) as b. induction (instructions P) as [|y is IH]; intros b [|l] Ij; simpl in *; try contradiction; intuition.
      destruct (IH b l H); auto. }
    destruct X as [->|X]; [simpl in Ik; lia|]. specialize (T j k X Ik). lia.
  - destruct Ik.
  - specialize (T i k (nth_error_In _ _ E) Ik). lia.
  - simpl in Ik. lia.
Qed.
Theorem lemmas_sound under ls : forall P, targets_inside P -> safe (system_of (with_lemmas P ls) under) -> safe (system_of P under).
Proof.
  induction ls as [|[l c] ls IH]; intros P T S; [exact S|]. simpl in S. eapply lemma_sound; [exact T|]. apply IH; [apply lemma_targets; exact T | exact S].
Qed.
