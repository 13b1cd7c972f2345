(** Root (spec/calculus.md#root): a configuration for each combination of size
    classes, which hold all valid inputs between them. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Folding FoldedMembers Configurations Cases Entries Entered Planting Presented Loading Recognised Built Entering.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

(** ** Valuations with these values of array variables, too *)

Fixpoint bound_array T v (l : list (integer_type * nat * (Z -> Z))) := match l with
  | [] => None | (U, w, a) :: l => if integer_type_eqb T U && Nat.eqb v w then Some a else bound_array T v l end.
Lemma bound_array_in l T v a : NoDup (map fst l) -> In (T, v, a) l -> bound_array T v l = Some a.
Proof.
  induction l as [|[[U w] b] l IH]; simpl; [intros _ []|]. intros N I. inversion_clear N as [|? ? N1 N2].
  destruct I as [I|I].
  - injection I as -> -> ->. assert (E : integer_type_eqb T T = true) by (apply integer_type_eqb_eq; auto). rewrite E, Nat.eqb_refl. auto.
  - destruct (integer_type_eqb T U && Nat.eqb v w) eqn:E; [|auto]. apply andb_prop in E as [E1 E2].
    apply integer_type_eqb_eq in E1. apply Nat.eqb_eq in E2. subst. destruct N1. apply (in_map fst) in I. exact I.
Qed.
Lemma bound_array_some l T v a : bound_array T v l = Some a -> In (T, v, a) l.
Proof.
  induction l as [|[[U w] b] l IH]; simpl; [discriminate|]. destruct (integer_type_eqb T U && Nat.eqb v w) eqn:E; [|auto].
  apply andb_prop in E as [E1 E2]. apply integer_type_eqb_eq in E1. apply Nat.eqb_eq in E2. subst. intros [= ->]. auto.
Qed.
Definition binding := (list (integer_type * nat * Z) * list (integer_type * nat * (Z -> Z)) * list (nat * tree))%type.
Definition zeros := {| integers := fun T _ => match T with Some T => wrap T 0 | None => 0 end; arrays := fun T _ _ => wrap T 0 |}.
Definition valuation_of (b : binding) := let '(ib, ab, _) := b in
  {| integers := integers (with_integers zeros ib);
     arrays := fun T v => match bound_array T v ab with Some a => a | None => fun _ => wrap T 0 end |}.
Definition in_range_binding (b : binding) := let '(ib, ab, _) := b in
  (forall T v z, In (T, v, z) ib -> within T z) /\ (forall T v a, In (T, v, a) ab -> forall i, within T (a i)).
Lemma bound_sorted b : in_range_binding b -> well_sorted (valuation_of b).
Proof.
  destruct b as [[ib ab] sb]. intros [I A]. split; simpl.
  - intros T v. destruct (bound_integer T v ib) as [z|] eqn:E; [apply bound_integer_some in E; eauto | apply wrap_within].
  - intros T v i. destruct (bound_array T v ab) as [a|] eqn:E; [apply bound_array_some in E; eauto | apply wrap_within].
Qed.
(** What has these values, whatever else. *)
Definition binds nu phi (b : binding) := let '(ib, ab, sb) := b in
  (forall T v z, In (T, v, z) ib -> integers nu (Some T) v = z) /\ (forall T v a, In (T, v, a) ab -> arrays nu T v = a) /\
  (forall x t, In (x, t) sb -> trees phi x = t).
Definition join (b c : binding) : binding := let '(i1, a1, s1) := b in let '(i2, a2, s2) := c in (i1 ++ i2, a1 ++ a2, s1 ++ s2).
Lemma binds_join nu phi b c : binds nu phi (join b c) -> binds nu phi b /\ binds nu phi c.
Proof.
  destruct b as [[i1 a1] s1], c as [[i2 a2] s2]. intros (I & A & S). repeat split; intros; try apply I; try apply A; try apply S; apply in_or_app; auto.
Qed.
Lemma in_range_join b c : in_range_binding b -> in_range_binding c -> in_range_binding (join b c).
Proof.
  destruct b as [[i1 a1] s1], c as [[i2 a2] s2]. intros [I A] [I' A']. split; intros T v z J; apply in_app_or in J as [J|J]; eauto.
Qed.

Section Roots.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Notation fields_in d := (layout_fields (layout_of_declaration P d)).

(** ** What a root holds *)

Definition variable T v := Plain (Members.IntegerSlot (Var (Some T) v)).
(** Of an integer field, which it is, its type, the variables of its cells, and
    of its rest. *)
Record field_variables := { of_field : nat; of_type : integer_type; of_cells : list nat; of_rest : option nat }.
Inductive fresh_fields : nat -> list Programs.field -> list field_state -> list field_variables -> Prop :=
| no_more_fields j : fresh_fields j [] [] []
| fresh_integers j fld l T vs w cs fs : Programs.holds fld = IntegerType T -> fresh_fields (S j) l cs fs ->
    fresh_fields j (fld :: l) ({| apart := map (variable T) vs; rest := option_map (ArrayVar T) w |} :: cs)
      ({| of_field := j; of_type := T; of_cells := vs; of_rest := w |} :: fs)
| fresh_pointers j fld l cs fs : Programs.holds fld = PointerType -> fresh_fields (S j) l cs fs ->
    fresh_fields j (fld :: l) ({| apart := [Plain Members.NothingHeld]; rest := None |} :: cs) fs.
Definition integer_keys fs := flat_map (fun f => map (fun v => (of_type f, v)) (of_cells f)) fs.
Definition array_keys fs := flat_map (fun f => match of_rest f with Some w => [(of_type f, w)] | None => [] end) fs.
(** There is something for each of so many elements. *)
Definition reaches_to n (fs : list field_variables) := Forall (fun f => of_rest f <> None \/ (n <= length (of_cells f))%nat) fs.
Record fresh_object d e x fs : Prop := {
  fresh_kind : kind x = d;
  fresh_live : life_of x = Live;
  fresh_start : begins x = Constant 0;
  fresh_end : ends x = e;
  fresh_contents : fresh_fields 0 (fields_in d) (contents x) fs }.

(** *** Elements under a valuation *)

Definition element_at d rows f j := match read (field_of (array_object P d rows) f) j with Integer z => z | _ => 0 end.
Definition cells_bound d rows f := map (fun p => (of_type f, snd p, wrap (of_type f) (element_at d rows (of_field f) (Z.of_nat (fst p))))) (combine (seq 0 (length (of_cells f))) (of_cells f)).
Definition rest_bound d rows f := match of_rest f with Some w => [(of_type f, w, fun j => wrap (of_type f) (element_at d rows (of_field f) j))] | None => [] end.
Definition rows_bound d rows fs : binding := (flat_map (cells_bound d rows) fs, flat_map (rest_bound d rows) fs, []).
Lemma map_combine_snd {A B} (l : list A) (m : list B) : length l = length m -> map snd (combine l m) = m.
Proof. revert m. induction l as [|x l IH]; intros [|y m] L; simpl in *; try discriminate; auto. f_equal. apply IH. lia. Qed.
Lemma rows_keys d rows fs : map fst (fst (fst (rows_bound d rows fs))) = integer_keys fs /\ map fst (snd (fst (rows_bound d rows fs))) = array_keys fs.
Proof.
  simpl. split; induction fs as [|f fs IH]; simpl; auto; rewrite map_app, IH; f_equal.
  - unfold cells_bound. rewrite map_map. simpl. rewrite <- (map_combine_snd (seq 0 (length (of_cells f))) (of_cells f)) at 3 by apply seq_length. rewrite map_map. reflexivity.
  - unfold rest_bound. destruct (of_rest f); reflexivity.
Qed.
Lemma rows_in_range d rows fs : in_range_binding (rows_bound d rows fs).
Proof.
  split; intros T v z I; apply in_flat_map in I as (f & _ & I).
  - apply in_map_iff in I as (p & [= <- <- <-] & _). apply wrap_within.
  - unfold rest_bound in I. destruct (of_rest f); [|destruct I]. destruct I as [[= <- <- <-]|[]]. intros i. apply wrap_within.
Qed.

Lemma fresh_field_at j l cs fs : fresh_fields j l cs fs -> forall k fld, nth_error l k = Some fld ->
  (exists f, In f fs /\ of_field f = (j + k)%nat /\ Programs.holds fld = IntegerType (of_type f) /\
     nth k cs no_field = {| apart := map (variable (of_type f)) (of_cells f); rest := option_map (ArrayVar (of_type f)) (of_rest f) |}) \/
  Programs.holds fld = PointerType /\ nth k cs no_field = {| apart := [Plain Members.NothingHeld]; rest := None |}.
Proof.
  induction 1 as [| j fld l T vs w cs fs Hf _ IH | j fld l cs fs Hf _ IH]; intros [|k] g E; simpl in E; try discriminate.
  - injection E as <-. left. eexists. split; [left; reflexivity|]. simpl. rewrite Nat.add_0_r. auto.
  - destruct (IH k g E) as [(f & I & O & H)|H]; [left | right; exact H]. exists f. split; [right; exact I|]. split; [lia | exact H].
  - injection E as <-. right. auto.
  - destruct (IH k g E) as [(f & I & O & H)|H]; [left | right; exact H]. exists f. split; [exact I|]. split; [lia | exact H].
Qed.
Lemma fresh_width j l cs fs : fresh_fields j l cs fs -> length cs = length l.
Proof. induction 1; simpl; auto. Qed.

(** What a column of an object holds. *)
Lemma column_read l : forall n rows f fld j, nth_error l f = Some fld -> Forall (fun row => row_fits l (skipn n row) = true) rows -> 0 <= j < Z.of_nat (length rows) ->
  match Programs.holds fld with
  | IntegerType T => exists z, read (nth f (columns l n rows) no_cells) j = Integer z /\ within T z
  | PointerType => read (nth f (columns l n rows) no_cells) j = Uninitialised end.
Proof.
  intros n rows f fld j E F B. pose proof (columns_in l n rows F f j) as V.
  assert (S : match Programs.holds fld with IntegerType _ => exists z, read (nth f (columns l n rows) no_cells) j = Integer z | PointerType => read (nth f (columns l n rows) no_cells) j = Uninitialised end).
  { clear F V. revert n f E. induction l as [|x l IH]; intros n [|f] E; simpl in E; try discriminate.
    - injection E as ->. simpl. destruct (Programs.holds fld); simpl; [|reflexivity]. unfold read. simpl. destruct (Z.leb_spec 0 j); [|lia].
      set (cell := fun row : list Z => Integer (nth n row 0)). rewrite (nth_indep _ _ (cell [])) by (rewrite map_length; lia). rewrite map_nth. unfold cell. eauto.
    - simpl. destruct (Programs.holds x); simpl; apply IH; exact E. }
  rewrite (nth_error_nth _ _ PointerType (map_nth_error Programs.holds f l E)) in V. destruct (Programs.holds fld); auto. destruct S as (z & S). exists z. split; auto. rewrite S in V. exact V.
Qed.

Section Bound.
Variables (nu : valuation) (phi : meaning).
Lemma fresh_elements d rows e x fs : fresh_object d e x fs -> binds nu phi (rows_bound d rows fs) -> forallb (row_fits (fields_in d)) rows = true ->
  eval nu e = Z.of_nat (length rows) -> reaches_to (length rows) fs ->
  forallb is_integer (fields_in d) = true \/ (length rows <= 1)%nat -> holds_rows P nu d rows x.
Proof.
  intros [K L S E C] (Bi & Ba & _) F Ee R Al. pose proof (fresh_width _ _ _ _ C) as W. split; auto.
  - rewrite S, E, Ee. reflexivity.
  - intros f j B Lf. rewrite S. simpl eval. rewrite Z.add_0_l. destruct (nth_error (fields_in d) f) as [fld|] eqn:Ef; [|apply nth_error_None in Ef; lia].
    assert (Fr : Forall (fun row => row_fits (fields_in d) (skipn 0 row) = true) rows) by (apply Forall_forall; intros row I; rewrite forallb_forall in F; apply F; exact I).
    pose proof (column_read (fields_in d) 0 rows f fld j Ef Fr B) as V. change (nth f (columns (fields_in d) 0 rows) no_cells) with (field_of (array_object P d rows) f) in V.
    destruct (fresh_field_at _ _ _ _ C f fld Ef) as [(v & Iv & Ov & Hv & Nv)|[Hv Nv]]; rewrite Hv in V; rewrite Nv.
    + destruct V as (z & V & Wz). rewrite V. unfold fixed_element. cbn [apart rest]. rewrite map_length.
      assert (El : wrap (of_type v) (element_at d rows (of_field v) j) = z).
      { rewrite Ov. simpl. unfold element_at. rewrite V. apply wrap_same. exact Wz. }
      destruct (Z.leb_spec 0 j); [|lia]. destruct (Z.ltb_spec j (Z.of_nat (length (of_cells v)))); cbn [andb].
      * rewrite (nth_indep _ _ (variable (of_type v) 0)) by (rewrite map_length; lia). rewrite (map_nth (variable (of_type v))). simpl. f_equal. f_equal.
        apply Bi. apply in_flat_map. exists v. split; auto. unfold cells_bound. apply in_map_iff. exists (Z.to_nat j, nth (Z.to_nat j) (of_cells v) O). simpl.
        rewrite Z2Nat.id by lia. rewrite El. split; auto. 
        replace (Z.to_nat j, nth (Z.to_nat j) (of_cells v) O) with (nth (Z.to_nat j) (combine (seq 0 (length (of_cells v))) (of_cells v)) (O, O)).
        -- apply nth_In. rewrite combine_length, seq_length. lia.
        -- rewrite combine_nth by apply seq_length. rewrite seq_nth by lia. reflexivity.
      * unfold reaches_to in R. rewrite Forall_forall in R. destruct (R v Iv) as [Rv|Rv]; [|lia]. destruct (of_rest v) as [w|] eqn:Ew; [|congruence]. cbn [option_map eval_array].
        rewrite (Ba (of_type v) w (fun j => wrap (of_type v) (element_at d rows (of_field v) j))); [rewrite El; reflexivity|].
        apply in_flat_map. exists v. split; auto. unfold rest_bound. rewrite Ew. left. reflexivity.
    + rewrite V. destruct Al as [Al|Al].
      * rewrite forallb_forall in Al. specialize (Al fld (nth_error_In _ _ Ef)). unfold is_integer in Al. rewrite Hv in Al. discriminate.
      * assert (j = 0) by lia. subst j. reflexivity.
Qed.
Lemma fresh_right m d rows e x fs : fresh_object d e x fs -> holds_rows P nu d rows x -> is_input P d = true -> forallb (row_fits (fields_in d)) rows = true ->
  forallb is_integer (fields_in d) = true \/ (length rows <= 1)%nat -> object_right P nu m d x.
Proof.
  intros [K L S E C] H N F Al. pose proof (fresh_width _ _ _ _ C) as W. unfold is_input in N. split; rewrite ?K.
  - rewrite (rows_end _ _ _ _ _ H). lia.
  - exact W.
  - unfold is_local. destruct (origin_of _); auto; discriminate.
  - unfold is_static_at, is_static_declaration. destruct (origin_of _); discriminate.
  - unfold is_node. destruct (origin_of _); discriminate.
  - intros _ k fld i Ek B. rewrite (rows_end _ _ _ _ _ H), S in B. simpl in B.
    assert (Fr : Forall (fun row => row_fits (fields_in d) (skipn 0 row) = true) rows) by (apply Forall_forall; intros row I; rewrite forallb_forall in F; apply F; exact I).
    pose proof (column_read (fields_in d) 0 rows k fld i Ek Fr ltac:(lia)) as V. unfold element_right.
    pose proof (rows_elements _ _ _ _ _ H k i ltac:(lia)) as El. rewrite S in El. simpl eval in El. rewrite Z.add_0_l in El. destruct (Programs.holds fld) eqn:Hf.
    + destruct V as (z & V & Wz). exists z. split; auto. rewrite El by (apply nth_error_Some; congruence). f_equal. exact V.
    + destruct Al as [Al|Al].
      * rewrite forallb_forall in Al. specialize (Al fld (nth_error_In _ _ Ek)). unfold is_integer in Al. rewrite Hf in Al. discriminate.
      * destruct (fresh_field_at _ _ _ _ C k fld Ek) as [(v & _ & _ & Hv & _)|[_ Nv]]; [congruence|]. rewrite Nv. simpl. assert (i = 0) by lia. subst i. simpl. split; [lia | exact I].
Qed.
End Bound.

(** ** Trees of what the caller hands over *)

Definition valid_value i v : Prop := match i, v with
  | IntegerInput r, IntegerValue z => Integers.is_within (integer_type_of P r) z = true
  | ArrayInput p n d, ArrayValue rows => array_allowed P n d rows = true
  | SingleInput p d, SingleValue None => True
  | SingleInput p d, SingleValue (Some row) => row_fits (fields_in d) row = true
  | LinkedInput p d, LinkedValue l => exists above n x, plant P l d above n = Some x
  | _, _ => False end.
Lemma loaded_valid is : forall a vs b, load_inputs P a is vs = Some b -> Forall2 valid_value is vs.
Proof.
  induction is as [|i is IH]; intros a [|v vs] b E; simpl in E; try discriminate; [constructor|].
  destruct (load_input P a i v) as [c|] eqn:L; [|discriminate]. constructor; [|eapply IH; eauto]. clear E IH.
  destruct i, v; simpl in L; try discriminate.
  - simpl. destruct (is_within _ _); [reflexivity | discriminate].
  - simpl. unfold array_allowed. destruct (_ && _); [reflexivity | discriminate].
  - destruct fields as [row|]; simpl; auto. destruct (row_fits _ _); [reflexivity | discriminate].
  - simpl. destruct (plant P t object Null (length (made a))) as [x|] eqn:E; [eauto | discriminate].
Qed.
Lemma entry_valid vs s : entry_state P vs = Some s -> Forall2 valid_value (inputs P) vs.
Proof. unfold entry_state. destruct (load_inputs _ _ _ _) as [a|] eqn:E; [|discriminate]. intros _. eapply loaded_valid; eauto. Qed.

(** A node of these integers and children. *)
Lemma unplanted_fields ls flds : Forall2 link_fits flds ls -> Forall of_declaration ls -> (forall c, In (Child c) ls -> is_node P c = true) ->
  forall integers ts, row_fits flds integers = true -> Forall2 (fun c t => of_sort table c t /\ typed_tree P t) (child_sorts ls) ts ->
  exists fs, Sorts.fields table ls fs /\ integers_of fs = integers /\ children_of fs = map linked_of ts /\
    (forall k z, nth_error fs k = Some (Sorts.Integer z) -> value_in (nth k (map Programs.holds flds) PointerType) (Integer z)) /\
    (forall e t, In (Below e t) fs -> typed_tree P t).
Proof.
  induction 1 as [|fld l flds ls F _ IH]; intros D Ch integers ts R T.
  - inversion T; subst. destruct integers; [|discriminate]. exists []. repeat split; try constructor; [intros [|k] z; discriminate | intros e t []].
  - inversion_clear D as [|? ? Dl Ds]. assert (Ch' : forall c, In (Child c) ls -> is_node P c = true) by (intros c I; apply Ch; simpl; auto).
    assert (Pointers : forall k, l = k -> (k = Up \/ k = Other \/ k = Sorts.Null) -> Programs.holds fld = PointerType -> row_fits flds integers = true ->
      Forall2 (fun c t => of_sort table c t /\ typed_tree P t) (child_sorts ls) ts -> exists fs, Sorts.fields table (l :: ls) fs /\ integers_of fs = integers /\ children_of fs = map linked_of ts /\
      (forall k z, nth_error fs k = Some (Sorts.Integer z) -> value_in (nth k (map Programs.holds (fld :: flds)) PointerType) (Integer z)) /\ (forall e t, In (Below e t) fs -> typed_tree P t)).
    { intros k -> Hk Hf R' T'. destruct (IH Ds Ch' integers ts R' T') as (fs & A & B & C & E & G). exists (Sorts.Pointer k :: fs).
      split; [constructor; auto; constructor; destruct Hk as [->|[->| ->]]; exact I|]. split; [exact B|]. split; [exact C|]. split.
      - intros [|j] z Ez; simpl in Ez; [discriminate | apply (E j z Ez)].
      - intros e t [J|J]; [discriminate | eauto]. }
    unfold link_fits in F. simpl in R. destruct l; simpl in Dl; try contradiction; destruct (Programs.holds fld) as [U|] eqn:Hf; try contradiction.
    + destruct integers as [|z integers]; [discriminate|]. apply andb_prop in R as [W R]. destruct (IH Ds Ch' integers ts R T) as (fs & A & B & C & E & G).
      exists (Sorts.Integer z :: fs). split; [constructor; auto; constructor|]. split; [simpl; rewrite B; reflexivity|]. split; [exact C|]. split.
      * intros [|j] y Ey; simpl in Ey; [injection Ey as <-; simpl; rewrite Hf; apply is_within_iff; exact W | apply (E j y Ey)].
      * intros e t [J|J]; [discriminate | eauto].
    + simpl in T. inversion T as [|? t ? ts' [O Ty] T']; subst. destruct (IH Ds Ch' integers ts' R T') as (fs & A & B & C & E & G).
      exists (Below (AsIn (same_field table s)) t :: fs). split; [constructor; auto; constructor; auto|]. split; [exact B|]. split; [simpl; rewrite C; reflexivity|]. split.
      * intros [|j] y Ey; simpl in Ey; [discriminate | apply (E j y Ey)].
      * intros e u [J|J]; [injection J as <- <-; exact Ty | eauto].
    + apply (Pointers Up); auto.
    + apply (Pointers Other); auto.
    + apply (Pointers Sorts.Null); auto.
Qed.
Lemma unplanted : forall l d above n x, is_node P d = true -> plant P l d above n = Some x -> exists t, linked_of t = l /\ of_sort table d t /\ typed_tree P t.
Proof.
  fix IH 1. intros [|integers children] d above n x N E.
  - exists Empty. split; auto. split; constructor. rewrite (sorts_of_nodes _ _ formed d N). reflexivity.
  - rewrite plant_node in E. destruct (plants P children (child_sorts (links_of P d)) (Inputs.start_of n) (S n)) as [[vs os]|] eqn:Ep; [|discriminate].
    destruct (row_fits (fields_in d) integers) eqn:R; [|discriminate].
    assert (X : forall ds m vs os, (forall c, In c ds -> is_node P c = true) -> plants P children ds (Inputs.start_of n) m = Some (vs, os) ->
      exists ts, map linked_of ts = children /\ Forall2 (fun c t => of_sort table c t /\ typed_tree P t) ds ts).
    { clear - IH. induction children as [|l ls IHl]; intros [|c ds] m vs os Nd E; simpl in E; try discriminate; [exists []; auto|].
      destruct (plant P l c (Inputs.start_of n) m) as [[v os1]|] eqn:El; [|discriminate].
      destruct (plants P ls ds (Inputs.start_of n) (m + length os1)%nat) as [[vs2 os2]|] eqn:Els; [|discriminate].
      destruct (IH l c _ _ _ (Nd c (or_introl eq_refl)) El) as (t & Et & Ot & Tt). destruct (IHl ds _ _ _ (fun c I => Nd c (or_intror I)) Els) as (ts & Ets & Fts).
      exists (t :: ts). split; [simpl; rewrite Et, Ets; reflexivity | constructor; auto]. }
    assert (Cn : forall c, In c (child_sorts (links_of P d)) -> is_node P c = true).
    { intros c I. unfold child_sorts in I. apply in_flat_map in I as (k & I & J). destruct k; try contradiction. destruct J as [->|[]]. eapply (children_of_nodes _ _ formed); eauto. }
    destruct (X _ _ _ _ Cn Ep) as (ts & Ets & Fts).
    destruct (unplanted_fields _ _ (fields_of_nodes _ _ formed d N) (nodes_of_links _ _ formed d N) (children_of_nodes _ _ formed d) integers ts R Fts) as (fs & A & B & C & G & H).
    exists (Node d 0 fs). split; [rewrite linked_node, B, C, Ets; reflexivity|]. split.
    + pose proof (of_node table d (links_of P d) fs) as O. rewrite (sorts_of_nodes _ _ formed d N) in O. apply O; [simpl; auto | exact A].
    + constructor; auto. intros e c J. destruct (no_rings _ _ _ A (nodes_of_links _ _ formed d N) _ _ J).
Qed.
End Roots.
