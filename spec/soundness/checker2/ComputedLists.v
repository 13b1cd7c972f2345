(** That the lists which the second checker makes of masks, shifts, divisions, remainders and
    [^] are right (spec/calculus.md#step). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Typed FoldedMembers Configurations Members RegisterSteps SameValues.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums.
Import ListNotations.
Open Scope Z_scope.

Section Computed.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Variable l : N.
Variable m : member_state.
Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (s0 : state) (M0 : model).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued M0) phi (member_of l m) rho roots lasts placed g.
Hypothesis fine : FoldedMembers.fine_state P g.
Hypothesis numbered : numbered_right (held m).
Hypothesis terms_in : forall p, In p (member_terms m) -> part_in s0 p.
Variable i : instruction.
Hypothesis here : at_position (code E) l = Some i.
Notation happens := (happens P l m rho roots lasts g).
Notation list_right := (list_right P under l m rho roots lasts g).
Notation step := (Machine.step P under g).
Notation result := (result E).
Hypothesis types : Typed.types_formed P.

(** ** Lists of values and failures *)

Definition effect_says (K : model) (r : N) (z : option Z) (e : effect) : Prop := match e, z with
  | Sets q (IntegerSlot t), Some z => q = r /\ vl K t = z | FailsHere, None => True | _, _ => False end.
(** What the step comes to. *)
Definition comes_to (r : N) (z : option Z) : Prop := forall d, match z with
  | Some z => step d = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z)) | None => exists f, step d = Machine.fails f end.
Lemma effects_right K r z os : Machine.draws P g = false -> comes_to r z ->
  (exists o, In o os /\ literals_hold K (literals_of o) /\ effect_says K r z (effect_of o)) ->
  (forall o, In o os -> tag_of o <> Ignorance -> literals_hold K (literals_of o) -> effect_says K r z (effect_of o)) -> list_right K os.
Proof.
  intros Nd S (o & I & H & Ef) All. assert (Hap : forall e d, effect_says K r z e -> happens K e (step d)).
  { intros e d W. specialize (S d). destruct e as [k|q v| |q T|q f el v|q dd n f|q]; simpl in W; try contradiction.
    - destruct v; try contradiction. destruct z as [z|]; [|contradiction]. destruct W as [-> W]. split; auto. exists (Machine.Integer z). split; auto.
      unfold Listed.says. simpl. rewrite N2Nat.id, W. reflexivity.
    - destruct z; [contradiction | exact S]. }
  split.
  - intros d. exists o. auto.
  - intros p J N L. specialize (All p J N L). apply (undecided P under l m rho roots lasts g K _); auto.
    intros Lo. destruct (effect_of p); discriminate || exact All.
Qed.
(** The machine says what the operation comes to. *)
Lemma machine_comes r T op a b x y : (forall d, step d = Machine.compute_in P under g (N.to_nat r) op a b) -> Machine.type_of P (N.to_nat r) = Programs.IntegerType T ->
  Machine.use_integer g a = Machine.Ok x -> Machine.use_integer g b = Machine.Ok y -> comes_to r (result T op x y).
Proof.
  intros S Ty Ua Ub d. rewrite S. unfold Machine.compute_in, Machine.integer_type_of, BeyondSums.result. rewrite Ty, Ua, Ub. cbn [Machine.bind].
  destruct (compute T op x y); eauto; unfold fails_on_overflow; rewrite (same_arithmetic _ _ _ setting_right), (same_overflow _ _ _ setting_right), <- signed_least, andb_true_r.
  destruct (on_overflow (parameters_in E)); destruct (Integers.signed T); simpl; eauto.
Qed.

(** ** Operations that stay terms of their own *)

Lemma may_not_overflow T op x y : may_overflow op = false \/ fails_on_overflow E T = false -> is_shift op = true \/ bitwise op <> None \/ op = Multiply ->
  (is_shift op = true -> bad_amount T y = false) -> exists z, result T op x y = Some z.
Proof.
  intros Mo Op Ba. unfold BeyondSums.result. destruct op; simpl in *; try (destruct Op as [Op|[Op|Op]]; congruence); eauto; try (rewrite Ba by auto; eauto).
  - unfold fit. destruct (is_within _ _); [eauto|]. destruct Mo as [Mo|Mo]; [discriminate|]. rewrite Mo. eauto.
  - destruct Mo as [Mo|Mo]; [discriminate|]. rewrite Mo. destruct (x <? 0); [eauto|]. unfold fit. destruct (is_within _ _); eauto.
