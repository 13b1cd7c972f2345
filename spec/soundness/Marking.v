(** What members say of leaks (spec/calculus.md#leaks): what is met from
    registers and static objects, through cells and folded parts; and that this
    decides what [CheckLeaks] does, if a member's tables are whole. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers FoldedSteps Reached.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Section Marking.
Variable P : program.

(** ** What is met in a member *)

Section Member.
Variables (m : member) (roots : list nat).
Definition pointer_to o := Plain (Members.PointerSlot o (Constant 0) 0).
(** Cells are followed of which this holds.  A static object that is not in the
    table leads to what is not known. *)
Inductive met (follows : object_state -> nat -> Prop) : slot -> Prop :=
| met_root r : In r roots -> met follows (slot_at m r)
| met_static o x : object_named m o = Some x -> life_of x = Live -> is_static_kind P (kind x) = true -> met follows (pointer_to o)
| met_missing d : is_static_kind P d = true -> (forall o x, object_named m o = Some x -> kind x = d -> life_of x = Dead) -> met follows forgotten
| met_cell o i b x k j : met follows (Plain (Members.PointerSlot o i b)) -> object_named m o = Some x -> life_of x = Live ->
    follows x j -> (k < length (contents x))%nat -> (j < length (apart (nth k (contents x) no_field)))%nat ->
    met follows (nth j (apart (nth k (contents x) no_field)) forgotten)
| met_below f q : met follows (RootOf f) -> part_named m f = Some q -> met follows (below q).

(** The element is one that the object has, under a valuation, or under each. *)
Definition has_element nu x (j : nat) := eval nu (begins x) <= Z.of_nat j < eval nu (ends x).
Definition surely x j := forall nu, well_sorted nu -> has_element nu x j.
Definition perhaps (x : object_state) (j : nat) := True.
Definition owed_here o x := object_named m o = Some x /\ life_of x = Live /\ is_owed_kind P (kind x) = true.

(** All that is owed is met, surely, and so is each part. *)
Record all_met follows : Prop := {
  objects_met : forall o x, owed_here o x -> exists i b, met follows (Plain (Members.PointerSlot o i b));
  parts_met : forall f q, part_named m f = Some q -> met follows (RootOf f) }.
Definition nothing_lost := all_met surely.

(** It is known where this leads, of elements that have no cell as well. *)
Definition well_known v := match v with
  | Plain Members.Forgotten | RootOf _ | LastOf _ => False
  | Plain (Members.PointerSlot o _ _) => object_named m o <> None
  | Plain _ => True end.
Definition is_said nu x := forall k i, (k < length (contents x))%nat -> eval nu (begins x) <= i < eval nu (ends x) ->
  rest (nth k (contents x) no_field) = None -> 0 <= i < Z.of_nat (length (apart (nth k (contents x) no_field))).
Definition all_said x := forall nu, well_sorted nu -> is_said nu x.
(** What is owed is not met, and all that is met is known. *)
Record one_unmet (said : object_state -> Prop) : Prop := {
  known_met : forall v, met perhaps v -> well_known v;
  said_met : forall o i b x, met perhaps (Plain (Members.PointerSlot o i b)) -> object_named m o = Some x -> life_of x = Live -> said x;
  one_lost : exists o x, owed_here o x /\ forall i b, ~ met perhaps (Plain (Members.PointerSlot o i b)) }.
Definition something_lost := one_unmet all_said.
Lemma met_weaker (follows follows' : object_state -> nat -> Prop) : (forall x j, follows x j -> follows' x j) -> forall v, met follows v -> met follows' v.
Proof. intros F v. induction 1; [constructor; assumption | econstructor; eassumption | econstructor; eassumption | eapply met_cell; eauto | eapply met_below; eauto]. Qed.
End Member.

Lemma nothing_lost_met m roots nu : well_sorted nu -> nothing_lost m roots -> all_met m roots (has_element nu).
Proof.
  intros S [O Pt]. assert (W : forall v, met m roots surely v -> met m roots (has_element nu) v) by (apply met_weaker; intros x j H; exact (H nu S)).
  split; [|eauto]. intros o x H. destruct (O o x H) as (i & b & M). eauto.
Qed.

(** ** In a state that the member describes *)

Section Described.
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning) (m : member) (roots : list nat).
Variables (rho : nat -> nat) (firsts lasts : nat -> holding) (cells : nat -> list nat) (g : state).
Hypothesis sorted : well_sorted nu.
Hypothesis described : describes_by P sorts nu phi m rho firsts lasts cells g.
Notation found := (found P g roots).
Notation means := (means nu m rho firsts lasts).
Definition led v := forall o, In o (pointees_of v) -> found o.

Lemma cell_next o d n k : is_cell g o d n -> found o -> led (content g o k).
Proof.
  intros (_ & A & L & U & _) F o' I. eapply found_next; [exact F | exact A | | exact I]. unfold between. lia.
Qed.
Lemma tree_found :
  (forall t r a h fp, tree_at g t r a h fp -> forall w, r w -> led w -> forall c, In c fp -> found c) /\
  (forall o b all a h k fs fp, fields_at g o b all a h k fs fp -> forall d n, is_cell g o d n -> found o -> forall c, In c fp -> found c) /\
  (forall o b all a h k f fp, field_at g o b all a h k f fp -> forall d n, is_cell g o d n -> found o -> forall c, In c fp -> found c) /\
  (forall c r a h fp l b, context_at g c r a h fp l b -> forall w, r w -> led w -> (forall x, In x fp -> found x) /\ exists v, b v /\ led v).
Proof.
  apply tree_at_ind'; try (intros; simpl in *; contradiction).
  - intros o d b fs r a h fp R C _ IH w W L. assert (F : found o) by (apply L; rewrite <- (R w W); simpl; auto). intros c [<-|I]; [exact F | eapply IH; eauto].
  - intros o b all a h k f fs fp fq _ IH1 _ IH2 d n C F c I. apply in_app_or in I as [I|I]; eauto.
  - intros o b all a h k e t fp _ IH d n C F. apply (IH (content g o k) eq_refl). eapply cell_next; eauto.
  - intros o b all a h k e c fp _ IH d n C F. apply (IH (content g o k) eq_refl). eapply cell_next; eauto.
  - intros r a h l b R _ w W L. split; [intros x []|]. exists w. auto.
  - intros o d y before e c after r a h l b q fb fc fa R C _ B Q _ IH _ F w W L.
    assert (Fo : found o) by (apply L; rewrite <- (R w W); simpl; auto). destruct (IH _ Q (cell_next o _ _ _ C Fo)) as [Fc E]. split; [|exact E].
    intros x [<-|I]; [exact Fo|]. apply in_app_or in I as [I|I]; [exact (B _ _ C Fo x I)|]. apply in_app_or in I as [I|I]; [auto | exact (F _ _ C Fo x I)].
Qed.
Lemma context_found c r a h fp l b : context_at g c r a h fp l b -> forall w, r w -> led w ->
  (forall x, In x fp -> found x) /\ exists v, b v /\ led v.
Proof. apply tree_found. Qed.
Lemma part_found f q w : part_named m f = Some q -> firsts f w -> led w ->
  (forall c, In c (cells f) -> found c) /\ exists v, means (below q) v /\ led v.
Proof.
  intros E W L. destruct (parts_hold _ _ _ _ _ _ _ _ _ _ described f q E) as (fp & Pm & D). destruct (nth_error sorts (symbol q)) as [[s|s]|]; [| |destruct D].
  - destruct D as (B & _ & T). split.
    + intros c I. apply (proj1 tree_found _ _ _ _ _ T w W L). eapply Permutation_in; [symmetry; exact Pm | exact I].
    + rewrite B. exists Null. split; [reflexivity | intros o []].
  - destruct (context_found _ _ _ _ _ _ _ D w W L) as [Fc Ex]. split; [|exact Ex]. intros c I. apply Fc. eapply Permutation_in; [symmetry; exact Pm | exact I].
Qed.

(** *** What is met is found *)

Lemma met_led v : met m roots (has_element nu) v -> exists w, means v w /\ led w.
Proof.
  induction 1 as [r I | o x E L S | d S Mi | o i b x k j _ (w & W & Lw) E L Fo Lk Lj | f q _ (w & W & Lw) E].
  - exists (register g r). split; [apply (registers_hold _ _ _ _ _ _ _ _ _ _ described)|]. intros o J. eapply found_root; eauto.
  - exists (Pointer {| target := rho o; index := 0; byte := 0 |}). split; [simpl; rewrite E; reflexivity|]. intros p [<-|[]].
    pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ described o x E) as [K A _ _ _ _]. apply found_static; simpl; congruence.
  - exists Uninitialised. split; [exact I | intros o []].
  - simpl in W. rewrite E in W. subst w. assert (Fr : found (rho o)) by (apply Lw; simpl; auto).
    pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ described o x E) as [K A Lo Up Wd El].
    assert (B : lower (object_at g (rho o)) <= Z.of_nat j < upper (object_at g (rho o))) by (rewrite Lo, Up; exact Fo).
    specialize (El L k _ B). exists (read (field_of (object_at g (rho o)) k) (Z.of_nat j)). split.
    + unfold means_element in El. rewrite Nat2Z.id in El. replace ((0 <=? Z.of_nat j) && (Z.of_nat j <? Z.of_nat (length (apart (nth k (contents x) no_field))))) with true in El; [exact El|].
      symmetry. apply andb_true_intro. split; [apply Z.leb_le | apply Z.ltb_lt]; lia.
    + intros p I. eapply found_next; [exact Fr | congruence | exact B | exact I].
  - simpl in W. unfold means_part in W. rewrite E in W. destruct (part_found f q w E W Lw) as [_ X]. exact X.
