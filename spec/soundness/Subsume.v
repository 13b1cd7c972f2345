(** Subsume (spec/calculus.md#subsume): a template covers a configuration, by
    substitution and by reading.

    [covers] is what the rule asks, obligation by obligation; [subsume_sound]
    that what the configuration denotes the template denotes, too. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Runs Alike Owed Typed Folding FoldedMembers Configurations Reading.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Notation holds := Terms.holds.

(** ** Two occurrences of one symbol are read as the same pieces *)

Section Same.
Variable entailed : literal -> Prop.
Definition equals t u := entailed (Equal (Minus t u)).
Inductive same_piece : piece -> piece -> Prop :=
| same_null : same_piece NullPiece NullPiece
| same_tree x : same_piece (TreePiece x) (TreePiece x)
| same_segment x p q : same_piece p q -> same_piece (SegmentPiece x p) (SegmentPiece x q)
| same_node d b fs gs : same_pieces fs gs -> same_piece (NodePiece d b fs) (NodePiece d b gs)
with same_pieces : list field_piece -> list field_piece -> Prop :=
| same_none : same_pieces [] []
| same_data t u fs gs : equals t u -> same_pieces fs gs -> same_pieces (DataPiece t :: fs) (DataPiece u :: gs)
| same_pointer l fs gs : same_pieces fs gs -> same_pieces (PointerPiece l :: fs) (PointerPiece l :: gs)
| same_below e p q fs gs : same_piece p q -> same_pieces fs gs -> same_pieces (BelowPiece e p :: fs) (BelowPiece e q :: gs)
| same_ring e p q l k fs gs : same_path p q -> same_pieces fs gs -> same_pieces (RingPiece e p l :: fs) (RingPiece e q k :: gs)
with same_path : path -> path -> Prop :=
| same_end : same_path PathEnd PathEnd
| same_link x p q : same_path p q -> same_path (SegmentPath x p) (SegmentPath x q)
| same_cell d b fs gs e p q fs' gs' : same_pieces fs gs -> same_path p q -> same_pieces fs' gs' ->
    same_path (NodePath d b fs e p fs') (NodePath d b gs e q gs').
Scheme same_piece_mind := Induction for same_piece Sort Prop with same_pieces_mind := Induction for same_pieces Sort Prop
  with same_path_mind := Induction for same_path Sort Prop.
Combined Scheme same_piece_ind' from same_piece_mind, same_pieces_mind, same_path_mind.

Variables (nu : valuation) (phi : meaning).
Hypothesis entailed_holds : forall l, entailed l -> holds nu l.
Lemma equals_eval t u : equals t u -> eval nu t = eval nu u.
Proof. intros E. apply entailed_holds in E. simpl in E. lia. Qed.
Lemma same_meaning :
  (forall p q, same_piece p q -> tree_of nu phi p = tree_of nu phi q) /\
  (forall fs gs, same_pieces fs gs -> map (field_of_piece nu phi) fs = map (field_of_piece nu phi) gs) /\
  (forall p q, same_path p q -> context_of nu phi p = context_of nu phi q).
Proof.
  apply same_piece_ind'; auto.
  - intros x p q _ IH. change (plug (contexts phi x) (tree_of nu phi p) = plug (contexts phi x) (tree_of nu phi q)). congruence.
  - intros d b fs gs _ IH. change (Node d b (map (field_of_piece nu phi) fs) = Node d b (map (field_of_piece nu phi) gs)). congruence.
  - intros t u fs gs E _ IH. cbn [map]. f_equal; auto. change (Sorts.Integer (eval nu t) = Sorts.Integer (eval nu u)). rewrite (equals_eval _ _ E). auto.
  - intros l fs gs _ IH. cbn [map]. congruence.
  - intros e p q fs gs _ IH1 _ IH2. cbn [map]. f_equal; auto. change (Below e (tree_of nu phi p) = Below e (tree_of nu phi q)). congruence.
  - intros e p q l k fs gs _ IH1 _ IH2. cbn [map]. f_equal; auto. change (Ringed e (context_of nu phi p) = Ringed e (context_of nu phi q)). congruence.
  - intros x p q _ IH. change (compose (contexts phi x) (context_of nu phi p) = compose (contexts phi x) (context_of nu phi q)). congruence.
  - intros d b fs gs e p q fs' gs' _ IH1 _ IH _ IH2.
    change (Cell d b (map (field_of_piece nu phi) fs) e (context_of nu phi p) (map (field_of_piece nu phi) fs') =
      Cell d b (map (field_of_piece nu phi) gs) e (context_of nu phi q) (map (field_of_piece nu phi) gs')). congruence.
Qed.
Lemma same_context p q : same_path p q -> context_of nu phi p = context_of nu phi q.
Proof. apply same_meaning. Qed.
End Same.

(** ** What the rule asks *)

Section Subsume.
Variable P : program.
Variable table : nat -> sort_of_trees.
(** What the configuration's predicate entails; its symbols, and those of the
    template. *)
Variable entailed : literal -> Prop.
Variables sorts sorts' : list symbol_sort.
(** The configuration's term, or array, is the image of the template's. *)
Variable equals_image : term -> term -> Prop.
Variable arrays_image : array -> array -> Prop.

(** What a symbol of the template is read as, wherever it occurs. *)
Record reading := { piece_for : nat -> piece; path_for : nat -> path }.
Definition meaning_of nu phi r := {| trees := fun x => tree_of nu phi (piece_for r x); contexts := fun x => context_of nu phi (path_for r x) |}.

(** *** A member *)

(** Per object of the template that of the configuration; per part what pointers
    to its root, and to its last cell, hold, if any do; and what is taken. *)
Record matching := { image_of : nat -> nat; root_slot : nat -> slot; last_slot : nat -> option slot; takes : nat -> list taken }.

Section Member.
Variables m t : member.
Variable u : matching.

Definition is_segment f := match part_named t f with
  | Some q => match nth_error sorts' (symbol q) with Some (SegmentOf _) => True | _ => False end | None => False end.
(** A slot of the configuration where the template has another.  No lemma needs
    that what a pointer to a part meets is known, and no integer (attacks K3,
    H19). *)
Definition slot_covered v w := match w with
  | Plain Members.Forgotten => True
  | Plain (Members.IntegerSlot b) => exists a, v = Plain (Members.IntegerSlot a) /\ equals_image a b
  | Plain (Members.PointerSlot o j c) => object_named t o <> None /\ exists i, v = Plain (Members.PointerSlot (image_of u o) i c) /\ equals_image i j
  | Plain w => v = Plain w
  | RootOf f => part_named t f <> None /\ v = root_slot u f
  | LastOf f => is_segment f /\ last_slot u f = Some v end.
(** All elements have cells. *)
Definition all_apart x f := Forall entailed [AtMost (Minus (Constant 0) (begins x)); AtMost (Minus (ends x) (Constant (Z.of_nat (length (apart f)))))].
Definition rest_covered (a b : option array) := match a, b with
  | Some a, Some b => arrays_image a b | None, None => True | _, _ => False end.
(** The template may have more cells where all elements have cells in the
    configuration; that they hold integers (attack B6) is of use to leaks. *)
Definition field_covered x f f' := Forall2 slot_covered (apart f) (apart f') /\ rest_covered (rest f) (rest f') \/
  exists l l', apart f' = l ++ l' /\ Forall2 slot_covered (apart f) l /\ all_apart x f.
Record object_covered x x' : Prop := {
  covered_kind : kind x = kind x';
  covered_life : life_of x = life_of x';
  covered_start : equals_image (begins x) (begins x');
  covered_end : equals_image (ends x) (ends x');
  covered_fields : Forall2 (field_covered x) (contents x) (contents x') }.

(** What a slot around a part of the template is in the configuration.  A lower
    part has been read; no lemma needs that it is lower (attack K4). *)
Inductive around : slot -> expected -> Prop :=
| around_forgotten : around forgotten OfNoInterest
| around_null : around (Plain Members.NullSlot) (Is (Plain Members.NullSlot))
| around_object o i j b : object_named t o <> None -> equals_image i j ->
    around (Plain (Members.PointerSlot o j b)) (Is (Plain (Members.PointerSlot (image_of u o) i b)))
| around_last f v : is_segment f -> last_slot u f = Some v -> around (LastOf f) (Is v).
(** What is above the hole is what pointers to the last cell hold. *)
Definition last_agrees f up := match up with OfNoInterest => True | NotKnown => last_slot u f = None | Is v => last_slot u f = Some v end.
(** A segment is of no sort that hands anything on (attack H18). *)
Definition part_covered r f q := exists up along, around (above q) up /\ around (alongside q) along /\
  match nth_error sorts' (symbol q) with
  | Some (TreeOf s) => below q = Plain Members.NullSlot /\
      exists p, reads table entailed sorts m (root_slot u f) up along s p (takes u f) /\ same_piece entailed p (piece_for r (symbol q))
  | Some (SegmentOf s) => no_handed table s /\
      exists p v up', reads_path table entailed sorts m Chosen (root_slot u f) up along s p (takes u f) v up' /\
        slot_covered v (below q) /\ last_agrees f up' /\ same_path entailed p (path_for r (symbol q))
  | None => False end.
(** What is matched or read is taken once. *)
Definition taken_once := (forall o o' x x', object_named t o = Some x -> object_named t o' = Some x' -> image_of u o = image_of u o' -> o = o') /\
  (forall f q, part_named t f = Some q -> NoDup (takes u f)) /\
  (forall f f' q q' c, part_named t f = Some q -> part_named t f' = Some q' -> In c (takes u f) -> In c (takes u f') -> f = f') /\
  (forall o x f q, object_named t o = Some x -> part_named t f = Some q -> ~ In (inl (image_of u o)) (takes u f)).
Record member_covered r : Prop := {
  covered_place : place_of m = place_of t;
  covered_registers : Forall2 slot_covered (slots m) (slots t);
  covered_objects : forall o x', object_named t o = Some x' -> exists x, object_named m (image_of u o) = Some x /\ object_covered x x';
  covered_parts : forall f q, part_named t f = Some q -> part_covered r f q;
  covered_once : taken_once }.

(** Where leaks are checked nothing is left over: what is owed is matched or
    read, and so is each part. *)
Record nothing_left : Prop := {
  objects_left : forall o x, object_named m o = Some x -> life_of x = Live -> is_owed_kind P (kind x) = true ->
    (exists o', object_named t o' <> None /\ image_of u o' = o) \/ exists f q, part_named t f = Some q /\ In (inl o) (takes u f);
  parts_left : forall f q, part_named m f = Some q -> exists f' q', part_named t f' = Some q' /\ In (inr f) (takes u f') }.

(** *** A member that is covered is one of the template's *)

Variables (nu nu' : valuation) (phi : meaning) (r : reading).
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat) (g : state).
Hypothesis entailed_holds : forall l, entailed l -> holds nu l.
Hypothesis image_eval : forall a b, equals_image a b -> eval nu a = eval nu' b.
Hypothesis arrays_eval : forall a b, arrays_image a b -> forall i, eval_array nu a i = eval_array nu' b i.
Hypothesis meant : well_meant P table sorts phi.
Hypothesis typed_state : typed P g.
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Hypothesis ones : one_same table.
Hypothesis checked : forall s, Sorts.named (table s) <> None -> names_wider table s.
Hypothesis of_nodes : forall s ls, In ls (shapes (table s)) -> is_node P (declaration (table s)) = true.
Hypothesis covered : member_covered r.
Hypothesis none_over : checks_leaks P -> nothing_left.
Notation phi' := (meaning_of nu phi r).
Let rho' o := rho (image_of u o).
Let roots' f := means nu m rho roots lasts (root_slot u f).
Let lasts' f : holding := match part_named t f with
  | Some q => match nth_error sorts' (symbol q) with
    | Some (SegmentOf _) => match last_slot u f with Some v => means nu m rho roots lasts v | None => nothing end
    | _ => nothing end
  | None => nothing end.
Let cells' f := footprint rho cells (takes u f).
Notation old := (means nu m rho roots lasts).
Notation new := (means nu' t rho' roots' lasts').

Lemma image_exists o x' : object_named t o = Some x' -> exists x, object_named m (image_of u o) = Some x /\ object_covered x x'.
Proof. apply (covered_objects _ covered). Qed.
Lemma slot_means v w : slot_covered v w -> sub (old v) (new w).
Proof.
  destruct w as [[]|f|f]; simpl; auto.
  - intros ->. simpl. auto.
  - intros (a & -> & E). simpl. rewrite (image_eval _ _ E). auto.
  - intros ->. simpl. auto.
  - intros (N & j & -> & E). destruct (object_named t name) as [x'|] eqn:O; [|congruence].
    destruct (image_exists _ _ O) as (x & X & _). simpl. rewrite X, (image_eval _ _ E). auto.
  - intros [N ->]. unfold means_part. destruct (part_named t f); [auto | congruence].
  - intros [S L]. unfold is_segment in S. unfold means_part. destruct (part_named t f) as [q|] eqn:Q; [|contradiction]. unfold lasts'. rewrite Q.
    destruct (nth_error sorts' (symbol q)) as [[]|]; try contradiction. rewrite L. auto.
Qed.
Lemma slots_nth l l' i : Forall2 slot_covered l l' -> (i < length l)%nat -> sub (old (nth i l forgotten)) (new (nth i l' forgotten)).
Proof.
  intros F. revert i. induction F as [|v w l l' C _ IH]; intros [|i] L; simpl in *; try lia; [apply slot_means; auto | apply IH; lia].
Qed.
Lemma around_means w e : around w e -> sub (means_expected m nu rho roots lasts e) (new w).
Proof.
  destruct 1 as [| |o i j b N Q | f v S L]; simpl; auto.
  - destruct (object_named t o) as [x'|] eqn:O; [|congruence]. destruct (image_exists _ _ O) as (x & X & _). rewrite X, (image_eval _ _ Q). auto.
  - apply (slot_means v (LastOf f)). split; auto.
Qed.
Lemma element_means x f f' i : field_covered x f f' -> eval nu (begins x) <= i < eval nu (ends x) ->
  sub (means_element nu m rho roots lasts f i) (means_element nu' t rho' roots' lasts' f' i).
Proof.
  intros [[C R]|(l & l' & E & C & A)] B; unfold means_element; pose proof (Forall2_length _ _ _ C) as L.
  - rewrite <- L. destruct (Z.leb_spec 0 i), (Z.ltb_spec i (Z.of_nat (length (apart f)))); simpl;
    try (apply slots_nth; [auto | lia]); destruct (rest f) as [a|], (rest f') as [b|]; simpl in R; try contradiction; auto;
    rewrite (arrays_eval _ _ R); auto.
  - inversion_clear A as [|? ? A1 A2]. inversion_clear A2 as [|? ? A3 _].
    apply entailed_holds in A1, A3. simpl in A1, A3.
    rewrite E, app_length, Nat2Z.inj_add, <- L.
    destruct (Z.leb_spec 0 i), (Z.ltb_spec i (Z.of_nat (length (apart f)))), (Z.ltb_spec i (Z.of_nat (length (apart f)) + Z.of_nat (length l'))); simpl; try lia.
    rewrite app_nth1 by lia. apply slots_nth; [auto | lia].
Qed.
Lemma fields_nth2 x l l' k : Forall2 (field_covered x) l l' -> field_covered x (nth k l no_field) (nth k l' no_field).
Proof.
  intros F. revert k. induction F as [|f f' l l' C _ IH]; intros [|k]; simpl; auto; left; split; simpl; auto.
Qed.
Lemma object_described x x' y : object_covered x x' -> describes_object nu m rho roots lasts x y -> describes_object nu' t rho' roots' lasts' x' y.
Proof.
  intros [K L B E F] [A1 A2 A3 A4 A5 A6]. rewrite (image_eval _ _ B) in A3. rewrite (image_eval _ _ E) in A4.
  split; try congruence; [rewrite A5; apply (Forall2_length _ _ _ F)|].
  intros Lv k i I. apply (element_means x (nth k (contents x) no_field)); [apply fields_nth2; exact F | | apply A6; [congruence | exact I]].
  rewrite (image_eval _ _ B), (image_eval _ _ E). lia.
Qed.

Lemma part_described f q : part_named t f = Some q -> describes_part nu' t rho' roots' lasts' sorts' phi' g f q (cells' f) /\
  Forall (is_there m) (takes u f) /\ well_meant_symbol P table sorts' phi' (symbol q).
Proof.
  intros Q. destruct (covered_parts _ covered f q Q) as (up & along & U & A & C). apply around_means in U, A.
  unfold describes_part, well_meant_symbol, cells', lasts'. rewrite Q. destruct (nth_error sorts' (symbol q)) as [[s|s]|]; [| |destruct C].
  - destruct C as (B & p & R & S).
    destruct (proj1 (reads_sound P table entailed sorts m nu phi rho roots lasts cells g entailed_holds meant described ones checked of_nodes) _ _ _ _ _ _ R)
      as [(fp & Pm & T) O].
    simpl. rewrite <- (proj1 (same_meaning entailed nu phi entailed_holds) _ _ S).
    split; [|split; [exact (proj1 (reads_exist _ _ _ _) _ _ _ _ _ _ R) | split; [exact O | eapply tree_typed; eauto]]].
    exists fp. split; [exact Pm|]. split; [exact B|]. split; [apply sub_refl|]. eapply tree_weaker; eauto.
  - destruct C as (N & p & v & up' & R & B & L & S).
    destruct (path_sound P table entailed sorts m nu phi rho roots lasts cells g entailed_holds meant described ones checked of_nodes _ _ _ _ _ _ _ _ _ N R)
      as [(fp & Pm & T) O].
    simpl. rewrite <- (same_context entailed nu phi entailed_holds _ _ S).
    split; [|split; [eapply path_exists; eauto | split; [exact O | eapply context_typed; eauto]]].
    exists fp. split; [exact Pm|]. eapply context_weaker; [exact T | apply sub_refl | exact U | exact A | | apply slot_means; exact B].
    unfold last_agrees in L. destruct up' as [| |w]; simpl; [apply sub_anything | rewrite L; apply sub_refl | rewrite L; apply sub_refl].
Qed.

Theorem member_described : describes_by P sorts' nu' phi' t rho' roots' lasts' cells' g.
Proof.
  destruct covered as [Pl Rg Ob Pt (T1 & T2 & T3 & T4)]. pose proof described as [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14].
  assert (There : forall o x', object_named t o = Some x' -> is_there m (inl (image_of u o))).
  { intros o x' O. destruct (Ob _ _ O) as (x & X & _). simpl. congruence. }
  split.
  - congruence.
  - rewrite D2. apply (Forall2_length _ _ _ Rg).
  - exact D3.
  - intros i. unfold slot_at. destruct (Nat.lt_ge_cases i (length (slots m))) as [L|L].
    + apply (slots_nth (slots m)); auto. apply D4.
    + rewrite (nth_overflow (slots t)) by (rewrite <- (Forall2_length _ _ _ Rg); auto). exact I.
  - intros o x' O. destruct (Ob _ _ O) as (x & X & _). eapply D5; eauto.
  - intros o x' O. destruct (Ob _ _ O) as (x & X & C). eapply object_described; eauto.
  - intros o1 o2 x1 x2 O1 O2 E. destruct (Ob _ _ O1) as (y1 & Y1 & _), (Ob _ _ O2) as (y2 & Y2 & _). eauto.
  - intros o x' O L N. destruct (Ob _ _ O) as (x & X & [K Lf _ _ _]). rewrite <- K in N |- *. eapply D8; eauto. congruence.
  - intros o x' O N. destruct (Ob _ _ O) as (x & X & [K _ B E _]). rewrite <- K in N. destruct (D9 _ _ X N) as [Z0 Z1].
    rewrite <- (image_eval _ _ B), <- (image_eval _ _ E). auto.
  - intros f q Q. apply part_described. exact Q.
  - intros f q Q. apply (footprint_once P sorts m nu phi rho roots lasts cells g described); [eauto | eapply part_described; eauto].
  - intros f1 f2 q1 q2 y Q1 Q2 Y1 Y2. apply in_footprint in Y1 as (c1 & I1 & J1), Y2 as (c2 & I2 & J2).
    destruct (part_described f1 q1 Q1) as (_ & E1 & _), (part_described f2 q2 Q2) as (_ & E2 & _). rewrite Forall_forall in E1, E2.
    pose proof (places_apart P sorts m nu phi rho roots lasts cells g described c1 c2 y (E1 _ I1) (E2 _ I2) J1 J2). subst c2. eauto.
  - intros o x' f q O Q Y. apply in_footprint in Y as (c & I & J). destruct (part_described f q Q) as (_ & E & _). rewrite Forall_forall in E.
    assert (c = inl (image_of u o)).
    { eapply (places_apart P sorts m nu phi rho roots lasts cells g described); [apply E; exact I | eapply There; eauto | exact J | simpl; auto]. }
    subst c. eapply T4; eauto.
  - intros Ck p W. destruct (none_over Ck) as [Lo Lp]. destruct (D14 Ck p W) as [(o & x & E & <-)|(f & q & E & I)].
    + destruct (D6 o x E) as [K A _ _ _ _], W as [W1 W2]. destruct (Lo o x E ltac:(congruence) ltac:(congruence)) as [(o' & N & <-)|(f & q & Q & I)].
      * left. destruct (object_named t o') as [x'|] eqn:O; [|congruence]. exists o', x'. auto.
      * right. exists f, q. split; [exact Q|]. apply in_footprint. exists (inl o). split; [exact I | simpl; auto].
    + destruct (Lp f q E) as (f' & q' & Q & I'). right. exists f', q'. split; [exact Q|]. apply in_footprint. exists (inr f). split; [exact I' | exact I].
Qed.
End Member.
End Subsume.

(** ** Configurations *)

(** What all models of a predicate have. *)
Definition entailed_by predicate l := forall nu, model nu predicate -> holds nu l.
Section Images.
Variable predicate : list literal.
Variable theta : substitution.
Notation equals := (equals (entailed_by predicate)).
Definition term_image t u := equals t (subst theta u).
(** The same array, or stores of equal values at equal indices, or constant
    ones; the second is an image already. *)
Inductive arrays_equal : array -> array -> Prop :=
| same_array a : arrays_equal a a
| same_store a i v b j w : equals i j -> equals v w -> arrays_equal a b -> arrays_equal (Terms.Store a i v) (Terms.Store b j w)
| same_constant v w : equals v w -> arrays_equal (Everywhere v) (Everywhere w).
Definition array_image a b := arrays_equal a (subst_array theta b).
Variable nu : valuation.
Hypothesis holds_predicate : model nu predicate.
Lemma entailed_here l : entailed_by predicate l -> holds nu l.
Proof. intros E. apply E. exact holds_predicate. Qed.
Lemma term_eval t u : term_image t u -> eval nu t = eval (Terms.after nu theta) u.
Proof. intros E. rewrite <- (proj1 (subst_eval nu theta)). apply (equals_eval _ nu entailed_here). exact E. Qed.
Lemma equal_eval a b : arrays_equal a b -> forall i, eval_array nu a i = eval_array nu b i.
Proof.
  pose proof (equals_eval _ nu entailed_here) as Q.
  induction 1 as [a | a i v b j w I V _ IH | v w V]; intros k; simpl; auto. rewrite (Q _ _ I), (Q _ _ V), IH. auto.
Qed.
Lemma array_eval a b : array_image a b -> forall i, eval_array nu a i = eval_array (Terms.after nu theta) b i.
Proof. intros E i. rewrite <- (proj2 (subst_eval nu theta)). apply equal_eval. exact E. Qed.
End Images.

Section Configurations.
Variable P : program.
Variable under : parameters.
Variable table : nat -> sort_of_trees.
Notation machine := (system_of P under).
Notation accounts := (accounts P under).
Notation accounts_sized := (accounts_sized P under).
Notation shows := (shows P under table).

(** *** What the rule asks of all members *)

Section Covers.
Variables c d : configuration.
Variable theta : substitution.
Variable r : reading.
Notation entailed := (entailed_by (predicate c)).
Definition counted_covered x y := (exists m t u, stands x = At m /\ stands y = At t /\
    member_covered table entailed (symbols c) (symbols d) (term_image (predicate c) theta) (array_image (predicate c) theta) m t u r /\ (checks_leaks P -> nothing_left P m t u)) /\
  match counted y with None => True | Some b => exists a, counted x = Some a /\ term_image (predicate c) theta a b end.
Definition sized_covered (p q : input_size * counted_member) := (fst p = fst q \/ fst q = NotLarger) /\ counted_covered (snd p) (snd q).
Definition occurs_in n y := exists t f q, stands y = At t /\ part_named t f = Some q /\ symbol q = n.
(** A symbol without occurrences stands for NULL or an empty segment, if for
    anything (attack H12). *)
Definition symbol_covered n s := occurs_in n (primary d) \/ (exists p, In p (others d) /\ occurs_in n (snd p)) \/
  match s with TreeOf s => may_be_null (table s) = true /\ piece_for r n = NullPiece | SegmentOf _ => path_for r n = PathEnd end.
Record covers_by : Prop := {
  covers_ranges : exists l, ranges theta = Some l /\ Forall entailed l;
  covers_primary : counted_covered (primary c) (primary d);
  covers_others : Forall2 sized_covered (others c) (others d);
  covers_symbols : forall n s, nth_error (symbols d) n = Some s -> symbol_covered n s;
  covers_predicate : Forall (fun l => entailed (subst_literal theta l)) (predicate d) }.
End Covers.
Definition covers c d := exists theta r, covers_by c d theta r.

(** *** It is sound *)

Hypothesis ones : one_same table.
Hypothesis checked : forall s, Sorts.named (table s) <> None -> names_wider table s.
Hypothesis nodes : forall s, is_node P (declaration (table s)) = true.
Lemma of_nodes s ls : In ls (shapes (table s)) -> is_node P (declaration (table s)) = true.
Proof. auto. Qed.

Lemma accounts_covered c d theta r nu phi x y (t : run machine) : model nu (predicate c) -> well_meant P table (symbols c) phi ->
  counted_covered c d theta r x y -> accounts (symbols c) nu phi x t ->
  accounts (symbols d) (Terms.after nu theta) (meaning_of nu phi r) y t /\
  forall n, occurs_in n y -> well_meant_symbol P table (symbols d) (meaning_of nu phi r) n.
Proof.
  intros M W [(m & t0 & u & X & Y & C & No) N] [A B]. rewrite X in A. destruct A as (s & L & g & rn & Tg & (rho & ro & la & ce & D) & Al). split.
  - split.
    + rewrite Y. exists s. split; auto. exists g, rn. split; [exact Tg|]. split; [|exact Al]. eexists _, _, _, _. eapply (member_described P table _ (symbols c) _ _ _ m t0 u nu _ phi r rho ro la ce g (entailed_here _ nu M));
        eauto using fine_typed, term_eval, array_eval.
    + destruct (counted y) as [b|]; auto. destruct N as (a & E & Q). rewrite E in B. rewrite <- B. symmetry. eapply term_eval; eauto.
  - intros n (t1 & f & q & Y1 & Q & <-). assert (t1 = t0) by congruence. subst t1.
    eapply (part_described P table _ (symbols c) (symbols d) _ _ m t0 u nu (Terms.after nu theta) phi r rho ro la ce g (entailed_here _ nu M)); eauto using fine_typed, term_eval, array_eval.
Qed.
Theorem subsume_sound c d : in_scope d = true -> covers c d -> sound_subsume machine _ shows c d.
Proof.
  intros Sc (theta & r & [(l & Rl & El) Pr Ot Sy Pd]) t ts [_ (_ & nu & phi & M & W & A & O)]. pose proof M as [Ws Hp].
  assert (Forall (holds nu) l) by (eapply Forall_impl; [|exact El]; intros x E; apply E; exact M).
  pose proof (ranges_sound _ _ _ Ws Rl H) as Ws'. destruct (accounts_covered _ _ _ _ _ _ _ _ _ M W Pr A) as [A' T].
  assert (X : exists ts', Forall2 (weaker machine) ts ts' /\
    Forall2 (accounts_sized (symbols d) (Terms.after nu theta) (meaning_of nu phi r)) (others d) ts' /\
    forall p, In p (others d) -> forall n, occurs_in n (snd p) -> well_meant_symbol P table (symbols d) (meaning_of nu phi r) n).
  { clear - M W Ot O ones checked nodes. revert ts O. induction Ot as [|p q ps qs [K C] _ IH]; intros ts O; inversion O as [|? [k t] ? ts0 [F B] O']; subst.
    - exists []. split; [constructor | split; [constructor | intros p []]].
    - destruct (IH _ O') as (ts' & X1 & X2 & X3). destruct (accounts_covered _ _ _ _ _ _ _ _ _ M W C B) as [B' T].
      exists ((fst q, t) :: ts'). split; [|split].
      + constructor; auto. split; [reflexivity|]. simpl in F |- *. destruct K as [K|K]; [left; congruence | right; exact K].
      + constructor; auto. split; auto.
      + intros z [<-|I]; [exact T | exact (X3 z I)]. }
  destruct X as (ts' & X1 & X2 & X3). exists ts'. split; auto. split; [exact Sc|]. exists (Terms.after nu theta), (meaning_of nu phi r).
  split; [split; [exact Ws'|] | split; [|split; auto]].
  - rewrite Forall_forall in Pd |- *. intros x I. apply subst_holds, (Pd x I). exact M.
  - intros n. destruct (nth_error (symbols d) n) as [s|] eqn:E; [|unfold well_meant_symbol; rewrite E; exact I].
    destruct (Sy n s E) as [J|[(p & J & K)|J]]; [apply T; exact J | eapply X3; eauto|].
    unfold well_meant_symbol. rewrite E. simpl. destruct s as [s|s].
    + destruct J as [N ->]. split; constructor. exact N.
    + rewrite J. change (context_of nu phi PathEnd) with Hole. split; constructor.
Qed.

(** In a derivation: below a step of the primary. *)
Theorem covered_closed templates c d : in_scope d = true -> covers c d -> In d templates -> closed machine configuration shows templates true c.
Proof. intros Sc C I. eapply closed_subsume; [apply subsume_sound; [exact Sc | exact C] | exact I]. Qed.
End Configurations.
