(** Herds, rules and cyclic derivations (spec/calculus.md#states-and-herds,
    #rules, #theorem).

    Nothing here knows what a configuration looks like: it is the set of herds
    that it denotes.  Each rule is a condition on such sets.  [acceptance] says
    that derivations made of sound rules exclude every failing execution, also
    where templates refer to each other in circles. *)
From Coq Require Import List Arith Lia.
Import ListNotations.

(** A transition system.  A state that has failed has no successor; [step]
    says how many nondeterministic values and rounds a step consumes. *)
Record system := {
  state : Type;
  entry : state -> Prop;                  (* entry states of valid inputs *)
  size : state -> nat;                    (* of an entry state: elements and nodes of its input *)
  step : state -> nat -> state -> Prop;
  failed : state -> Prop;
  failed_final : forall s k s', failed s -> ~ step s k s'
}.

Section Calculus.
Variable Sys : system.
Notation state := (state Sys).
Notation step := (step Sys).
Notation entry := (entry Sys).
Notation size := (size Sys).
Notation failed := (failed Sys).

(** ** Executions *)

(** Of an execution rules look at three things: the entry state, how many
    values and rounds it has consumed, and the last state. *)
Record run := Run { origin : state; consumed : nat; last : state }.

Inductive genuine : run -> Prop :=
| genuine_entry s : entry s -> genuine (Run s 0 s)
| genuine_step o c s k s' : genuine (Run o c s) -> step s k s' -> genuine (Run o (c + k) s').

Definition safe := forall r, genuine r -> ~ failed (last r).

Definition extend (r : run) k s := Run (origin r) (consumed r + k) s.

Inductive extends : run -> run -> Prop :=
| extends_refl r : extends r r
| extends_step r r' k s : extends r r' -> step (last r') k s -> extends r (extend r' k s).

Lemma extends_genuine r r' : extends r r' -> genuine r -> genuine r'.
Proof. induction 1; auto. intros. destruct r'. eapply genuine_step; eauto. Qed.
Lemma extends_origin r r' : extends r r' -> origin r' = origin r.
Proof. induction 1; simpl; congruence. Qed.
Lemma extends_trans r s t : extends r s -> extends s t -> extends r t.
Proof. intros H. induction 1; auto. eapply extends_step; eauto. Qed.

(** ** Herds *)

(** What is known of a scapegoat's input. *)
Inductive input_size := Smaller | NotLarger.

Definition compares (k : input_size) (scapegoat primary : run) := match k with
  | Smaller => size (origin scapegoat) < size (origin primary)
  | NotLarger => size (origin scapegoat) <= size (origin primary) end.

Definition scapegoats := list (input_size * run).

Definition herd (t : run) (ts : scapegoats) :=
  genuine t /\ Forall (fun p => genuine (snd p) /\ compares (fst p) (snd p) t) ts.

Variable configuration : Type.
(** The last states and what executions have consumed that a configuration
    allows, and what it says of the primary's entry. *)
Variable shows : configuration -> run -> scapegoats -> Prop.
Definition denotes c t ts := herd t ts /\ shows c t ts.

(** ** Rules *)

(** Step: whatever the primary does next, a child accounts for it. *)
Definition sound_step c (children : list configuration) :=
  forall t ts, denotes c t ts ->
    ~ failed (last t) /\
    forall k s, step (last t) k s -> exists c', In c' children /\ shows c' (extend t k s) ts.

(** StepDecided: the scapegoat at this position has some execution that goes on
    as the child says. *)
Definition sound_decided c m c' :=
  forall t ts, denotes c t ts ->
    exists k r r' front back, ts = front ++ (k, r) :: back /\ length front = m /\
      extends r r' /\ shows c' t (front ++ (k, r') :: back).

(** One step of Steps, of a scapegoat: it can go on, and whatever it does the
    child accounts for it.  Nothing is chosen, so no tag is looked at. *)
Definition sound_forced c m c' :=
  forall t ts, denotes c t ts ->
    exists k r front back, ts = front ++ (k, r) :: back /\ length front = m /\
      (exists n s, step (last r) n s) /\
      forall n s, step (last r) n s -> shows c' t (front ++ (k, extend r n s) :: back).

(** Split, Unfold, Let, and Infeasible with no children: the same herds. *)
Definition sound_cover c children :=
  forall t ts, denotes c t ts -> exists c', In c' children /\ shows c' t ts.

(** Drop: fewer scapegoats. *)
Definition sound_drop c c' :=
  forall t ts, denotes c t ts -> exists ts', incl ts' ts /\ shows c' t ts'.

(** AddScapegoat: a valid input that compares as it is said to. *)
Definition sound_add c c' :=
  forall t ts, denotes c t ts ->
    exists k s, entry s /\ compares k (Run s 0 s) t /\ shows c' t (ts ++ [(k, Run s 0 s)]).

(** Subsume: the same executions, by position; one that is smaller may be
    called no larger. *)
Definition weaker (p q : input_size * run) := snd p = snd q /\ (fst p = fst q \/ fst q = NotLarger).
Definition sound_subsume c template :=
  forall t ts, denotes c t ts -> exists ts', Forall2 weaker ts ts' /\ shows template t ts'.

(** Descent: a scapegoat fails, and comes before the primary in the order of
    executions. *)
Definition sound_descent c :=
  forall t ts, denotes c t ts ->
    exists k r r', In (k, r) ts /\ extends r r' /\ failed (last r') /\
      (k = Smaller \/ consumed r' < consumed t).

(** Twin: where the primary can come to fail, so can a scapegoat on a smaller
    input, however much it consumes. *)
Definition sound_twin c :=
  forall t ts, denotes c t ts ->
    exists r, In (Smaller, r) ts /\
      forall t', extends t t' -> failed (last t') -> exists r', extends r r' /\ failed (last r').

(** That is so where the scapegoat's last state simulates the primary's. *)
Definition simulates (like : state -> state -> Prop) := forall x y, like x y ->
  (failed x -> failed y) /\ forall k x', step x k x' -> exists n y', step y n y' /\ like x' y'.
Lemma simulated like t t' : simulates like -> extends t t' -> forall r, like (last t) (last r) ->
  exists r', extends r r' /\ like (last t') (last r').
Proof.
  intros Hl. induction 1 as [t | t t' k s _ IH Hs]; intros r Hr.
  - exists r. split; [constructor | exact Hr].
  - destruct (IH r Hr) as (r' & He & Hr'). destruct (proj2 (Hl _ _ Hr') _ _ Hs) as (n & y & Hy & Hk).
    exists (extend r' n y). split; [econstructor; eauto | exact Hk].
Qed.
Theorem twin_by_simulation like c : simulates like ->
  (forall t ts, denotes c t ts -> exists r, In (Smaller, r) ts /\ like (last t) (last r)) -> sound_twin c.
Proof.
  intros Hl H t ts Hd. destruct (H t ts Hd) as (r & Hin & Hr). exists r. split; auto. intros t' He Hf.
  destruct (simulated like t t' Hl He r Hr) as (r' & He' & Hr'). exists r'. split; auto. apply (proj1 (Hl _ _ Hr')). auto.
Qed.

(** End: the primary has ended and has not failed. *)
Definition sound_end c :=
  forall t ts, denotes c t ts -> ~ failed (last t) /\ forall k s, ~ step (last t) k s.

(** ** Derivations *)

Section Derivations.
Variable templates : list configuration.

(** The flag is *progress*: the primary has taken a step since the template's
    root.  A size class's root counts as having. *)
Inductive closed : bool -> configuration -> Prop :=
| closed_step b c cs : sound_step c cs -> (forall c', In c' cs -> closed true c') -> closed b c
| closed_decided b c m c' : sound_decided c m c' -> closed b c' -> closed b c
| closed_cover b c cs : sound_cover c cs -> (forall c', In c' cs -> closed b c') -> closed b c
| closed_drop b c c' : sound_drop c c' -> closed b c' -> closed b c
| closed_add b c c' : sound_add c c' -> closed b c' -> closed b c
| closed_subsume c c' : sound_subsume c c' -> In c' templates -> closed true c
| closed_descent b c : sound_descent c -> closed b c
| closed_twin b c : sound_twin c -> closed b c
| closed_end b c : sound_end c -> closed b c.

(** *** Steps is Step or StepDecided, several times *)

Inductive steps_of_primary : configuration -> configuration -> Prop :=
| steps_one c c' : sound_step c [c'] -> steps_of_primary c c'
| steps_more c c' c'' : sound_step c [c'] -> steps_of_primary c' c'' -> steps_of_primary c c''.
Lemma closed_steps_of_primary b c c' : steps_of_primary c c' -> closed true c' -> closed b c.
Proof.
  intros H. revert b. induction H as [c c' R | c c' c'' R _ IH]; intros b Hc;
  (eapply closed_step; [exact R | intros d [<-|[]]]); auto.
Qed.

Inductive steps_of_scapegoat m : configuration -> configuration -> Prop :=
| forced_one c c' : sound_forced c m c' -> steps_of_scapegoat m c c'
| forced_more c c' c'' : sound_forced c m c' -> steps_of_scapegoat m c' c'' -> steps_of_scapegoat m c c''.
Lemma forced_decided c m c' : sound_forced c m c' -> sound_decided c m c'.
Proof.
  intros R t ts H. destruct (R t ts H) as (k & r & front & back & E & L & (n & s & Hs) & All).
  exists k, r, (extend r n s), front, back. repeat split; auto.
  eapply extends_step; eauto. constructor.
Qed.
Lemma closed_steps_of_scapegoat b c m c' : steps_of_scapegoat m c c' -> closed b c' -> closed b c.
Proof.
  induction 1 as [c c' R | c c' c'' R _ IH]; intros Hc;
  (eapply closed_decided; [eapply forced_decided; exact R | auto]).
Qed.

(** *** Herds stay herds *)

Lemma herd_step t ts k s : herd t ts -> step (last t) k s -> herd (extend t k s) ts.
Proof.
  intros [Ht Hts] Hs. destruct t as [o c l]. split; [eapply genuine_step; eauto|].
  eapply Forall_impl; [|exact Hts]. intros [q r] [Hg Hf]; split; auto.
Qed.
Lemma herd_replace t front k r r' back :
  herd t (front ++ (k, r) :: back) -> extends r r' -> herd t (front ++ (k, r') :: back).
Proof.
  intros [Ht Hts] He. split; auto. apply Forall_app in Hts as [H1 H2].
  inversion_clear H2 as [|? ? [Hg Hf] H3]. apply Forall_app; split; auto. constructor; auto.
  simpl in *. split; [eapply extends_genuine; eauto|].
  unfold compares in *. rewrite (extends_origin _ _ He). auto.
Qed.
Lemma herd_incl t ts ts' : herd t ts -> incl ts' ts -> herd t ts'.
Proof. intros [Ht Hts] Hi. split; auto. rewrite Forall_forall in *. auto. Qed.
Lemma herd_weaker t ts ts' : herd t ts -> Forall2 weaker ts ts' -> herd t ts'.
Proof.
  intros [Ht Hts] Hw. split; auto. induction Hw as [|p q ts ts' [E K] Hw IH]; auto.
  inversion_clear Hts as [|? ? [Hg Hf] H3]. constructor; auto.
  destruct p as [k r], q as [k' r']; simpl in *; subst r'. split; auto.
  destruct K; subst; auto. unfold compares in *. destruct k; lia.
Qed.
Lemma herd_add t ts k s : herd t ts -> entry s -> compares k (Run s 0 s) t ->
  herd t (ts ++ [(k, Run s 0 s)]).
Proof.
  intros [Ht Hts] He Hf. split; auto. apply Forall_app; split; auto.
  constructor; auto. split; auto. constructor; auto.
Qed.

(** *** The least failing execution *)

(** The order of executions: size of the input, then values and rounds consumed. *)
Definition before (r : run) (n c : nat) := size (origin r) < n \/ size (origin r) <= n /\ consumed r < c.
Definition minimal n c := forall r, genuine r -> failed (last r) -> ~ before r n c.

(** States from which n steps that consume c values and rounds lead to a failure. *)
Inductive doomed : nat -> nat -> state -> Prop :=
| doomed_now s : failed s -> doomed 0 0 s
| doomed_later s k s' n c : step s k s' -> doomed n c s' -> doomed (S n) (k + c) s.

Lemma doomed_origin : forall r, genuine r -> forall n c, doomed n c (last r) ->
  exists m, doomed m (consumed r + c) (origin r).
Proof.
  induction 1 as [s He | o c s k s' Hg IH Hs]; simpl in *; intros n d Hd.
  - exists n. exact Hd.
  - destruct (IH (S n) (k + d)) as [m Hm]; [econstructor; eauto|].
    exists m. replace (c + k + d) with (c + (k + d)) by lia. exact Hm.
Qed.

Lemma doomed_fails : forall n c s, doomed n c s -> forall r, last r = s ->
  exists r', extends r r' /\ failed (last r').
Proof.
  induction 1 as [s Hf | s k s' n c Hs _ IH]; intros r E; subst s.
  - exists r. split; [constructor | exact Hf].
  - destruct (IH (extend r k s') eq_refl) as (r' & He & Hf). exists r'. split; auto.
    eapply extends_trans; [|exact He]. econstructor; [constructor | exact Hs].
Qed.

Hypothesis templates_closed : forall c, In c templates -> closed false c.

(** No closed configuration accounts for a part of the least failing execution:
    by induction on the steps to the failure, then on whether there was
    progress, then on the derivation. *)
Lemma not_accounted : forall n b c, closed b c ->
  forall t ts d, denotes c t ts -> doomed n d (last t) ->
    minimal (size (origin t)) (consumed t + d) -> False.
Proof.
  induction n as [n IHn] using lt_wf_ind.
  assert (Hmain : forall b,
    (b = true -> forall c, closed false c -> forall t ts d, denotes c t ts ->
       doomed n d (last t) -> minimal (size (origin t)) (consumed t + d) -> False) ->
    forall c, closed b c -> forall t ts d, denotes c t ts ->
       doomed n d (last t) -> minimal (size (origin t)) (consumed t + d) -> False).
  { intros b Hroot c Hc.
    induction Hc as [b c cs R HC _ | b c m c' R Hc IH | b c cs R HC IH | b c c' R Hc IH
      | b c c' R Hc IH | c c' R Hin | b c R | b c R | b c R]; intros t ts d Hd Hdoom Hmin;
      pose proof Hd as [Hh Hs].
    - (* Step *)
      destruct (R _ _ Hd) as [Hnf Hall].
      inversion Hdoom as [s Hf | s k s' n' c0 Hst Hdoom']; subst; [tauto|].
      destruct (Hall _ _ Hst) as [c' [Hin Hs']].
      eapply (IHn n'); [lia | apply (HC c' Hin) | split; [eapply herd_step; eauto | exact Hs'] | exact Hdoom' |].
      simpl. replace (consumed t + k + c0) with (consumed t + (k + c0)) by lia. exact Hmin.
    - (* StepDecided *)
      destruct (R _ _ Hd) as (k & r & r' & front & back & E & _ & Hx & Hs'). subst ts.
      eapply IH; [assumption | split; [eapply herd_replace; eauto | exact Hs'] | exact Hdoom | exact Hmin].
    - (* Split, Unfold, Let, Infeasible *)
      destruct (R _ _ Hd) as [c' [Hin Hs']].
      eapply (IH c' Hin); [assumption | split; [exact Hh | exact Hs'] | exact Hdoom | exact Hmin].
    - (* Drop *)
      destruct (R _ _ Hd) as [ts' [Hi Hs']].
      eapply IH; [assumption | split; [eapply herd_incl; eauto | exact Hs'] | exact Hdoom | exact Hmin].
    - (* AddScapegoat *)
      destruct (R _ _ Hd) as (k & s & He & Hf & Hs').
      eapply IH; [assumption | split; [exact (herd_add _ _ _ _ Hh He Hf) | exact Hs'] | exact Hdoom | exact Hmin].
    - (* Subsume *)
      destruct (R _ _ Hd) as [ts' [Hw Hs']].
      eapply (Hroot eq_refl); [exact (templates_closed _ Hin) | split; [eapply herd_weaker; eauto | exact Hs'] | exact Hdoom | exact Hmin].
    - (* Descent *)
      destruct (R _ _ Hd) as (k & r & r' & Hin & Hx & Hf & Hlt).
      destruct Hh as [_ Hts]. rewrite Forall_forall in Hts. destruct (Hts _ Hin) as [Hg Hfit].
      apply (Hmin r'); auto; [eapply extends_genuine; eauto|].
      unfold before. rewrite (extends_origin _ _ Hx). simpl in *.
      unfold compares in Hfit. destruct k, Hlt as [E|Hlt]; try discriminate; lia.
    - (* Twin *)
      destruct (R _ _ Hd) as (r & Hin & Hr). destruct (doomed_fails _ _ _ Hdoom t eq_refl) as (t' & He & Hf).
      destruct (Hr t' He Hf) as (r' & Hx & Hf').
      destruct Hh as [_ Hts]. rewrite Forall_forall in Hts. destruct (Hts _ Hin) as [Hg Hlt]. simpl in *.
      apply (Hmin r'); auto; [eapply extends_genuine; eauto|].
      left. rewrite (extends_origin _ _ Hx). exact Hlt.
    - (* End *)
      destruct (R _ _ Hd) as [Hnf Hns].
      inversion Hdoom; subst; [tauto | eapply Hns; eauto]. }
  intros [|] c; [apply Hmain | apply Hmain; discriminate].
  intros _ c' Hc'. apply (Hmain false); auto; discriminate.
Qed.

(** ** Acceptance *)

(** Roots may cover some valid inputs only, *canonical* ones (arrays that begin
    at 0, say), if every failing execution has one from such an input that does
    not come after it. *)
Variable canonical : state -> Prop.
Hypothesis canonical_entry : forall s, canonical s -> entry s.
Hypothesis canonical_enough : forall r, genuine r -> failed (last r) ->
  exists r', genuine r' /\ canonical (origin r') /\ failed (last r') /\
    size (origin r') <= size (origin r) /\ consumed r' <= consumed r.
Variable roots : list configuration.
Hypothesis roots_closed : forall c, In c roots -> closed true c.
Hypothesis roots_cover : forall s, canonical s -> exists c, In c roots /\ shows c (Run s 0 s) [].

Theorem acceptance : safe.
Proof.
  unfold safe.
  assert (H : forall n c r, size (origin r) <= n -> consumed r <= c -> genuine r -> ~ failed (last r)).
  { intros n; induction n as [n IHn] using lt_wf_ind.
    intros c; induction c as [c IHc] using lt_wf_ind.
    intros r0 Hn0 Hc0 Hg0 Hf0.
    destruct (canonical_enough _ Hg0 Hf0) as (r & Hg & Hcan & Hf & Hsz & Htk).
    destruct (doomed_origin r Hg 0 0) as [m Hm]; [constructor; auto|].
    rewrite Nat.add_0_r in Hm.
    destruct (roots_cover _ Hcan) as [c0 [Hin Hs]].
    apply (not_accounted m true c0 (roots_closed _ Hin) (Run (origin r) 0 (origin r)) [] (consumed r)); auto.
    - split; auto. split; auto. constructor. auto.
    - simpl. intros r' Hg' Hf' Hb. destruct Hb as [Hb | [Hb1 Hb2]].
      + apply (IHn (size (origin r'))) with (c := consumed r') (r := r'); auto; lia.
      + apply (IHc (consumed r')) with (r := r'); auto; lia. }
  intros r. eapply (H _ _ r); eauto.
Qed.
End Derivations.

End Calculus.
