(** That the root is right of programs whose inputs are integers and arrays of integers, with
    static objects, and no other ones (spec/calculus.md#root): the configurations that
    [root_of_class] makes are in scope, and each entry state is denoted by that of its class,
    with values of variables that are chosen as they are made. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Inputs Existing Tidy Typed Bounds Entries Owed Alike Folding FoldedMembers Configurations SameInputs Planting Loading Recognised Built Roots Elements Entering Marking.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed PointerLists Moving RegisterScopes Followed Templates Leading Staying Drawn FreshObjects Replayed StaticRoots.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Definition registers_of_input (i : input) : list N := match i with
  | IntegerInput r => [r] | ArrayInput p n _ => [p; n] | SingleInput p _ | LinkedInput p _ => [p] end.
Definition arrays_of_input (i : input) : list N := match i with ArrayInput _ _ o => [o] | _ => [] end.
Notation registers_of_inputs := (flat_map registers_of_input).
Notation arrays_of_inputs := (flat_map arrays_of_input).

Section Roots.
Variable Q : program.
Variable us : parameters.
Variable k : N.
Variable ts : list sort.
Let E := setting_of Q us k ts.
Let P := Translated.program_of Q.
Variable trees : nat -> Sorts.sort_of_trees.
Let tabs := index_of (tables Q).
Hypothesis integers_of_c : arithmetic_of us = C.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation world := (world tabs).
Notation goes_on := (goes_on tabs).
Lemma setting_right : same_setting E P (Translated.parameters_of us).
Proof. exact (setting_same Q us k ts integers_of_c). Qed.

(** Arrays are of integers, and each of an object of its own; what else is declared comes to
    be later. *)
Definition input_formed (i : input) : Prop := match i with
  | IntegerInput _ => True
  | ArrayInput p n o => p <> n /\ exists x y, List.nth_error (objects Q) (N.to_nat o) = Some x /\ List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) = Some y /\ all_integers (fields y) /\
    Certificates.origin_of x = InputObject
  | _ => False end.
Definition is_made_later (x : object) : bool := match Certificates.origin_of x with Local _ | Heap | Node _ => true | _ => false end.
Definition is_given (x : object) : bool := match Certificates.origin_of x with InputObject => true | _ => false end.
Record inputs_formed : Prop := {
  inputs_plain : forall i, In i (inputs Q) -> input_formed i;
  arrays_apart : NoDup (arrays_of_inputs (inputs Q));
  objects_given : forall x, In x (objects Q) -> is_given x || is_made_later x || is_static (Certificates.origin_of x) = true;
  statics_right : forall x, In x (objects Q) -> is_static_formed Q x = true }.
Hypothesis formed : inputs_formed.
Hypothesis well_given : Loading.inputs_formed P.

(** ** What has been made of some inputs *)

Record is_rooted (is : list input) (c : configuration) (M : model) (m : member_state) : Prop := {
  rooted_herd : herd c = [m];
  rooted_rest : symbols c = none_numbered tree_sort 0 /\ entry_member c = None /\ progress c = true;
  rooted_place : place_of m = At 0 /\ size_of m = NotLarger;
  rooted_consumed : exists zero, consumed_of m = IntegerSlot zero /\ vl M zero = 0;
  rooted_parts : parts_held m = none_numbered folded 0;
  rooted_given : given (objects_held m) = count (objects Q);
  rooted_whole : whole_member E m;
  rooted_registers : forall r v, find (held m) r = Some v -> ~ In r (registers_of_inputs is) -> v = Uninitialised;
  rooted_objects : forall o x, find (objects_held m) o = Some x -> In o (arrays_of_inputs is) \/ static_at Q o = true;
  rooted_statics : statics_held Q (length (objects Q)) M m }.
(** The values that the inputs have. *)
Definition fits (i : input) (v : Inputs.input_value) : Prop := match i, v with
  | IntegerInput r, Inputs.IntegerValue z => is_within (Machine.integer_type_of P (N.to_nat r)) z = true
  | ArrayInput p n o, Inputs.ArrayValue rows => Loading.array_allowed P (N.to_nat n) (N.to_nat o) rows = true
  | _, _ => False end.
Notation presents M m is vs cs := (forall phi, Loading.presents P [] (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs).
Definition cells_of_arrays (is : list input) : list Scapegoats.cell := List.map (fun o => inl (N.to_nat o)) (arrays_of_inputs is).
Definition gives (is : list input) (c : configuration) (M : model) (m : member_state) (vs : list Inputs.input_value) : Prop :=
  literals_hold M (known_literals c) /\ presents M m is vs (cells_of_arrays is).

(** *** More is made *)

Definition is_plain_input (i : input) : Prop := match i with IntegerInput _ | ArrayInput _ _ _ => True | _ => False end.
Lemma presents_more M m m' is vs cs phi : (forall i, In i is -> is_plain_input i) -> (forall r, In r (registers_of_inputs is) -> FoldedMembers.slot_at (member_of 0 m') (N.to_nat r) = FoldedMembers.slot_at (member_of 0 m) (N.to_nat r)) ->
  (forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> FoldedMembers.object_named (member_of 0 m') o = Some x) ->
  Loading.presents P [] (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> Loading.presents P [] (valued M) phi (member_of 0 m') (List.map Translated.input_of is) vs cs.
Proof.
  revert vs cs. induction is as [|i is IH]; intros vs cs Pl Sl Ob H; cbn [List.map] in *; [inversion H; constructor|].
  assert (IH' : forall vs cs, Loading.presents P [] (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> Loading.presents P [] (valued M) phi (member_of 0 m') (List.map Translated.input_of is) vs cs).
  { intros vs' cs'. apply IH; [intros j J; apply Pl; right; exact J | intros r J; apply Sl; cbn [flat_map]; apply in_or_app; auto | exact Ob]. }
  pose proof (Pl i (or_introl eq_refl)) as Pi. destruct i as [r|p n o|p o|p o]; try contradiction; cbn [Translated.input_of] in *; inversion H as [| q z is' vs' cs' (t & St & Et) W R | p' n' d rows x is' vs' cs' (j & Sp & O & Ej) Hx (t & St & Et) Al R | | |]; subst.
  - constructor; auto. exists t. rewrite Sl by (left; reflexivity). auto.
  - econstructor; eauto; [exists j; rewrite Sl by (left; reflexivity); auto | exists t; rewrite Sl by (right; left; reflexivity); auto].
Qed.
Lemma presents_valued M M' m is vs cs : all_same M M' (member_terms m) -> presents M m is vs cs -> presents M' m is vs cs.
Proof. intros H Pr phi. eapply SameInputs.presents_too; [|apply Pr]. apply SameInputs.member_itself, member_same. exact H. Qed.
Lemma slot_held m r v l : tables_right m -> find (held m) r = Some v -> FoldedMembers.slot_at (member_of l m) (N.to_nat r) = slot_of v.
Proof. intros [Rn _ _] F. apply slot_at_member; auto. Qed.
Lemma set_held c m r v s c' s' : herd c = [m] -> set_in c 0 r v s = Gives c' s' -> s' = s /\ find (held m) r <> None /\ c' = set_member c 0 (with_held m (put (held m) r v)).
Proof. intros Hd H. destruct (set_in_peek s c 0 m r v (f_equal (fun l => nth l 0) Hd) _ _ H) as [-> [F ->]]. auto. Qed.
Lemma same_variables s c c' M : variables c' = variables c -> goes_on s c M s c' M.
Proof. intros V. split; [apply later_refl|]. intros p W. rewrite V. split; [exact W | destruct p; simpl; auto]. Qed.
Lemma world_set s c nu M m r v : world s c nu M -> herd c = [m] -> find (held m) r <> None -> (forall p, In p (slot_terms v) -> part_within s (variables c) p) ->
  world s (set_member c 0 (with_held m (put (held m) r v))) nu M.
Proof.
  intros Wo Hd F W. pose proof (world_scope _ _ _ _ _ Wo) as Sc. assert (H : nth (herd c) 0 = Some m) by (rewrite Hd; reflexivity). eapply world_changes; [exact Wo|].
  apply (member_scope s c 0 m); auto.
  - destruct (proj1 (proj2 Sc) m (herd_member _ _ (nth_in _ _ _ H))) as [Rn Ro Rb]. split; [apply put_numbered; assumption | exact Ro | exact Rb].
  - apply with_held_terms; [exact (terms_of_member s c 0 m Sc H) | exact W].
Qed.
Lemma member_goes s c nu M s' c' M' m : world s c nu M -> herd c = [m] -> goes_on s c M s' c' M' -> all_same M M' (member_terms m) /\ tables_right m.
Proof.
  intros Wo Hd Go. pose proof (world_scope _ _ _ _ _ Wo) as Sc. assert (H : nth (herd c) 0 = Some m) by (rewrite Hd; reflexivity).
  split; [intros p I; apply (goes_terms _ _ _ _ _ _ _ Go); exact (terms_of_member s c 0 m Sc H p I) | apply (proj1 (proj2 Sc)), herd_member; rewrite Hd; left; reflexivity].
Qed.
Lemma consumed_goes s c nu M s' c' M' m zero : world s c nu M -> herd c = [m] -> goes_on s c M s' c' M' -> consumed_of m = IntegerSlot zero -> vl M zero = 0 -> vl M' zero = 0.
Proof.
  intros Wo Hd Go Cs V. destruct (member_goes _ _ _ _ _ _ _ _ Wo Hd Go) as [Sm _]. specialize (Sm (LinearPart zero)). simpl in Sm. rewrite Sm; [exact V|].
  rewrite member_terms_are, Cs. left. reflexivity.
Qed.
Lemma register_put_whole m r v : find (held m) r <> None -> whole_member E m -> whole_member E (with_held m (put (held m) r v)).
Proof. intros F [Dm Gm]. destruct (kept_put m r v F) as (_ & Gp & Dp). split; [exact (Dp Dm) | exact (eq_trans Gp Gm)]. Qed.

(** ** An integer *)

Lemma integer_kind_is s r T s' : integer_kind E r s = Gives T s' -> s' = s /\ Machine.integer_type_of P (N.to_nat r) = T.
Proof.
  unfold integer_kind, register_kind, bind, some. destruct (at_position (registers_of (names_in E)) r) as [y|] eqn:Ay; [|discriminate]. unfold ret.
  destruct (register_type y) as [T'|] eqn:Ty; [|discriminate]. intros [= <- <-]. split; [reflexivity|]. unfold Machine.integer_type_of. rewrite (same_registers _ _ _ setting_right r y Ay), Ty. reflexivity.
Qed.
Lemma bounded_here T : sort_of_type E T = Some T.
Proof. unfold sort_of_type. rewrite (same_arithmetic _ _ _ setting_right). reflexivity. Qed.
Definition integer_in (v : Inputs.input_value) : Z := match v with Inputs.IntegerValue z => z | _ => 0 end.
Lemma integer_rooted is s c nu M m r v class l c' class' s' : world s c nu M -> is_rooted is c M m -> (forall i, In i is -> is_plain_input i) -> ~ In r (registers_of_inputs is) ->
  Rules.root_input E l (c, class) (IntegerInput r) s = Gives (c', class') s' ->
  exists mu M' m', world s' c' mu M' /\ goes_on s c M s' c' M' /\ is_rooted (IntegerInput r :: is) c' M' m' /\ class' = class /\
    forall vs, gives is c M m vs -> fits (IntegerInput r) v -> gives (IntegerInput r :: is) c' M' m' (v :: vs).
Proof.
  intros Wo Ro Pl Nr R. pose proof Ro as [Hd Re Pla Cs Pa Gi Wh Rg Ob Sta]. unfold Rules.root_input in R. cbn [Rules.classes_of] in R.
  unfold bind at 1 in R. destruct (constant_term (Z.of_N (class mod 1)) s) as [e0 s0|] eqn:C0; [|discriminate].
  destruct (computed tabs s c nu M (constant_term (Z.of_N (class mod 1))) (fun _ _ _ _ _ => True) e0 s0 Wo) as (M0 & W0 & G0 & _); auto; [intros mu K _ Gk; eapply meets_weaker; [apply constant_meets; exact Gk | auto]|].
  unfold bind at 1, ret at 1 in R. unfold bind at 1 in R. destruct (set_input E c AnyValue (IntegerInput r) e0 s0) as [[c1 env1] s1|] eqn:Si; [|discriminate]. injection R as <- <- <-. rewrite N.div_1_r.
  unfold set_input in Si. unfold bind at 1 in Si. destruct (integer_kind E r s0) as [T s2|] eqn:Ki; [|discriminate]. apply integer_kind_is in Ki as [-> Ty].
  unfold bind at 1, new_value in Si. rewrite bounded_here in Si. unfold bind at 1 in Si. destruct (fresh c (Some T) s0) as [[t c2] s2|] eqn:Fr; [|discriminate]. unfold ret at 1 in Si.
  destruct (integer_drawn tabs s0 c nu M0 T (wrap T (integer_in v)) t c2 s2 W0 (wrap_within _ _) Fr) as (mu & M2 & x & Ec & W2 & G2 & Vt & Wt).
  unfold bind in Si. destruct (set_in c2 0 r (IntegerSlot t) s2) as [c3 s3|] eqn:St; [|discriminate]. injection Si as <- _ <-.
  assert (Hd2 : herd c2 = [m]) by (rewrite Ec; exact Hd). apply (set_held c2 m) in St as (-> & F & ->); [|exact Hd2]. set (m' := with_held m (put (held m) r (IntegerSlot t))).
  pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G0 G2) as G02. destruct (member_goes _ _ _ _ _ _ _ _ Wo Hd G02) as [Sm Tm].
  exists mu, M2, m'. split; [apply world_set; auto; intros p [<-|[]]; exact Wt|]. split; [eapply goes_trans; [exact G02|]; apply same_variables; reflexivity|]. split; [|split; [reflexivity|]].
  - destruct Cs as (zero & Cz & Vz). split; auto.
    + unfold set_member. rewrite Hd2. reflexivity.
    + rewrite Ec. exact Re.
    + exists zero. split; [exact Cz | exact (consumed_goes _ _ _ _ _ _ _ _ _ Wo Hd G02 Cz Vz)].
    + apply register_put_whole; auto.
    + intros q w Fq Nq. unfold m' in Fq. cbn [held with_held] in Fq. rewrite find_put in Fq. cbn [flat_map registers_of_input app] in Nq. destruct (N.eqb_spec q r) as [->|_]; [destruct Nq; left; reflexivity|].
      apply (Rg q w Fq). intros I. apply Nq. right. exact I.
    + apply (statics_go Q (length (objects Q)) M M2 m m' Tm Sm); auto.
  - intros vs [L Pr] Fi. destruct v as [z| | |]; try contradiction. split.
    + rewrite Ec. intros q I. pose proof (in_scope_parts s c (world_scope _ _ _ _ _ Wo)) as [Kn _]. pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G02 _ (Kn q I))) as V. simpl in V. unfold literal_holds in *. rewrite V. apply L. exact I.
    + intros phi. simpl in Fi. rewrite Ty in Fi. cbn [List.map Translated.input_of]. constructor.
      * exists (term_of_number t). split; [apply (slot_at_put 0 0 m m' r (IntegerSlot t) (N.to_nat r)) in F as ->; [rewrite Nat.eqb_refl; reflexivity | reflexivity | apply Tm]|].
        rewrite valued_term, Vt. apply wrap_same. apply is_within_iff. exact Fi.
      * rewrite Ty. exact Fi.
      * apply (presents_more M2 m m'); [exact Pl | | intros o y; auto | apply (presents_valued M M2); auto].
        intros q I. rewrite (slot_at_put 0 0 m m' r (IntegerSlot t) (N.to_nat q)); [|reflexivity | apply Tm | exact F]. destruct (Nat.eqb_spec (N.to_nat q) (N.to_nat r)) as [Eq|]; [|reflexivity].
        apply N2Nat.inj in Eq. subst q. contradiction.
Qed.

(** ** An array *)

Definition rows_in (v : Inputs.input_value) : list (list Z) := match v with Inputs.ArrayValue rows => rows | _ => [] end.
(** The class that the value is in, of so many. *)
Definition class_of (n : N) (i : input) (v : Inputs.input_value) : N := match i with ArrayInput _ _ _ => N.min (N.of_nat (length (rows_in v))) (n - 1) | _ => 0 end.
Lemma layout_here o x y : List.nth_error (objects Q) (N.to_nat o) = Some x -> List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) = Some y ->
  at_position (objects_of (names_in E)) o = Some x /\ at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some y /\ Machine.layout_of_declaration P (N.to_nat o) = Translated.layout_of y.
Proof.
  intros Ox Ly. assert (Ax : at_position (objects_of (names_in E)) o = Some x) by (simpl; rewrite at_position_is; exact Ox). assert (Ay : at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some y) by (simpl; rewrite at_position_is; exact Ly).
  split; [exact Ax|]. split; [exact Ay|]. unfold Machine.layout_of_declaration. rewrite (same_objects _ _ _ setting_right o x Ax). exact (same_layouts _ _ _ setting_right _ y Ay).
Qed.
Lemma assumed s c nu M l c' s' : world s c nu M -> part_within s (variables c) (LinearPart (term_of l)) -> assume c l s = Gives c' s' -> s' = s /\ world s c' nu M /\
  (literals_hold M (known_literals c) -> literal_holds M l -> literals_hold M (known_literals c')) /\
  herd c' = herd c /\ variables c' = variables c /\ symbols c' = symbols c /\ entry_member c' = entry_member c /\ progress c' = progress c.
Proof.
  intros Wo Wl H. destruct (assume_peek tabs nu s M c l (world_good _ _ _ _ _ Wo) _ _ H) as [-> [[-> _]| ->]]; split; auto.
  - split; [exact Wo|]. split; [auto|]. do 4 (split; [reflexivity|]). reflexivity.
  - split; [eapply world_changes; [exact Wo|]; apply more_literals_scope; [apply Wo | intros q [<-|[]]; exact Wl]|]. split; [|do 4 (split; [reflexivity|]); reflexivity].
    intros L Ll q I. cbn [with_literals known_literals] in I. apply in_app_or in I as [I|[<-|[]]]; auto.
Qed.
(** How many elements there are. *)
Lemma length_rooted s c nu M m p n o x y v class l s' elements c' e0 : world s c nu M -> herd c = [m] -> List.nth_error (objects Q) (N.to_nat o) = Some x -> List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) = Some y ->
  let k := Rules.classes_of E l (ArrayInput p n o) in let size := (class mod k)%N in part_within s (variables c) (LinearPart e0) -> vl M e0 = Z.of_N size ->
  (if (k - 1 <=? size)%N then
      let$ T := integer_kind E n in let$ (t, c) := fresh c (Some T) in let$ most := greatest_count E o in let$ (low, high) := within t (Z.of_N size, most) in
      let$ c := assume c low in let$ c := assume c high in ret (t, c)
    else ret (e0, c)) s = Gives (elements, c') s' ->
  exists mu M', world s' c' mu M' /\ goes_on s c M s' c' M' /\ herd c' = [m] /\ symbols c' = symbols c /\ entry_member c' = entry_member c /\ progress c' = progress c /\ part_within s' (variables c') (LinearPart elements) /\
    (literals_hold M (known_literals c) -> fits (ArrayInput p n o) v -> size = class_of k (ArrayInput p n o) v -> literals_hold M' (known_literals c') /\ vl M' elements = Z.of_nat (length (rows_in v))).
Proof.
  intros Wo Hd Ox Ly kk size W0 V0 R. destruct (layout_here o x y Ox Ly) as (Ax & Ay & Lay).
  assert (Pos : (0 < kk)%N) by (unfold kk; cbn [Rules.classes_of]; destruct l; try lia; destruct (0 <? k_in E)%N; lia).
  assert (Small : (size < kk)%N) by (apply N.mod_lt; lia). destruct (N.leb_spec (kk - 1) size) as [Le|Lt].
  - unfold bind at 1 in R. destruct (integer_kind E n s) as [T s0|] eqn:Ki; [|discriminate]. apply integer_kind_is in Ki as [-> Ty].
    unfold bind at 1 in R. destruct (fresh c (Some T) s) as [[t c1] s1|] eqn:Fr; [|discriminate].
    destruct (integer_drawn tabs s c nu M T (wrap T (Z.of_nat (length (rows_in v)))) t c1 s1 Wo (wrap_within _ _) Fr) as (mu & M1 & z & Ec & W1 & G1 & Vt & Wt).
    unfold bind at 1 in R. destruct (greatest_count E o s1) as [most s2|] eqn:Gc; [|discriminate].
    assert (Mo : s2 = s1 /\ most = Integers.greatest I64 / Z.of_N (element_size y)).
    { unfold greatest_count, layout_in, object_in, bind, some in Gc. rewrite Ax in Gc. unfold ret in Gc. rewrite Ay in Gc. unfold quotient_of in Gc. destruct (0 <? Z.of_N (element_size y)); [|discriminate]. injection Gc as <- <-. auto. }
    destruct Mo as [-> ->]. unfold bind at 1 in R. destruct (within t (Z.of_N size, Integers.greatest I64 / Z.of_N (element_size y)) s1) as [[low high] s3|] eqn:Wi; [|discriminate].
    destruct (computed tabs s1 c1 mu M1 (within t (Z.of_N size, Integers.greatest I64 / Z.of_N (element_size y))) (fun _ M q s' M' => ((part_within s' (variables c1) (LinearPart (term_of (fst q))) /\ part_within s' (variables c1) (LinearPart (term_of (snd q)))) /\
      (literal_holds M' (fst q) <-> Z.of_N size <= vl M t) /\ (literal_holds M' (snd q) <-> vl M t <= Integers.greatest I64 / Z.of_N (element_size y)))) (low, high) s3 W1) as (M3 & W3 & G3 & _ & (Wlo & Whi) & Hlo & Hhi); auto.
    { intros mu' K _ Gk. intros q s4 H4. destruct (within_meets mu' tabs s1 K t (Z.of_N size) (Integers.greatest I64 / Z.of_N (element_size y)) Gk (within_in mu' tabs (variables c1) s1 K _ Gk Wt) q s4 H4) as (K4 & G4 & K4' & _ & _ & A & B).
      destruct (between_within mu' tabs (variables c1) s1 K t (Z.of_N size) (Integers.greatest I64 / Z.of_N (element_size y)) Gk Wt q s4 H4) as (_ & _ & _ & C). exists K4. auto. }
    cbn [fst snd] in Wlo, Whi, Hlo, Hhi. unfold bind at 1 in R. destruct (assume c1 low s3) as [c2 s4|] eqn:A1; [|discriminate].
    destruct (assumed s3 c1 mu M3 low c2 s4 W3 Wlo A1) as (-> & W4 & L4 & H4 & V4 & Sy4 & En4 & Pr4).
    unfold bind in R. destruct (assume c2 high s3) as [c3 s5|] eqn:A2; [|discriminate]. injection R as <- <- <-. rewrite <- V4 in Whi.
    destruct (assumed s3 c2 mu M3 high c3 s5 W4 Whi A2) as (-> & W5 & L5 & H5 & V5 & Sy5 & En5 & Pr5). pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G1 G3) as G13.
    exists mu, M3. split; [exact W5|]. split; [eapply goes_trans; [exact G13|]; apply same_variables; congruence|]. rewrite H5, H4, Sy5, Sy4, En5, En4, Pr5, Pr4, V5, V4, Ec. split; [exact Hd|]. do 3 (split; [reflexivity|]).
    destruct (goes_terms _ _ _ _ _ _ _ G3 _ Wt) as [Wt3 Vt3]. split; [rewrite <- Ec; exact Wt3|]. intros L Fi Cl. simpl in Vt3. rewrite Vt in Vt3.
    destruct v as [| rows| |]; try contradiction. cbn [rows_in] in *. simpl in Fi. unfold Loading.array_allowed in Fi. apply andb_prop in Fi as [Fi Fm]. apply andb_prop in Fi as [_ Fw]. rewrite Ty in Fw. apply is_within_iff in Fw.
    rewrite (wrap_same _ _ Fw) in Vt3, Vt. split; [|exact Vt3]. cbn [class_of rows_in] in Cl. apply L5; [apply L4|].
    + intros q I. pose proof (in_scope_parts s c (world_scope _ _ _ _ _ Wo)) as [Kn _]. assert (I' : In q (known_literals c)) by (rewrite Ec in I; exact I).
      pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G13 _ (Kn q I'))) as V. simpl in V. unfold literal_holds in *. rewrite V. apply L. exact I'.
    + apply Hlo. rewrite Vt. lia.
    + apply Hhi. rewrite Vt. apply Z.leb_le in Fm. rewrite Lay in Fm. exact Fm.
  - injection R as <- <- <-. exists nu, M. split; [exact Wo|]. split; [apply goes_refl|]. do 4 (split; [auto|]). split; [exact W0|]. intros L Fi Cl. split; [exact L|]. rewrite V0, Cl in *. cbn [class_of] in *. lia.
Qed.
Lemma array_rooted is s c nu M m p n o v class l c' class' s' : world s c nu M -> is_rooted is c M m -> (forall i, In i is -> is_plain_input i) -> input_formed (ArrayInput p n o) ->
  ~ In p (registers_of_inputs is) -> ~ In n (registers_of_inputs is) -> ~ In o (arrays_of_inputs is) -> In (ArrayInput p n o) (inputs Q) ->
  let k := Rules.classes_of E l (ArrayInput p n o) in Rules.root_input E l (c, class) (ArrayInput p n o) s = Gives (c', class') s' ->
  exists mu M' m', world s' c' mu M' /\ goes_on s c M s' c' M' /\ is_rooted (ArrayInput p n o :: is) c' M' m' /\ class' = (class / k)%N /\
    forall vs, gives is c M m vs -> fits (ArrayInput p n o) v -> (class mod k)%N = class_of k (ArrayInput p n o) v -> gives (ArrayInput p n o :: is) c' M' m' (v :: vs).
Proof.
  intros Wo Ro Pl (Npn & x & y & Ox & Ly & All & Orig) Np Nn No Ii kk R. pose proof Ro as [Hd (Sy & En & Pr) [Pla Sz] (zero & Cz & Vz) Pa Gi Wh Rg Ob Sta]. destruct (layout_here o x y Ox Ly) as (Ax & Ay & Lay).
  unfold Rules.root_input in R. fold kk in R. unfold bind at 1 in R. destruct (constant_term (Z.of_N (class mod kk)) s) as [e0 s0|] eqn:C0; [|discriminate].
  destruct (computed tabs s c nu M (constant_term (Z.of_N (class mod kk))) (fun _ _ t s' M' => is_term s' M' t (Z.of_N (class mod kk)) /\ part_within s' (variables c) (LinearPart t)) e0 s0 Wo) as (M0 & W0 & G0 & _ & [_ V0] & We0); auto.
  { intros mu K Wm Gk. apply meets_also; [apply constant_meets; exact Gk | apply (constant_within mu tabs (variables c)); exact Gk]. }
  unfold bind at 1 in R. match type of R with (match ?r s0 with _ => _ end) = _ => destruct (r s0) as [[elements c1] s1|] eqn:Le; [|discriminate] end.
  destruct (length_rooted s0 c nu M0 m p n o x y v class l s1 elements c1 e0 W0 Hd Ox Ly We0 V0 Le) as (mu1 & M1 & W1 & G1 & Hd1 & Sy1 & En1 & Pr1 & We1 & Fit1).
  unfold bind at 1 in R. destruct (set_input E c1 AnyValue (ArrayInput p n o) elements s1) as [[c5 env5] s5|] eqn:Si; [|discriminate]. injection R as <- <- <-.
  unfold set_input in Si. unfold bind at 1 in Si. destruct (set_in c1 0 n (IntegerSlot elements) s1) as [c2 s2|] eqn:S1; [|discriminate]. apply (set_held c1 m) in S1 as (-> & F1 & ->); [|exact Hd1].
  set (m1 := with_held m (put (held m) n (IntegerSlot elements))) in *. assert (W2 : world s1 (set_member c1 0 m1) mu1 M1) by (apply world_set; auto; intros q [<-|[]]; exact We1).
  assert (Hd2 : herd (set_member c1 0 m1) = [m1]) by (unfold set_member; rewrite Hd1; reflexivity).
  unfold bind at 1 in Si. destruct (create E (set_member c1 0 m1) AnyValue 0 o elements s1) as [[[w c3] env3] s3|] eqn:Cr; [|discriminate].
  assert (Lo : (o < count (objects Q))%N) by (rewrite count_length; assert (N.to_nat o < length (objects Q))%nat by (apply nth_error_Some; congruence); lia).
  assert (Fo : find (objects_held m1) o = None) by (destruct (find (objects_held m1) o) as [z|] eqn:Fz; [destruct (Ob o z Fz) as [Io|So]; [destruct (No Io) | unfold static_at in So; rewrite Ox, Orig in So; discriminate] | reflexivity]).
  destruct (object_made E tabs s1 (set_member c1 0 m1) mu1 M1 m1 o elements y x (Roots.element_at P (N.to_nat o) (rows_in v)) w c3 env3 s3 W2 Hd2 We1 Ax) as (mu3 & M3 & c4 & z & low & D4 & Ec3 & -> & -> & W3 & G3 & Nz & Dz & Liz & Loz & Vlow & Wlow & Vup & Len & El); auto.
  { rewrite Orig. reflexivity. } { unfold m1. cbn [objects_held with_held]. rewrite Gi. exact Lo. }
  unfold bind in Si. destruct (set_in c3 0 p (PointerSlot o low 0) s3) as [c6 s6|] eqn:S2; [|discriminate]. injection Si as <- _ <-.
  set (m2 := with_objects m1 (put (objects_held m1) o z)) in *. assert (Hd4 : herd c4 = [m1]) by (rewrite D4; exact Hd2). assert (Hd3 : herd c3 = [m2]) by (rewrite Ec3; unfold set_member; rewrite Hd4; reflexivity).
  apply (set_held c3 m2) in S2 as (-> & F2 & ->); [|exact Hd3]. set (m3 := with_held m2 (put (held m2) p (PointerSlot o low 0))).
  pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G0 G1) as G01. pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G01 (goes_trans _ _ _ _ _ _ _ _ _ _ (same_variables s1 c1 (set_member c1 0 m1) M1 eq_refl) G3)) as G03.
  destruct (member_goes _ _ _ _ _ _ _ _ Wo Hd G03) as [Sm Tm]. destruct (member_goes _ _ _ _ _ _ _ _ W2 Hd2 G3) as [_ Tm1].
  assert (Tm2 : tables_right m2) by (apply (proj1 (proj2 (world_scope _ _ _ _ _ W3))), herd_member; rewrite Hd3; left; reflexivity).
  assert (Ve : vl M3 elements = vl M1 elements) by exact (proj2 (goes_terms _ _ _ _ _ _ _ G3 _ We1)).
  assert (Rest3 : symbols c3 = none_numbered tree_sort 0 /\ entry_member c3 = None /\ progress c3 = true /\ known_literals c3 = known_literals c1).
  { rewrite Ec3. rewrite D4. unfold set_member. cbn [with_herd with_variables symbols entry_member progress known_literals]. rewrite Sy1, En1, Pr1. auto. }
  destruct Rest3 as (Sy3 & En3 & Pr3 & Li3).
  exists mu3, M3, m3. split; [apply world_set; auto; intros q [<-|[]]; exact Wlow|]. split; [eapply goes_trans; [exact G03|]; apply same_variables; reflexivity|]. split; [|split; [reflexivity|]].
  - split; auto.
    + unfold set_member. rewrite Hd3. reflexivity.
    + exists zero. split; [exact Cz | exact (consumed_goes _ _ _ _ _ _ _ _ _ Wo Hd G03 Cz Vz)].
    + apply (register_put_whole m2); [exact F2|]. exact (register_put_whole m n _ F1 Wh).
    + intros q u Fq Nq. unfold m3, m2, m1 in Fq. cbn [held with_held with_objects] in Fq. rewrite !find_put in Fq. cbn [flat_map registers_of_input app] in Nq.
      destruct (N.eqb_spec q p) as [->|_]; [destruct Nq; left; reflexivity|]. destruct (N.eqb_spec q n) as [->|_]; [destruct Nq; right; left; reflexivity|]. apply (Rg q u Fq). intros I. apply Nq. right. right. exact I.
    + intros q u Fq. unfold m3, m2 in Fq. cbn [objects_held with_held with_objects] in Fq. rewrite find_put in Fq. cbn [flat_map arrays_of_input app]. destruct (N.eqb_spec q o) as [->|_]; [left; left; reflexivity | destruct (Ob q u Fq) as [Iq|Sq]; [left; right; exact Iq | right; exact Sq]].
    + apply (statics_go Q (length (objects Q)) M M3 m m3 Tm Sm); [|exact Sta]. intros q u Sq Fq. unfold m3, m2. cbn [objects_held with_held with_objects]. rewrite find_put. destruct (N.eqb_spec q o) as [->|_]; [unfold static_at in Sq; rewrite Ox, Orig in Sq; discriminate | exact Fq].
  - intros vs [L Prs] Fi Cl.
    assert (L0 : literals_hold M0 (known_literals c)).
    { intros q I. pose proof (in_scope_parts s c (world_scope _ _ _ _ _ Wo)) as [Kn _]. pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G0 _ (Kn q I))) as V. simpl in V. unfold literal_holds in *. rewrite V. apply L. exact I. }
    destruct (Fit1 L0 Fi Cl) as [L1 Vel]. destruct v as [|rows| |]; try contradiction. cbn [rows_in] in *. simpl in Fi. split.
    + intros q I. cbn [set_member with_herd known_literals] in I. rewrite Li3 in I. pose proof (in_scope_parts s1 c1 (world_scope _ _ _ _ _ W1)) as [Kn _]. pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G3 _ (Kn q I))) as V. simpl in V. unfold literal_holds in *. rewrite V. apply L1. exact I.
    + intros phi. cbn [List.map Translated.input_of]. unfold cells_of_arrays. cbn [flat_map arrays_of_input app List.map].
      assert (Slots : forall q, FoldedMembers.slot_at (member_of 0 m3) (N.to_nat q) = if (q =? p)%N then slot_of (PointerSlot o low 0) else if (q =? n)%N then slot_of (IntegerSlot elements) else FoldedMembers.slot_at (member_of 0 m) (N.to_nat q)).
      { intros q. unfold m3. rewrite (slot_at_put 0 0 m2 (with_held m2 (put (held m2) p (PointerSlot o low 0))) p (PointerSlot o low 0) (N.to_nat q) eq_refl (registers_numbered _ Tm2) F2). destruct (N.eqb_spec q p) as [->|Nq]; [rewrite Nat.eqb_refl; reflexivity|].
        destruct (Nat.eqb_spec (N.to_nat q) (N.to_nat p)) as [Eq|_]; [apply N2Nat.inj in Eq; congruence|]. change (FoldedMembers.slot_at (member_of 0 m2) (N.to_nat q)) with (FoldedMembers.slot_at (member_of 0 m1) (N.to_nat q)).
        unfold m1. rewrite (slot_at_put 0 0 m (with_held m (put (held m) n (IntegerSlot elements))) n (IntegerSlot elements) (N.to_nat q) eq_refl (registers_numbered _ Tm) F1). destruct (N.eqb_spec q n) as [->|Nn']; [rewrite Nat.eqb_refl; reflexivity|].
        destruct (Nat.eqb_spec (N.to_nat q) (N.to_nat n)) as [Eq|_]; [apply N2Nat.inj in Eq; congruence | reflexivity]. }
      assert (Object : forall q, FoldedMembers.object_named (member_of 0 m3) q = if Nat.eqb q (N.to_nat o) then Some (object_of z) else FoldedMembers.object_named (member_of 0 m) q).
      { intros q. rewrite !object_named_is. unfold m3, m2, m1. cbn [objects_held with_held with_objects]. change (given (put (objects_held m) o z)) with (given (objects_held m)). rewrite find_put, Gi.
        destruct (Nat.eqb_spec q (N.to_nat o)) as [->|Nq]; [rewrite N2Nat.id, N.eqb_refl; destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (count (objects Q)))); [reflexivity | lia]|].
        destruct (N.eqb_spec (N.of_nat q) o) as [Eq|_]; [exfalso; apply Nq; lia | reflexivity]. }
      apply (Loading.array_input P [] (valued M3) phi (member_of 0 m3) (N.to_nat p) (N.to_nat n) (N.to_nat o) rows (object_of z)).
      * exists (term_of_number low). rewrite Slots, N.eqb_refl, Object, Nat.eqb_refl. split; [reflexivity|]. split; [reflexivity|]. cbn [object_of FoldedMembers.begins]. rewrite Loz. reflexivity.
      * unfold Loading.array_allowed in Fi. apply andb_prop in Fi as [Fi _]. apply andb_prop in Fi as [Fi _]. apply andb_prop in Fi as [_ Fr]. rewrite Lay in Fr.
        split; cbn [object_of FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents]; rewrite ?Dz, ?Liz; auto.
        -- rewrite !valued_term, Loz, Vlow, Vup, Vel. lia.
        -- rewrite map_length, Len, Lay. cbn [Translated.layout_of Programs.layout_fields]. rewrite map_length. reflexivity.
        -- rewrite Lay. cbn [Translated.layout_of Programs.layout_fields]. rewrite map_length. intros f j Bj Lf. rewrite valued_term, Loz, Vlow, Z.add_0_l.
           destruct (List.nth_error (fields y) f) as [fd|] eqn:Ef; [|apply nth_error_None in Ef; lia]. destruct (All fd (List.nth_error_In _ _ Ef)) as [T Tf].
           destruct (List.nth_error (field_states z) f) as [fz|] eqn:Ez; [|apply nth_error_None in Ez; lia].
           rewrite (nth_error_nth _ _ FoldedMembers.no_field (map_nth_error Denoting.field_of _ _ Ez)).
           assert (Ve' : 0 <= j < vl M1 elements) by (rewrite Vel; exact Bj). pose proof (El f fd fz T j Ef Ez Tf Ve') as Is. unfold element_is in Is. rewrite Is. f_equal.
           assert (Frr : Forall (fun row => Inputs.row_fits (Programs.layout_fields (Translated.layout_of y)) (skipn 0 row) = true) rows) by (apply Forall_forall; intros row I; rewrite forallb_forall in Fr; apply Fr; exact I).
           pose proof (Roots.column_read (Programs.layout_fields (Translated.layout_of y)) 0 rows f (Translated.field_of fd) j (map_nth_error Translated.field_of _ _ Ef) Frr Bj) as Cr'.
           cbn [Translated.field_of Programs.holds] in Cr'. rewrite Tf in Cr'. cbn [Translated.type_of] in Cr'. destruct Cr' as (zz & Rd & Wz).
           assert (Rd' : Machine.read (Alike.field_of (Inputs.array_object P (N.to_nat o) rows) f) j = Machine.Integer zz) by (unfold Alike.field_of, Inputs.array_object; cbn [Machine.fields_of]; rewrite Lay; exact Rd).
           unfold Roots.element_at. rewrite Rd'. f_equal. apply wrap_same. exact Wz.
      * exists (term_of_number elements). rewrite Slots, N.eqb_refl. destruct (N.eqb_spec n p) as [->|_]; [congruence|]. split; [reflexivity|]. rewrite valued_term, Ve. exact Vel.
      * exact Fi.
      * apply (presents_more M3 m m3); [exact Pl | | | apply (presents_valued M M3); auto].
        -- intros q I. rewrite Slots. destruct (N.eqb_spec q p) as [->|_]; [contradiction|]. destruct (N.eqb_spec q n) as [->|_]; [contradiction | reflexivity].
        -- intros q u Hq. rewrite Object. destruct (Nat.eqb_spec q (N.to_nat o)) as [->|_]; [|exact Hq]. exfalso. rewrite object_named_is in Hq. destruct (Nat.ltb _ _); [|discriminate]. rewrite N2Nat.id in Hq. unfold m1 in Fo. cbn [objects_held with_held] in Fo. rewrite Fo in Hq. discriminate.
Qed.

(** ** All inputs *)

(** The class of these values, and what is left of a class when its inputs have been given. *)
Fixpoint class_for (l : lengths) (is : list input) (vs : list Inputs.input_value) : N := match is, vs with
  | i :: is, v :: vs => let n := Rules.classes_of E l i in (class_of n i v + n * class_for l is vs)%N | _, _ => 0%N end.
Definition left_over (l : lengths) (is : list input) (class : N) : N := fold_left (fun class i => (class / Rules.classes_of E l i)%N) is class.
Lemma classes_positive l i : (0 < Rules.classes_of E l i)%N.
Proof. destruct i; cbn [Rules.classes_of]; try lia; destruct l; try lia; destruct (0 <? k_in E)%N; lia. Qed.
Lemma class_small l i v : (class_of (Rules.classes_of E l i) i v < Rules.classes_of E l i)%N.
Proof. pose proof (classes_positive l i). destruct i; cbn [class_of]; lia. Qed.
Lemma class_parts l i v rest : let n := Rules.classes_of E l i in ((class_of n i v + n * rest) mod n = class_of n i v /\ (class_of n i v + n * rest) / n = rest)%N.
Proof.
  intros n. pose proof (class_small l i v) as S. fold n in S. rewrite (N.mul_comm n rest). split; [rewrite N.mod_add by lia; apply N.mod_small; exact S|].
  rewrite N.div_add by lia. rewrite N.div_small by exact S. reflexivity.
Qed.
Lemma left_mono l is : forall a b, (a <= b)%N -> (left_over l is a <= left_over l is b)%N.
Proof. induction is as [|i is IH]; intros a b L; [exact L|]. apply IH. apply N.div_le_mono; [pose proof (classes_positive l i); lia | exact L]. Qed.
Lemma left_none l is : forall vs, length vs = length is -> left_over l is (class_for l is vs) = 0%N.
Proof.
  induction is as [|i is IH]; intros [|v vs] L; try discriminate; [reflexivity|]. cbn [class_for]. unfold left_over. cbn [fold_left]. rewrite (proj2 (class_parts l i v (class_for l is vs))). apply IH. injection L as L. exact L.
Qed.
Lemma inputs_rooted l ls : forall is vs s c nu M m class c' rest s', incl (rev ls ++ is) (inputs Q) -> NoDup (registers_of_inputs (rev ls ++ is)) -> NoDup (arrays_of_inputs (rev ls ++ is)) -> length vs = length ls ->
  world s c nu M -> is_rooted is c M m -> folded_left (Rules.root_input E l) ls (c, class) s = Gives (c', rest) s' ->
  exists mu M' m', world s' c' mu M' /\ goes_on s c M s' c' M' /\ is_rooted (rev ls ++ is) c' M' m' /\ rest = left_over l ls class /\
    forall ws, gives is c M m ws -> Forall2 fits ls vs -> class = class_for l ls vs -> gives (rev ls ++ is) c' M' m' (rev vs ++ ws).
Proof.
  induction ls as [|i ls IH]; intros is vs s c nu M m class c' rest s' In_ Nr Na Lv Wo Ro R; cbn [folded_left] in R.
  - injection R as <- <- <-. exists nu, M, m. split; [exact Wo|]. split; [apply goes_refl|]. split; [exact Ro|]. split; [reflexivity|]. intros ws G F _. inversion F; subst. exact G.
  - destruct vs as [|v vs]; [discriminate|]. unfold bind in R. destruct (Rules.root_input E l (c, class) i s) as [[c1 class1] s1|] eqn:R1; [|discriminate].
    cbn [rev] in *. rewrite <- app_assoc in *. cbn [app] in *.
    assert (Nr' : NoDup (registers_of_inputs (i :: is))) by (rewrite flat_map_app in Nr; eapply Scapegoats.NoDup_right; exact Nr).
    assert (Na' : NoDup (arrays_of_inputs (i :: is))) by (rewrite flat_map_app in Na; eapply Scapegoats.NoDup_right; exact Na).
    assert (Ii : In i (inputs Q)) by (apply In_, in_or_app; right; left; reflexivity). pose proof (inputs_plain formed i Ii) as Pi.
    assert (Pl : forall j, In j is -> is_plain_input j) by (intros j J; assert (Ij : In j (inputs Q)) by (apply In_, in_or_app; right; right; exact J); pose proof (inputs_plain formed j Ij) as Pj; destruct j; exact Logic.I || exact Pj).
    set (k0 := Rules.classes_of E l i).
    assert (Step : exists mu M1 m1, world s1 c1 mu M1 /\ goes_on s c M s1 c1 M1 /\ is_rooted (i :: is) c1 M1 m1 /\ class1 = (class / k0)%N /\
      forall ws, gives is c M m ws -> fits i v -> (class mod k0)%N = class_of k0 i v -> gives (i :: is) c1 M1 m1 (v :: ws)).
    { destruct i as [r|p n o|p o|p o]; try contradiction.
      - cbn [flat_map registers_of_input app] in Nr'. inversion_clear Nr' as [|? ? N1 _]. destruct (integer_rooted is s c nu M m r v class l c1 class1 s1 Wo Ro Pl N1 R1) as (mu & M1 & m1 & W1 & G1 & Ro1 & Ec & Gv).
        exists mu, M1, m1. split; [exact W1|]. split; [exact G1|]. split; [exact Ro1|]. split; [unfold k0; cbn [Rules.classes_of]; rewrite N.div_1_r; exact Ec|]. intros ws Gw Fi _. apply Gv; auto.
      - cbn [flat_map registers_of_input arrays_of_input app] in Nr', Na'. inversion_clear Nr' as [|? ? N1 N2]. inversion_clear N2 as [|? ? N3 _]. inversion_clear Na' as [|? ? A1 _].
        apply (array_rooted is s c nu M m p n o v class l c1 class1 s1 Wo Ro Pl Pi); auto. intros I. apply N1. right. exact I. }
    destruct Step as (mu & M1 & m1 & W1 & G1 & Ro1 & -> & Gv). injection Lv as Lv.
    destruct (IH (i :: is) vs s1 c1 mu M1 m1 (class / k0)%N c' rest s' In_ Nr Na Lv W1 Ro1 R) as (mu2 & M2 & m2 & W2 & G2 & Ro2 & Er & Gv2).
    exists mu2, M2, m2. split; [exact W2|]. split; [eapply goes_trans; eauto|]. split; [exact Ro2|]. split; [exact Er|].
    intros ws Gw F Ec. inversion F as [|? ? ? ? Fi Fr]; subst. cbn [class_for] in *. fold k0 in Gv, Gv2. destruct (class_parts l i v (class_for l ls vs)) as [Em Ed]. fold k0 in Em, Ed.
    rewrite <- app_assoc. cbn [app]. apply Gv2; [apply Gv; [exact Gw | exact Fi | exact Em] | exact Fr | exact Ed].
Qed.

(** ** The root *)

Lemma start_rooted nu s c s' : Terms.well_sorted nu -> modelled tabs s -> before_inputs E s = Gives c s' -> later tabs s s' /\ exists M m, world s' c nu M /\ is_rooted [] c M m /\ forall c' (L : known_literals c = c'), c' = [].
Proof.
  intros W Mo R. unfold before_inputs in R. unfold bind in R. destruct (constant_term 0 s) as [zero s1|] eqn:C0; [|discriminate].
  match type of R with folded_left _ _ ?c0 _ = _ => set (start := c0) in * end.
  assert (Me : forall mu M, Terms.well_sorted mu -> good mu s M -> meets mu s M (constant_term 0) (fun t s' M' => is_term s' M' t 0 /\ part_within s' no_scope (LinearPart t)))
    by (intros mu M Wm G; apply meets_also; [apply constant_meets; exact G | apply (constant_within mu tabs no_scope); exact G]).
  pose proof (meets_later tabs s (constant_term 0) zero s1 (fun _ _ t s' M' => is_term s' M' t 0 /\ part_within s' no_scope (LinearPart t)) Me C0) as La.
  destruct (Mo nu W) as [M G]. destruct (Me nu M W G _ _ C0) as (M1 & G1 & _ & [_ Vz] & Wz). destruct (Templates.numbered_of_right (List.map (fun _ : register => Uninitialised) (registers Q))) as [Rn Un].
  assert (Nt : forall {A} g n (a : A), find (none_numbered A g) n <> Some a) by (intros A g n a; unfold find; cbn [none_numbered present_entries]; rewrite PositiveMap.gempty; discriminate).
  set (m := with_consumed (new_member E (At 0) Uninitialised) (IntegerSlot zero)) in *. assert (W1 : world s1 start nu M1).
  { split; auto; [|eapply modelled_later; eauto]. split; [exact formed_none|]. split.
    - intros x I. apply in_app_or in I as [[<-|[]]|[]]. split; [exact Rn | |]; intros o y F; destruct (Nt _ _ _ _ F).
    - intros p I. unfold configuration_terms in I. cbn [start known_literals herd entry_member_terms entry_member flat_map literal_terms List.map app] in I.
      rewrite !app_nil_r in I. unfold member_terms in I. cbn [m with_consumed new_member consumed_of held objects_held parts_held] in I. apply in_app_or in I as [[<-|[]]|I]; [exact Wz|].
      apply in_app_or in I as [I|I]; [unfold entry_terms in I; apply in_flat_map in I as ([r v] & Iv & Ip); apply in_order_in in Iv as [_ Fv]; apply Un in Fv; apply in_map_iff in Fv as (? & <- & _); destruct Ip|].
      apply in_app_or in I as [I|I]; unfold entry_terms in I; apply in_flat_map in I as ([r v] & Iv & _); apply in_order_in in Iv as [_ Fv]; destruct (Nt _ _ _ _ Fv). }
  assert (No : forall o, find (objects_held m) o = None) by (intros o; destruct (find (objects_held m) o) as [y|] eqn:F; [destruct (Nt _ _ _ _ F) | reflexivity]).
  destruct (statics_made_all Q us k ts integers_of_c (statics_right formed) (objects Q) 0 s1 start nu M1 m c s') as (M2 & m2 & W2 & G2 & Ec & Em & Gi & On & St); auto.
  { intros d y F. rewrite No in F. discriminate. } { intros d x n cs a L. lia. }
  assert (Eo : exists os, m2 = with_objects m os) by eauto. clear Em. destruct Eo as [os ->].
  split; [eapply later_trans; [exact La | apply G2]|]. exists M2, (with_objects m os). split; [exact W2|]. assert (Hd : herd start = [m]) by reflexivity.
  split; [|rewrite Ec; intros c' <-; reflexivity]. split; rewrite ?Ec; try reflexivity; auto.
  - exists zero. split; [reflexivity|]. apply (consumed_goes s1 start nu M1 s' c M2 m zero W1 Hd G2 eq_refl Vz).
  - exact (new_whole E (At 0) Uninitialised).
  - intros r v F _. apply Un in F. apply in_map_iff in F as (? & <- & _). reflexivity.
  - intros o x F. right. eapply On. exact F.
Qed.
Lemma registers_here : flat_map Loading.input_registers (Programs.inputs P) = List.map N.to_nat (registers_of_inputs (inputs Q)).
Proof. unfold P. cbn [Translated.program_of Programs.inputs]. generalize (inputs Q). induction l as [|i l IH]; [reflexivity|]. cbn [List.map flat_map]. rewrite map_app, IH. destruct i; reflexivity. Qed.
Lemma registers_once : NoDup (registers_of_inputs (inputs Q)).
Proof. pose proof (Loading.registers_apart P well_given) as N. rewrite registers_here in N. eapply NoDup_map_inv. exact N. Qed.
Theorem root_rooted l class s o s' vs : modelled tabs s -> length vs = length (inputs Q) -> Rules.root_of_class E l class s = Gives o s' -> later tabs s s' /\ exists nu M c m, world s' c nu M /\ is_rooted (inputs Q) c M m /\
  o = (if (left_over l (rev (inputs Q)) class =? 0)%N then Some (with_entry c (Some m)) else None) /\
  (Forall2 fits (rev (inputs Q)) (rev vs) -> class = class_for l (rev (inputs Q)) (rev vs) -> gives (inputs Q) c M m vs).
Proof.
  intros Mo Lv R. unfold Rules.root_of_class in R. unfold bind at 1 in R. destruct (before_inputs E s) as [c0 s0|] eqn:B; [|discriminate].
  destruct (start_rooted zeros s c0 s0 zeros_sorted Mo B) as (L0 & M0 & m0 & W0 & Ro0 & Li0).
  unfold bind in R. change (inputs (program_in E)) with (inputs Q) in R. destruct (folded_left (Rules.root_input E l) (rev (inputs Q)) (c0, class) s0) as [[c left_] s1|] eqn:F; [|discriminate]. injection R as <- <-.
  destruct (inputs_rooted l (rev (inputs Q)) [] (rev vs) s0 c0 zeros M0 m0 class c left_ s1) as (mu & M & m & W & G & Ro & El & Gv); auto; rewrite ?rev_involutive, ?app_nil_r; auto using incl_refl, registers_once.
  { apply formed. } { rewrite !rev_length. exact Lv. }
  rewrite rev_involutive, app_nil_r in *. split; [eapply later_trans; [exact L0 | apply G]|]. exists mu, M, c, m. split; [exact W|]. split; [exact Ro|]. split.
  - rewrite El, (rooted_herd _ _ _ _ Ro). reflexivity.
  - intros Fi Ec. specialize (Gv [] ). rewrite rev_involutive, app_nil_r in Gv. apply Gv; auto. split; [rewrite (Li0 _ eq_refl); intros q [] | intros phi; constructor].
Qed.
Theorem input_root_sane l class s d s' : modelled tabs s -> Rules.root_of_class E l class s = Gives (Some d) s' -> later tabs s s' /\ sane tabs s' d.
Proof.
  intros Mo R. destruct (root_rooted l class s (Some d) s' (List.map (fun _ => Inputs.IntegerValue 0) (inputs Q)) Mo (map_length _ _) R) as (La & nu & M & c & m & Wo & Ro & Ed & _). split; [exact La|].
  destruct (left_over l (rev (inputs Q)) class =? 0)%N; [|discriminate]. injection Ed as ->. split; [apply Wo|]. destruct (world_scope _ _ _ _ _ Wo) as (F & Rt & T). pose proof (rooted_herd _ _ _ _ Ro) as Hd. split; [exact F|].
  split; [intros x I; apply Rt; unfold members_of in *; cbn [with_entry herd entry_member] in I; rewrite Hd in *; apply in_app_or in I as [I|[<-|[]]]; apply in_or_app; left; [exact I | left; reflexivity]|].
  intros p I. apply T. unfold configuration_terms in *. cbn [with_entry known_literals herd] in I.
  apply in_app_or in I as [I|I]; [apply in_or_app; auto|]. apply in_or_app. right. apply in_app_or in I as [I|I]; apply in_or_app; left; [exact I|].
  unfold entry_member_terms in I. cbn [with_entry entry_member] in I. rewrite Hd. cbn [flat_map]. rewrite app_nil_r. exact I.
Qed.

(** ** The inputs that the root holds *)

Lemma static_declared d n cs a : Programs.origin_of (Machine.declaration_of P d) = Programs.Static n cs a -> exists x n' cs' a', List.nth_error (objects Q) d = Some x /\ Certificates.origin_of x = Static n' cs' a' /\ n = Z.of_N n' /\ cs = List.map Translated.contents_of cs'.
Proof.
  unfold Machine.declaration_of, P. cbn [Translated.program_of Programs.objects]. destruct (List.nth_error (objects Q) d) as [x|] eqn:Nx; [|rewrite nth_overflow by (rewrite map_length; apply nth_error_None; exact Nx); discriminate].
  rewrite (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ Nx)). cbn [Translated.object_of Programs.origin_of]. destruct (Certificates.origin_of x) as [|n' cs' a'| | |] eqn:Or; try discriminate. intros [= <- <- _]. exists x, n', cs', a'. auto.
Qed.
Lemma array_given o : In o (arrays_of_inputs (inputs Q)) -> Loading.is_input P (N.to_nat o) = true.
Proof.
  intros I. apply in_flat_map in I as (i & Ii & I). pose proof (inputs_plain formed i Ii) as Pi. destruct i as [r|p n q|p q|p q]; cbn [arrays_of_input] in I; try contradiction. destruct I as [->|[]].
  destruct Pi as (_ & x & y & Ox & Ly & _ & Orig). destruct (layout_here o x y Ox Ly) as (Ax & _ & _). unfold Loading.is_input. rewrite (same_objects _ _ _ setting_right o x Ax). cbn [Translated.object_of Programs.origin_of]. rewrite Orig. reflexivity.
Qed.
Lemma presented_object M m phi is vs cs o : Loading.presents P [] (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> In o (arrays_of_inputs is) ->
  exists n rows x, FoldedMembers.object_named (member_of 0 m) (N.to_nat o) = Some x /\ Loading.holds_rows P (valued M) (N.to_nat o) rows x /\ Loading.array_allowed P n (N.to_nat o) rows = true.
Proof.
  revert vs cs. induction is as [|i is IH]; intros vs cs H I; [destruct I|]. cbn [List.map flat_map] in *. apply in_app_or in I as [I|I].
  - destruct i as [r|p n q|p q|p q]; cbn [arrays_of_input] in I; try contradiction. destruct I as [->|[]]. cbn [Translated.input_of] in H. inversion H as [| | p' n' d rows x is' vs' cs' (j & _ & O & _) Hx _ Al _ | | |]; subst. eauto 6.
  - inversion H; subst; eauto.
Qed.
Lemma presented_register M m phi is vs cs r : (forall i, In i is -> is_plain_input i) -> Loading.presents P [] (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> In r (registers_of_inputs is) ->
  let v := FoldedMembers.slot_at (member_of 0 m) (N.to_nat r) in Built.leads (member_of 0 m) v /\
  forall t, v = FoldedMembers.Plain (Members.IntegerSlot t) -> Typed.value_in (Machine.type_of P (N.to_nat r)) (Machine.Integer (Terms.eval (valued M) t)).
Proof.
  revert vs cs. induction is as [|i is IH]; intros vs cs Pl H I; [destruct I|]. cbn [List.map flat_map] in *. apply in_app_or in I as [I|I]; [|inversion H; subst; (eapply IH; [intros j J; apply Pl; right; exact J | eassumption | exact I])].
  assert (In_range : forall q z, is_within (Machine.integer_type_of P q) z = true -> Typed.value_in (Machine.type_of P q) (Machine.Integer z)).
  { intros q z W. apply is_within_iff in W. unfold Machine.integer_type_of in W. destruct (Machine.type_of P q); simpl; auto. }
  specialize (Pl i (or_introl eq_refl)). destruct i as [q|p n o|p o|p o]; try contradiction; cbn [registers_of_input Translated.input_of] in *.
  - destruct I as [->|[]]. inversion H as [| q z is' vs' cs' (t & St & Et) W R | | | |]; subst. rewrite St. split; [exact Logic.I|]. intros u [= <-]. apply In_range. exact W.
  - inversion H as [| | p' n' d rows x is' vs' cs' (j & Sp & O & Ej) Hx (t & St & Et) Al R | | |]; subst. destruct I as [->|[->|[]]].
    + rewrite Sp. split; [simpl; congruence | discriminate].
    + rewrite St. split; [exact Logic.I|]. intros u [= <-]. apply In_range. rewrite Et. unfold Loading.array_allowed in Al. apply andb_prop in Al as [Al _]. apply andb_prop in Al as [_ Al]. exact Al.
Qed.
Theorem rooted_holds c M m vs phi : is_rooted (inputs Q) c M m -> tables_right m -> gives (inputs Q) c M m vs -> Entering.holds_inputs P [] (valued M) phi (member_of 0 m) vs (cells_of_arrays (inputs Q)).
Proof.
  intros [Hd Re [Pla Sz] Cs Pa Gi [Dm Gm] Rg Ob Sta] Tm [_ Pr]. specialize (Pr phi). assert (Pl : forall i, In i (inputs Q) -> is_plain_input i) by (intros i I; pose proof (inputs_plain formed i I) as Pi; destruct i; exact Logic.I || exact Pi).
  change (registers (program_in E)) with (registers Q) in Gm. rewrite count_length in Gm.
  assert (Np : forall f, FoldedMembers.part_named (member_of 0 m) f = None) by (intros f; unfold FoldedMembers.part_named; simpl; rewrite Pa; destruct f; reflexivity).
  assert (Slot : forall r, In (N.of_nat r) (registers_of_inputs (inputs Q)) \/ FoldedMembers.slot_at (member_of 0 m) r = FoldedMembers.Plain Members.NothingHeld \/
    ((length (registers Q) <= r)%nat /\ FoldedMembers.slot_at (member_of 0 m) r = FoldedMembers.forgotten)).
  { intros r. destruct (in_dec N.eq_dec (N.of_nat r) (registers_of_inputs (inputs Q))) as [I|N]; [auto|]. right. rewrite slot_at_is. destruct (Nat.ltb_spec r (N.to_nat (given (held m)))) as [L|L]; [|right; split; [lia | reflexivity]].
    left. destruct (find (held m) (N.of_nat r)) as [v|] eqn:F; [rewrite (Rg _ v F N); reflexivity|]. exfalso. apply (Dm (N.of_nat r)); [lia | exact F]. }
  pose proof (static_right Q us k ts integers_of_c (statics_right formed) M m Gi Sta) as Statics.
  assert (Named : forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> In (N.of_nat o) (arrays_of_inputs (inputs Q)) \/ static_at Q (N.of_nat o) = true).
  { intros o x H. rewrite object_named_is in H. destruct (Nat.ltb _ _); [|discriminate]. destruct (find (objects_held m) (N.of_nat o)) as [z|] eqn:F; [|discriminate]. exact (Ob _ z F). }
  split; [| | exact Pr |].
  - split; [reflexivity | | | intros d n cs a O; apply static_declared in O as (x & n' & cs' & a' & Nx & Or & -> & ->); rewrite <- (Nat2N.id d) in Nx |- *; destruct (Statics (N.of_nat d) x n' cs' a' Nx Or) as (y & _ & On & Hs & _); eauto].
    + rewrite slots_of_member, Gm, Nat2N.id. unfold P. cbn [Translated.program_of Programs.registers]. rewrite map_length. reflexivity.
    + intros r L Ni. unfold P in L. cbn [Translated.program_of Programs.registers] in L. rewrite map_length in L. destruct (Slot r) as [I|[S|[G _]]]; [|exact S | lia]. exfalso. apply Ni. rewrite registers_here. rewrite <- (Nat2N.id r). apply in_map. exact I.
  - split; try (intros; rewrite Np in *; discriminate).
    + intros o x H. destruct (Named o x H) as [I|S].
      2: { unfold static_at in S. destruct (List.nth_error (objects Q) (N.to_nat (N.of_nat o))) as [x0|] eqn:Nx; [|discriminate]. destruct (Certificates.origin_of x0) as [|n' cs' a'| | |] eqn:Or; try discriminate.
        destruct (Statics (N.of_nat o) x0 n' cs' a' Nx Or) as (y & _ & On & _ & Rt). rewrite Nat2N.id in On, Rt. rewrite H in On. injection On as ->. exact Rt. }
      destruct (presented_object M m phi _ _ _ _ Pr I) as (n & rows & y & O & Hx & Al). rewrite Nat2N.id in *. rewrite H in O. injection O as <-.
      unfold Loading.array_allowed in Al. apply andb_prop in Al as [Al _]. apply andb_prop in Al as [Al _]. apply andb_prop in Al as [Ai Ar].
      eapply Elements.rows_right; eauto. rewrite <- (Nat2N.id o). exact (array_given _ I).
    + intros r. destruct (Slot r) as [I|[->|[_ ->]]]; try exact Logic.I. pose proof (presented_register M m phi _ _ _ _ Pl Pr I) as [Le _]. rewrite Nat2N.id in Le. exact Le.
    + intros r t St. destruct (Slot r) as [I|[S|[_ S]]]; try (rewrite S in St; discriminate). pose proof (presented_register M m phi _ _ _ _ Pl Pr I) as [_ Va]. rewrite Nat2N.id in Va. apply Va. exact St.
  - unfold cells_of_arrays. rewrite <- (map_map N.to_nat (@inl nat nat)). apply FinFun.Injective_map_NoDup; [intros a b [= ->]; reflexivity|]. apply FinFun.Injective_map_NoDup; [intros a b; apply N2Nat.inj | apply (arrays_apart formed)].
Qed.

(** What is held is of inputs and static objects, so that nothing can be lost. *)
Lemma nothing_owed c M m vs (phi : FoldedMembers.meaning) : is_rooted (inputs Q) c M m -> tables_right m -> gives (inputs Q) c M m vs -> forall roots, Marking.all_met P (member_of 0 m) roots (Marking.has_element (valued M)).
Proof.
  intros Ro Tm Gv roots. pose proof Ro as [_ _ _ _ Pa Gi _ _ Ob Sta]. destruct Gv as [_ Pr]. specialize (Pr phi). split.
  - intros o x (Ho & _ & W). exfalso. rewrite object_named_is in Ho. destruct (Nat.ltb _ _); [|discriminate]. destruct (find (objects_held m) (N.of_nat o)) as [z|] eqn:F; [|discriminate]. injection Ho as <-.
    destruct (Ob _ z F) as [I|S].
    + destruct (presented_object M m phi _ _ _ _ Pr I) as (n & rows & y & O & Hx & _). rewrite (object_held 0 m Tm _ z F) in O. injection O as <-.
      rewrite (Loading.rows_kind _ _ _ _ _ Hx) in W. pose proof (array_given _ I) as G. unfold Loading.is_input, Owed.is_owed_kind in *. destruct (Programs.origin_of _); discriminate.
    + unfold static_at in S. destruct (List.nth_error (objects Q) (N.to_nat (N.of_nat o))) as [x0|] eqn:Nx; [|discriminate]. destruct (Certificates.origin_of x0) as [|n' cs' a'| | |] eqn:Or; try discriminate.
      destruct (static_right Q us k ts integers_of_c (statics_right formed) M m Gi Sta (N.of_nat o) x0 n' cs' a' Nx Or) as (y & Fy & _ & Hs & _). rewrite F in Fy. injection Fy as <-. rewrite (Recognised.static_kind _ _ _ _ _ _ Hs) in W.
      unfold Owed.is_owed_kind, Machine.declaration_of, P in W. cbn [Translated.program_of Programs.objects] in W. rewrite (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ Nx)) in W. cbn [Translated.object_of Programs.origin_of] in W. rewrite Or in W. discriminate.
  - intros f q Hq. unfold FoldedMembers.part_named in Hq. simpl in Hq. rewrite Pa in Hq. destruct f; discriminate.
Qed.

(** ** Entry states *)

Lemma loaded_fit is : (forall i, In i is -> is_plain_input i) -> forall a vs b, Inputs.load_inputs P a (List.map Translated.input_of is) vs = Some b -> Forall2 fits is vs.
Proof.
  induction is as [|i is IH]; intros Pl a [|v vs] b H; try discriminate; [constructor|]. cbn [List.map Inputs.load_inputs] in H. destruct (Inputs.load_input P a (Translated.input_of i) v) as [a1|] eqn:L; [|discriminate].
  constructor; [|eapply IH; eauto; intros j J; apply Pl; right; exact J]. specialize (Pl i (or_introl eq_refl)). destruct i as [r|p n o|p o|p o]; try contradiction; destruct v as [z|rows|f|t]; try discriminate; cbn [Translated.input_of Inputs.load_input fits] in *.
  - destruct (is_within _ z); [reflexivity | discriminate].
  - unfold Loading.array_allowed. destruct (_ && _ && _ && _); [reflexivity | discriminate].
Qed.
Lemma given_until root K : (forall class s s', (class <= K)%N -> modelled tabs s -> root class s = Gives None s' -> False) -> forall class s roots, given_roots tabs root class s roots -> (class <= K)%N ->
  exists s1 d s2, modelled tabs s1 /\ root K s1 = Gives (Some d) s2 /\ In (Open s2 d) roots.
Proof.
  intros None_. induction 1 as [class s s' Mo R | class s d s' s2 roots Mo R G IH]; intros L; [destruct (None_ class s s' L Mo R)|].
  destruct (N.eq_dec class K) as [->|Ne]; [exists s, d, s'; split; [exact Mo|]; split; [exact R | left; reflexivity]|]. destruct IH as (s1 & e & s3 & M1 & R1 & I); [lia|]. exists s1, e, s3. split; [exact M1|]. split; [exact R1 | right; exact I].
Qed.
Hypothesis nodes : Planting.nodes_formed P trees.
Hypothesis contents : Entries.contents_formed P.
Hypothesis targets : Recognised.targets_formed P.
Theorem input_roots_cover l s roots : given_roots tabs (Rules.root_of_class E l) 0%N s roots -> forall x, Goatherd.Runs.is_entry P x ->
  exists y, In y roots /\ shows_stage P (Translated.parameters_of us) trees tabs y (Herds.Run (Goatherd.Runs.system_of P (Translated.parameters_of us)) x 0 x) [].
Proof.
  intros Gi x (vs & st & Es & ->). assert (Pl : forall i, In i (inputs Q) -> is_plain_input i) by (intros i I; pose proof (inputs_plain formed i I) as Pi; destruct i; exact Logic.I || exact Pi).
  assert (Fi : Forall2 fits (inputs Q) vs).
  { unfold Inputs.entry_state in Es. destruct (Inputs.load_inputs P _ (Programs.inputs P) vs) as [b|] eqn:Lo; [|discriminate]. eapply loaded_fit; [exact Pl | exact Lo]. }
  assert (Lv : length vs = length (inputs Q)) by (symmetry; exact (Folding.Forall2_length _ _ _ Fi)). set (K := class_for l (rev (inputs Q)) (rev vs)).
  assert (Zero : forall class, (class <= K)%N -> left_over l (rev (inputs Q)) class = 0%N).
  { intros class L. pose proof (left_mono l (rev (inputs Q)) class K L) as Lm. unfold K in Lm. rewrite left_none in Lm by (rewrite !rev_length; exact Lv). lia. }
  destruct (given_until (Rules.root_of_class E l) K) with (class := 0%N) (s := s) (roots := roots) as (s1 & d & s2 & Mo & R & I); [| exact Gi | lia |].
  { intros class s1 s2 L Mo R. destruct (root_rooted l class s1 None s2 vs Mo Lv R) as (_ & nu & M & c & m & _ & _ & Ed & _). rewrite (Zero class L) in Ed. discriminate. }
  exists (Open s2 d). split; [exact I|]. destruct (root_rooted l K s1 (Some d) s2 vs Mo Lv R) as (_ & nu & M & c & m & Wo & Ro & Ed & Gv). rewrite (Zero K (N.le_refl _)) in Ed. injection Ed as ->.
  assert (Fr : Forall2 fits (rev (inputs Q)) (rev vs)) by (clear - Fi; induction Fi; simpl; [constructor | apply Forall2_app; auto]).
  specialize (Gv Fr eq_refl). pose proof (rooted_herd _ _ _ _ Ro) as Hd. pose proof (world_scope _ _ _ _ _ Wo) as Sc. assert (Tm : tables_right m) by (apply (proj1 (proj2 Sc)), herd_member; rewrite Hd; left; reflexivity).
  set (phi := {| FoldedMembers.trees := fun _ => Sorts.Empty; FoldedMembers.contexts := fun _ => Sorts.Hole |}). pose proof (rooted_holds c M m vs phi Ro Tm Gv) as Hi.
  destruct (rooted_rest _ _ _ _ Ro) as (Sy & En & Pr). destruct (rooted_place _ _ _ _ Ro) as [Pla Sz]. destruct (rooted_consumed _ _ _ _ Ro) as (zero & Cz & Vz).
  set (e := with_entry c (Some m)). assert (Ss : symbols_of e = []) by (unfold symbols_of, e; cbn [with_entry symbols]; rewrite Sy; reflexivity).
  assert (Me : FoldedMembers.well_meant P trees [] phi) by (intros z; unfold FoldedMembers.well_meant_symbol; destruct z; exact Logic.I).
  destruct (Entering.entry_denoted_under P trees nodes well_given contents targets [] (valued M) phi (member_of 0 m) vs (cells_of_arrays (inputs Q))) as (y & Ey & Dy & _); auto; [intros _; exact (nothing_owed c M m vs phi Ro Tm Gv _)|].
  rewrite Es in Ey. injection Ey as <-. destruct Gv as [L _].
  assert (A : Configurations.accounts P (Translated.parameters_of us) [] (valued M) phi (counted_of m) (Herds.Run (Goatherd.Runs.system_of P (Translated.parameters_of us)) (Goatherd.Runs.Running st) 0 (Goatherd.Runs.Running st))).
  { split; cbn [counted_of Configurations.stands Configurations.counted]; [rewrite Pla; exists st; auto | rewrite Cz, valued_term, Vz; reflexivity]. }
  exists nu, M, phi. split; [apply Wo|]. split; [apply Wo|]. split; [exact L|]. rewrite Ss. split; [exact Me|]. split.
  - unfold herd_accounts, e. cbn [with_entry herd]. rewrite Hd. split; [exact A | constructor].
  - unfold entry_accounts, e. cbn [with_entry entry_member]. split; [exact A|]. split; [exact Sz|]. exists 0%N, vs, (cells_of_arrays (inputs Q)). auto.
Qed.
End Roots.
