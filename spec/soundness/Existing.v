(** Pointers are to objects that exist: an invariant of executions, which the
    theorems on leaks ask for. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine.
Import ListNotations.

Definition value_exists n v := match v with Pointer p => (target p < n)%nat | _ => True end.
Definition cells_exist n (c : cells) := Forall (fun p => value_exists n (snd p)) (written c) /\
  match initially c with Same v => value_exists n v | Each l => Forall (value_exists n) l | Any _ => True end.
Definition object_exists n (o : object) := Forall (cells_exist n) (fields_of o).
Definition some_exists n (c : option nat) := match c with Some o => (o < n)%nat | None => True end.
Definition all_exist n s := Forall (value_exists n) (values s) /\ Forall (object_exists n) (memory s) /\ Forall (some_exists n) (current s).
Definition pointers_exist s := all_exist (length (memory s)) s.

Lemma replace_length {A} (l : list A) n x : length (replace l n x) = length l.
Proof. revert n; induction l; intros [|n]; simpl; auto. Qed.
Lemma Forall_replace {A} (Q : A -> Prop) l n x : Forall Q l -> Q x -> Forall Q (replace l n x).
Proof. intros H Hx. revert n; induction H; intros [|n]; simpl; auto. Qed.
Lemma Forall_nth_default {A} (Q : A -> Prop) l n d : Forall Q l -> Q d -> Q (nth n l d).
Proof. intros H Hd. revert n; induction H; intros [|n]; simpl; auto. Qed.

Lemma value_later n m v : (n <= m)%nat -> value_exists n v -> value_exists m v.
Proof. destruct v; simpl; auto. lia. Qed.
Lemma object_later n m o : (n <= m)%nat -> object_exists n o -> object_exists m o.
Proof.
  intros L. apply Forall_impl. intros c [W I]. split.
  - eapply Forall_impl; [|exact W]. intros. eapply value_later; eauto.
  - destruct (initially c); auto; [eapply value_later; eauto|]. eapply Forall_impl; [|exact I]. intros. eapply value_later; eauto.
Qed.
Lemma all_later n m s : (n <= m)%nat -> all_exist n s -> all_exist m s.
Proof.
  intros L (V & M & C). split; [|split].
  - eapply Forall_impl; [|exact V]. intros. eapply value_later; eauto.
  - eapply Forall_impl; [|exact M]. intros. eapply object_later; eauto.
  - eapply Forall_impl; [|exact C]. intros [o|]; simpl; auto. lia.
Qed.

Section Steps.
Variable P : program.
Variable under : parameters.

Lemma register_exists n s r : all_exist n s -> value_exists n (register s r).
Proof. intros (V & _ & _). apply (Forall_nth_default (value_exists n)); simpl; auto. Qed.
Lemma use_exists n s r p : all_exist n s -> use_pointer s r = Ok (Some p) -> (target p < n)%nat.
Proof.
  intros E. unfold use_pointer. pose proof (register_exists n s r E) as X. destruct (register s r); try discriminate.
  destruct (is_live s (target p0)); [|discriminate]. intros [= <-]. exact X.
Qed.
Lemma set_exists s r v : pointers_exist s -> value_exists (length (memory s)) v -> pointers_exist (set s r v).
Proof. intros (V & M & C) Hv. split; [|split]; simpl; auto. apply Forall_replace; auto. Qed.
Lemma go_exists s l : pointers_exist s -> pointers_exist (go l s).
Proof. auto. Qed.
Lemma set_object_exists s o x : pointers_exist s -> object_exists (length (memory s)) x -> pointers_exist (set_object s o x).
Proof.
  intros (V & M & C) Hx. unfold pointers_exist, all_exist; simpl. rewrite replace_length. split; [|split]; auto.
  apply Forall_replace; auto.
Qed.
Lemma object_at_exists n s o : all_exist n s -> object_exists n (object_at s o).
Proof. intros (_ & M & _). apply (Forall_nth_default (object_exists n)); auto. constructor. Qed.
Lemma kill_exists s o : pointers_exist s -> pointers_exist (kill s o).
Proof. intros E. apply set_object_exists; auto. apply (object_at_exists _ s o E). Qed.
Lemma kill_current_exists s d : pointers_exist s -> pointers_exist (kill_current s d).
Proof. intros E. unfold kill_current. destruct (nth d (current s) None); auto. apply kill_exists; auto. Qed.

Lemma cells_of_object n o f : object_exists n o -> cells_exist n (nth f (fields_of o) no_cells).
Proof. intros H. apply (Forall_nth_default (cells_exist n)); auto. split; simpl; auto. Qed.
Lemma find_exists n i l v : Forall (fun p : Z * value => value_exists n (snd p)) l -> find_written i l = Some v -> value_exists n v.
Proof. induction 1 as [|[j w] l Hw _ IH]; simpl; [discriminate|]. destruct (i =? j)%Z; auto. intros [= <-]. auto. Qed.
Lemma read_exists n c i : cells_exist n c -> value_exists n (read c i).
Proof.
  intros [W I]. unfold read. destruct (find_written i (written c)) as [v|] eqn:E; [eapply find_exists; eauto|].
  unfold initial_at. destruct (initially c); simpl; auto. destruct (0 <=? i)%Z; simpl; auto. apply (Forall_nth_default (value_exists n)); simpl; auto.
Qed.
Lemma convert_exists n from to v w : value_exists n v -> convert from to v = Ok w -> value_exists n w.
Proof.
  unfold convert. intros H. destruct (type_eqb from to); [congruence|].
  destruct to as [[]|]; destruct v; try congruence; intros [= <-]; simpl; auto.
Qed.
Lemma write_exists n o f i v : object_exists n o -> value_exists n v -> object_exists n (write_field o f i v).
Proof.
  intros H Hv. unfold write_field. apply Forall_replace; auto. pose proof (cells_of_object n o f H) as [W I].
  split; simpl; auto. constructor; auto. rewrite Forall_forall in *. intros p Hp. apply filter_In in Hp as [Hp _]. auto.
Qed.
Lemma fresh_exists n l f d : forall k, Forall (cells_exist n) (fresh_cells l k f d).
Proof.
  induction l as [|x l IH]; intros k; simpl; constructor; auto. split; simpl; auto. destruct f, (holds x); simpl; auto.
Qed.
Lemma create_exists s d count f w : pointers_exist s ->
  pointers_exist (create P s d count f w) /\ (length (memory s) < length (memory (create P s d count f w)))%nat.
Proof.
  intros E. assert (L : length (memory (create P s d count f w)) = S (length (memory s))) by (simpl; rewrite app_length; simpl; lia).
  split; [|lia]. unfold pointers_exist. rewrite L.
  apply (all_later _ (S (length (memory s)))) in E; [|lia]. destruct E as (V & M & C).
  split; [|split]; simpl; auto.
  - apply Forall_app. split; auto. constructor; auto. apply fresh_exists.
  - apply Forall_replace; auto. simpl. lia.
Qed.

Lemma place_exists n s a off t q f u : all_exist n s -> place P s a off t = Ok (q, f, u) -> (target q < n)%nat.
Proof.
  unfold place, bind. intros E. destruct (use_pointer s a) as [[p|]|] eqn:U; try discriminate.
  destruct (field_at _ _ _ _) as [[g v]|]; [|discriminate]. intros [= <- _ _]. simpl. eapply use_exists; eauto.
Qed.

Ltac splits H := unfold bind, fails in H; repeat match type of H with
  | match ?x with _ => _ end = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | (if ?x then _ else _) = Ok _ => let E := fresh "E" in destruct x eqn:E; try discriminate
  | Ok _ = Ok _ => injection H as <- end.

Theorem step_exists s d s' : pointers_exist s -> Machine.step P under s d = Ok s' -> pointers_exist s'.
Proof.
  intros E H. unfold Machine.step in H. destruct (nth_error (instructions P) (location s)) as [i|]; [|discriminate].
  destruct i; try discriminate.
  - injection H as <-. apply go_exists; auto.
  - unfold bind in H. destruct (condition_holds P s d c); [|discriminate]. injection H as <-. apply go_exists; auto.
  - injection H as <-. apply go_exists; auto.
  - unfold assign in H. cbv zeta in H. match type of H with (if ?b then _ else _) = _ => destruct b end.
    + injection H as <-. apply set_exists; simpl; auto.
    + unfold bind in H. match type of H with match ?x with _ => _ end = _ => destruct x; [|discriminate] end. injection H as <-. apply set_exists; simpl; auto.
  - unfold compute_in in H. splits H; apply set_exists; simpl; auto.
  - injection H as <-. apply set_exists; simpl; auto.
  - injection H as <-. apply set_exists; simpl; auto.
  - injection H as <-. apply set_exists; simpl; auto.
  - injection H as <-. apply set_exists; auto. apply register_exists; auto.
  - unfold address in H. match type of H with match nth ?x _ _ with _ => _ end = _ =>
      pose proof (Forall_nth_default (some_exists (length (memory s))) _ x None (proj2 (proj2 E)) I) as X; destruct (nth x (current s) None) as [o|] end;
    [|discriminate]. injection H as <-. apply set_exists; auto.
  - unfold advance in H. splits H; apply set_exists; simpl; auto; eapply use_exists; eauto.
  - unfold distance in H. splits H; apply set_exists; simpl; auto.
  - unfold load, bind in H. match type of H with match ?x with _ => _ end = _ => destruct x as [[[q f] u]|] eqn:Ep; [|discriminate] end.
    destruct (is_inside _ _); [|discriminate].
    destruct (convert _ _ _) eqn:Ec; [|discriminate]. injection H as <-. apply set_exists; auto.
    eapply convert_exists; [|exact Ec]. apply read_exists, cells_of_object, object_at_exists. exact E.
  - unfold store, bind in H. match type of H with match ?x with _ => _ end = _ => destruct x as [[[q f] u]|] eqn:Ep; [|discriminate] end.
    destruct (may_write _ _); [|discriminate].
    destruct (convert _ _ _) eqn:Ec; [|discriminate]. destruct (is_inside _ _); [|discriminate]. injection H as <-.
    apply set_object_exists; [exact E|]. apply write_exists; [apply object_at_exists; exact E|].
    eapply convert_exists; [|exact Ec]. apply register_exists. exact E.
  - unfold allocate, bind in H. match type of H with match ?x with _ => _ end = _ => destruct x; [|discriminate] end.
    match type of H with (if ?b then _ else _) = _ => destruct b end; [injection H as <-; apply set_exists; simpl; auto|].
    match type of H with (if ?b then _ else _) = _ => destruct b end; [injection H as <-; apply set_exists; simpl; auto|].
    cbv zeta in H. match type of H with (if ?b then _ else _) = _ => destruct b end; [discriminate|]. injection H as <-.
    match goal with |- context [create P s ?dd ?c ?ff ?w] => destruct (create_exists s dd c ff w E) as [X L] end.
    apply set_exists; auto.
  - unfold free, bind in H. match type of H with match ?x with _ => _ end = _ => destruct x as [[p|]|]; try discriminate end.
    + cbv zeta in H. match type of H with (if ?b then _ else _) = _ => destruct b end; [|discriminate]. injection H as <-. apply kill_exists. exact E.
    + injection H as <-. exact E.
  - unfold enter in H. destruct (origin_of _); injection H as <-; try exact E.
    apply create_exists, kill_current_exists. exact E.
  - injection H as <-. apply kill_current_exists. exact E.
  - unfold check_leaks in H. cbv zeta in H. destruct (existsb _ _); [discriminate|]. injection H as <-. exact E.
Qed.
End Steps.
