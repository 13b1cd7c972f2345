(** What lists of outcomes have to say (spec/calculus.md#outcomes), of instructions that
    change registers alone; what the second checker reads of operands. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Typed FoldedMembers Configurations Members RegisterSteps SameValues.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing.
Import ListNotations.
Open Scope Z_scope.

(** The program and the parameters are those of the setting, and integers are C's. *)
Record same_setting (E : setting) (P : Programs.program) (under : Programs.parameters) : Prop := {
  same_code : forall l i, at_position (code E) l = Some i -> List.nth_error (Programs.instructions P) (N.to_nat l) = Some (Translated.instruction_of i);
  same_registers : forall r x, at_position (registers_of (names_in E)) r = Some x -> Machine.type_of P (N.to_nat r) = Translated.type_of (register_type x);
  same_objects : forall d x, at_position (objects_of (names_in E)) d = Some x -> Machine.declaration_of P (N.to_nat d) = Translated.object_of x;
  all_objects : forall d, at_position (objects_of (names_in E)) d = None -> (length (Programs.objects P) <= N.to_nat d)%nat;
  same_layouts : forall n l, at_position (layouts_of (names_in E)) n = Some l -> List.nth (N.to_nat n) (Programs.layouts P) Machine.no_layout = Translated.layout_of l;
  same_program : P = Translated.program_of (program_in E);
  same_inputs : Programs.inputs P = List.map Translated.input_of (inputs (program_in E));
  same_arithmetic : is_bounded E = true;
  same_formation : Programs.formation under = match formation (parameters_in E) with FormedAnywhere => Programs.Anywhere | InsideObject => Programs.InsideObject end;
  same_allocating : Programs.allocating under = match allocating (parameters_in E) with Succeeds => Programs.Succeeds | MayFail => Programs.MayFail end;
  same_overflow : Programs.on_overflow under = match on_overflow (parameters_in E) with Wraps => Programs.Wraps | OverflowFails => Programs.OverflowFails end }.
(** A setting is of its program, as it is translated. *)
Theorem setting_same Q us k ts : arithmetic_of us = C -> same_setting (setting_of Q us k ts) (Translated.program_of Q) (Translated.parameters_of us).
Proof.
  intros A. split.
  - intros l i H. simpl in H |- *. rewrite at_position_is in H. rewrite nth_error_map, H. reflexivity.
  - intros r x H. simpl in H. rewrite at_position_is in H. unfold Machine.type_of. simpl. apply nth_error_nth. rewrite nth_error_map, H. reflexivity.
  - intros d x H. simpl in H. rewrite at_position_is in H. unfold Machine.declaration_of. simpl. apply nth_error_nth. rewrite nth_error_map, H. reflexivity.
  - intros d H. simpl in H. rewrite at_position_is in H. simpl. rewrite map_length. apply nth_error_None. exact H.
  - intros n l H. simpl in H. rewrite at_position_is in H. simpl. apply nth_error_nth. rewrite nth_error_map, H. reflexivity.
  - reflexivity.
  - reflexivity.
  - unfold is_bounded. simpl. rewrite A. reflexivity.
  - reflexivity.
  - reflexivity.
  - reflexivity.
Qed.

(** ** Registers of members *)

Lemma slot_at_member l m r v : numbered_right (held m) -> find (held m) r = Some v -> FoldedMembers.slot_at (member_of l m) (N.to_nat r) = slot_of v.
Proof.
  intros R F. unfold FoldedMembers.slot_at. simpl. unfold entries_of. rewrite map_map. apply nth_error_nth.
  rewrite nth_error_map, numbers_of_at. pose proof (R r v F). destruct (Nat.ltb_spec (N.to_nat r) (N.to_nat (given (held m)))); [|lia].
  cbn [option_map]. rewrite N2Nat.id, F. reflexivity.
Qed.
Lemma slots_of_member l m : length (FoldedMembers.slots (member_of l m)) = N.to_nat (given (held m)).
Proof. simpl. unfold entries_of, numbers_of. rewrite !map_length. apply numbers_from_length. Qed.

Section Listed.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Variable tabs : indexed table.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).

(** ** Outcomes that happen *)

Section Described.
(** The member, and a state that it describes under the values of terms. *)
Variable l : N.
Variable m : member_state.
Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (M : model).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued M) phi (member_of l m) rho roots lasts placed g.
Hypothesis fine : FoldedMembers.fine_state P g.
Hypothesis numbered : numbered_right (held m).

(** What a slot says of a value, with the values that terms have now. *)
Definition says (K : model) (v : slot) : Folding.holding := FoldedMembers.means (valued K) (member_of l m) rho roots lasts (slot_of v).
(** An element that is written: which one it is, and what the state is then. *)
Definition lands (K : model) (o f : N) (el : element_place) (idx : Z) : Prop := exists x old, find (objects_held m) o = Some x /\ nth (field_states x) f = Some old /\ match el with
  | AtCell n => (n < count (cells old))%N /\ idx = Z.of_N n
  | AtRest i => vl K i = idx /\ (idx < 0 \/ Z.of_nat (length (cells old)) <= idx) end.
Definition stored_at (o f : N) (idx : Z) (w : Machine.value) : Machine.state :=
  Machine.set_object (Machine.next_location g) (rho (N.to_nat o)) (Machine.write_field (Machine.object_at g (rho (N.to_nat o))) (N.to_nat f) idx w).
(** An object that is made, where memory ends: one with a name in the place of an earlier one. *)
Definition made_at (r : option N) (d : N) (count : Z) (f : Certificates.fresh) (w : Machine.decision) : Machine.state :=
  let made := Machine.create P (if Tidy.is_local P (N.to_nat d) then Machine.kill_current g (N.to_nat d) else g) (N.to_nat d) count (Translated.fresh_of f) w in match r with
  | Some r => Machine.set made (N.to_nat r) (Machine.Pointer {| Machine.target := length (Machine.memory g); Machine.index := Machine.start w; Machine.byte := 0 |})
  | None => Machine.next_location made end.
(** What enters has a name, and what is allocated has none. *)
Definition may_make (r : option N) (d : N) (count : Z) : Prop := (FoldedMembers.is_node P (N.to_nat d) = true -> count = 1) /\
  match r with Some _ => FoldedMembers.has_name P (N.to_nat d) = false | None => Tidy.is_local P (N.to_nat d) = true end.
(** An object ends that is local, and that nothing of the member's table is but what has ended. *)
Definition ends_unnamed (x : Machine.outcome Machine.state) : Prop := exists p, x = Machine.Ok (Machine.kill (Machine.next_location g) p) /\
  Tidy.is_local P (Machine.declared (Machine.object_at g p)) = true /\ forall o y, find (objects_held m) o = Some y -> rho (N.to_nat o) = p -> life_of y = Dead.
Definition happens (K : model) (e : effect) (x : Machine.outcome Machine.state) : Prop := match e with
  | Goes k => Machine.draws P g = false /\ (x = Machine.Ok (Machine.go (N.to_nat k) g) \/ k = N.succ l /\ ends_unnamed x)
  | Sets r v => Machine.draws P g = false /\ exists w, x = Machine.Ok (Machine.set g (N.to_nat r) w) /\ says K v w
  | FailsHere => exists f, x = Machine.fails f
  | Draws r T => Machine.draws P g = true /\ exists z, Integers.within T z /\ x = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z))
  | Writes_ o f el v => Machine.draws P g = false /\ exists idx w, x = Machine.Ok (stored_at o f idx w) /\ says K v w /\ lands K o f el idx
  | Creates r d n f => Machine.draws P g = false /\ may_make r d (vl K n) /\ exists w, x = Machine.Ok (made_at r d (vl K n) f w)
  | Kills o => Machine.draws P g = false /\ find (objects_held m) o <> None /\ x = Machine.Ok (Machine.kill (Machine.next_location g) (rho (N.to_nat o))) end.
