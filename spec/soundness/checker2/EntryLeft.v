(** What is left of an entry of which elements of arrays are left out, and whose integers are
    given, as the second checker computes it (spec/calculus.md#addscapegoat): it holds inputs,
    which are smaller if anything is left out, and what has hung from nodes that are. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Programs Machine Existing Folding FoldedMembers SameInputs SameEntries Loading Built Entering Elements LeavingOut Whole Leaving Kept.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed BeyondSums PointerLists Moving Followed Decided Chosen Places FreshObjects.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Section Left.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable tabs : indexed table.
Hypothesis setting_right : same_setting E P under.
(** What well-formedness asks of inputs. *)
Hypothesis well_given : Loading.inputs_formed P.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).

(** ** What is left of the entry *)

Section Entry.
(** The configuration, its member at the entry, and a model before the rule acts. *)
Variable c : configuration.
Variable entry : member_state.
Variables (M0 : model) (s0 : state).
Notation known := (literals_hold M0 (known_literals c)).
Notation ss := (symbols_of c).
Notation entry_in M phi l m vs cs := (Kept.entry_right P ss (valued M) phi (member_of l m) vs cs).
Notation whole_in M phi l m vs cs := (Whole.holds_whole P ss (valued M) phi (member_of l m) vs cs).
Notation alone_in M phi l m cs := (Leaving.nothing_else P ss (valued M) phi (member_of l m) cs).
Notation weight M phi l m cs := (Loading.weights (valued M) phi (member_of l m) cs).
(** Where nothing is left out there is nothing else, either. *)
Definition compares (k : input_size) (n n0 : nat) (alone : Prop) : Prop := match k with Smaller => (n < n0)%nat | NotLarger => n = n0 /\ alone end.
Lemma compares_least k n n0 alone : compares k n n0 alone -> (n <= n0)%nat.
Proof. destruct k; simpl; lia. Qed.
(** It mentions what exists, and holds inputs, whose size is so beside the entry's. *)
Record is_left_by (k : input_size) (s : state) (M : model) (m : member_state) : Prop := {
  left_place : place_of m = place_of entry;
  left_consumed : consumed_of m = consumed_of entry;
  left_tables : tables_right m;
  left_terms : forall p, In p (member_terms m) -> part_within s (variables c) p;
  left_inputs : size_of entry = NotLarger -> known -> forall phi l vs cs, entry_in M0 phi l entry vs cs ->
    exists vs' cs', whole_in M phi l m vs' cs' /\ compares k (weight M phi l m cs') (weight M0 phi l entry cs) (alone_in M phi l m cs') }.

Lemma left_kept k nu s M s' M' m : good nu s M -> keeps s M s' M' -> is_left_by k s M m -> is_left_by k s' M' m.
Proof.
  intros G K [Pl Cs Tr T H]. split; auto; [intros p I; eapply part_kept; eauto|]. intros Se Kn phi l vs cs Hi. destruct (H Se Kn phi l vs cs Hi) as (vs' & cs' & Hv & Sz). exists vs', cs'.
  assert (Sa : SameInputs.tables_same (valued M) (valued M') (member_of l m) (member_of l m)).
  { apply SameInputs.member_itself, member_same. intros p I. eapply kept_value; [exact K|]. eapply within_in; eauto. }
  split; [eapply SameEntries.whole_too; eauto|]. rewrite (SameInputs.weights_too _ _ _ _ _ Sa). destruct k; [exact Sz|]. destruct Sz as [Sz No]. split; [exact Sz | eapply SameEntries.nothing_too; eauto].
Qed.

(** *** An integer is given *)

Lemma given_changed l m r v : tables_right m -> find (held m) r <> None -> let m' := with_held m (put (held m) r v) in
  Elements.changed P (member_of l m) (member_of l m') [N.to_nat r] [] /\ FoldedMembers.slot_at (member_of l m') (N.to_nat r) = slot_of v.
Proof.
  intros [Rn _ _] F m'. assert (At : forall q, FoldedMembers.slot_at (member_of l m') q = if Nat.eqb q (N.to_nat r) then slot_of v else FoldedMembers.slot_at (member_of l m) q)
    by (intros q; apply slot_at_put; auto; reflexivity).
  split; [|rewrite At, Nat.eqb_refl; reflexivity]. split; auto.
  - rewrite !slots_of_member. reflexivity.
  - intros q N. rewrite At. destruct (Nat.eqb_spec q (N.to_nat r)) as [->|]; [destruct N; left; reflexivity | reflexivity].
  - intros ? [].
Qed.
Lemma integer_left nu s M m x : Terms.well_sorted nu -> good nu s M -> in_scope s c -> keeps s0 M0 s M -> in_scope s0 c -> good nu s0 M0 -> is_left_by (size_of m) s M m ->
  meets nu s M (Rules.new_integer E c m x) (fun m' s' M' => is_left_by (size_of m') s' M' m').
Proof.
  intros W G Sc K0 Sc0 G0 L. destruct x as [i u]. unfold Rules.new_integer. cbn [fst snd]. destruct (nth (inputs (program_in E)) i) as [[r|p n o|p o|p o]|] eqn:In_; try apply meets_refuses.
  eapply meets_peek with (P := fun T => Machine.type_of P (N.to_nat r) = Programs.IntegerType T).
  { unfold integer_kind, register_kind, bind, some. intros T s'. destruct (at_position (registers_of (names_in E)) r) as [y|] eqn:Ay; [|discriminate]. unfold ret.
    destruct (register_type y) as [T'|] eqn:Ty; [|discriminate]. intros [= <- <-]. split; [reflexivity|]. rewrite (same_registers _ _ _ setting_right r y Ay), Ty. reflexivity. }
  intros T Ty. eapply meets_bind; [apply (chosen_value_meets tabs nu s M c u T); auto|]. intros ? s1 M1 G1 K1 (Wu & Iu & Vu & In_range).
  pose proof (left_kept _ nu s M s1 M1 m G K1 L) as [Pl Cs R Tm H]. unfold set_register. destruct (find (held m) r) as [w|] eqn:F; [|apply meets_refuses]. apply meets_ret; [exact G1|].
  assert (Fr : find (held m) r <> None) by congruence. set (m' := with_held m (put (held m) r (IntegerSlot u))). split; auto.
  - destruct R as [Rn Ro Rb]. split; [apply put_numbered; assumption | exact Ro | exact Rb].
  - apply with_held_terms; [exact Tm | intros p [<-|[]]; exact Wu].
  - intros Se Kn phi l vs cs Hi. destruct (H Se Kn phi l vs cs Hi) as (vs1 & cs1 & Hv & Sz). destruct (given_changed l m r (IntegerSlot u) R Fr) as [Ch Sr].
    destruct (Leaving.integer_whole P well_given ss (valued M1) phi (member_of l m) (member_of l m') (N.to_nat r) (term_of_number u) vs1 cs1 Ch) as (vs2 & H2 & Ew & N2); auto.
    + rewrite (same_inputs _ _ _ setting_right). apply (in_map Translated.input_of (inputs (program_in E)) (IntegerInput r)). eapply nth_in; eauto.
    + unfold Machine.integer_type_of. rewrite Ty, valued_term, Vu. apply In_range. intros k Ik. apply (literal_kept s0 M0 s M k K0 (Shown.literals_in tabs nu s0 M0 c k G0 Sc0 Ik)). auto.
    + exists vs2, cs1. split; [exact H2|]. rewrite Ew. change (size_of m') with (size_of m). destruct (size_of m); [exact Sz|]. destruct Sz as [Sz No]. split; auto.
Qed.

(** *** An element is left out *)

Lemma moved_are first d vs ws : (first <= d)%nat -> Rules.moved_cells (N.of_nat first) (N.of_nat d) vs = Some ws -> (d < length vs)%nat /\ ws = LeavingOut.rotated vs first d Forgotten /\ forall v, In v ws -> In v vs.
Proof.
  intros L H. unfold Rules.moved_cells in H. destruct (nth vs (N.of_nat d)) as [v|] eqn:Nv; [|discriminate]. injection H as <-. rewrite !Nat2N.id. rewrite Places.nth_number, Nat2N.id in Nv.
  assert (Ld : (d < length vs)%nat) by (apply nth_error_Some; congruence). split; [exact Ld|]. rewrite skipn_firstn_comm. split.
  - unfold LeavingOut.rotated. rewrite (nth_error_nth _ _ Forgotten Nv). reflexivity.
  - intros u I. apply in_app_or in I as [I|I]; [rewrite <- (firstn_skipn first vs); apply in_or_app; auto|]. cbn [app] in I. destruct I as [<-|I]; [eapply List.nth_error_In; eauto|].
    apply in_app_or in I as [I|I]; [|rewrite <- (firstn_skipn (S d) vs); apply in_or_app; auto]. rewrite <- (firstn_skipn first vs). apply in_or_app. right. rewrite <- (firstn_skipn (d - first) (skipn first vs)). apply in_or_app. auto.
Qed.
Lemma rotated_map {A B} (f : A -> B) l a b d : List.map f (LeavingOut.rotated l a b d) = LeavingOut.rotated (List.map f l) a b (f d).
Proof. unfold LeavingOut.rotated. rewrite map_app. cbn [List.map]. rewrite map_app, !skipn_map, !firstn_map, map_nth. reflexivity. Qed.
Definition moved_field (first d : N) (f : field_state) : computes field_state := let$ vs := some (Rules.moved_cells first d (cells f)) Rejection.Drop in ret {| cells := vs; rest := rest f |}.
Lemma moved_fields s first d fs : (first <= d)%N -> peeks s (mapped (moved_field first d) fs) (fun gs => (forall f, In f fs -> (N.to_nat d < length (cells f))%nat) /\
  List.map Denoting.field_of gs = List.map (LeavingOut.moved (N.to_nat first) (N.to_nat d)) (List.map Denoting.field_of fs) /\ forall p, In p (flat_map field_terms gs) -> In p (flat_map field_terms fs)).
Proof.
  intros L. induction fs as [|f fs IH]; cbn [mapped]; [apply peeks_ret; split; [intros ? [] | auto]|]. unfold moved_field at 1.
  eapply peeks_bind with (P := fun g => exists ws, g = {| cells := ws; rest := rest f |} /\ Rules.moved_cells first d (cells f) = Some ws).
  { eapply peeks_bind; [apply (peeks_some s _ _ (fun ws => Rules.moved_cells first d (cells f) = Some ws)); auto|]. intros ws Ew. apply peeks_ret. eauto. }
  intros g (ws & -> & Ew). eapply peeks_bind; [exact IH|]. intros gs (Ln & Em & Tm). apply peeks_ret.
  rewrite <- (N2Nat.id first), <- (N2Nat.id d) in Ew. apply moved_are in Ew as (Lw & Er & Inc); [|lia]. split; [intros h [<-|I]; auto|]. split.
  - cbn [List.map]. rewrite Em. f_equal. unfold Denoting.field_of, LeavingOut.moved. cbn [cells rest FoldedMembers.apart FoldedMembers.rest]. rewrite Er, rotated_map. reflexivity.
  - intros p I. cbn [flat_map] in *. apply in_app_or in I as [I|I]; apply in_or_app; [left | right; auto]. unfold field_terms in *. cbn [cells rest] in I. apply in_app_or in I as [I|I]; apply in_or_app; [left | right; exact I].
    apply in_flat_map in I as (v & Iv & Ip). apply in_flat_map. exists v. split; [apply Inc; exact Iv | exact Ip].
Qed.
Lemma all_self M ps : all_same M M ps.
Proof. intros [t|a] _; simpl; auto. Qed.
(** The member with another array, as LeavingOut.v has it. *)
Lemma array_same l m m' M p n o pointer count x y : length (FoldedMembers.slots (member_of l m)) = length (Programs.registers P) -> In (Programs.ArrayInput p n (N.to_nat o)) (Programs.inputs P) ->
  (o < given (objects_held m))%N -> place_of m' = place_of m -> given (held m') = given (held m) -> parts_held m' = parts_held m ->
  (forall q, SameInputs.slots_same (valued M) (valued M) (if Nat.eqb q p then pointer else if Nat.eqb q n then count else FoldedMembers.slot_at (member_of l m) q) (FoldedMembers.slot_at (member_of l m') q)) ->
  objects_held m' = put (objects_held m) o y -> SameInputs.objects_same (valued M) (valued M) x (object_of y) ->
  SameInputs.tables_same (valued M) (valued M) (LeavingOut.with_array (member_of l m) p n (N.to_nat o) pointer count x) (member_of l m').
Proof.
  intros Ln I Lo Pl Gh Pa Sl Ob Sx. destruct (LeavingOut.array_registers P well_given (member_of l m) p n (N.to_nat o) Ln I) as (Lp & Lnn & Npn).
  pose proof (SameInputs.member_itself (valued M) (valued M) (member_of l m) (member_same M M l m (all_self M _))) as Self.
  split; [reflexivity | | | | |].
  - cbn [LeavingOut.with_array FoldedMembers.slots]. rewrite !Existing.replace_length, !slots_of_member, Gh. reflexivity.
  - simpl. rewrite Pa. reflexivity.
  - intros q. pose proof (Sl q) as Sq. unfold FoldedMembers.slot_at at 1. cbn [LeavingOut.with_array FoldedMembers.slots]. rewrite !Tidy.nth_replace, Existing.replace_length.
    apply Nat.ltb_lt in Lp, Lnn. destruct (Nat.eqb_spec q p) as [Eq|_]; [rewrite Eq, Lp in *; exact Sq|]. destruct (Nat.eqb_spec q n) as [Eq|_]; [rewrite Eq, Lnn in *; exact Sq | exact Sq].
  - intros q. unfold FoldedMembers.object_named at 1. cbn [LeavingOut.with_array FoldedMembers.named]. rewrite Tidy.nth_replace. change (List.nth q (FoldedMembers.named (member_of l m)) None) with (FoldedMembers.object_named (member_of l m) q).
    rewrite (object_named_is l m' q), Ob. change (given (put (objects_held m) o y)) with (given (objects_held m)). rewrite find_put. destruct (Nat.eqb_spec q (N.to_nat o)) as [->|Nq].
    + rewrite N2Nat.id, N.eqb_refl. destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m)))); [|lia].
      assert (L : Nat.ltb (N.to_nat o) (length (FoldedMembers.named (member_of l m))) = true) by (apply Nat.ltb_lt; simpl; unfold entries_of, numbers_of; rewrite map_length, numbers_from_length; lia). rewrite L. exact Sx.
    + destruct (N.eqb_spec (N.of_nat q) o) as [Eq|_]; [exfalso; apply Nq; lia|]. rewrite <- (object_named_is l m q). exact (SameInputs.object_same _ _ _ _ Self q).
  - intros f. unfold FoldedMembers.part_named. simpl. rewrite Pa. exact (SameInputs.part_same _ _ _ _ Self f).
Qed.
Lemma array_input i p n o : nth (inputs (program_in E)) i = Some (ArrayInput p n o) -> In (Programs.ArrayInput (N.to_nat p) (N.to_nat n) (N.to_nat o)) (Programs.inputs P).
Proof. intros N. rewrite (same_inputs _ _ _ setting_right). apply (in_map Translated.input_of (inputs (program_in E)) (ArrayInput p n o)). eapply nth_in; eauto. Qed.
Lemma element_left k nu s M m i p n o x : Terms.well_sorted nu -> good nu s M -> in_scope s c -> keeps s0 M0 s M -> in_scope s0 c -> good nu s0 M0 -> is_left_by k s M m ->
  nth (inputs (program_in E)) i = Some (ArrayInput p n o) ->
  meets nu s M (Rules.drop_element c m p n o x) (fun m' s' M' => is_left_by Smaller s' M' m' /\ size_of m' = size_of m).
Proof.
  intros W G Sc K0 Sc0 G0 L Ni. apply array_input in Ni. pose proof L as [Pl Cs Tr Tm H]. unfold Rules.drop_element, register_slot.
  eapply meets_peek; [apply (peeks_some s _ _ (fun v => find (held m) n = Some v)); auto|]. intros v Fn. destruct v as [| |old| | | |]; try apply meets_refuses.
  assert (Wold : part_within s (variables c) (LinearPart old)).
  { apply Tm. rewrite member_terms_are. apply in_or_app. right. unfold other_terms. apply in_or_app. left. unfold entry_terms. apply in_flat_map. exists (n, IntegerSlot old). split; [apply in_order_in; split; [exact (registers_numbered m Tr n _ Fn) | exact Fn] | left; reflexivity]. }
  eapply meets_bind; [apply meets_also; [apply plus_meets; exact G | apply (plus_within nu tabs (variables c)); auto]|]. intros shorter s1 M1 G1 K1 [[Is Vs] Ws].
  unfold set_register at 1. rewrite Fn. eapply meets_peek; [apply (peeks_ret s1 _ (fun m1 => m1 = with_held m (put (held m) n (IntegerSlot shorter)))); reflexivity|]. intros ? ->. set (m1 := with_held m (put (held m) n (IntegerSlot shorter))).
  unfold object_state_at. eapply meets_peek; [apply (peeks_some s1 _ _ (fun y => find (objects_held m) o = Some y)); auto|]. intros y Fo. pose proof (objects_numbered m Tr o y Fo) as Lo.
  pose proof (left_kept _ nu s M s1 M1 m G K1 L) as [_ _ _ Tm1 _]. pose proof (object_at_terms s1 (variables c) m o y Tm1 (objects_numbered m Tr) Fo) as Ty.
  assert (Wlow : part_within s1 (variables c) (LinearPart (lower y))) by (apply Ty; left; reflexivity). assert (Wup : part_within s1 (variables c) (LinearPart (upper y))) by (apply Ty; right; left; reflexivity).
  eapply meets_peek; [apply (value_peek nu tabs s1 M1 (lower y) G1)|]. intros v0 Vlow. eapply meets_peek; [apply (peeks_some s1 _ _ (fun z => v0 = Some z)); auto|]. intros low ->. destruct Vlow as [_ Vlow].
  eapply meets_peek; [apply (peeks_demand s1 _ _ (fun _ => ((0 <=? low) && (low <=? Z.of_N greatest_u32))%Z = true)); auto|]. intros ? Lb. cbn beta in Lb. apply andb_prop in Lb as [Lb _]. apply Z.leb_le in Lb.
  eapply meets_peek with (P := fun d => match x with First j => d = j | LastElement => d = Z.to_N low | DroppedNode _ _ => False end); [destruct x; (apply peeks_ret; reflexivity) || apply peeks_refuses|]. intros d Ed.
  eapply meets_peek; [apply (peeks_demand s1 _ _ (fun _ => (Z.to_N low <=? d)%N = true)); auto|]. intros ? Fd. cbn beta in Fd. apply N.leb_le in Fd.
  eapply meets_bind; [apply constant_meets; exact G1|]. intros index s2 M2 G2 K2 [Ii Vi].
  assert (Iup : (upper y < linears_in s2)%N) by (pose proof (within_in nu tabs (variables c) s1 M1 _ G1 Wup) as Iu; simpl in Iu; pose proof (proj1 (keeps_linears _ _ _ _ K2)); lia).
  eapply meets_bind; [apply less_meets; auto|]. intros inside s3 M3 G3 K3 [Il Hl]. pose proof (keeps_trans _ _ _ _ _ _ K1 (keeps_trans _ _ _ _ _ _ K2 K3)) as K13. pose proof (keeps_trans _ _ _ _ _ _ K0 K13) as K03.
  assert (Kn3 : forall q, In q (known_literals c) -> literal_in s3 q) by (intros q Iq; apply (Shown.literals_in tabs nu s3 M3 c q G3); [eapply in_scope_later; eauto | exact Iq]).
  eapply meets_bind; [apply entail_meets; auto|]. intros ? s4 M4 G4 K4 Inside. pose proof (keeps_trans _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K2 K3) K4) as K24. pose proof (keeps_trans _ _ _ _ _ _ K1 K24) as K14.
  assert (Below : known -> Z.of_N d < vl M1 (upper y)).
  { intros Kn. assert (Vi' : vl M2 index < vl M2 (upper y)) by (apply Hl, Inside; intros q Iq; apply (literal_kept s0 M0 s3 M3 q K03 (Shown.literals_in tabs nu s0 M0 c q G0 Sc0 Iq)); apply Kn; exact Iq).
    rewrite Vi, (proj2 (keeps_linears _ _ _ _ K2) (upper y)) in Vi' by exact (within_in nu tabs (variables c) s1 M1 _ G1 Wup). exact Vi'. }
  (* What is said of the member where the rule ends. *)
  assert (Behind : forall s5 M5, good nu s5 M5 -> keeps s4 M4 s5 M5 -> vl M5 shorter = vl M5 old + -1 /\ vl M5 (lower y) = low /\ (known -> Z.of_N d < vl M5 (upper y)) /\ part_within s5 (variables c) (LinearPart shorter) /\
    (forall q, In q (member_terms m) -> part_within s5 (variables c) q) /\ is_left_by k s5 M5 m).
  { intros s5 M5 G5 K5. pose proof (keeps_trans _ _ _ _ _ _ K24 K5) as K15. pose proof (keeps_trans _ _ _ _ _ _ K1 K15) as K05. pose proof (left_kept k nu s M s5 M5 m G K05 L) as L5.
    split; [rewrite (proj2 (keeps_linears _ _ _ _ K15) shorter Is), Vs, (proj2 (keeps_linears _ _ _ _ K05) old (within_in nu tabs (variables c) s M _ G Wold)); reflexivity|].
    split; [rewrite (proj2 (keeps_linears _ _ _ _ K15) (lower y) (within_in nu tabs (variables c) s1 M1 _ G1 Wlow)); exact Vlow|].
    split; [rewrite (proj2 (keeps_linears _ _ _ _ K15) (upper y) (within_in nu tabs (variables c) s1 M1 _ G1 Wup)); exact Below|].
    split; [exact (part_kept (variables c) s1 M1 s5 M5 _ K15 Ws)|]. split; [exact (left_terms _ _ _ _ L5) | exact L5]. }
  assert (Fn' : find (held m) n <> None) by congruence.
  assert (SlotN : forall l q, FoldedMembers.slot_at (member_of l m1) q = if Nat.eqb q (N.to_nat n) then slot_of (IntegerSlot shorter) else FoldedMembers.slot_at (member_of l m) q) by (intros l q; apply slot_at_put; [reflexivity | apply Tr | exact Fn']).
  assert (Named : forall l, FoldedMembers.object_named (member_of l m) (N.to_nat o) = Some (object_of y)).
  { intros l. rewrite object_named_is, N2Nat.id, Fo. destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m)))); [reflexivity | lia]. }
  assert (SlotHere : forall l, FoldedMembers.slot_at (member_of l m) (N.to_nat n) = FoldedMembers.Plain (Members.IntegerSlot (term_of_number old))) by (intros l; apply (slot_at_member l m n (IntegerSlot old)); [apply Tr | exact Fn]).
  assert (Self : forall M5 v, SameInputs.slots_same (valued M5) (valued M5) v v) by (intros M5 v; apply SameInputs.slots_themselves; destruct v as [[]| |]; simpl; auto).
  assert (Fields : forall M5 fs, Forall2 (SameInputs.fields_same (valued M5) (valued M5)) (List.map Denoting.field_of fs) (List.map Denoting.field_of fs)).
  { intros M5 fs. induction fs as [|f fs IH]; simpl; constructor; auto. apply SameInputs.fields_themselves, field_same. intros q _. destruct q; simpl; auto. }
  destruct x as [j| |q ch]; [| |destruct Ed].
  - set (first := Z.to_N low) in *. eapply meets_bind; [apply meets_also; [apply plus_meets; exact G4 | apply (plus_within nu tabs (variables c)); [exact G4 | eapply part_kept; [exact K24 | exact Wlow]]]|]. intros lo s5 M5 G5 K5 [[Ilo Vl] Wlo].
    destruct (Behind s5 M5 G5 K5) as (Vsh & Vlo & Bel & Wsh & Tm5 & [_ _ _ _ H5]).
    assert (Vlo' : vl M5 lo = low + 1) by (rewrite Vl, <- Vlo, (proj2 (keeps_linears _ _ _ _ K5) (lower y)); [reflexivity | exact (within_in nu tabs (variables c) s4 M4 (LinearPart (lower y)) G4 (part_kept (variables c) s1 M1 s4 M4 _ K24 Wlow))]).
    eapply meets_peek; [apply (moved_fields s5 first d (field_states y) Fd)|]. intros fs (Len & Em & Inc). set (y' := with_fields (with_lower y lo) fs). set (m2 := with_objects m1 (put (objects_held m1) o y')).
    unfold set_register. destruct (find (held m2) p) as [w|] eqn:Fp; [|apply meets_refuses]. assert (Fp' : find (held m2) p <> None) by congruence. apply meets_ret; [exact G5|]. set (m3 := with_held m2 (put (held m2) p (element o lo))). split; [|reflexivity].
    assert (Tr1 : tables_right m1) by (destruct Tr as [Rn Ro Rb]; split; [apply put_numbered; assumption | exact Ro | exact Rb]).
    assert (Tr2 : tables_right m2) by (apply object_put_tables; [exact Tr1 | exact Lo | exact (objects_by_name m Tr o y Fo)]).
    split; [exact Pl | exact Cs | | |].
    + destruct Tr2 as [Rn Ro Rb]. split; [apply put_numbered; assumption | exact Ro | exact Rb].
    + apply with_held_terms; [|intros q [<-|[]]; exact Wlo]. apply object_put_within; [apply with_held_terms; [exact Tm5 | intros q [<-|[]]; exact Wsh]|]. intros q Iq. unfold object_terms in Iq. cbn [lower upper field_states with_fields with_lower y'] in Iq. pose proof (object_at_terms s5 (variables c) m o y Tm5 (objects_numbered m Tr) Fo) as Ty5.
      destruct Iq as [<-|[<-|Iq]]; [exact Wlo | apply Ty5; right; left; reflexivity | apply Ty5; right; right; apply Inc; exact Iq].
    + intros Se Kn phi l vs cs Hi. destruct (H5 Se Kn phi l vs cs Hi) as (vs1 & cs1 & Hw & Sz). specialize (Bel Kn). apply compares_least in Sz. pose proof (Whole.whole_inputs _ _ _ _ _ _ _ Hw) as Hv.
      destruct (Leaving.first_whole P well_given ss (valued M5) phi (member_of l m) (N.to_nat p) (N.to_nat n) (N.to_nat o) (term_of_number old) (object_of y) (N.to_nat first) (N.to_nat d) vs1 cs1 Ni (SlotHere l) (Named l)) as (vs2 & H2 & Lw); [| | | |exact Hw|].
      { cbn [object_of FoldedMembers.begins]. rewrite valued_term, Vlo. unfold first. lia. }
      { lia. }
      { cbn [object_of FoldedMembers.ends]. rewrite valued_term. lia. }
      { intros f If. cbn [object_of FoldedMembers.contents] in If. apply in_map_iff in If as (g & <- & Ig). cbn [Denoting.field_of FoldedMembers.apart]. rewrite map_length. apply Len. exact Ig. }
      assert (Ms : SameInputs.tables_same (valued M5) (valued M5) (LeavingOut.first_left_out (member_of l m) (N.to_nat p) (N.to_nat n) (N.to_nat o) (term_of_number old) (object_of y) (N.to_nat first) (N.to_nat d)) (member_of l m3)).
      { apply (array_same l m m3 M5 (N.to_nat p) (N.to_nat n) o _ _ _ y'); auto; [exact (Recognised.shaped_registers _ _ _ (Entering.inputs_shaped _ _ _ _ _ _ _ Hv)) | |].
        - intros q. unfold m3. rewrite (slot_at_put l l m2 (with_held m2 (put (held m2) p (element o lo))) p (element o lo) q eq_refl (registers_numbered _ Tr2) Fp'). destruct (Nat.eqb_spec q (N.to_nat p)) as [_|_].
          + cbn [element slot_of SameInputs.slots_same]. split; [reflexivity|]. split; [|reflexivity]. rewrite valued_term, Vlo'. cbn [Terms.eval object_of FoldedMembers.begins]. rewrite <- Vlo, <- (valued_term M5 (lower y)). reflexivity.
          + change (FoldedMembers.slot_at (member_of l m2) q) with (FoldedMembers.slot_at (member_of l m1) q). rewrite SlotN. destruct (Nat.eqb_spec q (N.to_nat n)) as [_|_]; [|apply Self].
            unfold LeavingOut.one_less. cbn [slot_of SameInputs.slots_same]. rewrite valued_term. cbn [Terms.eval]. rewrite <- (valued_term M5 old) in Vsh. exact Vsh.
        - split; cbn [LeavingOut.without_first object_of y' with_fields with_lower FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents declaration life_of lower upper field_states]; auto.
          + rewrite valued_term, Vlo'. cbn [Terms.eval]. rewrite <- Vlo, <- (valued_term M5 (lower y)). reflexivity.
          + rewrite <- Em. apply Fields. }
      exists vs2, cs1. split; [eapply SameEntries.whole_too; eauto|]. rewrite (SameInputs.weights_too _ _ _ _ _ Ms). cbn [compares]. lia.
  - subst d. eapply meets_bind; [apply meets_also; [apply plus_meets; exact G4 | apply (plus_within nu tabs (variables c)); [exact G4 | eapply part_kept; [exact K24 | exact Wup]]]|]. intros u s5 M5 G5 K5 [[Iu Vu] Wu].
    destruct (Behind s5 M5 G5 K5) as (Vsh & Vlo & Bel & Wsh & Tm5 & [_ _ _ _ H5]). apply meets_ret; [exact G5|]. set (m2 := with_objects m1 (put (objects_held m1) o (with_upper y u))). split; [|reflexivity].
    assert (Vup : vl M5 u = vl M5 (upper y) + -1) by (rewrite Vu, (proj2 (keeps_linears _ _ _ _ K5) (upper y)); [reflexivity | exact (within_in nu tabs (variables c) s4 M4 (LinearPart (upper y)) G4 (part_kept (variables c) s1 M1 s4 M4 _ K24 Wup))]).
    assert (Tr1 : tables_right m1) by (destruct Tr as [Rn Ro Rb]; split; [apply put_numbered; assumption | exact Ro | exact Rb]).
    split; [exact Pl | exact Cs | | |].
    + apply object_put_tables; [exact Tr1 | exact Lo | exact (objects_by_name m Tr o y Fo)].
    + apply object_put_within; [apply with_held_terms; [exact Tm5 | intros q [<-|[]]; exact Wsh]|]. intros q Iq. unfold object_terms in Iq. cbn [lower upper field_states with_upper] in Iq. pose proof (object_at_terms s5 (variables c) m o y Tm5 (objects_numbered m Tr) Fo) as Ty5.
      destruct Iq as [<-|[<-|Iq]]; [apply Ty5; left; reflexivity | exact Wu | apply Ty5; right; right; exact Iq].
    + intros Se Kn phi l vs cs Hi. destruct (H5 Se Kn phi l vs cs Hi) as (vs1 & cs1 & Hw & Sz). specialize (Bel Kn). apply compares_least in Sz. pose proof (Whole.whole_inputs _ _ _ _ _ _ _ Hw) as Hv.
      destruct (Leaving.last_whole P well_given ss (valued M5) phi (member_of l m) (N.to_nat p) (N.to_nat n) (N.to_nat o) (term_of_number old) (object_of y) vs1 cs1 Ni (SlotHere l) (Named l)) as (vs2 & H2 & Lw); [|exact Hw|].
      { cbn [object_of FoldedMembers.begins FoldedMembers.ends]. rewrite !valued_term, Vlo. lia. }
      assert (Ms : SameInputs.tables_same (valued M5) (valued M5) (LeavingOut.last_left_out (member_of l m) (N.to_nat p) (N.to_nat n) (N.to_nat o) (term_of_number old) (object_of y)) (member_of l m2)).
      { apply (array_same l m m2 M5 (N.to_nat p) (N.to_nat n) o _ _ _ (with_upper y u)); auto; [exact (Recognised.shaped_registers _ _ _ (Entering.inputs_shaped _ _ _ _ _ _ _ Hv)) | |].
        - intros q. change (FoldedMembers.slot_at (member_of l m2) q) with (FoldedMembers.slot_at (member_of l m1) q). rewrite SlotN. destruct (LeavingOut.array_registers P well_given (member_of l m) (N.to_nat p) (N.to_nat n) (N.to_nat o) (Recognised.shaped_registers _ _ _ (Entering.inputs_shaped _ _ _ _ _ _ _ Hv)) Ni) as (_ & _ & Npn).
          destruct (Nat.eqb_spec q (N.to_nat p)) as [->|_]; [destruct (Nat.eqb_spec (N.to_nat p) (N.to_nat n)); [contradiction | apply Self]|]. destruct (Nat.eqb_spec q (N.to_nat n)) as [->|_]; [|apply Self].
          unfold LeavingOut.one_less. cbn [slot_of SameInputs.slots_same]. rewrite valued_term. cbn [Terms.eval]. rewrite <- (valued_term M5 old) in Vsh. exact Vsh.
        - split; cbn [LeavingOut.without_last object_of with_upper FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents declaration life_of lower upper field_states]; auto.
          rewrite valued_term, Vup. cbn [Terms.eval]. rewrite <- (valued_term M5 (upper y)). reflexivity. }
      exists vs2, cs1. split; [eapply SameEntries.whole_too; eauto|]. rewrite (SameInputs.weights_too _ _ _ _ _ Ms). cbn [compares]. lia.
Qed.
(** *** All that is done to it *)

Definition is_left s M m : Prop := is_left_by (size_of m) s M m.
Lemma folded_left_meets {A} nu (f : member_state -> A -> computes member_state) l : (forall s M m a, In a l -> good nu s M -> keeps s0 M0 s M -> is_left s M m -> meets nu s M (f m a) (fun m' s' M' => is_left s' M' m')) ->
  forall s M m, good nu s M -> keeps s0 M0 s M -> is_left s M m -> meets nu s M (folded_left f l m) (fun m' s' M' => is_left s' M' m').
Proof.
  induction l as [|a l IH]; intros H s M m G K L; cbn [folded_left]; [apply meets_ret; auto|].
  eapply meets_bind; [apply H; auto; left; reflexivity|]. intros m1 s1 M1 G1 K1 L1. apply IH; auto; [intros; apply H; auto; right; assumption | eapply keeps_trans; eauto].
Qed.
(** Elements alone are left out, no nodes. *)
Definition is_element (x : N * dropped) : bool := match snd x with DroppedNode _ _ => false | First _ | LastElement => true end.
End Entry.
End Left.
