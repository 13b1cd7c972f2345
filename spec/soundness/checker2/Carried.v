(** What a configuration of the second checker denotes depends on the values of its terms
    alone: so it denotes the same when more terms have been made, and where fresh variables
    have other values. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Folding Members FoldedMembers Configurations SameValues SameInputs SameEntries.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting States Denoting.
Import ListNotations.
Open Scope Z_scope.

(** ** Tables by number *)

Lemma numbers_from_length n k : length (numbers_from n k) = k.
Proof. revert n. induction k as [|k IH]; intros n; simpl; auto. Qed.
Lemma numbers_from_at k : forall n i, (i < k)%nat -> List.nth_error (numbers_from n k) i = Some (n + N.of_nat i)%N.
Proof.
  induction k as [|k IH]; intros n [|i] L; try lia; cbn [numbers_from List.nth_error].
  - f_equal. lia.
  - rewrite IH by lia. f_equal. lia.
Qed.
Lemma numbers_from_in k n i : In i (numbers_from n k) <-> (n <= i < n + N.of_nat k)%N.
Proof.
  revert n. induction k as [|k IH]; intros n; cbn [numbers_from In]; [lia|]. rewrite IH. lia.
Qed.
Lemma numbers_of_in {A} (x : numbered A) n : In n (numbers_of x) <-> (n < given x)%N.
Proof. unfold numbers_of. rewrite numbers_from_in. lia. Qed.
Lemma numbers_of_at {A} (x : numbered A) i : List.nth_error (numbers_of x) i = if Nat.ltb i (N.to_nat (given x)) then Some (N.of_nat i) else None.
Proof.
  unfold numbers_of. destruct (Nat.ltb_spec i (N.to_nat (given x))) as [L|L].
  - rewrite numbers_from_at; auto.
  - apply nth_error_None. rewrite numbers_from_length. exact L.
Qed.
Lemma in_order_in {A} (x : numbered A) n a : In (n, a) (in_order x) <-> (n < given x)%N /\ find x n = Some a.
Proof.
  unfold in_order. rewrite in_flat_map. setoid_rewrite numbers_of_in. split.
  - intros (i & L & I). destruct (find x i) as [b|] eqn:E; [|destruct I]. destruct I as [[= -> ->]|[]]. auto.
  - intros [L E]. exists n. split; auto. rewrite E. left. reflexivity.
Qed.
Lemma in_positions {A} (l : list A) k a : forall n, List.nth_error l k = Some a -> In ((n + N.of_nat k)%N, a) (List.combine (numbers_from n (length l)) l).
Proof.
  revert k. induction l as [|b l IH]; intros [|k] n H; try discriminate; cbn [length numbers_from List.combine].
  - injection H as ->. left. f_equal. lia.
  - right. replace (n + N.of_nat (S k))%N with (N.succ n + N.of_nat k)%N by lia. apply IH. exact H.
Qed.
(** Are numbers of entries below what has been given? *)
Definition is_numbered {A} (x : numbered A) : bool := forallb (fun p => (N.pos (fst p) <=? given x)%N) (PositiveMap.elements (present_entries x)).
Lemma numbered_now {A} (x : numbered A) : is_numbered x = true -> numbered_right x.
Proof.
  unfold is_numbered. rewrite forallb_forall. intros H n a F. unfold find in F. apply PositiveMap.elements_correct in F. specialize (H _ F). cbn [fst] in H. apply N.leb_le in H. destruct n; simpl in *; lia.
Qed.
Lemma entries_at {A B} (f : A -> B) (x : numbered A) i b : List.nth i (entries_of f x) None = Some b ->
  exists a, find x (N.of_nat i) = Some a /\ b = f a /\ In (N.of_nat i, a) (in_order x).
Proof.
  intros E. unfold entries_of in E. destruct (nth_in_or_default i (List.map (fun n => option_map f (find x n)) (numbers_of x)) None) as [_|D]; [|congruence].
  assert (N : List.nth_error (List.map (fun n => option_map f (find x n)) (numbers_of x)) i = Some (Some b)).
  { rewrite <- E. apply nth_error_nth'. destruct (Nat.lt_ge_cases i (length (List.map (fun n => option_map f (find x n)) (numbers_of x)))); auto.
    rewrite nth_overflow in E by auto. discriminate. }
  rewrite nth_error_map, numbers_of_at in N. destruct (Nat.ltb_spec i (N.to_nat (given x))) as [L|L]; [|discriminate].
  cbn [option_map] in N. destruct (find x (N.of_nat i)) as [a|] eqn:F; [|discriminate]. injection N as <-.
  exists a. split; auto. split; auto. apply in_order_in. split; auto. lia.
Qed.

(** ** Members *)

Section Same.
Variables M K : model.
Notation same := (same_value M K).
Definition all_same (ps : list part) : Prop := forall p, In p ps -> same p.
Lemma same_left (ps qs : list part) : all_same (ps ++ qs) -> all_same ps.
Proof. intros H p I. apply H, in_or_app. auto. Qed.
Lemma same_right (ps qs : list part) : all_same (ps ++ qs) -> all_same qs.
Proof. intros H p I. apply H, in_or_app. auto. Qed.
Lemma same_each {A} (f : A -> list part) l : all_same (flat_map f l) -> forall a, In a l -> all_same (f a).
Proof. intros H a I p J. apply H, in_flat_map. eauto. Qed.

Lemma term_same t : same (LinearPart t) -> Terms.eval (valued K) (term_of_number t) = Terms.eval (valued M) (term_of_number t).
Proof. rewrite !valued_term. auto. Qed.
Lemma slot_same v : all_same (slot_terms v) -> SameValues.same_slot (valued M) (valued K) (slot_of v).
Proof. destruct v; simpl; auto; intros H; rewrite !N2Nat.id; refine (H (LinearPart _) _); left; reflexivity. Qed.
Lemma field_same f : all_same (field_terms f) -> SameValues.same_field (valued M) (valued K) (field_of f).
Proof.
  intros H. split; simpl.
  - apply Forall_forall. intros w I. apply in_map_iff in I as (v & <- & I). apply slot_same. apply (same_each slot_terms (cells f)); auto.
    eapply same_left. exact H.
  - apply same_right in H. destruct (rest f) as [a|]; simpl; auto. intros i. rewrite !N2Nat.id. exact (H (ArrayPart a) (or_introl eq_refl) i).
Qed.
Lemma object_same x : all_same (object_terms x) -> SameValues.same_object (valued M) (valued K) (object_of x).
Proof.
  intros H. split; [|split].
  - apply term_same. apply H. left. reflexivity.
  - apply term_same. apply H. right. left. reflexivity.
  - apply Forall_forall. simpl. intros f I. apply in_map_iff in I as (g & <- & I). apply field_same. intros p J. apply H. right. right. apply in_flat_map. eauto.
Qed.
Lemma folded_same q : all_same (folded_terms q) -> SameValues.same_part (valued M) (valued K) (part_of q).
Proof.
  unfold folded_terms. intros H. split; [|split]; apply slot_same; [eapply same_left | eapply same_left, same_right | eapply same_right, same_right]; exact H.
Qed.
Lemma member_same l m : all_same (member_terms m) -> SameValues.same_member (valued M) (valued K) (member_of l m).
Proof.
  unfold member_terms. intros H. apply same_right in H. pose proof (same_left _ _ H) as Hr. apply same_right in H. pose proof (same_left _ _ H) as Ho. apply same_right in H.
  split.
  - simpl. apply Forall_forall. intros w I. apply in_map_iff in I as (v & <- & I). destruct v as [v|]; [|exact Logic.I].
    unfold entries_of in I. apply in_map_iff in I as (n & E & J). destruct (find (held m) n) as [u|] eqn:F; [|discriminate]. injection E as <-.
    apply slot_same. apply (same_each (fun '(_, a) => slot_terms a) (in_order (held m)) Hr (n, u)). apply in_order_in. apply numbers_of_in in J. auto.
  - intros o x E. apply entries_at in E as (y & F & -> & I). apply object_same. exact (same_each (fun '(_, a) => object_terms a) _ Ho _ I).
  - intros f q E. apply entries_at in E as (y & F & -> & I). apply folded_same. exact (same_each (fun '(_, a) => folded_terms a) _ H _ I).
Qed.

Variable P : Programs.program.
Variable under : Programs.parameters.
Variables (ss ss' : list FoldedMembers.symbol_sort) (phi phi' : FoldedMembers.meaning).
Hypothesis extended : Configurations.extends_symbols ss ss' phi phi'.
Lemma counted_same m t : all_same (member_terms m) -> Configurations.accounts P under ss (valued M) phi (counted_of m) t ->
  Configurations.accounts P under ss' (valued K) phi' (counted_of m) t.
Proof.
  intros H. apply SameValues.accounts_same; auto.
  - intros x E. simpl in E. destruct (place_of m) as [l|]; [|discriminate]. injection E as <-. apply member_same. exact H.
  - intros a E. simpl in E. unfold member_terms in H. apply same_left in H. destruct (consumed_of m); try discriminate. injection E as <-. apply term_same. apply H. left. reflexivity.
Qed.
Lemma inputs_same m : all_same (member_terms m) -> holds_inputs P ss (valued M) phi m -> holds_inputs P ss (valued K) phi m.
Proof.
  intros H (Sz & l & vs & cs & Pl & Hi). split; auto. exists l, vs, cs. split; auto. eapply SameEntries.entry_too; [|exact Hi]. apply SameInputs.member_itself, member_same. exact H.
Qed.
Lemma sized_same ms ts : all_same (flat_map member_terms ms) -> Forall2 (Configurations.accounts_sized P under ss (valued M) phi) (List.map sized_of ms) ts ->
  Forall2 (Configurations.accounts_sized P under ss' (valued K) phi') (List.map sized_of ms) ts.
Proof.
  revert ts. induction ms as [|m ms IH]; intros ts H F; simpl in *; inversion F as [|? q ? ts' [S A] F']; subst; constructor.
  - split; auto. apply counted_same; auto. eapply same_left. exact H.
  - apply IH; auto. eapply same_right. exact H.
Qed.
End Same.

(** ** Configurations *)

Section Carried.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Notation shows_under := (shows_under P under trees tabs).

Lemma literal_same M K l : same_value M K (LinearPart (term_of l)) -> literal_holds M l -> literal_holds K l.
Proof. simpl. unfold literal_holds. intros ->. auto. Qed.
Theorem carried s s' c nu mu M K phi t ts : Terms.well_sorted mu -> good mu tabs s' K -> all_same M K (configuration_terms c) ->
  shows_under s c nu M phi t ts -> shows_under s' c mu K phi t ts.
Proof.
  unfold configuration_terms. intros W G H (_ & _ & L & Me & A & E). pose proof (same_left _ _ _ _ H) as Hl. apply same_right in H.
  pose proof (same_left _ _ _ _ H) as Hm. apply same_right in H.
  assert (Ex : Configurations.extends_symbols (symbols_of c) (symbols_of c) phi phi) by (intros x q; auto).
  split; auto. split; auto. split; [|split; auto; split].
  - intros l I. apply (literal_same M K); auto. apply Hl. apply in_map_iff. eauto.
  - unfold herd_accounts in *. destruct (herd c) as [|m ms]; auto. destruct A as [A B]. split.
    + eapply counted_same; eauto. exact (same_left _ _ _ _ Hm).
    + eapply sized_same; eauto. exact (same_right _ _ _ _ Hm).
  - unfold entry_accounts, entry_member_terms in *. destruct (entry_member c) as [m|]; auto. destruct E as [E Hi]. split; [eapply counted_same; eauto | eapply inputs_same; eauto].
Qed.
(** More terms have been made. *)
Lemma kept_value s M s' K p : keeps s M s' K -> part_in s p -> same_value M K p.
Proof. intros [_ [_ L] [_ R] _]. destruct p; simpl; auto. Qed.
Theorem carried_on s s' c nu M K phi t ts : in_scope s c -> good nu tabs s' K -> keeps s M s' K ->
  shows_under s c nu M phi t ts -> shows_under s' c nu K phi t ts.
Proof.
  intros (_ & _ & Sc) G Kp S. pose proof S as (W & G0 & _). eapply carried; eauto. intros p I. eapply kept_value; eauto. eapply within_in; eauto.
Qed.
(** What is not mentioned has other values. *)
Theorem carried_over s c nu mu M K phi t ts : in_scope s c -> Terms.well_sorted mu -> agree_within (variables c) nu mu -> good mu tabs s K ->
  shows_under s c nu M phi t ts -> shows_under s c mu K phi t ts.
Proof.
  intros (_ & _ & Sc) W A G S. pose proof S as (_ & G0 & _). eapply carried; eauto. intros p I. apply (within_agree tabs nu mu (variables c) A s M K G0 G). auto.
Qed.
Lemma in_scope_later s M s' M' c : keeps s M s' M' -> in_scope s c -> in_scope s' c.
Proof. intros K (F & R & H). split; auto. split; auto. intros p I. eapply part_kept; eauto. Qed.
End Carried.
