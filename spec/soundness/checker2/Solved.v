(** That a formula which the second checker accepts as unsatisfiable is so (spec/smt.md):
    no model gives its expressions, and those of the evidence, values by their operations
    and makes all assertions true. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Formulas Arena Refuting States Solving Replay Meaning Normal Refuted.
Import ListNotations.
Open Scope Z_scope.
Arguments Z.mul : simpl never.
Arguments Z.add : simpl never.
Arguments Z.div : simpl never.

(** ** Positions *)

Lemma index_of_nth {A} (l : list A) n a : at_position (index_of l) n = Some a -> nth_error l (N.to_nat n) = Some a.
Proof.
  unfold index_of, at_position. assert (H : forall l before m k, (forall n a, PositiveMap.find (N.succ_pos n) m = Some a -> nth_error before (N.to_nat n) = Some a) ->
    k = N.of_nat (length before) -> forall n (a : A), PositiveMap.find (N.succ_pos n) (fst (fold_left (fun '(m, n) a => (PositiveMap.add (N.succ_pos n) a m, N.succ n)) l (m, k))) = Some a ->
    nth_error (before ++ l) (N.to_nat n) = Some a).
  { clear. induction l as [|b l IH]; intros before m k H K n a; simpl.
    - intros E. rewrite app_nil_r. auto.
    - intros E. replace (before ++ b :: l) with ((before ++ [b]) ++ l) by (rewrite <- app_assoc; auto). eapply IH; [| |exact E].
      + intros n' a' E'. destruct (N.eq_dec n' k) as [->|D].
        * rewrite PositiveMap.gss in E'. injection E' as <-. rewrite K, Nnat.Nat2N.id, nth_error_app2, Nat.sub_diag by lia. reflexivity.
        * rewrite PositiveMap.gso in E' by (intros X; apply key_of_n_injective in X; auto). apply H in E'.
          rewrite nth_error_app1; auto. apply nth_error_Some. congruence.
      + rewrite app_length. simpl. lia. }
  specialize (H l [] (PositiveMap.empty A) 0%N ltac:(intros ? ? E; rewrite PositiveMap.gempty in E; discriminate) eq_refl n a).
  destruct (fold_left _ _ _) as [m k]. simpl in H |- *. exact H.
Qed.
Lemma numbers_nth {A} (l : list A) : forall k n a, In (n, a) (List.combine (numbers_from k (length l)) l) -> nth_error l (N.to_nat n - N.to_nat k) = Some a /\ (k <= n)%N.
Proof.
  induction l as [|b l IH]; simpl; intros k n a I; [destruct I|]. destruct I as [[= <- <-]|I].
  - rewrite Nat.sub_diag. simpl. split; auto. lia.
  - apply IH in I as [E L]. split; [|lia]. replace (N.to_nat n - N.to_nat k)%nat with (S (N.to_nat n - N.to_nat (N.succ k)))%nat by lia. exact E.
Qed.

Lemma numbered_nth {A} (l : list A) n a : In (n, a) (List.combine (numbers_from 0 (length l)) l) -> nth_error l (N.to_nat n) = Some a.
Proof. intros H. apply numbers_nth in H as [H _]. replace (N.to_nat n) with (N.to_nat n - N.to_nat 0)%nat by (simpl; lia). exact H. Qed.

(** ** Domains *)

Notation domain_of_number found e := (PositiveMap.find (N.succ_pos e) found).
Definition extends (f g : PositiveMap.t domain) : Prop := forall m d, domain_of_number f m = Some d -> domain_of_number g m = Some d.
Lemma find_domains_right cs own es : forall n found found', find_domains cs own n found es = Fine found' -> (forall m, (n <= m)%N -> domain_of_number found m = None) ->
  extends found found' /\ forall k x, nth_error es k = Some x -> exists f d, find_domain cs f x = Known d /\ domain_of_number found' (n + N.of_nat k)%N = Some d /\ extends f found'.
Proof.
  induction es as [|e es IH]; simpl; intros n found found' E N0; [injection E as <-; split; [intros ? ?; auto|]; intros [|k] x; discriminate|].
  destruct (_ && _); [discriminate|]. destruct (find_domain cs found e) as [d| |] eqn:D; try discriminate.
  assert (X : extends found (PositiveMap.add (N.succ_pos n) d found)).
  { intros m d' H. rewrite PositiveMap.gso; auto. intros H'. apply key_of_n_injective in H'. subst. rewrite N0 in H by lia. discriminate. }
  apply IH in E as [Y Z0].
  - split; [intros m d' H; auto|]. intros [|k] x; simpl.
    + intros [= <-]. exists found, d. split; auto. split; [|intros m d' H; auto]. rewrite N.add_0_r. apply Y. apply PositiveMap.gss.
    + intros H. apply Z0 in H as (f & d' & A & B & C). exists f, d'. split; auto. split; auto. rewrite <- B. f_equal. f_equal. lia.
  - intros m L. rewrite PositiveMap.gso; [apply N0; lia|]. intros H. apply key_of_n_injective in H. lia.
Qed.
Lemma is_of_domain f d e : is_of f d e = true -> domain_of_number f e = Some d.
Proof. unfold is_of, domain_at. destruct (PositiveMap.find _ f) as [d'|]; [|discriminate]. destruct d, d'; simpl; try discriminate; auto. Qed.

(** ** Models *)

(** Values of expressions by number: of each that of its domain counts. *)
Record reading := { holds : N -> Prop; int : N -> Z; arr : N -> Z -> Z }.

Section Formula.
Variable f : formula.
Variable more : list expression.
Variable found : PositiveMap.t domain.
Hypothesis domains_found : find_domains_of f more = Fine found.
Let es := expressions f ++ more.
Let all := index_of es.

Variable r : reading.
Definition same_value (a b : N) : Prop := match domain_of_number found a with
  | Some BooleanDomain => holds r a <-> holds r b
  | Some IntegerDomain => int r a = int r b
  | Some ArrayDomain => forall j, arr r a j = arr r b j
  | None => False end.
Definition sum_of (l : list (N * Z)) : Z := fold_right (fun '(e, k) z => k * int r e + z) 0 l.
(** The value of an expression by its operation.  A witness is an index at which two arrays
    differ, if they do. *)
Definition means (e : N) (x : expression) : Prop := match x with
  | ConstantExpression _ => True
  | Not p => holds r e <-> ~ holds r p
  | AllOf ps => holds r e <-> forall p, In p ps -> holds r p
  | AnyOf ps => holds r e <-> exists p, In p ps /\ holds r p
  | IfThenElse c t o => (holds r c -> same_value e t) /\ (~ holds r c -> same_value e o)
  | Equal a b => holds r e <-> same_value a b
  | AtMost a b => holds r e <-> int r a <= int r b
  | Sum c l => int r e = c + sum_of l
  | QuotientExpression a d => int r e = int r a / d
  | SelectExpression a i => int r e = arr r a (int r i)
  | StoreExpression a i v => forall j, arr r e j = if j =? int r i then int r v else arr r a j
  | Fill v => forall j, arr r e j = int r v
  | Witness a b => (exists j, arr r a j <> arr r b j) -> arr r a (int r e) <> arr r b (int r e) end.
Hypothesis meant : forall k x, nth_error es k = Some x -> means (N.of_nat k) x.
Hypothesis decided : forall e, holds r e \/ ~ holds r e.
Hypothesis satisfied : forall a, In a (asserted f) -> holds r a.

Lemma expression_peek s e : peeks s (expression_at all e) (fun x => nth_error es (N.to_nat e) = Some x /\ means e x).
Proof.
  unfold expression_at. apply peeks_some. intros x E. apply index_of_nth in E. split; auto. apply meant in E. rewrite Nnat.N2Nat.id in E. exact E.
Qed.
Lemma domains_right k x : nth_error es k = Some x -> exists g d, find_domain (index_of (constants f)) g x = Known d /\ domain_of_number found (N.of_nat k) = Some d /\ extends g found.
Proof.
  intros E. pose proof domains_found as H. unfold find_domains_of, then_ in H. destruct (find_domains _ _ _ _ _) as [found'|] eqn:D; [|discriminate].
  destruct (each _ _ _); [|discriminate]. injection H as ->.
  apply find_domains_right in D as [_ D]; [|intros m _; apply PositiveMap.gempty]. apply D in E as (g & d & A & B & C). exists g, d. simpl in B. auto.
Qed.
Lemma known_when b d d' : when b d = Known d' -> b = true /\ d = d'.
Proof. unfold when. destruct b; [intros [= ->]; auto | discriminate]. Qed.
Lemma select_domains e a i : nth_error es (N.to_nat e) = Some (SelectExpression a i) ->
  domain_of_number found e = Some IntegerDomain /\ domain_of_number found a = Some ArrayDomain /\ domain_of_number found i = Some IntegerDomain.
Proof.
  intros E. apply domains_right in E as (g & d & A & B & C). rewrite Nnat.N2Nat.id in B. simpl in A. apply known_when in A as [A <-].
  apply andb_prop in A as [A1 A2]. apply is_of_domain in A1, A2. auto.
Qed.
Lemma store_domains e a i v : nth_error es (N.to_nat e) = Some (StoreExpression a i v) -> domain_of_number found i = Some IntegerDomain.
Proof.
  intros E. apply domains_right in E as (g & d & A & B & C). simpl in A. apply known_when in A as [A <-].
  apply andb_prop in A as [A1 A2]. apply andb_prop in A2 as [A2 _]. apply is_of_domain in A2. auto.
Qed.

(** ** Clauses *)

Definition sign_true (x : signed_expression) : Prop := match x with Holds e => holds r e | Fails e => ~ holds r e end.
Definition clause_true (c : list signed_expression) : Prop := exists x, In x c /\ sign_true x.
Lemma sign_decided x : sign_true x \/ ~ sign_true x.
Proof. destruct x as [e|e]; simpl; destruct (decided e); tauto. Qed.
Lemma clause_decided c : clause_true c \/ forall x, In x c -> ~ sign_true x.
Proof.
  induction c as [|x c IH]; [right; intros ? []|]. destruct (sign_decided x) as [T|T]; [left; exists x; split; [left; auto | auto]|].
  destruct IH as [(y & I & H)|IH]; [left; exists y; split; [right; auto | auto] | right; intros y [<-|I]; auto].
Qed.
Lemma true_in x c : In x c -> sign_true x -> clause_true c.
Proof. intros. exists x. auto. Qed.
Ltac pick e := apply (true_in e); [simpl; tauto | simpl; tauto].

Lemma nth_clause_peek s cs n : (forall c, In c cs -> clause_true c) -> peeks s (nth_clause cs n) clause_true.
Proof. intros H. unfold nth_clause. apply peeks_some. intros c E. apply H. apply (nth_in _ _ _ E). Qed.
Lemma definition_peek s e n : peeks s (definition_of all found e n) clause_true.
Proof.
  unfold definition_of. eapply peeks_bind; [apply expression_peek|]. intros x [E M]. destruct x as [c|p|ps|ps|c a b|a b| | | | | | |]; try apply peeks_refuses; simpl in M.
  - apply nth_clause_peek. intros c [<-|[<-|[]]]; destruct (decided p); [pick (Fails e) | pick (Fails p) | pick (Holds p) | pick (Holds e)].
  - unfold junction. destruct (nth ps n) as [p|] eqn:N.
    + apply peeks_ret. apply nth_in in N. destruct (decided e) as [H|H]; [|pick (Fails e)]. apply (true_in (Holds p)); [simpl; auto | apply M; auto].
    + eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. apply peeks_ret.
      destruct (clause_decided (List.map Fails ps)) as [(x & I & T)|N']; [exists x; split; [right; auto | auto]|].
      apply (true_in (Holds e)); [simpl; auto|]. apply M. intros p I. destruct (decided p) as [|H]; auto. exfalso. apply (N' (Fails p)); [apply in_map; auto | auto].
  - unfold junction. destruct (nth ps n) as [p|] eqn:N.
    + apply peeks_ret. apply nth_in in N. destruct (decided p) as [H|H]; [|pick (Fails p)]. apply (true_in (Holds e)); [simpl; auto | apply M; eauto].
    + eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. apply peeks_ret.
      destruct (decided e) as [H|H]; [|pick (Fails e)]. apply M in H as (p & I & H). exists (Holds p). split; auto. right. apply in_map. auto.
  - destruct (is_boolean found e) eqn:B; [|apply peeks_refuses]. apply is_of_domain in B. unfold same_value in M. rewrite B in M.
    apply nth_clause_peek. destruct (decided e), (decided c), (decided a), (decided b); intros cl [<-|[<-|[<-|[<-|[]]]]];
    first [pick (Fails c) | pick (Holds c) | pick (Fails e) | pick (Holds e) | pick (Holds a) | pick (Fails a) | pick (Holds b) | pick (Fails b)].
  - destruct (is_boolean found a) eqn:B; [|apply peeks_refuses]. apply is_of_domain in B. unfold same_value in M. rewrite B in M.
    apply nth_clause_peek. destruct (decided e), (decided a), (decided b); intros cl [<-|[<-|[<-|[<-|[]]]]];
    first [pick (Fails e) | pick (Holds e) | pick (Holds a) | pick (Fails a) | pick (Holds b) | pick (Fails b)].
Qed.
Lemma sides_peek s e : peeks s (both_sides all e) (fun p => nth_error es (N.to_nat e) = Some (Equal (fst p) (snd p)) /\ (holds r e <-> same_value (fst p) (snd p))).
Proof.
  unfold both_sides. eapply peeks_bind; [apply expression_peek|]. intros x [E M]. destruct x; try apply peeks_refuses. apply peeks_ret. auto.
Qed.
Lemma element_peek s e : peeks s (element_of all e) (fun p => domain_of_number found e = Some IntegerDomain /\ domain_of_number found (fst p) = Some ArrayDomain /\
  domain_of_number found (snd p) = Some IntegerDomain /\ int r e = arr r (fst p) (int r (snd p))).
Proof.
  unfold element_of. eapply peeks_bind; [apply expression_peek|]. intros x [E M]. destruct x; try apply peeks_refuses. apply peeks_ret.
  destruct (select_domains _ _ _ E) as (A & B & C). auto.
Qed.
Lemma pair_eqb_eq p q : pair_eqb p q = true -> p = q.
Proof. destruct p, q. unfold pair_eqb. simpl. intros H. apply andb_prop in H as [A B]. apply N.eqb_eq in A, B. congruence. Qed.
Ltac demanded H := eapply peeks_bind; [apply peeks_demand; intros H; exact H|]; intros ? H; cbn beta in H.

Lemma choice_peek s e : peeks s (choice_clause all e) clause_true.
Proof.
  unfold choice_clause. eapply peeks_bind; [apply sides_peek|]. intros [chosen v] [_ H]. simpl in H.
  eapply peeks_bind; [apply expression_peek|]. intros x [_ M]. destruct x as [| | | |c a b| | | | | | | |]; try apply peeks_refuses. simpl in M. destruct M as [M1 M2].
  destruct (N.eqb_spec v a) as [->|]; [|destruct (N.eqb_spec v b) as [->|]; [|apply peeks_refuses]]; apply peeks_ret.
  - destruct (decided c) as [T|T]; [pick (Holds e) | pick (Fails c)].
  - destruct (decided c) as [T|T]; [pick (Holds c) | pick (Holds e)].
Qed.
(** The element that is read: that of the store's value, or of the array below. *)
Lemma stored_peek s e is_ : peeks s (read_stored all e is_) (fun '(b, v) => exists x t j i, nth_error es (N.to_nat e) = Some (Equal x t) /\ nth_error es (N.to_nat is_) = Some (Equal j i) /\ (holds r e <-> same_value x t) /\ (holds r is_ <-> same_value j i) /\
  domain_of_number found x = Some IntegerDomain /\ domain_of_number found j = Some IntegerDomain /\ int r x = if int r i =? int r j then int r v else arr r b (int r i)).
Proof.
  unfold read_stored. eapply peeks_bind; [apply sides_peek|]. intros [x t] [Ee H]. simpl in H, Ee.
  eapply peeks_bind; [apply element_peek|]. intros [a i] (D1 & D2 & D3 & V). simpl in D1, D2, D3, V.
  eapply peeks_bind; [apply expression_peek|]. intros y [E M]. destruct y as [| | | | | | | | | |b j v| |]; try apply peeks_refuses. simpl in M.
  eapply peeks_bind; [apply sides_peek|]. intros p [Ep Hp].
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => p = (j, i))); apply pair_eqb_eq|]. intros ? ->. apply peeks_ret. simpl in Hp, Ep.
  exists x, t, j, i. repeat split; try tauto; try apply H; try apply Hp; auto; [apply (store_domains _ _ _ _ E)|]. rewrite V, M. reflexivity.
Qed.
Lemma integers_same a b : domain_of_number found a = Some IntegerDomain -> same_value a b <-> int r a = int r b.
Proof. intros D. unfold same_value. rewrite D. tauto. Qed.
Lemma arrays_same a b : domain_of_number found a = Some ArrayDomain -> same_value a b <-> forall j, arr r a j = arr r b j.
Proof. intros D. unfold same_value. rewrite D. tauto. Qed.
Lemma read_same_peek s e is_ : peeks s (read_same_clause all e is_) clause_true.
Proof.
  unfold read_same_clause. eapply peeks_bind; [apply stored_peek|]. intros [b v] (x & t & j & i & Ee & Ei & He & Hi & Dx & Dj & V).
  eapply peeks_bind; [apply sides_peek|]. intros [x' t'] [Ee' _]. simpl in Ee'. rewrite Ee in Ee'. injection Ee' as <- <-.
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => t = v)); apply N.eqb_eq|]. intros ? ->. apply peeks_ret.
  destruct (decided is_) as [T|T]; [|pick (Fails is_)]. apply (true_in (Holds e)); [simpl; auto|]. simpl. apply He. apply integers_same; auto.
  apply Hi in T. apply integers_same in T; auto. rewrite V, T, Z.eqb_refl. reflexivity.
Qed.
Lemma read_other_peek s e is_ : peeks s (read_other_clause all e is_) clause_true.
Proof.
  unfold read_other_clause. eapply peeks_bind; [apply stored_peek|]. intros [b v] (x & t & j & i & Ee & Ei & He & Hi & Dx & Dj & V).
  eapply peeks_bind; [apply sides_peek|]. intros [x' t'] [Ee' _]. simpl in Ee'. rewrite Ee in Ee'. injection Ee' as <- <-.
  eapply peeks_bind; [apply sides_peek|]. intros [j' i'] [Ei' _]. simpl in Ei'. rewrite Ei in Ei'. injection Ei' as <- <-.
  eapply peeks_bind; [apply element_peek|]. intros p (_ & _ & _ & Vt).
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => p = (b, i))); apply pair_eqb_eq|]. intros ? ->. apply peeks_ret. simpl in Vt.
  destruct (decided is_) as [T|T]; [pick (Holds is_)|]. apply (true_in (Holds e)); [simpl; auto|]. simpl. apply He. apply integers_same; auto.
  rewrite V, Vt. destruct (Z.eqb_spec (int r i) (int r j)) as [E|]; auto. exfalso. apply T, Hi. apply integers_same; auto.
Qed.
Lemma read_fill_peek s e : peeks s (read_fill_clause all e) clause_true.
Proof.
  unfold read_fill_clause. eapply peeks_bind; [apply sides_peek|]. intros [x t] [_ H]. simpl in H.
  eapply peeks_bind; [apply element_peek|]. intros [a i] (D1 & _ & _ & V). simpl in V.
  eapply peeks_bind; [apply expression_peek|]. intros y [_ M].
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => y = Fill t))|].
  { destruct y; try discriminate. intros E. apply N.eqb_eq in E. congruence. }
  intros ? ->. apply peeks_ret. simpl in M. apply (true_in (Holds e)); [simpl; auto|]. simpl. apply H. apply integers_same; auto. rewrite V. auto.
Qed.
(** Either all parts are the same, or one of the premises fails. *)
Lemma same_parts_peek s ps : forall premises_, peeks s (same_parts all ps premises_) (fun c =>
  (exists x, In x c /\ sign_true x) \/ forall a b, In (a, b) ps -> a = b \/ same_value a b).
Proof.
  induction ps as [|[a b] ps IH]; intros premises_; simpl.
  - eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. apply peeks_ret. right. intros ? ? [].
  - destruct (N.eqb_spec a b) as [->|].
    + eapply peeks_weaker; [apply IH|]. intros c [H|H]; auto. right. intros a' b' [[= <- <-]|I]; auto.
    + destruct premises_ as [|p premises_]; [apply peeks_refuses|]. eapply peeks_bind; [apply sides_peek|]. intros q [_ Hq].
      eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => q = (a, b))); apply pair_eqb_eq|]. intros ? ->. simpl in Hq.
      eapply peeks_bind; [apply IH|]. intros c H. apply peeks_ret. destruct (decided p) as [T|T]; [|left; exists (Fails p); simpl; auto].
      destruct H as [(x & I & H)|H]; [left; exists x; simpl; auto|]. right. intros a' b' [[= <- <-]|I]; auto. right. tauto.
Qed.
Lemma same_element_peek s e ps : peeks s (same_element_clause all e ps) clause_true.
Proof.
  unfold same_element_clause. eapply peeks_bind; [apply sides_peek|]. intros [x y] [_ H]. simpl in H.
  eapply peeks_bind; [apply element_peek|]. intros [a i] (D1 & D2 & D3 & V). simpl in D1, D2, D3, V.
  eapply peeks_bind; [apply element_peek|]. intros [b j] (_ & _ & _ & W). simpl in W.
  eapply peeks_bind; [apply same_parts_peek|]. intros c [(z & I & T)|S]; apply peeks_ret.
  - exists z. split; auto. apply in_or_app. auto.
  - apply (true_in (Holds e)); [apply in_or_app; simpl; auto|]. simpl. apply H. apply integers_same; auto. rewrite V, W.
    assert (A : forall k, arr r a k = arr r b k) by (destruct (S a b) as [->|A]; [left; auto | auto | apply (arrays_same a b D2); exact A]).
    assert (I : int r i = int r j) by (destruct (S i j) as [->|I]; [right; left; auto | auto | apply (integers_same i j D3); exact I]).
    rewrite A, I. reflexivity.
Qed.
Lemma extensionality_peek s e elements : peeks s (extensionality_clause all e elements) clause_true.
Proof.
  unfold extensionality_clause. eapply peeks_bind; [apply sides_peek|]. intros [a b] [_ H]. simpl in H.
  eapply peeks_bind; [apply sides_peek|]. intros [x y] [_ H']. simpl in H'.
  eapply peeks_bind; [apply element_peek|]. intros [a' i] (D1 & D2 & D3 & V). simpl in D1, D2, D3, V.
  eapply peeks_bind; [apply element_peek|]. intros [b' j] (_ & _ & _ & W). simpl in W.
  eapply peeks_bind; [apply expression_peek|]. intros w [_ M].
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => w = Witness a b /\ a' = a /\ b' = b /\ j = i))|].
  { intros E. apply andb_prop in E as [E E4]. apply andb_prop in E as [E E3]. apply andb_prop in E as [E E2]. apply N.eqb_eq in E2, E3, E4.
    destruct w; try discriminate. apply andb_prop in E as [E E1]. apply N.eqb_eq in E, E1. subst. auto. }
  intros ? (-> & -> & -> & ->). apply peeks_ret. simpl in M.
  destruct (decided elements) as [T|T]; [|pick (Fails elements)]. apply (true_in (Holds e)); [simpl; auto|]. simpl. apply H. apply arrays_same; auto.
  apply H' in T. apply integers_same in T; auto. rewrite V, W in T. intros k. destruct (Z.eq_dec (arr r a k) (arr r b k)) as [|Ne]; auto.
  exfalso. apply M; eauto.
Qed.

(** ** Arithmetic *)

(** Every integer expression is a variable of any value with its number, but for sums and
    quotients. *)
Definition nu : Terms.valuation := {| Terms.integers := fun s x => match s with None => int r (N.of_nat x) | Some _ => 0 end; Terms.arrays := fun _ _ _ => 0 |}.
Lemma nu_sorted : Terms.well_sorted nu.
Proof. split; intros; simpl; apply zero_within. Qed.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Definition values_right (s : state) (M : model) (vs : PositiveMap.t N) : Prop := forall e t, PositiveMap.find (N.succ_pos e) vs = Some t ->
  domain_of_number found e = Some IntegerDomain /\ is_term s M t (int r e).
Lemma values_kept s M s' M' vs : keeps s M s' M' -> values_right s M vs -> values_right s' M' vs.
Proof. intros K H e t E. destruct (H e t E) as [D T]. split; auto. eapply is_term_kept; eauto. Qed.
Lemma value_in_peek s M vs e : values_right s M vs -> peeks s (value_in vs e) (fun t => domain_of_number found e = Some IntegerDomain /\ is_term s M t (int r e)).
Proof. intros H. unfold value_in. apply peeks_some. intros t E. apply H. auto. Qed.
Lemma parts_peek s M vs l : values_right s M vs -> peeks s (mapped (fun '(e, k) => let$ t := value_in vs e in ret (t, k)) l) (fun ps => parts_value M ps = sum_of l).
Proof.
  intros H. induction l as [|[e k] l IH]; simpl; [apply peeks_ret; reflexivity|].
  eapply peeks_bind with (P := fun p => snd p * vl M (fst p) = k * int r e).
  - eapply peeks_bind; [apply (value_in_peek s M); auto|]. intros t [_ [_ V]]. apply peeks_ret. simpl. rewrite V. reflexivity.
  - intros [t h] E. eapply peeks_bind; [apply IH|]. intros ps E'. apply peeks_ret. simpl in *. lia.
Qed.
Lemma value_added s M vs e t : values_right s M vs -> domain_of_number found e = Some IntegerDomain -> is_term s M t (int r e) -> values_right s M (PositiveMap.add (N.succ_pos e) t vs).
Proof.
  intros H D T e' t' E. destruct (N.eq_dec e' e) as [->|Ne]; [rewrite PositiveMap.gss in E; injection E as <-; auto|].
  rewrite PositiveMap.gso in E by (intros X; apply key_of_n_injective in X; auto). auto.
Qed.
Lemma evaluate_one_meets s M vs n x : good s M -> values_right s M vs -> means n x -> meets s M (evaluate_one found vs (n, x)) (fun vs' s' M' => values_right s' M' vs').
Proof.
  intros G H Mx. unfold evaluate_one. destruct (PositiveMap.find (N.succ_pos n) found) as [[| |]|] eqn:D; try (apply meets_ret; auto).
  eapply meets_bind with (P := fun t s' M' => is_term s' M' t (int r n)).
  - assert (Var : meets s M (variable None n) (fun t s' M' => is_term s' M' t (int r n))).
    { eapply meets_weaker; [apply variable_meets; [apply nu_sorted | auto]|]. intros t s' M' _ _. simpl. rewrite Nnat.N2Nat.id. auto. }
    destruct x; auto.
    + eapply meets_peek; [apply (parts_peek s M); auto|]. intros ps E. eapply meets_weaker; [apply combine_meets; auto|]. intros t s' M' _ _ [I V]. split; auto.
      simpl in Mx. rewrite V, E. auto.
    + eapply meets_peek; [apply (value_in_peek s M); auto|]. intros u [_ [_ Vu]]. eapply meets_weaker; [apply quotient_meets; auto|]. intros t s' M' _ _ [I V]. split; auto.
      simpl in Mx. rewrite V, Vu. auto.
  - intros t s' M' G' K T. apply meets_ret; auto. apply value_added; auto. eapply values_kept; eauto.
Qed.
Lemma evaluate_all_meets xs : forall s M vs, good s M -> values_right s M vs -> (forall n x, In (n, x) xs -> means n x) ->
  meets s M (folded_left (evaluate_one found) xs vs) (fun vs' s' M' => values_right s' M' vs').
Proof.
  induction xs as [|[n x] xs IH]; intros s M vs G H A; simpl; [apply meets_ret; auto|].
  eapply meets_bind; [apply evaluate_one_meets; auto; apply A; left; auto|]. intros vs' s' M' G' _ H'. apply IH; auto. intros; apply A; right; auto.
Qed.
Lemma opposite_meets s M vs x : good s M -> values_right s M vs -> meets s M (opposite_literal all vs x) (fun l s' M' => literal_in s' l /\ (~ sign_true x -> literal_holds M' l)).
Proof.
  intros G H. unfold opposite_literal. set (p := match x with Holds e => (e, true) | Fails e => (e, false) end).
  assert (P : x = if snd p then Holds (fst p) else Fails (fst p)) by (destruct x; reflexivity). destruct p as [e b]. simpl in P. subst x.
  eapply meets_peek; [apply expression_peek|]. intros y [_ Mx]. destruct y as [| | | | |a c|a c| | | | | |]; try apply meets_refuses; simpl in Mx.
  - eapply meets_peek; [apply (value_in_peek s M); auto|]. intros t [D [It Vt]]. eapply meets_peek; [apply (value_in_peek s M); auto|]. intros u [_ [Iu Vu]].
    eapply meets_bind; [apply difference_meets; auto|]. intros d s1 M1 G1 K1 [Id Vd]. apply meets_ret; auto. split; auto.
    rewrite (integers_same a c D) in Mx. unfold literal_holds. destruct b; simpl; rewrite Vd, Vt, Vu; intros T; [|destruct (decided e) as [T'|T']; [apply Mx in T'; lia | tauto]].
    intros E. apply T, Mx. lia.
  - eapply meets_peek; [apply (value_in_peek s M); auto|]. intros t [D [It Vt]]. eapply meets_peek; [apply (value_in_peek s M); auto|]. intros u [_ [Iu Vu]].
    destruct b; unfold less, at_most; simpl.
    + eapply meets_bind; [apply combine_meets; auto|]. intros d s1 M1 G1 K1 [Id Vd]. apply meets_ret; auto. split; auto. unfold literal_holds; simpl. intros T.
      rewrite Vd. simpl. rewrite Vt, Vu. destruct (Z_le_gt_dec (int r a) (int r c)); [exfalso; apply T, Mx; auto | lia].
    + eapply meets_bind; [apply difference_meets; auto|]. intros d s1 M1 G1 K1 [Id Vd]. apply meets_ret; auto. split; auto. unfold literal_holds; simpl. intros T.
      rewrite Vd, Vt, Vu. destruct (decided e) as [T'|T']; [apply Mx in T'; lia | tauto].
Qed.
Lemma opposites_meets vs c : forall s M, good s M -> values_right s M vs -> meets s M (mapped (opposite_literal all vs) c) (fun ls s' M' =>
  (forall l, In l ls -> literal_in s' l) /\ ((forall x, In x c -> ~ sign_true x) -> forall l, In l ls -> literal_holds M' l)).
Proof.
  induction c as [|x c IH]; intros s M G H; simpl; [apply meets_ret; auto; split; [intros ? [] | intros _ ? []]|].
  eapply meets_bind; [apply opposite_meets; auto|]. intros l s1 M1 G1 K1 [I1 T1].
  eapply meets_bind; [apply IH; auto; eapply values_kept; eauto|]. intros ls s2 M2 G2 K2 [I2 T2]. apply meets_ret; auto.
  destruct (literal_kept _ _ _ _ l K2 I1) as [J E]. split.
  - intros m [<-|Hm]; auto.
  - intros A m [<-|Hm]; [apply E, T1, A; left; auto | apply T2; auto; intros; apply A; right; auto].
Qed.
Lemma arithmetic_peek s M vs c h : good s M -> values_right s M vs -> peeks s (arithmetic_step all vs c h) (fun _ => clause_true c).
Proof.
  intros G H u s' E. unfold arithmetic_step in E.
  destruct ((let$ ls := mapped (opposite_literal all vs) c in refuted_by (facts_of ls) [] h) s) as [v s1|] eqn:R; [|discriminate]. injection E as _ <-. split; auto.
  assert (Meets : meets s M (let$ ls := mapped (opposite_literal all vs) c in refuted_by (facts_of ls) [] h) (fun _ _ _ => ~ forall x, In x c -> ~ sign_true x)).
  { eapply meets_bind; [apply opposites_meets; auto|]. intros ls s2 M2 G2 _ [I T].
    eapply meets_weaker; [apply (refuted_by_meets nu nu_sorted tabs); [auto | intros n l F; apply I; apply (fact_of _ _ _ F) | intros ? ? []]|].
    intros ? ? ? _ _ [N _] A. apply N. intros n l F. apply (T A). apply (fact_of _ _ _ F). }
  destruct (Meets _ _ R) as (_ & _ & _ & N). destruct (clause_decided c) as [|A]; auto. contradiction.
Qed.

(** ** Propagation *)

Definition assigned_right (m : PositiveMap.t bool) : Prop := forall e v, PositiveMap.find (N.succ_pos e) m = Some v -> if v : bool then holds r e else ~ holds r e.
Lemma assign_peek s m x (b : bool) : assigned_right m -> (if b then sign_true x else ~ sign_true x) -> peeks s (assign all m x b) assigned_right.
Proof.
  intros H T. unfold assign. destruct (parts_of_sign x) as [e wanted] eqn:P.
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _.
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. apply peeks_ret.
  intros e' v E. destruct (N.eq_dec e' e) as [->|Ne].
  - rewrite PositiveMap.gss in E. injection E as <-. destruct x; injection P as -> <-; destruct b; simpl in *; auto. destruct (decided e); tauto.
  - rewrite PositiveMap.gso in E by (intros X; apply key_of_n_injective in X; auto). apply H. auto.
Qed.
Lemma unit_peek s m c : assigned_right m -> clause_true c -> peeks s (unit_literal m c) (fun u => match u with Some x => sign_true x | None => False end).
Proof.
  intros H (x0 & I0 & T0). unfold unit_literal.
  eapply peeks_weaker; [apply (peeks_fold s _ (fun left_ rest => (exists x, In x rest /\ sign_true x) \/ exists y, left_ = Some y /\ sign_true y))|].
  - intros left_ x rest A. destruct (parts_of_sign x) as [e wanted] eqn:P. destruct (PositiveMap.find (N.succ_pos e) m) as [v|] eqn:F.
    + eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => v <> wanted))|].
      { intros D ->. rewrite Bool.eqb_reflx in D. discriminate. }
      intros ? D. cbn beta in D. apply peeks_ret. destruct A as [(y & [<-|I] & T)|A]; auto; [|left; eauto].
      exfalso. apply H in F. destruct x; injection P as -> <-; destruct v; simpl in *; tauto.
    + destruct left_ as [y|].
      * eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => x = y))|].
        { intros D. destruct x, y; simpl in D; try discriminate; apply N.eqb_eq in D; congruence. }
        intros ? ->. apply peeks_ret. destruct A as [(z & [<-|I] & T)|A]; auto; [right; eauto | left; eauto].
      * apply peeks_ret. destruct A as [(z & [<-|I] & T)|(z & [=] & _)]; [right; eauto | left; eauto].
  - left. eauto.
  - intros [y|] [(z & [] & _)|(z & E & T)]; [injection E as ->; auto | discriminate].
