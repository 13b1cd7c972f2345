(** That what the second checker accepts of a tree model is so (spec/calculus.md#tree-models):
    behind covers no bad configuration is reached. *)
From Coq Require Import List NArith Bool Lia.
From Goatherd.checker2 Require Import Reasons Certificates Reader TreeModels.
Import ListNotations.
Open Scope N_scope.

(** ** What a model means *)

Inductive tree (L : Type) := Branch (x : L) (cs : list (tree L)).
Arguments Branch {L}.
Section Induction.
Context {L : Type} (P : tree L -> Prop).
Hypothesis branch : forall x cs, Forall P cs -> P (Branch x cs).
Fixpoint tree_induction (t : tree L) : P t := match t with
  | Branch x cs => branch x cs ((fix all cs : Forall P cs := match cs with [] => Forall_nil P | c :: cs => Forall_cons c (tree_induction c) (all cs) end) cs) end.
End Induction.
Fixpoint map_tree {L K} (f : L -> K) (t : tree L) : tree K := match t with Branch x cs => Branch (f x) (List.map (map_tree f) cs) end.

(** An automaton can be in this state behind the tree, from the leaves to the root. *)
Inductive runs {L} (a : automaton L) : tree L -> N -> Prop :=
| runs_branch t cs : In t (transitions L a) -> Forall2 (runs a) cs (children L t) -> runs a (Branch (letter_of L t) cs) (target L t).
Definition accepted {L} (a : automaton L) (t : tree L) : Prop := exists q, In q (accepting L a) /\ runs a t q.
(** A transducer accepts a tree of pairs: what it reads, and what it writes. *)
Definition related (a : automaton (N * N)) (t u : tree N) : Prop := exists o, map_tree fst o = t /\ map_tree snd o = u /\ accepted a o.
Inductive reachable (m : tree_model) : N -> tree N -> Prop :=
| reached_at_first t : accepted (initial m) t -> reachable m 0 t
| reached_by n t u l a : reachable m n t -> nth (lines m) n = Some l -> In a (actions l) -> related (transducer a) t u -> reachable m (next a) u.
Definition is_bad (m : tree_model) (n : N) (t : tree N) : Prop := exists l, nth (lines m) n = Some l /\ accepted (bad l) t.

(** ** Inclusions *)

Lemma holds_state_in s l : holds_state s l = true <-> In s l.
Proof.
  unfold holds_state. rewrite existsb_exists. split.
  - intros (x & I & E). apply N.eqb_eq in E. subst. auto.
  - intros I. exists s. split; auto. apply N.eqb_refl.
Qed.
Lemma at_fine w b r : at_ w b r = Fine tt -> b = true.
Proof. unfold at_, ensure. destruct b; auto. discriminate. Qed.
Lemma then_fine {A B} (x : answer A) (f : A -> answer B) b : then_ x f = Fine b -> exists a, x = Fine a /\ f a = Fine b.
Proof. destruct x; simpl; [eauto | discriminate]. Qed.
Lemma ways_all {A} (R : A -> list N -> Prop) : forall (as_ : list A) (ls : list (list (list N))),
  Forall2 (fun a l => exists c, In c l /\ R a c) as_ ls -> exists w, In w (ways ls) /\ Forall2 R as_ w.
Proof.
  induction 1 as [|a l as_ ls (c & I & H) _ (w & Iw & Hw)]; simpl.
  - exists []. auto.
  - exists (c :: w). split; auto. apply in_flat_map. exists w. split; auto. apply in_map_iff. eauto.
Qed.
Lemma each_in_all : forall states lists, each_in states lists = true -> Forall2 (fun s l => In s l) states lists.
Proof.
  induction states as [|s states IH]; intros [|l lists]; simpl; try discriminate; auto. intros E.
  apply andb_prop in E as [E1 E2]. constructor; [apply holds_state_in; auto | auto].
Qed.

Section Inclusion.
Variables (source_ : automaton N) (over : automaton (N * N)) (target_ : automaton N) (covers : list cover).
Hypothesis accepts_all : forall c, In c covers -> is_cover_accepting source_ over target_ c = true.
Hypothesis covered : forall l r, In l (transitions N source_) -> In r (transitions (N * N) over) -> fst (letter_of (N * N) r) = letter_of N l -> is_covered target_ covers l r = true.

(** Behind each tree of pairs the target can be in all states of some cover. *)
Definition reaches_cover (o : tree (N * N)) (p q : N) : Prop :=
  exists c, In c (covers_of covers (p, q)) /\ forall s, In s c -> runs target_ (map_tree snd o) s.
Lemma inclusion_runs : forall o p q, runs source_ (map_tree fst o) p -> runs over o q -> reaches_cover o p q.
Proof.
  intros o. induction o as [x cs IH] using tree_induction. intros p q Hp Hq.
  simpl in Hp. inversion Hp as [l cs1 Il Fl E1 E2]; subst. inversion Hq as [r cs2 Ir Fr E3 E4]; subst.
  pose proof (covered l r Il Ir (eq_sym E1)) as C. unfold is_covered in C. rewrite forallb_forall in C.
  assert (W : Forall2 (fun o cov => exists c, In c cov /\ forall s, In s c -> runs target_ (map_tree snd o) s) cs
    (List.map (covers_of covers) (List.combine (children N l) (children (N * N) r)))).
  { clear - IH Fl Fr. revert Fl Fr. generalize (children N l) as ps. generalize (children (N * N) r) as qs. induction cs as [|o cs IHcs]; intros qs ps Fl Fr.
    - inversion Fl; inversion Fr; subst. constructor.
    - simpl in Fl. inversion Fl as [|? p0 ? ps0 A B]; subst. inversion Fr as [|? q0 ? qs0 A' B']; subst. inversion IH as [|? ? H1 H2]; subst. simpl.
      constructor; [apply H1; auto | apply IHcs; auto]. }
  apply ways_all in W as (w & Iw & Fw). specialize (C w Iw). apply existsb_exists in C as (c & Ic & Hc).
  exists c. split; auto. intros s Is. rewrite forallb_forall in Hc. specialize (Hc s Is). unfold reaches in Hc. apply existsb_exists in Hc as (t & It & Ht).
  apply andb_prop in Ht as [Ht E]. apply andb_prop in Ht as [Hl Hs]. apply N.eqb_eq in Hl, Hs. apply each_in_all in E. subst s. simpl. rewrite <- Hl.
  constructor; auto. clear - E Fw. revert w Fw E. generalize (children N t) as ss. induction cs as [|o cs IH]; intros ss w Fw E.
  - inversion Fw; subst. inversion E; subst. constructor.
  - inversion Fw as [|? c ? w' A B]; subst. inversion E as [|s ? ss' ? I F]; subst. simpl. constructor; auto. eapply IH; eauto.
Qed.
Lemma inclusion_accepted o : accepted source_ (map_tree fst o) -> accepted over o -> accepted target_ (map_tree snd o).
Proof.
  intros (p & Ip & Rp) (q & Iq & Rq). destruct (inclusion_runs o p q Rp Rq) as (c & Ic & H).
  unfold covers_of in Ic. apply in_map_iff in Ic as (k & <- & Ik). apply filter_In in Ik as [Ik E]. simpl in E. apply andb_prop in E as [E1 E2].
  apply N.eqb_eq in E1, E2. pose proof (accepts_all k Ik) as A. unfold is_cover_accepting in A. rewrite E1, E2 in A.
  apply holds_state_in in Ip, Iq. rewrite Ip, Iq in A. simpl in A. apply existsb_exists in A as (s & Is & Hs). apply holds_state_in in Hs.
  exists s. auto.
Qed.
End Inclusion.
Theorem inclusion_sound source_ over target_ covers w t u : inclusion source_ over target_ covers w = Fine tt ->
  accepted source_ t -> related over t u -> accepted target_ u.
Proof.
  intros H Ht (o & <- & <- & Ho). unfold inclusion in H. apply then_fine in H as (? & _ & H). apply then_fine in H as (? & A & B). destruct x0. apply at_fine in A, B.
  rewrite forallb_forall in A, B. eapply inclusion_accepted; eauto. intros l r Il Ir E. specialize (B l Il). rewrite forallb_forall in B. specialize (B r Ir).
  rewrite E, N.eqb_refl in B. auto.
Qed.

(** What is in a set is related to itself by the set's identity. *)
Lemma diagonal_runs a : forall t q, runs a t q -> runs (diagonal a) (map_tree (fun x => (x, x)) t) q.
Proof.
  intros t. induction t as [x cs IH] using tree_induction. intros q H. inversion H as [t cs' It F E1 E2]; subst. simpl.
  set (t' := Build_transition (N * N) (letter_of N t, letter_of N t) (children N t) (target N t)).
  change (runs (diagonal a) (Branch (letter_of (N * N) t') (List.map (map_tree (fun x => (x, x))) cs)) (target (N * N) t')).
  constructor; [unfold diagonal; simpl; apply in_map_iff; exists t; auto|]. simpl. clear - IH F. revert F. generalize (children N t) as qs.
  induction cs as [|c cs IHcs]; intros qs F; inversion F; inversion IH; subst; simpl; constructor; auto.
Qed.
Lemma map_map_tree {L K J} (f : L -> K) (g : K -> J) : forall t, map_tree g (map_tree f t) = map_tree (fun x => g (f x)) t.
Proof.
  intros t. induction t as [x cs IH] using tree_induction. simpl. f_equal. rewrite map_map. apply map_ext_in. intros c I. rewrite Forall_forall in IH. auto.
Qed.
Lemma map_id_tree {L} : forall t : tree L, map_tree (fun x => x) t = t.
Proof.
  intros t. induction t as [x cs IH] using tree_induction. simpl. f_equal. rewrite <- (map_id cs) at 2. apply map_ext_in. intros c I. rewrite Forall_forall in IH. auto.
Qed.
Lemma diagonal_related a t : accepted a t -> related (diagonal a) t t.
Proof.
  intros (q & I & R). exists (map_tree (fun x => (x, x)) t). rewrite !map_map_tree. simpl. rewrite !map_id_tree. split; auto. split; auto.
  exists q. split; auto. apply diagonal_runs. auto.
Qed.

(** ** Invariants *)

Lemma check_inclusions_all is_ : forall n covers, check_inclusions n is_ covers = Fine tt ->
  forall s o t, In (s, o, t) is_ -> exists t', t = Some t' /\ forall x y, accepted s x -> related o x y -> accepted t' y.
Proof.
  induction is_ as [|[[s0 o0] t0] is_ IH]; intros n covers H s o t I; [destruct I|]. destruct covers as [|cs covers]; [discriminate|].
  simpl in H. apply then_fine in H as (t' & Ht & H). apply then_fine in H as (u & A & B). destruct u.
  destruct I as [[= <- <- <-]|I]; [|eapply IH; eauto].
  destruct t0 as [t0|]; [|discriminate]. injection Ht as <-. exists t0. split; auto. intros x y. eapply inclusion_sound; eauto.
Qed.
Lemma nth_combine {A B} : forall (l : list A) (k : list B) n a b, nth l n = Some a -> nth k n = Some b -> In (a, b) (List.combine l k).
Proof.
  induction l as [|x l IH]; intros [|y k] n a b; simpl; try discriminate. destruct (N.eqb_spec n 0); [intros [= ->] [= ->]; auto | right; eauto].
Qed.
Theorem invariant_sound m sets covers : check_invariant m sets covers = Fine tt -> forall n t, reachable m n t -> ~ is_bad m n t.
Proof.
  intros H. unfold check_invariant in H. apply then_fine in H as (u & _ & H). destruct u.
  pose proof (check_inclusions_all _ _ _ H) as All. clear H.
  assert (Holds : forall n t, reachable m n t -> exists a, nth sets n = Some a /\ accepted a t).
  { induction 1 as [t It|n t u l a _ (own & Eo & Ho) El Ia R].
    - destruct (All (initial m) (diagonal (initial m)) (nth sets 0)) as (a & E & S); [left; auto|]. exists a. split; auto.
      apply (S t t); auto. apply diagonal_related. auto.
    - destruct (All own (transducer a) (nth sets (next a))) as (b & E & S).
      + right. apply in_flat_map. exists (l, own). split; [eapply nth_combine; eauto|]. right. apply in_map_iff. eauto.
      + exists b. split; auto. eapply S; eauto. }
  intros n t Rt (l & El & Bl). destruct (Holds n t Rt) as (own & Eo & Ho).
  destruct (All own (diagonal (bad l)) (Some no_trees)) as (b & [= <-] & S).
  - right. apply in_flat_map. exists (l, own). split; [eapply nth_combine; eauto|]. left. auto.
  - destruct (S t t Ho (diagonal_related _ _ Bl)) as (q & [] & _).
Qed.

(** ** Traces *)

(** Trees from letters, children before their parent, by the ranks of their symbols. *)
Fixpoint pop {A} (n : nat) (stack children_ : list A) : option (list A * list A) := match n, stack with
  | O, _ => Some (children_, stack)
  | S _, [] => None
  | S n, x :: stack => pop n stack (x :: children_) end.
Fixpoint trees_of {L} (rank_ : L -> option N) (letters : list L) (stack : list (tree L)) : option (list (tree L)) := match letters with
  | [] => Some stack
  | x :: letters => match rank_ x with
    | None => None
    | Some r => match pop (N.to_nat r) stack [] with
      | None => None
      | Some (cs, stack) => trees_of rank_ letters (Branch x cs :: stack) end end end.

Lemma split_pop {A} (R : A -> list N -> Prop) : forall open n stack cs ts c open', Forall2 R stack open -> Forall2 R ts cs ->
  split_off n open cs = Some (c, open') -> exists tc stack', pop (N.to_nat n) stack ts = Some (tc, stack') /\ Forall2 R tc c /\ Forall2 R stack' open'.
Proof.
  induction open as [|x open IH]; intros n stack cs ts c open' F G E; simpl in E; destruct (N.eqb_spec n 0) as [->|D]; try discriminate.
  - injection E as <- <-. exists ts, stack. auto.
  - injection E as <- <-. exists ts, stack. auto.
  - inversion F as [|t ? stack' ? H F']; subst. replace (N.to_nat n) with (S (N.to_nat (N.pred n))) by lia. simpl. eapply IH; eauto.
Qed.
Lemma states_of_sound {L} (same : L -> L -> bool) symbol_of w m (a : automaton L) : (forall x y, same x y = true -> x = y) ->
  forall letters stack open open', Forall2 (fun t states => forall s, In s states -> runs a t s) stack open ->
  states_of m same symbol_of w a letters open = Fine open' ->
  exists stack', trees_of (fun x => rank_of m (symbol_of x)) letters stack = Some stack' /\ Forall2 (fun t states => forall s, In s states -> runs a t s) stack' open'.
Proof.
  intros Same. induction letters as [|x letters IH]; intros stack open open' F E; simpl in E |- *; [injection E as <-; eauto|].
  apply then_fine in E as (r & Er & E). destruct (rank_of m (symbol_of x)) as [r'|]; [|discriminate]. injection Er as ->.
  destruct (split_off r open []) as [[cs rest]|] eqn:S; [|discriminate].
  destruct (split_pop _ _ _ _ _ [] _ _ F ltac:(constructor) S) as (tc & stack' & P & Fc & Fr). rewrite P.
  eapply IH; [|exact E]. constructor; auto. intros s Is. apply in_map_iff in Is as (t & <- & It). apply filter_In in It as [It Et].
  apply andb_prop in Et as [E1 E2]. apply Same in E1 as <-. apply each_in_all in E2. constructor; auto.
  clear - E2 Fc. revert tc Fc. induction E2 as [|s l states lists I _ IH]; intros tc Fc; inversion Fc; subst; constructor; auto.
Qed.
Lemma accepts_sound {L} (same : L -> L -> bool) symbol_of w m (a : automaton L) letters otherwise : (forall x y, same x y = true -> x = y) ->
  accepts m same symbol_of w a letters otherwise = Fine tt -> exists t, trees_of (fun x => rank_of m (symbol_of x)) letters [] = Some [t] /\ accepted a t.
Proof.
  intros Same E. unfold accepts in E. apply then_fine in E as (open & E1 & E2).
  destruct (states_of_sound same symbol_of w m a Same letters [] [] open ltac:(constructor) E1) as (stack & Et & F).
  destruct open as [|root_ [|]]; try discriminate. inversion F as [|t ? ? ? H F']; subst. inversion F'; subst. exists t. split; auto.
  apply at_fine in E2. apply existsb_exists in E2 as (s & I & Hs). apply holds_state_in in Hs. exists s. auto.
Qed.

Lemma pop_map {A B} (f : A -> B) : forall n stack cs c rest, pop n stack cs = Some (c, rest) -> pop n (List.map f stack) (List.map f cs) = Some (List.map f c, List.map f rest).
Proof. induction n as [|n IH]; intros [|x stack] cs c rest; simpl; try discriminate; try (intros [= <- <-]; auto). intros E. apply IH in E. auto. Qed.
Lemma trees_map {L K} (f : L -> K) (rank_ : K -> option N) : forall letters stack res, trees_of (fun x => rank_ (f x)) letters stack = Some res ->
  trees_of rank_ (List.map f letters) (List.map (map_tree f) stack) = Some (List.map (map_tree f) res).
Proof.
  induction letters as [|x letters IH]; intros stack res E; simpl in *; [injection E as <-; auto|].
  destruct (rank_ (f x)) as [r|]; [|discriminate]. destruct (pop (N.to_nat r) stack []) as [[cs rest]|] eqn:P; [|discriminate].
  apply (pop_map (map_tree f)) in P. simpl in P. rewrite P. apply IH in E. auto.
Qed.
Lemma trees_same {L} (r1 r2 : L -> option N) : forall letters stack, (forall x, In x letters -> r1 x = r2 x) -> trees_of r1 letters stack = trees_of r2 letters stack.
Proof.
  induction letters as [|x letters IH]; intros stack H; simpl; auto. rewrite (H x) by (left; auto). destruct (r2 x); auto.
  destruct (pop _ _ _) as [[cs rest]|]; auto. apply IH. intros; apply H; right; auto.
Qed.
Lemma map_fst_combine {A B} : forall (l : list A) (k : list B), length l = length k -> List.map fst (List.combine l k) = l.
Proof. induction l as [|x l IH]; intros [|y k]; simpl; intros E; try discriminate; auto. f_equal. auto. Qed.
Lemma map_snd_combine {A B} : forall (l : list A) (k : list B), length l = length k -> List.map snd (List.combine l k) = k.
Proof. induction l as [|x l IH]; intros [|y k]; simpl; intros E; try discriminate; auto. f_equal. auto. Qed.
Lemma counted_length {A} : forall (l : list A) n, counted l n = n + N.of_nat (length l).
Proof. induction l as [|x l IH]; intros n; simpl; [lia|]. rewrite IH. lia. Qed.
Lemma nth_in_list {A} : forall (l : list A) n a, nth l n = Some a -> In a l.
Proof. induction l as [|x l IH]; simpl; intros n a; [discriminate|]. destruct (n =? 0); [intros [= ->]; auto | eauto]. Qed.

Lemma check_steps_sound m ss : forall n l letters t, reachable m l t -> trees_of (rank_of m) letters [] = Some [t] ->
  check_steps m n l letters ss = Fine tt -> exists l' t', reachable m l' t' /\ is_bad m l' t'.
Proof.
  induction ss as [|[k output] ss IH]; intros n l letters t R Et E; simpl in E; apply then_fine in E as (x & El & E).
  - unfold line_at, get_ in El. destruct (nth (lines m) l) as [y|] eqn:Nl; [|discriminate]. injection El as ->.
    apply accepts_sound in E; [|intros ? ? H; apply N.eqb_eq; auto]. destruct E as (t' & Et' & A).
    change (trees_of (rank_of m) letters [] = Some [t']) in Et'. assert (t' = t) as -> by congruence. exists l, t. split; auto. exists x. auto.
  - unfold line_at, get_ in El. destruct (nth (lines m) l) as [y|] eqn:Nl; [|discriminate]. injection El as ->.
    apply then_fine in E as (a & Ea & E). unfold get_ in Ea. destruct (nth (actions x) k) as [b|] eqn:Na; [|discriminate]. injection Ea as ->.
    apply then_fine in E as (u1 & E1 & E). destruct u1. apply then_fine in E as (u2 & E2 & E). destruct u2.
    apply at_fine in E1. apply andb_prop in E1 as [Len Ranks]. unfold count in Len. apply N.eqb_eq in Len. rewrite !counted_length in Len.
    assert (Len' : length letters = length output) by lia. clear Len.
    apply accepts_sound in E2; [|intros [p q] [p' q'] H; unfold same_pair in H; simpl in H; apply andb_prop in H as [H1 H2]; apply N.eqb_eq in H1, H2; congruence].
    destruct E2 as (o & Eo & Ho).
    pose proof (trees_map fst (rank_of m) _ _ _ Eo) as E3. simpl in E3. rewrite map_fst_combine in E3 by auto.
    rewrite (trees_same _ (fun x => rank_of m (snd x))) in Eo.
    2: { intros [p q] I. rewrite forallb_forall in Ranks. specialize (Ranks _ I). unfold same_rank in Ranks. simpl in *.
         destruct (rank_of m p), (rank_of m q); try discriminate; auto. apply N.eqb_eq in Ranks. congruence. }
    pose proof (trees_map snd (rank_of m) _ _ _ Eo) as E4. simpl in E4. rewrite map_snd_combine in E4 by auto.
    assert (map_tree fst o = t) as Ef by congruence.
    eapply IH; [|exact E4|exact E]. eapply reached_by; eauto; [eapply nth_in_list; eauto|]. exists o. auto.
Qed.
Theorem trace_sound m letters ss : check_trace m letters ss = Fine tt -> exists n t, reachable m n t /\ is_bad m n t.
Proof.
  intros E. unfold check_trace in E. apply then_fine in E as (u & E1 & E2). destruct u.
  apply accepts_sound in E1; [|intros ? ? H; apply N.eqb_eq; auto]. destruct E1 as (t & Et & A).
  eapply check_steps_sound; [apply reached_at_first; eauto | exact Et | exact E2].
Qed.

(** ** The claims *)

Theorem model_sound m c e : check_model m c e = Fine tt -> match c with
  | Invariant => forall n t, reachable m n t -> ~ is_bad m n t
  | Unsafe => exists n t, reachable m n t /\ is_bad m n t
  | _ => False end.
Proof.
  unfold check_model. destruct e, c; try discriminate; [apply invariant_sound | apply trace_sound].
Qed.
