(** That what the second checker lists of loads is right (spec/calculus.md#memory). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Alike Typed Bounds FoldedMembers Configurations Members RegisterSteps SameValues.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums ComputedLists PointerLists Places Moving.
Import ListNotations.
Open Scope Z_scope.

(** ** The field that is hit *)

Definition wide (access t : type) : bool := match access, t with
  | IntegerType U, IntegerType T => width U =? width T | Pointer, Pointer => true | _, _ => false end.
Lemma hit_found access byte fs : forall n k t, hit n byte access fs = Some (k, t) ->
  Machine.field_at (List.map Translated.field_of fs) byte (Translated.type_of access) (N.to_nat n) = Some (N.to_nat k, Translated.type_of t) /\
  wide access t = true /\ (n <= k)%N /\ exists f, nth_error fs (N.to_nat k - N.to_nat n) = Some f /\ field_type f = t.
Proof.
  induction fs as [|f fs IH]; intros n k t H; cbn [hit List.map Machine.field_at] in *; [discriminate|].
  assert (Same : (Programs.offset (Translated.field_of f) =? byte) && Machine.as_wide (Programs.holds (Translated.field_of f)) (Translated.type_of access) = is_hit byte access f).
  { unfold is_hit. simpl. f_equal. destruct access as [U|], (field_type f) as [T|]; simpl; auto. apply Z.eqb_sym. }
  rewrite Same. destruct (is_hit byte access f) eqn:Hit.
  - injection H as <- <-. split; auto. split; [|split; [lia|]; exists f; rewrite Nat.sub_diag; auto]. unfold is_hit in Hit. apply andb_prop in Hit as [_ Hit]. exact Hit.
  - destruct (IH _ _ _ H) as (A & B & C & g & D & Tg). replace (S (N.to_nat n)) with (N.to_nat (N.succ n)) by lia. split; auto. split; auto. split; [lia|]. exists g. split; auto.
    replace (N.to_nat k - N.to_nat n)%nat with (S (N.to_nat k - N.to_nat (N.succ n))) by lia. exact D.
Qed.

Section Loads.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Variable l : N.
Variable m : member_state.
Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (s0 : state) (M0 : model).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued M0) phi (member_of l m) rho roots lasts placed g.
Hypothesis fine : FoldedMembers.fine_state P g.
Hypothesis tables : tables_right m.
Hypothesis terms_in : forall p, In p (member_terms m) -> part_in s0 p.
Hypothesis sizes : Bounds.sizes_formed P.
Notation says := (says l m rho roots lasts).
Notation happens := (happens P l m rho roots lasts g).
Notation list_right := (list_right P under l m rho roots lasts g).
Notation step := (Machine.step P under g).
Notation there := (there rho g).
Notation slot_in s v := (forall p, In p (slot_terms v) -> part_in s p).

(** ** What elements hold *)

Definition element_of (o f : N) idx : Machine.value := Machine.read (Alike.field_of (there o) (N.to_nat f)) idx.
Lemma element_holds s M o x f fs idx : keeps s0 M0 s M -> find (objects_held m) o = Some x -> is_live (life_of x) = true -> nth (field_states x) f = Some fs ->
  Machine.lower (there o) <= idx < Machine.upper (there o) ->
  (forall j v, nth_error (cells fs) j = Some v -> idx = Z.of_nat j -> says M v (element_of o f idx)) /\
  (forall a, rest fs = Some a -> idx < 0 \/ Z.of_nat (length (cells fs)) <= idx -> element_of o f idx = Machine.Integer (vr M a idx)).
Proof.
  intros K F Lv Nf In_. pose proof (object_held l m tables o x F) as On. destruct (FoldedMembers.objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ On) as [_ _ _ _ _ D].
  assert (Al : FoldedMembers.life_of (object_of x) = Machine.Live) by (simpl; destruct (life_of x); [reflexivity | discriminate]).
  specialize (D Al (N.to_nat f) idx In_). simpl in D. rewrite nth_number in Nf.
  assert (Nc : List.nth (N.to_nat f) (List.map field_of (field_states x)) FoldedMembers.no_field = field_of fs) by (apply nth_error_nth; rewrite nth_error_map, Nf; reflexivity).
  rewrite Nc in D. fold (element_of o f idx) in D. change (Machine.read (Alike.field_of (Machine.object_at g (rho (N.to_nat o))) (N.to_nat f)) idx) with (element_of o f idx) in D.
  assert (Fin : forall p, In p (field_terms fs) -> part_in s0 p).
  { intros p I. apply (object_terms_in m s0 tables terms_in o x F). right. right. apply in_flat_map. exists fs. split; [eapply nth_error_In; eauto | exact I]. }
  unfold FoldedMembers.means_element in D. simpl in D. rewrite map_length in D. split.
  - intros j v Nj Ej. assert (Lj : (j < length (cells fs))%nat) by (apply nth_error_Some; congruence).
    destruct (Z.leb_spec 0 idx) as [L0|]; [|lia]. destruct (Z.ltb_spec idx (Z.of_nat (length (cells fs)))) as [L1|]; [|lia]. cbn [andb] in D.
    replace (Z.to_nat idx) with j in D by lia. rewrite (nth_error_nth _ _ FoldedMembers.forgotten (map_nth_error slot_of j (cells fs) Nj)) in D.
    rewrite (same_says l m M0 rho roots lasts s0 s M v K); [exact D|]. intros p I. apply Fin. unfold field_terms. apply in_or_app. left. apply in_flat_map. exists v. split; [eapply nth_error_In; eauto | exact I].
  - intros a Ra Side. assert (Nb : (0 <=? idx) && (idx <? Z.of_nat (length (cells fs))) = false).
    { apply andb_false_iff. destruct Side; [left; apply Z.leb_gt; lia | right; apply Z.ltb_ge; lia]. }
    rewrite Nb, Ra in D. simpl in D. rewrite N2Nat.id in D. rewrite <- D. f_equal. symmetry.
    assert (Ia : part_in s0 (ArrayPart a)) by (apply Fin; unfold field_terms; rewrite Ra; apply in_or_app; right; left; auto).
    exact (kept_value s0 M0 s M (ArrayPart a) K Ia idx).
Qed.

(** ** The target of an access *)

Record target_says (s : state) (K : model) (access : type) (y : Machine.outcome (Machine.pointer * nat * Programs.type)) (t : target_found) : Prop := {
  target_object : exists x fs, find (objects_held m) (found_object t) = Some x /\ is_live (life_of x) = true /\ nth (field_states x) (found_field t) = Some fs /\
    nth_error (field_types E (declaration x)) (N.to_nat (found_field t)) = Some (found_type t) /\
    Typed.field_type P (Machine.declared (there (found_object t))) (N.to_nat (found_field t)) = Translated.type_of (found_type t) /\ wide access (found_type t) = true /\
    exists idx byte, y = Machine.Ok ({| Machine.target := rho (N.to_nat (found_object t)); Machine.index := idx; Machine.byte := byte |}, N.to_nat (found_field t), Translated.type_of (found_type t)) /\
    let inside := Machine.lower (there (found_object t)) <= idx < Machine.upper (there (found_object t)) in
    out_says s K (found_outside t) inside /\
    (forall p, In p (found_places t) -> exists here e v, place_is inside s K here p e v /\ (inside -> here -> says K v (element_of (found_object t) (found_field t) idx)) /\
      slot_in s v /\ (In v (cells fs) \/ exists u, v = IntegerSlot u) /\ (inside -> here -> lands m K (found_object t) (found_field t) e idx) /\ (forall q, In q (element_terms e) -> part_in s q)) /\
    (inside -> exists p, In p (found_places t) /\ literals_hold K (fst (fst p))) }.
Lemma rest_places_meets s M within_ i low fs idx low_ inside : good s M -> index_says i idx inside within_ s M -> (inside -> low_ <= idx) -> (forall z, low = Some z -> z = low_) ->
  (forall a, rest fs = Some a -> part_in s (ArrayPart a)) ->
  meets s M (rest_places within_ i low fs) (fun ps s' K => keeps s M s' K /\
    (forall p, In p ps -> exists a t here, rest fs = Some a /\ place_is inside s' K here p (AtRest i) (IntegerSlot t) /\ (t < linears_in s')%N /\ vl K t = vr M a idx /\
      (here -> idx < 0 \/ Z.of_nat (length (cells fs)) <= idx)) /\
    (forall a, rest fs = Some a -> inside -> idx < 0 \/ Z.of_nat (length (cells fs)) <= idx -> exists p, In p ps /\ literals_hold K (fst (fst p)))).