Qed.
Lemma result_applies T op x y z : T <> Bool -> Integers.within T x -> Integers.within T y -> result T op x y = Some z -> Integers.apply op T x y = z.
Proof.
  intros NB Wx Wy H. apply apply_computes; auto. unfold BeyondSums.result in H. destruct (compute T op x y); try discriminate; [injection H as <-; auto|].
  destruct (fails_on_overflow E T); [discriminate|]. injection H as <-. auto.
Qed.
Lemma and_listed r T t u s M : T <> Bool -> good s M -> Machine.draws P g = false -> Integers.within T (vl M t) -> Integers.within T (vl M u) ->
  comes_to r (result T And (vl M t) (vl M u)) -> meets s M (opaque E r And T t u) (fun os _ K => list_right K (shown os)).
Proof.
  intros NB G Nd Wt Wu Co. unfold opaque. eapply meets_bind; [apply apply_to_meets; auto|]. intros v s1 M1 G1 K1 [Iv Vv]. cbn [is_shift].
  eapply meets_bind with (P := fun x s' K => x = ([], []) /\ s' = s1 /\ K = M1); [apply meets_ret; auto|]. intros ? s2 M2 G2 _ (-> & -> & ->). apply meets_ret; auto.
  rewrite app_nil_r, andb_false_r. cbn [shown]. rewrite (result_applies T And _ _ _ NB Wt Wu eq_refl) in Vv. apply (effects_right M1 r _ _ Nd Co).
  - eexists. split; [left; reflexivity|]. split; [intros ? []|]. simpl. auto.
  - intros o [<-|[]] _ _. simpl. auto.
Qed.
Lemma xor_listed r T t u s M : T <> Bool -> good s M -> (t < linears_in s)%N -> (u < linears_in s)%N -> Machine.draws P g = false -> Integers.within T (vl M t) -> Integers.within T (vl M u) ->
  comes_to r (result T Xor (vl M t) (vl M u)) -> meets s M (opaque E r Xor T t u) (fun os _ K => list_right K (shown os)).
