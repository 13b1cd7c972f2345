(** The entry state of the inputs that a member holds: it is one, a state that
    the member describes is alike to it, and it is as large as the inputs are
    (spec/calculus.md#root, #addscapegoat).  Any entry state that the member
    denotes is at least as large. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Folding FoldedMembers Entries Planting Presented Loading.
From Goatherd Require Members Scapegoats Unfolding.
Import ListNotations.
Open Scope Z_scope.

(** ** Positions in a list *)

Fixpoint index_of (o : nat) l n : option nat := match l with [] => None | x :: l => if Nat.eqb o x then Some n else index_of o l (S n) end.
Lemma index_some o l : forall n i, index_of o l n = Some i -> (n <= i)%nat /\ nth_error l (i - n) = Some o.
Proof.
  induction l as [|x l IH]; intros n i; simpl; [discriminate|]. destruct (Nat.eqb_spec o x) as [->|].
  - intros [= <-]. rewrite Nat.sub_diag. auto.
  - intros H. destruct (IH _ _ H) as [L E]. split; [lia|]. replace (i - n)%nat with (S (i - S n)) by lia. exact E.
Qed.
Lemma index_at o l : NoDup l -> forall n i, nth_error l i = Some o -> index_of o l n = Some (n + i)%nat.
Proof.
  induction 1 as [|x l Nx _ IH]; intros n [|i] E; simpl in *; try discriminate.
  - injection E as ->. rewrite Nat.eqb_refl, Nat.add_0_r. reflexivity.
  - destruct (Nat.eqb_spec o x) as [->|]; [destruct Nx; eapply nth_error_In; eauto|]. rewrite (IH (S n) i E). f_equal. lia.
Qed.
Lemma Forall2_at {A B} (R : A -> B -> Prop) l l' i x : Forall2 R l l' -> nth_error l i = Some x -> exists y, nth_error l' i = Some y /\ R x y.
Proof. intros F. revert i. induction F as [|a b l l' Rab _ IH]; intros [|i]; simpl; try discriminate; [intros [= ->]; eauto | apply IH]. Qed.
Lemma sum_perm l l' : Permutation l l' -> list_sum l = list_sum l'.
Proof. induction 1; simpl in *; lia. Qed.

Lemma NoDup_both {A} (l l' : list A) : NoDup l -> NoDup l' -> (forall c, In c l -> ~ In c l') -> NoDup (l ++ l').
Proof.
  induction 1 as [|c l Nc _ IH]; simpl; intros N D; auto. constructor; [|apply IH; auto]. intros I. apply in_app_or in I as [I|I]; [contradiction|].
  apply (D c); auto.
Qed.

(** Parts of a list, each once, come to no more than the list. *)
Lemma sum_part {A} (w : A -> nat) (d : A) l : forall ps, NoDup ps -> (forall p, In p ps -> (p < length l)%nat) ->
  (list_sum (map (fun p => w (nth p l d)) ps) <= list_sum (map w l))%nat.
Proof.
  intros ps N B. assert (X : list_sum (map w l) = list_sum (map (fun p => w (nth p l d)) (seq 0 (length l)))).
  { clear. induction l as [|x l IH]; auto. simpl. rewrite IH, <- seq_shift, map_map. reflexivity. }
  rewrite X. assert (I : incl ps (seq 0 (length l))) by (intros p Hp; apply in_seq; specialize (B p Hp); lia).
  clear B X. revert I. generalize (seq 0 (length l)) as qs. induction N as [|p ps Np _ IH]; intros qs I; [simpl; lia|].
  destruct (in_split p qs (I p (or_introl eq_refl))) as (q1 & q2 & ->).
  assert (J : incl ps (q1 ++ q2)).
  { intros q Hq. specialize (I q (or_intror Hq)). apply in_app_or in I. apply in_or_app. destruct I as [I|[->|I]]; auto. contradiction. }
  specialize (IH _ J). rewrite map_app, list_sum_app in *. simpl. lia.
Qed.

Section Recognised.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Notation links := (links_of P).
Notation fields_in d := (layout_fields (layout_of_declaration P d)).

(** ** Static objects *)

Definition is_static_at d := is_static_declaration (declaration_of P d).
(** What well-formedness asks of pointers in static objects. *)
Definition targets_formed := forall d count cs may ds t, origin_of (declaration_of P d) = Static count cs may -> In (Pointers ds) cs -> In (Some t) ds -> is_static_at t = true.
Hypothesis targets : targets_formed.
Definition statics := filter is_static_at (seq 0 (length (objects P))).
Definition statics_before d := length (filter is_static_declaration (firstn d (objects P))).

Lemma static_in_range d : is_static_at d = true -> (d < length (objects P))%nat.
Proof.
  intros S. destruct (Nat.lt_ge_cases d (length (objects P))) as [L|L]; auto. unfold is_static_at, declaration_of in S. rewrite nth_overflow in S by auto. discriminate.
Qed.
Lemma firstn_next {A} (l : list A) x : forall d, (d < length l)%nat -> firstn (S d) l = firstn d l ++ [nth d l x].
Proof. induction l as [|y l IH]; intros [|d] L; simpl in *; try lia; auto. f_equal. apply IH. lia. Qed.
Lemma before_seq d : (d <= length (objects P))%nat -> statics_before d = length (filter is_static_at (seq 0 d)).
Proof.
  unfold statics_before. induction d as [|d IH]; intros L; auto. rewrite seq_S, filter_app, app_length, <- IH by lia.
  rewrite (firstn_next (objects P) no_declaration d L), filter_app, app_length. f_equal. simpl. unfold is_static_at, declaration_of.
  destruct (is_static_declaration (nth d (objects P) no_declaration)); reflexivity.
Qed.
Lemma static_position d : is_static_at d = true -> nth_error statics (statics_before d) = Some d.
Proof.
  intros S. pose proof (static_in_range d S) as L. unfold statics. rewrite before_seq by lia.
  replace (length (objects P)) with (d + Datatypes.S (length (objects P) - d - 1))%nat by lia. rewrite seq_app, filter_app. simpl. rewrite S.
  rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity.
Qed.
Lemma static_listed d : In d statics -> is_static_at d = true.
Proof. unfold statics. intros I. apply filter_In in I. apply I. Qed.
Definition made_static base d := hd dead_object (static_object P base d).
Lemma statics_made base : flat_map (static_object P base) (seq 0 (length (objects P))) = map (made_static base) statics.
Proof.
  unfold statics. induction (seq 0 (length (objects P))) as [|d l IH]; auto. simpl. rewrite IH. unfold is_static_at, is_static_declaration, static_object, made_static.
  destruct (origin_of (declaration_of P d)) eqn:O; simpl; auto. unfold static_object. rewrite O. reflexivity.
Qed.

Section Held.
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (m : member).
Notation heap := (heap_of P sorts nu phi m).
Notation fixed_element := (fixed_element nu).

(** What an element of a static object holds at first. *)
Definition static_says fld c f i := match c with
  | Pointers ds => match nth_error ds (Z.to_nat i) with
    | Some (Some t) => i < Z.of_nat (length (apart f)) /\ exists z, nth (Z.to_nat i) (apart f) forgotten = Plain (Members.PointerSlot t z 0) /\ eval nu z = 0
    | Some None => fixed_element f i = Some Null
    | None => fixed_element f i = Some Uninitialised end
  | _ => fixed_element f i = Some (read (static_cells P 0 fld c) i) end.
Record holds_static d count cs x : Prop := {
  static_kind : kind x = d;
  static_live : life_of x = Live;
  static_start : eval nu (begins x) = 0;
  static_end : eval nu (ends x) = count;
  static_width : length (contents x) = length (combine (fields_in d) cs);
  static_elements : forall k fld c i, nth_error (combine (fields_in d) cs) k = Some (fld, c) -> 0 <= i < count -> static_says fld c (nth k (contents x) no_field) i }.
(** A member before its first instruction. *)
Record entry_shaped : Prop := {
  shaped_place : place_of m = O;
  shaped_registers : length (slots m) = length (registers P);
  shaped_unset : forall r, (r < length (registers P))%nat -> ~ In r (flat_map input_registers (inputs P)) -> slot_at m r = Plain Members.NothingHeld;
  shaped_statics : forall d count cs may, origin_of (declaration_of P d) = Static count cs may ->
    exists x, object_named m d = Some x /\ holds_static d count cs x }.
Hypothesis shaped : entry_shaped.
Hypothesis meant : well_meant P table sorts phi.

(** *** What inputs consist of *)

Notation presents := (presents P sorts nu phi m).
Definition there (c : Scapegoats.cell) := match c with inl o => object_named m o <> None | inr f => Scapegoats.parts heap f <> None end.
Lemma presents_there is vs cs : presents is vs cs -> forall c, In c cs -> there c.
Proof.
  induction 1 as [| | p n d rows x is vs cs (i & _ & O & _) _ _ _ _ IH | | p d row x is vs cs (i & _ & O & _) _ _ _ IH | p d t fp is vs cs R _ IH]; intros c I; auto.
  - destruct I.
  - destruct I as [<-|I]; auto. simpl. congruence.
  - destruct I as [<-|I]; auto. simpl. congruence.
  - apply in_app_or in I as [I|I]; auto. pose proof (proj1 (Unfolding.reads_exist links heap) _ _ _ _ _ R c I) as X.
    destruct c as [o|f]; simpl in *; auto. unfold heap_node in X. destruct (object_named m o); congruence.
Qed.
Lemma presents_kinds is vs cs : presents is vs cs -> incl is (inputs P) -> forall o x, In (inl o) cs -> object_named m o = Some x -> is_input P (kind x) = true \/ is_node P (kind x) = true.
Proof.
  induction 1 as [| r z is vs cs _ _ _ IH | p n d rows y is vs cs (i & _ & O & _) K _ _ _ IH | p d is vs cs _ _ IH | p d row y is vs cs (i & _ & O & _) K _ _ IH | p d t fp is vs cs R _ IH]; intros Ic o x I E;
  try (apply (IH (fun j J => Ic j (or_intror J)) o x I E)).
  - destruct I.
  - destruct I as [[= <-]|I]; [|apply (IH (fun j J => Ic j (or_intror J)) o x I E)]. rewrite O in E. injection E as <-. left.
    rewrite (rows_kind _ _ _ _ _ K). eapply (arrays_inputs P well_given). apply Ic. simpl. auto.
  - destruct I as [[= <-]|I]; [|apply (IH (fun j J => Ic j (or_intror J)) o x I E)]. rewrite O in E. injection E as <-. left.
    rewrite (rows_kind _ _ _ _ _ K). eapply (singles_inputs P well_given). apply Ic. simpl. auto.
  - apply in_app_or in I as [I|I]; [|apply (IH (fun j J => Ic j (or_intror J)) o x I E)]. right.
    pose proof (proj1 (Unfolding.reads_exist links heap) _ _ _ _ _ R _ I) as X. simpl in X. unfold heap_node in X. rewrite E in X. destruct (is_node P (kind x)); congruence.
Qed.

(** ** In a state that the member describes *)

Section Described.
Variable g : state.
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat).
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Hypothesis typed_state : typed P g.
Notation means := (means nu m rho roots lasts).
Notation places := (places rho cells).

Lemma there_part f : Scapegoats.parts heap f <> None -> exists q, part_named m f = Some q /\ exists d, nth_error sorts (symbol q) = Some (TreeOf d).
Proof. simpl. unfold heap_part. destruct (part_named m f) as [q|]; [|congruence]. destruct (nth_error sorts (symbol q)) as [[d|d]|] eqn:E; try congruence. eauto. Qed.
Lemma places_once cs : NoDup cs -> (forall c, In c cs -> there c) -> NoDup (places cs).
Proof.
  induction 1 as [|c cs Nc _ IH]; intros T; simpl; [constructor|].
  assert (Once : NoDup (place rho cells c)).
  { destruct c as [o|f]; simpl; [constructor; [intros []|constructor]|]. destruct (there_part f (T _ (or_introl eq_refl))) as (q & Q & _).
    apply (cells_once _ _ _ _ _ _ _ _ _ _ described f q Q). }
  assert (Apart : forall a, In a (place rho cells c) -> ~ In a (places cs)).
  { intros a Ia Ib. apply in_flat_map in Ib as (b & Ib & Ja). assert (Tb : there b) by (apply T; simpl; auto). pose proof (T c (or_introl eq_refl)) as Tc.
    assert (E : b = c).
    { destruct b as [o|f], c as [o'|f']; simpl in Ia, Ja.
      - destruct Ia as [<-|[]], Ja as [E|[]]. simpl in Tb, Tc. destruct (object_named m o) as [x|] eqn:O; [|congruence]. destruct (object_named m o') as [x'|] eqn:O'; [|congruence].
        f_equal. eapply (objects_apart _ _ _ _ _ _ _ _ _ _ described); eauto.
      - destruct Ja as [<-|[]]. simpl in Tb. destruct (object_named m o) as [x|] eqn:O; [|congruence]. destruct (there_part f' Tc) as (q & Q & _).
        destruct (cells_apart _ _ _ _ _ _ _ _ _ _ described o x f' q O Q Ia).
      - destruct Ia as [<-|[]]. simpl in Tc. destruct (object_named m o') as [x|] eqn:O; [|congruence]. destruct (there_part f Tb) as (q & Q & _).
        destruct (cells_apart _ _ _ _ _ _ _ _ _ _ described o' x f q O Q Ja).
      - destruct (there_part f Tb) as (q & Q & _), (there_part f' Tc) as (q' & Q' & _). f_equal. eapply (parts_apart _ _ _ _ _ _ _ _ _ _ described); eauto. }
    subst. contradiction. }
  apply NoDup_both; auto. apply IH. intros b I. apply T. simpl; auto.
Qed.
Lemma place_exists c a : there c -> In a (place rho cells c) -> (a < length (memory g))%nat.
Proof.
  destruct c as [o|f]; simpl; intros T I.
  - destruct I as [<-|[]]. destruct (object_named m o) as [x|] eqn:O; [|congruence]. eapply (objects_exist _ _ _ _ _ _ _ _ _ _ described); eauto.
  - destruct (there_part f T) as (q & Q & d & E). destruct (parts_hold _ _ _ _ _ _ _ _ _ _ described f q Q) as (fp & Pm & D). rewrite E in D. destruct D as (_ & _ & T').
    destruct (proj1 (tree_cells g) _ _ _ _ _ T') as [_ A]. rewrite Forall_forall in A. specialize (A a (Permutation_in _ (Permutation_sym Pm) I)).
    destruct (Nat.lt_ge_cases a (length (memory g))) as [L|L]; auto. unfold object_at in A. rewrite nth_overflow in A by auto. discriminate.
Qed.

(** *** The entry state of these inputs *)

Variables (vs : list input_value) (cs : list Scapegoats.cell).
Hypothesis presented : presents (inputs P) vs cs.
Hypothesis each_once : NoDup cs.
Hypothesis locals_unset : forall d, is_local P d = true -> nth d (current g) None = None.
(** What declarations are called statics by. *)
Definition all_cells := cs ++ map inl statics.
Lemma all_there c : In c all_cells -> there c.
Proof.
  intros I. apply in_app_or in I as [I|I]; [eapply presents_there; eauto|]. apply in_map_iff in I as (d & <- & I). apply static_listed in I.
  unfold is_static_at, is_static_declaration in I. destruct (origin_of (declaration_of P d)) as [|count ds may| | |] eqn:O; try discriminate.
  destruct (shaped_statics shaped d count ds may O) as (x & E & _). simpl. congruence.
Qed.
Lemma all_once : NoDup all_cells.
Proof.
  unfold all_cells. assert (N : NoDup (map (@inl nat nat) statics)).
  { apply FinFun.Injective_map_NoDup; [intros x y [= ->]; auto|]. apply NoDup_filter, seq_NoDup. }
  assert (Apart : forall c, In c cs -> ~ In c (map (@inl nat nat) statics)).
  { intros c I J. apply in_map_iff in J as (d & <- & J). apply static_listed in J. unfold is_static_at, is_static_declaration in J.
    destruct (origin_of (declaration_of P d)) as [|count ds may| | |] eqn:O; try discriminate. destruct (shaped_statics shaped d count ds may O) as (x & E & K).
    destruct (presents_kinds _ _ _ presented (incl_refl _) d x I E) as [X|X]; rewrite (static_kind _ _ _ _ K) in X; unfold is_input, is_node in X; rewrite O in X; discriminate. }
  apply NoDup_both; auto.
Qed.

Lemma static_alike rn base d : is_static_at d = true -> (forall e, is_static_at e = true -> rn (rho e) = Some (static_reference P base e, 0)) ->
  object_alike rn all_known (- lower (object_at g (rho d))) (object_at g (rho d)) (made_static base d) /\ lower (object_at g (rho d)) = 0.
Proof.
  intros S R. unfold made_static, static_object. pose proof S as S'. unfold is_static_at, is_static_declaration in S'.
  destruct (origin_of (declaration_of P d)) as [|count ds may| | |] eqn:O; try discriminate. simpl hd.
  destruct (shaped_statics shaped d count ds may O) as (x & E & [K L B En W El]). destruct (objects_hold _ _ _ _ _ _ _ _ _ _ described d x E) as [A1 A2 A3 A4 A5 A6].
  assert (Lo : lower (object_at g (rho d)) = 0) by congruence. split; [|exact Lo]. rewrite Lo. split; simpl; try congruence; try lia.
  - rewrite map_length. congruence.
  - rewrite A2. intros Lv k i I _. specialize (A6 Lv k i I). rewrite Z.add_0_r.
    destruct (nth_error (combine (fields_in d) ds) k) as [[fld c]|] eqn:Ek.
    + assert (Ec : nth k (map (fun p => static_cells P base (fst p) (snd p)) (combine (fields_in d) ds)) no_cells = static_cells P base fld c).
      { erewrite nth_error_nth; [reflexivity|]. rewrite nth_error_map, Ek. reflexivity. }
      unfold field_of at 2. simpl fields_of. rewrite Ec. specialize (El k fld c i Ek ltac:(lia)).
      assert (Same : forall v, (forall p, v <> Pointer p) -> fixed_element (nth k (contents x) no_field) i = Some v ->
        value_alike rn (read (field_of (object_at g (rho d)) k) i) v).
      { intros v Nv F. rewrite (fixed_element_means _ _ _ _ _ _ _ _ _ F A6). destruct v; simpl; auto. destruct (Nv p eq_refl). }
      assert (Table : forall l : list value, Forall (fun v => forall p, v <> Pointer p) l -> forall j p, nth j l Uninitialised <> Pointer p).
      { intros l F j p. destruct (nth_in_or_default j l Uninitialised) as [J|Z0]; [|rewrite Z0; discriminate]. rewrite Forall_forall in F. apply (F _ J). }
      destruct c as [|t|es]; simpl in El.
      * apply Same; auto. intros p. unfold static_cells, read. simpl. destruct (holds fld); discriminate.
      * apply Same; auto. intros p. unfold static_cells, read. simpl. destruct (0 <=? i); [|discriminate]. apply Table. apply Forall_forall.
        intros v J. apply in_map_iff in J as (z & <- & _). discriminate.
      * assert (Rd : read (static_cells P base fld (Pointers es)) i = match nth_error es (Z.to_nat i) with
          | Some (Some e) => Inputs.start_of (static_reference P base e) | Some None => Null | None => Uninitialised end).
        { unfold static_cells, read. simpl. destruct (Z.leb_spec 0 i); [|lia]. destruct (nth_error es (Z.to_nat i)) as [e|] eqn:Ee.
          - erewrite nth_error_nth; [|rewrite nth_error_map, Ee; reflexivity]. destruct e; reflexivity.
          - apply nth_overflow. rewrite map_length. apply nth_error_None. exact Ee. }
        rewrite Rd. destruct (nth_error es (Z.to_nat i)) as [[t|]|] eqn:Ee; try (apply Same; auto; discriminate).
        destruct El as (Bi & z & Ez & Zz). unfold means_element in A6.
        replace ((0 <=? i) && (i <? Z.of_nat (length (apart (nth k (contents x) no_field))))) with true in A6
          by (symmetry; apply andb_true_intro; split; [apply Z.leb_le | apply Z.ltb_lt]; lia).
        rewrite Ez in A6. simpl in A6.
        assert (St : is_static_at t = true).
        { eapply targets; [exact O | | eapply nth_error_In; exact Ee]. apply nth_error_In in Ek. eapply in_combine_r. exact Ek. }
        destruct (object_named m t); [|destruct A6]. rewrite <- A6. exists 0. simpl. rewrite (R t St), Zz. auto.
    + apply nth_error_None in Ek. unfold field_of. simpl fields_of. rewrite !nth_overflow by (rewrite ?map_length; lia). exact Logic.I.
Qed.

Lemma matched_widths rn l new : match_objects g rn l new -> Forall (counted P) new ->
  list_sum (map (fun o => width P (object_at g o)) l) = list_sum (map (width P) new) /\ Forall (fun o => counted P (object_at g o)) l.
Proof.
  induction 1 as [|o x l new Ox _ IH]; simpl; intros F; [auto|]. inversion_clear F as [|? ? C Cs]. destruct (IH Cs) as [I1 I2].
  destruct Ox as [D V L U W _]. split; [|constructor; auto; unfold counted in *; rewrite D in C; exact C].
  rewrite I1. f_equal. unfold width. rewrite D, L, U. destruct (origin_of _); auto; f_equal; lia.
Qed.
Notation weights := (weights nu phi m).
Theorem recognised : exists y rn l, entry_state P vs = Some y /\ alike (everything P) rn g y /\ input_size_of P y = weights cs /\
  Permutation l (places cs) /\ NoDup l /\ list_sum (map (fun o => width P (object_at g o)) l) = weights cs /\ Forall (fun o => counted P (object_at g o)) l /\
  forall p, (p < length (memory y))%nat -> exists o k, rn o = Some (p, k).
Proof.
  set (a0 := {| loaded := map (fun _ => Uninitialised) (registers P); made := []; latest := map (fun _ => None) (objects P) |}).
  destruct (inputs_load P table formed well_given sorts nu phi m meant g rho roots lasts cells described typed_state (inputs P) vs cs presented (incl_refl _)
    (registers_apart P well_given) a0 ltac:(simpl; apply map_length)) as (b & l & new & Eb & [B1 B2 [B3 B3'] B4 B5 B6 B7 B8 B9]).
  simpl in B1. set (base := length new). set (whole := l ++ map rho statics).
  set (rn := fun o => match index_of o whole 0 with Some i => Some (i, - lower (object_at g o)) | None => None end : option (nat * Z)).
  assert (Pw : Permutation whole (places all_cells)).
  { unfold whole, all_cells, Presented.places. rewrite flat_map_app. apply Permutation_app; [exact B4|]. clear. induction statics; simpl; auto. }
  assert (Once : NoDup whole).
  { apply (Permutation_NoDup (Permutation_sym Pw)). apply places_once; [apply all_once | apply all_there]. }
  assert (At : forall i o, nth_error whole i = Some o -> rn o = Some (i, - lower (object_at g o))).
  { intros i o E. unfold rn. rewrite (index_at o whole Once 0 i E). reflexivity. }
  assert (From : forall o p k, rn o = Some (p, k) -> nth_error whole p = Some o /\ k = - lower (object_at g o)).
  { intros o p k. unfold rn. destruct (index_of o whole 0) as [i|] eqn:E; [|discriminate]. intros [= <- <-]. apply index_some in E as [_ E].
    rewrite Nat.sub_0_r in E. auto. }
  assert (Fl : follows_at g 0 l rn).
  { intros i o E. simpl. apply At. unfold whole. rewrite nth_error_app1; auto. apply nth_error_Some. congruence. }
  destruct (B9 rn Fl) as [Mo Rg].
  assert (Sr : forall e, is_static_at e = true -> rn (rho e) = Some (static_reference P base e, 0)).
  { intros e S. assert (E : nth_error whole (static_reference P base e) = Some (rho e)).
    { unfold whole, static_reference, base. rewrite nth_error_app2 by lia. rewrite <- B5. replace (length l + length (filter is_static_declaration (firstn e (objects P))) - length l)%nat
        with (statics_before e) by (unfold statics_before; lia). rewrite nth_error_map, (static_position e S). reflexivity. }
    rewrite (At _ _ E). unfold is_static_at, is_static_declaration in S. destruct (origin_of (declaration_of P e)) as [|count ds may| | |] eqn:O; try discriminate.
    destruct (shaped_statics shaped e count ds may O) as (x & Ex & K). rewrite (same_start _ _ _ _ _ _ _ (objects_hold _ _ _ _ _ _ _ _ _ _ described e x Ex)), (static_start _ _ _ _ K). reflexivity. }
  assert (Ms : match_objects g rn (map rho statics) (map (made_static base) statics)).
  { assert (X : forall d, In d statics -> is_static_at d = true) by apply static_listed. revert X. generalize statics as ds. induction ds as [|d ds IH]; intros X; simpl; constructor.
    - apply static_alike; auto. apply X. simpl; auto.
    - apply IH. intros e I. apply X. simpl; auto. }
  assert (Mw : match_objects g rn whole (new ++ map (made_static base) statics)) by (apply Forall2_app; auto).
  set (y := add_statics P b). assert (My : memory y = new ++ map (made_static base) statics) by (simpl; rewrite B1, statics_made; reflexivity).
  exists y, rn, l. split; [unfold entry_state; fold a0; rewrite Eb; reflexivity|].
  assert (Sizes : list_sum (map (fun o => width P (object_at g o)) l) = weights cs /\ Forall (fun o => counted P (object_at g o)) l).
  { rewrite <- B7. eapply matched_widths; eauto. }
  destruct Sizes as [Sz Ct].
  split; [|split; [|split; [exact B4|split; [|split; [exact Sz | split; [exact Ct|]]]]]].
  - split.
    + simpl. rewrite (is_at _ _ _ _ _ _ _ _ _ _ described), (shaped_place shaped). reflexivity.
    + change (values y) with (loaded b). rewrite B2. simpl. rewrite map_length, (register_count _ _ _ _ _ _ _ _ _ _ described), (shaped_registers shaped). reflexivity.
    + rewrite (name_count _ _ _ _ _ _ _ _ _ _ described). simpl. unfold numbered. rewrite map_length, combine_length, seq_length. lia.
    + intros o o' p k k' E E'. apply From in E as [E _], E' as [E' _]. congruence.
    + intros o p k E. apply From in E as [E _]. split.
      * apply nth_error_In in E. apply (Permutation_in _ Pw) in E. apply in_flat_map in E as (c & Ic & Io). eapply place_exists; [apply all_there|]; eauto.
      * rewrite My, <- (Folding.Forall2_length _ _ _ Mw). apply nth_error_Some. congruence.
    + intros o p k E. apply From in E as [E ->]. destruct (Forall2_at _ _ _ _ _ Mw E) as (x & Ex & Ox). assert (Oy : object_at y p = x) by (unfold object_at; rewrite My; apply nth_error_nth; exact Ex). rewrite Oy.
      eapply object_weaker; [|exact Ox]. unfold all_known. auto.
    + intros r _. change (register y r) with (nth r (loaded b) Uninitialised). destruct (in_dec Nat.eq_dec r (flat_map input_registers (inputs P))) as [I|I]; [auto|].
      rewrite B8 by exact I. assert (Un : nth r (loaded a0) Uninitialised = Uninitialised).
      { simpl. generalize (registers P) as ts. intros ts. revert r I. clear. intros r _. revert r. induction ts; intros [|r]; simpl; auto. }
      rewrite Un. assert (Ug : register g r = Uninitialised); [|rewrite Ug; exact Logic.I].
      destruct (Nat.lt_ge_cases r (length (registers P))) as [L|L].
      * pose proof (registers_hold _ _ _ _ _ _ _ _ _ _ described r) as X. rewrite (shaped_unset shaped r L I) in X. simpl in X. auto.
      * unfold register. apply nth_overflow. rewrite (register_count _ _ _ _ _ _ _ _ _ _ described), (shaped_registers shaped). exact L.
    + intros d Hd. unfold name_alike. cbn [current y add_statics]. rewrite (nth_numbered _ _ d no_declaration).
      destruct (Nat.ltb_spec d (length (objects P))) as [L|L]; [|exfalso; simpl in Hd; unfold has_name, declaration_of in Hd; rewrite nth_overflow in Hd by auto; discriminate].
      cbn [fst snd]. fold (declaration_of P d). simpl in Hd. unfold has_name in Hd. destruct (origin_of (declaration_of P d)) as [|count ds may|count| |] eqn:O; try discriminate.
      * destruct (shaped_statics shaped d count ds may O) as (x & Ex & K). pose proof (names_hold _ _ _ _ _ _ _ _ _ _ described d x Ex (static_live _ _ _ _ K)) as N.
        rewrite (static_kind _ _ _ _ K) in N. rewrite N by (unfold has_name; rewrite O; reflexivity). exists 0. rewrite B1. cbn [app].
        change (static_reference P (length new) d) with (static_reference P base d). apply Sr. unfold is_static_at, is_static_declaration. rewrite O. reflexivity.
      * rewrite locals_unset by (unfold is_local; rewrite O; reflexivity). rewrite B3' by (unfold has_name; rewrite O; reflexivity). simpl.
        assert (X : nth d (map (fun _ : object_declaration => @None nat) (objects P)) None = None) by (clear; revert d; induction (objects P); intros [|d]; simpl; auto).
        rewrite X. exact Logic.I.
  - rewrite size_of_widths, My, map_app, list_sum_app, B7. assert (Z0 : list_sum (map (width P) (map (made_static base) statics)) = 0%nat); [|lia].
    assert (X : forall d, In d statics -> is_static_at d = true) by apply static_listed. revert X. generalize statics as ds. induction ds as [|d ds IH]; intros X; auto.
    simpl. rewrite IH by (intros e I; apply X; simpl; auto). specialize (X d (or_introl eq_refl)). unfold is_static_at, is_static_declaration in X.
    unfold width, made_static, static_object. destruct (origin_of (declaration_of P d)) eqn:O; try discriminate. simpl. rewrite O. reflexivity.
  - unfold whole in Once. apply Scapegoats.NoDup_left in Once. exact Once.
  - intros p L. rewrite My, <- (Folding.Forall2_length _ _ _ Mw) in L. destruct (nth_error whole p) as [o|] eqn:E; [|apply nth_error_None in E; lia].
    exists o, (- lower (object_at g o)). apply At. exact E.
Qed.
End Described.
End Held.
End Recognised.
