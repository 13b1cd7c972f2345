(** The list of outcomes of the instruction at hand (spec/calculus.md#outcomes),
    and that it accounts for what the member's own state does. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Members Bounds Effects Computing Pointers Accesses Lifetimes.
Import ListNotations.
Open Scope Z_scope.

Section Outcomes.
Variable P : program.
Variable under : parameters.
Variable few : nat.

(** None where the instruction has none, or what it reads is forgotten, or it
    is not covered here. *)
Definition outcomes m : option (list outcome) := match nth_error (instructions P) (place_of m) with
  | None => None
  | Some i => match i with
    | Jump l => Some [exactly [] (GoesTo l)]
    | Branch (Integers r a b) l l' => with_used (used_integer m a) (used_integer m b) (fun s t =>
        Some (either (relation_literal r s t) (GoesTo l) (GoesTo l')))
    | Branch (PointersCompared r a b) l l' => with_used (used_pointer_operand m a) (used_pointer_operand m b) (fun p q => Some (compares P r p q l l'))
    | Choose l l' => Some [exactly [] (GoesTo l); exactly [] (GoesTo l')]
    | Fail => Some [exactly [] FailsHere]
    | Assign r o => assigns P m r o
    | Compute r op a b => with_used (used_integer m a) (used_integer m b) (computes P under r op)
    | Havoc r => match type_of P r with IntegerType T => Some [exactly [] (Draws r T)] | PointerType => None end
    | Uninitialise r => Some [exactly [] (Sets r NothingHeld)]
    | SetNull r => Some [exactly [] (Sets r NullSlot)]
    | Copy r q => Some [exactly [] (Sets r (slot_at m q))]
    | Address r d => addresses P m r d
    | Advance r a i scale => with_used (used_pointer m a) (used_integer m i) (advances P under r scale)
    | Distance r a b scale => with_used (used_pointer m a) (used_pointer m b) (distances P r scale)
    | Load r a off => with_used (used_pointer m a) (Has tt) (fun p _ => loads P r off p)
    | Store a off r => with_used (used_pointer m a) (Has tt) (fun p _ => stores P m r off p)
    | Allocate r d b f => with_used (used_integer m b) (Has tt) (fun t _ => allocates P under r d f t)
    | Free r => with_used (used_pointer m r) (Has tt) (fun p _ => Some (frees P m p))
    | Enter d => enters P d
    | Leave d => if is_local P d then Some (leaves m d) else None
    | Halt | Ignore | CheckLeaks _ => None end end.

(** Integers that objects hold are in range, and objects do not end before they
    begin, if pointers in registers lead there: of members that denote states
    of executions. *)
Definition objects_true nu m := forall r o i b x, slot_at m r = PointerSlot o i b -> object_named m o = Some x -> life_of x = Live ->
  eval nu (begins x) <= eval nu (ends x) /\
  forall f j, eval nu (begins x) <= j < eval nu (ends x) -> known_element (nth f (held x) no_field) j ->
    value_in (field_type P (kind x) f) (read (ground_field nu (nth f (held x) no_field)) j).

Section Member.
Variables (n : nat) (nu : valuation) (m : member).
Hypothesis sorted : well_sorted nu.
Hypothesis ranges : in_ranges P nu m.
Hypothesis objects_in : objects_true nu m.
Hypothesis tidy_ground : tidy P (ground P nu m).
Hypothesis scope : scoped_member n m = true.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Notation g := (ground P nu m).
Notation sound_list := (Effects.sound_list P under few n nu m).
Notation reaches := (Effects.reaches P few n m).

Definition fails_always := exists f, forall d, step P under g d = fails f.
Lemma with_used_sound {A B} (x : used A) (y : used B) f os : with_used x y f = Some os ->
  (forall a b, x = Has a -> y = Has b -> f a b = Some os -> sound_list os) ->
  (x = NoValue -> fails_always) -> (forall a, x = Has a -> y = NoValue -> fails_always) -> sound_list os.
Proof.
  intros H F X Y. assert (Z0 : fails_always -> os = [exactly [] FailsHere] -> sound_list os).
  { intros (e & E) ->. eapply one; [exact sorted | exact E | eexists; reflexivity]. }
  unfold with_used in H. destruct x as [a| |], y as [b| |]; try discriminate; eauto; apply Z0; eauto; congruence.
Qed.
Lemma used_integer_case o : match used_integer m o with
  | Has t => use_integer g o = Ok (eval nu t) | NoValue => use_integer g o = fails UninitialisedUse | NotKnown => True end.
