(** Where instructions lead (spec/calculus.md#paths): that the machine goes on to no other
    location; that an outcome which does not fail leads to one of these, whatever the member
    is, and that Step puts the primary there. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Programs Machine.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Stepping Denoting Closing.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope N_scope.

(** The instruction at the first location may go on to the second one. *)
Definition goes_on_to (i : instruction) (l k : N) : Prop := match i with
  | Jump target => k = target
  | Branch _ a b | Choose a b => k = a \/ k = b
  | Halt | Fail _ | Ignore => False
  | _ => k = N.succ l end.

Theorem machine_goes_on (Q : program) under st d st' i : List.nth_error (instructions Q) (Machine.location st) = Some i ->
  Machine.step (Translated.program_of Q) under st d = Machine.Ok st' -> goes_on_to i (N.of_nat (Machine.location st)) (N.of_nat (Machine.location st')).
Proof.
  intros At. unfold Machine.step. cbn [Translated.program_of Programs.instructions]. rewrite nth_error_map, At. cbn [option_map].
  destruct i; cbn [Translated.instruction_of goes_on_to];
    unfold Machine.assign, Machine.compute_in, Machine.address, Machine.advance, Machine.distance, Machine.load, Machine.store, Machine.allocate, Machine.free,
      Machine.enter, Machine.leave, Machine.check_leaks, Machine.kill_current, Machine.fails; intros H;
    repeat match goal with
    | H : Machine.bind ?x _ = _ |- _ => destruct x as [?|?]; cbn [Machine.bind] in H
    | H : Machine.Stop _ = Machine.Ok _ |- _ => discriminate H
    | H : Machine.Ok _ = Machine.Ok _ |- _ => injection H as <-
    | H : (if ?b then _ else _) = Machine.Ok _ |- _ => destruct b
    | H : match ?x with _ => _ end = Machine.Ok _ |- _ => destruct x end;
    cbn [Machine.go Machine.location Machine.create]; try (simpl; lia).
  1, 2: destruct (_ : bool); rewrite N2Nat.id; auto.
  all: destruct (List.nth _ _ _); simpl; lia.
Qed.

(** ** What computations give, whatever the terms are *)

Definition yields {A} (c : computes A) (Q : A -> Prop) : Prop := forall s a s', c s = Gives a s' -> Q a.
Lemma yields_bind {A B} (c : computes A) (f : A -> computes B) P Q : yields c P -> (forall a, P a -> yields (f a) Q) -> yields (bind c f) Q.
Proof. intros H F s b s'. unfold bind. destruct (c s) as [a s1|] eqn:C; [|discriminate]. apply F. eapply H. exact C. Qed.
Lemma yields_any {A B} (c : computes A) (f : A -> computes B) Q : (forall a, yields (f a) Q) -> yields (bind c f) Q.
Proof. intros H. apply (yields_bind c f (fun _ => True)); [intros ? ? ? _; exact I | auto]. Qed.
Lemma yields_ret {A} (a : A) (Q : A -> Prop) : Q a -> yields (ret a) Q.
Proof. intros H s b s' [= <- _]. exact H. Qed.
Lemma yields_refuses {A} r (Q : A -> Prop) : yields (refuses r) Q.
Proof. intros s a s' [=]. Qed.
Lemma yields_some {A} (x : option A) r (Q : A -> Prop) : (forall a, x = Some a -> Q a) -> yields (some x r) Q.
Proof. intros H. destruct x; [apply yields_ret; auto | apply yields_refuses]. Qed.
Lemma yields_demand b r (Q : unit -> Prop) : (b = true -> Q tt) -> yields (demand b r) Q.
Proof. intros H. destruct b; [apply yields_ret; auto | apply yields_refuses]. Qed.
Lemma yields_mapped {A B} (f : A -> computes B) (Q : B -> Prop) l : (forall a, yields (f a) Q) -> yields (mapped f l) (Forall Q).
Proof.
  intros H. induction l as [|a l IH]; cbn [mapped]; [apply yields_ret; constructor|].
  eapply yields_bind; [apply H|]. intros b Qb. eapply yields_bind; [exact IH|]. intros bs Qs. apply yields_ret. constructor; auto.
