(** Invariants of executions that leaks ask for: what is kept of an object is of
    its elements, and pointers of entry states are to objects that exist. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Sorts Programs Machine Inputs Runs Existing Tidy Alike Typed Bounds Leaks Entries Recognised Reached.
Import ListNotations.
Open Scope Z_scope.

Section Insides.
Variable P : program.
Variable under : parameters.

(** ** Steps *)

Lemma dead_inside : all_inside dead_object.
Proof. constructor. Qed.
Lemma set_object_inside s o x : inside_state s -> all_inside x -> inside_state (set_object s o x).
Proof. intros I X q. rewrite object_at_set. destruct (_ && _); auto. Qed.
Lemma same_inside s s' : inside_state s -> memory s' = memory s -> inside_state s'.
Proof. intros I M o. unfold object_at. rewrite M. apply I. Qed.
Lemma bounds_inside x y : all_inside x -> lower y = lower x -> upper y = upper x -> fields_of y = fields_of x -> all_inside y.
Proof.
  intros I L U F. unfold all_inside. rewrite F. eapply Forall_impl; [|exact I]. intros c [A B C]. split; auto; unfold between in *; rewrite L, U; auto.
Qed.
Lemma kill_inside s o : inside_state s -> inside_state (kill s o).
Proof. intros I. apply set_object_inside; auto. apply (bounds_inside (object_at s o)); auto. Qed.
Lemma kill_current_inside s d : inside_state s -> inside_state (kill_current s d).
Proof. intros I. unfold kill_current. destruct (nth d (current s) None); auto using kill_inside. Qed.
Lemma create_inside s d count f w : inside_state s -> inside_state (create P s d count f w).
Proof.
  intros I o. rewrite object_at_create. destruct (Nat.eqb _ _); auto. unfold all_inside. cbn [fields_of].
  match goal with |- Forall (cells_inside ?y) _ => generalize y as z end. intros z.
  generalize 0%nat as n. generalize (layout_fields (layout_of_declaration P d)) as l. induction l as [|x l IH]; intros n; simpl; constructor; [|apply IH].
  split; simpl; [constructor | constructor|]. intros l0 k v E. destruct f, (holds x); discriminate.
Qed.
Lemma write_inside x f i v : all_inside x -> between x i -> all_inside (write_field x f i v).
Proof.
  intros I B. unfold all_inside. cbn [fields_of write_field]. apply Forall_replace.
  - eapply Forall_impl; [|exact I]. intros c [A W L]. split; auto.
  - assert (C : cells_inside x (nth f (fields_of x) no_cells)).
    { apply (Forall_nth_default (cells_inside x)); [exact I|]. split; simpl; [constructor | constructor | discriminate]. }
    destruct C as [A W L]. split; simpl.
    + constructor.
      * intros J. apply in_map_iff in J as (p & E & J). apply filter_In in J as [_ J]. rewrite E, Z.eqb_refl in J. discriminate.
      * clear - A. induction (written (nth f (fields_of x) no_cells)) as [|p l IH]; simpl; auto. inversion_clear A as [|? ? N D]. destruct (negb _); [|auto].
        simpl. constructor; auto. intros J. apply N. apply in_map_iff in J as (q & E & J). apply filter_In in J as [J _]. apply in_map_iff. eauto.
    + constructor; [exact B|]. rewrite Forall_forall in W |- *. intros p J. apply filter_In in J as [J _]. apply (W p J).
    + exact L.
Qed.
Ltac splits H := unfold bind, fails in H; repeat match type of H with
  | match ?x with _ => _ end = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | (if ?x then _ else _) = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | Ok _ = Ok _ => injection H as <- end.
Theorem step_inside s d s' : inside_state s -> step P under s d = Ok s' -> inside_state s'.
Proof.
  intros I H. unfold step in H. destruct (nth_error (instructions P) (location s)) as [i|]; [|discriminate].
  destruct i; try discriminate; try (splits H; (eapply same_inside; [exact I | reflexivity]));
  unfold assign, compute_in, Machine.address, advance, distance, load, store, allocate, free, enter, leave, check_leaks in H; cbv zeta in H;
  try match type of H with (if match ?o with _ => _ end then _ else _) = _ => match type of H with (if ?b then _ else _) = _ => destruct b end end;
  try (splits H; (eapply same_inside; [exact I | reflexivity])).
  - splits H. apply set_object_inside; [eapply same_inside; [exact I | reflexivity]|]. apply write_inside; [apply I|].
    match goal with B : is_inside _ _ = true |- _ => unfold is_inside in B; apply andb_prop in B as [B1 B2]; apply Z.leb_le in B1; apply Z.ltb_lt in B2; unfold between; auto end.
  - splits H; try (eapply same_inside; [exact I | reflexivity]).
    eapply same_inside; [apply (create_inside s object (a / element_size (layout_of_declaration P object)) f d I) | reflexivity].
  - splits H; [apply kill_inside|]; (eapply same_inside; [exact I | reflexivity]).
  - splits H; try (eapply same_inside; [exact I | reflexivity]). apply create_inside, kill_current_inside. eapply same_inside; [exact I | reflexivity].
  - injection H as <-. apply kill_current_inside. eapply same_inside; [exact I | reflexivity].
Qed.

(** ** Entry states *)

Hypothesis formed : contents_formed P.

Definition object_right n x := object_exists n x /\ all_inside x.
Lemma right_later n m x : (n <= m)%nat -> object_right n x -> object_right m x.
Proof. intros L [E I]. split; auto. eapply object_later; eauto. Qed.
Lemma array_right n d rows : object_right n (array_object P d rows).
Proof.
  unfold array_object, object_right, object_exists, all_inside. cbn [fields_of].
  match goal with |- Forall _ _ /\ Forall (cells_inside ?y) _ => generalize y as x end. intros x.
  generalize 0%nat as k. generalize (layout_fields (layout_of_declaration P d)) as l. induction l as [|f l IH]; intros k; simpl; [split; constructor|].
  destruct (holds f); destruct (IH (S k)) as [A B], (IH k) as [A' B']; split; constructor; auto.
  - split; simpl; [constructor|]. apply Forall_forall. intros v I. apply in_map_iff in I as (row & <- & _). exact Logic.I.
  - split; simpl; [constructor | constructor|]. intros l0 j v [= <-] E N. destruct N. apply nth_error_In in E. apply in_map_iff in E as (row & <- & _). reflexivity.
  - split; simpl; auto.
  - split; simpl; [constructor | constructor | discriminate].
Qed.
Lemma node_inside d ls row children above : all_inside {| declared := d; lower := 0; upper := 1; alive := Live; fields_of := node_cells ls row children above |}.
Proof.
  unfold all_inside. cbn [fields_of]. match goal with |- Forall (cells_inside ?y) _ => generalize y as x end. intros x.
  assert (One : forall v, cells_inside x {| initially := Machine.Same v; written := [] |}) by (intros v; split; simpl; [constructor | constructor | discriminate]).
  revert row children. induction ls as [|l ls IH]; intros row children; simpl; [constructor|]. destruct l; constructor; auto.
Qed.
Lemma plant_inside : forall t d above n v os, plant P t d above n = Some (v, os) -> Forall all_inside os.
Proof.
  fix IH 1. intros [|integers children] d above n v os; simpl; [intros [= <- <-]; constructor|].
  set (all := fix all (ts : list linked) (ds : list nat) (m : nat) {struct ts} : option (list value * list object) := _).
  assert (X : forall ds m vs os', all children ds m = Some (vs, os') -> Forall all_inside os').
  { induction children as [|t ts IHt]; intros [|c ds] m vs os'; simpl; try discriminate; [intros [= <- <-]; constructor|].
    destruct (plant P t c (start_of n) m) as [[v' os1]|] eqn:E; [|discriminate].
    destruct (all ts ds (m + length os1)%nat) as [[vs' os2]|] eqn:E'; [|discriminate]. intros [= <- <-]. apply Forall_app. split; [eapply IH; eauto | eapply IHt; eauto]. }
  destruct (all children (child_sorts (links_of P d)) (S n)) as [[vs os']|] eqn:E; [|discriminate].
  destruct (row_fits _ _); [|discriminate]. intros [= <- <-]. constructor; [apply node_inside | eapply X; eauto].
Qed.
Lemma node_right n d ls row children above : value_exists n above -> Forall (value_exists n) children ->
  object_right n {| declared := d; lower := 0; upper := 1; alive := Live; fields_of := node_cells ls row children above |}.
Proof.
  intros A C. split; [|apply node_inside]. unfold object_exists. cbn [fields_of].
  assert (Hd : value_exists n (hd Null children) /\ Forall (value_exists n) (tl children)) by (destruct C; simpl; auto).
  revert row children C Hd. induction ls as [|l ls IH]; intros row children C Hd; simpl; [constructor|].
  assert (R : forall row' children', Forall (value_exists n) children' -> Forall (cells_exist n) (node_cells ls row' children' above)).
  { intros row' children' C'. apply IH; auto. destruct C'; simpl; auto. }
  assert (K : forall v row' children', value_exists n v -> Forall (value_exists n) children' -> Forall (cells_exist n) ({| initially := Machine.Same v; written := [] |} :: node_cells ls row' children' above)).
  { intros v row' children' E C'. constructor; [split; simpl; auto | auto]. }
  destruct l; apply K; simpl; auto; apply Hd.
Qed.
Lemma plant_right : forall t d above n v os, plant P t d above n = Some (v, os) -> value_exists n above ->
  value_exists (n + length os) v /\ Forall (object_right (n + length os)) os.
Proof.
  fix IH 1. intros [|integers children] d above n v os; simpl; [intros [= <- <-] _; split; [exact I | constructor]|].
  set (all := fix all (ts : list linked) (ds : list nat) (m : nat) {struct ts} : option (list value * list object) := _).
  assert (X : forall ds m vs os', all children ds m = Some (vs, os') -> (n < m)%nat -> Forall (value_exists (m + length os')) vs /\ Forall (object_right (m + length os')) os').
  { induction children as [|t ts IHt]; intros [|c ds] m vs os'; simpl; try discriminate; [intros [= <- <-] _; split; constructor|].
    destruct (plant P t c (start_of n) m) as [[v' os1]|] eqn:E; [|discriminate].
    destruct (all ts ds (m + length os1)%nat) as [[vs' os2]|] eqn:E'; [|discriminate]. intros [= <- <-] L. rewrite app_length.
    destruct (IH _ _ _ _ _ _ E) as [V1 O1]; [simpl; exact L|]. destruct (IHt _ _ _ _ E' ltac:(lia)) as [V2 O2]. replace (m + (length os1 + length os2))%nat with (m + length os1 + length os2)%nat by lia. split.
    - constructor; auto. eapply value_later; [|exact V1]. lia.
    - apply Forall_app. split; auto. eapply Forall_impl; [|exact O1]. intros o. apply right_later. lia. }
  destruct (all children (child_sorts (links_of P d)) (S n)) as [[vs os']|] eqn:E; [|discriminate].
  destruct (row_fits _ _); [|discriminate]. intros [= <- <-] A. destruct (X _ _ _ _ E ltac:(lia)) as [V O]. simpl length. replace (n + S (length os'))%nat with (S n + length os')%nat by lia. split; [simpl; lia|].
  constructor; auto. apply node_right; auto. eapply value_later; [|exact A]. lia.
Qed.

Definition loading_right a := let n := length (made a) in
  Forall (value_exists n) (loaded a) /\ Forall (object_right n) (made a) /\ Forall (some_exists n) (latest a).
Lemma some_later n m c : (n <= m)%nat -> some_exists n c -> some_exists m c.
Proof. destruct c; simpl; auto. lia. Qed.
Lemma array_loaded a r v d rows : loading_right a -> value_exists (S (length (made a))) v -> loading_right (with_object (with_register a r v) d (array_object P d rows)).
Proof.
  intros (V & M & C) Hv. unfold loading_right. simpl. rewrite app_length. simpl. replace (length (made a) + 1)%nat with (S (length (made a))) by lia. split; [|split].
  - apply Forall_replace; auto. eapply Forall_impl; [|exact V]. intros w. apply value_later. lia.
  - apply Forall_app. split; [eapply Forall_impl; [|exact M]; intros x; apply right_later; lia|]. constructor; auto. apply array_right.
  - apply Forall_replace; [|simpl; lia]. eapply Forall_impl; [|exact C]. intros c. apply some_later. lia.
Qed.
Lemma load_input_right a i v b : loading_right a -> load_input P a i v = Some b -> loading_right b.
Proof.
  intros R H. pose proof R as (V & M & C). destruct i, v; simpl in H; try discriminate.
  - destruct (Integers.is_within _ _); [|discriminate]. injection H as <-. split; [apply Forall_replace; simpl; auto | auto].
  - destruct (_ && _); [|discriminate]. injection H as <-. apply (array_loaded (with_register a length (Integer (Z.of_nat (Datatypes.length elements)))) pointer); [|simpl; lia].
    split; [apply Forall_replace; simpl; auto | auto].
  - destruct fields as [row|].
    + destruct (row_fits _ _); [|discriminate]. injection H as <-. apply array_loaded; [exact R | simpl; lia].
    + injection H as <-. split; [apply Forall_replace; simpl; auto | auto].
  - destruct (plant P t object Null (length (made a))) as [[v os]|] eqn:E; [|discriminate]. injection H as <-.
    destruct (plant_right _ _ _ _ _ _ E Logic.I) as [Ev Eo]. unfold loading_right. simpl. rewrite app_length. split; [|split].
    + apply Forall_replace; auto. eapply Forall_impl; [|exact V]. intros w. apply value_later. lia.
    + apply Forall_app. split; auto. eapply Forall_impl; [|exact M]. intros x. apply right_later. lia.
    + eapply Forall_impl; [|exact C]. intros c. apply some_later. lia.
Qed.
Lemma load_inputs_right is : forall a vs b, loading_right a -> load_inputs P a is vs = Some b -> loading_right b.
Proof.
  induction is as [|i is IH]; intros a [|v vs] b L; simpl; try discriminate; [intros [= <-]; auto|].
  destruct (load_input P a i v) as [c|] eqn:E; [|discriminate]. apply IH. eapply load_input_right; eauto.
Qed.
Lemma static_reference_bound base d : is_static_at P d = true -> (static_reference P base d < base + length (statics P))%nat.
Proof.
  intros S. pose proof (static_position P d S) as E. assert (L : (statics_before P d < length (statics P))%nat) by (apply nth_error_Some; congruence).
  unfold static_reference. unfold statics_before in L. lia.
Qed.
Lemma static_right base d x : In x (static_object P base d) -> object_right (base + length (statics P)) x.
Proof.
  unfold static_object. destruct (origin_of (declaration_of P d)) as [|count cs may| | |] eqn:O; simpl; try contradiction. intros [<-|[]].
  unfold object_right, object_exists, all_inside. cbn [fields_of].
  assert (X : forall f c, In c cs -> cells_exist (base + length (statics P)) (static_cells P base f c) /\
    cells_inside {| declared := d; lower := 0; upper := count; alive := Live; fields_of := map (fun p => static_cells P base (fst p) (snd p)) (combine (layout_fields (layout_of_declaration P d)) cs) |} (static_cells P base f c)).
  { intros f c Ic. unfold static_cells. destruct c as [|t|ds].
    - split; split; simpl; try solve [constructor]; try discriminate. destruct (holds f); exact Logic.I.
    - split; split; simpl; try solve [constructor].
      + apply Forall_forall. intros v I. apply in_map_iff in I as (z & <- & _). exact Logic.I.
      + intros l k v [= <-] E N. destruct N. apply nth_error_In in E. apply in_map_iff in E as (z & <- & _). reflexivity.
    - split; split; simpl; try solve [constructor].
      + apply Forall_forall. intros v I. apply in_map_iff in I as ([t|] & <- & I); [|exact Logic.I]. simpl. apply static_reference_bound. apply (proj2 (pointers_formed P formed d count cs may ds O Ic) t I).
      + intros l k v [= <-] E _. assert (L : (k < length ds)%nat) by (rewrite <- (map_length (fun d => match d with Some d => start_of (static_reference P base d) | None => Null end)); apply nth_error_Some; congruence).
        pose proof (proj1 (pointers_formed P formed d count cs may ds O Ic)). unfold between. simpl. lia. }
  split; apply Forall_forall; intros c I; apply in_map_iff in I as ((f & c0) & <- & I); apply in_combine_r in I; apply X; exact I.
Qed.
Theorem entry_right vs s : entry_state P vs = Some s -> pointers_exist s /\ inside_state s.
Proof.
  unfold entry_state. destruct (load_inputs _ _ _ _) as [a|] eqn:E; [|discriminate]. simpl. intros [= <-].
  assert (L : loading_right a).
  { eapply load_inputs_right; [|exact E]. split; simpl; [|split; [constructor|]]; apply Forall_forall; intros v I; apply in_map_iff in I as (x & <- & _); exact Logic.I. }
  destruct L as (V & M & C). set (n := (length (made a) + length (statics P))%nat).
  assert (Ln : length (memory (add_statics P a)) = n) by (simpl; rewrite app_length, statics_made, map_length; reflexivity).
  assert (O : Forall (object_right n) (memory (add_statics P a))).
  { simpl. apply Forall_app. split; [eapply Forall_impl; [|exact M]; intros x; apply right_later; unfold n; lia|].
    apply Forall_forall. intros x I. apply in_flat_map in I as (d & _ & I). eapply static_right; eauto. }
  split.
  - unfold pointers_exist. rewrite Ln. split; [|split].
    + simpl. eapply Forall_impl; [|exact V]. intros w. apply value_later. unfold n; lia.
    + eapply Forall_impl; [|exact O]. intros x [X _]. exact X.
    + simpl. apply Forall_forall. intros c I. apply in_map_iff in I as ((d & o) & <- & I). simpl. unfold numbered in I. pose proof (in_combine_l _ _ _ _ I) as Id. apply in_seq in Id.
      assert (Eo : o = nth d (objects P) no_declaration).
      { assert (X : forall (l : list object_declaration) k, In (d, o) (combine (seq k (length l)) l) -> (k <= d)%nat /\ o = nth (d - k) l no_declaration).
        { clear. induction l as [|y l IH]; intros k; simpl; [intros []|]. intros [[= <- <-]|J]; [rewrite Nat.sub_diag; auto|]. destruct (IH (S k) J) as [A ->]. split; [lia|]. replace (d - k)%nat with (S (d - S k)) by lia. reflexivity. }
        destruct (X _ _ I) as [_ Y]. rewrite Nat.sub_0_r in Y. exact Y. }
      destruct (origin_of o) eqn:Oo; try (apply (some_later (length (made a)) n); [unfold n; lia|]; apply (Forall_nth_default (some_exists (length (made a)))); [exact C | exact Logic.I]).
      simpl. apply static_reference_bound. unfold is_static_at, is_static_declaration, declaration_of. rewrite <- Eo, Oo. reflexivity.
  - intros o. unfold object_at. apply (Forall_nth_default all_inside); [|apply dead_inside]. eapply Forall_impl; [|exact O]. intros x [_ X]. exact X.
Qed.

(** ** Executions *)

Theorem executed r s : genuine (system_of P under) r -> last _ r = Running s -> pointers_exist s /\ inside_state s.
Proof.
  intros G. revert s. induction G as [x He | o n x k y _ IH Hs]; simpl; intros s.
  - intros ->. destruct He as (vs & w & Ew & Ex). injection Ex as ->. eapply entry_right; eauto.
  - intros ->. destruct x as [w|e]; simpl in Hs; [|contradiction]. destruct Hs as (d & _ & Hs). destruct (step P under w d) as [w'|] eqn:S1; [|discriminate].
    injection Hs as ->. destruct (IH w eq_refl) as [A B]. split; [eapply step_exists; eauto | eapply step_inside; eauto].
Qed.
End Insides.
