(** Inputs that a member holds (spec/calculus.md#root), and the entry state that
    they are handed over as: a state that the member describes is alike to it, as
    far as anything leads. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Folding FoldedMembers Planting Presented.
From Goatherd Require Members Scapegoats Unfolding.
Import ListNotations.
Open Scope Z_scope.

Section Loading.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Notation links := (links_of P).
Notation fields_in d := (layout_fields (layout_of_declaration P d)).

(** What well-formedness asks of inputs. *)
Definition input_registers i := match i with
  | IntegerInput r => [r] | ArrayInput p n _ => [p; n] | SingleInput p _ | LinkedInput p _ => [p] end.
Definition is_input d := match origin_of (declaration_of P d) with Input => true | _ => false end.
Record inputs_formed : Prop := {
  registers_apart : NoDup (flat_map input_registers (inputs P));
  registers_exist : forall r, In r (flat_map input_registers (inputs P)) -> (r < length (registers P))%nat;
  arrays_inputs : forall p n d, In (ArrayInput p n d) (inputs P) -> is_input d = true;
  singles_inputs : forall p d, In (SingleInput p d) (inputs P) -> is_input d = true;
  linked_nodes : forall p d, In (LinkedInput p d) (inputs P) -> is_node P d = true }.
Hypothesis well_given : inputs_formed.

(** ** The inputs that a member holds *)

Section Held.
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (m : member).
Notation heap := (heap_of P sorts nu phi m).

(** What a slot says where it says one value that leads nowhere. *)
Definition fixed v := match v with
  | Plain (Members.IntegerSlot t) => Some (Integer (eval nu t))
  | Plain Members.NullSlot => Some Null
  | Plain Members.NothingHeld => Some Uninitialised
  | _ => None end.
Definition fixed_element f i :=
  if (0 <=? i) && (i <? Z.of_nat (length (apart f))) then fixed (nth (Z.to_nat i) (apart f) forgotten)
  else match rest f with Some a => Some (Integer (eval_array nu a i)) | None => None end.
(** An object of these elements, which may begin anywhere. *)
Record holds_rows d rows x : Prop := {
  rows_kind : kind x = d;
  rows_live : life_of x = Live;
  rows_end : eval nu (ends x) = eval nu (begins x) + Z.of_nat (length rows);
  rows_width : length (contents x) = length (fields_in d);
  rows_elements : forall f j, 0 <= j < Z.of_nat (length rows) -> (f < length (fields_in d))%nat ->
    fixed_element (nth f (contents x) no_field) (eval nu (begins x) + j) = Some (read (field_of (array_object P d rows) f) j) }.
Definition points_to p d x := exists i, slot_at m p = Plain (Members.PointerSlot d i 0) /\ object_named m d = Some x /\ eval nu i = eval nu (begins x).
Definition array_allowed n d (rows : list (list Z)) :=
  forallb is_integer (fields_in d) && forallb (row_fits (fields_in d)) rows &&
  Integers.is_within (integer_type_of P n) (Z.of_nat (length rows)) &&
  (Z.of_nat (length rows) <=? most_bytes / element_size (layout_of_declaration P d)).
Definition holds_integer r z := exists t, slot_at m r = Plain (Members.IntegerSlot t) /\ eval nu t = z.

(** These inputs, in these objects and parts. *)
Inductive presents : list input -> list input_value -> list Scapegoats.cell -> Prop :=
| no_inputs : presents [] [] []
| integer_input r z is vs cs : holds_integer r z -> Integers.is_within (integer_type_of P r) z = true ->
    presents is vs cs -> presents (IntegerInput r :: is) (IntegerValue z :: vs) cs
| array_input p n d rows x is vs cs : points_to p d x -> holds_rows d rows x -> holds_integer n (Z.of_nat (length rows)) -> array_allowed n d rows = true ->
    presents is vs cs -> presents (ArrayInput p n d :: is) (ArrayValue rows :: vs) (inl d :: cs)
| null_input p d is vs cs : slot_at m p = Plain Members.NullSlot -> presents is vs cs -> presents (SingleInput p d :: is) (SingleValue None :: vs) cs
| single_input p d row x is vs cs : points_to p d x -> holds_rows d [row] x -> row_fits (fields_in d) row = true ->
    presents is vs cs -> presents (SingleInput p d :: is) (SingleValue (Some row) :: vs) (inl d :: cs)
| linked_input p d t fp is vs cs : Scapegoats.reads links heap d (heap_slot nu m (slot_at m p)) Scapegoats.SNull t fp ->
    presents is vs cs -> presents (LinkedInput p d :: is) (LinkedValue (linked_of t) :: vs) (fp ++ cs).

(** Elements and nodes of the inputs. *)
Definition weight (c : Scapegoats.cell) : nat := match c with
  | inl o => match object_named m o with Some x => Z.to_nat (eval nu (ends x) - eval nu (begins x)) | None => O end
  | inr f => match part_named m f with Some q => tree_size (trees phi (symbol q)) | None => O end end.
Definition weights cs := list_sum (map weight cs).
Definition width (y : object) := match origin_of (declaration_of P (declared y)) with
  | Input | LinkedNode _ => Z.to_nat (upper y - lower y) | _ => O end.
Lemma size_of_widths s : input_size_of P s = list_sum (map width (memory s)).
Proof.
  unfold input_size_of. induction (memory s) as [|y l IH]; auto. simpl. rewrite IH. unfold width. destruct (origin_of _); reflexivity.
Qed.
Lemma weights_app l l' : weights (l ++ l') = (weights l + weights l')%nat.
Proof. unfold weights. rewrite map_app, list_sum_app. reflexivity. Qed.

(** ** They are those of the entry state *)

Hypothesis meant : well_meant P table sorts phi.
Section Described.
Variable g : state.
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat).
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Hypothesis typed_state : typed P g.
Notation means := (means nu m rho roots lasts).
Notation places := (places rho cells).

Lemma fixed_means v w x : fixed v = Some w -> means v x -> x = w.
Proof. destruct v as [[]| |]; simpl; try discriminate; intros [= <-]; auto. Qed.
Lemma fixed_element_means f i w x : fixed_element f i = Some w -> means_element nu m rho roots lasts f i x -> x = w.
Proof.
  unfold fixed_element, means_element. destruct (_ && _); [apply fixed_means|]. destruct (rest f); [|discriminate]. intros [= <-]; auto.
Qed.

(** The objects of the state, in the order of those of the entry state, whose
    indices begin at 0. *)
Definition follows_at base (l : list nat) (rn : renaming) := forall i o, nth_error l i = Some o -> rn o = Some ((base + i)%nat, - lower (object_at g o)).
Definition match_objects rn := Forall2 (fun o y => object_alike rn all_known (- lower (object_at g o)) (object_at g o) y).
Lemma follows_app base l l' rn : follows_at base (l ++ l') rn -> follows_at base l rn /\ follows_at (base + length l) l' rn.
Proof.
  intros F. split; intros i o E.
  - apply F. rewrite nth_error_app1; auto. apply nth_error_Some. congruence.
  - rewrite <- Nat.add_assoc. apply F. rewrite nth_error_app2 by lia. replace (length l + i - length l)%nat with i by lia. exact E.