Qed.
Lemma yields_folded {A B} (f : B -> A -> computes B) (Q : B -> Prop) l : (forall b a, Q b -> yields (f b a) Q) -> forall b, Q b -> yields (folded_left f l b) Q.
Proof.
  intros H. induction l as [|a l IH]; intros b Qb; cbn [folded_left]; [apply yields_ret; exact Qb|].
  eapply yields_bind; [apply H; exact Qb | auto].
Qed.
Lemma yields_goes_on {A B} (c : computes (option A)) (f : A -> computes (option B)) (Q : option B -> Prop) : Q None -> (forall a, yields (f a) Q) -> yields (goes_on c f) Q.
Proof. intros N H. apply yields_any. intros [a|]; [apply H | apply yields_ret; exact N]. Qed.

(** ** Outcomes *)

(** The effect leads to one of these locations, or changes something and leads to the next
    instruction. *)
Definition only_to (P : N -> Prop) (o : outcome) : Prop := match effect_of o with Goes k => P k | _ => True end.
Definition never (k : N) : Prop := False.
Definition listed_to (P : N -> Prop) (os : option (list outcome)) : Prop := match os with Some os => Forall (only_to P) os | None => True end.
(** It goes there, or fails. *)
Definition jumps (P : N -> Prop) (o : outcome) : Prop := match effect_of o with Goes k => P k | FailsHere => True | _ => False end.
Definition listed_jumps (P : N -> Prop) (os : option (list outcome)) : Prop := match os with Some os => Forall (jumps P) os | None => True end.

Lemma failing_to P ls : Forall (only_to P) (failing ls).
Proof. apply Forall_forall. intros o I. apply in_map_iff in I as (l & <- & _). exact Logic.I. Qed.
Lemma cases_to P r cs : Forall (only_to P) (set_cases r cs).
Proof. apply Forall_forall. intros o I. apply in_map_iff in I as ([ls [v|]] & <- & _); exact Logic.I. Qed.
Lemma concat_all {A} (Q : A -> Prop) ls : Forall (Forall Q) ls -> Forall Q (List.concat ls).
Proof. induction 1; simpl; [constructor | apply Forall_app; auto]. Qed.
Create HintDb leading.
#[local] Hint Resolve failing_to cases_to concat_all : leading.
#[local] Hint Constructors Forall : leading.
Ltac listed := repeat match goal with
  | |- Forall _ (_ ++ _) => apply Forall_app; split
  | |- Forall _ (if ?x then _ else _) => destruct x
  | |- Forall _ (match ?x with _ => _ end) => destruct x
  | |- Forall _ (_ :: _) => constructor
  | |- Forall _ [] => constructor end; auto with leading; try exact I.
(** Whatever comes before, what is given in the end is such a list. *)
Ltac through := repeat (cbv beta zeta; match goal with
  | |- yields (goes_on _ _) _ => apply yields_goes_on; [exact I | intros ?]
  | |- yields (bind _ _) _ => apply yields_any; intros ?
  | |- yields (refuses _) _ => apply yields_refuses
  | |- yields stops _ => apply yields_ret; exact I
  | |- yields (gives _) _ => apply yields_ret; simpl; listed
  | |- yields (ret _) _ => apply yields_ret; simpl; listed
  | |- yields (if ?x then _ else _) _ => destruct x
  | |- yields (match ?x with _ => _ end) _ => destruct x end).

Section Outcomes.
Variable E : setting.
Variable m : member_state.
Notation lists P c := (yields c (listed_to P)).

Lemma sets_to P r v : lists P (sets r v).
Proof. unfold sets, always. through. Qed.
Lemma either_to P l e f : only_to P (exact [] e) -> only_to P (exact [] f) -> lists P (either l e f).
Proof. intros A B. unfold either. through. Qed.
Lemma assigns_to P r o : lists P (assigns E m r o).
Proof. unfold assigns. through; apply sets_to. Qed.
Lemma opaque_to P r op T s t : lists P (opaque E r op T s t).
Proof.
  unfold opaque. apply yields_any. intros u. eapply yields_bind with (P := fun x => Forall (only_to P) (snd x)).
  - through.
  - intros [under others] H. simpl in H. through.
