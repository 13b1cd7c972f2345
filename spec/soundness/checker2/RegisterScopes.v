(** That outcomes of instructions which compute with integers mention variables in scope
    alone (spec/calculus.md#outcomes). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine FoldedMembers Configurations Members.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums Moving.
Import ListNotations.
Open Scope Z_scope.

Section Scopes.
Variable E : setting.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Variable tabs : indexed table.
Variable sc : scope.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Notation term_within s t := (part_within s sc (LinearPart t)).
Notation literal_within s l := (part_within s sc (LinearPart (term_of l))).
Definition all_within s (ls : list literal) : Prop := forall k, In k ls -> literal_within s k.
Definition outcome_within s (o : outcome) : Prop := all_within s (literals_of o) /\ forall p, In p (effect_terms (effect_of o)) -> part_within s sc p.
Definition outcomes_within s (os : list outcome) : Prop := forall o, In o os -> outcome_within s o.

Lemma kept_within s M s' M' p : keeps s M s' M' -> part_within s sc p -> part_within s' sc p.
Proof. apply part_kept. Qed.
Lemma plain_within s e : effect_terms e = [] -> outcome_within s (exact [] e).
Proof. intros T. split; [intros ? []|]. simpl. rewrite T. intros ? []. Qed.
Lemma one_within s o : outcome_within s o -> outcomes_within s [o].
Proof. intros H ? [<-|[]]. exact H. Qed.
Lemma fails_within s : outcomes_within s (shown None).
Proof. apply one_within, plain_within; reflexivity. Qed.

Variable m : member_state.

Lemma used_within s M o : good s M -> (forall r v, find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_within s sc p) ->
  meets s M (used_integer m o) (fun x s' _ => match x with Some t => term_within s' t | None => True end).
Proof.
  intros G H. destruct o as [r|z]; simpl.
  - eapply meets_goes with (Q := fun x s' M' => s' = s /\ M' = M /\ match x with Some v => find (held m) r = Some v | None => True end).
    + unfold used. eapply meets_peek; [apply register_slot_peek|]. intros v F. cbn beta in F. destruct v; try (apply meets_refuses); apply meets_ret; auto.
    + intros v s' M' G' K' (-> & -> & F). destruct v; try (apply meets_refuses). apply meets_ret; auto. apply (H r _ F). left. reflexivity.
    + intros s' M' _ _. exact I.
  - unfold lifted. eapply meets_bind; [apply (constant_within nu tabs sc); auto|]. intros t s' M' G' K' W. apply meets_ret; auto.
Qed.
Lemma between_within s M t a b : good s M -> term_within s t -> meets s M (within t (a, b)) (fun p s' _ => literal_within s' (fst p) /\ literal_within s' (snd p)).
Proof.
  intros G H. unfold within. cbn [fst snd]. eapply meets_bind; [apply (combine_within nu tabs sc); [exact G | apply one_part; exact H]|]. intros low s1 M1 G1 K1 W1.
  eapply meets_peek; [apply peeks_small|]. intros ? ->. eapply meets_bind; [apply (plus_within nu tabs sc); [exact G1 | eapply kept_within; eauto]|].
  intros high s2 M2 G2 K2 W2. apply meets_ret; auto. split; [eapply kept_within; eauto | exact W2].
Qed.
Lemma bounds_within {A} s M t a b (rest : literal -> literal -> literal -> literal -> computes A) Q : good s M -> term_within s t ->
  (forall low high below above s' K, good s' K -> keeps s M s' K -> literal_within s' low -> literal_within s' high -> literal_within s' below -> literal_within s' above ->
    meets s' K (rest low high below above) Q) ->
  meets s M (let$ (low, high) := within t (a, b) in let$ below := negate low in let$ above := negate high in rest low high below above) Q.
Proof.
  intros G H C. eapply meets_bind; [apply between_within; eauto|]. intros [low high] s1 M1 G1 K1 [Wl Wh]. cbn [fst snd] in *.
  eapply meets_bind; [apply (negate_within nu tabs sc); auto|]. intros below s2 M2 G2 K2 Wb.
  eapply meets_bind; [apply (negate_within nu tabs sc); [exact G2 | eapply kept_within; eauto]|]. intros above s3 M3 G3 K3 Wa.
  apply C; auto; [eapply keeps_trans; [eapply keeps_trans; eauto | exact K3] | eapply kept_within; [exact K3 | eapply kept_within; eauto] ..
    | eapply kept_within; eauto].
Qed.
Lemma applied_within s M op T t u : good s M -> term_within s t -> term_within s u -> meets s M (apply_to op T t u) (fun v s' _ => term_within s' v).
Proof.
  intros G A B. unfold apply_to. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros y _. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros z _.
  assert (At : meets s M (add_atom (Apply op T t u) (Some (type_range T))) (fun v s' _ => term_within s' v)).
  { apply (add_atom_within nu tabs sc); simpl; auto; [intros _; apply apply_within | intros p [<-|[<-|[]]]; auto]. }
  destruct y as [y|]; [|exact At]. destruct z as [z|]; [|exact At].
  assert (Rd : forall w, peeks s (reducible T w) (fun _ => True)) by (intros w; unfold reducible; eapply peeks_bind; [apply peeks_small | intros; apply peeks_ret; exact I]).
  eapply meets_peek; [apply Rd|]. intros _ _. eapply meets_peek; [apply Rd|]. intros _ _. apply (constant_within nu tabs sc). exact G.
Qed.
Definition cases_within s (cs : list case) : Prop := forall ls v, In (ls, v) cs -> all_within s ls /\ match v with Some t => term_within s t | None => True end.
Lemma set_cases_within s r cs : cases_within s cs -> outcomes_within s (set_cases r cs).
Proof.
  intros H o I. unfold set_cases in I. apply in_map_iff in I as ([ls v] & <- & I). destruct (H ls v I) as [A B].
  destruct v as [t|]; (split; [exact A|]); simpl; [intros p [<-|[]]; exact B | intros p []].
Qed.
Lemma all_of s (ls : list literal) : (forall k, In k ls -> literal_within s k) -> all_within s ls.
Proof. auto. Qed.
Lemma convert_within s M t T p : good s M -> term_within s t -> meets s M (Stepping.convert E t T p) (fun cs s' _ => cases_within s' cs).
Proof.
  intros G H. assert (One : forall s1 u, term_within s1 u -> cases_within s1 [([], Some u)]) by (intros s1 u W ls v [[= <- <-]|[]]; split; [intros ? [] | exact W]).
  unfold Stepping.convert. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros r _. destruct (negb (is_bounded E) || lies_in r T); [apply meets_ret; auto|].
  destruct p.
  - unfold type_range. apply bounds_within; auto. intros low high below above s1 M1 G1 K1 W1 W2 W3 W4. pose proof (kept_within _ _ _ _ _ K1 H) as H1.
    eapply meets_bind; [apply (plus_within nu tabs sc); [exact G1 | exact H1]|]. intros lowered s2 M2 G2 K2 Wl.
    eapply meets_bind; [apply (plus_within nu tabs sc); [exact G2 | eapply kept_within; eauto]|]. intros raised s3 M3 G3 K3 Wr. apply meets_ret; auto.
    assert (L : forall q, part_within s1 sc q -> part_within s3 sc q) by (intros q Wq; eapply kept_within; [exact K3 | eapply kept_within; eauto]).
    intros ls v [[= <- <-]|[[= <- <-]|[[= <- <-]|[]]]]; split; auto; try (intros k [<-|[<-|[]]]; auto); try (intros k [<-|[]]; auto). eapply kept_within; eauto.
  - eapply meets_bind; [apply (constant_within nu tabs sc); exact G|]. intros zero s1 M1 G1 K1 Wz.
    eapply meets_bind; [apply applied_within; [exact G1 | eapply kept_within; eauto | exact Wz]|]. intros u s2 M2 G2 K2 Wu. apply meets_ret; auto.
Qed.
Lemma checked_within s M t r : good s M -> term_within s t -> meets s M (checked_to t r) (fun cs s' _ => cases_within s' cs).
Proof.
  intros G H. unfold checked_to. destruct r as [a b]. apply bounds_within; auto. intros low high below above s1 M1 G1 K1 W1 W2 W3 W4. apply meets_ret; auto.
  intros ls v [[= <- <-]|[[= <- <-]|[[= <- <-]|[]]]]; split; try exact I; try (intros k [<-|[<-|[]]]; auto); try (intros k [<-|[]]; auto). eapply kept_within; eauto.
Qed.
Lemma wrapped_within s M t T p : good s M -> term_within s t -> meets s M (wrapped E T t p) (fun cs s' _ => cases_within s' cs).
Proof. intros G H. unfold wrapped. destruct (fails_on_overflow E T); [apply checked_within; auto | apply convert_within; auto]. Qed.

(** ** Instructions *)

Notation scoped x s M := (meets s M x (fun os s' _ => outcomes_within s' (shown os))).
Lemma both_within s (p q : literal) e f : literal_within s p -> literal_within s q -> effect_terms e = [] -> effect_terms f = [] ->
  outcomes_within s [exact [p] e; exact [q] f].
Proof.
  intros Wp Wq Te Tf o [<-|[<-|[]]]; (split; [intros k [<-|[]]; assumption|]); simpl; rewrite ?Te, ?Tf; intros ? [].
Qed.
Lemma sets_within s M r v : good s M -> (forall p, In p (slot_terms v) -> part_within s sc p) -> scoped (sets r v) s M.
Proof. intros G H. apply meets_ret; auto. apply one_within. split; [intros ? []|]. exact H. Qed.
Lemma slots_later s M s' M' : keeps s M s' M' -> (forall r v, find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_within s sc p) ->
  forall r v, find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_within s' sc p.
Proof. intros K H r v F p I. eapply kept_within; eauto. Qed.
Lemma branch_within s M r a b yes no : good s M -> (forall r v, find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_within s sc p) ->
  scoped (branches E m (IntegersCompared r a b) yes no) s M.
Proof.
  intros G H. unfold branches. eapply meets_goes; [apply used_within; auto| |intros; apply fails_within]. intros t s1 M1 G1 K1 Wt.
  eapply meets_goes; [apply used_within; [exact G1 | eapply slots_later; eauto]| |intros; apply fails_within]. intros u s2 M2 G2 K2 Wu.
  eapply meets_bind; [apply (difference_within nu tabs sc); [exact G2 | eapply kept_within; eauto | exact Wu]|]. intros d s3 M3 G3 K3 Wd. unfold relation_literal.
  eapply meets_bind; [eapply meets_bind; [apply (plus_within nu tabs sc); [exact G3 | exact Wd]|]; intros v s4 M4 G4 K4 Wv;
    apply (meets_ret nu tabs s4 M4 (lit match r with IsEqual => IsZero | _ => AtMostZero end v)) with (Q := fun p s' _ => literal_within s' p); auto|].
  intros p s4 M4 G4 K4 Wp. unfold either. eapply meets_bind; [apply (negate_within nu tabs sc); auto|]. intros q s5 M5 G5 K5 Wq. apply meets_ret; auto.
  apply both_within; auto. eapply kept_within; eauto.
Qed.
Lemma kind_looks s r : peeks s (integer_kind E r) (fun _ => True).
Proof.
  unfold integer_kind, register_kind. eapply peeks_bind with (P := fun _ => True); [eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto | intros; apply peeks_ret; exact I]|].
  intros [T|] _; [apply peeks_ret; exact I | apply peeks_refuses].
Qed.
(** *** Computations *)

Lemma split_within s d xs : atoms_within sc s xs -> atoms_within sc s (fst (split_multiples d xs)) /\ atoms_within sc s (snd (split_multiples d xs)).
Proof.
  intros H. split; intros a k I; cbn [fst snd split_multiples] in I; apply filter_In in I as [I _]; apply in_map_iff in I as ([b j] & [= <- <-] & I); exact (H b j I).
Qed.
Lemma quotient_within s M t d : good s M -> term_within s t -> meets s M (quotient t d) (fun u s' _ => term_within s' u).
Proof.
  intros G H. unfold quotient. eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => 1 <= d)); apply Z.leb_le|]. intros ? D. cbn beta in D.
  eapply meets_peek; [apply (linear_within_peek sc); exact H|]. intros x Wx. destruct (split_within s d (summands x) Wx) as [Wo Wi].
  destruct (split_multiples d (summands x)) as [out inside]. cbn [fst snd] in Wo, Wi.
  eapply meets_bind; [apply meets_also; [apply (add_linear_meets nu tabs); exact G | apply (add_linear_within nu tabs sc); [exact G | exact Wi]]|]. intros u s1 M1 G1 K1 [_ Wu].
  eapply meets_peek; [eapply linear_range_peek; eauto|]. intros r R.
  eapply meets_bind with (P := fun rest s' _ => term_within s' rest).
  - assert (At : forall r, in_range r (vl M1 u / d) -> meets s1 M1 (add_atom (Quotient d u) r) (fun rest s' _ => term_within s' rest)).
    { intros r0 R0. apply (add_atom_within nu tabs sc); simpl; auto; intros p [<-|[]]; exact Wu. }
    destruct r as [[low high]|]; [|apply At; exact Logic.I]. assert (R' : low / d <= vl M1 u / d <= high / d) by (simpl in R; split; apply Z.div_le_mono; lia).
    destruct (low / d =? high / d); [apply (constant_within nu tabs sc); exact G1 | apply At; exact R'].
  - intros rest s2 M2 G2 K2 Wr. destruct (_ && _); [apply meets_ret; auto|].
    eapply meets_bind; [apply (add_linear_within nu tabs sc); [exact G2|]; intros b k I; apply (within_more _ _ sc (keeps_nodes _ _ _ _ (keeps_trans _ _ _ _ _ _ K1 K2))); exact (Wo b k I)|].
    intros o s3 M3 G3 K3 Wo3. apply (combine_within nu tabs sc); [exact G3|]. apply two_parts; [exact Wo3 | eapply kept_within; eauto].
Qed.
Lemma one_case s (u : N) : term_within s u -> cases_within s [([], Some u)].
Proof. intros W ls v [[= <- <-]|[]]; split; [intros ? [] | exact W]. Qed.
Lemma masks_within s M t k : good s M -> term_within s t -> meets s M (masks t k) (fun cs s' _ => cases_within s' cs).
Proof.
  intros G H. unfold masks. eapply meets_bind; [apply quotient_within; auto|]. intros above s1 M1 G1 K1 W1.
  eapply meets_bind; [apply quotient_within; [exact G1 | eapply kept_within; eauto]|]. intros whole s2 M2 G2 K2 W2.
  eapply meets_bind; [apply (combine_within nu tabs sc); [exact G2 | apply two_parts; [exact W2 | eapply kept_within; eauto]]|]. intros u s3 M3 G3 K3 W3. apply meets_ret; auto. apply one_case. exact W3.
Qed.
Lemma shifts_within s M op T t a : good s M -> term_within s t -> meets s M (shifts E op T t a) (fun x s' _ => match x with Some cs => cases_within s' cs | None => True end).
Proof.
  intros G H. unfold shifts. destruct (negb _); [apply meets_ret; auto|].
  assert (L : meets s M (let$ u := combine 0 [(t, 2 ^ a)] in lifted (if fails_on_overflow E T then checked_to u (0, greatest T) else Stepping.convert E u T AnyPeriods))
    (fun x s' _ => match x with Some cs => cases_within s' cs | None => True end)).
  { eapply meets_bind; [apply (combine_within nu tabs sc); [exact G | apply one_part; exact H]|]. intros u s1 M1 G1 K1 W1.
    unfold lifted. eapply meets_bind with (P := fun cs s' _ => cases_within s' cs); [destruct (fails_on_overflow E T); [apply checked_within; auto | apply convert_within; auto]|].
    intros cs s2 M2 G2 K2 W2. apply meets_ret; auto. }
  destruct op; try exact L. eapply meets_bind; [apply quotient_within; auto|]. intros q s1 M1 G1 K1 W1. apply meets_ret; auto. apply one_case. exact W1.
Qed.
Lemma less_within s M t u : good s M -> term_within s t -> term_within s u -> meets s M (less t u) (fun k s' _ => literal_within s' k).
Proof.
  intros G Wt Wu. unfold less. eapply meets_bind; [apply (combine_within nu tabs sc); [exact G | apply two_parts; auto]|]. intros d s1 M1 G1 K1 Wd. apply meets_ret; auto.
Qed.
Lemma sides_within op t w sides : forall s M, good s M -> term_within s t -> (forall x, In x sides -> literal_within s (snd x)) ->
  meets s M (mapped (fun '(sign, k) =>
    let$ dividend := combine 0 [(t, sign)] in
    let$ a := small (Z.abs w) in
    let$ q := quotient dividend a in
    let$ q := combine 0 [(q, sign * Z.sgn w)] in
    let$ k' := small (- w) in
    let$ r := combine 0 [(t, 1); (q, k')] in
    ret ([k], Some (if is_division op then q else r))) sides) (fun cs s' _ => cases_within s' cs).
Proof.
  induction sides as [|[z k] sides IH]; intros s M G Wt Ws; cbn [mapped]; [apply meets_ret; auto; intros ? ? []|].
  eapply meets_bind with (P := fun c s' K => exists v, c = ([k], Some v) /\ term_within s' v /\ keeps s M s' K).
  - eapply meets_bind; [apply (combine_within nu tabs sc); [exact G | apply one_part; exact Wt]|]. intros dividend s1 M1 G1 K1 W1. eapply meets_peek; [apply peeks_small|]. intros a _.
    eapply meets_bind; [apply quotient_within; auto|]. intros q0 s2 M2 G2 K2 W2.
    eapply meets_bind; [apply (combine_within nu tabs sc); [exact G2 | apply one_part; exact W2]|]. intros q s3 M3 G3 K3 W3. eapply meets_peek; [apply peeks_small|]. intros k' _.
    pose proof (keeps_trans _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K1 K2) K3) as K03.
    eapply meets_bind; [apply (combine_within nu tabs sc); [exact G3 | apply two_parts; [eapply kept_within; [exact K03 | exact Wt] | exact W3]]|]. intros r s4 M4 G4 K4 W4. apply meets_ret; auto.
    eexists. split; [reflexivity|]. split; [destruct (is_division op); [eapply kept_within; eauto | exact W4] | eapply keeps_trans; eauto].
  - intros c s1 M1 G1 _ (v & -> & Wv & K1). eapply meets_bind; [apply meets_also_kept, IH; [exact G1 | exact (kept_within _ _ _ _ _ K1 Wt) | intros x I; exact (kept_within _ _ _ _ _ K1 (Ws x (or_intror I)))]|].
    intros cs s2 M2 G2 _ [K2 W2]. apply meets_ret; auto. intros ls u [[= <- <-]|I]; [|exact (W2 ls u I)]. split; [intros j [<-|[]]; eapply kept_within; [exact K2 | eapply kept_within; [exact K1 | exact (Ws _ (or_introl eq_refl))]] | eapply kept_within; eauto].
Qed.
Lemma division_by_within s M op t w : good s M -> term_within s t -> meets s M (division_by op t w) (fun cs s' _ => cases_within s' cs).
Proof.
  intros G H. unfold division_by. eapply meets_bind; [apply (constant_within nu tabs sc); exact G|]. intros zero s1 M1 G1 K1 Wz.
  eapply meets_bind; [apply less_within; [exact G1 | eapply kept_within; eauto | exact Wz]|]. intros negative s2 M2 G2 K2 W2.
  eapply meets_bind; [apply (negate_within nu tabs sc); auto|]. intros positive s3 M3 G3 K3 W3.
  apply sides_within; [exact G3 | eapply kept_within; [exact K3|]; eapply kept_within; [exact K2|]; eapply kept_within; eauto|].
  intros x [<-|[<-|[]]]; cbn [snd]; [exact W3 | eapply kept_within; eauto].
Qed.
Lemma special_within s M op T t zero by_minus_one not_zero : good s M -> term_within s t -> term_within s zero -> literal_within s by_minus_one -> literal_within s not_zero ->
  meets s M (if least T <? 0 then
      let$ lowest := constant_term (least T) in
      let$ of_least := equal t lowest in
      let$ opposite := if is_division op then combine 0 [(t, -1)] else ret zero in
      let$ of_more := negate of_least in
      let$ not_minus_one := negate by_minus_one in
      ret ([([by_minus_one; of_least], None); ([by_minus_one; of_more], Some opposite)], [not_zero; not_minus_one])
    else ret ([], [not_zero])) (fun p s' _ => cases_within s' (fst p) /\ all_within s' (snd p)).
Proof.
  intros G Wt Wz Wb Wn. destruct (least T <? 0); [|apply meets_ret; auto; split; [intros ? ? [] | intros k [<-|[]]; exact Wn]].
  eapply meets_bind; [apply (constant_within nu tabs sc); exact G|]. intros lowest s1 M1 G1 K1 W1.
  eapply meets_bind; [apply (equal_within nu tabs sc); [exact G1 | eapply kept_within; eauto | exact W1]|]. intros of_least s2 M2 G2 K2 W2. pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K02.
  eapply meets_bind with (P := fun o s' K => term_within s' o /\ keeps s2 M2 s' K).
  { destruct (is_division op); [|apply meets_ret; auto; split; [eapply kept_within; eauto | apply keeps_refl]].
    eapply meets_weaker; [apply meets_also_kept, (combine_within nu tabs sc); [exact G2 | apply one_part; eapply kept_within; eauto]|]. intros o s' K _ _ [A B]. auto. }
  intros opposite s3 M3 G3 _ [W3 K3]. eapply meets_bind; [apply (negate_within nu tabs sc); [exact G3 | eapply kept_within; eauto]|]. intros of_more s4 M4 G4 K4 W4.
  pose proof (keeps_trans _ _ _ _ _ _ K02 (keeps_trans _ _ _ _ _ _ K3 K4)) as K04.
  eapply meets_bind; [apply (negate_within nu tabs sc); [exact G4 | eapply kept_within; [exact K04 | exact Wb]]|]. intros not_minus_one s5 M5 G5 K5 W5. apply meets_ret; auto. cbn [fst snd].
  pose proof (keeps_trans _ _ _ _ _ _ K04 K5) as K05. pose proof (kept_within _ _ _ _ _ K05 Wb) as Wb5. pose proof (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K3 (keeps_trans _ _ _ _ _ _ K4 K5)) W2) as W25.
  pose proof (kept_within _ _ _ _ _ K5 W4) as W45. pose proof (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K4 K5) W3) as W35.
  split.
  - intros ls v [[= <- <-]|[[= <- <-]|[]]]; (split; [intros k [<-|[<-|[]]]; auto|]); auto.
  - intros k [<-|[<-|[]]]; [eapply kept_within; [exact K05 | exact Wn] | exact W5].
Qed.
Lemma divides_within s M op T t u : good s M -> term_within s t -> term_within s u -> meets s M (divides op T t u) (fun cs s' _ => cases_within s' cs).
Proof.
  intros G Wt Wu. unfold divides. eapply meets_bind; [apply (constant_within nu tabs sc); exact G|]. intros zero s1 M1 G1 K1 W1.
  eapply meets_bind; [apply (constant_within nu tabs sc); exact G1|]. intros minus_one s2 M2 G2 K2 W2. pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K02.
  eapply meets_bind; [apply (equal_within nu tabs sc); [exact G2 | exact (kept_within _ _ _ _ _ K02 Wu) | exact (kept_within _ _ _ _ _ K2 W1)]|]. intros by_zero s3 M3 G3 K3 W3. pose proof (keeps_trans _ _ _ _ _ _ K02 K3) as K03.
  eapply meets_bind; [apply (equal_within nu tabs sc); [exact G3 | exact (kept_within _ _ _ _ _ K03 Wu) | exact (kept_within _ _ _ _ _ K3 W2)]|]. intros by_minus_one s4 M4 G4 K4 W4.
  eapply meets_bind; [apply (negate_within nu tabs sc); [exact G4 | exact (kept_within _ _ _ _ _ K4 W3)]|]. intros not_zero s5 M5 G5 K5 W5. pose proof (keeps_trans _ _ _ _ _ _ K4 K5) as K35.
  pose proof (keeps_trans _ _ _ _ _ _ K03 K35) as K05.
  eapply meets_bind; [apply meets_also_kept, special_within; [exact G5 | exact (kept_within _ _ _ _ _ K05 Wt) | exact (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K2 K3) K35) W1) | exact (kept_within _ _ _ _ _ K5 W4) | exact W5]|].
  intros [special under_] s6 M6 G6 _ [K6 [Ws Wn]]. cbn [fst snd] in Ws, Wn. pose proof (keeps_trans _ _ _ _ _ _ K05 K6) as K06.
  eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros v _.
  assert (Op : meets s6 M6 (let$ w := apply_to op T t u in ret [(under_, Some w)]) (fun cs s' _ => cases_within s' cs)).
  { eapply meets_bind; [apply applied_within; [exact G6 | exact (kept_within _ _ _ _ _ K06 Wt) | exact (kept_within _ _ _ _ _ K06 Wu)]|]. intros w s7 M7 G7 K7 W7. apply meets_ret; auto.
    intros ls x [[= <- <-]|[]]. split; [intros k I; eapply kept_within; [exact K7 | apply Wn; exact I] | exact W7]. }
  eapply meets_bind with (P := fun cs s' K => keeps s6 M6 s' K /\ cases_within s' cs).
  { apply meets_also_kept. destruct v as [w|]; [|exact Op]. destruct (_ || _); [exact Op | apply division_by_within; [exact G6 | exact (kept_within _ _ _ _ _ K06 Wt)]]. }
  intros rest s7 M7 G7 _ [K7 Wr]. apply meets_ret; auto. intros ls x [[= <- <-]|I].
  - split; [|exact Logic.I]. intros k [<-|[]]. eapply kept_within; [exact (keeps_trans _ _ _ _ _ _ K35 (keeps_trans _ _ _ _ _ _ K6 K7)) | exact W3].
  - apply in_app_or in I as [I|I]; [|exact (Wr ls x I)]. destruct (Ws ls x I) as [A B]. split; [intros k J; eapply kept_within; [exact K7 | apply A; exact J] | destruct x; [eapply kept_within; eauto | exact Logic.I]].
Qed.
Lemma value_or_failure s ls v : all_within s ls -> term_within s v -> forall r o t, o = under_tag t ls (Sets r (IntegerSlot v)) \/ o = under_tag t ls FailsHere -> outcome_within s o.
Proof. intros A W r o t [->| ->]; (split; [exact A|]); simpl; [intros p [<-|[]]; exact W | intros ? []]. Qed.
Lemma opaque_within s M r op T t u : good s M -> term_within s t -> term_within s u -> scoped (opaque E r op T t u) s M.
Proof.
  intros G Wt Wu. unfold opaque. eapply meets_bind; [apply applied_within; auto|]. intros v s1 M1 G1 K1 Wv.
  eapply meets_bind with (P := fun p s' K => keeps s1 M1 s' K /\ all_within s' (fst p) /\ outcomes_within s' (snd p)).
  - apply meets_also_kept. assert (None_ : meets s1 M1 (ret ([], [])) (fun p s' _ => all_within s' (fst p) /\ outcomes_within s' (snd p))) by (apply meets_ret; auto; split; intros ? []).
    destruct (is_shift op).
    + apply bounds_within; [exact G1 | eapply kept_within; eauto |]. intros low high below above s2 M2 G2 K2 W1 W2 W3 W4. apply meets_ret; auto. cbn [fst snd]. split; [intros k [<-|[<-|[]]]; auto|].
      intros o [<-|[<-|[]]]; (split; [intros k [<-|[]]; auto|]); (intros ? []).
    + destruct op; try exact None_.
      eapply meets_bind; [apply (equal_within nu tabs sc); [exact G1 | eapply kept_within; eauto | eapply kept_within; eauto]|]. intros same s2 M2 G2 K2 W2.
      eapply meets_bind; [apply (negate_within nu tabs sc); auto|]. intros differ s3 M3 G3 K3 W3. eapply meets_bind; [apply (constant_within nu tabs sc); exact G3|]. intros zero s4 M4 G4 K4 W4.
      apply meets_ret; auto. cbn [fst snd]. pose proof (keeps_trans _ _ _ _ _ _ K3 K4) as K24. split.
      * intros k [<-|[<-|[]]]; [exact (kept_within _ _ _ _ _ K4 W3) | exact (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K2 K24) Wv)].
      * intros o [<-|[]]. split; [intros k [<-|[]]; exact (kept_within _ _ _ _ _ K24 W2)|]. intros p [<-|[]]; exact W4.
  - intros [under_ others] s2 M2 G2 _ (K2 & A & B). cbn [fst snd] in A, B. apply meets_ret; auto. cbn [shown]. pose proof (kept_within _ _ _ _ _ K2 Wv) as Wv2.
    pose proof (fun t o => value_or_failure s2 under_ v A Wv2 r o t) as Vf. intros o I. apply in_app_or in I as [I|I]; [|exact (B o I)].
    destruct (_ && _); [destruct I as [<-|[<-|[]]]; eapply Vf; [left | right]; reflexivity | destruct I as [<-|[]]; eapply Vf; left; reflexivity].
Qed.
Lemma compute_within s M r op a b : good s M -> (forall r v, find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_within s sc p) -> scoped (computes_to E m r op a b) s M.
Proof.
  intros G H. unfold computes_to. eapply meets_peek; [apply kind_looks|]. intros T _. eapply meets_goes; [apply used_within; auto| |intros; apply fails_within]. intros t s1 M1 G1 K1 Wt.
  eapply meets_goes; [apply used_within; [exact G1 | eapply slots_later; eauto]| |intros; apply fails_within]. intros u s2 M2 G2 K2 Wu.
  pose proof (kept_within _ _ _ _ _ K2 Wt) as Wt2.
  eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros y _. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros y' _.
  assert (Sets_ : forall s3 M3 cs, good s3 M3 -> cases_within s3 cs -> scoped (gives (set_cases r cs)) s3 M3) by (intros; apply meets_ret; auto; apply set_cases_within; auto).
  assert (C : forall ps p, (forall v k, In (v, k) ps -> term_within s2 v) -> scoped (let$ v := combine 0 ps in let$ cs := wrapped E T v p in gives (set_cases r cs)) s2 M2).
  { intros ps p Wp. eapply meets_bind; [apply (combine_within nu tabs sc); [exact G2 | exact Wp]|]. intros v s3 M3 G3 K3 Wv.
    eapply meets_bind; [apply wrapped_within; auto|]. intros cs s4 M4 G4 K4 Wc. apply Sets_; auto. }
  assert (Sw : forall w k, scaled t u y y' = Some (w, k) -> term_within s2 w).
  { intros w k Sc. unfold scaled in Sc. destruct y'; [injection Sc as <- _; exact Wt2|]. destruct y; [|discriminate]. injection Sc as <- _. exact Wu. }
  assert (Be : scoped (beyond_sums E r op T t u (scaled t u y y') y') s2 M2).
  { unfold beyond_sums. destruct (negb (is_bounded E)); [apply meets_refuses|]. destruct (mask_of op (scaled t u y y')) as [[w k]|] eqn:Mk.
    - assert (Ww : term_within s2 w). { destruct (scaled t u y y') as [[w' k']|]; [|destruct op; discriminate]. destruct op; try discriminate. simpl in Mk. destruct (is_run_of_ones k'); [|discriminate]. injection Mk as <- _. eapply Sw; eauto. }
      eapply meets_bind; [apply masks_within; auto|]. intros cs s3 M3 G3 K3 Wc. apply Sets_; auto.
    - pose proof (opaque_within s2 M2 r op T t u G2 Wt2 Wu) as O.
      assert (Sh : forall c, scoped (let% cs := shifts E op T t c in gives (set_cases r cs)) s2 M2).
      { intros c. eapply meets_goes; [apply shifts_within; auto| |intros; apply fails_within]. intros cs s3 M3 G3 K3 Wc. apply Sets_; auto. }
      assert (Dv : scoped (let$ cs := divides op T t u in gives (set_cases r cs)) s2 M2).
      { eapply meets_bind; [apply divides_within; auto|]. intros cs s3 M3 G3 K3 Wc. apply Sets_; auto. }
      destruct op; try exact O; try exact Dv; destruct y'; try exact O; apply Sh. }
  destruct op; try (destruct (scaled t u y y') as [[w k]|]; exact Be); try (apply C, two_parts; auto).
  destruct (scaled t u y y') as [[w k]|] eqn:Sc; [apply C, one_part, (Sw w k eq_refl) | exact Be].
Qed.
Lemma assign_within s M r o : good s M -> (forall r v, find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_within s sc p) -> scoped (assigns E m r o) s M.
Proof.
  intros G H. unfold assigns. eapply meets_peek; [apply kind_looks|]. intros T _.
  assert (Conv : forall p, scoped (let% t := used_integer m o in let$ cs := Stepping.convert E t T p in gives (set_cases r cs)) s M).
  { intros p. eapply meets_goes; [apply used_within; auto| |intros; apply fails_within]. intros t s1 M1 G1 K1 Wt.
    eapply meets_bind; [apply convert_within; auto|]. intros cs s2 M2 G2 K2 Wc. apply meets_ret; auto. apply set_cases_within. exact Wc. }
  destruct o as [q|z]; [|apply Conv]. eapply meets_peek; [apply kind_looks|]. intros U _. destruct (integer_type_eqb U T).
  - eapply meets_peek; [apply register_slot_peek|]. intros v F. cbn beta in F. apply sets_within; auto. apply (H q v F).
  - destruct (lies_in _ T); [|apply Conv]. eapply meets_goes; [apply used_within; auto| |intros; apply fails_within]. intros t s1 M1 G1 K1 Wt.
    apply sets_within; auto. intros p [<-|[]]. exact Wt.
Qed.
End Scopes.
