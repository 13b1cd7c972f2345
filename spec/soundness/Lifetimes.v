(** Outcomes of [Allocate], [Free], [Enter] and [Leave] (spec/calculus.md#step):
    objects come and go. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Members Effects Computing Pointers.
Import ListNotations.
Open Scope Z_scope.

Section Lifetimes.
Variable P : program.
Variable under : parameters.
Variable few : nat.

Definition is_one (c : option Z) := match c with Some c => c =? 1 | None => false end.
Definition allocates r d f t : option (list outcome) :=
  let possible := at_most t (Constant most_bytes) in
  let count := Quotient t (element_size (layout_of_declaration P d)) in
  if (negb (is_node P d) || is_one (known_value count)) && has_room P d (known_value count)
  then Some (either possible (Creates (Some r) d count f) (Sets r NullSlot) ++
    match allocating under with MayFail => [exactly [possible] (Sets r NullSlot)] | Succeeds => [] end)
  else None.
Definition may_be_freed d := match origin_of (declaration_of P d) with Heap | Input | LinkedNode _ => true | _ => false end.
Definition frees m (p : option spot) : list outcome := match p with
  | None => [exactly [] (GoesTo (S (place_of m)))]
  | Some p => if may_be_freed (kind (there p)) && (at_byte p =? 0)
    then either (Equal (Minus (at_index p) (begins (there p)))) (Kills (object_of p)) FailsHere
    else [exactly [] FailsHere] end.
Definition enters d : option (list outcome) := match origin_of (declaration_of P d) with
  | Local count => if has_room P d (Some count) then Some [exactly [] (Creates None d (Constant count) Arbitrary)] else None
  | _ => None end.
Definition leaves m d : list outcome := match living m d with
  | Some o => [exactly [] (Kills o)] | None => [exactly [] (GoesTo (S (place_of m)))] end.

Section Member.
Variables (n : nat) (nu : valuation) (m : member).
Hypothesis sorted : well_sorted nu.
Hypothesis tidy_ground : tidy P (ground P nu m).
Hypothesis scope : scoped_member n m = true.
Notation g := (ground P nu m).
Notation sound_list := (Effects.sound_list P under few n nu m).
Notation happens := (Effects.happens nu).
Notation reaches := (Effects.reaches P few n m).

(** *** Free, Leave *)

Lemma freed_has_no_name d : may_be_freed d = true -> has_name P d = false.
Proof. unfold may_be_freed, has_name. destruct (origin_of _); auto; discriminate. Qed.
Theorem frees_sound a p : (forall s, p = Some s -> spot_here m s) -> use_pointer g a = Ok (option_map (pointer_at nu) p) ->
  (forall d, step P under g d = Machine.free P g a) -> sound_list (frees m p).
Proof.
  intros Hp U E. unfold Machine.free in E. rewrite U in E. cbn [bind] in E. destruct p as [p|].
  - specialize (Hp p eq_refl). cbn [option_map] in E. cbv zeta in E. cbn [pointer_at target index byte] in E. rewrite (object_here P nu m p Hp) in E.
    assert (M : may_free P (ground_object nu (there p)) = may_be_freed (kind (there p))) by reflexivity. rewrite M in E. unfold frees.
    destruct (may_be_freed (kind (there p))) eqn:F; [destruct (Z.eqb_spec (at_byte p) 0) as [B|B]|]; simpl andb in E |- *; cbv iota.
    + eapply either_sound; [exact sorted | exact E | |]; intros H; cbn [Terms.holds eval Minus] in H.
      * assert (Q : (eval nu (at_index p) =? eval nu (begins (there p))) = true) by (apply Z.eqb_eq; lia). rewrite Q.
        eapply kill_reaches; [exact tidy_ground | apply Hp|]. intros N. rewrite (freed_has_no_name _ F) in N. discriminate.
      * assert (Q : (eval nu (at_index p) =? eval nu (begins (there p))) = false) by (apply Z.eqb_neq; lia). rewrite Q. eexists. reflexivity.
    + rewrite andb_false_r in E. eapply one; [exact sorted | exact E | eexists; reflexivity].
    + eapply one; [exact sorted | exact E | eexists; reflexivity].
  - eapply one; [exact sorted | exact E | apply (reaches_go P few n nu m (S (place_of m)))].
Qed.
Lemma current_living d : is_local P d = true -> nth d (current g) None = living m d.
Proof. intros H. apply names_ground, local_declared, H. Qed.
Theorem leaves_sound d : is_local P d = true -> (forall w, step P under g w = Machine.leave g d) -> sound_list (leaves m d).
Proof.
  intros L E. unfold Machine.leave, kill_current in E. change (current (next_location g)) with (current g) in E. rewrite current_living in E by auto.
  unfold leaves. destruct (living m d) as [o|] eqn:Lo.
  - destruct (living_some _ _ _ Lo) as (x & N & K & _). eapply one; [exact sorted | exact E|]. eapply kill_reaches; [exact tidy_ground | exact N|]. rewrite K. auto.
  - eapply one; [exact sorted | exact E | apply (reaches_go P few n nu m (S (place_of m)))].
Qed.

(** *** Enter, Allocate *)

Lemma replaced_scope (l : list (option object_state)) o y : let ok x := match x with Some x => scoped_object n x | None => true end in
  forallb ok l = true -> ok y = true -> forallb ok (replace l o y) = true.
Proof.
  intros ok H Hy. revert o. induction l as [|z l IH]; intros [|o]; simpl in *; auto; apply andb_prop in H as [H1 H2]; rewrite ?Hy, ?H1; simpl; auto.
Qed.
Lemma ended_scope o : scoped_member n (ended m o) = true.
Proof.
  pose proof (scoped_named n m o scope) as X. unfold scoped_member in *. simpl. apply andb_prop in scope as [A B]. rewrite A. simpl. apply replaced_scope; auto.
  destruct (object_named m o) as [x|]; exact X.
Qed.
Lemma without_scope d : scoped_member n (without_earlier P m d) = true.
Proof. unfold without_earlier. destruct (is_local P d); [destruct (living m d); [apply ended_scope|]|]; exact scope. Qed.
(** A state that is the member's but for an earlier object. *)
Lemma without_state d : is_local P d = true -> memory (kill_current (next_location g) d) = map (ground_entry nu) (named (without_earlier P m d)).
Proof.
  intros L. unfold kill_current, without_earlier. change (current (next_location g)) with (current g). rewrite current_living, L by auto.
  destruct (living m d) as [o|]; [apply (ended_memory P nu m o) | reflexivity].
Qed.
Lemma without_living d e : is_local P d = true -> has_name P e = true -> living (without_earlier P m d) e <> None ->
  e <> d /\ living (without_earlier P m d) e = living m e.
Proof.
  intros L He H. unfold without_earlier in *. rewrite L in *. destruct (living m d) as [o|] eqn:Lo.
  - destruct (living_some _ _ _ Lo) as (x & N & K & V). assert (Q : living (ended m o) e = living m e).
    { eapply ended_living; eauto; intros _; congruence. }
    split; auto. intros ->. rewrite Lo in Q. destruct (living_some _ _ _ Q) as (x' & N' & _ & V'). unfold object_named, ended, name in N'. simpl in N'.
    rewrite named_replaced, Nat.eqb_refl in N'. pose proof (living_bound _ _ _ Lo) as B. apply Nat.ltb_lt in B. rewrite B, N in N'. injection N' as <-. discriminate.
  - split; auto. intros ->. congruence.
Qed.

Lemma without_place d : place_of (without_earlier P m d) = place_of m /\ slots (without_earlier P m d) = slots m /\ length (named (without_earlier P m d)) = length (named m).
Proof.
  unfold without_earlier. destruct (is_local P d); [destruct (living m d)|]; auto. simpl. rewrite replace_length. auto.
Qed.
(** What is made of a decision that the valuation foresees. *)
Lemma entered_reaches mu d count w : is_local P d = true -> agree n nu mu -> start w = 0 -> has_room P d (Some count) = true ->
  foreseen few nu mu (Constant count) w (layout_at P d) n 0 ->
  reaches mu (Creates None d (Constant count) Arbitrary) (Ok (create P (kill_current (next_location g) d) d count Arbitrary w)).
Proof.
  intros L G W R Fo. cbn [Effects.reaches affect]. eexists. split; [reflexivity|].
  destruct (without_place d) as (Pl & Sl & Ln). pose proof (without_scope d) as Sc.
  assert (K : known_value (Constant count) = Some count).
  { unfold known_value, normal. simpl. rewrite Z.mul_1_l, Z.add_0_l. simpl. rewrite Z.eqb_refl. reflexivity. }
  set (m1 := goes (S (place_of m)) (without_earlier P m d)).
  change (goes (S (place_of m)) (made (without_earlier P m d) (fresh_object P few n d (Constant count) Arbitrary)))
    with (made m1 (fresh_object P few n d (Constant count) Arbitrary)).
  apply (create_same P few n nu mu d (Constant count) Arbitrary w G sorted eq_refl W m1); auto.
  - unfold kill_current. destruct (nth d _ _); reflexivity.
  - unfold kill_current. simpl. rewrite Sl. destruct (nth d _ _); reflexivity.
  - apply without_state. exact L.
  - assert (C : current (kill_current (next_location g) d) = current g) by (unfold kill_current; destruct (nth d _ _); reflexivity).
    rewrite C. apply (named_count _ _ tidy_ground).
  - intros e He Ne Hl B. assert (C : current (kill_current (next_location g) d) = current g) by (unfold kill_current; destruct (nth d _ _); reflexivity).
    rewrite C, names_ground by auto. symmetry. apply without_living; auto.
  - intros Hd. destruct (living m1 d) as [o|] eqn:E; auto. exfalso. destruct (without_living d d L Hd) as [Ne _]; [|congruence].
    intros N. change (living m1 d) with (living (without_earlier P m d) d) in E. congruence.
  - rewrite K. exact R.
Qed.
Theorem enters_sound d os : (forall w, step P under g w = Machine.enter P g d w) -> enters d = Some os -> sound_list os.
Proof.
  intros E. unfold enters, Machine.enter in *. destruct (origin_of (declaration_of P d)) as [| |count| |] eqn:O; try discriminate.
  destruct (has_room P d (Some count)) eqn:R; [|discriminate]. intros [= <-].
  assert (L : is_local P d = true) by (unfold is_local; rewrite O; auto). split.
  - intros w W. exists (exactly [] (Creates None d (Constant count) Arbitrary)), (decided few n nu w). split; [simpl; auto|]. split; [constructor|].
    split; [apply decided_agree|]. split; [apply decided_sorted; auto|]. rewrite E. apply entered_reaches; auto using decided_agree, decided_foreseen.
  - intros o [<-|[]] _ _. exists (foretold P few n nu d). split; auto. rewrite E. apply entered_reaches; auto using agree_refl, foretold_foreseen.
Qed.

Lemma allocated_reaches mu r d t f w : has_name P d = false -> agree n nu mu -> start w = 0 -> scoped n t = true -> 
  let count := Quotient t (element_size (layout_of_declaration P d)) in
  has_room P d (known_value count) = true -> foreseen few nu mu count w (layout_at P d) n 0 ->
  reaches mu (Creates (Some r) d count f) (Ok (set (create P g d (eval nu count) f w) r (Pointer {| target := length (memory g); index := start w; byte := 0 |}))).
Proof.
  intros N G W T count R Fo. cbn [Effects.reaches affect]. eexists. split; [reflexivity|].
  assert (NL : is_local P d = false) by (destruct (is_local P d) eqn:Q; auto; apply local_has_name in Q; congruence).
  unfold without_earlier. rewrite NL. set (x := fresh_object P few n d count f).
  assert (S : forall K, (forall e, knows_name K e -> knows_name (known P (made m x)) e) -> holds_same K (create P g d (eval nu count) f w) (ground P mu (made m x))).
  { intros K HK. unfold x. apply create_same; auto.
    - apply (named_count _ _ tidy_ground).
    - intros e He Ne Hl B. apply names_ground. exact B.
    - congruence. }
  rewrite W. assert (Lm : length (memory g) = length (named m)) by (simpl; apply map_length). rewrite Lm.
  pose proof (S (known P (set_slot (made m x) r (PointerSlot (length (named m)) (Constant 0) 0))) (fun e H => H)) as X.
  change (Pointer {| target := length (named m); index := 0; byte := 0 |}) with (value_of mu (PointerSlot (length (named m)) (Constant 0) 0)).
  destruct X as [X1 X2 X3 X4 X5 X6]. split; auto.
  - cbn [ground set_slot values set slots]. rewrite map_replace. f_equal. exact X2.
Qed.
Theorem allocates_sound r d a f t os : has_name P d = false -> use_integer g a = Ok (eval nu t) -> scoped n t = true ->
  (forall w, step P under g w = Machine.allocate P under g r d a f w) -> allocates r d f t = Some os -> sound_list os.
Proof.
  intros N U T E. unfold Machine.allocate in E. rewrite U in E. cbn [bind] in E. unfold allocates. set (possible := at_most t (Constant most_bytes)).
  set (count := Quotient t (element_size (layout_of_declaration P d))).
  destruct (_ && has_room _ _ _) eqn:C; [|discriminate]. apply andb_prop in C as [Nd R]. intros [= <-].
  assert (Pos : holds nu possible <-> (most_bytes <? eval nu t) = false).
  { unfold possible. cbn [at_most holds eval Minus]. rewrite Z.ltb_ge. lia. }
  assert (Node : is_node P d && negb (eval nu t / element_size (layout_of_declaration P d) =? 1) = false).
  { destruct (is_node P d); auto. simpl in Nd |- *. unfold is_one in Nd. destruct (known_value count) as [c|] eqn:K; [|discriminate].
    apply (known_value_eval nu) in K; auto. cbn [count eval] in K. rewrite K, Nd. auto. }
  cbv zeta in E. rewrite Node in E.
  assert (ToNull : reaches nu (Sets r NullSlot) (Ok (set g r Null))) by apply (reaches_set P few n nu m r NullSlot).
  set (obj := exactly [possible] (Creates (Some r) d count f)). set (null := exactly [negation possible] (Sets r NullSlot)).
  split.
  - intros w W. rewrite E. destruct (most_bytes <? eval nu t) eqn:B.
    + apply taken with null; auto; [simpl; auto|]. constructor; [|constructor]. apply negation_holds. rewrite Pos. congruence.
    + destruct (match allocating under with MayFail => number w =? 0 | Succeeds => false end) eqn:F.
      * destruct (allocating under); [discriminate|]. apply taken with (exactly [possible] (Sets r NullSlot)); auto; [simpl; auto|].
        constructor; [apply Pos; auto | constructor].
      * exists obj, (decided few n nu w). split; [simpl; auto|]. split; [constructor; [apply Pos; auto | constructor]|].
        split; [apply decided_agree|]. split; [apply decided_sorted; auto|]. simpl. apply allocated_reaches; auto using decided_agree, decided_foreseen.
  - intros o [<-|[<-|I]] Tg H.
    + exists (foretold P few n nu d). split; auto. inversion_clear H as [|? ? H' _]. apply Pos in H'. rewrite E, H'.
      assert (F : match allocating under with MayFail => number (foretold P few n nu d) =? 0 | Succeeds => false end = false) by (destruct (allocating under); auto).
      rewrite F. apply allocated_reaches; auto using agree_refl, foretold_foreseen.
    + exists still. split; auto. inversion_clear H as [|? ? H' _]. change (holds nu (negation possible)) in H'. apply negation_holds in H'. rewrite Pos in H'. apply not_false_is_true in H'. rewrite E, H'. exact ToNull.
    + exists still. split; auto. rewrite E. destruct (allocating under); [contradiction|]. destruct I as [<-|[]]. simpl number. rewrite Z.eqb_refl.
      destruct (most_bytes <? eval nu t); exact ToNull.
Qed.
End Member.
End Lifetimes.
