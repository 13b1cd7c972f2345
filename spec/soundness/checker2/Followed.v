(** That a member behind an effect accounts for what an execution has done
    (spec/calculus.md#step), where registers change, or one element of an object. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Existing Tidy Alike Typed Bounds FoldedMembers Configurations Members RegisterSteps ElementSteps ObjectSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed PointerLists Places Templates Moving.
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
Hypothesis tables : tables_right m.
Let numbered := registers_numbered m tables.
Hypothesis standing : Machine.location st = N.to_nat l.
Variable e : effect.
Hypothesis moves : moved K m m' l e.
Variables d0 d : Machine.decision.
Hypothesis alike_ends : RegisterSteps.ends_alike P (step g d0) (step st d).
Hypothesis happened : happens P l m rho roots lasts g K e (step g d0).
(** No cell of a folded part is of a local declaration. *)
Hypothesis no_local_cell : forall f q c, FoldedMembers.part_named (member_of l m) f = Some q -> In c (placed f) -> Tidy.is_local P (Machine.declared (Machine.object_at g c)) = false.
(** What is drawn is what the fresh variable stands for. *)
Hypothesis drawn : forall r T, e = Draws r T -> exists t, find (held m') r = Some (IntegerSlot t) /\
  step g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (vl K t))).

Lemma location_g : Machine.location g = N.to_nat l.
Proof. exact (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described). Qed.
Lemma same_draws : Machine.draws P st = Machine.draws P g.
Proof. unfold Machine.draws. rewrite standing, location_g. reflexivity. Qed.
Definition keeps_objects (e : effect) : bool := match e with Writes_ _ _ _ _ | Creates _ _ _ _ | Kills _ => false | _ => true end.
Lemma objects_stay : keeps_objects e = true -> objects_held m' = objects_held m.
Proof. intros N. pose proof (moved_objects _ _ _ _ _ moves) as Ob. unfold objects_behind in Ob. destruct e; try exact Ob; discriminate. Qed.
(** Behind a step that changes a register. *)
Lemma set_described r v w : keeps_objects e = true -> held m' = put (held m) r v -> find (held m) r <> None -> place_of m' = At (N.succ l) ->
  FoldedMembers.means (valued K) (member_of l m) rho roots lasts (slot_of v) w ->
  FoldedMembers.describes_by P ss (valued K) phi (member_of (N.succ l) m') rho roots lasts placed (Machine.set g (N.to_nat r) w).
Proof.
  intros Nw H F Pl Me. pose proof (FoldedMembers.register_count _ _ _ _ _ _ _ _ _ _ described) as Cn.
  eapply RegisterSteps.registers_change; [exact described | | | reflexivity | reflexivity | | |].
  - simpl. rewrite (objects_stay Nw). reflexivity.
  - simpl. rewrite (moved_parts _ _ _ _ _ moves). reflexivity.
  - simpl. rewrite location_g, N2Nat.inj_succ. reflexivity.
  - rewrite slots_of_member, H. unfold Machine.set. simpl. rewrite Goatherd.Existing.replace_length, Cn, slots_of_member. reflexivity.
  - intros q. rewrite (slot_at_put l (N.succ l) m m' r v q H numbered F), RegisterSteps.register_set.
    destruct (find (held m) r) as [u|] eqn:Fr; [|congruence]. pose proof (numbered r u Fr) as Lr.
    destruct (Nat.eqb_spec q (N.to_nat r)) as [->|D]; cbn [andb].
    + destruct (Nat.ltb_spec (N.to_nat r) (length (Machine.values g))) as [L|L]; [exact Me|]. rewrite Cn, slots_of_member in L. lia.
    + apply (FoldedMembers.registers_hold _ _ _ _ _ _ _ _ _ _ described).
Qed.
Lemma go_described k : keeps_objects e = true -> held m' = held m -> place_of m' = At k ->
  FoldedMembers.describes_by P ss (valued K) phi (member_of k m') rho roots lasts placed (Machine.go (N.to_nat k) g).
Proof.
  intros Nw H Pl. pose proof (FoldedMembers.register_count _ _ _ _ _ _ _ _ _ _ described) as Cn.
  eapply RegisterSteps.registers_change; [exact described | | | reflexivity | reflexivity | reflexivity | |].
  - simpl. rewrite (objects_stay Nw). reflexivity.
  - simpl. rewrite (moved_parts _ _ _ _ _ moves). reflexivity.
  - rewrite slots_of_member, H, <- slots_of_member with (l := l). exact Cn.
  - intros q. rewrite slot_at_is, H, <- slot_at_is with (l := l). apply (FoldedMembers.registers_hold _ _ _ _ _ _ _ _ _ _ described).
Qed.
(** Behind a step that writes an element. *)
Lemma nth_mapped {A B} (h : A -> B) (xs : list A) k (none : B) : List.nth k (List.map h xs) none = match nth xs (N.of_nat k) with Some a => h a | None => none end.
Proof.
  rewrite nth_number, Nat2N.id. destruct (List.nth_error xs k) as [a|] eqn:N; [exact (nth_error_nth _ _ _ (map_nth_error h _ _ N))|]. apply nth_overflow. rewrite map_length. apply nth_error_None. exact N.
Qed.
Lemma replaced_length {A} (xs : list A) : forall n a, length (replaced xs n a) = length xs.
Proof. induction xs as [|x xs IH]; intros n a; cbn [replaced]; [reflexivity|]. destruct (n =? 0)%N; simpl; congruence. Qed.
(** The other elements of a field hold what they held, the one that is written what is written. *)
Lemma field_stays old new el v idx i u : written_field K old el v new -> match el with AtCell n => (n < count (cells old))%N /\ idx = Z.of_N n | AtRest j => vl K j = idx /\ (idx < 0 \/ Z.of_nat (length (cells old)) <= idx) end -> i <> idx ->
  FoldedMembers.means_element (valued K) (member_of l m) rho roots lasts (Denoting.field_of old) i u -> FoldedMembers.means_element (valued K) (member_of l m) rho roots lasts (Denoting.field_of new) i u.
Proof.
  intros Wn La Ni. unfold FoldedMembers.means_element. destruct el as [n|j]; cbn [written_field] in Wn.
  - destruct Wn as [_ ->], La as [_ ->]. cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest cells rest]. rewrite !map_length, replaced_length. destruct (Z.leb_spec 0 i); cbn [andb]; auto. destruct (Z.ltb_spec i (Z.of_nat (length (cells old)))); cbn [andb]; auto.
    rewrite !nth_mapped, replaced_number. destruct (N.eqb_spec (N.of_nat (Z.to_nat i)) n) as [E|_]; [exfalso; apply Ni; lia | auto].
  - destruct Wn as (t & a & b & -> & Ra & -> & Vb), La as [<- _]. cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest cells rest]. rewrite Ra. destruct (_ && _); auto. cbn [option_map]. simpl. rewrite !N2Nat.id, Vb. unfold stored_value. destruct (Z.eqb_spec i (vl K j)); [contradiction | auto].
Qed.
Lemma field_takes old new el v idx w : written_field K old el v new -> match el with AtCell n => (n < count (cells old))%N /\ idx = Z.of_N n | AtRest j => vl K j = idx /\ (idx < 0 \/ Z.of_nat (length (cells old)) <= idx) end ->
  says l m rho roots lasts K v w -> FoldedMembers.means_element (valued K) (member_of l m) rho roots lasts (Denoting.field_of new) idx w.
Proof.
  intros Wn La Sy. unfold FoldedMembers.means_element. destruct el as [n|j]; cbn [written_field] in Wn.
  - destruct Wn as [L ->], La as [_ ->]. rewrite Templates.count_length in L. cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest cells rest]. rewrite !map_length, replaced_length. destruct (Z.leb_spec 0 (Z.of_N n)), (Z.ltb_spec (Z.of_N n) (Z.of_nat (length (cells old)))); try lia. cbn [andb].
    rewrite nth_mapped, replaced_number. replace (N.of_nat (Z.to_nat (Z.of_N n))) with n by lia. rewrite N.eqb_refl. destruct (nth (cells old) n) as [c0|] eqn:Nc; [exact Sy|]. exfalso. rewrite nth_number in Nc. apply nth_error_None in Nc. lia.
  - destruct Wn as (t & a & b & -> & Ra & -> & Vb), La as [<- Side]. cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest cells rest]. rewrite map_length.
    assert (Nb : (0 <=? vl K j) && (vl K j <? Z.of_nat (length (cells old))) = false) by (apply andb_false_iff; destruct Side; [left; apply Z.leb_gt; lia | right; apply Z.ltb_ge; lia]). rewrite Nb.
    cbn [option_map]. simpl. rewrite N2Nat.id, Vb. unfold stored_value. rewrite Z.eqb_refl. unfold says in Sy. simpl in Sy. rewrite N2Nat.id in Sy. exact Sy.
Qed.
Lemma written_described o f el v idx w : e = Writes_ o f el v -> held m' = held m -> place_of m' = At (N.succ l) -> lands m K o f el idx -> says l m rho roots lasts K v w ->
  FoldedMembers.describes_by P ss (valued K) phi (member_of (N.succ l) m') rho roots lasts placed (stored_at rho g o f idx w).
Proof.
  intros Ee H Pl (x0 & old0 & Fx0 & No0 & La) Sy. pose proof (moved_objects _ _ _ _ _ moves) as Ob. rewrite Ee in Ob. cbn [objects_behind] in Ob. destruct Ob as (x & old & new & Fx & No & Wn & Ob).
  rewrite Fx in Fx0. injection Fx0 as <-. rewrite No in No0. injection No0 as <-. pose proof (objects_numbered m tables o x Fx) as Lo.
  assert (On : FoldedMembers.object_named (member_of l m) (N.to_nat o) = Some (object_of x)) by (rewrite object_named_is, N2Nat.id, Fx; destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m)))); [reflexivity | lia]).
  unfold stored_at.
  apply (ElementSteps.element_changes P ss phi (valued K) (member_of l m) (member_of (N.succ l) m') (N.to_nat o) (object_of x) (object_of (with_fields x (replaced (field_states x) f new))) On).
  - simpl. rewrite H. reflexivity.
  - simpl. rewrite (moved_parts _ _ _ _ _ moves). reflexivity.
  - intros q. rewrite !object_named_is, Ob. change (given (put (objects_held m) o (with_fields x (replaced (field_states x) f new)))) with (given (objects_held m)). rewrite find_put.
    destruct (Nat.eqb_spec q (N.to_nat o)) as [->|Nq]; [rewrite N2Nat.id, N.eqb_refl; destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m)))); [reflexivity | lia]|].
    destruct (N.eqb_spec (N.of_nat q) o) as [Eq|_]; [exfalso; apply Nq; lia | reflexivity].
  - cbn [object_of with_fields FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents declaration life_of lower upper field_states]. rewrite !map_length, replaced_length. auto.
  - exact described.
  - simpl. rewrite location_g, N2Nat.inj_succ. reflexivity.
  - intros k i u D Me. cbn [object_of with_fields FoldedMembers.contents field_states] in *. rewrite nth_mapped in *. rewrite replaced_number. destruct (N.eqb_spec (N.of_nat k) f) as [Ek|_]; [|exact Me]. rewrite Ek, No in *.
    apply (field_stays old new el v idx i u); auto. destruct D as [D|D]; [exfalso; apply D; lia | exact D].
  - cbn [object_of with_fields FoldedMembers.contents field_states]. rewrite nth_mapped, replaced_number, N2Nat.id, N.eqb_refl, No. apply (field_takes old new el v idx w); auto.
