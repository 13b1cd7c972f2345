(** Which objects of a member a template's are, and what members mention
    (spec/calculus.md#subsume). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States Denoting Carried Closing Moving Staying.
From Goatherd.checker2 Require Covering Templates.
Import ListNotations.
Open Scope Z_scope.

(** ** Which object is which *)

(** An object of the template, and the member's that its image is. *)
Definition image_is (matched : PositiveMap.t N) (o' o : N) : Prop := PositiveMap.find (N.succ_pos o') matched = Some o.
(** What has been matched: objects of the template beside those of the member, each once. *)
Record is_matched (objects : numbered object_state) (v : Covering.covering) (pairs : list (object_state * object_state)) : Prop := {
  matched_here : forall x t, In (x, t) pairs -> exists o, image_is (Covering.matched v) (named t) o /\ find objects o = Some x /\ find (Covering.free_objects v) o = None;
  matched_there : forall o' o, image_is (Covering.matched v) o' o -> exists x t, In (x, t) pairs /\ named t = o';
  matched_once : forall o1 o2 o, image_is (Covering.matched v) o1 o -> image_is (Covering.matched v) o2 o -> o1 = o2;
  matched_free : forall o x, find (Covering.free_objects v) o = Some x -> find objects o = Some x;
  matched_or_free : forall o x, find objects o = Some x -> find (Covering.free_objects v) o = Some x \/ exists o', image_is (Covering.matched v) o' o }.
(** All else is as before. *)
Definition only_matched (v v' : Covering.covering) : Prop := Covering.theta v' = Covering.theta v /\ Covering.roots_seen v' = Covering.roots_seen v /\ Covering.ends_seen v' = Covering.ends_seen v /\
  Covering.free_parts v' = Covering.free_parts v /\ Covering.read_symbols v' = Covering.read_symbols v /\ given (Covering.free_objects v') = given (Covering.free_objects v).
Lemma match_peek s objects v pairs t image : is_matched objects v pairs -> (forall x u, In (x, u) pairs -> named u <> named t) -> peeks s (Covering.match_object (v, pairs) (t, image)) (fun r =>
  is_matched objects (fst r) (snd r) /\ (exists x, snd r = pairs ++ [(x, t)]) /\ only_matched v (fst r)).
Proof.
  intros [A B C D F0] New. unfold Covering.match_object, Covering.take_object. cbn [Covering.with_matched Covering.free_objects].
  eapply peeks_bind with (P := fun r => exists x, find (Covering.free_objects v) image = Some x /\ fst r = x /\ snd r = Covering.with_free (Covering.with_matched v (PositiveMap.add (N.succ_pos (named t)) image (Covering.matched v))) (clear (Covering.free_objects v) image) (Covering.free_parts v)).
  { eapply peeks_bind; [apply (peeks_some s _ _ (fun x => find (Covering.free_objects v) image = Some x)); auto|]. intros x F. apply peeks_ret. exists x. auto. }
  intros [x v'] (y & F & E1 & E2). cbn [fst snd] in E1, E2. subst y v'. apply peeks_ret. cbn [fst snd]. split; [|split; [eauto | repeat split]].
  assert (Find : forall o' o, image_is (PositiveMap.add (N.succ_pos (named t)) image (Covering.matched v)) o' o <-> (o' = named t /\ o = image) \/ (o' <> named t /\ image_is (Covering.matched v) o' o)).
  { intros o' o. unfold image_is. destruct (N.eq_dec o' (named t)) as [->|Ne].
    - rewrite PositiveMap.gss. split; [intros [= <-]; auto | intros [[_ ->]|[H _]]; [reflexivity | congruence]].
    - rewrite PositiveMap.gso by (intros H; apply key_of_n_injective in H; auto). split; [auto | intros [[H _]|[_ H]]; [congruence | exact H]]. }
  assert (Away : forall o', image_is (Covering.matched v) o' image -> False).
  { intros o' I. destruct (B o' image I) as (z & u & Iz & <-). destruct (A z u Iz) as (o & Im & _ & Fn). unfold image_is in *. rewrite I in Im. injection Im as <-. congruence. }
  split; cbn [Covering.with_free Covering.with_matched Covering.matched Covering.free_objects].
  - intros z u I. apply in_app_or in I as [I|[[= <- <-]|[]]].
    + destruct (A z u I) as (o & Im & Fo & Fn). exists o. split; [apply Find; right; split; [exact (New z u I) | exact Im]|]. split; [exact Fo|]. rewrite find_clear. destruct (o =? image)%N; [reflexivity | exact Fn].
    + exists image. split; [apply Find; auto|]. split; [exact (D _ _ F)|]. rewrite find_clear, N.eqb_refl. reflexivity.
  - intros o' o I. apply Find in I as [[-> ->]|[_ I]]; [exists x, t; split; [apply in_or_app; right; left; reflexivity | reflexivity]|]. destruct (B o' o I) as (z & u & Iz & E1). exists z, u. split; [apply in_or_app; auto | exact E1].
  - intros o1 o2 o I1 I2. apply Find in I1, I2. destruct I1 as [[-> ->]|[_ I1]], I2 as [[-> E2]|[_ I2]]; auto; [destruct (Away _ I2) | subst o; destruct (Away _ I1) | eauto].
  - intros o z Fz. rewrite find_clear in Fz. destruct (o =? image)%N; [discriminate | eauto].
  - intros o z Fz. rewrite find_clear. destruct (N.eqb_spec o image) as [->|D0]; [right; exists (named t); apply Find; auto|]. destruct (F0 o z Fz) as [H|(o' & Im)]; [left; exact H|].
    destruct (N.eq_dec o' (named t)) as [->|Ne]; [|right; exists o'; apply Find; auto]. exfalso. destruct (B _ _ Im) as (z' & u & Iz & En). exact (New z' u Iz En).
Qed.
Lemma matches_peek s objects : forall ts images_ v pairs, is_matched objects v pairs -> length images_ = length ts -> NoDup (List.map named ts) -> (forall x u t, In (x, u) pairs -> In t ts -> named u <> named t) ->
  peeks s (folded_left Covering.match_object (List.combine ts images_) (v, pairs)) (fun r => is_matched objects (fst r) (snd r) /\ List.map snd (snd r) = List.map snd pairs ++ ts /\ only_matched v (fst r)).
Proof.
  induction ts as [|t ts IH]; intros [|i is_] v pairs Ma Le Nd Ap; try discriminate; cbn [List.combine folded_left]; [apply peeks_ret; cbn [fst snd]; rewrite app_nil_r; repeat split; apply Ma|].
  cbn [List.map] in Nd. inversion_clear Nd as [|? ? Nt Nd']. eapply peeks_bind; [apply match_peek; [exact Ma | intros x u I; apply (Ap x u t I); left; reflexivity]|].
  intros [v1 p1] (Ma1 & (x & E1) & (O1 & O2 & O3 & O4 & O5 & O6)). cbn [fst snd] in *. subst p1. injection Le as Le. eapply peeks_weaker; [apply (IH is_ v1 (pairs ++ [(x, t)])); auto|].
  - intros z u w I J. apply in_app_or in I as [I|[[= <- <-]|[]]]; [apply (Ap z u w I); right; exact J|]. intros E2. apply Nt. rewrite E2. apply in_map. exact J.
  - intros r (A & B & C1 & C2 & C3 & C4 & C5 & C6). split; [exact A|]. split; [rewrite B, map_app, <- app_assoc; reflexivity | repeat split; congruence].
Qed.

(** ** Members *)

Definition parts_there (s : state) (ps : list part) : Prop := forall p, In p ps -> part_in s p.
Lemma parts_kept s M s' M' ps : keeps s M s' M' -> parts_there s ps -> parts_there s' ps.
Proof. intros K H p I. eapply part_in_kept; eauto. Qed.
(** Its terms are there, and its tables right. *)
Definition member_there (s : state) (m : member_state) : Prop := tables_right m /\ parts_there s (member_terms m).
Lemma member_there_kept s M s' M' m : keeps s M s' M' -> member_there s m -> member_there s' m.
Proof. intros Kp [A B]. split; [exact A | eapply parts_kept; eauto]. Qed.
Lemma slots_there s m : member_there s m -> parts_there s (slot_terms (consumed_of m)) /\ forall r v, find (held m) r = Some v -> parts_there s (slot_terms v).
Proof.
  intros [[Rn _ _] T]. split; [intros p J; apply T; unfold member_terms; apply in_or_app; left; exact J|]. intros r v F p J. apply T. unfold member_terms. apply in_or_app. right. apply in_or_app. left.
  unfold entry_terms. apply in_flat_map. exists (r, v). split; [apply in_order_in; split; [exact (Rn r v F) | exact F] | exact J].
Qed.
Lemma objects_there s m o x : member_there s m -> find (objects_held m) o = Some x -> parts_there s (object_terms x).
Proof.
  intros [[_ Ro _] T] F p J. apply T. unfold member_terms. apply in_or_app. right. apply in_or_app. right. apply in_or_app. left.
  unfold entry_terms. apply in_flat_map. exists (o, x). split; [apply in_order_in; split; [exact (Ro o x F) | exact F] | exact J].
Qed.
Lemma parts_terms_there s m f q : member_there s m -> numbered_right (parts_held m) -> find (parts_held m) f = Some q -> parts_there s (folded_terms q).
Proof.
  intros [_ T] R F p J. apply T. unfold member_terms. apply in_or_app. right. apply in_or_app. right. apply in_or_app. right.
  unfold entry_terms. apply in_flat_map. exists (f, q). split; [apply in_order_in; split; [exact (R f q F) | exact F] | exact J].
Qed.
Lemma targets_are t : tables_right t -> NoDup (List.map named (List.map snd (in_order (objects_held t)))) /\ forall x, In x (List.map snd (in_order (objects_held t))) <-> exists o, find (objects_held t) o = Some x.
Proof.
  intros [_ Ro Rb]. split.
  - rewrite map_map. unfold in_order. assert (H : forall l, NoDup l -> NoDup (List.map (fun p => named (snd p)) (flat_map (fun n => match find (objects_held t) n with Some a => [(n, a)] | None => [] end) l)) /\
      forall y, In y (List.map (fun p => named (snd p)) (flat_map (fun n => match find (objects_held t) n with Some a => [(n, a)] | None => [] end) l)) -> In y l).
    { induction l as [|n l IH]; intros Nd; [split; [constructor | intros ? []]|]. inversion_clear Nd as [|? ? Nn Nl]. destruct (IH Nl) as [A B]. cbn [flat_map]. destruct (find (objects_held t) n) as [a|] eqn:F; cbn [app List.map snd].
      - rewrite (Rb n a F). split; [constructor; [intros I; apply Nn, B; exact I | exact A] | intros y [<-|I]; [left; reflexivity | right; auto]].
      - split; [exact A | intros y I; right; auto]. }
    apply H. unfold numbers_of. generalize (N.to_nat (given (objects_held t))) 0%N. induction n as [|n IH]; intros k; cbn [numbers_from]; constructor; [|apply IH]. intros I. apply Carried.numbers_from_in in I. lia.
  - intros x. rewrite in_map_iff. split; [intros ([o y] & <- & I); apply in_order_in in I as [_ F]; eauto | intros (o & F); exists (o, x); split; [reflexivity | apply in_order_in; split; [exact (Ro o x F) | exact F]]].
Qed.

Lemma whole_pairs E (m t : member_state) : whole_member E m -> whole_member E t -> let ps := List.combine (List.map snd (in_order (held m))) (List.map snd (in_order (held t))) in
  (forall w v, In (w, v) ps -> exists r, find (held m) r = Some w /\ find (held t) r = Some v) /\
  (forall r w v, find (held m) r = Some w -> find (held t) r = Some v -> In (w, v) ps).
Proof.
  intros [Dm Gm] [Dt Gt]. assert (Len : forall x : numbered slot, dense x -> List.map Some (List.map snd (in_order x)) = List.map (find x) (numbers_of x)).
  { intros x D. unfold in_order. rewrite <- (app_nil_r (numbers_of x)) at 2. assert (H : forall l, (forall n, In n l -> find x n <> None) ->
      List.map Some (List.map snd (flat_map (fun n => match find x n with Some a => [(n, a)] | None => [] end) l)) = List.map (find x) l).
    { induction l as [|n l IH]; intros F; [reflexivity|]. cbn [flat_map List.map]. pose proof (F n (or_introl eq_refl)) as Fn. destruct (find x n) as [a|]; [|congruence].
      cbn [app List.map snd]. rewrite IH; [reflexivity | intros k J; apply F; right; exact J]. }
    rewrite app_nil_r. apply H. intros n I. apply Carried.numbers_of_in in I. apply D. exact I. }
  assert (Pairs : List.map (fun p => (Some (fst p), Some (snd p))) (List.combine (List.map snd (in_order (held m))) (List.map snd (in_order (held t)))) =
    List.map (fun r => (find (held m) r, find (held t) r)) (numbers_of (held m))).
  { pose proof (Len _ Dm) as A. pose proof (Len _ Dt) as B. unfold numbers_of in B. rewrite Gt, <- Gm in B. fold (numbers_of (held m)) in B. revert A B.
    generalize (numbers_of (held m)) (List.map snd (in_order (held m))) (List.map snd (in_order (held t))).
    induction l as [|n l IH]; intros [|a k] [|b h] A B; try discriminate; [reflexivity|]. cbn [List.map List.combine fst snd] in *. injection A as A0 A. injection B as B0 B.
    rewrite A0, B0. f_equal. apply IH; auto. }
  cbv zeta. split.
  - intros w v I. apply (in_map (fun p => (Some (fst p), Some (snd p)))) in I. rewrite Pairs in I. apply in_map_iff in I as (r & [= A B] & _). exists r. auto.
  - intros r w v F F'. assert (I : In r (numbers_of (held m))) by (apply Carried.numbers_of_in; apply Dm; congruence).
    apply (in_map (fun r => (find (held m) r, find (held t) r))) in I. rewrite <- Pairs, F, F' in I. apply in_map_iff in I as ([a b] & [= <- <-] & I). exact I.
Qed.
