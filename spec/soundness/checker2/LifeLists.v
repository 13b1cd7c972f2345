(** That what the second checker lists of instructions that make objects, or end them, is right
    (spec/calculus.md#step): [Enter], [Leave], [Allocate] and [Free]. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Typed Bounds FoldedMembers Configurations Members.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums PointerLists Moving.
Import ListNotations.
Open Scope Z_scope.

(** What lives of a declaration is in the table by its name. *)
Lemma live_held m d y : tables_right m -> live m d = Some y -> find (objects_held m) (named y) = Some y /\ declaration y = d /\ life_of y = Live.
Proof.
  intros T Lv. unfold live in Lv. destruct (List.find _ _) as [[o z]|] eqn:Fi; [|discriminate]. injection Lv as ->. apply find_some in Fi as [I C]. apply andb_prop in C as [C1 C2]. apply N.eqb_eq in C1.
  apply in_order_in in I as [_ F]. rewrite (objects_by_name m T o y F). split; auto. split; auto. destruct (life_of y); [reflexivity | discriminate].
Qed.
Lemma none_live m d o y : tables_right m -> live m d = None -> find (objects_held m) o = Some y -> declaration y = d -> life_of y = Dead.
Proof.
  intros T Lv F D. unfold live in Lv. destruct (List.find _ _) as [|] eqn:Fi; [discriminate|]. assert (I : In (o, y) (in_order (objects_held m))) by (apply in_order_in; split; [exact (objects_numbered m T o y F) | exact F]).
  pose proof (find_none _ _ Fi _ I) as X. cbn in X. rewrite D, N.eqb_refl in X. destruct (life_of y); [discriminate | reflexivity].
Qed.

(** Of a decision a fresh object takes where it begins, and what its integers are. *)
Lemma create_same P g d count f w w' : Machine.start w = Machine.start w' -> Machine.fills w = Machine.fills w' -> Machine.create P g d count f w = Machine.create P g d count f w'.
Proof.
  intros S F. unfold Machine.create. rewrite S. do 4 f_equal. generalize 0%nat. generalize (Programs.layout_fields (Machine.layout_of_declaration P d)). induction l as [|x l IH]; intros n; cbn [Machine.fresh_cells]; [reflexivity|]. rewrite IH, F. reflexivity.
Qed.

Section Lives.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Lemma local_is d x n : at_position (objects_of (names_in E)) d = Some x -> Certificates.origin_of x = Local n ->
  Programs.origin_of (Machine.declaration_of P (N.to_nat d)) = Programs.Local (Z.of_N n) /\ Tidy.is_local P (N.to_nat d) = true /\ FoldedMembers.is_node P (N.to_nat d) = false /\ FoldedMembers.has_name P (N.to_nat d) = true.
Proof.
  intros Hx Lo. unfold Tidy.is_local, FoldedMembers.is_node, FoldedMembers.has_name. rewrite (same_objects _ _ _ setting_right _ _ Hx). cbn [Translated.object_of Programs.origin_of]. rewrite Lo. auto.
Qed.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Variable l : N.
Variable m : member_state.
Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (s0 : state) (M0 : model).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued M0) phi (member_of l m) rho roots lasts placed g.
Hypothesis tables : tables_right m.
Variable i : instruction.
Hypothesis here : at_position (code E) l = Some i.
Notation list_right := (list_right P under l m rho roots lasts g).
Notation step := (Machine.step P under g).
Variables (s : state) (M : model).
Hypothesis good_here : good s M.
Notation lists x := (meets s M x (fun os _ K => list_right K (shown os))).

Theorem enter_listed d : i = Enter d -> covered E m i = true -> lists (enters E d).
Proof.
  intros Ei Cv. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr, Cv. cbn [covered] in Cv. unfold names_local in Cv.
  unfold enters, object_in. destruct (at_position (objects_of (names_in E)) d) as [x|] eqn:Hx; [|discriminate]. eapply meets_peek; [apply (peeks_some s _ _ (fun y => y = x)); congruence|]. intros ? ->.
  destruct (Certificates.origin_of x) as [|c cs a|n| |ls] eqn:Lo; try apply meets_refuses. destruct (local_is d x n Hx Lo) as (Oo & Ll & Nn & _).
  eapply meets_bind; [apply constant_meets; exact good_here|]. intros t s1 M1 G1 _ [_ Vt]. apply meets_ret; auto. cbn [shown].
  assert (S : forall w, step w = Machine.Ok (made_at P g None d (vl M1 t) Arbitrary w)).
  { intros w. unfold Machine.step. rewrite Hi. cbn [Translated.instruction_of]. unfold Machine.enter. rewrite Oo, Vt. unfold made_at. rewrite Ll. unfold Machine.kill_current. cbn [Machine.current Machine.next_location].
    destruct (List.nth _ (Machine.current g) None); reflexivity. }
  assert (Hap : forall w, happens P l m rho roots lasts g M1 (Creates None d t Arbitrary) (step w)).
  { intros w. split; [exact Dr|]. split; [split; [rewrite Nn; discriminate | exact Ll] | exists w; apply S]. }
  split.
  - intros w. eexists. split; [left; reflexivity|]. split; [intros k [] | apply Hap].
  - intros o [<-|[]] _ _. destruct (Hap still) as (D & May & _). split; [exact D|]. split; [exact May|]. intros w. exists w. apply S.
Qed.

Hypothesis fine : FoldedMembers.fine_state P g.
Theorem leave_listed d : i = Leave d -> covered E m i = true -> lists (leaves m d (N.succ l)).
Proof.
  intros Ei Cv. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr, Cv. cbn [covered] in Cv. unfold names_local in Cv.
  destruct (at_position (objects_of (names_in E)) d) as [x|] eqn:Hx; [|discriminate]. destruct (Certificates.origin_of x) as [|c cs a|n| |ls] eqn:Lo; try discriminate. destruct (local_is d x n Hx Lo) as (_ & Ll & _ & Hn).
  assert (S : forall w, step w = Machine.Ok (Machine.kill_current (Machine.next_location g) (N.to_nat d))) by (intros w; unfold Machine.step; rewrite Hi; reflexivity).
  unfold Machine.kill_current in S. cbn [Machine.current Machine.next_location] in S. unfold leaves. destruct (live m d) as [y|] eqn:Lv.
  - destruct (live_held m d y tables Lv) as (F & Dy & Ly).
    pose proof (FoldedMembers.names_hold _ _ _ _ _ _ _ _ _ _ described (N.to_nat (named y)) (object_of y) (object_held l m tables (named y) y F)) as Na. cbn [object_of FoldedMembers.kind FoldedMembers.life_of] in Na.
    rewrite Dy, Ly in Na. specialize (Na eq_refl Hn). rewrite Na in S. apply meets_ret; auto. cbn [shown].
    eapply one_right; [exact S | | discriminate]. split; [exact Dr|]. split; [congruence | reflexivity].
  - (* What lives there has no name in the member. *)
    apply meets_ret; auto. cbn [shown]. eapply one_right; [exact S | | discriminate]. split; [exact Dr|]. destruct (List.nth (N.to_nat d) (Machine.current g) None) as [p|] eqn:Cu.
    + right. split; [reflexivity|]. exists p. split; [reflexivity|]. assert (Dp : Machine.declared (Machine.object_at g p) = N.to_nat d) by (eapply Tidy.named_declared; [apply (FoldedMembers.fine_tidy _ _ fine) | exact Ll | exact Cu]).
      rewrite Dp. split; [exact Ll|]. intros o y F Er. apply (none_live m d o y tables Lv F).
      pose proof (FoldedMembers.same_kind _ _ _ _ _ _ _ (FoldedMembers.objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ (object_held l m tables o y F))) as Sk. rewrite Er, Dp in Sk. cbn [object_of FoldedMembers.kind] in Sk. lia.
    + left. unfold Machine.next_location. rewrite (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described), N2Nat.inj_succ. reflexivity.
Qed.

(** ** The heap *)

Hypothesis terms_in : forall p, In p (member_terms m) -> part_in s0 p.
Hypothesis sizes : Bounds.sizes_formed P.
Hypothesis kept : keeps s0 M0 s M.
Lemma made_is d x : at_position (objects_of (names_in E)) d = Some x -> is_made (Certificates.origin_of x) = true ->
  FoldedMembers.has_name P (N.to_nat d) = false /\ Tidy.is_local P (N.to_nat d) = false /\ FoldedMembers.is_node P (N.to_nat d) = is_node (Certificates.origin_of x).
Proof.
  intros Hx Mk. unfold Tidy.is_local, FoldedMembers.is_node, FoldedMembers.has_name. rewrite (same_objects _ _ _ setting_right _ _ Hx). cbn [Translated.object_of Programs.origin_of]. destruct (Certificates.origin_of x); discriminate || auto.
Qed.
Lemma at_most_meets s1 M1 t u : good s1 M1 -> (t < linears_in s1)%N -> (u < linears_in s1)%N -> meets s1 M1 (at_most t u) (fun k s' K => literal_in s' k /\ (literal_holds K k <-> vl M1 t <= vl M1 u)).
Proof.
  intros G It Iu. unfold at_most. eapply meets_bind; [apply difference_meets; auto|]. intros d s2 M2 G2 K2 [Id Vd]. apply meets_ret; auto. split; [exact Id|].
  unfold literal_holds. simpl. rewrite Vd. lia.
Qed.
Theorem allocate_listed r d b f : i = Allocate r d b f -> covered E m i = true -> lists (allocates E m r d b f).
Proof.
  intros Ei Cv. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr, Cv. cbn [covered] in Cv. apply andb_prop in Cv as [Cv _].
  destruct (at_position (objects_of (names_in E)) d) as [x|] eqn:Hx; [|discriminate]. destruct (made_is d x Hx Cv) as (Hn & Ll & Nd).
  assert (S : forall w, step w = Machine.allocate P under g (N.to_nat r) (N.to_nat d) (Translated.operand_of b) (Translated.fresh_of f) w) by (intros w; unfold Machine.step; rewrite Hi; reflexivity). unfold Machine.allocate in S.
  unfold allocates. eapply (meets_goes nu tabs); [apply (used_integer_meets P nu tabs l m ss phi s0 M0 rho roots lasts placed g described (registers_numbered m tables) terms_in); [exact good_here | exact kept]| |].
  2: { intros s1 M1 _ U. apply (fails_right P under l m rho roots lasts g M1 (Machine.fails Machine.UninitialisedUse)); [intros w; rewrite S, U; reflexivity | exists Machine.UninitialisedUse; reflexivity]. }
  intros n s1 M1 G1 K1 [In_ U]. rewrite U in S. cbn [Machine.bind] in S.
  eapply meets_bind; [apply constant_meets; exact G1|]. intros most s2 M2 G2 K2 [Im Vm].
  pose proof (keeps_linears _ _ _ _ K2) as [L2 E2]. eapply meets_bind; [apply at_most_meets; [exact G2 | lia | exact Im]|]. intros possible s3 M3 G3 K3 [Ip Vp]. rewrite E2, Vm in Vp by exact In_.
  eapply meets_peek; [apply (layout_peek E P under setting_right s3 d)|]. intros y Hy. cbn beta in Hy. rewrite Hy in S. cbn [Translated.layout_of Programs.element_size] in S.
  eapply meets_bind; [apply quotient_meets; exact G3|]. intros elements s4 M4 G4 K4 [Ie Ve]. unfold object_in. eapply meets_peek; [apply (peeks_some s4 _ _ (fun z => z = x)); congruence|]. intros ? ->.
  eapply meets_peek; [apply (value_peek nu tabs); exact G4|]. intros z Vz. cbn beta in Vz.
  eapply meets_peek; [apply (peeks_demand s4 _ _ (fun _ => negb (is_node (Certificates.origin_of x)) || match z with Some 1 => true | _ => false end = true)); auto|]. intros ? Dm. cbn beta in Dm.
  assert (V3 : vl M3 n = vl M1 n) by (rewrite (proj2 (keeps_linears _ _ _ _ K3)), E2; lia). rewrite V3 in Ve.
  destruct (literal_kept _ _ _ _ possible K4 Ip) as [Ip4 P4]. rewrite Vp in P4.
  unfold goes_on. eapply meets_bind with (P := fun os s' K => exists q, os = Some [exact [possible] (Creates (Some r) d elements f); exact [q] (Sets r NullSlot)] /\ keeps s4 M4 s' K /\ (literal_holds K q <-> ~ literal_holds M4 possible)).
  { unfold either.
    eapply meets_bind; [apply meets_also_kept, negate_meets; [exact G4 | exact Ip4]|]. intros q s5 M5 G5 _ (K5 & _ & Vq). apply meets_ret; auto. exists q. auto. }
  intros ? s5 M5 G5 _ (q & -> & K5 & Vq). apply meets_ret; auto. cbn [shown].
  assert (Pk : literal_holds M5 possible <-> vl M1 n <= Integers.greatest I64).
  { rewrite <- P4. exact (proj2 (literal_kept _ _ _ _ possible K5 Ip4)). }
  assert (Qk : literal_holds M5 q <-> ~ vl M1 n <= Integers.greatest I64) by (rewrite Vq, P4; reflexivity).
  assert (V5 : vl M5 elements = vl M1 n / Z.of_N (element_size y)) by (rewrite (proj2 (keeps_linears _ _ _ _ K5)) by exact Ie; exact Ve).
  assert (One : FoldedMembers.is_node P (N.to_nat d) = true -> vl M5 elements = 1).
  { intros N. rewrite Nd in N. rewrite N in Dm. cbn [negb orb] in Dm. destruct z as [[|[]|]|]; try discriminate. destruct Vz as [_ Vz]. rewrite (proj2 (keeps_linears _ _ _ _ K5)) by exact Ie. exact Vz. }
  assert (Nm : (Machine.is_node P (N.to_nat d) && negb (vl M1 n / Z.of_N (element_size y) =? 1)) = false).
  { change (Machine.is_node P (N.to_nat d)) with (FoldedMembers.is_node P (N.to_nat d)). destruct (FoldedMembers.is_node P (N.to_nat d)) eqn:N; [|reflexivity]. rewrite <- V5, (One eq_refl). reflexivity. }
  assert (Mx : (Machine.most_bytes <? vl M1 n) = negb (vl M1 n <=? Integers.greatest I64)) by (change Machine.most_bytes with (Integers.greatest I64); rewrite Z.leb_antisym, negb_involutive; reflexivity).
  (* What happens, by whether it is possible and whether it succeeds. *)
  set (no_memory w := match Programs.allocating under with Programs.MayFail => Machine.number w =? 0 | Programs.Succeeds => false end) in *.
  assert (Null_ : forall w, (vl M1 n <=? Integers.greatest I64) = false \/ no_memory w = true -> happens P l m rho roots lasts g M5 (Sets r NullSlot) (step w)).
  { intros w Hw. rewrite S, Mx. split; [exact Dr|]. exists Machine.Null. split; [|reflexivity]. fold (no_memory w). destruct Hw as [-> | ->]; [reflexivity|]. destruct (vl M1 n <=? Integers.greatest I64); reflexivity. }
  assert (Made : forall w, vl M1 n <= Integers.greatest I64 -> no_memory w = false -> happens P l m rho roots lasts g M5 (Creates (Some r) d elements f) (step w)).
  { intros w Hw Nw. rewrite S, Mx, (proj2 (Z.leb_le _ _) Hw). cbn [negb]. fold (no_memory w). rewrite Nw, Nm. split; [exact Dr|]. split; [split; [exact One | exact Hn]|]. exists w. unfold made_at. rewrite Ll, V5. reflexivity. }
  pose proof (same_allocating _ _ _ setting_right) as Sa. split.
  - intros w. destruct (Z.leb_spec (vl M1 n) (Integers.greatest I64)) as [Le|Gt].
    + destruct (no_memory w) eqn:Nw.
      * unfold no_memory in Nw. rewrite Sa in Nw. destruct (allocating (parameters_in E)); [discriminate|]. exists (exact [possible] (Sets r NullSlot)). split; [right; right; left; reflexivity|].
        split; [intros k [<-|[]]; apply Pk; exact Le | apply Null_; right; unfold no_memory; rewrite Sa; exact Nw].
      * exists (exact [possible] (Creates (Some r) d elements f)). split; [left; reflexivity|]. split; [intros k [<-|[]]; apply Pk; exact Le | exact (Made w Le Nw)].
    + exists (exact [q] (Sets r NullSlot)). split; [right; left; reflexivity|]. split; [intros k [<-|[]]; apply Qk; lia | apply Null_; left; reflexivity].
  - intros o I _ H. destruct I as [<-|[<-|I]].
    + assert (Le : vl M1 n <= Integers.greatest I64) by (apply Pk, H; left; reflexivity). split; [exact Dr|]. split; [split; [exact One | exact Hn]|]. intros w. exists {| Machine.number := 1; Machine.start := Machine.start w; Machine.fills := Machine.fills w |}.
      rewrite S, Mx, (proj2 (Z.leb_le _ _) Le). cbn [negb Machine.number]. replace (match Programs.allocating under with Programs.Succeeds => false | Programs.MayFail => 1 =? 0 end) with false by (destruct (Programs.allocating under); reflexivity).
      rewrite Nm. unfold made_at. rewrite Ll, V5. rewrite (create_same P g (N.to_nat d) _ (Translated.fresh_of f) {| Machine.number := 1; Machine.start := Machine.start w; Machine.fills := Machine.fills w |} w eq_refl eq_refl). reflexivity.
    + exists still. split; [reflexivity|]. apply Null_. left. apply Z.leb_gt. assert (N : ~ vl M1 n <= Integers.greatest I64) by (apply Qk, H; left; reflexivity). lia.
    + destruct (allocating (parameters_in E)) eqn:Al; [destruct I|]. destruct I as [<-|[]]. exists still. split; [reflexivity|]. apply Null_. right. unfold no_memory. rewrite Sa. reflexivity.
Qed.
Theorem free_listed p : i = Free p -> lists (frees E m p (N.succ l)).
Proof.
  intros Ei. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr.
  assert (S : forall w, step w = Machine.free P g (N.to_nat p)) by (intros w; unfold Machine.step; rewrite Hi; reflexivity). unfold Machine.free in S.
  pose proof (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described) as Lg. simpl in Lg.
  unfold frees. eapply meets_looks; [exact good_here | apply (used_pointer_peek P l m ss phi s0 M0 rho roots lasts placed g described tables terms_in); exact kept | | intros [f U]; apply (fails_right P under l m rho roots lasts g M (Machine.fails f)); [intros w; rewrite S, U; reflexivity | exists f; reflexivity]].
  intros [[[o j] byte]|] [Sh Up]; rewrite Up in S; cbn [Machine.bind option_map pointer_at] in S.
  - destruct (Sh _ eq_refl) as [(x & F & Lv) Ij]. destruct (held_bounds P l m ss phi s0 M0 rho roots lasts placed g described tables terms_in s M o x kept F) as [Dc _ [Il Lo] _].
    unfold object_state_at. eapply meets_peek; [apply (peeks_some s _ _ (fun y => y = x)); congruence|]. intros ? ->.
    unfold object_in. eapply meets_peek; [apply (peeks_some s _ _ (fun y => at_position (objects_of (names_in E)) (declaration x) = Some y)); auto|]. intros y Hy. cbn beta in Hy.
    cbn [Machine.target Machine.index Machine.byte] in S. unfold there in Lo, Dc. rewrite Lo in S.
    assert (Mf : Machine.may_free P (Machine.object_at g (rho (N.to_nat o))) = negb (is_named (Certificates.origin_of y))).
    { unfold Machine.may_free. rewrite Dc, (same_objects _ _ _ setting_right _ _ Hy). cbn [Translated.object_of Programs.origin_of]. destruct (Certificates.origin_of y); reflexivity. }
    rewrite Mf in S. destruct ((byte =? 0)%N && negb (is_named (Certificates.origin_of y))) eqn:Ok_; cbn [negb].
    + apply andb_prop in Ok_ as [B0 Nn]. apply N.eqb_eq in B0. subst byte. rewrite Nn in S. cbn [andb] in S.
      eapply meets_bind; [apply meets_also_kept, equal_meets; [exact good_here | exact Ij | exact Il]|]. intros k s1 M1 G1 _ (K1 & Ik & Vk). unfold either.
      eapply meets_bind; [apply meets_also_kept, negate_meets; [exact G1 | exact Ik]|]. intros q s2 M2 G2 _ (K2 & _ & Vq). apply meets_ret; auto. cbn [shown].
      apply (either_right P under l m rho roots lasts g M2 k q (Kills o) FailsHere (vl M j =? vl M (lower x))); [| | | discriminate | discriminate].
      * rewrite (proj2 (literal_kept _ _ _ _ k K2 Ik)), Vk, Z.eqb_eq. reflexivity.
      * rewrite Vq, (proj2 (literal_kept _ _ _ _ k K2 Ik)). reflexivity.
      * intros w. rewrite S. destruct (vl M j =? vl M (lower x)); [|eexists; reflexivity]. split; [exact Dr|]. split; [congruence | reflexivity].
    + apply meets_ret; auto. apply (fails_right P under l m rho roots lasts g M (Machine.fails Machine.InvalidFree)); [|exists Machine.InvalidFree; reflexivity].
      intros w. rewrite S. apply andb_false_iff in Ok_ as [B0|Nn]; [|rewrite Nn; reflexivity]. assert (Zb : (Z.of_N byte =? 0) = false) by (apply N.eqb_neq in B0; apply Z.eqb_neq; lia). rewrite Zb, andb_false_r. reflexivity.
  - apply meets_ret; auto. cbn [shown]. eapply one_right with (x := Machine.Ok (Machine.next_location g)); [exact S | | discriminate].
    split; [exact Dr|]. left. unfold Machine.go, Machine.next_location. rewrite Lg, N2Nat.inj_succ. reflexivity.
Qed.
End Lives.