Qed.
(** Behind a step that ends an object. *)
Lemma killed_described o : e = Kills o -> held m' = held m -> place_of m' = At (N.succ l) ->
  FoldedMembers.describes_by P ss (valued K) phi (member_of (N.succ l) m') rho roots lasts placed (Machine.kill (Machine.next_location g) (rho (N.to_nat o))).
Proof.
  intros Ee H Pl. pose proof (moved_objects _ _ _ _ _ moves) as Ob. rewrite Ee in Ob. cbn [objects_behind] in Ob. destruct Ob as (x & Fx & Ob).
  pose proof (objects_numbered m tables o x Fx) as Lo.
  assert (On : FoldedMembers.object_named (member_of l m) (N.to_nat o) = Some (object_of x)) by (rewrite object_named_is, N2Nat.id, Fx; destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m)))); [reflexivity | lia]).
  eapply ObjectSteps.object_ends; [exact described | simpl; rewrite H; reflexivity | simpl; rewrite (moved_parts _ _ _ _ _ moves); reflexivity | | | simpl; rewrite location_g, N2Nat.inj_succ; reflexivity].
  - intros f q Hq. exact (FoldedMembers.cells_apart _ _ _ _ _ _ _ _ _ _ described _ _ _ _ On Hq).
  - intros q. rewrite object_named_is, Ob. change (given (put (objects_held m) o (with_life x Dead))) with (given (objects_held m)). rewrite find_put.
    destruct (N.eqb_spec (N.of_nat q) o) as [<-|Nq].
    + rewrite Nat2N.id in On. rewrite On. destruct (Nat.ltb_spec q (N.to_nat (given (objects_held m)))); [|lia]. cbn [option_map]. unfold ObjectSteps.dead_at. rewrite Nat2N.id, Nat.eqb_refl. reflexivity.
    + rewrite <- object_named_is with (l := l). destruct (FoldedMembers.object_named (member_of l m) q) as [z|] eqn:Hz; [|reflexivity]. cbn [option_map]. unfold ObjectSteps.dead_at.
      destruct (Nat.eqb_spec (rho q) (rho (N.to_nat o))) as [E|_]; [|reflexivity]. exfalso. apply Nq. pose proof (FoldedMembers.objects_apart _ _ _ _ _ _ _ _ _ _ described _ _ _ _ Hz On E). lia.
