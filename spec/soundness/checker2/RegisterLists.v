(** That the lists which the second checker makes of instructions that change registers alone
    are right (spec/calculus.md#step): they are exhaustive, and what is no [Ignorance] is
    real.  Of computations there are sums and products here. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Typed FoldedMembers Configurations Members RegisterSteps SameValues.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed.
Import ListNotations.
Open Scope Z_scope.

Section Lists.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
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
Notation says := (says l m rho roots lasts).
Notation happens := (happens P l m rho roots lasts g).
Notation list_right := (list_right P under l m rho roots lasts g).
Notation step := (Machine.step P under g).

Lemma here_in_program : List.nth_error (Programs.instructions P) (Machine.location g) = Some (Translated.instruction_of i).
Proof. rewrite (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described). simpl. apply (same_code _ _ _ setting_right). exact here. Qed.
Lemma draws_here : Machine.draws P g = match i with Havoc _ => true | _ => false end.
Proof. unfold Machine.draws. rewrite here_in_program. destruct i; reflexivity. Qed.

(** ** Computations that may end early *)

Lemma meets_goes {A B} s M (c : computes (option A)) (f : A -> computes (option B)) (Q : option A -> state -> model -> Prop) (R : option B -> state -> model -> Prop) :
  meets s M c Q -> (forall a s' M', good s' M' -> keeps s M s' M' -> Q (Some a) s' M' -> meets s' M' (f a) R) ->
  (forall s' M', good s' M' -> Q None s' M' -> R None s' M') -> meets s M (goes_on c f) R.
Proof.
  intros H F N. unfold goes_on. eapply meets_bind; [exact H|]. intros [a|] s' M' G K q; [apply F; auto | apply meets_ret; auto].
Qed.

(** ** Operands *)

Lemma slot_in r v : find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_in s0 p.
Proof.
  intros F p I. apply terms_in. unfold member_terms. apply in_or_app. right. apply in_or_app. left. unfold entry_terms. apply in_flat_map.
  exists (r, v). split; [apply in_order_in; split; [exact (numbered r v F) | exact F] | exact I].
Qed.
Lemma slot_says s M r v : keeps s0 M0 s M -> find (held m) r = Some v -> says M v (Machine.register g (N.to_nat r)).
Proof.
  intros K F. pose proof (register_says P l m ss phi M0 rho roots lasts placed g described numbered r v F) as H.
  rewrite (same_says l m M0 rho roots lasts s0 s M v K (slot_in r v F)). exact H.
Qed.
Lemma integer_held s M r t : keeps s0 M0 s M -> find (held m) r = Some (IntegerSlot t) -> Machine.register g (N.to_nat r) = Machine.Integer (vl M t) /\ (t < linears_in s0)%N.
Proof.
  intros K F. pose proof (slot_says s M r _ K F) as H. unfold Listed.says in H. simpl in H. rewrite N2Nat.id in H. split; [auto|].
  exact (slot_in r _ F (LinearPart t) (or_introl eq_refl)).
Qed.
Definition reads_integer (o : operand) (x : option N) (s : state) (M : model) : Prop := match x with
  | Some t => (t < linears_in s)%N /\ Machine.use_integer g (Translated.operand_of o) = Machine.Ok (vl M t)
  | None => Machine.use_integer g (Translated.operand_of o) = Machine.fails Machine.UninitialisedUse end.
Lemma register_slot_peek s r : peeks s (register_slot m r) (fun v => find (held m) r = Some v).
Proof. apply peeks_some. auto. Qed.
Lemma used_integer_meets s M o : good s M -> keeps s0 M0 s M -> meets s M (used_integer m o) (reads_integer o).
Proof.
  intros G K. destruct o as [r|z]; simpl.
  - eapply meets_goes with (Q := fun x s' M' => s' = s /\ M' = M /\ match x with Some v => find (held m) r = Some v | None => find (held m) r = Some Uninitialised end).
    + unfold used. eapply meets_peek; [apply register_slot_peek|]. intros v F. cbn beta in F.
      destruct v; try (apply meets_refuses); apply meets_ret; auto.
    + intros v s' M' G' K' (-> & -> & F). destruct v; try (apply meets_refuses). apply meets_ret; auto. destruct (integer_held s M r _ K F) as [Er It]. split.
      * pose proof (proj1 (keeps_linears _ _ _ _ K)). lia.
      * simpl. rewrite Er. reflexivity.
    + intros s' M' _ (-> & -> & F). unfold reads_integer. simpl. pose proof (slot_says s M r _ K F) as H. unfold Listed.says in H. simpl in H. rewrite <- H. reflexivity.
  - unfold lifted. eapply meets_bind; [apply combine_meets; auto|]. intros t s' M' G' K' [It Vt]. apply meets_ret; auto. split; auto. simpl. rewrite Vt. simpl. f_equal. lia.
Qed.
Lemma operand_later o t s M s' M' : keeps s M s' M' -> reads_integer o (Some t) s M -> reads_integer o (Some t) s' M'.
Proof. intros [_ [A B] _ _] [I U]. split; [lia|]. rewrite B; auto. Qed.

(** ** Lists of two, and lists by cases *)

Lemma either_right K (p q : literal) e f (b : bool) : (literal_holds K p <-> b = true) -> (literal_holds K q <-> ~ literal_holds K p) ->
  (forall d, happens K (if b then e else f) (step d)) -> leaves_open e <> true -> leaves_open f <> true ->
  list_right K [exact [p] e; exact [q] f].
Proof.
  intros Hp Hq Hs Ne Nf. split.
  - intros d. specialize (Hs d). destruct b.
    + exists (exact [p] e). split; [left; auto|]. split; [intros k [<-|[]]; tauto | exact Hs].
    + exists (exact [q] f). split; [right; left; auto|]. split; [intros k [<-|[]]; apply Hq; rewrite Hp; congruence | exact Hs].
  - intros o [<-|[<-|[]]] _ H; cbn [effect_of exact literals_of] in *.
    + assert (b = true) as -> by (apply Hp, H; left; auto). apply (undecided P under l m rho roots lasts g K e); auto.
    + assert (L : literal_holds K q) by (apply H; left; auto). destruct b; [exfalso; apply Hq in L; apply L, Hp; reflexivity|].
      apply (undecided P under l m rho roots lasts g K f); auto.
Qed.

(** Values by cases, one of which it is whatever the literals say; none is a failure. *)
Definition case_says (K : model) (z : option Z) (c : case) : Prop := match snd c, z with Some t, Some z => vl K t = z | None, None => True | _, _ => False end.
Definition cases_say (K : model) (cs : list case) (z : option Z) : Prop :=
  (exists c, In c cs /\ literals_hold K (fst c) /\ case_says K z c) /\ (forall c, In c cs -> literals_hold K (fst c) -> case_says K z c).
Lemma cases_right K r cs z : cases_say K cs z -> Machine.draws P g = false ->
  (forall d, match z with Some z => step d = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z)) | None => exists f, step d = Machine.fails f end) ->
  list_right K (set_cases r cs).
