(** That terms which are made mention the variables of what they are made of, and no other
    (spec/calculus.md#terms): sums, literals, variables. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal.
Import ListNotations.
Open Scope Z_scope.

Section Spanning.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Variable tabs : indexed table.
Variable sc : scope.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Notation term_within s t := (part_within s sc (LinearPart t)).
Notation literal_within s l := (part_within s sc (LinearPart (term_of l))).

(** Two things that are said of what a computation gives. *)
Lemma meets_also {A} s M (c : computes A) (P : A -> state -> model -> Prop) (Q : A -> state -> Prop) :
  meets s M c P -> meets s M c (fun a s' _ => Q a s') -> meets s M c (fun a s' M' => P a s' M' /\ Q a s').
Proof. intros H J a s' E. destruct (H _ _ E) as (M' & G & K & Pa). destruct (J _ _ E) as (_ & _ & _ & Qa). exists M'. auto. Qed.
Lemma part_kept s M s' M' p : keeps s M s' M' -> part_within s sc p -> part_within s' sc p.
Proof. intros K. apply (within_more _ _ sc (keeps_nodes _ _ _ _ K)). Qed.
(** What is within a scope is there. *)
Lemma within_in s M p : good s M -> part_within s sc p -> part_in s p.
Proof.
  intros G H. destruct H as [n x E _|n x E _ _]; [exact (proj1 (good_linears _ _ _ _ G n x E)) | exact (proj1 (good_arrays _ _ _ _ G n x E))].
Qed.

(** ** Sums *)

Definition atoms_within (s : state) (l : list (N * Z)) : Prop := forall a k, In (a, k) l -> atom_within s sc a.
Lemma linear_within_peek s t : term_within s t -> peeks s (linear_at t) (fun l => atoms_within s (summands l)).
Proof.
  intros H l s'. unfold linear_at, look_up, bind, ret. inversion H as [n x E W|]; subst. rewrite E. intros [= <- <-]. auto.
Qed.
Lemma insert_within s a k : atom_within s sc a -> forall l l', insert_summand a k l = Some l' -> atoms_within s l -> atoms_within s l'.
Proof.
  intros W. induction l as [|[b h] l IH]; simpl; intros l' E H.
  - injection E as <-. intros c j [[= <- <-]|[]]. exact W.
  - destruct (N.compare_spec a b) as [->| |].
    + destruct (is_small _); [|discriminate]. injection E as <-. intros c j [[= <- <-]|I]; [exact W | apply (H c j); right; exact I].
    + injection E as <-. intros c j [[= <- <-]|I]; [exact W | exact (H c j I)].
    + destruct (insert_summand a k l) as [m|]; [|discriminate]. injection E as <-. intros c j [[= <- <-]|I]; [apply (H b h); left; auto|].
      eapply (IH m); eauto. intros e i J. apply (H e i). right. exact J.
Qed.
Lemma add_linear_within s M l : good s M -> atoms_within s (summands l) -> meets s M (add_linear l) (fun t s' _ => term_within s' t).
Proof.
  intros G H. eapply meets_weaker; [apply add_linear_is; auto|]. intros t s' M' _ K [_ (x & E & X)]. apply (linear_within_by _ _ _ _ E).
  rewrite X. intros a k I. apply (within_more _ _ sc (keeps_nodes _ _ _ _ K)). eauto.
Qed.
Theorem combine_within s M c ps : good s M -> (forall t k, In (t, k) ps -> term_within s t) -> meets s M (combine c ps) (fun t s' _ => term_within s' t).
Proof.
  intros G H. unfold combine. eapply meets_peek with (P := fun p => atoms_within s (snd p)).
  - eapply peeks_weaker; [apply (peeks_fold s _ (fun p rest => atoms_within s (snd p) /\ forall t k, In (t, k) rest -> term_within s t))|].
    + intros [d l] [t k] rest [A R]. eapply peeks_bind; [apply linear_within_peek; apply (R t k); left; auto|]. intros x Wx.
      eapply peeks_bind; [apply peeks_small|]. intros ? _. eapply peeks_bind; [apply peeks_small|]. intros ? _.
      eapply peeks_bind with (P := fun l' => atoms_within s l').
      * eapply peeks_weaker; [apply (peeks_fold s _ (fun l' more => atoms_within s l' /\ atoms_within s more))|].
        -- intros l' [b h] more [A' W]. eapply peeks_bind; [apply peeks_small|]. intros ? _. apply peeks_some. intros m E. split.
           ++ eapply insert_within; eauto. apply (W b h). left. auto.
           ++ intros e j I. apply (W e j). right. exact I.
        -- split; auto.
        -- intros l' [A' _]. exact A'.
      * intros l' A'. apply peeks_ret. split; auto. intros u j I. apply (R u j). right. exact I.
    + split; [intros ? ? []|exact H].
    + intros p [A _]. exact A.
  - intros [d l] A. simpl in A. apply add_linear_within; auto. simpl. intros b k I. apply filter_In in I as [I _]. eauto.
