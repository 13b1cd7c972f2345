(** There is a state that a member before its first instruction describes
    (spec/calculus.md#states-and-herds): its objects where their names say, and
    behind them the trees of its folded parts.  So nothing that is in its tables
    has to be reached. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Entries Planting Presented Loading Recognised.
From Goatherd Require Members Scapegoats Unfolding Insides.
Import ListNotations.
Open Scope Z_scope.

Section Built.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis contents_right : contents_formed P.
Notation fields_in d := (layout_fields (layout_of_declaration P d)).
Notation is_static_at := (is_static_at P).

Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (m : member).
Hypothesis meant : well_meant P table sorts phi.
Notation fixed_element := (fixed_element nu).

(** ** What is asked of the member *)

(** A pointer to something that is there. *)
Definition leads v := match v with
  | Plain (Members.PointerSlot o _ _) => object_named m o <> None
  | RootOf f => part_named m f <> None
  | LastOf _ => False
  | _ => True end.
Definition element_right fld f i := match holds fld with
  | IntegerType T => exists z, fixed_element f i = Some (Integer z) /\ within T z
  | PointerType => 0 <= i < Z.of_nat (length (apart f)) /\ leads (nth (Z.to_nat i) (apart f) forgotten) end.
Record object_right o x : Prop := {
  right_order : eval nu (begins x) <= eval nu (ends x);
  right_width : length (contents x) = length (fields_in (kind x));
  right_local : is_local P (kind x) = false;
  right_name : is_static_at (kind x) = true -> o = kind x;
  right_node : is_node P (kind x) = true -> eval nu (begins x) = 0 /\ eval nu (ends x) = 1;
  right_elements : life_of x = Live -> forall k fld i, nth_error (fields_in (kind x)) k = Some fld ->
    eval nu (begins x) <= i < eval nu (ends x) -> element_right fld (nth k (contents x) no_field) i }.
Definition part_right q := exists d, nth_error sorts (symbol q) = Some (TreeOf d) /\ is_node P d = true /\
  below q = Plain Members.NullSlot /\ alongside q = forgotten /\ leads (above q).
Record buildable : Prop := {
  built_objects : forall o x, object_named m o = Some x -> object_right o x;
  built_parts : forall f q, part_named m f = Some q -> part_right q;
  built_slots : forall r, leads (slot_at m r);
  built_integers : forall r t, slot_at m r = Plain (Members.IntegerSlot t) -> value_in (type_of P r) (Integer (eval nu t)) }.
Hypothesis right : buildable.
Hypothesis statics_there : forall d, is_static_at d = true -> object_named m d <> None.

(** ** The state *)

Definition part_tree f := match part_named m f with Some q => trees phi (symbol q) | None => Empty end.
Definition begin_of f := (length (named m) + list_sum (map (fun j => tree_size (part_tree j)) (seq 0 f)))%nat.
Definition root_of f := match part_named m f with Some _ => root_at (part_tree f) (begin_of f) | None => Uninitialised end.
Definition held_value v := match v with
  | Plain (Members.PointerSlot o i b) => match object_named m o with
    | Some _ => Pointer {| target := o; index := eval nu i; byte := b |} | None => Uninitialised end
  | Plain w => Members.value_of nu w
  | RootOf f => root_of f
  | LastOf _ => Uninitialised end.
(** What cells say of elements that the object does not have is left out. *)
Definition built_pointer x f k := if (eval nu (begins x) <=? Z.of_nat k) && (Z.of_nat k <? eval nu (ends x)) then held_value (nth k (apart f) forgotten) else Uninitialised.
Definition built_field x (p : Programs.field * field_state) : Machine.cells := match holds (fst p) with
  | IntegerType T => {| initially := Any (fun i => wrap T match fixed_element (snd p) i with Some (Integer z) => z | _ => 0 end); written := [] |}
  | PointerType => {| initially := Each (map (built_pointer x (snd p)) (seq 0 (length (apart (snd p))))); written := [] |} end.
Definition built_object x := {| declared := kind x; lower := eval nu (begins x); upper := eval nu (ends x); alive := life_of x;
  fields_of := map (built_field x) (combine (fields_in (kind x)) (contents x)) |}.
Definition built_entry x := match x with Some x => built_object x | None => dead_object end.
Definition built_part f := match part_named m f with
  | Some q => match nth_error sorts (symbol q) with
    | Some (TreeOf d) => match plant P (linked_of (part_tree f)) d (held_value (above q)) (begin_of f) with Some (_, os) => os | None => [] end
    | _ => [] end
  | None => [] end.
Definition built : state := {|
  location := place_of m; values := map held_value (slots m);
  memory := map built_entry (named m) ++ flat_map built_part (seq 0 (length (parts m)));
  current := map (fun d => if is_static_at d then Some d else None) (seq 0 (length (objects P))) |}.

Lemma part_planted f q : part_named m f = Some q -> exists d, nth_error sorts (symbol q) = Some (TreeOf d) /\ is_node P d = true /\
  plant P (linked_of (part_tree f)) d (held_value (above q)) (begin_of f) = Some (root_at (part_tree f) (begin_of f), built_part f) /\
  length (built_part f) = tree_size (part_tree f) /\ Forall (node_object P) (built_part f) /\ all_exist_in (built_part f) (held_value (above q)) (begin_of f) /\
  forall g h, stand g (begin_of f) (built_part f) -> tree_at g (part_tree f) (eq (root_at (part_tree f) (begin_of f))) (eq (held_value (above q))) h (seq (begin_of f) (tree_size (part_tree f))).
Proof.
  intros Q. destruct (built_parts right f q Q) as (d & E & N & _). exists d. split; auto. split; auto.
  pose proof (meant (symbol q)) as W. unfold well_meant_symbol in W. rewrite E in W. destruct W as [O T].
  destruct (plant_tree P table formed d (trees phi (symbol q)) (held_value (above q)) (begin_of f) O N T) as (os & Ep & L & D & X & C).
  assert (Et : part_tree f = trees phi (symbol q)) by (unfold part_tree; rewrite Q; reflexivity).
  assert (Eo : built_part f = os) by (unfold built_part; rewrite Q, E, Et, Ep; reflexivity). rewrite Eo, Et. auto.
Qed.
Lemma part_length f : length (built_part f) = tree_size (part_tree f).
Proof.
  destruct (part_named m f) as [q|] eqn:Q; [destruct (part_planted f q Q) as (_ & _ & _ & _ & L & _); exact L|].
  unfold built_part, part_tree. rewrite Q. reflexivity.
Qed.
Lemma parts_length fs : length (flat_map built_part fs) = list_sum (map (fun j => tree_size (part_tree j)) fs).
Proof. induction fs as [|f fs IH]; auto. simpl. rewrite app_length, IH, part_length. reflexivity. Qed.
Lemma named_bound {A} (l : list (option A)) o x : nth o l None = Some x -> (o < length l)%nat.
Proof. intros E. destruct (Nat.lt_ge_cases o (length l)); auto. rewrite nth_overflow in E by auto. discriminate. Qed.
Lemma built_at o x : object_named m o = Some x -> object_at built o = built_object x.
Proof.
  intros E. pose proof (named_bound _ _ _ E) as L. unfold object_at. simpl. rewrite app_nth1 by (rewrite map_length; exact L).
  change dead_object with (built_entry None). rewrite map_nth. unfold object_named in E. rewrite E. reflexivity.
Qed.
Lemma part_split f : (f < length (parts m))%nat -> exists before after, flat_map built_part (seq 0 (length (parts m))) = before ++ built_part f ++ after /\
  (length (named m) + length before)%nat = begin_of f.
Proof.
  intros L. replace (length (parts m)) with (f + S (length (parts m) - f - 1))%nat by lia. rewrite seq_app, flat_map_app. simpl.
  eexists _, _. split; [reflexivity|]. unfold begin_of. rewrite parts_length. reflexivity.
Qed.
Lemma part_stands f q : part_named m f = Some q -> stand built (begin_of f) (built_part f).
Proof.
  intros Q i x E. destruct (part_split f (named_bound _ _ _ Q)) as (before & after & S & B). unfold object_at. simpl. rewrite S, <- B.
  rewrite app_nth2 by (rewrite map_length; lia). rewrite map_length, app_nth2 by lia.
  replace (length (named m) + length before + i - length (named m) - length before)%nat with i by lia.
  rewrite app_nth1 by (apply nth_error_Some; congruence). apply nth_error_nth. exact E.
Qed.
Lemma part_end f q : part_named m f = Some q -> (begin_of f + length (built_part f) <= length (memory built))%nat.
Proof.
  intros Q. destruct (part_split f (named_bound _ _ _ Q)) as (before & after & S & B). simpl. rewrite app_length, map_length, S, !app_length. lia.
Qed.
Lemma begin_later f f' : (f < f')%nat -> (begin_of f + tree_size (part_tree f) <= begin_of f')%nat.
Proof.
  intros L. unfold begin_of. replace f' with (f + S (f' - f - 1))%nat by lia. rewrite seq_app, map_app, list_sum_app. simpl. lia.
