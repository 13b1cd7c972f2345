(** The entry is whole at roots (spec/calculus.md#root): whatever values the
    variables and symbols of a root have that its predicate allows, it holds
    inputs, and nothing else. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Folding FoldedMembers Configurations Cases Entries Entered Planting Presented Loading Recognised Built Entering Roots Classes Elements LeftNodes Whole Leaving Kept EntryKept.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

Section RootKept.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
(** Arrays of inputs have no pointers (well-formedness). *)
Hypothesis integer_arrays : forall p n d, In (ArrayInput p n d) (inputs P) -> forallb is_integer (layout_fields (layout_of_declaration P d)) = true.
Notation fields_in d := (layout_fields (layout_of_declaration P d)).

(** ** Rows of what a root holds *)

Lemma nth_error_seq n : forall k i, (i < n)%nat -> nth_error (seq k n) i = Some (k + i)%nat.
Proof. induction n as [|n IH]; intros k [|i] L; simpl; try lia; [f_equal; lia | rewrite IH by lia; f_equal; lia]. Qed.
Section Rows.
Variable value : nat -> Z -> Z.
Fixpoint integers_at (l : list Programs.field) k j : list Z := match l with
  | [] => [] | f :: l => match Programs.holds f with IntegerType _ => [value k j] | PointerType => [] end ++ integers_at l (S k) j end.
Lemma columns_at l : forall k n (rows : list (list Z)) (pre : Z -> list Z), (forall j, 0 <= j < Z.of_nat (length rows) -> nth_error rows (Z.to_nat j) = Some (pre j ++ integers_at l k j) /\ length (pre j) = n) ->
  forall f fld j, nth_error l f = Some fld -> 0 <= j < Z.of_nat (length rows) ->
  read (nth f (columns l n rows) no_cells) j = match Programs.holds fld with IntegerType _ => Integer (value (k + f) j) | PointerType => Uninitialised end.
Proof.
  induction l as [|x l IH]; intros k n rows pre H [|f] fld j E B; simpl in E; try discriminate.
  - injection E as ->. simpl. destruct (H j B) as [Hr Hl]. simpl in Hr. destruct (Programs.holds fld); [|reflexivity]. unfold read. simpl. destruct (Z.leb_spec 0 j); [|lia].
    erewrite nth_error_nth; [|rewrite nth_error_map, Hr; reflexivity]. simpl. rewrite app_nth2, Hl, Nat.sub_diag, Nat.add_0_r by lia. reflexivity.
  - simpl. destruct (Programs.holds x) eqn:Hx; simpl.
    + rewrite (IH (S k) (S n) rows (fun j => pre j ++ [value k j])) with (fld := fld); auto; [rewrite <- plus_n_Sm; reflexivity|].
      intros i Bi. destruct (H i Bi) as [Hr Hl]. simpl in Hr. rewrite Hx in Hr. rewrite <- app_assoc. split; [exact Hr | rewrite app_length; simpl; lia].
    + rewrite (IH (S k) n rows pre) with (fld := fld); auto; [rewrite <- plus_n_Sm; reflexivity|].
      intros i Bi. destruct (H i Bi) as [Hr Hl]. simpl in Hr. rewrite Hx in Hr. auto.
Qed.
Lemma integers_fit_at l : forall k j, (forall f fld T, nth_error l f = Some fld -> Programs.holds fld = IntegerType T -> within T (value (k + f) j)) -> row_fits l (integers_at l k j) = true.
Proof.
  induction l as [|x l IH]; intros k j H; auto. simpl.
  assert (R : row_fits l (integers_at l (S k) j) = true) by (apply IH; intros f fld T E Hf; rewrite plus_Sn_m, plus_n_Sm; apply (H (S f) fld T E Hf)).
  destruct (Programs.holds x) as [T|] eqn:Hx; simpl; auto. rewrite R. pose proof (H 0%nat x T eq_refl Hx) as W. rewrite Nat.add_0_r in W. apply is_within_iff in W. rewrite W. reflexivity.
Qed.
End Rows.

Section Valuation.
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (m : member).
Hypothesis sorted : well_sorted nu.
Hypothesis meant : well_meant P table sorts phi.
Definition value_at x f j := match fixed_element nu (nth f (contents x) no_field) j with Some (Integer z) => z | _ => 0 end.
Definition rows_held d x n := map (fun j => integers_at (value_at x) (fields_in d) 0 (Z.of_nat j)) (seq 0 n).
Lemma fresh_value d e x fs n f fld j : fresh_object P d e x fs -> reaches_to n fs -> nth_error (fields_in d) f = Some fld -> 0 <= j < Z.of_nat n ->
  match Programs.holds fld with IntegerType T => fixed_element nu (nth f (contents x) no_field) j = Some (Integer (value_at x f j)) /\ within T (value_at x f j)
  | PointerType => j = 0 -> fixed_element nu (nth f (contents x) no_field) j = Some Uninitialised end.
Proof.
  intros [K L S E C] R Ef B. unfold value_at. destruct (fresh_field_at _ _ _ _ C f fld Ef) as [(v & Iv & _ & Hv & ->)|[Hv ->]]; rewrite Hv; [|intros ->; reflexivity].
  unfold fixed_element. cbn [apart rest]. rewrite map_length. destruct (Z.leb_spec 0 j); [|lia]. destruct (Z.ltb_spec j (Z.of_nat (length (of_cells v)))); cbn [andb].
  - rewrite (nth_indep _ _ (variable (of_type v) 0)) by (rewrite map_length; lia). rewrite (map_nth (variable (of_type v))). simpl. split; auto. apply (proj1 sorted).
  - unfold reaches_to in R. rewrite Forall_forall in R. destruct (R v Iv) as [Rv|Rv]; [|lia]. destruct (of_rest v) as [w|]; [|congruence]. simpl. split; auto. apply (proj2 sorted).
Qed.
Lemma fresh_rows d e x fs n : fresh_object P d e x fs -> reaches_to n fs -> eval nu e = Z.of_nat n -> forallb is_integer (fields_in d) = true \/ (n <= 1)%nat ->
  holds_rows P nu d (rows_held d x n) x /\ length (rows_held d x n) = n /\ forallb (row_fits (fields_in d)) (rows_held d x n) = true.
Proof.
  intros F R En Al. pose proof F as [K L S E C]. assert (Ln : length (rows_held d x n) = n) by (unfold rows_held; rewrite map_length, seq_length; reflexivity).
  assert (At : forall j, 0 <= j < Z.of_nat n -> nth_error (rows_held d x n) (Z.to_nat j) = Some (integers_at (value_at x) (fields_in d) 0 j)).
  { intros j B. unfold rows_held. rewrite nth_error_map, nth_error_seq by lia. simpl. f_equal. f_equal. lia. }
  split; [split; auto|split; [exact Ln|]].
  - rewrite S, E, Ln. simpl. exact En.
  - apply (fresh_width _ _ _ _ C).
  - rewrite Ln, S. simpl eval. intros f j B Lf. rewrite Z.add_0_l. destruct (nth_error (fields_in d) f) as [fld|] eqn:Ef; [|apply nth_error_None in Ef; lia].
    pose proof (fresh_value d e x fs n f fld j F R Ef B) as V.
    assert (Cl : read (field_of (array_object P d (rows_held d x n)) f) j = match Programs.holds fld with IntegerType _ => Integer (value_at x f j) | PointerType => Uninitialised end).
    { unfold field_of. change (fields_of (array_object P d (rows_held d x n))) with (columns (fields_in d) 0 (rows_held d x n)).
      pose proof (columns_at (value_at x) (fields_in d) 0 0 (rows_held d x n) (fun _ => [])) as Q. rewrite Ln in Q. exact (Q (fun j B => conj (At j B) eq_refl) f fld j Ef B). }
    rewrite Cl. destruct (Programs.holds fld) eqn:Hf; [apply V|]. destruct Al as [Al|Al]; [|apply V; lia].
    rewrite forallb_forall in Al. specialize (Al fld (nth_error_In _ _ Ef)). unfold is_integer in Al. rewrite Hf in Al. discriminate.
  - apply forallb_forall. intros row I. destruct (In_nth_error _ _ I) as (i & Ei). assert (Li : (i < n)%nat) by (rewrite <- Ln; apply nth_error_Some; congruence).
    pose proof (At (Z.of_nat i) ltac:(lia)) as A. rewrite Nat2Z.id, Ei in A. injection A as ->. apply integers_fit_at. intros f fld T Ef Hf.
    pose proof (fresh_value d e x fs n f fld (Z.of_nat i) F R Ef ltac:(lia)) as V. rewrite Hf in V. apply V.
Qed.

(** ** Each input *)

(** What is known of lengths: they are of their type, and of an array that there can be. *)
Definition lengths_right := forall p n d, In (ArrayInput p n d) (inputs P) -> forall t, slot_at m n = Plain (Members.IntegerSlot t) ->
  within (integer_type_of P n) (eval nu t) /\ 0 <= eval nu t <= greatest_count P d.
Hypothesis lengths : lengths_right.
Lemma array_held p n d x fs e : In (ArrayInput p n d) (inputs P) -> reaches_object m p d x -> slot_at m n = Plain (Members.IntegerSlot e) -> fresh_object P d e x fs ->
  (forall k, eval nu e = Z.of_nat k -> reaches_to k fs) ->
  exists v, held_right P sorts m nu (ArrayInput p n d) [inl d] /\ forall is vs css, presents P sorts nu phi m is vs css -> presents P sorts nu phi m (ArrayInput p n d :: is) (v :: vs) (inl d :: css).
Proof.
  intros Hi [Sp O] Sn F Re. destruct (lengths p n d Hi e Sn) as [W B]. set (k := Z.to_nat (eval nu e)). assert (Ek : eval nu e = Z.of_nat k) by (unfold k; lia).
  pose proof (integer_arrays p n d Hi) as Al. destruct (fresh_rows d e x fs k F (Re k Ek) Ek (or_introl Al)) as (H & Ln & Fit). set (rows := rows_held d x k) in *. exists (ArrayValue rows).
  assert (Nd : is_input P d = true) by (eapply (arrays_inputs P well_given); eauto). split.
  - split; [|split; [intros f q [E|[]]; discriminate|]].
    + intros o y [[= <-]|[]] E. rewrite O in E. injection E as <-. eapply fresh_right; eauto.
    + intros r [<-|[<-|[]]]; [rewrite Sp; split; [simpl; congruence | discriminate]|]. rewrite Sn. split; [exact I|]. intros t [= <-]. unfold integer_type_of in W. destruct (type_of P n); simpl; auto.
  - intros is vs css Hp. econstructor; eauto.
    + exists (Constant 0). split; [exact Sp|]. split; [exact O|]. rewrite (fresh_start _ _ _ _ _ F). reflexivity.
    + exists e. split; auto. rewrite Ln. exact Ek.
    + unfold array_allowed. rewrite Al, Fit, Ln, <- Ek. rewrite (proj2 (is_within_iff _ _) W). simpl. apply Z.leb_le. apply B.
Qed.
Lemma input_held i c ks ls cs : class_root P sorts m i c ks ls cs -> In i (inputs P) -> exists v, held_right P sorts m nu i cs /\
  forall is vs css, presents P sorts nu phi m is vs css -> presents P sorts nu phi m (i :: is) (v :: vs) (cs ++ css).
Proof.
  intros R Hi. destruct R as [r T x Ty Sr | p n d x fs k Rp Sn Fr Re | p n d x fs k T y ls Rp Ty Sn Fr Re Ls | p d Sp | p d x fs Rp Fr Re | p d f y Sp Es Pf].
  - exists (IntegerValue (integers nu (Some T) x)). split.
    + split; [intros o y []|]. split; [intros f q []|]. intros r' [<-|[]]. rewrite Sr. split; [exact I|]. intros t [= <-]. rewrite Ty. apply (proj1 sorted).
    + intros is vs css H. simpl. constructor; auto; [exists (Var (Some T) x); auto | apply is_within_iff; unfold integer_type_of; rewrite Ty; apply (proj1 sorted)].
  - eapply array_held; eauto. intros k' E. simpl in E. assert (k' = k) by lia. subst k'. exact Re.
  - eapply array_held; eauto. intros k' _. eapply Forall_impl; [|exact Re]. intros f Hf. left. exact Hf.
  - exists (SingleValue None). split.
    + split; [intros o y []|]. split; [intros f q []|]. intros r [<-|[]]. rewrite Sp. split; [exact I | discriminate].
    + intros is vs css Hp. simpl. constructor; auto.
  - destruct (fresh_rows d (Constant 1) x fs 1 Fr Re eq_refl (or_intror (le_n 1))) as (H & Ln & Fit). destruct (rows_held d x 1) as [|row [|]] eqn:Er; try discriminate.
    destruct Rp as [Sp O]. assert (Nd : is_input P d = true) by (eapply (singles_inputs P well_given); eauto). exists (SingleValue (Some row)). split.
    + split; [|split; [intros f q [E|[]]; discriminate|]].
      * intros o y [[= <-]|[]] E. rewrite O in E. injection E as <-. eapply fresh_right; eauto.
      * intros r [<-|[]]. rewrite Sp. split; [simpl; congruence | discriminate].
    + intros is vs css Hp. simpl. econstructor; eauto.
      * exists (Constant 0). split; [exact Sp|]. split; [exact O|]. rewrite (fresh_start _ _ _ _ _ Fr). reflexivity.
      * simpl in Fit. apply andb_prop in Fit as [Fit _]. exact Fit.
  - pose proof (linked_nodes P well_given _ _ Hi) as N. exists (LinkedValue (linked_of (trees phi y))). split.
    + split; [intros o u [Q|[]]; discriminate|]. split.
      * intros g q [[= <-]|[]] Eq. rewrite Pf in Eq. injection Eq as <-. exists d. simpl. repeat split; auto.
      * intros r [<-|[]]. rewrite Sp. split; [simpl; congruence | discriminate].
    + intros is vs css Hp. constructor; [|exact Hp]. rewrite Sp. simpl heap_slot.
      assert (Eh : Scapegoats.parts (heap_of P sorts nu phi m) f = Some {| Scapegoats.stands_for := trees phi y; Scapegoats.part_sort := d; Scapegoats.above := Scapegoats.SNull |}).
      { simpl. unfold heap_part. rewrite Pf. simpl. rewrite Es. reflexivity. }
      pose proof (Scapegoats.reads_part (links_of P) (heap_of P sorts nu phi m) f Scapegoats.SNull _ Eh) as R. simpl in R. apply R. auto.
Qed.
Lemma inputs_held is cls ks ls cs : classes_root P sorts m is cls ks ls cs -> incl is (inputs P) -> exists vs, presents P sorts nu phi m is vs cs /\
  (forall o x, In (inl o) cs -> object_named m o = Some x -> object_right P nu m o x) /\ (forall f q, In (inr f) cs -> part_named m f = Some q -> part_right P sorts m q) /\
  (forall r, In r (flat_map input_registers is) -> leads m (slot_at m r) /\ forall t, slot_at m r = Plain (Members.IntegerSlot t) -> value_in (type_of P r) (Integer (eval nu t))) /\
  (forall p d, In (LinkedInput p d) is -> readable nu m (slot_at m p)) /\ forall f q, In (inr f) cs -> part_named m f = Some q -> above q = Plain Members.NullSlot.
Proof.
  induction 1 as [|i c ks ls cs is cls kss lss css Rc _ IH]; intros Ic.
  - exists []. split; [constructor|]. repeat split; intros; contradiction.
  - destruct (IH (fun j J => Ic j (or_intror J))) as (vs & Pr & O2 & P2 & R2 & L2 & A2). destruct (input_held i c ks ls cs Rc (Ic _ (or_introl eq_refl))) as (v & (O1 & P1 & R1) & Pr1).
    exists (v :: vs). split; [apply Pr1; exact Pr|]. split; [intros o x I; apply in_app_or in I as [I|I]; eauto|]. split; [intros f q I; apply in_app_or in I as [I|I]; eauto|].
    split; [intros r I; simpl in I; apply in_app_or in I as [I|I]; eauto|]. split.
    + intros p d [->|I]; eauto. inversion Rc; subst. match goal with H : slot_at m p = _ |- _ => rewrite H end. simpl. congruence.
    + intros f q I E. apply in_app_or in I as [I|I]; eauto. destruct Rc; simpl in I; try contradiction; destruct I as [I|[]]; try discriminate. injection I as ->.
      match goal with H : part_named m f = Some (FoldedMembers.Build_part _ _ _ _) |- _ => rewrite H in E end. injection E as <-. reflexivity.
Qed.
End Valuation.

(** ** The root *)

Record root_bare c : Prop := {
  bare_nodes : forall o z, object_named (at_entry c) o = Some z -> is_node P (kind z) = false;
  bare_lengths : forall nu, model nu (predicate (body c)) -> lengths_right nu (at_entry c) }.
Theorem root_kept c cls : is_root P c cls -> root_bare c -> entry_kept P table c.
Proof.
  intros [_ _ Sh (ik & ak & sk & cs & R & _ & _ & _ & Nc & _ & Ob & Pa)] [Bn Bl] nu phi [W M] Me.
  destruct (inputs_held (symbols (body c)) nu phi (at_entry c) W (Bl nu (conj W M)) _ _ _ _ _ R (incl_refl _)) as (vs & Pr & Or & Pt & Rg & Rd & Ab). exists vs, cs.
  split; [split; auto|..].
  - split.
    + intros o x E. destruct (Ob o x E) as [I|F]; eauto.
    + intros f q E. eauto.
    + intros r. destruct (in_dec Nat.eq_dec r (flat_map input_registers (inputs P))) as [I|I]; [apply (Rg r I)|].
      destruct (Nat.lt_ge_cases r (length (registers P))) as [Lr|Lr]; [rewrite (shaped_unset _ _ _ (Sh nu) r Lr I); exact Logic.I|].
      unfold slot_at. rewrite nth_overflow; [exact Logic.I|]. rewrite (shaped_registers _ _ _ (Sh nu)). exact Lr.
    + intros r t E. destruct (in_dec Nat.eq_dec r (flat_map input_registers (inputs P))) as [I|I]; [apply (proj2 (Rg r I)); exact E|].
      destruct (Nat.lt_ge_cases r (length (registers P))) as [Lr|Lr]; [rewrite (shaped_unset _ _ _ (Sh nu) r Lr I) in E; discriminate|].
      unfold slot_at in E. rewrite nth_overflow in E; [discriminate|]. rewrite (shaped_registers _ _ _ (Sh nu)). exact Lr.
  - split.
    + intros y z E N. rewrite (Bn y z E) in N. discriminate.
    + exact Rd.
    + intros f q E. rewrite (Ab f q (Pa f q E) E). exact I.
  - intros [o|f] (n & Hn).
    + destruct Hn as [Hn _]. simpl in Hn. unfold heap_node in Hn. destruct (object_named (at_entry c) o) as [z|] eqn:E; [|discriminate]. rewrite (Bn o z E) in Hn. discriminate.
    + simpl in Hn. unfold heap_part in Hn. destruct (part_named (at_entry c) f) as [q|] eqn:E; [eauto | discriminate].
Qed.
End RootKept.
