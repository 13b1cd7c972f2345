(** Outcomes of [Load] and [Store] (spec/calculus.md#memory): which cell an
    address names. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Members Effects Computing Pointers.
Import ListNotations.
Open Scope Z_scope.

Section Accesses.
Variable P : program.
Variable under : parameters.
Variable few : nat.

(** ** Where an access reaches *)

(** Of a live object: a field, what it holds, and the index of the element. *)
Record hit := { hit_spot : spot; hit_index : term; hit_field : nat; hit_state : field_state; hit_type : type }.
(** The bounds are numbers that the cells cover, where there is no rest. *)
Definition covers x f := match rest f, known_value (begins x), known_value (ends x) with
  | Some _, _, _ => true
  | None, Some l, Some u => (0 <=? l) && (u <=? Z.of_nat (length (apart f)))
  | None, _, _ => false end.
Definition hits off t p : option hit :=
  let size := size_of P (there p) in
  let i := Plus (at_index p) (Constant ((at_byte p + off) / size)) in
  match field_at (layout_at P (kind (there p))) ((at_byte p + off) mod size) t 0 with
  | None => None
  | Some (f, from) => match nth_error (held (there p)) f with
    | None => None
    | Some s => if covers (there p) s then Some {| hit_spot := p; hit_index := i; hit_field := f; hit_state := s; hit_type := from |} else None end end.

(** ** Places: where the element at the index may stand *)

Definition evidently_not l := evident (negation l).
Definition unless_evident ls := filter (fun l => negb (evident l)) ls.
Definition place_at within l e v : list literal * element * slot := (unless_evident (within ++ [l]), e, v).
Definition cell_here i x c := match known_value i with Some z => z =? c | None => true end && match known_value (begins x) with Some l => l <=? c | None => true end.
Fixpoint cell_places within i x l c := match l with
  | [] => []
  | v :: l => (if cell_here i x (Z.of_nat c) then [place_at within (Equal (Minus i (Constant (Z.of_nat c)))) (AtCell c) v] else []) ++
    cell_places within i x l (S c) end.
Definition rest_places within i x f := match rest f with
  | None => []
  | Some a =>
    let place l := if evidently_not l then [] else [place_at within l (AtRest i) (IntegerSlot (Select a i))] in
    place (at_most (Constant (Z.of_nat (length (apart f)))) i) ++
    match known_value (begins x) with
    | Some l => if 0 <=? l then [] else place (AtMost (Plus i (Constant 1)))
    | None => place (AtMost (Plus i (Constant 1))) end end.
Definition places h := let x := there (hit_spot h) in let within := inside x (hit_index h) 0 in
  cell_places within (hit_index h) x (apart (hit_state h)) 0 ++ rest_places within (hit_index h) x (hit_state h).

(** ** What a slot of one type is as another type of its width *)

Definition is_in_type T t := forallb evident (in_type T t).
Definition as_type v from to : option (list (list literal * slot)) :=
  if type_eqb from to then Some [([], v)] else match v, to with
  | Forgotten, _ => None
  | IntegerSlot _, PointerType => None
  | IntegerSlot t, IntegerType T => if integer_type_eqb T Bool then None else Some (
      if is_in_type T t then [([], v)] else [
        (in_type T t, v);
        ([above T t], IntegerSlot (Minus t (Constant (period T))));
        ([below T t], IntegerSlot (Plus t (Constant (period T))))])
  | _, _ => Some [([], v)] end.

Fixpoint all_some {A} (l : list (option A)) : option (list A) := match l with
  | [] => Some []
  | Some a :: l => option_map (cons a) (all_some l)
  | None :: _ => None end.
Lemma all_some_in {A} (l : list (option A)) : forall l' y, all_some l = Some l' -> (In y l <-> exists a, y = Some a /\ In a l').
Proof.
  induction l as [|[a|] l IH]; simpl; intros l' y; [| | discriminate].
  - intros [= <-]. split; [contradiction | intros (a & _ & [])].
  - destruct (all_some l) as [l0|]; [|discriminate]. intros [= <-]. specialize (IH l0 y eq_refl). split.
    + intros [<-|I]; [exists a; simpl; auto|]. apply IH in I as (b & E & I). exists b. simpl. auto.
    + intros (b & -> & [->|I]); [auto | right; apply IH; eauto].
Qed.

(** ** Lists *)

Definition failures h := map fails_at (outside (there (hit_spot h)) (hit_index h) 0).
Definition loads r off (p : option spot) : option (list outcome) := match p with
  | None => Some [exactly [] FailsHere]
  | Some p => match hits off (type_of P r) p with
    | None => None
    | Some h => option_map (fun l => concat l ++ failures h) (all_some (map (fun q : list literal * element * slot =>
        option_map (map (fun c : list literal * slot => exactly (fst (fst q) ++ fst c) (Sets r (snd c)))) (as_type (snd q) (hit_type h) (type_of P r))) (places h)))
    end end.
Definition is_read_only d := match origin_of (declaration_of P d) with Static _ _ ReadOnly => true | _ => false end.
Definition may_hold (e : element) (v : slot) := match e, v with AtCell _, _ | AtRest _, IntegerSlot _ => true | AtRest _, _ => false end.
Definition stores m r off (p : option spot) : option (list outcome) := match p with
  | None => Some [exactly [] FailsHere]
  | Some p => match hits off (type_of P r) p with
    | None => None
    | Some h => match slot_at m r, type_of P r with
      | Forgotten, IntegerType _ => None
      | v, _ => if is_read_only (kind (there p)) then Some [exactly [] FailsHere] else match as_type v (type_of P r) (hit_type h) with
        | None => None
        | Some cs => if forallb (fun q : list literal * element * slot => forallb (fun c => may_hold (snd (fst q)) (snd c)) cs) (places h)
          then Some (flat_map (fun q : list literal * element * slot => map (fun c : list literal * slot => exactly (fst (fst q) ++ fst c)
            (Writes (object_of p) (hit_field h) (snd (fst q)) (snd c))) cs) (places h) ++ failures h)
          else None end end end end.

(** ** They are sound lists *)

Section Member.
Variables (n : nat) (nu : valuation) (m : member).
Hypothesis sorted : well_sorted nu.
Hypothesis tidy_ground : tidy P (ground P nu m).
Notation g := (ground P nu m).
Notation sound_list := (Effects.sound_list P under few n nu m).
Notation happens := (Effects.happens nu).
Notation reaches := (Effects.reaches P few n m nu).
Notation value_of := (Members.value_of nu).

Lemma unless_evident_holds ls : Forall (holds nu) (unless_evident ls) <-> Forall (holds nu) ls.
Proof.
  induction ls as [|l ls IH]; simpl; [tauto|]. destruct (evident l) eqn:E; simpl.
  - rewrite IH. split; intros H; [constructor; auto; apply evident_holds; auto | inversion H; auto].
  - split; intros H; inversion_clear H; constructor; auto; apply IH; auto.
Qed.
Definition place_holds (q : list literal * element * slot) := Forall (holds nu) (fst (fst q)).

Section Hit.
Variables (p : spot) (off : Z) (t : type) (h : hit).
Hypothesis here : spot_here m p.
Hypothesis hit_here : hits off t p = Some h.
Notation x := (there p).
Notation i := (eval nu (hit_index h)).
Notation f := (hit_state h).

Lemma hit_parts : hit_spot h = p /\ nth (hit_field h) (held x) no_field = f /\ (hit_field h < length (held x))%nat /\ covers x f = true.
Proof.
  unfold hits in hit_here. destruct (field_at _ _ _ _) as [[fi u]|]; [|discriminate]. destruct (nth_error (held x) fi) as [s|] eqn:N; [|discriminate].
  destruct (covers x s) eqn:C; [|discriminate]. injection hit_here as <-. cbn [hit_spot hit_field hit_state]. split; auto. split; [|split; auto].
  - apply nth_error_nth. exact N.
  - apply nth_error_Some. congruence.
Qed.
Lemma hit_place a : use_pointer g a = Ok (Some (pointer_at nu p)) ->
  place P g a off t = Ok ({| target := object_of p; index := i; byte := (at_byte p + off) mod size_of P x |}, hit_field h, hit_type h).
Proof.
  intros U. unfold place. rewrite U. cbn [bind]. cbv zeta. unfold Machine.move, size_at. cbn [pointer_at target index byte]. rewrite (object_here P nu m p here).
  cbn [ground_object declared]. fold (size_of P x). unfold hits in hit_here. fold (layout_at P (kind x)).
  destruct (field_at _ _ _ _) as [[fi u]|]; [|discriminate]. destruct (nth_error (held x) fi) as [s|]; [|discriminate].
  destruct (covers x s); [|discriminate]. injection hit_here as <-. reflexivity.
Qed.
Lemma hit_inside : is_inside (ground_object nu x) i = true <-> is_in nu x (hit_index h) 0.
Proof. unfold is_inside, is_in. simpl. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. lia. Qed.

Lemma known_is u z : known_value u = Some z -> eval nu u = z.
Proof. apply known_value_eval. exact sorted. Qed.

(** Inside the bounds a place is the one where the element stands, and its slot
    is what the element holds. *)
Definition stands_at (q : list literal * element * slot) := match snd (fst q) with
  | AtCell c => i = Z.of_nat c /\ (c < length (apart f))%nat /\ snd q = slot_apart f i
  | AtRest u => u = hit_index h /\ is_apart f i = false /\ exists a, rest f = Some a /\ snd q = IntegerSlot (Select a u) end.
Lemma cell_places_sound within l : forall c q, In q (cell_places within (hit_index h) x l c) ->
  exists j, (j < length l)%nat /\ q = place_at within (Equal (Minus (hit_index h) (Constant (Z.of_nat (c + j))))) (AtCell (c + j)) (nth j l NothingHeld).
Proof.
  induction l as [|v l IH]; intros c q; simpl; [contradiction|]. intros I. apply in_app_or in I as [I|I].
  - destruct (cell_here _ _ _); [|destruct I]. destruct I as [<-|[]]. exists O. rewrite Nat.add_0_r. split; auto. lia.
  - destruct (IH _ _ I) as (j & L & ->). exists (S j). replace (c + S j)%nat with (S c + j)%nat by lia. split; auto. lia.
Qed.
Lemma cell_places_complete within l : forall c j, (j < length l)%nat -> cell_here (hit_index h) x (Z.of_nat (c + j)) = true ->
  In (place_at within (Equal (Minus (hit_index h) (Constant (Z.of_nat (c + j))))) (AtCell (c + j)) (nth j l NothingHeld)) (cell_places within (hit_index h) x l c).
Proof.
  induction l as [|v l IH]; intros c j L H; simpl in L; [lia|]. simpl. apply in_or_app. destruct j as [|j].
  - left. rewrite Nat.add_0_r in H |- *. rewrite H. simpl. auto.
  - right. replace (c + S j)%nat with (S c + j)%nat in * by lia. apply IH; auto. lia.
Qed.
Lemma place_sound q : In q (places h) -> place_holds q -> is_in nu x (hit_index h) 0 /\ stands_at q.
Proof.
  destruct hit_parts as (Hs & _). unfold places. rewrite Hs. set (w := inside x (hit_index h) 0). intros I H.
  assert (X : forall l e v, place_holds (place_at w l e v) -> is_in nu x (hit_index h) 0 /\ holds nu l).
  { unfold place_holds, place_at. simpl. intros l e v F. apply (proj1 (unless_evident_holds _)) in F. apply Forall_app in F as [F1 F2]. split; [apply inside_holds; auto|].
    inversion F2; auto. }
  apply in_app_or in I as [I|I].
  - apply cell_places_sound in I as (j & L & ->). apply X in H as [In E]. split; auto. simpl in E. unfold stands_at. cbn [fst snd place_at].
    assert (Ei : i = Z.of_nat j) by lia. rewrite Ei. split; auto. split; auto. unfold slot_apart. rewrite Nat2Z.id. auto.
  - unfold rest_places in I. destruct (rest f) as [a|] eqn:R; [|contradiction].
    assert (Y : forall l, (holds nu l -> is_apart f i = false) -> In q (if evidently_not l then [] else [place_at w l (AtRest (hit_index h)) (IntegerSlot (Select a (hit_index h)))]) ->
      is_in nu x (hit_index h) 0 /\ stands_at q).
    { intros l A J. destruct (evidently_not l); [contradiction|]. destruct J as [<-|[]]. apply X in H as [In E]. split; auto.
      unfold stands_at. cbn [fst snd place_at]. split; [reflexivity|]. split; [apply A; exact E|]. exists a. auto. }
    apply in_app_or in I as [I|I].
    + eapply Y; [|exact I]. simpl. intros E. unfold is_apart. apply andb_false_iff. right. apply Z.ltb_ge. lia.
    + assert (Low : forall E : holds nu (AtMost (Plus (hit_index h) (Constant 1))), is_apart f i = false).
      { simpl. intros E. unfold is_apart. apply andb_false_iff. left. apply Z.leb_gt. lia. }
      destruct (known_value (begins x)) as [z|]; [destruct (0 <=? z); [contradiction|]|]; eapply Y; eauto.
Qed.
Lemma place_complete : is_in nu x (hit_index h) 0 -> exists q, In q (places h) /\ place_holds q.
Proof.
  destruct hit_parts as (Hs & _ & _ & Cv). intros B. unfold places. rewrite Hs. set (w := inside x (hit_index h) 0).
  assert (W : Forall (holds nu) w) by (apply inside_holds; auto).
  assert (X : forall l e v, holds nu l -> place_holds (place_at w l e v)).
  { intros l e v H. unfold place_holds, place_at. simpl. apply (proj2 (unless_evident_holds _)). apply Forall_app. auto. }
  destruct (is_apart f i) eqn:A.
  - unfold is_apart in A. apply andb_prop in A as [A1 A2]. apply Z.leb_le in A1. apply Z.ltb_lt in A2.
    exists (place_at w (Equal (Minus (hit_index h) (Constant (Z.of_nat (0 + Z.to_nat i))))) (AtCell (0 + Z.to_nat i)) (nth (Z.to_nat i) (apart f) NothingHeld)).
    assert (N : Z.of_nat (0 + Z.to_nat i) = i) by lia. split.
    + apply in_or_app. left. apply cell_places_complete; [lia|]. unfold cell_here. rewrite N.
      apply andb_true_intro. split.
      * destruct (known_value (hit_index h)) as [z|] eqn:K; auto. apply known_is in K. apply Z.eqb_eq. auto.
      * destruct (known_value (begins x)) as [z|] eqn:K; auto. apply known_is in K. apply Z.leb_le. unfold is_in in B. lia.
    + apply X. cbn [holds eval Minus]. rewrite N. cbn [holds eval]. lia.
  - assert (N : i < 0 \/ Z.of_nat (length (apart f)) <= i).
    { unfold is_apart in A. apply andb_false_iff in A as [A|A]; [apply Z.leb_gt in A | apply Z.ltb_ge in A]; auto. }
    unfold covers in Cv. unfold rest_places. destruct (rest f) as [a|] eqn:R.
    + assert (Y : forall l, holds nu l -> exists q, In q (if evidently_not l then [] else [place_at w l (AtRest (hit_index h)) (IntegerSlot (Select a (hit_index h)))]) /\ place_holds q).
      { intros l Hl. unfold evidently_not. destruct (evident (negation l)) eqn:Ev.
        - apply (evident_holds nu) in Ev; auto. apply negation_holds in Ev. contradiction.
        - eexists. split; [left; reflexivity | apply X; auto]. }
      destruct N as [N|N].
      * destruct (Y (AtMost (Plus (hit_index h) (Constant 1)))) as (q & I & H); [simpl; lia|]. exists q. split; auto. apply in_or_app. right. apply in_or_app. right.
        destruct (known_value (begins x)) as [z|] eqn:K; auto. destruct (Z.leb_spec 0 z); auto. apply known_is in K. unfold is_in in B. lia.
      * destruct (Y (at_most (Constant (Z.of_nat (length (apart f)))) (hit_index h))) as (q & I & H); [simpl; lia|]. exists q. split; auto. apply in_or_app. right. apply in_or_app. left. exact I.
    + destruct (known_value (begins x)) as [l|] eqn:K; [|discriminate]. destruct (known_value (ends x)) as [u|] eqn:K'; [|discriminate].
      apply known_is in K, K'. apply andb_prop in Cv as [C1 C2]. apply Z.leb_le in C1, C2. unfold is_in in B. lia.
Qed.
(** What the element holds, in the machine. *)
Lemma place_value q : In q (places h) -> place_holds q -> read (field_of (ground_object nu x) (hit_field h)) i = value_of (snd q).
Proof.
  intros I H. destruct (place_sound q I H) as [_ S]. destruct hit_parts as (_ & N & _). rewrite field_ground, N, read_ground.
  unfold stands_at in S. destruct (snd (fst q)) as [c|u].
  - destruct S as (E & L & ->). assert (A : is_apart f i = true).
    { unfold is_apart. apply andb_true_intro. split; [apply Z.leb_le | apply Z.ltb_lt]; lia. }
    rewrite A. auto.
  - destruct S as (-> & -> & a & -> & ->). reflexivity.
Qed.

(** *** Conversions *)

Lemma is_in_type_within T u : is_in_type T u = true -> within T (eval nu u).
Proof.
  unfold is_in_type. intros H. apply in_type_within. rewrite forallb_forall in H. rewrite Forall_forall. intros l I. apply evident_holds; auto.
Qed.
Lemma as_type_sound v from to cs : as_type v from to = Some cs -> as_wide from to = true -> value_in from (value_of v) ->
  exists w, convert from to (value_of v) = Ok w /\
    (exists c, In c cs /\ Forall (holds nu) (fst c)) /\ forall c, In c cs -> Forall (holds nu) (fst c) -> value_of (snd c) = w.
Proof.
  unfold as_type, convert. intros H Wd V. destruct (type_eqb from to) eqn:E.
  - injection H as <-. eexists. split; [reflexivity|]. split; [eexists; split; [left; reflexivity | constructor]|]. intros c [<-|[]] _. reflexivity.
  - assert (Same : forall v', v' = v -> cs = [([], v)] -> (exists w, Ok (value_of v) = Ok w /\ (exists c, In c cs /\ Forall (holds nu) (fst c)) /\ forall c, In c cs -> Forall (holds nu) (fst c) -> value_of (snd c) = w)).
    { intros v' _ ->. eexists. split; [reflexivity|]. split; [eexists; split; [left; reflexivity | constructor]|]. intros c [<-|[]] _. reflexivity. }
    destruct v as [| |u| |o j b]; try discriminate; try (destruct to as [[]|]; injection H as <-; apply (Same _ eq_refl eq_refl)).
    destruct to as [T|]; [|discriminate]. destruct (integer_type_eqb T Bool) eqn:NB; [discriminate|]. injection H as <-.
    assert (N : T <> Bool) by (intros ->; discriminate). exists (Integer (wrap T (eval nu u))).
    assert (Cv : match value_of (IntegerSlot u) with Integer z => match T with Bool => Stop Unsupported | T => Ok (Integer (wrap T z)) end | w => Ok w end = Ok (Integer (wrap T (eval nu u)))).
    { simpl. destruct T; congruence || reflexivity. }
    split; [simpl in Cv |- *; destruct T; try congruence; exact Cv|].
    destruct from as [S|]; [|discriminate]. simpl in Wd, V. apply Z.eqb_eq in Wd.
    destruct (is_in_type T u) eqn:It.
    + apply is_in_type_within in It. split; [eexists; split; [left; reflexivity | constructor]|]. intros c [<-|[]] _. simpl. rewrite wrap_same; auto.
    + assert (B : least T - period T <= eval nu u <= greatest T + period T).
      { destruct (integer_type_eqb S Bool) eqn:SB.
        - apply integer_type_eqb_eq in SB. subst S. unfold within, period in *. destruct T; simpl in *; try congruence; lia.
        - eapply same_width_period; [exact Wd | intros ->; discriminate | exact N | exact V]. }
      split.
      * destruct (Z_lt_ge_dec (eval nu u) (least T)); [|destruct (Z_lt_ge_dec (greatest T) (eval nu u))].
        -- eexists. split; [right; right; left; reflexivity|]. constructor; [apply below_holds; auto | constructor].
        -- eexists. split; [right; left; reflexivity|]. constructor; [apply above_holds; auto | constructor].
        -- eexists. split; [left; reflexivity|]. apply in_type_holds. unfold within. lia.
      * intros c [<-|[<-|[<-|[]]]] F; cbn [fst snd] in *; cbn [Members.value_of eval Minus]; f_equal; symmetry.
        -- apply in_type_holds in F. apply wrap_same. exact F.
        -- inversion_clear F as [|? ? A _]. apply above_holds in A. pose proof (period_positive T). apply Integers.convert with (k := -1); unfold within, period in *; lia.
        -- inversion_clear F as [|? ? A _]. apply below_holds in A. pose proof (period_positive T). apply Integers.convert with (k := 1); unfold within, period in *; lia.
Qed.
End Hit.

Lemma field_at_wide l a u : forall k j v, field_at l a u k = Some (j, v) -> as_wide v u = true.
Proof.
  induction l as [|y l IH]; intros k j v; simpl; [discriminate|]. destruct (_ && _) eqn:E; [intros [= <- <-]; apply andb_prop in E as [_ E]; exact E | apply IH].
Qed.
Lemma as_wide_sym a b : as_wide a b = as_wide b a.
Proof. destruct a, b; simpl; auto. apply Z.eqb_sym. Qed.
Lemma hit_wide p off t h : hits off t p = Some h -> as_wide (hit_type h) t = true.
Proof.
  unfold hits. destruct (field_at _ _ _ _) as [[fi u]|] eqn:F; [|discriminate]. destruct (nth_error _ _); [|discriminate]. destruct (covers _ _); [|discriminate].
  intros [= <-]. eapply field_at_wide. exact F.
Qed.
Lemma failures_hit p off t h : hits off t p = Some h -> failures h = map fails_at (outside (there p) (hit_index h) 0).
Proof.
  unfold hits. destruct (field_at _ _ _ _) as [[fi u]|]; [|discriminate]. destruct (nth_error _ _); [|discriminate]. destruct (covers _ _); [|discriminate].
  intros [= <-]. reflexivity.
Qed.

(** A list that has outcomes for places and conversions, and failures outside. *)
Lemma access_sound p off t h (os : list outcome) y : spot_here m p -> hits off t p = Some h -> (forall d, step P under g d = y) ->
  (is_in nu (there p) (hit_index h) 0 -> (exists o, In o os /\ happens o)) ->
  (forall o, In o os -> happens o -> is_in nu (there p) (hit_index h) 0 /\ reaches (effect_of o) y) ->
  (~ is_in nu (there p) (hit_index h) 0 -> exists f, y = fails f) -> sound_list (os ++ failures h).
Proof.
  intros Hp Hh E Ex Re Fa. rewrite (failures_hit _ _ _ _ Hh). eapply determined; [exact sorted | exact E | |].
  - assert (D : is_in nu (there p) (hit_index h) 0 \/ ~ is_in nu (there p) (hit_index h) 0) by (unfold is_in; lia). destruct D as [D|D].
    + destruct (Ex D) as (o & I & H). exists o. split; auto. apply in_or_app. auto.
    + pose proof D as D'. apply outside_holds in D' as (l & I & H); [|exact sorted]. exists (fails_at l). split; [apply in_or_app; right; apply in_map; auto | constructor; auto].
  - intros o I H. apply in_app_or in I as [I|I]; [apply Re; auto|]. apply in_map_iff in I as (l & <- & I). inversion_clear H as [|? ? H' _].
    apply Fa. apply outside_holds; [exact sorted|]. eauto.
Qed.

(** Elements of objects that pointers lead to are in the range of the fields' types. *)
Theorem loads_sound r a off p os : (forall s, p = Some s -> spot_here m s) -> use_pointer g a = Ok (option_map (pointer_at nu) p) ->
  (forall s h, p = Some s -> hits off (type_of P r) s = Some h -> is_in nu (there s) (hit_index h) 0 -> forall q, In q (places h) -> place_holds q ->
    as_type (snd q) (hit_type h) (type_of P r) <> None -> value_in (hit_type h) (value_of (snd q)) \/ type_eqb (hit_type h) (type_of P r) = true) ->
  (forall d, step P under g d = Machine.load P g r a off) -> loads r off p = Some os -> sound_list os.
Proof.
  intros Hp U V E. unfold Machine.load in E. unfold loads. destruct p as [p|].
  - specialize (Hp p eq_refl). specialize (V p). destruct (hits off (type_of P r) p) as [h|] eqn:Hh; [|discriminate].
    specialize (V h eq_refl eq_refl). cbn [option_map] in U. rewrite (hit_place p off _ h Hp Hh a U) in E. cbn [bind] in E. cbv beta iota zeta in E. cbn [target index] in E.
    rewrite (object_here P nu m p Hp) in E. fold (field_of (ground_object nu (there p)) (hit_field h)) in E.
    set (conv := fun q : list literal * element * slot => option_map (map (fun c : list literal * slot => exactly (fst (fst q) ++ fst c) (Sets r (snd c)))) (as_type (snd q) (hit_type h) (type_of P r))).
    destruct (all_some (map conv (places h))) as [ls|] eqn:As; [|discriminate]. intros [= <-].
    assert (Each : forall q, In q (places h) -> exists cs, as_type (snd q) (hit_type h) (type_of P r) = Some cs /\ In (map (fun c : list literal * slot => exactly (fst (fst q) ++ fst c) (Sets r (snd c))) cs) ls).
    { intros q I. pose proof (proj1 (all_some_in _ _ (conv q) As) (in_map _ _ _ I)) as (l & El & Il). unfold conv in El.
      destruct (as_type _ _ _) as [cs|]; [|discriminate]. injection El as <-. eauto. }
    assert (Conv : forall q cs, In q (places h) -> place_holds q -> is_in nu (there p) (hit_index h) 0 -> as_type (snd q) (hit_type h) (type_of P r) = Some cs ->
      exists w, convert (hit_type h) (type_of P r) (value_of (snd q)) = Ok w /\
        (exists c, In c cs /\ Forall (holds nu) (fst c)) /\ forall c, In c cs -> Forall (holds nu) (fst c) -> value_of (snd c) = w).
    { intros q cs I Hq B Hc. destruct (V B q I Hq) as [Vi|Te]; [congruence | |].
      - eapply as_type_sound; eauto. eapply hit_wide; eauto.
      - unfold as_type in Hc. rewrite Te in Hc. injection Hc as <-. unfold convert. rewrite Te. eexists. split; [reflexivity|]. split; [eexists; split; [left; reflexivity | constructor]|].
        intros c [<-|[]] _. reflexivity. }
    assert (Value : forall q, In q (places h) -> place_holds q -> read (field_of (ground_object nu (there p)) (hit_field h)) (eval nu (hit_index h)) = value_of (snd q)).
    { intros q. eapply place_value; eauto. }
    eapply access_sound; eauto.
    + intros B. destruct (place_complete p off _ h Hh B) as (q & I & Hq). destruct (Each q I) as (cs & Hc & Il).
      destruct (Conv q cs I Hq B Hc) as (w & _ & (c & Ic & Fc) & _). eexists. split.
      * apply in_concat. eexists. split; [exact Il|]. apply in_map. exact Ic.
      * unfold Effects.happens. cbn [literals exactly]. apply Forall_app. auto.
    + intros o I Ho. apply in_concat in I as (l & Il & Io). pose proof (proj2 (all_some_in _ _ (Some l) As) (ex_intro _ l (conj eq_refl Il))) as Im.
      apply in_map_iff in Im as (q & Cq & Iq). unfold conv in Cq. destruct (as_type (snd q) _ _) as [cs|] eqn:Hc; [|discriminate]. injection Cq as <-.
      apply in_map_iff in Io as (c & <- & Ic). unfold Effects.happens in Ho. cbn [literals exactly] in Ho. apply Forall_app in Ho as [H1 H2].
      destruct (place_sound p off _ h Hh q Iq H1) as [B _]. split; auto. destruct (Conv q cs Iq H1 B Hc) as (w & Cw & _ & Fw).
      apply hit_inside in B. rewrite B, (Value q Iq H1), Cw. cbn [bind effect_of exactly]. rewrite <- (Fw c Ic H2). apply reaches_set.
    + intros B. destruct (is_inside _ _) eqn:Q; [apply hit_inside in Q; contradiction|]. eexists. reflexivity.
  - intros [= <-]. unfold place in E. rewrite U in E. simpl in E. eapply one; [exact sorted | exact E | eexists; reflexivity].
Qed.

Theorem stores_sound r a off p os : (forall s, p = Some s -> spot_here m s) -> use_pointer g a = Ok (option_map (pointer_at nu) p) ->
  value_in (type_of P r) (value_of (slot_at m r)) ->
  (forall d, step P under g d = Machine.store P g a off r) -> stores m r off p = Some os -> sound_list os.
Proof.
  intros Hp U V E. unfold Machine.store in E. unfold stores. destruct p as [p|].
  - specialize (Hp p eq_refl). destruct (hits off (type_of P r) p) as [h|] eqn:Hh; [|discriminate].
    cbn [option_map] in U. rewrite (hit_place p off _ h Hp Hh a U) in E. cbn [bind] in E. cbv beta iota zeta in E. cbn [target index] in E.
    rewrite (object_here P nu m p Hp) in E.
    assert (Mw : may_write P (ground_object nu (there p)) = negb (is_read_only (kind (there p)))).
    { unfold may_write, is_read_only. cbn [ground_object declared]. destruct (origin_of _); auto. destruct may; auto. }
    rewrite Mw in E. intros H.
    assert (H' : (if is_read_only (kind (there p)) then Some [exactly [] FailsHere] else match as_type (slot_at m r) (type_of P r) (hit_type h) with
        | None => None
        | Some cs => if forallb (fun q : list literal * element * slot => forallb (fun c => may_hold (snd (fst q)) (snd c)) cs) (places h)
          then Some (flat_map (fun q : list literal * element * slot => map (fun c : list literal * slot => exactly (fst (fst q) ++ fst c)
            (Writes (object_of p) (hit_field h) (snd (fst q)) (snd c))) cs) (places h) ++ failures h)
          else None end) = Some os).
    { destruct (slot_at m r), (type_of P r); try discriminate; exact H. }
    destruct (is_read_only (kind (there p))); simpl negb in E; cbv iota in E.
    { injection H' as <-. eapply one; [exact sorted | exact E | eexists; reflexivity]. }
    clear H. destruct (as_type _ _ _) as [cs|] eqn:Hc; [|discriminate]. destruct (forallb _ (places h)) eqn:Fi; [|discriminate]. injection H' as <-.
    pose proof (hit_wide _ _ _ _ Hh) as Wd. rewrite as_wide_sym in Wd.
    destruct (as_type_sound _ _ _ _ Hc Wd V) as (w & Cw & (c0 & Ic0 & Fc0) & Fw).
    rewrite register_ground, Cw in E. cbn [bind] in E. destruct (hit_parts p off _ h Hh) as (_ & Nf & Lf & _).
    eapply access_sound; eauto.
    + intros B. destruct (place_complete p off _ h Hh B) as (q & I & Hq). eexists. split.
      * apply in_flat_map. exists q. split; [exact I|]. apply in_map. exact Ic0.
      * unfold Effects.happens. cbn [literals exactly]. apply Forall_app. auto.
    + intros o I Ho. apply in_flat_map in I as (q & Iq & I). apply in_map_iff in I as (c & <- & Ic). unfold Effects.happens in Ho. cbn [literals exactly] in Ho.
      apply Forall_app in Ho as [H1 H2]. destruct (place_sound p off _ h Hh q Iq H1) as [B S]. split; auto.
      apply hit_inside in B. rewrite B. cbn [effect_of exactly]. rewrite <- (Fw c Ic H2). rewrite <- (object_here P nu m p Hp).
      eapply write_reaches; eauto; [apply Hp|]. rewrite Nf. unfold stands_at in S.
      rewrite forallb_forall in Fi. specialize (Fi q Iq). rewrite forallb_forall in Fi. specialize (Fi c Ic).
      destruct (snd (fst q)) as [j|u].
      * destruct S as (-> & L & _). auto.
      * destruct S as (-> & A & b & R & _). split; auto. split; auto. split; [congruence|]. destruct (snd c); try discriminate. eauto.
    + intros B. destruct (is_inside _ _) eqn:Q; [apply hit_inside in Q; contradiction|]. eexists. reflexivity.
  - intros [= <-]. unfold place in E. rewrite U in E. simpl in E. eapply one; [exact sorted | exact E | eexists; reflexivity].
Qed.
End Member.
End Accesses.
