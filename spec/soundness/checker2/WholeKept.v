(** That templates have a slot for each register, and that every rule keeps it, in all
    members and at the entry (spec/calculus.md#rules). *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Folds Stepping Leading Staying.
From Goatherd.checker2 Require Covering Rules.
Import ListNotations.
Open Scope N_scope.

Section Kept.
Variable E : setting.
Variable ts : indexed configuration.

(** ** AddScapegoat *)

Lemma register_kept m r v : yields (set_register m r v) (kept m).
Proof. unfold set_register. destruct (find (held m) r) eqn:F; [apply yields_ret; apply kept_put; congruence | apply yields_refuses]. Qed.
Lemma kill_kept m o : yields (kill m o) (kept m).
Proof. unfold kill. apply yields_any. intros x. apply yields_ret. apply kept_held; reflexivity. Qed.
Lemma hang_kept m heir v ks : yields (hang_from m heir v ks) (kept m).
Proof. unfold hang_from. destruct heir; try (apply yields_ret; apply kept_refl); apply yields_any; intros x; apply yields_ret; apply kept_held; reflexivity. Qed.
Lemma node_kept m o child : yields (drop_node E m o child) (kept m).
Proof.
  unfold drop_node. apply yields_any. intros x. apply yields_any. intros _. apply yields_any. intros [[_ _] ss]. destruct ss as [|ks [|]]; try apply yields_refuses.
  apply yields_any. intros heir. apply yields_any. intros up. eapply yields_bind; [apply kill_kept|]. intros m1 K1.
  pose proof (kept_trans _ _ _ (kept_slots m (fun w => if slot_eqb w (element o (lower x)) then heir else w)) K1) as K.
  destruct up; [|apply yields_ret; exact K]. eapply yields_weaker; [apply hang_kept|]. intros m2 K2. eapply kept_trans; eauto.
Qed.
Lemma element_kept c m p l o x : yields (Rules.drop_element c m p l o x) (kept m).
Proof.
  unfold Rules.drop_element. apply yields_any. intros [| |old| | | |]; try apply yields_refuses. apply yields_any. intros shorter.
  eapply yields_bind; [apply register_kept|]. intros m1 K1. apply yields_any. intros y. apply yields_any. intros v. apply yields_any. intros low. apply yields_any. intros _.
  apply yields_any. intros d. apply yields_any. intros _. apply yields_any. intros index. apply yields_any. intros inside. apply yields_any. intros _.
  assert (First : forall x', yields (let$ low := plus (lower y) 1 in let$ fs := mapped x' (field_states y) in
    set_register (with_objects m1 (put (objects_held m1) o (with_fields (with_lower y low) fs))) p (element o low)) (kept m)).
  { intros x'. apply yields_any. intros above_. apply yields_any. intros fs. eapply yields_weaker; [apply register_kept|]. intros m2 K2.
    eapply kept_trans; [exact K1|]. eapply kept_trans; [|exact K2]. apply kept_held; reflexivity. }
  destruct x; try apply First. apply yields_any. intros u. apply yields_ret. eapply kept_trans; [exact K1 | apply kept_held; reflexivity].
Qed.
Lemma drop_kept c m x : yields (Rules.drop_one E c m x) (kept m).
Proof.
  unfold Rules.drop_one. assert (S : kept m (with_size m Smaller)) by (apply kept_held; reflexivity).
  destruct (snd x), (nth _ (fst x)) as [[| | |]|]; try apply yields_refuses;
    (eapply yields_weaker; [apply element_kept || apply node_kept | intros m' K; exact (kept_trans _ _ _ S K)]).
Qed.
Lemma integer_kept c m x : yields (Rules.new_integer E c m x) (kept m).
Proof.
  unfold Rules.new_integer. destruct (nth _ _) as [[r| | |]|]; try apply yields_refuses. apply yields_any. intros T. apply yields_any. intros _. apply register_kept.
Qed.
Lemma all_folded {A} (f : member_state -> A -> computes member_state) l m : (forall m a, yields (f m a) (kept m)) -> yields (folded_left f l m) (kept m).
Proof. intros H. apply (yields_folded f (kept m)); [|apply kept_refl]. intros m1 a K. eapply yields_weaker; [apply H|]. intros m2 K2. eapply kept_trans; eauto. Qed.
Lemma scapegoat_whole c ds is_ : whole E c -> yields (Rules.add_scapegoat E c ds is_) (whole E).
Proof.
  intros [W We]. unfold Rules.add_scapegoat. eapply yields_bind; [apply yields_some with (Q := whole_member E); exact We|]. intros m Wm. apply yields_any. intros _.
  eapply yields_bind; [apply all_folded, drop_kept|]. intros m1 K1. apply yields_any. intros _. eapply yields_bind; [apply all_folded, integer_kept|]. intros m2 K2.
  apply yields_ret. split; [|exact We]. apply Forall_app. split; [exact W|]. constructor; [|constructor].
  exact (registers_whole E m m2 (proj2 (kept_trans _ _ _ K1 K2)) Wm).
Qed.

(** ** The others *)

Lemma decided_whole c who n x : whole E c -> yields (Rules.step_decided E c who n x) (whole E).
Proof.
  intros W. unfold Rules.step_decided. do 3 (apply yields_any; intros ?). apply yields_any. intros o. do 2 (apply yields_any; intros ?).
  eapply yields_bind; [apply perform_whole; exact W|]. intros [c1 env] W1. apply yields_ret. exact W1.
Qed.
Lemma alone_whole c who : whole E c -> yields (Rules.step_alone E who c) (whole E).
Proof.
  intros W. unfold Rules.step_alone. apply yields_any. intros m. apply yields_any. intros os. apply yields_any. intros [|[n o] [|]]; try apply yields_refuses.
  apply yields_any. intros _. apply follow_whole. exact W.
Qed.
Lemma repeated_whole who n : forall c, whole E c -> yields (Rules.repeated n (Rules.step_alone E who) c) (whole E).
Proof. induction n as [|n IH]; intros c W; cbn [Rules.repeated]; [apply yields_ret; exact W|]. eapply yields_bind; [apply alone_whole; exact W | exact IH]. Qed.
Lemma without_whole who l : Forall (whole_member E) l -> Forall (whole_member E) (Rules.without_member l who).
Proof.
  intros W. revert who. induction W as [|m l Wm Wl IH]; intros who; cbn [Rules.without_member]; [constructor|]. destruct (who =? 0); [exact Wl | constructor; auto].
Qed.
Lemma drop_whole c who : whole E c -> yields (Rules.drop_member c who) (whole E).
Proof. intros [W We]. unfold Rules.drop_member. do 2 (apply yields_any; intros ?). apply yields_ret. split; [apply without_whole; exact W | exact We]. Qed.
Lemma all_stay c cs : whole E c -> Forall (stays c) cs -> Forall (whole E) cs.
Proof. intros W F. eapply Forall_impl; [|exact F]. intros d S. eapply stays_whole; eauto. Qed.
Lemma one_whole (x : computes configuration) : yields x (whole E) -> yields (Rules.one_open x) (Forall (whole E)).
Proof. intros H. unfold Rules.one_open. eapply yields_bind; [exact H|]. intros c W. apply yields_ret. constructor; [exact W | constructor]. Qed.
Lemma none_whole (x : computes unit) : yields (Rules.closed x) (Forall (whole E)).
Proof. unfold Rules.closed. apply yields_any. intros _. apply yields_ret. constructor. Qed.
Theorem rule_whole c r : whole E c -> yields (Rules.apply_rule E ts c r) (Forall (whole E)).
Proof.
  intros W. destruct r; cbn [Rules.apply_rule]; try apply none_whole; try apply one_whole.
  all: try (eapply yields_weaker; [apply split_stays || apply unfold_stays | intros cs; apply all_stay; exact W]).
  - apply step_whole. exact W.
  - apply decided_whole. exact W.
  - apply scapegoat_whole. exact W.
  - apply drop_whole. exact W.
  - eapply yields_weaker; [apply let_stays|]. intros d S. eapply stays_whole; eauto.
  - unfold Rules.steps_of. apply yields_any. intros _. apply repeated_whole. exact W.
Qed.
End Kept.

(** ** Templates *)

Lemma described_at E m : yields (Covering.described_member E m) (fun m' => place_of m' = At (location m) /\ whole_member E m').
Proof.
  unfold Covering.described_member. apply yields_any. intros _. set (start := new_member E (States.At (location m)) Forgotten). eapply yields_bind with (P := kept start).
  - apply (yields_folded _ (kept start)); [|apply kept_refl]. intros x [r v] H. unfold set_register.
    destruct (find (held x) r) eqn:F; [apply yields_ret; eapply kept_trans; [exact H | apply kept_put; congruence] | apply yields_refuses].
  - intros x (Pl & G & D). apply yields_any. intros os. apply yields_ret. split; [exact Pl|]. destruct (new_whole E (States.At (location m)) Forgotten) as [D0 G0].
    split; [exact (D D0) | exact (eq_trans G G0)].
Qed.
(** Templates have not made progress and have not failed, and have a slot for each register. *)
Definition starts E (c : configuration) : Prop := progress c = false /\ whole E c /\ forall m, In m (herd c) -> exists k, place_of m = At k.
Lemma template_starts E t : yields (Covering.configuration_of E t) (starts E).
Proof.
  unfold Covering.configuration_of. apply yields_any. intros _. eapply yields_bind; [apply yields_mapped with (Q := fun m' => (exists k, place_of m' = At k) /\ whole_member E m'); intros m|].
  - eapply yields_weaker; [apply described_at | intros m' [H W]; split; [exists (location m); exact H | exact W]].
  - intros ms F. apply yields_ret. split; [reflexivity|]. split; [split; [|discriminate]|].
    + eapply Forall_impl; [|exact F]. intros m H. apply H.
    + rewrite Forall_forall in F. intros m I. apply (F m I).
Qed.
