(** That rules which are no step leave the primary where it is, and that a template covers
    configurations at its own location alone (spec/calculus.md#unfold, #subsume). *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Folds Stepping Leading.
From Goatherd.checker2 Require Covering Rules.
Import ListNotations.
Open Scope N_scope.

(** As the one configuration's, the other's primary, and its progress. *)
Definition stays (c c' : configuration) : Prop := progress c' = progress c /\ forall p, primary_at p c -> primary_at p c'.
Definition same_herd (c c' : configuration) : Prop := progress c' = progress c /\ herd c' = herd c.
Lemma stays_herd c c' : same_herd c c' -> stays c c'.
Proof. intros [Pr H]. split; [exact Pr|]. intros p (m & N & Pl). exists m. rewrite H. auto. Qed.
Lemma stays_places c c' : progress c' = progress c -> Forall2 (fun m m' => place_of m' = place_of m) (herd c) (herd c') -> stays c c'.
Proof.
  intros Pr F. split; [exact Pr|]. intros p (m & N & Pl). unfold primary_at. destruct F as [|a b l k E _]; [discriminate|]. simpl in N. injection N as ->.
  exists b. split; [reflexivity | congruence].
Qed.
Lemma same_refl c : same_herd c c.
Proof. split; reflexivity. Qed.
Lemma same_trans c c' c'' : same_herd c c' -> same_herd c' c'' -> same_herd c c''.
Proof. intros [A B] [C D]. split; congruence. Qed.
Lemma stays_refl c : stays c c.
Proof. split; auto. Qed.
Lemma stays_trans c c' c'' : stays c c' -> stays c' c'' -> stays c c''.
Proof. intros [P A] [Q B]. split; [congruence | auto]. Qed.

(** ** Split and Let *)

Lemma assume_herd c l : yields (assume c l) (same_herd c).
Proof. unfold assume. apply yields_any. intros e. apply yields_ret. destruct (_ || _); split; reflexivity. Qed.
Lemma split_stays c l : yields (Rules.split c l) (Forall (stays c)).
Proof. unfold Rules.split. apply yields_any. intros _. apply yields_any. intros k. apply yields_mapped. intros a. eapply yields_weaker; [apply assume_herd | apply stays_herd]. Qed.
Lemma fresh_herd c q : yields (fresh c q) (fun x => same_herd c (snd x)).
Proof. unfold fresh. apply yields_any. intros x. apply yields_any. intros y. apply yields_any. intros t. apply yields_ret. split; reflexivity. Qed.
Lemma let_stays c t : yields (Rules.names_term c t) (stays c).
Proof.
  unfold Rules.names_term. apply yields_any. intros _. eapply yields_bind; [apply fresh_herd|]. intros [x d] H. apply yields_any. intros l. apply yields_ret.
  apply stays_herd. exact H.
Qed.

(** ** Unfold *)

Lemma yields_mapped_each {A B} (f : A -> computes B) (R : A -> B -> Prop) l : (forall a, yields (f a) (R a)) -> yields (mapped f l) (Forall2 R l).
Proof.
  intros H. induction l as [|a l IH]; cbn [mapped]; [apply yields_ret; constructor|].
  eapply yields_bind; [apply H|]. intros b Rb. eapply yields_bind; [exact IH|]. intros bs Rs. apply yields_ret. constructor; auto.
Qed.
Notation in_place m := (fun m' => place_of m' = place_of m).
Lemma close_in_place m f : yields (close_part m f) (in_place m).
Proof. unfold close_part. apply yields_any. intros p. apply yields_ret. reflexivity. Qed.
Lemma fields_in_place r all xs : forall m, place_of (snd (fields_of_node r all m xs)) = place_of m.
Proof.
  induction xs as [|x xs IH]; intros m; cbn [fields_of_node]; [reflexivity|].
  assert (K : forall v new m', place_of m' = place_of m ->
    place_of (snd (let '(vs, fs, m) := fields_of_node r all m' xs in (v :: vs, new ++ fs, m))) = place_of m).
  { intros v new m' H. pose proof (IH m') as J. destruct (fields_of_node r all m' xs) as [[vs fs] m'']. simpl in *. congruence. }
  destruct x; apply K; reflexivity.
Qed.
Lemma open_in_place m f d xs x : yields (open_part m f d xs x) (fun y => place_of (snd y) = place_of m).
Proof.
  unfold open_part. apply yields_any. intros p. apply yields_any. intros zero. apply yields_any. intros one.
  assert (V : place_of (snd (vacant m d)) = place_of m) by (unfold vacant; destruct (find _ d); [|destruct (_ <? _)]; reflexivity).
  destruct (vacant m d) as [o m1]. simpl in V.
  assert (R : place_of (snd (rest_of_segment m1 p (element o zero) x)) = place_of m1) by (destruct x as [[s [|]]|]; reflexivity).
  destruct (rest_of_segment m1 p (element o zero) x) as [[[[root_ last_] up] hole] m2]. simpl in R.
  match goal with |- context [fields_of_node ?r ?all m2 ?ys] => pose proof (fields_in_place r all ys m2) as F; destruct (fields_of_node r all m2 ys) as [[vs fs] m3] end.
  simpl in F. eapply yields_bind with (P := fun m' => place_of m' = place_of m3).
  - apply (yields_folded (hand_on vs) (fun m' => place_of m' = place_of m3)); [|reflexivity]. intros m' [y v] H. unfold hand_on.
    destruct y as [| | | |s [g|]|]; try (apply yields_ret; exact H). destruct v as [| | | | |h|]; try (apply yields_ret; exact H).
    apply yields_any. intros w. apply yields_any. intros q. apply yields_ret. exact H.
  - intros m4 H. apply yields_ret. simpl. congruence.
Qed.
Lemma occurrences_stay act s c : (forall m f, yields (act m f) (in_place m)) -> yields (each_occurrence act s c) (stays c).
Proof.
  intros H. unfold each_occurrence. eapply yields_bind; [apply (yields_mapped_each _ (fun m m' => place_of m' = place_of m))|].
  - intros m. unfold in_member. apply (yields_folded act (in_place m)); [|reflexivity]. intros m' f E. eapply yields_weaker; [apply H|]. intros m'' E'. cbn beta in *. congruence.
  - intros ms F. apply yields_any. intros e. apply yields_ret. apply stays_places; [reflexivity | exact F].
Qed.
Lemma value_herd E c env T : yields (new_value E c env T) (fun x => same_herd c (snd (fst x))).
Proof.
  unfold new_value. destruct env as [|[t|a fs]|cs|es k|cs]; try apply yields_refuses.
  - eapply yields_bind; [apply fresh_herd|]. intros [t d] H. apply yields_ret. exact H.
  - apply yields_any. intros _. apply yields_ret. apply same_refl.
  - apply yields_any. intros [t env]. apply yields_ret. apply same_refl.
Qed.
Lemma ranged_herd E c env T l : yields (let$ (t, c, env) := new_value E c env T in
    let$ c := match l with Range a b => let$ (low, high) := within t (a, b) in let$ c := assume c low in assume c high | _ => ret c end in
    ret (Held (IntegerSlot t), c, env)) (fun x => same_herd c (snd (fst x))).
Proof.
  eapply yields_bind; [apply value_herd|]. intros [[t d] env'] H. simpl in H. eapply yields_bind with (P := same_herd c); [|intros d' H'; apply yields_ret; exact H'].
  destruct l; try (apply yields_ret; exact H). apply yields_any. intros [low high]. eapply yields_bind; [apply assume_herd|]. intros d1 H1.
  eapply yields_weaker; [apply assume_herd|]. intros d2 H2. eapply same_trans; [exact H | eapply same_trans; eauto].
Qed.
Lemma contents_herd E hole xs : forall c env n, yields (contents_of E c env hole n xs) (fun x => same_herd c (snd (fst x))).
Proof.
  induction xs as [|[l f] xs IH]; intros c env n; cbn [contents_of]; [apply yields_ret; apply same_refl|].
  eapply yields_bind with (P := fun x => same_herd c (snd (fst x))).
  - destruct (match hole with Some h => h =? n | None => false end); [apply yields_ret; apply same_refl|]. destruct (field_type f) as [T|].
    + pose proof (ranged_herd E c env T l) as R. destruct l; exact R.
    + destruct l; try (apply yields_ret; split; reflexivity). cbn. apply yields_any. intros g. apply yields_ret. split; reflexivity.
  - intros [[x d] env'] H. simpl in H. eapply yields_bind; [apply IH|]. intros [[ys d'] env''] H'. apply yields_ret. simpl in *. eapply same_trans; eauto.
Qed.
Lemma open_case_stays E c shape s d e ks hole : yields (open_case E c shape s d e ks hole) (stays c).
Proof.
  unfold open_case, contents_of_node. eapply yields_bind with (P := fun x => same_herd c (snd (fst x))); [apply yields_any; intros l; apply contents_herd|].
  intros [[xs c1] env] H. simpl in H.
  assert (K : forall c2 x, same_herd c c2 -> yields (each_occurrence (fun m f => let$ (_, m) := open_part m f d xs x in ret m) s c2) (stays c)).
  { intros c2 x H2. eapply yields_weaker; [apply occurrences_stay|].
    - intros m f. eapply yields_bind; [apply open_in_place|]. intros [fs m'] Pl. apply yields_ret. exact Pl.
    - intros c3 S. eapply stays_trans; [apply stays_herd; exact H2 | exact S]. }
  destruct shape as [t|t]; apply K; exact H.
Qed.
Theorem unfold_stays E c s e : yields (unfold E c s e) (Forall (stays c)).
Proof.
  unfold unfold. apply yields_any. intros shape. destruct (match shape with Tree t => (t, true) | Segment t => (t, false) end) as [of is_tree].
  apply yields_any. intros [[d r] ss]. eapply yields_bind with (P := Forall (stays c)).
  - destruct (_ || _); [|apply yields_ret; constructor]. eapply yields_bind; [apply occurrences_stay; intros; apply close_in_place|].
    intros c' S. apply yields_ret. constructor; [exact S | constructor].
  - intros empty S. eapply yields_bind; [apply yields_mapped with (Q := Forall (stays c)); intros ks; apply yields_mapped; intros h; apply open_case_stays|].
    intros others O. apply yields_ret. apply Forall_app. split; [exact S | apply concat_all; exact O].
Qed.

(** ** Subsume *)

Lemma place_eqb_is p q : Covering.place_eqb p q = true -> p = q.
Proof. destruct p, q; simpl; try discriminate; auto. intros H. apply N.eqb_eq in H. congruence. Qed.
Lemma nth_count {A B} (l : list A) (k : list B) : Reader.count l =? Reader.count k = true -> (Reader.nth l 0 = None <-> Reader.nth k 0 = None).
Proof.
  assert (H : forall {X} (x : list X), Reader.nth x 0 = None <-> Reader.count x = 0).
  { intros X [|x xs]; simpl; [tauto|]. split; [discriminate|]. unfold Reader.count. simpl. intros Z. exfalso.
    enough (G : forall n, n <= Reader.counted xs n) by (specialize (G 1); rewrite Z in G; apply G; reflexivity).
    clear. induction xs as [|y ys IH]; intros n; cbn [Reader.counted]; [apply N.le_refl|]. eapply N.le_trans; [|apply IH]. apply N.le_succ_diag_r. }
  intros E. apply N.eqb_eq in E. rewrite !H, E. tauto.
Qed.
Theorem subsume_stands E c d mt p : primary_at p c -> yields (Covering.subsume E c d mt) (fun _ => progress c = true /\ primary_at p d).
Proof.
  intros (m & H & Pl). unfold Covering.subsume. eapply yields_bind; [apply yields_demand with (Q := fun _ => progress c = true); auto|]. intros ? Pr. cbn beta in Pr.
  apply yields_any. intros th. apply yields_any. intros _.
  eapply yields_bind; [apply yields_demand with (Q := fun _ => (count (herd c) =? count (herd d)) && (count (objects_matched mt) =? count (herd d)) = true); auto|].
  intros ? Cn. apply andb_prop in Cn as [Cc Co].
  eapply yields_bind with (P := fun _ => primary_at p d).
  - destruct (herd c) as [|m0 ms] eqn:Hc; [discriminate|]. simpl in H. injection H as ->.
    destruct (herd d) as [|t ts] eqn:Hd; [pose proof (proj2 (nth_count _ _ Cc) eq_refl); discriminate|].
    destruct (objects_matched mt) as [|os oss]; [pose proof (proj1 (nth_count _ _ Co) eq_refl); discriminate|].
    cbn [List.combine folded_left]. eapply yields_bind with (P := fun _ => primary_at p d); [|intros st At; cbn beta in At; apply (yields_folded _ (fun _ => primary_at p d)); [|exact At]].
    + unfold Covering.cover_member. eapply yields_bind; [apply yields_demand with (Q := fun _ => place_of m = place_of t); intros A; apply andb_prop in A as [A _]; apply place_eqb_is; exact A|].
      intros ? A s x s' _. cbn beta in A. exists t. rewrite Hd. split; [reflexivity | congruence].
    + intros b q At' s x s' _. exact At'.
  - intros [th' read_] At s x s' _. auto.
Qed.

(** ** Root *)

(** At each of these the primary is before the first instruction. *)
Lemma keeps_place c m m' : nth (herd c) 0 = Some m -> place_of m' = place_of m -> stays c (set_member c 0 m').
Proof.
  intros H Pl. split; [reflexivity|]. intros p (m0 & H0 & P0). unfold primary_at, set_member. simpl. destruct (herd c) as [|a l]; [discriminate|].
  simpl in *. exists m'. split; [reflexivity | congruence].
Qed.
Lemma set_in_stays c r v : yields (set_in c 0 r v) (stays c).
Proof.
  unfold set_in. eapply yields_bind; [apply member_yields|]. intros m H. eapply yields_bind with (P := fun m' => place_of m' = place_of m).
  - unfold set_register. destruct (find (held m) r); [apply yields_ret; reflexivity | apply yields_refuses].
  - intros m' Pl. apply yields_ret. apply (keeps_place c m); [exact H | exact Pl].
Qed.
Lemma cells_herd T n : forall c, yields (fresh_cells c T n) (fun x => same_herd c (snd x)).
Proof.
  induction n as [|n IH]; intros c; cbn [fresh_cells]; [apply yields_ret; apply same_refl|]. eapply yields_bind; [apply fresh_herd|]. intros [t d] H.
  eapply yields_bind; [apply IH|]. intros [vs d'] H'. apply yields_ret. simpl in *. eapply same_trans; eauto.
Qed.
Lemma array_herd c T : yields (fresh_array c T) (fun x => same_herd c (snd x)).
Proof. unfold fresh_array. apply yields_any. intros x. apply yields_any. intros y. apply yields_any. intros t. apply yields_ret. split; reflexivity. Qed.
Lemma field_herd c env n T e : yields (integer_field c env n T e) (fun x => same_herd c (snd (fst x))).
Proof.
  unfold integer_field. apply yields_any. intros zero. destruct env as [|[t|a fs]|cs|es k|cs]; try apply yields_refuses.
  - eapply yields_bind; [apply cells_herd|]. intros [vs d] H. destruct (snd e); [|apply yields_ret; exact H].
    eapply yields_bind; [apply array_herd|]. intros [a d'] H'. apply yields_ret. simpl in *. eapply same_trans; eauto.
  - apply yields_any. intros [vs r]. apply yields_any. intros f. apply yields_ret. apply same_refl.
  - apply yields_any. intros [t env]. apply yields_any. intros a. apply yields_any. intros f. apply yields_ret. apply same_refl.
  - apply yields_any. intros a. apply yields_any. intros f. apply yields_ret. apply same_refl.
  - apply yields_any. intros a. apply yields_any. intros f. apply yields_ret. apply same_refl.
Qed.
Lemma fields_herd E d count_ fs : forall c env n, yields (new_fields E c env d count_ n fs) (fun x => same_herd c (snd (fst x))).
Proof.
  induction fs as [|f fs IH]; intros c env n; cbn [new_fields]; [apply yields_ret; apply same_refl|]. apply yields_any. intros e.
  eapply yields_bind with (P := fun x => same_herd c (snd (fst x))).
  - destruct (field_type f) as [T|]; [apply field_herd|]. apply yields_any. intros x. apply yields_ret. apply same_refl.
  - intros [[x d1] env1] H. eapply yields_bind; [apply IH|]. intros [[xs d2] env2] H2. apply yields_ret. simpl in *. eapply same_trans; eauto.
Qed.
Lemma create_stays E c env d n : yields (create E c env 0 d n) (fun x => stays c (snd (fst x))).
Proof.
  unfold create. apply yields_any. intros l. apply yields_any. intros z. eapply yields_bind; [apply fields_herd|]. intros [[fs c1] env1] H. simpl in H.
  apply yields_any. intros zero. apply yields_any. intros low. apply yields_any. intros high. apply yields_any. intros x.
  eapply yields_bind; [apply member_yields|]. intros m Hm. eapply yields_bind with (P := fun m' => place_of m' = place_of m).
  - destruct (if is_local _ then _ else _) as [earlier|]; [|apply yields_ret; reflexivity]. unfold kill. apply yields_any. intros y. apply yields_ret. reflexivity.
  - intros m1 P1. assert (V : place_of (snd (vacant m1 d)) = place_of m1) by (unfold vacant; destruct (find _ d); [|destruct (_ <? _)]; reflexivity).
    destruct (vacant m1 d) as [o m2]. simpl in V. apply yields_ret. simpl. eapply stays_trans; [apply stays_herd; exact H|].
    apply (keeps_place c1 m); [exact Hm | simpl; congruence].
Qed.
Lemma input_stays E c env i n : yields (set_input E c env i n) (fun x => stays c (fst x)).
Proof.
  assert (Set_ : forall c1 r v env1, stays c c1 -> yields (let$ c2 := set_in c1 0 r v in ret (c2, env1)) (fun x : configuration * environment => stays c (fst x))).
  { intros c1 r v env1 H. eapply yields_bind; [apply set_in_stays|]. intros c2 H2. apply yields_ret. eapply stays_trans; eauto. }
  unfold set_input. destruct i as [r|p l o|p o|p o].
  - apply yields_any. intros T. eapply yields_bind; [apply value_herd|]. intros [[t c1] env1] H. apply Set_, stays_herd. exact H.
  - eapply yields_bind; [apply set_in_stays|]. intros c1 H. eapply yields_bind; [apply create_stays|]. intros [[v c2] env1] H2. apply Set_. eapply stays_trans; eauto.
  - apply yields_any. intros z. eapply yields_bind with (P := fun x => stays c (snd (fst x))).
    + destruct z as [[| |]|]; try apply create_stays. apply yields_ret. apply stays_refl.
    + intros [[v c1] env1] H. apply Set_. exact H.
  - cbn [fresh_symbol added]. eapply yields_bind; [apply member_yields|]. intros m H. cbn [add_part added].
    apply Set_. eapply (stays_trans c (with_symbols c _)); [apply stays_herd; split; reflexivity | apply (keeps_place _ m); [exact H | reflexivity]].
Qed.
Lemma root_input_stays E l c class i : yields (Rules.root_input E l (c, class) i) (fun x => stays c (fst x)).
Proof.
  unfold Rules.root_input. apply yields_any. intros elements. eapply yields_bind with (P := fun x => stays c (snd x)).
  - destruct i as [r|p n o|p o|p o]; try (apply yields_ret; apply stays_refl). destruct (_ <=? _); [|apply yields_ret; apply stays_refl].
    apply yields_any. intros T. eapply yields_bind; [apply fresh_herd|]. intros [t c1] H. apply yields_any. intros most. apply yields_any. intros [low high].
    eapply yields_bind; [apply assume_herd|]. intros c2 H2. eapply yields_bind; [apply assume_herd|]. intros c3 H3. apply yields_ret.
    apply stays_herd. simpl in *. eapply same_trans; [exact H | eapply same_trans; eauto].
  - intros [els c1] H. eapply yields_bind; [apply input_stays|]. intros [c2 env] H2. apply yields_ret. simpl in *. eapply stays_trans; eauto.
Qed.
Theorem root_stands E l class : yields (Rules.root_of_class E l class) (fun r => match r with Some c => progress c = true /\ primary_at (At 0) c | None => True end).
Proof.
  unfold Rules.root_of_class. eapply yields_bind with (P := fun c => progress c = true /\ primary_at (At 0) c).
  - unfold before_inputs. apply yields_any. intros zero. apply (yields_folded (create_static E) (fun c => progress c = true /\ primary_at (At 0) c)).
    + intros c [d o] [Pr A]. unfold create_static. cbn [fst snd]. destruct (origin_of o); try (apply yields_ret; auto).
      apply yields_any. intros n. eapply yields_bind; [apply create_stays|]. intros [[v c1] env] [P1 S1]. apply yields_ret. simpl in *. split; [congruence | auto].
    + split; [reflexivity|]. eexists. split; reflexivity.
  - intros c A. eapply yields_bind with (P := fun x => progress (fst x) = true /\ primary_at (At 0) (fst x)).
    + apply (yields_folded (Rules.root_input E l) (fun x => progress (fst x) = true /\ primary_at (At 0) (fst x))); [|exact A].
      intros [c1 k] i [Pr A1]. eapply yields_weaker; [apply root_input_stays|]. intros x [P1 S1]. split; [simpl in *; congruence | auto].
    + intros [c1 left_] A1. apply yields_ret. destruct (left_ =? 0); [|exact I]. exact A1.
Qed.
