(** That outcomes of instructions on pointers, and of loads, mention variables in scope alone
    (spec/calculus.md#outcomes), and so those of all instructions that are covered. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine FoldedMembers Configurations Members.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums PointerLists Places LoadLists LeakLists Moving RegisterScopes.
Import ListNotations.
Open Scope Z_scope.

Section Scopes.
Variable E : setting.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Variable tabs : indexed table.
Variable sc : scope.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Notation term_within s t := (part_within s sc (LinearPart t)).
Notation literal_within s l := (part_within s sc (LinearPart (term_of l))).
Notation all_within := (all_within sc).
Notation outcome_within := (outcome_within sc).
Notation outcomes_within := (outcomes_within sc).
Notation cases_within := (cases_within sc).
Notation scoped x s M := (meets s M x (fun os s' _ => outcomes_within s' (shown os))).
Notation kept_within := (kept_within sc).
Variable m : member_state.
(** All that registers and objects mention. *)
Definition tables_within (s : state) : Prop := (forall r v, find (held m) r = Some v -> forall p, In p (slot_terms v) -> part_within s sc p) /\
  forall o x, find (objects_held m) o = Some x -> forall p, In p (object_terms x) -> part_within s sc p.
Lemma tables_later s M s' M' : keeps s M s' M' -> tables_within s -> tables_within s'.
Proof. intros K [A B]. split; [intros r v F p I; exact (kept_within _ _ _ _ _ K (A r v F p I)) | intros o x F p I; exact (kept_within _ _ _ _ _ K (B o x F p I))]. Qed.

(** ** Pointers that are used *)

Definition spot_within (s : state) (p : option spot) : Prop := match p with Some (_, i, _) => term_within s i | None => True end.
Lemma spot_later s M s' M' p : keeps s M s' M' -> spot_within s p -> spot_within s' p.
Proof. intros K. destruct p as [[[o i] b]|]; simpl; auto. exact (kept_within _ _ _ _ _ K). Qed.
Lemma pointer_looks s r : tables_within s -> peeks s (used_pointer m r) (fun x => match x with Some p => spot_within s p | None => True end).
Proof.
  intros [A _]. unfold used_pointer. eapply peeks_goes with (Q := fun x => match x with Some v => find (held m) r = Some v | None => True end).
  - unfold used. eapply peeks_bind; [apply register_slot_peek|]. intros v F. cbn beta in F. destruct v; try apply peeks_refuses; apply peeks_ret; auto.
  - intros v F. destruct v as [| |u| |o i b|f|f]; try apply peeks_refuses; [apply peeks_ret; exact I|].
    eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto|]. intros x _. destruct (is_live (life_of x)); apply peeks_ret; [|exact I]. apply (A r _ F). left. reflexivity.
  - auto.
Qed.
Lemma side_looks s o : tables_within s -> peeks s (used_side m o) (fun x => match x with Some p => spot_within s p | None => True end).
Proof. intros A. destruct o as [r|]; [apply pointer_looks; exact A | apply peeks_ret; exact I]. Qed.
Lemma size_looks s o : peeks s (size_held E m o) (fun _ => True).
Proof.
  unfold size_held, layout_held, layout_in, object_in, object_state_at. eapply peeks_bind with (P := fun _ => True); [|intros; apply peeks_ret; exact I].
  eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto|]. intros ? _. eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto | intros; apply peeks_some; auto].
