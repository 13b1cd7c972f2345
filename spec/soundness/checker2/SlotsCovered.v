(** That slots and objects of a template cover what the rule Subsume says they do
    (spec/calculus.md#subsume): they have the values that the configuration's have under the
    substitution; of folded parts, what pointers to them hold is the same wherever it stands. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States Stepping Denoting Closing Moving LoadLists Substituted Going Covered.
From Goatherd.checker2 Require Covering Templates.
Import ListNotations.
Open Scope Z_scope.

Lemma slot_eqb_is v w : slot_eqb v w = true -> v = w.
Proof.
  destruct v, w; simpl; try discriminate; auto; intros H; try (apply N.eqb_eq in H; congruence).
  apply andb_prop in H as [H C]. apply andb_prop in H as [A B]. apply N.eqb_eq in A, B, C. congruence.
Qed.

Section Covered.
Variable c : configuration.
Variables nu mu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Hypothesis sorted_too : Terms.well_sorted mu.
Variable tabs : indexed table.
Variable Q : Prop.
Variables (s0 : state) (M0 K0 : model).
Hypothesis known_in : forall l, In l (known_literals c) -> literal_in s0 l.
Hypothesis known_hold : Q -> forall l, In l (known_literals c) -> literal_holds M0 l.
Notation goes := (goes nu mu tabs Q s0 M0 K0).
Notation same_value := (same_value Q M0 K0).
Notation in_first := (in_first s0).
Notation slot_in := (slot_in s0).

(** ** Slots *)

(** What has been seen of parts stays. *)
Record grows (v v' : Covering.covering) : Prop := {
  grows_matched : Covering.matched v' = Covering.matched v;
  grows_roots : forall f w, find (Covering.roots_seen v) f = Some w -> find (Covering.roots_seen v') f = Some w;
  grows_ends : forall f w, find (Covering.ends_seen v) f = Some w -> find (Covering.ends_seen v') f = Some w;
  grows_in : (forall f w, find (Covering.roots_seen v) f = Some w -> slot_in w) -> forall f w, find (Covering.roots_seen v') f = Some w -> slot_in w }.
Definition rest_same (v v' : Covering.covering) : Prop := Covering.free_objects v' = Covering.free_objects v /\ Covering.free_parts v' = Covering.free_parts v /\ Covering.read_symbols v' = Covering.read_symbols v.
Definition grows_alone v v' : Prop := grows v v' /\ rest_same v v'.
Lemma grows_refl v : grows v v.
Proof. split; auto. Qed.
Lemma grows_trans u v w : grows u v -> grows v w -> grows u w.
Proof. intros [A B C X] [D F G Y]. split; [congruence | auto | auto | intros K f x H; exact (Y (X K) f x H)]. Qed.
Lemma alone_refl v : grows_alone v v.
Proof. split; [apply grows_refl | repeat split]. Qed.
Lemma alone_trans u v w : grows_alone u v -> grows_alone v w -> grows_alone u w.
Proof. intros [A (B1 & B2 & B3)] [C (D1 & D2 & D3)]. split; [eapply grows_trans; eauto | repeat split; congruence]. Qed.
Lemma theta_alone v th : grows_alone v (Covering.with_theta v th).
Proof. split; [split; auto | repeat split]. Qed.

Definition slot_seen (v : Covering.covering) (w t : slot) : Prop := match t with
  | Forgotten => True
  | IntegerSlot u => exists a, w = IntegerSlot a /\ same_value a u
  | PointerSlot o' j b => exists o i, w = PointerSlot o i b /\ image_is (Covering.matched v) o' o /\ same_value i j
  | Uninitialised => w = Uninitialised | NullSlot => w = NullSlot
  | Folded f => find (Covering.roots_seen v) f = Some w
  | Last f => find (Covering.ends_seen v) f = Some w /\ w <> Forgotten end.
Lemma seen_grows v v' w t : grows v v' -> slot_seen v w t -> slot_seen v' w t.
Proof.
  intros [M R L _]. unfold slot_seen, image_is. rewrite M. destruct t; auto. intros [F N]. auto.
Qed.
Lemma agree_peek s x n w : peeks s (Covering.agree_in x n w) (fun y => find y n = Some w /\ (forall k u, find x k = Some u -> find y k = Some u) /\ forall k u, find y k = Some u -> find x k = Some u \/ u = w).
Proof.
  unfold Covering.agree_in. eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. destruct (find x n) as [u|] eqn:F.
  - eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => u = w)); intros H; apply slot_eqb_is; exact H|]. intros _ ->. apply peeks_ret. auto.
  - apply peeks_ret. split; [rewrite find_put, N.eqb_refl; reflexivity|]. split; intros k u Fk; rewrite find_put in *; destruct (N.eqb_spec k n) as [->|]; auto; [congruence | right; congruence].
Qed.
Lemma root_peek s v f w : slot_in w -> peeks s (Covering.agree_root v f w) (fun v' => grows_alone v v' /\ Covering.theta v' = Covering.theta v /\ find (Covering.roots_seen v') f = Some w).
Proof.
  intros Iw. unfold Covering.agree_root. eapply peeks_bind; [apply agree_peek|]. intros x (F & G & H). apply peeks_ret. split; [split; [split; auto | repeat split]|]; auto.
  intros A g u Fu. destruct (H g u Fu) as [X| ->]; eauto.
Qed.
Lemma end_peek s v f w : peeks s (Covering.agree_end v f w) (fun v' => grows_alone v v' /\ Covering.theta v' = Covering.theta v /\ find (Covering.ends_seen v') f = Some w).
Proof. unfold Covering.agree_end. eapply peeks_bind; [apply agree_peek|]. intros x (F & G & _). apply peeks_ret. split; [split; [split; auto | repeat split]|]. auto. Qed.
Lemma peeks_go th (x : computes Covering.covering) P : (forall s, peeks s x (fun v' => Covering.theta v' = th /\ P v')) -> goes th x Covering.theta P.
Proof. intros H s M K He a s' X. destruct (H s _ _ X) as (-> & Eq & Pa). exists M, K. rewrite Eq. auto. Qed.
Lemma slot_goes v w t : slot_in w -> slot_in t -> goes (Covering.theta v) (Covering.cover_slot c v w t) Covering.theta (fun v' => grows_alone v v' /\ slot_seen v' w t).
Proof.
  intros Iw It. assert (Same : slot_seen v w t -> goes (Covering.theta v) (ret v) Covering.theta (fun v' => grows_alone v v' /\ slot_seen v' w t)) by (intros S; apply goes_ret; auto using alone_refl).
  assert (Other : goes (Covering.theta v) (Covering.cover_other v w t) Covering.theta (fun v' => grows_alone v v' /\ slot_seen v' w t)).
  { apply peeks_go. intros s. unfold Covering.cover_other. destruct w as [| |a| |o i b|g|g]; try apply peeks_refuses; destruct t as [| |u| |o' j b'|f|f]; try apply peeks_refuses;
    (eapply peeks_weaker; [(apply root_peek; exact Iw) || apply end_peek|]; intros v' (G & T & F); simpl; split; [exact T|]; split; [exact G|]; first [exact F | split; [exact F | discriminate]]). }
  destruct t as [| |u| |o' j b'|f|f]; cbn [Covering.cover_slot].
  - destruct w; apply Same; exact I.
  - destruct w; try exact Other. apply Same. reflexivity.
  - destruct w as [| |a| |o i b|g|g]; try exact Other. eapply goes_weaker; [apply equal_image_goes; auto; [apply (Iw (LinearPart a)) | apply (It (LinearPart u))]; left; reflexivity|].
    intros v' [(th & ->) V]. split; [apply theta_alone | exists a; auto].
  - destruct w; try exact Other. apply Same. reflexivity.
  - destruct w as [| |a| |o i b|g|g]; try exact Other. unfold Covering.cover_slot, Covering.pointer_matches.
    destruct (PositiveMap.find (N.succ_pos o') (Covering.matched v)) as [p|] eqn:Fm; [|apply goes_refuses]. destruct (N.eqb_spec p o) as [->|]; [|apply goes_refuses]. destruct (N.eqb_spec b b') as [->|]; [|apply goes_refuses]. cbn [andb].
    eapply goes_weaker; [apply equal_image_goes; auto; [apply (Iw (LinearPart i)) | apply (It (LinearPart j))]; left; reflexivity|].
    intros v' [(th & ->) V]. split; [apply theta_alone | exists o, i; auto].
  - destruct w; exact Other.
  - destruct w; exact Other.
Qed.
Lemma slots_goes v ps : (forall w t, In (w, t) ps -> slot_in w /\ slot_in t) ->
  goes (Covering.theta v) (Covering.cover_slots c v ps) Covering.theta (fun v' => grows_alone v v' /\ forall w t, In (w, t) ps -> slot_seen v' w t).
Proof.
  intros Th. unfold Covering.cover_slots. eapply goes_weaker; [apply (goes_folded nu mu tabs Q s0 M0 K0 (fun v '(w, t) => Covering.cover_slot c v w t) Covering.theta (fun _ => True) grows_alone (fun v p => slot_seen v (fst p) (snd p)))|].
  - exact alone_refl.
  - exact alone_trans.
  - intros b b' [w t] [G _]. apply seen_grows. exact G.
  - intros b [w t] I _. destruct (Th w t I) as [Iw It]. eapply goes_weaker; [apply slot_goes; auto|]. auto.
  - exact I.
  - intros v' (_ & G & H). split; [exact G|]. intros w t J. exact (H (w, t) J).
Qed.

(** ** Objects *)

Definition all_in (ps : list part) : Prop := forall p, In p ps -> in_first p.
(** As many cells, and the same rest; or all elements have cells. *)
Definition field_seen (v : Covering.covering) (x : object_state) (f t : field_state) : Prop :=
  (forall w u, In (w, u) (List.combine (cells f) (cells t)) -> slot_seen v w u) /\
  (length (cells f) = length (cells t) /\ match rest f, rest t with Some a, Some b => Q -> forall j, vr M0 a j = vr K0 b j | None, None => True | _, _ => False end \/
   (length (cells f) <= length (cells t))%nat /\ 0 <= vl M0 (lower x) /\ vl M0 (upper x) <= Z.of_nat (length (cells f))).
Lemma field_grows v v' x f t : grows v v' -> field_seen v x f t -> field_seen v' x f t.
Proof. intros G [A B]. split; [intros w u I; eapply seen_grows; eauto | exact B]. Qed.
Lemma field_goes v x f t : all_in (LinearPart (lower x) :: LinearPart (upper x) :: field_terms f ++ field_terms t) ->
  goes (Covering.theta v) (Covering.cover_field c x v (f, t)) Covering.theta (fun v' => grows_alone v v' /\ field_seen v' x f t).
Proof.
  intros Th. pose proof (Th (LinearPart (lower x)) (or_introl eq_refl)) as Ilo. pose proof (Th (LinearPart (upper x)) (or_intror (or_introl eq_refl))) as Iup.
  assert (Tf : all_in (field_terms f)) by (intros p I; apply Th; right; right; apply in_or_app; auto). assert (Tt : all_in (field_terms t)) by (intros p I; apply Th; right; right; apply in_or_app; auto).
  unfold Covering.cover_field. eapply goes_peek with (P := fun all => all = true -> 0 <= vl M0 (lower x) /\ vl M0 (upper x) <= Z.of_nat (length (cells f))).
  { intros s M K He. destruct (term_here nu mu tabs Q s0 M0 K0 _ _ _ _ _ He Ilo) as (_ & Vl & _). destruct (term_here nu mu tabs Q s0 M0 K0 _ _ _ _ _ He Iup) as (_ & Vu & _).
    eapply peeks_weaker; [apply (all_peek nu tabs s M x f (here_good _ _ _ _ _ _ _ _ _ _ _ He))|]. intros all. rewrite Vl, Vu. auto. }
  intros all All. apply goes_demand. intros D.
  assert (Sh : (length (cells f) = length (cells t) /\ match rest f, rest t with Some _, Some _ | None, None => True | _, _ => False end) \/ ((length (cells f) <= length (cells t))%nat /\ all = true)).
  { apply orb_prop in D as [D|D]; apply andb_prop in D as [D D'].
    - left. apply N.eqb_eq in D. rewrite !Templates.count_length in D. split; [lia|]. unfold has_no_rest in D'. destruct (rest f), (rest t); simpl in D'; auto; discriminate.
    - right. apply andb_prop in D as [D _]. apply N.leb_le in D. rewrite !Templates.count_length in D. split; [lia | exact D']. }
  eapply goes_bind; [apply slots_goes|].
  { intros w u I. pose proof (in_combine_l _ _ _ _ I) as Iw. pose proof (in_combine_r _ _ _ _ I) as Iu. split; intros p J; [apply Tf | apply Tt]; unfold field_terms; apply in_or_app; left; apply in_flat_map; eauto. }
  intros v1 [G1 S1].
  assert (Whole : match rest f, rest t with Some a, Some b => Q -> forall j, vr M0 a j = vr K0 b j | None, None => True | _, _ => True end -> field_seen v1 x f t).
  { intros R. split; [exact S1|]. destruct Sh as [[L Sr]|[L A]]; [left; split; [exact L|] | right; auto]. destruct (rest f), (rest t); auto. }
  destruct (rest f) as [a|] eqn:Rf; [destruct (rest t) as [b|] eqn:Rt|]; [|apply goes_ret; [reflexivity|]..].
  - intros s M K He v' s' X. unfold bind at 1 in X. destruct (Covering.array_image (Covering.theta v1) b s) as [[b' th] s1|] eqn:Ai; [|discriminate]. unfold bind at 1 in X. destruct (looks (fun s => how_many (array_nodes s)) s1) as [n s2|] eqn:Lk; [|discriminate].
    unfold bind in X. destruct (Covering.equal_arrays c (N.to_nat n) a b' s2) as [u s3|] eqn:Ea; [|discriminate]. injection X as <- <-.
    destruct (array_image_goes c nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold (Covering.theta v1) a b) with (s := s) (M := M) (K := K) (a := th) (s' := s3) as (M' & K' & He' & V); auto.
    + apply (Tf (ArrayPart a)). unfold field_terms. rewrite Rf. apply in_or_app. right. left. reflexivity.
    + apply (Tt (ArrayPart b)). unfold field_terms. rewrite Rt. apply in_or_app. right. left. reflexivity.
    + unfold equals_array_image, bind. rewrite Ai, Lk, Ea. reflexivity.
    + exists M', K'. split; [exact He'|]. split; [eapply alone_trans; [exact G1 | apply theta_alone]|]. apply (field_grows v1); [apply theta_alone|]. apply Whole. exact V.
  - split; [exact G1 | apply Whole; exact I].
  - split; [exact G1 | apply Whole; destruct (rest t); exact I].
Qed.
(** Objects of one declaration and life, with the same bounds, field by field. *)
Record object_seen (v : Covering.covering) (x t : object_state) : Prop := {
  seen_declared : declaration x = declaration t;
  seen_lives : life_of x = life_of t;
  seen_begins : same_value (lower x) (lower t);
  seen_ends : same_value (upper x) (upper t);
  seen_fields : forall f g, In (f, g) (List.combine (field_states x) (field_states t)) -> field_seen v x f g }.
Lemma object_grows v v' x t : grows v v' -> object_seen v x t -> object_seen v' x t.
Proof. intros G [A B C D F]. split; auto. intros f g I. eapply field_grows; eauto. Qed.
Lemma object_goes v x t : all_in (object_terms x ++ object_terms t) -> goes (Covering.theta v) (Covering.cover_object c v (x, t)) Covering.theta (fun v' => grows_alone v v' /\ object_seen v' x t).
Proof.
  intros Th. assert (Tx : all_in (object_terms x)) by (intros p I; apply Th, in_or_app; auto). assert (Tt : all_in (object_terms t)) by (intros p I; apply Th, in_or_app; auto).
  pose proof (Tx _ (or_introl eq_refl)) as Ilx. pose proof (Tx _ (or_intror (or_introl eq_refl))) as Iux. pose proof (Tt _ (or_introl eq_refl)) as Ilt. pose proof (Tt _ (or_intror (or_introl eq_refl))) as Iut.
  unfold Covering.cover_object. apply goes_demand. intros D. apply andb_prop in D as [D L]. apply N.eqb_eq in D. assert (El : life_of x = life_of t) by (destruct (life_of x), (life_of t); simpl in L; auto; discriminate).
  eapply goes_bind; [apply equal_image_goes; auto|]. intros v1 [(th1 & ->) V1]. eapply goes_bind; [apply equal_image_goes; auto|]. intros v2 [(th2 & ->) V2].
  eapply goes_weaker; [apply (goes_folded nu mu tabs Q s0 M0 K0 (Covering.cover_field c x) Covering.theta (fun _ => True) grows_alone (fun v p => field_seen v x (fst p) (snd p)))|].
  - exact alone_refl.
  - exact alone_trans.
  - intros b b' [f g] [G _]. apply field_grows. exact G.
  - intros b [f g] I _. eapply goes_weaker; [apply field_goes|]; [|auto]. pose proof (in_combine_l _ _ _ _ I) as If. pose proof (in_combine_r _ _ _ _ I) as Ig. intros p [<-|[<-|J]]; [exact Ilx | exact Iux|].
    apply in_app_or in J as [J|J]; [apply Tx | apply Tt]; right; right; apply in_flat_map; eauto.
  - exact I.
  - intros v' (_ & G & H). split; [eapply alone_trans; [apply theta_alone|]; eapply alone_trans; [apply theta_alone | exact G]|]. split; auto. intros f g I. exact (H (f, g) I).
Qed.
End Covered.
