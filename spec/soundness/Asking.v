(** Lemmas that ask for one failure (spec/calculus.md#asking-for-one-failure):
    before a failure stands the question whether a register holds what comes in
    anew.  Where the program with it is safe, the program is. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Members Bounds Entries Twins Lemmas.
Import ListNotations.

(** ** A program with a register more *)

(** The register has the type of register x, and an integer comes in there. *)
Definition with_register P x is := {| registers := registers P ++ [type_of P x]; layouts := layouts P; objects := objects P; tables := tables P;
  inputs := inputs P ++ [IntegerInput (length (registers P))]; instructions := is |}.
Definition wide v s := {| location := location s; Machine.values := Machine.values s ++ [v]; memory := memory s; current := current s |}.
Definition widened {A} (f : A -> A) (y : outcome A) := match y with Ok a => Ok (f a) | Stop e => Stop e end.

Definition mentioned_by i := read_by i ++ match written_by i with Some r => [r] | None => [] end.
Definition inside n rs := forall r, In r rs -> (r < n)%nat.

Section Wider.
Variable P : program.
Variable under : parameters.
Variable x : nat.
Variable is : list instruction.
Notation N := (length (registers P)).
Notation Q := (with_register P x is).

Lemma same_type r : (r < N)%nat -> type_of Q r = type_of P r.
Proof. intros L. unfold type_of. simpl. rewrite app_nth1; auto. Qed.
Lemma same_integer_type r : (r < N)%nat -> integer_type_of Q r = integer_type_of P r.
Proof. intros L. unfold integer_type_of. rewrite same_type; auto. Qed.
Lemma replace_app {A} (l : list A) r v w : (r < length l)%nat -> replace (l ++ [w]) r v = replace l r v ++ [w].
Proof. revert r. induction l as [|y l IH]; intros [|r] L; simpl in *; try lia; auto. rewrite IH by lia. reflexivity. Qed.
Lemma replace_last {A} (l : list A) v w : replace (l ++ [w]) (length l) v = l ++ [v].
Proof. induction l as [|y l IH]; simpl; auto. rewrite IH. reflexivity. Qed.

(** *** What an instruction does with it *)

Section State.
Variables (v : value) (s : Machine.state).
Hypothesis full : length (Machine.values s) = N.
Lemma same_register r : (r < N)%nat -> register (wide v s) r = register s r.
Proof. intros L. unfold register. simpl. apply app_nth1. lia. Qed.
Lemma same_set r w : (r < N)%nat -> set (wide v s) r w = wide v (set s r w).
Proof. intros L. unfold set, wide. simpl. rewrite replace_app by lia. reflexivity. Qed.
Lemma same_use o : inside N (of_operand o) -> use_integer (wide v s) o = use_integer s o.
Proof. intros L. destruct o as [r|z]; [|reflexivity]. simpl. rewrite same_register; [reflexivity | apply L; simpl; auto]. Qed.
Lemma same_use_pointer r : (r < N)%nat -> use_pointer (wide v s) r = use_pointer s r.
Proof. intros L. unfold use_pointer. rewrite same_register by exact L. reflexivity. Qed.
Lemma same_use_pointer_operand o : inside N (of_pointer_operand o) -> use_pointer_operand (wide v s) o = use_pointer_operand s o.
Proof. intros L. destruct o as [r|]; [|reflexivity]. simpl. apply same_use_pointer. apply L. simpl; auto. Qed.
Lemma inside_app rs qs : inside N (rs ++ qs) -> inside N rs /\ inside N qs.
Proof. intros L. split; intros r I; apply L, in_or_app; auto. Qed.
Lemma same_condition d c : inside N (read_by (Branch c 0 0)) -> condition_holds Q (wide v s) d c = condition_holds P s d c.
Proof.
  destruct c as [r a b|r a b]; simpl; intros L; apply inside_app in L as [La Lb].
  - rewrite !same_use by auto. reflexivity.
  - rewrite !same_use_pointer_operand by auto. reflexivity.
Qed.
Lemma same_reached roots : inside N roots -> reached Q (wide v s) roots = reached P s roots.
Proof.
  intros L. assert (R : forall k found, reach (wide v s) k found = reach s k found).
  { induction k as [|k IH]; intros found; [reflexivity | apply (IH (add_new (flat_map (leads_on s) found) found))]. }
  assert (F : flat_map (fun r => pointees_of (register (wide v s) r)) roots = flat_map (fun r => pointees_of (register s r)) roots).
  { rewrite !flat_map_concat_map. f_equal. apply map_ext_in. intros r I. rewrite same_register; auto. }
  unfold reached. rewrite F. apply R.
Qed.
Lemma same_place a off t : (a < N)%nat -> place Q (wide v s) a off t = place P s a off t.
Proof. intros L. unfold place. rewrite same_use_pointer by exact L. reflexivity. Qed.
Lemma same_leaks roots : inside N roots -> check_leaks Q (wide v s) roots = widened (wide v) (check_leaks P s roots).
Proof.
  intros L. unfold check_leaks. cbv zeta. rewrite same_reached by exact L.
  change (existsb (fun o => is_owed Q (wide v s) o && negb (mem o (reached P s roots))) (all_objects (wide v s)))
    with (existsb (fun o => is_owed P s o && negb (mem o (reached P s roots))) (all_objects s)).
  destruct (existsb _ _); reflexivity.
Qed.

Lemma execute_wide d i : inside N (mentioned_by i) -> execute_one Q under (wide v s) d i = widened (wide v) (execute_one P under s d i).
Proof.
  intros L. apply inside_app in L as [Lr Lw].
  assert (W : forall r, written_by i = Some r -> (r < N)%nat) by (intros r E; apply Lw; rewrite E; simpl; auto). clear Lw.
  destruct i; try reflexivity; cbn [execute_one] in *; cbn [written_by] in W; try (specialize (W _ eq_refl)).
  - change (read_by (Branch c then_ otherwise)) with (read_by (Branch c 0 0)) in Lr. rewrite same_condition by exact Lr. destruct (condition_holds P s d c) as [b|e]; [destruct b|]; reflexivity.
  - unfold assign. cbv zeta. rewrite same_type, same_integer_type by exact W. rewrite same_use by exact Lr. destruct value as [q|z]; [|simpl; rewrite same_set by exact W; reflexivity].
    assert (Lq : (q < N)%nat) by (apply Lr; simpl; auto). rewrite same_register, same_type by exact Lq.
    match goal with |- (if ?b then _ else _) = widened _ (if ?b then _ else _) => destruct b end; [rewrite same_set by exact W; reflexivity|].
    destruct (use_integer s (Register q)); simpl; rewrite ?same_set by exact W; reflexivity.
  - apply inside_app in Lr as [La Lb]. unfold compute_in. cbv zeta. rewrite same_integer_type by exact W. rewrite !same_use by assumption.
    destruct (use_integer s left); [|reflexivity]. simpl. destruct (use_integer s right); [|reflexivity]. simpl.
    destruct (compute _ _ _ _); try reflexivity; rewrite ?same_set by exact W; try reflexivity. destruct (on_overflow under); [|destruct (signed _)]; reflexivity.
  - simpl. rewrite same_integer_type, same_set by exact W. reflexivity.
  - simpl. rewrite same_set by exact W. reflexivity.
  - simpl. rewrite same_set by exact W. reflexivity.
  - simpl. rewrite same_register by (apply Lr; simpl; auto). rewrite same_set by exact W. reflexivity.
  - unfold address. change (current (wide v s)) with (current s). change (object_at (wide v s)) with (object_at s).
    destruct (nth object (current s) None); [|reflexivity]. rewrite same_set by exact W. reflexivity.
  - assert (Lb : (base < N)%nat) by (apply Lr; simpl; auto). assert (Li : inside N (of_operand index)) by (intros r I0; apply Lr; simpl; auto).
    unfold advance. rewrite same_use_pointer, same_use by assumption. destruct (use_pointer s base) as [[p|]|]; [| |reflexivity]; simpl; (destruct (use_integer s index); [|reflexivity]); simpl.
    + cbv zeta. change (move Q (wide v s)) with (move P s). change (object_at (wide v s)) with (object_at s). rewrite same_set by exact W.
      destruct (formation under); [reflexivity|]. match goal with |- (if ?a then _ else _) = widened _ (if ?b then _ else _) => change a with b; destruct b end; reflexivity.
    + rewrite same_set by exact W. destruct (Z.eqb _ _); reflexivity.
  - unfold distance. rewrite !same_use_pointer by (apply Lr; simpl; auto). change (address_in Q (wide v s)) with (address_in P s).
    destruct (use_pointer s left) as [p|]; [|reflexivity]. simpl. destruct (use_pointer s right) as [q|]; [|reflexivity]. simpl.
    destruct (match p with Some _ => _ | None => _ end); [|reflexivity]. simpl. destruct (negb _); [reflexivity|]. rewrite same_set by exact W. destruct (is_within _ _); reflexivity.
  - unfold load. rewrite same_type by exact W. rewrite same_place by (apply Lr; simpl; auto). change (object_at (wide v s)) with (object_at s).
    destruct (place P s address offset (type_of P target)) as [[[q f] t]|]; [|reflexivity]. simpl. destruct (is_inside _ _); [|reflexivity].
    destruct (convert _ _ _); [|reflexivity]. simpl. rewrite same_set by exact W. reflexivity.
  - assert (Ls : (source < N)%nat) by (apply Lr; simpl; auto). unfold store. rewrite same_type, same_register by exact Ls. rewrite same_place by (apply Lr; simpl; auto).
    change (object_at (wide v s)) with (object_at s). destruct (place P s address offset (type_of P source)) as [[[q f] t]|]; [|reflexivity]. simpl.
    change (may_write Q) with (may_write P). destruct (may_write _ _); [|reflexivity]. destruct (convert _ _ _); [|reflexivity]. simpl. destruct (is_inside _ _); reflexivity.
  - unfold allocate. cbv zeta. rewrite same_use by exact Lr. destruct (use_integer s bytes); [|reflexivity]. simpl. rewrite same_set by exact W.
    destruct (Z.ltb _ _); [reflexivity|]. match goal with |- (if ?a then _ else _) = widened _ (if ?b then _ else _) => change a with b; destruct b end; [reflexivity|].
    change (is_node Q object) with (is_node P object). change (layout_of_declaration Q object) with (layout_of_declaration P object).
    match goal with |- (if ?a then _ else _) = widened _ (if ?b then _ else _) => change a with b; destruct b end; [reflexivity|]. unfold create, wide, set. simpl. rewrite replace_app by lia. reflexivity.
  - unfold free. rewrite same_use_pointer by (apply Lr; simpl; auto). destruct (use_pointer s pointer) as [[p|]|]; try reflexivity. simpl.
    change (may_free Q) with (may_free P). change (object_at (wide v s)) with (object_at s). destruct (_ && _ && _); reflexivity.
  - unfold enter. change (declaration_of Q object) with (declaration_of P object). destruct (origin_of _); try reflexivity. unfold kill_current. simpl. destruct (nth object (current s) None); reflexivity.
  - unfold leave, kill_current. simpl. destruct (nth object (current s) None); reflexivity.
  - apply same_leaks. exact Lr.
Qed.
End State.

(** *** Entry states *)

Definition registers_of_input i : list nat := match i with
  | IntegerInput r => [r] | ArrayInput p n _ => [p; n] | SingleInput p _ | LinkedInput p _ => [p] end.
Definition wide_loading v a := {| loaded := loaded a ++ [v]; made := made a; latest := latest a |}.
Lemma same_load v a i w : length (loaded a) = N -> inside N (registers_of_input i) ->
  load_input Q (wide_loading v a) i w = option_map (wide_loading v) (load_input P a i w).
Proof.
  intros F L.
  assert (S : forall r u b, length (loaded b) = N -> (r < N)%nat -> Inputs.with_register (wide_loading v b) r u = wide_loading v (Inputs.with_register b r u)).
  { intros r u b Fb Lr. unfold Inputs.with_register, wide_loading. simpl. rewrite replace_app by lia. reflexivity. }
  destruct i as [r|p n d|p d|p d], w as [z|rows|[row|]|t]; try reflexivity; unfold load_input.
  - assert (Lr : (r < N)%nat) by (apply L; simpl; auto). rewrite same_integer_type by exact Lr. destruct (is_within _ _); [|reflexivity]. rewrite S by auto. reflexivity.
  - assert (Lp : (p < N)%nat) by (apply L; simpl; auto). assert (Ln : (n < N)%nat) by (apply L; simpl; auto).
    rewrite same_integer_type by exact Ln. change (layout_of_declaration Q d) with (layout_of_declaration P d). cbv zeta. destruct (_ && _); [|reflexivity].
    rewrite S by auto. rewrite S by (auto; simpl; rewrite replace_length; auto). reflexivity.
  - assert (Lp : (p < N)%nat) by (apply L; simpl; auto). change (layout_of_declaration Q d) with (layout_of_declaration P d). destruct (row_fits _ _); [|reflexivity].
    rewrite S by auto. reflexivity.
  - assert (Lp : (p < N)%nat) by (apply L; simpl; auto). rewrite S by auto. reflexivity.
  - assert (Lp : (p < N)%nat) by (apply L; simpl; auto). change (plant Q t d) with (plant P t d). simpl made. destruct (plant P t d Null (length (made a))) as [[u os]|]; [|reflexivity].
    unfold wide_loading. simpl. rewrite replace_app by lia. reflexivity.
Qed.
Lemma load_full a i w b : length (loaded a) = N -> load_input P a i w = Some b -> length (loaded b) = N.
Proof.
  intros F H. unfold load_input in H. destruct i, w; try discriminate.
  - destruct (is_within _ _); [|discriminate]. injection H as <-. simpl. rewrite replace_length. exact F.
  - destruct (_ && _); [|discriminate]. injection H as <-. simpl. rewrite !replace_length. exact F.
  - destruct fields; [destruct (row_fits _ _); [|discriminate]|]; injection H as <-; simpl; rewrite replace_length; exact F.
  - destruct (plant _ _ _ _ _) as [[u os]|]; [|discriminate]. injection H as <-. simpl. rewrite replace_length. exact F.
Qed.
Lemma loads_wide v w : forall js a vs b, length (loaded a) = N -> (forall j, In j js -> inside N (registers_of_input j)) ->
  load_inputs P a js vs = Some b -> is_within (integer_type_of Q N) w = true ->
  load_inputs Q (wide_loading v a) (js ++ [IntegerInput N]) (vs ++ [IntegerValue w]) = Some (wide_loading (Integer w) b).
Proof.
  induction js as [|j js IH]; intros a [|u vs] b F L E W; simpl in E; try discriminate.
  - injection E as <-. simpl. rewrite W. unfold Inputs.with_register, wide_loading. simpl. rewrite <- F, replace_last. reflexivity.
  - destruct (load_input P a j u) as [c|] eqn:Ec; [|discriminate]. simpl. rewrite same_load, Ec by (auto; apply L; simpl; auto). simpl.
    apply IH; auto; [eapply load_full; eauto | intros k I; apply L; simpl; auto].
Qed.
Lemma loads_full js : forall a vs b, length (loaded a) = N -> load_inputs P a js vs = Some b -> length (loaded b) = N.
Proof.
  induction js as [|j js IH]; intros a [|u vs] b F E; simpl in E; try discriminate; [injection E as <-; exact F|].
  destruct (load_input P a j u) as [c|] eqn:Ec; [|discriminate]. eapply IH; [|exact E]. eapply load_full; eauto.
Qed.
Lemma entry_full vs s : entry_state P vs = Some s -> length (Machine.values s) = N.
Proof.
  unfold entry_state. destruct (load_inputs _ _ _ _) as [a|] eqn:E; [|discriminate]. intros [= <-]. simpl.
  eapply loads_full; [|exact E]. simpl. apply map_length.
Qed.
(** Any number of its type comes in there. *)
Lemma entry_wide vs s w : (forall j, In j (inputs P) -> inside N (registers_of_input j)) -> is_within (integer_type_of P x) w = true ->
  entry_state P vs = Some s -> entry_state Q (vs ++ [IntegerValue w]) = Some (wide (Integer w) s).
Proof.
  intros L W E. unfold entry_state in *. destruct (load_inputs P _ (inputs P) vs) as [a|] eqn:Ea; [|discriminate]. injection E as <-.
  set (a0 := {| loaded := map _ (registers P); made := []; latest := map _ (objects P) |}) in Ea.
  assert (I : load_inputs Q (wide_loading Uninitialised a0) (inputs P ++ [IntegerInput N]) (vs ++ [IntegerValue w]) = Some (wide_loading (Integer w) a)).
  { apply loads_wide; auto; [apply map_length|]. unfold integer_type_of, type_of. simpl. rewrite app_nth2, Nat.sub_diag by lia. exact W. }
  match goal with |- option_map _ (load_inputs Q ?b _ _) = _ => replace b with (wide_loading Uninitialised a0) end.
  - change (inputs Q) with (inputs P ++ [IntegerInput N]). rewrite I. reflexivity.
  - unfold wide_loading, a0. simpl. rewrite map_app. reflexivity.
Qed.
Lemma step_full s d s' : length (Machine.values s) = N -> step P under s d = Ok s' -> length (Machine.values s') = N.
Proof.
  intros F E. unfold step in E. destruct (nth_error _ _) as [i|]; [|discriminate].
  assert (K : forall u e, length (Machine.values (kill_current u e)) = length (Machine.values u)) by (intros u e; unfold kill_current; destruct (nth e (current u) None); reflexivity).
  destruct i; try discriminate; unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in E; cbv zeta in E;
  unfold bind, fails in E; repeat match type of E with
  | match ?y with _ => _ end = Ok _ => destruct y; try discriminate
  | (if ?y then _ else _) = Ok _ => destruct y; try discriminate
  | Ok _ = Ok _ => injection E as <- end; simpl; rewrite ?replace_length, ?K; auto.
Qed.
End Wider.

(** ** Safe with the question, safe without *)

(** What well-formedness asks of a program (spec/program.md#well-formedness), as
    far as it bears on this. *)
Record program_formed P : Prop := {
  leads_inside : targets_inside P;
  mentions_inside : forall i, In i (instructions P) -> inside (length (registers P)) (mentioned_by i);
  inputs_inside : forall j, In j (inputs P) -> inside (length (registers P)) (registers_of_input j);
  types_right : types_formed P;
  contents_right : contents_formed P }.

(** The branch stands in the place of the failure; behind the program come a
    failure, for what runs off its end, the one that has been moved, and what is
    not asked for. *)
Definition question_instructions (is : list instruction) l x g :=
  let n := length is in replace is l (Branch (Integers IsEqual (Register x) (Register g)) (S n) (S (S n))) ++ [Fail; Fail; Ignore].
Definition with_question P l x := with_register P x (question_instructions (instructions P) l x (length (registers P))).

Section Question.
Variable P : program.
Variable under : parameters.
Variables (l x : nat) (T : integer_type).
Hypothesis formed : program_formed P.
Hypothesis there : nth_error (instructions P) l = Some Fail.
Hypothesis integers : type_of P x = IntegerType T.
Notation n := (length (instructions P)).
Notation N := (length (registers P)).
Notation Q := (with_question P l x).

Lemma known_inside P0 r U : type_of P0 r = IntegerType U -> (r < length (registers P0))%nat.
Proof. intros E. destruct (Nat.lt_ge_cases r (length (registers P0))) as [L|L]; auto. unfold type_of in E. rewrite nth_overflow in E by exact L. discriminate. Qed.
Lemma question_inside : (l < n)%nat.
Proof. apply nth_error_Some. congruence. Qed.
Lemma apart_instruction k : (k < n)%nat -> k <> l -> nth_error (instructions Q) k = nth_error (instructions P) k.
Proof.
  intros L D. simpl. unfold question_instructions. rewrite nth_error_app1 by (rewrite replace_length; exact L). rewrite nth_error_replace. destruct (Nat.eqb_spec k l); [contradiction | reflexivity].
Qed.
Lemma at_question : nth_error (instructions Q) l = Some (Branch (Integers IsEqual (Register x) (Register N)) (S n) (S (S n))).
Proof.
  pose proof question_inside as L. simpl. unfold question_instructions. rewrite nth_error_app1 by (rewrite replace_length; exact L). rewrite nth_error_replace, Nat.eqb_refl.
  apply Nat.ltb_lt in L. rewrite L. reflexivity.
Qed.
Lemma beyond k : nth_error (instructions Q) (n + k) = nth_error [Fail; Fail; Ignore] k.
Proof. simpl. unfold question_instructions. rewrite nth_error_app2 by (rewrite replace_length; lia). rewrite replace_length. f_equal. lia. Qed.
Lemma at_end : nth_error (instructions Q) n = Some Fail.
Proof. pose proof (beyond 0) as B. rewrite Nat.add_0_r in B. exact B. Qed.
Lemma at_asked : nth_error (instructions Q) (S n) = Some Fail.
Proof. pose proof (beyond 1) as B. rewrite Nat.add_1_r in B. exact B. Qed.

Notation system := (system_of P under).
Notation system' := (system_of Q under).
Hypothesis safe_with : safe system'.
Definition arrives s := exists o k, genuine system' (Run system' o k (Running s)).
Lemma arrives_on s d s' : arrives s -> Machine.step Q under s d = Ok s' -> arrives s'.
Proof. intros (o & k & G) E. exists o. eexists. eapply genuine_step with (Sys := system'); [exact G|]. exists d. rewrite E. split; reflexivity. Qed.
Lemma arrives_fine s d e : arrives s -> Machine.step Q under s d = Stop e -> ~ has_failed (Over e).
Proof.
  intros (o & k & G) E F. refine (safe_with (Run system' o _ (Over e)) _ F). eapply genuine_step with (Sys := system'); [exact G|]. exists d. rewrite E. split; reflexivity.
Qed.

(** Whatever number comes in, an execution of the program is one of the other,
    up to the failure that is asked for. *)
Definition accompanied (r : run system) := match last system r with
  | Running s => (location s <= n)%nat /\ length (Machine.values s) = N /\ typed P s /\ forall w, within T w -> arrives (wide (Integer w) s)
  | Over e => ~ has_failed (Over e) end.
Lemma wide_step w s d i : (location s < n)%nat -> location s <> l -> nth_error (instructions P) (location s) = Some i -> length (Machine.values s) = N ->
  Machine.step Q under (wide (Integer w) s) d = widened (wide (Integer w)) (Machine.step P under s d).
Proof.
  intros L D E F. rewrite (step_executes P), E. rewrite (step_executes Q). change (location (wide (Integer w) s)) with (location s). rewrite apart_instruction, E by assumption.
  apply execute_wide; [exact F|]. apply (mentions_inside P formed). eapply nth_error_In. exact E.
Qed.
(** At the failure: of the numbers that may come in one is what the register
    holds. *)
Lemma asked_fails s : location s = l -> length (Machine.values s) = N -> typed P s -> (forall w, within T w -> arrives (wide (Integer w) s)) -> False.
Proof.
  intros El F Ty A. set (d := nothing_decided).
  assert (B : forall w, Machine.step Q under (wide (Integer w) s) d = match register s x with
    | Integer z => Ok (go (if Z.eqb z w then S n else S (S n)) (wide (Integer w) s)) | _ => fails UninitialisedUse end).
  { intros w. rewrite (step_executes Q). change (location (wide (Integer w) s)) with (location s). rewrite El, at_question. cbn [execute_one condition_holds use_integer].
    rewrite (same_register P (Integer w) s F x (known_inside P x T integers)). unfold register at 2. simpl Machine.values. rewrite <- F, app_nth2, Nat.sub_diag by lia. simpl nth.
    destruct (register s x); reflexivity. }
  pose proof (proj1 Ty x) as V. rewrite integers in V. destruct (register s x) as [|z| |p] eqn:R.
  2: { assert (G : arrives (go (S n) (wide (Integer z) s))) by (eapply arrives_on; [apply (A z V)|]; rewrite B, Z.eqb_refl; reflexivity).
       refine (arrives_fine _ d (Failed ProgramFailed) G _ I). rewrite (step_executes Q). change (location (go (S n) (wide (Integer z) s))) with (S n). rewrite at_asked. reflexivity. }
  all: exact (arrives_fine _ d _ (A 0%Z (zero_within T)) (B 0%Z) I).
Qed.
Lemma all_accompanied r : genuine system r -> accompanied r.
Proof.
  induction 1 as [y E | o k y j z G IH S].
  - destruct E as (vs & s & Es & ->). unfold accompanied. cbn [last]. split; [|split; [|split]].
    + unfold entry_state in Es. destruct (load_inputs _ _ _ _); [|discriminate]. injection Es as <-. simpl. lia.
    + eapply entry_full. exact Es.
    + apply (entry_fine P (contents_right P formed) vs s Es).
    + intros w W. exists (Running (wide (Integer w) s)), O. apply (genuine_entry system'). exists (vs ++ [IntegerValue w]), (wide (Integer w) s). split; [|reflexivity].
      apply entry_wide; [apply (inputs_inside P formed) | | exact Es]. unfold integer_type_of. rewrite integers. apply is_within_iff. exact W.
  - unfold accompanied in IH. cbn [last] in IH. destruct y as [s|e]; [|destruct S]. destruct IH as (L & F & Ty & A). destruct S as (d & -> & ->).
    unfold accompanied. cbn [last]. destruct (Nat.eq_dec (location s) l) as [El|Nl]; [destruct (asked_fails s El F Ty A)|].
    destruct (Nat.eq_dec (location s) n) as [En|Nn].
    { exfalso. refine (arrives_fine _ d (Failed ProgramFailed) (A 0%Z (zero_within T)) _ I). rewrite (step_executes Q). change (location (wide (Integer 0) s)) with (location s). rewrite En, at_end. reflexivity. }
    destruct (nth_error (instructions P) (location s)) as [i|] eqn:Ei; [|apply nth_error_None in Ei; lia].
    assert (L' : (location s < n)%nat) by lia. pose proof (fun w => wide_step w s d i L' Nl Ei F) as W. destruct (Machine.step P under s d) as [s'|e] eqn:X.
    + split; [|split; [|split]].
      * pose proof X as X'. rewrite step_executes, Ei in X'. pose proof (execute_location P under s d i s' X') as Lo.
        destruct (jumps i); [apply Nat.lt_le_incl; eapply (leads_inside P formed); [eapply nth_error_In; exact Ei | exact Lo] | lia].
      * eapply step_full; eauto.
      * eapply step_typed; [apply (types_right P formed) | exact Ty | exact X].
      * intros w Ww. eapply arrives_on; [apply (A w Ww) | apply W].
    + exact (arrives_fine _ d e (A 0%Z (zero_within T)) (W 0%Z)).
Qed.
Theorem question_sound : safe system.
Proof. intros r G F. pose proof (all_accompanied r G) as X. unfold accompanied in X. destruct (last system r); [exact F | exact (X F)]. Qed.
End Question.

(** ** Lemmas of both kinds, as they are added *)

(** Does the lemma ask, and about which register? *)
Definition asked P (l : nat * condition) := match snd l, nth_error (instructions P) (fst l) with
  | Integers IsEqual (Register x) (Register g), Some Fail => if Nat.eqb g (length (registers P)) && Nat.ltb x (length (registers P)) then Some x else None
  | _, _ => None end.
Definition add_lemma P l := match asked P l with Some x => with_question P (fst l) x | None => with_lemma P (fst l) (snd l) end.
(** Its condition is about registers that exist by then, of the types that it
    compares. *)
Definition lemma_formed P l := let P' := add_lemma P l in match snd l with
  | Integers _ a b => forall r, In r (of_operand a ++ of_operand b) -> exists T, type_of P' r = IntegerType T
  | PointersCompared _ a b => inside (length (registers P')) (of_pointer_operand a ++ of_pointer_operand b) end.
Fixpoint lemmas_right P ls := match ls with [] => True | l :: ls => lemma_formed P l /\ lemmas_right (add_lemma P l) ls end.

Lemma asked_is P l x : asked P l = Some x -> nth_error (instructions P) (fst l) = Some Fail /\ (x < length (registers P))%nat /\
  snd l = Integers IsEqual (Register x) (Register (length (registers P))).
Proof.
  unfold asked. destruct l as [l c]. simpl. destruct c as [[] [y|] [g|]|]; try discriminate. destruct (nth_error (instructions P) l) as [[]|]; try discriminate.
  destruct (Nat.eqb_spec g (length (registers P))) as [->|]; [|discriminate]. destruct (Nat.ltb_spec y (length (registers P))); [|discriminate]. intros [= <-]. auto.
Qed.
Lemma in_replace {A} (y b : A) is : forall l, In y (replace is l b) -> y = b \/ In y is.
Proof. induction is as [|z is IH]; intros [|l] I; simpl in *; try contradiction; intuition. destruct (IH l H); auto. Qed.
Lemma contents_same P Q : layouts Q = layouts P -> objects Q = objects P -> tables Q = tables P -> contents_formed P -> contents_formed Q.
Proof.
  intros L O T [S K Q0]. split; unfold declaration_of, layout_of_declaration, declaration_of in *; rewrite ?L, ?O.
  - intros d c cs a E. destruct (S d c cs a E) as [C F]. split; [exact C|]. clear - F T. induction F as [|f c fs cs H _ IH]; constructor; auto. unfold contents_fit in *. rewrite T. exact H.
  - exact K.
  - exact Q0.
Qed.
Lemma types_kept P Q : (forall r, (r < length (registers P))%nat -> type_of Q r = type_of P r) ->
  (forall i, In i (instructions Q) -> In i (instructions P) \/ i = Fail \/ i = Ignore \/ (exists m, i = Jump m) \/ exists c m k, i = Branch c m k) ->
  (forall i, In i (instructions P) -> inside (length (registers P)) (mentioned_by i)) -> types_formed P -> types_formed Q.
Proof.
  intros Same Is Ins [C K D].
  assert (U : forall T o, operand_fits P T o -> operand_fits Q T o) by (intros T [q|z] F; [|exact F]; simpl in *; rewrite Same; [exact F | eapply known_inside; exact F]).
  assert (Old : forall i, In i (instructions Q) -> match written_by i with Some _ => True | None => False end -> In i (instructions P)).
  { intros i I W. destruct (Is i I) as [J|[->|[->|[(m & ->)|(c & m & k & ->)]]]]; auto; contradiction. }
  split.
  - intros r op a b I. destruct (C r op a b (Old _ I Logic.I)) as (T & E & NB & Fa & Fb). exists T. rewrite Same by (eapply known_inside; exact E). repeat split; auto. destruct op; auto.
  - intros r q I. pose proof (Old _ I Logic.I) as J. rewrite Same; [exact (K r q J)|]. apply (Ins _ J). simpl. auto.
  - intros r p q z I. pose proof (Old _ I Logic.I) as J. rewrite Same; [exact (D r p q z J)|]. apply (Ins _ J). simpl. auto.
Qed.
Lemma lemma_keeps P l : program_formed P -> lemma_formed P l -> program_formed (add_lemma P l).
Proof.
  intros F R. unfold lemma_formed in R. unfold add_lemma in R |- *. destruct (asked P l) as [x|] eqn:A.
  - destruct (asked_is P l x A) as (E & Lx & Ec). clear A. destruct l as [l c]. simpl in *. subst c. destruct F as [Tg M In_ Ty Co].
    assert (L : (l < length (instructions P))%nat) by (apply nth_error_Some; congruence).
    assert (Is : forall i, In i (instructions (with_question P l x)) -> In i (instructions P) \/ i = Fail \/ i = Ignore \/
      i = Branch (Integers IsEqual (Register x) (Register (length (registers P)))) (S (length (instructions P))) (S (S (length (instructions P))))).
    { intros i I. simpl in I. unfold question_instructions in I. apply in_app_or in I as [I|[<-|[<-|[<-|[]]]]]; auto. apply in_replace in I as [->|I]; auto. }
    assert (Len : length (instructions (with_question P l x)) = (length (instructions P) + 3)%nat) by (simpl; unfold question_instructions; rewrite app_length, replace_length; reflexivity).
    assert (Reg : length (registers (with_question P l x)) = S (length (registers P))) by (simpl; rewrite app_length; simpl; lia).
    split.
    + intros j k Ij Ik. rewrite Len. destruct (Is j Ij) as [J|[->|[->| ->]]]; simpl in Ik; try contradiction; [specialize (Tg j k J Ik) | ]; lia.
    + intros i Ii r Ir. rewrite Reg. destruct (Is i Ii) as [J|[->|[->| ->]]]; simpl in Ir; try contradiction; [specialize (M i J r Ir) | ]; lia.
    + intros j Ij r Ir. rewrite Reg. simpl in Ij. apply in_app_or in Ij as [J|[<-|[]]]; [specialize (In_ j J r Ir); lia | destruct Ir as [<-|[]]; lia].
    + apply (types_kept P); auto; [intros r; apply same_type|]. intros i Ii. destruct (Is i Ii) as [J|[->|[->| ->]]]; eauto 8.
    + apply (contents_same P); auto.
  - unfold with_lemma in R |- *. destruct (nth_error (instructions P) (fst l)) as [i0|] eqn:E; [|exact F]. destruct F as [Tg M In_ Ty Co].
    set (P' := with_instructions P (lemma_instructions (instructions P) (fst l) (snd l) i0)) in *.
    assert (Is : forall i, In i (instructions P') -> In i (instructions P) \/ i = Fail \/ i = Jump (S (fst l)) \/ i = Branch (snd l) (S (length (instructions P))) (length (instructions P))).
    { intros i I. simpl in I. unfold lemma_instructions in I. apply in_app_or in I as [I|[<-|[<-|[<-|[]]]]]; auto; [|left; eapply nth_error_In; exact E]. apply in_replace in I as [->|I]; auto. }
    split.
    + pose proof (lemma_targets P (fst l) (snd l) Tg) as X. unfold with_lemma in X. rewrite E in X. exact X.
    + intros i Ii r Ir. change (registers P') with (registers P). destruct (Is i Ii) as [J|[->|[->| ->]]]; [exact (M i J r Ir) | destruct Ir | destruct Ir|]. unfold mentioned_by in Ir. simpl in Ir. rewrite app_nil_r in Ir.
      destruct (snd l) as [re a b|re a b]; [destruct (R r Ir) as (T & Et); exact (known_inside P' r T Et) | exact (R r Ir)].
    + exact In_.
    + apply (types_kept P); auto. intros i Ii. destruct (Is i Ii) as [J|[->|[->| ->]]]; eauto 8.
    + apply (contents_same P); auto.
Qed.
Theorem any_lemmas_sound under ls : forall P, program_formed P -> lemmas_right P ls -> safe (system_of (fold_left add_lemma ls P) under) -> safe (system_of P under).
Proof.
  induction ls as [|l ls IH]; intros P F R S; [exact S|]. destruct R as [Rl R]. simpl in S. apply IH in S; [|apply lemma_keeps; assumption | exact R].
  unfold lemma_formed in Rl. unfold add_lemma in S, Rl. destruct (asked P l) as [x|] eqn:A.
  - destruct (asked_is P l x A) as (E & Lx & Ec). rewrite Ec in Rl. destruct (Rl x (or_introl eq_refl)) as (T & Et).
    apply (question_sound P under (fst l) x T F E); [|exact S]. rewrite <- Et. symmetry. apply (same_type P x _ x Lx).
  - eapply lemma_sound; [apply (leads_inside P F) | exact S].
Qed.