Qed.

(** Behind the objects that have names stand the cells of parts. *)
Lemma part_position i : forall n, (i < list_sum (map (fun j => tree_size (part_tree j)) (seq 0 n)))%nat -> exists f, (f < n)%nat /\
  (list_sum (map (fun j => tree_size (part_tree j)) (seq 0 f)) <= i < list_sum (map (fun j => tree_size (part_tree j)) (seq 0 f)) + tree_size (part_tree f))%nat.
Proof.
  induction n as [|n IH]; [simpl; lia|]. rewrite seq_S, map_app, list_sum_app. simpl. intros L.
  destruct (Nat.lt_ge_cases i (list_sum (map (fun j => tree_size (part_tree j)) (seq 0 n)))) as [B|B]; [destruct (IH B) as (f & Lf & X); exists f; split; [lia | exact X] | exists n; lia].
Qed.
Lemma built_tabled p : owed P built p -> (exists o x, object_named m o = Some x /\ o = p) \/
  exists f q, part_named m f = Some q /\ In p (seq (begin_of f) (tree_size (part_tree f))).
Proof.
  intros [A _]. pose proof (live_exists built p A) as L. simpl in L. rewrite app_length, map_length, parts_length in L. destruct (Nat.lt_ge_cases p (length (named m))) as [B|B].
  - left. destruct (object_named m p) as [x|] eqn:E; [eauto|]. exfalso. unfold object_at in A. simpl in A. rewrite app_nth1 in A by (rewrite map_length; exact B).
    change dead_object with (built_entry None) in A. rewrite map_nth in A. unfold object_named in E. rewrite E in A. discriminate.
  - right. destruct (part_position (p - length (named m)) (length (parts m))) as (f & Lf & X); [lia|]. exists f. destruct (part_named m f) as [q|] eqn:Q.
    + exists q. split; auto. apply in_seq. unfold begin_of. lia.
    + exfalso. unfold part_tree in X. rewrite Q in X. simpl in X. lia.
