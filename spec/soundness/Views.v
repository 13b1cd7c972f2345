(** A member with folded parts beside a state that it describes: the member
    without folded parts that has the state's own values where slots point to
    parts ([view]).  The machine's steps are accounted for by that one
    (Exhaustive.v). *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Folding FoldedMembers Configurations.
From Goatherd Require Members Opening.
Import ListNotations.
Open Scope Z_scope.

(** ** Objects with a name *)

Section Named.
Variable P : program.
Variable under : parameters.
Notation lives_by_name := (lives_by_name P).
Lemma set_object_named s o x : lives_by_name s -> declared x = declared (object_at s o) ->
  (alive x = Live -> alive (object_at s o) = Live) -> lives_by_name (set_object s o x).
Proof.
  intros N D L q. rewrite object_at_set. destruct (Nat.eqb_spec q o) as [->|]; simpl; [|apply N].
  destruct (Nat.ltb _ _); [rewrite D; auto | apply N].
Qed.
Lemma same_named s s' : lives_by_name s -> memory s' = memory s -> current s' = current s -> lives_by_name s'.
Proof. intros N M C o. unfold object_at in *. rewrite M, C. apply N. Qed.
Lemma kill_named s o : lives_by_name s -> lives_by_name (kill s o).
Proof. intros N. apply set_object_named; auto. simpl. discriminate. Qed.
Lemma kill_current_named s d : lives_by_name s -> lives_by_name (kill_current s d).
Proof. intros N. unfold kill_current. destruct (nth d (current s) None); auto using kill_named. Qed.
Lemma name_bound d : has_name P d = true -> (d < length (objects P))%nat.
Proof.
  intros H. destruct (Nat.lt_ge_cases d (length (objects P))); auto.
  unfold has_name, declaration_of in H. rewrite nth_overflow in H by auto. discriminate.
Qed.
Lemma create_named s d count f w : lives_by_name s -> length (current s) = length (objects P) ->
  (has_name P d = true -> forall o, alive (object_at s o) = Live -> declared (object_at s o) <> d) -> lives_by_name (create P s d count f w).
Proof.
  intros N C Hd o. rewrite object_at_create. cbn [current create]. destruct (Nat.eqb_spec o (length (memory s))) as [->|]; simpl.
  - intros _ He. rewrite nth_replace, Nat.eqb_refl, C. apply name_bound, Nat.ltb_lt in He. rewrite He. auto.
  - intros V He. rewrite nth_replace. destruct (Nat.eqb_spec (declared (object_at s o)) d) as [E|]; simpl; [|auto].
    subst d. destruct (Hd He o V eq_refl).
Qed.
Hypothesis locals : locals_formed P.
Hypothesis unnamed : forall r d b f, In (Allocate r d b f) (instructions P) -> has_name P d = false.
Ltac splits H := unfold bind, fails in H; repeat match type of H with
  | match ?x with _ => _ end = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | (if ?x then _ else _) = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | Ok _ = Ok _ => injection H as <- end.
Theorem step_named s d s' : tidy P s -> lives_by_name s -> Machine.step P under s d = Ok s' -> lives_by_name s'.
Proof.
  intros T N H. unfold Machine.step in H. destruct (nth_error (instructions P) (location s)) as [i|] eqn:E; [|discriminate].
  apply nth_error_In in E.
  destruct i; try discriminate; try (splits H; (eapply same_named; [exact N | reflexivity | reflexivity]));
  unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in H; cbv zeta in H;
  try match goal with _ : In (Assign _ _) _ |- _ => match type of H with (if ?b then _ else _) = _ => destruct b end end;
  try (splits H; (eapply same_named; [exact N | reflexivity | reflexivity])).
  - splits H. apply set_object_named; auto.
  - splits H; try (eapply same_named; [exact N | reflexivity | reflexivity]).
    eapply same_named; [apply create_named; [exact N | apply (named_count P _ T) |] | reflexivity | reflexivity].
    intros Hn. rewrite (unnamed _ _ _ _ E) in Hn. discriminate.
  - splits H; [apply kill_named|]; auto.
  - pose proof (entries_formed _ locals _ (or_introl E)) as L. pose proof L as L'. unfold is_local in L.
    destruct (origin_of (declaration_of P object)) eqn:O; try discriminate. injection H as <-.
    apply create_named; [apply kill_current_named; auto | |].
    + unfold kill_current. destruct (nth _ _ _); simpl; apply (named_count _ _ T).
    + intros _. eapply killed_current; eauto using next_tidy.
  - injection H as <-. apply kill_current_named; auto.
Qed.
End Named.

Section View.
Variable P : program.
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (m : member).
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat) (g : state).
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Hypothesis exist : pointers_exist g.
Hypothesis by_name : lives_by_name P g.
Notation means := (means nu m rho roots lasts).
Notation size := (length (memory g)).

