(** Outcomes of instructions on pointers (spec/calculus.md#step): comparisons,
    [Address], [Advance], [Distance]. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Members Bounds Effects Computing.
Import ListNotations.
Open Scope Z_scope.

Section Pointers.
Variable P : program.
Variable under : parameters.
Variable few : nat.

(** ** Uses *)

(** Where a pointer points that may be used, and what the object there is. *)
Record spot := { object_of : nat; at_index : term; at_byte : Z; there : object_state }.
(** None for NULL; what is to a dead object is as good as uninitialised
    (attack B1). *)
Definition used_pointer m r : used (option spot) := match slot_at m r with
  | NullSlot => Has None
  | NothingHeld => NoValue
  | PointerSlot o i b => match object_named m o with
    | Some x => match life_of x with
      | Live => Has (Some {| object_of := o; at_index := i; at_byte := b; there := x |}) | Dead => NoValue end
    | None => NotKnown end
  | _ => NotKnown end.
Definition used_pointer_operand m (o : pointer_operand) := match o with
  | NullPointer => Has None | PointerRegister r => used_pointer m r end.

(** ** What is outside of an object, but so many elements past its last *)

Definition less s t := AtMost (Plus (Minus s t) (Constant 1)).
Definition at_most s t := AtMost (Minus s t).
Definition outside x i past := filter (fun l => negb (evident (negation l))) [less i (begins x); at_most (Plus (ends x) (Constant past)) i].
Definition inside x i past := map negation (outside x i past).
Definition fails_at l := exactly [l] FailsHere.

(** ** Comparisons *)

Definition size_of x := element_size (layout_of_declaration P (kind x)).
(** By how much one pointer into an object is above another: in elements, or in
    bytes. *)
Definition steps_between p q :=
  let indices := Minus (at_index p) (at_index q) in
  if at_byte p =? at_byte q then indices else Plus (Times (size_of (there p)) indices) (Constant (at_byte p - at_byte q)).
Definition relation_to_0 r t := match r with
  | IsEqual => Equal t | IsLess => AtMost (Plus t (Constant 1)) | IsLessOrEqual => AtMost t end.
Definition same_spot (p q : option spot) := match p, q with
  | Some p, Some q => if Nat.eqb (object_of p) (object_of q) then Some (p, q) else None | _, _ => None end.
Definition bounds_of past (p : option spot) := match p with Some p => outside (there p) (at_index p) past | None => [] end.
Definition compares r (p q : option spot) l l' : list outcome := match same_spot p q with
  | Some (p, q) => either (relation_to_0 r (steps_between p q)) (GoesTo l) (GoesTo l')
  | None => match r, p, q with
    | IsEqual, None, None => [exactly [] (GoesTo l)]
    | IsEqual, _, _ =>
      let past := match p, q with Some _, Some _ => 0 | _, _ => 1 end in
      let bounds := bounds_of past p ++ bounds_of past q in
      exactly (map negation bounds) (GoesTo l') :: flat_map (fun o => [really [o] (GoesTo l); really [o] (GoesTo l')]) bounds
    | _, _, _ => [exactly [] FailsHere] end end.

(** ** Pointers are made *)

(** So many whole elements, if the terms show that they are: how many bytes are
    left over is known. *)
Definition bytes_over t size : option Z :=
  if (0 <? size) && forallb (fun p => snd p mod size =? 0) (snd (normal t)) then Some (fst (normal t) mod size) else None.
Definition addresses m r d : option (list outcome) := if has_name P d then match living m d with
  | Some o => match object_named m o with Some x => Some [exactly [] (Sets r (PointerSlot o (begins x) 0))] | None => None end
  | None => None end else None.
Definition advances r scale (p : option spot) t : option (list outcome) := match p with
  | None => Some (either (Equal t) (Sets r NullSlot) FailsHere)
  | Some p =>
    let bytes := Plus (Constant (at_byte p)) (Times scale t) in
    let size := size_of (there p) in
    match bytes_over bytes size with
    | None => None
    | Some b =>
      let i := Plus (at_index p) (Quotient bytes size) in
      let moved := Sets r (PointerSlot (object_of p) i b) in
      Some (match formation under with
        | Anywhere => [exactly [] moved]
        | InsideObject =>
          let past := if b =? 0 then 1 else 0 in
          exactly (inside (there p) i past) moved :: map fails_at (outside (there p) i past) end) end end.
Definition distances r scale (p q : option spot) : option (list outcome) :=
  let check t := Some (checked I64 t (fun t => Sets r (IntegerSlot t))) in
  match p, q with
  | None, None => check (Constant 0)
  | _, _ => match same_spot p q with
    | None => Some [exactly [] FailsHere]
    | Some (p, q) =>
      let bytes := Plus (Times (size_of (there p)) (Minus (at_index p) (at_index q))) (Constant (at_byte p - at_byte q)) in
      match bytes_over bytes scale with Some 0 => check (Quotient bytes scale) | _ => None end end end.

(** ** They are sound lists *)

Lemma size_positive d : sizes_formed P -> 1 <= element_size (layout_of_declaration P d).
Proof.
  intros F. unfold layout_of_declaration. destruct (nth_in_or_default (layout_of (declaration_of P d)) (layouts P) no_layout) as [I|E]; [apply F; auto|].
  rewrite E. simpl. lia.
Qed.

Section Member.
Variables (n : nat) (nu : valuation) (m : member).
Hypothesis sorted : well_sorted nu.
Hypothesis sizes : sizes_formed P.
Notation g := (ground P nu m).
Notation sound_list := (Effects.sound_list P under few n nu m).
Notation happens := (Effects.happens nu).
Notation reaches := (Effects.reaches P few n m nu).

Definition pointer_at p := {| target := object_of p; index := eval nu (at_index p); byte := at_byte p |}.
Definition spot_here p := object_named m (object_of p) = Some (there p) /\ life_of (there p) = Live.
Lemma used_pointer_ground r : match used_pointer m r with
  | Has p => use_pointer g r = Ok (option_map pointer_at p) /\ match p with Some p => spot_here p /\ slot_at m r = PointerSlot (object_of p) (at_index p) (at_byte p) | None => True end
  | NoValue => exists f, use_pointer g r = fails f
  | NotKnown => True end.
Proof.
  unfold used_pointer, use_pointer. rewrite register_ground. destruct (slot_at m r) as [| |t| |o i b]; simpl; eauto.
  destruct (object_named m o) as [x|] eqn:N; auto. unfold is_live. rewrite object_ground, N. simpl. destruct (life_of x) eqn:L; simpl; eauto.
  unfold spot_here. simpl. auto.
Qed.
Lemma used_pointer_operand_ground o : match used_pointer_operand m o with
  | Has p => use_pointer_operand g o = Ok (option_map pointer_at p) /\ match p with Some p => spot_here p | None => True end
  | NoValue => exists f, use_pointer_operand g o = fails f
  | NotKnown => True end.
Proof.
  destruct o as [r|]; simpl; auto. pose proof (used_pointer_ground r) as U. destruct (used_pointer m r) as [[p|]| |]; auto.
  destruct U as [E [H _]]. auto.
Qed.
Lemma object_here p : spot_here p -> object_at g (object_of p) = ground_object nu (there p).
Proof. intros [N _]. rewrite object_ground, N. reflexivity. Qed.

(** *** What is outside *)

Lemma filtered_holds ls : Forall (holds nu) (map negation (filter (fun l => negb (evident (negation l))) ls)) <-> Forall (fun l => ~ holds nu l) ls.
Proof.
  induction ls as [|l ls IH]; simpl; [split; constructor|]. destruct (evident (negation l)) eqn:E; simpl.
  - apply (evident_holds nu) in E; auto. rewrite negation_holds in E. rewrite IH. split; [constructor; auto | intros H; inversion H; auto].
  - split; intros H; inversion_clear H as [|? ? A B]; constructor; try (apply negation_holds; auto); apply IH; auto.
Qed.
Lemma exists_or_none ls : (exists o, In o ls /\ holds nu o) \/ Forall (holds nu) (map negation ls).
Proof.
  induction ls as [|l ls [(o & I & H)|F]]; simpl; [right; constructor | left; exists o; auto|].
  destruct (holds_or_not nu l); [left; exists l; auto | right; constructor; auto].
Qed.
Lemma none_exists ls o : Forall (holds nu) (map negation ls) -> In o ls -> ~ holds nu o.
Proof. intros F I. rewrite Forall_forall in F. apply negation_holds. apply F, in_map. exact I. Qed.
Definition is_in x i past := eval nu (begins x) <= eval nu i < eval nu (ends x) + past.
Lemma inside_holds x i past : Forall (holds nu) (inside x i past) <-> is_in x i past.
Proof.
  unfold inside, outside. rewrite filtered_holds. unfold is_in. split.
  - intros H. inversion_clear H as [|? ? A B]. inversion_clear B as [|? ? C D]. simpl in A, C. lia.
  - intros H. repeat (constructor; [simpl; lia|]). constructor.
Qed.
Lemma outside_holds x i past : (exists o, In o (outside x i past) /\ holds nu o) <-> ~ is_in x i past.
Proof.
  rewrite <- inside_holds. unfold inside. split.
  - intros (o & I & H) F. apply (none_exists _ _ F I H).
  - intros F. destruct (exists_or_none (outside x i past)); [auto | contradiction].
Qed.
(** One effect inside, a failure outside. *)
Lemma bounded_sound x i past e y : (forall d, step P under g d = y) -> (is_in x i past -> reaches e y) ->
  (~ is_in x i past -> exists f, y = fails f) -> sound_list (exactly (inside x i past) e :: map fails_at (outside x i past)).
Proof.
  intros E A B. eapply determined; [exact sorted | exact E | |].
  - assert (D : is_in x i past \/ ~ is_in x i past) by (unfold is_in; lia). destruct D as [D|D].
    + eexists. split; [left; reflexivity|]. apply inside_holds. exact D.
    + pose proof D as D'. apply outside_holds in D' as (o & I & H). exists (fails_at o). split; [right; apply in_map; auto | constructor; auto].
  - intros o [<-|I] H.
    + apply A. apply inside_holds. exact H.
    + apply in_map_iff in I as (l & <- & I). inversion_clear H as [|? ? H' _]. apply B. apply outside_holds. eauto.
Qed.

(** *** Comparisons *)

Lemma address_of p : spot_here p -> address_in P g (pointer_at p) = size_of (there p) * eval nu (at_index p) + at_byte p.
Proof. intros H. unfold address_in, size_at. cbn [pointer_at target]. rewrite (object_here p H). reflexivity. Qed.
Lemma relation_to_0_holds r t : holds nu (relation_to_0 r t) <-> related r (eval nu t) 0 = true.
Proof. destruct r; simpl; rewrite ?Z.eqb_eq, ?Z.ltb_lt, ?Z.leb_le; lia. Qed.
Lemma related_steps r p q : spot_here p -> spot_here q -> there p = there q ->
  related r (address_in P g (pointer_at p)) (address_in P g (pointer_at q)) = related r (eval nu (steps_between p q)) 0.
Proof.
  intros Hp Hq E. rewrite !address_of, <- E by auto. pose proof (size_positive (kind (there p)) sizes) as S. fold (size_of (there p)) in S.
  unfold steps_between. destruct (Z.eqb_spec (at_byte p) (at_byte q)) as [B|B]; apply Bool.eq_iff_eq_true; destruct r; simpl;
  rewrite ?Z.eqb_eq, ?Z.ltb_lt, ?Z.leb_le; try rewrite B; nia.
Qed.
Lemma same_spot_ground p q : (forall s, p = Some s -> spot_here s) -> (forall s, q = Some s -> spot_here s) ->
  match same_spot p q with
  | Some (a, b) => same_object (option_map pointer_at p) (option_map pointer_at q) = Some (pointer_at a, pointer_at b) /\ spot_here a /\ spot_here b /\ there a = there b
  | None => same_object (option_map pointer_at p) (option_map pointer_at q) = None end.
Proof.
  intros Hp Hq. destruct p as [p|], q as [q|]; simpl; auto. destruct (Nat.eqb_spec (object_of p) (object_of q)) as [E|]; auto.
  specialize (Hp p eq_refl). specialize (Hq q eq_refl). split; auto. split; auto. split; auto. destruct Hp as [A _], Hq as [B _]. congruence.
Qed.
Lemma bounds_hold past p : Forall (holds nu) (map negation (bounds_of past p)) <-> match p with Some s => is_in (there s) (at_index s) past | None => True end.
Proof. destruct p as [s|]; simpl; [apply inside_holds | split; auto]. Qed.
Lemma bounds_differ p q : (forall s, p = Some s -> spot_here s) -> (forall s, q = Some s -> spot_here s) -> (p <> None \/ q <> None) ->
  let past := match p, q with Some _, Some _ => 0 | _, _ => 1 end in
  certainly_different g (option_map pointer_at p) (option_map pointer_at q) = true <->
  Forall (holds nu) (map negation (bounds_of past p ++ bounds_of past q)).
Proof.
  intros Hp Hq N past. rewrite map_app, Forall_app, !bounds_hold. unfold past.
  destruct p as [p|], q as [q|]; simpl; try (destruct N; congruence);
  repeat match goal with H : forall s, Some ?p = Some s -> _ |- _ => specialize (H p eq_refl) end;
  rewrite ?object_here by auto; unfold is_inside, is_in; simpl; rewrite ?andb_true_iff, ?Z.leb_le, ?Z.ltb_lt; lia.
Qed.
Theorem compares_sound r a b p q l l' : (forall s, p = Some s -> spot_here s) -> (forall s, q = Some s -> spot_here s) ->
  use_pointer_operand g a = Ok (option_map pointer_at p) -> use_pointer_operand g b = Ok (option_map pointer_at q) ->
  (forall d, step P under g d = bind (condition_holds P g d (PointersCompared r a b)) (fun c : bool => Ok (go (if c then l else l') g))) ->
  sound_list (compares r p q l l').
Proof.
  intros Hp Hq Ua Ub E. cbn [condition_holds] in E. rewrite Ua, Ub in E. simpl bind in E.
  pose proof (same_spot_ground p q Hp Hq) as S. unfold compares. destruct (same_spot p q) as [[s t]|].
  - destruct S as (S & Hs & Ht & Et). rewrite S in E. simpl bind in E. rewrite related_steps in E by auto.
    eapply either_sound; [exact sorted | exact E | |]; rewrite relation_to_0_holds; intros R.
    + rewrite R. apply reaches_go.
    + apply not_true_is_false in R. rewrite R. apply reaches_go.
  - rewrite S in E. destruct r.
    + destruct (match p, q with None, None => true | _, _ => false end) eqn:B.
      * destruct p, q; try discriminate. simpl in E. eapply one; [exact sorted | exact E | apply reaches_go].
      * assert (N : p <> None \/ q <> None) by (destruct p, q; try discriminate; [left | left | right]; congruence).
        set (bounds := bounds_of (match p, q with Some _, Some _ => 0 | _, _ => 1 end) p ++ bounds_of (match p, q with Some _, Some _ => 0 | _, _ => 1 end) q).
        pose proof (bounds_differ p q Hp Hq N) as D. cbv zeta in D. fold bounds in D.
        assert (E' : forall d, step P under g d = Ok (go (if (if certainly_different g (option_map pointer_at p) (option_map pointer_at q) then false else negb (number d =? 0)) then l else l') g)).
        { intros d. rewrite E. destruct p, q; try discriminate; reflexivity. }
        clear E. assert (L : sound_list (exactly (map negation bounds) (GoesTo l') :: flat_map (fun o => [really [o] (GoesTo l); really [o] (GoesTo l')]) bounds)).
        { destruct (certainly_different g (option_map pointer_at p) (option_map pointer_at q)) eqn:C.
          - assert (F : Forall (holds nu) (map negation bounds)) by (apply D; auto). eapply determined; [exact sorted | exact E' | |].
            + eexists. split; [left; reflexivity | exact F].
            + intros o [<-|I] H; [apply reaches_go|]. exfalso. apply in_flat_map in I as (k & I & J).
              destruct J as [<-|[<-|[]]]; inversion_clear H; eapply (none_exists bounds k); eauto.
          - assert (F : ~ Forall (holds nu) (map negation bounds)) by (intros F; apply D in F; congruence).
            assert (X : exists o, In o bounds /\ holds nu o).
            { destruct (exists_or_none bounds); [auto | contradiction]. }
            split.
            + intros d _. rewrite E'. destruct X as (o & I & H). destruct (negb (number d =? 0)).
              * apply taken with (really [o] (GoesTo l)); auto; [right; apply in_flat_map; exists o; simpl; auto | constructor; auto | apply reaches_go].
              * apply taken with (really [o] (GoesTo l')); auto; [right; apply in_flat_map; exists o; simpl; auto | constructor; auto | apply reaches_go].
            + intros o [<-|I] _ H; [contradiction|]. apply in_flat_map in I as (k & I & [<-|[<-|[]]]).
              * exists {| number := 1; start := 0; fills := fun _ _ => 0 |}. split; auto. rewrite E'. apply reaches_go.
              * exists still. split; auto. rewrite E'. apply reaches_go. }
        destruct p, q; try discriminate; exact L.
    + assert (E' : forall d, step P under g d = fails PointerComparison) by (intros d; rewrite E; destruct p, q; reflexivity).
      destruct p, q; (eapply one; [exact sorted | exact E' | eexists; reflexivity]).
    + assert (E' : forall d, step P under g d = fails PointerComparison) by (intros d; rewrite E; destruct p, q; reflexivity).
      destruct p, q; (eapply one; [exact sorted | exact E' | eexists; reflexivity]).
Qed.

(** *** Address *)

Hypothesis tidy_ground : tidy P g.
Lemma has_name_declared d : has_name P d = true -> (d < length (objects P))%nat.
Proof.
  intros H. destruct (Nat.lt_ge_cases d (length (objects P))); auto.
  unfold has_name, declaration_of in H. rewrite nth_overflow in H by auto. discriminate.
Qed.
Theorem addresses_sound r d os : (forall w, step P under g w = Machine.address g r d) -> addresses m r d = Some os -> sound_list os.
Proof.
  intros E. unfold addresses. destruct (has_name P d) eqn:H; [|discriminate]. destruct (living m d) as [o|] eqn:L; [|discriminate].
  destruct (object_named m o) as [x|] eqn:N; [|discriminate]. intros [= <-].
  unfold Machine.address in E. rewrite names_ground, L in E by (apply has_name_declared; auto). rewrite object_ground, N in E. simpl in E.
  eapply one; [exact sorted | exact E | apply (reaches_set P few n nu m r (PointerSlot o (begins x) 0))].
Qed.

(** *** Advance, Distance *)

Lemma bytes_over_eval t size b : bytes_over t size = Some b -> 0 < size /\ eval nu t mod size = b.
Proof.
  unfold bytes_over. destruct (Z.ltb_spec 0 size) as [S|]; simpl; [|discriminate]. destruct (forallb _ _) eqn:F; [|discriminate]. intros [= <-].
  split; auto. rewrite <- (normal_eval nu t). destruct (normal t) as [c l]. unfold eval_linear. simpl in F |- *.
  assert (X : exists k, eval_summands nu l = k * size).
  { clear c. induction l as [|[a k] l IH]; simpl in F |- *; [exists 0; lia|]. apply andb_prop in F as [K F]. apply Z.eqb_eq in K. simpl in K.
    destruct (IH F) as [j ->]. apply Z.mod_divide in K as [i ->]; [|lia]. exists (i * eval nu a + j). lia. }
  destruct X as [k ->]. apply Z.mod_add. lia.
Qed.
Lemma move_spot p scale t : spot_here p ->
  Machine.move P g (pointer_at p) (eval nu t * scale) =
  {| target := object_of p; index := eval nu (at_index p) + (at_byte p + scale * eval nu t) / size_of (there p); byte := (at_byte p + scale * eval nu t) mod size_of (there p) |}.
Proof.
  intros H. unfold Machine.move, size_at. cbn [pointer_at target index byte]. rewrite (object_here p H). cbn [ground_object declared].
  unfold size_of. rewrite (Z.mul_comm (eval nu t)). reflexivity.
Qed.
Theorem advances_sound r a i scale p t os : (forall s, p = Some s -> eval nu (begins (there s)) <= eval nu (ends (there s))) ->
  use_pointer g a = Ok (option_map pointer_at p) -> (forall s, p = Some s -> spot_here s) ->
  use_integer g i = Ok (eval nu t) -> (forall d, step P under g d = Machine.advance P under g r a i scale) ->
  advances r scale p t = Some os -> sound_list os.
Proof.
  intros Or Ua Hp Ui E. unfold Machine.advance in E. rewrite Ua, Ui in E. cbn [bind] in E. unfold advances. destruct p as [p|].
  - specialize (Hp p eq_refl). specialize (Or p eq_refl). destruct (bytes_over _ _) as [b|] eqn:B; [|discriminate]. intros [= <-].
    apply bytes_over_eval in B as [S B]. cbn [eval] in B. cbn [option_map] in E. cbv zeta in E. rewrite (move_spot p scale t Hp) in E. rewrite B in E.
    set (i' := Plus (at_index p) (Quotient (Plus (Constant (at_byte p)) (Times scale t)) (size_of (there p)))).
    assert (I : eval nu (at_index p) + (at_byte p + scale * eval nu t) / size_of (there p) = eval nu i') by reflexivity. rewrite I in E.
    cbn [target index byte] in E. rewrite (object_here p Hp) in E.
    assert (R : reaches (Sets r (PointerSlot (object_of p) i' b)) (Ok (set g r (Pointer {| target := object_of p; index := eval nu i'; byte := b |})))).
    { apply (reaches_set P few n nu m r (PointerSlot (object_of p) i' b)). }
    destruct (formation under).
    + eapply one; [exact sorted | exact E | exact R].
    + eapply bounded_sound; [exact E | |]; unfold is_in; intros J.
      * assert (T : is_inside (ground_object nu (there p)) (eval nu i') || (eval nu i' =? upper (ground_object nu (there p))) && (b =? 0) = true).
        { unfold is_inside. simpl upper. simpl lower. apply orb_true_iff. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt, !Z.eqb_eq.
          destruct (Z.eqb_spec b 0); lia. }
        rewrite T. exact R.
      * assert (T : is_inside (ground_object nu (there p)) (eval nu i') || (eval nu i' =? upper (ground_object nu (there p))) && (b =? 0) = false).
        { unfold is_inside. simpl upper. simpl lower. apply orb_false_iff. rewrite !andb_false_iff, Z.leb_gt, Z.ltb_ge, Z.eqb_neq.
          destruct (Z.eqb_spec b 0); split; auto; lia. }
        rewrite T. eexists. reflexivity.
  - intros [= <-]. cbn [option_map] in E. eapply either_sound; [exact sorted | exact E | |]; simpl; intros H.
    + apply Z.eqb_eq in H. rewrite H. apply (reaches_set P few n nu m r NullSlot).
    + apply Z.eqb_neq in H. rewrite H. eexists. reflexivity.
Qed.
Theorem distances_sound r a b scale p q os : (forall s, p = Some s -> spot_here s) -> (forall s, q = Some s -> spot_here s) ->
  use_pointer g a = Ok (option_map pointer_at p) -> use_pointer g b = Ok (option_map pointer_at q) ->
  (forall d, step P under g d = Machine.distance P g r a b scale) -> distances r scale p q = Some os -> sound_list os.
Proof.
  intros Hp Hq Ua Ub E. unfold Machine.distance in E. rewrite Ua, Ub in E. cbn [bind] in E.
  pose proof (same_spot_ground p q Hp Hq) as S. unfold distances.
  assert (Z0 : 0 mod scale = 0 /\ 0 / scale = 0) by (rewrite Zmod_0_l, Zdiv_0_l; auto).
  destruct (match p, q with None, None => true | _, _ => false end) eqn:B.
  - destruct p, q; try discriminate. intros [= <-]. cbn [option_map bind] in E. rewrite (proj1 Z0), (proj2 Z0) in E. cbn [negb Z.eqb] in E.
    eapply checked_sound with (f := PointerDifference); [exact sorted|]. exact E.
  - assert (E' : forall d, step P under g d = bind (match same_object (option_map pointer_at p) (option_map pointer_at q) with
        | Some (p, q) => Ok (address_in P g p - address_in P g q) | None => fails PointerDifference end)
        (fun bytes => if negb (bytes mod scale =? 0) then Stop Unsupported
          else if is_within I64 (bytes / scale) then Ok (set g r (Integer (bytes / scale))) else fails PointerDifference)).
    { intros d. rewrite E. destruct p, q; try discriminate; reflexivity. }
    clear E. destruct (same_spot p q) as [[s t]|].
    + destruct S as (S & Hs & Ht & Et). rewrite S in E'. simpl bind in E'.
      set (bytes := Plus (Times (size_of (there s)) (Minus (at_index s) (at_index t))) (Constant (at_byte s - at_byte t))).
      assert (By : address_in P g (pointer_at s) - address_in P g (pointer_at t) = eval nu bytes).
      { rewrite !address_of, <- Et by auto. simpl. lia. }
      rewrite By in E'. intros H. assert (H' : match bytes_over bytes scale with Some 0 => Some (checked I64 (Quotient bytes scale) (fun t => Sets r (IntegerSlot t))) | _ => None end = Some os).
      { destruct p, q; try discriminate; exact H. }
      clear H. destruct (bytes_over bytes scale) as [[| |]|] eqn:O; try discriminate. injection H' as <-.
      apply bytes_over_eval in O as [_ O]. rewrite O in E'. eapply checked_sound with (f := PointerDifference); [exact sorted|]. exact E'.
    + rewrite S in E'. intros H. assert (H' : os = [exactly [] FailsHere]) by (destruct p, q; try discriminate; congruence). subst os.
      eapply one; [exact sorted | exact E' | eexists; reflexivity].
Qed.
End Member.
End Pointers.