Proof.
  intros [(c & I & H & V) All] Nd S.
  assert (Hap : forall c d, case_says K z c -> happens K (match snd c with Some t => Sets r (IntegerSlot t) | None => FailsHere end) (step d)).
  { intros [ls [t|]] d W; unfold case_says in W; simpl in W |- *; specialize (S d); destruct z as [z|]; try contradiction; auto.
    split; auto. exists (Machine.Integer z). split; auto. unfold Listed.says. simpl. rewrite N2Nat.id, W. reflexivity. }
  assert (Out : forall c, In c cs -> In (match snd c with Some t => exact (fst c) (Sets r (IntegerSlot t)) | None => exact (fst c) FailsHere end) (set_cases r cs)).
  { intros [ls v] J. unfold set_cases. apply in_map_iff. exists (ls, v). auto. }
  split.
  - intros d. eexists. split; [apply Out; exact I|]. destruct c as [ls [t|]]; simpl in *; (split; [exact H|]); apply (Hap (ls, _) d V).
  - intros o J _ L. unfold set_cases in J. apply in_map_iff in J as ([ls v] & <- & J). specialize (All _ J).
    destruct v as [t|]; simpl in *; exists still; (split; [reflexivity|]); apply (Hap (ls, _) still (All L)).
Qed.

(** ** Conversions *)

Hypothesis types : Typed.types_formed P.
(** Both bounds, and what is beyond each; they go on to say so. *)
Record bounds_say (K : model) (z a b : Z) (low high below above : literal) : Prop := {
  low_says : literal_holds K low <-> a <= z; high_says : literal_holds K high <-> z <= b;
  below_says : literal_holds K below <-> z < a; above_says : literal_holds K above <-> b < z }.
Definition bounds_in s (low high below above : literal) := literal_in s low /\ literal_in s high /\ literal_in s below /\ literal_in s above.
Lemma bounds_kept s M s' M' z a b low high below above : keeps s M s' M' -> bounds_in s low high below above -> bounds_say M z a b low high below above ->
  bounds_say M' z a b low high below above /\ bounds_in s' low high below above.
Proof.
  intros K (I1 & I2 & I3 & I4) [A B C D]. destruct (literal_kept _ _ _ _ _ K I1) as [J1 L1]. destruct (literal_kept _ _ _ _ _ K I2) as [J2 L2].
  destruct (literal_kept _ _ _ _ _ K I3) as [J3 L3]. destruct (literal_kept _ _ _ _ _ K I4) as [J4 L4].
  split; [split; [rewrite L1 | rewrite L2 | rewrite L3 | rewrite L4]; auto | repeat split; auto].
