(** Elements that are left out of an array (spec/calculus.md#addscapegoat), as the
    kernel changes the member: the last one, or one of those that have cells, so
    that what remains keeps its indices. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Folding FoldedMembers Entries Planting Presented Loading Recognised Built Entering Roots Elements.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

(** ** What is done *)

Lemma nth_firstn_in {A} (l : list A) d : forall a i, (i < a)%nat -> nth i (firstn a l) d = nth i l d.
Proof. induction l as [|x l IH]; intros [|a] [|i] L; simpl; auto; try lia. apply IH. lia. Qed.
Lemma nth_error_firstn_in {A} (l : list A) : forall a i, (i < a)%nat -> nth_error (firstn a l) i = nth_error l i.
Proof. induction l as [|x l IH]; intros [|a] [|i] L; simpl; auto; try lia. apply IH. lia. Qed.
Lemma nth_error_skipped {A} (l : list A) : forall a i, nth_error (skipn a l) i = nth_error l (a + i).
Proof. induction l as [|x l IH]; intros [|a] i; simpl; auto. destruct i; reflexivity. Qed.
Lemma nth_skipped {A} (l : list A) d : forall a i, nth i (skipn a l) d = nth (a + i) l d.
Proof. induction l as [|x l IH]; intros [|a] i; simpl; auto. destruct i; reflexivity. Qed.
(** Element b goes to where element a has been, and those between move up. *)
Definition rotated {A} (l : list A) a b (d : A) := firstn a l ++ nth b l d :: firstn (b - a) (skipn a l) ++ skipn (S b) l.
Lemma nth_rotated {A} (l : list A) a b d : (a <= b)%nat -> (b < length l)%nat ->
  length (rotated l a b d) = length l /\ forall i, nth i (rotated l a b d) d = if Nat.eqb i a then nth b l d else if Nat.ltb a i && Nat.leb i b then nth (i - 1) l d else nth i l d.
Proof.
  intros L B. pose proof (firstn_le_length (b - a) (skipn a l)) as X.
  assert (L1 : length (firstn a l) = a) by (apply firstn_length_le; lia).
  assert (L2 : length (firstn (b - a) (skipn a l)) = (b - a)%nat) by (apply firstn_length_le; rewrite skipn_length; lia).
  unfold rotated. split; [rewrite app_length; cbn [length]; rewrite app_length, L1, L2, skipn_length; lia|]. intros i.
  destruct (Nat.eqb_spec i a) as [->|N].
  - rewrite app_nth2 by lia. rewrite L1, Nat.sub_diag. reflexivity.
  - destruct (Nat.ltb_spec a i); cbn [andb].
    + rewrite app_nth2 by lia. rewrite L1. destruct (i - a)%nat as [|k] eqn:K; [lia|]. cbn [nth]. destruct (Nat.leb_spec i b).
      * rewrite app_nth1 by lia. rewrite nth_firstn_in by lia. rewrite nth_skipped. f_equal. lia.
      * rewrite app_nth2 by lia. rewrite L2, nth_skipped. f_equal. lia.
    + rewrite app_nth1 by lia. apply nth_firstn_in. lia.
Qed.

Definition without_last x := {| kind := kind x; life_of := life_of x; begins := begins x; ends := Plus (ends x) (Constant (-1)); contents := contents x |}.
Definition moved first dropped f := {| apart := rotated (apart f) first dropped forgotten; rest := rest f |}.
Definition without_first first dropped x := {| kind := kind x; life_of := life_of x; begins := Plus (begins x) (Constant 1); ends := ends x;
  contents := map (moved first dropped) (contents x) |}.
Definition with_array m p n d pointer length x := {| place_of := place_of m; slots := replace (replace (slots m) n length) p pointer;
  named := replace (named m) d (Some x); parts := parts m |}.
Definition one_less t := Plain (Members.IntegerSlot (Plus t (Constant (-1)))).
Definition last_left_out m p n d t x := with_array m p n d (slot_at m p) (one_less t) (without_last x).
Definition first_left_out m p n d t x first dropped :=
  with_array m p n d (Plain (Members.PointerSlot d (Plus (begins x) (Constant 1)) 0)) (one_less t) (without_first first dropped x).

Section LeavingOut.
Variable P : program.
Hypothesis well_given : inputs_formed P.
Notation fields_in d := (layout_fields (layout_of_declaration P d)).
Variables (sorts : list symbol_sort) (nu : valuation) (phi : meaning).
Notation holds_inputs := (holds_inputs P sorts nu phi).
Notation weights := (weights nu phi).
Notation holds_rows := (holds_rows P nu).

Lemma array_registers m p n d : length (slots m) = length (registers P) -> In (ArrayInput p n d) (inputs P) -> (p < length (slots m))%nat /\ (n < length (slots m))%nat /\ p <> n.
Proof.
  intros L I. assert (E : forall r, In r [p; n] -> (r < length (slots m))%nat).
  { intros r J. rewrite L. apply (registers_exist P well_given). apply in_flat_map. exists (ArrayInput p n d). auto. }
  split; [apply E; simpl; auto|]. split; [apply E; simpl; auto|]. pose proof (registers_apart P well_given) as N. clear E L. revert I N. generalize (inputs P) as is.
  induction is as [|i is IH]; intros I N; [destruct I|]. simpl in N. destruct I as [->|I].
  - inversion_clear N as [|? ? N1 _]. intros ->. apply N1. simpl. auto.
  - apply IH; auto. eapply Scapegoats.NoDup_right; eauto.
Qed.
Lemma array_changed_so m p n d pointer count x x' : length (slots m) = length (registers P) -> In (ArrayInput p n d) (inputs P) -> object_named m d = Some x -> kind x' = kind x -> is_input P (kind x) = true ->
  let m' := with_array m p n d pointer count x' in changed P m m' [p; n] [d] /\ slot_at m' p = pointer /\ slot_at m' n = count /\ object_named m' d = Some x'.
Proof.
  intros Ls I O K N m'. destruct (array_registers m p n d Ls I) as (Lp & Ln & Np). pose proof (named_bound _ _ _ O) as Lo.
  assert (O' : object_named m' d = Some x').
  { unfold object_named, m'. simpl. rewrite nth_replace, Nat.eqb_refl. apply Nat.ltb_lt in Lo. rewrite Lo. reflexivity. }
  split; [split|split; [|split; [|exact O']]]; auto.
  - simpl. rewrite !replace_length. reflexivity.
  - intros r J. unfold slot_at, m'. simpl. rewrite !nth_replace. destruct (Nat.eqb_spec r p) as [->|]; [destruct J; simpl; auto|]. destruct (Nat.eqb_spec r n) as [->|]; [destruct J; simpl; auto | reflexivity].
  - intros o J. unfold object_named, m'. simpl. rewrite nth_replace. destruct (Nat.eqb_spec o d) as [->|]; [destruct J; simpl; auto | reflexivity].
  - intros o [<-|[]]. exists x, x'. auto.
  - unfold slot_at, m'. simpl. rewrite nth_replace, Nat.eqb_refl, replace_length. apply Nat.ltb_lt in Lp. rewrite Lp. reflexivity.
  - unfold slot_at, m'. simpl. rewrite nth_replace. destruct (Nat.eqb_spec n p) as [E|]; [congruence|]. simpl. rewrite nth_replace, Nat.eqb_refl. apply Nat.ltb_lt in Ln. rewrite Ln. reflexivity.
Qed.

(** What a field holds of an element depends on its row. *)
Lemma column_row l : forall n f rows j row, 0 <= j -> nth_error rows (Z.to_nat j) = Some row -> read (nth f (columns l n rows) no_cells) j = read (nth f (columns l n [row]) no_cells) 0.
Proof.
  induction l as [|x l IH]; intros n f rows j row J E; [destruct f; reflexivity|]. destruct f as [|f]; simpl; destruct (holds x); simpl; auto.
  unfold read. simpl. destruct (Z.leb_spec 0 j); [|lia]. apply nth_error_nth. rewrite nth_error_map, E. reflexivity.
Qed.
Lemma same_row d f rows rows' j j' row : 0 <= j -> 0 <= j' -> nth_error rows (Z.to_nat j) = Some row -> nth_error rows' (Z.to_nat j') = Some row ->
  read (field_of (array_object P d rows) f) j = read (field_of (array_object P d rows') f) j'.
Proof.
  intros. unfold field_of. change (fields_of (array_object P d rows)) with (columns (fields_in d) 0 rows). change (fields_of (array_object P d rows')) with (columns (fields_in d) 0 rows').
  rewrite (column_row _ _ _ rows j row), (column_row _ _ _ rows' j' row); auto.
Qed.

Lemma input_kind m p n d x vs cs : In (ArrayInput p n d) (inputs P) -> object_named m d = Some x -> holds_inputs m vs cs -> is_input P (kind x) = true.
Proof.
  intros I O H. pose proof (arrays_inputs P well_given _ _ _ I) as Nd. pose proof (inputs_presented _ _ _ _ _ _ _ H) as Pr.
  assert (X : exists y rows, object_named m d = Some y /\ holds_rows d rows y).
  { clear - Pr I. induction Pr; simpl in I; try contradiction; try (destruct I as [I|I]; [discriminate | auto]). destruct I as [[= <- <- <-]|I]; auto.
    match goal with A : points_to _ _ _ _ _ |- _ => destruct A as (j & _ & Oj & _) end. eauto. }
  destruct X as (y & rows & Oy & Hy). rewrite O in Oy. injection Oy as <-. rewrite (rows_kind _ _ _ _ _ Hy). exact Nd.
Qed.

(** ** The last *)

Theorem last_left m p n d t x vs cs : In (ArrayInput p n d) (inputs P) -> slot_at m n = Plain (Members.IntegerSlot t) -> object_named m d = Some x ->
  eval nu (begins x) < eval nu (ends x) -> holds_inputs m vs cs ->
  exists vs', holds_inputs (last_left_out m p n d t x) vs' cs /\ (weights (last_left_out m p n d t x) cs + 1 = weights m cs)%nat.
Proof.
  intros I Sn O B H. pose proof (inputs_shaped _ _ _ _ _ _ _ H) as Sh.
  assert (N : is_input P (kind x) = true) by (eapply input_kind; eauto).
  destruct (array_changed_so m p n d (slot_at m p) (one_less t) x (without_last x) (shaped_registers _ _ _ Sh) I O eq_refl N) as (Ch & Sp' & Sn' & O').
  eapply array_changed; eauto. intros rows (i & Sp & _ & Ei) Hx (t' & St & Et). rewrite Sn in St. injection St as <-.
  destruct Hx as [K L E W El]. assert (Len : (0 < length rows)%nat) by lia.
  exists (without_last x), (firstn (length rows - 1) rows). assert (Lf : length (firstn (length rows - 1) rows) = (length rows - 1)%nat) by (apply firstn_length_le; lia).
  split; [exists i; split; [unfold last_left_out; rewrite Sp'; exact Sp | split; [exact O' | exact Ei]]|]. split; [|split; [|split]].
  - split; auto; simpl.
    + rewrite Lf. lia.
    + rewrite Lf. intros f j J F. rewrite (El f j ltac:(lia) F). f_equal.
      destruct (nth_error rows (Z.to_nat j)) as [row|] eqn:Er; [|apply nth_error_None in Er; lia].
      apply (same_row d f rows _ j j row); try lia; auto. rewrite nth_error_firstn_in by lia. exact Er.
  - exists (Plus t (Constant (-1))). split; [exact Sn'|]. simpl. rewrite Lf. lia.
  - intros row J. rewrite <- (firstn_skipn (length rows - 1) rows). apply in_or_app. auto.
  - lia.
Qed.

(** ** One that has a cell *)

Theorem first_left m p n d t x first dropped vs cs : In (ArrayInput p n d) (inputs P) -> slot_at m n = Plain (Members.IntegerSlot t) -> object_named m d = Some x ->
  eval nu (begins x) = Z.of_nat first -> (first <= dropped)%nat -> Z.of_nat dropped < eval nu (ends x) -> (forall f, In f (contents x) -> (dropped < length (apart f))%nat) ->
  holds_inputs m vs cs ->
  exists vs', holds_inputs (first_left_out m p n d t x first dropped) vs' cs /\ (weights (first_left_out m p n d t x first dropped) cs + 1 = weights m cs)%nat.
Proof.
  intros I Sn O Be Fd Dr Ce H. pose proof (inputs_shaped _ _ _ _ _ _ _ H) as Sh.
  assert (N : is_input P (kind x) = true) by (eapply input_kind; eauto).
  destruct (array_changed_so m p n d (Plain (Members.PointerSlot d (Plus (begins x) (Constant 1)) 0)) (one_less t) x (without_first first dropped x) (shaped_registers _ _ _ Sh) I O eq_refl N) as (Ch & Sp' & Sn' & O').
  eapply array_changed; eauto. intros rows (i & Sp & _ & Ei) Hx (t' & St & Et). rewrite Sn in St. injection St as <-.
  destruct Hx as [K L E W El]. set (gone := (dropped - first)%nat). assert (Lg : (gone < length rows)%nat) by (unfold gone; lia).
  assert (Lf : length (firstn gone rows) = gone) by (apply firstn_length_le; lia).
  remember (firstn gone rows ++ skipn (S gone) rows) as left_ eqn:El_.
  assert (Ln : length left_ = (length rows - 1)%nat) by (rewrite El_, app_length, Lf, skipn_length; lia).
  exists (without_first first dropped x), left_.
  split; [exists (Plus (begins x) (Constant 1)); split; [exact Sp' | split; [exact O' | reflexivity]]|]. split; [|split; [|split]].
  - split; auto; simpl.
    + rewrite Ln. lia.
    + rewrite map_length. exact W.
    + rewrite Ln. intros f j J F. destruct (nth_error (contents x) f) as [c|] eqn:Ec; [|apply nth_error_None in Ec; lia].
      assert (Nc : nth f (contents x) no_field = c) by (apply nth_error_nth; exact Ec).
      assert (Nm : nth f (map (moved first dropped) (contents x)) no_field = moved first dropped c) by (apply nth_error_nth; rewrite nth_error_map, Ec; reflexivity).
      rewrite Nm, Be. pose proof (Ce c (nth_error_In _ _ Ec)) as Lc. destruct (nth_rotated (apart c) first dropped forgotten Fd Lc) as [Lr Nr].
      assert (At : fixed_element nu (moved first dropped c) (Z.of_nat first + 1 + j) = fixed_element nu c (Z.of_nat first + (if j <? Z.of_nat gone then j else j + 1))).
      { unfold fixed_element. simpl. rewrite Lr. destruct (Z.ltb_spec j (Z.of_nat gone)) as [Jg|Jg].
        - destruct (Z.leb_spec 0 (Z.of_nat first + 1 + j)), (Z.leb_spec 0 (Z.of_nat first + j)), (Z.ltb_spec (Z.of_nat first + 1 + j) (Z.of_nat (length (apart c)))),
            (Z.ltb_spec (Z.of_nat first + j) (Z.of_nat (length (apart c)))); unfold gone in *; try lia. cbn [andb]. rewrite Nr.
          destruct (Nat.eqb_spec (Z.to_nat (Z.of_nat first + 1 + j)) first); [lia|]. destruct (Nat.ltb_spec first (Z.to_nat (Z.of_nat first + 1 + j))); [|lia].
          destruct (Nat.leb_spec (Z.to_nat (Z.of_nat first + 1 + j)) dropped); [|lia]. cbn [andb]. f_equal. f_equal. lia.
        - replace (Z.of_nat first + 1 + j) with (Z.of_nat first + (j + 1)) by lia. destruct (_ && _) eqn:C; [|reflexivity]. rewrite Nr.
          destruct (Nat.eqb_spec (Z.to_nat (Z.of_nat first + (j + 1))) first); [lia|]. destruct (Nat.leb_spec (Z.to_nat (Z.of_nat first + (j + 1))) dropped); [unfold gone in *; lia|].
          rewrite andb_false_r. reflexivity. }
      rewrite At, <- Nc, <- Be.
      assert (Jr : 0 <= (if j <? Z.of_nat gone then j else j + 1) < Z.of_nat (length rows)) by (destruct (j <? Z.of_nat gone); lia).
      rewrite (El f _ Jr F). f_equal.
      destruct (nth_error rows (Z.to_nat (if j <? Z.of_nat gone then j else j + 1))) as [row|] eqn:Er; [|apply nth_error_None in Er; lia].
      apply (same_row d f rows _ _ j row); try lia; auto. rewrite El_. destruct (Z.ltb_spec j (Z.of_nat gone)) as [Jg|Jg].
      * rewrite nth_error_app1 by lia. rewrite nth_error_firstn_in by lia. exact Er.
      * rewrite nth_error_app2 by lia. rewrite Lf, nth_error_skipped. rewrite <- Er. f_equal. lia.
  - exists (Plus t (Constant (-1))). split; [exact Sn'|]. simpl. rewrite Ln. lia.
  - intros row J. rewrite El_ in J. apply in_app_or in J as [J|J]; [rewrite <- (firstn_skipn gone rows) | rewrite <- (firstn_skipn (S gone) rows)]; apply in_or_app; auto.
  - lia.
Qed.
End LeavingOut.
