(** The integers of C (spec/program.md#integers): types, wrap-around, the
    operations with their failures, and the facts on which steps and deductions
    of the calculus rest. *)
From Coq Require Import ZArith Lia Bool.
Open Scope Z_scope.

Inductive integer_type := Bool | I8 | U8 | I16 | U16 | I32 | U32 | I64 | U64.

Definition least T := match T with
  | Bool | U8 | U16 | U32 | U64 => 0
  | I8 => - 2 ^ 7 | I16 => - 2 ^ 15 | I32 => - 2 ^ 31 | I64 => - 2 ^ 63 end.
Definition greatest T := match T with
  | Bool => 1 | I8 => 2 ^ 7 - 1 | U8 => 2 ^ 8 - 1 | I16 => 2 ^ 15 - 1 | U16 => 2 ^ 16 - 1
  | I32 => 2 ^ 31 - 1 | U32 => 2 ^ 32 - 1 | I64 => 2 ^ 63 - 1 | U64 => 2 ^ 64 - 1 end.
(** In bits.  A [_Bool] takes a byte, but its period is 2 (attack F2). *)
Definition width T := match T with
  | Bool | I8 | U8 => 8 | I16 | U16 => 16 | I32 | U32 => 32 | I64 | U64 => 64 end.
Definition signed T := match T with I8 | I16 | I32 | I64 => true | _ => false end.
Definition period T := greatest T - least T + 1.

Definition integer_type_eqb (s t : integer_type) : bool := match s, t with
  | Bool, Bool | I8, I8 | U8, U8 | I16, I16 | U16, U16 | I32, I32 | U32, U32 | I64, I64 | U64, U64 => true
  | _, _ => false end.
Lemma integer_type_eqb_eq s t : integer_type_eqb s t = true <-> s = t.
Proof. destruct s, t; simpl; split; congruence. Qed.

Definition within T z := least T <= z <= greatest T.
Definition is_within T z := (least T <=? z) && (z <=? greatest T).
Lemma is_within_iff T z : is_within T z = true <-> within T z.
Proof. unfold is_within, within. rewrite andb_true_iff. lia. Qed.
Lemma zero_within T : within T 0.
Proof. destruct T; unfold within; simpl; lia. Qed.

(** ** Wrap-around *)

Definition wrap T v := (v - least T) mod period T + least T.

Lemma period_positive T : 0 < period T.
Proof. destruct T; reflexivity. Qed.
Theorem wrap_within T v : within T (wrap T v).
Proof. pose proof (Z.mod_pos_bound (v - least T) _ (period_positive T)). unfold within, wrap, period in *. lia. Qed.
Lemma wrap_congruent T v : exists k, wrap T v = v + k * period T.
Proof.
  pose proof (Z.div_mod (v - least T) (period T) ltac:(pose proof (period_positive T); lia)).
  exists (- ((v - least T) / period T)). unfold wrap. lia.
Qed.
Lemma congruent_within T u v k : within T u -> within T v -> u = v + k * period T -> u = v.
Proof.
  intros Hu Hv E. pose proof (period_positive T). unfold within, period in *.
  assert (k = 0); [|subst; lia]. destruct (Z.lt_total k 0) as [|[|]]; nia.
Qed.
Theorem wrap_same T v : within T v -> wrap T v = v.
Proof.
  intros H. destruct (wrap_congruent T v) as [k E].
  eapply congruent_within; [apply wrap_within | exact H | exact E].
Qed.
(** For all types but [_Bool] this is the value modulo two to the width. *)
Theorem period_width T : T <> Bool -> period T = 2 ^ width T.
Proof. destruct T; intros; try congruence; reflexivity. Qed.

(** Deduction *Convert*: the one value of the type that is congruent. *)
Theorem convert T t v k : within T v -> v - t = k * period T -> wrap T t = v.
Proof.
  intros Hv E. destruct (wrap_congruent T t) as [j Hj].
  eapply congruent_within with (k := j - k); [apply wrap_within | exact Hv |]. lia.
Qed.
(** ... also by another conversion, whose period is a multiple. *)
Theorem convert_twice T U t v k m : within T v -> period U = m * period T ->
  v - wrap U t = k * period T -> wrap T t = v.
Proof.
  intros Hv Hm E. destruct (wrap_congruent U t) as [j Hj].
  apply convert with (k := k + j * m); auto. rewrite Hj in E. rewrite Hm in E. lia.
Qed.
(** "Fits, one period too large, too small": of values at most one period off. *)
Theorem one_period T v : least T - period T <= v <= greatest T + period T ->
  wrap T v = if v <? least T then v + period T else if greatest T <? v then v - period T else v.
Proof.
  intros H. destruct (Z.ltb_spec v (least T)); [|destruct (Z.ltb_spec (greatest T) v)].
  - apply convert with (k := 1); [|lia]. unfold within, period in *; lia.
  - apply convert with (k := -1); [|lia]. unfold within, period in *; lia.
  - apply convert with (k := 0); [|lia]. unfold within; lia.
Qed.
(** ... as sums and differences of values of the type are. *)
Theorem sums_one_period T u v : within T u -> within T v ->
  least T - period T <= u + v <= greatest T + period T /\
  least T - period T <= u - v <= greatest T + period T.
Proof. unfold within, period. destruct T; simpl; lia. Qed.

(** ** Operations *)

Inductive operation := Add | Subtract | Multiply | Divide | Remainder | And | Or | Xor | ShiftLeft | ShiftRight.

(** What an operation comes to before the claim's parameters are asked. *)
Inductive computed :=
| Fits (v : Z)
| Overflows (wrapped : Z)      (* out of range, or a negative left side of [ShiftLeft] *)
| DividesByZero
| DivisionOverflows
| BadAmount.

Definition fit T v := if is_within T v then Fits v else Overflows (wrap T v).
Definition bad_amount T right := (right <? 0) || (width T <=? right).
Definition compute T op left right : computed := match op with
  | Add => fit T (left + right)
  | Subtract => fit T (left - right)
  | Multiply => fit T (left * right)
  | Divide | Remainder =>
    if right =? 0 then DividesByZero
    else if signed T && (left =? least T) && (right =? -1) then DivisionOverflows
    else Fits (match op with Divide => Z.quot left right | _ => Z.rem left right end)
  | And => Fits (Z.land left right)
  | Or => Fits (Z.lor left right)
  | Xor => Fits (Z.lxor left right)
  | ShiftLeft =>
    if bad_amount T right then BadAmount
    else let v := left * 2 ^ right in
      if left <? 0 then Overflows (wrap T v) else fit T v
  | ShiftRight => if bad_amount T right then BadAmount else Fits (left / 2 ^ right)
  end.

(** *** Results are values of the type *)

Lemma bits_within_signed n v : 0 <= n -> (- 2 ^ n <= v <= 2 ^ n - 1 <-> forall i, n <= i -> Z.testbit v i = Z.testbit v n).
Proof.
  intros Hn. pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) Hn) as Hp. split.
  - intros H i Hi.
    assert (E : v / 2 ^ n = 0 \/ v / 2 ^ n = -1).
    { destruct (Z.leb_spec 0 v); [left; apply Z.div_small; lia|].
      right. symmetry. apply Z.div_unique with (r := v + 2 ^ n); lia. }
    assert (D : forall j, n <= j -> Z.testbit v j = Z.testbit (v / 2 ^ n) (j - n)).
    { intros j Hj. rewrite Z.div_pow2_bits by lia. f_equal. lia. }
    rewrite (D i), (D n) by lia.
    destruct E as [-> | ->]; [rewrite !Z.bits_0; auto | rewrite !Z.bits_m1 by lia; auto].
  - intros H.
    assert (E : v / 2 ^ n = 0 \/ v / 2 ^ n = -1).
    { destruct (Z.testbit v n) eqn:B; [right | left]; apply Z.bits_inj'; intros i Hi;
      rewrite Z.div_pow2_bits, (H (i + n)), ?B by lia; [rewrite Z.bits_m1 by lia | rewrite Z.bits_0]; auto. }
    pose proof (Z.div_mod v (2 ^ n) ltac:(lia)). pose proof (Z.mod_pos_bound v (2 ^ n) Hp).
    destruct E as [E | E]; rewrite E in *; lia.
