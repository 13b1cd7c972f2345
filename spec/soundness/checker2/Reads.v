(** That what is read where a template has a folded part is what the calculus reads there
    (spec/calculus.md#reading, spec/numbering.md#covering): one cell, or symbol, at a time,
    with what hangs below it on a stack. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia Permutation.
From Goatherd Require Import Integers.
From Goatherd Require Terms Sorts Programs Machine Folding FoldedMembers Members Reading Subsume Pieces.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States Stepping Denoting LoadLists Substituted ContentsDrawn SortsFormed Going SlotsCovered Taken.
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
(** What leads to the last cell of a ring names a field that one hangs from. *)
Hypothesis lasts_named : forall n d r ss ks j f, WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> In ks ss -> List.nth_error ks j = Some (Last_ f) -> exists s e, List.nth_error ks (N.to_nat f) = Some (Ring s e).
Notation reads := (Reading.reads trees entailed (symbols_of c) member).
Notation shaped := (Pieces.shaped trees (symbols_of c)).
Notation reads_single := (Reading.reads_path trees entailed (symbols_of c) member Reading.Single).

(** One outcome of reading: the piece or, in a ring, the path to its header and what is found
    above that; what is taken, the numbers of shapes. *)
Inductive read_what := AsPiece (p : Reading.piece) | AsRing (p : Reading.path) (last : Reading.expected).
Record outcome := { what_is_read : read_what; taken_of : list Reading.taken; shapes_of : list nat }.
Definition listed_one a := match what_is_read a with AsPiece p => Pieces.listed p | AsRing p _ => Pieces.listed_ring p end.
Notation position := Covering.reading_position.
(** It is what the ring's last cell is to be. *)
Definition is_told (last : Reading.expected) (v : option slot) : Prop := match v with Some v => Reading.is_one last (slot_of v) | None => True end.
Definition reads_to (x : position) (a : outcome) : Prop := match Covering.ring_at x, what_is_read a with
  | None, AsPiece p => reads (slot_of (Covering.value_at x)) (above_of (Covering.above_at x)) (along_of (Covering.same_at x)) (N.to_nat (Covering.sort_at x)) p (taken_of a) /\
    shaped (N.to_nat (Covering.sort_at x)) p (shapes_of a)
  | Some h, AsRing p last => reads_single (slot_of (Covering.value_at x)) (above_of (Covering.above_at x)) (along_of (Covering.same_at x)) (N.to_nat (Covering.sort_at x)) p (taken_of a) (slot_of (Covering.header_is h)) last /\
    Pieces.shaped_ring trees (symbols_of c) (N.to_nat (Covering.sort_at x)) p (shapes_of a) /\ is_told last (Covering.last_is h)
  | _, _ => False end.
Definition listed_all (done : list outcome) := flat_map listed_one done.

(** ** The fields of a node *)

Section Node.
Variable x : position.
Variable y : object_state.
Variables (o i b : N).
Hypothesis own : Covering.value_at x = PointerSlot o i b.
Notation own_slot := (slot_of (Covering.value_at x)).
Definition cell (f : N) : option slot := match nth (field_states y) f with Some {| cells := w :: _ |} => Some w | _ => None end.
Definition handed_by (l : link) (g : option slot) : Prop := match l with
  | Child s => exists f, option_map N.to_nat f = Sorts.same_field trees (N.to_nat s) /\ g = match f with Some f => cell f | None => None end
  | Handed _ (FromField f) => g = cell f
  | Handed _ FromAbove => g = Covering.same_at x
  | _ => False end.
Definition child_of (l : link) : option N := match l with Child s | Handed s _ => Some s | _ => None end.
Notation field_read := (Reading.reads_field trees entailed (symbols_of c) member own_slot (object_of y) (above_of (Covering.above_at x)) (along_of (Covering.same_at x))).
Variable all : list (link * field_state).
(** All fields that lead to the last cell of the ring hold this. *)
Definition last_right (q : N) (last : option slot) : Prop := forall j f w, List.nth_error all j = Some (Last_ q, f) -> In w (cells f) -> last = Some w.
Definition child_position w g s : position := {| Covering.value_at := w; Covering.above_at := Some (Covering.value_at x); Covering.same_at := g; Covering.sort_at := s;
  Covering.ring_at := if (s =? Covering.sort_at x)%N then Covering.ring_at x else None |}.
Definition ring_position w d e last : position := let h := Folds.at_byte (Covering.value_at x) e in
  {| Covering.value_at := w; Covering.above_at := Some h; Covering.same_at := None; Covering.sort_at := d; Covering.ring_at := Some {| Covering.header_is := h; Covering.last_is := last |} |}.
(** Of one field, pieces of data, or one position that hangs below. *)
Inductive field_moved (k : nat) (l : link) (w : slot) : list Covering.piece -> list position -> Prop :=
| plain_moved dat f : Forall (piece_in s0) dat -> Pieces.is_child (Translated.link_of l) = false -> field_read (Translated.link_of l) (slot_of w) f [] -> Pieces.shaped_field trees (symbols_of c) (Translated.link_of l) f [] ->
    Pieces.data_of f = List.map listed_of dat -> Pieces.below_of f = [] -> field_moved k l w dat []
| child_moved s g : child_of l = Some s -> handed_by l g -> field_moved k l w [] [child_position w g s]
| ring_moved d e last : l = Ring d e -> last_right (N.of_nat k) last -> field_moved k l w [] [ring_position w d e last].
Inductive fields_moved : nat -> list link -> list Covering.piece -> list position -> Prop :=
| none_moved k : fields_moved k [] [] []
| more_moved k l ls f w dat cs dats css : List.nth_error (field_states y) k = Some f -> cells f = [w] -> field_moved k l w dat cs -> fields_moved (S k) ls dats css ->
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
Lemma last_peek s q : peeks s (Covering.last_in all q) (last_right q).
Proof.
  unfold Covering.last_in. assert (In_ : forall j f w, List.nth_error all j = Some (Last_ q, f) -> In w (cells f) -> In w (flat_map (fun '(l, f) => if Covering.is_last q l then cells f else []) all))
    by (intros j f w N I; apply in_flat_map; exists (Last_ q, f); split; [eapply List.nth_error_In; exact N | cbn; rewrite N.eqb_refl; exact I]).
  destruct (flat_map _ all) as [|v vs]; [apply peeks_ret; intros j f w N I; destruct (In_ j f w N I)|].
  eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => forallb (slot_eqb v) vs = true)); auto|]. intros ? Al. cbn beta in Al. apply peeks_ret. intros j f w N I. rewrite forallb_forall in Al.
  destruct (In_ j f w N I) as [->|J]; [reflexivity|]. specialize (Al w J). apply slot_eqb_is in Al. congruence.
Qed.
Lemma field_goes th r k l f : (forall t, In (IntegerSlot t) (cells f) -> in_first s0 (LinearPart t)) -> goes th (Covering.read_field E c y x all r (N.of_nat k, (l, f))) (fun _ => th)
  (fun r' => exists w dat cs, cells f = [w] /\ field_moved k l w dat cs /\ same_but r r' dat cs).
Proof.
  intros Th. unfold Covering.read_field.
  assert (Plain : forall w dat fp, Forall (piece_in s0) dat -> cells f = [w] -> Pieces.is_child (Translated.link_of l) = false -> field_read (Translated.link_of l) (slot_of w) fp [] -> Pieces.shaped_field trees (symbols_of c) (Translated.link_of l) fp [] -> Pieces.data_of fp = List.map listed_of dat -> Pieces.below_of fp = [] ->
    goes th (ret {| Covering.so_far := Covering.so_far r; Covering.shapes_left := Covering.shapes_left r; Covering.pieces_read := rev dat ++ Covering.pieces_read r; Covering.hanging := Covering.hanging r |}) (fun _ => th)
      (fun r' => exists w dat cs, cells f = [w] /\ field_moved k l w dat cs /\ same_but r r' dat cs)).
  { intros w dat fp In_ Cf Nc F S D B. apply goes_ret; [reflexivity|]. exists w, dat, []. split; [exact Cf|]. split; [econstructor; eauto | reflexivity]. }
  assert (Below : forall w s, cells f = [w] -> child_of l = Some s -> goes th (let$ g := Covering.handed_down E l y x in
      ret (Covering.with_hanging r {| Covering.value_at := w; Covering.above_at := Some (Covering.value_at x); Covering.same_at := g; Covering.sort_at := s; Covering.ring_at := if (s =? Covering.sort_at x)%N then Covering.ring_at x else None |})) (fun _ => th)
      (fun r' => exists w dat cs, cells f = [w] /\ field_moved k l w dat cs /\ same_but r r' dat cs)).
  { intros w s Cf Nc. eapply goes_peek; [intros; apply handed_peek; congruence|]. intros g Hg. apply goes_ret; [reflexivity|]. exists w, [], [child_position w g s].
    split; [exact Cf|]. split; [econstructor; eauto | reflexivity]. }
  destruct (cells f) as [|w [|w' ws]] eqn:Cf; [destruct l; apply goes_refuses | | destruct l; try destruct w; apply goes_refuses].
  pose proof (reading_same r) as Same.
  destruct l as [|d| | | | |lo hi| |d from|d e|f0].
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
  - eapply goes_peek; [intros; apply last_peek|]. intros last Hl. apply goes_ret; [reflexivity|]. exists w, [], [ring_position w d e last]. split; [reflexivity|]. split; [eapply ring_moved; [reflexivity | exact Hl] | reflexivity].
  - rewrite Same at 1. apply (Plain w [] (Reading.PointerPiece (Sorts.Last (N.to_nat f0)))); try reflexivity; constructor; try exact I; auto.
Qed.
Lemma fields_goes th : forall ks fs k r, (forall f t, In f fs -> In (IntegerSlot t) (cells f) -> in_first s0 (LinearPart t)) -> (forall j f, List.nth_error fs j = Some f -> List.nth_error (field_states y) (k + j) = Some f) -> length ks = length fs ->
  goes th (folded_left (Covering.read_field E c y x all) (List.combine (numbers_from (N.of_nat k) (length (List.combine ks fs))) (List.combine ks fs)) r) (fun _ => th) (fun r' => exists dat cs, fields_moved k ks dat cs /\ same_but r r' dat cs).
Proof.
  induction ks as [|l ks IH]; intros [|f fs] k r Th At Le; try discriminate; cbn [List.combine length numbers_from folded_left].
  - apply goes_ret; [reflexivity|]. exists [], []. split; [constructor | apply reading_same].
  - eapply goes_bind; [apply field_goes; intros t; apply Th; left; reflexivity|]. intros r1 (w & dat & cs & Cf & F & ->).
    rewrite <- Nat2N.inj_succ. eapply goes_weaker; [apply (IH fs (S k)); [intros g t I; apply Th; right; exact I | intros j g N; replace (S k + j)%nat with (k + S j)%nat by lia; apply At; exact N | injection Le; auto]|].
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
(** No field among these goes on along the ring in which the node is. *)
Definition leads_nowhere (ls : list link) : Prop := forall l s, In l ls -> child_of l = Some s -> s = Covering.sort_at x -> Covering.ring_at x = None.
(** What fields say of the last cells of rings: which fields do, and what has been found there. *)
Record fields_say (k : nat) (ls : list link) (fps : list Reading.field_piece) : Prop := {
  say_as_many : length fps = length ls;
  say_last : forall j q, List.nth_error fps j = Some (Reading.PointerPiece (Sorts.Last q)) -> exists f, List.nth_error ls j = Some (Last_ f) /\ q = N.to_nat f;
  say_ring : forall j d e, List.nth_error ls j = Some (Ring d e) -> exists p last v, List.nth_error fps j = Some (Reading.RingPiece (Z.of_N e) p last) /\ last_right (N.of_nat (k + j)) v /\ is_told last v }.
Lemma header_is e : slot_of (Folds.at_byte (Covering.value_at x) e) = Reading.header own_slot (Z.of_N e) /\ above_of (Some (Folds.at_byte (Covering.value_at x) e)) = Reading.Is (Reading.header own_slot (Z.of_N e)).
Proof. rewrite own. split; reflexivity. Qed.
Lemma fields_to k ls dat cs : fields_moved k ls dat cs -> leads_nowhere ls -> forall done, Forall2 reads_to cs done -> exists fps tk,
  fields_read k (List.map Translated.link_of ls) fps tk /\ Pieces.shaped_fields trees (symbols_of c) (List.map Translated.link_of ls) fps (flat_map shapes_of done) /\
  Pieces.listed_data fps = List.map listed_of dat /\ Pieces.listed_below fps = listed_all done /\ Permutation tk (flat_map taken_of done) /\ fields_say k ls fps.
Proof.
  induction 1 as [k|k l ls f w dat cs dats css N C F _ IH]; intros Nw done D.
  - inversion D; subst. exists [], []. repeat split; auto; try constructor; intros [|j]; discriminate.
  - apply Forall2_app_inv_l in D as (d2 & d1 & D2 & D1 & ->). destruct (IH (fun l' s I => Nw l' s (or_intror I)) d2 D2) as (fps & tk & Rs & Sh & Dt & Be & Pm & [Sm Sl Sr]). pose proof (cell_read _ _ _ N C) as Cr. unfold listed_all. rewrite !flat_map_app.
    (* The field's own piece, and what the others say. *)
    assert (Say : forall fp, (forall q, fp = Reading.PointerPiece (Sorts.Last q) -> exists f, l = Last_ f /\ q = N.to_nat f) ->
      (forall d e, l = Ring d e -> exists p last v, fp = Reading.RingPiece (Z.of_N e) p last /\ last_right (N.of_nat k) v /\ is_told last v) -> fields_say k (l :: ls) (fp :: fps)).
    { intros fp A B. split; [simpl; congruence | |].
      - intros [|j] q Nq; cbn [List.nth_error] in Nq; [injection Nq as Nq; destruct (A q Nq) as (f' & -> & ->); exists f'; auto | exact (Sl j q Nq)].
      - intros [|j] d e Nd; cbn [List.nth_error] in Nd; [injection Nd as Nd; destruct (B d e Nd) as (p & last & v & -> & X); exists p, last, v; rewrite Nat.add_0_r; auto|].
        replace (k + S j)%nat with (S k + j)%nat by lia. exact (Sr j d e Nd). }
    destruct F as [dat fp _ Nc R S Di Bi|s g Ch Hg|d e last El Lr].
    + inversion D1; subst. exists (fp :: fps), ([] ++ tk). cbn [List.map flat_map]. rewrite !app_nil_r. split; [econstructor; eauto|]. split; [rewrite <- (app_nil_r (flat_map shapes_of d2)); constructor; auto|].
      split; [unfold Pieces.listed_data in *; cbn [flat_map]; rewrite Di, Dt, map_app; reflexivity|]. split; [unfold Pieces.listed_below in *; cbn [fold_right]; rewrite Bi, Be, app_nil_r; reflexivity|]. split; [exact Pm|].
      apply Say; [|intros d e ->; discriminate Nc]. intros q ->. assert (El : Translated.link_of l = Sorts.Last q) by (clear - R; remember (Reading.PointerPiece (Sorts.Last q)) as fp eqn:Q0; destruct R; discriminate || (injection Q0 as ->; reflexivity)).
      destruct l; try discriminate El. injection El as <-. eauto.
    + inversion D1 as [|? a ? ? Ra D1']; subst. inversion D1'; subst. unfold reads_to in Ra. cbn [child_position Covering.value_at Covering.above_at Covering.same_at Covering.sort_at Covering.ring_at flat_map] in *.
      replace (if (s =? Covering.sort_at x)%N then Covering.ring_at x else None) with (@None Covering.ring_end) in Ra by (destruct (N.eqb_spec s (Covering.sort_at x)) as [Es|]; [rewrite (Nw l s (or_introl eq_refl) Ch Es)|]; reflexivity).
      unfold listed_one at 2. destruct (what_is_read a) as [p|]; [|destruct Ra]. destruct Ra as [Ra Sa]. rewrite above_own in Ra. rewrite (handed_is l g Hg) in Ra.
      exists (Reading.BelowPiece (given_of l) p :: fps), (taken_of a ++ tk). cbn [List.map]. rewrite !app_nil_r.
      assert (Rf : field_read (Translated.link_of l) (slot_of w) (Reading.BelowPiece (given_of l) p) (taken_of a) /\ Pieces.shaped_field trees (symbols_of c) (Translated.link_of l) (Reading.BelowPiece (given_of l) p) (shapes_of a)).
      { destruct l as [|d| | | | | | |d from|d e|f0]; try discriminate; injection Ch as ->; cbn [given_of Translated.link_of] in *; split; constructor; auto. }
      destruct Rf as [Rf Sf]. split; [econstructor; eauto|]. split; [constructor; auto|].
      split; [unfold Pieces.listed_data in *; cbn [flat_map Pieces.data_of app]; exact Dt|]. split; [unfold Pieces.listed_below in *; cbn [fold_right Pieces.below_of]; rewrite Be; reflexivity|].
      split; [rewrite Pm; apply Permutation_app_comm|]. apply Say; [discriminate | intros d e ->; discriminate Ch].
    + subst l. inversion D1 as [|? a ? ? Ra D1']; subst. inversion D1'; subst. unfold reads_to in Ra. cbn [ring_position Covering.value_at Covering.above_at Covering.same_at Covering.sort_at Covering.ring_at Covering.header_is Covering.last_is flat_map] in *.
      unfold listed_one at 2. destruct (what_is_read a) as [|p up]; [destruct Ra|]. destruct Ra as (Ra & Sa & Ta). destruct (header_is e) as [H1 H2]. rewrite H1, H2 in Ra.
      exists (Reading.RingPiece (Z.of_N e) p up :: fps), (taken_of a ++ tk). cbn [List.map]. rewrite !app_nil_r.
      split; [econstructor; [exact Cr | cbn [Translated.link_of]; constructor; exact Ra | exact Rs]|]. split; [constructor; [cbn [Translated.link_of]; constructor; exact Sa | exact Sh]|].
      split; [unfold Pieces.listed_data in *; cbn [flat_map Pieces.data_of app]; exact Dt|]. split; [unfold Pieces.listed_below in *; cbn [fold_right Pieces.below_of]; rewrite Be; reflexivity|].
      split; [rewrite Pm; apply Permutation_app_comm|]. apply Say; [discriminate|]. intros d' e' [= <- <-]. eauto 6.
Qed.
(** Around the hole of a node on a path or in a ring. *)
Lemma say_around ls1 l ls2 fs1 s fs2 : fields_say 0 ls1 fs1 -> fields_say (S (length ls1)) ls2 fs2 -> (forall d e, l <> Ring d e) -> fields_say 0 (ls1 ++ l :: ls2) (Reading.around_hole s fs1 fs2).
Proof.
  intros [M1 L1 R1] [M2 L2 R2] Nr. unfold Reading.around_hole. split; [rewrite !app_length; simpl; congruence | |].
  - intros j q Nq. destruct (Nat.lt_ge_cases j (length ls1)) as [B|B]; [rewrite nth_error_app1 in * by lia; exact (L1 j q Nq)|].
    rewrite nth_error_app2 in * by lia. rewrite M1 in Nq. destruct (j - length ls1)%nat as [|a]; [discriminate|]. exact (L2 a q Nq).
  - intros j d e Nd. destruct (Nat.lt_ge_cases j (length ls1)) as [B|B]; [rewrite nth_error_app1 in * by lia; exact (R1 j d e Nd)|].
    rewrite nth_error_app2 in * by lia. rewrite M1. destruct (j - length ls1)%nat as [|a] eqn:Ei; [injection Nd as Nd; destruct (Nr _ _ Nd)|]. cbn [List.nth_error] in *.
    replace (0 + j)%nat with (S (length ls1) + a)%nat by lia. exact (R2 a d e Nd).
Qed.
Lemma say_ends ks fps : fields_say 0 ks fps -> all = List.combine ks (field_states y) -> length ks = length (field_states y) -> (forall j f, List.nth_error ks j = Some (Last_ f) -> exists s e, List.nth_error ks (N.to_nat f) = Some (Ring s e)) ->
  Reading.ends_read (object_of y) fps.
Proof.
  intros [Sm Sl Sr] Ea Le Named j q Nq. destruct (Sl j q Nq) as (f & Nf & ->). destruct (Named j f Nf) as (s & e & Nr). destruct (Sr _ _ _ Nr) as (p & last & v & Np & Lr & Ti).
  assert (Lj : (j < length (field_states y))%nat) by (rewrite <- Le; apply List.nth_error_Some; congruence). destruct (one_celled j Lj) as (g & w & Ng & Cg).
  assert (Na : List.nth_error all j = Some (Last_ f, g)).
  { rewrite Ea. clear - Nf Ng. revert j Nf Ng. generalize (field_states y) as gs. induction ks as [|l ks IH]; intros [|h gs] [|j] Nf Ng; cbn in *; try discriminate; [congruence | exact (IH gs j Nf Ng)]. }
  rewrite Nat.add_0_l, N2Nat.id in Lr. specialize (Lr j g w Na ltac:(rewrite Cg; left; reflexivity)). subst v.
  exists (slot_of w), (Z.of_N e), p, last. split; [exact (cell_read _ _ _ Ng Cg)|]. split; [exact Np | exact Ti].
Qed.
(** At one of the positions. *)
Lemma moved_split k ls dat cs : fields_moved k ls dat cs -> forall cs2 z cs1, cs = cs2 ++ z :: cs1 -> exists ls1 l ls2 dat1 dat2 f w, ls = ls1 ++ l :: ls2 /\ dat = dat1 ++ dat2 /\
  fields_moved k ls1 dat1 cs1 /\ List.nth_error (field_states y) (k + length ls1) = Some f /\ cells f = [w] /\ field_moved (k + length ls1) l w [] [z] /\ fields_moved (S (k + length ls1)) ls2 dat2 cs2.
Proof.
  induction 1 as [k|k l ls f w dat cs dats css N C F Fs IH]; intros cs2 z cs1 Eq; [destruct cs2; discriminate|].
  assert (One : cs = [] \/ exists q, cs = [q]) by (destruct F; eauto).
  assert (Cases : (exists t, css = cs2 ++ z :: t /\ cs1 = t ++ cs) \/ (cs2 = css /\ cs1 = [] /\ cs = [z])).
  { apply app_eq_app in Eq as (t & [[E1 E2]|[E1 E2]]).
    - destruct t as [|z' t]; cbn [app] in E2; [|injection E2 as <- ->; left; exists t; split; [exact E1 | reflexivity]]. rewrite app_nil_r in E1. subst css.
      right. destruct One as [->|(q & ->)]; [discriminate|]. injection E2 as <- <-. auto.
    - right. destruct One as [->|(q & ->)]; [destruct t; discriminate|]. destruct t as [|z' t]; cbn [app] in E2; [injection E2 as <- <-; rewrite app_nil_r in E1; auto | injection E2 as <- E2; destruct t; discriminate]. }
  destruct Cases as [(t & -> & ->)|(-> & -> & ->)].
  - destruct (IH cs2 z t eq_refl) as (ls1 & l' & ls2 & dat1 & dat2 & f' & w' & -> & -> & F1 & N' & C' & F' & F2). exists (l :: ls1), l', ls2, (dat ++ dat1), dat2, f', w'. cbn [app length]. rewrite <- app_assoc.
    split; [reflexivity|]. split; [reflexivity|]. split; [econstructor; eauto|]. replace (k + S (length ls1))%nat with (S k + length ls1)%nat by lia. auto.
  - assert (dat = []) as -> by (inversion F; reflexivity). exists [], l, ls, [], dats, f, w. cbn [length app]. rewrite Nat.add_0_r. split; [reflexivity|]. split; [reflexivity|]. split; [constructor|]. auto.
Qed.
(** At one of the links. *)
Lemma moved_at ls1 l ls2 : forall k dat cs, fields_moved k (ls1 ++ l :: ls2) dat cs -> exists dat1 dat0 dat2 cs1 cs0 cs2 f w, dat = dat1 ++ dat0 ++ dat2 /\ cs = cs2 ++ cs0 ++ cs1 /\
  fields_moved k ls1 dat1 cs1 /\ List.nth_error (field_states y) (k + length ls1) = Some f /\ cells f = [w] /\ field_moved (k + length ls1) l w dat0 cs0 /\ fields_moved (S (k + length ls1)) ls2 dat2 cs2.
Proof.
  induction ls1 as [|l1 ls1 IH]; intros k dat cs H; cbn [app] in H; inversion H as [|? ? ? f0 w0 dat0 cs0 dats css N C F Fs]; subst.
  - exists [], dat0, dats, [], cs0, css, f0, w0. cbn [length app]. rewrite Nat.add_0_r, app_nil_r. repeat (split; [reflexivity || assumption || constructor|]). exact Fs.
  - destruct (IH _ _ _ Fs) as (dat1 & datm & dat2 & cs1 & csm & cs2 & f & w & -> & -> & F1 & N' & C' & Fm & F2). exists (dat0 ++ dat1), datm, dat2, (cs1 ++ cs0), csm, cs2, f, w.
    cbn [length]. replace (k + S (length ls1))%nat with (S k + length ls1)%nat by lia. rewrite <- !app_assoc. split; [reflexivity|]. split; [reflexivity|]. split; [econstructor; eauto|]. auto.
Qed.
Lemma moved_in k ls dat cs : fields_moved k ls dat cs -> Forall (piece_in s0) dat.
Proof. induction 1 as [k|k l ls f w dat cs dats css N C F _ IH]; [constructor|]. apply Forall_app. split; [destruct F; auto | exact IH]. Qed.
Lemma moved_children k ls dat cs : fields_moved k ls dat cs -> Pieces.children (List.map Translated.link_of ls) = length cs.
Proof.
  unfold Pieces.children. induction 1 as [k|k l ls f w dat cs dats css N C F _ IH]; [reflexivity|]. cbn [List.map filter]. rewrite app_length, <- IH.
  destruct F as [dat fp _ Nc|s g Ch|d e last ->]; [rewrite Nc; cbn; lia | destruct l; try discriminate; cbn; lia | cbn; lia].
Qed.
End Node.

(** ** One cell, or a symbol *)

Hypothesis symbols_numbered : numbered_right (symbols c).
Notation sort_of x := (N.to_nat (Covering.sort_at x)).
Record moved (r r' : Covering.reading) ps ns cs tk : Prop := {
  pieces_there : Forall (piece_in s0) ps;
  pieces_moved : Covering.pieces_read r' = rev ps ++ Covering.pieces_read r;
  shapes_moved : Covering.shapes_left r = ns ++ Covering.shapes_left r';
  hanging_moved : Covering.hanging r' = cs ++ Covering.hanging r;
  took_moved : took m (Covering.so_far r) tk (Covering.so_far r') }.
Definition segment_below x q (last : option slot) : position := {| Covering.value_at := below q; Covering.above_at := last; Covering.same_at := Covering.same_at x; Covering.sort_at := Covering.sort_at x; Covering.ring_at := Covering.ring_at x |}.
Inductive one_read (r : Covering.reading) (x : position) (r' : Covering.reading) : Prop :=
| one_leaf a piece : moved r r' [piece] [] [] (taken_of a) -> reads_to x a -> shapes_of a = [] -> listed_one a = [listed_of piece] -> one_read r x r'
| one_segment f q s' last : Covering.value_at x = Folded f -> slot_in s0 (below q) -> FoldedMembers.part_named member (N.to_nat f) = Some (part_of q) -> List.nth_error (symbols_of c) (N.to_nat (symbol q)) = Some (FoldedMembers.SegmentOf s') ->
    Reading.part_fits trees (sort_of x) s' (part_of q) (above_of (Covering.above_at x)) (along_of (Covering.same_at x)) -> Reading.last_of (N.to_nat f) (part_of q) (above_of (Covering.above_at x)) (above_of last) ->
    moved r r' [Covering.SymbolPiece (symbol q)] [] [segment_below x q last] [inr (N.to_nat f)] -> one_read r x r'
| one_node o y b ks j ns dat cs : Covering.value_at x = PointerSlot o (lower y) b -> find (objects_held m) o = Some y -> slot_of (Covering.value_at x) = Reading.to_node trees (sort_of x) (N.to_nat o) (FoldedMembers.begins (object_of y)) ->
    Reading.node_fits trees member (sort_of x) (N.to_nat o) (object_of y) (FoldedMembers.begins (object_of y)) (List.map Translated.link_of ks) ->
    List.nth_error (Sorts.shapes (trees (sort_of x))) j = Some (List.map Translated.link_of ks) -> Pieces.choice trees (sort_of x) j = List.map N.to_nat ns ->
    fields_moved x y (List.combine ks (field_states y)) 0 ks dat cs -> length ks = length (field_states y) -> (Covering.ring_at x <> None -> Covering.has_one_way (Covering.sort_at x) ks = true) ->
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

(** What leads to the last cell of a ring names its field, and the one way on along a ring is
    one field. *)
Lemma named_here n j ks : List.nth_error (Sorts.shapes (trees (N.to_nat n))) j = Some (List.map Translated.link_of ks) -> forall i f, List.nth_error ks i = Some (Last_ f) -> exists s e, List.nth_error ks (N.to_nat f) = Some (Ring s e).
Proof.
  intros Nj i f Nf. apply List.nth_error_In in Nj. destruct (WellFormed.nodes (names_in E) (sorts_in E) n) as [[[d r] ss]|] eqn:Nd; [|rewrite (sort_absent _ _ sorts_are _ Nd) in Nj; destruct Nj].
  rewrite (sort_shapes _ _ sorts_are _ d r ss Nd) in Nj. apply in_map_iff in Nj as (ks' & Em & Ik).
  assert (At : forall a, option_map Translated.link_of (List.nth_error ks' a) = option_map Translated.link_of (List.nth_error ks a)) by (intros a; rewrite <- !nth_error_map, Em; reflexivity).
  pose proof (At i) as Ei. rewrite Nf in Ei. destruct (List.nth_error ks' i) as [l|] eqn:Nl; [|discriminate]. cbn in Ei. injection Ei as Ei. destruct l as [|?| | | | |? ?| |? ?|? ?|f']; try discriminate Ei. injection Ei as Ei. apply N2Nat.inj in Ei. subst f'.
  destruct (lasts_named n d r ss ks' i f Nd Ik Nl) as (s & e & Nr). pose proof (At (N.to_nat f)) as Er. rewrite Nr in Er. destruct (List.nth_error ks (N.to_nat f)) as [l|]; [|discriminate]. cbn in Er. injection Er as Er.
  destruct l; try discriminate Er. eauto.
Qed.
Lemma one_way s ks : Covering.has_one_way s ks = true -> exists ks1 ks2, ks = ks1 ++ Child s :: ks2 /\ forall l, In l (ks1 ++ ks2) -> child_of l <> Some s.
Proof.
  unfold Covering.has_one_way. set (leads := fun l => Folds.is_child_of s l || Covering.is_handed l).
  assert (Not : forall l, leads l = false -> child_of l <> Some s).
  { intros l H. unfold leads in H. apply orb_false_iff in H as [H1 H2]. destruct l; cbn in *; try discriminate. intros [= ->]. rewrite N.eqb_refl in H1. discriminate. }
  assert (None_ : forall l, filter leads l = [] -> forall a, In a l -> child_of a <> Some s).
  { intros l Fi a I. apply Not. destruct (leads a) eqn:La; [|reflexivity]. assert (X : In a (filter leads l)) by (apply filter_In; auto). rewrite Fi in X. destruct X. }
  induction ks as [|k ks IH]; cbn [filter]; [discriminate|]. destruct (leads k) eqn:Lk.
  - destruct (filter leads ks) as [|? ?] eqn:Fi; [|discriminate]. intros H. exists [], ks. destruct k; try discriminate. cbn in H. apply N.eqb_eq in H. subst. split; [reflexivity | exact (None_ ks Fi)].
  - intros H. destruct (IH H) as (ks1 & ks2 & -> & Al). exists (k :: ks1), ks2. split; [reflexivity|]. intros l [<-|I]; auto.
Qed.
Lemma part_goes th r f x d ro ss : Covering.value_at x = Folded f -> free_right m (Covering.so_far r) -> WellFormed.nodes (names_in E) (sorts_in E) (Covering.sort_at x) = Some (d, ro, ss) ->
  goes th (Covering.read_part E c r f x ss) (fun _ => th) (one_read r x).
Proof.
  intros Vx [_ Fp _ _] Nd. unfold Covering.read_part. apply goes_some. intros q Fq. pose proof (part_here f q (Fp f q Fq)) as Pn.
  set (r1 := Covering.with_covering r _). set (is_below := Covering.is_one_slot (Covering.above_at x) (above q)).
  apply goes_demand. intros Up. apply goes_demand. intros Sm. apply goes_some. intros sh Sh. set (r2 := Covering.with_piece r1 _).
  assert (Fits : forall found, Covering.is_within_sort E found (Covering.sort_at x) = true -> Reading.part_fits trees (sort_of x) (N.to_nat found) (part_of q) (above_of (Covering.above_at x)) (along_of (Covering.same_at x))).
  { intros found W. split; [eapply within_chain; exact W|]. split; [|exact (proj2 (one_slot _ _ Sm))]. apply orb_prop in Up as [Up|Up]; [right; exact (proj1 (one_slot _ _ Up)) | left; eapply none_up; eauto]. }
  assert (Ns : List.nth_error (symbols_of c) (N.to_nat (symbol q)) = Some (symbol_of (Some sh))).
  { rewrite symbols_at, Sh. pose proof (symbols_numbered _ _ Sh). destruct (N.ltb_spec (symbol q) (given (symbols c))); [reflexivity | lia]. }
  pose proof (took_part m (Covering.so_far r) f q Fq) as Tk.
  destruct sh as [found|found]; apply goes_demand; intros W; apply goes_demand; intros Fr; apply goes_ret; try reflexivity.
  - eapply (one_leaf r x r2 {| what_is_read := AsPiece (Reading.TreePiece (N.to_nat (symbol q))); taken_of := [inr (N.to_nat f)]; shapes_of := [] |} (Covering.SymbolPiece (symbol q))); [split; try reflexivity; [repeat constructor | exact Tk] | | reflexivity | reflexivity].
    unfold reads_to. cbn [orb] in Fr. unfold Covering.is_free in Fr. destruct (Covering.ring_at x); [discriminate|]. cbn [what_is_read taken_of shapes_of].
    split; [|econstructor; exact Ns]. rewrite Vx. eapply Reading.reads_tree with (q := part_of q); [exact Pn | exact Ns | exact (Fits found W)].
  - eapply (one_segment r x _ f q (N.to_nat found) (Some (if is_below then Last f else Forgotten))); [exact Vx | eapply below_there, Fp; exact Fq | exact Pn | exact Ns | exact (Fits found W) | | split; try reflexivity; [repeat constructor | exact Tk]].
    destruct is_below eqn:B; [left; split; [reflexivity | exact (proj1 (one_slot _ _ B))] | right; reflexivity].
Qed.
Lemma node_goes th r o y b x d ro ss : (Covering.ring_at x <> None -> forallb (Covering.has_one_way (Covering.sort_at x)) ss = true) -> Covering.value_at x = PointerSlot o (lower y) b -> b = entrance ro -> free_right m (Covering.so_far r) -> WellFormed.nodes (names_in E) (sorts_in E) (Covering.sort_at x) = Some (d, ro, ss) ->
  find (Covering.free_objects (Covering.so_far r)) o = Some y -> declaration y = d -> life_of y = Certificates.Live -> let v := Covering.with_free (Covering.so_far r) (clear (Covering.free_objects (Covering.so_far r)) o) (Covering.free_parts (Covering.so_far r)) in
  goes th (Covering.read_node E c (Covering.with_covering r v) y x ss) (fun _ => th) (one_read r x).
Proof.
  intros Ow Vx -> [Fo _ _ _] Nd Fy Dy Ly v. pose proof (Fo o y Fy) as Fm. unfold Covering.read_node. cbn [Covering.with_covering Covering.shapes_left].
  pose proof (sort_shapes _ _ sorts_are _ d ro ss Nd) as Shs.
  assert (Each : forall j ks ns left_, nth ss j = Some ks -> Covering.shapes_left r = ns ++ left_ -> Pieces.choice trees (sort_of x) (N.to_nat j) = List.map N.to_nat ns ->
    goes th (folded_left (Covering.read_field E c y x (List.combine ks (field_states y))) (List.combine (numbers_from 0 (length (List.combine ks (field_states y)))) (List.combine ks (field_states y))) {| Covering.so_far := v; Covering.shapes_left := left_; Covering.pieces_read := Covering.NodePiece :: Covering.pieces_read r; Covering.hanging := Covering.hanging r |}) (fun _ => th) (one_read r x)).
  { intros j ks ns left_ Hj Sl Ch. pose proof (Closing.nth_in _ _ _ Hj) as Ik. pose proof (widths o y _ d ro ss ks Fm Nd Dy Ik) as Le.
    eapply goes_weaker; [apply (fields_goes x y (List.combine ks (field_states y)) th ks (field_states y) 0); [intros f t If It; exact (cells_there o y f (IntegerSlot t) Fm If It (LinearPart t) (or_introl eq_refl)) | auto | exact Le]|].
    intros r' (dat & cs & Fs & ->). cbn [Covering.so_far Covering.shapes_left Covering.pieces_read Covering.hanging].
    assert (Own : slot_of (Covering.value_at x) = Reading.to_node trees (sort_of x) (N.to_nat o) (FoldedMembers.begins (object_of y))) by (rewrite Vx; unfold Reading.to_node; rewrite (sort_entrance _ _ sorts_are _ d ro ss Nd); reflexivity).
    assert (Nj : List.nth_error (Sorts.shapes (trees (sort_of x))) (N.to_nat j) = Some (List.map Translated.link_of ks)) by (rewrite Shs, nth_error_map, <- nth_at, Hj; reflexivity).
    eapply (one_node r x _ o y (entrance ro) ks (N.to_nat j) ns dat cs); auto.
    - split; [exact (object_here_ o y Fm)|]. split; [cbn; rewrite Ly; reflexivity|]. split; [cbn; rewrite Dy; symmetry; exact (sort_declared _ _ sorts_are _ d ro ss Nd)|]. split; [reflexivity|].
      split; [eapply List.nth_error_In; exact Nj | cbn; rewrite !map_length; exact Le].
    - intros Nn. specialize (Ow Nn). rewrite forallb_forall in Ow. exact (Ow ks Ik).
    - split; cbn [Covering.so_far Covering.shapes_left Covering.pieces_read Covering.hanging]; [constructor; [exact I | eapply moved_in; exact Fs] | cbn [rev]; rewrite <- app_assoc; reflexivity | exact Sl | reflexivity | exact (took_object m _ o y Fy)]. }
  assert (Many : (forall ks, ss <> [ks]) -> forall j l ks, Covering.shapes_left r = j :: l -> nth ss j = Some ks -> Pieces.choice trees (sort_of x) (N.to_nat j) = List.map N.to_nat [j]).
  { intros Ne j l ks _ _. unfold Pieces.choice. rewrite Shs. destruct ss as [|k1 [|k2 ss']]; [reflexivity | destruct (Ne k1 eq_refl) | reflexivity]. }
  destruct ss as [|k1 [|k2 ss']]; [destruct (Covering.shapes_left r); apply goes_some; discriminate | |].
  - apply goes_some. intros ks Hj. apply (Each 0%N ks []); [exact Hj | reflexivity | unfold Pieces.choice; rewrite Shs; reflexivity].
  - destruct (Covering.shapes_left r) as [|j l] eqn:Sl; apply goes_some; intros ks Hj; [discriminate|]. apply (Each j ks [j] l); [exact Hj | reflexivity | eapply Many; eauto; intros k; discriminate].
Qed.
Lemma below_goes th r x d ro ss : WellFormed.nodes (names_in E) (sorts_in E) (Covering.sort_at x) = Some (d, ro, ss) -> (Covering.ring_at x <> None -> forallb (Covering.has_one_way (Covering.sort_at x)) ss = true) -> free_right m (Covering.so_far r) ->
  goes th (Covering.read_below E c r x d ro ss) (fun _ => th) (one_read r x).
Proof.
  intros Nd Ow Fr. unfold Covering.read_below. destruct (Covering.value_at x) as [| |t| |o i b|f|f] eqn:Vx; try apply goes_refuses.
  - destruct (is_any ro && Covering.is_free x) eqn:An; [|apply goes_refuses]. apply andb_prop in An as [An Fx]. apply goes_ret; [reflexivity|].
    eapply (one_leaf r x _ {| what_is_read := AsPiece Reading.NullPiece; taken_of := []; shapes_of := [] |} Covering.NullPiece); [split; try reflexivity; [repeat constructor | apply took_none] | | reflexivity | reflexivity].
    unfold reads_to. unfold Covering.is_free in Fx. destruct (Covering.ring_at x); [discriminate|]. cbn [what_is_read taken_of shapes_of].
    split; [rewrite Vx; apply Reading.reads_null; rewrite (sort_null _ _ sorts_are _ d ro ss Nd); exact An | constructor].
  - unfold Covering.take_object. eapply goes_bind with (th_a := fun _ => th) (P := fun p => find (Covering.free_objects (Covering.so_far r)) o = Some (fst p) /\ snd p = Covering.with_free (Covering.so_far r) (clear (Covering.free_objects (Covering.so_far r)) o) (Covering.free_parts (Covering.so_far r))).
    + apply goes_some. intros y Fy. apply goes_ret; auto.
    + intros [y v] [Fy Ev]. cbn [fst snd] in Fy, Ev. subst v. apply goes_demand. intros D. apply andb_prop in D as [D Sl]. apply andb_prop in D as [D Lv]. apply N.eqb_eq in D. apply slot_eqb_is in Sl. injection Sl as -> ->.
      apply (node_goes th r o y (entrance ro) x d ro ss); auto. destruct (life_of y); [reflexivity | discriminate].
  - eapply part_goes; eauto.
Qed.
Lemma one_goes th r x : free_right m (Covering.so_far r) -> goes th (Covering.read_one E c r x) (fun _ => th) (one_read r x).
Proof.
  intros Fr. unfold Covering.read_one. unfold nodes_of. apply goes_some. intros [[d ro] ss] Nd. destruct (Covering.ring_at x) as [h|] eqn:Rx.
  - apply goes_demand. intros Ow. destruct (slot_eqb (Covering.header_is h) (Covering.value_at x)) eqn:Eh; [|apply below_goes; auto]. apply slot_eqb_is in Eh. unfold Covering.read_header. apply goes_demand. intros Lt. apply goes_ret; [reflexivity|].
    eapply (one_leaf r x _ {| what_is_read := AsRing Reading.PathEnd (above_of (Covering.above_at x)); taken_of := []; shapes_of := [] |} Covering.HeaderPiece); [split; try reflexivity; [repeat constructor | apply took_none] | | reflexivity | reflexivity].
    unfold reads_to. rewrite Rx. cbn [what_is_read taken_of shapes_of]. rewrite Eh. split; [constructor|]. split; [constructor|]. destruct (Covering.last_is h) as [v|]; [exact (proj1 (one_slot _ _ Lt)) | exact I].
  - apply below_goes; auto; congruence.
Qed.

(** ** All that hangs below *)

Lemma cells_of_moved x y all ks dat cs : fields_moved x y all 0 ks dat cs -> length ks = length (field_states y) -> forall j, (j < length (field_states y))%nat -> exists f w, List.nth_error (field_states y) j = Some f /\ cells f = [w].
Proof. intros F Le j L. apply (moved_cell x y all 0 ks dat cs F). lia. Qed.
(** In a ring a node leads on along the one way. *)
Lemma ring_node x h y o b ks j ns dat cs : Covering.ring_at x = Some h -> Covering.value_at x = PointerSlot o (lower y) b -> slot_of (Covering.value_at x) = Reading.to_node trees (sort_of x) (N.to_nat o) (FoldedMembers.begins (object_of y)) ->
  Reading.node_fits trees member (sort_of x) (N.to_nat o) (object_of y) (FoldedMembers.begins (object_of y)) (List.map Translated.link_of ks) ->
  List.nth_error (Sorts.shapes (trees (sort_of x))) j = Some (List.map Translated.link_of ks) -> Pieces.choice trees (sort_of x) j = List.map N.to_nat ns ->
  fields_moved x y (List.combine ks (field_states y)) 0 ks dat cs -> length ks = length (field_states y) -> Covering.has_one_way (Covering.sort_at x) ks = true -> forall done, Forall2 reads_to cs done ->
  exists a, reads_to x a /\ listed_one a = List.map listed_of (Covering.NodePiece :: dat) ++ listed_all done /\ Permutation (taken_of a) (inl (N.to_nat o) :: flat_map taken_of done) /\ shapes_of a = List.map N.to_nat ns ++ flat_map shapes_of done.
Proof.
  intros Rx Vx Own Nf Nj Ch Fs Le Ow done D. pose proof (cells_of_moved _ _ _ _ _ _ Fs Le) as Oc. pose proof (named_here _ _ _ Nj) as Named. set (s := Covering.sort_at x) in *.
  remember (List.combine ks (field_states y)) as all eqn:Ea. destruct (one_way s ks Ow) as (ks1 & ks2 & Ek & Al).
  pose proof Fs as Fs'. rewrite Ek in Fs'. destruct (moved_at x y all ks1 (Child s) ks2 _ _ _ Fs') as (dat1 & dat0 & dat2 & cs1 & cs0 & cs2 & f & w & -> & -> & F1 & Nf1 & Cf & Fm & F2). cbn [Nat.add] in Nf1, F2.
  inversion Fm as [? ? ? Nc|s' g Cl Hg|]; subst dat0 cs0; [discriminate Nc | | discriminate]. cbn [child_of] in Cl. injection Cl as <-.
  apply Forall2_app_inv_l in D as (d2 & d & D2 & D & ->). apply Forall2_app_inv_l in D as (da & d1 & Da & D1 & ->). inversion Da as [|? a ? ? Ra Dn]; subst. inversion Dn; subst. clear Da Dn.
  assert (N1 : leads_nowhere x ks1) by (intros l q I Cq Eq; destruct (Al l ltac:(apply in_or_app; auto)); rewrite Cq; f_equal; exact Eq).
  assert (N2 : leads_nowhere x ks2) by (intros l q I Cq Eq; destruct (Al l ltac:(apply in_or_app; auto)); rewrite Cq; f_equal; exact Eq).
  destruct (fields_to x y o (lower y) b Vx _ Oc 0 ks1 dat1 _ F1 N1 d1 D1) as (fps1 & tk1 & Rs1 & Sh1 & Dt1 & Be1 & Pm1 & Sy1). destruct (fields_to x y o (lower y) b Vx _ Oc _ ks2 dat2 _ F2 N2 d2 D2) as (fps2 & tk2 & Rs2 & Sh2 & Dt2 & Be2 & Pm2 & Sy2).
  unfold reads_to in Ra. cbn [child_position Covering.value_at Covering.above_at Covering.same_at Covering.sort_at Covering.ring_at] in Ra. fold s in Ra. rewrite N.eqb_refl, Rx in Ra.
  destruct (what_is_read a) as [|p up] eqn:Wa; [destruct Ra|]. destruct Ra as (Ra & Sa & Ta). pose proof (handed_is x y Oc _ _ Hg) as Hgi. cbn [given_of] in Hgi.
  rewrite (above_own x o (lower y) b Vx), Hgi in Ra.
  assert (Lk : length (List.map Translated.link_of ks1) = length ks1) by apply map_length. rewrite map_app in Nf, Nj. cbn [List.map Translated.link_of] in Nf, Nj.
  assert (Single_ : forall l, In l (ks1 ++ ks2) -> Translated.link_of l <> Sorts.Child (N.to_nat s)).
  { intros l I El. apply (Al l I). destruct l; try discriminate El. cbn in El. injection El as El. apply N2Nat.inj in El. subst. reflexivity. }
  exists {| what_is_read := AsRing (Reading.NodePath (Sorts.declaration (trees (sort_of x))) (Sorts.entrance (trees (sort_of x))) fps1 (Sorts.AsIn (Sorts.same_field trees (sort_of x))) p fps2) up;
    taken_of := inl (N.to_nat o) :: tk1 ++ taken_of a ++ tk2; shapes_of := Pieces.choice trees (sort_of x) j ++ flat_map shapes_of d2 ++ shapes_of a ++ flat_map shapes_of d1 |}.
  unfold reads_to. rewrite Rx. cbn [what_is_read taken_of shapes_of]. split; [split; [|split; [|exact Ta]]|split; [|split]].
  - rewrite Own in Ra, Rs1, Rs2 |- *. eapply Reading.path_node; [exact Nf | | exact Rs1 | rewrite Lk; exact (cell_read y f w _ Nf1 Cf) | exact Ra | rewrite Lk; exact Rs2|].
    + split; intros I; apply in_map_iff in I as (l & El & I); apply (Single_ l); auto; apply in_or_app; auto.
    + apply (say_ends y (List.combine (ks1 ++ Child s :: ks2) (field_states y)) Oc (ks1 ++ Child s :: ks2)); auto. apply say_around; [exact Sy1 | exact Sy2 | discriminate].
  - eapply Pieces.ring_cell; [exact Nj | | | exact Sh1 | exact Sh2 | exact Sa]; intros I; apply in_map_iff in I as (l & El & I); apply (Single_ l); auto; apply in_or_app; auto.
  - unfold listed_one at 1. cbn [what_is_read Pieces.listed_ring]. fold (Pieces.listed_below fps1) (Pieces.listed_below fps2). unfold listed_all. rewrite !flat_map_app. cbn [flat_map List.map listed_of app]. rewrite !map_app. unfold listed_one at 2. rewrite Wa, Dt1, Dt2, Be1, Be2, app_nil_r, <- !app_assoc. reflexivity.
  - constructor. rewrite !flat_map_app. cbn [flat_map]. rewrite app_nil_r, Pm1, Pm2. rewrite (app_assoc (flat_map taken_of d1)), (Permutation_app_comm (flat_map taken_of d1 ++ taken_of a)), (Permutation_app_comm (flat_map taken_of d1)). reflexivity.
  - change (sort_of x) with (N.to_nat s). rewrite Ch, !flat_map_app. cbn [flat_map]. rewrite app_nil_r. reflexivity.
Qed.
Lemma one_to r x r' : one_read r x r' -> exists ps ns cs tk, moved r r' ps ns cs tk /\ forall done, Forall2 reads_to cs done -> exists a, reads_to x a /\
  listed_one a = List.map listed_of ps ++ listed_all done /\ Permutation (taken_of a) (tk ++ flat_map taken_of done) /\ shapes_of a = List.map N.to_nat ns ++ flat_map shapes_of done.
Proof.
  intros [a piece Mv R Sh Li|f q s' last Vx _ Pn Ns Fi La Mv|o y b ks j ns dat cs Vx _ Own Nf Nj Ch Fs Le Ow Mv].
  - exists [piece], [], [], (taken_of a). split; [exact Mv|]. intros done D. inversion D; subst. exists a. split; [exact R|]. cbn [listed_all flat_map List.map]. rewrite !app_nil_r, Li, Sh. auto.
  - exists [Covering.SymbolPiece (symbol q)], [], [segment_below x q last], [inr (N.to_nat f)]. split; [exact Mv|]. intros done D. inversion D as [|? a ? ? Ra D']; subst. inversion D'; subst.
    unfold reads_to in Ra |- *. cbn [segment_below Covering.value_at Covering.above_at Covering.same_at Covering.sort_at Covering.ring_at] in Ra. destruct (Covering.ring_at x) as [h|], (what_is_read a) as [p|p up] eqn:Wa; try destruct Ra as [].
    + exists {| what_is_read := AsRing (Reading.SegmentPath (N.to_nat (symbol q)) p) up; taken_of := inr (N.to_nat f) :: taken_of a; shapes_of := shapes_of a |}. cbn [what_is_read taken_of shapes_of listed_all flat_map List.map]. rewrite !app_nil_r.
      split; [|split; [unfold listed_one; cbn [what_is_read]; rewrite Wa; reflexivity|]; split; reflexivity]. destruct H0 as [Sa Ta]. split; [rewrite Vx; eapply Reading.path_segment with (q := part_of q); eauto|]. split; [econstructor; eauto | exact Ta].
    + exists {| what_is_read := AsPiece (Reading.SegmentPiece (N.to_nat (symbol q)) p); taken_of := inr (N.to_nat f) :: taken_of a; shapes_of := shapes_of a |}. cbn [what_is_read taken_of shapes_of listed_all flat_map List.map]. rewrite !app_nil_r.
      split; [|split; [unfold listed_one; cbn [what_is_read]; rewrite Wa; reflexivity|]; split; reflexivity]. split; [rewrite Vx; eapply Reading.reads_segment with (q := part_of q); eauto | econstructor; eauto].
  - exists (Covering.NodePiece :: dat), ns, cs, [inl (N.to_nat o)]. split; [exact Mv|]. intros done D. destruct (Covering.ring_at x) as [h|] eqn:Rx.
    + eapply (ring_node x h y o b ks j ns dat cs); eauto. apply Ow. discriminate.
    + pose proof (cells_of_moved _ _ _ _ _ _ Fs Le) as Oc. destruct (fields_to x y o (lower y) b Vx _ Oc 0 ks dat cs Fs ltac:(intros l s _ _ _; exact Rx) done D) as (fps & tk & Rs & Sh & Dt & Be & Pm & Sy).
      exists {| what_is_read := AsPiece (Reading.NodePiece (Sorts.declaration (trees (sort_of x))) (Sorts.entrance (trees (sort_of x))) fps); taken_of := inl (N.to_nat o) :: tk; shapes_of := List.map N.to_nat ns ++ flat_map shapes_of done |}.
      unfold reads_to. rewrite Rx. cbn [what_is_read taken_of shapes_of]. split; [|split; [|split; [cbn [app]; constructor; exact Pm | reflexivity]]].
      * split; [rewrite Own in Rs |- *; eapply Reading.reads_node; [exact Nf | exact Rs | exact (say_ends y (List.combine ks (field_states y)) Oc ks fps Sy eq_refl Le (named_here _ _ _ Nj))] | rewrite <- Ch; econstructor; eauto].
      * unfold listed_one. cbn [what_is_read Pieces.listed List.map listed_of app]. fold (Pieces.listed_below fps). rewrite Dt, Be. reflexivity.
Qed.
Record all_moved (r r' : Covering.reading) (done : list outcome) : Prop := {
  all_pieces : exists ps, Covering.pieces_read r' = rev ps ++ Covering.pieces_read r /\ List.map listed_of ps = listed_all done /\ Forall (piece_in s0) ps;
  all_shapes : exists ns, Covering.shapes_left r = ns ++ Covering.shapes_left r' /\ List.map N.to_nat ns = flat_map shapes_of done;
  all_taken : took m (Covering.so_far r) (flat_map taken_of done) (Covering.so_far r');
  none_hangs : Covering.hanging r' = [] }.
Theorem all_goes th : forall fuel r, free_right m (Covering.so_far r) -> goes th (Covering.read_all E c fuel r) (fun _ => th) (fun r' => exists done, Forall2 reads_to (Covering.hanging r) done /\ all_moved r r' done).
Proof.
  assert (Done : forall r, Covering.hanging r = [] -> goes th (ret r) (fun _ => th) (fun r' => exists done, Forall2 reads_to (Covering.hanging r) done /\ all_moved r r' done)).
  { intros r H. apply goes_ret; [reflexivity|]. exists []. rewrite H. split; [constructor|]. split; [exists []; repeat split; constructor | exists []; auto | apply took_none | exact H]. }
  induction fuel as [|fuel IH]; intros r Fr; cbn [Covering.read_all]; destruct (Covering.hanging r) as [|x h] eqn:Hh; try (rewrite <- Hh; apply Done; exact Hh); [apply goes_refuses|].
  eapply goes_bind; [apply one_goes; exact Fr|]. intros r1 H1. apply one_to in H1 as (ps & ns & cs & tk & [Mi Mp Ms Mh Mt] & To). cbn [Covering.with_rest_hanging Covering.so_far Covering.pieces_read Covering.shapes_left Covering.hanging] in *.
  eapply goes_weaker; [apply IH; exact (took_right _ _ _ _ Mt Fr)|]. intros r2 (done & D & [(qs & Ap & Al & Aq) (ms & As & An) At Ah]). rewrite Mh in D. apply Forall2_app_inv_l in D as (d1 & d2 & D1 & D2 & ->).
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
  intros Nx Sx Fr Hr Next. eapply goes_bind; [apply one_goes; exact Fr|]. intros r1 H1. apply goes_some. intros [z h] W. apply goes_demand. intros Sz. apply andb_prop in Sz as [Sz Zf]. apply N.eqb_eq in Sz. apply without_split in W as (a & b & Eab & -> & La).
  assert (Nz : Covering.ring_at z = None) by (unfold Covering.is_free in Zf; destruct (Covering.ring_at z); [discriminate | reflexivity]).
  destruct H1 as [p piece [_ _ _ Mh _] _ _ _|f q s' last Vx Sb Pn Ns Fi Lst [Mi Mp Ms Mh Mt]|o y b0 ks j ns dat cs Vx Fy Own Nf Nj Ch Fs Le _ [Mi Mp Ms Mh Mt]].
  - rewrite Mh, Hr in Eab. destruct a; discriminate.
  - rewrite Mh, Hr in Eab. cbn [app rev] in Eab. destruct a as [|? [|]]; try discriminate. injection Eab as <- <-. cbn [length] in La. cbn [app rev].
    eapply goes_bind; [apply all_goes; exact (took_right _ _ _ _ Mt Fr)|]. intros r2 (done & D & [(qs & Ap & Al & Aq) (ms & As & An) At Ah]). cbn [Covering.with_rest_hanging Covering.hanging Covering.so_far Covering.pieces_read Covering.shapes_left] in *. inversion D; subst done.
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
    pose proof (cells_of_moved x y _ ks dat cs Fs Le) as Oc. pose proof (named_here _ _ _ Nj) as Named. remember (List.combine ks (field_states y)) as all eqn:Ea.
    destruct (moved_split x y all 0 ks dat cs Fs _ _ _ Ec) as (ks1 & l & ks2 & dat1 & dat2 & f & w & -> & -> & F1 & Nf1 & Cf & Fz & F2). cbn [Nat.add] in Nf1, F2.
    eapply goes_bind; [apply all_goes; exact (took_right _ _ _ _ Mt Fr)|]. intros r2 (done & D & [(qs & Ap & Al & Aq) (ms & As & An) At Ah]). cbn [Covering.with_rest_hanging Covering.hanging Covering.so_far Covering.pieces_read Covering.shapes_left] in *.
    rewrite rev_app_distr in D. apply Forall2_app_inv_l in D as (d2 & d1 & D2 & D1 & ->).
    assert (Nw : forall ls, leads_nowhere x ls) by (intros ls l' s' _ _ _; exact Nx).
    destruct (fields_to x y o (lower y) b0 Vx all Oc 0 ks1 dat1 _ F1 (Nw ks1) d1 D1) as (fps1 & tk1 & Rs1 & Sh1 & Dt1 & Be1 & Pm1 & Sy1). destruct (fields_to x y o (lower y) b0 Vx all Oc _ ks2 dat2 _ F2 (Nw ks2) d2 D2) as (fps2 & tk2 & Rs2 & Sh2 & Dt2 & Be2 & Pm2 & Sy2).
    unfold listed_all in Al. rewrite flat_map_app in Al, An, At.
    assert (Zs : exists g, child_of l = Some n /\ handed_by x y l g /\ z = {| Covering.value_at := w; Covering.above_at := Some (Covering.value_at x); Covering.same_at := g; Covering.sort_at := n; Covering.ring_at := None |}).
    { inversion Fz as [|s g Cl Hg|d e last El Lr]; subst z; [|discriminate Nz]. unfold child_position in *. cbn [Covering.sort_at] in Sz. rewrite Sx in Sz. subst s. exists g. split; [exact Cl|]. split; [exact Hg|]. rewrite Nx. destruct (_ =? _)%N; reflexivity. }
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
    assert (Lk : length (List.map Translated.link_of ks1) = length ks1) by apply map_length. pose proof (moved_children x y all 0 ks1 dat1 _ F1) as Chn. rewrite rev_length in Chn.
    rewrite map_app in Nf, Nj. cbn [List.map Translated.link_of] in Nf, Nj. rewrite <- Sx in Rp, S, Nf, Nj, Hgi. rewrite (above_own x o (lower y) b0 Vx), Hgi in Rp. split.
    + rewrite Own in Rp, Rs1, Rs2 |- *. eapply Reading.path_node; [exact Nf | exact I | exact Rs1 | rewrite Lk; exact (cell_read y f w _ Nf1 Cf) | exact Rp | rewrite Lk; exact Rs2|].
      apply (say_ends y all Oc (ks1 ++ Child n :: ks2)); auto. apply say_around; [exact Sy1 | exact Sy2 | discriminate].
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
