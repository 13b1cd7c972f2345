(** Lemmas 1 and 2 (spec/calculus.md#lemmas-on-single-steps): outcomes are
    exhaustive and real, of all states that a member denotes. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Members Bounds Effects Computing Pointers Accesses Lifetimes Outcomes.
Import ListNotations.
Open Scope Z_scope.

Section Steps.
Variable P : program.
Variable under : parameters.
Variable few : nat.
Notation outcomes := (Outcomes.outcomes P under).
Notation sound_list := (Effects.sound_list P under few).
Notation reaches := (Effects.reaches P few).
Notation affect := (Effects.affect P few).
Notation known := (Members.known P).
Notation holds := Terms.holds.

Definition reaches_state n mu m e (x : Machine.outcome state) : Prop := match e with
  | FailsHere => exists f, x = fails f
  | _ => exists s, x = Ok s /\ denotes_state P mu (affect n e m) s end.

(** ** What an instruction asks for is known *)

Lemma known_operand_used m o : used_integer m o <> NotKnown -> known_operand (known m) o.
Proof. destruct o as [r|]; simpl; auto. unfold known_slot. destruct (slot_at m r); auto; congruence. Qed.
Lemma known_pointer_used m r : used_pointer m r <> NotKnown -> knows_register (known m) r.
Proof. simpl. unfold used_pointer, known_slot. destruct (slot_at m r); auto; congruence. Qed.
Lemma known_pointer_operand_used m o : used_pointer_operand m o <> NotKnown -> known_pointer_operand (known m) o.
Proof. destruct o as [r|]; simpl; auto. apply known_pointer_used. Qed.
Lemma with_used_known {A B} (x : used A) (y : used B) f os : with_used x y f = Some os -> x <> NotKnown /\ y <> NotKnown.
Proof. unfold with_used. destruct x, y; split; congruence. Qed.

Section Known.
Variables (nu : valuation) (m : member).
Hypothesis sorted : well_sorted nu.
Notation g := (ground P nu m).

Lemma element_known p off t h q : spot_here m p -> hits P off t p = Some h -> In q (places h) -> place_holds nu q -> known_slot (snd q) ->
  knows_element (known m) (object_of p) (hit_field h) (eval nu (hit_index h)).
Proof.
  intros [N L] Hh I H K. simpl. rewrite N. destruct (hit_parts P p off t h Hh) as (_ & Nf & _). rewrite Nf.
  destruct (place_sound P nu sorted p off t h Hh q I H) as [_ S]. unfold stands_at in S. unfold known_element.
  destruct (snd (fst q)) as [c|u].
  - destruct S as (E & Lc & Es). assert (A : is_apart (hit_state h) (eval nu (hit_index h)) = true).
    { unfold is_apart. apply andb_true_intro. split; [apply Z.leb_le | apply Z.ltb_lt]; lia. }
    rewrite A, <- Es. exact K.
  - destruct S as (-> & -> & a & -> & _). discriminate.
Qed.
(** A place that an access names, and the spot of its address. *)
Lemma place_hit a off t q f u : place P g a off t = Ok (q, f, u) -> forall p, used_pointer m a = Has p -> forall h,
  match p with Some p => hits P off t p = Some h | None => False end ->
  exists s, p = Some s /\ spot_here m s /\ target q = object_of s /\ index q = eval nu (hit_index h) /\ f = hit_field h /\ u = hit_type h.
Proof.
  intros E p U h H. pose proof (used_pointer_ground P nu m a) as X. rewrite U in X. destruct X as [X Y]. destruct p as [s|]; [|contradiction].
  destruct Y as [Y _]. rewrite (hit_place P nu m s off t h Y H a X) in E. injection E as <- <- <-. exists s. repeat split; auto; apply Y.
Qed.
Lemma place_null a off t x : used_pointer m a = Has None -> place P g a off t <> Ok x.
Proof.
  intros U. pose proof (used_pointer_ground P nu m a) as X. rewrite U in X. destruct X as [X _]. unfold place. rewrite X. discriminate.
Qed.
Lemma load_asks r a off os : with_used (used_pointer m a) (Has tt) (fun p _ => loads P r off p) = Some os ->
  forall q f t, place P g a off (type_of P r) = Ok (q, f, t) -> is_inside (object_at g (target q)) (index q) = true ->
  knows_element (known m) (target q) f (index q) \/ type_eqb t (type_of P r) = true.
Proof.
  intros H q f t E B. destruct (used_pointer m a) as [p| |] eqn:U; simpl in H; try discriminate.
  2: { pose proof (used_pointer_ground P nu m a) as X. rewrite U in X. destruct X as [e X]. unfold place in E. rewrite X in E. discriminate. }
  destruct p as [s|]; [|destruct (place_null _ _ _ _ U E)]. unfold loads in H.
  destruct (hits P off (type_of P r) s) as [h|] eqn:Hh; [|discriminate].
  destruct (place_hit _ _ _ _ _ _ E _ U h Hh) as (s' & Es & Sp & T & I & -> & ->). injection Es as <-. rewrite T, I in B |- *.
  rewrite (object_here P nu m s Sp) in B. apply hit_inside in B. destruct (place_complete P nu sorted s off _ h Hh B) as (w & Iw & Hw).
  match goal with H : option_map _ ?x = Some os |- _ => destruct x as [ls|] eqn:As; [|discriminate] end.
  match type of As with all_some (map ?F _) = _ => pose proof (proj1 (all_some_in _ _ (F w) As) (in_map F _ _ Iw)) as (l & El & _); cbv beta in El end.
  unfold as_type in El. destruct (type_eqb (hit_type h) (type_of P r)); [auto|]. left. eapply element_known; eauto.
  unfold known_slot. destruct (snd w); auto. discriminate.
Qed.
Lemma store_asks r a off os : with_used (used_pointer m a) (Has tt) (fun p _ => stores P m r off p) = Some os ->
  knows_register (known m) r \/ forall q f t, place P g a off (type_of P r) = Ok (q, f, t) -> type_eqb (type_of P r) t = true.
Proof.
  intros H. destruct (slot_at m r) eqn:Es; try (left; simpl; rewrite Es; exact I). right.
  intros q f t E. destruct (used_pointer m a) as [p| |] eqn:U; simpl in H; try discriminate.
  2: { pose proof (used_pointer_ground P nu m a) as X. rewrite U in X. destruct X as [e X]. unfold place in E. rewrite X in E. discriminate. }
  destruct p as [s|]; [|destruct (place_null _ _ _ _ U E)]. unfold stores in H. rewrite Es in H.
  destruct (hits P off (type_of P r) s) as [h|] eqn:Hh; [|discriminate]. destruct (place_hit _ _ _ _ _ _ E _ U h Hh) as (_ & _ & _ & _ & _ & _ & ->).
  pose proof (hit_wide _ _ _ _ _ Hh) as W. destruct (type_of P r); [discriminate|]. destruct (hit_type h); [discriminate | reflexivity].
Qed.
Lemma outcomes_ask os i : outcomes m = Some os -> nth_error (instructions P) (place_of m) = Some i -> asks P (known m) g i.
Proof.
  unfold Outcomes.outcomes. intros H E. rewrite E in H. destruct i; simpl; auto; try discriminate.
  - destruct c; apply with_used_known in H as [A B]; auto using known_operand_used, known_pointer_operand_used.
  - unfold assigns in H. destruct (type_of P target), value; auto; try discriminate. unfold known_slot. destruct (slot_at m r); auto; discriminate.
  - apply with_used_known in H as [A B]; auto using known_operand_used.
  - unfold addresses in H. destruct (has_name P object); [|discriminate]. split; auto. destruct (living m object); congruence.
  - pose proof (with_used_known _ _ _ _ H) as [A B]. split; [apply known_pointer_used | apply known_operand_used]; auto.
  - apply with_used_known in H as [A B]. split; apply known_pointer_used; auto.
  - split; [apply known_pointer_used; apply (with_used_known _ _ _ _ H)|]. intros q f t. eapply load_asks. exact H.
  - split; [apply known_pointer_used; apply (with_used_known _ _ _ _ H)|]. eapply store_asks. exact H.
  - apply known_operand_used. apply (with_used_known _ _ _ _ H).
  - apply known_pointer_used. apply (with_used_known _ _ _ _ H).
  - unfold enters in H. unfold is_local. destruct (origin_of _); auto; discriminate.
  - destruct (is_local P object); [auto | discriminate].
Qed.

(** ** What is known behind an outcome is so behind the step *)

Lemma slot_set r v q : slot_at (set_slot m r v) q = if Nat.eqb q r && Nat.ltb r (length (slots m)) then v else slot_at m q.
Proof. apply nth_replace. Qed.
Lemma set_known r v (known_v : Prop) : (known_slot v -> known_v) -> weaker_knowledge (known (set_slot m r v)) (learn r known_v (known m)).
Proof.
  intros H. split; [|split; auto]. intros q. cbn [knows_register Members.known learn]. rewrite slot_set.
  destruct (Nat.eqb_spec q r) as [->|N]; simpl; [|auto].
  destruct (Nat.ltb_spec r (length (slots m))); [auto|]. unfold slot_at. rewrite nth_overflow by auto. contradiction.
Qed.
Lemma weaker_refl K : weaker_knowledge K K.
Proof. split; [|split]; auto. Qed.
Lemma weaker_trans K K' K'' : weaker_knowledge K K' -> weaker_knowledge K' K'' -> weaker_knowledge K K''.
Proof. intros (A & B & C) (A' & B' & C'). split; [|split]; auto. Qed.
Lemma learn_object_more k d K : weaker_knowledge K (learn_object k d K).
Proof. split; [|split]; simpl; auto. Qed.

Definition behind e K := match e with Creates _ d _ _ => learn_object (length (named m)) d K | _ => K end.
Definition sets_or_fails r o := match effect_of o with Sets q _ => q = r | FailsHere => True | _ => False end.
Definition goes_or_fails o := match effect_of o with GoesTo _ => True | FailsHere => True | _ => False end.
Lemma assigns_set r o os : assigns P m r o = Some os -> Forall (sets_or_fails r) os.
Proof.
  unfold assigns. destruct (type_of P r) as [T|]; [|discriminate]. destruct o as [q|z].
  - destruct (slot_at m q), (type_of P q) as [U|]; try discriminate; intros [= <-].
    + destruct (integer_type_eqb U T); repeat constructor.
    + destruct (subtype U T); [|destruct (_ && _)]; repeat constructor.
  - intros [= <-]. repeat constructor.
Qed.
Lemma computes_set r op s t os : computes P under r op s t = Some os -> Forall (sets_or_fails r) os.
Proof.
  unfold computes. destruct (type_of P r) as [T|]; [|discriminate]. destruct (integer_type_eqb T Bool); [discriminate|]. intros [= <-].
  unfold computing, divided, shifted. destruct op; destruct (fails_on_overflow under T); try destruct (signed T); try destruct (divisor t);
  try destruct (is_constant t); try destruct (is_constant s); try destruct (bad_amount T _); simpl; unfold checked, by_one_period; repeat constructor.
Qed.
Lemma with_used_all {A B} (R : outcome -> Prop) (x : used A) (y : used B) f os : with_used x y f = Some os -> R (exactly [] FailsHere) ->
  (forall a b ls, f a b = Some ls -> Forall R ls) -> Forall R os.
Proof. unfold with_used. intros H Z0 F. destruct x, y; try discriminate; eauto; injection H as <-; auto. Qed.
Lemma compares_goes r p q l l' : Forall goes_or_fails (compares P r p q l l').
Proof.
  unfold compares. destruct (same_spot p q) as [[s t]|]; [repeat constructor|].
  assert (X : forall bs, Forall goes_or_fails (exactly (map negation bs) (GoesTo l') :: flat_map (fun o => [really [o] (GoesTo l); really [o] (GoesTo l')]) bs)).
  { intros bs. constructor; [exact I|]. rewrite Forall_forall. intros o J. apply in_flat_map in J as (b & _ & [<-|[<-|[]]]); exact I. }
  destruct r, p, q; try apply X; repeat constructor.
Qed.
Lemma fails_at_set r ls : Forall (sets_or_fails r) (map fails_at ls).
Proof. rewrite Forall_forall. intros o J. apply in_map_iff in J as (l & <- & _). exact I. Qed.
Lemma advances_set r scale p t os : advances P under r scale p t = Some os -> Forall (sets_or_fails r) os.
Proof.
  unfold advances. destruct p as [p|]; [|intros [= <-]; repeat constructor]. destruct (bytes_over _ _); [|discriminate]. intros [= <-].
  destruct (formation under); repeat constructor. apply fails_at_set.
Qed.
Lemma distances_set r scale p q os : distances P r scale p q = Some os -> Forall (sets_or_fails r) os.
Proof.
  assert (C : forall t, Forall (sets_or_fails r) (checked I64 t (fun t => Sets r (IntegerSlot t)))) by (intros; unfold checked; repeat constructor).
  assert (X : forall x : option (spot * spot), match x with
      | None => Some [exactly [] FailsHere]
      | Some (p, q) => match bytes_over (Plus (Times (size_of P (there p)) (Minus (at_index p) (at_index q))) (Constant (at_byte p - at_byte q))) scale with
        | Some 0 => Some (checked I64 (Quotient (Plus (Times (size_of P (there p)) (Minus (at_index p) (at_index q))) (Constant (at_byte p - at_byte q))) scale) (fun t => Sets r (IntegerSlot t)))
        | _ => None end end = Some os -> Forall (sets_or_fails r) os).
  { intros [[s t]|]; [destruct (bytes_over _ _) as [[| |]|]; try discriminate; intros [= <-]; apply C | intros [= <-]; repeat constructor]. }
  unfold distances. destruct p, q; try (apply X); intros [= <-]; apply C.
Qed.
Lemma addresses_set r d os : addresses P m r d = Some os -> Forall (sets_or_fails r) os.
Proof.
  unfold addresses. destruct (has_name P d); [|discriminate]. destruct (living m d) as [o|]; [|discriminate]. destruct (object_named m o); [|discriminate].
  intros [= <-]. repeat constructor.
Qed.

(** *** Load *)

Definition loads_known r a off o := match effect_of o with
  | Sets q v => q = r /\ (Effects.happens nu o -> known_slot v -> is_loaded P (known m) g a off r) | FailsHere => True | _ => False end.
Lemma as_type_known v from to cs c : as_type v from to = Some cs -> In c cs -> known_slot (snd c) -> known_slot v.
Proof.
  unfold as_type. destruct (type_eqb from to); [intros [= <-] [<-|[]]; auto|]. destruct v; simpl; auto. discriminate.
Qed.
Lemma loads_set r a off os : with_used (used_pointer m a) (Has tt) (fun p _ => loads P r off p) = Some os -> Forall (loads_known r a off) os.
Proof.
  intros H. destruct (used_pointer m a) as [p| |] eqn:U; simpl in H; try discriminate; [|injection H as <-; repeat constructor].
  unfold loads in H. destruct p as [s|]; [|injection H as <-; repeat constructor].
  destruct (hits P off (type_of P r) s) as [h|] eqn:Hh; [|discriminate].
  match goal with H : option_map _ ?x = Some os |- _ => destruct x as [ls|] eqn:As; [|discriminate] end. injection H as <-.
  apply Forall_app. split; [|rewrite Forall_forall; intros o J; apply in_map_iff in J as (l & <- & _); exact I].
  rewrite Forall_forall. intros o I0. apply in_concat in I0 as (l & Il & Io).
  pose proof (proj2 (all_some_in _ _ (Some l) As) (ex_intro _ l (conj eq_refl Il))) as Im. apply in_map_iff in Im as (q & Cq & Iq).
  destruct (as_type (snd q) _ _) as [cs|] eqn:Hc; [|discriminate]. injection Cq as <-. apply in_map_iff in Io as (c & <- & Ic).
  split; auto. unfold Effects.happens. cbn [literals exactly]. intros F K. apply Forall_app in F as [F _].
  intros q' f t E. destruct (place_hit _ _ _ _ _ _ E _ U h Hh) as (s' & Es & Sp & -> & -> & -> & _). injection Es as <-.
  eapply element_known; eauto. eapply as_type_known; eauto.
