(** Twin (spec/calculus.md#twin) on configurations with folded parts: where the
    primary and a scapegoat hold the same slots, as far as the rest of the program
    reads them, their states are alike. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Inputs Runs Existing Tidy Alike Owed Typed Twins Folding FoldedMembers Configurations.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

(** ** States that are alike: there, back, and on *)

Section Maps.
Variable K : knowledge.
Hypothesis all_elements : forall o f i, knows_element K o f i.
Definition maps_to (r : renaming) p o := match r o with Some (q, _) => Nat.eqb q p | None => false end.
Definition inverse (r : renaming) n : renaming := fun p => match find (maps_to r p) (seq 0 n) with
  | Some o => match r o with Some (_, k) => Some (o, - k) | None => None end | None => None end.
Lemma inverse_some r n p o j : inverse r n p = Some (o, j) -> r o = Some (p, - j).
Proof.
  unfold inverse. destruct (find (maps_to r p) (seq 0 n)) as [o'|] eqn:F; [|discriminate]. apply find_some in F as [_ F]. unfold maps_to in F.
  destruct (r o') as [[q k]|] eqn:E; [|discriminate]. apply Nat.eqb_eq in F. subst q. intros [= <- <-]. rewrite E. f_equal. f_equal. lia.
Qed.
Section Inverse.
Variables (r : renaming) (a b : state).
Hypothesis A : alike K r a b.
Notation back := (inverse r (length (memory a))).
Lemma inverse_at o p k : r o = Some (p, k) -> back p = Some (o, - k).
Proof.
  intros E. pose proof (in_memory _ _ _ _ A _ _ _ E) as [L _]. unfold inverse.
  destruct (find (maps_to r p) (seq 0 (length (memory a)))) as [o'|] eqn:F.
  - apply find_some in F as [_ F]. unfold maps_to in F. destruct (r o') as [[q k']|] eqn:E'; [|discriminate]. apply Nat.eqb_eq in F. subst q.
    assert (o' = o) by (eapply (one_to_one _ _ _ _ A); eauto). subst o'. rewrite E in E'. injection E' as <-. reflexivity.
  - assert (I : In o (seq 0 (length (memory a)))) by (apply in_seq; lia). pose proof (find_none _ _ F _ I) as N. unfold maps_to in N. rewrite E, Nat.eqb_refl in N. discriminate.
Qed.
Lemma value_back v w : value_alike r v w -> value_alike back w v.
Proof.
  destruct v as [| | |p], w as [| | |q]; simpl; auto. intros (k & E & Hi & Hb). exists (- k). rewrite (inverse_at _ _ _ E). split; auto. split; [lia | auto].
Qed.
Theorem alike_back : alike K back b a.
Proof.
  pose proof A as [A1 A2 A3 A4 A5 A6 A7 A8]. split; auto.
  - intros p p' o k k' E E'. apply inverse_some in E, E'. congruence.
  - intros p o k E. apply inverse_some in E. apply A5 in E. tauto.
  - intros p o k E. apply inverse_some in E. destruct (A6 _ _ _ E) as [O1 O2 O3 O4 O5 O6]. split; auto; try lia.
    intros Lv f i B _. rewrite O2 in Lv. rewrite O3, O4 in B. assert (B' : lower (object_at a o) <= i + k < upper (object_at a o)) by lia.
    pose proof (O6 Lv f (i + k) B' (all_elements _ _ _)) as X. apply value_back in X. replace (i + k + - k) with i in X by lia. exact X.
  - intros q Q. apply value_back. auto.
  - intros d Q. specialize (A8 d Q). unfold name_alike in *. destruct (nth d (current a) None) as [o|], (nth d (current b) None) as [p|]; auto.
    destruct A8 as [k E]. exists (- k). apply inverse_at. exact E.
Qed.
End Inverse.
Definition onward (r r' : renaming) : renaming := fun o => match r o with
  | Some (p, k) => match r' p with Some (q, j) => Some (q, k + j) | None => None end | None => None end.
Lemma onward_some r r' o q l : onward r r' o = Some (q, l) -> exists p k j, r o = Some (p, k) /\ r' p = Some (q, j) /\ l = k + j.
Proof. unfold onward. destruct (r o) as [[p k]|]; [|discriminate]. destruct (r' p) as [[q' j]|] eqn:E; [|discriminate]. intros [= <- <-]. exists p, k, j. auto. Qed.
Lemma value_onward r r' u v w : value_alike r u v -> value_alike r' v w -> value_alike (onward r r') u w.
Proof.
  destruct u as [|y| |p], v as [|y0| |q], w as [|y1| |q0]; simpl; try contradiction; auto; try congruence.
  intros (k & E & Hi & Hb) (j & E' & Hi' & Hb'). exists (k + j). unfold onward. rewrite E, E'. split; auto. split; [lia | congruence].
Qed.
Theorem alike_on r r' a b c : alike K r a b -> alike K r' b c -> alike K (onward r r') a c.
Proof.
  intros [A1 A2 A3 A4 A5 A6 A7 A8] [B1 B2 B3 B4 B5 B6 B7 B8]. split; try congruence.
  - intros o o' q l l' E E'. apply onward_some in E as (p & k & j & E1 & E2 & _), E' as (p' & k' & j' & E1' & E2' & _).
    assert (p = p') by eauto. subst p'. eauto.
  - intros o q l E. apply onward_some in E as (p & k & j & E1 & E2 & _). apply A5 in E1. apply B5 in E2. tauto.
  - intros o q l E. apply onward_some in E as (p & k & j & E1 & E2 & ->). destruct (A6 _ _ _ E1) as [O1 O2 O3 O4 O5 O6], (B6 _ _ _ E2) as [Q1 Q2 Q3 Q4 Q5 Q6].
    split; try congruence; try lia. intros Lv f i B _. pose proof (O6 Lv f i B (all_elements _ _ _)) as X.
    assert (B' : lower (object_at b p) <= i + k < upper (object_at b p)) by lia. rewrite <- O2 in Lv.
    pose proof (Q6 Lv f (i + k) B' (all_elements _ _ _)) as Y. rewrite Z.add_assoc. eapply value_onward; eauto.
  - intros q Q. eapply value_onward; eauto.
  - intros d Q. specialize (A8 d Q). specialize (B8 d Q). unfold name_alike in *.
    destruct (nth d (current a) None) as [o|], (nth d (current b) None) as [p|], (nth d (current c) None) as [q|]; auto; try contradiction.
    destruct A8 as [k E], B8 as [j E']. exists (k + j). unfold onward. rewrite E, E'. reflexivity.
Qed.
End Maps.

(** ** The rule *)

Section FoldedTwins.
Variable P : program.
Variable under : parameters.
Variable table : nat -> sort_of_trees.
Notation machine := (system_of P under).
Notation shows := (shows P under table).
Hypothesis formed : locals_formed P.
Hypothesis no_leak_checks : ~ checks_leaks P.
Hypothesis addresses_formed : forall r d, In (Address r d) (instructions P) -> has_name P d = true.

Lemma addressed_named d l : knows_name (ahead P l) d -> has_name P d = true.
Proof.
  intros H. simpl in H. induction H as [l i E U | l i m E U I _ IH]; auto. unfold name_use in U. destruct i; try discriminate.
  - destruct (Nat.eqb_spec object d) as [->|]; [|discriminate]. eapply addresses_formed. eapply nth_error_In; eauto.
  - destruct (Nat.eqb object d); discriminate.
Qed.

(** Of these names are the objects that all of this leads to. *)
Definition leads_within (names : list nat) v := match v with
  | Plain Members.Forgotten => False | Plain (Members.PointerSlot o _ _) => In o names | Plain _ => True | _ => False end.
Record same_object names x x' : Prop := {
  twin_kind : kind x' = kind x;
  twin_life : life_of x' = life_of x;
  twin_begins : begins x' = begins x;
  twin_ends : ends x' = ends x;
  twin_contents : contents x' = contents x;
  twin_cells : life_of x = Live -> forall f, In f (contents x) -> Forall (leads_within names) (apart f) }.
(** A field without a rest has a cell for each element: it is made so, and
    nothing changes that. *)
Definition covered_cells nu x := forall f i, In f (contents x) -> rest f = None -> eval nu (begins x) <= i < eval nu (ends x) -> 0 <= i < Z.of_nat (length (apart f)).
Record twin_members names m m' : Prop := {
  twin_place : place_of m' = place_of m;
  twin_count : length (slots m') = length (slots m);
  twin_registers : forall r, (r < length (slots m))%nat -> knows_register (ahead P (place_of m)) r -> slot_at m' r = slot_at m r /\ leads_within names (slot_at m r);
  twin_names : forall d, knows_name (ahead P (place_of m)) d -> exists o x, In o names /\ object_named m o = Some x /\ kind x = d /\ life_of x = Live;
  twin_objects : forall o, In o names -> exists x x', object_named m o = Some x /\ object_named m' o = Some x' /\ same_object names x x' }.

Section Alike.
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (names : list nat) (m m' : member).
Hypothesis same : twin_members names m m'.
(** Of what lives, and is led to. *)
Hypothesis cells_cover : forall o x, In o names -> object_named m o = Some x -> life_of x = Live -> covered_cells nu x.
Section States.
Variables (rho rho' : nat -> nat) (ro ro' la la' : nat -> holding) (ce ce' : nat -> list nat) (g g' : state).
Hypothesis D : describes_by P sorts nu phi m rho ro la ce g.
Hypothesis D' : describes_by P sorts nu phi m' rho' ro' la' ce' g'.
Definition pairing : renaming := fun p => match find (fun o => Nat.eqb (rho o) p) names with Some o => Some (rho' o, 0) | None => None end.
Lemma pairing_some p q k : pairing p = Some (q, k) -> exists o, In o names /\ rho o = p /\ rho' o = q /\ k = 0.
Proof.
  unfold pairing. destruct (find _ names) as [o|] eqn:F; [|discriminate]. apply find_some in F as [I F]. apply Nat.eqb_eq in F.
  intros [= <- <-]. exists o. auto.
Qed.
Lemma pairing_at o : In o names -> pairing (rho o) = Some (rho' o, 0).
Proof.
  intros I. unfold pairing. destruct (find (fun o' => Nat.eqb (rho o') (rho o)) names) as [o'|] eqn:F.
  - apply find_some in F as [I' F]. apply Nat.eqb_eq in F. destruct (twin_objects _ _ _ same _ I) as (x & _ & E & _), (twin_objects _ _ _ same _ I') as (x' & _ & E' & _).
    assert (o' = o) by (eapply (objects_apart _ _ _ _ _ _ _ _ _ _ D); eauto). subst o'. reflexivity.
  - pose proof (find_none _ _ F _ I) as N. simpl in N. rewrite Nat.eqb_refl in N. discriminate.
Qed.
Lemma values_pair v w w' : leads_within names v -> means nu m rho ro la v w -> means nu m' rho' ro' la' v w' -> value_alike pairing w w'.
Proof.
  destruct v as [[| |t| |o i b]|f|f]; simpl; try contradiction; intros L M M'.
  - subst. exact I.
  - subst. reflexivity.
  - subst. exact I.
  - destruct (twin_objects _ _ _ same _ L) as (x & x' & E & E' & _). rewrite E in M. rewrite E' in M'. subst. exists 0. cbn [target index byte].
    split; [apply pairing_at; exact L|]. split; [lia | reflexivity].
Qed.
Theorem twins_alike : alike (ahead P (place_of m)) pairing g g'.
Proof.
  split.
  - rewrite (is_at _ _ _ _ _ _ _ _ _ _ D), (is_at _ _ _ _ _ _ _ _ _ _ D'). apply (twin_place _ _ _ same).
  - rewrite (register_count _ _ _ _ _ _ _ _ _ _ D), (register_count _ _ _ _ _ _ _ _ _ _ D'). apply (twin_count _ _ _ same).
  - rewrite (name_count _ _ _ _ _ _ _ _ _ _ D), (name_count _ _ _ _ _ _ _ _ _ _ D'). reflexivity.
  - intros p p' q k k' E E'. apply pairing_some in E as (o & I & <- & R & _), E' as (o' & I' & <- & R' & _).
    destruct (twin_objects _ _ _ same _ I) as (_ & x & _ & X & _), (twin_objects _ _ _ same _ I') as (_ & x' & _ & X' & _).
    f_equal. eapply (objects_apart _ _ _ _ _ _ _ _ _ _ D'); eauto. congruence.
  - intros p q k E. apply pairing_some in E as (o & I & <- & <- & _). destruct (twin_objects _ _ _ same _ I) as (x & x' & X & X' & _).
    split; [eapply (objects_exist _ _ _ _ _ _ _ _ _ _ D); eauto | eapply (objects_exist _ _ _ _ _ _ _ _ _ _ D'); eauto].
  - intros p q k E. apply pairing_some in E as (o & I & <- & <- & ->). destruct (twin_objects _ _ _ same _ I) as (x & x' & X & X' & [S1 S2 S3 S4 S5 S6]).
    destruct (objects_hold _ _ _ _ _ _ _ _ _ _ D _ _ X) as [A1 A2 A3 A4 A5 A6], (objects_hold _ _ _ _ _ _ _ _ _ _ D' _ _ X') as [B1 B2 B3 B4 B5 B6].
    rewrite S1 in B1. rewrite S2 in B2, B6. rewrite S3 in B3. rewrite S4 in B4. rewrite S5 in B5, B6.
    split; try congruence; try lia. intros Lv f i B _. rewrite A2 in Lv. rewrite Z.add_0_r. specialize (A6 Lv f i B).
    assert (B' : lower (object_at g' (rho' o)) <= i < upper (object_at g' (rho' o))) by lia. specialize (B6 Lv f i B').
    destruct (Nat.lt_ge_cases f (length (contents x))) as [Lf|Lf].
    + set (F := nth f (contents x) no_field) in *. assert (InF : In F (contents x)) by (apply nth_In; exact Lf).
      unfold means_element in A6, B6. destruct ((0 <=? i) && (i <? Z.of_nat (length (apart F)))) eqn:Q.
      * eapply values_pair; eauto. pose proof (S6 Lv F InF) as W. rewrite Forall_forall in W. apply W, nth_In.
        apply andb_prop in Q as [Q1 Q2]. apply Z.leb_le in Q1. apply Z.ltb_lt in Q2. lia.
      * destruct (rest F) as [ar|] eqn:Rf; [rewrite <- A6, <- B6; reflexivity|]. exfalso.
        rewrite A3, A4 in B. pose proof (cells_cover _ _ I X Lv F i InF Rf B) as Cv.
        destruct (Z.leb_spec 0 i), (Z.ltb_spec i (Z.of_nat (length (apart F)))); simpl in Q; try discriminate; lia.
    + unfold field_of. rewrite !nth_overflow by lia. exact Logic.I.
  - intros r Kr. destruct (Nat.lt_ge_cases r (length (slots m))) as [Lr|Lr].
    2: { unfold register. rewrite !nth_overflow; [exact Logic.I | rewrite (register_count _ _ _ _ _ _ _ _ _ _ D'), (twin_count _ _ _ same); exact Lr | rewrite (register_count _ _ _ _ _ _ _ _ _ _ D); exact Lr]. }
    destruct (twin_registers _ _ _ same _ Lr Kr) as [E L]. eapply values_pair; [exact L | apply (registers_hold _ _ _ _ _ _ _ _ _ _ D) |].
    rewrite <- E. apply (registers_hold _ _ _ _ _ _ _ _ _ _ D').
  - intros d Kd. destruct (twin_names _ _ _ same _ Kd) as (o & x & I & X & <- & Lv). pose proof (addressed_named _ _ Kd) as Hn.
    destruct (twin_objects _ _ _ same _ I) as (y & x' & Y & X' & [S1 S2 _ _ _ _]). assert (y = x) by congruence. subst y.
    rewrite (names_hold _ _ _ _ _ _ _ _ _ _ D _ _ X Lv Hn).
    pose proof (names_hold _ _ _ _ _ _ _ _ _ _ D' _ _ X') as N. rewrite S1, S2 in N. rewrite (N Lv Hn). simpl. exists 0. apply pairing_at. exact I.
Qed.
End States.
(** So are the states of executions that the members denote. *)
Theorem twins_denoted s s' : denotes_state P sorts nu phi m s -> denotes_state P sorts nu phi m' s' -> exists rho, alike (ahead P (location s)) rho s s'.
Proof.
  intros (g & rn & _ & (rho & ro & la & ce & D) & Al & _) (g' & rn' & _ & (rho' & ro' & la' & ce' & D') & Al' & _). set (K := ahead P (place_of m)).
  assert (Kall : forall o f i, knows_element K o f i) by (intros; exact Logic.I).
  assert (W : weaker_knowledge K (everything P)) by (split; [|split]; simpl; auto; intros d; apply addressed_named).
  pose proof (alike_weaker _ _ _ _ _ W Al) as A1. pose proof (alike_weaker _ _ _ _ _ W Al') as A2. pose proof (twins_alike _ _ _ _ _ _ _ _ _ _ D D') as A3.
  rewrite (same_location _ _ _ _ Al), (is_at _ _ _ _ _ _ _ _ _ _ D).
  eexists. exact (alike_on K Kall _ _ _ _ _ (alike_on K Kall _ _ _ _ _ (alike_back K Kall _ _ _ A1) A3) A2).
Qed.
End Alike.

Theorem folded_twin_sound c m x m' names : stands (primary c) = At m -> In (Smaller, x) (others c) -> stands x = At m' -> twin_members names m m' ->
  (forall nu o y, model nu (predicate c) -> object_named m o = Some y -> covered_cells nu y) -> sound_twin machine _ shows c.
Proof.
  intros Pm I Xm Tw Cv. apply (twin P under formed no_leak_checks). intros t ts [_ (_ & nu & phi & M & Me & [A _] & O)].
  assert (X : exists r, In (Smaller, r) ts /\ accounts P under (symbols c) nu phi x r).
  { clear - I O. induction O as [|p q ps ts [E B] _ IH]; [destruct I|]. destruct I as [->|I].
    - exists (snd q). simpl in *. split; auto. left. destruct q; simpl in *; congruence.
    - destruct (IH I) as (r & J & K). exists r. simpl. auto. }
  destruct X as (r & J & [B _]). rewrite Pm in A. rewrite Xm in B.
  destruct A as (s & L & A), B as (s' & L' & B).
  destruct (twins_denoted (symbols c) nu phi names m m' Tw (fun o y _ E _ => Cv nu o y M E) s s' A B) as [rho Al]. exists r, s, s', rho. auto.
Qed.
End FoldedTwins.
