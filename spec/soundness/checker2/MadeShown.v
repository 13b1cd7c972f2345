(** That a member behind an effect that makes an object accounts for what an execution has done
    (spec/calculus.md#step). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Configurations Members RegisterSteps ObjectSteps Frames SameValues Creating.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed PointerLists Places Templates Moving LifeLists Followed FreshObjects MadeObjects.
Import ListNotations.
Open Scope Z_scope.

(** What fresh cells hold, nothing having been written. *)
Lemma first_read (fs : list field) f w : forall n k i, Machine.read (List.nth k (Machine.fresh_cells (List.map Translated.field_of fs) n (Translated.fresh_of f) w) Machine.no_cells) i =
  match List.nth_error fs k with Some x => first_value f (field_type x) (Machine.fills w (n + k)%nat i) | None => Machine.Uninitialised end.
Proof.
  induction fs as [|x fs IH]; intros n [|k] i; cbn [List.map Machine.fresh_cells List.nth List.nth_error]; auto.
  - rewrite Nat.add_0_r. unfold Machine.read. cbn [Machine.written Machine.find_written Machine.initially Machine.initial_at]. destruct f, x as [nm off [T|]]; reflexivity.
  - rewrite IH, Nat.add_succ_r. reflexivity.
Qed.

(** Cells of folded parts live, and no declaration of theirs is a local one. *)
Definition cells_live P (l : N) (m : member_state) (placed : nat -> list nat) (g : Machine.state) : Prop := forall f q c, FoldedMembers.part_named (member_of l m) f = Some q -> In c (placed f) ->
  Machine.alive (Machine.object_at g c) = Machine.Live /\ Tidy.is_local P (Machine.declared (Machine.object_at g c)) = false.
Lemma meant_cells P trees ss phi nu l m rho roots lasts placed g : (forall s, Tidy.is_local P (Sorts.declaration (trees s)) = false) -> FoldedMembers.well_meant P trees ss phi ->
  FoldedMembers.describes_by P ss nu phi (member_of l m) rho roots lasts placed g -> cells_live P l m placed g.
Proof.
  intros Nl Me D f q c Hq I. destruct (FoldedMembers.parts_hold _ _ _ _ _ _ _ _ _ _ D f q Hq) as (fp & Pm & Dp). pose proof (Me (FoldedMembers.symbol q)) as Ms. unfold FoldedMembers.well_meant_symbol in Ms.
  assert (If : In c fp) by (eapply Permutation.Permutation_in; [symmetry; exact Pm | exact I]).
  assert (Sd : Frames.is_sorted g trees c).
  { destruct (List.nth_error ss (FoldedMembers.symbol q)) as [[s|s]|]; [| |destruct Dp].
    - destruct Dp as (_ & _ & T), Ms as [O _]. eapply (proj1 (Frames.cells_sorted g trees)); eauto.
    - destruct Ms as [O _]. eapply (Frames.context_sorted g trees); eauto. }
  destruct Sd as (s & k & Cd & Ca & _). split; [exact Ca | rewrite Cd; apply Nl].
Qed.

Section MadeShown.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Notation machine := (Goatherd.Runs.system_of P under).
Notation step := (Machine.step P under).
Variable l : N.
Variables m m1 : member_state.
Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (K : model).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g st : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued K) phi (member_of l m) rho roots lasts placed g.
Hypothesis fine : FoldedMembers.fine_state P g.
Hypothesis tables : tables_right m.
Hypothesis cells : cells_live P l m placed g.
Variables (d o : N) (x : Certificates.object) (ly : layout) (y : object_state).
Hypothesis declared_here : at_position (objects_of (names_in E)) d = Some x.
Hypothesis layout_here : at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some ly.
Hypothesis put_here : object_put m m1 d o x y.

Lemma local_same : Tidy.is_local P (N.to_nat d) = is_local (Certificates.origin_of x).
Proof. unfold Tidy.is_local. rewrite (same_objects _ _ _ setting_right _ _ declared_here). simpl. destruct (Certificates.origin_of x); reflexivity. Qed.
Lemma at_table q : FoldedMembers.object_named (member_of l m) q = option_map object_of (find (objects_held m) (N.of_nat q)).
Proof.
  rewrite object_named_is. destruct (Nat.ltb_spec q (N.to_nat (given (objects_held m)))) as [L|L]; [reflexivity|]. destruct (find (objects_held m) (N.of_nat q)) as [z|] eqn:F; [|reflexivity]. pose proof (objects_numbered m tables _ _ F). lia.
Qed.

(** ** The earlier object *)

(** The state before the object is there, and the member's table. *)
Definition base : Machine.state := if Tidy.is_local P (N.to_nat d) then Machine.kill_current (Machine.next_location g) (N.to_nat d) else Machine.next_location g.
Notation before := (without_earlier m d x).
Lemma next_described : FoldedMembers.describes_by P ss (valued K) phi (member_of (N.succ l) m) rho roots lasts placed (Machine.next_location g).
Proof.
  eapply RegisterSteps.registers_change; [exact described | reflexivity | reflexivity | reflexivity | reflexivity | | |].
  - simpl. rewrite (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described), N2Nat.inj_succ. reflexivity.
  - exact (FoldedMembers.register_count _ _ _ _ _ _ _ _ _ _ described).
  - intros r. exact (FoldedMembers.registers_hold _ _ _ _ _ _ _ _ _ _ described r).
Qed.
Lemma base_described : FoldedMembers.describes_by P ss (valued K) phi (member_of (N.succ l) before) rho roots lasts placed base.
Proof.
  unfold base, without_earlier. rewrite local_same. destruct (is_local (Certificates.origin_of x)) eqn:Lo; [|exact next_described].
  assert (Lp : Tidy.is_local P (N.to_nat d) = true) by (rewrite local_same; exact Lo).
  assert (Hn : FoldedMembers.has_name P (N.to_nat d) = true) by (unfold Tidy.is_local, FoldedMembers.has_name in *; destruct (Programs.origin_of _); auto; discriminate).
  assert (Na : forall z, live m d = Some z -> List.nth (N.to_nat d) (Machine.current g) None = Some (rho (N.to_nat (named z)))).
  { intros z Lv. destruct (live_held m d z tables Lv) as (F & Dz & Lz). pose proof (FoldedMembers.names_hold _ _ _ _ _ _ _ _ _ _ described (N.to_nat (named z)) (object_of z)) as Na.
    rewrite at_table, N2Nat.id, F in Na. cbn [object_of FoldedMembers.kind FoldedMembers.life_of] in Na. rewrite Dz, Lz in Na. exact (Na eq_refl eq_refl Hn). }
  unfold Machine.kill_current. cbn [Machine.current Machine.next_location]. destruct (List.nth (N.to_nat d) (Machine.current g) None) as [p|] eqn:Cu.
  2: { destruct (live m d) as [z|] eqn:Lv; [discriminate (Na z eq_refl) | exact next_described]. }
  assert (Dp : Machine.declared (Machine.object_at g p) = N.to_nat d) by (eapply Tidy.named_declared; [apply (FoldedMembers.fine_tidy _ _ fine) | exact Lp | exact Cu]).
  eapply ObjectSteps.object_ends; [exact described | | | | | simpl; rewrite (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described), N2Nat.inj_succ; reflexivity].
  - destruct (live m d); reflexivity.
  - destruct (live m d); reflexivity.
  - intros f q Hq I. destruct (cells f q p Hq I) as [_ Nl]. rewrite Dp in Nl. congruence.
  - intros q. rewrite at_table. destruct (live m d) as [z|] eqn:Lv.
    + destruct (live_held m d z tables Lv) as (F & _). pose proof (Na z eq_refl) as [= ->]. pose proof (objects_numbered m tables _ _ F) as Lz.
      rewrite object_named_is. cbn [objects_held with_objects]. change (given (put (objects_held m) (named z) (with_life z Dead))) with (given (objects_held m)). rewrite find_put. destruct (N.eqb_spec (N.of_nat q) (named z)) as [Eq|Nq].
      * rewrite Eq, F. destruct (Nat.ltb_spec q (N.to_nat (given (objects_held m)))); [|lia]. cbn [option_map]. unfold ObjectSteps.dead_at. replace q with (N.to_nat (named z)) by lia. rewrite Nat.eqb_refl. reflexivity.
      * destruct (find (objects_held m) (N.of_nat q)) as [u|] eqn:Fu; [|destruct (Nat.ltb _ _); reflexivity]. pose proof (objects_numbered m tables _ _ Fu).
        destruct (Nat.ltb_spec q (N.to_nat (given (objects_held m)))); [|lia]. cbn [option_map]. unfold ObjectSteps.dead_at. destruct (Nat.eqb_spec (rho q) (rho (N.to_nat (named z)))) as [Er|_]; [|reflexivity].
        exfalso. apply Nq. assert (q = N.to_nat (named z)); [|lia]. eapply (FoldedMembers.objects_apart _ _ _ _ _ _ _ _ _ _ described); [rewrite at_table, Fu; reflexivity | rewrite at_table, N2Nat.id, F; reflexivity | exact Er].
    + change (FoldedMembers.object_named (member_of (N.succ l) m) q) with (FoldedMembers.object_named (member_of l m) q). rewrite at_table. destruct (find (objects_held m) (N.of_nat q)) as [u|] eqn:Fu; [|reflexivity]. cbn [option_map].
      unfold ObjectSteps.dead_at. destruct (Nat.eqb_spec (rho q) p) as [Er|_]; [|reflexivity].
      assert (On : FoldedMembers.object_named (member_of l m) q = Some (object_of u)) by (rewrite at_table, Fu; reflexivity).
      pose proof (FoldedMembers.same_kind _ _ _ _ _ _ _ (FoldedMembers.objects_hold _ _ _ _ _ _ _ _ _ _ described q (object_of u) On)) as Sk. rewrite Er, Dp in Sk. cbn [object_of FoldedMembers.kind] in Sk.
      assert (Dd : life_of u = Dead) by (eapply (none_live m d _ u tables Lv Fu); lia). unfold object_of. rewrite Dd. reflexivity.
Qed.
Lemma base_memory : length (Machine.memory base) = length (Machine.memory g).
Proof. unfold base. destruct (Tidy.is_local _ _); [apply (Tidy.kill_current_length (Machine.next_location g)) | reflexivity]. Qed.

(** ** The object *)

Variables (n : N) (f : Certificates.fresh) (w : Machine.decision) (r : option N).
Hypothesis may : may_make P r d (vl K n).
Hypothesis begins_there : Machine.start w = vl K (lower y).
Hypothesis upper_is : vl K (upper y) = vl K (lower y) + vl K n.
(** A node begins at 0. *)
Hypothesis node_begins : FoldedMembers.is_node P (N.to_nat d) = true -> vl K (lower y) = 0.
Hypothesis as_wide : length (field_states y) = length (fields ly).
Hypothesis filled : forall k fd z j, List.nth_error (fields ly) k = Some fd -> List.nth_error (field_states y) k = Some z -> vl K (lower y) <= j < vl K (lower y) + vl K n -> holds_element K z j (first_value f (field_type fd) (Machine.fills w k j)).
Definition renamed (q : nat) : nat := ObjectSteps.at_end rho base (N.to_nat o) q.
Lemma table_before q : FoldedMembers.object_named (member_of (N.succ l) before) q = option_map object_of (find (objects_held before) (N.of_nat q)).
Proof.
  destruct (without_tables m d x tables) as (Tb & _ & _). rewrite object_named_is. destruct (Nat.ltb_spec q (N.to_nat (given (objects_held before)))) as [L|L]; [reflexivity|].
  destruct (find (objects_held before) (N.of_nat q)) as [z|] eqn:F; [|reflexivity]. pose proof (objects_numbered _ Tb _ _ F). lia.
Qed.
Lemma table_behind q : FoldedMembers.object_named (member_of (N.succ l) m1) q = if Nat.eqb q (N.to_nat o) then Some (object_of y) else FoldedMembers.object_named (member_of (N.succ l) before) q.
Proof.
  destruct put_here as [Pn Pg Pm Po Pr Pt Py]. rewrite object_named_is, table_before, Po. destruct (Nat.eqb_spec q (N.to_nat o)) as [->|Nq].
  - rewrite N2Nat.id, N.eqb_refl. destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m1)))); [reflexivity | lia].
  - destruct (N.eqb_spec (N.of_nat q) o); [lia|]. destruct (find (objects_held before) (N.of_nat q)) as [z|] eqn:F; [|destruct (Nat.ltb _ _); reflexivity].
    destruct (without_tables m d x tables) as (Tb & _ & Gb). pose proof (objects_numbered _ Tb _ _ F). destruct (Nat.ltb_spec q (N.to_nat (given (objects_held m1)))); [reflexivity | lia].