Qed.
Theorem all_met_found : tables_whole P m rho cells g -> all_met m roots (has_element nu) -> forall p, owed P g p -> found p.
Proof.
  intros T [O Pt] p W. destruct (T p W) as [(o & x & E & <-)|(f & q & E & I)].
  - pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ described o x E) as [K A _ _ _ _]. destruct W as [L W].
    destruct (O o x) as (i & b & M); [split; [exact E | split; congruence]|]. destruct (met_led _ M) as (w & Mw & Lw). simpl in Mw. rewrite E in Mw. subst w. apply Lw. simpl. auto.
  - destruct (met_led _ (Pt f q E)) as (w & Mw & Lw). simpl in Mw. unfold means_part in Mw. rewrite E in Mw. destruct (part_found f q w E Mw Lw) as [F _]. auto.
Qed.
Theorem nothing_lost_found : tables_whole P m rho cells g -> nothing_lost m roots -> forall p, owed P g p -> found p.
Proof. intros T N. apply all_met_found; [exact T | apply nothing_lost_met; assumption]. Qed.

(** *** What is found is met, where all that is met is known *)

Hypothesis by_name : lives_by_name P g.
Lemma known_value v w p : well_known m v -> means v w -> In p (pointees_of w) -> exists o x i b, v = Plain (Members.PointerSlot o i b) /\ object_named m o = Some x /\ rho o = p.
Proof.
  destruct v as [[| |t| |o i b]|f|f]; simpl; try contradiction; intros K M I; try (subst w; destruct I; fail).
  destruct (object_named m o) as [x|] eqn:E; [|congruence]. subst w. destruct I as [<-|[]]. exists o, x, i, b. auto.