Proof.
  intros G X Ab Lo Ra. unfold rest_places. destruct (rest fs) as [a|] eqn:Er; [|apply meets_ret; auto; split; [apply keeps_refl|]; split; [intros ? [] | discriminate]].
  eapply meets_bind; [apply meets_also_kept, select_meets; exact G|]. intros t s1 M1 G1 _ [K1 [It Vt]]. pose proof (index_kept _ _ _ _ _ _ _ _ K1 X) as X1. destruct X as (Ii & Vi & _). rewrite Vi in Vt.
  eapply meets_bind; [apply meets_also_kept, combine_meets; exact G1|]. intros above s2 M2 G2 _ [K2 [Iab Vab]]. pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K02. pose proof (keeps_linears _ _ _ _ K1) as [L1 E1]. pose proof (keeps_linears _ _ _ _ K2) as [L2 E2].
  rewrite length_counted in Vab. simpl in Vab. rewrite E1, Vi in Vab by exact Ii.
  eapply meets_bind with (P := fun bs s' K => keeps s2 M2 s' K /\ (forall b, In b bs -> (b < linears_in s')%N /\ vl K b = idx + 1) /\ (inside -> idx < 0 -> bs <> [])).
  { destruct (may_be low (fun z => z <? 0)) eqn:May.
    - eapply meets_bind; [apply meets_also_kept, plus_meets; exact G2|]. intros b s3 M3 G3 _ [K3 [Ib Vb]]. apply meets_ret; auto. split; [exact K3|]. split; [|discriminate].
      intros c [<-|[]]. split; [exact Ib|]. rewrite Vb, E2, E1, Vi by lia. reflexivity.
    - apply meets_ret; auto. split; [apply keeps_refl|]. split; [intros ? []|]. intros Ins N. exfalso. destruct low as [z|]; simpl in May; [|discriminate]. apply Z.ltb_ge in May. pose proof (Lo z eq_refl). specialize (Ab Ins). lia. }
  intros bs s3 M3 G3 _ (K3 & Hb & Nb). pose proof (keeps_linears _ _ _ _ K3) as [L3 E3]. pose proof (keeps_trans _ _ _ _ _ _ K02 K3) as K03.
  pose proof (index_kept _ _ _ _ _ _ _ _ (keeps_trans _ _ _ _ _ _ K2 K3) X1) as X3.
  assert (Iu : forall u, In u (above :: bs) -> (u < linears_in s3)%N) by (intros u [<-|I]; [lia | apply Hb, I]).
  eapply meets_weaker; [apply looked; [exact G3 | apply (sides_peek nu tabs i idx inside within_ s3 M3 t (above :: bs) G3 X3 Iu [])]|].
  intros ps s4 M4 _ _ (-> & -> & more & -> & A & B). cbn [app]. split; [exact K03|]. assert (Vab3 : vl M3 above = Z.of_nat (length (cells fs)) - idx) by (rewrite E3 by exact Iab; lia). split.
  - intros p I. destruct (A p I) as (u & Iu' & Pl). exists a, t, (vl M3 u <= 0). split; auto. split; [exact Pl|]. split; [lia|].
    split; [rewrite E3, E2 by lia; exact Vt|]. intros U. destruct Iu' as [<-|I']; [right; lia | left; destruct (Hb u I') as [_ Vb]; lia].
  - intros a' [= <-] Ins Side. destruct Side as [N|N].
    + destruct bs as [|b bs]; [destruct (Nb Ins N); reflexivity|]. apply (B b); auto; [right; left; auto|]. destruct (Hb b (or_introl eq_refl)) as [_ Vb]. lia.
    + apply (B above); auto; [left; auto | lia].
Qed.
Lemma fields_peek s d : peeks s (layout_in E d) (fun y => field_types E d = List.map field_type (fields y)).
Proof.
  unfold layout_in, object_in, field_types. eapply peeks_bind with (P := fun x => at_position (objects_of (names_in E)) d = Some x); [apply peeks_some; auto|]. intros x ->.
  apply peeks_some. intros y ->. reflexivity.
Qed.
Lemma all_peek s M x fs : good s M -> peeks s (is_all x fs) (fun b => b = true -> 0 <= vl M (lower x) /\ vl M (upper x) <= Z.of_nat (length (cells fs))).
Proof.
  intros G. unfold is_all. eapply peeks_bind; [eapply value_peek; eauto|]. intros low Hl. eapply peeks_bind; [eapply value_peek; eauto|]. intros high Hh. apply peeks_ret.
  destruct low as [a|]; [|discriminate]. destruct high as [b|]; [|discriminate]. destruct Hl as [_ ->], Hh as [_ ->]. intros H. apply andb_prop in H as [H H3]. apply andb_prop in H as [H1 _].
  apply Z.leb_le in H1, H3. rewrite length_counted in H3. lia.
Qed.
Theorem target_meets s M r off access : good s M -> keeps s0 M0 s M -> meets s M (Stepping.target E m r off access) (fun x s' K => keeps s M s' K /\ match x with
  | None => exists f, Machine.place P g (N.to_nat r) off (Translated.type_of access) = Machine.fails f
  | Some t => target_says s' K access (Machine.place P g (N.to_nat r) off (Translated.type_of access)) t end).
Proof.
  intros G K. unfold Stepping.target, Machine.place.
  eapply (meets_looks nu tabs); [exact G | eapply used_pointer_peek; eauto | | intros [f U]; split; [apply keeps_refl|]; rewrite U; exists f; reflexivity].
  intros [[[o i] b]|] [Sh Up]; rewrite Up; cbn [Machine.bind option_map pointer_at]; [|apply meets_ret; auto; split; [apply keeps_refl|]; eexists; reflexivity].
  destruct (Sh _ eq_refl) as [(x & F & Lv) Ii]. pose proof (held_bounds P l m ss phi s0 M0 rho roots lasts placed g described tables terms_in s M o x K F) as [Dc _ _ _].
  unfold layout_held, object_state_at. eapply meets_peek with (P := fun y => Machine.layout_of_declaration P (N.to_nat (declaration x)) = Translated.layout_of y /\ field_types E (declaration x) = List.map field_type (fields y)).
  { eapply peeks_bind; [apply (peeks_some s _ _ (fun y => y = x)); congruence|]. intros ? -> y s' Ex. destruct (layout_peek E P under setting_right s (declaration x) y s' Ex) as [-> Hy].
    split; auto. split; [exact Hy|]. apply (fields_peek s (declaration x) y s Ex). }
  intros y [Hy Fy]. set (size := Z.of_N (element_size y)). set (bytes := Z.of_N b + off).
  assert (Sz : Machine.size_at P g (rho (N.to_nat o)) = size) by (unfold Machine.size_at; fold (there o); rewrite Dc, Hy; reflexivity).
  eapply meets_peek with (P := fun z => 0 < size /\ z = bytes / size); [unfold quotient_of; destruct (Z.ltb_spec 0 size); [apply peeks_ret; auto | apply peeks_refuses]|]. intros ? [S1 ->].
  eapply meets_peek with (P := fun z => z = bytes mod size); [unfold rest_of; destruct (0 <? size); [apply peeks_ret; auto | apply peeks_refuses]|]. intros ? ->.
  eapply meets_bind; [apply meets_also_kept, plus_meets; exact G|]. intros i' s1 M1 G1 _ [K1 [Ii' Vi]]. pose proof (keeps_trans _ _ _ _ _ _ K K1) as K01.
  eapply meets_peek; [apply (peeks_some s1 _ _ (fun ft => hit 0 (bytes mod size) access (fields y) = Some ft)); auto|]. intros [f t] Hit. cbn beta in Hit.
  destruct (hit_found _ _ _ _ _ _ Hit) as (Fa & Wi & _ & fd & Nf & Tf). rewrite Nat.sub_0_r in Nf.
  set (idx := vl M i + bytes / size) in *. set (q := Machine.move P g {| Machine.target := rho (N.to_nat o); Machine.index := vl M i; Machine.byte := Z.of_N b |} off).
  assert (Eq : q = {| Machine.target := rho (N.to_nat o); Machine.index := idx; Machine.byte := bytes mod size |}) by (unfold q, Machine.move; cbn [Machine.target Machine.index Machine.byte]; rewrite Sz; reflexivity).
  assert (Pl : (match Machine.field_at (Programs.layout_fields (Machine.layout_of_declaration P (Machine.declared (Machine.object_at g (Machine.target q))))) (Machine.byte q) (Translated.type_of access) 0 with
      | Some (f, from) => Machine.Ok (q, f, from) | None => Machine.Stop Machine.Unsupported end) = Machine.Ok (q, N.to_nat f, Translated.type_of t)).
  { rewrite Eq. cbn [Machine.target Machine.byte]. fold (there o). rewrite Dc, Hy. cbn [Translated.layout_of Programs.layout_fields]. change 0%nat with (N.to_nat 0). rewrite Fa. reflexivity. }
  rewrite Pl, Eq. clear Pl.
  assert (Ft : Typed.field_type P (Machine.declared (there o)) (N.to_nat f) = Translated.type_of t).
  { unfold Typed.field_type. rewrite Dc, Hy. cbn [Translated.layout_of Programs.layout_fields]. rewrite map_map. apply nth_error_nth. rewrite nth_error_map, Nf. simpl. rewrite Tf. reflexivity. }
  eapply meets_peek; [apply (peeks_some s1 _ _ (fun y => y = x)); congruence|]. intros ? ->.
  eapply meets_peek; [apply (peeks_some s1 _ _ (fun fs => nth (field_states x) f = Some fs)); auto|]. intros fs Nfs. cbn beta in Nfs.
  eapply meets_bind; [apply meets_also_kept, (outside_meets P nu tabs l m ss phi s0 M0 rho roots lasts placed g described tables terms_in s1 M1 o x i' 0 G1 K01 F Ii')|]. intros out s2 M2 G2 _ [K2 Os].
  rewrite Vi, Z.add_0_r in Os. fold idx in Os. set (inside := Machine.lower (there o) <= idx < Machine.upper (there o)) in *.
  eapply meets_bind; [apply (negations_meets nu tabs out s2 M2 G2 (proj1 Os))|]. intros within_ s3 M3 G3 _ (K3 & Iw & Wi'). pose proof (out_later _ _ _ _ _ _ K3 Os) as [Io3 Bo3].
  pose proof (keeps_trans _ _ _ _ _ _ K2 K3) as K13. pose proof (keeps_trans _ _ _ _ _ _ K01 K13) as K03. pose proof (keeps_linears _ _ _ _ K13) as [L13 E13].
  assert (Win : literals_hold M3 within_ <-> inside) by (rewrite Wi', Bo3; unfold inside; lia).
  assert (X3 : index_says i' idx inside within_ s3 M3) by (split; [lia|]; split; [rewrite E13 by exact Ii'; exact Vi|]; split; [exact Iw | exact Win]).
  destruct (held_bounds P l m ss phi s0 M0 rho roots lasts placed g described tables terms_in s3 M3 o x K03 F) as [_ _ [_ Lo] [_ Hi]].
  eapply meets_peek; [apply (all_peek s3 M3 x fs G3)|]. intros all Al. eapply meets_peek; [apply (peeks_demand s3 _ _ (fun _ => negb (has_no_rest fs) || all = true)); auto|]. intros asked_ De. cbn beta in De.
  eapply meets_peek; [eapply value_peek; eauto|]. intros z Vz. eapply meets_peek; [eapply value_peek; eauto|]. intros low Vl.
  assert (Cz : forall z', z = Some z' -> z' = idx) by (intros z' ->; destruct Vz as [_ Vz]; destruct X3 as (_ & Vi3 & _); congruence).
  assert (Cl : forall z', low = Some z' -> z' = Machine.lower (there o)) by (intros z' ->; destruct Vl as [_ Vl]; congruence).
  eapply meets_bind; [apply (cell_places_meets nu tabs i' idx (Machine.lower (there o)) inside ltac:(intros [A _]; exact A) within_ z low Cz Cl (cells fs) 0 s3 M3 G3 X3)|].
  intros ps s4 M4 G4 _ (K4 & A & B). pose proof (keeps_trans _ _ _ _ _ _ K03 K4) as K04.
  assert (Fin : forall p, In p (field_terms fs) -> part_in s0 p).
  { intros p I. apply (object_terms_in m s0 tables terms_in o x F). right. right. apply in_flat_map. exists fs. split; [rewrite nth_number in Nfs; eapply nth_error_In; eauto | exact I]. }
  assert (Ra : forall a, rest fs = Some a -> part_in s4 (ArrayPart a)).
  { intros a Er. apply (part_in_kept _ _ _ _ _ K04). apply Fin. unfold field_terms. rewrite Er. apply in_or_app. right. left. auto. }
  eapply meets_bind; [apply (rest_places_meets s4 M4 within_ i' low fs idx (Machine.lower (there o)) inside G4 (index_kept _ _ _ _ _ _ _ _ K4 X3) ltac:(intros [A' _]; exact A') Cl Ra)|].
  intros qs s5 M5 G5 _ (K5 & C & D). apply meets_ret; auto. pose proof (keeps_trans _ _ _ _ _ _ K4 K5) as K35. pose proof (keeps_trans _ _ _ _ _ _ K04 K5) as K05.
  split; [exact (keeps_trans _ _ _ _ _ _ K1 (keeps_trans _ _ _ _ _ _ K13 K35))|].
  split. exists x, fs. cbn [found_object found_field found_type found_places found_outside]. split; [exact F|]. split; [exact Lv|]. split; [exact Nfs|]. split; [rewrite Fy, nth_error_map, Nf; simpl; rewrite Tf; reflexivity|]. split; [exact Ft|]. split; [exact Wi|].
  exists idx, (bytes mod size). split; [reflexivity|]. fold inside. split; [exact (out_later _ _ _ _ _ _ K35 (conj Io3 Bo3))|]. split.
  - intros p I. apply in_app_or in I as [I|I].
    + destruct (A p I) as (j & v & Nj & Pl). exists (idx = Z.of_N 0 + Z.of_nat j), (AtCell (0 + N.of_nat j)), v. split; [exact (place_kept _ _ _ _ _ _ _ _ _ K5 Pl)|].
      assert (Iv : In v (cells fs)) by (eapply nth_error_In; eauto). split.
      * intros Ins Ej. destruct (element_holds s5 M5 o x f fs idx K05 F Lv Nfs Ins) as [El _]. apply (El j v Nj). lia.
      * split; [|split; [left; exact Iv|]]. { intros p' Ip. apply (part_in_kept _ _ _ _ _ K05). apply Fin. unfold field_terms. apply in_or_app. left. apply in_flat_map. eauto. }
        split; [|intros ? []]. intros _ Ej. exists x, fs. split; [exact F|]. split; [exact Nfs|]. assert (Lj : (j < length (cells fs))%nat) by (apply nth_error_Some; congruence). pose proof (length_counted (cells fs)). split; [lia | rewrite Ej; lia].
    + destruct (C p I) as (a & t' & hr & Er & Pl & It' & Vt' & Hh). exists hr, (AtRest i'), (IntegerSlot t'). split; [exact Pl|]. split.
      * intros Ins Hr. destruct (element_holds s4 M4 o x f fs idx K04 F Lv Nfs Ins) as [_ El]. unfold Listed.says. simpl. rewrite N2Nat.id, Vt'. symmetry. apply (El a Er). apply Hh, Hr.
      * split; [intros p' [<-|[]]; exact It'|]. split; [right; eauto|]. destruct (index_kept _ _ _ _ _ _ _ _ K35 X3) as (Ii5 & Vi5 & _). split; [|intros q' [<-|[]]; exact Ii5].
        intros _ Hr. exists x, fs. split; [exact F|]. split; [exact Nfs|]. split; [exact Vi5 | exact (Hh Hr)].
  - intros Ins. destruct (Z_lt_ge_dec idx 0) as [N|N]; [|destruct (Z_lt_ge_dec idx (Z.of_nat (length (cells fs)))) as [N'|N']].
    1, 3: destruct (rest fs) as [a|] eqn:Er; [destruct (D a eq_refl Ins ltac:(lia)) as (p & I & H); exists p; split; [apply in_or_app; auto | exact H] |
      exfalso; unfold has_no_rest in De; rewrite Er in De; simpl in De; destruct (Al De); unfold inside in Ins; lia].
    assert (Nj : exists v, nth_error (cells fs) (Z.to_nat idx) = Some v) by (destruct (nth_error (cells fs) (Z.to_nat idx)) eqn:En; [eauto | apply nth_error_None in En; lia]).
    destruct Nj as [v Nj]. destruct (B (Z.to_nat idx) v Nj Ins ltac:(lia)) as (p & I & H). exists p. split; [apply in_or_app; auto|]. destruct (A p I) as (j0 & v0 & _ & ls & -> & Il & _). apply (literals_kept _ _ _ _ ls K5 Il). exact H.
Qed.

(** ** Values of another type *)

Lemma some_cases_peek s (cs : list case) : peeks s (mapped (fun '(ls, u) => let$ u := some u Rejection.Missing in ret (ls, IntegerSlot u)) cs)
  (fun vs => (forall ls u, In (ls, u) vs <-> exists t, u = IntegerSlot t /\ In (ls, Some t) cs) /\ forall c, In c cs -> snd c <> None).
Proof.
  induction cs as [|[ls [t|]] cs IH]; cbn [mapped].
  - apply peeks_ret. split; [intros ls u; split; [intros [] | intros (t & _ & [])] | intros ? []].
  - eapply peeks_bind with (P := fun c => c = (ls, IntegerSlot t)); [eapply peeks_bind; [apply (peeks_some s _ _ (fun u => u = t)); congruence|]; intros ? ->; apply peeks_ret; reflexivity|].
    intros ? ->. eapply peeks_bind; [exact IH|]. intros vs [A B]. apply peeks_ret. split; [|intros c [<-|I]; [discriminate | exact (B c I)]].
    intros ks u. split.
    + intros [[= <- <-]|I]; [exists t; split; [|left]; auto|]. apply A in I as (t' & -> & I). exists t'. split; [|right]; auto.
    + intros (t' & -> & [[= <- <-]|I]); [left; auto | right; apply A; eauto].
  - eapply peeks_bind with (P := fun _ => False); [eapply peeks_bind with (P := fun _ => False); [apply peeks_some; discriminate | intros ? []] | intros ? []].
Qed.
Lemma wide_near T U z : T <> Bool -> width T = width U -> Integers.within U z -> least T - period T <= z <= greatest T + period T.
Proof. intros NT W H. unfold Integers.within in H. destruct T, U; simpl in *; try discriminate; try congruence; unfold period; simpl; lia. Qed.
Lemma same_types t u : same_type t u = Machine.type_eqb (Translated.type_of t) (Translated.type_of u).
Proof. destruct t, u; reflexivity. Qed.
Lemma as_type_meets s M v from to w : good s M -> slot_in s v -> wide to from = true -> (is_part v = false \/ same_type from to = true) ->
  meets s M (as_type E v from to) (fun vs s' K => keeps s M s' K /\ (forall ls u, In (ls, u) vs -> literals_in s' ls /\ slot_in s' u) /\
    (says M v w -> Typed.value_in (Translated.type_of from) w -> exists w', Machine.convert (Translated.type_of from) (Translated.type_of to) w = Machine.Ok w' /\
      (exists ls u, In (ls, u) vs /\ literals_hold K ls) /\ forall ls u, In (ls, u) vs -> literals_hold K ls -> says K u w')).
Proof.
  intros G Iv Wi Pa. unfold as_type, Machine.convert. rewrite <- same_types. destruct (same_type from to) eqn:St.
  { apply meets_ret; auto. split; [apply keeps_refl|]. split; [intros ls u [[= <- <-]|[]]; split; [intros ? [] | exact Iv]|]. intros Sy _. exists w. split; auto.
    split; [exists [], v; split; [left; auto | intros ? []]|]. intros ls u [[= <- <-]|[]] _. exact Sy. }
  destruct Pa as [Pa|Pa]; [|discriminate]. destruct to as [T|], from as [U|]; simpl in Wi, St; try discriminate. apply Z.eqb_eq in Wi.
  assert (Keep : (forall z, says M v w -> w <> Machine.Integer z) -> meets s M (ret [([], v)]) (fun vs s' K => keeps s M s' K /\ (forall ls u, In (ls, u) vs -> literals_in s' ls /\ slot_in s' u) /\
    (says M v w -> Typed.value_in (Translated.type_of (IntegerType U)) w -> exists w', (match Translated.type_of (IntegerType T), w with
        | Programs.IntegerType Bool, Machine.Integer _ => Machine.Stop Machine.Unsupported
        | Programs.IntegerType T, Machine.Integer z => Machine.Ok (Machine.Integer (wrap T z))
        | _, _ => Machine.Ok w end) = Machine.Ok w' /\
      (exists ls u, In (ls, u) vs /\ literals_hold K ls) /\ forall ls u, In (ls, u) vs -> literals_hold K ls -> says K u w'))).
  { intros Ni. apply meets_ret; auto. split; [apply keeps_refl|]. split; [intros ls u [[= <- <-]|[]]; split; [intros ? [] | exact Iv]|]. intros Sy _. exists w. split.
    - destruct w; simpl; try (destruct T; reflexivity). exfalso. exact (Ni _ Sy eq_refl).
    - split; [exists [], v; split; [left; auto | intros ? []]|]. intros ls u [[= <- <-]|[]] _. exact Sy. }
  destruct v as [| |t| |o j b|f|f]; try discriminate.
  - apply Keep. intros z Sy. unfold Listed.says in Sy. simpl in Sy. congruence.
  - destruct (integer_type_eqb T Bool) eqn:Tb; [apply meets_refuses|]. assert (NT : T <> Bool) by (intros ->; discriminate).
    eapply meets_bind; [apply meets_also_kept, (convert_near_meets E P under setting_right nu tabs s M t T OnePeriod); [exact G | exact (Iv (LinearPart t) (or_introl eq_refl))]|].
    intros cs s1 M1 G1 _ [K1 [Ic Cs]]. eapply meets_weaker; [apply (looked nu tabs); [exact G1 | apply some_cases_peek]|]. intros vs s2 M2 _ _ (-> & -> & Vs & Ns). split; [exact K1|]. split.
    + intros ls u I. apply Vs in I as (t' & -> & I). destruct (Ic _ I) as [A B]. split; [exact A | intros p [<-|[]]; exact B].
    + intros Sy Vi. unfold Listed.says in Sy. simpl in Sy. rewrite N2Nat.id in Sy. subst w. simpl in Vi. exists (Machine.Integer (wrap T (vl M t))). split; [simpl; destruct T; try reflexivity; congruence|].
      destruct (Cs (fun _ => wide_near T U _ NT Wi Vi)) as [(c & I & H & S) All]. split.
      * destruct c as [ls [u|]]; [|destruct (Ns _ I); reflexivity]. exists ls, (IntegerSlot u). split; [apply Vs; eauto | exact H].
      * intros ls u J L. apply Vs in J as (t' & -> & J). specialize (All _ J L). unfold case_says in All. simpl in All. unfold Listed.says. simpl. rewrite N2Nat.id, All. reflexivity.
  - apply Keep. intros z Sy. unfold Listed.says in Sy. simpl in Sy. congruence.
  - apply Keep. intros z Sy. unfold Listed.says in Sy. simpl in Sy. destruct (FoldedMembers.object_named _ _); [congruence | contradiction].
Qed.

(** ** Loads *)

Variable i : instruction.
Hypothesis here : at_position (code E) l = Some i.
Hypothesis types : Typed.types_formed P.
(** The outcomes at one place, of what is done there. *)
Record place_right (y : Machine.outcome Machine.state) (s : state) (K : model) (ls : list literal) (os : list outcome) : Prop := {
  outcomes_there : forall o, In o os -> literals_in s (literals_of o) /\ (forall q, In q (effect_terms (effect_of o)) -> part_in s q) /\ leaves_open (effect_of o) <> true;
  some_there : literals_hold K ls -> exists o, In o os /\ literals_hold K (literals_of o);
  all_there : forall o, In o os -> literals_hold K (literals_of o) -> literals_hold K ls /\ happens K (effect_of o) y }.
Lemma place_right_kept y s M s' M' ls os : keeps s M s' M' -> literals_in s ls -> place_right y s M ls os -> place_right y s' M' ls os.
Proof.
  intros K Il [A B C]. destruct (literals_kept _ _ _ _ ls K Il) as [_ Hl]. split.
  - intros o I. destruct (A o I) as (Io & Ie & Nd). split; [apply (literals_kept _ _ _ _ _ K Io)|]. split; [|exact Nd]. intros p Ip. exact (part_in_kept _ _ _ _ _ K (Ie p Ip)).
  - intros H. apply Hl in H. destruct (B H) as (o & I & Ho). exists o. split; auto. destruct (A o I) as [Io _]. apply (literals_kept _ _ _ _ _ K Io). exact Ho.
  - intros o I H. destruct (A o I) as (Io & Ie & _). apply (literals_kept _ _ _ _ _ K Io) in H. destruct (C o I H) as [Hls Hh]. split; [apply Hl, Hls|].
    exact (happens_kept P l m rho roots lasts g s M s' M' _ _ K Ie Hh).
Qed.
Lemma places_mapped {A} (f : A -> computes (list outcome)) (lits : A -> list literal) y :
  forall ps s M, good s M ->
  (forall p s1 M1, In p ps -> good s1 M1 -> keeps s M s1 M1 -> meets s1 M1 (f p) (fun os s' K => keeps s1 M1 s' K /\ place_right y s' K (lits p) os)) ->
  (forall p, In p ps -> literals_in s (lits p)) ->
  meets s M (mapped f ps) (fun oss s' K => keeps s M s' K /\ (forall os, In os oss -> exists p, In p ps /\ place_right y s' K (lits p) os) /\
    forall p, In p ps -> exists os, In os oss /\ place_right y s' K (lits p) os).
Proof.
  induction ps as [|p ps IH]; intros s M G F Il; cbn [mapped]; [apply meets_ret; auto; split; [apply keeps_refl|]; split; intros ? []|].
  eapply meets_bind; [apply (F p s M); [left; auto | exact G | apply keeps_refl]|]. intros os s1 M1 G1 _ [K1 R].
  eapply meets_bind; [apply (IH s1 M1 G1)|].
  - intros q s2 M2 I G2 K2. apply (F q s2 M2); [right; exact I | exact G2 | eapply keeps_trans; eauto].
  - intros q I. apply (literals_kept _ _ _ _ _ K1). apply Il. right. exact I.
  - intros oss s2 M2 G2 _ (K2 & A1 & B1). apply meets_ret; auto. split; [eapply keeps_trans; eauto|].
    assert (R2 : place_right y s2 M2 (lits p) os) by (eapply place_right_kept; [exact K2 | apply (literals_kept _ _ _ _ _ K1), Il; left; auto | exact R]). split.
    + intros os' [<-|I]; [exists p; split; [left|]; auto|]. destruct (A1 os' I) as (q & J & Rq). exists q. split; [right|]; auto.
    + intros q [<-|I]; [exists os; split; [left|]; auto|]. destruct (B1 q I) as (os' & J & Rq). exists os'. split; [right|]; auto.
Qed.
Lemma kind_of_peek s r : peeks s (register_kind E r) (fun t => Machine.type_of P (N.to_nat r) = Translated.type_of t).
Proof.
  unfold register_kind. eapply peeks_bind; [apply (peeks_some s _ _ (fun x => at_position (registers_of (names_in E)) r = Some x)); auto|]. intros x Hx. apply peeks_ret. exact (same_registers _ _ _ setting_right r x Hx).
Qed.
Lemma plain_part o x f fs t v : forallb (fun '(_, x) => parts_in_pointers E x) (in_order (objects_held m)) = true -> find (objects_held m) o = Some x ->
  nth (field_states x) f = Some fs -> nth_error (field_types E (declaration x)) (N.to_nat f) = Some t -> In v (cells fs) -> is_part v = false \/ t = Pointer.
Proof.
  intros Cv F Nf Nt Iv. rewrite forallb_forall in Cv. specialize (Cv (o, x)). cbn beta iota in Cv.
  assert (I : In (o, x) (in_order (objects_held m))) by (apply in_order_in; split; [exact (objects_numbered m tables o x F) | exact F]). specialize (Cv I). unfold parts_in_pointers in Cv.
  rewrite forallb_forall in Cv. rewrite nth_number in Nf. assert (Ic : In (t, fs) (List.combine (field_types E (declaration x)) (field_states x))).
  { clear - Nf Nt. revert Nf Nt. generalize (field_types E (declaration x)) as ts, (field_states x) as xs, (N.to_nat f) as n. induction ts as [|a ts IH]; intros [|b xs] [|n] Nf Nt; simpl in *; try discriminate.
    - injection Nf as ->. injection Nt as ->. left. reflexivity.
    - right. eapply IH; eauto. }
  specialize (Cv _ Ic). cbn beta iota in Cv. destruct t as [T|]; [|auto]. left. apply negb_true_iff in Cv. destruct (is_part v) eqn:Pv; [|reflexivity].
  assert (X : existsb is_part (cells fs) = true) by (apply existsb_exists; eauto). congruence.
Qed.
Theorem load_listed s M r a off : good s M -> keeps s0 M0 s M -> i = Load r a off -> forallb (fun '(_, x) => parts_in_pointers E x) (in_order (objects_held m)) = true ->
  meets s M (loads E m r a off) (fun os _ K => list_right K (shown os)).
Proof.
  intros G K Ei Cv. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr.
  assert (S : forall d, step d = Machine.load P g (N.to_nat r) (N.to_nat a) off) by (intros d; unfold Machine.step; rewrite Hi; reflexivity). unfold Machine.load in S.
  unfold loads. eapply meets_peek; [apply kind_of_peek|]. intros access Ta. rewrite Ta in S. unfold goes_on.
  eapply meets_bind; [apply (target_meets s M a off access G K)|]. intros [t|] s1 M1 G1 _ [K1 T].
  2: { destruct T as [f Tf]. apply meets_ret; auto. apply (fails_right P under l m rho roots lasts g M1 (Machine.fails f)); [intros d; rewrite S, Tf; reflexivity | exists f; reflexivity]. }
  destruct T as [(x & fs & F & Lv & Nfs & Nt & Ft & Wi & idx & byte & Ey & Os & Ps & Cs)]. cbv zeta in Os, Ps, Cs. set (inside := Machine.lower (there (found_object t)) <= idx < Machine.upper (there (found_object t))) in *.
  set (w := element_of (found_object t) (found_field t) idx) in *.
  set (y0 := Machine.bind (Machine.convert (Translated.type_of (found_type t)) (Translated.type_of access) w) (fun v => Machine.Ok (Machine.set g (N.to_nat r) v))).
  assert (Sd : forall d, step d = if Machine.is_inside (there (found_object t)) idx then y0 else Machine.fails Machine.OutOfBounds) by (intros d; rewrite S, Ey; reflexivity).
  assert (Vw : Typed.value_in (Translated.type_of (found_type t)) w).
  { rewrite <- Ft. apply (proj2 (FoldedMembers.fine_typed _ _ fine) (rho (N.to_nat (found_object t)))). }
  assert (Lp : forall p, In p (found_places t) -> literals_in s1 (fst (fst p))) by (intros p I; destruct (Ps p I) as (hr & e & v & (ls & -> & Il & _) & _); exact Il).
  eapply meets_bind; [apply (places_mapped _ (fun p => fst (fst p)) y0 (found_places t) s1 M1 G1)|]; auto.
  - intros p s2 M2 I G2 K2. destruct (Ps p I) as (hr & e & v & (ls & -> & Il & Hl) & Sy & Iv & Pv & _). cbn [fst].
    assert (Pa : is_part v = false \/ same_type (found_type t) access = true).
    { destruct Pv as [Pv|[u ->]]; [|left; reflexivity]. destruct (plain_part _ _ _ _ _ v Cv F Nfs Nt Pv) as [A|A]; [left; exact A|]. right. rewrite A in Wi |- *. destruct access; [discriminate | reflexivity]. }
    assert (Iv2 : slot_in s2 v) by (intros q Iq; exact (part_in_kept _ _ _ _ _ K2 (Iv q Iq))).
    eapply meets_bind; [apply (as_type_meets s2 M2 v (found_type t) access w G2 Iv2 Wi Pa)|]. intros vs s3 M3 G3 _ (K3 & Ivs & Vs). apply meets_ret; auto. split; [exact K3|].
    destruct (literals_kept _ _ _ _ ls (keeps_trans _ _ _ _ _ _ K2 K3) Il) as [Il3 Hl3].
    assert (Sv : literals_hold M3 ls -> says M2 v w /\ inside).
    { intros H. apply Hl3, Hl in H as [Ins Hr]. split; [|exact Ins]. rewrite (same_says l m M1 rho roots lasts s1 s2 M2 v K2 Iv). exact (Sy Ins Hr). }
    assert (Mem : forall o, In o (List.map (fun '(more, v) => exact (ls ++ more) (Sets r v)) vs) <-> exists more u, In (more, u) vs /\ o = exact (ls ++ more) (Sets r u)).
    { intros o. rewrite in_map_iff. split; [intros ([more u] & <- & J); eauto | intros (more & u & J & ->); exists (more, u); auto]. }
    split.
    + intros o J. apply Mem in J as (more & u & J & ->). destruct (Ivs _ _ J) as [A B]. split; [intros k Ik; apply in_app_or in Ik as [Ik|Ik]; auto|]. split; [exact B | discriminate].
    + intros H. destruct (Sv H) as [Sy2 _]. destruct (Vs Sy2 Vw) as (w' & _ & (more & u & J & Hm) & _). exists (exact (ls ++ more) (Sets r u)). split; [apply Mem; eauto|].
      intros k Ik. apply in_app_or in Ik as [Ik|Ik]; auto.
    + intros o J H. apply Mem in J as (more & u & J & ->). assert (H1 : literals_hold M3 ls) by (intros k Ik; apply H, in_or_app; auto). split; [exact H1|].
      destruct (Sv H1) as [Sy2 _]. destruct (Vs Sy2 Vw) as (w' & Cw & _ & All). split; [exact Dr|]. exists w'. split; [unfold y0; rewrite Cw; reflexivity|].
      apply (All more u J). intros k Ik. apply H, in_or_app. auto.
  - intros oss s2 M2 G2 _ (K2 & A & B). apply meets_ret; auto. cbn [shown]. destruct (out_later _ _ _ _ _ _ K2 Os) as [_ Bo]. clear Os.
    assert (Pl : forall p, In p (found_places t) -> literals_hold M2 (fst (fst p)) -> inside).
    { intros p I H. destruct (Ps p I) as (hr & e & v & (ls & -> & Il & Hl) & _). cbn [fst] in H. apply (literals_kept _ _ _ _ ls K2 Il), Hl in H as [Ins _]. exact Ins. }
    assert (In1 : Machine.is_inside (there (found_object t)) idx = true <-> inside) by (unfold Machine.is_inside, inside; rewrite andb_true_iff, Z.leb_le, Z.ltb_lt; reflexivity).
    split.
    + intros d. rewrite Sd. destruct (Machine.is_inside (there (found_object t)) idx) eqn:Ins.
      * assert (Ins' : inside) by (apply In1; reflexivity). destruct (Cs Ins') as (p & I & H). apply (literals_kept _ _ _ _ _ K2 (Lp p I)) in H. destruct (B p I) as (os & J & [_ So Al]). destruct (So H) as (o & Io & Ho).
        exists o. split; [apply in_or_app; left; apply in_concat; eauto|]. split; [exact Ho | apply (Al o Io Ho)].
      * assert (N : ~ inside) by (rewrite <- In1; discriminate). apply Bo in N as (k & I & H). exists (exact [k] FailsHere). split; [apply in_or_app; right; unfold failing; apply in_map_iff; eauto|].
        split; [intros j [<-|[]]; exact H | eexists; reflexivity].
    + intros o I _ H. apply in_app_or in I as [I|I].
      * apply in_concat in I as (os & J & Io). destruct (A os J) as (p & Ip & [Ot _ Al]). destruct (Al o Io H) as [Hp Hh]. destruct (Ot o Io) as (_ & _ & Nd).
        apply (undecided P under l m rho roots lasts g M2 _); [|exact Nd]. rewrite Sd, (proj2 In1 (Pl p Ip Hp)). exact Hh.
      * unfold failing in I. apply in_map_iff in I as (k & <- & I). assert (N : ~ inside) by (apply Bo; exists k; split; [exact I | apply H; left; auto]).
        exists still. split; [reflexivity|]. rewrite Sd. destruct (Machine.is_inside _ idx) eqn:Ins; [exfalso; apply N, In1; reflexivity | eexists; reflexivity].
Qed.
End Loads.
