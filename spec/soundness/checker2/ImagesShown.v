(** That the images of a template's variables, which the certificate gives, have values of
    the variables' sorts wherever the configuration's literals hold (spec/calculus.md#subsume). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States.
From Goatherd.checker2 Require Closing Covering.
Import ListNotations.
Open Scope Z_scope.

Section Substitution.
Variable c : configuration.
Variable rho : Terms.valuation.
Hypothesis sorted : Terms.well_sorted rho.
Variable tabs : indexed table.
Notation good := (good rho tabs).
Notation meets := (meets rho tabs).
Notation known_in s := (forall l, In l (known_literals c) -> literal_in s l).
Notation known_hold M := (forall l, In l (known_literals c) -> literal_holds M l).

Lemma for_each_meets {A} (f : A -> computes unit) (I : state -> model -> Prop) (R : A -> state -> model -> Prop) :
  (forall s M s' M', keeps s M s' M' -> I s M -> I s' M') -> (forall a s M s' M', I s M -> keeps s M s' M' -> R a s M -> R a s' M') ->
  forall l, (forall a s M, In a l -> good s M -> I s M -> meets s M (f a) (fun _ s' M' => R a s' M')) ->
  forall s M, good s M -> I s M -> meets s M (for_each f l) (fun _ s' M' => forall a, In a l -> R a s' M').
Proof.
  intros Ik Rk l. unfold for_each. induction l as [|a l IH]; intros H s M G J; cbn [folded_left]; [apply meets_ret; auto; intros ? []|].
  eapply meets_bind; [apply H; auto; left; reflexivity|]. intros [] s1 M1 G1 K1 Ra. eapply meets_weaker; [apply IH; [intros; apply H; auto; right; assumption | exact G1 | eapply Ik; eauto]|].
  intros ? s2 M2 _ K2 Rl b [<-|Ib]; [exact (Rk a s1 M1 s2 M2 (Ik _ _ _ _ K1 J) K2 Ra) | auto].
Qed.
Definition integer_shown (q : option integer_type) (s : state) (M : model) (n : N) : Prop := (n < linears_in s)%N /\
  (known_hold M -> match q with Some T => Integers.within T (vl M n) | None => True end).
Definition elements_shown (T : integer_type) (s : state) (M : model) (a : N) : Prop := (a < arrays_in s)%N /\ (known_hold M -> forall j, Integers.within T (vr M a j)).
Lemma hold_back s M s' M' : known_in s -> keeps s M s' M' -> known_hold M' -> known_hold M.
Proof. intros L K H l I. apply (literal_kept _ _ _ _ l K (L l I)). auto. Qed.
Lemma integer_kept q s M s' M' n : known_in s -> keeps s M s' M' -> integer_shown q s M n -> integer_shown q s' M' n.
Proof.
  intros L K [I H]. split; [pose proof (proj1 (keeps_linears _ _ _ _ K)); lia|]. intros Ho. rewrite (proj2 (keeps_linears _ _ _ _ K) n I). apply H. eapply hold_back; eauto.
Qed.
Lemma elements_kept T s M s' M' a : known_in s -> keeps s M s' M' -> elements_shown T s M a -> elements_shown T s' M' a.
Proof.
  intros L K [I H]. split; [pose proof (proj1 (keeps_arrays _ _ _ _ K)); lia|]. intros Ho j. rewrite (proj2 (keeps_arrays _ _ _ _ K) a I j). apply H. eapply hold_back; eauto.
Qed.
Lemma known_in_kept s M s' M' : keeps s M s' M' -> known_in s -> known_in s'.
Proof. intros K L l I. apply (literal_kept _ _ _ _ l K (L l I)). Qed.

Lemma range_lies T r z : lies_in r T = true -> in_range r z -> Integers.within T z.
Proof. destruct r as [[a b]|]; simpl; [|discriminate]. intros L H. apply andb_prop in L as [A B]. apply is_within_iff in A, B. unfold Integers.within in *. lia. Qed.
Lemma range_shown s M v T : good s M -> known_in s -> (v < linears_in s)%N ->
  meets s M (shown_range (known_literals c) v (type_range T)) (fun _ _ _ => known_hold M -> Integers.within T (vl M v)).
Proof. intros G L I. eapply meets_weaker; [apply shown_range_meets; auto|]. intros ? ? ? _ _ H Ho. exact (H Ho). Qed.
Lemma elements_meets T fuel : forall s M a, good s M -> known_in s -> meets s M (shown_elements fuel (known_literals c) a T) (fun _ s' M' => known_hold M -> forall j, Integers.within T (vr M a j)).
Proof.
  induction fuel as [|fuel IH]; intros s M a G L; cbn [shown_elements];
    (eapply meets_peek; [eapply array_range_peek; eauto|]; intros r R; destruct (lies_in r T) eqn:Lr; [apply meets_ret; [exact G|]; intros _ j; eapply range_lies; eauto|];
     eapply meets_peek; [eapply array_peek; eauto|]; intros x (Ia & Pa & V)).
  - destruct x as [S y|b i v|v|t]; try apply meets_refuses. eapply meets_weaker; [apply range_shown; auto; apply (Pa (LinearPart v)); left; reflexivity|].
    intros ? ? ? _ _ H Ho j. rewrite V. simpl. auto.
  - destruct x as [S y|b i v|v|t]; try apply meets_refuses.
    + assert (Iv : (v < linears_in s)%N) by (apply (Pa (LinearPart v)); right; right; left; reflexivity).
      eapply meets_bind; [apply range_shown; auto|]. intros ? s1 M1 G1 K1 H. cbn beta in H. eapply meets_weaker; [apply IH; [exact G1 | eapply known_in_kept; eauto]|].
      intros ? s2 M2 _ _ H2 Ho j. rewrite V. simpl. destruct (j =? vl M i); [auto|].
      assert (Ib : (b < arrays_in s)%N) by (apply (Pa (ArrayPart b)); left; reflexivity). rewrite <- (proj2 (keeps_arrays _ _ _ _ K1) b Ib j). apply H2.
      intros l I. apply (literal_kept _ _ _ _ l K1 (L l I)). auto.
    + eapply meets_weaker; [apply range_shown; auto; apply (Pa (LinearPart v)); left; reflexivity|]. intros ? ? ? _ _ H Ho j. rewrite V. simpl. auto.
Qed.
Lemma array_meets s M a T : good s M -> known_in s -> meets s M (shown_array (variables c) (known_literals c) a T) (fun _ s' M' => elements_shown T s' M' a).
Proof.
  intros G L. unfold shown_array, exists_in. eapply meets_peek with (P := fun _ => (a < arrays_in s)%N).
  { eapply peeks_bind with (P := fun _ => (a < arrays_in s)%N); [|intros x I; apply peeks_demand; auto].
    unfold scope_of_part, look_up, Arena.bind, ret. intros x s'. destruct (node_at (array_nodes s) a) as [y|] eqn:En; [|discriminate].
    intros [= _ <-]. apply G in En as (I & _). auto. }
  intros ? I. cbn beta in I. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros n _.
  eapply meets_weaker; [apply elements_meets; auto|]. intros ? s' M' _ K H. eapply elements_kept; eauto. split; auto.
Qed.
Lemma term_meets s M t q : good s M -> known_in s -> meets s M (shown_integer (variables c) (known_literals c) t q) (fun _ s' M' => integer_shown q s' M' t).
Proof. intros G L. eapply meets_weaker; [apply shown_integer_meets; auto|]. intros ? s' M' _ K H. eapply integer_kept; eauto. Qed.
Record substitution_right (s : state) (M : model) (th : Covering.substitution) : Prop := {
  nothing_seen : Covering.images th = PositiveMap.empty N;
  integers_shown : forall q x l n, nth (Covering.of_integers th) (number_of_sort q) = Some l -> nth l x = Some n -> integer_shown q s M n;
  arrays_shown : forall T x l n, nth (Covering.of_arrays th) (number_of T) = Some l -> nth l x = Some n -> elements_shown T s M n }.
Lemma pair_in {A B} (l : list A) : forall (k : list B) n a b, nth l n = Some a -> nth k n = Some b -> In (a, b) (List.combine l k).
Proof.
  induction l as [|x l IH]; intros [|y k] n a b H F; try discriminate. cbn [nth List.combine] in *. destruct (n =? 0)%N; [injection H as ->; injection F as ->; left; reflexivity | right; eauto].
Qed.
Theorem substitution_meets sc mt s M : good s M -> known_in s -> meets s M (Covering.substitution_of c sc mt) (fun th s' M' => substitution_right s' M' th).
Proof.
  intros G L. unfold Covering.substitution_of. eapply meets_peek with (P := fun _ => True); [apply peeks_some; auto|]. intros is_ _. eapply meets_peek with (P := fun _ => True); [apply peeks_some; auto|]. intros as_ _.
  eapply meets_bind; [apply (for_each_meets _ (fun s _ => known_in s) (fun p s M => forall n, In n (snd p) -> integer_shown (fst p) s M n)); auto|].
  - intros; eapply known_in_kept; eauto.
  - intros p s1 M1 s2 M2 L1 K H n I. eapply integer_kept; eauto.
  - intros [q ts] s1 M1 _ G1 L1. apply (for_each_meets _ (fun s _ => known_in s) (fun n s M => integer_shown q s M n)); auto.
    + intros; eapply known_in_kept; eauto.
    + intros n s2 M2 s3 M3 L2 K H. eapply integer_kept; eauto.
    + intros n s2 M2 _ G2 L2. apply term_meets; auto.
  - intros ? s1 M1 G1 K1 Hi. cbn beta in Hi. pose proof (known_in_kept _ _ _ _ K1 L) as L1.
    eapply meets_bind; [apply (for_each_meets _ (fun s _ => known_in s) (fun p s M => forall n, In n (snd p) -> elements_shown (fst p) s M n)); auto|].
    + intros; eapply known_in_kept; eauto.
    + intros p s2 M2 s3 M3 L2 K H n I. eapply elements_kept; eauto.
    + intros [T ars] s2 M2 _ G2 L2. apply (for_each_meets _ (fun s _ => known_in s) (fun n s M => elements_shown T s M n)); auto.
      * intros; eapply known_in_kept; eauto.
      * intros n s3 M3 s4 M4 L3 K H. eapply elements_kept; eauto.
      * intros n s3 M3 _ G3 L3. apply array_meets; auto.
    + intros ? s2 M2 G2 K2 Ha. cbn beta in Ha. apply meets_looks; auto. split; [reflexivity| |].
      * intros q x l n Hl Hn. cbn [Covering.of_integers] in Hl. eapply integer_kept; [exact L1 | exact K2|]. apply (Hi (q, l)); [|eapply Closing.nth_in; eauto].
        eapply pair_in; [|exact Hl]. destruct q as [[]|]; reflexivity.
      * intros T x l n Hl Hn. cbn [Covering.of_arrays] in Hl. apply (Ha (T, l)); [|eapply Closing.nth_in; eauto].
        eapply pair_in; [|exact Hl]. destruct T; reflexivity.
Qed.
End Substitution.
