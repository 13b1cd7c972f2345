(** Refutations (spec/calculus.md#refutations): a hint is checked by
    computation, and what it refutes has no model. *)
From Coq Require Import List ZArith Lia Bool.
From Goatherd Require Import Integers Terms.
Import ListNotations.
Open Scope Z_scope.

(** ** Premises: evident, or said by a fact *)

(** Does the fact say the literal, or more? *)
Definition says (fact l : literal) : bool := match fact, l with
  | AtMost s, AtMost t => evident (AtMost (Minus t s))
  | Equal s, AtMost t => evident (AtMost (Minus t s)) || evident (AtMost (Plus t s))
  | Equal s, Equal t | Unequal s, Unequal t => evident (Equal (Minus t s)) || evident (Equal (Plus t s))
  | AtMost s, Unequal t | Equal s, Unequal t =>   (* t or -t is less than 0 *)
    evident (AtMost (Minus (Plus t (Constant 1)) s)) || evident (AtMost (Minus (Minus (Constant 1) t) s))
  | _, _ => false end.
Lemma says_holds nu f l : well_sorted nu -> says f l = true -> holds nu f -> holds nu l.
Proof.
  intros Hw. destruct f, l; cbn [says]; try discriminate; intros H Hf; try apply orb_prop in H;
  repeat match goal with
  | H : _ \/ _ |- _ => destruct H
  | H : evident _ = true |- _ => apply (evident_holds nu) in H; [simpl in H | exact Hw] end; simpl in *; lia.
Qed.
Definition given (F : list literal) l := evident l || existsb (fun f => says f l) F.
Lemma given_holds nu F l : well_sorted nu -> given F l = true -> Forall (holds nu) F -> holds nu l.
Proof.
  unfold given. intros Hw H HF. apply orb_prop in H as [H|H]; [apply evident_holds; auto|].
  apply existsb_exists in H as [f [Hin Hs]]. rewrite Forall_forall in HF. eapply says_holds; eauto.
Qed.
Definition all_given F := forallb (given F).
Lemma all_given_hold nu F ls : well_sorted nu -> all_given F ls = true -> Forall (holds nu) F -> Forall (holds nu) ls.
Proof.
  unfold all_given. intros Hw H HF. rewrite forallb_forall in H. apply Forall_forall. intros l Hl.
  eapply given_holds; eauto.
Qed.
(** Two terms are the same, or equal by facts. *)
Definition equal_terms F s t := term_eqb s t || given F (Equal (Minus s t)) ||
  (given F (AtMost (Minus s t)) && given F (AtMost (Minus t s))).
Lemma equal_terms_ok nu F s t : well_sorted nu -> equal_terms F s t = true -> Forall (holds nu) F -> eval nu s = eval nu t.
Proof.
  unfold equal_terms. intros Hw H HF. apply orb_prop in H as [H|H]; [apply orb_prop in H as [H|H]|].
  - apply term_eqb_eq in H. congruence.
  - apply (given_holds nu) in H; auto. simpl in H. lia.
  - apply andb_prop in H as [H1 H2]. apply (given_holds nu) in H1; auto. apply (given_holds nu) in H2; auto. simpl in *. lia.
Qed.

(** ** Deductions *)

Inductive deduction :=
| Combine (l : list (nat * Z)) (d : Z)   (* the sum of facts, divided by d >= 1 *)
| Tighten (bound disequality : nat)
| Known (t : term)                       (* by sorts and types, and of quotients by definition *)
| Congruence (s t : term)
| ReadSame (a : array) (i v j : term)
| ReadOther (a : array) (i v j : term)
| Converted (T : integer_type) (t v : term) (by_ : option integer_type) (k : Z * list (term * Z))
| Bits (op : operation) (T : integer_type) (s t : term)
| Evaluate (a : term) (constants : list Z).  (* for arguments that are none, in order *)

Inductive hint :=
| Contradiction (fact : nat)
| Deduce (d : deduction) (h : hint)
| Cases (l : literal) (h1 h2 : hint).

Fixpoint sum (F : list literal) (l : list (nat * Z)) : option term := match l with
  | [] => Some (Constant 0)
  | (i, k) :: l => match nth_error F i, sum F l with
     | Some (AtMost t), Some s => if 0 <=? k then Some (Plus (Times k t) s) else None
     | Some (Equal t), Some s => Some (Plus (Times k t) s)
     | _, _ => None end end.
Lemma sum_holds nu F l s : sum F l = Some s -> Forall (holds nu) F -> eval nu s <= 0.
Proof.
  revert s; induction l as [|[i k] l IH]; simpl; intros s H HF.
  - inversion H; subst; simpl; lia.
  - destruct (nth_error F i) as [f|] eqn:E; [|discriminate].
    apply nth_error_In in E. pose proof HF as HF'. rewrite Forall_forall in HF. specialize (HF _ E) as Hf.
    destruct f; try discriminate; destruct (sum F l) as [s'|] eqn:E'; try discriminate;
    specialize (IH _ eq_refl HF'); simpl in Hf.
    + destruct (Z.leb_spec 0 k); inversion H; subst; simpl. nia.
    + inversion H; subst; simpl. nia.
Qed.

(** All coefficients are divided, the bound is rounded (Chvatal and Gomory). *)
Definition divide (d : Z) (l : linear) : option linear :=
  if (0 <? d) && forallb (fun p => snd p mod d =? 0) (snd l)
  then Some (- ((- fst l) / d), map (fun p => (fst p, snd p / d)) (snd l)) else None.
Lemma divide_holds nu d l l' : divide d l = Some l' -> eval_linear nu l <= 0 -> eval_linear nu l' <= 0.
Proof.
  unfold divide. destruct (Z.ltb_spec 0 d); [|discriminate]. destruct (forallb _ _) eqn:E; simpl; [|discriminate].
  intros [= <-]. unfold eval_linear; simpl. destruct l as [c l]; simpl in *.
  assert (Hs : eval_summands nu l = d * eval_summands nu (map (fun p => (fst p, snd p / d)) l)).
  { induction l as [|[a k] l IH]; simpl in *; [lia|].
    apply andb_prop in E as [E1 E2]. rewrite (IH E2). apply Z.eqb_eq in E1.
    apply Z_div_exact_full_2 in E1; [|lia]. rewrite E1 at 1. nia. }
  rewrite Hs. intros Hle.
  assert (eval_summands nu (map (fun p => (fst p, snd p / d)) l) <= (- c) / d); [|lia].
  apply Z.div_le_lower_bound; lia.
Qed.

Definition bounds (r : range) t : list literal :=
  match fst r with Some a => [AtMost (Minus (Constant a) t)] | None => [] end ++
  match snd r with Some b => [AtMost (Minus t (Constant b))] | None => [] end.
Lemma bounds_hold nu r t : in_range r (eval nu t) -> Forall (holds nu) (bounds r t).
Proof. destruct r as [[a|] [b|]]; unfold in_range, bounds; simpl; intros; repeat constructor; simpl; lia. Qed.
Definition known (t : term) : list literal := bounds (range_of t) t ++ match t with
  | Quotient s d => if 0 <? d
     then [AtMost (Minus (Times d t) s); AtMost (Minus (Minus s (Times d t)) (Constant (d - 1)))] else []
  | _ => [] end.
Lemma known_holds nu t : well_sorted nu -> Forall (holds nu) (known t).
Proof.
  intros Hw. unfold known. apply Forall_app. split; [apply bounds_hold, range_of_sound; auto|].
  destruct t; auto. destruct (Z.ltb_spec 0 d) as [Hd|]; auto.
  pose proof (Z.div_mod (eval nu t) d ltac:(lia)). pose proof (Z.mod_pos_bound (eval nu t) d Hd).
  repeat constructor; simpl; lia.
Qed.

(** For *Convert*: v is congruent to t, or to another conversion of t, by a
    multiple of T's period that is a term with integer values. *)
Definition multiple (p : Z) (k : linear) : term := Times p (unlinear k).
Definition bits_literals op T s t : list literal :=
  let u := Apply op T s t in
  match op with
  | Or => [AtMost (Times (-1) u); AtMost (Minus u (Plus s t)); AtMost (Minus s u); AtMost (Minus t u)]
  | Xor => [AtMost (Times (-1) u); AtMost (Minus u (Plus s t)); AtMost (Minus (Minus s t) u); AtMost (Minus (Minus t s) u)]
  | _ => [] end.
Definition evident_in_type T t := forallb evident (in_type T t).
Lemma evident_in_type_ok nu T t : well_sorted nu -> evident_in_type T t = true -> within T (eval nu t).
Proof.
  unfold evident_in_type. intros Hw H. apply in_type_within. rewrite forallb_forall in H.
  apply Forall_forall. intros l Hl. apply evident_holds; auto.
Qed.

(** For *Evaluate*: an argument has a constant for its value, by itself or by
    facts, and then an operation is carried out. *)
Definition constant_value t : option Z := match normal t with (z, []) => Some z | _ => None end.
Lemma constant_value_eval nu t z : constant_value t = Some z -> eval nu t = z.
Proof.
  unfold constant_value. intros H. rewrite <- (normal_eval nu t). destruct (normal t) as [c [|]]; [|discriminate].
  injection H as <-. unfold eval_linear. simpl. lia.
Qed.
Definition argument F t constants : option (Z * list Z) := match constant_value t with
  | Some z => Some (z, constants)
  | None => match constants with
    | c :: cs => if given F (AtMost (Minus t (Constant c))) && given F (AtMost (Minus (Constant c) t)) then Some (c, cs) else None
    | [] => None end end.
Lemma argument_eval nu F t cs c cs' : well_sorted nu -> Forall (holds nu) F -> argument F t cs = Some (c, cs') -> eval nu t = c.
Proof.
  unfold argument. intros Hw HF. destruct (constant_value t) as [z|] eqn:E; [intros [= <- _]; apply constant_value_eval; auto|].
  destruct cs as [|d cs]; [discriminate|]. destruct (_ && _) eqn:G; [|discriminate]. intros [= <- _]. apply andb_prop in G as [G1 G2].
  apply (given_holds nu) in G1, G2; auto. simpl in G1, G2. lia.
Qed.
(** Stores at other constants are passed; of one at a term the result is a
    select again. *)
Fixpoint read_at (z : Z) (a : array) : term := match a with
  | Table l => Constant (entry_of l z)
  | Everywhere v => v
  | Store b i v => match constant_value i with
    | Some j => if z =? j then v else read_at z b
    | None => Select a (Constant z) end
  | ArrayVar _ _ => Select a (Constant z) end.
Lemma read_at_eval nu z : forall a, eval nu (read_at z a) = eval_array nu a z.
Proof.
  fix IH 1. intros [T x|a i v|v|l]; simpl; auto. destruct (constant_value i) as [j|] eqn:E; simpl; auto.
  rewrite (constant_value_eval nu _ _ E). destruct (z =? j); auto.
Qed.
Definition evaluated F a constants : option term := match a with
  | Select b i => match argument F i constants with Some (z, []) => Some (read_at z b) | _ => None end
  | Quotient t d => match argument F t constants with Some (z, []) => Some (Constant (z / d)) | _ => None end
  | Apply op T s t => match argument F s constants with
    | Some (y, cs) => match argument F t cs with Some (z, []) => Some (Constant (apply op T y z)) | _ => None end
    | None => None end
  | _ => None end.
Lemma evaluated_eval nu F a cs v : well_sorted nu -> Forall (holds nu) F -> evaluated F a cs = Some v -> eval nu a = eval nu v.
Proof.
  intros Hw HF H. destruct a as [| | | |b i|t d|op T s t]; try discriminate; simpl in H.
  - destruct (argument F i cs) as [[z [|]]|] eqn:E; try discriminate. injection H as <-. rewrite read_at_eval. simpl. rewrite (argument_eval nu _ _ _ _ _ Hw HF E). auto.
  - destruct (argument F t cs) as [[z [|]]|] eqn:E; try discriminate. injection H as <-. simpl. rewrite (argument_eval nu _ _ _ _ _ Hw HF E). auto.
  - destruct (argument F s cs) as [[y cs']|] eqn:E; [|discriminate]. destruct (argument F t cs') as [[z [|]]|] eqn:E'; try discriminate. injection H as <-. simpl.
    rewrite (argument_eval nu _ _ _ _ _ Hw HF E), (argument_eval nu _ _ _ _ _ Hw HF E'). auto.
Qed.

Definition guard (b : bool) (l : list literal) := if b then Some l else None.
Lemma guard_some b l G : guard b l = Some G -> b = true /\ G = l.
Proof. destruct b; simpl; intros [= ->]; auto. Qed.

Definition deduce (F : list literal) (d : deduction) : option (list literal) := match d with
  | Combine l k => match sum F l with
     | Some t => match divide k (normal t) with Some l' => Some [AtMost (unlinear l')] | None => None end
     | None => None end
  | Tighten i j => match nth_error F i, nth_error F j with
     | Some (AtMost t), Some (Unequal s) => guard (says (Unequal s) (Unequal t)) [AtMost (Plus t (Constant 1))]
     | _, _ => None end
  | Known t => Some (known t)
  | Congruence s t => match s, t with
     | Select a i, Select b j => guard (array_eqb a b && equal_terms F i j) [Equal (Minus s t)]
     | Quotient a d, Quotient b e => guard ((d =? e) && equal_terms F a b) [Equal (Minus s t)]
     | Apply op T a b, Apply op' T' a' b' =>
       guard (operation_eqb op op' && integer_type_eqb T T' && equal_terms F a a' && equal_terms F b b') [Equal (Minus s t)]
     | _, _ => None end
  | ReadSame a i v j => guard (equal_terms F i j) [Equal (Minus (Select (Store a i v) j) v)]
  | ReadOther a i v j =>
     guard (given F (Unequal (Minus i j)) || given F (AtMost (Minus (Plus i (Constant 1)) j))
            || given F (AtMost (Minus (Plus j (Constant 1)) i)))
       [Equal (Minus (Select (Store a i v) j) (Select a j))]
  | Converted T t v by_ k =>
     match by_ with
     | None => guard (all_given F (in_type T v) && evident (Equal (Minus (Minus v t) (multiple (period T) k))))
         [Equal (Minus (Convert T t) v)]
     | Some U => guard (all_given F (in_type T v) && (period U mod period T =? 0)
           && evident (Equal (Minus (Minus v (Convert U t)) (multiple (period T) k))))
         [Equal (Minus (Convert T t) v)] end
  | Bits op T s t =>
     guard (evident_in_type T s && evident_in_type T t
            && given F (AtMost (Times (-1) s)) && given F (AtMost (Times (-1) t)))
       (bits_literals op T s t)
  | Evaluate a constants => match evaluated F a constants with Some v => Some [Equal (Minus a v)] | None => None end
  end.

Theorem deduce_holds nu F d G : deduce F d = Some G -> model nu F -> Forall (holds nu) G.
Proof.
  intros H [Hw HF]. destruct d as [l k | i j | t | s t | a i v j | a i v j | T t v [U|] k | op T s t | a constants]; cbn [deduce] in H.
  - destruct (sum F l) as [t|] eqn:E; [|discriminate].
    destruct (divide k (normal t)) as [l'|] eqn:E'; inversion H; subst. constructor; auto.
    cbn [holds]. rewrite unlinear_eval. eapply divide_holds; eauto. rewrite normal_eval. eapply sum_holds; eauto.
  - destruct (nth_error F i) as [[t| |]|] eqn:Ei; try discriminate.
    destruct (nth_error F j) as [[| |s]|] eqn:Ej; try discriminate.
    apply guard_some in H as [Es ->]. constructor; auto.
    rewrite Forall_forall in HF. pose proof (HF _ (nth_error_In _ _ Ei)) as H1.
    pose proof (says_holds nu _ _ Hw Es (HF _ (nth_error_In _ _ Ej))) as H2. simpl in *. lia.
  - inversion H; subst. apply known_holds; auto.
  - destruct s; try discriminate; destruct t; try discriminate; apply guard_some in H as [E ->];
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [? ?] end;
    repeat match goal with H : equal_terms F _ _ = true |- _ => apply (equal_terms_ok nu) in H; [|assumption|assumption] end;
    constructor; auto; simpl.
    + apply array_eqb_eq in H; subst. rewrite H0. lia.
    + apply Z.eqb_eq in H; subst. rewrite H0. lia.
    + apply operation_eqb_eq in H; subst. apply integer_type_eqb_eq in H2; subst. rewrite H1, H0. lia.
  - apply guard_some in H as [E ->]. apply (equal_terms_ok nu) in E; auto. constructor; auto. simpl.
    rewrite E, Z.eqb_refl. lia.
  - apply guard_some in H as [E ->]. constructor; auto.
    assert (eval nu i <> eval nu j).
    { apply orb_prop in E as [E|E]; [apply orb_prop in E as [E|E]|]; apply (given_holds nu) in E; auto; simpl in E; lia. }
    simpl. destruct (Z.eqb_spec (eval nu j) (eval nu i)); lia.
  - apply guard_some in H as [E ->]. apply andb_prop in E as [E E2]. apply andb_prop in E as [E E1].
    apply (all_given_hold nu) in E; auto. apply in_type_within in E. apply (evident_holds nu) in E2; auto.
    apply Z.eqb_eq in E1. pose proof (period_positive T) as Hp. apply Z_div_exact_full_2 in E1; [|clear -Hp; lia].
    constructor; auto. cbn [holds]. unfold Minus. cbn [eval]. rewrite convert_eval.
    cbn [holds] in E2. unfold Minus in E2. cbn [eval] in E2. rewrite convert_eval in E2.
    rewrite (convert_twice T U _ (eval nu v) (eval nu (unlinear k)) (period U / period T)); [clear; lia | auto | rewrite E1 at 1; apply Z.mul_comm |].
    unfold multiple in E2. cbn [eval] in E2. rewrite (Z.mul_comm _ (period T)). clear -E2. lia.
  - apply guard_some in H as [E ->]. apply andb_prop in E as [E E2].
    apply (all_given_hold nu) in E; auto. apply in_type_within in E. apply (evident_holds nu) in E2; auto.
    constructor; auto. cbn [holds]. unfold Minus. cbn [eval]. rewrite convert_eval.
    cbn [holds] in E2. unfold Minus, multiple in E2. cbn [eval] in E2.
    rewrite (convert T _ (eval nu v) (eval nu (unlinear k))); [lia | auto | rewrite (Z.mul_comm _ (period T)); lia].
  - apply guard_some in H as [E ->]. apply andb_prop in E as [E E4]. apply andb_prop in E as [E E3]. apply andb_prop in E as [E1 E2].
    apply (evident_in_type_ok nu) in E1, E2; auto. apply (given_holds nu) in E3, E4; auto. simpl in E3, E4.
    assert (HT : T <> Bool \/ T = Bool) by (destruct T; auto; left; discriminate).
    destruct op; simpl; auto.
    + assert (A : apply Or T (eval nu s) (eval nu t) = Z.lor (eval nu s) (eval nu t)).
      { unfold apply. rewrite (wrap_same T _ E1), (wrap_same T _ E2). apply wrap_same.
        destruct HT as [HT|HT]; [apply (bitwise_within T Or); auto|].
        subst T. unfold within in *; simpl in *. apply (bitwise_unsigned 1 Or); try reflexivity; change (2 ^ 1 - 1) with 1; lia. }
      pose proof (bits_or (eval nu s) (eval nu t) ltac:(lia) ltac:(lia)).
      repeat constructor; simpl; rewrite A; lia.
    + assert (A : apply Xor T (eval nu s) (eval nu t) = Z.lxor (eval nu s) (eval nu t)).
      { unfold apply. rewrite (wrap_same T _ E1), (wrap_same T _ E2). apply wrap_same.
        destruct HT as [HT|HT]; [apply (bitwise_within T Xor); auto|].
        subst T. unfold within in *; simpl in *. apply (bitwise_unsigned 1 Xor); try reflexivity; change (2 ^ 1 - 1) with 1; lia. }
      pose proof (bits_xor (eval nu s) (eval nu t) ltac:(lia) ltac:(lia)).
      repeat constructor; simpl; rewrite A; lia.
  - destruct (evaluated F a constants) as [v|] eqn:E; [|discriminate]. injection H as <-. constructor; auto.
    simpl. rewrite (evaluated_eval nu F a constants v Hw HF E). lia.
Qed.

(** ** Refutation *)

Fixpoint refute (F : list literal) (h : hint) : bool := match h with
  | Contradiction i => match nth_error F i with
     | Some l => evident (negation l) | None => false end
  | Deduce d h => match deduce F d with Some G => refute (F ++ G) h | None => false end
  | Cases l h1 h2 => refute (F ++ [l]) h1 && refute (F ++ [negation l]) h2 end.

Theorem refute_sound : forall h F, refute F h = true -> absurd F.
Proof.
  induction h as [i | d h IH | l h1 IH1 h2 IH2]; simpl; intros F H nu Hm.
  - destruct (nth_error F i) as [l|] eqn:E; [|discriminate].
    apply (evident_holds nu) in H; [|apply Hm]. apply negation_holds in H. apply H.
    destruct Hm as [_ HF]. rewrite Forall_forall in HF. apply HF. eapply nth_error_In; eauto.
  - destruct (deduce F d) as [G|] eqn:E; [|discriminate].
    apply (IH _ H nu). apply model_app; auto. eapply deduce_holds; eauto.
  - apply andb_prop in H as [H1 H2]. destruct (holds_or_not nu l);
    [apply (IH1 _ H1 nu) | apply (IH2 _ H2 nu)]; apply model_app; auto.
Qed.

(** ** Entailment, as sets of facts that hints are to refute *)

Definition denials (P : list literal) (l : literal) : list (list literal) :=
  if given P l then [] else match l with
  | AtMost _ => [P ++ [negation l]]
  | Unequal t => [P ++ [Equal t]]
  | Equal t => [P ++ [AtMost (Minus (Constant 1) t)]; P ++ [AtMost (Plus t (Constant 1))]] end.
Lemma denials_sound P l nu : Forall absurd (denials P l) -> model nu P -> holds nu l.
Proof.
  unfold denials. destruct (given P l) eqn:E; intros Ha Hm; [eapply given_holds; eauto; apply Hm|].
  destruct (holds_or_not nu l) as [|Hn]; auto. exfalso.
  destruct l; inversion_clear Ha as [|? ? A B].
  - apply (A nu). apply model_app; auto.
  - inversion_clear B as [|? ? C D]. simpl in Hn.
    destruct (Z.lt_total (eval nu t) 0) as [L|[L|L]]; [apply (C nu) | tauto | apply (A nu)];
    apply model_app; auto; constructor; simpl; auto; lia.
  - apply (A nu). apply model_app; auto.
Qed.
Definition entails P ls := flat_map (denials P) ls.
Theorem entails_sound P ls nu : Forall absurd (entails P ls) -> model nu P -> Forall (holds nu) ls.
Proof.
  intros H Hm. induction ls as [|l ls IH]; auto. cbn [entails flat_map] in H.
  apply Forall_app in H as [H1 H2]. constructor; [eapply denials_sound; eauto | auto].
Qed.
