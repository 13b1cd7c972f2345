(** What an effect does to a member, whatever it is (spec/calculus.md#outcomes): values of
    fresh variables are chosen, and the member behind it accounts for what the execution does. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Existing Tidy Alike Typed Bounds Frames FoldedMembers FoldedOutcomes Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists Moving RegisterScopes Followed Drawn FreshObjects MadeObjects MadeShown.
Import ListNotations.
Open Scope Z_scope.

Section Performed.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable tabs : indexed table.
Hypothesis setting_right : same_setting E P under.
Notation machine := (Goatherd.Runs.system_of P under).
Notation step := (Machine.step P under).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).
Notation world := (world tabs).
Notation goes_on := (goes_on tabs).

(** What the list says happens, and the values of fresh variables that it asks for. *)
Lemma values_for nu s c M e z : modelled tabs s -> in_scope s c -> Terms.well_sorted nu -> good nu s M ->
  (forall r T, e = Draws r T -> Integers.within T z) -> exists mu K, Terms.well_sorted mu /\ good mu s K /\ agree_within (variables c) nu mu /\
    forall r T, e = Draws r T -> exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x /\ Terms.integers mu (Some T) (N.to_nat x) = z.
Proof.
  intros Mo [F _] W G Wz. assert (Same : agree_within (variables c) nu nu) by (split; auto).
  destruct e as [k|r v| |r T|q f el v|r dd n f|q]; try (exists nu, M; split; auto; split; auto; split; auto; intros; discriminate).
  assert (Ex : exists x, nth (integers (variables c)) (number_of_sort (Some T)) = Some x).
  { destruct F as [F _]. destruct (integers (variables c)) as [|a0 [|a1 [|a2 [|a3 [|a4 [|a5 [|a6 [|a7 [|a8 [|a9 [|]]]]]]]]]]]; try discriminate. destruct T; eexists; reflexivity. }
  destruct Ex as [x Ex]. pose proof (Wz r T eq_refl) as Wt. set (mu := set_integer nu (Some T) x z).
  assert (Wm : Terms.well_sorted mu) by (apply set_integer_sorted; auto). destruct (Mo mu Wm) as [K Gk]. exists mu, K. split; auto. split; auto.
  split; [apply set_integer_agrees; exact Ex|]. intros r0 T0 [= <- <-]. exists x. split; auto. apply set_integer_value.
Qed.

(** ** What makes an object *)

(** The member behind it, by what is in its table before its register is set. *)
Record makes_member (ok : Prop) (M' : model) (m m' : member_state) (l : N) (r : option N) (d n : N) (f : Certificates.fresh) (b : Z) (v : nat -> Z -> Z) : Prop := {
  made_there : exists m1 o x ly y, at_position (objects_of (names_in E)) d = Some x /\ at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some ly /\ object_put m m1 d o x y /\
    vl M' (lower y) = b /\ vl M' (upper y) = b + vl M' n /\ length (field_states y) = length (fields ly) /\
    (ok -> forall k fd z j, List.nth_error (fields ly) k = Some fd -> List.nth_error (field_states y) k = Some z -> b <= j < b + vl M' n -> holds_element M' z j (first_value f (field_type fd) (v k j))) /\
    match r with Some r => find (held m1) r <> None /\ held m' = put (held m1) r (PointerSlot o (lower y) 0) | None => held m' = held m1 end /\ objects_held m' = objects_held m1 /\ parts_held m' = parts_held m1;
  made_place : place_of m' = At (N.succ l);
  made_size : size_of m' = size_of m;
  made_consumed : consumed_of m' = consumed_of m }.
Lemma perform_makes env ok s c nu M who m l r d n f b (v : nat -> Z -> Z) c' env' s' : world s c nu M -> nth (herd c) who = Some m -> place_of m = At l -> part_within s (variables c) (LinearPart n) ->
  (forall w c2 env2 s1, create E c (match f with Zero => FromContents [] | Arbitrary => env end) who d n s = Gives (w, c2, env2) s1 -> created E tabs ok f b v s c M who m d n w c2 s1) ->
  perform E c env who (Creates r d n f) s = Gives (c', env') s' ->
  exists mu M' c1 m', draws c c1 /\ c' = set_member c1 who m' /\ world s' c' mu M' /\ goes_on s c M s' c' M' /\ makes_member ok M' m m' l r d n f b v.
Proof.
  intros Wo Hm Pl Wn Creation R. unfold perform, member_at in R. unfold bind at 1, some at 1 in R. rewrite Hm in R. unfold ret at 1 in R. rewrite Pl in R.
  unfold bind at 1 in R. destruct (next_number l s) as [k s0|] eqn:Nx; [|discriminate]. destruct (next_number_peek s l _ _ Nx) as [-> ->].
  unfold bind at 1 in R. unfold demand in R. destruct (is_offered (Creates r d n f) env); [|discriminate]. unfold ret at 1 in R. unfold bind at 1 in R. unfold create_by in R.
  unfold bind at 1 in R. unfold bind at 1 in R. destruct (create E c _ who d n s) as [[[w c2] left_] s1|] eqn:Cr; [|discriminate].
  destruct (Creation w c2 left_ s1 eq_refl) as (mu & M1 & c1 & m1 & o & x & ly & y & D1 & -> & -> & W1 & G1 & Hx & Hl & Pu & Tm & Wl & Lo & Up & Wd & Fl).
  assert (H1 : nth (herd c1) who = Some m) by (rewrite D1; exact Hm).
  destruct (goes_terms _ _ _ _ _ _ _ G1 _ Wn) as [_ Vn]. simpl in Vn.
  destruct Pu as [Pn Pg Pm Po Pr Pt Py]. pose proof (Build_object_put m m1 d o x y Pn Pg Pm Po Pr Pt Py) as Pu.
  (* The register, if there is one. *)
  assert (Set_ : exists m2, match r with Some r => set_in (set_member c1 who m1) who r (PointerSlot o (lower y) 0) | None => ret (set_member c1 who m1) end s1 = Gives (set_member c1 who m2) s1 /\
    match r with Some r => find (held m1) r <> None /\ held m2 = put (held m1) r (PointerSlot o (lower y) 0) | None => held m2 = held m1 end /\ objects_held m2 = objects_held m1 /\ parts_held m2 = parts_held m1 /\
    size_of m2 = size_of m1 /\ consumed_of m2 = consumed_of m1).
  { destruct r as [r|]; [|exists m1; repeat split]. cbn beta in R. destruct (set_in (set_member c1 who m1) who r (PointerSlot o (lower y) 0) s1) as [c3 s2|] eqn:Si; [|unfold bind in R; unfold element in R; rewrite Si in R; discriminate].
    destruct (set_in_peek s1 (set_member c1 who m1) who m1 r _ (member_set c1 who m1 ltac:(congruence)) _ _ Si) as [-> [F ->]]. rewrite set_member_twice. eexists. split; [reflexivity|]. repeat split. exact F. }
  destruct Set_ as (m2 & Es & Led & Os & Ps & Sz & Cn). unfold bind at 1 in R. unfold element in R. rewrite Es in R. unfold ret at 1 in R. unfold ret at 1 in R.
  rewrite behind_itself in R. unfold bind at 1, ret at 1 in R. unfold bind at 1, some at 1 in R. rewrite member_set in R by congruence. unfold ret in R. injection R as <- <- <-. rewrite set_member_twice.
  set (m' := at_place m2 (At (N.succ l))).
  assert (Sc' : in_scope s1 (set_member c1 who m')).
  { apply (member_scope s1 c1 who m); [exact (world_scope _ _ _ _ _ W1) | exact H1 | |].
    - destruct Pt as [T1 T2 T3]. split; cbn [m' held objects_held at_place]; rewrite ?Os; auto. destruct r; [destruct Led as [F ->]; apply put_numbered; auto | rewrite Led; exact T1].
    - intros p I. rewrite member_terms_are in I. unfold other_terms in I. cbn [m' consumed_of held objects_held parts_held at_place] in I. rewrite Os, Ps, Cn in I.
      assert (In1 : forall q, In q (slot_terms (consumed_of m1)) \/ In q (entry_terms slot_terms (held m1)) \/ In q (entry_terms object_terms (objects_held m1)) \/ In q (entry_terms folded_terms (parts_held m1)) -> part_within s1 (variables c1) q).
      { intros q J. apply Tm. rewrite member_terms_are. unfold other_terms. rewrite !in_app_iff. exact J. }
      rewrite !in_app_iff in I. destruct I as [I|[I|I]]; auto. destruct r as [r|]; [|rewrite Led in I; auto].
      destruct Led as [_ Hh]. rewrite Hh in I. revert p I. apply put_terms; auto. intros p [<-|[]]. exact Wl. }
  exists mu, M1, c1, m'. split; [exact D1|]. split; [reflexivity|]. split; [exact (world_changes tabs s1 c1 _ mu M1 W1 Sc')|]. split; [split; [exact (goes_later _ _ _ _ _ _ _ G1) | exact (goes_terms _ _ _ _ _ _ _ G1)]|].
  split; [|reflexivity | cbn [m' size_of at_place]; rewrite Sz, Pr; reflexivity | cbn [m' consumed_of at_place]; rewrite Cn, Pr; reflexivity].
  exists m1, o, x, ly, y. rewrite Vn. repeat (split; [assumption|]). auto.
Qed.

(** ** Any effect *)

Lemma draws_drawn nu c c1 s K m' e : draws_from nu c c1 s K m' e -> draws c c1.
Proof. unfold draws_from. destruct e; try (intros ->; apply draws_refl). intros (x & t & _ & -> & _). reflexivity. Qed.
Lemma drawn_wider nu c c1 s s' K m' e p : draws_from nu c c1 s' K m' e -> (part_within s (variables c) p -> part_within s' (variables c) p) -> part_within s (variables c) p -> part_within s' (variables c1) p.
Proof.
  unfold draws_from. intros D Kp W. apply Kp in W. destruct e; try (subst c1; exact W). destruct D as (x & t & Ex & -> & _).
  eapply (within_wider s' (variables c)); [| |exact W]; [intros q j; apply one_more_exists; exact Ex | intros U j (y & En & L); exists y; auto].
Qed.
(** Terms stay, and what the configuration mentions is in scope again. *)
Theorem performed_sane s c who m l e c' env s' : sane s c -> nth (herd c) who = Some m -> place_of m = At l -> (forall p, In p (effect_terms e) -> part_within s (variables c) p) ->
  perform E c AnyValue who e s = Gives (c', env) s' -> later s s' /\ sane s' c' /\ progress c' = progress c.
Proof.
  intros [Mo Sc] H Pl We R. destruct (makes e) eqn:Mk.
  - destruct e as [k|r v| |r T|q f el v|r d n f|q]; try discriminate. destruct (Mo zeros zeros_sorted) as [M G].
    pose proof (Build_world _ _ _ _ _ zeros_sorted G Sc Mo) as Wo. pose proof (We _ (or_introl eq_refl)) as Wn.
    destruct (perform_makes AnyValue True s c zeros M who m l r d n f 0 (fun _ _ => 0) c' env s' Wo H Pl Wn (fun w c2 e s1 => object_created E tabs f _ s c zeros M who m d n w c2 e s1 Wo H Wn) R) as (mu & M' & c1 & m' & D & -> & [_ _ Sc' Mo'] & Go & _).
    split; [exact (goes_later _ _ _ _ _ _ _ Go)|]. split; [split; assumption|]. rewrite D. reflexivity.
  - assert (Me : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (perform E c AnyValue who e) (fun r s' _ => in_scope s' (fst r) /\ progress (fst r) = progress c)).
    { intros nu M W G. eapply meets_weaker; [apply (perform_moves E (same_arithmetic _ _ _ setting_right) nu W tabs s M c who m l e); auto|].
      intros [c3 env3] s1 M1 _ _ (c4 & m' & Ec & Dr & Mv & Sc4 & Tm). cbn [fst] in *. subst c3. pose proof (draws_drawn _ _ _ _ _ _ _ Dr) as D.
      split; [|rewrite D; reflexivity]. apply (moved_scope s1 M1 c4 who m m' l e); auto. rewrite D. exact H. }
    assert (La : later s s') by (eapply (meets_later tabs s _ (c', env) s' (fun _ _ r s' _ => in_scope s' (fst r) /\ progress (fst r) = progress c)); eauto).
    destruct (Mo zeros zeros_sorted) as [M G]. destruct (Me zeros M zeros_sorted G _ _ R) as (_ & _ & _ & Sc' & Pr). split; [exact La|]. split; [split; [eapply modelled_later; eauto | exact Sc'] | exact Pr].
Qed.
(** An object begins where the environment says. *)
Lemma made_start g d0 r d count f w : step g d0 = Machine.Ok (made_at P g r d count f w) -> Machine.start w = Machine.start d0.
Proof.
  intros S. pose proof (FoldedOutcomes.step_fresh P under g d0 _ S) as F. unfold made_at in F. set (b := if Tidy.is_local P (N.to_nat d) then _ else _) in F.
  assert (Lb : length (Machine.memory b) = length (Machine.memory g)) by (unfold b; destruct (Tidy.is_local _ _); [apply Tidy.kill_current_length | reflexivity]).
  assert (Ob : forall x, Machine.memory x = Machine.memory (Machine.create P b (N.to_nat d) count (Translated.fresh_of f) w) ->
    length (Machine.memory x) = Datatypes.S (length (Machine.memory g)) /\ Machine.lower (Machine.object_at x (length (Machine.memory g))) = Machine.start w).
  { intros x Ex. unfold Machine.object_at. rewrite Ex, <- Lb. split; [cbn [Machine.create Machine.memory]; rewrite app_length; simpl; lia|].
    fold (Machine.object_at (Machine.create P b (N.to_nat d) count (Translated.fresh_of f) w) (length (Machine.memory b))). rewrite Tidy.object_at_create, Nat.eqb_refl. reflexivity. }
  destruct r as [r|]; match type of F with FoldedOutcomes.one_more _ ?x _ => destruct (Ob x eq_refl) as [L A]; destruct F as [F|[_ F]]; [pose proof (eq_trans (eq_sym L) F); lia | exact (eq_trans (eq_sym A) F)] end.
Qed.
Section Happens.
Variables (phi : FoldedMembers.meaning) (s : state) (c : configuration) (nu : Terms.valuation) (M : model) (who : N) (m : member_state) (l : N) (e : effect).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g st : Machine.state) (d0 d : Machine.decision).
Hypothesis here : world s c nu M.
Hypothesis member_is : nth (herd c) who = Some m.
Hypothesis stands : place_of m = At l.
Hypothesis terms_within : forall p, In p (effect_terms e) -> part_within s (variables c) p.
Hypothesis described : FoldedMembers.describes_by P (symbols_of c) (valued M) phi (member_of l m) rho roots lasts placed g.
Hypothesis fine : FoldedMembers.fine_state P g.
Hypothesis cells : cells_live P l m placed g.
Hypothesis happened : happens P l m rho roots lasts g M e (step g d0).
Hypothesis begins_there : Machine.start d0 = 0.
Hypothesis alike_ends : RegisterSteps.ends_alike P (step g d0) (step st d).
Hypothesis standing : Machine.location st = N.to_nat l.
(** Whatever the execution is that is in that state, the member behind the effect accounts for
    it, one step on. *)
Theorem performed c' env s' : perform E c AnyValue who e s = Gives (c', env) s' -> exists mu M' c1 m', draws c c1 /\ c' = set_member c1 who m' /\ world s' c' mu M' /\ goes_on s c M s' c' M' /\ size_of m' = size_of m /\
  forall t : Herds.run machine, Herds.last machine t = Goatherd.Runs.Running st -> (match consumed_of m with IntegerSlot u => vl M' u = Z.of_nat (Herds.consumed machine t) | _ => True end) ->
    Configurations.accounts P under (symbols_of c) (valued M') phi (counted_of m') (moved_on P under t st d).
Proof.
  intros R. pose proof here as [W G Sc Mo]. pose proof (terms_of_member s c who m Sc member_is) as Tm. pose proof (proj1 (proj2 Sc) m (herd_member c m (nth_in _ _ _ member_is))) as Rm.
  assert (Later_ : forall K, all_same M K (member_terms m) -> FoldedMembers.describes_by P (symbols_of c) (valued K) phi (member_of l m) rho roots lasts placed g).
  { intros K Vs. revert described. apply SameValues.describes_same; [intros x q; auto|]. apply member_same. exact Vs. }
  destruct (makes e) eqn:Mk.
  - destruct e as [k|r v| |r T|q f el v|r o n f|q]; try discriminate. destruct happened as (Nd & May & w & Sg).
    pose proof (terms_within _ (or_introl eq_refl)) as Wn.
    destruct (perform_makes AnyValue True s c nu M who m l r o n f 0 (Machine.fills w) c' env s' here member_is stands Wn (fun p c2 e s1 => object_created E tabs f _ s c nu M who m o n p c2 e s1 here member_is Wn) R) as (mu & M' & c1 & m' & D & Ec & W' & Go & [There Pl' Sz Cn]).
    exists mu, M', c1, m'. split; [exact D|]. split; [exact Ec|]. split; [exact W'|]. split; [exact Go|]. split; [exact Sz|]. intros t La C.
    destruct There as (m1 & q & x & ly & y & Hx & Hl & Pu & Lo & Up & Wd & Fl & Led & Os & Ps). rewrite <- Lo in Up, Fl. specialize (Fl Logic.I).
    pose proof (proj2 (goes_terms _ _ _ _ _ _ _ Go _ (terms_within _ (or_introl eq_refl)))) as Vn. simpl in Vn. rewrite <- Vn in May, Sg.
    eapply (made_accounts E P under setting_right l m m1 (symbols_of c) phi M' rho roots lasts placed g st (Later_ M' (fun p I => proj2 (goes_terms _ _ _ _ _ _ _ Go p (Tm p I)))) fine Rm cells o q x ly y Hx Hl Pu n f w r May); eauto.
    rewrite (made_start g d0 r o _ f w Sg), Lo. exact begins_there.
  - assert (Zs : exists z, forall r T, e = Draws r T -> Integers.within T z /\ step g d0 = Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z))).
    { clear - happened. destruct e; try (exists 0; intros; discriminate). destruct happened as (_ & z & Wz & Sz). exists z. intros r0 T0 [= <- <-]. auto. }
    destruct Zs as [z Zs]. destruct (values_for nu s c M e z Mo Sc W G (fun r T Ee => proj1 (Zs r T Ee))) as (mu & K & Wm & Gk & Ag & Fv).
    assert (Vs : forall p, part_within s (variables c) p -> same_value M K p) by (intros p; apply (within_agree tabs nu mu (variables c) Ag s M K G Gk)).
    destruct (perform_moves E (same_arithmetic _ _ _ setting_right) mu Wm tabs s K c who m l e Gk Sc member_is stands Mk terms_within _ _ R) as (M' & G' & Kp & c1 & m' & Ec & Dr & Mv & Sc1 & Tm'). cbn [fst] in Ec. subst c'.
    pose proof (draws_drawn _ _ _ _ _ _ _ Dr) as D. destruct (performed_sane s c who m l e _ env s' (conj Mo Sc) member_is stands terms_within R) as (La & [Mo' Sc'] & _).
    assert (Vs' : forall p, part_within s (variables c) p -> same_value M M' p).
    { intros p Wp. pose proof (Vs p Wp) as V1. pose proof (kept_value s K s' M' p Kp (within_in nu tabs (variables c) s M p G Wp)) as V2. destruct p; simpl in *; [congruence | intros j; rewrite V2; apply V1]. }
    exists mu, M', c1, m'. split; [exact D|]. split; [reflexivity|]. split; [split; assumption|]. split.
    { split; [exact La|]. intros p Wp. split; [|auto]. change (variables (set_member c1 who m')) with (variables c1). eapply (drawn_wider mu c c1 s s' M' m' e p Dr); [intros X; eapply part_kept; eauto | exact Wp]. }
    split; [exact (moved_size _ _ _ _ _ Mv)|]. intros t Lt C.
    apply (moved_accounts P under l m m' (symbols_of c) phi M' rho roots lasts placed g st) with (e := e) (d0 := d0); auto.
    + apply Later_. intros p I. auto.
    + apply (happens_same P l m rho roots lasts g M M'); [intros p I; auto | exact happened].
    + intros f q x Hq I. exact (proj2 (cells f q x Hq I)).
    + intros r T Ee. destruct (Fv r T Ee) as (x & Ex & Vx). unfold draws_from in Dr. rewrite Ee in Dr. destruct Dr as (x' & u & Ex' & _ & Fu & Vu). rewrite Ex in Ex'. injection Ex' as <-.
      exists u. split; [exact Fu|]. rewrite Vu, Vx. exact (proj2 (Zs r T Ee)).
Qed.
End Happens.
End Performed.
