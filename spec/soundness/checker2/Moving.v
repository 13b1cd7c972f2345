(** What the second checker makes of a member when it performs an effect that changes
    registers, or writes an element of an object (spec/calculus.md#outcomes). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine FoldedMembers Configurations Members.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed.
Import ListNotations.
Open Scope Z_scope.

(** ** Lists and tables of which one entry changes *)

Lemma nth_replaced {A} (l : list A) a : forall n, nth l n <> None -> nth (replaced l n a) n = Some a.
Proof. induction l as [|b l IH]; intros n; simpl; [congruence|]. destruct (n =? 0)%N eqn:Z; simpl; rewrite Z; auto. Qed.
Lemma replaced_twice {A} (l : list A) a b : forall n, replaced (replaced l n a) n b = replaced l n b.
Proof. induction l as [|c l IH]; intros n; simpl; auto. destruct (n =? 0)%N eqn:Z; simpl; rewrite Z; congruence. Qed.
Lemma replaced_same {A} (l : list A) a : forall n, nth l n = Some a -> replaced l n a = l.
Proof. induction l as [|c l IH]; intros n; simpl; [congruence|]. destruct (n =? 0)%N; [congruence|]. intros H. f_equal. auto. Qed.
Lemma replaced_in {A} (l : list A) a x : forall n, In x (replaced l n a) -> x = a \/ In x l.
Proof. induction l as [|c l IH]; intros n; simpl; auto. destruct (n =? 0)%N; simpl; [intros [<-|I]; auto|]. intros [<-|I]; auto. destruct (IH _ I); auto. Qed.
Lemma set_member_twice c who a b : set_member (set_member c who a) who b = set_member c who b.
Proof. unfold set_member, with_herd. simpl. rewrite replaced_twice. reflexivity. Qed.
Lemma set_member_same c who a : nth (herd c) who = Some a -> set_member c who a = c.
Proof. intros H. unfold set_member, with_herd. rewrite replaced_same by exact H. destruct c; reflexivity. Qed.
Lemma member_set c who a : nth (herd c) who <> None -> nth (herd (set_member c who a)) who = Some a.
Proof. apply nth_replaced. Qed.

Lemma find_put {A} (x : numbered A) n a k : find (put x n a) k = if (k =? n)%N then Some a else find x k.
Proof.
  unfold find, put. simpl. destruct (N.eqb_spec k n) as [->|D]; [apply PositiveMap.gss|]. apply PositiveMap.gso. intros H. apply key_of_n_injective in H. auto.
Qed.
Lemma find_clear {X} (x : numbered X) n k : find (clear x n) k = if (k =? n)%N then None else find x k.
Proof.
  unfold find, clear. cbn [present_entries]. destruct (N.eqb_spec k n) as [->|D]; [apply PositiveMap.grs|]. apply PositiveMap.gro. intros H. apply key_of_n_injective in H. auto.
Qed.
Lemma put_numbered {A} (x : numbered A) n a : numbered_right x -> find x n <> None -> numbered_right (put x n a).
Proof.
  intros R H k b. rewrite find_put. destruct (N.eqb_spec k n) as [->|D]; [|apply R]. intros _. simpl. destruct (find x n) as [c|] eqn:F; [exact (R n c F) | congruence].
Qed.

(** What happens depends on the values of the effect's terms alone. *)
Definition element_terms (el : element_place) : list part := match el with AtCell _ => [] | AtRest i => [LinearPart i] end.
Definition effect_terms (e : effect) : list part := match e with Sets _ v => slot_terms v | Writes_ _ _ el v => slot_terms v ++ element_terms el | Creates _ _ n _ => [LinearPart n] | _ => [] end.
Lemma happens_same P l m rho roots lasts g M M' e x : all_same M M' (effect_terms e) -> happens P l m rho roots lasts g M e x -> happens P l m rho roots lasts g M' e x.
Proof.
  intros H. assert (Says : forall v w, all_same M M' (slot_terms v) -> says l m rho roots lasts M v w -> says l m rho roots lasts M' v w)
    by (intros v w Hv Sy; unfold says in *; rewrite (SameValues.means_same (valued M) (valued M')); [exact Sy | apply slot_same; exact Hv]).
  destruct e as [k|r v| |r T|q f el v|r dd n f|q]; simpl; auto.
  - intros (Nd & w & Ex & Sy). split; auto. exists w. auto.
  - intros (Nd & idx & w & Ex & Sy & La). split; auto. exists idx, w. split; auto. split; [apply Says; [eapply same_left; exact H | exact Sy]|].
    destruct La as (y & old & Fy & No & La). exists y, old. split; auto. split; auto. destruct el as [n|i]; [exact La|]. destruct La as [Vi La]. split; [|exact La].
    rewrite <- Vi. apply (H (LinearPart i)). apply in_or_app. right. left. reflexivity.
  - pose proof (H (LinearPart n) (or_introl eq_refl)) as V. simpl in V. rewrite V. auto.
Qed.
Lemma happens_kept P l m rho roots lasts g s M s' M' e x : keeps s M s' M' -> (forall p, In p (effect_terms e) -> part_in s p) -> happens P l m rho roots lasts g M e x -> happens P l m rho roots lasts g M' e x.
Proof. intros K H. apply happens_same. intros p I. eapply kept_value; [exact K | auto]. Qed.
Lemma can_happen_kept P under l m rho roots lasts g s M s' M' e : keeps s M s' M' -> (forall p, In p (effect_terms e) -> part_in s p) -> can_happen P under l m rho roots lasts g M e -> can_happen P under l m rho roots lasts g M' e.
Proof.
  intros K H. assert (Each : (exists d, Machine.start d = 0 /\ happens P l m rho roots lasts g M e (Machine.step P under g d)) -> exists d, Machine.start d = 0 /\ happens P l m rho roots lasts g M' e (Machine.step P under g d))
    by (intros (d & Bg & Hp); exists d; split; [exact Bg | eapply happens_kept; eauto]).
  destruct e as [k|r v| |r T|q f el v|r dd n f|q]; try exact Each; [auto|]. cbn [can_happen]. rewrite (proj2 (keeps_linears _ _ _ _ K) n (H (LinearPart n) (or_introl eq_refl))). auto.
Qed.

Section Moving.
Variable E : setting.
Hypothesis bounded : is_bounded E = true.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).

(** ** What has been consumed *)

(** So many more, unless it is not known. *)
Definition counts_on (K : model) (v w : slot) (n : Z) : Prop := match v with
  | IntegerSlot t => exists u, w = IntegerSlot u /\ vl K u = vl K t + n | v => w = v end.
Lemma counts_none K v : counts_on K v v 0.
Proof. destruct v; simpl; auto. exists term. split; auto. lia. Qed.
Lemma count_meets s M c who m : good s M -> nth (herd c) who = Some m -> (forall p, In p (slot_terms (consumed_of m)) -> part_within s (variables c) p) ->
  meets s M (count_one c who) (fun c' s' K => exists w, c' = set_member c who (with_consumed m w) /\ counts_on K (consumed_of m) w 1 /\
    forall p, In p (slot_terms w) -> part_within s' (variables c) p).
Proof.
  intros G H W. unfold count_one, member_at. eapply meets_peek; [apply (peeks_some s _ _ (fun x => x = m)); congruence|]. intros ? ->.
  assert (Same : set_member c who (with_consumed m (consumed_of m)) = c) by (replace (with_consumed m (consumed_of m)) with m by (destruct m; reflexivity); apply set_member_same; exact H).
  destruct (consumed_of m) as [| |t| | | |] eqn:C; try (apply meets_ret; [exact G|]; eexists; split; [symmetry; exact Same | split; [reflexivity | intros ? I; apply W; exact I]]).
  pose proof (W (LinearPart t) (or_introl eq_refl)) as Wt. pose proof (within_in nu tabs _ s M _ G Wt) as It.
  eapply meets_bind; [apply meets_also; [apply plus_meets; auto | apply plus_within; [exact G | exact Wt]]|].
  intros u s1 M1 G1 K1 [[Iu Vu] Wu]. apply meets_ret; auto. exists (IntegerSlot u). split; auto. split.
  - exists u. split; auto. rewrite Vu, (proj2 (keeps_linears _ _ _ _ K1)); auto.
  - intros p [<-|[]]. exact Wu.
Qed.

(** ** Effects *)

(** What makes an object is looked at by itself ([MadeObjects.v]). *)
Definition makes (e : effect) : bool := match e with Creates _ _ _ _ => true | _ => false end.
Definition place_behind (l : N) (e : effect) : place := match e with Goes k => At k | FailsHere => HasFailed | _ => At (N.succ l) end.
Definition rounds (l : N) (e : effect) : Z := match e with Draws _ _ => 1 | Goes k => if (k <=? l)%N then 1 else 0 | _ => 0 end.
(** What a register is set to. *)
Definition sets_to (e : effect) (r : N) (v : slot) : Prop := match e with Sets q w => r = q /\ v = w | Draws q _ => r = q /\ exists t, v = IntegerSlot t | _ => False end.
(** What a field holds when one of its elements has been written. *)
Definition written_field (K : model) (old : field_state) (el : element_place) (v : slot) (new : field_state) : Prop := match el with
  | AtCell n => (n < count (cells old))%N /\ new = {| cells := replaced (cells old) n v; rest := rest old |}
  | AtRest i => exists t a b, v = IntegerSlot t /\ rest old = Some a /\ new = {| cells := cells old; rest := Some b |} /\ forall j, vr K b j = stored_value (vr K a) (vl K i) (vl K t) j end.
Definition objects_behind (K : model) (m m' : member_state) (e : effect) : Prop := match e with
  | Writes_ o f el v => exists x old new, find (objects_held m) o = Some x /\ nth (field_states x) f = Some old /\ written_field K old el v new /\
      objects_held m' = put (objects_held m) o (with_fields x (replaced (field_states x) f new))
  | Kills o => exists x, find (objects_held m) o = Some x /\ objects_held m' = put (objects_held m) o (with_life x Dead)
  | _ => objects_held m' = objects_held m end.
(** The member behind the effect. *)
Record moved (K : model) (m m' : member_state) (l : N) (e : effect) : Prop := {
  moved_objects : objects_behind K m m' e;
  moved_parts : parts_held m' = parts_held m;
  moved_size : size_of m' = size_of m;
  moved_place : place_of m' = place_behind l e;
  moved_held : match e with
    | Sets _ _ | Draws _ _ => exists r v, sets_to e r v /\ find (held m) r <> None /\ held m' = put (held m) r v
    | _ => held m' = held m end;
  moved_count : counts_on K (consumed_of m) (consumed_of m') (rounds l e) }.
(** The configuration, with a fresh variable where a value is drawn. *)
Definition draws_from (c c1 : configuration) (s : state) (K : model) (m' : member_state) (e : effect) : Prop := match e with
  | Draws r T => exists x t, nth (integers (variables c)) (number_of_sort (Some T)) = Some x /\ c1 = with_one_more c (Some T) x /\
      find (held m') r = Some (IntegerSlot t) /\ vl K t = Terms.integers nu (Some T) (N.to_nat x)
  | _ => c1 = c end.

Lemma set_in_peek s c who m r v : nth (herd c) who = Some m -> peeks s (set_in c who r v) (fun c' => find (held m) r <> None /\ c' = set_member c who (with_held m (put (held m) r v))).
Proof.
  intros H. unfold set_in, member_at. eapply peeks_bind; [apply (peeks_some s _ _ (fun x => x = m)); congruence|]. intros ? ->.
  eapply peeks_bind with (P := fun x => find (held m) r <> None /\ x = with_held m (put (held m) r v)).
  - unfold set_register. destruct (find (held m) r) eqn:F; [apply peeks_ret; split; [congruence | reflexivity] | apply peeks_refuses].
  - intros x [F ->]. apply peeks_ret. auto.
Qed.
(** Terms of the member: of what was consumed, and the others. *)
Definition other_terms (m : member_state) : list part := entry_terms slot_terms (held m) ++ entry_terms object_terms (objects_held m) ++ entry_terms folded_terms (parts_held m).
Lemma member_terms_are m : member_terms m = slot_terms (consumed_of m) ++ other_terms m.
Proof. reflexivity. Qed.
Lemma put_terms s sc (x : numbered slot) r v : (forall p, In p (entry_terms slot_terms x) -> part_within s sc p) -> (forall p, In p (slot_terms v) -> part_within s sc p) ->
  forall p, In p (entry_terms slot_terms (put x r v)) -> part_within s sc p.
Proof.
  intros H V p I. unfold entry_terms in I. apply in_flat_map in I as ([n w] & I & J). apply in_order_in in I as [L F]. simpl in L. rewrite find_put in F.
  destruct (n =? r)%N; [injection F as <-; auto|]. apply H. unfold entry_terms. apply in_flat_map. exists (n, w). split; [apply in_order_in; auto | exact J].
Qed.
Lemma in_herd c who m : nth (herd c) who = Some m -> In m (herd c).
Proof. apply nth_in. Qed.
Lemma terms_of_member s c who m : in_scope s c -> nth (herd c) who = Some m -> forall p, In p (member_terms m) -> part_within s (variables c) p.
Proof. intros (_ & _ & H) N p I. apply H. unfold configuration_terms. apply in_or_app. right. apply in_or_app. left. apply in_flat_map. exists m. split; [eapply in_herd; eauto | exact I]. Qed.

Lemma place_end s M c2 who m2 p : good s M -> nth (herd c2) who = Some m2 ->
  meets s M (let$ m := member_at c2 who in ret (set_member c2 who (at_place m p), AnyValue)) (fun r s' K => s' = s /\ K = M /\ fst r = set_member c2 who (at_place m2 p)).
Proof. intros G H. unfold member_at. eapply meets_peek; [apply (peeks_some s _ _ (fun x => x = m2)); congruence|]. intros ? ->. apply meets_ret; auto. Qed.
(** Behind the round, if it is one. *)
Lemma round_meets s M c2 who m2 l k : good s M -> nth (herd c2) who = Some m2 -> (forall p, In p (slot_terms (consumed_of m2)) -> part_within s (variables c2) p) ->
  meets s M (let$ c := (if (k <=? l)%N then count_one c2 who else ret c2) in let$ m := member_at c who in ret (set_member c who (at_place m (At k)), AnyValue))
    (fun r s' K => exists w, fst r = set_member c2 who (at_place (with_consumed m2 w) (At k)) /\ counts_on K (consumed_of m2) w (if (k <=? l)%N then 1 else 0) /\
      forall p, In p (slot_terms w) -> part_within s' (variables c2) p).
Proof.
  intros G H W. destruct (k <=? l)%N.
  - eapply meets_bind; [apply count_meets; eauto|]. intros c3 s1 M1 G1 K1 (w & -> & Cn & Ww).
    eapply meets_weaker; [apply place_end; [exact G1 | apply member_set; congruence]|]. intros r s2 M2 _ _ (-> & -> & ->). exists w. rewrite set_member_twice. auto.
  - eapply meets_bind; [apply (meets_ret nu tabs s M c2) with (Q := fun c s' K => c = c2 /\ s' = s /\ K = M); auto|]. intros ? s1 M1 G1 _ (-> & -> & ->).
    eapply meets_weaker; [apply place_end; [exact G1 | exact H]|]. intros r s2 M2 _ _ (-> & -> & ->). exists (consumed_of m2).
    replace (with_consumed m2 (consumed_of m2)) with m2 by (destruct m2; reflexivity). split; auto. split; [apply counts_none | exact W].
Qed.

Lemma next_number_peek s x : peeks s (next_number x) (fun y => y = N.succ x).
Proof. intros y s'. unfold next_number. destruct (_ <? _)%N; [intros [= <- <-]; auto | discriminate]. Qed.
Lemma behind_itself l : (N.succ l <=? l)%N = false.
Proof. apply N.leb_gt. lia. Qed.
Lemma with_held_terms s sc m r v : (forall p, In p (member_terms m) -> part_within s sc p) -> (forall p, In p (slot_terms v) -> part_within s sc p) ->
  forall p, In p (member_terms (with_held m (put (held m) r v))) -> part_within s sc p.
Proof.
  intros H V p I. rewrite member_terms_are in I. apply in_app_or in I as [I|I]; [apply H; rewrite member_terms_are; apply in_or_app; auto|].
  unfold other_terms in I. cbn [held objects_held parts_held with_held] in I. apply in_app_or in I as [I|I].
  - revert p I. apply put_terms; auto. intros q J. apply H. rewrite member_terms_are. apply in_or_app. right. unfold other_terms. apply in_or_app. auto.
  - apply H. rewrite member_terms_are. apply in_or_app. right. unfold other_terms. apply in_or_app. auto.
Qed.
Lemma end_terms s s' sc m w p : (forall q, part_within s sc q -> part_within s' sc q) -> (forall q, In q (member_terms m) -> part_within s sc q) ->
  (forall q, In q (slot_terms w) -> part_within s' sc q) -> forall q, In q (member_terms (at_place (with_consumed m w) p)) -> part_within s' sc q.
Proof.
  intros L H W q I. rewrite member_terms_are in I. apply in_app_or in I as [I|I]; [auto|]. apply L, H. rewrite member_terms_are. apply in_or_app. right. exact I.
Qed.
(** ** Writing *)

Lemma store_within sc s M a i v : good s M -> part_within s sc (ArrayPart a) -> part_within s sc (LinearPart i) -> part_within s sc (LinearPart v) ->
  meets s M (store a i v) (fun b s' _ => part_within s' sc (ArrayPart b)).
Proof.
  intros G Wa Wi Wv. unfold store. eapply meets_peek with (P := fun x => forall p, In p (parts_of_array x) -> part_within s sc p).
  { inversion Wa as [|n x Nx Ox Wx En]; subst. unfold array_at, look_up. eapply peeks_bind with (P := fun y => y = x); [|intros ? ->; apply peeks_ret; exact Wx]. intros y s'. rewrite Nx. intros [= <- <-]. auto. }
  intros x Wx. set (b := match x with Stored _ _ _ => _ | _ => _ end). assert (Wb : part_within s sc (ArrayPart b)) by (unfold b; destruct x as [T y|c k w|w|t]; auto; destruct (k =? i)%N; [apply Wx; left; reflexivity | exact Wa]).
  eapply meets_peek; [eapply array_range_peek; eauto|]. intros r R. eapply meets_peek; [eapply linear_range_peek; eauto|]. intros q Qr.
  eapply meets_weaker; [apply (add_array_is nu tabs s M (Stored b i v)); [exact G|]; intros _ j; simpl; destruct (_ =? _); [apply hull_right; auto | apply hull_left; auto]|].
  intros c s' M' _ K [_ (y & X & Ca)]. apply (array_within_by s' sc c y X); rewrite Ca; [exact I|]. intros p [<-|[<-|[<-|[]]]]; eapply part_kept; eauto.
Qed.
Lemma replaced_number {A} (l : list A) : forall n a k, nth (replaced l n a) k = if (k =? n)%N then (match nth l k with Some _ => Some a | None => None end) else nth l k.
Proof.
  induction l as [|b l IH]; intros n a k; cbn [replaced nth]; [destruct (k =? n)%N; reflexivity|]. destruct (N.eqb_spec n 0) as [->|Nn].
  - cbn [nth]. destruct (N.eqb_spec k 0); reflexivity.
  - cbn [nth]. destruct (N.eqb_spec k 0) as [->|Nk]; [destruct (N.eqb_spec 0 n); [lia | reflexivity]|]. rewrite IH. destruct (N.eqb_spec (N.pred k) (N.pred n)), (N.eqb_spec k n); try reflexivity; lia.
Qed.
Lemma object_at_terms s sc m o x : (forall p, In p (member_terms m) -> part_within s sc p) -> numbered_right (objects_held m) -> find (objects_held m) o = Some x -> forall p, In p (object_terms x) -> part_within s sc p.
Proof.
  intros H Ro F p I. apply H. rewrite member_terms_are. apply in_or_app. right. unfold other_terms. apply in_or_app. right. apply in_or_app. left. unfold entry_terms. apply in_flat_map. exists (o, x). split; [apply in_order_in; split; [exact (Ro o x F) | exact F] | exact I].
Qed.
Lemma object_put_within s sc m o y : (forall p, In p (member_terms m) -> part_within s sc p) -> (forall p, In p (object_terms y) -> part_within s sc p) ->
  forall p, In p (member_terms (with_objects m (put (objects_held m) o y))) -> part_within s sc p.
Proof.
  intros H V p I. rewrite member_terms_are in I. apply in_app_or in I as [I|I]; [apply H; rewrite member_terms_are; apply in_or_app; auto|].
  assert (O : forall q, In q (other_terms m) -> part_within s sc q) by (intros q J; apply H; rewrite member_terms_are; apply in_or_app; auto).
  unfold other_terms in I, O. cbn [held objects_held parts_held with_objects] in I. apply in_app_or in I as [I|I]; [apply O, in_or_app; auto|]. apply in_app_or in I as [I|I]; [|apply O, in_or_app; right; apply in_or_app; auto].
  unfold entry_terms in I. apply in_flat_map in I as ([n w] & I & J). apply in_order_in in I as [L F]. rewrite find_put in F. destruct (n =? o)%N; [injection F as <-; auto|].
  apply O, in_or_app. right. apply in_or_app. left. unfold entry_terms. apply in_flat_map. exists (n, w). split; [apply in_order_in; auto | exact J].
Qed.
Lemma write_meets s M c who m o f el v : good s M -> in_scope s c -> nth (herd c) who = Some m -> (forall p, In p (effect_terms (Writes_ o f el v)) -> part_within s (variables c) p) ->
  meets s M (write c who o f el v) (fun c' s' K => keeps s M s' K /\ exists y, let m2 := with_objects m (put (objects_held m) o y) in c' = set_member c who m2 /\ objects_behind K m m2 (Writes_ o f el v) /\
    forall p, In p (member_terms m2) -> part_within s' (variables c) p).
Proof.
  intros G Sc H Ef. pose proof (terms_of_member s c who m Sc H) as Tm. pose proof (proj1 (proj2 Sc) m (herd_member c m (nth_in _ _ _ H))) as [_ Ro _].
  unfold write. unfold member_at. eapply meets_peek; [apply (peeks_some s _ _ (fun x => x = m)); congruence|]. intros ? ->.
  unfold object_state_at. eapply meets_peek; [apply (peeks_some s _ _ (fun x => find (objects_held m) o = Some x)); auto|]. intros x Fx.
  eapply meets_peek; [apply (peeks_some s _ _ (fun old => nth (field_states x) f = Some old)); auto|]. intros old Fo. pose proof (object_at_terms s (variables c) m o x Tm Ro Fx) as Tx.
  assert (To : forall p, In p (field_terms old) -> part_within s (variables c) p) by (intros p I; apply Tx; right; right; apply in_flat_map; exists old; split; [exact (nth_in _ _ _ Fo) | exact I]).
  eapply meets_bind with (P := fun new s' K => keeps s M s' K /\ written_field K old el v new /\ forall p, In p (field_terms new) -> part_within s' (variables c) p).
  - unfold write_field. destruct el as [n|i].
    + eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => (n <? count (cells old))%N = true)); auto|]. intros ? L. cbn beta in L. apply N.ltb_lt in L. apply meets_ret; [exact G|]. split; [apply keeps_refl|]. split; [split; [exact L | reflexivity]|].
      intros p I. unfold field_terms in I. cbn [cells rest] in I. apply in_app_or in I as [I|I]; [|apply To; unfold field_terms; apply in_or_app; auto]. apply in_flat_map in I as (u & Iu & Ip). apply replaced_in in Iu as [->|Iu]; [apply Ef, in_or_app; auto|].
      apply To. unfold field_terms. apply in_or_app. left. apply in_flat_map. eauto.
    + destruct v as [| |t| |o' i' b'|h|h]; try apply meets_refuses. destruct (rest old) as [a|] eqn:Ro'; [|apply meets_refuses].
      assert (Wa : part_within s (variables c) (ArrayPart a)) by (apply To; unfold field_terms; rewrite Ro'; apply in_or_app; right; left; reflexivity).
      assert (Wt : part_within s (variables c) (LinearPart t)) by (apply Ef; left; reflexivity). assert (Wi : part_within s (variables c) (LinearPart i)) by (apply Ef; right; left; reflexivity).
      pose proof (within_in nu tabs _ s M _ G Wa) as Ia. pose proof (within_in nu tabs _ s M _ G Wt) as It. pose proof (within_in nu tabs _ s M _ G Wi) as Ii. simpl in Ia, It, Ii.
      eapply meets_bind with (P := fun b s' K => keeps s M s' K /\ is_array s' K b (stored_value (vr M a) (vl M i) (vl M t)) /\ part_within s' (variables c) (ArrayPart b)).
      { intros b s' Es. destruct (store_meets nu tabs s M a i t G b s' Es) as (K & G' & K' & A). destruct (store_within (variables c) s M a i t G Wa Wi Wt b s' Es) as (_ & _ & _ & B). exists K. auto. }
      intros b s1 M1 G1 _ (K1 & [_ Vb] & Wb). apply meets_ret; [exact G1|]. split; [exact K1|]. split.
      * exists t, a, b. split; auto. split; auto. split; auto. intros j. rewrite Vb. unfold stored_value. rewrite (proj2 (keeps_linears _ _ _ _ K1) i Ii), (proj2 (keeps_linears _ _ _ _ K1) t It), (proj2 (keeps_arrays _ _ _ _ K1) a Ia j). reflexivity.
      * intros p I. unfold field_terms in I. cbn [cells rest] in I. apply in_app_or in I as [I|[<-|[]]]; [|exact Wb]. eapply part_kept; [exact K1|]. apply To. unfold field_terms. apply in_or_app. auto.
  - intros new s1 M1 G1 _ (K1 & Wn & Tn). apply meets_ret; [exact G1|]. split; [exact K1|]. exists (with_fields x (replaced (field_states x) f new)). split; [reflexivity|]. split; [exists x, old, new; auto|].
    apply object_put_within; [intros p I; eapply part_kept; eauto|]. intros p I. unfold object_terms in I. cbn [lower upper field_states with_fields] in I.
    destruct I as [<-|[<-|I]]; [eapply part_kept; [exact K1|]; apply Tx; left; reflexivity | eapply part_kept; [exact K1|]; apply Tx; right; left; reflexivity|].
    apply in_flat_map in I as (z & Iz & Ip). apply replaced_in in Iz as [->|Iz]; [exact (Tn p Ip)|]. eapply part_kept; [exact K1|]. apply Tx. right. right. apply in_flat_map. eauto.
Qed.
Theorem perform_moves s M c who m l e : good s M -> in_scope s c -> nth (herd c) who = Some m -> place_of m = At l -> makes e = false ->
  (forall p, In p (effect_terms e) -> part_within s (variables c) p) ->
  meets s M (perform E c AnyValue who e) (fun r s' K => exists c1 m', fst r = set_member c1 who m' /\ draws_from c c1 s K m' e /\ moved K m m' l e /\
    in_scope s' c1 /\ forall p, In p (member_terms m') -> part_within s' (variables c1) p).
Proof.
  intros G Sc H Pl Ch Ef. pose proof (terms_of_member s c who m Sc H) as Tm.
  unfold perform. unfold member_at at 1. eapply meets_peek; [apply (peeks_some s _ _ (fun x => x = m)); congruence|]. intros ? ->. rewrite Pl.
  eapply meets_peek; [apply next_number_peek|]. intros ? ->. eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
  assert (Tc : forall p, In p (slot_terms (consumed_of m)) -> part_within s (variables c) p) by (intros p I; apply Tm; rewrite member_terms_are; apply in_or_app; auto).
  destruct e as [k|r v| |r T|o f e v|r d n f|o]; try discriminate.
  - (* Goes *)
    eapply meets_bind; [apply (meets_ret nu tabs s M (c, AnyValue, At k)) with (Q := fun x s' K => x = (c, AnyValue, At k) /\ s' = s /\ K = M); auto|].
    intros ? s1 M1 G1 _ (-> & -> & ->). eapply meets_weaker; [apply round_meets; eauto|]. intros x s2 M2 G2 K2 (w & -> & Cn & Ww).
    exists c, (at_place (with_consumed m w) (At k)). split; auto. split; [reflexivity|]. split; [split; simpl; auto|]. split; [eapply in_scope_later; eauto|].
    apply (end_terms s s2 (variables c) m w (At k)); [intros q; apply (part_kept (variables c) s M s2 M2 q K2) | exact Tm | exact Ww].
  - (* Sets *)
    eapply meets_bind with (P := fun x s' K => s' = s /\ K = M /\ find (held m) r <> None /\ x = (set_member c who (with_held m (put (held m) r v)), AnyValue, At (N.succ l))).
    { eapply meets_peek; [apply set_in_peek; exact H|]. intros c2 [F ->]. apply meets_ret; auto. }
    intros ? s1 M1 G1 _ (-> & -> & F & ->). rewrite behind_itself.
    set (m2 := with_held m (put (held m) r v)).
    eapply meets_bind; [apply (meets_ret nu tabs s M (set_member c who m2)) with (Q := fun x s' K => x = set_member c who m2 /\ s' = s /\ K = M); auto|].
    intros ? s1 M2 G2 _ (-> & -> & ->). eapply meets_weaker; [apply place_end; [exact G | apply member_set; congruence]|].
    intros x s2 M2' _ _ (-> & -> & ->). rewrite set_member_twice. exists c, (at_place m2 (At (N.succ l))). split; auto. split; [reflexivity|]. split.
    { split; simpl; auto; [exists r, v; auto | apply counts_none]. }
    split; [exact Sc|]. exact (with_held_terms s (variables c) m r v Tm Ef).
  - (* FailsHere *)
    eapply meets_bind; [apply (meets_ret nu tabs s M (c, AnyValue, HasFailed)) with (Q := fun x s' K => x = (c, AnyValue, HasFailed) /\ s' = s /\ K = M); auto|].
    intros ? s1 M1 G1 _ (-> & -> & ->).
    eapply meets_bind; [apply (meets_ret nu tabs s M c) with (Q := fun x s' K => x = c /\ s' = s /\ K = M); auto|].
    intros ? s1 M2 G2 _ (-> & -> & ->). eapply meets_weaker; [apply place_end; [exact G | exact H]|].
    intros x s2 M2' _ _ (-> & -> & ->). exists c, (at_place m HasFailed). split; auto. split; [reflexivity|]. split; [split; simpl; auto; apply counts_none|]. split; [exact Sc | exact Tm].
  - (* Draws *)
    eapply meets_bind with (P := fun x s' K => exists n t c1 w, nth (integers (variables c)) (number_of_sort (Some T)) = Some n /\ c1 = with_one_more c (Some T) n /\
      find (held m) r <> None /\ is_term s' K t (Terms.integers nu (Some T) (N.to_nat n)) /\ in_scope s' c1 /\
      (forall p, In p (member_terms (with_consumed (with_held m (put (held m) r (IntegerSlot t))) w)) -> part_within s' (variables c1) p) /\
      counts_on K (consumed_of m) w 1 /\ x = (set_member c1 who (with_consumed (with_held m (put (held m) r (IntegerSlot t))) w), AnyValue, At (N.succ l))).
    { unfold new_value, sort_of_type. rewrite bounded.
      eapply meets_bind with (P := fun x s' K => exists n t, nth (integers (variables c)) (number_of_sort (Some T)) = Some n /\ x = (t, with_one_more c (Some T) n, AnyValue) /\
        is_term s' K t (Terms.integers nu (Some T) (N.to_nat n)) /\ part_within s' (variables (with_one_more c (Some T) n)) (LinearPart t) /\ keeps s M s' K).
      - intros x s' Ex. destruct (fresh_meets tabs nu s M c (Some T) sorted G Sc (fst (fst x), snd (fst x)) s') as (K & G' & K' & n & En & Ec & V & Wt).
        + unfold bind in Ex |- *. destruct (fresh c (Some T) s) as [[t c1] s1|]; [|discriminate]. injection Ex as <- <-. reflexivity.
        + simpl in Ec, V, Wt. exists K. split; auto. split; auto. exists n, (fst (fst x)). split; auto. split; [|auto].
          unfold bind in Ex. destruct (fresh c (Some T) s) as [[t c1] s1|]; [|discriminate]. injection Ex as <- <-. simpl in *. subst c1. reflexivity.
      - intros ? s1 M1 G1 K1 (n & t & En & -> & V & Wt & _). set (c1 := with_one_more c (Some T) n) in *.
        pose proof (one_more_scope s1 c (Some T) n En (in_scope_later s M s1 M1 c K1 Sc)) as Sc1. fold c1 in Sc1.
        assert (H1 : nth (herd c1) who = Some m) by exact H.
        eapply meets_peek; [apply set_in_peek; exact H1|]. intros c2 [F ->]. set (m2 := with_held m (put (held m) r (IntegerSlot t))).
        pose proof (terms_of_member s1 c1 who m Sc1 H1) as Tm1.
        assert (T2 : forall p, In p (member_terms m2) -> part_within s1 (variables c1) p) by (apply with_held_terms; [exact Tm1 | intros p [<-|[]]; exact Wt]).
        eapply meets_bind; [apply count_meets with (m := m2); [exact G1 | apply member_set; congruence | intros p I; apply T2; rewrite member_terms_are; apply in_or_app; auto]|].
        intros c3 s2 M2 G2 K2 (w & -> & Cn & Ww). apply meets_ret; auto. exists n, t, c1, w. split; auto. split; auto. split; auto.
        split; [eapply is_term_kept; eauto|]. split; [eapply in_scope_later; eauto|]. split; [|split; [exact Cn | rewrite set_member_twice; reflexivity]].
        intros p I. apply (end_terms s1 s2 (variables c1) m2 w (place_of m2)); [intros q; apply (part_kept (variables c1) s1 M1 s2 M2 q K2) | exact T2 | exact Ww | exact I]. }
    intros ? s1 M1 G1 K1 (n & t & c1 & w & En & Ec & F & V & Sc1 & Tt & Cn & ->). rewrite behind_itself.
    set (m3 := with_consumed (with_held m (put (held m) r (IntegerSlot t))) w).
    eapply meets_bind; [apply (meets_ret nu tabs s1 M1 (set_member c1 who m3)) with (Q := fun x s' K => x = set_member c1 who m3 /\ s' = s1 /\ K = M1); auto|].
    intros ? s2 M2 G2 _ (-> & -> & ->). eapply meets_weaker; [apply place_end; [exact G1 | apply member_set; subst c1; simpl; congruence]|].
    intros x s3 M3 _ _ (-> & -> & ->). rewrite set_member_twice. exists c1, (at_place m3 (At (N.succ l))). split; auto. split.
    { exists n, t. split; auto. split; auto. split; [simpl; rewrite find_put, N.eqb_refl; reflexivity | exact (proj2 V)]. }
    split; [split; simpl; auto; exists r, (IntegerSlot t); split; [split; eauto | auto]|]. split; [exact Sc1 | exact Tt].
  - (* Writes *)
    eapply meets_bind with (P := fun x s' K => keeps s M s' K /\ exists y, let m2 := with_objects m (put (objects_held m) o y) in x = (set_member c who m2, AnyValue, At (N.succ l)) /\ objects_behind K m m2 (Writes_ o f e v) /\
      forall p, In p (member_terms m2) -> part_within s' (variables c) p).
    { eapply meets_bind; [apply write_meets; eauto|]. intros c2 s1 M1 G1 _ (K1 & y & -> & Ob & T2). apply meets_ret; [exact G1|]. split; [exact K1|]. exists y. auto. }
    intros ? s1 M1 G1 _ (K1 & y & -> & Ob & T2). rewrite behind_itself. set (m2 := with_objects m (put (objects_held m) o y)) in *.
    eapply meets_bind; [apply (meets_ret nu tabs s1 M1 (set_member c who m2)) with (Q := fun x s' K => x = set_member c who m2 /\ s' = s1 /\ K = M1); auto|].
    intros ? s2 M2 G2 _ (-> & -> & ->). eapply meets_weaker; [apply place_end; [exact G1 | apply member_set; congruence]|].
    intros x s3 M3 _ _ (-> & -> & ->). rewrite set_member_twice. exists c, (at_place m2 (At (N.succ l))). split; auto. split; [reflexivity|]. split; [split; simpl; auto; apply counts_none|].
    split; [eapply in_scope_later; eauto | exact T2].
  - (* Kills *)
    pose proof (proj1 (proj2 Sc) m (herd_member c m (nth_in _ _ _ H))) as [_ Ro _].
    eapply meets_bind with (P := fun x s' K => s' = s /\ K = M /\ exists y, find (objects_held m) o = Some y /\ x = (set_member c who (with_objects m (put (objects_held m) o (with_life y Dead))), AnyValue, At (N.succ l))).
    { unfold kill, object_state_at. eapply meets_peek with (P := fun x => exists y, find (objects_held m) o = Some y /\ x = with_objects m (put (objects_held m) o (with_life y Dead)));
        [eapply peeks_bind; [apply (peeks_some s _ _ (fun y => find (objects_held m) o = Some y)); auto | intros y Fy; apply peeks_ret; exists y; auto] | intros x (y & Fy & ->); apply meets_ret; [exact G|]; split; [reflexivity|]; split; [reflexivity|]; exists y; auto]. }
    intros ? s1 M1 G1 _ (-> & -> & y & Fy & ->). rewrite behind_itself. set (m2 := with_objects m (put (objects_held m) o (with_life y Dead))).
    eapply meets_bind; [apply (meets_ret nu tabs s M (set_member c who m2)) with (Q := fun x s' K => x = set_member c who m2 /\ s' = s /\ K = M); auto|].
    intros ? s2 M2 G2 _ (-> & -> & ->). eapply meets_weaker; [apply place_end; [exact G | apply member_set; congruence]|].
    intros x s3 M3 _ _ (-> & -> & ->). rewrite set_member_twice. exists c, (at_place m2 (At (N.succ l))). split; auto. split; [reflexivity|]. split; [split; simpl; eauto; apply counts_none|].
    split; [exact Sc|]. apply (object_put_within s (variables c) m o (with_life y Dead) Tm). exact (object_at_terms s (variables c) m o y Tm Ro Fy).
Qed.
(** The configuration is in scope again. *)
Lemma moved_scope s K c1 who m m' l e : in_scope s c1 -> nth (herd c1) who = Some m -> moved K m m' l e -> (forall p, In p (member_terms m') -> part_within s (variables c1) p) ->
  in_scope s (set_member c1 who m').
Proof.
  intros (F & R & H) N Mv T. split; [exact F|]. split.
  - apply (members_again tables_right c1); [reflexivity | | exact R]. intros x I. cbn [set_member with_herd herd] in I. apply replaced_in in I as [->|I]; [|apply R, herd_member; exact I]. pose proof (R m (herd_member _ _ (in_herd _ _ _ N))) as Rm.
    destruct Rm as [Rm1 Rm2 Rm3]. assert (Rt : numbered_right (objects_held m') /\ forall q y, find (objects_held m') q = Some y -> named y = q).
    { pose proof (moved_objects _ _ _ _ _ Mv) as Ob. destruct e as [k|r v| |r U|q f el v|r dd n f|q]; cbn [objects_behind] in Ob; try (rewrite Ob; auto; fail); [destruct Ob as (y & old & new & Fy & _ & _ & ->) | destruct Ob as (y & Fy & ->)].
      all: split; [apply put_numbered; [exact Rm2 | congruence]|].
      all: intros k b; rewrite find_put; destruct (N.eqb_spec k q) as [->|_]; [intros [= <-]; exact (Rm3 q y Fy) | apply Rm3]. }
    destruct Rt as [Rt2 Rt3]. split; [|exact Rt2 | exact Rt3].
    pose proof (moved_held _ _ _ _ _ Mv) as Mh. destruct e; try (rewrite Mh; exact Rm1); destruct Mh as (r0 & v0 & _ & Fr & ->); apply put_numbered; auto.
  - intros p I. unfold configuration_terms in I. cbn [set_member with_herd known_literals herd entry_member_terms entry_member] in I.
    apply in_app_or in I as [I|I]; [apply H; unfold configuration_terms; apply in_or_app; auto|]. apply in_app_or in I as [I|I].
    + apply in_flat_map in I as (x & Ix & Ip). apply replaced_in in Ix as [->|Ix]; [apply T; exact Ip|]. apply H. unfold configuration_terms. apply in_or_app. right. apply in_or_app. left.
      apply in_flat_map. eauto.
    + apply H. unfold configuration_terms. apply in_or_app. right. apply in_or_app. right. exact I.
Qed.
End Moving.