Qed.
Lemma bounds_then {A} s M t a b (rest : literal -> literal -> literal -> literal -> computes A) Q : good s M -> (t < linears_in s)%N ->
  (forall low high below above s' K, good s' K -> keeps s M s' K -> bounds_say K (vl M t) a b low high below above -> bounds_in s' low high below above ->
    meets s' K (rest low high below above) Q) ->
  meets s M (let$ (low, high) := within t (a, b) in let$ below := negate low in let$ above := negate high in rest low high below above) Q.
Proof.
  intros G I H. eapply meets_bind; [apply within_meets; auto|]. intros [low high] s1 M1 G1 K1 (Il & Ih & L & Hi). cbn [fst snd] in *.
  eapply meets_bind; [apply negate_meets; auto|]. intros below s2 M2 G2 K2 [Ib B]. destruct (literal_kept _ _ _ _ low K2 Il) as [Il2 L2]. destruct (literal_kept _ _ _ _ high K2 Ih) as [Ih2 H2].
  eapply meets_bind; [apply negate_meets; auto|]. intros above s3 M3 G3 K3 [Ia Ab]. destruct (literal_kept _ _ _ _ low K3 Il2) as [Il3 L3]. destruct (literal_kept _ _ _ _ high K3 Ih2) as [Ih3 H3].
  destruct (literal_kept _ _ _ _ below K3 Ib) as [Ib3 B3]. apply H; auto; [eapply keeps_trans; [eapply keeps_trans; eauto | exact K3] | | repeat split; auto].
  split; [rewrite L3, L2, L; reflexivity | rewrite H3, H2, Hi; reflexivity | rewrite B3, B, L; lia | rewrite Ab, H2, Hi; lia].
Qed.

(** ** Conversions *)

(** Cases of earlier terms say the same later. *)
Definition case_in (s : state) (c : case) : Prop := (forall k, In k (fst c) -> literal_in s k) /\ match snd c with Some t => (t < linears_in s)%N | None => True end.
Lemma case_kept s M s' M' c : keeps s M s' M' -> case_in s c ->
  (literals_hold M' (fst c) <-> literals_hold M (fst c)) /\ forall z, case_says M' z c <-> case_says M z c.
Proof.
  intros K [A B]. split.
  - split; intros H k I; apply (literal_kept _ _ _ _ k K (A k I)); auto.
  - intros z. unfold case_says. destruct (snd c) as [t|]; [|reflexivity]. rewrite (proj2 (keeps_linears _ _ _ _ K) t B). reflexivity.
Qed.
Lemma one_case_in s t : (t < linears_in s)%N -> forall c, In c [([], Some t)] -> case_in s c.
Proof. intros I c [<-|[]]. split; [intros ? [] | exact I]. Qed.
Lemma only_case K t z : vl K t = z -> cases_say K [([], Some t)] (Some z).
Proof. intros V. split; [exists ([], Some t); split; [left; auto|]; split; [intros ? [] | exact V] | intros c [<-|[]] _; exact V]. Qed.
(** Where no more than one period is off, if one is asked for. *)
Notation near T p z := (p = OnePeriod -> least T - period T <= z <= greatest T + period T).
Lemma convert_near_meets s M t T p : good s M -> (t < linears_in s)%N ->
  meets s M (Stepping.convert E t T p) (fun cs s' K => (forall c, In c cs -> case_in s' c) /\ (near T p (vl M t) -> cases_say K cs (Some (wrap T (vl M t))))).
Proof.
  intros G I. unfold Stepping.convert. rewrite (same_arithmetic _ _ _ setting_right). cbn [negb orb].
  eapply meets_peek; [eapply linear_range_peek; eauto|]. intros r R. destruct (lies_in r T) eqn:Li.
  - apply meets_ret; auto. split; [apply one_case_in; exact I|]. intros _. apply only_case. symmetry. apply wrap_same. destruct r as [[a b]|]; [|discriminate]. simpl in Li, R.
    apply andb_prop in Li as [L1 L2]. apply is_within_iff in L1, L2. unfold Integers.within in *. lia.
  - destruct p.
    + unfold type_range. apply bounds_then; auto. intros low high below above s1 M1 G1 K1 B1 I1.
      pose proof (proj2 (keeps_linears _ _ _ _ K1) t I) as V1. pose proof (proj1 (keeps_linears _ _ _ _ K1)) as Le1.
      eapply meets_bind; [apply plus_meets; auto|]. intros lowered s2 M2 G2 K2 [Il Vl]. destruct (bounds_kept _ _ _ _ _ _ _ _ _ _ _ K2 I1 B1) as [B2 I2].
      eapply meets_bind; [apply plus_meets; auto|]. intros raised s3 M3 G3 K3 [Ir Vr]. destruct (bounds_kept _ _ _ _ _ _ _ _ _ _ _ K3 I2 B2) as [B3 I3].
      pose proof (proj2 (keeps_linears _ _ _ _ K2) t ltac:(lia)) as V2. pose proof (proj1 (keeps_linears _ _ _ _ K2)) as Le2.
      pose proof (proj2 (keeps_linears _ _ _ _ K3) t ltac:(lia)) as V3. pose proof (proj2 (keeps_linears _ _ _ _ K3) lowered Il) as Vl3.
      apply meets_ret; auto. split.
      { pose proof (proj1 (keeps_linears _ _ _ _ K3)) as Le3. destruct I3 as (J1 & J2 & J3 & J4). intros c [<-|[<-|[<-|[]]]]; (split; cbn [fst snd]; [intros k [<-|K]; [|destruct K as [<-|[]] || destruct K]; assumption | lia]). }
      intros Near. specialize (Near eq_refl). pose proof (one_period T (vl M t) Near) as W. destruct B3 as [B31 B32 B33 B34].
      assert (C1 : vl M3 t = vl M t) by congruence. assert (C2 : vl M3 lowered = vl M t - period T) by (rewrite Vl3, Vl; lia).
      assert (C3 : vl M3 raised = vl M t + period T) by (rewrite Vr; lia).
      split.
      * destruct (Z.ltb_spec (vl M t) (least T)) as [L|L]; [|destruct (Z.ltb_spec (greatest T) (vl M t)) as [H|H]].
        -- exists ([below], Some raised). split; [right; right; left; auto|]. split; [intros k [<-|[]]; tauto | unfold case_says; simpl; rewrite W, C3; reflexivity].
        -- exists ([above], Some lowered). split; [right; left; auto|]. split; [intros k [<-|[]]; tauto | unfold case_says; simpl; rewrite W, C2; reflexivity].
        -- exists ([low; high], Some t). split; [left; auto|]. split; [intros k [<-|[<-|[]]]; [apply B31 | apply B32]; lia | unfold case_says; simpl; rewrite W, C1; reflexivity].
      * intros c [<-|[<-|[<-|[]]]] H; cbn [fst] in H; unfold case_says; cbn [snd].
        -- pose proof (proj1 B31 (H low (or_introl eq_refl))). pose proof (proj1 B32 (H high (or_intror (or_introl eq_refl)))). rewrite W, C1.
           destruct (Z.ltb_spec (vl M t) (least T)); [lia|]. destruct (Z.ltb_spec (greatest T) (vl M t)); [lia | reflexivity].
        -- pose proof (proj1 B34 (H above (or_introl eq_refl))). rewrite W, C2. destruct (Z.ltb_spec (vl M t) (least T)); [destruct T; simpl in *; lia|].
           destruct (Z.ltb_spec (greatest T) (vl M t)); [reflexivity | lia].
        -- pose proof (proj1 B33 (H below (or_introl eq_refl))). rewrite W, C3. destruct (Z.ltb_spec (vl M t) (least T)); [reflexivity | lia].
    + eapply meets_bind; [apply constant_meets; auto|]. intros zero s1 M1 G1 K1 [Iz Vz]. pose proof (proj1 (keeps_linears _ _ _ _ K1)).
      eapply meets_bind; [apply apply_to_meets; auto|]. intros u s2 M2 G2 K2 [Iu Vu]. apply meets_ret; auto. split; [apply one_case_in; exact Iu|]. intros _. apply only_case.
      rewrite Vu, Vz, (proj2 (keeps_linears _ _ _ _ K1)) by auto. apply apply_convert.
Qed.
Lemma convert_meets s M t T p : good s M -> (t < linears_in s)%N -> near T p (vl M t) ->
  meets s M (Stepping.convert E t T p) (fun cs _ K => cases_say K cs (Some (wrap T (vl M t)))).
Proof. intros G I Near. eapply meets_weaker; [apply convert_near_meets; auto|]. intros cs s' K _ _ [_ H]. exact (H Near). Qed.
Lemma checked_meets s M t a b : good s M -> (t < linears_in s)%N ->
  meets s M (checked_to t (a, b)) (fun cs _ K => cases_say K cs (if (a <=? vl M t) && (vl M t <=? b) then Some (vl M t) else None)).
Proof.
  intros G I. unfold checked_to. apply bounds_then; auto. intros low high below above s1 M1 G1 K1 [B1 B2 B3 B4] _.
  pose proof (proj2 (keeps_linears _ _ _ _ K1) t I) as V1. apply meets_ret; auto. split.
  - destruct (Z.leb_spec a (vl M t)) as [L|L]; [destruct (Z.leb_spec (vl M t) b) as [H|H]|]; cbn [andb].
    + exists ([low; high], Some t). split; [left; auto|]. split; [intros k [<-|[<-|[]]]; tauto | exact V1].
    + exists ([above], None). split; [right; right; left; auto|]. split; [intros k [<-|[]]; tauto | exact Logic.I].
    + exists ([below], None). split; [right; left; auto|]. split; [intros k [<-|[]]; tauto | exact Logic.I].
  - intros c [<-|[<-|[<-|[]]]] H; cbn [fst] in H; unfold case_says; cbn [snd].
    + pose proof (proj1 B1 (H low (or_introl eq_refl))). pose proof (proj1 B2 (H high (or_intror (or_introl eq_refl)))).
      destruct (Z.leb_spec a (vl M t)); [|lia]. destruct (Z.leb_spec (vl M t) b); [exact V1 | lia].
    + pose proof (proj1 B3 (H below (or_introl eq_refl))). destruct (Z.leb_spec a (vl M t)); [lia | exact Logic.I].
    + pose proof (proj1 B4 (H above (or_introl eq_refl))). destruct (Z.leb_spec (vl M t) b); [lia|]. rewrite andb_false_r. exact Logic.I.
Qed.
(** What a sum is in the type, or a failure. *)
Definition wrapped_value T z : option Z := if is_within T z then Some z else if fails_on_overflow E T then None else Some (wrap T z).
Lemma wrapped_meets s M t T p : good s M -> (t < linears_in s)%N -> (p = OnePeriod -> least T - period T <= vl M t <= greatest T + period T) ->
  meets s M (wrapped E T t p) (fun cs _ K => cases_say K cs (wrapped_value T (vl M t))).
Proof.
  intros G I Near. unfold wrapped, wrapped_value. destruct (fails_on_overflow E T).
  - eapply meets_weaker; [apply (checked_meets s M t (least T) (greatest T)); auto|]. intros cs s' K _ _ H. unfold is_within. destruct (_ && _); exact H.
  - eapply meets_weaker; [apply convert_meets; auto|]. intros cs s' K _ _ H. destruct (is_within T (vl M t)) eqn:W; [|exact H].
    apply is_within_iff, wrap_same in W. rewrite W in H. exact H.
Qed.

(** ** Instructions *)

(** Instructions of which lists are proved right: those that change registers alone, by
    values that are known.  What is addressed has a name; where something is loaded, fields
    of integers have no pointers to folded parts, as kinds would say; what is allocated is an
    object that programs make, and what is entered and left is local. *)
Definition is_part (v : slot) : bool := match v with Folded _ | Last _ => true | _ => false end.
Definition field_types (d : N) : list type := match at_position (objects_of (names_in E)) d with
  | Some x => match at_position (layouts_of (names_in E)) (layout_of x) with Some y => List.map field_type (fields y) | None => [] end
  | None => [] end.
Definition parts_in_pointers (x : object_state) : bool := forallb (fun '(t, f) => match t with Pointer => true | IntegerType _ => negb (existsb is_part (cells f)) end)
  (List.combine (field_types (declaration x)) (field_states x)).
Definition names_local (d : N) : bool := match at_position (objects_of (names_in E)) d with Some x => is_local (Certificates.origin_of x) | None => false end.
Definition covered (j : instruction) : bool := match j with
  | Jump _ | Choose _ _ | Fail _ | Branch (IntegersCompared _ _ _) _ _ | Havoc _ | Certificates.Uninitialise _ | SetNull _ | Copy _ _ | Assign _ (Number _) => true
  | Assign r (Register q) => match find (held m) q with Some (IntegerSlot _ | Uninitialised) => true | _ => false end &&
    match at_position (registers_of (names_in E)) r, at_position (registers_of (names_in E)) q with
    | Some {| register_type := IntegerType Bool |}, Some {| register_type := IntegerType Bool |} => true
    | Some {| register_type := IntegerType Bool |}, _ => false
    | _, _ => true end
  | Compute _ _ _ _ | Branch (PointersCompared _ _ _) _ _ | Advance _ _ _ _ | Distance _ _ _ _ => true
  | Address _ d => match at_position (objects_of (names_in E)) d with Some x => is_named (origin_of x) | None => false end
  | Load _ _ _ => forallb (fun '(_, x) => parts_in_pointers x) (in_order (objects_held m))
  | Store _ _ r => match find (held m) r, at_position (registers_of (names_in E)) r with
    | Some v, Some x => negb (is_part v) || is_pointer (register_type x) | _, _ => false end
  | Allocate r d _ _ => match at_position (objects_of (names_in E)) d with Some x => is_made (Certificates.origin_of x) | None => false end && match find (held m) r with Some _ => true | None => false end
  | Free _ => true
  | Enter d | Leave d => names_local d
  | CheckLeaks _ => true
  | _ => false end.

Lemma relation_says s M r t u : good s M -> (t < linears_in s)%N -> (u < linears_in s)%N ->
  meets s M (let$ d := difference t u in relation_literal r d) (fun p s' K => literal_in s' p /\
    (literal_holds K p <-> Machine.related (Translated.relation_of r) (vl M t) (vl M u) = true)).
Proof.
  intros G It Iu. eapply meets_bind; [apply difference_meets; auto|]. intros d s1 M1 G1 K1 [Id Vd]. unfold relation_literal.
  eapply meets_bind; [apply plus_meets; auto|]. intros v s2 M2 G2 K2 [Iv Vv]. apply meets_ret; auto. split; [exact Iv|].
  unfold literal_holds. destruct r; simpl; rewrite Vv, Vd; [rewrite Z.eqb_eq | rewrite Z.ltb_lt | rewrite Z.leb_le]; lia.
Qed.
Lemma kind_peek s r : peeks s (integer_kind E r) (fun T => Machine.type_of P (N.to_nat r) = Programs.IntegerType T /\
  exists x, at_position (registers_of (names_in E)) r = Some x /\ register_type x = IntegerType T).
Proof.
  unfold integer_kind, register_kind. eapply peeks_bind with (P := fun t => exists x, at_position (registers_of (names_in E)) r = Some x /\ t = register_type x).
  - eapply peeks_bind; [apply (peeks_some s _ _ (fun x => at_position (registers_of (names_in E)) r = Some x)); auto|]. intros x Hx. apply peeks_ret. exists x. auto.
  - intros t (x & Hx & ->). destruct (register_type x) as [T|] eqn:Tx; [|apply peeks_refuses]. apply peeks_ret.
    rewrite (same_registers _ _ _ setting_right r x Hx), Tx. split; [reflexivity | exists x; auto].
Qed.
(** An operand that the machine reads is in the range of its type. *)
Lemma operand_in o T z : Typed.operand_fits P T (Translated.operand_of o) -> Machine.use_integer g (Translated.operand_of o) = Machine.Ok z -> Integers.within T z.
Proof.
  destruct o as [r|y]; simpl; intros F U; [|injection U as <-; exact F].
  destruct (Machine.register g (N.to_nat r)) eqn:Er; try discriminate. injection U as <-. eapply register_in; eauto.
Qed.

Section At.
Variables (s : state) (M : model).
Hypothesis good_here : good s M.
Hypothesis kept : keeps s0 M0 s M.
Notation lists x := (meets s M x (fun os _ K => list_right K (shown os))).

Lemma goes_listed k : i = Jump k -> lists (always (Goes k)).
Proof.
  intros Ei. pose proof here_in_program as Hi. pose proof draws_here as Dr. rewrite Ei in Hi, Dr. apply meets_ret; auto.
  apply one_right with (x := Machine.Ok (Machine.go (N.to_nat k) g)); [|split; auto | discriminate].
  intros d. unfold Machine.step. rewrite Hi. reflexivity.
Qed.
Lemma choose_listed a b : i = Choose a b -> lists (gives [exact [] (Goes a); exact [] (Goes b)]).
Proof.
  intros Ei. pose proof here_in_program as Hi. pose proof draws_here as Dr. rewrite Ei in Hi, Dr. apply meets_ret; auto.
  assert (S : forall d, step d = Machine.Ok (Machine.go (if Machine.number d =? 0 then N.to_nat a else N.to_nat b) g)) by (intros d; unfold Machine.step; rewrite Hi; reflexivity).
  split.
  - intros d. rewrite S. destruct (Machine.number d =? 0); [exists (exact [] (Goes a)) | exists (exact [] (Goes b))];
      (split; [simpl; auto|]; split; [intros ? [] | split; auto]).
  - intros o [<-|[<-|[]]] _ _.
    + exists still. split; [reflexivity|]. rewrite S. split; auto.
    + exists {| Machine.number := 1; Machine.start := 0; Machine.fills := fun _ _ => 0 |}. split; [reflexivity|]. rewrite S. split; auto.
Qed.
Lemma fail_listed k : i = Fail k -> lists stops.
Proof.
  intros Ei. pose proof here_in_program as Hi. rewrite Ei in Hi. apply meets_ret; auto.
  apply fails_right with (x := Machine.fails Machine.ProgramFailed); [intros d; unfold Machine.step; rewrite Hi; reflexivity | eexists; reflexivity].
Qed.
Lemma sets_listed r v w : (forall d, step d = Machine.Ok (Machine.set g (N.to_nat r) w)) -> Machine.draws P g = false -> says M v w -> lists (sets r v).
Proof. intros S D Sy. apply meets_ret; auto. eapply one_right; [exact S | split; eauto | discriminate]. Qed.
Lemma havoc_listed r : i = Havoc r -> lists (let$ T := integer_kind E r in always (Draws r T)).
Proof.
  intros Ei. pose proof here_in_program as Hi. pose proof draws_here as Dr. rewrite Ei in Hi, Dr.
  eapply meets_peek; [apply kind_peek|]. intros T [Ty _]. apply meets_ret; auto.
  assert (S : forall d, step d = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (wrap T (Machine.number d))))).
  { intros d. unfold Machine.step. rewrite Hi. simpl. unfold Machine.integer_type_of. rewrite Ty. reflexivity. }
  split.
  - intros d. exists (exact [] (Draws r T)). split; [left; auto|]. split; [intros ? []|]. split; auto. exists (wrap T (Machine.number d)). split; [apply wrap_within | apply S].
  - intros o [<-|[]] _ _. split; [exact Dr|]. intros z W. exists {| Machine.number := z; Machine.start := 0; Machine.fills := fun _ _ => 0 |}. rewrite S. simpl. rewrite wrap_same by auto. reflexivity.
Qed.
(** What is used has no value. *)
Lemma stops_listed s' K o : good s' K -> reads_integer o None s' K -> (forall d, Machine.use_integer g (Translated.operand_of o) = Machine.fails Machine.UninitialisedUse ->
  exists f, step d = Machine.fails f /\ f = Machine.UninitialisedUse) -> list_right K (shown None).
