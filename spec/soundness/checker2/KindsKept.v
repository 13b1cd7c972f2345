(** That kinds are kept (spec/calculus.md#template): by what outcomes do, and so by each rule
    but Unfold, and AddScapegoat where nodes are left out; and that templates and roots have
    them. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Sorts Programs Machine Typed.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Stepping Denoting Carried Closing Listed RegisterLists Places LoadLists Moving Templates EntryLeft Leading Staying Kinds.
From Goatherd.checker2 Require Covering Rules.
Import ListNotations.
Open Scope N_scope.

Lemma yields_mapped_in {A B} (f : A -> computes B) (Q : B -> Prop) l : (forall a, In a l -> yields (f a) Q) -> yields (mapped f l) (Forall Q).
Proof.
  induction l as [|a l IH]; intros H; cbn [mapped]; [apply yields_ret; constructor|]. eapply yields_bind; [apply H; left; reflexivity|]. intros b Qb.
  eapply yields_bind; [apply IH; intros x I; apply H; right; exact I|]. intros bs Qs. apply yields_ret. constructor; auto.
Qed.
Lemma yields_folded_in {A B} (f : B -> A -> computes B) (Q : B -> Prop) l : (forall b a, In a l -> Q b -> yields (f b a) Q) -> forall b, Q b -> yields (folded_left f l b) Q.
Proof.
  induction l as [|a l IH]; intros H b Qb; cbn [folded_left]; [apply yields_ret; exact Qb|]. eapply yields_bind; [apply H; [left; reflexivity | exact Qb]|].
  intros b' Qb'. apply IH; [intros x y I; apply H; right; exact I | exact Qb'].
Qed.
Lemma yields_each {A} (f : A -> computes unit) (Q : A -> Prop) l : (forall a, yields (f a) (fun _ => Q a)) -> yields (for_each f l) (fun _ => forall a, In a l -> Q a).
Proof.
  intros H. unfold for_each. induction l as [|a l IH]; cbn [folded_left]; [apply yields_ret; intros ? []|]. eapply yields_bind; [apply H|]. intros [] Qa.
  eapply yields_weaker; [exact IH|]. intros ? Ql b [<-|I]; auto.
Qed.
Lemma in_combined {A B} (l : list A) : forall (k : list B) n a b, List.nth_error l n = Some a -> List.nth_error k n = Some b -> In (a, b) (List.combine l k).
Proof.
  induction l as [|x l IH]; intros [|y k] [|n] a b H F; try discriminate; cbn in *; [left; congruence | right; eauto].
Qed.

Section Kept.
Variable E : setting.
Notation holds_pointers := (holds_pointers E).
Notation object_kinds := (object_kinds E).
Notation member_kinds := (member_kinds E).
Notation kinds_right := (kinds_right E).
Notation outcome_kinds := (outcome_kinds E).

(** ** What is made *)

Lemma plain_object x : Forall is_plain_field (field_states x) -> object_kinds x.
Proof. intros F n t f _ Nf. right. rewrite Forall_forall in F. apply F. eapply List.nth_error_In. exact Nf. Qed.
Lemma fresh_plain T n : forall c, yields (fresh_cells c T n) (fun x => forall v, In v (fst x) -> is_part v = false).
Proof.
  induction n as [|n IH]; intros c; cbn [fresh_cells]; [apply yields_ret; intros v []|]. apply yields_any. intros [t c1]. eapply yields_bind; [apply IH|]. intros [vs c2] H.
  apply yields_ret. intros v [<-|I]; [reflexivity | exact (H v I)].
Qed.
Lemma integers_plain ts : forall v, In v (List.map IntegerSlot ts) -> is_part v = false.
Proof. intros v I. apply in_map_iff in I as (t & <- & _). reflexivity. Qed.
Lemma cells_plain a e : yields (cells_of a e) is_plain_field.
Proof.
  unfold cells_of. eapply yields_bind; [apply yields_mapped with (Q := fun v => is_part v = false); intros i; apply yields_any; intros j; apply yields_any; intros t; apply yields_ret; reflexivity|].
  intros vs F. apply yields_ret. intros v I. rewrite Forall_forall in F. exact (F v I).
Qed.
Lemma integer_plain c env n T e : yields (integer_field c env n T e) (fun x => is_plain_field (fst (fst x))).
Proof.
  unfold integer_field. apply yields_any. intros zero. destruct env as [|[t|a fs]|cs|es k|cs]; try apply yields_refuses.
  - eapply yields_bind; [apply fresh_plain|]. intros [vs d] H. destruct (snd e); [|apply yields_ret; exact H]. apply yields_any. intros [a d']. apply yields_ret. exact H.
  - apply yields_any. intros [vs r]. eapply yields_bind with (P := is_plain_field); [|intros f H; apply yields_ret; exact H].
    unfold chosen_field. do 3 (apply yields_any; intros ?). apply yields_ret. intros v. apply integers_plain.
  - apply yields_any. intros [t env]. apply yields_any. intros a. eapply yields_bind; [apply cells_plain|]. intros f H. apply yields_ret. exact H.
  - apply yields_any. intros a. eapply yields_bind; [apply cells_plain|]. intros f H. apply yields_ret. exact H.
  - apply yields_any. intros a. eapply yields_bind; [apply cells_plain|]. intros f H. apply yields_ret. exact H.
Qed.
Lemma pointers_plain env n k : yields (pointer_field env n k) is_plain_field.
Proof.
  unfold pointer_field. apply yields_any. intros first.
  assert (All : forall v, is_part v = false -> yields (ret {| cells := repeat v (N.to_nat k); rest := None |}) is_plain_field).
  { intros v Pv. apply yields_ret. intros w I. apply repeat_spec in I as ->. exact Pv. }
  destruct env as [|[t|a fs]|cs|es j|cs]; try (apply All; reflexivity).
  - destruct (is_nothing _); [apply All; reflexivity | apply yields_refuses].
  - destruct (nth cs n) as [[|t|os]|]; try (apply All; reflexivity). apply yields_ret. intros v I. apply in_map_iff in I as ([o|] & <- & _); reflexivity.
Qed.
Lemma fields_plain d count_ fs : forall c env n, yields (new_fields E c env d count_ n fs) (fun x => Forall is_plain_field (fst (fst x))).
Proof.
  induction fs as [|f fs IH]; intros c env n; cbn [new_fields]; [apply yields_ret; constructor|]. apply yields_any. intros e.
  eapply yields_bind with (P := fun x => is_plain_field (fst (fst x))).
  - destruct (field_type f) as [T|]; [apply integer_plain|]. eapply yields_bind; [apply pointers_plain|]. intros x H. apply yields_ret. exact H.
  - intros [[x d1] env1] H. eapply yields_bind; [apply IH|]. intros [[xs d2] env2] H2. apply yields_ret. constructor; assumption.
Qed.
Lemma kill_kinds m o : member_kinds m -> yields (kill m o) member_kinds.
Proof.
  intros K. unfold kill. eapply yields_bind; [apply object_state_yields|]. intros x F. apply yields_ret. apply object_put_kinds; [exact K|]. exact (objects_kinds _ _ K o x F).
Qed.
Lemma vacant_kinds m d : member_kinds m -> member_kinds (snd (vacant m d)).
Proof. intros [R O]. unfold vacant. destruct (find (objects_held m) d); [|destruct (_ <? _)]; split; auto. Qed.
Lemma create_kinds c env who d n : kinds_right c -> yields (create E c env who d n) (fun x => kinds_right (snd (fst x)) /\ is_part (fst (fst x)) = false).
Proof.
  intros K. unfold create. apply yields_any. intros l. apply yields_any. intros z.
  eapply yields_bind with (P := fun x => Forall is_plain_field (fst (fst x)) /\ same_herd c (snd (fst x))).
  { intros s a s' H. split; [exact (fields_plain _ _ _ _ _ _ _ _ _ H) | exact (fields_herd _ _ _ _ _ _ _ _ _ _ H)]. }
  intros [[fs c1] env1] [F S]. cbn [fst snd] in F, S. pose proof (same_kinds E c c1 S K) as K1. do 4 (apply yields_any; intros ?).
  eapply yields_bind; [apply member_yields|]. intros m Hm. eapply yields_bind with (P := member_kinds).
  - pose proof (member_in E c1 who m Hm K1) as Km. destruct (if is_local _ then _ else _) as [earlier|]; [apply kill_kinds; exact Km | apply yields_ret; exact Km].
  - intros m1 Km1. pose proof (vacant_kinds m1 d Km1) as V. destruct (vacant m1 d) as [o m2]. apply yields_ret. split; [|reflexivity]. cbn [fst snd] in *.
    apply set_kinds; [exact K1|]. apply object_put_kinds; [exact V | apply plain_object; exact F].
Qed.

(** ** Effects *)

Lemma count_kinds c who : kinds_right c -> yields (count_one c who) kinds_right.
Proof.
  intros K. unfold count_one. eapply yields_bind; [apply member_yields|]. intros m H. destruct (consumed_of m); try (apply yields_ret; exact K).
  apply yields_any. intros t. apply yields_ret. apply set_kinds; [exact K|]. apply (like_kinds E m); [reflexivity | reflexivity | exact (member_in E c who m H K)].
Qed.
Lemma write_kinds c who o f e v : kinds_right c -> (forall m, nth (herd c) who = Some m -> outcome_kinds m (exact [] (Writes_ o f e v))) -> yields (write c who o f e v) kinds_right.
Proof.
  intros K Ok. unfold write. eapply yields_bind; [apply member_yields|]. intros m H. eapply yields_bind; [apply object_state_yields|]. intros x F.
  eapply yields_bind; [apply yields_some with (Q := fun old => nth (field_states x) f = Some old); auto|]. intros old No.
  eapply yields_bind with (P := fun new => forall w, In w (cells new) -> w = v \/ In w (cells old)).
  { unfold write_field. destruct e as [n|i]; [apply yields_any; intros _; apply yields_ret; intros w I; apply replaced_in in I; tauto|].
    destruct v; try apply yields_refuses. destruct (rest old); [|apply yields_refuses]. apply yields_any. intros b. apply yields_ret. auto. }
  intros new Nw. apply yields_ret. pose proof (member_in E c who m H K) as Km. apply set_kinds; [exact K|]. apply object_put_kinds; [exact Km|].
  intros n t g Nt Ng. cbn [with_fields field_states declaration] in *. rewrite <- (Nat2N.id n), <- nth_number, replaced_number in Ng.
  destruct (N.eqb_spec (N.of_nat n) f) as [Ef|_].
  - rewrite Ef, No in Ng. injection Ng as <-. destruct (is_part v) eqn:Pv; [left; apply (Ok m H Pv x t F); rewrite <- Ef, Nat2N.id; exact Nt|].
    assert (Old : List.nth_error (field_states x) n = Some old) by (rewrite nth_number, <- Ef, Nat2N.id in No; exact No).
    destruct (objects_kinds _ _ Km o x F n t old Nt Old) as [|Pl]; [auto|]. right. intros w I. destruct (Nw w I) as [->|I']; [exact Pv | exact (Pl w I')].
  - rewrite nth_number, Nat2N.id in Ng. exact (objects_kinds _ _ Km o x F n t g Nt Ng).
Qed.
Lemma perform_kinds c env who e : kinds_right c -> (forall m, nth (herd c) who = Some m -> outcome_kinds m (exact [] e)) -> yields (perform E c env who e) (fun x => kinds_right (fst x)).
Proof.
  intros K Ok. unfold perform. eapply yields_bind; [apply member_yields|]. intros m H. destruct (place_of m); [|apply yields_refuses]. apply yields_any. intros next_. apply yields_any. intros _.
  eapply yields_bind with (P := fun x => kinds_right (fst (fst x))).
  - destruct e as [k|r v| |r T|o f k v|r d n f|o]; try (apply yields_ret; exact K).
    + eapply yields_bind; [apply set_in_kinds; [exact K | exact (Ok m H)]|]. intros c1 K1. apply yields_ret. exact K1.
    + eapply yields_bind; [apply value_herd|]. intros [[t c1] env1] S1. pose proof (same_kinds E c c1 S1 K) as K1. eapply yields_bind; [apply set_in_kinds; [exact K1 | discriminate]|]. intros c2 K2.
      eapply yields_bind; [apply count_kinds; exact K2|]. intros c3 K3. apply yields_ret. exact K3.
    + eapply yields_bind; [apply write_kinds; [exact K | exact Ok]|]. intros c1 K1. apply yields_ret. exact K1.
    + eapply yields_bind with (P := fun x => kinds_right (fst x)); [|intros [c1 env1] K1; apply yields_ret; exact K1].
      unfold create_by. eapply yields_bind; [apply create_kinds; exact K|]. intros [[v c1] left_] [K1 Pv]. cbn [fst snd] in *. eapply yields_bind with (P := kinds_right); [|intros c2 K2; apply yields_ret; exact K2].
      destruct r as [r|]; [apply set_in_kinds; [exact K1 | congruence] | apply yields_ret; exact K1].
    + eapply yields_bind; [apply kill_kinds; exact (member_in E c who m H K)|]. intros m' K'. apply yields_ret. apply set_kinds; [exact K | exact K'].
  - intros [[c1 env1] p] K1. cbn [fst] in K1. eapply yields_bind with (P := kinds_right).
    + destruct p as [k|]; [|apply yields_ret; exact K1]. destruct (_ <=? _); [apply count_kinds; exact K1 | apply yields_ret; exact K1].
    + intros c2 K2. eapply yields_bind; [apply member_yields|]. intros m2 H2. apply yields_ret. apply set_kinds; [exact K2|]. apply (like_kinds E m2); [reflexivity | reflexivity | exact (member_in E c2 who m2 H2 K2)].
Qed.
Lemma follow_kinds c who m o : kinds_right c -> nth (herd c) who = Some m -> outcome_kinds m o -> yields (follow E c who o) kinds_right.
Proof.
  intros K H Ok. unfold follow. eapply yields_bind with (P := same_herd c).
  - apply (yields_folded assume (same_herd c)); [|apply same_refl]. intros c1 l S. eapply yields_weaker; [apply assume_herd|]. intros c2 S2. eapply same_trans; eauto.
  - intros c1 S. set (c2 := if (who =? 0) then with_progress c1 true else c1). assert (K2 : kinds_right c2) by (pose proof (same_kinds E c c1 S K); unfold c2; destruct (who =? 0); assumption).
    assert (H2 : herd c2 = herd c) by (unfold c2; destruct (who =? 0); apply S).
    eapply yields_bind; [apply perform_kinds; [exact K2|]|intros [c3 env] K3; apply yields_ret; exact K3]. intros m' H'. rewrite H2, H in H'. injection H' as <-. exact Ok.
Qed.

(** ** Rules *)

Section Rules.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Hypothesis types : Typed.types_formed P.
Lemma step_kinds c refuted : kinds_right c -> yields (Rules.step E c refuted) (Forall kinds_right).
Proof.
  intros K. unfold Rules.step. eapply yields_bind; [apply member_yields|]. intros m H. eapply yields_bind; [exact (outcomes_kinds E m (member_in E c 0 m H K) P under setting_right types)|]. intros os Ok.
  eapply yields_bind; [apply kept_outcomes|]. intros kept_ In1. eapply yields_bind; [apply open_outcomes|]. intros left_ In2. apply yields_mapped_in. intros o I. destruct (In2 o I) as (n & J).
  rewrite Forall_forall in Ok. apply (follow_kinds c 0 m o K H). exact (Ok o (In1 n o J)).
Qed.
Lemma alone_kinds c who : kinds_right c -> yields (Rules.step_alone E who c) kinds_right.
Proof.
  intros K. unfold Rules.step_alone. eapply yields_bind; [apply member_yields|]. intros m H. eapply yields_bind; [exact (outcomes_kinds E m (member_in E c who m H K) P under setting_right types)|]. intros os Ok.
  eapply yields_bind; [apply kept_outcomes|]. intros [|[n o] [|]] In1; try apply yields_refuses. apply yields_any. intros _. rewrite Forall_forall in Ok. apply (follow_kinds c who m o K H). apply Ok, (In1 n). left. reflexivity.
Qed.
Lemma repeated_kinds who n : forall c, kinds_right c -> yields (Rules.repeated n (Rules.step_alone E who) c) kinds_right.
Proof. induction n as [|n IH]; intros c K; cbn [Rules.repeated]; [apply yields_ret; exact K|]. eapply yields_bind; [apply alone_kinds; exact K | exact IH]. Qed.
Lemma decided_kinds c who n x : kinds_right c -> yields (Rules.step_decided E c who n x) kinds_right.
Proof.
  intros K. unfold Rules.step_decided. apply yields_any. intros _. eapply yields_bind; [apply member_yields|]. intros m H.
  eapply yields_bind; [exact (outcomes_kinds E m (member_in E c who m H K) P under setting_right types)|]. intros os Ok. eapply yields_bind; [apply yields_some with (Q := fun o => nth os n = Some o); auto|]. intros o No.
  do 2 (apply yields_any; intros _). rewrite Forall_forall in Ok. pose proof (Ok o (nth_in _ _ _ No)) as Oo.
  eapply yields_bind; [apply perform_kinds; [exact K|]|intros [c1 env] K1; apply yields_ret; exact K1]. intros m' H'. rewrite H in H'. injection H' as <-. exact Oo.
Qed.
Lemma moved_within f d vs ws : Rules.moved_cells f d vs = Some ws -> forall v, In v ws -> In v vs.
Proof.
  unfold Rules.moved_cells. destruct (nth vs d) as [w|] eqn:Nw; [|discriminate]. intros [= <-] v I. apply nth_in in Nw.
  assert (First : forall k (l : list slot) u, In u (firstn k l) -> In u l) by (intros k l u J; rewrite <- (firstn_skipn k l); apply in_or_app; auto).
  assert (Skip : forall k (l : list slot) u, In u (skipn k l) -> In u l) by (intros k l u J; rewrite <- (firstn_skipn k l); apply in_or_app; auto).
  apply in_app_or in I as [I|[<-|I]]; [exact (First _ _ _ I) | exact Nw|]. apply in_app_or in I as [I|I]; [exact (First _ _ _ (Skip _ _ _ I)) | exact (Skip (S (N.to_nat d)) vs v I)].
Qed.
Lemma element_kinds c m p l o x : member_kinds m -> yields (Rules.drop_element c m p l o x) member_kinds.
Proof.
  intros K. unfold Rules.drop_element. apply yields_any. intros [| |old| | | |]; try apply yields_refuses. apply yields_any. intros shorter.
  eapply yields_bind; [apply register_set_kinds; [exact K | discriminate]|]. intros m1 K1. eapply yields_bind; [apply object_state_yields|]. intros y F. do 3 (apply yields_any; intros ?).
  apply yields_any. intros d. do 2 (apply yields_any; intros ?). apply yields_any. intros inside. apply yields_any. intros _.
  assert (First : forall g, (forall f, yields (g f) (fun f' => forall v, In v (cells f') -> In v (cells f))) -> yields (let$ low := plus (lower y) 1 in let$ fs := mapped g (field_states y) in
    set_register (with_objects m1 (put (objects_held m1) o (with_fields (with_lower y low) fs))) p (element o low)) member_kinds).
  { intros g G. apply yields_any. intros low. eapply yields_bind; [apply yields_mapped_each; exact G|]. intros fs Fs. apply register_set_kinds; [|discriminate].
    apply object_put_kinds; [exact K1|]. intros n t f Nt Nf. cbn [with_fields with_lower field_states declaration] in *.
    assert (Old : exists f0, List.nth_error (field_states y) n = Some f0 /\ forall v, In v (cells f) -> In v (cells f0)).
    { clear - Fs Nf. revert n Nf. induction Fs as [|a b la lb R _ IH]; intros [|n] Nf; try discriminate; [injection Nf as <-; exists a; auto | exact (IH n Nf)]. }
    destruct Old as (f0 & N0 & In0). destruct (objects_kinds _ _ K1 o y F n t f0 Nt N0) as [|Pl]; [auto | right; intros v I; apply Pl, In0, I]. }
  assert (Moved : forall f (fs : field_state), yields (let$ vs := some (Rules.moved_cells f d (cells fs)) Rejection.Drop in ret {| cells := vs; rest := rest fs |}) (fun f' => forall v, In v (cells f') -> In v (cells fs))).
  { intros f fs. eapply yields_bind with (P := fun vs => forall v, In v vs -> In v (cells fs)); [apply yields_some; intros vs Ev; eapply moved_within; exact Ev|]. intros vs Ev. apply yields_ret. exact Ev. }
  destruct x; try (apply First, Moved).
  apply yields_any. intros u. apply yields_ret. apply object_put_kinds; [exact K1|]. exact (objects_kinds _ _ K1 o y F).
Qed.
Lemma scapegoat_kinds c ds is_ : forallb is_element ds = true -> kinds_right c -> yields (Rules.add_scapegoat E c ds is_) kinds_right.
Proof.
  intros El K. rewrite forallb_forall in El. unfold Rules.add_scapegoat. eapply yields_bind; [apply yields_some with (Q := member_kinds); intros m En; apply K; unfold members_of; rewrite En; apply in_or_app; right; left; reflexivity|].
  intros m Km. apply yields_any. intros _. eapply yields_bind; [apply (yields_folded_in _ member_kinds); [|exact Km]|].
  - intros m1 x I K1. specialize (El x I). unfold is_element in El. unfold Rules.drop_one. assert (K2 : member_kinds (with_size m1 Smaller)) by (apply (like_kinds E m1); auto).
    destruct (snd x), (nth _ (fst x)) as [[| | |]|]; try apply yields_refuses; try discriminate; apply element_kinds; exact K2.
  - intros m1 K1. apply yields_any. intros _. eapply yields_bind; [apply (yields_folded _ member_kinds); [|exact K1]|].
    + intros m2 x K2. unfold Rules.new_integer. destruct (nth _ _) as [[r| | |]|]; try apply yields_refuses. do 2 (apply yields_any; intros ?). apply register_set_kinds; [exact K2 | discriminate].
    + intros m2 K2. apply yields_ret. intros x I. unfold members_of in I. cbn [with_herd herd entry_member] in I. rewrite <- app_assoc in I. apply in_app_or in I as [I|I]; [apply K, herd_member; exact I|].
      destruct I as [<-|I]; [exact K2 | apply K; apply in_or_app; right; exact I].
Qed.
(** Unfold, and nodes that are left out, are not looked at. *)
Definition keeps_kinds (r : rule) : bool := match r with Unfold _ _ => false | AddScapegoat ds _ _ => forallb is_element ds | _ => true end.
Lemma one_kinds (x : computes configuration) : yields x kinds_right -> yields (Rules.one_open x) (Forall kinds_right).
Proof. intros H. unfold Rules.one_open. eapply yields_bind; [exact H|]. intros c K. apply yields_ret. constructor; [exact K | constructor]. Qed.
Lemma none_kinds (x : computes unit) : yields (Rules.closed x) (Forall kinds_right).
Proof. unfold Rules.closed. apply yields_any. intros _. apply yields_ret. constructor. Qed.
Theorem rule_kinds ts c r : keeps_kinds r = true -> kinds_right c -> yields (Rules.apply_rule E ts c r) (Forall kinds_right).
Proof.
  intros Ke K. destruct r; cbn [Rules.apply_rule keeps_kinds] in *; try discriminate; try apply none_kinds; try apply one_kinds.
  - apply step_kinds. exact K.
  - apply decided_kinds. exact K.
  - unfold Rules.split. apply yields_any. intros _. apply yields_any. intros k. apply yields_mapped. intros a. eapply yields_weaker; [apply assume_herd|]. intros d S. exact (same_kinds E c d S K).
  - apply scapegoat_kinds; assumption.
  - unfold Rules.drop_member. do 2 (apply yields_any; intros ?). apply yields_ret. apply (kinds_again E c); [|exact K]. intros m I. unfold members_of in *. cbn [with_herd herd entry_member] in I.
    apply in_app_or in I as [I|I]; apply in_or_app; [left | right; exact I]. revert I. generalize (herd c) as l, member as n. induction l as [|b l IH]; intros n I; [exact I|]. cbn [Rules.without_member] in I.
    destruct (n =? 0); [right; exact I|]. destruct I as [<-|I]; [left; reflexivity | right; eapply IH; exact I].
  - unfold Rules.names_term. apply yields_any. intros _. eapply yields_bind; [apply fresh_herd|]. intros [x d] S. apply yields_any. intros l. apply yields_ret. exact (same_kinds E c d S K).
  - unfold Rules.steps_of. apply yields_any. intros _. apply repeated_kinds. exact K.
Qed.
End Rules.

(** ** Templates *)

Section Template.
Variable t : template.
Lemma slot_checked ps b v : yields (Covering.check_slot t ps b v) (fun _ => is_part v = true -> b = true).
Proof.
  unfold Covering.check_slot. eapply yields_bind with (P := fun ok => ok = true -> is_part v = true -> b = true); [|intros ok H; apply yields_demand; exact H].
  destruct v as [| |u| |o i y|f|f]; try (apply yields_ret; discriminate || (intros; discriminate)); try (apply yields_any; intros ?; apply yields_ret; intros ? Pv; discriminate Pv || assumption).
  destruct b; [apply yields_any; intros s; apply yields_ret; auto | apply yields_ret; discriminate].
Qed.
Lemma field_checked ps f x : yields (Covering.check_field t ps (f, x)) (fun _ => field_type f = Pointer \/ is_plain_field x).
Proof.
  unfold Covering.check_field. apply yields_any. intros _. eapply yields_weaker; [apply yields_each with (Q := fun v => is_part v = true -> is_pointer (field_type f) = true); intros v; apply slot_checked|].
  intros ? H. destruct (field_type f) as [T|]; [|auto]. right. intros v I. destruct (is_part v) eqn:Pv; [|reflexivity]. discriminate (H v I Pv).
Qed.
Lemma object_checked ps x : yields (Covering.check_object_state E t ps x) (fun _ => object_kinds x).
Proof.
  unfold Covering.check_object_state. eapply yields_bind; [apply layout_yields|]. intros y Ty. do 3 (apply yields_any; intros _).
  eapply yields_weaker; [apply yields_each with (Q := fun p => field_type (fst p) = Pointer \/ is_plain_field (snd p)); intros [f z]; apply field_checked|].
  intros ? H n k f Nk Nf. cbn beta in Ty. rewrite Ty, nth_error_map in Nk. destruct (List.nth_error (fields y) n) as [fd|] eqn:Nd; [|discriminate]. injection Nk as <-.
  exact (H (fd, f) (in_combined _ _ _ _ _ Nd Nf)).
Qed.
Definition checked_kinds (m : member) : Prop := (forall r v, In (r, v) (register_slots m) -> is_part v = true -> holds_pointers r) /\ forall x, In x (object_states m) -> object_kinds x.
Lemma member_checked m : yields (Covering.check_member E t m) (fun _ => checked_kinds m).
Proof.
  unfold Covering.check_member. apply yields_any. intros _.
  eapply yields_bind; [apply yields_each with (Q := fun p => is_part (snd p) = true -> holds_pointers (fst p)); intros [r v]; eapply yields_bind; [apply kind_yields|]; intros k (x & A & Tx)|].
  { eapply yields_weaker; [apply slot_checked|]. intros ? H Pv. apply (pointers_hold E r x A). specialize (H Pv). rewrite Tx. destruct k; [discriminate | reflexivity]. }
  intros ? R. cbn beta in R. eapply yields_bind; [apply yields_each with (Q := object_kinds); intros x; apply object_checked|]. intros ? O. cbn beta in O.
  eapply yields_weaker; [intros s1 u s2 _; exact Logic.I|]. intros ? _. split; [intros r v I; exact (R (r, v) I) | exact O].
Qed.
Lemma new_member_kinds p v : is_part v = false -> member_kinds (new_member E p v).
Proof.
  intros Pv. split.
  - intros r w F Pw. cbn [new_member held] in F. apply (proj2 (numbered_of_right _)) in F. apply in_map_iff in F as (? & <- & _). congruence.
  - intros o x F. cbn [new_member objects_held] in F. rewrite find_none in F. discriminate.
Qed.
Lemma described_kinds m : checked_kinds m -> yields (Covering.described_member E m) member_kinds.
Proof.
  intros [R O]. unfold Covering.described_member. apply yields_any. intros _. eapply yields_bind; [apply (yields_folded_in _ member_kinds)|].
  - intros x [r v] I K. apply register_set_kinds; [exact K | exact (R r v I)].
  - apply new_member_kinds. reflexivity.
  - intros x K. set (more := {| present_entries := _; given := _ |}).
    eapply yields_bind; [apply (yields_folded_in _ (fun os : numbered object_state => forall o y, find os o = Some y -> object_kinds y))|].
    + intros os y I H. apply yields_any. intros _. apply yields_ret. intros o z. rewrite find_put. destruct (o =? named y); [intros [= <-]; exact (O y I) | apply H].
    + intros o y F. exact (objects_kinds _ _ K o y F).
    + intros os H. apply yields_ret. split; [exact (register_kinds _ _ K) | exact H].
Qed.
Theorem template_kinds : yields (Covering.configuration_of E t) kinds_right.
Proof.
  unfold Covering.configuration_of. eapply yields_bind with (P := fun _ => forall m, In m (members t) -> checked_kinds m).
  - unfold Covering.check_kinds. apply yields_any. intros _. apply yields_each. intros m. apply member_checked.
  - intros ? H. eapply yields_bind; [apply (yields_mapped_in _ member_kinds); intros m I; apply described_kinds, H, I|]. intros ms F. apply yields_ret.
    intros m I. rewrite Forall_forall in F. apply F. unfold members_of in I. cbn [herd entry_member] in I. rewrite app_nil_r in I. exact I.
Qed.
End Template.

(** ** Roots *)

(** Pointers to linked structures are handed over in registers of pointers, as
    well-formedness asks. *)
Definition links_in_pointers : Prop := forall p o, In (LinkedInput p o) (inputs (program_in E)) -> holds_pointers p.
Lemma input_kinds c env i n : links_in_pointers -> In i (inputs (program_in E)) -> kinds_right c -> yields (set_input E c env i n) (fun x => kinds_right (fst x)).
Proof.
  intros Lk I K. assert (Set_ : forall c1 r v env1, kinds_right c1 -> (is_part v = true -> holds_pointers r) -> yields (let$ c2 := set_in c1 0 r v in ret (c2, env1)) (fun x : configuration * environment => kinds_right (fst x))).
  { intros c1 r v env1 K1 V. eapply yields_bind; [apply set_in_kinds; [exact K1 | exact V]|]. intros c2 K2. apply yields_ret. exact K2. }
  unfold set_input. destruct i as [r|p l o|p o|p o].
  - apply yields_any. intros T. eapply yields_bind; [apply value_herd|]. intros [[t c1] env1] S. apply Set_; [exact (same_kinds E c c1 S K) | discriminate].
  - eapply yields_bind; [apply set_in_kinds; [exact K | discriminate]|]. intros c1 K1. eapply yields_bind; [apply create_kinds; exact K1|]. intros [[v c2] env1] [K2 Pv]. apply Set_; [exact K2 | cbn [fst] in Pv; congruence].
  - apply yields_any. intros z. eapply yields_bind with (P := fun x => kinds_right (snd (fst x)) /\ is_part (fst (fst x)) = false).
    + destruct z as [[| |]|]; try (apply create_kinds; exact K). apply yields_ret. split; [exact K | reflexivity].
    + intros [[v c1] env1] [K1 Pv]. apply Set_; [exact K1 | cbn [fst] in Pv; congruence].
  - cbn [fresh_symbol added]. eapply yields_bind; [apply member_yields|]. intros m H. cbn [add_part added]. apply Set_; [|intros _; exact (Lk p o I)].
    apply set_kinds; [exact K|]. apply (like_kinds E m); [reflexivity | reflexivity | exact (member_in E c 0 m H K)].
Qed.
Theorem root_kinds l class : links_in_pointers -> yields (Rules.root_of_class E l class) (fun r => match r with Some c => kinds_right c | None => True end).
Proof.
  intros Lk. unfold Rules.root_of_class. eapply yields_bind with (P := kinds_right).
  - unfold before_inputs. apply yields_any. intros zero. apply (yields_folded (create_static E) kinds_right).
    + intros c [d o] K. unfold create_static. cbn [fst snd]. destruct (Certificates.origin_of o); try (apply yields_ret; exact K).
      apply yields_any. intros n. eapply yields_bind; [apply create_kinds; exact K|]. intros [[v c1] env] [K1 _]. apply yields_ret. exact K1.
    + intros m [<-|[]]. apply (like_kinds E (new_member E (States.At 0) Uninitialised)); [reflexivity | reflexivity | apply new_member_kinds; reflexivity].
  - intros c K. eapply yields_bind; [apply (yields_folded_in _ (fun x => kinds_right (fst x))); [|exact K]|].
    + intros [c1 k] i I K1. apply in_rev in I. unfold Rules.root_input. apply yields_any. intros elements. eapply yields_bind with (P := fun x => same_herd c1 (snd x)).
      * destruct i as [r|p n o|p o|p o]; try (apply yields_ret; apply same_refl). destruct (_ <=? _); [|apply yields_ret; apply same_refl].
        apply yields_any. intros T. eapply yields_bind; [apply fresh_herd|]. intros [t c2] S2. apply yields_any. intros most. apply yields_any. intros [low high].
        eapply yields_bind; [apply assume_herd|]. intros c3 S3. eapply yields_bind; [apply assume_herd|]. intros c4 S4. apply yields_ret. cbn [snd] in *. eapply same_trans; [exact S2 | eapply same_trans; eauto].
      * intros [els c2] S2. eapply yields_bind; [apply input_kinds; [exact Lk | exact I | exact (same_kinds E c1 c2 S2 K1)]|]. intros [c3 env] K3. apply yields_ret. exact K3.
    + intros [c1 left_] K1. apply yields_ret. destruct (left_ =? 0); [|exact I]. intros m J. unfold members_of in J. cbn [with_entry herd entry_member] in J. apply in_app_or in J as [J|J]; [apply K1, herd_member; exact J|].
      cbn [fst] in K1. destruct (nth (herd c1) 0) as [x|] eqn:Nx; [|destruct J]. destruct J as [<-|[]]. exact (member_in E c1 0 x Nx K1).
Qed.
End Kept.
