(** What the certificate's map of nodes to vertices makes of a graph (spec/calculus.md#paths):
    that the image has all paths that are to be kept, and is deterministic. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Paths.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning States Carried Closing Moving Templates Graphs Leading Staying Recorded.
Import ListNotations.
Open Scope N_scope.

(** The vertex of a node, if it has one. *)
Definition maps_to (vs : list (option N)) (n v : N) : Prop := List.nth_error vs (N.to_nat n) = Some (Some v).
(** The image of the nodes and edges: what the claim is about. *)
Definition image_of (u : unfolding) (vs : list (option N)) : Paths.graph N := {| Paths.vertex := N;
  Paths.stands_at := fun v l => exists n, maps_to vs n v /\ find (node_locations u) n = Some l;
  Paths.begins_at := fun v => exists n, maps_to vs n v /\ In n (entry_nodes u);
  Paths.leads_to := fun v w => exists n m, maps_to vs n v /\ maps_to vs m w /\ In (n, m) (edges u) |}.

(** ** Folds *)

(** What is said of each element that has been looked at stays so. *)
Lemma yields_each {A B} (f : B -> A -> computes B) (I : B -> Prop) (Q : B -> A -> Prop) :
  (forall b a, I b -> yields (f b a) (fun b' => I b' /\ Q b' a /\ forall a', Q b a' -> Q b' a')) ->
  forall l b, I b -> yields (folded_left f l b) (fun b' => I b' /\ (forall a, In a l -> Q b' a) /\ forall a', Q b a' -> Q b' a').
Proof.
  intros H. induction l as [|a l IH]; intros b Ib; cbn [folded_left]; [apply yields_ret; repeat split; auto; intros ? []|].
  eapply yields_bind; [apply H; exact Ib|]. intros b1 (I1 & Q1 & K1). eapply yields_weaker; [apply IH; exact I1|].
  intros b2 (I2 & Q2 & K2). split; auto. split; auto. intros x [<-|J]; auto.
Qed.

(** ** Nodes in order *)

Lemma numbered_values {A} (x : numbered A) k : forall n i, (forall j, (j < k)%nat -> find x (n + N.of_nat j) <> None) -> (i < k)%nat ->
  List.nth_error (List.map snd (flat_map (fun n => match find x n with Some a => [(n, a)] | None => [] end) (numbers_from n k))) i = find x (n + N.of_nat i).
Proof.
  induction k as [|k IH]; intros n i F L; [lia|]. cbn [numbers_from flat_map]. pose proof (F 0%nat ltac:(lia)) as F0. rewrite N.add_0_r in F0.
  destruct (find x n) as [a|] eqn:Fn; [|congruence]. cbn [app List.map]. destruct i as [|i]; cbn [List.nth_error].
  - rewrite N.add_0_r. symmetry. exact Fn.
  - replace (n + N.of_nat (S i)) with (N.succ n + N.of_nat i) by lia. apply IH; [|lia]. intros j J. replace (N.succ n + N.of_nat j) with (n + N.of_nat (S j)) by lia. apply F. lia.
Qed.
Lemma in_order_values {A} (x : numbered A) n a : dense x -> find x n = Some a -> List.nth_error (List.map snd (in_order x)) (N.to_nat n) = Some a.
Proof.
  intros D F. unfold in_order, numbers_of. rewrite numbered_values with (n := 0).
  - rewrite N.add_0_l, N2Nat.id. exact F.
  - intros j J. rewrite N.add_0_l. apply D. lia.
  - assert (n < given x) by (apply D; congruence). lia.
Qed.
Lemma combine_at {A B} (l : list A) : forall (k : list B) i a b, List.nth_error l i = Some a -> List.nth_error k i = Some b -> In (a, b) (List.combine l k).
Proof.
  induction l as [|x l IH]; intros [|y k] [|i] a b; cbn [List.nth_error List.combine]; try discriminate; [intros [= ->] [= ->]; left; reflexivity | intros H K; right; eapply IH; eauto].
Qed.

Section Mapped.
Variable P : indexed instruction.
Variable e : ends.
Variable u : unfolding.
Variable vs : list (option N).
Hypothesis numbers : dense (node_locations u).
Notation located n l := (find (node_locations u) n = Some l).

(** What the conditions on the map say. *)
Record map_right : Prop := {
  map_kept : forall n l, located n l -> is_kept P e l = true -> exists v, maps_to vs n v;
  map_located : forall n m v l k, maps_to vs n v -> maps_to vs m v -> located n l -> located m k -> l = k;
  map_sources : forall n m w, In (n, m) (edges u) -> maps_to vs m w -> exists v, maps_to vs n v;
  map_entries : forall n m v w, In n (entry_nodes u) -> In m (entry_nodes u) -> maps_to vs n v -> maps_to vs m w -> v = w;
  map_deterministic : forall n m n' m' v w w' l, In (n, m) (edges u) -> In (n', m') (edges u) -> maps_to vs n v -> maps_to vs n' v ->
    maps_to vs m w -> maps_to vs m' w' -> located m l -> located m' l -> w = w' }.

Definition placed_right (table : numbered N) (x : option N * N) : Prop := match fst x with Some v => find table v = Some (snd x) | None => is_kept P e (snd x) = false end.
Lemma place_yields table x : dense table -> yields (place_vertex P e table x) (fun t => dense t /\ placed_right t x /\ forall y, placed_right table y -> placed_right t y).
Proof.
  intros D. destruct x as [[v|] l]; unfold place_vertex.
  - set (t := if v =? given table then snd (added table l) else table).
    assert (Dt : dense t /\ forall y, placed_right table y -> placed_right t y).
    { unfold t. destruct (v =? given table); [|auto]. split; [apply dense_added; exact D|]. intros [[w|] k]; unfold placed_right; simpl; auto. apply added_keeps. exact D. }
    eapply yields_bind; [apply yields_some with (Q := fun k => find t v = Some k); auto|]. intros k Fk.
    eapply yields_bind; [apply yields_demand with (Q := fun _ => k = l); apply N.eqb_eq|]. intros ? Ek. cbn beta in Ek. apply yields_ret. subst k.
    destruct Dt. split; auto.
  - eapply yields_bind; [apply yields_demand with (Q := fun _ => is_kept P e l = false); apply negb_true_iff|]. intros ? Kl. cbn beta in Kl. apply yields_ret. auto.
Qed.
Definition rooted (r : option N) (n : N) : Prop := forall v, maps_to vs n v -> r = Some v.
Lemma root_yields r n : yields (same_root (index_of vs) r n) (fun q => True /\ rooted q n /\ forall m, rooted r m -> rooted q m).
Proof.
  unfold same_root, vertex_of. eapply yields_bind; [apply yields_some with (Q := fun x => List.nth_error vs (N.to_nat n) = Some x); intros x H; rewrite at_position_is in H; exact H|].
  intros x H. unfold rooted, maps_to. destruct x as [v|].
  - destruct r as [w|].
    + eapply yields_bind; [apply yields_demand with (Q := fun _ => v = w); apply N.eqb_eq|]. intros ? Ev. cbn beta in Ev. apply yields_ret. subst w. split; auto. split; [intros w; rewrite H; congruence | auto].
    + apply yields_ret. split; auto. split; [intros w; rewrite H; congruence|]. intros m R w M. specialize (R w M). discriminate.
  - apply yields_ret. split; auto. split; [intros w; rewrite H; congruence | auto].
Qed.
Notation successors := (PositiveMap.t (PositiveMap.t N)).
Definition successor_of (ss : successors) (v l : N) : option N := match PositiveMap.find (N.succ_pos v) ss with Some own => PositiveMap.find (N.succ_pos l) own | None => None end.
Definition edge_added (ss : successors) (x : N * N) : Prop := forall w, maps_to vs (snd x) w ->
  exists v l, maps_to vs (fst x) v /\ located (snd x) l /\ successor_of ss v l = Some w.
Lemma edge_yields ss x : yields (add_edge u (index_of vs) ss x) (fun t => True /\ edge_added t x /\ forall y, edge_added ss y -> edge_added t y).
Proof.
  destruct x as [n m]. unfold add_edge, vertex_of. cbn [fst snd].
  assert (At : forall k (Q : option N -> Prop), (forall y, List.nth_error vs (N.to_nat k) = Some y -> Q y) -> yields (some (at_position (index_of vs) k) Rejection.Missing) Q).
  { intros k Q H. apply yields_some. intros y A. rewrite at_position_is in A. auto. }
  eapply yields_bind; [apply (At m (fun y => List.nth_error vs (N.to_nat m) = Some y)); auto|]. intros [w|] Hm.
  2: { apply yields_ret. split; auto. split; auto. intros w. unfold maps_to. cbn [snd]. rewrite Hm. discriminate. }
  eapply yields_bind; [apply (At n (fun y => List.nth_error vs (N.to_nat n) = Some y)); auto|]. intros x Hn.
  eapply yields_bind; [apply yields_some with (Q := fun v => x = Some v); auto|]. intros v ->.
  eapply yields_bind; [apply yields_some with (Q := fun l => located m l); auto|]. intros l Lm.
  assert (Mine : forall t, successor_of t v l = Some w -> edge_added t (n, m)).
  { intros t S w' H. cbn [fst snd] in *. unfold maps_to in *. exists v, l. split; auto. split; auto. congruence. }
  set (own := match PositiveMap.find (N.succ_pos v) ss with Some own => own | None => PositiveMap.empty N end).
  assert (Own : PositiveMap.find (N.succ_pos l) own = successor_of ss v l).
  { unfold own, successor_of. destruct (PositiveMap.find (N.succ_pos v) ss); auto. apply PositiveMap.gempty. }
  destruct (PositiveMap.find (N.succ_pos l) own) as [w'|] eqn:Fl.
  - eapply yields_bind; [apply yields_demand with (Q := fun _ => w' = w); apply N.eqb_eq|]. intros ? Ew. cbn beta in Ew. subst w'. apply yields_ret.
    split; auto.
  - apply yields_ret. set (t := PositiveMap.add (N.succ_pos v) (PositiveMap.add (N.succ_pos l) w own) ss).
    assert (New : forall v' l', successor_of t v' l' = if (v' =? v) && (l' =? l) then Some w else successor_of ss v' l').
    { intros v' l'. unfold successor_of, t. destruct (N.eqb_spec v' v) as [->|Nv]; cbn [andb].
      - rewrite PositiveMap.gss. destruct (N.eqb_spec l' l) as [->|Nl]; [rewrite PositiveMap.gss; reflexivity|].
        rewrite PositiveMap.gso by (intros K; apply key_of_n_injective in K; auto). unfold own. destruct (PositiveMap.find (N.succ_pos v) ss); auto. apply PositiveMap.gempty.
      - rewrite PositiveMap.gso by (intros K; apply key_of_n_injective in K; auto). reflexivity. }
    split; auto. split; [apply Mine; rewrite New, !N.eqb_refl; reflexivity|].
    intros y H w' M. destruct (H w' M) as (v' & l' & A & B & C). exists v', l'. split; auto. split; auto. rewrite New.
    destruct ((v' =? v) && (l' =? l)) eqn:Same; [|exact C]. apply andb_prop in Same as [Ev El]. apply N.eqb_eq in Ev, El. subst v' l'. congruence.
Qed.
Theorem map_checked s x s' : check_map P e u (index_of vs) vs s = Gives x s' -> map_right.
Proof.
  assert (Y : yields (check_map P e u (index_of vs) vs) (fun _ => map_right)); [|intros H; exact (Y s x s' H)].
  unfold check_map. eapply yields_bind; [apply yields_demand with (Q := fun _ => count vs = given (node_locations u)); apply N.eqb_eq|]. intros ? Cn. cbn beta in Cn.
  rewrite count_length in Cn.
  eapply yields_bind; [apply (yields_each (place_vertex P e) dense placed_right); [intros; apply place_yields; auto | apply dense_none]|]. intros table (_ & Pl & _).
  eapply yields_bind; [apply (yields_each (same_root (index_of vs)) (fun _ => True) rooted); [intros; apply root_yields | exact I]|]. intros root (_ & Ro & _).
  eapply yields_bind; [apply (yields_each (add_edge u (index_of vs)) (fun _ => True) edge_added); [intros; apply edge_yields | exact I]|]. intros ss (_ & Ed & _).
  apply yields_ret.
  assert (Entry : forall n l, located n l -> exists y, List.nth_error vs (N.to_nat n) = Some y /\ placed_right table (y, l)).
  { intros n l L. assert (n < given (node_locations u)) by (apply numbers; congruence).
    destruct (List.nth_error vs (N.to_nat n)) as [y|] eqn:Ny; [|apply List.nth_error_None in Ny; lia]. exists y. split; auto. apply Pl.
    eapply combine_at; [exact Ny | apply in_order_values; auto]. }
  assert (At : forall n v l, maps_to vs n v -> located n l -> find table v = Some l).
  { intros n v l M L. destruct (Entry n l L) as (y & Ny & Py). unfold maps_to in M. rewrite M in Ny. injection Ny as <-. exact Py. }
  split.
  - intros n l L K. destruct (Entry n l L) as ([v|] & Ny & Py); [exists v; exact Ny|]. unfold placed_right in Py. cbn [fst snd] in Py. congruence.
  - intros n m v l k M M' L L'. pose proof (At n v l M L). pose proof (At m v k M' L'). congruence.
  - intros n m w I M. destruct (Ed (n, m)) with (w := w) as (v & _ & A & _); [apply in_rev in I; exact I | exact M|]. exists v. exact A.
  - intros n m v w I J M M'. pose proof (Ro n) as A. pose proof (Ro m) as B. rewrite <- in_rev in A, B. specialize (A I v M). specialize (B J w M'). congruence.
  - intros n m n' m' v w w' l I I' Mn Mn' Mm Mm' L L'. apply in_rev in I, I'.
    destruct (Ed (n, m) I w Mm) as (q & k & A & B & C). destruct (Ed (n', m') I' w' Mm') as (b & k' & A' & B' & C'). cbn [fst snd] in *.
    unfold maps_to in *. congruence.
Qed.
End Mapped.
