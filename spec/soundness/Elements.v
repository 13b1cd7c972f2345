(** AddScapegoat on arrays and integers (spec/calculus.md#addscapegoat): a member
    of which an element is left out, the last or any of those that have cells,
    holds inputs that are smaller by one; one with another integer in range holds
    inputs that are as large. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Folding FoldedMembers Entries Planting Presented Loading Recognised Built Entering Roots.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

(** ** Heaps that are the same *)

Lemma reads_same links H H' : (forall o, Scapegoats.nodes H' o = Scapegoats.nodes H o) -> (forall f, Scapegoats.parts H' f = Scapegoats.parts H f) ->
  (forall d s a t fp, Scapegoats.reads links H d s a t fp -> Scapegoats.reads links H' d s a t fp) /\
  (forall x a ls ss fs fp, Scapegoats.reads_fields links H x a ls ss fs fp -> Scapegoats.reads_fields links H' x a ls ss fs fp).
Proof.
  intros N Q. apply Scapegoats.reads_ind'; intros; try (constructor; auto; fail).
  - econstructor; eauto. rewrite N. assumption.
  - pose proof (Scapegoats.reads_part links H' p a q) as R. apply R; auto. rewrite Q. assumption.
Qed.

Section Elements.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis well_given : inputs_formed P.
Notation fields_in d := (layout_fields (layout_of_declaration P d)).
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning).
Notation presents := (presents P sorts nu phi).
Notation holds_inputs := (holds_inputs P sorts nu phi).
Notation weights := (weights nu phi).
Notation holds_rows := (holds_rows P nu).

(** ** Members that differ in some registers and objects *)

Variables m m' : member.
Variables (rs ds : list nat).
Record changed : Prop := {
  same_place : place_of m' = place_of m;
  same_slots : length (slots m') = length (slots m);
  same_parts : parts m' = parts m;
  other_slots : forall r, ~ In r rs -> slot_at m' r = slot_at m r;
  other_objects : forall o, ~ In o ds -> object_named m' o = object_named m o;
  (** The objects are of inputs, and stay so. *)
  input_objects : forall o, In o ds -> exists x x', object_named m o = Some x /\ object_named m' o = Some x' /\ kind x' = kind x /\ is_input P (kind x) = true }.
Hypothesis differ : changed.

Lemma part_same f : part_named m' f = part_named m f.
Proof. unfold part_named. rewrite (same_parts differ). reflexivity. Qed.
Lemma slot_same v : heap_slot nu m' v = heap_slot nu m v.
Proof. unfold heap_slot, unreadable. rewrite (same_parts differ). reflexivity. Qed.
Lemma input_is d : is_input P d = true -> is_node P d = false /\ is_static_at P d = false /\ is_local P d = false.
Proof. unfold is_input, is_node, is_static_at, is_static_declaration, is_local. destruct (origin_of _); try discriminate; auto. Qed.
Lemma node_same o : Scapegoats.nodes (heap_of P sorts nu phi m') o = Scapegoats.nodes (heap_of P sorts nu phi m) o.
Proof.
  simpl. unfold heap_node. destruct (in_dec Nat.eq_dec o ds) as [I|I].
  - destruct (input_objects differ o I) as (x & x' & -> & -> & K & N). apply input_is in N as (N & _). rewrite K, N. reflexivity.
  - rewrite (other_objects differ o I). destruct (object_named m o) as [x|]; auto. destruct (is_node P (kind x)); auto. f_equal. f_equal.
    apply map_ext. intros f. apply slot_same.
Qed.
Lemma heap_part_same f : Scapegoats.parts (heap_of P sorts nu phi m') f = Scapegoats.parts (heap_of P sorts nu phi m) f.
Proof. simpl. unfold heap_part. rewrite part_same. destruct (part_named m f) as [q|]; auto. rewrite slot_same. reflexivity. Qed.
Lemma reads_here d s a t fp : Scapegoats.reads (links_of P) (heap_of P sorts nu phi m) d s a t fp -> Scapegoats.reads (links_of P) (heap_of P sorts nu phi m') d s a t fp.
Proof. apply (proj1 (reads_same (links_of P) _ _ node_same heap_part_same)). Qed.
Lemma weight_same c : (forall o, c = inl o -> ~ In o ds) -> weight nu phi m' c = weight nu phi m c.
Proof.
  intros N. destruct c as [o|f]; simpl; [rewrite (other_objects differ o (N o eq_refl)); reflexivity|]. rewrite part_same. reflexivity.
Qed.
Lemma weights_same cs : (forall o, In (inl o) cs -> ~ In o ds) -> weights m' cs = weights m cs.
Proof.
  intros N. unfold Loading.weights. f_equal. apply map_ext_in. intros c I. apply weight_same. intros o ->. auto.
Qed.
Lemma points_same p d x : ~ In p rs -> ~ In d ds -> points_to nu m p d x -> points_to nu m' p d x.
Proof. intros Np Nd (i & S & O & E). exists i. rewrite (other_slots differ p Np), (other_objects differ d Nd). auto. Qed.
Lemma integer_same r z : ~ In r rs -> holds_integer nu m r z -> holds_integer nu m' r z.
Proof. intros N (t & S & E). exists t. rewrite (other_slots differ r N). auto. Qed.

(** What is not looked at is held as before. *)
Lemma presents_same is vs cs : presents m is vs cs -> (forall r, In r (flat_map input_registers is) -> ~ In r rs) -> (forall o, In (inl o) cs -> ~ In o ds) -> presents m' is vs cs.
Proof.
  induction 1 as [| r z is vs cs Hz W _ IH | p n d rows x is vs cs Hp Hx Hn Al _ IH | p d is vs cs Sp _ IH | p d row x is vs cs Hp Hx Fr _ IH | p d t fp is vs cs R _ IH];
  intros Nr Nd; simpl in Nr.
  - constructor.
  - constructor; auto. apply integer_same; auto.
  - econstructor; eauto; [apply points_same | apply integer_same | apply IH]; simpl in Nd; auto.
  - constructor; auto. rewrite (other_slots differ p); auto.
  - econstructor; eauto; [apply points_same | apply IH]; simpl in Nd; auto.
  - constructor; [|apply IH; intros; [apply Nr; auto | apply Nd, in_or_app; auto]]. rewrite slot_same, (other_slots differ p) by auto. apply reads_here. exact R.
Qed.

(** It is before the first instruction, and there is a state that it describes. *)
Lemma changed_shaped : entry_shaped P nu m -> incl rs (flat_map input_registers (inputs P)) -> entry_shaped P nu m'.
Proof.
  intros [A B C D] I. split.
  - rewrite (same_place differ). exact A.
  - rewrite (same_slots differ). exact B.
  - intros r L N. rewrite (other_slots differ r); auto.
  - intros d count cs may O. destruct (D d count cs may O) as (x & E & K). exists x. split; auto. rewrite (other_objects differ d); auto. intros J.
    destruct (input_objects differ d J) as (y & _ & Ey & _ & _ & N). rewrite E in Ey. injection Ey as <-. rewrite (static_kind _ _ _ _ _ _ K) in N.
    unfold is_input in N. rewrite O in N. discriminate.
Qed.
Lemma leads_same v : leads m v -> leads m' v.
Proof.
  destruct v as [[| |t| |o i b]|f|f]; simpl; auto.
  - destruct (in_dec Nat.eq_dec o ds) as [I|I]; [|rewrite (other_objects differ o I); auto]. destruct (input_objects differ o I) as (_ & x' & _ & E & _). congruence.
  - rewrite part_same. auto.
Qed.
Lemma right_same o x : object_right P nu m o x -> object_right P nu m' o x.
Proof.
  intros [A B C D E F]. split; auto. intros L k fld i Ek Bi. specialize (F L k fld i Ek Bi). unfold element_right in *.
  destruct (Programs.holds fld); auto. destruct F as [F G]. split; auto. apply leads_same. exact G.
Qed.
Lemma changed_built : buildable P sorts nu m -> (forall o x, In o ds -> object_named m' o = Some x -> object_right P nu m' o x) ->
  (forall r, In r rs -> leads m' (slot_at m' r) /\ forall t, slot_at m' r = Plain (Members.IntegerSlot t) -> value_in (type_of P r) (Integer (eval nu t))) -> buildable P sorts nu m'.
Proof.
  intros [A B C D] Ob Rg. split.
  - intros o x E. destruct (in_dec Nat.eq_dec o ds) as [I|I]; [auto|]. rewrite (other_objects differ o I) in E. apply right_same. auto.
  - intros f q E. rewrite part_same in E. destruct (B f q E) as (d & Ed & N & Be & Al & Ab). exists d. repeat split; auto. apply leads_same. exact Ab.
  - intros r. destruct (in_dec Nat.eq_dec r rs) as [I|I]; [apply Rg; exact I|]. rewrite (other_slots differ r I). apply leads_same. auto.
  - intros r t E. destruct (in_dec Nat.eq_dec r rs) as [I|I]; [apply (proj2 (Rg r I)); exact E|]. rewrite (other_slots differ r I) in E. auto.
Qed.
End Elements.

Section Changes.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis well_given : inputs_formed P.
Notation fields_in d := (layout_fields (layout_of_declaration P d)).
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning).
Notation presents := (presents P sorts nu phi).
Notation holds_inputs := (holds_inputs P sorts nu phi).
Notation weights := (weights nu phi).
Notation holds_rows := (holds_rows P nu).

(** ** An integer *)

Lemma integer_presents m m' r t is vs cs : changed P m m' [r] [] -> slot_at m' r = Plain (Members.IntegerSlot t) -> within (integer_type_of P r) (eval nu t) ->
  presents m is vs cs -> NoDup (flat_map input_registers is) -> In (IntegerInput r) is -> exists vs', presents m' is vs' cs.
Proof.
  intros Ch Sr W. induction 1 as [| q z is vs cs Hz Wz H IH | p n d rows x is vs cs Hp Hx Hn Al H IH | p d is vs cs Sp H IH | p d row x is vs cs Hp Hx Fr H IH | p d u fp is vs cs R H IH];
  intros Nd I; [destruct I| | | | |].
  - simpl in Nd. inversion_clear Nd as [|? ? Nq Nd']. destruct I as [[= ->]|I].
    + exists (IntegerValue (eval nu t) :: vs). constructor; [exists t; auto | apply is_within_iff; exact W |].
      apply (presents_same P sorts nu phi m m' [r] [] Ch); auto. intros s Is [<-|[]]. contradiction.
    + destruct (IH Nd' I) as (vs' & H'). exists (IntegerValue z :: vs'). constructor; auto. apply (integer_same P nu m m' [r] [] Ch); auto.
      intros [<-|[]]. apply Nq. apply in_flat_map. exists (IntegerInput r). simpl. auto.
  - destruct I as [I|I]; [discriminate|]. simpl in Nd. inversion_clear Nd as [|? ? Np Nd']. inversion_clear Nd' as [|? ? Nn Nd2]. destruct (IH Nd2 I) as (vs' & H'). exists (ArrayValue rows :: vs').
    assert (Ir : In r (flat_map input_registers is)) by (apply in_flat_map; exists (IntegerInput r); simpl; auto).
    econstructor; eauto; [apply (points_same P nu m m' [r] [] Ch); auto | apply (integer_same P nu m m' [r] [] Ch); auto]; intros [<-|[]]; auto. apply Np. simpl. auto.
  - destruct I as [I|I]; [discriminate|]. simpl in Nd. inversion_clear Nd as [|? ? Np Nd']. destruct (IH Nd' I) as (vs' & H'). exists (SingleValue None :: vs').
    constructor; auto. rewrite (other_slots P m m' [r] [] Ch); auto. intros [<-|[]]. apply Np. apply in_flat_map. exists (IntegerInput r). simpl. auto.
  - destruct I as [I|I]; [discriminate|]. simpl in Nd. inversion_clear Nd as [|? ? Np Nd']. destruct (IH Nd' I) as (vs' & H'). exists (SingleValue (Some row) :: vs').
    econstructor; eauto. apply (points_same P nu m m' [r] [] Ch); auto. intros [<-|[]]. apply Np. apply in_flat_map. exists (IntegerInput r). simpl. auto.
  - destruct I as [I|I]; [discriminate|]. simpl in Nd. inversion_clear Nd as [|? ? Np Nd']. destruct (IH Nd' I) as (vs' & H'). exists (LinkedValue (linked_of u) :: vs').
    constructor; auto. rewrite (slot_same P nu m m' [r] [] Ch), (other_slots P m m' [r] [] Ch); [apply (reads_here P sorts nu phi m m' [r] [] Ch); exact R|].
    intros [<-|[]]. apply Np. apply in_flat_map. exists (IntegerInput r). simpl. auto.
Qed.
(** An integer input may have any other value. *)
Theorem integer_changed m m' r t vs cs : changed P m m' [r] [] -> In (IntegerInput r) (inputs P) -> slot_at m' r = Plain (Members.IntegerSlot t) ->
  within (integer_type_of P r) (eval nu t) -> holds_inputs m vs cs -> exists vs', holds_inputs m' vs' cs /\ weights m' cs = weights m cs.
Proof.
  intros Ch I Sr W [S B Pr O]. destruct (integer_presents m m' r t _ _ _ Ch Sr W Pr (registers_apart P well_given) I) as (vs' & Pr').
  exists vs'. split; [split; auto|].
  - eapply changed_shaped; eauto. intros q [<-|[]]. apply in_flat_map. exists (IntegerInput r). simpl. auto.
  - eapply changed_built; eauto; [intros o x []|]. intros q [<-|[]]. rewrite Sr. split; [exact Logic.I|]. intros u [= <-]. unfold integer_type_of in W. destruct (type_of P r); simpl; auto.
  - eapply weights_same; eauto.
Qed.

(** ** An array *)

Lemma shorter_allowed n d rows rows' : array_allowed P n d rows = true -> incl rows' rows -> (length rows' <= length rows)%nat -> array_allowed P n d rows' = true.
Proof.
  unfold array_allowed. intros H I L. apply andb_prop in H as [H C]. apply andb_prop in H as [H W]. apply andb_prop in H as [A F].
  rewrite A. apply is_within_iff in W. apply Z.leb_le in C. rewrite forallb_forall in F.
  assert (F' : forallb (row_fits (fields_in d)) rows' = true) by (apply forallb_forall; auto). rewrite F'.
  assert (W' : is_within (integer_type_of P n) (Z.of_nat (length rows')) = true).
  { apply is_within_iff. pose proof (zero_within (integer_type_of P n)) as Z0. unfold within in *. lia. }
  rewrite W'. apply Z.leb_le. lia.
Qed.
(** The array that was held is one of so many rows less. *)
Definition shrinks m m' p n d (less : nat) x := forall rows, points_to nu m p d x -> holds_rows d rows x -> holds_integer nu m n (Z.of_nat (length rows)) -> exists x' rows', points_to nu m' p d x' /\ holds_rows d rows' x' /\
  holds_integer nu m' n (Z.of_nat (length rows')) /\ incl rows' rows /\ (length rows' + less = length rows)%nat.
Lemma array_presents m m' p n d x less is vs cs : changed P m m' [p; n] [d] -> object_named m d = Some x -> shrinks m m' p n d less x ->
  presents m is vs cs -> NoDup (flat_map input_registers is) -> NoDup cs -> In (ArrayInput p n d) is ->
  exists vs', presents m' is vs' cs /\ (weights m' cs + less = weights m cs)%nat.
Proof.
  intros Ch Ox Sh. induction 1 as [| q z is vs cs Hz Wz H IH | p0 n0 d0 rows y is vs cs Hp Hx Hn Al H IH | p0 d0 is vs cs Sp H IH | p0 d0 row y is vs cs Hp Hx Fr H IH | p0 d0 u fp is vs cs R H IH];
  intros Nd Nc I; [destruct I| | | | |].
  - destruct I as [I|I]; [discriminate|]. simpl in Nd. inversion_clear Nd as [|? ? Nq Nd']. destruct (IH Nd' Nc I) as (vs' & H' & Lw). exists (IntegerValue z :: vs'). split; auto.
    constructor; auto. apply (integer_same P nu m m' _ _ Ch); auto. intros J. apply Nq. apply in_flat_map. exists (ArrayInput p n d). auto.
  - simpl in Nd. inversion_clear Nd as [|? ? Np Nd']. inversion_clear Nd' as [|? ? Nn Nd2]. inversion_clear Nc as [|? ? Nc1 Nc2]. destruct I as [[= -> -> ->]|I].
    + pose proof Hp as (i & Sp & O & Ei). rewrite Ox in O. injection O as <-. destruct (Sh rows Hp Hx Hn) as (x' & rows' & Hp' & Hx' & Hn' & Ir & Lr).
      exists (ArrayValue rows' :: vs). split.
      * econstructor; eauto; [eapply shorter_allowed; eauto; lia|]. apply (presents_same P sorts nu phi m m' _ _ Ch); auto.
        -- intros r Jr [<-|[<-|[]]]; auto. apply Np. simpl. auto.
        -- intros o Jo [<-|[]]. auto.
      * assert (Ws : weights m' cs = weights m cs) by (eapply weights_same; eauto; intros o Jo [<-|[]]; auto).
        change (weights m' (inl d :: cs)) with (weight nu phi m' (inl d) + weights m' cs)%nat. change (weights m (inl d :: cs)) with (weight nu phi m (inl d) + weights m cs)%nat.
        rewrite Ws. unfold weight. destruct Hp' as (i' & _ & O' & _). rewrite Ox, O', (rows_end _ _ _ _ _ Hx), (rows_end _ _ _ _ _ Hx'). lia.
    + destruct (IH Nd2 Nc2 I) as (vs' & H' & Lw). exists (ArrayValue rows :: vs').
      assert (Ja : forall r, In r [p; n] -> In r (flat_map input_registers is)) by (intros r J; apply in_flat_map; exists (ArrayInput p n d); auto).
      assert (Jd : d0 <> d).
      { intros ->. apply Nc1. clear - H I. induction H; simpl in *; try contradiction; try (destruct I as [I|I]; [discriminate | auto]).
        - destruct I as [[= <- <- <-]|I]; auto.
        - apply in_or_app; auto. }
      split.
      * econstructor; eauto; [apply (points_same P nu m m' _ _ Ch) | apply (integer_same P nu m m' _ _ Ch)]; auto; try (intros J; auto; apply Np; simpl; auto; fail). intros [E|[]]. auto.
      * change (weights m' (inl d0 :: cs)) with (weight nu phi m' (inl d0) + weights m' cs)%nat. change (weights m (inl d0 :: cs)) with (weight nu phi m (inl d0) + weights m cs)%nat.
        rewrite (weight_same P nu phi m m' _ _ Ch) by (intros o [= <-] [E|[]]; auto). lia.
  - destruct I as [I|I]; [discriminate|]. simpl in Nd. inversion_clear Nd as [|? ? Np Nd']. destruct (IH Nd' Nc I) as (vs' & H' & Lw). exists (SingleValue None :: vs'). split; auto.
    constructor; auto. rewrite (other_slots P m m' _ _ Ch); auto. intros J. apply Np. apply in_flat_map. exists (ArrayInput p n d). auto.
  - destruct I as [I|I]; [discriminate|]. simpl in Nd. inversion_clear Nd as [|? ? Np Nd']. inversion_clear Nc as [|? ? Nc1 Nc2]. destruct (IH Nd' Nc2 I) as (vs' & H' & Lw). exists (SingleValue (Some row) :: vs').
    assert (Jd : d0 <> d).
    { intros ->. apply Nc1. clear - H I. induction H; simpl in *; try contradiction; try (destruct I as [I|I]; [discriminate | auto]).
      - destruct I as [[= <- <- <-]|I]; auto.
      - apply in_or_app; auto. }
    split.
    + econstructor; eauto. apply (points_same P nu m m' _ _ Ch); auto; [intros J; apply Np; apply in_flat_map; exists (ArrayInput p n d); auto | intros [E|[]]; auto].
    + change (weights m' (inl d0 :: cs)) with (weight nu phi m' (inl d0) + weights m' cs)%nat. change (weights m (inl d0 :: cs)) with (weight nu phi m (inl d0) + weights m cs)%nat.
      rewrite (weight_same P nu phi m m' _ _ Ch) by (intros o [= <-] [E|[]]; auto). lia.
  - destruct I as [I|I]; [discriminate|]. simpl in Nd. inversion_clear Nd as [|? ? Np Nd']. pose proof (Scapegoats.NoDup_right _ _ _ Nc) as Nc2.
    destruct (IH Nd' Nc2 I) as (vs' & H' & Lw). exists (LinkedValue (linked_of u) :: vs'). split.
    + constructor; auto. rewrite (slot_same P nu m m' _ _ Ch), (other_slots P m m' _ _ Ch); [apply (reads_here P sorts nu phi m m' _ _ Ch); exact R|].
      intros J. apply Np. apply in_flat_map. exists (ArrayInput p n d). auto.
    + rewrite !weights_app. rewrite (weights_same P nu phi m m' _ _ Ch fp); [lia|]. intros o Jo [<-|[]]. destruct (input_objects P m m' _ _ Ch d (or_introl eq_refl)) as (y & _ & Ey & _ & _ & Ny).
      pose proof (proj1 (Unfolding.reads_exist (links_of P) (heap_of P sorts nu phi m)) _ _ _ _ _ R _ Jo) as X. simpl in X. unfold heap_node in X. rewrite Ey in X.
      apply input_is in Ny as (Ny & _). rewrite Ny in X. congruence.
Qed.
Lemma rows_right m d rows x : holds_rows d rows x -> is_input P d = true -> forallb is_integer (fields_in d) = true -> forallb (row_fits (fields_in d)) rows = true -> object_right P nu m d x.
Proof.
  intros H N Al F. pose proof (input_is P d N) as (N1 & N2 & N3). pose proof (rows_kind _ _ _ _ _ H) as K. split; rewrite ?K; try congruence.
  - rewrite (rows_end _ _ _ _ _ H). lia.
  - apply (rows_width _ _ _ _ _ H).
  - intros _ k fld i Ek B. rewrite (rows_end _ _ _ _ _ H) in B.
    assert (Fr : Forall (fun row => row_fits (fields_in d) (skipn 0 row) = true) rows) by (apply Forall_forall; intros row I; rewrite forallb_forall in F; apply F; exact I).
    pose proof (column_read (fields_in d) 0 rows k fld (i - eval nu (begins x)) Ek Fr ltac:(lia)) as V. unfold element_right.
    rewrite forallb_forall in Al. specialize (Al fld (nth_error_In _ _ Ek)). unfold is_integer in Al. destruct (Programs.holds fld) as [T|]; [|discriminate].
    destruct V as (z & V & Wz). exists z. split; auto. assert (Lk : (k < length (fields_in d))%nat) by (apply nth_error_Some; congruence).
    pose proof (rows_elements _ _ _ _ _ H k (i - eval nu (begins x)) ltac:(lia) Lk) as El.
    replace (eval nu (begins x) + (i - eval nu (begins x))) with i in El by lia. rewrite El. f_equal. exact V.
Qed.
Theorem array_changed m m' p n d x less vs cs : changed P m m' [p; n] [d] -> In (ArrayInput p n d) (inputs P) -> object_named m d = Some x -> shrinks m m' p n d less x ->
  holds_inputs m vs cs -> exists vs', holds_inputs m' vs' cs /\ (weights m' cs + less = weights m cs)%nat.
Proof.
  intros Ch I Ox Sh [S B Pr O]. destruct (array_presents m m' p n d x less _ _ _ Ch Ox Sh Pr (registers_apart P well_given) O I) as (vs' & Pr' & Lw).
  exists vs'. split; [|exact Lw].
  assert (Ar : exists rows x', points_to nu m' p d x' /\ holds_rows d rows x' /\ holds_integer nu m' n (Z.of_nat (length rows)) /\ array_allowed P n d rows = true).
  { clear - Pr' I. induction Pr'; simpl in I; try contradiction; try (destruct I as [I|I]; [discriminate | auto]). destruct I as [[= <- <- <-]|I]; eauto 8. }
  destruct Ar as (rows & x' & Hp & Hx & (t & Sn & Et) & Al). pose proof Al as Al'. unfold array_allowed in Al'. apply andb_prop in Al' as [Al' Vc]. apply andb_prop in Al' as [Al' Vn]. apply andb_prop in Al' as [Vi Vf].
  split; auto.
  - eapply changed_shaped; eauto. intros q J. apply in_flat_map. exists (ArrayInput p n d). auto.
  - eapply changed_built; eauto.
    + intros o y [<-|[]] E. destruct Hp as (i & _ & O' & _). rewrite O' in E. injection E as <-. eapply rows_right; eauto. eapply (arrays_inputs P well_given); eauto.
    + intros r [<-|[<-|[]]].
      * destruct Hp as (i & Sp & O' & _). rewrite Sp. split; [simpl; congruence | discriminate].
      * rewrite Sn. split; [exact Logic.I|]. intros u [= <-]. rewrite Et. unfold integer_type_of in Vn. destruct (type_of P n); simpl; auto. apply is_within_iff. exact Vn.
Qed.
End Changes.