(** What the environment decides. *)
Definition leaves_open (e : effect) : bool := match e with Draws _ _ | Creates _ _ _ _ => true | _ => false end.
(** It happens, a value that is drawn being any of the type, and an object beginning anywhere
    and holding anything. *)
Definition can_happen (K : model) (e : effect) : Prop := match e with
  | Draws r T => Machine.draws P g = true /\ forall z, Integers.within T z -> exists d, Machine.step P under g d = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z))
  | Creates r d n f => Machine.draws P g = false /\ may_make r d (vl K n) /\ forall w, exists d0, Machine.step P under g d0 = Machine.Ok (made_at r d (vl K n) f w)
  | e => exists d, Machine.start d = 0 /\ happens K e (Machine.step P under g d) end.
(** Where nothing is listed, the instruction fails. *)
Definition shown (os : option (list outcome)) : list outcome := match os with Some os => os | None => [exact [] FailsHere] end.
(** Whatever the state does next some outcome accounts for it; and what is no [Ignorance] the
    state can do. *)
Record list_right (K : model) (os : list outcome) : Prop := {
  exhaustive : forall d, exists o, In o os /\ literals_hold K (literals_of o) /\ happens K (effect_of o) (Machine.step P under g d);
  real : forall o, In o os -> tag_of o <> Ignorance -> literals_hold K (literals_of o) -> can_happen K (effect_of o) }.

Definition still : Machine.decision := {| Machine.number := 0; Machine.start := 0; Machine.fills := fun _ _ => 0 |}.
Lemma undecided K e : happens K e (Machine.step P under g still) -> leaves_open e <> true -> can_happen K e.
Proof. intros H N. destruct e; try (exists still; split; [reflexivity | exact H]); exfalso; apply N; reflexivity. Qed.
(** One outcome, and nothing is decided. *)
Lemma one_right K e (x : Machine.outcome Machine.state) : (forall d, Machine.step P under g d = x) -> happens K e x -> leaves_open e <> true -> list_right K [exact [] e].
Proof.
  intros S H N. split.
  - intros d. exists (exact [] e). rewrite S. split; [left; auto|]. split; [intros k []|exact H].
  - intros o [<-|[]] _ _. apply (undecided K e); auto. rewrite S. exact H.
Qed.
Lemma fails_right K (x : Machine.outcome Machine.state) : (forall d, Machine.step P under g d = x) -> (exists f, x = Machine.fails f) -> list_right K (shown None).
Proof. intros S F. eapply one_right; [exact S | exact F | discriminate]. Qed.

(** ** What is read *)

Lemma same_says s s' K v : keeps s M s' K -> (forall p, In p (slot_terms v) -> part_in s p) -> says K v = says M v.
Proof.
  intros Kp H. unfold says. apply SameValues.means_same. apply slot_same. intros p I. eapply kept_value; eauto.
Qed.
Lemma register_says r v : find (held m) r = Some v -> says M v (Machine.register g (N.to_nat r)).
Proof.
  intros F. unfold says. rewrite <- (slot_at_member l m r v numbered F). apply (FoldedMembers.registers_hold _ _ _ _ _ _ _ _ _ _ described).
Qed.
Lemma register_in r T : Machine.type_of P (N.to_nat r) = Programs.IntegerType T -> forall z, Machine.register g (N.to_nat r) = Machine.Integer z -> Integers.within T z.
Proof.
  intros Ty z Er. pose proof (proj1 (FoldedMembers.fine_typed _ _ fine) (N.to_nat r)) as H. rewrite Ty, Er in H. exact H.
Qed.
End Described.
End Listed.