Qed.
Lemma computes_to_to P r op a b : lists P (computes_to E m r op a b).
Proof. unfold computes_to, beyond_sums. through; apply opaque_to. Qed.
Lemma advances_to P r b i k : lists P (advances E m r b i k).
Proof. unfold advances. through; try apply sets_to; apply either_to; exact I. Qed.
Lemma distances_to P r a b k : lists P (distances E m r a b k).
Proof. unfold distances. through. Qed.
Lemma loads_to P r a off : lists P (loads E m r a off).
Proof.
  unfold loads. apply yields_any. intros access. apply yields_goes_on; [exact I|]. intros t.
  eapply yields_bind; [apply yields_mapped with (Q := Forall (only_to P)); intros [[ls e] v]; apply yields_any; intros vs; apply yields_ret|].
  - apply Forall_forall. intros o J. apply in_map_iff in J as ([more w] & <- & _). exact I.
  - intros os H. through.
Qed.
Lemma stores_to P a off r : lists P (stores E m a off r).
Proof.
  unfold stores. apply yields_any. intros access. apply yields_goes_on; [exact I|]. intros t. apply yields_any. intros x. apply yields_any. intros d.
  destruct (is_read_only _); [apply yields_ret; exact I|]. apply yields_any. intros v. apply yields_any. intros _. apply yields_any. intros vs.
  eapply yields_bind; [apply yields_mapped with (Q := Forall (only_to P)); intros [[ls e] w]; apply yields_mapped; intros [more u]; apply yields_any; intros _; apply yields_ret; exact I|].
  intros os H. through.
Qed.
Lemma addresses_to P r d : lists P (addresses m r d).
Proof. unfold addresses. destruct (live m d); [apply sets_to | apply yields_refuses]. Qed.
Lemma allocates_to P r d b f : lists P (allocates E m r d b f).
Proof.
  unfold allocates. apply yields_goes_on; [exact I|]. intros n. do 7 (apply yields_any; intros ?). unfold goes_on.
  eapply yields_bind; [apply (either_to P); exact I|]. intros [os|] H; simpl in H; [|apply yields_ret; exact I]. through.
Qed.
Lemma frees_to r next_ : lists (eq next_) (frees E m r next_).
Proof. unfold frees, always. through; try reflexivity; apply either_to; exact I. Qed.
Lemma enters_to P d : lists P (enters E d).
Proof. unfold enters, always. through. Qed.
Lemma leaves_to d next_ : lists (eq next_) (leaves m d next_).
Proof. unfold leaves, always. through. reflexivity. Qed.
Lemma checks_leaks_to rs next_ : lists (eq next_) (checks_leaks E m rs next_).
Proof. unfold checks_leaks, always. through. reflexivity. Qed.
Lemma branches_jump c yes no : yields (branches E m c yes no) (listed_jumps (fun k => k = yes \/ k = no)).
Proof.
  unfold branches, compares_pointers, either, always. through; unfold jumps; simpl; auto.
  all: apply Forall_forall; intros o J; apply in_flat_map in J as (l & _ & [<-|[<-|[]]]); simpl; auto.
Qed.

(** ** All instructions *)

(** Where an outcome leads, if it does not fail. *)
Definition leads (i : instruction) (l : N) (o : outcome) : Prop := match effect_of o with
  | FailsHere => True | Goes k => goes_on_to i l k | _ => goes_on_to i l (N.succ l) end.
Lemma jumps_lead i l (P : N -> Prop) os : (forall k, P k -> goes_on_to i l k) -> listed_jumps P os -> match os with Some os => Forall (leads i l) os | None => True end.
Proof.
  intros H. destruct os as [os|]; auto. apply Forall_impl. intros o. unfold jumps, leads. destruct (effect_of o); auto; contradiction.
Qed.
Lemma straight_lead i l (P : N -> Prop) os : goes_on_to i l (N.succ l) -> (forall k, P k -> k = N.succ l) -> listed_to P os -> match os with Some os => Forall (leads i l) os | None => True end.
Proof.
  intros G H. destruct os as [os|]; auto. apply Forall_impl. intros o. unfold only_to, leads. destruct (effect_of o); auto. intros Pk. rewrite (H _ Pk). exact G.
