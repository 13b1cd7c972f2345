(** What Root makes of inputs, one after the other (spec/calculus.md#root): of an integer, an
    array of integers, a pointer to a single object, and a linked structure, with values of
    variables, and meanings of symbols, that are chosen as they are made. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Inputs Existing Tidy Typed Bounds Entries Owed Alike Folding FoldedMembers Configurations SameInputs Planting Loading Recognised Built Roots Elements Entering.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed PointerLists Moving RegisterScopes Followed Templates Leading Staying Drawn FreshObjects Replayed StaticRoots.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Definition registers_of_input (i : input) : list N := match i with
  | IntegerInput r => [r] | ArrayInput p n _ => [p; n] | SingleInput p _ | LinkedInput p _ => [p] end.
Definition objects_of_input (i : input) : list N := match i with ArrayInput _ _ o | SingleInput _ o => [o] | _ => [] end.
Notation registers_of_inputs := (flat_map registers_of_input).
Notation objects_of_inputs := (flat_map objects_of_input).

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

Definition node_at (o : N) : bool := match List.nth_error (objects Q) (N.to_nat o) with Some x => is_node (Certificates.origin_of x) | None => false end.
(** An object of the caller, of integers. *)
Definition object_formed (o : N) : Prop := exists x y, List.nth_error (objects Q) (N.to_nat o) = Some x /\ List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) = Some y /\ all_integers (fields y) /\
  Certificates.origin_of x = InputObject.
(** Arrays and single objects are of integers, and each of a declaration of its own, and what
    is linked is of nodes; what else is declared comes to be later. *)
Definition input_formed (i : input) : Prop := match i with
  | IntegerInput _ => True
  | ArrayInput p n o => p <> n /\ object_formed o
  | SingleInput _ o => object_formed o
  | LinkedInput _ o => node_at o = true end.
Definition is_made_later (x : object) : bool := match Certificates.origin_of x with Local _ | Heap | Node _ => true | _ => false end.
Definition is_given (x : object) : bool := match Certificates.origin_of x with InputObject => true | _ => false end.
Record inputs_formed : Prop := {
  inputs_plain : forall i, In i (inputs Q) -> input_formed i;
  objects_apart : NoDup (objects_of_inputs (inputs Q));
  objects_given : forall x, In x (objects Q) -> is_given x || is_made_later x || is_static (Certificates.origin_of x) = true;
  statics_right : forall x, In x (objects Q) -> is_static_formed Q x = true }.
Hypothesis formed : inputs_formed.
Hypothesis well_given : Loading.inputs_formed P.

(** ** What has been made of some inputs *)

Definition is_linked (i : input) : bool := match i with LinkedInput _ _ => true | _ => false end.
Definition linked_in (is : list input) : nat := length (filter is_linked is).
(** A tree of nodes, above which NULL stands. *)
Record is_root_part (ss : numbered tree_sort) (q : folded) : Prop := {
  part_above : above q = NullSlot;
  part_same : same q = Forgotten;
  part_below : below q = NullSlot;
  part_sort : exists o, find ss (symbol q) = Some (Tree o) /\ (symbol q < given ss)%N /\ node_at o = true }.
(** The inputs are in these cells. *)
Record is_rooted (is : list input) (cs : list Scapegoats.cell) (c : configuration) (M : model) (m : member_state) : Prop := {
  rooted_herd : herd c = [m];
  rooted_rest : entry_member c = None /\ progress c = true;
  rooted_place : place_of m = At 0 /\ size_of m = NotLarger;
  rooted_consumed : exists zero, consumed_of m = IntegerSlot zero /\ vl M zero = 0;
  rooted_parts : given (parts_held m) = N.of_nat (linked_in is) /\ forall f q, find (parts_held m) f = Some q -> is_root_part (symbols c) q;
  rooted_given : given (objects_held m) = count (objects Q);
  rooted_whole : whole_member E m;
  rooted_registers : forall r v, find (held m) r = Some v -> ~ In r (registers_of_inputs is) -> v = Uninitialised;
  rooted_objects : forall o x, find (objects_held m) o = Some x -> In (inl (N.to_nat o)) cs \/ static_at Q o = true;
  rooted_cells : NoDup cs /\ (forall f, In (inr f) cs <-> (f < linked_in is)%nat) /\ forall o, In (inl o) cs -> In o (List.map N.to_nat (objects_of_inputs is));
  rooted_plain : forall o x, find (objects_held m) o = Some x -> FoldedMembers.is_node P (N.to_nat (declaration x)) = false;
  rooted_statics : statics_held Q (length (objects Q)) M m }.
(** The values that the inputs have. *)
Definition fits (i : input) (v : Inputs.input_value) : Prop := match i, v with
  | IntegerInput r, Inputs.IntegerValue z => is_within (Machine.integer_type_of P (N.to_nat r)) z = true
  | ArrayInput p n o, Inputs.ArrayValue rows => Loading.array_allowed P (N.to_nat n) (N.to_nat o) rows = true
  | SingleInput p o, Inputs.SingleValue None => True
  | SingleInput p o, Inputs.SingleValue (Some row) => Inputs.row_fits (Programs.layout_fields (Machine.layout_of_declaration P (N.to_nat o))) row = true
  | LinkedInput p o, Inputs.LinkedValue l => exists t, l = Planting.linked_of t /\ Sorts.of_sort trees (N.to_nat o) t /\ Folding.typed_tree P t
  | _, _ => False end.
Notation presents c M phi m is vs cs := (Loading.presents P (symbols_of c) (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs).
Definition gives (is : list input) (cs : list Scapegoats.cell) (c : configuration) (M : model) (phi : FoldedMembers.meaning) (m : member_state) (vs : list Inputs.input_value) : Prop :=
  literals_hold M (known_literals c) /\ FoldedMembers.well_meant P trees (symbols_of c) phi /\ presents c M phi m is vs cs.

(** *** More is made *)

(** A tree that is read where there are no nodes is NULL or a part. *)
Lemma reads_slot ss nu phi m d v a t fp : (forall o x, FoldedMembers.object_named m o = Some x -> FoldedMembers.is_node P (FoldedMembers.kind x) = false) ->
  Scapegoats.reads (Inputs.links_of P) (Presented.heap_of P ss nu phi m) d (Presented.heap_slot nu m v) a t fp ->
  v = FoldedMembers.Plain Members.NullSlot /\ t = Sorts.Empty /\ fp = [] \/
  exists f q, v = FoldedMembers.RootOf f /\ Scapegoats.parts (Presented.heap_of P ss nu phi m) f = Some q /\ d = Scapegoats.part_sort q /\ (In Sorts.Up (Inputs.links_of P d) -> Scapegoats.above q = a) /\ t = Scapegoats.stands_for q /\ fp = [inr f].
Proof.
  intros No R. remember (Presented.heap_slot nu m v) as w eqn:Ew. destruct R as [d a|o a n fs fp Hn _ _|p a q Hp Ha].
  - left. destruct v as [[| |u| |y i b]|f|f]; cbn [Presented.heap_slot] in Ew; try discriminate; auto. destruct (_ && _); discriminate.
  - exfalso. cbn [Presented.heap_of Scapegoats.nodes] in Hn. unfold Presented.heap_node in Hn. destruct (FoldedMembers.object_named m o) as [x|] eqn:Ox; [|discriminate]. rewrite (No o x Ox) in Hn. discriminate.
  - right. assert (Un : Scapegoats.SPart p <> Presented.unreadable m).
    { unfold Presented.unreadable. intros [= ->]. cbn [Presented.heap_of Scapegoats.parts] in Hp. unfold Presented.heap_part, FoldedMembers.part_named in Hp. rewrite nth_overflow in Hp by lia. discriminate. }
    destruct v as [[| |u| |y i b]|f|f]; cbn [Presented.heap_slot] in Ew; try congruence; [destruct (_ && _); congruence|]. injection Ew as ->. exists f, q. auto 6.
Qed.
(** What is given stays so when more is. *)
Lemma presents_more ss ss' M phi phi' m m' is vs cs : (forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> FoldedMembers.is_node P (FoldedMembers.kind x) = false) ->
  (forall r, In r (registers_of_inputs is) -> FoldedMembers.slot_at (member_of 0 m') (N.to_nat r) = FoldedMembers.slot_at (member_of 0 m) (N.to_nat r)) ->
  (forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> FoldedMembers.object_named (member_of 0 m') o = Some x) ->
  (forall f q, Scapegoats.parts (Presented.heap_of P ss (valued M) phi (member_of 0 m)) f = Some q -> Scapegoats.parts (Presented.heap_of P ss' (valued M) phi' (member_of 0 m')) f = Some q) ->
  Loading.presents P ss (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> Loading.presents P ss' (valued M) phi' (member_of 0 m') (List.map Translated.input_of is) vs cs.
Proof.
  intros No. revert vs cs. induction is as [|i is IH]; intros vs cs Sl Ob Pa H; cbn [List.map] in *; [inversion H; constructor|].
  assert (IH' : forall vs cs, Loading.presents P ss (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> Loading.presents P ss' (valued M) phi' (member_of 0 m') (List.map Translated.input_of is) vs cs).
  { intros vs' cs'. apply IH; [intros r J; apply Sl; cbn [flat_map]; apply in_or_app; auto | exact Ob | exact Pa]. }
  destruct i as [r|p n o|p o|p o]; cbn [Translated.input_of] in *;
    inversion H as [| q z is' vs' cs' (t & St & Et) W R | p' n' d rows x is' vs' cs' (j & Sp & O & Ej) Hx (t & St & Et) Al R | p' d is' vs' cs' Sp R | p' d row x is' vs' cs' (j & Sp & O & Ej) Hx Fr R | p' d t fp is' vs' cs' Rd R]; subst.
  - constructor; auto. exists t. rewrite Sl by (left; reflexivity). auto.
  - econstructor; eauto; [exists j; rewrite Sl by (left; reflexivity); auto | exists t; rewrite Sl by (right; left; reflexivity); auto].
  - constructor; auto. rewrite Sl by (left; reflexivity). exact Sp.
  - econstructor; eauto. exists j. rewrite Sl by (left; reflexivity). auto.
  - constructor; auto. rewrite Sl by (left; reflexivity). apply reads_slot in Rd as [(-> & -> & ->)|(f & q & -> & Hq & -> & Ab & -> & ->)]; [constructor | | exact No]. cbn [Presented.heap_slot]. apply Scapegoats.reads_part; auto.
Qed.
Lemma presents_valued M M' ss phi m is vs cs : all_same M M' (member_terms m) -> Loading.presents P ss (valued M) phi (member_of 0 m) is vs cs -> Loading.presents P ss (valued M') phi (member_of 0 m) is vs cs.
Proof. intros H Pr. eapply SameInputs.presents_too; [|exact Pr]. apply SameInputs.member_itself, member_same. exact H. Qed.
Lemma plain_objects is cs c M m : is_rooted is cs c M m -> forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> FoldedMembers.is_node P (FoldedMembers.kind x) = false.
Proof.
  intros Ro o x H. rewrite object_named_is in H. destruct (Nat.ltb _ _); [|discriminate]. destruct (find (objects_held m) (N.of_nat o)) as [z|] eqn:F; [|discriminate]. injection H as <-. exact (rooted_plain _ _ _ _ _ Ro _ z F).
Qed.
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
Lemma integer_rooted is cs s c nu M m r v class l c' class' s' : world s c nu M -> is_rooted is cs c M m -> ~ In r (registers_of_inputs is) ->
  Rules.root_input E l (c, class) (IntegerInput r) s = Gives (c', class') s' ->
  exists mu M' m', world s' c' mu M' /\ goes_on s c M s' c' M' /\ is_rooted (IntegerInput r :: is) cs c' M' m' /\ class' = class /\
    forall phi vs, gives is cs c M phi m vs -> fits (IntegerInput r) v -> gives (IntegerInput r :: is) cs c' M' phi m' (v :: vs).
Proof.
  intros Wo Ro Nr R. pose proof Ro as [Hd Re Pla Cs Pa Gi Wh Rg Ob Ce No Sta]. unfold Rules.root_input in R. cbn [Rules.classes_of] in R.
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
    + rewrite Ec. exact Pa.
    + apply register_put_whole; auto.
    + intros q w Fq Nq. unfold m' in Fq. cbn [held with_held] in Fq. rewrite find_put in Fq. cbn [flat_map registers_of_input app] in Nq. destruct (N.eqb_spec q r) as [->|_]; [destruct Nq; left; reflexivity|].
      apply (Rg q w Fq). intros I. apply Nq. right. exact I.
    + apply (statics_go Q (length (objects Q)) M M2 m m' Tm Sm); auto.
  - intros phi vs (L & Me & Pr) Fi. destruct v as [z| | |]; try contradiction. split; [|split; [rewrite Ec; exact Me|]].
    + rewrite Ec. intros q I. pose proof (in_scope_parts s c (world_scope _ _ _ _ _ Wo)) as [Kn _]. pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G02 _ (Kn q I))) as V. simpl in V. unfold literal_holds in *. rewrite V. apply L. exact I.
    + simpl in Fi. rewrite Ty in Fi. cbn [List.map Translated.input_of]. constructor.
      * exists (term_of_number t). split; [apply (slot_at_put 0 0 m m' r (IntegerSlot t) (N.to_nat r)) in F as ->; [rewrite Nat.eqb_refl; reflexivity | reflexivity | apply Tm]|].
        rewrite valued_term, Vt. apply wrap_same. apply is_within_iff. exact Fi.
      * rewrite Ty. exact Fi.
      * apply (presents_more (symbols_of c) _ M2 phi phi m m'); [exact (plain_objects _ _ _ _ _ Ro) | | intros o y; auto | rewrite Ec; auto | apply (presents_valued M M2); auto].
        intros q I. rewrite (slot_at_put 0 0 m m' r (IntegerSlot t) (N.to_nat q)); [|reflexivity | apply Tm | exact F]. destruct (Nat.eqb_spec (N.to_nat q) (N.to_nat r)) as [Eq|]; [|reflexivity].
        apply N2Nat.inj in Eq. subst q. contradiction.
Qed.

(** ** An array *)

Lemma declared_in is o : In (N.to_nat o) (List.map N.to_nat (objects_of_inputs is)) -> In o (objects_of_inputs is).
Proof. intros I. apply in_map_iff in I as (q & Eq & I). apply N2Nat.inj in Eq. congruence. Qed.

Definition rows_in (v : Inputs.input_value) : list (list Z) := match v with Inputs.ArrayValue rows => rows | _ => [] end.
(** The class that the value is in, of so many. *)
Definition class_of (n : N) (i : input) (v : Inputs.input_value) : N := match i, v with
  | ArrayInput _ _ _, _ => N.min (N.of_nat (length (rows_in v))) (n - 1) | SingleInput _ _, Inputs.SingleValue (Some _) => 1 | _, _ => 0 end.
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
(** The object that is made has the elements that are given. *)
Lemma made_rows M M1 o x y rows z low n : List.nth_error (objects Q) (N.to_nat o) = Some x -> List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) = Some y -> all_integers (fields y) ->
  forallb (Inputs.row_fits (Programs.layout_fields (Machine.layout_of_declaration P (N.to_nat o)))) rows = true -> vl M1 n = Z.of_nat (length rows) ->
  declaration z = o -> life_of z = Live -> lower z = low -> vl M low = 0 -> vl M (upper z) = vl M1 n -> length (field_states z) = length (fields y) ->
  (forall k f fz T j, List.nth_error (fields y) k = Some f -> List.nth_error (field_states z) k = Some fz -> field_type f = IntegerType T -> 0 <= j < vl M1 n -> element_is M fz j (wrap T (Roots.element_at P (N.to_nat o) rows k j))) ->
  Loading.holds_rows P (valued M) (N.to_nat o) rows (object_of z).
Proof.
  intros Ox Ly All Fr Vel Dz Liz Loz Vlow Vup Len El. destruct (layout_here o x y Ox Ly) as (Ax & Ay & Lay). rewrite Lay in Fr.
  split; cbn [object_of FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents]; rewrite ?Dz, ?Liz; auto.
  - rewrite !valued_term, Loz, Vlow, Vup, Vel. lia.
  - rewrite map_length, Len, Lay. cbn [Translated.layout_of Programs.layout_fields]. rewrite map_length. reflexivity.
  - rewrite Lay. cbn [Translated.layout_of Programs.layout_fields]. rewrite map_length. intros f j Bj Lf. rewrite valued_term, Loz, Vlow, Z.add_0_l.
    destruct (List.nth_error (fields y) f) as [fd|] eqn:Ef; [|apply nth_error_None in Ef; lia]. destruct (All fd (List.nth_error_In _ _ Ef)) as [T Tf].
    destruct (List.nth_error (field_states z) f) as [fz|] eqn:Ez; [|apply nth_error_None in Ez; lia].
    rewrite (nth_error_nth _ _ FoldedMembers.no_field (map_nth_error Denoting.field_of _ _ Ez)).
    assert (Ve' : 0 <= j < vl M1 n) by (rewrite Vel; exact Bj). pose proof (El f fd fz T j Ef Ez Tf Ve') as Is. unfold element_is in Is. rewrite Is. f_equal.
    assert (Frr : Forall (fun row => Inputs.row_fits (Programs.layout_fields (Translated.layout_of y)) (skipn 0 row) = true) rows) by (apply Forall_forall; intros row I; rewrite forallb_forall in Fr; apply Fr; exact I).
    pose proof (Roots.column_read (Programs.layout_fields (Translated.layout_of y)) 0 rows f (Translated.field_of fd) j (map_nth_error Translated.field_of _ _ Ef) Frr Bj) as Cr'.
    cbn [Translated.field_of Programs.holds] in Cr'. rewrite Tf in Cr'. cbn [Translated.type_of] in Cr'. destruct Cr' as (zz & Rd & Wz).
    assert (Rd' : Machine.read (Alike.field_of (Inputs.array_object P (N.to_nat o) rows) f) j = Machine.Integer zz) by (unfold Alike.field_of, Inputs.array_object; cbn [Machine.fields_of]; rewrite Lay; exact Rd).
    unfold Roots.element_at. rewrite Rd'. f_equal. apply wrap_same. exact Wz.
Qed.
Lemma array_rooted is cs s c nu M m p n o v class l c' class' s' : world s c nu M -> is_rooted is cs c M m -> input_formed (ArrayInput p n o) ->
  ~ In p (registers_of_inputs is) -> ~ In n (registers_of_inputs is) -> ~ In o (objects_of_inputs is) -> In (ArrayInput p n o) (inputs Q) ->
  let k := Rules.classes_of E l (ArrayInput p n o) in Rules.root_input E l (c, class) (ArrayInput p n o) s = Gives (c', class') s' ->
  exists mu M' m', world s' c' mu M' /\ goes_on s c M s' c' M' /\ is_rooted (ArrayInput p n o :: is) (inl (N.to_nat o) :: cs) c' M' m' /\ class' = (class / k)%N /\
    forall phi vs, gives is cs c M phi m vs -> fits (ArrayInput p n o) v -> (class mod k)%N = class_of k (ArrayInput p n o) v -> gives (ArrayInput p n o :: is) (inl (N.to_nat o) :: cs) c' M' phi m' (v :: vs).
Proof.
  intros Wo Ro (Npn & x & y & Ox & Ly & All & Orig) Np Nn No Ii kk R. pose proof Ro as [Hd (En & Pr) [Pla Sz] (zero & Cz & Vz) Pa Gi Wh Rg Ob (Nc & Cf & Co) Nn_ Sta]. destruct (layout_here o x y Ox Ly) as (Ax & Ay & Lay).
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
  assert (Fo : find (objects_held m1) o = None) by (destruct (find (objects_held m1) o) as [z|] eqn:Fz; [destruct (Ob o z Fz) as [Io|So]; [destruct (No (declared_in is o (Co _ Io))) | unfold static_at in So; rewrite Ox, Orig in So; discriminate] | reflexivity]).
  destruct (object_made E tabs s1 (set_member c1 0 m1) mu1 M1 m1 o elements y x (Roots.element_at P (N.to_nat o) (rows_in v)) w c3 env3 s3 W2 Hd2 We1 Ax) as (mu3 & M3 & c4 & z & low & D4 & Ec3 & -> & -> & W3 & G3 & Nz & Dz & Liz & Loz & Vlow & Wlow & Vup & Len & El); auto.
  { rewrite Orig. reflexivity. } { unfold m1. cbn [objects_held with_held]. rewrite Gi. exact Lo. }
  unfold bind in Si. destruct (set_in c3 0 p (PointerSlot o low 0) s3) as [c6 s6|] eqn:S2; [|discriminate]. injection Si as <- _ <-.
  set (m2 := with_objects m1 (put (objects_held m1) o z)) in *. assert (Hd4 : herd c4 = [m1]) by (rewrite D4; exact Hd2). assert (Hd3 : herd c3 = [m2]) by (rewrite Ec3; unfold set_member; rewrite Hd4; reflexivity).
  apply (set_held c3 m2) in S2 as (-> & F2 & ->); [|exact Hd3]. set (m3 := with_held m2 (put (held m2) p (PointerSlot o low 0))).
  pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G0 G1) as G01. pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G01 (goes_trans _ _ _ _ _ _ _ _ _ _ (same_variables s1 c1 (set_member c1 0 m1) M1 eq_refl) G3)) as G03.
  destruct (member_goes _ _ _ _ _ _ _ _ Wo Hd G03) as [Sm Tm]. destruct (member_goes _ _ _ _ _ _ _ _ W2 Hd2 G3) as [_ Tm1].
  assert (Tm2 : tables_right m2) by (apply (proj1 (proj2 (world_scope _ _ _ _ _ W3))), herd_member; rewrite Hd3; left; reflexivity).
  assert (Ve : vl M3 elements = vl M1 elements) by exact (proj2 (goes_terms _ _ _ _ _ _ _ G3 _ We1)).
  assert (Rest3 : symbols c3 = symbols c /\ entry_member c3 = None /\ progress c3 = true /\ known_literals c3 = known_literals c1).
  { rewrite Ec3. rewrite D4. unfold set_member. cbn [with_herd with_variables symbols entry_member progress known_literals]. rewrite Sy1, En1, Pr1. auto. }
  destruct Rest3 as (Sy3 & En3 & Pr3 & Li3).
  exists mu3, M3, m3. split; [apply world_set; auto; intros q [<-|[]]; exact Wlow|]. split; [eapply goes_trans; [exact G03|]; apply same_variables; reflexivity|]. split; [|split; [reflexivity|]].
  - split; auto.
    + unfold set_member. rewrite Hd3. reflexivity.
    + exists zero. split; [exact Cz | exact (consumed_goes _ _ _ _ _ _ _ _ _ Wo Hd G03 Cz Vz)].
    + cbn [set_member with_herd symbols]. rewrite Sy3. exact Pa.
    + apply (register_put_whole m2); [exact F2|]. exact (register_put_whole m n _ F1 Wh).
    + intros q u Fq Nq. unfold m3, m2, m1 in Fq. cbn [held with_held with_objects] in Fq. rewrite !find_put in Fq. cbn [flat_map registers_of_input app] in Nq.
      destruct (N.eqb_spec q p) as [->|_]; [destruct Nq; left; reflexivity|]. destruct (N.eqb_spec q n) as [->|_]; [destruct Nq; right; left; reflexivity|]. apply (Rg q u Fq). intros I. apply Nq. right. right. exact I.
    + intros q u Fq. unfold m3, m2 in Fq. cbn [objects_held with_held with_objects] in Fq. rewrite find_put in Fq. destruct (N.eqb_spec q o) as [->|_]; [left; left; reflexivity | destruct (Ob q u Fq) as [Iq|Sq]; [left; right; exact Iq | right; exact Sq]].
    + split; [constructor; [intros Io; exact (No (declared_in is o (Co _ Io))) | exact Nc]|]. split; [intros f; split; [intros [[=]|If]; apply Cf; exact If | intros Lf; right; apply Cf; exact Lf]|].
      intros q [[= <-]|Iq]; cbn [flat_map objects_of_input app List.map]; [left; reflexivity | right; exact (Co q Iq)].
    + intros q u Fq. unfold m3, m2 in Fq. cbn [objects_held with_held with_objects] in Fq. rewrite find_put in Fq. destruct (N.eqb_spec q o) as [->|_]; [|exact (Nn_ q u Fq)]. injection Fq as <-. rewrite Dz.
      unfold FoldedMembers.is_node. rewrite (same_objects _ _ _ setting_right o x Ax). cbn [Translated.object_of Programs.origin_of]. rewrite Orig. reflexivity.
    + apply (statics_go Q (length (objects Q)) M M3 m m3 Tm Sm); [|exact Sta]. intros q u Sq Fq. unfold m3, m2. cbn [objects_held with_held with_objects]. rewrite find_put. destruct (N.eqb_spec q o) as [->|_]; [unfold static_at in Sq; rewrite Ox, Orig in Sq; discriminate | exact Fq].
  - intros phi vs (L & Me & Prs) Fi Cl.
    assert (L0 : literals_hold M0 (known_literals c)).
    { intros q I. pose proof (in_scope_parts s c (world_scope _ _ _ _ _ Wo)) as [Kn _]. pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G0 _ (Kn q I))) as V. simpl in V. unfold literal_holds in *. rewrite V. apply L. exact I. }
    destruct (Fit1 L0 Fi Cl) as [L1 Vel]. destruct v as [|rows| |]; try contradiction. cbn [rows_in] in *. simpl in Fi. assert (Ss : symbols_of (set_member c3 0 m3) = symbols_of c) by (unfold symbols_of; cbn [set_member with_herd symbols]; rewrite Sy3; reflexivity). split; [|split; [rewrite Ss; exact Me|]].
    + intros q I. cbn [set_member with_herd known_literals] in I. rewrite Li3 in I. pose proof (in_scope_parts s1 c1 (world_scope _ _ _ _ _ W1)) as [Kn _]. pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G3 _ (Kn q I))) as V. simpl in V. unfold literal_holds in *. rewrite V. apply L1. exact I.
    + cbn [List.map Translated.input_of]. rewrite Ss.
      assert (Slots : forall q, FoldedMembers.slot_at (member_of 0 m3) (N.to_nat q) = if (q =? p)%N then slot_of (PointerSlot o low 0) else if (q =? n)%N then slot_of (IntegerSlot elements) else FoldedMembers.slot_at (member_of 0 m) (N.to_nat q)).
      { intros q. unfold m3. rewrite (slot_at_put 0 0 m2 (with_held m2 (put (held m2) p (PointerSlot o low 0))) p (PointerSlot o low 0) (N.to_nat q) eq_refl (registers_numbered _ Tm2) F2). destruct (N.eqb_spec q p) as [->|Nq]; [rewrite Nat.eqb_refl; reflexivity|].
        destruct (Nat.eqb_spec (N.to_nat q) (N.to_nat p)) as [Eq|_]; [apply N2Nat.inj in Eq; congruence|]. change (FoldedMembers.slot_at (member_of 0 m2) (N.to_nat q)) with (FoldedMembers.slot_at (member_of 0 m1) (N.to_nat q)).
        unfold m1. rewrite (slot_at_put 0 0 m (with_held m (put (held m) n (IntegerSlot elements))) n (IntegerSlot elements) (N.to_nat q) eq_refl (registers_numbered _ Tm) F1). destruct (N.eqb_spec q n) as [->|Nn']; [rewrite Nat.eqb_refl; reflexivity|].
        destruct (Nat.eqb_spec (N.to_nat q) (N.to_nat n)) as [Eq|_]; [apply N2Nat.inj in Eq; congruence | reflexivity]. }
      assert (Object : forall q, FoldedMembers.object_named (member_of 0 m3) q = if Nat.eqb q (N.to_nat o) then Some (object_of z) else FoldedMembers.object_named (member_of 0 m) q).
      { intros q. rewrite !object_named_is. unfold m3, m2, m1. cbn [objects_held with_held with_objects]. change (given (put (objects_held m) o z)) with (given (objects_held m)). rewrite find_put, Gi.
        destruct (Nat.eqb_spec q (N.to_nat o)) as [->|Nq]; [rewrite N2Nat.id, N.eqb_refl; destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (count (objects Q)))); [reflexivity | lia]|].
        destruct (N.eqb_spec (N.of_nat q) o) as [Eq|_]; [exfalso; apply Nq; lia | reflexivity]. }
      apply (Loading.array_input P (symbols_of c) (valued M3) phi (member_of 0 m3) (N.to_nat p) (N.to_nat n) (N.to_nat o) rows (object_of z)).
      * exists (term_of_number low). rewrite Slots, N.eqb_refl, Object, Nat.eqb_refl. split; [reflexivity|]. split; [reflexivity|]. cbn [object_of FoldedMembers.begins]. rewrite Loz. reflexivity.
      * unfold Loading.array_allowed in Fi. apply andb_prop in Fi as [Fi _]. apply andb_prop in Fi as [Fi _]. apply andb_prop in Fi as [_ Fr].
        apply (made_rows M3 M1 o x y rows z low elements); auto.
      * exists (term_of_number elements). rewrite Slots, N.eqb_refl. destruct (N.eqb_spec n p) as [->|_]; [congruence|]. split; [reflexivity|]. rewrite valued_term, Ve. exact Vel.
      * exact Fi.
      * apply (presents_more (symbols_of c) _ M3 phi phi m m3); [exact (plain_objects _ _ _ _ _ Ro) | | | auto | apply (presents_valued M M3); auto].
        -- intros q I. rewrite Slots. destruct (N.eqb_spec q p) as [->|_]; [contradiction|]. destruct (N.eqb_spec q n) as [->|_]; [contradiction | reflexivity].
        -- intros q u Hq. rewrite Object. destruct (Nat.eqb_spec q (N.to_nat o)) as [->|_]; [|exact Hq]. exfalso. rewrite object_named_is in Hq. destruct (Nat.ltb _ _); [|discriminate]. rewrite N2Nat.id in Hq. unfold m1 in Fo. cbn [objects_held with_held] in Fo. rewrite Fo in Hq. discriminate.
Qed.

(** ** A single object *)

Lemma constant_value nu s M z t s' : good nu s M -> constant_term z s = Gives t s' -> value_of t s' = Gives (Some z) s'.
Proof.
  intros G H. unfold constant_term, combine, bind in H. cbn [folded_left] in H. unfold ret at 1 in H. cbn [filter] in H.
  destruct (add_linear_is nu tabs s M _ G _ _ H) as (_ & _ & _ & _ & (y & Ny & Cy)). unfold value_of, looks. unfold node_at in *. rewrite Ny. destruct y as [cy ry sy]. cbn [content] in *. subst cy. reflexivity.
Qed.
Lemma single_rooted is cs s c nu M m p o v class l c' class' s' : world s c nu M -> is_rooted is cs c M m -> object_formed o -> ~ In p (registers_of_inputs is) -> ~ In o (objects_of_inputs is) ->
  Rules.root_input E l (c, class) (SingleInput p o) s = Gives (c', class') s' ->
  exists mu M' m' cs', world s' c' mu M' /\ goes_on s c M s' c' M' /\ is_rooted (SingleInput p o :: is) cs' c' M' m' /\ class' = (class / 2)%N /\
    forall phi vs, gives is cs c M phi m vs -> fits (SingleInput p o) v -> (class mod 2)%N = class_of 2 (SingleInput p o) v -> gives (SingleInput p o :: is) cs' c' M' phi m' (v :: vs).
Proof.
  intros Wo Ro (x & y & Ox & Ly & All & Orig) Np No R. pose proof Ro as [Hd (En & Pr) [Pla Sz] (zero & Cz & Vz) Pa Gi Wh Rg Ob (Nc & Cf & Co) Nn_ Sta]. destruct (layout_here o x y Ox Ly) as (Ax & Ay & Lay).
  unfold Rules.root_input in R. cbn [Rules.classes_of] in R. set (size := (class mod 2)%N) in *. unfold bind at 1 in R. destruct (constant_term (Z.of_N size) s) as [e0 s0|] eqn:C0; [|discriminate].
  pose proof (constant_value nu s M _ _ _ (world_good _ _ _ _ _ Wo) C0) as Value.
  destruct (computed tabs s c nu M (constant_term (Z.of_N size)) (fun _ _ t s' M' => is_term s' M' t (Z.of_N size) /\ part_within s' (variables c) (LinearPart t)) e0 s0 Wo) as (M0 & W0 & G0 & _ & [_ V0] & We0); auto.
  { intros mu K Wm Gk. apply meets_also; [apply constant_meets; exact Gk | apply (constant_within mu tabs (variables c)); exact Gk]. }
  unfold bind at 1, ret at 1 in R. unfold bind at 1 in R. destruct (set_input E c AnyValue (SingleInput p o) e0 s0) as [[c5 env5] s5|] eqn:Si; [|discriminate]. injection R as <- <- <-.
  unfold set_input in Si. unfold bind at 1 in Si. rewrite Value in Si. assert (Two : size = 0%N \/ size = 1%N) by (pose proof (N.mod_lt class 2); lia).
  assert (Lit : forall M2 s2 c2, goes_on s c M s2 c2 M2 -> literals_hold M (known_literals c) -> literals_hold M2 (known_literals c)).
  { intros M2 s2 c2 G2 L q I. pose proof (in_scope_parts s c (world_scope _ _ _ _ _ Wo)) as [Kn _]. pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G2 _ (Kn q I))) as V. simpl in V. unfold literal_holds in *. rewrite V. apply L. exact I. }
  destruct Two as [Es|Es]; rewrite Es in *.
  - cbn [Z.of_N] in Si. unfold bind at 1, ret at 1 in Si. unfold bind in Si. destruct (set_in c 0 p NullSlot s0) as [c1 s1|] eqn:St; [|discriminate]. injection Si as <- _ <-. apply (set_held c m) in St as (-> & F & ->); [|exact Hd]. set (m' := with_held m (put (held m) p NullSlot)).
    destruct (member_goes _ _ _ _ _ _ _ _ Wo Hd G0) as [Sm Tm]. exists nu, M0, m', cs. split; [apply world_set; auto; intros q []|]. split; [eapply goes_trans; [exact G0|]; apply same_variables; reflexivity|]. split; [|split; [reflexivity|]].
    + split; auto.
      * unfold set_member. rewrite Hd. reflexivity.
      * exists zero. split; [exact Cz | exact (consumed_goes _ _ _ _ _ _ _ _ _ Wo Hd G0 Cz Vz)].
      * apply register_put_whole; auto.
      * intros q w Fq Nq. unfold m' in Fq. cbn [held with_held] in Fq. rewrite find_put in Fq. cbn [flat_map registers_of_input app] in Nq. destruct (N.eqb_spec q p) as [->|_]; [destruct Nq; left; reflexivity|]. apply (Rg q w Fq). intros I. apply Nq. right. exact I.
      * split; [exact Nc|]. split; [exact Cf|]. intros q Iq. cbn [flat_map objects_of_input app List.map]. right. exact (Co q Iq).
      * apply (statics_go Q (length (objects Q)) M M0 m m' Tm Sm); auto.
    + intros phi vs (L & Me & Prs) Fi Cl. destruct v as [| |[row|]|]; try contradiction; [discriminate|]. split; [exact (Lit _ _ _ G0 L)|]. split; [exact Me|]. cbn [List.map Translated.input_of]. constructor.
      * rewrite (slot_at_put 0 0 m m' p NullSlot (N.to_nat p) eq_refl (registers_numbered _ Tm) F), Nat.eqb_refl. reflexivity.
      * apply (presents_more (symbols_of c) _ M0 phi phi m m'); [exact (plain_objects _ _ _ _ _ Ro) | | intros q u; auto | auto | apply (presents_valued M M0); auto].
        intros q I. rewrite (slot_at_put 0 0 m m' p NullSlot (N.to_nat q) eq_refl (registers_numbered _ Tm) F). destruct (Nat.eqb_spec (N.to_nat q) (N.to_nat p)) as [Eq|]; [|reflexivity]. apply N2Nat.inj in Eq. subst q. contradiction.
  - set (rows := match v with Inputs.SingleValue (Some row) => [row] | _ => [] end). cbn [Z.of_N] in Si. unfold bind at 1 in Si. destruct (create E c AnyValue 0 o e0 s0) as [[[w c3] env3] s3|] eqn:Cr; [|discriminate].
    assert (Lo : (o < count (objects Q))%N) by (rewrite count_length; assert (N.to_nat o < length (objects Q))%nat by (apply nth_error_Some; congruence); lia).
    assert (Fo : find (objects_held m) o = None) by (destruct (find (objects_held m) o) as [z|] eqn:Fz; [destruct (Ob o z Fz) as [Io|So]; [destruct (No (declared_in is o (Co _ Io))) | unfold static_at in So; rewrite Ox, Orig in So; discriminate] | reflexivity]).
    destruct (object_made E tabs s0 c nu M0 m o e0 y x (Roots.element_at P (N.to_nat o) rows) w c3 env3 s3 W0 Hd We0 Ax) as (mu3 & M3 & c4 & z & low & D4 & Ec3 & -> & -> & W3 & G3 & Nz & Dz & Liz & Loz & Vlow & Wlow & Vup & Len & El); auto.
    { rewrite Orig. reflexivity. } { rewrite Gi. exact Lo. }
    unfold bind in Si. destruct (set_in c3 0 p (PointerSlot o low 0) s3) as [c6 s6|] eqn:S2; [|discriminate]. injection Si as <- _ <-.
    set (m2 := with_objects m (put (objects_held m) o z)) in *. assert (Hd4 : herd c4 = [m]) by (rewrite D4; exact Hd). assert (Hd3 : herd c3 = [m2]) by (rewrite Ec3; unfold set_member; rewrite Hd4; reflexivity).
    apply (set_held c3 m2) in S2 as (-> & F2 & ->); [|exact Hd3]. set (m3 := with_held m2 (put (held m2) p (PointerSlot o low 0))). pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G0 G3) as G03. destruct (member_goes _ _ _ _ _ _ _ _ Wo Hd G03) as [Sm Tm].
    assert (Tm2 : tables_right m2) by (apply (proj1 (proj2 (world_scope _ _ _ _ _ W3))), herd_member; rewrite Hd3; left; reflexivity).
    assert (Rest3 : symbols c3 = symbols c /\ entry_member c3 = None /\ progress c3 = true /\ known_literals c3 = known_literals c) by (rewrite Ec3, D4; unfold set_member; cbn [with_herd with_variables symbols entry_member progress known_literals]; auto).
    destruct Rest3 as (Sy3 & En3 & Pr3 & Li3).
    exists mu3, M3, m3, (inl (N.to_nat o) :: cs). split; [apply world_set; auto; intros q [<-|[]]; exact Wlow|]. split; [eapply goes_trans; [exact G03|]; apply same_variables; reflexivity|]. split; [|split; [reflexivity|]].
    + split; auto.
      * unfold set_member. rewrite Hd3. reflexivity.
      * exists zero. split; [exact Cz | exact (consumed_goes _ _ _ _ _ _ _ _ _ Wo Hd G03 Cz Vz)].
      * cbn [set_member with_herd symbols]. rewrite Sy3. exact Pa.
      * apply (register_put_whole m2); [exact F2 | exact Wh].
      * intros q u Fq Nq. unfold m3, m2 in Fq. cbn [held with_held with_objects] in Fq. rewrite find_put in Fq. cbn [flat_map registers_of_input app] in Nq. destruct (N.eqb_spec q p) as [->|_]; [destruct Nq; left; reflexivity|]. apply (Rg q u Fq). intros I. apply Nq. right. exact I.
      * intros q u Fq. unfold m3, m2 in Fq. cbn [objects_held with_held with_objects] in Fq. rewrite find_put in Fq. destruct (N.eqb_spec q o) as [->|_]; [left; left; reflexivity | destruct (Ob q u Fq) as [Iq|Sq]; [left; right; exact Iq | right; exact Sq]].
      * split; [constructor; [intros Io; exact (No (declared_in is o (Co _ Io))) | exact Nc]|]. split; [intros f; split; [intros [[=]|If]; apply Cf; exact If | intros Lf; right; apply Cf; exact Lf]|].
        intros q [[= <-]|Iq]; cbn [flat_map objects_of_input app List.map]; [left; reflexivity | right; exact (Co q Iq)].
      * intros q u Fq. unfold m3, m2 in Fq. cbn [objects_held with_held with_objects] in Fq. rewrite find_put in Fq. destruct (N.eqb_spec q o) as [->|_]; [|exact (Nn_ q u Fq)]. injection Fq as <-. rewrite Dz.
        unfold FoldedMembers.is_node. rewrite (same_objects _ _ _ setting_right o x Ax). cbn [Translated.object_of Programs.origin_of]. rewrite Orig. reflexivity.
      * apply (statics_go Q (length (objects Q)) M M3 m m3 Tm Sm); [|exact Sta]. intros q u Sq Fq. unfold m3, m2. cbn [objects_held with_held with_objects]. rewrite find_put. destruct (N.eqb_spec q o) as [->|_]; [unfold static_at in Sq; rewrite Ox, Orig in Sq; discriminate | exact Fq].
    + intros phi vs (L & Me & Prs) Fi Cl. destruct v as [| |[row|]|]; try contradiction; [|discriminate]. assert (Ss : symbols_of (set_member c3 0 m3) = symbols_of c) by (unfold symbols_of; cbn [set_member with_herd symbols]; rewrite Sy3; reflexivity). split; [|split; [rewrite Ss; exact Me|]].
      * cbn [set_member with_herd known_literals]. rewrite Li3. exact (Lit _ _ _ G03 L).
      * cbn [List.map Translated.input_of]. rewrite Ss.
        assert (Slots : forall q, FoldedMembers.slot_at (member_of 0 m3) (N.to_nat q) = if (q =? p)%N then slot_of (PointerSlot o low 0) else FoldedMembers.slot_at (member_of 0 m) (N.to_nat q)).
        { intros q. unfold m3. rewrite (slot_at_put 0 0 m2 (with_held m2 (put (held m2) p (PointerSlot o low 0))) p (PointerSlot o low 0) (N.to_nat q) eq_refl (registers_numbered _ Tm2) F2). destruct (N.eqb_spec q p) as [->|Nq]; [rewrite Nat.eqb_refl; reflexivity|].
          destruct (Nat.eqb_spec (N.to_nat q) (N.to_nat p)) as [Eq|_]; [apply N2Nat.inj in Eq; congruence | reflexivity]. }
        assert (Object : forall q, FoldedMembers.object_named (member_of 0 m3) q = if Nat.eqb q (N.to_nat o) then Some (object_of z) else FoldedMembers.object_named (member_of 0 m) q).
        { intros q. rewrite !object_named_is. unfold m3, m2. cbn [objects_held with_held with_objects]. change (given (put (objects_held m) o z)) with (given (objects_held m)). rewrite find_put, Gi.
          destruct (Nat.eqb_spec q (N.to_nat o)) as [->|Nq]; [rewrite N2Nat.id, N.eqb_refl; destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (count (objects Q)))); [reflexivity | lia]|].
          destruct (N.eqb_spec (N.of_nat q) o) as [Eq|_]; [exfalso; apply Nq; lia | reflexivity]. }
        apply (Loading.single_input P (symbols_of c) (valued M3) phi (member_of 0 m3) (N.to_nat p) (N.to_nat o) row (object_of z)); [| | exact Fi |].
        -- exists (term_of_number low). rewrite Slots, N.eqb_refl, Object, Nat.eqb_refl. split; [reflexivity|]. split; [reflexivity|]. cbn [object_of FoldedMembers.begins]. rewrite Loz. reflexivity.
        -- apply (made_rows M3 M0 o x y [row] z low e0); auto. simpl in Fi |- *. rewrite Fi. reflexivity.
        -- apply (presents_more (symbols_of c) _ M3 phi phi m m3); [exact (plain_objects _ _ _ _ _ Ro) | | | auto | apply (presents_valued M M3); auto].
           ++ intros q I. rewrite Slots. destruct (N.eqb_spec q p) as [->|_]; [contradiction | reflexivity].
           ++ intros q u Hq. rewrite Object. destruct (Nat.eqb_spec q (N.to_nat o)) as [->|_]; [|exact Hq]. exfalso. rewrite object_named_is in Hq. destruct (Nat.ltb _ _); [|discriminate]. rewrite N2Nat.id, Fo in Hq. discriminate.
Qed.

(** ** A tree *)

Lemma linked_rooted is cs s c nu M m p o v class l c' class' s' : world s c nu M -> is_rooted is cs c M m -> input_formed (LinkedInput p o) -> ~ In p (registers_of_inputs is) ->
  Rules.root_input E l (c, class) (LinkedInput p o) s = Gives (c', class') s' ->
  exists M' m', world s' c' nu M' /\ goes_on s c M s' c' M' /\ is_rooted (LinkedInput p o :: is) (inr (linked_in is) :: cs) c' M' m' /\ class' = class /\
    forall phi vs, gives is cs c M phi m vs -> fits (LinkedInput p o) v -> exists phi', gives (LinkedInput p o :: is) (inr (linked_in is) :: cs) c' M' phi' m' (v :: vs).
Proof.
  intros Wo Ro Fo Np R. pose proof Ro as [Hd (En & Pr) [Pla Sz] (zero & Cz & Vz) [Gp Pa] Gi Wh Rg Ob (Nc & Cf & Co) No Sta]. unfold Rules.root_input in R. cbn [Rules.classes_of] in R.
  unfold bind at 1 in R. destruct (constant_term (Z.of_N (class mod 1)) s) as [e0 s0|] eqn:C0; [|discriminate].
  destruct (computed tabs s c nu M (constant_term (Z.of_N (class mod 1))) (fun _ _ _ _ _ => True) e0 s0 Wo) as (M0 & W0 & G0 & _); auto; [intros mu K _ Gk; eapply meets_weaker; [apply constant_meets; exact Gk | auto]|].
  unfold bind at 1, ret at 1 in R. unfold bind at 1 in R. destruct (set_input E c AnyValue (LinkedInput p o) e0 s0) as [[c1 env1] s1|] eqn:Si; [|discriminate]. injection R as <- <- <-. rewrite N.div_1_r.
  set (y := given (symbols c)). set (c2 := snd (fresh_symbol c (Tree o))). set (q := {| symbol := y; above := NullSlot; same := Forgotten; below := NullSlot |}). set (f := given (parts_held m)). set (m1 := with_parts m (snd (added (parts_held m) q))).
  assert (Hd2 : herd c2 = [m]) by exact Hd. unfold set_input, fresh_symbol, added in Si. unfold bind at 1, member_at, some in Si. cbn [with_symbols herd] in Si. rewrite Hd in Si. change (nth [m] 0) with (Some m) in Si. cbn beta iota in Si. unfold ret at 1, add_part, added in Si.
  fold y in Si. fold q in Si. fold f in Si. unfold bind in Si. destruct (set_in _ 0 p (Folded f) s0) as [c4 s4|] eqn:St in Si; [|discriminate]. unfold ret in Si. injection Si as <- _ <-.
  assert (W2 : world s0 c2 nu M0) by (apply (world_changes tabs s0 c); [exact W0 | exact (world_scope _ _ _ _ _ W0)]).
  destruct (member_goes _ _ _ _ _ _ _ _ Wo Hd G0) as [Sm Tm].
  assert (W3 : world s0 (set_member c2 0 m1) nu M0).
  { apply (world_changes tabs s0 c2); [exact W2|]. pose proof (world_scope _ _ _ _ _ W2) as Sc. assert (H : nth (herd c2) 0 = Some m) by (rewrite Hd2; reflexivity). apply (member_scope s0 c2 0 m); [exact Sc | exact H | destruct Tm; split; assumption|].
    pose proof (terms_of_member s0 c2 0 m Sc H) as Tw. apply OpenShown.tables_are_in in Tw as [B1 B2 B3 B4]. apply OpenShown.tables_are_in. split; auto. intros g z Lg. unfold m1. cbn [with_parts parts_held added snd]. rewrite find_put.
    destruct (N.eqb_spec g (given (parts_held m))) as [->|Ng]; [intros [= <-] w []|]. intros Fz. apply (B4 g z); [unfold m1 in Lg; cbn [with_parts parts_held added snd given put one_more_number] in Lg; lia | exact Fz]. }
  assert (Hd3 : herd (set_member c2 0 m1) = [m1]) by (unfold set_member; rewrite Hd2; reflexivity).
  change (set_in (set_member c2 0 m1) 0 p (Folded f) s0 = Gives c4 s4) in St. apply (set_held _ m1) in St as (-> & F & ->); [|exact Hd3]. set (m2 := with_held m1 (put (held m1) p (Folded f))).
  assert (Sy2 : symbols c2 = put (one_more_number (symbols c)) y (Tree o)) by reflexivity.
  assert (Part : forall g z, find (parts_held m2) g = Some z -> g = f /\ z = q \/ find (parts_held m) g = Some z).
  { intros g z. unfold m2, m1. cbn [parts_held with_held with_parts added snd]. rewrite find_put. destruct (N.eqb_spec g (given (parts_held m))) as [->|_]; [intros [= <-]; left; auto | right; assumption]. }
  assert (Old : forall g z, find (parts_held m) g = Some z -> is_root_part (symbols c2) z).
  { intros g z Fz. destruct (Pa g z Fz) as [A1 A2 A3 (u & Fu & Lu & Nu)]. split; auto. exists u. rewrite Sy2, find_put. cbn [given put one_more_number]. destruct (N.eqb_spec (symbol z) y); [unfold y in *; lia|]. split; [exact Fu|]. split; [unfold y in *; lia | exact Nu]. }
  exists M0, m2. split; [apply world_set; [exact W3 | exact Hd3 | exact F | intros w []]|]. split; [eapply goes_trans; [exact G0|]; apply same_variables; reflexivity|]. split; [|split; [reflexivity|]].
  - split; auto.
    + unfold set_member at 1. rewrite Hd3. reflexivity.
    + exists zero. split; [exact Cz | exact (consumed_goes _ _ _ _ _ _ _ _ _ Wo Hd G0 Cz Vz)].
    + split; [unfold m2, m1, linked_in; cbn [parts_held with_held with_parts added snd given put one_more_number filter is_linked length]; rewrite Gp; unfold linked_in; lia|].
      intros g z Fz. cbn [set_member with_herd symbols]. destruct (Part g z Fz) as [[-> ->]|Fz0]; [|exact (Old g z Fz0)]. split; [reflexivity..|]. exists o. cbn [symbol q]. rewrite Sy2, find_put, N.eqb_refl. cbn [given put one_more_number]. split; [reflexivity|]. split; [unfold y; lia | exact Fo].
    + apply (register_put_whole m1); [exact F | exact Wh].
    + intros r w Fq Nq. unfold m2 in Fq. cbn [held with_held] in Fq. rewrite find_put in Fq. cbn [flat_map registers_of_input app] in Nq. destruct (N.eqb_spec r p) as [->|_]; [destruct Nq; left; reflexivity|]. apply (Rg r w Fq). intros I. apply Nq. right. exact I.
    + intros u w Fu. destruct (Ob u w Fu) as [Iu|Su]; [left; right; exact Iu | right; exact Su].
    + split; [constructor; [intros If; apply Cf in If; lia | exact Nc]|]. change (linked_in (LinkedInput p o :: is)) with (1 + linked_in is)%nat. split; [|intros u [[=]|Iu]; exact (Co u Iu)].
      intros g. split; [intros [[= <-]|Ig]; [lia | apply Cf in Ig; lia] | intros Lg; destruct (Nat.eq_dec g (linked_in is)) as [->|Ng]; [left; reflexivity | right; apply Cf; lia]].
    + apply (statics_go Q (length (objects Q)) M M0 m m2 Tm Sm); auto.
  - intros phi vs (L & Me & Prs) Fi. destruct v as [| | |lk]; try contradiction. destruct Fi as (t & -> & Of & Td).
    destruct (ContentsDrawn.symbol_drawn P trees tabs True s0 c nu M0 phi (Tree o) t Sorts.Hole W0 (fun _ => conj Of Td)) as (D & Tt & _ & At_ & Ly). fold c2 y in D, Tt, At_, Ly.
    match type of D with ContentsDrawn.drawn _ _ _ _ _ _ _ _ _ _ _ _ ?x => set (phi' := x) in * end. exists phi'. destruct D as [_ _ _ [Ls Hs] [Ht Hc] _ Mt].
    assert (Stay : forall v, (v < N.to_nat (given (symbols c)))%nat -> List.nth_error (symbols_of c2) v = List.nth_error (symbols_of c) v) by (intros v Lv; apply ContentsDrawn.symbols_stay; auto).
    change (symbols_of (set_member (set_member c2 0 m1) 0 m2)) with (symbols_of c2). split; [|split].
    + intros k0 I. pose proof (in_scope_parts s c (world_scope _ _ _ _ _ Wo)) as [Kn _]. pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G0 _ (Kn k0 I))) as V. simpl in V. unfold literal_holds in *. rewrite V. apply L. exact I.
    + intros v. destruct (Nat.lt_ge_cases v (N.to_nat (given (symbols c)))) as [Lv|Lv]; [|exact (Mt Logic.I v Lv)]. apply (ContentsDrawn.meant_again P trees (symbols_of c) (symbols_of c2) phi phi' v); auto.
    + assert (Named : FoldedMembers.part_named (member_of 0 m2) (linked_in is) = Some (part_of q)).
      { rewrite Opened.part_named_is. unfold m2, m1. cbn [parts_held with_held with_parts added snd given put one_more_number]. destruct (Nat.ltb_spec (linked_in is) (N.to_nat (N.succ (given (parts_held m))))); [|lia]. rewrite find_put, Gp, N.eqb_refl. reflexivity. }
      assert (Slots : forall r, FoldedMembers.slot_at (member_of 0 m2) (N.to_nat r) = if (r =? p)%N then FoldedMembers.RootOf (N.to_nat f) else FoldedMembers.slot_at (member_of 0 m) (N.to_nat r)).
      { intros r. unfold m2. rewrite (slot_at_put 0 0 m1 (with_held m1 (put (held m1) p (Folded f))) p (Folded f) (N.to_nat r) eq_refl (registers_numbered _ Tm) F). destruct (N.eqb_spec r p) as [->|Nr]; [rewrite Nat.eqb_refl; reflexivity|].
        destruct (Nat.eqb_spec (N.to_nat r) (N.to_nat p)) as [Eq|_]; [apply N2Nat.inj in Eq; congruence | reflexivity]. }
      cbn [List.map Translated.input_of]. change (inr (linked_in is) :: cs) with ([@inr nat nat (linked_in is)] ++ cs). constructor.
      * rewrite Slots, N.eqb_refl. cbn [Presented.heap_slot]. replace (N.to_nat f) with (linked_in is) by (unfold f; lia).
        assert (Hp : Scapegoats.parts (Presented.heap_of P (symbols_of c2) (valued M0) phi' (member_of 0 m2)) (linked_in is) = Some {| Scapegoats.stands_for := t; Scapegoats.part_sort := N.to_nat o; Scapegoats.above := Scapegoats.SNull |}).
        { cbn [Presented.heap_of Scapegoats.parts]. unfold Presented.heap_part. rewrite Named. cbn [part_of FoldedMembers.symbol symbol q]. rewrite At_, Tt. reflexivity. }
        exact (Scapegoats.reads_part (Inputs.links_of P) _ (linked_in is) Scapegoats.SNull _ Hp (fun _ => eq_refl)).
      * apply (presents_more (symbols_of c) _ M0 phi phi' m m2); [exact (plain_objects _ _ _ _ _ Ro) | | intros u w; auto | | apply (presents_valued M M0); auto].
        -- intros r I. rewrite Slots. destruct (N.eqb_spec r p) as [->|_]; [contradiction | reflexivity].
        -- intros g z. cbn [Presented.heap_of Scapegoats.parts]. unfold Presented.heap_part. rewrite !Opened.part_named_is. destruct (Nat.ltb_spec g (N.to_nat (given (parts_held m)))) as [Lg|]; [|discriminate].
           destruct (find (parts_held m) (N.of_nat g)) as [w|] eqn:Fw; [|discriminate]. unfold m2, m1. cbn [parts_held with_held with_parts added snd given put one_more_number]. destruct (Nat.ltb_spec g (N.to_nat (N.succ (given (parts_held m))))); [|lia].
           rewrite find_put. destruct (N.eqb_spec (N.of_nat g) (given (parts_held m))); [lia|]. change (find (one_more_number (parts_held m)) (N.of_nat g)) with (find (parts_held m) (N.of_nat g)). rewrite Fw. cbn [option_map part_of FoldedMembers.symbol FoldedMembers.above].
           destruct (Pa _ w Fw) as [A1 _ _ (u & _ & Lu & _)]. rewrite Stay, Ht by lia. rewrite A1. auto.
Qed.
End Roots.
