(** Objects of integers that a root makes (spec/calculus.md#root), whose elements have values
    that are chosen when they are made. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Programs Machine FoldedMembers SameValues SameInputs Loading.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting States Denoting Carried Shown Closing Moving Drawn.
Import ListNotations.
Open Scope Z_scope.

Section Fresh.
Variable E : setting.
Variable tabs : indexed table.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation world := (world tabs).
Notation goes_on := (goes_on tabs).

(** Variables are made, and nothing else is changed. *)
Definition draws (c c' : configuration) : Prop := c' = with_variables c (variables c').
Lemma draws_refl c : draws c c.
Proof. destruct c; reflexivity. Qed.
Lemma draws_trans c c' c'' : draws c c' -> draws c' c'' -> draws c c''.
Proof. unfold draws. intros H H'. rewrite H' at 1. rewrite H at 1. reflexivity. Qed.
Lemma terms_go s c M s' c' M' (ps : list part) : goes_on s c M s' c' M' -> (forall p, In p ps -> part_within s (variables c) p) ->
  (forall p, In p ps -> part_within s' (variables c') p) /\ all_same M M' ps.
Proof. intros Go H. split; intros p I; apply (goes_terms _ _ _ _ _ _ _ Go p (H p I)). Qed.

(** ** Cells *)

Lemma cells_drawn T (v : nat -> Z) : (forall j, Integers.within T (v j)) -> forall n i s c nu M l c' s', world s c nu M -> fresh_cells c T n s = Gives (l, c') s' ->
  exists mu M', draws c c' /\ world s' c' mu M' /\ goes_on s c M s' c' M' /\ length l = n /\
    (forall j, (j < n)%nat -> exists t, List.nth_error l j = Some (IntegerSlot t) /\ vl M' t = v (i + j)%nat) /\ forall p, In p (flat_map slot_terms l) -> part_within s' (variables c') p.
Proof.
  intros Wv. induction n as [|n IH]; intros i s c nu M l c' s' Wo R; cbn [fresh_cells] in R.
  - injection R as <- <- <-. exists nu, M. split; [apply draws_refl|]. split; [exact Wo|]. split; [apply goes_refl|]. split; [reflexivity|]. split; [intros j L; lia | intros ? []].
  - unfold bind at 1 in R. destruct (fresh c (Some T) s) as [[t c1] s1|] eqn:F; [|discriminate]. unfold bind in R. destruct (fresh_cells c1 T n s1) as [[vs c2] s2|] eqn:Fs; [|discriminate]. injection R as <- <- <-.
    destruct (integer_drawn tabs s c nu M T (v i) t c1 s1 Wo (Wv i) F) as (mu & M1 & x & Ec & W1 & G1 & Vt & Wt). destruct (IH (S i) s1 c1 mu M1 vs c2 s2 W1 Fs) as (mu2 & M2 & D2 & W2 & G2 & L2 & V2 & T2).
    destruct (goes_terms _ _ _ _ _ _ _ G2 _ Wt) as [Wt2 Vt2]. simpl in Vt2. exists mu2, M2.
    split; [eapply draws_trans; [|exact D2]; rewrite Ec; reflexivity|]. split; [exact W2|]. split; [eapply goes_trans; eauto|]. split; [simpl; congruence|]. split.
    + intros [|j] L; [exists t; rewrite Nat.add_0_r, Vt2; auto|]. destruct (V2 j ltac:(lia)) as (u & Eu & Vu). exists u. rewrite Nat.add_succ_r. auto.
    + intros p I. cbn [flat_map slot_terms app] in I. destruct I as [<-|I]; [exact Wt2 | auto].
Qed.
(** What an element is, in a cell or in the rest. *)
Definition element_is (M : model) (x : field_state) (j z : Z) : Prop := Loading.fixed_element (valued M) (Denoting.field_of x) j = Some (Machine.Integer z).
Lemma element_goes M M' x j z : all_same M M' (field_terms x) -> element_is M x j z -> element_is M' x j z.
Proof. intros H. unfold element_is. apply SameInputs.element_same. apply SameInputs.fields_themselves, field_same. exact H. Qed.
Lemma field_drawn position T (v : Z -> Z) (e : N * bool) s c nu M x c' env s' : (forall j, Integers.within T (v j)) -> world s c nu M ->
  integer_field c AnyValue position T e s = Gives (x, c', env) s' ->
  exists mu M', draws c c' /\ env = AnyValue /\ world s' c' mu M' /\ goes_on s c M s' c' M' /\ (forall p, In p (field_terms x) -> part_within s' (variables c') p) /\
    forall j, 0 <= j -> j < Z.of_N (fst e) \/ snd e = true -> element_is M' x j (v j).
Proof.
  intros Wv Wo R. unfold integer_field in R. unfold bind at 1 in R. destruct (constant_term 0 s) as [zero s1|] eqn:C0; [|discriminate].
  destruct (computed tabs s c nu M (constant_term 0) (fun _ _ _ _ _ => True) zero s1 Wo) as (M1 & W1 & G1 & _); auto; [intros mu K _ Gk; eapply meets_weaker; [apply constant_meets; exact Gk | auto]|].
  unfold bind at 1 in R. destruct (fresh_cells c T (N.to_nat (fst e)) s1) as [[vs c2] s2|] eqn:Fs; [|discriminate].
  destruct (cells_drawn T (fun j => v (Z.of_nat j)) (fun j => Wv _) (N.to_nat (fst e)) 0%nat s1 c nu M1 vs c2 s2 W1 Fs) as (mu2 & M2 & D2 & W2 & G2 & L2 & V2 & T2). cbn [Nat.add] in V2.
  assert (Cell : forall M' r j, all_same M2 M' (flat_map slot_terms vs) -> 0 <= j < Z.of_N (fst e) -> element_is M' {| cells := vs; rest := r |} j (v j)).
  { intros M' r j Sm B. unfold element_is, Loading.fixed_element. cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest cells]. rewrite map_length, L2.
    destruct (Z.leb_spec 0 j), (Z.ltb_spec j (Z.of_nat (N.to_nat (fst e)))); try lia. cbn [andb]. destruct (V2 (Z.to_nat j) ltac:(lia)) as (t & Et & Vt).
    rewrite (nth_error_nth _ _ FoldedMembers.forgotten (map_nth_error slot_of _ _ Et)). cbn [Loading.fixed slot_of]. do 2 f_equal. rewrite valued_term.
    rewrite Z2Nat.id in Vt by lia. rewrite <- Vt. apply (Sm (LinearPart t)). apply in_flat_map. exists (IntegerSlot t). split; [eapply List.nth_error_In; eauto | left; reflexivity]. }
  destruct (snd e).
  - unfold bind in R. destruct (fresh_array c2 T s2) as [[a c3] s3|] eqn:Fa; [|discriminate]. injection R as <- <- <- <-.
    destruct (array_drawn tabs s2 c2 mu2 M2 T v a c3 s3 W2 Wv Fa) as (mu3 & M3 & y & Ec & W3 & G3 & Va & Wa). destruct (terms_go _ _ _ _ _ _ _ G3 T2) as [T3 S3]. exists mu3, M3.
    split; [eapply draws_trans; [exact D2|]; rewrite Ec; reflexivity|]. split; [reflexivity|]. split; [exact W3|]. split; [eapply goes_trans; [exact G1|]; eapply goes_trans; eauto|]. split.
    + intros p I. unfold field_terms in I. cbn [cells rest] in I. apply in_app_or in I as [I|[<-|[]]]; auto.
    + intros j B _. destruct (Z.lt_ge_cases j (Z.of_N (fst e))) as [L|L]; [apply Cell; [exact S3 | lia]|].
      unfold element_is, Loading.fixed_element. cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest cells rest option_map]. rewrite map_length, L2.
      destruct (Z.leb_spec 0 j), (Z.ltb_spec j (Z.of_nat (N.to_nat (fst e)))); try lia. cbn [andb]. do 2 f_equal. simpl. rewrite N2Nat.id. apply Va.
  - injection R as <- <- <- <-. exists mu2, M2. split; [exact D2|]. split; [reflexivity|]. split; [exact W2|]. split; [eapply goes_trans; eauto|]. split.
    + intros p I. unfold field_terms in I. cbn [cells rest] in I. rewrite app_nil_r in I. auto.
    + intros j B [L|D]; [|discriminate]. apply Cell; [intros p I; destruct p; simpl; auto | lia].
Qed.

(** ** Fields *)

Lemma extent_peek s o t count : peeks s (extent E o t count) (fun e => forall j, 0 <= j -> match count with Some z => j < z | None => True end ->
  j < Z.of_N (fst e) \/ match t with IntegerType _ => snd e = true | Pointer => False end).
Proof.
  unfold extent. destruct t as [T|]; (destruct count as [z|]; [destruct (z <=? Z.of_N greatest_u32)|]); try apply peeks_refuses.
  - unfold object_in. eapply peeks_bind; [apply (peeks_some s _ _ (fun _ => True)); auto|]. intros x _. destruct (is_whole E (Certificates.origin_of x) (Z.max z 0)); apply peeks_ret; intros j B L; cbn [fst snd]; [left; lia | auto].
  - apply peeks_ret. intros j _ _. cbn [snd]. auto.
  - apply peeks_ret. intros j _ _. cbn [snd]. auto.
  - destruct (_ <=? pointer_cells); [|apply peeks_refuses]. apply peeks_ret. intros j B L. cbn [fst]. left. lia.
Qed.
(** What an element of a fresh object is, which nobody has written. *)
Definition fresh_value (t : type) (z : Z) : Machine.value := match t with IntegerType T => Machine.Integer (wrap T z) | Pointer => Machine.Uninitialised end.
Definition holds_element (M : model) (x : field_state) (j : Z) (w : Machine.value) : Prop := Loading.fixed_element (valued M) (Denoting.field_of x) j = Some w.
Lemma holds_goes M M' x j w : all_same M M' (field_terms x) -> holds_element M x j w -> holds_element M' x j w.
Proof. intros H. unfold holds_element. apply SameInputs.element_same. apply SameInputs.fields_themselves, field_same. exact H. Qed.
(** Of the k-th field the elements are these, wrapped to its type. *)
Definition elements_are (value : type -> Z -> Machine.value) (M : model) (fs : list field) (xs : list field_state) (count : option Z) (position : nat) (v : nat -> Z -> Z) : Prop := forall k f x j, List.nth_error fs k = Some f -> List.nth_error xs k = Some x ->
  0 <= j -> match count with Some z => j < z | None => True end -> holds_element M x j (value (field_type f) (v (position + k)%nat j)).
Lemma pointers_hold M n w v j : Loading.fixed (valued M) (slot_of v) = Some w -> 0 <= j < Z.of_nat n -> holds_element M {| cells := repeat v n; rest := None |} j w.
Proof.
  intros Fx B. unfold holds_element, Loading.fixed_element. cbn [Denoting.field_of FoldedMembers.apart cells]. rewrite map_length, repeat_length.
  destruct (Z.leb_spec 0 j), (Z.ltb_spec j (Z.of_nat n)); try lia. cbn [andb].
  assert (R : forall k, (k < n)%nat -> List.nth k (List.map slot_of (repeat v n)) FoldedMembers.forgotten = slot_of v).
  { clear. induction n as [|n IH]; intros [|k] L; cbn; try lia; auto. apply IH. lia. }
  rewrite R by lia. exact Fx.
Qed.
Lemma no_terms v n : slot_terms v = [] -> flat_map slot_terms (repeat v n) = [].
Proof. intros H. induction n; simpl; rewrite ?H; auto. Qed.
(** A field of either type is filled with such values. *)
Definition fills_fields (own : environment) (value : type -> Z -> Machine.value) : Prop := forall d count q t (v : Z -> Z) s c nu M e x c' env s', world s c nu M -> extent E d t count s = Gives e s ->
  match t with Pointer => let$ x := pointer_field own q (fst e) in ret (x, c, own) | IntegerType T => integer_field c own q T e end s = Gives (x, c', env) s' ->
  exists mu M', draws c c' /\ env = own /\ world s' c' mu M' /\ goes_on s c M s' c' M' /\ (forall p, In p (field_terms x) -> part_within s' (variables c') p) /\
    forall j, 0 <= j -> match count with Some z => j < z | None => True end -> holds_element M' x j (value t (v j)).
Lemma arbitrary_fields : fills_fields AnyValue fresh_value.
Proof.
  intros d count q [T|] v s c nu M e x c' env s' Wo Ex Fi; destruct (extent_peek _ _ _ _ _ _ Ex) as [_ Fit].
  - destruct (field_drawn q T (fun j => wrap T (v j)) e s c nu M x c' env s' (fun j => wrap_within _ _) Wo Fi) as (mu1 & M1 & D1 & Ee & W1 & G1 & T1 & V1).
    exists mu1, M1. repeat (split; [assumption|]). intros j B L. apply V1; auto.
  - unfold pointer_field in Fi. unfold bind at 2 in Fi. unfold bind at 1 in Fi. destruct (constant_term 0 s) as [zero s1|] eqn:C0; [|discriminate]. injection Fi as <- <- <- <-.
    destruct (computed tabs s c nu M (constant_term 0) (fun _ _ _ _ _ => True) zero s1 Wo) as (M1 & W1 & G1 & _); auto; [intros mu K _ Gk; eapply meets_weaker; [apply constant_meets; exact Gk | auto]|].
    exists nu, M1. split; [apply draws_refl|]. split; [reflexivity|]. split; [exact W1|]. split; [exact G1|]. split; [unfold field_terms; cbn [cells rest]; rewrite no_terms by reflexivity; intros ? []|].
    intros j B L. apply pointers_hold; [reflexivity|]. destruct (Fit j B L) as [F|[]]. lia.
Qed.
Lemma fields_drawn own value d count (v : nat -> Z -> Z) fs : fills_fields own value -> forall q position s c nu M xs c' env s', world s c nu M -> new_fields E c own d count q fs s = Gives (xs, c', env) s' ->
  exists mu M', draws c c' /\ env = own /\ world s' c' mu M' /\ goes_on s c M s' c' M' /\ length xs = length fs /\ (forall p, In p (flat_map field_terms xs) -> part_within s' (variables c') p) /\
    elements_are value M' fs xs count position v.
Proof.
  intros Fill. induction fs as [|f fs IH]; intros q position s c nu M xs c' env s' Wo R; cbn [new_fields] in R.
  - injection R as <- <- <- <-. exists nu, M. split; [apply draws_refl|]. split; [reflexivity|]. split; [exact Wo|]. split; [apply goes_refl|]. split; [reflexivity|]. split; [intros ? []|].
    intros k f x j Ef. destruct k; discriminate.
  - unfold bind at 1 in R. destruct (extent E d (field_type f) count s) as [e s0|] eqn:Ex; [|discriminate]. destruct (extent_peek _ _ _ _ _ _ Ex) as [-> _].
    unfold bind at 1 in R. match type of R with (match ?y with _ => _ end) = _ => destruct y as [[[x c1] env1] s1|] eqn:Fi; [|discriminate] end.
    destruct (Fill d count q (field_type f) (v position) s c nu M e x c1 env1 s1 Wo Ex Fi) as (mu1 & M1 & D1 & -> & W1 & G1 & T1 & V1).
    unfold bind in R. destruct (new_fields E c1 own d count (N.succ q) fs s1) as [[[ys c2] env2] s2|] eqn:Fs; [|discriminate]. injection R as <- <- <- <-.
    destruct (IH (N.succ q) (S position) s1 c1 mu1 M1 ys c2 env2 s2 W1 Fs) as (mu2 & M2 & D2 & -> & W2 & G2 & L2 & T2 & V2). destruct (terms_go _ _ _ _ _ _ _ G2 T1) as [T1' S1].
    exists mu2, M2. split; [eapply draws_trans; eauto|]. split; [reflexivity|]. split; [exact W2|]. split; [eapply goes_trans; eauto|]. split; [simpl; congruence|]. split.
    + intros p I. cbn [flat_map] in I. apply in_app_or in I as [I|I]; auto.
    + intros [|k] g y j Eg Ey B L; cbn [List.nth_error] in Eg, Ey.
      * injection Eg as <-. injection Ey as <-. rewrite Nat.add_0_r. eapply holds_goes; [exact S1|]. apply V1; auto.
      * rewrite Nat.add_succ_r. apply (V2 k g y j); auto.
Qed.

(** ** The object *)

Definition all_integers (fs : list field) : Prop := forall f, In f fs -> exists T, field_type f = IntegerType T.

Lemma member_scope s c who m m' : in_scope s c -> nth (herd c) who = Some m -> tables_right m' -> (forall p, In p (member_terms m') -> part_within s (variables c) p) -> in_scope s (set_member c who m').
Proof.
  intros (F & R & H) N Tm T. split; [exact F|]. split.
  - apply (members_again tables_right c); [reflexivity | | exact R]. intros x I. cbn [set_member with_herd herd] in I. apply replaced_in in I as [->|I]; [exact Tm | apply R, herd_member; exact I].
  - intros p I. unfold configuration_terms in I. cbn [set_member with_herd known_literals herd entry_member_terms entry_member] in I.
    apply in_app_or in I as [I|I]; [apply H; unfold configuration_terms; apply in_or_app; auto|]. apply in_app_or in I as [I|I].
    + apply in_flat_map in I as (x & Ix & Ip). apply replaced_in in Ix as [->|Ix]; [apply T; exact Ip|]. apply H. unfold configuration_terms. apply in_or_app. right. apply in_or_app. left.
      apply in_flat_map. eauto.
    + apply H. unfold configuration_terms. apply in_or_app. right. apply in_or_app. right. exact I.
Qed.
Lemma object_put_tables m o y : tables_right m -> (o < given (objects_held m))%N -> named y = o -> tables_right (with_objects m (put (objects_held m) o y)).
Proof.
  intros [Rn Ro Rb] L Ny. split; cbn [held objects_held with_objects]; [exact Rn | |].
  - intros k b. rewrite find_put. destruct (N.eqb_spec k o) as [->|]; [intros _; exact L | apply Ro].
  - intros k b. rewrite find_put. destruct (N.eqb_spec k o) as [->|]; [intros [= <-]; exact Ny | apply Rb].
Qed.
Theorem object_made s c nu M m d n l x (v : nat -> Z -> Z) w c' env s' : world s c nu M -> herd c = [m] -> part_within s (variables c) (LinearPart n) ->
  at_position (objects_of (names_in E)) d = Some x -> is_local (Certificates.origin_of x) = false -> at_position (layouts_of (names_in E)) (Certificates.layout_of x) = Some l -> all_integers (fields l) ->
  find (objects_held m) d = None -> (d < given (objects_held m))%N -> create E c AnyValue 0 d n s = Gives (w, c', env) s' ->
  exists mu M' c1 y low, draws c c1 /\ c' = set_member c1 0 (with_objects m (put (objects_held m) d y)) /\ w = PointerSlot d low 0 /\ env = AnyValue /\ world s' c' mu M' /\ goes_on s c M s' c' M' /\
    named y = d /\ declaration y = d /\ life_of y = Live /\ lower y = low /\ vl M' low = 0 /\ part_within s' (variables c') (LinearPart low) /\ vl M' (upper y) = vl M n /\ length (field_states y) = length (fields l) /\
    forall k f z T j, List.nth_error (fields l) k = Some f -> List.nth_error (field_states y) k = Some z -> field_type f = IntegerType T -> 0 <= j < vl M n -> element_is M' z j (wrap T (v k j)).
Proof.
  intros Wo Hd Wn Ox Lo Ly All Fd Ld R. unfold create in R. unfold layout_in, object_in in R. unfold bind at 2, some at 1 in R. rewrite Ox in R. unfold ret at 1 in R. unfold bind at 1, some at 1 in R. rewrite Ly in R. unfold ret at 1 in R.
  unfold bind at 1 in R. destruct (value_of n s) as [count s0|] eqn:Vo; [|discriminate]. destruct (value_peek nu tabs s M n (world_good _ _ _ _ _ Wo) _ _ Vo) as [-> Vn].
  unfold bind at 1 in R. destruct (new_fields E c AnyValue d count 0 (fields l) s) as [[[fs c1] env1] s1|] eqn:Nf; [|discriminate].
  destruct (fields_drawn AnyValue fresh_value d count v (fields l) arbitrary_fields 0%N 0%nat s c nu M fs c1 env1 s1 Wo Nf) as (mu1 & M1 & D1 & -> & W1 & G1 & L1 & T1 & V1).
  unfold bind at 1 in R. destruct (constant_term 0 s1) as [zero s2|] eqn:C0; [|discriminate].
  destruct (computed tabs s1 c1 mu1 M1 (constant_term 0) (fun _ _ t s' M' => is_term s' M' t 0 /\ part_within s' (variables c1) (LinearPart t)) zero s2 W1) as (M2 & W2 & G2 & _ & [_ Vz] & Wz); auto.
  { intros mu K Wm Gk. apply meets_also; [apply constant_meets; exact Gk | apply (constant_within mu tabs (variables c1)); exact Gk]. }
  unfold bind at 1, chosen_lower, ret at 1 in R. unfold bind at 1 in R. destruct (combine 0 [(zero, 1); (n, 1)] s2) as [high s3|] eqn:Cm; [|discriminate].
  pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G1 G2) as G12. destruct (goes_terms _ _ _ _ _ _ _ G12 _ Wn) as [Wn2 Vn2]. simpl in Vn2.
  destruct (computed tabs s2 c1 mu1 M2 (combine 0 [(zero, 1); (n, 1)]) (fun _ M t s' M' => is_term s' M' t (0 + parts_value M [(zero, 1); (n, 1)]) /\ part_within s' (variables c1) (LinearPart t)) high s3 W2) as (M3 & W3 & G3 & _ & [_ Vh] & Wh); auto.
  { intros mu K Wm Gk. apply meets_also; [apply combine_meets; exact Gk | apply (combine_within mu tabs (variables c1)); [exact Gk | apply two_parts; auto]]. }
  pose proof (goes_trans _ _ _ _ _ _ _ _ _ _ G12 G3) as G13.
  unfold bind at 1, some at 1, ret at 1 in R. assert (Hd1 : herd c1 = [m]) by (rewrite D1; exact Hd).
  unfold bind at 1, member_at, some at 1 in R. rewrite Hd1 in R. cbn [nth N.eqb] in R. unfold ret at 1 in R. rewrite Lo in R. unfold bind at 1, ret at 1 in R.
  unfold vacant in R. rewrite Fd in R. apply N.ltb_lt in Ld as Ld'. rewrite Ld' in R. unfold ret in R. injection R as <- <- <- <-.
  set (y := {| named := d; declaration := d; life_of := Live; lower := zero; upper := high; field_states := fs |}).
  destruct (goes_terms _ _ _ _ _ _ _ G3 _ Wz) as [Wz3 Vz3]. simpl in Vz3. destruct (terms_go _ _ _ _ _ _ _ (goes_trans _ _ _ _ _ _ _ _ _ _ G2 G3) T1) as [T3 S3].
  assert (H1 : nth (herd c1) 0 = Some m) by (rewrite Hd1; reflexivity). pose proof (world_scope _ _ _ _ _ W3) as Sc3.
  assert (Sc' : in_scope s3 (set_member c1 0 (with_objects m (put (objects_held m) d y)))).
  { apply (member_scope s3 c1 0 m); [exact Sc3 | exact H1 | |].
    - apply object_put_tables; [|exact Ld | reflexivity]. apply (proj1 (proj2 Sc3)), herd_member. rewrite Hd1. left. reflexivity.
    - apply object_put_within; [exact (terms_of_member s3 c1 0 m Sc3 H1)|]. intros p I. unfold object_terms in I. cbn [lower upper field_states] in I. destruct I as [<-|[<-|I]]; auto. }
  exists mu1, M3, c1, y, zero. split; [exact D1|]. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|]. split; [eapply world_changes; eauto|].
  split; [split; [exact (goes_later _ _ _ _ _ _ _ G13) | exact (goes_terms _ _ _ _ _ _ _ G13)]|]. do 4 (split; [reflexivity|]). split; [rewrite Vz3; exact Vz|]. split; [exact Wz3|].
  split; [cbn [upper y]; rewrite Vh; simpl; rewrite Vz, Vn2; lia|]. split; [exact L1|].
  intros k f z T j Ef Ez Tf B. cbn [field_states y] in Ez. eapply element_goes; [|assert (V := V1 k f z j Ef Ez); rewrite Tf in V; apply V; [lia|]].
  - intros p I. apply S3. apply in_flat_map. exists z. split; [eapply List.nth_error_In; eauto | exact I].
  - destruct count as [z0|]; [|exact Logic.I]. destruct Vn as [_ <-]. lia.
Qed.
End Fresh.
