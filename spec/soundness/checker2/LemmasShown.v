(** That the program with the lemmas of a proof, as the second checker makes it
    (spec/calculus.md#lemmas), is that of Asking.v: no execution of a program fails if none of
    that one does. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Sorts Programs Machine Existing Twins Lemmas Asking.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena States Denoting Carried Closing Moving Templates.
From Goatherd.checker2 Require Replay.
Import ListNotations.

(** ** Instructions by number *)

Definition listed {A} (x : numbered A) (l : list A) : Prop := given x = N.of_nat (length l) /\ forall k, find x (N.of_nat k) = List.nth_error l k.
Lemma listed_added {A} (x : numbered A) l a : listed x l -> listed (snd (added x a)) (l ++ [a]).
Proof.
  intros [G F]. split; [cbn [added snd put one_more_number given]; rewrite app_length, G; simpl; lia|]. intros k. unfold added. cbn [snd]. rewrite find_put, G.
  destruct (N.eqb_spec (N.of_nat k) (N.of_nat (length l))) as [E|E].
  - apply Nat2N.inj in E. subst k. rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity.
  - change (find (one_more_number x) (N.of_nat k)) with (find x (N.of_nat k)). rewrite F. destruct (Nat.lt_ge_cases k (length l)); [rewrite nth_error_app1 by assumption; reflexivity|].
    rewrite (proj2 (nth_error_None l k)) by lia. symmetry. apply nth_error_None. rewrite app_length. simpl. lia.
Qed.
Lemma listed_none A : listed (none_numbered A 0) [].
Proof. split; [reflexivity|]. intros k. unfold find. cbn [none_numbered present_entries]. rewrite FMapPositive.PositiveMap.gempty. destruct k; reflexivity. Qed.
Lemma listed_numbered {A} (l : list A) : listed (numbered_of l) l.
Proof.
  unfold numbered_of. enough (H : forall (x : numbered A) k, listed x k -> listed (fold_left (fun x a => snd (added x a)) l x) (k ++ l)) by (apply (H _ []); apply listed_none).
  induction l as [|a l IH]; intros x k L; cbn [fold_left]; [rewrite app_nil_r; exact L|]. replace (k ++ a :: l) with ((k ++ [a]) ++ l) by (rewrite <- app_assoc; reflexivity). apply IH, listed_added, L.
Qed.
Lemma listed_put {A} (x : numbered A) l n a : listed x l -> (n < length l)%nat -> listed (put x (N.of_nat n) a) (Machine.replace l n a).
Proof.
  intros [G F] L. split; [rewrite Existing.replace_length; exact G|]. intros k. rewrite find_put, Lemmas.nth_error_replace. destruct (Nat.eqb_spec k n) as [->|D].
  - rewrite N.eqb_refl. apply Nat.ltb_lt in L. rewrite L. reflexivity.
  - destruct (N.eqb_spec (N.of_nat k) (N.of_nat n)); [lia | apply F].
Qed.
Lemma listed_order {A} (x : numbered A) l : listed x l -> List.map snd (in_order x) = l.
Proof.
  intros [G F]. unfold in_order, numbers_of. rewrite G, Nat2N.id.
  enough (H : forall rest k, (forall i, find x (N.of_nat (k + i)) = List.nth_error rest i) -> List.map snd (flat_map (fun n => match find x n with Some a => [(n, a)] | None => [] end) (numbers_from (N.of_nat k) (length rest))) = rest) by (apply (H l 0%nat); exact F).
  clear G F. induction rest as [|a rest IH]; intros k H; cbn [length numbers_from flat_map]; [reflexivity|]. rewrite map_app. pose proof (H 0%nat) as H0. rewrite Nat.add_0_r in H0. rewrite H0. cbn [List.nth_error List.map app snd]. f_equal.
  rewrite <- Nat2N.inj_succ. apply IH. intros i. rewrite Nat.add_succ_comm. apply (H (S i)).
Qed.

(** ** One lemma *)

(** The program with these instructions in the place of its own. *)
Definition with_code (Q : program) (is : list instruction) : Programs.program := Translated.program_of (Replay.changed Q (registers Q) (inputs Q) is).
Definition lemma_of (l : lemma) : nat * Programs.condition := (N.to_nat (lemma_location l), Translated.condition_of (lemma_condition l)).
Lemma map_replaced {A B} (f : A -> B) (l : list A) a : forall n, List.map f (Machine.replace l n a) = Machine.replace (List.map f l) n (f a).
Proof. induction l as [|b l IH]; intros [|n]; cbn [List.map Machine.replace]; try reflexivity. f_equal. apply IH. Qed.
Lemma register_found Q r t : register_of (names_of Q) r = Has t -> exists x, List.nth_error (registers Q) (N.to_nat r) = Some x /\ register_type x = t.
Proof.
  unfold register_of, get. cbn [names_of registers_of]. rewrite at_position_is. destruct (List.nth_error (registers Q) (N.to_nat r)) as [x|]; [|discriminate]. intros [= <-]. eauto.
Qed.
Lemma type_found Q is r x : List.nth_error (registers Q) (N.to_nat r) = Some x -> Machine.type_of (with_code Q is) (N.to_nat r) = Translated.type_of (register_type x) /\ (N.to_nat r < length (Programs.registers (with_code Q is)))%nat.
Proof.
  intros N. unfold Machine.type_of, with_code. cbn [Translated.program_of Programs.registers Replay.changed registers]. split.
  - exact (nth_error_nth _ _ _ (map_nth_error (fun r => Translated.type_of (register_type r)) _ _ N)).
  - rewrite map_length. apply nth_error_Some. congruence.
Qed.
(** What is asked about the condition is what the theorem asks. *)
Lemma every_in {A} (check : A -> checked unit) l : every check l = Has tt -> forall a, In a l -> check a = Has tt.
Proof. induction l as [|b l IH]; intros H a I; [destruct I|]. cbn [every] in H. unfold andthen in H. destruct (check b) as [[]|] eqn:C; [|discriminate]. destruct I as [<-|I]; auto. Qed.
Lemma condition_formed Q is l : Replay.lemma_holds Q l = Has tt -> match Translated.condition_of (lemma_condition l) with
  | Programs.Integers _ a b => forall r, In r (Twins.of_operand a ++ Twins.of_operand b) -> exists T, Machine.type_of (with_code Q is) r = Programs.IntegerType T
  | Programs.PointersCompared _ a b => Asking.inside (length (Programs.registers (with_code Q is))) (Twins.of_pointer_operand a ++ Twins.of_pointer_operand b) end.
Proof.
  intros H. unfold Replay.lemma_holds in H. pose proof (every_in _ _ H) as Each. destruct (lemma_condition l) as [rel a b|rel a b]; cbn [Translated.condition_of compared] in *.
  - assert (One : forall o, In (Reads o AnInteger) [Reads a AnInteger; Reads b AnInteger] -> forall r, In r (Twins.of_operand (Translated.operand_of o)) -> exists T, Machine.type_of (with_code Q is) r = Programs.IntegerType T).
    { intros o I r J. specialize (Each _ I). destruct o as [q|z]; cbn [Translated.operand_of Twins.of_operand] in J; [|destruct J]. destruct J as [<-|[]]. cbn [check_mention] in Each. unfold check_register, andthen in Each.
      destruct (register_of (names_of Q) q) as [t|] eqn:R; [|discriminate]. destruct (register_found Q q t R) as (x & N & Tx). destruct t as [T|]; [|discriminate]. exists T. rewrite (proj1 (type_found Q is q x N)), Tx. reflexivity. }
    intros r I. apply in_app_or in I as [I|I]; [apply (One a); [left; reflexivity | exact I] | apply (One b); [right; left; reflexivity | exact I]].
  - assert (One : forall o, (forall m, In m (pointer_side o) -> check_mention (names_of Q) m = Has tt) -> Asking.inside (length (Programs.registers (with_code Q is))) (Twins.of_pointer_operand (Translated.pointer_of o))).
    { intros o Each' r J. destruct o as [q|]; cbn [Translated.pointer_of Twins.of_pointer_operand] in J; [|destruct J]. destruct J as [<-|[]]. specialize (Each' _ (or_introl eq_refl)). unfold pointer in Each'; cbn [check_mention] in Each'. unfold check_register, andthen in Each'.
      destruct (register_of (names_of Q) q) as [t|] eqn:R; [|discriminate]. destruct (register_found Q q t R) as (x & N & _). exact (proj2 (type_found Q is q x N)). }
    intros r I. apply in_app_or in I as [I|I]; revert r I; apply One; intros x I; apply Each, in_or_app; auto.
Qed.
(** Whether it asks. *)
Lemma asks_same Q code_ is l Q1 b : listed code_ is -> Replay.asking Q code_ l = (Q1, b) -> if b : bool
  then exists known x, Asking.asked (with_code Q is) (lemma_of l) = Some (N.to_nat known) /\ List.nth_error (registers Q) (N.to_nat known) = Some x /\
    Q1 = Replay.changed Q (registers Q ++ [{| register_name := []; register_type := register_type x |}]) (inputs Q ++ [IntegerInput (N.of_nat (length (registers Q)))]) (instructions Q)
  else Asking.asked (with_code Q is) (lemma_of l) = None /\ Q1 = Q.
Proof.
  intros [_ F] H. unfold Replay.asking in H. unfold Asking.asked, lemma_of. cbn [fst snd]. specialize (F (N.to_nat (lemma_location l))). rewrite N2Nat.id in F. rewrite F in H.
  unfold with_code. cbn [Translated.program_of Programs.instructions Programs.registers Replay.changed registers instructions]. rewrite nth_error_map, map_length.
  destruct (lemma_condition l) as [rel a c|rel a c]; cbn [Translated.condition_of]; [|injection H as <- <-; auto].
  destruct rel; try (injection H as <- <-; auto; fail). destruct a as [known|z]; [|injection H as <- <-; auto]. destruct c as [anew|z]; [|injection H as <- <-; auto]. cbn [Translated.relation_of Translated.operand_of].
  destruct (List.nth_error is _) as [i|]; cbn [option_map]; [|injection H as <- <-; auto].
  destruct i; try (injection H as <- <-; auto; fail). cbn [Translated.instruction_of]. rewrite count_length in H.
  destruct (N.eqb_spec anew (N.of_nat (length (registers Q)))) as [Eq|Ne].
  - rewrite Eq in *. rewrite Nat2N.id, Nat.eqb_refl. cbn [andb]. destruct (register_of (names_of Q) known) as [t|] eqn:R.
    + injection H as <- <-. destruct (register_found Q known t R) as (x & N & <-). exists known, x. split; [|auto]. destruct (Nat.ltb_spec (N.to_nat known) (length (registers Q))) as [_|L]; [reflexivity|]. apply nth_error_None in L. congruence.
    + injection H as <- <-. split; [|reflexivity]. destruct (Nat.ltb_spec (N.to_nat known) (length (registers Q))) as [L|_]; [|reflexivity]. exfalso. unfold register_of, get in R. cbn [names_of registers_of] in R. rewrite at_position_is in R.
      destruct (List.nth_error (registers Q) (N.to_nat known)) eqn:N; [discriminate|]. apply nth_error_None in N. lia.
  - injection H as <- <-. split; [|reflexivity]. destruct (Nat.eqb_spec (N.to_nat anew) (length (registers Q))); [lia | reflexivity].
Qed.
Theorem lemma_added Q code_ is l Q' code' : listed code_ is -> Replay.add_lemma Q code_ l = Has (Q', code') -> exists is', listed code' is' /\
  with_code Q' is' = Asking.add_lemma (with_code Q is) (lemma_of l) /\ Asking.lemma_formed (with_code Q is) (lemma_of l).
Proof.
  intros L H. unfold Replay.add_lemma in H. destruct (Replay.asking Q code_ l) as [Q1 b] eqn:As. pose proof (asks_same Q code_ is l Q1 b L As) as Asked. unfold andthen in H.
  destruct (Replay.lemma_holds Q1 l) as [[]|] eqn:Ho; [|discriminate]. unfold require in H. destruct (_ <=? greatest_u32)%N; [|discriminate].
  pose proof L as [G F]. specialize (F (N.to_nat (lemma_location l))). rewrite N2Nat.id in F. rewrite F in H. destruct (List.nth_error is (N.to_nat (lemma_location l))) as [i|] eqn:Ni; [|discriminate].
  assert (Li : (N.to_nat (lemma_location l) < length is)%nat) by (apply nth_error_Some; congruence).
  set (target := if b then (given code_ + 2)%N else given code_). set (last := if b then Ignore else Jump (N.succ (lemma_location l))).
  set (is' := Machine.replace is (N.to_nat (lemma_location l)) (Branch (lemma_condition l) (N.succ (given code_)) target) ++ [Fail Assertion; i; last]).
  assert (Eq : code' = snd (added (snd (added (snd (added (put code_ (lemma_location l) (Branch (lemma_condition l) (N.succ (given code_)) target)) (Fail Assertion))) i)) last) /\ Q' = Q1) by (unfold target, last; destruct b; injection H as <- <-; auto).
  destruct Eq as [-> ->]. clear H. exists is'. assert (Same : with_code Q1 is' = Asking.add_lemma (with_code Q is) (lemma_of l)).
  { unfold Asking.add_lemma. destruct b.
    - destruct Asked as (known & x & A & Nk & ->). rewrite A. destruct (Asking.asked_is _ _ _ A) as (At & _ & Cd). destruct (type_found Q is known x Nk) as [Ty _].
      change (snd (lemma_of l)) with (Translated.condition_of (lemma_condition l)) in Cd. cbn [fst lemma_of] in At |- *.
      unfold Asking.with_question, Asking.with_register. rewrite Ty. unfold with_code, Translated.program_of in At, Cd |- *. cbn [Programs.registers Programs.layouts Programs.objects Programs.tables Programs.inputs Programs.instructions Replay.changed registers layouts objects tables inputs instructions] in At, Cd |- *.
      rewrite nth_error_map, Ni in At. cbn [option_map] in At. injection At as At. rewrite map_length in Cd |- *.
      assert (Ins : List.map Translated.instruction_of is' = Asking.question_instructions (List.map Translated.instruction_of is) (N.to_nat (lemma_location l)) (N.to_nat known) (length (registers Q))).
      { unfold is', Asking.question_instructions, target, last. rewrite map_app, map_replaced, map_length. cbn [List.map Translated.instruction_of]. rewrite Cd, At, G, N2Nat.inj_succ, Nat2N.id. replace (N.to_nat (N.of_nat (length is) + 2)) with (S (S (length is))) by lia. reflexivity. }
      rewrite Ins, !map_app. cbn [List.map Translated.input_of register_type]. rewrite Nat2N.id. reflexivity.
    - destruct Asked as [-> ->]. unfold Lemmas.with_lemma. cbn [fst snd lemma_of]. unfold with_code, Translated.program_of. cbn [Programs.registers Programs.layouts Programs.objects Programs.tables Programs.inputs Programs.instructions Replay.changed registers layouts objects tables inputs instructions].
      rewrite nth_error_map, Ni. cbn [option_map]. unfold Lemmas.with_instructions. cbn [Programs.registers Programs.layouts Programs.objects Programs.tables Programs.inputs Programs.instructions].
      assert (Ins : List.map Translated.instruction_of is' = Lemmas.lemma_instructions (List.map Translated.instruction_of is) (N.to_nat (lemma_location l)) (Translated.condition_of (lemma_condition l)) (Translated.instruction_of i)).
      { unfold is', Lemmas.lemma_instructions, target, last. cbv zeta. rewrite map_app, map_replaced, map_length. cbn [List.map Translated.instruction_of]. rewrite G, !N2Nat.inj_succ, Nat2N.id. reflexivity. }
      rewrite Ins. reflexivity. }
  split; [|split; [exact Same|]].
  - unfold is'. replace (Machine.replace is (N.to_nat (lemma_location l)) (Branch (lemma_condition l) (N.succ (given code_)) target) ++ [Fail Assertion; i; last])
      with (((Machine.replace is (N.to_nat (lemma_location l)) (Branch (lemma_condition l) (N.succ (given code_)) target) ++ [Fail Assertion]) ++ [i]) ++ [last]) by (rewrite <- !app_assoc; reflexivity).
    do 3 apply listed_added. rewrite <- (N2Nat.id (lemma_location l)) at 1. apply listed_put; assumption.
  - unfold Asking.lemma_formed. rewrite <- Same. exact (condition_formed Q1 is' l Ho).
Qed.

(** ** All of them *)

Lemma lemmas_added ls : forall Q n code_ is Q' code', listed code_ is -> Replay.add_lemmas Q n code_ ls = Fine (Q', code') -> exists is', listed code' is' /\
  with_code Q' is' = fold_left Asking.add_lemma (List.map lemma_of ls) (with_code Q is) /\ Asking.lemmas_right (with_code Q is) (List.map lemma_of ls).
Proof.
  induction ls as [|l ls IH]; intros Q n code_ is Q' code' L H; cbn [Replay.add_lemmas List.map fold_left Asking.lemmas_right] in *; [injection H as <- <-; eauto|].
  destruct (Replay.add_lemma Q code_ l) as [[Q1 code1]|] eqn:A; [|discriminate]. destruct (lemma_added Q code_ is l Q1 code1 L A) as (is1 & L1 & E1 & F1).
  destruct (IH Q1 (N.succ n) code1 is1 Q' code' L1 H) as (is' & L' & E' & F'). rewrite <- E1. eauto.
Qed.
(** What the kernel's program with lemmas shows is so of the program. *)
Theorem without_lemmas_safe Q ls Q' under : Replay.with_lemmas Q ls = Fine Q' -> Asking.program_formed (Translated.program_of Q) ->
  Herds.safe (Goatherd.Runs.system_of (Translated.program_of Q') under) -> Herds.safe (Goatherd.Runs.system_of (Translated.program_of Q) under).
Proof.
  intros H F S. unfold Replay.with_lemmas, then_ in H. destruct (Replay.add_lemmas Q 0 (numbered_of (instructions Q)) ls) as [[Q1 code1]|] eqn:A; [|discriminate]. injection H as <-.
  destruct (lemmas_added ls Q 0%N _ _ Q1 code1 (listed_numbered (instructions Q)) A) as (is' & L & E & R). rewrite (listed_order _ _ L) in S. change (Translated.program_of Q) with (with_code Q (instructions Q)) in *.
  apply (Asking.any_lemmas_sound under (List.map lemma_of ls) _ F R). rewrite <- E. exact S.
Qed.
