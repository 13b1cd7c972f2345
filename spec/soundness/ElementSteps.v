(** Steps that change one element of an object (spec/calculus.md#memory): what is
    behind them is described by the member in which that element is another one. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Terms Sorts Programs Machine Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Frames.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Section ElementSteps.
Variable P : program.
Variables (sorts : list symbol_sort) (phi : meaning) (nu : valuation).
Variables (m m' : member) (o : nat) (x x' : object_state).
Hypothesis here : object_named m o = Some x.
Hypothesis slots_stay : slots m' = slots m.
Hypothesis parts_stay : parts m' = parts m.
Hypothesis others_stay : forall q, object_named m' q = if Nat.eqb q o then Some x' else object_named m q.
Hypothesis same_object : kind x' = kind x /\ life_of x' = life_of x /\ begins x' = begins x /\ ends x' = ends x /\ length (contents x') = length (contents x).
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat) (g : state).
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Lemma means_stay v : means nu m' rho roots lasts v = means nu m rho roots lasts v.
Proof.
  destruct v as [[| |t| |q i b]|f|f]; simpl; auto.
  - rewrite others_stay. destruct (Nat.eqb_spec q o) as [->|]; [rewrite here; reflexivity | reflexivity].
  - unfold means_part, part_named. rewrite parts_stay. reflexivity.
  - unfold means_part, part_named. rewrite parts_stay. reflexivity.
Qed.
Variables (f : nat) (idx : Z) (w : value).
Notation y := (object_at g (rho o)).
Notation g' := (set_object (next_location g) (rho o) (write_field y f idx w)).
Hypothesis behind : place_of m' = S (location g).
(** The element that is written holds what is written, the others what they held. *)
Hypothesis element : forall k i v, (k <> f \/ i <> idx) -> means_element nu m rho roots lasts (nth k (contents x) no_field) i v -> means_element nu m rho roots lasts (nth k (contents x') no_field) i v.
Hypothesis written_there : means_element nu m rho roots lasts (nth f (contents x') no_field) idx w.
Lemma element_stays z i v : means_element nu m' rho roots lasts z i v <-> means_element nu m rho roots lasts z i v.
Proof. unfold means_element. destruct (_ && _); [rewrite means_stay; reflexivity | destruct (rest z); reflexivity]. Qed.
Lemma objects_behind p : object_at g' p = if Nat.eqb p (rho o) then write_field y f idx w else object_at g p.
Proof.
  pose proof (objects_exist _ _ _ _ _ _ _ _ _ _ described o x here) as L. apply Nat.ltb_lt in L. rewrite object_at_set. cbn [next_location memory]. rewrite L, andb_true_r.
  destruct (Nat.eqb p (rho o)); reflexivity.
Qed.
Theorem element_changes : describes_by P sorts nu phi m' rho roots lasts cells g'.
Proof.
  destruct same_object as (Sk & Sl & Sb & Se & Sw).
  assert (Ob : forall q z', object_named m' q = Some z' -> exists z, object_named m q = Some z /\ kind z' = kind z /\ life_of z' = life_of z /\ begins z' = begins z /\ ends z' = ends z /\ length (contents z') = length (contents z)).
  { intros q z' H. rewrite others_stay in H. destruct (Nat.eqb_spec q o) as [->|]; [injection H as <-; exists x; auto 8 | exists z'; auto 8]. }
  assert (Pn : forall h, part_named m' h = part_named m h) by (intros h; unfold part_named; rewrite parts_stay; reflexivity).
  pose proof described as [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14].
  assert (Al : forall p, declared (object_at g' p) = declared (object_at g p) /\ alive (object_at g' p) = alive (object_at g p) /\ lower (object_at g' p) = lower (object_at g p) /\ upper (object_at g' p) = upper (object_at g p))
    by (intros p; rewrite objects_behind; destruct (Nat.eqb_spec p (rho o)) as [->|]; auto).
  split.
  - cbn [set_object next_location location]. symmetry. exact behind.
  - cbn [set_object next_location values]. rewrite D2, slots_stay. reflexivity.
  - exact D3.
  - intros r. unfold slot_at. rewrite slots_stay, means_stay. exact (D4 r).
  - intros q z' H. destruct (Ob q z' H) as (z & Hz & _). cbn [set_object next_location memory]. rewrite replace_length. exact (D5 q z Hz).
  - intros q z' H. destruct (Ob q z' H) as (z & Hz & Ek & El & Eb & Ee & Ew). destruct (Al (rho q)) as (A1 & A2 & A3 & A4). destruct (D6 q z Hz) as [B1 B2 B3 B4 B5 B6]. split; rewrite ?A1, ?A2, ?A3, ?A4, ?Ek, ?El, ?Eb, ?Ee; auto.
    + rewrite Ew, <- B5, objects_behind. destruct (Nat.eqb_spec (rho q) (rho o)) as [E|_]; [rewrite E; cbn [write_field fields_of]; apply replace_length | reflexivity].
    + intros Lv k i Bi. specialize (B6 Lv k i Bi). apply element_stays. rewrite others_stay in H. rewrite objects_behind. destruct (Nat.eqb_spec q o) as [->|Nq].
      * injection H as <-. rewrite here in Hz. injection Hz as <-. rewrite Nat.eqb_refl, field_write. destruct (Nat.eqb_spec k f) as [->|Nk]; cbn [andb]; [|apply element; auto].
        destruct (Nat.ltb_spec f (length (fields_of y))) as [Lf|Lf]; [|].
        -- rewrite read_write. destruct (Z.eqb_spec i idx) as [->|Ni]; [exact written_there | apply element; auto].
        -- destruct (Z.eq_dec i idx) as [->|Ni]; [|apply element; auto]. unfold means_element. rewrite B5 in Lf. rewrite nth_overflow by (rewrite Sw; exact Lf). simpl. destruct (_ && _); [destruct (Z.to_nat idx); exact I | exact I].
      * rewrite H in Hz. injection Hz as <-. destruct (Nat.eqb_spec (rho q) (rho o)) as [E|_]; [destruct (Nq (D7 _ _ _ _ H here E)) | exact B6].
  - intros q q' z z' H H' E. destruct (Ob q z H) as (u & Hu & _). destruct (Ob q' z' H') as (u' & Hu' & _). exact (D7 _ _ _ _ Hu Hu' E).
  - intros q z' H Lv Hn. destruct (Ob q z' H) as (z & Hz & Ek & El & _). rewrite Ek in *. rewrite El in Lv. exact (D8 q z Hz Lv Hn).
  - intros q z' H Nd. destruct (Ob q z' H) as (z & Hz & Ek & _ & Eb & Ee & _). rewrite Ek in Nd. rewrite Eb, Ee. exact (D9 q z Hz Nd).
  - intros h q H. rewrite Pn in H. destruct (D10 h q H) as (fp & Pm & D). exists fp. split; auto.
    assert (Sc : forall c, In c fp -> same_cell g g' c).
    { intros c Ic. assert (Nc : c <> rho o) by (intros ->; exact (D13 o x h q here H (Permutation.Permutation_in _ Pm Ic))).
      assert (Eq : object_at g' c = object_at g c) by (rewrite objects_behind; destruct (Nat.eqb_spec c (rho o)); [contradiction | reflexivity]).
      split; rewrite ?Eq; auto. intros k. unfold content. rewrite Eq. reflexivity. }
    destruct (nth_error sorts (symbol q)) as [[s|s]|]; auto; rewrite !means_stay.
    + destruct D as (B & L' & T). split; auto. split; auto. eapply tree_stays; [exact T | exact Sc].
    + eapply context_stays; [exact D | exact Sc].
  - intros h q H. rewrite Pn in H. exact (D11 h q H).
  - intros h h' q q' c H H'. rewrite Pn in H, H'. exact (D12 _ _ _ _ _ H H').
  - intros q z' h r H Hr. rewrite Pn in Hr. destruct (Ob q z' H) as (z & Hz & _). exact (D13 _ _ _ _ Hz Hr).
  - intros Ck p Ow. assert (Ow' : owed P g p) by (destruct (Al p) as (A1 & A2 & _); unfold owed in *; rewrite A1, A2 in Ow; exact Ow).
    destruct (D14 Ck p Ow') as [(q & z & Hz & E)|(h & q & Hq & I)]; [left | right; exists h, q; rewrite Pn; auto].
    exists q. rewrite others_stay. destruct (Nat.eqb_spec q o) as [->|]; [exists x'; auto | exists z; auto].
Qed.
End ElementSteps.