Qed.
Definition clauses_true (cs : numbered (list signed_expression)) : Prop := forall n c, States.find cs n = Some c -> clause_true c.
Lemma propagated_peek s cs : clauses_true cs -> forall hs m, assigned_right m -> peeks s (propagated all cs m hs) (fun _ => False).
Proof.
  intros H. induction hs as [|h hs IH]; intros m A; simpl; [apply peeks_refuses|].
  eapply peeks_bind; [apply (peeks_some s _ _ clause_true); intros c E; apply (H _ _ E)|]. intros c T.
  eapply peeks_bind; [apply unit_peek; eauto|]. intros [x|] U; [|destruct U]. eapply peeks_bind; [apply assign_peek; eauto|]. intros m' A'. apply IH; auto.
Qed.
Lemma propagation_peek s cs c hs : clauses_true cs -> peeks s (propagation all found cs c hs) (fun _ => clause_true c).
Proof.
  intros H. destruct (clause_decided c) as [T|F]; [| eapply peeks_weaker with (P := fun _ => False); [|intros ? []]].
  - assert (W : peeks s (propagation all found cs c hs) (fun _ => True)).
    { unfold propagation. eapply peeks_bind with (P := fun _ => True).
      - eapply peeks_weaker; [apply (peeks_fold s _ (fun _ _ => True)); auto|auto]. intros m x l _.
        eapply peeks_bind with (P := fun _ => True); [destruct (is_boolean found (fst (parts_of_sign x))); [apply peeks_ret; exact I | apply peeks_refuses]|]. intros _ _.
        unfold assign. destruct (parts_of_sign x). eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _.
        eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. apply peeks_ret. exact I.
      - intros m _. revert m. induction hs as [|h hs IH]; intros m; simpl; [apply peeks_refuses|].
        eapply peeks_bind; [apply (peeks_some s _ _ (fun _ => True)); auto|]. intros d _.
        eapply peeks_bind with (P := fun _ => True).
        + unfold unit_literal. eapply peeks_weaker; [apply (peeks_fold s _ (fun _ _ => True)); auto|auto]. intros left_ x l _.
          destruct (parts_of_sign x). destruct (PositiveMap.find _ m); [|destruct left_];
          try (eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]; intros _ _); apply peeks_ret; exact I.
        + intros [x|] _; [|apply peeks_demand; auto]. eapply peeks_bind with (P := fun _ => True); [|intros; apply IH].
          unfold assign. destruct (parts_of_sign x). eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _.
          eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. apply peeks_ret. exact I. }
    intros u s' E. destruct (W _ _ E) as [-> _]. auto.
  - unfold propagation. eapply peeks_bind with (P := assigned_right); [|intros m A; apply propagated_peek; auto].
    eapply peeks_weaker; [apply (peeks_fold s _ (fun m rest => assigned_right m /\ forall x, In x rest -> ~ sign_true x)); [|split; [intros e v E; rewrite PositiveMap.gempty in E; discriminate | auto]]|intros m A; apply A].
    intros m x l [A B]. eapply peeks_bind with (P := fun _ => True); [destruct (is_boolean found (fst (parts_of_sign x))); [apply peeks_ret; exact I | apply peeks_refuses]|]. intros _ _.
    eapply peeks_weaker; [apply (assign_peek s m x false); auto; apply B; left; auto|]. intros m' A'. split; auto. intros; apply B; right; auto.
