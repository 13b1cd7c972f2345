(** That rules which are no step leave the primary where it is, that a template covers
    configurations at its own location alone, that roots are before the first instruction,
    and that each register keeps its slot (spec/calculus.md#unfold, #subsume, #root). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Closing Folds Stepping Moving Templates Leading.
From Goatherd.checker2 Require Covering Rules.
Import ListNotations.
Open Scope N_scope.

(** ** Members and configurations that are kept *)

(** Each number has an entry. *)
Definition dense {A} (x : numbered A) : Prop := forall n, n < given x <-> find x n <> None.
(** At the same place, with slots for the same registers. *)
Definition kept_registers (m m' : member_state) : Prop := given (held m') = given (held m) /\ (dense (held m) -> dense (held m')).
Definition kept (m m' : member_state) : Prop := place_of m' = place_of m /\ kept_registers m m'.
Lemma kept_held m m' : place_of m' = place_of m -> held m' = held m -> kept m m'.
Proof. intros P H. unfold kept, kept_registers. rewrite H. auto. Qed.
Lemma kept_refl m : kept m m.
Proof. apply kept_held; reflexivity. Qed.
Lemma kept_trans m m' m'' : kept m m' -> kept m' m'' -> kept m m''.
Proof. intros (P & G & D) (P' & G' & D'). split; [congruence|]. split; [congruence | auto]. Qed.
Lemma kept_put m r v : find (held m) r <> None -> kept m (with_held m (put (held m) r v)).
Proof.
  intros F. split; [reflexivity|]. split; [reflexivity|]. intros D n. cbn [with_held held]. rewrite Moving.find_put. change (given (put (held m) r v)) with (given (held m)).
  destruct (N.eqb_spec n r) as [->|_]; [|apply D]. split; [congruence|]. intros _. apply D. exact F.
Qed.
Lemma kept_slots m f : kept m (map_slots f m).
Proof.
  unfold map_slots. split; [reflexivity|]. split; [reflexivity|]. intros D n. cbn [with_held held map_numbered given]. rewrite (D n). unfold find. cbn [map_numbered present_entries].
  unfold PositiveMap.map. rewrite PositiveMap.gmapi. destruct (PositiveMap.find _ _); simpl; split; congruence.
Qed.
(** As the one configuration's, the other's members, that at the entry among them, and its
    progress. *)
Definition kept_option (m m' : option member_state) : Prop := match m, m' with Some m, Some m' => kept m m' | None, None => True | _, _ => False end.
Definition stays (c c' : configuration) : Prop := progress c' = progress c /\ Forall2 kept (herd c) (herd c') /\ kept_option (entry_member c) (entry_member c').
Definition same_herd (c c' : configuration) : Prop := progress c' = progress c /\ herd c' = herd c /\ entry_member c' = entry_member c.
Lemma all_kept l : Forall2 kept l l.
Proof. induction l; constructor; auto using kept_refl. Qed.
Lemma option_kept m : kept_option m m.
Proof. destruct m; simpl; auto using kept_refl. Qed.
Lemma options_trans m m' m'' : kept_option m m' -> kept_option m' m'' -> kept_option m m''.
Proof. destruct m, m', m''; simpl; intros; try contradiction; eauto using kept_trans. Qed.
Lemma stays_herd c c' : same_herd c c' -> stays c c'.
Proof. intros (Pr & H & En). split; [exact Pr|]. rewrite H, En. split; [apply all_kept | apply option_kept]. Qed.
Lemma stays_primary c c' p : stays c c' -> primary_at p c -> primary_at p c'.
Proof.
  intros (_ & F & _) (m & N & Pl). unfold primary_at. destruct F as [|a b l k [E _] _]; [discriminate|]. simpl in N. injection N as ->. exists b. split; [reflexivity | congruence].
Qed.
Lemma same_refl c : same_herd c c.
Proof. repeat split. Qed.
Lemma same_trans c c' c'' : same_herd c c' -> same_herd c' c'' -> same_herd c c''.
Proof. intros (A & B & C) (A' & B' & C'). split; [|split]; congruence. Qed.
Lemma stays_refl c : stays c c.
Proof. apply stays_herd, same_refl. Qed.
Lemma kept_lists l k : Forall2 kept l k -> forall h, Forall2 kept k h -> Forall2 kept l h.
Proof. induction 1; intros h F; inversion F; subst; constructor; eauto using kept_trans. Qed.
Lemma stays_trans c c' c'' : stays c c' -> stays c' c'' -> stays c c''.
Proof. intros (P & A & O) (P' & A' & O'). split; [congruence|]. split; [eapply kept_lists; eauto | eapply options_trans; eauto]. Qed.

(** A slot for each register. *)
Definition whole_member (E : setting) (m : member_state) : Prop := dense (held m) /\ given (held m) = count (registers (program_in E)).
Definition whole (E : setting) (c : configuration) : Prop := Forall (whole_member E) (herd c) /\ forall m, entry_member c = Some m -> whole_member E m.
Lemma whole_in E c m : whole E c -> In m (herd c) -> whole_member E m.
Proof. intros [W _]. rewrite Forall_forall in W. apply W. Qed.
Lemma registers_whole E m m' : kept_registers m m' -> whole_member E m -> whole_member E m'.
Proof. intros [G D] [Dm Gm]. split; [auto | congruence]. Qed.
Lemma changes_whole E c c' : Forall2 kept_registers (herd c) (herd c') -> kept_option (entry_member c) (entry_member c') -> whole E c -> whole E c'.
Proof.
  intros F O [W We]. split.
  - clear We O. induction F; inversion W; subst; constructor; eauto using registers_whole.
  - intros m' En. rewrite En in O. destruct (entry_member c) as [m|]; [|destruct O]. exact (registers_whole E m m' (proj2 O) (We m eq_refl)).
Qed.
Lemma stays_whole E c c' : stays c c' -> whole E c -> whole E c'.
Proof. intros (_ & F & O). apply changes_whole; [|exact O]. clear O. induction F as [|m m' l k [_ K] _ IH]; constructor; auto. Qed.
Lemma dense_none {A} : dense (none_numbered A 0).
Proof. intros n. rewrite find_none. simpl. split; [intros H; destruct n; discriminate | congruence]. Qed.
Lemma find_added {A} (x : numbered A) a n : find (snd (added x a)) n = if n =? given x then Some a else find x n.
Proof. unfold added. simpl. rewrite Moving.find_put. reflexivity. Qed.
Lemma dense_added {A} (x : numbered A) a : dense x -> dense (snd (added x a)).
Proof.
  intros D n. rewrite find_added. cbn [added snd put one_more_number given]. destruct (N.eqb_spec n (given x)) as [->|Ne]; [split; [congruence | lia]|].
  split; [intros L; apply D; lia | intros F; apply D in F; lia].
Qed.
Lemma added_keeps {A} (x : numbered A) a n b : dense x -> find x n = Some b -> find (snd (added x a)) n = Some b.
Proof. intros D F. rewrite find_added. destruct (N.eqb_spec n (given x)) as [->|_]; auto. exfalso. apply (N.lt_irrefl (given x)). apply D. congruence. Qed.
Lemma numbered_whole {A} (l : list A) : forall x, dense x -> dense (fold_left (fun x a => snd (added x a)) l x) /\
  given (fold_left (fun x a => snd (added x a)) l x) = (given x + N.of_nat (length l))%N.
Proof.
  induction l as [|a l IH]; intros x D; cbn [fold_left length]; [split; [exact D | lia]|]. destruct (IH _ (dense_added x a D)) as [D1 G1]. split; [exact D1|].
  rewrite G1. cbn [added snd put one_more_number given]. lia.
Qed.
Lemma new_whole E p v : whole_member E (new_member E p v).
Proof.
  unfold whole_member, new_member. cbn [held]. unfold numbered_of. destruct (numbered_whole (List.map (fun _ => v) (registers (program_in E))) _ dense_none) as [D G].
  split; [exact D|]. rewrite G, map_length, count_length. reflexivity.
Qed.

(** ** Split and Let *)

Lemma assume_herd c l : yields (assume c l) (same_herd c).
Proof. unfold assume. apply yields_any. intros e. apply yields_ret. destruct (_ || _); repeat split. Qed.
Lemma split_stays c l : yields (Rules.split c l) (Forall (stays c)).
Proof. unfold Rules.split. apply yields_any. intros _. apply yields_any. intros k. apply yields_mapped. intros a. eapply yields_weaker; [apply assume_herd | apply stays_herd]. Qed.
Lemma fresh_herd c q : yields (fresh c q) (fun x => same_herd c (snd x)).
Proof. unfold fresh. apply yields_any. intros x. apply yields_any. intros y. apply yields_any. intros t. apply yields_ret. repeat split. Qed.
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
Lemma replaced_kept m f v w : kept m (replace_part m f v w).
Proof. eapply kept_trans; [|apply kept_slots]. apply kept_held; reflexivity. Qed.
Lemma close_kept m f : yields (close_part m f) (kept m).
Proof. unfold close_part. apply yields_any. intros p. apply yields_ret. apply replaced_kept. Qed.
Lemma fields_held r all xs : forall m, place_of (snd (fields_of_node r all m xs)) = place_of m /\ held (snd (fields_of_node r all m xs)) = held m.
Proof.
  induction xs as [|x xs IH]; intros m; cbn [fields_of_node]; [auto|].
  assert (K : forall v new m', place_of m' = place_of m -> held m' = held m ->
    place_of (snd (let '(vs, fs, m) := fields_of_node r all m' xs in (v :: vs, new ++ fs, m))) = place_of m /\
    held (snd (let '(vs, fs, m) := fields_of_node r all m' xs in (v :: vs, new ++ fs, m))) = held m).
  { intros v new m' H H'. pose proof (IH m') as [J J']. destruct (fields_of_node r all m' xs) as [[vs fs] m'']. simpl in *. split; congruence. }
  destruct x; apply K; reflexivity.
Qed.
Lemma vacant_held m d : place_of (snd (vacant m d)) = place_of m /\ held (snd (vacant m d)) = held m.
Proof. unfold vacant. destruct (find _ d); [|destruct (_ <? _)]; split; reflexivity. Qed.
Lemma open_kept m f d b xs x : yields (open_part m f d b xs x) (fun y => kept m (snd y)).
Proof.
  unfold open_part. apply yields_any. intros p. apply yields_any. intros zero. apply yields_any. intros one.
  pose proof (vacant_held m d) as [V V']. destruct (vacant m d) as [o m1]. simpl in V, V'.
  assert (R : place_of (snd (rest_of_segment m1 p (PointerSlot o zero b) x)) = place_of m1 /\ held (snd (rest_of_segment m1 p (PointerSlot o zero b) x)) = held m1)
    by (destruct x as [[s [|]]|]; split; reflexivity).
  destruct (rest_of_segment m1 p (PointerSlot o zero b) x) as [[[[root_ last_] up] hole] m2]. simpl in R. destruct R as [R R'].
  match goal with |- context [fields_of_node ?r ?all m2 ?ys] => pose proof (fields_held r all ys m2) as F; destruct (fields_of_node r all m2 ys) as [[vs fs] m3] end.
  simpl in F. destruct F as [F F']. eapply yields_bind with (P := fun m' => place_of m' = place_of m /\ held m' = held m).
  - apply (yields_folded (hand_on _) (fun m' => place_of m' = place_of m /\ held m' = held m)); [|split; congruence]. intros m' [y v] H. unfold hand_on.
    destruct y as [| | | |s [g|]| | |]; try (apply yields_ret; exact H). destruct v as [| | | | |h|]; try (apply yields_ret; exact H).
    apply yields_any. intros w. apply yields_any. intros q. apply yields_ret. exact H.
  - intros m4 [H H']. apply yields_ret. cbn [snd]. eapply kept_trans; [|apply replaced_kept]. apply kept_held; [exact H | exact H'].
Qed.
Lemma occurrences_stay act s c : (forall m f, yields (act m f) (kept m)) -> yields (each_occurrence act s c) (stays c).
Proof.
  intros H. assert (In_ : forall m, yields (in_member act s m) (kept m)).
  { intros m. apply (yields_folded act (kept m)); [|apply kept_refl]. intros m' f E. eapply yields_weaker; [apply H|]. intros m'' E'. eapply kept_trans; eauto. }
  unfold each_occurrence. eapply yields_bind; [apply (yields_mapped_each _ kept); exact In_|].
  - intros ms F. eapply yields_bind with (P := kept_option (entry_member c)).
    + destruct (entry_member c) as [m|]; [|apply yields_ret; exact I]. eapply yields_bind; [apply In_|]. intros m' K. apply yields_ret. exact K.
    + intros e O. apply yields_ret. split; [reflexivity|]. split; [exact F | exact O].
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
    + destruct l; try (apply yields_ret; repeat split). cbn. apply yields_any. intros g. apply yields_ret. repeat split.
  - intros [[x d] env'] H. simpl in H. eapply yields_bind; [apply IH|]. intros [[ys d'] env''] H'. apply yields_ret. simpl in *. eapply same_trans; eauto.
Qed.
Lemma open_case_stays E c shape s d b e ks hole : yields (open_case E c shape s d b e ks hole) (stays c).
Proof.
  unfold open_case, contents_of_node. eapply yields_bind with (P := fun x => same_herd c (snd (fst x))); [apply yields_any; intros l; apply contents_herd|].
  intros [[xs c1] env] H. simpl in H.
  assert (K : forall c2 x, same_herd c c2 -> yields (each_occurrence (fun m f => let$ (_, m) := open_part m f d b xs x in ret m) s c2) (stays c)).
  { intros c2 x H2. eapply yields_weaker; [apply occurrences_stay|].
    - intros m f. eapply yields_bind; [apply open_kept|]. intros [fs m'] K. apply yields_ret. exact K.
    - intros c3 S. eapply stays_trans; [apply stays_herd; exact H2 | exact S]. }
  destruct shape as [t|t]; apply K; exact H.
Qed.
Theorem unfold_stays E c s e : yields (unfold E c s e) (Forall (stays c)).
Proof.
  unfold unfold. apply yields_any. intros shape. destruct (match shape with Tree t => (t, true) | Segment t => (t, false) end) as [of is_tree].
  apply yields_any. intros [[d r] ss]. eapply yields_bind with (P := Forall (stays c)).
  - destruct (_ || _); [|apply yields_ret; constructor]. eapply yields_bind; [apply occurrences_stay; intros; apply close_kept|].
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

Lemma replaced_related {A} (R : A -> A -> Prop) a b : (forall x, R x x) -> R a b -> forall l n, nth l n = Some a -> Forall2 R l (replaced l n b).
Proof.
  intros Refl H l. assert (All : forall k, Forall2 R k k) by (induction k; constructor; auto).
  induction l as [|x l IH]; intros n N; [discriminate|]. cbn [nth replaced] in *. destruct (n =? 0); [injection N as ->|]; constructor; auto.
Qed.
Lemma keeps_place c who m m' : nth (herd c) who = Some m -> kept m m' -> stays c (set_member c who m').
Proof. intros H K. split; [reflexivity|]. split; [exact (replaced_related kept m m' kept_refl K _ _ H) | apply option_kept]. Qed.
Lemma set_in_stays c who r v : yields (set_in c who r v) (stays c).
Proof.
  unfold set_in. eapply yields_bind; [apply member_yields|]. intros m H. eapply yields_bind with (P := kept m).
  - unfold set_register. destruct (find (held m) r) eqn:F; [apply yields_ret; apply kept_put; congruence | apply yields_refuses].
  - intros m' Pl. apply yields_ret. apply (keeps_place c who m); [exact H | exact Pl].
Qed.
Lemma cells_herd T n : forall c, yields (fresh_cells c T n) (fun x => same_herd c (snd x)).
Proof.
  induction n as [|n IH]; intros c; cbn [fresh_cells]; [apply yields_ret; apply same_refl|]. eapply yields_bind; [apply fresh_herd|]. intros [t d] H.
  eapply yields_bind; [apply IH|]. intros [vs d'] H'. apply yields_ret. simpl in *. eapply same_trans; eauto.
Qed.
Lemma array_herd c T : yields (fresh_array c T) (fun x => same_herd c (snd x)).
Proof. unfold fresh_array. apply yields_any. intros x. apply yields_any. intros y. apply yields_any. intros t. apply yields_ret. repeat split. Qed.
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
Lemma create_stays E c env who d n : yields (create E c env who d n) (fun x => stays c (snd (fst x))).
Proof.
  unfold create. apply yields_any. intros l. apply yields_any. intros z. eapply yields_bind; [apply fields_herd|]. intros [[fs c1] env1] H. simpl in H.
  apply yields_any. intros zero. apply yields_any. intros low. apply yields_any. intros high. apply yields_any. intros x.
  eapply yields_bind; [apply member_yields|]. intros m Hm. eapply yields_bind with (P := fun m' => place_of m' = place_of m /\ held m' = held m).
  - destruct (if is_local _ then _ else _) as [earlier|]; [|apply yields_ret; auto]. unfold kill. apply yields_any. intros y. apply yields_ret. auto.
  - intros m1 [P1 H1]. pose proof (vacant_held m1 d) as [V V']. destruct (vacant m1 d) as [o m2]. simpl in V, V'. apply yields_ret. simpl. eapply stays_trans; [apply stays_herd; exact H|].
    apply (keeps_place c1 who m); [exact Hm | apply kept_held; simpl; congruence].
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
    apply Set_. eapply (stays_trans c (with_symbols c _)); [apply stays_herd; repeat split | apply (keeps_place _ 0 m); [exact H | apply kept_held; reflexivity]].
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
(** The primary is before the first instruction. *)
Definition before_first E c : Prop := progress c = true /\ primary_at (At 0) c /\ whole E c.
Lemma before_stays E c c' : stays c c' -> before_first E c -> before_first E c'.
Proof. intros S (Pr & At & W). split; [rewrite (proj1 S); exact Pr|]. split; [eapply stays_primary; eauto | eapply stays_whole; eauto]. Qed.
Theorem root_stands E l class : yields (Rules.root_of_class E l class) (fun r => match r with Some c => before_first E c | None => True end).
Proof.
  unfold Rules.root_of_class. eapply yields_bind with (P := before_first E).
  - unfold before_inputs. apply yields_any. intros zero. apply (yields_folded (create_static E) (before_first E)).
    + intros c [d o] B. unfold create_static. cbn [fst snd]. destruct (origin_of o); try (apply yields_ret; exact B).
      apply yields_any. intros n. eapply yields_bind; [apply create_stays|]. intros [[v c1] env] S1. apply yields_ret. exact (before_stays E c c1 S1 B).
    + split; [reflexivity|]. split; [eexists; split; reflexivity|]. split; [|discriminate]. constructor; [exact (new_whole E (States.At 0) Uninitialised) | constructor].
  - intros c B. eapply yields_bind with (P := fun x => before_first E (fst x)).
    + apply (yields_folded (Rules.root_input E l) (fun x => before_first E (fst x))); [|exact B].
      intros [c1 k] i B1. eapply yields_weaker; [apply root_input_stays|]. intros x S1. exact (before_stays E c1 (fst x) S1 B1).
    + intros [c1 left_] (Pr & At & W). apply yields_ret. destruct (left_ =? 0); [|exact I]. split; [exact Pr|]. split; [exact At|].
      split; [exact (proj1 W)|]. intros x Ex. exact (whole_in E c1 x W (nth_in _ _ _ Ex)).
Qed.

(** ** Step *)

Section Step.
Variable E : setting.
(** Members may have moved. *)
Definition changes c c' : Prop := Forall2 kept_registers (herd c) (herd c') /\ kept_option (entry_member c) (entry_member c').
Lemma registers_refl m : kept_registers m m.
Proof. split; auto. Qed.
Lemma stays_changes c c' : stays c c' -> changes c c'.
Proof. intros (_ & F & O). split; [|exact O]. clear O. induction F as [|m m' l k [_ K] _ IH]; constructor; auto. Qed.
Lemma changes_trans c c' c'' : changes c c' -> changes c' c'' -> changes c c''.
Proof.
  intros [F O] [F' O']. split; [|eapply options_trans; eauto]. clear O O'. revert F'. generalize (herd c''). induction F as [|m m' l k [G D] _ IH]; intros h F'; inversion F' as [|? x ? y [G' D'] R]; subst; constructor; auto.
  split; [congruence | auto].
Qed.
Lemma moved_changes c who m p : nth (herd c) who = Some m -> changes c (set_member c who (at_place m p)).
Proof. intros H. split; [|apply option_kept]. apply (replaced_related kept_registers m (at_place m p)); [apply registers_refl | split; auto | exact H]. Qed.
Lemma count_stays c who : yields (count_one c who) (stays c).
Proof.
  unfold count_one. eapply yields_bind; [apply member_yields|]. intros m H. destruct (consumed_of m); try (apply yields_ret; apply stays_refl).
  apply yields_any. intros t. apply yields_ret. apply (keeps_place c who m); [exact H | apply kept_held; reflexivity].
Qed.
Lemma write_stays c who o f e v : yields (write c who o f e v) (stays c).
Proof.
  unfold write. eapply yields_bind; [apply member_yields|]. intros m H. apply yields_any. intros x. apply yields_any. intros old. apply yields_any. intros new. apply yields_ret.
  apply (keeps_place c who m); [exact H | apply kept_held; reflexivity].
Qed.
Lemma create_by_stays c env who r d n f : yields (create_by E c env who r d n f) (fun x => stays c (fst x)).
Proof.
  unfold create_by. eapply yields_bind; [apply create_stays|]. intros [[v c1] left_] S. eapply yields_bind with (P := stays c).
  - destruct r as [r|]; [|apply yields_ret; exact S]. eapply yields_weaker; [apply set_in_stays|]. intros c2 S2. eapply stays_trans; eauto.
  - intros c2 S2. apply yields_ret. exact S2.
Qed.
Lemma perform_changes c env who e : yields (perform E c env who e) (fun x => changes c (fst x)).
Proof.
  unfold perform. eapply yields_bind; [apply member_yields|]. intros m H. destruct (place_of m); [|apply yields_refuses]. apply yields_any. intros next_. apply yields_any. intros _.
  eapply yields_bind with (P := fun x => stays c (fst (fst x))).
  - destruct e; try (apply yields_ret; apply stays_refl).
    + eapply yields_bind; [apply set_in_stays|]. intros c1 S. apply yields_ret. exact S.
    + eapply yields_bind; [apply value_herd|]. intros [[t c1] env1] S1. eapply yields_bind; [apply set_in_stays|]. intros c2 S2. eapply yields_bind; [apply count_stays|]. intros c3 S3.
      apply yields_ret. eapply stays_trans; [apply stays_herd; exact S1 | eapply stays_trans; eauto].
    + eapply yields_bind; [apply write_stays|]. intros c1 S. apply yields_ret. exact S.
    + eapply yields_bind; [apply create_by_stays|]. intros [c1 env1] S. apply yields_ret. exact S.
    + unfold kill. eapply yields_bind with (P := kept m); [apply yields_any; intros x; apply yields_ret; apply kept_held; reflexivity|]. intros m' K. apply yields_ret.
      apply (keeps_place c who m); [exact H | exact K].
  - intros [[c1 env1] p] S. simpl in S. eapply yields_bind with (P := stays c).
    + destruct p as [k|]; [|apply yields_ret; exact S]. destruct (_ <=? _); [|apply yields_ret; exact S]. eapply yields_weaker; [apply count_stays|]. intros c2 S2. eapply stays_trans; eauto.
    + intros c2 S2. eapply yields_bind; [apply member_yields|]. intros m2 H2. apply yields_ret. eapply changes_trans; [apply stays_changes; exact S2 | apply moved_changes; exact H2].
Qed.
Lemma perform_whole c env who e : whole E c -> yields (perform E c env who e) (fun x => whole E (fst x)).
Proof. intros W. eapply yields_weaker; [apply perform_changes|]. intros x [F O]. eapply changes_whole; eauto. Qed.
Lemma follow_whole c who o : whole E c -> yields (follow E c who o) (whole E).
Proof.
  intros W. unfold follow. eapply yields_bind with (P := same_herd c).
  - apply (yields_folded assume (same_herd c)); [|apply same_refl]. intros c1 l H. eapply yields_weaker; [apply assume_herd|]. intros c2 H2. eapply same_trans; eauto.
  - intros c1 H1. pose proof (stays_whole E c c1 (stays_herd _ _ H1) W) as W1.
    eapply yields_bind; [apply perform_whole|]; [|intros [c2 env] W2; apply yields_ret; exact W2]. destruct (who =? 0); [|exact W1]. exact W1.
Qed.
Theorem step_whole c refuted : whole E c -> yields (Rules.step E c refuted) (Forall (whole E)).
Proof.
  intros W. unfold Rules.step. apply yields_any. intros m. apply yields_any. intros os. apply yields_any. intros kept_. apply yields_any. intros left_. apply yields_mapped. intros o.
  apply follow_whole. exact W.
Qed.
End Step.
