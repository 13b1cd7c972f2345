(** Outcomes of instructions on integers (spec/calculus.md#step). *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Members Effects.
Import ListNotations.
Open Scope Z_scope.

Section Computing.
Variable P : program.
Variable under : parameters.
Variable few : nat.

(** ** Uses *)

Definition used_integer m (o : operand) : used term := match o with
  | Number z => Has (Constant z)
  | Register r => match slot_at m r with IntegerSlot t => Has t | NothingHeld => NoValue | _ => NotKnown end end.

(** ** Integers *)

Definition relation_literal r s t := match r with
  | IsEqual => Equal (Minus s t)
  | IsLess => AtMost (Plus (Minus s t) (Constant 1))
  | IsLessOrEqual => AtMost (Minus s t) end.
Definition below T t := AtMost (Plus (Minus t (Constant (least T))) (Constant 1)).
Definition above T t := AtMost (Plus (Minus (Constant (greatest T)) t) (Constant 1)).
(** A value becomes one of T: by one period up or down, or by any number. *)
Definition by_one_period T t (e : term -> effect) := [
  exactly (in_type T t) (e t);
  exactly [above T t] (e (Minus t (Constant (period T))));
  exactly [below T t] (e (Plus t (Constant (period T))))].
Definition checked T t (e : term -> effect) := [
  exactly (in_type T t) (e t); exactly [below T t] FailsHere; exactly [above T t] FailsHere].
Definition fails_on_overflow T := match on_overflow under, signed T with OverflowFails, true => true | _, _ => false end.

Definition subtype S T := (least T <=? least S) && (greatest S <=? greatest T).
Definition assigns m r (o : operand) : option (list outcome) := match type_of P r with
  | PointerType => None
  | IntegerType T =>
    let e t := Sets r (IntegerSlot t) in
    match o with
    | Number z => Some [exactly [] (e (if is_within T z then Constant z else Convert T (Constant z)))]
    | Register q => match slot_at m q, type_of P q with
      | NothingHeld, IntegerType U => Some [exactly [] (if integer_type_eqb U T then Sets r NothingHeld else FailsHere)]
      | IntegerSlot t, IntegerType U => Some (
        if subtype U T then [exactly [] (e t)]
        else if (width U =? width T) && negb (integer_type_eqb U Bool) && negb (integer_type_eqb T Bool)
             then by_one_period T t e
        else [exactly [] (e (Convert T t))])
      | _, _ => None end end end.

Definition is_constant t := match t with Constant z => Some z | _ => None end.
Definition minus_one t := Equal (Plus t (Constant 1)).
(** A mask that is one run of ones, from bit m to below n. *)
Definition run_of_ones k : option (Z * Z) :=
  let m := Z.log2 (Z.land k (- k)) in
  let n := Z.log2 (k + 2 ^ m) in
  if (0 <=? m) && (m <=? n) && (k =? 2 ^ n - 2 ^ m) then Some (m, n) else None.
Definition masked t k := match run_of_ones k with
  | Some (m, n) => Some (Minus (Times (2 ^ m) (Quotient t (2 ^ m))) (Times (2 ^ n) (Quotient t (2 ^ n))))
  | None => None end.
Definition and_term s t := match is_constant t, is_constant s with
  | Some k, _ => masked s k | None, Some k => masked t k | None, None => None end.
Definition shifted r T op s a : list outcome :=
  let e t := Sets r (IntegerSlot t) in
  if bad_amount T a then [exactly [] FailsHere] else match op with
  | ShiftLeft =>
    let v := Times (2 ^ a) s in
    if fails_on_overflow T then [
      exactly [AtMost (Times (-1) v); AtMost (Minus v (Constant (greatest T)))] (e v);
      exactly [AtMost (Plus v (Constant 1))] FailsHere; exactly [above T v] FailsHere]
    else [exactly [] (e (Convert T v))]
  | _ => [exactly [] (e (Quotient s (2 ^ a)))] end.
(** A known divisor that is neither 0 nor -1: by the sign of the dividend. *)
Definition divisor t := match is_constant t with Some w => if (w =? 0) || (w =? -1) then None else Some w | None => None end.
Definition divided r op s w : list outcome :=
  let value q := Sets r (IntegerSlot (match op with Divide => q | _ => Minus s (Times w q) end)) in [
  exactly [AtMost (Times (-1) s)] (value (Times (Z.sgn w) (Quotient s (Z.abs w))));
  exactly [AtMost (Plus s (Constant 1))] (value (Times (- Z.sgn w) (Quotient (Times (-1) s) (Z.abs w))))].
Definition computing r T op s t : list outcome :=
    let e t := Sets r (IntegerSlot t) in
    let result := Apply op T s t in
    match op with
    | Add => if fails_on_overflow T then checked T (Plus s t) e else by_one_period T (Plus s t) e
    | Subtract => if fails_on_overflow T then checked T (Minus s t) e else by_one_period T (Minus s t) e
    | Multiply =>
      let any := if fails_on_overflow T then [ignored [] (e result); ignored [] FailsHere] else [exactly [] (e result)] in
      let product k t := if fails_on_overflow T then checked T (Times k t) e else [exactly [] (e (Convert T (Times k t)))] in
      match is_constant t, is_constant s with
      | Some k, _ => product k s | None, Some k => product k t | None, None => any end
    | And => [exactly [] (e (match and_term s t with Some u => u | None => result end))]
    | Or => [exactly [] (e result)]
    | Xor => [exactly [Unequal (Minus s t); Unequal result] (e result); exactly [Equal (Minus s t)] (e (Constant 0))]
    | Divide | Remainder =>
      exactly [Equal t] FailsHere ::
      (if signed T then [
         exactly [minus_one t; Equal (Minus s (Constant (least T)))] FailsHere;
         exactly [minus_one t; Unequal (Minus s (Constant (least T)))] (e (match op with Divide => Times (-1) s | _ => Constant 0 end))]
       else []) ++ match divisor t with
       | Some w => divided r op s w
       | None => [exactly (if signed T then [Unequal t; Unequal (Plus t (Constant 1))] else [Unequal t]) (e result)] end
    | ShiftLeft | ShiftRight => match is_constant t with Some a => shifted r T op s a | None =>
      let fits := [AtMost (Minus (Constant 0) t); AtMost (Minus t (Constant (width T - 1)))] in
      (match op, fails_on_overflow T with
       | ShiftLeft, true => [ignored fits (e result); ignored fits FailsHere]
       | _, _ => [exactly fits (e result)] end) ++
      [exactly [AtMost (Plus t (Constant 1))] FailsHere; exactly [AtMost (Minus (Constant (width T)) t)] FailsHere]
    end end.
Definition computes r op s t := match type_of P r with
  | PointerType => None
  | IntegerType T => if integer_type_eqb T Bool then None else Some (computing r T op s t) end.

(** ** They are exhaustive and real, of the member's own state *)

(** Integers that registers hold are in range: of members that denote states of
    executions. *)
Definition in_ranges nu m := forall r t T, slot_at m r = IntegerSlot t -> type_of P r = IntegerType T -> within T (eval nu t).

Section Member.
Variables (n : nat) (nu : valuation) (m : member).
Hypothesis sorted : well_sorted nu.
Hypothesis ranges : in_ranges nu m.
Notation g := (ground P nu m).

Notation sound_list := (Effects.sound_list P under few n nu m).
Notation happens := (Effects.happens nu).
Notation reaches := (Effects.reaches P few n m).
Notation taken := (Effects.taken P few n nu m sorted).
Notation determined := (Effects.determined P under few n nu m sorted).
Notation one := (Effects.one P under few n nu m sorted).
Notation reaches_set := (Effects.reaches_set P few n nu m).
Notation reaches_integer := (Effects.reaches_integer P few n nu m).

Lemma used_integer_ground o : match used_integer m o with
  | Has t => use_integer g o = Ok (eval nu t) | NoValue => use_integer g o = fails UninitialisedUse | NotKnown => True end.
Proof.
  destruct o as [r|z]; simpl; auto. rewrite register_ground. destruct (slot_at m r); simpl; auto.
Qed.

(** Operands are in the range of the type in which the operation is. *)
Lemma operand_within T o t : operand_fits P T o -> used_integer m o = Has t -> within T (eval nu t).
Proof.
  destruct o as [q|z]; simpl; intros F H.
  - destruct (slot_at m q) eqn:Q; try discriminate. injection H as <-. eapply ranges; eauto.
  - injection H as <-. exact F.
Qed.

Lemma related_literal r s t : related r (eval nu s) (eval nu t) = true <-> holds nu (relation_literal r s t).
Proof.
  destruct r; simpl.
  - rewrite Z.eqb_eq. lia.
  - rewrite Z.ltb_lt. lia.
  - rewrite Z.leb_le. lia.
Qed.

(** *** Values become those of a type *)

Lemma in_type_holds T t : Forall (holds nu) (in_type T t) <-> within T (eval nu t).
Proof.
  split; [apply in_type_within|]. unfold within. intros [A B]. repeat constructor; simpl; lia.
Qed.
Lemma below_holds T t : holds nu (below T t) <-> eval nu t < least T.
Proof. simpl. lia. Qed.
Lemma above_holds T t : holds nu (above T t) <-> greatest T < eval nu t.
Proof. simpl. lia. Qed.
Lemma by_one_period_sound T t r : least T - period T <= eval nu t <= greatest T + period T ->
  (forall d, step P under g d = Ok (set g r (Integer (wrap T (eval nu t))))) -> sound_list (by_one_period T t (fun t => Sets r (IntegerSlot t))).
Proof.
  intros B E. pose proof (period_positive T) as Pos. eapply determined; [exact E | |].
  - destruct (Z_lt_ge_dec (eval nu t) (least T)); [|destruct (Z_lt_ge_dec (greatest T) (eval nu t))].
    + eexists. split; [right; right; left; reflexivity|]. constructor; [apply below_holds; auto | constructor].
    + eexists. split; [right; left; reflexivity|]. constructor; [apply above_holds; auto | constructor].
    + eexists. split; [left; reflexivity|]. apply in_type_holds. unfold within. lia.
  - intros o [<-|[<-|[<-|[]]]] H; unfold happens in H; cbn [literals exactly] in H; apply reaches_integer; cbn [eval Minus]; symmetry.
    + apply in_type_holds in H. apply wrap_same. exact H.
    + inversion_clear H as [|? ? A _]. apply above_holds in A. apply Integers.convert with (k := -1); unfold within, period in *; lia.
    + inversion_clear H as [|? ? A _]. apply below_holds in A. apply Integers.convert with (k := 1); unfold within, period in *; lia.
Qed.
Lemma checked_sound T t r f : (forall d, step P under g d = if is_within T (eval nu t) then Ok (set g r (Integer (eval nu t))) else fails f) ->
  sound_list (checked T t (fun t => Sets r (IntegerSlot t))).
Proof.
  intros E. eapply determined; [exact E | |].
  - destruct (Z_lt_ge_dec (eval nu t) (least T)); [|destruct (Z_lt_ge_dec (greatest T) (eval nu t))].
    + eexists. split; [right; left; reflexivity|]. constructor; [apply below_holds; auto | constructor].
    + eexists. split; [right; right; left; reflexivity|]. constructor; [apply above_holds; auto | constructor].
    + eexists. split; [left; reflexivity|]. apply in_type_holds. unfold within. lia.
  - intros o [<-|[<-|[<-|[]]]] H; unfold happens in H; cbn [literals exactly] in H; cbn [effect_of exactly].
    + apply in_type_holds, is_within_iff in H. rewrite H. apply reaches_integer. reflexivity.
    + inversion_clear H as [|? ? A _]. apply below_holds in A. destruct (is_within T (eval nu t)) eqn:W.
      * apply is_within_iff in W. unfold within in W. lia.
      * eexists. reflexivity.
    + inversion_clear H as [|? ? A _]. apply above_holds in A. destruct (is_within T (eval nu t)) eqn:W.
      * apply is_within_iff in W. unfold within in W. lia.
      * eexists. reflexivity.
Qed.

Lemma same_width_period S T : width S = width T -> S <> Bool -> T <> Bool -> forall v, within S v ->
  least T - period T <= v <= greatest T + period T.
Proof. unfold within, period. destruct S, T; simpl; intros; try congruence; lia. Qed.

Lemma assigns_sound r o os : (forall d, step P under g d = assign P g r o) -> assigns m r o = Some os -> sound_list os.
Proof.
  intros E. unfold assigns. unfold assign in E. cbv zeta in E.
  destruct (type_of P r) as [T|] eqn:Tr; [|discriminate].
  assert (I : integer_type_of P r = T) by (unfold integer_type_of; rewrite Tr; auto). rewrite I in E.
  destruct o as [q|z].
  - simpl in E. rewrite register_ground in E. pose proof (ranges q) as R. destruct (slot_at m q) as [| |t| |]; try discriminate; destruct (type_of P q) as [U|]; try discriminate.
    + intros [= <-]. simpl in E. destruct (integer_type_eqb U T); (eapply one; [exact E|]).
      * apply (reaches_set r NothingHeld).
      * eexists. reflexivity.
    + specialize (R t U eq_refl eq_refl). intros [= <-]. simpl in E. destruct (subtype U T) eqn:S.
      * eapply one; [exact E|]. apply reaches_integer. symmetry. apply wrap_same.
        unfold subtype in S. apply andb_prop in S as [S1 S2]. apply Z.leb_le in S1, S2. unfold within in *. lia.
      * destruct ((width U =? width T) && _ && _) eqn:W.
        -- apply andb_prop in W as [W NT]. apply andb_prop in W as [W NU]. apply Z.eqb_eq in W.
           apply by_one_period_sound; [|exact E]. eapply same_width_period; [exact W | | | exact R].
           ++ intros ->. discriminate.
           ++ intros ->. discriminate.
        -- eapply one; [exact E|]. apply reaches_integer. apply convert_eval.
  - simpl in E. intros [= <-]. eapply one; [exact E|]. apply reaches_integer.
    destruct (is_within T z) eqn:W; [|apply convert_eval]. symmetry. apply wrap_same, is_within_iff. exact W.
Qed.

(** *** Operations *)

Definition computed_state r T (c : computed) : Machine.outcome state := match c with
  | Fits v => Ok (set g r (Integer v))
  | Overflows v => if fails_on_overflow T then fails SignedOverflow else Ok (set g r (Integer v))
  | DividesByZero => fails DivisionByZero
  | DivisionOverflows => fails DivisionOverflow
  | BadAmount => fails ShiftAmount end.
Lemma compute_state r op a b T s t : integer_type_of P r = T -> use_integer g a = Ok (eval nu s) -> use_integer g b = Ok (eval nu t) ->
  compute_in P under g r op a b = computed_state r T (compute T op (eval nu s) (eval nu t)).
Proof.
  intros I A B. unfold compute_in. rewrite A, B, I. simpl. destruct (compute _ _ _ _); simpl; auto.
  unfold fails_on_overflow. destruct (on_overflow under), (signed T); reflexivity.
Qed.
Lemma fit_state r T v : computed_state r T (fit T v) =
  if fails_on_overflow T then if is_within T v then Ok (set g r (Integer v)) else fails SignedOverflow
  else Ok (set g r (Integer (wrap T v))).
Proof.
  unfold fit. destruct (is_within T v) eqn:W; simpl; destruct (fails_on_overflow T); auto.
  rewrite wrap_same; auto. apply is_within_iff. exact W.
Qed.
Lemma fit_sound r T t x : (forall d, step P under g d = x) -> x = computed_state r T (fit T (eval nu t)) ->
  let e t := Sets r (IntegerSlot t) in
  (fails_on_overflow T = true -> sound_list (checked T t e)) /\
  (fails_on_overflow T = false -> least T - period T <= eval nu t <= greatest T + period T -> sound_list (by_one_period T t e)) /\
  (fails_on_overflow T = false -> sound_list [exactly [] (e (Convert T t))]).
Proof.
  intros E X. rewrite fit_state in X. intros e. split; [|split]; intros F; rewrite F in X; subst x.
  - eapply checked_sound. exact E.
  - intros B. apply by_one_period_sound; auto.
  - eapply one; [exact E|]. apply reaches_integer. apply convert_eval.
Qed.
Lemma apply_reaches r op T s t x : T <> Bool -> within T (eval nu s) -> within T (eval nu t) ->
  x = computed_state r T (compute T op (eval nu s) (eval nu t)) ->
  (exists v, compute T op (eval nu s) (eval nu t) = Fits v) \/ fails_on_overflow T = false /\ (exists v, compute T op (eval nu s) (eval nu t) = Overflows v) ->
  reaches nu (Sets r (IntegerSlot (Apply op T s t))) x.
Proof.
  intros HT A B -> [[v C]|[F [v C]]]; pose proof (apply_computes op T _ _ v HT A B) as Y; rewrite C in Y |- *; simpl computed_state.
  - apply reaches_integer. apply Y. auto.
  - rewrite F. apply reaches_integer. apply Y. auto.
Qed.
Ltac pick k := match k with
  | O => left; reflexivity | S ?k => right; pick k end.
Ltac literals_of H := unfold happens in H; cbn [literals exactly app] in H;
  repeat match goal with H : Forall _ (_ :: _) |- _ => inversion_clear H end; cbn [holds eval Minus minus_one] in *.

Lemma division_sound r op T s t : divisor t = None -> op = Divide \/ op = Remainder -> T <> Bool ->
  (forall d, step P under g d = computed_state r T (compute T op (eval nu s) (eval nu t))) ->
  within T (eval nu s) -> within T (eval nu t) -> sound_list (computing r T op s t).
Proof.
  intros Dt HO HT E Ws Wt.
  assert (Q : eval nu t = 0 -> compute T op (eval nu s) (eval nu t) = DividesByZero).
  { intros Z0. destruct HO as [-> | ->]; unfold compute; rewrite Z0; reflexivity. }
  assert (O : signed T = true -> eval nu t = -1 -> eval nu s = least T -> compute T op (eval nu s) (eval nu t) = DivisionOverflows).
  { intros S M L. destruct HO as [-> | ->]; unfold compute; rewrite S, M, L, Z.eqb_refl; reflexivity. }
  assert (R : eval nu t <> 0 -> (signed T = true -> eval nu t = -1 -> eval nu s <> least T) ->
    compute T op (eval nu s) (eval nu t) = Fits (match op with Divide => Z.quot (eval nu s) (eval nu t) | _ => Z.rem (eval nu s) (eval nu t) end)).
  { intros Z0 N. assert (B : signed T && (eval nu s =? least T) && (eval nu t =? -1) = false).
    { destruct (signed T); auto. destruct (Z.eqb_spec (eval nu s) (least T)), (Z.eqb_spec (eval nu t) (-1)); auto. destruct (N eq_refl); auto. }
    apply Z.eqb_neq in Z0. destruct HO as [-> | ->]; unfold compute; rewrite Z0, B; reflexivity. }
  assert (A : eval nu t <> 0 -> (signed T = true -> eval nu t <> -1) ->
    reaches nu (Sets r (IntegerSlot (Apply op T s t))) (computed_state r T (compute T op (eval nu s) (eval nu t)))).
  { intros Z0 N. eapply apply_reaches; eauto. left. eexists. apply R; auto. intros Sg M. destruct (N Sg M). }
  assert (C : computing r T op s t = exactly [Equal t] FailsHere ::
    (if signed T then [
       exactly [minus_one t; Equal (Minus s (Constant (least T)))] FailsHere;
       exactly [minus_one t; Unequal (Minus s (Constant (least T)))] (Sets r (IntegerSlot (match op with Divide => Times (-1) s | _ => Constant 0 end)));
       exactly [Unequal t; Unequal (Plus t (Constant 1))] (Sets r (IntegerSlot (Apply op T s t)))]
     else [exactly [Unequal t] (Sets r (IntegerSlot (Apply op T s t)))])) by (destruct HO as [-> | ->]; unfold computing; rewrite Dt; destruct (signed T); reflexivity).
  rewrite C. clear C. eapply determined; [exact E | |].
  - destruct (Z.eq_dec (eval nu t) 0) as [Z0|Z0].
    { eexists. split; [left; reflexivity|]. constructor; [exact Z0 | constructor]. }
    destruct (signed T).
    + destruct (Z.eq_dec (eval nu t) (-1)) as [M|M]; [destruct (Z.eq_dec (eval nu s) (least T)) as [L|L]|].
      * eexists. split; [right; left; reflexivity|]. repeat (constructor; [simpl; lia|]). constructor.
      * eexists. split; [right; right; left; reflexivity|]. repeat (constructor; [simpl; lia|]). constructor.
      * eexists. split; [right; right; right; left; reflexivity|]. repeat (constructor; [simpl; lia|]). constructor.
    + eexists. split; [right; left; reflexivity|]. constructor; [exact Z0 | constructor].
  - intros o [<-|I] H.
    + literals_of H. rewrite Q by auto. eexists. reflexivity.
    + destruct (signed T) eqn:Sg.
      * destruct I as [<-|[<-|[<-|[]]]]; literals_of H.
        -- rewrite O by (auto; lia). eexists. reflexivity.
        -- rewrite R by (auto; lia). replace (eval nu t) with (-1) by lia. simpl. apply reaches_integer.
           destruct HO as [-> | ->]; cbn [eval].
           ++ rewrite (Z.quot_opp_r _ 1), Z.quot_1_r by lia. lia.
           ++ rewrite (Z.rem_opp_r _ 1), Z.rem_1_r by lia. reflexivity.
        -- apply A; auto. lia.
      * destruct I as [<-|[]]; literals_of H. apply A; auto. discriminate.
Qed.
Lemma divided_sound r op T s w : divisor (Constant w) = Some w -> op = Divide \/ op = Remainder ->
  (forall d, step P under g d = computed_state r T (compute T op (eval nu s) w)) -> sound_list (computing r T op s (Constant w)).
Proof.
  intros Dw HO E. assert (W : w <> 0 /\ w <> -1).
  { unfold divisor in Dw. simpl in Dw. destruct (Z.eqb_spec w 0), (Z.eqb_spec w (-1)); simpl in Dw; try discriminate; auto. }
  destruct W as [W0 W1].
  assert (R : compute T op (eval nu s) w = Fits (match op with Divide => Z.quot (eval nu s) w | _ => Z.rem (eval nu s) w end)).
  { apply Z.eqb_neq in W0, W1. destruct HO as [-> | ->]; unfold compute; rewrite W0, W1, andb_false_r; reflexivity. }
  assert (Vq : forall q, eval nu q = Z.quot (eval nu s) w ->
    reaches nu (Sets r (IntegerSlot (match op with Divide => q | _ => Minus s (Times w q) end))) (computed_state r T (compute T op (eval nu s) w))).
  { intros q Hq. rewrite R. apply reaches_integer. destruct HO as [-> | ->]; cbn [eval Minus]; rewrite Hq; auto. rewrite Z.rem_eq by auto. lia. }
  eapply determined; [exact E | |].
  - assert (C : exists o, In o (divided r op s w) /\ happens o).
    { destruct (Z_lt_ge_dec (eval nu s) 0); eexists.
      - split; [right; left; reflexivity|]. constructor; [cbn [holds eval]; lia | constructor].
      - split; [left; reflexivity|]. constructor; [cbn [holds eval]; lia | constructor]. }
    destruct C as (o & I & H). exists o. split; auto. unfold computing. rewrite Dw. destruct HO as [-> | ->]; right; apply in_or_app; auto.
  - intros o I H. assert (J : (exists ls e', o = exactly (Equal (Constant w) :: ls) e') \/ (exists ls e', o = exactly (minus_one (Constant w) :: ls) e') \/ In o (divided r op s w)).
    { unfold computing in I. rewrite Dw in I. destruct HO as [-> | ->]; (destruct I as [<-|I]; [left; eauto|]; right; apply in_app_or in I as [I|I]; [left|auto];
      destruct (signed T); [|contradiction]; destruct I as [<-|[<-|[]]]; eauto). }
    destruct J as [(ls & e' & ->)|[(ls & e' & ->)|J]]; [inversion_clear H as [|? ? H1 _]; simpl in H1; contradiction | inversion_clear H as [|? ? H1 _]; simpl in H1; lia|].
    destruct J as [<-|[<-|[]]]; unfold Effects.happens in H; cbn [literals exactly] in H; inversion_clear H as [|? ? H1 _]; cbn [holds eval] in H1; cbn [effect_of exactly]; apply Vq;
    cbn [eval]; rewrite Z.quot_div by auto.
    + rewrite (Z.abs_eq (eval nu s)) by lia. destruct (Z.eq_dec (eval nu s) 0) as [->|N]; [rewrite Z.div_0_l by lia; lia|]. rewrite (Z.sgn_pos (eval nu s)) by lia. lia.
    + rewrite (Z.abs_neq (eval nu s)), (Z.sgn_neg (eval nu s)) by lia. replace (-1 * eval nu s) with (- eval nu s) by lia. lia.
Qed.
Lemma run_of_ones_and k low high v : run_of_ones k = Some (low, high) -> Z.land v k = 2 ^ low * (v / 2 ^ low) - 2 ^ high * (v / 2 ^ high).
Proof.
  unfold run_of_ones. cbv zeta. destruct (_ && _) eqn:E; [|discriminate]. intros H. injection H as Hm Hn. apply andb_prop in E as [E K].
  apply andb_prop in E as [E1 E2]. apply Z.leb_le in E1, E2. apply Z.eqb_eq in K. rewrite Hm, Hn in *. rewrite K. apply mask_and. lia.
Qed.
Lemma constant_is t z : is_constant t = Some z -> t = Constant z.
Proof. destruct t; simpl; congruence. Qed.
Lemma divisor_is t w : divisor t = Some w -> t = Constant w /\ divisor (Constant w) = Some w.
Proof.
  intros H. assert (E : t = Constant w).
  { unfold divisor in H. destruct (is_constant t) as [z|] eqn:K; [|discriminate]. destruct (_ || _); [discriminate|]. injection H as ->. apply constant_is. exact K. }
  split; auto. rewrite <- E. exact H.
Qed.
Lemma and_term_eval s t u : and_term s t = Some u -> eval nu u = Z.land (eval nu s) (eval nu t).
Proof.
  assert (M : forall v k w, masked v k = Some w -> eval nu w = Z.land (eval nu v) k).
  { unfold masked. intros v k w. destruct (run_of_ones k) as [[a b]|] eqn:R; [|discriminate]. intros [= <-].
    rewrite (run_of_ones_and _ _ _ _ R). cbn [eval Minus]. lia. }
  unfold and_term. destruct (is_constant t) as [k|] eqn:Kt; [apply constant_is in Kt as ->; apply M|].
  destruct (is_constant s) as [k|] eqn:Ks; [|discriminate]. apply constant_is in Ks as ->. intros H. rewrite (M _ _ _ H). apply Z.land_comm.
Qed.
Lemma shifted_sound r op T s a : op = ShiftLeft \/ op = ShiftRight ->
  (forall d, step P under g d = computed_state r T (compute T op (eval nu s) a)) -> sound_list (shifted r T op s a).
Proof.
  intros HO E. unfold shifted. destruct (bad_amount T a) eqn:B.
  - eapply one; [exact E|]. destruct HO as [-> | ->]; unfold compute; rewrite B; eexists; reflexivity.
  - assert (A : 0 <= a < width T) by (unfold bad_amount in B; apply orb_false_iff in B; lia).
    assert (Pw : 0 < 2 ^ a) by (apply Z.pow_pos_nonneg; lia).
    destruct HO as [-> | ->].
    + assert (E' : forall d, step P under g d = if eval nu s <? 0 then computed_state r T (Overflows (wrap T (eval nu (Times (2 ^ a) s))))
          else computed_state r T (fit T (eval nu (Times (2 ^ a) s)))).
      { intros d. rewrite E. unfold compute. rewrite B. cbn [eval]. rewrite (Z.mul_comm (2 ^ a)). destruct (eval nu s <? 0); reflexivity. }
      clear E. rewrite fit_state in E'. simpl computed_state in E'. destruct (fails_on_overflow T) eqn:F.
      * eapply determined; [exact E' | |].
        -- destruct (Z_lt_ge_dec (eval nu (Times (2 ^ a) s)) 0); [|destruct (Z_lt_ge_dec (greatest T) (eval nu (Times (2 ^ a) s)))].
           ++ eexists. split; [right; left; reflexivity|]. constructor; [cbn [holds eval] in *; lia | constructor].
           ++ eexists. split; [right; right; left; reflexivity|]. constructor; [apply above_holds; lia | constructor].
           ++ eexists. split; [left; reflexivity|]. repeat constructor; cbn [holds eval Minus] in *; lia.
        -- intros o [<-|[<-|[<-|[]]]] H; unfold Effects.happens in H; cbn [literals exactly] in H; cbn [effect_of exactly].
           ++ inversion_clear H as [|? ? H1 H2]. inversion_clear H2 as [|? ? H3 _]. cbn [holds eval Minus] in H1, H3.
              destruct (Z.ltb_spec (eval nu s) 0); [nia|]. assert (W : is_within T (eval nu (Times (2 ^ a) s)) = true).
              { apply is_within_iff. pose proof (zero_within T) as Z0. unfold within in *. cbn [eval]. lia. }
              rewrite W. apply reaches_integer. reflexivity.
           ++ inversion_clear H as [|? ? H1 _]. cbn [holds eval] in H1. destruct (Z.ltb_spec (eval nu s) 0); [eexists; reflexivity | nia].
           ++ inversion_clear H as [|? ? H1 _]. apply above_holds in H1. destruct (eval nu s <? 0); [eexists; reflexivity|].
              destruct (is_within T (eval nu (Times (2 ^ a) s))) eqn:W; [apply is_within_iff in W; unfold within in W; lia | eexists; reflexivity].
      * eapply one with (x := Ok (set g r (Integer (wrap T (eval nu (Times (2 ^ a) s)))))); [intros d; rewrite E'; destruct (eval nu s <? 0); reflexivity|].
        apply reaches_integer. apply convert_eval.
    + eapply one; [exact E|]. unfold compute. rewrite B. apply reaches_integer. reflexivity.
Qed.
Lemma shift_sound r op T s t : is_constant t = None -> op = ShiftLeft \/ op = ShiftRight -> T <> Bool ->
  (forall d, step P under g d = computed_state r T (compute T op (eval nu s) (eval nu t))) ->
  within T (eval nu s) -> sound_list (computing r T op s t).
Proof.
  intros Kt HO HT E Ws.
  set (fits := [AtMost (Minus (Constant 0) t); AtMost (Minus t (Constant (width T - 1)))]).
  assert (F : Forall (holds nu) fits <-> 0 <= eval nu t < width T).
  { unfold fits. split; [intros H; literals_of H; lia | intros H; repeat (constructor; [simpl; lia|]); constructor]. }
  assert (B : ~ (0 <= eval nu t < width T) -> compute T op (eval nu s) (eval nu t) = BadAmount).
  { intros N. assert (Y : bad_amount T (eval nu t) = true) by (unfold bad_amount; apply orb_true_iff; lia).
    destruct HO as [-> | ->]; unfold compute; rewrite Y; reflexivity. }
  assert (G : 0 <= eval nu t < width T -> bad_amount T (eval nu t) = false) by (intros H; unfold bad_amount; apply orb_false_iff; lia).
  assert (Wt : 0 <= eval nu t < width T -> within T (eval nu t)) by (unfold within; destruct T; simpl; try congruence; lia).
  assert (V : 0 <= eval nu t < width T -> exists v, compute T op (eval nu s) (eval nu t) = Fits v \/
     op = ShiftLeft /\ compute T op (eval nu s) (eval nu t) = Overflows v).
  { intros H. pose proof (G H) as Y. destruct HO as [-> | ->]; unfold compute; rewrite Y; [|eauto].
    destruct (eval nu s <? 0); [eauto|]. unfold fit. destruct (is_within _ _); eauto. }
  assert (A : 0 <= eval nu t < width T -> op <> ShiftLeft \/ fails_on_overflow T = false ->
    reaches nu (Sets r (IntegerSlot (Apply op T s t))) (computed_state r T (compute T op (eval nu s) (eval nu t)))).
  { intros H N. eapply apply_reaches; eauto. destruct (V H) as (v & [X|[X X']]); [left; eauto|]. right. split; eauto. destruct N; [contradiction | auto]. }
  set (amounts := [exactly [AtMost (Plus t (Constant 1))] FailsHere; exactly [AtMost (Minus (Constant (width T)) t)] FailsHere]).
  assert (Bad : ~ (0 <= eval nu t < width T) -> exists o, In o amounts /\ happens o).
  { intros N. destruct (Z_lt_ge_dec (eval nu t) 0).
    - eexists. split; [left; reflexivity|]. constructor; [simpl; lia | constructor].
    - eexists. split; [right; left; reflexivity|]. constructor; [simpl; lia | constructor]. }
  assert (Bads : forall o, In o amounts -> happens o -> ~ (0 <= eval nu t < width T) /\ effect_of o = FailsHere /\ tag_of o = Exact).
  { intros o [<-|[<-|[]]] H; literals_of H; (split; [lia | auto]). }
  assert (Dec : 0 <= eval nu t < width T \/ ~ (0 <= eval nu t < width T)) by lia.
  destruct (fails_on_overflow T) eqn:Fo.
  - destruct HO as [-> | ->].
    + assert (C : computing r T ShiftLeft s t = [ignored fits (Sets r (IntegerSlot (Apply ShiftLeft T s t))); ignored fits FailsHere] ++ amounts).
      { unfold computing. rewrite Kt, Fo. reflexivity. }
      rewrite C. split.
      * intros d _. rewrite E. destruct Dec as [H|H].
        -- destruct (V H) as (v & X). destruct (compute T ShiftLeft (eval nu s) (eval nu t)) eqn:Y; try (destruct X as [X|[_ X]]; discriminate).
           ++ apply taken with (ignored fits (Sets r (IntegerSlot (Apply ShiftLeft T s t)))); [simpl; auto | apply F; auto|].
              eapply apply_reaches; eauto. rewrite Y. reflexivity.
           ++ apply taken with (ignored fits FailsHere); [simpl; auto | apply F; auto|]. simpl. rewrite Fo. eexists. reflexivity.
        -- destruct (Bad H) as (o & I & Ho). apply taken with o; auto; [apply in_or_app; auto|].
           destruct (Bads o I Ho) as (_ & -> & _). rewrite B by auto. eexists. reflexivity.
      * intros o I N Ho. apply in_app_or in I as [[<-|[<-|[]]]|I]; [simpl in N; congruence | simpl in N; congruence|].
        exists still. split; auto. rewrite E. destruct (Bads o I Ho) as (H & -> & _). rewrite B by auto. eexists. reflexivity.
    + assert (C : computing r T ShiftRight s t = exactly fits (Sets r (IntegerSlot (Apply ShiftRight T s t))) :: amounts) by (unfold computing; rewrite Kt; reflexivity).
      rewrite C. eapply determined; [exact E | |].
      * destruct Dec as [H|H]; [eexists; split; [left; reflexivity | apply F; auto]|]. destruct (Bad H) as (o & I & Ho). exists o. split; [right|]; auto.
      * intros o [<-|I] Ho; [apply A; [apply F; exact Ho | left; discriminate]|]. destruct (Bads o I Ho) as (H & -> & _). rewrite B by auto. eexists. reflexivity.
  - assert (C : computing r T op s t = exactly fits (Sets r (IntegerSlot (Apply op T s t))) :: amounts).
    { destruct HO as [-> | ->]; unfold computing; rewrite Kt, ?Fo; reflexivity. }
    rewrite C. eapply determined; [exact E | |].
    + destruct Dec as [H|H]; [eexists; split; [left; reflexivity | apply F; auto]|]. destruct (Bad H) as (o & I & Ho). exists o. split; [right|]; auto.
    + intros o [<-|I] Ho; [apply A; [apply F; exact Ho | auto]|]. destruct (Bads o I Ho) as (H & -> & _). rewrite B by auto. eexists. reflexivity.
Qed.

Lemma computes_sound r op s t os a b :
  (forall d, step P under g d = compute_in P under g r op a b) -> use_integer g a = Ok (eval nu s) -> use_integer g b = Ok (eval nu t) ->
  (forall T, type_of P r = IntegerType T -> within T (eval nu s) /\
     match op with ShiftLeft | ShiftRight => True | _ => within T (eval nu t) end) ->
  computes r op s t = Some os -> sound_list os.
Proof.
  intros E A B W H. unfold computes in H. destruct (type_of P r) as [T|] eqn:Tr; [|discriminate].
  destruct (integer_type_eqb T Bool) eqn:HT; [discriminate|]. injection H as <-.
  assert (NB : T <> Bool) by (intros ->; discriminate). clear HT. destruct (W T eq_refl) as [Ws Wt]. clear W.
  assert (I : integer_type_of P r = T) by (unfold integer_type_of; rewrite Tr; auto).
  assert (X := compute_state r op a b T s t I A B). rewrite X in E. clear X A B I.
  unfold computing. set (e := fun t0 => Sets r (IntegerSlot t0)).
  destruct op; cbn [compute] in E.
  - (* add *) destruct (fit_sound r T (Plus s t) _ E eq_refl) as (C & O & _). pose proof (proj1 (sums_one_period T _ _ Ws Wt)).
    destruct (fails_on_overflow T) eqn:F; [apply C | apply O]; auto.
  - (* subtract *)
    assert (X : eval nu (Minus s t) = eval nu s - eval nu t) by (simpl; lia). rewrite <- X in E.
    destruct (fit_sound r T (Minus s t) _ E eq_refl) as (C & O & _). pose proof (proj2 (sums_one_period T _ _ Ws Wt)).
    destruct (fails_on_overflow T) eqn:F; [apply C | apply O]; rewrite ?X; auto.
  - (* multiply *)
    assert (Any : sound_list (if fails_on_overflow T then [ignored [] (e (Apply Multiply T s t)); ignored [] FailsHere] else [exactly [] (e (Apply Multiply T s t))])).
    { destruct (fails_on_overflow T) eqn:F.
      - split.
        + intros d _. rewrite E. destruct (compute T Multiply (eval nu s) (eval nu t)) eqn:C; try (unfold compute, fit in C; destruct (is_within _ _); discriminate).
          * apply taken with (ignored [] (e (Apply Multiply T s t))); [simpl; auto | constructor|].
            eapply apply_reaches; eauto.
          * apply taken with (ignored [] FailsHere); [simpl; auto | constructor|].
            unfold compute in C. rewrite C. simpl. rewrite F. eexists. reflexivity.
        + intros o [<-|[<-|[]]] N; simpl in N; congruence.
      - eapply one; [exact E|]. eapply apply_reaches; eauto. simpl. unfold fit.
        destruct (is_within _ _); [left | right; split; auto]; eauto. }
    assert (Product : forall k u, eval nu s * eval nu t = k * eval nu u ->
      sound_list (if fails_on_overflow T then checked T (Times k u) e else [exactly [] (e (Convert T (Times k u)))])).
    { intros k u K. rewrite K in E. change (k * eval nu u) with (eval nu (Times k u)) in E.
      destruct (fit_sound r T (Times k u) _ E eq_refl) as (C & _ & O). destruct (fails_on_overflow T) eqn:F; [apply C | apply O]; auto. }
    destruct (is_constant t) as [k|] eqn:Kt; [|destruct (is_constant s) as [k|] eqn:Ks; auto].
    + apply Product. destruct t; inversion Kt. subst. simpl. lia.
    + apply Product. destruct s; inversion Ks. subst. simpl. lia.
  - (* divide *)
    destruct (divisor t) as [w|] eqn:Dt; [|pose proof (division_sound r Divide T s t Dt) as X; unfold computing in X; rewrite Dt in X; apply X; auto].
    destruct (divisor_is t w Dt) as [-> Dw]. pose proof (divided_sound r Divide T s w Dw) as X. unfold computing in X. rewrite Dw in X. apply X; auto.
  - (* remainder *)
    destruct (divisor t) as [w|] eqn:Dt; [|pose proof (division_sound r Remainder T s t Dt) as X; unfold computing in X; rewrite Dt in X; apply X; auto].
    destruct (divisor_is t w Dt) as [-> Dw]. pose proof (divided_sound r Remainder T s w Dw) as X. unfold computing in X. rewrite Dw in X. apply X; auto.
  - (* and *) eapply one; [exact E|]. destruct (and_term s t) as [u|] eqn:U; [apply reaches_integer, and_term_eval; exact U|]. eapply apply_reaches; [exact NB | exact Ws | exact Wt | reflexivity | left; eexists; reflexivity].
  - (* or *) eapply one; [exact E|]. eapply apply_reaches; [exact NB | exact Ws | exact Wt | reflexivity | left; eexists; reflexivity].
  - (* xor *)
    assert (R : reaches nu (e (Apply Xor T s t)) (computed_state r T (Fits (Z.lxor (eval nu s) (eval nu t))))).
    { eapply apply_reaches; [exact NB | exact Ws | exact Wt | reflexivity | left; eexists; reflexivity]. }
    assert (Y : apply Xor T (eval nu s) (eval nu t) = Z.lxor (eval nu s) (eval nu t)).
    { apply apply_computes; auto. }
    eapply determined; [exact E | |].
    + destruct (Z.eq_dec (eval nu s) (eval nu t)) as [Q|Q].
      * eexists. split; [right; left; reflexivity|]. constructor; [simpl; lia | constructor].
      * eexists. split; [left; reflexivity|]. constructor; [simpl; lia|]. constructor; [|constructor].
        cbn [holds eval]. rewrite Y. intros Z0. apply Z.lxor_eq in Z0. contradiction.
    + intros o [<-|[<-|[]]] H; [exact R|]. literals_of H. simpl. apply reaches_integer. simpl.
      replace (eval nu t) with (eval nu s) by lia. symmetry. apply Z.lxor_nilpotent.
  - (* shift left *)
    destruct (is_constant t) as [a'|] eqn:Kt; [apply constant_is in Kt as ->; apply shifted_sound; auto|].
    pose proof (shift_sound r ShiftLeft T s t Kt) as X. unfold computing in X. rewrite Kt in X. apply X; auto.
  - (* shift right *)
    destruct (is_constant t) as [a'|] eqn:Kt; [apply constant_is in Kt as ->; apply shifted_sound; auto|].
    pose proof (shift_sound r ShiftRight T s t Kt) as X. unfold computing in X. rewrite Kt in X. apply X; auto.
Qed.
End Member.
End Computing.
