(** States that are alike (spec/calculus.md#states-and-herds, Lemma 7): one is
    the other up to the names of objects, where objects begin, what nothing
    that is known leads to, and what is forgotten.

    [step_alike]: no instruction but [CheckLeaks] can tell them apart. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Existing Tidy.
Import ListNotations.
Open Scope Z_scope.

(** ** What is alike *)

(** Which object of the other state an object is, and by how much its indices
    are higher there. *)
Definition renaming := nat -> option (nat * Z).

Definition pointer_alike (rho : renaming) p q :=
  exists k, rho (target p) = Some (target q, k) /\ index q = index p + k /\ byte q = byte p.
Definition value_alike rho v w : Prop := match v, w with
  | Uninitialised, Uninitialised | Null, Null => True
  | Integer y, Integer z => y = z
  | Pointer p, Pointer q => pointer_alike rho p q
  | _, _ => False end.

Definition field_of x f := nth f (fields_of x) no_cells.
(** What is known of an object's elements: by field and index.  What a dead
    object holds is no matter. *)
Record object_alike rho (known : nat -> Z -> Prop) k x y : Prop := {
  same_declaration : declared y = declared x;
  same_life : alive y = alive x;
  same_lower : lower y = lower x + k;
  same_upper : upper y = upper x + k;
  same_fields : length (fields_of y) = length (fields_of x);
  same_contents : alive x = Live -> forall f i, lower x <= i < upper x -> known f i ->
    value_alike rho (read (field_of x f) i) (read (field_of y f) (i + k)) }.

(** What is known of a state: registers, elements, and which object
    [Address] gives for a declaration. *)
Record knowledge := {
  knows_register : nat -> Prop;
  knows_element : nat -> nat -> Z -> Prop;
  knows_name : nat -> Prop }.
Definition name_alike (rho : renaming) (c c' : option nat) : Prop := match c, c' with
  | None, None => True
  | Some o, Some p => exists k, rho o = Some (p, k)
  | _, _ => False end.
(** All that known registers, names and elements lead to is among the objects
    that [rho] maps, since [value_alike] asks for it. *)
Record alike (K : knowledge) rho s s' : Prop := {
  same_location : location s' = location s;
  same_register_count : length (values s') = length (values s);
  same_name_count : length (current s') = length (current s);
  one_to_one : forall o o' p k k', rho o = Some (p, k) -> rho o' = Some (p, k') -> o = o';
  in_memory : forall o p k, rho o = Some (p, k) -> (o < length (memory s) /\ p < length (memory s'))%nat;
  same_object_states : forall o p k, rho o = Some (p, k) ->
    object_alike rho (knows_element K o) k (object_at s o) (object_at s' p);
  same_registers : forall r, knows_register K r -> value_alike rho (register s r) (register s' r);
  same_names : forall d, knows_name K d -> name_alike rho (nth d (current s) None) (nth d (current s') None) }.

Definition weaker_knowledge K K' :=
  (forall r, knows_register K r -> knows_register K' r) /\
  (forall o f i, knows_element K o f i -> knows_element K' o f i) /\
  (forall d, knows_name K d -> knows_name K' d).
Lemma object_weaker rho (known known' : nat -> Z -> Prop) k x y : (forall f i, known f i -> known' f i) ->
  object_alike rho known' k x y -> object_alike rho known k x y.
Proof. intros H []. split; auto. Qed.
Lemma alike_weaker K K' rho s s' : weaker_knowledge K K' -> alike K' rho s s' -> alike K rho s s'.
Proof.
  intros (R & E & N) []. split; auto. intros o p k H. destruct (same_object_states0 o p k H). split; auto.
Qed.

(** *** Extending the map by a fresh object *)

Definition more (rho rho' : renaming) := forall o x, rho o = Some x -> rho' o = Some x.
Lemma more_refl rho : more rho rho.
Proof. intros o x H; exact H. Qed.
Lemma value_more rho rho' v w : more rho rho' -> value_alike rho v w -> value_alike rho' v w.
Proof. intros M. destruct v, w; simpl; auto. intros (k & H & ?). exists k. auto. Qed.

(** ** What changes states alike *)

Definition learn r (known : Prop) K := {|
  knows_register := fun q => q = r /\ known \/ q <> r /\ knows_register K q;
  knows_element := knows_element K; knows_name := knows_name K |}.
Definition learn_element o f i (known : Prop) K := {|
  knows_register := knows_register K;
  knows_element := fun o' f' i' =>
    (o', f', i') = (o, f, i) /\ known \/ (o', f', i') <> (o, f, i) /\ knows_element K o' f' i';
  knows_name := knows_name K |}.
Definition learn_object n d K := {|
  knows_register := knows_register K;
  knows_element := fun o f i => o = n \/ knows_element K o f i;
  knows_name := fun e => e = d \/ knows_name K e |}.

Lemma go_alike K rho s s' l : alike K rho s s' -> alike K rho (go l s) (go l s').
Proof. intros []. split; auto. Qed.
Lemma set_alike K rho s s' r v w (known : Prop) : alike K rho s s' -> (known -> value_alike rho v w) ->
  alike (learn r known K) rho (set s r v) (set s' r w).
Proof.
  intros [] H. split; simpl; auto.
  - rewrite !replace_length. auto.
  - intros q Q. unfold register; simpl. rewrite !nth_replace, same_register_count0.
    destruct (Nat.eqb_spec q r) as [->|N]; simpl.
    + destruct (Nat.ltb_spec r (length (values s))); [destruct Q as [[_ Q]|[Q _]]; [auto | congruence]|].
      rewrite !nth_overflow by lia. exact I.
    + destruct Q as [[Q _]|[_ Q]]; [contradiction | apply same_registers0; auto].
Qed.

(** Objects change alike, each by itself. *)
Lemma set_object_alike K K' rho s s' o p k x y : alike K rho s s' -> rho o = Some (p, k) ->
  knows_register K' = knows_register K -> knows_name K' = knows_name K ->
  (forall o' f i, o' <> o -> knows_element K' o' f i -> knows_element K o' f i) ->
  object_alike rho (knows_element K' o) k x y ->
  alike K' rho (set_object s o x) (set_object s' p y).
Proof.
  intros A H ER EN EE X. destruct A. split; auto; try (rewrite ER; auto); try (rewrite EN; auto).
  - intros. cbn [memory set_object]. rewrite !replace_length. eauto.
  - intros o' p' k' H'. rewrite !object_at_set.
    destruct (Nat.eqb_spec o' o) as [->|N].
    + rewrite H in H'. injection H' as <- <-. destruct (in_memory0 _ _ _ H) as [L L'].
      apply Nat.ltb_lt in L, L'. rewrite L, L', Nat.eqb_refl. exact X.
    + destruct (Nat.eqb_spec p' p) as [->|N']; [destruct N; eauto|]. simpl.
      destruct (same_object_states0 _ _ _ H'). split; auto.
Qed.

Lemma kill_alike K rho s s' o p k : alike K rho s s' -> rho o = Some (p, k) -> alike K rho (kill s o) (kill s' p).
Proof.
  intros A H. eapply set_object_alike; eauto.
  destruct (same_object_states _ _ _ _ A _ _ _ H). split; auto. simpl. discriminate.
Qed.
(** What is not mapped may end, and what is dead already. *)
Lemma kill_other K rho s s' o : alike K rho s s' -> (forall x, rho o = Some x -> alive (object_at s o) = Dead) -> alike K rho (kill s o) s'.
Proof.
  intros A H. destruct A. split; auto.
  - intros. cbn [memory set_object kill]. rewrite !replace_length. eauto.
  - intros o' p k E. unfold kill. rewrite object_at_set. destruct (Nat.eqb_spec o' o) as [->|]; [|apply same_object_states0; auto].
    specialize (H _ E). destruct (same_object_states0 _ _ _ E).
    destruct (Nat.ltb _ _); simpl; split; auto; try congruence; try discriminate; simpl; intros; congruence.
Qed.
Lemma kill_other_right K rho s s' p :
  alike K rho s s' -> (forall o k, rho o = Some (p, k) -> alive (object_at s o) = Dead) -> alike K rho s (kill s' p).
Proof.
  intros A H. destruct A. split; auto.
  - intros. cbn [memory set_object kill]. rewrite !replace_length. eauto.
  - intros o p' k E. unfold kill. rewrite object_at_set. destruct (Nat.eqb_spec p' p) as [->|]; [|apply same_object_states0; auto].
    specialize (H _ _ E). destruct (same_object_states0 _ _ _ E).
    destruct (Nat.ltb _ _); simpl; split; auto; try congruence; try discriminate; simpl; intros; congruence.
Qed.

Section Steps.
Variable P : program.
Variable under : parameters.

(** The object that [Enter] or [Leave] ends in the one state is that which it
    ends in the other, whether it is known or not: one lives at most. *)
Lemma kill_current_alike K rho s s' d : tidy P s -> tidy P s' -> is_local P d = true -> alike K rho s s' ->
  alike K rho (kill_current s d) (kill_current s' d).
Proof.
  intros T T' L A. unfold kill_current.
  (* A mapped object of the declaration that lives is the current one on both sides. *)
  assert (B : forall o p k, rho o = Some (p, k) -> alive (object_at s o) = Live -> declared (object_at s o) = d ->
    nth d (current s) None = Some o /\ nth d (current s') None = Some p).
  { intros o p k H V D. pose proof (same_object_states _ _ _ _ A _ _ _ H) as X. split.
    - pose proof (one_lives P s T o V) as Y. rewrite D in Y. auto.
    - pose proof (one_lives P s' T' p) as Y. rewrite (same_life _ _ _ _ _ X), (same_declaration _ _ _ _ _ X), D in Y. auto. }
  assert (C : forall o, nth d (current s) None = Some o -> declared (object_at s o) = d) by (intros; eapply named_declared; eauto).
  assert (C' : forall p, nth d (current s') None = Some p -> declared (object_at s' p) = d) by (intros; eapply named_declared; eauto).
  destruct (nth d (current s) None) as [o|] eqn:E, (nth d (current s') None) as [p|] eqn:E'; auto.
  - destruct (rho o) as [[p' k]|] eqn:R.
    + destruct (alive (object_at s o)) eqn:V.
      * destruct (B o p' k R V (C o eq_refl)) as [_ Y]. injection Y as <-. eapply kill_alike; eauto.
      * (* Dead already: then what p is mapped from is dead, too. *)
        apply kill_other; [|intros; auto]. apply kill_other_right; auto.
        intros o2 k2 R2. destruct (alive (object_at s o2)) eqn:V2; auto. exfalso.
        pose proof (same_object_states _ _ _ _ A _ _ _ R2) as X.
        assert (D2 : declared (object_at s o2) = d) by (rewrite <- (same_declaration _ _ _ _ _ X); auto).
        destruct (B o2 p k2 R2 V2 D2) as [Y _]. congruence.
    + apply kill_other; [|congruence]. apply kill_other_right; auto.
      intros o2 k2 R2. destruct (alive (object_at s o2)) eqn:V2; auto. exfalso.
      pose proof (same_object_states _ _ _ _ A _ _ _ R2) as X.
      assert (D2 : declared (object_at s o2) = d) by (rewrite <- (same_declaration _ _ _ _ _ X); auto).
      destruct (B o2 p k2 R2 V2 D2) as [Y _]. congruence.
  - apply kill_other; auto. intros [p' k] R. destruct (alive (object_at s o)) eqn:V; auto.
    destruct (B o p' k R V (C o eq_refl)) as [_ Y]. discriminate.
  - apply kill_other_right; auto. intros o2 k2 R2. destruct (alive (object_at s o2)) eqn:V2; auto.
    pose proof (same_object_states _ _ _ _ A _ _ _ R2) as X.
    assert (D2 : declared (object_at s o2) = d) by (rewrite <- (same_declaration _ _ _ _ _ X); auto).
    destruct (B o2 p k2 R2 V2 D2) as [Y _]. discriminate.
Qed.

(** A fresh object may begin elsewhere. *)
Definition elsewhere k (d d' : decision) :=
  number d' = number d /\ start d' = start d + k /\ forall f i, fills d' f (i + k) = fills d f i.
Definition moved k (d : decision) := {| number := number d; start := start d + k; fills := fun f i => fills d f (i - k) |}.
Lemma moved_elsewhere k d : elsewhere k d (moved k d).
Proof. split; [|split]; simpl; auto. intros f i. f_equal. lia. Qed.
Lemma elsewhere_moved k d : elsewhere k (moved (- k) d) d.
Proof. split; [|split]; simpl; auto; [lia|]. intros f i. f_equal. lia. Qed.
Definition with_fresh (rho : renaming) n p k : renaming := fun o => if Nat.eqb o n then Some (p, k) else rho o.

Lemma fresh_length l f d : forall n, length (fresh_cells l n f d) = length l.
Proof. induction l; simpl; auto. Qed.
Lemma fresh_alike rho l f d d' k i : elsewhere k d d' -> forall n g,
  value_alike rho (read (nth g (fresh_cells l n f d) no_cells) i) (read (nth g (fresh_cells l n f d') no_cells) (i + k)).
Proof.
  intros (_ & _ & F). induction l as [|x l IH]; intros n [|g]; simpl; auto.
  unfold read; simpl. destruct f, (holds x); simpl; auto. rewrite F. reflexivity.
Qed.
Lemma create_alike K rho s s' d count f w w' k : elsewhere k w w' -> alike K rho s s' ->
  let rho' := with_fresh rho (length (memory s)) (length (memory s')) k in
  more rho rho' /\ rho' (length (memory s)) = Some (length (memory s'), k) /\
  alike (learn_object (length (memory s)) d K) rho' (create P s d count f w) (create P s' d count f w').
Proof.
  intros Hw A rho'. pose proof Hw as (_ & Hs & _). destruct A.
  assert (M : more rho rho').
  { intros o x H. unfold rho', with_fresh. destruct (Nat.eqb_spec o (length (memory s))) as [->|]; auto.
    destruct x as [p j]. destruct (in_memory0 _ _ _ H). lia. }
  assert (N : rho' (length (memory s)) = Some (length (memory s'), k)) by (unfold rho', with_fresh; rewrite Nat.eqb_refl; auto).
  split; [exact M | split; [exact N|]]. split; auto.
  - cbn [current create]. rewrite !replace_length. auto.
  - unfold rho', with_fresh. intros o o' p j j'.
    destruct (Nat.eqb_spec o (length (memory s))), (Nat.eqb_spec o' (length (memory s))); intros H H'; try congruence; eauto.
    + injection H as <- <-. destruct (in_memory0 _ _ _ H'). lia.
    + injection H' as <- <-. destruct (in_memory0 _ _ _ H). lia.
  - intros o p j. cbn [memory create]. rewrite !app_length. simpl. unfold rho', with_fresh.
    destruct (Nat.eqb_spec o (length (memory s))) as [->|]; intros H; [injection H as <- <-; lia|].
    destruct (in_memory0 _ _ _ H). lia.
  - intros o p j H. rewrite !object_at_create. unfold rho', with_fresh in H.
    destruct (Nat.eqb_spec o (length (memory s))) as [->|No].
    + injection H as <- <-. rewrite Nat.eqb_refl. split; simpl; auto; try lia.
      * rewrite !fresh_length. auto.
      * intros _ g i _ _. apply fresh_alike. exact Hw.
    + destruct (in_memory0 _ _ _ H) as [_ L]. destruct (Nat.eqb_spec p (length (memory s'))) as [->|]; [lia|].
      destruct (same_object_states0 _ _ _ H). split; auto. intros V g i B [E|E]; [contradiction|]. eapply value_more; eauto.
  - intros r R. eapply value_more; [exact M|]. apply same_registers0. exact R.
  - intros e E. cbn [current create]. rewrite !nth_replace, same_name_count0.
    destruct (Nat.eqb_spec e d) as [->|]; simpl.
    + destruct (Nat.ltb_spec d (length (current s))); simpl; [exists k; exact N|]. rewrite !nth_overflow by lia. exact I.
    + destruct E as [E|E]; [contradiction|]. specialize (same_names0 e E). unfold name_alike in *.
      destruct (nth e (current s) None), (nth e (current s') None); auto. destruct same_names0 as [j J]. exists j. auto.
Qed.

(** ** What is read is the same *)

Definition outcome_alike {A B} (R : A -> B -> Prop) (x : outcome A) (y : outcome B) : Prop := match x, y with
  | Ok a, Ok b => R a b | Stop e, Stop f => e = f | _, _ => False end.
Lemma bind_alike {A B C D} (R : A -> B -> Prop) (S : C -> D -> Prop) x y f g :
  outcome_alike R x y -> (forall a b, R a b -> outcome_alike S (f a) (g b)) -> outcome_alike S (bind x f) (bind y g).
Proof. destruct x, y; simpl; auto; contradiction. Qed.
Definition option_alike rho (p q : option pointer) : Prop := match p, q with
  | None, None => True | Some p, Some q => pointer_alike rho p q | _, _ => False end.

Section Reads.
Variables (K : knowledge) (rho : renaming) (s s' : state).
Hypothesis A : alike K rho s s'.

Definition known_operand o := match o with Register r => knows_register K r | Number _ => True end.
Definition known_pointer_operand o := match o with PointerRegister r => knows_register K r | NullPointer => True end.

Lemma object_of p q : pointer_alike rho p q -> exists k, index q = index p + k /\ byte q = byte p /\ rho (target p) = Some (target q, k) /\
  object_alike rho (knows_element K (target p)) k (object_at s (target p)) (object_at s' (target q)).
Proof. intros (k & H & I & B). exists k. do 3 (split; auto). apply (same_object_states _ _ _ _ A). exact H. Qed.

Lemma use_integer_alike o : known_operand o -> use_integer s' o = use_integer s o.
Proof.
  destruct o as [r|z]; simpl; auto. intros H. apply (same_registers _ _ _ _ A) in H.
  destruct (register s r), (register s' r); simpl in H; try contradiction; congruence.
Qed.
Lemma use_integer_outcome o : known_operand o -> outcome_alike eq (use_integer s o) (use_integer s' o).
Proof. intros H. rewrite (use_integer_alike o H). destruct (use_integer s o); simpl; auto. Qed.
Lemma live_alike p q : pointer_alike rho p q -> is_live s' (target q) = is_live s (target p).
Proof. intros H. destruct (object_of p q H) as (k & _ & _ & _ & []). unfold is_live. rewrite same_life0. auto. Qed.
Lemma size_alike p q : pointer_alike rho p q -> size_at P s' (target q) = size_at P s (target p).
Proof. intros H. destruct (object_of p q H) as (k & _ & _ & _ & []). unfold size_at. rewrite same_declaration0. auto. Qed.
Lemma use_pointer_alike r : knows_register K r -> outcome_alike (option_alike rho) (use_pointer s r) (use_pointer s' r).
Proof.
  intros H. apply (same_registers _ _ _ _ A) in H. unfold use_pointer.
  destruct (register s r), (register s' r); simpl in H; try contradiction; simpl; auto.
  rewrite (live_alike _ _ H). destruct (is_live s (target p)); simpl; auto.
Qed.
Lemma use_pointer_operand_alike o : known_pointer_operand o ->
  outcome_alike (option_alike rho) (use_pointer_operand s o) (use_pointer_operand s' o).
Proof. destruct o; simpl; auto. apply use_pointer_alike. Qed.

Lemma same_object_alike p q p' q' : option_alike rho p p' -> option_alike rho q q' ->
  match same_object p q, same_object p' q' with
  | Some (a, b), Some (a', b') => Some a = p /\ Some b = q /\ Some a' = p' /\ Some b' = q' /\ target a = target b
  | None, None => True | _, _ => False end.
Proof.
  destruct p as [p|], p' as [p'|], q as [q|], q' as [q'|]; simpl; auto; try contradiction.
  intros (k & H & _) (j & H' & _). destruct (Nat.eqb_spec (target p) (target q)) as [E|N].
  - rewrite E, H' in H. injection H as H _. rewrite H, Nat.eqb_refl. auto.
  - destruct (Nat.eqb_spec (target p') (target q')) as [E|]; auto. rewrite E in H. destruct N. eapply (one_to_one _ _ _ _ A); eauto.
Qed.
Lemma related_shift r x y z : related r (x + z) (y + z) = related r x y.
Proof.
  destruct r; simpl.
  - destruct (Z.eqb_spec (x + z) (y + z)), (Z.eqb_spec x y); auto; lia.
  - destruct (Z.ltb_spec (x + z) (y + z)), (Z.ltb_spec x y); auto; lia.
  - destruct (Z.leb_spec (x + z) (y + z)), (Z.leb_spec x y); auto; lia.
Qed.
Lemma address_alike p p' q q' : pointer_alike rho p p' -> pointer_alike rho q q' -> target p = target q ->
  exists z, address_in P s' p' = address_in P s p + z /\ address_in P s' q' = address_in P s q + z.
Proof.
  intros H H' E. pose proof (size_alike _ _ H) as X. pose proof (size_alike _ _ H') as X'.
  destruct H as (k & H & I & B), H' as (j & H' & I' & B'). rewrite E, H' in H. injection H as H <-.
  exists (size_at P s (target p) * j). unfold address_in. rewrite X, X', I, I', B, B', E. lia.
Qed.
Lemma inside_alike p q : pointer_alike rho p q ->
  is_inside (object_at s' (target q)) (index q) = is_inside (object_at s (target p)) (index p) /\
  (index q =? upper (object_at s' (target q))) = (index p =? upper (object_at s (target p))) /\
  (index q =? lower (object_at s' (target q))) = (index p =? lower (object_at s (target p))) /\
  (index q <=? upper (object_at s' (target q))) = (index p <=? upper (object_at s (target p))) /\
  (lower (object_at s' (target q)) <=? index q) = (lower (object_at s (target p)) <=? index p).
Proof.
  intros H. destruct (object_of p q H) as (k & -> & _ & _ & []). unfold is_inside. rewrite same_lower0, same_upper0.
  repeat split; repeat match goal with |- context [?a <=? ?b] => destruct (Z.leb_spec a b)
    | |- context [?a <? ?b] => destruct (Z.ltb_spec a b) | |- context [?a =? ?b] => destruct (Z.eqb_spec a b) end; auto; lia.
Qed.
Lemma different_alike p q p' q' : option_alike rho p p' -> option_alike rho q q' ->
  certainly_different s' p' q' = certainly_different s p q.
Proof.
  destruct p as [p|], p' as [p'|], q as [q|], q' as [q'|]; simpl; auto; try contradiction; intros H H';
  repeat match goal with H : pointer_alike _ _ _ |- _ => apply inside_alike in H as (? & ? & ? & ? & ?) end; congruence.
Qed.
Lemma condition_alike d d' c : number d' = number d -> match c with
    | Integers _ a b => known_operand a /\ known_operand b
    | PointersCompared _ a b => known_pointer_operand a /\ known_pointer_operand b end ->
  outcome_alike eq (condition_holds P s d c) (condition_holds P s' d' c).
Proof.
  intros N. destruct c as [r a b | r a b]; simpl; intros [Ka Kb].
  - rewrite !use_integer_alike by auto. destruct (use_integer s a); simpl; auto. destruct (use_integer s b); simpl; auto.
  - eapply bind_alike; [apply use_pointer_operand_alike; auto|]. intros p p' Hp.
    eapply bind_alike; [apply use_pointer_operand_alike; auto|]. intros q q' Hq.
    pose proof (same_object_alike _ _ _ _ Hp Hq) as X. pose proof (different_alike _ _ _ _ Hp Hq) as Y.
    destruct (same_object p q) as [[a0 b0]|], (same_object p' q') as [[a1 b1]|]; try contradiction.
    + destruct X as (<- & <- & <- & <- & E). simpl in Hp, Hq. destruct (address_alike _ _ _ _ Hp Hq E) as (z & -> & ->).
      simpl. symmetry. apply related_shift.
    + rewrite Y, N. destruct r; simpl; auto. destruct p, p', q, q'; simpl in *; auto; contradiction.
Qed.

Lemma move_alike p q z : pointer_alike rho p q -> pointer_alike rho (move P s p z) (move P s' q z).
Proof.
  intros H. pose proof (size_alike _ _ H) as X. destruct H as (k & H & I & B). exists k. unfold move. simpl. rewrite X, I, B.
  repeat split; auto. lia.
Qed.

Definition place_of (rho : renaming) (x y : pointer * nat * type) :=
  pointer_alike rho (fst (fst x)) (fst (fst y)) /\ snd (fst x) = snd (fst y) /\ snd x = snd y.
Lemma place_alike a off t : knows_register K a -> outcome_alike (place_of rho) (place P s a off t) (place P s' a off t).
Proof.
  intros H. unfold place. eapply bind_alike; [apply use_pointer_alike; exact H|].
  intros [p|] [q|] Hp; simpl in Hp; try contradiction; [|reflexivity]. cbv zeta.
  pose proof (move_alike p q off Hp) as M. destruct (object_of _ _ M) as (k & _ & B & _ & []). rewrite same_declaration0, B.
  destruct (field_at _ _ _ _) as [[f from]|]; simpl; auto. unfold place_of; simpl. auto.
Qed.
Lemma place_live a off t q f u : place P s a off t = Ok (q, f, u) -> alive (object_at s (target q)) = Live.
Proof.
  unfold place, bind, use_pointer. destruct (register s a) as [| | |p]; try discriminate.
  destruct (is_live s (target p)) eqn:L; try discriminate. destruct (field_at _ _ _ _) as [[g v]|]; [|discriminate].
  intros [= <- _ _]. simpl. unfold is_live in L. destruct (alive _); congruence.
Qed.
Lemma convert_alike from to v w : value_alike rho v w -> outcome_alike (value_alike rho) (convert from to v) (convert from to w).
Proof.
  intros H. unfold convert. destruct (type_eqb from to); simpl; auto.
  destruct to as [[]|], v, w; simpl in *; try contradiction; auto; subst; reflexivity.
Qed.
End Reads.

Lemma find_filter i j l : j <> i -> find_written j (filter (fun p : Z * value => negb (fst p =? i)) l) = find_written j l.
Proof.
  intros N. induction l as [|[h v] l IH]; simpl; auto. destruct (Z.eqb_spec h i) as [->|]; simpl.
  - destruct (Z.eqb_spec j i); [contradiction | auto].
  - destruct (j =? h); auto.
Qed.
Lemma read_write c i v j : read (write c i v) j = if j =? i then v else read c j.
Proof.
  unfold read, write; simpl. destruct (Z.eqb_spec j i) as [->|N]; auto. rewrite find_filter; auto.
Qed.
Lemma field_write x f i v g : field_of (write_field x f i v) g =
  if Nat.eqb g f && Nat.ltb f (length (fields_of x)) then write (field_of x f) i v else field_of x g.
Proof. unfold field_of, write_field; simpl. apply nth_replace. Qed.
Lemma write_alike rho known k x y f i v w (kn : Prop) : object_alike rho known k x y -> (kn -> value_alike rho v w) ->
  object_alike rho (fun g j => (g, j) = (f, i) /\ kn \/ (g, j) <> (f, i) /\ known g j) k (write_field x f i v) (write_field y f (i + k) w).
Proof.
  intros [] H. split; simpl; auto.
  - rewrite !replace_length. auto.
  - intros V g j B Kn. rewrite !field_write, same_fields0.
    destruct (Nat.eqb_spec g f) as [->|N]; simpl.
    + destruct (Nat.ltb_spec f (length (fields_of x))) as [L|L].
      * rewrite !read_write. destruct (Z.eqb_spec j i) as [->|Nj].
        -- rewrite Z.eqb_refl. destruct Kn as [[_ Kn]|[Kn _]]; [auto | congruence].
        -- destruct (Z.eqb_spec (j + k) (i + k)); [lia|]. destruct Kn as [[E _]|[_ Kn]]; [congruence | auto].
      * unfold field_of. rewrite !nth_overflow by lia. exact I.
    + destruct Kn as [[E _]|[_ Kn]]; [congruence | auto].
Qed.

(** ** What an instruction asks to be known, and what is known behind it *)

(** Registers are read, and if only to copy them.  What is forgotten may be
    copied, as long as the type stays what it is. *)
Definition asks (K : knowledge) s i : Prop := match i with
  | Branch (Integers _ a b) _ _ => known_operand K a /\ known_operand K b
  | Branch (PointersCompared _ a b) _ _ => known_pointer_operand K a /\ known_pointer_operand K b
  | Assign r (Register q) => knows_register K q
  | Compute r op a b => known_operand K a /\ known_operand K b
  | Address r d => knows_name K d
  | Advance r p n z => knows_register K p /\ known_operand K n
  | Distance r p q z => knows_register K p /\ knows_register K q
  | Load r a off => knows_register K a /\ forall q f t, place P s a off (type_of P r) = Ok (q, f, t) ->
      is_inside (object_at s (target q)) (index q) = true -> knows_element K (target q) f (index q) \/ type_eqb t (type_of P r) = true
  | Store a off r => knows_register K a /\ (knows_register K r \/
      forall q f t, place P s a off (type_of P r) = Ok (q, f, t) -> type_eqb (type_of P r) t = true)
  | Allocate r d b f => known_operand K b
  | Free r => knows_register K r
  | Enter d | Leave d => is_local P d = true
  | CheckLeaks roots => False
  | _ => True end.
Definition is_loaded K s a off r := forall q f t, place P s a off (type_of P r) = Ok (q, f, t) -> knows_element K (target q) f (index q).
Definition after (K : knowledge) s i : knowledge := match i with
  | Assign r _ | Compute r _ _ _ | Havoc r | Uninitialise r | SetNull r | Address r _ | Advance r _ _ _ | Distance r _ _ _ => learn r True K
  | Copy r q => learn r (knows_register K q) K
  | Load r a off => learn r (is_loaded K s a off r) K
  | Store a off r => match place P s a off (type_of P r) with
    | Ok (q, f, t) => learn_element (target q) f (index q) (knows_register K r) K | Stop _ => K end
  | Allocate r d b f => learn r True K
  | _ => K end.

Definition is_create i d := match i with Allocate _ e _ _ | Enter e => e = d | _ => False end.
(** What is known behind a step, under which map. *)
Definition is_enter i := match i with Enter _ => true | _ => false end.
Definition steps_alike (K : knowledge) rho n i s s' := exists rho', more rho rho' /\
  (is_enter i = false /\ length (memory s) = n /\ alike K rho' s s' \/ exists d, is_create i d /\ alike (learn_object n d K) rho' s s').

Lemma plainly K rho n i s s' : is_enter i = false -> length (memory s) = n -> alike K rho s s' -> steps_alike K rho n i s s'.
Proof. intros E L A. exists rho. split; [apply more_refl | auto]. Qed.
Ltac plain := apply plainly; [exact eq_refl | rewrite ?kill_current_length; simpl; rewrite ?replace_length; exact eq_refl |].
Lemma next_alike K rho s s' : alike K rho s s' -> alike K rho (next_location s) (next_location s').
Proof. intros []. split; simpl; auto. Qed.
Lemma set_after_more K rho rho' s s' r v w n d : alike (learn_object n d K) rho' s s' -> value_alike rho' v w -> more rho rho' ->
  alike (learn_object n d (learn r True K)) rho' (set s r v) (set s' r w).
Proof. intros A V M. exact (set_alike _ _ _ _ r v w True A (fun _ => V)). Qed.

Theorem step_alike K rho s s' i k d d' : tidy P s -> tidy P s' -> alike K rho s s' -> elsewhere k d d' ->
  nth_error (instructions P) (location s) = Some i -> asks K s i ->
  outcome_alike (steps_alike (after K s i) rho (length (memory s)) i) (step P under s d) (step P under s' d').
Proof.
  intros T T' A Hd E Q. pose proof Hd as (Hn & Hs & _). unfold step. rewrite (same_location _ _ _ _ A), E. destruct i; simpl in Q; simpl after; try reflexivity.
  - (* jump *) plain; apply go_alike; auto.
  - (* branch *)
    eapply bind_alike; [apply (condition_alike K rho _ _ A d d' c Hn); destruct c; auto|].
    intros b b' <-. plain; apply go_alike; auto.
  - (* choose *) rewrite Hn. plain; apply go_alike; auto.
  - (* assign *)
    unfold assign. cbv zeta. destruct value as [q|z].
    + pose proof (same_registers _ _ _ _ A _ Q) as V. rewrite (use_integer_alike _ _ _ _ A (Register q) Q).
      destruct (register s q) eqn:R, (register s' q) eqn:R'; simpl in V; try contradiction;
      repeat match goal with |- context [match type_of P ?r with _ => _ end] => destruct (type_of P r) end; simpl; rewrite ?R; simpl; auto;
      try (destruct (integer_type_eqb _ _); simpl; rewrite ?R; simpl; auto); plain; apply set_alike; simpl; auto.
    + simpl. plain; apply set_alike; simpl; auto.
  - (* compute *)
    destruct Q as [Q Q']. unfold compute_in. rewrite !(use_integer_alike _ _ _ _ A) by auto.
    destruct (use_integer s left); simpl; auto. destruct (use_integer s right); simpl; auto.
    destruct (compute _ _ _ _); simpl; auto; try (plain; apply set_alike; simpl; auto; fail).
    destruct (on_overflow under), (signed (integer_type_of P target)); simpl; auto; plain; apply set_alike; simpl; auto.
  - (* havoc *) rewrite Hn. plain; apply set_alike; simpl; auto.
  - (* uninitialise *) plain; apply set_alike; simpl; auto.
  - (* null *) plain; apply set_alike; simpl; auto.
  - (* copy *) plain; apply set_alike; auto. apply A.
  - (* address *)
    unfold address. pose proof (same_names _ _ _ _ A _ Q) as N. unfold name_alike in N.
    destruct (nth object (current s) None) as [o|], (nth object (current s') None) as [p|]; try contradiction; simpl; auto.
    destruct N as [j N]. plain; apply set_alike; auto. intros _. exists j. simpl. split; auto. split; auto.
    apply (same_lower _ _ _ _ _ (same_object_states _ _ _ _ A _ _ _ N)).
  - (* advance *)
    destruct Q as [Q Q']. unfold advance. eapply bind_alike; [apply (use_pointer_alike K rho); auto|]. intros p p' Hp.
    rewrite (use_integer_alike _ _ _ _ A) by auto. destruct (use_integer s index) as [n|]; simpl; auto.
    destruct p as [p|], p' as [p'|]; simpl in Hp; try contradiction.
    + pose proof (move_alike _ _ _ _ A p p' (n * scale) Hp) as M. pose proof (inside_alike _ _ _ _ A _ _ M) as (I & U & _).
      destruct (object_of _ _ _ _ A _ _ M) as (j & _ & B & _). simpl in I, U, B |- *.
      rewrite I, U, B. destruct (formation under); [|destruct (_ || _); simpl; auto]; plain; apply set_alike; auto.
    + destruct (n =? 0); simpl; auto. plain; apply set_alike; simpl; auto.
  - (* distance *)
    destruct Q as [Q Q']. unfold distance. eapply bind_alike; [apply (use_pointer_alike K rho); auto|]. intros p p' Hp.
    eapply bind_alike; [apply (use_pointer_alike K rho); auto|]. intros q q' Hq.
    apply bind_alike with (R := eq).
    + pose proof (same_object_alike _ _ _ _ A _ _ _ _ Hp Hq) as X.
      destruct (same_object p q) as [[a0 b0]|] eqn:E0, (same_object p' q') as [[a1 b1]|] eqn:E1; try contradiction.
      * destruct X as (<- & <- & <- & <- & Et). simpl in Hp, Hq. destruct (address_alike _ _ _ _ A _ _ _ _ Hp Hq Et) as (z & -> & ->).
        simpl. lia.
      * destruct p, p', q, q'; simpl in Hp, Hq |- *; auto; try contradiction.
    + intros b b' <-. destruct (negb _); simpl; auto. destruct (is_within _ _); simpl; auto. plain; apply set_alike; simpl; auto.
  - (* load *)
    destruct Q as [Q Q']. unfold load. pose proof (place_alike _ _ _ _ A address offset (type_of P target) Q) as X.
    fold (is_loaded K s address offset target).
    unfold is_loaded. destruct (place P s address offset (type_of P target)) as [[[q f] t]|] eqn:Ep,
      (place P s' address offset (type_of P target)) as [[[q' f'] t']|] eqn:Ep'; simpl in X; try contradiction; [|simpl; auto].
    destruct X as (Hq & Ef & Et). simpl in Hq, Ef, Et. subst f' t'. simpl.
    pose proof (inside_alike _ _ _ _ A _ _ Hq) as (I & _). rewrite I. destruct (is_inside (object_at s (Machine.target q)) (Machine.index q)) eqn:In; [|reflexivity].
    destruct (object_of _ _ _ _ A _ _ Hq) as (j & Ej & _ & _ & O). rewrite Ej.
    assert (Lv : alive (object_at s (Machine.target q)) = Live).
    { eapply place_live; eauto. }
    unfold is_inside in In. apply andb_prop in In as [In1 In2]. apply Z.leb_le in In1. apply Z.ltb_lt in In2.
    pose proof (same_contents _ _ _ _ _ O Lv f (Machine.index q) (conj In1 In2)) as C. fold (field_of (object_at s (Machine.target q)) f).
    fold (field_of (object_at s' (Machine.target q')) f).
    destruct (Q' q f t eq_refl ltac:(unfold is_inside; apply andb_true_intro; split; [apply Z.leb_le | apply Z.ltb_lt]; auto)) as [Kn | Et].
    + eapply bind_alike; [apply convert_alike; apply C; exact Kn|]. intros v w V. plain; apply set_alike; auto.
    + unfold convert. rewrite Et. simpl. plain; apply set_alike; auto. intros Kn. apply C. apply (Kn q f t eq_refl).
  - (* store *)
    destruct Q as [Q Q']. unfold store. pose proof (place_alike _ _ _ _ A address offset (type_of P source) Q) as X.
    destruct (place P s address offset (type_of P source)) as [[[q f] t]|] eqn:Ep,
      (place P s' address offset (type_of P source)) as [[[q' f'] t']|] eqn:Ep'; simpl in X; try contradiction; [|simpl; auto].
    destruct X as (Hq & Ef & Et). simpl in Hq, Ef, Et. subst f' t'. simpl.
    pose proof (inside_alike _ _ _ _ A _ _ Hq) as (I & _). destruct (object_of _ _ _ _ A _ _ Hq) as (j & Ej & _ & Hj & O).
    unfold may_write. rewrite (same_declaration _ _ _ _ _ O).
    match goal with |- outcome_alike _ (if ?b then _ else _) _ => destruct b; [|reflexivity] end.
    assert (W : forall v w, (knows_register K source -> value_alike rho v w) ->
      outcome_alike (steps_alike (learn_element (Machine.target q) f (Machine.index q) (knows_register K source) K) rho (length (memory s)) (Store address offset source))
        (if is_inside (object_at s (Machine.target q)) (Machine.index q) then Ok (set_object (next_location s) (Machine.target q) (write_field (object_at s (Machine.target q)) f (Machine.index q) v)) else fails OutOfBounds)
        (if is_inside (object_at s' (Machine.target q')) (Machine.index q') then Ok (set_object (next_location s') (Machine.target q') (write_field (object_at s' (Machine.target q')) f (Machine.index q') w)) else fails OutOfBounds)).
    { intros v w V. rewrite I.
      destruct (is_inside (object_at s (Machine.target q)) (Machine.index q)); [|exact eq_refl]. simpl. plain.
      eapply set_object_alike; [apply next_alike; exact A | exact Hj | reflexivity | reflexivity | |].
      - simpl. intros o' g z N [[Eo _]|[_ Kn]]; [congruence | auto].
      - rewrite Ej. eapply object_weaker; [|apply write_alike; [exact O | exact V]]. simpl. intros g z [[Eo Kn]|[Ne Kn]]; [left | right]; split; auto; congruence. }
    destruct Q' as [Kn | Et].
    + eapply bind_alike; [apply convert_alike; apply A; exact Kn|]. intros v w V. apply W. auto.
    + unfold convert. rewrite (Et q f t eq_refl). simpl. apply W. apply A.
  - (* allocate *)
    unfold allocate. rewrite Hn, (use_integer_alike _ _ _ _ A) by auto. destruct (use_integer s bytes) as [n|]; simpl; auto.
    destruct (most_bytes <? n); [plain; apply set_alike; simpl; auto|].
    match goal with |- outcome_alike _ (if ?b then _ else _) _ => destruct b; [plain; apply set_alike; simpl; auto|] end.
    match goal with |- outcome_alike _ (if ?b then _ else _) _ => destruct b; [reflexivity|] end. simpl.
    destruct (create_alike K rho s s' object (n / element_size (layout_of_declaration P object)) f d d' k Hd A) as (M & N & B).
    eexists. split; [exact M|]. right. exists object. split; [reflexivity|].
    eapply set_after_more; eauto. exists k. simpl. auto.
  - (* free *)
    unfold free. eapply bind_alike; [apply (use_pointer_alike K rho); auto|].
    intros [p|] [q|] Hp; simpl in Hp; try contradiction; [|plain; apply next_alike; auto].
    cbv zeta. pose proof (inside_alike _ _ _ _ A _ _ Hp) as (_ & _ & L & _). destruct (object_of _ _ _ _ A _ _ Hp) as (j & _ & B & Hj & O).
    unfold may_free. rewrite (same_declaration _ _ _ _ _ O), L, B.
    match goal with |- outcome_alike _ (if ?b then _ else _) _ => destruct b; [|reflexivity] end.
    plain. eapply kill_alike; [apply next_alike; exact A | exact Hj].
  - (* enter *)
    unfold enter. unfold is_local in Q. destruct (origin_of (declaration_of P object)) eqn:O; try discriminate. simpl.
    assert (B : alike K rho (kill_current (next_location s) object) (kill_current (next_location s') object)).
    { apply kill_current_alike; auto using next_alike, next_tidy. unfold is_local. rewrite O. auto. }
    destruct (create_alike K rho _ _ object count Arbitrary d d' k Hd B) as (M & N & C).
    rewrite kill_current_length in M, C. cbn [next_location memory] in M, C. eexists. split; [exact M|]. right. exists object. split; [reflexivity | exact C].
  - (* leave *)
    unfold leave. simpl. plain. apply kill_current_alike; auto using next_alike, next_tidy.
  - (* check leaks *) contradiction.
Qed.
End Steps.
