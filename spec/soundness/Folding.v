(** Folded parts of heaps (spec/calculus.md#folded-heaps): where in a state of
    the machine the cells stand that a symbol stands for.

    What a slot says of a value is a set of values.  What is known of a
    forgotten slot, or of the last cell of an empty segment below something
    forgotten, is nothing, so such a set need not have one element: two slots
    that are the same need not hold the same value. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Sorts Programs Machine Alike Typed.
Import ListNotations.
Open Scope Z_scope.

Lemma Forall2_length {A B} (R : A -> B -> Prop) l l' : Forall2 R l l' -> length l = length l'.
Proof. induction 1; simpl; auto. Qed.

Definition holding := value -> Prop.
Definition anything : holding := fun _ => True.
Definition nothing : holding := fun _ => False.
(** The first says no less. *)
Definition sub (r s : holding) := forall w, r w -> s w.
Lemma sub_refl r : sub r r.
Proof. intros w H; exact H. Qed.
Lemma sub_trans r s t : sub r s -> sub s t -> sub r t.
Proof. intros A B w H. apply B, A, H. Qed.
Lemma sub_anything r : sub r anything.
Proof. intros w _; exact I. Qed.
Lemma nothing_sub r : sub nothing r.
Proof. intros w []. Qed.
Lemma sub_eq (r : holding) w : r w -> sub (eq w) r.
Proof. intros H v <-. exact H. Qed.
#[export] Hint Resolve sub_refl sub_anything nothing_sub sub_eq : core.

(** A field of a cell, or that in which the rest of a segment stands, whose
    root is one of these. *)
Inductive held := OfField (f : Sorts.field) | OfHole (r : holding).

Section State.
Variable g : state.

(** ** Cells *)

(** A pointer to byte b of the first element. *)
Definition start_of o b := Pointer {| target := o; index := lower (object_at g o); byte := b |}.
(** What a field of the only element of a node holds. *)
Definition content o k := read (field_of (object_at g o) k) (lower (object_at g o)).
Definition is_cell o d n := declared (object_at g o) = d /\ alive (object_at g o) = Live /\
  lower (object_at g o) = 0 /\ upper (object_at g o) = 1 /\ length (fields_of (object_at g o)) = n.

(** What a field holds, by what is above the cell and what its [Same] field
    holds; of one from which a tree or a ring hangs, or that leads to its last
    cell, this. *)
Definition told (a m hanging : holding) (c : held) : holding := match c with
  | OfHole r => r
  | OfField (Sorts.Integer z) => eq (Integer z)
  | OfField (Below _ _) | OfField (Ringed _ _) | OfField (Sorts.Pointer (Sorts.Last _)) => hanging
  | OfField (Sorts.Pointer Up) => a
  | OfField (Sorts.Pointer Sorts.Same) => m
  | OfField (Sorts.Pointer Other) => eq Uninitialised
  | OfField (Sorts.Pointer Sorts.Null) => eq Null
  | OfField (Sorts.Pointer _) => anything end.
(** The [same] of a tree below the cell.  If a tree hangs from the field that is
    [Same] below, nothing is said; what is handed on is said all the same. *)
Definition handed (a m : holding) (all : list held) o (e : given) : holding := match e with
  | AsIn None => anything
  | AsIn (Some k) => match nth_error all k with Some c => told a m anything c | None => anything end
  | By FromAbove => m
  | By (FromField k) => match nth_error all k with Some c => told a m (eq (content o k)) c | None => anything end end.

(** From which nothing hangs. *)
Definition is_plain_field f := match f with Below _ _ | Ringed _ _ => False | _ => True end.
(** What the fields hold that lead to the last cell of the ring in field k. *)
Definition leads_to_last (all : list held) o k : holding := fun w =>
  exists j, nth_error all j = Some (OfField (Sorts.Pointer (Sorts.Last k))) /\ w = content o j.

(** [tree_at t r a m fp]: whatever r has is a pointer to the root of t, whose
    [Up] fields hold one of a, its [Same] field one of m; it consists of the
    cells fp.  Above what hangs below a cell is the pointer by which the cell
    itself is reached; of a ring it is that to the byte where the ring begins, and
    so is what stands in its hole.

    Of a segment l is what pointers to the last cell hold, h what stands in the
    hole.  Its cells have one [same]. *)
Inductive tree_at : tree -> holding -> holding -> holding -> list nat -> Prop :=
| null_at r a m : sub r (eq Null) -> tree_at Empty r a m []
| node_at o d b fs r a m fp : sub r (eq (start_of o b)) -> is_cell o d (length fs) ->
    fields_at o b (map OfField fs) a m 0 fs fp -> tree_at (Node d b fs) r a m (o :: fp)
with fields_at : nat -> Z -> list held -> holding -> holding -> nat -> list Sorts.field -> list nat -> Prop :=
| no_fields o b all a m k : fields_at o b all a m k [] []
| more_fields o b all a m k f fs fp fq : field_at o b all a m k f fp -> fields_at o b all a m (S k) fs fq ->
    fields_at o b all a m k (f :: fs) (fp ++ fq)
with field_at : nat -> Z -> list held -> holding -> holding -> nat -> Sorts.field -> list nat -> Prop :=
| plain_field o b all a m k f : is_plain_field f -> told a m anything (OfField f) (content o k) ->
    field_at o b all a m k f []
| below_field o b all a m k e t fp : tree_at t (eq (content o k)) (eq (start_of o b)) (handed a m all o e) fp ->
    field_at o b all a m k (Below e t) fp
| ring_field o b all a m k e c fp : context_at c (eq (content o k)) (eq (start_of o e)) anything fp (leads_to_last all o k) (eq (start_of o e)) ->
    field_at o b all a m k (Ringed e c) fp
with context_at : context -> holding -> holding -> holding -> list nat -> holding -> holding -> Prop :=
| hole_at r a m l h : sub r h -> sub l a -> context_at Hole r a m [] l h
| link_at o d b before e c after r a m l h r' fb fc fa : sub r (eq (start_of o b)) -> is_cell o d (length before + S (length after)) ->
    fields_at o b (map OfField before ++ OfHole r' :: map OfField after) a m 0 before fb ->
    r' (content o (length before)) -> context_at c r' (eq (start_of o b)) m fc l h ->
    fields_at o b (map OfField before ++ OfHole r' :: map OfField after) a m (S (length before)) after fa ->
    context_at (Cell d b before e c after) r a m (o :: fb ++ fc ++ fa) l h.
Scheme tree_at_mind := Induction for tree_at Sort Prop
  with fields_at_mind := Induction for fields_at Sort Prop
  with field_at_mind := Induction for field_at Sort Prop
  with context_at_mind := Induction for context_at Sort Prop.
Combined Scheme tree_at_ind' from tree_at_mind, fields_at_mind, field_at_mind, context_at_mind.

(** ** Less may be said *)

Lemma told_weaker a m h c a' m' h' : sub a a' -> sub m m' -> sub h h' -> sub (told a m h c) (told a' m' h' c).
Proof. intros A M H. destruct c as [[z|e t|[]|e x]|r]; simpl; auto. Qed.
Lemma handed_weaker a m all o e a' m' : sub a a' -> sub m m' -> sub (handed a m all o e) (handed a' m' all o e).
Proof.
  intros A M. destruct e as [[k|]|[k|]]; simpl; auto; destruct (nth_error all k); auto using told_weaker.
Qed.
Lemma less_said :
  (forall t r a m fp, tree_at t r a m fp -> forall r' a' m', sub r' r -> sub a a' -> sub m m' -> tree_at t r' a' m' fp) /\
  (forall o b all a m k fs fp, fields_at o b all a m k fs fp -> forall all' a' m', sub a a' -> sub m m' ->
     (forall e, sub (handed a m all o e) (handed a' m' all' o e)) -> (forall j, sub (leads_to_last all' o j) (leads_to_last all o j)) ->
     fields_at o b all' a' m' k fs fp) /\
  (forall o b all a m k f fp, field_at o b all a m k f fp -> forall all' a' m', sub a a' -> sub m m' ->
     (forall e, sub (handed a m all o e) (handed a' m' all' o e)) -> (forall j, sub (leads_to_last all' o j) (leads_to_last all o j)) ->
     field_at o b all' a' m' k f fp) /\
  (forall c r a m fp l h, context_at c r a m fp l h -> forall r' a' m' l' h', sub r' r -> sub a a' -> sub m m' ->
     sub l' l -> sub h h' -> context_at c r' a' m' fp l' h').
Proof.
  apply tree_at_ind'.
  - intros r a m S r' a' m' R _ _. constructor. eapply sub_trans; eassumption.
  - intros o d b fs r a m fp S C _ IH r' a' m' R A M. constructor; [eapply sub_trans; eassumption | exact C |].
    apply IH; auto using handed_weaker.
  - intros. constructor.
  - intros o b all a m k f fs fp fq _ IH1 _ IH2 all' a' m' A M H J. constructor; auto.
  - intros o b all a m k f N T all' a' m' A M H J. constructor; auto. exact (told_weaker _ _ _ _ _ _ _ A M (sub_refl anything) _ T).
  - intros o b all a m k e t fp _ IH all' a' m' A M H J. constructor. apply IH; auto.
  - intros o b all a m k e c fp _ IH all' a' m' A M H J. constructor. apply IH; auto.
  - intros r a m l h R L r' a' m' l' h' Sr Sa Sm Sl Sh.
    constructor; [apply (sub_trans _ _ _ Sr (sub_trans _ _ _ R Sh)) | apply (sub_trans _ _ _ Sl (sub_trans _ _ _ L Sa))].
  - intros o d b before e c after r a m l h q fb fc fa R C _ B Q _ IH _ F r' a' m' l' h' Sr Sa Sm Sl Sh.
    econstructor; [eapply sub_trans; eassumption | exact C | | exact Q | apply IH; auto |];
    [apply B | apply F]; auto using handed_weaker.
Qed.
Lemma tree_weaker t r a m fp r' a' m' : tree_at t r a m fp -> sub r' r -> sub a a' -> sub m m' -> tree_at t r' a' m' fp.
Proof. intros T. apply less_said. exact T. Qed.
Lemma context_weaker c r a m fp l h : context_at c r a m fp l h -> forall r' a' m' l' h', sub r' r -> sub a a' -> sub m m' ->
  sub l' l -> sub h h' -> context_at c r' a' m' fp l' h'.
Proof. apply less_said. Qed.
(** What pointers to the root of a tree hold is one value. *)
Lemma tree_single t r a m fp v w : tree_at t r a m fp -> r v -> r w -> v = w.
Proof. intros T V W. destruct T as [r a m S | o d b fs r a m fp S _ _]; rewrite <- (S _ V), <- (S _ W); auto. Qed.
Lemma context_single c r a m fp l h v w : context_at c r a m fp l h -> (forall x y, h x -> h y -> x = y) -> r v -> r w -> v = w.
Proof. intros C S V W. destruct C as [r a m l h R _ | o d b before e c after r a m l h q fb fc fa R _ _ _ _ _]; [auto|]. rewrite <- (R _ V), <- (R _ W). auto. Qed.
Lemma last_single c r a m fp l h : context_at c r a m fp l h -> (forall x y, a x -> a y -> x = y) -> forall x y, l x -> l y -> x = y.
Proof.
  induction 1 as [r a m l h R L | o d b before e c after r a m l h q fb fc fa R C B Q _ IH F]; intros S x y X Y; [auto|].
  apply IH; auto. intros u v <- <-. reflexivity.
Qed.

(** ** Segments, and what stands in their holes *)

Theorem composed_at c1 r a m fp1 l1 h1 c2 fp2 l2 h2 : context_at c1 r a m fp1 l1 h1 -> context_at c2 h1 l1 m fp2 l2 h2 ->
  exists fp, Permutation fp (fp1 ++ fp2) /\ context_at (compose c1 c2) r a m fp l2 h2.
Proof.
  induction 1 as [r a m l h R L | o d b before e c after r a m l h q fb fc fa R C B Q _ IH F]; intros H; simpl.
  - exists fp2. split; auto. eapply context_weaker; eauto.
  - destruct (IH H) as (fp & P & X). exists (o :: fb ++ fp ++ fa). split; [|econstructor; eauto].
    constructor. rewrite <- !app_assoc. apply Permutation_app_head. rewrite P, <- app_assoc. apply Permutation_app_head.
    apply Permutation_app_comm.
Qed.

(** A segment of two, taken apart: what is between. *)
Theorem decomposed_at c1 c2 : forall r a m fp l h, context_at (compose c1 c2) r a m fp l h ->
  exists fp1 fp2 l1 h1, Permutation fp (fp1 ++ fp2) /\ context_at c1 r a m fp1 l1 h1 /\ context_at c2 h1 l1 m fp2 l h.
Proof.
  induction c1 as [|d b before e c1 IH after]; intros r a m fp l h H; simpl in H.
  - exists [], fp, a, r. split; auto. split; auto. constructor; auto.
  - inversion H as [|o ? ? ? ? ? ? ? ? ? ? ? q fb fc fa R C B Q X F]; subst.
    destruct (IH _ _ _ _ _ _ X) as (fp1 & fp2 & l1 & h1 & Pm & X1 & X2). exists (o :: fb ++ fp1 ++ fa), fp2, l1, h1.
    split; [|split; [econstructor; eauto | exact X2]]. simpl. constructor. rewrite <- !app_assoc. apply Permutation_app_head.
    rewrite Pm, <- !app_assoc. apply Permutation_app_head, Permutation_app_comm.
Qed.

Section Sorted.
Variable table : nat -> sort_of_trees.
Hypothesis ones : one_same table.
Notation fields := (Sorts.fields table).
Notation of_sort := (Sorts.of_sort table).
Notation segment := (Sorts.segment table).

Lemma fields_length ls fs : fields ls fs -> length fs = length ls.
Proof. induction 1; simpl; auto. Qed.
Lemma same_held ls fs : fields ls fs -> forall k, position_of_same ls = Some k -> nth_error fs k = Some (Sorts.Pointer Sorts.Same).
Proof.
  induction 1 as [|l ls f fs F _ IH]; intros k; simpl; [discriminate|].
  assert (X : option_map S (position_of_same ls) = Some k -> nth_error (f :: fs) k = Some (Sorts.Pointer Sorts.Same)).
  { destruct (position_of_same ls) as [j|]; [|discriminate]. intros [= <-]. simpl. auto. }
  destruct l; auto. intros [= <-]. inversion F; subst. reflexivity.
Qed.

Lemma fields_at_app o b all a m fs1 : forall k fs2 fp fq, fields_at o b all a m k fs1 fp -> fields_at o b all a m (k + length fs1) fs2 fq ->
  fields_at o b all a m k (fs1 ++ fs2) (fp ++ fq).
Proof.
  induction fs1 as [|f fs1 IH]; intros k fs2 fp fq A B; inversion A; subst; simpl.
  - simpl in B. rewrite Nat.add_0_r in B. exact B.
  - rewrite <- app_assoc. constructor; auto. apply IH; auto. simpl in B. replace (S k + length fs1)%nat with (k + S (length fs1))%nat by lia. exact B.
Qed.

(** The hole is filled: what is said of a field from which a tree hangs is less
    than what is said of one that leads on. *)
Lemma filled o before (r' : holding) after e t a m g0 : (forall w, r' w -> w = content o (length before)) ->
  sub (handed a m (map OfField before ++ OfHole r' :: map OfField after) o g0)
      (handed a m (map OfField (before ++ Below e t :: after)) o g0).
Proof.
  intros U. rewrite map_app. simpl map.
  assert (N : forall k, nth_error (map OfField before ++ OfField (Below e t) :: map OfField after) k =
      nth_error (map OfField before ++ OfHole r' :: map OfField after) k \/
    k = length before /\ nth_error (map OfField before ++ OfField (Below e t) :: map OfField after) k = Some (OfField (Below e t)) /\
      nth_error (map OfField before ++ OfHole r' :: map OfField after) k = Some (OfHole r')).
  { intros k. destruct (Nat.lt_trichotomy k (length before)) as [L|[->|L]].
    - left. rewrite !nth_error_app1 by (rewrite map_length; auto). reflexivity.
    - right. split; auto. rewrite !nth_error_app2 by (rewrite map_length; auto). rewrite map_length, Nat.sub_diag. auto.
    - left. rewrite !nth_error_app2 by (rewrite map_length; lia). rewrite map_length. destruct (k - length before)%nat eqn:E; [lia|]. reflexivity. }
  destruct g0 as [[k|]|[k|]]; simpl; auto; (destruct (N k) as [->|(-> & -> & ->)]; [auto | simpl; auto]).
  intros w W. symmetry. auto.
Qed.

Lemma filled_last o before (r' : holding) after e t k :
  sub (leads_to_last (map OfField (before ++ Below e t :: after)) o k) (leads_to_last (map OfField before ++ OfHole r' :: map OfField after) o k).
Proof.
  rewrite map_app. simpl map. intros w (j & E & ->). exists j. split; auto. destruct (Nat.lt_ge_cases j (length before)) as [L|L].
  - rewrite nth_error_app1 in E |- * by (rewrite map_length; auto). exact E.
  - rewrite nth_error_app2 in E |- * by (rewrite map_length; auto). destruct (j - length (map OfField before))%nat; [discriminate E | exact E].
Qed.

Theorem plugged_at s c t r a m fp1 l h fp2 : segment s c -> of_sort s t -> context_at c r a m fp1 l h -> tree_at t h l m fp2 ->
  exists fp, Permutation fp (fp1 ++ fp2) /\ tree_at (plug c t) r a m fp.
Proof.
  intros S O H. revert S. induction H as [r a m l h R L | o d b before e c after r a m l h q fb fc fa R C B Q _ IH F]; intros S T; simpl.
  - exists fp2. split; auto. eapply tree_weaker; eauto.
  - inversion S as [|? ls1 ls2 fs1 c0 fs2 I F1 Sc F2]; subst. destruct (IH Sc T) as (fp & P & X).
    exists (o :: fb ++ fp ++ fa). split.
    { constructor. rewrite <- !app_assoc. apply Permutation_app_head. rewrite P, <- app_assoc. apply Permutation_app_head, Permutation_app_comm. }
    assert (U : forall w, q w -> w = content o (length before)) by (intros w W; eapply tree_single; eauto).
    constructor; [exact R | rewrite app_length; exact C |].
    apply fields_at_app.
    + eapply less_said; [exact B | auto | auto | intros e0; apply filled; exact U | intros j; apply filled_last].
    + rewrite Nat.add_0_l. constructor; [|eapply less_said; [exact F | auto | auto | intros e0; apply filled; exact U | intros j; apply filled_last]].
      constructor. eapply tree_weaker; [exact X | intros w <-; exact Q | auto |].
      assert (All : fields (ls1 ++ Child s :: ls2) (before ++ Below (AsIn (same_field table s)) (plug c t) :: after)).
      { apply fields_app; auto. constructor; auto. constructor; auto. apply plugged; auto. }
      unfold handed. destruct (same_field table s) as [k|] eqn:K; auto.
      rewrite <- (ones _ _ I) in K. rewrite nth_error_map, (same_held _ _ All _ K). simpl. auto.
Qed.

(** ** What is above a cell does not matter where nothing points up *)

Definition no_up s := forall ls, In ls (shapes (table s)) -> ~ In Up ls.
Lemma no_up_held ls fs : fields ls fs -> ~ In Up ls -> ~ In (Sorts.Pointer Up) fs.
Proof.
  induction 1 as [|l ls f fs F _ IH]; simpl; auto. intros N [E|I]; [|apply IH; auto]. subst f. inversion F; subst. auto.
Qed.
Lemma told_no_up a a' m h c : c <> OfField (Sorts.Pointer Up) -> told a m h c = told a' m h c.
Proof. destruct c as [[z|e t|[]|e x]|r]; simpl; auto. contradiction. Qed.
Lemma handed_no_up a a' m all o e : ~ In (OfField (Sorts.Pointer Up)) all -> handed a m all o e = handed a' m all o e.
Proof.
  intros N. destruct e as [[k|]|[k|]]; simpl; auto; (destruct (nth_error all k) as [c|] eqn:E; auto);
  apply nth_error_In in E; apply told_no_up; intros ->; auto.
Qed.
Lemma fields_no_up o b all a a' m fs : ~ In (OfField (Sorts.Pointer Up)) all -> ~ In (Sorts.Pointer Up) fs ->
  forall k fp, fields_at o b all a m k fs fp -> fields_at o b all a' m k fs fp.
Proof.
  intros N. induction fs as [|f fs IH]; intros Nf k fp F; inversion F; subst; [constructor|].
  constructor; [|apply IH; auto; intros J; apply Nf; simpl; auto].
  match goal with A : field_at _ _ _ _ _ _ _ _ |- _ => inversion A; subst end.
  - constructor; auto. rewrite <- (told_no_up a); auto. intros X; injection X as ->. apply Nf; simpl; auto.
  - constructor. rewrite <- (handed_no_up a); auto.
  - constructor. assumption.
Qed.
Lemma map_no_up fs : ~ In (Sorts.Pointer Up) fs -> ~ In (OfField (Sorts.Pointer Up)) (map OfField fs).
Proof. intros N J. apply in_map_iff in J as (f & [= ->] & J). auto. Qed.
Theorem tree_no_up s t r a m fp a' : no_up s -> of_sort s t -> tree_at t r a m fp -> tree_at t r a' m fp.
Proof.
  intros N O T. inversion O as [|? ls fs I F]; subst; inversion T; subst; constructor; auto.
  pose proof (no_up_held _ _ F (N _ I)). eapply fields_no_up; eauto using map_no_up.
Qed.
(** Of an empty segment nothing is said of the last cell then. *)
Theorem context_no_up s c r a m fp l h a' : no_up s -> segment s c -> context_at c r a m fp l h -> context_at c r a' m fp nothing h.
Proof.
  intros N S C. inversion S as [|? ls1 ls2 fs1 c0 fs2 I F1 Sc F2]; subst; inversion C; subst.
  - constructor; auto.
  - assert (N1 : ~ In (Sorts.Pointer Up) fs1) by (apply (no_up_held _ _ F1); intros J; apply (N _ I), in_or_app; auto).
    assert (N2 : ~ In (Sorts.Pointer Up) fs2) by (apply (no_up_held _ _ F2); intros J; apply (N _ I), in_or_app; simpl; auto).
    assert (Na : ~ In (OfField (Sorts.Pointer Up)) (map OfField fs1 ++ OfHole r' :: map OfField fs2)).
    { intros J. apply in_app_or in J as [J|[J|J]]; [exact (map_no_up _ N1 J) | discriminate | exact (map_no_up _ N2 J)]. }
    econstructor; eauto; try (eapply fields_no_up; eassumption). eapply context_weaker; eauto.
Qed.

(** ** What is handed down does not matter where no field is [Same] and
    nothing is handed on *)

Definition hands_on l := match l with Handed _ _ => True | _ => False end.
Definition no_handed s := forall ls l, In ls (shapes (table s)) -> In l ls -> ~ hands_on l.
Definition regardless (f : Sorts.field) := f <> Sorts.Pointer Sorts.Same /\
  match f with Below e t => e <> By FromAbove \/ t = Empty | _ => True end.
Lemma no_same_link ls : position_of_same ls = None -> ~ In Sorts.Same ls.
Proof.
  induction ls as [|l ls IH]; simpl; auto. intros P [->|I]; [discriminate|].
  assert (X : option_map S (position_of_same ls) = None -> False).
  { destruct (position_of_same ls); [discriminate|]. intros _. apply IH; auto. }
  destruct l; auto; discriminate.
Qed.
Lemma fields_regardless ls fs : fields ls fs -> ~ In Sorts.Same ls -> (forall l, In l ls -> ~ hands_on l) -> Forall regardless fs.
Proof.
  induction 1 as [|l ls f fs F _ IH]; constructor; [|apply IH; simpl in *; auto].
  assert (L : l <> Sorts.Same) by (intros ->; simpl in *; auto). pose proof (H0 l (or_introl eq_refl)) as N.
  split; inversion F; subst; simpl in *; auto; try discriminate.
  - intros [= ->]. auto.
  - match goal with G : _ \/ _ |- _ => destruct G as [->|E]; [left; discriminate | right; exact E] end.
Qed.
Lemma told_regardless a m m' h c : c <> OfField (Sorts.Pointer Sorts.Same) -> told a m h c = told a m' h c.
Proof. destruct c as [[z|e t|[]|e x]|r]; simpl; auto. contradiction. Qed.
Lemma handed_regardless a m m' all o e : ~ In (OfField (Sorts.Pointer Sorts.Same)) all -> e <> By FromAbove ->
  handed a m all o e = handed a m' all o e.
Proof.
  intros N E. destruct e as [[k|]|[k|]]; simpl; auto; [| |contradiction]; (destruct (nth_error all k) as [c|] eqn:X; auto);
  apply nth_error_In in X; apply told_regardless; intros ->; auto.
Qed.
Lemma fields_at_regardless o b all a m m' fs : ~ In (OfField (Sorts.Pointer Sorts.Same)) all -> Forall regardless fs ->
  forall k fp, fields_at o b all a m k fs fp -> fields_at o b all a m' k fs fp.
Proof.
  intros N. induction fs as [|f fs IH]; intros Rf k fp F; inversion F; subst; [constructor|]. inversion_clear Rf as [|? ? [R1 R2] Rs].
  constructor; [|apply IH; auto].
  match goal with A : field_at _ _ _ _ _ _ _ _ |- _ => inversion A; subst end.
  - constructor; auto. rewrite <- (told_regardless a m); auto. intros [= ->]. auto.
  - constructor. destruct R2 as [E| ->]; [rewrite <- (handed_regardless a m); auto|].
    match goal with A : tree_at Empty _ _ _ _ |- _ => inversion A; subst end. constructor. auto.
  - constructor. assumption.
Qed.
Theorem context_regardless s c r a m fp l h m' : same_field table s = None -> no_handed s -> segment s c ->
  context_at c r a m fp l h -> context_at c r a m' fp l h.
Proof.
  intros K N S H. revert S m'. induction H as [r a m l h R L | o d b before e c after r a m l h q fb fc fa R C B Q _ IH F]; intros S m'.
  - constructor; auto.
  - inversion S as [|? ls1 ls2 fs1 c0 fs2 I F1 Sc F2]; subst.
    pose proof (no_same_link _ (eq_trans (ones _ _ I) K)) as Ns.
    assert (R1 : Forall regardless before).
    { eapply fields_regardless; [exact F1 | intros J; apply Ns, in_or_app; auto | intros l0 J; apply (N _ _ I), in_or_app; auto]. }
    assert (R2 : Forall regardless after).
    { eapply fields_regardless; [exact F2 | intros J; apply Ns, in_or_app; simpl; auto | intros l0 J; apply (N _ _ I), in_or_app; simpl; auto]. }
    assert (Na : ~ In (OfField (Sorts.Pointer Sorts.Same)) (map OfField before ++ OfHole q :: map OfField after)).
    { rewrite Forall_forall in R1, R2. intros J. apply in_app_or in J as [J|[J|J]]; [|discriminate|];
      apply in_map_iff in J as (f & [= ->] & J); [apply (R1 _ J) | apply (R2 _ J)]; reflexivity. }
    econstructor; eauto; eapply fields_at_regardless; eassumption.
Qed.
End Sorted.

(** ** Data are in range where the state's integers are *)

Variable P : program.
Inductive typed_tree : tree -> Prop :=
| typed_empty : typed_tree Empty
| typed_node d b fs : (forall k z, nth_error fs k = Some (Sorts.Integer z) -> value_in (field_type P d k) (Integer z)) ->
    (forall e t, In (Below e t) fs -> typed_tree t) -> (forall e c, In (Ringed e c) fs -> typed_context c) -> typed_tree (Node d b fs)
with typed_context : context -> Prop :=
| typed_hole : typed_context Hole
| typed_cell d b before e c after : typed_tree (Node d b (before ++ Below e Empty :: after)) -> typed_context c ->
    typed_context (Cell d b before e c after).
Hypothesis typed_state : typed P g.

Lemma content_typed o k : value_in (field_type P (declared (object_at g o)) k) (content o k).
Proof. apply (proj2 typed_state). Qed.
Lemma typed_at :
  (forall t r a m fp, tree_at t r a m fp -> typed_tree t) /\
  (forall o b all a m k fs fp, fields_at o b all a m k fs fp ->
     (forall j z, nth_error fs j = Some (Sorts.Integer z) -> content o (k + j) = Integer z) /\
     (forall e t, In (Below e t) fs -> typed_tree t) /\ forall e c, In (Ringed e c) fs -> typed_context c) /\
  (forall o b all a m k f fp, field_at o b all a m k f fp ->
     match f with Sorts.Integer z => content o k = Integer z | Below _ t => typed_tree t | Ringed _ c => typed_context c | _ => True end) /\
  (forall c r a m fp l h, context_at c r a m fp l h -> typed_context c).
Proof.
  apply tree_at_ind'.
  - constructor.
  - intros o d b fs r a m fp _ (D & _) _ (I & B & C). constructor; auto. intros k z E. rewrite <- (I k z E), <- D. apply content_typed.
  - intros. split; [intros [|j]; discriminate | split; intros e t []].
  - intros o b all a m k f fs fp fq _ F _ (I & B & C). split; [|split].
    + intros [|j] z; simpl; [intros [= ->]; rewrite Nat.add_0_r; auto|]. intros E. rewrite <- plus_n_Sm. apply (I j z E).
    + intros e t [->|J]; eauto.
    + intros e c [->|J]; eauto.
  - intros o b all a m k [z|e t|l|e c] N T; auto; destruct N.
  - auto.
  - auto.
  - constructor.
  - intros o d b before e c after r a m l h q fb fc fa _ (D & _) _ (B1 & B2 & B3) _ _ IH _ (F1 & F2 & F3). constructor; auto. constructor.
    + intros k z E. rewrite <- D. assert (X : content o k = Integer z); [|rewrite <- X; apply content_typed].
      destruct (Nat.lt_trichotomy k (length before)) as [L|[->|L]].
      * rewrite nth_error_app1 in E by auto. apply (B1 k z E).
      * rewrite nth_error_app2, Nat.sub_diag in E by lia. discriminate.
      * rewrite nth_error_app2 in E by lia. destruct (k - length before)%nat as [|j] eqn:J; [lia|]. simpl in E.
        specialize (F1 j z E). replace (S (length before) + j)%nat with k in F1 by lia. exact F1.
    + intros e' t I. apply in_app_or in I as [I|[I|I]]; [eauto | injection I as <- <-; constructor | eauto].
    + intros e' t I. apply in_app_or in I as [I|[I|I]]; [eauto | discriminate | eauto].
Qed.
Theorem tree_typed t r a m fp : tree_at t r a m fp -> typed_tree t.
Proof. apply typed_at. Qed.
Theorem context_typed c r a m fp l h : context_at c r a m fp l h -> typed_context c.
Proof. apply typed_at. Qed.
End State.
