(** That Twin shows what it has to show, as the second checker computes it
    (spec/calculus.md#twin): the search for what the rest of the program reads finds all of
    it, and what the rule compares are members of which one state is the other's. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Owed Tidy FoldedMembers Configurations Members Twins FoldedTwins.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Refuting States Stepping Denoting Carried Shown Closing Listed PointerLists Moving LoadLists Staying CellsStand.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

(** ** What instructions read, write and lead to *)

Definition use_of (u : Rules.use) : Twins.use := match u with Rules.ReadIt => Twins.Reads | Rules.Renewed => Twins.Renews | Rules.NoUse => Twins.Neither end.
Lemma same_number a b : Nat.eqb (N.to_nat a) (N.to_nat b) = (b =? a)%N.
Proof. destruct (N.eqb_spec b a) as [->|D]; [apply Nat.eqb_refl|]. apply Nat.eqb_neq. lia. Qed.
Lemma reads_same r i : Machine.mem (N.to_nat r) (Twins.read_by (Translated.instruction_of i)) = existsb (Rules.reads_register r) (mentions i).
Proof.
  assert (L : forall rs, existsb (Nat.eqb (N.to_nat r)) (List.map N.to_nat rs) = existsb (Rules.reads_register r) (List.map pointer rs)).
  { induction rs as [|q rs IH]; [reflexivity|]. cbn [List.map existsb]. rewrite IH, same_number. reflexivity. }
  unfold Machine.mem. destruct i as [l|[re a b|re a b] l k|l k| | | |q v|q op a b|q|q|q|q p|q d|q p v k|q p p' k|q p k|p k q|q d b f|p|d|d|rs];
    try (destruct a as [a|]); try (destruct b as [b|]); try (destruct v as [v|]); cbn; rewrite ?same_number; try reflexivity. apply L.
Qed.
Lemma writes_same r i : match Twins.written_by (Translated.instruction_of i) with Some q => Nat.eqb q (N.to_nat r) | None => false end = existsb (Rules.writes_register r) (mentions i).
Proof.
  assert (L : forall rs, existsb (Rules.writes_register r) (List.map pointer rs) = false) by (induction rs; auto).
  destruct i as [l|[re a b|re a b] l k|l k| | | |q v|q op a b|q|q|q|q p|q d|q p v k|q p p' k|q p k|p k q|q d b f|p|d|d|rs];
    try (destruct a as [a|]); try (destruct b as [b|]); cbn; rewrite ?same_number, ?L, ?orb_false_r, 1?N.eqb_sym; try reflexivity.
Qed.
Lemma register_same r i : Twins.register_use (N.to_nat r) (Translated.instruction_of i) = use_of (Rules.use_of_register r i).
Proof.
  unfold Twins.register_use, Rules.use_of_register. rewrite reads_same. destruct (existsb (Rules.reads_register r) (mentions i)); [reflexivity|].
  rewrite <- writes_same. destruct (Twins.written_by _) as [q|]; [destruct (Nat.eqb _ _)|]; reflexivity.
Qed.
Lemma declaration_same d i : Twins.name_use (N.to_nat d) (Translated.instruction_of i) = use_of (Rules.use_of_declaration d i).
Proof. destruct i; try reflexivity; cbn; rewrite same_number, N.eqb_sym; destruct (_ =? _)%N; reflexivity. Qed.
Lemma leads_same i l k : In k (Twins.leads_to (Translated.instruction_of i) (N.to_nat l)) -> exists n, k = N.to_nat n /\ In n (Rules.successors i l).
Proof.
  assert (S : forall m n, In m (mentions i) -> In n (match m with LeadsTo k => [k] | GoesOn => [N.succ l] | _ => [] end) -> In n (Rules.successors i l))
    by (intros m n I J; unfold Rules.successors; rewrite <- in_rev; apply in_flat_map; eauto).
  assert (On : In GoesOn (mentions i) -> k = Datatypes.S (N.to_nat l) -> exists n, k = N.to_nat n /\ In n (Rules.successors i l))
    by (intros I ->; exists (N.succ l); split; [lia | eapply S; [exact I | left; reflexivity]]).
  assert (To : forall n, In (LeadsTo n) (mentions i) -> k = N.to_nat n -> exists n, k = N.to_nat n /\ In n (Rules.successors i l))
    by (intros n I ->; exists n; split; [reflexivity | eapply S; [exact I | left; reflexivity]]).
  clear S. destruct i; cbn [Translated.instruction_of Twins.leads_to]; try (intros [<-|[]]; apply On; [left; reflexivity | reflexivity]); try (intros []; fail).
  - intros [<-|[]]. eapply To; [left|]; reflexivity.
  - intros [<-|[<-|[]]]; eapply To; try reflexivity; cbn [mentions]; apply in_or_app; right; simpl; auto.
  - intros [<-|[<-|[]]]; eapply To; try reflexivity; simpl; auto.
Qed.

Section TwinShown.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Hypothesis setting_right : same_setting E P under.
Hypothesis locals : Tidy.locals_formed P.
Hypothesis leaks_asked : Owed.checks_leaks P -> asks_for_leaks E = true.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation sane := (sane tabs).
Notation later := (later tabs).

(** ** The search *)

Section Search.
Variable what : instruction -> Rules.use.
Variable what' : Programs.instruction -> Twins.use.
Hypothesis same_use : forall i, what' (Translated.instruction_of i) = use_of (what i).
Definition has_seen (seen : PositiveMap.t unit) (l : N) : Prop := PositiveMap.mem (N.succ_pos l) seen = true.
Lemma seen_more seen l k : has_seen (PositiveMap.add (N.succ_pos l) tt seen) k <-> k = l \/ has_seen seen k.
Proof.
  unfold has_seen. rewrite !PositiveMap.mem_find. destruct (N.eq_dec k l) as [->|D]; [rewrite PositiveMap.gss; tauto|].
  rewrite PositiveMap.gso; [tauto | intros H; apply key_of_n_injective in H; auto].
Qed.
(** It is gone through from there, and nothing reads it. *)
Definition passes (F : N -> Prop) (l : N) : Prop := exists i, at_position (code E) l = Some i /\ what i <> Rules.ReadIt /\ (what i = Rules.NoUse -> forall k, In k (Rules.successors i l) -> F k).
Lemma search fuel : forall seen open s b s', Rules.meets E fuel what seen open s = Gives b s' -> s' = s /\ (b = false -> exists F : N -> Prop,
  (forall l, has_seen seen l -> F l) /\ (forall l, In l open -> F l) /\ forall l, F l -> has_seen seen l \/ passes F l).
Proof.
  induction fuel as [|fuel IH]; intros seen [|l open] s b s' H; cbn [Rules.meets] in H; try discriminate;
    try (injection H as <- <-; split; auto; intros _; exists (has_seen seen); split; auto; split; [intros ? []|]; auto; fail).
  unfold bind, some in H. destruct (at_position (code E) l) as [i|] eqn:At; [|discriminate]. unfold ret at 1 in H. destruct (PositiveMap.mem (N.succ_pos l) seen) eqn:Sn.
  - destruct (IH _ _ _ _ _ H) as [-> R]. split; auto. intros B. destruct (R B) as (F & A & O & C). exists F. split; auto. split; [intros k [<-|I]; auto | exact C].
  - assert (Step : forall more, (what i = Rules.NoUse -> incl (Rules.successors i l) more) -> what i <> Rules.ReadIt -> Rules.meets E fuel what (PositiveMap.add (N.succ_pos l) tt seen) (more ++ open) s = Gives b s' ->
      s' = s /\ (b = false -> exists F : N -> Prop, (forall l, has_seen seen l -> F l) /\ (forall k, In k (l :: open) -> F k) /\ forall l, F l -> has_seen seen l \/ passes F l)).
    { intros more Mo Nr M. destruct (IH _ _ _ _ _ M) as [-> R]. split; auto. intros B. destruct (R B) as (F & A & O & C). exists F. split; [intros k Hk; apply A, seen_more; auto|]. split.
      - intros k [<-|I]; [apply A, seen_more; auto | apply O, in_or_app; auto].
      - intros k Fk. destruct (C k Fk) as [Hk|Hk]; [|auto]. apply seen_more in Hk as [->|Hk]; auto. right. exists i. split; auto. split; auto. intros U j J. apply O, in_or_app. left. exact (Mo U j J). }
    destruct (what i) eqn:U.
    + injection H as <- <-. split; auto. discriminate.
    + apply (Step []); auto; discriminate.
    + apply (Step (Rules.successors i l)); auto using incl_refl; discriminate.
Qed.
Lemma closed_passes (F : N -> Prop) k : Twins.meets P what' k -> (forall l, F l -> passes F l) -> ~ F (N.of_nat k).
Proof.
  intros M C. assert (Here : forall l, F (N.of_nat l) -> exists i, List.nth_error (Programs.instructions P) l = Some (Translated.instruction_of i) /\ what i <> Rules.ReadIt /\
    (what i = Rules.NoUse -> forall j, In j (Twins.leads_to (Translated.instruction_of i) l) -> F (N.of_nat j))).
  { intros l Fl. destruct (C _ Fl) as (i & At & Nr & Su). exists i. apply (same_code _ _ _ setting_right) in At. rewrite Nat2N.id in At. split; auto. split; auto. intros U j J.
    rewrite <- (Nat2N.id l) in J. apply leads_same in J as (n & -> & J). rewrite N2Nat.id. eauto. }
  induction M as [l j At Re | l j m At Ne Le _ IH]; intros Fl; destruct (Here l Fl) as (i & At' & Nr & Su); rewrite At in At'; injection At' as ->; rewrite same_use in *.
  - destruct (what i); try discriminate. apply Nr. reflexivity.
  - apply IH. apply Su; [destruct (what i); try discriminate; reflexivity | exact Le].
Qed.
(** What it does not find is not there. *)
Lemma meets_from_peek l s : peeks s (Rules.meets_from E l what) (fun b => b = false -> ~ Twins.meets P what' (N.to_nat l)).
Proof.
  intros b s' H. unfold Rules.meets_from in H. destruct (search _ _ _ _ _ _ H) as [-> R]. split; auto. intros B M. destruct (R B) as (F & _ & O & C).
  apply (closed_passes F _ M); [|rewrite N2Nat.id; apply O; left; reflexivity]. intros k Fk. destruct (C k Fk) as [Hk|Hk]; [|exact Hk]. unfold has_seen in Hk. rewrite PositiveMap.mem_find, PositiveMap.gempty in Hk. discriminate.
Qed.
End Search.

(** ** What is the same *)

Lemma slots_equal v w : slot_eqb v w = true -> v = w.
Proof.
  destruct v as [| |t| |o i b|f|f], w as [| |t'| |o' i' b'|f'|f']; cbn; try discriminate; auto; intros H; try (apply N.eqb_eq in H; congruence).
  apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 H2]. apply N.eqb_eq in H1, H2, H3. congruence.
Qed.
Lemma lists_equal {A} (same : A -> A -> bool) : (forall a b, same a b = true -> a = b) -> forall l k, Rules.lists_eqb same l k = true -> l = k.
Proof.
  intros S l. induction l as [|a l IH]; intros [|b k] H; cbn [Rules.lists_eqb] in H; try discriminate; auto. apply andb_prop in H as [H1 H2]. f_equal; auto.
Qed.
Lemma fields_equal f g : Rules.field_eqb f g = true -> f = g.
Proof.
  destruct f as [vs a], g as [ws b]. unfold Rules.field_eqb. cbn [cells rest]. intros H. apply andb_prop in H as [H1 H2]. apply (lists_equal slot_eqb slots_equal) in H1.
  destruct a as [a|], b as [b|]; try discriminate; [apply N.eqb_eq in H2|]; congruence.
Qed.
Lemma objects_equal x y : Rules.object_eqb x y = true -> x = y.
Proof.
  destruct x as [n d l a b fs], y as [n' d' l' a' b' fs']. unfold Rules.object_eqb. cbn [named declaration life_of lower upper field_states]. intros H. repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [H ?] end.
  repeat match goal with H : (_ =? _)%N = true |- _ => apply N.eqb_eq in H end.
  match goal with H : Rules.lists_eqb _ _ _ = true |- _ => apply (lists_equal _ fields_equal) in H end. destruct l, l'; try discriminate; congruence.
Qed.
(** It leads to one of these. *)
Definition leads_into (names : list N) (v : slot) : Prop := match v with
  | Uninitialised | NullSlot | IntegerSlot _ => True | PointerSlot o _ _ => In o names | Forgotten | Folded _ | Last _ => False end.
Lemma leads_more names more v : incl names more -> leads_into names v -> leads_into more v.
Proof. destruct v; simpl; auto. Qed.
Lemma twin_slots_are v w t : Rules.twin_slots v w = Some t -> v = w /\ forall names, (forall o, t = Some o -> In o names) -> leads_into names v.
Proof.
  unfold Rules.twin_slots. destruct (slot_eqb v w) eqn:Eq; [|discriminate]. apply slots_equal in Eq as <-. intros H. split; auto. intros names I.
  destruct v; try discriminate; simpl; auto. injection H as <-. auto.
Qed.
Lemma leads_denoted names v : leads_into names v -> FoldedTwins.leads_within (List.map N.to_nat names) (slot_of v).
Proof. destruct v; simpl; auto. apply in_map. Qed.

Section Members.
Variables one other : member_state.
(** In both tables, and what its cells point to is one of these. *)
Definition is_twin_object (names : list N) (o : N) : Prop := exists x, find (objects_held one) o = Some x /\ find (objects_held other) o = Some x /\
  forall f v, In f (field_states x) -> In v (cells f) -> leads_into names v.
Lemma twin_more names more o : incl names more -> is_twin_object names o -> is_twin_object more o.
Proof. intros I (x & F & G & L). exists x. split; auto. split; auto. intros f v J K. eapply leads_more; eauto. Qed.
Lemma found_peek vs s : peeks s (mapped (fun v => some (Rules.twin_slots v v) Rejection.NotTwin) vs) (fun ts => forall v, In v vs -> exists t, In t ts /\ Rules.twin_slots v v = Some t).
Proof.
  induction vs as [|v vs IH]; cbn [mapped]; [apply peeks_ret; intros ? []|]. eapply peeks_bind; [apply (peeks_some s _ _ (fun t => Rules.twin_slots v v = Some t)); auto|]. intros t Ht.
  eapply peeks_bind; [exact IH|]. intros ts H. apply peeks_ret. intros w [<-|I]; [exists t; simpl; auto|]. destruct (H w I) as (k & J & K). exists k. simpl. auto.
Qed.
(** The names that have been seen, and those to look at next. *)
Definition twin_round (start : list N) (before : list N) (p : PositiveMap.t unit * list N) : Prop := exists names, (forall o, has_seen (fst p) o <-> In o names) /\
  incl start names /\ incl before names /\ forall o, In o names -> In o start \/ is_twin_object (snd p) o.
Lemma objects_twins rounds : forall seen start reached s u s', (forall o, has_seen seen o <-> In o start) -> Rules.twin_objects one other rounds seen reached s = Gives u s' ->
  s' = s /\ exists names, incl start names /\ incl reached names /\ forall o, In o names -> In o start \/ is_twin_object names o.
Proof.
  induction rounds as [|rounds IH]; intros seen start reached s u s' Sn H; cbn [Rules.twin_objects] in H.
  - unfold demand in H. destruct reached; [|discriminate]. injection H as _ <-. split; auto. exists start. split; [apply incl_refl|]. split; [intros ? [] | auto].
  - unfold bind at 1 in H. match type of H with match ?x s with _ => _ end = _ => set (round := x) in H end.
    assert (R : peeks s round (twin_round start reached)).
    { unfold round. eapply peeks_weaker; [apply (peeks_fold s _ (fun p rest => exists before, reached = before ++ rest /\ twin_round start before p))|].
      - intros [seen1 more] o rest (before & Eq & names & S1 & I0 & I1 & Ok). destruct (PositiveMap.mem (N.succ_pos o) seen1) eqn:Ms.
        + apply peeks_ret. exists (before ++ [o]). rewrite <- app_assoc. split; auto. exists names. split; auto. split; auto. split; auto. intros k I. apply in_app_or in I as [I|[<-|[]]]; auto. apply S1. exact Ms.
        + eapply peeks_bind; [apply (peeks_some s _ _ (fun x => find (objects_held one) o = Some x)); auto|]. intros x Fx.
          eapply peeks_bind; [apply (peeks_some s _ _ (fun x => find (objects_held other) o = Some x)); auto|]. intros y Fy.
          eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => Rules.object_eqb x y = true)); auto|]. intros ? Eqb. cbn beta in Eqb. apply objects_equal in Eqb. subst y.
          eapply peeks_bind; [apply found_peek|]. intros found Fo. apply peeks_ret. exists (before ++ [o]). rewrite <- app_assoc. split; auto. exists (o :: names). cbn [fst snd].
          split; [intros k; rewrite seen_more; split; [intros [->|J]; [left; auto | right; apply S1; exact J] | intros [<-|J]; [auto | right; apply S1; exact J]]|].
          split; [intros k J; right; auto|]. split; [intros k J; apply in_app_or in J as [J|[<-|[]]]; [right; auto | left; auto]|].
          intros k [<-|J].
          * right. exists x. split; auto. split; auto. intros f v If Iv. destruct (Fo v) as (t & It & Tv); [apply in_flat_map; eauto|]. apply twin_slots_are in Tv as [_ Tv]. apply Tv.
            intros q ->. apply in_or_app. left. apply in_flat_map. exists (Some q). split; auto. left. reflexivity.
          * destruct (Ok k J) as [Z1|Z1]; auto. right. eapply twin_more; [|exact Z1]. intros q I. apply in_or_app. auto.
      - exists []. split; auto. exists start. split; auto. split; [apply incl_refl|]. split; [intros ? [] | auto].
      - intros p (before & Eq & T). rewrite app_nil_r in Eq. subst before. exact T. }
    destruct (round s) as [[seen1 more] s1|] eqn:Rd; [|discriminate]. destruct (R _ _ Rd) as [-> (names & S1 & I0 & I1 & Ok)]. cbn [fst snd] in *. destruct more as [|o more].
    + injection H as _ <-. split; auto. exists names. split; auto. split; auto. intros o I. destruct (Ok o I) as [Z1|Z1]; auto. right. eapply twin_more; [|exact Z1]. intros ? [].
    + destruct (IH _ names _ _ _ _ S1 H) as [-> (all & A0 & A1 & Al)]. split; auto. exists all. split; [eapply incl_tran; eauto|]. split; [eapply incl_tran; eauto|].
      intros k I. destruct (Al k I) as [J|J]; auto. destruct (Ok k J) as [Z1|Z1]; auto. right. eapply twin_more; eauto.
Qed.

Variable l : N.
Notation reads_register r := (Twins.meets P (Twins.register_use (N.to_nat r)) (N.to_nat l)).
Notation addresses d := (Twins.meets P (Twins.name_use (N.to_nat d)) (N.to_nat l)).
Definition is_twin_register (names : list N) (r : N) : Prop := exists v, find (held one) r = Some v /\ (reads_register r -> find (held other) r = Some v /\ leads_into names v).
Lemma register_peek s reached r : peeks s (Rules.twin_register E one other l reached r) (fun names => incl reached names /\ is_twin_register names r).
Proof.
  unfold Rules.twin_register, register_slot. eapply peeks_bind; [apply (peeks_some s _ _ (fun v => find (held one) r = Some v)); auto|]. intros v Fv.
  eapply peeks_bind; [apply (peeks_some s _ _ (fun w => find (held other) r = Some w)); auto|]. intros w Fw.
  assert (Searched : forall t, Rules.twin_slots v w = t -> peeks s (let$ is_read := Rules.meets_from E l (Rules.use_of_register r) in
    if is_read then match t with Some (Some o) => ret (o :: reached) | _ => refuses Rejection.NotTwin end else ret reached) (fun names => incl reached names /\ is_twin_register names r)).
  { intros t Ts. eapply peeks_bind; [apply (meets_from_peek _ (Twins.register_use (N.to_nat r)) (register_same r))|]. intros [|] N.
    - destruct t as [[o|]|]; try apply peeks_refuses. apply peeks_ret. split; [intros k I; right; exact I|]. exists v. split; auto. intros _. apply twin_slots_are in Ts as [-> Ts].
      split; auto. apply Ts. intros q [= <-]. left. reflexivity.
    - apply peeks_ret. split; [apply incl_refl|]. exists v. split; auto. intros M. destruct (N eq_refl M). }
  destruct (Rules.twin_slots v w) as [[o|]|] eqn:Ts; try (exact (Searched _ eq_refl)). apply peeks_ret. split; [apply incl_refl|]. exists v. split; auto. intros _.
  apply twin_slots_are in Ts as [-> Ts]. split; auto. apply Ts. discriminate.
Qed.
Definition is_twin_name (names : list N) (d : N) : Prop := addresses d -> exists x, find (objects_held one) (named x) = Some x /\ declaration x = d /\ life_of x = Live /\ In (named x) names.
Lemma live_is m d x : tables_right m -> live m d = Some x -> find (objects_held m) (named x) = Some x /\ declaration x = d /\ life_of x = Live.
Proof.
  intros [_ _ N] L. unfold live in L. destruct (List.find _ _) as [[o z]|] eqn:Fi; [|discriminate]. injection L as ->. apply find_some in Fi as [I C]. apply andb_prop in C as [C1 C2]. apply N.eqb_eq in C1.
  apply in_order_in in I as [_ F]. rewrite (N o x F). split; auto. split; auto. destruct (life_of x); [reflexivity | discriminate].
Qed.
Lemma name_peek s reached d x : tables_right one -> peeks s (Rules.twin_name E one other l reached (d, x)) (fun names => incl reached names /\ (is_named (Certificates.origin_of x) = true -> is_twin_name names d)).
Proof.
  intros Ta. unfold Rules.twin_name. cbn [fst snd]. destruct (is_named (Certificates.origin_of x)) eqn:Nm; cbn [negb]; [|apply peeks_ret; split; [apply incl_refl | discriminate]].
  eapply peeks_bind; [apply (meets_from_peek _ (Twins.name_use (N.to_nat d)) (declaration_same d))|]. intros [|] N; cbn [negb].
  - eapply peeks_bind; [apply (peeks_some s _ _ (fun y => live one d = Some y)); auto|]. intros y Lv. eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _.
    apply peeks_ret. split; [intros k I; right; exact I|]. intros _ _. destruct (live_is one d y Ta Lv) as (F & D & Li). exists y. split; auto. split; auto. split; auto. left. reflexivity.
  - apply peeks_ret. split; [apply incl_refl|]. intros _ M. destruct (N eq_refl M).
Qed.
Lemma register_more names more r : incl names more -> is_twin_register names r -> is_twin_register more r.
Proof. intros I (v & F & T). exists v. split; auto. intros M. destruct (T M). split; auto. eapply leads_more; eauto. Qed.
Lemma name_more names more d : incl names more -> is_twin_name names d -> is_twin_name more d.
Proof. intros I T M. destruct (T M) as (x & F & D & Lv & J). exists x. auto. Qed.
(** One after the other, each of which is so of what has been reached until then, and more. *)
Lemma gathered_peek {A} s (f : list N -> A -> computes (list N)) (Q : list N -> A -> Prop) : (forall reached a, peeks s (f reached a) (fun names => incl reached names /\ Q names a)) ->
  (forall names more a, incl names more -> Q names a -> Q more a) -> forall as_ reached, peeks s (folded_left f as_ reached) (fun names => incl reached names /\ forall a, In a as_ -> Q names a).
Proof.
  intros Each More as_ reached. eapply peeks_weaker; [apply (peeks_fold s _ (fun names rest => exists before, as_ = before ++ rest /\ incl reached names /\ forall a, In a before -> Q names a))|].
  - intros names a rest (before & Eq & I & B). eapply peeks_weaker; [apply Each|]. intros names' [I' Qa]. exists (before ++ [a]). rewrite <- app_assoc. split; auto. split; [eapply incl_tran; eauto|].
    intros b J. apply in_app_or in J as [J|[<-|[]]]; [eapply More; eauto | exact Qa].
  - exists []. split; auto. split; [apply incl_refl | intros ? []].
  - intros names (before & Eq & I & B). rewrite app_nil_r in Eq. subst before. auto.
Qed.
End Members.

(** ** What a certificate may leave out *)

(** Is all that is addressed of a name, as well-formedness asks? *)
Definition is_address_named (i : instruction) : bool := match i with
  | Address _ d => match List.nth_error (objects (program_in E)) (N.to_nat d) with Some x => is_named (Certificates.origin_of x) | None => false end
  | _ => true end.
Definition is_twin_covered (c : configuration) (s : state) : bool := forallb is_address_named (instructions (program_in E)) && match nth (herd c) 0 with
  | Some m => is_computed (cells_stand m) s
  | None => false end.
Lemma addresses_named : forallb is_address_named (instructions (program_in E)) = true -> forall r d, In (Programs.Address r d) (Programs.instructions P) -> FoldedMembers.has_name P d = true.
Proof.
  intros H r d I. rewrite (same_program _ _ _ setting_right) in I |- *. apply in_map_iff in I as (i & Ei & I). rewrite forallb_forall in H. specialize (H i I).
  destruct i; try discriminate. injection Ei as <- <-. cbn [is_address_named] in H. destruct (List.nth_error _ _) as [x|] eqn:N; [|discriminate].
  unfold FoldedMembers.has_name, Machine.declaration_of. cbn [Translated.program_of Programs.objects]. rewrite (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ N)).
  cbn [Translated.object_of Programs.origin_of]. unfold is_named in H. destruct (Certificates.origin_of x); discriminate || reflexivity.
