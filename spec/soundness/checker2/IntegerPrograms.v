(** Whether a program is one of integers alone, in which well-formedness sees to what the
    theorems ask: by computing; and that without lemmas a program is what it was. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Sorts Programs Machine Inputs Tidy Typed Bounds Entries Loading Recognised.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena States Denoting Moving Templates.
From Goatherd.checker2 Require Replay.
Import ListNotations.
Open Scope N_scope.

(** ** Without lemmas *)

Lemma numbers_from_in count : forall n k, In k (numbers_from n count) -> n <= k < n + N.of_nat count.
Proof. induction count as [|count IH]; intros n k I; [destruct I|]. destruct I as [<-|I]; [lia|]. apply IH in I. lia. Qed.
Lemma numbers_from_end count : forall n, numbers_from n (S count) = numbers_from n count ++ [n + N.of_nat count].
Proof.
  induction count as [|count IH]; intros n; [cbn; rewrite N.add_0_r; reflexivity|]. change (numbers_from n (S (S count))) with (n :: numbers_from (N.succ n) (S count)).
  rewrite IH. cbn [numbers_from app]. do 3 f_equal. lia.
Qed.
Lemma in_order_added {A} (x : numbered A) a : in_order (snd (added x a)) = in_order x ++ [(given x, a)].
Proof.
  assert (F : forall n, find (snd (added x a)) n = if n =? given x then Some a else find x n) by (intros n; unfold added; cbn [snd]; rewrite find_put; reflexivity).
  unfold in_order, numbers_of at 1. cbn [added snd put one_more_number given]. rewrite N2Nat.inj_succ, numbers_from_end, flat_map_app, N.add_0_l, N2Nat.id. f_equal.
  - assert (H : forall l, (forall n, In n l -> n < given x) -> flat_map (fun n => match find (snd (added x a)) n with Some b => [(n, b)] | None => [] end) l =
      flat_map (fun n => match find x n with Some b => [(n, b)] | None => [] end) l).
    { induction l as [|n l IH]; intros L; [reflexivity|]. cbn [flat_map]. rewrite F. destruct (N.eqb_spec n (given x)) as [->|_]; [exfalso; apply (N.lt_irrefl (given x)), L; left; reflexivity|].
      f_equal. apply IH. intros k I. apply L. right. exact I. }
    apply H. intros n I. apply numbers_from_in in I. lia.
  - cbn [flat_map]. change (find _ (given x)) with (find (snd (added x a)) (given x)). rewrite F, N.eqb_refl. reflexivity.
Qed.
Lemma listed_again {A} (l : list A) : List.map snd (in_order (numbered_of l)) = l.
Proof.
  unfold numbered_of. enough (H : forall x : numbered A, List.map snd (in_order (fold_left (fun x a => snd (added x a)) l x)) = List.map snd (in_order x) ++ l) by (rewrite H; reflexivity).
  induction l as [|a l IH]; intros x; cbn [fold_left]; [rewrite app_nil_r; reflexivity|]. rewrite IH, in_order_added, map_app, <- app_assoc. reflexivity.
Qed.
Lemma without_lemmas Q : Replay.with_lemmas Q [] = Fine Q.
Proof. unfold Replay.with_lemmas. cbn [Replay.add_lemmas]. unfold then_, Replay.changed. rewrite listed_again. destruct Q. reflexivity. Qed.

(** ** Integers alone *)

Section Program.
Variable Q : program.
Let P := Translated.program_of Q.

Definition type_is (r : N) (t : type) : bool := match List.nth_error (registers Q) (N.to_nat r) with Some x => same_type (register_type x) t | None => false end.
Definition fits (T : integer_type) (o : operand) : bool := match o with Register r => type_is r (IntegerType T) | Number z => is_within T z end.
Definition computes_well (r : N) (op : operation) (a b : operand) : bool := existsb (fun T => type_is r (IntegerType T) && negb (integer_type_eqb T Bool) && fits T a &&
  match op with ShiftLeft | ShiftRight => true | _ => fits T b end) all_types.
(** No object is made, and registers have the types that instructions ask for. *)
Definition is_instruction_formed (i : instruction) : bool := match i with
  | Compute r op a b => computes_well r op a b
  | Copy r _ => type_is r Pointer
  | Distance r _ _ _ => type_is r (IntegerType I64)
  | Allocate _ _ _ _ | Enter _ | Leave _ => false
  | _ => true end.
(** The registers that integers come in, if all inputs are such. *)
Definition input_registers : list N := flat_map (fun i => match i with IntegerInput r => [r] | _ => [] end) (inputs Q).
Definition is_integer_input (i : input) : bool := match i with IntegerInput _ => true | _ => false end.
(** Each number stands there once. *)
Fixpoint are_apart (l : list N) : bool := match l with [] => true | n :: l => negb (existsb (N.eqb n) l) && are_apart l end.
Definition is_given_well : bool := are_apart input_registers && forallb (fun r => r <? count (registers Q)) input_registers.
Definition is_of_integers : bool := is_given_well && is_empty (objects Q) && forallb (fun l => 1 <=? element_size l) (layouts Q) && forallb is_integer_input (inputs Q) &&
  forallb is_instruction_formed (instructions Q).

Hypothesis of_integers : is_of_integers = true.
Lemma no_objects_here : objects Q = [].
Proof. pose proof of_integers as H. unfold is_of_integers in H. destruct (objects Q); [reflexivity|]. cbn [is_empty] in H. rewrite andb_false_r in H. discriminate. Qed.
Lemma integer_inputs_here : inputs Q = List.map IntegerInput input_registers.
Proof.
  pose proof of_integers as H. unfold is_of_integers in H. apply andb_prop in H as [H _]. apply andb_prop in H as [_ H]. unfold input_registers. revert H.
  induction (inputs Q) as [|[r| | |] is_ IH]; intros H; try discriminate; [reflexivity|]. simpl in *. rewrite <- (IH H). reflexivity.
Qed.
Lemma formed_instruction i : In i (Programs.instructions P) -> exists j, i = Translated.instruction_of j /\ is_instruction_formed j = true.
Proof.
  intros I. apply in_map_iff in I as (j & <- & I). exists j. split; auto. pose proof of_integers as H. unfold is_of_integers in H. apply andb_prop in H as [_ H].
  rewrite forallb_forall in H. exact (H j I).
Qed.
Lemma type_holds r t : type_is r t = true -> Machine.type_of P (N.to_nat r) = Translated.type_of t.
Proof.
  unfold type_is. destruct (List.nth_error (registers Q) (N.to_nat r)) as [x|] eqn:N; [|discriminate]. intros S. unfold Machine.type_of, P. cbn [Translated.program_of Programs.registers].
  rewrite (nth_indep _ Programs.PointerType (Translated.type_of (register_type x))) by (rewrite map_length; apply nth_error_Some; congruence).
  rewrite (map_nth (fun r => Translated.type_of (register_type r))), (nth_error_nth _ _ _ N). f_equal.
  destruct (register_type x) as [T|], t as [U|]; simpl in S; try discriminate; [apply integer_type_eqb_eq in S; congruence | reflexivity].
Qed.
Lemma fits_well T o : fits T o = true -> Typed.operand_fits P T (Translated.operand_of o).
Proof. destruct o as [r|z]; simpl; intros H; [exact (type_holds r (IntegerType T) H) | apply is_within_iff; exact H]. Qed.
Lemma nothing_declared d : Machine.declaration_of P d = Machine.no_declaration.
Proof. unfold Machine.declaration_of, P. cbn [Translated.program_of Programs.objects]. rewrite no_objects_here. destruct d; reflexivity. Qed.
Lemma integer_locals : Tidy.locals_formed P.
Proof.
  split.
  - intros i d I Id. unfold P in I. cbn [Translated.program_of Programs.inputs] in I. rewrite integer_inputs_here, map_map in I. apply in_map_iff in I as (r & <- & _). destruct Id.
  - intros d k I. unfold Inputs.links_of in I. rewrite nothing_declared in I. destruct I.
  - intros r d b f I. apply formed_instruction in I as ([] & [= -> -> -> ->] & F); discriminate.
  - intros d [I|I]; apply formed_instruction in I as ([] & [= ->] & F); discriminate.
Qed.
Lemma integer_types : Typed.types_formed P.
Proof.
  split.
  - intros r op a b I. apply formed_instruction in I as ([] & [= -> -> -> ->] & F). cbn [is_instruction_formed] in F. apply existsb_exists in F as (T & _ & F).
    apply andb_prop in F as [F Fb]. apply andb_prop in F as [F Fa]. apply andb_prop in F as [Ft Nb]. exists T. split; [exact (type_holds _ _ Ft)|].
    split; [intros ->; discriminate|]. split; [apply fits_well; exact Fa|]. destruct op0; auto; apply fits_well; exact Fb.
  - intros r q I. apply formed_instruction in I as ([] & [= -> ->] & F). exact (type_holds _ _ F).
  - intros r q p z I. apply formed_instruction in I as ([] & [= -> -> -> ->] & F). exact (type_holds _ _ F).
Qed.
Lemma integer_memory : Bounds.memory_formed P.
Proof.
  split.
  - intros l I. apply in_map_iff in I as (x & <- & I). pose proof of_integers as H. unfold is_of_integers in H. do 2 apply andb_prop in H as [H _]. apply andb_prop in H as [_ H].
    rewrite forallb_forall in H. specialize (H x I). apply N.leb_le in H. simpl. lia.
  - intros r d b f I. apply formed_instruction in I as ([] & [= -> -> -> ->] & F). discriminate.
  - intros d n H. rewrite nothing_declared in H. discriminate.
Qed.
Lemma apart_once l : are_apart l = true -> NoDup l.
Proof.
  induction l as [|n l IH]; intros H; constructor; cbn [are_apart] in H; apply andb_prop in H as [N H]; [|auto]. intros I. apply negb_true_iff in N.
  assert (X : existsb (N.eqb n) l = true) by (apply existsb_exists; exists n; split; [exact I | apply N.eqb_refl]). congruence.
Qed.
Lemma integers_given : Loading.inputs_formed P.
Proof.
  pose proof of_integers as H. unfold is_of_integers in H. do 4 apply andb_prop in H as [H _]. unfold is_given_well in H. apply andb_prop in H as [Ap Ex].
  assert (Is : Programs.inputs P = List.map (fun r => Programs.IntegerInput (N.to_nat r)) input_registers) by (unfold P; cbn [Translated.program_of Programs.inputs]; rewrite integer_inputs_here at 1; apply map_map).
  assert (Rs : flat_map Loading.input_registers (Programs.inputs P) = List.map N.to_nat input_registers) by (rewrite Is; generalize input_registers; induction l as [|r l IH]; simpl; congruence).
  split.
  - rewrite Rs. apply FinFun.Injective_map_NoDup; [intros a b; apply N2Nat.inj | apply apart_once; exact Ap].
  - intros r I. rewrite Rs in I. apply in_map_iff in I as (q & <- & I). rewrite forallb_forall in Ex. specialize (Ex q I). apply N.ltb_lt in Ex. rewrite count_length in Ex.
    unfold P. cbn [Translated.program_of Programs.registers]. rewrite map_length. lia.
  - intros p n d I. rewrite Is in I. apply in_map_iff in I as (? & [=] & _).
  - intros p d I. rewrite Is in I. apply in_map_iff in I as (? & [=] & _).
  - intros p d I. rewrite Is in I. apply in_map_iff in I as (? & [=] & _).
Qed.
Lemma integer_targets : Recognised.targets_formed P.
Proof. intros d count cs may ds t O. rewrite nothing_declared in O. discriminate. Qed.
Lemma integer_contents : Entries.contents_formed P.
Proof. split; intros d; rewrite nothing_declared; discriminate. Qed.
End Program.
