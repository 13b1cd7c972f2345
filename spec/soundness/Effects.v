(** Outcomes and their effects on members (spec/calculus.md#outcomes), and what
    it is that a list accounts for what the member's own state does. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Members.
Import ListNotations.
Open Scope Z_scope.

Notation holds := Terms.holds.

Inductive tag := Exact | Real | Ignorance.
(** Where an element's contents stand: in a cell of its own, or at this index of
    the rest. *)
Inductive element := AtCell (c : nat) | AtRest (i : term).
Inductive effect :=
| GoesTo (l : nat)
| Sets (r : nat) (v : slot)
| FailsHere
| Draws (r : nat) (T : integer_type)
| Writes (o f : nat) (e : element) (v : slot)
| Creates (r : option nat) (d : nat) (count : term) (f : fresh)
| Kills (o : nat).
Record outcome := { tag_of : tag; literals : list literal; effect_of : effect }.
Definition exactly ls e := {| tag_of := Exact; literals := ls; effect_of := e |}.
Definition really ls e := {| tag_of := Real; literals := ls; effect_of := e |}.
Definition ignored ls e := {| tag_of := Ignorance; literals := ls; effect_of := e |}.

(** What using operands comes to: values, none, or it is not known.  The list is
    refused where the second of two is forgotten, though the first one fails. *)
Inductive used (A : Type) := Has (a : A) | NoValue | NotKnown.
Arguments Has {A}. Arguments NoValue {A}. Arguments NotKnown {A}.
Definition with_used {A B} (x : used A) (y : used B) (f : A -> B -> option (list outcome)) : option (list outcome) := match x, y with
  | NotKnown, _ | _, NotKnown => None
  | Has a, Has b => f a b
  | _, _ => Some [exactly [] FailsHere] end.

(** The value of a term that has one alone, by ranges. *)
Definition known_value t : option Z := match range_of_linear (normal t) with
  | (Some a, Some b) => if a =? b then Some a else None | _ => None end.
Lemma known_value_eval nu t z : well_sorted nu -> known_value t = Some z -> eval nu t = z.
Proof.
  intros W. unfold known_value. pose proof (range_of_linear_sound nu (normal t) W) as R. rewrite normal_eval in R.
  destruct (range_of_linear (normal t)) as [[a|] [b|]]; try discriminate. destruct (Z.eqb_spec a b); [|discriminate].
  intros [= <-]. unfold in_range in R. simpl in R. lia.
Qed.

Lemma map_replace {A B} (f : A -> B) l r v : map f (replace l r v) = replace (map f l) r (f v).
Proof. revert r. induction l; intros [|r]; simpl; congruence. Qed.

(** ** Which object lives *)

Lemma first_living_same d l : forall l' n, length l = length l' -> (forall o, lives_as d (nth o l None) = lives_as d (nth o l' None)) ->
  first_living d l n = first_living d l' n.
Proof.
  induction l as [|x l IH]; intros [|y l'] n L H; simpl in L; try discriminate; auto. simpl. pose proof (H O) as H0. simpl in H0. rewrite H0.
  destruct (lives_as d y); auto. apply IH; [lia|]. intros o. apply (H (S o)).
Qed.
Lemma first_living_app d l y : forall n, first_living d (l ++ [y]) n =
  match first_living d l n with Some o => Some o | None => if lives_as d y then Some (n + length l)%nat else None end.
Proof.
  induction l as [|x l IH]; intros n; simpl.
  - rewrite Nat.add_0_r. destruct (lives_as d y); auto.
  - destruct (lives_as d x); auto. rewrite IH. destruct (first_living d l (S n)); auto. rewrite <- Nat.add_succ_comm. reflexivity.
Qed.

Section Effects.
Variable P : program.
Variable under : parameters.
(** How many cells of an array stand apart. *)
Variable few : nat.

(** ** Fresh objects *)

Definition most_pointers := 64.
Definition is_heap d := match origin_of (declaration_of P d) with Heap => true | _ => false end.
(** How many cells of a field stand apart, and whether there are others: an
    object may begin anywhere, unless it is known to have few elements; a rest
    of pointers there is none. *)
Definition extent d t (count : option Z) : nat * bool := match t, count with
  | PointerType, Some c => (Z.to_nat c, false)
  | PointerType, None => (O, false)
  | IntegerType _, Some c => if (c <=? Z.of_nat few) && negb (is_heap d) then (Z.to_nat c, false) else (few, true)
  | IntegerType _, None => (few, true) end.
Definition layout_at d := layout_fields (layout_of_declaration P d).
Definition has_room d (count : option Z) := forallb (fun x => match Programs.holds x, count with
  | IntegerType _, _ => true | PointerType, Some c => c <=? most_pointers | PointerType, None => false end) (layout_at d).
(** A field has variables for its cells and for its rest, from [n] on. *)
Definition stride := S few.
Definition fresh_field n (f : fresh) t (e : nat * bool) := match t with
  | PointerType => {| apart := repeat (match f with Zero => NullSlot | Arbitrary => NothingHeld end) (fst e); rest := None |}
  | IntegerType T => {|
    apart := map (fun j => IntegerSlot (match f with Zero => Constant 0 | Arbitrary => Var (Some T) (n + j) end)) (seq 0 (fst e));
    rest := if snd e then Some (match f with Zero => Everywhere (Constant 0) | Arbitrary => ArrayVar T n end) else None |} end.
Fixpoint fresh_fields l n d f count := match l with
  | [] => []
  | x :: l => fresh_field n f (Programs.holds x) (extent d (Programs.holds x) count) :: fresh_fields l (n + stride)%nat d f count end.
Definition fresh_object n d count f := {| kind := d; life_of := Live; begins := Constant 0; ends := count;
  held := fresh_fields (layout_at d) n d f (known_value count) |}.

(** ** Effects *)

Definition set_slot m r v := {| place_of := S (place_of m); slots := replace (slots m) r v; named := named m |}.
Definition goes l m := {| place_of := l; slots := slots m; named := named m |}.
Definition name m o x := {| place_of := place_of m; slots := slots m; named := replace (named m) o x |}.
Definition dead x := {| kind := kind x; life_of := Dead; begins := begins x; ends := ends x; held := held x |}.
Definition ended m o := name m o (option_map dead (object_named m o)).
Definition write_element e v f := match e, v with
  | AtCell c, _ => {| apart := replace (apart f) c v; rest := rest f |}
  | AtRest i, IntegerSlot t => {| apart := apart f; rest := option_map (fun a => Terms.Store a i t) (rest f) |}
  | AtRest _, _ => f end.
Definition written_object x f e v := {| kind := kind x; life_of := life_of x; begins := begins x; ends := ends x;
  held := replace (held x) f (write_element e v (nth f (held x) no_field)) |}.
(** An object gets the next name; an earlier one of a local declaration is dead
    from then on. *)
Definition made m x := {| place_of := place_of m; slots := slots m; named := named m ++ [Some x] |}.
Definition without_earlier m d := if is_local P d then match living m d with Some o => ended m o | None => m end else m.
(** Fresh variables have numbers from [n] on. *)
Definition affect n e m : member := match e with
  | GoesTo l => goes l m
  | Sets r v => set_slot m r v
  | FailsHere => m
  | Draws r T => set_slot m r (IntegerSlot (Var (Some T) n))
  | Writes o f e v => goes (S (place_of m)) (name m o (option_map (fun x => written_object x f e v) (object_named m o)))
  | Creates r d count f =>
    let m' := made (without_earlier m d) (fresh_object n d count f) in
    match r with
    | Some r => set_slot m' r (PointerSlot (length (named m)) (Constant 0) 0)
    | None => goes (S (place_of m)) m' end
  | Kills o => goes (S (place_of m)) (ended m o) end.
Definition next_variable n e := match e with
  | Draws _ _ => S n
  | Creates _ d _ _ => (n + stride * length (layout_at d))%nat
  | _ => n end.

(** ** What it is that a list accounts for a step *)

Section Member.
Variables (n : nat) (nu : valuation) (m : member).
Notation g := (ground P nu m).

Definition reaches mu e (x : Machine.outcome state) : Prop := match e with
  | FailsHere => exists f, x = fails f
  | _ => exists s, x = Ok s /\ holds_same (known P (affect n e m)) s (ground P mu (affect n e m)) end.
Definition happens o := Forall (holds nu) (literals o).
Definition sound_list os :=
  (forall d, start d = 0 -> exists o mu, In o os /\ happens o /\ agree n nu mu /\ well_sorted mu /\ reaches mu (effect_of o) (step P under g d)) /\
  (forall o, In o os -> tag_of o <> Ignorance -> happens o -> exists d, start d = 0 /\ reaches nu (effect_of o) (step P under g d)).

Definition still := {| number := 0; start := 0; fills := fun _ _ => 0 |}.
Lemma agree_refl : agree n nu nu.
Proof. split; auto. Qed.

Section Sorted.
Hypothesis sorted : well_sorted nu.
Lemma taken os o x : In o os -> happens o -> reaches nu (effect_of o) x ->
  exists o mu, In o os /\ happens o /\ agree n nu mu /\ well_sorted mu /\ reaches mu (effect_of o) x.
Proof. intros I H R. exists o, nu. split; auto. split; auto. split; auto using agree_refl. Qed.
(** Where nothing is decided. *)
Lemma determined os x : (forall d, step P under g d = x) -> (exists o, In o os /\ happens o) ->
  (forall o, In o os -> happens o -> reaches nu (effect_of o) x) -> sound_list os.
Proof.
  intros E (o & I & H) R. split.
  - intros d _. rewrite E. apply taken with o; auto.
  - intros o' I' _ H'. exists still. rewrite E. auto.
Qed.
Lemma one e x : (forall d, step P under g d = x) -> reaches nu e x -> sound_list [exactly [] e].
Proof.
  intros E R. apply determined with x; auto; [eexists; split; [left; reflexivity | constructor]|].
  intros o [<-|[]] _. exact R.
Qed.
(** One effect under a literal, another one under its negation. *)
Definition either l e e' := [exactly [l] e; exactly [negation l] e'].
Lemma either_sound l e e' x : (forall d, step P under g d = x) -> (holds nu l -> reaches nu e x) -> (~ holds nu l -> reaches nu e' x) ->
  sound_list (either l e e').
Proof.
  intros E A B. eapply determined; [exact E | |].
  - destruct (holds_or_not nu l); eexists; [split; [left; reflexivity|] | split; [right; left; reflexivity|]]; constructor; auto.
  - intros o [<-|[<-|[]]] Ho; inversion_clear Ho as [|? ? L _]; [apply A; auto | apply B, negation_holds; auto].
Qed.
End Sorted.

Lemma set_ground r v : set g r (value_of nu v) = ground P nu (set_slot m r v).
Proof. unfold set, ground; simpl. rewrite map_replace. reflexivity. Qed.
Lemma reaches_set r v : reaches nu (Sets r v) (Ok (set g r (value_of nu v))).
Proof. simpl. eexists. split; [reflexivity|]. rewrite set_ground. apply holds_same_refl. Qed.
Lemma reaches_integer r t z : eval nu t = z -> reaches nu (Sets r (IntegerSlot t)) (Ok (set g r (Integer z))).
Proof. intros <-. apply (reaches_set r (IntegerSlot t)). Qed.
Lemma reaches_go l : reaches nu (GoesTo l) (Ok (go l g)).
Proof. simpl. eexists. split; [reflexivity|]. apply holds_same_refl. Qed.
End Member.

(** ** The effects on the member's own state *)

Section Apply.
Variables (nu : valuation) (m : member).
Notation g := (ground P nu m).
Hypothesis tidy_ground : tidy P g.

Lemma names_ground d : (d < length (objects P))%nat -> nth d (current g) None = living m d.
Proof. intros H. rewrite current_ground. apply Nat.ltb_lt in H. rewrite H. auto. Qed.
(** Of a local declaration one object lives. *)
Lemma lives_alone o x : object_named m o = Some x -> life_of x = Live -> is_local P (kind x) = true -> living m (kind x) = Some o.
Proof.
  intros N L D. pose proof (one_lives P _ tidy_ground o) as O. rewrite object_ground, N in O. simpl in O. specialize (O L D).
  rewrite names_ground in O by (apply local_declared; auto). exact O.
Qed.

(** *** An object ends *)

Lemma named_replaced o x q : nth q (replace (named m) o x) None = if Nat.eqb q o && Nat.ltb o (length (named m)) then x else object_named m q.
Proof. apply nth_replace. Qed.
Lemma ended_memory o : memory (kill g o) = map (ground_entry nu) (named (ended m o)).
Proof.
  unfold kill, set_object, ended, name. simpl. rewrite map_replace. f_equal. rewrite object_ground. destruct (object_named m o); reflexivity.
Qed.
Lemma ended_living o x e : object_named m o = Some x -> (has_name P (kind x) = true -> is_local P (kind x) = true) ->
  has_name P e = true -> living (ended m o) e <> None -> living (ended m o) e = living m e.
Proof.
  intros N L He Hl. destruct (Nat.eq_dec (kind x) e) as [K|K]; [destruct (life_of x) eqn:V|].
  - exfalso. destruct (living (ended m o) e) as [o'|] eqn:E; [|congruence]. destruct (living_some _ _ _ E) as (x' & N' & K' & V').
    unfold object_named, ended, name in N'. simpl in N'. rewrite named_replaced, N in N'.
    assert (D : is_local P (kind x) = true) by (apply L; congruence). pose proof (lives_alone o x N V D) as A.
    destruct (Nat.eqb_spec o' o) as [->|Ne]; simpl in N'.
    + destruct (Nat.ltb o (length (named m))) eqn:Q; [injection N' as <-; discriminate|]. pose proof (living_bound _ _ _ A) as Lb. apply Nat.ltb_lt in Lb. congruence.
    + pose proof (lives_alone o' x' N' V') as B. rewrite K', <- K in B. specialize (B D). congruence.
  - apply first_living_same; simpl; [apply replace_length|]. intros q. rewrite named_replaced. fold (object_named m q). rewrite N.
    destruct (Nat.eqb_spec q o) as [->|]; simpl; auto. destruct (Nat.ltb _ _); auto. rewrite N. simpl. rewrite V. auto.
  - apply first_living_same; simpl; [apply replace_length|]. intros q. rewrite named_replaced. fold (object_named m q). rewrite N.
    destruct (Nat.eqb_spec q o) as [->|]; simpl; auto. destruct (Nat.ltb _ _); auto. rewrite N. simpl.
    apply Nat.eqb_neq in K. rewrite K. auto.
Qed.
Lemma names_same m' (s : state) : length (current s) = length (objects P) ->
  (forall e, has_name P e = true -> living m' e <> None -> (e < length (objects P))%nat -> nth e (current s) None = living m' e) ->
  length (current (ground P nu m')) = length (current s) /\
  forall d, knows_name (known P m') d -> nth d (current (ground P nu m')) None = nth d (current s) None.
Proof.
  intros L H. split; [simpl; rewrite map_length, seq_length; auto|]. intros d [A B]. rewrite current_ground.
  destruct (Nat.ltb_spec d (length (objects P))).
  - symmetry. apply H; auto.
  - symmetry. apply nth_overflow. lia.
Qed.
Theorem kill_reaches n o x : object_named m o = Some x -> (has_name P (kind x) = true -> is_local P (kind x) = true) ->
  reaches n m nu (Kills o) (Ok (kill (next_location g) o)).
Proof.
  intros N L. cbn [reaches]. eexists. split; [reflexivity|]. cbn [affect].
  destruct (names_same (goes (S (place_of m)) (ended m o)) (kill (next_location g) o)) as [C D].
  - apply (named_count _ _ tidy_ground).
  - intros e He Hl B. transitivity (living m e); [apply names_ground; exact B|]. symmetry. eapply ended_living; eauto.
  - assert (M : memory (ground P nu (goes (S (place_of m)) (ended m o))) = memory (kill (next_location g) o)) by (symmetry; apply ended_memory).
    split; auto; [rewrite M; auto|]. intros q. unfold object_at. rewrite M. apply object_same_refl.
Qed.

(** *** An element is written *)

Lemma write_element_read e v f i : match e with AtCell c => i = Z.of_nat c /\ (c < length (apart f))%nat
    | AtRest t => i = eval nu t /\ is_apart f i = false /\ rest f <> None /\ exists t, v = IntegerSlot t end ->
  forall j, read (ground_field nu (write_element e v f)) j = if j =? i then value_of nu v else read (ground_field nu f) j.
Proof.
  intros H j. rewrite !read_ground. destruct e as [c|t].
  - destruct H as [-> L]. unfold is_apart, slot_apart. cbn [write_element apart rest]. rewrite replace_length, nth_replace.
    assert (Q : (c <? length (apart f))%nat = true) by (apply Nat.ltb_lt; auto). rewrite Q, andb_true_r.
    destruct (Z.eqb_spec j (Z.of_nat c)) as [->|Ne].
    + rewrite Nat2Z.id, Nat.eqb_refl. assert (A : (0 <=? Z.of_nat c) && (Z.of_nat c <? Z.of_nat (length (apart f))) = true) by (apply andb_true_intro; split; [apply Z.leb_le | apply Z.ltb_lt]; lia).
      rewrite A. auto.
    + destruct ((0 <=? j) && (j <? Z.of_nat (length (apart f)))) eqn:B; auto. apply andb_prop in B as [B _]. apply Z.leb_le in B.
      destruct (Nat.eqb_spec (Z.to_nat j) c); [lia|]. reflexivity.
  - destruct H as (-> & A & R & u & ->). unfold is_apart, slot_apart in *. cbn [write_element apart rest]. destruct (rest f) as [a|]; [|congruence].
    simpl option_map. destruct (Z.eqb_spec j (eval nu t)) as [->|Ne].
    + rewrite A. cbn [eval_array]. rewrite Z.eqb_refl. auto.
    + cbn [eval_array]. apply Z.eqb_neq in Ne. rewrite Ne. auto.
Qed.
Lemma written_living o x f e v d : object_named m o = Some x ->
  living (name m o (Some (written_object x f e v))) d = living m d.
Proof.
  intros N. apply first_living_same; simpl; [apply replace_length|]. intros q. rewrite named_replaced.
  destruct (Nat.eqb_spec q o) as [->|]; simpl; auto. destruct (Nat.ltb _ _); auto. fold (object_named m o). rewrite N. auto.
Qed.
Theorem write_reaches n o x f e v i : object_named m o = Some x -> (f < length (held x))%nat ->
  match e with AtCell c => i = Z.of_nat c /\ (c < length (apart (nth f (held x) no_field)))%nat
    | AtRest t => i = eval nu t /\ is_apart (nth f (held x) no_field) i = false /\ rest (nth f (held x) no_field) <> None /\ exists t, v = IntegerSlot t end ->
  reaches n m nu (Writes o f e v) (Ok (set_object (next_location g) o (write_field (object_at g o) f i (value_of nu v)))).
Proof.
  intros N F H. cbn [reaches affect]. eexists. split; [reflexivity|]. rewrite N. cbn [option_map].
  set (x' := written_object x f e v). set (m' := goes (S (place_of m)) (name m o (Some x'))).
  assert (Lv : forall d, living m' d = living m d) by (intros; apply written_living; auto).
  destruct (names_same m' (set_object (next_location g) o (write_field (object_at g o) f i (value_of nu v)))) as [C D].
  - apply (named_count _ _ tidy_ground).
  - intros d _ _ B. rewrite Lv. apply names_ground. exact B.
  - split; auto.
    + simpl. rewrite !map_length, !replace_length, map_length. auto.
    + intros q. assert (Nm : object_named m' q = if Nat.eqb q o && Nat.ltb o (length (named m)) then Some x' else object_named m q) by apply named_replaced.
      rewrite object_at_set, (object_ground P nu m' q), Nm. cbn [next_location memory ground]. rewrite map_length.
      clear Nm. destruct (Nat.eqb_spec q o) as [Eq|Eq]; simpl andb; cbv iota.
      * subst q. destruct (Nat.ltb_spec o (length (named m))); [|exfalso; unfold object_named in N; rewrite nth_overflow in N by auto; discriminate].
        rewrite object_ground, N. cbn [ground_entry]. unfold object_same. simpl. rewrite !map_length, !replace_length, map_length. repeat split; auto.
        intros _ q j _ _. change (read (field_of (ground_object nu x') q) j = read (field_of (write_field (ground_object nu x) f i (value_of nu v)) q) j).
        rewrite field_ground, field_write. unfold x'. cbn [held written_object ground_object fields_of]. rewrite nth_replace, map_length.
        destruct (Nat.eqb_spec q f) as [->|]; simpl; [|rewrite field_ground; auto]. apply Nat.ltb_lt in F. rewrite F.
        rewrite write_element_read with (i := i) by auto. rewrite read_write. fold (ground_object nu x). rewrite field_ground. reflexivity.
      * change (object_at (next_location g) q) with (object_at g q). rewrite object_ground. apply object_same_refl.
Qed.
End Apply.

(** *** An object comes to be *)

Section Create.
Variables (n : nat) (nu mu : valuation) (d : nat) (count : term) (f : fresh) (w : decision).
Hypothesis agrees : agree n nu mu.
Hypothesis sorted : well_sorted nu.
Hypothesis counted : scoped n count = true.
Hypothesis at_0 : start w = 0.
(** The decision is what the valuation says of the fresh variables. *)
Definition foreseen l n' p := forall q T i, nth q (map Programs.holds l) PointerType = IntegerType T -> 0 <= i < eval nu count ->
  wrap T (fills w (p + q) i) =
  if i <? Z.of_nat few then integers mu (Some T) (n' + q * stride + Z.to_nat i) else arrays mu T (n' + q * stride) i.

Lemma fresh_read l : forall n' p, foreseen l n' p -> (forall x, In x l -> Programs.holds x = PointerType -> known_value count <> None) ->
  forall q i, 0 <= i < eval nu count ->
  read (ground_field mu (nth q (fresh_fields l n' d f (known_value count)) no_field)) i = read (nth q (fresh_cells l p f w) no_cells) i.
Proof.
  induction l as [|x l IH]; intros n' p Fo Po q i B; [destruct q; reflexivity|].
  destruct q as [|q].
  - cbn [fresh_fields fresh_cells nth]. rewrite read_ground. unfold is_apart, slot_apart.
    assert (E : forall c, known_value count = Some c -> eval nu count = c) by (intros c; apply known_value_eval; auto).
    destruct (Programs.holds x) as [T|] eqn:Hx.
    + assert (R : forall c, i < Z.of_nat c -> (c <= few)%nat ->
        value_of mu (nth (Z.to_nat i) (map (fun j => IntegerSlot (match f with Zero => Constant 0 | Arbitrary => Var (Some T) (n' + j) end)) (seq 0 c)) NothingHeld) =
        read {| initially := match f with Zero => Same (zero_of (IntegerType T)) | Arbitrary => Any (fun i => wrap T (fills w p i)) end; written := [] |} i).
      { intros c Hc Hf. set (h := fun j => IntegerSlot (match f with Zero => Constant 0 | Arbitrary => Var (Some T) (n' + j) end)).
        rewrite (nth_indep _ NothingHeld (h O)) by (rewrite map_length, seq_length; lia). rewrite map_nth, seq_nth by lia.
        unfold h, read. destruct f; simpl; auto. pose proof (Fo O T i) as X. simpl in X. rewrite Hx in X. specialize (X eq_refl B).
        rewrite Nat.add_0_r in X. rewrite X. destruct (Z.ltb_spec i (Z.of_nat few)); [|lia]. f_equal. f_equal. lia. }
      unfold extent. destruct (known_value count) as [c|] eqn:Hc; [specialize (E c eq_refl); destruct (Z.leb_spec c (Z.of_nat few)), (is_heap d); simpl|];
      unfold fresh_field; cbn [fst snd apart rest]; rewrite map_length, seq_length;
      try (assert (Q : (0 <=? i) && (i <? Z.of_nat (Z.to_nat c)) = true) by (apply andb_true_intro; split; [apply Z.leb_le | apply Z.ltb_lt]; lia);
        rewrite Q; rewrite (R (Z.to_nat c)) by lia; destruct f; reflexivity);
      (destruct (Z.leb_spec 0 i); [|lia]; destruct (Z.ltb_spec i (Z.of_nat few)); simpl andb; cbv iota;
       [rewrite (R few) by lia; destruct f; reflexivity|]; unfold read; destruct f; simpl; auto;
       pose proof (Fo O T i) as X; simpl in X; rewrite Hx in X; specialize (X eq_refl B); rewrite Nat.add_0_r in X; rewrite X;
       destruct (Z.ltb_spec i (Z.of_nat few)); [lia|]; f_equal; f_equal; lia).
    + destruct (known_value count) as [c|] eqn:Hc; [|destruct (Po x (or_introl eq_refl) Hx eq_refl)]. specialize (E c eq_refl).
      unfold extent, fresh_field. cbn [fst snd apart rest]. rewrite repeat_length.
      assert (Q : (0 <=? i) && (i <? Z.of_nat (Z.to_nat c)) = true) by (apply andb_true_intro; split; [apply Z.leb_le | apply Z.ltb_lt]; lia).
      rewrite Q. rewrite (nth_indep _ NothingHeld (match f with Zero => NullSlot | Arbitrary => NothingHeld end)) by (rewrite repeat_length; lia).
      rewrite nth_repeat. unfold read. destruct f; reflexivity.
  - cbn [fresh_fields fresh_cells nth]. apply IH; auto.
    + intros q' T j Hq Bj. specialize (Fo (S q') T j Hq Bj). replace (p + S q')%nat with (S p + q')%nat in Fo by lia.
      rewrite Fo. replace (n' + S q' * stride)%nat with (n' + stride + q' * stride)%nat by lia. reflexivity.
    + intros y I. apply Po. simpl; auto.
Qed.
Lemma fresh_fields_length l : forall n' p, length (fresh_fields l n' d f (known_value count)) = length (fresh_cells l p f w).
Proof. induction l; intros; simpl; auto. Qed.

Variables (m : member) (s : state).
Hypothesis scope : scoped_member n m = true.
Hypothesis place_same : location s = place_of m.
Hypothesis values_same : values s = map (value_of nu) (slots m).
Hypothesis memory_same : memory s = map (ground_entry nu) (named m).
Hypothesis current_count : length (current s) = length (objects P).
Hypothesis names_known : forall e, has_name P e = true -> e <> d -> living m e <> None -> (e < length (objects P))%nat -> nth e (current s) None = living m e.
Hypothesis none_lives : has_name P d = true -> living m d = None.
Hypothesis has_space : has_room d (known_value count) = true.
Notation x := (fresh_object n d count f).

Lemma made_living e : living (made m x) e = match living m e with Some o => Some o | None => if Nat.eqb d e then Some (length (named m)) else None end.
Proof. unfold living, made. simpl. rewrite first_living_app. simpl. rewrite andb_true_r. reflexivity. Qed.
Theorem create_same K : foreseen (layout_at d) n 0 -> (forall e, knows_name K e -> knows_name (known P (made m x)) e) ->
  holds_same K (create P s d (eval nu count) f w) (ground P mu (made m x)).
Proof.
  intros Fo HK.
  destruct (names_same mu (made m x) (create P s d (eval nu count) f w)) as [C D].
  - cbn [create current]. rewrite replace_length. exact current_count.
  - intros e He Hl B. cbn [create current]. rewrite nth_replace, memory_same, map_length, made_living. rewrite made_living in Hl.
    destruct (Nat.eqb_spec e d) as [->|Ne].
    + rewrite none_lives, Nat.eqb_refl by auto. rewrite current_count. apply Nat.ltb_lt in B. rewrite B. auto.
    + destruct (Nat.eqb_spec d e); [congruence|]. cbn [andb]. destruct (living m e) as [o|] eqn:E; [|congruence]. rewrite <- E. apply names_known; auto. congruence.
  - split; auto.
    + cbn [ground made values slots create]. rewrite values_same. apply values_agree with (n := n); auto.
    + cbn [ground made memory named create]. rewrite memory_same, map_app, !app_length, !map_length. auto.
    + intros o. rewrite object_at_create, memory_same, map_length, object_ground. unfold object_named, made. cbn [named].
      destruct (Nat.eqb_spec o (length (named m))) as [->|Ne].
      * rewrite app_nth2, Nat.sub_diag by lia. cbn [nth ground_entry]. unfold object_same. cbn [ground_object declared lower upper alive fields_of kind begins ends life_of held fresh_object].
        rewrite <- (proj1 (agree_eval n nu mu agrees) _ counted), at_0. cbn [eval]. rewrite Z.add_0_l, map_length. fold (layout_at d). repeat split; auto; [apply fresh_fields_length|].
        intros _ q i B _. unfold field_of. cbn [ground_object fields_of fresh_object held]. change no_cells with (ground_field mu no_field) at 1. rewrite map_nth.
        apply fresh_read; auto. intros y I Hy. unfold has_room in has_space. rewrite forallb_forall in has_space. specialize (has_space y I). rewrite Hy in has_space.
        destruct (known_value count); [congruence | discriminate].
      * assert (X : nth o (named m ++ [Some x]) None = object_named m o).
        { unfold object_named. destruct (Nat.lt_ge_cases o (length (named m))); [apply app_nth1; auto|].
          rewrite (nth_overflow (named m)) by auto. rewrite app_nth2 by auto. destruct (o - length (named m))%nat as [|[|]] eqn:Z0; auto. lia. }
        rewrite X. assert (Y : object_at s o = ground_entry nu (object_named m o)).
        { unfold object_at, object_named. rewrite memory_same. change dead_object with (ground_entry nu None). apply map_nth. }
        rewrite Y. apply entry_agree with (n := n); auto. apply scoped_named. auto.
Qed.
End Create.

(** *** Decisions and valuations *)

Definition foretold n (nu : valuation) d : decision := {| number := 1; start := 0; fills := fun p i =>
  match nth p (map Programs.holds (layout_at d)) PointerType with
  | IntegerType T => if i <? Z.of_nat few then integers nu (Some T) (n + p * stride + Z.to_nat i) else arrays nu T (n + p * stride) i
  | PointerType => 0 end |}.
Lemma foretold_foreseen n nu d count : well_sorted nu -> foreseen nu nu count (foretold n nu d) (layout_at d) n 0.
Proof.
  intros [Wi Wa] q T i H B. simpl. rewrite H. destruct (i <? Z.of_nat few); apply wrap_same; auto.
Qed.
Definition decided n (nu : valuation) (w : decision) : valuation := {|
  integers := fun S x => match S with
    | Some T => if Nat.ltb x n then integers nu S x else wrap T (fills w ((x - n) / stride) (Z.of_nat ((x - n) mod stride)))
    | None => integers nu S x end;
  arrays := fun T x i => if Nat.ltb x n then arrays nu T x i else wrap T (fills w ((x - n) / stride) i) |}.
Lemma decided_agree n nu w : agree n nu (decided n nu w).
Proof.
  split.
  - intros [T|] x L; simpl; auto. apply Nat.ltb_lt in L. rewrite L. auto.
  - intros T x i L; simpl. apply Nat.ltb_lt in L. rewrite L. auto.
Qed.
Lemma decided_sorted n nu w : well_sorted nu -> well_sorted (decided n nu w).
Proof.
  intros [Wi Wa]. split; intros; simpl; destruct (Nat.ltb _ _); auto using wrap_within.
Qed.
Lemma decided_foreseen n nu w d count : foreseen nu (decided n nu w) count w (layout_at d) n 0.
Proof.
  intros q T i _ B. change (0 + q)%nat with q. cbn [decided integers arrays]. destruct (Z.ltb_spec i (Z.of_nat few)).
  - destruct (Nat.ltb_spec (n + q * stride + Z.to_nat i) n); [lia|].
    replace (n + q * stride + Z.to_nat i - n)%nat with (Z.to_nat i + q * stride)%nat by lia.
    rewrite Nat.div_add, Nat.mod_add by discriminate. rewrite Nat.div_small, Nat.mod_small by (unfold stride; lia). rewrite Z2Nat.id by lia. reflexivity.
  - destruct (Nat.ltb_spec (n + q * stride) n); [lia|]. replace (n + q * stride - n)%nat with (q * stride)%nat by lia.
    rewrite Nat.div_mul by discriminate. reflexivity.
Qed.
End Effects.