Proof.
  intros G R S. apply fails_right with (x := Machine.fails Machine.UninitialisedUse); [|eexists; reflexivity]. intros d. destruct (S d R) as (f & -> & ->). reflexivity.
Qed.
Lemma branch_listed r a b yes no : i = Branch (IntegersCompared r a b) yes no -> lists (branches E m (IntegersCompared r a b) yes no).
Proof.
  intros Ei. pose proof here_in_program as Hi. pose proof draws_here as Dr. rewrite Ei in Hi, Dr. unfold branches.
  assert (S : forall d, step d = Machine.bind (Machine.use_integer g (Translated.operand_of a)) (fun x => Machine.bind (Machine.use_integer g (Translated.operand_of b)) (fun y =>
    Machine.Ok (Machine.go (if Machine.related (Translated.relation_of r) x y then N.to_nat yes else N.to_nat no) g)))).
  { intros d. unfold Machine.step. rewrite Hi. simpl. destruct (Machine.use_integer g (Translated.operand_of a)); auto. simpl. destruct (Machine.use_integer g (Translated.operand_of b)); reflexivity. }
  eapply meets_goes; [apply used_integer_meets; auto| |].
  - intros t s1 M1 G1 K1 Ra. eapply meets_goes; [apply used_integer_meets; [exact G1 | eapply keeps_trans; eauto]| |].
    + intros u s2 M2 G2 K2 Rb. pose proof (operand_later _ _ _ _ _ _ K2 Ra) as [It Ut]. destruct Rb as [Iu Uu].
      assert (As : meets s2 M2 (let$ p := (let$ d := difference t u in relation_literal r d) in either p (Goes yes) (Goes no)) (fun os _ K => list_right K (shown os))).
      { eapply meets_bind; [apply relation_says; auto|]. intros p s3 M3 G3 K3 [Ip Hp]. unfold either.
        eapply meets_bind; [apply negate_meets; auto|]. intros q s4 M4 G4 K4 [Iq Hq]. apply meets_ret; auto.
        destruct (literal_kept _ _ _ _ p K4 Ip) as [_ Hp4].
        apply either_right with (b := Machine.related (Translated.relation_of r) (vl M2 t) (vl M2 u)); try discriminate; [rewrite Hp4; exact Hp | rewrite Hq, Hp4; reflexivity|].
        intros d. rewrite S, Ut, Uu. simpl. destruct (Machine.related _ _ _); split; auto. }
      intros x s' Ex. apply (As x s'). unfold bind in Ex |- *. destruct (difference t u s2); [|discriminate]. exact Ex.
    + intros s2 M2 G2 Rb. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. destruct Ra as [_ Ua]. rewrite S, Ua, U. reflexivity.
  - intros s1 M1 G1 Ra. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. rewrite S, U. reflexivity.
