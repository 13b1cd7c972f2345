(** That folded parts of a template are read as the rule Subsume says they are
    (spec/calculus.md#reading, #subsume): two occurrences of one symbol as the same pieces,
    each object and part of the configuration once. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia Permutation.
From Goatherd Require Import Integers.
From Goatherd Require Terms Sorts Programs Machine Folding FoldedMembers Members Reading Subsume Pieces.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal Refuting Refuted States Stepping Denoting Carried Closing Substituted ContentsDrawn SortsFormed Going Covered SlotsCovered Taken Reads.
From Goatherd.checker2 Require Covering Opened PointerLists.
Import ListNotations.
Open Scope Z_scope.

Section Parts.
Variable E : setting.
Variables c d : configuration.
Variable mt : matching.
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
Definition entailed_here (l : Terms.literal) : Prop := Q -> Terms.holds (valued M0) l.
Notation shaped := (Pieces.shaped trees (symbols_of c)).
Notation shaped_path := (Pieces.shaped_path trees (symbols_of c)).
Notation same_piece := (Subsume.same_piece entailed_here).
Notation same_path := (Subsume.same_path entailed_here).
Notation all_same := (Forall2 (Pieces.same_listed entailed_here)).
Hypothesis symbols_numbered : numbered_right (symbols c).

(** ** What symbols are read as *)

Notation symbols_read := (PositiveMap.t (list Covering.piece)).
Definition seen_as (seen : symbols_read) (x : N) : option (list Covering.piece) := PositiveMap.find (N.succ_pos x) seen.
Definition shapes_for (x : N) : list nat := match nth (shapes_read mt) x with Some l => List.map N.to_nat l | None => [] end.
Definition path_of (x : N) : list nat := match nth (paths_read mt) x with Some l => List.map N.to_nat l | None => [] end.
(** The pieces of the first occurrence have this structure. *)
Definition read_right (x : N) (ps : list Covering.piece) (r : Subsume.reading) : Prop := Forall (piece_in s0) ps /\ match find (symbols d) x with
  | Some (Tree s) => exists ns rest_, shaped (N.to_nat s) (Subsume.piece_for r (N.to_nat x)) ns /\ ns ++ rest_ = shapes_for x /\ List.map listed_of ps = Pieces.listed (Subsume.piece_for r (N.to_nat x))
  | Some (Segment s) => exists ns rest_, shaped_path (N.to_nat s) (Subsume.path_for r (N.to_nat x)) (path_of x) ns /\ ns ++ rest_ = shapes_for x /\ List.map listed_of ps = Pieces.listed_path (Subsume.path_for r (N.to_nat x))
  | None => True end.
Record seen_right (seen : symbols_read) (r : Subsume.reading) : Prop := {
  seen_read : forall x ps, seen_as seen x = Some ps -> read_right x ps r;
  unseen_empty : forall x, seen_as seen x = None -> Subsume.piece_for r (N.to_nat x) = Reading.NullPiece /\ Subsume.path_for r (N.to_nat x) = Reading.PathEnd }.
(** Of symbols that have been seen nothing is read anew. *)
Record reads_on (seen : symbols_read) (r : Subsume.reading) (seen' : symbols_read) (r' : Subsume.reading) : Prop := {
  still_seen : forall x, seen_as seen x <> None -> seen_as seen' x <> None;
  read_alike : forall x, seen_as seen x <> None -> Subsume.piece_for r' (N.to_nat x) = Subsume.piece_for r (N.to_nat x) /\ Subsume.path_for r' (N.to_nat x) = Subsume.path_for r (N.to_nat x) }.
Lemma reads_on_refl seen r : reads_on seen r seen r.
Proof. split; auto. Qed.
Lemma reads_on_trans s1 r1 s2 r2 s3 r3 : reads_on s1 r1 s2 r2 -> reads_on s2 r2 s3 r3 -> reads_on s1 r1 s3 r3.
Proof. intros [A B] [C D]. split; auto. intros x H. destruct (D x (A x H)) as [-> ->]. exact (B x H). Qed.
Lemma none_seen : seen_right (PositiveMap.empty _) {| Subsume.piece_for := fun _ => Reading.NullPiece; Subsume.path_for := fun _ => Reading.PathEnd |}.
Proof. split; [|auto]. intros x ps. unfold seen_as. rewrite PositiveMap.gempty. discriminate. Qed.

Lemma equal_data a b : (Q -> vl M0 a = vl M0 b) -> Pieces.same_listed entailed_here (Pieces.ListedData (term_of_number a)) (Pieces.ListedData (term_of_number b)).
Proof. intros H. constructor. intros hq. specialize (H hq). simpl. rewrite !N2Nat.id. lia. Qed.
Lemma all_alike ps : all_same (List.map listed_of ps) (List.map listed_of ps).
Proof. induction ps as [|p ps IH]; cbn [List.map]; constructor; [|exact IH]. destruct p; try constructor. intros _. simpl. lia. Qed.
Lemma piece_goes th p q : piece_in s0 p -> piece_in s0 q -> goes th (Covering.cover_piece c (p, q)) (fun _ => th) (fun _ => Pieces.same_listed entailed_here (listed_of q) (listed_of p)).
Proof.
  intros Ip Iq. destruct p as [|a| |a|], q as [|b| |b|]; cbn [Covering.cover_piece]; try apply goes_refuses; try (apply goes_ret; [reflexivity | constructor]).
  - intros s M K He u s' H. unfold demand in H. destruct (a =? b)%N eqn:Eq; [|discriminate]. apply N.eqb_eq in Eq. subst b. injection H as _ <-. exists M, K. split; [exact He | constructor].
  - eapply goes_weaker; [apply (equal_goes c nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold); auto|]. intros ? H. apply equal_data. intros hq. symmetry. exact (H hq).
Qed.
Lemma pieces_goes th : forall ps qs, length ps = length qs -> Forall (piece_in s0) ps -> Forall (piece_in s0) qs ->
  goes th (for_each (Covering.cover_piece c) (List.combine ps qs)) (fun _ => th) (fun _ => all_same (List.map listed_of qs) (List.map listed_of ps)).
Proof.
  unfold for_each. induction ps as [|p ps IH]; intros [|q qs] L Fp Fq; try discriminate; cbn [List.combine folded_left]; [apply goes_ret; [reflexivity | constructor]|].
  inversion_clear Fp as [|? ? Ip Fp']. inversion_clear Fq as [|? ? Iq Fq']. injection L as L. eapply goes_bind; [apply piece_goes; assumption|]. intros [] S. eapply goes_weaker; [apply IH; assumption|]. intros ? H. constructor; assumption.
Qed.
(** What an occurrence is read as is what the symbol stands for. *)
Definition reads_symbol (x : N) (a : Reading.piece + Reading.path) (r : Subsume.reading) : Prop := match a with
  | inl p => same_piece p (Subsume.piece_for r (N.to_nat x)) | inr p => same_path p (Subsume.path_for r (N.to_nat x)) end.
Definition occurs_right (x : N) (ps : list Covering.piece) (a : Reading.piece + Reading.path) : Prop := Forall (piece_in s0) ps /\ match find (symbols d) x, a with
  | Some (Tree s), inl p => exists ns rest_, shaped (N.to_nat s) p ns /\ ns ++ rest_ = shapes_for x /\ List.map listed_of ps = Pieces.listed p
  | Some (Segment s), inr p => exists ns rest_, shaped_path (N.to_nat s) p (path_of x) ns /\ ns ++ rest_ = shapes_for x /\ List.map listed_of ps = Pieces.listed_path p
  | _, _ => False end.
Lemma same_of_lists x ps qs a r : occurs_right x ps a -> read_right x qs r -> all_same (List.map listed_of ps) (List.map listed_of qs) -> reads_symbol x a r.
Proof.
  intros [_ Oc] [_ Re] S. destruct (find (symbols d) x) as [[s|s]|]; destruct a as [p|p]; try contradiction; destruct Oc as (ns & t1 & Sh & E1 & L1), Re as (ms & t2 & Sh' & E2 & L2); rewrite L1, L2 in S; cbn [reads_symbol].
  - eapply Pieces.pieces_same; [exact Sh | exact Sh' | rewrite E1, E2; reflexivity | exact S].
  - rewrite <- (app_nil_r (Pieces.listed_path p)), <- (app_nil_r (Pieces.listed_path (Subsume.path_for r (N.to_nat x)))) in S. eapply Pieces.paths_same; [exact Sh | exact Sh' | exact S | rewrite E1, E2; reflexivity].
Qed.
Definition reading_with (r : Subsume.reading) (x : N) (a : Reading.piece + Reading.path) : Subsume.reading := {|
  Subsume.piece_for := fun y => if Nat.eqb y (N.to_nat x) then match a with inl p => p | inr _ => Subsume.piece_for r y end else Subsume.piece_for r y;
  Subsume.path_for := fun y => if Nat.eqb y (N.to_nat x) then match a with inr p => p | inl _ => Subsume.path_for r y end else Subsume.path_for r y |}.
Lemma with_other r x a y : y <> x -> Subsume.piece_for (reading_with r x a) (N.to_nat y) = Subsume.piece_for r (N.to_nat y) /\ Subsume.path_for (reading_with r x a) (N.to_nat y) = Subsume.path_for r (N.to_nat y).
Proof. intros D. cbn. destruct (Nat.eqb_spec (N.to_nat y) (N.to_nat x)); [lia | auto]. Qed.
Lemma occurrence_goes v x ps a r : seen_right (Covering.read_symbols v) r -> occurs_right x ps a ->
  goes (Covering.theta v) (Covering.occurrence c d v x ps) Covering.theta (fun v' => v' = Covering.with_read v (Covering.read_symbols v') /\
    exists r', seen_right (Covering.read_symbols v') r' /\ reads_on (Covering.read_symbols v) r (Covering.read_symbols v') r' /\ reads_symbol x a r' /\
      forall y, seen_as (Covering.read_symbols v') y <> None <-> seen_as (Covering.read_symbols v) y <> None \/ y = x).
Proof.
  intros Se Oc. unfold Covering.occurrence. apply goes_demand. intros _. destruct (PositiveMap.find (N.succ_pos x) (Covering.read_symbols v)) as [first_|] eqn:F.
  - apply goes_demand. intros L. apply N.eqb_eq in L. rewrite !Templates.count_length in L. pose proof (seen_read _ _ Se x first_ F) as Re.
    eapply goes_bind with (th_a := fun _ => Covering.theta v); [apply (pieces_goes (Covering.theta v) first_ ps); [lia | apply Re | apply Oc]|]. intros ? S. cbn beta in S. apply goes_ret; [reflexivity|]. split; [destruct v; reflexivity|].
    exists r. split; [exact Se|]. split; [apply reads_on_refl|]. split; [eapply same_of_lists; eauto|]. intros y. split; [auto|]. intros [H| ->]; [exact H | unfold seen_as; congruence].
  - apply goes_ret; [reflexivity|]. cbn [Covering.with_read Covering.read_symbols]. split; [reflexivity|]. set (seen' := PositiveMap.add (N.succ_pos x) ps (Covering.read_symbols v)).
    assert (Find : forall y, seen_as seen' y = if (y =? x)%N then Some ps else seen_as (Covering.read_symbols v) y).
    { intros y. unfold seen_as, seen'. destruct (N.eqb_spec y x) as [->|D]; [apply PositiveMap.gss | apply PositiveMap.gso; intros H; apply key_of_n_injective in H; auto]. }
    exists (reading_with r x a). assert (Rx : read_right x ps (reading_with r x a)).
    { destruct Oc as [Pi Oc]. split; [exact Pi|]. destruct (find (symbols d) x) as [[s|s]|]; destruct a as [p|p]; try contradiction; cbn [reading_with Subsume.piece_for Subsume.path_for]; rewrite Nat.eqb_refl; exact Oc. }
    split; [|split; [|split]].
    + split.
      * intros y qs Sy. rewrite Find in Sy. destruct (N.eqb_spec y x) as [->|D]; [injection Sy as <-; exact Rx|]. destruct (seen_read _ _ Se y qs Sy) as [Pi Re]. split; [exact Pi|]. destruct (with_other r x a y D) as [-> ->]. exact Re.
      * intros y Sy. rewrite Find in Sy. destruct (y =? x)%N eqn:Eq; [discriminate|]. apply N.eqb_neq in Eq. destruct (with_other r x a y Eq) as [-> ->]. exact (unseen_empty _ _ Se y Sy).
    + split; intros y Sy.
      * rewrite Find. destruct (y =? x)%N; [discriminate | exact Sy].
      * apply with_other. intros ->. apply Sy. exact F.
    + eapply same_of_lists; [exact Oc | exact Rx | apply all_alike].
    + intros y. rewrite Find. destruct (N.eqb_spec y x) as [->|D]; [split; [auto | discriminate] | split; [auto | intros [H|H]; [exact H | contradiction]]].
Qed.

(** ** One part *)

Variables (m t : member_state) (l0 : N).
Hypothesis objects_numbered : numbered_right (objects_held m).
Hypothesis parts_numbered : numbered_right (parts_held m).
Hypothesis cells_there : forall o x f w, find (objects_held m) o = Some x -> In f (field_states x) -> In w (cells f) -> slot_in s0 w.
Hypothesis below_there : forall f q, find (parts_held m) f = Some q -> slot_in s0 (below q).
Hypothesis widths : forall o x s d r ss ks, find (objects_held m) o = Some x -> WellFormed.nodes (names_in E) (sorts_in E) s = Some (d, r, ss) -> declaration x = d -> In ks ss -> length ks = length (field_states x).
Hypothesis lasts_named : forall n d r ss ks j f, WellFormed.nodes (names_in E) (sorts_in E) n = Some (d, r, ss) -> In ks ss -> List.nth_error ks j = Some (Last_ f) -> exists s e, List.nth_error ks (N.to_nat f) = Some (Ring s e).
Notation reads := (Reading.reads trees entailed_here (symbols_of c) (member_of l0 m)).
Notation reads_path := (Reading.reads_path trees entailed_here (symbols_of c) (member_of l0 m) Reading.Chosen).
Definition around_seen (v : Covering.covering) (w : slot) (up : option slot) : Prop := match w with
  | Forgotten => up = None
  | NullSlot => up = Some NullSlot
  | PointerSlot o i b => exists p, image_is (Covering.matched v) o p /\ up = Some (PointerSlot p i b) /\ same_value Q M0 K0 i i
  | Last g => exists u, find (Covering.ends_seen v) g = Some u /\ up = Some u /\ u <> Forgotten
  | _ => False end.
Lemma around_grows v v' w up : grows s0 v v' -> around_seen v w up -> around_seen v' w up.
Proof. intros [G1 _ G3 _]. unfold around_seen. rewrite G1. destruct w; auto. intros (u & F & H). eauto. Qed.
Lemma around_goes th v w f : slot_in s0 w -> goes th (Covering.around v w f) (fun _ => th) (around_seen v w).
Proof.
  intros Iw. unfold Covering.around. destruct w as [| |a| |o i b|g|g].
  - eapply goes_peek with (P := fun _ => True); [intros; apply peeks_ret; auto|]. intros a _. apply goes_ret; reflexivity.
  - eapply goes_peek with (P := fun w => w = None); [intros; apply peeks_ret; reflexivity|]. intros ? ->. apply goes_demand. discriminate.
  - eapply goes_peek with (P := fun w => w = None); [intros; apply peeks_ret; reflexivity|]. intros ? ->. apply goes_demand. discriminate.
  - eapply goes_peek with (P := fun w => w = Some NullSlot); [intros; apply peeks_ret; reflexivity|]. intros ? ->. apply goes_demand. intros _. apply goes_ret; reflexivity.
  - eapply goes_peek with (P := fun w => match w with Some u => exists p, image_is (Covering.matched v) o p /\ u = PointerSlot p i b /\ same_value Q M0 K0 i i | None => True end).
    + intros s M K He. eapply peeks_bind with (P := fun z => match z with Some z => vl M0 i = z /\ vl K0 i = z | None => True end).
      * intros z s' Hz. destruct (term_here nu mu tabs Q s0 M0 K0 _ _ _ _ i He (Iw (LinearPart i) (or_introl eq_refl))) as (_ & Vm & Vk).
        destruct (value_peek nu tabs s M i (here_good _ _ _ _ _ _ _ _ _ _ _ He) _ _ Hz) as [-> A]. destruct (value_peek mu tabs s K i (here_too _ _ _ _ _ _ _ _ _ _ _ He) _ _ Hz) as [_ B]. split; [reflexivity|].
        destruct z as [z|]; [|exact I]. destruct A as [_ A], B as [_ B]. split; congruence.
      * intros [z|] Hz; apply peeks_ret; [|exact I]. destruct (PositiveMap.find (N.succ_pos o) (Covering.matched v)) as [p|] eqn:Fp; [|exact I]. exists p. split; [exact Fp|]. split; [reflexivity|]. intros _. destruct Hz; congruence.
    + intros [u|] Hu; apply goes_demand; intros Nf; [|discriminate]. apply goes_ret; [reflexivity|]. destruct Hu as (p & Ip & -> & V). exists p. auto.
  - eapply goes_peek with (P := fun w => w = None); [intros; apply peeks_ret; reflexivity|]. intros ? ->. apply goes_demand. discriminate.
  - eapply goes_peek with (P := fun w => match w with Some u => find (Covering.ends_seen v) g = Some u | None => True end).
    + intros. apply peeks_ret. destruct (g <? f)%N; [destruct (find (Covering.ends_seen v) g) eqn:F; auto | exact I].
    + intros [u|] Hu; apply goes_demand; intros Nf; [|discriminate]. apply goes_ret; [reflexivity|]. exists u. split; [exact Hu|]. split; [reflexivity|]. intros ->. discriminate.
Qed.
(** What has been seen of a part of the template. *)
Record part_seen (v : Covering.covering) (r : Subsume.reading) (f : N) (q : folded) (tk : list Reading.taken) : Prop := {
  part_read : exists w up along, find (Covering.roots_seen v) f = Some w /\ around_seen v (above q) up /\ around_seen v (same q) along /\ match find (symbols d) (symbol q) with
    | Some (Tree s) => exists p, reads (slot_of w) (above_of up) (along_of along) (N.to_nat s) p tk /\ reads_symbol (symbol q) (inl p) r
    | Some (Segment s) => Folding.no_handed trees (N.to_nat s) /\ exists p w' last, reads_path (slot_of w) (above_of up) (along_of along) (N.to_nat s) p tk (slot_of w') (above_of last) /\
        slot_seen Q M0 K0 v w' (below q) /\ match last with Some u => find (Covering.ends_seen v) f = Some u | None => True end /\ reads_symbol (symbol q) (inr p) r
    | None => False end }.
Hypothesis tree_paths : forall f q s, find (parts_held t) f = Some q -> find (symbols d) (symbol q) = Some (Tree s) -> nth (paths_read mt) (symbol q) = Some [].
Hypothesis parts_there : forall f q, find (parts_held t) f = Some q -> slot_in s0 (above q) /\ slot_in s0 (same q) /\ slot_in s0 (below q).
Notation grows := (grows s0).
Notation grows_alone := (grows_alone s0).
Definition roots_in (v : Covering.covering) : Prop := forall f w, find (Covering.roots_seen v) f = Some w -> slot_in s0 w.
(** Of the tables that is taken, whatever else has changed. *)
Definition took_out v tk v' : Prop := exists v1, took m v tk v1 /\ Covering.free_objects v' = Covering.free_objects v1 /\ Covering.free_parts v' = Covering.free_parts v1.
Lemma reads_symbol_on x a seen r seen' r' : seen_as seen x <> None -> reads_on seen r seen' r' -> reads_symbol x a r -> reads_symbol x a r'.
Proof. intros S [_ R]. unfold reads_symbol. destruct (R x S) as [-> ->]. auto. Qed.
Lemma part_grows v v' seen r seen' r' f q tk : grows v v' -> seen_as seen (symbol q) <> None -> reads_on seen r seen' r' -> part_seen v r f q tk -> part_seen v' r' f q tk.
Proof.
  intros G Sn R [(w & up & along & F & U & A & H)]. split. exists w, up, along. split; [apply (grows_roots _ _ _ G); exact F|]. split; [eapply around_grows; eauto|]. split; [eapply around_grows; eauto|].
  destruct (find (symbols d) (symbol q)) as [[s|s]|]; [| |exact H].
  - destruct H as (p & Re & S). exists p. split; [exact Re | eapply reads_symbol_on; eauto].
  - destruct H as (Nh & p & w' & last & Re & B & L & S). split; [exact Nh|]. exists p, w', last. split; [exact Re|]. split; [eapply seen_grows; eauto|]. split; [destruct last; [apply (grows_ends _ _ _ G); exact L | exact L] | eapply reads_symbol_on; eauto].
Qed.
Lemma not_handed n d0 r0 ss : WellFormed.nodes (names_in E) (sorts_in E) n = Some (d0, r0, ss) -> existsb (existsb Covering.is_handed) ss = false -> (forall ks s f, In ks ss -> ~ In (Handed s f) ks) /\ Folding.no_handed trees (N.to_nat n).
Proof.
  intros Nd H. assert (No : forall ks l, In ks ss -> In l ks -> Covering.is_handed l = false).
  { intros ks l I J. destruct (Covering.is_handed l) eqn:Hl; [|reflexivity]. exfalso. assert (X : existsb (existsb Covering.is_handed) ss = true); [|congruence]. apply existsb_exists. exists ks. split; [exact I|]. apply existsb_exists. eauto. }
  split; [intros ks s f I J; specialize (No ks _ I J); discriminate|]. intros ls l I J. rewrite (sort_shapes _ _ sorts_are n d0 r0 ss Nd) in I. apply in_map_iff in I as (ks & <- & I). apply in_map_iff in J as (k & <- & J). specialize (No ks k I J). destruct k; try discriminate; intros [].
Qed.
Lemma part_goes v f q r : find (parts_held t) f = Some q -> free_right m v -> roots_in v -> seen_right (Covering.read_symbols v) r ->
  goes (Covering.theta v) (Covering.cover_part E c d mt v (f, q)) Covering.theta (fun v' => grows v v' /\ exists tk r', took_out v tk v' /\ seen_right (Covering.read_symbols v') r' /\
    reads_on (Covering.read_symbols v) r (Covering.read_symbols v') r' /\ (forall y, seen_as (Covering.read_symbols v') y <> None <-> seen_as (Covering.read_symbols v) y <> None \/ y = symbol q) /\ part_seen v' r' f q tk).
Proof.
  intros Fq Fr Ri Se. destruct (parts_there f q Fq) as (Ia & Is & Ib). unfold Covering.cover_part. apply goes_some. intros sh Hsh.
  set (kind := match sh with Tree s => (s, true) | Segment s => (s, false) end). assert (Ek : kind = match sh with Tree s => (s, true) | Segment s => (s, false) end) by reflexivity. destruct kind as [n is_tree].
  unfold nodes_of. apply goes_some. intros [[d0 ro] ss] Nd. apply goes_demand. intros Hd. apply goes_demand. intros _. apply goes_some. intros w Fw. pose proof (Ri f w Fw) as Iw.
  eapply goes_bind; [apply around_goes; exact Ia|]. intros up Up. eapply goes_bind; [apply around_goes; exact Is|]. intros along Al. apply goes_some. intros path Pa.
  set (x := {| Covering.value_at := w; Covering.above_at := up; Covering.same_at := along; Covering.sort_at := n; Covering.ring_at := None |}).
  set (left_ := match nth (shapes_read mt) (symbol q) with Some l => l | None => [] end).
  assert (Sl : List.map N.to_nat left_ = shapes_for (symbol q)) by (unfold shapes_for, left_; destruct (nth (shapes_read mt) (symbol q)); reflexivity).
  assert (After : forall tk v1 v2 ps a, took m v tk v1 -> grows v v2 -> Covering.free_objects v2 = Covering.free_objects v1 -> Covering.free_parts v2 = Covering.free_parts v1 -> Covering.read_symbols v2 = Covering.read_symbols v -> occurs_right (symbol q) ps a ->
    (forall v' r', grows v2 v' -> reads_symbol (symbol q) a r' -> part_seen v' r' f q tk) -> goes (Covering.theta v2) (Covering.occurrence c d v2 (symbol q) ps) Covering.theta (fun v' => grows v v' /\ exists tk r', took_out v tk v' /\
      seen_right (Covering.read_symbols v') r' /\ reads_on (Covering.read_symbols v) r (Covering.read_symbols v') r' /\ (forall y, seen_as (Covering.read_symbols v') y <> None <-> seen_as (Covering.read_symbols v) y <> None \/ y = symbol q) /\ part_seen v' r' f q tk)).
  { intros tk v1 v2 ps a Tk G Eo Ep Er Oc Ps. rewrite <- Er in Se. eapply goes_weaker; [apply (occurrence_goes v2 (symbol q) ps a r Se Oc)|]. intros v' [Ev (r' & Se' & On & Rs & Seen)]. rewrite Er in On, Seen.
    assert (Gv : grows v2 v') by (rewrite Ev; split; auto). split; [eapply grows_trans; eauto|]. exists tk, r'. split; [exists v1; rewrite Ev; cbn; auto|]. split; [exact Se'|]. split; [exact On|]. split; [exact Seen|]. apply Ps; assumption. }
  destruct sh as [s|s]; injection Ek as -> ->.
  - rewrite (tree_paths f q s Fq Hsh) in Pa. injection Pa as <-. cbn [Covering.read_path].
    eapply goes_peek with (P := fun p => p = ({| Covering.so_far := v; Covering.shapes_left := left_; Covering.pieces_read := []; Covering.hanging := [] |}, x)); [intros; apply peeks_ret; reflexivity|]. intros [r1 x1] Eq. injection Eq as -> ->.
    eapply goes_bind; [apply (all_goes E c trees sorts_are nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold m l0 objects_numbered parts_numbered cells_there below_there widths lasts_named symbols_numbered); exact Fr|].
    intros r2 (done & D & [(ps & Ap & Al_ & Ai) (ns & As & An) At _]). cbn [Covering.with_hanging Covering.hanging Covering.so_far Covering.pieces_read Covering.shapes_left] in *. inversion D as [|? a ? ? Ra D']; subst. inversion D'; subst. unfold reads_to in Ra. cbn [x Covering.ring_at] in Ra. destruct (what_is_read a) as [pc|] eqn:Wa; [|destruct Ra]. destruct Ra as [Ra Sa].
    cbn [flat_map listed_all] in *. unfold listed_all in Al_. cbn [flat_map] in Al_. rewrite app_nil_r in *. unfold listed_one in Al_. rewrite Wa in Al_.
    eapply goes_peek with (P := fun v2 => v2 = Covering.so_far r2); [intros; apply peeks_ret; reflexivity|]. intros v2 ->.
    assert (Th : Covering.theta (Covering.so_far r2) = Covering.theta v) by (rewrite (took_same _ _ _ _ At); reflexivity). rewrite <- Th.
    apply (After (taken_of a) (Covering.so_far r2) (Covering.so_far r2) _ (inl pc)); auto.
    + rewrite (took_same _ _ _ _ At). split; auto.
    + rewrite (took_same _ _ _ _ At). reflexivity.
    + split; [rewrite Ap, rev_involutive; exact Ai|]. rewrite Hsh. exists (shapes_of a), (List.map N.to_nat (Covering.shapes_left r2)). split; [exact Sa|]. split; [rewrite <- An, <- map_app, <- As; exact Sl | rewrite Ap, rev_involutive; exact Al_].
    + intros v' r' G Rs. rewrite (took_same _ _ _ _ At) in G. assert (G' : grows v v') by (destruct G; split; auto). split. exists w, up, along. split; [apply (grows_roots _ _ _ G'); exact Fw|]. split; [eapply around_grows; eauto|]. split; [eapply around_grows; eauto|].
      rewrite Hsh. exists pc. split; [exact Ra | exact Rs].
  - cbn [orb] in Hd. apply negb_true_iff in Hd. destruct (not_handed s d0 ro ss Nd Hd) as [Nh1 Nh2].
    eapply goes_bind; [apply (path_goes E c trees sorts_are nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold m l0 objects_numbered parts_numbered cells_there below_there widths lasts_named symbols_numbered s); [intros d1 r1 ss1 ks s1 f1 Nd1; rewrite Nd in Nd1; injection Nd1 as <- <- <-; apply Nh1 | reflexivity | reflexivity | exact Fr | reflexivity]|].
    intros [r1 x1] (p0 & tk & ns & [Re Sh (ps & Ap & Al_ & Ai) (ms & As & An) At So _ Si Ha]). cbn [fst snd Covering.so_far Covering.pieces_read Covering.shapes_left x Covering.value_at Covering.above_at Covering.same_at Covering.sort_at] in *. rewrite app_nil_r in Ap.
    eapply goes_bind; [apply (all_goes E c trees sorts_are nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold m l0 objects_numbered parts_numbered cells_there below_there widths lasts_named symbols_numbered); exact (took_right _ _ _ _ At Fr)|].
    intros r2 (done & D & [(qs & Bp & Bl & _) _ Bt _]). rewrite Ha in D. inversion D; subst done. cbn [listed_all flat_map] in *. apply map_eq_nil in Bl. subst qs. cbn [rev app] in Bp. pose proof (took_trans _ _ _ _ _ _ At Bt) as Tk. rewrite app_nil_r in Tk.
    set (v2 := Covering.so_far r2) in *. assert (Th : Covering.theta v2 = Covering.theta v) by (rewrite (took_same _ _ _ _ Tk); reflexivity). rewrite <- Th.
    assert (G2 : grows v v2) by (rewrite (took_same _ _ _ _ Tk); split; auto). assert (Er : Covering.read_symbols v2 = Covering.read_symbols v) by (rewrite (took_same _ _ _ _ Tk); reflexivity).
    eapply goes_bind with (th_a := Covering.theta) (P := fun v3 => grows_alone v2 v3 /\ slot_seen Q M0 K0 v3 (Covering.value_at x1) (below q) /\ match Covering.above_at x1 with Some u => find (Covering.ends_seen v3) f = Some u | None => True end).
    + eapply goes_bind with (th_a := Covering.theta) (P := fun v3 => grows_alone v2 v3 /\ match Covering.above_at x1 with Some u => find (Covering.ends_seen v3) f = Some u | None => True end).
      * destruct (Covering.above_at x1) as [u|]; [|apply goes_ret; [reflexivity | split; [apply alone_refl | exact I]]]. apply peeks_go. intros s1. eapply peeks_weaker; [apply (end_peek s0)|]. intros v3 (G3 & T3 & F3). auto.
      * intros v3 [G3 L3]. eapply goes_weaker; [apply (slot_goes c nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold); [apply Si; exact Iw | exact Ib]|]. intros v4 [G4 S4]. split; [eapply alone_trans; eauto|]. split; [exact S4|]. destruct (Covering.above_at x1); [apply (grows_ends _ _ _ (proj1 G4)); exact L3 | exact I].
    + intros v3 ([G3 (E1 & E2 & E3)] & S3 & L3).
      apply (After tk v2 v3 _ (inr p0)); [exact Tk | eapply grows_trans; eauto | exact E1 | exact E2 | congruence | |].
      * rewrite Bp, Ap, rev_involutive. split; [exact Ai|]. rewrite Hsh. exists ns, (List.map N.to_nat (Covering.shapes_left r1)). split; [|split; [rewrite <- An, <- map_app, <- As; exact Sl | exact Al_]]. unfold path_of. rewrite Pa. exact Sh.
      * intros v' r' G Rs. assert (G' : grows v v') by (eapply grows_trans; [eapply grows_trans; eauto | exact G]). split. exists w, up, along. split; [apply (grows_roots _ _ _ G'); exact Fw|]. split; [eapply around_grows; eauto|]. split; [eapply around_grows; eauto|].
        rewrite Hsh. split; [exact Nh2|]. exists p0, (Covering.value_at x1), (Covering.above_at x1). split; [exact Re|]. split; [eapply seen_grows; [exact G | exact S3]|]. split; [destruct (Covering.above_at x1); [apply (grows_ends _ _ _ G); exact L3 | exact I] | exact Rs].
Qed.

(** ** All parts *)

Lemma took_out_right v tk v' : took_out v tk v' -> free_right m v -> free_right m v'.
Proof. intros (v1 & T & Eo & Ep) F. apply (took_right _ _ _ _ T) in F as [A B C D]. split; rewrite ?Eo, ?Ep; assumption. Qed.
Lemma free_same v v1 : Covering.free_objects v = Covering.free_objects v1 -> Covering.free_parts v = Covering.free_parts v1 -> forall x, is_free v x <-> is_free v1 x.
Proof. intros A B [o|f]; simpl; rewrite ?A, ?B; tauto. Qed.
(** What parts take, one after the other. *)
Record took_all (v : Covering.covering) (tk : list Reading.taken) (v' : Covering.covering) : Prop := {
  all_once : NoDup tk;
  all_free : forall x, In x tk -> is_free v x;
  all_left : forall x, is_free v' x <-> is_free v x /\ ~ In x tk;
  all_right : free_right m v -> free_right m v' }.
Lemma took_all_first v tk v' tl v2 : took_out v tk v' -> took_all v' tl v2 -> took_all v (tk ++ tl) v2.
Proof.
  intros T [F G H K]. pose proof (took_out_right _ _ _ T) as Tr. destruct T as (v1 & [A B C _ _] & Eo & Ep). pose proof (free_same _ _ Eo Ep) as Sm. split.
  - apply NoDup_both; auto. intros x I J. apply G, Sm, C in J as [_ N]. auto.
  - intros x I. apply in_app_or in I as [I|I]; [auto|]. apply G, Sm, C in I as [I _]. exact I.
  - intros x. rewrite H, Sm, C, in_app_iff. tauto.
  - auto.
Qed.
Theorem parts_goes : forall ps v r, (forall f q, In (f, q) ps -> find (parts_held t) f = Some q) -> NoDup (List.map fst ps) -> free_right m v -> roots_in v -> seen_right (Covering.read_symbols v) r ->
  goes (Covering.theta v) (folded_left (Covering.cover_part E c d mt) ps v) Covering.theta (fun v' => grows v v' /\ exists tks r', took_all v (flat_map (fun p => tks (fst p)) ps) v' /\ seen_right (Covering.read_symbols v') r' /\
    reads_on (Covering.read_symbols v) r (Covering.read_symbols v') r' /\ (forall y, seen_as (Covering.read_symbols v') y <> None -> seen_as (Covering.read_symbols v) y <> None \/ exists f q, In (f, q) ps /\ symbol q = y) /\
    forall f q, In (f, q) ps -> part_seen v' r' f q (tks f) /\ seen_as (Covering.read_symbols v') (symbol q) <> None).
Proof.
  induction ps as [|[f q] ps IH]; intros v r Fp Nd Fr Ri Se; cbn [folded_left].
  - apply goes_ret; [reflexivity|]. split; [apply grows_refl|]. exists (fun _ => []), r. split; [split; [constructor | intros ? [] | intros x; split; [intros H; split; [exact H | intros []] | intros [H _]; exact H] | auto]|]. split; [exact Se|]. split; [apply reads_on_refl|]. split; [auto | intros ? ? []].
  - cbn [List.map fst] in Nd. inversion_clear Nd as [|? ? Nf Nd']. eapply goes_bind; [apply (part_goes v f q r); auto; apply Fp; left; reflexivity|]. intros v1 [G1 (tk & r1 & T1 & Se1 & On1 & Sy1 & Ps1)].
    eapply goes_weaker; [apply (IH v1 r1); [intros g p I; apply Fp; right; exact I | exact Nd' | eapply took_out_right; eauto | exact (grows_in _ _ _ G1 Ri) | exact Se1]|]. intros v2 [G2 (tks & r2 & T2 & Se2 & On2 & Sy2 & Ps2)].
    split; [eapply grows_trans; eauto|]. exists (fun g => if (g =? f)%N then tk else tks g), r2.
    assert (Others : flat_map (fun p => if (fst p =? f)%N then tk else tks (fst p)) ps = flat_map (fun p => tks (fst p)) ps).
    { rewrite !flat_map_concat_map. f_equal. apply map_ext_in. intros [g p] I. cbn [fst]. destruct (N.eqb_spec g f) as [->|]; [|reflexivity]. exfalso. apply Nf. apply (in_map fst) in I. exact I. }
    cbn [flat_map fst]. rewrite N.eqb_refl, Others. split; [eapply took_all_first; eauto|]. split; [exact Se2|]. split; [eapply reads_on_trans; eauto|]. split.
    + intros y Sy. destruct (Sy2 y Sy) as [H|(g & p & I & Eq)]; [|right; exists g, p; split; [right; exact I | exact Eq]]. apply Sy1 in H as [H| ->]; [left; exact H | right; exists f, q; split; [left; reflexivity | reflexivity]].
    + assert (Sq : seen_as (Covering.read_symbols v1) (symbol q) <> None) by (apply Sy1; auto). intros g p [[= <- <-]|I].
      * rewrite N.eqb_refl. split; [eapply part_grows; eauto | apply (still_seen _ _ _ _ On2); exact Sq].
      * destruct (N.eqb_spec g f) as [->|_]; [exfalso; apply Nf; apply (in_map fst) in I; exact I|]. exact (Ps2 g p I).
Qed.
End Parts.