Qed.
Lemma found_met : one_unmet m roots (is_said nu) -> forall p, found p -> exists o x i b, object_named m o = Some x /\ rho o = p /\ met m roots perhaps (Plain (Members.PointerSlot o i b)).
Proof.
  intros [Kn Sa _]. induction 1 as [r p I J | p A S | p f i p' _ (o & x & j & b & E & R & M) A B I].
  - pose proof (met_root m roots perhaps r I) as M. destruct (known_value _ _ p (Kn _ M) (registers_hold _ _ _ _ _ _ _ _ _ _ described r) J) as (o & x & i & b & Ev & E & R).
    rewrite Ev in M. exists o, x, i, b. auto.
  - set (d := declared (object_at g p)) in *.
    assert (Ex : exists o x, object_named m o = Some x /\ kind x = d /\ life_of x = Live).
    { destruct (find (fun o => match object_named m o with Some x => Nat.eqb (kind x) d && match life_of x with Live => true | Dead => false end | None => false end) (seq 0 (length (named m)))) as [o|] eqn:F.
      - apply find_some in F as [_ F]. destruct (object_named m o) as [x|] eqn:E; [|discriminate]. apply andb_prop in F as [F1 F2]. apply Nat.eqb_eq in F1. exists o, x. destruct (life_of x); [auto | discriminate].
      - exfalso. apply (Kn forgotten). apply (met_missing m roots perhaps d S). intros o x E K. destruct (life_of x) eqn:L; auto. exfalso.
        assert (Lo : (o < length (named m))%nat) by (destruct (Nat.lt_ge_cases o (length (named m))); auto; unfold object_named in E; rewrite nth_overflow in E by auto; discriminate).
        pose proof (find_none _ _ F o ltac:(apply in_seq; lia)) as X. simpl in X. rewrite E, K, Nat.eqb_refl, L in X. discriminate. }
    destruct Ex as (o & x & E & K & L). exists o, x, (Constant 0), 0. split; [exact E|]. split.
    + assert (N : has_name P d = true) by (unfold has_name; unfold is_static_kind in S; destruct (origin_of _); auto).
      pose proof (names_hold _ _ _ _ _ _ _ _ _ _ described o x E L) as C. rewrite K in C. specialize (C N). pose proof (by_name p A N) as C'. fold d in C'. congruence.
    + apply (met_static m roots perhaps o x E L). congruence.
  - subst p. pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ described o x E) as [K Al Lo Up Wd El]. assert (L : life_of x = Live) by congruence.
    unfold between in B. specialize (El L f i B). destruct (Nat.lt_ge_cases f (length (contents x))) as [Lf|Lf].
    + unfold means_element in El. destruct ((0 <=? i) && (i <? Z.of_nat (length (apart (nth f (contents x) no_field))))) eqn:Q.
      * apply andb_prop in Q as [Q1 Q2]. apply Z.leb_le in Q1. apply Z.ltb_lt in Q2.
        assert (M' : met m roots perhaps (nth (Z.to_nat i) (apart (nth f (contents x) no_field)) forgotten)) by (eapply met_cell; eauto; [exact Logic.I | lia]).
        destruct (known_value _ _ p' (Kn _ M') El I) as (o' & x' & j' & b' & Ev & E' & R'). rewrite Ev in M'. exists o', x', j', b'. auto.
      * destruct (rest (nth f (contents x) no_field)) as [a|] eqn:Er; [rewrite <- El in I; destruct I|].
        rewrite Lo, Up in B. pose proof (Sa _ _ _ _ M E L f i Lf B Er) as [Q1 Q2]. apply Z.leb_le in Q1. apply Z.ltb_lt in Q2. rewrite Q1, Q2 in Q. discriminate.
    + unfold field_of in I. rewrite nth_overflow in I by lia. destruct I.
