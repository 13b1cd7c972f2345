(** Size classes (spec/calculus.md#root): roots, one for each combination, hold
    all valid inputs between them. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Bounds Folding FoldedMembers Configurations Cases Marking Entries Derivations Entered Planting Presented Loading Recognised Built Entering Roots.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

(** ** Classes of one input *)

Inductive class := OfSize (n : nat) | AtLeast (n : nat) | Absent | There | Only.
Inductive lengths := OneClass | Classes.
Definition classes_of (k : nat) (l : lengths) i := match i, l with
  | ArrayInput _ _ _, Classes => AtLeast (S k) :: map OfSize (seq 0 (S k))
  | ArrayInput _ _ _, OneClass => [AtLeast 0]
  | SingleInput _ _, _ => [Absent; There]
  | _, _ => [Only] end.
Fixpoint combinations k l (is : list input) : list (list class) := match is with
  | [] => [[]] | i :: is => flat_map (fun c => map (cons c) (combinations k l is)) (classes_of k l i) end.
Definition in_class c v : Prop := match c, v with
  | OfSize n, ArrayValue rows => length rows = n
  | AtLeast n, ArrayValue rows => (n <= length rows)%nat
  | Absent, SingleValue None | There, SingleValue (Some _) | Only, IntegerValue _ | Only, LinkedValue _ => True
  | _, _ => False end.

Section Classes.
Variable P : program.
Variable under : parameters.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Notation fields_in d := (layout_fields (layout_of_declaration P d)).

Lemma classes_cover k l i v : valid_value P i v -> exists c, In c (classes_of k l i) /\ in_class c v.
Proof.
  destruct i as [r|p n d|p d|p d], v as [z|rows|row|t]; simpl; try contradiction; intros V.
  - exists Only. simpl. destruct l; auto.
  - destruct l; simpl.
    + exists (AtLeast 0). simpl. split; [auto | lia].
    + destruct (Nat.le_gt_cases (length rows) k) as [L|L].
      * assert (Sz : In (OfSize (length rows)) (map OfSize (seq 0 (S k)))) by (apply in_map, in_seq; lia).
        exists (OfSize (length rows)). split; [right; exact Sz | reflexivity].
      * exists (AtLeast (S k)). split; [simpl; auto | simpl; lia].
  - destruct row; [exists There | exists Absent]; simpl; destruct l; simpl; auto.
  - exists Only. simpl. destruct l; simpl; auto.
Qed.
Theorem combinations_cover k l is vs : Forall2 (valid_value P) is vs -> exists cls, In cls (combinations k l is) /\ Forall2 in_class cls vs.
Proof.
  induction 1 as [|i v is vs V _ (cls & I & F)]; [exists []; simpl; auto|]. destruct (classes_cover k l i v V) as (c & Ic & Fc).
  exists (c :: cls). split; [simpl; apply in_flat_map; exists c; split; auto; apply in_map; exact I | constructor; auto].
Qed.

(** ** The root of a combination *)

Section Held.
Variables (symbols : list symbol_sort) (m : member).
Definition reaches_object p d x := slot_at m p = Plain (Members.PointerSlot d (Constant 0) 0) /\ object_named m d = Some x.
Definition greatest_count d := most_bytes / element_size (layout_of_declaration P d).
Definition keys := (list (integer_type * nat) * list (integer_type * nat) * list nat)%type.
(** Its variables and symbols, what is known of these, and its objects and parts. *)
Inductive class_root : input -> class -> keys -> list literal -> list Scapegoats.cell -> Prop :=
| integer_root r T v : type_of P r = IntegerType T -> slot_at m r = variable T v -> class_root (IntegerInput r) Only ([(T, v)], [], []) [] []
| sized_root p n d x fs k : reaches_object p d x -> slot_at m n = Plain (Members.IntegerSlot (Constant (Z.of_nat k))) ->
    fresh_object P d (Constant (Z.of_nat k)) x fs -> reaches_to k fs ->
    class_root (ArrayInput p n d) (OfSize k) (integer_keys fs, array_keys fs, []) [] [inl d]
| unsized_root p n d x fs k T v ls : reaches_object p d x -> type_of P n = IntegerType T -> slot_at m n = variable T v ->
    fresh_object P d (Var (Some T) v) x fs -> Forall (fun f => of_rest f <> None) fs ->
    incl ls [AtMost (Minus (Constant (Z.of_nat k)) (Var (Some T) v)); AtMost (Minus (Var (Some T) v) (Constant (greatest_count d)))] ->
    class_root (ArrayInput p n d) (AtLeast k) ((T, v) :: integer_keys fs, array_keys fs, []) ls [inl d]
| absent_root p d : slot_at m p = Plain Members.NullSlot -> class_root (SingleInput p d) Absent ([], [], []) [] []
| single_root p d x fs : reaches_object p d x -> fresh_object P d (Constant 1) x fs -> reaches_to 1 fs ->
    class_root (SingleInput p d) There (integer_keys fs, array_keys fs, []) [] [inl d]
| linked_root p d f y : slot_at m p = RootOf f -> nth_error symbols y = Some (TreeOf d) ->
    part_named m f = Some {| symbol := y; above := Plain Members.NullSlot; alongside := forgotten; below := Plain Members.NullSlot |} ->
    class_root (LinkedInput p d) Only ([], [], [y]) [] [inr f].
Definition joined (a b : keys) : keys := let '(i1, a1, s1) := a in let '(i2, a2, s2) := b in (i1 ++ i2, a1 ++ a2, s1 ++ s2).
Inductive classes_root : list input -> list class -> keys -> list literal -> list Scapegoats.cell -> Prop :=
| no_roots : classes_root [] [] ([], [], []) [] []
| more_roots i c ks ls cs is cls kss lss css : class_root i c ks ls cs -> classes_root is cls kss lss css ->
    classes_root (i :: is) (c :: cls) (joined ks kss) (ls ++ lss) (cs ++ css).
End Held.
(** Nothing is in two places. *)
Record is_root c cls : Prop := {
  root_starts : starts P c;
  root_scope : in_scope (body c) = true;
  root_shaped : forall nu, entry_shaped P nu (at_entry c);
  root_inputs : exists ik ak sk cs, classes_root (symbols (body c)) (at_entry c) (inputs P) cls (ik, ak, sk) (predicate (body c)) cs /\
    NoDup ik /\ NoDup ak /\ NoDup sk /\ NoDup cs /\
    (forall y s, nth_error (symbols (body c)) y = Some s -> In y sk) /\
    (forall o x, object_named (at_entry c) o = Some x -> In (inl o) cs \/ forall nu, object_right P nu (at_entry c) o x) /\
    (forall f q, part_named (at_entry c) f = Some q -> In (inr f) cs) }.

(** Where no object is owed, as at roots, nothing is lost: each part hangs from a
    linked input. *)
Lemma parts_hang symbols m is cls ks ls cs : classes_root symbols m is cls ks ls cs -> forall f, In (inr f) cs -> exists p d, In (LinkedInput p d) is /\ slot_at m p = RootOf f.
Proof.
  induction 1 as [|i c ks ls cs is cls kss lss css Rc _ IH]; intros f I; [destruct I|]. apply in_app_or in I as [I|I].
  - destruct Rc; simpl in I; try contradiction; destruct I as [I|[]]; try discriminate. injection I as <-. exists p, d. simpl. auto.
  - destruct (IH f I) as (p & d & J & E). exists p, d. simpl. auto.
Qed.
Lemma root_none_lost symbols m cls ks ls cs : classes_root symbols m (inputs P) cls ks ls cs -> (forall f q, part_named m f = Some q -> In (inr f) cs) ->
  (forall o x, ~ owed_here P m o x) -> none_lost P m.
Proof.
  intros R Pa No _. split; [intros o x W; destruct (No o x W)|]. intros f q E. destruct (parts_hang _ _ _ _ _ _ _ R f (Pa f q E)) as (p & d & I & S).
  rewrite <- S. apply met_root. apply in_flat_map. exists (LinkedInput p d). simpl. auto.
Qed.

(** *** What it holds *)

Definition keys_of (b : binding) : keys := let '(ib, ab, sb) := b in (map fst ib, map fst ab, map fst sb).
Lemma keys_joined b c : keys_of (join b c) = joined (keys_of b) (keys_of c).
Proof. destruct b as [[i1 a1] s1], c as [[i2 a2] s2]. simpl. rewrite !map_app. reflexivity. Qed.
Definition symbols_right symbols (b : binding) := forall y t, In (y, t) (snd b) -> exists d, nth_error symbols y = Some (TreeOf d) /\ of_sort table d t /\ typed_tree P t.
Lemma symbols_joined symbols b c : symbols_right symbols b -> symbols_right symbols c -> symbols_right symbols (join b c).
Proof. destruct b as [[i1 a1] s1], c as [[i2 a2] s2]. intros B C y t I. apply in_app_or in I as [I|I]; eauto. Qed.
Lemma rows_symbols symbols d rows fs : symbols_right symbols (rows_bound P d rows fs).
Proof. intros y t []. Qed.
Lemma rows_key d rows fs : keys_of (rows_bound P d rows fs) = (integer_keys fs, array_keys fs, []).
Proof. destruct (rows_keys P d rows fs) as [A B]. unfold keys_of, rows_bound in *. simpl in *. rewrite A, B. reflexivity. Qed.

Section Member.
Variables (symbols : list symbol_sort) (m : member).
(** What is shown of inputs that the member holds. *)
Definition held_right nu i (cs : list Scapegoats.cell) := (forall o x, In (inl o) cs -> object_named m o = Some x -> object_right P nu m o x) /\
  (forall f q, In (inr f) cs -> part_named m f = Some q -> part_right P symbols m q) /\
  forall r, In r (input_registers i) -> leads m (slot_at m r) /\
    forall t, slot_at m r = Plain (Members.IntegerSlot t) -> value_in (type_of P r) (Integer (eval nu t)).
Definition holds_this i v cs ls b := in_range_binding b /\ symbols_right symbols b /\ forall nu phi, well_sorted nu -> binds nu phi b ->
  Forall (Terms.holds nu) ls /\ held_right nu i cs /\ forall is vs css, presents P symbols nu phi m is vs css -> presents P symbols nu phi m (i :: is) (v :: vs) (cs ++ css).

Lemma within_unsized T z k d : Z.of_nat k <= z -> z <= greatest_count d -> forall nu v ls, integers nu (Some T) v = z ->
  incl ls [AtMost (Minus (Constant (Z.of_nat k)) (Var (Some T) v)); AtMost (Minus (Var (Some T) v) (Constant (greatest_count d)))] -> Forall (Terms.holds nu) ls.
Proof.
  intros A B nu v ls E I. apply Forall_forall. intros l J. apply I in J. destruct J as [<-|[<-|[]]]; cbn [Terms.holds eval Minus]; rewrite E; lia.
Qed.
Lemma class_held i c ks ls cs v : class_root symbols m i c ks ls cs -> In i (inputs P) -> valid_value P i v -> in_class c v -> exists b, keys_of b = ks /\ holds_this i v cs ls b.
Proof.
  intros R Hi V C. destruct R as [r T x Ty Sr | p n d x fs k Rp Sn Fr Re | p n d x fs k T y ls Rp Ty Sn Fr Re Ls | p d Sp | p d x fs Rp Fr Re | p d f y Sp Es Pf];
  destruct v as [z|rows|[row|]|l]; simpl in V, C; try contradiction.
  - (* integer *)
    unfold integer_type_of in V. rewrite Ty in V. pose proof (proj1 (is_within_iff _ _) V) as W.
    exists ([(T, x, z)], [], []). split; auto. split; [split; [intros U w a [[= <- <- <-]|[]]; exact W | intros U w a []]|].
    split; [intros w t []|]. intros nu phi Ws (Bi & _). pose proof (Bi T x z (or_introl eq_refl)) as E. split; [constructor|]. split.
    + split; [intros o y []|]. split; [intros f q []|]. intros r' [<-|[]]. rewrite Sr. split; [exact I|]. intros t [= <-]. rewrite Ty. simpl. rewrite E. exact W.
    + intros is vs css H. simpl. constructor; auto; [|unfold integer_type_of; rewrite Ty; exact V]. exists (Var (Some T) x). split; auto.
  - (* array of so many *)
    subst k. pose proof V as V'. unfold array_allowed in V'. apply andb_prop in V' as [V' Vc]. apply andb_prop in V' as [V' Vn]. apply andb_prop in V' as [Vi Vf].
    exists (rows_bound P d rows fs). split; [apply rows_key|]. split; [apply rows_in_range|]. split; [apply rows_symbols|]. intros nu phi Ws B.
    assert (H : holds_rows P nu d rows x) by (eapply fresh_elements; eauto). destruct Rp as [Sp O]. split; [constructor|]. split.
    + split; [|split; [intros f q [E|[]]; discriminate|]].
      * intros o y [[= <-]|[]] E. rewrite O in E. injection E as <-. eapply fresh_right; eauto. eapply (arrays_inputs P well_given); eauto.
      * intros r [<-|[<-|[]]]; [rewrite Sp; split; [simpl; congruence | discriminate]|]. rewrite Sn. split; [exact I|]. intros t [= <-]. simpl eval.
        unfold integer_type_of in Vn. destruct (type_of P n); simpl; auto. apply is_within_iff. exact Vn.
    + intros is vs css Hp. simpl. econstructor; eauto; [|exists (Constant (Z.of_nat (length rows))); auto].
      exists (Constant 0). split; [exact Sp|]. split; [exact O|]. rewrite (fresh_start _ _ _ _ _ Fr). reflexivity.
  - (* array of any length *)
    pose proof V as V'. unfold array_allowed in V'. apply andb_prop in V' as [V' Vc]. apply andb_prop in V' as [V' Vn]. apply andb_prop in V' as [Vi Vf].
    unfold integer_type_of in Vn. rewrite Ty in Vn. pose proof (proj1 (is_within_iff _ _) Vn) as W. apply Z.leb_le in Vc.
    set (z := Z.of_nat (length rows)) in *.
    exists (join ([(T, y, z)], [], []) (rows_bound P d rows fs)). split; [rewrite keys_joined, rows_key; reflexivity|].
    split; [apply in_range_join; [split; [intros U w a [[= <- <- <-]|[]]; exact W | intros U w a []] | apply rows_in_range]|].
    split; [apply symbols_joined; [intros w t [] | apply rows_symbols]|]. intros nu phi Ws B. apply binds_join in B as [(Bi & _) B].
    pose proof (Bi T y z (or_introl eq_refl)) as E.
    assert (Rt : reaches_to (length rows) fs) by (eapply Forall_impl; [|exact Re]; intros f Hf; left; exact Hf).
    assert (H : holds_rows P nu d rows x) by (eapply fresh_elements; eauto). destruct Rp as [Sp O].
    split; [eapply within_unsized; [| |exact E|exact Ls]; unfold z, greatest_count; lia|]. split.
    + split; [|split; [intros f q [Q|[]]; discriminate|]].
      * intros o w [[= <-]|[]] Eo. rewrite O in Eo. injection Eo as <-. eapply fresh_right; eauto. eapply (arrays_inputs P well_given); eauto.
      * intros r [<-|[<-|[]]]; [rewrite Sp; split; [simpl; congruence | discriminate]|]. rewrite Sn. split; [exact I|]. intros t [= <-]. rewrite Ty. simpl. rewrite E. exact W.
    + intros is vs css Hp. simpl. econstructor; eauto; [|exists (Var (Some T) y); auto].
      exists (Constant 0). split; [exact Sp|]. split; [exact O|]. rewrite (fresh_start _ _ _ _ _ Fr). reflexivity.
  - (* no struct *)
    exists ([], [], []). split; auto. split; [split; intros U w a []|]. split; [intros w t []|]. intros nu phi Ws _. split; [constructor|]. split.
    + split; [intros o y []|]. split; [intros f q []|]. intros r [<-|[]]. rewrite Sp. split; [exact I | discriminate].
    + intros is vs css Hp. simpl. constructor; auto.
  - (* a struct *)
    exists (rows_bound P d [row] fs). split; [apply rows_key|]. split; [apply rows_in_range|]. split; [apply rows_symbols|]. intros nu phi Ws B.
    assert (Vf : forallb (row_fits (fields_in d)) [row] = true) by (simpl; rewrite V; reflexivity).
    assert (H : holds_rows P nu d [row] x) by (eapply fresh_elements; eauto). destruct Rp as [Sp O]. split; [constructor|]. split.
    + split; [|split; [intros f q [E|[]]; discriminate|]].
      * intros o y [[= <-]|[]] E. rewrite O in E. injection E as <-. eapply fresh_right; eauto. eapply (singles_inputs P well_given); eauto.
      * intros r [<-|[]]. rewrite Sp. split; [simpl; congruence | discriminate].
    + intros is vs css Hp. simpl. econstructor; eauto. exists (Constant 0). split; [exact Sp|]. split; [exact O|]. rewrite (fresh_start _ _ _ _ _ Fr). reflexivity.
  - (* a tree *)
    pose proof (linked_nodes P well_given _ _ Hi) as N. destruct V as (above0 & n & w & Pl). destruct (unplanted P table formed l d above0 n w N Pl) as (t & El & Ot & Tt).
    exists ([], [], [(y, t)]). split; auto. split; [split; intros U u a []|]. split; [intros u t' [[= <- <-]|[]]; exists d; auto|].
    intros nu phi Ws (_ & _ & Bs). pose proof (Bs y t (or_introl eq_refl)) as E. split; [constructor|]. split.
    + split; [intros o u [Q|[]]; discriminate|]. split.
      * intros g q [[= <-]|[]] Eq. rewrite Pf in Eq. injection Eq as <-. exists d. simpl. repeat split; auto.
      * intros r [<-|[]]. rewrite Sp. split; [simpl; congruence | discriminate].
    + intros is vs css Hp. subst l. constructor; [|exact Hp]. rewrite Sp. simpl heap_slot.
      assert (Eh : Scapegoats.parts (heap_of P symbols nu phi m) f = Some {| Scapegoats.stands_for := trees phi y; Scapegoats.part_sort := d; Scapegoats.above := Scapegoats.SNull |}).
      { simpl. unfold heap_part. rewrite Pf. simpl. rewrite Es. reflexivity. }
      pose proof (Scapegoats.reads_part (links_of P) (heap_of P symbols nu phi m) f Scapegoats.SNull _ Eh) as R. simpl in R. rewrite E in R. apply R. auto.
Qed.

Lemma classes_held is cls ks ls cs vs : classes_root symbols m is cls ks ls cs -> incl is (inputs P) -> Forall2 (valid_value P) is vs -> Forall2 in_class cls vs ->
  exists b, keys_of b = ks /\ in_range_binding b /\ symbols_right symbols b /\ forall nu phi, well_sorted nu -> binds nu phi b ->
    Forall (Terms.holds nu) ls /\ presents P symbols nu phi m is vs cs /\
    (forall o x, In (inl o) cs -> object_named m o = Some x -> object_right P nu m o x) /\
    (forall f q, In (inr f) cs -> part_named m f = Some q -> part_right P symbols m q) /\
    forall r, In r (flat_map input_registers is) -> leads m (slot_at m r) /\
      forall t, slot_at m r = Plain (Members.IntegerSlot t) -> value_in (type_of P r) (Integer (eval nu t)).
Proof.
  intros R. revert vs. induction R as [|i c ks ls cs is cls kss lss css Rc _ IH]; intros vs Ic V C; inversion V as [|? v ? vs' V1 V2]; subst.
  - exists ([], [], []). split; auto. split; [split; intros U w a []|]. split; [intros w t []|]. intros nu phi Ws _. split; [constructor|]. split; [constructor|].
    repeat split; intros; contradiction.
  - inversion C as [|? ? ? ? C1 C2]; subst. destruct (IH vs' (fun j J => Ic j (or_intror J)) V2 C2) as (b2 & K2 & In2 & Sy2 & H2).
    destruct (class_held i c ks ls cs v Rc (Ic _ (or_introl eq_refl)) V1 C1) as (b1 & K1 & In1 & Sy1 & H1).
    exists (join b1 b2). split; [rewrite keys_joined, K1, K2; reflexivity|]. split; [apply in_range_join; auto|]. split; [apply symbols_joined; auto|].
    intros nu phi Ws B. apply binds_join in B as [B1 B2]. destruct (H1 nu phi Ws B1) as (L1 & (O1 & P1 & R1) & Pr1), (H2 nu phi Ws B2) as (L2 & Pr2 & O2 & P2 & R2).
    split; [apply Forall_app; auto|]. split; [apply Pr1; exact Pr2|]. split; [|split].
    + intros o x I. apply in_app_or in I as [I|I]; eauto.
    + intros f q I. apply in_app_or in I as [I|I]; eauto.
    + intros r I. simpl in I. apply in_app_or in I as [I|I]; eauto.
Qed.
End Member.

Definition meaning_of_binding (b : binding) := with_trees {| trees := fun _ => Empty; contexts := fun _ => Hole |} (snd b).
Lemma bound_binds b ik ak sk : keys_of b = (ik, ak, sk) -> NoDup ik -> NoDup ak -> NoDup sk -> binds (valuation_of b) (meaning_of_binding b) b.
Proof.
  destruct b as [[ib ab] sb]. simpl. intros [= <- <- <-] Ni Na Ns. repeat split; simpl.
  - intros T v z I. rewrite (bound_integer_in ib T v z Ni I). reflexivity.
  - intros T v a I. rewrite (bound_array_in ab T v a Na I). reflexivity.
  - intros y t I. rewrite (bound_symbol_in sb y t Ns I). reflexivity.
Qed.
Theorem root_holds c cls vs : is_root c cls -> Forall2 (valid_value P) (inputs P) vs -> Forall2 in_class cls vs -> exists nu phi cs,
  model nu (predicate (body c)) /\ well_meant P table (symbols (body c)) phi /\ holds_inputs P (symbols (body c)) nu phi (at_entry c) vs cs.
Proof.
  intros [_ _ Sh (ik & ak & sk & cs & R & Ni & Na & Ns & Nc & Sy & Ob & Pa)] V C.
  destruct (classes_held _ _ _ _ _ _ _ vs R (incl_refl _) V C) as (b & K & In_ & Sr & H).
  pose proof (bound_binds b ik ak sk K Ni Na Ns) as B. set (nu := valuation_of b) in *. set (phi := meaning_of_binding b) in *.
  pose proof (bound_sorted b In_) as W. destruct (H nu phi W B) as (L & Pr & Or & Pt & Rg). exists nu, phi, cs. split; [split; auto|].
  assert (Me : well_meant P table (symbols (body c)) phi).
  { intros y. unfold well_meant_symbol. destruct (nth_error (symbols (body c)) y) as [s|] eqn:E; auto. pose proof (Sy y s E) as I.
    destruct b as [[ib ab] sb]. simpl in K. injection K as <- <- <-. apply in_map_iff in I as ((y' & t) & Ey & I). simpl in Ey. subst y'.
    destruct (Sr y t I) as (d & Ed & O & T). rewrite E in Ed. injection Ed as ->. destruct B as (_ & _ & Bs). rewrite (Bs y t I). auto. }
  split; auto. split; auto.
  - split.
    + intros o x E. destruct (Ob o x E) as [I|F]; eauto.
    + intros f q E. eauto.
    + intros r. destruct (in_dec Nat.eq_dec r (flat_map input_registers (inputs P))) as [I|I]; [apply (Rg r I)|].
      destruct (Nat.lt_ge_cases r (length (registers P))) as [Lr|Lr]; [rewrite (shaped_unset _ _ _ (Sh nu) r Lr I); exact Logic.I|].
      unfold slot_at. rewrite nth_overflow; [exact Logic.I|]. rewrite (shaped_registers _ _ _ (Sh nu)). exact Lr.
    + intros r t E. destruct (in_dec Nat.eq_dec r (flat_map input_registers (inputs P))) as [I|I]; [apply (proj2 (Rg r I)); exact E|].
      destruct (Nat.lt_ge_cases r (length (registers P))) as [Lr|Lr]; [rewrite (shaped_unset _ _ _ (Sh nu) r Lr I) in E; discriminate|].
      unfold slot_at in E. rewrite nth_overflow in E; [discriminate|]. rewrite (shaped_registers _ _ _ (Sh nu)). exact Lr.
Qed.

(** One root for each combination: all valid inputs. *)
Definition roots_of k l roots := forall cls, In cls (combinations k l (inputs P)) -> exists c, In c roots /\ is_root c cls.
Theorem roots_cover k l roots : roots_of k l roots -> covers_inputs P table roots.
Proof.
  intros R vs s E. pose proof (entry_valid P vs s E) as V. destruct (combinations_cover k l _ _ V) as (cls & I & C). destruct (R cls I) as (c & Ic & Rc).
  destruct (root_holds c cls vs Rc V C) as (nu & phi & cs & M & Me & H). exists c, nu, phi, cs. split; auto.
  split; [apply (root_starts _ _ Rc)|]. split; [apply (root_scope _ _ Rc)|]. auto.
Qed.

(** ** No execution from a valid input fails *)

Variable few : nat.
Hypothesis contents_right : contents_formed P.
Hypothesis targets : targets_formed P.
Hypothesis locals : locals_formed P.
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.
Hypothesis ones : one_same table.
Hypothesis checked : forall s, Sorts.named (table s) <> None -> names_wider table s.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Hypothesis addresses_formed : forall r d, In (Address r d) (instructions P) -> has_name P d = true.
Theorem accepted_safe k l templates roots : (forall c, In c templates -> derived P under few table templates false c) ->
  (forall c, In c roots -> enters P under few table templates true c) -> roots_of k l roots -> safe (system_of P under).
Proof. intros T R C. eapply derived_safe; eauto. eapply roots_cover; eauto. Qed.
End Classes.