Qed.

(** ** It is described *)

Lemma value_means v : leads v -> means nu m (fun o => o) (fun f => eq (root_of f)) (fun _ => nothing) v (held_value v).
Proof.
  destruct v as [[| |t| |o i b]|f|f]; simpl; auto; try contradiction.
  - destruct (object_named m o); congruence.
  - unfold means_part. destruct (part_named m f); congruence.
Qed.
Lemma static_of_name d : has_name P d = true -> is_local P d = false -> is_static_at d = true.
Proof. unfold has_name, is_local, Recognised.is_static_at, is_static_declaration. destruct (origin_of _); auto; discriminate. Qed.
Lemma built_name d : nth d (current built) None = if is_static_at d then Some d else None.
Proof.
  simpl. set (pick := fun d => if is_static_at d then Some d else None). destruct (Nat.lt_ge_cases d (length (objects P))) as [L|L].
  - rewrite (nth_indep _ None (pick O)) by (rewrite map_length, seq_length; exact L). rewrite map_nth, seq_nth by exact L. reflexivity.
  - rewrite nth_overflow by (rewrite map_length, seq_length; exact L). destruct (is_static_at d) eqn:S; auto. apply static_in_range in S. lia.
Qed.
Lemma built_describes : describes_by P sorts nu phi m (fun o => o) (fun f => eq (root_of f)) (fun _ => nothing)
  (fun f => seq (begin_of f) (tree_size (part_tree f))) built.
