(** Configurations whose members have folded parts, and the herds that they
    denote (spec/calculus.md#states-and-herds). *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Runs Alike Typed Folding FoldedMembers.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

(** At an instruction; or a step has failed, or come to an end otherwise. *)
Inductive standing := At (m : member) | HasFailed | HasEnded.
(** What it has consumed, unless that is forgotten. *)
Record counted_member := { stands : standing; counted : option term }.
Record configuration := {
  variables : nat;
  symbols : list symbol_sort;
  predicate : list literal;
  primary : counted_member;
  others : list (input_size * counted_member) }.

(** ** Scopes: only variables that exist are mentioned *)

Definition scoped_slot n v := match v with Plain w => Members.scoped_slot n w | _ => true end.
Definition scoped_field n x := forallb (scoped_slot n) (apart x) && match rest x with Some a => scoped_array n a | None => true end.
Definition scoped_object n x := scoped n (begins x) && scoped n (ends x) && forallb (scoped_field n) (contents x).
Definition scoped_part n q := scoped_slot n (above q) && scoped_slot n (alongside q) && scoped_slot n (below q).
Definition scoped_entry {A} (s : A -> bool) (x : option A) := match x with Some x => s x | None => true end.
Definition scoped_member n m := forallb (scoped_slot n) (slots m) && forallb (scoped_entry (scoped_object n)) (named m) &&
  forallb (scoped_entry (scoped_part n)) (parts m).
Definition scoped_literal n l := match l with AtMost t | Equal t | Unequal t => scoped n t end.
Definition scoped_counted n x := match stands x with At m => scoped_member n m | HasFailed | HasEnded => true end && scoped_entry (scoped n) (counted x).
Definition in_scope c := forallb (scoped_literal (variables c)) (predicate c) && scoped_counted (variables c) (primary c) &&
  forallb (fun p => scoped_counted (variables c) (snd p)) (others c).

(** *** What is not mentioned does not matter *)

(** Symbols may be added, too. *)
Definition extends_symbols (sorts sorts' : list symbol_sort) phi phi' := forall x s, nth_error sorts x = Some s -> nth_error sorts' x = Some s /\
  trees phi' x = trees phi x /\ contexts phi' x = contexts phi x.

Section Agree.
Variable P : program.
Variables (sorts sorts' : list symbol_sort) (phi phi' : meaning) (n : nat) (nu nu' : valuation).
Hypothesis extended : extends_symbols sorts sorts' phi phi'.
Hypothesis agrees : agree n nu nu'.
Variables (m : member) (rho : nat -> nat) (roots lasts : nat -> holding).
Hypothesis in_member : scoped_member n m = true.

Lemma slot_agree v : scoped_slot n v = true -> means nu' m rho roots lasts v = means nu m rho roots lasts v.
Proof.
  pose proof (proj1 (agree_eval n nu nu' agrees)) as E. destruct v as [[]| |]; simpl; auto; intros H; rewrite (E _ H); auto.
Qed.
Lemma scoped_nth {A} (s : A -> bool) l i d : forallb s l = true -> s d = true -> s (nth i l d) = true.
Proof. intros F D. rewrite forallb_forall in F. destruct (nth_in_or_default i l d) as [I|E]; [auto | rewrite E; auto]. Qed.
Lemma element_agree x i : scoped_field n x = true -> means_element nu' m rho roots lasts x i = means_element nu m rho roots lasts x i.
Proof.
  unfold scoped_field, means_element. intros H. apply andb_prop in H as [A R]. destruct (_ && _).
  - apply slot_agree. apply scoped_nth; auto.
  - destruct (rest x) as [a|]; auto. rewrite (proj2 (agree_eval n nu nu' agrees) _ R). auto.
Qed.
Lemma object_agree x y : scoped_object n x = true -> describes_object nu m rho roots lasts x y -> describes_object nu' m rho roots lasts x y.
Proof.
  unfold scoped_object. intros H [A B C D E F]. apply andb_prop in H as [H S]. apply andb_prop in H as [S1 S2].
  pose proof (proj1 (agree_eval n nu nu' agrees)) as V. rewrite (V _ S1) in C. rewrite (V _ S2) in D. split; auto.
  intros L f i I. rewrite element_agree; auto. apply (scoped_nth (scoped_field n)); auto.
Qed.
Lemma part_agree g f q cells : scoped_part n q = true -> describes_part nu m rho roots lasts sorts phi g f q cells ->
  describes_part nu' m rho roots lasts sorts' phi' g f q cells.
Proof.
  unfold scoped_part. intros H (fp & Pm & D). apply andb_prop in H as [H S3]. apply andb_prop in H as [S1 S2]. exists fp. split; auto.
  destruct (nth_error sorts (symbol q)) as [s|] eqn:E; [|destruct D]. destruct (extended _ _ E) as (-> & -> & ->).
  destruct s; rewrite ?slot_agree; auto.
Qed.
Lemma entry_scoped {A} (s : A -> bool) l o x : forallb (scoped_entry s) l = true -> nth o l None = Some x -> s x = true.
Proof. intros F E. pose proof (scoped_nth (scoped_entry s) l o None F eq_refl) as S. rewrite E in S. exact S. Qed.
Theorem describes_agree cells g : describes_by P sorts nu phi m rho roots lasts cells g -> describes_by P sorts' nu' phi' m rho roots lasts cells g.
Proof.
  unfold scoped_member in in_member. apply andb_prop in in_member as [S S3]. apply andb_prop in S as [S1 S2].
  intros []. split; auto.
  - intros r. rewrite slot_agree; auto. apply (scoped_nth (scoped_slot n)); auto.
  - intros o x E. apply object_agree; auto. eapply entry_scoped; eauto.
  - intros o x E N. pose proof (entry_scoped _ _ _ _ S2 E) as S. unfold scoped_object in S. apply andb_prop in S as [S _]. apply andb_prop in S as [B1 B2].
    pose proof (proj1 (agree_eval n nu nu' agrees)) as V. rewrite <- (V _ B1), <- (V _ B2). eauto.
  - intros f q E. apply part_agree; auto. eapply entry_scoped; eauto.
Qed.
End Agree.
Lemma literals_agree n nu mu ls : agree n nu mu -> forallb (scoped_literal n) ls = true -> Forall (Terms.holds nu) ls -> Forall (Terms.holds mu) ls.
Proof.
  intros A. rewrite forallb_forall, !Forall_forall. intros S H l I. specialize (S _ I). specialize (H _ I).
  destruct l; simpl in *; rewrite <- (proj1 (agree_eval n nu mu A) _ S); auto.
Qed.

(** ** What a configuration denotes *)

Section Denotes.
Variable P : program.
Variable under : parameters.
Variable table : nat -> sort_of_trees.
Notation machine := (system_of P under).
Definition accounts sorts nu phi x (t : run machine) :=
  match stands x with
  | At m => exists s, last _ t = Running s /\ denotes_state P sorts nu phi m s
  | HasFailed => has_failed (last _ t)
  | HasEnded => last _ t = Over Halted \/ last _ t = Over Ignored end /\
  match counted x with Some a => eval nu a = Z.of_nat (consumed _ t) | None => True end.
Definition accounts_sized sorts nu phi (p : input_size * counted_member) (q : input_size * run machine) :=
  fst p = fst q /\ accounts sorts nu phi (snd p) (snd q).
Definition shows c (t : run machine) (ts : scapegoats machine) := in_scope c = true /\ exists nu phi,
  model nu (predicate c) /\ well_meant P table (symbols c) phi /\ accounts (symbols c) nu phi (primary c) t /\
  Forall2 (accounts_sized (symbols c) nu phi) (others c) ts.
End Denotes.