Qed.

Lemma rows_alike rn p d x rows : points_to p d x -> holds_rows d rows x ->
  object_alike rn all_known (- lower (object_at g (rho d))) (object_at g (rho d)) (array_object P d rows) /\
  register g p = Pointer {| target := rho d; index := lower (object_at g (rho d)); byte := 0 |} /\
  length rows = weight (inl d).
Proof.
  intros (i & Sp & O & Ei) [K L E W El]. destruct (objects_hold _ _ _ _ _ _ _ _ _ _ described d x O) as [A1 A2 A3 A4 A5 A6].
  assert (Lc : forall l n, length (columns l n rows) = length l).
  { induction l as [|f l IH]; intros n; simpl; auto. destruct (holds f); simpl; rewrite IH; auto. }
  split; [|split].
  - split; simpl; try congruence; try lia.
    rewrite A2. intros Lv f j B _. specialize (A6 L f j B). destruct (Nat.lt_ge_cases f (length (fields_in d))) as [F|F].
    + specialize (El f (j - eval nu (begins x)) ltac:(lia) F). replace (eval nu (begins x) + (j - eval nu (begins x))) with j in El by lia.
        rewrite (fixed_element_means _ _ _ _ El A6). replace (j + - lower (object_at g (rho d))) with (j - eval nu (begins x)) by lia.
        assert (X : forall l n f, match read (nth f (columns l n rows) no_cells) (j - eval nu (begins x)) with Pointer _ => False | _ => True end).
        { assert (Q : forall l : list value, Forall (fun v => match v with Pointer _ => False | _ => True end) l -> forall k,
            match nth k l Uninitialised with Pointer _ => False | _ => True end).
          { intros l Fl k. destruct (nth_in_or_default k l Uninitialised) as [I|Z0]; [|rewrite Z0; auto]. rewrite Forall_forall in Fl. apply (Fl _ I). }
          induction l as [|z l IH]; intros n [|f']; simpl; auto; destruct (holds z); simpl; auto; try apply IH.
          unfold read; simpl. destruct (0 <=? _); auto. apply Q. apply Forall_forall. intros v Hv. apply in_map_iff in Hv as (row & <- & _). exact I. }
        specialize (X (fields_in d) 0%nat f). unfold field_of. change (fields_of (array_object P d rows)) with (columns (fields_in d) 0 rows).
        destruct (read (nth f (columns (fields_in d) 0 rows) no_cells) (j - eval nu (begins x))); simpl; auto; contradiction.
    + unfold field_of. change (fields_of (array_object P d rows)) with (columns (fields_in d) 0 rows). rewrite !nth_overflow by (rewrite ?Lc; lia). exact I.
  - pose proof (registers_hold _ _ _ _ _ _ _ _ _ _ described p) as R. rewrite Sp in R. simpl in R. rewrite O in R. rewrite <- R, Ei, A3. reflexivity.
  - unfold weight. rewrite O. rewrite E. lia.
Qed.
Lemma integer_held r z : holds_integer r z -> register g r = Integer z.
Proof.
  intros (t & St & <-). pose proof (registers_hold _ _ _ _ _ _ _ _ _ _ described r) as R. rewrite St in R. simpl in R. auto.
Qed.

Lemma tree_cells s : (forall t r a h fp, tree_at s t r a h fp -> Forall (fun o => lower (object_at s o) = 0) fp /\ Forall (fun o => alive (object_at s o) = Live) fp) /\
  (forall o b all a h k fs fp, fields_at s o b all a h k fs fp -> Forall (fun o => lower (object_at s o) = 0) fp /\ Forall (fun o => alive (object_at s o) = Live) fp) /\
  (forall o b all a h k f fp, field_at s o b all a h k f fp -> Forall (fun o => lower (object_at s o) = 0) fp /\ Forall (fun o => alive (object_at s o) = Live) fp) /\
  (forall c r a h fp l b, context_at s c r a h fp l b -> Forall (fun o => lower (object_at s o) = 0) fp /\ Forall (fun o => alive (object_at s o) = Live) fp).
Proof.
  apply tree_at_ind'; intros; auto.
  - destruct H as [L A]. split; constructor; auto; apply i.
  - destruct H as [L A], H0 as [L' A']. split; apply Forall_app; auto.
  - destruct H as [L1 A1], H0 as [L2 A2], H1 as [L3 A3]. split; constructor; try apply i; repeat (apply Forall_app; split); auto.
Qed.
Lemma follows_pairs l rn : forall n, follows_at n l rn -> Forall (fun o => lower (object_at g o) = 0) l -> pairs rn l (seq n (length l)).
Proof.
  induction l as [|o l IH]; intros n F Z; simpl; constructor; inversion_clear Z as [|? ? Zo Zl].
  - red. rewrite (F 0%nat o eq_refl), Zo, Nat.add_0_r. reflexivity.
  - apply IH; auto. intros i x E. replace (S n + i)%nat with (n + S i)%nat by lia. apply (F (S i)). exact E.
Qed.
Lemma pairs_match y rn l : forall os n, Forall2 (objects_pair g y rn) l (seq n (length os)) -> stand y n os ->
  Forall (fun o => lower (object_at g o) = 0) l -> match_objects rn l os.
Proof.
  induction l as [|o l IH]; intros [|x os] n F S Z; inversion F; subst; constructor; inversion_clear Z as [|? ? Zo Zl].
  - rewrite Zo. rewrite <- (S 0%nat x eq_refl), Nat.add_0_r. assumption.
  - apply (IH os (Datatypes.S n)); auto. intros i z E. replace (Datatypes.S n + i)%nat with (n + Datatypes.S i)%nat by lia. apply (S (Datatypes.S i)). exact E.
Qed.
(** Each node counts, and of a part as many as its symbol stands for. *)
Lemma tree_weights : (forall d s a t fp, Scapegoats.reads links heap d s a t fp -> weights fp = tree_size t) /\
  (forall x a ls ss fs fp, Scapegoats.reads_fields links heap x a ls ss fs fp -> weights fp = fields_size fs).
Proof.
  apply Scapegoats.reads_ind'; auto.
  - intros o a n fs fp En _ R IH. destruct (node_at P sorts nu phi m g rho roots lasts cells described o n En) as (x & O & N & _).
    destruct (nodes_hold _ _ _ _ _ _ _ _ _ _ described o x O N) as [L U].
    change (weights (inl o :: fp)) with (weight (inl o) + weights fp)%nat. unfold weight. rewrite O, L, U, IH. reflexivity.
  - intros p a q E _. unfold weights. simpl in *. unfold heap_part in E. destruct (part_named m p) as [r|]; [|discriminate].
    destruct (nth_error sorts (symbol r)) as [[d|d]|]; try discriminate. injection E as <-. simpl. lia.
  - intros o a s x e t fp ls ss fs fq _ _ IH1 _ IH2. rewrite weights_app, IH1, IH2. reflexivity.
Qed.
Lemma tree_weight fp d s a t : Scapegoats.reads links heap d s a t fp -> weights fp = tree_size t.
Proof. apply tree_weights. Qed.
(** A tree stands where it is planted. *)
Lemma tree_loads d v t fp n : Scapegoats.reads links heap d (heap_slot nu m v) Scapegoats.SNull t fp -> is_node P d = true ->
  exists os fq, plant P (linked_of t) d Null n = Some (root_at t n, os) /\ Permutation fq (places fp) /\ length fq = length os /\
    Forall (node_object P) os /\ length os = tree_size t /\
    forall w rn, means v w -> follows_at n fq rn -> match_objects rn fq os /\ value_alike rn w (root_at t n).
Proof.
  intros R N. pose proof (proj1 (reads_sorted P table formed sorts nu phi m meant) _ _ _ _ _ R N) as O.
  destruct (proj1 (reads_stand P table formed sorts nu phi m meant g rho roots lasts cells described) _ _ _ _ _ R N) as (fq & Pm & T).
  pose proof (tree_typed g P typed_state _ _ _ _ _ T) as Ty. destruct (plant_tree P table formed d t Null n O N Ty) as (os & E & L & D & X & C).
  pose proof (proj1 (tree_length g) _ _ _ _ _ T) as Lq. exists os, fq. split; [exact E|]. split; [exact Pm|]. split; [congruence|]. split; [exact D|]. split; [exact L|].
  intros w rn W F. pose proof (proj1 (proj1 (tree_cells g) _ _ _ _ _ T)) as Z.
  set (y := {| location := 0; values := []; memory := repeat dead_object n ++ os; current := [] |}).
  assert (S : stand y n os).
  { intros i x Ei. unfold object_at. simpl. rewrite app_nth2 by (rewrite repeat_length; lia). rewrite repeat_length. replace (n + i - n)%nat with i by lia. apply nth_error_nth. exact Ei. }
  assert (Wv : heap_means m rho roots (heap_slot nu m v) w) by (eapply slot_means; exact W).
  pose proof (follows_pairs fq rn n F Z) as Pr. rewrite Lq in Pr.
  destruct (proj1 (trees_pair g y rn P table formed) _ _ _ _ _ T d w (root_at t n) Null anything _ O N Wv (C y anything S) Pr) as [V M].
  - intros u <-. exact I.
  - split; [|exact V]. apply pairs_match with (y := y) (n := n); auto. rewrite L. exact M.
Qed.

(** ** Loading *)

Definition counted (y : object) := is_input (declared y) = true \/ is_node P (declared y) = true.
Record loads_as is cs (a b : loading) (l : list nat) (new : list object) : Prop := {
  loads_made : made b = made a ++ new;
  loads_count : length (loaded b) = length (loaded a);
  loads_latest : length (latest b) = length (latest a) /\ forall d, has_name P d = true -> nth d (latest b) None = nth d (latest a) None;
  loads_places : Permutation l (places cs);
  loads_length : length l = length new;
  loads_counted : Forall counted new;
  loads_widths : list_sum (map width new) = weights cs;
  loads_others : forall r, ~ In r (flat_map input_registers is) -> nth r (loaded b) Uninitialised = nth r (loaded a) Uninitialised;
  loads_alike : forall rn, follows_at (length (made a)) l rn -> match_objects rn l new /\
    forall r, In r (flat_map input_registers is) -> value_alike rn (register g r) (nth r (loaded b) Uninitialised) }.
Lemma replaced_other (l : list value) n x r : r <> n -> nth r (replace l n x) Uninitialised = nth r l Uninitialised.
Proof. intros N. rewrite nth_replace. destruct (Nat.eqb_spec r n); [contradiction | reflexivity]. Qed.
Lemma replaced_this (l : list value) n x : (n < length l)%nat -> nth n (replace l n x) Uninitialised = x.
Proof. intros L. rewrite nth_replace, Nat.eqb_refl. apply Nat.ltb_lt in L. rewrite L. reflexivity. Qed.
Lemma input_unnamed d : is_input d = true -> has_name P d = false.
Proof. unfold is_input, has_name. destruct (origin_of _); auto; discriminate. Qed.
Lemma latest_with_object a d o : is_input d = true -> length (latest (with_object a d o)) = length (latest a) /\
  forall e, has_name P e = true -> nth e (latest (with_object a d o)) None = nth e (latest a) None.
Proof.
  intros D. simpl. split; [apply replace_length|]. intros e E. rewrite nth_replace. destruct (Nat.eqb_spec e d) as [->|]; auto.
  rewrite (input_unnamed d D) in E. discriminate.
Qed.

Lemma width_of_input d rows : is_input d = true -> width (array_object P d rows) = length rows.
Proof.
  unfold width, is_input. change (declared (array_object P d rows)) with d. destruct (origin_of _); try discriminate. intros _.
  change (upper (array_object P d rows) - lower (array_object P d rows)) with (Z.of_nat (length rows) - 0). lia.
Qed.

(** One input, and all that follow. *)
Lemma load_first i v is vs cs1 cs2 a b c l1 l2 new1 new2 : NoDup (flat_map input_registers (i :: is)) ->
  load_input P a i v = Some c -> loads_as [i] cs1 a c l1 new1 -> load_inputs P c is vs = Some b -> loads_as is cs2 c b l2 new2 ->
  load_inputs P a (i :: is) (v :: vs) = Some b /\ loads_as (i :: is) (cs1 ++ cs2) a b (l1 ++ l2) (new1 ++ new2).
Proof.
  intros Nd E A E' B. split; [simpl; rewrite E; exact E'|]. destruct A as [A1 A2 [A3 A3'] A4 A5 A6 A7 A8 A9], B as [B1 B2 [B3 B3'] B4 B5 B6 B7 B8 B9].
  assert (Apart : forall r, In r (input_registers i) -> ~ In r (flat_map input_registers is)).
  { simpl in Nd. intros r I1 I2. eapply Scapegoats.NoDup_disjoint; eauto. }
  split.
  - rewrite B1, A1, app_assoc. reflexivity.
  - congruence.
  - split; [congruence|]. intros d D. rewrite B3', A3'; auto.
  - unfold Presented.places. rewrite flat_map_app. apply Permutation_app; auto.
  - rewrite !app_length. lia.
  - apply Forall_app; auto.
  - rewrite map_app, list_sum_app, weights_app. lia.
  - intros r R. simpl in R. rewrite in_app_iff in R. rewrite B8, A8 by (simpl; rewrite ?app_nil_r; tauto). reflexivity.
  - intros rn F. apply follows_app in F as [F1 F2]. destruct (A9 rn F1) as [M1 V1]. rewrite A5 in F2.
    replace (length (made a) + length new1)%nat with (length (made c)) in F2 by (rewrite A1, app_length; reflexivity).
    destruct (B9 rn F2) as [M2 V2]. split; [apply Forall2_app; auto|]. intros r R. simpl in R. apply in_app_iff in R as [R|R]; [|auto].
    rewrite B8 by (apply Apart; exact R). apply V1. simpl. rewrite app_nil_r. exact R.
