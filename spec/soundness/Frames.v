(** What is not written stays where it is: the cells of folded parts, in a state
    that holds the same there. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Sorts Machine Alike Folding.
Import ListNotations.
Open Scope Z_scope.

Section Frames.
Variables g g' : state.
Record same_cell c : Prop := {
  cell_declared : declared (object_at g' c) = declared (object_at g c);
  cell_alive : alive (object_at g' c) = alive (object_at g c);
  cell_lower : lower (object_at g' c) = lower (object_at g c);
  cell_upper : upper (object_at g' c) = upper (object_at g c);
  cell_width : length (fields_of (object_at g' c)) = length (fields_of (object_at g c));
  cell_content : forall k, content g' c k = content g c k }.
Lemma same_start_of o b : same_cell o -> start_of g' o b = start_of g o b.
Proof. intros []. unfold start_of. congruence. Qed.
Lemma same_is_cell o d n : same_cell o -> is_cell g o d n -> is_cell g' o d n.
Proof. intros [] (A & B & C & D & E). unfold is_cell. repeat split; congruence. Qed.
Lemma same_handed o a m all e : same_cell o -> handed g' a m all o e = handed g a m all o e.
Proof. intros S. unfold handed. destruct e as [[k|]|[k|]]; auto. rewrite (cell_content o S). auto. Qed.
Lemma same_at :
  (forall t r a m fp, tree_at g t r a m fp -> (forall c, In c fp -> same_cell c) -> tree_at g' t r a m fp) /\
  (forall o b all a m k fs fp, fields_at g o b all a m k fs fp -> same_cell o -> (forall c, In c fp -> same_cell c) -> fields_at g' o b all a m k fs fp) /\
  (forall o b all a m k f fp, field_at g o b all a m k f fp -> same_cell o -> (forall c, In c fp -> same_cell c) -> field_at g' o b all a m k f fp) /\
  (forall c r a m fp l h, context_at g c r a m fp l h -> (forall c, In c fp -> same_cell c) -> context_at g' c r a m fp l h).
Proof.
  apply tree_at_ind'.
  - intros. constructor. auto.
  - intros o d b fs r a m fp R C _ IH S. pose proof (S o (or_introl eq_refl)) as So.
    constructor; [rewrite same_start_of; auto | apply same_is_cell; auto | apply IH; auto; intros c I; apply S; simpl; auto].
  - intros. constructor.
  - intros o b all a m k f fs fp fq _ IH1 _ IH2 So S. constructor; [apply IH1 | apply IH2]; auto; intros c I; apply S, in_or_app; auto.
  - intros o b all a m k f N T So S. constructor; auto. rewrite (cell_content o So). exact T.
  - intros o b all a m k e t fp _ IH So S. constructor. rewrite (cell_content o So), same_start_of, same_handed by auto. auto.
  - intros o b all a m k e c fp _ IH So S. constructor. rewrite (cell_content o So), same_start_of by auto.
    eapply context_weaker; [apply IH; exact S | auto | auto | auto | | auto]. intros w (j & E & ->). exists j. split; [exact E|]. apply cell_content. exact So.
  - intros r a m l h R L S. constructor; auto.
  - intros o d b before e c after r a m l h q fb fc fa R C _ B Q _ IH _ F S.
    pose proof (S o (or_introl eq_refl)) as So.
    assert (Sb : forall x, In x fb -> same_cell x) by (intros x I; apply S; right; apply in_or_app; auto).
    assert (Sc : forall x, In x fc -> same_cell x) by (intros x I; apply S; right; apply in_or_app; right; apply in_or_app; auto).
    assert (Sa : forall x, In x fa -> same_cell x) by (intros x I; apply S; right; apply in_or_app; right; apply in_or_app; auto).
    apply link_at with (r' := q); auto.
    + rewrite same_start_of; auto.
    + apply same_is_cell; auto.
    + rewrite (cell_content o So). exact Q.
    + rewrite same_start_of by auto. auto.
Qed.
Theorem tree_stays t r a m fp : tree_at g t r a m fp -> (forall c, In c fp -> same_cell c) -> tree_at g' t r a m fp.
Proof. apply same_at. Qed.
Theorem context_stays c r a m fp l h : context_at g c r a m fp l h -> (forall c, In c fp -> same_cell c) -> context_at g' c r a m fp l h.
Proof. apply same_at. Qed.
(** The cells of a tree, or a segment, are single elements that live, of the
    declarations of sorts. *)
Variable table : nat -> sort_of_trees.
Definition is_sorted c := exists s n, is_cell g c (declaration (table s)) n.
Lemma cells_sorted :
  (forall t r a m fp, tree_at g t r a m fp -> forall s, of_sort table s t -> forall c, In c fp -> is_sorted c) /\
  (forall o b all a m k fs fp, fields_at g o b all a m k fs fp -> forall ls, fields table ls fs -> forall c, In c fp -> is_sorted c) /\
  (forall o b all a m k f fp, field_at g o b all a m k f fp -> forall l, fits table l f -> forall c, In c fp -> is_sorted c) /\
  (forall c r a m fp l h, context_at g c r a m fp l h -> forall s, segment table s c -> forall x, In x fp -> is_sorted x).
Proof.
  apply tree_at_ind'; try (intros; simpl in *; contradiction).
  - intros o d b fs r a m fp _ C _ IH s O c I. inversion O; subst. destruct I as [<-|I]; [exists s, (length fs); exact C | eauto].
  - intros o b all a m k f fs fp fq _ IH1 _ IH2 ls F c I. inversion F; subst. apply in_app_or in I as [I|I]; eauto.
  - intros o b all a m k e t fp _ IH l F c I. inversion F; subst; eauto.
  - intros o b all a m k e c fp _ IH l F x I. inversion F; subst; eauto.
  - intros o d b before e c after r a m l h q fb fc fa R C _ B Q _ IH _ F s S x I.
    inversion S as [|? ls1 ls2 fs1 c0 fs2 _ F1 Sc F2]; subst. destruct I as [<-|I]; [eexists s, _; exact C|].
    apply in_app_or in I as [I|I]; [exact (B _ F1 _ I)|]. apply in_app_or in I as [I|I]; [exact (IH _ Sc _ I) | exact (F _ F2 _ I)].
Qed.
Lemma context_sorted s c r a m fp l h : segment table s c -> context_at g c r a m fp l h -> forall x, In x fp -> is_sorted x.
Proof. intros S H. exact (proj2 (proj2 (proj2 cells_sorted)) _ _ _ _ _ _ _ H s S). Qed.
End Frames.
