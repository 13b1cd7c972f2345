(** Unfold at the entry (spec/calculus.md#unfold): a folded part of a linked
    input becomes NULL, or a node with parts below it, as the tree is that its
    symbol stands for.  The inputs that the heap holds are the same ([close_same],
    [open_same]); and the root configuration holds whatever inputs there are
    ([root_holds]).  So AddScapegoat finds what [scapegoat_smaller] asks for. *)
From Coq Require Import List ZArith Lia Bool Permutation.
From Goatherd Require Import Sorts Scapegoats.
Import ListNotations.

Section Unfolding.
Variable links : nat -> list link.
Notation reads := (reads links).
Notation reads_fields := (reads_fields links).

(** ** A part is replaced by what it stands for *)

Section Replaced.
Variables (H H' : heap) (p : nat) (q : part) (root : slot) (cells : list cell).
Hypothesis Hq : parts H p = Some q.
(** Pointers to its root become this one. *)
Definition onto s := match s with SPart x => if Nat.eqb x p then root else s | _ => s end.
Definition expand (c : cell) : list cell := match c with inr x => if Nat.eqb x p then cells else [c] | _ => [c] end.
Hypothesis nodes_stay : forall x m, nodes H x = Some m ->
  nodes H' x = Some {| sort := sort m; alive := alive m; slots := map onto (slots m) |}.
Hypothesis parts_stay : forall x r, x <> p -> parts H x = Some r ->
  parts H' x = Some {| stands_for := stands_for r; part_sort := part_sort r; above := onto (above r) |}.
Hypothesis roots_stay : roots H' = map (fun r => (fst r, onto (snd r))) (roots H).
Hypothesis opened : forall a, (In Up (links (part_sort q)) -> above q = a) ->
  reads H' (part_sort q) root (onto a) (stands_for q) cells.

Lemma reads_same :
  (forall d s a t fp, reads H d s a t fp -> reads H' d (onto s) (onto a) t (flat_map expand fp)) /\
  (forall x a ls ss fs fp, reads_fields H x a ls ss fs fp ->
     reads_fields H' x (onto a) ls (map onto ss) fs (flat_map expand fp)).
Proof.
  apply (reads_ind' links H); intros.
  - constructor.
  - simpl. apply (reads_node links H' o (onto a) {| sort := sort n; alive := alive n; slots := map onto (slots n) |} fs (flat_map expand fp)); auto.
  - destruct (Nat.eq_dec p0 p) as [->|Hne].
    + rewrite Hq in e. injection e as <-. simpl. rewrite Nat.eqb_refl, app_nil_r. auto.
    + simpl. destruct (Nat.eqb_spec p0 p); [congruence|]. simpl.
      apply (reads_part links H' p0 (onto a) {| stands_for := stands_for q0; part_sort := part_sort q0; above := onto (above q0) |}); auto.
      simpl. intros U. rewrite e0; auto.
  - constructor.
  - simpl. constructor; auto.
  - rewrite flat_map_app. simpl. constructor; auto.
  - simpl. constructor; auto.
  - simpl. constructor; auto.
  - simpl. constructor; auto.
Qed.

Lemma all_same es ts fp : reads_all links H es ts fp ->
  reads_all links H' (map (fun e => (fst (fst e), onto (snd (fst e)), onto (snd e))) es) ts (flat_map expand fp).
Proof.
  induction 1; simpl; [constructor|]. rewrite flat_map_app. constructor; auto. apply reads_same; auto.
Qed.

(** The new cells are new, and each is one. *)
Hypothesis cells_once : NoDup cells.
Hypothesis cells_new : forall c, In c cells -> match c with
  | inl o => nodes H o = None | inr x => parts H x = None end.
Hypothesis nodes_known : forall x m, nodes H' x = Some m -> In (inl x) cells \/ exists m0, nodes H x = Some m0 /\ alive m = alive m0.
Hypothesis parts_known : forall x r, parts H' x = Some r -> In (inr x) cells \/ x <> p /\ exists r0, parts H x = Some r0.

Definition known_cell (c : cell) := match c with inl o => nodes H o <> None | inr x => parts H x <> None end.
Lemma reads_exist :
  (forall d s a t fp, reads H d s a t fp -> forall c, In c fp -> known_cell c) /\
  (forall x a ls ss fs fp, reads_fields H x a ls ss fs fp -> forall c, In c fp -> known_cell c).
Proof.
  apply (reads_ind' links H); simpl; intros; try contradiction; eauto.
  - destruct H1 as [<-|I]; [simpl; congruence | eauto].
  - destruct H0 as [<-|[]]. simpl. congruence.
  - apply in_app_or in H2 as [I|I]; eauto.
Qed.
Lemma all_exist es ts fp : reads_all links H es ts fp -> forall c, In c fp -> known_cell c.
Proof.
  induction 1; simpl; intros c I; [contradiction|]. apply in_app_or in I as [I|I]; auto. eapply (proj1 reads_exist); eauto.
Qed.
Lemma expand_other c : c <> inr p -> expand c = [c].
Proof. intros D. destruct c as [x|x]; simpl; auto. destruct (Nat.eqb_spec x p); [subst; congruence | auto]. Qed.
Lemma expand_once fp : NoDup fp -> (forall c, In c fp -> known_cell c) -> NoDup (flat_map expand fp).
Proof.
  assert (F : forall fp, (forall c, In c fp -> known_cell c) ->
    forall c, In c (flat_map expand fp) -> In c cells \/ In c fp /\ c <> inr p).
  { intros l Hl c I. apply in_flat_map in I as (b & Hb & I).
    destruct b as [x|x]; simpl in I; [destruct I as [<-|[]]; right; split; auto; discriminate|].
    destruct (Nat.eqb_spec x p); auto. destruct I as [<-|[]]. right. split; auto. congruence. }
  induction 1 as [|c fp Hc Hd IH]; simpl; intros E; [constructor|].
  assert (E' : forall c, In c fp -> known_cell c) by auto.
  specialize (IH E'). pose proof (E c (or_introl eq_refl)) as Ec.
  assert (Hout : forall b, In b cells -> In b fp -> False).
  { intros b Hb I. pose proof (E' b I) as K. pose proof (cells_new b Hb). destruct b; simpl in *; congruence. }
  assert (D : c = inr p \/ c <> inr p).
  { destruct c as [x|x]; [right; discriminate|]. destruct (Nat.eq_dec x p); [left | right]; congruence. }
  destruct D as [->|D].
  - simpl. rewrite Nat.eqb_refl. clear -cells_once IH F E' Hout Hc Hd cells_new.
    assert (G : forall b, In b cells -> ~ In b (flat_map expand fp)).
    { intros b Hb I. assert (Hne : flat_map expand fp = fp).
      { clear -Hc. induction fp as [|c fp IH]; simpl; auto. rewrite expand_other by (intros ->; apply Hc; simpl; auto).
        simpl. f_equal. apply IH. intros X. apply Hc; simpl; auto. }
      rewrite Hne in I. eapply Hout; eauto. }
    revert cells_once G. generalize cells as l. intros l. induction l as [|b l IHl]; simpl; intros Hl G; auto.
    inversion_clear Hl as [|? ? Hb Hl']. constructor; auto.
    intros X. apply in_app_or in X as [X|X]; auto. eapply G; eauto.
  - rewrite expand_other by auto. simpl. constructor; auto.
    intros X. apply F in X as [X|[X _]]; auto. pose proof (cells_new c X). destruct c; simpl in *; congruence.
Qed.

Lemma expand_covers known : (forall c, is_there H c -> In c known) -> forall c, is_there H' c -> In c (flat_map expand known).
Proof.
  intros L [x|x] Hx; apply in_flat_map.
  - destruct Hx as (m & Hm & Ha). destruct (nodes_known x m Hm) as [I|(m0 & Hm0 & Ea)].
    + exists (inr p). split; [apply L; simpl; eauto|]. simpl. rewrite Nat.eqb_refl. auto.
    + exists (inl x). split; [apply L; exists m0; split; congruence|]. simpl; auto.
  - destruct Hx as (r & Hr). destruct (parts_known x r Hr) as [I|(Hne & r0 & Hr0)].
    + exists (inr p). split; [apply L; simpl; eauto|]. simpl. rewrite Nat.eqb_refl. auto.
    + exists (inr x). split; [apply L; simpl; eauto|]. rewrite expand_other by congruence. simpl; auto.
Qed.
Theorem same_inputs ts reached : holds_inputs links H ts reached ->
  holds_inputs links H' ts (flat_map expand reached) /\
  (all_reached H reached -> all_reached H' (flat_map expand reached)).
Proof.
  intros (gs & us & fp & R & G & N & L). split; [|intros A; exact (expand_covers _ A)].
  exists (map (fun e => (fst (fst e), onto (snd (fst e)), onto (snd e))) gs), us, (flat_map expand fp).
  split; [|split; [apply all_same; exact G|split]].
  - pose proof (all_same _ _ _ R) as R'. unfold entries in R' |- *. rewrite roots_stay, map_map. rewrite map_map in R'. exact R'.
  - rewrite <- flat_map_app. apply expand_once; auto. intros c I. apply in_app_or in I as [I|I]; [exact (all_exist _ _ _ R c I) | exact (all_exist _ _ _ G c I)].
  - rewrite <- flat_map_app. exact (expand_covers _ L).
Qed.
End Replaced.

(** ** NULL *)

Definition close H p : heap := {|
  nodes := fun x => option_map (fun m => {| sort := sort m; alive := alive m; slots := map (onto p SNull) (slots m) |}) (nodes H x);
  parts := fun x => if Nat.eqb x p then None
    else option_map (fun r => {| stands_for := stands_for r; part_sort := part_sort r; above := onto p SNull (above r) |}) (parts H x);
  roots := map (fun r => (fst r, onto p SNull (snd r))) (roots H) |}.

Theorem close_same H p q ts reached : parts H p = Some q -> stands_for q = Empty ->
  holds_inputs links H ts reached -> exists reached', holds_inputs links (close H p) ts reached' /\
    (all_reached H reached -> all_reached (close H p) reached').
Proof.
  intros Hq He V. exists (flat_map (expand p []) reached). apply (same_inputs H (close H p) p q SNull [] Hq); simpl; auto.
  - intros x m ->. auto.
  - intros x r Hne ->. destruct (Nat.eqb_spec x p); [congruence | auto].
  - intros a _. rewrite He. constructor.
  - constructor.
  - contradiction.
  - intros x m Hm. right. destruct (nodes H x) as [m0|]; [|discriminate]. injection Hm as <-. eauto.
  - intros x r Hr. right. destruct (Nat.eqb_spec x p); [discriminate|]. destruct (parts H x); [|discriminate]. eauto.
Qed.

(** ** A node *)

(** What its fields hold, and the parts below it; [up] is what was above. *)
Fixpoint contents o up next (ls : list link) (fs : list field) : list slot * list part := match ls, fs with
  | Child s :: ls, Below _ t :: fs =>
    let (ss, qs) := contents o up (S next) ls fs in
    (SPart next :: ss, {| stands_for := t; part_sort := s; above := SNode o |} :: qs)
  | l :: ls, f :: fs =>
    let (ss, qs) := contents o up next ls fs in
    (match l, f with Up, _ => up | Null, _ => SNull | _, Integer z => SInteger z | _, _ => SUninitialised end :: ss, qs)
  | _, _ => ([], []) end.

Definition open H p q o next fs : heap :=
  let (ss, qs) := contents o (onto p (SNode o) (above q)) next (links (part_sort q)) fs in {|
  nodes := fun x => if Nat.eqb x o then Some {| sort := part_sort q; alive := Live; slots := ss |}
    else option_map (fun m => {| sort := sort m; alive := alive m; slots := map (onto p (SNode o)) (slots m) |}) (nodes H x);
  parts := fun x => if (next <=? x)%nat && (x <? next + length qs)%nat then nth_error qs (x - next)
    else if Nat.eqb x p then None
    else option_map (fun r => {| stands_for := stands_for r; part_sort := part_sort r; above := onto p (SNode o) (above r) |}) (parts H x);
  roots := map (fun r => (fst r, onto p (SNode o) (snd r))) (roots H) |}.

(** Declarations have no [Range], [Same], [Anything] and [Handed], and no rings (Links). *)
Definition of_declaration l := match l with Range _ _ | Same | Anything | Handed _ _ | Ring _ _ | Last _ => False | _ => True end.
Lemma contents_read G o up ls : forall fs next ss qs, Forall of_declaration ls -> fields (declarations links) ls fs ->
  contents o up next ls fs = (ss, qs) ->
  (forall i r, nth_error qs i = Some r -> parts G (next + i) = Some r) ->
  reads_fields G o up ls ss fs (map inr (seq next (length qs))).
Proof.
  induction ls as [|l ls IH]; intros fs next ss qs D F E P; inversion F; subst; simpl in E.
  - injection E as <- <-. constructor.
  - inversion_clear D as [|? ? Dl Ds].
    match goal with A : fits _ l ?f |- _ => inversion A; subst end; try contradiction.
    + destruct (contents o up next ls fs0) as [ss0 qs0] eqn:Ec. injection E as <- <-. constructor. eapply IH; eauto.
    + destruct (contents o up (S next) ls fs0) as [ss0 qs0] eqn:Ec. injection E as <- <-. simpl.
      change (inr next :: map inr (seq (S next) (length qs0))) with ([@inr nat nat next] ++ map inr (seq (S next) (length qs0))).
      constructor.
      * assumption.
      * pose proof (reads_part links G next (SNode o) {| stands_for := t; part_sort := s; above := SNode o |}) as R.
        apply R; auto. specialize (P 0%nat _ eq_refl). rewrite Nat.add_0_r in P. exact P.
      * eapply IH; eauto. intros i r Hi. specialize (P (S i) r Hi). replace (S next + i)%nat with (next + S i)%nat by lia. exact P.
    + destruct (contents o up next ls fs0) as [ss0 qs0] eqn:Ec.
      destruct l; simpl in Dl, E; try contradiction; try (match goal with A : points _ |- _ => destruct A end);
      injection E as <- <-; constructor; eapply IH; eauto.
Qed.

Theorem open_same H p q o next fs ts reached : parts H p = Some q ->
  stands_for q = Node (part_sort q) 0 fs -> Forall of_declaration (links (part_sort q)) ->
  fields (declarations links) (links (part_sort q)) fs ->
  nodes H o = None -> (forall x, (next <= x)%nat -> parts H x = None) ->
  holds_inputs links H ts reached -> exists reached', holds_inputs links (open H p q o next fs) ts reached' /\
    (all_reached H reached -> all_reached (open H p q o next fs) reached').
Proof.
  intros Hq He D F Ho Hn V.
  destruct (contents o (onto p (SNode o) (above q)) next (links (part_sort q)) fs) as [ss qs] eqn:Ec.
  assert (Hp : (p < next)%nat) by (destruct (Nat.lt_ge_cases p next) as [|X]; auto; rewrite (Hn p X) in Hq; discriminate).
  set (G := open H p q o next fs).
  assert (EG : G = open H p q o next fs) by reflexivity. unfold open in EG. rewrite Ec in EG.
  exists (flat_map (expand p (inl o :: map inr (seq next (length qs)))) reached).
  apply (same_inputs H G p q (SNode o)); auto.
  - intros x m Hm. rewrite EG; simpl. destruct (Nat.eqb_spec x o); [congruence|]. rewrite Hm. auto.
  - intros x r Hne Hr. rewrite EG; simpl. destruct (Nat.leb_spec next x) as [X|X]; [rewrite (Hn x X) in Hr; discriminate|].
    simpl. destruct (Nat.eqb_spec x p); [congruence|]. rewrite Hr. auto.
  - rewrite EG; auto.
  - intros a Ha. rewrite He.
    assert (R : reads_fields G o (onto p (SNode o) (above q)) (links (part_sort q)) ss fs (map inr (seq next (length qs)))).
    { eapply contents_read; eauto. intros i r Hi. rewrite EG; simpl.
      assert (i < length qs)%nat by (apply nth_error_Some; congruence).
      replace ((next <=? next + i)%nat && (next + i <? next + length qs)%nat) with true.
      - replace (next + i - next)%nat with i by lia. exact Hi.
      - symmetry. apply andb_true_iff. split; [apply Nat.leb_le | apply Nat.ltb_lt]; lia. }
    assert (N : nodes G o = Some {| sort := part_sort q; alive := Live; slots := ss |}).
    { rewrite EG; simpl. rewrite Nat.eqb_refl. auto. }
    apply (reads_node links G o (onto p (SNode o) a) _ fs (map inr (seq next (length qs))) N eq_refl). simpl.
    destruct (in_dec link_dec Up (links (part_sort q))) as [U|U].
    + rewrite <- (Ha U). exact R.
    + eapply fields_without_up; eauto.
  - constructor.
    + intros I. apply in_map_iff in I as (x & X & _). discriminate.
    + apply FinFun.Injective_map_NoDup; [intros x y X; congruence | apply seq_NoDup].
  - intros c [<-|I]; auto. apply in_map_iff in I as (x & <- & I). apply in_seq in I. apply Hn. lia.
  - intros x m Hm. rewrite EG in Hm; simpl in Hm. destruct (Nat.eqb_spec x o); [subst; left; simpl; auto|].
    right. destruct (nodes H x) as [m0|]; [|discriminate]. injection Hm as <-. eauto.
  - intros x r Hr. rewrite EG in Hr; simpl in Hr. destruct ((next <=? x)%nat && (x <? next + length qs)%nat) eqn:E.
    + left. right. apply in_map_iff. exists x. split; auto. apply in_seq.
      apply andb_true_iff in E as [E1 E2]. apply Nat.leb_le in E1. apply Nat.ltb_lt in E2. lia.
    + right. destruct (Nat.eqb_spec x p); [discriminate|]. destruct (parts H x); [|discriminate]. eauto.
Qed.

(** ** The root: a part for each linked input, with NULL above *)

Definition root_heap (inputs : list (nat * tree)) : heap := {|
  nodes := fun _ => None;
  parts := fun p => option_map (fun i => {| stands_for := snd i; part_sort := fst i; above := SNull |}) (nth_error inputs p);
  roots := map (fun pi => (fst (snd pi), SPart (fst pi))) (combine (seq 0 (length inputs)) inputs) |}.
Theorem root_holds inputs :
  holds_inputs links (root_heap inputs) (map snd inputs) (map inr (seq 0 (length inputs))) /\
  all_reached (root_heap inputs) (map inr (seq 0 (length inputs))).
Proof.
  assert (All : all_reached (root_heap inputs) (map inr (seq 0 (length inputs)))).
  { intros [x|x] Hx; [destruct Hx as (? & Hm & _); discriminate|].
    destruct Hx as (r & Hr). simpl in Hr. apply in_map_iff. exists x. split; auto. apply in_seq.
    destruct (nth_error inputs x) eqn:E; [|discriminate]. split; [lia|]. apply nth_error_Some. congruence. }
  split; auto.
  exists [], [], []. split; [|split; [constructor|split]].
  - unfold entries, root_heap; simpl. rewrite map_map; simpl.
    assert (A : forall l n H, (forall i x, nth_error l i = Some x -> parts H (n + i)%nat = Some {| stands_for := snd x; part_sort := fst x; above := SNull |}) ->
      reads_all links H (map (fun pi : nat * (nat * tree) => (fst (snd pi), SPart (fst pi), SNull)) (combine (seq n (length l)) l)) (map snd l) (map inr (seq n (length l)))).
    { induction l as [|x l IH]; intros n H P; simpl; [constructor|].
      change (@inr nat nat n :: map inr (seq (S n) (length l))) with ([@inr nat nat n] ++ map inr (seq (S n) (length l))).
      constructor.
      - pose proof (reads_part links H n SNull {| stands_for := snd x; part_sort := fst x; above := SNull |}) as R.
        apply R; auto. specialize (P 0%nat x eq_refl). rewrite Nat.add_0_r in P. exact P.
      - apply IH. intros i y Hi. specialize (P (S i) y Hi). replace (S n + i)%nat with (n + S i)%nat by lia. exact P. }
    apply A. intros i x Hi. simpl. rewrite Hi. auto.
  - rewrite app_nil_r. apply FinFun.Injective_map_NoDup; [intros x y X; congruence | apply seq_NoDup].
  - rewrite app_nil_r. exact All.
Qed.

(** ** All of it: a scapegoat at an entry *)

(** The heaps that Root and Unfold lead to, of linked inputs that are these
    trees; the numbers of nodes and parts are those that are vacant. *)
Inductive entry_heap (inputs : list (nat * tree)) : heap -> Prop :=
| entry_root : entry_heap inputs (root_heap inputs)
| entry_close H p q : entry_heap inputs H -> parts H p = Some q -> stands_for q = Empty -> entry_heap inputs (close H p)
| entry_open H p q o next fs : entry_heap inputs H -> parts H p = Some q -> stands_for q = Node (part_sort q) 0 fs ->
    fields (declarations links) (links (part_sort q)) fs -> nodes H o = None ->
    (forall x, (next <= x)%nat -> parts H x = None) -> entry_heap inputs (open H p q o next fs).

Hypothesis links_of_declarations : forall d, Forall of_declaration (links d).

Theorem entry_holds inputs H : entry_heap inputs H ->
  exists reached, holds_inputs links H (map snd inputs) reached /\ all_reached H reached.
Proof.
  induction 1 as [| H p q _ (r & V & A) Hq He | H p q o next fs _ (r & V & A) Hq He F Ho Hn].
  - eexists. apply root_holds.
  - destruct (close_same H p q _ _ Hq He V) as (r' & V' & A'). eauto.
  - destruct (open_same H p q o next fs _ _ Hq He (links_of_declarations _) F Ho Hn V) as (r' & V' & A'). eauto.
Qed.

(** Nodes that are left out of an entry leave linked inputs that are smaller. *)
Theorem entry_scapegoat inputs H l H' : entry_heap inputs H -> drops links H l = Some H' -> l <> [] ->
  exists ts' reached', holds_inputs links H' ts' reached' /\ (total ts' < total (map snd inputs))%nat.
Proof.
  intros E D Hl. destruct (entry_holds _ _ E) as (r & V & A). eapply scapegoat_smaller; eauto.
Qed.
End Unfolding.
