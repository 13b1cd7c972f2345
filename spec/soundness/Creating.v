(** Choice of where a fresh object begins, and of what its integers are
    (spec/calculus.md#stepdecided): some execution has it. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Inputs Runs Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Configurations Frames Views FoldedSteps FoldedEffects FoldedOutcomes FoldedRules Reached Marking Stepping.
From Goatherd Require Members Loading Effects Lifetimes Outcomes Exhaustive Entries.
Import ListNotations.
Open Scope Z_scope.

Section Creating.
Variable P : program.
Variable under : parameters.
Notation fields_in d := (layout_fields (layout_of_declaration P d)).

(** ** The member, and the states *)

Definition chosen_object d b count fs := {| kind := d; life_of := Live; begins := b; ends := Plus b count; contents := fs |}.
Definition placed m r d b count fs : member :=
  let m' := made (without_earlier P m d) (chosen_object d b count fs) in
  match r with
  | Some r => set_slot m' r (Plain (Members.PointerSlot (length (named m)) b 0))
  | None => goes (S (place_of m)) m' end.
(** Each element of a field of integers holds one in range; pointers hold
    nothing. A node begins at 0. *)
Record right_choice nu d b count fs : Prop := {
  right_fields : length fs = length (fields_in d);
  right_node : is_node P d = true -> eval nu b = 0;
  right_elements : forall k fld i, nth_error (fields_in d) k = Some fld -> eval nu b <= i < eval nu b + eval nu count ->
    match Programs.holds fld with
    | IntegerType T => exists z, Loading.fixed_element nu (nth k fs no_field) i = Some (Integer z) /\ within T z
    | PointerType => Loading.fixed_element nu (nth k fs no_field) i = Some Uninitialised end }.
Definition chosen_fills nu fs : nat -> Z -> Z := fun k i => match Loading.fixed_element nu (nth k fs no_field) i with Some (Integer z) => z | _ => 0 end.

(** What an instruction makes, and where a pointer to it goes. *)
Definition after_creation base (r : option nat) d count w := match r with
  | Some r => set (create P base d count Arbitrary w) r (Pointer {| target := length (memory base); index := start w; byte := 0 |})
  | None => create P base d count Arbitrary w end.
Definition creates i r d := match i with Allocate r' e _ Arbitrary => r = Some r' /\ e = d | Enter e => r = None /\ e = d | _ => False end.
Lemma creation_steps s i r d w0 s0 : nth_error (instructions P) (location s) = Some i -> creates i r d -> step P under s w0 = Ok s0 ->
  match r with Some q => (q < length (values s))%nat /\ exists p, register s0 q = Pointer p | None => is_local P d = true end ->
  exists base count, length (memory base) = length (memory s) /\ length (values base) = length (values s) /\
    forall w, number w = number w0 -> step P under s w = Ok (after_creation base r d count w).
Proof.
  intros E C H Pt. unfold step in *. rewrite E in *. destruct i; try contradiction; simpl in C.
  - destruct f; [|contradiction]. destruct C as [-> ->]. destruct Pt as [L (p & Pt)].
    assert (No : forall v, register (set s target v) target = v) by (intros v; unfold register; simpl; rewrite nth_replace, Nat.eqb_refl; apply Nat.ltb_lt in L; rewrite L; reflexivity).
    unfold allocate in *. destruct (use_integer s bytes) as [n|]; [|discriminate]. cbn [bind] in *. cbv zeta in *.
    destruct (most_bytes <? n); [injection H as <-; rewrite No in Pt; discriminate|].
    destruct (match allocating under with MayFail => number w0 =? 0 | Succeeds => false end) eqn:Al; [injection H as <-; rewrite No in Pt; discriminate|].
    match type of H with (if ?c then _ else _) = _ => destruct c eqn:Nd; [discriminate|] end.
    exists s, (n / element_size (layout_of_declaration P d)). split; [reflexivity|]. split; [reflexivity|]. intros w Ew. rewrite Ew, Al. reflexivity.
  - destruct C as [-> ->]. unfold enter in *. unfold is_local in Pt. destruct (origin_of (declaration_of P d)) as [| |c| |]; try discriminate.
    exists (kill_current (next_location s) d), c. split; [rewrite kill_current_length; reflexivity|]. split; [|intros w _; reflexivity].
    unfold kill_current. destruct (nth d (current (next_location s)) None); reflexivity.
Qed.

(** Two such states differ in the object, and in the register. *)
Record but_for q (r : option nat) (g g' : state) : Prop := {
  but_location : location g' = location g;
  but_count : length (values g') = length (values g);
  but_registers : forall x, r <> Some x -> register g' x = register g x;
  but_current : current g' = current g;
  but_memory : length (memory g') = length (memory g);
  but_objects : forall o, o <> q -> object_at g' o = object_at g o }.
Lemma creations_but base r d count w w' : but_for (length (memory base)) r (after_creation base r d count w) (after_creation base r d count w').
Proof.
  assert (Ob : forall o, o <> length (memory base) -> object_at (create P base d count Arbitrary w') o = object_at (create P base d count Arbitrary w) o).
  { intros o N. rewrite !object_at_create. destruct (Nat.eqb_spec o (length (memory base))); [contradiction | reflexivity]. }
  destruct r as [r|]; (split; [reflexivity | simpl; rewrite ?replace_length; reflexivity | | reflexivity | simpl; rewrite !app_length; reflexivity | exact Ob]); [|reflexivity].
  intros x N. unfold register. simpl. rewrite !nth_replace. destruct (Nat.eqb_spec x r) as [->|]; [destruct N; reflexivity | reflexivity].
Qed.
Lemma created_object base r d count w : object_at (after_creation base r d count w) (length (memory base)) =
  {| declared := d; lower := start w; upper := start w + count; alive := Live; fields_of := fresh_cells (fields_in d) 0 Arbitrary w |}.
Proof.
  destruct r as [r|]; unfold after_creation; [change (object_at (set ?a ?b ?c)) with (object_at a)|]; rewrite object_at_create, Nat.eqb_refl; reflexivity.
Qed.
Lemma fresh_read l w : forall n k i, read (nth k (fresh_cells l n Arbitrary w) no_cells) i = match nth_error l k with
  | Some x => match Programs.holds x with IntegerType T => Integer (wrap T (fills w (n + k) i)) | PointerType => Uninitialised end | None => Uninitialised end.
Proof.
  induction l as [|x l IH]; intros n [|k] i; simpl; auto.
  - rewrite Nat.add_0_r. unfold read. simpl. destruct (Programs.holds x); reflexivity.
  - rewrite IH, Nat.add_succ_r. reflexivity.
Qed.
Lemma fixed_means nu m rho roots lasts v w : Loading.fixed nu v = Some w -> means nu m rho roots lasts v w.
Proof. destruct v as [[]| |]; simpl; try discriminate; intros [= <-]; reflexivity. Qed.
Lemma fixed_element_holds nu m rho roots lasts f i w : Loading.fixed_element nu f i = Some w -> means_element nu m rho roots lasts f i w.
Proof.
  unfold Loading.fixed_element, means_element. destruct (_ && _); [apply fixed_means|]. destruct (rest f); [|discriminate]. intros [= <-]. reflexivity.
Qed.
Lemma earlier_length m d : length (named (without_earlier P m d)) = length (named m).
Proof. unfold without_earlier. destruct (is_local P d); auto. destruct (find _ _); auto. simpl. apply replace_length. Qed.
Lemma earlier_slots m d : slots (without_earlier P m d) = slots m /\ parts (without_earlier P m d) = parts m /\ place_of (without_earlier P m d) = place_of m.
Proof. unfold without_earlier. destruct (is_local P d); auto. destruct (find _ _); auto. Qed.

(** ** The member describes the state *)

Section Described.
Variables (few n : nat) (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (m : member).
Variables (r : option nat) (d : nat) (count b : term) (fs : list field_state).
Notation A := (affect P few n (Creates r d count Arbitrary) m).
Notation B := (placed m r d b count fs).
Notation new := (length (named m)).
Lemma placed_objects o : object_named B o = if Nat.eqb o new then Some (chosen_object d b count fs) else object_named A o.
Proof.
  unfold object_named, placed, affect. destruct r; simpl; rewrite !named_end, earlier_length; destruct (Nat.eqb o new); reflexivity.
Qed.
Lemma affected_new : object_named A new = Some (plain_object (Effects.fresh_object P few n d count Arbitrary)).
Proof. unfold object_named, affect. destruct r; simpl; rewrite named_end, earlier_length, Nat.eqb_refl; reflexivity. Qed.
Lemma placed_parts : parts B = parts A.
Proof. unfold placed, affect. destruct r; reflexivity. Qed.
Lemma placed_slots x : r = Some x /\ (x < length (slots m))%nat /\ slot_at B x = Plain (Members.PointerSlot new b 0) \/
  r = Some x /\ slot_at B x = forgotten \/ r <> Some x /\ slot_at B x = slot_at A x.
Proof.
  unfold slot_at, placed, affect. destruct (earlier_slots m d) as [Es _]. destruct r as [q|]; simpl; [|right; right; split; [discriminate | reflexivity]].
  rewrite !nth_replace, Es. destruct (Nat.eqb_spec x q) as [E|N]; simpl; [|right; right; split; [congruence | reflexivity]]. subst q.
  destruct (Nat.ltb_spec x (length (slots m))) as [L|L]; [left; auto | right; left; split; [reflexivity | apply nth_overflow; exact L]].
Qed.
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat).
Lemma placed_means v : means nu B rho roots lasts v = means nu A rho roots lasts v.
Proof.
  assert (Pt : forall f h, means_part B f h = means_part A f h) by (intros f h; unfold means_part, part_named; rewrite placed_parts; reflexivity).
  destruct v as [[| |t| |o i c]|f|f]; try reflexivity; try apply Pt. cbn [means]. rewrite placed_objects. destruct (Nat.eqb_spec o new) as [->|]; [rewrite affected_new|]; reflexivity.
Qed.
Lemma placed_element f i : means_element nu B rho roots lasts f i = means_element nu A rho roots lasts f i.
Proof. unfold means_element. rewrite placed_means. reflexivity. Qed.
Variables (g g' : state).
Hypothesis described : describes_by P sorts nu phi A rho roots lasts cells g.
Hypothesis but : but_for (rho new) r g g'.
Hypothesis there : describes_object nu B rho roots lasts (chosen_object d b count fs) (object_at g' (rho new)).
Hypothesis pointed : forall q, r = Some q -> (q < length (slots m))%nat -> register g' q = Pointer {| target := rho new; index := eval nu b; byte := 0 |}.
Hypothesis node_at : is_node P d = true -> eval nu b = 0.
Theorem placed_describes : describes_by P sorts nu phi B rho roots lasts cells g'.
Proof.
  destruct described as [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14]. destruct but as [B1 B2 B3 B4 B5 B6].
  assert (Apart : forall o x, o <> new -> object_named A o = Some x -> rho o <> rho new) by (intros o x N E R; apply N; eapply D7; eauto; apply affected_new).
  assert (Old : forall o x, object_named B o = Some x -> o <> new -> object_named A o = Some x).
  { intros o x E N. rewrite placed_objects in E. destruct (Nat.eqb_spec o new); [contradiction | exact E]. }
  assert (New : forall x, object_named B new = Some x -> x = chosen_object d b count fs).
  { intros x E. rewrite placed_objects, Nat.eqb_refl in E. injection E as <-. reflexivity. }
  assert (Some_ : forall o x, object_named B o = Some x -> exists y, object_named A o = Some y /\ kind y = kind x /\ life_of y = life_of x).
  { intros o x E. destruct (Nat.eq_dec o new) as [->|N]; [|exists x; eauto]. rewrite (New x E). eexists. split; [apply affected_new|]. split; reflexivity. }
  assert (Pn : forall f, part_named B f = part_named A f) by (intros f; unfold part_named; rewrite placed_parts; reflexivity).
  split.
  - rewrite B1, D1. unfold placed, affect. destruct r; reflexivity.
  - rewrite B2, D2. unfold placed, affect. destruct r; simpl; rewrite ?replace_length; reflexivity.
  - rewrite B4. exact D3.
  - intros x. destruct (placed_slots x) as [(E & L & S)|[(E & S)|(N & S)]]; rewrite S.
    + cbn [means]. rewrite placed_objects, Nat.eqb_refl. symmetry. apply pointed; auto.
    + exact Logic.I.
    + rewrite placed_means, (B3 x N). exact (D4 x).
  - intros o x E. rewrite B5. destruct (Some_ o x E) as (y & Ey & _). eauto.
  - intros o x E. destruct (Nat.eq_dec o new) as [->|N]; [rewrite (New x E); exact there|]. pose proof (Old o x E N) as E'. rewrite B6 by eauto.
    destruct (D6 o x E') as [A1 A2 A3 A4 A5 A6]. split; auto. intros L f i Bi. rewrite placed_element. apply A6; auto.
  - intros o o' x x' E E'. destruct (Some_ o x E) as (y & Ey & _), (Some_ o' x' E') as (y' & Ey' & _). eauto.
  - intros o x E L N. rewrite B4. destruct (Some_ o x E) as (y & Ey & K & Ly). rewrite <- K in N |- *. apply (D8 o y Ey); congruence.
  - intros o x E N. destruct (Nat.eq_dec o new) as [->|No]; [|eauto]. rewrite (New x E) in *. simpl in N |- *. destruct (D9 _ _ affected_new N) as [_ C]. simpl in C. rewrite (node_at N), C. auto.
  - intros f q E. rewrite Pn in E. assert (Sc : forall c, In c (cells f) -> same_cell g g' c).
    { intros c I. assert (Ne : c <> rho new) by (intros ->; exact (D13 _ _ _ _ affected_new E I)). unfold content. split; try intros k; unfold content; rewrite (B6 c Ne); reflexivity. }
    destruct (D10 f q E) as (fp & Pm & D). exists fp. split; [exact Pm|]. assert (Sf : forall c, In c fp -> same_cell g g' c) by (intros c I; apply Sc; eapply Permutation_in; eauto).
    destruct (nth_error sorts (symbol q)) as [[x|x]|]; [| |exact D]; rewrite !placed_means.
    + destruct D as (Be & L & T). split; [exact Be|]. split; [exact L|]. eapply tree_stays; eauto.
    + eapply context_stays; eauto.
  - intros f q E. rewrite Pn in E. eauto.
  - intros f f' q q' c E E'. rewrite Pn in E, E'. eauto.
  - intros o x f q E Ep. rewrite Pn in Ep. destruct (Some_ o x E) as (y & Ey & _). eauto.
  - intros Ck p [W1 W2]. assert (W : owed P g p).
    { destruct (Nat.eq_dec p (rho new)) as [->|N]; [|rewrite (B6 p N) in W1, W2; split; auto]. destruct (D6 _ _ affected_new) as [A1 A2 _ _ _ _], there as [C1 C2 _ _ _ _].
      simpl in A1, A2, C1. rewrite C1 in W2. split; [exact A2 | rewrite A1; exact W2]. }
    destruct (D14 Ck p W) as [(o & x & E & R)|(f & q & E & I)]; [left | right; exists f, q; rewrite Pn; auto].
    exists o. rewrite placed_objects. destruct (Nat.eqb_spec o new); eauto.
Qed.
End Described.

(** ** Some step leads there *)

Section Steps.
Variable few : nat.
Variable table : nat -> sort_of_trees.
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.
Hypothesis locals : locals_formed P.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.

(** An instruction whose list has a fresh object makes it. *)
Lemma creation_listed nu v os' o' i r d count : well_sorted nu -> Outcomes.outcomes P under v = Some os' -> In o' os' ->
  nth_error (instructions P) (Members.place_of v) = Some i -> Effects.effect_of o' = Effects.Creates r d count Arbitrary -> creates i r d.
Proof.
  intros W L I E Ef. pose proof (Exhaustive.effect_fits P under few nu v W os' i o' L E I) as F. rewrite Ef in F. simpl in F. destruct i; try contradiction; simpl in F; subst.
  - destruct (allocation_listed P under v os' o' target d bytes f L E I) as [X|[X|(c & X)]]; rewrite Ef in X; try discriminate. injection X as -> _ <-. simpl. auto.
  - unfold Outcomes.outcomes in L. rewrite E in L. unfold Lifetimes.enters in L. destruct (origin_of (declaration_of P d)); try discriminate.
    match type of L with (if ?c then _ else _) = _ => destruct c; [|discriminate] end. injection L as <-. destruct I as [<-|[]]. injection Ef as <- _. simpl. auto.
Qed.
(** The member's fresh object is the last of the state. *)
Lemma created_last n sorts nu phi m r d count rho roots lasts cells g base c w :
  describes_by P sorts nu phi (affect P few n (Creates r d count Arbitrary) m) rho roots lasts cells g -> g = after_creation base r d c w ->
  length (values base) = length (slots m) -> match r with Some q => (q < length (slots m))%nat | None => is_local P d = true end -> rho (length (named m)) = length (memory base).
Proof.
  intros D E Lv Rt. pose proof (affected_new few n m r d count) as An. destruct r as [q|].
  - pose proof (registers_hold _ _ _ _ _ _ _ _ _ _ D q) as X. destruct (earlier_slots m d) as [Es _].
    assert (S : slot_at (affect P few n (Creates (Some q) d count Arbitrary) m) q = Plain (Members.PointerSlot (length (named m)) (Constant 0) 0)).
    { unfold slot_at. cbn [affect set_slot slots made]. rewrite nth_replace, Nat.eqb_refl, Es. apply Nat.ltb_lt in Rt. rewrite Rt. reflexivity. }
    rewrite S in X. cbn [means] in X. rewrite An, E in X. unfold register, after_creation in X. cbn [set values create] in X.
    rewrite nth_replace, Nat.eqb_refl, Lv in X. apply Nat.ltb_lt in Rt. rewrite Rt in X. cbn [andb] in X. injection X as X _. exact X.
  - pose proof (names_hold _ _ _ _ _ _ _ _ _ _ D _ _ An eq_refl) as X. simpl kind in X.
    assert (N : has_name P d = true) by (unfold has_name; unfold is_local in Rt; destruct (origin_of _); auto; discriminate). specialize (X N).
    pose proof (name_count _ _ _ _ _ _ _ _ _ _ D) as Nc. rewrite E in X, Nc. cbn [after_creation create current] in X, Nc. rewrite replace_length in Nc.
    rewrite nth_replace, Nat.eqb_refl, Nc in X. pose proof (local_declared P d Rt) as Ld. apply Nat.ltb_lt in Ld. rewrite Ld in X. cbn [andb] in X. congruence.
Qed.

Variables (sorts : list symbol_sort) (phi : meaning) (n : nat) (nu : valuation) (m : member) (os : list outcome) (s : state).
Hypothesis sorted : well_sorted nu.
Hypothesis meant : well_meant P table sorts phi.
Hypothesis scope : scoped_member n m = true.
Hypothesis offered : offers P under m os.
Hypothesis executed_state : as_executed P s.
Hypothesis denoted : denotes_state P sorts nu phi m s.
Hypothesis literals_scoped : forall o, In o os -> forallb (scoped_literal n) (literals o) = true.
Variables (o : outcome) (r : option nat) (d : nat) (count b : term) (fs : list field_state).
Hypothesis in_list : In o os.
Hypothesis not_ignorance : tag_of o <> Effects.Ignorance.
Hypothesis literals_hold : Forall (holds nu) (literals o).
Hypothesis makes : effect_of o = Creates r d count Arbitrary.
Hypothesis chosen : right_choice nu d b count fs.
Theorem creation_real : exists w s', step P under s w = Ok s' /\ denotes_state P sorts nu phi (placed m r d b count fs) s' /\ consumes P s (Ok s') = 0%nat.
Proof.
  destruct denoted as (g & rn & Fg & (rho & ro & la & ce & D) & A & Mp).
  destruct offered as [[Ls Th]|(roots & c & _ & _ & Eq)].
  2: { rewrite Eq in in_list. destruct in_list as [X|[]]. rewrite <- X in makes. destruct c; discriminate. }
  destruct (Ls rho _ (view_viewed P sorts phi nu m rho ro la ce g D)) as (os' & L & Fo).
  destruct (one_for P m _ _ _ _ _ Fo in_list) as (o' & I & Ov). pose proof Ov as (Et & El & Ev). rewrite makes in Ev.
  pose proof (view_denotes P sorts nu phi m rho ro la ce g D (fine_exist _ _ Fg) (fine_named _ _ Fg)) as Dn.
  destruct (Exhaustive.real_by P under few n nu (view m rho g) g os' locals types memories sorted (view_scoped _ _ _ _ scope)
    (fine_tidy _ _ Fg) (fine_typed _ _ Fg) (fine_ordered _ _ Fg) (itself g) Dn L o' I ltac:(congruence) ltac:(rewrite El; exact literals_hold)) as (w0 & S0 & R).
  destruct (described_on P under few table of_nodes locals types memories sorts phi n nu m meant scope Th nu g rho ro la ce o o' w0 Fg D ltac:(split; auto) sorted literals_hold
    (literals_scoped o in_list) Ov ltac:(eauto) S0 R ltac:(rewrite makes; discriminate)) as (g0 & Es & (rho0 & ro0 & la0 & ce0 & D0)).
  rewrite makes in D0. pose proof (is_at _ _ _ _ _ _ _ _ _ _ D) as Loc. pose proof (register_count _ _ _ _ _ _ _ _ _ _ D) as Cnt.
  assert (Ei : exists i, nth_error (instructions P) (location g) = Some i) by (unfold step in Es; destruct (nth_error (instructions P) (location g)); [eauto | discriminate]).
  destruct Ei as (i & Ei). pose proof Ei as Ei'. rewrite Loc in Ei'.
  assert (Ef : Effects.effect_of o' = Effects.Creates r d count Arbitrary) by (inversion Ev; reflexivity).
  pose proof (creation_listed nu _ os' o' i r d count sorted L I Ei' Ef) as Ci.
  assert (Rt : match r with Some q => (q < length (slots m))%nat | None => is_local P d = true end) by (inversion Ev; assumption).
  pose proof (affected_new few n m r d count) as An. pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ D0 _ _ An) as [_ _ _ O4 _ _].
  assert (Pt : match r with Some q => (q < length (values g))%nat /\ exists p, register g0 q = Pointer p | None => is_local P d = true end).
  { pose proof (registers_hold _ _ _ _ _ _ _ _ _ _ D0) as X. destruct r as [q|]; [|exact Rt]. rewrite Cnt. split; [exact Rt|]. specialize (X q).
    assert (S : slot_at (affect P few n (Creates (Some q) d count Arbitrary) m) q = Plain (Members.PointerSlot (length (named m)) (Constant 0) 0)).
    { unfold slot_at. cbn [affect set_slot slots made]. destruct (earlier_slots m d) as [Es' _]. rewrite nth_replace, Nat.eqb_refl, Es'. pose proof Rt as Rb. apply Nat.ltb_lt in Rb. rewrite Rb. reflexivity. }
    rewrite S in X. cbn [means] in X. rewrite An in X. eauto. }
  destruct (creation_steps g i r d w0 g0 Ei Ci Es Pt) as (base & c & Lm & Lv & St).
  assert (E0 : g0 = after_creation base r d c w0) by (specialize (St w0 eq_refl); congruence).
  pose proof (created_last n sorts nu phi m r d count rho0 ro0 la0 ce0 g0 base c w0 D0 E0 ltac:(congruence) Rt) as Last.
  rewrite Last, E0, created_object in O4. simpl in O4. rewrite S0 in O4. assert (Ec : c = eval nu count) by lia. clear O4.
  set (w := {| number := number w0; start := eval nu b; fills := chosen_fills nu fs |}). set (g' := after_creation base r d c w).
  assert (Es1 : step P under g w = Ok g') by (apply St; reflexivity).
  assert (D1 : describes_by P sorts nu phi (placed m r d b count fs) rho0 ro0 la0 ce0 g').
  { apply (placed_describes few n sorts nu phi m r d count b fs rho0 ro0 la0 ce0 g0 g' D0).
    - rewrite Last, E0. apply creations_but.
    - rewrite Last. unfold g'. rewrite created_object. pose proof (right_fields _ _ _ _ _ chosen) as Rf. split; simpl; auto; [congruence | rewrite fresh_length; auto|].
      intros _ f j Bj. unfold field_of. simpl fields_of. rewrite fresh_read. rewrite Nat.add_0_l. destruct (nth_error (fields_in d) f) as [fld|] eqn:En.
      + rewrite Ec in Bj. pose proof (right_elements _ _ _ _ _ chosen f fld j En Bj) as Re. destruct (Programs.holds fld) as [T|]; [|apply fixed_element_holds; exact Re].
        destruct Re as (z & Ez & Wz). simpl fills. unfold chosen_fills. rewrite Ez, (wrap_same T z Wz). apply fixed_element_holds. exact Ez.
      + apply nth_error_None in En. rewrite nth_overflow by lia. unfold means_element. simpl. destruct ((0 <=? j) && (j <? 0)) eqn:Q; [|exact Logic.I]. destruct (Z.to_nat j); exact Logic.I.
    - intros q Er Lq. rewrite Last. unfold g'. rewrite Er. unfold register, after_creation. cbn [set values create]. rewrite nth_replace, Nat.eqb_refl.
      assert (Lb : (q < length (values base))%nat) by lia. apply Nat.ltb_lt in Lb. rewrite Lb. reflexivity.
    - apply (right_node _ _ _ _ _ chosen). }
  pose proof (step_fine P under locals types memories _ _ _ Fg Es1) as Fg'.
  assert (As : asked P i).
  { pose proof (nth_error_In _ _ Ei) as Ii. destruct i; try contradiction; simpl; auto. apply (entries_formed P locals). auto. }
  pose proof (follows P under rn g s i w 0 (moved 0 w) A (fine_tidy _ _ Fg) (proj1 executed_state) Ei As (moved_elsewhere 0 w)) as X.
  rewrite Es1 in X. destruct (step P under s (moved 0 w)) as [s'|] eqn:Es'; [|contradiction]. destruct X as (rn' & Mr & X).
  exists (moved 0 w), s'. split; [exact Es'|]. split.
  - exists g', rn'. split; [exact Fg'|]. split; [exists rho0, ro0, la0, ce0; exact D1|]. split; [exact X|]. intros Ck.
    apply (mapped_on P under rn rn' g s g' s' w (moved 0 w) (Mp Ck) A X Mr Es1 Es'). intros r' e b' f' I'. split; [|exact (unnamed P memories _ _ _ _ (nth_error_In _ _ I'))].
    rewrite Ei in I'. injection I' as ->. simpl in Ci. destruct f'; [|contradiction]. destruct Ci as [Er _]. rewrite Er in Rt. rewrite Cnt. exact Rt.
  - pose proof (same_location _ _ _ _ A) as La. pose proof (same_location _ _ _ _ X) as Lx. pose proof (is_at _ _ _ _ _ _ _ _ _ _ D1) as Lp.
    unfold consumes, draws, leads_back. rewrite La, Ei. assert (Pl : place_of (placed m r d b count fs) = S (place_of m)).
    { unfold placed. destruct (earlier_slots m d) as (_ & _ & Ep). destruct r; simpl; [rewrite Ep|]; reflexivity. }
    rewrite Lx, Lp, Pl, Loc. destruct (Nat.leb_spec (S (place_of m)) (place_of m)); [lia|]. destruct i; try contradiction; reflexivity.
Qed.
End Steps.

(** ** The rule *)

Definition create_other c front k m (x : counted_member) back r d count b fs := {| variables := variables c; symbols := symbols c; predicate := predicate c; primary := primary c;
  others := front ++ (k, {| stands := At (placed m r d b count fs); counted := counted x |}) :: back |}.
Theorem folded_creation_sound (few : nat) (table : nat -> sort_of_trees) c front k m x back os o r d count b fs : (forall s, is_node P (declaration (table s)) = true) ->
  locals_formed P -> types_formed P -> memory_formed P -> Entries.contents_formed P ->
  others c = front ++ (k, x) :: back -> stands x = At m -> offers P under m os -> In o os -> tag_of o <> Effects.Ignorance ->
  (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) -> (forall nu, model nu (predicate c) -> Forall (holds nu) (literals o)) ->
  effect_of o = Creates r d count Arbitrary -> (forall nu, model nu (predicate c) -> right_choice nu d b count fs) ->
  in_scope (create_other c front k m x back r d count b fs) = true ->
  sound_decided (system_of P under) _ (shows P under table) c (length front) (create_other c front k m x back r d count b fs).
Proof.
  intros Nodes Lo Ty Me Co E Xm Os I T Sl En Ef Ch Sf t ts [[_ Gts] (S & nu & phi & M & W & A & O)]. apply scope_parts in S as (S1 & S2 & S3).
  rewrite E in O, S3. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & ->).
  inversion O2 as [|? z ? ts3 [Fk [Bx C]] O3]; subst. destruct z as [k' v]. simpl in Fk, Bx, C. subst k'.
  rewrite Xm in Bx. destruct Bx as (s & L & D).
  assert (Gr : genuine (system_of P under) v) by (rewrite Forall_forall in Gts; apply (Gts (k, v)); apply in_or_app; simpl; auto).
  rewrite forallb_app in S3. simpl in S3. apply andb_prop in S3 as [_ S3]. apply andb_prop in S3 as [Sx _]. unfold scoped_counted in Sx. rewrite Xm in Sx. apply andb_prop in Sx as [Sm _].
  destruct (creation_real few table Nodes Lo Ty Me (symbols c) phi (variables c) nu m os s (proj1 M) W Sm Os (genuine_executed P under Lo Ty Me Co v s Gr L) D Sl
    o r d count b fs I T (En nu M) Ef (Ch nu M)) as (w & s' & Es & D' & Cs).
  exists k, v, (extend (system_of P under) v (consumes P s (step P under s w)) (Running s')), ts1, ts3.
  split; auto. split; [clear - O1; induction O1; simpl; congruence|]. split.
  - eapply extends_step; [constructor|]. rewrite L. exists w. rewrite Es. split; reflexivity.
  - split; auto. exists nu, phi. split; [exact M|]. split; [exact W|]. split; [exact A|]. simpl. apply Forall2_app; auto. constructor; auto. split; auto. split.
    + exists s'. split; [reflexivity | exact D'].
    + cbn [counted snd]. destruct (counted x) as [u|]; [|exact Logic.I]. simpl consumed. rewrite Es, Cs, Nat.add_0_r. exact C.
Qed.
End Creating.