Qed.
Lemma yields_weaker {A} (c : computes A) (P Q : A -> Prop) : yields c P -> (forall a, P a -> Q a) -> yields c Q.
Proof. intros H F s a s' C. apply F. eapply H. exact C. Qed.
Lemma instruction_leads i l : yields (list_of_instruction E m i (N.succ l)) (fun os => match os with Some os => Forall (leads i l) os | None => True end).
Proof.
  assert (S : forall c (P : N -> Prop), goes_on_to i l (N.succ l) -> (forall k, P k -> k = N.succ l) -> lists P c -> yields c (fun os => match os with Some os => Forall (leads i l) os | None => True end)).
  { intros c P G H L. eapply yields_weaker; [exact L|]. intros os. apply straight_lead; auto. }
  assert (F : forall c, goes_on_to i l (N.succ l) -> lists never c -> yields c (fun os => match os with Some os => Forall (leads i l) os | None => True end)).
  { intros c G. apply S; auto. intros k []. }
  assert (N : forall k, N.succ l = k -> k = N.succ l) by auto.
  destruct i; cbn [list_of_instruction]; try (apply yields_refuses); try (apply yields_ret; exact I).
  - unfold always. apply yields_ret. listed. reflexivity.
  - eapply yields_weaker; [apply branches_jump|]. intros os. apply jumps_lead. auto.
  - apply yields_ret. listed; unfold leads; simpl; auto.
  - apply F; [reflexivity | apply assigns_to].
  - apply F; [reflexivity | apply computes_to_to].
  - apply F; [reflexivity | unfold always; through].
  - apply F; [reflexivity | apply sets_to].
  - apply F; [reflexivity | apply sets_to].
  - apply F; [reflexivity | through; apply sets_to].
  - apply F; [reflexivity | apply addresses_to].
  - apply F; [reflexivity | apply advances_to].
  - apply F; [reflexivity | apply distances_to].
  - apply F; [reflexivity | apply loads_to].
  - apply F; [reflexivity | apply stores_to].
  - apply F; [reflexivity | apply allocates_to].
  - apply (S _ (eq (N.succ l))); [reflexivity | exact N | apply frees_to].
  - apply F; [reflexivity | apply enters_to].
  - apply (S _ (eq (N.succ l))); [reflexivity | exact N | apply leaves_to].
  - apply (S _ (eq (N.succ l))); [reflexivity | exact N | apply checks_leaks_to].
Qed.
End Outcomes.

(** ** Rules *)

