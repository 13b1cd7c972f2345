(** What Unfold does to a member (spec/calculus.md#unfold): a folded part goes,
    and an object or parts come in its place.

    [changed_describes]: the state is described as before, if what comes is
    there, in cells of the part that goes. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Alike Owed Folding FoldedMembers.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

(** Pointers to the root, and to the last cell, of a part become these. *)
Definition onto f root last v := match v with
  | RootOf f' => if Nat.eqb f' f then root else v
  | LastOf f' => if Nat.eqb f' f then last else v
  | Plain _ => v end.
Definition map_field s x := {| apart := map s (apart x); rest := rest x |}.
Definition map_object s x := {| kind := kind x; life_of := life_of x; begins := begins x; ends := ends x; contents := map (map_field s) (contents x) |}.
Definition map_part s q := {| symbol := symbol q; above := s (above q); alongside := s (alongside q); below := s (below q) |}.

Section Changes.
Variable P : program.
Variables m m' : member.
Variables (f : nat) (q : part) (root last : slot).
Notation s := (onto f root last).
(** A node with its name, and parts with theirs, before slots are replaced in
    them as in all others. *)
Variable node : option (nat * object_state).
Variable fresh : nat -> option part.
Definition fresh_object o := match node with Some (n, x) => if Nat.eqb o n then Some x else None | None => None end.

Record changes : Prop := {
  goes : part_named m f = Some q;
  place_kept : place_of m' = place_of m;
  slots_mapped : slots m' = map s (slots m);
  objects_mapped : forall o, object_named m' o = match object_named m o with
    | Some x => Some (map_object s x) | None => option_map (map_object s) (fresh_object o) end;
  parts_mapped : forall f', part_named m' f' = if Nat.eqb f' f then None else match part_named m f' with
    | Some p => Some (map_part s p)
    | None => if Nat.ltb f' (length (parts m)) then None else option_map (map_part s) (fresh f') end;
  parts_more : (length (parts m) <= length (parts m'))%nat }.
Hypothesis changed : changes.

Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (g : state).
Variables (rho rho' : nat -> nat) (roots lasts roots' lasts' : nat -> holding) (cells cells' : nat -> list nat).
Notation old := (means nu m rho roots lasts).
Notation new := (means nu m' rho' roots' lasts').
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Hypothesis rho_kept : forall o x, object_named m o = Some x -> rho' o = rho o.
Hypothesis parts_kept : forall f' p, part_named m f' = Some p -> f' <> f -> roots' f' = roots f' /\ lasts' f' = lasts f' /\ cells' f' = cells f'.
Hypothesis root_right : sub (roots f) (new root).
Hypothesis last_right : sub (lasts f) (new last).

Lemma part_bound f' p : part_named m f' = Some p -> (f' < length (parts m))%nat.
Proof.
  intros E. destruct (Nat.lt_ge_cases f' (length (parts m))); auto. unfold part_named in E. rewrite nth_overflow in E by auto. discriminate.
Qed.
(** What a slot says it says afterwards: of a part that is no more, nothing. *)
Lemma part_kept f' (r r' : holding) : (forall p, part_named m f' = Some p -> f' <> f -> r' = r) -> sub (means_part m f' r) (means_part m' f' r').
Proof.
  intros K. unfold means_part. rewrite (parts_mapped changed).
  assert (L : (f' < length (parts m))%nat -> Nat.ltb f' (length (parts m')) = true).
  { intros H. apply Nat.ltb_lt. pose proof (parts_more changed). lia. }
  destruct (part_named m f') as [p|] eqn:E.
  - destruct (Nat.eqb_spec f' f) as [->|N]; [rewrite L by (eapply part_bound; eauto); auto | rewrite (K p eq_refl N); auto].
  - destruct (Nat.ltb_spec f' (length (parts m))); auto. destruct (Nat.eqb f' f); rewrite L by auto; auto.
Qed.
Lemma kept v : sub (old v) (new v).
Proof.
  destruct v as [[| |t| |o i b]|f'|f']; simpl; auto.
  - rewrite (objects_mapped changed). destruct (object_named m o) as [x|] eqn:E; [rewrite (rho_kept _ _ E); auto | auto].
  - apply part_kept. intros p E N. apply (parts_kept _ _ E N).
  - apply part_kept. intros p E N. apply (parts_kept _ _ E N).
Qed.
Lemma mapped v : sub (old v) (new (s v)).
Proof.
  destruct v as [v|f'|f']; [apply (kept (Plain v)) | |]; unfold onto;
  (destruct (Nat.eqb_spec f' f) as [->|N]; [|apply kept]); simpl; unfold means_part; rewrite (goes changed); auto.
Qed.

Lemma field_mapped x i : sub (means_element nu m rho roots lasts x i) (means_element nu m' rho' roots' lasts' (map_field s x) i).
Proof.
  unfold means_element, map_field; simpl. rewrite map_length. destruct (_ && _); [|destruct (rest x); auto].
  change forgotten with (s forgotten) at 2. rewrite map_nth. apply mapped.
Qed.
Lemma object_mapped x y : describes_object nu m rho roots lasts x y -> describes_object nu m' rho' roots' lasts' (map_object s x) y.
Proof.
  intros [A B C D E F]. split; simpl; auto; [rewrite map_length; auto|].
  intros L k i I. change no_field with (map_field s no_field). rewrite map_nth. apply field_mapped. auto.
Qed.
Lemma part_mapped f' p : part_named m f' = Some p -> f' <> f ->
  describes_part nu m' rho' roots' lasts' sorts phi g f' (map_part s p) (cells' f').
Proof.
  intros E N. destruct (parts_kept _ _ E N) as (Kr & Kl & Kc). destruct (parts_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as (fp & Pm & D).
  exists fp. rewrite Kc. split; auto. simpl. destruct (nth_error sorts (symbol p)) as [[n|n]|]; auto.
  - destruct D as (B & L & T). rewrite B, Kl, Kr. split; [reflexivity|]. split; auto. eapply tree_weaker; eauto using mapped.
  - rewrite Kl, Kr. eapply context_weaker; eauto using mapped.
Qed.

(** *** What comes *)

Hypothesis node_comes : forall n x, node = Some (n, x) -> object_named m n = None /\ In (rho' n) (cells f) /\ (rho' n < length (memory g))%nat /\
  has_name P (kind x) = false /\ eval nu (begins x) = 0 /\ eval nu (ends x) = 1 /\
  describes_object nu m' rho' roots' lasts' (map_object s x) (object_at g (rho' n)).
Hypothesis parts_come : forall f' p, (length (parts m) <= f')%nat -> fresh f' = Some p -> incl (cells' f') (cells f) /\ NoDup (cells' f') /\
  (forall n x, node = Some (n, x) -> ~ In (rho' n) (cells' f')) /\
  describes_part nu m' rho' roots' lasts' sorts phi g f' (map_part s p) (cells' f').
Hypothesis parts_come_apart : forall f1 f2 p1 p2 c, (length (parts m) <= f1)%nat -> (length (parts m) <= f2)%nat ->
  fresh f1 = Some p1 -> fresh f2 = Some p2 -> In c (cells' f1) -> In c (cells' f2) -> f1 = f2.

(** All cells of the part that goes are the node's, or of parts that come. *)
Hypothesis cells_come : checks_leaks P -> forall p, In p (cells f) -> (exists n x, node = Some (n, x) /\ rho' n = p) \/
  exists f' p', (length (parts m) <= f')%nat /\ fresh f' = Some p' /\ In p (cells' f').

Lemma object_cases o x' : object_named m' o = Some x' ->
  (exists x, object_named m o = Some x /\ x' = map_object s x) \/ object_named m o = None /\ exists x, node = Some (o, x) /\ x' = map_object s x.
Proof.
  rewrite (objects_mapped changed). destruct (object_named m o) as [x|]; [intros [= <-]; eauto|]. unfold fresh_object.
  destruct node as [[n x]|]; [|discriminate]. destruct (Nat.eqb_spec o n) as [->|]; [|discriminate]. simpl. intros [= <-]. eauto.
Qed.
Lemma part_cases f' p' : part_named m' f' = Some p' -> f' <> f /\
  ((exists p, part_named m f' = Some p /\ p' = map_part s p) \/
   (length (parts m) <= f')%nat /\ exists p, fresh f' = Some p /\ p' = map_part s p).
Proof.
  rewrite (parts_mapped changed). destruct (Nat.eqb_spec f' f) as [|N]; [discriminate|]. intros E. split; auto.
  destruct (part_named m f') as [p|]; [injection E as <-; eauto|]. destruct (Nat.ltb_spec f' (length (parts m))); [discriminate|].
  destruct (fresh f') as [p|]; [|discriminate]. simpl in E. injection E as <-. eauto.
Qed.
(** Cells of a part that is kept, and of one that comes, are not of the same. *)
Lemma cells_of f' p' c : part_named m' f' = Some p' -> In c (cells' f') ->
  (exists p, part_named m f' = Some p /\ f' <> f /\ In c (cells f')) \/
  (length (parts m) <= f')%nat /\ (exists p, fresh f' = Some p) /\ In c (cells f).
Proof.
  intros E I. destruct (part_cases _ _ E) as [N [(p & E' & _)|(L & p & E' & _)]].
  - left. exists p. destruct (parts_kept _ _ E' N) as (_ & _ & K). rewrite <- K. auto.
  - right. split; auto. split; [eauto|]. apply (parts_come _ _ L E'). exact I.
Qed.

Theorem changed_describes : describes_by P sorts nu phi m' rho' roots' lasts' cells' g.
Proof.
  pose proof described as [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14]. pose proof (goes changed) as Q.
  split.
  - rewrite (place_kept changed). exact D1.
  - rewrite (slots_mapped changed), map_length. exact D2.
  - exact D3.
  - intros i. unfold slot_at. rewrite (slots_mapped changed). change forgotten with (s forgotten). rewrite map_nth. apply mapped, D4.
  - intros o x' E. destruct (object_cases _ _ E) as [(x & E' & _)|(_ & x & N & _)]; [rewrite (rho_kept _ _ E'); eauto | apply (node_comes _ _ N)].
  - intros o x' E. destruct (object_cases _ _ E) as [(x & E' & ->)|(_ & x & N & ->)]; [|apply (node_comes _ _ N)].
    rewrite (rho_kept _ _ E'). apply object_mapped. eauto.
  - intros o o' x x' E E' R. destruct (object_cases _ _ E) as [(y & Y & _)|(_ & y & N & _)], (object_cases _ _ E') as [(z & Z & _)|(_ & z & N' & _)].
    + rewrite (rho_kept _ _ Y), (rho_kept _ _ Z) in R. eauto.
    + destruct (node_comes _ _ N') as (_ & I & _). rewrite <- R, (rho_kept _ _ Y) in I. destruct (D13 _ _ _ _ Y Q I).
    + destruct (node_comes _ _ N) as (_ & I & _). rewrite R, (rho_kept _ _ Z) in I. destruct (D13 _ _ _ _ Z Q I).
    + congruence.
  - intros o x' E L H. destruct (object_cases _ _ E) as [(x & E' & ->)|(_ & x & N & ->)]; simpl in *.
    + rewrite (rho_kept _ _ E'). eauto.
    + destruct (node_comes _ _ N) as (_ & _ & _ & X & _). congruence.
  - intros o x' E H. destruct (object_cases _ _ E) as [(x & E' & ->)|(_ & x & N & ->)]; simpl in *; [eauto|].
    destruct (node_comes _ _ N) as (_ & _ & _ & _ & A & B & _). auto.
  - intros f' p' E. destruct (part_cases _ _ E) as [N [(p & E' & ->)|(L & p & E' & ->)]]; [apply part_mapped; auto | apply (parts_come _ _ L E')].
  - intros f' p' E. destruct (part_cases _ _ E) as [N [(p & E' & _)|(L & p & E' & _)]]; [|apply (parts_come _ _ L E')].
    destruct (parts_kept _ _ E' N) as (_ & _ & ->). eauto.
  - intros f1 f2 p1 p2 c E1 E2 I1 I2.
    destruct (cells_of _ _ _ E1 I1) as [(y1 & Y1 & N1 & J1)|(L1 & (z1 & Z1) & J1)], (cells_of _ _ _ E2 I2) as [(y2 & Y2 & N2 & J2)|(L2 & (z2 & Z2) & J2)].
    + eauto.
    + destruct N1. eapply D12; eauto.
    + destruct N2. eapply D12; eauto.
    + eauto.
  - intros o x' f' p' E Ep I. destruct (object_cases _ _ E) as [(x & E' & _)|(_ & x & N & _)], (cells_of _ _ _ Ep I) as [(y & Y & Nf & J)|(L & (z & Z) & J)].
    + rewrite (rho_kept _ _ E') in J. eapply D13; eauto.
    + rewrite (rho_kept _ _ E') in J. eapply D13; eauto.
    + destruct (node_comes _ _ N) as (_ & K & _). destruct Nf. eapply D12; eauto.
    + destruct (parts_come _ _ L Z) as (_ & _ & K & _). eapply K; eauto.
  - intros Ck p W. assert (New : forall f' p', (length (parts m) <= f')%nat -> fresh f' = Some p' -> exists q', part_named m' f' = Some q').
    { intros f' p' L E. pose proof (part_bound _ _ Q) as B. rewrite (parts_mapped changed). destruct (Nat.eqb_spec f' f); [lia|].
      destruct (part_named m f') as [y|] eqn:Ey; [pose proof (part_bound _ _ Ey); lia|]. destruct (Nat.ltb_spec f' (length (parts m))); [lia|]. rewrite E. simpl. eauto. }
    destruct (D14 Ck p W) as [(o & x & E & <-)|(f' & q' & E & I)].
    + left. exists o, (map_object s x). rewrite (objects_mapped changed), E. split; [reflexivity | apply (rho_kept _ _ E)].
    + destruct (Nat.eq_dec f' f) as [->|N].
      * destruct (cells_come Ck p I) as [(n & x & En & <-)|(f2 & p2 & L & E2 & I2)].
        -- left. exists n, (map_object s x). split; [|reflexivity]. rewrite (objects_mapped changed). destruct (node_comes _ _ En) as (No & _). rewrite No. unfold fresh_object. rewrite En, Nat.eqb_refl. reflexivity.
        -- right. destruct (New f2 p2 L E2) as (q2 & E3). eauto.
      * right. exists f', (map_part s q'). rewrite (parts_mapped changed), E. destruct (Nat.eqb_spec f' f); [contradiction|]. split; [reflexivity|].
        destruct (parts_kept _ _ E N) as (_ & _ & ->). exact I.
Qed.
End Changes.

(** ** An empty tree, or an empty segment *)

Definition no_parts (_ : nat) : option part := None.
Definition closes m m' f q := changes m m' f q (below q) (above q) None no_parts.
Theorem closed_describes P m m' f q sorts nu phi rho roots lasts cells g : closes m m' f q ->
  match nth_error sorts (symbol q) with Some (TreeOf _) => trees phi (symbol q) = Empty | _ => contexts phi (symbol q) = Hole end ->
  describes_by P sorts nu phi m rho roots lasts cells g -> describes_by P sorts nu phi m' rho roots lasts cells g.
Proof.
  intros C E D. destruct (parts_hold _ _ _ _ _ _ _ _ _ _ D _ _ (goes _ _ _ _ _ _ _ _ C)) as (fp & Pm & H).
  assert (K : forall v, sub (means nu m rho roots lasts v) (means nu m' rho roots lasts v)) by (apply (kept m m' f q (below q) (above q) None no_parts C nu rho rho roots lasts roots lasts cells cells); auto).
  apply (changed_describes P m m' f q (below q) (above q) None no_parts C sorts nu phi g rho rho roots lasts roots lasts cells cells D);
    auto; try discriminate.
  - destruct (nth_error sorts (symbol q)) as [[n|n]|]; rewrite ?E in H; [| |destruct H].
    + destruct H as (B & _ & T). rewrite B in *. inversion T; subst. eapply sub_trans; [eassumption|]. apply (K (Plain Members.NullSlot)).
    + inversion H; subst. eapply sub_trans; [eassumption | apply K].
  - destruct (nth_error sorts (symbol q)) as [[n|n]|]; rewrite ?E in H; [| |destruct H].
    + destruct H as (_ & L & _). eapply sub_trans; [exact L | apply nothing_sub].
    + inversion H; subst. eapply sub_trans; [eassumption | apply K].
  - intros _ p I. exfalso. assert (N : fp = []).
    { destruct (nth_error sorts (symbol q)) as [[n|n]|]; rewrite ?E in H; [| |destruct H]; [destruct H as (_ & _ & T); inversion T | inversion H]; reflexivity. }
    subst fp. apply (Permutation_in _ (Permutation_sym Pm)) in I. destruct I.
Qed.