Qed.
Lemma compute_listed r op a b : i = Compute r op a b -> op = Add \/ op = Subtract -> lists (computes_to E m r op a b).
Proof.
  intros Ei Op. pose proof here_in_program as Hi. pose proof draws_here as Dr. rewrite Ei in Hi, Dr. unfold computes_to.
  pose proof (Typed.compute_formed _ types _ _ _ _ (nth_error_In _ _ Hi)) as (T0 & Ty0 & _ & Fa & Fb).
  assert (Fb' : Typed.operand_fits P T0 (Translated.operand_of b)) by (destruct Op; subst op; exact Fb). clear Fb.
  eapply meets_peek; [apply kind_peek|]. intros T [Ty _]. assert (T0 = T) as -> by congruence.
  assert (S : forall d, step d = Machine.compute_in P under g (N.to_nat r) op (Translated.operand_of a) (Translated.operand_of b)) by (intros d; unfold Machine.step; rewrite Hi; reflexivity).
  unfold Machine.compute_in, Machine.integer_type_of in S. rewrite Ty in S.
  eapply meets_goes; [apply used_integer_meets; auto| |].
  - intros t s1 M1 G1 K1 Ra. eapply meets_goes; [apply used_integer_meets; [exact G1 | eapply keeps_trans; eauto]| |].
    + intros u s2 M2 G2 K2 Rb. pose proof (operand_later _ _ _ _ _ _ K2 Ra) as [It Ut]. destruct Rb as [Iu Uu].
      pose proof (operand_in _ _ _ Fa Ut) as Wt. pose proof (operand_in _ _ _ Fb' Uu) as Wu. destruct (sums_one_period T _ _ Wt Wu) as [Np Nm].
      set (z := match op with Add => vl M2 t + vl M2 u | _ => vl M2 t - vl M2 u end).
      assert (Nz : least T - period T <= z <= greatest T + period T) by (unfold z; destruct Op; subst op; auto).
      assert (Z0 : forall d, match wrapped_value T z with Some z => step d = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z)) | None => exists f, step d = Machine.fails f end).
      { intros d. rewrite S, Ut, Uu. cbn [Machine.bind]. assert (C : compute T op (vl M2 t) (vl M2 u) = fit T z) by (unfold z; destruct Op; subst op; reflexivity).
        rewrite C. unfold fit, wrapped_value, fails_on_overflow. destruct (is_within T z); [reflexivity|]. rewrite (same_arithmetic _ _ _ setting_right), andb_true_r.
        rewrite (same_overflow _ _ _ setting_right). destruct (on_overflow (parameters_in E)); [rewrite andb_false_r; reflexivity|]. rewrite andb_true_r.
        destruct T; simpl; eauto. }
      assert (C : forall k, (op = Add /\ k = 1 \/ op = Subtract /\ k = -1) -> meets s2 M2 (let$ v := combine 0 [(t, 1); (u, k)] in let$ cs := wrapped E T v OnePeriod in gives (set_cases r cs)) (fun os _ K => list_right K (shown os))).
      { intros k Hk. eapply meets_bind; [apply combine_meets; auto|]. intros v s3 M3 G3 K3 [Iv Vv].
        assert (Vz : vl M3 v = z) by (rewrite Vv; unfold z; simpl; destruct Hk as [[-> ->]|[-> ->]]; lia).
        eapply meets_bind; [apply wrapped_meets; auto; intros _; rewrite Vz; exact Nz|]. intros cs s4 M4 G4 K4 Cs. rewrite Vz in Cs. apply meets_ret; auto.
        apply (cases_right M4 r cs _ Cs Dr). exact Z0. }
      eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros y _. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros y' _.
      destruct Op; subst op; [apply (C 1) | apply (C (-1))]; auto.
    + intros s2 M2 G2 Rb. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. destruct Ra as [_ Ua]. rewrite S, Ua, U. reflexivity.
  - intros s1 M1 G1 Ra. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. rewrite S, U. reflexivity.
