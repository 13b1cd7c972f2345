(** What an effect does to a member with folded parts, it does to the states that
    it describes, as they are accounted for without folded parts. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Configurations Frames Views FoldedSteps.
From Goatherd Require Members Effects Outcomes Exhaustive Opening.
Import ListNotations.
Open Scope Z_scope.

Lemma Forall2_nth {A B} (R : A -> B -> Prop) l l' a b : length l = length l' ->
  (forall i, (i < length l)%nat -> R (nth i l a) (nth i l' b)) -> Forall2 R l l'.
Proof.
  revert l'. induction l as [|x l IH]; intros [|y l'] L H; simpl in L; try discriminate; constructor.
  - apply (H O). simpl. lia.
  - apply IH; [lia|]. intros i Li. apply (H (S i)). simpl. lia.
Qed.
Lemma Forall2_at {A B} (R : A -> B -> Prop) l l' a b i : Forall2 R l l' -> (i < length l)%nat -> R (nth i l a) (nth i l' b).
Proof. intros F. revert i. induction F; intros [|i] L; simpl in *; try lia; auto. apply IHF. lia. Qed.

Section Effects.
Variable P : program.
Variable table : nat -> sort_of_trees.
Variables (sorts : list symbol_sort) (phi : meaning) (mu : valuation) (m : member).
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat) (g : state).
Hypothesis described : describes_by P sorts mu phi m rho roots lasts cells g.
Hypothesis meant : well_meant P table sorts phi.
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.
Hypothesis exist : pointers_exist g.
Hypothesis by_name : lives_by_name P g.
Notation size := (length (memory g)).
Notation V := (view m rho g).

Theorem view_viewed : viewed m rho V.
Proof.
  assert (Sv : forall w val, slot_viewed rho w (view_slot rho w val)) by (intros [[]| |] val; simpl; auto).
  split; auto.
  - apply Forall2_nth with (a := forgotten) (b := Members.Forgotten); [simpl; rewrite map_length, seq_length; auto|].
    intros i L. change (slot_viewed rho (slot_at m i) (Members.slot_at V i)). rewrite view_slot_at. apply Nat.ltb_lt in L. rewrite L. apply Sv.
  - intros o x E. rewrite view_named. pose proof (objects_exist _ _ _ _ _ _ _ _ _ _ described _ _ E) as L. apply Nat.ltb_lt in L. rewrite L.
    eexists. split; [reflexivity|]. unfold view_entry. rewrite (source_of P sorts mu phi m rho roots lasts cells g described _ _ E).
    split; auto. apply Forall2_nth with (a := no_field) (b := Members.no_field); [simpl; rewrite map_length, seq_length; auto|].
    intros k Lk. simpl. rewrite nth_mapped. apply Nat.ltb_lt in Lk. rewrite Lk. split; [|reflexivity].
    apply Forall2_nth with (a := forgotten) (b := Members.Forgotten); [simpl; rewrite map_length, seq_length; auto|].
    intros j Lj. simpl. rewrite nth_mapped. apply Nat.ltb_lt in Lj. rewrite Lj. apply Sv.
  - intros o o' x x'. apply (objects_apart _ _ _ _ _ _ _ _ _ _ described).
Qed.

(** ** A member, and one without folded parts that says as much *)

Section Right.
Variables (m' : member) (rho' : nat -> nat) (bound : nat).
Definition slot_right w u := w = forgotten \/
  Members.known_slot u /\ means mu m' rho' roots lasts w (Members.value_of mu u) /\ value_exists bound (Members.value_of mu u).
Definition element_right x x' i := if (0 <=? i) && (i <? Z.of_nat (length (apart x)))
  then Members.is_apart x' i = true /\ slot_right (nth (Z.to_nat i) (apart x) forgotten) (Members.slot_apart x' i)
  else Members.is_apart x' i = false /\ Members.rest x' = rest x.
Record object_right x x' : Prop := {
  right_kind : Members.kind x' = kind x;
  right_life : Members.life_of x' = life_of x;
  right_begins : Members.begins x' = begins x;
  right_ends : Members.ends x' = ends x;
  right_width : length (Members.held x') = length (contents x);
  right_elements : life_of x = Live -> forall f i, eval mu (begins x) <= i < eval mu (ends x) ->
    element_right (nth f (contents x) no_field) (nth f (Members.held x') Members.no_field) i }.
Variable v : Members.member.
Record fits : Prop := {
  fit_place : Members.place_of v = place_of m';
  fit_count : length (Members.slots v) = length (slots m');
  fit_slots : forall r, slot_right (slot_at m' r) (Members.slot_at v r);
  fit_objects : forall o x, object_named m' o = Some x -> exists x', Members.object_named v (rho' o) = Some x' /\ object_right x x' /\ (rho' o < bound)%nat;
  fit_apart : forall o o' x x', object_named m' o = Some x -> object_named m' o' = Some x' -> rho' o = rho' o' -> o = o';
  fit_nodes : forall o x, object_named m' o = Some x -> is_node P (kind x) = true -> eval mu (begins x) = 0 /\ eval mu (ends x) = 1;
  fit_cells : forall f q c, part_named m f = Some q -> In c (cells f) -> Members.object_named v c = Some (extra (object_at g c)) /\ (c < bound)%nat /\
    forall o x, object_named m' o = Some x -> rho' o <> c }.
Definition keeps := parts m' = parts m /\ forall o, object_named m o <> None -> object_named m' o <> None /\ rho' o = rho o.

Lemma kept_means w : keeps -> sub (means mu m rho roots lasts w) (means mu m' rho' roots lasts w).
Proof.
  intros [Kp Ko]. assert (Pt : forall f r, sub (means_part m f r) (means_part m' f r)).
  { intros f r. unfold means_part, part_named. rewrite Kp. auto. }
  destruct w as [[| |t| |o i b]|f|f]; simpl; auto; try apply Pt.
  destruct (object_named m o) as [x|] eqn:E; [|auto]. destruct (Ko o ltac:(congruence)) as [A B].
  destruct (object_named m' o); [rewrite B; auto | congruence].
Qed.

(** *** Then it describes what the other one denotes *)

Variables (rho2 : renaming) (g' : state).
Hypothesis fitting : fits.
Hypothesis kept : keeps.
Hypothesis denoted : Members.denotes_by P mu v rho2 g'.
Hypothesis fixed : forall t, (t < bound)%nat -> rho2 t = Some (t, 0).
Hypothesis by_name' : lives_by_name P g'.
Hypothesis larger : (size <= bound)%nat.
Hypothesis tabled : checks_leaks P -> tables_whole P m' rho' cells g'.
Lemma fixed_value w w' : value_exists bound w -> value_alike rho2 w w' -> w' = w.
Proof.
  destruct w as [| | |p], w' as [| | |p']; simpl; try contradiction; intros L H; try congruence.
  destruct H as (k & R & Hi & Hb). rewrite (fixed _ L) in R. injection R as R <-. destruct p, p'. simpl in *. f_equal. f_equal; lia.
Qed.
Lemma right_holds w u val : slot_right w u -> (Members.known_slot u -> value_alike rho2 (Members.value_of mu u) val) -> means mu m' rho' roots lasts w val.
Proof.
  intros [->|(K & M & E)] A; [exact I|]. rewrite (fixed_value _ _ E (A K)). exact M.
Qed.
Lemma object_follows o x : object_named m' o = Some x -> describes_object mu m' rho' roots lasts x (object_at g' (rho' o)).
Proof.
  intros E. destruct (fit_objects fitting _ _ E) as (x' & N & [A B C D W El] & L). destruct denoted as [Al _].
  pose proof (same_object_states _ _ _ _ Al _ _ _ (fixed _ L)) as [O1 O2 O3 O4 O5 O6].
  rewrite Members.object_ground, N in O1, O2, O3, O4, O5, O6. simpl in O1, O2, O3, O4, O5, O6. rewrite map_length in O5. rewrite Z.add_0_r in O3, O4.
  split; try congruence. intros Lv f i I. rewrite O3, O4, C, D in I. specialize (El Lv f i I). rewrite <- C, <- D in I.
  rewrite B in O6. specialize (O6 Lv f i I). rewrite Z.add_0_r in O6.
  assert (Kn : Members.known_element (nth f (Members.held x') Members.no_field) i ->
    value_alike rho2 (read (Members.ground_field mu (nth f (Members.held x') Members.no_field)) i) (read (field_of (object_at g' (rho' o)) f) i)).
  { intros K. assert (K' : knows_element (Members.known P v) (rho' o) f i) by (simpl; rewrite N; exact K). apply O6 in K'.
    fold (Members.ground_object mu x') in K'. rewrite Members.field_ground in K'. exact K'. }
  rewrite Members.read_ground in Kn. unfold Members.known_element in Kn. unfold element_right in El. unfold means_element.
  destruct ((0 <=? i) && (i <? Z.of_nat (length (apart (nth f (contents x) no_field))))).
  - destruct El as [Ap R]. rewrite Ap in Kn. eapply right_holds; [exact R | exact Kn].
  - destruct El as [Ap R]. rewrite Ap, R in Kn. destruct (rest (nth f (contents x) no_field)) as [a|]; [|exact Logic.I].
    specialize (Kn ltac:(discriminate)). destruct (read (field_of (object_at g' (rho' o)) f) i); simpl in Kn; try contradiction. congruence.
Qed.
Lemma cell_follows f q c : part_named m f = Some q -> In c (cells f) -> same_cell g g' c.
Proof.
  intros E I. destruct (fit_cells fitting _ _ _ E I) as (N & L & _). destruct denoted as [Al _].
  pose proof (same_object_states _ _ _ _ Al _ _ _ (fixed _ L)) as [O1 O2 O3 O4 O5 O6].
  rewrite Members.object_ground, N in O1, O2, O3, O4, O5, O6. simpl in O1, O2, O3, O4, O5, O6. rewrite !map_length, seq_length in O5.
  rewrite Z.add_0_r in O3, O4.
  destruct (parts_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as (fp & Pm & D). pose proof (meant (symbol q)) as M. unfold well_meant_symbol in M.
  assert (S : is_sorted g table c).
  { destruct (nth_error sorts (symbol q)) as [[s|s]|]; [| |destruct D].
    - destruct D as (_ & _ & D), M as [M _]. eapply (proj1 (cells_sorted g table)); eauto. eapply Permutation_in; [symmetry; exact Pm | exact I].
    - destruct M as [M _]. eapply (context_sorted g table); eauto. eapply Permutation_in; [symmetry; exact Pm | exact I]. }
  destruct S as (s & n & Cd & Ca & Cl & Cu & Cn). split; auto. intros k. unfold content. rewrite O3.
  assert (B : lower (object_at g c) <= lower (object_at g c) < upper (object_at g c)) by lia.
  specialize (O6 Ca k _ B). rewrite Z.add_0_r in O6.
  destruct (Nat.lt_ge_cases k (length (fields_of (object_at g c)))) as [Lk|Lk].
  - assert (Ex : extra_field (object_at g c) k = {| Members.apart := [concrete (read (field_of (object_at g c) k) 0)]; Members.rest := None |}).
    { unfold extra_field. rewrite Cl, Cu. reflexivity. }
    assert (Kn : knows_element (Members.known P v) c k (lower (object_at g c))).
    { simpl. rewrite N. simpl. rewrite nth_mapped. apply Nat.ltb_lt in Lk. rewrite Lk, Ex, Cl. unfold Members.known_element, Members.is_apart, Members.slot_apart; simpl.
      destruct (read (field_of (object_at g c) k) 0); simpl; auto. }
    apply O6 in Kn. fold (Members.ground_object mu (extra (object_at g c))) in Kn. rewrite Members.field_ground, Members.read_ground in Kn. simpl in Kn.
    rewrite nth_mapped in Kn. apply Nat.ltb_lt in Lk. rewrite Lk, Ex, Cl in Kn. unfold Members.is_apart, Members.slot_apart in Kn. simpl in Kn.
    rewrite concrete_value in Kn. rewrite Cl. apply fixed_value in Kn; auto.
    eapply value_later; [exact larger | apply read_exists, cells_of_object, object_at_exists, exist].
  - unfold field_of. rewrite !nth_overflow by lia. reflexivity.
Qed.
Theorem fits_describes : describes_by P sorts mu phi m' rho' roots lasts cells g'.
Proof.
  pose proof denoted as [Al _]. pose proof kept as [Kp Ko].
  assert (Pn : forall f, part_named m' f = part_named m f) by (intros f; unfold part_named; rewrite Kp; auto).
  split.
  - rewrite (same_location _ _ _ _ Al). simpl. apply (fit_place fitting).
  - rewrite (same_register_count _ _ _ _ Al). simpl. rewrite map_length. apply (fit_count fitting).
  - rewrite (same_name_count _ _ _ _ Al). simpl. rewrite map_length, seq_length. auto.
  - intros r. apply (right_holds _ _ _ (fit_slots fitting r)). intros K.
    pose proof (same_registers _ _ _ _ Al r K) as A. rewrite Members.register_ground in A. exact A.
  - intros o x E. destruct (fit_objects fitting _ _ E) as (x' & _ & _ & L). apply (in_memory _ _ _ _ Al _ _ _ (fixed _ L)).
  - intros o x E. apply object_follows. exact E.
  - apply (fit_apart fitting).
  - intros o x E Lv Hn. pose proof (object_follows _ _ E) as [A B _ _ _ _]. rewrite <- A in Hn |- *. apply by_name'; congruence.
  - apply (fit_nodes fitting).
  - intros f q E. rewrite Pn in E. destruct (parts_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as (fp & Pm & D). exists fp. split; auto.
    assert (Sc : forall c, In c fp -> same_cell g g' c).
    { intros c I. eapply cell_follows; eauto. eapply Permutation_in; [exact Pm | exact I]. }
    destruct (nth_error sorts (symbol q)) as [[s|s]|]; auto.
    + destruct D as (B & L & T). split; auto. split; auto. eapply tree_weaker; [eapply tree_stays; eauto | auto | apply kept_means; auto | apply kept_means; auto].
    + eapply context_weaker; [eapply context_stays; eauto | auto | apply kept_means; auto | apply kept_means; auto | auto | apply kept_means; auto].
  - intros f q E. rewrite Pn in E. eapply cells_once; eauto.
  - intros f f' q q' c E E'. rewrite Pn in E, E'. eapply parts_apart; eauto.
  - intros o x f q E Ep I. rewrite Pn in Ep. destruct (fit_cells fitting _ _ _ Ep I) as (_ & _ & N). apply (N _ _ E). reflexivity.
  - exact tabled.
Qed.
End Right.

(** ** The view fits, and goes on to fit behind each effect *)

Lemma view_right w val : means mu m rho roots lasts w val -> value_exists size val -> slot_right m rho size w (view_slot rho w val).
Proof.
  intros M E. destruct w as [[| |t| |o i b]|f|f]; simpl; try (left; reflexivity);
  try (right; split; [destruct val; exact Logic.I | rewrite concrete_value; auto]; fail).
  - right. simpl. auto.
  - right. simpl. auto.
  - right. simpl. auto.
  - simpl in M. destruct (object_named m o) as [x|] eqn:Eo; [|destruct M]. subst val. right. simpl. rewrite Eo. auto.
Qed.
Lemma right_more m' rho' bound w u : keeps m' rho' -> (size <= bound)%nat -> slot_right m rho size w u -> slot_right m' rho' bound w u.
Proof.
  intros K L [->|(A & M & E)]; [left; auto|]. right. split; auto. split; [apply kept_means; auto | eapply value_later; eauto].
Qed.
Lemma view_element o x k i : object_named m o = Some x -> life_of x = Live -> eval mu (begins x) <= i < eval mu (ends x) ->
  element_right m rho size (nth k (contents x) no_field) (nth k (Members.held (view_object rho x (object_at g (rho o)))) Members.no_field) i.
Proof.
  intros E Lv B. pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as [D1 D2 D3 D4 D5 D6].
  rewrite <- D3, <- D4 in B. specialize (D6 Lv k i B). simpl. rewrite nth_mapped. unfold element_right, means_element in *.
  destruct (Nat.ltb_spec k (length (contents x))) as [Lk|Lk].
  - unfold Members.is_apart, Members.slot_apart. simpl. rewrite map_length, seq_length.
    destruct ((0 <=? i) && (i <? Z.of_nat (length (apart (nth k (contents x) no_field))))) eqn:Q; [|auto].
    split; auto. apply andb_prop in Q as [Q1 Q2]. apply Z.leb_le in Q1. apply Z.ltb_lt in Q2. rewrite nth_mapped.
    destruct (Nat.ltb_spec (Z.to_nat i) (length (apart (nth k (contents x) no_field)))); [|lia]. rewrite Z2Nat.id by lia.
    apply view_right; [exact D6|]. apply read_exists, cells_of_object, object_at_exists, exist.
  - rewrite (nth_overflow (contents x)) in * by auto. simpl. unfold Members.is_apart. simpl.
    destruct (Z.leb_spec 0 i), (Z.ltb_spec i 0); simpl; auto; lia.
Qed.
Lemma view_fits : fits m rho size V.
Proof.
  split.
  - reflexivity.
  - simpl. rewrite map_length, seq_length. auto.
  - intros r. rewrite view_slot_at. destruct (Nat.ltb_spec r (length (slots m))) as [L|L].
    + apply view_right; [apply (registers_hold _ _ _ _ _ _ _ _ _ _ described) | apply register_exists; exact exist].
    + left. unfold slot_at. apply nth_overflow. auto.
  - intros o x E. pose proof (objects_exist _ _ _ _ _ _ _ _ _ _ described _ _ E) as L. rewrite view_named.
    pose proof L as L'. apply Nat.ltb_lt in L'. rewrite L'. eexists. split; [reflexivity|]. split; [|exact L].
    unfold view_entry. rewrite (source_of P sorts mu phi m rho roots lasts cells g described _ _ E). split; auto.
    + simpl. rewrite map_length, seq_length. auto.
    + intros Lv f i B. eapply view_element; eauto.
  - apply (objects_apart _ _ _ _ _ _ _ _ _ _ described).
  - apply (nodes_hold _ _ _ _ _ _ _ _ _ _ described).
  - intros f q c E I.
    assert (Ni : forall o x, object_named m o = Some x -> rho o <> c).
    { intros o x Eo <-. exact (cells_apart _ _ _ _ _ _ _ _ _ _ described _ _ _ _ Eo E I). }
    assert (Ls : (c < size)%nat).
    { destruct (parts_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as (fp & Pm & D). pose proof (meant (symbol q)) as M. unfold well_meant_symbol in M.
      assert (S : is_sorted g table c).
      { destruct (nth_error sorts (symbol q)) as [[s|s]|]; [| |destruct D].
        - destruct D as (_ & _ & D), M as [M _]. eapply (proj1 (cells_sorted g table)); eauto. eapply Permutation_in; [symmetry; exact Pm | exact I].
        - destruct M as [M _]. eapply (context_sorted g table); eauto. eapply Permutation_in; [symmetry; exact Pm | exact I]. }
      destruct S as (s & n & _ & Ca & _). destruct (Nat.lt_ge_cases c size); auto. unfold object_at in Ca. rewrite nth_overflow in Ca by auto. discriminate. }
    rewrite view_named. pose proof Ls as Lb. apply Nat.ltb_lt in Lb. rewrite Lb. split; [|auto]. f_equal. unfold view_entry.
    destruct (source m rho c) as [x|] eqn:S; auto. destruct (source_some _ _ _ _ S) as (o & Eo & R). destruct (Ni _ _ Eo R).
Qed.
End Effects.
