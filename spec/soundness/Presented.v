(** Members that hold inputs (spec/calculus.md#root): what a state that such a
    member describes holds where inputs are expected.

    The heap of a member, under a valuation, is one of Scapegoats.v, so that what
    is shown there of leaving nodes out, and in Unfolding.v of opening them, is
    shown of members. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Alike Typed Folding FoldedMembers Planting.
From Goatherd Require Members Scapegoats Unfolding.
Import ListNotations.
Open Scope Z_scope.

(** ** Trees in two states *)

Section Pairs.
Variables g y : state.
Variable rn : renaming.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Definition pair_of o p := rn o = Some (p, 0).
Definition pairs := Forall2 pair_of.
Definition all_known (f : nat) (i : Z) := True.
Definition objects_pair o p := object_alike rn all_known 0 (object_at g o) (object_at y p).
Lemma pairs_app l1 l2 l1' l2' : length l1 = length l1' -> pairs (l1 ++ l2) (l1' ++ l2') -> pairs l1 l1' /\ pairs l2 l2'.
Proof.
  revert l1'. induction l1 as [|o l1 IH]; intros [|p l1'] L H; try discriminate; [split; [constructor | exact H]|].
  inversion H; subst. destruct (IH l1' ltac:(simpl in L; lia) ltac:(assumption)). split; auto. constructor; auto.
Qed.
Lemma tree_length s : (forall t r a m fp, tree_at s t r a m fp -> length fp = tree_size t) /\
  (forall o b all a m k fs fp, fields_at s o b all a m k fs fp -> length fp = fields_size fs) /\
  (forall o b all a m k f fp, field_at s o b all a m k f fp -> length fp = field_size f) /\
  (forall c r a m fp l h, context_at s c r a m fp l h -> length fp = Scapegoats.context_size c).
Proof.
  apply tree_at_ind'; simpl; intros; auto.
  - rewrite app_length. unfold Scapegoats.fields_size in *. simpl. lia.
  - destruct f as [z|e u|l|e c]; auto; destruct i.
  - rewrite !app_length. unfold Scapegoats.fields_size in *. lia.
Qed.

Lemma cells_alike o p n (fs : list Sorts.field) : is_cell g o n (length fs) -> is_cell y p n (length fs) ->
  (forall k, (k < length fs)%nat -> value_alike rn (content g o k) (content y p k)) -> objects_pair o p.
Proof.
  intros (D & V & L & U & F) (D' & V' & L' & U' & F') C. split; try congruence; try lia.
  intros _ k i B _. assert (i = lower (object_at g o)) by lia. subst i. rewrite Z.add_0_r.
  destruct (Nat.lt_ge_cases k (length fs)) as [K|K].
  - specialize (C k K). unfold content in C. rewrite L' in C. rewrite L in *. exact C.
  - unfold field_of. rewrite !nth_overflow by congruence. exact I.
Qed.
Lemma starts_alike o p b n j : is_cell g o n j -> is_cell y p n j -> pair_of o p -> value_alike rn (start_of g o b) (start_of y p b).
Proof. intros (_ & _ & L & _) (_ & _ & L' & _) R. exists 0. simpl. rewrite L, L'. auto. Qed.

Lemma trees_pair :
  (forall t r a m fp, tree_at g t r a m fp -> forall s v w A' m' fp', of_sort table s t -> is_node P s = true -> r v ->
     tree_at y t (eq w) (eq A') m' fp' -> pairs fp fp' -> (forall u, a u -> value_alike rn u A') ->
     value_alike rn v w /\ Forall2 objects_pair fp fp') /\
  (forall o b all a m k fs fp, fields_at g o b all a m k fs fp -> forall ls p all' A' m' fp', fields table ls fs -> Forall of_declaration ls ->
     (forall c, In (Child c) ls -> is_node P c = true) -> fields_at y p b all' (eq A') m' k fs fp' -> pairs fp fp' ->
     value_alike rn (start_of g o b) (start_of y p b) -> (forall u, a u -> value_alike rn u A') ->
     Forall2 objects_pair fp fp' /\ forall j, (j < length fs)%nat -> value_alike rn (content g o (k + j)) (content y p (k + j))) /\
  (forall o b all a m k f fp, field_at g o b all a m k f fp -> forall l p all' A' m' fp', fits table l f -> of_declaration l ->
     (forall c, l = Child c -> is_node P c = true) -> field_at y p b all' (eq A') m' k f fp' -> pairs fp fp' ->
     value_alike rn (start_of g o b) (start_of y p b) -> (forall u, a u -> value_alike rn u A') ->
     Forall2 objects_pair fp fp' /\ value_alike rn (content g o k) (content y p k)) /\
  (forall c r a m fp l h, context_at g c r a m fp l h -> True).
Proof.
  apply tree_at_ind'.
  - intros r a m S s v w A' m' fp' _ _ Rv T _ _. inversion T as [r1 a1 m1 S1 | ]; subst. rewrite <- (S _ Rv), <- (S1 w eq_refl). split; [exact I | constructor].
  - intros o d b fs r a m fp S C F IH s v w A' m' fp' O N Rv T Pr Ha. inversion T as [|p d1 b1 fs1 r1 a1 m1 fq S1 C1 F1]; subst.
    inversion Pr as [|? ? ? ? Po Pf]; subst. inversion O as [|? ls ? I Fl]; subst. rewrite (sorts_of_nodes _ _ formed s N) in I. destruct I as [<-|[]].
    assert (St : value_alike rn (start_of g o (entrance (table s))) (start_of y p (entrance (table s)))) by (eapply starts_alike; eauto).
    destruct (IH _ p _ A' _ _ Fl (nodes_of_links _ _ formed s N) (children_of_nodes _ _ formed s) F1 Pf St Ha) as [X Y].
    rewrite <- (S _ Rv), <- (S1 w eq_refl). split; [exact St|]. constructor; auto. eapply cells_alike; eauto.
  - intros o b all a m k ls p all' A' m' fp' _ _ _ T Pr _ _. inversion T; subst. split; [constructor | intros j; simpl; lia].
  - intros o b all a m k f fs fp fq F IHf Fs IH ls p all' A' m' fp' Fl D Ch T Pr St Ha. inversion Fl as [|l ls' ? ? Ff Fl']; subst. inversion_clear D as [|? ? Dl Ds].
    inversion T as [|? ? ? ? ? ? ? ? fp1 fp2 T1 T2]; subst.
    assert (L : length fp = length fp1) by (rewrite (proj1 (proj2 (proj2 (tree_length g))) _ _ _ _ _ _ _ _ F), (proj1 (proj2 (proj2 (tree_length y))) _ _ _ _ _ _ _ _ T1); auto).
    destruct (pairs_app _ _ _ _ L Pr) as [Pr1 Pr2].
    destruct (IHf l p all' A' m' fp1 Ff Dl ltac:(intros c ->; apply Ch; simpl; auto) T1 Pr1 St Ha) as [X1 Y1].
    destruct (IH ls' p all' A' m' fp2 Fl' Ds ltac:(intros c I; apply Ch; simpl; auto) T2 Pr2 St Ha) as [X2 Y2].
    split; [apply Forall2_app; auto|]. intros [|j] J; [rewrite Nat.add_0_r; exact Y1|]. replace (k + Datatypes.S j)%nat with (Datatypes.S k + j)%nat by lia. apply Y2. simpl in J. lia.
  - intros o b all a m k f N T l p all' A' m' fp' Ff D _ T' Pr St Ha. inversion T' as [? ? ? ? ? ? ? N' T1 | ? ? ? ? ? ? e t ? T1 | ? ? ? ? ? ? e t ? T1]; subst; [|destruct N|destruct N].
    split; [constructor|]. destruct f as [z|e t|l'|e t]; [simpl in T, T1; rewrite <- T, <- T1; reflexivity | destruct N | | destruct N].
    inversion Ff; subst. destruct l'; simpl in T, T1; try contradiction; try (rewrite <- T, <- T1; exact I); try (match goal with A : points _ |- _ => destruct A end).
    + rewrite <- T1. apply Ha. exact T.
  - intros o b all a m k e t fp T IH l p all' A' m' fp' Ff D Ch T' Pr St Ha. inversion T' as [? ? ? ? ? ? ? N' T1 | ? ? ? ? ? ? e1 t1 ? T1 | ]; subst; [destruct N'|].
    inversion Ff; subst; [|contradiction].
    destruct (IH s (content g o k) (content y p k) (start_of y p b) _ fp' ltac:(assumption) (Ch _ eq_refl) eq_refl T1 Pr) as [X Y]; auto.
    intros u <-. exact St.
  - intros o b all a m k e c fp _ _ l p all' A' m' fp' Ff D. inversion Ff; subst. destruct D.
  - auto.
  - auto.
Qed.
End Pairs.

(** ** The heap of a member *)

Lemma no_same_position ls : Forall of_declaration ls -> position_of_same ls = None.
Proof. induction 1 as [|l ls D _ IH]; simpl; auto. rewrite IH. destruct l; simpl in D; auto; contradiction. Qed.
Lemma read_length links H x a ls ss fs fp : Scapegoats.reads_fields links H x a ls ss fs fp -> length fs = length ss.
Proof. induction 1; simpl; auto. Qed.

Section Presented.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Notation links := (links_of P).
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (m : member).

(** What no input holds reads as a part that there is not. *)
Definition unreadable := Scapegoats.SPart (length (parts m)).
Definition heap_slot (v : slot) := match v with
  | Plain (Members.IntegerSlot t) => Scapegoats.SInteger (eval nu t)
  | Plain Members.NullSlot => Scapegoats.SNull
  | Plain Members.NothingHeld => Scapegoats.SUninitialised
  | Plain (Members.PointerSlot o i b) => if (eval nu i =? 0) && (b =? 0) then Scapegoats.SNode o else unreadable
  | RootOf f => Scapegoats.SPart f
  | Plain Members.Forgotten | LastOf _ => unreadable end.
Definition heap_life l := match l with Live => Scapegoats.Live | Dead => Scapegoats.Dead end.
Definition heap_node o := match object_named m o with
  | Some x => if is_node P (kind x) then Some {| Scapegoats.sort := kind x; Scapegoats.alive := heap_life (life_of x);
      Scapegoats.slots := map (fun f => heap_slot (nth 0 (apart f) forgotten)) (contents x) |} else None
  | None => None end.
Definition heap_part f := match part_named m f with
  | Some q => match nth_error sorts (symbol q) with
    | Some (TreeOf d) => Some {| Scapegoats.stands_for := trees phi (symbol q); Scapegoats.part_sort := d; Scapegoats.above := heap_slot (above q) |}
    | _ => None end
  | None => None end.
Definition linked_root i := match i with LinkedInput p d => [(d, heap_slot (slot_at m p))] | _ => [] end.
Definition heap_of := {| Scapegoats.nodes := heap_node; Scapegoats.parts := heap_part; Scapegoats.roots := flat_map linked_root (inputs P) |}.
Notation reads := (Scapegoats.reads links heap_of).
Notation reads_fields := (Scapegoats.reads_fields links heap_of).

Hypothesis meant : well_meant P table sorts phi.
Lemma part_meant p q : Scapegoats.parts heap_of p = Some q -> of_sort table (Scapegoats.part_sort q) (Scapegoats.stands_for q) /\ typed_tree P (Scapegoats.stands_for q).
Proof.
  simpl. unfold heap_part. destruct (part_named m p) as [r|]; [|discriminate]. pose proof (meant (symbol r)) as W. unfold well_meant_symbol in W.
  destruct (nth_error sorts (symbol r)) as [[d|d]|]; try discriminate. intros [= <-]. exact W.
Qed.
Lemma reads_sorted : (forall d s a t fp, reads d s a t fp -> is_node P d = true -> of_sort table d t) /\
  (forall x a ls ss fs fp, reads_fields x a ls ss fs fp -> Forall of_declaration ls -> (forall c, In (Child c) ls -> is_node P c = true) -> Sorts.fields table ls fs).
Proof.
  assert (Plain_ : forall l f ls fs, fits table l f -> (Forall of_declaration ls -> (forall c, In (Child c) ls -> is_node P c = true) -> Sorts.fields table ls fs) ->
    Forall of_declaration (l :: ls) -> (forall c, In (Child c) (l :: ls) -> is_node P c = true) -> Sorts.fields table (l :: ls) (f :: fs)).
  { intros l f ls fs F IH D Ch. inversion_clear D. constructor; auto. apply IH; auto. intros c I. apply Ch. simpl; auto. }
  apply Scapegoats.reads_ind'.
  - intros d a N. constructor. rewrite (sorts_of_nodes _ _ formed d N). reflexivity.
  - intros o a n fs fp _ _ R IH N. pose proof (of_node table (Scapegoats.sort n) (links (Scapegoats.sort n)) fs) as X.
    rewrite (sorts_of_nodes _ _ formed _ N) in X. apply X; [simpl; auto|]. apply IH; [apply (nodes_of_links _ _ formed _ N) | apply (children_of_nodes _ _ formed)].
  - intros p a q E _ _. apply (part_meant _ _ E).
  - constructor.
  - intros o a z ls ss fs fp _ IH. apply Plain_; auto. constructor.
  - intros o a s x e t fp ls ss fs fq G _ IH _ IHf D Ch. pose proof (Ch s (or_introl eq_refl)) as Ns. revert D Ch. apply Plain_; auto. constructor; auto.
    destruct G as [->| ->]; auto. left. unfold Scapegoats.given_by, same_field. rewrite (sorts_of_nodes _ _ formed s Ns). reflexivity.
  - intros o a ls ss fs fp _ IH. apply Plain_; auto. constructor; auto.
  - intros o a ls ss fs fp _ IH. apply Plain_; auto. constructor; auto.
  - intros o a ls ss fs fp _ IH. apply Plain_; auto. constructor; auto.
Qed.

(** ** In a state that the member describes *)

Section Described.
Variable g : state.
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat).
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Notation means := (means nu m rho roots lasts).

Definition heap_means (s : Scapegoats.slot) : holding := match s with
  | Scapegoats.SInteger z => eq (Integer z)
  | Scapegoats.SNull => eq Null
  | Scapegoats.SUninitialised => eq Uninitialised
  | Scapegoats.SNode o => eq (Pointer {| target := rho o; index := 0; byte := 0 |})
  | Scapegoats.SPart f => match part_named m f with Some _ => roots f | None => anything end end.
Lemma slot_means v : sub (means v) (heap_means (heap_slot v)).
Proof.
  assert (U : part_named m (length (parts m)) = None) by (unfold part_named; apply nth_overflow; auto).
  destruct v as [[| |t| |o i b]|f|f]; simpl; auto; try (rewrite U; auto).
  - destruct (object_named m o); auto. destruct (Z.eqb_spec (eval nu i) 0) as [->|], (Z.eqb_spec b 0) as [->|]; simpl; auto; rewrite U; auto.
  - unfold means_part. destruct (part_named m f); auto.
Qed.

Definition place (c : Scapegoats.cell) := match c with inl o => [rho o] | inr f => cells f end.
Definition places := flat_map place.
Lemma node_at o n : Scapegoats.nodes heap_of o = Some n -> exists x, object_named m o = Some x /\ is_node P (kind x) = true /\
  Scapegoats.sort n = kind x /\ Scapegoats.alive n = heap_life (life_of x) /\ lower (object_at g (rho o)) = 0 /\ upper (object_at g (rho o)) = 1 /\
  (life_of x = Live -> forall k, heap_means (nth k (Scapegoats.slots n) unreadable) (content g (rho o) k)).
Proof.
  simpl. unfold heap_node. destruct (object_named m o) as [x|] eqn:O; [|discriminate]. destruct (is_node P (kind x)) eqn:N; [|discriminate].
  intros [= <-]. exists x. destruct (objects_hold _ _ _ _ _ _ _ _ _ _ described o x O) as [K A B E W C]. destruct (nodes_hold _ _ _ _ _ _ _ _ _ _ described o x O N) as [L U].
  rewrite L in B. rewrite U in E. split; [exact eq_refl|]. repeat (split; [auto|]). intros Lv k. specialize (C Lv k 0 ltac:(lia)). unfold content. rewrite B.
  change unreadable with (heap_slot forgotten) at 1. simpl Scapegoats.slots.
  replace (nth k (map (fun f => heap_slot (nth 0 (apart f) forgotten)) (contents x)) (heap_slot forgotten)) with (heap_slot (nth 0 (apart (nth k (contents x) no_field)) forgotten))
    by (symmetry; change (heap_slot forgotten) with ((fun f => heap_slot (nth 0 (apart f) forgotten)) no_field) at 1; apply map_nth).
  unfold means_element in C. destruct (apart (nth k (contents x) no_field)) as [|v l]; simpl nth in *.
  - apply slot_means. exact I.
  - simpl in C. apply slot_means. exact C.
Qed.

Theorem reads_stand :
  (forall d s a t fp, reads d s a t fp -> is_node P d = true -> exists fq, Permutation fq (places fp) /\ tree_at g t (heap_means s) (heap_means a) anything fq) /\
  (forall x a ls ss fs fp, reads_fields x a ls ss fs fp -> Forall of_declaration ls -> (forall c, In (Child c) ls -> is_node P c = true) ->
     lower (object_at g (rho x)) = 0 -> exists fq, Permutation fq (places fp) /\
     forall all k, (forall j, heap_means (nth j ss unreadable) (content g (rho x) (k + j))) -> fields_at g (rho x) 0 all (heap_means a) anything k fs fq).
Proof.
  assert (Plain_ : forall x a l s f ls ss fs fp, is_plain_field f -> (forall w, heap_means s w -> told (heap_means a) anything anything (OfField f) w) ->
    (Forall of_declaration ls -> (forall c, In (Child c) ls -> is_node P c = true) ->
     lower (object_at g (rho x)) = 0 -> exists fq, Permutation fq (places fp) /\
     forall all k, (forall j, heap_means (nth j ss unreadable) (content g (rho x) (k + j))) -> fields_at g (rho x) 0 all (heap_means a) anything k fs fq) ->
    Forall of_declaration (l :: ls) -> (forall c, In (Child c) (l :: ls) -> is_node P c = true) -> lower (object_at g (rho x)) = 0 -> exists fq, Permutation fq (places fp) /\
    forall all k, (forall j, heap_means (nth j (s :: ss) unreadable) (content g (rho x) (k + j))) -> fields_at g (rho x) 0 all (heap_means a) anything k (f :: fs) fq).
  { intros x a l s f ls ss fs fp N T IH D Ch Lo. inversion_clear D as [|? ? Dl Ds]. destruct (IH Ds (fun c I => Ch c (or_intror I)) Lo) as (fq & Pm & F).
    exists fq. split; auto. intros all k C. change fq with ([] ++ fq). constructor.
    - constructor; auto. apply T. specialize (C 0%nat). rewrite Nat.add_0_r in C. exact C.
    - apply F. intros j. specialize (C (S j)). replace (S k + j)%nat with (k + S j)%nat by lia. exact C. }
  apply Scapegoats.reads_ind'.
  - intros d a _. exists []. split; auto. constructor. simpl. auto.
  - intros o a n fs fp En Al R IH N. destruct (node_at o n En) as (x & O & Nx & Sx & Ax & Lo & Up & C). rewrite Al in Ax. assert (Lv : life_of x = Live) by (destruct (life_of x); [auto | discriminate]).
    destruct (IH (nodes_of_links _ _ formed _ N) (children_of_nodes _ _ formed _) Lo) as (fq & Pm & F). exists (rho o :: fq). split; [simpl; constructor; exact Pm|].
    destruct (objects_hold _ _ _ _ _ _ _ _ _ _ described o x O) as [K A B E W _].
    constructor.
    + unfold Folding.start_of. rewrite Lo. simpl. auto.
    + unfold is_cell. rewrite K, A, Lo, Up, W, Sx. repeat split; auto.
      simpl in En. unfold heap_node in En. rewrite O, Nx in En. injection En as <-. simpl in R.
      rewrite (read_length _ _ _ _ _ _ _ _ R), map_length. reflexivity.
    + apply F. intros j. apply C. exact Lv.
  - intros p a q Ep Ab N. simpl in Ep. unfold heap_part in Ep. destruct (part_named m p) as [r|] eqn:Q; [|discriminate].
    pose proof (parts_hold _ _ _ _ _ _ _ _ _ _ described p r Q) as (fq & Pm & D). destruct (nth_error sorts (symbol r)) as [[d|d]|] eqn:Es; try discriminate.
    injection Ep as <-. simpl in *. exists fq. split; [rewrite app_nil_r; exact Pm|]. destruct D as (_ & _ & T). rewrite Q.
    pose proof (tree_weaker g _ _ _ _ _ (roots p) (heap_means (heap_slot (above r))) anything T (sub_refl _) (slot_means _) (sub_anything _)) as T'.
    destruct (in_dec Scapegoats.link_dec Up (links d)) as [U|U]; [rewrite <- (Ab U); exact T'|].
    eapply (tree_no_up g table d); [| |exact T'].
    + intros ls I. rewrite (sorts_of_nodes _ _ formed d N) in I. destruct I as [<-|[]]. exact U.
    + pose proof (meant (symbol r)) as W. unfold well_meant_symbol in W. rewrite Es in W. apply W.
  - intros o a _ _ _. exists []. split; [constructor|]. intros. constructor.
  - intros o a z ls ss fs fp R IH. apply Plain_; auto. exact I.
  - intros o a s x e t fp ls ss fs fq Ge R IH Rf IHf D Ch Lo. inversion_clear D as [|? ? _ Ds]. pose proof (Ch s (or_introl eq_refl)) as Ns.
    destruct (IH Ns) as (f1 & P1 & T1). destruct (IHf Ds (fun c I => Ch c (or_intror I)) Lo) as (f2 & P2 & F2). exists (f1 ++ f2).
    split; [unfold places; rewrite flat_map_app; apply Permutation_app; auto|]. intros all k C. constructor.
    + constructor. specialize (C 0%nat). rewrite Nat.add_0_r in C. simpl in C.
      assert (Hm : t = Empty \/ handed g (heap_means a) anything all (rho o) e = anything).
      { destruct Ge as [->|E]; auto. right. unfold Scapegoats.given_by. rewrite (no_same_position _ (nodes_of_links _ _ formed s Ns)). reflexivity. }
      assert (Sr : sub (eq (Folding.start_of g (rho o) 0)) (heap_means (Scapegoats.SNode o))) by (simpl; unfold Folding.start_of; rewrite Lo; auto).
      assert (Sr' : sub (heap_means (Scapegoats.SNode o)) (eq (Folding.start_of g (rho o) 0))) by (simpl; unfold Folding.start_of; rewrite Lo; auto).
      destruct Hm as [-> | Hm].
      * inversion T1; subst. constructor. intros w <-. auto.
      * rewrite Hm. eapply tree_weaker; [exact T1 | auto | exact Sr' | auto].
    + apply F2. intros j. specialize (C (S j)). replace (S k + j)%nat with (k + S j)%nat by lia. exact C.
  - intros o a ls ss fs fp R IH. apply Plain_; auto. exact I.
  - intros o a ls ss fs fp R IH. apply Plain_; auto. exact I.
  - intros o a ls ss fs fp R IH. apply Plain_; auto. exact I.
Qed.
End Described.
End Presented.
