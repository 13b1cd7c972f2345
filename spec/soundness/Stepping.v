(** Step and StepDecided on members with folded parts (spec/calculus.md#step):
    lists are exhaustive, and real. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Inputs Runs Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Configurations Frames Views FoldedSteps FoldedEffects FoldedOutcomes Reached Insides Marking.
From Goatherd Require Members Effects Computing Lifetimes Outcomes Exhaustive Rules Entries FoldedRules.
Import ListNotations.
Open Scope Z_scope.

Section Stepping.
Variable P : program.
Variable under : parameters.
Variable few : nat.
Variable table : nat -> sort_of_trees.
Notation machine := (system_of P under).
Notation accounts := (accounts P under).
Notation accounts_sized := (accounts_sized P under).
Notation shows := (shows P under table).
Notation everything := (everything P).
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.
Hypothesis locals : locals_formed P.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.

(** ** The view's terms *)

Lemma view_scoped m rho g n : scoped_member n m = true -> Members.scoped_member n (view m rho g) = true.
Proof.
  unfold scoped_member, Members.scoped_member. intros S. apply andb_prop in S as [S S3]. apply andb_prop in S as [S1 S2].
  assert (Sv : forall w val, scoped_slot n w = true -> Members.scoped_slot n (view_slot rho w val) = true).
  { intros [[]| |] val H; simpl in *; auto; destruct val; auto. }
  assert (Sc : forall val, Members.scoped_slot n (concrete val) = true) by (intros [| | |]; auto).
  apply andb_true_intro. split.
  - rewrite forallb_forall. intros u I. unfold view in I. simpl in I. apply in_map_iff in I as (r & <- & _). apply Sv. apply (scoped_nth (scoped_slot n)); auto.
  - rewrite forallb_forall. intros x I. unfold view in I. simpl in I. apply in_map_iff in I as (p & <- & _). unfold view_entry.
    destruct (source m rho p) as [y|] eqn:E.
    + destruct (source_some _ _ _ _ E) as (o & Eo & _). pose proof (entry_scoped (scoped_object n) _ _ _ S2 Eo) as So.
      unfold scoped_object in So. apply andb_prop in So as [So Sf]. unfold Members.scoped_object. simpl. rewrite So. simpl.
      rewrite forallb_forall. intros F I. apply in_map_iff in I as (k & <- & _). unfold Members.scoped_field, view_field. simpl.
      assert (Sk : scoped_field n (nth k (contents y) no_field) = true) by (apply (scoped_nth (scoped_field n)); auto).
      unfold scoped_field in Sk. apply andb_prop in Sk as [Sa Sr]. rewrite Sr, andb_true_r.
      rewrite forallb_forall. intros u I. apply in_map_iff in I as (j & <- & _). apply Sv. apply (scoped_nth (scoped_slot n)); auto.
    + unfold Members.scoped_object, extra. simpl. rewrite forallb_forall. intros F I. apply in_map_iff in I as (k & <- & _). unfold extra_field.
      destruct (_ && _); auto. unfold Members.scoped_field. simpl. rewrite Sc. reflexivity.
Qed.

(** ** An execution's state does what the described one does *)

Definition asked i := match i with Address _ d => has_name P d = true | Enter d | Leave d => is_local P d = true | CheckLeaks _ => False | _ => True end.
Lemma asks_everything s i : asked i -> asks P everything s i.
Proof.
  destruct i; simpl; auto; try (destruct c; simpl); try (destruct value); repeat match goal with x : operand |- _ => destruct x; simpl | x : pointer_operand |- _ => destruct x; simpl end; auto.
Qed.
Lemma after_everything s i : weaker_knowledge everything (after P everything s i).
Proof.
  assert (L : forall r (k : Prop), k -> weaker_knowledge everything (learn r k everything)).
  { intros r k K. split; [|split]; simpl; auto. intros q _. destruct (Nat.eq_dec q r); auto. }
  destruct i; simpl; try apply L; try (split; [|split]; auto; fail); simpl; auto.
  - intros q f t _. exact I.
  - destruct (place P s address offset (type_of P source)) as [[[q f] t]|]; [|split; [|split]; auto].
    split; [|split]; simpl; auto. intros o f' i _. destruct (Nat.eq_dec o (target q)) as [->|]; [|right; split; [congruence | auto]].
    destruct (Nat.eq_dec f' f) as [->|]; [|right; split; [congruence | auto]].
    destruct (Z.eq_dec i (index q)) as [->|]; [left; auto | right; split; [congruence | auto]].
Qed.
Lemma follows rho g s i d k d' : alike everything rho g s -> tidy P g -> tidy P s -> nth_error (instructions P) (location g) = Some i -> asked i ->
  elsewhere k d d' -> match step P under g d, step P under s d' with
    | Ok g', Ok s' => exists rho', more rho rho' /\ alike everything rho' g' s' | Stop e, Stop e' => e = e' | _, _ => False end.
Proof.
  intros A T T' E As El. pose proof (step_alike P under everything rho g s i k d d' T T' A El E (asks_everything g i As)) as X.
  destruct (step P under g d) as [g'|], (step P under s d') as [s'|]; simpl in X; auto. destruct X as (rho' & Mo & X). exists rho'. split; [exact Mo|].
  destruct X as [(_ & _ & X)|(e & _ & X)]; (eapply alike_weaker; [|exact X]).
  - apply after_everything.
  - destruct (after_everything g i) as (R & El' & N). split; [exact R | split; simpl; auto].
Qed.

Lemma asked_by v rho g os' nu i : well_sorted nu -> Members.denotes_by P nu v rho g -> Outcomes.outcomes P under v = Some os' ->
  nth_error (instructions P) (location g) = Some i -> asked i.
Proof.
  intros W [A _] L E. rewrite (same_location _ _ _ _ A) in E. simpl in E.
  pose proof (Exhaustive.outcomes_ask P under nu v W os' i L E) as Q. destruct i; simpl in Q |- *; auto. apply Q.
Qed.

(** An outcome of the view's list is one of the member's. *)
Lemma one_of m v rho os os' o' : Forall2 (outcome_viewed P m rho v) os os' -> In o' os' -> exists o, In o os /\ outcome_viewed P m rho v o o'.
Proof. induction 1 as [|x y l l' H _ IH]; intros I; [destruct I|]. destruct I as [<-|I]; [exists x; simpl; auto|].
  destruct (IH I) as (o & J & K). exists o. simpl. auto. Qed.
Lemma one_for m v rho os os' o : Forall2 (outcome_viewed P m rho v) os os' -> In o os -> exists o', In o' os' /\ outcome_viewed P m rho v o o'.
Proof. induction 1 as [|x y l l' H _ IH]; intros I; [destruct I|]. destruct I as [<-|I]; [exists y; simpl; auto|].
  destruct (IH I) as (o' & J & K). exists o'. simpl. auto. Qed.

Definition reaches_folded sorts phi n mu m e (x : Machine.outcome state) : Prop := match e with
  | FailsHere => exists f, x = fails f
  | _ => exists s', x = Ok s' /\ denotes_state P sorts mu phi (affect P few n e m) s' end.

Section Lemmas.
Variables (sorts : list symbol_sort) (phi : meaning) (n : nat) (nu : valuation) (m : member) (os : list outcome) (s : state).
Hypothesis sorted : well_sorted nu.
Hypothesis meant : well_meant P table sorts phi.
Hypothesis scope : scoped_member n m = true.
Hypothesis listed : lists P under m os.
Hypothesis there : checks_leaks P -> result_there P m.
Hypothesis tidy_state : tidy P s.
Hypothesis denoted : denotes_state P sorts nu phi m s.

Lemma unnamed r d b f : In (Allocate r d b f) (instructions P) -> has_name P d = false.
Proof. intros I. exact (proj1 (requests_formed P memories _ _ _ _ I)). Qed.
Lemma step_fine g d g' : fine_state P g -> step P under g d = Ok g' -> fine_state P g'.
Proof.
  intros [T Ty O E N I] S. split.
  - eapply step_tidy; eauto.
  - eapply step_typed; eauto.
  - eapply step_ordered; eauto.
  - eapply step_exists; eauto.
  - eapply step_named; eauto. apply unnamed.
  - eapply step_inside; eauto.
Qed.
(** An allocation's list says what comes to be. *)
Lemma allocation_listed v os' o' r e b f : Outcomes.outcomes P under v = Some os' -> nth_error (instructions P) (Members.place_of v) = Some (Allocate r e b f) -> In o' os' ->
  Effects.effect_of o' = Effects.FailsHere \/ Effects.effect_of o' = Effects.Sets r Members.NullSlot \/ exists c, Effects.effect_of o' = Effects.Creates (Some r) e c f.
Proof.
  unfold Outcomes.outcomes. intros L E I. rewrite E in L. unfold Effects.with_used in L. destruct (Computing.used_integer v b) as [t| |]; try discriminate.
  - unfold Lifetimes.allocates in L. match type of L with (if ?x then _ else _) = _ => destruct x; [|discriminate] end. injection L as <-. destruct I as [<-|[<-|I]]; simpl; eauto.
    destruct (allocating under); [destruct I|]. destruct I as [<-|[]]. simpl. auto.
  - injection L as <-. destruct I as [<-|[]]. auto.
Qed.
Lemma extends_refl : extends_symbols sorts sorts phi phi.
Proof. intros x y E. auto. Qed.

(** What a step of the described state comes to is described by the effect. *)
Lemma described_on mu g rho roots lasts cells o o' d : fine_state P g -> describes_by P sorts nu phi m rho roots lasts cells g ->
  agree n nu mu -> well_sorted mu -> Forall (holds nu) (literals o) -> forallb (scoped_literal n) (literals o) = true ->
  outcome_viewed P m rho (view m rho g) o o' -> (exists os', Outcomes.outcomes P under (view m rho g) = Some os' /\ In o' os') -> start d = 0 ->
  Exhaustive.reaches_more P few n (view m rho g) (itself g) mu (Effects.effect_of o') (step P under g d) -> effect_of o <> FailsHere ->
  exists g', step P under g d = Ok g' /\ describes P sorts mu phi (affect P few n (effect_of o) m) g'.
Proof.
  intros Fg D G W H Sl (_ & _ & Ev) (os' & L & Io) S0 R Nf.
  assert (D' : describes_by P sorts mu phi m rho roots lasts cells g) by (eapply describes_agree; eauto using extends_refl).
  assert (H' : Forall (holds mu) (literals o)) by (eapply literals_agree; eauto).
  assert (Y : exists g' rho2, step P under g d = Ok g' /\ more (itself g) rho2 /\
    Members.denotes_by P mu (Effects.affect P few n (Effects.effect_of o') (view m rho g)) rho2 g').
  { clear - R Ev Nf. revert R Ev Nf. generalize (effect_of o), (Effects.effect_of o'). intros e e' R Ev Nf. unfold Exhaustive.reaches_more in R.
    destruct Ev; try exact R. destruct Nf. reflexivity. }
  destruct Y as (g' & rho2 & Es & Mo & Dn). exists g'. split; [exact Es|]. pose proof (step_fine _ _ _ Fg Es) as Fg'.
  eapply effect_describes; eauto; try apply Fg; try apply Fg'.
  { pose proof (step_fresh P under _ _ _ Es) as One. rewrite S0 in One. exact One. }
  intros Ck p Wp. destruct (Nat.ltb_spec p (length (memory g))) as [Lp|Lp].
  - destruct (step_revives P under _ _ _ Es p Lp (proj1 Wp)) as [A1 A2]. destruct Wp as [_ Wp]. split; congruence.
  - destruct (step_comes P under _ _ _ p Es Lp (proj1 Wp)) as (_ & [Lo|(r & e & b & f & j & c & I & _ & V)]); [apply local_not_owed in Lo as [Lo _]; destruct Wp; congruence|].
    pose proof (is_at _ _ _ _ _ _ _ _ _ _ D) as La. pose proof I as I'. rewrite La in I'. pose proof (there Ck) as Th. unfold result_there in Th. rewrite I' in Th.
    destruct (allocation_listed _ _ _ _ _ _ _ L I' Io) as [Ef|[Ef|(t & Ef)]]; rewrite Ef in Ev, Dn.
    + inversion Ev. congruence.
    + exfalso. rewrite <- (register_count _ _ _ _ _ _ _ _ _ _ D) in Th. pose proof (points _ _ _ _ V Th) as Pt. destruct Dn as [Al _].
      assert (Sl' : Members.slot_at (Effects.affect P few n (Effects.Sets r Members.NullSlot) (view m rho g)) r = Members.NullSlot).
      { unfold Members.slot_at. simpl. rewrite nth_replace, Nat.eqb_refl, map_length, seq_length. rewrite (register_count _ _ _ _ _ _ _ _ _ _ D) in Th. apply Nat.ltb_lt in Th. rewrite Th. reflexivity. }
      pose proof (same_registers _ _ _ _ Al r) as Sr. rewrite Members.register_ground, Sl', Pt in Sr. apply Sr. cbn [Members.known knows_register]. rewrite Sl'. exact Logic.I.
    + inversion Ev; subst; eauto.
Qed.
Lemma carried mu g rho roots lasts cells rn o o' d k d' : fine_state P g -> describes_by P sorts nu phi m rho roots lasts cells g ->
  alike everything rn g s -> (checks_leaks P -> all_mapped P rn g s) -> agree n nu mu -> well_sorted mu -> Forall (holds nu) (literals o) -> forallb (scoped_literal n) (literals o) = true ->
  outcome_viewed P m rho (view m rho g) o o' -> (exists os' i, Outcomes.outcomes P under (view m rho g) = Some os' /\ In o' os' /\ nth_error (instructions P) (location g) = Some i) ->
  start d = 0 -> elsewhere k d d' ->
  Exhaustive.reaches_more P few n (view m rho g) (itself g) mu (Effects.effect_of o') (step P under g d) ->
  reaches_folded sorts phi n mu m (effect_of o) (step P under s d').
Proof.
  intros Fg D A Mp G W H Sl Ov (os' & i & L & Io & E) S0 El R.
  assert (As : asked i).
  { eapply asked_by; [exact sorted | | exact L | exact E]. eapply view_denotes; [exact D | apply Fg | apply Fg]. }
  pose proof (follows rn g s i d k d' A (fine_tidy _ _ Fg) tidy_state E As El) as X.
  assert (Nf : effect_of o <> FailsHere -> reaches_folded sorts phi n mu m (effect_of o) (step P under s d')).
  { intros Nf. destruct (described_on mu g rho roots lasts cells o o' d Fg D G W H Sl Ov ltac:(eauto) S0 R Nf) as (g' & Es & Ds).
    rewrite Es in X. destruct (step P under s d') as [s'|] eqn:Es'; [|contradiction]. pose proof (step_fine _ _ _ Fg Es) as Fg'. destruct X as (rn' & Mr & X).
    assert (Mp' : checks_leaks P -> all_mapped P rn' g' s').
    { intros Ck. apply (mapped_on P under rn rn' g s g' s' d d' (Mp Ck) A X Mr Es Es'). intros r e b f I. split; [|exact (unnamed _ _ _ _ (nth_error_In _ _ I))].
      pose proof (is_at _ _ _ _ _ _ _ _ _ _ D) as La. rewrite La in I. pose proof (there Ck) as Th. unfold result_there in Th. rewrite I in Th.
      rewrite (register_count _ _ _ _ _ _ _ _ _ _ D). exact Th. }
    unfold reaches_folded. destruct (effect_of o); try (exists s'; split; [reflexivity | exists g', rn'; auto]; fail). destruct Nf. reflexivity. }
  destruct Ov as (_ & _ & Ev). destruct (effect_of o) eqn:Ee; try (apply Nf; discriminate).
  assert (Rf : exists f, step P under g d = fails f).
  { clear - R Ev. revert R Ev. generalize (Effects.effect_of o'). intros e' R Ev. remember FailsHere as e eqn:Q. destruct Ev; try discriminate. exact R. }
  clear R. destruct Rf as (f & R). rewrite R in X. simpl. exists f.
  unfold fails in X |- *. destruct (step P under s d') as [|e]; [contradiction | subst e; reflexivity].
Qed.

Hypothesis literals_scoped : forall o, In o os -> forallb (scoped_literal n) (literals o) = true.
Lemma listed_exhaustive d : exists o mu, In o os /\ Forall (holds nu) (literals o) /\ agree n nu mu /\ well_sorted mu /\
  reaches_folded sorts phi n mu m (effect_of o) (step P under s d).
Proof.
  destruct denoted as (g & rn & Fg & (rho & roots & lasts & cells & D) & A & Mp).
  destruct (listed rho _ (view_viewed P sorts phi nu m rho roots lasts cells g D)) as (os' & L & Fo).
  pose proof (view_denotes P sorts nu phi m rho roots lasts cells g D (fine_exist _ _ Fg) (fine_named _ _ Fg)) as Dn.
  destruct (Exhaustive.exhaustive_by P under few n nu (view m rho g) g os' locals types memories sorted (view_scoped _ _ _ _ scope)
    (fine_tidy _ _ Fg) (fine_typed _ _ Fg) (fine_ordered _ _ Fg) (itself g) Dn L (moved (- start d) d)) as (o' & mu & I & H & G & W & R).
  destruct (one_of _ _ _ _ _ _ Fo I) as (o & J & Ov). exists o, mu. split; auto.
  assert (H' : Forall (holds nu) (literals o)) by (destruct Ov as (_ & E & _); rewrite <- E; exact H). split; auto. split; auto. split; auto.
  assert (Li : exists os' i, Outcomes.outcomes P under (view m rho g) = Some os' /\ In o' os' /\ nth_error (instructions P) (location g) = Some i).
  { exists os'. pose proof (is_at _ _ _ _ _ _ _ _ _ _ D) as La. rewrite La. change (place_of m) with (Members.place_of (view m rho g)).
    destruct (nth_error (instructions P) (Members.place_of (view m rho g))) as [i|] eqn:E; [eauto 6|]. unfold Outcomes.outcomes in L. rewrite E in L. discriminate. }
  eapply (carried mu g rho roots lasts cells rn o o' (moved (- start d) d) (start d) d); eauto; [simpl; lia | apply elsewhere_moved].
Qed.
Lemma listed_real o : In o os -> tag_of o <> Effects.Ignorance -> Forall (holds nu) (literals o) ->
  exists d, reaches_folded sorts phi n nu m (effect_of o) (step P under s d).
Proof.
  intros J T H. destruct denoted as (g & rn & Fg & (rho & roots & lasts & cells & D) & A & Mp).
  destruct (listed rho _ (view_viewed P sorts phi nu m rho roots lasts cells g D)) as (os' & L & Fo).
  pose proof (view_denotes P sorts nu phi m rho roots lasts cells g D (fine_exist _ _ Fg) (fine_named _ _ Fg)) as Dn.
  destruct (one_for _ _ _ _ _ _ Fo J) as (o' & I & Ov). pose proof Ov as (Et & El & _).
  destruct (Exhaustive.real_by P under few n nu (view m rho g) g os' locals types memories sorted (view_scoped _ _ _ _ scope)
    (fine_tidy _ _ Fg) (fine_typed _ _ Fg) (fine_ordered _ _ Fg) (itself g) Dn L o' I ltac:(congruence) ltac:(rewrite El; exact H)) as (d & S0 & R).
  assert (Li : exists os' i, Outcomes.outcomes P under (view m rho g) = Some os' /\ In o' os' /\ nth_error (instructions P) (location g) = Some i).
  { exists os'. pose proof (is_at _ _ _ _ _ _ _ _ _ _ D) as La. rewrite La. change (place_of m) with (Members.place_of (view m rho g)).
    destruct (nth_error (instructions P) (Members.place_of (view m rho g))) as [i|] eqn:E; [eauto 6|]. unfold Outcomes.outcomes in L. rewrite E in L. discriminate. }
  exists (moved 0 d). eapply (carried nu g rho roots lasts cells rn o o' d 0 (moved 0 d)); eauto; [split; auto | apply moved_elsewhere].
Qed.
End Lemmas.

(** *** [CheckLeaks] *)

(** What is known of the state of an execution. *)
Definition as_executed s := tidy P s /\ (checks_leaks P -> pointers_exist s /\ inside_state s).
Lemma next_described sorts nu phi m rho roots lasts cells g : describes_by P sorts nu phi m rho roots lasts cells g ->
  describes_by P sorts nu phi (goes (S (place_of m)) m) rho roots lasts cells (next_location g).
Proof.
  intros [D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 D13 D14]. constructor; [|exact D2 | exact D3 | exact D4 | exact D5 | | exact D7 | exact D8 | exact D9 | | exact D11 | exact D12 | exact D13 | exact D14].
  - simpl. rewrite D1. reflexivity.
  - intros o x E. destruct (D6 o x E) as [A1 A2 A3 A4 A5 A6]. split; [exact A1 | exact A2 | exact A3 | exact A4 | exact A5 | exact A6].
  - assert (Sc : forall c, same_cell g (next_location g) c) by (intros c; split; reflexivity).
    intros f q E. destruct (D10 f q E) as (fp & Pm & D). exists fp. split; [exact Pm|]. destruct (nth_error sorts (symbol q)) as [[x|x]|]; [| |exact D].
    + destruct D as (B & L & T). split; [exact B|]. split; [exact L|]. eapply tree_stays; [exact T | auto].
    + eapply context_stays; [exact D | auto].
Qed.
Lemma leaks_reached sorts nu phi n m roots b s d : well_sorted nu -> nth_error (instructions P) (place_of m) = Some (CheckLeaks roots) -> answers P m roots b ->
  as_executed s -> denotes_state P sorts nu phi m s -> reaches_folded sorts phi n nu m (if b then FailsHere else GoesTo (S (place_of m))) (step P under s d).
Proof.
  intros W E An [_ Ex] (g & rn & Fg & (rho & ro & la & ce & D) & A & Mp).
  assert (Ck : checks_leaks P) by (exists roots; eapply nth_error_In; exact E). destruct (Ex Ck) as [Es Is].
  assert (Loc : location s = place_of m) by (rewrite (same_location _ _ _ _ A); apply (is_at _ _ _ _ _ _ _ _ _ _ D)).
  unfold step. rewrite Loc, E. rewrite (leaks_answered P sorts nu phi m roots b rho ro la ce g rn s W D (fine_named _ _ Fg) (all_tabled _ _ _ _ _ _ _ _ _ _ D Ck) A (Mp Ck) Es Is An).
  destruct b; [simpl; eauto|]. exists (next_location s). split; [reflexivity|]. exists (next_location g), rn. split; [|split; [|split]].
  - destruct Fg as [F1 F2 F3 F4 F5 F6]. split; [apply next_tidy; exact F1 | exact F2 | exact F3 | exact F4 | exact F5 | exact F6].
  - exists rho, ro, la, ce. apply next_described. exact D.
  - apply next_alike. exact A.
  - intros _. destruct (Mp Ck) as [M1 M2]. split; [exact M1 | exact M2].
Qed.

(** *** Lemmas 1 and 2, of any instruction *)

Section Offered.
Variables (sorts : list symbol_sort) (phi : meaning) (n : nat) (nu : valuation) (m : member) (os : list outcome) (s : state).
Hypothesis sorted : well_sorted nu.
Hypothesis meant : well_meant P table sorts phi.
Hypothesis scope : scoped_member n m = true.
Hypothesis offered : offers P under m os.
Hypothesis executed_state : as_executed s.
Hypothesis denoted : denotes_state P sorts nu phi m s.
Hypothesis literals_scoped : forall o, In o os -> forallb (scoped_literal n) (literals o) = true.
(** Lemma 1. *)
Theorem folded_exhaustive d : exists o mu, In o os /\ Forall (holds nu) (literals o) /\ agree n nu mu /\ well_sorted mu /\
  reaches_folded sorts phi n mu m (effect_of o) (step P under s d).
Proof.
  destruct offered as [[L T]|(roots & b & E & An & ->)]; [eapply listed_exhaustive; eauto; apply executed_state|].
  eexists _, nu. split; [left; reflexivity|]. split; [constructor|]. split; [split; auto|]. split; [exact sorted|]. eapply leaks_reached; eauto.
Qed.
(** Lemma 2. *)
Theorem folded_real o : In o os -> tag_of o <> Effects.Ignorance -> Forall (holds nu) (literals o) ->
  exists d, reaches_folded sorts phi n nu m (effect_of o) (step P under s d).
Proof.
  intros I Tg H. destruct offered as [[L T]|(roots & b & E & An & ->)]; [eapply listed_real; eauto; apply executed_state|].
  destruct I as [<-|[]]. exists {| number := 0; start := 0; fills := fun _ _ => 0 |}. eapply leaks_reached; eauto.
Qed.
End Offered.

(** ** The rules *)

Hypothesis contents : Entries.contents_formed P.
Definition counts m e : Z := match e with Draws _ _ => 1 | GoesTo l => if Nat.leb l (place_of m) then 1 else 0 | _ => 0 end.
Definition next_variable n e := match e with
  | Draws _ _ => S n | Creates _ d _ _ => (n + Effects.stride few * length (Effects.layout_at P d))%nat | _ => n end.
Definition follow_member n m (t : option term) o := {|
  stands := match effect_of o with FailsHere => HasFailed | e => At (affect P few n e m) end;
  counted := option_map (fun t => Plus t (Constant (counts m (effect_of o)))) t |}.

Lemma genuine_executed (r : run machine) s : genuine machine r -> last _ r = Running s -> as_executed s.
Proof.
  intros G L. split; [apply (Rules.genuine_states P under locals types memories contents r s G L)|]. intros _. eapply executed; eauto.
Qed.
Lemma denoted_location sorts nu phi m s : denotes_state P sorts nu phi m s -> location s = place_of m.
Proof. intros (g & rn & _ & (rho & ro & la & ce & D) & A & _). rewrite (same_location _ _ _ _ A). apply (is_at _ _ _ _ _ _ _ _ _ _ D). Qed.
(** Only [Havoc] draws. *)
Lemma draws_listed sorts nu phi m os o s : offers P under m os -> In o os -> denotes_state P sorts nu phi m s ->
  draws P s = match effect_of o with Draws _ _ => true | _ => false end.
Proof.
  intros [[H _]|(roots & b & E & _ & ->)] I D; pose proof (denoted_location _ _ _ _ _ D) as Loc.
  2: { unfold draws. rewrite Loc, E. destruct I as [<-|[]]. destruct b; reflexivity. }
  destruct D as (g & rn & _ & (rho & ro & la & ce & D) & _).
  destruct (H rho _ (view_viewed P sorts phi nu m rho ro la ce g D)) as (os' & L & Fo).
  destruct (one_for _ _ _ _ _ _ Fo I) as (o' & I' & _ & _ & Ev).
  rewrite (Rules.draws_effect P under few _ s os' o' L Loc I'). revert Ev. generalize (effect_of o), (Effects.effect_of o'). intros e e' Ev. destruct Ev; reflexivity.
Qed.
Lemma affect_place n e m : (forall l, e <> GoesTo l) -> e <> FailsHere -> place_of (affect P few n e m) = S (place_of m).
Proof.
  intros G F. destruct e as [l|r v| |r T|o f e v|r d c f|o]; simpl; auto; try congruence.
  destruct r; simpl; auto. unfold without_earlier. destruct (is_local P d); auto. destruct (find _ _); auto.
Qed.

Lemma follow_accounts sorts phi n nu mu m os o t (r : run machine) s d : offers P under m os -> In o os -> denotes_state P sorts nu phi m s ->
  match t with Some t => eval mu t = Z.of_nat (consumed _ r) | None => True end ->
  reaches_folded sorts phi n mu m (effect_of o) (step P under s d) ->
  accounts sorts mu phi (follow_member n m t o) (extend machine r (consumes P s (step P under s d))
    (match step P under s d with Ok s' => Running s' | Stop e => Over e end)).
Proof.
  intros H I Ds C R. pose proof (draws_listed _ _ _ _ _ _ _ H I Ds) as D. pose proof (denoted_location _ _ _ _ _ Ds) as Loc.
  assert (N : Z.of_nat (consumes P s (step P under s d)) = counts m (effect_of o)).
  { unfold consumes. rewrite D. unfold reaches_folded in R. pose proof (affect_place n (effect_of o) m) as Pl.
    destruct (effect_of o) eqn:E; try (destruct R as (s' & -> & X); unfold leads_back; rewrite (denoted_location _ _ _ _ _ X), Loc;
      try (rewrite Pl by congruence; unfold counts; destruct (Nat.leb_spec (S (place_of m)) (place_of m)); [lia | reflexivity])).
    - simpl. destruct (Nat.leb l (place_of m)); reflexivity.
    - destruct R as [f ->]. reflexivity. }
  split.
  - unfold follow_member. cbn [stands]. unfold reaches_folded in R.
    destruct (effect_of o) eqn:E; try (destruct R as (s' & -> & R); exists s'; split; [reflexivity | exact R]). destruct R as [f ->]. exact Logic.I.
  - unfold follow_member. cbn [counted]. destruct t as [t|]; simpl option_map; [|exact Logic.I].
    cbn [eval]. rewrite C, <- N. simpl consumed. lia.
Qed.

(** Every outcome becomes a child, or is refuted. *)
Definition follow_primary c m o := {| variables := next_variable (variables c) (effect_of o); symbols := symbols c; predicate := literals o ++ predicate c;
  primary := follow_member (variables c) m (counted (primary c)) o; others := others c |}.
Theorem folded_step_sound c m os children : stands (primary c) = At m -> offers P under m os ->
  (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
  (forall o, In o os -> absurd (literals o ++ predicate c) \/
    In (follow_primary c m o) children /\ in_scope (follow_primary c m o) = true) ->
  sound_step machine _ shows c children.
Proof.
  intros Pm Os Sc Cases t ts [[Gt _] (S & nu & phi & [W M] & Me & [A C] & O)]. apply FoldedRules.scope_parts in S as (S1 & S2 & S3).
  rewrite Pm in A. destruct A as (s & L & D). pose proof (genuine_executed t s Gt L) as Td.
  unfold scoped_counted in S2. rewrite Pm in S2. apply andb_prop in S2 as [Sm Sx].
  split; [rewrite L; simpl; auto|]. intros k x Hx. rewrite L in Hx. simpl in Hx. destruct Hx as (d & -> & ->).
  destruct (folded_exhaustive (symbols c) phi (variables c) nu m os s W Me Sm Os Td D Sc d) as (o & mu & I & H & G & W' & R).
  destruct (Cases o I) as [U|[J Sf]].
  - exfalso. apply (U nu). split; auto. apply Forall_app. auto.
  - exists (follow_primary c m o). split; auto. split; auto. exists mu, phi. split; [split; [exact W'|] | split; [exact Me | split]].
    + simpl. apply Forall_app. split; eapply literals_agree; eauto.
    + simpl. eapply follow_accounts; eauto.
      destruct (counted (primary c)) as [u|]; auto. simpl in Sx. rewrite <- (proj1 (agree_eval _ _ _ G) _ Sx). exact C.
    + simpl. eapply FoldedRules.others_agree; eauto.
Qed.

(** One outcome whose literals are entailed, and that is no [Ignorance]. *)
Definition follow_other c front k m x back o := {| variables := next_variable (variables c) (effect_of o); symbols := symbols c; predicate := predicate c;
  primary := primary c; others := front ++ (k, follow_member (variables c) m (counted x) o) :: back |}.
Theorem folded_step_decided_sound c front k m x back os o : others c = front ++ (k, x) :: back -> stands x = At m ->
  offers P under m os -> In o os -> tag_of o <> Effects.Ignorance ->
  (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
  (forall nu, model nu (predicate c) -> Forall (holds nu) (literals o)) ->
  in_scope (follow_other c front k m x back o) = true ->
  sound_decided machine _ shows c (length front) (follow_other c front k m x back o).
Proof.
  intros E Xm Os I T Sc En Sf t ts [[_ Gts] (S & nu & phi & [W M] & Me & A & O)]. apply FoldedRules.scope_parts in S as (S1 & S2 & S3).
  rewrite E in O, S3. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & ->).
  inversion O2 as [|? q ? ts3 [Fk [B C]] O3]; subst. destruct q as [k' r]. simpl in Fk, B, C. subst k'.
  rewrite Xm in B. destruct B as (s & L & D).
  assert (Gr : genuine machine r).
  { rewrite Forall_forall in Gts. apply (Gts (k, r)). apply in_or_app. simpl. auto. }
  pose proof (genuine_executed r s Gr L) as Td.
  assert (Sm : scoped_member (variables c) m = true).
  { rewrite forallb_app in S3. simpl in S3. unfold scoped_counted at 2 in S3. rewrite Xm in S3.
    apply andb_prop in S3 as [_ S3]. apply andb_prop in S3 as [S3 _]. apply andb_prop in S3 as [S3 _]. exact S3. }
  destruct (folded_real (symbols c) phi (variables c) nu m os s W Me Sm Os Td D Sc o I T (En nu (conj W M))) as (d & R).
  exists k, r, (extend machine r (consumes P s (step P under s d)) (match step P under s d with Ok s' => Running s' | Stop e => Over e end)), ts1, ts3.
  split; auto. split; [clear - O1; induction O1; simpl; congruence|]. split.
  - eapply extends_step; [constructor|]. rewrite L. exists d. split; reflexivity.
  - split; auto. exists nu, phi. split; [split; auto|]. split; [exact Me|]. split; [exact A|]. simpl. apply Forall2_app; auto. constructor; auto.
    split; auto. simpl. eapply follow_accounts; eauto.
Qed.
End Stepping.