Qed.
Definition bitwise op : option (Z -> Z -> Z) := match op with
  | And => Some Z.land | Or => Some Z.lor | Xor => Some Z.lxor | _ => None end.
Lemma bitwise_signed n op f a b : 0 <= n -> bitwise op = Some f ->
  - 2 ^ n <= a <= 2 ^ n - 1 -> - 2 ^ n <= b <= 2 ^ n - 1 -> - 2 ^ n <= f a b <= 2 ^ n - 1.
Proof.
  intros Hn Hf Ha Hb. pose proof (proj1 (bits_within_signed n a Hn) Ha) as A. pose proof (proj1 (bits_within_signed n b Hn) Hb) as B.
  apply (bits_within_signed n _ Hn).
  intros i Hi. destruct op; inversion Hf; subst; rewrite ?Z.land_spec, ?Z.lor_spec, ?Z.lxor_spec, (A i Hi), (B i Hi); auto.
Qed.
Lemma bitwise_unsigned n op f a b : 0 <= n -> bitwise op = Some f ->
  0 <= a <= 2 ^ n - 1 -> 0 <= b <= 2 ^ n - 1 -> 0 <= f a b <= 2 ^ n - 1.
Proof.
  intros Hn Hf Ha Hb. pose proof (bitwise_signed n op f a b Hn Hf ltac:(lia) ltac:(lia)).
  assert (0 <= f a b); [|lia].
  destruct op; inversion Hf; subst; [apply Z.land_nonneg | apply Z.lor_nonneg | apply Z.lxor_nonneg]; lia.
