(** AddScapegoat on nodes (spec/calculus.md#addscapegoat): a member of which a node
    is left out holds inputs that are no larger, and smaller if the node was one of
    theirs.  All that is in its tables and live are the inputs, and further trees
    that nothing of them points to: what has hung from nodes that are left out. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Folding FoldedMembers Entries Planting Presented Loading Recognised Built Entering Roots Elements LeftNodes.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

(** ** Where a node is read *)

Section Read.
Variable links : nat -> list link.
Variable H : Scapegoats.heap.
Notation reads := (Scapegoats.reads links H).
Notation reads_fields := (Scapegoats.reads_fields links H).
Lemma node_read o n : Scapegoats.nodes H o = Some n ->
  (forall d s a t fp, reads d s a t fp -> In (inl o) fp -> exists a' fs fq, reads_fields o a' (links (Scapegoats.sort n)) (Scapegoats.slots n) fs fq) /\
  (forall y a ls ss fs fp, reads_fields y a ls ss fs fp -> In (inl o) fp -> exists a' fs fq, reads_fields o a' (links (Scapegoats.sort n)) (Scapegoats.slots n) fs fq).
Proof.
  intros N. apply Scapegoats.reads_ind'; try (intros; contradiction); auto.
  - intros q a n' fs fp N' _ R IH [[= ->]|I]; auto. rewrite N in N'. injection N' as <-. eauto.
  - intros p a q _ _ [I|[]]. discriminate.
  - intros q a s x g t fp ls ss fs fq _ _ IH1 _ IH2 I. apply in_app_or in I as [I|I]; auto.
Qed.
Lemma all_read o n es ts fp : Scapegoats.nodes H o = Some n -> Scapegoats.reads_all links H es ts fp -> In (inl o) fp ->
  exists a' fs fq, reads_fields o a' (links (Scapegoats.sort n)) (Scapegoats.slots n) fs fq.
Proof.
  intros N. induction 1 as [|d s a es t ts fp fq R _ IH]; intros I; [destruct I|]. apply in_app_or in I as [I|I]; auto. eapply (proj1 (node_read o n N)); eauto.
Qed.
Lemma child_read y a ls ss fs fp : reads_fields y a ls ss fs fp -> forall k s x, nth_error ls k = Some (Child s) -> nth_error ss k = Some x -> exists t fq, reads s x (Scapegoats.SNode y) t fq.
Proof.
  induction 1; intros [|k] s' x' E E'; simpl in E, E'; try discriminate; eauto. injection E as <-. injection E' as <-. eauto.
Qed.
Lemma all_both es es' ts ts' fp fp' : Scapegoats.reads_all links H es ts fp -> Scapegoats.reads_all links H es' ts' fp' -> Scapegoats.reads_all links H (es ++ es') (ts ++ ts') (fp ++ fp').
Proof. induction 1; simpl; auto. intros. rewrite <- app_assoc. constructor; auto. Qed.
Lemma all_exist_here es ts fp c : Scapegoats.reads_all links H es ts fp -> In c fp -> Unfolding.known_cell H c.
Proof. intros A. revert c. induction A as [|d s a es t ts fp fq R _ IH]; intros c I; [destruct I|]. apply in_app_or in I as [I|I]; auto. eapply (proj1 (Unfolding.reads_exist links H)); eauto. Qed.
End Read.
Lemma Forall2_flip {A B} (R : A -> B -> Prop) l l' : Forall2 R l l' -> Forall2 (fun b a => R a b) l' l.
Proof. induction 1; constructor; auto. Qed.
Lemma all_reads_same links H H' es ts fp : (forall o, Scapegoats.nodes H' o = Scapegoats.nodes H o) -> (forall f, Scapegoats.parts H' f = Scapegoats.parts H f) ->
  Scapegoats.reads_all links H es ts fp -> Scapegoats.reads_all links H' es ts fp.
Proof. intros N Q. induction 1; constructor; auto. apply (proj1 (reads_same links H H' N Q)). assumption. Qed.

Section Whole.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Hypothesis targets : targets_formed P.
Notation links := (links_of P).
Notation fields_in d := (layout_fields (layout_of_declaration P d)).
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning).
Notation heap := (heap_of P sorts nu phi).
Notation presents := (presents P sorts nu phi).
Notation weights := (weights nu phi).
Notation weight := (weight nu phi).
Notation holds_rows := (holds_rows P nu).
Notation holds_inputs := (holds_inputs P sorts nu phi).
Notation drops_node := (drops_node P).

Record holds_whole m vs cs : Prop := {
  whole_inputs : holds_inputs m vs cs;
  whole_tidy : tidy_nodes P nu m;
  whole_rest : exists garbage others fp, Scapegoats.reads_all links (heap m) garbage others fp /\ NoDup (cs ++ fp) /\
    forall c, Scapegoats.is_there (heap m) c -> In c (cs ++ fp) }.

(** ** The trees among the inputs *)

Definition tree_entries m (is : list input) := flat_map (fun i => match i with LinkedInput p d => [(d, heap_slot nu m (slot_at m p), Scapegoats.SNull)] | _ => [] end) is.
Lemma entries_are m : Scapegoats.entries (heap m) = tree_entries m (inputs P).
Proof. unfold Scapegoats.entries, tree_entries. simpl. induction (inputs P) as [|[] is IH]; simpl; auto. rewrite IH. reflexivity. Qed.

(** Registers that hold integers and pointers to arrays and single structs, and
    what these hold, stay. *)
Record keeps m m' : Prop := {
  kept_slots : forall r v, slot_at m r = v -> match v with Plain (Members.PointerSlot d _ _) => exists x, object_named m d = Some x /\ is_input P (kind x) = true | Plain _ => True | _ => False end -> slot_at m' r = v;
  kept_rows : forall d x rows, object_named m d = Some x -> is_input P (kind x) = true -> holds_rows d rows x ->
    exists x', object_named m' d = Some x' /\ holds_rows d rows x' /\ begins x' = begins x /\ ends x' = ends x }.
Lemma keeps_points m m' p d x rows : keeps m m' -> points_to nu m p d x -> holds_rows d rows x -> is_input P d = true ->
  exists x', points_to nu m' p d x' /\ holds_rows d rows x' /\ weight m' (inl d) = weight m (inl d).
Proof.
  intros K (i & S & O & E) H N. rewrite <- (rows_kind _ _ _ _ _ H) in N. destruct (kept_rows _ _ K d x rows O N H) as (x' & O' & H' & B' & E'). exists x'.
  split; [exists i; split; [apply (kept_slots _ _ K); [exact S|]; exists x; auto|] | split; [exact H'|]].
  - split; [exact O'|]. rewrite B'. exact E.
  - simpl. rewrite O, O', B', E'. reflexivity.
Qed.
Lemma keeps_integer m m' r z : keeps m m' -> holds_integer nu m r z -> holds_integer nu m' r z.
Proof. intros K (t & S & E). exists t. split; auto. apply (kept_slots _ _ K); simpl; auto. Qed.

Definition arrays_of m arrays := forall d, In d arrays -> exists x, object_named m d = Some x /\ is_input P (kind x) = true.
Lemma trees_apart m is vs cs : presents m is vs cs -> incl is (inputs P) -> exists ts reached arrays,
  Scapegoats.reads_all links (heap m) (tree_entries m is) ts reached /\ Permutation cs (reached ++ map inl arrays) /\ arrays_of m arrays /\
  forall m', keeps m m' -> weights m' (map inl arrays) = weights m (map inl arrays) /\ forall ts' reached', Scapegoats.reads_all links (heap m') (tree_entries m' is) ts' reached' ->
    exists vs' cs', presents m' is vs' cs' /\ Permutation cs' (reached' ++ map inl arrays).
Proof.
  induction 1 as [| r z is vs cs Hz W _ IH | p n d rows x is vs cs Hp Hx Hn Al _ IH | p d is vs cs Sp _ IH | p d row x is vs cs Hp Hx Fr _ IH | p d t fp is vs cs R _ IH]; intros Ic.
  - exists [], [], []. split; [constructor|]. split; auto. split; [intros d []|]. intros m' K. split; auto. intros ts' reached' R. inversion R; subst. exists [], []. split; [constructor | auto].
  - destruct (IH (fun i I => Ic i (or_intror I))) as (ts & re & ar & R & Pm & A & Q). exists ts, re, ar. repeat (split; [assumption|]). intros m' K. destruct (Q m' K) as [Ws F]. split; auto.
    intros ts' re' R'. destruct (F ts' re' R') as (vs' & cs' & Pr & Pm'). exists (IntegerValue z :: vs'), cs'. split; auto. constructor; auto. eapply keeps_integer; eauto.
  - destruct (IH (fun i I => Ic i (or_intror I))) as (ts & re & ar & R & Pm & A & Q). exists ts, re, (d :: ar).
    assert (N : is_input P d = true) by (eapply (arrays_inputs P well_given); apply Ic; simpl; auto).
    split; [exact R|]. split; [simpl; rewrite Pm; apply Permutation_middle|]. split.
    { intros e [<-|I]; auto. destruct Hp as (_ & _ & O & _). exists x. split; auto. rewrite (rows_kind _ _ _ _ _ Hx). exact N. }
    intros m' K. destruct (Q m' K) as [Ws F]. destruct (keeps_points m m' p d x rows K Hp Hx N) as (x' & Hp' & Hx' & Wd). split.
    { change (weights m' (map inl (d :: ar))) with (weight m' (inl d) + weights m' (map inl ar))%nat. rewrite Wd, Ws. reflexivity. }
    intros ts' re' R'. destruct (F ts' re' R') as (vs' & cs' & Pr & Pm'). exists (ArrayValue rows :: vs'), (inl d :: cs'). split.
    + econstructor; eauto. eapply keeps_integer; eauto.
    + simpl. rewrite Pm'. apply Permutation_middle.
  - destruct (IH (fun i I => Ic i (or_intror I))) as (ts & re & ar & R & Pm & A & Q). exists ts, re, ar. repeat (split; [assumption|]). intros m' K. destruct (Q m' K) as [Ws F]. split; auto.
    intros ts' re' R'. destruct (F ts' re' R') as (vs' & cs' & Pr & Pm'). exists (SingleValue None :: vs'), cs'. split; auto. constructor; auto. apply (kept_slots _ _ K); [exact Sp | exact I].
  - destruct (IH (fun i I => Ic i (or_intror I))) as (ts & re & ar & R & Pm & A & Q). exists ts, re, (d :: ar).
    assert (N : is_input P d = true) by (eapply (singles_inputs P well_given); apply Ic; simpl; auto).
    split; [exact R|]. split; [simpl; rewrite Pm; apply Permutation_middle|]. split.
    { intros e [<-|I]; auto. destruct Hp as (_ & _ & O & _). exists x. split; auto. rewrite (rows_kind _ _ _ _ _ Hx). exact N. }
    intros m' K. destruct (Q m' K) as [Ws F]. destruct (keeps_points m m' p d x [row] K Hp Hx N) as (x' & Hp' & Hx' & Wd). split.
    { change (weights m' (map inl (d :: ar))) with (weight m' (inl d) + weights m' (map inl ar))%nat. rewrite Wd, Ws. reflexivity. }
    intros ts' re' R'. destruct (F ts' re' R') as (vs' & cs' & Pr & Pm'). exists (SingleValue (Some row) :: vs'), (inl d :: cs'). split.
    + econstructor; eauto.
    + simpl. rewrite Pm'. apply Permutation_middle.
  - destruct (IH (fun i I => Ic i (or_intror I))) as (ts & re & ar & Ra & Pm & A & Q). exists (t :: ts), (fp ++ re), ar.
    split; [simpl; constructor; auto|]. split; [rewrite Pm, app_assoc; reflexivity|]. split; [exact A|]. intros m' K. destruct (Q m' K) as [Ws F]. split; auto.
    intros ts' re' R'. simpl in R'. inversion R' as [|d0 s0 a0 es0 t' ts0 fp' fq' R1 R2]; subst. destruct (F ts0 fq' R2) as (vs' & cs' & Pr & Pm').
    exists (LinkedValue (linked_of t') :: vs'), (fp' ++ cs'). split; [constructor; auto|]. rewrite Pm', app_assoc. reflexivity.
Qed.

(** A tree weighs what it has of nodes. *)
Lemma read_weights m : buildable P sorts nu m -> (forall d s a t fp, Scapegoats.reads links (heap m) d s a t fp -> weights m fp = tree_size t) /\
  (forall y a ls ss fs fp, Scapegoats.reads_fields links (heap m) y a ls ss fs fp -> weights m fp = fields_size fs).
Proof.
  intros B. apply Scapegoats.reads_ind'; auto.
  - intros o a n fs fp En _ R IH. simpl in En. unfold heap_node in En. destruct (object_named m o) as [x|] eqn:O; [|discriminate]. destruct (is_node P (kind x)) eqn:N; [|discriminate].
    destruct (right_node _ _ _ _ _ (built_objects _ _ _ _ B o x O) N) as [L U].
    change (weights m (inl o :: fp)) with (weight m (inl o) + weights m fp)%nat. unfold Loading.weight. rewrite O, L, U, IH. reflexivity.
  - intros p a q E _. unfold Loading.weights. simpl in *. unfold heap_part in E. destruct (part_named m p) as [r|]; [|discriminate].
    destruct (nth_error sorts (symbol r)) as [[d|d]|]; try discriminate. injection E as <-. simpl. lia.
  - intros o a s x e t fp ls ss fs fq _ _ IH1 _ IH2. rewrite weights_app, IH1, IH2. reflexivity.
Qed.
Lemma all_weights m es ts fp : buildable P sorts nu m -> Scapegoats.reads_all links (heap m) es ts fp -> weights m fp = Scapegoats.total ts.
Proof.
  intros B. induction 1 as [|d s a es t ts fp fq R _ IH]; auto. rewrite weights_app, IH, (proj1 (read_weights m B) _ _ _ _ _ R). reflexivity.
Qed.
Lemma weights_perm m cs cs' : Permutation cs cs' -> weights m cs = weights m cs'.
Proof. intros Pm. unfold Loading.weights. apply sum_perm. apply Permutation_map. exact Pm. Qed.

(** ** What leaving a node out does to objects *)

Section Dropped.
Variables (m : member) (o : nat) (x : object_state) (child : option nat) (heir : slot) (vs : list input_value) (cs : list Scapegoats.cell).
Hypothesis whole : holds_whole m vs cs.
Hypothesis is_there : object_named m o = Some x.
Hypothesis is_a_node : is_node P (kind x) = true.
Hypothesis is_live : life_of x = Live.
Hypothesis is_heir_of : heir_field (links (kind x)) (kind x) (contents x) child = Some heir.
Notation ls := (links (kind x)).
Notation up := (up_field ls (contents x)).
Notation m' := (without_node o heir up ls m).
Let built := inputs_built _ _ _ _ _ _ _ (whole_inputs _ _ _ whole).
Let tidy := whole_tidy _ _ _ whole.

Lemma field_slot k f : nth_error (contents x) k = Some f -> at_start nu (nth 0 (apart f) forgotten).
Proof.
  intros E. apply nth_error_In in E. pose proof (proj2 (nodes_single _ _ _ tidy o x is_there is_a_node)) as S. rewrite Forall_forall in S. destruct (S f E) as [v V].
  rewrite V. apply (node_slots _ _ _ tidy o x f v is_there is_a_node E). rewrite V. simpl. auto.
Qed.
Lemma pointer_leads k l f : nth_error ls k = Some l -> l <> Data -> nth_error (contents x) k = Some f -> leads m (nth 0 (apart f) forgotten).
Proof.
  intros El Nl Ef. pose proof (built_objects _ _ _ _ built o x is_there) as [_ _ _ _ No Ele]. destruct (No is_a_node) as [B E].
  destruct (Forall2_at _ _ _ _ _ (Forall2_flip _ _ _ (fields_of_nodes _ _ formed _ is_a_node)) El) as (fld & Ek & Lf). specialize (Ele is_live k fld 0 Ek ltac:(lia)).
  unfold element_right in Ele. rewrite (nth_error_nth _ _ _ Ef) in Ele. unfold link_fits in Lf. pose proof (nodes_of_links _ _ formed _ is_a_node) as D. rewrite Forall_forall in D. specialize (D l (nth_error_In _ _ El)).
  destruct l; simpl in D; try contradiction; destruct (Programs.holds fld); try contradiction; apply Ele.
Qed.
Lemma heir_right : at_start nu heir /\ leads m heir.
Proof.
  unfold heir_field in is_heir_of. destruct child as [k|]; [|injection is_heir_of as <-; simpl; auto]. destruct (nth_error ls k) as [[| |s| | | | | | | |]|] eqn:El; try discriminate.
  destruct (Nat.eqb s (kind x)); [|discriminate]. destruct (nth_error (contents x) k) as [f|] eqn:Ef; [|discriminate]. simpl in is_heir_of. injection is_heir_of as <-.
  split; [eapply field_slot; eauto | eapply pointer_leads; eauto; discriminate].
Qed.
Lemma up_right u : up = Some u -> at_start nu u /\ leads m u.
Proof.
  intros E. assert (X : exists k f, nth_error ls k = Some Up /\ nth_error (contents x) k = Some f /\ u = nth 0 (apart f) forgotten).
  { clear - E. revert E. generalize (contents x) as fs. generalize ls as l. induction l as [|k l IH]; intros [|f fs] E; simpl in E; try discriminate; [destruct k; discriminate|].
    assert (Y : up_field l fs = Some u -> exists k f, nth_error l k = Some Up /\ nth_error fs k = Some f /\ u = nth 0 (apart f) forgotten) by apply IH.
    destruct k; try (destruct (Y E) as (j & g & A & B & C); exists (S j), g; auto). injection E as <-. exists O, f. auto. }
  destruct X as (k & f & El & Ef & ->). split; [eapply field_slot; eauto | eapply pointer_leads; eauto; discriminate].
Qed.
(** What stands in the place of the node is NULL, or a tree of its kind. *)
Lemma heir_reads : heir = Plain Members.NullSlot \/ exists t fq, Scapegoats.reads links (heap m) (kind x) (heap_slot nu m heir) (Scapegoats.SNode o) t fq.
Proof.
  pose proof is_heir_of as Ih. unfold heir_field in Ih. destruct child as [k|]; [|injection Ih as <-; auto]. right. destruct (nth_error ls k) as [[| |s| | | | | | | |]|] eqn:El; try discriminate.
  destruct (Nat.eqb_spec s (kind x)) as [->|]; [|discriminate]. destruct (nth_error (contents x) k) as [f|] eqn:Ef; [|discriminate]. simpl in Ih. injection Ih as Eh.
  destruct (whole_rest _ _ _ whole) as (gs & us & fp & Rg & _ & Cov).
  destruct (trees_apart m _ _ _ (inputs_presented _ _ _ _ _ _ _ (whole_inputs _ _ _ whole)) (incl_refl _)) as (ts & re & ar & R & Pm & Ar & _).
  pose proof (node_there P sorts nu phi m o x is_there is_a_node) as No.
  assert (I : In (inl o) (cs ++ fp)) by (apply Cov; exists (dropped_node nu m x); split; [exact No | simpl; rewrite is_live; reflexivity]).
  assert (Rd : exists a' fs fq, Scapegoats.reads_fields links (heap m) o a' (links (Scapegoats.sort (dropped_node nu m x))) (Scapegoats.slots (dropped_node nu m x)) fs fq).
  { apply in_app_or in I as [I|I]; [|exact (all_read links (heap m) o _ _ _ _ No Rg I)]. apply (Permutation_in _ Pm) in I. apply in_app_or in I as [I|I]; [exact (all_read links (heap m) o _ _ _ _ No R I)|].
    apply in_map_iff in I as (d & [= ->] & I). destruct (Ar o I) as (y0 & Oy & Iy). rewrite is_there in Oy. injection Oy as <-. apply input_is in Iy as (Iy & _). congruence. }
  destruct Rd as (a' & fs & fq & Rd). simpl in Rd. apply (child_read _ _ _ _ _ _ _ _ Rd k (kind x) (heap_slot nu m heir) El).
  rewrite nth_error_map, Ef. simpl. rewrite Eh. reflexivity.
Qed.
Lemma heir_kind y z : is_heir heir y = true -> object_named m y = Some z -> kind z = kind x.
Proof.
  intros Hy Oz. destruct heir_right as [Right _]. unfold is_heir in Hy. destruct heir_reads as [E|(t & fq & Rh)]; [rewrite E in Hy; discriminate|].
  destruct heir as [[| |t0| |q i b]|g|g]; try discriminate. apply Nat.eqb_eq in Hy. subst q. destruct Right as [Ei Eb].
  rewrite (start_slot nu m y i b Ei Eb) in Rh. apply Scapegoats.reads_node_inv in Rh as (n & fs' & gp & Nn & _ & Sn & _). simpl in Nn. unfold heap_node in Nn. rewrite Oz in Nn.
  destruct (is_node P (kind z)); [|discriminate]. injection Nn as <-. exact Sn.
Qed.
Lemma heir_no_integer t : heir <> Plain (Members.IntegerSlot t).
Proof. intros E. destruct heir_reads as [E'|(u & fq & R)]; [congruence|]. rewrite E in R. simpl in R. inversion R. Qed.

Lemma fixed_image v w : fixed nu v = Some w -> image o heir v = v.
Proof. destruct v as [[]| |]; simpl; try discriminate; auto. Qed.
Lemma element_image f i w : fixed_element nu f i = Some w -> fixed_element nu (image_field o heir f) i = Some w.
Proof.
  unfold fixed_element. simpl. rewrite map_length. destruct (_ && _); auto. intros E. change forgotten with (image o heir forgotten). rewrite map_nth, (fixed_image _ _ E). exact E.
Qed.
Lemma nth_image k fs : nth k (map (image_field o heir) fs) no_field = image_field o heir (nth k fs no_field).
Proof. change no_field with (image_field o heir no_field) at 1. apply map_nth. Qed.
Lemma not_heir d z : object_named m d = Some z -> is_node P (kind z) = false -> is_heir heir d = false.
Proof. intros O N. destruct (is_heir heir d) eqn:E; auto. rewrite (heir_kind d z E O) in N. congruence. Qed.
Lemma not_dropped d z : object_named m d = Some z -> is_node P (kind z) = false -> Nat.eqb d o = false.
Proof. intros O N. apply Nat.eqb_neq. intros ->. congruence. Qed.
Lemma other_object d z : object_named m d = Some z -> is_node P (kind z) = false ->
  object_named m' d = Some {| kind := kind z; life_of := life_of z; begins := begins z; ends := ends z; contents := map (image_field o heir) (contents z) |}.
Proof.
  intros O N. rewrite without_object, O. simpl. unfold object_without. rewrite (not_heir d z O N), (not_dropped d z O N). reflexivity.
Qed.
Lemma drop_keeps : keeps m m'.
Proof.
  split.
  - intros r v E H. rewrite without_slot, E. destruct v as [[| |t| |d i b]|f|f]; try contradiction; auto. destruct H as (z & O & N). apply input_is in N as (N & _).
    simpl. rewrite (not_dropped d z O N). reflexivity.
  - intros d z rows O N [K L E W El]. pose proof N as N'. apply input_is in N' as (N' & _). eexists. split; [apply (other_object d z O N')|]. split; [|auto]. split; simpl; auto.
    + rewrite map_length. exact W.
    + intros f j B F. rewrite nth_image. apply element_image. auto.
Qed.
Lemma drop_shaped : entry_shaped P nu m'.
Proof.
  destruct (inputs_shaped _ _ _ _ _ _ _ (whole_inputs _ _ _ whole)) as [A B C D]. split.
  - exact A.
  - simpl. rewrite map_length. exact B.
  - intros r L N. rewrite without_slot, (C r L N). reflexivity.
  - intros d count css may Od. destruct (D d count css may Od) as (z & O & [K L Be En W El]). assert (N : is_node P (kind z) = false) by (rewrite K; unfold is_node; rewrite Od; reflexivity).
    eexists. split; [apply (other_object d z O N)|]. split; simpl; auto.
    + rewrite map_length. exact W.
    + intros k fld c i Ek Bi. specialize (El k fld c i Ek Bi). rewrite nth_image. destruct c as [|t|es]; simpl in El |- *; try (apply element_image; exact El).
      destruct (nth_error es (Z.to_nat i)) as [[t|]|] eqn:Ee; try (apply element_image; exact El). destruct El as (Li & z0 & Ez & Zz).
      rewrite map_length. split; auto. exists z0. split; auto. change forgotten with (image o heir forgotten). rewrite map_nth, Ez. simpl.
      assert (St : is_static_at P t = true) by (eapply targets; [exact Od | eapply in_combine_r, nth_error_In; exact Ek | eapply nth_error_In; exact Ee]).
      destruct (Nat.eqb_spec t o) as [->|]; auto. unfold is_static_at, is_static_declaration in St. destruct (origin_of (declaration_of P o)) as [|ct css' may'| | |] eqn:Oo; try discriminate.
      destruct (D o ct css' may' Oo) as (y & Oy & Ky). rewrite is_there in Oy. injection Oy as <-. rewrite <- (static_kind _ _ _ _ _ _ Ky) in Oo. unfold is_node in is_a_node. rewrite Oo in is_a_node. discriminate.
Qed.
Lemma image_leads v : leads m v -> leads m' (image o heir v).
Proof.
  assert (There : forall u, leads m u -> leads m' u).
  { intros u. destruct u as [[| |t| |q i b]|f|f]; simpl; auto.
    - rewrite without_object. destruct (object_named m q); simpl; congruence.
    - rewrite without_part. destruct (part_named m f); simpl; congruence. }
  intros L. destruct v as [[| |t| |q i b]|f|f]; try (apply There; exact L). simpl. destruct (Nat.eqb q o); apply There; auto. apply heir_right.
Qed.
Lemma same_leads u : leads m u -> leads m' u.
Proof.
  destruct u as [[| |t| |q i b]|f|f]; simpl; auto.
  - rewrite without_object. destruct (object_named m q); simpl; congruence.
  - rewrite without_part. destruct (part_named m f); simpl; congruence.
Qed.
Lemma filled_length l u fs : length (filled l u fs) = length fs.
Proof. revert fs. induction l as [|k l IH]; intros [|f fs]; simpl; auto. Qed.
Lemma nth_filled u l : forall fs k, nth k (filled l u fs) no_field = match nth_error l k with
  | Some Up => if Nat.ltb k (length fs) then {| apart := map (fun _ => u) (apart (nth k fs no_field)); rest := rest (nth k fs no_field) |} else no_field
  | _ => nth k fs no_field end.
Proof.
  induction l as [|j l IH]; intros [|f fs] k; simpl.
  - destruct k; reflexivity.
  - destruct k; reflexivity.
  - destruct k; simpl; [destruct j; reflexivity|]. destruct (nth_error l k) as [[]|]; reflexivity.
  - destruct k as [|k]; simpl; [destruct j; reflexivity|]. rewrite IH. reflexivity.
Qed.
Lemma drop_built : buildable P sorts nu m'.
Proof.
  pose proof built as [Bo Bp Bs Bi]. split.
  - intros y z' E. rewrite without_object in E. destruct (object_named m y) as [z|] eqn:O; [|discriminate]. simpl in E. injection E as <-. pose proof same_leads as SL. pose proof image_leads as IL. pose proof up_right as UR. set (mm := m') in SL, IL |- *. clearbody mm.
    destruct (Bo y z O) as [R1 R2 R3 R4 R5 R6]. split; simpl; auto.
    + destruct (is_heir heir y); [|rewrite map_length; exact R2]. unfold hung. destruct (up_field ls (contents x)); rewrite ?filled_length, map_length; exact R2.
    + intros L k fld i Ek B. assert (Lz : life_of z = Live) by (destruct (Nat.eqb y o); [discriminate | exact L]). specialize (R6 Lz k fld i Ek B).
      assert (Im : element_right nu mm fld (image_field o heir (nth k (contents z) no_field)) i).
      { unfold element_right in *. destruct (Programs.holds fld).
        - destruct R6 as (w & F & Ww). exists w. split; auto. apply element_image. exact F.
        - simpl. rewrite map_length. destruct R6 as [Bk Le]. split; auto. change forgotten with (image o heir forgotten). rewrite map_nth. apply IL. exact Le. }
      destruct (is_heir heir y) eqn:Hy; [|rewrite nth_image; exact Im]. unfold hung. destruct (up_field ls (contents x)) as [u|] eqn:Eu; [|rewrite nth_image; exact Im].
      rewrite nth_filled, nth_image. destruct (nth_error ls k) as [[]|] eqn:El; try exact Im. rewrite map_length.
      pose proof (heir_kind y z Hy O) as Kz. assert (Lk : (k < length (contents z))%nat) by (rewrite R2; apply nth_error_Some; congruence). apply Nat.ltb_lt in Lk. rewrite Lk.
      pose proof (fields_of_nodes _ _ formed _ is_a_node) as Fl. rewrite <- Kz in Fl at 1. destruct (Forall2_at _ _ _ _ _ Fl Ek) as (l & El' & Lf). rewrite El in El'. injection El' as <-.
      unfold link_fits in Lf. unfold element_right in *. destruct (Programs.holds fld); [contradiction|]. simpl in *. rewrite !map_length in *. destruct Im as [Bk Le]. split; auto.
      rewrite (nth_indep _ _ u) by (rewrite !map_length; lia). replace (nth (Z.to_nat i) (map (fun _ : slot => u) (map (image o heir) (apart (nth k (contents z) no_field)))) u) with u.
      * apply SL. apply (UR u). reflexivity.
      * symmetry. set (f0 := fun _ : slot => u). change u with (f0 u). apply map_nth.
  - intros f q' E. rewrite without_part in E. destruct (part_named m f) as [q|] eqn:Q; [|discriminate]. simpl in E. injection E as <-. pose proof same_leads as SL. pose proof image_leads as IL. pose proof up_right as UR. set (mm := m') in SL, IL |- *. clearbody mm.
    destruct (Bp f q Q) as (d & Es & N & Be & Al & Ab). exists d. simpl. rewrite Be, Al. repeat split; auto.
    destruct (is_heir_part heir f); [destruct (up_field ls (contents x)) as [u|] eqn:Eu|]; try (apply IL; exact Ab). apply SL. apply (UR u). reflexivity.
  - intros r. rewrite without_slot. apply image_leads. auto.
  - intros r t E. rewrite without_slot in E. destruct (slot_at m r) as [[| |t'| |q i b]|f|f] eqn:S; simpl in E; try discriminate; [injection E as ->; auto|].
    destruct (Nat.eqb q o); [|discriminate]. destruct (heir_no_integer t E).
Qed.
Lemma image_start v : at_start nu v -> at_start nu (image o heir v).
Proof. destruct v as [[| |t| |q i b]|f|f]; simpl; auto. intros H. destruct (Nat.eqb q o); [apply heir_right | exact H]. Qed.
Lemma filled_single u l : forall fs, Forall single fs -> Forall single (filled l u fs).
Proof.
  induction l as [|k l IH]; intros fs F; [exact F|]. destruct F as [|f fs [v V] F]; simpl; constructor; auto. unfold fill_field. destruct k; try (exists v; exact V). exists u. simpl. rewrite V. reflexivity.
Qed.
Lemma filled_slot u l : forall fs f v, In f (filled l u fs) -> In v (apart f) -> v = u \/ exists f', In f' fs /\ In v (apart f').
Proof.
  induction l as [|k l IH]; intros [|f0 fs] f v If Iv; simpl in If; try contradiction; [eauto|]. destruct If as [<-|If].
  - unfold fill_field in Iv. destruct k; try (right; exists f0; simpl; auto; fail). left. simpl in Iv. apply in_map_iff in Iv as (w & <- & _). reflexivity.
  - destruct (IH fs f v If Iv) as [->|(f' & I & J)]; auto. right. exists f'. simpl. auto.
Qed.
Lemma drop_tidy : tidy_nodes P nu m'.
Proof.
  pose proof tidy as [T1 T2 T3 T4]. pose proof image_start as IS. pose proof up_right as UR. split.
  - intros y z' E N. rewrite without_object in E. destruct (object_named m y) as [z|] eqn:O; [|discriminate]. simpl in E. injection E as <-. simpl in N |- *.
    destruct (T1 y z O N) as [L S]. destruct (is_heir heir y).
    + unfold hung. destruct (up_field ls (contents x)); rewrite ?filled_length, map_length; split; auto; try apply filled_single; apply image_single; exact S.
    + rewrite map_length. split; auto. apply image_single. exact S.
  - intros y z' f v E N If Iv. rewrite without_object in E. destruct (object_named m y) as [z|] eqn:O; [|discriminate]. simpl in E. injection E as <-. simpl in N, If.
    assert (Im : forall f v, In f (map (image_field o heir) (contents z)) -> In v (apart f) -> at_start nu v).
    { intros g w Ig Iw. apply in_map_iff in Ig as (h & <- & Ih). simpl in Iw. apply in_map_iff in Iw as (u & <- & Iu). apply IS. eapply T2; eauto. }
    destruct (is_heir heir y); [|eapply Im; eauto]. unfold hung in If. destruct (up_field ls (contents x)) as [u|]; [|eapply Im; eauto].
    destruct (filled_slot u ls _ f v If Iv) as [->|(f' & I & J)]; [apply (UR u); reflexivity | eapply Im; eauto].
  - intros p d I. rewrite without_slot. apply IS. eapply T3; eauto.
  - intros f q' E. rewrite without_part in E. destruct (part_named m f) as [q|] eqn:Q; [|discriminate]. simpl in E. injection E as <-. simpl.
    destruct (is_heir_part heir f); [destruct (up_field ls (contents x)) as [u|]|]; try (apply IS; eapply T4; eauto; fail). apply (UR u). reflexivity.
Qed.
Lemma drop_entries : Scapegoats.entries (Scapegoats.replaced links (heap m) o (dropped_node nu m x) (heap_slot nu m heir)) = tree_entries m' (inputs P).
Proof.
  unfold Scapegoats.entries, tree_entries. simpl Scapegoats.roots. rewrite map_map. assert (X : forall is, incl is (inputs P) ->
    map (fun r : nat * Scapegoats.slot => (fst r, Scapegoats.rename o (heap_slot nu m heir) (snd r), Scapegoats.SNull)) (flat_map (linked_root nu m) is) =
    flat_map (fun i => match i with LinkedInput p d => [(d, heap_slot nu m' (slot_at m' p), Scapegoats.SNull)] | _ => [] end) is); [|apply X, incl_refl].
  induction is as [|i is IH]; intros I; auto. simpl. rewrite map_app, IH by (intros j J; apply I; simpl; auto). f_equal. destruct i; auto. simpl.
  rewrite heap_slot_same, without_slot, (image_slot nu m o heir); auto. eapply (root_slots _ _ _ tidy). apply I. simpl. auto.
Qed.
Lemma array_not_there d y : object_named m d = Some y -> is_input P (kind y) = true -> ~ Scapegoats.is_there (heap m) (inl d).
Proof. intros O N (n & E & _). simpl in E. unfold heap_node in E. rewrite O in E. apply input_is in N as (N & _). rewrite N in E. discriminate. Qed.

Theorem node_left : exists vs' cs', holds_whole m' vs' cs' /\ (weights m' cs' <= weights m cs)%nat /\ (In (inl o) cs -> (weights m' cs' < weights m cs)%nat).
Proof.
  destruct (trees_apart m _ _ _ (inputs_presented _ _ _ _ _ _ _ (whole_inputs _ _ _ whole)) (incl_refl _)) as (ts & re & ar & R & Pm & Ar & Q).
  destruct (whole_rest _ _ _ whole) as (gs & us & fp & Rg & Nd & Cov).
  assert (Pw : Permutation (cs ++ fp) (map inl ar ++ re ++ fp)) by (rewrite Pm, app_assoc; apply Permutation_app_tail, Permutation_app_comm).
  pose proof (Permutation_NoDup Pw Nd) as Nw. pose proof (Scapegoats.NoDup_right _ _ _ Nw) as Nr. pose proof (Scapegoats.NoDup_left _ _ _ Nw) as Na.
  assert (V : Scapegoats.holds_inputs links (heap m) ts re).
  { exists gs, us, fp. split; [rewrite entries_are; exact R|]. split; [exact Rg|]. split; [exact Nr|]. intros c Hc. pose proof (Permutation_in _ Pw (Cov c Hc)) as I.
    apply in_app_or in I as [I|I]; auto. apply in_map_iff in I as (d & <- & I). destruct (Ar d I) as (y & Oy & Iy). destruct (array_not_there d y Oy Iy Hc). }
  pose proof (drop_is P sorts nu phi m o x heir is_there is_a_node (proj1 heir_right) child is_live is_heir_of) as D.
  destruct (Scapegoats.drop_sound links (heap m) o child _ ts re D V) as (ts' & re' & (gs' & us' & fp' & R' & Rg' & Nd' & Cov') & Le & Lt).
  pose proof (nodes_replaced P sorts nu phi m o x heir tidy (proj1 heir_right)) as En. pose proof (parts_replaced P sorts nu phi m o x heir tidy (proj1 heir_right)) as Ep.
  rewrite drop_entries in R'. apply (all_reads_same links _ (heap m') _ _ _ En Ep) in R', Rg'.
  destruct (Q m' drop_keeps) as [Ws F]. destruct (F ts' re' R') as (vs' & cs' & Pr & Pm'). exists vs', cs'.
  assert (There : forall c, Scapegoats.is_there (heap m') c -> In c (re' ++ fp')).
  { intros c Hc. apply Cov'. destruct c as [y|f]; simpl in Hc |- *; destruct Hc as (n & Hn); [destruct Hn as [Hn Al]; exists n; split; auto; rewrite <- Hn; symmetry; apply En | exists n; rewrite <- Hn; symmetry; apply Ep]. }
  assert (Known : forall c, In c (re' ++ fp') -> Unfolding.known_cell (heap m') c).
  { intros c I. apply in_app_or in I as [I|I]; [eapply all_exist_here; [exact R' | exact I] | eapply all_exist_here; [exact Rg' | exact I]]. }
  assert (Apart : forall c, In c (map (@inl nat nat) ar) -> ~ In c (re' ++ fp')).
  { intros c I J. apply in_map_iff in I as (d & <- & I). destruct (Ar d I) as (y & Oy & Iy). apply input_is in Iy as (Iy & _). apply (Known _ J). simpl. unfold heap_node.
    rewrite (other_object d y Oy Iy). simpl. rewrite Iy. reflexivity. }
  assert (Pw' : Permutation (cs' ++ fp') (map inl ar ++ re' ++ fp')) by (rewrite Pm', app_assoc; apply Permutation_app_tail, Permutation_app_comm).
  assert (Nc : NoDup (cs' ++ fp')) by (apply (Permutation_NoDup (Permutation_sym Pw')); apply NoDup_both; auto).
  split; [split|].
  - split; [apply drop_shaped | apply drop_built | exact Pr | eapply Scapegoats.NoDup_left; exact Nc].
  - apply drop_tidy.
  - exists gs', us', fp'. split; [exact Rg'|]. split; [exact Nc|]. intros c Hc. apply (Permutation_in _ (Permutation_sym Pw')). apply in_or_app. right. apply There. exact Hc.
  - assert (W : weights m cs = (Scapegoats.total ts + weights m (map inl ar))%nat) by (rewrite (weights_perm m _ _ Pm), weights_app, (all_weights m _ _ _ built R); reflexivity).
    assert (W' : weights m' cs' = (Scapegoats.total ts' + weights m (map inl ar))%nat) by (rewrite (weights_perm m' _ _ Pm'), weights_app, (all_weights m' _ _ _ drop_built R'), Ws; reflexivity).
    split; [lia|]. intros I. apply (Permutation_in _ Pm) in I. apply in_app_or in I as [I|I]; [specialize (Lt I); lia|].
    apply in_map_iff in I as (d & [= ->] & I). destruct (Ar o I) as (y & Oy & Iy). rewrite is_there in Oy. injection Oy as <-. apply input_is in Iy as (Iy & _). congruence.
Qed.
End Dropped.
End Whole.
