(** That Step shows what it has to show, as the second checker computes it
    (spec/calculus.md#step): where the primary is at an instruction that is covered. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Alike Typed Bounds Entries FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists Moving RegisterScopes Followed Drawn FreshObjects MadeShown Performed.
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
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows_under := (shows_under P under trees tabs).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).

(** ** Later states *)

Lemma later_part s s' sc p : modelled tabs s -> later s s' -> part_within s sc p -> part_within s' sc p.
Proof. intros Mo L. destruct (Mo zeros zeros_sorted) as [M G]. destruct (L zeros M zeros_sorted G) as (M' & _ & K). apply (part_kept sc s M s' M' p K). Qed.
Lemma later_scope s s' c : modelled tabs s -> later s s' -> in_scope s c -> in_scope s' c.
Proof. intros Mo L (F & R & H). split; auto. split; auto. intros p I. eapply later_part; eauto. Qed.
Lemma later_sane s s' c : later s s' -> sane s c -> sane s' c.
Proof. intros L [Mo Sc]. split; [eapply modelled_later; eauto | eapply later_scope; eauto]. Qed.
Lemma outcome_later s s' sc o : modelled tabs s -> later s s' -> outcome_within sc s o -> outcome_within sc s' o.
Proof. intros Mo L [A B]. split; [intros k I; eapply later_part; eauto; exact (A k I) | intros p I; eapply later_part; eauto]. Qed.

(** ** Many children *)

(** Each is made of one, in a state that comes later. *)
Lemma mapped_each {A B} (f : A -> computes B) (I : state -> Prop) (Q : B -> state -> Prop) : (forall s s', later s s' -> I s -> I s') -> (forall b s s', later s s' -> Q b s -> Q b s') ->
  forall l s bs s', (forall a s b s', In a l -> I s -> f a s = Gives b s' -> later s s' /\ Q b s') -> I s -> mapped f l s = Gives bs s' ->
  later s s' /\ (forall b, In b bs -> Q b s') /\ forall a, In a l -> exists s1 b s2, later s s1 /\ I s1 /\ f a s1 = Gives b s2 /\ later s2 s' /\ In b bs.
Proof.
  intros Ik Qk. induction l as [|a l IH]; intros s bs s' H J R; cbn [mapped] in R; [injection R as <- <-; split; [apply later_refl|]; split; intros ? []|].
  unfold bind in R. destruct (f a s) as [b s1|] eqn:Fa; [|discriminate]. destruct (mapped f l s1) as [bs1 s2|] eqn:Fl; [|discriminate]. injection R as <- <-.
  destruct (H a s b s1 (or_introl eq_refl) J Fa) as [L1 Qb]. destruct (IH s1 bs1 s2 (fun a s b s' In_ => H a s b s' (or_intror In_)) (Ik _ _ L1 J) Fl) as (L2 & Qs & Each).
  split; [eapply later_trans; eauto|]. split; [intros c [<-|In_]; [eapply Qk; eauto | auto]|]. intros c [<-|In_].
  - exists s, b, s1. split; [apply later_refl|]. split; [exact J|]. split; [exact Fa|]. split; [exact L2 | left; reflexivity].
  - destruct (Each c In_) as (s3 & d & s4 & L3 & I3 & Fd & L4 & Id). exists s3, d, s4. split; [eapply later_trans; eauto|]. repeat (split; [assumption|]). right. exact Id.
Qed.

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

Lemma follow_is s c who o c' s' : sane s c -> follow E c who o s = Gives c' s' -> exists more env, incl more (literals_of o) /\
  perform E (let c := with_literals c (known_literals c ++ more) in if (who =? 0)%N then with_progress c true else c) AnyValue who (effect_of o) s = Gives (c', env) s'.
Proof.
  intros [Mo Sc] R. destruct (Mo zeros zeros_sorted) as [M G]. unfold follow in R. unfold bind at 1 in R. destruct (folded_left assume (literals_of o) c s) as [c1 s1|] eqn:Fa; [|discriminate].
  destruct (assume_all zeros s M c (literals_of o) G _ _ Fa) as [-> (more & -> & Inc)]. unfold bind in R. destruct (perform E _ AnyValue who (effect_of o) s) as [[c3 env] s3|] eqn:Pe; [|discriminate]. injection R as <- <-.
  exists more, env. split; [exact Inc | exact Pe].
Qed.
(** What the rule makes of an outcome is in scope. *)
Lemma follow_sane s c who m l o c' s' : sane s c -> nth (herd c) who = Some m -> place_of m = At l -> outcome_within (variables c) s o -> follow E c who o s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = (if (who =? 0)%N then true else progress c).
Proof.
  intros Sn H Pl [Wl We] R. destruct (follow_is s c who o c' s' Sn R) as (more & env & Inc & Pe). destruct Sn as [Mo Sc].
  assert (Sc2 : in_scope s (with_literals c (known_literals c ++ more))) by (apply more_literals_scope; auto).
  destruct (who =? 0)%N; cbv zeta in Pe; (eapply (performed_sane E P under tabs setting_right) in Pe as (L & Sn & Pr); [split; [exact L|]; split; [exact Sn | exact Pr] | split; [exact Mo | exact Sc2] | exact H | exact Pl | exact We]).
Qed.
(** Other terms have the values that they had, and another member accounts for more. *)
Lemma primary_moves nu phi s M mu s1 M1 c c1 m m' t ts t' : in_scope s c -> world tabs s1 (set_member c1 0 m') mu M1 -> goes_on tabs s c M s1 (set_member c1 0 m') M1 -> draws c c1 -> nth (herd c) 0 = Some m ->
  shows_under s c nu M phi t ts -> beginning P under t' = beginning P under t ->
  (Configurations.accounts P under (symbols_of c) (valued M1) phi (counted_of m) t -> Configurations.accounts P under (symbols_of c) (valued M1) phi (counted_of m') t') ->
  shows_under s1 (set_member c1 0 m') mu M1 phi t' ts.
Proof.
  intros Sc W1 Go D H S Be Ac. pose proof (carried P under trees tabs s s1 c nu mu M M1 phi t ts (world_sorted _ _ _ _ _ W1) (world_good _ _ _ _ _ W1) (fun p I => proj2 (goes_terms _ _ _ _ _ _ _ Go p (proj2 (proj2 Sc) p I))) S) as (Ws & Gd & L & Me & A & En).
  rewrite D in *. clear D. split; [exact Ws|]. split; [exact Gd|]. split; [exact L|]. split; [exact Me|]. split.
  - unfold herd_accounts in *. cbn [set_member with_herd with_variables herd]. destruct (herd c) as [|m0 ms]; [destruct A|]. injection H as ->. destruct A as [A B]. cbn [replaced N.eqb]. split; [exact (Ac A) | exact B].
  - unfold entry_accounts in *. cbn [set_member with_herd with_variables entry_member]. rewrite Be. exact En.
Qed.
(** The child of the outcome that happens accounts for what the primary has done. *)
Theorem follow_shows nu phi s M c m l o c' s' t ts st g d d0 rho roots lasts placed : sane s c -> nth (herd c) 0 = Some m -> place_of m = At l -> outcome_within (variables c) s o ->
  shows_under s c nu M phi t ts -> Herds.last machine t = Goatherd.Runs.Running st -> Machine.location st = N.to_nat l -> RegisterSteps.ends_alike P (Machine.step P under g d0) (Machine.step P under st d) -> Machine.start d0 = 0 ->
  FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g -> FoldedMembers.fine_state P g -> cells_live P l m placed g ->
  literals_hold M (literals_of o) -> happens P l m rho roots lasts g M (effect_of o) (Machine.step P under g d0) -> follow E c 0 o s = Gives c' s' ->
  exists mu K, shows_under s' c' mu K phi (moved_on P under t st d) ts.
Proof.
  intros Sn H Pl [Wl We] S Ls Lo Al Bg D Fg Cl Ho Hp R. destruct (follow_is s c 0 o c' s' Sn R) as (more & env & Inc & Pe). cbn [N.eqb] in Pe. cbv zeta in Pe. destruct Sn as [Mo Sc].
  set (c2 := with_progress (with_literals c (known_literals c ++ more)) true) in *. pose proof S as (W & G & _).
  assert (Sc2 : in_scope s c2) by (apply (more_literals_scope s c more Sc); auto).
  assert (S2 : shows_under s c2 nu M phi t ts) by (apply (more_literals_show P under trees tabs s c nu M phi t ts more S); auto).
  destruct (performed E P under tabs setting_right phi s c2 nu M 0 m l (effect_of o) rho roots lasts placed g st d0 d (Build_world _ _ _ _ _ W G Sc2 Mo) H Pl We D Fg Cl Hp Bg Al Lo c' env s' Pe)
    as (mu & M1 & c1 & m' & Dr & -> & W1 & Go & _ & Ac).
  exists mu, M1. eapply (primary_moves nu phi s M mu s' M1 c2 c1 m m' t ts); eauto. intros [_ C]. apply Ac; [exact Ls|]. simpl in C. destruct (consumed_of m); auto. rewrite valued_term in C. exact C.
Qed.
End Stepped.
