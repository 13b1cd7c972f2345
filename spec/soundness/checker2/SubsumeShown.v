(** That Subsume shows what it has to show, as the second checker computes it
    (spec/calculus.md#subsume), where the template has no folded parts and the program checks
    no leaks: by substitution, object by object. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Owed FoldedMembers Configurations.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed PointerLists Moving Templates Followed Leading Staying Substituted Covered ImagesShown.
From Goatherd.checker2 Require Covering.
Import ListNotations.
Open Scope Z_scope.

(** Objects of one declaration have as many fields. *)
Definition alike_wide (m t : member_state) : Prop := forall o x p y, find (objects_held m) o = Some x -> find (objects_held t) p = Some y -> declaration x = declaration y -> length (field_states x) = length (field_states y).
(** ... since each has those of its layout, or there are none. *)
Definition fields_of_declaration (E : setting) (d : N) : option nat := match at_position (objects_of (names_in E)) d with
  | Some x => option_map (fun l => length (fields l)) (at_position (layouts_of (names_in E)) (layout_of x)) | None => None end.
Definition is_wide (E : setting) (m : member_state) : bool := forallb (fun '(_, x) => match fields_of_declaration E (declaration x) with Some n => Nat.eqb (length (field_states x)) n | None => false end) (in_order (objects_held m)).
Definition is_objectless (d : configuration) : bool := forallb (fun t => is_empty (in_order (objects_held t))) (herd d).
Definition are_wide (E : setting) (c d : configuration) : bool := is_objectless d || (forallb (is_wide E) (herd c) && forallb (is_wide E) (herd d)).
Lemma wide_alike E c d : are_wide E c d = true -> (forall m, In m (herd c) -> tables_right m) -> (forall t, In t (herd d) -> tables_right t) -> forall m t, In m (herd c) -> In t (herd d) -> alike_wide m t.
Proof.
  intros W Tc Td m t Im It o x p y Fx Fy Ed. pose proof (objects_numbered m (Tc m Im) o x Fx) as Lx. pose proof (objects_numbered t (Td t It) p y Fy) as Ly.
  assert (Ix : In (o, x) (in_order (objects_held m))) by (apply in_order_in; auto). assert (Iy : In (p, y) (in_order (objects_held t))) by (apply in_order_in; auto).
  apply orb_prop in W as [W|W].
  - unfold is_objectless in W. rewrite forallb_forall in W. specialize (W t It). destruct (in_order (objects_held t)); [destruct Iy | discriminate].
  - apply andb_prop in W as [Wm Wt]. rewrite forallb_forall in Wm, Wt. specialize (Wm m Im). specialize (Wt t It). unfold is_wide in Wm, Wt. rewrite forallb_forall in Wm, Wt. specialize (Wm _ Ix). specialize (Wt _ Iy). cbn beta iota in Wm, Wt.
    rewrite Ed in Wm. destruct (fields_of_declaration E (declaration y)) as [n|]; [|discriminate]. apply Nat.eqb_eq in Wm, Wt. congruence.
Qed.

Section SubsumeShown.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows_under := (shows_under P under trees tabs).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation sane := (sane tabs).
Notation modelled := (modelled tabs).
Notation later := (later tabs).
Hypothesis no_leaks : ~ Owed.checks_leaks P.

(** ** What is covered accounts for the same *)

Section Accounts.
Variables (s : state) (M K : model) (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (m t : member_state).
Hypothesis covered : member_covered True (m, t) s M K.
Hypothesis whole_one : whole_member E m.
Hypothesis whole_other : whole_member E t.
Hypothesis tables_one : tables_right m.
Hypothesis tables_other : tables_right t.
Hypothesis plain : plain_member t = true.
Hypothesis as_wide : alike_wide m t.
Lemma no_parts l f : FoldedMembers.part_named (member_of l t) f = None.
Proof.
  pose proof plain as Pp. apply N.eqb_eq in Pp. unfold FoldedMembers.part_named. simpl. unfold entries_of, numbers_of. rewrite Pp. destruct f; reflexivity.
Qed.
Lemma object_there l x o y : tables_right x -> find (objects_held x) o = Some y -> FoldedMembers.object_named (member_of l x) (N.to_nat o) = Some (object_of y).
Proof. intros [_ Ro _] F. rewrite object_named_is, N2Nat.id, F. pose proof (Ro o y F). destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held x)))); [reflexivity | lia]. Qed.
Lemma object_here l x o z : FoldedMembers.object_named (member_of l x) o = Some z -> exists y, z = object_of y /\ find (objects_held x) (N.of_nat o) = Some y.
Proof. rewrite object_named_is. destruct (Nat.ltb _ _); [|discriminate]. destruct (find (objects_held x) (N.of_nat o)) as [y|]; [|discriminate]. intros [= <-]. eauto. Qed.
Section Image.
Variable mm : PositiveMap.t N.
Hypothesis by_image : covered_by True mm (m, t) s M K.
(** An object of the template is the state's that its image is. *)
Definition through (rho : nat -> nat) (o : nat) : nat := match PositiveMap.find (N.succ_pos (N.of_nat o)) mm with Some p => rho (N.to_nat p) | None => O end.
Lemma through_image rho o' o : image_is mm o' o -> through rho (N.to_nat o') = rho (N.to_nat o).
Proof. unfold image_is, through. rewrite N2Nat.id. intros ->. reflexivity. Qed.
Lemma slot_weaker l rho ro la w v x : slot_covered True mm (w, v) s M K -> FoldedMembers.means (valued M) (member_of l m) rho ro la (slot_of w) x ->
  FoldedMembers.means (valued K) (member_of l t) (through rho) ro la (slot_of v) x.
Proof.
  unfold slot_covered. destruct v as [| |u| |o' i' b|f|f]; cbn [fst snd]; try contradiction; intros C H.
  - exact Logic.I.
  - rewrite C in H. exact H.
  - destruct C as (_ & a & -> & _ & V). simpl in *. rewrite N2Nat.id in *. rewrite <- (V Logic.I). exact H.
  - rewrite C in H. exact H.
  - destruct C as (_ & o & a & -> & Im & _ & V). destruct (covered_names _ _ _ _ _ _ by_image o' o Im) as (y & Fy). cbn [snd] in Fy. destruct (covered_objects _ _ _ _ _ _ by_image o' y Fy) as (o1 & z & Im1 & Fz & _). cbn [fst] in Fz.
    unfold image_is in Im, Im1. rewrite Im in Im1. injection Im1 as <-. cbn [slot_of FoldedMembers.means] in *. rewrite (object_there l m o z tables_one Fz) in H. rewrite (object_there l t o' y tables_other Fy), (through_image rho o' o Im), valued_term, <- (V Logic.I), <- valued_term. exact H.
Qed.
Lemma both_at {A B} (xs : list A) : forall (ys : list B) i a b, List.nth_error xs i = Some a -> List.nth_error ys i = Some b -> In (a, b) (List.combine xs ys).
Proof. induction xs as [|x xs IH]; intros [|y ys] [|i] a b; simpl; try discriminate; [intros [= ->] [= ->]; auto | intros A1 B1; right; eauto]. Qed.
Lemma element_weaker l rho ro la x f g i w : field_covered True mm x (f, g) s M K -> vl M (lower x) <= i < vl M (upper x) ->
  FoldedMembers.means_element (valued M) (member_of l m) rho ro la (Denoting.field_of f) i w -> FoldedMembers.means_element (valued K) (member_of l t) (through rho) ro la (Denoting.field_of g) i w.
Proof.
  intros [Cs H] B. unfold FoldedMembers.means_element. cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest]. rewrite !map_length. cbn [fst snd] in *.
  assert (Cell : (0 <= i < Z.of_nat (length (cells f))) -> (length (cells f) <= length (cells g))%nat -> FoldedMembers.means (valued M) (member_of l m) rho ro la (List.nth (Z.to_nat i) (List.map slot_of (cells f)) FoldedMembers.forgotten) w ->
    FoldedMembers.means (valued K) (member_of l t) (through rho) ro la (List.nth (Z.to_nat i) (List.map slot_of (cells g)) FoldedMembers.forgotten) w).
  { intros Bi L. destruct (List.nth_error (cells f) (Z.to_nat i)) as [a|] eqn:Ea; [|apply nth_error_None in Ea; lia]. destruct (List.nth_error (cells g) (Z.to_nat i)) as [b|] eqn:Eb; [|apply nth_error_None in Eb; lia].
    rewrite (nth_error_nth _ _ _ (map_nth_error slot_of _ _ Ea)), (nth_error_nth _ _ _ (map_nth_error slot_of _ _ Eb)). apply slot_weaker. apply Cs. eapply both_at; eauto. }
  destruct H as [[L R]|(L & _ & _ & Lo & Up)].
  - rewrite <- L. destruct (Z.leb_spec 0 i), (Z.ltb_spec i (Z.of_nat (length (cells f)))); cbn [andb]; try (apply Cell; lia); destruct (rest f) as [a|], (rest g) as [b|]; try contradiction; auto; destruct R as (_ & _ & V); cbn [option_map]; simpl; rewrite !N2Nat.id, (V Logic.I); auto.
  - destruct (Z.leb_spec 0 i), (Z.ltb_spec i (Z.of_nat (length (cells f)))), (Z.ltb_spec i (Z.of_nat (length (cells g)))); try lia. cbn [andb]. apply Cell; lia.
Qed.
Lemma object_weaker l rho ro la x y z : object_covered True mm (x, y) s M K -> length (field_states x) = length (field_states y) -> FoldedMembers.describes_object (valued M) (member_of l m) rho ro la (object_of x) z ->
  FoldedMembers.describes_object (valued K) (member_of l t) (through rho) ro la (object_of y) z.
Proof.
  intros [Ed El (_ & _ & Vl) (_ & _ & Vu) Fs] Wd [A B C D F G]. cbn [fst snd] in *. cbn [object_of FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents] in *. rewrite valued_term in C, D.
  split; cbn [object_of FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents]; rewrite ?valued_term.
  - rewrite <- Ed. exact A.
  - rewrite <- El. exact B.
  - rewrite <- (Vl Logic.I). exact C.
  - rewrite <- (Vu Logic.I). exact D.
  - rewrite F, !map_length. exact Wd.
  - rewrite <- El. intros Lv f i Bi. specialize (G Lv f i Bi). destruct (List.nth_error (field_states y) f) as [fy|] eqn:Ey.
    + destruct (List.nth_error (field_states x) f) as [fx|] eqn:Ex; [|apply nth_error_None in Ex; assert (f < length (field_states y))%nat by (apply nth_error_Some; congruence); lia].
      rewrite (nth_error_nth _ _ _ (map_nth_error Denoting.field_of _ _ Ex)) in G. rewrite (nth_error_nth _ _ _ (map_nth_error Denoting.field_of _ _ Ey)).
      eapply (element_weaker l rho ro la x fx fy); [apply Fs; eapply both_at; eauto | lia | exact G].
    + rewrite nth_overflow by (rewrite map_length; apply nth_error_None; exact Ey). unfold FoldedMembers.means_element. cbn [FoldedMembers.no_field FoldedMembers.apart FoldedMembers.rest length]. destruct (_ && _) eqn:Bd; [apply andb_prop in Bd as [B1 B2]; apply Z.leb_le in B1; apply Z.ltb_lt in B2; simpl in B2; lia | exact Logic.I].
Qed.
Lemma describes_weaker l rho ro la ce g : FoldedMembers.describes_by P ss (valued M) phi (member_of l m) rho ro la ce g ->
  FoldedMembers.describes_by P [] (valued K) phi (member_of l t) (through rho) ro la ce g.
Proof.
  intros [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14]. pose proof (fun f => no_parts l f) as Np.
  assert (Ob : forall o z, FoldedMembers.object_named (member_of l t) o = Some z -> exists y p x, z = object_of y /\ find (objects_held t) (N.of_nat o) = Some y /\ image_is mm (N.of_nat o) p /\ find (objects_held m) p = Some x /\
    object_covered True mm (x, y) s M K /\ through rho o = rho (N.to_nat p) /\ FoldedMembers.object_named (member_of l m) (N.to_nat p) = Some (object_of x)).
  { intros o z H. apply object_here in H as (y & -> & Fy). destruct (covered_objects _ _ _ _ _ _ by_image (N.of_nat o) y Fy) as (p & x & Im & Fx & Cv). exists y, p, x. split; [reflexivity|]. split; [exact Fy|]. split; [exact Im|]. split; [exact Fx|].
    split; [exact Cv|]. split; [rewrite <- (through_image rho _ _ Im), Nat2N.id; reflexivity | exact (object_there l m p x tables_one Fx)]. }
  split; try (intros; rewrite Np in *; discriminate).
  - exact D1.
  - rewrite D2, !slots_of_member. f_equal. destruct whole_one as [_ G], whole_other as [_ G']. congruence.
  - exact D3.
  - intros r. specialize (D4 r). rewrite slot_at_is in *. destruct whole_one as [Dm G], whole_other as [Dt G']. rewrite G, <- G' in D4.
    destruct (Nat.ltb_spec r (N.to_nat (given (held t)))) as [L|L]; [|exact Logic.I].
    destruct (find (held t) (N.of_nat r)) as [v|] eqn:Fv; [|exact Logic.I].
    assert (Fm : find (held m) (N.of_nat r) <> None) by (apply Dm; rewrite G, <- G'; lia). destruct (find (held m) (N.of_nat r)) as [w|] eqn:Fw; [|congruence].
    eapply slot_weaker; [|exact D4]. exact (covered_slots _ _ _ _ _ _ by_image (N.of_nat r) w v Fw Fv).
  - intros o z H. destruct (Ob o z H) as (y & p & x & -> & _ & _ & _ & _ & -> & O). exact (D5 _ _ O).
  - intros o z H. destruct (Ob o z H) as (y & p & x & -> & Fy & _ & Fx & Cv & -> & O). apply (object_weaker l rho ro la x y); [exact Cv | eapply as_wide; [exact Fx | exact Fy | exact (object_declared _ _ _ _ _ _ Cv)] | exact (D6 _ _ O)].
  - intros o o' z z' H H' Eq. destruct (Ob o z H) as (y & p & x & _ & _ & Im & _ & _ & E1 & O). destruct (Ob o' z' H') as (y' & p' & x' & _ & _ & Im' & _ & _ & E2 & O'). rewrite E1, E2 in Eq. pose proof (D7 _ _ _ _ O O' Eq) as Ep. apply N2Nat.inj in Ep. subst p'.
    pose proof (covered_once _ _ _ _ _ _ by_image _ _ _ Im Im') as En. apply Nat2N.inj. exact En.
  - intros o z H Lv Hn. destruct (Ob o z H) as (y & p & x & -> & _ & _ & _ & Cv & -> & O). pose proof (object_declared _ _ _ _ _ _ Cv) as Ed. pose proof (object_lives _ _ _ _ _ _ Cv) as El. cbn [fst snd] in Ed, El.
    cbn [object_of FoldedMembers.kind FoldedMembers.life_of] in *. rewrite <- Ed in *. rewrite <- El in Lv. exact (D8 _ _ O Lv Hn).
  - intros o z H Nd. destruct (Ob o z H) as (y & p & x & -> & _ & _ & _ & Cv & _ & O). pose proof (object_declared _ _ _ _ _ _ Cv) as Ed. destruct (object_begins _ _ _ _ _ _ Cv) as (_ & _ & Vl). destruct (object_ends _ _ _ _ _ _ Cv) as (_ & _ & Vu). cbn [fst snd] in Ed, Vl, Vu.
    cbn [object_of FoldedMembers.kind FoldedMembers.begins FoldedMembers.ends] in *. rewrite <- Ed in Nd. destruct (D9 _ _ O Nd) as [A B]. cbn [object_of FoldedMembers.begins FoldedMembers.ends] in A, B. rewrite valued_term in A, B. rewrite !valued_term, <- (Vl Logic.I), <- (Vu Logic.I). auto.
  - intros Ck. destruct (no_leaks Ck).
Qed.
End Image.
Lemma plain_accounts r : Configurations.accounts P under ss (valued M) phi (counted_of m) r -> Configurations.accounts P under [] (valued K) phi (counted_of t) r.
Proof.
  intros [A B]. pose proof (covered_at _ _ _ _ _ covered) as Pl. cbn [fst snd] in Pl. split.
  - simpl in *. rewrite <- Pl. destruct (place_of m) as [l|]; [|exact A]. destruct A as (st & L & g & rn & F & (rho & ro & la & ce & D) & Al & Mp). exists st. split; [exact L|].
    destruct (covered_so _ _ _ _ _ covered) as (mm & By). exists g, rn. split; [exact F|]. split; [exists (through mm rho), ro, la, ce; eapply describes_weaker; eauto|]. split; [exact Al | intros Ck; destruct (no_leaks Ck)].
  - destruct (covered_so _ _ _ _ _ covered) as (mm & By). pose proof (covered_count _ _ _ _ _ _ By) as C. unfold slot_covered in C. cbn [fst snd] in C. simpl in *. destruct (consumed_of t) as [| |u| | | |]; auto.
    destruct C as (_ & a & Ea & _ & V). rewrite Ea in B. rewrite valued_term in *. rewrite <- (V Logic.I). exact B.
Qed.
End Accounts.

(** ** The rule *)

Variables c d : configuration.
Variable mt : matching.
Variable start : state.
Hypothesis template_terms : modelled start.
Hypothesis template_scope : in_scope start d.
Hypothesis template_plain : is_plain d = true.
Hypothesis whole_c : whole E c.
Hypothesis whole_d : whole E d.
Hypothesis tables_c : forall m, In m (herd c) -> tables_right m.
Hypothesis wide : are_wide E c d = true.
Lemma tables_d t : In t (herd d) -> tables_right t.
Proof. intros I. apply (proj1 (proj2 template_scope)), herd_member. exact I. Qed.

Lemma member_terms_there s e m : (forall p, In p (configuration_terms e) -> part_in s p) -> In m (herd e) -> tables_right m -> member_there s m.
Proof.
  intros H I T. split; [exact T|]. intros p J. apply H. unfold configuration_terms. apply in_or_app. right. apply in_or_app. left. apply in_flat_map. eauto.
Qed.
Definition terms_in (e : configuration) (s : state) : Prop := forall p, In p (configuration_terms e) -> part_in s p.
Lemma terms_in_kept e s M s' M' : keeps s M s' M' -> terms_in e s -> terms_in e s'.
Proof. intros K H p I. eapply part_in_kept; eauto. Qed.
Lemma literals_there e s : terms_in e s -> forall l, In l (known_literals e) -> literal_in s l.
Proof. intros H l I. apply (H (LinearPart (term_of l))). unfold configuration_terms. apply in_or_app. left. apply in_map_iff. eauto. Qed.
Lemma first_of_pairs {A B} (l : list A) : forall (k : list B), length k = length l -> forall a, In a l -> exists b, In (a, b) (List.combine l k).
Proof.
  induction l as [|x l IH]; intros [|y k] L a I; try discriminate; [destruct I|]. destruct I as [->|I]; [exists y; left; reflexivity|]. injection L as L. destruct (IH k L a I) as (b & J). exists b. right. exact J.
Qed.

(** What is left of the rule behind its substitution. *)
Definition rest_of_subsume th : computes unit :=
  demand (count (paths_read mt) =? given (symbols d))%N Rejection.Substitution >>
  demand ((count (herd c) =? count (herd d)) && (count (objects_matched mt) =? count (herd d)))%N Rejection.Shape >>
  let$ (th, read_) := folded_left (Covering.cover_member E c d mt) (List.combine (List.combine (herd c) (herd d)) (objects_matched mt)) (th, PositiveMap.empty (list Covering.piece)) in
  demand (forallb (fun '(n, s) => PositiveMap.mem (N.succ_pos n) read_ || Covering.may_be_empty E s) (in_order (symbols d))) Rejection.NotRead >>
  let$ _ := folded_left (fun th l => let$ (t, th) := Covering.linear_image th (term_of l) in entail (known_literals c) (lit (sign_of l) t) >> ret th) (known_literals d) th in
  ret tt.
Lemma rest_meets Q nu mu s M K th : Terms.well_sorted nu -> Terms.well_sorted mu -> good nu s M -> good mu s K -> known_right c Q s M -> theta_right mu Q s M K th -> terms_in c s -> terms_in d s ->
  twice nu mu tabs s M K (rest_of_subsume th) (fun _ s' M' K' => length (herd c) = length (herd d) /\
    (forall p, In p (List.combine (herd c) (herd d)) -> member_covered Q p s' M' K') /\ (Q -> forall l, In l (known_literals d) -> literal_holds K' l)).
Proof.
  intros W W' G G' Kn T Tc Td. unfold rest_of_subsume. pose proof template_plain as Pl. apply andb_prop in Pl as [Pl _]. apply andb_prop in Pl as [Pl _]. rewrite forallb_forall in Pl.
  eapply twice_peek; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros ? _.
  eapply twice_peek; [apply (peeks_demand s _ _ (fun _ => length (herd c) = length (herd d) /\ length (objects_matched mt) = length (herd d)))|].
  { intros H. apply andb_prop in H as [A B]. apply N.eqb_eq in A, B. rewrite !count_length in *. lia. }
  intros ? [Lc Lo]. cbn beta in Lc, Lo. set (all := List.combine (List.combine (herd c) (herd d)) (objects_matched mt)).
  eapply twice_bind; [apply (twice_folded nu mu tabs (Covering.cover_member E c d mt)
    (fun st s M K => terms_in c s /\ terms_in d s /\ known_right c Q s M /\ theta_right mu Q s M K (fst st)) (fun x s M K => member_covered Q (fst x) s M K)) with (l := all); auto|].
  - intros; eapply member_kept; eauto.
  - intros [th1 seen] [[m t] os] s1 M1 K1 I G1 H1 (Tc1 & Td1 & Kn1 & T1). apply in_combine_l in I. pose proof (in_combine_l _ _ _ _ I) as Im. pose proof (in_combine_r _ _ _ _ I) as It.
    pose proof (whole_in E c m whole_c Im) as Wm. pose proof (whole_in E d t whole_d It) as Wt.
    pose proof (member_terms_there s1 c m Tc1 Im (tables_c m Im)) as Thm. pose proof (member_terms_there s1 d t Td1 It (tables_d t It)) as Tht.
    eapply twice_weaker; [apply (member_meets E c nu mu W W' tabs Q d mt s1 M1 K1 th1 seen m t os); auto|].
    intros st s2 M2 K2 _ _ Km Kk [T2 C2]. split; [|exact C2]. split; [eapply terms_in_kept; eauto|]. split; [eapply terms_in_kept; eauto|]. split; [eapply known_kept; eauto | exact T2].
  - intros [th1 read_] s1 M1 K1 G1 H1 Km Kk ((_ & Td1 & Kn1 & T1) & Cv). cbn [fst] in T1.
    eapply twice_peek; [apply (peeks_demand s1 _ _ (fun _ => True)); auto|]. intros ? _.
    eapply twice_bind; [apply (literals_meets c nu mu W W' tabs Q d s1 M1 K1 th1); auto; apply literals_there; exact Td1|].
    intros th2 s2 M2 K2 G2 H2 Km2 Kk2 Ho. apply twice_ret; auto. split; [exact Lc|]. split; [|intros hq l I; apply (literal_kept _ _ _ _ l Kk2 (literals_there d s1 Td1 l I)); exact (Ho hq l I)].
    intros p I. destruct (first_of_pairs (List.combine (herd c) (herd d)) (objects_matched mt)) with (a := p) as (os & J); [rewrite combine_length; lia | exact I|].
    eapply member_kept; [exact Km2 | exact Kk2 | exact (Cv (p, os) J)].
Qed.

(** The valuation that the substitution makes of the configuration's. *)
Definition substituted (th : Covering.substitution) (M : model) : Terms.valuation := {|
  Terms.integers := fun q x => match nth (Covering.of_integers th) (number_of_sort q) with
    | Some l => match nth l (N.of_nat x) with Some n => vl M n | None => 0 end | None => 0 end;
  Terms.arrays := fun T x j => match nth (Covering.of_arrays th) (number_of T) with
    | Some l => match nth l (N.of_nat x) with Some n => vr M n j | None => 0 end | None => 0 end |}.
Lemma substituted_sorted s th M : substitution_right c s M th -> (forall l, In l (known_literals c) -> literal_holds M l) -> Terms.well_sorted (substituted th M).
Proof.
  intros [_ I A] H. split.
  - intros T x. cbn. destruct (nth (Covering.of_integers th) (N.succ (number_of T))) as [l|] eqn:Hl; [|apply zero_within]. destruct (nth l (N.of_nat x)) as [n|] eqn:Hn; [|apply zero_within].
    destruct (I (Some T) (N.of_nat x) l n Hl Hn) as [_ V]. exact (V H).
  - intros T x j. cbn. destruct (nth (Covering.of_arrays th) (number_of T)) as [l|] eqn:Hl; [|apply zero_within]. destruct (nth l (N.of_nat x)) as [n|] eqn:Hn; [|apply zero_within].
    destruct (A T (N.of_nat x) l n Hl Hn) as [_ V]. exact (V H j).
Qed.
Lemma substituted_right s th M K : substitution_right c s M th -> theta_right (substituted th M) True s M K th.
Proof.
  intros [Se I A]. split; [split|].
  - intros q x l n Hl Hn. destruct (I q x l n Hl Hn) as [In_ _]. split; [exact In_|]. intros _. cbn. rewrite Hl, N2Nat.id, Hn. reflexivity.
  - intros T x l n Hl Hn. destruct (A T x l n Hl Hn) as [In_ _]. split; [exact In_|]. intros _ j. cbn. rewrite Hl, N2Nat.id, Hn. reflexivity.
  - intros p n. rewrite Se, PositiveMap.gempty. discriminate.
Qed.
Lemma unasked_right mu s th M K : substitution_right c s M th -> theta_right mu False s M K th.
Proof.
  intros [Se I A]. split; [split|].
  - intros q x l n Hl Hn. destruct (I q x l n Hl Hn) as [In_ _]. split; [exact In_ | contradiction].
  - intros T x l n Hl Hn. destruct (A T x l n Hl Hn) as [In_ _]. split; [exact In_ | contradiction].
  - intros p n. rewrite Se, PositiveMap.gempty. discriminate.
Qed.
Lemma subsume_is s u s' : Covering.subsume E c d mt s = Gives u s' -> exists th s1, Covering.substitution_of c (variables d) mt s = Gives th s1 /\ rest_of_subsume th s1 = Gives u s'.
Proof.
  unfold Covering.subsume, bind at 1, demand at 1. destruct (progress c); [|discriminate]. unfold ret at 1. unfold bind at 1.
  destruct (Covering.substitution_of c (variables d) mt s) as [th s1|]; [|discriminate]. intros H. exists th, s1. split; [reflexivity | exact H].
Qed.

Lemma terms_of s e nu M : good nu s M -> in_scope s e -> terms_in e s.
Proof. intros G (_ & _ & H) p I. exact (within_in nu tabs _ s M _ G (H p I)). Qed.
Lemma template_model s mu : later start s -> Terms.well_sorted mu -> exists K0 K, good mu start K0 /\ good mu s K /\ keeps start K0 s K /\ terms_in d s.
Proof.
  intros La W. destruct (template_terms mu W) as [K0 G0]. destruct (La mu K0 W G0) as (K & G & Kp). exists K0, K. split; auto. split; auto. split; auto.
  eapply terms_in_kept; [exact Kp|]. eapply terms_of; [exact G0 | exact template_scope].
Qed.
Lemma subsume_later s u s' : sane s c -> later start s -> Covering.subsume E c d mt s = Gives u s' -> later s s'.
Proof.
  intros [_ Sc] La H nu M W G. apply subsume_is in H as (th & s1 & Hs & Hr). pose proof (terms_of s c nu M G Sc) as Tc.
  destruct (substitution_meets c nu W tabs (variables d) mt s M G (literals_there c s Tc) _ _ Hs) as (M1 & G1 & K1 & Su).
  destruct (template_model s zeros La zeros_sorted) as (_ & K & _ & Gk & _ & Td).
  destruct (substitution_meets c zeros zeros_sorted tabs (variables d) mt s K Gk (literals_there c s Tc) _ _ Hs) as (L1 & Gl & Kl & _).
  destruct (rest_meets False nu zeros s1 M1 L1 th W zeros_sorted G1 Gl) with (5 := Hr) as (M2 & _ & G2 & _ & K2 & _).
  - split; [apply literals_there; eapply terms_in_kept; eauto | contradiction].
  - apply unasked_right. exact Su.
  - eapply terms_in_kept; eauto.
  - eapply terms_in_kept; [exact K1 | exact Td].
  - exists M2. split; [exact G2 | eapply keeps_trans; eauto].
Qed.
Lemma accounts_all M K phi s ms ts : (forall p, In p (List.combine ms ts) -> member_covered True p s M K) -> length ms = length ts ->
  (forall m, In m ms -> whole_member E m /\ tables_right m) -> (forall t, In t ts -> (whole_member E t /\ tables_right t) /\ plain_member t = true) -> (forall m t, In m ms -> In t ts -> alike_wide m t) -> forall ss rs,
  Forall2 (Configurations.accounts_sized P under ss (valued M) phi) (List.map sized_of ms) rs ->
  exists rs', Forall2 (Herds.weaker machine) rs rs' /\ Forall2 (Configurations.accounts_sized P under [] (valued K) phi) (List.map sized_of ts) rs'.
Proof.
  revert ts. induction ms as [|m ms IH]; intros [|t ts] C L Wm Wt Wi ss rs F; try discriminate; inversion F as [|? r ? rs0 [Sz A] F0]; subst; [exists []; split; constructor|].
  destruct (IH ts) with (ss := ss) (rs := rs0) as (rs' & Wk & F'); auto; [intros p I; apply C; right; exact I | intros x I; apply Wm; right; exact I | intros x I; apply Wt; right; exact I | intros x y I J; apply Wi; right; assumption|].
  destruct r as [k r]. simpl in Sz, A. pose proof (C (m, t) (or_introl eq_refl)) as Cm. destruct (Wt t (or_introl eq_refl)) as [[Wht Tt] Plt]. destruct (Wm m (or_introl eq_refl)) as [Whm Tm].
  exists ((size_of_input (size_of t), r) :: rs'). split; constructor; auto.
  - split; [reflexivity|]. cbn [fst]. pose proof (covered_size _ _ _ _ _ Cm) as S0. cbn [fst snd] in S0. rewrite <- Sz. destruct (size_of m), (size_of t); simpl in *; auto; discriminate.
  - split; [reflexivity|]. cbn [snd sized_of]. eapply plain_accounts; eauto. apply Wi; left; reflexivity.
Qed.
Theorem subsume_shows s u s' : sane s c -> later start s -> Covering.subsume E c d mt s = Gives u s' -> later s s' /\ Herds.sound_subsume machine stage shows (Open s c) (Open start d).
Proof.
  intros Sn La H. split; [eapply subsume_later; eauto|]. destruct Sn as [_ Sc]. apply subsume_is in H as (th & s1 & Hs & Hr). intros t ts [_ (nu & M & phi & S)]. pose proof S as (W & G & L & _).
  pose proof (terms_of s c nu M G Sc) as Tc.
  destruct (substitution_meets c nu W tabs (variables d) mt s M G (literals_there c s Tc) _ _ Hs) as (M1 & G1 & K1 & Su).
  assert (L1 : forall l, In l (known_literals c) -> literal_holds M1 l) by (intros l I; apply (literal_kept _ _ _ _ l K1 (literals_there c s Tc l I)); auto).
  set (mu := substituted th M1). pose proof (substituted_sorted s1 th M1 Su L1) as Wm. fold mu in Wm.
  destruct (template_model s mu La Wm) as (K0 & K & G0 & Gk & Kp & Td).
  destruct (substitution_meets c mu Wm tabs (variables d) mt s K Gk (literals_there c s Tc) _ _ Hs) as (L2 & Gl & Kl & _).
  destruct (rest_meets True nu mu s1 M1 L2 th W Wm G1 Gl) with (5 := Hr) as (M' & K' & G' & Gk' & Km & Kk & Len & Cv & Ho).
  - split; [apply literals_there; eapply terms_in_kept; eauto | auto].
  - apply substituted_right. exact Su.
  - eapply terms_in_kept; eauto.
  - eapply terms_in_kept; [exact K1 | exact Td].
  - (* At the state behind the rule, and back at the template's. *)
    pose proof (carried_on P under trees tabs s s' c nu M M' phi t ts Sc G' (keeps_trans _ _ _ _ _ _ K1 Km) S) as (_ & _ & _ & _ & A & _).
    pose proof (keeps_trans _ _ _ _ _ _ Kp (keeps_trans _ _ _ _ _ _ Kl Kk)) as Kt.
    pose proof template_plain as Pl. apply andb_prop in Pl as [Pl En]. apply andb_prop in Pl as [Pl Sy]. rewrite forallb_forall in Pl. apply N.eqb_eq in Sy.
    assert (Ss : symbols_of d = []) by (unfold symbols_of, numbers_of; rewrite Sy; reflexivity).
    assert (Wc : forall y, In y (herd c) -> whole_member E y /\ tables_right y) by (intros y I; split; [exact (whole_in E c y whole_c I) | exact (tables_c y I)]).
    assert (Wd : forall y, In y (herd d) -> (whole_member E y /\ tables_right y) /\ plain_member y = true) by (intros y I; split; [split; [exact (whole_in E d y whole_d I) | exact (tables_d y I)] | exact (Pl y I)]).
    pose proof (wide_alike E c d wide tables_c tables_d) as Wi.
    assert (X : exists ts', Forall2 (Herds.weaker machine) ts ts' /\ herd_accounts P under d (symbols_of d) (valued K') phi t ts').
    { unfold herd_accounts in *. rewrite Ss. destruct (herd c) as [|m ms] eqn:Hc; [destruct A|]. destruct (herd d) as [|x xs] eqn:Hd; [discriminate|]. destruct A as [A B].
      destruct (accounts_all M' K' phi s' ms xs) with (ss := symbols_of c) (rs := ts) as (ts' & Wk & F); auto; [intros p I; apply Cv; right; exact I | intros y I; apply Wc; right; exact I | intros y I; apply Wd; right; exact I | intros y z I J; apply Wi; right; assumption|].
      exists ts'. split; [exact Wk|]. split; [|exact F]. destruct (Wc m (or_introl eq_refl)) as [Wm1 Tm1]. destruct (Wd x (or_introl eq_refl)) as [[Wx Tx] Px].
      eapply plain_accounts; [apply (Cv (m, x)); left; reflexivity | exact Wm1 | exact Wx | exact Tm1 | exact Tx | exact Px | apply Wi; left; reflexivity | exact A]. }
    destruct X as (ts' & Wk & Ac). exists ts'. split; [exact Wk|]. exists mu, K0, phi.
    apply (carried P under trees tabs s' start d mu mu K' K0 phi t ts' Wm G0).
    + intros p I. pose proof (kept_value start K0 s' K' p Kt (terms_of start d mu K0 G0 template_scope p I)) as V. destruct p; simpl in *; [symmetry; exact V | intros j; symmetry; apply V].
    + split; [exact Wm|]. split; [exact Gk'|]. split; [exact (Ho Logic.I)|]. split; [intros x; unfold FoldedMembers.well_meant_symbol; rewrite Ss; destruct x; exact Logic.I|].
      split; [exact Ac|]. unfold entry_accounts. destruct (entry_member d); [discriminate | exact Logic.I].
Qed.
End SubsumeShown.

(** A template that covers by substitution, object by object. *)
Definition is_substituted (E : setting) (c d : configuration) : bool := is_plain d && negb (asks_for_leaks E) && are_wide E c d.
