(** Steps that end or make an object (spec/program.md#enter): what is said of the state that
    a member describes is said still behind them, of the member whose table has changed. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Frames.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Section ObjectSteps.
Variable P : program.
Variables (sorts : list symbol_sort) (phi : meaning) (nu : valuation) (m m' : member).
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat) (g : state).
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Hypothesis slots_stay : slots m' = slots m.
Hypothesis parts_stay : parts m' = parts m.
Lemma part_stays h : part_named m' h = part_named m h.
Proof. unfold part_named. rewrite parts_stay. reflexivity. Qed.

(** Objects that had a name have it still, so that no slot says less. *)
Section Kept.
Variable rho' : nat -> nat.
Hypothesis names_stay : forall q, object_named m q <> None -> object_named m' q <> None /\ rho' q = rho q.
Lemma means_more v : sub (means nu m rho roots lasts v) (means nu m' rho' roots lasts v).
Proof.
  assert (Pt : forall f r, sub (means_part m f r) (means_part m' f r)) by (intros f r w; unfold means_part, part_named; rewrite parts_stay; auto).
  destruct v as [[| |t| |o i b]|f|f]; simpl; auto; try apply Pt.
  destruct (object_named m o) as [x|] eqn:E; [|apply nothing_sub]. destruct (names_stay o) as [A B]; [congruence|].
  destruct (object_named m' o); [rewrite B; auto | congruence].
Qed.
Lemma element_more z i v : means_element nu m rho roots lasts z i v -> means_element nu m' rho' roots lasts z i v.
Proof. unfold means_element. destruct (_ && _); [apply means_more | auto]. Qed.
Lemma part_more g' f q cs : (forall c, In c cs -> same_cell g g' c) -> describes_part nu m rho roots lasts sorts phi g f q cs ->
  describes_part nu m' rho' roots lasts sorts phi g' f q cs.
Proof.
  intros Sc (fp & Pm & D). exists fp. split; auto. assert (Sp : forall c, In c fp -> same_cell g g' c) by (intros c I; apply Sc; eapply Permutation_in; eauto).
  destruct (nth_error sorts (symbol q)) as [[s|s]|]; auto.
  - destruct D as (B & L & T). split; auto. split; auto. eapply tree_weaker; [eapply tree_stays; [exact T | exact Sp] | auto | apply means_more | apply means_more].
  - eapply context_weaker; [eapply context_stays; [exact D | exact Sp] | auto | apply means_more | apply means_more | auto | apply means_more].
Qed.
End Kept.

(** ** An object ends *)

Section Ends.
(** It is not the place of one that lives in the new table, nor of a cell. *)
Variable p : nat.
Hypothesis no_cell : forall f q, part_named m f = Some q -> ~ In p (cells f).
Definition dead_at (q : nat) (x : object_state) : object_state := if Nat.eqb (rho q) p
  then {| kind := kind x; life_of := Dead; begins := begins x; ends := ends x; contents := contents x |} else x.
Hypothesis others_stay : forall q, object_named m' q = option_map (dead_at q) (object_named m q).
Hypothesis behind : place_of m' = S (location g).
Notation g' := (kill (next_location g) p).
Lemma object_behind q : object_at g' q = if Nat.eqb q p && Nat.ltb p (length (memory g))
  then {| declared := declared (object_at g p); lower := lower (object_at g p); upper := upper (object_at g p); alive := Dead; fields_of := fields_of (object_at g p) |} else object_at g q.
Proof. unfold kill. rewrite object_at_set. reflexivity. Qed.
Lemma stay q : declared (object_at g' q) = declared (object_at g q) /\ lower (object_at g' q) = lower (object_at g q) /\ upper (object_at g' q) = upper (object_at g q) /\
  fields_of (object_at g' q) = fields_of (object_at g q) /\ (alive (object_at g' q) = Live -> alive (object_at g q) = Live).
Proof. rewrite object_behind. destruct (Nat.eqb_spec q p) as [->|]; cbn [andb]; [destruct (Nat.ltb _ _); cbn; auto; repeat split; discriminate | auto 6]. Qed.
Theorem object_ends : describes_by P sorts nu phi m' rho roots lasts cells g'.
Proof.
  assert (Ns : forall q, object_named m q <> None -> object_named m' q <> None /\ rho q = rho q) by (intros q H; split; auto; rewrite others_stay; destruct (object_named m q); simpl; congruence).
  assert (Ob : forall q z', object_named m' q = Some z' -> exists z, object_named m q = Some z /\ z' = dead_at q z) by (intros q z' H; rewrite others_stay in H; destruct (object_named m q) as [z|]; [injection H as <-; eauto | discriminate]).
  assert (Sa : forall q z, kind (dead_at q z) = kind z /\ begins (dead_at q z) = begins z /\ ends (dead_at q z) = ends z /\ contents (dead_at q z) = contents z)
    by (intros q z; unfold dead_at; destruct (Nat.eqb _ _); auto).
  pose proof described as [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14]. split.
  - symmetry. exact behind.
  - cbn [kill set_object next_location values]. rewrite D2, slots_stay. reflexivity.
  - exact D3.
  - intros r. unfold slot_at. rewrite slots_stay. apply (means_more rho Ns). exact (D4 r).
  - intros q z' H. destruct (Ob q z' H) as (z & Hz & _). cbn [kill set_object next_location memory]. rewrite replace_length. exact (D5 q z Hz).
  - intros q z' H. destruct (Ob q z' H) as (z & Hz & ->). destruct (Sa q z) as (Ek & Eb & Ee & Ec). destruct (stay (rho q)) as (A1 & A2 & A3 & A4 & A5).
    destruct (D6 q z Hz) as [B1 B2 B3 B4 B5 B6]. unfold field_of in B6. split; unfold field_of; rewrite ?A1, ?A2, ?A3, ?A4, ?Ek, ?Eb, ?Ee, ?Ec; auto.
    + rewrite object_behind. pose proof (D5 q z Hz) as L. unfold dead_at. destruct (Nat.eqb_spec (rho q) p) as [E|_]; cbn [andb]; [|exact B2].
      rewrite <- E. apply Nat.ltb_lt in L. rewrite L. reflexivity.
    + intros Lv f i Bi. apply (element_more rho Ns). apply B6; auto. unfold dead_at in Lv. destruct (Nat.eqb _ _); [discriminate | exact Lv].
  - intros q q' z z' H H' E. destruct (Ob q z H) as (u & Hu & _). destruct (Ob q' z' H') as (u' & Hu' & _). exact (D7 _ _ _ _ Hu Hu' E).
  - intros q z' H Lv Hn. destruct (Ob q z' H) as (z & Hz & ->). destruct (Sa q z) as (Ek & _). rewrite Ek in *. apply (D8 q z Hz); [|exact Hn].
    unfold dead_at in Lv. destruct (Nat.eqb _ _); [discriminate | exact Lv].
  - intros q z' H Nd. destruct (Ob q z' H) as (z & Hz & ->). destruct (Sa q z) as (Ek & Eb & Ee & _). rewrite Ek in Nd. rewrite Eb, Ee. exact (D9 q z Hz Nd).
  - intros h q H. rewrite part_stays in H. apply (part_more rho Ns); [|exact (D10 h q H)]. intros c I.
    assert (Nc : c <> p) by (intros ->; exact (no_cell h q H I)). assert (Eq : object_at g' c = object_at g c) by (rewrite object_behind; destruct (Nat.eqb_spec c p); [contradiction | reflexivity]).
    split; rewrite ?Eq; auto. intros k. unfold content. rewrite Eq. reflexivity.
  - intros h q H. rewrite part_stays in H. exact (D11 h q H).
  - intros h h' q q' c H H'. rewrite part_stays in H, H'. exact (D12 _ _ _ _ _ H H').
  - intros q z' h r H Hr. rewrite part_stays in Hr. destruct (Ob q z' H) as (z & Hz & _). exact (D13 _ _ _ _ Hz Hr).
  - intros Ck q Ow. assert (Ow' : owed P g q) by (destruct (stay q) as (A1 & _ & _ & _ & A5); destruct Ow as [O1 O2]; rewrite A1 in O2; split; auto).
    destruct (D14 Ck q Ow') as [(o & z & Hz & E)|(h & r & Hr & I)]; [left | right; exists h, r; rewrite part_stays; auto].
    exists o, (dead_at o z). rewrite others_stay, Hz. auto.
Qed.
End Ends.

(** ** An object is made *)

Section Makes.
(** Under a name that the table does not have, where memory ends. *)
Variables (d : nat) (count : Z) (f : fresh) (w : decision) (o : nat) (x : object_state).
Hypothesis no_name : object_named m o = None.
Hypothesis others_stay : forall q, object_named m' q = if Nat.eqb q o then Some x else object_named m q.
Notation n := (length (memory g)).
Definition at_end (q : nat) : nat := if Nat.eqb q o then n else rho q.
Notation made := {| declared := d; lower := start w; upper := start w + count; alive := Live; fields_of := fresh_cells (layout_fields (layout_of_declaration P d)) 0 f w |}.
Hypothesis new_kind : kind x = d.
Hypothesis new_describes : describes_object nu m' at_end roots lasts x made.
Hypothesis new_node : is_node P d = true -> eval nu (begins x) = 0 /\ eval nu (ends x) = 1.
(** Of a declaration with a name none lives, and what is made is owed to nobody but to the table. *)
Hypothesis none_lives : has_name P d = true -> forall q y, object_named m q = Some y -> kind y = d -> life_of y = Dead.
Hypothesis within_memory : forall f q c, part_named m f = Some q -> In c (cells f) -> (c < n)%nat.
Variable k : nat.
Hypothesis behind : place_of m' = k.
Notation g' := (go k (create P g d count f w)).
Lemma made_at q : object_at g' q = if Nat.eqb q n then made else object_at g q.
Proof. exact (object_at_create P g d count f w q). Qed.
Theorem object_made : describes_by P sorts nu phi m' at_end roots lasts cells g'.
Proof.
  assert (Ns : forall q, object_named m q <> None -> object_named m' q <> None /\ at_end q = rho q).
  { intros q H. unfold at_end. rewrite others_stay. destruct (Nat.eqb_spec q o) as [->|]; [congruence | auto]. }
  pose proof described as [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14].
  assert (Ln : forall q z, object_named m q = Some z -> (at_end q < n)%nat /\ at_end q = rho q /\ q <> o).
  { intros q z H. pose proof (D5 q z H). assert (q <> o) by (intros ->; congruence). unfold at_end. destruct (Nat.eqb_spec q o); [contradiction | auto]. }
  assert (Ob : forall q z, object_named m' q = Some z -> q = o /\ z = x \/ object_named m q = Some z /\ q <> o).
  { intros q z H. rewrite others_stay in H. destruct (Nat.eqb_spec q o) as [->|]; [left | right]; split; congruence. }
  assert (Ao : at_end o = n) by (unfold at_end; rewrite Nat.eqb_refl; reflexivity).
  split.
  - symmetry. exact behind.
  - cbn [go create values]. rewrite D2, slots_stay. reflexivity.
  - cbn [go create current]. rewrite replace_length. exact D3.
  - intros r. unfold slot_at. rewrite slots_stay. apply (means_more at_end Ns). exact (D4 r).
  - intros q z H. cbn [go create memory]. rewrite app_length. simpl. destruct (Ob q z H) as [[-> ->]|[Hz _]]; [lia|]. destruct (Ln q z Hz). lia.
  - intros q z H. rewrite made_at. destruct (Ob q z H) as [[-> ->]|[Hz _]]; [rewrite Ao, Nat.eqb_refl; exact new_describes|].
    destruct (Ln q z Hz) as (L & Eq & _). rewrite Eq in *. destruct (Nat.eqb_spec (rho q) n); [lia|]. destruct (D6 q z Hz) as [B1 B2 B3 B4 B5 B6]. split; auto.
    intros Lv h i Bi. apply (element_more at_end Ns). apply B6; auto.
  - intros q q' z z' H H' E. destruct (Ob q z H) as [[-> ->]|[Hz Nq]], (Ob q' z' H') as [[-> ->]|[Hz' Nq']]; auto.
    + destruct (Ln q' z' Hz'). lia.
    + destruct (Ln q z Hz). lia.
    + destruct (Ln q z Hz) as (_ & E1 & _), (Ln q' z' Hz') as (_ & E2 & _). rewrite E1, E2 in E. exact (D7 _ _ _ _ Hz Hz' E).
  - intros q z H Lv Hn. cbn [go create current]. rewrite nth_replace, D3. destruct (Ob q z H) as [[-> ->]|[Hz _]].
    + rewrite new_kind in Hn |- *. rewrite Nat.eqb_refl, Ao. destruct (Nat.ltb_spec d (length (objects P))) as [_|Ld]; [reflexivity|].
      unfold has_name, declaration_of in Hn. rewrite nth_overflow in Hn by exact Ld. discriminate.
    + destruct (Ln q z Hz) as (_ & -> & _). destruct (Nat.eqb_spec (kind z) d) as [Ek|_]; [rewrite Ek in Hn; rewrite (none_lives Hn q z Hz Ek) in Lv; discriminate | exact (D8 q z Hz Lv Hn)].
  - intros q z H Nd. destruct (Ob q z H) as [[-> ->]|[Hz _]]; [rewrite new_kind in Nd; auto | exact (D9 q z Hz Nd)].
  - intros h q H. rewrite part_stays in H. apply (part_more at_end Ns); [|exact (D10 h q H)]. intros c I. pose proof (within_memory h q c H I) as L.
    assert (Eq : object_at g' c = object_at g c) by (rewrite made_at; destruct (Nat.eqb_spec c n); [lia | reflexivity]).
    split; rewrite ?Eq; auto. intros j. unfold content. rewrite Eq. reflexivity.
  - intros h q H. rewrite part_stays in H. exact (D11 h q H).
  - intros h h' q q' c H H'. rewrite part_stays in H, H'. exact (D12 _ _ _ _ _ H H').
  - intros q z h r H Hr I. rewrite part_stays in Hr. pose proof (within_memory h r _ Hr I) as L. destruct (Ob q z H) as [[-> ->]|[Hz _]]; [rewrite Ao in L; lia|].
    destruct (Ln q z Hz) as (_ & Eq & _). rewrite Eq in I. exact (D13 _ _ _ _ Hz Hr I).
  - intros Ck q Ow. destruct (Nat.eq_dec q n) as [->|Nq]; [left; exists o, x; rewrite others_stay, Nat.eqb_refl; auto|].
    assert (Ow' : owed P g q) by (unfold owed in *; rewrite made_at in Ow; destruct (Nat.eqb_spec q n); [contradiction | exact Ow]).
    destruct (D14 Ck q Ow') as [(u & z & Hz & E)|(h & r & Hr & I)]; [left | right; exists h, r; rewrite part_stays; auto].
    destruct (Ln u z Hz) as (_ & Eu & Nu). exists u, z. rewrite others_stay. destruct (Nat.eqb_spec u o); [contradiction|]. split; congruence.
Qed.
End Makes.
End ObjectSteps.