Qed.
Theorem made_described : FoldedMembers.describes_by P ss (valued K) phi (member_of (N.succ l) m1) renamed roots lasts placed
  (Machine.go (N.to_nat (N.succ l)) (Machine.create P base (N.to_nat d) (vl K n) (Translated.fresh_of f) w)).
Proof.
  destruct put_here as [Pn Pg Pm Po Pr Pt (Py1 & Py2 & Py3)]. destruct may as [Nd Mk].
  assert (Held : held m1 = held m /\ parts_held m1 = parts_held m) by (rewrite Pr; auto). destruct Held as [Hh Hp].
  assert (Heb : held before = held m /\ parts_held before = parts_held m) by (unfold without_earlier; destruct (if is_local _ then _ else _); auto). destruct Heb as [Hb Hbp].
  eapply ObjectSteps.object_made; [exact base_described | simpl; rewrite Hh, Hb; reflexivity | simpl; rewrite Hp, Hbp; reflexivity | | exact table_behind | simpl; rewrite Py2; reflexivity | | | | | reflexivity].
  - rewrite table_before, N2Nat.id, Pn. reflexivity.
  - split; cbn [object_of FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents Machine.declared Machine.alive Machine.lower Machine.upper Machine.fields_of].
    + rewrite Py2. reflexivity.
    + rewrite Py3. reflexivity.
    + rewrite valued_term. exact begins_there.
    + rewrite valued_term, upper_is, begins_there. reflexivity.
    + rewrite map_length, as_wide. unfold Machine.layout_of_declaration. rewrite (same_objects _ _ _ setting_right _ _ declared_here). cbn [Translated.object_of Programs.layout_of].
      rewrite (same_layouts _ _ _ setting_right _ _ layout_here). cbn [Translated.layout_of Programs.layout_fields]. rewrite Alike.fresh_length, map_length. reflexivity.
    + intros _ k i B. rewrite begins_there in B. destruct (List.nth_error (fields ly) k) as [fd|] eqn:Ef.
      * destruct (List.nth_error (field_states y) k) as [z|] eqn:Ez; [|apply nth_error_None in Ez; rewrite as_wide in Ez; apply nth_error_None in Ez; congruence].
        rewrite (nth_error_nth _ _ FoldedMembers.no_field (map_nth_error Denoting.field_of _ _ Ez)). apply Creating.fixed_element_holds. unfold Alike.field_of, Machine.layout_of_declaration. cbn [Machine.fields_of].
        rewrite (same_objects _ _ _ setting_right _ _ declared_here). cbn [Translated.object_of Programs.layout_of].
        rewrite (same_layouts _ _ _ setting_right _ _ layout_here). cbn [Translated.layout_of Programs.layout_fields]. rewrite first_read, Nat.add_0_l, Ef. apply (filled k fd z i Ef Ez). exact B.
      * apply nth_error_None in Ef. rewrite nth_overflow by (rewrite map_length, as_wide; exact Ef). unfold FoldedMembers.means_element. cbn [FoldedMembers.apart FoldedMembers.rest FoldedMembers.no_field length].
        destruct (_ && _) eqn:Q; [|exact Logic.I]. apply andb_prop in Q as [Q1 Q2]. apply Z.leb_le in Q1. apply Z.ltb_lt in Q2. simpl in Q2. lia.
  - intros Nn. cbn [object_of FoldedMembers.begins FoldedMembers.ends]. rewrite !valued_term, upper_is, (node_begins Nn), (Nd Nn). auto.
  - (* What lives has a name that the earlier object had. *)
    intros Hn q z Hz Ek. destruct (Tidy.is_local P (N.to_nat d)) eqn:Lp; [|destruct r; congruence].
    destruct (FoldedMembers.life_of z) eqn:Lz; [exfalso|reflexivity]. pose proof (FoldedMembers.names_hold _ _ _ _ _ _ _ _ _ _ base_described q z Hz Lz) as Na. rewrite Ek in Na. specialize (Na Hn).
    pose proof (FoldedMembers.same_alive _ _ _ _ _ _ _ (FoldedMembers.objects_hold _ _ _ _ _ _ _ _ _ _ base_described q z Hz)) as Al. pose proof (FoldedMembers.objects_exist _ _ _ _ _ _ _ _ _ _ base_described q z Hz) as Ex.
    rewrite base_memory in Ex. apply Nat.ltb_lt in Ex. unfold base in Na, Al. rewrite Lp in Na, Al. unfold Machine.kill_current in Na, Al. cbn [Machine.current Machine.next_location] in Na, Al.
    destruct (List.nth (N.to_nat d) (Machine.current g) None) as [p|] eqn:Cu; cbn [Machine.kill Machine.set_object Machine.current Machine.next_location] in Na; [|congruence]. assert (p = rho q) as -> by congruence.
    rewrite ObjectSteps.object_behind, Nat.eqb_refl, Ex in Al. cbn in Al. congruence.
  - intros h q c Hq I. rewrite base_memory. assert (Heq : FoldedMembers.part_named (member_of l m) h = Some q) by (rewrite <- Hq; unfold FoldedMembers.part_named; simpl; rewrite Hbp; reflexivity).
    destruct (cells h q c Heq I) as [Al _]. exact (Owed.live_exists g c Al).