Qed.

(** *** Store *)

Definition stores_known r a off o := match effect_of o with
  | Writes _ _ _ _ => Effects.happens nu o -> weaker_knowledge (known (affect 0 (effect_of o) m)) (after P (known m) g (Store a off r)) | FailsHere => True | _ => False end.
Lemma stores_set r a off os : with_used (used_pointer m a) (Has tt) (fun p _ => stores P m r off p) = Some os -> Forall (stores_known r a off) os.
Proof.
  intros H. destruct (used_pointer m a) as [p| |] eqn:U; simpl in H; try discriminate; [|injection H as <-; repeat constructor].
  unfold stores in H. destruct p as [s|]; [|injection H as <-; repeat constructor].
  destruct (hits P off (type_of P r) s) as [h|] eqn:Hh; [|discriminate].
  assert (H' : (if is_read_only P (kind (there s)) then Some [exactly [] FailsHere] else match as_type (slot_at m r) (type_of P r) (hit_type h) with
        | None => None
        | Some cs => if forallb (fun q : list literal * element * slot => forallb (fun c => may_hold (snd (fst q)) (snd c)) cs) (places h)
          then Some (flat_map (fun q : list literal * element * slot => map (fun c : list literal * slot => exactly (fst (fst q) ++ fst c)
            (Writes (object_of s) (hit_field h) (snd (fst q)) (snd c))) cs) (places h) ++ failures h)
          else None end) = Some os).
  { destruct (slot_at m r), (type_of P r); try discriminate; exact H. }
  clear H. destruct (is_read_only _ _); [injection H' as <-; repeat constructor|].
  destruct (as_type _ _ _) as [cs|] eqn:Hc; [|discriminate]. destruct (forallb _ (places h)) eqn:Fi; [|discriminate]. injection H' as <-.
  apply Forall_app. split; [|rewrite Forall_forall; intros o J; apply in_map_iff in J as (l & <- & _); exact I].
  rewrite Forall_forall. intros o I0. apply in_flat_map in I0 as (q & Iq & I0). apply in_map_iff in I0 as (c & <- & Ic).
  unfold stores_known. cbn [effect_of exactly]. unfold Effects.happens. cbn [literals exactly]. intros F. apply Forall_app in F as [F _].
  pose proof (used_pointer_ground P nu m a) as X. rewrite U in X. destruct X as [X [Sp _]]. pose proof Sp as [N L].
  simpl after. rewrite (hit_place P nu m s off _ h Sp Hh a X). cbn [target index]. cbn [Effects.affect]. rewrite N. cbn [option_map].
  set (m' := goes (S (place_of m)) (name m (object_of s) (Some (written_object (there s) (hit_field h) (snd (fst q)) (snd c))))).
  destruct (hit_parts P s off _ h Hh) as (_ & Nf & Lf & _). destruct (place_sound P nu sorted s off _ h Hh q Iq F) as [_ St]. unfold stands_at in St.
  assert (Kc : known_slot (snd c) -> known_slot (slot_at m r)) by (eapply as_type_known; eauto).
  split; [|split].
  - auto.
  - intros o f j. cbn [knows_element Members.known learn_element].
    assert (Nm : object_named m' o = if Nat.eqb o (object_of s) && Nat.ltb (object_of s) (length (named m)) then Some (written_object (there s) (hit_field h) (snd (fst q)) (snd c)) else object_named m o) by apply named_replaced.
    rewrite Nm. clear Nm. destruct (Nat.eqb_spec o (object_of s)) as [Eo|No]; simpl andb; cbv iota.
    2: { intros K. right. split; [congruence | exact K]. }
    subst o. destruct (Nat.ltb_spec (object_of s) (length (named m))); [|exfalso; unfold object_named in N; rewrite nth_overflow in N by auto; discriminate].
    rewrite N. cbn [written_object held]. rewrite nth_replace. destruct (Nat.eqb_spec f (hit_field h)) as [Ef|Nf']; simpl andb; cbv iota.
    2: { intros K. right. split; [congruence | exact K]. }
    subst f. apply Nat.ltb_lt in Lf. rewrite Lf, Nf. unfold known_element, is_apart, slot_apart.
    rewrite forallb_forall in Fi. specialize (Fi q Iq). rewrite forallb_forall in Fi. specialize (Fi c Ic).
    destruct (snd (fst q)) as [k|u].
    + destruct St as (Ei & Lk & _). cbn [write_element apart rest]. rewrite replace_length, nth_replace. apply Nat.ltb_lt in Lk. rewrite Lk, andb_true_r.
      apply Nat.ltb_lt in Lk. destruct (Z.eq_dec j (eval nu (hit_index h))) as [Ej|Nj].
      * rewrite Ej, Ei, Nat2Z.id, Nat.eqb_refl. assert (A : (0 <=? Z.of_nat k) && (Z.of_nat k <? Z.of_nat (length (apart (hit_state h)))) = true) by (apply andb_true_intro; split; [apply Z.leb_le | apply Z.ltb_lt]; lia).
        rewrite A. intros K. left. split; [reflexivity | exact (Kc K)].
      * intros K. right. split; [congruence|]. destruct ((0 <=? j) && _) eqn:B; auto. apply andb_prop in B as [B _]. apply Z.leb_le in B.
        destruct (Nat.eqb_spec (Z.to_nat j) k); [lia | exact K].
    + destruct St as (-> & A & b & Rb & _). destruct (snd c) as [| |t| |]; try discriminate. cbn [write_element apart rest]. rewrite Rb.
      intros K. destruct (Z.eq_dec j (eval nu (hit_index h))) as [Ej|Nj]; [left; rewrite Ej; split; [reflexivity | apply Kc; exact I] | right].
      split; [congruence|]. destruct (_ && _); [exact K | discriminate].
  - intros d [Hn Hl]. split; auto. rewrite <- (written_living m (object_of s) (there s) (hit_field h) (snd (fst q)) (snd c) d N). exact Hl.
Qed.

(** *** Objects come and go *)

Hypothesis tidy_ground : tidy P g.
Lemma ended_known o x e : object_named m o = Some x -> (has_name P (kind x) = true -> is_local P (kind x) = true) ->
  weaker_knowledge (known (goes e (ended m o))) (known m).
Proof.
  intros N L. split; [auto|]. split.
  - intros q f i. cbn [knows_element Members.known]. change (object_named (goes e (ended m o)) q) with (nth q (replace (named m) o (option_map dead (object_named m o))) None).
    rewrite named_replaced, N. destruct (Nat.eqb_spec q o) as [Eq|]; simpl andb; cbv iota; [|auto]. subst q. rewrite N. destruct (Nat.ltb _ _); auto.
  - intros d [Hn Hl]. split; auto. change (living (goes e (ended m o)) d) with (living (ended m o) d) in Hl.
    pose proof (ended_living P nu m tidy_ground o x d N L Hn Hl) as Q. congruence.
Qed.
Lemma without_known d : weaker_knowledge (known (without_earlier P m d)) (known m).
Proof.
  unfold without_earlier. destruct (is_local P d) eqn:L; [|apply weaker_refl]. destruct (living m d) as [o|] eqn:E; [|apply weaker_refl].
  destruct (living_some _ _ _ E) as (x & N & K & _). apply (ended_known o x (place_of m) N). rewrite K. auto.
Qed.
Lemma made_known d x l : length (named (without_earlier P m d)) = length (named m) -> kind x = d -> life_of x = Live ->
  weaker_knowledge (known (goes l (made (without_earlier P m d) x))) (learn_object (length (named m)) d (known m)).
Proof.
  intros Ln K V. destruct (without_known d) as (R & El & Na). split; [exact R|]. split.
  - intros o f i. cbn [knows_element Members.known learn_object]. unfold object_named. cbn [goes made named].
    destruct (Nat.eq_dec o (length (named m))) as [->|Ne]; [left; auto|]. right. apply El. cbn [knows_element Members.known]. unfold object_named.
    destruct (Nat.lt_ge_cases o (length (named (without_earlier P m d)))); [rewrite app_nth1 in H by auto; exact H|].
    rewrite app_nth2 in H by auto. rewrite nth_overflow in H by (simpl; lia). destruct H.
  - intros e [Hn Hl]. cbn [knows_name learn_object]. destruct (Nat.eq_dec e d) as [->|Ne]; [left; auto|]. right. apply Na. split; auto.
    unfold living in *. cbn [goes made named] in Hl. rewrite first_living_app in Hl. destruct (first_living e (named (without_earlier P m d)) 0); [congruence|].
    simpl in Hl. rewrite K in Hl. destruct (Nat.eqb_spec d e); [congruence | exact Hl].
Qed.

Lemma outcome_known n os i o : outcomes m = Some os -> nth_error (instructions P) (place_of m) = Some i -> In o os -> Effects.happens nu o ->
  effect_of o <> FailsHere -> weaker_knowledge (known (affect n (effect_of o) m)) (behind (effect_of o) (after P (known m) g i)).
Proof.
  intros H E I Hp N.
  assert (Set_ : forall r, Forall (sets_or_fails r) os -> weaker_knowledge (known (affect n (effect_of o) m)) (behind (effect_of o) (learn r True (known m)))).
  { intros r F. rewrite Forall_forall in F. specialize (F o I). unfold sets_or_fails in F. destruct (effect_of o); try contradiction.
    subst r0. apply set_known. auto. }
  assert (Go : Forall goes_or_fails os -> weaker_knowledge (known (affect n (effect_of o) m)) (behind (effect_of o) (known m))).
  { intros F. rewrite Forall_forall in F. specialize (F o I). unfold goes_or_fails in F. destruct (effect_of o); try contradiction. apply weaker_refl. }
  unfold Outcomes.outcomes in H. rewrite E in H. destruct i; try discriminate; simpl after.
  - apply Go. injection H as <-. repeat constructor.
  - apply Go. destruct c; (eapply with_used_all; [exact H | exact Logic.I|]); intros a b ls [= <-]; [repeat constructor | apply compares_goes].
  - apply Go. injection H as <-. repeat constructor.
  - injection H as <-. destruct I as [<-|[]]. contradiction N. reflexivity.
  - apply Set_. eapply assigns_set; eauto.
  - apply Set_. eapply with_used_all; [exact H | exact Logic.I|]. intros a b ls. apply computes_set.
  - destruct (type_of P target); [|discriminate]. injection H as <-. destruct I as [<-|[]]. apply set_known. auto.
  - injection H as <-. apply Set_. repeat constructor.
  - injection H as <-. apply Set_. repeat constructor.
  - injection H as <-. destruct I as [<-|[]]. apply set_known. auto.
  - apply Set_. eapply addresses_set; eauto.
  - apply Set_. eapply with_used_all; [exact H | exact Logic.I|]. intros a b ls. apply advances_set.
  - apply Set_. eapply with_used_all; [exact H | exact Logic.I|]. intros a b ls. apply distances_set.
  - pose proof (loads_set _ _ _ _ H) as F. rewrite Forall_forall in F. specialize (F o I). unfold loads_known in F. destruct (effect_of o); try contradiction.
    destruct F as [-> F]. apply set_known. auto.
  - pose proof (stores_set _ _ _ _ H) as F. rewrite Forall_forall in F. specialize (F o I). unfold stores_known in F. destruct (effect_of o); try contradiction.
    apply F. exact Hp.
  - (* allocate *)
    assert (X : exists t ls, allocates P under target object f t = Some ls /\ os = ls \/ os = [exactly [] FailsHere]).
    { unfold with_used in H. destruct (used_integer m bytes) as [t| |]; try discriminate; [exists t, os; auto | exists (Constant 0), os; right; congruence]. }
    destruct X as (t & ls & [[X ->]| ->]); [|destruct I as [<-|[]]; contradiction N; reflexivity].
    unfold allocates in X. destruct (_ && has_room _ _ _); [|discriminate]. injection X as <-.
    assert (Null : weaker_knowledge (known (affect n (Sets target NullSlot) m)) (learn target True (known m))) by (apply set_known; auto).
    destruct I as [<-|[<-|I]]; [| exact Null | destruct (allocating under); [contradiction|]; destruct I as [<-|[]]; exact Null].
    cbn [effect_of exactly Effects.affect behind].
    match goal with |- weaker_knowledge (known (set_slot ?mm target ?v)) _ => set (m1 := mm); set (v1 := v) end.
    destruct (without_place P m object) as (_ & _ & Ln).
    pose proof (made_known object (fresh_object P few n object (Quotient t (element_size (layout_of_declaration P object))) f) (S (place_of m)) Ln eq_refl eq_refl) as (R & El & Na).
    split; [|split; [exact El | exact Na]]. intros q Kq. cbn [knows_register learn_object learn Members.known] in Kq |- *.
    unfold slot_at in Kq. cbn [set_slot slots] in Kq. rewrite nth_replace in Kq. destruct (Nat.eqb_spec q target) as [Eq|Ne]; simpl in Kq; [left; auto|].
    right. split; auto. apply R. exact Kq.
  - (* free *)
    assert (X : exists p, used_pointer m pointer = Has p /\ os = frees P m p \/ os = [exactly [] FailsHere]).
    { unfold with_used in H. destruct (used_pointer m pointer) as [p| |]; try discriminate; [exists p; left; split; auto; congruence | exists None; right; congruence]. }
    destruct X as (p & [[U ->]| ->]); [|destruct I as [<-|[]]; contradiction N; reflexivity].
    pose proof (used_pointer_ground P nu m pointer) as Y. rewrite U in Y. destruct Y as [_ Y].
    unfold frees in I. destruct p as [s|]; [|destruct I as [<-|[]]; apply weaker_refl].
    destruct Y as [[Ns _] _]. destruct (may_be_freed P (kind (there s))) eqn:Fr; simpl in I; [destruct (at_byte s =? 0)|];
    try (destruct I as [<-|[]]; contradiction N; reflexivity).
    destruct I as [<-|[<-|[]]]; [|contradiction N; reflexivity]. cbn [effect_of exactly Effects.affect behind].
    eapply ended_known; [exact Ns|]. intros Hn. rewrite (freed_has_no_name P _ Fr) in Hn. discriminate.
  - (* enter *)
    unfold enters in H. destruct (origin_of (declaration_of P object)) eqn:O; try discriminate. destruct (has_room _ _ _); [|discriminate]. injection H as <-.
    destruct I as [<-|[]]. cbn [effect_of exactly Effects.affect behind]. apply made_known; auto. apply without_place.
  - (* leave *)
    destruct (is_local P object) eqn:L; [|discriminate]. injection H as <-. unfold leaves in I. destruct (living m object) as [o'|] eqn:Lo; destruct I as [<-|[]]; [|apply weaker_refl].
    destruct (living_some _ _ _ Lo) as (x & Nx & K & _). cbn [effect_of exactly Effects.affect behind]. eapply ended_known; [exact Nx|]. rewrite K. auto.
Qed.
(** Nothing but [Havoc] draws a value, and what makes objects does. *)
Definition fits i e := match e with Draws _ _ => exists r, i = Havoc r | Creates _ d _ _ => is_create i d | _ => True end.
Lemma effect_fits os i o : outcomes m = Some os -> nth_error (instructions P) (place_of m) = Some i -> In o os -> fits i (effect_of o).
Proof.
  intros H E I.
  assert (Set_ : forall r, Forall (sets_or_fails r) os -> fits i (effect_of o)).
  { intros r F. rewrite Forall_forall in F. specialize (F o I). unfold sets_or_fails in F. unfold fits. destruct (effect_of o); auto; contradiction. }
  assert (Go : Forall goes_or_fails os -> fits i (effect_of o)).
  { intros F. rewrite Forall_forall in F. specialize (F o I). unfold goes_or_fails in F. unfold fits. destruct (effect_of o); auto; contradiction. }
  unfold Outcomes.outcomes in H. rewrite E in H. destruct i; try discriminate.
  - apply Go. injection H as <-. repeat constructor.
  - apply Go. destruct c; (eapply with_used_all; [exact H | exact Logic.I|]); intros a b ls [= <-]; [repeat constructor | apply compares_goes].
  - apply Go. injection H as <-. repeat constructor.
  - injection H as <-. destruct I as [<-|[]]. exact Logic.I.
  - eapply Set_, assigns_set; eauto.
  - eapply Set_. eapply with_used_all; [exact H | exact Logic.I|]. intros a b ls. apply computes_set.
  - destruct (type_of P target); [|discriminate]. injection H as <-. destruct I as [<-|[]]. simpl. eauto.
  - injection H as <-. destruct I as [<-|[]]. exact Logic.I.
  - injection H as <-. destruct I as [<-|[]]. exact Logic.I.
  - injection H as <-. destruct I as [<-|[]]. exact Logic.I.
  - eapply Set_, addresses_set; eauto.
  - eapply Set_. eapply with_used_all; [exact H | exact Logic.I|]. intros a b ls. apply advances_set.
  - eapply Set_. eapply with_used_all; [exact H | exact Logic.I|]. intros a b ls. apply distances_set.
  - pose proof (loads_set _ _ _ _ H) as F. rewrite Forall_forall in F. specialize (F o I). unfold loads_known in F. destruct (effect_of o); simpl; auto; contradiction.
  - pose proof (stores_set _ _ _ _ H) as F. rewrite Forall_forall in F. specialize (F o I). unfold stores_known in F. destruct (effect_of o); simpl; auto; contradiction.
  - unfold with_used in H. destruct (used_integer m bytes) as [t| |]; try discriminate; [|injection H as <-; destruct I as [<-|[]]; exact Logic.I].
    unfold allocates in H. destruct (_ && has_room _ _ _); [|discriminate]. injection H as <-.
    destruct I as [<-|[<-|I]]; simpl; auto. destruct (allocating under); [contradiction|]. destruct I as [<-|[]]. exact Logic.I.
  - unfold with_used in H. destruct (used_pointer m pointer) as [p| |]; try discriminate; injection H as <-; [|destruct I as [<-|[]]; exact Logic.I].
    unfold frees in I. destruct p as [s|]; [|destruct I as [<-|[]]; exact Logic.I]. destruct (_ && _); [destruct I as [<-|[<-|[]]]|destruct I as [<-|[]]]; exact Logic.I.
  - unfold enters in H. destruct (origin_of (declaration_of P object)) eqn:O; try discriminate. destruct (has_room _ _ _); [|discriminate]. injection H as <-.
    destruct I as [<-|[]]. simpl. auto.
  - destruct (is_local P object) eqn:L; [|discriminate]. injection H as <-. unfold leaves in I. destruct (living m object); destruct I as [<-|[]]; exact Logic.I.
Qed.
End Known.

(** ** What a member says is true of the state *)

Lemma denoted_ranges nu m rho s : typed P s -> denotes_by P nu m rho s -> in_ranges P nu m.
Proof.
  intros [R _] [A _] r t T H HT. assert (K : knows_register (known m) r) by (simpl; rewrite H; exact I).
  apply (same_registers _ _ _ _ A) in K. rewrite register_ground, H in K. simpl in K. specialize (R r). rewrite HT in R.
  destruct (register s r); simpl in K, R; try contradiction. subst z. exact R.
Qed.
Lemma denoted_objects nu m rho s : typed P s -> all_ordered s -> denotes_by P nu m rho s -> objects_true P nu m.
Proof.
  intros [_ O] Or [A _] r o i b x H N L. assert (K : knows_register (known m) r) by (simpl; rewrite H; exact I).
  apply (same_registers _ _ _ _ A) in K. rewrite register_ground, H in K. simpl in K. destruct (register s r) as [| | |p]; try contradiction.
  destruct K as (k & Rho & _). pose proof (same_object_states _ _ _ _ A _ _ _ Rho) as [D V Lo Up F C]. cbn [target] in *. rewrite object_ground, N in D, V, Lo, Up, F, C.
  cbn [ground_entry ground_object declared alive lower upper] in D, V, Lo, Up, C. split; [specialize (Or (target p)); unfold ordered in Or; lia|].
  intros f j B Kn. specialize (C L f j B). assert (Kn' : knows_element (known m) o f j) by (simpl; rewrite N; exact Kn). apply C in Kn'.
  fold (ground_object nu x) in Kn'. rewrite field_ground in Kn'. specialize (O (target p) f (j + k)). rewrite D in O.
  destruct (read (ground_field nu (nth f (held x) no_field)) j), (read (field_of (object_at s (target p)) f) (j + k)); simpl in Kn' |- *; try contradiction; auto.
  subst. exact O.
Qed.

Section Lemmas.
Variables (n : nat) (nu : valuation) (m : member) (s : state) (os : list outcome).
Hypothesis locals : locals_formed P.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Hypothesis sorted : well_sorted nu.
Hypothesis scope : scoped_member n m = true.
Hypothesis tidy_state : tidy P s.
Hypothesis typed_state : typed P s.
Hypothesis ordered_state : all_ordered s.
Variable rho : renaming.
Hypothesis denoted : denotes_by P nu m rho s.
Hypothesis listed : outcomes m = Some os.

(** Local objects that live are found, since each is the one of its name. *)
Lemma names_follow mu m' g' rho' s' : tidy P g' -> holds_same (known m') g' (ground P mu m') -> alike (known m') rho' (ground P mu m') s' ->
  names_mapped P m' rho'.
Proof.
  intros T H A o x N L D. pose proof (held_objects _ _ _ H o) as (De & _ & _ & Al & _). rewrite object_ground, N in De, Al.
  cbn [ground_entry ground_object declared alive] in De, Al.
  assert (O : nth (kind x) (current g') None = Some o) by (rewrite De; apply (one_lives P g' T); congruence).
  assert (Li : living m' (kind x) <> None).
  { intros E. pose proof (first_living_none _ _ _ E o x N eq_refl). congruence. }
  assert (K : knows_name (known m') (kind x)) by (split; auto using local_has_name).
  pose proof (held_names _ _ _ H _ K) as Q. pose proof (same_names _ _ _ _ A _ K) as W. rewrite Q, O in W. simpl in W.
  destruct (nth (kind x) (current s') None) as [p|]; [|contradiction]. destruct W as [k W]. exists (p, k). exact W.
Qed.

(** So that what objects were called they are called still. *)
Definition reaches_more mu e (x : Machine.outcome state) : Prop := match e with
  | FailsHere => exists f, x = fails f
  | _ => exists s' rho', x = Ok s' /\ more rho rho' /\ denotes_by P mu (affect n e m) rho' s' end.
Lemma more_state mu e x : reaches_more mu e x -> reaches_state n mu m e x.
Proof. unfold reaches_more, reaches_state, denotes_state. destruct e; auto; intros (s' & rho' & E & _ & D); eauto. Qed.

(** What the member's own state does, all states that it denotes do. *)
Lemma carried mu o d d' k : agree n nu mu -> elsewhere k d d' -> In o os -> Effects.happens nu o ->
  reaches n m mu (effect_of o) (step P under (ground P nu m) d) -> reaches_more mu (effect_of o) (step P under s d').
Proof.
  intros G Hd Io Hp R. pose proof denoted as D. pose proof D as [A N]. pose proof (ground_tidy P nu m rho s tidy_state D) as Tg.
  destruct (nth_error (instructions P) (place_of m)) as [i|] eqn:E; [|unfold Outcomes.outcomes in listed; rewrite E in listed; discriminate].
  pose proof (step_alike P under _ rho _ s i k d d' Tg tidy_state A Hd E (outcomes_ask nu m sorted os i listed E)) as X.
  unfold Effects.reaches in R. unfold reaches_more.
  assert (C : forall m', effect_of o <> FailsHere -> affect n (effect_of o) m = m' ->
    (exists s0, step P under (ground P nu m) d = Ok s0 /\ holds_same (known m') s0 (ground P mu m')) -> exists s0 rho', step P under s d' = Ok s0 /\ more rho rho' /\ denotes_by P mu m' rho' s0).
  { intros m' NF <- (g' & Eg & Hs). rewrite Eg in X. destruct (step P under s d') as [s0|]; [|contradiction]. exists s0.
    pose proof (outcome_known nu m sorted Tg n os i o listed E Io Hp NF) as W.
    pose proof (step_tidy P under locals _ _ _ Tg Eg) as Tg'.
    assert (B : exists rho', more rho rho' /\ alike (known (affect n (effect_of o) m)) rho' g' s0).
    { destruct X as (rho' & Mr & [(_ & Ln & B)|(e & Ce & B)]); exists rho'; (split; [exact Mr|]).
      - eapply alike_weaker; [|exact B]. eapply weaker_trans; [exact W|]. unfold behind. destruct (effect_of o) eqn:Ef; try apply weaker_refl. exfalso.
        pose proof (held_memory _ _ _ Hs) as Hm. rewrite Ln in Hm. cbn [Effects.affect] in Hm. destruct (without_place P m d0) as (_ & _ & Lw).
        destruct r; simpl in Hm; rewrite !map_length, app_length in Hm; simpl in Hm; lia.
      - eapply alike_weaker; [|exact B]. assert (Lm : length (memory (ground P nu m)) = length (named m)) by (simpl; apply map_length). rewrite Lm.
        eapply weaker_trans; [exact W|]. unfold behind. destruct (effect_of o) eqn:Ef; try apply learn_object_more.
        pose proof (effect_fits nu m sorted os i o listed E Io) as Ci. rewrite Ef in Ci. destruct i; simpl in Ce, Ci; try contradiction; subst; apply weaker_refl. }
    destruct B as (rho' & Mr & B). pose proof (alike_same _ _ _ _ _ Hs B) as B'. exists rho'. split; auto. split; auto. split; auto. eapply names_follow; eauto. }
  destruct (effect_of o) eqn:Ee; try (apply C; [discriminate | reflexivity | exact R]).
  destruct R as [f R]. rewrite R in X. destruct (step P under s d') as [s0|e]; simpl in X; [contradiction|]. subst e. exists f. reflexivity.
Qed.

Lemma list_sound : sound_list n nu m os.
Proof.
  apply outcomes_sound; auto; [eapply denoted_ranges | eapply denoted_objects | eapply ground_tidy]; eauto.
Qed.
Theorem exhaustive_by d : exists o mu, In o os /\ Forall (holds nu) (literals o) /\ agree n nu mu /\ well_sorted mu /\
  reaches_more mu (effect_of o) (step P under s d).
Proof.
  destruct (proj1 list_sound (moved (- start d) d)) as (o & mu & I & H & G & W & R); [simpl; lia|].
  exists o, mu. repeat (split; auto); try apply G. eapply carried; eauto. apply elsewhere_moved.
Qed.
Theorem real_by o : In o os -> tag_of o <> Ignorance -> Forall (holds nu) (literals o) -> exists d, start d = 0 /\ reaches_more nu (effect_of o) (step P under s d).
Proof.
  intros I T H. destruct (proj2 list_sound o I T H) as (d & S & R). exists (moved 0 d). split; [simpl; lia|].
  eapply carried; eauto using agree_refl. apply moved_elsewhere.
Qed.
End Lemmas.

Section States.
Variables (n : nat) (nu : valuation) (m : member) (s : state) (os : list outcome).
Hypothesis locals : locals_formed P.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Hypothesis sorted : well_sorted nu.
Hypothesis scope : scoped_member n m = true.
Hypothesis tidy_state : tidy P s.
Hypothesis typed_state : typed P s.
Hypothesis ordered_state : all_ordered s.
Hypothesis denoted : denotes_state P nu m s.
Hypothesis listed : outcomes m = Some os.
Theorem exhaustive d : exists o mu, In o os /\ Forall (holds nu) (literals o) /\ agree n nu mu /\ well_sorted mu /\
  reaches_state n mu m (effect_of o) (step P under s d).
Proof.
  destruct denoted as (rho & D). destruct (exhaustive_by n nu m s os locals types memories sorted scope tidy_state typed_state ordered_state rho D listed d)
    as (o & mu & I & H & G & W & R).
  exists o, mu. repeat (split; auto); try apply G. eapply more_state; eauto.
Qed.
(** For all values of fresh variables, since [nu] is any. *)
Theorem real o : In o os -> tag_of o <> Ignorance -> Forall (holds nu) (literals o) -> exists d, reaches_state n nu m (effect_of o) (step P under s d).
Proof.
  intros I T H. destruct denoted as (rho & D).
  destruct (real_by n nu m s os locals types memories sorted scope tidy_state typed_state ordered_state rho D listed o I T H) as (d & _ & R).
  exists d. eapply more_state; eauto.
Qed.
End States.
End Steps.
