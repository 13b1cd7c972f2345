(** That what the second checker lists of masks, shifts, divisions, remainders and [^] is
    right (spec/calculus.md#step): of the values that terms have, each case whose literals
    hold says what the operation comes to, and some case holds. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Typed FoldedMembers Configurations Members RegisterSteps SameValues.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists.
Import ListNotations.
Open Scope Z_scope.

(** ** Runs of ones *)

Lemma land_doubled a b x y : Z.land (2 * a + Z.b2z x) (2 * b + Z.b2z y) = 2 * Z.land a b + Z.b2z (x && y).
Proof.
  apply Z.bits_inj'. intros n Hn. rewrite Z.land_spec. destruct (Z.eq_dec n 0) as [->|N0].
  - rewrite !Z.testbit_0_r. reflexivity.
  - replace n with (Z.succ (n - 1)) by lia. rewrite !Z.testbit_succ_r by lia. rewrite Z.land_spec. reflexivity.
Qed.
Lemma land_even a b : Z.land (2 * a) (2 * b) = 2 * Z.land a b.
Proof. pose proof (land_doubled a b false false) as H. simpl Z.b2z in H. rewrite !Z.add_0_r in H. exact H. Qed.
Lemma land_odd_even a b : Z.land (2 * a + 1) (2 * b) = 2 * Z.land a b.
Proof. pose proof (land_doubled a b true false) as H. simpl Z.b2z in H. rewrite !Z.add_0_r in H. exact H. Qed.
Lemma land_shifted m a b : 0 <= m -> Z.land (2 ^ m * a) (2 ^ m * b) = 2 ^ m * Z.land a b.
Proof.
  revert m. apply natlike_ind; [rewrite !Z.mul_1_l; reflexivity|]. intros m Hm IH. rewrite Z.pow_succ_r by lia. rewrite <- !Z.mul_assoc, land_even, IH. lia.
Qed.
Lemma halves k : exists q, k = 2 * q \/ k = 2 * q + 1.
Proof. exists (k / 2). pose proof (Z.div_mod k 2 ltac:(lia)). pose proof (Z.mod_pos_bound k 2 ltac:(lia)). lia. Qed.
(** A number and its successor share no bit if that is a power of two alone. *)
Lemma next_power q : 0 <= q -> Z.land q (q + 1) = 0 -> exists n, 0 <= n /\ q + 1 = 2 ^ n.
Proof.
  intros Hq. revert q Hq. apply (Zlt_0_ind (fun q => Z.land q (q + 1) = 0 -> exists n, 0 <= n /\ q + 1 = 2 ^ n)). intros q IH Hq L.
  destruct (Z.eq_dec q 0) as [->|N0]; [exists 0; split; [lia | reflexivity]|]. destruct (halves q) as (r & [E|E]).
  - rewrite E in L. rewrite Z.land_comm, land_odd_even, Z.land_diag in L. lia.
  - destruct (IH r) as (n & Hn & En); [lia | rewrite E in L; replace (2 * r + 1 + 1) with (2 * (r + 1)) in L by lia; rewrite land_odd_even in L; lia|].
    exists (Z.succ n). split; [lia|]. rewrite Z.pow_succ_r by lia. lia.
Qed.
(** A positive number is an odd one with zeros behind it; the least bit is what it shares
    with its opposite. *)
Lemma least_bit k : 0 < k -> exists m q, 0 <= m /\ 0 <= q /\ k = 2 ^ m * (2 * q + 1) /\ Z.land k (- k) = 2 ^ m.
Proof.
  intros Hk. assert (Hk' : 0 <= k) by lia. revert k Hk' Hk.
  apply (Zlt_0_ind (fun k => 0 < k -> exists m q, 0 <= m /\ 0 <= q /\ k = 2 ^ m * (2 * q + 1) /\ Z.land k (- k) = 2 ^ m)). intros k IH _ Hk.
  destruct (halves k) as (j & [E|E]).
  - destruct (IH j) as (m & q & Hm & Hq & Ej & L); try lia. exists (Z.succ m), q. rewrite Z.pow_succ_r by lia. repeat split; try lia.
    rewrite E. replace (- (2 * j)) with (2 * - j) by lia. rewrite land_even, L. reflexivity.
  - exists 0, j. repeat split; try lia. rewrite E. replace (- (2 * j + 1)) with (2 * Z.lnot j + 1) by (unfold Z.lnot; lia).
    pose proof (land_doubled j (Z.lnot j) true true) as D. simpl Z.b2z in D. simpl andb in D. cbn [Z.b2z] in D. rewrite D, Z.land_lnot_diag. reflexivity.
Qed.
Lemma run_of_ones k : is_run_of_ones k = true -> exists m n, 0 <= m <= n /\ lowest_bit k = 2 ^ m /\ k + lowest_bit k = 2 ^ n.
Proof.
  unfold is_run_of_ones. intros H. apply andb_prop in H as [Hk H]. apply Z.leb_le in Hk. apply Z.eqb_eq in H.
  destruct (Z.eq_dec k 0) as [->|N0]; [exists 0, 0; repeat split; lia|].
  destruct (least_bit k ltac:(lia)) as (m & q & Hm & Hq & Ek & L). pose proof (Z.pow_pos_nonneg 2 m ltac:(lia) Hm) as Pm.
  assert (Lb : lowest_bit k = 2 ^ m) by (unfold lowest_bit; rewrite L; lia). rewrite Lb in H |- *.
  assert (S : k + 2 ^ m = 2 ^ m * (2 * (q + 1))) by (rewrite Ek; lia). rewrite S, Ek, land_shifted, land_odd_even in H by lia.
  destruct (next_power q Hq ltac:(nia)) as (n & Hn & En). exists m, (m + 1 + n). split; [lia|]. split; auto.
  rewrite S, En, !Z.pow_add_r by lia. change (2 ^ 1) with 2. lia.
Qed.

Section Values.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
(** What an operation comes to, or a failure. *)
Definition result (T : integer_type) (op : operation) x y : option Z := match compute T op x y with
  | Fits v => Some v | Overflows v => if fails_on_overflow E T then None else Some v | _ => None end.

Lemma meets_also_kept {A} s M (c : computes A) (Q : A -> state -> model -> Prop) : meets s M c Q -> meets s M c (fun a s' K => keeps s M s' K /\ Q a s' K).
Proof. intros H a s' Ex. destruct (H a s' Ex) as (K & G & Kp & q). exists K. auto. Qed.

(** ** Masks and shifts *)

Lemma masks_meets s M t k : good s M -> (t < linears_in s)%N -> is_run_of_ones k = true ->
  meets s M (masks t k) (fun cs _ K => cases_say K cs (Some (Z.land (vl M t) k))).
Proof.
  intros G I R. destruct (run_of_ones k R) as (m & n & Hmn & Low & High). unfold masks.
  eapply meets_bind; [apply quotient_meets; auto|]. intros above s1 M1 G1 K1 [Ia Va].
  eapply meets_bind; [apply quotient_meets; auto|]. intros whole s2 M2 G2 K2 [Iw Vw].
  eapply meets_bind; [apply combine_meets; auto|]. intros u s3 M3 G3 K3 [Iu Vu]. apply meets_ret; auto. apply only_case.
  rewrite Vu. simpl. rewrite Vw, (proj2 (keeps_linears _ _ _ _ K2)), Va, (proj2 (keeps_linears _ _ _ _ K1)) by auto.
  rewrite High, Low. replace k with (2 ^ n - 2 ^ m) by lia. rewrite mask_and by lia. lia.
Qed.
Lemma shifted_left T x a : 0 <= a -> bad_amount T a = false ->
  result T ShiftLeft x a = if fails_on_overflow E T then (if (0 <=? x * 2 ^ a) && (x * 2 ^ a <=? greatest T) then Some (x * 2 ^ a) else None) else Some (wrap T (x * 2 ^ a)).
Proof.
  intros Ha B. unfold result, compute. rewrite B. pose proof (Z.pow_pos_nonneg 2 a ltac:(lia) Ha) as Pa.
  assert (Ls : least T <= 0) by (destruct T; simpl; lia). destruct (Z.ltb_spec x 0) as [N|N].
  - destruct (fails_on_overflow E T); auto. destruct (Z.leb_spec 0 (x * 2 ^ a)); [nia | reflexivity].
  - unfold fit. destruct (is_within T (x * 2 ^ a)) eqn:W.
    + pose proof W as W'. unfold is_within in W'. apply andb_prop in W' as [_ W2]. rewrite W2. destruct (Z.leb_spec 0 (x * 2 ^ a)); [|nia].
      destruct (fails_on_overflow E T); [reflexivity|]. apply is_within_iff, wrap_same in W. rewrite W. reflexivity.
    + destruct (fails_on_overflow E T); auto. unfold is_within in W. destruct (Z.leb_spec 0 (x * 2 ^ a)); [|nia].
      destruct (Z.leb_spec (least T) (x * 2 ^ a)); [|lia]. simpl in W |- *. rewrite W. reflexivity.
Qed.
Lemma shifts_meets s M op T t a : good s M -> (t < linears_in s)%N -> op = ShiftLeft \/ op = ShiftRight ->
  meets s M (shifts E op T t a) (fun x _ K => match x with Some cs => cases_say K cs (result T op (vl M t) a) | None => result T op (vl M t) a = None end).
Proof.
  intros G I Op. unfold shifts. assert (B : bad_amount T a = negb ((0 <=? a) && (a <? width T))).
  { unfold bad_amount. destruct (Z.ltb_spec a 0), (Z.leb_spec 0 a), (Z.leb_spec (width T) a), (Z.ltb_spec a (width T)); simpl; lia. }
  rewrite <- B. destruct (bad_amount T a) eqn:Ba; [apply meets_ret; auto; unfold result, compute; destruct Op; subst op; rewrite Ba; reflexivity|].
  assert (Ha : 0 <= a) by (unfold bad_amount in Ba; destruct (Z.ltb_spec a 0); [discriminate | lia]).
  destruct Op; subst op.
  - rewrite shifted_left by auto. eapply meets_bind; [apply combine_meets; auto|]. intros u s1 M1 G1 K1 [Iu Vu].
    assert (Vx : vl M1 u = vl M t * 2 ^ a) by (rewrite Vu; simpl; lia). destruct (fails_on_overflow E T).
    + unfold lifted. eapply meets_bind; [apply checked_meets; auto|]. intros cs s2 M2 G2 K2 Cs. apply meets_ret; auto. rewrite Vx in Cs. exact Cs.
    + unfold lifted. eapply meets_bind; [apply (convert_meets E P under setting_right); auto; discriminate|]. intros cs s2 M2 G2 K2 Cs. apply meets_ret; auto. rewrite Vx in Cs. exact Cs.
  - eapply meets_bind; [apply quotient_meets; auto|]. intros q s1 M1 G1 K1 [Iq Vq]. apply meets_ret; auto. unfold result, compute. rewrite Ba. apply only_case. exact Vq.
Qed.

(** ** Divisions *)

Lemma quotient_by_sign x w a b : w <> 0 -> (a = 1 /\ 0 <= x) \/ (a = -1 /\ x < 0) -> b = a * Z.sgn w * ((a * x) / Z.abs w) -> b = Z.quot x w.
Proof.
  intros W0 [[-> Hx]|[-> Hx]] ->; rewrite Z.quot_div by auto.
  - rewrite (Z.abs_eq x) by lia. destruct (Z.eq_dec x 0) as [->|N]; [rewrite Z.mul_0_r, Z.div_0_l by lia; lia|]. rewrite (Z.sgn_pos x) by lia.
    replace (1 * x) with x by lia. lia.
  - rewrite (Z.abs_neq x), (Z.sgn_neg x) by lia. replace (-1 * x) with (- x) by lia. lia.
Qed.
(** The value where nothing fails. *)
Definition divided (op : operation) x y : Z := if is_division op then Z.quot x y else Z.rem x y.
Lemma division_result T op x y : op = Divide \/ op = Remainder -> result T op x y =
  if y =? 0 then None else if Integers.signed T && (x =? least T) && (y =? -1) then None else Some (divided op x y).
Proof.
  intros Op. unfold result, compute, divided. destruct Op; subst op; destruct (y =? 0); auto; destruct (_ && _); reflexivity.
Qed.
Lemma less_meets s M t u : good s M -> (t < linears_in s)%N -> (u < linears_in s)%N -> meets s M (less t u) (fun k s' K => literal_in s' k /\ (literal_holds K k <-> vl M t < vl M u)).
Proof.
  intros G It Iu. unfold less. eapply meets_bind; [apply combine_meets; auto|]. intros d s1 M1 G1 K1 [Id Vd]. apply meets_ret; auto. split; [exact Id|].
  unfold literal_holds. simpl. rewrite Vd. simpl. lia.
Qed.
Lemma equal_meets s M t u : good s M -> (t < linears_in s)%N -> (u < linears_in s)%N -> meets s M (equal t u) (fun k s' K => literal_in s' k /\ (literal_holds K k <-> vl M t = vl M u)).
Proof.
  intros G It Iu. unfold equal. eapply meets_bind; [apply difference_meets; auto|]. intros d s1 M1 G1 K1 [Id Vd]. apply meets_ret; auto. split; [exact Id|].
  unfold literal_holds. simpl. rewrite Vd. lia.
Qed.
(** One side: if the dividend has that sign, the value is right. *)
Lemma side_meets s M op t w sign_ k : good s M -> (t < linears_in s)%N -> w <> 0 -> literal_in s k ->
  (literal_holds M k -> (sign_ = 1 /\ 0 <= vl M t) \/ (sign_ = -1 /\ vl M t < 0)) ->
  meets s M (let$ dividend := combine 0 [(t, sign_)] in
    let$ a := small (Z.abs w) in
    let$ q := quotient dividend a in
    let$ q := combine 0 [(q, sign_ * Z.sgn w)] in
    let$ k' := small (- w) in
    let$ r := combine 0 [(t, 1); (q, k')] in
    ret ([k], Some (if is_division op then q else r)))
  (fun c s' K => exists u, c = ([k], Some u) /\ (u < linears_in s')%N /\ (literal_holds K k -> vl K u = divided op (vl M t) w)).
Proof.
  intros G I W0 Ik Hk. eapply meets_bind; [apply combine_meets; auto|]. intros dividend s1 M1 G1 K1 [Id Vd].
  eapply meets_peek; [apply peeks_small|]. intros ? ->. eapply meets_bind; [apply quotient_meets; auto|]. intros q0 s2 M2 G2 K2 [Iq0 Vq0].
  eapply meets_bind; [apply combine_meets; auto|]. intros q s3 M3 G3 K3 [Iq Vq]. eapply meets_peek; [apply peeks_small|]. intros ? ->.
  eapply meets_bind; [apply combine_meets; auto|]. intros r s4 M4 G4 K4 [Ir Vr]. apply meets_ret; auto.
  assert (K14 : keeps s M s4 M4) by (eapply keeps_trans; [eapply keeps_trans; [eapply keeps_trans; eauto|]; eauto|]; eauto).
  pose proof (proj2 (keeps_linears _ _ _ _ K4) q Iq) as Vq4. pose proof (proj1 (keeps_linears _ _ _ _ K4)) as Le4.
  exists (if is_division op then q else r). split; auto. split; [destruct (is_division op); lia|].
  intros Lh. apply (literal_kept _ _ _ _ k K14 Ik) in Lh. specialize (Hk Lh).
  assert (Q : vl M3 q = Z.quot (vl M t) w).
  { apply (quotient_by_sign (vl M t) w sign_); auto. assert (Vd' : vl M1 dividend = sign_ * vl M t) by (rewrite Vd; simpl; lia).
    rewrite Vq. cbn [parts_value fold_right]. rewrite Vq0, Vd'. lia. }
  unfold divided. destruct (is_division op); [congruence|]. rewrite Vr. cbn [parts_value fold_right]. rewrite Q.
  assert (Vt : vl M3 t = vl M t) by (apply (proj2 (keeps_linears _ _ _ _ (keeps_trans _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K1 K2) K3))); auto). rewrite Vt.
  rewrite Z.rem_eq by auto. lia.
Qed.

Lemma division_by_meets s M op t w : good s M -> (t < linears_in s)%N -> w <> 0 ->
  meets s M (division_by op t w) (fun cs _ K => cases_say K cs (Some (divided op (vl M t) w))).
Proof.
  intros G I W0. unfold division_by. eapply meets_bind; [apply constant_meets; auto|]. intros zero s1 M1 G1 K1 [Iz Vz].
  pose proof (proj1 (keeps_linears _ _ _ _ K1)) as Le1. pose proof (proj2 (keeps_linears _ _ _ _ K1) t I) as Vt1.
  eapply meets_bind; [apply less_meets; auto; lia|]. intros negative s2 M2 G2 K2 [In_ Hn]. rewrite Vz, Vt1 in Hn.
  eapply meets_bind; [apply negate_meets; auto|]. intros positive s3 M3 G3 K3 [Ip Hp].
  destruct (literal_kept _ _ _ _ negative K3 In_) as [In3 Hn3].
  assert (K13 : keeps s M s3 M3) by (eapply keeps_trans; [eapply keeps_trans; eauto|]; eauto).
  pose proof (proj1 (keeps_linears _ _ _ _ K13)) as Le3. pose proof (proj2 (keeps_linears _ _ _ _ K13) t I) as Vt3.
  cbn [mapped]. eapply meets_bind; [apply (side_meets s3 M3 op t w 1 positive); auto; [lia|]; intros L; left; split; auto; rewrite Vt3; apply Hp in L; rewrite Hn in L; lia|].
  intros c1 s4 M4 G4 K4 (u & -> & Iu & Vu). destruct (literal_kept _ _ _ _ negative K4 In3) as [In4 Hn4]. destruct (literal_kept _ _ _ _ positive K4 Ip) as [Ip4 Hp4].
  pose proof (proj1 (keeps_linears _ _ _ _ K4)) as Le4. pose proof (proj2 (keeps_linears _ _ _ _ K4) t ltac:(lia)) as Vt4.
  eapply meets_bind with (P := fun cs s' K => exists v, cs = [([negative], Some v)] /\ keeps s4 M4 s' K /\ (literal_holds K negative -> vl K v = divided op (vl M4 t) w)).
  { eapply meets_bind; [apply (side_meets s4 M4 op t w (-1) negative); auto; [lia|]; intros L; right; split; auto; rewrite Vt4, Vt3; apply Hn4, Hn3, Hn in L; lia|].
    intros c2 s5 M5 G5 K5 (v & -> & _ & Vv). apply meets_ret; auto. exists v. auto. }
  intros cs s5 M5 G5 _ (v & -> & K5 & Vv). apply meets_ret; auto. rewrite Vt4, Vt3 in Vv. rewrite Vt3 in Vu.
  destruct (literal_kept _ _ _ _ negative K5 In4) as [_ Hn5]. destruct (literal_kept _ _ _ _ positive K5 Ip4) as [_ Hp5].
  pose proof (proj2 (keeps_linears _ _ _ _ K5) u Iu) as Vu5.
  assert (U : literal_holds M5 positive -> vl M5 u = divided op (vl M t) w) by (intros L; rewrite Vu5; apply Vu, Hp5, L).
  assert (One : forall k v', literal_holds M5 k -> (literal_holds M5 k -> vl M5 v' = divided op (vl M t) w) -> case_says M5 (Some (divided op (vl M t) w)) ([k], Some v')) by (intros k v' L H; exact (H L)).
  split.
  - destruct (Z_lt_ge_dec (vl M t) 0) as [N|N].
    + assert (L : literal_holds M5 negative) by (apply Hn5, Hn4, Hn3, Hn, N). exists ([negative], Some v). split; [right; left; auto|]. split; [intros k [<-|[]]; exact L | exact (Vv L)].
    + assert (L : literal_holds M5 positive) by (apply Hp5, Hp4, Hp; rewrite Hn; lia). exists ([positive], Some u). split; [left; auto|]. split; [intros k [<-|[]]; exact L | exact (U L)].
  - intros c [<-|[<-|[]]] H; [apply One; [apply H; left; auto | exact U] | apply One; [apply H; left; auto | exact Vv]].
Qed.
Lemma signed_least T : Integers.signed T = (least T <? 0).
Proof. destruct T; reflexivity. Qed.
(** A divisor of -1, where it is one of the cases. *)
Definition special_right (T : integer_type) op x y (p : list case * list literal) (s : state) (K : model) : Prop :=
  (forall k, In k (snd p) -> literal_in s k) /\ (literals_hold K (snd p) <-> y <> 0 /\ (Integers.signed T = true -> y <> -1)) /\
  (forall c, In c (fst p) -> case_in s c /\ (literals_hold K (fst c) -> Integers.signed T = true /\ y = -1 /\ case_says K (if x =? least T then None else Some (divided op x (-1))) c)) /\
  (Integers.signed T = true -> y = -1 -> exists c, In c (fst p) /\ literals_hold K (fst c)).
Lemma special_meets s M op T t zero x y by_minus_one not_zero : good s M -> (t < linears_in s)%N -> vl M t = x -> (zero < linears_in s)%N -> vl M zero = 0 ->
  literal_in s by_minus_one -> (literal_holds M by_minus_one <-> y = -1) -> literal_in s not_zero -> (literal_holds M not_zero <-> y <> 0) -> op = Divide \/ op = Remainder ->
  meets s M (if least T <? 0 then
      let$ lowest := constant_term (least T) in
      let$ of_least := equal t lowest in
      let$ opposite := if is_division op then combine 0 [(t, -1)] else ret zero in
      let$ of_more := negate of_least in
      let$ not_minus_one := negate by_minus_one in
      ret ([([by_minus_one; of_least], None); ([by_minus_one; of_more], Some opposite)], [not_zero; not_minus_one])
    else ret ([], [not_zero])) (special_right T op x y).
Proof.
  intros G It Vt Iz Vz Ib Hb In_ Hn Op. rewrite <- signed_least. destruct (Integers.signed T) eqn:Sg.
  - eapply meets_bind; [apply constant_meets; auto|]. intros lowest s1 M1 G1 K1 [Il Vl]. pose proof (proj1 (keeps_linears _ _ _ _ K1)) as L1.
    eapply meets_bind; [apply equal_meets; auto; lia|]. intros of_least s2 M2 G2 K2 [Io Ho]. rewrite Vl, (proj2 (keeps_linears _ _ _ _ K1)), Vt in Ho by auto.
    pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K02. pose proof (proj1 (keeps_linears _ _ _ _ K02)) as L2.
    eapply meets_bind with (P := fun o s' K => keeps s2 M2 s' K /\ (o < linears_in s')%N /\ vl K o = divided op x (-1)).
    { unfold divided. destruct Op; subst op; cbn [is_division].
      - eapply meets_weaker; [apply meets_also_kept, combine_meets; exact G2|]. intros o s' K _ _ [Kp [I V]]. split; auto. split; auto. rewrite V. simpl.
        rewrite (proj2 (keeps_linears _ _ _ _ K02)), Vt by auto. change (-1) with (- (1)). rewrite Z.quot_opp_r, Z.quot_1_r by lia. lia.
      - apply meets_ret; auto. split; [apply keeps_refl|]. split; [lia|]. rewrite (proj2 (keeps_linears _ _ _ _ K02)), Vz by auto.
        change (-1) with (- (1)). rewrite Z.rem_opp_r, Z.rem_1_r by lia. reflexivity. }
    intros opposite s3 M3 G3 _ (K3 & Iop & Vop). destruct (literal_kept _ _ _ _ of_least K3 Io) as [Io3 Ho3].
    eapply meets_bind; [apply negate_meets; auto|]. intros of_more s4 M4 G4 K4 [Im Hm]. destruct (literal_kept _ _ _ _ of_least K4 Io3) as [Io4 Ho4].
    pose proof (keeps_trans _ _ _ _ _ _ K02 (keeps_trans _ _ _ _ _ _ K3 K4)) as K04. destruct (literal_kept _ _ _ _ by_minus_one K04 Ib) as [Ib4 Hb4].
    eapply meets_bind; [apply negate_meets; auto|]. intros not_minus_one s5 M5 G5 K5 [Inm Hnm]. pose proof (keeps_trans _ _ _ _ _ _ K04 K5) as K05.
    destruct (literal_kept _ _ _ _ by_minus_one K05 Ib) as [Ib5 Hb5]. destruct (literal_kept _ _ _ _ not_zero K05 In_) as [Inz Hnz].
    destruct (literal_kept _ _ _ _ of_least K5 Io4) as [Io5 Ho5]. destruct (literal_kept _ _ _ _ of_more K5 Im) as [Im5 Hm5].
    pose proof (proj1 (keeps_linears _ _ _ _ K4)) as L4. pose proof (proj1 (keeps_linears _ _ _ _ K5)) as L5.
    assert (Vo5 : vl M5 opposite = divided op x (-1)) by (rewrite (proj2 (keeps_linears _ _ _ _ K5)), (proj2 (keeps_linears _ _ _ _ K4)) by lia; exact Vop).
    assert (Le : literal_holds M5 of_least <-> x = least T) by tauto. assert (Mo : literal_holds M5 of_more <-> x <> least T) by tauto.
    apply meets_ret; auto. unfold special_right. rewrite Sg. cbn [fst snd]. split; [intros k [<-|[<-|[]]]; assumption|]. split; [|split].
    + split; [intros H; split; [apply Hn, Hnz, H; left; auto | intros _ Ey; apply (proj1 Hnm (H _ (or_intror (or_introl eq_refl)))); tauto] |
        intros [A B] k [<-|[<-|[]]]; [tauto | apply Hnm; intros C; apply (B eq_refl); tauto]].
    + intros c [<-|[<-|[]]]; (split; [split; cbn [fst snd]; [intros k [<-|[<-|[]]]; assumption | try exact Logic.I; lia]|]); cbn [fst]; intros H; split; auto;
        pose proof (H _ (or_introl eq_refl)) as H1; pose proof (H _ (or_intror (or_introl eq_refl))) as H2; (split; [tauto|]); unfold case_says; cbn [snd]; destruct (Z.eqb_spec x (least T)); tauto.
    + intros _ Ey. destruct (Z.eq_dec x (least T)) as [E'|N]; eexists; (split; [|]).
      * left; reflexivity.
      * intros k [<-|[<-|[]]]; tauto.
      * right; left; reflexivity.
      * intros k [<-|[<-|[]]]; tauto.
  - apply meets_ret; auto. unfold special_right. rewrite Sg. cbn [fst snd]. split; [intros k [<-|[]]; assumption|]. split; [|split; [intros ? [] | discriminate]].
    split; [intros H; split; [apply Hn, H; left; auto | discriminate] | intros [A _] k [<-|[]]; tauto].
Qed.
Lemma divides_meets s M op T t u : good s M -> (t < linears_in s)%N -> (u < linears_in s)%N -> op = Divide \/ op = Remainder -> T <> Bool ->
  Integers.within T (vl M t) -> Integers.within T (vl M u) -> meets s M (divides op T t u) (fun cs _ K => cases_say K cs (result T op (vl M t) (vl M u))).
Proof.
  intros G It Iu Op NB Wt Wu. rewrite division_result by auto. set (x := vl M t). set (y := vl M u). unfold divides.
  eapply meets_bind; [apply constant_meets; auto|]. intros zero s1 M1 G1 K1 [Iz Vz].
  eapply meets_bind; [apply constant_meets; auto|]. intros minus_one s2 M2 G2 K2 [Im Vm]. pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K02.
  pose proof (proj1 (keeps_linears _ _ _ _ K02)) as Le2. pose proof (proj2 (keeps_linears _ _ _ _ K02) u Iu) as Vu2. pose proof (proj2 (keeps_linears _ _ _ _ K02) t It) as Vt2.
  destruct (is_term_kept _ _ _ _ _ _ K2 (conj Iz Vz)) as [Iz2 Vz2].
  eapply meets_bind; [apply equal_meets; auto; lia|]. intros by_zero s3 M3 G3 K3 [Ib Hb]. rewrite Vu2, Vz2 in Hb.
  eapply meets_bind; [apply equal_meets; auto; pose proof (proj1 (keeps_linears _ _ _ _ K3)); lia|]. intros by_minus_one s4 M4 G4 K4 [Ibm Hbm].
  rewrite (proj2 (keeps_linears _ _ _ _ K3)), Vu2, (proj2 (keeps_linears _ _ _ _ K3)), Vm in Hbm by lia.
  destruct (literal_kept _ _ _ _ by_zero K4 Ib) as [Ib4 Hb4].
  eapply meets_bind; [apply negate_meets; auto|]. intros not_zero s5 M5 G5 K5 [Inz Hnz].
  destruct (literal_kept _ _ _ _ by_zero K5 Ib4) as [Ib5 Hb5]. destruct (literal_kept _ _ _ _ by_minus_one K5 Ibm) as [Ibm5 Hbm5].
  assert (K05 : keeps s M s5 M5) by (eapply keeps_trans; [eapply keeps_trans; [eapply keeps_trans; [exact K02|]; exact K3|]; exact K4 | exact K5]).
  assert (B5 : literal_holds M5 by_zero <-> y = 0) by (rewrite Hb5, Hb4; exact Hb). assert (N5 : literal_holds M5 not_zero <-> y <> 0) by (rewrite Hnz, Hb4, Hb; reflexivity).
  assert (D5 : literal_holds M5 by_minus_one <-> y = -1) by (rewrite Hbm5; exact Hbm). clear Hb Hb4 Hb5 Hnz Hbm Hbm5.
  pose proof (proj1 (keeps_linears _ _ _ _ K05)) as L5. pose proof (proj2 (keeps_linears _ _ _ _ K05) t It) as Vt5.
  destruct (is_term_kept _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K3 K4) K5) (conj Iz2 Vz2)) as [Iz5 Vz5].
  eapply meets_bind; [apply (special_meets s5 M5 op T t zero x y by_minus_one not_zero); auto; lia|].
  intros [special under_] s6 M6 G6 K6 (Iu6 & Hu6 & Sp & Se). cbn [fst snd] in *. pose proof (keeps_trans _ _ _ _ _ _ K05 K6) as K06.
  destruct (literal_kept _ _ _ _ by_zero K6 Ib5) as [Ib6 B6]. pose proof (proj1 (keeps_linears _ _ _ _ K06)) as L6.
  pose proof (proj2 (keeps_linears _ _ _ _ K06) u Iu) as Vu6. pose proof (proj2 (keeps_linears _ _ _ _ K06) t It) as Vt6.
  eapply meets_peek; [eapply value_peek; eauto|]. intros v Vv.
  eapply meets_bind with (P := fun cs s' K => keeps s6 M6 s' K /\ (y <> 0 /\ (Integers.signed T = true -> y <> -1) -> exists c, In c cs /\ literals_hold K (fst c)) /\
    forall c, In c cs -> literals_hold K (fst c) -> y <> 0 /\ (Integers.signed T = true -> y <> -1) /\ case_says K (Some (divided op x y)) c).
  { assert (Op1 : meets s6 M6 (let$ u0 := apply_to op T t u in ret [(under_, Some u0)]) (fun cs s' K => keeps s6 M6 s' K /\ (y <> 0 /\ (Integers.signed T = true -> y <> -1) -> exists c, In c cs /\ literals_hold K (fst c)) /\
      forall c, In c cs -> literals_hold K (fst c) -> y <> 0 /\ (Integers.signed T = true -> y <> -1) /\ case_says K (Some (divided op x y)) c)).
    { eapply meets_bind; [apply apply_to_meets; auto|]. intros w s7 M7 G7 K7 [Iw Vw]. rewrite Vt6, Vu6 in Vw. apply meets_ret; auto. split; [exact K7|].
      assert (Hu7 : literals_hold M7 under_ <-> literals_hold M6 under_) by (split; intros H k J; apply (literal_kept _ _ _ _ k K7 (Iu6 k J)); auto).
      split; [intros H; exists (under_, Some w); split; [left; auto | apply Hu7, Hu6, H]|]. intros c [<-|[]] H. cbn [fst] in H. apply Hu7, Hu6 in H. destruct H as [H0 H1].
      split; auto. split; auto. unfold case_says. cbn [snd]. rewrite Vw. apply apply_computes; auto. left. pose proof (proj2 (Z.eqb_neq y 0) H0) as Y0.
      assert (Y1 : Integers.signed T && (x =? least T) && (y =? -1) = false).
      { destruct (Integers.signed T); [|reflexivity]. rewrite (proj2 (Z.eqb_neq y (-1)) (H1 eq_refl)). apply andb_false_r. }
      fold x y. unfold compute, divided. destruct Op; subst op; rewrite Y0, Y1; reflexivity. }
    destruct v as [w|]; [|exact Op1]. destruct ((w =? 0) || (w =? -1)) eqn:Ew; [exact Op1|]. apply orb_false_elim in Ew as [W0 W1]. apply Z.eqb_neq in W0, W1.
    assert (Ey : y = w) by (destruct Vv as [_ Vv]; unfold y; congruence).
    eapply meets_weaker; [apply meets_also_kept, (division_by_meets s6 M6 op t w); auto; lia|]. intros cs s7 M7 _ _ [K7 [(c & J & H & S) All]]. split; auto. rewrite Vt6 in S, All. fold x in S, All.
    split; [intros _; exists c; auto|]. intros c' J' H'. rewrite Ey. split; auto. }
  intros rest_ s7 M7 G7 _ (K7 & Re & Ra). apply meets_ret; auto. destruct (literal_kept _ _ _ _ by_zero K7 Ib6) as [_ B7].
  assert (Z7 : literal_holds M7 by_zero <-> y = 0) by (rewrite B7, B6; exact B5). split.
  - destruct (Z.eq_dec y 0) as [Y0|Y0]; [|destruct (Integers.signed T) eqn:Sg; [destruct (Z.eq_dec y (-1)) as [Y1|Y1]|]].
    + exists ([by_zero], None). split; [left; auto|]. split; [intros k [<-|[]]; apply Z7, Y0|]. rewrite Y0. exact Logic.I.
    + destruct (Se eq_refl Y1) as (c & J & H). destruct (Sp c J) as [Ic Sc]. destruct (case_kept _ _ _ _ c K7 Ic) as [Hc Cc]. exists c. split; [right; apply in_or_app; auto|].
      split; [apply Hc, H|]. apply Cc. destruct (Sc H) as (_ & _ & Sy). rewrite Y1. cbn [Z.eqb]. rewrite andb_true_r. exact Sy.
    + destruct (Re (conj Y0 (fun _ => Y1))) as (c & J & H). destruct (Ra c J H) as (_ & _ & Sy). exists c. split; [right; apply in_or_app; auto|]. split; auto.
      rewrite (proj2 (Z.eqb_neq y 0) Y0), (proj2 (Z.eqb_neq y (-1)) Y1), andb_false_r. exact Sy.
    + destruct (Re ltac:(split; [exact Y0 | discriminate])) as (c & J & H). destruct (Ra c J H) as (_ & _ & Sy). exists c. split; [right; apply in_or_app; auto|]. split; auto.
      rewrite (proj2 (Z.eqb_neq y 0) Y0). exact Sy.
  - intros c [<-|J] H.
    + assert (Y0 : y = 0) by (apply Z7, H; left; auto). rewrite Y0. exact Logic.I.
    + apply in_app_or in J as [J|J].
      * destruct (Sp c J) as [Ic Sc]. destruct (case_kept _ _ _ _ c K7 Ic) as [Hc Cc]. apply Hc in H. apply Cc. destruct (Sc H) as (Sg & Y1 & Sy). rewrite Sg, Y1. cbn [Z.eqb andb]. rewrite andb_true_r. exact Sy.
      * destruct (Ra c J H) as (Y0 & Y1 & Sy). rewrite (proj2 (Z.eqb_neq y 0) Y0). destruct (Integers.signed T); [|exact Sy].
        rewrite (proj2 (Z.eqb_neq y (-1)) (Y1 eq_refl)), andb_false_r. exact Sy.
Qed.
End Values.
