(** That Step shows what it has to show, as the second checker computes it
    (spec/calculus.md#step): where the primary is at an instruction that is covered. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists Moving RegisterScopes Followed.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Section Stepped.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Hypothesis setting_right : same_setting E P under.
(** What well-formedness asks of the program. *)
Hypothesis locals : Tidy.locals_formed P.
Hypothesis types : Typed.types_formed P.
Hypothesis memories : Bounds.memory_formed P.
Hypothesis contents : Entries.contents_formed P.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows_under := (shows_under P under trees tabs).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).

(** ** Many children *)

Lemma mapped_all {A B} nu (f : A -> computes B) (I : state -> Prop) (Q : B -> state -> Prop) :
  (forall s M s' M', keeps s M s' M' -> I s -> I s') -> (forall b s M s' M', keeps s M s' M' -> Q b s -> Q b s') ->
  forall l, (forall a s M, In a l -> good nu s M -> I s -> meets nu s M (f a) (fun b s' _ => Q b s')) ->
  forall s M, good nu s M -> I s -> meets nu s M (mapped f l) (fun bs s' _ => forall b, In b bs -> Q b s').
Proof.
  intros Ik Qk l. induction l as [|a l IH]; intros H s M G J; cbn [mapped]; [apply meets_ret; auto; intros ? []|].
  eapply meets_bind; [apply H; simpl; auto|]. intros b s1 M1 G1 K1 Qb. eapply meets_bind; [apply IH; eauto; intros; apply H; simpl; auto|].
  intros bs s2 M2 G2 K2 Qs. apply meets_ret; auto. intros c [<-|I2]; eauto.
Qed.
Section One.
Context {A B : Type}.
Variables (nu : Terms.valuation) (f : A -> computes B) (I : state -> model -> Prop) (Q : B -> state -> model -> Prop).
Hypothesis I_kept : forall s M s' M', good nu s' M' -> keeps s M s' M' -> I s M -> I s' M'.
Hypothesis Q_kept : forall b s M s' M', good nu s' M' -> keeps s M s' M' -> Q b s M -> Q b s' M'.
Lemma mapped_true l : (forall a s M, In a l -> good nu s M -> I s M -> meets nu s M (f a) (fun _ _ _ => True)) ->
  forall s M, good nu s M -> I s M -> meets nu s M (mapped f l) (fun _ _ _ => True).
Proof.
  induction l as [|a l IH]; intros H s M G J; cbn [mapped]; [apply meets_ret; auto|]. eapply meets_bind; [apply H; simpl; auto|]. intros b s1 M1 G1 K1 _.
  eapply meets_bind; [apply IH; eauto; intros; apply H; simpl; auto|]. intros bs s2 M2 G2 K2 _. apply meets_ret; auto.
Qed.
Lemma mapped_one o l : In o l -> (forall a s M, In a l -> good nu s M -> I s M -> meets nu s M (f a) (fun _ _ _ => True)) ->
  (forall s M, good nu s M -> I s M -> meets nu s M (f o) Q) ->
  forall s M, good nu s M -> I s M -> meets nu s M (mapped f l) (fun bs s' M' => exists b, In b bs /\ Q b s' M').
Proof.
  induction l as [|a l IH]; intros In_ H Ho s M G J; [destruct In_|]. cbn [mapped]. destruct In_ as [->|In_].
  - eapply meets_bind; [apply Ho; auto|]. intros b s1 M1 G1 K1 Qb. eapply meets_bind; [apply mapped_true; eauto; intros; apply H; simpl; auto|].
    intros bs s2 M2 G2 K2 _. apply meets_ret; auto. exists b. split; [left; auto | eapply Q_kept; eauto].
  - eapply meets_bind; [apply H; simpl; auto|]. intros b s1 M1 G1 K1 _. eapply meets_bind; [apply IH; eauto; intros; apply H; simpl; auto|].
    intros bs s2 M2 G2 K2 (b' & Ib & Qb). apply meets_ret; auto. exists b'. split; [right; auto | exact Qb].
Qed.
End One.

(** ** Literals that are assumed *)

Definition keeps_all c c1 (ls : list literal) : Prop := exists more, c1 = with_literals c (known_literals c ++ more) /\ incl more ls.
Lemma keeps_none c ls : keeps_all c c ls.
Proof. exists []. split; [rewrite app_nil_r; destruct c; reflexivity | intros ? []]. Qed.
Lemma assume_all nu s M c ls : good nu s M -> peeks s (folded_left assume ls c) (fun c1 => keeps_all c c1 ls).
Proof.
  intros G. eapply peeks_weaker; [apply (peeks_fold s assume (fun c1 rest => exists before, ls = before ++ rest /\ keeps_all c c1 before))|].
  - intros c1 l rest (before & Eq & more & -> & Inc). eapply peeks_weaker; [eapply assume_peek; eauto|]. intros c2 C2. exists (before ++ [l]). rewrite <- app_assoc. split; auto.
    destruct C2 as [[-> _]| ->].
    + exists more. split; auto. apply incl_appl. exact Inc.
    + exists (more ++ [l]). split; [unfold with_literals; simpl; rewrite app_assoc; reflexivity | apply incl_app; [apply incl_appl; exact Inc | apply incl_appr, incl_refl]].
  - exists []. split; auto. apply keeps_none.
  - intros c1 (before & Eq & H). rewrite app_nil_r in Eq. subst before. exact H.
Qed.

(** ** A child *)

Lemma progress_scope s c b : in_scope s c -> in_scope s (with_progress c b).
Proof. intros H. exact H. Qed.
(** What the rule makes of an outcome is in scope, and has progress. *)
Lemma follow_scope nu s M c o m l : Terms.well_sorted nu -> good nu s M -> in_scope s c -> nth (herd c) 0 = Some m -> place_of m = At l -> outcome_within (variables c) s o ->
  meets nu s M (follow E c 0 o) (fun c' s' _ => in_scope s' c' /\ progress c' = true).
Proof.
  intros W G Sc H Pl (Wl & We & Ch). unfold follow. eapply meets_peek; [eapply assume_all; eauto|]. intros c1 (more & -> & Inc). cbn [N.eqb].
  set (c2 := with_progress (with_literals c (known_literals c ++ more)) true).
  assert (Sc2 : in_scope s c2) by (apply progress_scope, more_literals_scope; auto).
  eapply meets_bind; [apply (perform_moves E (same_arithmetic _ _ _ setting_right) nu W tabs s M c2 0 m l (effect_of o)); auto|].
  intros [c3 env] s1 M1 G1 K1 (c4 & m' & Ec & Dr & Mv & Sc4 & Tm). cbn [fst] in Ec. subst c3. apply meets_ret; auto.
  assert (Hd : herd c4 = herd c2 /\ progress c4 = true).
  { unfold draws_from in Dr. destruct (effect_of o); try (subst c4; auto; fail). destruct Dr as (x & t & _ & -> & _). auto. }
  destruct Hd as [Hd Pr]. split; [|exact Pr]. apply (moved_scope s1 M1 c4 0 m m' l (effect_of o)); auto. rewrite Hd. exact H.
Qed.

(** The child of the outcome that happens accounts for what the primary has done. *)
Section Chosen.
Variables (nu : Terms.valuation) (phi : FoldedMembers.meaning) (c : configuration) (m : member_state) (l : N) (o : outcome).
Variables (t : Herds.run machine) (ts : Herds.scapegoats machine) (st g : Machine.state) (d d0 : Machine.decision).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat).
Hypothesis sorted : Terms.well_sorted nu.
Hypothesis first : nth (herd c) 0 = Some m.
Hypothesis placed_at : place_of m = At l.
Hypothesis last_is : Herds.last machine t = Goatherd.Runs.Running st.
Hypothesis standing : Machine.location st = N.to_nat l.
Hypothesis alike_ends : RegisterSteps.ends_alike P (Machine.step P under g d0) (Machine.step P under st d).
Hypothesis drawn : forall r T, effect_of o = Draws r T -> exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x /\
  Machine.step P under g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer (Terms.integers nu (Some T) (N.to_nat x)))).
Definition describes_now (M : model) : Prop := FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g.
Record chosen (s : state) (M : model) : Prop := {
  chosen_scope : in_scope s c;
  chosen_shows : shows_under s c nu M phi t ts;
  chosen_holds : literals_hold M (literals_of o);
  chosen_within : outcome_within (variables c) s o;
  chosen_described : describes_now M;
  chosen_happens : happens P l m rho roots lasts g M (effect_of o) (Machine.step P under g d0) }.

Lemma member_values s M s' M' : in_scope s c -> good nu s M -> keeps s M s' M' -> all_same M M' (member_terms m).
Proof. intros Sc G K p I. eapply kept_value; [exact K|]. eapply (within_in nu tabs (variables c)); eauto. eapply terms_of_member; eauto. Qed.
Lemma described_later M M' : all_same M M' (member_terms m) -> describes_now M -> describes_now M'.
Proof.
  intros H. unfold describes_now. apply SameValues.describes_same; [intros x q; auto|]. apply member_same. exact H.
Qed.
Lemma happens_later s M s' M' e x : good nu s M -> keeps s M s' M' -> (forall p, In p (effect_terms e) -> part_within s (variables c) p) ->
  happens P l m rho roots lasts g M e x -> happens P l m rho roots lasts g M' e x.
Proof.
  intros G K H. apply happens_kept with (s := s) (s' := s'); [exact K|]. intros p I. eapply (within_in nu tabs (variables c)); eauto.
Qed.
Lemma chosen_later s M s' M' : good nu s M -> good nu s' M' -> keeps s M s' M' -> chosen s M -> chosen s' M'.
Proof.
  intros G G' K [Sc S H W D Hp]. pose proof W as (Wl & We & Ch). split; auto.
  - eapply in_scope_later; eauto.
  - eapply carried_on; eauto.
  - intros k I. apply (literal_kept _ _ _ _ k K); auto. exact (within_in nu tabs (variables c) s M _ G (Wl k I)).
  - split; [intros k I; eapply part_kept; eauto | split; [intros p I; eapply part_kept; eauto | exact Ch]].
  - exact (described_later M M' (member_values s M s' M' Sc G K) D).
  - exact (happens_later s M s' M' _ _ G K We Hp).
Qed.
Theorem follow_shows s M : good nu s M -> chosen s M -> meets nu s M (follow E c 0 o) (fun c' s' K => in_scope s' c' /\ shows_under s' c' nu K phi (moved_on P under t st d) ts).
Proof.
  intros G [Sc S Hl Wo D Hp]. pose proof Wo as (Wl & We & Ch). unfold follow. eapply meets_peek; [eapply assume_all; eauto|]. intros c1 (more & -> & Inc). cbn [N.eqb].
  set (c2 := with_progress (with_literals c (known_literals c ++ more)) true).
  assert (Sc2 : in_scope s c2) by (apply progress_scope, more_literals_scope; auto).
  assert (S2 : shows_under s c2 nu M phi t ts) by (apply (more_literals_show P under trees tabs s c nu M phi t ts more S); auto).
  eapply meets_bind; [apply (perform_moves E (same_arithmetic _ _ _ setting_right) nu sorted tabs s M c2 0 m l (effect_of o)); auto|].
  intros [c3 env] s1 M1 G1 K1 (c4 & m' & Ec & Dr & Mv & Sc4 & Tm). cbn [fst] in Ec. subst c3. apply meets_ret; auto.
  assert (Hd : herd c4 = herd c2 /\ symbols_of c4 = symbols_of c2 /\ known_literals c4 = known_literals c2 /\ entry_member c4 = entry_member c2).
  { unfold draws_from in Dr. destruct (effect_of o); try (subst c4; auto; fail). destruct Dr as (x & u & _ & -> & _). auto. }
  destruct Hd as (Hd & Hs & Hk & He). split; [apply (moved_scope s1 M1 c4 0 m m' l (effect_of o)); auto; rewrite Hd; exact first|].
  pose proof (carried_on P under trees tabs s s1 c2 nu M M1 phi t ts Sc2 G1 K1 S2) as (W1 & _ & L1 & Me1 & A1 & En1).
  unfold herd_accounts in A1. change (herd c2) with (herd c) in A1. pose proof first as Fi. pose proof (terms_of_member s c 0 m Sc first) as Tm0. destruct (herd c) as [|m0 ms] eqn:Hh; [destruct A1|].
  injection Fi as ->. destruct A1 as [A1 B1].
  split; [exact W1|]. split; [exact G1|]. split; [intros k I; apply L1; cbn [set_member with_herd known_literals] in I; rewrite Hk in I; exact I|].
  change (symbols_of (set_member c4 0 m')) with (symbols_of c4). rewrite Hs. split; [exact Me1|]. split.
  - unfold herd_accounts. cbn [set_member with_herd herd]. rewrite Hd. change (herd c2) with (herd c). rewrite Hh. cbn [replaced N.eqb]. split; [|exact B1].
    assert (Vs : all_same M M1 (member_terms m)) by (intros p I; eapply kept_value; [exact K1|]; eapply (within_in nu tabs (variables c)); eauto).
    apply (moved_accounts P under l m m' (symbols_of c2) phi M1 rho roots lasts placed g st (described_later M M1 Vs D)) with (e := effect_of o) (d0 := d0); auto.
    + destruct Sc as (_ & Rn & _). apply Rn, herd_member. rewrite Hh. left. reflexivity.
    + exact (happens_later s M s1 M1 _ _ G K1 We Hp).
    + intros r T Ee. destruct (drawn r T Ee) as (x & Ex & Sx). unfold draws_from in Dr. rewrite Ee in Dr. destruct Dr as (x' & u & Ex' & _ & Fu & Vu).
      change (nth (integers (variables c)) (number_of_sort (Some T)) = Some x') in Ex'. rewrite Ex in Ex'. injection Ex' as <-. exists u. split; [exact Fu|]. rewrite Vu. exact Sx.
    + destruct A1 as [_ C1]. simpl in C1. destruct (consumed_of m); auto. rewrite valued_term in C1. exact C1.
  - unfold entry_accounts in *. cbn [set_member with_herd entry_member]. rewrite He. exact En1.
Qed.
End Chosen.
End Stepped.
