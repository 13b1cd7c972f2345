(** Objects of which a scapegoat says where they begin and what their integers are
    (spec/calculus.md#stepdecided). *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Owed Tidy Typed Bounds Entries FoldedMembers Configurations RegisterSteps SameValues SameInputs Loading.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists CellsStand BeyondSums CoveredLists Moving RegisterScopes Followed Templates Drawn FreshObjects MadeObjects MadeShown Performed Stepped StepShown Decided ImagesShown Chosen.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Section Chosen.
Variable E : setting.
Variable tabs : indexed table.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Notation world := (world tabs).
Variable c : configuration.
Notation known_hold K := (literals_hold K (known_literals c)).
Notation scoped s := (in_scope s c /\ forall k, In k (known_literals c) -> literal_in s k).
Lemma scoped_kept s M s' M' : keeps s M s' M' -> scoped s -> scoped s'.
Proof. intros K [Sc L]. split; [eapply in_scope_later; eauto | eapply known_in_kept; eauto]. Qed.

(** ** Fields *)

Lemma array_within_meets s M a T : good s M -> scoped s -> meets s M (shown_array (variables c) (known_literals c) a T) (fun _ s' K => part_within s' (variables c) (ArrayPart a) /\ elements_shown c T s' K a).
Proof.
  intros G [Sc L] u s' R. destruct (array_meets c nu sorted tabs s M a T G L u s' R) as (K & G' & Kp & Es). exists K. split; [exact G'|]. split; [exact Kp|]. split; [|exact Es].
  unfold shown_array in R. unfold bind at 1 in R. destruct (exists_in (variables c) (ArrayPart a) s) as [v s1|] eqn:Ei; [|discriminate]. destruct (exists_in_peek tabs nu s M (variables c) (ArrayPart a) G (proj1 Sc) _ _ Ei) as [-> W]. eapply part_kept; eauto.
Qed.
Lemma chosen_field_meets s M T e vs r : good s M -> scoped s -> meets s M (chosen_field c T e vs r) (fun x s' K => keeps s M s' K /\ x = {| cells := List.map IntegerSlot vs; rest := r |} /\ count vs = fst e /\ (r = None -> snd e = false) /\
  (forall p, In p (field_terms x) -> part_within s' (variables c) p) /\ (forall t, In t vs -> integer_shown c (Some T) s' K t) /\ forall a, r = Some a -> elements_shown c T s' K a).
Proof.
  intros G Sd. unfold chosen_field. eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => (count vs =? fst e)%N && Bool.eqb (match r with Some _ => true | None => false end) (snd e) = true)); auto|]. intros ? Dm. cbn beta in Dm.
  apply andb_prop in Dm as [Cn Rd]. apply N.eqb_eq in Cn. apply Bool.eqb_prop in Rd.
  eapply meets_bind; [apply meets_also_kept, (for_each_meets nu tabs _ (fun s _ => scoped s) (fun t s M => part_within s (variables c) (LinearPart t) /\ integer_shown c (Some T) s M t)); auto|].
  - intros s1 M1 s2 M2 K S1. eapply scoped_kept; eauto.
  - intros t s1 M1 s2 M2 [_ L1] K [W1 I1]. split; [eapply part_kept; eauto | eapply integer_kept; eauto].
  - intros t s1 M1 _ G1 [Sc1 L1]. eapply meets_weaker; [apply meets_also_kept, (chosen_value_meets tabs nu s1 M1 c t T); auto|]. intros ? s2 M2 _ _ (K2 & W2 & I2 & V2 & R2). split; [exact W2|].
    split; [pose proof (proj1 (keeps_linears _ _ _ _ K2)); lia|]. intros Ho. rewrite V2. apply R2. exact (hold_back c s1 M1 s2 M2 L1 K2 Ho).
  - intros ? s1 M1 G1 _ [K1 All]. pose proof (scoped_kept _ _ _ _ K1 Sd) as Sd1.
    eapply meets_bind with (P := fun _ s' K => keeps s1 M1 s' K /\ forall a, r = Some a -> part_within s' (variables c) (ArrayPart a) /\ elements_shown c T s' K a).
    + destruct r as [ar|]; [|apply meets_ret; auto; split; [apply keeps_refl | discriminate]]. eapply meets_weaker; [apply meets_also_kept, array_within_meets; auto|]. intros ? s2 M2 _ _ [K2 H]. split; [exact K2|]. intros a' [= <-]. exact H.
    + intros ? s2 M2 G2 _ [K2 Ha]. apply meets_ret; auto. split; [eapply keeps_trans; eauto|]. split; [reflexivity|]. split; [exact Cn|]. split; [intros ->; symmetry; exact Rd|]. split.
      * intros p I. unfold field_terms in I. cbn [cells rest] in I. apply in_app_or in I as [I|I].
        -- apply in_flat_map in I as (w & Iw & Ip). apply in_map_iff in Iw as (t & <- & It). destruct Ip as [<-|[]]. eapply part_kept; [exact K2 | apply All; exact It].
        -- destruct r as [ar|]; [|destruct I]. destruct I as [<-|[]]. apply Ha. reflexivity.
      * split; [intros t It; eapply integer_kept; [exact (proj2 Sd1) | exact K2 | apply All; exact It] | intros ar Ea; apply Ha; exact Ea].
