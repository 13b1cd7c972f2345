(** Rules that look at no heap (spec/calculus.md#rules), on configurations whose
    members have folded parts: Split, Infeasible, Let, Drop, Descent. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Runs Alike Folding FoldedMembers Configurations.
Import ListNotations.
Open Scope Z_scope.

Notation holds := Terms.holds.

Section FoldedRules.
Variable P : program.
Variable under : parameters.
Variable table : nat -> sort_of_trees.
Notation machine := (system_of P under).
Notation accounts := (accounts P under).
Notation accounts_sized := (accounts_sized P under).
Notation shows := (shows P under table).

Lemma scope_parts c : in_scope c = true -> forallb (scoped_literal (variables c)) (predicate c) = true /\
  scoped_counted (variables c) (primary c) = true /\ forallb (fun p => scoped_counted (variables c) (snd p)) (others c) = true.
Proof. unfold in_scope. intros S. apply andb_prop in S as [S S3]. apply andb_prop in S as [S1 S2]. auto. Qed.

(** *** Agreement *)

Section Agree.
Variables (sorts : list symbol_sort) (phi : meaning) (n : nat) (nu mu : valuation).
Hypothesis agrees : agree n nu mu.
Lemma accounts_agree x r : scoped_counted n x = true -> accounts sorts nu phi x r -> accounts sorts mu phi x r.
Proof.
  unfold scoped_counted. intros S [A C]. apply andb_prop in S as [S1 S2]. split.
  - destruct (stands x) as [m| |]; auto. destruct A as (s & L & g & rn & Tg & (rho & ro & la & ce & D) & Al).
    exists s. split; auto. exists g, rn. split; auto. split; auto. exists rho, ro, la, ce.
    eapply describes_agree; eauto. intros y s0 E. auto.
  - destruct (counted x) as [u|]; auto. simpl in S2. rewrite <- (proj1 (agree_eval n nu mu agrees) _ S2). exact C.
Qed.
Lemma others_agree ps ts : forallb (fun p => scoped_counted n (snd p)) ps = true ->
  Forall2 (accounts_sized sorts nu phi) ps ts -> Forall2 (accounts_sized sorts mu phi) ps ts.
Proof.
  intros S H. induction H as [|p q ps ts [F A] _ IH]; constructor; simpl in S; apply andb_prop in S as [S1 S2]; auto.
  split; auto. apply accounts_agree; auto.
Qed.
End Agree.

(** *** Split, Infeasible, Let *)

Definition assume ls c := {| variables := variables c; symbols := symbols c; predicate := ls ++ predicate c; primary := primary c; others := others c |}.
Lemma assume_scope l c : in_scope c = true -> scoped_literal (variables c) l = true -> in_scope (assume [l] c) = true.
Proof. intros S L. apply scope_parts in S as (S1 & S2 & S3). unfold in_scope. simpl. rewrite L, S1, S2, S3. auto. Qed.
Theorem folded_split_sound c l : scoped_literal (variables c) l = true -> scoped_literal (variables c) (negation l) = true ->
  sound_cover machine _ shows c [assume [l] c; assume [negation l] c].
Proof.
  intros L L' t ts [_ (S & nu & phi & [W M] & Me & A & O)].
  destruct (holds_or_not nu l) as [H|H]; [exists (assume [l] c) | exists (assume [negation l] c)]; (split; [simpl; auto|]);
  (split; [apply assume_scope; auto|]); exists nu, phi; (split; [split; [exact W | constructor; auto] | auto]).
Qed.
Theorem folded_infeasible_sound c : absurd (predicate c) -> sound_cover machine _ shows c [].
Proof. intros U t ts [_ (_ & nu & phi & M & _)]. destruct (U nu M). Qed.
Definition define t c := {| variables := S (variables c); symbols := symbols c;
  predicate := Equal (Minus (Var None (variables c)) t) :: predicate c; primary := primary c; others := others c |}.
Theorem folded_let_sound c t : scoped (variables c) t = true -> in_scope (define t c) = true -> sound_cover machine _ shows c [define t c].
Proof.
  intros T S' r ts [_ (S & nu & phi & [W M] & Me & A & O)]. apply scope_parts in S as (S1 & S2 & S3).
  set (n := variables c) in *.
  set (mu := {| integers := fun U x => if sort_eqb U None && Nat.eqb x n then eval nu t else integers nu U x; arrays := arrays nu |}).
  assert (G : agree n nu mu).
  { split; auto. intros U x L. simpl. destruct (Nat.eqb_spec x n); [lia|]. rewrite andb_false_r. auto. }
  exists (define t c). split; [simpl; auto|]. split; auto. exists mu, phi. split; [split|split; [exact Me | split]].
  - destruct W as [W1 W2]. split; auto.
  - simpl. constructor; [|eapply literals_agree; eauto]. simpl. fold n. rewrite Nat.eqb_refl.
    rewrite <- (proj1 (agree_eval n nu mu G) t T). lia.
  - eapply accounts_agree; eauto.
  - eapply others_agree; eauto.
Qed.

(** *** Drop, Descent *)

Theorem folded_drop_sound c front p back : others c = front ++ p :: back ->
  sound_drop machine _ shows c {| variables := variables c; symbols := symbols c; predicate := predicate c; primary := primary c; others := front ++ back |}.
Proof.
  intros E t ts [_ (S & nu & phi & M & Me & A & O)]. rewrite E in O. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & ->).
  inversion O2 as [|? q ? ts3 Hq O3]; subst. exists (ts1 ++ ts3). split.
  - intros x I. apply in_app_or in I. apply in_or_app. simpl. tauto.
  - split; [|exists nu, phi; split; auto; split; auto; split; auto; apply Forall2_app; auto].
    apply scope_parts in S as (S1 & S2 & S3). unfold in_scope; simpl. rewrite S1, S2. rewrite E, forallb_app in S3. simpl in S3.
    apply andb_prop in S3 as [S3 S4]. apply andb_prop in S4 as [_ S4]. rewrite forallb_app, S3, S4. auto.
Qed.
Theorem folded_descent_sound c k x : In (k, x) (others c) -> stands x = HasFailed ->
  (k = Smaller \/ exists s t, counted x = Some s /\ counted (primary c) = Some t /\
     forall nu, model nu (predicate c) -> eval nu s < eval nu t) ->
  sound_descent machine _ shows c.
Proof.
  intros I F L t ts [_ (_ & nu & phi & M & _ & [_ A] & O)].
  assert (X : exists r, In (k, r) ts /\ accounts (symbols c) nu phi x r).
  { clear - I O. induction O as [|p q ps ts [E B] _ IH]; [destruct I|]. destruct I as [->|I].
    - exists (snd q). simpl in *. split; auto. left. destruct q; simpl in *; congruence.
    - destruct (IH I) as (r & J & K). exists r. simpl. auto. }
  destruct X as (r & J & [B C]). rewrite F in B. exists k, r, r. split; auto. split; [constructor|]. split; [exact B|].
  destruct L as [L|(s & u & Es & Et & L)]; [auto|]. right. rewrite Es in C. rewrite Et in A. specialize (L nu M). lia.
Qed.
End FoldedRules.