Qed.

(** Products and [|]: by a number, or a term of their own. *)
Definition computed_value T (op : operation) x y : option Z := match op with Multiply => wrapped_value T (x * y) | _ => Some (Z.lor x y) end.
Lemma opaque_listed r op T t u s1 M1 : op = Multiply \/ op = Or -> T <> Bool -> good s1 M1 -> Machine.draws P g = false ->
  Integers.within T (vl M1 t) -> Integers.within T (vl M1 u) ->
  (forall d, match computed_value T op (vl M1 t) (vl M1 u) with Some z => step d = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z)) | None => exists f, step d = Machine.fails f end) ->
  meets s1 M1 (opaque E r op T t u) (fun os _ K => list_right K (shown os)).
Proof.
  intros Op NB G1 Nd Wt Wu S. unfold opaque. eapply meets_bind; [apply apply_to_meets; auto|]. intros v s2 M2 G2 K2 [Iv Vv].
  assert (Sh : is_shift op = false) by (destruct Op; subst op; reflexivity). rewrite Sh.
  eapply meets_bind with (P := fun x s' K => x = ([], []) /\ s' = s2 /\ K = M2); [destruct Op; subst op; apply meets_ret; auto|].
  intros ? s3 M3 G3 _ (-> & -> & ->). apply meets_ret; auto. rewrite app_nil_r.
  assert (Val : forall z, computed_value T op (vl M1 t) (vl M1 u) = Some z -> vl M2 v = z).
  { intros z H. rewrite Vv. apply (apply_computes op T); auto. destruct Op; subst op; simpl in H |- *; [|injection H as <-; auto]. unfold fit. unfold wrapped_value in H.
    destruct (is_within T (vl M1 t * vl M1 u)); [injection H as <-; auto|]. destruct (fails_on_overflow E T); [discriminate|]. injection H as <-. auto. }
  assert (Ok_ : forall z d, computed_value T op (vl M1 t) (vl M1 u) = Some z -> happens M2 (Sets r (IntegerSlot v)) (step d)).
  { intros z d H. pose proof (S d) as Sd. rewrite H in Sd. split; auto. exists (Machine.Integer z). split; auto. unfold Listed.says. simpl. rewrite N2Nat.id, (Val z H). reflexivity. }
  cbn [shown]. destruct (fails_on_overflow E T && may_overflow op) eqn:Fo.
  - split.
    + intros d. destruct (computed_value T op (vl M1 t) (vl M1 u)) as [z|] eqn:Cv.
      * exists (under_tag Ignorance [] (Sets r (IntegerSlot v))). split; [left; auto|]. split; [intros ? [] | eapply Ok_; eauto].
      * exists (under_tag Ignorance [] FailsHere). split; [right; left; auto|]. split; [intros ? [] | exact (S d)].
    + intros o [<-|[<-|[]]] N; exfalso; apply N; reflexivity.
  - assert (Cv : exists z, computed_value T op (vl M1 t) (vl M1 u) = Some z).
    { destruct Op; subst op; simpl; [|eauto]. unfold wrapped_value. destruct (is_within _ _); [eauto|]. rewrite andb_true_r in Fo. rewrite Fo. eauto. }
    destruct Cv as [z Cv]. eapply one_right with (x := Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z))); [| |discriminate].
    + intros d. specialize (S d). rewrite Cv in S. exact S.
    + pose proof (Ok_ z still Cv) as H. specialize (S still). rewrite Cv in S. rewrite S in H. exact H.