(** ** The view *)

Definition concrete w := match w with
  | Uninitialised => Members.NothingHeld | Integer z => Members.IntegerSlot (Constant z) | Null => Members.NullSlot
  | Pointer p => Members.PointerSlot (target p) (Constant (index p)) (byte p) end.
Definition view_slot v w := match v with
  | Plain (Members.PointerSlot o i b) => Members.PointerSlot (rho o) i b | Plain u => u | _ => concrete w end.
(** The member's object that an object of the state is, if any. *)
Definition is_source p o := match object_named m o with Some _ => Nat.eqb (rho o) p | None => false end.
Definition source p := match find (is_source p) (seq 0 (length (named m))) with Some o => object_named m o | None => None end.
Definition view_field x y k := {|
  Members.apart := map (fun j => view_slot (nth j (apart x) forgotten) (read (field_of y k) (Z.of_nat j))) (seq 0 (length (apart x)));
  Members.rest := rest x |}.
Definition view_object x y := {| Members.kind := kind x; Members.life_of := life_of x; Members.begins := begins x; Members.ends := ends x;
  Members.held := map (fun k => view_field (nth k (contents x) no_field) y k) (seq 0 (length (contents x))) |}.
(** Of objects that the member does not have only single elements are known. *)
Definition extra_field y k := if (lower y =? 0) && (upper y =? 1)
  then {| Members.apart := [concrete (read (field_of y k) 0)]; Members.rest := None |} else Members.no_field.
Definition extra y := {| Members.kind := declared y; Members.life_of := alive y; Members.begins := Constant (lower y); Members.ends := Constant (upper y);
  Members.held := map (extra_field y) (seq 0 (length (fields_of y))) |}.
Definition view_entry p := match source p with Some x => view_object x (object_at g p) | None => extra (object_at g p) end.
Definition view := {| Members.place_of := place_of m;
  Members.slots := map (fun r => view_slot (slot_at m r) (register g r)) (seq 0 (length (slots m)));
  Members.named := map (fun p => Some (view_entry p)) (seq 0 size) |}.

Lemma source_bound o x : object_named m o = Some x -> (o < length (named m))%nat.
Proof. intros E. destruct (Nat.lt_ge_cases o (length (named m))); auto. unfold object_named in E. rewrite nth_overflow in E by auto. discriminate. Qed.
Lemma source_of o x : object_named m o = Some x -> source (rho o) = Some x.
Proof.
  intros E. unfold source. destruct (find (is_source (rho o)) (seq 0 (length (named m)))) as [o'|] eqn:F.
  - apply find_some in F as [_ F]. unfold is_source in F. destruct (object_named m o') as [x'|] eqn:E'; [|discriminate]. apply Nat.eqb_eq in F.
    assert (o' = o) by (eapply (objects_apart _ _ _ _ _ _ _ _ _ _ described); eauto). subst o'. congruence.
  - assert (I : In o (seq 0 (length (named m)))) by (apply in_seq; pose proof (source_bound _ _ E); lia).
    pose proof (find_none _ _ F _ I) as N. unfold is_source in N. rewrite E, Nat.eqb_refl in N. discriminate.
Qed.
Lemma source_some p x : source p = Some x -> exists o, object_named m o = Some x /\ rho o = p.
Proof.
  unfold source. destruct (find (is_source p) (seq 0 (length (named m)))) as [o|] eqn:F; [|discriminate]. intros E. exists o. split; auto.
  apply find_some in F as [_ F]. unfold is_source in F. rewrite E in F. apply Nat.eqb_eq in F. exact F.
Qed.
Lemma view_named p : Members.object_named view p = if Nat.ltb p size then Some (view_entry p) else None.
Proof.
  unfold Members.object_named, view; simpl. destruct (Nat.ltb_spec p size) as [L|L].
  - rewrite (Opening.nth_seq (fun p => Some (view_entry p))) by auto. reflexivity.
  - apply nth_overflow. rewrite map_length, seq_length. auto.
Qed.
Lemma view_slot_at r : Members.slot_at view r = if Nat.ltb r (length (slots m)) then view_slot (slot_at m r) (register g r) else Members.Forgotten.
Proof.
  unfold Members.slot_at, view; simpl. destruct (Nat.ltb_spec r (length (slots m))) as [L|L].
  - rewrite (Opening.nth_seq (fun r => view_slot (slot_at m r) (register g r))) by auto. reflexivity.
  - apply nth_overflow. rewrite map_length, seq_length. auto.
Qed.
Lemma nth_mapped {A} (F : nat -> A) n k d : nth k (map F (seq 0 n)) d = if Nat.ltb k n then F k else d.
Proof.
  destruct (Nat.ltb_spec k n); [apply Opening.nth_seq; auto | apply nth_overflow; rewrite map_length, seq_length; auto].
Qed.

(** ** It denotes the state *)

Definition itself : renaming := fun o => if Nat.ltb o size then Some (o, 0) else None.
Lemma itself_at o : (o < size)%nat -> itself o = Some (o, 0).
Proof. intros L. apply Nat.ltb_lt in L. unfold itself. rewrite L. auto. Qed.
Lemma itself_some o p k : itself o = Some (p, k) -> p = o /\ k = 0 /\ (o < size)%nat.
Proof. unfold itself. destruct (Nat.ltb_spec o size); [|discriminate]. intros [= <- <-]. auto. Qed.
Lemma concrete_value w : Members.value_of nu (concrete w) = w.
Proof. destruct w as [| | |[]]; reflexivity. Qed.
Lemma same_alike w : value_exists size w -> value_alike itself w w.
Proof. destruct w as [| | |p]; simpl; auto. intros L. exists 0. rewrite (itself_at _ L). split; auto. split; auto. lia. Qed.
Lemma view_slot_alike v w : means v w -> value_exists size w -> Members.known_slot (view_slot v w) -> value_alike itself (Members.value_of nu (view_slot v w)) w.
Proof.
  intros H E K. destruct v as [[| |t| |o i b]|f|f]; simpl in H, K |- *; try contradiction; try (rewrite concrete_value; apply same_alike; exact E).
  - subst w. auto.
  - subst w. auto.
  - subst w. exact I.
  - destruct (object_named m o) as [x|] eqn:Eo; [|destruct H]. subst w. apply (same_alike (Pointer _)). exact E.
Qed.
Lemma element_exists o f i : value_exists size (read (field_of (object_at g o) f) i).
Proof. apply read_exists, cells_of_object, object_at_exists, exist. Qed.

Theorem view_denotes : Members.denotes_by P nu view itself g.
Proof.
  assert (Ob : forall o p k, itself o = Some (p, k) -> object_alike itself (knows_element (Members.known P view) o) k
    (object_at (Members.ground P nu view) o) (object_at g p)).
  { intros o p k E. apply itself_some in E as (-> & -> & L). rewrite Members.object_ground, view_named. apply Nat.ltb_lt in L. rewrite L.
    cbn [Members.ground_entry]. apply Nat.ltb_lt in L.
    assert (Kn : forall f i, knows_element (Members.known P view) o f i <->
      Members.known_element (nth f (Members.held (view_entry o)) Members.no_field) i).
    { intros f i. simpl. rewrite view_named. apply Nat.ltb_lt in L. rewrite L. tauto. }
    unfold view_entry in *. destruct (source o) as [x|] eqn:S.
    - destruct (source_some _ _ S) as (o' & E & R). pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as D. rewrite R in D.
      destruct D as [D1 D2 D3 D4 D5 D6].
      split; simpl; auto; try lia; try congruence; [rewrite !map_length, seq_length; auto|].
      intros Lv f i B Kf. rewrite <- D3, <- D4 in B. specialize (D6 Lv f i B). apply Kn in Kf.
      change (value_alike itself (read (field_of (Members.ground_object nu (view_object x (object_at g o))) f) i) (read (field_of (object_at g o) f) (i + 0))).
      rewrite Z.add_0_r, Members.field_ground, Members.read_ground. unfold Members.known_element in Kf. simpl in Kf |- *. rewrite nth_mapped in Kf |- *.
      destruct (Nat.ltb_spec f (length (contents x))) as [Lf|Lf]; [|unfold Members.is_apart in *; simpl in *; rewrite andb_comm in Kf; destruct (i <? 0) eqn:Q; simpl in Kf; [destruct (Z.ltb_spec i 0); [|discriminate]; destruct (Z.leb_spec 0 i); [lia|]; simpl in Kf; congruence | congruence]].
      unfold means_element in D6. unfold Members.is_apart, Members.slot_apart in Kf |- *. simpl in Kf |- *. rewrite map_length, seq_length in Kf |- *.
      destruct ((0 <=? i) && (i <? Z.of_nat (length (apart (nth f (contents x) no_field))))) eqn:Q.
      + apply andb_prop in Q as [Q1 Q2]. apply Z.leb_le in Q1. apply Z.ltb_lt in Q2. rewrite nth_mapped in Kf |- *.
        destruct (Nat.ltb_spec (Z.to_nat i) (length (apart (nth f (contents x) no_field)))); [|lia]. rewrite Z2Nat.id in Kf |- * by lia.
        apply view_slot_alike; [exact D6 | apply element_exists | exact Kf].
      + destruct (rest (nth f (contents x) no_field)) as [a|]; [|congruence]. simpl. rewrite <- D6. reflexivity.
    - split; simpl; auto; try lia; [rewrite !map_length, seq_length; auto|].
      intros Lv f i B Kf. apply Kn in Kf.
      change (value_alike itself (read (field_of (Members.ground_object nu (extra (object_at g o))) f) i) (read (field_of (object_at g o) f) (i + 0))).
      rewrite Z.add_0_r, Members.field_ground, Members.read_ground. unfold Members.known_element in Kf. simpl in Kf |- *. rewrite nth_mapped in Kf |- *.
      assert (No : Members.is_apart Members.no_field i = false) by (unfold Members.is_apart; simpl; destruct (Z.leb_spec 0 i), (Z.ltb_spec i 0); auto; lia).
      destruct (Nat.ltb_spec f (length (fields_of (object_at g o)))) as [Lf|Lf]; [|rewrite No in Kf; simpl in Kf; congruence].
      unfold extra_field in *. destruct ((lower (object_at g o) =? 0) && (upper (object_at g o) =? 1)) eqn:Q; [|rewrite No in Kf; simpl in Kf; congruence].
      apply andb_prop in Q as [Q1 Q2]. apply Z.eqb_eq in Q1, Q2. assert (i = 0) by lia. subst i.
      unfold Members.is_apart, Members.slot_apart. simpl. rewrite concrete_value. apply same_alike, element_exists. }
  split; [|intros o x E L _; rewrite view_named in E; destruct (Nat.ltb_spec o size); [rewrite itself_at by auto; eauto | discriminate]].
  split; auto.
  - simpl. exact (is_at _ _ _ _ _ _ _ _ _ _ described).
  - simpl. rewrite !map_length, seq_length. exact (register_count _ _ _ _ _ _ _ _ _ _ described).
  - simpl. rewrite map_length, seq_length. exact (name_count _ _ _ _ _ _ _ _ _ _ described).
  - intros o o' p k k' E E'. apply itself_some in E as (-> & _), E' as (-> & _). auto.
  - intros o p k E. apply itself_some in E as (-> & _ & L). simpl. rewrite !map_length, seq_length. auto.
  - intros r K. simpl in K. rewrite Members.register_ground. rewrite view_slot_at in K |- *.
    destruct (Nat.ltb_spec r (length (slots m))); [|contradiction].
    apply view_slot_alike; [apply (registers_hold _ _ _ _ _ _ _ _ _ _ described) | apply register_exists; exact exist | exact K].
  - intros d [Hn Hl]. rewrite Members.current_ground. destruct (Nat.ltb_spec d (length (objects P))) as [Ld|Ld].
    + destruct (Members.living view d) as [o|] eqn:Lo; [|congruence]. destruct (Members.living_some _ _ _ Lo) as (x & N & K & Lv).
      rewrite view_named in N. destruct (Nat.ltb_spec o size) as [L|]; [|discriminate]. injection N as <-.
      pose proof (Ob o o 0 (itself_at _ L)) as A. rewrite Members.object_ground, view_named in A. apply Nat.ltb_lt in L. rewrite L in A. apply Nat.ltb_lt in L.
      destruct A as [A1 A2 _ _ _ _]. simpl in A1, A2.
      assert (X : nth d (current g) None = Some o).
      { rewrite <- K, <- A1. apply by_name; [congruence|]. rewrite A1, K. exact Hn. }
      rewrite X. simpl. exists 0. apply itself_at. exact L.
    + rewrite nth_overflow; [exact I|]. rewrite (name_count _ _ _ _ _ _ _ _ _ _ described). lia.
Qed.
End View.
