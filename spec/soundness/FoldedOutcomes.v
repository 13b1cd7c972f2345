(** Lemmas 1 and 2 (spec/calculus.md#lemmas-on-single-steps) for members with
    folded parts. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Configurations Frames Views FoldedSteps FoldedEffects.
From Goatherd Require Members Effects Outcomes Exhaustive Opening Lifetimes.
Import ListNotations.
Open Scope Z_scope.

(** ** A step makes one object at most, where the environment says *)

Section Fresh.
Variable P : program.
Variable under : parameters.
Definition one_more (s s' : state) start := length (memory s') = length (memory s) \/
  length (memory s') = S (length (memory s)) /\ lower (object_at s' (length (memory s))) = start.
Ltac splits H := unfold bind, fails in H; repeat match type of H with
  | match ?x with _ => _ end = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | (if ?x then _ else _) = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | Ok _ = Ok _ => injection H as <- end.
Lemma created s d c f w : one_more s (create P s d c f w) (start w).
Proof.
  right. split; [simpl; rewrite app_length; simpl; lia|]. rewrite object_at_create, Nat.eqb_refl. reflexivity.
Qed.
Theorem step_fresh s d s' : step P under s d = Ok s' -> one_more s s' (start d).
Proof.
  intros H. unfold step in H. destruct (nth_error (instructions P) (location s)) as [i|] eqn:E; [|discriminate].
  destruct i; try discriminate; try (splits H; left; reflexivity);
  unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in H; cbv zeta in H;
  try (splits H; left; reflexivity).
  - splits H. left. simpl. apply replace_length.
  - splits H; try (left; reflexivity). exact (created s object _ f d).
  - splits H; left; [|reflexivity]. simpl. apply replace_length.
  - destruct (origin_of _) eqn:O; injection H as <-; try (left; reflexivity).
    match goal with |- one_more _ (create P _ _ ?c _ _) _ => pose proof (created (kill_current (next_location s) object) object c Arbitrary d) as C end. unfold one_more in *. rewrite !kill_current_length in C. exact C.
  - splits H. left. rewrite kill_current_length. reflexivity.
Qed.
End Fresh.

Section Effects.
Variable P : program.
Variable under : parameters.
Variable few : nat.
Variable table : nat -> sort_of_trees.
Variables (sorts : list symbol_sort) (phi : meaning) (mu : valuation) (m : member).
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat) (g : state).
Hypothesis described : describes_by P sorts mu phi m rho roots lasts cells g.
Hypothesis meant : well_meant P table sorts phi.
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.
Hypothesis exist : pointers_exist g.
Hypothesis by_name : lives_by_name P g.
Hypothesis sorted : well_sorted mu.
Notation size := (length (memory g)).
Notation V := (view m rho g).
Notation fits := (fits P mu m roots lasts cells g).
Notation slot_right := (slot_right mu roots lasts).
Notation keeps := (keeps m rho).
Let fit0 : fits m rho size V := view_fits P table sorts phi mu m rho roots lasts cells g described meant exist.

Lemma taken_right ls w u : Forall (holds mu) ls -> taken m rho V ls w u -> slot_right m rho size w u.
Proof.
  intros H T. destruct T as [w u Sv Nm | r L | o x x' f c E Lv E' Lf Lc B].
  - destruct w as [| |t| |o i b]; simpl in Sv; subst u; try (left; reflexivity); right; simpl; auto.
    destruct (object_named m o) as [x|] eqn:Eo; [|destruct (Nm o i b eq_refl Eo)].
    split; auto. split; auto. exact (objects_exist _ _ _ _ _ _ _ _ _ _ described _ _ Eo).
  - apply (fit_slots _ _ _ _ _ _ _ _ _ _ _ fit0).
  - pose proof (objects_exist _ _ _ _ _ _ _ _ _ _ described _ _ E) as Ls. rewrite view_named in E'. pose proof Ls as Lb. apply Nat.ltb_lt in Lb. rewrite Lb in E'.
    injection E' as <-. unfold view_entry. rewrite (source_of P sorts mu phi m rho roots lasts cells g described _ _ E).
    pose proof (view_element P sorts phi mu m rho roots lasts cells g described exist o x f (Z.of_nat c) E Lv (B mu sorted H)) as El.
    unfold element_right in El. destruct (Z.leb_spec 0 (Z.of_nat c)); [|lia]. destruct (Z.ltb_spec (Z.of_nat c) (Z.of_nat (length (apart (nth f (contents x) no_field))))); [|lia].
    destruct El as [Ap R]. rewrite Nat2Z.id in R. unfold Members.slot_apart in R. rewrite Nat2Z.id in R. unfold Members.is_apart in Ap.
    apply andb_prop in Ap as [_ Ap]. apply Z.ltb_lt in Ap. rewrite (nth_indep _ Members.Forgotten Members.NothingHeld) by lia. exact R.
Qed.
Lemma keeps_same m' : parts m' = parts m -> named m' = named m -> keeps m' rho.
Proof. intros E N. split; auto. intros o. unfold object_named. rewrite N. auto. Qed.
Lemma slots_set (m' : member) rho' bound r w u : slot_right m' rho' bound w u ->
  (forall q, slot_right m' rho' bound (slot_at m q) (Members.slot_at V q)) ->
  forall q, slot_right m' rho' bound (nth q (replace (slots m) r w) forgotten) (nth q (replace (Members.slots V) r u) Members.Forgotten).
Proof.
  intros W S q. rewrite !nth_replace. pose proof (fit_count _ _ _ _ _ _ _ _ _ _ _ fit0) as L. rewrite L.
  destruct (_ && _); [exact W | apply S].
Qed.
Lemma right_kept m' rho' bound w u : keeps m' rho' -> (size <= bound)%nat -> slot_right m rho size w u -> slot_right m' rho' bound w u.
Proof. intros K L. eapply right_more; eauto. Qed.
Lemma element_kept m' rho' bound x x' i : keeps m' rho' -> (size <= bound)%nat ->
  element_right mu roots lasts m rho size x x' i -> element_right mu roots lasts m' rho' bound x x' i.
Proof.
  intros K L. unfold element_right. destruct (_ && _); auto. intros [A R]. split; auto. eapply right_kept; eauto.
Qed.
Lemma object_kept m' rho' bound x x' : keeps m' rho' -> (size <= bound)%nat ->
  object_right mu roots lasts m rho size x x' -> object_right mu roots lasts m' rho' bound x x'.
Proof. intros K L [A B C D E F]. split; auto. intros Lv f i I. eapply element_kept; eauto. Qed.

Lemma objects_stay m' v' : parts m' = parts m -> named m' = named m -> Members.named v' = Members.named V ->
  forall o x, object_named m' o = Some x -> exists x', Members.object_named v' (rho o) = Some x' /\
    object_right mu roots lasts m' rho size x x' /\ (rho o < size)%nat.
Proof.
  intros Ep En Ev o x E. unfold object_named in E. rewrite En in E. destruct (fit_objects _ _ _ _ _ _ _ _ _ _ _ fit0 _ _ E) as (x' & N & R & L).
  exists x'. unfold Members.object_named. rewrite Ev. split; [exact N|]. split; [|exact L]. eapply object_kept; eauto using keeps_same.
Qed.
Theorem goes_fits l : fits (goes l m) rho size (Effects.goes l V).
Proof.
  pose proof fit0 as [A B C D E F G].
  exact (Build_fits P mu m roots lasts cells g (goes l m) rho size (Effects.goes l V) eq_refl B C (objects_stay (goes l m) (Effects.goes l V) eq_refl eq_refl eq_refl) E F G).
Qed.
Theorem sets_fits r w u : slot_right m rho size w u -> fits (set_slot m r w) rho size (Effects.set_slot V r u).
Proof.
  intros W. pose proof fit0 as [A B C D E F G].
  refine (Build_fits P mu m roots lasts cells g (set_slot m r w) rho size (Effects.set_slot V r u) eq_refl _ _
    (objects_stay (set_slot m r w) (Effects.set_slot V r u) eq_refl eq_refl eq_refl) E F G).
  - simpl. rewrite !replace_length. exact B.
  - intros q. exact (slots_set (set_slot m r w) rho size r w u W C q).
Qed.

(** *** One object is another one *)

Lemma renamed_at o x q : object_named (name m o x) q = if Nat.eqb q o && Nat.ltb o (length (named m)) then x else object_named m q.
Proof. apply nth_replace. Qed.
Lemma view_renamed p x q : Members.object_named (Effects.name V p x) q = if Nat.eqb q p && Nat.ltb p size then x else Members.object_named V q.
Proof. unfold Members.object_named, Effects.name. cbn [Members.named]. rewrite nth_replace. cbn [view Members.named]. rewrite map_length, seq_length. reflexivity. Qed.
Lemma named_bound o x : object_named m o = Some x -> (o < length (named m))%nat.
Proof. apply source_bound. Qed.
Theorem object_fits o x y y' : object_named m o = Some x ->
  (forall x', Members.object_named V (rho o) = Some x' -> object_right mu roots lasts m rho size x x' ->
     object_right mu roots lasts (goes (S (place_of m)) (name m o (Some y))) rho size y (y' x')) ->
  kind y = kind x -> begins y = begins x -> ends y = ends x ->
  fits (goes (S (place_of m)) (name m o (Some y))) rho size
    (Effects.goes (S (Members.place_of V)) (Effects.name V (rho o) (option_map y' (Members.object_named V (rho o))))) /\
  keeps (goes (S (place_of m)) (name m o (Some y))) rho.
Proof.
  intros E H Ky By Ey. destruct fit0 as [A B C D Ap F G]. destruct (D _ _ E) as (x' & N & R & L). rewrite N. simpl option_map.
  assert (Kp : keeps (goes (S (place_of m)) (name m o (Some y))) rho).
  { split; auto. intros q Nq. change (object_named (name m o (Some y)) q <> None /\ rho q = rho q). rewrite renamed_at. destruct (Nat.eqb q o && Nat.ltb o (length (named m))); split; auto. discriminate. }
  assert (Lo : Nat.ltb o (length (named m)) = true) by (apply Nat.ltb_lt; eapply named_bound; eauto).
  assert (Lr : Nat.ltb (rho o) size = true) by (apply Nat.ltb_lt; exact L).
  split; auto. split.
  - reflexivity.
  - exact B.
  - intros r. apply (right_kept (goes (S (place_of m)) (name m o (Some y))) rho size); [exact Kp | apply le_n | exact (C r)].
  - intros q z Eq. change (object_named (name m o (Some y)) q = Some z) in Eq. rewrite renamed_at, Lo in Eq.
    change (Members.object_named (Effects.goes (S (Members.place_of V)) (Effects.name V (rho o) (Some (y' x')))) (rho q))
      with (Members.object_named (Effects.name V (rho o) (Some (y' x'))) (rho q)). rewrite view_renamed, Lr.
    destruct (Nat.eqb_spec q o) as [->|Nq]; simpl in Eq.
    + injection Eq as <-. rewrite Nat.eqb_refl. simpl. exists (y' x'). split; auto.
    + destruct (D _ _ Eq) as (z' & N' & R' & L'). destruct (Nat.eqb_spec (rho q) (rho o)) as [X|X]; [destruct Nq; eauto|]. simpl.
      exists z'. split; auto. split; auto. exact (object_kept (goes (S (place_of m)) (name m o (Some y))) rho size _ _ Kp (le_n _) R').
  - intros q q' z z' Eq Eq'. change (object_named (name m o (Some y)) q = Some z) in Eq. change (object_named (name m o (Some y)) q' = Some z') in Eq'.
    rewrite renamed_at, Lo in Eq, Eq'.
    destruct (Nat.eqb_spec q o) as [->|], (Nat.eqb_spec q' o) as [->|]; simpl in Eq, Eq'; eauto.
  - intros q z Eq Hn. change (object_named (name m o (Some y)) q = Some z) in Eq. rewrite renamed_at, Lo in Eq.
    destruct (Nat.eqb_spec q o) as [->|]; simpl in Eq; [injection Eq as <-; rewrite By, Ey, Ky in *; eauto | eauto].
  - intros f q c Ep I. destruct (G _ _ _ Ep I) as (N' & L' & Ni). split; [|split; auto].
    + change (Members.object_named (Effects.name V (rho o) (Some (y' x'))) c = Some (extra (object_at g c))). rewrite view_renamed, Lr.
      destruct (Nat.eqb_spec c (rho o)) as [X|X]; [destruct (Ni _ _ E); auto | exact N'].
    + intros q0 z Eq. change (object_named (name m o (Some y)) q0 = Some z) in Eq. rewrite renamed_at, Lo in Eq.
      destruct (Nat.eqb_spec q0 o) as [->|]; simpl in Eq; eauto.
Qed.
(** One that is not in the member's table ends: it is no cell of a part. *)
Theorem other_fits l p x' : Members.object_named V p = Some x' -> is_local P (Members.kind x') = true ->
  (forall o y, object_named m o = Some y -> rho o <> p) -> fits (goes l m) rho size (Effects.goes l (Effects.ended V p)).
Proof.
  intros N Lc Np. destruct fit0 as [A B C D Ap F G].
  assert (Oth : forall c, c <> p -> Members.object_named (Effects.goes l (Effects.ended V p)) c = Members.object_named V c).
  { intros c Nc. change (Members.object_named (Effects.name V p (option_map Effects.dead (Members.object_named V p))) c = Members.object_named V c).
    rewrite view_renamed. destruct (Nat.eqb_spec c p); [congruence | reflexivity]. }
  refine (Build_fits P mu m roots lasts cells g (goes l m) rho size (Effects.goes l (Effects.ended V p)) eq_refl B C _ Ap F _).
  - intros o y E. change (object_named m o = Some y) in E. rewrite Oth by (eapply Np; eauto). destruct (D _ _ E) as (z & Nz & R & L). exists z. split; [exact Nz|].
    split; [|exact L]. eapply object_kept; [apply keeps_same; reflexivity | apply le_n | exact R].
  - intros f q c E I. destruct (G _ _ _ E I) as (N' & L' & Ni). split; [|auto]. rewrite Oth; auto. intros ->. rewrite N in N'. injection N' as ->. simpl in Lc.
    destruct (parts_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as (fp & Pm & Dp). pose proof (meant (symbol q)) as M. unfold well_meant_symbol in M.
    assert (S : is_sorted g table p).
    { destruct (nth_error sorts (symbol q)) as [[s|s]|]; [| |destruct Dp].
      - destruct Dp as (_ & _ & Dp), M as [M _]. eapply (proj1 (cells_sorted g table)); eauto. eapply Permutation_in; [symmetry; exact Pm | exact I].
      - destruct M as [M _]. eapply (context_sorted g table); eauto. eapply Permutation_in; [symmetry; exact Pm | exact I]. }
    destruct S as (s & n & Cd & _). rewrite Cd in Lc. pose proof (of_nodes s) as Nd. unfold is_local in Lc. unfold is_node in Nd. destruct (origin_of _); discriminate.
Qed.

(** *** Stores, and objects that end *)

Lemma keeps_named o x y l : object_named m o = Some x -> keeps (goes l (name m o (Some y))) rho.
Proof.
  intros E. split; auto. intros q Nq. change (object_named (name m o (Some y)) q <> None /\ rho q = rho q). rewrite renamed_at.
  destruct (_ && _); split; auto. discriminate.
Qed.
Lemma element_written m' e w u x x' i : keeps m' rho -> slot_right m rho size w u ->
  (forall t, e = Effects.AtRest t -> exists a, w = Plain (Members.IntegerSlot a) /\ u = Members.IntegerSlot a) ->
  element_right mu roots lasts m rho size x x' i -> element_right mu roots lasts m' rho size (write_element e w x) (Effects.write_element e u x') i.
Proof.
  intros K W R El. apply (element_kept m' rho size) in El; auto. apply (right_kept m' rho size) in W; auto.
  destruct e as [c|t].
  - unfold element_right in *. simpl. rewrite replace_length. unfold Members.is_apart, Members.slot_apart in *. simpl. rewrite replace_length.
    destruct ((0 <=? i) && (i <? Z.of_nat (length (apart x)))) eqn:Q; [|exact El]. destruct El as [Ap Sr]. split; auto.
    rewrite !nth_replace. destruct (Nat.eqb_spec (Z.to_nat i) c) as [Ec|]; simpl; [|exact Sr]. rewrite <- Ec.
    apply andb_prop in Q as [Q1 Q2]. apply andb_prop in Ap as [_ Ap]. apply Z.leb_le in Q1. apply Z.ltb_lt in Q2, Ap.
    destruct (Nat.ltb_spec (Z.to_nat i) (length (apart x))); [|lia]. destruct (Nat.ltb_spec (Z.to_nat i) (length (Members.apart x'))); [exact W | lia].
  - destruct (R t eq_refl) as (a & -> & ->). unfold element_right in *. simpl. unfold Members.is_apart, Members.slot_apart in *. simpl.
    destruct (_ && _); [exact El|]. destruct El as [Ap Er]. split; auto. rewrite Er. reflexivity.
Qed.
Theorem writes_fits o f e w u : object_named m o <> None -> slot_right m rho size w u ->
  (forall t, e = Effects.AtRest t -> exists a, w = Plain (Members.IntegerSlot a) /\ u = Members.IntegerSlot a) ->
  exists m', m' = affect P few 0 (Writes o f e w) m /\ fits m' rho size (Effects.affect P few 0 (Effects.Writes (rho o) f e u) V) /\ keeps m' rho.
Proof.
  intros N W R. destruct (object_named m o) as [x|] eqn:E; [|congruence]. simpl. rewrite E. simpl option_map.
  eexists. split; [reflexivity|]. pose proof (keeps_named o x (written_object x f e w) (S (place_of m)) E) as K.
  apply (object_fits o x (written_object x f e w) (fun x' => Effects.written_object x' f e u)); auto.
  intros x' _ [A B C D Wd El]. split; simpl; auto; [rewrite !replace_length; exact Wd|].
  intros Lv k i I. rewrite !nth_replace, Wd. destruct (Nat.eqb_spec k f) as [->|]; simpl; [|eapply element_kept; eauto].
  destruct (Nat.ltb_spec f (length (contents x))); [eapply element_written; eauto | eapply element_kept; eauto].
Qed.
Theorem kills_fits o : object_named m o <> None -> fits (goes (S (place_of m)) (ended m o)) rho size (Effects.goes (S (Members.place_of V)) (Effects.ended V (rho o))) /\
  keeps (goes (S (place_of m)) (ended m o)) rho.
Proof.
  intros N. destruct (object_named m o) as [x|] eqn:E; [|congruence]. unfold ended. rewrite E. simpl option_map.
  apply (object_fits o x (dead x) Effects.dead); auto. intros x' _ [A B C D Wd El]. split; simpl; auto. discriminate.
Qed.

(** *** Objects that come to be *)

Lemma earlier_fits d : let m1 := goes (S (place_of m)) (without_earlier P m d) in
  fits m1 rho size (Effects.goes (S (Members.place_of V)) (Effects.without_earlier P V d)) /\ keeps m1 rho /\
  length (named m1) = length (named m) /\ slots m1 = slots m /\ length (Members.named (Effects.without_earlier P V d)) = size /\
  Members.slots (Effects.without_earlier P V d) = Members.slots V.
Proof.
  assert (Lv : length (Members.named V) = size) by (simpl; rewrite map_length, seq_length; auto).
  assert (Le : forall p, length (Members.named (Effects.ended V p)) = size) by (intros p; unfold Effects.ended, Effects.name; cbn [Members.named]; rewrite replace_length; exact Lv).
  unfold without_earlier, Effects.without_earlier. destruct (is_local P d) eqn:L; [|split; [apply goes_fits | split; [apply keeps_same; reflexivity | auto]]].
  assert (Same : forall p x, Members.living V d = Some p -> Members.object_named V p = Some x -> Members.kind x = d -> Members.life_of x = Live ->
    forall o y, object_named m o = Some y -> kind y = d -> life_of y = Live -> rho o = p).
  { intros p x Lp Np Kx Lx o y E Ky Ly. pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as [O1 O2 _ _ _ _].
    pose proof (names_hold _ _ _ _ _ _ _ _ _ _ described _ _ E Ly) as C1. rewrite Ky in C1.
    assert (Hn : has_name P d = true) by (unfold has_name; unfold is_local in L; destruct (origin_of _); auto; discriminate). specialize (C1 Hn).
    rewrite view_named in Np. destruct (Nat.ltb_spec p size) as [Lp'|]; [|discriminate]. injection Np as <-.
    assert (X : alive (object_at g p) = Live /\ declared (object_at g p) = d).
    { unfold view_entry in Kx, Lx. destruct (source m rho p) as [z|] eqn:S; [|simpl in Kx, Lx; auto].
      destruct (source_some _ _ _ _ S) as (o' & E' & <-). pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ E') as [A1 A2 _ _ _ _].
      simpl in Kx, Lx. split; congruence. }
    destruct X as [X1 X2]. pose proof (by_name p X1) as C2. rewrite X2 in C2. specialize (C2 Hn). congruence. }
  destruct (find (fun o => lives_as d (object_named m o)) (seq 0 (length (named m)))) as [o|] eqn:F.
  - apply find_some in F as [_ F]. unfold lives_as in F. destruct (object_named m o) as [y|] eqn:E; [|discriminate].
    apply andb_prop in F as [Ky Ly]. apply Nat.eqb_eq in Ky. assert (Ly' : life_of y = Live) by (destruct (life_of y); [auto | discriminate]).
    destruct (fit_objects _ _ _ _ _ _ _ _ _ _ _ fit0 _ _ E) as (y' & N' & [R1 R2 _ _ _ _] & Lb).
    destruct (Members.living V d) as [p|] eqn:Lp.
    + destruct (Members.living_some _ _ _ Lp) as (x & Np & Kx & Lx). rewrite <- (Same p x eq_refl Np Kx Lx o y E Ky Ly').
      destruct (kills_fits o ltac:(congruence)) as [Fi K]. split; [exact Fi|]. split; [exact K|].
      split; [simpl; apply replace_length|]. split; [reflexivity|]. split; [apply Le | reflexivity].
    + exfalso. pose proof (Members.first_living_none _ _ _ Lp (rho o) y' N') as X. rewrite R1, R2 in X. specialize (X Ky). congruence.
  - destruct (Members.living V d) as [p|] eqn:Lp; [|split; [apply goes_fits | split; [apply keeps_same; reflexivity | auto]]].
    destruct (Members.living_some _ _ _ Lp) as (x & Np & Kx & Lx). split; [|split; [apply keeps_same; reflexivity | split; [reflexivity | split; [reflexivity | split; [apply Le | reflexivity]]]]].
    + apply (other_fits (S (place_of m)) p x Np); [congruence|]. intros o y E <-.
      destruct (fit_objects _ _ _ _ _ _ _ _ _ _ _ fit0 _ _ E) as (y' & N' & [R1 R2 _ _ _ _] & Lb). assert (y' = x) by congruence. subst y'.
      pose proof (find_none _ _ F o) as X. unfold lives_as in X. rewrite E in X.
      assert (I : In o (seq 0 (length (named m)))) by (apply in_seq; pose proof (named_bound _ _ E); lia). specialize (X I).
      assert (Ky : kind y = d) by congruence. assert (Ly : life_of y = Live) by congruence. rewrite Ky, Nat.eqb_refl, Ly in X. discriminate.
Qed.

Definition simple u := match u with Members.NothingHeld | Members.NullSlot | Members.IntegerSlot _ => True | _ => False end.
Lemma fresh_simple l d f cnt : forall n F, In F (Effects.fresh_fields P few l n d f cnt) -> Forall simple (Members.apart F).
Proof.
  induction l as [|x l IH]; intros n F; simpl; [intros []|]. intros [<-|I]; [|eapply IH; eauto].
  unfold Effects.fresh_field. destruct (Programs.holds x) as [T|]; simpl; rewrite Forall_forall; intros u I.
  - apply in_map_iff in I as (j & <- & _). exact Logic.I.
  - apply repeat_spec in I. subst u. destruct f; exact Logic.I.
Qed.
Lemma simple_right m' rho' bound u : simple u -> slot_right m' rho' bound (Plain u) u.
Proof. intros S. destruct u; simpl in S; try contradiction; right; simpl; auto. Qed.
Lemma plain_right m' rho' bound x i : Forall simple (Members.apart x) -> element_right mu roots lasts m' rho' bound (plain_field x) x i.
Proof.
  intros S. unfold element_right, Members.is_apart, Members.slot_apart. simpl. rewrite map_length.
  destruct ((0 <=? i) && (i <? Z.of_nat (length (Members.apart x)))) eqn:Q; [|auto]. split; auto.
  apply andb_prop in Q as [Q1 Q2]. apply Z.leb_le in Q1. apply Z.ltb_lt in Q2.
  unfold forgotten. rewrite map_nth. rewrite (nth_indep _ Members.Forgotten Members.NothingHeld) by lia. apply simple_right.
  rewrite Forall_forall in S. apply S, nth_In. lia.
Qed.
Lemma fresh_right n d count f m' rho' bound :
  object_right mu roots lasts m' rho' bound (plain_object (Effects.fresh_object P few n d count f)) (Effects.fresh_object P few n d count f).
Proof.
  split; auto.
  - unfold plain_object. cbn [contents]. rewrite map_length. reflexivity.
  - intros _ k i _. unfold plain_object. cbn [contents Members.held Effects.fresh_object].
    set (l := Effects.fresh_fields _ _ _ _ _ _ _). destruct (Nat.lt_ge_cases k (length l)) as [L|L].
    + rewrite (nth_indep _ no_field (plain_field Members.no_field)) by (rewrite map_length; auto). rewrite map_nth.
      apply plain_right. eapply fresh_simple. apply nth_In. exact L.
    + rewrite !nth_overflow by (rewrite ?map_length; auto). unfold element_right, Members.is_apart. simpl.
      destruct (Z.leb_spec 0 i), (Z.ltb_spec i 0); simpl; auto; lia.
Qed.
Definition named_more o := if Nat.eqb o (length (named m)) then size else rho o.
Lemma named_end {A} (l : list (option A)) x o : nth o (l ++ [Some x]) None = if Nat.eqb o (length l) then Some x else nth o l None.
Proof.
  destruct (Nat.eqb_spec o (length l)) as [->|N]; [rewrite app_nth2, Nat.sub_diag by lia; reflexivity|].
  destruct (Nat.lt_ge_cases o (length l)); [apply app_nth1; auto|].
  rewrite (nth_overflow l) by lia. apply nth_overflow. rewrite app_length. simpl. lia.
Qed.
Theorem creates_fits n r d count f : (is_node P d = true -> Effects.known_value count = Some 1) ->
  fits (affect P few n (Creates r d count f) m) named_more (S size) (Effects.affect P few n (Effects.Creates r d count f) V) /\
  keeps (affect P few n (Creates r d count f) m) named_more.
Proof.
  intros Nd. destruct (earlier_fits d) as ([A B C D Ap F G] & [Kp Ko] & Ln & Ls & Lv & Lw).
  set (m1 := without_earlier P m d) in *. set (V1 := Effects.without_earlier P V d) in *.
  set (x := plain_object (Effects.fresh_object P few n d count f)). set (x' := Effects.fresh_object P few n d count f).
  set (m' := affect P few n (Creates r d count f) m). set (V' := Effects.affect P few n (Effects.Creates r d count f) V).
  assert (En : named m' = named m1 ++ [Some x]) by (unfold m'; simpl; destruct r; reflexivity).
  assert (Ep : parts m' = parts m1) by (unfold m'; simpl; destruct r; reflexivity).
  assert (Ev : Members.named V' = Members.named V1 ++ [Some x']) by (unfold V'; simpl; destruct r; reflexivity).
  assert (Om : forall o, object_named m' o = if Nat.eqb o (length (named m)) then Some x else object_named m1 o).
  { intros o. unfold object_named. rewrite En, named_end. change (length (named m1)) with (length (named (goes (S (place_of m)) m1))). rewrite Ln. reflexivity. }
  assert (Ov : forall p, Members.object_named V' p = if Nat.eqb p size then Some x' else Members.object_named V1 p).
  { intros p. unfold Members.object_named. rewrite Ev, named_end, Lv. reflexivity. }
  assert (Bo : forall o y, object_named m o = Some y -> o <> length (named m)) by (intros o y E; pose proof (named_bound _ _ E); lia).
  assert (B1 : forall o y, object_named m1 o = Some y -> o <> length (named m)).
  { intros o y E X. subst o. unfold object_named in E. rewrite nth_overflow in E; [discriminate|]. change (length (named m1)) with (length (named (goes (S (place_of m)) m1))). lia. }
  assert (K : keeps m' named_more).
  { split; [rewrite Ep; exact Kp|]. intros o No. destruct (object_named m o) as [y|] eqn:E; [|congruence]. rewrite Om. unfold named_more.
    destruct (Nat.eqb_spec o (length (named m))) as [X|X]; [destruct (Bo _ _ E X)|]. split; auto. apply (Ko o). congruence. }
  assert (Km : forall o y, object_named m1 o = Some y -> named_more o = rho o).
  { intros o y E. unfold named_more. destruct (Nat.eqb_spec o (length (named m))) as [X|X]; [destruct (B1 _ _ E X) | reflexivity]. }
  (* What said something of m1 says it of m'. *)
  assert (Kr : forall w u, slot_right (goes (S (place_of m)) m1) rho size w u -> slot_right m' named_more (S size) w u).
  { intros w u [->|(X & Y & Z0)]; [left; auto|]. right. split; auto. split; [|eapply value_later; [|exact Z0]; lia].
    assert (Pt : forall g0 h, sub (means_part (goes (S (place_of m)) m1) g0 h) (means_part m' g0 h)).
    { intros g0 h. unfold means_part, part_named. rewrite Ep. simpl. auto. }
    destruct w as [[| |t| |o i b]|g0|g0]; simpl in Y |- *; auto; try (apply Pt; exact Y).
    change (object_named (goes (S (place_of m)) m1) o) with (object_named m1 o) in Y. rewrite Om.
    destruct (object_named m1 o) as [y|] eqn:E; [|destruct Y]. rewrite (Km _ _ E).
    destruct (Nat.eqb_spec o (length (named m))) as [Q|Q]; [destruct (B1 _ _ E Q) | exact Y]. }
  assert (Ko' : forall y y', object_right mu roots lasts (goes (S (place_of m)) m1) rho size y y' -> object_right mu roots lasts m' named_more (S size) y y').
  { intros y y' [Q1 Q2 Q3 Q4 Q5 Q6]. split; auto. intros Lv0 k i I. specialize (Q6 Lv0 k i I). unfold element_right in *.
    destruct (_ && _); auto. destruct Q6; split; auto. }
  split; [|exact K]. refine (Build_fits P mu m roots lasts cells g m' named_more (S size) V' _ _ _ _ _ _ _).
  - assert (W : Members.place_of V1 = Members.place_of V).
    { unfold V1, Effects.without_earlier. destruct (is_local P d); auto. destruct (Members.living V d); reflexivity. }
    unfold m', V'. simpl. fold V1 m1. destruct r; simpl; [|reflexivity]. rewrite W.
    assert (Pm : place_of m1 = place_of m).
    { unfold m1, without_earlier. destruct (is_local P d); auto. destruct (find _ _); reflexivity. }
    rewrite Pm. reflexivity.
  - unfold m', V'. simpl. fold V1 m1. change (slots (goes (S (place_of m)) m1)) with (slots m1) in Ls.
    destruct r; simpl; rewrite ?replace_length, Lw, Ls; simpl; rewrite map_length, seq_length; auto.
  - assert (Sl : forall q, slot_right m' named_more (S size) (slot_at m1 q) (Members.slot_at V1 q)) by (intros q; apply Kr; exact (C q)).
    destruct r as [r|]; [|exact Sl]. intros q. unfold m' at 2, V'. unfold slot_at, Members.slot_at. simpl. fold V1 m1.
    rewrite !nth_replace. change (slots (goes (S (place_of m)) m1)) with (slots m1) in Ls. rewrite Ls, Lw.
    assert (Lq : length (Members.slots V) = length (slots m)) by (simpl; rewrite map_length, seq_length; auto). rewrite Lq.
    destruct (Nat.eqb q r && Nat.ltb r (length (slots m))).
    + right. simpl. rewrite Om, Nat.eqb_refl. unfold named_more. rewrite Nat.eqb_refl.
      rewrite map_length, seq_length. split; [exact Logic.I|]. split; [reflexivity | simpl; lia].
    + specialize (Sl q). unfold slot_at, Members.slot_at in Sl. rewrite Ls, Lw in Sl. exact Sl.
  - intros o y E. rewrite Om in E. destruct (Nat.eqb_spec o (length (named m))) as [->|No].
    + injection E as <-. exists x'. unfold named_more. rewrite Ov, !Nat.eqb_refl. split; auto. split; [apply fresh_right | lia].
    + destruct (D _ _ E) as (y' & N & R & L). exists y'. rewrite (Km _ _ E), Ov. destruct (Nat.eqb_spec (rho o) size); [lia|]. split; [exact N|]. split; auto.
  - intros o o' y y' E E' R. rewrite Om in E, E'. unfold named_more in R.
    destruct (Nat.eqb_spec o (length (named m))) as [->|No], (Nat.eqb_spec o' (length (named m))) as [->|No']; auto.
    + destruct (D _ _ E') as (_ & _ & _ & L). lia.
    + destruct (D _ _ E) as (_ & _ & _ & L). lia.
    + eapply Ap; eauto.
  - intros o y E Hn. rewrite Om in E. destruct (Nat.eqb_spec o (length (named m))) as [->|No]; [|eapply F; eauto].
    injection E as <-. simpl in Hn |- *. split; auto. apply Effects.known_value_eval; auto.
  - intros f0 q c Eq I. destruct (G _ _ _ Eq I) as (N & L & Ni). split; [|split; [lia|]].
    + rewrite Ov. destruct (Nat.eqb_spec c size); [lia | exact N].
    + intros o y E. rewrite Om in E. unfold named_more. destruct (Nat.eqb_spec o (length (named m))) as [->|No]; [lia | eapply Ni; eauto].
Qed.

(** *** Whatever the effect is *)

Theorem effect_describes n e e' ls g' rho2 : effect_viewed P m rho V ls e e' -> Forall (holds mu) ls -> e <> FailsHere ->
  more (itself g) rho2 -> Members.denotes_by P mu (Effects.affect P few n e' V) rho2 g' -> lives_by_name P g' -> one_more g g' 0 ->
  (checks_leaks P -> forall p, owed P g' p -> if Nat.ltb p size then owed P g p else exists r d count f, e = Creates r d count f) ->
  describes P sorts mu phi (affect P few n e m) g'.
Proof.
  intros Ev H Nf Mo D Ln One Ow.
  assert (Fx : forall t, (t < size)%nat -> rho2 t = Some (t, 0)) by (intros t L; apply Mo, itself_at; exact L).
  assert (Old : forall m' rho', keeps m' rho' -> checks_leaks P -> forall p, owed P g p -> (exists o x, object_named m' o = Some x /\ rho' o = p) \/ exists f q, part_named m' f = Some q /\ In p (cells f)).
  { intros m' rho' [Kp Ko] Ck p W. destruct (all_tabled _ _ _ _ _ _ _ _ _ _ described Ck p W) as [(o & x & E & <-)|(f & q & E & I)].
    - destruct (Ko o ltac:(congruence)) as [A B]. destruct (object_named m' o) as [y|] eqn:Ey; [|congruence]. left. exists o, y. auto.
    - right. exists f, q. unfold part_named in *. rewrite Kp. auto. }
  assert (Fin : forall m' v, (forall r d count f, e <> Creates r d count f) -> fits m' rho size v -> keeps m' rho -> Members.denotes_by P mu v rho2 g' -> describes P sorts mu phi m' g').
  { intros m' v Nc F K D'. exists rho, roots, lasts, cells. eapply fits_describes; eauto. intros Ck p W. specialize (Ow Ck p W).
    destruct (Nat.ltb p size); [eapply Old; eauto|]. destruct Ow as (r & d & count & f & E). destruct (Nc _ _ _ _ E). }
  destruct Ev as [l | r w u T | | r T | o f e w u No T R | r d count f Nd Rr | o No | p x Np Lc Oth].
  - eapply (Fin (goes l m)); [discriminate | apply goes_fits | apply keeps_same; reflexivity | exact D].
  - eapply (Fin (set_slot m r w)); [discriminate | apply sets_fits; eapply taken_right; eauto | apply keeps_same; reflexivity | exact D].
  - congruence.
  - eapply (Fin (set_slot m r (Plain (Members.IntegerSlot (Var (Some T) n))))); [discriminate | apply sets_fits, simple_right; exact Logic.I | apply keeps_same; reflexivity | exact D].
  - destruct (writes_fits o f e w u No (taken_right _ _ _ H T) R) as (m' & -> & F & K). eapply Fin; eauto. discriminate.
  - destruct (creates_fits n r d count f Nd) as [F K].
    assert (Lv : length (Members.named (Effects.without_earlier P V d)) = size) by apply (earlier_fits d).
    exists named_more, roots, lasts, cells.
    eapply (fits_describes P table sorts phi mu m rho roots lasts cells g described meant exist); eauto.
    2: { intros Ck p W. specialize (Ow Ck p W). destruct (Nat.ltb_spec p size) as [Lp|Lp]; [eapply Old; eauto|]. left.
      exists (length (named m)), (plain_object (Effects.fresh_object P few n d count f)). split.
      - destruct (earlier_fits d) as (_ & _ & Lm & _). simpl in Lm. unfold object_named. simpl. destruct r; simpl; rewrite named_end, Lm, Nat.eqb_refl; reflexivity.
      - unfold named_more. rewrite Nat.eqb_refl. pose proof (live_exists _ _ (proj1 W)) as Lg. destruct One as [O|[O _]]; lia. }
    intros t L. destruct (Nat.eq_dec t size) as [->|Ne]; [|apply Fx; lia]. destruct D as [Al Nm].
    set (v := Effects.affect P few n (Effects.Creates r d count f) V) in *.
    assert (Ov : Members.object_named v size = Some (Effects.fresh_object P few n d count f)).
    { unfold Members.object_named, v. simpl. destruct r; simpl; rewrite named_end, Lv, Nat.eqb_refl; reflexivity. }
    assert (Ex : exists q k, rho2 size = Some (q, k)).
    { destruct r as [r|].
      - assert (Sv : Members.slot_at v r = Members.PointerSlot size (Constant 0) 0).
        { unfold Members.slot_at, v. simpl. rewrite nth_replace, Nat.eqb_refl.
          assert (Lw : Members.slots (Effects.without_earlier P V d) = Members.slots V) by apply (earlier_fits d). rewrite Lw. simpl.
          rewrite !map_length, !seq_length. apply Nat.ltb_lt in Rr. rewrite Rr. reflexivity. }
        assert (Kn : knows_register (Members.known P v) r) by (simpl; rewrite Sv; exact Logic.I).
        pose proof (same_registers _ _ _ _ Al r Kn) as A. rewrite Members.register_ground, Sv in A. simpl in A.
        destruct (register g' r) as [| | |q]; simpl in A; try contradiction. destruct A as (k & A & _). simpl in A. eauto.
      - destruct (Nm size _ Ov eq_refl Rr) as [[q k] A]. eauto. }
    destruct Ex as (q & k & E2). pose proof (in_memory _ _ _ _ Al _ _ _ E2) as [_ Lq].
    pose proof (same_object_states _ _ _ _ Al _ _ _ E2) as [_ _ Lo _ _ _]. rewrite Members.object_ground, Ov in Lo. simpl in Lo.
    assert (q = size).
    { destruct (Nat.lt_ge_cases q size) as [X|X]; [|destruct One as [O|[O _]]; lia].
      pose proof (one_to_one _ _ _ _ Al _ _ _ _ _ (Fx _ X) E2). lia. }
    subst q. destruct One as [O|[O Lw]]; [lia|]. rewrite E2. f_equal. f_equal. lia.
  - destruct (kills_fits o No) as [F K]. eapply (Fin (goes (S (place_of m)) (ended m o))); eauto. discriminate.
  - eapply (Fin (goes (S (place_of m)) m)); [discriminate | eapply other_fits; eauto | apply keeps_same; reflexivity | exact D].
Qed.
End Effects.