Proof.
  intros NB G It Iu Nd Wt Wu Co. unfold opaque. eapply meets_bind; [apply apply_to_meets; auto|]. intros v s1 M1 G1 K1 [Iv Vv]. cbn [is_shift].
  pose proof (proj1 (keeps_linears _ _ _ _ K1)) as L1. rewrite (result_applies T Xor _ _ _ NB Wt Wu eq_refl) in Vv.
  set (x := vl M t) in *. set (y := vl M u) in *. change (result T Xor x y) with (Some (Z.lxor x y)) in Co.
  eapply meets_bind with (P := fun p s' K => exists same differ zero, p = ([differ; lit NotZero v], [exact [same] (Sets r (IntegerSlot zero))]) /\
    (literal_holds K same <-> x = y) /\ (literal_holds K differ <-> x <> y) /\ vl K zero = 0 /\ vl K v = Z.lxor x y).
  - eapply meets_bind; [apply equal_meets; auto; lia|]. intros same s2 M2 G2 K2 [Is Hs]. rewrite !(proj2 (keeps_linears _ _ _ _ K1)) in Hs by auto.
    eapply meets_bind; [apply negate_meets; auto|]. intros differ s3 M3 G3 K3 [Id Hd]. destruct (literal_kept _ _ _ _ same K3 Is) as [Is3 Hs3].
    eapply meets_bind; [apply constant_meets; auto|]. intros zero s4 M4 G4 K4 [Iz Vz]. destruct (literal_kept _ _ _ _ same K4 Is3) as [_ Hs4]. destruct (literal_kept _ _ _ _ differ K4 Id) as [_ Hd4].
    apply meets_ret; auto. exists same, differ, zero. split; auto. split; [rewrite Hs4, Hs3; exact Hs|]. split; [rewrite Hd4, Hd, Hs; reflexivity|]. split; [exact Vz|].
    pose proof (keeps_trans _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K2 K3) K4) as K14. rewrite (proj2 (keeps_linears _ _ _ _ K14)) by auto. exact Vv.
  - intros p s2 M2 G2 _ (same & differ & zero & -> & Hs & Hd & Vz & Vv2). rewrite andb_false_r. apply meets_ret; auto. cbn [shown app].
    assert (Nz : literal_holds M2 (lit NotZero v) <-> Z.lxor x y <> 0) by (unfold literal_holds; simpl; rewrite Vv2; reflexivity).
    assert (Ze : Z.lxor x y = 0 <-> x = y) by apply Z.lxor_eq_0_iff. apply (effects_right M2 r _ _ Nd Co).
    + destruct (Z.eq_dec x y) as [E'|N].
      * eexists. split; [right; left; reflexivity|]. split; [intros k [<-|[]]; apply Hs, E'|]. simpl. split; auto. rewrite Vz. symmetry. apply Ze, E'.
      * eexists. split; [left; reflexivity|]. split; [intros k [<-|[<-|[]]]; [apply Hd, N | apply Nz; rewrite Ze; exact N]|]. simpl. auto.
    + intros o [<-|[<-|[]]] _ H; simpl; split; auto. rewrite Vz. symmetry. apply Ze, Hs, H. left. auto.
Qed.
Lemma amounts_fit T y : T <> Bool -> bad_amount T y = false -> Integers.within T y.
Proof.
  intros NB B. unfold bad_amount in B. apply orb_false_elim in B as [B1 B2]. apply Z.ltb_ge in B1. apply Z.leb_gt in B2. unfold Integers.within. destruct T; simpl in *; try congruence; lia.
Qed.
(** By an amount that is not known. *)
Lemma shift_listed r op T t u s M : op = ShiftLeft \/ op = ShiftRight -> T <> Bool -> good s M -> (u < linears_in s)%N -> Machine.draws P g = false -> Integers.within T (vl M t) ->
  comes_to r (result T op (vl M t) (vl M u)) -> meets s M (opaque E r op T t u) (fun os _ K => list_right K (shown os)).
Proof.
  intros Op NB G Iu Nd Wt Co. unfold opaque. eapply meets_bind; [apply apply_to_meets; auto|]. intros v s1 M1 G1 K1 [Iv Vv].
  pose proof (proj1 (keeps_linears _ _ _ _ K1)) as L1. assert (Sh : is_shift op = true) by (destruct Op; subst op; reflexivity). rewrite Sh.
  pose proof (proj2 (keeps_linears _ _ _ _ K1) u Iu) as Vu. set (x := vl M t) in *. set (y := vl M u) in *.
  eapply meets_bind with (P := fun p s' K => exists low high below above, p = ([low; high], failing [below; above]) /\ bounds_say K y 0 (width T - 1) low high below above /\ vl K v = Integers.apply op T x y).
  { apply bounds_then; [exact G1 | lia|]. intros low high below above s2 M2 G2 K2 B _. apply meets_ret; auto. exists low, high, below, above. split; auto. split; [rewrite <- Vu; exact B|].
    rewrite (proj2 (keeps_linears _ _ _ _ K2)) by auto. exact Vv. }
  intros p s2 M2 G2 _ (low & high & below & above & -> & [B1 B2 B3 B4] & Vv2). apply meets_ret; auto. cbn [shown].
  assert (Ba : bad_amount T y = true <-> y < 0 \/ width T - 1 < y) by (unfold bad_amount; rewrite orb_true_iff, Z.ltb_lt, Z.leb_le; lia).
  assert (Bad : bad_amount T y = true -> result T op x y = None) by (intros B; unfold BeyondSums.result, compute; destruct Op; subst op; rewrite B; reflexivity).
  assert (Under : literals_hold M2 [low; high] <-> bad_amount T y = false).
  { rewrite <- not_true_iff_false, Ba. split; [intros H; pose proof (proj1 B1 (H _ (or_introl eq_refl))); pose proof (proj1 B2 (H _ (or_intror (or_introl eq_refl)))); lia|].
    intros H k [<-|[<-|[]]]; [apply B1 | apply B2]; lia. }
  assert (Fails : forall o, In o (failing [below; above]) -> literals_hold M2 (literals_of o) -> effect_says M2 r (result T op x y) (effect_of o)).
  { intros o [<-|[<-|[]]] H; rewrite Bad by (apply Ba; pose proof (H _ (or_introl eq_refl)) as Ho; tauto); exact Logic.I. }
  assert (Value : bad_amount T y = false -> forall z, result T op x y = Some z -> vl M2 v = z).
  { intros B z H. rewrite Vv2. apply result_applies; auto. apply amounts_fit; auto. }
  apply (effects_right M2 r _ _ Nd Co).
  - destruct (bad_amount T y) eqn:B.
    + assert (Hy : y < 0 \/ width T - 1 < y) by (apply Ba; reflexivity). destruct Hy as [Hy|Hy].
      * exists (exact [below] FailsHere). split; [apply in_or_app; right; left; reflexivity|]. split; [intros k [<-|[]]; tauto|]. rewrite Bad; reflexivity.
      * exists (exact [above] FailsHere). split; [apply in_or_app; right; right; left; reflexivity|]. split; [intros k [<-|[]]; tauto|]. rewrite Bad; reflexivity.
    + assert (U : literals_hold M2 [low; high]) by (apply Under; reflexivity). destruct (fails_on_overflow E T && may_overflow op) eqn:Fo.
      * destruct (result T op x y) as [z|] eqn:Rz.
        -- eexists. split; [left; reflexivity|]. split; [exact U|]. simpl. split; auto.
        -- eexists. split; [right; left; reflexivity|]. split; [exact U|]. exact Logic.I.
      * destruct (may_not_overflow T op x y) as [z Rz]; auto; [apply andb_false_elim in Fo; tauto|]. rewrite Rz in Value |- *. eexists. split; [left; reflexivity|]. split; [exact U|]. simpl. split; auto.
  - intros o J Ni H. apply in_app_or in J as [J|J]; [|apply Fails; auto]. destruct (fails_on_overflow E T && may_overflow op) eqn:Fo.
    + exfalso. destruct J as [<-|[<-|[]]]; apply Ni; reflexivity.
    + destruct J as [<-|[]]. apply Under in H. destruct (may_not_overflow T op x y) as [z Rz]; auto; [apply andb_false_elim in Fo; tauto|]. rewrite Rz in Value |- *. simpl. split; auto.
Qed.

(** ** All computations *)

Lemma fails_listed r K : comes_to r None -> list_right K (shown None).
Proof.
  intros Co. split.
  - intros d. exists (exact [] FailsHere). split; [left; auto|]. split; [intros ? [] | exact (Co d)].
  - intros o [<-|[]] _ _. exists still. split; [reflexivity | exact (Co still)].
Qed.
Lemma cases_listed K r cs z : Machine.draws P g = false -> comes_to r z -> cases_say K cs z -> list_right K (set_cases r cs).
Proof. intros Nd Co Cs. eapply cases_right; eauto. Qed.
Lemma beyond_listed r op T t u s M y z : good s M -> (t < linears_in s)%N -> (u < linears_in s)%N -> Machine.draws P g = false -> T <> Bool -> Integers.within T (vl M t) ->
  (is_shift op = false -> Integers.within T (vl M u)) -> comes_to r (result T op (vl M t) (vl M u)) ->
  match y with Some z => is_term s M t z | None => True end -> match z with Some z => is_term s M u z | None => True end ->
  op = And \/ op = Xor \/ op = ShiftLeft \/ op = ShiftRight \/ op = Divide \/ op = Remainder ->
  meets s M (beyond_sums E r op T t u (scaled t u y z) z) (fun os _ K => list_right K (shown os)).
Proof.
  intros G It Iu Nd NB Wt Wu Co Vy Vz Op. unfold beyond_sums. rewrite (same_arithmetic _ _ _ setting_right). cbn [negb].
  destruct Op as [->|[->|[Op|[Op|Op]]]].
  - unfold mask_of. destruct (scaled t u y z) as [[w k]|] eqn:Sc; [|apply and_listed; auto]. destruct (is_run_of_ones k) eqn:Ru; [|apply and_listed; auto].
    assert (Wk : (w < linears_in s)%N /\ Z.land (vl M w) k = Z.land (vl M t) (vl M u)).
    { unfold scaled in Sc. destruct z as [z|]; [injection Sc as <- <-; destruct Vz as [_ Vz]; rewrite Vz; auto|]. destruct y as [y|]; [|discriminate].
      injection Sc as <- <-. destruct Vy as [_ Vy]. rewrite Vy. split; auto. apply Z.land_comm. }
    destruct Wk as [Iw Vw]. eapply meets_bind; [apply masks_meets; auto|]. intros cs s1 M1 G1 K1 Cs. rewrite Vw in Cs. apply meets_ret; auto. apply (cases_listed M1 r cs _ Nd Co Cs).
  - replace (mask_of Xor (scaled t u y z)) with (@None (N * Z)) by (destruct (scaled t u y z) as [[? ?]|]; reflexivity). apply xor_listed; auto.
  - subst op. replace (mask_of ShiftLeft (scaled t u y z)) with (@None (N * Z)) by (destruct (scaled t u y z) as [[? ?]|]; reflexivity).
    destruct z as [a|]; [|apply shift_listed; auto]. destruct Vz as [_ Vz]. rewrite Vz in Co.
    eapply (meets_goes nu tabs); [apply (shifts_meets E P under setting_right); auto| |].
    + intros cs s1 M1 G1 K1 Cs. apply meets_ret; auto. apply (cases_listed M1 r cs _ Nd Co Cs).
    + intros s1 M1 G1 Re. cbn beta iota in Re. rewrite Re in Co. apply fails_listed with (r := r); auto.
  - subst op. replace (mask_of ShiftRight (scaled t u y z)) with (@None (N * Z)) by (destruct (scaled t u y z) as [[? ?]|]; reflexivity).
    destruct z as [a|]; [|apply shift_listed; auto]. destruct Vz as [_ Vz]. rewrite Vz in Co.
    eapply (meets_goes nu tabs); [apply (shifts_meets E P under setting_right); auto| |].
    + intros cs s1 M1 G1 K1 Cs. apply meets_ret; auto. apply (cases_listed M1 r cs _ Nd Co Cs).
    + intros s1 M1 G1 Re. cbn beta iota in Re. rewrite Re in Co. apply fails_listed with (r := r); auto.
  - assert (Mk : mask_of op (scaled t u y z) = None) by (destruct Op; subst op; destruct (scaled t u y z) as [[? ?]|]; reflexivity). rewrite Mk.
    assert (D : meets s M (let$ cs := divides op T t u in gives (set_cases r cs)) (fun os _ K => list_right K (shown os))).
    { eapply meets_bind; [apply (divides_meets E nu tabs s M op T t u); auto; apply Wu; destruct Op; subst op; reflexivity|]. intros cs s1 M1 G1 K1 Cs. apply meets_ret; auto. apply (cases_listed M1 r cs _ Nd Co Cs). }
    destruct Op; subst op; exact D.
Qed.
Section At.
Variables (s : state) (M : model).
Hypothesis good_here : good s M.
Hypothesis kept : keeps s0 M0 s M.
Notation lists x := (meets s M x (fun os _ K => list_right K (shown os))).
Lemma beyond_sums_listed r op a b : i = Compute r op a b -> op = And \/ op = Xor \/ op = ShiftLeft \/ op = ShiftRight \/ op = Divide \/ op = Remainder -> lists (computes_to E m r op a b).
Proof.
  intros Ei Op. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr. unfold computes_to.
  pose proof (Typed.compute_formed _ types _ _ _ _ (nth_error_In _ _ Hi)) as (T0 & Ty0 & NB & Fa & Fb).
  eapply meets_peek; [apply (kind_peek E P under setting_right)|]. intros T [Ty _]. assert (T0 = T) as -> by congruence.
  assert (S : forall d, step d = Machine.compute_in P under g (N.to_nat r) op (Translated.operand_of a) (Translated.operand_of b)) by (intros d; unfold Machine.step; rewrite Hi; reflexivity).
  pose proof (fun s M o => used_integer_meets P nu tabs l m ss phi s0 M0 rho roots lasts placed g described numbered terms_in s M o) as Used.
  eapply (meets_goes nu tabs); [apply Used; auto| |].
  - intros t s1 M1 G1 K1 Ra. eapply (meets_goes nu tabs); [apply Used; [exact G1 | eapply keeps_trans; eauto]| |].
    + intros u s2 M2 G2 K2 Rb. pose proof (operand_later _ _ _ _ _ _ _ K2 Ra) as [It Ut]. destruct Rb as [Iu Uu].
      pose proof (operand_in P g fine _ _ _ Fa Ut) as Wt. pose proof (machine_comes r T op _ _ _ _ S Ty Ut Uu) as Co.
      assert (Wu : is_shift op = false -> Integers.within T (vl M2 u)).
      { intros Sh. apply (operand_in P g fine b T); auto. destruct op; try exact Fb; discriminate. }
      eapply meets_peek; [eapply value_peek; eauto|]. intros y Vy. eapply meets_peek; [eapply value_peek; eauto|]. intros z Vz.
      assert (Be : meets s2 M2 (beyond_sums E r op T t u (scaled t u y z) z) (fun os _ K => list_right K (shown os))) by (apply beyond_listed; auto).
      destruct Op as [->|[->|[->|[->|[->| ->]]]]]; destruct (scaled t u y z) as [[w k]|]; exact Be.
    + intros s2 M2 G2 Rb. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. destruct Ra as [_ Ua]. rewrite S. unfold Machine.compute_in. rewrite Ua, U. reflexivity.
  - intros s1 M1 G1 Ra. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. rewrite S. unfold Machine.compute_in. rewrite U. reflexivity.
Qed.
End At.
End Computed.