Qed.
Lemma named_entry d : FoldedMembers.has_name P d = true -> exists x, List.nth_error (objects (program_in E)) d = Some x /\ is_named (Certificates.origin_of x) = true.
Proof.
  rewrite (same_program _ _ _ setting_right). unfold FoldedMembers.has_name, Machine.declaration_of. cbn [Translated.program_of Programs.objects]. intros H.
  destruct (List.nth_error (objects (program_in E)) d) as [x|] eqn:N.
  - rewrite (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ N)) in H. exists x. split; auto. cbn [Translated.object_of Programs.origin_of] in H. unfold is_named. destruct (Certificates.origin_of x); discriminate || reflexivity.
  - rewrite nth_overflow in H by (rewrite map_length; apply nth_error_None; exact N). discriminate.
Qed.
(** ** The rule *)

(** What it has compared. *)
Record compared_twins (one other : member_state) (l : N) (names : list N) : Prop := {
  twin_smaller : size_of other = Smaller;
  twin_stands : place_of one = At l;
  twin_stands_too : place_of other = At l;
  twin_unasked : asks_for_leaks E = false;
  twin_registers_are : forall r, (r < given (held one))%N -> is_twin_register one other l names r;
  twin_names_are : forall d, FoldedMembers.has_name P d = true -> is_twin_name one l names (N.of_nat d);
  twin_objects_are : forall o, In o names -> is_twin_object one other names o }.
