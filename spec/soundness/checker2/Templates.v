(** That templates, as the second checker makes them (spec/calculus.md#template), mention
    variables of their scope alone. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine FoldedMembers Configurations.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed Moving.
From Goatherd.checker2 Require Covering.
Import ListNotations.
Open Scope Z_scope.

(** ** Tables that are made from lists *)

Lemma numbered_from {A} (l : list A) : forall x : numbered A, numbered_right x ->
  numbered_right (fold_left (fun x a => snd (added x a)) l x) /\
  forall n a, find (fold_left (fun x a => snd (added x a)) l x) n = Some a -> find x n = Some a \/ In a l.
Proof.
  induction l as [|b l IH]; intros x R; cbn [fold_left]; [auto|]. set (y := snd (added x b)).
  assert (Fy : forall n, find y n = if (n =? given x)%N then Some b else find x n).
  { intros n. unfold y, added. cbn [snd]. rewrite find_put. reflexivity. }
  assert (Ry : numbered_right y).
  { intros n a. rewrite Fy. unfold y, added. simpl. destruct (N.eqb_spec n (given x)) as [->|D]; [intros _; lia|]. intros H. pose proof (R n a H). lia. }
  destruct (IH y Ry) as [A1 B1]. split; auto. intros n a H. destruct (B1 n a H) as [H'|H']; [|right; right; exact H'].
  rewrite Fy in H'. destruct (n =? given x)%N; [injection H' as <-; right; left; reflexivity | auto].
Qed.
Lemma find_none {A} n k : find (none_numbered A n) k = None.
Proof. unfold find. simpl. apply PositiveMap.gempty. Qed.
Lemma numbered_of_right {A} (l : list A) : numbered_right (numbered_of l) /\ forall n a, find (numbered_of l) n = Some a -> In a l.
Proof.
  destruct (numbered_from l (none_numbered A 0)) as [R F]; [intros n a; rewrite find_none; discriminate|]. split; auto. intros n a H. destruct (F n a H) as [X|X]; auto.
  rewrite find_none in X. discriminate.
Qed.

Lemma count_length {A} (l : list A) : count l = N.of_nat (length l).
Proof.
  unfold count. enough (H : forall n, counted l n = (n + N.of_nat (length l))%N) by (rewrite H; lia).
  induction l as [|a l IH]; intros n; cbn [counted length]; [lia|]. rewrite IH. lia.
Qed.

Section Template.
Variable E : setting.
Variable t : template.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Variables (s : state) (M : model).
Hypothesis good_here : good nu tabs s M.
Hypothesis formed : formed_scope (scope_of t).
Notation within p := (part_within s (scope_of t) p).
Notation all_in ps := (forall p, In p ps -> within p).

Lemma each_peek {A} (f : A -> computes unit) (Q : A -> Prop) l : (forall a, In a l -> peeks s (f a) (fun _ => Q a)) -> peeks s (for_each f l) (fun _ => forall a, In a l -> Q a).
Proof.
  unfold for_each. induction l as [|a l IH]; intros H; cbn [folded_left]; [apply peeks_ret; intros ? []|].
  eapply peeks_bind; [apply H; left; auto|]. intros [] Qa. eapply peeks_weaker; [apply IH; intros; apply H; right; auto|]. intros ? Ql b [<-|I]; auto.
Qed.
Lemma term_peek p : peeks s (Covering.check_term t p) (fun _ => within p).
Proof. eapply exists_in_peek; eauto. Qed.
Lemma sort_peek ps f : peeks s (Covering.sort_of_part t ps f) (fun _ => True).
Proof. unfold Covering.sort_of_part. eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto | intros; apply peeks_some; auto]. Qed.
Lemma slot_peek ps b v : peeks s (Covering.check_slot t ps b v) (fun _ => all_in (slot_terms v)).
Proof.
  unfold Covering.check_slot. eapply peeks_bind with (P := fun _ => all_in (slot_terms v)); [|intros ok H; apply peeks_demand; auto].
  destruct v as [| |u| |o i y|f|f]; simpl; try (apply peeks_ret; intros ? []).
  - eapply peeks_bind; [apply term_peek|]. intros ? W. cbn beta in W. apply peeks_ret. intros p [<-|[]]. exact W.
  - eapply peeks_bind; [apply term_peek|]. intros ? W. cbn beta in W. apply peeks_ret. intros p [<-|[]]. exact W.
  - eapply peeks_bind; [apply sort_peek|]. intros ? _. apply peeks_ret. intros ? [].
  - destruct b; [|apply peeks_ret; intros ? []]. eapply peeks_bind; [apply sort_peek|]. intros ? _. apply peeks_ret. intros ? [].
Qed.
Lemma field_peek ps f x : peeks s (Covering.check_field t ps (f, x)) (fun _ => all_in (field_terms x)).
Proof.
  unfold Covering.check_field, field_terms. eapply peeks_bind with (P := fun _ => all_in match rest x with Some a => [ArrayPart a] | None => [] end).
  - destruct (rest x) as [a|]; [|apply peeks_ret; intros ? []]. eapply peeks_bind with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
    eapply peeks_weaker; [apply term_peek|]. intros ? W p [<-|[]]. exact W.
  - intros ? R. cbn beta in R. eapply peeks_weaker; [apply (each_peek _ (fun v => all_in (slot_terms v))); intros v _; apply slot_peek|]. intros ? C p I.
    apply in_app_or in I as [I|I]; [|auto]. apply in_flat_map in I as (v & Iv & Ip). exact (C v Iv p Ip).
Qed.
Lemma in_pairs {A B} (l : list A) : forall (k : list B) b, length l = length k -> In b k -> exists a, In (a, b) (List.combine l k).
Proof.
  induction l as [|a l IH]; intros [|c k] b L I; try discriminate; [destruct I|]. cbn [List.combine]. destruct I as [->|I]; [exists a; left; auto|].
  destruct (IH k b) as (a' & J); auto. exists a'. right. exact J.
Qed.
Lemma object_peek ps x : peeks s (Covering.check_object_state E t ps x) (fun _ => all_in (object_terms x)).
Proof.
  unfold Covering.check_object_state. eapply peeks_bind with (P := fun _ => True).
  { unfold layout_in, object_in. eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto | intros; apply peeks_some; auto]. }
  intros l _. eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => (count (fields l) =? count (field_states x))%N = true)); auto|]. intros ? Cn. cbn beta in Cn.
  eapply peeks_bind; [apply term_peek|]. intros ? W1. eapply peeks_bind; [apply term_peek|]. intros ? W2. cbn beta in W1, W2.
  eapply peeks_weaker; [apply (each_peek _ (fun fx => all_in (field_terms (snd fx)))); intros [f y] _; apply field_peek|]. intros ? C p [<-|[<-|I]]; auto.
  apply in_flat_map in I as (y & Iy & Ip). apply N.eqb_eq in Cn. rewrite !count_length in Cn.
  destruct (in_pairs (fields l) (field_states x) y ltac:(lia) Iy) as (f & J). exact (C (f, y) J p Ip).
