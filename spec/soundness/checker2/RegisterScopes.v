(** That outcomes of instructions which compute with integers mention variables in scope
    alone (spec/calculus.md#outcomes). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine FoldedMembers Configurations Members.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists Moving.
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
Definition outcome_within s (o : outcome) : Prop := all_within s (literals_of o) /\ (forall p, In p (effect_terms (effect_of o)) -> part_within s sc p) /\
  changes_registers (effect_of o) = true.
Definition outcomes_within s (os : list outcome) : Prop := forall o, In o os -> outcome_within s o.

Lemma kept_within s M s' M' p : keeps s M s' M' -> part_within s sc p -> part_within s' sc p.
Proof. apply part_kept. Qed.
Lemma plain_within s e : effect_terms e = [] -> changes_registers e = true -> outcome_within s (exact [] e).
Proof. intros T C. split; [intros ? []|]. split; [simpl; rewrite T; intros ? [] | exact C]. Qed.
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
  destruct v as [t|]; (split; [exact A|]); (split; [|reflexivity]); simpl; [intros p [<-|[]]; exact B | intros p []].
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
  changes_registers e = true -> changes_registers f = true -> outcomes_within s [exact [p] e; exact [q] f].
Proof.
  intros Wp Wq Te Tf Ce Cf o [<-|[<-|[]]]; (split; [intros k [<-|[]]; assumption|]); (split; [simpl; rewrite ?Te, ?Tf; intros ? [] | assumption]).
Qed.
Lemma sets_within s M r v : good s M -> (forall p, In p (slot_terms v) -> part_within s sc p) -> scoped (sets r v) s M.
Proof. intros G H. apply meets_ret; auto. apply one_within. split; [intros ? []|]. split; [exact H | reflexivity]. Qed.
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
Lemma compute_within s M r op a b : good s M -> (forall r v, find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_within s sc p) ->
  op = Add \/ op = Subtract \/ op = Multiply \/ op = Or -> scoped (computes_to E m r op a b) s M.
Proof.
  intros G H Op. unfold computes_to. eapply meets_peek; [apply kind_looks|]. intros T _. eapply meets_goes; [apply used_within; auto| |intros; apply fails_within]. intros t s1 M1 G1 K1 Wt.
  eapply meets_goes; [apply used_within; [exact G1 | eapply slots_later; eauto]| |intros; apply fails_within]. intros u s2 M2 G2 K2 Wu.
  pose proof (kept_within _ _ _ _ _ K2 Wt) as Wt2.
  eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros y _. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros y' _.
  assert (C : forall ps p, (forall v k, In (v, k) ps -> term_within s2 v) ->
    meets s2 M2 (let$ v := combine 0 ps in let$ cs := wrapped E T v p in gives (set_cases r cs)) (fun os s' _ => outcomes_within s' (shown os))).
  { intros ps p Wp. eapply meets_bind; [apply (combine_within nu tabs sc); [exact G2 | exact Wp]|]. intros v s3 M3 G3 K3 Wv.
    eapply meets_bind; [apply wrapped_within; auto|]. intros cs s4 M4 G4 K4 Wc. apply meets_ret; auto. apply set_cases_within. exact Wc. }
  assert (O : op = Multiply \/ op = Or -> meets s2 M2 (opaque E r op T t u) (fun os s' _ => outcomes_within s' (shown os))).
  { intros Mo. unfold opaque. eapply meets_bind; [apply applied_within; auto|]. intros v s3 M3 G3 K3 Wv.
    eapply meets_bind with (P := fun x s' K => x = ([], []) /\ s' = s3 /\ K = M3); [destruct Mo; subst op; apply meets_ret; auto|].
    intros ? s4 M4 G4 _ (-> & -> & ->). apply meets_ret; auto. rewrite app_nil_r. cbn [shown]. destruct (fails_on_overflow E T && may_overflow op).
    - intros o [<-|[<-|[]]]; (split; [intros ? []|]; split; [|reflexivity]); [intros p [<-|[]]; exact Wv | intros p []].
    - intros o [<-|[]]. split; [intros ? []|]. split; [intros p [<-|[]]; exact Wv | reflexivity]. }
  assert (Be : forall x, op = Multiply \/ op = Or -> meets s2 M2 (beyond_sums E r op T t u x y') (fun os s' _ => outcomes_within s' (shown os))).
  { intros x Mo. unfold beyond_sums. destruct (negb (is_bounded E)); [apply meets_refuses|]. assert (Mk : mask_of op x = None) by (destruct Mo; subst op; destruct x; reflexivity).
    rewrite Mk. destruct Mo; subst op; apply O; auto. }
  destruct Op as [->|[->|[->| ->]]].
  - apply C, two_parts; auto.
  - apply C, two_parts; auto.
  - destruct (scaled t u y y') as [[w k]|] eqn:Sc; [|apply Be; auto]. apply C, one_part. unfold scaled in Sc. destruct y'; [injection Sc as <- _; exact Wt2|]. destruct y; [|discriminate].
    injection Sc as <- _. exact Wu.
  - destruct (scaled t u y y') as [[w k]|]; apply Be; auto.
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
Theorem instruction_within s M j next_ : good s M -> (forall r v, find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_within s sc p) ->
  covered E m j = true -> scoped (list_of_instruction E m j next_) s M.
Proof.
  intros G H Cv. destruct j as [k|[r a b|r a b] yes no|a b| |k| |r o|r op a b|r|r|r|r q|r o|r p j k|r p q k|r p k|p k q|r o b f|p|o|o|rs]; try discriminate; cbn [list_of_instruction].
  - apply meets_ret; auto. apply one_within, plain_within; reflexivity.
  - apply branch_within; auto.
  - apply meets_ret; auto. intros o [<-|[<-|[]]]; apply plain_within; reflexivity.
  - apply meets_ret; auto. apply fails_within.
  - apply assign_within; auto.
  - apply compute_within; auto. destruct op; try discriminate; auto.
  - eapply meets_peek; [apply kind_looks|]. intros T _. apply meets_ret; auto. apply one_within, plain_within; reflexivity.
  - apply sets_within; auto. intros ? [].
  - apply sets_within; auto. intros ? [].
  - eapply meets_peek; [apply register_slot_peek|]. intros v F. cbn beta in F. apply sets_within; auto. apply (H q v F).
Qed.
End Scopes.