(** The primary's place. *)
Definition primary_at (p : place) (c : configuration) : Prop := exists m, nth (herd c) 0 = Some m /\ place_of m = p.
Definition may_stand (i : instruction) (l : N) (c : configuration) : Prop := primary_at HasFailed c \/ exists k, goes_on_to i l k /\ primary_at (At k) c.

Section Rules.
Variable E : setting.

Lemma member_yields c n : yields (member_at c n) (fun m => nth (herd c) n = Some m).
Proof. unfold member_at. apply yields_some. auto. Qed.
Lemma place_set c m p : nth (herd c) 0 <> None -> place_of m = p -> primary_at p (set_member c 0 m).
Proof. intros H P. unfold primary_at, set_member. simpl. destruct (herd c); [contradiction|]. exists m. auto. Qed.
Lemma assumed_herd c ls : yields (folded_left assume ls c) (fun d => herd d = herd c).
Proof.
  apply (yields_folded assume (fun d => herd d = herd c)); [|reflexivity]. intros d l H. unfold assume. apply yields_any. intros e. apply yields_ret.
  destruct (_ || _); exact H.
Qed.
(** Behind an effect the primary is where it leads. *)
Lemma perform_stands c env e l m : nth (herd c) 0 = Some m -> place_of m = At l ->
  yields (perform E c env 0 e) (fun x => primary_at match e with FailsHere => HasFailed | Goes k => At k | _ => At (N.succ l) end (fst x)).
Proof.
  intros H Pl. unfold perform. eapply yields_bind; [apply member_yields|]. intros m' H'. assert (m' = m) as -> by congruence. rewrite Pl.
  eapply yields_bind with (P := fun n => n = N.succ l).
  { intros s a s'. unfold next_number. destruct (_ <? _); [intros [= <- _]; reflexivity | discriminate]. }
  intros next_ ->. apply yields_any. intros _.
  eapply yields_bind with (P := fun x => snd x = match e with FailsHere => HasFailed | Goes k => At k | _ => At (N.succ l) end).
  { destruct e; through; reflexivity. }
  intros [[c1 env1] p] Ep. simpl in Ep. subst p. apply yields_any. intros c2. eapply yields_bind; [apply member_yields|]. intros m2 H2.
  apply yields_ret. apply place_set; [congruence | reflexivity].
Qed.
Lemma follow_stands c o i l m : nth (herd c) 0 = Some m -> place_of m = At l -> leads i l o -> yields (follow E c 0 o) (may_stand i l).
Proof.
  intros H Pl Le. unfold follow. eapply yields_bind; [apply assumed_herd|]. intros c1 H1. cbn [N.eqb].
  eapply yields_bind; [apply (perform_stands _ _ (effect_of o) l m); [simpl; rewrite H1; exact H | exact Pl]|].
  intros [c2 env] St. apply yields_ret. simpl in St. unfold leads in Le. destruct (effect_of o); [right | right | left | right | right | right | right]; eauto.
Qed.
Lemma kept_outcomes (os : list outcome) : yields (Rules.not_excluded os) (fun kept => forall n o, In (n, o) kept -> In o os).
Proof.
  unfold Rules.not_excluded. set (all := List.combine (numbers_from 0 (length os)) os).
  enough (F : forall l kept, (forall p, In p l -> In p all) -> (forall p : N * outcome, In p kept -> In p all) ->
    yields (folded_left (fun kept '(n, o) => let$ x := is_excluded o in ret (if x then kept else kept ++ [(n, o)])) l kept) (fun kept => forall p, In p kept -> In p all)).
  { eapply yields_weaker; [apply F; [auto | intros ? []]|]. intros kept K n o J. apply K in J. apply in_combine_r in J. exact J. }
  induction l as [|[n o] l IH]; intros kept L K; cbn [folded_left]; [apply yields_ret; exact K|].
  eapply yields_bind with (P := fun kept => forall p : N * outcome, In p kept -> In p all); [|intros kept' K'; apply IH; [intros p J; apply L; right; exact J | exact K']].
  apply yields_any. intros x. apply yields_ret. destruct x; [exact K|]. intros p J. apply in_app_or in J as [J|[<-|[]]]; [auto|]. apply L. left. reflexivity.
Qed.
Lemma open_outcomes c os : forall refuted, yields (Rules.still_open c os refuted) (fun l => forall o, In o l -> exists n, In (n, o) os).
Proof.
  induction os as [|[n o] os IH]; intros refuted; cbn [Rules.still_open]; [apply yields_any; intros _; apply yields_ret; intros ? []|].
  assert (Keep : forall rs, yields (let$ l := Rules.still_open c os rs in ret (o :: l)) (fun l => forall o', In o' l -> exists n', In (n', o') ((n, o) :: os))).
  { intros rs. eapply yields_bind; [apply IH|]. intros l H. apply yields_ret. intros o' [<-|J]; [exists n; left; reflexivity|]. destruct (H o' J) as (k & K). exists k. right. exact K. }
  destruct refuted as [|r rs]; [apply Keep|]. destruct (r =? n); [|apply Keep]. apply yields_any. intros _.
  eapply yields_weaker; [apply IH|]. intros l H o' J. destruct (H o' J) as (k & K). exists k. right. exact K.
Qed.
Theorem step_stands c refuted l i : primary_at (At l) c -> at_position (code E) l = Some i -> yields (Rules.step E c refuted) (Forall (may_stand i l)).
Proof.
  intros (m & H & Pl) At. unfold Rules.step. eapply yields_bind; [apply member_yields|]. intros m' H'. assert (m' = m) as -> by congruence.
  eapply yields_bind with (P := Forall (leads i l)).
  { unfold outcomes. rewrite Pl. cbn [instruction_at]. rewrite At. eapply yields_bind; [apply yields_some with (Q := fun x => x = i); congruence|]. intros ? ->.
    eapply yields_bind with (P := fun n => n = N.succ l).
    { intros s a s'. unfold next_number. destruct (_ <? _); [intros [= <- _]; reflexivity | discriminate]. }
    intros next_ ->. eapply yields_bind; [apply instruction_leads|]. intros [os|] Le; apply yields_ret; auto. }
  intros os Le. rewrite Forall_forall in Le. eapply yields_bind; [apply kept_outcomes|]. intros kept K. eapply yields_bind; [apply open_outcomes|]. intros left_ O.
  assert (All : Forall (leads i l) left_) by (apply Forall_forall; intros o J; destruct (O o J) as (n & J'); exact (Le o (K n o J'))).
  clear - H Pl All. induction All as [|o os Lo _ IH]; cbn [mapped]; [apply yields_ret; constructor|].
  eapply yields_bind; [eapply follow_stands; eauto|]. intros c' S. eapply yields_bind; [exact IH|]. intros cs Ss. apply yields_ret. constructor; auto.
Qed.
End Rules.
