(** That what is read where a template has a folded part is what the calculus reads there
    (spec/calculus.md#reading, spec/numbering.md#covering): one cell, or symbol, at a time,
    with what hangs below it on a stack. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia Permutation.
From Goatherd Require Import Integers.
From Goatherd Require Terms Sorts Programs Machine Folding FoldedMembers Members Reading Subsume Pieces.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States Stepping Denoting LoadLists Substituted ContentsDrawn SortsFormed Going SlotsCovered.
From Goatherd.checker2 Require Closing Covering Opened PointerLists.
Import ListNotations.
Open Scope Z_scope.

(** ** What is read, as the calculus has it *)

Definition above_of (o : option slot) : Reading.expected := match o with
  | None => Reading.OfNoInterest | Some Forgotten => Reading.NotKnown | Some v => Reading.Is (slot_of v) end.
Definition along_of (o : option slot) : Reading.expected := match o with None => Reading.OfNoInterest | Some v => Reading.Is (slot_of v) end.
Definition listed_of (p : Covering.piece) : Pieces.listed_piece := match p with
  | Covering.NullPiece => Pieces.ListedNull | Covering.SymbolPiece s => Pieces.ListedSymbol (N.to_nat s) | Covering.NodePiece => Pieces.ListedNode
  | Covering.DataPiece t => Pieces.ListedData (term_of_number t) | Covering.HeaderPiece => Pieces.ListedEnd end.
Lemma known_slot v : is_forgotten v = false -> slot_of v <> FoldedMembers.forgotten.
Proof. destruct v; discriminate. Qed.
Lemma one_slot p v : Covering.is_one_slot p v = true -> Reading.is_one (above_of p) (slot_of v) /\ Reading.is_one (along_of p) (slot_of v).
Proof.
  destruct p as [w|]; [|split; exact I]. cbn [Covering.is_one_slot]. intros H. apply andb_prop in H as [N H]. apply negb_true_iff in N. apply slot_eqb_is in H. subst w.
  pose proof (known_slot v N). destruct v; try discriminate; split; split; auto.
Qed.
Lemma nth_at {A} (l : list A) : forall n, nth l n = List.nth_error l (N.to_nat n).
Proof.
  induction l as [|a l IH]; intros n; cbn [nth]; [destruct (N.to_nat n); reflexivity|]. destruct (N.eqb_spec n 0) as [->|D]; [reflexivity|].
  rewrite IH. replace (N.to_nat n) with (S (N.to_nat (N.pred n))) by lia. reflexivity.
Qed.
Lemma both_at {A B} (xs : list A) : forall (ys : list B) i a b, List.nth_error xs i = Some a -> List.nth_error ys i = Some b -> In (a, b) (List.combine xs ys).
Proof. induction xs as [|x xs IH]; intros [|y ys] [|i] a b; simpl; try discriminate; [intros [= ->] [= ->]; auto | intros A1 B1; right; eauto]. Qed.

(** Its term is one of those that were there first. *)
Definition piece_in s0 (p : Covering.piece) : Prop := match p with Covering.DataPiece t => in_first s0 (LinearPart t) | _ => True end.

(** ** What is taken out of the tables *)

Section Taken.
Variable m : member_state.
Definition is_free (v : Covering.covering) (t : Reading.taken) : Prop := match t with
  | inl o => find (Covering.free_objects v) (N.of_nat o) <> None | inr f => find (Covering.free_parts v) (N.of_nat f) <> None end.
Record free_right (v : Covering.covering) : Prop := {
  free_objects_right : forall o x, find (Covering.free_objects v) o = Some x -> find (objects_held m) o = Some x;
  free_parts_right : forall f q, find (Covering.free_parts v) f = Some q -> find (parts_held m) f = Some q;
  as_many_objects : given (Covering.free_objects v) = given (objects_held m);
  as_many_parts : given (Covering.free_parts v) = given (parts_held m) }.
Record took (v : Covering.covering) (tk : list Reading.taken) (v' : Covering.covering) : Prop := {
  took_once : NoDup tk;
  took_free : forall t, In t tk -> is_free v t;
  took_left : forall t, is_free v' t <-> is_free v t /\ ~ In t tk;
  took_same : v' = Covering.with_free v (Covering.free_objects v') (Covering.free_parts v');
  took_right : free_right v -> free_right v' }.
Lemma took_none v : took v [] v.
Proof. split; try constructor; auto; try (intros ? []; fail); [intros [H _]; exact H | destruct v; reflexivity | apply H ..]. Qed.
Lemma NoDup_both {A} (l k : list A) : NoDup l -> NoDup k -> (forall a, In a l -> In a k -> False) -> NoDup (l ++ k).
Proof.
  induction 1 as [|a l N _ IH]; intros K D; [exact K|]. cbn [app]. constructor; [|apply IH; auto; intros b I J; apply (D b); [right|]; auto].
  intros I. apply in_app_or in I as [I|I]; [auto|]. apply (D a); [left; auto | exact I].
Qed.
Lemma took_trans v tk v1 tl v2 : took v tk v1 -> took v1 tl v2 -> took v (tk ++ tl) v2.
Proof.
  intros [A1 B1 C1 D1 E1] [A2 B2 C2 D2 E2]. split.
  - apply NoDup_both; auto. intros t I J. apply (proj1 (C1 t)); auto.
  - intros t I. apply in_app_or in I as [I|I]; [auto | apply C1; auto].
  - intros t. rewrite C2, C1, in_app_iff. tauto.
  - rewrite D2, D1. reflexivity.
  - auto.
Qed.
Lemma took_permuted v tk tl v' : Permutation tk tl -> took v tk v' -> took v tl v'.
Proof.
  intros P [A B C D F]. assert (Same : forall t, In t tk <-> In t tl) by (intros t; split; apply Permutation_in; [exact P | apply Permutation_sym; exact P]).
  split; auto; [eapply Permutation_NoDup; eauto | intros t I; apply B, Same, I|]. intros t. rewrite C, (Same t). tauto.
Qed.
Lemma clear_right {A} (x y : numbered A) n : (forall k a, find x k = Some a -> find y k = Some a) -> forall k a, find (clear x n) k = Some a -> find y k = Some a.
Proof. intros H k a. rewrite Moving.find_clear. destruct (k =? n)%N; [discriminate | auto]. Qed.
Lemma took_object v o x : find (Covering.free_objects v) o = Some x -> took v [inl (N.to_nat o)] (Covering.with_free v (clear (Covering.free_objects v) o) (Covering.free_parts v)).
Proof.
  intros F. split; [repeat constructor; auto | intros t [<-|[]]; simpl; rewrite N2Nat.id; congruence | | destruct v; reflexivity | intros [A B C D]; split; [apply clear_right; exact A | exact B | exact C | exact D]].
  intros [p|f]; simpl; [|split; [intros H; split; [exact H | intros [[=]|[]]] | tauto]]. rewrite Moving.find_clear. destruct (N.eqb_spec (N.of_nat p) o) as [Eq|D].
  - split; [congruence|]. intros [_ N]. exfalso. apply N. left. f_equal. lia.
  - split; [intros H; split; [exact H | intros [[= <-]|[]]; lia] | tauto].
Qed.
Lemma took_part v f q : find (Covering.free_parts v) f = Some q -> took v [inr (N.to_nat f)] (Covering.with_free v (Covering.free_objects v) (clear (Covering.free_parts v) f)).
Proof.
  intros F. split; [repeat constructor; auto | intros t [<-|[]]; simpl; rewrite N2Nat.id; congruence | | destruct v; reflexivity | intros [A B C D]; split; [exact A | apply clear_right; exact B | exact C | exact D]].
  intros [p|g]; simpl; [split; [intros H; split; [exact H | intros [[=]|[]]] | tauto]|]. rewrite Moving.find_clear. destruct (N.eqb_spec (N.of_nat g) f) as [Eq|D].
  - split; [congruence|]. intros [_ N]. exfalso. apply N. left. f_equal. lia.
  - split; [intros H; split; [exact H | intros [[= <-]|[]]; lia] | tauto].
Qed.
End Taken.

Section Reads.
Variable E : setting.
Variable c : configuration.
Variable trees : nat -> Sorts.sort_of_trees.
Hypothesis sorts_are : sorts_right E trees.
Variables nu mu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Hypothesis sorted_too : Terms.well_sorted mu.
Variable tabs : indexed table.
Variable Q : Prop.
Variables (s0 : state) (M0 K0 : model).
Hypothesis known_in : forall l, In l (known_literals c) -> literal_in s0 l.
Hypothesis known_hold : Q -> forall l, In l (known_literals c) -> literal_holds M0 l.
Notation goes := (goes nu mu tabs Q s0 M0 K0).
Notation entailed := (fun l => Q -> Terms.holds (valued M0) l).
(** The member that is read, with tables by number, its terms, and as many fields as nodes of
    its declarations have links. *)
Variable m : member_state.
Variable l0 : N.
Notation member := (member_of l0 m).
Hypothesis objects_numbered : numbered_right (objects_held m).
Hypothesis parts_numbered : numbered_right (parts_held m).
Hypothesis cells_there : forall o x f w, find (objects_held m) o = Some x -> In f (field_states x) -> In w (cells f) -> slot_in s0 w.
Hypothesis below_there : forall f q, find (parts_held m) f = Some q -> slot_in s0 (below q).
Hypothesis widths : forall o x s d r ss ks, find (objects_held m) o = Some x -> WellFormed.nodes (names_in E) (sorts_in E) s = Some (d, r, ss) -> declaration x = d -> In ks ss -> length ks = length (field_states x).
(** From no node hangs a ring. *)
Hypothesis no_rings : forall n d r ss ks l, WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> In ks ss -> In l ks -> is_of_ring l = false.
Notation reads := (Reading.reads trees entailed (symbols_of c) member).
Notation shaped := (Pieces.shaped trees (symbols_of c)).

(** One outcome of reading: the piece, what is taken, the numbers of shapes. *)
Record outcome := { piece_of : Reading.piece; taken_of : list Reading.taken; shapes_of : list nat }.
Notation position := Covering.reading_position.
Record reads_to (x : position) (a : outcome) : Prop := {
  reads_so : reads (slot_of (Covering.value_at x)) (above_of (Covering.above_at x)) (along_of (Covering.same_at x)) (N.to_nat (Covering.sort_at x)) (piece_of a) (taken_of a);
  shaped_so : shaped (N.to_nat (Covering.sort_at x)) (piece_of a) (shapes_of a) }.
Definition listed_all (done : list outcome) := flat_map (fun a => Pieces.listed (piece_of a)) done.

(** ** The fields of a node *)

Section Node.
Variable x : position.
Variable y : object_state.
Variables (o i b : N).
Hypothesis own : Covering.value_at x = PointerSlot o i b.
Hypothesis in_no_ring : Covering.ring_at x = None.
Notation own_slot := (slot_of (Covering.value_at x)).
Definition cell (f : N) : option slot := match nth (field_states y) f with Some {| cells := w :: _ |} => Some w | _ => None end.
Definition handed_by (l : link) (g : option slot) : Prop := match l with
  | Child s => exists f, option_map N.to_nat f = Sorts.same_field trees (N.to_nat s) /\ g = match f with Some f => cell f | None => None end
  | Handed _ (FromField f) => g = cell f
  | Handed _ FromAbove => g = Covering.same_at x
  | _ => False end.
Definition child_of (l : link) : option N := match l with Child s | Handed s _ => Some s | _ => None end.
Notation field_read := (Reading.reads_field trees entailed (symbols_of c) member own_slot (object_of y) (above_of (Covering.above_at x)) (along_of (Covering.same_at x))).
(** Of one field, pieces of data, or one position that hangs below. *)
Inductive field_moved (l : link) (w : slot) : list Covering.piece -> list position -> Prop :=
| plain_moved dat f : Forall (piece_in s0) dat -> child_of l = None -> field_read (Translated.link_of l) (slot_of w) f [] -> Pieces.shaped_field trees (symbols_of c) (Translated.link_of l) f [] ->
    Pieces.data_of f = List.map listed_of dat -> Pieces.below_of f = [] -> field_moved l w dat []
| child_moved s g : child_of l = Some s -> handed_by l g ->
    field_moved l w [] [{| Covering.value_at := w; Covering.above_at := Some (Covering.value_at x); Covering.same_at := g; Covering.sort_at := s; Covering.ring_at := None |}].
Inductive fields_moved : nat -> list link -> list Covering.piece -> list position -> Prop :=
| none_moved k : fields_moved k [] [] []
| more_moved k l ls f w dat cs dats css : List.nth_error (field_states y) k = Some f -> cells f = [w] -> field_moved l w dat cs -> fields_moved (S k) ls dats css ->
    fields_moved k (l :: ls) (dat ++ dats) (css ++ cs).

Lemma handed_peek l s : child_of l <> None -> peeks s (Covering.handed_down E l y x) (handed_by l).
Proof.
  unfold Covering.handed_down. destruct l as [|d| | | | | | |d [f|]|d e|f]; cbn [child_of]; try congruence; intros _.
  - intros g s' H. unfold bind in H. destruct (same_field_of E d s) as [f s1|] eqn:F; [|discriminate]. destruct (same_here E trees sorts_are d f s s1 F) as [-> Eq]. injection H as <- <-. split; [reflexivity|]. exists f. split; [exact Eq|]. destruct f; reflexivity.
  - apply peeks_ret. reflexivity.
  - apply peeks_ret. reflexivity.
Qed.
Notation same_but r r' dat cs := (r' = {| Covering.so_far := Covering.so_far r; Covering.shapes_left := Covering.shapes_left r; Covering.pieces_read := rev dat ++ Covering.pieces_read r; Covering.hanging := cs ++ Covering.hanging r |}).
Lemma reading_same r : same_but r r [] [].
Proof. destruct r; reflexivity. Qed.
Variable all : list (link * field_state).
Lemma field_goes th r n l f : is_of_ring l = false -> (forall t, In (IntegerSlot t) (cells f) -> in_first s0 (LinearPart t)) -> goes th (Covering.read_field E c y x all r (n, (l, f))) (fun _ => th)
  (fun r' => exists w dat cs, cells f = [w] /\ field_moved l w dat cs /\ same_but r r' dat cs).
Proof.
  intros Nl Th. unfold Covering.read_field. rewrite in_no_ring.
  assert (Plain : forall w dat fp, Forall (piece_in s0) dat -> cells f = [w] -> child_of l = None -> field_read (Translated.link_of l) (slot_of w) fp [] -> Pieces.shaped_field trees (symbols_of c) (Translated.link_of l) fp [] -> Pieces.data_of fp = List.map listed_of dat -> Pieces.below_of fp = [] ->
    goes th (ret {| Covering.so_far := Covering.so_far r; Covering.shapes_left := Covering.shapes_left r; Covering.pieces_read := rev dat ++ Covering.pieces_read r; Covering.hanging := Covering.hanging r |}) (fun _ => th)
      (fun r' => exists w dat cs, cells f = [w] /\ field_moved l w dat cs /\ same_but r r' dat cs)).
  { intros w dat fp In_ Cf Nc F S D B. apply goes_ret; [reflexivity|]. exists w, dat, []. split; [exact Cf|]. split; [econstructor; eauto | reflexivity]. }
  assert (Below : forall w s, cells f = [w] -> child_of l = Some s -> goes th (let$ g := Covering.handed_down E l y x in
      ret (Covering.with_hanging r {| Covering.value_at := w; Covering.above_at := Some (Covering.value_at x); Covering.same_at := g; Covering.sort_at := s; Covering.ring_at := if (s =? Covering.sort_at x)%N then None else None |})) (fun _ => th)
      (fun r' => exists w dat cs, cells f = [w] /\ field_moved l w dat cs /\ same_but r r' dat cs)).
  { intros w s Cf Nc. eapply goes_peek; [intros; apply handed_peek; congruence|]. intros g Hg. replace (if (s =? Covering.sort_at x)%N then None else None) with (@None Covering.ring_end) by (destruct (_ =? _)%N; reflexivity). apply goes_ret; [reflexivity|]. exists w, [], [{| Covering.value_at := w; Covering.above_at := Some (Covering.value_at x); Covering.same_at := g; Covering.sort_at := s; Covering.ring_at := None |}].
    split; [exact Cf|]. split; [econstructor; eauto | reflexivity]. }
  destruct (cells f) as [|w [|w' ws]] eqn:Cf; [destruct l; apply goes_refuses | | destruct l; try destruct w; apply goes_refuses].
  pose proof (reading_same r) as Same.
  destruct l as [|d| | | | |lo hi| |d from|d e|f0]; try discriminate Nl.
  - destruct w as [| |t| | | |]; try apply goes_refuses. pose proof (Th t (or_introl eq_refl)) as It. apply (Plain (IntegerSlot t) [Covering.DataPiece t] (Reading.DataPiece (term_of_number t))); try reflexivity; repeat constructor. exact It.
  - apply (Below w d); reflexivity.
  - destruct (Covering.is_one_slot _ w) eqn:O; [|apply goes_refuses]. rewrite Same at 1. apply (Plain w [] (Reading.PointerPiece Sorts.Up)); try reflexivity; constructor; try exact I; auto. exact (proj1 (one_slot _ _ O)).
  - destruct w; try apply goes_refuses. rewrite Same at 1. apply (Plain Uninitialised [] (Reading.PointerPiece Sorts.Other)); try reflexivity; constructor; try exact I; auto.
  - destruct w; try apply goes_refuses. rewrite Same at 1. apply (Plain NullSlot [] (Reading.PointerPiece Sorts.Null)); try reflexivity; constructor; try exact I; auto.
  - destruct (Covering.is_one_slot _ w) eqn:O; [|apply goes_refuses]. rewrite Same at 1. apply (Plain w [] (Reading.PointerPiece Sorts.Same)); try reflexivity; constructor; try exact I; auto. exact (proj2 (one_slot _ _ O)).
  - destruct w as [| |t| | | |]; try apply goes_refuses. pose proof (Th t (or_introl eq_refl)) as It.
    eapply goes_bind with (th_a := fun _ => th) (P := fun _ => Q -> lo <= vl M0 t <= hi).
    + apply goes_meets. intros s M K He. pose proof (known_here c nu mu tabs Q s0 M0 K0 known_in known_hold _ _ _ _ He) as [L Ho]. destruct (term_here nu mu tabs Q s0 M0 K0 _ _ _ _ t He It) as (J & V & _). destruct He as [G G' _ _ _]. split.
      * eapply meets_weaker; [apply (shown_range_meets nu sorted); eauto|]. intros ? ? ? _ _ H hq. rewrite <- V. apply H. exact (Ho hq).
      * eapply meets_weaker; [apply (shown_range_meets mu sorted_too); eauto|]. auto.
    + intros ? R. cbn beta in R. apply (Plain (IntegerSlot t) [Covering.DataPiece t] (Reading.DataPiece (term_of_number t))); try reflexivity; [repeat constructor; exact It | constructor | constructor].
      repeat constructor; intros hq; specialize (R hq); simpl; rewrite N2Nat.id; lia.
  - rewrite Same at 1. apply (Plain w [] (Reading.PointerPiece Sorts.Anything)); try reflexivity; constructor; try exact I; auto.
  - apply (Below w d); reflexivity.
Qed.
Lemma fields_goes th : forall ks fs k r n, (forall l, In l ks -> is_of_ring l = false) -> (forall f t, In f fs -> In (IntegerSlot t) (cells f) -> in_first s0 (LinearPart t)) -> (forall j f, List.nth_error fs j = Some f -> List.nth_error (field_states y) (k + j) = Some f) -> length ks = length fs ->
  goes th (folded_left (Covering.read_field E c y x all) (List.combine (numbers_from n (length (List.combine ks fs))) (List.combine ks fs)) r) (fun _ => th) (fun r' => exists dat cs, fields_moved k ks dat cs /\ same_but r r' dat cs).
Proof.
  induction ks as [|l ks IH]; intros [|f fs] k r n Nl Th At Le; try discriminate; cbn [List.combine length numbers_from folded_left].
  - apply goes_ret; [reflexivity|]. exists [], []. split; [constructor | apply reading_same].
  - eapply goes_bind; [apply field_goes; [apply Nl; left; reflexivity | intros t; apply Th; left; reflexivity]|]. intros r1 (w & dat & cs & Cf & F & ->).
    eapply goes_weaker; [apply (IH fs (S k)); [intros l' I; apply Nl; right; exact I | intros g t I; apply Th; right; exact I | intros j g N; replace (S k + j)%nat with (k + S j)%nat by lia; apply At; exact N | injection Le; auto]|].
    intros r2 (dats & css & Fs & ->). exists (dat ++ dats), (css ++ cs). split; [econstructor; eauto; rewrite <- (Nat.add_0_r k); apply At; reflexivity|].
    cbn [Covering.so_far Covering.shapes_left Covering.pieces_read Covering.hanging]. rewrite rev_app_distr, <- !app_assoc. reflexivity.
Qed.

(** Where each field has one cell, what is handed on is what the calculus says. *)
Lemma moved_cell k ls dat cs : fields_moved k ls dat cs -> forall j, (k <= j < k + length ls)%nat -> exists f w, List.nth_error (field_states y) j = Some f /\ cells f = [w].
Proof.
  induction 1 as [|k l ls f w dat cs dats css N C _ _ IH]; intros j L; cbn [length] in L; [lia|]. destruct (Nat.eq_dec j k) as [->|D]; [eauto|]. apply IH. lia.
Qed.
Hypothesis one_celled : forall j, (j < length (field_states y))%nat -> exists f w, List.nth_error (field_states y) j = Some f /\ cells f = [w].
Lemma cell_read f w k : List.nth_error (field_states y) k = Some f -> cells f = [w] -> Reading.cell_of (object_of y) k = Some (slot_of w).
Proof. intros N C. unfold Reading.cell_of. cbn [object_of FoldedMembers.contents]. rewrite nth_error_map, N. cbn [option_map Denoting.field_of FoldedMembers.apart]. rewrite C. reflexivity. Qed.
Lemma cell_is f : along_of (cell f) = match Reading.cell_of (object_of y) (N.to_nat f) with Some v => Reading.Is v | None => Reading.OfNoInterest end.
Proof.
  unfold cell. rewrite nth_at. destruct (List.nth_error (field_states y) (N.to_nat f)) as [g|] eqn:N.
  - destruct (one_celled (N.to_nat f)) as (g' & w & N' & C); [apply nth_error_Some; congruence|]. rewrite N in N'. injection N' as <-. rewrite (cell_read _ _ _ N C). destruct g as [cs rs]. cbn [cells] in C. subst cs. reflexivity.
  - unfold Reading.cell_of. cbn [object_of FoldedMembers.contents]. rewrite nth_error_map, N. reflexivity.
Qed.
Definition given_of (l : link) : Sorts.given := match l with Child s => Sorts.AsIn (Sorts.same_field trees (N.to_nat s)) | Handed _ f => Sorts.By (Translated.source_of f) | _ => Sorts.AsIn None end.
Lemma handed_is l g : handed_by l g -> along_of g = Reading.handed_slot (object_of y) (along_of (Covering.same_at x)) (given_of l).
Proof.
  destruct l as [|d| | | | | | |d [f|]|d e|f]; cbn [handed_by given_of]; try contradiction.
  - intros (f & <- & ->). destruct f as [f|]; [apply cell_is | reflexivity].
  - intros ->. apply cell_is.
  - intros ->. reflexivity.
Qed.
Notation above_here := (above_of (Covering.above_at x)). Notation along_here := (along_of (Covering.same_at x)).
Notation fields_read := (Reading.reads_fields trees entailed (symbols_of c) member own_slot (object_of y) above_here along_here).
(** What hangs below has been read: so have the fields. *)
Lemma above_own : above_of (Some (Covering.value_at x)) = Reading.Is own_slot.
Proof. rewrite own. reflexivity. Qed.
Lemma fields_to k ls dat cs : fields_moved k ls dat cs -> forall done, Forall2 reads_to cs done -> exists fps tk,
  fields_read k (List.map Translated.link_of ls) fps tk /\ Pieces.shaped_fields trees (symbols_of c) (List.map Translated.link_of ls) fps (flat_map shapes_of done) /\
  Pieces.listed_data fps = List.map listed_of dat /\ Pieces.listed_below fps = listed_all done /\ Permutation tk (flat_map taken_of done).
Proof.
  induction 1 as [k|k l ls f w dat cs dats css N C F _ IH]; intros done D.
  - inversion D; subst. exists [], []. repeat split; auto; constructor.
  - apply Forall2_app_inv_l in D as (d2 & d1 & D2 & D1 & ->). destruct (IH d2 D2) as (fps & tk & Rs & Sh & Dt & Be & Pm). pose proof (cell_read _ _ _ N C) as Cr. unfold listed_all. rewrite !flat_map_app.
    destruct F as [dat fp _ Nc R S Di Bi|s g Ch Hg].
    + inversion D1; subst. exists (fp :: fps), ([] ++ tk). cbn [List.map flat_map]. rewrite !app_nil_r. split; [econstructor; eauto|]. split; [rewrite <- (app_nil_r (flat_map shapes_of d2)); constructor; auto|].
      split; [unfold Pieces.listed_data in *; cbn [flat_map]; rewrite Di, Dt, map_app; reflexivity|]. split; [unfold Pieces.listed_below in *; cbn [fold_right]; rewrite Bi, Be, app_nil_r; reflexivity | exact Pm].
    + inversion D1 as [|? a ? ? [Ra Sa] D1']; subst. inversion D1'; subst. cbn [Covering.value_at Covering.above_at Covering.same_at Covering.sort_at flat_map] in *. rewrite above_own in Ra. rewrite (handed_is l g Hg) in Ra.
      exists (Reading.BelowPiece (given_of l) (piece_of a) :: fps), (taken_of a ++ tk). cbn [List.map]. rewrite !app_nil_r.
      assert (Rf : field_read (Translated.link_of l) (slot_of w) (Reading.BelowPiece (given_of l) (piece_of a)) (taken_of a) /\ Pieces.shaped_field trees (symbols_of c) (Translated.link_of l) (Reading.BelowPiece (given_of l) (piece_of a)) (shapes_of a)).
      { destruct l as [|d| | | | | | |d from|d e|f0]; try discriminate; injection Ch as ->; cbn [given_of Translated.link_of] in *; split; constructor; auto. }
      destruct Rf as [Rf Sf]. split; [econstructor; eauto|]. split; [constructor; auto|].
      split; [unfold Pieces.listed_data in *; cbn [flat_map Pieces.data_of app]; exact Dt|]. split; [unfold Pieces.listed_below in *; cbn [fold_right Pieces.below_of]; rewrite Be; reflexivity|].
      rewrite Pm. apply Permutation_app_comm.
Qed.
(** At one of the positions. *)
Lemma moved_split k ls dat cs : fields_moved k ls dat cs -> forall cs2 z cs1, cs = cs2 ++ z :: cs1 -> exists ls1 l ls2 dat1 dat2 f w, ls = ls1 ++ l :: ls2 /\ dat = dat1 ++ dat2 /\
  fields_moved k ls1 dat1 cs1 /\ List.nth_error (field_states y) (k + length ls1) = Some f /\ cells f = [w] /\ field_moved l w [] [z] /\ fields_moved (S (k + length ls1)) ls2 dat2 cs2.
Proof.
  induction 1 as [k|k l ls f w dat cs dats css N C F Fs IH]; intros cs2 z cs1 Eq; [destruct cs2; discriminate|].
  assert (Cases : (exists t, css = cs2 ++ z :: t /\ cs1 = t ++ cs) \/ (cs2 = css /\ cs1 = [] /\ cs = [z])).
  { apply app_eq_app in Eq as (t & [[E1 E2]|[E1 E2]]).
    - destruct t as [|z' t]; cbn [app] in E2; [|injection E2 as <- ->; left; exists t; split; [exact E1 | reflexivity]]. rewrite app_nil_r in E1. subst css.
      right. destruct F; [discriminate|]. injection E2 as <- <-. auto.
    - right. destruct F as [|s g]; [destruct t; discriminate|]. destruct t as [|z' t]; cbn [app] in E2; [injection E2 as <- <-; rewrite app_nil_r in E1; auto | injection E2 as <- E2; destruct t; discriminate]. }
  destruct Cases as [(t & -> & ->)|(-> & -> & ->)].
  - destruct (IH cs2 z t eq_refl) as (ls1 & l' & ls2 & dat1 & dat2 & f' & w' & -> & -> & F1 & N' & C' & F' & F2). exists (l :: ls1), l', ls2, (dat ++ dat1), dat2, f', w'. cbn [app length]. rewrite <- app_assoc.
    split; [reflexivity|]. split; [reflexivity|]. split; [econstructor; eauto|]. replace (k + S (length ls1))%nat with (S k + length ls1)%nat by lia. auto.
  - exists [], l, ls, [], dats, f, w. cbn [length app]. rewrite Nat.add_0_r. inversion F; subst. split; [reflexivity|]. split; [reflexivity|]. split; [constructor|]. auto.
Qed.
Lemma moved_free k ls dat cs : fields_moved k ls dat cs -> Forall (fun z => Covering.ring_at z = None) cs.
Proof. induction 1 as [k|k l ls f w dat cs dats css N C F _ IH]; [constructor|]. apply Forall_app. split; [exact IH | destruct F; repeat constructor]. Qed.
Lemma moved_in k ls dat cs : fields_moved k ls dat cs -> Forall (piece_in s0) dat.
Proof. induction 1 as [k|k l ls f w dat cs dats css N C F _ IH]; [constructor|]. apply Forall_app. split; [destruct F; auto | exact IH]. Qed.
Lemma moved_children k ls dat cs : fields_moved k ls dat cs -> Pieces.children (List.map Translated.link_of ls) = length cs.
Proof.
  unfold Pieces.children. induction 1 as [k|k l ls f w dat cs dats css N C F _ IH]; [reflexivity|]. cbn [List.map filter]. rewrite app_length, <- IH.
  destruct F as [dat fp _ Nc|s g Ch]; destruct l; try discriminate; cbn; lia.
Qed.
End Node.

(** ** One cell, or a symbol *)

Hypothesis symbols_numbered : numbered_right (symbols c).
Notation sort_of x := (N.to_nat (Covering.sort_at x)).
Record moved (r r' : Covering.reading) ps ns cs tk : Prop := {
  pieces_there : Forall (piece_in s0) ps;
  hanging_free : Forall (fun z => Covering.ring_at z = None) cs;
  pieces_moved : Covering.pieces_read r' = rev ps ++ Covering.pieces_read r;
  shapes_moved : Covering.shapes_left r = ns ++ Covering.shapes_left r';
  hanging_moved : Covering.hanging r' = cs ++ Covering.hanging r;
  took_moved : took m (Covering.so_far r) tk (Covering.so_far r') }.
Definition segment_below x q (last : option slot) : position := {| Covering.value_at := below q; Covering.above_at := last; Covering.same_at := Covering.same_at x; Covering.sort_at := Covering.sort_at x; Covering.ring_at := None |}.
Inductive one_read (r : Covering.reading) (x : position) (r' : Covering.reading) : Prop :=
| one_leaf p tk piece : moved r r' [piece] [] [] tk -> reads_to x {| piece_of := p; taken_of := tk; shapes_of := [] |} -> Pieces.listed p = [listed_of piece] -> one_read r x r'
| one_segment f q s' last : Covering.value_at x = Folded f -> slot_in s0 (below q) -> FoldedMembers.part_named member (N.to_nat f) = Some (part_of q) -> List.nth_error (symbols_of c) (N.to_nat (symbol q)) = Some (FoldedMembers.SegmentOf s') ->
    Reading.part_fits trees (sort_of x) s' (part_of q) (above_of (Covering.above_at x)) (along_of (Covering.same_at x)) -> Reading.last_of (N.to_nat f) (part_of q) (above_of (Covering.above_at x)) (above_of last) ->
    moved r r' [Covering.SymbolPiece (symbol q)] [] [segment_below x q last] [inr (N.to_nat f)] -> one_read r x r'
| one_node o y b ks j ns dat cs : Covering.value_at x = PointerSlot o (lower y) b -> find (objects_held m) o = Some y -> slot_of (Covering.value_at x) = Reading.to_node trees (sort_of x) (N.to_nat o) (FoldedMembers.begins (object_of y)) ->
    Reading.node_fits trees member (sort_of x) (N.to_nat o) (object_of y) (FoldedMembers.begins (object_of y)) (List.map Translated.link_of ks) ->
    List.nth_error (Sorts.shapes (trees (sort_of x))) j = Some (List.map Translated.link_of ks) -> Pieces.choice trees (sort_of x) j = List.map N.to_nat ns ->
    fields_moved x y 0 ks dat cs -> length ks = length (field_states y) ->
    moved r r' (Covering.NodePiece :: dat) ns cs [inl (N.to_nat o)] -> one_read r x r'.

Lemma within_chain : forall fuel s t, Covering.within_one_of E fuel s t = true -> Sorts.chain trees (N.to_nat s) (N.to_nat t).
Proof.
  induction fuel as [|fuel IH]; intros s t H; cbn [Covering.within_one_of] in H; apply orb_prop in H as [H|H]; try (apply N.eqb_eq in H; subst; constructor); [discriminate|].
  destruct (own (names_in E) (sorts_in E) s) as [[d r ss [w|]]|] eqn:Ow; try discriminate. apply Sorts.chain_next. unfold Sorts.wider. rewrite (sort_named _ _ sorts_are s), Ow. cbn. apply IH. exact H.
Qed.
Lemma none_up n d r ss : WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> negb (existsb (existsb Covering.is_up) ss) = true -> Folding.no_up trees (N.to_nat n).
Proof.
  intros Nd H ls I J. rewrite (sort_shapes _ _ sorts_are n d r ss Nd) in I. apply in_map_iff in I as (ks & <- & I). apply in_map_iff in J as (l & El & J).
  apply negb_true_iff in H. assert (X : existsb (existsb Covering.is_up) ss = true); [|congruence]. apply existsb_exists. exists ks. split; [exact I|]. apply existsb_exists. exists l. split; [exact J|]. destruct l; discriminate || reflexivity.
Qed.
Lemma part_here f q : find (parts_held m) f = Some q -> FoldedMembers.part_named member (N.to_nat f) = Some (part_of q).
Proof. intros F. rewrite Opened.part_named_is, N2Nat.id, F. pose proof (parts_numbered f q F). destruct (Nat.ltb_spec (N.to_nat f) (N.to_nat (given (parts_held m)))); [reflexivity | lia]. Qed.
Lemma object_here_ o y : find (objects_held m) o = Some y -> FoldedMembers.object_named member (N.to_nat o) = Some (object_of y).
Proof. intros F. rewrite PointerLists.object_named_is, N2Nat.id, F. pose proof (objects_numbered o y F). destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m)))); [reflexivity | lia]. Qed.

(** A field is no other one that leads to the last cell of a ring. *)
Lemma none_last own x up along k ls fs tk : Reading.reads_fields trees entailed (symbols_of c) member own x up along k ls fs tk -> (forall j, ~ In (Sorts.Last j) ls) -> forall j, ~ In (Reading.PointerPiece (Sorts.Last j)) fs.
Proof.
  induction 1 as [|own x up along k v l ls f fs tk tl _ R _ IH]; intros N j I; [destruct I|]. destruct I as [->|I]; [|exact (IH (fun i J => N i (or_intror J)) j I)].
  inversion R; subst. eapply N. left. reflexivity.
Qed.
Lemma ends_none x fs : (forall j, ~ In (Reading.PointerPiece (Sorts.Last j)) fs) -> Reading.ends_read x fs.
Proof. intros N j k E0. destruct (N k). eapply List.nth_error_In. exact E0. Qed.
Lemma no_last n j ls i : List.nth_error (Sorts.shapes (trees (N.to_nat n))) j = Some ls -> ~ In (Sorts.Last i) ls.
Proof.
  intros Nj I. apply List.nth_error_In in Nj. destruct (WellFormed.nodes (names_in E) (sorts_in E) n) as [[[d r] ss]|] eqn:Nd; [|rewrite (sort_absent _ _ sorts_are _ Nd) in Nj; destruct Nj].
  rewrite (sort_shapes _ _ sorts_are _ d r ss Nd) in Nj. apply in_map_iff in Nj as (ks & <- & Ik). apply in_map_iff in I as (l & El & I). pose proof (no_rings n d r ss ks l Nd Ik I). destruct l; discriminate.
Qed.
Lemma part_goes th r f x d ro ss : Covering.ring_at x = None -> Covering.value_at x = Folded f -> free_right m (Covering.so_far r) -> WellFormed.nodes (names_in E) (sorts_in E) (Covering.sort_at x) = Some (d, ro, ss) ->
  goes th (Covering.read_part E c r f x ss) (fun _ => th) (one_read r x).
Proof.
  intros Nr Vx [_ Fp _ _] Nd. unfold Covering.read_part. rewrite Nr. apply goes_some. intros q Fq. pose proof (part_here f q (Fp f q Fq)) as Pn.
  set (r1 := Covering.with_covering r _). set (is_below := Covering.is_one_slot (Covering.above_at x) (above q)).
  apply goes_demand. intros Up. apply goes_demand. intros Sm. apply goes_some. intros sh Sh. set (r2 := Covering.with_piece r1 _).
  assert (Fits : forall found, Covering.is_within_sort E found (Covering.sort_at x) = true -> Reading.part_fits trees (sort_of x) (N.to_nat found) (part_of q) (above_of (Covering.above_at x)) (along_of (Covering.same_at x))).
  { intros found W. split; [eapply within_chain; exact W|]. split; [|exact (proj2 (one_slot _ _ Sm))]. apply orb_prop in Up as [Up|Up]; [right; exact (proj1 (one_slot _ _ Up)) | left; eapply none_up; eauto]. }
  assert (Ns : List.nth_error (symbols_of c) (N.to_nat (symbol q)) = Some (symbol_of (Some sh))).
  { rewrite symbols_at, Sh. pose proof (symbols_numbered _ _ Sh). destruct (N.ltb_spec (symbol q) (given (symbols c))); [reflexivity | lia]. }
  pose proof (took_part m (Covering.so_far r) f q Fq) as Tk.
  destruct sh as [found|found]; apply goes_demand; intros W; apply goes_demand; intros _; apply goes_ret; try reflexivity.
  - eapply (one_leaf r x r2 (Reading.TreePiece (N.to_nat (symbol q))) [inr (N.to_nat f)] (Covering.SymbolPiece (symbol q))); [split; try reflexivity; [repeat constructor | constructor | exact Tk] | | reflexivity].
    split; [|econstructor; exact Ns]. rewrite Vx. eapply Reading.reads_tree with (q := part_of q); [exact Pn | exact Ns | exact (Fits found W)].
  - eapply (one_segment r x _ f q (N.to_nat found) (Some (if is_below then Last f else Forgotten))); [exact Vx | eapply below_there, Fp; exact Fq | exact Pn | exact Ns | exact (Fits found W) | | split; try reflexivity; [repeat constructor | repeat constructor | exact Tk]].
    destruct is_below eqn:B; [left; split; [reflexivity | exact (proj1 (one_slot _ _ B))] | right; reflexivity].
Qed.
Lemma node_goes th r o y b x d ro ss : Covering.ring_at x = None -> Covering.value_at x = PointerSlot o (lower y) b -> b = entrance ro -> free_right m (Covering.so_far r) -> WellFormed.nodes (names_in E) (sorts_in E) (Covering.sort_at x) = Some (d, ro, ss) ->
  find (Covering.free_objects (Covering.so_far r)) o = Some y -> declaration y = d -> life_of y = Certificates.Live -> let v := Covering.with_free (Covering.so_far r) (clear (Covering.free_objects (Covering.so_far r)) o) (Covering.free_parts (Covering.so_far r)) in
  goes th (Covering.read_node E c (Covering.with_covering r v) y x ss) (fun _ => th) (one_read r x).
Proof.
  intros Nr Vx -> [Fo _ _ _] Nd Fy Dy Ly v. pose proof (Fo o y Fy) as Fm. unfold Covering.read_node. cbn [Covering.with_covering Covering.shapes_left].
  pose proof (sort_shapes _ _ sorts_are _ d ro ss Nd) as Shs.
  assert (Each : forall j ks ns left_, nth ss j = Some ks -> Covering.shapes_left r = ns ++ left_ -> Pieces.choice trees (sort_of x) (N.to_nat j) = List.map N.to_nat ns ->
    goes th (folded_left (Covering.read_field E c y x (List.combine ks (field_states y))) (List.combine (numbers_from 0 (length (List.combine ks (field_states y)))) (List.combine ks (field_states y))) {| Covering.so_far := v; Covering.shapes_left := left_; Covering.pieces_read := Covering.NodePiece :: Covering.pieces_read r; Covering.hanging := Covering.hanging r |}) (fun _ => th) (one_read r x)).
  { intros j ks ns left_ Hj Sl Ch. pose proof (Closing.nth_in _ _ _ Hj) as Ik. pose proof (widths o y _ d ro ss ks Fm Nd Dy Ik) as Le.
    eapply goes_weaker; [apply (fields_goes x y Nr _ th ks (field_states y) 0); [intros l I; exact (no_rings _ d ro ss ks l Nd Ik I) | intros f t If It; exact (cells_there o y f (IntegerSlot t) Fm If It (LinearPart t) (or_introl eq_refl)) | auto | exact Le]|].
    intros r' (dat & cs & Fs & ->). cbn [Covering.so_far Covering.shapes_left Covering.pieces_read Covering.hanging].
    assert (Own : slot_of (Covering.value_at x) = Reading.to_node trees (sort_of x) (N.to_nat o) (FoldedMembers.begins (object_of y))) by (rewrite Vx; unfold Reading.to_node; rewrite (sort_entrance _ _ sorts_are _ d ro ss Nd); reflexivity).
    assert (Nj : List.nth_error (Sorts.shapes (trees (sort_of x))) (N.to_nat j) = Some (List.map Translated.link_of ks)) by (rewrite Shs, nth_error_map, <- nth_at, Hj; reflexivity).
    eapply (one_node r x _ o y (entrance ro) ks (N.to_nat j) ns dat cs); auto.
    - split; [exact (object_here_ o y Fm)|]. split; [cbn; rewrite Ly; reflexivity|]. split; [cbn; rewrite Dy; symmetry; exact (sort_declared _ _ sorts_are _ d ro ss Nd)|]. split; [reflexivity|].
      split; [eapply List.nth_error_In; exact Nj | cbn; rewrite !map_length; exact Le].
    - split; cbn [Covering.so_far Covering.shapes_left Covering.pieces_read Covering.hanging]; [constructor; [exact I | eapply moved_in; exact Fs] | eapply moved_free; exact Fs | cbn [rev]; rewrite <- app_assoc; reflexivity | exact Sl | reflexivity | exact (took_object m _ o y Fy)]. }
  assert (Many : (forall ks, ss <> [ks]) -> forall j l ks, Covering.shapes_left r = j :: l -> nth ss j = Some ks -> Pieces.choice trees (sort_of x) (N.to_nat j) = List.map N.to_nat [j]).
  { intros Ne j l ks _ _. unfold Pieces.choice. rewrite Shs. destruct ss as [|k1 [|k2 ss']]; [reflexivity | destruct (Ne k1 eq_refl) | reflexivity]. }
  destruct ss as [|k1 [|k2 ss']]; [destruct (Covering.shapes_left r); apply goes_some; discriminate | |].
  - apply goes_some. intros ks Hj. apply (Each 0%N ks []); [exact Hj | reflexivity | unfold Pieces.choice; rewrite Shs; reflexivity].
  - destruct (Covering.shapes_left r) as [|j l] eqn:Sl; apply goes_some; intros ks Hj; [discriminate|]. apply (Each j ks [j] l); [exact Hj | reflexivity | eapply Many; eauto; intros k; discriminate].
Qed.
Lemma one_goes th r x : Covering.ring_at x = None -> free_right m (Covering.so_far r) -> goes th (Covering.read_one E c r x) (fun _ => th) (one_read r x).
Proof.
  intros Nr Fr. unfold Covering.read_one. unfold nodes_of. apply goes_some. intros [[d ro] ss] Nd. rewrite Nr. unfold Covering.read_below. replace (Covering.is_free x) with true by (unfold Covering.is_free; rewrite Nr; reflexivity). rewrite andb_true_r. destruct (Covering.value_at x) as [| |t| |o i b|f|f] eqn:Vx; try apply goes_refuses.
  - destruct (is_any ro) eqn:An; [|apply goes_refuses]. apply goes_ret; [reflexivity|]. eapply (one_leaf r x _ Reading.NullPiece [] Covering.NullPiece); [split; try reflexivity; [repeat constructor | constructor | apply took_none] | | reflexivity].
    split; [rewrite Vx; apply Reading.reads_null; rewrite (sort_null _ _ sorts_are _ d ro ss Nd); exact An | constructor].
  - unfold Covering.take_object. eapply goes_bind with (th_a := fun _ => th) (P := fun p => find (Covering.free_objects (Covering.so_far r)) o = Some (fst p) /\ snd p = Covering.with_free (Covering.so_far r) (clear (Covering.free_objects (Covering.so_far r)) o) (Covering.free_parts (Covering.so_far r))).
    + apply goes_some. intros y Fy. apply goes_ret; auto.
    + intros [y v] [Fy Ev]. cbn [fst snd] in Fy, Ev. subst v. apply goes_demand. intros D. apply andb_prop in D as [D Sl]. apply andb_prop in D as [D Lv]. apply N.eqb_eq in D. apply slot_eqb_is in Sl. injection Sl as -> ->.
      apply (node_goes th r o y (entrance ro) x d ro ss); auto. destruct (life_of y); [reflexivity | discriminate].
  - eapply part_goes; eauto.
Qed.

(** ** All that hangs below *)

Lemma cells_of_moved x y ks dat cs : fields_moved x y 0 ks dat cs -> length ks = length (field_states y) -> forall j, (j < length (field_states y))%nat -> exists f w, List.nth_error (field_states y) j = Some f /\ cells f = [w].
Proof. intros F Le j L. apply (moved_cell x y 0 ks dat cs F). lia. Qed.
Lemma one_to r x r' : one_read r x r' -> exists ps ns cs tk, moved r r' ps ns cs tk /\ forall done, Forall2 reads_to cs done -> exists a, reads_to x a /\
  Pieces.listed (piece_of a) = List.map listed_of ps ++ listed_all done /\ Permutation (taken_of a) (tk ++ flat_map taken_of done) /\ shapes_of a = List.map N.to_nat ns ++ flat_map shapes_of done.
Proof.
  intros [p tk piece Mv R Li|f q s' last Vx _ Pn Ns Fi La Mv|o y b ks j ns dat cs Vx _ Own Nf Nj Ch Fs Le Mv].
  - exists [piece], [], [], tk. split; [exact Mv|]. intros done D. inversion D; subst. eexists. split; [exact R|]. cbn [piece_of taken_of shapes_of listed_all flat_map List.map]. rewrite !app_nil_r. auto.
  - exists [Covering.SymbolPiece (symbol q)], [], [segment_below x q last], [inr (N.to_nat f)]. split; [exact Mv|]. intros done D. inversion D as [|? a ? ? [Ra Sa] D']; subst. inversion D'; subst.
    exists {| piece_of := Reading.SegmentPiece (N.to_nat (symbol q)) (piece_of a); taken_of := inr (N.to_nat f) :: taken_of a; shapes_of := shapes_of a |}. cbn [piece_of taken_of shapes_of listed_all flat_map List.map]. rewrite !app_nil_r. split; [|split; [reflexivity|]; split; [reflexivity | reflexivity]].
    split; cbn [piece_of taken_of shapes_of]; [rewrite Vx; eapply Reading.reads_segment with (q := part_of q); eauto | econstructor; eauto].
  - exists (Covering.NodePiece :: dat), ns, cs, [inl (N.to_nat o)]. split; [exact Mv|]. intros done D.
    destruct (fields_to x y o (lower y) b Vx (cells_of_moved x y ks dat cs Fs Le) 0 ks dat cs Fs done D) as (fps & tk & Rs & Sh & Dt & Be & Pm).
    exists {| piece_of := Reading.NodePiece (Sorts.declaration (trees (sort_of x))) (Sorts.entrance (trees (sort_of x))) fps; taken_of := inl (N.to_nat o) :: tk; shapes_of := List.map N.to_nat ns ++ flat_map shapes_of done |}.
    cbn [piece_of taken_of shapes_of]. split; [|split; [|split; [cbn [app]; constructor; exact Pm | reflexivity]]].
    + split; cbn [piece_of taken_of shapes_of]; [rewrite Own in Rs |- *; eapply Reading.reads_node; eauto; apply ends_none; eapply none_last; [exact Rs|]; intros i; eapply no_last; exact Nj | rewrite <- Ch; econstructor; eauto].
    + cbn [Pieces.listed List.map listed_of app]. fold (Pieces.listed_below fps). rewrite Dt, Be. reflexivity.
Qed.
Record all_moved (r r' : Covering.reading) (done : list outcome) : Prop := {
  all_pieces : exists ps, Covering.pieces_read r' = rev ps ++ Covering.pieces_read r /\ List.map listed_of ps = listed_all done /\ Forall (piece_in s0) ps;
  all_shapes : exists ns, Covering.shapes_left r = ns ++ Covering.shapes_left r' /\ List.map N.to_nat ns = flat_map shapes_of done;
  all_taken : took m (Covering.so_far r) (flat_map taken_of done) (Covering.so_far r');
  none_hangs : Covering.hanging r' = [] }.
Definition hangs_free (r : Covering.reading) := Forall (fun z => Covering.ring_at z = None) (Covering.hanging r).
Theorem all_goes th : forall fuel r, hangs_free r -> free_right m (Covering.so_far r) -> goes th (Covering.read_all E c fuel r) (fun _ => th) (fun r' => exists done, Forall2 reads_to (Covering.hanging r) done /\ all_moved r r' done).
Proof.
  assert (Done : forall r, Covering.hanging r = [] -> goes th (ret r) (fun _ => th) (fun r' => exists done, Forall2 reads_to (Covering.hanging r) done /\ all_moved r r' done)).
  { intros r H. apply goes_ret; [reflexivity|]. exists []. rewrite H. split; [constructor|]. split; [exists []; repeat split; constructor | exists []; auto | apply took_none | exact H]. }
  induction fuel as [|fuel IH]; intros r Hf Fr; unfold hangs_free in Hf; cbn [Covering.read_all]; destruct (Covering.hanging r) as [|x h] eqn:Hh; try (rewrite <- Hh; apply Done; exact Hh); [apply goes_refuses|].
  inversion_clear Hf as [|? ? Fx Fh]. eapply goes_bind; [apply one_goes; [exact Fx | exact Fr]|]. intros r1 H1. apply one_to in H1 as (ps & ns & cs & tk & [Mi Mf Mp Ms Mh Mt] & To). cbn [Covering.with_rest_hanging Covering.so_far Covering.pieces_read Covering.shapes_left Covering.hanging] in *.
  eapply goes_weaker; [apply IH; [unfold hangs_free; rewrite Mh; apply Forall_app; split; [exact Mf | exact Fh] | exact (took_right _ _ _ _ Mt Fr)]|]. intros r2 (done & D & [(qs & Ap & Al & Aq) (ms & As & An) At Ah]). rewrite Mh in D. apply Forall2_app_inv_l in D as (d1 & d2 & D1 & D2 & ->).
  destruct (To d1 D1) as (a & Ra & La & Pa & Sa). unfold listed_all in Al. rewrite flat_map_app in Al, An, At. exists (a :: d2). split; [constructor; assumption|]. split.
  - exists (ps ++ qs). rewrite Ap, Mp, rev_app_distr, app_assoc. split; [reflexivity|]. split; [|apply Forall_app; auto]. unfold listed_all. cbn [flat_map]. rewrite map_app, Al, La. unfold listed_all. rewrite app_assoc. reflexivity.
  - exists (ns ++ ms). rewrite Ms, As, app_assoc. split; [reflexivity|]. cbn [flat_map]. rewrite map_app, An, Sa, app_assoc. reflexivity.
  - eapply took_permuted; [|eapply took_trans; [exact Mt | exact At]]. cbn [flat_map]. rewrite Pa, app_assoc. reflexivity.
  - exact Ah.
Qed.

(** ** Along the path of a segment *)

Notation reads_path := (Reading.reads_path trees entailed (symbols_of c) member Reading.Chosen).
Notation shaped_path := (Pieces.shaped_path trees (symbols_of c)).
Record path_read (r r' : Covering.reading) (x x' : position) (ks : list N) (p : Reading.path) (tk : list Reading.taken) (ns : list nat) : Prop := {
  path_reads : reads_path (slot_of (Covering.value_at x)) (above_of (Covering.above_at x)) (along_of (Covering.same_at x)) (sort_of x) p tk (slot_of (Covering.value_at x')) (above_of (Covering.above_at x'));
  path_shaped : shaped_path (sort_of x) p (List.map N.to_nat ks) ns;
  path_pieces : exists ps, Covering.pieces_read r' = rev ps ++ Covering.pieces_read r /\ List.map listed_of ps = Pieces.listed_path p /\ Forall (piece_in s0) ps;
  path_shapes : exists ms, Covering.shapes_left r = ms ++ Covering.shapes_left r' /\ List.map N.to_nat ms = ns;
  path_taken : took m (Covering.so_far r) tk (Covering.so_far r');
  path_sort : Covering.sort_at x' = Covering.sort_at x;
  path_free : Covering.ring_at x' = None;
  path_in : slot_in s0 (Covering.value_at x) -> slot_in s0 (Covering.value_at x');
  path_hangs : Covering.hanging r' = [] }.
Lemma without_split : forall l n z h, Covering.without_nth l n = Some (z, h) -> exists a b, l = a ++ z :: b /\ h = a ++ b /\ N.to_nat n = length a.
Proof.
  induction l as [|x l IH]; intros n z h H; cbn [Covering.without_nth] in H; [discriminate|]. destruct (N.eqb_spec n 0) as [->|D].
  - injection H as <- <-. exists [], l. auto.
  - destruct (Covering.without_nth l (N.pred n)) as [[z' h']|] eqn:W; [|discriminate]. injection H as <- <-. destruct (IH _ _ _ W) as (a & b & -> & -> & L). exists (x :: a), b. cbn [app length]. split; [reflexivity|]. split; [reflexivity | lia].
Qed.
Variable n : N.
Hypothesis none_handed : forall d r ss ks s f, WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> In ks ss -> ~ In (Handed s f) ks.
(** One link of the path, with what else hangs below it. *)
Lemma link_goes {B} th fuel r x child (next_ : Covering.reading -> position -> computes B) th_b R : Covering.ring_at x = None -> Covering.sort_at x = n -> free_right m (Covering.so_far r) -> Covering.hanging r = [] ->
  (forall r2 z tk, Covering.hanging r2 = [] -> Covering.ring_at z = None -> Covering.sort_at z = n -> took m (Covering.so_far r) tk (Covering.so_far r2) ->
    (forall r' x' ks p' tk' ns', path_read r2 r' z x' ks p' tk' ns' -> exists p0 tk0 ns0, path_read r r' x x' (child :: ks) p0 tk0 ns0) -> goes th (next_ r2 z) th_b R) ->
  goes th (let$ r := Covering.read_one E c r x in let$ (y, h) := some (Covering.without_nth (rev (Covering.hanging r)) child) Rejection.NotRead in demand ((Covering.sort_at y =? Covering.sort_at x)%N && Covering.is_free y) Rejection.NotRead >>
    let$ r := Covering.read_all E c fuel (Covering.with_rest_hanging r (rev h)) in next_ r y) th_b R.
Proof.
  intros Nx Sx Fr Hr Next. eapply goes_bind; [apply one_goes; [exact Nx | exact Fr]|]. intros r1 H1. apply goes_some. intros [z h] W. apply goes_demand. intros Sz. apply andb_prop in Sz as [Sz Zf]. apply N.eqb_eq in Sz. apply without_split in W as (a & b & Eab & -> & La).
  assert (Nz : Covering.ring_at z = None) by (unfold Covering.is_free in Zf; destruct (Covering.ring_at z); [discriminate | reflexivity]).
  assert (Hf : hangs_free (Covering.with_rest_hanging r1 (rev (a ++ b)))).
  { destruct (one_to _ _ _ H1) as (ps0 & ns0 & cs0 & tk0 & [_ Mf _ _ Mh _] & _). unfold hangs_free. cbn [Covering.with_rest_hanging Covering.hanging]. rewrite Forall_forall in Mf |- *. intros q I. apply Mf. apply in_rev in I.
    rewrite Mh, Hr, app_nil_r in Eab. apply in_rev. rewrite Eab. apply in_app_or in I as [I|I]; apply in_or_app; [left | right; right]; exact I. }
  destruct H1 as [p tk piece [_ _ _ _ Mh _] _ _|f q s' last Vx Sb Pn Ns Fi Lst [Mi _ Mp Ms Mh Mt]|o y b0 ks j ns dat cs Vx Fy Own Nf Nj Ch Fs Le [Mi _ Mp Ms Mh Mt]].
  - rewrite Mh, Hr in Eab. destruct a; discriminate.
  - rewrite Mh, Hr in Eab. cbn [app rev] in Eab. destruct a as [|? [|]]; try discriminate. injection Eab as <- <-. cbn [length] in La. cbn [app rev].
    eapply goes_bind; [apply all_goes; [exact Hf | exact (took_right _ _ _ _ Mt Fr)]|]. intros r2 (done & D & [(qs & Ap & Al & Aq) (ms & As & An) At Ah]). cbn [Covering.with_rest_hanging Covering.hanging Covering.so_far Covering.pieces_read Covering.shapes_left] in *. inversion D; subst done.
    cbn [flat_map listed_all] in *. apply map_eq_nil in Al. apply map_eq_nil in An. subst qs ms. pose proof (took_trans _ _ _ _ _ _ Mt At) as Tk. eapply Next; [exact Ah | exact Nz | cbn; exact Sx | exact Tk|].
    intros r' x' ks' p' tk' ns' [Rp S (ps & P1 & P2 & P3) (ns & N1 & N2) T So Sf Si Hg]. exists (Reading.SegmentPath (N.to_nat (symbol q)) p'), (inr (N.to_nat f) :: tk'), ns'. cbn [segment_below Covering.value_at Covering.above_at Covering.same_at Covering.sort_at] in Rp, S, So. split.
    + rewrite Vx. eapply Reading.path_segment with (q := part_of q); eauto.
    + cbn [List.map]. rewrite La. econstructor; eauto.
    + exists (Covering.SymbolPiece (symbol q) :: ps). rewrite P1, Ap, Mp. cbn [rev app List.map listed_of Pieces.listed_path]. rewrite <- app_assoc, P2. split; [reflexivity|]. split; [reflexivity | constructor; [exact I | exact P3]].
    + exists ns. rewrite Ms, As, N1. auto.
    + exact (took_trans _ _ _ _ _ _ Tk T).
    + rewrite So. reflexivity.
    + exact Sf.
    + intros _. apply Si. exact Sb.
    + exact Hg.
  - rewrite Mh, Hr, app_nil_r in Eab. assert (Ec : cs = rev b ++ z :: rev a) by (rewrite <- (rev_involutive cs), Eab, rev_app_distr; cbn [rev]; rewrite <- app_assoc; reflexivity).
    pose proof (cells_of_moved x y ks dat cs Fs Le) as Oc.
    destruct (moved_split x y 0 ks dat cs Fs _ _ _ Ec) as (ks1 & l & ks2 & dat1 & dat2 & f & w & -> & -> & F1 & Nf1 & Cf & Fz & F2). cbn [Nat.add] in Nf1, F2.
    eapply goes_bind; [apply all_goes; [exact Hf | exact (took_right _ _ _ _ Mt Fr)]|]. intros r2 (done & D & [(qs & Ap & Al & Aq) (ms & As & An) At Ah]). cbn [Covering.with_rest_hanging Covering.hanging Covering.so_far Covering.pieces_read Covering.shapes_left] in *.
    rewrite rev_app_distr in D. apply Forall2_app_inv_l in D as (d2 & d1 & D2 & D1 & ->).
    destruct (fields_to x y o (lower y) b0 Vx Oc 0 ks1 dat1 _ F1 d1 D1) as (fps1 & tk1 & Rs1 & Sh1 & Dt1 & Be1 & Pm1). destruct (fields_to x y o (lower y) b0 Vx Oc _ ks2 dat2 _ F2 d2 D2) as (fps2 & tk2 & Rs2 & Sh2 & Dt2 & Be2 & Pm2).
    unfold listed_all in Al. rewrite flat_map_app in Al, An, At.
    assert (Zs : exists g, child_of l = Some n /\ handed_by x y l g /\ z = {| Covering.value_at := w; Covering.above_at := Some (Covering.value_at x); Covering.same_at := g; Covering.sort_at := n; Covering.ring_at := None |}).
    { inversion Fz as [|s g Cl Hg]; subst z. cbn [Covering.sort_at] in Sz. rewrite Sx in Sz. subst s. eauto. }
    destruct Zs as (g & Cl & Hg & Ez).
    assert (Lc : l = Child n).
    { destruct l as [|d| | | | | | |d from|d e|f0]; try discriminate; cbn [child_of] in Cl; injection Cl as ->; [reflexivity|]. exfalso. pose proof (List.nth_error_In _ _ Nj) as In_. rewrite Sx in In_.
      destruct (WellFormed.nodes (names_in E) (sorts_in E) n) as [[[d0 ro] ss]|] eqn:Nd; [|rewrite (sort_absent _ _ sorts_are _ Nd) in In_; destruct In_].
      rewrite (sort_shapes _ _ sorts_are _ d0 ro ss Nd) in In_. apply in_map_iff in In_ as (ks & Ek & Ik). apply (none_handed d0 ro ss ks n from eq_refl Ik).
      assert (J : In (Translated.link_of (Handed n from)) (List.map Translated.link_of ks)) by (rewrite Ek, map_app; apply in_or_app; right; left; reflexivity). apply in_map_iff in J as (l' & El & J).
      destruct l' as [| | | | | | | |d' f'| |]; try discriminate. cbn in El. injection El as Ed Ef. apply N2Nat.inj in Ed. subst d'. destruct f' as [f'|], from as [g'|]; cbn in Ef; try discriminate; [injection Ef as Ef; apply N2Nat.inj in Ef; subst; exact J | exact J]. }
    subst l. clear Cl.
    pose proof (handed_is x y Oc _ _ Hg) as Hgi. cbn [given_of] in Hgi.
    pose proof (took_trans _ _ _ _ _ _ Mt At) as Tk. eapply Next; [exact Ah | exact Nz | rewrite Ez; reflexivity | exact Tk|]. rewrite Ez.
    intros r' x' ks' p' tk' ns' [Rp S (ps & P1 & P2 & P3) (ns3 & N1 & N2) T So Sf Si Hg']. cbn [Covering.value_at Covering.above_at Covering.same_at Covering.sort_at] in Rp, S, So.
    exists (Reading.NodePath (Sorts.declaration (trees (sort_of x))) (Sorts.entrance (trees (sort_of x))) fps1 (Sorts.AsIn (Sorts.same_field trees (sort_of x))) p' fps2), (inl (N.to_nat o) :: tk1 ++ tk' ++ tk2), (Pieces.choice trees (sort_of x) j ++ flat_map shapes_of d2 ++ flat_map shapes_of d1 ++ ns').
    assert (Lk : length (List.map Translated.link_of ks1) = length ks1) by apply map_length. pose proof (moved_children x y 0 ks1 dat1 _ F1) as Chn. rewrite rev_length in Chn.
    rewrite map_app in Nf, Nj. cbn [List.map Translated.link_of] in Nf, Nj. rewrite <- Sx in Rp, S, Nf, Nj, Hgi. rewrite (above_own x o (lower y) b0 Vx), Hgi in Rp. split.
    + rewrite Own in Rp, Rs1, Rs2 |- *. eapply Reading.path_node; [exact Nf | exact I | exact Rs1 | rewrite Lk; exact (cell_read y f w _ Nf1 Cf) | exact Rp | rewrite Lk; exact Rs2|].
      apply ends_none. intros i J. unfold Reading.around_hole in J. apply in_app_or in J as [J|[J|J]]; [|discriminate J|]; revert J; eapply none_last; [exact Rs1 | | exact Rs2 | ]; intros h J; apply (no_last _ _ _ h Nj); apply in_or_app; [left | right; right]; exact J.
    + cbn [List.map]. rewrite La, <- Chn. econstructor; eauto.
    + exists (Covering.NodePiece :: (dat1 ++ dat2) ++ qs ++ ps). rewrite P1, Ap, Mp. cbn [rev app List.map listed_of Pieces.listed_path]. rewrite !rev_app_distr, !map_app, Al, <- Dt1, <- Dt2, Be1, Be2, P2. unfold listed_all. split; [repeat (cbn [rev app]; rewrite ?rev_app_distr, <- ?app_assoc); reflexivity|]. split; [rewrite <- ?app_assoc; reflexivity|]. change (Forall (piece_in s0) ((Covering.NodePiece :: dat1 ++ dat2) ++ qs ++ ps)). repeat (apply Forall_app; split; auto).
    + exists (ns ++ ms ++ ns3). rewrite Ms, As, N1, <- !app_assoc. split; [reflexivity|]. rewrite !map_app, An, N2, Ch, <- !app_assoc. reflexivity.
    + eapply took_permuted; [|exact (took_trans _ _ _ _ _ _ Tk T)]. cbn [app]. constructor. rewrite Pm1, Pm2, <- app_assoc, (app_assoc (flat_map taken_of d1)). apply Permutation_app_comm.
    + rewrite So. symmetry. exact Sx.
    + exact Sf.
    + intros _. apply Si. apply (cells_there o y f w Fy); [eapply List.nth_error_In; exact Nf1 | rewrite Cf; left; reflexivity].
    + exact Hg'.
Qed.
Theorem path_goes th fuel : forall ks r x, Covering.ring_at x = None -> Covering.sort_at x = n -> free_right m (Covering.so_far r) -> Covering.hanging r = [] ->
  goes th (Covering.read_path E c fuel r x ks) (fun _ => th) (fun p => exists p0 tk ns, path_read r (fst p) x (snd p) ks p0 tk ns).
Proof.
  induction ks as [|k ks IH]; intros r x Nx Sx Fr Hr; cbn [Covering.read_path].
  - apply goes_ret; [reflexivity|]. exists Reading.PathEnd, [], []. split; [constructor | constructor | exists []; repeat split; constructor | exists []; auto | apply took_none | reflexivity | exact Nx | auto | exact Hr].
  - apply link_goes; auto. intros r2 z tk Hz Nz Sz Tk Next. eapply goes_weaker; [apply IH; [exact Nz | exact Sz | exact (took_right _ _ _ _ Tk Fr) | exact Hz]|]. intros p (p0 & tk0 & ns & R). eapply Next. exact R.
Qed.
End Reads.
