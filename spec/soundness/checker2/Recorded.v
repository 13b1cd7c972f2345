(** What is recorded of a derivation (spec/calculus.md#paths): that nodes are numbered one
    by one, that each edge leads from an instruction to one that it may go on to, and that
    entries are before the first instruction.  Nothing is asked of rules or terms here. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Paths.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Arena Refuting States Stepping Denoting Carried Closing Moving Templates Graphs Leading Staying.
From Goatherd.checker2 Require Covering Rules Replay.
Import ListNotations.
Open Scope N_scope.

(** The nodes and edges as a graph. *)
Definition recorded_graph (u : unfolding) : Paths.graph N := {| Paths.vertex := N; Paths.stands_at := fun n l => find (node_locations u) n = Some l;
  Paths.begins_at := fun n => In n (entry_nodes u); Paths.leads_to := fun n m => In (n, m) (edges u) |}.
Record grows (u v : unfolding) : Prop := {
  grows_located : forall n l, find (node_locations u) n = Some l -> find (node_locations v) n = Some l;
  grows_entries : incl (entry_nodes u) (entry_nodes v);
  grows_edges : incl (edges u) (edges v) }.
Lemma grows_refl u : grows u u.
Proof. split; auto using incl_refl. Qed.
Lemma grows_trans u v w : grows u v -> grows v w -> grows u w.
Proof. intros [A B C] [D F G]. split; auto; eapply incl_tran; eauto. Qed.

(** ** Replay keeps what each rule keeps *)

Section Kept.
Context {mark record : Type}.
Variable act : configuration -> mark -> rule -> record -> computes (list (configuration * mark) * record).
Variable first_mark : mark.
Variable root : N -> computes (option configuration).
Variable at_rule : N -> N -> Where.t.
Variables (right : record -> Prop) (fits : record -> configuration -> mark -> Prop) (larger : record -> record -> Prop).
Hypothesis larger_refl : forall u, larger u u.
Hypothesis larger_trans : forall u v w, larger u v -> larger v w -> larger u w.
Hypothesis fits_larger : forall u v c k, larger u v -> fits u c k -> fits v c k.
Hypothesis act_keeps : forall u c k r s cs v s', right u -> fits u c k -> act c k r u s = Gives (cs, v) s' ->
  right v /\ larger u v /\ forall c' k', In (c', k') cs -> fits v c' k'.
Hypothesis root_fits : forall u class s c s', right u -> root class s = Gives (Some c) s' -> fits u c first_mark.
Lemma placed_gives {A} w (x : computes A) s a s' : Replay.placed w x s = Fine (a, s') -> x s = Gives a s'.
Proof. unfold Replay.placed. destruct (x s); [intros [= <- <-]; reflexivity | discriminate]. Qed.
Theorem derive_keeps fuel : forall rs class rule stack u s v, Replay.derive act first_mark root at_rule fuel rs class rule stack u s = Fine v -> right u ->
  (forall c k, In (c, k) stack -> fits u c k) -> right v /\ larger u v.
Proof.
  induction fuel as [|b fuel IH]; intros rs class rule stack u s v H R F.
  all: cbn [Replay.derive] in H; unfold then_ in H.
  all: destruct (Replay.next_open first_mark root at_rule class rule stack s) as [[[[[c k] stack'] s1]|]|] eqn:N; try discriminate.
  1, 3: destruct (next_rule rs) as [[[r rs']|]|]; try discriminate.
  3: destruct (next_rule rs) as [[[r rs']|]|]; discriminate || (injection H as <-; auto).
  2: { destruct (next_rule rs) as [[[r rs']|]|]; discriminate || (injection H as <-; auto). }
  assert (Fit : fits u c k /\ forall c' k', In (c', k') stack' -> fits u c' k').
  { destruct stack as [|[d j] stack]; cbn [Replay.next_open] in N.
    - unfold then_ in N. destruct (Replay.placed (at_rule class rule) (root class) s) as [[[d|] s2]|] eqn:Rt; try discriminate. injection N as <- <- <- <-.
      apply placed_gives in Rt. split; [eapply root_fits; eauto | intros ? ? []].
    - injection N as <- <- <- <-. split; [apply F; left; reflexivity | intros; apply F; right; assumption]. }
  destruct Fit as [Fc Fs].
  destruct (Replay.placed (at_rule class rule) (act c k r u) s1) as [[[cs u1] s2]|] eqn:A; [|discriminate]. apply placed_gives in A.
  destruct (act_keeps _ _ _ _ _ _ _ _ R Fc A) as (R1 & L1 & F1). destruct (IH _ _ _ _ _ _ _ H R1) as [Rv Lv]; [|eauto].
  intros c' k' I. apply in_app_or in I as [I|I]; [auto | eapply fits_larger; eauto].
Qed.
End Kept.

(** ** Nodes *)

Section Recorded.
Variable E : setting.
Variable ts : indexed configuration.
Notation located u := (fun n l => find (node_locations u) n = Some l).

Definition edge_right (u : unfolding) (n m : N) : Prop := exists l k i,
  located u n l /\ located u m k /\ at_position (code E) l = Some i /\ goes_on_to i l k.
Record right (u : unfolding) : Prop := {
  right_numbers : dense (node_locations u);
  right_templates : forall n d, at_position ts n = Some d -> exists l, located u n l /\ primary_at (At l) d /\ whole E d;
  right_entries : forall n, In n (entry_nodes u) -> located u n 0;
  right_edges : forall n m, In (n, m) (edges u) -> edge_right u n m }.
(** The configuration was reached so. *)
Definition stands_after (u : unfolding) (c : configuration) (from : reached) : Prop := match from with
  | AtEntry => primary_at (At 0) c
  | AtTemplate n => progress c = false /\ exists l, located u n l /\ primary_at (At l) c
  | FromNode n => exists l i, located u n l /\ at_position (code E) l = Some i /\ may_stand i l c end.
Definition fits (u : unfolding) (c : configuration) (from : reached) : Prop := whole E c /\ stands_after u c from.
Definition is_reached (u : unfolding) (from : reached) (n : N) : Prop := match from with
  | AtEntry => In n (entry_nodes u) | AtTemplate m => n = m | FromNode m => In (m, n) (edges u) end.

Lemma primary_place p q c : primary_at p c -> primary_at q c -> p = q.
Proof. intros (m & A & B) (m' & C & D). congruence. Qed.
Lemma fits_grows u v c from : grows u v -> fits u c from -> fits v c from.
Proof.
  intros [L _ _] [W F]. split; [exact W|]. destruct from as [|n|n]; simpl in *; auto.
  - destruct F as (Pr & l & A & B). split; auto. exists l. auto.
  - destruct F as (l & i & A & B & C). exists l, i. auto.
Qed.
Lemma fits_stays u c d from : stays c d -> fits u c from -> fits u d from.
Proof.
  intros S [W F]. split; [eapply stays_whole; eauto|]. pose proof (fun p => stays_primary c d p S) as Pl. destruct from as [|n|n]; simpl in *; auto.
  - destruct F as (Pc & l & A & B). split; [rewrite (proj1 S); exact Pc|]. exists l. auto.
  - destruct F as (l & i & A & B & C). exists l, i. split; auto. split; auto. destruct C as [C|(k & G & C)]; [left | right; exists k]; auto.
Qed.
Lemma edge_grows u v n m : grows u v -> edge_right u n m -> edge_right v n m.
Proof. intros [L _ _] (l & k & i & A & B & C & D). exists l, k, i. auto. Qed.

(** With a node more for a configuration that has been reached so. *)
Lemma reach_right u c from n l : right u -> fits u c from -> primary_at (At l) c -> located u n l -> (forall t, from <> AtTemplate t) ->
  right (reach_node u from n) /\ grows u (reach_node u from n) /\ is_reached (reach_node u from n) from n.
Proof.
  intros [Nu Te En Ed] [_ F] Pl At Nt. destruct from as [|t|m]; [| |].
  - assert (l = 0) as -> by (pose proof (primary_place _ _ _ Pl F) as X; congruence).
    split; [|split; [split; simpl; auto using incl_refl, incl_tl | left; reflexivity]].
    split; simpl; auto. intros k [<-|I]; auto.
  - exfalso. eapply Nt. reflexivity.
  - split; [|split; [split; simpl; auto using incl_refl, incl_tl | left; reflexivity]].
    split; simpl; auto. intros a b [[= <- <-]|I]; [|apply Ed; exact I].
    destruct F as (k & i & A & B & [C|(j & G & C)]); pose proof (primary_place _ _ _ Pl C) as X; [discriminate|]. injection X as <-. exists k, l, i. auto.
Qed.
Lemma node_right u l : right u -> right (snd (with_node u l)) /\ grows u (snd (with_node u l)) /\ located (snd (with_node u l)) (fst (with_node u l)) l.
Proof.
  intros [Nu Te En Ed]. assert (G : grows u (snd (with_node u l))).
  { split; unfold with_node; cbn; auto using incl_refl. intros n k. apply (added_keeps (node_locations u) l n k Nu). }
  split; [|split; [exact G|]].
  - split; unfold with_node; cbn.
    + apply (dense_added (node_locations u) l Nu).
    + intros n d A. destruct (Te n d A) as (k & B & C). exists k. split; [apply (grows_located _ _ G) in B; exact B | exact C].
    + intros n I. apply (grows_located _ _ G), En, I.
    + intros n m I. eapply edge_grows; [exact G | apply Ed; exact I].
  - unfold with_node. cbn. rewrite find_put, N.eqb_refl. reflexivity.
Qed.

(** What a rule's children keep of the configuration. *)
Lemma acted_is c from r u s ds v s' : act_recorded E ts c from r u s = Gives (ds, v) s' -> exists m next cs,
  nth (herd c) 0 = Some m /\ visit u from (place_of m) r s = Gives (next, v) s /\ ds = List.map (fun c => (c, next)) cs /\
  ((r = End_ /\ Rules.is_failing E (place_of m) = true /\ cs = [] /\ s' = s) \/ Rules.replay_rule E ts c r s = Gives cs s').
Proof.
  unfold act_recorded, member_at, bind at 1. unfold some at 1. destruct (nth (herd c) 0) as [m|]; [|discriminate]. unfold ret at 1. unfold bind at 1.
  destruct (visit u from (place_of m) r s) as [[next u1] s1|] eqn:V; [|discriminate].
  assert (s1 = s) as ->.
  { clear - V. unfold visit in V. destruct r, from; try discriminate; try (injection V as _ _ <-; reflexivity).
    all: destruct (new_node u (place_of m)) as [[k|] u']; injection V as _ _ <-; reflexivity. }
  unfold bind. destruct ((if match r with End_ => Rules.is_failing E (place_of m) | _ => false end then ret [] else Rules.replay_rule E ts c r) s) as [cs s2|] eqn:R; [|discriminate].
  unfold ret. intros [= <- <- <-]. exists m, next, cs. split; auto. split; auto. split; auto.
  destruct r; try (right; exact R). destruct (Rules.is_failing E (place_of m)) eqn:Fl; [|right; exact R]. left. unfold ret in R. injection R as <- <-. auto.
Qed.
Lemma replayed_is c r s cs s' : Rules.replay_rule E ts c r s = Gives cs s' -> exists s1, Rules.apply_rule E ts c r (with_hints s (Rules.hints_of r)) = Gives cs s1.
Proof. unfold Rules.replay_rule. destruct (Rules.apply_rule _ _ _ _ _) as [ds s1|]; [|discriminate]. destruct (hints_left s1); [|discriminate]. intros [= <- _]. eauto. Qed.
(** Rules that are no step. *)
Definition is_quiet (r : rule) : bool := match r with Let_ _ | Split _ | Unfold _ _ | Infeasible _ => true | _ => false end.
Lemma quiet_stays c r : is_quiet r = true -> yields (Rules.apply_rule E ts c r) (Forall (stays c)).
Proof.
  destruct r; try discriminate; intros _; cbn [Rules.apply_rule].
  - apply split_stays.
  - unfold Rules.closed. apply yields_any. intros _. apply yields_ret. constructor.
  - unfold Rules.one_open. eapply yields_bind; [apply let_stays|]. intros c' S. apply yields_ret. constructor; [exact S | constructor].
  - apply unfold_stays.
Qed.
Lemma marked_in {A B} (k : B) (cs : list A) c j : In (c, j) (List.map (fun c => (c, k)) cs) -> In c cs /\ j = k.
Proof. intros I. apply in_map_iff in I as (d & [= <- <-] & I). auto. Qed.

Definition makes_node (r : rule) : bool := match r with Step _ | End_ => true | _ => false end.
Lemma visit_is u from p r s next v s' : visit u from p r s = Gives (next, v) s' ->
  (is_quiet r = true /\ next = from /\ v = u) \/
  (makes_node r = true /\ exists t, from = AtTemplate t /\ next = FromNode t /\ v = u) \/
  (makes_node r = true /\ (forall t, from <> AtTemplate t) /\ match p with
    | At l => next = FromNode (fst (with_node u l)) /\ v = reach_node (snd (with_node u l)) from (fst (with_node u l))
    | HasFailed => next = from /\ v = u end) \/
  (exists t mt hs, r = Subsume t mt hs /\ next = FromNode t /\ v = reach_node u from t).
Proof.
  unfold visit. destruct r; try (intros [= <- <- _]; auto; fail); try (destruct from; discriminate).
  2: { intros V. right. right. right. destruct from; injection V as <- <- _; eauto 6. }
  all: destruct from as [|t|m]; cbn [makes_node is_quiet]; [| |]; try (intros [= <- <- _]; right; left; split; auto; exists t; auto; fail).
  all: destruct p as [l|]; cbn [new_node with_node added]; intros [= <- <- _]; right; right; left; split; auto; split; [discriminate | auto | discriminate | auto].
Qed.

(** ** One rule *)

(** The node of a rule that makes one: how it was reached, and where it is. *)
Record visited (u : unfolding) (from : reached) (p : place) (v : unfolding) (n l : N) : Prop := {
  visited_right : right v;
  visited_grows : grows u v;
  visited_reached : is_reached v from n;
  visited_located : located v n l;
  visited_place : p = At l }.
Lemma node_visited u c from p r s next v s' : right u -> fits u c from -> primary_at p c -> makes_node r = true -> visit u from p r s = Gives (next, v) s' ->
  (exists n l, next = FromNode n /\ visited u from p v n l) \/ (p = HasFailed /\ next = from /\ v = u).
Proof.
  intros R F Pl Mk V. apply visit_is in V as [(Q & _)|[(_ & t & -> & -> & ->)|[(_ & Nt & V)|(t & mt & hs & -> & _)]]].
  - destruct r; discriminate.
  - destruct F as (_ & Pr & l & At & Pc). pose proof (primary_place _ _ _ Pl Pc) as ->. left. exists t, l. split; auto. split; auto using grows_refl. reflexivity.
  - destruct p as [l|]; [left | right; destruct V; auto]. destruct V as [-> ->]. destruct (node_right u l R) as (R1 & G1 & L1).
    destruct (reach_right _ c from _ l R1 (fits_grows _ _ _ _ G1 F) Pl L1 Nt) as (R2 & G2 & Re). exists (fst (with_node u l)), l. split; auto. split; auto.
    + eapply grows_trans; eauto.
    + apply (grows_located _ _ G2). exact L1.
  - discriminate.
Qed.
Theorem act_keeps u c from r s ds v s' : right u -> fits u c from -> act_recorded E ts c from r u s = Gives (ds, v) s' ->
  right v /\ grows u v /\ forall c' from', In (c', from') ds -> fits v c' from'.
Proof.
  intros R F A. apply acted_is in A as (m & next & cs & Hm & V & -> & Re). assert (Pl : primary_at (place_of m) c) by (exists m; auto).
  destruct (is_quiet r) eqn:Q.
  { apply visit_is in V as [(_ & -> & ->)|[(Mk & _)|[(Mk & _)|(t & mt & hs & -> & _)]]]; try (destruct r; discriminate); try discriminate.
    split; auto. split; [apply grows_refl|]. intros c' k I. apply marked_in in I as [I ->].
    destruct Re as [(-> & _)|Re]; [discriminate|]. apply replayed_is in Re as [s1 Re]. apply (quiet_stays c r Q) in Re. rewrite Forall_forall in Re.
    exact (fits_stays u c c' from (Re c' I) F). }
  destruct (makes_node r) eqn:Mk.
  - destruct (node_visited u c from _ r s next v s R F Pl Mk V) as [(n & l & -> & [R1 G1 Ri L1 Pe])|(Pe & -> & ->)].
    + split; auto. split; auto. intros c' k I. apply marked_in in I as [I ->].
      destruct Re as [(_ & _ & -> & _)|Re]; [destruct I|]. apply replayed_is in Re as [s1 Re]. destruct r; try discriminate; cbn [Rules.apply_rule] in Re.
      * rewrite Pe in Pl. pose proof (step_whole E c (List.map fst refuted) (proj1 F) _ _ _ Re) as Wh. rewrite Forall_forall in Wh. split; [exact (Wh c' I)|].
        destruct (at_position (code E) l) as [i|] eqn:At.
        -- apply (step_stands E c (List.map fst refuted) l i Pl At) in Re. rewrite Forall_forall in Re. exists l, i. auto.
        -- exfalso. destruct Pl as (m' & Hm' & Pm'). unfold Rules.step, member_at, bind at 1 in Re. unfold some at 1 in Re. rewrite Hm' in Re. unfold ret at 1, outcomes in Re.
           rewrite Pm' in Re. unfold bind, some in Re. cbn [instruction_at] in Re. rewrite At in Re. discriminate.
      * unfold Rules.closed, bind in Re. destruct (Rules.ends_ E c _); [|discriminate]. injection Re as <- _. destruct I.
    + split; auto. split; [apply grows_refl|]. intros c' k I. apply marked_in in I as [I ->].
      destruct Re as [(_ & _ & -> & _)|Re]; [destruct I|]. exfalso. apply replayed_is in Re as [s1 Re]. destruct r; try discriminate; cbn [Rules.apply_rule] in Re.
      * unfold Rules.step, member_at, bind at 1 in Re. unfold some at 1 in Re. rewrite Hm in Re. unfold ret at 1, outcomes in Re. rewrite Pe in Re. discriminate.
      * unfold Rules.closed, Rules.ends_, member_at, bind, some, demand in Re. rewrite Hm in Re. unfold ret in Re. rewrite Pe in Re. discriminate.
  - apply visit_is in V as [(Q' & _)|[(Mk' & _)|[(Mk' & _)|(t & mt & hs & -> & -> & ->)]]]; try congruence.
    destruct Re as [(E0 & _)|Re]; [discriminate|]. apply replayed_is in Re as [s1 Re]. cbn [Rules.apply_rule] in Re. unfold Rules.closed, bind, some in Re.
    destruct (at_position ts t) as [d|] eqn:At; [|discriminate]. unfold ret at 1 in Re. cbn [Rules.hints_of] in Re.
    destruct (Covering.subsume E c d mt (with_hints s hs)) as [y s2|] eqn:Su; [|discriminate]. injection Re as <- _.
    apply (subsume_stands E c d mt (place_of m) Pl) in Su as [Pr Pd]. destruct (right_templates u R t d At) as (l & L & Pd' & _).
    pose proof (primary_place _ _ _ Pd Pd') as Pe. rewrite Pe in Pl.
    assert (Nt : forall n, from <> AtTemplate n) by (intros k ->; destruct F as (_ & Pc & _); congruence).
    destruct (reach_right u c from t l R F Pl L Nt) as (R1 & G1 & _). split; auto. split; auto. intros ? ? [].
Qed.
End Recorded.