Qed.
(** What a field holds: integers in range, if the literals hold; pointers nothing. *)
Definition in_range (count : option Z) (x : field_state) (j : Z) : Prop := rest x = None -> 0 <= j /\ match count with Some z => j < z | None => True end.
Definition says_values (K : model) (count : option Z) (t : type) (x : field_state) : Prop := match t with
  | IntegerType T => forall j, in_range count x j -> exists z, holds_element K x j (Machine.Integer z) /\ (known_hold K -> Integers.within T z)
  | Pointer => rest x = None /\ forall j, in_range count x j -> holds_element K x j Machine.Uninitialised end.
Lemma values_kept s M s' M' count t x : scoped s -> keeps s M s' M' -> all_same M M' (field_terms x) -> says_values M count t x -> says_values M' count t x.
Proof.
  intros [_ L] K Sm. destruct t as [T|]; cbn [says_values].
  - intros H j R. destruct (H j R) as (z & Hz & Wz). exists z. split; [eapply holds_goes; eauto|]. intros Ho. apply Wz. exact (hold_back c s M s' M' L K Ho).
  - intros [Nr H]. split; [exact Nr|]. intros j R. eapply holds_goes; eauto.
Qed.
Definition all_say (K : model) (count : option Z) (fs : list field) (xs : list field_state) : Prop := forall k f x, List.nth_error fs k = Some f -> List.nth_error xs k = Some x -> says_values K count (field_type f) x.
Variables (lo : N) (ch : list (list N * option N)).
Notation env := (Chosen (Allocation lo ch)).
Lemma chosen_fields_meets d count fs : forall q s M, good s M -> scoped s -> meets s M (new_fields E c env d count q fs) (fun r s' K => keeps s M s' K /\ snd (fst r) = c /\ snd r = env /\
  length (fst (fst r)) = length fs /\ (forall p, In p (flat_map field_terms (fst (fst r))) -> part_within s' (variables c) p) /\ all_say K count fs (fst (fst r))).
Proof.
  induction fs as [|f fs IH]; intros q s M G Sd; cbn [new_fields].
  - apply meets_ret; auto. cbn [fst snd]. split; [apply keeps_refl|]. repeat (split; [reflexivity|]). split; [intros ? [] | intros k f x H; destruct k; discriminate].
  - eapply meets_peek; [apply extent_peek|]. intros e Fit. cbn beta in Fit.
    eapply meets_bind with (P := fun r s' K => keeps s M s' K /\ snd (fst r) = c /\ snd r = env /\ (forall p, In p (field_terms (fst (fst r))) -> part_within s' (variables c) p) /\ says_values K count (field_type f) (fst (fst r))).
    + destruct (field_type f) as [T|].
      * unfold integer_field. eapply meets_bind; [apply meets_also_kept, constant_meets; exact G|]. intros zero s1 M1 G1 _ [K1 _]. pose proof (scoped_kept _ _ _ _ K1 Sd) as Sd1.
        eapply meets_peek with (P := fun _ => True); [apply peeks_some; auto|]. intros [vs r] _.
        eapply meets_bind; [apply chosen_field_meets; auto|]. intros x s2 M2 G2 _ (K2 & -> & Cn & Rd & Wt & Iv & Ir). apply meets_ret; auto. cbn [fst snd].
        split; [eapply keeps_trans; eauto|]. split; [reflexivity|]. split; [reflexivity|]. split; [exact Wt|]. cbn [says_values]. intros j Rj. unfold holds_element, Loading.fixed_element.
        cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest cells rest]. rewrite !map_length. rewrite count_length in Cn. destruct (Z.leb_spec 0 j) as [J0|J0], (Z.ltb_spec j (Z.of_nat (length vs))) as [J1|J1]; cbn [andb].
        2-4: destruct r as [ar|]; [exists (vr M2 ar j); cbn [option_map]; simpl; rewrite N2Nat.id; split; [reflexivity | intros Ho; apply (Ir ar eq_refl); exact Ho]|].
        2-4: exfalso; destruct (Rj eq_refl) as [B L]; destruct (Fit j B L) as [F|F]; [rewrite <- Cn in F; lia | rewrite (Rd eq_refl) in F; discriminate].
        destruct (List.nth_error vs (Z.to_nat j)) as [t|] eqn:Nt; [|apply nth_error_None in Nt; lia]. exists (vl M2 t). rewrite (nth_error_nth _ _ FoldedMembers.forgotten (map_nth_error slot_of _ _ (map_nth_error IntegerSlot _ _ Nt))). cbn [Loading.fixed slot_of].
        rewrite valued_term. split; [reflexivity|]. intros Ho. apply (proj2 (Iv t (List.nth_error_In _ _ Nt))). exact Ho.
      * unfold pointer_field. eapply meets_bind with (P := fun x s' K => keeps s M s' K /\ x = {| cells := repeat Uninitialised (N.to_nat (fst e)); rest := None |}).
        { eapply meets_bind; [apply meets_also_kept, constant_meets; exact G|]. intros zero s1 M1 G1 _ [K1 _]. destruct (is_nothing (nth ch q)); [apply meets_ret; auto | apply meets_refuses]. }
        intros ? s1 M1 G1 _ [K1 ->]. apply meets_ret; auto. cbn [fst snd]. split; [exact K1|]. split; [reflexivity|]. split; [reflexivity|]. split; [unfold field_terms; cbn [cells rest]; rewrite no_terms by reflexivity; intros ? []|].
        split; [reflexivity|]. intros j Rj. destruct (Rj eq_refl) as [B L]. apply pointers_hold; [reflexivity|]. destruct (Fit j B L) as [F|[]]. lia.
    + intros [[x c1] env1] s1 M1 G1 _ (K1 & Ec & Ee & Wt & Sv). cbn [fst snd] in *. subst c1 env1. pose proof (scoped_kept _ _ _ _ K1 Sd) as Sd1.
      eapply meets_bind; [apply (IH (N.succ q) s1 M1 G1 Sd1)|]. intros [[xs c2] env2] s2 M2 G2 _ (K2 & Ec & Ee & Ln & Wts & All). cbn [fst snd] in *. subst c2 env2. apply meets_ret; auto. cbn [fst snd].
      split; [eapply keeps_trans; eauto|]. split; [reflexivity|]. split; [reflexivity|]. split; [simpl; congruence|]. split.
      * intros p I. cbn [flat_map] in I. apply in_app_or in I as [I|I]; [eapply part_kept; eauto | auto].
      * intros [|k] g y Eg Ey; cbn [List.nth_error] in Eg, Ey; [|exact (All k g y Eg Ey)]. injection Eg as <-. injection Ey as <-.
        apply (values_kept s1 M1 s2 M2 count (field_type f) x Sd1 K2); [|exact Sv]. intros p I. eapply kept_value; [exact K2 | exact (within_in nu tabs (variables c) s1 M1 p G1 (Wt p I))].
Qed.
End Chosen.

(** ** The object *)

Section Allotted.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Hypothesis setting_right : same_setting E P under.
(** What well-formedness asks of the program. *)
Hypothesis locals : Tidy.locals_formed P.
Hypothesis types : Typed.types_formed P.
Hypothesis memories : Bounds.memory_formed P.
Hypothesis contents : Entries.contents_formed P.
Hypothesis no_local_sort : forall s, Tidy.is_local P (Sorts.declaration (trees s)) = false.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation world := (world tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).
Variables (lo : N) (ch : list (list N * option N)).
Notation env := (Chosen (Allocation lo ch)).

(** What an element is that a field says. *)
Definition element_of (K : model) (xs : list field_state) (k : nat) (j : Z) : Z := match List.nth_error xs k with
  | Some x => match Loading.fixed_element (valued K) (Denoting.field_of x) j with Some (Machine.Integer z) => z | _ => 0 end
  | None => 0 end.
Theorem object_chosen s c nu M who m d n w c' env' s' : world s c nu M -> nth (herd c) who = Some m -> part_within s (variables c) (LinearPart n) -> create E c env who d n s = Gives (w, c', env') s' ->
  exists b v, created E tabs (literals_hold M (known_literals c)) Arbitrary b v s c M who m d n w c' s' /\ ((lo < linears_in s)%N -> b = vl M lo).
Proof.
  intros Wo Hm Wn R. pose proof Wo as [W G Sc Mo].
  assert (Refused : (forall l count xs c1 env1 s1 zero s2 low s3, layout_in E d s = Gives l s -> value_of n s = Gives count s -> new_fields E c env d count 0 (fields l) s = Gives (xs, c1, env1) s1 ->
    constant_term 0 s1 = Gives zero s2 -> chosen_lower c1 env1 xs zero s2 = Gives low s3 -> False) -> exists b v, created E tabs (literals_hold M (known_literals c)) Arbitrary b v s c M who m d n w c' s' /\ ((lo < linears_in s)%N -> b = vl M lo)).
  { intros No. exists (vl M lo), (fun _ _ => 0). split; [|reflexivity]. apply (created_so E tabs env _ Arbitrary (vl M lo) (fun _ _ => 0) s c nu M who m d n Wo Hm Wn) with (env' := env'); [|exact R]. intros. exfalso. eapply No; eauto. }
  destruct (layout_in E d s) as [l sl|] eqn:Ly; [|apply Refused; intros; discriminate]. destruct (value_of n s) as [count sv|] eqn:Vo; [|apply Refused; intros; discriminate].
  destruct (new_fields E c env d count 0 (fields l) s) as [[[xs c1] env1] s1|] eqn:Nf; [|apply Refused; intros until s3; intros [= <- <-] [= <- <-]; congruence].
  destruct (constant_term 0 s1) as [zero s2|] eqn:C0; [|apply Refused; intros until s3; intros [= <- <-] [= <- <-]; congruence].
  assert (Scoped : in_scope s c /\ forall k, In k (known_literals c) -> literal_in s k) by (split; [exact Sc | intros k I; eapply literals_in; eauto]).
  destruct (computed tabs s c nu M (new_fields E c env d count 0 (fields l)) (fun _ M r s' K => keeps s M s' K /\ snd (fst r) = c /\ snd r = env /\ length (fst (fst r)) = length (fields l) /\ (forall p, In p (flat_map field_terms (fst (fst r))) -> part_within s' (variables c) p) /\
    all_say c K count (fields l) (fst (fst r))) (xs, c1, env1) s1 Wo) as (M1 & W1 & G1 & _ & K1 & Ec & Ee & Ln & Wt & All); [|exact Nf|].
  { intros mu K Wm Gk. apply (chosen_fields_meets E tabs mu Wm c lo ch d count (fields l) 0%N s K Gk). split; [exact Sc | intros k I; eapply literals_in; eauto]. }
  cbn [fst snd] in Ec, Ee, Ln, Wt, All. subst c1 env1. pose proof (scoped_kept c s M s1 M1 K1 Scoped) as Sd1.
  destruct (computed tabs s1 c nu M1 (constant_term 0) (fun _ _ t s' M' => is_term s' M' t 0 /\ part_within s' (variables c) (LinearPart t)) zero s2 W1) as (M2 & W2 & G2 & K2 & [_ Vz] & Wz); auto.
  { intros mu K Wm Gk. apply meets_also; [apply constant_meets; exact Gk | apply (constant_within mu tabs (variables c)); exact Gk]. }
  exists (vl M2 lo), (element_of M2 xs). split; [|intros Il; exact (proj2 (keeps_linears _ _ _ _ (keeps_trans _ _ _ _ _ _ K1 K2)) lo Il)]. apply (created_so E tabs env _ Arbitrary (vl M2 lo) (element_of M2 xs) s c nu M who m d n Wo Hm Wn) with (env' := env'); [|exact R].
  intros l' count' xs' c1 env1 s1' zero' s2' low s3 fs Ly' Vo' Vc Nf' C0' Cl. rewrite Ly in Ly'. injection Ly' as <- <-. rewrite Vo in Vo'. injection Vo' as <- <-. unfold fs in *. clear fs. rewrite Nf in Nf'. injection Nf' as <- <- <- <-. rewrite C0 in C0'. injection C0' as <- <-.
  unfold chosen_lower in Cl. unfold bind at 1 in Cl. destruct (exists_in (variables c) (LinearPart lo) s2) as [u s4|] eqn:Ei; [|discriminate]. destruct (exists_in_peek tabs nu s2 M2 (variables c) (LinearPart lo) (world_good _ _ _ _ _ W2) (proj1 Sc) _ _ Ei) as [-> Wl].
  unfold bind, demand in Cl. destruct ((_ =? _)%N && _) eqn:Cd; [|discriminate]. injection Cl as <- <-. apply andb_prop in Cd as [_ Cd].
  destruct (terms_go tabs _ _ _ _ _ _ _ G2 Wt) as [Wt2 S2].
  exists nu, M2. split; [apply draws_refl|]. split; [exact W2|]. split; [eapply goes_trans; eauto|]. split; [exact Ln|]. split; [exact Wt2|]. split; [exact Wl|]. split; [reflexivity|].
  intros Ho k fd x j Ef Ex B. pose proof (values_kept c s1 M1 s2 M2 count (field_type fd) x Sd1 K2) as Kept_.
  assert (Sx : all_same M1 M2 (field_terms x)) by (intros p I; apply S2; apply in_flat_map; exists x; split; [eapply List.nth_error_In; eauto | exact I]).
  specialize (Kept_ Sx (All k fd x Ef Ex)). assert (Rg : in_range count x j).
  { intros Nr. assert (Ex_ : existsb has_no_rest xs = true) by (apply existsb_exists; exists x; split; [eapply List.nth_error_In; eauto | unfold has_no_rest; rewrite Nr; reflexivity]).
    rewrite Ex_ in Cd. cbn [negb orb] in Cd. apply N.eqb_eq in Cd. rewrite Cd, Vz in B. split; [lia|]. destruct count; [lia | exact Logic.I]. }
  assert (Hk : literals_hold M2 (known_literals c)).
  { intros q I. apply (literal_kept _ _ _ _ q (keeps_trans _ _ _ _ _ _ K1 K2)); [exact (proj2 Scoped q I) | exact (Ho q I)]. }
  cbn [first_value]. destruct (field_type fd) as [T|]; cbn [says_values fresh_value] in Kept_ |- *.
  - destruct (Kept_ j Rg) as (z & Hz & Wz'). assert (Ev : element_of M2 xs k j = z) by (unfold element_of; rewrite Ex; unfold holds_element in Hz; rewrite Hz; reflexivity). rewrite Ev, (wrap_same T z (Wz' Hk)). exact Hz.
  - exact (proj2 Kept_ j Rg).
Qed.
(** What is performed makes an object. *)
Lemma allotted_makes c who m l e s c' env' s' : nth (herd c) who = Some m -> place_of m = At l -> perform E c env who e s = Gives (c', env') s' -> exists r d n, e = Creates r d n Arbitrary.
Proof.
  intros H Pl R. unfold perform, member_at in R. unfold bind at 1, some at 1 in R. rewrite H in R. unfold ret at 1 in R. rewrite Pl in R. unfold bind at 1 in R. destruct (next_number l s) as [k s0|]; [|discriminate].
  unfold bind at 1, demand in R. destruct (is_offered e env) eqn:Of; [|discriminate]. destruct e as [| | | | |r d n [|]|]; try discriminate. eauto.
Qed.
Lemma allotted s c nu M who m l r d n c' env' s' : world s c nu M -> nth (herd c) who = Some m -> place_of m = At l -> part_within s (variables c) (LinearPart n) -> perform E c env who (Creates r d n Arbitrary) s = Gives (c', env') s' ->
  exists b v mu M' c1 m', ((lo < linears_in s)%N -> b = vl M lo) /\ draws c c1 /\ c' = set_member c1 who m' /\ world s' c' mu M' /\ goes_on tabs s c M s' c' M' /\ makes_member E (literals_hold M (known_literals c)) M' m m' l r d n Arbitrary b v.
Proof.
  intros Wo Hm Pl Wn R. destruct (create E c env who d n s) as [[[w c2] env2] s1|] eqn:Cr.
  - destruct (object_chosen s c nu M who m d n w c2 env2 s1 Wo Hm Wn Cr) as (b & v & Cd & Vb). exists b, v.
    destruct (perform_makes E tabs env (literals_hold M (known_literals c)) s c nu M who m l r d n Arbitrary b v c' env' s' Wo Hm Pl Wn) as (mu & M' & c1 & m' & X); [|exact R|exists mu, M', c1, m'; split; [exact Vb | exact X]]. intros w' c2' env2' s1' Cr'. rewrite Cr in Cr'. injection Cr' as <- <- <- <-. exact Cd.
  - exists (vl M lo), (fun _ _ => 0). destruct (perform_makes E tabs env (literals_hold M (known_literals c)) s c nu M who m l r d n Arbitrary (vl M lo) (fun _ _ => 0) c' env' s' Wo Hm Pl Wn) as (mu & M' & c1 & m' & X); [|exact R|exists mu, M', c1, m'; split; [reflexivity | exact X]]. intros; congruence.
Qed.

(** ** The rule *)

(** What is allocated is no node; or it begins at 0, as nodes do. *)
Definition allots_plain (i : instruction) : bool := match i with
  | Allocate _ d _ _ => match at_position (objects_of (names_in E)) d with Some x => negb (is_node (Certificates.origin_of x)) | None => false end
  | _ => true end.
Definition begins_at_zero (s : state) : bool := match value_of lo s with Gives (Some z) _ => z =? 0 | _ => false end.
Lemma zero_begins nu s M : good nu s M -> begins_at_zero s = true -> (lo < linears_in s)%N /\ vl M lo = 0.
Proof.
  intros G B. unfold begins_at_zero in B. destruct (value_of lo s) as [[z|] s1|] eqn:V; try discriminate. apply Z.eqb_eq in B. subst z. destruct (value_peek nu tabs s M lo G _ _ V) as [_ [I Vz]]. auto.
Qed.
Lemma no_node i l g w r d n f v : at_position (code E) l = Some i -> Machine.location g = N.to_nat l -> allots_plain i = true -> Machine.step P under g w = Machine.Ok (made_at P g r d n f v) -> FoldedMembers.is_node P (N.to_nat d) = false.
Proof.
  intros At Lg Ap S. set (p := length (Machine.memory g)).
  assert (Ob : Machine.object_at (made_at P g r d n f v) p = Machine.object_at (Machine.create P (if Tidy.is_local P (N.to_nat d) then Machine.kill_current g (N.to_nat d) else g) (N.to_nat d) n (Translated.fresh_of f) v) p) by (unfold made_at; destruct r; reflexivity).
  assert (Lp : length (Machine.memory (if Tidy.is_local P (N.to_nat d) then Machine.kill_current g (N.to_nat d) else g)) = p) by (destruct (Tidy.is_local _ _); [apply Tidy.kill_current_length | reflexivity]).
  rewrite Tidy.object_at_create, Lp, Nat.eqb_refl in Ob.
  destruct (Owed.step_comes P under g w _ p S (le_n _)) as (_ & [Lo|(r' & e & b & f' & k & x & I & De & _)]); [rewrite Ob; reflexivity | |]; rewrite Ob in *; cbn [Machine.declared] in *.
  - unfold Tidy.is_local in Lo. unfold FoldedMembers.is_node. destruct (Programs.origin_of _); discriminate || reflexivity.
  - rewrite Lg, (same_code _ _ _ setting_right l i At) in I. injection I as I. destruct i; try discriminate. injection I as _ Ie _ _. cbn [allots_plain] in Ap. destruct (at_position (objects_of (names_in E)) _) as [y|] eqn:Hy; [|discriminate].
    unfold FoldedMembers.is_node. rewrite De, <- Ie, (same_objects _ _ _ setting_right _ _ Hy). cbn [Translated.object_of Programs.origin_of]. destruct (Certificates.origin_of y); discriminate || reflexivity.
Qed.
Theorem object_chosen_shows s c who m l i n c' s' : sane s c -> stands_covered E s c who m l i -> allots_plain i || begins_at_zero s = true -> Rules.step_decided E c who n (Some (Allocation lo ch)) s = Gives c' s' ->
  later s s' /\ sane s' c' /\ progress c' = progress c /\ Herds.sound_decided machine stage shows (Open s c) (N.to_nat (N.pred who)) (Open s' c').
Proof.
  intros Sn Co Ap Ru. pose proof Co as [H Pl At _ _]. pose proof Sn as [Mo Sc]. unfold Rules.step_decided, Rules.no_primary in Ru. unfold bind at 1 in Ru. unfold demand at 1 in Ru.
  destruct (who =? 0)%N eqn:Wh; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold member_at in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. rewrite H in Ru. unfold ret at 1 in Ru.
  change ((let$ os := outcomes E m in decided_from E env c who n os) s = Gives c' s') in Ru.
  unfold bind at 1 in Ru. destruct (outcomes E m s) as [os s1|] eqn:Os; [|discriminate]. destruct (outcomes_later E tabs s c who m l i os s1 Sn Co Os) as [L1 Wo]. pose proof (later_sane tabs _ _ _ L1 Sn) as Sn1.
  unfold decided_from in Ru. unfold bind at 1 in Ru. unfold some at 1 in Ru. destruct (nth os n) as [o|] eqn:En; [|discriminate]. unfold ret at 1 in Ru.
  unfold bind at 1 in Ru. unfold demand at 1 in Ru. destruct (Rules.is_ignorance o) eqn:Ig; [discriminate|]. cbn [negb] in Ru. unfold ret at 1 in Ru. unfold bind at 1 in Ru.
  destruct (for_each (entail (known_literals c)) (literals_of o) s1) as [u s2|] eqn:Fe; [|discriminate]. destruct (Wo o (nth_in _ _ _ En)) as [Wl We].
  pose proof (entailed_later tabs s1 c _ u s2 Sn1 Wl Fe) as L2. pose proof (later_sane tabs _ _ _ L2 Sn1) as [Mo2 Sc2].
  unfold bind at 1 in Ru. destruct (perform E c env who (effect_of o) s2) as [[c3 env3] s3|] eqn:Pe; [|discriminate]. injection Ru as <- <-.
  destruct (allotted_makes c who m l (effect_of o) s2 c3 env3 s3 H Pl Pe) as (r & d & cn & Ee). rewrite Ee in Pe.
  assert (Wn : part_within s2 (variables c) (LinearPart cn)) by (eapply later_part; [exact (proj1 Sn1) | exact L2 | apply We; rewrite Ee; left; reflexivity]).
  destruct (Mo2 zeros zeros_sorted) as [Mz Gz]. destruct (allotted s2 c zeros Mz who m l r d cn c3 env3 s3 (Build_world _ _ _ _ _ zeros_sorted Gz Sc2 Mo2) H Pl Wn Pe) as (_ & _ & mu0 & Mu0 & c0 & m0 & _ & D0 & Ec0 & [_ _ Sc3 Mo3] & Go0 & _).
  split; [eapply later_trans; [exact L1 | eapply later_trans; [exact L2 | exact (goes_later _ _ _ _ _ _ _ Go0)]]|]. split; [split; assumption|]. split; [rewrite Ec0, D0; reflexivity|]. clear mu0 Mu0 c0 m0 D0 Ec0 Go0 Mz Gz.
  intros t ts [Hd (nu & M & phi & S)]. pose proof S as (W & G & _).
  destruct (scapegoat_stands E P under trees tabs setting_right locals types memories contents nu M phi s c who m l i t ts Hd Sc S Wh Co) as (front & k & r0 & back & st & g & rho & roots & lasts & placed & -> & Lf & Ls & Lo & Fg & D & Do).
  pose proof (terms_of_member s c who m Sc H) as Tm. pose proof (proj1 (proj2 Sc) m (herd_member c m (nth_in _ _ _ H))) as Rm.
  destruct (scapegoat_lists E P under tabs setting_right types memories nu M phi s c who m l i rho roots lasts placed g W G Sc Co Fg D _ _ Os) as (M1 & G1 & K1 & [_ Re] & _).
  pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t _ Sc G1 K1 S) as S1.
  destruct (entailed_meets tabs nu (variables c) (known_literals c) W (literals_of o) s1 M1 G1 (proj1 (in_scope_parts s1 c (proj2 Sn1))) Wl _ _ Fe) as (M2 & G2 & K2 & Hl).
  pose proof (Hl (proj1 (proj2 (proj2 S1)))) as Ho. clear Hl. pose proof (carried_on P under trees tabs s1 s2 c nu M1 M2 phi t _ (proj2 Sn1) G2 K2 S1) as S2.
  assert (Ca : can_happen P under l m rho roots lasts g M1 (effect_of o)) by (apply Re; [eapply nth_in; eauto | unfold Rules.is_ignorance in Ig; destruct (tag_of o); congruence | exact Ho]).
  apply (can_happen_kept P under l m rho roots lasts g s1 M1 s2 M2 _ K2) in Ca; [|intros p J; exact (within_in nu tabs (variables c) s1 M1 p G1 (We p J))]. rewrite Ee in Ca. destruct Ca as (Dg & May & Ca).
  pose proof S2 as (_ & _ & Lk & Me & _). destruct (allotted s2 c nu M2 who m l r d cn c3 env3 s3 (Build_world _ _ _ _ _ W G2 Sc2 Mo2) H Pl Wn Pe) as (b & v & mu & M3 & c1 & m' & Vb & Dr & -> & W3 & Go & [There Pl' Sz Cn]).
  destruct There as (m1 & q & x & ly & y & Hx & Hy & Pu & Lw & Up & Wd & Fl & Led & Os_ & Ps). specialize (Fl Lk). pose proof (proj2 (goes_terms _ _ _ _ _ _ _ Go _ Wn)) as Vn. simpl in Vn. rewrite <- Vn in May, Ca.
  (* The machine makes that object. *)
  set (wd := {| Machine.number := 0; Machine.start := b; Machine.fills := v |}). destruct (Ca wd) as [d0 Sd]. destruct (Do d0) as [d1 Al].
  pose proof (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ D) as Lg. simpl in Lg.
  assert (Vs : forall p, In p (member_terms m) -> same_value M M3 p).
  { intros p J. pose proof (within_in nu tabs (variables c) s M p G (Tm p J)) as Ip. pose proof (kept_value _ _ _ _ p (keeps_trans _ _ _ _ _ _ K1 K2) Ip) as V1.
    pose proof (proj2 (goes_terms _ _ _ _ _ _ _ Go p (later_part tabs s s2 (variables c) p Mo (later_trans tabs _ _ _ L1 L2) (Tm p J)))) as V2. destruct p; simpl in *; [congruence | intros j; rewrite V2; apply V1]. }
  assert (D3 : FoldedMembers.describes_by P (symbols_of c) (valued M3) phi (member_of l m) rho roots lasts placed g) by (revert D; apply SameValues.describes_same; [intros a z; auto|]; apply member_same; exact Vs).
  exists k, r0, (moved_on P under r0 st d1), front, back. split; auto. split; auto.
  split; [unfold moved_on; apply (Herds.extends_step machine r0 r0); [apply (Herds.extends_refl machine)|]; rewrite Ls; simpl; exists d1; split; reflexivity|].
  exists mu, M3, phi. eapply (scapegoat_moves P under trees tabs nu phi s2 M2 mu s3 M3 c c1 who m m' t front k r0 back); eauto.
  intros [_ C]. rewrite <- Lw in Up, Fl.
  eapply (made_accounts E P under setting_right l m m1 (symbols_of c) phi M3 rho roots lasts placed g st D3 Fg Rm (meant_cells P trees _ phi _ l m rho roots lasts placed g no_local_sort Me D) d q x ly y Hx Hy Pu cn Arbitrary wd r May); eauto.
  - intros Nd. apply orb_prop in Ap as [Ap|Ap]; [rewrite (no_node i l g d0 r d _ _ wd At Lg Ap Sd) in Nd; discriminate|]. destruct (zero_begins nu s M G Ap) as [Il Vl].
    destruct (keeps_linears _ _ _ _ (keeps_trans _ _ _ _ _ _ K1 K2)) as [Ls2 Es2]. rewrite Lw, Vb, Es2 by lia. exact Vl.
  - simpl in C. destruct (consumed_of m); auto. rewrite valued_term in C. exact C.
Qed.
End Allotted.
