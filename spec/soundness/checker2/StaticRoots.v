(** Static objects at the entry (spec/calculus.md#root): each is in the table by the name of
    its declaration, and holds what its contents say. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Programs Machine Inputs Tidy Entries FoldedMembers Members Loading Recognised Built.
From Goatherd.checker2 Require Reads.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed PointerLists Moving RegisterScopes Followed Templates Drawn FreshObjects MadeObjects StaticObjects.
Import ListNotations.
Open Scope Z_scope.

Section Statics.
Variable Q : program.
Variable us : parameters.
Variable k_ : N.
Variable ts : list sort.
Hypothesis integers_of_c : arithmetic_of us = C.
Let E := setting_of Q us k_ ts.
Let P := Translated.program_of Q.
Let tabs := index_of (tables Q).
Notation world := (world tabs).
Notation goes_on := (goes_on tabs).

(** ** What well-formedness asks of them *)

Definition static_at (d : N) : bool := match List.nth_error (objects Q) (N.to_nat d) with Some x => is_static (Certificates.origin_of x) | None => false end.
Definition are_contents_right (n : N) (p : field * contents) : bool := match snd p, field_type (fst p) with
  | Zeros, _ => true
  | FromTable t, IntegerType T => match List.nth_error (tables Q) (N.to_nat t) with Some b => (count (values b) =? n)%N && forallb (is_within T) (values b) | None => false end
  | Pointers os, Pointer => (count os =? n)%N && forallb (fun o => match o with Some o => static_at o | None => true end) os
  | _, _ => false end.
Definition is_static_formed (x : object) : bool := match Certificates.origin_of x with
  | Static n cs _ => match List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) with
    | Some l => Nat.eqb (length cs) (length (fields l)) && forallb (are_contents_right n) (List.combine (fields l) cs) | None => false end
  | _ => true end.
Hypothesis statics_formed : forall x, In x (objects Q) -> is_static_formed x = true.
Lemma static_parts d x n cs a : List.nth_error (objects Q) (N.to_nat d) = Some x -> Certificates.origin_of x = Static n cs a -> exists l, List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) = Some l /\ length cs = length (fields l) /\
  forall k f c, List.nth_error (fields l) k = Some f -> List.nth_error cs k = Some c -> are_contents_right n (f, c) = true.
Proof.
  intros Nx Or. pose proof (statics_formed x (List.nth_error_In _ _ Nx)) as F. unfold is_static_formed in F. rewrite Or in F. destruct (List.nth_error (layouts Q) _) as [l|]; [|discriminate]. apply andb_prop in F as [Le F]. apply Nat.eqb_eq in Le. rewrite forallb_forall in F.
  exists l. split; [reflexivity|]. split; [exact Le|]. intros k f c Nf Nc. apply F. eapply Reads.both_at; eauto.
Qed.
Lemma static_layout d x l : List.nth_error (objects Q) (N.to_nat d) = Some x -> List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) = Some l ->
  at_position (objects_of (names_in E)) d = Some x /\ at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some l /\ Machine.layout_of_declaration P (N.to_nat d) = Translated.layout_of l /\ Machine.declaration_of P (N.to_nat d) = Translated.object_of x.
Proof.
  intros Ox Ly. pose proof (setting_same Q us k_ ts integers_of_c) as Ss. assert (Ax : at_position (objects_of (names_in E)) d = Some x) by (simpl; rewrite at_position_is; exact Ox). assert (Ay : at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some l) by (simpl; rewrite at_position_is; exact Ly).
  split; [exact Ax|]. split; [exact Ay|]. unfold Machine.layout_of_declaration. unfold P. rewrite (same_objects _ _ _ Ss d x Ax). split; [exact (same_layouts _ _ _ Ss _ l Ay) | reflexivity].
Qed.

(** ** What is in the table *)

Record static_held (M : model) (m : member_state) (d : N) (l : layout) (n : N) (cs : list contents) (y : object_state) : Prop := {
  held_here : find (objects_held m) d = Some y;
  held_declared : declaration y = d;
  held_lives : life_of y = Live;
  held_begins : vl M (lower y) = 0;
  held_ends : vl M (upper y) = Z.of_N n;
  held_wide : length (field_states y) = length (fields l);
  held_fields : forall k f z, List.nth_error (fields l) k = Some f -> List.nth_error (field_states y) k = Some z -> static_field tabs cs M (Some (Z.of_N n)) (N.of_nat k) f z }.
