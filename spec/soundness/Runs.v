(** Executions: as a transition system, and ground runs (spec/program.md#ground-runs),
    whose decisions are a list of numbers. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Inputs Herds.
Import ListNotations.
Open Scope Z_scope.

Section Runs.
Variable P : program.
Variable under : parameters.

(** ** The transition system *)

Inductive execution := Running (s : Machine.state) | Over (e : ending).

Definition successor x k y : Prop := match x with
  | Over _ => False
  | Running s => exists d, let z := Machine.step P under s d in
    k = consumes P s z /\ y = match z with Ok s' => Running s' | Stop e => Over e end end.
(** What is unsupported counts as failed here, so that an accepted proof says
    that it is not reached either. *)
Definition has_failed x := match x with Over (Failed _) | Over Unsupported => True | _ => False end.
Definition is_entry x := exists vs s, entry_state P vs = Some s /\ x = Running s.
(** Elements of arrays and single structs, and nodes. *)
Definition input_size_of s := fold_right (fun o n =>
  match origin_of (declaration_of P (declared o)) with
  | Input | LinkedNode _ => (Z.to_nat (upper o - lower o) + n)%nat | _ => n end) 0%nat (memory s).
Definition system_of : system.
Proof.
  refine {| Herds.state := execution; Herds.entry := is_entry;
    Herds.size := fun x => match x with Running s => input_size_of s | Over _ => 0%nat end;
    Herds.step := successor; Herds.failed := has_failed |}.
  intros [s|e] k y; simpl; auto.
Defined.

(** No run is stuck: that is why Steps may take the one outcome that is left. *)
Theorem never_stuck s : exists k y, successor (Running s) k y.
Proof.
  set (d := {| number := 0; start := 0; fills := fun _ _ => 0 |}).
  exists (consumes P s (Machine.step P under s d)). eexists. exists d. split; reflexivity.
Qed.
(** A step that draws a value goes on behind itself, so that none consumes both
    a value and a round. *)
Theorem consumption x k y : successor x k y -> (k <= 1)%nat.
Proof.
  destruct x as [s|]; simpl; [|contradiction]. intros (d & -> & _). unfold consumes.
  destruct (Machine.step P under s d) as [s'|] eqn:E; [|lia].
  destruct (draws P s) eqn:D; [|destruct (leads_back s s'); simpl; lia].
  unfold draws in D. unfold Machine.step in E. destruct (nth_error (instructions P) (location s)) as [[]|]; try discriminate.
  injection E as <-. unfold leads_back. cbn -[Nat.leb Nat.add]. destruct (Nat.leb_spec (S (location s)) (location s)); lia.
Qed.

(** ** Ground runs *)

Definition nothing_decided := {| number := 0; start := 0; fills := fun _ _ => 0 |}.
Definition decides z f := {| number := z; start := 0; fills := f |}.
Definition way z := (z =? 0) || (z =? 1).

(** Per integer field, by ascending offset, the value that all elements hold. *)
Fixpoint take_fills (l : list Programs.field) n (choices : list Z) : option ((nat -> Z -> Z) * list Z) := match l with
  | [] => Some ((fun _ _ => 0), choices)
  | f :: l => match holds f with
    | PointerType => take_fills l (S n) choices
    | IntegerType T => match choices with
      | z :: choices => if Integers.is_within T z then
          match take_fills l (S n) choices with
          | Some (fill, rest) => Some ((fun m i => if Nat.eqb m n then z else fill m i), rest) | None => None end else None
      | [] => None end end end.
Definition take_fresh d (f : fresh) z choices : option (decision * list Z) := match f with
  | Zero => Some (decides z (fun _ _ => 0), choices)
  | Arbitrary => match take_fills (layout_fields (layout_of_declaration P d)) 0 choices with
    | Some (fill, rest) => Some (decides z fill, rest) | None => None end end.

(** Is it a comparison that C leaves open? *)
Definition is_open s (c : condition) : bool := match c with
  | PointersCompared IsEqual a b =>
    match use_pointer_operand s a, use_pointer_operand s b with
    | Ok p, Ok q => match same_object p q, p, q with
      | Some _, _, _ | None, None, None => false | _, _, _ => negb (certainly_different s p q) end
    | _, _ => false end
  | _ => false end.

(** The decision of the next step, what is left of the choices, and of the
    answers to open comparisons. *)
Definition take s (choices answers : list Z) : option (decision * list Z * list Z) :=
  let plain := Some (nothing_decided, choices, answers) in
  let keep x := option_map (fun p => (fst p, snd p, answers)) x in
  match nth_error (instructions P) (location s) with
  | Some (Branch c _ _) => if is_open s c then match answers with
      | z :: answers => if way z then Some (decides z (fun _ _ => 0), choices, answers) else None | [] => None end else plain
  | Some (Choose _ _) => match choices with
      | z :: choices => if way z then Some (decides z (fun _ _ => 0), choices, answers) else None | [] => None end
  | Some (Havoc r) => match choices with
      | z :: choices => if Integers.is_within (integer_type_of P r) z then Some (decides z (fun _ _ => 0), choices, answers) else None
      | [] => None end
  | Some (Allocate _ d b f) => match use_integer s b with
      | Stop _ => plain
      | Ok n => if most_bytes <? n then plain else
          let gives z choices :=
            if is_node P d && negb (n / element_size (layout_of_declaration P d) =? 1) then plain else keep (take_fresh d f z choices) in
          match allocating under with
          | Succeeds => gives 0 choices
          | MayFail => match choices with
            | z :: choices => if z =? 0 then Some (decides 0 (fun _ _ => 0), choices, answers)
                              else if z =? 1 then gives 1 choices else None
            | [] => None end end end
  | Some (Enter d) => match origin_of (declaration_of P d) with
      | Local _ => keep (take_fresh d Arbitrary 0 choices) | _ => plain end
  | _ => plain end.

Inductive final := Ended (e : ending) | Unanswered | StepLimit.
Record result := { how : final; last_state : Machine.state; steps : nat; unused : list Z }.
Fixpoint execute (limit : nat) s choices answers done : result := match limit with
  | O => {| how := StepLimit; last_state := s; steps := done; unused := choices |}
  | S limit => match take s choices answers with
    | None => {| how := Unanswered; last_state := s; steps := S done; unused := choices |}
    | Some (d, choices, answers) => match Machine.step P under s d with
      | Stop e => {| how := Ended e; last_state := s; steps := S done; unused := choices |}
      | Ok s' => execute limit s' choices answers (S done) end end end.

Definition replay vs choices answers limit : option result :=
  option_map (fun s => execute limit s choices answers 0) (entry_state P vs).

(** What a ground run reaches is reached by an execution: evidence of [Unsafe]
    and of the vacuity flag means what it says. *)
Theorem execute_genuine limit : forall s choices answers done o c,
  genuine system_of (Run system_of o c (Running s)) ->
  match how (execute limit s choices answers done) with
  | Ended e => exists c', genuine system_of (Run system_of o c' (Over e))
  | _ => exists c', genuine system_of (Run system_of o c' (Running (last_state (execute limit s choices answers done)))) end.
Proof.
  induction limit as [|limit IH]; intros s choices answers done o c H; simpl; [eauto|].
  destruct (take s choices answers) as [[[d choices'] answers']|]; simpl; [|eauto].
  destruct (Machine.step P under s d) as [s'|e] eqn:E.
  - apply IH with (c := (c + consumes P s (Ok s'))%nat).
    eapply genuine_step with (Sys := system_of); [exact H|]. simpl. exists d. rewrite E. auto.
  - simpl. exists (c + consumes P s (Stop e))%nat.
    eapply genuine_step with (Sys := system_of); [exact H|]. simpl. exists d. rewrite E. auto.
Qed.
Theorem replay_genuine vs choices answers limit r e :
  replay vs choices answers limit = Some r -> how r = Ended e ->
  exists t, genuine system_of t /\ last system_of t = Over e.
Proof.
  unfold replay. destruct (entry_state P vs) as [s|] eqn:E; simpl; intros H; inversion H; subst. intros He.
  assert (G : genuine system_of (Run system_of (Running s) 0 (Running s))).
  { apply genuine_entry. exists vs, s. auto. }
  pose proof (execute_genuine limit s choices answers 0 _ _ G) as X. rewrite He in X. destruct X as [c X].
  eexists. split; [exact X | reflexivity].
Qed.
Theorem unsafe vs choices answers limit r f :
  replay vs choices answers limit = Some r -> how r = Ended (Failed f) -> ~ safe system_of.
Proof.
  intros H He S. destruct (replay_genuine _ _ _ _ _ _ H He) as (t & G & L).
  apply (S t G). rewrite L. simpl. auto.
Qed.
End Runs.
