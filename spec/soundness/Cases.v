(** Unfold on configurations (spec/calculus.md#unfold): for each case of a symbol
    a child, with fresh integers and fresh symbols that are the same wherever the
    symbol occurs. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Runs Alike Typed Folding FoldedMembers Configurations Changes Opening Reading Unfold.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Notation holds := Terms.holds.

(** ** What fields hold is bound to fresh variables and symbols *)

Section Fresh.
Variable P : program.
Variable table : nat -> sort_of_trees.
Notation fields := (Sorts.fields table).
(** Numbers of variables from n, of symbols from x, are new. *)
Variables (n x : nat) (sorts' : list symbol_sort) (d : nat).

Definition variable_slot T v := Plain (Members.IntegerSlot (Var (Some T) v)).
Inductive content_of : nat -> link -> field_content -> Prop :=
| of_data j T v : field_type P d j = IntegerType T -> (n <= v)%nat -> content_of j Data (Holds (variable_slot T v))
| of_range j lo hi T v : field_type P d j = IntegerType T -> (n <= v)%nat -> content_of j (Range lo hi) (Holds (variable_slot T v))
| of_child j s y : (x <= y)%nat -> nth_error sorts' y = Some (TreeOf s) -> content_of j (Child s) (HoldsTree y (AsIn (same_field table s)))
| of_handed j s from y : (x <= y)%nat -> nth_error sorts' y = Some (TreeOf s) -> content_of j (Handed s from) (HoldsTree y (By from))
| of_up j : content_of j Up HoldsUp
| of_same j : content_of j Sorts.Same HoldsSame
| of_other j : content_of j Other (Holds (Plain Members.NothingHeld))
| of_nothing j : content_of j Sorts.Null (Holds (Plain Members.NullSlot))
| of_anything j : content_of j Anything (Holds forgotten)
| of_ring j s e y : (x <= y)%nat -> nth_error sorts' y = Some (SegmentOf s) -> content_of j (Ring s e) (HoldsRing y e)
| of_last j k : content_of j (Sorts.Last k) (HoldsLast k).
Inductive contents_of : nat -> list link -> list field_content -> Prop :=
| of_none j : contents_of j [] []
| of_more j l ls c cs : content_of j l c -> contents_of (S j) ls cs -> contents_of j (l :: ls) (c :: cs).

Definition integer_of (p : field_content * Sorts.field) := match p with
  | (Holds (Plain (Members.IntegerSlot (Var (Some T) v))), Sorts.Integer z) => [(T, v, z)] | _ => [] end.
Definition tree_bound (p : field_content * Sorts.field) := match p with (HoldsTree y _, Below _ t) => [(y, t)] | _ => [] end.
Definition ring_bound (p : field_content * Sorts.field) := match p with (HoldsRing y _, Ringed _ c) => [(y, c)] | _ => [] end.
Definition integers_bound cs fs := flat_map integer_of (combine cs fs).
Definition trees_bound cs fs := flat_map tree_bound (combine cs fs).
Definition rings_bound cs fs := flat_map ring_bound (combine cs fs).
Definition ranges_of (p : link * field_content) := match p with
  | (Range lo hi, Holds (Plain (Members.IntegerSlot t))) => between lo hi t | _ => [] end.
Definition range_literals ls cs := flat_map ranges_of (combine ls cs).

(** A valuation with these values. *)
Fixpoint bound_integer T v (l : list (integer_type * nat * Z)) := match l with
  | [] => None | (U, w, z) :: l => if integer_type_eqb T U && Nat.eqb v w then Some z else bound_integer T v l end.
Fixpoint bound_symbol {A} y (l : list (nat * A)) := match l with
  | [] => None | (z, t) :: l => if Nat.eqb y z then Some t else bound_symbol y l end.
Definition with_integers nu l := {|
  integers := fun U v => match U with
    | Some T => match bound_integer T v l with Some z => z | None => integers nu U v end | None => integers nu U v end;
  arrays := arrays nu |}.
Definition with_trees phi l := {|
  trees := fun y => match bound_symbol y l with Some t => t | None => trees phi y end;
  contexts := contexts phi |}.
Lemma bound_integer_in l T v z : NoDup (map fst l) -> In (T, v, z) l -> bound_integer T v l = Some z.
Proof.
  induction l as [|[[U w] y] l IH]; simpl; [intros _ []|]. intros N I. inversion_clear N as [|? ? N1 N2].
  destruct I as [I|I].
  - injection I as -> -> ->. assert (E : integer_type_eqb T T = true) by (apply integer_type_eqb_eq; auto). rewrite E, Nat.eqb_refl. auto.
  - destruct (integer_type_eqb T U && Nat.eqb v w) eqn:E; [|auto]. apply andb_prop in E as [E1 E2].
    apply integer_type_eqb_eq in E1. apply Nat.eqb_eq in E2. subst. destruct N1. apply (in_map fst) in I. exact I.
Qed.
Lemma bound_integer_some l T v z : bound_integer T v l = Some z -> In (T, v, z) l.
Proof.
  induction l as [|[[U w] y] l IH]; simpl; [discriminate|]. destruct (integer_type_eqb T U && Nat.eqb v w) eqn:E; [|auto].
  apply andb_prop in E as [E1 E2]. apply integer_type_eqb_eq in E1. apply Nat.eqb_eq in E2. subst. intros [= ->]. auto.
Qed.
Lemma bound_symbol_in {A} l y (t : A) : NoDup (map fst l) -> In (y, t) l -> bound_symbol y l = Some t.
Proof.
  induction l as [|[z u] l IH]; simpl; [intros _ []|]. intros N I. inversion_clear N as [|? ? N1 N2].
  destruct I as [I|I]; [injection I as -> ->; rewrite Nat.eqb_refl; auto|].
  destruct (Nat.eqb_spec y z) as [->|]; [|auto]. destruct N1. apply (in_map fst) in I. exact I.
Qed.
Lemma bound_symbol_some {A} l y (t : A) : bound_symbol y l = Some t -> In (y, t) l.
Proof.
  induction l as [|[z u] l IH]; simpl; [discriminate|]. destruct (Nat.eqb_spec y z) as [->|]; [intros [= ->]; auto | auto].
Qed.

(** What a case's fields are. *)
Lemma bound_fit nu phi ls fs : fields ls fs -> forall j cs, contents_of j ls cs ->
  (forall T v z, In (T, v, z) (integers_bound cs fs) -> integers nu (Some T) v = z) ->
  (forall y t, In (y, t) (trees_bound cs fs) -> trees phi y = t) ->
  (forall y c, In (y, c) (rings_bound cs fs) -> contexts phi y = c) ->
  contents_fit sorts' nu phi cs fs /\ Forall (holds nu) (range_literals ls cs).
Proof.
  unfold contents_fit. induction 1 as [|l ls fl fs F _ IH]; intros j cs C Hi Ht Hr; inversion C as [|? ? ? c cs' Cl Cs]; subst.
  { split; constructor. }
  destruct (IH _ _ Cs) as [X Y].
  { intros T v z I. apply Hi. unfold integers_bound. simpl. apply in_or_app. auto. }
  { intros y t I. apply Ht. unfold trees_bound. simpl. apply in_or_app. auto. }
  { intros y t I. apply Hr. unfold rings_bound. simpl. apply in_or_app. auto. }
  assert (Z0 : content_is sorts' nu phi c (OfField fl) /\ Forall (holds nu) (ranges_of (l, c))).
  { assert (Hi' : forall T v z, In (T, v, z) (integer_of (c, fl)) -> integers nu (Some T) v = z).
    { intros T v z I. apply Hi. unfold integers_bound. simpl. apply in_or_app. auto. }
    assert (Ht' : forall y t, In (y, t) (tree_bound (c, fl)) -> trees phi y = t).
    { intros y t I. apply Ht. unfold trees_bound. simpl. apply in_or_app. auto. }
    assert (Hr' : forall y t, In (y, t) (ring_bound (c, fl)) -> contexts phi y = t).
    { intros y t I. apply Hr. unfold rings_bound. simpl. apply in_or_app. auto. }
    clear - Cl F Hi' Ht' Hr'. destruct Cl; inversion F; subst;
    try (match goal with A : points _ |- _ => destruct A end); simpl in Hi', Ht', Hr';
    (split; [|simpl; auto]); try (econstructor; eauto; fail).
    unfold between. specialize (Hi' _ _ _ (or_introl eq_refl)). repeat constructor; simpl; rewrite Hi'; lia. }
  destruct Z0 as [Z1 Z2]. split; [simpl; constructor; auto|]. unfold range_literals. simpl. apply Forall_app. auto.
Qed.

Definition variables_of cs := flat_map (fun c => match c with Holds (Plain (Members.IntegerSlot (Var (Some T) v))) => [(T, v)] | _ => [] end) cs.
Definition trees_of cs := flat_map (fun c => match c with HoldsTree y _ => [y] | _ => [] end) cs.
Definition rings_of cs := flat_map (fun c => match c with HoldsRing y _ => [y] | _ => [] end) cs.
Lemma bound_keys ls fs : fields ls fs -> forall j cs, contents_of j ls cs ->
  map fst (integers_bound cs fs) = variables_of cs /\ map fst (trees_bound cs fs) = trees_of cs /\ map fst (rings_bound cs fs) = rings_of cs.
Proof.
  induction 1 as [|l ls fl fs F _ IH]; intros j cs C; inversion C as [|? ? ? c cs' Cl Cs]; subst; [repeat split; reflexivity|].
  destruct (IH _ _ Cs) as (X & Y & Z). unfold integers_bound, trees_bound, rings_bound in *. simpl. rewrite !map_app, X, Y, Z.
  destruct Cl; inversion F; subst; try (match goal with A : points _ |- _ => destruct A end); repeat split; reflexivity.
Qed.
Lemma bound_trees ls fs : fields ls fs -> forall j cs, contents_of j ls cs -> forall y t, In (y, t) (trees_bound cs fs) ->
  exists s e, nth_error sorts' y = Some (TreeOf s) /\ of_sort table s t /\ (x <= y)%nat /\ In (Below e t) fs.
Proof.
  induction 1 as [|l ls fl fs F _ IH]; intros j cs C y t I; inversion C as [|? ? ? c cs' Cl Cs]; subst; [destruct I|].
  unfold trees_bound in I. simpl in I. apply in_app_or in I as [I|I].
  - destruct Cl; inversion F; subst; simpl in I; try contradiction; destruct I as [I|[]]; injection I as <- <-; eauto 8 using in_eq.
  - destruct (IH _ _ Cs y t I) as (s & e & A & B & D & E). exists s, e. simpl. auto.
Qed.
Lemma bound_rings ls fs : fields ls fs -> forall j cs, contents_of j ls cs -> forall y c, In (y, c) (rings_bound cs fs) ->
  exists s e, nth_error sorts' y = Some (SegmentOf s) /\ segment table s c /\ (x <= y)%nat /\ In (Ringed e c) fs.
Proof.
  induction 1 as [|l ls fl fs F _ IH]; intros j cs C y t I; inversion C as [|? ? ? c cs' Cl Cs]; subst; [destruct I|].
  unfold rings_bound in I. simpl in I. apply in_app_or in I as [I|I].
  - destruct Cl; inversion F; subst; simpl in I; try contradiction; destruct I as [I|[]]; injection I as <- <-; eauto 8 using in_eq.
  - destruct (IH _ _ Cs y t I) as (s & e & A & B & D & E). exists s, e. simpl. auto.
Qed.
Lemma bound_integers ls fs : fields ls fs -> forall j cs, contents_of j ls cs ->
  (forall k z, nth_error fs k = Some (Sorts.Integer z) -> value_in (field_type P d (j + k)) (Integer z)) ->
  forall T v z, In (T, v, z) (integers_bound cs fs) -> within T z /\ (n <= v)%nat.
Proof.
  induction 1 as [|l ls fl fs F _ IH]; intros j cs C Ty T v z I; inversion C as [|? ? ? c cs' Cl Cs]; subst; [destruct I|].
  unfold integers_bound in I. simpl in I. apply in_app_or in I as [I|I].
  - specialize (Ty O). simpl in Ty. rewrite Nat.add_0_r in Ty.
    destruct Cl; inversion F; subst; simpl in I; try contradiction; destruct I as [I|[]]; injection I as <- <- <-;
    specialize (Ty _ eq_refl); match goal with E : field_type _ _ _ = _ |- _ => rewrite E in Ty end; auto.
  - eapply (IH _ _ Cs); eauto. intros k y E. specialize (Ty (S k) y E). rewrite <- plus_n_Sm in Ty. exact Ty.
Qed.

(** *** The valuation of a child *)

Variable sorts : list symbol_sort.
Variables (nu : valuation) (phi : meaning).
Variables (li : list (integer_type * nat * Z)) (lt : list (nat * tree)) (lc : list (nat * context)).
Hypothesis sorted : well_sorted nu.
Hypothesis meant : well_meant P table sorts phi.
Hypothesis first_new : x = length sorts.
Hypothesis old_kept : forall y s, nth_error sorts y = Some s -> nth_error sorts' y = Some s.
Hypothesis li_once : NoDup (map fst li).
Hypothesis lt_once : NoDup (map fst lt).
Hypothesis li_right : forall T v z, In (T, v, z) li -> within T z /\ (n <= v)%nat.
Hypothesis lt_right : forall y t, In (y, t) lt -> exists s, nth_error sorts' y = Some (TreeOf s) /\ of_sort table s t /\ typed_tree P t /\ (x <= y)%nat.
Hypothesis lc_once : NoDup (map fst lc).
Hypothesis lc_right : forall y c, In (y, c) lc -> exists s, nth_error sorts' y = Some (SegmentOf s) /\ segment table s c /\ typed_context P c /\ (x <= y)%nat.
Hypothesis all_bound : forall y, (x <= y)%nat -> nth_error sorts' y <> None -> In y (map fst lt) \/ In y (map fst lc).
Definition child_valuation := with_integers nu li.
Definition child_meaning := {|
  trees := fun y => match bound_symbol y lt with Some t => t | None => trees phi y end;
  contexts := fun y => match bound_symbol y lc with Some c => c | None => contexts phi y end |}.

Lemma child_agrees : agree n nu child_valuation.
Proof.
  split; auto. intros [T|] v L; simpl; auto. destruct (bound_integer T v li) as [z|] eqn:E; auto.
  apply bound_integer_some, li_right in E. lia.
Qed.
Lemma child_sorted : well_sorted child_valuation.
Proof.
  destruct sorted as [S1 S2]. split; auto. intros T v. simpl. destruct (bound_integer T v li) as [z|] eqn:E; auto.
  apply bound_integer_some, li_right in E. apply E.
Qed.
Lemma old_bound y s : nth_error sorts y = Some s -> (y < x)%nat.
Proof. intros E. subst x. apply nth_error_Some. congruence. Qed.
Lemma child_extends : extends_symbols sorts sorts' phi child_meaning.
Proof.
  intros y s E. pose proof (old_bound _ _ E) as L. split; auto. simpl. split.
  - destruct (bound_symbol y lt) as [t|] eqn:B; auto. apply bound_symbol_some in B. destruct (lt_right _ _ B) as (_ & _ & _ & _ & H). lia.
  - destruct (bound_symbol y lc) as [c|] eqn:B; auto. apply bound_symbol_some in B. destruct (lc_right _ _ B) as (_ & _ & _ & _ & H). lia.
Qed.
Lemma child_meant : well_meant P table sorts' child_meaning.
Proof.
  intros y. destruct (Nat.lt_ge_cases y x) as [L|L].
  - assert (X : exists s, nth_error sorts y = Some s).
    { destruct (nth_error sorts y) as [s|] eqn:E; eauto. apply nth_error_None in E. lia. }
    destruct X as (s & E). destruct (child_extends _ _ E) as (E' & Kt & Kc). unfold well_meant_symbol. rewrite E', Kt, Kc.
    pose proof (meant y) as M. unfold well_meant_symbol in M. rewrite E in M. exact M.
  - unfold well_meant_symbol. destruct (nth_error sorts' y) as [s|] eqn:E; [|exact Logic.I].
    destruct (all_bound y L ltac:(congruence)) as [I|I].
    + apply in_map_iff in I as ([z t] & Ez & I). simpl in Ez. subst z. destruct (lt_right _ _ I) as (s0 & E0 & O & T & _).
      assert (Es : s = TreeOf s0) by congruence. subst s. simpl. rewrite (bound_symbol_in _ _ _ lt_once I). auto.
    + apply in_map_iff in I as ([z c] & Ez & I). simpl in Ez. subst z. destruct (lc_right _ _ I) as (s0 & E0 & O & T & _).
      assert (Es : s = SegmentOf s0) by congruence. subst s. simpl. rewrite (bound_symbol_in _ _ _ lc_once I). auto.
Qed.
Lemma child_binds : (forall T v z, In (T, v, z) li -> integers child_valuation (Some T) v = z) /\ (forall y t, In (y, t) lt -> trees child_meaning y = t) /\
  (forall y c, In (y, c) lc -> contexts child_meaning y = c).
Proof.
  split; [|split].
  - intros T v z I. simpl. rewrite (bound_integer_in _ _ _ _ li_once I). auto.
  - intros y t I. simpl. rewrite (bound_symbol_in _ _ _ lt_once I). auto.
  - intros y c I. simpl. rewrite (bound_symbol_in _ _ _ lc_once I). auto.
Qed.
End Fresh.

(** ** The rule *)

Section Rule.
Variable P : program.
Variable under : parameters.
Variable table : nat -> sort_of_trees.
Notation machine := (system_of P under).
Notation accounts := (accounts P under).
Notation shows := (shows P under table).
Variable x : nat.

(** What becomes of all occurrences of the symbol. *)
Inductive case :=
| Emptied
| AsNode (d : nat) (b : Z) (cs : list field_content)
| AsTop (d : nat) (b : Z) (cs : list field_content) (y : nat)
| AsBottom (d : nat) (b : Z) (cs : list field_content) (y : nat).
Definition step_by k m m' := exists f q, symbol q = x /\ match k with
  | Emptied => closes m m' f q
  | AsNode d b cs => exists n child fresh, opens_tree m m' f q n d b child fresh cs
  | AsTop d b cs y => exists n child fresh r, opens_top m m' f q n d b child fresh cs y r
  | AsBottom d b cs y => exists n child fresh r, opens_bottom m m' f q n d b child fresh cs y r end.
Inductive steps_by k : member -> member -> Prop :=
| no_more m : steps_by k m m
| one_more m m1 m2 : step_by k m m1 -> steps_by k m1 m2 -> steps_by k m m2.
Definition counted_by k a b := (stands b = stands a /\ (stands a = HasFailed \/ stands a = HasEnded) \/
  exists m m', stands a = At m /\ stands b = At m' /\ steps_by k m m') /\ counted b = counted a.
Record child_by k ls sorts' c c' : Prop := {
  child_scope : in_scope c' = true;
  child_symbols : symbols c' = sorts';
  child_predicate : predicate c' = ls ++ predicate c;
  child_primary : counted_by k (primary c) (primary c');
  child_others : Forall2 (fun p q => fst p = fst q /\ counted_by k (snd p) (snd q)) (others c) (others c') }.

(** The case is right of what the symbol stands for. *)
Definition case_right sorts nu phi k := match k with
  | Emptied => match nth_error sorts x with Some (TreeOf _) => trees phi x = Empty | _ => contexts phi x = Hole end
  | AsNode d b cs => is_node P d = true /\ exists s fs, nth_error sorts x = Some (TreeOf s) /\ trees phi x = Node d b fs /\ contents_fit sorts nu phi cs fs
  | AsTop d b cs y => is_node P d = true /\ exists s before e c after, nth_error sorts x = Some (SegmentOf s) /\
      contexts phi x = Cell d b before e c after /\ link_fits sorts nu phi cs before after /\ nth_error sorts y = Some (SegmentOf s) /\ contexts phi y = c
  | AsBottom d b cs y => is_node P d = true /\ exists s before e c after, nth_error sorts x = Some (SegmentOf s) /\
      contexts phi x = compose c (Cell d b before e Hole after) /\ link_fits sorts nu phi cs before after /\
      nth_error sorts y = Some (SegmentOf s) /\ contexts phi y = c end.
Lemma steps_describe sorts nu phi k m m' g : case_right sorts nu phi k -> steps_by k m m' ->
  describes P sorts nu phi m g -> describes P sorts nu phi m' g.
Proof.
  intros R S. induction S as [m | m m1 m2 (f & q & Hx & S) _ IH]; auto. intros D. apply IH. clear IH.
  unfold case_right in R. rewrite <- Hx in R. destruct k as [|d b cs|d b cs y|d b cs y]; simpl in R, S.
  - destruct D as (rho & roots & lasts & cells & D). exists rho, roots, lasts, cells. eapply closed_describes; eauto.
  - destruct R as (N & s & fs & E & T & F), S as (n & child & fresh & S). eapply tree_opened; eauto.
  - destruct R as (N & s & before & e & c & after & E & T & F & Ey & C), S as (n & child & fresh & r & S). eapply top_opened; eauto.
  - destruct R as (N & s & before & e & c & after & E & T & F & Ey & C), S as (n & child & fresh & r & S). eapply bottom_opened; eauto.
Qed.

Section Child.
Variables c c' : configuration.
Variables (k : case) (ls : list literal) (sorts' : list symbol_sort) (nu nu' : valuation) (phi phi' : meaning).
Hypothesis child : child_by k ls sorts' c c'.
Hypothesis scope : in_scope c = true.
Hypothesis agrees : agree (variables c) nu nu'.
Hypothesis extended : extends_symbols (symbols c) sorts' phi phi'.
Hypothesis right : case_right sorts' nu' phi' k.
Lemma counted_shows a b t : scoped_counted (variables c) a = true -> counted_by k a b -> accounts (symbols c) nu phi a t -> accounts sorts' nu' phi' b t.
Proof.
  unfold scoped_counted. intros S [H N] [A B]. apply andb_prop in S as [S1 S2]. split.
  - destruct H as [[Hb Ha]|(m & m' & Ha & Hb & St)]; [rewrite Hb; destruct Ha as [Ha|Ha]; rewrite Ha in A |- *; exact A|].
    rewrite Ha in A, S1; rewrite Hb.
    destruct A as (s & L & g & rn & Tg & (rho & roots & lasts & cells & D) & Al). exists s. split; auto. exists g, rn. split; auto. split; auto.
    eapply steps_describe; eauto. exists rho, roots, lasts, cells. eapply describes_agree; eauto.
  - rewrite N. destruct (counted a) as [u|]; auto. simpl in S2. rewrite <- (proj1 (agree_eval _ _ _ agrees) _ S2). exact B.
Qed.
Lemma child_shows t ts : model nu (predicate c) -> well_sorted nu' -> well_meant P table sorts' phi' -> Forall (holds nu') ls ->
  accounts (symbols c) nu phi (primary c) t -> Forall2 (accounts_sized P under (symbols c) nu phi) (others c) ts -> shows c' t ts.
Proof.
  intros [_ M] W Me L A O. destruct child as [Sc Sy Pr Pm Ot]. split; auto. exists nu', phi'. rewrite Sy, Pr.
  unfold in_scope in scope. apply andb_prop in scope as [S S3]. apply andb_prop in S as [S1 S2].
  split; [split; auto; apply Forall_app; split; auto; eapply literals_agree; eauto|]. split; auto. split; [eapply counted_shows; eauto|].
  clear - O Ot S3 agrees extended right. revert ts O. induction Ot as [|p q ps qs [K H] _ IH]; intros ts O; inversion O as [|? r ? ts0 [F B] O']; subst; constructor.
  - simpl in S3. apply andb_prop in S3 as [S3 _]. split; [congruence | eapply counted_shows; eauto].
  - simpl in S3. apply andb_prop in S3 as [_ S3]. auto.
Qed.
End Child.

(** *** The children *)

Definition segments_of cs (rest_symbol : option (nat * nat)) := rings_of cs ++ match rest_symbol with Some (_, y) => [y] | None => [] end.
(** Of a node: what its fields hold, the segment's rest, and symbols and
    variables that are new. *)
Record fresh_contents c sorts' cs rest_symbol : Prop := {
  symbols_kept : forall y s, nth_error (symbols c) y = Some s -> nth_error sorts' y = Some s;
  variables_once : NoDup (variables_of cs);
  trees_once : NoDup (trees_of cs);
  segments_once : NoDup (segments_of cs rest_symbol);
  rest_new : forall s y, rest_symbol = Some (s, y) -> (length (symbols c) <= y)%nat /\ nth_error sorts' y = Some (SegmentOf s);
  symbols_all : forall y, (length (symbols c) <= y)%nat -> nth_error sorts' y <> None -> In y (trees_of cs) \/ In y (segments_of cs rest_symbol) }.
Notation contents_from c sorts' := (contents_of P table (variables c) (length (symbols c)) sorts').
Definition empty_child children c := exists c', In c' children /\ child_by Emptied [] (symbols c) c c'.
Definition node_child children c s ls := exists c' cs sorts', In c' children /\
  contents_from c sorts' (declaration (table s)) 0 ls cs /\ fresh_contents c sorts' cs None /\
  child_by (AsNode (declaration (table s)) (entrance (table s)) cs) (range_literals ls cs) sorts' c c'.
Definition link_child e children c s ls1 ls2 := exists c' cs1 cs2 y sorts', In c' children /\
  contents_from c sorts' (declaration (table s)) 0 ls1 cs1 /\ contents_from c sorts' (declaration (table s)) (S (length ls1)) ls2 cs2 /\
  fresh_contents c sorts' (cs1 ++ cs2) (Some (s, y)) /\
  child_by (match e with Top => AsTop | Bottom => AsBottom end (declaration (table s)) (entrance (table s)) (cs1 ++ HoldsHole :: cs2) y)
    (range_literals ls1 cs1 ++ range_literals ls2 cs2) sorts' c c'.
(** The symbol's cases are all there, of a segment all at one end. *)
Definition unfolds c children := match nth_error (symbols c) x with
  | Some (TreeOf s) => (may_be_null (table s) = true -> empty_child children c) /\
      forall ls, In ls (shapes (table s)) -> node_child children c s ls
  | Some (SegmentOf s) => empty_child children c /\ exists e,
      forall ls1 ls2, In (ls1 ++ Child s :: ls2) (shapes (table s)) -> link_child e children c s ls1 ls2
  | None => False end.
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.

Section Herd.
Variables (c : configuration) (children : list configuration) (t : run machine) (ts : scapegoats machine) (nu : valuation) (phi : meaning).
Hypothesis scope : in_scope c = true.
Hypothesis holds_predicate : model nu (predicate c).
Hypothesis meant : well_meant P table (symbols c) phi.
Hypothesis first : accounts (symbols c) nu phi (primary c) t.
Hypothesis rest : Forall2 (accounts_sized P under (symbols c) nu phi) (others c) ts.
Lemma agree_refl n (mu : valuation) : agree n mu mu.
Proof. split; auto. Qed.
Lemma empty_shows : empty_child children c -> case_right (symbols c) nu phi Emptied -> exists c', In c' children /\ shows c' t ts.
Proof.
  intros (c' & I & B) R. exists c'. split; auto. destruct holds_predicate as [W _].
  eapply (child_shows c c' Emptied [] (symbols c) nu nu phi phi); eauto using agree_refl. intros y s E. auto.
Qed.
(** With these values for what is new. *)
Section Bound.
Variables (sorts' : list symbol_sort) (li : list (integer_type * nat * Z)) (lt : list (nat * tree)) (lc : list (nat * context)).
Notation new := (length (symbols c)).
Notation nu' := (child_valuation nu li).
Notation phi' := (child_meaning phi lt lc).
Hypothesis kept : forall y s, nth_error (symbols c) y = Some s -> nth_error sorts' y = Some s.
Hypothesis li_once : NoDup (map fst li).
Hypothesis lt_once : NoDup (map fst lt).
Hypothesis li_right : forall T v z, In (T, v, z) li -> within T z /\ (variables c <= v)%nat.
Hypothesis lt_right : forall y u, In (y, u) lt -> exists s, nth_error sorts' y = Some (TreeOf s) /\ of_sort table s u /\ typed_tree P u /\ (new <= y)%nat.
Hypothesis lc_once : NoDup (map fst lc).
Hypothesis lc_right : forall y d, In (y, d) lc -> exists s, nth_error sorts' y = Some (SegmentOf s) /\ segment table s d /\ typed_context P d /\ (new <= y)%nat.
Hypothesis all_bound : forall y, (new <= y)%nat -> nth_error sorts' y <> None -> In y (map fst lt) \/ In y (map fst lc).
Lemma bound_extends : extends_symbols (symbols c) sorts' phi phi'.
Proof. exact (child_extends P table new sorts' (symbols c) phi lt lc eq_refl kept lt_right lc_right all_bound). Qed.
Lemma bound_shows c' k ls : child_by k ls sorts' c c' -> case_right sorts' nu' phi' k -> Forall (holds nu') ls -> shows c' t ts.
Proof.
  intros B R L. pose proof holds_predicate as [W _].
  eapply (child_shows c c' k ls sorts' nu nu' phi phi'); eauto using bound_extends.
  - exact (child_agrees (variables c) new (symbols c) nu li eq_refl li_right).
  - exact (child_sorted (variables c) nu li W li_right).
  - exact (child_meant P table new sorts' (symbols c) phi lt lc meant eq_refl kept lt_once lt_right lc_once lc_right all_bound).
Qed.
End Bound.

Lemma node_shows s ls fs : nth_error (symbols c) x = Some (TreeOf s) -> trees phi x = Node (declaration (table s)) (entrance (table s)) fs -> fields table ls fs ->
  node_child children c s ls -> exists c', In c' children /\ shows c' t ts.
Proof.
  intros E T F (c' & cs & sorts' & I & C & [F1 F2 F3 F6 F4 F5] & B). exists c'. split; auto.
  pose proof (meant x) as Mx. unfold well_meant_symbol in Mx. rewrite E, T in Mx. destruct Mx as [_ Ty].
  inversion Ty as [|? ? ? Ti Tt Tc]; subst. destruct (bound_keys _ _ _ _ _ _ _ _ F _ _ C) as (Ki & Kt & Kc).
  set (li := integers_bound cs fs) in *. set (lt := trees_bound cs fs) in *. set (lc := rings_bound cs fs) in *.
  assert (Ni : NoDup (map fst li)) by (rewrite Ki; exact F2). assert (Nt : NoDup (map fst lt)) by (rewrite Kt; exact F3).
  assert (Ri : forall U v z, In (U, v, z) li -> within U z /\ (variables c <= v)%nat) by (intros U v z J; eapply bound_integers; eauto).
  assert (Rt : forall y u, In (y, u) lt -> exists s, nth_error sorts' y = Some (TreeOf s) /\ of_sort table s u /\ typed_tree P u /\ (length (symbols c) <= y)%nat).
  { intros y u J. destruct (bound_trees _ _ _ _ _ _ _ _ F _ _ C _ _ J) as (s0 & e & A1 & A2 & A3 & A4). exists s0. eauto 6. }
  unfold segments_of in F5, F6. rewrite app_nil_r in F6. assert (Nc : NoDup (map fst lc)) by (rewrite Kc; exact F6).
  assert (Rc : forall y d, In (y, d) lc -> exists s, nth_error sorts' y = Some (SegmentOf s) /\ segment table s d /\ typed_context P d /\ (length (symbols c) <= y)%nat).
  { intros y d J. destruct (bound_rings _ _ _ _ _ _ _ _ F _ _ C _ _ J) as (s0 & e & A1 & A2 & A3 & A4). exists s0. eauto 6. }
  assert (Ab : forall y, (length (symbols c) <= y)%nat -> nth_error sorts' y <> None -> In y (map fst lt) \/ In y (map fst lc)).
  { intros y L N. rewrite Kt, Kc. destruct (F5 y L N) as [J|J]; [auto|]. rewrite app_nil_r in J. auto. }
  destruct (child_binds nu phi li lt lc Ni Nt Nc) as (Bi & Bt & Bc).
  destruct (bound_fit _ _ _ _ _ _ (child_valuation nu li) (child_meaning phi lt lc) _ _ F _ _ C Bi Bt Bc) as [Fit Rl].
  eapply (bound_shows sorts' li lt lc); eauto. split; [apply of_nodes|]. exists s, fs.
  destruct (bound_extends sorts' lt lc F1 Rt Rc Ab _ _ E) as (X1 & X2 & _). rewrite X2. auto.
Qed.

(** A link of the segment: the node, and the rest. *)
Lemma link_shows e s ls1 ls2 before d after : nth_error (symbols c) x = Some (SegmentOf s) ->
  contexts phi x = match e with Top => Cell (declaration (table s)) (entrance (table s)) before (AsIn (same_field table s)) d after
    | Bottom => compose d (Cell (declaration (table s)) (entrance (table s)) before (AsIn (same_field table s)) Hole after) end ->
  fields table ls1 before -> fields table ls2 after -> segment table s d -> typed_context P d ->
  typed_tree P (Node (declaration (table s)) (entrance (table s)) (before ++ Below (AsIn (same_field table s)) Empty :: after)) ->
  link_child e children c s ls1 ls2 -> exists c', In c' children /\ shows c' t ts.
Proof.
  intros E T G1 G2 Sd Td Ty (c' & cs1 & cs2 & y & sorts' & I & C1 & C2 & [F1 F2 F3 F6 F4 F5] & B). exists c'. split; auto.
  inversion Ty as [|? ? ? Ti Tt Tc]; subst.
  destruct (bound_keys _ _ _ _ _ _ _ _ G1 _ _ C1) as (Ki1 & Kt1 & Kc1), (bound_keys _ _ _ _ _ _ _ _ G2 _ _ C2) as (Ki2 & Kt2 & Kc2).
  pose proof (fields_length _ _ _ G1) as L1.
  set (li := integers_bound cs1 before ++ integers_bound cs2 after) in *. set (lt := trees_bound cs1 before ++ trees_bound cs2 after) in *.
  set (lc := (rings_bound cs1 before ++ rings_bound cs2 after) ++ [(y, d)]).
  assert (Ki : map fst li = variables_of (cs1 ++ cs2)) by (unfold li, variables_of in *; rewrite map_app, flat_map_app, Ki1, Ki2; auto).
  assert (Kt : map fst lt = trees_of (cs1 ++ cs2)) by (unfold lt, trees_of in *; rewrite map_app, flat_map_app, Kt1, Kt2; auto).
  assert (Kc : map fst lc = segments_of (cs1 ++ cs2) (Some (s, y))) by (unfold lc, segments_of, rings_of in *; rewrite !map_app, flat_map_app, Kc1, Kc2; auto).
  assert (Nc : NoDup (map fst lc)) by (rewrite Kc; exact F6).
  assert (Ni : NoDup (map fst li)) by (rewrite Ki; exact F2). assert (Nt : NoDup (map fst lt)) by (rewrite Kt; exact F3).
  assert (Ri : forall U v z, In (U, v, z) li -> within U z /\ (variables c <= v)%nat).
  { intros U v z J. apply in_app_or in J as [J|J].
    - eapply (bound_integers _ _ _ _ _ _ _ _ G1 _ _ C1); [|exact J]. intros k w Ek. apply (Ti k). rewrite nth_error_app1; auto. apply nth_error_Some. congruence.
    - eapply (bound_integers _ _ _ _ _ _ _ _ G2 _ _ C2); [|exact J]. intros k w Ek. apply Ti. rewrite nth_error_app2 by lia.
      replace (S (length ls1) + k - length before)%nat with (S k) by lia. exact Ek. }
  assert (Rt : forall z u, In (z, u) lt -> exists s, nth_error sorts' z = Some (TreeOf s) /\ of_sort table s u /\ typed_tree P u /\ (length (symbols c) <= z)%nat).
  { intros z u J. apply in_app_or in J as [J|J].
    - destruct (bound_trees _ _ _ _ _ _ _ _ G1 _ _ C1 _ _ J) as (s0 & e0 & A1 & A2 & A3 & A4). exists s0. repeat split; auto.
      apply (Tt e0). apply in_or_app. auto.
    - destruct (bound_trees _ _ _ _ _ _ _ _ G2 _ _ C2 _ _ J) as (s0 & e0 & A1 & A2 & A3 & A4). exists s0. repeat split; auto.
      apply (Tt e0). apply in_or_app. simpl. auto. }
  destruct (F4 s y eq_refl) as [Ly Ey].
  assert (Rc : forall z u, In (z, u) lc -> exists s, nth_error sorts' z = Some (SegmentOf s) /\ segment table s u /\ typed_context P u /\ (length (symbols c) <= z)%nat).
  { intros z u J. apply in_app_or in J as [J|[J|[]]]; [|injection J as <- <-; eauto]. apply in_app_or in J as [J|J].
    - destruct (bound_rings _ _ _ _ _ _ _ _ G1 _ _ C1 _ _ J) as (s0 & e0 & A1 & A2 & A3 & A4). exists s0. repeat split; auto.
      apply (Tc e0). apply in_or_app. auto.
    - destruct (bound_rings _ _ _ _ _ _ _ _ G2 _ _ C2 _ _ J) as (s0 & e0 & A1 & A2 & A3 & A4). exists s0. repeat split; auto.
      apply (Tc e0). apply in_or_app. simpl. auto. }
  assert (Ab : forall z, (length (symbols c) <= z)%nat -> nth_error sorts' z <> None -> In z (map fst lt) \/ In z (map fst lc)).
  { intros z L N. rewrite Kt, Kc. exact (F5 z L N). }
  destruct (child_binds nu phi li lt lc Ni Nt Nc) as (Bi & Bt & Bc).
  destruct (bound_fit _ _ _ _ _ _ (child_valuation nu li) (child_meaning phi lt lc) _ _ G1 _ _ C1) as [Fit1 Rl1];
    [intros; apply Bi, in_or_app; auto | intros; apply Bt, in_or_app; auto | intros; apply Bc, in_or_app; left; apply in_or_app; auto |].
  destruct (bound_fit _ _ _ _ _ _ (child_valuation nu li) (child_meaning phi lt lc) _ _ G2 _ _ C2) as [Fit2 Rl2];
    [intros; apply Bi, in_or_app; auto | intros; apply Bt, in_or_app; auto | intros; apply Bc, in_or_app; left; apply in_or_app; auto |].
  destruct (bound_extends sorts' lt lc F1 Rt Rc Ab _ _ E) as (X1 & _ & X3).
  assert (Link : link_fits sorts' (child_valuation nu li) (child_meaning phi lt lc) (cs1 ++ HoldsHole :: cs2) before after).
  { exists cs1, cs2. auto. }
  assert (Cy : contexts (child_meaning phi lt lc) y = d) by (apply Bc; apply in_or_app; simpl; auto).
  eapply (bound_shows sorts' li lt lc); eauto; [|apply Forall_app; auto].
  destruct e; (split; [apply of_nodes|]); exists s, before, (AsIn (same_field table s)), d, after; rewrite X3, T; auto.
Qed.
End Herd.

Lemma typed_compose c1 c2 : typed_context P (compose c1 c2) -> typed_context P c1 /\ typed_context P c2.
Proof.
  induction c1 as [|d b before g c1 IH after]; simpl; intros T; [split; [constructor | exact T]|]. inversion T as [|? ? ? ? ? ? T1 T2]; subst.
  destruct (IH T2). split; auto. constructor; auto.
Qed.
Theorem unfold_sound c children : unfolds c children -> sound_cover machine _ shows c children.
Proof.
  intros U t ts [_ (S & nu & phi & M & W & A & O)]. pose proof (W x) as Mx. unfold well_meant_symbol in Mx. unfold unfolds in U.
  destruct (nth_error (symbols c) x) as [[s|s]|] eqn:E; [| |destruct U].
  - destruct Mx as [Os _], U as [Un Uc]. apply unfold_tree in Os as [[N T]|(ls & fs & I & F & T)].
    + eapply (empty_shows c children t ts nu phi S M W A O); eauto. simpl. rewrite E. exact T.
    + eapply (node_shows c children t ts nu phi S M W A O); eauto.
  - destruct Mx as [Os Ts], U as [Ue (e & Uc)]. destruct e.
    + apply unfold_top in Os as [T|(ls1 & ls2 & fs1 & fs2 & d & I & G1 & G2 & Sd & T)]; [eapply (empty_shows c children t ts nu phi S M W A O); eauto; simpl; rewrite E; exact T|].
      rewrite T in Ts. inversion Ts as [|? ? ? ? ? ? T1 T2]; subst. eapply (link_shows c children t ts nu phi S M W A O Top); eauto.
    + apply unfold_bottom in Os as [T|(ls1 & ls2 & fs1 & fs2 & d & I & G1 & G2 & Sd & T)]; [eapply (empty_shows c children t ts nu phi S M W A O); eauto; simpl; rewrite E; exact T|].
      rewrite T in Ts. apply typed_compose in Ts as [T1 T2]. inversion T2 as [|? ? ? ? ? ? T3 _]; subst. eapply (link_shows c children t ts nu phi S M W A O Bottom); eauto.
Qed.
End Rule.
