(** That what a rule computes shows what the rule has to show: End, Drop, Infeasible, Split,
    Let, Descent (spec/calculus.md#rules), each as a condition on the herds that
    configurations denote ([Herds.v]). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine FoldedMembers Configurations Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Section Shown.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows_under := (shows_under P under trees tabs).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).

(** ** States in which rules act *)

(** Whatever the values of variables are, terms have values. *)
Definition modelled (s : state) : Prop := forall nu, Terms.well_sorted nu -> exists M, good nu s M.
Definition sane (s : state) (c : configuration) : Prop := modelled s /\ in_scope s c.
Definition zeros : Terms.valuation := {| Terms.integers := fun _ _ => 0; Terms.arrays := fun _ _ _ => 0 |}.
Lemma zeros_sorted : Terms.well_sorted zeros.
Proof. split; intros; apply zero_within. Qed.

(** A rule gives what is in scope again, whatever the values. *)
Definition keeps_scope (s : state) (rule : computes (list configuration)) : Prop := forall nu M, Terms.well_sorted nu -> good nu s M ->
  meets nu s M rule (fun cs s' _ => forall c', In c' cs -> in_scope s' c').
(** Terms may be made, whatever the values; those that are there stay. *)
Definition later (s s' : state) : Prop := forall nu M, Terms.well_sorted nu -> good nu s M -> exists M', good nu s' M' /\ keeps s M s' M'.
Lemma later_refl s : later s s.
Proof. intros nu M _ G. exists M. auto using keeps_refl. Qed.
Lemma later_trans s s' s'' : later s s' -> later s' s'' -> later s s''.
Proof. intros A B nu M W G. destruct (A nu M W G) as (M' & G' & K). destruct (B nu M' W G') as (M'' & G'' & K'). exists M''. split; auto. eapply keeps_trans; eauto. Qed.
Lemma meets_later {A} s (rule : computes A) a s' (Q : Terms.valuation -> model -> A -> state -> model -> Prop) :
  (forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M rule (Q nu M)) -> rule s = Gives a s' -> later s s'.
Proof. intros H E nu M W G. destruct (H nu M W G _ _ E) as (M' & G' & K & _). eauto. Qed.
Lemma modelled_later s s' : modelled s -> later s s' -> modelled s'.
Proof. intros Mo L nu W. destruct (Mo nu W) as [M G]. destruct (L nu M W G) as (M' & G' & _). eauto. Qed.
Lemma kept_sane s c rule cs s' : sane s c -> keeps_scope s rule -> rule s = Gives cs s' -> later s s' /\ forall c', In c' cs -> sane s' c'.
Proof.
  intros [Mo Sc] H E.
  assert (L : later s s') by (eapply (meets_later s rule cs s' (fun _ _ cs s' _ => forall c', In c' cs -> in_scope s' c')); eauto).
  split; auto. intros c' I. split; [eapply modelled_later; eauto|]. destruct (Mo zeros zeros_sorted) as [M G].
  destruct (H zeros M zeros_sorted G _ _ E) as (_ & _ & _ & J). auto.
Qed.
(** Of the herds that are denoted a child accounts for each, under values that are chosen
    before the rule acts. *)
Lemma cover_shown s c rule cs s' : (forall nu M phi t ts, shows_under s c nu M phi t ts -> exists nu' M', good nu' s M' /\
    meets nu' s M' rule (fun cs s' K => exists c' phi', In c' cs /\ shows_under s' c' nu' K phi' t ts)) ->
  rule s = Gives cs s' -> Herds.sound_cover machine stage shows (Open s c) (List.map (Open s') cs).
Proof.
  intros H E t ts [_ (nu & M & phi & S)]. destruct (H nu M phi t ts S) as (nu' & M' & _ & Me). destruct (Me _ _ E) as (K & _ & _ & c' & phi' & I & S').
  exists (Open s' c'). split; [apply in_map; exact I|]. exists nu', K, phi'. exact S'.
Qed.

(** ** Parts of rules *)

Lemma exists_in_peek nu s M sc p : good nu s M -> formed_scope sc -> peeks s (exists_in sc p) (fun _ => part_within s sc p).
Proof.
  intros G F. unfold exists_in. eapply peeks_bind; [eapply scope_of_part_peek; eauto|]. intros own [_ [_ R]]. apply peeks_demand. auto.
Qed.
Lemma stands_in_in l ls : stands_in l ls = true -> In l ls.
Proof.
  unfold stands_in. rewrite existsb_exists. intros (m & I & E). unfold literal_eqb in E. apply andb_prop in E as [E1 E2]. apply N.eqb_eq in E2.
  destruct l as [a t], m as [b u]. simpl in *. subst u. destruct a, b; try discriminate; exact I.
Qed.
(** One literal more, or none. *)
Lemma assume_peek nu s M c l : good nu s M -> peeks s (assume c l) (fun c' => (c' = c /\ (literals_hold M (known_literals c) -> literal_holds M l)) \/
  c' = with_literals c (known_literals c ++ [l])).
Proof.
  intros G. unfold assume. eapply peeks_bind; [eapply is_true_peek; eauto|]. intros e E. apply peeks_ret.
  destruct e; simpl; [left; auto|]. destruct (stands_in l (known_literals c)) eqn:S; [left | right]; auto. split; auto. intros H. apply H, stands_in_in, S.
Qed.

Lemma in_scope_parts s c : in_scope s c -> (forall l, In l (known_literals c) -> part_within s (variables c) (LinearPart (term_of l))) /\
  (forall p, In p (flat_map member_terms (herd c) ++ entry_member_terms c) -> part_within s (variables c) p).
Proof.
  intros (_ & _ & H). split; [|intros p I; apply H, in_or_app; auto]. intros l I. apply H, in_or_app. left. apply in_map_iff. eauto.
Qed.
Lemma literals_in nu s M c l : good nu s M -> in_scope s c -> In l (known_literals c) -> literal_in s l.
Proof. intros G S I. exact (within_in nu tabs _ s M _ G (proj1 (in_scope_parts s c S) l I)). Qed.
Lemma more_literals_scope s c ls : in_scope s c -> (forall l, In l ls -> part_within s (variables c) (LinearPart (term_of l))) ->
  in_scope s (with_literals c (known_literals c ++ ls)).
Proof.
  intros S H. split; [exact (proj1 S)|]. split; [exact (proj1 (proj2 S))|]. intros p I. destruct (in_scope_parts s c S) as [L R].
  change (part_within s (variables c) p). apply in_app_or in I as [I|I]; [|apply R; exact I].
  apply in_map_iff in I as (l & <- & I). apply in_app_or in I as [I|I]; auto.
Qed.
Lemma more_literals_show s c nu M phi t ts ls : shows_under s c nu M phi t ts -> (forall l, In l ls -> literal_holds M l) ->
  shows_under s (with_literals c (known_literals c ++ ls)) nu M phi t ts.
Proof.
  intros (W & G & L & Me & A & E) H. split; auto. split; auto. split; [|split; auto].
  intros l I. simpl in I. apply in_app_or in I as [I|I]; auto.
Qed.

(** ** Infeasible *)

Theorem infeasible_shows s c cs s' : sane s c -> Rules.closed (refute (known_literals c) []) s = Gives cs s' ->
  cs = [] /\ later s s' /\ Herds.sound_cover machine stage shows (Open s c) [].
Proof.
  intros [_ Sc] E. unfold Rules.closed, bind in E. destruct (refute (known_literals c) [] s) as [u s1|] eqn:R; [|discriminate]. injection E as <- <-.
  assert (H : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (refute (known_literals c) []) (fun _ _ _ => ~ (forall l, In l (known_literals c ++ []) -> literal_holds M l))).
  { intros nu M W G. apply refute_meets; auto. intros l I. rewrite app_nil_r in I. eapply literals_in; eauto. }
  split; auto. split; [eapply (meets_later s _ u s1 (fun _ M _ _ _ => ~ (forall l, In l (known_literals c ++ []) -> literal_holds M l))); eauto|].
  intros t ts [_ (nu & M & phi & W & G & L & _)]. destruct (H nu M W G _ _ R) as (_ & _ & _ & N).
  exfalso. apply N. intros l I. rewrite app_nil_r in I. auto.
Qed.

(** ** Split *)

(** Both children are there, and one has a literal that holds. *)
Lemma assumed_shows s c nu M phi t ts l m : shows_under s c nu M phi t ts -> (literal_holds M l \/ literal_holds M m) ->
  peeks s (mapped (assume c) [l; m]) (fun cs => exists c', In c' cs /\ shows_under s c' nu M phi t ts).
Proof.
  intros S H. pose proof S as (W & G & L & _). cbn [mapped]. eapply peeks_bind; [eapply assume_peek; eauto|]. intros c1 C1.
  eapply peeks_bind with (P := fun cs => exists c', In c' (c1 :: cs) /\ shows_under s c' nu M phi t ts); [|intros cs Q; apply peeks_ret; exact Q].
  eapply peeks_bind; [eapply assume_peek; eauto|]. intros c2 C2. eapply peeks_bind; [apply (peeks_ret s [] (fun x => x = [])); auto|]. intros ? ->. apply peeks_ret.
  destruct C1 as [[-> _]| ->]; [exists c; split; [left; reflexivity | exact S]|].
  destruct C2 as [[-> _]| ->]; [exists c; split; [right; left; reflexivity | exact S]|].
  destruct H as [H|H]; [exists (with_literals c (known_literals c ++ [l])); split; [left; reflexivity|]
    | exists (with_literals c (known_literals c ++ [m])); split; [right; left; reflexivity|]]; (apply more_literals_show; [exact S|]); intros k [<-|[]]; auto.
Qed.
Lemma assumed_scope nu s M c l m : good nu s M -> in_scope s c -> part_within s (variables c) (LinearPart (term_of l)) -> part_within s (variables c) (LinearPart (term_of m)) ->
  peeks s (mapped (assume c) [l; m]) (fun cs => forall c', In c' cs -> in_scope s c').
Proof.
  intros G S Wl Wm. cbn [mapped].
  assert (One : forall k, part_within s (variables c) (LinearPart (term_of k)) -> peeks s (assume c k) (fun c' => in_scope s c')).
  { intros k Wk. eapply peeks_weaker; [eapply assume_peek; eauto|]. intros c' [[-> _]| ->]; auto. apply more_literals_scope; auto. intros ? [<-|[]]. auto. }
  eapply peeks_bind; [apply One; auto|]. intros c1 C1. eapply peeks_bind with (P := fun cs => forall c', In c' cs -> in_scope s c').
  - eapply peeks_bind; [apply One; auto|]. intros c2 C2. eapply peeks_bind; [apply (peeks_ret s [] (fun x => x = [])); auto|]. intros ? ->. apply peeks_ret.
    intros c' [<-|[]]. exact C2.
  - intros cs Q. apply peeks_ret. intros c' [<-|I]; auto.
Qed.
Lemma meets_peeks {A} nu s M (c : computes A) (Q : A -> Prop) : good nu s M -> peeks s c Q -> meets nu s M c (fun a s' M' => s' = s /\ M' = M /\ Q a).
Proof. intros G H a s' E. destruct (H _ _ E) as [-> Qa]. exists M. auto using keeps_refl. Qed.
Theorem split_shows s c l cs s' : sane s c -> Rules.split c l s = Gives cs s' ->
  (later s s' /\ forall c', In c' cs -> sane s' c') /\ Herds.sound_cover machine stage shows (Open s c) (List.map (Open s') cs).
Proof.
  intros Sn E. pose proof Sn as [_ Sc]. unfold Rules.split in E. split.
  - eapply kept_sane; [exact Sn | | exact E]. intros nu M W G. eapply meets_peek; [eapply exists_in_peek; eauto; exact (proj1 Sc)|]. intros ? Wl. cbn beta in Wl.
    eapply meets_bind; [apply meets_also; [apply negate_meets; auto; exact (within_in nu tabs _ s M _ G Wl) | apply (negate_within nu tabs (variables c)); auto]|].
    intros m s1 M1 G1 K1 [_ Wm].
    eapply meets_weaker; [apply meets_peeks; [exact G1|]; apply (assumed_scope nu s1 M1 c l m G1); auto; [eapply in_scope_later; eauto | eapply part_kept; eauto]|].
    intros cs' s2 M2 _ _ (-> & _ & Q). exact Q.
  - eapply cover_shown; [|exact E]. intros nu M phi t ts S. pose proof S as (W & G & _). exists nu, M. split; auto.
    eapply meets_peek; [eapply exists_in_peek; eauto; exact (proj1 Sc)|]. intros ? Wl. cbn beta in Wl.
    eapply meets_bind; [apply negate_meets; auto; exact (within_in nu tabs _ s M _ G Wl)|]. intros m s1 M1 G1 K1 [_ V].
    pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t ts Sc G1 K1 S) as S1.
    eapply meets_weaker; [apply meets_peeks; [exact G1|]; apply (assumed_shows s1 c nu M1 phi t ts l m S1)|].
    + pose proof (proj2 (literal_kept _ _ _ _ l K1 (within_in nu tabs _ s M _ G Wl))) as Lk. destruct (holds_or_not M l); [left | right]; tauto.
    + intros cs' s2 M2 _ _ (-> & -> & c' & I & S'). exists c', phi. auto.
Qed.

(** ** Drop *)

Lemma without_in l : forall n m, In m (Rules.without_member l n) -> In m l.
Proof. induction l as [|a l IH]; intros n m; simpl; auto. destruct (n =? 0)%N; simpl; auto. intros [<-|I]; eauto. Qed.
Lemma without_accounts {B} (R : member_state -> B -> Prop) l : forall n ts, Forall2 R l ts -> exists ts', incl ts' ts /\ Forall2 R (Rules.without_member l n) ts'.
Proof.
  induction l as [|a l IH]; intros n ts F; inversion F as [|? b ? ts0 Rab F']; subst; simpl.
  - exists []. split; [apply incl_refl | constructor].
  - destruct (n =? 0)%N; [exists ts0; split; [apply incl_tl, incl_refl | exact F']|].
    destruct (IH (N.pred n) ts0 F') as (ts' & I & F2). exists (b :: ts'). split; [|constructor; auto].
    intros x [<-|J]; [left; auto | right; auto].
Qed.
Lemma forall2_map {A B C} (f : A -> B) (R : B -> C -> Prop) l ts : Forall2 R (List.map f l) ts <-> Forall2 (fun a => R (f a)) l ts.
Proof.
  revert ts. induction l as [|a l IH]; intros ts; simpl; split; intros H; inversion H; subst; constructor; auto; apply IH; auto.
Qed.
Theorem drop_shows s c who c' s' : sane s c -> Rules.drop_member c who s = Gives c' s' ->
  later s s' /\ sane s' c' /\ Herds.sound_drop machine stage shows (Open s c) (Open s' c').
Proof.
  intros [Mo Sc] E. unfold Rules.drop_member, Rules.no_primary, bind, demand, member_at, some in E.
  destruct (who =? 0)%N eqn:W; [discriminate|]. cbn [negb] in E. unfold ret in E. destruct (nth (herd c) who) as [m0|]; [|discriminate]. injection E as <- <-. split; [apply later_refl|]. split.
  - split; auto. split; [exact (proj1 Sc)|]. split; [apply (members_again tables_right c); [reflexivity | intros m I; apply (proj1 (proj2 Sc)), herd_member; eapply without_in; exact I | exact (proj1 (proj2 Sc))]|]. intros p I. apply (proj2 (proj2 Sc)). unfold configuration_terms in *. cbn [with_herd known_literals herd entry_member_terms entry_member] in I.
    apply in_app_or in I as [I|I]; [apply in_or_app; auto|]. apply in_or_app. right. apply in_app_or in I as [I|I]; apply in_or_app; [left|right; exact I].
    apply in_flat_map in I as (m & Im & Ip). apply in_flat_map. exists m. split; auto. eapply without_in; eauto.
  - intros t ts [_ (nu & M & phi & Wn & G & L & Me & A & En)]. unfold herd_accounts in A. destruct (herd c) as [|m ms] eqn:H; [destruct A|]. destruct A as [A B].
    apply (forall2_map sized_of) in B. destruct (without_accounts _ ms (N.pred who) ts B) as (ts' & I & B'). exists ts'. split; auto.
    exists nu, M, phi. split; auto. split; auto. split; auto. split; auto. split; [|exact En]. unfold herd_accounts. cbn [with_herd herd Rules.without_member]. rewrite W.
    split; auto. apply (forall2_map sized_of). exact B'.
Qed.

(** ** Let *)

(** A fresh variable: the next number of its sort. *)
Definition with_one_more c q x : configuration := with_variables c (one_more_integer (variables c) q (N.succ x)).
Lemma fresh_meets nu s M c q : Terms.well_sorted nu -> good nu s M -> in_scope s c -> meets nu s M (fresh c q) (fun p s' M' => exists x,
  nth (integers (variables c)) (number_of_sort q) = Some x /\ snd p = with_one_more c q x /\ is_term s' M' (fst p) (Terms.integers nu q (N.to_nat x)) /\
  part_within s' (variables (with_one_more c q x)) (LinearPart (fst p))).
Proof.
  intros W G [F _]. unfold fresh. eapply meets_peek; [apply (peeks_some s _ _ (fun x => nth (integers (variables c)) (number_of_sort q) = Some x)); auto|].
  intros x Ex. eapply meets_peek with (P := fun y => y = N.succ x).
  { intros y s'. unfold next_number. destruct (_ <? _)%N; [intros [= <- <-]; auto | discriminate]. }
  intros ? ->. eapply meets_bind; [apply meets_also; [apply variable_meets; auto | apply (variable_within nu W tabs (variables (with_one_more c q x))); auto; apply one_more_new; exact Ex]|].
  intros t s1 M1 G1 K1 [V Wt]. apply meets_ret; auto. exists x. auto.
Qed.
Lemma one_more_scope s c q x : nth (integers (variables c)) (number_of_sort q) = Some x -> in_scope s c -> in_scope s (with_one_more c q x).
Proof.
  intros E (F & R & H). split; [apply one_more_formed; exact F|]. split; [exact R|]. intros p I. eapply (within_wider s (variables c)); [| |apply H; exact I].
  - intros r y. apply one_more_exists. exact E.
  - intros T y (n & En & L). exists n. auto.
Qed.
Theorem let_shows s c u c' s' : sane s c -> Rules.names_term c u s = Gives c' s' ->
  later s s' /\ sane s' c' /\ Herds.sound_cover machine stage shows (Open s c) [Open s' c'].
Proof.
  intros Sn E. pose proof Sn as [Mo Sc]. unfold Rules.names_term in E.
  (* What it gives, whatever the values. *)
  assert (R : forall nu M, Terms.well_sorted nu -> good nu s M -> meets nu s M (exists_in (variables c) (LinearPart u) >> let$ (x, c) := fresh c None in let$ l := equal x u in
    ret (with_literals c (known_literals c ++ [l]))) (fun c' s' M' => in_scope s' c' /\ exists x l, nth (integers (variables c)) (number_of_sort None) = Some x /\
      part_within s (variables c) (LinearPart u) /\
      c' = with_literals (with_one_more c None x) (known_literals c ++ [l]) /\ (literal_holds M' l <-> Terms.integers nu None (N.to_nat x) = vl M u))).
  { intros nu M W G. eapply meets_peek; [eapply exists_in_peek; eauto; exact (proj1 Sc)|]. intros ? Wu. cbn beta in Wu.
    eapply meets_bind; [apply fresh_meets; auto|]. intros [t c1] s1 M1 G1 K1 (x & Ex & Ec & V & Wt). cbn [fst snd] in *. subst c1.
    pose proof (one_more_scope s1 c None x Ex (in_scope_later s M s1 M1 c K1 Sc)) as Sc1.
    assert (Wu1 : part_within s1 (variables (with_one_more c None x)) (LinearPart u)).
    { eapply (within_wider s1 (variables c)); [| |eapply part_kept; eauto]; [intros r y; apply one_more_exists; exact Ex | intros T y (n & En & L); exists n; auto]. }
    eapply meets_bind; [apply meets_also; [unfold equal; eapply meets_bind; [apply difference_meets; exact G1|];
      intros d s2 M2 G2 K2 Vd; apply (meets_ret nu tabs s2 M2 (lit IsZero d)) with (Q := fun l s' M' => literal_holds M' l <-> vl M1 t - vl M1 u = 0); auto;
      destruct Vd as [_ Vd]; unfold literal_holds; simpl; rewrite Vd; reflexivity
      | apply (equal_within nu tabs (variables (with_one_more c None x))); auto]|].
    intros l s2 M2 G2 K2 [Vl Wl]. apply meets_ret; auto. split.
    - apply (more_literals_scope s2 (with_one_more c None x)); [eapply in_scope_later; eauto|]. intros k [<-|[]]. exact Wl.
    - exists x, l. split; auto. split; auto. split; auto. rewrite Vl. destruct V as [_ V]. rewrite V.
      rewrite (proj2 (keeps_linears _ _ _ _ K1) u (within_in nu tabs _ s M _ G Wu)). split; intros; lia. }
  assert (La : later s s') by (eapply (meets_later s _ c' s' (fun _ _ _ _ _ => True)); [intros nu M W G; eapply meets_weaker; [apply R; auto | auto] | exact E]).
  split; auto. split.
  - split; [eapply modelled_later; eauto|]. destruct (Mo zeros zeros_sorted) as [M G]. destruct (R zeros M zeros_sorted G _ _ E) as (_ & _ & _ & J & _). exact J.
  - intros t ts [_ (nu & M & phi & S)]. pose proof S as (W & G & _).
    destruct (R nu M W G _ _ E) as (_ & _ & _ & _ & x & l & Ex & Wu & Ec & _).
    (* The fresh variable has the value of the term. *)
    set (mu := set_integer nu None x (vl M u)). assert (Wm : Terms.well_sorted mu) by (apply set_integer_sorted; simpl; auto).
    pose proof (set_integer_agrees (variables c) nu None x (vl M u) Ex) as Ag. destruct (Mo mu Wm) as [K Gk].
    pose proof (carried_over P under trees tabs s c nu mu M K phi t ts Sc Wm Ag Gk S) as Sk.
    destruct (R mu K Wm Gk _ _ E) as (K' & Gk' & Kk & _ & x' & l' & Ex' & _ & Ec' & V). rewrite Ex in Ex'. injection Ex' as <-.
    exists (Open s' c'). split; [left; reflexivity|]. exists mu, K', phi. rewrite Ec'.
    apply (more_literals_show s' (with_one_more c None x) mu K' phi t ts [l']).
    + exact (carried_on P under trees tabs s s' c mu K K' phi t ts Sc Gk' Kk Sk).
    + intros k [<-|[]]. apply V. unfold mu at 1. rewrite set_integer_value. symmetry.
      exact (proj2 (within_agree tabs nu mu (variables c) Ag s M K G Gk) (LinearPart u) Wu).
Qed.
End Shown.
