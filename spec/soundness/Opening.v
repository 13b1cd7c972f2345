(** A folded part of a member becomes a node (spec/calculus.md#unfold), with
    parts below it and, of a segment, the rest of it. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Alike Owed Folding FoldedMembers Changes.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

(** ** What the fields of a new node hold *)

Inductive field_content :=
| Holds (v : slot)
| HoldsUp                                     (* a pointer to the cell above *)
| HoldsSame                                   (* what the part's [same] is *)
| HoldsHole                                   (* what follows in the segment *)
| HoldsTree (x : nat) (e : given)             (* a tree of this symbol, which is handed this *)
| HoldsRing (x : nat) (e : Z)                 (* a segment of this symbol, around this byte of the node *)
| HoldsLast (j : nat).                        (* a pointer to the last cell of the ring in field j *)
Inductive segment_end := Top | Bottom.

Lemma nth_seq {A} (F : nat -> A) n k d : (k < n)%nat -> nth k (map F (seq 0 n)) d = F k.
Proof.
  intros L. rewrite (nth_indep _ d (F O)) by (rewrite map_length, seq_length; auto). rewrite map_nth, seq_nth by auto. reflexivity.
Qed.
Lemma find_unique (F : nat -> nat) l k : (forall i j, In i l -> In j l -> F i = F j -> i = j) -> In k l ->
  find (fun i => Nat.eqb (F i) (F k)) l = Some k.
Proof.
  intros U I. destruct (find (fun i => Nat.eqb (F i) (F k)) l) as [j|] eqn:E.
  - apply find_some in E as [J E]. apply Nat.eqb_eq in E. f_equal. auto.
  - pose proof (find_none _ _ E _ I) as N. simpl in N. rewrite Nat.eqb_refl in N. discriminate.
Qed.
Lemma in_concat_map {A} (F : nat -> list A) l k c : In k l -> In c (F k) -> In c (concat (map F l)).
Proof. intros I J. apply in_concat. exists (F k). split; auto. apply in_map. exact I. Qed.
Lemma concat_once {A} (F : nat -> list A) l i j c : NoDup (concat (map F l)) -> In i l -> In j l -> In c (F i) -> In c (F j) -> i = j.
Proof.
  induction l as [|k l IH]; simpl; [intros _ []|]. intros D [->|I] [->|J] Ci Cj; auto.
  - destruct (Scapegoats.NoDup_disjoint _ _ _ c D Ci). eapply in_concat_map; eauto.
  - destruct (Scapegoats.NoDup_disjoint _ _ _ c D Cj). eapply in_concat_map; eauto.
  - eapply IH; eauto. eapply Scapegoats.NoDup_right; eauto.
Qed.
Lemma concat_each {A} (F : nat -> list A) l k : NoDup (concat (map F l)) -> In k l -> NoDup (F k).
Proof.
  induction l as [|j l IH]; simpl; [intros _ []|]. intros D [->|I]; [eapply Scapegoats.NoDup_left; eauto | apply IH; auto].
  eapply Scapegoats.NoDup_right; eauto.
Qed.

Section Opening.
Variable P : program.
Variables m m' : member.
Variables (f : nat) (q : part).
(** The node's name and declaration, to which byte of it pointers to it lead, and
    what its fields hold; the names of the parts below it, by field. *)
Variables (n d : nat) (b : Z) (cs : list field_content) (child : nat -> nat).
(** Pointers to the root and to the last cell, what is above the node, and what
    stands in the field that leads on. *)
Variables root last up hole : slot.

Definition node_slot := Plain (Members.PointerSlot n (Constant 0) b).
Definition value c := match c with
  | Holds v => v | HoldsUp => up | HoldsSame => alongside q | HoldsHole => hole | HoldsTree _ _ | HoldsRing _ _ | HoldsLast _ => forgotten end.
Definition cell_slot k c := match c with
  | HoldsTree _ _ | HoldsRing _ _ => RootOf (child k)
  | HoldsLast j => match nth_error cs j with Some (HoldsRing _ _) => LastOf (child j) | _ => forgotten end
  | c => value c end.
(** What is handed to a tree below. *)
Definition given_slot e := match e with
  | AsIn (Some j) => match nth_error cs j with Some c => value c | None => forgotten end
  | AsIn None => forgotten
  | By FromAbove => alongside q
  | By (FromField j) => match nth_error cs j with Some c => cell_slot j c | None => forgotten end end.
Definition field_slot k := match nth_error cs k with Some c => cell_slot k c | None => forgotten end.
Definition node_state := {| kind := d; life_of := Live; begins := Constant 0; ends := Constant 1;
  contents := map (fun k => {| apart := [field_slot k]; rest := None |}) (seq 0 (length cs)) |}.
Definition child_part x e := {| symbol := x; above := node_slot; alongside := given_slot e; below := Plain Members.NullSlot |}.
(** A ring begins, and ends, at the node. *)
Definition header_slot e := Plain (Members.PointerSlot n (Constant 0) e).
Definition ring_part x e := {| symbol := x; above := header_slot e; alongside := forgotten; below := header_slot e |}.
(** The rest of a segment has a name of its own. *)
Variable rest_part : option (nat * part).
Variable fresh : nat -> option part.
Record names_fresh : Prop := {
  children_apart : forall i j, (i < length cs)%nat -> (j < length cs)%nat -> child i = child j -> i = j;
  children_fresh : forall k, (k < length cs)%nat -> (length (parts m) <= child k)%nat;
  children_made : forall k x e, nth_error cs k = Some (HoldsTree x e) -> fresh (child k) = Some (child_part x e);
  rings_made : forall k x e, nth_error cs k = Some (HoldsRing x e) -> fresh (child k) = Some (ring_part x e);
  rest_made : forall r p, rest_part = Some (r, p) -> (length (parts m) <= r)%nat /\ fresh r = Some p /\
    forall k, (k < length cs)%nat -> child k <> r;
  nothing_else : forall f' p, (length (parts m) <= f')%nat -> fresh f' = Some p -> rest_part = Some (f', p) \/
    (exists k x e, nth_error cs k = Some (HoldsTree x e) /\ f' = child k /\ p = child_part x e) \/
    exists k x e, nth_error cs k = Some (HoldsRing x e) /\ f' = child k /\ p = ring_part x e;
  node_fresh : object_named m n = None }.
Definition opens := changes m m' f q root last (Some (n, node_state)) fresh /\ names_fresh.
Hypothesis opened : opens.

(** ** The state is described *)

Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (g : state).
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat).
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Hypothesis is_declared : is_node P d = true.

(** The part's first cell is o, with what it holds; of field k the cells below
    are fps k, of the rest of a segment C; and what is said of that. *)
Variables (o : nat) (all : list held) (a mm : holding) (fps : nat -> list nat) (R L : holding) (C : list nat).
Hypothesis cell : is_cell g o d (length all).
Hypothesis listed : Permutation (cells f) (o :: concat (map fps (seq 0 (length cs))) ++ C).
Hypothesis fields_there : forall k c, nth_error all k = Some c -> match c with
  | OfField fl => field_at g o b all a mm k fl (fps k) | OfHole r => r (content g o k) /\ fps k = [] end.
Inductive content_is : field_content -> held -> Prop :=
| integer_is t z : eval nu t = z -> content_is (Holds (Plain (Members.IntegerSlot t))) (OfField (Sorts.Integer z))
| up_is : content_is HoldsUp (OfField (Sorts.Pointer Up))
| same_is : content_is HoldsSame (OfField (Sorts.Pointer Sorts.Same))
| other_is : content_is (Holds (Plain Members.NothingHeld)) (OfField (Sorts.Pointer Other))
| null_is : content_is (Holds (Plain Members.NullSlot)) (OfField (Sorts.Pointer Sorts.Null))
| anything_is : content_is (Holds forgotten) (OfField (Sorts.Pointer Anything))
| tree_is x e e' t s : trees phi x = t -> nth_error sorts x = Some (TreeOf s) -> e' = e \/ t = Empty ->
    content_is (HoldsTree x e) (OfField (Below e' t))
| ring_is x e c s : contexts phi x = c -> nth_error sorts x = Some (SegmentOf s) -> content_is (HoldsRing x e) (OfField (Ringed e c))
| last_is j : content_is (HoldsLast j) (OfField (Sorts.Pointer (Sorts.Last j)))
| hole_is r : content_is HoldsHole (OfHole r).
Hypothesis contents_are : Forall2 content_is cs all.

Notation s := (onto f root last).
Definition owner f' := find (fun k => Nat.eqb (child k) f') (seq 0 (length cs)).
Definition rho' x := if Nat.eqb x n then o else rho x.
Definition roots' f' := if Nat.ltb f' (length (parts m)) then roots f' else match owner f' with Some k => eq (content g o k) | None => R end.
(** What pointers to the last cell of what hangs from field k hold. *)
Definition child_last k := match nth_error cs k with Some (HoldsRing _ _) => leads_to_last g all o k | _ => nothing end.
Definition lasts' f' := if Nat.ltb f' (length (parts m)) then lasts f' else match owner f' with Some k => child_last k | None => L end.
Definition cells' f' := if Nat.ltb f' (length (parts m)) then cells f' else match owner f' with Some k => fps k | None => C end.
Notation old := (means nu m rho roots lasts).
Notation new := (means nu m' rho' roots' lasts').

Hypothesis root_right : sub (roots f) (new root).
Hypothesis last_right : sub (lasts f) (new last).
(** So a slot of the member says what it said. *)
Lemma slot_kept v : sub (old v) (new (s v)).
Proof.
  apply (mapped m m' f q root last (Some (n, node_state)) fresh (proj1 opened) nu rho rho' roots lasts roots' lasts' cells cells'); auto.
  - intros x y E. unfold rho'. destruct (Nat.eqb_spec x n) as [->|]; auto. rewrite (node_fresh (proj2 opened)) in E. discriminate.
  - intros f' p E _. pose proof (part_bound _ _ _ E) as H. apply Nat.ltb_lt in H. unfold roots', lasts', cells'. rewrite H. auto.
Qed.
Hypothesis up_right : sub a (new (s up)).
Hypothesis same_right : sub mm (new (s (alongside q))).
Hypothesis hole_right : forall r, In (OfHole r) all -> sub r (new (s hole)).
Hypothesis rest_listed : forall c, In c C -> exists r p, rest_part = Some (r, p).
Hypothesis rest_right : forall r p, rest_part = Some (r, p) -> describes_part nu m' rho' roots' lasts' sorts phi g r (map_part s p) C.

Lemma same_length : length all = length cs.
Proof. pose proof contents_are as F. clear - F. induction F; simpl; auto. Qed.
Lemma content_at k c : nth_error cs k = Some c -> exists h, nth_error all k = Some h /\ content_is c h.
Proof. pose proof contents_are as F. clear - F. revert k. induction F as [|c0 h cs0 all0 I _ IH]; intros [|k]; simpl; try discriminate; [intros [= <-]; exists h; auto | auto]. Qed.
Lemma is_fresh f' : (length (parts m) <= f')%nat -> roots' f' = match owner f' with Some k => eq (content g o k) | None => R end /\
  lasts' f' = match owner f' with Some k => child_last k | None => L end /\ cells' f' = match owner f' with Some k => fps k | None => C end.
Proof. intros H. apply Nat.ltb_ge in H. unfold roots', lasts', cells'. rewrite H. auto. Qed.
Lemma owner_child k : (k < length cs)%nat -> owner (child k) = Some k.
Proof.
  intros H. apply find_unique; [|apply in_seq; lia]. intros i j I J. apply in_seq in I, J.
  apply (children_apart (proj2 opened)); lia.
Qed.
Lemma owner_rest r p : rest_part = Some (r, p) -> owner r = None.
Proof.
  intros E. destruct (rest_made (proj2 opened) _ _ E) as (_ & _ & N). unfold owner.
  destruct (find _ _) as [k|] eqn:F; auto. apply find_some in F as [I F]. apply in_seq in I. apply Nat.eqb_eq in F. destruct (N k); auto. lia.
Qed.
Lemma parts_bound : (f < length (parts m))%nat.
Proof. eapply part_bound. apply (goes _ _ _ _ _ _ _ _ (proj1 opened)). Qed.
Lemma fresh_part f' p : (length (parts m) <= f')%nat -> fresh f' = Some p -> part_named m' f' = Some (map_part s p) /\ s (RootOf f') = RootOf f' /\ s (LastOf f') = LastOf f'.
Proof.
  intros H E. pose proof parts_bound as B. rewrite (parts_mapped _ _ _ _ _ _ _ _ (proj1 opened)). simpl.
  destruct (Nat.eqb_spec f' f); [lia|]. split; auto. destruct (part_named m f') as [p'|] eqn:Ep; [pose proof (part_bound _ _ _ Ep); lia|].
  destruct (Nat.ltb_spec f' (length (parts m))); [lia|]. rewrite E. auto.
Qed.
Lemma rest_means r p : rest_part = Some (r, p) -> new (RootOf r) = R /\ new (LastOf r) = L /\
  s (RootOf r) = RootOf r /\ s (LastOf r) = LastOf r /\ roots' r = R /\ lasts' r = L.
Proof.
  intros E. destruct (rest_made (proj2 opened) _ _ E) as (H & F & _). destruct (fresh_part _ _ H F) as (Ep & -> & ->).
  destruct (is_fresh _ H) as (Kr & Kl & _). rewrite (owner_rest _ _ E) in Kr, Kl. simpl. unfold means_part. rewrite Ep. repeat split; auto.
Qed.
Lemma root_of_child k x e : nth_error cs k = Some (HoldsTree x e) -> new (s (RootOf (child k))) = eq (content g o k).
Proof.
  intros E. assert (K : (k < length cs)%nat) by (apply nth_error_Some; congruence).
  pose proof (children_fresh (proj2 opened) k K) as H. destruct (fresh_part _ _ H (children_made (proj2 opened) _ _ _ E)) as (Ep & -> & _).
  simpl. unfold means_part. rewrite Ep. destruct (is_fresh _ H) as (-> & _). rewrite owner_child by auto. reflexivity.
Qed.
Lemma root_of_ring k x e : nth_error cs k = Some (HoldsRing x e) -> new (s (RootOf (child k))) = eq (content g o k) /\
  new (s (LastOf (child k))) = leads_to_last g all o k.
Proof.
  intros E. assert (K : (k < length cs)%nat) by (apply nth_error_Some; congruence).
  pose proof (children_fresh (proj2 opened) k K) as H. destruct (fresh_part _ _ H (rings_made (proj2 opened) _ _ _ E)) as (Ep & -> & ->).
  simpl. unfold means_part. rewrite Ep. destruct (is_fresh _ H) as (-> & -> & _). rewrite owner_child by auto. unfold child_last. rewrite E. auto.
Qed.
Lemma header_means e : new (header_slot e) = eq (start_of g o e).
Proof.
  unfold header_slot. simpl. rewrite (objects_mapped _ _ _ _ _ _ _ _ (proj1 opened)), (node_fresh (proj2 opened)). simpl.
  rewrite Nat.eqb_refl. simpl. unfold rho', start_of. rewrite Nat.eqb_refl. destruct cell as (_ & _ & Z0 & _). rewrite Z0. reflexivity.
Qed.
Lemma node_means : new node_slot = eq (start_of g o b).
Proof. exact (header_means b). Qed.
(** What a field says, and what is handed on of it. *)
Lemma value_right k c h : nth_error cs k = Some c -> nth_error all k = Some h -> content_is c h ->
  sub (told a mm anything h) (new (s (value c))) /\ sub (told a mm (eq (content g o k)) h) (new (s (cell_slot k c))).
Proof.
  intros E Eh I. destruct I as [t z Ez| | | | | |x e e' t s0 _ _ _|x e c s0 _ _|j|r]; cbn [told value cell_slot].
  - subst z. split; apply sub_refl.
  - auto.
  - auto.
  - split; apply sub_refl.
  - split; apply sub_refl.
  - split; apply sub_refl.
  - split; [apply sub_anything|]. rewrite (root_of_child _ _ _ E). apply sub_refl.
  - split; [apply sub_anything|]. rewrite (proj1 (root_of_ring _ _ _ E)). apply sub_refl.
  - split; [apply sub_anything|]. destruct (nth_error cs j) as [[]|] eqn:Ej; try apply sub_anything.
    rewrite (proj2 (root_of_ring _ _ _ Ej)). intros w <-. exists k. auto.
  - split; apply hole_right; eapply nth_error_In; eauto.
Qed.
Lemma given_right e : sub (handed g a mm all o e) (new (s (given_slot e))).
Proof.
  destruct e as [[j|]|[j|]]; simpl; auto.
  - destruct (nth_error cs j) as [c|] eqn:E; [|destruct (nth_error all j); auto; simpl; auto].
    destruct (content_at _ _ E) as (h & Eh & I). rewrite Eh. apply (value_right _ _ _ E Eh I).
  - destruct (nth_error cs j) as [c|] eqn:E; [|destruct (nth_error all j); auto; simpl; auto].
    destruct (content_at _ _ E) as (h & Eh & I). rewrite Eh. apply (value_right _ _ _ E Eh I).
Qed.
Lemma cell_right k c : nth_error cs k = Some c -> new (s (cell_slot k c)) (content g o k).
Proof.
  intros E. destruct (content_at _ _ E) as (h & Eh & I). pose proof (fields_there _ _ Eh) as F.
  apply (proj2 (value_right _ _ _ E Eh I)). destruct h as [fl|r]; [|apply F].
  inversion F; subst; try reflexivity. destruct fl as [z|e t|[]|e x]; simpl in *; auto.
Qed.

Theorem opened_describes : describes_by P sorts nu phi m' rho' roots' lasts' cells' g.
Proof.
  pose proof described as D. pose proof parts_bound as B.
  assert (Nf : NoDup (o :: concat (map fps (seq 0 (length cs))) ++ C)).
  { eapply Permutation_NoDup; [exact listed|]. eapply cells_once; eauto. apply (goes _ _ _ _ _ _ _ _ (proj1 opened)). }
  inversion_clear Nf as [|? ? No Nr]. pose proof (Scapegoats.NoDup_left _ _ _ Nr) as Nc.
  assert (In_f : forall c, c = o \/ In c (concat (map fps (seq 0 (length cs)))) \/ In c C -> In c (cells f)).
  { intros c H. eapply Permutation_in; [symmetry; exact listed|]. destruct H as [->|[H|H]]; simpl; auto; right; apply in_or_app; auto. }
  assert (Own : forall f' p, (length (parts m) <= f')%nat -> fresh f' = Some p ->
    (rest_part = Some (f', p) /\ cells' f' = C) \/ exists k c, nth_error cs k = Some c /\ f' = child k /\ cells' f' = fps k /\
      ((exists x e, c = HoldsTree x e /\ p = child_part x e) \/ exists x e, c = HoldsRing x e /\ p = ring_part x e)).
  { intros f' p H E. destruct (is_fresh _ H) as (_ & _ & K). destruct (nothing_else (proj2 opened) _ _ H E) as [Er|[(k & x & e & Ek & -> & ->)|(k & x & e & Ek & -> & ->)]].
    - left. rewrite K, (owner_rest _ _ Er). auto.
    - right. do 2 eexists. rewrite K, owner_child by (apply nth_error_Some; congruence). eauto 8.
    - right. do 2 eexists. rewrite K, owner_child by (apply nth_error_Some; congruence). eauto 8. }
  assert (Seq : forall k c, nth_error cs k = Some c -> In k (seq 0 (length cs))).
  { intros k c E. apply in_seq. split; [lia|]. simpl. apply nth_error_Some. congruence. }
  apply (changed_describes P m m' f q root last (Some (n, node_state)) fresh (proj1 opened) sorts nu phi g rho rho' roots lasts roots' lasts' cells cells' D);
    auto.
  - intros x y E. unfold rho'. destruct (Nat.eqb_spec x n) as [->|]; auto. rewrite (node_fresh (proj2 opened)) in E. discriminate.
  - intros f' p E _. pose proof (part_bound _ _ _ E) as H. apply Nat.ltb_lt in H. unfold roots', lasts', cells'. rewrite H. auto.
  - intros n0 x [= <- <-]. assert (Rn : rho' n = o) by (unfold rho'; rewrite Nat.eqb_refl; auto). rewrite Rn.
    destruct cell as (Cd & Ca & Cl & Cu & Cn). split; [apply (node_fresh (proj2 opened))|]. split; [apply In_f; auto|]. split.
    { destruct (Nat.lt_ge_cases o (length (memory g))); auto. unfold object_at in Ca. rewrite nth_overflow in Ca by auto. discriminate. }
    split; [unfold has_name; unfold is_node in is_declared; simpl; destruct (origin_of (declaration_of P d)); try discriminate; auto|].
    split; [reflexivity|]. split; [reflexivity|]. split; simpl; auto.
    + rewrite Cn, map_length, map_length, seq_length. apply same_length.
    + intros _ k i I. assert (i = 0) by lia. subst i. destruct (Nat.lt_ge_cases k (length cs)) as [H|H].
      * rewrite map_map, (nth_seq (fun k0 => map_field s {| apart := [field_slot k0]; rest := None |})) by auto.
        unfold field_slot. destruct (nth_error cs k) as [c|] eqn:E; [|apply nth_error_None in E; lia].
        unfold means_element; simpl. pose proof (cell_right _ _ E) as X. unfold content in X. rewrite Cl in X. exact X.
      * rewrite nth_overflow by (rewrite map_length, map_length, seq_length; auto). exact Logic.I.
  - intros f' p H E. destruct (Own _ _ H E) as [[Er ->]|(k & co & Ek & -> & -> & Cp)].
    + split; [intros c J; apply In_f; auto|]. split; [eapply Scapegoats.NoDup_right; eauto|]. split; [|eauto].
      intros n0 x [= <- <-]. unfold rho'. rewrite Nat.eqb_refl. intros J. apply No, in_or_app. auto.
    + pose proof (Seq _ _ Ek) as S. split; [intros c J; apply In_f; right; left; eapply in_concat_map; eauto|].
      split; [eapply concat_each; eauto|]. split.
      { intros n0 x0 [= <- <-]. unfold rho'. rewrite Nat.eqb_refl. intros J. apply No, in_or_app. left. eapply in_concat_map; eauto. }
      destruct (content_at _ _ Ek) as (h & Eh & I). pose proof (fields_there _ _ Eh) as F.
      destruct (is_fresh _ H) as (Kr & Kl & _).
      assert (Lk : (k < length cs)%nat) by (apply nth_error_Some; congruence). rewrite owner_child in Kr, Kl by auto. unfold child_last in Kl. rewrite Ek in Kl.
      exists (fps k). split; auto. destruct Cp as [(x & e & -> & ->)|(x & e & -> & ->)].
      2: { inversion I as [| | | | | | |? ? ? s0 Et Es| |]; subst. inversion F as [? ? ? ? ? ? ? Np| |? ? ? ? ? ? ? ? ? T]; subst; [destruct Np|].
        assert (Hm : new (s (header_slot e)) = eq (start_of g o e)) by exact (header_means e).
        cbn [map_part ring_part symbol above alongside below]. rewrite Es, Kr, Kl, Hm. exact T. }
      inversion I as [| | | | | |x0 e0 e' t s0 Et Es Eg| | |]; subst.
      inversion F as [? ? ? ? ? ? ? Np|? ? ? ? ? ? ? ? ? T|]; subst; [destruct Np|].
      simpl symbol. rewrite Es, Kr, Kl.
      split; [reflexivity|]. split; [apply sub_refl|]. simpl above. simpl alongside.
      assert (Nn : sub (eq (start_of g o b)) (new (s node_slot))) by (change (s node_slot) with node_slot; rewrite node_means; apply sub_refl).
      destruct Eg as [->|Ee]; [eapply tree_weaker; [exact T | apply sub_refl | exact Nn | apply given_right]|].
      rewrite Ee in *. inversion T; subst. constructor. assumption.
  - intros f1 f2 p1 p2 c H1 H2 E1 E2.
    destruct (Own _ _ H1 E1) as [[R1 ->]|(k1 & c1 & K1 & -> & -> & _)], (Own _ _ H2 E2) as [[R2 ->]|(k2 & c2 & K2 & -> & -> & _)]; intros I1 I2.
    + congruence.
    + exfalso. eapply (Scapegoats.NoDup_disjoint _ _ _ c Nr); [|exact I1]. eapply in_concat_map; eauto.
    + exfalso. eapply (Scapegoats.NoDup_disjoint _ _ _ c Nr); [|exact I2]. eapply in_concat_map; eauto.
    + f_equal. eapply concat_once; eauto.
  - intros _ c I. apply (Permutation_in _ listed) in I. destruct I as [<-|I].
    { left. exists n, node_state. split; [reflexivity|]. unfold rho'. rewrite Nat.eqb_refl. reflexivity. }
    right. apply in_app_or in I as [I|I].
    + apply in_concat in I as (l & Il & I). apply in_map_iff in Il as (k & <- & Ik). apply in_seq in Ik. assert (Lk : (k < length cs)%nat) by lia.
      destruct (nth_error cs k) as [fc|] eqn:Ek; [|apply nth_error_None in Ek; lia]. destruct (content_at _ _ Ek) as (h & Eh & Ic). pose proof (fields_there _ _ Eh) as F.
      assert (Tr : (exists x e, fc = HoldsTree x e) \/ exists x e, fc = HoldsRing x e).
      { destruct Ic; eauto; exfalso; try (destruct F as [_ F]; rewrite F in I; destruct I); inversion F; subst; try (match goal with E : fps k = [] |- _ => rewrite E in I end); try (match goal with E : [] = fps k |- _ => rewrite <- E in I end); destruct I. }
      pose proof (children_fresh (proj2 opened) k Lk) as Hc. destruct (is_fresh _ Hc) as (_ & _ & Kc). rewrite owner_child in Kc by exact Lk.
      destruct Tr as [(x & e & ->)|(x & e & ->)]; do 2 eexists; (split; [exact Hc|]; split; [|rewrite Kc; exact I]);
      [apply (children_made (proj2 opened) _ _ _ Ek) | apply (rings_made (proj2 opened) _ _ _ Ek)].
    + destruct (rest_listed c I) as (r & p & E). destruct (rest_made (proj2 opened) _ _ E) as (Lr & Fr & _). exists r, p. split; [exact Lr|]. split; [exact Fr|].
      destruct (is_fresh _ Lr) as (_ & _ & ->). rewrite (owner_rest _ _ E). exact I.
Qed.
End Opening.