Qed.
Theorem unmet_not_found : one_unmet m roots (is_said nu) -> exists p, owed P g p /\ ~ found p.
Proof.
  intros S. destruct (one_lost _ _ _ S) as (o & x & (E & L & W) & N). pose proof (objects_hold _ _ _ _ _ _ _ _ _ _ described o x E) as [K A _ _ _ _].
  exists (rho o). split; [split; congruence|]. intros F. destruct (found_met S _ F) as (o' & x' & i & b & E' & R & M).
  rewrite (objects_apart _ _ _ _ _ _ _ _ _ _ described _ _ _ _ E' E R) in M. exact (N i b M).
Qed.
Theorem something_lost_not_found : something_lost m roots -> exists p, owed P g p /\ ~ found p.
Proof. intros [K S O]. apply unmet_not_found. split; auto. intros o i b x M E L. exact (S o i b x M E L nu sorted). Qed.
End Described.

(** ** What [CheckLeaks] does *)

(** The answer of the list of outcomes: is something lost? *)
Definition answers m roots (b : bool) := if b then something_lost m roots else nothing_lost m roots.
(** An execution's state, a state that the member describes and of which that is
    part, the member's tables whole: then the answer is the machine's. *)
Theorem leaks_answered sorts nu phi m roots b rho firsts lasts cells g rn s : well_sorted nu -> describes_by P sorts nu phi m rho firsts lasts cells g ->
  lives_by_name P g -> tables_whole P m rho cells g -> alike (everything P) rn g s -> all_mapped P rn g s -> pointers_exist s -> inside_state s ->
  answers m roots b -> check_leaks P s roots = if b then fails Leak else Ok (next_location s).
Proof.
  intros W D N T A M Es Is An. destruct b; simpl in An.
  - destruct (something_lost_not_found _ _ _ _ _ _ _ _ _ _ W D N An) as (p & Wp & Np). apply leaks_exactly; auto. eapply lost_alike; eauto.
  - apply no_leaks_exactly; auto. eapply all_found_alike; eauto. eapply nothing_lost_found; eauto.
Qed.

(** ** Lists of outcomes, of any instruction *)

(** Where leaks are checked it is asked as well that what is allocated is pointed
    to by a register that there is. *)
Definition result_there m := match nth_error (instructions P) (place_of m) with Some (Allocate r _ _ _) => (r < length (slots m))%nat | _ => True end.
Definition leaks_offered m os := exists roots b, nth_error (instructions P) (place_of m) = Some (CheckLeaks roots) /\ answers m roots b /\
  os = [exactly [] (if b then FailsHere else GoesTo (S (place_of m)))].
Definition offers under m os := lists P under m os /\ (checks_leaks P -> result_there m) \/ leaks_offered m os.
End Marking.
