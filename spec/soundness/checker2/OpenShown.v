(** That a part which is opened, or closed, in all its occurrences leaves a member in scope
    that describes what it did, and the entry right (spec/calculus.md#unfold). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Sorts Programs Machine Folding FoldedMembers Configurations Members Changes Opening Unfold Cases Planting Loading Kept EntryKept SameInputs SameValues SameMembers SameEntries.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting States Denoting Carried Shown Listed Places PointerLists Moving Folds Followed Covered Opened NodeOpened.
Import ListNotations.
Open Scope Z_scope.

(** ** Terms of members *)

Section Within.
Variables (s : state) (sc : scope).
Notation within p := (part_within s sc p).
Definition slot_within (v : slot) : Prop := forall p, In p (slot_terms v) -> within p.
Record tables_in (m : member_state) : Prop := {
  consumed_in : slot_within (consumed_of m);
  held_in : forall r v, (r < given (held m))%N -> find (held m) r = Some v -> slot_within v;
  objects_in_ : forall o x, (o < given (objects_held m))%N -> find (objects_held m) o = Some x -> forall p, In p (object_terms x) -> within p;
  parts_in_ : forall g q, (g < given (parts_held m))%N -> find (parts_held m) g = Some q -> forall p, In p (folded_terms q) -> within p }.
Lemma in_entries {A} (h : A -> list part) (x : numbered A) p : In p (entry_terms h x) <-> exists n a, (n < given x)%N /\ find x n = Some a /\ In p (h a).
Proof.
  unfold entry_terms. rewrite in_flat_map. split.
  - intros ([n a] & I & J). apply in_order_in in I as [L F]. eauto.
  - intros (n & a & L & F & J). exists (n, a). split; [apply in_order_in; auto | exact J].
Qed.
Lemma tables_are_in m : (forall p, In p (member_terms m) -> within p) <-> tables_in m.
Proof.
  split.
  - intros H. split.
    + intros p I. apply H. unfold member_terms. apply in_or_app. auto.
    + intros r v L F p I. apply H. unfold member_terms. apply in_or_app. right. apply in_or_app. left. apply in_entries. eauto.
    + intros o x L F p I. apply H. unfold member_terms. do 2 (apply in_or_app; right). apply in_or_app. left. apply in_entries. eauto.
    + intros g q L F p I. apply H. unfold member_terms. do 3 (apply in_or_app; right). apply in_entries. eauto.
  - intros [A B C D] p I. unfold member_terms in I. apply in_app_or in I as [I|I]; [auto|]. apply in_app_or in I as [I|I]; [apply in_entries in I as (n & a & L & F & J); exact (B n a L F p J)|].
    apply in_app_or in I as [I|I]; apply in_entries in I as (n & a & L & F & J); [exact (C n a L F p J) | exact (D n a L F p J)].
Qed.
Lemma replaces_within f a b v : slot_within a -> slot_within b -> slot_within v -> slot_within (replaces f a b v).
Proof. intros A B V. destruct v as [| |t| |o i c|g|g]; auto; cbn [replaces]; destruct (g =? f)%N; auto. Qed.
Lemma replaced_in m f a b : slot_within a -> slot_within b -> tables_in m -> tables_in (replace_part m f a b).
Proof.
  intros A B [H1 H2 H3 H4]. unfold replace_part. split; cbn [map_slots with_held with_parts with_objects consumed_of held objects_held parts_held map_numbered given clear].
  - exact H1.
  - intros r v L. rewrite find_mapped. destruct (find (held m) r) as [w|] eqn:F; [|discriminate]. intros [= <-]. apply replaces_within; auto. exact (H2 r w L F).
  - intros o x L. rewrite find_mapped. destruct (find (objects_held m) o) as [z|] eqn:F; [|discriminate]. intros [= <-] p I. pose proof (H3 o z L F) as Hz. unfold object_terms in *. cbn [with_fields lower upper field_states] in I.
    destruct I as [<-|[<-|I]]; [apply Hz; left; reflexivity | apply Hz; right; left; reflexivity|]. apply in_flat_map in I as (y & Iy & I). apply in_map_iff in Iy as (y0 & <- & Iy). unfold field_terms in I. cbn [map_cells cells rest] in I.
    assert (Hy : forall q, In q (field_terms y0) -> within q) by (intros q Iq; apply Hz; right; right; apply in_flat_map; eauto). unfold field_terms in Hy.
    apply in_app_or in I as [I|I]; [|apply Hy, in_or_app; auto]. apply in_flat_map in I as (v & Iv & I). apply in_map_iff in Iv as (v0 & <- & Iv). refine (replaces_within f a b v0 A B _ p I). intros q Iq. apply Hy, in_or_app. left. apply in_flat_map. eauto.
  - intros g q L. rewrite find_mapped, find_clear. destruct (g =? f)%N; [discriminate|]. destruct (find (parts_held m) g) as [z|] eqn:F; [|discriminate]. intros [= <-] p I. pose proof (H4 g z L F) as Hz. unfold folded_terms in *. cbn [map_part above same below] in I.
    apply in_app_or in I as [I|I]; [refine (replaces_within f a b (above z) A B _ p I); intros w Iw; apply Hz, in_or_app; auto|]. apply in_app_or in I as [I|I]; [refine (replaces_within f a b (same z) A B _ p I) | refine (replaces_within f a b (below z) A B _ p I)]; intros w Iw; apply Hz, in_or_app; right; apply in_or_app; auto.
Qed.
Lemma replaced_right m f a b : tables_right m -> tables_right (replace_part m f a b).
Proof.
  intros [R O N]. unfold replace_part. split; cbn [map_slots with_held with_parts with_objects held objects_held map_numbered given].
  - intros r v. cbn [given map_numbered]. rewrite find_mapped. destruct (find (held m) r) as [w|] eqn:F; [intros _; exact (R r w F) | discriminate].
  - intros o x. cbn [given map_numbered]. rewrite find_mapped. destruct (find (objects_held m) o) as [w|] eqn:F; [intros _; exact (O o w F) | discriminate].
  - intros o x. rewrite find_mapped. destruct (find (objects_held m) o) as [w|] eqn:F; [|discriminate]. intros [= <-]. exact (N o w F).
Qed.
(** *** Of a node *)

Definition contents_within (xs : list content) : Prop := forall v, In (Held v) xs -> slot_within v.
Lemma held_within r xs x : contents_within xs -> slot_within (up_is r) -> slot_within (same_is r) -> slot_within (hole_is r) -> In x xs -> slot_within (held_by r x).
Proof. intros H U S Ho I. destruct x; cbn [held_by]; auto; intros p []. Qed.
Lemma node_in r xs mr vs fs m2 st m3 st' : contents_within xs -> slot_within (to_node r) -> slot_within (up_is r) -> slot_within (same_is r) -> slot_within (hole_is r) ->
  fields_of_node r xs mr xs = (vs, fs, m2) -> folded_left (hand_on (with_lasts xs vs)) (List.combine xs (with_lasts xs vs)) m2 st = Gives m3 st' -> tables_in mr -> (forall v, In v (with_lasts xs vs) -> slot_within v) /\ tables_in m3.
Proof.
  intros H T U S Ho Fi Ha [H1 H2 H3 H4]. destruct (node_parts r xs mr xs vs fs m2 st m3 st' Fi Ha) as (_ & (A1 & A2 & _ & _ & A5) & G3 & B3 & P3). destruct (final_slots _ _ _ _ _ _ (fields_are _ _ _ _ _ _ _ Fi)) as [Lv Sl].
  assert (Vs : forall v, In v (with_lasts xs vs) -> slot_within v).
  { intros v I. apply In_nth_error in I as (k & Nk). destruct (List.nth_error xs k) as [x|] eqn:Nx; [|apply nth_error_None in Nx; assert (k < length (with_lasts xs vs))%nat by (apply nth_error_Some; congruence); lia].
    rewrite (Sl k x Nx) in Nk. injection Nk as <-. unfold slot_in. destruct (symbol_below x); [intros p []|]. assert (Hx : slot_within (held_by r x)) by (apply (held_within r xs); auto; eapply List.nth_error_In; exact Nx).
    destruct x as [v| | |s1 g|s1 from| |s1 e|j]; try exact Hx. destruct (nth xs j) as [[]|]; intros p []. }
  assert (At_b : forall e, slot_within (at_byte (to_node r) e)) by (intros e p I; apply (T p); destruct (to_node r); exact I).
  assert (Ab : forall x, slot_within (above_it r x) /\ slot_within (below_it r x)) by (intros x; destruct x; cbn [above_it below_it]; split; auto; intros p []).
  split; [exact Vs|]. split.
  - rewrite A5. exact H1.
  - rewrite A1. exact H2.
  - rewrite A2. exact H3.
  - intros g q L F p I. rewrite G3 in L. destruct (N.lt_ge_cases g (given (parts_held mr))) as [Lg|Lg]; [rewrite B3 in F by exact Lg; exact (H4 g q Lg F p I)|].
    destruct (trees_each xs (g - given (parts_held mr))%N) as (k & x & Nx & Tx & Ek); [lia|]. destruct (symbol_below x) as [s0|] eqn:Sx; [|unfold is_tree in Tx; rewrite Sx in Tx; discriminate].
    pose proof (P3 k x s0 Nx Sx) as Fp. replace (given (parts_held mr) + trees_before xs k)%N with g in Fp by lia. rewrite Fp in F. injection F as <-. unfold folded_terms, hangs in I. cbn [above same below] in I.
    apply in_app_or in I as [I|I]; [exact (proj1 (Ab x) p I)|]. apply in_app_or in I as [I|I]; [|exact (proj2 (Ab x) p I)]. assert (At_ : forall j y, nth xs j = Some y -> slot_within (held_by r y)) by (intros j y Ny; apply (held_within r xs); auto; rewrite nth_number in Ny; eapply List.nth_error_In; exact Ny).
    destruct x as [v| | |s1 [j|]|s1 [j|]| |s1 e|j]; cbn [final_same first_same] in I; try (destruct I; fail).
    + destruct (nth xs j) as [y|] eqn:Ny; [exact (At_ j y Ny p I) | destruct I].
    + destruct (nth (with_lasts xs vs) j) as [v|] eqn:Nv; [|destruct I]. rewrite nth_number in Nv. exact (Vs v (List.nth_error_In _ _ Nv) p I).
    + exact (S p I).
Qed.
End Within.

Lemma handed_on_state xs vs mr r fs m2 st m3 st' : fields_of_node r xs mr xs = (vs, fs, m2) -> folded_left (hand_on (with_lasts xs vs)) (List.combine xs (with_lasts xs vs)) m2 st = Gives m3 st' -> st' = st.
Proof. intros Fi Ha. exact (proj1 (node_parts r xs mr xs vs fs m2 st m3 st' Fi Ha)). Qed.

(** ** One occurrence *)

Definition case_of (d b : N) (xs : list content) (x : option (N * segment_end)) : Cases.case := let cs := List.map content_in xs in match x with
  | None => Cases.AsNode (N.to_nat d) (Z.of_N b) cs
  | Some (y, Top) => Cases.AsTop (N.to_nat d) (Z.of_N b) cs (N.to_nat y)
  | Some (y, Bottom) => Cases.AsBottom (N.to_nat d) (Z.of_N b) cs (N.to_nat y) end.
(** What is kept of a member, and what it is up to values of terms. *)
Record changed_by (k : Cases.case) (x f : N) (sc : scope) (m : member_state) (s' : state) (K : model) (m' : member_state) : Prop := {
  changed_else : place_of m' = place_of m /\ size_of m' = size_of m /\ consumed_of m' = consumed_of m;
  changed_tables : tables_right m';
  changed_terms : forall p, In p (member_terms m') -> part_within s' sc p;
  changed_given : (given (parts_held m) <= given (parts_held m'))%N;
  changed_parts : forall g q, (g < given (parts_held m))%N -> g <> f -> find (parts_held m) g = Some q -> exists q', find (parts_held m') g = Some q' /\ symbol q' = symbol q;
  changed_step : forall l, exists m1, Cases.step_by (N.to_nat x) k (member_of l m) m1 /\ SameInputs.tables_same (valued K) (valued K) m1 (member_of l m') }.

Section Occurrence.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Variable sc : scope.
Lemma part_at_peek s m f : peeks s (part_at m f) (fun p => find (parts_held m) f = Some p).
Proof. apply peeks_some. auto. Qed.
Lemma close_meets s M m f : good s M -> tables_right m -> (forall p, In p (member_terms m) -> part_within s sc p) -> (f < given (parts_held m))%N ->
  meets s M (close_part m f) (fun m' s' K => keeps s M s' K /\ exists p, find (parts_held m) f = Some p /\ changed_by Cases.Emptied (symbol p) f sc m s' K m').
Proof.
  intros G T W L. unfold close_part. eapply meets_peek; [apply part_at_peek|]. intros p F. cbn beta in F. apply meets_ret; [exact G|]. split; [apply keeps_refl|]. exists p. split; [exact F|].
  apply tables_are_in in W. pose proof (parts_in_ _ _ _ W f p L F) as Wp. unfold folded_terms in Wp. split.
  - unfold replace_part, map_slots. repeat split.
  - apply replaced_right. exact T.
  - apply tables_are_in. apply replaced_in; [intros q I; apply Wp; apply in_or_app; right; apply in_or_app; auto | intros q I; apply Wp; apply in_or_app; auto | exact W].
  - unfold replace_part, map_slots. cbn. lia.
  - intros g q Lg Ng Fg. unfold replace_part, map_slots. cbn [with_held parts_held with_parts with_objects]. rewrite find_mapped. cbn [with_parts parts_held]. rewrite find_clear. destruct (N.eqb_spec g f) as [->|_]; [contradiction|].
    rewrite Fg. eexists. split; [reflexivity|]. reflexivity.
  - intros l. set (none := fun _ : nat => @None FoldedMembers.part).
    assert (Objects : forall o, (o < given (objects_held m))%N -> find (objects_held m) o = (if (o <? given (objects_held m))%N then find (objects_held m) o else None))
      by (intros o Lo; destruct (N.ltb_spec o (given (objects_held m))); [reflexivity | lia]).
    exists (behind l m m f (slot_of (below p)) (slot_of (above p)) None none). split.
    + exists (N.to_nat f), (part_of p). split; [reflexivity|]. unfold Changes.closes. cbn [part_of FoldedMembers.below FoldedMembers.above].
      eapply (behind_changes l m m f p (valued M)); try eassumption; try reflexivity; try lia; auto using slots_refl; try (intros; discriminate); try (intros; lia).
    + eapply (behind_same l m m f p); try eassumption; try reflexivity; try lia; auto using slots_refl; try (intros; discriminate); try (intros; lia).
Qed.

Lemma open_meets s M m f p d b xs x : good s M -> tables_right m -> (forall q, In q (member_terms m) -> part_within s sc q) -> contents_within s sc xs -> (f < given (parts_held m))%N -> find (parts_held m) f = Some p ->
  meets s M (open_part m f d b xs x) (fun r s' K => keeps s M s' K /\ changed_by (case_of d b xs x) (symbol p) f sc m s' K (snd r)).
Proof.
  intros G T W Wx L F. unfold open_part. eapply meets_peek; [apply part_at_peek|]. intros p0 F0. cbn beta in F0. rewrite F in F0. injection F0 as <-.
  eapply meets_bind with (P := fun t s' K => keeps s M s' K /\ vl K t = 0 /\ part_within s' sc (LinearPart t)).
  { intros t s' Et. destruct (constant_meets nu tabs s M 0 G t s' Et) as (K & G' & Kp & [_ V]). destruct (constant_within nu tabs sc s M 0 G t s' Et) as (_ & _ & _ & Wt). exists K. split; [exact G'|]. split; [exact Kp|]. auto. }
  intros zero s1 M1 G1 _ (K1 & Vz & Wz). eapply meets_bind with (P := fun t s' K => keeps s1 M1 s' K /\ vl K t = 1 /\ part_within s' sc (LinearPart t)).
  { intros t s' Et. destruct (constant_meets nu tabs s1 M1 1 G1 t s' Et) as (K & G' & Kp & [_ V]). destruct (constant_within nu tabs sc s1 M1 1 G1 t s' Et) as (_ & _ & _ & Wt). exists K. split; [exact G'|]. split; [exact Kp|]. auto. }
  intros one s2 K G2 _ (K2 & Vo & Wo). assert (Vz2 : vl K zero = 0) by (rewrite (proj2 (keeps_linears _ _ _ _ K2) zero (within_in nu tabs sc s1 M1 _ G1 Wz)); exact Vz).
  pose proof (part_kept sc s1 M1 s2 K _ K2 Wz) as Wz2. pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K02. intros r s' H.
  destruct (vacant m d) as [name mv] eqn:Va; cbv zeta in H; destruct (rest_of_segment mv p (PointerSlot name zero b) x) as [[[[root_ last_] up_] hole_] mr] eqn:Re;
    set (r_ := {| to_node := PointerSlot name zero b; up_is := up_; same_is := same p; hole_is := hole_ |}) in *; destruct (fields_of_node r_ xs mr xs) as [[vs fs] m2] eqn:Fi; unfold bind at 1 in H;
    destruct (folded_left (hand_on (with_lasts xs vs)) (List.combine xs (with_lasts xs vs)) m2 s2) as [m3 s3|] eqn:Ha; [|discriminate]; pose proof (handed_on_state xs vs mr r_ fs m2 s2 m3 s3 Fi Ha) as Es; subst s3; injection H as <- <-.
  exists K. split; [exact G2|]. split; [apply keeps_refl|]. split; [exact K02|]. cbn [snd]. set (y := {| named := name; declaration := d; life_of := Live; lower := zero; upper := one; field_states := List.map (fun v => {| cells := [v]; rest := None |}) (with_lasts xs vs) |}). set (m6 := with_objects m3 (put (objects_held m3) name y)).
  pose proof (vacant_is m f L (objects_numbered m T) d) as Vi. rewrite Va in Vi. cbn [fst snd] in Vi. destruct Vi as (Fn & Ln & Lo & Fo & Hv & Pv).
  assert (Else : place_of mv = place_of m /\ size_of mv = size_of m /\ consumed_of mv = consumed_of m) by (unfold vacant in Va; destruct (find (objects_held m) d); [|destruct (_ <? _)%N]; injection Va as <- <-; repeat split).
  assert (W2 : tables_in s2 sc m) by (apply tables_are_in; intros q I; eapply part_kept; [exact K02 | exact (W q I)]). pose proof (parts_in_ _ _ _ W2 f p L F) as Wp. unfold folded_terms in Wp.
  assert (Wa : slot_within s2 sc (above p)) by (intros q I; apply Wp, in_or_app; auto). assert (Ws : slot_within s2 sc (same p)) by (intros q I; apply Wp, in_or_app; right; apply in_or_app; auto). assert (Wb : slot_within s2 sc (below p)) by (intros q I; apply Wp, in_or_app; right; apply in_or_app; auto).
  assert (Wv : slot_within s2 sc (PointerSlot name zero b)) by (intros q [<-|[]]; exact Wz2). assert (Wl : forall g, slot_within s2 sc (Last g) /\ slot_within s2 sc (Folded g)) by (intros g; split; intros q []).
  assert (Wx2 : contents_within s2 sc xs) by (intros v I q J; eapply part_kept; [exact K02 | exact (Wx v I q J)]).
  assert (Wmv : tables_in s2 sc mv) by (destruct W2 as [B1 B2 B3 B4], Else as (_ & _ & Ec); split; [rewrite Ec; exact B1 | rewrite Hv; exact B2 | intros o z _; rewrite Fo; intros Fz; exact (B3 o z (objects_numbered m T o z Fz) Fz) | rewrite Pv; exact B4]).
  (* What is asked of the rest of a segment, in each case. *)
  assert (Rest : slot_within s2 sc root_ /\ slot_within s2 sc last_ /\ slot_within s2 sc up_ /\ slot_within s2 sc hole_ /\ tables_in s2 sc mr /\ (held mr = held mv /\ objects_held mr = objects_held mv /\ place_of mr = place_of mv /\ size_of mr = size_of mv /\ consumed_of mr = consumed_of mv) /\
    exists rest_, given (parts_held mr) = match rest_ with None => given (parts_held m) | Some _ => N.succ (given (parts_held m)) end /\ (forall g, (g < given (parts_held m))%N -> find (parts_held mr) g = find (parts_held m) g) /\
      (forall n q, rest_ = Some (n, q) -> n = given (parts_held m) /\ find (parts_held mr) n = Some q) /\
      match x with
      | None => rest_ = None /\ root_ = PointerSlot name zero b /\ last_ = PointerSlot name zero b /\ up_ = above p /\ hole_ = below p
      | Some (u, Top) => rest_ = Some (given (parts_held m), {| symbol := u; above := PointerSlot name zero b; same := same p; below := below p |}) /\ root_ = PointerSlot name zero b /\ last_ = Last (given (parts_held m)) /\ up_ = above p /\ hole_ = Folded (given (parts_held m))
      | Some (u, Bottom) => rest_ = Some (given (parts_held m), {| symbol := u; above := above p; same := same p; below := PointerSlot name zero b |}) /\ root_ = Folded (given (parts_held m)) /\ last_ = PointerSlot name zero b /\ up_ = Last (given (parts_held m)) /\ hole_ = below p end).
  { assert (Add : forall q, (forall t, In t (folded_terms q) -> part_within s2 sc t) -> tables_in s2 sc (snd (add_part mv q))).
    { intros q Wq. destruct Wmv as [B1 B2 B3 B4]. unfold add_part, added. cbn [snd]. split; cbn [with_parts consumed_of held objects_held parts_held put one_more_number given]; auto. intros g z Lg. rewrite find_put. destruct (N.eqb_spec g (given (parts_held mv))) as [->|Ng]; [intros [= <-]; exact Wq|].
      intros Fz. apply (B4 g z); [lia | exact Fz]. }
    destruct x as [[u [|]]|]; cbn [rest_of_segment add_part added] in Re; injection Re as <- <- <- <- <-.
    - split; [exact Wv|]. split; [apply Wl|]. split; [exact Wa|]. split; [apply Wl|]. split; [apply (Add {| symbol := u; above := PointerSlot name zero b; same := same p; below := below p |}); intros t I; unfold folded_terms in I; cbn [above same below] in I; apply in_app_or in I as [I|I]; [exact (Wv t I)|]; apply in_app_or in I as [I|I]; auto|].
      split; [repeat split|]. rewrite Pv. eexists (Some (_, _)). cbn [with_parts parts_held put one_more_number given]. rewrite ?Pv. split; [reflexivity|]. split; [intros g Lg; rewrite find_put; destruct (N.eqb_spec g (given (parts_held m))); [lia | reflexivity]|]. split; [intros n q [= <- <-]; split; [reflexivity | rewrite find_put, N.eqb_refl; reflexivity]|]. auto.
    - split; [apply Wl|]. split; [exact Wv|]. split; [apply Wl|]. split; [exact Wb|]. split; [apply (Add {| symbol := u; above := above p; same := same p; below := PointerSlot name zero b |}); intros t I; unfold folded_terms in I; cbn [above same below] in I; apply in_app_or in I as [I|I]; [exact (Wa t I)|]; apply in_app_or in I as [I|I]; [exact (Ws t I) | exact (Wv t I)]|].
      split; [repeat split|]. rewrite Pv. eexists (Some (_, _)). cbn [with_parts parts_held put one_more_number given]. rewrite ?Pv. split; [reflexivity|]. split; [intros g Lg; rewrite find_put; destruct (N.eqb_spec g (given (parts_held m))); [lia | reflexivity]|]. split; [intros n q [= <- <-]; split; [reflexivity | rewrite find_put, N.eqb_refl; reflexivity]|]. auto.
    - split; [exact Wv|]. split; [exact Wv|]. split; [exact Wa|]. split; [exact Wb|]. split; [exact Wmv|]. split; [repeat split|]. exists None. rewrite Pv. split; [reflexivity|]. split; [reflexivity|]. split; [discriminate|]. auto. }
  destruct Rest as (Wr & Wla & Wu & Wh & Wmr & (Hr & Or & Pr & Zr & Cr) & rest_ & Gr & Sr & Ir & Cases_).
  destruct (node_in s2 sc r_ xs mr vs fs m2 s2 m3 s2 Wx2 Wv Wu Ws Wh Fi Ha Wmr) as [Wvs W3].
  destruct (node_parts r_ xs mr xs vs fs m2 s2 m3 s2 Fi Ha) as (_ & (A1 & A2 & A3 & A4 & A5) & G3 & B3 & _). destruct T as [Tr To Tn].
  split.
  - unfold replace_part, map_slots, m6. cbn [with_held with_parts with_objects place_of size_of consumed_of]. destruct Else as (E1 & E2 & E3). repeat split; congruence.
  - apply replaced_right. unfold m6. split; cbn [with_objects held objects_held put given].
    + rewrite A1, Hr, Hv. exact Tr.
    + intros o z. rewrite find_put, A2, Or, Fo. cbn [given put]. rewrite ?A2, ?Or. destruct (N.eqb_spec o name) as [->|_]; [intros _; exact Ln | intros Fz; pose proof (To o z Fz); lia].
    + intros o z. rewrite find_put, A2, Or, Fo. destruct (N.eqb_spec o name) as [->|_]; [intros [= <-]; reflexivity | apply Tn].
  - apply tables_are_in. apply replaced_in; [exact Wr | exact Wla|]. destruct W3 as [B1 B2 B3' B4]. unfold m6. split; cbn [with_objects consumed_of held objects_held parts_held]; auto.
    intros o z Lz. rewrite find_put. destruct (o =? name)%N; [|apply B3'; exact Lz]. intros [= <-] q I. unfold object_terms, y in I. cbn [lower upper field_states] in I. destruct I as [<-|[<-|I]]; [exact Wz2 | exact Wo|].
    apply in_flat_map in I as (g & Ig & I). apply in_map_iff in Ig as (v & <- & Iv). unfold field_terms in I. cbn [cells rest flat_map] in I. rewrite !app_nil_r in I. exact (Wvs v Iv q I).
  - unfold replace_part, map_slots, m6. cbn [with_held with_parts with_objects parts_held map_numbered given clear]. rewrite G3, Gr. destruct rest_; lia.
  - intros g q Lg Ng Fg. unfold replace_part, map_slots, m6. cbn [with_held parts_held with_parts with_objects]. rewrite find_mapped. cbn [with_parts parts_held with_objects]. rewrite find_clear. destruct (N.eqb_spec g f) as [->|_]; [contradiction|].
    assert (Lr : (g < given (parts_held mr))%N) by (rewrite Gr; destruct rest_; lia). rewrite (B3 g Lr), (Sr g Lg), Fg. eexists. split; reflexivity.
  - intros l. assert (Go : forall root last up hole rest_part, SameInputs.slots_same (valued K) (valued K) root (slot_of root_) -> SameInputs.slots_same (valued K) (valued K) last (slot_of last_) -> SameInputs.slots_same (valued K) (valued K) up (slot_of up_) ->
      SameInputs.slots_same (valued K) (valued K) hole (slot_of hole_) -> match rest_part, rest_ with Some (n, q), Some (n', q') => n = N.to_nat n' /\ SameInputs.folded_same (valued K) (valued K) q (part_of q') | None, None => True | _, _ => False end ->
      exists m1 ch fr, Opening.opens (member_of l m) m1 (N.to_nat f) (part_of p) (N.to_nat name) (N.to_nat d) (Z.of_N b) (List.map content_in xs) ch root last up hole rest_part fr /\ SameInputs.tables_same (valued K) (valued K) m1 (member_of l (replace_part m6 f root_ last_))).
    { intros root last up hole rest_part S1 S2 S3 S4 S5. assert (Va1 : name = fst (vacant m d)) by (rewrite Va; reflexivity). assert (Va2 : mv = snd (vacant m d)) by (rewrite Va; reflexivity).
      destruct (node_opens l m f p F L To d b zero one K Vz2 Vo xs mr root_ last_ up_ hole_ rest_) with (root := root) (last := last) (up := up) (hole := hole) (rest_part := rest_part) (vs := vs) (fs := fs) (m2 := m2) (m3 := m3) (s := s2) (s' := s2) as (m1 & O1 & Sm);
        try assumption; try (rewrite <- Va1; exact Fi); try (rewrite <- Va2; split; congruence).
      rewrite <- Va1 in *. exists m1. eexists _, _. split; [exact O1 | exact Sm]. }
    assert (Zs : SameInputs.slots_same (valued K) (valued K) (Opening.node_slot (N.to_nat name) (Z.of_N b)) (slot_of (PointerSlot name zero b))) by (split; [reflexivity|]; split; [rewrite valued_term; simpl; exact Vz2 | reflexivity]).
    destruct x as [[u [|]]|]; destruct Cases_ as (Er & -> & -> & -> & ->); rewrite Er in Go; cbn [case_of].
    + destruct (Go (Opening.node_slot (N.to_nat name) (Z.of_N b)) (FoldedMembers.LastOf (N.to_nat (given (parts_held m)))) (slot_of (above p)) (FoldedMembers.RootOf (N.to_nat (given (parts_held m))))
        (Some (N.to_nat (given (parts_held m)), {| FoldedMembers.symbol := N.to_nat u; FoldedMembers.above := Opening.node_slot (N.to_nat name) (Z.of_N b); FoldedMembers.alongside := slot_of (same p); FoldedMembers.below := slot_of (below p) |}))) as (m1 & ch & fr & O1 & Sm);
        auto using slots_refl; try reflexivity; [split; [reflexivity|]; split; cbn; auto using slots_refl|].
      exists m1. split; [|exact Sm]. exists (N.to_nat f), (part_of p). split; [reflexivity|]. do 4 eexists. exact O1.
    + destruct (Go (FoldedMembers.RootOf (N.to_nat (given (parts_held m)))) (Opening.node_slot (N.to_nat name) (Z.of_N b)) (FoldedMembers.LastOf (N.to_nat (given (parts_held m)))) (slot_of (below p))
        (Some (N.to_nat (given (parts_held m)), {| FoldedMembers.symbol := N.to_nat u; FoldedMembers.above := slot_of (above p); FoldedMembers.alongside := slot_of (same p); FoldedMembers.below := Opening.node_slot (N.to_nat name) (Z.of_N b) |}))) as (m1 & ch & fr & O1 & Sm);
        auto using slots_refl; try reflexivity; [split; [reflexivity|]; split; cbn; auto using slots_refl|].
      exists m1. split; [|exact Sm]. exists (N.to_nat f), (part_of p). split; [reflexivity|]. do 4 eexists. exact O1.
    + destruct (Go (Opening.node_slot (N.to_nat name) (Z.of_N b)) (Opening.node_slot (N.to_nat name) (Z.of_N b)) (slot_of (above p)) (slot_of (below p)) None) as (m1 & ch & fr & O1 & Sm); auto using slots_refl.
      exists m1. split; [|exact Sm]. exists (N.to_nat f), (part_of p). split; [reflexivity|]. do 3 eexists. exact O1.
Qed.
End Occurrence.

(** ** All occurrences *)

Section Members.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Variable sc : scope.
Variable k : Cases.case.
Variable x : N.
Variable act : member_state -> N -> computes member_state.
(** What the act asks of terms. *)
Variable asked : state -> Prop.
Hypothesis asked_kept : forall s M s' M', keeps s M s' M' -> asked s -> asked s'.
Hypothesis acts : forall s M m f p, good s M -> asked s -> tables_right m -> (forall q, In q (member_terms m) -> part_within s sc q) -> (f < given (parts_held m))%N -> find (parts_held m) f = Some p -> symbol p = x ->
  meets s M (act m f) (fun m' s' K => keeps s M s' K /\ changed_by k x f sc m s' K m').
Record member_changed (m : member_state) (s : state) (M : model) (m' : member_state) (s' : state) (K : model) : Prop := {
  all_else : place_of m' = place_of m /\ size_of m' = size_of m /\ consumed_of m' = consumed_of m;
  all_tables : tables_right m';
  all_terms : forall p, In p (member_terms m') -> part_within s' sc p;
  all_describe : forall P ss phi l g, (forall s1 M1, keeps s M s1 M1 -> Cases.case_right P (N.to_nat x) ss (valued M1) phi k) ->
    FoldedMembers.describes P ss (valued M) phi (member_of l m) g -> FoldedMembers.describes P ss (valued K) phi (member_of l m') g;
  all_right : forall P trees ss phi l vs cs, Planting.nodes_formed P trees -> Loading.inputs_formed P -> (forall s1 M1, keeps s M s1 M1 -> EntryKept.entry_case P trees (N.to_nat x) ss (valued M1) phi k) ->
    Kept.entry_right P ss (valued M) phi (member_of l m) vs cs -> exists vs' cs', Kept.entry_right P ss (valued K) phi (member_of l m') vs' cs' }.
Lemma describes_kept P ss phi s M s' K l m g : good s M -> keeps s M s' K -> (forall p, In p (member_terms m) -> part_within s sc p) ->
  FoldedMembers.describes P ss (valued M) phi (member_of l m) g -> FoldedMembers.describes P ss (valued K) phi (member_of l m) g.
Proof.
  intros G Kp W (rho & roots & lasts & cells & D). exists rho, roots, lasts, cells. eapply SameValues.describes_same; [| |exact D].
  - intros y q Hq. auto.
  - apply member_same. intros p I. eapply kept_value; [exact Kp | exact (within_in nu tabs sc s M _ G (W p I))].
Qed.
Lemma right_kept P ss phi s M s' K l m vs cs : good s M -> keeps s M s' K -> (forall p, In p (member_terms m) -> part_within s sc p) ->
  Kept.entry_right P ss (valued M) phi (member_of l m) vs cs -> Kept.entry_right P ss (valued K) phi (member_of l m) vs cs.
Proof.
  intros G Kp W. apply SameEntries.entry_too. apply SameInputs.member_itself, member_same. intros p I. eapply kept_value; [exact Kp | exact (within_in nu tabs sc s M _ G (W p I))].
Qed.
Lemma changed_later m s M m' s' K s2 K2 : good s' K -> keeps s' K s2 K2 -> member_changed m s M m' s' K -> member_changed m s M m' s2 K2.
Proof.
  intros G Kp [A B C D R]. split; auto.
  - intros p I. eapply part_kept; [exact Kp | exact (C p I)].
  - intros P ss phi l g Ca De. exact (describes_kept P ss phi s' K s2 K2 l m' g G Kp C (D P ss phi l g Ca De)).
  - intros P trees ss phi l vs cs No Gi Ca Ri. destruct (R P trees ss phi l vs cs No Gi Ca Ri) as (vs' & cs' & R'). exists vs', cs'. eapply right_kept; eauto.
Qed.
Lemma changed_earlier m s0 M0 s M m' s' K : good s0 M0 -> keeps s0 M0 s M -> (forall p, In p (member_terms m) -> part_within s0 sc p) -> member_changed m s M m' s' K -> member_changed m s0 M0 m' s' K.
Proof.
  intros G Kp W [A B C D R]. split; auto.
  - intros P ss phi l g Ca De. apply D; [intros s1 M1 K1; apply (Ca s1 M1); eapply keeps_trans; eauto|]. exact (describes_kept P ss phi s0 M0 s M l m g G Kp W De).
  - intros P trees ss phi l vs cs No Gi Ca Ri. eapply R; eauto; [intros s1 M1 K1; apply (Ca s1 M1); eapply keeps_trans; eauto | eapply right_kept; eauto].
Qed.
Lemma fold_meets fs : forall s M m, good s M -> asked s -> tables_right m -> (forall q, In q (member_terms m) -> part_within s sc q) -> NoDup fs ->
  (forall f, In f fs -> (f < given (parts_held m))%N /\ exists p, find (parts_held m) f = Some p /\ symbol p = x) ->
  meets s M (folded_left act fs m) (fun m' s' K => keeps s M s' K /\ member_changed m s M m' s' K).
Proof.
  induction fs as [|f fs IH]; intros s M m G As T W Nd Fs; cbn [folded_left].
  - apply meets_ret; [exact G|]. split; [apply keeps_refl|]. split; [repeat split | exact T | exact W | intros; assumption | intros; eauto].
  - inversion_clear Nd as [|? ? Nf Nd']. destruct (Fs f (or_introl eq_refl)) as (Lf & p & Fp & Sp). eapply meets_bind; [eapply acts; eauto|]. intros m1 s1 M1 G1 _ (K1 & [E1 T1 W1 L1 P1 St]).
    eapply meets_weaker; [apply IH; [exact G1 | eapply asked_kept; eauto | exact T1 | exact W1 | exact Nd'|]|].
    + intros g I. destruct (Fs g (or_intror I)) as (Lg & q & Fq & Sq). split; [lia|]. destruct (P1 g q Lg) as (q' & Fq' & Sq'); [intros ->; contradiction | exact Fq|]. exists q'. split; [exact Fq' | congruence].
    + intros m2 s2 K G2 _ (K2 & [E2 T2 W2 D2 R2]). split; [eapply keeps_trans; eauto|]. split; auto.
      * destruct E1 as (A1 & B1 & C1), E2 as (A2 & B2 & C2). repeat split; congruence.
      * intros P ss phi l g Ca De. apply D2; [intros s3 M3 K3; apply (Ca s3 M3); eapply keeps_trans; eauto|]. destruct (St l) as (mm & Sb & Sm). eapply SameMembers.describes_again; [exact Sm|].
        eapply Cases.steps_describe; [exact (Ca s1 M1 K1) | eapply Cases.one_more; [exact Sb | apply Cases.no_more] | exact (describes_kept P ss phi s M s1 M1 l m g G K1 W De)].
      * intros P trees ss phi l vs cs No Gi Ca Ri. destruct (St l) as (mm & Sb & Sm). destruct (EntryKept.case_keeps P trees No Gi (N.to_nat x) ss (valued M1) phi k _ mm vs cs (Ca s1 M1 K1) Sb (right_kept P ss phi s M s1 M1 l m vs cs G K1 W Ri)) as (vs1 & cs1 & R1).
        eapply R2; eauto; [intros s3 M3 K3; apply (Ca s3 M3); eapply keeps_trans; eauto | eapply SameEntries.entry_too; [exact Sm | exact R1]].
Qed.
Lemma in_order_once {A} (y : numbered A) : NoDup (List.map fst (in_order y)).
Proof.
  unfold in_order, numbers_of. generalize (N.to_nat (given y)) as n. intros n. generalize 0%N as b. induction n as [|n IH]; intros b; cbn [numbers_from flat_map]; [constructor|].
  rewrite map_app. destruct (find y b) as [a|]; cbn [List.map app]; [|apply IH]. constructor; [|apply IH]. intros I.
  apply in_map_iff in I as ([j a'] & Ej & I). apply in_flat_map in I as (h & Ih & I). apply numbers_from_in in Ih. destruct (find y h); [destruct I as [[= -> _]|[]]; cbn in Ej; lia | destruct I].
Qed.
Lemma in_member_meets s M m : good s M -> asked s -> tables_right m -> (forall q, In q (member_terms m) -> part_within s sc q) ->
  meets s M (in_member act x m) (fun m' s' K => keeps s M s' K /\ member_changed m s M m' s' K).
Proof.
  intros G As T W. unfold in_member, occurrences. apply fold_meets; auto.
  - pose proof (in_order_once (parts_held m)) as Nd. induction (in_order (parts_held m)) as [|[n a] l IH]; cbn [filter]; [constructor|]. cbn [List.map] in Nd. inversion_clear Nd as [|? ? Nn Nd']. destruct (symbol a =? x)%N; cbn [List.map]; [constructor|]; auto.
    intros I. apply Nn. apply in_map_iff in I as ([j b] & Ej & I). apply filter_In in I as [I _]. apply in_map_iff. exists (j, b). auto.
  - intros f I. apply in_map_iff in I as ([g p] & Eg & I). cbn in Eg. subst g. apply filter_In in I as [I Sp]. apply in_order_in in I as [L F]. apply N.eqb_eq in Sp. split; [exact L|]. exists p. auto.
Qed.
Lemma members_meets ms : forall s M, good s M -> asked s -> (forall m, In m ms -> tables_right m /\ forall q, In q (member_terms m) -> part_within s sc q) ->
  meets s M (mapped (in_member act x) ms) (fun ms' s' K => keeps s M s' K /\ Forall2 (fun m m' => member_changed m s M m' s' K) ms ms').
Proof.
  induction ms as [|m ms IH]; intros s M G As H; cbn [mapped]; [apply meets_ret; [exact G|]; split; [apply keeps_refl | constructor]|].
  destruct (H m (or_introl eq_refl)) as [T W]. eapply meets_bind; [apply in_member_meets; auto|]. intros m' s1 M1 G1 _ (K1 & C1).
  eapply meets_bind; [apply IH; [exact G1 | eapply asked_kept; eauto | intros z I; destruct (H z (or_intror I)) as [Tz Wz]; split; [exact Tz | intros q J; eapply part_kept; eauto]]|].
  intros ms' s2 M2 G2 _ (K2 & F). apply meets_ret; [exact G2|]. split; [eapply keeps_trans; eauto|]. constructor; [exact (changed_later m s M m' s1 M1 s2 M2 G1 K2 C1)|].
  assert (Wms : forall z, In z ms -> forall q, In q (member_terms z) -> part_within s sc q) by (intros z I; apply (H z (or_intror I))). revert F Wms. generalize ms' as zs'. clear - G K1. induction ms as [|z zs IHz]; intros zs' F Wms; inversion F as [|? z' ? zs1 Cz Fz]; subst; constructor.
  - eapply changed_earlier; [exact G | exact K1 | apply Wms; left; reflexivity | exact Cz].
  - apply IHz; [exact Fz | intros y I; apply Wms; right; exact I].
Qed.
End Members.
