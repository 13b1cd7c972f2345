(** What the terms of a state mean (spec/calculus.md#terms): that making terms in normal
    form is right under every well-sorted valuation, so that hints that are replayed refute.

    A model of a state gives each term a value that its content has under the valuation.
    It need not be computed: where a term is made, the model is extended. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned.
Import ListNotations.
Open Scope Z_scope.

(** ** Keys *)

Lemma key_of_n_injective n m : key_of_n n = key_of_n m -> n = m.
Proof. unfold key_of_n. intros H. rewrite <- (N.pos_pred_succ n), <- (N.pos_pred_succ m), H. reflexivity. Qed.
Lemma key_of_z_injective z y : key_of_z z = key_of_z y -> z = y.
Proof. destruct z, y; simpl; congruence. Qed.
Lemma number_of_injective S T : number_of S = number_of T -> S = T.
Proof. destruct S, T; simpl; congruence. Qed.
Lemma number_of_sort_injective s t : number_of_sort s = number_of_sort t -> s = t.
Proof. destruct s, t; simpl; intros H; try (apply N.succ_inj in H; f_equal; apply number_of_injective; auto); try lia; auto. Qed.
Lemma number_of_operation_injective o p : number_of_operation o = number_of_operation p -> o = p.
Proof. destruct o, p; simpl; congruence. Qed.
Ltac keys := repeat match goal with
  | H : key_of_n _ = key_of_n _ |- _ => apply key_of_n_injective in H
  | H : key_of_z _ = key_of_z _ |- _ => apply key_of_z_injective in H
  | H : number_of_sort _ = number_of_sort _ |- _ => apply number_of_sort_injective in H
  | H : number_of _ = number_of _ |- _ => apply number_of_injective in H
  | H : number_of_operation _ = number_of_operation _ |- _ => apply number_of_operation_injective in H end.
Lemma key_of_atom_injective a b : key_of_atom a = key_of_atom b -> a = b.
Proof. destruct a, b; cbn [key_of_atom]; intros [=]; keys; subst; auto. Qed.
Lemma key_of_array_injective a b : key_of_array a = key_of_array b -> a = b.
Proof. destruct a, b; cbn [key_of_array]; intros [=]; keys; subst; auto. Qed.
Lemma key_of_linear_injective l m : key_of_linear l = key_of_linear m -> l = m.
Proof.
  destruct l as [c l], m as [d m]. unfold key_of_linear; simpl. intros [= H K]. keys. subst. f_equal.
  revert m K. induction l as [|[a k] l IH]; intros [|[b h] m]; simpl; intros K; auto; try discriminate.
  injection K as A B C. keys. subst. f_equal. auto.
Qed.

Lemma find_no_keys key : find_key key no_keys = None.
Proof. destruct key; simpl; auto. rewrite PositiveMap.gempty. reflexivity. Qed.
Lemma find_added key : forall t key' n m, find_key key (add_key key' n t) = Some m -> key = key' /\ m = n \/ find_key key t = Some m.
Proof.
  induction key as [|p key IH]; intros [here below] [|q key'] n m; simpl; auto.
  - intros [= <-]. auto.
  - destruct (Pos.eq_dec p q) as [->|N].
    + rewrite PositiveMap.gss. intros H. apply IH in H as [[-> ->]|H]; auto.
      destruct (PositiveMap.find q below); auto. rewrite find_no_keys in H. discriminate.
    + rewrite PositiveMap.gso by auto. auto.
Qed.

Lemma node_added {A} (ns : nodes A) key x n y : node_at (add_node ns key x) n = Some y ->
  n = how_many ns /\ y = x \/ node_at ns n = Some y.
Proof.
  unfold node_at, add_node. simpl. destruct (N.eq_dec n (how_many ns)) as [->|D].
  - rewrite PositiveMap.gss. intros [= <-]. auto.
  - rewrite PositiveMap.gso; auto. intros H. apply key_of_n_injective in H. auto.
Qed.

Arguments add_key : simpl never.
Arguments key_of_atom : simpl never.
Arguments key_of_array : simpl never.
Arguments key_of_linear : simpl never.

(** ** Models *)

Section Meaning.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Variable tabs : indexed table.

Record model := { va : N -> Z; vl : N -> Z; vr : N -> Z -> Z }.
Definition atom_value (M : model) (a : atom) : Z := match a with
  | IntegerVariable s x => Terms.integers nu s (N.to_nat x)
  | Select a i => vr M a (vl M i)
  | Quotient d t => vl M t / d
  | Apply op T s t => Integers.apply op T (vl M s) (vl M t) end.
Definition array_value (M : model) (a : array) (j : Z) : Z := match a with
  | ArrayVariable T x => Terms.arrays nu T (N.to_nat x) j
  | Stored a i v => if j =? vl M i then vl M v else vr M a j
  | Constant v => vl M v
  | TableOf t => match at_position tabs t with Some t => entry_at (values t) j | None => 0 end end.
Definition sum_value (M : model) (l : list (N * Z)) : Z := fold_right (fun '(a, k) z => k * va M a + z) 0 l.
Definition linear_value (M : model) (l : linear) : Z := constant l + sum_value M (summands l).
Definition in_range (r : option (Z * Z)) (z : Z) : Prop := match r with Some (a, b) => a <= z <= b | None => True end.

Definition atoms_in (s : state) := how_many (atom_nodes s).
Definition linears_in (s : state) := how_many (linear_nodes s).
Definition arrays_in (s : state) := how_many (array_nodes s).
Definition part_in (s : state) (p : part) : Prop := match p with LinearPart t => (t < linears_in s)%N | ArrayPart a => (a < arrays_in s)%N end.
Definition parts_in (s : state) (ps : list part) : Prop := forall p, In p ps -> part_in s p.
Definition summands_in (s : state) (l : list (N * Z)) : Prop := forall a k, In (a, k) l -> (a < atoms_in s)%N.

Definition right_divisor (a : atom) : Prop := match a with Quotient d _ => 1 <= d | _ => True end.

Record good (s : state) (M : model) : Prop := {
  good_atoms : forall n x, node_at (atom_nodes s) n = Some x ->
    (n < atoms_in s)%N /\ parts_in s (parts_of_atom (content x)) /\ va M n = atom_value M (content x) /\ in_range (range_of x) (va M n);
  good_linears : forall n x, node_at (linear_nodes s) n = Some x ->
    (n < linears_in s)%N /\ summands_in s (summands (content x)) /\ vl M n = linear_value M (content x) /\ in_range (range_of x) (vl M n);
  good_arrays : forall n x, node_at (array_nodes s) n = Some x ->
    (n < arrays_in s)%N /\ parts_in s (parts_of_array (content x)) /\ (forall j, vr M n j = array_value M (content x) j /\ in_range (range_of x) (vr M n j));
  good_of_atom : forall a t, PositiveMap.find (N.succ_pos a) (linear_of_atom s) = Some t -> (t < linears_in s)%N /\ (a < atoms_in s)%N /\ vl M t = va M a;
  good_atom_keys : forall key n, find_key key (numbers_by_key (atom_nodes s)) = Some n -> exists x, node_at (atom_nodes s) n = Some x /\ key_of_atom (content x) = key;
  good_linear_keys : forall key n, find_key key (numbers_by_key (linear_nodes s)) = Some n -> exists x, node_at (linear_nodes s) n = Some x /\ key_of_linear (content x) = key;
  good_array_keys : forall key n, find_key key (numbers_by_key (array_nodes s)) = Some n -> exists x, node_at (array_nodes s) n = Some x /\ key_of_array (content x) = key;
  good_divisors : forall n x, node_at (atom_nodes s) n = Some x -> right_divisor (content x);
  good_tables : constant_tables s = tabs;
  good_scopes : scopes_right s }.

(** What is there stays there, with its value. *)
Record keeps (s : state) (M : model) (s' : state) (M' : model) : Prop := {
  keeps_atoms : (atoms_in s <= atoms_in s')%N /\ forall a, (a < atoms_in s)%N -> va M' a = va M a;
  keeps_linears : (linears_in s <= linears_in s')%N /\ forall t, (t < linears_in s)%N -> vl M' t = vl M t;
  keeps_arrays : (arrays_in s <= arrays_in s')%N /\ forall a, (a < arrays_in s)%N -> forall j, vr M' a j = vr M a j;
  keeps_nodes : more_nodes s s' }.
Lemma keeps_refl s M : keeps s M s M.
Proof. split; [split | split | split |]; auto using more_refl; lia. Qed.
Lemma keeps_trans s M s' M' s'' M'' : keeps s M s' M' -> keeps s' M' s'' M'' -> keeps s M s'' M''.
Proof.
  intros [[A1 A2] [B1 B2] [C1 C2] N] [[D1 D2] [E1 E2] [F1 F2] N']. split; [split | split | split | eapply more_trans; eauto]; try lia; intros.
  - rewrite D2, A2; auto; lia.
  - rewrite E2, B2; auto; lia.
  - rewrite F2, C2; auto; lia.
Qed.

(** A computation that gives something keeps the model, and what it gives is right. *)
Definition meets {A} (s : state) (M : model) (c : computes A) (post : A -> state -> model -> Prop) : Prop :=
  forall a s', c s = Gives a s' -> exists M', good s' M' /\ keeps s M s' M' /\ post a s' M'.
Lemma meets_bind {A B} s M (c : computes A) (f : A -> computes B) (P : A -> state -> model -> Prop) (Q : B -> state -> model -> Prop) : meets s M c P ->
  (forall a s' M', good s' M' -> keeps s M s' M' -> P a s' M' -> meets s' M' (f a) Q) -> meets s M (bind c f) Q.
Proof.
  intros H K b s'' E. unfold bind in E. destruct (c s) as [a s'|] eqn:C; [|discriminate].
  destruct (H _ _ C) as (M' & G & Kp & P'). destruct (K _ _ _ G Kp P' _ _ E) as (M'' & G' & Kp' & Q').
  exists M''. split; auto. split; auto. eapply keeps_trans; eauto.
Qed.
Lemma meets_ret {A} s M (a : A) (Q : A -> state -> model -> Prop) : good s M -> Q a s M -> meets s M (ret a) Q.
Proof. intros G H b s' [= <- <-]. exists M. auto using keeps_refl. Qed.
Lemma meets_refuses {A} s M r (Q : A -> state -> model -> Prop) : meets s M (refuses r) Q.
Proof. intros b s' [=]. Qed.
Lemma meets_weaker {A} s M (c : computes A) (P Q : A -> state -> model -> Prop) : meets s M c P ->
  (forall a s' M', good s' M' -> keeps s M s' M' -> P a s' M' -> Q a s' M') -> meets s M c Q.
Proof. intros H W a s' E. destruct (H _ _ E) as (M' & G & K & P'). exists M'. eauto. Qed.
(** A computation that only looks. *)
Lemma meets_looks {A} s M (f : state -> A) (Q : A -> state -> model -> Prop) : good s M -> Q (f s) s M -> meets s M (looks f) Q.
Proof. intros G H b s' [= <- <-]. exists M. auto using keeps_refl. Qed.
Lemma meets_demand s M b r (Q : unit -> state -> model -> Prop) : good s M -> (b = true -> Q tt s M) -> meets s M (demand b r) Q.
Proof. intros G H. unfold demand. destruct b; [apply meets_ret; auto | apply meets_refuses]. Qed.
Lemma meets_some {A} s M (x : option A) r (Q : A -> state -> model -> Prop) : good s M -> (forall a, x = Some a -> Q a s M) -> meets s M (some x r) Q.
Proof. intros G H. unfold some. destruct x; [apply meets_ret; auto | apply meets_refuses]. Qed.

(** ** Values that are kept *)

Definition is_term (s : state) (M : model) (t : N) (z : Z) : Prop := (t < linears_in s)%N /\ vl M t = z.
Definition is_array (s : state) (M : model) (a : N) (g : Z -> Z) : Prop := (a < arrays_in s)%N /\ forall j, vr M a j = g j.
Lemma is_term_kept s M s' M' t z : keeps s M s' M' -> is_term s M t z -> is_term s' M' t z.
Proof. intros [_ [B1 B2] _ _] [I E]. split; [lia|]. rewrite B2; auto. Qed.
Lemma is_array_kept s M s' M' a g : keeps s M s' M' -> is_array s M a g -> is_array s' M' a g.
Proof. intros [_ _ [C1 C2] _] [I E]. split; [lia|]. intros j. rewrite C2; auto. Qed.
Lemma part_in_kept s M s' M' p : keeps s M s' M' -> part_in s p -> part_in s' p.
Proof. intros [[A _] [B _] [C _] _]. destruct p; simpl; unfold linears_in, arrays_in in *; lia. Qed.
Lemma parts_in_kept s M s' M' ps : keeps s M s' M' -> parts_in s ps -> parts_in s' ps.
Proof. intros K H p I. eapply part_in_kept; eauto. Qed.
Lemma summands_in_kept s M s' M' l : keeps s M s' M' -> summands_in s l -> summands_in s' l.
Proof. intros [[A _] _ _ _] H a k I. specialize (H a k I). unfold atoms_in in *. lia. Qed.

Lemma sum_value_kept s M s' M' l : keeps s M s' M' -> summands_in s l -> sum_value M' l = sum_value M l.
Proof.
  intros K. induction l as [|[a k] l IH]; simpl; auto. intros H.
  rewrite IH by (intros b h I; apply (H b h); right; auto). rewrite (proj2 (keeps_atoms _ _ _ _ K)); auto. apply (H a k). left. auto.
Qed.
Lemma atom_value_kept s M s' M' a : keeps s M s' M' -> parts_in s (parts_of_atom a) -> atom_value M' a = atom_value M a.
Proof.
  intros [_ [_ L] [_ R] _] H. destruct a; simpl in *; auto.
  - rewrite L, R; auto; [apply (H (ArrayPart array)) | apply (H (LinearPart index))]; simpl; auto.
  - rewrite L; auto. apply (H (LinearPart argument)); simpl; auto.
  - rewrite !L; auto; [apply (H (LinearPart right)) | apply (H (LinearPart left))]; simpl; auto.
Qed.
Lemma array_value_kept s M s' M' a j : keeps s M s' M' -> parts_in s (parts_of_array a) -> array_value M' a j = array_value M a j.
Proof.
  intros [_ [_ L] [_ R] _] H. destruct a; simpl in *; auto.
  - rewrite !L, R; auto; [apply (H (ArrayPart array)) | apply (H (LinearPart value)) | apply (H (LinearPart index))]; simpl; auto.
  - rewrite L; auto. apply (H (LinearPart value)); simpl; auto.
Qed.

(** ** Terms that are made *)

Definition with_atom_value M n z := {| va := fun a => if (a =? n)%N then z else va M a; vl := vl M; vr := vr M |}.
Definition with_linear_value M n z := {| va := va M; vl := fun t => if (t =? n)%N then z else vl M t; vr := vr M |}.
Definition with_array_value M n g := {| va := va M; vl := vl M; vr := fun a => if (a =? n)%N then g else vr M a |}.

(** Numbers that are given come before those that will be. *)
Definition numbered_below {A} (ns : nodes A) := forall n x, node_at ns n = Some x -> (n < how_many ns)%N.
Lemma node_kept {A} (ns : nodes A) key x n y : numbered_below ns -> node_at ns n = Some y -> node_at (add_node ns key x) n = Some y.
Proof.
  intros B E. pose proof (B n y E). unfold node_at, add_node in *; simpl. rewrite PositiveMap.gso; auto.
  intros H'. apply key_of_n_injective in H'. lia.
Qed.
Lemma atoms_below s M : good s M -> numbered_below (atom_nodes s).
Proof. intros G n x E. apply (good_atoms _ _ G n x E). Qed.
Lemma linears_below s M : good s M -> numbered_below (linear_nodes s).
Proof. intros G n x E. apply (good_linears _ _ G n x E). Qed.
Lemma arrays_below s M : good s M -> numbered_below (array_nodes s).
Proof. intros G n x E. apply (good_arrays _ _ G n x E). Qed.

Lemma keeps_new_linear s M key x z : good s M -> keeps s M (with_linears s (add_node (linear_nodes s) key x)) (with_linear_value M (linears_in s) z).
Proof.
  intros G. split; [split | split | split | split]; simpl; auto; try apply N.le_refl; unfold linears_in; simpl; try lia.
  - intros t I. destruct (N.eqb_spec t (how_many (linear_nodes s))); auto. lia.
  - intros n y. apply node_kept, (linears_below _ _ G).
Qed.
Lemma keeps_new_atom s M key x f z : good s M -> keeps s M (with_atoms s (add_node (atom_nodes s) key x) f) (with_atom_value M (atoms_in s) z).
Proof.
  intros G. split; [split | split | split | split]; simpl; auto; try apply N.le_refl; unfold atoms_in; simpl; try lia.
  - intros t I. destruct (N.eqb_spec t (how_many (atom_nodes s))); auto. lia.
  - intros n y. apply node_kept, (atoms_below _ _ G).
Qed.
Lemma keeps_new_array s M key x g : good s M -> keeps s M (with_arrays s (add_node (array_nodes s) key x)) (with_array_value M (arrays_in s) g).
Proof.
  intros G. split; [split | split | split | split]; simpl; auto; try apply N.le_refl; unfold arrays_in; simpl; try lia.
  - intros t I. destruct (N.eqb_spec t (how_many (array_nodes s))); auto. lia.
  - intros n y. apply node_kept, (arrays_below _ _ G).
Qed.
(** Scopes of what is there stay right. *)
Lemma scope_kept (P P' : scope -> Prop) own : (forall sc, P sc -> P' sc) -> scope_right P own -> scope_right P' own.
Proof. intros H [F R]. split; auto. Qed.
Lemma scopes_kept s s' : more_nodes s s' -> scopes_right s ->
  (forall n x, node_at (atom_nodes s') n = Some x -> node_at (atom_nodes s) n = Some x \/ scope_right (fun sc => atom_within s' sc n) (scope_of_node x)) ->
  (forall n x, node_at (linear_nodes s') n = Some x -> node_at (linear_nodes s) n = Some x \/ scope_right (fun sc => part_within s' sc (LinearPart n)) (scope_of_node x)) ->
  (forall n x, node_at (array_nodes s') n = Some x -> node_at (array_nodes s) n = Some x \/ scope_right (fun sc => part_within s' sc (ArrayPart n)) (scope_of_node x)) ->
  (forall a t, PositiveMap.find (N.succ_pos a) (linear_of_atom s') = Some t -> PositiveMap.find (N.succ_pos a) (linear_of_atom s) = Some t \/
    exists x, node_at (linear_nodes s') t = Some x /\ summands (content x) = [(a, 1)]) ->
  scopes_right s'.
Proof.
  intros W [A L R T] A' L' R' T'. split; [intros n x E.. | intros a t E].
  - destruct (A' n x E) as [E'|H]; auto. eapply scope_kept; [|eauto]. intros sc. apply (within_more _ _ sc W).
  - destruct (L' n x E) as [E'|H]; auto. eapply scope_kept; [|eauto]. intros sc. apply (within_more _ _ sc W).
  - destruct (R' n x E) as [E'|H]; auto. eapply scope_kept; [|eauto]. intros sc. apply (within_more _ _ sc W).
  - destruct (T' a t E) as [E'|H]; auto. destruct (T a t E') as (x & N & S). exists x. split; auto. apply (more_linears _ _ W). exact N.
Qed.

Lemma good_new_linear s M l r sc : good s M -> summands_in s (summands l) -> in_range r (linear_value M l) ->
  scope_right (fun sc' => forall a k, In (a, k) (summands l) -> atom_within s sc' a) sc ->
  good (with_linears s (add_node (linear_nodes s) (key_of_linear l) {| content := l; range_of := r; scope_of_node := sc |})) (with_linear_value M (linears_in s) (linear_value M l)).
Proof.
  intros G I R Sc. set (s' := with_linears _ _). set (M' := with_linear_value _ _ _).
  assert (K : keeps s M s' M') by (apply keeps_new_linear; auto).
  split; simpl; [intros n x E | intros n x E | intros n x E | intros a t E | | | | | | ]; try apply G.
  - apply G in E as (A & B & C & D). repeat split; auto; [eapply parts_in_kept; eauto|].
    change (va M n = atom_value M' (content x)). rewrite C. symmetry. eapply atom_value_kept; eauto.
  - apply node_added in E as [[-> ->]|E]; simpl.
    + rewrite N.eqb_refl. split; [unfold s', linears_in; simpl; lia|]. split; [exact I|]. split; [reflexivity | exact R].
    + apply G in E as (A & B & C & D). destruct (N.eqb_spec n (linears_in s)) as [->|]; [lia|].
      split; [unfold s', linears_in in *; simpl; lia|]. split; [exact B|]. split; [exact C | exact D].
  - apply G in E as (A & B & C). repeat split; auto; [eapply parts_in_kept; eauto| |]; intros; destruct (C j) as [C1 C2]; auto.
    change (vr M n j = array_value M' (content x) j). rewrite C1. symmetry. eapply array_value_kept; eauto.
  - apply G in E as [A B]. split; [unfold s', linears_in in *; simpl; lia|]. destruct (N.eqb_spec t (linears_in s)) as [->|]; auto. lia.
  - intros key n E. apply find_added in E as [[-> ->]|E].
    + unfold node_at, add_node; simpl. rewrite PositiveMap.gss. eauto.
    + apply G in E as (x & E & Kx). exists x. split; auto. unfold node_at, add_node; simpl. rewrite PositiveMap.gso; auto.
      intros H. apply key_of_n_injective in H. apply (good_linears _ _ G) in E as [A _]. unfold linears_in in A. lia.
  - apply (scopes_kept s); [apply (keeps_nodes _ _ _ _ K) | apply G | auto | | auto | auto]. intros n x E.
    pose proof E as E'. apply node_added in E as [[-> ->]|E]; auto. right. eapply scope_kept; [|exact Sc]. intros sc' H.
    apply (linear_within_by _ _ _ _ E'). intros a k Ia. apply (within_more _ _ sc' (keeps_nodes _ _ _ _ K)). eapply H; eauto.
Qed.

Lemma good_new_atom s M a r sc : good s M -> right_divisor a -> parts_in s (parts_of_atom a) -> in_range r (atom_value M a) ->
  scope_right (fun sc' => own_atom_within sc' a /\ forall p, In p (parts_of_atom a) -> part_within s sc' p) sc ->
  good (with_atoms s (add_node (atom_nodes s) (key_of_atom a) {| content := a; range_of := r; scope_of_node := sc |}) (linear_of_atom s)) (with_atom_value M (atoms_in s) (atom_value M a)).
Proof.
  intros G Rd I R Sc. set (s' := with_atoms _ _ _). set (M' := with_atom_value _ _ _).
  assert (K : keeps s M s' M') by (apply keeps_new_atom; auto).
  split; simpl; [intros n x E | intros n x E | intros n x E | intros b t E | | | | | | ]; try apply G.
  - apply node_added in E as [[-> ->]|E]; simpl.
    + rewrite N.eqb_refl. split; [unfold s', atoms_in; simpl; lia|]. split; [exact I|]. split; auto.
    + apply G in E as (A & B & C & D). destruct (N.eqb_spec n (atoms_in s)) as [->|]; [lia|].
      split; [unfold s', atoms_in in *; simpl; lia|]. split; [exact B|]. split; auto.
  - apply G in E as (A & B & C & D). repeat split; auto; [eapply summands_in_kept; eauto|].
    rewrite C. symmetry. unfold linear_value. f_equal. eapply sum_value_kept; eauto.
  - exact E.
  - apply G in E as (A & B & C). split; [exact A|]. split; [unfold s', atoms_in in *; simpl; lia|].
    destruct (N.eqb_spec b (atoms_in s)) as [->|]; [lia | exact C].
  - intros key n E. apply find_added in E as [[-> ->]|E].
    + unfold node_at, add_node; simpl. rewrite PositiveMap.gss. eauto.
    + apply G in E as (x & E & Kx). exists x. split; auto. unfold node_at, add_node; simpl. rewrite PositiveMap.gso; auto.
      intros H. apply key_of_n_injective in H. apply (good_atoms _ _ G) in E as [A _]. unfold atoms_in in A. lia.
  - intros n x E. apply node_added in E as [[-> ->]|E]; auto. eapply good_divisors; eauto.
  - apply (scopes_kept s); [apply (keeps_nodes _ _ _ _ K) | apply G | | auto | auto | auto]. intros n x E.
    pose proof E as E'. apply node_added in E as [[-> ->]|E]; auto. right. eapply scope_kept; [|exact Sc]. intros sc' [O H].
    apply (atom_within_by _ _ _ _ E' O). intros p Ip. apply (within_more _ _ sc' (keeps_nodes _ _ _ _ K)). auto.
Qed.

Lemma good_new_array s M a r sc : good s M -> parts_in s (parts_of_array a) -> (forall j, in_range r (array_value M a j)) ->
  scope_right (fun sc' => own_array_within sc' a /\ forall p, In p (parts_of_array a) -> part_within s sc' p) sc ->
  good (with_arrays s (add_node (array_nodes s) (key_of_array a) {| content := a; range_of := r; scope_of_node := sc |})) (with_array_value M (arrays_in s) (array_value M a)).
Proof.
  intros G I R Sc. set (s' := with_arrays _ _). set (M' := with_array_value _ _ _).
  assert (K : keeps s M s' M') by (apply keeps_new_array; auto).
  split; simpl; [intros n x E | intros n x E | intros n x E | intros b t E | | | | | | ]; try apply G; auto.
  - apply G in E as (A & B & C & D). repeat split; auto; [eapply parts_in_kept; eauto|].
    change (va M n = atom_value M' (content x)). rewrite C. symmetry. eapply atom_value_kept; eauto.
  - apply node_added in E as [[-> ->]|E]; simpl.
    + rewrite N.eqb_refl. split; [unfold s', arrays_in; simpl; lia|]. split; [eapply parts_in_kept; eauto|]. intros j. split; [|auto].
      symmetry. change (array_value M' a j = array_value M a j). eapply array_value_kept; eauto.
    + apply G in E as (A & B & C). destruct (N.eqb_spec n (arrays_in s)) as [->|]; [lia|].
      split; [unfold s', arrays_in in *; simpl; lia|]. split; [eapply parts_in_kept; eauto|]. intros j. destruct (C j) as [C1 C2]. split; auto.
      rewrite C1. symmetry. eapply array_value_kept; eauto.
  - intros key n E. apply find_added in E as [[-> ->]|E].
    + unfold node_at, add_node; simpl. rewrite PositiveMap.gss. eauto.
    + apply G in E as (x & E & Kx). exists x. split; auto. unfold node_at, add_node; simpl. rewrite PositiveMap.gso; auto.
      intros H. apply key_of_n_injective in H. apply (good_arrays _ _ G) in E as [A _]. unfold arrays_in in A. lia.
  - apply (scopes_kept s); [apply (keeps_nodes _ _ _ _ K) | apply G | auto | auto | | auto]. intros n x E.
    pose proof E as E'. apply node_added in E as [[-> ->]|E]; auto. right. eapply scope_kept; [|exact Sc]. intros sc' [O H].
    apply (array_within_by _ _ _ _ E' O). intros p Ip. apply (within_more _ _ sc' (keeps_nodes _ _ _ _ K)). auto.
Qed.
End Meaning.