Qed.
Lemma product_listed r op a b : i = Compute r op a b -> op = Multiply \/ op = Or -> lists (computes_to E m r op a b).
Proof.
  intros Ei Op. pose proof here_in_program as Hi. pose proof draws_here as Dr. rewrite Ei in Hi, Dr. unfold computes_to.
  pose proof (Typed.compute_formed _ types _ _ _ _ (nth_error_In _ _ Hi)) as (T0 & Ty0 & NB & Fa & Fb).
  assert (Fb' : Typed.operand_fits P T0 (Translated.operand_of b)) by (destruct Op; subst op; exact Fb). clear Fb.
  eapply meets_peek; [apply kind_peek|]. intros T [Ty _]. assert (T0 = T) as -> by congruence.
  assert (S : forall d, step d = Machine.compute_in P under g (N.to_nat r) op (Translated.operand_of a) (Translated.operand_of b)) by (intros d; unfold Machine.step; rewrite Hi; reflexivity).
  unfold Machine.compute_in, Machine.integer_type_of in S. rewrite Ty in S.
  eapply meets_goes; [apply used_integer_meets; auto| |].
  - intros t s1 M1 G1 K1 Ra. eapply meets_goes; [apply used_integer_meets; [exact G1 | eapply keeps_trans; eauto]| |].
    + intros u s2 M2 G2 K2 Rb. pose proof (operand_later _ _ _ _ _ _ K2 Ra) as [It Ut]. destruct Rb as [Iu Uu].
      pose proof (operand_in _ _ _ Fa Ut) as Wt. pose proof (operand_in _ _ _ Fb' Uu) as Wu.
      assert (Z0 : forall d, match computed_value T op (vl M2 t) (vl M2 u) with Some z => step d = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z)) | None => exists f, step d = Machine.fails f end).
      { intros d. rewrite S, Ut, Uu. cbn [Machine.bind]. destruct Op; subst op; [|reflexivity]. cbn [compute computed_value]. unfold fit, wrapped_value, fails_on_overflow.
        destruct (is_within T _); [reflexivity|]. rewrite (same_arithmetic _ _ _ setting_right), andb_true_r.
        rewrite (same_overflow _ _ _ setting_right). destruct (on_overflow (parameters_in E)); [rewrite andb_false_r; reflexivity|]. rewrite andb_true_r.
        destruct T; simpl; eauto. }
      eapply meets_peek; [eapply value_peek; eauto|]. intros y Vy. eapply meets_peek; [eapply value_peek; eauto|]. intros z Vz.
      assert (Op1 : meets s2 M2 (opaque E r op T t u) (fun os _ K => list_right K (shown os))) by (apply opaque_listed; auto).
      destruct Op; subst op.
      * destruct (scaled t u y z) as [[w k]|] eqn:Sc.
        -- assert (Wk : (w < linears_in s2)%N /\ vl M2 w * k = vl M2 t * vl M2 u).
           { unfold scaled in Sc. destruct z as [z|]; [injection Sc as <- <-; destruct Vz as [_ Vz]; rewrite Vz; auto|]. destruct y as [y|]; [|discriminate].
             injection Sc as <- <-. destruct Vy as [_ Vy]. rewrite Vy. split; auto. lia. }
           destruct Wk as [Iw Vw]. eapply meets_bind; [apply combine_meets; auto|]. intros v s3 M3 G3 K3 [Iv Vv].
           assert (Vp : vl M3 v = vl M2 t * vl M2 u) by (rewrite Vv; simpl; lia).
           eapply meets_bind; [apply wrapped_meets; auto; discriminate|]. intros cs s4 M4 G4 K4 Cs. rewrite Vp in Cs. apply meets_ret; auto. apply (cases_right M4 r cs _ Cs Dr). exact Z0.
        -- unfold beyond_sums. rewrite (same_arithmetic _ _ _ setting_right). cbn [negb mask_of]. exact Op1.
      * assert (Be : meets s2 M2 (beyond_sums E r Or T t u (scaled t u y z) z) (fun os _ K => list_right K (shown os))).
        { unfold beyond_sums. rewrite (same_arithmetic _ _ _ setting_right). cbn [negb mask_of]. exact Op1. }
        destruct (scaled t u y z) as [[w k]|]; exact Be.
    + intros s2 M2 G2 Rb. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. destruct Ra as [_ Ua]. rewrite S, Ua, U. reflexivity.
  - intros s1 M1 G1 Ra. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. rewrite S, U. reflexivity.
