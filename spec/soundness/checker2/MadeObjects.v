(** Objects that an instruction makes (spec/calculus.md#outcomes): what is in a member's table
    behind it, with values that are chosen when they are made. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Programs Machine FoldedMembers SameValues SameInputs Loading.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums PointerLists Places Moving LoadLists PointerScopes LifeLists Drawn FreshObjects.
Import ListNotations.
Open Scope Z_scope.

Section Made.
Variable E : setting.
Variable tabs : indexed table.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation world := (world tabs).
Notation goes_on := (goes_on tabs).

(** ** Fields of zeros *)

Definition zero_value (t : type) (z : Z) : Machine.value := match t with IntegerType _ => Machine.Integer 0 | Pointer => Machine.Null end.
Lemma numbers_from_at : forall n b k x, List.nth_error (numbers_from b n) k = Some x -> x = (b + N.of_nat k)%N.
Proof. induction n as [|n IH]; intros b [|k] x H; cbn [numbers_from List.nth_error] in H; try discriminate; [injection H as <-; lia|]. apply IH in H. lia. Qed.
Lemma array_cells nu sc a (f : Z -> Z) ns : forall s M, good nu s M -> (forall j, vr M a j = f j) -> part_within s sc (ArrayPart a) ->
  meets nu s M (mapped (fun i => let$ i := constant_term (Z.of_N i) in let$ t := select a i in ret (IntegerSlot t)) ns) (fun vs s' K => keeps s M s' K /\ length vs = length ns /\
    forall k v, List.nth_error vs k = Some v -> exists n t, List.nth_error ns k = Some n /\ v = IntegerSlot t /\ is_term s' K t (f (Z.of_N n)) /\ part_within s' sc (LinearPart t)).
Proof.
  induction ns as [|n ns IH]; intros s M G Va Wa; cbn [mapped]; [apply meets_ret; auto; split; [apply keeps_refl|]; split; [reflexivity | intros [|k]; discriminate]|].
  eapply meets_bind with (P := fun v s' K => keeps s M s' K /\ exists t, v = IntegerSlot t /\ is_term s' K t (f (Z.of_N n)) /\ part_within s' sc (LinearPart t)).
  - eapply meets_bind; [apply meets_also_kept, meets_also; [apply constant_meets; exact G | apply (constant_within nu tabs sc); exact G]|]. intros i s1 M1 G1 _ [K1 [[_ Vi] Wi]].
    eapply meets_bind; [apply meets_also_kept, meets_also; [apply select_meets; exact G1 | apply (select_within nu tabs sc); [exact G1 | eapply part_kept; eauto | exact Wi]]|].
    intros t s2 M2 G2 _ [K2 [Vt Wt]]. apply meets_ret; auto. split; [eapply keeps_trans; eauto|]. exists t. split; auto. split; [|exact Wt].
    rewrite (proj2 (keeps_arrays _ _ _ _ K1) a (within_in nu tabs sc s M _ G Wa)) in Vt. rewrite Va, Vi in Vt. exact Vt.
  - intros v s1 M1 G1 _ [K1 (t & -> & Vt & Wt)].
    eapply meets_bind; [apply (IH s1 M1 G1); [intros j; rewrite (proj2 (keeps_arrays _ _ _ _ K1) a (within_in nu tabs sc s M _ G Wa)); apply Va | eapply part_kept; eauto]|].
    intros vs s2 M2 G2 _ (K2 & Ln & All). apply meets_ret; auto. split; [eapply keeps_trans; eauto|]. split; [simpl; congruence|].
    intros [|k] u Hu; cbn [List.nth_error] in *; [injection Hu as <-; exists n, t; split; auto; split; auto; split; [eapply is_term_kept; eauto | eapply part_kept; eauto] | exact (All k u Hu)].
Qed.
(** What elements of a static object hold at first, by its contents; 0 by none. *)
Definition contents_value (cs : list contents) (q : N) : Z -> Z := match nth cs q with Some (FromTable t) => table_value tabs t | _ => fun _ => 0 end.
Lemma contents_field_meets nu s M c cs q T e : good nu s M -> meets nu s M (integer_field c (FromContents cs) q T e) (fun r s' K => snd (fst r) = c /\ snd r = FromContents cs /\
  (forall p, In p (field_terms (fst (fst r))) -> part_within s' (variables c) p) /\ forall j, 0 <= j -> j < Z.of_N (fst e) \/ snd e = true -> holds_element K (fst (fst r)) j (Machine.Integer (contents_value cs q j))).
Proof.
  intros G. unfold integer_field. eapply meets_bind; [apply meets_also; [apply constant_meets; exact G | apply (constant_within nu tabs (variables c)); exact G]|]. intros zero s1 M1 G1 K1 [[_ Vz] Wz].
  eapply meets_bind with (P := fun a s' K => is_array s' K a (contents_value cs q) /\ part_within s' (variables c) (ArrayPart a)).
  { assert (Zeros : meets nu s1 M1 (constant_array zero) (fun a s' K => is_array s' K a (fun _ => 0) /\ part_within s' (variables c) (ArrayPart a))).
    { apply meets_also; [eapply meets_weaker; [apply constant_array_meets; exact G1|]; intros a s' K _ _ [I V]; split; [exact I | intros j; rewrite V; exact Vz]|].
      unfold constant_array. eapply meets_peek; [eapply linear_range_peek; eauto|]. intros r R.
      eapply meets_weaker; [apply (add_array_is nu tabs s1 M1 (Constant zero)); [exact G1 | intros _ j; exact R]|].
      intros a s' K _ Kp [_ (y & X & Ca)]. apply (array_within_by s' (variables c) a y X); rewrite Ca; [exact I|]. intros p [<-|[]]. eapply part_kept; eauto. }
    unfold contents_value. destruct (nth cs q) as [[|t|ts]|]; try exact Zeros. apply meets_also; [apply table_meets; exact G1|].
    unfold table_array. eapply meets_peek with (P := fun y => at_position tabs t = Some y).
    { intros y s'. unfold table_at. rewrite (good_tables _ _ _ _ G1). destruct (at_position tabs t); [intros [= <- <-]; auto | discriminate]. }
    intros y Y. eapply meets_weaker; [apply (add_array_is nu tabs s1 M1 (TableOf t)); [exact G1|]|].
    - intros _ j. simpl. rewrite Y. apply hulls_right. unfold entry_at. destruct (j <? 0); [left; simpl; lia|]. destruct (nth (values y) (Z.to_N j)) as [v|] eqn:Ev; [right; eapply Normal.nth_in; eauto | left; simpl; lia].
    - intros a s' K _ Kp [_ (z & X & Ca)]. apply (array_within_by s' (variables c) a z X); rewrite Ca; [exact I | intros p []]. }
  intros a s2 M2 G2 _ [[_ Va] Wa]. unfold cells_of.
  eapply meets_bind with (P := fun x s' K => (forall p, In p (field_terms x) -> part_within s' (variables c) p) /\ forall j, 0 <= j -> j < Z.of_N (fst e) \/ snd e = true -> holds_element K x j (Machine.Integer (contents_value cs q j))).
  - eapply meets_bind; [apply (array_cells nu (variables c) a (contents_value cs q)); auto|]. intros vs s3 M3 G3 _ (K3 & Ln & All). apply meets_ret; auto. rewrite numbers_from_length in Ln. split.
    + intros p I. unfold field_terms in I. cbn [cells rest] in I. apply in_app_or in I as [I|I].
      * apply in_flat_map in I as (v & Iv & Ip). apply In_nth_error in Iv as (k & Iv). destruct (All k v Iv) as (n & t & _ & -> & _ & Wt). destruct Ip as [<-|[]]. exact Wt.
      * destruct (snd e); [|destruct I]. destruct I as [<-|[]]. eapply part_kept; eauto.
    + intros j B L. unfold holds_element, Loading.fixed_element. cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest cells rest]. rewrite map_length, Ln.
      destruct (Z.leb_spec 0 j); [|lia]. destruct (Z.ltb_spec j (Z.of_nat (N.to_nat (fst e)))) as [Lj|Lj]; cbn [andb].
      * destruct (List.nth_error vs (Z.to_nat j)) as [v|] eqn:Nv; [|apply nth_error_None in Nv; lia]. destruct (All _ v Nv) as (n & t & Nn & -> & [_ Vt] & _).
        rewrite (nth_error_nth _ _ FoldedMembers.forgotten (map_nth_error slot_of _ _ Nv)). cbn [Loading.fixed slot_of]. rewrite valued_term, Vt. apply numbers_from_at in Nn. subst n. do 3 f_equal. lia.
      * destruct L as [L|L]; [lia|]. rewrite L. cbn [option_map]. simpl. rewrite N2Nat.id, (proj2 (keeps_arrays _ _ _ _ K3) a (within_in nu tabs _ s2 M2 _ G2 Wa)), Va. reflexivity.
  - intros x s3 M3 G3 _ H. apply meets_ret; auto.
Qed.
Lemma zero_field_meets nu s M c q T e : good nu s M -> meets nu s M (integer_field c (FromContents []) q T e) (fun r s' K => snd (fst r) = c /\ snd r = FromContents [] /\
  (forall p, In p (field_terms (fst (fst r))) -> part_within s' (variables c) p) /\ forall j, 0 <= j -> j < Z.of_N (fst e) \/ snd e = true -> holds_element K (fst (fst r)) j (Machine.Integer 0)).
Proof. exact (contents_field_meets nu s M c [] q T e). Qed.
Lemma zero_fields : fills_fields E tabs (FromContents []) zero_value.
Proof.
  intros d count q [T|] v s c nu M e x c' env s' Wo Ex Fi; destruct (extent_peek E _ _ _ _ _ _ Ex) as [_ Fit].
  - destruct (computed tabs s c nu M _ (fun _ _ r s' K => snd (fst r) = c /\ snd r = FromContents [] /\ (forall p, In p (field_terms (fst (fst r))) -> part_within s' (variables c) p) /\
      forall j, 0 <= j -> j < Z.of_N (fst e) \/ snd e = true -> holds_element K (fst (fst r)) j (Machine.Integer 0)) (x, c', env) s' Wo (fun mu K _ Gk => zero_field_meets mu s K c q T e Gk) Fi)
      as (M1 & W1 & G1 & _ & Ec & Ee & Wt & V). cbn [fst snd] in *. subst c' env. exists nu, M1. split; [apply draws_refl|]. repeat (split; [auto|]). intros j B L. apply V; auto.
  - unfold pointer_field in Fi. unfold bind at 2 in Fi. unfold bind at 1 in Fi. destruct (constant_term 0 s) as [zero s1|] eqn:C0; [|discriminate]. injection Fi as <- <- <- <-.
    destruct (computed tabs s c nu M (constant_term 0) (fun _ _ _ _ _ => True) zero s1 Wo) as (M1 & W1 & G1 & _); auto; [intros mu K _ Gk; eapply meets_weaker; [apply constant_meets; exact Gk | auto]|].
    exists nu, M1. split; [apply draws_refl|]. split; [reflexivity|]. split; [exact W1|]. split; [exact G1|]. split; [unfold field_terms; cbn [cells rest]; rewrite no_terms by reflexivity; intros ? []|].
    intros j B L. apply pointers_hold; [reflexivity|]. destruct (Fit j B L) as [F|[]]. lia.
Qed.

(** ** The object *)

(** What an effect fills fields with, and what elements are. *)
Definition own_environment (f : Certificates.fresh) : environment := match f with Zero => FromContents [] | Arbitrary => AnyValue end.
Definition first_value (f : Certificates.fresh) : type -> Z -> Machine.value := match f with Zero => zero_value | Arbitrary => fresh_value end.
Lemma own_fields f : fills_fields E tabs (own_environment f) (first_value f).
Proof. destruct f; [apply arbitrary_fields | apply zero_fields]. Qed.
(** Where an earlier object of the declaration has ended, if it is a local one; and the name
    of the next. *)
Definition without_earlier (m : member_state) (d : N) (x : Certificates.object) : member_state := match (if is_local (Certificates.origin_of x) then live m d else None) with
  | Some earlier => with_objects m (put (objects_held m) (named earlier) (with_life earlier Dead)) | None => m end.
Lemma without_tables m d x : tables_right m -> tables_right (without_earlier m d x) /\ held (without_earlier m d x) = held m /\ given (objects_held (without_earlier m d x)) = given (objects_held m).
Proof.
  intros T. unfold without_earlier. destruct (if is_local _ then _ else _) as [y|] eqn:Lv; [|auto]. assert (Lv' : live m d = Some y) by (destruct (is_local _); [exact Lv | discriminate]).
  destruct (live_held m d y T Lv') as (F & _). split; [|auto]. apply object_put_tables; [exact T | exact (objects_numbered m T _ y F) | reflexivity].
Qed.
Lemma without_terms s sc m d x : tables_right m -> (forall p, In p (member_terms m) -> part_within s sc p) -> forall p, In p (member_terms (without_earlier m d x)) -> part_within s sc p.
Proof.
  intros T H. unfold without_earlier. destruct (if is_local _ then _ else _) as [y|] eqn:Lv; [|exact H]. assert (Lv' : live m d = Some y) by (destruct (is_local _); [exact Lv | discriminate]).
  destruct (live_held m d y T Lv') as (F & _). apply object_put_within; [exact H|]. exact (object_at_terms s sc m _ y H (objects_numbered m T) F).
Qed.
Lemma without_peek s m d x : tables_right m -> peeks s (match (if is_local (Certificates.origin_of x) then live m d else None) with Some earlier => kill m (named earlier) | None => ret m end) (fun m' => m' = without_earlier m d x).
Proof.
  intros T. unfold without_earlier. destruct (if is_local _ then _ else _) as [y|] eqn:Lv; [|apply peeks_ret; reflexivity]. assert (Lv' : live m d = Some y) by (destruct (is_local _); [exact Lv | discriminate]).
  destruct (live_held m d y T Lv') as (F & _). unfold kill, object_state_at. eapply peeks_bind; [apply (peeks_some s _ _ (fun z => z = y)); congruence|]. intros ? ->. apply peeks_ret. reflexivity.
Qed.
Lemma vacant_right m d o m' : tables_right m -> vacant m d = (o, m') -> find (objects_held m) o = None /\ (o < given (objects_held m'))%N /\ tables_right m' /\ held m' = held m /\
  (forall q, find (objects_held m') q = find (objects_held m) q) /\ (given (objects_held m) <= given (objects_held m'))%N /\ m' = with_objects m (objects_held m').
Proof.
  intros T V. assert (Fresh : find (objects_held m) (given (objects_held m)) = None).
  { destruct (find (objects_held m) (given (objects_held m))) as [y|] eqn:F; [|reflexivity]. pose proof (objects_numbered m T _ y F). lia. }
  assert (Next : tables_right (with_objects m (one_more_number (objects_held m)))).
  { destruct T as [Rn Ro Rb]. split; [exact Rn | | exact Rb]. intros k b F. specialize (Ro k b F). cbn [objects_held with_objects one_more_number given]. lia. }
  unfold vacant in V. destruct (find (objects_held m) d) eqn:Fd; [|destruct (N.ltb_spec d (given (objects_held m)))]; injection V as <- <-.
  - split; [exact Fresh|]. cbn [objects_held with_objects one_more_number given held]. split; [lia|]. split; [exact Next|]. repeat split; lia.
  - split; [exact Fd|]. split; [assumption|]. split; [exact T|]. repeat split; [lia | destruct m; reflexivity].
  - split; [exact Fresh|]. cbn [objects_held with_objects one_more_number given held]. split; [lia|]. split; [exact Next|]. repeat split; lia.
Qed.

(** The member behind it, and what the object is. *)
Record object_put (m m' : member_state) (d o : N) (x : Certificates.object) (y : object_state) : Prop := {
  put_name : find (objects_held (without_earlier m d x)) o = None;
  put_given : (o < given (objects_held m'))%N;
  put_more : (given (objects_held m) <= given (objects_held m'))%N;
  put_objects : forall q, find (objects_held m') q = if (q =? o)%N then Some y else find (objects_held (without_earlier m d x)) q;
  put_rest : m' = with_objects m (objects_held m');
  put_tables : tables_right m';
  put_named : named y = o /\ declaration y = d /\ life_of y = Live }.
(** An object is created that begins there, and whose elements are these, if what is to be
    known of them is so. *)
Definition created (ok : Prop) (f : Certificates.fresh) (b : Z) (v : nat -> Z -> Z) s c M who m d n w c' s' : Prop := exists mu M' c1 m' o x l y, draws c c1 /\ c' = set_member c1 who m' /\ w = PointerSlot o (lower y) 0 /\
  world s' c1 mu M' /\ goes_on s c M s' c1 M' /\
  at_position (objects_of (names_in E)) d = Some x /\ at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some l /\ object_put m m' d o x y /\
  (forall p, In p (member_terms m') -> part_within s' (variables c1) p) /\ part_within s' (variables c1) (LinearPart (lower y)) /\ vl M' (lower y) = b /\ vl M' (upper y) = b + vl M n /\ length (field_states y) = length (fields l) /\
  (ok -> forall k fd z j, List.nth_error (fields l) k = Some fd -> List.nth_error (field_states y) k = Some z -> b <= j < b + vl M n -> holds_element M' z j (first_value f (field_type fd) (v k j))).
Section Created.
Variables (env : environment) (ok : Prop) (f : Certificates.fresh) (b : Z) (v : nat -> Z -> Z).
Variables (s : state) (c : configuration) (nu : Terms.valuation) (M : model) (who : N) (m : member_state) (d n : N).
Hypothesis here : world s c nu M.
Hypothesis member_is : nth (herd c) who = Some m.
Hypothesis count_within : part_within s (variables c) (LinearPart n).
(** Its fields are filled with these elements, as far as it has them, and it begins there. *)
Definition filled (fs : list field) (xs : list field_state) (M' : model) : Prop :=
  ok -> forall k fd z j, List.nth_error fs k = Some fd -> List.nth_error xs k = Some z -> b <= j < b + vl M n -> holds_element M' z j (first_value f (field_type fd) (v k j)).
Hypothesis fills : forall l count xs c1 env1 s1 zero s2 low s3, let fs := fields l in layout_in E d s = Gives l s -> value_of n s = Gives count s -> match count with Some z => vl M n = z | None => True end ->
  new_fields E c env d count 0 fs s = Gives (xs, c1, env1) s1 -> constant_term 0 s1 = Gives zero s2 -> chosen_lower c1 env1 xs zero s2 = Gives low s3 ->
  exists mu M3, draws c c1 /\ world s3 c1 mu M3 /\ goes_on s c M s3 c1 M3 /\ length xs = length fs /\ (forall p, In p (flat_map field_terms xs) -> part_within s3 (variables c1) p) /\
    part_within s3 (variables c1) (LinearPart low) /\ vl M3 low = b /\ filled fs xs M3.
Theorem created_so w c' env' s' : create E c env who d n s = Gives (w, c', env') s' -> created ok f b v s c M who m d n w c' s'.
Proof.
  intros R. unfold create in R. unfold bind at 1 in R. destruct (layout_in E d s) as [l sl|] eqn:Ly; [|discriminate]. pose proof Ly as Ly0. unfold layout_in, object_in, bind, some in Ly0.
  destruct (at_position (objects_of (names_in E)) d) as [x|] eqn:Ox; [|discriminate]. unfold ret at 1 in Ly0. destruct (at_position (layouts_of (names_in E)) (Certificates.layout_of x)) as [l0|] eqn:Lx; [|discriminate]. injection Ly0 as -> <-.
  unfold bind at 1 in R. destruct (value_of n s) as [count s0|] eqn:Vo; [|discriminate]. destruct (value_peek nu tabs s M n (world_good _ _ _ _ _ here) _ _ Vo) as [-> Vn].
  assert (Vc : match count with Some z => vl M n = z | None => True end) by (destruct count; [exact (proj2 Vn) | exact Logic.I]).
  unfold bind at 1 in R. destruct (new_fields E c env d count 0 (fields l) s) as [[[fs c1] env1] s1|] eqn:Nf; [|discriminate].
  unfold bind at 1 in R. destruct (constant_term 0 s1) as [zero s2|] eqn:C0; [|discriminate]. unfold bind at 1 in R. destruct (chosen_lower c1 env1 fs zero s2) as [low s3|] eqn:Cl; [|discriminate].
  destruct (fills l count fs c1 env1 s1 zero s2 low s3 eq_refl eq_refl Vc Nf C0 Cl) as (mu & M3 & D1 & W3 & G3 & L1 & T3 & Wl & Vl & Fl).
  unfold bind at 1 in R. destruct (combine 0 [(low, 1); (n, 1)] s3) as [high s4|] eqn:Cm; [|discriminate]. destruct (goes_terms _ _ _ _ _ _ _ G3 _ count_within) as [Wn3 Vn3]. simpl in Vn3.
  destruct (computed tabs s3 c1 mu M3 (combine 0 [(low, 1); (n, 1)]) (fun _ M t s' M' => is_term s' M' t (0 + parts_value M [(low, 1); (n, 1)]) /\ part_within s' (variables c1) (LinearPart t)) high s4 W3) as (M4 & W4 & G4 & _ & [_ Vh] & Wh); auto.
  { intros mu' K Wm Gk. apply meets_also; [apply combine_meets; exact Gk | apply (combine_within mu' tabs (variables c1)); [exact Gk | apply two_parts; auto]]. }
  pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G3 G4) as G14.
  unfold object_in in R. unfold bind at 1, some at 1 in R. rewrite Ox in R. unfold ret at 1 in R. assert (H1 : nth (herd c1) who = Some m) by (rewrite D1; exact member_is).
  unfold bind at 1, member_at, some at 1 in R. rewrite H1 in R. unfold ret at 1 in R.
  pose proof (world_scope _ _ _ _ _ W4) as Sc4. pose proof (proj1 (proj2 Sc4) m (herd_member c1 m (nth_in _ _ _ H1))) as Tm. pose proof (terms_of_member s4 c1 who m Sc4 H1) as Wm.
  unfold bind at 1 in R. match type of R with (match ?q s4 with _ => _ end) = _ => destruct (q s4) as [m1 s5|] eqn:Ki; [|discriminate] end. destruct (without_peek s4 m d x Tm _ _ Ki) as [-> ->].
  destruct (without_tables m d x Tm) as (Tw & Hw & Gw). destruct (vacant (without_earlier m d x) d) as [o m2] eqn:Va. destruct (vacant_right _ d o m2 Tw Va) as (Fo & Lo2 & T2 & H2 & F2 & Le & E2).
  unfold ret in R. injection R as <- <- <- <-. set (y := {| named := o; declaration := d; life_of := Live; lower := low; upper := high; field_states := fs |}).
  destruct (goes_terms _ _ _ _ _ _ _ G4 _ Wl) as [Wl4 Vl4]. simpl in Vl4. destruct (terms_go tabs _ _ _ _ _ _ _ G4 T3) as [T4 S4].
  exists mu, M4, c1, (with_objects m2 (put (objects_held m2) o y)), o, x, l, y. split; [exact D1|]. split; [reflexivity|]. split; [reflexivity|]. split; [exact W4|]. split; [exact G14|].
  split; [exact Ox|]. split; [exact Lx|]. assert (Rest : with_objects m2 (put (objects_held m2) o y) = with_objects m (put (objects_held m2) o y)).
  { rewrite E2. unfold without_earlier. destruct (if is_local _ then _ else _); reflexivity. }
  split; [split; auto|].
  - rewrite <- Gw. exact Le.
  - intros q. cbn [objects_held with_objects]. rewrite find_put, F2. reflexivity.
  - apply object_put_tables; [exact T2 | exact Lo2 | reflexivity].
  - split; [|split; [exact Wl4|]; split; [cbn [lower y]; rewrite Vl4; exact Vl|]; split; [cbn [upper y]; rewrite Vh; simpl; rewrite Vl, Vn3; lia|]; split; [exact L1|]].
    + assert (Wm2 : forall p, In p (member_terms m2) -> part_within s4 (variables c1) p).
      { intros p I. apply (without_terms s4 (variables c1) m d x Tm Wm). rewrite E2 in I. rewrite member_terms_are in I |- *. unfold other_terms in *. cbn [consumed_of held objects_held parts_held with_objects] in I.
        apply in_app_or in I as [I|I]; apply in_or_app; [left; exact I | right]. apply in_app_or in I as [I|I]; apply in_or_app; [left; exact I | right]. apply in_app_or in I as [I|I]; apply in_or_app; [left | right; exact I].
        unfold entry_terms in *. apply in_flat_map in I as ([q z] & I & J). apply in_order_in in I as [Lq Fq]. rewrite F2 in Fq. apply in_flat_map. exists (q, z). split; [apply in_order_in; split; [exact (objects_numbered _ Tw q z Fq) | exact Fq] | exact J]. }
      apply object_put_within; [exact Wm2|]. intros p I. unfold object_terms in I. cbn [lower upper field_states y] in I. destruct I as [<-|[<-|I]]; auto.
    + intros Ho k fd z j Ef Ez B. cbn [field_states y] in Ez. eapply holds_goes; [|exact (Fl Ho k fd z j Ef Ez B)].
      intros p I. apply S4. apply in_flat_map. exists z. split; [eapply List.nth_error_In; eauto | exact I].
Qed.
End Created.
(** One of which nothing is said begins at 0, and its elements have values that are chosen. *)
Theorem object_created f v s c nu M who m d n w c' env s' : world s c nu M -> nth (herd c) who = Some m -> part_within s (variables c) (LinearPart n) ->
  create E c (own_environment f) who d n s = Gives (w, c', env) s' -> created True f 0 v s c M who m d n w c' s'.
Proof.
  intros Wo Hm Wn. apply (created_so (own_environment f) True f 0 v s c nu M who m d n Wo Hm Wn).
  intros l count xs c1 env1 s1 zero s2 low s3 fs _ _ Vc Nf C0 Cl. destruct (fields_drawn E tabs _ _ d count v fs (own_fields f) 0%N 0%nat s c nu M xs c1 env1 s1 Wo Nf) as (mu1 & M1 & D1 & -> & W1 & G1 & L1 & T1 & V1).
  destruct (computed tabs s1 c1 mu1 M1 (constant_term 0) (fun _ _ t s' M' => is_term s' M' t 0 /\ part_within s' (variables c1) (LinearPart t)) zero s2 W1) as (M2 & W2 & G2 & _ & [_ Vz] & Wz); auto.
  { intros mu K Wm Gk. apply meets_also; [apply constant_meets; exact Gk | apply (constant_within mu tabs (variables c1)); exact Gk]. }
  assert (Lo : chosen_lower c1 (own_environment f) xs zero = ret zero) by (destruct f; reflexivity). rewrite Lo in Cl. injection Cl as <- <-. destruct (terms_go tabs _ _ _ _ _ _ _ G2 T1) as [T2 S2].
  exists mu1, M2. split; [exact D1|]. split; [exact W2|]. split; [eapply goes_trans; eauto|]. split; [exact L1|]. split; [exact T2|]. split; [exact Wz|]. split; [exact Vz|].
  intros _ k fd z j Ef Ez B. eapply holds_goes; [|apply (V1 k fd z j Ef Ez); [lia | destruct count; [lia | exact Logic.I]]].
  intros p I. apply S2. apply in_flat_map. exists z. split; [eapply List.nth_error_In; eauto | exact I].
Qed.
End Made.
