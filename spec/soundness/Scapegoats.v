(** AddScapegoat on nodes (spec/calculus.md#addscapegoat): leaving nodes out of
    linked inputs gives a valid, smaller input, if each of them is live at that
    time.  [drop_dead_unsound] shows that it does not if one is not.

    The heap is that of an entry under a valuation: integers are values, and a
    folded part stands for a tree.  [drop] is [Member::drop_node] of the kernel. *)
From Coq Require Import List ZArith Lia Bool Permutation.
From Goatherd Require Import Sorts.
Import ListNotations.
Open Scope Z_scope.

Inductive slot := SInteger (z : Z) | SNull | SUninitialised | SNode (o : nat) | SPart (p : nat).
Inductive life := Live | Dead.
Record node := { sort : nat; alive : life; slots : list slot }.
(** A folded part: the tree that its symbol is mapped to, that one's sort, and
    what the [Up] fields of its root hold. *)
Record part := { stands_for : tree; part_sort : nat; above : slot }.
(** A root is a linked input's pointer, with the declaration of its nodes. *)
Record heap := { nodes : nat -> option node; parts : nat -> option part; roots : list (nat * slot) }.

Section Heaps.
(** The links that the program gives to each declaration, which is a sort. *)
Variable links : nat -> list link.
Definition given_by d := AsIn (position_of_same (links d)).

(** ** What a heap holds *)

(** Nodes and parts: what trees are made of, each in one place. *)
Definition cell := (nat + nat)%type.

Section Reading.
Variable H : heap.

(** Where a tree of sort d hangs from a slot, below what [a] points to: the
    tree, and the cells that it consists of. *)
Inductive reads : nat -> slot -> slot -> tree -> list cell -> Prop :=
| reads_null d a : reads d SNull a Empty []
| reads_node o a n fs fp :
    nodes H o = Some n -> alive n = Live -> reads_fields o a (links (sort n)) (slots n) fs fp ->
    reads (sort n) (SNode o) a (Node (sort n) 0 fs) (inl o :: fp)
| reads_part p a q :
    parts H p = Some q -> (In Up (links (part_sort q)) -> above q = a) ->
    reads (part_sort q) (SPart p) a (stands_for q) [inr p]
with reads_fields : nat -> slot -> list link -> list slot -> list field -> list cell -> Prop :=
| reads_none o a : reads_fields o a [] [] [] []
| reads_data o a z ls ss fs fp : reads_fields o a ls ss fs fp ->
    reads_fields o a (Data :: ls) (SInteger z :: ss) (Integer z :: fs) fp
| reads_child o a s x g t fp ls ss fs fq : g = given_by s \/ t = Empty -> reads s x (SNode o) t fp -> reads_fields o a ls ss fs fq ->
    reads_fields o a (Child s :: ls) (x :: ss) (Below g t :: fs) (fp ++ fq)
| reads_up o a ls ss fs fp : reads_fields o a ls ss fs fp ->
    reads_fields o a (Up :: ls) (a :: ss) (Pointer Up :: fs) fp
| reads_other o a ls ss fs fp : reads_fields o a ls ss fs fp ->
    reads_fields o a (Other :: ls) (SUninitialised :: ss) (Pointer Other :: fs) fp
| reads_nulls o a ls ss fs fp : reads_fields o a ls ss fs fp ->
    reads_fields o a (Null :: ls) (SNull :: ss) (Pointer Null :: fs) fp.

(** Several trees.  Those that are reached hang from roots, with NULL above. *)
Inductive reads_all : list (nat * slot * slot) -> list tree -> list cell -> Prop :=
| all_none : reads_all [] [] []
| all_more d s a es t ts fp fq : reads d s a t fp -> reads_all es ts fq -> reads_all ((d, s, a) :: es) (t :: ts) (fp ++ fq).
Definition entries := map (fun r : nat * slot => (fst r, snd r, SNull)) (roots H).

(** The linked inputs are these trees; what else is live is some more trees,
    which nothing that is reached points to: what has hung from nodes that are
    left out. *)
Definition is_there (c : cell) := match c with
  | inl o => exists n, nodes H o = Some n /\ alive n = Live
  | inr p => exists q, parts H p = Some q end.
(** Nothing is but what is reached: so it is at the entry. *)
Definition all_reached (reached : list cell) := forall c, is_there c -> In c reached.
Definition holds_inputs (ts : list tree) (reached : list cell) := exists garbage others fp,
  reads_all entries ts reached /\ reads_all garbage others fp /\ NoDup (reached ++ fp) /\
  forall c, is_there c -> In c (reached ++ fp).
End Reading.

Scheme reads_mind := Induction for reads Sort Prop
  with reads_fields_mind := Induction for reads_fields Sort Prop.
Combined Scheme reads_ind' from reads_mind, reads_fields_mind.

Fixpoint tree_size (t : tree) : nat := match t with Empty => 0 | Node _ _ fs => S (list_sum (map field_size fs)) end
with field_size (f : field) : nat := match f with Below _ t => tree_size t | Ringed _ c => context_size c | _ => 0 end
with context_size (c : context) : nat := match c with
  | Hole => 0 | Cell _ _ before _ c after => S (list_sum (map field_size before) + (context_size c + list_sum (map field_size after))) end.
Definition fields_size fs := list_sum (map field_size fs).
Definition total ts := list_sum (map tree_size ts).

(** ** Leaving out a node *)

Definition rename o heir s := match s with SNode x => if Nat.eqb x o then heir else s | _ => s end.
Fixpoint up_slot (ls : list link) (ss : list slot) : option slot := match ls, ss with
  | Up :: _, s :: _ => Some s | _ :: ls, _ :: ss => up_slot ls ss | _, _ => None end.
Fixpoint fill (ls : list link) (ss : list slot) u : list slot := match ls, ss with
  | l :: ls, s :: ss => match l with Up => u | _ => s end :: fill ls ss u | _, _ => ss end.

Definition replaced H o n heir : heap :=
  let ls := links (sort n) in
  let up := up_slot ls (slots n) in
  let is_heir x := match heir with SNode h => Nat.eqb x h | _ => false end in
  {| nodes := fun x => match nodes H x with
       | None => None
       | Some m =>
         let ss := map (rename o heir) (slots m) in
         Some {| sort := sort m; alive := if Nat.eqb x o then Dead else alive m;
                 slots := if is_heir x then match up with Some u => fill ls ss u | None => ss end else ss |} end;
     parts := fun p => match parts H p with
       | None => None
       | Some q =>
         let is_heir := match heir with SPart h => Nat.eqb p h | _ => false end in
         Some {| stands_for := stands_for q; part_sort := part_sort q;
                 above := match is_heir, up with true, Some u => u | _, _ => rename o heir (above q) end |} end;
     roots := map (fun r => (fst r, rename o heir (snd r))) (roots H) |}.

(** What stands in its place: the child at a field of its own declaration, or
    NULL.  [asked] is what the rule asks of the node itself. *)
Definition heir_of n (child : option nat) : option slot := match child with
  | None => Some SNull
  | Some k => match nth_error (links (sort n)) k with
    | Some (Child s) => if Nat.eqb s (sort n) then nth_error (slots n) k else None
    | _ => None end end.
Definition drop_where (asked : node -> bool) H o child : option heap := match nodes H o with
  | None => None
  | Some n => if asked n then match heir_of n child with Some heir => Some (replaced H o n heir) | None => None end else None end.
Definition is_live n := match alive n with Live => true | Dead => false end.
Definition drop := drop_where is_live.

(** ** Trees that do not hold the node stay *)

Lemma link_dec (x y : link) : {x = y} + {x <> y}.
Proof. repeat (decide equality; try apply Z.eq_dec; try apply Nat.eq_dec). Defined.

Lemma slot_cases s : (exists z, s = SInteger z) \/ s = SNull \/ s = SUninitialised \/ (exists o, s = SNode o) \/ exists p, s = SPart p.
Proof. destruct s; eauto 6. Qed.

Section Dropped.
Variables (H : heap) (o : nat) (n : node) (heir : slot).
Hypothesis Hn : nodes H o = Some n.
Let H' := replaced H o n heir.
Let up := up_slot (links (sort n)) (slots n).
Definition cell_of s : list cell := match s with SNode x => [inl x] | SPart p => [inr p] | _ => [] end.

Lemma rename_other x : x <> o -> rename o heir (SNode x) = SNode x.
Proof. intros. simpl. destruct (Nat.eqb_spec x o); congruence. Qed.

Lemma reads_root d s a t fp : reads H d s a t fp -> incl (cell_of s) fp.
Proof. intros R; inversion R; subst; simpl; intros x Hx; simpl in *; intuition. Qed.

Lemma stays :
  (forall d s a t fp, reads H d s a t fp -> ~ In (inl o) fp -> (forall c, In c (cell_of heir) -> ~ In c fp) ->
     reads H' d s (rename o heir a) t fp) /\
  (forall x a ls ss fs fp, reads_fields H x a ls ss fs fp -> x <> o -> ~ In (inl o) fp ->
     (forall c, In c (cell_of heir) -> ~ In c fp) ->
     reads_fields H' x (rename o heir a) ls (map (rename o heir) ss) fs fp).
Proof.
  apply reads_ind'.
  - constructor.
  - intros x a m fs fp Hm Hl Hf IH Ho Hh. simpl in Ho.
    assert (x <> o) by (intros ->; apply Ho; auto).
    assert (E : nodes H' x = Some {| sort := sort m; alive := alive m; slots := map (rename o heir) (slots m) |}).
    { unfold H', replaced; simpl. rewrite Hm. destruct (Nat.eqb_spec x o); [congruence|].
      destruct heir as [| | |h|]; auto. destruct (Nat.eqb_spec x h); auto.
      subst. exfalso. apply (Hh (inl h)); simpl; auto. }
    change (sort m) with (sort {| sort := sort m; alive := alive m; slots := map (rename o heir) (slots m) |}).
    econstructor; [exact E | exact Hl |]. simpl. apply IH; auto.
    intros c Hc Hin. apply (Hh c Hc). simpl; auto.
  - intros p a q Hp Ha Ho Hh.
    assert (E : parts H' p = Some {| stands_for := stands_for q; part_sort := part_sort q; above := rename o heir (above q) |}).
    { unfold H', replaced; simpl. rewrite Hp. destruct heir as [| | | |h]; auto. destruct (Nat.eqb_spec p h); auto.
      subst. exfalso. apply (Hh (inr h)); simpl; auto. }
    pose proof (reads_part H' p (rename o heir a) _ E) as R. simpl in R. apply R. intros Hu. rewrite Ha; auto.
  - constructor.
  - intros; simpl; constructor; auto.
  - intros x a s y g t fp ls ss fs fq Hg R IH1 Rf IH2 Hx Ho Hh. simpl.
    assert (Hy : rename o heir y = y).
    { destruct y as [| | |y|]; auto. apply rename_other. intros ->.
      apply Ho, in_or_app; left. apply (reads_root _ _ _ _ _ R). simpl; auto. }
    rewrite Hy. constructor; [exact Hg | |].
    + rewrite <- (rename_other x Hx). apply IH1; [intros I; apply Ho, in_or_app; auto|].
      intros c Hc I. apply (Hh c Hc), in_or_app; auto.
    + apply IH2; auto; [intros I; apply Ho, in_or_app; auto|].
      intros c Hc I. apply (Hh c Hc), in_or_app; auto.
  - intros; simpl; constructor; auto.
  - intros; simpl; constructor; auto.
  - intros; simpl; constructor; auto.
Qed.

(** The heir hangs where the node did, its [Up] fields as those of the node. *)
Lemma fields_fill G x a ls : forall ss fs fp u, reads_fields G x a ls ss fs fp -> reads_fields G x u ls (fill ls ss u) fs fp.
Proof.
  induction ls as [|l ls IH]; intros ss fs fp u R; inversion R; subst; simpl; constructor; auto.
Qed.
Lemma up_known x a ls : forall ss fs fp, reads_fields H x a ls ss fs fp -> In Up ls -> up_slot ls ss = Some a.
Proof.
  induction ls as [|l ls IH]; intros ss fs fp R Hu; inversion R; subst; simpl in *; auto; try contradiction;
  destruct Hu as [Hu|Hu]; try discriminate; eauto.
Qed.
Lemma fields_without_up G x a ls : forall ss fs fp u, reads_fields G x a ls ss fs fp -> ~ In Up ls -> reads_fields G x u ls ss fs fp.
Proof.
  induction ls as [|l ls IH]; intros ss fs fp u R Hu; inversion R; subst; simpl in *; try (constructor; eauto; fail).
  exfalso; auto.
Qed.
Lemma no_up ls : forall ss, up_slot ls ss = None -> length ls = length ss -> ~ In Up ls.
Proof.
  induction ls as [|l ls IH]; intros [|s ss] E L Hu; simpl in *; try discriminate; auto.
  destruct Hu as [->|Hu]; [discriminate|]. injection L as L. destruct l; try discriminate; eapply IH; eauto.
Qed.
Lemma fields_length x a ls : forall ss fs fp, reads_fields H x a ls ss fs fp -> length ls = length ss.
Proof. induction ls; intros ss fs fp R; inversion R; subst; simpl; eauto. Qed.

Lemma reads_null_inv G d a t fp : reads G d SNull a t fp -> t = Empty /\ fp = [].
Proof. intros R; inversion R; auto. Qed.
Lemma reads_node_inv G d h a t fp : reads G d (SNode h) a t fp -> exists m fs gp, nodes G h = Some m /\ alive m = Live /\
  sort m = d /\ t = Node d 0 fs /\ fp = inl h :: gp /\ reads_fields G h a (links d) (slots m) fs gp.
Proof. intros R; inversion R; subst. repeat eexists; eauto. Qed.
Lemma reads_part_inv G d p a t fp : reads G d (SPart p) a t fp -> exists q, parts G p = Some q /\ part_sort q = d /\
  (In Up (links d) -> above q = a) /\ t = stands_for q /\ fp = [inr p].
Proof. intros R; inversion R; subst. repeat eexists; eauto. Qed.

Lemma heir_moves a t fp fs fq : reads_fields H o a (links (sort n)) (slots n) fs fq ->
  reads H (sort n) heir (SNode o) t fp -> ~ In (inl o) fp -> NoDup fp -> reads H' (sort n) heir a t fp.
Proof.
  intros Rn R Ho Hd. destruct (slot_cases heir) as [[z Eh]|[Eh|[Eh|[[h Eh]|[p Eh]]]]]; rewrite Eh in R.
  - inversion R.
  - apply reads_null_inv in R as [-> ->]. rewrite Eh. constructor.
  - inversion R.
  - apply reads_node_inv in R as (m & gs & gp & Hm & Hl & Hs & -> & -> & Rf).
    simpl in Ho. assert (Hx : h <> o) by (intros ->; auto). inversion_clear Hd as [|? ? Hh Hd'].
    assert (Rf' : reads_fields H' h (rename o heir (SNode o)) (links (sort n)) (map (rename o heir) (slots m)) gs gp).
    { apply stays; rewrite ?Eh; auto. simpl. intros c [<-|[]]. auto. }
    set (ss := map (rename o heir) (slots m)) in *.
    assert (E : nodes H' h = Some {| sort := sort m; alive := alive m;
      slots := match up with Some u => fill (links (sort n)) ss u | None => ss end |}).
    { unfold H', replaced; simpl. rewrite Hm, Eh, Nat.eqb_refl. destruct (Nat.eqb_spec h o); [congruence|].
      unfold ss. rewrite Eh. auto. }
    assert (F : reads_fields H' h a (links (sort n)) (match up with Some u => fill (links (sort n)) ss u | None => ss end) gs gp).
    { unfold up. destruct (up_slot (links (sort n)) (slots n)) as [u|] eqn:Eu.
      - pose proof (fields_fill _ _ _ _ _ _ _ u Rf') as Rg.
        destruct (In_dec link_dec Up (links (sort n))) as [I|I].
        + rewrite (up_known _ _ _ _ _ _ Rn I) in Eu. injection Eu as <-. auto.
        + eapply fields_without_up; eauto.
      - eapply fields_without_up; eauto. eapply no_up; eauto. eapply fields_length; eauto. }
    pose proof (reads_node H' h a _ gs gp E Hl) as G. cbn [sort slots] in G. rewrite Hs in G. rewrite Eh. apply G. exact F.
  - apply reads_part_inv in R as (q & Hp & Hs & Ha & -> & ->).
    assert (E : parts H' p = Some {| stands_for := stands_for q; part_sort := part_sort q;
      above := match up with Some u => u | None => rename o heir (above q) end |}).
    { unfold H', replaced; simpl. rewrite Hp, Eh, Nat.eqb_refl. auto. }
    pose proof (reads_part H' p a _ E) as R'. cbn [stands_for part_sort above] in R'. rewrite Hs in R'. rewrite Eh. apply R'.
    intros Hu. unfold up. rewrite (up_known _ _ _ _ _ _ Rn Hu). auto.
Qed.

(** ** The tree that holds it *)

Lemma children x a ls ss fs fp : reads_fields H x a ls ss fs fp -> ~ In (inl o) fp ->
  (forall c, In c (cell_of heir) -> ~ In c fp) -> exists gs us, reads_all H' gs us fp.
Proof.
  intros R. remember ls as ls0. revert ls Heqls0. induction R; intros ls1 _ Ho Hh; try (apply IHR with (ls := ls); auto; fail).
  - exists [], []. constructor.
  - destruct (IHR ls eq_refl) as (gs & us & A).
    + intros I; apply Ho, in_or_app; auto.
    + intros c Hc I. apply (Hh c Hc), in_or_app; auto.
    + eexists (_ :: gs), (t :: us). constructor; [|exact A]. apply stays; eauto.
      * intros I; apply Ho, in_or_app; auto.
      * intros c Hc I. apply (Hh c Hc), in_or_app; auto.
Qed.

Lemma NoDup_disjoint (A : Type) (l m : list A) x : NoDup (l ++ m) -> In x l -> In x m -> False.
Proof.
  intros D Hl Hm. apply in_split in Hl as (l1 & l2 & ->). rewrite <- app_assoc in D. simpl in D.
  apply NoDup_remove_2 in D. apply D. apply in_or_app; right. apply in_or_app; auto.
Qed.
Lemma NoDup_left (A : Type) (l m : list A) : NoDup (l ++ m) -> NoDup l.
Proof. induction l; simpl; intros D; constructor; inversion_clear D; auto. intros I; apply H0, in_or_app; auto. Qed.
Lemma NoDup_right (A : Type) (l m : list A) : NoDup (l ++ m) -> NoDup m.
Proof. induction l; simpl; intros D; auto. inversion_clear D; auto. Qed.

(** The children of the node: one of them is the heir, the others are garbage. *)
Lemma children_but_one x a s : forall ls ss fs fp k, reads_fields H x a ls ss fs fp -> ~ In (inl o) fp -> NoDup fp ->
  nth_error ls k = Some (Child s) -> nth_error ss k = Some heir ->
  exists t hp gs us gp, reads H s heir (SNode x) t hp /\ reads_all H' gs us gp /\
    Permutation fp (hp ++ gp) /\ (tree_size t <= fields_size fs)%nat.
Proof.
  induction ls as [|l ls IH]; intros ss fs fp k R Ho Hd Hl Hs; [destruct k; discriminate|].
  destruct k as [|k]; simpl in Hl.
  - injection Hl as ->. inversion R; subst. simpl in Hs. injection Hs as ->.
    match goal with A : reads H s heir _ ?t ?fp1, B : reads_fields H x a ls _ _ ?fp2 |- _ =>
      destruct (children _ _ _ _ _ _ B) as (gs & us & G);
      [intros I; apply Ho, in_or_app; auto
      | intros c Hc I; eapply NoDup_disjoint; [exact Hd | eapply reads_root; [exact A | exact Hc] | exact I]
      |]; exists t, fp1, gs, us, fp2 end.
    repeat split; auto. unfold fields_size; simpl. lia.
  - inversion R; subst; simpl in Hs;
    try (match goal with B : reads_fields H x _ ls _ _ _ |- _ =>
           destruct (IH _ _ _ _ B Ho Hd Hl Hs) as (t & hp & gs & us & gp & A1 & A2 & A3 & A4); exists t, hp, gs, us, gp;
           split; [exact A1|]; split; [exact A2|]; split; [exact A3|]; unfold fields_size in *; simpl; lia end; fail).
    match goal with A : reads H ?s0 ?y _ ?t0 ?fp1, B : reads_fields H x a ls _ _ ?fp2 |- _ =>
      assert (Ho2 : ~ In (inl o) fp2) by (intros I; apply Ho, in_or_app; auto);
      destruct (IH _ _ _ _ B Ho2 (NoDup_right _ _ _ Hd) Hl Hs) as (t' & hp & gs & us & gp & A1 & A2 & A3 & A4);
      assert (S1 : reads H' s0 y (rename o heir (SNode x)) t0 fp1);
      [apply stays; auto;
       [intros I; apply Ho, in_or_app; auto
       | intros c Hc I; eapply NoDup_disjoint; [exact Hd | exact I |];
         eapply Permutation_in; [symmetry; exact A3 |]; apply in_or_app; left; eapply reads_root; eauto] |];
      exists t', hp, ((s0, y, rename o heir (SNode x)) :: gs), (t0 :: us), (fp1 ++ gp) end.
    split; [exact A1|]. split; [constructor; auto|]. split.
    + rewrite A3. rewrite !app_assoc. apply Permutation_app_tail. apply Permutation_app_comm.
    + unfold fields_size in *; simpl. lia.
Qed.

Variable child : option nat.
Hypothesis Hheir : heir_of n child = Some heir.

Lemma heir_child x a ls fs fp : ls = links (sort n) -> reads_fields H x a ls (slots n) fs fp -> incl (cell_of heir) fp.
Proof.
  intros E R. unfold heir_of in Hheir. destruct child as [k|]; [|injection Hheir as <-; intros c []].
  destruct (nth_error (links (sort n)) k) as [[| |s| | | | | | | |]|] eqn:El; try discriminate.
  destruct (Nat.eqb s (sort n)); [|discriminate]. rewrite <- E in El. clear E. revert k El Hheir.
  generalize (slots n) R. intros ss R'. clear R. induction R'; intros [|k] El Hh; simpl in *; try discriminate;
  try (eapply IHR'; eauto; fail).
  - injection Hh as <-. intros c Hc. apply in_or_app; left. eapply reads_root; eauto.
  - intros c Hc. apply in_or_app; right. eapply IHR'; eauto.
Qed.

(** The heir hangs below the node, wherever that is. *)
Lemma heir_below :
  (forall d s a t fp, reads H d s a t fp -> In (inl o) fp -> incl (cell_of heir) (tl fp)) /\
  (forall x a ls ss fs fp, reads_fields H x a ls ss fs fp -> In (inl o) fp -> incl (cell_of heir) fp).
Proof.
  apply reads_ind'; simpl; intros; auto; try contradiction.
  - destruct H1 as [E|I]; auto. injection E as ->. rewrite Hn in e. injection e as <-. eapply heir_child; eauto.
  - destruct H0; [discriminate|contradiction].
  - apply in_app_or in H2 as [I|I]; intros c Hc; apply in_or_app.
    + left. specialize (H0 I c Hc). destruct fp; simpl in *; auto.
    + right. apply (H1 I c Hc).
Qed.

Lemma shrinks :
  (forall d s a t fp, reads H d s a t fp -> NoDup fp -> In (inl o) fp ->
     exists a' t' fp' gs us gp, (s <> SNode o -> a' = rename o heir a) /\ (s = SNode o -> a' = a) /\
       reads H' d (rename o heir s) a' t' fp' /\ reads_all H' gs us gp /\
       Permutation fp (inl o :: fp' ++ gp) /\ (tree_size t' < tree_size t)%nat) /\
  (forall x a ls ss fs fp, reads_fields H x a ls ss fs fp -> x <> o -> NoDup fp -> In (inl o) fp ->
     exists fs' fp' gs us gp, reads_fields H' x (rename o heir a) ls (map (rename o heir) ss) fs' fp' /\
       reads_all H' gs us gp /\ Permutation fp (inl o :: fp' ++ gp) /\ (fields_size fs' < fields_size fs)%nat).
Proof.
  apply reads_ind'.
  - intros d a _ [].
  - intros x a m fs fp Hm Hl Hf IH Hd Hin. inversion_clear Hd as [|? ? Hx Hd'].
    destruct (Nat.eq_dec x o) as [->|Hne].
    + rewrite Hn in Hm. injection Hm as <-. pose proof Hheir as Hh. unfold heir_of in Hh.
      assert (E : rename o heir (SNode o) = heir) by (simpl; rewrite Nat.eqb_refl; auto). rewrite E.
      destruct child as [k|].
      * destruct (nth_error (links (sort n)) k) as [[| |s| | | | | | | |]|] eqn:El; try discriminate.
        destruct (Nat.eqb_spec s (sort n)); [|discriminate]. subst s.
        destruct (children_but_one _ _ _ _ _ _ _ _ Hf Hx Hd' El Hh) as (t & hp & gs & us & gp & A1 & A2 & A3 & A4).
        assert (Ho : ~ In (inl o) hp).
        { intros I. apply Hx. eapply Permutation_in; [symmetry; exact A3|]. apply in_or_app; auto. }
        assert (Dh : NoDup hp).
        { eapply NoDup_left. eapply Permutation_NoDup; [exact A3 | exact Hd']. }
        exists a, t, hp, gs, us, gp. split; [congruence|]. split; [auto|].
        split; [eapply heir_moves; eauto|]. split; [exact A2|].
        split; [apply perm_skip; exact A3|]. simpl. unfold fields_size in A4. lia.
      * injection Hh as Hh. destruct (children _ _ _ _ _ _ Hf Hx) as (gs & us & G).
        { rewrite <- Hh. intros c []. }
        exists a, Empty, [], gs, us, fp. split; [congruence|]. split; [auto|].
        split; [rewrite <- Hh; constructor|]. split; [exact G|]. split; [reflexivity|]. simpl. lia.
    + simpl in Hin. destruct Hin as [Hin|Hin]; [congruence|].
      destruct (IH Hne Hd' Hin) as (fs' & fp' & gs & us & gp & A1 & A2 & A3 & A4).
      assert (E : nodes H' x = Some {| sort := sort m; alive := alive m; slots := map (rename o heir) (slots m) |}).
      { unfold H', replaced; simpl. rewrite Hm. destruct (Nat.eqb_spec x o); [congruence|].
        pose proof (proj2 heir_below _ _ _ _ _ _ Hf Hin) as B.
        destruct (slot_cases heir) as [[z Eh]|[Eh|[Eh|[[h Eh]|[p Eh]]]]]; rewrite Eh in *; auto.
        destruct (Nat.eqb_spec x h); auto. subst h. exfalso. apply Hx, B. simpl; auto. }
      exists (rename o heir a), (Node (sort m) 0 fs'), (inl x :: fp'), gs, us, gp.
      split; [auto|]. split; [intros X; injection X; congruence|].
      split; [rewrite rename_other by auto; apply (reads_node H' x _ _ fs' fp' E Hl A1)|].
      split; [exact A2|]. split.
      * simpl. rewrite A3. apply perm_swap.
      * simpl. unfold fields_size in A4. lia.
  - intros p a q Hp Ha _ [I|[]]. discriminate.
  - intros x a _ _ [].
  - intros x a z ls ss fs fp R IH Hx Hd Hin. destruct (IH Hx Hd Hin) as (fs' & fp' & gs & us & gp & A1 & A2 & A3 & A4).
    exists (Integer z :: fs'), fp', gs, us, gp. simpl. split; [constructor; auto|]. auto.
  - intros x a s y g t fp ls ss fs fq Hg R IH1 Rf IH2 Hx Hd Hin. apply in_app_or in Hin as [Hin|Hin].
    + destruct (IH1 (NoDup_left _ _ _ Hd) Hin) as (a' & t' & fp' & gs & us & gp & B1 & B2 & A1 & A2 & A3 & A4).
      assert (Ea : a' = SNode x).
      { destruct (slot_cases y) as [[z E]|[E|[E|[[h E]|[p E]]]]].
        5: rewrite B1; [apply rename_other; auto | congruence].
        1-3: rewrite B1; [apply rename_other; auto | congruence].
        destruct (Nat.eq_dec h o); [apply B2; congruence | rewrite B1; [apply rename_other; auto | congruence]]. }
      subst a'.
      assert (S1 : reads_fields H' x (rename o heir a) ls (map (rename o heir) ss) fs fq).
      { apply stays; auto.
        - intros I. eapply NoDup_disjoint; eauto.
        - intros c Hc I. eapply NoDup_disjoint; [exact Hd | | exact I].
          pose proof (proj1 heir_below _ _ _ _ _ R Hin c Hc) as T. destruct fp; simpl in *; auto. }
      exists (Below (given_by s) t' :: fs), (fp' ++ fq), gs, us, gp. split; [simpl; constructor; auto|]. split; [exact A2|]. split.
      * rewrite A3. simpl. apply perm_skip. rewrite <- !app_assoc. apply Permutation_app_head, Permutation_app_comm.
      * unfold fields_size; simpl. lia.
    + destruct (IH2 Hx (NoDup_right _ _ _ Hd) Hin) as (fs' & fp' & gs & us & gp & A1 & A2 & A3 & A4).
      assert (S1 : reads H' s (rename o heir y) (SNode x) t fp).
      { assert (Ho : ~ In (inl o) fp) by (intros I; eapply NoDup_disjoint; eauto).
        assert (Hy : rename o heir y = y).
        { destruct (slot_cases y) as [[z E]|[E|[E|[[h E]|[p E]]]]]; rewrite E; auto.
          apply rename_other. intros ->. apply Ho. apply (reads_root _ _ _ _ _ R). rewrite E. simpl; auto. }
        rewrite Hy. rewrite <- (rename_other x Hx). apply stays; auto.
        intros c Hc I. eapply NoDup_disjoint; [exact Hd | exact I |]. apply (proj2 heir_below _ _ _ _ _ _ Rf Hin c Hc). }
      exists (Below g t :: fs'), (fp ++ fp'), gs, us, gp. split; [simpl; constructor; auto|]. split; [exact A2|]. split.
      * rewrite A3. rewrite <- Permutation_middle. rewrite <- app_assoc. reflexivity.
      * unfold fields_size in *; simpl. lia.
  - intros x a ls ss fs fp R IH Hx Hd Hin. destruct (IH Hx Hd Hin) as (fs' & fp' & gs & us & gp & A1 & A2 & A3 & A4).
    exists (Pointer Up :: fs'), fp', gs, us, gp. simpl. split; [constructor; auto|]. auto.
  - intros x a ls ss fs fp R IH Hx Hd Hin. destruct (IH Hx Hd Hin) as (fs' & fp' & gs & us & gp & A1 & A2 & A3 & A4).
    exists (Pointer Other :: fs'), fp', gs, us, gp. simpl. split; [constructor; auto|]. auto.
  - intros x a ls ss fs fp R IH Hx Hd Hin. destruct (IH Hx Hd Hin) as (fs' & fp' & gs & us & gp & A1 & A2 & A3 & A4).
    exists (Pointer Null :: fs'), fp', gs, us, gp. simpl. split; [constructor; auto|]. auto.
Qed.

(** ** Several trees *)

Lemma all_stay es ts fp : reads_all H es ts fp -> ~ In (inl o) fp -> (forall c, In c (cell_of heir) -> ~ In c fp) ->
  reads_all H' (map (fun e => (fst (fst e), snd (fst e), rename o heir (snd e))) es) ts fp.
Proof.
  induction 1 as [|d s a es t ts fp fq R A IH]; intros Ho Hh; simpl; constructor.
  - apply stays; auto; [intros I; apply Ho, in_or_app; auto | intros c Hc I; apply (Hh c Hc), in_or_app; auto].
  - apply IH; [intros I; apply Ho, in_or_app; auto | intros c Hc I; apply (Hh c Hc), in_or_app; auto].
Qed.
Lemma all_app es ts fp es' ts' fp' : reads_all H' es ts fp -> reads_all H' es' ts' fp' -> reads_all H' (es ++ es') (ts ++ ts') (fp ++ fp').
Proof. induction 1; simpl; auto. intros. rewrite <- app_assoc. constructor; auto. Qed.

(** A tree's root stays where it is, or becomes the heir. *)
Definition renamed (e : nat * slot * slot) := (fst (fst e), rename o heir (snd (fst e))).
Lemma unrenamed d s a t fp : reads H d s a t fp -> ~ In (inl o) fp -> rename o heir s = s.
Proof.
  intros R Ho. destruct (slot_cases s) as [[z E]|[E|[E|[[h E]|[p E]]]]]; rewrite E; auto.
  apply rename_other. intros ->. apply Ho. apply (reads_root _ _ _ _ _ R). rewrite E. simpl; auto.
Qed.
Lemma all_shrink es ts fp : reads_all H es ts fp -> NoDup fp -> In (inl o) fp ->
  exists es' ts' fp' gs us gp, reads_all H' es' ts' fp' /\ reads_all H' gs us gp /\
    Permutation fp (inl o :: fp' ++ gp) /\ (total ts' < total ts)%nat /\ incl (cell_of heir) fp /\
    map fst es' = map renamed es /\ (Forall (fun e => snd e = SNull) es -> Forall (fun e => snd e = SNull) es').
Proof.
  induction 1 as [|d s a es t ts fp fq R A IH]; intros Hd Hin; [destruct Hin|].
  apply in_app_or in Hin as [Hin|Hin].
  - destruct (proj1 shrinks _ _ _ _ _ R (NoDup_left _ _ _ Hd) Hin) as (a' & t' & fp' & gs & us & gp & B1 & B2 & A1 & A2 & A3 & A4).
    assert (Hh : incl (cell_of heir) fp).
    { intros c Hc. pose proof (proj1 heir_below _ _ _ _ _ R Hin c Hc) as T. destruct fp; simpl in *; auto. }
    assert (Ho : ~ In (inl o) fq) by (intros I; eapply NoDup_disjoint; eauto).
    pose proof (all_stay _ _ _ A Ho) as S.
    exists ((d, rename o heir s, a') :: map (fun e => (fst (fst e), snd (fst e), rename o heir (snd e))) es), (t' :: ts), (fp' ++ fq), gs, us, gp.
    split; [constructor; auto; apply S; intros c Hc I; eapply NoDup_disjoint; [exact Hd | apply Hh; exact Hc | exact I]|].
    split; [exact A2|]. split.
    + rewrite A3. simpl. apply perm_skip. rewrite <- !app_assoc. apply Permutation_app_head, Permutation_app_comm.
    + split; [unfold total; simpl; lia|]. split; [intros c Hc; apply in_or_app; auto|]. split.
      * simpl. f_equal. rewrite map_map. simpl. clear S IH Hd A3 Hh. revert Ho. induction A as [|d0 s0 a0 es t0 ts fp0 fq0 R0 A IH]; intros Ho; simpl; auto.
        f_equal; [unfold renamed; simpl; f_equal; symmetry; eapply unrenamed; eauto; intros I; apply Ho, in_or_app; auto|].
        apply IH. intros I; apply Ho, in_or_app; auto.
      * intros F. inversion_clear F as [|? ? F1 F2]. simpl in F1. subst a. constructor; simpl.
        -- destruct (slot_cases s) as [[z E]|[E|[E|[[h E]|[p E]]]]]; try (apply B1; congruence).
           destruct (Nat.eq_dec h o); [apply B2; congruence | apply B1; congruence].
        -- rewrite Forall_forall in *. intros e He. apply in_map_iff in He as (e0 & <- & He). simpl. rewrite (F2 _ He). auto.
  - destruct (IH (NoDup_right _ _ _ Hd) Hin) as (es' & ts' & fp' & gs & us & gp & A1 & A2 & A3 & A4 & A5 & A6 & A7).
    assert (Ho : ~ In (inl o) fp) by (intros I; eapply NoDup_disjoint; eauto).
    exists ((d, s, rename o heir a) :: es'), (t :: ts'), (fp ++ fp'), gs, us, gp.
    split; [constructor; auto; apply stays; auto; intros c Hc I; eapply NoDup_disjoint; [exact Hd | exact I | apply A5; exact Hc]|].
    split; [exact A2|]. split.
    + rewrite A3. rewrite <- Permutation_middle. rewrite <- app_assoc. reflexivity.
    + split; [unfold total in *; simpl; lia|]. split; [intros c Hc; apply in_or_app; auto|]. split.
      * simpl. rewrite A6. f_equal. unfold renamed; simpl. f_equal. symmetry. eapply unrenamed; eauto.
      * intros F. inversion_clear F as [|? ? F1 F2]. simpl in F1. subst a. constructor; auto.
Qed.
End Dropped.

Lemma replaced_nodes H o n heir x m : nodes (replaced H o n heir) x = Some m ->
  exists m0, nodes H x = Some m0 /\ alive m = if Nat.eqb x o then Dead else alive m0.
Proof. simpl. destruct (nodes H x) as [m0|]; [|discriminate]. intros [= <-]. eauto. Qed.

(** ** The rule is sound *)

(** Leaving out a live node gives linked inputs with no more nodes, and with
    fewer if it was reached. *)
Theorem drop_sound H o child H' ts reached : drop H o child = Some H' -> holds_inputs H ts reached ->
  exists ts' reached', holds_inputs H' ts' reached' /\ (total ts' <= total ts)%nat /\
    (In (inl o) reached -> total ts' < total ts)%nat.
Proof.
  unfold drop, drop_where. intros D (gs & us & fp & R & G & N & L).
  destruct (nodes H o) as [n|] eqn:Hn; [|discriminate].
  destruct (is_live n) eqn:Hl; [|discriminate].
  destruct (heir_of n child) as [heir|] eqn:Hh; [|discriminate]. injection D as <-.
  assert (Ha : alive n = Live) by (unfold is_live in Hl; destruct (alive n); congruence).
  assert (Hroots : forall es', map fst es' = map (renamed o heir) (entries H) -> Forall (fun e => snd e = SNull) es' ->
    es' = entries (replaced H o n heir)).
  { unfold entries. simpl. intros es' E F. rewrite map_map in E |- *. revert es' E F.
    induction (roots H) as [|[d s] l IH]; intros [|[[d' s'] a'] es'] E F; simpl in *; try discriminate; auto.
    inversion_clear F as [|? ? F1 F2]. simpl in F1. subst a'. injection E as -> -> E. f_equal; auto. }
  assert (Hlive : forall fs, Permutation (reached ++ fp) (inl o :: fs) ->
    forall c, is_there (replaced H o n heir) c -> In c fs).
  { intros fs Pm [x|x] Hc.
    - destruct Hc as (m & Hm & Hx). apply replaced_nodes in Hm as (m0 & Hm0 & E). rewrite E in Hx.
      destruct (Nat.eqb_spec x o); [discriminate|].
      pose proof (Permutation_in _ Pm (L (inl x) (ex_intro _ m0 (conj Hm0 Hx)))) as [I|I]; auto. congruence.
    - destruct Hc as (r & Hr). simpl in Hr. destruct (parts H x) as [r0|] eqn:E; [|discriminate].
      pose proof (Permutation_in _ Pm (L (inr x) (ex_intro _ r0 E))) as [I|I]; auto. discriminate. }
  pose proof (L (inl o) (ex_intro _ n (conj Hn Ha))) as I. apply in_app_or in I as [I|I].
  - (* It is reached. *)
    destruct (all_shrink H o n heir Hn child Hh _ _ _ R (NoDup_left _ _ _ N) I)
      as (es' & ts' & fp' & gs' & us' & gp & A1 & A2 & A3 & A4 & A5 & A6 & A7).
    assert (Pm : Permutation (reached ++ fp) (inl o :: fp' ++ gp ++ fp)).
    { rewrite A3. simpl. rewrite <- app_assoc. reflexivity. }
    exists ts', fp'. split; [|split; [lia | auto]].
    eexists (gs' ++ _), (us' ++ us), (gp ++ fp).
    split; [rewrite <- (Hroots es'); auto; apply A7; unfold entries; apply Forall_forall; intros e He; apply in_map_iff in He as (? & <- & _); auto|].
    split; [apply all_app; [exact A2|]; eapply all_stay;
            [exact G | intros X; eapply NoDup_disjoint; [exact N | exact I | exact X]
            | intros c Hc X; eapply NoDup_disjoint; [exact N | apply A5; exact Hc | exact X]]|].
    split; [|eapply Hlive; eauto].
    apply (Permutation_NoDup Pm) in N. inversion_clear N; auto.
  - (* It has hung from a node that is left out already. *)
    destruct (all_shrink H o n heir Hn child Hh _ _ _ G (NoDup_right _ _ _ N) I)
      as (es' & us' & fp' & gs' & vs & gp & A1 & A2 & A3 & A4 & A5 & A6 & A7).
    assert (Ho : ~ In (inl o) reached) by (intros X; eapply NoDup_disjoint; eauto).
    assert (Hc : forall c, In c (cell_of heir) -> ~ In c reached).
    { intros c Hc X. eapply NoDup_disjoint; [exact N | exact X | apply A5; exact Hc]. }
    pose proof (all_stay H o n heir _ _ _ R Ho Hc) as S.
    assert (Pm : Permutation (reached ++ fp) (inl o :: reached ++ fp' ++ gp)).
    { rewrite A3. rewrite <- Permutation_middle. reflexivity. }
    exists ts, reached. split; [|split; [lia | intros X; destruct (Ho X)]].
    exists (es' ++ gs'), (us' ++ vs), (fp' ++ gp).
    split; [|split; [apply all_app; auto|]].
    + rewrite <- (Hroots (map (fun e => (fst (fst e), snd (fst e), rename o heir (snd e))) (entries H))); auto.
      * clear -R Ho. induction R as [|d s a es t ts fp fq R A IH]; simpl; auto.
        f_equal; [unfold renamed; simpl; f_equal; symmetry; eapply unrenamed; eauto; intros X; apply Ho, in_or_app; auto|].
        apply IH. intros X; apply Ho, in_or_app; auto.
      * unfold entries. apply Forall_forall. intros e He. apply in_map_iff in He as (e0 & <- & He).
        apply in_map_iff in He as (r & <- & _). reflexivity.
    + split; [|eapply Hlive; eauto].
      apply (Permutation_NoDup Pm) in N. inversion_clear N; auto.
Qed.

Fixpoint drops H (l : list (nat * option nat)) : option heap := match l with
  | [] => Some H | (o, child) :: l => match drop H o child with Some H => drops H l | None => None end end.

(** As many as one likes, one after the other.  At the entry all nodes are
    reached, so the first that is left out makes the input smaller. *)
Theorem drops_sound l : forall H H' ts reached, drops H l = Some H' -> holds_inputs H ts reached ->
  exists ts' reached', holds_inputs H' ts' reached' /\ (total ts' <= total ts)%nat.
Proof.
  induction l as [|[o child] l IH]; simpl; intros H H' ts reached D V.
  - injection D as <-. eauto.
  - destruct (drop H o child) as [H1|] eqn:E; [|discriminate].
    destruct (drop_sound _ _ _ _ _ _ E V) as (ts1 & r1 & V1 & L1 & _).
    destruct (IH _ _ _ _ D V1) as (ts2 & r2 & V2 & L2). exists ts2, r2. split; auto. lia.
Qed.
Theorem scapegoat_smaller l H H' ts reached :
  drops H l = Some H' -> l <> [] -> holds_inputs H ts reached ->
  all_reached H reached ->
  exists ts' reached', holds_inputs H' ts' reached' /\ (total ts' < total ts)%nat.
Proof.
  destruct l as [|[o child] l]; simpl; intros D Hl V All; [congruence|].
  destruct (drop H o child) as [H1|] eqn:E; [|discriminate].
  destruct (drop_sound _ _ _ _ _ _ E V) as (ts1 & r1 & V1 & _ & L1).
  destruct (drops_sound _ _ _ _ _ D V1) as (ts2 & r2 & V2 & L2). exists ts2, r2. split; auto.
  assert (In (inl o) reached); [|specialize (L1 ltac:(auto)); lia].
  unfold drop, drop_where in E. destruct (nodes H o) as [n|] eqn:Hn; [|discriminate].
  apply All. exists n. split; auto. unfold is_live in E. destruct (alive n); auto. discriminate.
Qed.

(** *** The new inputs are trees of their declarations *)

Definition declarations d := {| declaration := d; entrance := 0; may_be_null := true; shapes := [links d]; named := None |}.
Theorem reads_of_sort H : (forall p q, parts H p = Some q -> of_sort declarations (part_sort q) (stands_for q)) ->
  (forall d s a t fp, reads H d s a t fp -> of_sort declarations d t) /\
  (forall x a ls ss fs fp, reads_fields H x a ls ss fs fp -> fields declarations ls fs).
Proof.
  intros Hp. apply reads_ind'; intros; eauto.
  - constructor. reflexivity.
  - apply (of_node declarations (sort n) (links (sort n)) fs); simpl; auto.
  - constructor.
  - constructor; auto. constructor.
  - constructor; auto. constructor; auto.
  - constructor; auto. constructor; auto.
  - constructor; auto. constructor; auto.
  - constructor; auto. constructor; auto.
Qed.
End Heaps.

(** ** Why the node has to be live *)

(** A list 0, 1, 2 with pointers back.  Were nodes not asked to be live, 1, then
    0, then 1 again could be left out: by then what the dead node's [Up] field
    holds has become 2, and it is copied into node 2.  What is left is no input. *)
Module DeadNode.
Definition links (d : nat) := [Child 0; Up].
Definition cell next up := Some {| sort := 0; alive := Live; slots := [next; up] |}.
Definition three := {|
  nodes := fun o => match o with
    | 0%nat => cell (SNode 1) SNull | 1%nat => cell (SNode 2) (SNode 0) | 2%nat => cell SNull (SNode 1) | _ => None end;
  parts := fun _ => None; roots := [(0%nat, SNode 0)] |}.
Definition anything (_ : node) := true.
Definition drop := drop_where links anything.

Lemma is_an_input : exists ts reached, holds_inputs links three ts reached.
Proof.
  pose (two := Node 0 0 [Below (given_by links 0) Empty; Pointer Up]).
  pose (one := Node 0 0 [Below (given_by links 0) two; Pointer Up]).
  assert (R2 : reads links three 0 (SNode 2) (SNode 1) two ([inl 2%nat])).
  { refine (reads_node links three 2 _ {| sort := 0; alive := Live; slots := [SNull; SNode 1] |} _ [] eq_refl eq_refl _).
    simpl. change (@nil Scapegoats.cell) with (@nil Scapegoats.cell ++ []). repeat constructor. }
  assert (R1 : reads links three 0 (SNode 1) (SNode 0) one ([inl 1%nat; inl 2%nat])).
  { refine (reads_node links three 1 _ {| sort := 0; alive := Live; slots := [SNode 2; SNode 0] |} _ [inl 2%nat] eq_refl eq_refl _).
    simpl. change [@inl nat nat 2%nat] with ([@inl nat nat 2%nat] ++ []). constructor; [auto | exact R2|]. repeat constructor. }
  assert (R0 : reads links three 0 (SNode 0) SNull (Node 0 0 [Below (given_by links 0) one; Pointer Up]) ([inl 0%nat; inl 1%nat; inl 2%nat])).
  { refine (reads_node links three 0 _ {| sort := 0; alive := Live; slots := [SNode 1; SNull] |} _ [inl 1%nat; inl 2%nat] eq_refl eq_refl _).
    simpl. change [@inl nat nat 1%nat; inl 2%nat] with ([@inl nat nat 1%nat; inl 2%nat] ++ []). constructor; [auto | exact R1|]. repeat constructor. }
  exists [Node 0 0 [Below (given_by links 0) one; Pointer Up]], ([inl 0%nat; inl 1%nat; inl 2%nat] ++ []), [], [], [].
  split; [apply (all_more links three 0 (SNode 0) SNull []); [exact R0 | constructor]|].
  split; [constructor|]. split.
  - simpl. repeat constructor; simpl; intuition discriminate.
  - intros [[|[|[|o]]]|p] (n & Hn); simpl; auto; try discriminate. destruct Hn; discriminate.
Qed.

Theorem drop_dead_unsound : exists H1 H2 H3,
  drop three 1 (Some 0%nat) = Some H1 /\ drop H1 0 (Some 0%nat) = Some H2 /\ drop H2 1 (Some 0%nat) = Some H3 /\
  ~ exists ts reached, holds_inputs links H3 ts reached.
Proof.
  eexists _, _, _. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|].
  intros (ts & reached & gs & us & fp & R & _). inversion R; subst.
  match goal with A : reads _ _ _ _ _ _ _ |- _ => apply reads_node_inv in A as (m & fs & gp & Hm & _ & _ & _ & _ & F) end.
  simpl in Hm. injection Hm as <-. simpl in F. inversion F; subst.
  match goal with B : reads_fields _ _ _ _ [Up] _ _ _ |- _ => inversion B end.
Qed.
(** With the condition the third is refused. *)
Theorem drop_dead_refused H1 H2 : Scapegoats.drop links three 1 (Some 0%nat) = Some H1 ->
  Scapegoats.drop links H1 0 (Some 0%nat) = Some H2 -> Scapegoats.drop links H2 1 (Some 0%nat) = None.
Proof. intros [= <-] [= <-]. reflexivity. Qed.
End DeadNode.