(** Those of the first declarations. *)
Definition statics_held (b : nat) (M : model) (m : member_state) : Prop := forall d x n cs a, (N.to_nat d < b)%nat -> List.nth_error (objects Q) (N.to_nat d) = Some x -> Certificates.origin_of x = Static n cs a ->
  exists l y, List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) = Some l /\ static_held M m d l n cs y.
Lemma statics_go b M M' m m' : tables_right m -> all_same M M' (member_terms m) -> (forall d y, static_at d = true -> find (objects_held m) d = Some y -> find (objects_held m') d = Some y) -> statics_held b M m -> statics_held b M' m'.
Proof.
  intros [_ Ro _] Sm Ob H d x n cs a L Nx Or. destruct (H d x n cs a L Nx Or) as (l & y & Nl & [A B C D F G I]). exists l, y. split; [exact Nl|].
  assert (Sy : all_same M M' (object_terms y)).
  { intros p J. apply Sm. unfold member_terms. apply in_or_app. right. apply in_or_app. right. apply in_or_app. left. unfold entry_terms. apply in_flat_map. exists (d, y). split; [apply in_order_in; split; [exact (Ro d y A) | exact A] | exact J]. }
  pose proof (Sy (LinearPart (lower y)) (or_introl eq_refl)) as Vl. pose proof (Sy (LinearPart (upper y)) (or_intror (or_introl eq_refl))) as Vu. simpl in Vl, Vu. split; auto; try congruence.
  - apply Ob; [unfold static_at; rewrite Nx, Or; reflexivity | exact A].
  - intros k f z Nf Nz. eapply static_goes; [|eapply I; eauto]. intros p J. apply Sy. right. right. apply in_flat_map. exists z. split; [eapply List.nth_error_In; exact Nz | exact J].
Qed.
Definition only_statics (m : member_state) : Prop := forall d y, find (objects_held m) d = Some y -> static_at d = true.
Lemma statics_made_all : forall os b s c nu M m c' s', (forall k x, List.nth_error os k = Some x -> List.nth_error (objects Q) (b + k) = Some x) -> world s c nu M -> herd c = [m] -> given (objects_held m) = count (objects Q) ->
  only_statics m -> (forall d, (b <= N.to_nat d)%nat -> find (objects_held m) d = None) -> statics_held b M m ->
  folded_left (create_static E) (List.combine (numbers_from (N.of_nat b) (length os)) os) c s = Gives c' s' ->
  exists M' m', world s' c' nu M' /\ goes_on s c M s' c' M' /\ c' = with_herd c [m'] /\ m' = with_objects m (objects_held m') /\ given (objects_held m') = count (objects Q) /\ only_statics m' /\ statics_held (b + length os) M' m'.
Proof.
  induction os as [|x os IH]; intros b s c nu M m c' s' At Wo Hd Gi On No St R; cbn [length numbers_from List.combine folded_left] in R.
  - injection R as <- <-. exists M, m. split; [exact Wo|]. split; [apply goes_refl|]. split; [destruct c; cbn in *; subst; reflexivity|]. split; [destruct m; reflexivity|]. split; [exact Gi|]. split; [exact On|]. rewrite Nat.add_0_r. exact St.
  - unfold bind in R. destruct (create_static E c (N.of_nat b, x) s) as [c1 s1|] eqn:Cr; [|discriminate]. set (d := N.of_nat b) in *.
    assert (Nx : List.nth_error (objects Q) (N.to_nat d) = Some x) by (unfold d; rewrite Nat2N.id, <- (Nat.add_0_r b); apply At; reflexivity).
    assert (Step : exists M1 m1, world s1 c1 nu M1 /\ goes_on s c M s1 c1 M1 /\ c1 = with_herd c [m1] /\ m1 = with_objects m (objects_held m1) /\ given (objects_held m1) = count (objects Q) /\ only_statics m1 /\
      (forall e, (Datatypes.S b <= N.to_nat e)%nat -> find (objects_held m1) e = None) /\ statics_held (Datatypes.S b) M1 m1).
    { unfold create_static in Cr. cbn [snd fst] in Cr.
      assert (Same : (forall n cs a, Certificates.origin_of x <> Static n cs a) -> c1 = c /\ s1 = s -> exists M1 m1, world s1 c1 nu M1 /\ goes_on s c M s1 c1 M1 /\ c1 = with_herd c [m1] /\ m1 = with_objects m (objects_held m1) /\ given (objects_held m1) = count (objects Q) /\ only_statics m1 /\
        (forall e, (Datatypes.S b <= N.to_nat e)%nat -> find (objects_held m1) e = None) /\ statics_held (Datatypes.S b) M1 m1).
      { intros Ns [-> ->]. exists M, m. split; [exact Wo|]. split; [apply goes_refl|]. split; [destruct c; cbn in *; subst; reflexivity|]. split; [destruct m; reflexivity|]. split; [exact Gi|]. split; [exact On|]. split; [intros e L; apply No; lia|].
        intros e z n cs a L Nz Or. destruct (Nat.eq_dec (N.to_nat e) b) as [Eb|]; [|apply (St e z n cs a); auto; lia]. exfalso. replace e with d in Nz by (unfold d; lia). rewrite Nx in Nz. injection Nz as <-. exact (Ns n cs a Or). }
      destruct (Certificates.origin_of x) as [|n cs a|n| |ks] eqn:Or; try (apply Same; [intros; discriminate | injection Cr as <- <-; auto]).
      unfold bind at 1 in Cr. destruct (constant_term (Z.of_N n) s) as [nt s2|] eqn:Ct; [|discriminate]. unfold bind in Cr. destruct (create E c (FromContents cs) 0 d nt s2) as [[[w c3] env3] s3|] eqn:Ce; [|discriminate]. injection Cr as <- <-.
      destruct (computed tabs s c nu M (constant_term (Z.of_N n)) (fun _ _ t s' M' => is_term s' M' t (Z.of_N n) /\ part_within s' (variables c) (LinearPart t)) nt s2 Wo) as (M2 & W2 & G2 & _ & [_ Vn] & Wn); auto.
      { intros mu K Wm Gk. apply meets_also; [apply constant_meets; exact Gk | apply (constant_within mu tabs (variables c)); exact Gk]. }
      destruct (static_parts d x n cs a Nx Or) as (l & Nl & Le & Rt). destruct (static_layout d x l Nx Nl) as (Ax & Al & _).
      assert (Lo : (d < count (objects Q))%N) by (rewrite count_length; assert (N.to_nat d < length (objects Q))%nat by (apply nth_error_Some; congruence); lia).
      destruct (static_made E tabs cs s2 c nu M2 m d nt l x w c3 env3 s3 W2 Hd Wn Ax) as (M3 & y & Ec & W3 & G3 & Ny & Dy & Ly & Vlo & Vup & Len & Fs); auto.
      { rewrite Or. reflexivity. } { apply No. unfold d. lia. } { rewrite Gi. exact Lo. }
      set (m1 := with_objects m (put (objects_held m) d y)) in *. pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G2 G3) as G23.
      assert (Tm : tables_right m) by (apply (proj1 (proj2 (world_scope _ _ _ _ _ Wo))), herd_member; rewrite Hd; left; reflexivity).
      assert (Sm : all_same M M3 (member_terms m)) by (intros p I; apply (goes_terms _ _ _ _ _ _ _ G23); apply (terms_of_member s c 0 m (world_scope _ _ _ _ _ Wo)); [rewrite Hd; reflexivity | exact I]).
      exists M3, m1. split; [exact W3|]. split; [exact G23|]. split; [rewrite Ec; unfold set_member; rewrite Hd; reflexivity|]. split; [reflexivity|]. split; [exact Gi|]. split; [|split].
      - intros e z F. unfold m1 in F. cbn [objects_held with_objects] in F. rewrite find_put in F. destruct (N.eqb_spec e d) as [->|_]; [unfold static_at; rewrite Nx, Or; reflexivity | eapply On; exact F].
      - intros e L. unfold m1. cbn [objects_held with_objects]. rewrite find_put. destruct (N.eqb_spec e d) as [->|_]; [unfold d in L; lia | apply No; lia].
      - intros e z n' cs' a' L Nz Oz. destruct (N.eq_dec e d) as [->|Ne].
        + rewrite Nx in Nz. injection Nz as <-. rewrite Or in Oz. injection Oz as <- <- <-. exists l, y. split; [exact Nl|]. rewrite Vn in *. split; auto. unfold m1. cbn [objects_held with_objects]. rewrite find_put, N.eqb_refl. reflexivity.
        + assert (St' : statics_held b M3 m1).
          { apply (statics_go b M M3 m m1 Tm Sm); [|exact St]. intros e' z' _ F. unfold m1. cbn [objects_held with_objects]. rewrite find_put. destruct (N.eqb_spec e' d) as [->|_]; [rewrite No in F by (unfold d; lia); discriminate | exact F]. }
          apply (St' e z n' cs' a'); auto. unfold d in Ne. lia. }
    destruct Step as (M1 & m1 & W1 & G1 & Ec1 & Em1 & Gi1 & On1 & No1 & St1). replace (N.succ d) with (N.of_nat (Datatypes.S b)) in R by (unfold d; lia).
    destruct (IH (Datatypes.S b) s1 c1 nu M1 m1 c' s') as (M2 & m2 & W2 & G2 & Ec2 & Em2 & Gi2 & On2 & St2); auto; [intros k z Nk; replace (Datatypes.S b + k)%nat with (b + Datatypes.S k)%nat by lia; apply At; exact Nk | rewrite Ec1; reflexivity|].
    exists M2, m2. split; [exact W2|]. split; [eapply goes_trans; eauto|]. split; [rewrite Ec2, Ec1; reflexivity|]. split; [rewrite Em2, Em1; reflexivity|]. split; [exact Gi2|]. split; [exact On2|]. replace (b + length (x :: os))%nat with (Datatypes.S b + length os)%nat by (cbn [length]; lia). exact St2.
Qed.

(** ** As the theorems have them *)

Section Held.
Variables (M : model) (m : member_state).
Hypothesis given_right : given (objects_held m) = count (objects Q).
Hypothesis all_held : statics_held (length (objects Q)) M m.
Notation named d := (FoldedMembers.object_named (member_of 0 m) d).
Lemma held_named d y : (N.to_nat d < length (objects Q))%nat -> find (objects_held m) d = Some y -> named (N.to_nat d) = Some (object_of y).
Proof. intros L F. rewrite object_named_is, N2Nat.id, F, given_right, count_length. destruct (Nat.ltb_spec (N.to_nat d) (N.to_nat (N.of_nat (length (objects Q))))); [reflexivity | lia]. Qed.
Lemma target_named o : static_at o = true -> named (N.to_nat o) <> None.
Proof.
  unfold static_at. destruct (List.nth_error (objects Q) (N.to_nat o)) as [x|] eqn:Nx; [|discriminate]. destruct (Certificates.origin_of x) as [|n cs a| | |] eqn:Or; try discriminate. intros _. assert (L : (N.to_nat o < length (objects Q))%nat) by (apply nth_error_Some; congruence).
  destruct (all_held o x n cs a L Nx Or) as (l & y & _ & H). rewrite (held_named o y L (held_here _ _ _ _ _ _ _ H)). discriminate.
Qed.
Lemma fixed_cell z i v w : List.nth_error (cells z) (Z.to_nat i) = Some v -> 0 <= i -> Loading.fixed (valued M) (slot_of v) = Some w -> Loading.fixed_element (valued M) (Denoting.field_of z) i = Some w.
Proof.
  intros N B Fv. unfold Loading.fixed_element. cbn [Denoting.field_of FoldedMembers.apart]. rewrite map_length. assert (L : (Z.to_nat i < length (cells z))%nat) by (apply nth_error_Some; congruence).
  destruct (Z.leb_spec 0 i); [|lia]. destruct (Z.ltb_spec i (Z.of_nat (length (cells z)))); [|lia]. cbn [andb]. rewrite (nth_error_nth _ _ FoldedMembers.forgotten (map_nth_error slot_of _ _ N)). exact Fv.
Qed.
(** Of each element, what is said of it at the entry, and that it is right. *)
Lemma element_held cs n k f c z i : nth cs (N.of_nat k) = Some c -> are_contents_right n (f, c) = true -> static_field tabs cs M (Some (Z.of_N n)) (N.of_nat k) f z -> 0 <= i < Z.of_N n ->
  Recognised.static_says P (valued M) (Translated.field_of f) (Translated.contents_of c) (Denoting.field_of z) i /\ Built.element_right (valued M) (member_of 0 m) (Translated.field_of f) (Denoting.field_of z) i.
Proof.
  intros Nc Rt St [B L]. specialize (St i B L). unfold are_contents_right in Rt. cbn [fst snd] in Rt. unfold Built.element_right, Recognised.static_says. cbn [Translated.field_of Programs.holds].
  assert (Cell : forall v, List.nth_error (cells z) (Z.to_nat i) = Some v -> i < Z.of_nat (length (List.map slot_of (cells z))) /\ List.nth (Z.to_nat i) (List.map slot_of (cells z)) FoldedMembers.forgotten = slot_of v).
  { intros v Nv. split; [rewrite map_length; assert (Z.to_nat i < length (cells z))%nat by (apply nth_error_Some; congruence); lia | exact (nth_error_nth _ _ FoldedMembers.forgotten (map_nth_error slot_of _ _ Nv))]. }
  destruct (field_type f) as [T|] eqn:Tf; cbn [Translated.type_of].
  - unfold contents_value in St. rewrite Nc in St. destruct c as [|t|os]; cbn [Translated.contents_of]; [| |discriminate].
    + split; [unfold Inputs.static_cells, Machine.read; cbn; rewrite Tf; exact St|]. exists 0. split; [exact St | apply zero_within].
    + destruct (List.nth_error (tables Q) (N.to_nat t)) as [b|] eqn:Nb; [|discriminate]. apply andb_prop in Rt as [Cn Wi]. apply N.eqb_eq in Cn. rewrite count_length in Cn. rewrite forallb_forall in Wi.
      unfold table_value, tabs in St. rewrite at_position_is, Nb in St. unfold entry_at in St. destruct (Z.ltb_spec i 0); [lia|].
      destruct (nth (values b) (Z.to_N i)) as [v|] eqn:Nv; [|exfalso; rewrite Reads.nth_at in Nv; apply nth_error_None in Nv; lia].
      split; [|exists v; split; [exact St | apply is_within_iff, Wi; eapply Closing.nth_in; exact Nv]]. rewrite St. unfold Inputs.static_cells, Machine.read. cbn [Machine.written Machine.find_written Machine.initially Machine.initial_at]. destruct (Z.leb_spec 0 i); [|lia].
      unfold P. cbn [Translated.program_of Programs.tables]. rewrite (nth_error_nth _ _ _ (map_nth_error Translated.table_of _ _ Nb)). cbn [Translated.table_of Programs.values]. rewrite Reads.nth_at in Nv. replace (N.to_nat (Z.to_N i)) with (Z.to_nat i) in Nv by lia.
      rewrite (nth_error_nth _ _ _ (map_nth_error Machine.Integer _ _ Nv)). reflexivity.
  - unfold pointer_at in St. rewrite Nc in St. destruct c as [|t|os]; cbn [Translated.contents_of]; [|discriminate|].
    + destruct (Cell _ St) as [Lc Nn]. split; [unfold Inputs.static_cells, Machine.read; cbn; rewrite Tf; exact (fixed_cell z i NullSlot _ St B eq_refl)|]. split; [split; [exact B | exact Lc]|]. cbn [Denoting.field_of FoldedMembers.apart]. rewrite Nn. exact Logic.I.
    + apply andb_prop in Rt as [Cn Wi]. apply N.eqb_eq in Cn. rewrite count_length in Cn. rewrite forallb_forall in Wi. rewrite nth_error_map. destruct (List.nth_error os (Z.to_nat i)) as [[o|]|] eqn:No; cbn [option_map].
      * destruct St as (zz & Nz & Vz). destruct (Cell _ Nz) as [Lc Nn]. split.
        -- split; [exact Lc|]. exists (term_of_number zz). split; [exact Nn | rewrite valued_term; exact Vz].
        -- split; [split; [exact B | exact Lc]|]. cbn [Denoting.field_of FoldedMembers.apart]. rewrite Nn. cbn [slot_of Built.leads]. apply target_named. exact (Wi _ (List.nth_error_In _ _ No)).
      * destruct (Cell _ St) as [Lc Nn]. split; [exact (fixed_cell z i NullSlot _ St B eq_refl)|]. split; [split; [exact B | exact Lc]|]. cbn [Denoting.field_of FoldedMembers.apart]. rewrite Nn. exact Logic.I.
      * exfalso. apply nth_error_None in No. lia.
Qed.
Theorem static_right d x n cs a : List.nth_error (objects Q) (N.to_nat d) = Some x -> Certificates.origin_of x = Static n cs a -> exists y, find (objects_held m) d = Some y /\ named (N.to_nat d) = Some (object_of y) /\
  Recognised.holds_static P (valued M) (N.to_nat d) (Z.of_N n) (List.map Translated.contents_of cs) (object_of y) /\ Built.object_right P (valued M) (member_of 0 m) (N.to_nat d) (object_of y).
Proof.
  intros Nx Or. assert (L : (N.to_nat d < length (objects Q))%nat) by (apply nth_error_Some; congruence). destruct (all_held d x n cs a L Nx Or) as (l & y & Nl & [A B C D F G I]). destruct (static_parts d x n cs a Nx Or) as (l' & Nl' & Le & Rt). rewrite Nl in Nl'. injection Nl' as <-.
  destruct (static_layout d x l Nx Nl) as (_ & _ & Ld & Dd). exists y. split; [exact A|]. split; [exact (held_named d y L A)|].
  assert (Each : forall k f c i, List.nth_error (fields l) k = Some f -> List.nth_error cs k = Some c -> 0 <= i < Z.of_N n -> exists z, List.nth k (FoldedMembers.contents (object_of y)) FoldedMembers.no_field = Denoting.field_of z /\
    Recognised.static_says P (valued M) (Translated.field_of f) (Translated.contents_of c) (Denoting.field_of z) i /\ Built.element_right (valued M) (member_of 0 m) (Translated.field_of f) (Denoting.field_of z) i).
  { intros k f c i Nf Nc Bi. destruct (List.nth_error (field_states y) k) as [z|] eqn:Nz; [|apply nth_error_None in Nz; assert (k < length (fields l))%nat by (apply nth_error_Some; congruence); lia].
    exists z. split; [exact (nth_error_nth _ _ FoldedMembers.no_field (map_nth_error Denoting.field_of _ _ Nz))|]. apply (element_held cs n k f c z i); [rewrite Reads.nth_at, Nat2N.id; exact Nc | exact (Rt k f c Nf Nc) | exact (I k f z Nf Nz) | exact Bi]. }
  split; split; cbn [object_of FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents]; rewrite ?valued_term, ?B, ?C, ?Ld; auto.
  - rewrite map_length, combine_length. cbn [Translated.layout_of Programs.layout_fields]. rewrite !map_length, G, Le. lia.
  - intros k fld c' i Nk Bi. cbn [Translated.layout_of Programs.layout_fields] in Nk. assert (Two : exists f c, List.nth_error (fields l) k = Some f /\ List.nth_error cs k = Some c /\ fld = Translated.field_of f /\ c' = Translated.contents_of c).
    { clear - Nk. revert cs k Nk. generalize (fields l). induction l0 as [|f fs IH]; intros [|c cs] [|k] Nk; cbn in Nk; try discriminate; [injection Nk as <- <-; exists f, c; auto | destruct (IH cs k Nk) as (f1 & c1 & H); exists f1, c1; exact H]. }
    destruct Two as (f & c & Nf & Nc & -> & ->). destruct (Each k f c i Nf Nc Bi) as (z & Ez & H & _). cbn [object_of FoldedMembers.contents] in Ez. rewrite Ez. exact H.
  - rewrite D, F. lia.
  - rewrite map_length, G. cbn [Translated.layout_of Programs.layout_fields]. rewrite map_length. reflexivity.
  - unfold Tidy.is_local. rewrite Dd. cbn [Translated.object_of Programs.origin_of]. rewrite Or. reflexivity.
  - unfold FoldedMembers.is_node. rewrite Dd. cbn [Translated.object_of Programs.origin_of]. rewrite Or. discriminate.
  - rewrite D, F. intros _ k fld i Nk Bi. cbn [Translated.layout_of Programs.layout_fields] in Nk. rewrite nth_error_map in Nk. destruct (List.nth_error (fields l) k) as [f|] eqn:Nf; [|discriminate]. injection Nk as <-.
    destruct (List.nth_error cs k) as [c|] eqn:Nc; [|apply nth_error_None in Nc; assert (k < length (fields l))%nat by (apply nth_error_Some; congruence); lia]. destruct (Each k f c i Nf Nc Bi) as (z & Ez & _ & H). cbn [object_of FoldedMembers.contents] in Ez. rewrite Ez. exact H.
Qed.
End Held.
End Statics.