Proof. apply used_integer_ground. Qed.
Lemma used_scope o t : used_integer m o = Has t -> scoped n t = true.
Proof.
  destruct o as [r|z]; simpl; [|intros [= <-]; reflexivity]. unfold scoped_member in scope. apply andb_prop in scope as [S _]. rewrite forallb_forall in S.
  unfold slot_at. destruct (nth_in_or_default r (slots m) Forgotten) as [I|E]; [|rewrite E; discriminate]. specialize (S _ I).
  destruct (nth r (slots m) Forgotten); try discriminate. intros [= <-]. exact S.
Qed.
Lemma in_pointer r p : used_pointer m r = Has p -> use_pointer g r = Ok (option_map (pointer_at nu) p) /\
  forall s, p = Some s -> spot_here m s /\ eval nu (begins (there s)) <= eval nu (ends (there s)).
Proof.
  intros H. pose proof (used_pointer_ground P nu m r) as U. rewrite H in U. destruct U as [U V]. split; auto. intros s ->. destruct V as [V W]. split; auto.
  destruct V as [N L]. apply (objects_in _ _ _ _ _ W N L).
Qed.
Lemma no_pointer r : used_pointer m r = NoValue -> exists f, use_pointer g r = fails f.
Proof. intros H. pose proof (used_pointer_ground P nu m r) as U. rewrite H in U. exact U. Qed.