Qed.

(** Values that another type has. *)
Lemma near_types T U z : U <> Bool \/ T = Bool -> T <> Bool -> width U = width T -> Integers.within U z -> least T - period T <= z <= greatest T + period T.
Proof. intros N NT W H. unfold Integers.within in H. destruct T, U; simpl in *; try discriminate; try congruence; unfold period; simpl; lia. Qed.
Lemma assign_listed r o : i = Assign r o -> covered i = true -> lists (assigns E m r o).
Proof.
  intros Ei Cv. pose proof here_in_program as Hi. pose proof draws_here as Dr. rewrite Ei in Hi, Dr, Cv. unfold assigns.
  eapply meets_peek; [apply kind_peek|]. intros T (Ty & x & Hx & Tx).
  assert (S : forall d, step d = Machine.assign P g (N.to_nat r) (Translated.operand_of o)) by (intros d; unfold Machine.step; rewrite Hi; reflexivity).
  unfold Machine.assign, Machine.integer_type_of in S. rewrite Ty in S.
  (* Whatever is converted, if nothing is copied. *)
  assert (Conv : forall p, (forall d, step d = Machine.bind (Machine.use_integer g (Translated.operand_of o)) (fun z => Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (wrap T z))))) ->
    (p = OnePeriod -> forall z, Machine.use_integer g (Translated.operand_of o) = Machine.Ok z -> least T - period T <= z <= greatest T + period T) ->
    lists (let% t := used_integer m o in let$ cs := Stepping.convert E t T p in gives (set_cases r cs))).
  { intros p Sb Near. eapply meets_goes; [apply used_integer_meets; auto| |].
    - intros t s1 M1 G1 K1 [It Ut]. eapply meets_bind; [apply convert_meets; auto|]. intros cs s2 M2 G2 K2 Cs. apply meets_ret; auto.
      apply (cases_right M2 r cs _ Cs Dr). intros d. rewrite Sb, Ut. reflexivity.
    - intros s1 M1 G1 Ra. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. rewrite Sb, U. reflexivity. }
  destruct o as [q|y].
  - eapply meets_peek; [apply kind_peek|]. intros U (Uy & xq & Hq & Tq). simpl in Cv, S, Uy. rewrite Uy in S. apply andb_prop in Cv as [Cv NB].
    destruct (integer_type_eqb U T) eqn:Eq.
    + apply integer_type_eqb_eq in Eq. subst U. eapply meets_peek; [apply register_slot_peek|]. intros v F. cbn beta in F. rewrite F in Cv.
      destruct v; try discriminate.
      * eapply sets_listed; [| exact Dr | exact (slot_says s M q _ kept F)]. intros d. pose proof (slot_says s M q _ kept F) as H. unfold Listed.says in H. simpl in H.
        rewrite <- H in S |- *. exact (S d).
      * destruct (integer_held s M q _ kept F) as [Er It]. eapply sets_listed; [| exact Dr | exact (slot_says s M q _ kept F)].
        intros d. rewrite S, Er. cbn [Machine.bind]. rewrite wrap_same; auto. eapply register_in; eauto.
    + assert (Sb : forall d, step d = Machine.bind (Machine.use_integer g (Programs.Register (N.to_nat q))) (fun z => Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (wrap T z))))).
      { intros d. rewrite S. unfold Machine.use_integer. destruct (Machine.register g (N.to_nat q)); rewrite ?Eq; reflexivity. }
      destruct (lies_in (Some (type_range U)) T) eqn:Li.
      * eapply meets_goes; [apply used_integer_meets; auto| |].
        -- intros t s1 M1 G1 K1 [It Ut]. apply meets_ret; auto. simpl in Ut.
           apply one_right with (x := Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (vl M1 t)))); [| |discriminate].
           ++ intros d. rewrite Sb. simpl. rewrite Ut. simpl. rewrite wrap_same; auto.
              assert (W : Integers.within U (vl M1 t)) by (apply (operand_in (Register q)); auto). simpl in Li. apply andb_prop in Li as [L1 L2].
              apply is_within_iff in L1, L2. unfold Integers.within in *. lia.
           ++ split; auto. exists (Machine.Integer (vl M1 t)). split; auto. unfold Listed.says. simpl. rewrite N2Nat.id. reflexivity.
        -- intros s1 M1 G1 Ra. eapply stops_listed; eauto. intros d Us. exists Machine.UninitialisedUse. split; auto. rewrite Sb. simpl in Us |- *. rewrite Us. reflexivity.
      * apply Conv; [exact Sb|]. intros Ep z Uz. destruct (Z.eqb_spec (width U) (width T)) as [W|W]; [|discriminate].
        assert (NT : T <> Bool).
        { intros ->. rewrite Hx, Hq in NB. destruct x as [xn xt], xq as [yn yt]. simpl in Tx, Tq. subst xt yt. destruct U; discriminate. }
        apply (near_types T U z); auto.
        -- destruct U; auto; left; try discriminate. exfalso. clear - Li. destruct T; simpl in Li; discriminate.
        -- apply (operand_in (Register q)); auto.
  - apply Conv; [exact S | discriminate].
Qed.
End At.
End Lists.