Qed.
Lemma bitwise_within T op f a b : T <> Bool -> bitwise op = Some f ->
  within T a -> within T b -> within T (f a b).
Proof.
  intros HT Hf Ha Hb. unfold within in *. destruct T; try congruence; simpl least in *; simpl greatest in *.
  - apply (bitwise_signed 7 op); auto; lia.
  - apply (bitwise_unsigned 8 op); auto; lia.
  - apply (bitwise_signed 15 op); auto; lia.
  - apply (bitwise_unsigned 16 op); auto; lia.
  - apply (bitwise_signed 31 op); auto; lia.
  - apply (bitwise_unsigned 32 op); auto; lia.
  - apply (bitwise_signed 63 op); auto; lia.
  - apply (bitwise_unsigned 64 op); auto; lia.
Qed.
Lemma quot_within T a b : within T a -> within T b -> b <> 0 ->
  signed T && (a =? least T) && (b =? -1) = false -> within T (Z.quot a b).
Proof.
  intros Ha Hb Hz Hn. unfold within in *.
  assert (Hs : Z.abs (Z.quot a b) <= Z.abs a /\ (b <> 1 -> b <> -1 -> Z.abs (Z.quot a b) * 2 <= Z.abs a)).
  { rewrite <- Z.quot_abs by auto. rewrite Z.quot_div_nonneg by lia.
    pose proof (Z.div_mod (Z.abs a) (Z.abs b) ltac:(lia)). pose proof (Z.mod_pos_bound (Z.abs a) (Z.abs b) ltac:(lia)).
    pose proof (Z.div_pos (Z.abs a) (Z.abs b) ltac:(lia) ltac:(lia)). split; [nia|]. intros. assert (2 <= Z.abs b) by lia. nia. }
  assert (Hb1 : b = 1 -> Z.quot a b = a) by (intros ->; apply Z.quot_1_r).
  assert (Hb2 : b = -1 -> Z.quot a b = - a).
  { intros ->. change (-1) with (- (1)). rewrite Z.quot_opp_r by lia. rewrite Z.quot_1_r. auto. }
  destruct (Z.eq_dec b 1) as [E|N1]; [rewrite Hb1; auto|]. destruct (Z.eq_dec b (-1)) as [E|N2].
  - rewrite Hb2 by auto. subst b. destruct T; simpl in *; try lia;
    destruct (Z.eqb_spec a (-128)); destruct (Z.eqb_spec a (-32768)); destruct (Z.eqb_spec a (-2147483648)); destruct (Z.eqb_spec a (-9223372036854775808)); simpl in *; try discriminate; lia.
  - assert (0 <= a -> 0 <= b -> 0 <= Z.quot a b) by (intros; apply Z.quot_pos; lia).
    destruct Hs as [Hs1 Hs2]. specialize (Hs2 N1 N2). destruct T; simpl in *; lia.