Proof.
  split.
  - reflexivity.
  - simpl. apply map_length.
  - simpl. rewrite map_length, seq_length. reflexivity.
  - intros r. unfold register. simpl. change Uninitialised with (held_value forgotten). rewrite map_nth. apply value_means, (built_slots right).
  - intros o x E. apply named_bound in E. simpl. rewrite app_length, map_length. unfold object_named in *. lia.
  - intros o x E. rewrite (built_at o x E). pose proof (built_objects right o x E) as [Or W _ _ _ El]. split; simpl; auto.
    + rewrite map_length, combine_length. lia.
    + intros Lv k i B. specialize (El Lv k). destruct (nth_error (fields_in (kind x)) k) as [fld|] eqn:Ef.
      * specialize (El fld i eq_refl B). pose proof (nth_error_Some (fields_in (kind x)) k) as Lk. rewrite Ef in Lk. assert (Lc : (k < length (contents x))%nat) by (rewrite W; apply Lk; discriminate).
        assert (Ec : field_of (built_object x) k = built_field x (fld, nth k (contents x) no_field)).
        { unfold field_of. simpl. apply nth_error_nth. rewrite nth_error_map.
          assert (En : nth_error (combine (fields_in (kind x)) (contents x)) k = Some (fld, nth k (contents x) no_field)).
          { clear - Ef Lc. revert k Ef Lc. generalize (contents x) as cs. induction (fields_in (kind x)) as [|y l IH]; intros [|c cs] [|k] Ef Lc; simpl in *; try discriminate; try lia; [congruence|]. apply IH; auto. lia. }
          rewrite En. reflexivity. }
        change (read (field_of {| declared := kind x; lower := eval nu (begins x); upper := eval nu (ends x); alive := life_of x; fields_of := map (built_field x) (combine (fields_in (kind x)) (contents x)) |} k) i)
          with (read (field_of (built_object x) k) i). rewrite Ec. unfold element_right in El. unfold built_field. simpl fst. simpl snd. destruct (holds fld) as [T|].
        -- destruct El as (z & Ez & Wz). unfold read. simpl. rewrite Ez, (wrap_same T z Wz). unfold Loading.fixed_element in Ez. unfold means_element. destruct (_ && _).
           ++ destruct (nth _ _ _) as [[| |t| |]| |]; simpl in *; try discriminate. injection Ez as <-. reflexivity.
           ++ destruct (rest _); [|discriminate]. injection Ez as <-. reflexivity.
        -- destruct El as (Bi & Le). unfold means_element. replace ((0 <=? i) && (i <? Z.of_nat (length (apart (nth k (contents x) no_field))))) with true
             by (symmetry; apply andb_true_intro; split; [apply Z.leb_le | apply Z.ltb_lt]; lia).
           unfold read. simpl. destruct (Z.leb_spec 0 i); [|lia]. rewrite (nth_indep _ _ (built_pointer x (nth k (contents x) no_field) O)) by (rewrite map_length, seq_length; lia).
           rewrite map_nth, seq_nth by lia. unfold built_pointer. simpl plus. rewrite Z2Nat.id by lia. replace (_ && _) with true by (symmetry; apply andb_true_intro; split; [apply Z.leb_le | apply Z.ltb_lt]; lia).
           apply value_means. exact Le.
      * apply nth_error_None in Ef. rewrite (nth_overflow (contents x)) by lia. unfold means_element. cbn [apart rest no_field length]. destruct (_ && _); [|exact I].
        rewrite nth_overflow by (simpl; lia). exact I.
  - auto.
  - intros o x E Lv N. pose proof (built_objects right o x E) as [_ _ Lo Na _ _]. assert (S : is_static_at (kind x) = true) by (apply static_of_name; auto).
    rewrite built_name, S. cbv beta. f_equal. symmetry. apply Na. exact S.
  - intros o x E N. apply (right_node _ _ (built_objects right o x E) N).
  - intros f q Q. destruct (part_planted f q Q) as (d & E & N & _ & _ & _ & _ & C). destruct (built_parts right f q Q) as (d' & E' & _ & Be & _ & Ab).
    exists (seq (begin_of f) (tree_size (part_tree f))). split; auto. rewrite E. split; [exact Be|]. split; [intros w []|].
    assert (Et : part_tree f = trees phi (symbol q)) by (unfold part_tree; rewrite Q; reflexivity).
    eapply tree_weaker; [rewrite <- Et; apply (C built (means nu m (fun o => o) (fun f => eq (root_of f)) (fun _ => nothing) (alongside q))), (part_stands f q Q) | | | auto].
    + unfold root_of. rewrite Q. auto.
    + apply sub_eq, value_means. exact Ab.
  - intros f q _. apply seq_NoDup.
  - intros f f' q q' c _ _ I J. apply in_seq in I, J. destruct (Nat.lt_trichotomy f f') as [L|[L|L]]; auto; apply begin_later in L; lia.
  - intros o x f q E _ I. apply named_bound in E. apply in_seq in I. unfold begin_of in I. unfold object_named in *. lia.
  - intros _ p W. apply built_tabled. exact W.
Qed.

(** ** It is as states of executions are *)

Lemma built_cases o : object_at built o = dead_object \/ (exists x, object_named m o = Some x /\ object_at built o = built_object x) \/
  exists f q, part_named m f = Some q /\ In (object_at built o) (built_part f).
Proof.
  destruct (Nat.lt_ge_cases o (length (named m))) as [L|L].
  - destruct (object_named m o) as [x|] eqn:E; [right; left; exists x; split; auto; apply built_at; exact E|]. left. unfold object_at. simpl.
    rewrite app_nth1 by (rewrite map_length; exact L). change dead_object with (built_entry None). rewrite map_nth. unfold object_named in E. rewrite E. reflexivity.
  - assert (E : object_at built o = nth (o - length (named m)) (flat_map built_part (seq 0 (length (parts m)))) dead_object).
    { unfold object_at. simpl. rewrite app_nth2 by (rewrite map_length; exact L). rewrite map_length. reflexivity. }
    rewrite E. destruct (nth_in_or_default (o - length (named m)) (flat_map built_part (seq 0 (length (parts m)))) dead_object) as [I|E']; [|left; exact E'].
    right. right. pose proof I as I'. apply in_flat_map in I' as (f & _ & I'). exists f. destruct (part_named m f) as [q|] eqn:Q; [eauto|].
    unfold built_part in I'. rewrite Q in I'. destruct I'.
Qed.
Lemma value_exists_built v : value_exists (length (memory built)) (held_value v).
Proof.
  destruct v as [[| |t| |o i b]|f|f]; simpl; auto.
  - destruct (object_named m o) as [x|] eqn:E; simpl; auto. apply named_bound in E. rewrite app_length, map_length. unfold object_named in *. lia.
  - unfold root_of. destruct (part_named m f) as [q|] eqn:Q; simpl; auto. pose proof (part_end f q Q) as E. rewrite part_length in E. simpl in E.
    destruct (part_tree f); simpl; auto. simpl in E. lia.
Qed.
Lemma fields_in_range x l : forall cs k i, value_in (nth k (map holds l) PointerType) (read (nth k (map (built_field x) (combine l cs)) no_cells) i).
Proof.
  assert (A : forall t i, value_in t (read no_cells i)) by (intros [T|] i; exact I).
  assert (B : forall v, value_in PointerType v) by (intros []; exact I).
  induction l as [|fld l IH]; intros [|c cs] [|k] i; simpl; try exact I; try apply A.
  - unfold built_field. simpl. destruct (holds fld); [apply wrap_within | apply B].
  - apply IH.
Qed.
Lemma built_inside x : all_inside (built_object x).
Proof.
  apply Forall_forall. intros c Ic. cbn [built_object fields_of] in Ic. apply in_map_iff in Ic as ((fld & y) & <- & _). unfold built_field. simpl. destruct (holds fld); (split; simpl; [constructor | constructor | intros l0 k v [= <-] E N]).
  rewrite nth_error_map in E. destruct (nth_error _ k) as [j|] eqn:Ej; [|discriminate]. injection E as <-.
  assert (Lk : (k < length (seq 0 (length (apart y))))%nat) by (apply nth_error_Some; congruence). rewrite seq_length in Lk. apply nth_error_nth with (d := O) in Ej. rewrite seq_nth in Ej by exact Lk. simpl in Ej. subst j.
  unfold built_pointer in N. destruct (_ && _) eqn:B; [|destruct N; reflexivity]. apply andb_prop in B as [B1 B2]. apply Z.leb_le in B1. apply Z.ltb_lt in B2. split; assumption.
Qed.
Lemma built_fine : fine_state P built.
Proof.
  assert (Names : forall d o, nth d (current built) None = Some o -> is_static_at d = true /\ o = d).
  { intros d o E. rewrite built_name in E. destruct (is_static_at d) eqn:S; [injection E as <-; auto | discriminate]. }
  assert (No : forall d, is_static_at d = true -> is_local P d = false).
  { intros d. unfold Recognised.is_static_at, is_static_declaration, is_local. destruct (origin_of _); auto; discriminate. }
  assert (Kinds : forall o, alive (object_at built o) = Live -> is_local P (declared (object_at built o)) = false).
  { intros o A. destruct (built_cases o) as [E|[(x & E & Eo)|(f & q & Q & I)]].
    - rewrite E in A. discriminate.
    - rewrite Eo. apply (right_local _ _ (built_objects right o x E)).
    - destruct (part_planted f q Q) as (_ & _ & _ & _ & _ & D & _). rewrite Forall_forall in D. destruct (D _ I) as (N & _). unfold is_node in N. unfold is_local. destruct (origin_of _); auto; discriminate. }
  assert (Fine : forall o, object_fine P (object_at built o) /\ object_exists (length (memory built)) (object_at built o)).
  { intros o. destruct (built_cases o) as [E|[(x & E & Eo)|(f & q & Q & I)]].
    - rewrite E. split; [apply dead_fine | constructor].
    - rewrite Eo. pose proof (built_objects right o x E) as [Or W _ _ _ _]. split; [split; [exact Or|]|].
      + intros k i. apply fields_in_range.
      + apply Forall_forall. intros c Ic. simpl in Ic. apply in_map_iff in Ic as ((fld & y) & <- & _). unfold built_field. simpl. destruct (holds fld); split; simpl; auto.
        apply Forall_forall. intros v Iv. apply in_map_iff in Iv as (j & <- & _). unfold built_pointer. destruct (_ && _); [apply value_exists_built | exact I].
    - destruct (part_planted f q Q) as (d & _ & _ & Ep & _ & _ & X & _). split.
      + pose proof (proj2 (plant_fine P contents_right _ _ _ _ _ _ Ep)) as F. rewrite Forall_forall in F. auto.
      + specialize (X (length (memory built)) (part_end f q Q) (value_exists_built _)). rewrite Forall_forall in X. auto. }
  split.
  - split.
    + simpl. rewrite map_length, seq_length. reflexivity.
    + intros d o L E. apply Names in E as [S _]. rewrite No in L by exact S. discriminate.
    + intros d o L E. apply Names in E as [S _]. rewrite No in L by exact S. discriminate.
    + intros o A L. rewrite Kinds in L by exact A. discriminate.
  - split; [|intros o; apply Fine]. intros r. unfold register. simpl. change Uninitialised with (held_value forgotten). rewrite map_nth.
    pose proof (built_integers right r) as B. unfold slot_at in B. destruct (nth r (slots m) forgotten) as [[| |t| |o i b]|f|f]; simpl; try (destruct (type_of P r); exact I).
    + apply (B t eq_refl).
    + destruct (object_named m o), (type_of P r); exact I.
    + unfold root_of. destruct (part_named m f); [|destruct (type_of P r); exact I]. destruct (part_tree f), (type_of P r); exact I.
  - intros o. apply Fine.
  - split; [|split].
    + simpl. apply Forall_forall. intros v Iv. apply in_map_iff in Iv as (w & <- & _). apply value_exists_built.
    + apply Forall_forall. intros x Ix. destruct (In_nth _ _ dead_object Ix) as (o & _ & E). destruct (Fine o) as [_ F]. unfold object_at in F. rewrite E in F. exact F.
    + apply Forall_forall. intros c Ic. destruct (In_nth _ _ None Ic) as (d & _ & E). destruct c as [o|]; simpl; auto. apply Names in E as [S ->].
      pose proof (statics_there d S) as T. destruct (object_named m d) as [x|] eqn:E; [|congruence]. apply named_bound in E. rewrite app_length, map_length. unfold object_named in *. lia.
  - intros o A N. rewrite built_name, (static_of_name _ N (Kinds o A)). f_equal. destruct (built_cases o) as [E|[(x & E & Eo)|(f & q & Q & I)]].
    + rewrite E in A. discriminate.
    + pose proof (built_objects right o x E) as [_ _ _ Na _ _]. specialize (Kinds o A). rewrite Eo in N, Kinds |- *. simpl in N, Kinds |- *. rewrite Na; auto. apply static_of_name; auto.
    + destruct (part_planted f q Q) as (_ & _ & _ & _ & _ & D & _). rewrite Forall_forall in D. destruct (D _ I) as (Nn & _). unfold is_node in Nn. unfold has_name in N. destruct (origin_of _); discriminate.
  - intros o. destruct (built_cases o) as [E|[(x & E & Eo)|(f & q & Q & I)]]; [rewrite E; constructor | rewrite Eo; apply built_inside|].
    destruct (part_planted f q Q) as (d & _ & _ & Ep & _). pose proof (Insides.plant_inside P _ _ _ _ _ _ Ep) as R. rewrite Forall_forall in R. exact (R _ I).
Qed.
End Built.
