(** What the fields of a node hold when a part is opened (spec/calculus.md#unfold): fresh
    integers and fresh symbols, which are given the values that the tree has. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Sorts Programs Machine Tidy Typed Folding FoldedMembers Members Opening.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed RegisterLists Moving RegisterScopes Folds Drawn NodeOpened OpenShown.
Import ListNotations.
Open Scope Z_scope.

Lemma position_same ks : forall n, option_map N.to_nat (same_position n ks) = option_map (Nat.add (N.to_nat n)) (Sorts.position_of_same (List.map Translated.link_of ks)).
Proof.
  assert (S : forall n x, option_map (Nat.add (N.to_nat (N.succ n))) x = option_map (Nat.add (N.to_nat n)) (option_map Datatypes.S x)) by (intros n [k|]; [|reflexivity]; apply (f_equal Some); lia).
  induction ks as [|k ks IH]; intros n; [reflexivity|]. destruct k; cbn [same_position is_same List.map Translated.link_of Sorts.position_of_same]; cbv iota; try (rewrite IH; apply S). apply (f_equal Some). lia.
Qed.
Lemma symbols_at c x : List.nth_error (symbols_of c) (N.to_nat x) = if (x <? given (symbols c))%N then Some (symbol_of (find (symbols c) x)) else None.
Proof.
  unfold symbols_of. rewrite nth_error_map, numbers_of_at. destruct (Nat.ltb_spec (N.to_nat x) (N.to_nat (given (symbols c)))), (N.ltb_spec x (given (symbols c))); try lia; [cbn; rewrite N2Nat.id; reflexivity | reflexivity].
Qed.

Section Contents.
Variable E : setting.
Variable P : Programs.program.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Hypothesis bounded : is_bounded E = true.
(** The sorts of the setting are those of the theorems. *)
Record sorts_right : Prop := {
  sort_declared : forall n d r ss, WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> Sorts.declaration (trees (N.to_nat n)) = N.to_nat d;
  sort_null : forall n d r ss, WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> Sorts.may_be_null (trees (N.to_nat n)) = is_any r;
  sort_entrance : forall n d r ss, WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> Sorts.entrance (trees (N.to_nat n)) = Z.of_N (entrance r);
  sort_shapes : forall n d r ss, WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> Sorts.shapes (trees (N.to_nat n)) = List.map (List.map Translated.link_of) ss;
  sort_named : forall n, Sorts.named (trees (N.to_nat n)) = match own (names_in E) (sorts_in E) n with Some t => option_map N.to_nat (within_sort t) | None => None end;
  sort_absent : forall n, WellFormed.nodes (names_in E) (sorts_in E) n = None -> Sorts.shapes (trees (N.to_nat n)) = [] }.
Hypothesis sorts_are : sorts_right.
Notation world := (world tabs).
Notation goes_on := (goes_on tabs).
Notation fits := (Sorts.fits trees).

Definition field_content c env (l : link) (f : field) : computes (content * configuration * environment) := match l, field_type f with
  | _, IntegerType T =>
    let$ (t, c, env) := new_value E c env T in
    let$ c := match l with
      | Range a b => let$ (low, high) := within t (a, b) in let$ c := assume c low in assume c high
      | _ => ret c end in
    ret (Held (IntegerSlot t), c, env)
  | Child s, Pointer => let (y, c) := fresh_symbol c (Tree s) in let$ g := same_field_of E s in ret (TreeBelow y g, c, env)
  | Handed s from, Pointer => let (y, c) := fresh_symbol c (Tree s) in ret (HandedBelow y from, c, env)
  | Ring s b, Pointer => let (y, c) := fresh_symbol c (Segment s) in ret (RingBelow y b, c, env)
  | Last_ f, Pointer => ret (LastBelow f, c, env)
  | Anything, Pointer => ret (Held Forgotten, c, env)
  | Up, Pointer => ret (Above_, c, env)
  | Same, Pointer => ret (Same_, c, env)
  | Null, Pointer => ret (Held NullSlot, c, env)
  | _, Pointer => ret (Held Uninitialised, c, env) end.
Definition is_hole_at (hole : option N) (n : N) : bool := match hole with Some h => (h =? n)%N | None => false end.

(** A field of a tree, as the layout and the link have it. *)
Definition field_right (l : link) (f : field) (fl : Sorts.field) : Prop := fits (Translated.link_of l) fl /\ is_integer_link l = negb (is_pointer (field_type f)) /\
  (forall z T, fl = Sorts.Integer z -> field_type f = IntegerType T -> Integers.within T z) /\ (forall e t, fl = Sorts.Below e t -> Folding.typed_tree P t) /\
  (forall e t, fl = Sorts.Ringed e t -> Folding.typed_context P t).
(** What has come to be of a configuration, under values that have been chosen. *)
Record drawn (ok : Prop) (s : state) (c : configuration) (M : model) (phi : FoldedMembers.meaning) (s' : state) (c' : configuration) (mu : Terms.valuation) (M' : model) (phi' : FoldedMembers.meaning) : Prop := {
  drawn_world : world s' c' mu M';
  drawn_goes : goes_on s c M s' c' M';
  drawn_herd : herd c' = herd c /\ entry_member c' = entry_member c /\ progress c' = progress c;
  drawn_symbols : (given (symbols c) <= given (symbols c'))%N /\ forall g, (g < given (symbols c))%N -> find (symbols c') g = find (symbols c) g;
  drawn_meaning : (forall v, (v < N.to_nat (given (symbols c)))%nat -> FoldedMembers.trees phi' v = FoldedMembers.trees phi v) /\
    (forall v, (v < N.to_nat (given (symbols c)))%nat -> FoldedMembers.contexts phi' v = FoldedMembers.contexts phi v);
  drawn_literals : ok -> literals_hold M (known_literals c) -> literals_hold M' (known_literals c');
  drawn_meant : ok -> forall v, (N.to_nat (given (symbols c)) <= v)%nat -> FoldedMembers.well_meant_symbol P trees (symbols_of c') phi' v }.
Definition value_of_field (fl : Sorts.field) : Z := match fl with Sorts.Integer z => z | _ => 0 end.
Definition tree_of_field (fl : Sorts.field) : Sorts.tree := match fl with Sorts.Below _ t => t | _ => Sorts.Empty end.
Definition ring_of_field (fl : Sorts.field) : Sorts.context := match fl with Sorts.Ringed _ t => t | _ => Sorts.Hole end.
Notation content_is c' M' phi' x fl := (Opening.content_is (symbols_of c') (valued M') phi' (content_in x) (Folding.OfField fl)).
Lemma drawn_same (ok : Prop) s c nu M phi : world s c nu M -> drawn ok s c M phi s c nu M phi.
Proof.
  intros W. split; auto using goes_refl; [split; [lia | auto] | ]. intros _ v L. unfold FoldedMembers.well_meant_symbol.
  replace (List.nth_error (symbols_of c) v) with (@None FoldedMembers.symbol_sort); [exact I|]. symmetry. apply nth_error_None. unfold symbols_of, numbers_of. rewrite map_length, numbers_from_length. exact L.
Qed.
Lemma meant_again ss ss' phi phi' v : List.nth_error ss' v = List.nth_error ss v -> FoldedMembers.trees phi' v = FoldedMembers.trees phi v -> FoldedMembers.contexts phi' v = FoldedMembers.contexts phi v ->
  FoldedMembers.well_meant_symbol P trees ss phi v -> FoldedMembers.well_meant_symbol P trees ss' phi' v.
Proof. unfold FoldedMembers.well_meant_symbol. intros -> -> ->. auto. Qed.
Lemma symbols_stay c c' v : (given (symbols c) <= given (symbols c'))%N -> (forall g, (g < given (symbols c))%N -> find (symbols c') g = find (symbols c) g) -> (v < N.to_nat (given (symbols c)))%nat ->
  List.nth_error (symbols_of c') v = List.nth_error (symbols_of c) v.
Proof.
  intros L H Lv. rewrite <- (Nat2N.id v), !symbols_at. destruct (N.ltb_spec (N.of_nat v) (given (symbols c'))), (N.ltb_spec (N.of_nat v) (given (symbols c))); try lia. rewrite H by lia. reflexivity.
Qed.
Lemma drawn_trans (ok ok' both : Prop) s c M phi s1 c1 mu1 M1 phi1 s2 c2 mu2 M2 phi2 : (both -> ok) -> (both -> ok') -> drawn ok s c M phi s1 c1 mu1 M1 phi1 -> drawn ok' s1 c1 M1 phi1 s2 c2 mu2 M2 phi2 -> drawn both s c M phi s2 c2 mu2 M2 phi2.
Proof.
  intros O1 O2 [A1 A2 (A3 & A3' & A3'') [A4 A4'] [A5 A5'] A6 A7] [B1 B2 (B3 & B3' & B3'') [B4 B4'] [B5 B5'] B6 B7]. split.
  - exact B1.
  - eapply goes_trans; eauto.
  - repeat split; congruence.
  - split; [lia|]. intros g L. rewrite B4', A4' by lia. reflexivity.
  - split; intros v L; [rewrite B5, A5 by lia | rewrite B5', A5' by lia]; reflexivity.
  - auto.
  - intros Ok v L. destruct (Nat.lt_ge_cases v (N.to_nat (given (symbols c1)))) as [L1|L1]; [|exact (B7 (O2 Ok) v L1)].
    apply (meant_again (symbols_of c1) (symbols_of c2) phi1 phi2 v); [apply symbols_stay; auto | apply B5; exact L1 | apply B5'; exact L1 | exact (A7 (O1 Ok) v L)].
Qed.
(** What a field holds stays so. *)
Lemma content_later s c M phi s' c' mu M' phi' ok x fl : drawn ok s c M phi s' c' mu M' phi' -> contents_within s (variables c) [x] -> (forall sy, symbol_below x = Some sy -> (sy < given (symbols c))%N) ->
  content_is c M phi x fl -> content_is c' M' phi' x fl.
Proof.
  intros [_ Go _ [Ls Hs] [Ht Hc] _ _] Wx Sx H. destruct x as [v| | |sy g|sy from| |sy e|j]; cbn [content_in] in *; try (inversion H; subst; constructor; fail).
  - destruct v as [| |t| |o i b|f|f]; cbn [slot_of] in *; try (inversion H; subst; constructor; fail). inversion H; subst. constructor. rewrite !valued_term.
    exact (proj2 (goes_terms _ _ _ _ _ _ _ Go (LinearPart t) (Wx (IntegerSlot t) (or_introl eq_refl) _ (or_introl eq_refl)))).
  - specialize (Sx sy eq_refl). inversion H; subst. eapply Opening.tree_is; [apply Ht; lia | rewrite (symbols_stay c c' _ Ls Hs) by lia; eassumption | assumption].
  - specialize (Sx sy eq_refl). inversion H; subst. eapply Opening.tree_is; [apply Ht; lia | rewrite (symbols_stay c c' _ Ls Hs) by lia; eassumption | assumption].
  - specialize (Sx sy eq_refl). inversion H; subst. eapply Opening.ring_is; [apply Hc; lia | rewrite (symbols_stay c c' _ Ls Hs) by lia; eassumption].
Qed.

(** ** One field *)

Lemma child_fits d fl : fits (Sorts.Child d) fl -> exists g t, fl = Sorts.Below g t /\ Sorts.of_sort trees d t /\ (g = Sorts.AsIn (Sorts.same_field trees d) \/ t = Sorts.Empty).
Proof. intros F. inversion F; subst; [eauto|]. match goal with H : Sorts.points _ |- _ => destruct H end. Qed.
Lemma handed_fits d from fl : fits (Sorts.Handed d from) fl -> exists t, fl = Sorts.Below (Sorts.By from) t /\ Sorts.of_sort trees d t.
Proof. intros F. inversion F; subst; [eauto|]. match goal with H : Sorts.points _ |- _ => destruct H end. Qed.
Lemma ring_fits d e fl : fits (Sorts.Ring d e) fl -> exists t, fl = Sorts.Ringed e t /\ Sorts.segment trees d t.
Proof. intros F. inversion F; subst; [|eauto]. match goal with H : Sorts.points _ |- _ => destruct H end. Qed.

Lemma symbol_drawn (ok : Prop) s c nu M phi shape t cx : world s c nu M ->
  (ok -> match shape with Tree d => Sorts.of_sort trees (N.to_nat d) t /\ Folding.typed_tree P t | Segment d => Sorts.segment trees (N.to_nat d) cx /\ Folding.typed_context P cx end) ->
  let y := given (symbols c) in let c' := snd (fresh_symbol c shape) in
  let phi' := {| FoldedMembers.trees := fun v => if Nat.eqb v (N.to_nat y) then t else FoldedMembers.trees phi v; FoldedMembers.contexts := fun v => if Nat.eqb v (N.to_nat y) then cx else FoldedMembers.contexts phi v |} in
  drawn ok s c M phi s c' nu M phi' /\ FoldedMembers.trees phi' (N.to_nat y) = t /\ FoldedMembers.contexts phi' (N.to_nat y) = cx /\
  List.nth_error (symbols_of c') (N.to_nat y) = Some (symbol_of (Some shape)) /\ (y < given (symbols c'))%N.
Proof.
  intros W Ok y c' phi'. assert (Sy : given (symbols c') = N.succ y) by reflexivity.
  assert (At_ : List.nth_error (symbols_of c') (N.to_nat y) = Some (symbol_of (Some shape))).
  { rewrite symbols_at, Sy. destruct (N.ltb_spec y (N.succ y)); [|lia]. unfold c', fresh_symbol, added. cbn [snd with_symbols symbols]. rewrite find_put, N.eqb_refl. reflexivity. }
  assert (Tr : FoldedMembers.trees phi' (N.to_nat y) = t) by (cbn; rewrite Nat.eqb_refl; reflexivity).
  assert (Cx : FoldedMembers.contexts phi' (N.to_nat y) = cx) by (cbn; rewrite Nat.eqb_refl; reflexivity).
  split; [|split; [exact Tr | split; [exact Cx | split; [exact At_ | lia]]]]. split.
  - apply (world_changes tabs s c); [exact W | exact (world_scope _ _ _ _ _ W)].
  - split; [apply later_refl|]. intros p Wp. split; [exact Wp | destruct p; simpl; auto].
  - repeat split.
  - split; [lia|]. intros g L. unfold c', fresh_symbol, added. cbn [snd with_symbols symbols]. rewrite find_put. destruct (N.eqb_spec g (given (symbols c))); [lia | reflexivity].
  - split; intros v L; cbn; (destruct (Nat.eqb_spec v (N.to_nat y)); [unfold y in *; lia | reflexivity]).
  - auto.
  - intros O v L. unfold FoldedMembers.well_meant_symbol. destruct (Nat.eq_dec v (N.to_nat y)) as [->|Nv].
    + rewrite At_, Tr, Cx. specialize (Ok O). destruct shape; exact Ok.
    + replace (List.nth_error (symbols_of c') v) with (@None FoldedMembers.symbol_sort); [exact I|]. symmetry. apply nth_error_None. unfold symbols_of, numbers_of. rewrite map_length, numbers_from_length, Sy. unfold y in *. lia.
Qed.
Lemma same_here d g s s' : same_field_of E d s = Gives g s' -> s' = s /\ option_map N.to_nat g = Sorts.same_field trees (N.to_nat d).
Proof.
  unfold same_field_of, nodes_of, bind, some. destruct (WellFormed.nodes (names_in E) (sorts_in E) d) as [[[o r] ss]|] eqn:Nd; [|discriminate]. intros [= <- <-]. split; [reflexivity|].
  unfold Sorts.same_field. rewrite (sort_shapes sorts_are d o r ss Nd). destruct ss as [|ks ss]; [reflexivity|]. cbn [List.map same_of]. rewrite position_same. cbn [N.to_nat]. destruct (Sorts.position_of_same _); reflexivity.
Qed.
Lemma assumed_drawn (ok : Prop) s c nu M phi l c' s' : world s c nu M -> part_within s (variables c) (LinearPart (term_of l)) -> assume c l s = Gives c' s' -> (ok -> literal_holds M l) -> s' = s /\ drawn ok s c M phi s c' nu M phi.
Proof.
  intros Wo Wl H Ok. destruct (assume_peek tabs nu s M c l (world_good _ _ _ _ _ Wo) _ _ H) as [-> Or]. split; auto. pose proof (drawn_same ok s c nu M phi Wo) as Dr. destruct Or as [[-> _]| ->]; [exact Dr|].
  assert (Wo' : world s (with_literals c (known_literals c ++ [l])) nu M) by (eapply world_changes; [exact Wo|]; apply more_literals_scope; [exact (world_scope _ _ _ _ _ Wo) | intros k [<-|[]]; exact Wl]).
  destruct Dr as [_ _ A3 A4 A5 _ A7]. split; auto.
  - split; [apply later_refl|]. intros p W. split; [exact W | destruct p; simpl; auto].
  - intros O L k I. apply in_app_or in I as [I|[<-|[]]]; auto.
Qed.
Lemma integer_field_drawn (ok : Prop) s c nu M phi T z t c' env' s' : world s c nu M -> (ok -> Integers.within T z) -> new_value E c AnyValue T s = Gives (t, c', env') s' ->
  exists mu M', drawn ok s c M phi s' c' mu M' phi /\ env' = AnyValue /\ (ok -> vl M' t = z) /\ part_within s' (variables c') (LinearPart t).
Proof.
  intros W Ok H. unfold new_value, sort_of_type in H. rewrite bounded in H. unfold bind at 1 in H. destruct (fresh c (Some T) s) as [[t1 c1] s1|] eqn:Fr; [|discriminate]. unfold ret in H. injection H as <- <- <- <-.
  destruct (integer_drawn tabs s c nu M T (wrap T z) t1 c1 s1 W (wrap_within _ _) Fr) as (mu & M' & x & Ec & Wo & Go & V & Wt). exists mu, M'. split; [|split; [reflexivity|]; split; [intros O; rewrite V; apply wrap_same, Ok, O | exact Wt]].
  subst c1. destruct (drawn_same ok s c nu M phi W) as [_ _ _ _ _ _ A7]. split; auto.
  - split; [cbn; lia | reflexivity].
  - intros _ L k I. cbn [with_one_more with_variables known_literals] in I. pose proof (in_scope_parts s c (world_scope _ _ _ _ _ W)) as [Kn _]. pose proof (proj2 (goes_terms _ _ _ _ _ _ _ Go _ (Kn k I))) as Vk. simpl in Vk. unfold literal_holds in *. rewrite Vk. apply L. exact I.
Qed.
Theorem field_drawn l f fl s c nu M phi x c' env' s' : world s c nu M -> field_content c AnyValue l f s = Gives (x, c', env') s' ->
  exists mu M' phi', drawn (field_right l f fl) s c M phi s' c' mu M' phi' /\ env' = AnyValue /\ contents_within s' (variables c') [x] /\ (forall sy, symbol_below x = Some sy -> (sy < given (symbols c'))%N) /\
    (field_right l f fl -> content_is c' M' phi' x fl).
Proof.
  intros W H. set (ok := field_right l f fl).
  assert (Plain : forall v, slot_terms v = [] -> (x, c', env', s') = (Held v, c, AnyValue, s) -> (ok -> content_is c M phi (Held v) fl) -> exists mu M' phi', drawn ok s c M phi s' c' mu M' phi' /\ env' = AnyValue /\ contents_within s' (variables c') [x] /\
    (forall sy, symbol_below x = Some sy -> (sy < given (symbols c'))%N) /\ (ok -> content_is c' M' phi' x fl)).
  { intros v Tv [= -> -> -> ->] Ci. exists nu, M, phi. split; [apply drawn_same; exact W|]. split; [reflexivity|]. split; [intros w [[= <-]|[]] p I; rewrite Tv in I; destruct I|]. split; [discriminate | exact Ci]. }
  assert (Around : forall y, symbol_below y = None -> (forall v, y <> Held v) -> (x, c', env', s') = (y, c, AnyValue, s) -> (ok -> content_is c M phi y fl) -> exists mu M' phi', drawn ok s c M phi s' c' mu M' phi' /\ env' = AnyValue /\ contents_within s' (variables c') [x] /\
    (forall sy, symbol_below x = Some sy -> (sy < given (symbols c'))%N) /\ (ok -> content_is c' M' phi' x fl)).
  { intros y Sy Ny [= -> -> -> ->] Ci. exists nu, M, phi. split; [apply drawn_same; exact W|]. split; [reflexivity|]. split; [intros w [Eq|[]]; destruct (Ny w Eq)|]. split; [congruence | exact Ci]. }
  assert (Int : forall T, field_type f = IntegerType T -> field_content c AnyValue l f s = (let$ (t, c, env) := new_value E c AnyValue T in
      let$ c := match l with Range a b => let$ (low, high) := within t (a, b) in let$ c := assume c low in assume c high | _ => ret c end in ret (Held (IntegerSlot t), c, env)) s) by (intros T Tf; unfold field_content; rewrite Tf; destruct l; reflexivity).
  destruct (field_type f) as [T|] eqn:Tf.
  - rewrite (Int T eq_refl) in H. clear Int. unfold bind at 1 in H. destruct (new_value E c AnyValue T s) as [[[t c1] env1] s1|] eqn:Nv; [|discriminate].
    assert (Vz : ok -> exists z, fl = Sorts.Integer z /\ Integers.within T z /\ match l with Range a b => a <= z <= b | _ => True end).
    { intros (Fi & Il & Wz & _). rewrite Tf in Il. cbn in Il. destruct l; try discriminate; inversion Fi; subst; try (match goal with H : Sorts.points _ |- _ => destruct H end); (eexists; split; [reflexivity|]; split; [exact (Wz _ T eq_refl Tf) | auto]). }
    destruct (integer_field_drawn ok s c nu M phi T (value_of_field fl) t c1 env1 s1 W) as (mu & M1 & D1 & -> & V1 & Wt); [intros O; destruct (Vz O) as (z & -> & Wz & _); exact Wz | exact Nv|].
    assert (Ci : forall c2 M2, (ok -> vl M2 t = vl M1 t) -> ok -> content_is c2 M2 phi (Held (IntegerSlot t)) fl).
    { intros c2 M2 Same O. destruct (Vz O) as (z & Ez & _). rewrite Ez. constructor. rewrite valued_term, (Same O), (V1 O), Ez. reflexivity. }
    assert (Only : (let$ c := ret c1 in ret (Held (IntegerSlot t), c, AnyValue)) s1 = Gives (x, c', env') s' -> exists mu M' phi', drawn ok s c M phi s' c' mu M' phi' /\ env' = AnyValue /\ contents_within s' (variables c') [x] /\
      (forall sy, symbol_below x = Some sy -> (sy < given (symbols c'))%N) /\ (ok -> content_is c' M' phi' x fl)).
    { intros [= <- <- <- <-]. exists mu, M1, phi. split; [exact D1|]. split; [reflexivity|]. split; [intros v [[= <-]|[]] p [<-|[]]; exact Wt|]. split; [discriminate | apply Ci; auto]. }
    destruct l as [|sd| | | | |a b| |sd from|sd e|g]; try exact (Only H). clear Only. unfold bind at 1 in H. unfold bind at 1 in H. destruct (within t (a, b) s1) as [[low high] s2|] eqn:Wi; [|discriminate].
    destruct (computed tabs s1 c1 mu M1 (within t (a, b)) (fun _ M p s' M' => ((literal_holds M' (fst p) <-> a <= vl M t) /\ (literal_holds M' (snd p) <-> vl M t <= b)) /\
      part_within s' (variables c1) (LinearPart (term_of (fst p))) /\ part_within s' (variables c1) (LinearPart (term_of (snd p)))) (low, high) s2 (drawn_world _ _ _ _ _ _ _ _ _ _ D1)) as (M2 & W2 & G2 & K2 & [[Hl Hh] [Wl Wh]]); [|exact Wi|].
    { intros mu0 K Wm Gk. eapply meets_also; [eapply meets_weaker; [apply within_meets; [exact Gk | exact (within_in mu0 tabs _ s1 K _ Gk Wt)]|]; intros p0 ? ? _ _ (_ & _ & A & B); auto | apply (between_within mu0 tabs (variables c1)); [exact Gk | exact Wt]]. }
    cbn [fst snd] in *. unfold bind at 1 in H. destruct (assume c1 low s2) as [c3 s3|] eqn:A1; [|discriminate].
    assert (Lo : ok -> a <= vl M1 t <= b) by (intros O; destruct (Vz O) as (z & Ez & _ & R); rewrite (V1 O), Ez; exact R).
    destruct (assumed_drawn ok s2 c1 mu M2 phi low c3 s3 W2 Wl A1) as [-> D3]; [intros O; apply Hl; apply (Lo O)|].
    unfold bind in H. destruct (assume c3 high s2) as [c4 s4|] eqn:A2; [|discriminate]. pose proof (goes_terms _ _ _ _ _ _ _ (drawn_goes _ _ _ _ _ _ _ _ _ _ D3)) as T3.
    destruct (assumed_drawn ok s2 c3 mu M2 phi high c4 s4 (drawn_world _ _ _ _ _ _ _ _ _ _ D3) (proj1 (T3 _ Wh)) A2) as [-> D4]; [intros O; apply Hh; apply (Lo O)|]. injection H as <- <- <- <-.
    assert (D2 : drawn ok s1 c1 M1 phi s2 c1 mu M2 phi).
    { destruct (drawn_same ok s1 c1 mu M1 phi (drawn_world _ _ _ _ _ _ _ _ _ _ D1)) as [_ _ B3 B4 B5 _ B7]. split; auto. intros _ L k I. pose proof (in_scope_parts s1 c1 (world_scope _ _ _ _ _ (drawn_world _ _ _ _ _ _ _ _ _ _ D1))) as [Kn _].
      pose proof (proj2 (goes_terms _ _ _ _ _ _ _ G2 _ (Kn k I))) as Vk. simpl in Vk. unfold literal_holds in *. rewrite Vk. apply L. exact I. }
    pose proof (drawn_trans ok ok ok _ _ _ _ _ _ _ _ _ _ _ _ _ _ (fun o => o) (fun o => o) D1 (drawn_trans ok ok ok _ _ _ _ _ _ _ _ _ _ _ _ _ _ (fun o => o) (fun o => o) D2 (drawn_trans ok ok ok _ _ _ _ _ _ _ _ _ _ _ _ _ _ (fun o => o) (fun o => o) D3 D4))) as D.
    assert (Wt4 : part_within s2 (variables c4) (LinearPart t)) by (apply (goes_terms _ _ _ _ _ _ _ (drawn_goes _ _ _ _ _ _ _ _ _ _ D4)), T3, (goes_terms _ _ _ _ _ _ _ G2); exact Wt).
    exists mu, M2, phi. split; [exact D|]. split; [reflexivity|]. split; [intros v [[= <-]|[]] p [<-|[]]; exact Wt4|]. split; [discriminate|].
    apply Ci. intros _. exact (proj2 (goes_terms _ _ _ _ _ _ _ G2 _ Wt)).
  - clear Int. unfold field_content in H. rewrite Tf in H.
    assert (Link : ok -> fits (Translated.link_of l) fl /\ is_integer_link l = false) by (intros (Fi & Il & _); rewrite Tf in Il; split; [exact Fi | exact Il]).
    destruct l as [|d| | | | |a b| |d from|d e|g]; unfold ret in H.
    + apply (Plain Uninitialised); [reflexivity | congruence | intros O; destruct (Link O) as [_ Bad]; discriminate].
    + unfold fresh_symbol, added in H. unfold bind in H. destruct (same_field_of E d s) as [g s1|] eqn:Sf; [|discriminate]. apply same_here in Sf as [-> Sf]. injection H as <- <- <- <-.
      destruct (symbol_drawn ok s c nu M phi (Tree d) (tree_of_field fl) Sorts.Hole W) as (D & Tt & _ & At_ & Ly); [intros O; destruct (Link O) as [Fi _]; destruct O as (_ & _ & _ & Ty & _); apply child_fits in Fi as (g0 & t0 & -> & Of & _); split; [exact Of | eapply Ty; reflexivity]|].
      eexists nu, M, _. split; [exact D|]. split; [reflexivity|]. split; [intros v [|[]]; discriminate|]. split; [intros sy [= <-]; exact Ly|]. intros O. destruct (Link O) as [Fi _]. cbn [content_in]. rewrite Sf.
      apply child_fits in Fi as (g0 & t0 & Ef & _ & Gi). rewrite Ef in Tt |- *. eapply Opening.tree_is; [exact Tt | exact At_ | exact Gi].
    + apply (Around Above_); [reflexivity | discriminate | congruence|]. intros O. destruct (Link O) as [Fi _]. inversion Fi; subst. constructor.
    + apply (Plain Uninitialised); [reflexivity | congruence|]. intros O. destruct (Link O) as [Fi _]. inversion Fi; subst. constructor.
    + apply (Plain NullSlot); [reflexivity | congruence|]. intros O. destruct (Link O) as [Fi _]. inversion Fi; subst. constructor.
    + apply (Around Same_); [reflexivity | discriminate | congruence|]. intros O. destruct (Link O) as [Fi _]. inversion Fi; subst. constructor.
    + apply (Plain Uninitialised); [reflexivity | congruence | intros O; destruct (Link O) as [_ Bad]; discriminate].
    + apply (Plain Forgotten); [reflexivity | congruence|]. intros O. destruct (Link O) as [Fi _]. inversion Fi; subst. constructor.
    + unfold fresh_symbol, added in H. injection H as <- <- <- <-.
      destruct (symbol_drawn ok s c nu M phi (Tree d) (tree_of_field fl) Sorts.Hole W) as (D & Tt & _ & At_ & Ly); [intros O; destruct (Link O) as [Fi _]; destruct O as (_ & _ & _ & Ty & _); apply handed_fits in Fi as (t0 & -> & Of); split; [exact Of | eapply Ty; reflexivity]|].
      eexists nu, M, _. split; [exact D|]. split; [reflexivity|]. split; [intros v [|[]]; discriminate|]. split; [intros sy [= <-]; exact Ly|]. intros O. destruct (Link O) as [Fi _]. cbn [content_in].
      apply handed_fits in Fi as (t0 & Ef & _). rewrite Ef in Tt |- *. eapply Opening.tree_is; [exact Tt | exact At_ | auto].
    + unfold fresh_symbol, added in H. injection H as <- <- <- <-.
      destruct (symbol_drawn ok s c nu M phi (Segment d) Sorts.Empty (ring_of_field fl) W) as (D & _ & Tt & At_ & Ly); [intros O; destruct (Link O) as [Fi _]; destruct O as (_ & _ & _ & _ & Ty); apply ring_fits in Fi as (t0 & -> & Of); split; [exact Of | eapply Ty; reflexivity]|].
      eexists nu, M, _. split; [exact D|]. split; [reflexivity|]. split; [intros v [|[]]; discriminate|]. split; [intros sy [= <-]; exact Ly|]. intros O. destruct (Link O) as [Fi _]. cbn [content_in].
      apply ring_fits in Fi as (t0 & Ef & _). rewrite Ef in Tt |- *. eapply Opening.ring_is; [exact Tt | exact At_].
    + apply (Around (LastBelow g)); [reflexivity | discriminate | congruence|]. intros O. destruct (Link O) as [Fi _]. inversion Fi; subst. constructor.
Qed.

(** ** All fields *)

(** Below a field that leads to a child there is a tree of its sort. *)
Lemma child_drawn c s0 f x y c' env' s s' : field_content c AnyValue (Child s0) f s = Gives (x, c', env') s' -> symbol_below x = Some y ->
  exists g, x = TreeBelow y g /\ option_map N.to_nat g = Sorts.same_field trees (N.to_nat s0) /\ List.nth_error (symbols_of c') (N.to_nat y) = Some (FoldedMembers.TreeOf (N.to_nat s0)).
Proof.
  unfold field_content. destruct (field_type f) as [T|].
  - unfold bind, ret. destruct (new_value E c AnyValue T s) as [[[t c1] env1] s1|]; [|discriminate]. intros [= <- _ _ _]. discriminate.
  - unfold fresh_symbol, added, bind, ret. destruct (same_field_of E s0 s) as [g s1|] eqn:Sf; [|discriminate]. apply same_here in Sf as [-> Sf]. intros [= <- <- _ _] [= <-]. exists g. split; [reflexivity|]. split; [exact Sf|].
    rewrite symbols_at. cbn [with_symbols symbols put one_more_number given]. destruct (N.ltb_spec (given (symbols c)) (N.succ (given (symbols c)))); [|lia]. rewrite find_put, N.eqb_refl. reflexivity.
Qed.
Fixpoint fields_right_ (hole : option N) (n : N) (xs : list (link * field)) (fls : list Sorts.field) : Prop := match xs, fls with
  | (l, f) :: xs, fl :: fls => (is_hole_at hole n = false -> field_right l f fl) /\ fields_right_ hole (N.succ n) xs fls
  | [], [] => True | _, _ => False end.
Fixpoint contents_fit_at (hole : option N) (n : N) (c : configuration) (M : model) (phi : FoldedMembers.meaning) (xs : list content) (fls : list Sorts.field) : Prop := match xs, fls with
  | x :: xs, fl :: fls => (if is_hole_at hole n then x = Hole else content_is c M phi x fl) /\ contents_fit_at hole (N.succ n) c M phi xs fls
  | [], [] => True | _, _ => False end.
Theorem contents_drawn hole xs0 : forall n fls s c nu M phi xs c' env' s', world s c nu M -> length fls = length xs0 -> contents_of E c AnyValue hole n xs0 s = Gives (xs, c', env') s' ->
  exists mu M' phi', drawn (fields_right_ hole n xs0 fls) s c M phi s' c' mu M' phi' /\ contents_within s' (variables c') xs /\ (forall sy x, In x xs -> symbol_below x = Some sy -> (sy < given (symbols c'))%N) /\
    (fields_right_ hole n xs0 fls -> contents_fit_at hole n c' M' phi' xs fls) /\
    forall k s0 f x y, List.nth_error xs0 k = Some (Child s0, f) -> List.nth_error xs k = Some x -> symbol_below x = Some y ->
      exists g, x = TreeBelow y g /\ option_map N.to_nat g = Sorts.same_field trees (N.to_nat s0) /\ List.nth_error (symbols_of c') (N.to_nat y) = Some (FoldedMembers.TreeOf (N.to_nat s0)).
Proof.
  induction xs0 as [|[l f] xs0 IH]; intros n [|fl fls] s c nu M phi xs c' env' s' W Le H; try discriminate.
  - cbn [contents_of] in H. unfold ret in H. injection H as <- <- <- <-. exists nu, M, phi. split; [apply drawn_same; exact W|]. split; [intros v []|]. split; [intros sy x []|]. split; [intros _; exact I | intros [|k]; discriminate].
  - injection Le as Le. change (contents_of E c AnyValue hole n ((l, f) :: xs0)) with (let$ (x, c, env) := if is_hole_at hole n then ret (Hole, c, AnyValue) else field_content c AnyValue l f in let$ (ys, c, env) := contents_of E c env hole (N.succ n) xs0 in ret (x :: ys, c, env)) in H.
    unfold bind at 1 in H. destruct ((if is_hole_at hole n then ret (Hole, c, AnyValue) else field_content c AnyValue l f) s) as [[[x c1] env1] s1|] eqn:Fc; [|discriminate].
    assert (First : exists mu M1 phi1, drawn (is_hole_at hole n = false -> field_right l f fl) s c M phi s1 c1 mu M1 phi1 /\ env1 = AnyValue /\ contents_within s1 (variables c1) [x] /\ (forall sy, symbol_below x = Some sy -> (sy < given (symbols c1))%N) /\
      ((is_hole_at hole n = false -> field_right l f fl) -> if is_hole_at hole n then x = Hole else content_is c1 M1 phi1 x fl)).
    { destruct (is_hole_at hole n).
      - unfold ret in Fc. injection Fc as <- <- <- <-. exists nu, M, phi. split; [apply drawn_same; exact W|]. split; [reflexivity|]. split; [intros v [[=]|[]]|]. split; [discriminate | reflexivity].
      - destruct (field_drawn l f fl s c nu M phi x c1 env1 s1 W Fc) as (mu & M1 & phi1 & D & -> & Wx & Sx & Ci). exists mu, M1, phi1. split; [|split; [reflexivity|]; split; [exact Wx|]; split; [exact Sx|]; intros H1; apply Ci, H1; reflexivity].
        destruct D as [D1 D2 D3 D4 D5 D6 D7]. split; auto. }
    destruct First as (mu & M1 & phi1 & D1 & -> & Wx & Sx & Ci). unfold bind in H. destruct (contents_of E c1 AnyValue hole (N.succ n) xs0 s1) as [[[ys c2] env2] s2|] eqn:Rest; [|discriminate]. unfold ret in H. injection H as <- <- <- <-.
    destruct (IH (N.succ n) fls s1 c1 mu M1 phi1 ys c2 env2 s2 (drawn_world _ _ _ _ _ _ _ _ _ _ D1) Le Rest) as (mu2 & M2 & phi2 & D2 & Wy & Sy & Cy & Chy). exists mu2, M2, phi2.
    split; [eapply drawn_trans; [| |exact D1|exact D2]; [intros [A _]; exact A | intros [_ B]; exact B]|]. destruct (drawn_symbols _ _ _ _ _ _ _ _ _ _ D2) as [Ls Hs]. split; [|split; [|split]].
    + intros v [->|I]; [|exact (Wy v I)]. intros p J. apply (goes_terms _ _ _ _ _ _ _ (drawn_goes _ _ _ _ _ _ _ _ _ _ D2)). exact (Wx v (or_introl eq_refl) p J).
    + intros sy z [<-|I] Sz; [specialize (Sx sy Sz); lia | exact (Sy sy z I Sz)].
    + intros [A B]. cbn [contents_fit_at]. split; [|exact (Cy B)]. specialize (Ci A). destruct (is_hole_at hole n); [exact Ci|]. eapply content_later; [exact D2 | exact Wx | exact Sx | exact Ci].
    + intros [|k] s0 f0 z y Ek Nk Sz; cbn [List.nth_error] in Ek, Nk; [|exact (Chy k s0 f0 z y Ek Nk Sz)]. injection Ek as -> ->. injection Nk as ->. destruct (is_hole_at hole n); [unfold ret in Fc; injection Fc as <- _ _; discriminate|].
      specialize (Sx y Sz). rewrite (symbols_stay c1 c2 (N.to_nat y) Ls Hs) by lia. exact (child_drawn _ _ _ _ _ _ _ _ _ Fc Sz).
Qed.
End Contents.

(** ** The sorts of a setting *)

(** What is no sort is of no declaration. *)
Definition trees_of (E : setting) (n : nat) : Sorts.sort_of_trees := match WellFormed.nodes (names_in E) (sorts_in E) (N.of_nat n) with
  | Some (d, r, ss) => {| Sorts.declaration := N.to_nat d; Sorts.entrance := Z.of_N (entrance r); Sorts.may_be_null := is_any r; Sorts.shapes := List.map (List.map Translated.link_of) ss;
      Sorts.named := match own (names_in E) (sorts_in E) (N.of_nat n) with Some t => option_map N.to_nat (within_sort t) | None => None end |}
  | None => {| Sorts.declaration := length (objects (program_in E)); Sorts.entrance := 0; Sorts.may_be_null := true; Sorts.shapes := []; Sorts.named := None |} end.
Lemma trees_right E : sorts_right E (trees_of E).
Proof.
  split; [intros n d r ss Nd .. | intros n | intros n Nd]; unfold trees_of; rewrite N2Nat.id; try (rewrite Nd; reflexivity).
  unfold WellFormed.nodes. destruct (own _ _ n) as [t|]; [reflexivity|]. destruct (at_position _ n) as [[nm ly [|ks| | |]]|]; reflexivity.
Qed.
(** Sorts are of nodes, as well-formedness asks, and not of local variables. *)
Definition are_of_no_local (Q : program) (ts : list sort) : bool :=
  forallb (fun t => match List.nth_error (objects Q) (N.to_nat (Certificates.object_of t)) with Some x => negb (is_local (Certificates.origin_of x)) | None => true end) ts.
Lemma trees_not_local Q us k ts : are_of_no_local Q ts = true -> forall s, Tidy.is_local (Translated.program_of Q) (Sorts.declaration (trees_of (setting_of Q us k ts) s)) = false.
Proof.
  intros H s. assert (No : forall d, match List.nth_error (objects Q) d with Some x => is_local (Certificates.origin_of x) = false | None => True end -> Tidy.is_local (Translated.program_of Q) d = false).
  { intros d Hd. unfold Tidy.is_local, Machine.declaration_of. cbn [Translated.program_of Programs.objects]. destruct (List.nth_error (objects Q) d) as [x|] eqn:N.
    - rewrite (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ N)). cbn [Translated.object_of Programs.origin_of]. destruct (Certificates.origin_of x); discriminate || reflexivity.
    - rewrite nth_overflow by (rewrite map_length; apply nth_error_None; exact N). reflexivity. }
  apply No. unfold trees_of, WellFormed.nodes. cbn [setting_of names_in sorts_in program_in names_of objects_of]. destruct (own _ _ _) as [t|] eqn:Ow; cbn [Sorts.declaration].
  - unfold own in Ow. destruct (_ <=? _)%N; [|discriminate]. rewrite at_position_is in Ow. unfold are_of_no_local in H. rewrite forallb_forall in H. specialize (H t (List.nth_error_In _ _ Ow)).
    destruct (List.nth_error (objects Q) _) as [x|]; [apply negb_true_iff; exact H | exact I].
  - rewrite at_position_is. destruct (List.nth_error (objects Q) (N.to_nat (N.of_nat s))) as [[nm ly [|ks| | |]]|] eqn:Ns; cbn [Sorts.declaration]; try (destruct (List.nth_error (objects Q) (length (objects Q))) eqn:Nl; [|exact I]; assert (length (objects Q) < length (objects Q))%nat by (apply nth_error_Some; congruence); lia).
    rewrite Ns. reflexivity.
Qed.
