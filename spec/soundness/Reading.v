(** Reading (spec/calculus.md#reading): what stands in a configuration where a
    template has a folded part, cell by cell, and that it is what the part says.

    What is read is kept as pieces with their structure.  The kernel lists them
    in the order of reading: Pieces.v. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Refutations Sorts Programs Machine Alike Folding FoldedMembers.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

(** ** Positions and pieces *)

(** What is expected above a cell, or in its [Same] field: of no interest,
    unknown, or what a slot holds. *)
Inductive expected := OfNoInterest | NotKnown | Is (v : slot).
(** A slot that is forgotten is none that is expected (attack K3); no lemma
    needs that. *)
Definition is_one e v := match e with OfNoInterest => True | NotKnown => False | Is w => w = v /\ v <> forgotten end.

Inductive piece :=
| NullPiece
| TreePiece (x : nat)
| SegmentPiece (x : nat) (behind : piece)
| NodePiece (d : nat) (b : Z) (fs : list field_piece)
with field_piece := DataPiece (t : term) | PointerPiece (l : link) | BelowPiece (e : given) (p : piece)
| RingPiece (e : Z) (p : path) (last : expected)   (* and what is above its end *)
(** Along the path of a segment. *)
with path :=
| PathEnd
| SegmentPath (x : nat) (behind : path)
| NodePath (d : nat) (b : Z) (before : list field_piece) (e : given) (p : path) (after : list field_piece).

(** What is taken out of the tables. *)
Definition taken := (nat + nat)%type.

(** ** What pieces stand for *)

Section Meaning.
Variable nu : valuation.
Variable phi : meaning.
Fixpoint tree_of p : tree := match p with
  | NullPiece => Empty
  | TreePiece x => trees phi x
  | SegmentPiece x p => plug (contexts phi x) (tree_of p)
  | NodePiece d b fs => Node d b (map field_of_piece fs) end
with field_of_piece f : Sorts.field := match f with
  | DataPiece t => Sorts.Integer (eval nu t)
  | PointerPiece l => Sorts.Pointer l
  | BelowPiece e p => Below e (tree_of p)
  | RingPiece e p _ => Ringed e (context_of p) end
with context_of p : context := match p with
  | PathEnd => Hole
  | SegmentPath x p => compose (contexts phi x) (context_of p)
  | NodePath d b before e p after => Cell d b (map field_of_piece before) e (context_of p) (map field_of_piece after) end.
End Meaning.

Section Reading.
Variable P : program.
Variable table : nat -> sort_of_trees.
(** What the configuration's predicate entails, and its symbols. *)
Variable entailed : literal -> Prop.
Variable sorts : list symbol_sort.
Variable m : member.

Notation holds := Terms.holds.
Definition between lo hi t := [AtMost (Minus (Constant lo) t); AtMost (Minus t (Constant hi))].

(** What field k of a node holds, where it has one cell. *)
Definition cell_of x k := match nth_error (contents x) k with Some f => match apart f with [v] => Some v | _ => None end | None => None end.
(** What the [Same] fields below must hold. *)
Definition handed_slot x (along : expected) (e : given) : expected := match e with
  | AsIn (Some k) | By (FromField k) => match cell_of x k with Some v => Is v | None => OfNoInterest end
  | AsIn None => OfNoInterest
  | By FromAbove => along end.
(** What is above the hole of a segment that is read below this. *)
Definition last_of f q up last := last = Is (LastOf f) /\ is_one up (above q) \/ last = NotKnown.
(** A part is read where one of its sort is expected. *)
Definition part_fits s s' q up along := chain table s' s /\ (no_up table s \/ is_one up (above q)) /\ is_one along (alongside q).
(** The node can be read as one of the sort. *)
Definition node_fits s o x i ls := object_named m o = Some x /\ life_of x = Live /\ kind x = declaration (table s) /\
  i = begins x /\ In ls (shapes (table s)) /\ length ls = length (contents x).
(** A pointer to a node, where one of the sort is expected. *)
Definition to_node s o i := Plain (Members.PointerSlot o i (entrance (table s))).

(** The fields that lead to the last cell of a ring hold what has been found above
    its end. *)
Definition ends_read x fs := forall j k, nth_error fs j = Some (PointerPiece (Sorts.Last k)) ->
  exists v e p last, cell_of x j = Some v /\ nth_error fs k = Some (RingPiece e p last) /\ is_one last v.
(** Where a ring begins that hangs from the node. *)
Definition header own e := match own with Plain (Members.PointerSlot o i _) => Plain (Members.PointerSlot o i e) | v => v end.
(** A segment is read along a path that is chosen; a ring has one way on. *)
Inductive way := Chosen | Single.
Definition leads_on w s (ls1 ls2 : list link) := match w with Chosen => True | Single => ~ In (Child s) ls1 /\ ~ In (Child s) ls2 end.
(** The field that leads on, among those of its node. *)
Definition around_hole s fs1 fs2 := fs1 ++ PointerPiece (Child s) :: fs2.

(** ** Reading *)

Inductive reads : slot -> expected -> expected -> nat -> piece -> list taken -> Prop :=
| reads_null up along s : may_be_null (table s) = true -> reads (Plain Members.NullSlot) up along s NullPiece []
| reads_tree f q s s' up along : part_named m f = Some q -> nth_error sorts (symbol q) = Some (TreeOf s') ->
    part_fits s s' q up along -> reads (RootOf f) up along s (TreePiece (symbol q)) [inr f]
| reads_segment f q s s' up along last p tk : part_named m f = Some q -> nth_error sorts (symbol q) = Some (SegmentOf s') ->
    part_fits s s' q up along -> last_of f q up last -> reads (below q) last along s p tk ->
    reads (RootOf f) up along s (SegmentPiece (symbol q) p) (inr f :: tk)
| reads_node o x i s ls up along fs tk : node_fits s o x i ls ->
    reads_fields (to_node s o i) x up along 0 ls fs tk -> ends_read x fs ->
    reads (to_node s o i) up along s (NodePiece (declaration (table s)) (entrance (table s)) fs) (inl o :: tk)
with reads_fields : slot -> object_state -> expected -> expected -> nat -> list link -> list field_piece -> list taken -> Prop :=
| reads_none own x up along k : reads_fields own x up along k [] [] []
| reads_more own x up along k v l ls f fs tk tl : cell_of x k = Some v -> reads_field own x up along l v f tk ->
    reads_fields own x up along (S k) ls fs tl -> reads_fields own x up along k (l :: ls) (f :: fs) (tk ++ tl)
with reads_field : slot -> object_state -> expected -> expected -> link -> slot -> field_piece -> list taken -> Prop :=
| reads_data own x up along t : reads_field own x up along Data (Plain (Members.IntegerSlot t)) (DataPiece t) []
| reads_range own x up along lo hi t : Forall entailed (between lo hi t) ->
    reads_field own x up along (Range lo hi) (Plain (Members.IntegerSlot t)) (DataPiece t) []
| reads_up own x up along v : is_one up v -> reads_field own x up along Up v (PointerPiece Up) []
| reads_same own x up along v : is_one along v -> reads_field own x up along Sorts.Same v (PointerPiece Sorts.Same) []
| reads_other own x up along : reads_field own x up along Other (Plain Members.NothingHeld) (PointerPiece Other) []
| reads_nothing own x up along : reads_field own x up along Sorts.Null (Plain Members.NullSlot) (PointerPiece Sorts.Null) []
| reads_anything own x up along v : reads_field own x up along Anything v (PointerPiece Anything) []
| reads_child own x up along s v p tk : reads v (Is own) (handed_slot x along (AsIn (same_field table s))) s p tk ->
    reads_field own x up along (Child s) v (BelowPiece (AsIn (same_field table s)) p) tk
| reads_handed own x up along s from v p tk : reads v (Is own) (handed_slot x along (By from)) s p tk ->
    reads_field own x up along (Handed s from) v (BelowPiece (By from) p) tk
| reads_ring own x up along s e v p tk last : reads_path Single v (Is (header own e)) OfNoInterest s p tk (header own e) last ->
    reads_field own x up along (Ring s e) v (RingPiece e p last) tk
| reads_last own x up along k v : reads_field own x up along (Sorts.Last k) v (PointerPiece (Sorts.Last k)) []
(** Along a path, to the slot in the hole and what is expected above that. *)
with reads_path : way -> slot -> expected -> expected -> nat -> path -> list taken -> slot -> expected -> Prop :=
| path_ends w v up along s : reads_path w v up along s PathEnd [] v up
| path_segment w f q s s' up along last p tk v up' : part_named m f = Some q -> nth_error sorts (symbol q) = Some (SegmentOf s') ->
    part_fits s s' q up along -> last_of f q up last -> reads_path w (below q) last along s p tk v up' ->
    reads_path w (RootOf f) up along s (SegmentPath (symbol q) p) (inr f :: tk) v up'
| path_node w o x i s ls1 ls2 up along fs1 v p fs2 tk1 tk tk2 v' up' : node_fits s o x i (ls1 ++ Child s :: ls2) -> leads_on w s ls1 ls2 ->
    reads_fields (to_node s o i) x up along 0 ls1 fs1 tk1 -> cell_of x (length ls1) = Some v ->
    reads_path w v (Is (to_node s o i)) (handed_slot x along (AsIn (same_field table s))) s p tk v' up' ->
    reads_fields (to_node s o i) x up along (S (length ls1)) ls2 fs2 tk2 -> ends_read x (around_hole s fs1 fs2) ->
    reads_path w (to_node s o i) up along s
      (NodePath (declaration (table s)) (entrance (table s)) fs1 (AsIn (same_field table s)) p fs2) (inl o :: tk1 ++ tk ++ tk2) v' up'.
Scheme reads_mind := Induction for reads Sort Prop
  with reads_fields_mind := Induction for reads_fields Sort Prop
  with reads_field_mind := Induction for reads_field Sort Prop
  with reads_path_mind := Induction for reads_path Sort Prop.
Combined Scheme reads_ind' from reads_mind, reads_fields_mind, reads_field_mind, reads_path_mind.

(** ** What is read is in the tables *)

Definition is_there (c : taken) := match c with inl o => object_named m o <> None | inr f => part_named m f <> None end.
Lemma reads_exist :
  (forall v up along s p tk, reads v up along s p tk -> Forall is_there tk) /\
  (forall own x up along k ls fs tk, reads_fields own x up along k ls fs tk -> Forall is_there tk) /\
  (forall own x up along l v f tk, reads_field own x up along l v f tk -> Forall is_there tk) /\
  (forall w v up along s p tk v' up', reads_path w v up along s p tk v' up' -> Forall is_there tk).
Proof.
  apply reads_ind'; intros; auto; try (repeat (apply Forall_app; split); auto; fail); constructor; auto; simpl; try congruence;
  try (repeat (apply Forall_app; split); auto; fail); destruct n as (N & _); congruence.
Qed.
Lemma path_exists w v up along s p tk v' up' : reads_path w v up along s p tk v' up' -> Forall is_there tk.
Proof. apply reads_exist. Qed.

(** ** What is read is there *)

Variable nu : valuation.
Variable phi : meaning.
Variables (rho : nat -> nat) (roots lasts : nat -> holding) (cells : nat -> list nat) (g : state).
Hypothesis entailed_holds : forall l, entailed l -> holds nu l.
Hypothesis meant : well_meant P table sorts phi.
Hypothesis described : describes_by P sorts nu phi m rho roots lasts cells g.
Hypothesis ones : one_same table.
Hypothesis checked : forall s, Sorts.named (table s) <> None -> names_wider table s.
Hypothesis of_nodes : forall s ls, In ls (shapes (table s)) -> is_node P (declaration (table s)) = true.
Notation means := (means nu m rho roots lasts).
Definition means_expected e : holding := match e with OfNoInterest => anything | NotKnown => nothing | Is v => means v end.
Definition footprint (tk : list taken) := flat_map (fun c => match c with inl o => [rho o] | inr f => cells f end) tk.

Lemma is_one_sub e v : is_one e v -> sub (means v) (means_expected e).
Proof. destruct e as [| |w]; simpl; auto; [intros []|]. intros [-> _]. auto. Qed.

Notation single h := (forall v w : value, h v -> h w -> v = w).
(** Of each field: what its cell says is what the piece is. *)
Definition field_read o b x up along v f fp := match f with
  | DataPiece t => v = Plain (Members.IntegerSlot t) /\ fp = []
  | PointerPiece l => sub (means v) (told (means_expected up) (means_expected along) anything (OfField (Sorts.Pointer l))) /\ fp = []
  | BelowPiece e p => tree_at g (tree_of nu phi p) (means v) (eq (start_of g (rho o) b)) (means_expected (handed_slot x along e)) fp
  | RingPiece e p last => context_at g (context_of nu phi p) (means v) (eq (start_of g (rho o) e)) anything fp (means_expected last) (eq (start_of g (rho o) e)) /\
      single (means_expected last) end.
Inductive fields_read o b x up along : nat -> list field_piece -> list nat -> Prop :=
| none_read k : fields_read o b x up along k [] []
| more_read k v f fs fp fq : cell_of x k = Some v -> field_read o b x up along v f fp -> fields_read o b x up along (S k) fs fq ->
    fields_read o b x up along k (f :: fs) (fp ++ fq).

Lemma header_start s o x i ls e : node_fits s o x i ls -> means (header (to_node s o i) e) = eq (start_of g (rho o) e).
Proof.
  intros (N & _ & _ & -> & _). simpl. rewrite N. unfold start_of. rewrite (same_start _ _ _ _ _ _ _ (objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ N)). auto.
Qed.
Lemma node_start s o x i ls : node_fits s o x i ls ->
  sub (means (to_node s o i)) (eq (start_of g (rho o) (entrance (table s)))) /\ sub (eq (start_of g (rho o) (entrance (table s)))) (means (to_node s o i)).
Proof. intros N. rewrite <- (header_start _ _ _ _ _ (entrance (table s)) N). auto. Qed.
Lemma node_cell s o x i ls n : node_fits s o x i ls -> n = length ls -> is_cell g (rho o) (declaration (table s)) n.
Proof.
  intros (N & L & K & _ & Sh & W) ->. destruct (objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ N) as [A B C D E _].
  assert (Nd : is_node P (kind x) = true) by (rewrite K; eapply of_nodes; eauto).
  destruct (nodes_hold _ _ _ _ _ _ _ _ _ _ described _ _ N Nd) as [Z0 Z1]. unfold is_cell. repeat split; try congruence; lia.
Qed.
Lemma node_holds s o x i ls k v : node_fits s o x i ls -> cell_of x k = Some v -> means v (content g (rho o) k).
Proof.
  intros (N & L & K & _ & Sh & _) C. destruct (objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ N) as [A B C0 D E F].
  assert (Nd : is_node P (kind x) = true) by (rewrite K; eapply of_nodes; eauto).
  destruct (nodes_hold _ _ _ _ _ _ _ _ _ _ described _ _ N Nd) as [Z0 Z1]. specialize (F L k (lower (object_at g (rho o)))).
  unfold content. unfold cell_of in C. destruct (nth_error (contents x) k) as [c|] eqn:Ec; [|discriminate].
  rewrite (nth_error_nth _ _ _ Ec) in F. unfold means_element in F. rewrite C0, Z0 in F |- *.
  destruct (apart c) as [|v0 [|]]; try discriminate. injection C as ->. simpl in F. apply F. lia.
Qed.

(** *** The fields of a node *)

Notation told_by up along := (told (means_expected up) (means_expected along)).
Lemma fields_nth o b x up along k fs fp : fields_read o b x up along k fs fp ->
  forall j f, nth_error fs j = Some f -> exists v fq, cell_of x (k + j) = Some v /\ field_read o b x up along v f fq.
Proof.
  induction 1 as [|k v f fs fp fq C F _ IH]; intros [|j] f'; simpl; try discriminate.
  - intros [= <-]. rewrite Nat.add_0_r. eauto.
  - intros E. replace (k + S j)%nat with (S k + j)%nat by lia. auto.
Qed.
Definition not_last f := match f with PointerPiece (Sorts.Last _) => False | _ => True end.
Lemma field_told o b x up along k v f fq : not_last f -> means v (content g (rho o) k) -> field_read o b x up along v f fq ->
  forall h, h = anything \/ h = eq (content g (rho o) k) -> sub (means v) (told_by up along h (OfField (field_of_piece nu phi f))).
Proof.
  intros Nl C F h Hh. destruct f as [t|l|e p|e p last]; simpl in F.
  - destruct F as [-> _]. simpl. auto.
  - destruct F as [F _]. destruct l; try exact F. destruct Nl.
  - simpl. destruct Hh as [->| ->]; auto. intros w W. eapply tree_single; eauto.
  - simpl. destruct Hh as [->| ->]; auto. intros w W. destruct F as [F _]. eapply context_single; eauto. intros y z <- <-. reflexivity.
Qed.
Lemma handed_read o x up along all e : (forall k c, nth_error all k = Some c -> exists v, cell_of x k = Some v /\
    forall h, h = anything \/ h = eq (content g (rho o) k) -> sub (means v) (told_by up along h c)) ->
  sub (means_expected (handed_slot x along e)) (handed g (means_expected up) (means_expected along) all (rho o) e).
Proof.
  intros H. destruct e as [[k|]|[k|]]; simpl; auto;
  (destruct (nth_error all k) as [c|] eqn:E; auto); destruct (H k c E) as (v & -> & T); apply T; auto.
Qed.
Lemma fields_made o b x up along all k fs fp : fields_read o b x up along k fs fp ->
  (forall j v, cell_of x j = Some v -> means v (content g (rho o) j)) ->
  (forall e, sub (means_expected (handed_slot x along e)) (handed g (means_expected up) (means_expected along) all (rho o) e)) ->
  (forall j e p last, nth_error fs j = Some (RingPiece e p last) -> sub (leads_to_last g all (rho o) (k + j)) (means_expected last)) ->
  fields_at g (rho o) b all (means_expected up) (means_expected along) k (map (field_of_piece nu phi) fs) fp.
Proof.
  intros F C H. induction F as [|k v f fs fp fq E R _ IH]; simpl; [constructor|]. intros La. constructor.
  - specialize (C _ _ E). destruct f as [t|l|e p|e p last]; simpl in R |- *.
    + destruct R as [-> ->]. apply plain_field; [exact I | exact C].
    + destruct R as [R ->]. apply plain_field; [exact I | apply R; exact C].
    + apply below_field. eapply tree_weaker; eauto.
    + apply ring_field. specialize (La O _ _ _ eq_refl). rewrite Nat.add_0_r in La. eapply context_weaker; [exact (proj1 R) | auto | auto | auto | exact La | auto].
  - apply IH. intros j e p last N. rewrite plus_Sn_m, plus_n_Sm. apply (La (S j) e p last N).
Qed.
(** What a field says, and one that leads to the last cell of a ring, where all
    fields are known. *)
Section Whole.
Variables (o : nat) (b : Z) (x : object_state) (up along : expected) (whole : list field_piece) (all : list held).
Hypothesis ends : ends_read x whole.
Hypothesis rings : forall k e p last, nth_error whole k = Some (RingPiece e p last) -> exists v fq, cell_of x k = Some v /\ field_read o b x up along v (RingPiece e p last) fq.
Hypothesis cells_hold : forall j v, cell_of x j = Some v -> means v (content g (rho o) j).
Lemma last_told j k h : nth_error whole j = Some (PointerPiece (Sorts.Last k)) -> h = anything \/ h = eq (content g (rho o) j) ->
  exists v, cell_of x j = Some v /\ sub (means v) h.
Proof.
  intros N Hh. destruct (ends _ _ N) as (v & e & p & last & C & K & I). exists v. split; auto. destruct Hh as [->| ->]; auto.
  destruct (rings _ _ _ _ K) as (v' & fq & _ & _ & S). pose proof (is_one_sub _ _ I) as B. intros w W. apply S; auto.
Qed.
Hypothesis listed : forall j k, nth_error all j = Some (OfField (Sorts.Pointer (Sorts.Last k))) -> nth_error whole j = Some (PointerPiece (Sorts.Last k)).
Lemma lasts_read k e p last : nth_error whole k = Some (RingPiece e p last) -> sub (leads_to_last g all (rho o) k) (means_expected last).
Proof.
  intros K w (j & N & ->). destruct (ends _ _ (listed _ _ N)) as (v & e' & p' & last' & C & K' & I). rewrite K in K'. injection K' as <- <- <-.
  apply (is_one_sub _ _ I). auto.
Qed.
End Whole.
Lemma rings_read o b x up along fs fp : fields_read o b x up along 0 fs fp ->
  forall k e p last, nth_error fs k = Some (RingPiece e p last) -> exists v fq, cell_of x k = Some v /\ field_read o b x up along v (RingPiece e p last) fq.
Proof. intros F k e p last N. exact (fields_nth _ _ _ _ _ _ _ _ F _ _ N). Qed.
Lemma told_all o b x up along fs fp : fields_read o b x up along 0 fs fp -> ends_read x fs ->
  (forall j v, cell_of x j = Some v -> means v (content g (rho o) j)) ->
  forall k c, nth_error (map OfField (map (field_of_piece nu phi) fs)) k = Some c -> exists v, cell_of x k = Some v /\
    forall h, h = anything \/ h = eq (content g (rho o) k) -> sub (means v) (told_by up along h c).
Proof.
  intros F N C k c E. rewrite !nth_error_map in E. destruct (nth_error fs k) as [f|] eqn:Ef; [|discriminate]. injection E as <-.
  destruct (fields_nth _ _ _ _ _ _ _ _ F _ _ Ef) as (v & fq & E & R). exists v. split; auto. intros h Hh. assert (L : not_last f \/ exists j, f = PointerPiece (Sorts.Last j)).
  { destruct f as [t|l|e p|e p last]; simpl; auto. destruct l; simpl; eauto. }
  destruct L as [L|(j & ->)]; [apply (field_told o b x up along k v f fq); auto|].
  destruct (last_told _ _ _ _ _ _ N (rings_read _ _ _ _ _ _ _ F) C _ _ h Ef Hh) as (w & Ew & S). simpl in E. rewrite E in Ew. injection Ew as <-. exact S.
Qed.
Lemma pieces_listed fs j k : nth_error (map OfField (map (field_of_piece nu phi) fs)) j = Some (OfField (Sorts.Pointer (Sorts.Last k))) ->
  nth_error fs j = Some (PointerPiece (Sorts.Last k)).
Proof. rewrite !nth_error_map. destruct (nth_error fs j) as [[t|l|e p|e p last]|]; try discriminate. intros [= ->]. reflexivity. Qed.

(** *** Trees *)

Lemma footprint_app tk tl : footprint (tk ++ tl) = footprint tk ++ footprint tl.
Proof. apply flat_map_app. Qed.
Lemma root_means f q : part_named m f = Some q -> means (RootOf f) = roots f /\ means (LastOf f) = lasts f.
Proof. intros E. unfold FoldedMembers.means, means_part. rewrite E. auto. Qed.

(** A segment, where it is read. *)
Lemma part_below f q s s' up along last : part_named m f = Some q -> nth_error sorts (symbol q) = Some (SegmentOf s') ->
  part_fits s s' q up along -> last_of f q up last ->
  exists fp, Permutation fp (cells f) /\
    context_at g (contexts phi (symbol q)) (roots f) (means_expected up) (means_expected along) fp (means_expected last) (means (below q)).
Proof.
  intros E S (Ch & U & A) La. pose proof (parts_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as D.
  pose proof (meant (symbol q)) as M. destruct D as (fp & Pm & D). unfold well_meant_symbol in M. rewrite S in D, M. destruct M as [M _]. exists fp. split; auto.
  assert (Sg : segment table s (contexts phi (symbol q))) by (eapply chain_segments; eauto).
  apply context_weaker with (m := means (alongside q)) (r := roots f) (a := means_expected up) (l := means_expected last) (h := means (below q));
    auto using is_one_sub.
  destruct La as [[-> I]| ->].
  - eapply context_weaker; [exact D | auto | apply is_one_sub; exact I | auto | | auto]. change (sub (means (LastOf f)) (lasts f)). rewrite (proj2 (root_means _ _ E)). auto.
  - destruct U as [U|U]; [eapply context_no_up; eauto|].
    eapply context_weaker; [exact D | auto | apply is_one_sub; exact U | auto | simpl; auto | auto].
Qed.

(** *** A node on the path *)

Lemma same_of_split s ls1 ls2 : forall k, position_of_same (ls1 ++ Child s :: ls2) = Some k ->
  position_of_same ls1 = Some k \/ exists j, position_of_same ls2 = Some j /\ k = (S (length ls1) + j)%nat.
Proof.
  induction ls1 as [|l ls1 IH]; intros k; simpl.
  - destruct (position_of_same ls2) as [j|]; [|discriminate]. intros [= <-]. right. exists j. auto.
  - assert (X : option_map S (position_of_same (ls1 ++ Child s :: ls2)) = Some k ->
      option_map S (position_of_same ls1) = Some k \/ exists j, position_of_same ls2 = Some j /\ k = (S (S (length ls1)) + j)%nat).
    { destruct (position_of_same (ls1 ++ Child s :: ls2)) as [i|]; [|discriminate]. intros [= <-].
      destruct (IH i eq_refl) as [->|(j & E & ->)]; [left; auto | right; exists j; split; auto]. }
    destruct l; auto.
Qed.

Section Link.
Variables (o : nat) (b : Z) (x : object_state) (up along : expected) (fs1 fs2 : list field_piece) (v : slot) (fp1 fp2 : list nat).
Hypothesis read1 : fields_read o b x up along 0 fs1 fp1.
Hypothesis read2 : fields_read o b x up along (S (length fs1)) fs2 fp2.
Variable s0 : nat.
Let whole := around_hole s0 fs1 fs2.
Hypothesis ends : ends_read x whole.
Hypothesis on_path : cell_of x (length fs1) = Some v.
Hypothesis cells_hold : forall j w, cell_of x j = Some w -> means w (content g (rho o) j).
Let all := map OfField (map (field_of_piece nu phi) fs1) ++ OfHole (means v) :: map OfField (map (field_of_piece nu phi) fs2).
Lemma whole_before j f : nth_error fs1 j = Some f -> nth_error whole j = Some f.
Proof. intros N. unfold whole, around_hole. rewrite nth_error_app1; auto. apply nth_error_Some. congruence. Qed.
Lemma whole_after j : nth_error whole (S (length fs1) + j) = nth_error fs2 j.
Proof. unfold whole, around_hole. rewrite nth_error_app2 by lia. replace (S (length fs1) + j - length fs1)%nat with (S j) by lia. reflexivity. Qed.
Lemma whole_cases k : (exists f, nth_error fs1 k = Some f) \/ k = length fs1 \/ exists j, k = (S (length fs1) + j)%nat.
Proof.
  destruct (Nat.lt_trichotomy k (length fs1)) as [K|[K|K]]; auto.
  - left. destruct (nth_error fs1 k) as [f|] eqn:E; eauto. apply nth_error_None in E. lia.
  - right. right. exists (k - S (length fs1))%nat. lia.
Qed.
Lemma whole_rings k e p last : nth_error whole k = Some (RingPiece e p last) -> exists w fq, cell_of x k = Some w /\ field_read o b x up along w (RingPiece e p last) fq.
Proof.
  destruct (whole_cases k) as [(f & N)|[->|(j & ->)]]; intros E.
  - rewrite (whole_before _ _ N) in E. injection E as ->. exact (fields_nth _ _ _ _ _ _ _ _ read1 _ _ N).
  - unfold whole, around_hole in E. rewrite nth_error_app2, Nat.sub_diag in E by lia. discriminate.
  - rewrite whole_after in E. exact (fields_nth _ _ _ _ _ _ _ _ read2 _ _ E).
Qed.
Lemma all_before k f : nth_error fs1 k = Some f -> nth_error all k = Some (OfField (field_of_piece nu phi f)).
Proof.
  intros N. unfold all. rewrite nth_error_app1; [rewrite !nth_error_map, N; reflexivity|]. rewrite !map_length. apply nth_error_Some. congruence.
Qed.
Lemma all_hole : nth_error all (length fs1) = Some (OfHole (means v)).
Proof. unfold all. rewrite nth_error_app2 by (rewrite !map_length; lia). rewrite !map_length, Nat.sub_diag. reflexivity. Qed.
Lemma all_after j : nth_error all (S (length fs1) + j) = nth_error (map OfField (map (field_of_piece nu phi) fs2)) j.
Proof.
  unfold all. rewrite nth_error_app2 by (rewrite !map_length; lia). rewrite !map_length. replace (S (length fs1) + j - length fs1)%nat with (S j) by lia. reflexivity.
Qed.
Lemma whole_listed j k : nth_error all j = Some (OfField (Sorts.Pointer (Sorts.Last k))) -> nth_error whole j = Some (PointerPiece (Sorts.Last k)).
Proof.
  destruct (whole_cases j) as [(f & N)|[->|(i & ->)]]; intros E.
  - rewrite (whole_before _ _ N). rewrite (all_before _ _ N) in E. destruct f as [t|l|e p|e p last]; try discriminate. injection E as ->. reflexivity.
  - rewrite all_hole in E. discriminate.
  - rewrite all_after in E. rewrite whole_after. apply pieces_listed. exact E.
Qed.
Lemma told_link k c : nth_error all k = Some c -> exists w, cell_of x k = Some w /\
  forall h, h = anything \/ h = eq (content g (rho o) k) -> sub (means w) (told_by up along h c).
Proof.
  assert (Each : forall f w fq, nth_error whole k = Some f -> cell_of x k = Some w -> field_read o b x up along w f fq ->
    forall h, h = anything \/ h = eq (content g (rho o) k) -> sub (means w) (told_by up along h (OfField (field_of_piece nu phi f)))).
  { intros f w fq N E R h Hh. assert (L : not_last f \/ exists j, f = PointerPiece (Sorts.Last j)).
    { destruct f as [t|l|e p|e p last]; simpl; auto. destruct l; simpl; eauto. }
    destruct L as [L|(j & ->)]; [apply (field_told o b x up along k w f fq); auto|].
    destruct (last_told _ _ _ _ _ _ ends whole_rings cells_hold _ _ h N Hh) as (w' & Ew & S). rewrite E in Ew. injection Ew as <-. exact S. }
  destruct (whole_cases k) as [(f & N)|[->|(j & ->)]]; intros E.
  - rewrite (all_before _ _ N) in E. injection E as <-. destruct (fields_nth _ _ _ _ _ _ _ _ read1 _ _ N) as (w & fq & Ew & R). simpl in Ew.
    exists w. split; [exact Ew | eapply Each; eauto using whole_before].
  - rewrite all_hole in E. injection E as <-. exists v. split; auto.
  - rewrite all_after, !nth_error_map in E. destruct (nth_error fs2 j) as [f|] eqn:Ef; [|discriminate]. injection E as <-.
    destruct (fields_nth _ _ _ _ _ _ _ _ read2 _ _ Ef) as (w & fq & Ew & R).
    exists w. split; [exact Ew | eapply Each; eauto]. rewrite whole_after. exact Ef.
Qed.
(** What the segment's cells have in their [Same] field is what is handed on. *)
Lemma same_kept ls1 ls2 s k : fields table ls1 (map (field_of_piece nu phi) fs1) -> fields table ls2 (map (field_of_piece nu phi) fs2) ->
  position_of_same (ls1 ++ Child s :: ls2) = Some k -> sub (means_expected (handed_slot x along (AsIn (Some k)))) (means_expected along).
Proof.
  intros F1 F2 K. pose proof (fields_length _ _ _ F1) as L. rewrite map_length in L.
  assert (E : nth_error all k = Some (OfField (Sorts.Pointer Sorts.Same))).
  { unfold all. destruct (same_of_split _ _ _ _ K) as [Q|(j & Q & ->)].
    - pose proof (same_held _ _ _ F1 _ Q) as N. rewrite nth_error_app1; [rewrite nth_error_map, N; auto|].
      rewrite map_length. apply nth_error_Some. congruence.
    - pose proof (same_held _ _ _ F2 _ Q) as N. rewrite nth_error_app2 by (rewrite !map_length; lia). rewrite !map_length.
      replace (S (length ls1) + j - length fs1)%nat with (S j) by lia. simpl. rewrite nth_error_map, N. auto. }
  destruct (told_link _ _ E) as (w & C & T). simpl. rewrite C. simpl. exact (T anything (or_introl eq_refl)).
Qed.
End Link.

(** What is above the end of a ring is one value, or nothing is known of it. *)
Lemma path_single w v up along s p tk v' up' : reads_path w v up along s p tk v' up' -> single (means_expected up) -> single (means_expected up').
Proof.
  induction 1 as [w v up along s | w f q s s' up along last p tk v up' E S _ La _ IH
    | w o x i s ls1 ls2 up along fs1 v p fs2 tk1 tk tk2 v' up' N _ _ _ _ IH _ _]; intros U; auto; apply IH.
  - destruct La as [[-> I]| ->]; [|intros y z []]. pose proof (is_one_sub _ _ I) as B. intros y z Y Z.
    change (means (LastOf f) y) in Y. change (means (LastOf f) z) in Z. rewrite (proj2 (root_means _ _ E)) in Y, Z.
    destruct (parts_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as (fp & _ & D). rewrite S in D. eapply last_single; eauto.
  - intros y z Y Z. destruct (node_start _ _ _ _ _ N) as [S1 _]. rewrite <- (S1 _ Y), <- (S1 _ Z). reflexivity.
Qed.

Theorem reads_sound :
  (forall v up along s p tk, reads v up along s p tk ->
     (exists fp, Permutation fp (footprint tk) /\ tree_at g (tree_of nu phi p) (means v) (means_expected up) (means_expected along) fp) /\
     of_sort table s (tree_of nu phi p)) /\
  (forall own x up along k ls fs tk, reads_fields own x up along k ls fs tk ->
     forall o s i ls0, node_fits s o x i ls0 -> own = to_node s o i ->
     (exists fp, Permutation fp (footprint tk) /\ fields_read o (entrance (table s)) x up along k fs fp) /\ fields table ls (map (field_of_piece nu phi) fs)) /\
  (forall own x up along l v f tk, reads_field own x up along l v f tk ->
     forall o s i ls0, node_fits s o x i ls0 -> own = to_node s o i ->
     (exists fp, Permutation fp (footprint tk) /\ field_read o (entrance (table s)) x up along v f fp) /\ fits table l (field_of_piece nu phi f)) /\
  (forall w v up along s p tk v' up', reads_path w v up along s p tk v' up' -> forall mm, sub (means_expected along) mm -> no_handed table s \/ mm = anything ->
     (exists fp, Permutation fp (footprint tk) /\
        context_at g (context_of nu phi p) (means v) (means_expected up) mm fp (means_expected up') (means v')) /\
     segment table s (context_of nu phi p)).
Proof.
  apply reads_ind'.
  - intros up along s N. split; [|constructor; auto]. exists []. split; auto. constructor. simpl. auto.
  - intros f q s s' up along E S (Ch & U & A). pose proof (parts_hold _ _ _ _ _ _ _ _ _ _ described _ _ E) as D.
    pose proof (meant (symbol q)) as M. destruct D as (fp & Pm & D). unfold well_meant_symbol in M. rewrite S in D, M. destruct M as [M _]. destruct D as (_ & _ & D).
    assert (O : of_sort table s (trees phi (symbol q))) by (eapply chain_trees; eauto).
    split; auto. exists fp. split; [simpl; rewrite app_nil_r; exact Pm|]. rewrite (proj1 (root_means _ _ E)).
    apply (tree_weaker g _ (roots f) (means_expected up) (means (alongside q))); auto using is_one_sub.
    destruct U as [U|U]; [eapply tree_no_up; eauto | eapply tree_weaker; [exact D | auto | apply is_one_sub; exact U | auto]].
  - intros f q s s' up along last p tk E S (Ch & U & A) La _ [(fp & Pm & T) O].
    pose proof (meant (symbol q)) as M. unfold well_meant_symbol in M. rewrite S in M. destruct M as [M _].
    assert (Sg : segment table s (contexts phi (symbol q))) by (eapply chain_segments; eauto).
    rewrite (proj1 (root_means _ _ E)).
    destruct (part_below _ _ _ _ _ _ _ E S (conj Ch (conj U A)) La) as (fq & Pq & D').
    split; [|apply plugged; auto].
    destruct (plugged_at g table ones s _ _ _ _ _ _ _ _ _ Sg O D' T) as (fp' & Pm' & T'). exists fp'. split; [|exact T'].
    rewrite Pm'. simpl. apply Permutation_app; auto.
  - intros o x i s ls up along fs tk N _ IH Er. destruct (IH o s i ls N eq_refl) as [(fp & Pm & F) Ty].
    assert (H : forall j v, cell_of x j = Some v -> means v (content g (rho o) j)) by (intros; eapply node_holds; eauto).
    destruct (node_start _ _ _ _ _ N) as [S1 S2]. pose proof N as (_ & _ & _ & _ & I & _). simpl tree_of.
    split; [|econstructor; eauto]. exists (rho o :: fp). split; [simpl; auto|].
    constructor; [exact S1 | eapply node_cell; [exact N | apply (fields_length table); exact Ty] |].
    eapply fields_made; eauto; [intros e; apply handed_read; eapply told_all; eauto|].
    intros k e p last K. apply (lasts_read o x fs _ Er H (pieces_listed fs) _ e p). exact K.
  - intros own x up along k o s i ls0 N Eo. split; [exists []; split; [auto | constructor] | constructor].
  - intros own x up along k v l ls f fs tk tl C _ IH1 _ IH2 o s i ls0 N Eo.
    destruct (IH1 o s i ls0 N Eo) as [(fp & P1 & F1) T1], (IH2 o s i ls0 N Eo) as [(fq & P2 & F2) T2].
    split; [|constructor; auto]. exists (fp ++ fq). rewrite footprint_app. split; [apply Permutation_app; auto | econstructor; eauto].
  - intros own x up along t o s i ls0 N Eo. split; [exists []; simpl; auto | constructor].
  - intros own x up along lo hi t B o s i ls0 N Eo. split; [exists []; simpl; auto|]. constructor.
    inversion_clear B as [|? ? B1 B2]. inversion_clear B2 as [|? ? B3 _]. apply entailed_holds in B1, B3.
    simpl in B1, B3. lia.
  - intros own x up along v U o s i ls0 N Eo. split; [exists []; simpl; auto using is_one_sub | constructor; exact I].
  - intros own x up along v U o s i ls0 N Eo. split; [exists []; simpl; auto using is_one_sub | constructor; exact I].
  - intros own x up along o s i ls0 N Eo. split; [exists []; simpl; auto | constructor; exact I].
  - intros own x up along o s i ls0 N Eo. split; [exists []; simpl; auto | constructor; exact I].
  - intros own x up along v o s i ls0 N Eo. split; [exists []; simpl; auto | constructor; exact I].
  - intros own x up along s v p tk _ [(fp & Pm & T) O] o s' i ls0 N Eo. split; [|constructor; auto].
    exists fp. split; auto. simpl. subst own. eapply tree_weaker; [exact T | auto | apply (node_start _ _ _ _ _ N) | auto].
  - intros own x up along s from v p tk _ [(fp & Pm & T) O] o s' i ls0 N Eo. split; [|constructor; auto].
    exists fp. split; auto. simpl. subst own. eapply tree_weaker; [exact T | auto | apply (node_start _ _ _ _ _ N) | auto].
  - intros own x up along s e v p tk last R IH o s' i ls0 N Eo. subst own.
    destruct (IH anything (sub_refl _) (or_intror eq_refl)) as [(fp & Pm & T) O]. cbn [means_expected] in T. rewrite (header_start _ _ _ _ _ e N) in T.
    split; [|constructor; exact O]. exists fp. split; [exact Pm|]. simpl. split; [exact T|].
    apply (path_single _ _ _ _ _ _ _ _ _ R). cbn [means_expected]. rewrite (header_start _ _ _ _ _ e N). intros y z <- <-. reflexivity.
  - intros own x up along k v o s i ls0 N Eo. split; [exists []; simpl; auto | constructor; exact I].
  - intros w v up along s mm Sm Nh. split; [|constructor]. exists []. split; auto. constructor; auto.
  - intros w f q s s' up along last p tk v up' E S (Ch & U & A) La R IH mm Sm Nh.
    destruct (IH mm Sm Nh) as [(fp & Pm & T) O]. pose proof (meant (symbol q)) as M. unfold well_meant_symbol in M. rewrite S in M. destruct M as [M _].
    assert (Sg : segment table s (contexts phi (symbol q))) by (eapply chain_segments; eauto).
    rewrite (proj1 (root_means _ _ E)). split; [|apply composed; auto].
    destruct (part_below _ _ _ _ _ _ _ E S (conj Ch (conj U A)) La) as (fq & Pq & D').
    apply (fun X => context_weaker g _ _ _ _ _ _ _ X _ _ mm _ _ (sub_refl _) (sub_refl _) Sm (sub_refl _) (sub_refl _)) in D'.
    destruct (composed_at g _ _ _ _ _ _ _ _ _ _ _ D' T) as (fp' & Pm' & T'). exists fp'. split; [|exact T'].
    rewrite Pm'. simpl. apply Permutation_app; auto.
  - intros w o x i s ls1 ls2 up along fs1 v p fs2 tk1 tk tk2 v' up' N Lo R1 IH1 Cv R IH R2 IH2 Er mm Sm Nh.
    destruct (IH1 o s i _ N eq_refl) as [(fp1 & P1 & F1) T1]. destruct (IH2 o s i _ N eq_refl) as [(fp2 & P2 & F2) T2].
    assert (H : forall j y, cell_of x j = Some y -> means y (content g (rho o) j)) by (intros; eapply node_holds; eauto).
    pose proof (fields_length _ _ _ T1) as L1. pose proof (fields_length _ _ _ T2) as L2. rewrite map_length in L1, L2.
    rewrite <- L1 in Cv, F2. destruct (node_start _ _ _ _ _ N) as [S1 S2]. pose proof N as (_ & _ & _ & _ & I & _). simpl context_of.
    pose proof (told_link _ _ _ _ _ _ _ _ _ _ F1 F2 s Er Cv H) as Tl.
    assert (Next : (exists fp, Permutation fp (footprint tk) /\ context_at g (context_of nu phi p) (means v) (eq (start_of g (rho o) (entrance (table s)))) mm fp (means_expected up') (means v')) /\
      segment table s (context_of nu phi p)).
    { destruct (IH anything (sub_anything _) (or_intror eq_refl)) as [(fp & Pm & T) O]. split; auto. destruct Nh as [Nh| ->]; [|exists fp; split; auto; eapply context_weaker; eauto].
      destruct (same_field table s) as [k|] eqn:K.
      - destruct (IH mm) as [(fp' & Pm' & T') _]; [|auto|exists fp'; split; auto; eapply context_weaker; eauto].
        eapply sub_trans; [|exact Sm]. eapply same_kept; eauto. rewrite <- K. apply ones. exact I.
      - exists fp. split; auto. eapply context_regardless; eauto. eapply context_weaker; eauto. }
    destruct Next as [(fp & Pm & T) O].
    split; [|econstructor; eauto]. exists (rho o :: fp1 ++ fp ++ fp2). split.
    + simpl. constructor. rewrite !footprint_app. repeat apply Permutation_app; auto.
    + apply context_weaker with (r := means (to_node s o i)) (a := means_expected up) (m := mm) (l := means_expected up') (h := means v'); auto.
      apply link_at with (r' := means v); [exact S1 | | | rewrite map_length; apply H; exact Cv | exact T |].
      * eapply node_cell; [exact N|]. rewrite app_length. simpl. rewrite !map_length. lia.
      * eapply less_said; [eapply fields_made; [exact F1 | exact H | intros e; apply handed_read; exact Tl|] | auto | exact Sm | intros e; apply handed_weaker; auto | auto].
        intros j e p0 last K. apply (lasts_read o x _ _ Er H (whole_listed _ _ _ _) _ e p0). apply whole_before. exact K.
      * rewrite map_length. eapply less_said; [eapply fields_made; [exact F2 | exact H | intros e; apply handed_read; exact Tl|] | auto | exact Sm | intros e; apply handed_weaker; auto | auto].
        intros j e p0 last K. apply (lasts_read o x _ _ Er H (whole_listed _ _ _ _) _ e p0). rewrite whole_after. exact K.
Qed.

Theorem path_sound w v up along s p tk v' up' : no_handed table s -> reads_path w v up along s p tk v' up' ->
  (exists fp, Permutation fp (footprint tk) /\
     context_at g (context_of nu phi p) (means v) (means_expected up) (means_expected along) fp (means_expected up') (means v')) /\
  segment table s (context_of nu phi p).
Proof. intros N R. apply (proj2 (proj2 (proj2 reads_sound)) _ _ _ _ _ _ _ _ _ R); auto. Qed.

(** *** What is taken once has cells of its own *)

Definition places (c : taken) := match c with inl o => [rho o] | inr f => cells f end.
Lemma places_apart c c' y : is_there c -> is_there c' -> In y (places c) -> In y (places c') -> c = c'.
Proof.
  destruct described. intros E E' I I'.
  destruct c as [o|f], c' as [o'|f']; simpl in E, E', I, I'.
  - destruct I as [<-|[]], I' as [X|[]]. destruct (object_named m o) eqn:N, (object_named m o') eqn:N'; try congruence. f_equal. eauto.
  - destruct I as [<-|[]]. destruct (object_named m o) eqn:N, (part_named m f') eqn:N'; try congruence. destruct (cells_apart _ _ _ _ N N' I').
  - destruct I' as [<-|[]]. destruct (object_named m o') eqn:N, (part_named m f) eqn:N'; try congruence. destruct (cells_apart _ _ _ _ N N' I).
  - destruct (part_named m f) eqn:N, (part_named m f') eqn:N'; try congruence. f_equal. eauto.
Qed.
Lemma in_footprint y tk : In y (footprint tk) <-> exists c, In c tk /\ In y (places c).
Proof. unfold footprint. rewrite in_flat_map. split; intros (c & I & J); exists c; split; auto. Qed.
Lemma footprint_once tk : NoDup tk -> Forall is_there tk -> NoDup (footprint tk).
Proof.
  induction 1 as [|c tk N _ IH]; intros F; [constructor|]. inversion_clear F as [|? ? E F'].
  change (footprint (c :: tk)) with (places c ++ footprint tk).
  assert (D : NoDup (places c)).
  { destruct c as [o|f]; simpl; [constructor; [auto | constructor]|]. simpl in E. destruct (part_named m f) eqn:Q; [|congruence].
    eapply cells_once; eauto. }
  assert (A : forall y, In y (places c) -> ~ In y (footprint tk)).
  { intros y I J. apply in_footprint in J as (c' & J & K). rewrite Forall_forall in F'. apply N.
    rewrite (places_apart c c' y E (F' _ J) I K). exact J. }
  induction D as [|y l Y D IHl]; simpl; [apply IH; auto|]. constructor; [|apply IHl; intros z Z; apply A; simpl; auto].
  intros J. apply in_app_or in J as [J|J]; [auto|]. apply (A y); simpl; auto.
Qed.
End Reading.