Qed.
Lemma part_peek ps q : peeks s (Covering.check_part t ps q) (fun _ => all_in (folded_terms (snd q))).
Proof.
  destruct q as [f p]. unfold Covering.check_part, folded_terms. eapply peeks_bind; [apply slot_peek|]. intros ? A. eapply peeks_bind; [apply slot_peek|]. intros ? B.
  eapply peeks_bind; [apply slot_peek|]. intros ? C. cbn beta in A, B, C. eapply peeks_bind; [apply sort_peek|]. intros sh _. apply peeks_demand. intros _ r I. cbn [snd] in I.
  apply in_app_or in I as [I|I]; auto. apply in_app_or in I as [I|I]; auto.
Qed.
(** What a member of the template lists. *)
Definition listed_terms (m : member) : list part := slot_terms (consumed m) ++ flat_map (fun '(_, v) => slot_terms v) (register_slots m) ++
  flat_map object_terms (object_states m) ++ flat_map folded_terms (folded_parts m).
Lemma in_numbered {A} (l : list A) a : In a l -> exists n, In (n, a) (List.combine (numbers_from 0 (length l)) l).
Proof. intros I. destruct (in_pairs (numbers_from 0 (length l)) l a) as (n & J); [apply numbers_from_length | exact I | eauto]. Qed.
Lemma member_peek m : peeks s (Covering.check_member E t m) (fun _ => all_in (listed_terms m)).
Proof.
  unfold Covering.check_member, listed_terms. eapply peeks_bind with (P := fun _ => all_in (slot_terms (consumed m))).
  { destruct (consumed m); simpl; try apply peeks_refuses; [apply peeks_ret; intros ? []|]. eapply peeks_weaker; [apply term_peek|]. intros ? W p [<-|[]]. exact W. }
  intros ? A. cbn beta in A. eapply peeks_bind; [apply (each_peek _ (fun rv => all_in (slot_terms (snd rv)))); intros [r v] _|].
  { eapply peeks_bind with (P := fun _ => True); [unfold register_kind; eapply peeks_bind with (P := fun _ => True); [apply peeks_some; auto | intros; apply peeks_ret; auto]|]. intros k _. apply slot_peek. }
  intros ? B. cbn beta in B. eapply peeks_bind; [apply (each_peek _ (fun x => all_in (object_terms x))); intros x _; apply object_peek|]. intros ? C. cbn beta in C.
  eapply peeks_weaker; [apply (each_peek _ (fun q => all_in (folded_terms (snd q)))); intros q _; apply part_peek|]. intros ? D p I.
  apply in_app_or in I as [I|I]; auto. apply in_app_or in I as [I|I]; [apply in_flat_map in I as ([r v] & Iv & Ip); exact (B (r, v) Iv p Ip)|].
  apply in_app_or in I as [I|I]; [apply in_flat_map in I as (x & Ix & Ip); exact (C x Ix p Ip)|].
  apply in_flat_map in I as (q & Iq & Ip). destruct (in_numbered _ q Iq) as (n & J). exact (D (n, q) J p Ip).
Qed.

(** The member as it is described has these terms, and no other. *)
Definition described_right (m : member) (m' : member_state) : Prop := tables_right m' /\ forall p, In p (member_terms m') -> In p (listed_terms m).
Lemma set_registers_peek (l : list (N * slot)) : forall x, numbered_right (held x) -> peeks s (folded_left (fun x '(r, v) => set_register x r v) l x)
  (fun y => numbered_right (held y) /\ objects_held y = objects_held x /\ parts_held y = parts_held x /\
    forall n v, find (held y) n = Some v -> find (held x) n = Some v \/ exists r, In (r, v) l).
Proof.
  induction l as [|[r v] l IH]; intros x R; cbn [folded_left]; [apply peeks_ret; auto|].
  eapply peeks_bind with (P := fun y => find (held x) r <> None /\ y = with_held x (put (held x) r v)).
  { unfold set_register. destruct (find (held x) r) eqn:F; [apply peeks_ret; split; [congruence | auto] | apply peeks_refuses]. }
  intros y [F ->]. eapply peeks_weaker; [apply IH; simpl; apply put_numbered; auto|]. intros z (A & B & C & D). simpl in B, C, D. split; auto. split; auto. split; auto.
  intros n w H. destruct (D n w H) as [H'|[r' H']]; [|right; exists r'; right; exact H']. rewrite find_put in H'. destruct (n =? r)%N; [injection H' as <-; right; exists r; left; auto | auto].
Qed.
Lemma objects_peek (l : list object_state) : forall os : numbered object_state, peeks s (folded_left (fun os y => demand (named y <? given os)%N Rejection.Missing >> ret (put os (named y) y)) l os)
  (fun os' => given os' = given os /\ forall n x, find os' n = Some x -> find os n = Some x \/ In x l /\ (n < given os)%N /\ named x = n).
Proof.
  induction l as [|x l IH]; intros os; cbn [folded_left]; [apply peeks_ret; auto|].
  eapply peeks_bind with (P := fun os' => (named x < given os)%N /\ os' = put os (named x) x);
    [eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => (named x < given os)%N)); apply N.ltb_lt | intros; apply peeks_ret; auto]|].
  intros ? [L ->]. eapply peeks_weaker; [apply IH|]. intros os' [Gv H]. split; [exact Gv|]. intros n y F. destruct (H n y F) as [F'|(F' & L' & N')]; [|right; split; [right; exact F' | auto]].
  rewrite find_put in F'. destruct (N.eqb_spec n (named x)); [injection F' as <-; subst n; right; split; [left; auto | auto] | auto].
Qed.
Lemma described_peek m : peeks s (Covering.described_member E m) (described_right m).
Proof.
  unfold Covering.described_member. eapply peeks_bind with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _. set (start := new_member E (States.At (location m)) Forgotten).
  destruct (numbered_of_right (List.map (fun _ : register => Forgotten) (registers (program_in E)))) as [Rs Fs].
  eapply peeks_bind; [apply set_registers_peek; exact Rs|]. intros x (Rx & Ox & Px & Hx). eapply peeks_bind; [apply objects_peek|]. intros os [Gv Ho]. cbn beta in Ho.
  assert (None_ : forall n, find (objects_held x) n = None) by (intros n; rewrite Ox; unfold find; simpl; apply PositiveMap.gempty).
  apply peeks_ret. split.
  { assert (In_ : forall n y, find os n = Some y -> (n < given os)%N /\ named y = n).
    { intros n y F. destruct (Ho n y F) as [F'|(_ & L & N)]; [pose proof (None_ n) as F''; unfold find in F', F''; cbn [present_entries] in F'; congruence | rewrite Gv; auto]. }
    split; cbn [with_consumed with_size with_parts with_objects held objects_held]; [exact Rx | intros n y F; apply (In_ n y F) | intros n y F; apply (In_ n y F)]. } intros p I. unfold member_terms in I. cbn [with_consumed with_size with_parts with_objects consumed_of held objects_held parts_held] in I.
  unfold listed_terms. apply in_app_or in I as [I|I]; apply in_or_app; [auto | right]. apply in_app_or in I as [I|I]; apply in_or_app; [left|right].
  - unfold entry_terms in I. apply in_flat_map in I as ([n v] & Iv & Ip). apply in_order_in in Iv as [_ F]. destruct (Hx n v F) as [F'|[r F']].
    + apply Fs in F'. apply in_map_iff in F' as (? & <- & _). destruct Ip.
    + apply in_flat_map. exists (r, v). auto.
  - apply in_app_or in I as [I|I]; apply in_or_app; [left|right]; unfold entry_terms in I; apply in_flat_map in I as ([n y] & Iy & Ip); apply in_order_in in Iy as [_ F].
    + apply in_flat_map. exists y. split; [|exact Ip]. destruct (Ho n y F) as [F'|[F' _]]; auto. rewrite Ox in F'. unfold find in F'. simpl in F'. rewrite PositiveMap.gempty in F'. discriminate.
    + apply in_flat_map. exists y. split; [|exact Ip]. destruct (numbered_of_right (folded_parts m)) as [_ Fp]. exact (Fp n y F).
Qed.
Lemma all_described ms : peeks s (mapped (Covering.described_member E) ms) (fun ms' => forall m', In m' ms' -> exists m, In m ms /\ described_right m m').
Proof.
  induction ms as [|m ms IH]; cbn [mapped]; [apply peeks_ret; intros ? []|]. eapply peeks_bind; [apply described_peek|]. intros m' D. eapply peeks_bind; [exact IH|]. intros ms' H. apply peeks_ret.
  intros x [<-|I]; [exists m; split; [left; auto | exact D]|]. destruct (H x I) as (y & Iy & Dy). exists y. split; [right; exact Iy | exact Dy].
Qed.
Theorem template_right : peeks s (Covering.configuration_of E t) (fun c => in_scope s c /\ progress c = false).
Proof.
  unfold Covering.configuration_of, Covering.check_kinds. eapply peeks_bind with (P := fun _ => all_in (literal_terms (predicate t)) /\ forall m, In m (members t) -> all_in (listed_terms m)).
  - eapply peeks_bind; [apply (each_peek _ (fun l => within (LinearPart (term_of l)))); intros l _; apply term_peek|]. intros ? A. cbn beta in A.
    eapply peeks_weaker; [apply (each_peek _ (fun m => all_in (listed_terms m))); intros m _; apply member_peek|]. intros ? B. split; [|exact B].
    intros p I. apply in_map_iff in I as (l & <- & I). exact (A l I).
  - intros ? [A B]. eapply peeks_bind; [apply all_described|]. intros ms D. apply peeks_ret. split; [|reflexivity]. split; [exact formed|]. cbn [herd known_literals variables].
    split; [intros m' I; apply in_app_or in I as [I|[]]; destruct (D m' I) as (m & _ & [R _]); exact R|]. intros p I. unfold configuration_terms in I. cbn [known_literals herd entry_member_terms entry_member] in I.
    apply in_app_or in I as [I|I]; [auto|]. rewrite app_nil_r in I. apply in_flat_map in I as (m' & Im & Ip). destruct (D m' Im) as (m & Iy & [_ H]). exact (B m Iy p (H p Ip)).
Qed.
End Template.
