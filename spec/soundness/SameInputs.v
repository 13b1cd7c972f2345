(** The inputs that a member holds depend on the values of its terms alone
    (spec/calculus.md#root): members of the same form, whose terms have the same values,
    each under a valuation of its own, hold the same inputs.  SameValues.v says of one
    member which states it describes. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Folding FoldedMembers Planting Presented Loading Recognised Built Entering Elements.
From Goatherd Require Members Scapegoats SameValues.
Import ListNotations.
Open Scope Z_scope.

Section SameInputs.
Variables nu nu' : valuation.

(** ** Members of one form *)

Definition slots_same (v w : slot) := match v, w with
  | Plain (Members.IntegerSlot t), Plain (Members.IntegerSlot u) => eval nu' u = eval nu t
  | Plain (Members.PointerSlot o i b), Plain (Members.PointerSlot p j c) => p = o /\ eval nu' j = eval nu i /\ c = b
  | _, _ => w = v end.
Definition rests_same (a b : option array) := match a, b with
  | Some a, Some b => forall i, eval_array nu' b i = eval_array nu a i | None, None => True | _, _ => False end.
Definition fields_same (x y : field_state) := Forall2 slots_same (apart x) (apart y) /\ rests_same (rest x) (rest y).
Record objects_same (x y : object_state) : Prop := {
  kinds_same : kind y = kind x;
  lives_same : life_of y = life_of x;
  starts_same : eval nu' (begins y) = eval nu (begins x);
  ends_same : eval nu' (ends y) = eval nu (ends x);
  contents_same : Forall2 fields_same (contents x) (contents y) }.
Record folded_same (q r : part) : Prop := {
  symbols_same : symbol r = symbol q;
  aboves_same : slots_same (above q) (above r);
  alongsides_same : slots_same (alongside q) (alongside r);
  belows_same : slots_same (below q) (below r) }.
Definition both {A} (R : A -> A -> Prop) (x y : option A) := match x, y with Some a, Some b => R a b | None, None => True | _, _ => False end.
(** Table by table; what is in no table may have a place in either. *)
Record tables_same (m m' : member) : Prop := {
  place_same : place_of m' = place_of m;
  count_same : length (slots m') = length (slots m);
  parts_as_many : length (parts m') = length (parts m);
  slot_same : forall r, slots_same (slot_at m r) (slot_at m' r);
  object_same : forall o, both objects_same (object_named m o) (object_named m' o);
  part_same : forall f, both folded_same (part_named m f) (part_named m' f) }.

Lemma forall2_nth {A} (R : A -> A -> Prop) l l' d : Forall2 R l l' -> R d d -> forall i, R (nth i l d) (nth i l' d).
Proof. intros F D. induction F; intros [|i]; simpl; auto. Qed.
Lemma forgotten_same : slots_same forgotten forgotten.
Proof. reflexivity. Qed.
Lemma field_none_same : fields_same no_field no_field.
Proof. split; [constructor | exact I]. Qed.
Lemma plain_same v w : slots_same v w -> (forall t, v <> Plain (Members.IntegerSlot t)) -> (forall o i b, v <> Plain (Members.PointerSlot o i b)) -> w = v.
Proof.
  destruct v as [[| |t| |o i b]|f|f]; intros S N1 N2; try exact S; [destruct (N1 t eq_refl) | destruct (N2 o i b eq_refl)].
Qed.
Lemma integer_slot_same t w : slots_same (Plain (Members.IntegerSlot t)) w -> exists u, w = Plain (Members.IntegerSlot u) /\ eval nu' u = eval nu t.
Proof. destruct w as [[| |u| |o i b]|f|f]; simpl; try discriminate. eauto. Qed.
Lemma same_integer_slot v u : slots_same v (Plain (Members.IntegerSlot u)) -> exists t, v = Plain (Members.IntegerSlot t) /\ eval nu' u = eval nu t.
Proof. destruct v as [[| |t| |o i b]|f|f]; simpl; try discriminate. eauto. Qed.
Lemma pointer_slot_same o i b w : slots_same (Plain (Members.PointerSlot o i b)) w -> exists j, w = Plain (Members.PointerSlot o j b) /\ eval nu' j = eval nu i.
Proof. destruct w as [[| |u| |p j c]|f|f]; simpl; try discriminate. intros (-> & E & ->). eauto. Qed.

(** ** What they hold *)

Lemma fixed_same v w x : slots_same v w -> fixed nu v = Some x -> fixed nu' w = Some x.
Proof.
  destruct v as [[| |t| |o i b]|f|f]; intros S F; simpl in F; try discriminate.
  - rewrite (plain_same _ _ S) by discriminate. exact F.
  - apply integer_slot_same in S as (u & -> & E). simpl. rewrite E. exact F.
  - rewrite (plain_same _ _ S) by discriminate. exact F.
Qed.
Lemma element_same x y i w : fields_same x y -> fixed_element nu x i = Some w -> fixed_element nu' y i = Some w.
Proof.
  intros [A R]. unfold fixed_element. rewrite <- (Folding.Forall2_length _ _ _ A). destruct (_ && _).
  - apply fixed_same. apply (forall2_nth slots_same); [exact A | apply forgotten_same].
  - unfold rests_same in R. destruct (rest x) as [a|], (rest y) as [b|]; try contradiction; try discriminate. rewrite R. auto.
Qed.

Variable P : program.
Variables (sorts : list symbol_sort) (phi : meaning) (m m' : member).
Hypothesis same : tables_same m m'.
Lemma object_too o x : object_named m o = Some x -> exists y, object_named m' o = Some y /\ objects_same x y.
Proof. intros E. pose proof (object_same _ _ same o) as B. rewrite E in B. destruct (object_named m' o) as [y|]; [eauto | destruct B]. Qed.
Lemma object_before o y : object_named m' o = Some y -> exists x, object_named m o = Some x /\ objects_same x y.
Proof. intros E. pose proof (object_same _ _ same o) as B. rewrite E in B. destruct (object_named m o) as [x|]; [eauto | destruct B]. Qed.
Lemma content_same x y f : objects_same x y -> fields_same (nth f (contents x) no_field) (nth f (contents y) no_field).
Proof. intros S. apply (forall2_nth fields_same); [exact (contents_same _ _ S) | apply field_none_same]. Qed.
Lemma width_same x y : objects_same x y -> length (contents y) = length (contents x).
Proof. intros S. symmetry. exact (Folding.Forall2_length _ _ _ (contents_same _ _ S)). Qed.

Lemma rows_same d rows x y : objects_same x y -> holds_rows P nu d rows x -> holds_rows P nu' d rows y.
Proof.
  intros S [K L E W El]. split.
  - rewrite (kinds_same _ _ S). exact K.
  - rewrite (lives_same _ _ S). exact L.
  - rewrite (ends_same _ _ S), (starts_same _ _ S). exact E.
  - rewrite (width_same _ _ S). exact W.
  - intros f j B F. rewrite (starts_same _ _ S). eapply element_same; [apply content_same; exact S | auto].
Qed.
Lemma pointed_same p d x : points_to nu m p d x -> exists y, points_to nu' m' p d y /\ objects_same x y.
Proof.
  intros (i & Sp & O & Ei). destruct (object_too d x O) as (y & O' & S). pose proof (slot_same _ _ same p) as Sl. rewrite Sp in Sl.
  apply pointer_slot_same in Sl as (j & Ej & Vj). exists y. split; [|exact S]. exists j. rewrite (starts_same _ _ S), Vj. auto.
Qed.
Lemma integer_here_same r z : holds_integer nu m r z -> holds_integer nu' m' r z.
Proof.
  intros (t & St & E). pose proof (slot_same _ _ same r) as Sl. rewrite St in Sl. apply integer_slot_same in Sl as (u & Eu & Vu). exists u. rewrite Vu. auto.
Qed.

(** ** Linked inputs *)

Lemma heap_slot_same v w : slots_same v w -> heap_slot nu' m' w = heap_slot nu m v.
Proof.
  assert (Un : unreadable m' = unreadable m) by (unfold unreadable; rewrite (parts_as_many _ _ same); reflexivity).
  destruct v as [[| |t| |o i b]|f|f]; intros S.
  1, 2, 4, 6, 7: rewrite (plain_same _ _ S) by discriminate; simpl; rewrite ?Un; reflexivity.
  - apply integer_slot_same in S as (u & -> & E). simpl. rewrite ?E. reflexivity.
  - apply pointer_slot_same in S as (j & -> & E). simpl. rewrite E, Un. reflexivity.
Qed.
Lemma node_here_same o : Scapegoats.nodes (heap_of P sorts nu' phi m') o = Scapegoats.nodes (heap_of P sorts nu phi m) o.
Proof.
  simpl. unfold heap_node. pose proof (object_same _ _ same o) as B. destruct (object_named m o) as [x|], (object_named m' o) as [y|]; try contradiction; [|reflexivity].
  rewrite (kinds_same _ _ B), (lives_same _ _ B). destruct (is_node P (kind x)); [|reflexivity]. f_equal. f_equal.
  pose proof (contents_same _ _ B) as C. clear B. induction C as [|f g l k F _ IH]; simpl; [reflexivity|]. rewrite IH. f_equal.
  apply heap_slot_same. apply (forall2_nth slots_same _ _ forgotten (proj1 F) forgotten_same 0).
Qed.
Lemma heap_part_here_same f : Scapegoats.parts (heap_of P sorts nu' phi m') f = Scapegoats.parts (heap_of P sorts nu phi m) f.
Proof.
  simpl. unfold heap_part. pose proof (part_same _ _ same f) as B. destruct (part_named m f) as [q|], (part_named m' f) as [r|]; try contradiction; [|reflexivity].
  rewrite (symbols_same _ _ B), (heap_slot_same _ _ (aboves_same _ _ B)). reflexivity.
Qed.
Lemma reads_there d s a t fp : Scapegoats.reads (links_of P) (heap_of P sorts nu phi m) d s a t fp -> Scapegoats.reads (links_of P) (heap_of P sorts nu' phi m') d s a t fp.
Proof. apply (proj1 (reads_same (links_of P) _ _ node_here_same heap_part_here_same)). Qed.

(** ** All inputs *)

Lemma presents_too is vs cs : presents P sorts nu phi m is vs cs -> presents P sorts nu' phi m' is vs cs.
Proof.
  induction 1 as [| r z is vs cs Hz W _ IH | p n d rows x is vs cs Hp Hx Hn Al _ IH | p d is vs cs Sp _ IH | p d row x is vs cs Hp Hx Fr _ IH | p d t fp is vs cs R _ IH].
  - constructor.
  - constructor; auto. apply integer_here_same. exact Hz.
  - destruct (pointed_same p d x Hp) as (y & Hp' & S). econstructor; eauto; [eapply rows_same; eauto | apply integer_here_same; exact Hn].
  - constructor; auto. pose proof (slot_same _ _ same p) as Sl. rewrite Sp in Sl. apply plain_same in Sl; [exact Sl | discriminate | discriminate].
  - destruct (pointed_same p d x Hp) as (y & Hp' & S). econstructor; eauto. eapply rows_same; eauto.
  - constructor; auto. rewrite (heap_slot_same _ _ (slot_same _ _ same p)). apply reads_there. exact R.
Qed.
Lemma static_same d count cs x y : objects_same x y -> holds_static P nu d count cs x -> holds_static P nu' d count cs y.
Proof.
  intros S [K L B En W El]. split.
  - rewrite (kinds_same _ _ S). exact K.
  - rewrite (lives_same _ _ S). exact L.
  - rewrite (starts_same _ _ S). exact B.
  - rewrite (ends_same _ _ S). exact En.
  - rewrite (width_same _ _ S). exact W.
  - intros k fld c i Ek Bi. specialize (El k fld c i Ek Bi). pose proof (content_same x y k S) as F.
    assert (One : forall w, fixed_element nu (nth k (contents x) no_field) i = Some w -> fixed_element nu' (nth k (contents y) no_field) i = Some w) by (intros w; apply element_same; exact F).
    destruct c as [|t|es]; simpl in El |- *; auto. destruct (nth_error es (Z.to_nat i)) as [[t|]|]; auto. destruct El as (Li & z & Ez & Vz).
    destruct F as [A _]. rewrite <- (Folding.Forall2_length _ _ _ A). split; [exact Li|].
    pose proof (forall2_nth slots_same _ _ forgotten A forgotten_same (Z.to_nat i)) as Sl. rewrite Ez in Sl. apply pointer_slot_same in Sl as (j & Ej & Vj). exists j. rewrite Vj. auto.
Qed.
Lemma shaped_same : entry_shaped P nu m -> entry_shaped P nu' m'.
Proof.
  intros [A B C D]. split.
  - rewrite (place_same _ _ same). exact A.
  - rewrite (count_same _ _ same). exact B.
  - intros r L N. pose proof (slot_same _ _ same r) as Sl. rewrite (C r L N) in Sl. apply plain_same in Sl; [exact Sl | discriminate | discriminate].
  - intros d count cs may O. destruct (D d count cs may O) as (x & E & K). destruct (object_too d x E) as (y & E' & S). exists y. split; [exact E' | eapply static_same; eauto].
Qed.
Lemma leads_too v w : slots_same v w -> leads m v -> leads m' w.
Proof.
  destruct v as [[| |t| |o i b]|f|f]; intros S L.
  1, 2, 4: rewrite (plain_same _ _ S) by discriminate; exact L.
  - apply integer_slot_same in S as (u & -> & _). exact I.
  - apply pointer_slot_same in S as (j & -> & _). simpl in *. pose proof (object_same _ _ same o) as B. destruct (object_named m o), (object_named m' o); try contradiction; congruence.
  - rewrite (plain_same _ _ S) by discriminate. simpl in *. pose proof (part_same _ _ same f) as B. destruct (part_named m f), (part_named m' f); try contradiction; congruence.
  - destruct L.
Qed.
Lemma right_too o x y : objects_same x y -> object_right P nu m o x -> object_right P nu' m' o y.
Proof.
  intros S [A B C D En F]. split; rewrite ?(kinds_same _ _ S), ?(starts_same _ _ S), ?(ends_same _ _ S), ?(width_same _ _ S); auto.
  rewrite (lives_same _ _ S). intros L k fld i Ek Bi. specialize (F L k fld i Ek Bi). pose proof (content_same x y k S) as Fs. unfold element_right in *.
  destruct (Programs.holds fld); [destruct F as (z & Fz & Wz); exists z; split; [eapply element_same; eauto | exact Wz]|]. destruct F as [Bk Le]. destruct Fs as [Ap _].
  rewrite <- (Folding.Forall2_length _ _ _ Ap). split; [exact Bk|]. eapply leads_too; [|exact Le]. apply (forall2_nth slots_same); [exact Ap | apply forgotten_same].
Qed.
Lemma built_same : buildable P sorts nu m -> buildable P sorts nu' m'.
Proof.
  intros [A B C D]. split.
  - intros o y E. destruct (object_before o y E) as (x & E0 & S). eapply right_too; eauto.
  - intros f r E. pose proof (part_same _ _ same f) as Bo. rewrite E in Bo. destruct (part_named m f) as [q|] eqn:Q; [|destruct Bo]. destruct (B f q Q) as (d & Es & N & Be & Al & Le).
    exists d. rewrite (symbols_same _ _ Bo). split; [exact Es|]. split; [exact N|]. pose proof (belows_same _ _ Bo) as Sb. rewrite Be in Sb. pose proof (alongsides_same _ _ Bo) as Sa. rewrite Al in Sa.
    split; [apply plain_same in Sb; [exact Sb | discriminate | discriminate]|]. split; [apply plain_same in Sa; [exact Sa | discriminate | discriminate]|]. eapply leads_too; [apply (aboves_same _ _ Bo) | exact Le].
  - intros r. eapply leads_too; [apply (slot_same _ _ same) | apply C].
  - intros r u E. pose proof (slot_same _ _ same r) as Sl. rewrite E in Sl. apply same_integer_slot in Sl as (t & Et & V). rewrite V. eauto.
Qed.
Theorem inputs_same vs cs : holds_inputs P sorts nu phi m vs cs -> holds_inputs P sorts nu' phi m' vs cs.
Proof. intros [S B Pr N]. split; auto using shaped_same, built_same, presents_too. Qed.
Theorem weights_too cs : weights nu' phi m' cs = weights nu phi m cs.
Proof.
  unfold weights. f_equal. apply map_ext. intros [o|f]; unfold weight.
  - pose proof (object_same _ _ same o) as B. destruct (object_named m o) as [x|], (object_named m' o) as [y|]; try contradiction; [|reflexivity]. rewrite (ends_same _ _ B), (starts_same _ _ B). reflexivity.
  - pose proof (part_same _ _ same f) as B. destruct (part_named m f) as [q|], (part_named m' f) as [r|]; try contradiction; [|reflexivity]. rewrite (symbols_same _ _ B). reflexivity.
Qed.
End SameInputs.

(** One member under two valuations that give its terms the same values. *)
Lemma slots_themselves nu nu' v : SameValues.same_slot nu nu' v -> slots_same nu nu' v v.
Proof. destruct v as [[]| |]; simpl; auto. Qed.
Lemma forall2_itself {A} (Q : A -> Prop) (R : A -> A -> Prop) l : (forall a, Q a -> R a a) -> Forall Q l -> Forall2 R l l.
Proof. intros H F. induction F; constructor; auto. Qed.
Lemma fields_themselves nu nu' f : SameValues.same_field nu nu' f -> fields_same nu nu' f f.
Proof. intros [S R]. split; [eapply forall2_itself; [apply slots_themselves | exact S]|]. unfold rests_same. destruct (rest f); auto. Qed.
Lemma objects_themselves nu nu' x : SameValues.same_object nu nu' x -> objects_same nu nu' x x.
Proof.
  intros (B & E & F). split; auto. eapply forall2_itself; [apply fields_themselves | exact F].
Qed.
Lemma entries_themselves {A} (Q : A -> Prop) (R : A -> A -> Prop) x : (forall a, Q a -> R a a) -> (forall a, x = Some a -> Q a) -> both R x x.
Proof. destruct x; simpl; auto. Qed.
Theorem member_itself nu nu' m : SameValues.same_member nu nu' m -> tables_same nu nu' m m.
Proof.
  intros [S O Q]. split; auto.
  - intros r. apply (forall2_nth (slots_same nu nu')); [eapply forall2_itself; [apply slots_themselves | exact S] | apply forgotten_same].
  - intros o. eapply entries_themselves; [apply objects_themselves | apply O].
  - intros f. apply entries_themselves with (Q := SameValues.same_part nu nu'); [|apply Q]. intros q (A & B & C). split; auto using slots_themselves.
Qed.