Lemma compares_peek s one other : tables_right one -> peeks s (Rules.compares E one other) (fun _ => exists l names, compared_twins one other l names).
Proof.
  intros Ta. unfold Rules.compares. eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => size_of other = Smaller)); destruct (size_of other); [reflexivity | discriminate]|]. intros ? Sz. cbn beta in Sz.
  destruct (place_of one) as [l|] eqn:Pl; [|apply peeks_refuses].
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => place_of other = At l)); unfold Covering.place_eqb; destruct (place_of other) as [k|]; [intros H; apply N.eqb_eq in H; congruence | discriminate]|]. intros ? Po. cbn beta in Po.
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => asks_for_leaks E = false)); apply negb_true_iff|]. intros ? Nl. cbn beta in Nl.
  eapply peeks_bind; [apply (gathered_peek s _ (is_twin_register one other l) (register_peek one other l s) (register_more one other l))|]. intros regs [_ R].
  eapply peeks_bind; [apply (gathered_peek s _ (fun names p => is_named (Certificates.origin_of (snd p)) = true -> is_twin_name one l names (fst p)))|].
  { intros reached [d x]. apply name_peek. exact Ta. }
  { intros names more p I H Nm. eapply name_more; eauto. }
  intros reached [I Na]. intros u s' H. apply (objects_twins one other _ _ [] reached s u s') in H as [-> (names & _ & In_ & Ok)].
  - split; auto. exists l, names. split; auto.
    + intros r L. apply (register_more one other l regs names r (incl_tran I In_)). apply R, numbers_of_in. exact L.
    + intros d Hn. destruct (named_entry d Hn) as (x & Nx & Nm). apply (name_more one l reached names _ In_). exact (Na _ (in_positions _ _ _ 0%N Nx) Nm).
    + intros o J. destruct (Ok o J) as [[]|K]. exact K.
  - intros o. unfold has_seen. rewrite PositiveMap.mem_find, PositiveMap.gempty. split; [discriminate | intros []].
