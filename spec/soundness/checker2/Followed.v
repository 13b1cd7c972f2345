(** That a member behind an effect accounts for what an execution has done
    (spec/calculus.md#step), where registers alone change. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Existing Tidy Alike Typed Bounds FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed Moving.
Import ListNotations.
Open Scope Z_scope.

(** ** Slots by register *)

Lemma slot_at_is l m q : FoldedMembers.slot_at (member_of l m) q =
  match (if Nat.ltb q (N.to_nat (given (held m))) then find (held m) (N.of_nat q) else None) with Some v => slot_of v | None => FoldedMembers.forgotten end.
Proof.
  unfold FoldedMembers.slot_at. simpl. unfold entries_of. rewrite map_map. destruct (Nat.ltb_spec q (N.to_nat (given (held m)))) as [L|L].
  - apply nth_error_nth. rewrite nth_error_map, numbers_of_at. destruct (Nat.ltb_spec q (N.to_nat (given (held m)))); [|lia]. simpl. destruct (find (held m) (N.of_nat q)); reflexivity.
  - apply nth_overflow. unfold numbers_of. rewrite map_length, numbers_from_length. exact L.
Qed.
Lemma slot_at_put l l' m m' r v q : held m' = put (held m) r v -> numbered_right (held m) -> find (held m) r <> None ->
  FoldedMembers.slot_at (member_of l' m') q = if Nat.eqb q (N.to_nat r) then slot_of v else FoldedMembers.slot_at (member_of l m) q.
Proof.
  intros H R F. rewrite !slot_at_is, H. simpl given. rewrite find_put. destruct (Nat.eqb_spec q (N.to_nat r)) as [->|D].
  - destruct (find (held m) r) as [w|] eqn:Fr; [|congruence]. pose proof (R r w Fr). destruct (Nat.ltb_spec (N.to_nat r) (N.to_nat (given (held m)))); [|lia].
    rewrite N2Nat.id, N.eqb_refl. reflexivity.
  - destruct (N.eqb_spec (N.of_nat q) r); [subst r; rewrite Nat2N.id in D; congruence | reflexivity].
Qed.

Section Followed.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis locals : Tidy.locals_formed P.
Hypothesis types : Typed.types_formed P.
Hypothesis memories : Bounds.memory_formed P.
Notation machine := (Goatherd.Runs.system_of P under).
Notation step := (Machine.step P under).
Definition next_of (x : Machine.outcome Machine.state) : Goatherd.Runs.execution := match x with Machine.Ok s => Goatherd.Runs.Running s | Machine.Stop e => Goatherd.Runs.Over e end.
(** The execution, one step on. *)
Definition moved_on (r : Herds.run machine) (st : Machine.state) (d : Machine.decision) : Herds.run machine :=
  Herds.extend machine r (Machine.consumes P st (step st d)) (next_of (step st d)).

Variable l : N.
Variables m m' : member_state.
Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (M K : model).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g st : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued K) phi (member_of l m) rho roots lasts placed g.
Hypothesis numbered : numbered_right (held m).
Hypothesis standing : Machine.location st = N.to_nat l.
Variable e : effect.
Hypothesis moves : moved K m m' l e.
Variables d0 d : Machine.decision.
Hypothesis alike_ends : RegisterSteps.ends_alike P (step g d0) (step st d).
Hypothesis happened : happens P l m rho roots lasts g K e (step g d0).
(** What is drawn is what the fresh variable stands for. *)
Hypothesis drawn : forall r T, e = Draws r T -> exists t, find (held m') r = Some (IntegerSlot t) /\
  step g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (vl K t))).

Lemma location_g : Machine.location g = N.to_nat l.
Proof. exact (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described). Qed.
Lemma same_draws : Machine.draws P st = Machine.draws P g.
Proof. unfold Machine.draws. rewrite standing, location_g. reflexivity. Qed.
(** Behind a step that changes a register. *)
Lemma set_described r v w : held m' = put (held m) r v -> find (held m) r <> None -> place_of m' = At (N.succ l) ->
  FoldedMembers.means (valued K) (member_of l m) rho roots lasts (slot_of v) w ->
  FoldedMembers.describes_by P ss (valued K) phi (member_of (N.succ l) m') rho roots lasts placed (Machine.set g (N.to_nat r) w).
Proof.
  intros H F Pl Me. pose proof (FoldedMembers.register_count _ _ _ _ _ _ _ _ _ _ described) as Cn.
  eapply RegisterSteps.registers_change; [exact described | | | reflexivity | reflexivity | | |].
  - simpl. rewrite (moved_objects _ _ _ _ _ moves). reflexivity.
  - simpl. rewrite (moved_parts _ _ _ _ _ moves). reflexivity.
  - simpl. rewrite location_g, N2Nat.inj_succ. reflexivity.
  - rewrite slots_of_member, H. unfold Machine.set. simpl. rewrite Goatherd.Existing.replace_length, Cn, slots_of_member. reflexivity.
  - intros q. rewrite (slot_at_put l (N.succ l) m m' r v q H numbered F), RegisterSteps.register_set.
    destruct (find (held m) r) as [u|] eqn:Fr; [|congruence]. pose proof (numbered r u Fr) as Lr.
    destruct (Nat.eqb_spec q (N.to_nat r)) as [->|D]; cbn [andb].
    + destruct (Nat.ltb_spec (N.to_nat r) (length (Machine.values g))) as [L|L]; [exact Me|]. rewrite Cn, slots_of_member in L. lia.
    + apply (FoldedMembers.registers_hold _ _ _ _ _ _ _ _ _ _ described).
Qed.
Lemma go_described k : held m' = held m -> place_of m' = At k ->
  FoldedMembers.describes_by P ss (valued K) phi (member_of k m') rho roots lasts placed (Machine.go (N.to_nat k) g).
Proof.
  intros H Pl. pose proof (FoldedMembers.register_count _ _ _ _ _ _ _ _ _ _ described) as Cn.
  eapply RegisterSteps.registers_change; [exact described | | | reflexivity | reflexivity | reflexivity | |].
  - simpl. rewrite (moved_objects _ _ _ _ _ moves). reflexivity.
  - simpl. rewrite (moved_parts _ _ _ _ _ moves). reflexivity.
  - rewrite slots_of_member, H, <- slots_of_member with (l := l). exact Cn.
  - intros q. rewrite slot_at_is, H, <- slot_at_is with (l := l). apply (FoldedMembers.registers_hold _ _ _ _ _ _ _ _ _ _ described).
Qed.
(** What has been consumed. *)
Lemma step_counts g' : step g d0 = Machine.Ok g' -> (forall r T, e = Draws r T -> Machine.draws P g = true) -> (~ (exists r T, e = Draws r T) -> Machine.draws P g = false) ->
  (forall k, e = Goes k -> Machine.location g' = N.to_nat k) -> (~ (exists k, e = Goes k) -> Machine.location g' = S (N.to_nat l)) ->
  changes_registers e = true -> e <> FailsHere -> Z.of_nat (Machine.consumes P st (step st d)) = rounds l e.
Proof.
  intros Sg Dr Nd Go Ng Ch Nf. unfold RegisterSteps.ends_alike in alike_ends. rewrite Sg in alike_ends. destruct (step st d) as [s'|]; [|contradiction]. destruct alike_ends as [_ (rn & A & _)].
  unfold Machine.consumes, Machine.leads_back. rewrite same_draws, (Alike.same_location _ _ _ _ A), standing.
  destruct e as [k|r v| |r T|o f el v|r dd n f|o]; try discriminate; try congruence.
  - rewrite (Go k eq_refl), Nd by (intros (? & ? & ?); discriminate). simpl. destruct (N.leb_spec k l); destruct (Nat.leb_spec (N.to_nat k) (N.to_nat l)); try reflexivity; lia.
  - rewrite Ng by (intros (? & X); discriminate X). rewrite Nd by (intros (? & ? & X); discriminate X). destruct (Nat.leb_spec (S (N.to_nat l)) (N.to_nat l)); [lia | reflexivity].
  - rewrite Ng by (intros (? & X); discriminate X). rewrite (Dr r T eq_refl). destruct (Nat.leb_spec (S (N.to_nat l)) (N.to_nat l)); [lia | reflexivity].
Qed.
Lemma count_follows (r : Herds.run machine) n : (match consumed_of m with IntegerSlot t => vl K t = Z.of_nat (Herds.consumed machine r) | _ => True end) -> Z.of_nat n = rounds l e ->
  match Configurations.counted (counted_of m') with Some a => Terms.eval (valued K) a = Z.of_nat (Herds.consumed machine r + n) | None => True end.
Proof.
  intros C N. pose proof (moved_count _ _ _ _ _ moves) as Cn. simpl. destruct (consumed_of m) as [| |t| | | |]; simpl in Cn; try (rewrite Cn; exact Logic.I).
  destruct Cn as (u & -> & V). rewrite valued_term. lia.
Qed.
Theorem moved_accounts (r : Herds.run machine) : changes_registers e = true -> place_of m = At l -> Herds.last machine r = Goatherd.Runs.Running st ->
  (match consumed_of m with IntegerSlot t => vl K t = Z.of_nat (Herds.consumed machine r) | _ => True end) ->
  Configurations.accounts P under ss (valued K) phi (counted_of m') (moved_on r st d).
Proof.
  intros Ch Pl La C. unfold moved_on. pose proof (moved_place _ _ _ _ _ moves) as Pl'. pose proof (moved_held _ _ _ _ _ moves) as Hd.
  assert (Stands : forall g' k, step g d0 = Machine.Ok g' -> place_of m' = At k -> FoldedMembers.describes_by P ss (valued K) phi (member_of k m') rho roots lasts placed g' ->
    Z.of_nat (Machine.consumes P st (step st d)) = rounds l e ->
    Configurations.accounts P under ss (valued K) phi (counted_of m') (Herds.extend machine r (Machine.consumes P st (step st d)) (next_of (step st d)))).
  { intros g' k Sg Pk D N. split; [|simpl Herds.consumed; apply count_follows; auto]. simpl. rewrite Pk.
    pose proof alike_ends as A. unfold RegisterSteps.ends_alike in A. rewrite Sg in A. destruct (step st d) as [s'|] eqn:Ss; [|contradiction].
    exists s'. split; auto. apply (RegisterSteps.ends_denoted P ss phi (valued K) (member_of k m') rho roots lasts placed g' s' D). exact A. }
  pose proof happened as Hp. assert (X : exists e0, e0 = e) by eauto. destruct X as [e0 Ee]. rewrite <- Ee in Hp, Pl', Hd, Ch.
  destruct e0 as [k|q v| |q T|o f el v|q dd n f|o]; try discriminate; simpl in Hp, Pl', Hd.
  - destruct Hp as [Nd Sg]. eapply Stands; [exact Sg | exact Pl' | apply go_described; auto|].
    eapply step_counts; rewrite <- ?Ee; try reflexivity; try discriminate; [exact Sg | auto | intros k0 [= <-]; reflexivity | intros H; exfalso; apply H; eauto].
  - destruct Hp as (Nd & w & Sg & Me). destruct Hd as (r0 & v0 & [-> ->] & F & Hd). eapply Stands; [exact Sg | exact Pl' | eapply set_described; eauto|].
    eapply step_counts; rewrite <- ?Ee; try reflexivity; try discriminate; [exact Sg | auto | intros _; simpl; rewrite location_g; reflexivity].
  - destruct Hp as [f Sg]. pose proof alike_ends as A. unfold RegisterSteps.ends_alike in A. rewrite Sg in A. unfold Machine.fails in A.
    destruct (step st d) as [|x] eqn:Ss; [contradiction|]. subst x. split.
    + simpl. rewrite Pl'. exact Logic.I.
    + simpl Herds.consumed. apply count_follows; auto. rewrite <- Ee. reflexivity.
  - destruct Hp as (Nd & _). destruct Hd as (r0 & v0 & [-> (t & ->)] & F & Hd). destruct (drawn q T (eq_sym Ee)) as (t' & Ft & Sg).
    rewrite Hd, find_put, N.eqb_refl in Ft. injection Ft as <-.
    eapply Stands; [exact Sg | exact Pl' | eapply set_described; [exact Hd | exact F | exact Pl' | simpl; rewrite N2Nat.id; reflexivity]|].
    eapply step_counts; rewrite <- ?Ee; try reflexivity; try discriminate; [exact Sg | auto | intros H; exfalso; apply H; eauto | intros _; simpl; rewrite location_g; reflexivity].
Qed.
End Followed.
