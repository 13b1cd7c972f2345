(** Where the entry is kept whole (spec/calculus.md#configurations): at roots, by
    rules that leave it as it is, and by Unfold.  So AddScapegoat finds there what
    it asks for. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Folding FoldedMembers Configurations Changes Opening Unfold Cases Entries Derivations Entered Planting Presented Loading Recognised Built Entering Roots Classes Elements LeftNodes Whole Leaving Kept.
From Goatherd Require Members Scapegoats Unfolding.
Import ListNotations.
Open Scope Z_scope.

Section EntryKept.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Notation links := (links_of P).
Notation entry_right := (entry_right P).

Definition entry_kept c := forall nu phi, model nu (predicate (body c)) -> well_meant P table (symbols (body c)) phi -> exists vs cs, entry_right (symbols (body c)) nu phi (at_entry c) vs cs.
Lemma kept_whole c : entry_kept c -> entry_whole P table c.
Proof.
  intros K nu phi M Me. destruct (K nu phi M Me) as (vs & cs & R). exists vs, cs. split; [apply right_whole; exact R | intros b Hb; eapply right_all; eauto].
Qed.
(** Step, StepDecided, Split, Let, Drop and AddScapegoat leave it as it is. *)
Theorem entry_stays c d : at_entry d = at_entry c -> symbols (body d) = symbols (body c) ->
  (forall nu, model nu (predicate (body d)) -> model nu (predicate (body c))) -> entry_kept c -> entry_kept d.
Proof. intros E S M K nu phi Md Me. rewrite E, S in *. apply K; auto. Qed.

(** ** Heaps that are the same *)

Lemma same_presents S S' nu phi phi' m is vs cs : (forall o, Scapegoats.nodes (heap_of P S' nu phi' m) o = Scapegoats.nodes (heap_of P S nu phi m) o) ->
  (forall f, Scapegoats.parts (heap_of P S' nu phi' m) f = Scapegoats.parts (heap_of P S nu phi m) f) ->
  presents P S nu phi m is vs cs -> presents P S' nu phi' m is vs cs.
Proof.
  intros N Q. induction 1; try (econstructor; eauto; fail). constructor; auto. apply (proj1 (reads_same (links_of P) _ _ N Q)). assumption.
Qed.
Lemma same_right S S' nu phi phi' m vs cs : (forall f q s, part_named m f = Some q -> nth_error S (symbol q) = Some s -> nth_error S' (symbol q) = Some s /\ trees phi' (symbol q) = trees phi (symbol q)) ->
  entry_right S nu phi m vs cs -> entry_right S' nu phi' m vs cs.
Proof.
  intros H [[Sh B Pr O] C A].
  assert (N : forall o, Scapegoats.nodes (heap_of P S' nu phi' m) o = Scapegoats.nodes (heap_of P S nu phi m) o) by reflexivity.
  assert (Q : forall f, Scapegoats.parts (heap_of P S' nu phi' m) f = Scapegoats.parts (heap_of P S nu phi m) f).
  { intros f. simpl. unfold heap_part. destruct (part_named m f) as [q|] eqn:E; auto. destruct (built_parts _ _ _ _ B f q E) as (d & Es & _). destruct (H f q _ E Es) as [-> ->]. rewrite Es. reflexivity. }
  split; [split|..]; auto.
  - destruct B as [B1 B2 B3 B4]. split; auto. intros f q E. destruct (B2 f q E) as (d & Es & R). exists d. split; [apply (H f q _ E Es) | exact R].
  - eapply same_presents; eauto.
  - intros b Hb. apply A. destruct b as [o|f]; simpl in *; [exact Hb|]. destruct Hb as (r & Hr). exists r. rewrite <- Hr. symmetry. apply Q.
Qed.

(** ** Unfold *)

(** What a case says of a tree of nodes, as inputs are; no part of the entry is a segment. *)
Definition entry_case x S nu phi k := forall d, nth_error S x = Some (TreeOf d) -> is_node P d = true -> match k with
  | Emptied => trees phi x = Empty
  | AsNode e b cs => e = d /\ b = 0 /\ exists fs, trees phi x = Node d 0 fs /\ Unfold.contents_fit S nu phi cs fs /\ Sorts.fields table (links_of P d) fs /\
      (forall j z, nth_error fs j = Some (Sorts.Integer z) -> value_in (field_type P d j) (Integer z)) /\
      forall j s y g, nth_error (links_of P d) j = Some (Child s) -> nth_error cs j = Some (HoldsTree y g) -> nth_error S y = Some (TreeOf s) /\ g = AsIn (same_field table s)
  | AsTop _ _ _ _ | AsBottom _ _ _ _ => False end.
Theorem case_keeps x S nu phi k m m' vs cs : entry_case x S nu phi k -> step_by x k m m' -> entry_right S nu phi m vs cs -> exists vs' cs', entry_right S nu phi m' vs' cs'.
Proof.
  intros Ca (f & q & Eq & St) R. pose proof (inputs_built _ _ _ _ _ _ _ (right_inputs _ _ _ _ _ _ _ R)) as B.
  assert (Sort : part_named m f = Some q -> exists d, nth_error S (symbol q) = Some (TreeOf d) /\ is_node P d = true) by (intros E; destruct (built_parts _ _ _ _ B f q E) as (d & Es & N & _); eauto).
  destruct k as [|e b l|e b l y|e b l y].
  - destruct (Sort (goes _ _ _ _ _ _ _ _ St)) as (d & Es & N). eapply (closed_right P well_given); [exact St | exact Es | | exact R]. rewrite Eq in *. exact (Ca d Es N).
  - destruct St as (n & ch & fr & O). destruct (Sort (goes _ _ _ _ _ _ _ _ (proj1 O))) as (d & Es & N). rewrite Eq in Es. destruct (Ca d Es N) as (-> & -> & fs & T & Fit & Fs & V & Ch). rewrite <- Eq in Es, T.
    eapply (opened_right P table formed well_given); eauto.
  - destruct St as (n & ch & fr & r & O & _). destruct (Sort (goes _ _ _ _ _ _ _ _ O)) as (d & Es & N). rewrite Eq in Es. destruct (Ca d Es N).
  - destruct St as (n & ch & fr & r & O & _). destruct (Sort (goes _ _ _ _ _ _ _ _ O)) as (d & Es & N). rewrite Eq in Es. destruct (Ca d Es N).
Qed.
Lemma case_steps_keep x S nu phi k m m' : entry_case x S nu phi k -> steps_by x k m m' -> forall vs cs, entry_right S nu phi m vs cs -> exists vs' cs', entry_right S nu phi m' vs' cs'.
Proof.
  intros Ca. induction 1 as [m|m m1 m2 S1 _ IH]; intros vs cs R; [eauto|]. destruct (case_keeps x S nu phi k m m1 vs cs Ca S1 R) as (vs1 & cs1 & R1). eauto.
Qed.

Section Child.
Variable x : nat.
(** A child is there for a case. *)
Definition case_allowed c sorts' k := match k with
  | Emptied => forall d, nth_error (symbols c) x = Some (TreeOf d) -> may_be_null (table d) = true
  | AsNode d b cs => exists s ls, nth_error (symbols c) x = Some (TreeOf s) /\ d = declaration (table s) /\ b = entrance (table s) /\
      In ls (shapes (table s)) /\ contents_of P table (variables c) (length (symbols c)) sorts' d 0 ls cs
  | AsTop _ _ _ _ | AsBottom _ _ _ _ => exists s, nth_error (symbols c) x = Some (SegmentOf s) end.

Definition field_as nu phi c := match c with
  | Holds (Plain (Members.IntegerSlot t)) => Sorts.Integer (eval nu t)
  | Holds (Plain Members.NothingHeld) => Sorts.Pointer Other
  | Holds (Plain Members.NullSlot) => Sorts.Pointer Sorts.Null
  | HoldsTree y e => Below e (trees phi y)
  | HoldsUp => Sorts.Pointer Up
  | _ => Sorts.Pointer Anything end.
Lemma fields_as nu phi phi' nv ns sorts' d : well_sorted nu -> well_meant P table sorts' phi -> (forall y, (ns <= y)%nat -> trees phi' y = trees phi y) ->
  forall ls k cs, contents_of P table nv ns sorts' d k ls cs -> Forall of_declaration ls ->
  Sorts.fields table ls (map (field_as nu phi) cs) /\ Forall2 (content_is sorts' nu phi') cs (map OfField (map (field_as nu phi) cs)) /\
  (forall j z, nth_error (map (field_as nu phi) cs) j = Some (Sorts.Integer z) -> value_in (field_type P d (k + j)) (Integer z)) /\
  (forall e t, In (Below e t) (map (field_as nu phi) cs) -> typed_tree P t).
Proof.
  intros W Me Same ls k cs C. induction C as [k|k l ls c cs C _ IH]; intros D.
  - simpl. repeat split; try constructor; [intros [|j] z; discriminate | intros e t []].
  - inversion_clear D as [|? ? Dl Ds]. destruct (IH Ds) as (F & I & V & T). destruct C as [j T0 v Ht Hv|j lo hi T0 v Ht Hv|j s y Ly Ey|j s from y Ly Ey|j|j|j|j|j|j s e y Ly Ey|j k]; simpl in Dl; try contradiction; simpl map.
    + split; [constructor; [constructor | exact F]|]. split; [constructor; [constructor; reflexivity | exact I]|]. split.
      * intros [|i] z E; simpl in E; [injection E as <-; rewrite Nat.add_0_r, Ht; apply (proj1 W) | rewrite <- plus_n_Sm; apply (V i z E)].
      * intros e t [E|J]; [discriminate | eauto].
    + pose proof (Me y) as My. unfold well_meant_symbol in My. rewrite Ey in My. destruct My as [O Ty].
      split; [constructor; [constructor; auto | exact F]|]. split; [constructor; [econstructor; eauto | exact I]|]. split.
      * intros [|i] z E; simpl in E; [discriminate | rewrite <- plus_n_Sm; apply (V i z E)].
      * intros e t [E|J]; [injection E as <- <-; exact Ty | eauto].
    + split; [constructor; [constructor; auto | exact F]|]. split; [constructor; [constructor | exact I]|]. split.
      * intros [|i] z E; simpl in E; [discriminate | rewrite <- plus_n_Sm; apply (V i z E)].
      * intros e t [E|J]; [discriminate | eauto].
    + split; [constructor; [constructor; auto | exact F]|]. split; [constructor; [constructor | exact I]|]. split.
      * intros [|i] z E; simpl in E; [discriminate | rewrite <- plus_n_Sm; apply (V i z E)].
      * intros e t [E|J]; [discriminate | eauto].
    + split; [constructor; [constructor; auto | exact F]|]. split; [constructor; [constructor | exact I]|]. split.
      * intros [|i] z E; simpl in E; [discriminate | rewrite <- plus_n_Sm; apply (V i z E)].
      * intros e t [E|J]; [discriminate | eauto].
Qed.

Lemma child_sort nv ns sorts' d k ls cs : contents_of P table nv ns sorts' d k ls cs -> forall i s y e, nth_error ls i = Some (Child s) -> nth_error cs i = Some (HoldsTree y e) -> nth_error sorts' y = Some (TreeOf s) /\ e = AsIn (same_field table s).
Proof.
  induction 1 as [k|k l ls c cs C _ IH]; intros [|i] s y e El Ec; simpl in El, Ec; try discriminate; [|eauto]. injection El as ->. injection Ec as ->. inversion C; subst. auto.
Qed.

(** What the symbol stands for in a case, by what is new in it. *)
Definition case_tree nu phi k := match k with
  | Emptied => Empty | AsNode d b cs => Node d b (map (field_as nu phi) cs) | _ => trees phi x end.
Definition case_meaning nu phi k := {| trees := fun y => if Nat.eqb y x then case_tree nu phi k else trees phi y; contexts := contexts phi |}.

Theorem unfold_kept c c' k ls : child_by x k ls (symbols (body c')) (with_entry c) (with_entry c') ->
  (forall y s, nth_error (symbols (body c)) y = Some s -> nth_error (symbols (body c')) y = Some s) -> case_allowed (body c) (symbols (body c')) k ->
  (forall f q, part_named (at_entry c') f = Some q -> symbol q <> x) -> entry_kept c -> entry_kept c'.
Proof.
  intros [_ _ Pd _ Ot] More Al Gone K nu phi [W M] Me.
  assert (M0 : model nu (predicate (body c))) by (split; auto; simpl in Pd; rewrite Pd in M; apply Forall_app in M as [_ M]; exact M).
  assert (St : steps_by x k (at_entry c) (at_entry c')).
  { simpl in Ot. apply Forall2_app_inv_l in Ot as (q1 & q2 & _ & F2 & E). inversion F2 as [|? r ? q3 [_ Cb] F3]; subst. inversion F3; subst. apply app_inj_tail in E as [_ <-].
    destruct Cb as [[[_ [H|H]]|(m & m' & Em & Em' & S)] _]; simpl in *; try discriminate. injection Em as <-. injection Em' as <-. exact S. }
  set (sorts' := symbols (body c')) in *.
  assert (Me0 : well_meant P table (symbols (body c)) phi).
  { intros y. pose proof (Me y) as My. unfold well_meant_symbol in *. destruct (nth_error (symbols (body c)) y) as [s|] eqn:E; auto. rewrite (More y s E) in My. exact My. }
  destruct (K nu phi M0 Me0) as (vs0 & cs0 & R0).
  destruct (existsb (fun p => match p with Some q => Nat.eqb (symbol q) x | None => false end) (parts (at_entry c))) eqn:Occurs.
  - (* Of which sort it is. *)
    apply existsb_exists in Occurs as (p & I & E). destruct p as [q|]; [|discriminate]. apply Nat.eqb_eq in E. destruct (In_nth _ _ None I) as (f & _ & Ef).
    destruct (built_parts _ _ _ _ (inputs_built _ _ _ _ _ _ _ (right_inputs _ _ _ _ _ _ _ R0)) f q Ef) as (d & Es & Nd & _). rewrite E in Es. clear f q I E Ef.
    assert (Sort : of_sort table d (case_tree nu phi k) /\ typed_tree P (case_tree nu phi k)).
    { destruct k as [|d' b l|d' b l y|d' b l y]; simpl in Al |- *.
      - split; constructor. apply Al. exact Es.
      - destruct Al as (s & sh & Es' & -> & -> & Ish & C). rewrite Es in Es'. injection Es' as <-. rewrite (sorts_of_nodes _ _ formed d Nd) in Ish, C |- *. simpl in Ish, C |- *. destruct Ish as [<-|[]].
        destruct (fields_as nu phi phi _ _ _ _ W Me (fun _ _ => eq_refl) _ _ _ C (nodes_of_links _ _ formed d Nd)) as (F & _ & V & T).
        split; [|constructor; auto; intros e c0 J; destruct (no_rings _ _ _ F (nodes_of_links _ _ formed d Nd) _ _ J)].
        pose proof (of_node table d (links d) (map (field_as nu phi) l)) as O. rewrite (sorts_of_nodes _ _ formed d Nd) in O. apply O; simpl; auto.
      - destruct Al as (s & E). congruence.
      - destruct Al as (s & E). congruence. }
    set (phi0 := case_meaning nu phi k).
    assert (Me1 : well_meant P table (symbols (body c)) phi0).
    { intros y. unfold well_meant_symbol. destruct (Nat.eq_dec y x) as [->|N].
      - rewrite Es. simpl. rewrite Nat.eqb_refl. exact Sort.
      - pose proof (Me0 y) as My. unfold well_meant_symbol in My. destruct (nth_error (symbols (body c)) y) as [[s|s]|]; auto. simpl. destruct (Nat.eqb_spec y x); [contradiction | exact My]. }
    destruct (K nu phi0 M0 Me1) as (vs1 & cs1 & R1).
    assert (R2 : entry_right sorts' nu phi0 (at_entry c) vs1 cs1) by (eapply same_right; [|exact R1]; intros f q s Eq Eqs; split; auto).
    assert (Step : exists vs cs, entry_right sorts' nu phi0 (at_entry c') vs cs).
    { eapply case_steps_keep; [|exact St | exact R2]. intros d0 Ed0 _. pose proof (More x _ Es) as Es'. fold sorts' in Es'. rewrite Es' in Ed0. injection Ed0 as <-. destruct k as [|d' b l|d' b l y|d' b l y]; simpl in Al.
      - simpl. rewrite Nat.eqb_refl. reflexivity.
      - destruct Al as (s & sh & Es1 & -> & -> & Ish & C). rewrite Es in Es1. injection Es1 as <-. rewrite (sorts_of_nodes _ _ formed d Nd) in Ish, C |- *. simpl in Ish, C |- *. destruct Ish as [<-|[]].
        assert (Later : forall y, (length (symbols (body c)) <= y)%nat -> trees phi0 y = trees phi y).
        { intros y L. simpl. destruct (Nat.eqb_spec y x) as [->|]; auto. assert (x < length (symbols (body c)))%nat by (apply nth_error_Some; congruence). lia. }
        destruct (fields_as nu phi phi0 _ _ _ _ W Me Later _ _ _ C (nodes_of_links _ _ formed d Nd)) as (Fs & Fit & Vs & _).
        split; [reflexivity|]. split; [reflexivity|]. exists (map (field_as nu phi) l). rewrite Nat.eqb_refl. rewrite (sorts_of_nodes _ _ formed d Nd). split; [reflexivity|]. split; [exact Fit|]. split; [exact Fs|]. split; [exact Vs|]. eapply child_sort; eauto.
      - destruct Al as (s & E). congruence.
      - destruct Al as (s & E). congruence. }
    destruct Step as (vs2 & cs2 & R3). exists vs2, cs2. eapply same_right; [|exact R3]. intros f q s Eq Eqs. split; auto. simpl. destruct (Nat.eqb_spec (symbol q) x) as [E|]; auto. destruct (Gone f q Eq E).
  - (* It does not occur. *)
    assert (Same : at_entry c' = at_entry c).
    { destruct St as [m|m m1 m2 (f & q & Eq & S1) S2]; auto. exfalso.
      assert (Goes : part_named m f = Some q) by (destruct k; [exact (goes _ _ _ _ _ _ _ _ S1) | destruct S1 as (n & ch & fr & S1) | destruct S1 as (n & ch & fr & r & S1) | destruct S1 as (n & ch & fr & r & S1)];
        exact (goes _ _ _ _ _ _ _ _ (proj1 S1))).
      assert (X : existsb (fun p => match p with Some q => Nat.eqb (symbol q) x | None => false end) (parts m) = true).
      { apply existsb_exists. exists (Some q). split; [|apply Nat.eqb_eq; exact Eq]. unfold part_named in Goes. rewrite <- Goes. apply nth_In. apply named_bound in Goes. exact Goes. }
      congruence. }
    rewrite Same. exists vs0, cs0. eapply same_right; [|exact R0]. intros f q s Eq Es. split; auto.
Qed.
End Child.
End EntryKept.
