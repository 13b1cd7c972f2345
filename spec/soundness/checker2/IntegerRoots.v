(** That the root is right of programs of integers alone (spec/calculus.md#root): as
    [root_of_class] makes it, it is sane, and it denotes all entry states. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Inputs Existing Tidy Typed Bounds Entries Owed Alike FoldedMembers Configurations Loading Recognised Built Entering.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed Moving Followed Leading Staying Replayed.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

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
(** No objects, and integers for inputs. *)
Variable rs : list N.
Hypothesis no_objects : objects Q = [].
Hypothesis integer_inputs : inputs Q = List.map IntegerInput rs.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).

(** The type of a register, and how many inputs before it are of that type: the number of
    its variable. *)
Definition kind_of (r : N) : integer_type := match at_position (registers_of (names_in E)) r with
  | Some x => match register_type x with IntegerType T => T | Pointer => Bool end | None => Bool end.
Definition of_type (T : integer_type) (l : list N) : list N := filter (fun r => integer_type_eqb (kind_of r) T) l.

Definition is_integer_register (r : N) : Prop := exists x, at_position (registers_of (names_in E)) r = Some x /\ register_type x = IntegerType (kind_of r).

(** What has become of the inputs that have been looked at. *)
Record entered nu (seen : list N) (c : configuration) (s : state) (M : model) : Prop := {
  entered_scope : in_scope s c;
  entered_counts : forall T, nth (integers (variables c)) (number_of_sort (Some T)) = Some (N.of_nat (length (of_type T seen)));
  entered_rest : symbols c = none_numbered tree_sort 0 /\ known_literals c = [] /\ entry_member c = None /\ progress c = true;
  entered_member : exists m zero, herd c = [m] /\ place_of m = At 0 /\ size_of m = NotLarger /\ consumed_of m = IntegerSlot zero /\ is_term s M zero 0 /\
    objects_held m = none_numbered object_state 0 /\ parts_held m = none_numbered folded 0 /\ whole_member E m /\
    (forall r, In r seen -> is_integer_register r /\ exists t before after, find (held m) r = Some (IntegerSlot t) /\ seen = before ++ r :: after /\
      is_term s M t (Terms.integers nu (Some (kind_of r)) (length (of_type (kind_of r) before)))) /\
    (forall r v, find (held m) r = Some v -> ~ In r seen -> v = Uninitialised) }.
Lemma kind_peek s r : peeks s (integer_kind E r) (fun T => T = kind_of r /\ is_integer_register r).
Proof.
  unfold is_integer_register. intros T s' H. unfold integer_kind, register_kind, bind, some in H. unfold kind_of. destruct (at_position (registers_of (names_in E)) r) as [x|]; [|discriminate].
  unfold ret in H. destruct (register_type x) eqn:Rt; [injection H as <- <-; split; auto; split; auto; exists x; auto | discriminate].
Qed.
Lemma type_eqb_is T U : integer_type_eqb T U = true <-> T = U.
Proof. destruct T, U; simpl; split; congruence. Qed.
Lemma set_at_nth l v : forall n m x, nth l n = Some x -> nth (set_at l n v) m = if (n =? m)%N then Some v else nth l m.
Proof.
  induction l as [|y l IH]; intros n m x H; [discriminate|]. cbn [nth set_at] in *. destruct (N.eqb_spec n 0) as [->|Nz].
  - cbn [nth]. destruct (N.eqb_spec m 0) as [->|Mz]; [reflexivity|]. destruct (N.eqb_spec 0 m); [lia | reflexivity].
  - cbn [nth]. destruct (N.eqb_spec m 0) as [->|Mz]; [destruct (N.eqb_spec n 0); [lia | reflexivity]|]. rewrite (IH (N.pred n) (N.pred m) x H).
    destruct (N.eqb_spec (N.pred n) (N.pred m)), (N.eqb_spec n m); try reflexivity; lia.
Qed.
Lemma one_more_count sc T x T' : nth (integers sc) (number_of_sort (Some T)) = Some x ->
  nth (integers (one_more_integer sc (Some T) (N.succ x))) (number_of_sort (Some T')) = if integer_type_eqb T T' then Some (N.succ x) else nth (integers sc) (number_of_sort (Some T')).
Proof.
  intros H. unfold one_more_integer. cbn [integers]. rewrite (set_at_nth _ _ _ _ x H). destruct (integer_type_eqb T T') eqn:Eq.
  - apply type_eqb_is in Eq as ->. rewrite N.eqb_refl. reflexivity.
  - destruct (N.eqb_spec (number_of_sort (Some T)) (number_of_sort (Some T'))) as [Same|_]; [|reflexivity]. apply number_of_sort_injective in Same. injection Same as <-.
    assert (X : integer_type_eqb T T = true) by (apply type_eqb_is; reflexivity). congruence.
Qed.
Lemma of_type_one T l r : of_type T (l ++ [r]) = of_type T l ++ (if integer_type_eqb (kind_of r) T then [r] else []).
Proof. unfold of_type. rewrite filter_app. simpl. destruct (integer_type_eqb (kind_of r) T); reflexivity. Qed.

(** ** One input *)

Lemma input_meets nu s M l c class seen r : Terms.well_sorted nu -> good nu s M -> entered nu seen c s M ->
  meets nu s M (Rules.root_input E l (c, class) (IntegerInput r)) (fun x s' M' => entered nu (seen ++ [r]) (fst x) s' M' /\ snd x = class).
Proof.
  intros W G [Sc Cn (Sy & Li & En & Pr) (m & zero & Hd & Pl & Sz & Cs & Zt & Ob & Pt & Wh & In_ & Out)]. unfold Rules.root_input. cbn [Rules.classes_of].
  eapply meets_bind with (P := fun _ _ _ => True); [eapply meets_weaker; [apply constant_meets; exact G | auto]|]. intros elements s0 M0 G0 K0 _.
  eapply meets_peek; [apply (peeks_ret s0 _ (fun x => x = (elements, c))); reflexivity|]. intros ? ->. unfold set_input.
  assert (Sc0 : in_scope s0 c) by (eapply in_scope_later; eauto).
  eapply meets_bind with (P := fun x s' M' => entered nu (seen ++ [r]) (fst x) s' M'); [|intros [c' env] s' M' G' _ H; apply meets_ret; [exact G'|]; split; [exact H | cbn [snd]; apply N.div_1_r]].
  eapply meets_peek; [apply kind_peek|]. intros ? [-> Ir]. set (T := kind_of r). unfold new_value, sort_of_type.
  assert (Bd : is_bounded E = true) by (unfold is_bounded; simpl; rewrite integers_of_c; reflexivity). rewrite Bd.
  eapply meets_bind with (P := fun x s1 M1 => snd x = AnyValue /\ snd (fst x) = with_one_more c (Some T) (N.of_nat (length (of_type T seen))) /\
    is_term s1 M1 (fst (fst x)) (Terms.integers nu (Some T) (length (of_type T seen))) /\ part_within s1 (variables (snd (fst x))) (LinearPart (fst (fst x)))).
  { eapply meets_bind; [apply (fresh_meets tabs nu s0 M0 c (Some T)); auto|]. intros [t c1] s1 M1 G1 K1 (x & Ex & Ec & Tt & Pw). cbn [fst snd] in *. apply meets_ret; [exact G1|]. cbn [fst snd].
    rewrite (Cn T) in Ex. injection Ex as <-. rewrite Nat2N.id in Tt. subst c1. auto. }
  intros [[t c1] env] s1 M1 G1 K1 (_ & Ec & Tt & Pw). cbn [fst snd] in *. subst c1. set (c1 := with_one_more c (Some T) (N.of_nat (length (of_type T seen)))) in *.
  assert (Sc1 : in_scope s1 c1) by (apply one_more_scope; [exact (Cn T) | eapply in_scope_later; eauto]).
  assert (H1 : nth (herd c1) 0 = Some m) by (unfold c1; simpl; rewrite Hd; reflexivity).
  eapply meets_peek; [apply (set_in_peek s1 c1 0 m r (IntegerSlot t) H1)|]. intros c2 [Fr ->]. apply meets_ret; [exact G1|]. cbn [fst].
  pose proof (keeps_trans _ _ _ _ _ _ K0 K1) as K01. set (m' := with_held m (put (held m) r (IntegerSlot t))).
  assert (Hd2 : herd (set_member c1 0 m') = [m']) by (unfold set_member, c1; simpl; rewrite Hd; reflexivity).
  split.
  - destruct Sc1 as (F1 & R1 & T1). split; [exact F1|]. split.
    + apply (members_again tables_right c1); [reflexivity | | exact R1]. rewrite Hd2. intros x [<-|[]]. destruct (R1 m (herd_member _ _ (nth_in _ _ _ H1))) as [Rm Ro Rb]. split; [apply put_numbered; assumption | exact Ro | exact Rb].
    + intros p I. unfold configuration_terms in I. rewrite Hd2 in I. cbn [set_member with_herd known_literals entry_member_terms entry_member flat_map] in I. unfold c1 in I. cbn [with_one_more with_variables known_literals entry_member] in I.
      unfold entry_member_terms in I. cbn [set_member with_herd with_one_more with_variables entry_member] in I. rewrite Li, En in I. cbn [literal_terms List.map app] in I. rewrite !app_nil_r in I.
      apply (with_held_terms s1 (variables c1) m r (IntegerSlot t)) in I; [exact I | | intros q [<-|[]]; exact Pw].
      intros q J. apply (terms_of_member s1 c1 0 m); [split; auto | exact H1 | exact J].
  - intros T'. cbn [set_member with_herd variables]. unfold c1, with_one_more. cbn [with_variables variables]. rewrite (one_more_count _ _ _ T' (Cn T)), of_type_one. fold T.
    destruct (integer_type_eqb T T') eqn:Eq; [|rewrite app_nil_r; apply Cn]. apply type_eqb_is in Eq as <-. rewrite app_length. simpl. f_equal. lia.
  - auto.
  - exists m', zero. split; [exact Hd2|]. split; [exact Pl|]. split; [exact Sz|]. split; [exact Cs|]. split; [eapply is_term_kept; eauto|]. split; [exact Ob|]. split; [exact Pt|].
    split; [destruct Wh as [Dm Gm]; destruct (kept_put m r (IntegerSlot t) Fr) as (_ & Gp & Dp); split; [exact (Dp Dm) | exact (eq_trans Gp Gm)]|]. split.
    + intros q I. unfold m'. cbn [held with_held]. rewrite find_put. destruct (N.eqb_spec q r) as [->|Nq].
      * split; [exact Ir|]. exists t, seen, []. auto.
      * apply in_app_or in I as [I|[I|[]]]; [|congruence]. destruct (In_ q I) as (Iq & u & before & after & Fu & Eq & Tu). split; [exact Iq|]. exists u, before, (after ++ [r]).
        split; [exact Fu|]. split; [rewrite Eq, <- app_assoc; reflexivity | eapply is_term_kept; eauto].
    + intros q v Fv Nq. unfold m' in Fv. cbn [held with_held] in Fv. rewrite find_put in Fv. destruct (N.eqb_spec q r) as [->|_]; [exfalso; apply Nq, in_or_app; right; left; reflexivity|].
      apply (Out q v Fv). intros I. apply Nq, in_or_app. auto.
Qed.
Lemma inputs_meets nu l class ls : Terms.well_sorted nu -> forall seen c s M, good nu s M -> entered nu seen c s M ->
  meets nu s M (folded_left (Rules.root_input E l) (List.map IntegerInput ls) (c, class)) (fun x s' M' => entered nu (seen ++ ls) (fst x) s' M' /\ snd x = class).
Proof.
  intros W. induction ls as [|r ls IH]; intros seen c s M G H; cbn [List.map folded_left]; [apply meets_ret; [exact G|]; rewrite app_nil_r; auto|].
  eapply meets_bind; [apply input_meets; eauto|]. intros [c1 class1] s1 M1 G1 K1 [H1 Ec]. cbn [fst snd] in *. subst class1.
  eapply meets_weaker; [apply (IH (seen ++ [r])); eauto|]. intros x s2 M2 _ _. rewrite <- app_assoc. auto.
Qed.

(** ** The root *)

Lemma nothing_numbered {A} given_ n (a : A) : find (none_numbered A given_) n <> Some a.
Proof. unfold find. cbn [none_numbered present_entries]. rewrite PositiveMap.gempty. discriminate. Qed.
Lemma start_meets nu s M : good nu s M -> meets nu s M (before_inputs E) (fun c s' M' => entered nu [] c s' M').
Proof.
  intros G. unfold before_inputs. eapply meets_bind; [apply meets_also; [apply constant_meets; exact G | apply (constant_within nu tabs no_scope); exact G]|].
  intros zero s1 M1 G1 K1 [Zt Zw]. change (objects (program_in E)) with (objects Q). rewrite no_objects. cbn [length numbers_from List.combine folded_left]. apply meets_ret; [exact G1|].
  destruct (Templates.numbered_of_right (List.map (fun _ : register => Uninitialised) (registers Q))) as [Rn Un].
  split.
  - split; [exact formed_none|]. split; [intros m [<-|[]]; split; [exact Rn | |]; intros o x F; destruct (nothing_numbered _ _ _ F)|]. intros p I. unfold configuration_terms in I. cbn [known_literals herd entry_member_terms entry_member flat_map literal_terms List.map app] in I.
    rewrite !app_nil_r in I. unfold member_terms in I. cbn [with_consumed new_member consumed_of held objects_held parts_held] in I. apply in_app_or in I as [[<-|[]]|I]; [exact Zw|].
    apply in_app_or in I as [I|I]; [unfold entry_terms in I; apply in_flat_map in I as ([r v] & Iv & Ip); apply in_order_in in Iv as [_ Fv]; apply Un in Fv; apply in_map_iff in Fv as (? & <- & _); destruct Ip|].
    unfold E in I. cbn [program_in setting_of] in I. rewrite no_objects in I. destruct I.
  - intros T. destruct T; reflexivity.
  - auto.
  - eexists. exists zero. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|]. split; [exact Zt|]. cbn [with_consumed new_member objects_held parts_held held]. change (objects (program_in E)) with (objects Q). rewrite no_objects.
    split; [reflexivity|]. split; [reflexivity|]. split; [exact (new_whole E (At 0) Uninitialised)|]. split; [intros ? []|].
    intros r v F _. apply Un in F. apply in_map_iff in F as (? & <- & _). reflexivity.
Qed.
Theorem root_meets nu l class s M : Terms.well_sorted nu -> good nu s M -> meets nu s M (Rules.root_of_class E l class) (fun o s' M' => match o with
  | Some d => exists c, d = with_entry c (nth (herd c) 0) /\ entered nu (rev rs) c s' M' | None => class <> 0%N end).
Proof.
  intros W G. unfold Rules.root_of_class. eapply meets_bind; [apply start_meets; exact G|]. intros c s1 M1 G1 K1 H. change (inputs (program_in E)) with (inputs Q). rewrite integer_inputs, <- map_rev.
  eapply meets_bind; [apply (inputs_meets nu l class (rev rs) W [] c); eauto|]. intros [c1 left_] s2 M2 G2 K2 [H1 Ec]. cbn [fst snd app] in *. subst left_. apply meets_ret; [exact G2|].
  destruct (N.eqb_spec class 0) as [->|Nz]; [|exact Nz]. exists c1. auto.
Qed.
Lemma entered_root_scope nu seen c s M : entered nu seen c s M -> in_scope s (with_entry c (nth (herd c) 0)).
Proof.
  intros [(F & R & T) _ (_ & _ & En & _) (m & zero & Hd & _)]. split; [exact F|].
  split; [intros x I; apply R; unfold members_of in *; cbn [with_entry herd entry_member] in I; rewrite Hd in *; apply in_app_or in I as [I|[<-|[]]]; apply in_or_app; left; [exact I | left; reflexivity]|].
  intros p I. apply T. unfold configuration_terms in *. cbn [with_entry known_literals herd] in I.
  apply in_app_or in I as [I|I]; [apply in_or_app; auto|]. apply in_or_app. right. apply in_app_or in I as [I|I]; apply in_or_app; left; [exact I|].
  unfold entry_member_terms in I. cbn [with_entry entry_member] in I. rewrite Hd in *. cbn [nth N.eqb] in I. cbn [flat_map]. rewrite app_nil_r. exact I.
Qed.
Theorem integer_root_sane l class s d s' : modelled tabs s -> Rules.root_of_class E l class s = Gives (Some d) s' -> later tabs s s' /\ sane tabs s' d.
Proof.
  intros Mo H.
  assert (La : later tabs s s') by (eapply (meets_later tabs s _ (Some d) s' (fun nu _ o s' M' => match o with Some d => exists c, d = with_entry c (nth (herd c) 0) /\ entered nu (rev rs) c s' M' | None => class <> 0%N end)); [intros; apply root_meets; auto | exact H]).
  split; [exact La|]. split; [eapply modelled_later; eauto|]. destruct (Mo zeros zeros_sorted) as [M G]. destruct (root_meets zeros l class s M zeros_sorted G _ _ H) as (M' & _ & _ & c & -> & En).
  eapply entered_root_scope; eauto.
Qed.

(** ** The inputs that the root holds *)

Lemma input_numbers : Programs.inputs P = List.map Programs.IntegerInput (List.map N.to_nat rs).
Proof. unfold P. cbn [Translated.program_of Programs.inputs]. rewrite integer_inputs, !map_map. reflexivity. Qed.
Lemma input_register r : In r (flat_map Loading.input_registers (Programs.inputs P)) <-> In (N.of_nat r) rs.
Proof.
  rewrite input_numbers, in_flat_map. split.
  - intros (i & I & J). apply in_map_iff in I as (n & <- & I). apply in_map_iff in I as (q & <- & I). destruct J as [<-|[]]. rewrite N2Nat.id. exact I.
  - intros I. exists (Programs.IntegerInput r). split; [|left; reflexivity]. apply in_map. rewrite <- (Nat2N.id r). apply in_map. exact I.
Qed.
Lemma nothing_there d : Machine.declaration_of P d = Machine.no_declaration.
Proof. unfold Machine.declaration_of, P. cbn [Translated.program_of Programs.objects]. rewrite no_objects. destruct d; reflexivity. Qed.
(** A member without objects, whose registers of inputs hold integers of their types and
    whose others hold nothing. *)
Record plain_entry (M : model) (m : member_state) : Prop := {
  plain_place : place_of m = At 0;
  plain_objects : objects_held m = none_numbered object_state 0;
  plain_parts : parts_held m = none_numbered folded 0;
  plain_whole : whole_member E m;
  plain_inputs : forall r, In r rs -> is_integer_register r /\ exists t, find (held m) r = Some (IntegerSlot t) /\ Integers.within (kind_of r) (vl M t);
  plain_others : forall r v, find (held m) r = Some v -> ~ In r rs -> v = Uninitialised }.
Lemma plain_slot M m r : plain_entry M m -> (r < length (registers Q))%nat -> exists v, find (held m) (N.of_nat r) = Some v /\ FoldedMembers.slot_at (member_of 0 m) r = slot_of v.
Proof.
  intros [_ _ _ [Dm Gm] _ _] L. rewrite slot_at_is. change (registers (program_in E)) with (registers Q) in Gm. rewrite Templates.count_length in Gm.
  destruct (Nat.ltb_spec r (N.to_nat (given (held m)))) as [_|G]; [|lia]. destruct (find (held m) (N.of_nat r)) as [v|] eqn:F; [eauto|]. exfalso. apply (Dm (N.of_nat r)); [lia | exact F].
Qed.
Lemma kind_is r : is_integer_register r -> Machine.type_of P (N.to_nat r) = Programs.IntegerType (kind_of r) /\ (N.to_nat r < length (registers Q))%nat.
Proof.
  intros (x & Ax & Tx). pose proof (same_registers _ _ _ (setting_same Q us k ts integers_of_c) r x Ax) as Sr. fold P in Sr. rewrite Sr, Tx. split; [reflexivity|].
  unfold E in Ax. cbn [setting_of names_in names_of registers_of] in Ax. rewrite at_position_is in Ax. apply nth_error_Some. congruence.
Qed.
Lemma input_slot M m r : plain_entry M m -> In r rs -> exists t, FoldedMembers.slot_at (member_of 0 m) (N.to_nat r) = slot_of (IntegerSlot t) /\ Integers.within (kind_of r) (vl M t) /\
  Machine.type_of P (N.to_nat r) = Programs.IntegerType (kind_of r).
Proof.
  intros En I. destruct (plain_inputs _ _ En r I) as (Ir & t & F & W). destruct (kind_is r Ir) as [Ty Lr]. destruct (plain_slot M m _ En Lr) as (v & Fv & ->).
  rewrite N2Nat.id, F in Fv. injection Fv as <-. eauto.
Qed.
Theorem plain_holds M m phi : plain_entry M m -> exists vs, Entering.holds_inputs P [] (valued M) phi (member_of 0 m) vs [].
Proof.
  intros En. assert (No : forall o, FoldedMembers.object_named (member_of 0 m) o = None) by (intros o; unfold FoldedMembers.object_named; simpl; rewrite (plain_objects _ _ En); destruct o; reflexivity).
  assert (Np : forall f, FoldedMembers.part_named (member_of 0 m) f = None) by (intros f; unfold FoldedMembers.part_named; simpl; rewrite (plain_parts _ _ En); destruct f; reflexivity).
  assert (Slot : forall r, FoldedMembers.slot_at (member_of 0 m) r = FoldedMembers.forgotten \/ FoldedMembers.slot_at (member_of 0 m) r = FoldedMembers.Plain Members.NothingHeld \/
    exists q t, r = N.to_nat q /\ In q rs /\ FoldedMembers.slot_at (member_of 0 m) r = slot_of (IntegerSlot t)).
  { intros r. destruct (in_dec N.eq_dec (N.of_nat r) rs) as [I|N].
    - destruct (input_slot M m _ En I) as (t & St & _). rewrite Nat2N.id in St. right. right. exists (N.of_nat r), t. rewrite Nat2N.id. auto.
    - destruct (Nat.lt_ge_cases r (length (registers Q))) as [L|L]; [destruct (plain_slot M m r En L) as (v & F & ->); rewrite (plain_others _ _ En _ v F N); auto|].
      left. rewrite slot_at_is. destruct (plain_whole _ _ En) as [_ Gm]. change (registers (program_in E)) with (registers Q) in Gm. rewrite Templates.count_length in Gm.
      destruct (Nat.ltb_spec r (N.to_nat (given (held m)))); [lia | reflexivity]. }
  assert (Pr : forall ls, incl ls rs -> exists vs, Loading.presents P [] (valued M) phi (member_of 0 m) (List.map Programs.IntegerInput (List.map N.to_nat ls)) vs []).
  { induction ls as [|r ls IH]; intros I; [exists []; constructor|]. destruct (IH (fun q J => I q (or_intror J))) as (vs & H). destruct (input_slot M m r En (I r (or_introl eq_refl))) as (t & St & W & Ty).
    exists (Inputs.IntegerValue (vl M t) :: vs). constructor; [exists (term_of_number t); split; [exact St | apply valued_term] | | exact H]. apply is_within_iff. unfold Machine.integer_type_of. rewrite Ty. exact W. }
  destruct (Pr rs (incl_refl rs)) as (vs & H). exists vs. split; [| | rewrite input_numbers; exact H | constructor].
  - split; [reflexivity | | | intros d n cs a O; rewrite nothing_there in O; discriminate].
    + rewrite slots_of_member, (proj2 (plain_whole _ _ En)). change (registers (program_in E)) with (registers Q). unfold P. cbn [Translated.program_of Programs.registers]. rewrite Templates.count_length, Nat2N.id, map_length. reflexivity.
    + intros r L Ni. unfold P in L. cbn [Translated.program_of Programs.registers] in L. rewrite map_length in L. destruct (plain_slot M m r En L) as (v & F & ->). rewrite input_register in Ni. rewrite (plain_others _ _ En _ v F Ni). reflexivity.
  - split; try (intros; rewrite ?No, ?Np in *; discriminate).
    + intros r. destruct (Slot r) as [->|[->|(q & t & _ & _ & ->)]]; exact Logic.I.
    + intros r u Su. destruct (Slot r) as [S|[S|(q & _ & -> & I & _)]]; try (rewrite S in Su; discriminate).
      destruct (input_slot M m q En I) as (t & St & W & Ty). rewrite St in Su. injection Su as <-. rewrite Ty. change (Integers.within (kind_of q) (Terms.eval (valued M) (term_of_number t))). rewrite valued_term. exact W.
Qed.

(** ** Entry states *)

Lemma integers_load ls : forall a vs b, Inputs.load_inputs P a (List.map Programs.IntegerInput ls) vs = Some b -> Inputs.made b = Inputs.made a /\
  length (Inputs.loaded b) = length (Inputs.loaded a) /\
  forall q, (~ In q ls -> List.nth q (Inputs.loaded b) Machine.Uninitialised = List.nth q (Inputs.loaded a) Machine.Uninitialised) /\
    (In q ls -> (q < length (Inputs.loaded a))%nat -> exists z, List.nth q (Inputs.loaded b) Machine.Uninitialised = Machine.Integer z).
Proof.
  induction ls as [|r ls IH]; intros a [|v vs] b H; try discriminate; cbn [List.map Inputs.load_inputs] in H; [injection H as <-; split; auto; split; auto; intros q; split; [auto | intros []]|].
  destruct (Inputs.load_input P a (Programs.IntegerInput r) v) as [a1|] eqn:L; [|discriminate]. destruct v as [z| | |]; try discriminate. cbn [Inputs.load_input] in L.
  destruct (Integers.is_within _ z); [|discriminate]. injection L as <-. destruct (IH _ _ _ H) as (Mb & Lb & Qb). cbn [Inputs.with_register Inputs.made Inputs.loaded] in *.
  rewrite Existing.replace_length in Lb. split; [exact Mb|]. split; [exact Lb|]. intros q. destruct (Qb q) as [Qn Qi]. rewrite Existing.replace_length in Qi. split.
  - intros N. rewrite Qn by (intros I; apply N; right; exact I). rewrite Tidy.nth_replace. destruct (Nat.eqb_spec q r) as [->|]; [exfalso; apply N; left; reflexivity | reflexivity].
  - intros [<-|I] Lq; [|exact (Qi I Lq)]. destruct (in_dec Nat.eq_dec r ls) as [I|N]; [exact (Qi I Lq)|]. exists z. rewrite (Qn N), Tidy.nth_replace, Nat.eqb_refl. destruct (Nat.ltb_spec r (length (Inputs.loaded a))); [reflexivity | lia].
Qed.

Hypothesis locals : Tidy.locals_formed P.
Hypothesis contents : Entries.contents_formed P.
Section Entry.
Variables (vs : list Inputs.input_value) (st : Machine.state).
Hypothesis entry : Inputs.entry_state P vs = Some st.
Lemma entry_parts : Machine.memory st = [] /\ Machine.current st = [] /\ Machine.location st = 0%nat /\ length (Machine.values st) = length (registers Q) /\
  forall q, (~ In q (List.map N.to_nat rs) -> Machine.register st q = Machine.Uninitialised) /\
    (In q (List.map N.to_nat rs) -> (q < length (registers Q))%nat -> exists z, Machine.register st q = Machine.Integer z).
Proof.
  pose proof entry as En. unfold Inputs.entry_state in En. rewrite input_numbers in En. destruct (Inputs.load_inputs P _ _ vs) as [b|] eqn:L; [|discriminate]. injection En as <-.
  apply integers_load in L as (Mb & Lb & Qb). cbn [Inputs.made Inputs.loaded] in *. unfold Inputs.add_statics. cbn [Machine.memory Machine.current Machine.location Machine.values].
  assert (No : Programs.objects P = []) by (unfold P; cbn [Translated.program_of Programs.objects]; rewrite no_objects; reflexivity).
  rewrite Mb, No. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|]. unfold P in Lb. cbn [Translated.program_of Programs.registers] in Lb. rewrite !map_length in Lb. split; [exact Lb|].
  intros q. destruct (Qb q) as [Qn Qi]. unfold Machine.register. cbn [Machine.values]. split.
  - intros N. rewrite (Qn N). destruct (nth_in_or_default q (List.map (fun _ => Machine.Uninitialised) (Programs.registers P)) Machine.Uninitialised) as [I|D]; [|exact D].
    apply in_map_iff in I as (? & <- & _). reflexivity.
  - intros I Lq. apply Qi; [exact I|]. unfold P. cbn [Translated.program_of Programs.registers]. rewrite !map_length. exact Lq.
Qed.
Lemma plain_register q : Machine.register st q = Machine.Uninitialised \/ exists z, Machine.register st q = Machine.Integer z.
Proof.
  destruct entry_parts as (_ & _ & _ & Len & Re). destruct (Re q) as [Rn Ri]. destruct (in_dec Nat.eq_dec q (List.map N.to_nat rs)) as [I|N]; [|auto].
  destruct (Nat.lt_ge_cases q (length (registers Q))) as [L|L]; [right; auto|]. left. unfold Machine.register. apply nth_overflow. lia.
Qed.
Lemma dead_everywhere o : Machine.object_at st o = Machine.dead_object.
Proof. destruct entry_parts as (Me & _). unfold Machine.object_at. rewrite Me. destruct o; reflexivity. Qed.
Lemma entry_is_fine : FoldedMembers.fine_state P st.
Proof.
  destruct entry_parts as (Me & Cu & _ & _ & _). destruct (Entries.entry_fine P contents vs st entry) as [Ty Or].
  split; [exact (Tidy.entry_tidy P locals vs st entry) | exact Ty | exact Or | |].
  - unfold Existing.pointers_exist, Existing.all_exist. rewrite Me, Cu. split; [|split; constructor]. apply Forall_forall. intros v I.
    destruct (In_nth _ _ Machine.Uninitialised I) as (q & _ & <-). destruct (plain_register q) as [R|[z R]]; unfold Machine.register in R; rewrite R; exact Logic.I.
  - intros o A. rewrite dead_everywhere in A. discriminate.
Qed.
Lemma entry_alike : Alike.alike (FoldedMembers.everything P) (fun _ => None) st st.
Proof.
  destruct entry_parts as (_ & Cu & _). split; try (intros; discriminate); auto.
  - intros q _. destruct (plain_register q) as [R|[z R]]; rewrite R; simpl; auto.
  - intros d _. rewrite Cu. destruct d; exact Logic.I.
Qed.
(** The values of variables: what the registers hold. *)
Definition value_at (T : integer_type) (x : nat) : Z := match List.nth_error (of_type T (rev rs)) x with
  | Some r => match Machine.register st (N.to_nat r) with Machine.Integer z => if Integers.is_within T z then z else 0 | _ => 0 end | None => 0 end.
Definition entry_values : Terms.valuation := {| Terms.integers := fun q x => match q with Some T => value_at T x | None => 0 end; Terms.arrays := fun _ _ _ => 0 |}.
Lemma entry_sorted : Terms.well_sorted entry_values.
Proof.
  split; [|intros; apply zero_within]. intros T x. cbn. unfold value_at. destruct (List.nth_error _ x) as [r|]; [|apply zero_within].
  destruct (Machine.register st (N.to_nat r)); try apply zero_within. destruct (Integers.is_within T z) eqn:W; [apply is_within_iff; exact W | apply zero_within].
Qed.
Lemma value_is r before after : rev rs = before ++ r :: after -> is_integer_register r -> Machine.register st (N.to_nat r) = Machine.Integer (value_at (kind_of r) (length (of_type (kind_of r) before))).
Proof.
  intros Eq (x & Ax & Tx). unfold value_at. rewrite Eq. unfold of_type. rewrite filter_app. simpl. assert (Tt : integer_type_eqb (kind_of r) (kind_of r) = true) by (apply type_eqb_is; reflexivity). rewrite Tt.
  rewrite nth_error_app2 by lia. rewrite Nat.sub_diag. cbn [List.nth_error].
  destruct entry_parts as (_ & _ & _ & _ & Re). destruct (Re (N.to_nat r)) as [_ Ri].
  assert (In_ : In r rs) by (apply in_rev; rewrite Eq; apply in_or_app; right; left; reflexivity).
  assert (Lr : (N.to_nat r < length (registers Q))%nat).
  { unfold E in Ax. cbn [setting_of names_in names_of registers_of] in Ax. rewrite at_position_is in Ax. apply nth_error_Some. congruence. }
  destruct (Ri (in_map _ _ _ In_) Lr) as [z Rz]. rewrite Rz. pose proof (proj1 (proj1 (Entries.entry_fine P contents vs st entry)) (N.to_nat r)) as Ty.
  pose proof (same_registers _ _ _ (setting_same Q us k ts integers_of_c) r x Ax) as Sr. fold P in Sr. rewrite Sr, Tx, Rz in Ty. simpl in Ty. apply is_within_iff in Ty. rewrite Ty. reflexivity.
Qed.
Lemma member_denotes M m phi : objects_held m = none_numbered object_state 0 -> parts_held m = none_numbered folded 0 -> whole_member E m ->
  (forall r, In r (rev rs) -> is_integer_register r /\ exists t before after, find (held m) r = Some (IntegerSlot t) /\ rev rs = before ++ r :: after /\ exists s, is_term s M t (value_at (kind_of r) (length (of_type (kind_of r) before)))) ->
  (forall r v, find (held m) r = Some v -> ~ In r (rev rs) -> v = Uninitialised) -> FoldedMembers.denotes_state P [] (valued M) phi (member_of 0 m) st.
Proof.
  intros Ob Pt [Dm Gm] In_ Out. destruct entry_parts as (Me & Cu & Lo & Len & Re).
  exists st, (fun _ => None). split; [exact entry_is_fine|]. split; [|split; [exact entry_alike|]].
  2: { intros _. split; [intros o [A _]; rewrite dead_everywhere in A; discriminate | intros o A; rewrite dead_everywhere in A; discriminate]. }
  exists (fun o => o), (fun _ => Folding.anything), (fun _ => Folding.anything), (fun _ => []).
  assert (No : forall o, FoldedMembers.object_named (member_of 0 m) o = None) by (intros o; unfold FoldedMembers.object_named; simpl; rewrite Ob; destruct o; reflexivity).
  assert (Np : forall f, FoldedMembers.part_named (member_of 0 m) f = None) by (intros f; unfold FoldedMembers.part_named; simpl; rewrite Pt; destruct f; reflexivity).
  split; try (intros; rewrite No in *; discriminate); try (intros; rewrite Np in *; discriminate).
  - exact Lo.
  - rewrite Len, slots_of_member, Gm. change (registers (program_in E)) with (registers Q). rewrite Templates.count_length, Nat2N.id. reflexivity.
  - rewrite Cu. unfold P. cbn [Translated.program_of Programs.objects]. rewrite no_objects. reflexivity.
  - intros q. rewrite slot_at_is. destruct (Nat.ltb_spec q (N.to_nat (given (held m)))) as [L|L]; [|exact Logic.I]. destruct (find (held m) (N.of_nat q)) as [v|] eqn:F; [|exact Logic.I].
    destruct (in_dec N.eq_dec (N.of_nat q) (rev rs)) as [I|N].
    + destruct (In_ _ I) as (Iq & t & before & after & Ft & Eq & s & _ & Vt). rewrite F in Ft. injection Ft as ->. simpl. rewrite N2Nat.id, Vt.
      pose proof (value_is _ _ _ Eq Iq) as V. rewrite Nat2N.id in V. symmetry. exact V.
    + rewrite (Out _ v F N). simpl. destruct (Re q) as [Rn _]. symmetry. apply Rn. intros I. apply N. apply -> in_rev. apply in_map_iff in I as (r & Er & Ir). subst q. rewrite N2Nat.id. exact Ir.
  - intros _ o [A _]. rewrite dead_everywhere in A. discriminate.
Qed.
Theorem entry_shown c s M t : entered entry_values (rev rs) c s M -> good entry_values s M -> Herds.last (Goatherd.Runs.system_of P (Translated.parameters_of us)) t = Goatherd.Runs.Running st ->
  Herds.consumed _ t = 0%nat -> Herds.origin _ t = Goatherd.Runs.Running st ->
  shows_stage P (Translated.parameters_of us) trees tabs (Open s (with_entry c (nth (herd c) 0))) t [].
Proof.
  intros [Sc _ (Sy & Li & En & Pr) (m & zero & Hd & Pl & Sz & Cs & [Iz Vz] & Ob & Pt & [Dm Gm] & In_ & Out)] G La Co Or.
  set (phi := {| FoldedMembers.trees := fun _ => Sorts.Empty; FoldedMembers.contexts := fun _ => Sorts.Hole |}).
  set (d := with_entry c (nth (herd c) 0)). assert (Ss : symbols_of d = []) by (unfold symbols_of, d; cbn [with_entry symbols]; rewrite Sy; reflexivity).
  assert (De : FoldedMembers.denotes_state P [] (valued M) phi (member_of 0 m) st).
  { apply (member_denotes M m phi Ob Pt (conj Dm Gm)); [|exact Out]. intros r I. destruct (In_ r I) as (A & u & b & a & F & Eq & T). split; [exact A|]. exists u, b, a. split; [exact F|]. split; [exact Eq|]. exists s. exact T. }
  assert (En_ : plain_entry M m).
  { split; auto.
    - split; [exact Dm | exact Gm].
    - intros r I. apply in_rev in I. destruct (In_ r I) as (Ir & u & b & a & F & _ & _ & Vu). split; [exact Ir|]. exists u. split; [exact F|]. rewrite Vu. apply entry_sorted.
    - intros r v F N. apply (Out r v F). intros I. apply N, in_rev. exact I. }
  exists entry_values, M, phi. split; [exact entry_sorted|]. split; [exact G|]. split; [unfold d; cbn [with_entry known_literals]; rewrite Li; intros l []|].
  split; [intros x; unfold FoldedMembers.well_meant_symbol; rewrite Ss; destruct x; exact Logic.I|]. rewrite Ss. split.
  - unfold herd_accounts, d. cbn [with_entry herd]. rewrite Hd. split; [|constructor]. split.
    + simpl. rewrite Pl. exists st. auto.
    + simpl. rewrite Cs, valued_term, Vz, Co. reflexivity.
  - unfold entry_accounts, d. cbn [with_entry entry_member]. rewrite Hd. cbn [nth N.eqb]. split; [|split; [exact Sz|]; destruct (plain_holds M m phi En_) as (vs_ & Hv); exists 0%N, vs_, []; split; [exact Pl | exact Hv]]. split.
    + simpl. rewrite Pl. exists st. auto.
    + simpl. rewrite Cs, valued_term, Vz. reflexivity.
Qed.
End Entry.

(** Roots that are given cover all entry states. *)
Theorem integer_roots_cover l s roots : given_roots tabs (Rules.root_of_class E l) 0%N s roots ->
  forall x, Goatherd.Runs.is_entry P x -> exists y, In y roots /\ shows_stage P (Translated.parameters_of us) trees tabs y (Herds.Run (Goatherd.Runs.system_of P (Translated.parameters_of us)) x 0 x) [].
Proof.
  intros Gi x (vs & st & En & ->). inversion Gi as [cl s0 s' Mo R | cl s0 d s' s2 l' Mo R G2]; subst.
  - exfalso. destruct (Mo zeros zeros_sorted) as [M G]. destruct (root_meets zeros l 0%N s M zeros_sorted G _ _ R) as (_ & _ & _ & N). apply N. reflexivity.
  - exists (Open s' d). split; [left; reflexivity|]. destruct (Mo (entry_values st) (entry_sorted st)) as [M G].
    destruct (root_meets (entry_values st) l 0%N s M (entry_sorted st) G _ _ R) as (M' & G' & _ & c & -> & Ent). eapply entry_shown; eauto.
Qed.
End Roots.
