(** Fresh variables whose values are chosen when they are made: whatever is said of older
    terms stays, since no older term mentions them. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Typed.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting States Denoting Carried Shown.
Import ListNotations.
Open Scope Z_scope.

(** ** A variable for arrays more *)

Definition one_more_array (sc : scope) (T : integer_type) (y : N) : scope := {| integers := integers sc; arrays := set_at (arrays sc) (number_of T) y |}.
Definition set_array (nu : Terms.valuation) (T : integer_type) (x : N) (a : Z -> Z) : Terms.valuation := {|
  Terms.integers := Terms.integers nu;
  Terms.arrays := fun U y => if integer_type_eqb U T && Nat.eqb y (N.to_nat x) then a else Terms.arrays nu U y |}.
Lemma set_array_value nu T x a : Terms.arrays (set_array nu T x a) T (N.to_nat x) = a.
Proof. simpl. rewrite (proj2 (integer_type_eqb_eq T T) eq_refl), Nat.eqb_refl. reflexivity. Qed.
Lemma set_array_sorted nu T x a : Terms.well_sorted nu -> (forall i, Integers.within T (a i)) -> Terms.well_sorted (set_array nu T x a).
Proof.
  intros [A B] W. split; auto. intros U y i. cbn [Terms.arrays set_array]. destruct (integer_type_eqb U T && _) eqn:E; [|apply B].
  apply andb_prop in E as [E _]. apply integer_type_eqb_eq in E. subst U. apply W.
Qed.
Lemma set_array_agrees sc nu T x a : nth (arrays sc) (number_of T) = Some x -> agree_within sc nu (set_array nu T x a).
Proof.
  intros E. split; auto. intros U y (n & En & L) j. cbn [Terms.arrays set_array]. destruct (integer_type_eqb U T && _) eqn:D; auto.
  apply andb_prop in D as [D1 D2]. apply integer_type_eqb_eq in D1. apply Nat.eqb_eq in D2. apply N2Nat.inj in D2. subst. rewrite E in En. injection En as <-. lia.
Qed.
Lemma array_more_formed sc T y : formed_scope sc -> formed_scope (one_more_array sc T y).
Proof. intros [A B]. split; simpl; [|rewrite set_at_length]; auto. Qed.
Lemma array_more_exists sc T x U y : nth (arrays sc) (number_of T) = Some x -> array_exists sc U y -> array_exists (one_more_array sc T (N.succ x)) U y.
Proof.
  intros E (n & En & L). unfold array_exists. simpl. rewrite (nth_set_at _ _ _ _ _ E). destruct (N.eqb_spec (number_of U) (number_of T)) as [D|D]; [|eauto].
  exists (N.succ x). split; auto. rewrite D, E in En. injection En as <-. lia.
Qed.
Lemma array_more_new sc T x : nth (arrays sc) (number_of T) = Some x -> array_exists (one_more_array sc T (N.succ x)) T x.
Proof. intros E. exists (N.succ x). simpl. rewrite (nth_set_at _ _ _ _ _ E), N.eqb_refl. split; auto. lia. Qed.
Definition with_array_more c T x : configuration := with_variables c (one_more_array (variables c) T (N.succ x)).
Lemma array_variable_within nu tabs sc s M T x : Terms.well_sorted nu -> good nu tabs s M -> array_exists sc T x ->
  meets nu tabs s M (array_variable T x) (fun a s' _ => part_within s' sc (ArrayPart a)).
Proof.
  intros W G H. eapply meets_weaker; [apply add_array_is; [exact G | intros _ j; apply (proj2 W T)]|]. intros a s' M' _ _ [_ (y & X & Ca)].
  apply (array_within_by s' sc a y X); rewrite Ca; [exact H | intros ? []].
Qed.

Section Drawn.
Variable tabs : indexed table.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation modelled := (modelled tabs).
Notation later := (later tabs).

(** ** Worlds *)

(** A configuration beside its terms, under values of its variables. *)
Record world (s : state) (c : configuration) (nu : Terms.valuation) (M : model) : Prop := {
  world_sorted : Terms.well_sorted nu;
  world_good : good nu s M;
  world_scope : in_scope s c;
  world_modelled : modelled s }.
(** What was said of terms is said still. *)
Record goes_on (s : state) (c : configuration) (M : model) (s' : state) (c' : configuration) (M' : model) : Prop := {
  goes_later : later s s';
  goes_terms : forall p, part_within s (variables c) p -> part_within s' (variables c') p /\ same_value M M' p }.
Lemma goes_trans s c M s1 c1 M1 s2 c2 M2 : goes_on s c M s1 c1 M1 -> goes_on s1 c1 M1 s2 c2 M2 -> goes_on s c M s2 c2 M2.
Proof.
  intros [L T] [L' T']. split; [eapply later_trans; eauto|]. intros p W. destruct (T p W) as [W1 V1]. destruct (T' p W1) as [W2 V2]. split; auto.
  destruct p; simpl in *; [congruence | intros j; rewrite V2; apply V1].
Qed.
Lemma goes_refl s c M : goes_on s c M s c M.
Proof. split; [apply later_refl|]. intros p W. split; auto. destruct p; simpl; auto. Qed.
Lemma kept_goes s c nu M s' M' : good nu s M -> keeps s M s' M' -> later s s' -> goes_on s c M s' c M'.
Proof. intros G K L. split; auto. intros p W. split; [eapply part_kept; eauto | eapply kept_value; [exact K | eapply within_in; eauto]]. Qed.
(** What makes terms, whatever the values. *)
Lemma computed {A} s c nu M (x : computes A) (Q : Terms.valuation -> model -> A -> state -> model -> Prop) a s' : world s c nu M ->
  (forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M x (Q nu M)) -> x s = Gives a s' ->
  exists M', world s' c nu M' /\ goes_on s c M s' c M' /\ keeps s M s' M' /\ Q nu M a s' M'.
Proof.
  intros [W G Sc Mo] H R. pose proof (meets_later tabs s x a s' Q H R) as La. destruct (H nu M W G _ _ R) as (M' & G' & K & Qa). exists M'.
  split; [split; auto; [eapply in_scope_later; eauto | eapply modelled_later; eauto]|]. split; [eapply kept_goes; eauto | auto].
Qed.
(** What only changes the configuration. *)
Lemma world_changes s c c' nu M : world s c nu M -> in_scope s c' -> world s c' nu M.
Proof. intros [W G _ Mo] Sc. split; auto. Qed.

(** ** Fresh variables *)

Lemma revalued s c nu M mu : world s c nu M -> Terms.well_sorted mu -> agree_within (variables c) nu mu -> exists K, world s c mu K /\ forall p, part_within s (variables c) p -> same_value M K p.
Proof.
  intros [W G Sc Mo] Wm Ag. destruct (Mo mu Wm) as [K Gk]. exists K. split; [split; auto|]. intros p Wp. exact (proj2 (within_agree tabs nu mu (variables c) Ag s M K G Gk) p Wp).
Qed.
Theorem integer_drawn s c nu M T z t c' s' : world s c nu M -> Integers.within T z -> fresh c (Some T) s = Gives (t, c') s' ->
  exists mu M' x, c' = with_one_more c (Some T) x /\ world s' c' mu M' /\ goes_on s c M s' c' M' /\ vl M' t = z /\ part_within s' (variables c') (LinearPart t).
Proof.
  intros Wo Wz R. pose proof Wo as [W G Sc Mo].
  assert (Ex : exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x).
  { unfold fresh, bind, some in R. destruct (nth (integers (variables c)) (number_of_sort (Some T))) as [x|]; [eauto | discriminate]. }
  destruct Ex as [x Ex]. pose proof (set_integer_sorted nu (Some T) x z W Wz) as Wm. pose proof (set_integer_agrees (variables c) nu (Some T) x z Ex) as Ag.
  destruct (revalued s c nu M _ Wo Wm Ag) as (K & Wk & Sv).
  destruct (computed s c _ K (fresh c (Some T)) (fun nu M p s' M' => exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x /\ snd p = with_one_more c (Some T) x /\
    is_term s' M' (fst p) (Terms.integers nu (Some T) (N.to_nat x)) /\ part_within s' (variables (with_one_more c (Some T) x)) (LinearPart (fst p))) (t, c') s' Wk) as (M' & W1 & Go & Kp & y & Ey & Ec & V & Wt); auto.
  { intros mu L Wl Gl. apply fresh_meets; auto. }
  cbn [fst snd] in *. rewrite Ex in Ey. injection Ey as <-. subst c'. exists (set_integer nu (Some T) x z), M', x. split; auto.
  split; [apply (world_changes s' c); [exact W1 | apply one_more_scope; [exact Ex | exact (world_scope _ _ _ _ W1)]]|].
  split; [split; [exact (goes_later _ _ _ _ _ _ Go)|]; intros p Wp|].
  - destruct (goes_terms _ _ _ _ _ _ Go p Wp) as [W2 V2]. split.
    + eapply (within_wider s' (variables c)); [| |exact W2]; [intros r j; apply one_more_exists; exact Ex | intros U j (n & En & L); exists n; auto].
    + pose proof (Sv p Wp) as V1. destruct p; simpl in *; [congruence | intros j; rewrite V2; apply V1].
  - split; [|exact Wt]. destruct V as [_ V]. rewrite V. apply set_integer_value.
Qed.
Theorem array_drawn s c nu M T a b c' s' : world s c nu M -> (forall i, Integers.within T (a i)) -> fresh_array c T s = Gives (b, c') s' ->
  exists mu M' x, c' = with_array_more c T x /\ world s' c' mu M' /\ goes_on s c M s' c' M' /\ (forall i, vr M' b i = a i) /\ part_within s' (variables c') (ArrayPart b).
Proof.
  intros Wo Wa R. pose proof Wo as [W G Sc Mo]. unfold fresh_array in R. unfold bind at 1, some at 1 in R. destruct (nth (arrays (variables c)) (number_of T)) as [x|] eqn:Ex; [|discriminate]. unfold ret at 1 in R.
  unfold bind at 1 in R. unfold next_number at 1 in R. destruct (_ <? _)%N; [|discriminate]. unfold ret at 1 in R. unfold bind in R. destruct (array_variable T x s) as [b1 s1|] eqn:V; [|discriminate]. injection R as <- <- <-.
  pose proof (set_array_sorted nu T x a W Wa) as Wm. pose proof (set_array_agrees (variables c) nu T x a Ex) as Ag. destruct (revalued s c nu M _ Wo Wm Ag) as (K & Wk & Sv).
  destruct (computed s c _ K (array_variable T x) (fun nu _ b s' M' => is_array s' M' b (Terms.arrays nu T (N.to_nat x)) /\ part_within s' (one_more_array (variables c) T (N.succ x)) (ArrayPart b)) b1 s1 Wk) as (M' & W1 & Go & Kp & [_ Vb] & Wb); auto.
  { intros mu L Wl Gl. apply meets_also; [apply array_variable_meets; auto | apply (array_variable_within mu); auto; apply array_more_new; exact Ex]. }
  assert (Wide : forall p, part_within s1 (variables c) p -> part_within s1 (one_more_array (variables c) T (N.succ x)) p).
  { intros p. apply (within_wider s1 (variables c)); [intros q j (n & En & L); exists n; auto | intros U j; apply array_more_exists; exact Ex]. }
  exists (set_array nu T x a), M', x. split; auto. split.
  - apply (world_changes s1 c); [exact W1|]. destruct (world_scope _ _ _ _ W1) as (F & Rt & H). split; [apply array_more_formed; exact F|]. split; [exact Rt|]. intros p I. apply Wide, H. exact I.
  - split; [split; [exact (goes_later _ _ _ _ _ _ Go)|]; intros p Wp|].
    + destruct (goes_terms _ _ _ _ _ _ Go p Wp) as [W2 V2]. split; [apply Wide; exact W2|]. pose proof (Sv p Wp) as V1. destruct p; simpl in *; [congruence | intros j; rewrite V2; apply V1].
    + split; [|exact Wb]. intros i. rewrite Vb, set_array_value. reflexivity.
Qed.
End Drawn.