Qed.
Lemma rem_within T a b : within T a -> within T b -> b <> 0 -> within T (Z.rem a b).
Proof.
  intros Ha Hb Hz. unfold within in *.
  pose proof (Z.rem_bound_abs a b Hz). pose proof (Z.rem_sign_nz a b Hz).
  assert (Z.abs (Z.rem a b) <= Z.abs a).
  { rewrite <- Z.rem_abs by auto. rewrite Z.rem_mod_nonneg by lia. apply Z.mod_le; lia. }
  destruct (Z.eq_dec (Z.rem a b) 0) as [->|Hr]; [apply zero_within|].
  specialize (H0 Hr). destruct (Z.leb_spec 0 a).
  - assert (0 <= Z.rem a b) by (apply Z.rem_nonneg; auto). destruct T; simpl in *; lia.
  - assert (Z.rem a b <= 0) by (apply Z.rem_nonpos; lia). destruct T; simpl in *; lia.
Qed.
Lemma shift_within T a n : within T a -> 0 <= n -> within T (a / 2 ^ n).
Proof.
  intros Ha Hn. pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) Hn).
  pose proof (Z.div_mod a (2 ^ n) ltac:(lia)). pose proof (Z.mod_pos_bound a (2 ^ n) ltac:(lia)).
  unfold within in *. destruct (Z.leb_spec 0 a).
  - pose proof (Z.div_pos a (2 ^ n) ltac:(lia) ltac:(lia)). assert (a / 2 ^ n <= a) by nia. destruct T; simpl in *; lia.
  - assert (a / 2 ^ n < 0) by (apply Z.div_lt_upper_bound; lia).
    assert (a <= a / 2 ^ n) by (apply Z.div_le_lower_bound; [lia | nia]). destruct T; simpl in *; lia.
Qed.
(** Operands of the type (the amount of a shift: of any type) give a result of
    the type, whichever way it is taken. *)
Theorem compute_within T op a b v : T <> Bool -> within T a ->
  (match op with ShiftLeft | ShiftRight => True | _ => within T b end) ->
  compute T op a b = Fits v \/ compute T op a b = Overflows v -> within T v.
Proof.
  intros HT Ha Hb H.
  assert (F : forall x, fit T x = Fits v \/ fit T x = Overflows v -> within T v).
  { unfold fit. intros x. destruct (is_within T x) eqn:E; intros [G|G]; inversion G; subst.
    - apply is_within_iff; auto.
    - apply wrap_within. }
  destruct op; simpl in H; eauto.
  - destruct (Z.eqb_spec b 0); [destruct H; discriminate|].
    destruct (_ && _) eqn:E; destruct H as [H|H]; inversion H; subst. apply quot_within; auto.
  - destruct (Z.eqb_spec b 0); [destruct H; discriminate|].
    destruct (_ && _) eqn:E; destruct H as [H|H]; inversion H; subst. apply rem_within; auto.
  - destruct H as [H|H]; inversion H; subst. apply (bitwise_within T And); auto.
  - destruct H as [H|H]; inversion H; subst. apply (bitwise_within T Or); auto.
  - destruct H as [H|H]; inversion H; subst. apply (bitwise_within T Xor); auto.
  - destruct (bad_amount T b); [destruct H; discriminate|].
    destruct (a <? 0); eauto. destruct H as [H|H]; inversion H; subst. apply wrap_within.
  - destruct (bad_amount T b) eqn:E; destruct H as [H|H]; inversion H; subst.
    unfold bad_amount in E. apply orb_false_iff in E as [E _]. apply shift_within; auto; lia.
Qed.

