(** What a member describes depends on the values of its terms alone
    (spec/calculus.md#states-and-herds): two valuations that give these the same
    describe the same states.  Configurations.v says it of valuations that agree on
    all variables of a scope. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Terms Sorts Programs Machine Folding FoldedMembers Configurations.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Section SameValues.
Variables nu nu' : valuation.

Definition same_slot (v : slot) := match v with
  | Plain (Members.IntegerSlot t) | Plain (Members.PointerSlot _ t _) => eval nu' t = eval nu t | _ => True end.
Definition same_field (x : field_state) := Forall same_slot (apart x) /\
  match rest x with Some a => forall i, eval_array nu' a i = eval_array nu a i | None => True end.
Definition same_object (x : object_state) := eval nu' (begins x) = eval nu (begins x) /\ eval nu' (ends x) = eval nu (ends x) /\
  Forall same_field (contents x).
Definition same_part (q : part) := same_slot (above q) /\ same_slot (alongside q) /\ same_slot (below q).
Record same_member (m : member) : Prop := {
  same_slots : Forall same_slot (slots m);
  same_objects : forall o x, object_named m o = Some x -> same_object x;
  same_parts : forall f q, part_named m f = Some q -> same_part q }.

Variable P : program.
Variables (sorts sorts' : list symbol_sort) (phi phi' : meaning).
Hypothesis extended : extends_symbols sorts sorts' phi phi'.
Variables (m : member) (rho : nat -> nat) (roots lasts : nat -> holding).

Lemma means_same v : same_slot v -> means nu' m rho roots lasts v = means nu m rho roots lasts v.
Proof. destruct v as [[]| |]; simpl; auto; intros ->; auto. Qed.
Lemma nth_same {A} (Q : A -> Prop) l (d : A) i : Forall Q l -> Q d -> Q (List.nth i l d).
Proof. intros F D. rewrite Forall_forall in F. destruct (nth_in_or_default i l d) as [I|E]; [auto | rewrite E; auto]. Qed.
Lemma element_same x i : same_field x -> means_element nu' m rho roots lasts x i = means_element nu m rho roots lasts x i.
Proof.
  intros [A R]. unfold means_element. destruct (_ && _).
  - apply means_same. apply (nth_same same_slot); simpl; auto.
  - destruct (rest x) as [a|]; auto. rewrite R. auto.
Qed.
Lemma object_same x y : same_object x -> describes_object nu m rho roots lasts x y -> describes_object nu' m rho roots lasts x y.
Proof.
  intros (B & E & F) [K A L U W H]. split; auto; [rewrite B; auto | rewrite E; auto|]. intros Lv f i I. rewrite element_same; auto.
  apply (nth_same same_field); auto. split; simpl; auto.
Qed.
Lemma part_same g f q cells : same_part q -> describes_part nu m rho roots lasts sorts phi g f q cells ->
  describes_part nu' m rho roots lasts sorts' phi' g f q cells.
Proof.
  intros (A & S & B) (fp & Pm & D). exists fp. split; auto. destruct (nth_error sorts (symbol q)) as [s|] eqn:E; [|destruct D].
  destruct (extended _ _ E) as (-> & -> & ->). destruct s; rewrite ?means_same; auto.
Qed.
Theorem describes_same cells g : same_member m -> describes_by P sorts nu phi m rho roots lasts cells g -> describes_by P sorts' nu' phi' m rho roots lasts cells g.
Proof.
  intros [S O Q] []. split; auto.
  - intros r. rewrite means_same; auto. apply (nth_same same_slot); simpl; auto.
  - intros o x E. apply object_same; auto. eapply O; eauto.
  - intros o x E N. destruct (O _ _ E) as (-> & -> & _). eauto.
  - intros f q E. apply part_same; auto. eapply Q; eauto.
Qed.
End SameValues.

Theorem denotes_same P nu nu' sorts sorts' phi phi' m s : extends_symbols sorts sorts' phi phi' -> same_member nu nu' m ->
  denotes_state P sorts nu phi m s -> denotes_state P sorts' nu' phi' m s.
Proof.
  intros E S (g & rn & F & (rho & ro & la & ce & D) & A). exists g, rn. split; auto. split; auto. exists rho, ro, la, ce. eapply describes_same; eauto.
Qed.
Theorem accounts_same P under nu nu' sorts sorts' phi phi' x t : extends_symbols sorts sorts' phi phi' ->
  (forall m, stands x = At m -> same_member nu nu' m) -> (forall a, counted x = Some a -> eval nu' a = eval nu a) ->
  accounts P under sorts nu phi x t -> accounts P under sorts' nu' phi' x t.
Proof.
  intros E S C [A B]. split.
  - destruct (stands x) as [m| |]; auto. destruct A as (s & L & D). exists s. split; auto. eapply denotes_same; eauto.
  - destruct (counted x) as [a|]; auto. rewrite (C a eq_refl). exact B.
Qed.
