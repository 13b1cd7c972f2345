(** Members of configurations (spec/calculus.md#configurations): a program's
    state in terms, and the states that it denotes.

    Folded parts of heaps are in Sorts.v and what builds on it; members here
    have none. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike.
Import ListNotations.
Open Scope Z_scope.

(** ** What a member is *)

Inductive slot :=
| Forgotten                                   (* any value *)
| NothingHeld                                 (* no value, and only that *)
| IntegerSlot (t : term)
| NullSlot
| PointerSlot (name : nat) (i : term) (b : Z).

(** A field of all elements: from index 0 those that stand apart, and an array
    for all other indices, negative ones too; none where there are no others. *)
Record field_state := { apart : list slot; rest : option array }.
Record object_state := { kind : nat; life_of : life; begins : term; ends : term; held : list field_state }.
(** Objects are named by their position. *)
Record member := { place_of : nat; slots : list slot; named : list (option object_state) }.

Definition slot_at m r := nth r (slots m) Forgotten.
Definition object_named m o := nth o (named m) None.
Definition no_field := {| apart := []; rest := None |}.
Definition is_apart f i := (0 <=? i) && (i <? Z.of_nat (length (apart f))).
Definition slot_apart f i := nth (Z.to_nat i) (apart f) NothingHeld.

(** The object that [Address] gives: dead ones do not stand for it (attack G1).
    What it is does not matter where no [Address] may name the declaration. *)
Definition lives_as d (x : option object_state) := match x with
  | Some x => Nat.eqb (kind x) d && match life_of x with Live => true | Dead => false end
  | None => false end.
Fixpoint first_living d (l : list (option object_state)) n : option nat := match l with
  | [] => None | x :: l => if lives_as d x then Some n else first_living d l (S n) end.
Definition living m d := first_living d (named m) 0.
Lemma first_living_some d l : forall n o, first_living d l n = Some o ->
  (n <= o)%nat /\ exists x, nth (o - n) l None = Some x /\ kind x = d /\ life_of x = Live.
Proof.
  induction l as [|y l IH]; intros n o; simpl; [discriminate|].
  destruct (lives_as d y) eqn:L.
  - intros [= <-]. split; auto. rewrite Nat.sub_diag. destruct y as [y|]; [|discriminate]. exists y. split; auto.
    simpl in L. apply andb_prop in L as [K V]. apply Nat.eqb_eq in K. destruct (life_of y); [auto | discriminate].
  - intros H. destruct (IH _ _ H) as (A & x & N & B). split; [lia|]. exists x. split; auto.
    replace (o - n)%nat with (S (o - S n)) by lia. exact N.
Qed.
Lemma first_living_none d l : forall n, first_living d l n = None -> forall o x, nth o l None = Some x -> kind x = d -> life_of x = Dead.
Proof.
  induction l as [|y l IH]; intros n H o x; [destruct o; discriminate|]. simpl in H. destruct (lives_as d y) eqn:L; [discriminate|].
  destruct o as [|o]; simpl; [|eapply IH; eauto]. intros -> <-. simpl in L. rewrite Nat.eqb_refl in L. destruct (life_of x); [discriminate | auto].
Qed.
Lemma living_some m d o : living m d = Some o -> exists x, object_named m o = Some x /\ kind x = d /\ life_of x = Live.
Proof. intros H. destruct (first_living_some _ _ _ _ H) as (_ & x & N & R). rewrite Nat.sub_0_r in N. exists x. auto. Qed.

(** ** The member as a state of the machine: one of those that it denotes, but
    that it has no more than is known, and holds nothing where that is
    forgotten *)

Section Ground.
Variable P : program.

Section Valuation.
Variable nu : valuation.
Definition value_of v := match v with
  | Forgotten | NothingHeld => Uninitialised
  | IntegerSlot t => Integer (eval nu t)
  | NullSlot => Null
  | PointerSlot o i b => Pointer {| target := o; index := eval nu i; byte := b |} end.
Fixpoint numbered_from n (l : list slot) : list (Z * value) := match l with
  | [] => [] | v :: l => (n, value_of v) :: numbered_from (n + 1) l end.
Definition ground_field f := {|
  initially := match rest f with Some a => Any (eval_array nu a) | None => Same Uninitialised end;
  written := numbered_from 0 (apart f) |}.
Definition ground_object x := {| declared := kind x; lower := eval nu (begins x); upper := eval nu (ends x); alive := life_of x;
  fields_of := map ground_field (held x) |}.
Definition ground_entry x := match x with Some x => ground_object x | None => dead_object end.
Definition ground m : state := {|
  location := place_of m; values := map value_of (slots m); memory := map ground_entry (named m);
  current := map (living m) (seq 0 (length (objects P))) |}.

Lemma find_numbered l : forall n i, find_written i (numbered_from n l) =
  if (n <=? i) && (i <? n + Z.of_nat (length l)) then Some (value_of (nth (Z.to_nat (i - n)) l NothingHeld)) else None.
Proof.
  induction l as [|v l IH]; intros n i; cbn [numbered_from find_written length].
  - destruct (Z.leb_spec n i), (Z.ltb_spec i (n + Z.of_nat 0)); simpl; auto; lia.
  - destruct (Z.eqb_spec i n) as [->|N].
    + rewrite Z.leb_refl, Z.sub_diag. destruct (Z.ltb_spec n (n + Z.of_nat (S (length l)))); [reflexivity | lia].
    + rewrite IH. destruct (Z.leb_spec (n + 1) i), (Z.ltb_spec i (n + 1 + Z.of_nat (length l))), (Z.leb_spec n i),
        (Z.ltb_spec i (n + Z.of_nat (S (length l)))); simpl; auto; try lia.
      f_equal. f_equal. replace (Z.to_nat (i - n)) with (S (Z.to_nat (i - (n + 1)))) by lia. reflexivity.
Qed.
Theorem read_ground f i : read (ground_field f) i =
  if is_apart f i then value_of (slot_apart f i) else match rest f with Some a => Integer (eval_array nu a i) | None => Uninitialised end.
Proof.
  unfold read, ground_field, is_apart, slot_apart. simpl. rewrite find_numbered, Z.add_0_l, Z.sub_0_r.
  destruct (_ && _); auto. destruct (rest f); reflexivity.
Qed.
Lemma register_ground m r : register (ground m) r = value_of (slot_at m r).
Proof. unfold register, slot_at; simpl. change Uninitialised with (value_of Forgotten). apply map_nth. Qed.
Lemma object_ground m o : object_at (ground m) o = ground_entry (object_named m o).
Proof. unfold object_at, object_named; simpl. change dead_object with (ground_entry None). apply map_nth. Qed.
Lemma field_ground x f : field_of (ground_object x) f = ground_field (nth f (held x) no_field).
Proof.
  unfold field_of; simpl. change no_cells with (ground_field no_field). apply map_nth.
Qed.
Lemma living_bound m d o : living m d = Some o -> (o < length (named m))%nat.
Proof.
  intros H. destruct (living_some m d o H) as (x & N & _). destruct (Nat.lt_ge_cases o (length (named m))); auto.
  unfold object_named in N. rewrite nth_overflow in N by auto. discriminate.
Qed.
Lemma current_ground m d : nth d (current (ground m)) None = if Nat.ltb d (length (objects P)) then living m d else None.
Proof.
  simpl. destruct (Nat.ltb_spec d (length (objects P))).
  - rewrite (nth_indep _ None (living m O)) by (rewrite map_length, seq_length; auto). rewrite map_nth, seq_nth by auto. reflexivity.
  - apply nth_overflow. rewrite map_length, seq_length. auto.
Qed.
End Valuation.

(** ** What is known, and what is denoted *)

Definition has_name d := match origin_of (declaration_of P d) with Static _ _ _ | Local _ => true | _ => false end.
Lemma local_has_name d : is_local P d = true -> has_name d = true.
Proof. unfold is_local, has_name. destruct (origin_of _); auto. Qed.
Definition known_slot v := match v with Forgotten => False | _ => True end.
Definition known_element f i := if is_apart f i then known_slot (slot_apart f i) else rest f <> None.
Definition known m : knowledge := {|
  knows_register := fun r => known_slot (slot_at m r);
  knows_element := fun o f i => match object_named m o with Some x => known_element (nth f (held x) no_field) i | None => False end;
  knows_name := fun d => has_name d = true /\ living m d <> None |}.

(** Local objects that live are found in the state, whether anything leads to
    them or not, since they have a name. *)
Definition names_mapped m (rho : renaming) := forall o x, object_named m o = Some x -> life_of x = Live -> is_local P (kind x) = true ->
  exists y, rho o = Some y.
Definition denotes_by nu m rho s := alike (known m) rho (ground nu m) s /\ names_mapped m rho.
Definition denotes_state nu m s := exists rho, denotes_by nu m rho s.

Lemma ground_tidy nu m rho s : tidy P s -> denotes_by nu m rho s -> tidy P (ground nu m).
Proof.
  intros T [A N].
  assert (U : forall o x, object_named m o = Some x -> life_of x = Live -> is_local P (kind x) = true ->
    exists p k, rho o = Some (p, k) /\ nth (kind x) (current s) None = Some p).
  { intros o x Hx L Hd. destruct (N o x Hx L Hd) as [[p k] R]. exists p, k. split; auto.
    pose proof (same_object_states _ _ _ _ A _ _ _ R) as [D V _ _ _ _]. rewrite object_ground, Hx in D, V. simpl in D, V.
    pose proof (one_lives P s T p) as O. rewrite V, D in O. auto. }
  split.
  - simpl. rewrite map_length, seq_length. auto.
  - intros d o _. rewrite current_ground. destruct (Nat.ltb _ _); [|discriminate]. intros H. simpl. rewrite map_length. eapply living_bound; eauto.
  - intros d o _. rewrite current_ground. destruct (Nat.ltb _ _); [|discriminate]. intros H. destruct (living_some m d o H) as (x & Hx & K & _).
    rewrite object_ground, Hx. exact K.
  - intros o. rewrite object_ground. destruct (object_named m o) as [x|] eqn:Hx; [|discriminate].
    cbn [ground_entry ground_object alive declared]. intros L Hd.
    rewrite current_ground. pose proof (local_declared P _ Hd) as B. apply Nat.ltb_lt in B. rewrite B.
    destruct (living m (kind x)) as [o'|] eqn:E.
    + destruct (living_some m _ o' E) as (x' & Hx' & K & L'). rewrite <- K in Hd.
      destruct (U o' x' Hx' L' Hd) as (p' & k' & R' & C'). rewrite K in Hd, C'.
      destruct (U o x Hx L Hd) as (p & k & R & C). assert (p' = p) by congruence. subst p'.
      f_equal. eapply (one_to_one _ _ _ _ A); eauto.
    + pose proof (first_living_none _ _ _ E o x Hx eq_refl). congruence.
Qed.

(** *** States that hold the same, as far as it is known *)

Definition object_same (known : nat -> Z -> Prop) x y := declared y = declared x /\ lower y = lower x /\ upper y = upper x /\
  alive y = alive x /\ length (fields_of y) = length (fields_of x) /\
  (alive x = Live -> forall f i, lower x <= i < upper x -> known f i -> read (field_of y f) i = read (field_of x f) i).
Record holds_same (K : knowledge) (s s' : state) : Prop := {
  held_location : location s' = location s;
  held_values : values s' = values s;
  held_current : length (current s') = length (current s);
  held_names : forall d, knows_name K d -> nth d (current s') None = nth d (current s) None;
  held_memory : length (memory s') = length (memory s);
  held_objects : forall o, object_same (knows_element K o) (object_at s o) (object_at s' o) }.
Lemma object_same_refl known x : object_same known x x.
Proof. repeat split; auto. Qed.
Lemma holds_same_refl K s : holds_same K s s.
Proof. split; auto using object_same_refl. Qed.
Lemma alike_same K rho s1 s2 s : holds_same K s1 s2 -> alike K rho s1 s -> alike K rho s2 s.
Proof.
  intros [L V C N M O] A. split.
  - rewrite L. apply A.
  - rewrite V. apply A.
  - rewrite C. apply A.
  - apply A.
  - intros o p k H. rewrite M. eapply in_memory; eauto.
  - intros o p k H. destruct (O o) as (D & Lo & Up & Al & Le & R). destruct (same_object_states _ _ _ _ A _ _ _ H) as [D' V' Lo' Up' F' R'].
    split; try congruence. rewrite Al, Lo, Up. intros V0 f i B Kn. rewrite R by auto. auto.
  - intros r H. pose proof (same_registers _ _ _ _ A r H) as X. unfold register in *. rewrite V. exact X.
  - intros d H. rewrite N by auto. apply (same_names _ _ _ _ A d H).
Qed.

(** ** Scopes: only variables that exist are mentioned *)

Definition scoped_slot n v := match v with IntegerSlot t | PointerSlot _ t _ => scoped n t | _ => true end.
Definition scoped_field n f := forallb (scoped_slot n) (apart f) && match rest f with Some a => scoped_array n a | None => true end.
Definition scoped_object n x := scoped n (begins x) && scoped n (ends x) && forallb (scoped_field n) (held x).
Definition scoped_member n m := forallb (scoped_slot n) (slots m) &&
  forallb (fun x => match x with Some x => scoped_object n x | None => true end) (named m).

Section Agree.
Variables (n : nat) (nu mu : valuation).
Hypothesis agrees : agree n nu mu.
Lemma value_agree v : scoped_slot n v = true -> value_of mu v = value_of nu v.
Proof.
  pose proof (proj1 (agree_eval n nu mu agrees)) as E. destruct v; simpl; auto; intros H; rewrite (E _ H); auto.
Qed.
Lemma field_agree f i : scoped_field n f = true -> read (ground_field mu f) i = read (ground_field nu f) i.
Proof.
  unfold scoped_field. intros H. apply andb_prop in H as [A R]. rewrite !read_ground. destruct (is_apart f i).
  - apply value_agree. unfold slot_apart. destruct (nth_in_or_default (Z.to_nat i) (apart f) NothingHeld) as [I|E]; [|rewrite E; auto].
    rewrite forallb_forall in A. auto.
  - destruct (rest f) as [a|]; auto. f_equal. symmetry. apply (proj2 (agree_eval n nu mu agrees)). exact R.
Qed.
Lemma entry_agree x known : match x with Some x => scoped_object n x | None => true end = true ->
  object_same known (ground_entry nu x) (ground_entry mu x).
Proof.
  destruct x as [x|]; intros X; [|apply object_same_refl]. unfold scoped_object in X. apply andb_prop in X as [X F]. apply andb_prop in X as [B D].
  pose proof (proj1 (agree_eval n nu mu agrees)) as V. unfold object_same. simpl. rewrite (V _ B), (V _ D), !map_length. repeat split; auto.
  intros _ f i _ _. rewrite !field_ground. apply field_agree.
  destruct (nth_in_or_default f (held x) no_field) as [I|E']; [|rewrite E'; auto]. rewrite forallb_forall in F. auto.
Qed.
Lemma scoped_named m o : scoped_member n m = true -> match object_named m o with Some x => scoped_object n x | None => true end = true.
Proof.
  unfold scoped_member, object_named. intros H. apply andb_prop in H as [_ O]. rewrite forallb_forall in O.
  destruct (nth_in_or_default o (named m) None) as [I|E]; [apply O; auto | rewrite E; auto].
Qed.
Lemma values_agree m : scoped_member n m = true -> map (value_of mu) (slots m) = map (value_of nu) (slots m).
Proof.
  unfold scoped_member. intros H. apply andb_prop in H as [S _]. rewrite forallb_forall in S. apply map_ext_in. intros v I. apply value_agree. auto.
Qed.
Lemma ground_agree K m : scoped_member n m = true -> holds_same K (ground nu m) (ground mu m).
Proof.
  intros H. split; simpl; auto.
  - apply values_agree. auto.
  - rewrite !map_length. auto.
  - intros o. rewrite !object_ground. apply entry_agree, scoped_named. auto.
Qed.
Theorem denotes_agree m rho s : scoped_member n m = true -> denotes_by nu m rho s -> denotes_by mu m rho s.
Proof. intros H [A N]. split; auto. eapply alike_same; [apply ground_agree; auto | exact A]. Qed.
End Agree.
End Ground.