(** ** apply (spec/calculus.md#terms): total, and the operation where that is
    one.  What terms with [apply] stand for. *)
Definition apply op T s t :=
  let a := wrap T s in let b := wrap T t in
  wrap T (match op with
  | Add => a + b | Subtract => a - b | Multiply => a * b
  | Divide => if b =? 0 then 0 else Z.quot a b
  | Remainder => if b =? 0 then 0 else Z.rem a b
  | And => Z.land a b | Or => Z.lor a b | Xor => Z.lxor a b
  | ShiftLeft => if bad_amount T b then 0 else a * 2 ^ b
  | ShiftRight => if bad_amount T b then 0 else a / 2 ^ b end).
Theorem apply_within op T s t : within T (apply op T s t).
Proof. apply wrap_within. Qed.
(** A conversion is an addition of nothing. *)
Theorem apply_convert T t : apply Add T t 0 = wrap T t.
Proof.
  unfold apply. rewrite (wrap_same T 0) by apply zero_within. rewrite Z.add_0_r.
  apply wrap_same, wrap_within.
Qed.
(** Where the operation has a result, [apply] gives it wrapped. *)
Theorem apply_computes op T a b v : T <> Bool -> within T a -> within T b ->
  compute T op a b = Fits v \/ compute T op a b = Overflows v -> apply op T a b = v.
Proof.
  intros HT Ha Hb H. pose proof (compute_within T op a b v HT Ha ltac:(destruct op; auto) H) as Hv.
  unfold apply. rewrite (wrap_same T a Ha), (wrap_same T b Hb).
  assert (F : forall x, fit T x = Fits v \/ fit T x = Overflows v -> wrap T x = v).
  { unfold fit. intros x. destruct (is_within T x) eqn:E; intros [G|G]; inversion G; subst; auto. apply wrap_same; auto. }
  destruct op; simpl in H; auto.
  - destruct (b =? 0); [destruct H; discriminate|].
    destruct (_ && _); destruct H as [H|H]; inversion H; subst. apply wrap_same; auto.
  - destruct (b =? 0); [destruct H; discriminate|].
    destruct (_ && _); destruct H as [H|H]; inversion H; subst. apply wrap_same; auto.
  - destruct H as [H|H]; inversion H; subst. apply wrap_same; auto.
  - destruct H as [H|H]; inversion H; subst. apply wrap_same; auto.
  - destruct H as [H|H]; inversion H; subst. apply wrap_same; auto.
  - destruct (bad_amount T b); [destruct H; discriminate|].
    destruct (a <? 0); auto. destruct H as [H|H]; inversion H; auto.
  - destruct (bad_amount T b); destruct H as [H|H]; inversion H; subst. apply wrap_same; auto.
Qed.

(** ** Quotients and bits *)

(** Whole multiples of the divisor come out of a quotient. *)
Theorem quotient_out d k r x : 0 < d -> (d * k + r + d * x) / d = k + x + r / d.
Proof. intros. replace (d * k + r + d * x) with (r + (k + x) * d) by lia. rewrite Z.div_add by lia. lia. Qed.

Lemma ldiff_land s t : s = Z.ldiff s t + Z.land s t.
Proof.
  rewrite Z.add_nocarry_lxor; [|apply Z.bits_inj'; intros n Hn; rewrite !Z.land_spec, Z.ldiff_spec, Z.bits_0; destruct (Z.testbit s n), (Z.testbit t n); auto].
  apply Z.bits_inj'; intros n Hn. rewrite Z.lxor_spec, Z.ldiff_spec, Z.land_spec. destruct (Z.testbit s n), (Z.testbit t n); auto.
Qed.
Lemma lor_land s t : Z.lor s t + Z.land s t = s + t.
Proof.
  assert (E : Z.lor s t = Z.ldiff s t + t).
  { rewrite Z.add_nocarry_lxor; [|apply Z.bits_inj'; intros n Hn; rewrite Z.land_spec, Z.ldiff_spec, Z.bits_0; destruct (Z.testbit s n), (Z.testbit t n); auto].
    apply Z.bits_inj'; intros n Hn. rewrite Z.lxor_spec, Z.ldiff_spec, Z.lor_spec. destruct (Z.testbit s n), (Z.testbit t n); auto. }
  pose proof (ldiff_land s t). lia.
Qed.
Lemma lxor_land s t : Z.lxor s t + 2 * Z.land s t = s + t.
Proof.
  rewrite <- (lor_land s t). assert (E : Z.lor s t = Z.lxor s t + Z.land s t); [|lia].
  rewrite Z.add_nocarry_lxor; [|apply Z.bits_inj'; intros n Hn; rewrite !Z.land_spec, Z.lxor_spec, Z.bits_0; destruct (Z.testbit s n), (Z.testbit t n); auto].
  apply Z.bits_inj'; intros n Hn. rewrite !Z.lxor_spec, Z.land_spec, Z.lor_spec. destruct (Z.testbit s n), (Z.testbit t n); auto.
Qed.
Lemma land_low s t : 0 <= s -> 0 <= t -> 0 <= Z.land s t <= s /\ Z.land s t <= t.
Proof.
  assert (H : forall s t, 0 <= s -> 0 <= t -> 0 <= Z.land s t <= s).
  { intros a b Ha Hb. split; [apply Z.land_nonneg; auto|]. pose proof (ldiff_land a b).
    assert (0 <= Z.ldiff a b) by (apply Z.ldiff_nonneg; auto). lia. }
  intros Hs Ht. split; auto. rewrite Z.land_comm. apply H; auto.
Qed.
(** Deduction *Bits*: of two terms that are not negative (attack F4). *)
Theorem bits_or s t : 0 <= s -> 0 <= t -> 0 <= Z.lor s t <= s + t /\ s <= Z.lor s t /\ t <= Z.lor s t.
Proof. intros. pose proof (lor_land s t). pose proof (land_low s t). lia. Qed.
Theorem bits_xor s t : 0 <= s -> 0 <= t ->
  0 <= Z.lxor s t <= s + t /\ s - t <= Z.lxor s t /\ t - s <= Z.lxor s t.
Proof. intros. pose proof (lxor_land s t). pose proof (land_low s t). lia. Qed.
(** [And] with one run of ones, also of negative numbers. *)
Theorem mask_and x n m : 0 <= m <= n ->
  Z.land x (2 ^ n - 2 ^ m) = 2 ^ m * (x / 2 ^ m) - 2 ^ n * (x / 2 ^ n).
Proof.
  intros [Hm Hn]. pose proof (Z.pow_pos_nonneg 2 m ltac:(lia) Hm). pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) ltac:(lia)).
  assert (E : 2 ^ n - 2 ^ m = Z.ldiff (Z.ones n) (Z.ones m)).
  { rewrite <- Z.sub_nocarry_ldiff.
    - rewrite !Z.ones_equiv. lia.
    - apply Z.bits_inj'; intros k Hk. rewrite Z.ldiff_spec, Z.bits_0.
      destruct (Z.ltb_spec k m); [rewrite Z.ones_spec_low, (Z.ones_spec_low n) by lia | rewrite Z.ones_spec_high by lia]; auto. }
  assert (F : Z.land x (Z.ldiff (Z.ones n) (Z.ones m)) = Z.land x (Z.ones n) - Z.land x (Z.ones m)).
  { rewrite Z.sub_nocarry_ldiff.
    - apply Z.bits_inj'; intros k Hk. rewrite !Z.land_spec, !Z.ldiff_spec, !Z.land_spec.
      destruct (Z.testbit x k), (Z.testbit (Z.ones n) k), (Z.testbit (Z.ones m) k); auto.
    - apply Z.bits_inj'; intros k Hk. rewrite Z.ldiff_spec, !Z.land_spec, Z.bits_0.
      destruct (Z.ltb_spec k m); [rewrite Z.ones_spec_low, (Z.ones_spec_low n) by lia | rewrite Z.ones_spec_high by lia];
      destruct (Z.testbit x k); auto. }
  rewrite E, F, !Z.land_ones by lia.
  pose proof (Z.div_mod x (2 ^ m) ltac:(lia)). pose proof (Z.div_mod x (2 ^ n) ltac:(lia)). lia.
Qed.