Qed.
(** Behind a step that ends an object of which the member says nothing. *)
Lemma ended_described p : keeps_objects e = true -> held m' = held m -> place_of m' = At (N.succ l) -> Tidy.is_local P (Machine.declared (Machine.object_at g p)) = true ->
  (forall o y, find (objects_held m) o = Some y -> rho (N.to_nat o) = p -> life_of y = Dead) ->
  FoldedMembers.describes_by P ss (valued K) phi (member_of (N.succ l) m') rho roots lasts placed (Machine.kill (Machine.next_location g) p).
Proof.
  intros Nw H Pl Lo Un. eapply ObjectSteps.object_ends; [exact described | simpl; rewrite H; reflexivity | simpl; rewrite (moved_parts _ _ _ _ _ moves); reflexivity | | | simpl; rewrite location_g, N2Nat.inj_succ; reflexivity].
  - intros f q Hq I. rewrite (no_local_cell f q p Hq I) in Lo. discriminate.
  - intros q. rewrite !object_named_is, (objects_stay Nw). destruct (Nat.ltb_spec q (N.to_nat (given (objects_held m)))); [|reflexivity]. destruct (find (objects_held m) (N.of_nat q)) as [y|] eqn:F; [|reflexivity]. cbn [option_map].
    unfold ObjectSteps.dead_at. destruct (Nat.eqb_spec (rho q) p) as [Er|_]; [|reflexivity]. rewrite <- (Nat2N.id q) in Er. unfold object_of. rewrite (Un _ y F Er). reflexivity.
Qed.
(** What has been consumed. *)
Lemma step_counts g' : step g d0 = Machine.Ok g' -> (forall r T, e = Draws r T -> Machine.draws P g = true) -> (~ (exists r T, e = Draws r T) -> Machine.draws P g = false) ->
  (forall k, e = Goes k -> Machine.location g' = N.to_nat k) -> (~ (exists k, e = Goes k) -> Machine.location g' = S (N.to_nat l)) ->
  makes e = false -> e <> FailsHere -> Z.of_nat (Machine.consumes P st (step st d)) = rounds l e.
Proof.
  intros Sg Dr Nd Go Ng Ch Nf. unfold RegisterSteps.ends_alike in alike_ends. rewrite Sg in alike_ends. destruct (step st d) as [s'|]; [|contradiction]. destruct alike_ends as [_ (rn & A & _)].
  unfold Machine.consumes, Machine.leads_back. rewrite same_draws, (Alike.same_location _ _ _ _ A), standing.
  destruct e as [k|r v| |r T|o f el v|r dd n f|o]; try discriminate; try congruence.
  - rewrite (Go k eq_refl), Nd by (intros (? & ? & ?); discriminate). simpl. destruct (N.leb_spec k l); destruct (Nat.leb_spec (N.to_nat k) (N.to_nat l)); try reflexivity; lia.
  - rewrite Ng by (intros (? & X); discriminate X). rewrite Nd by (intros (? & ? & X); discriminate X). destruct (Nat.leb_spec (S (N.to_nat l)) (N.to_nat l)); [lia | reflexivity].
  - rewrite Ng by (intros (? & X); discriminate X). rewrite (Dr r T eq_refl). destruct (Nat.leb_spec (S (N.to_nat l)) (N.to_nat l)); [lia | reflexivity].
  - rewrite Ng by (intros (? & X); discriminate X). rewrite Nd by (intros (? & ? & X); discriminate X). destruct (Nat.leb_spec (S (N.to_nat l)) (N.to_nat l)); [lia | reflexivity].
  - rewrite Ng by (intros (? & X); discriminate X). rewrite Nd by (intros (? & ? & X); discriminate X). destruct (Nat.leb_spec (S (N.to_nat l)) (N.to_nat l)); [lia | reflexivity].
Qed.
Lemma count_follows (r : Herds.run machine) n : (match consumed_of m with IntegerSlot t => vl K t = Z.of_nat (Herds.consumed machine r) | _ => True end) -> Z.of_nat n = rounds l e ->
  match Configurations.counted (counted_of m') with Some a => Terms.eval (valued K) a = Z.of_nat (Herds.consumed machine r + n) | None => True end.
Proof.
  intros C N. pose proof (moved_count _ _ _ _ _ moves) as Cn. simpl. destruct (consumed_of m) as [| |t| | | |]; simpl in Cn; try (rewrite Cn; exact Logic.I).
  destruct Cn as (u & -> & V). rewrite valued_term. lia.
Qed.
Theorem moved_accounts (r : Herds.run machine) : makes e = false -> place_of m = At l -> Herds.last machine r = Goatherd.Runs.Running st ->
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
  - destruct Hp as [Nd [Sg|[-> (p & Sg & Lo & Un)]]].
    2: { eapply Stands; [exact Sg | exact Pl' | eapply ended_described; eauto; rewrite <- Ee; reflexivity|].
      eapply step_counts; rewrite <- ?Ee; try reflexivity; try discriminate; [exact Sg | auto | intros k0 [= <-]; simpl; rewrite location_g, N2Nat.inj_succ; reflexivity | intros H; exfalso; apply H; eauto]. }
    eapply Stands; [exact Sg | exact Pl' | apply go_described; auto; rewrite <- Ee; reflexivity|].
    eapply step_counts; rewrite <- ?Ee; try reflexivity; try discriminate; [exact Sg | auto | intros k0 [= <-]; reflexivity | intros H; exfalso; apply H; eauto].
  - destruct Hp as (Nd & w & Sg & Me). destruct Hd as (r0 & v0 & [-> ->] & F & Hd). eapply Stands; [exact Sg | exact Pl' | eapply set_described; eauto; rewrite <- Ee; reflexivity|].
    eapply step_counts; rewrite <- ?Ee; try reflexivity; try discriminate; [exact Sg | auto | intros _; simpl; rewrite location_g; reflexivity].
  - destruct Hp as [f Sg]. pose proof alike_ends as A. unfold RegisterSteps.ends_alike in A. rewrite Sg in A. unfold Machine.fails in A.
    destruct (step st d) as [|x] eqn:Ss; [contradiction|]. subst x. split.
    + simpl. rewrite Pl'. exact Logic.I.
    + simpl Herds.consumed. apply count_follows; auto. rewrite <- Ee. reflexivity.
  - destruct Hp as (Nd & _). destruct Hd as (r0 & v0 & [-> (t & ->)] & F & Hd). destruct (drawn q T (eq_sym Ee)) as (t' & Ft & Sg).
    rewrite Hd, find_put, N.eqb_refl in Ft. injection Ft as <-.
    eapply Stands; [exact Sg | exact Pl' | eapply set_described; [rewrite <- Ee; reflexivity | exact Hd | exact F | exact Pl' | simpl; rewrite N2Nat.id; reflexivity]|].
    eapply step_counts; rewrite <- ?Ee; try reflexivity; try discriminate; [exact Sg | auto | intros H; exfalso; apply H; eauto | intros _; simpl; rewrite location_g; reflexivity].
  - destruct Hp as (Nd & idx & w & Sg & Sy & La'). eapply Stands; [exact Sg | exact Pl' | eapply written_described; eauto|].
    eapply step_counts; rewrite <- ?Ee; try reflexivity; try discriminate; [exact Sg | auto | intros _; simpl; rewrite location_g; reflexivity].
  - destruct Hp as (Nd & _ & Sg). eapply Stands; [exact Sg | exact Pl' | eapply killed_described; eauto|].
    eapply step_counts; rewrite <- ?Ee; try reflexivity; try discriminate; [exact Sg | auto | intros _; simpl; rewrite location_g; reflexivity].
Qed.
End Followed.