Qed.
Lemma compared_members one other l names : compared_twins one other l names -> tables_right one -> tables_right other -> given (held other) = given (held one) ->
  (forall d, Alike.knows_name (Twins.ahead P (N.to_nat l)) d -> FoldedMembers.has_name P d = true) ->
  FoldedTwins.twin_members P (List.map N.to_nat names) (member_of l one) (member_of l other).
Proof.
  intros [_ _ _ _ Rs Ns Os] [Tr To _] [Tr' To' _] Gi Nm.
  assert (Object : forall m o x, numbered_right (objects_held m) -> find (objects_held m) o = Some x -> FoldedMembers.object_named (member_of l m) (N.to_nat o) = Some (object_of x)).
  { intros m o x Nu F. rewrite object_named_is, N2Nat.id, F. pose proof (Nu o x F). destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m)))); [reflexivity | lia]. }
  split.
  - reflexivity.
  - rewrite !slots_of_member. congruence.
  - intros r Lr Kn. rewrite slots_of_member in Lr. rewrite <- (Nat2N.id r) in Kn |- *. destruct (Rs (N.of_nat r)) as (v & F & T); [lia|]. destruct (T Kn) as [F' L].
    rewrite (slot_at_member l one _ v Tr F), (slot_at_member l other _ v Tr' F'). split; [reflexivity | apply leads_denoted; exact L].
  - intros d Kn. pose proof (Nm d Kn) as Hn. cbn [member_of FoldedMembers.place_of] in Kn. destruct (Ns d Hn) as (x & F & D & Lv & I); [rewrite Nat2N.id; exact Kn|].
    exists (N.to_nat (named x)), (object_of x). split; [apply in_map; exact I|]. split; [apply Object; auto|]. cbn [object_of FoldedMembers.kind FoldedMembers.life_of]. rewrite D, Lv, Nat2N.id. auto.
  - intros o I. apply in_map_iff in I as (k & <- & I). destruct (Os k I) as (x & F & F' & C). exists (object_of x), (object_of x). split; [apply Object; auto|]. split; [apply Object; auto|]. split; auto.
    intros _ f If. apply in_map_iff in If as (y & <- & If). cbn [field_of FoldedMembers.apart]. apply Forall_forall. intros w Iw. apply in_map_iff in Iw as (v & <- & Iv). apply leads_denoted. eapply C; eauto.
Qed.
Theorem twin_shows s c who u s' : sane s c -> whole E c -> is_twin_covered c s = true -> Rules.twin E c who s = Gives u s' ->
  later s s' /\ Herds.sound_twin machine stage shows (Open s c).
Proof.
  intros [Mo Sc] Wc Cv H. unfold Rules.twin, Rules.no_primary, member_at in H. unfold bind at 1 in H. unfold demand at 1 in H. destruct (who =? 0)%N eqn:Wz; [discriminate|].
  cbn [negb] in H. unfold ret at 1 in H. unfold bind at 1 in H. unfold some at 1 in H. destruct (nth (herd c) 0) as [one|] eqn:E1; [|discriminate]. unfold ret at 1 in H.
  unfold bind at 1 in H. unfold some at 1 in H. destruct (nth (herd c) who) as [other|] eqn:E2; [|discriminate]. unfold ret at 1 in H.
  pose proof (nth_in _ _ _ E1) as I1. pose proof (nth_in _ _ _ E2) as I2.
  pose proof (proj1 (proj2 Sc) one (herd_member c one I1)) as T1. pose proof (proj1 (proj2 Sc) other (herd_member c other I2)) as T2.
  apply (compares_peek s one other T1) in H as [-> (l & names & Tw)]. split; [apply later_refl|].
  unfold is_twin_covered in Cv. rewrite E1 in Cv. apply andb_prop in Cv as [Ad Ce]. unfold is_computed in Ce. destruct (cells_stand one s) as [b s1|] eqn:Cs; [subst b|discriminate].
  assert (Nl : ~ Owed.checks_leaks P) by (intros Ck; apply leaks_asked in Ck; rewrite (twin_unasked _ _ _ _ Tw) in Ck; discriminate).
  pose proof (addresses_named Ad) as An. destruct (whole_in E c one Wc I1) as [_ G1]. destruct (whole_in E c other Wc I2) as [_ G2].
  assert (Ms : FoldedTwins.twin_members P (List.map N.to_nat names) (member_of l one) (member_of l other)).
  { eapply compared_members; eauto; [congruence|]. intros d Kn. eapply FoldedTwins.addressed_named; eauto. }
  apply (Twins.twin P under locals Nl). intros t ts [_ (nu & M & phi & S)]. pose proof S as (W & G & _ & _ & A & _). unfold herd_accounts in A.
  destruct (herd c) as [|m ms] eqn:Hc; [destruct A|]. cbn [nth] in E1, E2. rewrite Wz in E2. injection E1 as ->. destruct A as [A B].
  destruct (sized_at P under _ _ _ _ _ _ _ B E2) as (r & Ir & Ar). rewrite (twin_smaller _ _ _ _ Tw) in Ir. destruct A as [A _], Ar as [Ar _]. cbn [counted_of Configurations.stands] in A, Ar.
  rewrite (twin_stands _ _ _ _ Tw) in A. rewrite (twin_stands_too _ _ _ _ Tw) in Ar. destruct A as (st & L & D), Ar as (st' & L' & D').
  destruct (cells_peek nu tabs s M one G (objects_numbered one T1) _ _ Cs) as [_ Cells].
  destruct (FoldedTwins.twins_denoted P An (symbols_of c) (valued M) phi (List.map N.to_nat names) _ _ Ms) with (s := st) (s' := st') as [rho Al]; [ | exact D | exact D' | exists r, st, st', rho; auto].
  intros o x _ Nx Lv. rewrite object_named_is in Nx. destruct (Nat.ltb_spec o (N.to_nat (given (objects_held one)))) as [Lo|]; [|discriminate].
  destruct (find (objects_held one) (N.of_nat o)) as [y|] eqn:F; [|discriminate]. injection Nx as <-. apply (Cells eq_refl (N.of_nat o) y F).
  cbn [object_of FoldedMembers.life_of] in Lv. destruct (life_of y); [reflexivity | discriminate].
Qed.
End TwinShown.