Qed.
Lemma whole_within s M bytes size u : good s M -> term_within s bytes -> meets s M (whole bytes size u) (fun x s' _ => term_within s' (fst x)).
Proof.
  intros G H. unfold whole. eapply meets_peek with (P := fun _ => True); [intros y s' Ey; split; [eapply linear_peek; eauto | exact I]|]. intros y _. eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
  eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _. eapply meets_peek with (P := fun _ => True); [unfold rest_of; destruct (0 <? size); [apply peeks_ret | apply peeks_refuses]; exact I|]. intros r _.
  eapply meets_bind; [apply (quotient_within nu tabs sc); [exact G | exact H]|]. intros q s1 M1 G1 K1 Wq. apply meets_ret; auto.
Qed.
Lemma outside_within s M o i past : good s M -> tables_within s -> term_within s i -> meets s M (outside m o i past) (fun out s' K => keeps s M s' K /\ all_within s' out).
Proof.
  intros G T H. apply meets_also_kept. unfold outside, object_state_at. eapply meets_peek; [apply (peeks_some s _ _ (fun y => find (objects_held m) o = Some y)); auto|]. intros x F. cbn beta in F.
  pose proof (proj2 T o x F (LinearPart (lower x)) (or_introl eq_refl)) as Wl. pose proof (proj2 T o x F (LinearPart (upper x)) (or_intror (or_introl eq_refl))) as Wu.
  eapply meets_bind; [apply (plus_within nu tabs sc); [exact G | exact Wu]|]. intros end_ s1 M1 G1 K1 We.
  eapply meets_bind; [apply less_within; [exact G1 | exact (kept_within _ _ _ _ _ K1 H) | exact (kept_within _ _ _ _ _ K1 Wl)]|]. intros below s2 M2 G2 K2 Wb. pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K02.
  unfold at_most. eapply meets_bind with (P := fun k s' K => literal_within s' k /\ keeps s2 M2 s' K).
  { eapply meets_bind; [apply meets_also_kept, (difference_within nu tabs sc); [exact G2 | exact (kept_within _ _ _ _ _ K2 We) | exact (kept_within _ _ _ _ _ K02 H)]|]. intros d s3 M3 G3 _ [K3 Wd]. apply meets_ret; auto. }
  intros above s3 M3 G3 _ [Wa K3]. eapply meets_weaker; [apply looked; [exact G3 | eapply filter_false_peek; eauto]|]. intros out s4 M4 _ _ (-> & -> & Inc & _).
  intros k I. destruct (Inc k I) as [<-|[<-|[]]]; [exact (kept_within _ _ _ _ _ K3 Wb) | exact Wa].
Qed.
Lemma negations_within ls : forall s M, good s M -> all_within s ls -> meets s M (negations ls) (fun ns s' K => keeps s M s' K /\ all_within s' ns).
Proof.
  unfold negations. induction ls as [|k ls IH]; intros s M G H; cbn [mapped]; [apply meets_ret; auto; split; [apply keeps_refl | intros ? []]|].
  eapply meets_bind; [apply (negate_within nu tabs sc); [exact G | apply H; left; auto]|]. intros n s1 M1 G1 K1 Wn.
  eapply meets_bind; [apply IH; [exact G1 | intros j J; exact (kept_within _ _ _ _ _ K1 (H j (or_intror J)))]|]. intros ns s2 M2 G2 _ [K2 W2]. apply meets_ret; auto.
  split; [eapply keeps_trans; eauto|]. intros j [<-|J]; [exact (kept_within _ _ _ _ _ K2 Wn) | exact (W2 j J)].
Qed.
Lemma failing_within s out : all_within s out -> outcomes_within s (failing out).
Proof.
  intros H o I. unfold failing in I. apply in_map_iff in I as (k & <- & I). split; [intros j [<-|[]]; exact (H k I)|]. intros ? [].
Qed.
Lemma gap_within s M p q : good s M -> spot_within s p -> spot_within s q -> meets s M (gap E m p q) (fun x s' K => keeps s M s' K /\ match x with Some (t, _) => term_within s' t | None => True end).
Proof.
  intros G Hp Hq. apply meets_also_kept. assert (None_ : meets s M (ret None) (fun x s' _ => match x with Some (t, _) => term_within s' t | None => True end)) by (apply (meets_ret nu tabs s M (@None (N * Z))); auto).
  unfold gap. destruct p as [[[o i] b]|]; [|exact None_]. destruct q as [[[o' j] b']|]; [|exact None_]. simpl in Hp, Hq. destruct (o =? o')%N; [|exact None_].
  eapply meets_peek; [apply size_looks|]. intros size _. eapply meets_peek; [apply peeks_small|]. intros bytes _.
  destruct (if bytes =? 0 then (size, 1) else (1, size)) as [unit_ scale]. eapply meets_bind; [apply (combine_within nu tabs sc); [exact G | apply two_parts; auto]|]. intros t s1 M1 G1 K1 Wt. apply meets_ret; auto.
Qed.

(** ** Instructions *)

Lemma address_within s M r d : good s M -> tables_within s -> scoped (addresses m r d) s M.
Proof.
  intros G [_ B]. unfold addresses. destruct (live m d) as [y|] eqn:Lv; [|apply meets_refuses]. unfold live in Lv. destruct (List.find _ _) as [[o z]|] eqn:Fi; [|discriminate]. injection Lv as ->.
  apply find_some in Fi as [I _]. apply in_order_in in I as [_ F]. apply sets_within; [exact G|]. intros p [<-|[]]. apply (B o y F). left. reflexivity.
Qed.
Lemma advance_within s M r b n scale : good s M -> tables_within s -> scoped (advances E m r b n scale) s M.
Proof.
  intros G T. unfold advances. eapply meets_looks; [exact G | apply pointer_looks; exact T | | intros; apply fails_within]. intros p Wp.
  eapply meets_goes; [apply meets_also_kept, (used_within nu tabs sc m); [exact G | exact (proj1 T)]| |intros; apply fails_within]. intros t s1 M1 G1 _ [K1 Wt]. cbn beta iota in Wt.
  destruct p as [[[o j] byte]|].
  - simpl in Wp. eapply meets_bind; [apply (combine_within nu tabs sc); [exact G1 | apply one_part; exact Wt]|]. intros bytes s2 M2 G2 K2 Wb. eapply meets_peek; [apply size_looks|]. intros size _.
    eapply meets_bind; [apply whole_within; [exact G2 | exact Wb]|]. intros [elements rest] s3 M3 G3 K3 We. cbn [fst] in We. pose proof (keeps_trans _ _ _ _ _ _ K1 (keeps_trans _ _ _ _ _ _ K2 K3)) as K03.
    eapply meets_bind; [apply (combine_within nu tabs sc); [exact G3 | apply two_parts; [exact (kept_within _ _ _ _ _ K03 Wp) | exact We]]|]. intros j' s4 M4 G4 K4 Wj. pose proof (keeps_trans _ _ _ _ _ _ K03 K4) as K04.
    destruct (formation (parameters_in E)); [apply sets_within; [exact G4 | intros p [<-|[]]; exact Wj]|].
    eapply meets_bind; [apply outside_within; [exact G4 | exact (tables_later _ _ _ _ K04 T) | exact Wj]|]. intros out s5 M5 G5 _ [K5 Wo].
    eapply meets_bind; [apply negations_within; [exact G5 | exact Wo]|]. intros ns s6 M6 G6 _ [K6 Wn]. apply meets_ret; auto. cbn [shown]. intros x [<-|I].
    + split; [exact Wn|]. intros p [<-|[]]; exact (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K5 K6) Wj).
    + revert x I. apply failing_within. intros k I. exact (kept_within _ _ _ _ _ K6 (Wo k I)).
  - eapply meets_bind with (P := fun k s' _ => literal_within s' k); [unfold relation_literal; eapply meets_bind; [apply (plus_within nu tabs sc); [exact G1 | exact Wt]|]; intros v s2 M2 G2 K2 Wv; apply meets_ret; auto|].
    intros k s2 M2 G2 K2 Wk. unfold either. eapply meets_bind; [apply (negate_within nu tabs sc); auto|]. intros q s3 M3 G3 K3 Wq. apply meets_ret; auto.
    apply both_within; auto. exact (kept_within _ _ _ _ _ K3 Wk).
Qed.
Lemma distance_within s M r a b scale : good s M -> tables_within s -> scoped (distances E m r a b scale) s M.
Proof.
  intros G T. unfold distances. eapply meets_looks; [exact G | apply pointer_looks; exact T | | intros; apply fails_within]. intros p Wp.
  eapply meets_looks; [exact G | apply pointer_looks; exact T | | intros; apply fails_within]. intros q Wq.
  eapply meets_bind; [apply gap_within; eauto|]. intros x s1 M1 G1 _ [K1 Wx].
  assert (Fin : forall s2 M2 t, good s2 M2 -> term_within s2 t -> scoped (let$ cs := checked_to t (type_range I64) in gives (set_cases r cs)) s2 M2).
  { intros s2 M2 t G2 Wt. eapply meets_bind; [apply (checked_within nu tabs sc); [exact G2 | exact Wt]|]. intros cs s3 M3 G3 K3 Wc. apply meets_ret; auto. apply set_cases_within. exact Wc. }
  assert (St : scoped stops s1 M1) by (apply meets_ret; auto; apply fails_within).
  destruct x as [[t unit_]|].
  - eapply meets_bind; [apply (combine_within nu tabs sc); [exact G1 | apply one_part; exact Wx]|]. intros bytes s2 M2 G2 K2 Wb.
    eapply meets_bind; [apply whole_within; [exact G2 | exact Wb]|]. intros [t' rest] s3 M3 G3 K3 Wt. eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _. apply Fin; auto.
  - destruct p, q; try exact St. eapply meets_bind; [apply (constant_within nu tabs sc); exact G1|]. intros zero s2 M2 G2 K2 Wz. apply Fin; auto.
Qed.
Lemma outside_of_within s M past p : good s M -> tables_within s -> spot_within s p -> meets s M (outside_of m past p) (fun out s' K => keeps s M s' K /\ all_within s' out).
Proof.
  intros G T H. destruct p as [[[o i] b]|]; simpl; [apply outside_within; auto | apply meets_ret; auto; split; [apply keeps_refl | intros ? []]].
Qed.
Lemma compared_within s M r a b yes no : good s M -> tables_within s -> scoped (compares_pointers E m r a b (Goes yes) (Goes no)) s M.
Proof.
  intros G T. unfold compares_pointers. eapply meets_looks; [exact G | apply side_looks; exact T | | intros; apply fails_within]. intros p Wp.
  eapply meets_looks; [exact G | apply side_looks; exact T | | intros; apply fails_within]. intros q Wq.
  eapply meets_bind; [apply gap_within; eauto|]. intros x s1 M1 G1 _ [K1 Wx]. destruct x as [[t unit_]|].
  - eapply meets_bind with (P := fun k s' _ => literal_within s' k); [unfold relation_literal; eapply meets_bind; [apply (plus_within nu tabs sc); [exact G1 | exact Wx]|]; intros v s2 M2 G2 K2 Wv; apply meets_ret; auto|].
    intros k s2 M2 G2 K2 Wk. unfold either. eapply meets_bind; [apply (negate_within nu tabs sc); auto|]. intros n s3 M3 G3 K3 Wn. apply meets_ret; auto.
    apply both_within; auto. exact (kept_within _ _ _ _ _ K3 Wk).
  - assert (St : scoped stops s1 M1) by (apply meets_ret; auto; apply fails_within). destruct r; try exact St.
    eapply meets_bind; [apply outside_of_within; [exact G1 | exact (tables_later _ _ _ _ K1 T) | exact (spot_later _ _ _ _ _ K1 Wp)]|]. intros out s2 M2 G2 _ [K2 W2]. pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K02.
    eapply meets_bind; [apply outside_of_within; [exact G2 | exact (tables_later _ _ _ _ K02 T) | exact (spot_later _ _ _ _ _ K02 Wq)]|]. intros out' s3 M3 G3 _ [K3 W3].
    assert (Wb : all_within s3 (out ++ out')) by (intros k I; apply in_app_or in I as [I|I]; [exact (kept_within _ _ _ _ _ K3 (W2 k I)) | exact (W3 k I)]).
    assert (L : scoped (let$ within_ := negations (out ++ out') in gives (exact within_ (Goes no) :: answers_below (out ++ out') yes no)) s3 M3).
    { eapply meets_bind; [apply negations_within; [exact G3 | exact Wb]|]. intros ns s4 M4 G4 _ [K4 W4]. apply meets_ret; auto. cbn [shown]. intros o [<-|I]; [split; [exact W4|]; intros ? []|].
      unfold answers_below in I. apply in_flat_map in I as (k & I & [<-|[<-|[]]]); (split; [intros j [<-|[]]; exact (kept_within _ _ _ _ _ K4 (Wb k I))|]); (intros ? []). }
    destruct p, q; try exact L. apply meets_ret; auto. apply one_within, plain_within; reflexivity.
Qed.
(** ** Loads *)

Notation slot_within s v := (forall p, In p (slot_terms v) -> part_within s sc p).
Lemma array_within_peek s a : part_within s sc (ArrayPart a) -> peeks s (array_at a) (fun x => forall p, In p (parts_of_array x) -> part_within s sc p).
Proof.
  intros H. inversion H as [|n x Nx Ox Wx En]; subst. unfold array_at, look_up. eapply peeks_bind with (P := fun y => y = x); [|intros ? ->; apply peeks_ret; exact Wx].
  intros y s'. rewrite Nx. intros [= <- <-]. auto.
Qed.
Lemma select_in_within fuel : forall s M a i, good s M -> part_within s sc (ArrayPart a) -> term_within s i -> meets s M (select_in fuel a i) (fun t s' _ => term_within s' t).
Proof.
  induction fuel as [|fuel IH]; intros s M a i G Wa Wi.
  all: assert (At : meets s M (let$ r := array_range a in add_atom (Select a i) r) (fun t s' _ => term_within s' t))
    by (eapply meets_peek; [eapply array_range_peek; eauto|]; intros r R; apply (add_atom_within nu tabs sc); simpl; auto; intros p [<-|[<-|[]]]; auto).
  all: unfold select_in; fold select_in; eapply meets_peek; [apply array_within_peek; exact Wa|]; intros x Wx; destruct x as [T x|b j v|v|t]; auto.
  1, 4: apply meets_ret; auto; apply Wx; left; reflexivity.
  1, 3: eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]; intros [z|] _; auto;
    eapply meets_peek with (P := fun _ => True); [intros y s'; unfold table_at; destruct (at_position _ _); [intros [= _ <-]; auto | discriminate]|]; intros y _; apply (constant_within nu tabs sc); exact G.
  eapply meets_peek; [eapply constant_difference_peek; eauto|]. intros [[|d|d]|] _; auto; [apply meets_ret; auto; apply Wx; simpl; auto | apply IH; auto; apply Wx; left; auto ..].
Qed.
Lemma select_within s M a i : good s M -> part_within s sc (ArrayPart a) -> term_within s i -> meets s M (select a i) (fun t s' _ => term_within s' t).
Proof. intros G Wa Wi. unfold select. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; exact I|]. intros n _. apply select_in_within; auto. Qed.
Definition place_within (s : state) (p : memory_place) : Prop := all_within s (fst (fst p)) /\ slot_within s (snd p) /\ forall q, In q (element_terms (snd (fst p))) -> part_within s sc q.
Lemma place_within_later s M s' M' p : keeps s M s' M' -> place_within s p -> place_within s' p.
Proof. intros K (A & B & C). split; [intros k I; exact (kept_within _ _ _ _ _ K (A k I))|]. split; intros q I; [exact (kept_within _ _ _ _ _ K (B q I)) | exact (kept_within _ _ _ _ _ K (C q I))]. Qed.
Lemma place_under_within s M within_ k e v : good s M -> all_within s within_ -> literal_within s k -> slot_within s v -> (forall q, In q (element_terms e) -> part_within s sc q) -> peeks s (place_under within_ k e v) (place_within s).
Proof.
  intros G Ww Wk Wv We. eapply peeks_weaker; [eapply place_under_peek; eauto|]. intros p (ls & -> & Inc & _). split; [|split; [exact Wv | exact We]]. intros j I. apply Inc, in_app_or in I as [I|[<-|[]]]; auto.
Qed.
Lemma cell_places_within within_ i z low vs : forall c s M, good s M -> term_within s i -> all_within s within_ -> (forall v, In v vs -> slot_within s v) ->
  meets s M (cell_places within_ i z low c vs) (fun ps s' K => keeps s M s' K /\ forall p, In p ps -> place_within s' p).
Proof.
  induction vs as [|v vs IH]; intros c s M G Wi Ww Wv; cbn [cell_places]; [apply meets_ret; auto; split; [apply keeps_refl | intros ? []]|].
  eapply meets_bind with (P := fun ps s' K => keeps s M s' K /\ forall p, In p ps -> place_within s' p).
  - destruct (_ && _); [|apply meets_ret; auto; split; [apply keeps_refl | intros ? []]].
    eapply meets_bind; [apply meets_also_kept, (plus_within nu tabs sc); [exact G | exact Wi]|]. intros d s1 M1 G1 _ [K1 Wd].
    eapply meets_peek; [eapply place_under_within; [exact G1 | intros k I; exact (kept_within _ _ _ _ _ K1 (Ww k I)) | exact Wd | intros q I; exact (kept_within _ _ _ _ _ K1 (Wv v (or_introl eq_refl) q I)) | intros ? []]|].
    intros p Wp. apply meets_ret; auto. split; [exact K1 | intros q [<-|[]]; exact Wp].
  - intros ps s1 M1 G1 _ [K1 A]. eapply meets_bind; [apply IH; [exact G1 | exact (kept_within _ _ _ _ _ K1 Wi) | intros k I; exact (kept_within _ _ _ _ _ K1 (Ww k I)) | intros w I q J; exact (kept_within _ _ _ _ _ K1 (Wv w (or_intror I) q J))]|].
    intros qs s2 M2 G2 _ [K2 B]. apply meets_ret; auto. split; [eapply keeps_trans; eauto|]. intros p I. apply in_app_or in I as [I|I]; [eapply place_within_later; eauto | exact (B p I)].
Qed.
Lemma rest_places_within s M within_ i low fs : good s M -> term_within s i -> all_within s within_ -> (forall p, In p (field_terms fs) -> part_within s sc p) ->
  meets s M (rest_places within_ i low fs) (fun ps s' K => keeps s M s' K /\ forall p, In p ps -> place_within s' p).
Proof.
  intros G Wi Ww Wf. unfold rest_places. destruct (rest fs) as [a|] eqn:Er; [|apply meets_ret; auto; split; [apply keeps_refl | intros ? []]].
  assert (Wa : part_within s sc (ArrayPart a)) by (apply Wf; unfold field_terms; rewrite Er; apply in_or_app; right; left; auto).
  eapply meets_bind; [apply meets_also_kept, select_within; eauto|]. intros t s1 M1 G1 _ [K1 Wt].
  eapply meets_bind; [apply meets_also_kept, (combine_within nu tabs sc); [exact G1 | apply one_part; exact (kept_within _ _ _ _ _ K1 Wi)]|]. intros above s2 M2 G2 _ [K2 Wab]. pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K02.
  eapply meets_bind with (P := fun bs s' K => keeps s2 M2 s' K /\ forall b, In b bs -> term_within s' b).
  { destruct (may_be _ _); [|apply meets_ret; auto; split; [apply keeps_refl | intros ? []]]. eapply meets_bind; [apply meets_also_kept, (plus_within nu tabs sc); [exact G2 | exact (kept_within _ _ _ _ _ K02 Wi)]|].
    intros b s3 M3 G3 _ [K3 Wb]. apply meets_ret; auto. split; [exact K3 | intros c [<-|[]]; exact Wb]. }
  intros bs s3 M3 G3 _ [K3 Wb]. pose proof (keeps_trans _ _ _ _ _ _ K02 K3) as K03.
  eapply meets_weaker; [apply (looked nu tabs s3 M3 _ (fun ps => forall p, In p ps -> place_within s3 p)); [exact G3|]|intros ps s4 M4 _ _ (-> & -> & A); split; [exact K03 | exact A]].
  eapply peeks_weaker; [apply (peeks_fold s3 _ (fun ps us => (forall p, In p ps -> place_within s3 p) /\ forall u, In u us -> term_within s3 u))|].
  - intros ps u us [A B]. eapply peeks_bind with (P := fun _ => True); [intros b s' Eb; split; [eapply is_false_peek; eauto | exact I]|]. intros [|] _; [apply peeks_ret; split; [exact A | intros w J; apply B; right; exact J]|].
    eapply peeks_bind; [eapply place_under_within; [exact G3 | intros k J; exact (kept_within _ _ _ _ _ K03 (Ww k J)) | exact (B u (or_introl eq_refl)) | intros q [<-|[]]; exact (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K2 K3) Wt) | intros q [<-|[]]; exact (kept_within _ _ _ _ _ K03 Wi)]|].
    intros p Wp. apply peeks_ret. split; [|intros w J; apply B; right; exact J]. intros q J. apply in_app_or in J as [J|[<-|[]]]; auto.
  - split; [intros ? []|]. intros u [<-|J]; [exact (kept_within _ _ _ _ _ K3 Wab) | exact (Wb u J)].
  - intros ps [A _]. exact A.
Qed.
Lemma target_within s M r off access : good s M -> tables_within s -> meets s M (Stepping.target E m r off access) (fun x s' K => keeps s M s' K /\ match x with
  | Some t => all_within s' (found_outside t) /\ forall p, In p (found_places t) -> place_within s' p | None => True end).
Proof.
  intros G T. unfold Stepping.target. eapply meets_looks; [exact G | apply pointer_looks; exact T | | intros; split; [apply keeps_refl | exact I]].
  intros [[[o i] b]|] Wp; [|apply meets_ret; auto; split; [apply keeps_refl | exact I]]. simpl in Wp.
  eapply meets_peek with (P := fun _ => True).
  { unfold layout_held, layout_in, object_in, object_state_at. eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto|]. intros ? _. eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto | intros; apply peeks_some; auto]. }
  intros y _. eapply meets_peek with (P := fun _ => True); [unfold quotient_of; destruct (0 <? _); [apply peeks_ret | apply peeks_refuses]; exact I|]. intros elements _.
  eapply meets_peek with (P := fun _ => True); [unfold rest_of; destruct (0 <? _); [apply peeks_ret | apply peeks_refuses]; exact I|]. intros byte _.
  eapply meets_bind; [apply meets_also_kept, (plus_within nu tabs sc); [exact G | exact Wp]|]. intros i' s1 M1 G1 _ [K1 Wi].
  eapply meets_peek with (P := fun _ => True); [apply peeks_some; auto|]. intros [f t] _.
  eapply meets_peek; [apply (peeks_some s1 _ _ (fun x => find (objects_held m) o = Some x)); auto|]. intros x F. cbn beta in F.
  eapply meets_peek; [apply (peeks_some s1 _ _ (fun fs => nth (field_states x) f = Some fs)); auto|]. intros fs Nf. cbn beta in Nf.
  pose proof (tables_later _ _ _ _ K1 T) as T1. assert (Wf : forall p, In p (field_terms fs) -> part_within s1 sc p).
  { intros p J. apply (proj2 T1 o x F). right. right. apply in_flat_map. exists fs. split; [eapply nth_in; eauto | exact J]. }
  eapply meets_bind; [apply outside_within; [exact G1 | exact T1 | exact Wi]|]. intros out s2 M2 G2 _ [K2 Wo].
  eapply meets_bind; [apply negations_within; [exact G2 | exact Wo]|]. intros ns s3 M3 G3 _ [K3 Wn]. pose proof (keeps_trans _ _ _ _ _ _ K2 K3) as K13.
  eapply meets_peek with (P := fun _ => True); [intros b' s' Eb; split; [eapply all_peek; eauto | exact I]|]. intros all _. eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
  eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros z _. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; auto|]. intros low _.
  eapply meets_bind; [apply cell_places_within; [exact G3 | exact (kept_within _ _ _ _ _ K13 Wi) | exact Wn | intros v Iv q J; apply (kept_within _ _ _ _ _ K13), Wf; unfold field_terms; apply in_or_app; left; apply in_flat_map; eauto]|].
  intros ps s4 M4 G4 _ [K4 A]. pose proof (keeps_trans _ _ _ _ _ _ K13 K4) as K14.
  eapply meets_bind; [apply rest_places_within; [exact G4 | exact (kept_within _ _ _ _ _ K14 Wi) | intros k J; exact (kept_within _ _ _ _ _ K4 (Wn k J)) | intros q J; exact (kept_within _ _ _ _ _ K14 (Wf q J))]|].
  intros qs s5 M5 G5 _ [K5 B]. apply meets_ret; auto. split; [exact (keeps_trans _ _ _ _ _ _ K1 (keeps_trans _ _ _ _ _ _ K14 K5))|]. cbn [found_outside found_places]. split.
  - intros k J. exact (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K3 (keeps_trans _ _ _ _ _ _ K4 K5)) (Wo k J)).
  - intros p J. apply in_app_or in J as [J|J]; [eapply place_within_later; eauto | exact (B p J)].
Qed.
Lemma as_type_within s M v from to : good s M -> slot_within s v -> meets s M (as_type E v from to) (fun vs s' K => keeps s M s' K /\ forall ls u, In (ls, u) vs -> all_within s' ls /\ slot_within s' u).
Proof.
  intros G Wv. unfold as_type. assert (Keep : meets s M (ret [([], v)]) (fun vs s' K => keeps s M s' K /\ forall ls u, In (ls, u) vs -> all_within s' ls /\ slot_within s' u)).
  { apply meets_ret; auto. split; [apply keeps_refl|]. intros ls u [[= <- <-]|[]]. split; [intros ? [] | exact Wv]. }
  destruct (same_type from to); [exact Keep|]. destruct v as [| |t| |o j b|f|f], to as [T|]; try exact Keep; try apply meets_refuses.
  destruct (integer_type_eqb T Bool); [apply meets_refuses|]. eapply meets_bind; [apply meets_also_kept, (convert_within E nu tabs sc); [exact G | apply Wv; left; auto]|]. intros cs s1 M1 G1 _ [K1 Wc].
  eapply meets_weaker; [apply (looked nu tabs); [exact G1 | apply some_cases_peek]|]. intros vs s2 M2 _ _ (-> & -> & Vs & _). split; [exact K1|].
  intros ls u J. apply Vs in J as (t' & -> & J). destruct (Wc _ _ J) as [A B]. split; [exact A | intros p [<-|[]]; exact B].
Qed.
Lemma outcomes_later s M s' M' os : keeps s M s' M' -> outcomes_within s os -> outcomes_within s' os.
Proof.
  intros K H o J. destruct (H o J) as [A B]. split; [intros k Ik; exact (kept_within _ _ _ _ _ K (A k Ik)) | intros p Ip; exact (kept_within _ _ _ _ _ K (B p Ip))].
Qed.
Lemma load_within s M r a off : good s M -> tables_within s -> scoped (loads E m r a off) s M.
Proof.
  intros G T. unfold loads. eapply meets_peek with (P := fun _ => True).
  { unfold register_kind. eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto | intros; apply peeks_ret; exact I]. }
  intros access _. unfold goes_on. eapply meets_bind; [apply target_within; eauto|]. intros [t|] s1 M1 G1 _ [K1 Wt]; [|apply meets_ret; auto; apply fails_within]. destruct Wt as [Wo Wp].
  eapply meets_bind with (P := fun oss s' K => keeps s1 M1 s' K /\ forall os, In os oss -> outcomes_within s' os).
  - clear Wo. revert s1 M1 G1 K1 Wp. induction (found_places t) as [|[[ls e] v] ps IH]; intros s1 M1 G1 K1 Wp; cbn [mapped]; [apply meets_ret; auto; split; [apply keeps_refl | intros ? []]|].
    destruct (Wp _ (or_introl eq_refl)) as (Wl & Wv & _). cbn [fst snd] in Wl, Wv.
    eapply meets_bind with (P := fun os s' K => keeps s1 M1 s' K /\ outcomes_within s' os).
    + eapply meets_bind; [apply as_type_within; eauto|]. intros vs s2 M2 G2 _ [K2 Wvs]. apply meets_ret; auto. split; [exact K2|]. intros o J. apply in_map_iff in J as ([more u] & <- & J). destruct (Wvs _ _ J) as [A B].
      split; [intros k Ik; apply in_app_or in Ik as [Ik|Ik]; [exact (kept_within _ _ _ _ _ K2 (Wl k Ik)) | exact (A k Ik)]|]. exact B.
    + intros os s2 M2 G2 _ [K2 Wos]. eapply meets_bind; [apply (IH s2 M2 G2 (keeps_trans _ _ _ _ _ _ K1 K2)); intros p J; eapply place_within_later; [exact K2 | apply Wp; right; exact J]|].
      intros oss s3 M3 G3 _ [K3 Woss]. apply meets_ret; auto. split; [eapply keeps_trans; eauto|]. intros os' [<-|J]; [eapply outcomes_later; eauto | exact (Woss os' J)].
  - intros oss s2 M2 G2 _ [K2 Woss]. apply meets_ret; auto. cbn [shown]. intros o J. apply in_app_or in J as [J|J].
    + apply in_concat in J as (os & J1 & J2). exact (Woss os J1 o J2).
    + revert o J. apply failing_within. intros k Ik. exact (kept_within _ _ _ _ _ K2 (Wo k Ik)).
Qed.

Lemma store_list_within s M r a off : good s M -> tables_within s -> scoped (stores E m r a off) s M.
Proof.
  intros G T. pose proof T as [H _]. unfold stores. eapply meets_peek with (P := fun _ => True).
  { unfold register_kind. eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto | intros; apply peeks_ret; exact I]. }
  intros access _. unfold goes_on. eapply meets_bind; [apply target_within; eauto|]. intros [t|] s1 M1 G1 _ [K1 Wt]; [|apply meets_ret; auto; apply fails_within]. destruct Wt as [Wo Wp].
  eapply meets_peek with (P := fun _ => True); [apply peeks_some; auto|]. intros x _. eapply meets_peek with (P := fun _ => True); [apply peeks_some; auto|]. intros dx _.
  destruct (is_read_only _); [apply meets_ret; auto; apply fails_within|].
  eapply meets_peek; [apply register_slot_peek|]. intros v F. cbn beta in F. eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
  assert (Wv : slot_within s1 v) by (intros p Ip; exact (kept_within _ _ _ _ _ K1 (H off v F p Ip))).
  eapply meets_bind; [apply as_type_within; eauto|]. intros vs s2 M2 G2 _ [K2 Wvs].
  eapply meets_bind with (P := fun oss s' K => keeps s2 M2 s' K /\ forall os, In os oss -> outcomes_within s' os).
  - eapply meets_weaker with (P := fun oss s' K' => s' = s2 /\ K' = M2 /\ forall os, In os oss -> outcomes_within s2 os); [|intros oss s' K' _ _ (-> & -> & W); split; [apply keeps_refl | exact W]].
    eapply looked; [exact G2|]. assert (Wp2 : forall p, In p (found_places t) -> place_within s2 p) by (intros p J; eapply place_within_later; [exact K2 | exact (Wp p J)]).
    clear Wp. induction (found_places t) as [|[[ls e] u] ps IH]; cbn [mapped]; [apply peeks_ret; intros ? []|]. destruct (Wp2 _ (or_introl eq_refl)) as (Wl & _ & We). cbn [fst snd] in Wl, We.
    eapply peeks_bind with (P := outcomes_within s2).
    + clear - Wl We Wvs. revert Wvs. induction vs as [|[more u'] vs IHv]; intros Wvs; cbn [mapped]; [apply peeks_ret; intros ? []|]. destruct (Wvs _ _ (or_introl eq_refl)) as [A B].
      eapply peeks_bind with (P := fun o => outcomes_within s2 [o]).
      * eapply peeks_bind; [apply (peeks_demand s2 _ _ (fun _ => True)); auto|]. intros ? _. apply peeks_ret. intros o [<-|[]]. split; [intros k Ik; apply in_app_or in Ik as [Ik|Ik]; auto|]. intros q Iq. cbn [effect_of exact effect_terms] in Iq. apply in_app_or in Iq as [Iq|Iq]; auto.
      * intros o Wo1. eapply peeks_bind; [apply IHv; intros ls' u2 J; apply Wvs; right; exact J|]. intros os Wos. apply peeks_ret. intros o' [<-|J]; [apply Wo1; left; reflexivity | exact (Wos o' J)].
    + intros os Wos. eapply peeks_bind; [apply IH; intros p J; apply Wp2; right; exact J|]. intros oss Woss. apply peeks_ret. intros os' [<-|J]; [exact Wos | exact (Woss os' J)].
  - intros oss s3 M3 G3 _ [K3 Woss]. apply meets_ret; auto. cbn [shown]. intros o J. apply in_app_or in J as [J|J].
    + apply in_concat in J as (os & J1 & J2). exact (Woss os J1 o J2).
    + revert o J. apply failing_within. intros k Ik. exact (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K2 K3) (Wo k Ik)).
Qed.

(** ** The heap *)

Lemma allocate_within s M r d b f : good s M -> tables_within s -> scoped (allocates E m r d b f) s M.
Proof.
  intros G [H _]. unfold allocates. eapply (meets_goes nu tabs); [apply (used_within nu tabs sc m); [exact G | exact H]| |intros; apply fails_within].
  intros n s1 M1 G1 K1 Wn. eapply meets_bind; [apply (constant_within nu tabs sc); exact G1|]. intros most s2 M2 G2 K2 Wm.
  eapply meets_bind with (P := fun k s' K => keeps s2 M2 s' K /\ literal_within s' k).
  { unfold at_most. eapply meets_bind; [apply meets_also_kept, (difference_within nu tabs sc); [exact G2 | exact (kept_within _ _ _ _ _ K2 Wn) | exact Wm]|]. intros e s3 M3 G3 _ [K3 We]. apply meets_ret; auto. }
  intros possible s3 M3 G3 _ [K3 Wp]. eapply meets_peek with (P := fun _ => True).
  { unfold layout_in, object_in. eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto | intros; apply peeks_some; auto]. }
  intros y _. eapply meets_bind; [apply meets_also_kept, (quotient_within nu tabs sc); [exact G3 | exact (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K2 K3) Wn)]|]. intros elements s4 M4 G4 _ [K4 We].
  eapply meets_peek with (P := fun _ => True); [apply peeks_some; auto|]. intros x _. eapply meets_peek with (P := fun _ => True); [intros z s' Ez; split; [eapply value_peek; eauto | exact I]|]. intros z _.
  eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros ? _.
  unfold goes_on, either. eapply meets_bind with (P := fun os s' K => outcomes_within s' (shown os) /\ keeps s4 M4 s' K).
  - eapply meets_bind; [apply meets_also_kept, (negate_within nu tabs sc); [exact G4 | exact (kept_within _ _ _ _ _ K4 Wp)]|]. intros q s5 M5 G5 _ [K5 Wq]. apply meets_ret; auto. split; [|exact K5]. cbn [shown].
    intros o [<-|[<-|[]]]; (split; [intros k [<-|[]]|]); cbn [effect_of exact effect_terms slot_terms]; [exact (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K4 K5) Wp) | intros p [<-|[]]; exact (kept_within _ _ _ _ _ K5 We) | exact Wq | intros ? []].
  - intros [os|] s5 M5 G5 _ [Wo K5]; [|apply meets_ret; auto; apply fails_within]. apply meets_ret; auto. cbn [shown] in Wo |- *. intros o I. apply in_app_or in I as [I|I]; [exact (Wo o I)|].
    destruct (allocating (parameters_in E)); [destruct I|]. destruct I as [<-|[]]. split; [intros k [<-|[]]; exact (kept_within _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K4 K5) Wp) | intros ? []].
Qed.
Lemma free_within s M p next_ : good s M -> tables_within s -> scoped (frees E m p next_) s M.
Proof.
  intros G T. pose proof T as [_ Ho]. unfold frees. eapply meets_looks; [exact G | apply pointer_looks; exact T | | intros _; apply fails_within].
  intros [[[o j] byte]|] Wj; [|apply meets_ret; auto; apply one_within, plain_within; reflexivity]. cbn [spot_within] in Wj.
  unfold object_state_at. eapply meets_peek; [apply (peeks_some s _ _ (fun y => find (objects_held m) o = Some y)); auto|]. intros x F. cbn beta in F. eapply meets_peek with (P := fun _ => True); [apply peeks_some; auto|]. intros y _.
  destruct (negb _); [apply meets_ret; auto; apply fails_within|].
  eapply meets_bind; [apply (equal_within nu tabs sc); [exact G | exact Wj | apply (Ho o x F); left; reflexivity]|]. intros k s1 M1 G1 K1 Wk. unfold either.
  eapply meets_bind; [apply (negate_within nu tabs sc); auto|]. intros q s2 M2 G2 K2 Wq. apply meets_ret; auto. apply both_within; auto. exact (kept_within _ _ _ _ _ K2 Wk).
Qed.

(** ** All instructions that are covered *)

Theorem instruction_within s M j next_ : good s M -> tables_within s -> covered E m j = true -> scoped (list_of_instruction E m j next_) s M.
Proof.
  intros G [H Ho] Cv. destruct j as [k|[r a b|r a b] yes no|a b| |k| |r o|r op a b|r|r|r|r q|r o|r p j k|r p q k|r p k|p k q|r o b f|p|o|o|rs]; try discriminate; cbn [list_of_instruction].
  - apply meets_ret; auto. apply one_within, plain_within; reflexivity.
  - apply branch_within; auto.
  - apply compared_within; [exact G | split; auto].
  - apply meets_ret; auto. intros o [<-|[<-|[]]]; apply plain_within; reflexivity.
  - apply meets_ret; auto. apply fails_within.
  - apply assign_within; auto.
  - apply compute_within; auto.
  - eapply meets_peek; [apply kind_looks|]. intros T _. apply meets_ret; auto. apply one_within, plain_within; reflexivity.
  - apply sets_within; auto. intros ? [].
  - apply sets_within; auto. intros ? [].
  - eapply meets_peek; [apply register_slot_peek|]. intros v F. cbn beta in F. apply sets_within; auto. apply (H q v F).
  - apply address_within; [exact G | split; auto].
  - apply advance_within; [exact G | split; auto].
  - apply distance_within; [exact G | split; auto].
  - apply load_within; [exact G | split; auto].
  - apply store_list_within; [exact G | split; auto].
  - apply allocate_within; [exact G | split; auto].
  - apply free_within; [exact G | split; auto].
  - unfold enters. eapply meets_peek with (P := fun _ => True); [apply peeks_some; auto|]. intros x _. destruct (Certificates.origin_of x); try apply meets_refuses.
    eapply meets_bind; [apply (constant_within nu tabs sc); exact G|]. intros t s1 M1 G1 K1 Wt. apply meets_ret; auto. apply one_within. split; [intros ? []|]. intros p [<-|[]]; exact Wt.
  - unfold leaves. destruct (live m o); apply meets_ret; auto; apply one_within, plain_within; reflexivity.
  - unfold checks_leaks. eapply meets_peek; [apply leaks_looks|]. intros [|] _; apply meets_ret; auto; [apply fails_within | apply one_within, plain_within; reflexivity].
Qed.
End Scopes.
