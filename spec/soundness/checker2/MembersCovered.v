(** That a template's member covers one of the configuration as the rule Subsume says it does
    (spec/calculus.md#subsume): registers, objects and folded parts, where tables are as
    templates have them. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia Permutation.
From Goatherd Require Import Integers.
From Goatherd Require Terms Sorts Programs Machine Owed Folding FoldedMembers Members Reading Subsume Pieces.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States Stepping Denoting Carried Closing Listed Staying Substituted ContentsDrawn Going Covered SlotsCovered Taken Reads SortsFormed PartsCovered.
From Goatherd.checker2 Require Covering Opened PointerLists Templates.
Import ListNotations.
Open Scope Z_scope.

(** ** What is computed *)

(** Objects have the fields of their declarations. *)
Definition fields_of_declaration (E : setting) (d : N) : option nat := match at_position (objects_of (names_in E)) d with
  | Some x => option_map (fun l => length (fields l)) (at_position (layouts_of (names_in E)) (layout_of x)) | None => None end.
Definition is_wide (E : setting) (m : member_state) : bool := forallb (fun '(_, x) => match fields_of_declaration E (declaration x) with Some n => Nat.eqb (length (field_states x)) n | None => false end) (in_order (objects_held m)).
Definition holds_nothing (t : member_state) : bool := is_empty (in_order (objects_held t)) && is_empty (in_order (parts_held t)).
(** Pointers to parts are to parts that there are, to last cells of segments. *)
Definition is_slot_formed (d : configuration) (t : member_state) (v : slot) : bool := match v with
  | Folded f => match find (parts_held t) f with Some _ => true | None => false end
  | Last f => match find (parts_held t) f with Some q => match find (symbols d) (symbol q) with Some (Segment _) => true | _ => false end | None => false end
  | _ => true end.
(** Trees are read whole. *)
Definition is_part_formed (d : configuration) (mt : matching) (t : member_state) (q : folded) : bool :=
  is_slot_formed d t (above q) && is_slot_formed d t (same q) && is_slot_formed d t (below q) && match find (symbols d) (symbol q) with
  | Some (Tree _) => match below q, nth (paths_read mt) (symbol q) with NullSlot, Some [] => true | _, _ => false end
  | Some (Segment _) => true | None => false end.
Definition is_object_formed d t (x : object_state) : bool := forallb (fun f => forallb (is_slot_formed d t) (cells f)) (field_states x).
Definition is_member_formed (d : configuration) (mt : matching) (t : member_state) : bool := is_numbered (parts_held t) &&
  forallb (fun '(_, v) => is_slot_formed d t v) (in_order (held t)) && forallb (fun '(_, x) => is_object_formed d t x) (in_order (objects_held t)) &&
  forallb (fun '(_, q) => is_part_formed d mt t q) (in_order (parts_held t)) && match place_of t with At _ => true | HasFailed => is_empty (in_order (parts_held t)) end.

Lemma Forall2_maps {A B C} (R : B -> C -> Prop) (f : A -> B) (g : A -> C) l : (forall a, In a l -> R (f a) (g a)) -> Forall2 R (List.map f l) (List.map g l).
Proof. induction l as [|a l IH]; intros H; constructor; [apply H; left; reflexivity | apply IH; intros b I; apply H; right; exact I]. Qed.
Lemma Forall2_pairs {A B} (R : A -> B -> Prop) : forall l k, length l = length k -> (forall a b, In (a, b) (List.combine l k) -> R a b) -> Forall2 R l k.
Proof. induction l as [|a l IH]; intros [|b k] L H; try discriminate; constructor; [apply H; left; reflexivity | apply IH; [injection L; auto | intros x y I; apply H; right; exact I]]. Qed.
Lemma combine_longer {A B} (l : list A) : forall (k k' : list B) p, In p (List.combine l k) -> In p (List.combine l (k ++ k')).
Proof. induction l as [|a l IH]; intros [|b k] k' p I; cbn in *; try contradiction; try (destruct I; fail). destruct I as [I|I]; [left; exact I | right; apply IH; exact I]. Qed.
Lemma Forall2_mapped {A B C D} (R : C -> D -> Prop) (f : A -> C) (g : B -> D) l k : Forall2 (fun a b => R (f a) (g b)) l k -> Forall2 R (List.map f l) (List.map g k).
Proof. induction 1; constructor; auto. Qed.

Section Members.
Variable E : setting.
Variables c d : configuration.
Variable mt : matching.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Variable trees : nat -> Sorts.sort_of_trees.
Hypothesis sorts_are : sorts_right E trees.
Hypothesis sorts_formed : are_sorts_formed E = true.
Hypothesis leaks_asked : Owed.checks_leaks P -> asks_for_leaks E = true.
Variables nu mu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Hypothesis sorted_too : Terms.well_sorted mu.
Variable tabs : indexed table.
Variable Q : Prop.
Variables (s0 : state) (M0 K0 : model).
Hypothesis known_in : forall l, In l (known_literals c) -> literal_in s0 l.
Hypothesis known_hold : Q -> forall l, In l (known_literals c) -> literal_holds M0 l.
Hypothesis symbols_there : numbered_right (symbols d).
Notation goes := (goes nu mu tabs Q s0 M0 K0).
Notation entailed := (entailed_here Q M0).
Definition term_image (a b : Terms.term) : Prop := Q -> Terms.eval (valued M0) a = Terms.eval (valued K0) b.
Definition array_image (a b : Terms.array) : Prop := Q -> forall i, Terms.eval_array (valued M0) a i = Terms.eval_array (valued K0) b i.
Lemma value_image a t : same_value Q M0 K0 a t -> term_image (term_of_number a) (term_of_number t).
Proof. intros V hq. rewrite !valued_term. exact (V hq). Qed.

Section Member.
Variables (m t : member_state) (l0 : N).
Hypothesis whole_one : whole_member E m.
Hypothesis whole_other : whole_member E t.
Hypothesis member_here : member_there s0 m.
Hypothesis template_here : member_there s0 t.
Hypothesis member_formed : is_member_formed d mt t = true.
Notation old := (member_of l0 m).
Notation new := (member_of l0 t).

Lemma formed_parts : numbered_right (parts_held t) /\ (forall r v, find (held t) r = Some v -> is_slot_formed d t v = true) /\ (forall o x, find (objects_held t) o = Some x -> is_object_formed d t x = true) /\
  forall f q, find (parts_held t) f = Some q -> is_part_formed d mt t q = true.
Proof.
  pose proof member_formed as F. unfold is_member_formed in F. apply andb_prop in F as [F _]. apply andb_prop in F as [F Fp]. apply andb_prop in F as [F Fo]. apply andb_prop in F as [Fn Fs]. apply numbered_now in Fn. rewrite forallb_forall in Fs, Fo, Fp. destruct template_here as [[Rn Ro _] _].
  split; [exact Fn|]. split; [intros r v H; exact (Fs (r, v) (proj2 (in_order_in _ _ _) (conj (Rn r v H) H)))|]. split; [intros o x H; exact (Fo (o, x) (proj2 (in_order_in _ _ _) (conj (Ro o x H) H)))|].
  intros f q H. exact (Fp (f, q) (proj2 (in_order_in _ _ _) (conj (Fn f q H) H))).
Qed.
Lemma wide_object x n o : is_wide E x = true -> tables_right x -> find (objects_held x) n = Some o -> fields_of_declaration E (declaration o) = Some (length (field_states o)).
Proof.
  intros W [_ Ro _] F. unfold is_wide in W. rewrite forallb_forall in W. specialize (W (n, o) (proj2 (in_order_in _ _ _) (conj (Ro n o F) F))). cbn beta iota in W. destruct (fields_of_declaration E (declaration o)) as [k|]; [|discriminate]. apply Nat.eqb_eq in W. congruence.
Qed.
Lemma node_width : is_wide E m = true -> forall o x s d0 r ss ks, find (objects_held m) o = Some x -> WellFormed.nodes (names_in E) (sorts_in E) s = Some (d0, r, ss) -> declaration x = d0 -> In ks ss -> length ks = length (field_states x).
Proof.
  intros W o x s d0 r ss ks F Nd Ed I. pose proof (wide_object m o x W (proj1 member_here) F) as Wx. destruct (shapes_long E sorts_formed s d0 r ss ks Nd I) as (y & l & Ay & Al & ->). unfold fields_of_declaration in Wx. rewrite Ed, Ay in Wx. cbn [option_map] in Wx. rewrite Al in Wx. injection Wx as ->. reflexivity.
Qed.
Lemma object_in_table x n o : tables_right x -> find (objects_held x) n = Some o -> FoldedMembers.object_named (member_of l0 x) (N.to_nat n) = Some (object_of o).
Proof. intros [_ Ro _] F. rewrite PointerLists.object_named_is, N2Nat.id, F. pose proof (Ro n o F). destruct (Nat.ltb_spec (N.to_nat n) (N.to_nat (given (objects_held x)))); [reflexivity | lia]. Qed.
Lemma object_of_table x o z : FoldedMembers.object_named (member_of l0 x) o = Some z -> exists y, z = object_of y /\ find (objects_held x) (N.of_nat o) = Some y.
Proof. rewrite PointerLists.object_named_is. destruct (Nat.ltb _ _); [|discriminate]. destruct (find (objects_held x) (N.of_nat o)) as [y|]; [|discriminate]. intros [= <-]. eauto. Qed.
Lemma part_in_table x n q : numbered_right (parts_held x) -> find (parts_held x) n = Some q -> FoldedMembers.part_named (member_of l0 x) (N.to_nat n) = Some (part_of q).
Proof. intros R F. rewrite Opened.part_named_is, N2Nat.id, F. pose proof (R n q F). destruct (Nat.ltb_spec (N.to_nat n) (N.to_nat (given (parts_held x)))); [reflexivity | lia]. Qed.
Lemma part_of_table x f z : FoldedMembers.part_named (member_of l0 x) f = Some z -> exists q, z = part_of q /\ find (parts_held x) (N.of_nat f) = Some q.
Proof. rewrite Opened.part_named_is. destruct (Nat.ltb _ _); [|discriminate]. destruct (find (parts_held x) (N.of_nat f)) as [y|]; [|discriminate]. intros [= <-]. eauto. Qed.
Lemma symbol_at x sh : find (symbols d) x = Some sh -> List.nth_error (symbols_of d) (N.to_nat x) = Some (symbol_of (Some sh)).
Proof. intros F. rewrite symbols_at, F. pose proof (symbols_there x sh F). destruct (N.ltb_spec x (given (symbols d))); [reflexivity | lia]. Qed.

(** ** The matching, as the calculus has it *)

Section Matching.
Variable v : Covering.covering.
Variable tks : N -> list Reading.taken.
Variable r : Subsume.reading.
Definition matching_of : Subsume.matching := {|
  Subsume.image_of := fun o => match PositiveMap.find (N.succ_pos (N.of_nat o)) (Covering.matched v) with Some p => N.to_nat p | None => O end;
  Subsume.root_slot := fun f => match find (Covering.roots_seen v) (N.of_nat f) with Some w => slot_of w | None => FoldedMembers.forgotten end;
  Subsume.last_slot := fun f => match find (Covering.ends_seen v) (N.of_nat f) with Some Forgotten => None | Some w => Some (slot_of w) | None => None end;
  Subsume.takes := fun f => tks (N.of_nat f) |}.
Hypothesis names_there : forall o' o, image_is (Covering.matched v) o' o -> exists y, find (objects_held t) o' = Some y.
Hypothesis objects_seen : forall o' y, find (objects_held t) o' = Some y -> exists o x, image_is (Covering.matched v) o' o /\ find (objects_held m) o = Some x /\ object_seen Q M0 K0 v x y.
Hypothesis images_once : forall o1 o2 o, image_is (Covering.matched v) o1 o -> image_is (Covering.matched v) o2 o -> o1 = o2.
Hypothesis slots_seen : forall n w x, find (held m) n = Some w -> find (held t) n = Some x -> slot_seen Q M0 K0 v w x.
Hypothesis parts_seen : forall f q, find (parts_held t) f = Some q -> part_seen c d trees Q M0 K0 m l0 v r f q (tks f).
Lemma image_of_is o' o : image_is (Covering.matched v) o' o -> Subsume.image_of matching_of (N.to_nat o') = N.to_nat o.
Proof. unfold image_is. cbn. rewrite N2Nat.id. intros ->. reflexivity. Qed.
Lemma last_known f w : find (Covering.ends_seen v) f = Some w -> w <> Forgotten -> Subsume.last_slot matching_of (N.to_nat f) = Some (slot_of w).
Proof. intros F N. cbn. rewrite N2Nat.id, F. destruct w; congruence. Qed.
Lemma segment_of f : is_slot_formed d t (Last f) = true -> Subsume.is_segment (symbols_of d) new (N.to_nat f).
Proof.
  cbn [is_slot_formed]. intros H. destruct (find (parts_held t) f) as [q|] eqn:F; [|discriminate]. destruct (find (symbols d) (symbol q)) as [[|s]|] eqn:Sy; try discriminate.
  unfold Subsume.is_segment. rewrite (part_in_table t f q (proj1 formed_parts) F). cbn [part_of FoldedMembers.symbol]. rewrite (symbol_at _ _ Sy). exact Logic.I.
Qed.
Lemma slot_so w x : slot_seen Q M0 K0 v w x -> is_slot_formed d t x = true -> Subsume.slot_covered (symbols_of d) term_image new matching_of (slot_of w) (slot_of x).
Proof.
  unfold slot_seen. destruct x as [| |u| |o j b|f|f]; cbn [slot_of Subsume.slot_covered]; intros S F.
  - exact Logic.I.
  - rewrite S. reflexivity.
  - destruct S as (a & -> & V). exists (term_of_number a). split; [reflexivity | apply value_image; exact V].
  - rewrite S. reflexivity.
  - destruct S as (p & i & -> & Im & V). destruct (names_there o p Im) as (y & Fy). split; [rewrite (object_in_table t o y (proj1 template_here) Fy); discriminate|].
    exists (term_of_number i). rewrite (image_of_is o p Im). split; [reflexivity | apply value_image; exact V].
  - cbn [is_slot_formed] in F. destruct (find (parts_held t) f) as [q|] eqn:Fq; [|discriminate]. split; [rewrite (part_in_table t f q (proj1 formed_parts) Fq); discriminate|]. cbn. rewrite N2Nat.id, S. reflexivity.
  - destruct S as [S N]. split; [apply segment_of; exact F | apply last_known; assumption].
Qed.
Lemma around_so x up : around_seen Q M0 K0 v x up -> is_slot_formed d t x = true ->
  Subsume.around (symbols_of d) term_image new matching_of (slot_of x) (above_of up) /\ Subsume.around (symbols_of d) term_image new matching_of (slot_of x) (along_of up).
Proof.
  unfold around_seen. destruct x as [| |u| |o i b|f|f]; cbn [slot_of]; try contradiction.
  - intros -> _. split; constructor.
  - intros -> _. split; constructor.
  - intros (p & Im & -> & V) _. destruct (names_there o p Im) as (y & Fy). cbn [above_of along_of slot_of]. rewrite <- (image_of_is o p Im).
    split; (constructor; [rewrite (object_in_table t o y (proj1 template_here) Fy); discriminate | apply value_image; exact V]).
  - intros (u & F & -> & N) Fo. pose proof (last_known f u F N) as L. pose proof (segment_of f Fo) as S. cbn [along_of]. replace (above_of (Some u)) with (Reading.Is (slot_of u)) by (destruct u; congruence || reflexivity). split; constructor; assumption.
Qed.
Lemma field_so x f g : field_seen Q M0 K0 v x f g -> forallb (is_slot_formed d t) (cells g) = true -> Subsume.field_covered entailed (symbols_of d) term_image array_image new matching_of (object_of x) (Denoting.field_of f) (Denoting.field_of g).
Proof.
  intros [Cs H] Fo. rewrite forallb_forall in Fo. unfold Subsume.field_covered. cbn [Denoting.field_of FoldedMembers.apart FoldedMembers.rest].
  assert (Part : forall k, (forall b, In b k -> In b (cells g)) -> length (cells f) = length k -> (forall a b, In (a, b) (List.combine (cells f) k) -> slot_seen Q M0 K0 v a b) -> Forall2 (Subsume.slot_covered (symbols_of d) term_image new matching_of) (List.map slot_of (cells f)) (List.map slot_of k)).
  { intros k Sub L Se. apply Forall2_mapped, Forall2_pairs; [exact L|]. intros a b I. apply slot_so; [apply Se; exact I | apply Fo, Sub; exact (in_combine_r _ _ _ _ I)]. }
  destruct H as [[L R]|(L & Lo & Up)].
  - left. split; [apply Part; auto|]. unfold Subsume.rest_covered. destruct (rest f) as [a|], (rest g) as [b|]; cbn [option_map]; auto. intros hq i. simpl. rewrite !N2Nat.id. exact (R hq i).
  - right. set (n := length (cells f)) in *. exists (List.map slot_of (firstn n (cells g))), (List.map slot_of (skipn n (cells g))). split; [rewrite <- map_app, firstn_skipn; reflexivity|]. split.
    + apply Part; [intros b I; rewrite <- (firstn_skipn n (cells g)); apply in_or_app; auto | rewrite firstn_length; lia|]. intros a b I. apply Cs. rewrite <- (firstn_skipn n (cells g)). apply combine_longer. exact I.
    + unfold Subsume.all_apart. cbn [Denoting.field_of FoldedMembers.apart object_of FoldedMembers.begins FoldedMembers.ends]. rewrite map_length. fold n. repeat constructor; intros _; simpl; rewrite !N2Nat.id; lia.
Qed.
Lemma object_so x y : object_seen Q M0 K0 v x y -> length (field_states x) = length (field_states y) -> is_object_formed d t y = true -> Subsume.object_covered entailed (symbols_of d) term_image array_image new matching_of (object_of x) (object_of y).
Proof.
  intros [A B C D F] L Fo. unfold is_object_formed in Fo. rewrite forallb_forall in Fo. split; cbn [object_of FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents].
  - rewrite A. reflexivity.
  - rewrite B. reflexivity.
  - apply value_image. exact C.
  - apply value_image. exact D.
  - apply Forall2_mapped, Forall2_pairs; [exact L|]. intros f g I. apply field_so; [apply F; exact I | apply Fo; exact (in_combine_r _ _ _ _ I)].
Qed.
Lemma part_so f q : find (parts_held t) f = Some q -> Subsume.part_covered trees entailed (symbols_of c) (symbols_of d) term_image old new matching_of r (N.to_nat f) (part_of q).
Proof.
  intros Fq. destruct (parts_seen f q Fq) as [(w & up & along & Fw & Up & Al & H)]. pose proof (proj2 (proj2 (proj2 formed_parts)) f q Fq) as Fo. unfold is_part_formed in Fo. apply andb_prop in Fo as [Fo Fs]. apply andb_prop in Fo as [Fo Fb]. apply andb_prop in Fo as [Fa Fl].
  exists (above_of up), (along_of along). cbn [part_of FoldedMembers.above FoldedMembers.alongside FoldedMembers.below FoldedMembers.symbol]. split; [apply around_so; assumption|]. split; [apply around_so; assumption|].
  assert (Rw : Subsume.root_slot matching_of (N.to_nat f) = slot_of w) by (cbn; rewrite N2Nat.id, Fw; reflexivity). assert (Tk : Subsume.takes matching_of (N.to_nat f) = tks f) by (cbn; rewrite N2Nat.id; reflexivity).
  destruct (find (symbols d) (symbol q)) as [[s|s]|] eqn:Sy; [| |destruct H]; rewrite (symbol_at _ _ Sy); cbn [symbol_of]; rewrite Rw, Tk.
  - destruct (below q); try discriminate. destruct H as (p & R & S). split; [reflexivity|]. exists p. split; [exact R | exact S].
  - destruct H as (Nh & p & w' & last & R & B & L & S). split; [exact Nh|]. exists p, (slot_of w'), (above_of last). split; [exact R|]. split; [apply slot_so; assumption|]. split; [|exact S].
    unfold Subsume.last_agrees. destruct last as [u|]; [|exact Logic.I]. cbn. rewrite N2Nat.id, L. destruct u; reflexivity.
Qed.
Hypothesis parts_once : NoDup (flat_map (fun p => tks (fst p)) (in_order (parts_held t))).
Hypothesis parts_free : forall x, In x (flat_map (fun p => tks (fst p)) (in_order (parts_held t))) -> match x with inl o => forall o', ~ image_is (Covering.matched v) o' (N.of_nat o) | inr _ => True end.
Lemma once_of (l : list (N * folded)) : NoDup (flat_map (fun p => tks (fst p)) l) -> NoDup (List.map fst l) -> (forall f q, In (f, q) l -> NoDup (tks f)) /\
  forall f g q p x, In (f, q) l -> In (g, p) l -> In x (tks f) -> In x (tks g) -> f = g.
Proof.
  induction l as [|[h z] l IH]; intros Nd Nk; [split; intros; contradiction|]. cbn [flat_map fst List.map] in *. inversion_clear Nk as [|? ? Nh Nk'].
  assert (Nl : NoDup (tks h) /\ NoDup (flat_map (fun p => tks (fst p)) l) /\ forall x, In x (tks h) -> In x (flat_map (fun p => tks (fst p)) l) -> False).
  { revert Nd. generalize (tks h) (flat_map (fun p => tks (fst p)) l). clear. induction l as [|a l IH]; intros k Nd; [split; [constructor|]; split; [exact Nd | intros ? []]|]. cbn [app] in Nd. inversion_clear Nd as [|? ? Na Nd']. destruct (IH k Nd') as (A & B & C).
    split; [constructor; [intros I; apply Na, in_or_app; auto | exact A]|]. split; [exact B|]. intros x [<-|I] J; [apply Na, in_or_app; auto | exact (C x I J)]. }
  destruct Nl as (N1 & N2 & N3). destruct (IH N2 Nk') as [A B]. split.
  - intros f q [[= <- <-]|I]; [exact N1 | eapply A; exact I].
  - intros f g q p x [[= <- <-]|I] [[= <- <-]|J] X Y; [reflexivity | | | eapply B; eauto]; exfalso; apply (N3 x); auto; apply in_flat_map; eauto.
Qed.
Lemma orders_once : NoDup (List.map fst (in_order (parts_held t))).
Proof.
  unfold in_order. assert (H : forall l, NoDup l -> NoDup (List.map fst (flat_map (fun n => match find (parts_held t) n with Some a => [(n, a)] | None => [] end) l)) /\ forall y, In y (List.map fst (flat_map (fun n => match find (parts_held t) n with Some a => [(n, a)] | None => [] end) l)) -> In y l).
  { induction l as [|n l IH]; intros Nd; [split; [constructor | intros ? []]|]. inversion_clear Nd as [|? ? Nn Nl]. destruct (IH Nl) as [A B]. cbn [flat_map]. destruct (find (parts_held t) n) as [a|]; cbn [app List.map fst]; [|split; [exact A | intros y I; right; auto]].
    split; [constructor; [intros I; apply Nn, B; exact I | exact A] | intros y [<-|I]; [left; reflexivity | right; auto]]. }
  apply H. unfold numbers_of. generalize (N.to_nat (given (parts_held t))) 0%N. induction n as [|n IH]; intros k; cbn [numbers_from]; constructor; [|apply IH]. intros I. apply Carried.numbers_from_in in I. lia.
Qed.
Lemma part_listed f q : find (parts_held t) f = Some q -> In (f, q) (in_order (parts_held t)).
Proof. intros F. apply in_order_in. split; [exact (proj1 formed_parts f q F) | exact F]. Qed.
Theorem member_so : (forall x y, forall o p, find (objects_held m) o = Some x -> find (objects_held t) p = Some y -> declaration x = declaration y -> length (field_states x) = length (field_states y)) ->
  Subsume.member_covered trees entailed (symbols_of c) (symbols_of d) term_image array_image old new matching_of r.
Proof.
  intros Alike. destruct (once_of _ parts_once orders_once) as [On Ap]. destruct formed_parts as (_ & Fs & Fo & _). split.
  - reflexivity.
  - cbn [member_of FoldedMembers.slots]. unfold entries_of. rewrite !map_map. destruct whole_one as [Dm Gm], whole_other as [Dt Gt]. replace (numbers_of (held t)) with (numbers_of (held m)) by (unfold numbers_of; rewrite Gm, Gt; reflexivity).
    apply Forall2_maps. intros n I. apply Carried.numbers_of_in in I. assert (Hm : find (held m) n <> None) by (apply Dm; exact I). assert (Ht : find (held t) n <> None) by (apply Dt; rewrite Gt, <- Gm; exact I).
    destruct (find (held m) n) as [w|] eqn:Fw; [|congruence]. destruct (find (held t) n) as [x|] eqn:Fx; [|congruence]. cbn [option_map]. apply slot_so; [eapply slots_seen; eauto | eapply Fs; eauto].
  - intros o z H. apply object_of_table in H as (y & -> & Fy). destruct (objects_seen _ y Fy) as (p & x & Im & Fx & Se). exists (object_of x). apply image_of_is in Im. rewrite Nat2N.id in Im. rewrite Im. split; [exact (object_in_table m p x (proj1 member_here) Fx)|].
    apply object_so; [exact Se | eapply Alike; [exact Fx | exact Fy | exact (seen_declared _ _ _ _ _ _ Se)] | eapply Fo; eauto].
  - intros f z H. apply part_of_table in H as (q & -> & Fq). rewrite <- (Nat2N.id f). apply part_so. exact Fq.
  - split; [|split; [|split]].
    + intros o o' z z' H H' Eq. apply object_of_table in H as (y & -> & Fy). apply object_of_table in H' as (y' & -> & Fy'). destruct (objects_seen _ y Fy) as (p & x & Im & _). destruct (objects_seen _ y' Fy') as (p' & x' & Im' & _).
      pose proof (image_of_is _ _ Im) as I1. pose proof (image_of_is _ _ Im') as I2. rewrite Nat2N.id in I1, I2. rewrite I1, I2 in Eq. apply N2Nat.inj in Eq. subst p'. apply Nat2N.inj. exact (images_once _ _ _ Im Im').
    + intros f z H. apply part_of_table in H as (q & -> & Fq). cbn [Subsume.takes matching_of]. eapply On. apply part_listed. exact Fq.
    + intros f g z z' x H H' I J. apply part_of_table in H as (q & -> & Fq). apply part_of_table in H' as (p & -> & Fp). apply Nat2N.inj. eapply Ap; [apply part_listed; exact Fq | apply part_listed; exact Fp | exact I | exact J].
    + intros o z f z' H H' I. apply object_of_table in H as (y & -> & Fy). apply part_of_table in H' as (q & -> & Fq). destruct (objects_seen _ y Fy) as (p & x & Im & _). pose proof (image_of_is _ _ Im) as I1. rewrite Nat2N.id in I1. rewrite I1 in I. cbn [Subsume.takes matching_of] in I.
      assert (J : In (inl (N.to_nat p)) (flat_map (fun p => tks (fst p)) (in_order (parts_held t)))) by (apply in_flat_map; exists (N.of_nat f, q); split; [apply part_listed; exact Fq | exact I]). apply parts_free in J. rewrite N2Nat.id in J. exact (J _ Im).
Qed.
End Matching.
End Member.

(** ** A member, as it is covered *)

Lemma taken_dec (x : Reading.taken) l : In x l \/ ~ In x l.
Proof. destruct (in_dec (fun a b : Reading.taken => ltac:(decide equality; apply Nat.eq_dec)) x l); auto. Qed.
Definition location_of (m : member_state) : N := match place_of m with At l => l | HasFailed => 0%N end.
Record covers_member (m t : member_state) (r : Subsume.reading) : Prop := {
  covers_place : place_of m = place_of t;
  covers_size : Covering.size_at_most (size_of m) (size_of t) = true;
  covers_count : match consumed_of t with IntegerSlot u => exists a, consumed_of m = IntegerSlot a /\ same_value Q M0 K0 a u | _ => True end;
  covers_so : exists u, Subsume.member_covered trees entailed (symbols_of c) (symbols_of d) term_image array_image (member_of (location_of m) m) (member_of (location_of m) t) u r /\
    (Owed.checks_leaks P -> Subsume.nothing_left P (member_of (location_of m) m) (member_of (location_of m) t) u) }.
Definition members_right (m t : member_state) : Prop := (whole_member E m /\ whole_member E t) /\ (member_there s0 m /\ member_there s0 t) /\ is_member_formed d mt t = true /\
  (holds_nothing t = true /\ ~ Owed.checks_leaks P \/ (is_wide E m = true /\ is_wide E t = true) /\ numbered_right (parts_held m) /\ numbered_right (symbols c)).
Notation seen_right := (seen_right c d mt trees s0).

Lemma leaks_left m t l v v1 tks pairs : is_wide E m = true -> member_there s0 m -> numbered_right (parts_held m) -> numbered_right (parts_held t) -> is_matched (objects_held m) v1 pairs -> (forall x y, In (x, y) pairs -> find (objects_held t) (named y) = Some y) -> Covering.free_parts v1 = parts_held m -> Covering.matched v = Covering.matched v1 ->
  given (Covering.free_objects v1) = given (objects_held m) -> took_all m v1 (flat_map (fun p => tks (fst p)) (in_order (parts_held t))) v -> Covering.nothing_left E v = true -> tables_right t -> Owed.checks_leaks P -> Subsume.nothing_left P (member_of l m) (member_of l t) (matching_of v tks).
Proof.
  intros W Th Nm Nt Ma Pt Ep Em Go [_ _ Le Ri] No Tt Ck. apply leaks_asked in Ck. unfold Covering.nothing_left in No. rewrite Ck in No. cbn [negb orb] in No. apply andb_prop in No as [Np No]. apply negb_true_iff in No.
  destruct Ri as [Ro Rp Co Cp]; [split; [exact (matched_free _ _ _ Ma) | rewrite Ep; auto | exact Go | rewrite Ep; reflexivity]|].
  assert (Taken : forall x, is_free v1 x -> ~ is_free v x -> In x (flat_map (fun p => tks (fst p)) (in_order (parts_held t)))).
  { intros x A B. destruct (taken_dec x (flat_map (fun p => tks (fst p)) (in_order (parts_held t)))) as [I|I]; [exact I|]. destruct B. apply Le. auto. }
  assert (By : forall x, In x (flat_map (fun p => tks (fst p)) (in_order (parts_held t))) -> exists f q, FoldedMembers.part_named (member_of l t) f = Some q /\ In x (Subsume.takes (matching_of v tks) f)).
  { intros x I. apply in_flat_map in I as ([f q] & I & J). apply in_order_in in I as [_ F]. exists (N.to_nat f), (part_of q). split; [apply part_in_table; assumption | cbn [matching_of Subsume.takes]; rewrite N2Nat.id; exact J]. }
  split.
  - intros o z H Lv Ow. apply object_of_table in H as (y & -> & Fy). cbn [object_of FoldedMembers.life_of FoldedMembers.kind] in Lv, Ow.
    destruct (matched_or_free _ _ _ Ma (N.of_nat o) y Fy) as [Fr|(o' & Im)].
    + right. apply By, Taken; [simpl; congruence|]. simpl. intros Fv. destruct (find (Covering.free_objects v) (N.of_nat o)) as [y'|] eqn:Fo; [|congruence].
      pose proof (Ro _ _ Fo) as Ey. rewrite Fy in Ey. injection Ey as <-. pose proof (objects_numbered m (proj1 Th) _ _ Fy) as Lo.
      assert (X : existsb (fun '(_, x) => is_owed E x) (in_order (Covering.free_objects v)) = true); [|congruence]. apply existsb_exists. exists (N.of_nat o, y). split; [apply in_order_in; split; [rewrite Co; exact Lo | exact Fo]|].
      unfold is_owed. destruct (life_of y); [|discriminate]. cbn [is_live andb]. pose proof (wide_object m (N.of_nat o) y W (proj1 Th) Fy) as Wy. unfold fields_of_declaration in Wy.
      destruct (at_position (objects_of (names_in E)) (declaration y)) as [xd|] eqn:Ax; [|discriminate]. unfold Owed.is_owed_kind in Ow. rewrite (same_objects _ _ _ setting_right _ _ Ax) in Ow. cbn in Ow. destruct (Certificates.origin_of xd); try discriminate; reflexivity.
    + left. destruct (matched_there _ _ _ Ma o' (N.of_nat o) Im) as (x & u & I & En). exists (N.to_nat o'). pose proof (Pt x u I) as Fu. rewrite En in Fu. split; [rewrite (object_in_table l t o' u Tt Fu); discriminate|].
      rewrite <- Em in Im. rewrite (image_of_is v tks o' (N.of_nat o) Im). apply Nat2N.id.
  - intros f z H. apply part_of_table in H as (q & -> & Fq). apply By, Taken; [simpl; rewrite Ep; congruence|]. simpl. intros Fv. destruct (find (Covering.free_parts v) (N.of_nat f)) as [q'|] eqn:Ff; [|congruence].
    assert (I : In (N.of_nat f, q') (in_order (Covering.free_parts v))) by (apply in_order_in; split; [rewrite Cp; exact (Nm _ _ Fq) | exact Ff]). destruct (in_order (Covering.free_parts v)); [destruct I | discriminate].
Qed.
Lemma wide_fields m t : is_wide E m = true -> is_wide E t = true -> tables_right m -> tables_right t -> forall x y o p, find (objects_held m) o = Some x -> find (objects_held t) p = Some y -> declaration x = declaration y -> length (field_states x) = length (field_states y).
Proof. intros Wm Wt Tm Tt x y o p Fx Fy Eq. pose proof (wide_object m o x Wm Tm Fx) as A. pose proof (wide_object t p y Wt Tt Fy) as B. rewrite Eq in A. congruence. Qed.
Theorem member_goes th seen r m t images_ : members_right m t -> seen_right seen r ->
  goes th (Covering.cover_member E c d mt (th, seen) (m, t, images_)) fst (fun st => exists r', seen_right (snd st) r' /\ reads_on seen r (snd st) r' /\
    (forall y, seen_as (snd st) y <> None -> seen_as seen y <> None \/ exists f q, find (parts_held t) f = Some q /\ symbol q = y) /\
    forall seen2 r2, reads_on (snd st) r' seen2 r2 -> covers_member m t r2).
Proof.
  intros ((Wm & Wt) & (Hm & Ht) & Fm & Wide) Se. destruct (slots_there s0 m Hm) as [Cm Sm]. destruct (slots_there s0 t Ht) as [Ct St]. destruct (targets_are t (proj1 Ht)) as [Nt Tt]. destruct (formed_parts t Ht Fm) as (Np & Fs & Fo & Fp).
  unfold Covering.cover_member. apply goes_demand. intros D. apply andb_prop in D as [Pe Sz]. apply place_eqb_is in Pe. set (ts := List.map snd (in_order (objects_held t))) in *. apply goes_demand. intros Le. apply N.eqb_eq in Le. rewrite !Templates.count_length in Le.
  match goal with |- context [folded_left Covering.match_object _ (?v0, [])] => set (start := v0) end.
  eapply goes_peek; [intros s M K _; apply (matches_peek s (objects_held m) ts images_ start []); [|lia | exact Nt | intros ? ? ? []]|].
  { split; [intros ? ? [] | | | |]; unfold start, image_is; cbn [Covering.matched Covering.free_objects]; intros; try (rewrite PositiveMap.gempty in *; discriminate); auto. }
  intros [v pairs] (Ma & Ep & (Ev & Ro & En & Ef & Er & Go)). cbn [fst snd List.map app] in *.
  assert (Pt : forall x u, In (x, u) pairs -> find (objects_held t) (named u) = Some u).
  { intros x u I. assert (Iu : In u ts) by (rewrite <- Ep; apply (in_map snd) in I; exact I). apply Tt in Iu as (o & F). rewrite (objects_by_name t (proj1 Ht) o u F). exact F. }
  assert (Sv : seen_right (Covering.read_symbols v) r) by (rewrite Er; exact Se). assert (Rv : roots_in s0 v) by (intros f w F; rewrite Ro in F; unfold start in F; cbn in F; rewrite Templates.find_none in F; discriminate).
  assert (Fr : free_right m v) by (split; [exact (matched_free _ _ _ Ma) | rewrite Ef; auto | exact Go | rewrite Ef; reflexivity]).
  replace th with (Covering.theta v) by (rewrite Ev; reflexivity).
  eapply goes_bind; [apply (slot_goes c nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold); [exact Cm | exact Ct]|]. intros v1 [G1 S1].
  destruct (whole_pairs E m t Wm Wt) as [In1 In2].
  eapply goes_bind; [apply (slots_goes c nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold); intros w x I; destruct (In1 w x I) as (n & A & B); split; [exact (Sm n w A) | exact (St n x B)]|]. intros v2 [G2 S2].
  eapply goes_bind; [apply (goes_folded nu mu tabs Q s0 M0 K0 (Covering.cover_object c) Covering.theta (fun _ => True) (grows_alone s0) (fun v p => object_seen Q M0 K0 v (fst p) (snd p)))|].
  { apply alone_refl. }
  { apply alone_trans. }
  { intros b b' [x u] [G _]. apply (object_grows _ _ _ _ _ _ _ _ G). }
  { intros b [x u] I _. eapply goes_weaker; [apply (object_goes c nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold)|]; [|intros b' H; exact (conj Logic.I H)].
    destruct (matched_here _ _ _ Ma x u I) as (o & _ & Fx & _). intros p J. apply in_app_or in J as [J|J]; [exact (objects_there s0 m o x Hm Fx p J) | exact (objects_there s0 t (named u) u Ht (Pt x u I) p J)]. }
  { exact Logic.I. }
  intros v3 (_ & G3 & S3). pose proof (alone_trans s0 _ _ _ (alone_trans s0 _ _ _ G1 G2) G3) as [G13 (E1 & E2 & E3)].
  eapply goes_bind with (th_a := Covering.theta) (P := fun v' => grows s0 v3 v' /\ exists tks r', took_all m v3 (flat_map (fun p => tks (fst p)) (in_order (parts_held t))) v' /\ seen_right (Covering.read_symbols v') r' /\
    reads_on (Covering.read_symbols v3) r (Covering.read_symbols v') r' /\ (forall y, seen_as (Covering.read_symbols v') y <> None -> seen_as (Covering.read_symbols v3) y <> None \/ exists f q, In (f, q) (in_order (parts_held t)) /\ symbol q = y) /\
    forall f q, In (f, q) (in_order (parts_held t)) -> part_seen c d trees Q M0 K0 m (location_of m) v' r' f q (tks f) /\ seen_as (Covering.read_symbols v') (symbol q) <> None).
  { rewrite <- E3 in Sv. assert (Ri : roots_in s0 v3) by exact (grows_in _ _ _ G13 Rv). assert (Fr3 : free_right m v3) by (destruct Fr as [A B C D]; split; rewrite ?E1, ?E2; assumption). destruct Wide as [[No _]|((W & _) & Nm & symbols_numbered)].
    - apply andb_prop in No as [_ No]. destruct (in_order (parts_held t)) as [|p ps]; [|discriminate]. cbn [folded_left]. apply goes_ret; [reflexivity|]. split; [apply grows_refl|]. exists (fun _ => []), r. split; [split; [constructor | intros ? [] | intros x; split; [intros H; split; [exact H | intros []] | intros [H _]; exact H] | auto]|].
      split; [exact Sv|]. split; [apply reads_on_refl|]. split; [auto | intros ? ? []].
    - eapply (parts_goes E c d mt trees sorts_are nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold symbols_numbered m t (location_of m)); [exact (objects_numbered m (proj1 Hm)) | exact Nm | | | exact (node_width m Hm W) | exact (lasts_named E sorts_formed) | | | | apply orders_once | exact Fr3 | exact Ri | exact Sv].
      + intros o x f w F If Iw p J. apply (objects_there s0 m o x Hm F). right. right. apply in_flat_map. exists f. split; [exact If|]. unfold field_terms. apply in_or_app. left. apply in_flat_map. eauto.
      + intros f q F p J. apply (parts_terms_there s0 m f q Hm Nm F). unfold folded_terms. apply in_or_app. right. apply in_or_app. right. exact J.
      + intros f q s F Sy. specialize (Fp f q F). unfold is_part_formed in Fp. rewrite Sy in Fp. apply andb_prop in Fp as [_ Fp]. destruct (below q); try discriminate. destruct (nth (paths_read mt) (symbol q)) as [[|]|]; try discriminate. reflexivity.
      + intros f q F. pose proof (parts_terms_there s0 t f q Ht Np F) as T. unfold folded_terms in T. split; [|split]; intros p J; apply T; apply in_or_app; [left; exact J | right; apply in_or_app; left; exact J | right; apply in_or_app; right; exact J].
      + intros f q I. apply in_order_in in I as [_ F]. exact F. }
  intros v4 [G4 (tks & r' & Tk & Se4 & On & Sy & Ps)]. apply goes_demand. intros Nl. apply goes_ret; [reflexivity|]. cbn [fst snd]. rewrite E3, Er in On, Sy. change (Covering.read_symbols start) with seen in On, Sy.
  pose proof (grows_trans s0 _ _ _ G13 G4) as G14. exists r'. split; [exact Se4|]. split; [exact On|]. split; [intros y H; destruct (Sy y H) as [A|(f & q & I & B)]; [left; exact A | right; exists f, q; apply in_order_in in I as [_ I]; auto]|].
  intros seen2 r2 On2.
  assert (T1 : took_all m v (flat_map (fun p => tks (fst p)) (in_order (parts_held t))) v4).
  { destruct Tk as [A B C D]. pose proof (free_same _ _ E1 E2) as Sm3. split; [exact A | intros x I; apply Sm3, B; exact I | intros x; rewrite C; rewrite Sm3; reflexivity | intros F; apply D; destruct F as [F1 F2 F3 F4]; split; rewrite ?E1, ?E2; assumption]. }
  assert (Imm : forall o' o, image_is (Covering.matched v4) o' o <-> image_is (Covering.matched v) o' o) by (intros o' o; rewrite (grows_matched _ _ _ G14); reflexivity).
  split; [exact Pe | exact Sz | |].
  - pose proof (seen_grows _ _ _ _ _ _ _ _ (grows_trans s0 _ _ _ (proj1 G2) (grows_trans s0 _ _ _ (proj1 G3) G4)) S1) as C1. unfold slot_seen in C1. destruct (consumed_of t); auto.
  - exists (matching_of v4 tks). split.
    + apply (member_so m t (location_of m) Wm Wt Hm Ht Fm v4 tks r2).
      * intros o' o Im. apply Imm in Im. destruct (matched_there _ _ _ Ma o' o Im) as (x & u & I & <-). exists u. exact (Pt x u I).
      * intros o' y F. assert (Iy : In y ts) by (apply Tt; eauto). rewrite <- Ep in Iy. apply in_map_iff in Iy as ([x y'] & Ey & I). cbn [snd] in Ey. subst y'. destruct (matched_here _ _ _ Ma x y I) as (o & Im & Fx & _). rewrite (objects_by_name t (proj1 Ht) o' y F) in Im.
        exists o, x. split; [apply Imm; exact Im|]. split; [exact Fx|]. apply (object_grows _ _ _ _ _ _ _ _ G4). exact (S3 (x, y) I).
      * intros o1 o2 o I1 I2. apply Imm in I1, I2. exact (matched_once _ _ _ Ma o1 o2 o I1 I2).
      * intros n w x Fw Fx. apply (seen_grows _ _ _ _ _ _ _ _ (grows_trans s0 _ _ _ (proj1 G3) G4)). apply S2. exact (In2 n w x Fw Fx).
      * intros f q F. assert (I : In (f, q) (in_order (parts_held t))) by (apply in_order_in; split; [exact (Np f q F) | exact F]). destruct (Ps f q I) as [Pq Sq]. eapply part_grows; [apply (grows_refl s0) | exact Sq | exact On2 | exact Pq].
      * exact (all_once _ _ _ _ T1).
      * intros [o|f] I; [|exact Logic.I]. intros o' Im. apply Imm in Im. pose proof (all_free _ _ _ _ T1 _ I) as Fo'. simpl in Fo'. destruct (matched_there _ _ _ Ma o' _ Im) as (x & u & J & <-). destruct (matched_here _ _ _ Ma x u J) as (o2 & Im2 & _ & Fn). unfold image_is in Im, Im2. rewrite Im in Im2. injection Im2 as <-. congruence.
      * destruct Wide as [[No _]|((W1 & W2) & _)]; [|exact (wide_fields m t W1 W2 (proj1 Hm) (proj1 Ht))]. intros x y o p _ F. apply andb_prop in No as [No _]. assert (I : In (p, y) (in_order (objects_held t))) by (apply in_order_in; split; [exact (objects_numbered t (proj1 Ht) p y F) | exact F]). destruct (in_order (objects_held t)); [destruct I | discriminate].
    + intros Ck. destruct Wide as [[_ Nc]|((W1 & _) & Nm & _)]; [destruct (Nc Ck)|]. exact (leaks_left m t (location_of m) v4 v tks pairs W1 Hm Nm Np Ma Pt Ef (grows_matched _ _ _ G14) Go T1 Nl (proj1 Ht) Ck).
Qed.
End Members.