Qed.

Theorem inputs_load is vs cs : presents is vs cs -> incl is (inputs P) -> NoDup (flat_map input_registers is) ->
  forall a, length (loaded a) = length (registers P) -> exists b l new, load_inputs P a is vs = Some b /\ loads_as is cs a b l new.
Proof.
  intros H. induction H as [| r z is vs cs Hz W _ IH | p n d rows x is vs cs Hp Hx Hn Al _ IH | p d is vs cs Sp _ IH | p d row x is vs cs Hp Hx Fr _ IH
    | p d t fp is vs cs R _ IH]; intros Ic Nd a La.
  - exists a, [], []. split; auto. split; simpl; auto; try constructor; try (rewrite app_nil_r; reflexivity); auto. constructor. 
    intros r [].
  - assert (Rr : (r < length (registers P))%nat) by (apply (registers_exist well_given), in_flat_map; eexists; split; [exact (Ic _ (or_introl eq_refl)) | simpl; auto]).
    assert (Nd' : NoDup (flat_map input_registers is)) by (simpl in Nd; inversion Nd; assumption).
    destruct (IH (fun i I => Ic i (or_intror I)) Nd' (with_register a r (Integer z))) as (b & l & new & E & B); [simpl; rewrite replace_length; exact La|].
    exists b, l, new. apply (load_first (IntegerInput r) (IntegerValue z) is vs [] cs a b (with_register a r (Integer z)) [] l [] new); auto.
    + simpl. rewrite W. reflexivity.
    + split; simpl; auto; try (rewrite app_nil_r; reflexivity); try apply replace_length.
      * intros q Q. apply replaced_other. intros ->. tauto.
      * intros rn _. split; [constructor|]. intros q [<-|[]]. rewrite replaced_this by lia. rewrite (integer_held r z Hz). reflexivity.
  - pose proof (Ic _ (or_introl eq_refl)) as Hi. pose proof (arrays_inputs well_given _ _ _ Hi) as Id.
    assert (Rr : forall r, In r [p; n] -> (r < length (registers P))%nat).
    { intros r Ir. apply (registers_exist well_given). apply in_flat_map. eexists. split; [exact Hi | exact Ir]. }
    set (c := with_object (with_register (with_register a n (Integer (Z.of_nat (length rows)))) p (Inputs.start_of (length (made a)))) d (array_object P d rows)).
    assert (Nd' : NoDup (flat_map input_registers is)) by (simpl in Nd; inversion Nd as [|? ? ? Nd1]; inversion Nd1; assumption).
    assert (Np : p <> n) by (simpl in Nd; inversion Nd as [|? ? Np _]; subst; intros ->; apply Np; simpl; auto).
    destruct (IH (fun i I => Ic i (or_intror I)) Nd' c) as (b & l & new & E & B); [simpl; rewrite !replace_length; exact La|].
    destruct (rows_alike (fun _ => None) p d x rows Hp Hx) as (_ & Rp & Wd).
    exists b, (rho d :: l), (array_object P d rows :: new).
    apply (load_first (ArrayInput p n d) (ArrayValue rows) is vs [inl d] cs a b c [rho d] l [array_object P d rows] new); auto.
    + simpl. unfold array_allowed in Al. rewrite Al. reflexivity.
    + pose proof (latest_with_object (with_register (with_register a n (Integer (Z.of_nat (length rows)))) p (Inputs.start_of (length (made a)))) d (array_object P d rows) Id) as Lt.
      split; auto; try (simpl; rewrite !replace_length; reflexivity).
      * constructor; [left; exact Id | constructor].
      * change (weights [inl d]) with (weight (inl d) + 0)%nat. rewrite <- Wd. change (list_sum (map width [array_object P d rows])) with (width (array_object P d rows) + 0)%nat. rewrite (width_of_input d rows Id). reflexivity.
      * simpl. intros q Q. rewrite !replaced_other by (intros ->; tauto). reflexivity.
      * intros rn F. destruct (rows_alike rn p d x rows Hp Hx) as (Ob & _). split; [constructor; [exact Ob | constructor]|].
        assert (Ln : (n < length (loaded a))%nat) by (rewrite La; apply Rr; simpl; auto). assert (Lp : (p < length (loaded a))%nat) by (rewrite La; apply Rr; simpl; auto).
        simpl. intros r [<-|[<-|[]]].
        -- rewrite replaced_this by (rewrite replace_length; exact Lp). rewrite Rp. exists (- lower (object_at g (rho d))). simpl.
           rewrite (F 0%nat _ eq_refl), Nat.add_0_r. split; auto. split; [lia | reflexivity].
        -- rewrite replaced_other by auto. rewrite replaced_this by exact Ln. rewrite (integer_held n _ Hn). reflexivity.
  - pose proof (Ic _ (or_introl eq_refl)) as Hi.
    assert (Rr : (p < length (registers P))%nat) by (apply (registers_exist well_given), in_flat_map; eexists; split; [exact Hi | simpl; auto]).
    assert (Nd' : NoDup (flat_map input_registers is)) by (simpl in Nd; inversion Nd; assumption).
    destruct (IH (fun i I => Ic i (or_intror I)) Nd' (with_register a p Null)) as (b & l & new & E & B); [simpl; rewrite replace_length; exact La|].
    exists b, l, new. apply (load_first (SingleInput p d) (SingleValue None) is vs [] cs a b (with_register a p Null) [] l [] new); auto.
    split; simpl; auto; try (rewrite app_nil_r; reflexivity); try apply replace_length.
    + intros q Q. apply replaced_other. intros ->. tauto.
    + intros rn _. split; [constructor|]. intros q [<-|[]]. rewrite replaced_this by lia.
      pose proof (registers_hold _ _ _ _ _ _ _ _ _ _ described p) as G. rewrite Sp in G. simpl in G. rewrite <- G. exact I.
  - pose proof (Ic _ (or_introl eq_refl)) as Hi. pose proof (singles_inputs well_given _ _ Hi) as Id.
    assert (Rr : (p < length (registers P))%nat) by (apply (registers_exist well_given), in_flat_map; eexists; split; [exact Hi | simpl; auto]).
    set (c := with_object (with_register a p (Inputs.start_of (length (made a)))) d (array_object P d [row])).
    assert (Nd' : NoDup (flat_map input_registers is)) by (simpl in Nd; inversion Nd; assumption).
    destruct (IH (fun i I => Ic i (or_intror I)) Nd' c) as (b & l & new & E & B); [simpl; rewrite !replace_length; exact La|].
    destruct (rows_alike (fun _ => None) p d x [row] Hp Hx) as (_ & Rp & Wd).
    exists b, (rho d :: l), (array_object P d [row] :: new).
    apply (load_first (SingleInput p d) (SingleValue (Some row)) is vs [inl d] cs a b c [rho d] l [array_object P d [row]] new); auto.
    + simpl. rewrite Fr. reflexivity.
    + pose proof (latest_with_object (with_register a p (Inputs.start_of (length (made a)))) d (array_object P d [row]) Id) as Lt.
      split; auto; try (simpl; rewrite !replace_length; reflexivity).
      * constructor; [left; exact Id | constructor].
      * change (weights [inl d]) with (weight (inl d) + 0)%nat. rewrite <- Wd. change (list_sum (map width [array_object P d [row]])) with (width (array_object P d [row]) + 0)%nat. rewrite (width_of_input d [row] Id). reflexivity.
      * simpl. intros q Q. rewrite !replaced_other by (intros ->; tauto). reflexivity.
      * intros rn F. destruct (rows_alike rn p d x [row] Hp Hx) as (Ob & _). split; [constructor; [exact Ob | constructor]|].
        simpl. intros r [<-|[]]. rewrite replaced_this by lia. rewrite Rp. exists (- lower (object_at g (rho d))). simpl.
        rewrite (F 0%nat _ eq_refl), Nat.add_0_r. split; auto. split; [lia | reflexivity].
  - pose proof (Ic _ (or_introl eq_refl)) as Hi. pose proof (linked_nodes well_given _ _ Hi) as Nn.
    assert (Rr : (p < length (registers P))%nat) by (apply (registers_exist well_given), in_flat_map; eexists; split; [exact Hi | simpl; auto]).
    destruct (tree_loads d (slot_at m p) t fp (length (made a)) R Nn) as (os & fq & Ep & Pm & Lq & D & Lo & Al).
    set (c := {| loaded := replace (loaded a) p (root_at t (length (made a))); made := made a ++ os; latest := latest a |}).
    assert (Nd' : NoDup (flat_map input_registers is)) by (simpl in Nd; inversion Nd; assumption).
    destruct (IH (fun i I => Ic i (or_intror I)) Nd' c) as (b & l & new & E & B); [simpl; rewrite !replace_length; exact La|].
    exists b, (fq ++ l), (os ++ new).
    apply (load_first (LinkedInput p d) (LinkedValue (linked_of t)) is vs fp cs a b c fq l os new); auto.
    + simpl. rewrite Ep. reflexivity.
    + split; auto; try (simpl; rewrite !replace_length; reflexivity).
      * eapply Forall_impl; [|exact D]. intros y (Y & _). right. exact Y.
      * rewrite (tree_weight _ _ _ _ _ R), <- Lo. clear - D. induction D as [|y l (Ny & L & U) _ IH]; auto. simpl.
        unfold width at 1. unfold is_node in Ny. destruct (origin_of _); try discriminate. rewrite L, U, IH. reflexivity.
      * simpl. intros q Q. apply replaced_other. intros ->. tauto.
      * intros rn F. destruct (Al (register g p) rn (registers_hold _ _ _ _ _ _ _ _ _ _ described p) F) as [Mo V]. split; [exact Mo|].
        simpl. intros r [<-|[]]. rewrite replaced_this by lia. exact V.
Qed.
End Described.
End Held.
End Loading.
