(** Unfold keeps an entry whole (spec/calculus.md#unfold): where a part of the
    entry becomes NULL, or a node with parts below it, as the tree is that its
    symbol stands for, the member holds the same inputs, and nothing else. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Folding FoldedMembers Changes Opening Unfold Cases Entries Planting Presented Loading Recognised Built Entering Roots Elements LeftNodes Whole.
From Goatherd Require Members Scapegoats Unfolding.
Import ListNotations.
Open Scope Z_scope.

Section Kept.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Notation links := (links_of P).
Notation fields_in d := (layout_fields (layout_of_declaration P d)).
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning).
Notation heap := (heap_of P sorts nu phi).
Notation holds_inputs := (holds_inputs P sorts nu phi).

(** ** Entries *)

(** Slots that a heap has: pointers to where nodes begin, and to parts that are. *)
Definition readable m v := match v with
  | Plain (Members.IntegerSlot _) | Plain Members.NullSlot | Plain Members.NothingHeld => True
  | Plain (Members.PointerSlot _ i b) => eval nu i = 0 /\ b = 0
  | RootOf f => part_named m f <> None
  | Plain Members.Forgotten | LastOf _ => False end.
Record clean m : Prop := {
  clean_nodes : forall y z, object_named m y = Some z -> is_node P (kind z) = true -> life_of z = Live /\ length (contents z) = length (links (kind z)) /\
    forall f, In f (contents z) -> exists v, apart f = [v] /\ readable m v;
  clean_roots : forall p d, In (LinkedInput p d) (inputs P) -> readable m (slot_at m p);
  clean_parts : forall f q, part_named m f = Some q -> readable m (above q) }.
Record entry_right m vs cs : Prop := {
  right_inputs : holds_inputs m vs cs;
  right_clean : clean m;
  right_all : forall b, Scapegoats.is_there (heap m) b -> In b cs }.
Lemma readable_start m v : readable m v -> at_start nu v.
Proof. destruct v as [[]| |]; simpl; auto. Qed.
Lemma right_whole m vs cs : entry_right m vs cs -> holds_whole P sorts nu phi m vs cs.
Proof.
  intros [H [C1 C2 C3] A]. split; auto.
  - split.
    + intros y z E N. destruct (C1 y z E N) as (_ & L & S). split; auto. apply Forall_forall. intros f I. destruct (S f I) as (v & V & _). exists v. exact V.
    + intros y z f v E N If Iv. destruct (C1 y z E N) as (_ & _ & S). destruct (S f If) as (w & W & R). rewrite W in Iv. destruct Iv as [<-|[]]. eapply readable_start; eauto.
    + intros p d I. eapply readable_start. eauto.
    + intros f q E. eapply readable_start. eauto.
  - exists [], [], []. rewrite app_nil_r. split; [constructor|]. split; [apply (inputs_once _ _ _ _ _ _ _ H) | exact A].
Qed.

(** ** A part goes *)

Section Step.
Variables m m' : member.
Variables (f : nat) (q : part) (root last : slot) (node : option (nat * object_state)) (fresh : nat -> option part).
Hypothesis changed : changes m m' f q root last node fresh.
Variables (vs : list input_value) (cs : list Scapegoats.cell).
Hypothesis right : entry_right m vs cs.
Notation s := (onto f root last).
Notation rs := (heap_slot nu m' root).
Notation hs := (Unfolding.onto f rs).
Let built := inputs_built _ _ _ _ _ _ _ (right_inputs _ _ _ right).

Lemma slot_mapped v : readable m v -> heap_slot nu m' (s v) = hs (heap_slot nu m v).
Proof.
  destruct v as [[| |t| |y i b]|g|g]; simpl; auto; try contradiction.
  - intros [-> ->]. reflexivity.
  - intros _. destruct (Nat.eqb g f); reflexivity.
Qed.
Lemma nodes_mapped y n : Scapegoats.nodes (heap m) y = Some n ->
  Scapegoats.nodes (heap m') y = Some {| Scapegoats.sort := Scapegoats.sort n; Scapegoats.alive := Scapegoats.alive n; Scapegoats.slots := map hs (Scapegoats.slots n) |}.
Proof.
  simpl. unfold heap_node. rewrite (objects_mapped _ _ _ _ _ _ _ _ changed). destruct (object_named m y) as [z|] eqn:E; [|discriminate]. simpl kind.
  destruct (is_node P (kind z)) eqn:N; [|discriminate]. intros [= <-]. simpl. f_equal. f_equal. rewrite !map_map. apply map_ext_in. intros g I.
  destruct (clean_nodes _ (right_clean _ _ _ right) y z E N) as (_ & _ & S). destruct (S g I) as (v & V & R). simpl. rewrite V. simpl. apply slot_mapped. exact R.
Qed.
Lemma parts_mapped_so g r : g <> f -> Scapegoats.parts (heap m) g = Some r -> Scapegoats.parts (heap m') g = Some {| Scapegoats.stands_for := Scapegoats.stands_for r;
  Scapegoats.part_sort := Scapegoats.part_sort r; Scapegoats.above := hs (Scapegoats.above r) |}.
Proof.
  intros N. simpl. unfold heap_part. rewrite (parts_mapped _ _ _ _ _ _ _ _ changed). destruct (Nat.eqb_spec g f); [contradiction|]. destruct (part_named m g) as [p|] eqn:E; [|discriminate].
  simpl symbol. destruct (nth_error sorts (symbol p)) as [[d|d]|]; try discriminate. intros [= <-]. simpl. f_equal. f_equal. apply slot_mapped. apply (clean_parts _ (right_clean _ _ _ right) g p E).
Qed.
Lemma slot_here r : slot_at m' r = s (slot_at m r).
Proof. unfold slot_at. rewrite (slots_mapped _ _ _ _ _ _ _ _ changed). change forgotten with (s forgotten) at 1. apply map_nth. Qed.
Lemma roots_mapped : Scapegoats.roots (heap m') = map (fun r => (fst r, hs (snd r))) (Scapegoats.roots (heap m)).
Proof.
  simpl. assert (X : forall is, incl is (inputs P) -> flat_map (linked_root nu m') is = map (fun r => (fst r, hs (snd r))) (flat_map (linked_root nu m) is)); [|apply X, incl_refl].
  induction is as [|i is IH]; intros I; auto. simpl. rewrite map_app, <- IH by (intros j J; apply I; simpl; auto). f_equal. destruct i; auto. simpl.
  rewrite slot_here, slot_mapped; auto. eapply (clean_roots _ (right_clean _ _ _ right)). apply I. simpl. auto.
Qed.

(** What comes: a tree of the same kind hangs from the root, of new cells. *)
Variable d : nat.
Hypothesis is_tree : nth_error sorts (symbol q) = Some (TreeOf d).
Variable new : list Scapegoats.cell.
Hypothesis comes : forall a, (In Up (links d) -> heap_slot nu m (above q) = a) -> Scapegoats.reads links (heap m') d rs (hs a) (trees phi (symbol q)) new.
Hypothesis new_once : NoDup new.
Hypothesis new_cells : forall c, In c new -> match c with inl y => Scapegoats.nodes (heap m) y = None | inr g => Scapegoats.parts (heap m) g = None end.
Hypothesis new_node : forall y z, node = Some (y, z) -> In (inl y) new /\ is_node P (kind z) = true /\ life_of z = Live /\ length (contents z) = length (links (kind z)) /\
  object_right P nu m' y (map_object s z) /\ forall g, In g (contents z) -> exists v, apart g = [v] /\ readable m' (s v).
Hypothesis new_parts : forall g p, (length (parts m) <= g)%nat -> fresh g = Some p -> In (inr g) new /\ part_right P sorts m' (map_part s p) /\ readable m' (s (above p)).
Hypothesis root_right : leads m' root /\ readable m' root.

Lemma part_is : Scapegoats.parts (heap m) f = Some {| Scapegoats.stands_for := trees phi (symbol q); Scapegoats.part_sort := d; Scapegoats.above := heap_slot nu m (above q) |}.
Proof. simpl. unfold heap_part. rewrite (goes _ _ _ _ _ _ _ _ changed), is_tree. reflexivity. Qed.
Lemma nodes_are y n : Scapegoats.nodes (heap m') y = Some n -> In (inl y) new \/ exists n0, Scapegoats.nodes (heap m) y = Some n0 /\ Scapegoats.alive n = Scapegoats.alive n0.
Proof.
  intros E. destruct (Scapegoats.nodes (heap m) y) as [n0|] eqn:E0; [right; exists n0; split; auto; rewrite (nodes_mapped y n0 E0) in E; injection E as <-; reflexivity|]. left.
  simpl in E, E0. unfold heap_node in E, E0. rewrite (objects_mapped _ _ _ _ _ _ _ _ changed) in E. destruct (object_named m y) as [z|]; [simpl in E; destruct (is_node P (kind z)); discriminate|].
  unfold Changes.fresh_object in E. destruct node as [[n1 z1]|]; [|discriminate]. destruct (Nat.eqb_spec y n1) as [->|]; [|discriminate]. apply (new_node n1 z1 eq_refl).
Qed.
Lemma parts_are g r : Scapegoats.parts (heap m') g = Some r -> In (inr g) new \/ g <> f /\ exists r0, Scapegoats.parts (heap m) g = Some r0.
Proof.
  intros E. simpl in E. unfold heap_part in E. rewrite (parts_mapped _ _ _ _ _ _ _ _ changed) in E. destruct (Nat.eqb_spec g f) as [|N]; [discriminate|].
  destruct (part_named m g) as [p|] eqn:Ep.
  - right. split; auto. simpl in E |- *. unfold heap_part. rewrite Ep. destruct (nth_error sorts (symbol p)) as [[e|e]|]; try discriminate. eauto.
  - destruct (Nat.ltb_spec g (length (parts m))); [discriminate|]. destruct (fresh g) as [p|] eqn:Ef; [|discriminate]. left. eapply new_parts; eauto.
Qed.

Lemma leads_mapped v : leads m v -> leads m' (s v).
Proof.
  destruct v as [[| |t| |y i b]|g|g]; simpl; auto; try contradiction.
  - rewrite (objects_mapped _ _ _ _ _ _ _ _ changed). destruct (object_named m y); congruence.
  - intros N. destruct (Nat.eqb_spec g f) as [->|Ng]; [apply root_right|]. simpl. rewrite (parts_mapped _ _ _ _ _ _ _ _ changed). destruct (Nat.eqb_spec g f); [contradiction|]. destruct (part_named m g); congruence.
Qed.
Lemma readable_mapped v : readable m v -> readable m' (s v).
Proof.
  destruct v as [[| |t| |y i b]|g|g]; simpl; auto; try contradiction.
  intros N. destruct (Nat.eqb_spec g f) as [->|Ng]; [apply root_right|]. simpl. rewrite (parts_mapped _ _ _ _ _ _ _ _ changed). destruct (Nat.eqb_spec g f); [contradiction|]. destruct (part_named m g); congruence.
Qed.
Lemma fixed_mapped v w : fixed nu v = Some w -> s v = v.
Proof. destruct v; simpl; try discriminate; auto. Qed.
Lemma element_mapped g i w : fixed_element nu g i = Some w -> fixed_element nu (map_field s g) i = Some w.
Proof.
  unfold fixed_element. simpl. rewrite map_length. destruct (_ && _); auto. intros E. change forgotten with (s forgotten). rewrite map_nth, (fixed_mapped _ _ E). exact E.
Qed.
Lemma nth_mapped k fs : nth k (map (map_field s) fs) no_field = map_field s (nth k fs no_field).
Proof. change no_field with (map_field s no_field) at 1. apply map_nth. Qed.
Lemma object_here y z : object_named m y = Some z -> object_named m' y = Some (map_object s z).
Proof. intros E. rewrite (objects_mapped _ _ _ _ _ _ _ _ changed), E. reflexivity. Qed.

Lemma step_keeps : keeps P nu m m'.
Proof.
  split.
  - intros r v E H. rewrite slot_here, E. destruct v as [v|g|g]; try contradiction; reflexivity.
  - intros e z rows O N [K L E W El]. exists (map_object s z). split; [apply object_here; exact O|]. split; [|auto]. split; simpl; auto.
    + rewrite map_length. exact W.
    + intros g j B F. rewrite nth_mapped. apply element_mapped. auto.
Qed.
Lemma step_shaped : entry_shaped P nu m'.
Proof.
  destruct (inputs_shaped _ _ _ _ _ _ _ (right_inputs _ _ _ right)) as [A B C D]. split.
  - rewrite (place_kept _ _ _ _ _ _ _ _ changed). exact A.
  - rewrite (slots_mapped _ _ _ _ _ _ _ _ changed), map_length. exact B.
  - intros r L N. rewrite slot_here, (C r L N). reflexivity.
  - intros e count css may Od. destruct (D e count css may Od) as (z & O & [K L Be En W El]). exists (map_object s z). split; [apply object_here; exact O|]. split; simpl; auto.
    + rewrite map_length. exact W.
    + intros k fld c i Ek Bi. specialize (El k fld c i Ek Bi). rewrite nth_mapped. destruct c as [|t|es]; simpl in El |- *; try (apply element_mapped; exact El).
      destruct (nth_error es (Z.to_nat i)) as [[t|]|]; try (apply element_mapped; exact El). destruct El as (Li & z0 & Ez & Zz).
      rewrite map_length. split; auto. exists z0. split; auto. change forgotten with (s forgotten). rewrite map_nth, Ez. reflexivity.
Qed.
Lemma object_which y z' : object_named m' y = Some z' -> (exists z, object_named m y = Some z /\ z' = map_object s z) \/ object_named m y = None /\ exists z, node = Some (y, z) /\ z' = map_object s z.
Proof.
  rewrite (objects_mapped _ _ _ _ _ _ _ _ changed). destruct (object_named m y) as [z|]; [intros [= <-]; eauto|]. unfold Changes.fresh_object.
  destruct node as [[n z]|]; [|discriminate]. destruct (Nat.eqb_spec y n) as [->|]; [|discriminate]. simpl. intros [= <-]. eauto.
Qed.
Lemma step_built : buildable P sorts nu m'.
Proof.
  pose proof built as [Bo Bp Bs Bi]. split.
  - intros y z' E. destruct (object_which y z' E) as [(z & O & ->)|(_ & z & N & ->)]; [|apply (new_node y z N)].
    destruct (Bo y z O) as [R1 R2 R3 R4 R5 R6]. split; simpl; auto.
    + rewrite map_length. exact R2.
    + intros L k fld i Ek B. specialize (R6 L k fld i Ek B). rewrite nth_mapped. unfold element_right in *. destruct (Programs.holds fld).
      * destruct R6 as (w & F & Ww). exists w. split; auto. apply element_mapped. exact F.
      * simpl. rewrite map_length. destruct R6 as [Bk Le]. split; auto. change forgotten with (s forgotten). rewrite map_nth. apply leads_mapped. exact Le.
  - intros g p' E. destruct (Changes.part_cases _ _ _ _ _ _ _ _ changed g p' E) as [_ [(p & Ep & ->)|(L & p & Ep & ->)]]; [|eapply new_parts; eauto].
    destruct (Bp g p Ep) as (e & Es & N & Be & Al & Ab). exists e. simpl. rewrite Be, Al. repeat split; auto. apply leads_mapped. exact Ab.
  - intros r. rewrite slot_here. apply leads_mapped. auto.
  - intros r t E. rewrite slot_here in E. pose proof (Bs r) as Le. destruct (slot_at m r) as [v|g|g] eqn:S; simpl in E, Le; [injection E as ->; auto| |contradiction].
    destruct (Nat.eqb g f); [|discriminate]. exfalso. pose proof (comes _ (fun _ => eq_refl)) as R. rewrite E in R. simpl in R. inversion R.
Qed.
Lemma step_clean : clean m'.
Proof.
  destruct (right_clean _ _ _ right) as [C1 C2 C3]. split.
  - intros y z' E N. destruct (object_which y z' E) as [(z & O & ->)|(_ & z & Nz & ->)].
    + destruct (C1 y z O N) as (L & W & S). simpl. rewrite map_length. split; auto. split; auto. intros g I. apply in_map_iff in I as (h & <- & I). destruct (S h I) as (v & V & R).
      exists (s v). simpl. rewrite V. split; auto. apply readable_mapped. exact R.
    + destruct (new_node y z Nz) as (_ & _ & L & W & _ & S). simpl. rewrite map_length. split; auto. split; auto. intros g I. apply in_map_iff in I as (h & <- & I). destruct (S h I) as (v & V & R).
      exists (s v). simpl. rewrite V. auto.
  - intros p e I. rewrite slot_here. apply readable_mapped. eauto.
  - intros g p' E. destruct (Changes.part_cases _ _ _ _ _ _ _ _ changed g p' E) as [_ [(p & Ep & ->)|(L & p & Ep & ->)]]; simpl; [apply readable_mapped; eauto | eapply new_parts; eauto].
Qed.

Theorem step_right : exists vs' cs', entry_right m' vs' cs'.
Proof.
  destruct (trees_apart P well_given sorts nu phi m _ _ _ (inputs_presented _ _ _ _ _ _ _ (right_inputs _ _ _ right)) (incl_refl _)) as (ts & re & ar & R & Pm & Ar & Q).
  pose proof (inputs_once _ _ _ _ _ _ _ (right_inputs _ _ _ right)) as Nc. pose proof (Permutation_NoDup Pm Nc) as Nw.
  assert (Not : forall e y, object_named m e = Some y -> is_input P (kind y) = true -> ~ Scapegoats.is_there (heap m) (inl e)).
  { intros e y O N (n & E & _). simpl in E. unfold heap_node in E. rewrite O in E. apply input_is in N as (N & _). rewrite N in E. discriminate. }
  assert (V : Scapegoats.holds_inputs links (heap m) ts re).
  { exists [], [], []. rewrite app_nil_r. split; [rewrite entries_are; exact R|]. split; [constructor|]. split; [eapply Scapegoats.NoDup_left; exact Nw|].
    intros c Hc. pose proof (Permutation_in _ Pm (right_all _ _ _ right c Hc)) as I. apply in_app_or in I as [I|I]; auto.
    apply in_map_iff in I as (e & <- & I). destruct (Ar e I) as (y & Oy & Iy). destruct (Not e y Oy Iy Hc). }
  destruct (Unfolding.same_inputs links (heap m) (heap m') f _ rs new part_is nodes_mapped parts_mapped_so roots_mapped comes new_once new_cells nodes_are parts_are ts re V) as [V' All].
  assert (Al : Scapegoats.all_reached (heap m) re).
  { intros c Hc. pose proof (Permutation_in _ Pm (right_all _ _ _ right c Hc)) as I. apply in_app_or in I as [I|I]; auto.
    apply in_map_iff in I as (e & <- & I). destruct (Ar e I) as (y & Oy & Iy). destruct (Not e y Oy Iy Hc). }
  specialize (All Al). set (re' := flat_map (Unfolding.expand f new) re) in *. destruct V' as (gs & us & fp & R' & _ & Nd & _). rewrite entries_are in R'.
  destruct (Q m' step_keeps) as [_ F]. destruct (F ts re' R') as (vs' & cs' & Pr & Pm'). exists vs', cs'.
  assert (Apart : forall c, In c re' -> ~ In c (map (@inl nat nat) ar)).
  { intros c J I. apply in_map_iff in I as (e & <- & I). destruct (Ar e I) as (y & Oy & Iy). apply input_is in Iy as (Iy & _).
    pose proof (all_exist_here links (heap m') _ _ _ _ R' J) as K. simpl in K. unfold heap_node in K. rewrite (object_here e y Oy) in K. simpl in K. rewrite Iy in K. congruence. }
  split; [split|..].
  - exact step_shaped.
  - exact step_built.
  - exact Pr.
  - apply (Permutation_NoDup (Permutation_sym Pm')). apply NoDup_both; auto; [eapply Scapegoats.NoDup_left; exact Nd | eapply Scapegoats.NoDup_right; exact Nw].
  - exact step_clean.
  - intros c Hc. apply (Permutation_in _ (Permutation_sym Pm')). apply in_or_app. left. apply All. exact Hc.
Qed.
End Step.

(** ** NULL *)

Theorem closed_right m m' f q d vs cs : closes m m' f q -> nth_error sorts (symbol q) = Some (TreeOf d) -> trees phi (symbol q) = Empty ->
  entry_right m vs cs -> exists vs' cs', entry_right m' vs' cs'.
Proof.
  intros C E T R. pose proof (goes _ _ _ _ _ _ _ _ C) as Q. destruct (built_parts _ _ _ _ (inputs_built _ _ _ _ _ _ _ (right_inputs _ _ _ R)) f q Q) as (e & _ & _ & Be & _ & _).
  unfold closes in C. rewrite Be in C. eapply (step_right m m' f q (Plain Members.NullSlot)) with (new := []) (d := d); eauto.
  - intros a _. rewrite T. constructor.
  - constructor.
  - intros c [].
  - discriminate.
  - discriminate.
  - split; exact I.
Qed.

(** ** A node *)

Section Opened.
Variables m m' : member.
Variables (f : nat) (q : part) (n d : nat) (child : nat -> nat) (fresh : nat -> option part).
Variables (contents_ : list field_content) (fs : list Sorts.field).
Hypothesis is_declared : is_node P d = true.
Hypothesis opened : opens_tree m m' f q n d 0 child fresh contents_.
Hypothesis is_tree : nth_error sorts (symbol q) = Some (TreeOf d).
Hypothesis stands : trees phi (symbol q) = Node d 0 fs.
Hypothesis fit : Unfold.contents_fit sorts nu phi contents_ fs.
(** The fields are those of a node, integers in range; a tree below is of its link's sort, and handed nothing else. *)
Hypothesis of_links : Sorts.fields table (links d) fs.
Hypothesis in_range : forall k z, nth_error fs k = Some (Sorts.Integer z) -> value_in (field_type P d k) (Integer z).
Hypothesis children_right : forall k s0 y e, nth_error (links d) k = Some (Child s0) -> nth_error contents_ k = Some (HoldsTree y e) -> nth_error sorts y = Some (TreeOf s0) /\ e = AsIn (same_field table s0).
Variables (vs : list input_value) (cs : list Scapegoats.cell).
Hypothesis right : entry_right m vs cs.
Let changed : changes m m' f q (node_slot n 0) (node_slot n 0) (Some (n, node_state q d contents_ child (above q) (below q))) fresh := proj1 opened.
Let names : names_fresh m q n 0 contents_ child (above q) (below q) None fresh := proj2 opened.
Notation s := (onto f (node_slot n 0) (node_slot n 0)).
Notation slot_of := (Opening.field_slot q contents_ child (above q) (below q)).

(** What a field of the node holds, by its link. *)
Inductive held_by_link k : link -> field_content -> Sorts.field -> Prop :=
| data_held t : value_in (field_type P d k) (Integer (eval nu t)) -> held_by_link k Data (Holds (Plain (Members.IntegerSlot t))) (Sorts.Integer (eval nu t))
| child_held s0 y g : nth_error sorts y = Some (TreeOf s0) -> g = Scapegoats.given_by links s0 \/ trees phi y = Empty -> held_by_link k (Child s0) (HoldsTree y (AsIn None)) (Below g (trees phi y))
| up_held : held_by_link k Up HoldsUp (Sorts.Pointer Up)
| other_held : held_by_link k Other (Holds (Plain Members.NothingHeld)) (Sorts.Pointer Other)
| null_held : held_by_link k Sorts.Null (Holds (Plain Members.NullSlot)) (Sorts.Pointer Sorts.Null).
Lemma fields_at ls l : Sorts.fields table ls l -> length l = length ls /\ forall k x, nth_error ls k = Some x -> exists fl, nth_error l k = Some fl /\ fits table x fl.
Proof.
  induction 1 as [|x ls fl l F _ [L IH]]; [split; [reflexivity | intros [|k] ? [=]]|]. split; [simpl; congruence|]. intros [|k] y E; simpl in *; [injection E as <-; eauto | auto].
Qed.
Lemma contents_length : length contents_ = length (links d).
Proof. pose proof (Folding.Forall2_length _ _ _ fit) as L. rewrite map_length in L. rewrite L. apply (fields_at _ _ of_links). Qed.
Lemma content_held k c : nth_error contents_ k = Some c -> exists l fl, nth_error (links d) k = Some l /\ nth_error fs k = Some fl /\ held_by_link k l c fl.
Proof.
  intros E. destruct (nth_error (links d) k) as [l|] eqn:El; [|apply nth_error_None in El; rewrite <- contents_length in El; assert (k < length contents_)%nat by (apply nth_error_Some; congruence); lia].
  destruct (proj2 (fields_at _ _ of_links) k l El) as (fl & Ef & F). exists l, fl. split; [reflexivity|]. split; [exact Ef|].
  assert (C : content_is sorts nu phi c (OfField fl)).
  { destruct (Forall2_at _ _ _ _ _ (Forall2_flip _ _ _ fit) (map_nth_error OfField _ _ Ef)) as (c' & Ec & C). congruence. }
  pose proof (nodes_of_links _ _ formed d is_declared) as D. rewrite Forall_forall in D. specialize (D l (nth_error_In _ _ El)).
  inversion F; subst; simpl in D; try contradiction; inversion C; subst; try (match goal with A : points _ |- _ => destruct A end); try contradiction; try (constructor; fail).
  - constructor. apply in_range. exact Ef.
  - match type of El with _ = Some (Child ?s1) => assert (Ns : is_node P s1 = true) by (eapply (children_of_nodes _ _ formed); eapply nth_error_In; exact El); destruct (children_right _ _ _ _ El E) as [Es ->] end.
    assert (Nn : forall s1, is_node P s1 = true -> same_field table s1 = None).
    { intros s1 N. unfold same_field. rewrite (sorts_of_nodes _ _ formed s1 N). simpl. apply no_same_position, (nodes_of_links _ _ formed s1 N). }
    rewrite (Nn _ Ns) in *. constructor; [exact Es|]. match goal with A : _ = AsIn _ \/ _ |- _ => destruct A as [->|A]; [left | right; exact A] end.
    unfold Scapegoats.given_by. rewrite (no_same_position _ (nodes_of_links _ _ formed _ Ns)). reflexivity.
Qed.
Lemma node_here : object_named m' n = Some (map_object s (node_state q d contents_ child (above q) (below q))).
Proof. rewrite (objects_mapped _ _ _ _ _ _ _ _ changed), (node_fresh _ _ _ _ _ _ _ _ _ _ names). simpl. rewrite Nat.eqb_refl. reflexivity. Qed.
Lemma root_there : leads m' (node_slot n 0) /\ readable m' (node_slot n 0).
Proof. split; [simpl; rewrite node_here; discriminate | simpl; auto]. Qed.
Lemma part_before : (f < length (parts m))%nat.
Proof. apply (part_bound m f q). apply (goes _ _ _ _ _ _ _ _ changed). Qed.
Lemma child_here k y e : nth_error contents_ k = Some (HoldsTree y e) -> s (RootOf (child k)) = RootOf (child k) /\
  part_named m' (child k) = Some (map_part s (child_part q n 0 contents_ child (above q) (below q) y e)) /\ part_named m (child k) = None.
Proof.
  intros E. assert (L : (k < length contents_)%nat) by (apply nth_error_Some; congruence). pose proof (children_fresh _ _ _ _ _ _ _ _ _ _ names k L) as F. pose proof part_before as B.
  assert (N : Nat.eqb (child k) f = false) by (apply Nat.eqb_neq; lia). assert (No : part_named m (child k) = None) by (unfold part_named; apply nth_overflow; lia).
  split; [simpl; rewrite N; reflexivity|]. split; [|exact No]. rewrite (parts_mapped _ _ _ _ _ _ _ _ changed), N, No. destruct (Nat.ltb_spec (child k) (length (parts m))); [lia|].
  rewrite (children_made _ _ _ _ _ _ _ _ _ _ names k y e E). reflexivity.
Qed.
(** What its fields hold is there. *)
Lemma field_right k c : nth_error contents_ k = Some c -> exists l, nth_error (links d) k = Some l /\ readable m' (s (slot_of k)) /\ leads m' (s (slot_of k)) /\
  forall T, field_type P d k = IntegerType T -> exists z, fixed nu (s (slot_of k)) = Some (Integer z) /\ within T z.
Proof.
  intros E. destruct (content_held k c E) as (l & fl & El & _ & C). exists l. split; [exact El|].
  assert (Pt : link_fits (nth k (fields_in d) {| offset := 0; Programs.holds := PointerType |}) l).
  { destruct (Forall2_at _ _ _ _ _ (Forall2_flip _ _ _ (fields_of_nodes _ _ formed d is_declared)) El) as (fld & Ek & Lf). rewrite (nth_error_nth _ _ _ Ek). exact Lf. }
  assert (Ty : field_type P d k = Programs.holds (nth k (fields_in d) {| offset := 0; Programs.holds := PointerType |})).
  { unfold field_type. change PointerType with (Programs.holds {| offset := 0; Programs.holds := PointerType |}) at 1. apply map_nth. }
  assert (Sl : slot_of k = cell_slot q contents_ child (above q) (below q) k c) by (unfold Opening.field_slot; rewrite E; reflexivity). rewrite Sl.
  unfold link_fits in Pt. rewrite <- Ty in Pt.
  destruct C as [t V|s0 y g _ _| | |]; simpl cell_slot; simpl value.
  - split; [exact I|]. split; [exact I|]. intros U HU. simpl. eexists. split; [reflexivity|]. rewrite HU in V. exact V.
  - destruct (child_here k y _ E) as (Sc & Pc & _). rewrite Sc. simpl. rewrite Pc. split; [discriminate|]. split; [discriminate|]. intros U HU. rewrite HU in Pt. contradiction.
  - split; [apply (readable_mapped m m' f q _ _ _ _ changed root_there), (clean_parts _ (right_clean _ _ _ right) f q (goes _ _ _ _ _ _ _ _ changed))|].
    split; [|intros U HU; rewrite HU in Pt; contradiction]. apply (leads_mapped m m' f q _ _ _ _ changed root_there).
    destruct (built_parts _ _ _ _ (inputs_built _ _ _ _ _ _ _ (right_inputs _ _ _ right)) f q (goes _ _ _ _ _ _ _ _ changed)) as (e & _ & _ & _ & _ & A). exact A.
  - split; [exact I|]. split; [exact I|]. intros U HU. rewrite HU in Pt. contradiction.
  - split; [exact I|]. split; [exact I|]. intros U HU. rewrite HU in Pt. contradiction.
Qed.

Fixpoint kids k (l : list field_content) : list Scapegoats.cell := match l with
  | [] => [] | HoldsTree _ _ :: l => inr (child k) :: kids (S k) l | _ :: l => kids (S k) l end.
Lemma kids_in b l : forall k, In b (kids k l) -> exists j y e, nth_error l j = Some (HoldsTree y e) /\ b = inr (child (k + j)).
Proof.
  induction l as [|c l IH]; intros k I; [destruct I|]. assert (X : In b (kids (S k) l) -> exists j y e, nth_error (c :: l) j = Some (HoldsTree y e) /\ b = inr (child (k + j))).
  { intros J. destruct (IH (S k) J) as (j & y & e & E & ->). exists (S j), y, e. split; auto. f_equal. f_equal. lia. }
  destruct c; simpl in I; auto. destruct I as [<-|I]; auto. exists O, x, e. rewrite Nat.add_0_r. auto.
Qed.
Lemma kids_once l : forall k pre, contents_ = pre ++ l -> length pre = k -> NoDup (kids k l).
Proof.
  induction l as [|c l IH]; intros k pre E L; simpl; [constructor|].
  assert (Nx : NoDup (kids (S k) l)) by (apply (IH (S k) (pre ++ [c])); [rewrite <- app_assoc; exact E | rewrite app_length; simpl; lia]).
  destruct c; auto. constructor; auto. intros I. destruct (kids_in _ _ _ I) as (j & y & e' & Ej & Q). injection Q as Q.
  assert (Lc : (k < length contents_)%nat) by (rewrite E, app_length; simpl; lia).
  assert (Lj : (S k + j < length contents_)%nat) by (rewrite E, app_length; simpl; assert (j < length l)%nat by (apply nth_error_Some; congruence); lia).
  pose proof (children_apart _ _ _ _ _ _ _ _ _ _ names k (S k + j) Lc Lj Q). lia.
Qed.

Lemma fields_come a : (In Up (links d) -> heap_slot nu m (above q) = a) -> forall l k ls fields, length ls = length l -> length fields = length l ->
  (forall j, nth_error l j = nth_error contents_ (k + j)) -> (forall j, nth_error ls j = nth_error (links d) (k + j)) -> (forall j, nth_error fields j = nth_error fs (k + j)) ->
  Scapegoats.reads_fields links (heap m') n (Unfolding.onto f (heap_slot nu m' (node_slot n 0)) a) ls (map (fun j => heap_slot nu m' (s (slot_of j))) (seq k (length l))) fields (kids k l).
Proof.
  intros Ab l. induction l as [|c l IH]; intros k [|kk ls] [|fld fields] Lls Lf Ec Ek Ef; try discriminate; [constructor|].
  assert (IH' : Scapegoats.reads_fields links (heap m') n (Unfolding.onto f (heap_slot nu m' (node_slot n 0)) a) ls (map (fun j => heap_slot nu m' (s (slot_of j))) (seq (S k) (length l))) fields (kids (S k) l)).
  { apply IH; [injection Lls; auto | injection Lf; auto | | |]; intros j; rewrite plus_Sn_m, plus_n_Sm; [apply (Ec (S j)) | apply (Ek (S j)) | apply (Ef (S j))]. }
  specialize (Ec 0%nat). specialize (Ek 0%nat). specialize (Ef 0%nat). rewrite Nat.add_0_r in Ec, Ek, Ef. symmetry in Ec, Ek, Ef. simpl in Ec, Ek, Ef.
  assert (Sl : slot_of k = cell_slot q contents_ child (above q) (below q) k c) by (unfold Opening.field_slot; rewrite Ec; reflexivity).
  destruct (content_held k c Ec) as (l0 & fl0 & El0 & Ef0 & C). rewrite Ek in El0. injection El0 as <-. rewrite Ef in Ef0. injection Ef0 as <-.
  simpl length. simpl seq. simpl map. rewrite Sl. destruct C as [t V|s0 y g Es He| | |]; simpl cell_slot; simpl value; simpl kids.
  - simpl. constructor. exact IH'.
  - destruct (child_here k y _ Ec) as (Sc & Pc & _). rewrite Sc. simpl heap_slot. change (inr (child k) :: kids (S k) l) with ([@inr nat nat (child k)] ++ kids (S k) l).
    assert (Hp : Scapegoats.parts (heap m') (child k) = Some {| Scapegoats.stands_for := trees phi y; Scapegoats.part_sort := s0; Scapegoats.above := Scapegoats.SNode n |}).
    { simpl. unfold heap_part. rewrite Pc. simpl. rewrite Es. reflexivity. }
    constructor; [exact He | | exact IH']. pose proof (Scapegoats.reads_part links (heap m') (child k) (Scapegoats.SNode n) _ Hp) as R. apply R. auto.
  - rewrite (slot_mapped m) by (apply (clean_parts _ (right_clean _ _ _ right) f q (goes _ _ _ _ _ _ _ _ changed))).
    rewrite (Ab (nth_error_In _ _ Ek)). constructor. exact IH'.
  - simpl. constructor. exact IH'.
  - simpl. constructor. exact IH'.
Qed.

Lemma node_object_right : object_right P nu m' n (map_object s (node_state q d contents_ child (above q) (below q))).
Proof.
  pose proof contents_length as L. pose proof (Folding.Forall2_length _ _ _ (fields_of_nodes _ _ formed d is_declared)) as Lf. pose proof is_declared as N. unfold is_node in N. split; simpl.
  - lia.
  - rewrite !map_length, seq_length. congruence.
  - unfold is_local. destruct (origin_of _); auto; discriminate.
  - unfold is_static_at, is_static_declaration. destruct (origin_of _); discriminate.
  - auto.
  - intros _ k fld i Ek B. assert (i = 0) by lia. subst i. assert (Lk : (k < length contents_)%nat) by (rewrite L, <- Lf; apply nth_error_Some; congruence).
    destruct (nth_error contents_ k) as [c|] eqn:Ec; [|apply nth_error_None in Ec; lia]. destruct (field_right k c Ec) as (l & _ & _ & Le & Int).
    assert (Nk : nth k (map (map_field s) (map (fun k => {| apart := [slot_of k]; rest := None |}) (seq 0 (length contents_)))) no_field = {| apart := [s (slot_of k)]; rest := None |}).
    { rewrite map_map. apply (nth_seq (fun k => map_field s {| apart := [slot_of k]; rest := None |})). exact Lk. }
    rewrite Nk. assert (Ty : field_type P d k = Programs.holds fld) by (unfold field_type; apply nth_error_nth; rewrite nth_error_map, Ek; reflexivity).
    unfold element_right. destruct (Programs.holds fld) as [T|]; [|simpl; split; [lia | exact Le]].
    destruct (Int T Ty) as (z & F & W). exists z. split; [exact F | exact W].
Qed.
Theorem opened_right : exists vs' cs', entry_right m' vs' cs'.
Proof.
  pose proof contents_length as L. pose proof (goes _ _ _ _ _ _ _ _ changed) as Q.
  assert (Hn : Scapegoats.nodes (heap m') n = Some {| Scapegoats.sort := d; Scapegoats.alive := Scapegoats.Live; Scapegoats.slots := map (fun j => heap_slot nu m' (s (slot_of j))) (seq 0 (length contents_)) |}).
  { simpl. unfold heap_node. rewrite node_here. simpl. rewrite is_declared. f_equal. f_equal. rewrite !map_map. reflexivity. }
  apply (step_right m m' f q _ _ _ fresh changed vs cs right d is_tree (inl n :: kids 0 contents_)).
  - intros a Ab. rewrite stands. simpl heap_slot.
    pose proof (fields_come a Ab contents_ 0 (links d) fs (eq_sym L) (eq_trans (proj1 (fields_at _ _ of_links)) (eq_sym L)) (fun _ => eq_refl) (fun _ => eq_refl) (fun _ => eq_refl)) as R. simpl heap_slot in R.
    exact (Scapegoats.reads_node links (heap m') n _ _ fs _ Hn eq_refl R).
  - constructor; [|apply (kids_once contents_ 0 []); reflexivity]. intros I. destruct (kids_in _ _ _ I) as (j & y & e & _ & E). discriminate.
  - intros c [<-|I].
    + simpl. unfold heap_node. rewrite (node_fresh _ _ _ _ _ _ _ _ _ _ names). reflexivity.
    + destruct (kids_in _ _ _ I) as (j & y & e & E & ->). simpl. unfold heap_part. destruct (child_here j y e E) as (_ & _ & ->). reflexivity.
  - intros y z [= <- <-]. split; [simpl; auto|]. split; [exact is_declared|]. split; [reflexivity|]. split; [simpl; rewrite map_length, seq_length; exact L|]. split; [exact node_object_right|].
    intros g I. simpl in I. apply in_map_iff in I as (k & <- & I). apply in_seq in I. exists (slot_of k). split; [reflexivity|].
    destruct (nth_error contents_ k) as [c|] eqn:Ec; [|apply nth_error_None in Ec; lia]. destruct (field_right k c Ec) as (_ & _ & R & _). exact R.
  - intros g p Lg Eg. destruct (nothing_else _ _ _ _ _ _ _ _ _ _ names g p Lg Eg) as [E|[(k & y & e & E & -> & ->)|(k & y & e & E & _)]]; [discriminate| |].
    2: { destruct (content_held k _ E) as (l & fl & _ & _ & C). inversion C. }
    split; [right; clear - E; enough (X : forall l j, nth_error l k = Some (HoldsTree y e) -> In (inr (child (j + k))) (kids j l)) by (apply (X contents_ 0%nat E));
      clear E; revert k; intros k l; revert k; induction l as [|c l IH]; intros [|k] j E; simpl in E; try discriminate; [injection E as ->; simpl; rewrite Nat.add_0_r; auto|];
      specialize (IH k (S j) E); replace (j + S k)%nat with (S j + k)%nat by lia; destruct c; simpl; auto|].
    destruct (content_held k _ E) as (l & fl & El & _ & C). inversion C as [|s0 ? g Es He| | |]; subst. split; [|simpl; auto].
    exists s0. simpl. split; [exact Es|]. split; [eapply (children_of_nodes _ _ formed); eapply nth_error_In; exact El|]. split; [reflexivity|]. split; [reflexivity | rewrite node_here; discriminate].
  - exact root_there.
Qed.
End Opened.
End Kept.
