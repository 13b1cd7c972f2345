(** That Descent and End show what they have to show (spec/calculus.md#descent, #end), as
    the second checker computes them. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine FoldedMembers Configurations Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

(** ** Instructions by their location *)

Lemma index_from {A} (l : list A) : forall (m : PositiveMap.t A) n k,
  PositiveMap.find (N.succ_pos k) (fst (fold_left (fun '(m, n) a => (PositiveMap.add (N.succ_pos n) a m, N.succ n)) l (m, n))) =
  if (n <=? k)%N then match List.nth_error l (N.to_nat (k - n)) with Some a => Some a | None => PositiveMap.find (N.succ_pos k) m end else PositiveMap.find (N.succ_pos k) m.
Proof.
  induction l as [|a l IH]; intros m n k; simpl.
  - destruct (n <=? k)%N; auto. destruct (N.to_nat (k - n)); reflexivity.
  - rewrite IH. destruct (N.leb_spec (N.succ n) k) as [L|L].
    + destruct (N.leb_spec n k) as [_|L']; [|lia]. replace (N.to_nat (k - n)) with (S (N.to_nat (k - N.succ n))) by lia. cbn [List.nth_error].
      destruct (List.nth_error l _); auto. rewrite PositiveMap.gso; auto. intros H. apply key_of_n_injective in H. lia.
    + destruct (N.leb_spec n k) as [L'|L'].
      * assert (k = n) by lia. subst k. rewrite N.sub_diag. cbn [N.to_nat List.nth_error]. rewrite PositiveMap.gss. reflexivity.
      * rewrite PositiveMap.gso; auto. intros H. apply key_of_n_injective in H. lia.
Qed.
Lemma at_position_is {A} (l : list A) k : at_position (index_of l) k = List.nth_error l (N.to_nat k).
Proof.
  unfold at_position, index_of. pose proof (index_from l (PositiveMap.empty A) 0%N k) as H. destruct (fold_left _ l _) as [m n]. cbn [fst by_position] in *.
  rewrite H, PositiveMap.gempty. destruct (N.leb_spec 0 k); [|lia]. replace (k - 0)%N with k by lia. destruct (List.nth_error l (N.to_nat k)); reflexivity.
Qed.

Section Closing.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows_under := (shows_under P under trees tabs).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation sane := (sane tabs).
(** The program is the one of the setting. *)
Hypothesis same_code : forall l i, at_position (code E) l = Some i -> List.nth_error (Programs.instructions P) (N.to_nat l) = Some (Translated.instruction_of i).

Lemma standing_state ss nu phi m l t : place_of m = At l -> Configurations.accounts P under ss nu phi (counted_of m) t ->
  exists st, Herds.last machine t = Goatherd.Runs.Running st /\ Machine.location st = N.to_nat l.
Proof.
  intros Pl [A _]. simpl in A. rewrite Pl in A. destruct A as (st & L & D). exists st. split; auto.
  rewrite (Goatherd.Stepping.denoted_location P ss nu phi _ st D). reflexivity.
Qed.

(** ** End *)

Theorem ends_shows s c u s' : Rules.ends_ E c s = Gives u s' -> later tabs s s' /\
  Herds.sound_step machine stage shows (Open s c) [Ended] /\ Herds.sound_end machine stage shows Ended.
Proof.
  intros R. assert (Pk : peeks s (Rules.ends_ E c) (fun _ => True)).
  { unfold Rules.ends_, member_at. eapply peeks_bind; [apply (peeks_some s _ _ (fun _ => True)); auto | intros; apply peeks_demand; auto]. }
  destruct (Pk _ _ R) as [-> _].
  split; [apply later_refl|]. split.
  - unfold Rules.ends_, member_at, bind, some, demand in R. unfold ret in R. destruct (nth (herd c) 0) as [m|] eqn:H0; [|discriminate].
    destruct (match instruction_at E (place_of m) with Some (Halt | Ignore) => true | _ => false end) eqn:I; [|discriminate].
    intros t ts [_ (nu & M & phi & _ & _ & _ & _ & A & _)]. unfold herd_accounts in A. destruct (herd c) as [|m0 ms]; [destruct A|].
    injection H0 as ->. destruct A as [A _]. unfold instruction_at in I. destruct (place_of m) as [l|] eqn:Pl; [|discriminate].
    destruct (standing_state _ _ _ _ l t Pl A) as (st & L & Loc). rewrite L. split; [simpl; auto|]. intros k x Hx. simpl in Hx. destruct Hx as (d & -> & ->).
    exists Ended. split; [left; reflexivity|]. simpl. unfold Machine.step. rewrite Loc.
    destruct (at_position (code E) l) as [i|] eqn:At; [|discriminate]. rewrite (same_code _ _ At). destruct i; try discriminate; simpl; auto.
  - intros t ts [_ A]. simpl in A. destruct A as [A|A]; rewrite A; (split; [simpl; auto | intros k x Hx; exact Hx]).
Qed.

(** ** Descent *)

Lemma sized_at ss nu phi ms ts n m : Forall2 (Configurations.accounts_sized P under ss nu phi) (List.map sized_of ms) ts -> nth ms n = Some m ->
  exists r, In (size_of_input (size_of m), r) ts /\ Configurations.accounts P under ss nu phi (counted_of m) r.
Proof.
  revert n ts. induction ms as [|a ms IH]; intros n ts F E1; [discriminate|]. simpl in F. inversion F as [|? [k r] ? ts' [S A] F']; subst. simpl in S, A.
  cbn [nth] in E1. destruct (n =? 0)%N.
  - injection E1 as <-. exists r. subst k. split; [left; reflexivity | exact A].
  - destruct (IH _ _ F' E1) as (r' & I & A'). exists r'. split; [right; exact I | exact A'].
Qed.
(** One that has failed, or that fails next. *)
Lemma failing_shows ss nu phi m r : Rules.is_failing E (place_of m) = true -> Configurations.accounts P under ss nu phi (counted_of m) r ->
  exists r', Herds.extends machine r r' /\ Goatherd.Runs.has_failed (Herds.last machine r') /\ Herds.consumed machine r' = Herds.consumed machine r.
Proof.
  intros F A. destruct (place_of m) as [l|] eqn:Pl.
  - unfold Rules.is_failing, instruction_at in F. destruct (at_position (code E) l) as [i|] eqn:At; [|discriminate].
    destruct (standing_state _ _ _ _ l r Pl A) as (st & L & Loc).
    exists (Herds.extend machine r 0 (Goatherd.Runs.Over (Machine.Failed Machine.ProgramFailed))). split; [|split; [simpl; auto | simpl; lia]].
    apply (Herds.extends_step machine r r); [apply (Herds.extends_refl machine)|]. rewrite L. simpl.
    exists {| Machine.number := 0; Machine.start := 0; Machine.fills := fun _ _ => 0 |}. unfold Machine.step. rewrite Loc, (same_code _ _ At).
    destruct i; try discriminate. split; reflexivity.
  - destruct A as [A _]. simpl in A. rewrite Pl in A. exists r. split; [apply (Herds.extends_refl machine) | auto].
Qed.
Lemma slot_within s c m t : in_scope s c -> In m (herd c) -> consumed_of m = IntegerSlot t -> part_within s (variables c) (LinearPart t).
Proof.
  intros (_ & _ & H) I C. apply H. unfold configuration_terms. apply in_or_app. right. apply in_or_app. left. apply in_flat_map. exists m. split; auto.
  unfold member_terms. rewrite C. left. reflexivity.
Qed.
Lemma nth_in {A} (l : list A) : forall n a, nth l n = Some a -> In a l.
Proof. induction l as [|b l IH]; intros n a; simpl; [discriminate|]. destruct (n =? 0)%N; [intros [= ->]; auto | eauto]. Qed.

(** The literal is evident, or stands there. *)
Lemma less_shown nu M s c t u : good nu s M -> in_scope s c -> literals_hold M (known_literals c) -> (t < linears_in s)%N -> (u < linears_in s)%N ->
  meets nu s M (let$ l := less t u in let$ e := is_true l in demand (e || stands_in l (known_literals c)) Rejection.NotSmaller) (fun _ _ _ => vl M t < vl M u).
Proof.
  intros G Sc L It Iu. unfold less. eapply meets_bind with (P := fun l s' M' => literal_holds M' l <-> vl M t < vl M u).
  - eapply meets_bind; [apply combine_meets; auto|]. intros d s1 M1 G1 _ [_ V]. apply meets_ret; auto. unfold literal_holds. simpl. rewrite V. simpl. lia.
  - intros l s1 M1 G1 K1 H. eapply meets_peek; [eapply is_true_peek; eauto|]. intros e Ev. apply meets_demand; auto. intros O. apply H.
    destruct e; [auto|]. apply stands_in_in in O. apply (literal_kept _ _ _ _ l K1); [eapply literals_in; eauto | auto].
Qed.
Lemma descent_later s c who u s' : sane s c -> Rules.descent E c who s = Gives u s' -> later tabs s s'.
Proof.
  intros [_ Sc] R. eapply (meets_later tabs s _ u s' (fun _ _ _ _ _ => True)); [|exact R]. clear R. intros nu M W G. unfold Rules.descent, Rules.no_primary, member_at.
  eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
  eapply meets_peek; [apply (peeks_some s _ _ (fun m => In m (herd c))); intros m; apply nth_in|]. intros m Im.
  eapply meets_peek; [apply (peeks_some s _ _ (fun m => In m (herd c))); intros m0; apply nth_in|]. intros m0 I0.
  eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
  destruct (size_of m); [apply meets_ret; auto|].
  destruct (consumed_of m) as [| |a| | | |] eqn:Ca; try apply meets_refuses. destruct (consumed_of m0) as [| |b| | | |] eqn:Cb; try apply meets_refuses.
  unfold less. eapply meets_bind; [eapply meets_bind; [apply combine_meets; auto|]; intros d s1 M1 G1 _ _; apply (meets_ret nu tabs s1 M1 (lit AtMostZero d)) with (Q := fun _ _ _ => True); auto|].
  intros l s1 M1 G1 _ _. eapply meets_peek; [eapply is_true_peek; eauto|]. intros e _. apply meets_demand; auto.
Qed.
Theorem descent_shows s c who u s' : sane s c -> Rules.descent E c who s = Gives u s' ->
  later tabs s s' /\ Herds.sound_descent machine stage shows (Open s c).
Proof.
  intros Sn R. split; [eapply descent_later; eauto|]. destruct Sn as [_ Sc]. intros t ts [_ (nu & M & phi & S)]. pose proof S as (W & G & L & _ & A & _).
  unfold Rules.descent, Rules.no_primary, member_at in R. unfold bind at 1 in R. unfold demand at 1 in R. destruct (who =? 0)%N eqn:Wz; [discriminate|].
  cbn [negb] in R. unfold ret at 1 in R. unfold bind at 1 in R. unfold some at 1 in R. destruct (nth (herd c) who) as [m|] eqn:Em; [|discriminate]. unfold ret at 1 in R.
  unfold bind at 1 in R. unfold some at 1 in R. destruct (nth (herd c) 0) as [m0|] eqn:E0; [|discriminate]. unfold ret at 1 in R.
  unfold bind at 1 in R. unfold demand at 1 in R. destruct (Rules.is_failing E (place_of m)) eqn:Fl; [|discriminate]. unfold ret at 1 in R.
  pose proof (nth_in _ _ _ Em) as Im. pose proof (nth_in _ _ _ E0) as I0.
  unfold herd_accounts in A. destruct (herd c) as [|m1 ms] eqn:H; [destruct A|]. cbn [nth] in Em, E0. rewrite Wz in Em. injection E0 as ->. destruct A as [A B].
  destruct (sized_at _ _ _ _ _ _ _ B Em) as (r & Ir & Ar). destruct (failing_shows _ _ _ _ _ Fl Ar) as (r' & X & Hf & Cr).
  exists (size_of_input (size_of m)), r, r'. split; [exact Ir|]. split; [exact X|]. split; [exact Hf|]. destruct (size_of m); [left; reflexivity | right].
  destruct (consumed_of m) as [| |a| | | |] eqn:Ca; try discriminate. destruct (consumed_of m0) as [| |b| | | |] eqn:Cb; try discriminate.
  assert (Wa : part_within s (variables c) (LinearPart a)) by (apply (slot_within s c m a Sc); [rewrite H; exact Im | exact Ca]).
  assert (Wb : part_within s (variables c) (LinearPart b)) by (apply (slot_within s c m0 b Sc); [rewrite H; exact I0 | exact Cb]).
  destruct (less_shown nu M s c a b G Sc L (within_in nu tabs _ s M _ G Wa) (within_in nu tabs _ s M _ G Wb) _ _ R) as (_ & _ & _ & Lt).
  destruct A as [_ A]. destruct Ar as [_ Ar]. simpl in A, Ar. rewrite Cb in A. rewrite Ca in Ar. simpl in A, Ar. rewrite N2Nat.id in A, Ar. rewrite Cr. lia.
Qed.
End Closing.
