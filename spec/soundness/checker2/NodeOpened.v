(** A folded part that becomes a node, as the second checker computes it
    (spec/calculus.md#unfold): its fields, the parts below it and the rest of a segment are
    those of [Opening.v]. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Sorts Programs Machine Folding FoldedMembers Members Changes Opening Unfold SameInputs SameMembers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Refuting States Denoting Carried Listed Places PointerLists Moving Folds Followed Covered Opened.
Import ListNotations.
Open Scope Z_scope.

Definition content_in (x : content) : Opening.field_content := match x with
  | Held v => Opening.Holds (slot_of v) | Above_ => Opening.HoldsUp | Same_ => Opening.HoldsSame | Hole => Opening.HoldsHole
  | TreeBelow s g => Opening.HoldsTree (N.to_nat s) (Sorts.AsIn (option_map N.to_nat g))
  | HandedBelow s from => Opening.HoldsTree (N.to_nat s) (Sorts.By (Translated.source_of from))
  | RingBelow s e => Opening.HoldsRing (N.to_nat s) (Z.of_N e) | LastBelow g => Opening.HoldsLast (N.to_nat g) end.
Definition symbol_below (x : content) : option N := match x with TreeBelow s _ | HandedBelow s _ | RingBelow s _ => Some s | _ => None end.
Definition is_tree (x : content) : bool := match symbol_below x with Some _ => true | None => false end.
(** How many trees hang from the fields before. *)
Fixpoint trees_before (xs : list content) (k : nat) : N := match k, xs with
  | S k, x :: xs => ((if is_tree x then 1 else 0) + trees_before xs k)%N | _, _ => 0%N end.
Notation trees_in xs := (trees_before xs (length xs)).
Lemma trees_at_most xs : forall k, (trees_before xs k <= N.of_nat (length xs))%N.
Proof. induction xs as [|x xs IH]; intros [|k]; cbn [trees_before length]; try lia. specialize (IH k). destruct (is_tree x); lia. Qed.
Lemma trees_rise xs : forall j k, (j < k)%nat -> (k <= length xs)%nat -> (exists x, List.nth_error xs j = Some x /\ is_tree x = true) -> (trees_before xs j < trees_before xs k)%N.
Proof.
  assert (Up : forall xs j k, (j <= k)%nat -> (trees_before xs j <= trees_before xs k)%N).
  { induction xs0 as [|x xs0 IH]; intros [|j] [|k] L; cbn [trees_before]; try lia. specialize (IH j k ltac:(lia)). lia. }
  induction xs as [|x xs IH]; intros [|j] [|k] L Lk (y & Ny & Ty); try discriminate; cbn in Lk; try lia; cbn [trees_before].
  - injection Ny as ->. rewrite Ty. lia.
  - specialize (IH j k ltac:(lia) ltac:(lia) ltac:(eauto)). lia.
Qed.
Lemma trees_each xs : forall n, (n < trees_in xs)%N -> exists k x, List.nth_error xs k = Some x /\ is_tree x = true /\ trees_before xs k = n.
Proof.
  induction xs as [|x xs IH]; intros n L; cbn [length trees_before] in L; [lia|]. destruct (is_tree x) eqn:Tx.
  - destruct (N.eq_dec n 0) as [->|]; [exists 0%nat, x; auto|]. destruct (IH (N.pred n)) as (k & y & Ny & Ty & E); [lia|]. exists (S k), y. cbn [trees_before List.nth_error]. rewrite Tx, E. split; [exact Ny|]. split; [exact Ty | lia].
  - destruct (IH n) as (k & y & Ny & Ty & E); [lia|]. exists (S k), y. cbn [trees_before List.nth_error]. rewrite Tx, E. auto.
Qed.

(** ** The fields *)

Definition first_same (r : surroundings) (all : list content) (x : content) : slot := match x with
  | TreeBelow _ (Some g) => match nth all g with Some y => held_by r y | None => Forgotten end
  | HandedBelow _ _ => same_is r | _ => Forgotten end.
(** A ring begins, and ends, at a byte of the node. *)
Definition above_it (r : surroundings) (x : content) : slot := match x with RingBelow _ e => at_byte (to_node r) e | _ => to_node r end.
Definition below_it (r : surroundings) (x : content) : slot := match x with RingBelow _ e => at_byte (to_node r) e | _ => NullSlot end.
Definition hangs (r : surroundings) (w : slot) (x : content) (s : N) : folded := {| symbol := s; above := above_it r x; same := w; below := below_it r x |}.
Definition handed_keys (ys : list (content * slot)) : list N := flat_map (fun '(x, v) => match x, v with HandedBelow _ (FromField _), Folded g => [g] | _, _ => [] end) ys.
Record fields_right (r : surroundings) (all : list content) (m : member_state) (xs : list content) (vs : list slot) (m2 : member_state) : Prop := {
  fields_else : held m2 = held m /\ objects_held m2 = objects_held m /\ place_of m2 = place_of m /\ size_of m2 = size_of m /\ consumed_of m2 = consumed_of m;
  fields_given : given (parts_held m2) = (given (parts_held m) + trees_in xs)%N;
  fields_before : forall g, (g < given (parts_held m))%N -> find (parts_held m2) g = find (parts_held m) g;
  fields_many : length vs = length xs;
  fields_slots : forall k x, List.nth_error xs k = Some x -> List.nth_error vs k = Some (match symbol_below x with Some _ => Folded (given (parts_held m) + trees_before xs k) | None => held_by r x end);
  fields_parts : forall k x s, List.nth_error xs k = Some x -> symbol_below x = Some s -> find (parts_held m2) (given (parts_held m) + trees_before xs k) = Some (hangs r (first_same r all x) x s);
  fields_keys : NoDup (handed_keys (List.combine xs vs)) /\ forall g, In g (handed_keys (List.combine xs vs)) -> (given (parts_held m) <= g)%N }.
Lemma part_added m q : find (parts_held (snd (add_part m q))) (given (parts_held m)) = Some q /\ given (parts_held (snd (add_part m q))) = N.succ (given (parts_held m)) /\
  forall g, (g < given (parts_held m))%N -> find (parts_held (snd (add_part m q))) g = find (parts_held m) g.
Proof.
  unfold add_part, added. cbn [snd with_parts parts_held]. rewrite find_put, N.eqb_refl. split; auto. split; [reflexivity|]. intros g L. rewrite find_put. destruct (N.eqb_spec g (given (parts_held m))); [lia | reflexivity].
Qed.
Lemma fields_are r all xs : forall m vs fs m2, fields_of_node r all m xs = (vs, fs, m2) -> fields_right r all m xs vs m2.
Proof.
  induction xs as [|x xs IH]; intros m vs fs m2 H; cbn [fields_of_node] in H.
  - injection H as <- _ <-. split; auto; cbn; try (intros [|k] y; discriminate); try (intros [|k] y s; discriminate); [lia | split; [constructor | intros ? []]].
  - assert (Plain : symbol_below x = None -> (let '(vs0, fs0, m0) := fields_of_node r all m xs in (held_by r x :: vs0, [] ++ fs0, m0)) = (vs, fs, m2) -> fields_right r all m (x :: xs) vs m2).
    { intros Sx Hp. destruct (fields_of_node r all m xs) as [[vs0 fs0] m0] eqn:F. injection Hp as <- _ <-. destruct (IH _ _ _ _ F) as [A B C D S Pa [K1 K2]]. assert (Tx : is_tree x = false) by (unfold is_tree; rewrite Sx; reflexivity).
      assert (Ky : handed_keys (List.combine (x :: xs) (held_by r x :: vs0)) = handed_keys (List.combine xs vs0)) by (cbn; destruct x; try reflexivity; discriminate).
      split; auto.
      - cbn [length trees_before]. rewrite Tx. lia.
      - cbn [length]. congruence.
      - intros [|k] y Ny; cbn [List.nth_error trees_before] in *; [injection Ny as <-; rewrite Sx; reflexivity | rewrite Tx, N.add_0_l; apply S; exact Ny].
      - intros [|k] y s Ny Sy; cbn [List.nth_error trees_before] in *; [injection Ny as <-; congruence | rewrite Tx, N.add_0_l; apply Pa; assumption].
      - rewrite Ky. auto. }
    assert (Hang : forall s w, symbol_below x = Some s -> w = first_same r all x -> (let '(f, m1) := add_part m (hangs r w x s) in let '(vs0, fs0, m0) := fields_of_node r all m1 xs in (Folded f :: vs0, [f] ++ fs0, m0)) = (vs, fs, m2) -> fields_right r all m (x :: xs) vs m2).
    { intros s w Sx Ew Hp. destruct (part_added m (hangs r w x s)) as (Fa & Ga & Ba). destruct (add_part m (hangs r w x s)) as [f m1] eqn:Ad. cbn [snd] in Fa, Ga, Ba.
      assert (Ef : f = given (parts_held m) /\ held m1 = held m /\ objects_held m1 = objects_held m /\ place_of m1 = place_of m /\ size_of m1 = size_of m /\ consumed_of m1 = consumed_of m) by (unfold add_part, added in Ad; injection Ad as <- <-; repeat split).
      destruct Ef as (-> & E1). destruct (fields_of_node r all m1 xs) as [[vs0 fs0] m0] eqn:F. injection Hp as <- _ <-. destruct (IH _ _ _ _ F) as [A B C D S Pa [K1 K2]]. assert (Tx : is_tree x = true) by (unfold is_tree; rewrite Sx; reflexivity).
      split.
      - destruct A as (A1 & A2 & A3 & A4 & A5), E1 as (E1 & E2 & E3 & E4 & E5). repeat split; congruence.
      - rewrite B, Ga. cbn [length trees_before]. rewrite Tx. lia.
      - intros g L. rewrite C by lia. apply Ba. exact L.
      - cbn [length]. congruence.
      - intros [|k] y Ny; cbn [List.nth_error trees_before] in *; [injection Ny as <-; rewrite Sx, N.add_0_r; reflexivity|]. rewrite Tx, (S k y Ny), Ga. destruct (symbol_below y); [do 2 f_equal; lia | reflexivity].
      - intros [|k] y s' Ny Sy; cbn [List.nth_error trees_before] in *.
        + injection Ny as <-. rewrite Sx in Sy. injection Sy as <-. rewrite N.add_0_r, C, Fa by lia. congruence.
        + rewrite Tx. replace (given (parts_held m) + (1 + trees_before xs k))%N with (given (parts_held m1) + trees_before xs k)%N by lia. apply Pa; assumption.
      - assert (Ky : exists l, handed_keys (List.combine (x :: xs) (Folded (given (parts_held m)) :: vs0)) = l ++ handed_keys (List.combine xs vs0) /\ (l = [] \/ l = [given (parts_held m)])).
        { cbn. destruct x as [v| | |s1 g|s1 [j|]| |s1 e|j]; try (exists []; auto; fail). exists [given (parts_held m)]. auto. }
        destruct Ky as (kl & Ek & El); rewrite Ek; destruct El as [El|El]; rewrite El; cbn [app]; (split; [|intros g I]).
        + exact K1.
        + specialize (K2 g I). lia.
        + constructor; [intros I; specialize (K2 _ I); lia | exact K1].
        + destruct I as [<-|I]; [lia | specialize (K2 g I); lia]. }
    destruct x as [v| | |s g|s from| |s e|j]; try (apply Plain; [reflexivity | exact H]).
    + eapply (Hang s); [reflexivity | reflexivity | exact H].
    + eapply (Hang s); [reflexivity | reflexivity | exact H].
    + eapply (Hang s); [reflexivity | reflexivity | exact H].
Qed.
(** *** What leads to the last cells of rings *)

Definition slot_in (r : surroundings) (base : N) (xs : list content) (k : nat) (x : content) : slot := match symbol_below x with
  | Some _ => Folded (base + trees_before xs k)
  | None => match x with
    | LastBelow g => match nth xs g with Some (RingBelow _ _) => Last (base + trees_before xs (N.to_nat g)) | _ => Forgotten end
    | x => held_by r x end end.
Lemma lasts_at all ws : forall xs vs k x v, List.nth_error xs k = Some x -> List.nth_error vs k = Some v ->
  List.nth_error (List.map (leads_to_last all ws) (List.combine xs vs)) k = Some (leads_to_last all ws (x, v)).
Proof. induction xs as [|a xs IH]; intros [|w vs] [|k] x v Nx Nv; try discriminate; cbn in *; [injection Nx as <-; injection Nv as <-; reflexivity | eauto]. Qed.
Lemma lasts_keys all ws : forall xs vs, handed_keys (List.combine xs (List.map (leads_to_last all ws) (List.combine xs vs))) = handed_keys (List.combine xs vs).
Proof.
  induction xs as [|a xs IH]; intros [|w vs]; try reflexivity. cbn [List.combine List.map handed_keys flat_map]. f_equal; [destruct a; reflexivity | apply IH].
Qed.
Lemma final_slots r all m xs vs m2 : fields_right r all m xs vs m2 -> length (with_lasts xs vs) = length xs /\
  forall k x, List.nth_error xs k = Some x -> List.nth_error (with_lasts xs vs) k = Some (slot_in r (given (parts_held m)) xs k x).
Proof.
  intros [_ _ _ L S _ _]. split; [unfold with_lasts; rewrite map_length, combine_length; lia|]. intros k x Nx. unfold with_lasts.
  rewrite (lasts_at _ _ _ _ _ _ _ Nx (S k x Nx)). unfold slot_in. destruct x as [v| | |s g|s from| |s e|j]; try reflexivity. cbn [symbol_below leads_to_last]. rewrite !nth_number.
  destruct (List.nth_error xs (N.to_nat j)) as [z|] eqn:Nz; [|reflexivity]. rewrite (S _ _ Nz). destruct z; reflexivity.
Qed.
(** *** What is handed on *)

Definition with_same (q : folded) (w : slot) : folded := {| symbol := symbol q; above := above q; same := w; below := below q |}.
Lemma handed_are vs ys : NoDup (handed_keys ys) -> forall m s m3 s', folded_left (hand_on vs) ys m s = Gives m3 s' -> s' = s /\
  (held m3 = held m /\ objects_held m3 = objects_held m /\ place_of m3 = place_of m /\ size_of m3 = size_of m /\ consumed_of m3 = consumed_of m) /\ given (parts_held m3) = given (parts_held m) /\
  (forall g, ~ In g (handed_keys ys) -> find (parts_held m3) g = find (parts_held m) g) /\
  forall sy j g, In (HandedBelow sy (FromField j), Folded g) ys -> exists v q, nth vs j = Some v /\ find (parts_held m) g = Some q /\ find (parts_held m3) g = Some (with_same q v).
Proof.
  induction ys as [|[x w] ys IH]; intros Nd m s m3 s' H; cbn [folded_left] in H; [injection H as <- <-; repeat split; auto; intros ? ? ? []|].
  assert (Plain : (forall sy j g, (x, w) <> (HandedBelow sy (FromField j), Folded g)) -> hand_on vs m (x, w) = ret m /\ handed_keys ((x, w) :: ys) = handed_keys ys).
  { intros N. destruct x as [v| | |s1 g|s1 [j|]| | |]; try (split; reflexivity). destruct w; try (split; reflexivity). destruct (N _ _ _ eq_refl). }
  assert (D : (exists sy j g, (x, w) = (HandedBelow sy (FromField j), Folded g)) \/ forall sy j g, (x, w) <> (HandedBelow sy (FromField j), Folded g)).
  { destruct x as [v| | |s1 g|s1 [j|]| | |]; try (right; intros; discriminate). destruct w; try (right; intros; discriminate). left. eauto. }
  destruct D as [(sy & j & g & [= -> ->])|N].
  - cbn [handed_keys flat_map app] in Nd. inversion_clear Nd as [|? ? Ng Nd']. fold (handed_keys ys) in Ng, Nd'. cbn [hand_on] in H. unfold bind at 1 in H. unfold bind at 1, some at 1 in H. destruct (nth vs j) as [v|] eqn:Nv; [|discriminate]. unfold ret at 1 in H.
    unfold bind at 1, part_at, some in H. destruct (find (parts_held m) g) as [q|] eqn:Fq; [|discriminate]. unfold ret at 1 2 in H.
    destruct (IH Nd' _ _ _ _ H) as (-> & (A1 & A2 & A3 & A4 & A5) & B & C & Ha). cbn [with_parts parts_held held objects_held place_of size_of consumed_of] in *. split; auto. split; [repeat split; assumption|]. split; [exact B|]. split.
    + intros k Nk. rewrite C by (intros I; apply Nk; right; exact I). rewrite find_put. destruct (N.eqb_spec k g) as [->|]; [destruct Nk; left; reflexivity | reflexivity].
    + intros sy' j' g' [[= <- <- <-]|I].
      * exists v, q. split; auto. split; auto. rewrite C by exact Ng. rewrite find_put, N.eqb_refl. reflexivity.
      * destruct (Ha sy' j' g' I) as (v' & q' & Nv' & Fq' & F3). exists v', q'. split; auto. split; auto. rewrite find_put in Fq'. destruct (N.eqb_spec g' g) as [->|]; [|exact Fq'].
        destruct Ng. unfold handed_keys. apply in_flat_map. exists (HandedBelow sy' (FromField j'), Folded g). split; [exact I | left; reflexivity].
  - destruct (Plain N) as [Eh Ek]. unfold bind at 1 in H. rewrite Eh in H. unfold ret at 1 in H. rewrite Ek in *. destruct (IH Nd _ _ _ _ H) as (-> & A & B & C & Ha). split; auto. split; [exact A|]. split; [exact B|]. split; [exact C|].
    intros sy j g [E|I]; [destruct (N sy j g E) | eauto].
Qed.
Definition final_same (r : surroundings) (all : list content) (vs : list slot) (x : content) : slot := match x with
  | HandedBelow _ (FromField j) => match nth vs j with Some v => v | None => Forgotten end | x => first_same r all x end.
Lemma node_parts r all m xs vs fs m2 s m3 s' : fields_of_node r all m xs = (vs, fs, m2) -> folded_left (hand_on (with_lasts xs vs)) (List.combine xs (with_lasts xs vs)) m2 s = Gives m3 s' -> s' = s /\
  (held m3 = held m /\ objects_held m3 = objects_held m /\ place_of m3 = place_of m /\ size_of m3 = size_of m /\ consumed_of m3 = consumed_of m) /\ given (parts_held m3) = (given (parts_held m) + trees_in xs)%N /\
  (forall g, (g < given (parts_held m))%N -> find (parts_held m3) g = find (parts_held m) g) /\
  forall k x sy, List.nth_error xs k = Some x -> symbol_below x = Some sy -> find (parts_held m3) (given (parts_held m) + trees_before xs k) = Some (hangs r (final_same r all (with_lasts xs vs) x) x sy).
Proof.
  intros F H. pose proof (fields_are _ _ _ _ _ _ _ F) as Fr. destruct (final_slots _ _ _ _ _ _ Fr) as [_ Sf]. destruct Fr as [(A1 & A2 & A3 & A4 & A5) B C D S Pa [K1 K2]].
  rewrite <- (lasts_keys xs vs) in K1, K2. fold (with_lasts xs vs) in K1, K2. destruct (handed_are _ _ K1 _ _ _ _ H) as (-> & (A1' & A2' & A3' & A4' & A5') & B' & C' & Ha).
  split; auto. split; [repeat split; congruence|]. split; [congruence|]. split.
  - intros g L. rewrite C'; [apply C; exact L|]. intros I. specialize (K2 g I). lia.
  - intros k x sy Nx Sx. pose proof (Sf k x Nx) as Nv. unfold slot_in in Nv. rewrite Sx in Nv. assert (In_ : In (x, Folded (given (parts_held m) + trees_before xs k)) (List.combine xs (with_lasts xs vs))).
    { clear - Nx Nv. revert Nx Nv. generalize (given (parts_held m) + trees_before xs k)%N as n. generalize (with_lasts xs vs) as ws. clear vs. intros vs n. clear m. revert k vs. induction xs as [|a xs IH]; intros [|k] [|b vs] Nx Nv; try discriminate; cbn in *; [left; congruence | right; eauto]. }
    pose proof (Pa k x sy Nx Sx) as Fp. assert (Other : (forall sy j, x <> HandedBelow sy (FromField j)) -> find (parts_held m3) (given (parts_held m) + trees_before xs k) = Some (hangs r (first_same r all x) x sy)).
    { intros Nh. rewrite C'; [exact Fp|]. intros I. unfold handed_keys in I. apply in_flat_map in I as ([y w] & Iy & J). destruct y as [v| | |s1 g|s1 [j|]| | |]; try (destruct J; fail). destruct w as [| | | | |g|]; try (destruct J; fail). destruct J as [->|[]].
      assert (Ex : exists k', List.nth_error xs k' = Some (HandedBelow s1 (FromField j)) /\ List.nth_error (with_lasts xs vs) k' = Some (Folded (given (parts_held m) + trees_before xs k))).
      { clear - Iy. revert Iy. generalize (with_lasts xs vs) as ws. clear vs. intros vs. revert vs. generalize (Folded (given (parts_held m) + trees_before xs k)) as w. induction xs as [|a xs IH]; intros w [|b vs] I; try (destruct I; fail). destruct I as [[= -> ->]|I]; [exists 0%nat; auto | destruct (IH w vs I) as (k' & Hk); exists (Datatypes.S k'); exact Hk]. }
      destruct Ex as (k' & Nx' & Nv'). pose proof (Sf k' _ Nx') as Nv2. cbn [slot_in symbol_below] in Nv2. rewrite Nv' in Nv2. injection Nv2 as Eq.
      destruct (Nat.lt_trichotomy k k') as [L|[->|L]].
      - pose proof (trees_rise xs k k' L) as Ri. assert (Lk : (k' <= length xs)%nat) by (apply Nat.lt_le_incl, nth_error_Some; congruence). specialize (Ri Lk ltac:(exists x; split; [exact Nx | unfold is_tree; rewrite Sx; reflexivity])). lia.
      - rewrite Nx in Nx'. injection Nx' as ->. apply (Nh s1 j). reflexivity.
      - pose proof (trees_rise xs k' k L) as Ri. assert (Lk : (k <= length xs)%nat) by (apply Nat.lt_le_incl, nth_error_Some; congruence). specialize (Ri Lk ltac:(exists (HandedBelow s1 (FromField j)); split; [exact Nx' | reflexivity])). lia. }
    destruct x as [v| | |s1 g|s1 [j|]| |s1 e|j]; try discriminate; try (apply Other; intros; discriminate).
    destruct (Ha s1 j _ In_) as (v & q & Nvj & Fq & F3). rewrite Fp in Fq. injection Fq as <-. rewrite F3. cbn [final_same]. rewrite Nvj. reflexivity.
Qed.

(** ** The node *)

Section Node.
Variable l : N.
Variable m : member_state.
Variable f : N.
Variable p : folded.
Hypothesis part_here : find (parts_held m) f = Some p.
Hypothesis part_given : (f < given (parts_held m))%N.
Hypothesis objects_numbered_ : numbered_right (objects_held m).
(** Its declaration, and to which byte of it pointers to it lead. *)
Variables d b : N.
Variables zero one : N.
Variable K : model.
Hypothesis zero_is : vl K zero = 0.
Hypothesis one_is : vl K one = 1.
Notation nu := (valued K).
Notation slots_same := (SameInputs.slots_same nu nu).
Variable xs : list content.
Notation name := (fst (vacant m d)).
Lemma vacant_is : find (objects_held m) name = None /\ (name < given (objects_held (snd (vacant m d))))%N /\ (given (objects_held m) <= given (objects_held (snd (vacant m d))))%N /\
  (forall o, find (objects_held (snd (vacant m d))) o = find (objects_held m) o) /\ held (snd (vacant m d)) = held m /\ parts_held (snd (vacant m d)) = parts_held m.
Proof.
  assert (New : find (objects_held m) (given (objects_held m)) = None) by (destruct (find (objects_held m) (given (objects_held m))) as [x|] eqn:F; [pose proof (objects_numbered_ _ _ F); lia | reflexivity]).
  unfold vacant. destruct (find (objects_held m) d) as [x|] eqn:F.
  - cbn [fst snd with_objects objects_held one_more_number given held parts_held]. split; [exact New|]. split; [lia|]. split; [lia|]. auto.
  - destruct (N.ltb_spec d (given (objects_held m))) as [L|L]; cbn [fst snd with_objects objects_held one_more_number given held parts_held]; [split; [exact F|]; split; [exact L|]; split; [lia|]; auto | split; [exact New|]; split; [lia|]; split; [lia|]; auto].
Qed.
(** The rest of a segment, if there is one; and what stands around the node. *)
Variable mr : member_state.
Variables root_ last_ up_ hole_ : slot.
Variable rest_ : option (N * folded).
Hypothesis rest_tables : held mr = held m /\ objects_held mr = objects_held (snd (vacant m d)).
Hypothesis rest_given : given (parts_held mr) = match rest_ with None => given (parts_held m) | Some _ => N.succ (given (parts_held m)) end.
Hypothesis rest_stays : forall g, (g < given (parts_held m))%N -> find (parts_held mr) g = find (parts_held m) g.
Hypothesis rest_is : forall r q, rest_ = Some (r, q) -> r = given (parts_held m) /\ find (parts_held mr) r = Some q.
Variables root last up hole : FoldedMembers.slot.
Hypothesis root_same : slots_same root (slot_of root_).
Hypothesis last_same : slots_same last (slot_of last_).
Hypothesis up_same : slots_same up (slot_of up_).
Hypothesis hole_same : slots_same hole (slot_of hole_).
Variable rest_part : option (nat * FoldedMembers.part).
Hypothesis rest_same : match rest_part, rest_ with
  | Some (r, q), Some (r', q') => r = N.to_nat r' /\ SameInputs.folded_same nu nu q (part_of q') | None, None => True | _, _ => False end.
Let r := {| to_node := PointerSlot name zero b; up_is := up_; same_is := same p; hole_is := hole_ |}.
Variables (vs : list slot) (fs : list N) (m2 m3 : member_state) (s s' : state).
Hypothesis fields_made : fields_of_node r xs mr xs = (vs, fs, m2).
Notation ws := (with_lasts xs vs).
Hypothesis handed_on : folded_left (hand_on ws) (List.combine xs ws) m2 s = Gives m3 s'.
Let y := {| named := name; declaration := d; life_of := Live; lower := zero; upper := one; field_states := List.map (fun v => {| cells := [v]; rest := None |}) ws |}.
Let m6 := with_objects m3 (put (objects_held m3) name y).
Let cs := List.map content_in xs.
Let base := given (parts_held mr).

Definition child_at (k : nat) : nat := match List.nth_error xs k with
  | Some x => if is_tree x then N.to_nat (base + trees_before xs k) else (N.to_nat base + length xs + k)%nat
  | None => (N.to_nat base + length xs + k)%nat end.
Definition is_child (k g : nat) : bool := match List.nth_error xs k with Some x => is_tree x && Nat.eqb (child_at k) g | None => false end.
Definition fresh_at (g : nat) : option FoldedMembers.part := match List.find (fun k => is_child k g) (seq 0 (length xs)) with
  | Some k => match List.nth_error cs k with
    | Some (Opening.HoldsTree sy e) => Some (Opening.child_part (part_of p) (N.to_nat name) (Z.of_N b) cs child_at up hole sy e)
    | Some (Opening.HoldsRing sy e) => Some (Opening.ring_part (N.to_nat name) sy e)
    | _ => None end
  | None => match rest_part with Some (n, q) => if Nat.eqb g n then Some q else None | None => None end end.
Lemma tree_rank k x : List.nth_error xs k = Some x -> is_tree x = true -> (trees_before xs k < trees_in xs)%N.
Proof. intros Nx Tx. apply trees_rise; [apply nth_error_Some; congruence | lia | eauto]. Qed.
Lemma children_apart j k : (j < length cs)%nat -> (k < length cs)%nat -> child_at j = child_at k -> j = k.
Proof.
  unfold cs. rewrite map_length. intros Lj Lk. unfold child_at. destruct (List.nth_error xs j) as [x|] eqn:Nx; [|apply nth_error_None in Nx; lia]. destruct (List.nth_error xs k) as [z|] eqn:Nz; [|apply nth_error_None in Nz; lia].
  pose proof (trees_at_most xs j) as Mj. pose proof (trees_at_most xs k) as Mk. pose proof (trees_at_most xs (length xs)) as Mx. destruct (is_tree x) eqn:Tx, (is_tree z) eqn:Tz; intros Eq; try lia.
  - destruct (Nat.lt_trichotomy j k) as [L|[->|L]]; auto; exfalso.
    + pose proof (trees_rise xs j k L ltac:(lia) ltac:(eauto)). lia.
    + pose proof (trees_rise xs k j L ltac:(lia) ltac:(eauto)). lia.
  - pose proof (tree_rank j x Nx Tx). lia.
  - pose proof (tree_rank k z Nz Tz). lia.
Qed.
Lemma base_more : (given (parts_held m) <= base)%N.
Proof. unfold base. rewrite rest_given. destruct rest_; lia. Qed.
Lemma child_late k : (N.to_nat base <= child_at k)%nat.
Proof. unfold child_at. destruct (List.nth_error xs k) as [x|]; [destruct (is_tree x)|]; lia. Qed.
Lemma content_at k c : List.nth_error cs k = Some c -> exists x, List.nth_error xs k = Some x /\ c = content_in x.
Proof. unfold cs. rewrite nth_error_map. destruct (List.nth_error xs k) as [x|]; [|discriminate]. intros [= <-]. eauto. Qed.
Lemma tree_content x sy e : content_in x = Opening.HoldsTree sy e -> exists s0, symbol_below x = Some s0 /\ sy = N.to_nat s0 /\ is_tree x = true.
Proof. destruct x; cbn; try discriminate; intros [= <- _]; eexists; repeat split. Qed.
Lemma ring_content x sy e : content_in x = Opening.HoldsRing sy e -> is_tree x = true.
Proof. destruct x; cbn; try discriminate; reflexivity. Qed.
Lemma child_found k x : List.nth_error xs k = Some x -> is_tree x = true -> List.find (fun j => is_child j (child_at k)) (seq 0 (length xs)) = Some k.
Proof.
  intros Nx Tx. assert (Lk : (k < length xs)%nat) by (apply nth_error_Some; congruence). destruct (List.find _ _) as [j|] eqn:F.
  - apply find_some in F as [I F]. apply in_seq in I. unfold is_child in F. destruct (List.nth_error xs j) as [z|] eqn:Nz; [|discriminate]. apply andb_prop in F as [_ F]. apply Nat.eqb_eq in F. f_equal. apply children_apart; unfold cs; rewrite ?map_length; auto; lia.
  - exfalso. pose proof (find_none _ _ F k ltac:(apply in_seq; lia)) as N. cbn beta in N. unfold is_child in N. rewrite Nx, Tx, Nat.eqb_refl in N. discriminate.
Qed.
Lemma rests : (rest_part = None /\ rest_ = None /\ base = given (parts_held m)) \/ exists q q', rest_part = Some (N.to_nat (given (parts_held m)), q) /\ rest_ = Some (given (parts_held m), q') /\
  SameInputs.folded_same nu nu q (part_of q') /\ find (parts_held mr) (given (parts_held m)) = Some q' /\ base = N.succ (given (parts_held m)).
Proof.
  unfold base. rewrite rest_given. pose proof rest_is as Ri. destruct rest_part as [[n q]|], rest_ as [[n' q']|]; try contradiction; [|auto]. right. destruct rest_same as [-> S]. destruct (Ri n' q' eq_refl) as [-> F]. exists q, q'. auto.
Qed.
Lemma names_are : Opening.names_fresh (member_of l m) (part_of p) (N.to_nat name) (Z.of_N b) cs child_at up hole rest_part fresh_at.
Proof.
  pose proof base_more as Bm. pose proof child_late as Lc. split.
  - apply children_apart.
  - intros k _. rewrite parts_of_member. pose proof (child_late k). lia.
  - intros k sy e Nc. destruct (content_at k _ Nc) as (x & Nx & Ec). symmetry in Ec. destruct (tree_content x sy e Ec) as (s0 & _ & _ & Tx). unfold fresh_at. rewrite (child_found k x Nx Tx), Nc. reflexivity.
  - intros k sy e Nc. destruct (content_at k _ Nc) as (x & Nx & Ec). symmetry in Ec. unfold fresh_at. rewrite (child_found k x Nx (ring_content x sy e Ec)), Nc. reflexivity.
  - intros n q Er. destruct rests as [(Rp & _)|(q0 & q' & Rp & _ & _ & _ & Eb)]; rewrite Rp in Er; [discriminate|]. injection Er as <- <-. rewrite parts_of_member. split; [lia|].
    split; [|intros k _; specialize (Lc k); lia]. unfold fresh_at. destruct (List.find _ _) as [k|] eqn:F.
    + apply find_some in F as [_ F]. unfold is_child in F. destruct (List.nth_error xs k); [|discriminate]. apply andb_prop in F as [_ F]. apply Nat.eqb_eq in F. specialize (Lc k). lia.
    + rewrite Rp, Nat.eqb_refl. reflexivity.
  - intros g q _ Fg. unfold fresh_at in Fg. destruct (List.find _ _) as [k|] eqn:F.
    + right. apply find_some in F as [_ F]. unfold is_child in F. destruct (List.nth_error xs k); [|discriminate]. apply andb_prop in F as [_ F]. apply Nat.eqb_eq in F.
      destruct (List.nth_error cs k) as [[| | | |sy e|sy e|]|] eqn:Nc; try discriminate; injection Fg as <-; [left | right]; exists k, sy, e; auto.
    + left. destruct rest_part as [[n q']|]; [|discriminate]. destruct (Nat.eqb_spec g n) as [->|]; [congruence | discriminate].
  - rewrite object_named_is, N2Nat.id. destruct vacant_is as (F & _). rewrite F. destruct (Nat.ltb _ _); reflexivity.
Qed.

(** *** What fields hold, and what is handed on *)

Lemma value_same x : symbol_below x = None -> slots_same (Opening.value (part_of p) up hole (content_in x)) (slot_of (held_by r x)).
Proof. destruct x as [v| | |s1 g|s1 from| |s1 e|j]; cbn; intros H; try discriminate; auto using slots_refl. Qed.
Lemma below_same x : symbol_below x <> None -> held_by r x = Forgotten /\ Opening.value (part_of p) up hole (content_in x) = FoldedMembers.forgotten.
Proof. destruct x; cbn; intros H; try congruence; auto. Qed.
Lemma any_same x : slots_same (Opening.value (part_of p) up hole (content_in x)) (slot_of (held_by r x)).
Proof. destruct (symbol_below x) eqn:Sx; [|apply value_same; exact Sx]. destruct (below_same x ltac:(congruence)) as [-> ->]. reflexivity. Qed.
Lemma slots_here : fields_right r xs mr xs vs m2.
Proof. eapply fields_are. exact fields_made. Qed.
Lemma cell_same k x : List.nth_error xs k = Some x -> exists v, List.nth_error ws k = Some v /\ slots_same (Opening.cell_slot (part_of p) cs child_at up hole k (content_in x)) (slot_of v).
Proof.
  intros Nx. pose proof (proj2 (final_slots _ _ _ _ _ _ slots_here) k x Nx) as Nv. eexists. split; [exact Nv|]. unfold slot_in. fold base. destruct (symbol_below x) as [s0|] eqn:Sx.
  - assert (Tx : is_tree x = true) by (unfold is_tree; rewrite Sx; reflexivity). assert (Ec : Opening.cell_slot (part_of p) cs child_at up hole k (content_in x) = FoldedMembers.RootOf (child_at k)) by (destruct x; try discriminate; reflexivity).
    rewrite Ec. unfold child_at. rewrite Nx, Tx. reflexivity.
  - destruct x as [v| | |s1 g|s1 from| |s1 e|j]; try discriminate; try (apply (value_same (Held v)); reflexivity); try exact up_same; try exact hole_same; try apply slots_refl.
    cbn [content_in Opening.cell_slot]. unfold cs. rewrite nth_number, nth_error_map. destruct (List.nth_error xs (N.to_nat j)) as [z|] eqn:Nz; cbn [option_map]; [|reflexivity].
    destruct z as [v| | |s1 g|s1 from| |s1 e|i]; try reflexivity. cbn [content_in]. unfold child_at. rewrite Nz. reflexivity.
Qed.
Lemma given_same x sy e : content_in x = Opening.HoldsTree sy e -> slots_same (Opening.given_slot (part_of p) cs child_at up hole e) (slot_of (final_same r xs ws x)).
Proof.
  destruct x as [v| | |s1 g|s1 [j|]| | |]; cbn; try discriminate; intros [= _ <-]; cbn.
  - destruct g as [g|]; [|reflexivity]. cbn. rewrite nth_number. unfold cs. rewrite nth_error_map. destruct (List.nth_error xs (N.to_nat g)) as [z|]; [apply any_same | reflexivity].
  - rewrite nth_number. unfold cs. rewrite nth_error_map. destruct (List.nth_error xs (N.to_nat j)) as [z|] eqn:Nz; cbn [option_map].
    + destruct (cell_same _ _ Nz) as (v & -> & S). exact S.
    + assert (Nv : List.nth_error ws (N.to_nat j) = None) by (apply nth_error_None; rewrite (proj1 (final_slots _ _ _ _ _ _ slots_here)); apply nth_error_None; exact Nz). rewrite Nv. reflexivity.
  - apply slots_refl.
Qed.
Lemma fields_same_ : Forall2 (SameInputs.fields_same nu nu) (FoldedMembers.contents (Opening.node_state (part_of p) (N.to_nat d) cs child_at up hole)) (List.map field_of (field_states y)).
Proof.
  cbn [Opening.node_state FoldedMembers.contents]. unfold y. cbn [field_states]. pose proof (proj1 (final_slots _ _ _ _ _ _ slots_here)) as Lv.
  assert (All : forall n ks, length ks = n -> forall us, (forall j, (j < n)%nat -> exists v, List.nth_error us j = Some v /\ slots_same (Opening.field_slot (part_of p) cs child_at up hole (List.nth j ks 0%nat)) (slot_of v)) -> length us = n ->
    Forall2 (SameInputs.fields_same nu nu) (List.map (fun k => {| FoldedMembers.apart := [Opening.field_slot (part_of p) cs child_at up hole k]; FoldedMembers.rest := None |}) ks) (List.map field_of (List.map (fun v => {| cells := [v]; rest := None |}) us))).
  { induction n as [|n IH]; intros [|k ks] Lk us H Lw; try discriminate; destruct us as [|w us]; try discriminate; cbn [List.map]; constructor.
    - destruct (H 0%nat ltac:(lia)) as (v & [= <-] & S). split; [constructor; [exact S | constructor] | exact Logic.I].
    - apply IH; [injection Lk; auto | intros j Lj; exact (H (S j) ltac:(lia)) | injection Lw; auto]. }
  apply (All (length xs)); [unfold cs; rewrite seq_length, map_length; reflexivity | | exact Lv].
  intros j Lj. destruct (List.nth_error xs j) as [x|] eqn:Nx; [|apply nth_error_None in Nx; lia]. destruct (cell_same j x Nx) as (v & Nv & S). exists v. split; [exact Nv|].
  rewrite seq_nth by (unfold cs; rewrite map_length; exact Lj). cbn [Nat.add]. unfold Opening.field_slot, cs. rewrite nth_error_map, Nx. exact S.
Qed.
Theorem node_opens : exists m1, Opening.opens (member_of l m) m1 (N.to_nat f) (part_of p) (N.to_nat name) (N.to_nat d) (Z.of_N b) cs child_at root last up hole rest_part fresh_at /\
  SameInputs.tables_same nu nu m1 (member_of l (replace_part m6 f root_ last_)).
Proof.
  destruct (node_parts r xs mr xs vs fs m2 s m3 s' fields_made handed_on) as (_ & (H3 & O3 & _) & G3 & B3 & P3). destruct rest_tables as [Hr Or]. destruct vacant_is as (Fn & Ln & Lo & Fo & Hv & Pv). pose proof base_more as Bm. fold base in G3, B3, P3.
  assert (Later : (given (objects_held m) <= given (objects_held m6))%N) by (unfold m6; cbn [with_objects objects_held put given]; rewrite O3, Or; exact Lo).
  assert (More : (given (parts_held m) <= given (parts_held m6))%N) by (unfold m6; cbn [with_objects parts_held]; rewrite G3; lia).
  assert (Same6 : held m6 = held m) by (unfold m6; cbn [with_objects held]; congruence).
  set (node := Some (N.to_nat name, Opening.node_state (part_of p) (N.to_nat d) cs child_at up hole)).
  assert (Objects : forall o, (o < given (objects_held m6))%N -> match node with
    | Some (n, x) => if Nat.eqb (N.to_nat o) n then FoldedMembers.object_named (member_of l m) n = None /\ exists z, find (objects_held m6) o = Some z /\ SameInputs.objects_same nu nu x (object_of z)
      else find (objects_held m6) o = (if (o <? given (objects_held m))%N then find (objects_held m) o else None)
    | None => find (objects_held m6) o = (if (o <? given (objects_held m))%N then find (objects_held m) o else None) end).
  { intros o _. unfold node. destruct (Nat.eqb_spec (N.to_nat o) (N.to_nat name)) as [Eq|Ne].
    - apply N2Nat.inj in Eq. subst o. split; [rewrite object_named_is, N2Nat.id, Fn; destruct (Nat.ltb _ _); reflexivity|]. exists y. split; [unfold m6; cbn [with_objects objects_held]; rewrite find_put, N.eqb_refl; reflexivity|].
      split; try reflexivity; [| |exact fields_same_]; cbn [object_of y lower upper Opening.node_state FoldedMembers.begins FoldedMembers.ends]; rewrite valued_term; simpl; assumption.
    - unfold m6. cbn [with_objects objects_held]. rewrite find_put, O3, Or, Fo. destruct (N.eqb_spec o name) as [->|_]; [congruence|]. destruct (N.ltb_spec o (given (objects_held m))) as [L|L]; [reflexivity|].
      destruct (find (objects_held m) o) as [z|] eqn:Fz; [pose proof (objects_numbered_ o z Fz); lia | reflexivity]. }
  assert (Given : forall n x, node = Some (n, x) -> (n < N.to_nat (given (objects_held m6)))%nat).
  { intros n x [= <- _]. unfold m6. cbn [with_objects objects_held put given]. rewrite O3, Or. lia. }
  assert (Stay : forall g, (g < given (parts_held m))%N -> find (parts_held m6) g = find (parts_held m) g) by (intros g L; unfold m6; cbn [with_objects parts_held]; rewrite B3 by lia; apply rest_stays; exact L).
  assert (Come : forall g, (given (parts_held m) <= g < given (parts_held m6))%N -> SameInputs.both (SameInputs.folded_same nu nu) (fresh_at (N.to_nat g)) (option_map part_of (find (parts_held m6) g))).
  { intros g [L1 L2]. unfold m6 in L2 |- *. cbn [with_objects parts_held] in L2 |- *. rewrite G3 in L2. destruct (N.lt_ge_cases g base) as [Lb|Lb].
    - destruct rests as [(_ & _ & Eb)|(q & q' & Rp & _ & Sq & Fr & Eb)]; [lia|]. assert (g = given (parts_held m)) as -> by lia.
      destruct (Opening.rest_made _ _ _ _ _ _ _ _ _ _ names_are _ _ Rp) as (_ & -> & _). rewrite B3 by lia. rewrite Fr. exact Sq.
    - destruct (trees_each xs (g - base)%N) as (k & x & Nx & Tx & Ek); [lia|]. destruct (symbol_below x) as [s0|] eqn:Sx; [|unfold is_tree in Tx; rewrite Sx in Tx; discriminate].
      assert (Eg : N.to_nat g = child_at k) by (unfold child_at; rewrite Nx, Tx; lia). pose proof (P3 k x s0 Nx Sx) as Fp. replace (base + trees_before xs k)%N with g in Fp by lia. rewrite Fp.
      assert (Zero : forall e, slots_same (FoldedMembers.Plain (Members.PointerSlot (N.to_nat name) (Terms.Constant 0) (Z.of_N e))) (slot_of (PointerSlot name zero e))) by (intros e; split; [reflexivity|]; split; [rewrite valued_term; simpl; exact zero_is | reflexivity]).
      assert (Ec : (exists e, content_in x = Opening.HoldsTree (N.to_nat s0) e /\ above_it r x = to_node r /\ below_it r x = NullSlot) \/ exists e, x = RingBelow s0 e) by (destruct x; try discriminate; injection Sx as ->; first [left; eexists; repeat split; reflexivity | right; eexists; reflexivity]).
      destruct Ec as [(e & Ec & Ea & Eb)|(e & ->)].
      2: { assert (Nc : List.nth_error cs k = Some (Opening.HoldsRing (N.to_nat s0) (Z.of_N e))) by (unfold cs; rewrite nth_error_map, Nx; reflexivity).
        rewrite Eg, (Opening.rings_made _ _ _ _ _ _ _ _ _ _ names_are _ _ _ Nc). cbn [option_map SameInputs.both]. split; [reflexivity | exact (Zero e) | reflexivity | exact (Zero e)]. }
      assert (Nc : List.nth_error cs k = Some (Opening.HoldsTree (N.to_nat s0) e)) by (unfold cs; rewrite nth_error_map, Nx; cbn [option_map]; rewrite Ec; reflexivity).
      rewrite Eg, (Opening.children_made _ _ _ _ _ _ _ _ _ _ names_are _ _ _ Nc). cbn [option_map SameInputs.both]. split; [reflexivity| | |cbn [Opening.child_part FoldedMembers.below part_of hangs below]; rewrite Eb; reflexivity].
      + cbn [Opening.child_part FoldedMembers.above part_of hangs above]. rewrite Ea. exact (Zero b).
      + cbn [Opening.child_part FoldedMembers.alongside part_of hangs same]. exact (given_same x _ _ Ec). }
  assert (Fresh : forall g q, fresh_at g = Some q -> (g < N.to_nat (given (parts_held m6)))%nat).
  { intros g q Fg. unfold m6. cbn [with_objects parts_held]. rewrite G3. unfold fresh_at in Fg. destruct (List.find _ _) as [k|] eqn:F.
    - apply find_some in F as [_ F]. unfold is_child in F. destruct (List.nth_error xs k) as [x|] eqn:Nx; [|discriminate]. apply andb_prop in F as [Tx F]. apply Nat.eqb_eq in F. subst g. unfold child_at. rewrite Nx, Tx. pose proof (tree_rank k x Nx Tx). lia.
    - destruct rests as [(Rp & _)|(q0 & q' & Rp & _ & _ & _ & Eb)]; rewrite Rp in Fg; [discriminate|]. destruct (Nat.eqb_spec g (N.to_nat (given (parts_held m)))) as [->|]; [lia | discriminate]. }
  exists (behind l m m6 f root last node fresh_at). split; [split; [|exact names_are]|].
  - eapply behind_changes; try eassumption. exact Objects.
  - eapply behind_same; eassumption.
Qed.
End Node.