Qed.
(** ... and a register that leads to it. *)
Variable m' : member_state.
Hypothesis placed_behind : place_of m' = At (N.succ l).
Hypothesis led_to : match r with Some r => find (held m1) r <> None /\ held m' = put (held m1) r (PointerSlot o (lower y) 0) | None => held m' = held m1 end.
Hypothesis objects_same : objects_held m' = objects_held m1.
Hypothesis parts_same : parts_held m' = parts_held m1.
Lemma made_state : made_at P g r d (vl K n) f w = match r with
  | Some r => Machine.set (Machine.create P g (N.to_nat d) (vl K n) (Translated.fresh_of f) w) (N.to_nat r) (Machine.Pointer {| Machine.target := length (Machine.memory g); Machine.index := vl K (lower y); Machine.byte := 0 |})
  | None => Machine.go (N.to_nat (N.succ l)) (Machine.create P base (N.to_nat d) (vl K n) (Translated.fresh_of f) w) end.
Proof.
  destruct may as [_ Mk]. unfold made_at. pose proof (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described) as Lg. simpl in Lg. destruct r as [q|].
  - replace (Tidy.is_local P (N.to_nat d)) with false; [rewrite begins_there; reflexivity|]. unfold FoldedMembers.has_name, Tidy.is_local in *. destruct (Programs.origin_of _); congruence.
  - unfold base. rewrite Mk. unfold Machine.kill_current. cbn [Machine.current Machine.next_location]. destruct (List.nth (N.to_nat d) (Machine.current g) None) as [p|];
      unfold Machine.go, Machine.next_location, Machine.create, Machine.kill, Machine.set_object; cbn [Machine.location Machine.values Machine.memory Machine.current]; rewrite Lg, N2Nat.inj_succ; reflexivity.
