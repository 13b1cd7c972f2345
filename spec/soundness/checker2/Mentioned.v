(** Which variables terms mention (spec/calculus.md#terms): all that the scope has which is
    kept with a term.  Two valuations that agree in a scope give terms in it the same values
    ([Agreeing.v]); so what is fresh may have any value. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena.
Import ListNotations.
Open Scope N_scope.

(** ** Scopes *)

(** A number for each sort, and for each type of arrays. *)
Definition formed_scope (sc : scope) : Prop := length (integers sc) = 10%nat /\ length (arrays sc) = 9%nat.
Definition integer_exists (sc : scope) q x : Prop := exists n, nth (integers sc) (number_of_sort q) = Some n /\ x < n.
Definition array_exists (sc : scope) T x : Prop := exists n, nth (arrays sc) (number_of T) = Some n /\ x < n.

Lemma formed_none : formed_scope no_scope.
Proof. split; reflexivity. Qed.
Lemma formed_integer q x : formed_scope (one_integer q x).
Proof. split; destruct q as [[]|]; reflexivity. Qed.
Lemma formed_array T x : formed_scope (one_array T x).
Proof. split; destruct T; reflexivity. Qed.
Lemma maxima_length l : forall m, length l = length m -> length (maxima l m) = length l.
Proof. induction l as [|a l IH]; intros [|b m]; simpl; intros E; try discriminate; auto. Qed.
Lemma formed_join a b : formed_scope a -> formed_scope b -> formed_scope (join a b).
Proof. intros [A1 A2] [B1 B2]. split; simpl; rewrite maxima_length; congruence. Qed.

Lemma at_most_maxima l : forall m o, length l = length m -> all_at_most (maxima l m) o = true -> all_at_most l o = true /\ all_at_most m o = true.
Proof.
  induction l as [|a l IH]; intros [|b m] [|c o]; simpl; intros E H; try discriminate; auto.
  apply andb_prop in H as [H1 H2]. destruct (IH m o) as [-> ->]; auto. apply N.leb_le in H1.
  rewrite !andb_true_r, !N.leb_le. lia.
Qed.
Lemma includes_join sc a b : formed_scope a -> formed_scope b -> includes sc (join a b) = true -> includes sc a = true /\ includes sc b = true.
Proof.
  intros [A1 A2] [B1 B2] H. unfold includes in *. simpl in H. apply andb_prop in H as [H1 H2].
  destruct (at_most_maxima _ _ _ (eq_trans A1 (eq_sym B1)) H1) as [-> ->]. destruct (at_most_maxima _ _ _ (eq_trans A2 (eq_sym B2)) H2) as [-> ->]. auto.
Qed.
Lemma at_most_nth l : forall m n a, all_at_most l m = true -> length l = length m -> nth l n = Some a -> exists b, nth m n = Some b /\ a <= b.
Proof.
  induction l as [|c l IH]; intros [|d m] n a; simpl; intros H E F; try discriminate.
  apply andb_prop in H as [H1 H2]. apply N.leb_le in H1. destruct (n =? 0); [|eauto].
  injection F as <-. exists d. auto.
Qed.
Lemma own_integer sc q x : formed_scope sc -> includes sc (one_integer q x) = true -> integer_exists sc q x.
Proof.
  intros [F _] H. apply andb_prop in H as [H _]. assert (E : nth (integers (one_integer q x)) (number_of_sort q) = Some (N.succ x)) by (destruct q as [[]|]; reflexivity).
  destruct (at_most_nth _ _ _ _ H (eq_trans (proj1 (formed_integer q x)) (eq_sym F)) E) as (b & B & L). exists b. split; auto. lia.
Qed.
Lemma own_array sc T x : formed_scope sc -> includes sc (one_array T x) = true -> array_exists sc T x.
Proof.
  intros [_ F] H. apply andb_prop in H as [_ H]. assert (E : nth (arrays (one_array T x)) (number_of T) = Some (N.succ x)) by (destruct T; reflexivity).
  destruct (at_most_nth _ _ _ _ H (eq_trans (proj2 (formed_array T x)) (eq_sym F)) E) as (b & B & L). exists b. split; auto. lia.
Qed.

(** ** Terms in a scope *)

Definition own_atom_within sc (a : atom) : Prop := match a with IntegerVariable q x => integer_exists sc q x | _ => True end.
Definition own_array_within sc (a : array) : Prop := match a with ArrayVariable T x => array_exists sc T x | _ => True end.
(** All variables of the atom, and of the term or the array, are in the scope. *)
Inductive atom_within (s : state) (sc : scope) : N -> Prop :=
| atom_within_by n x : node_at (atom_nodes s) n = Some x -> own_atom_within sc (content x) ->
    (forall p, In p (parts_of_atom (content x)) -> part_within s sc p) -> atom_within s sc n
with part_within (s : state) (sc : scope) : part -> Prop :=
| linear_within_by n x : node_at (linear_nodes s) n = Some x ->
    (forall a k, In (a, k) (summands (content x)) -> atom_within s sc a) -> part_within s sc (LinearPart n)
| array_within_by n x : node_at (array_nodes s) n = Some x -> own_array_within sc (content x) ->
    (forall p, In p (parts_of_array (content x)) -> part_within s sc p) -> part_within s sc (ArrayPart n).
Scheme atom_within_mind := Induction for atom_within Sort Prop with part_within_mind := Induction for part_within Sort Prop.
Combined Scheme within_ind from atom_within_mind, part_within_mind.

(** What is there stays there. *)
Record more_nodes (s s' : state) : Prop := {
  more_atoms : forall n x, node_at (atom_nodes s) n = Some x -> node_at (atom_nodes s') n = Some x;
  more_linears : forall n x, node_at (linear_nodes s) n = Some x -> node_at (linear_nodes s') n = Some x;
  more_arrays : forall n x, node_at (array_nodes s) n = Some x -> node_at (array_nodes s') n = Some x }.
Lemma more_refl s : more_nodes s s.
Proof. split; auto. Qed.
Lemma more_trans s s' s'' : more_nodes s s' -> more_nodes s' s'' -> more_nodes s s''.
Proof. intros [] []. split; auto. Qed.
Lemma within_more s s' sc : more_nodes s s' -> (forall n, atom_within s sc n -> atom_within s' sc n) /\ (forall p, part_within s sc p -> part_within s' sc p).
Proof.
  intros [A L R]. apply (within_ind s sc (fun n _ => atom_within s' sc n) (fun p _ => part_within s' sc p)).
  - intros n x E O _ IH. econstructor; eauto.
  - intros n x E _ IH. econstructor; eauto.
  - intros n x E O _ IH. econstructor; eauto.
Qed.

(** The scope that is kept with a term has all variables of it. *)
Definition scope_right (within : scope -> Prop) (own : scope) : Prop := formed_scope own /\ forall sc, formed_scope sc -> includes sc own = true -> within sc.
Record scopes_right (s : state) : Prop := {
  atoms_right : forall n x, node_at (atom_nodes s) n = Some x -> scope_right (fun sc => atom_within s sc n) (scope_of_node x);
  linears_right : forall n x, node_at (linear_nodes s) n = Some x -> scope_right (fun sc => part_within s sc (LinearPart n)) (scope_of_node x);
  arrays_right : forall n x, node_at (array_nodes s) n = Some x -> scope_right (fun sc => part_within s sc (ArrayPart n)) (scope_of_node x);
  terms_of_atoms : forall a t, PositiveMap.find (N.succ_pos a) (linear_of_atom s) = Some t -> exists x, node_at (linear_nodes s) t = Some x /\ summands (content x) = [(a, 1%Z)] }.