Theorem outcomes_sound os : outcomes m = Some os -> sound_list os.
Proof.
  unfold outcomes. destruct (nth_error (instructions P) (place_of m)) as [i|] eqn:E; [|discriminate].
  assert (S : forall d, step P under g d = match i with _ => step P under g d end) by (destruct i; auto).
  unfold step in S at 2. cbn [location ground] in S. rewrite E in S.
  destruct i; try discriminate.
  - (* jump *) intros [= <-]. eapply one; [exact sorted | exact S | apply reaches_go].
  - (* branch *)
    destruct c as [r a b|r a b]; intros H.
    + cbn [condition_holds] in S. pose proof (used_integer_case a) as A. pose proof (used_integer_case b) as B. eapply with_used_sound; [exact H | | |].
      * intros s t Ha Hb [= <-]. rewrite Ha in A. rewrite Hb in B. rewrite A, B in S. simpl bind in S.
        eapply either_sound; [exact sorted | exact S | |]; intros L.
        -- apply related_literal in L. rewrite L. apply reaches_go.
        -- destruct (related r (eval nu s) (eval nu t)) eqn:Y; [apply related_literal in Y; contradiction | apply reaches_go].
      * intros Ha. rewrite Ha in A. rewrite A in S. eexists. exact S.
      * intros s Ha Hb. rewrite Ha in A. rewrite Hb in B. rewrite A, B in S. eexists. exact S.
    + pose proof (used_pointer_operand_ground P nu m a) as A. pose proof (used_pointer_operand_ground P nu m b) as B. eapply with_used_sound; [exact H | | |].
      * intros p q Ha Hb [= <-]. rewrite Ha in A. rewrite Hb in B. destruct A as [A Ap], B as [B Bp].
        eapply compares_sound; eauto; [apply (layouts_formed P memories) | intros s -> | intros s ->]; auto.
      * intros Ha. rewrite Ha in A. destruct A as [f A]. cbn [condition_holds] in S. rewrite A in S. exists f. exact S.
      * intros p Ha Hb. rewrite Ha in A. rewrite Hb in B. destruct A as [A _], B as [f B]. cbn [condition_holds] in S. rewrite A, B in S. exists f. exact S.
  - (* choose *)
    intros [= <-]. split.
    + intros d _. rewrite S. destruct (number d =? 0).
      * apply taken with (exactly [] (GoesTo then_)); [exact sorted | simpl; auto | constructor | apply reaches_go].
      * apply taken with (exactly [] (GoesTo otherwise)); [exact sorted | simpl; auto | constructor | apply reaches_go].
    + intros o [<-|[<-|[]]] _ _.
      * exists still. split; auto. rewrite S. apply reaches_go.
      * exists {| number := 1; start := 0; fills := fun _ _ => 0 |}. split; auto. rewrite S. apply reaches_go.
  - (* fail *) intros [= <-]. eapply one; [exact sorted | exact S|]. eexists. reflexivity.
  - (* assign *) apply assigns_sound; auto.
  - (* compute *)
    intros H. pose proof (used_integer_case left) as A. pose proof (used_integer_case right) as B. eapply with_used_sound; [exact H | | |].
    + intros s t Ha Hb Hc. rewrite Ha in A. rewrite Hb in B.
      eapply computes_sound; eauto. intros T HT. apply nth_error_In in E.
      destruct (compute_formed P types _ _ _ _ E) as (T' & HT' & _ & Fa & Fb). assert (T' = T) by congruence. subst T'.
      split; [exact (operand_within P nu m ranges _ _ _ Fa Ha) | destruct op; auto; exact (operand_within P nu m ranges _ _ _ Fb Hb)].
    + intros Ha. rewrite Ha in A. unfold compute_in in S. rewrite A in S. eexists. exact S.
    + intros s Ha Hb. rewrite Ha in A. rewrite Hb in B. unfold compute_in in S. rewrite A, B in S. eexists. exact S.
  - (* havoc *)
    destruct (type_of P target) as [T|] eqn:Tr; [|discriminate]. intros [= <-].
    assert (I : integer_type_of P target = T) by (unfold integer_type_of; rewrite Tr; auto). rewrite I in S. split.
    + intros d _. set (z := wrap T (number d)).
      set (mu := {| integers := fun U x => if sort_eqb U (Some T) && Nat.eqb x n then z else integers nu U x; arrays := arrays nu |}).
      assert (G : agree n nu mu).
      { split; auto. intros U x L. simpl. destruct (Nat.eqb_spec x n); [lia|]. rewrite andb_false_r. auto. }
      exists (exactly [] (Draws target T)), mu. split; [simpl; auto|]. split; [constructor|]. split; [exact G|]. split.
      { destruct sorted as [W1 W2]. split; auto. intros U x. simpl. destruct (integer_type_eqb U T && Nat.eqb x n) eqn:Q; auto.
        apply andb_prop in Q as [Q _]. apply integer_type_eqb_eq in Q. subst U. apply wrap_within. }
      rewrite S. exists (set g target (Integer z)). split; [reflexivity|]. cbn [effect_of exactly affect].
      assert (Z0 : eval mu (Var (Some T) n) = z).
      { simpl. assert (integer_type_eqb T T = true) by (apply integer_type_eqb_eq; auto). rewrite H, Nat.eqb_refl. auto. }
      rewrite <- Z0. change (Integer (eval mu (Var (Some T) n))) with (value_of mu (IntegerSlot (Var (Some T) n))).
      pose proof (ground_agree P n nu mu G (known P (set_slot m target (IntegerSlot (Var (Some T) n)))) m scope) as [L V C D M O]. split; auto.
      cbn [ground set_slot set values slots]. rewrite map_replace. f_equal. exact V.
    + intros o [<-|[]] _ _. pose proof (proj1 sorted T n) as W.
      exists {| number := integers nu (Some T) n; start := 0; fills := fun _ _ => 0 |}. split; auto. rewrite S. cbn [number].
      rewrite wrap_same by exact W. eexists. split; [reflexivity|]. cbn [effect_of exactly affect].
      rewrite <- set_ground. apply holds_same_refl.
  - (* uninitialise *) intros [= <-]. eapply one; [exact sorted | exact S | apply (reaches_set P few n nu m target NothingHeld)].
  - (* null *) intros [= <-]. eapply one; [exact sorted | exact S | apply (reaches_set P few n nu m target NullSlot)].
  - (* copy *) intros [= <-]. eapply one; [exact sorted | exact S|]. rewrite register_ground. apply reaches_set.
  - (* address *) apply addresses_sound; auto.
  - (* advance *)
    intros H. pose proof (used_integer_case index) as B. eapply with_used_sound; [exact H | | |].
    + intros p t Ha Hb Hc. rewrite Hb in B. destruct (in_pointer _ _ Ha) as [A Q]. eapply advances_sound; eauto; intros s Es; apply (Q s Es).
    + intros Ha. destruct (no_pointer _ Ha) as [f A]. unfold Machine.advance in S. rewrite A in S. exists f. exact S.
    + intros p Ha Hb. rewrite Hb in B. destruct (in_pointer _ _ Ha) as [A Q]. unfold Machine.advance in S. rewrite A, B in S. eexists. exact S.
  - (* distance *)
    intros H. eapply with_used_sound; [exact H | | |].
    + intros p q Ha Hb Hc. destruct (in_pointer _ _ Ha) as [A Qa], (in_pointer _ _ Hb) as [B Qb].
      eapply distances_sound with (p := p) (q := q); eauto; try (intros s Es; apply (Qa s Es)); try (intros s Es; apply (Qb s Es)); apply (layouts_formed P memories).
    + intros Ha. destruct (no_pointer _ Ha) as [f A]. unfold Machine.distance in S. rewrite A in S. exists f. exact S.
    + intros p Ha Hb. destruct (in_pointer _ _ Ha) as [A Q], (no_pointer _ Hb) as [f B]. unfold Machine.distance in S. rewrite A, B in S. exists f. exact S.
  - (* load *)
    intros H. eapply with_used_sound; [exact H | | | intros; discriminate].
    + intros p [] Ha _ Hc. destruct (in_pointer _ _ Ha) as [A Q]. eapply loads_sound; eauto; [intros s Es; apply (Q s Es)|].
      intros s h -> Hh B q Iq Hq Nn. destruct (Q s eq_refl) as [Sp _]. pose proof (used_pointer_ground P nu m address) as U. rewrite Ha in U. destruct U as [_ [[N L] W]].
      destruct (type_eqb (hit_type h) (type_of P target)) eqn:Te; [auto|]. left.
      destruct (objects_in _ _ _ _ _ W N L) as [_ V]. destruct (hit_parts P s offset _ h Hh) as (_ & Nf & _ & _).
      pose proof (place_value P nu sorted s offset _ h Hh q Iq Hq) as Pv. rewrite field_ground in Pv. rewrite <- Pv.
      assert (Ty : field_type P (kind (there s)) (hit_field h) = hit_type h).
      { pose proof (hit_place P nu m s offset _ h Sp Hh address A) as Pl. pose proof (place_type P _ _ _ _ _ _ _ Pl) as Pt.
        cbn [Machine.target] in Pt. rewrite (object_here P nu m s Sp) in Pt. exact Pt. }
      rewrite <- Ty. apply V; [unfold is_in in B; lia|]. rewrite Nf.
      destruct (place_sound P nu sorted s offset _ h Hh q Iq Hq) as [_ St]. unfold stands_at in St. unfold known_element.
      destruct (snd (fst q)) as [c|u].
      * destruct St as (Ei & Lc & Es). assert (Ap : is_apart (hit_state h) (eval nu (hit_index h)) = true).
        { unfold is_apart. apply andb_true_intro. split; [apply Z.leb_le | apply Z.ltb_lt]; lia. }
        rewrite Ap. rewrite <- Es. destruct (snd q); simpl; auto. unfold as_type in Nn. rewrite Te in Nn. congruence.
      * destruct St as (-> & Ap & b & R & _). rewrite Ap. congruence.
    + intros Ha. destruct (no_pointer _ Ha) as [f A]. unfold Machine.load, place in S. rewrite A in S. exists f. exact S.
  - (* store *)
    intros H. eapply with_used_sound; [exact H | | | intros; discriminate].
    + intros p [] Ha _ Hc. destruct (in_pointer _ _ Ha) as [A Q]. eapply stores_sound with (p := p); eauto; try (intros s Es; apply (Q s Es)).
      pose proof (ranges source) as R. destruct (slot_at m source) eqn:Es; simpl; auto. destruct (type_of P source) eqn:Et; auto.
    + intros Ha. destruct (no_pointer _ Ha) as [f A]. unfold Machine.store, place in S. rewrite A in S. exists f. exact S.
  - (* allocate *)
    intros H. pose proof (used_integer_case bytes) as A. eapply with_used_sound; [exact H | | | intros; discriminate].
    + intros t [] Ha _ Hc. rewrite Ha in A. apply nth_error_In in E. eapply allocates_sound; eauto; [apply (requests_formed P memories _ _ _ _ E) | eapply used_scope; eauto].
    + intros Ha. rewrite Ha in A. unfold Machine.allocate in S. rewrite A in S. eexists. exact S.
  - (* free *)
    intros H. eapply with_used_sound; [exact H | | | intros; discriminate].
    + intros p [] Ha _ [= <-]. destruct (in_pointer _ _ Ha) as [A Q]. eapply frees_sound; eauto. intros s Es; apply (Q s Es).
    + intros Ha. destruct (no_pointer _ Ha) as [f A]. unfold Machine.free in S. rewrite A in S. exists f. exact S.
  - (* enter *) apply enters_sound; auto.
  - (* leave *) destruct (is_local P object) eqn:L; [|discriminate]. intros [= <-]. apply leaves_sound; auto.
Qed.
End Member.
End Outcomes.
