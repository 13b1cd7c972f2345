(** AddScapegoat (spec/calculus.md#addscapegoat): elements and nodes are left out
    of the entry one after the other, and integers given; what is left holds inputs
    that are smaller if anything is left out, and may be added. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Folding FoldedMembers Configurations Entries Derivations Entered Planting Presented Loading Recognised Built Entering Roots Elements LeavingOut LeftNodes Whole.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

Section Leaving.
Variable P : program.
Variable table : nat -> sort_of_trees.
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Hypothesis contents_right : contents_formed P.
Hypothesis targets : targets_formed P.
Hypothesis locals : locals_formed P.

Definition given_integer m r t := {| place_of := place_of m; slots := replace (slots m) r (Plain (Members.IntegerSlot t)); named := named m; parts := parts m |}.

(** ** What is left *)

Section Valuation.
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning).
Notation heap := (heap_of P sorts nu phi).
Notation holds_inputs := (holds_inputs P sorts nu phi).
Notation holds_whole := (holds_whole P sorts nu phi).
Notation weights := (weights nu phi).
Definition nothing_else m cs := forall b, Scapegoats.is_there (heap m) b -> In b cs.

Lemma presented_roots m is vs cs : presents P sorts nu phi m is vs cs -> forall p d, In (LinkedInput p d) is -> at_start nu (slot_at m p).
Proof.
  induction 1 as [| | | | | p d t fp is vs cs R _ IH]; intros q e I; simpl in I; try contradiction; try (destruct I as [I|I]; [discriminate | eauto]).
  destruct I as [[= -> ->]|I]; [|eauto]. destruct (slot_at m q) as [[| |t'| |y i b]|f|f]; simpl in R |- *; auto.
  destruct (Z.eqb_spec (eval nu i) 0), (Z.eqb_spec b 0); simpl in R; auto; apply Scapegoats.reads_part_inv in R as (r & E & _); simpl in E; unfold heap_part, part_named in E;
  rewrite nth_overflow in E by auto; discriminate.
Qed.
(** Where registers and arrays change, heaps do not. *)
Lemma changed_whole m m' rs ds vs vs' cs : changed P m m' rs ds -> holds_whole m vs cs -> holds_inputs m' vs' cs ->
  holds_whole m' vs' cs /\ (nothing_else m cs -> nothing_else m' cs).
Proof.
  intros Ch [Hi [T1 T2 T3 T4] (gs & us & fp & R & Nd & Cov)] Hi'.
  pose proof (node_same P sorts nu phi m m' rs ds Ch) as En. pose proof (heap_part_same P sorts nu phi m m' rs ds Ch) as Ep.
  assert (There : forall b, Scapegoats.is_there (heap m') b -> Scapegoats.is_there (heap m) b).
  { intros [y|f] (n & Hn); [destruct Hn as [Hn Al]; rewrite En in Hn; exists n; auto | rewrite Ep in Hn; exists n; auto]. }
  split; [|intros F b Hb; apply F, There; exact Hb].
  assert (Same : forall y z, object_named m' y = Some z -> is_node P (kind z) = true -> object_named m y = Some z).
  { intros y z E N. destruct (in_dec Nat.eq_dec y ds) as [I|I]; [|rewrite <- (other_objects _ _ _ _ _ Ch y I); exact E].
    destruct (input_objects _ _ _ _ _ Ch y I) as (w & w' & _ & E' & K & Ni). rewrite E in E'. injection E' as <-. rewrite K in N. apply input_is in Ni as (Ni & _). congruence. }
  split; [exact Hi'| |].
  - split; [eauto | eauto | |].
    + intros p d I. eapply presented_roots; [apply (inputs_presented _ _ _ _ _ _ _ Hi') | exact I].
    + intros f q E. rewrite (part_same P m m' rs ds Ch) in E. eauto.
  - exists gs, us, fp. split; [eapply all_reads_same; eauto|]. split; auto.
Qed.
Lemma given_changed m r t : length (slots m) = length (registers P) -> In (IntegerInput r) (inputs P) -> changed P m (given_integer m r t) [r] [] /\ slot_at (given_integer m r t) r = Plain (Members.IntegerSlot t).
Proof.
  intros L I. assert (Lr : (r < length (slots m))%nat) by (rewrite L; apply (registers_exist P well_given), in_flat_map; exists (IntegerInput r); simpl; auto).
  split; [split|]; auto.
  - simpl. apply replace_length.
  - intros q N. unfold slot_at. simpl. rewrite nth_replace. destruct (Nat.eqb_spec q r) as [->|]; [destruct N; simpl; auto | reflexivity].
  - intros o [].
  - unfold slot_at. simpl. rewrite nth_replace, Nat.eqb_refl. apply Nat.ltb_lt in Lr. rewrite Lr. reflexivity.
Qed.
Lemma last_whole m p n d t x vs cs : In (ArrayInput p n d) (inputs P) -> slot_at m n = Plain (Members.IntegerSlot t) -> object_named m d = Some x -> eval nu (begins x) < eval nu (ends x) -> holds_whole m vs cs ->
  exists vs', holds_whole (last_left_out m p n d t x) vs' cs /\ (weights (last_left_out m p n d t x) cs + 1 = weights m cs)%nat.
Proof.
  intros I Sn O B W. pose proof (whole_inputs _ _ _ _ _ _ _ W) as H. destruct (last_left P well_given sorts nu phi m p n d t x vs cs I Sn O B H) as (vs' & H' & Lw).
  destruct (array_changed_so P well_given m p n d (slot_at m p) (one_less t) x (without_last x) (shaped_registers _ _ _ (inputs_shaped _ _ _ _ _ _ _ H)) I O eq_refl (input_kind P well_given sorts nu phi m p n d x vs cs I O H)) as (Ch & _).
  exists vs'. split; [apply (changed_whole _ _ _ _ _ _ _ Ch W H') | exact Lw].
Qed.
Lemma first_whole m p n d t x first dropped vs cs : In (ArrayInput p n d) (inputs P) -> slot_at m n = Plain (Members.IntegerSlot t) -> object_named m d = Some x ->
  eval nu (begins x) = Z.of_nat first -> (first <= dropped)%nat -> Z.of_nat dropped < eval nu (ends x) -> (forall f, In f (contents x) -> (dropped < length (apart f))%nat) -> holds_whole m vs cs ->
  exists vs', holds_whole (first_left_out m p n d t x first dropped) vs' cs /\ (weights (first_left_out m p n d t x first dropped) cs + 1 = weights m cs)%nat.
Proof.
  intros I Sn O Be Fd Dr Ce W. pose proof (whole_inputs _ _ _ _ _ _ _ W) as H. destruct (first_left P well_given sorts nu phi m p n d t x first dropped vs cs I Sn O Be Fd Dr Ce H) as (vs' & H' & Lw).
  destruct (array_changed_so P well_given m p n d (Plain (Members.PointerSlot d (Plus (begins x) (Constant 1)) 0)) (one_less t) x (without_first first dropped x)
    (shaped_registers _ _ _ (inputs_shaped _ _ _ _ _ _ _ H)) I O eq_refl (input_kind P well_given sorts nu phi m p n d x vs cs I O H)) as (Ch & _).
  exists vs'. split; [apply (changed_whole _ _ _ _ _ _ _ Ch W H') | exact Lw].
Qed.
Lemma integer_whole m m' r t vs cs : changed P m m' [r] [] -> slot_at m' r = Plain (Members.IntegerSlot t) -> In (IntegerInput r) (inputs P) -> within (integer_type_of P r) (eval nu t) -> holds_whole m vs cs ->
  exists vs', holds_whole m' vs' cs /\ weights m' cs = weights m cs /\ (nothing_else m cs -> nothing_else m' cs).
Proof.
  intros Ch Sr I Wt W. destruct (integer_changed P well_given sorts nu phi m m' r t vs cs Ch I Sr Wt (whole_inputs _ _ _ _ _ _ _ W)) as (vs' & H' & Ew).
  destruct (changed_whole _ _ _ _ _ _ _ Ch W H') as [W' N']. exists vs'. auto.
Qed.
Lemma node_whole m o child m' vs cs : drops_node P m o child m' -> holds_whole m vs cs ->
  exists vs' cs', holds_whole m' vs' cs' /\ (weights m' cs' <= weights m cs)%nat /\ (nothing_else m cs -> (weights m' cs' < weights m cs)%nat).
Proof.
  intros (x & heir & O & N & Lv & Hh & ->) W. destruct (node_left P table formed well_given targets sorts nu phi m o x child heir vs cs W O N Lv Hh) as (vs' & cs' & W' & Le & Lt). exists vs', cs'. split; [exact W'|]. split; [exact Le|].
  intros Nk. apply Lt, Nk. exists (dropped_node nu m x). split; [apply node_there; auto | simpl; rewrite Lv; reflexivity].
Qed.
End Valuation.

(** ** What is done to the entry *)

Section Rule.
Variable c : entered.
Definition known (F : valuation -> Prop) := forall nu, model nu (predicate (body c)) -> F nu.
Inductive leaves : input_size -> member -> Prop :=
| leaves_nothing : leaves NotLarger (at_entry c)
| leaves_last k m p n d t x : leaves k m -> In (ArrayInput p n d) (inputs P) -> slot_at m n = Plain (Members.IntegerSlot t) -> object_named m d = Some x ->
    known (fun nu => eval nu (begins x) < eval nu (ends x)) -> leaves Smaller (last_left_out m p n d t x)
| leaves_first k m p n d t x first dropped : leaves k m -> In (ArrayInput p n d) (inputs P) -> slot_at m n = Plain (Members.IntegerSlot t) -> object_named m d = Some x ->
    known (fun nu => eval nu (begins x) = Z.of_nat first) -> (first <= dropped)%nat -> known (fun nu => Z.of_nat dropped < eval nu (ends x)) ->
    (forall f, In f (contents x) -> (dropped < length (apart f))%nat) -> leaves Smaller (first_left_out m p n d t x first dropped)
| leaves_node k m o child m' : leaves k m -> drops_node P m o child m' -> leaves Smaller m'
| leaves_integer k m r t : leaves k m -> In (IntegerInput r) (inputs P) -> known (fun nu => within (integer_type_of P r) (eval nu t)) -> leaves k (given_integer m r t).


Theorem left_whole nu phi vs cs : let sorts := symbols (body c) in model nu (predicate (body c)) -> holds_whole P sorts nu phi (at_entry c) vs cs -> nothing_else sorts nu phi (at_entry c) cs -> forall k m, leaves k m ->
  exists vs' cs', holds_whole P sorts nu phi m vs' cs' /\ match k with Smaller => (weights nu phi m cs' < weights nu phi (at_entry c) cs)%nat
    | NotLarger => weights nu phi m cs' = weights nu phi (at_entry c) cs /\ nothing_else sorts nu phi m cs' end.
Proof.
  intros sorts M W No k m L. induction L as [| k m p n d t x _ IH I Sn O B | k m p n d t x first dropped _ IH I Sn O Be Fd Dr Ce | k m o child m' _ IH D | k m r t _ IH I Wt].
  - exists vs, cs. auto.
  - destruct IH as (vs1 & cs1 & W1 & K). destruct (last_whole sorts nu phi m p n d t x vs1 cs1 I Sn O (B nu M) W1) as (vs2 & W2 & Lw). exists vs2, cs1. split; auto. destruct k; lia.
  - destruct IH as (vs1 & cs1 & W1 & K). destruct (first_whole sorts nu phi m p n d t x first dropped vs1 cs1 I Sn O (Be nu M) Fd (Dr nu M) Ce W1) as (vs2 & W2 & Lw). exists vs2, cs1. split; auto. destruct k; lia.
  - destruct IH as (vs1 & cs1 & W1 & K). destruct (node_whole sorts nu phi m o child m' vs1 cs1 D W1) as (vs2 & cs2 & W2 & Le & Lt). exists vs2, cs2. split; auto. destruct k; [lia|]. destruct K as [K Nk]. specialize (Lt Nk). lia.
  - destruct IH as (vs1 & cs1 & W1 & K). destruct (given_changed m r t (shaped_registers _ _ _ (inputs_shaped _ _ _ _ _ _ _ (whole_inputs _ _ _ _ _ _ _ W1))) I) as [Ch Sr].
    destruct (integer_whole sorts nu phi m _ r t vs1 cs1 Ch Sr I (Wt nu M) W1) as (vs2 & W2 & Ew & N2). exists vs2, cs1. split; [exact W2|]. destruct k; [lia|]. destruct K as [K Nk]. split; [lia | auto].
Qed.


(** The entry holds inputs, and nothing else that is live. *)
Definition entry_whole := forall nu phi, model nu (predicate (body c)) -> well_meant P table (symbols (body c)) phi -> exists vs cs,
  holds_whole P (symbols (body c)) nu phi (at_entry c) vs cs /\ nothing_else (symbols (body c)) nu phi (at_entry c) cs.
Theorem leaves_lighter k m : entry_whole -> leaves k m -> lighter P table c k m.
Proof.
  intros E L nu phi M Me. destruct (E nu phi M Me) as (vs & cs & W & No). destruct (left_whole nu phi vs cs M W No k m L) as (vs' & cs' & W' & K).
  exists vs, cs, vs', cs'. split; [apply (whole_inputs _ _ _ _ _ _ _ W)|]. split; [apply (whole_inputs _ _ _ _ _ _ _ W')|]. destruct k; [exact K | destruct K as [K _]; lia].
Qed.
Theorem leaves_adds k m : scoped_member (variables (body c)) m = true -> none_lost P m -> entry_whole -> leaves k m -> adds P table c k m.
Proof. intros S No E L. eapply lighter_adds; eauto. apply leaves_lighter; auto. Qed.
End Rule.
End Leaving.
