(** Static objects, as roots make them (spec/calculus.md#root): what their elements hold by
    their contents, tables and pointers to other static objects. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Programs Machine FoldedMembers Members Loading.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed Moving RegisterScopes Followed Drawn FreshObjects MadeObjects.
Import ListNotations.
Open Scope Z_scope.

Section Static.
Variable E : setting.
Variable tabs : indexed table.
Notation world := (world tabs).
Notation goes_on := (goes_on tabs).
Notation meets nu := (meets nu tabs).
Variable cs : list contents.

(** What an element of a field is. *)
Definition pointer_at (M : model) (x : field_state) (k : N) (j : Z) : Prop := match nth cs k with
  | Some (Pointers ts) => match List.nth_error ts (Z.to_nat j) with
    | Some (Some o) => exists z, List.nth_error (cells x) (Z.to_nat j) = Some (PointerSlot o z 0) /\ vl M z = 0
    | Some None => List.nth_error (cells x) (Z.to_nat j) = Some NullSlot
    | None => True end
  | _ => List.nth_error (cells x) (Z.to_nat j) = Some NullSlot end.
Definition static_field (M : model) (count : option Z) (k : N) (f : field) (x : field_state) : Prop := forall j, 0 <= j -> match count with Some z => j < z | None => True end ->
  match field_type f with IntegerType _ => holds_element M x j (Machine.Integer (contents_value tabs cs k j)) | Pointer => pointer_at M x k j end.
Lemma static_goes M M' count k f x : all_same M M' (field_terms x) -> static_field M count k f x -> static_field M' count k f x.
Proof.
  intros S H j B L. specialize (H j B L). destruct (field_type f); [eapply holds_goes; eauto|]. unfold pointer_at in *. destruct (nth cs k) as [[|t|ts]|]; auto. destruct (List.nth_error ts (Z.to_nat j)) as [[o|]|]; auto.
  destruct H as (z & Hz & Vz). exists z. split; [exact Hz|]. rewrite <- Vz. apply (S (LinearPart z)). unfold field_terms. apply in_or_app. left. apply in_flat_map. exists (PointerSlot o z 0). split; [eapply List.nth_error_In; exact Hz | left; reflexivity].
Qed.
Lemma pointer_meets nu s M c q n : good nu tabs s M -> meets nu s M (pointer_field (FromContents cs) q n) (fun x s' K => (forall p, In p (field_terms x) -> part_within s' (variables c) p) /\ forall j, 0 <= j < Z.of_N n -> pointer_at K x q j).
Proof.
  intros G. unfold pointer_field. eapply meets_bind; [apply meets_also; [apply constant_meets; exact G | apply (constant_within nu tabs (variables c)); exact G]|]. intros zero s1 M1 G1 _ [[_ Vz] Wz].
  assert (All : (forall p, In p (field_terms {| cells := repeat NullSlot (N.to_nat n); rest := None |}) -> part_within s1 (variables c) p) /\ forall j, 0 <= j < Z.of_N n -> List.nth_error (repeat NullSlot (N.to_nat n)) (Z.to_nat j) = Some NullSlot).
  { split; [unfold field_terms; cbn [cells rest]; rewrite no_terms by reflexivity; intros ? []|]. intros j B. apply nth_error_repeat. lia. }
  unfold pointer_at. destruct (nth cs q) as [[|t|ts]|]; try (apply meets_ret; [exact G1 | exact All]).
  apply meets_ret; [exact G1|]. split.
  - intros p I. unfold field_terms in I. cbn [cells rest] in I. rewrite app_nil_r in I. apply in_flat_map in I as (v & Iv & Ip). apply in_map_iff in Iv as ([o|] & <- & _); [|destruct Ip]. destruct Ip as [<-|[]]. exact Wz.
  - intros j B. cbn [cells]. rewrite nth_error_map. destruct (List.nth_error ts (Z.to_nat j)) as [[o|]|]; cbn [option_map]; auto. exists zero. auto.
Qed.
Lemma static_fields d count fs : forall q s c nu M xs c' env s', world s c nu M -> new_fields E c (FromContents cs) d count q fs s = Gives (xs, c', env) s' ->
  exists M', c' = c /\ env = FromContents cs /\ world s' c nu M' /\ goes_on s c M s' c M' /\ length xs = length fs /\ (forall p, In p (flat_map field_terms xs) -> part_within s' (variables c) p) /\
    forall k f x, List.nth_error fs k = Some f -> List.nth_error xs k = Some x -> static_field M' count (q + N.of_nat k) f x.
Proof.
  induction fs as [|f fs IH]; intros q s c nu M xs c' env s' Wo R; cbn [new_fields] in R.
  - injection R as <- <- <- <-. exists M. split; [reflexivity|]. split; [reflexivity|]. split; [exact Wo|]. split; [apply goes_refl|]. split; [reflexivity|]. split; [intros ? [] | intros [|k]; discriminate].
  - unfold bind at 1 in R. destruct (extent E d (field_type f) count s) as [e s0|] eqn:Ex; [|discriminate]. destruct (extent_peek E _ _ _ _ _ _ Ex) as [-> Fit].
    unfold bind at 1 in R. match type of R with (match ?y with _ => _ end) = _ => destruct y as [[[x c1] env1] s1|] eqn:Fi; [|discriminate] end.
    assert (First : exists M1, c1 = c /\ env1 = FromContents cs /\ world s1 c nu M1 /\ goes_on s c M s1 c M1 /\ (forall p, In p (field_terms x) -> part_within s1 (variables c) p) /\ static_field M1 count q f x).
    { unfold static_field. destruct (field_type f) as [T|].
      - destruct (computed tabs s c nu M _ (fun _ _ r s' K => snd (fst r) = c /\ snd r = FromContents cs /\ (forall p, In p (field_terms (fst (fst r))) -> part_within s' (variables c) p) /\
          forall j, 0 <= j -> j < Z.of_N (fst e) \/ snd e = true -> holds_element K (fst (fst r)) j (Machine.Integer (contents_value tabs cs q j))) (x, c1, env1) s1 Wo (fun mu K _ Gk => contents_field_meets tabs mu s K c cs q T e Gk) Fi)
          as (M1 & W1 & G1 & _ & Ec & Ee & Wt & V). cbn [fst snd] in *. subst c1 env1. exists M1. repeat (split; [auto|]). intros j B L. apply V; auto.
      - unfold bind in Fi. destruct (pointer_field (FromContents cs) q (fst e) s) as [x0 s2|] eqn:Pf; [|discriminate]. injection Fi as <- <- <- <-.
        destruct (computed tabs s c nu M _ (fun _ _ x s' K => (forall p, In p (field_terms x) -> part_within s' (variables c) p) /\ forall j, 0 <= j < Z.of_N (fst e) -> pointer_at K x q j) x0 s2 Wo (fun mu K _ Gk => pointer_meets mu s K c q (fst e) Gk) Pf) as (M1 & W1 & G1 & _ & Wt & V).
        exists M1. repeat (split; [auto|]). intros j B L. apply V. destruct (Fit j B L) as [F|[]]. lia. }
    destruct First as (M1 & -> & -> & W1 & G1 & T1 & V1). unfold bind in R. destruct (new_fields E c (FromContents cs) d count (N.succ q) fs s1) as [[[ys c2] env2] s2|] eqn:Fs; [|discriminate]. injection R as <- <- <- <-.
    destruct (IH (N.succ q) s1 c nu M1 ys c2 env2 s2 W1 Fs) as (M2 & -> & -> & W2 & G2 & L2 & T2 & V2). destruct (terms_go _ _ _ _ _ _ _ _ G2 T1) as [T1' S1].
    exists M2. split; [reflexivity|]. split; [reflexivity|]. split; [exact W2|]. split; [eapply goes_trans; eauto|]. split; [simpl; congruence|]. split.
    + intros p I. cbn [flat_map] in I. apply in_app_or in I as [I|I]; auto.
    + intros [|k] g y Eg Ey; cbn [List.nth_error] in Eg, Ey.
      * injection Eg as <-. injection Ey as <-. rewrite N.add_0_r. eapply static_goes; eauto.
      * replace (q + N.of_nat (Datatypes.S k))%N with (N.succ q + N.of_nat k)%N by lia. exact (V2 k g y Eg Ey).
Qed.
Theorem static_made s c nu M m d n l x w c' env s' : world s c nu M -> herd c = [m] -> part_within s (variables c) (LinearPart n) ->
  at_position (objects_of (names_in E)) d = Some x -> is_local (Certificates.origin_of x) = false -> at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some l ->
  find (objects_held m) d = None -> (d < given (objects_held m))%N -> create E c (FromContents cs) 0 d n s = Gives (w, c', env) s' ->
  exists M' y, c' = set_member c 0 (with_objects m (put (objects_held m) d y)) /\ world s' c' nu M' /\ goes_on s c M s' c' M' /\
    named y = d /\ declaration y = d /\ life_of y = Live /\ vl M' (lower y) = 0 /\ vl M' (upper y) = vl M n /\ length (field_states y) = length (fields l) /\
    forall k f z, List.nth_error (fields l) k = Some f -> List.nth_error (field_states y) k = Some z -> static_field M' (Some (vl M n)) (N.of_nat k) f z.
Proof.
  intros Wo Hd Wn Ox Lo Ly Fd Ld R. unfold create in R. unfold layout_in, object_in in R. unfold bind at 2, some at 1 in R. rewrite Ox in R. unfold ret at 1 in R. unfold bind at 1, some at 1 in R. rewrite Ly in R. unfold ret at 1 in R.
  unfold bind at 1 in R. destruct (value_of n s) as [count s0|] eqn:Vo; [|discriminate]. destruct (value_peek nu tabs s M n (world_good _ _ _ _ _ Wo) _ _ Vo) as [-> Vn].
  unfold bind at 1 in R. destruct (new_fields E c (FromContents cs) d count 0 (fields l) s) as [[[fs c1] env1] s1|] eqn:Nf; [|discriminate].
  destruct (static_fields d count (fields l) 0%N s c nu M fs c1 env1 s1 Wo Nf) as (M1 & -> & -> & W1 & G1 & L1 & T1 & V1).
  unfold bind at 1 in R. destruct (constant_term 0 s1) as [zero s2|] eqn:C0; [|discriminate].
  destruct (computed tabs s1 c nu M1 (constant_term 0) (fun _ _ t s' M' => is_term s' M' t 0 /\ part_within s' (variables c) (LinearPart t)) zero s2 W1) as (M2 & W2 & G2 & _ & [_ Vz] & Wz); auto.
  { intros mu K Wm Gk. apply meets_also; [apply constant_meets; exact Gk | apply (constant_within mu tabs (variables c)); exact Gk]. }
  unfold bind at 1, chosen_lower, ret at 1 in R. unfold bind at 1 in R. destruct (combine 0 [(zero, 1); (n, 1)] s2) as [high s3|] eqn:Cm; [|discriminate].
  pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G1 G2) as G12. destruct (goes_terms _ _ _ _ _ _ _ G12 _ Wn) as [Wn2 Vn2]. simpl in Vn2.
  destruct (computed tabs s2 c nu M2 (combine 0 [(zero, 1); (n, 1)]) (fun _ M t s' M' => is_term s' M' t (0 + parts_value M [(zero, 1); (n, 1)]) /\ part_within s' (variables c) (LinearPart t)) high s3 W2) as (M3 & W3 & G3 & _ & [_ Vh] & Wh); auto.
  { intros mu K Wm Gk. apply meets_also; [apply combine_meets; exact Gk | apply (combine_within mu tabs (variables c)); [exact Gk | apply two_parts; auto]]. }
  pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G12 G3) as G13.
  unfold bind at 1, some at 1, ret at 1 in R. unfold bind at 1, member_at, some at 1 in R. rewrite Hd in R. cbn [nth N.eqb] in R. unfold ret at 1 in R. rewrite Lo in R. unfold bind at 1, ret at 1 in R.
  unfold vacant in R. rewrite Fd in R. apply N.ltb_lt in Ld as Ld'. rewrite Ld' in R. unfold ret in R. injection R as <- <- <- <-.
  set (y := {| named := d; declaration := d; life_of := Live; lower := zero; upper := high; field_states := fs |}).
  destruct (goes_terms _ _ _ _ _ _ _ G3 _ Wz) as [Wz3 Vz3]. simpl in Vz3. destruct (terms_go _ _ _ _ _ _ _ _ (goes_trans _ _ _ _ _ _ _ _ _ _ G2 G3) T1) as [T3 S3].
  assert (H1 : nth (herd c) 0 = Some m) by (rewrite Hd; reflexivity). pose proof (world_scope _ _ _ _ _ W3) as Sc3.
  assert (Sc' : in_scope s3 (set_member c 0 (with_objects m (put (objects_held m) d y)))).
  { apply (member_scope s3 c 0 m); [exact Sc3 | exact H1 | |].
    - apply object_put_tables; [|exact Ld | reflexivity]. apply (proj1 (proj2 Sc3)), herd_member. rewrite Hd. left. reflexivity.
    - apply object_put_within; [exact (terms_of_member s3 c 0 m Sc3 H1)|]. intros p I. unfold object_terms in I. cbn [lower upper field_states y] in I. destruct I as [<-|[<-|I]]; auto. }
  exists M3, y. split; [reflexivity|]. split; [eapply world_changes; eauto|].
  split; [split; [exact (goes_later _ _ _ _ _ _ _ G13) | exact (goes_terms _ _ _ _ _ _ _ G13)]|]. do 3 (split; [reflexivity|]). split; [cbn [lower y]; rewrite Vz3; exact Vz|].
  split; [cbn [upper y]; rewrite Vh; simpl; rewrite Vz, Vn2; lia|]. split; [exact L1|].
  intros k f z Ef Ez. cbn [field_states y] in Ez. eapply static_goes; [|].
  - intros p I. apply S3. apply in_flat_map. exists z. split; [eapply List.nth_error_In; eauto | exact I].
  - pose proof (V1 k f z Ef Ez) as V. rewrite N.add_0_l in V. intros j B L. apply V; [exact B|]. destruct count as [z0|]; [|exact Logic.I]. destruct Vn as [_ <-]. exact L.
Qed.
End Static.