Qed.
Theorem behind_described : FoldedMembers.describes_by P ss (valued K) phi (member_of (N.succ l) m') renamed roots lasts placed (made_at P g r d (vl K n) f w).
Proof.
  rewrite made_state. pose proof made_described as D. destruct may as [_ Mk]. destruct r as [q|].
  - destruct led_to as [Fq Hq]. assert (Nl : Tidy.is_local P (N.to_nat d) = false) by (unfold FoldedMembers.has_name, Tidy.is_local in *; destruct (Programs.origin_of _); congruence).
    assert (Bs : base = Machine.next_location g) by (unfold base; rewrite Nl; reflexivity). rewrite Bs in D.
    pose proof (FoldedMembers.register_count _ _ _ _ _ _ _ _ _ _ D) as Cn. destruct put_here as [_ Pg _ _ _ Pt _]. pose proof (registers_numbered m1 Pt) as Rn.
    eapply RegisterSteps.registers_change; [exact D | simpl; rewrite objects_same; reflexivity | simpl; rewrite parts_same; reflexivity | reflexivity | reflexivity | | |].
    + cbn. rewrite (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described), N2Nat.inj_succ. reflexivity.
    + rewrite slots_of_member, Hq. unfold Machine.set. cbn [Machine.values]. rewrite Goatherd.Existing.replace_length. rewrite slots_of_member in Cn. exact Cn.
    + intros p. rewrite (slot_at_put (N.succ l) (N.succ l) m1 m' q _ p Hq Rn Fq), RegisterSteps.register_set. destruct (Nat.eqb_spec p (N.to_nat q)) as [->|Np]; cbn [andb].
      * destruct (find (held m1) q) as [u|] eqn:Fu; [|congruence]. pose proof (Rn q u Fu) as Lr. rewrite slots_of_member in Cn. cbn [Machine.go Machine.create Machine.values Machine.next_location] in Cn |- *.
        destruct (Nat.ltb_spec (N.to_nat q) (length (Machine.values g))) as [_|Lq]; [|lia]. cbn [slot_of FoldedMembers.means].
        rewrite table_behind, Nat.eqb_refl. cbv beta. cbn [Z.of_N]. rewrite valued_term. unfold renamed, ObjectSteps.at_end. rewrite Nat.eqb_refl, base_memory. reflexivity.
      * exact (FoldedMembers.registers_hold _ _ _ _ _ _ _ _ _ _ D p).
  - eapply RegisterSteps.registers_change; [exact D | simpl; rewrite objects_same; reflexivity | simpl; rewrite parts_same; reflexivity | reflexivity | reflexivity | reflexivity | |].
    + rewrite slots_of_member, led_to, <- slots_of_member with (l := N.succ l). exact (FoldedMembers.register_count _ _ _ _ _ _ _ _ _ _ D).
    + intros p. rewrite slot_at_is, led_to, <- slot_at_is with (l := N.succ l). exact (FoldedMembers.registers_hold _ _ _ _ _ _ _ _ _ _ D p).
Qed.
Hypothesis consumed_same : consumed_of m' = consumed_of m.
Hypothesis standing : Machine.location st = N.to_nat l.
Theorem made_accounts (t : Herds.run machine) d0 d1 : Machine.draws P g = false -> step g d0 = Machine.Ok (made_at P g r d (vl K n) f w) -> RegisterSteps.ends_alike P (step g d0) (step st d1) ->
  Herds.last machine t = Goatherd.Runs.Running st -> (match consumed_of m with IntegerSlot u => vl K u = Z.of_nat (Herds.consumed machine t) | _ => True end) ->
  Configurations.accounts P under ss (valued K) phi (counted_of m') (moved_on P under t st d1).
Proof.
  intros Nd Sg A La C. pose proof behind_described as D. unfold moved_on. unfold RegisterSteps.ends_alike in A. rewrite Sg in A. destruct (step st d1) as [s'|] eqn:Ss; [|contradiction].
  assert (Con : Machine.consumes P st (Machine.Ok s') = 0%nat).
  { destruct A as [_ (rn & A & _)]. unfold Machine.consumes, Machine.leads_back. rewrite (same_draws P l m ss phi K rho roots lasts placed g st described standing), Nd, standing, (Alike.same_location _ _ _ _ A).
    rewrite (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ D). cbn [FoldedMembers.place_of member_of]. destruct (Nat.leb_spec (N.to_nat (N.succ l)) (N.to_nat l)); [lia | reflexivity]. }
  rewrite Con. split.
  - simpl. rewrite placed_behind. exists s'. split; auto. exact (RegisterSteps.ends_denoted P ss phi (valued K) (member_of (N.succ l) m') renamed roots lasts placed _ s' D A).
  - simpl. rewrite consumed_same. destruct (consumed_of m); auto. rewrite valued_term, C. lia.
Qed.
End MadeShown.