Qed.

(** ** Steps *)

Lemma clause_peek s M vs cs i : good s M -> values_right s M vs -> clauses_true cs -> peeks s (clause_of f all found vs cs i) clause_true.
Proof.
  intros G V C. destruct i; simpl; [| apply definition_peek | apply choice_peek | apply read_same_peek | apply read_other_peek | apply read_fill_peek
    | apply same_element_peek | apply extensionality_peek | |].
  - eapply peeks_bind; [apply (peeks_some s _ _ (holds r)); intros a' E; apply satisfied; apply (nth_in _ _ _ E)|]. intros a' H. apply peeks_ret. pick (Holds a').
  - eapply peeks_bind; [apply (arithmetic_peek s M); eauto|]. intros ? T. apply peeks_ret. exact T.
  - eapply peeks_bind; [apply propagation_peek; auto|]. intros ? T. apply peeks_ret. exact T.
Qed.
Lemma clause_added cs c : clauses_true cs -> clause_true c -> clauses_true (snd (added cs c)).
Proof.
  intros H T n d. unfold added, States.find, put. simpl. destruct (N.eq_dec n (given cs)) as [->|Ne]; [rewrite PositiveMap.gss; intros [= <-]; auto|].
  rewrite PositiveMap.gso by (intros X; apply key_of_n_injective in X; auto). apply H.
Qed.
Lemma solve_steps_true is_ : forall n cs s M vs cs', good s M -> values_right s M vs -> clauses_true cs ->
  solve_steps f all found vs n cs is_ s = Fine cs' -> clauses_true cs'.
Proof.
  induction is_ as [|i is_ IH]; intros n cs s M vs cs' G V C E; simpl in E; [injection E as <-; auto|].
  unfold placed in E. destruct (add_clause f all found vs cs i s) as [cs1 s1|] eqn:A; [|discriminate].
  assert (P : peeks s (add_clause f all found vs cs i) clauses_true).
  { unfold add_clause. eapply peeks_bind; [apply (clause_peek s M); eauto|]. intros c T. apply peeks_ret. apply clause_added; auto. }
  destruct (P _ _ A) as [-> C1]. simpl in E. eapply IH; eauto.
Qed.
End Formula.

Lemma define_all_good nu (sorted : Terms.well_sorted nu) tabs ts : forall n s M s', good nu tabs s M -> define_all n ts s = Fine s' -> exists M', good nu tabs s' M'.
Proof.
  induction ts as [|t ts IH]; intros n s M s' G E; simpl in E; [injection E as <-; eauto|].
  unfold placed in E. destruct (define_term t s) as [u s1|] eqn:D; [|discriminate].
  destruct (define_term_meets nu sorted tabs s M t G _ _ D) as (M1 & G1 & _). simpl in E. eapply IH; eauto.
Qed.

(** No values of the expressions, the evidence's included, that are those of their
    operations make all assertions true. *)
Theorem unsatisfiable_sound f e : unsatisfiable f e = Fine tt -> forall found r, find_domains_of f (more_expressions e) = Fine found ->
  (forall k x, nth_error (expressions f ++ more_expressions e) k = Some x -> means found r (N.of_nat k) x) ->
  (forall n, holds r n \/ ~ holds r n) -> ~ (forall a, In a (asserted f) -> holds r a).
Proof.
  intros E found r D Meant Decided Satisfied. unfold unsatisfiable in E. rewrite D in E. simpl in E.
  destruct (define_all 0 (formula_terms e) (initial_state [])) as [s|] eqn:T; [|discriminate]. simpl in E.
  pose proof (nu_sorted r) as Sorted.
  destruct (define_all_good (nu r) Sorted (index_of []) _ _ _ {| va := fun _ => 0; vl := fun _ => 0; vr := fun _ _ => 0 |} _ (initial_good (nu r) (index_of []) [] _ eq_refl) T) as [M G].
  unfold placed in E. set (es := expressions f ++ more_expressions e) in *.
  destruct (folded_left (evaluate_one found) (List.combine (numbers_from 0 (length es)) es) (PositiveMap.empty N) s) as [vs s1|] eqn:V; [|discriminate].
  destruct (evaluate_all_meets found r (index_of []) _ s M (PositiveMap.empty N) G
    ltac:(intros ? ? X; rewrite PositiveMap.gempty in X; discriminate)
    ltac:(intros n x I; apply numbered_nth in I; apply Meant in I; rewrite Nnat.N2Nat.id in I; exact I) _ _ V) as (M1 & G1 & _ & V1).
  simpl in E. destruct (solve_steps f (index_of es) found vs 0 (none_numbered (list signed_expression) 0) (inferences e) s1) as [cs|] eqn:S; [|discriminate]. simpl in E.
  assert (C0 : clauses_true r (none_numbered (list signed_expression) 0)) by (intros n c X; change (PositiveMap.find (N.succ_pos n) (PositiveMap.empty (list signed_expression)) = Some c) in X; rewrite PositiveMap.gempty in X; discriminate).
  pose proof (solve_steps_true f (more_expressions e) found D r Meant Decided Satisfied (index_of []) _ _ _ s1 M1 vs cs G1 V1 C0 S) as C.
  unfold ensure, has_empty_last in E. destruct (States.find cs (N.pred (given cs))) as [[|]|] eqn:L; try discriminate.
  destruct (C _ _ L) as (x & [] & _).
Qed.
