(** Of a local declaration at most one object lives, and it is the one that
    [Address] gives (spec/program.md#enter): an invariant of executions. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Inputs Existing.
Import ListNotations.
Open Scope Z_scope.

Lemma nth_replace {A} (l : list A) n x m d :
  nth m (replace l n x) d = if Nat.eqb m n && Nat.ltb n (length l) then x else nth m l d.
Proof.
  revert n m. induction l as [|y l IH]; intros [|n] [|m]; simpl; rewrite ?andb_false_r; auto.
  rewrite IH. reflexivity.
Qed.

Lemma object_at_set s o x q : object_at (set_object s o x) q = if Nat.eqb q o && Nat.ltb o (length (memory s)) then x else object_at s q.
Proof. unfold object_at; simpl. apply nth_replace. Qed.

Section Tidy.
Variable P : program.
Variable under : parameters.

Lemma object_at_create s d count f w o :
  object_at (create P s d count f w) o = if Nat.eqb o (length (memory s)) then
    {| declared := d; lower := start w; upper := start w + count; alive := Live;
       fields_of := fresh_cells (layout_fields (layout_of_declaration P d)) 0 f w |} else object_at s o.
Proof.
  unfold object_at; simpl. destruct (Nat.eqb_spec o (length (memory s))) as [->|N].
  - rewrite app_nth2, Nat.sub_diag by lia. reflexivity.
  - destruct (Nat.lt_ge_cases o (length (memory s))).
    + apply app_nth1; auto.
    + rewrite app_nth2 by lia. rewrite (nth_overflow (memory s)) by lia. destruct (o - length (memory s))%nat as [|[|]] eqn:E; auto. lia.
Qed.
Lemma kill_current_length s d : length (memory (kill_current s d)) = length (memory s).
Proof. unfold kill_current. destruct (nth _ _ _); auto. simpl. apply replace_length. Qed.

Definition is_local d := match origin_of (declaration_of P d) with Local _ => true | _ => false end.
Record tidy s : Prop := {
  named_count : length (current s) = length (objects P);
  named_exists : forall d o, is_local d = true -> nth d (current s) None = Some o -> (o < length (memory s))%nat;
  named_declared : forall d o, is_local d = true -> nth d (current s) None = Some o -> declared (object_at s o) = d;
  one_lives : forall o, alive (object_at s o) = Live -> is_local (declared (object_at s o)) = true ->
    nth (declared (object_at s o)) (current s) None = Some o }.
Lemma next_tidy s : tidy s -> tidy (next_location s).
Proof. intros []. split; auto. Qed.

(** ** Steps *)

Lemma same_tidy s s' : tidy s -> memory s' = memory s -> current s' = current s -> tidy s'.
Proof. intros [] M C. split; unfold object_at in *; rewrite ?M, ?C; auto. Qed.
Lemma set_object_tidy s o x : tidy s -> declared x = declared (object_at s o) ->
  (alive x = Live -> alive (object_at s o) = Live) -> tidy (set_object s o x).
Proof.
  intros [] D L. split; auto.
  - intros d q Hd H. cbn [memory set_object]. rewrite replace_length. eauto.
  - intros d q Hd H. rewrite object_at_set. destruct (Nat.eqb_spec q o) as [->|]; simpl; [|eauto].
    destruct (Nat.ltb _ _); [rewrite D|]; eauto.
  - intros q. rewrite object_at_set. destruct (Nat.eqb_spec q o) as [->|]; simpl; [|apply one_lives0].
    destruct (Nat.ltb _ _); [rewrite D; auto | apply one_lives0].
Qed.
Lemma kill_tidy s o : tidy s -> tidy (kill s o).
Proof. intros T. apply set_object_tidy; auto. simpl. discriminate. Qed.
Lemma kill_current_tidy s d : tidy s -> tidy (kill_current s d).
Proof. intros T. unfold kill_current. destruct (nth d (current s) None); auto using kill_tidy. Qed.
Lemma local_declared d : is_local d = true -> (d < length (objects P))%nat.
Proof.
  intros H. destruct (Nat.lt_ge_cases d (length (objects P))); auto.
  unfold is_local, declaration_of in H. rewrite nth_overflow in H by auto. discriminate.
Qed.
Lemma create_tidy s d count f w : tidy s ->
  (is_local d = true -> forall o, alive (object_at s o) = Live -> declared (object_at s o) <> d) -> tidy (create P s d count f w).
Proof.
  intros [] N. split.
  - cbn [current create]. rewrite replace_length. auto.
  - intros e o He. cbn [current create memory]. rewrite nth_replace, app_length. simpl.
    destruct (Nat.eqb_spec e d) as [->|]; simpl.
    + destruct (Nat.ltb _ _); [intros [= <-]; lia|]. intros H. specialize (named_exists0 _ _ He H). lia.
    + intros H. specialize (named_exists0 _ _ He H). lia.
  - intros e o He. cbn [current create]. rewrite nth_replace, object_at_create. destruct (Nat.eqb_spec e d) as [->|]; simpl.
    + rewrite named_count0. pose proof (local_declared d He) as L. apply Nat.ltb_lt in L. rewrite L. intros [= <-]. rewrite Nat.eqb_refl. auto.
    + intros H. destruct (Nat.eqb_spec o (length (memory s))) as [->|]; [|eauto]. specialize (named_exists0 _ _ He H). lia.
  - intros o. rewrite object_at_create. cbn [current create]. destruct (Nat.eqb_spec o (length (memory s))) as [->|]; simpl.
    + intros _ He. rewrite nth_replace, Nat.eqb_refl, named_count0. pose proof (local_declared d He) as L. apply Nat.ltb_lt in L. rewrite L. auto.
    + intros V He. rewrite nth_replace. destruct (Nat.eqb_spec (declared (object_at s o)) d) as [E|]; simpl; [|auto].
      subst d. destruct (N He o V eq_refl).
Qed.
Lemma killed_current s d : is_local d = true -> tidy s -> forall o, alive (object_at (kill_current s d) o) = Live ->
  declared (object_at (kill_current s d) o) <> d.
Proof.
  intros Hd T o V E. pose proof (kill_current_tidy s d T) as [_ _ _ O].
  assert (C : nth d (current s) None = Some o).
  { assert (Same : current (kill_current s d) = current s) by (unfold kill_current; destruct (nth d (current s) None); auto).
    specialize (O o V). rewrite E, Same in O. auto. }
  unfold kill_current in V. rewrite C in V. unfold kill in V. rewrite object_at_set, Nat.eqb_refl in V.
  pose proof (named_exists _ T d o Hd C) as L. apply Nat.ltb_lt in L. rewrite L in V. simpl in V. discriminate.
Qed.

(** What is asked of programs (spec/program.md#well-formedness) as far as it
    bears on local objects. *)
Definition input_declaration i := match i with
  | IntegerInput _ => [] | ArrayInput _ _ d | SingleInput _ d | LinkedInput _ d => [d] end.
Record locals_formed : Prop := {
  inputs_formed : forall i d, In i (inputs P) -> In d (input_declaration i) -> is_local d = false;
  children_formed : forall d c, In (Child c) (links_of P d) -> is_local c = false;
  allocations_formed : forall r d b f, In (Allocate r d b f) (instructions P) -> is_local d = false;
  entries_formed : forall d, In (Enter d) (instructions P) \/ In (Leave d) (instructions P) -> is_local d = true }.
Hypothesis formed : locals_formed.

Ltac splits H := unfold bind, fails in H; repeat match type of H with
  | match ?x with _ => _ end = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | (if ?x then _ else _) = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | Ok _ = Ok _ => injection H as <- end.

Theorem step_tidy s d s' : tidy s -> Machine.step P under s d = Ok s' -> tidy s'.
Proof.
  intros T H. unfold Machine.step in H. destruct (nth_error (instructions P) (location s)) as [i|] eqn:E; [|discriminate].
  apply nth_error_In in E.
  destruct i; try discriminate; try (splits H; (eapply same_tidy; [exact T | reflexivity | reflexivity]));
  unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in H; cbv zeta in H;
  try match goal with _ : In (Assign _ _) _ |- _ => match type of H with (if ?b then _ else _) = _ => destruct b end end;
  try (splits H; (eapply same_tidy; [exact T | reflexivity | reflexivity])).
  - splits H. apply set_object_tidy; auto. apply next_tidy; auto.
  - splits H; try (eapply same_tidy; [exact T | reflexivity | reflexivity]).
    eapply same_tidy; [apply create_tidy; [exact T|] | reflexivity | reflexivity].
    rewrite (allocations_formed formed _ _ _ _ E). discriminate.
  - splits H; [apply kill_tidy|]; apply next_tidy; auto.
  - pose proof (entries_formed formed _ (or_introl E)) as L. unfold is_local in L.
    destruct (origin_of (declaration_of P object)) eqn:O; try discriminate. injection H as <-.
    apply create_tidy; [apply kill_current_tidy, next_tidy; auto|]. intros L'. apply killed_current; auto using next_tidy.
  - injection H as <-. apply kill_current_tidy, next_tidy; auto.
Qed.

(** ** Entry states *)

Definition no_local (o : object) := is_local (declared o) = false.
Lemma plant_no_local : forall t d above n v os, is_local d = false -> plant P t d above n = Some (v, os) -> Forall no_local os.
Proof.
  fix IH 1. intros [|integers children] d above n v os L; simpl; [intros [= <- <-]; constructor|].
  set (all := fix all (ts : list linked) (ds : list nat) (m : nat) {struct ts} : option (list value * list object) := _).
  assert (X : forall ds m vs os', (forall c, In c ds -> is_local c = false) -> all children ds m = Some (vs, os') -> Forall no_local os').
  { induction children as [|t ts IHt]; intros [|c ds] m vs os' F; simpl; try discriminate; [intros [= <- <-]; constructor|].
    destruct (plant P t c (start_of n) m) as [[v' os1]|] eqn:E; [|discriminate].
    destruct (all ts ds (m + length os1)%nat) as [[vs' os2]|] eqn:E'; [|discriminate]. intros [= <- <-].
    apply Forall_app. split; [eapply IH; [|exact E]; apply F; simpl; auto | eapply IHt; [|exact E']; intros; apply F; simpl; auto]. }
  destruct (all children (child_sorts (links_of P d)) (S n)) as [[vs os']|] eqn:E; [|discriminate].
  destruct (row_fits _ _); [|discriminate]. intros [= <- <-]. constructor; [exact L|].
  eapply X; [|exact E]. intros c I. unfold child_sorts in I. apply in_flat_map in I as (k & I & J).
  destruct k; try contradiction. destruct J as [->|[]]. eapply children_formed; eauto.
Qed.

Record loads a : Prop := {
  load_count : length (latest a) = length (objects P);
  load_names : forall d, is_local d = true -> nth d (latest a) None = None;
  load_objects : Forall no_local (made a) }.
Lemma load_object a d o : loads a -> is_local d = false -> declared o = d -> loads (with_object a d o).
Proof.
  intros [] L D. split; simpl.
  - rewrite replace_length. auto.
  - intros e He. rewrite nth_replace. destruct (Nat.eqb_spec e d) as [->|]; [congruence | simpl; auto].
  - apply Forall_app. split; auto. constructor; auto. unfold no_local. congruence.
Qed.
Lemma load_input_loads a i v b : In i (inputs P) -> loads a -> load_input P a i v = Some b -> loads b.
Proof.
  intros I L. pose proof (inputs_formed formed i) as F.
  destruct i, v; simpl in *; try discriminate.
  - destruct (is_within _ _); [|discriminate]. intros [= <-]. destruct L; split; auto.
  - destruct (_ && _); [|discriminate]. intros [= <-]. apply load_object; [destruct L; split; auto | eauto | reflexivity].
  - destruct fields as [row|]; [|intros [= <-]; destruct L; split; auto].
    destruct (row_fits _ _); [|discriminate]. intros [= <-]. apply load_object; [destruct L; split; auto | eauto | reflexivity].
  - destruct (plant P t object Null (length (made a))) as [[v os]|] eqn:E; [|discriminate]. intros [= <-].
    destruct L. split; auto. simpl. apply Forall_app. split; auto. eapply plant_no_local; [|exact E]. eauto.
Qed.
Lemma load_inputs_loads is : forall a vs b, incl is (inputs P) -> loads a -> load_inputs P a is vs = Some b -> loads b.
Proof.
  induction is as [|i is IH]; intros a [|v vs] b I L; simpl; try discriminate; [intros [= <-]; auto|].
  destruct (load_input P a i v) as [c|] eqn:E; [|discriminate]. apply IH; [intros x Hx; apply I; simpl; auto|].
  eapply load_input_loads; eauto. apply I. simpl; auto.
Qed.
Lemma nth_numbered {A B} (l : list A) (f : nat * A -> option B) d x :
  nth d (map f (numbered l)) None = if Nat.ltb d (length l) then f (d, nth d l x) else None.
Proof.
  assert (L : length (numbered l) = length l) by (unfold numbered; rewrite combine_length, seq_length; lia).
  destruct (Nat.ltb_spec d (length l)).
  - rewrite (nth_indep _ None (f (O, x))) by (rewrite map_length; lia). rewrite map_nth. f_equal.
    unfold numbered. rewrite combine_nth by apply seq_length. rewrite seq_nth by auto. reflexivity.
  - apply nth_overflow. rewrite map_length. lia.
Qed.

Theorem entry_tidy vs s : entry_state P vs = Some s -> tidy s.
Proof.
  unfold entry_state. destruct (load_inputs _ _ _ _) as [a|] eqn:E; [|discriminate]. simpl. intros [= <-].
  assert (L : loads a).
  { eapply load_inputs_loads; [apply incl_refl | | exact E]. split; simpl.
    - apply map_length.
    - intros d _. clear. revert d. induction (objects P); intros [|d]; simpl; auto.
    - constructor. }
  assert (M : Forall no_local (memory (add_statics P a))).
  { simpl. apply Forall_app. split; [apply L|]. rewrite Forall_forall. intros o I. apply in_flat_map in I as (d & _ & I).
    unfold static_object in I. destruct (origin_of (declaration_of P d)) eqn:O; try contradiction. destruct I as [<-|[]].
    unfold no_local, is_local. simpl. rewrite O. auto. }
  assert (N : forall d, is_local d = true -> nth d (current (add_statics P a)) None = None).
  { intros d Hd. cbn [current add_statics]. rewrite (nth_numbered _ _ d no_declaration). destruct (Nat.ltb _ _); auto. simpl.
    fold (declaration_of P d). pose proof Hd as Hd'. unfold is_local in Hd'. destruct (origin_of (declaration_of P d)); try discriminate. apply L. exact Hd. }
  split.
  - simpl. unfold numbered. rewrite map_length, combine_length, seq_length. lia.
  - intros d o Hd. rewrite (N d Hd). discriminate.
  - intros d o Hd. rewrite (N d Hd). discriminate.
  - intros o V Hd. exfalso. assert (X : no_local (object_at (add_statics P a) o) \/ alive (object_at (add_statics P a) o) = Dead).
    { unfold object_at. destruct (nth_in_or_default o (memory (add_statics P a)) dead_object) as [I|E']; [|rewrite E'; auto].
      left. rewrite Forall_forall in M. apply M. exact I. }
    destruct X as [X|X]; [unfold no_local in X|]; congruence.
Qed.
End Tidy.