Qed.
Lemma one_part s (t : N) (k : Z) : term_within s t -> forall u j, In (u, j) [(t, k)] -> term_within s u.
Proof. intros H u j [[= <- <-]|[]]. exact H. Qed.
Lemma two_parts s t u (k h : Z) : term_within s t -> term_within s u -> forall v j, In (v, j) [(t, k); (u, h)] -> term_within s v.
Proof. intros H J v j [[= <- <-]|[[= <- <-]|[]]]; auto. Qed.
Lemma constant_within s M z : good s M -> meets s M (constant_term z) (fun t s' _ => term_within s' t).
Proof. intros G. apply combine_within; auto. intros ? ? []. Qed.
Lemma difference_within s M t u : good s M -> term_within s t -> term_within s u -> meets s M (difference t u) (fun v s' _ => term_within s' v).
Proof. intros G A B. apply combine_within; auto. apply two_parts; auto. Qed.
Lemma plus_within s M t z : good s M -> term_within s t -> meets s M (plus t z) (fun v s' _ => term_within s' v).
Proof.
  intros G H. unfold plus. destruct (z =? 0); [|apply combine_within; auto; apply one_part; auto].
  eapply meets_peek; [apply linear_within_peek; exact H|]. intros ? _. apply meets_ret; auto.
Qed.

(** ** Literals *)

Lemma negate_within s M l : good s M -> literal_within s l -> meets s M (negate l) (fun m s' _ => literal_within s' m).
Proof.
  intros G H. unfold negate. destruct (sign_of l); try (apply meets_ret; auto).
  eapply meets_bind; [apply combine_within; auto; apply one_part; auto|]. intros t s' M' G' _ W. apply meets_ret; auto.
Qed.
Lemma equal_within s M t u : good s M -> term_within s t -> term_within s u -> meets s M (equal t u) (fun m s' _ => literal_within s' m).
Proof.
  intros G A B. unfold equal. eapply meets_bind; [apply difference_within; auto|]. intros d s' M' G' _ W. apply meets_ret; auto.
Qed.

(** ** Variables *)

Theorem add_atom_within s M a r : good s M -> right_divisor a -> (parts_in s (parts_of_atom a) -> in_range r (atom_value nu M a)) ->
  own_atom_within sc a -> (forall p, In p (parts_of_atom a) -> part_within s sc p) -> meets s M (add_atom a r) (fun t s' _ => term_within s' t).
Proof.
  intros G Rd R O W. eapply meets_weaker; [apply add_atom_is; auto|]. intros t s' M' _ K [_ (n & x & y & X & Ca & Y & S)].
  apply (linear_within_by _ _ _ _ Y). rewrite S. intros b k [[= <- <-]|[]]. apply (atom_within_by _ _ _ _ X); rewrite Ca; auto.
  intros p I. apply (within_more _ _ sc (keeps_nodes _ _ _ _ K)). auto.
Qed.
Lemma variable_within s M q x : good s M -> integer_exists sc q x -> meets s M (variable q x) (fun t s' _ => term_within s' t).
Proof.
  intros G H. apply add_atom_within; simpl; auto; [|intros ? []]. intros _. destruct q as [T|]; simpl; auto. apply (proj1 sorted T).
Qed.
End Spanning.
