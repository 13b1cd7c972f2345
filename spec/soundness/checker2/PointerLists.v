(** That what the second checker lists of addresses, pointers that are moved, compared or
    subtracted, is right (spec/calculus.md#step). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Typed Bounds FoldedMembers Configurations Members RegisterSteps SameValues.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums ComputedLists.
Import ListNotations.
Open Scope Z_scope.

Lemma object_named_is l m q : FoldedMembers.object_named (member_of l m) q =
  if Nat.ltb q (N.to_nat (given (objects_held m))) then option_map object_of (find (objects_held m) (N.of_nat q)) else None.
Proof.
  unfold FoldedMembers.object_named. simpl. unfold entries_of. destruct (Nat.ltb_spec q (N.to_nat (given (objects_held m)))) as [L|L].
  - apply nth_error_nth. rewrite nth_error_map, numbers_of_at. destruct (Nat.ltb_spec q (N.to_nat (given (objects_held m)))); [reflexivity | lia].
  - apply nth_overflow. rewrite map_length. unfold numbers_of. rewrite numbers_from_length. exact L.
Qed.
Section Pointers.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Variable l : N.
Variable m : member_state.
Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (s0 : state) (M0 : model).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued M0) phi (member_of l m) rho roots lasts placed g.
Hypothesis fine : FoldedMembers.fine_state P g.
Hypothesis tables : tables_right m.
Hypothesis terms_in : forall p, In p (member_terms m) -> part_in s0 p.
Hypothesis sizes : Bounds.sizes_formed P.
Notation says := (says l m rho roots lasts).
Notation happens := (happens P l m rho roots lasts g).
Notation list_right := (list_right P under l m rho roots lasts g).
Notation step := (Machine.step P under g).

(** ** Computations that only look, and may end early *)

Lemma peeks_goes {A B} s (c : computes (option A)) (f : A -> computes (option B)) (Q : option A -> Prop) (R : option B -> Prop) :
  peeks s c Q -> (forall a, Q (Some a) -> peeks s (f a) R) -> (Q None -> R None) -> peeks s (goes_on c f) R.
Proof. intros H F N. unfold goes_on. eapply peeks_bind; [exact H|]. intros [a|] q; [apply F; exact q | apply peeks_ret; auto]. Qed.
Lemma meets_looks {A B} s M (c : computes (option A)) (f : A -> computes (option B)) (Q : option A -> Prop) (R : option B -> state -> model -> Prop) :
  good s M -> peeks s c Q -> (forall a, Q (Some a) -> meets s M (f a) R) -> (Q None -> R None s M) -> meets s M (goes_on c f) R.
Proof. intros G H F N. unfold goes_on. eapply meets_peek; [exact H|]. intros [a|] q; [apply F; exact q | apply meets_ret; auto]. Qed.

Lemma looked {A} s M (c : computes A) (Q : A -> Prop) : good s M -> peeks s c Q -> meets s M c (fun a s' K => s' = s /\ K = M /\ Q a).
Proof. intros G H a s' Ex. destruct (H a s' Ex) as [-> q]. exists M. split; auto. split; [apply keeps_refl | auto]. Qed.

(** ** Objects *)

(** The object of the state. *)
Definition there (o : N) : Machine.object := Machine.object_at g (rho (N.to_nat o)).
Lemma object_held o x : find (objects_held m) o = Some x -> FoldedMembers.object_named (member_of l m) (N.to_nat o) = Some (object_of x).
Proof.
  intros F. pose proof (objects_numbered m tables o x F) as L. rewrite object_named_is. destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m)))); [|lia].
  rewrite N2Nat.id, F. reflexivity.
Qed.
Lemma object_terms_in o x : find (objects_held m) o = Some x -> forall p, In p (object_terms x) -> part_in s0 p.
Proof.
  intros F p I. apply terms_in. unfold member_terms. apply in_or_app. right. apply in_or_app. right. apply in_or_app. left. unfold entry_terms. apply in_flat_map.
  exists (o, x). split; [apply in_order_in; split; [exact (objects_numbered m tables o x F) | exact F] | exact I].
Qed.
Record bounds_are (o : N) (x : object_state) (s : state) (M : model) : Prop := {
  same_declaration : Machine.declared (there o) = N.to_nat (declaration x);
  same_life : Machine.alive (there o) = life_of_object (life_of x);
  lower_is : (lower x < linears_in s)%N /\ Machine.lower (there o) = vl M (lower x);
  upper_is : (upper x < linears_in s)%N /\ Machine.upper (there o) = vl M (upper x) }.
Lemma held_bounds s M o x : keeps s0 M0 s M -> find (objects_held m) o = Some x -> bounds_are o x s M.
Proof.
  intros K F. destruct (FoldedMembers.objects_hold _ _ _ _ _ _ _ _ _ _ described _ _ (object_held o x F)) as [D1 D2 D3 D4 _ _].
  pose proof (object_terms_in o x F (LinearPart (lower x)) (or_introl eq_refl)) as Il. pose proof (object_terms_in o x F (LinearPart (upper x)) (or_intror (or_introl eq_refl))) as Iu.
  cbn [part_in] in Il, Iu. pose proof (proj1 (keeps_linears _ _ _ _ K)) as Le. simpl in D3, D4. rewrite N2Nat.id in D3, D4.
  split; [exact D1 | exact D2 | |]; (split; [lia|]); rewrite (proj2 (keeps_linears _ _ _ _ K)) by auto; assumption.
Qed.

(** ** Pointers that are used *)

Definition pointer_at (M : model) (p : spot) : Machine.pointer := let '(o, i, b) := p in {| Machine.target := rho (N.to_nat o); Machine.index := vl M i; Machine.byte := Z.of_N b |}.
Definition spot_here (s : state) (p : spot) : Prop := let '(o, i, b) := p in (exists x, find (objects_held m) o = Some x /\ is_live (life_of x) = true) /\ (i < linears_in s)%N.
Definition reads_pointer (s : state) (M : model) (y : Machine.outcome (option Machine.pointer)) (x : option (option spot)) : Prop := match x with
  | None => exists f, y = Machine.fails f
  | Some p => (forall q, p = Some q -> spot_here s q) /\ y = Machine.Ok (option_map (pointer_at M) p) end.
Lemma used_pointer_peek s M r : keeps s0 M0 s M -> peeks s (used_pointer m r) (reads_pointer s M (Machine.use_pointer g (N.to_nat r))).
Proof.
  intros K. pose proof (fun v F => slot_says P l m ss phi s0 M0 rho roots lasts placed g described (registers_numbered m tables) terms_in s M r v K F) as Says.
  unfold used_pointer. eapply peeks_goes with (Q := fun x => match x with Some v => find (held m) r = Some v | None => find (held m) r = Some Uninitialised end).
  - unfold used. eapply peeks_bind; [apply register_slot_peek|]. intros v F. cbn beta in F. destruct v; try apply peeks_refuses; apply peeks_ret; auto.
  - intros v F. specialize (Says v F). unfold Listed.says in Says. destruct v as [| |u| |o i b|f|f]; try apply peeks_refuses.
    + apply peeks_ret. split; [intros ? [=]|]. simpl in Says. unfold Machine.use_pointer. rewrite <- Says. reflexivity.
    + eapply peeks_bind; [apply (peeks_some s _ _ (fun x => find (objects_held m) o = Some x)); auto|]. intros x Fx. cbn beta in Fx.
      simpl in Says. rewrite (object_held o x Fx) in Says. rewrite N2Nat.id in Says. destruct (held_bounds s M o x K Fx) as [_ Al _ _].
      assert (Lv : Machine.is_live g (rho (N.to_nat o)) = is_live (life_of x)) by (unfold Machine.is_live; fold (there o); rewrite Al; destruct (life_of x); reflexivity).
      destruct (is_live (life_of x)) eqn:Li; apply peeks_ret; unfold Machine.use_pointer; rewrite <- Says; cbn [Machine.target]; rewrite Lv.
      * split; [|reflexivity]. intros q [= <-]. split; [eauto|]. pose proof (slot_in m s0 (registers_numbered m tables) terms_in r _ F (LinearPart i) (or_introl eq_refl)) as Ii.
        pose proof (proj1 (keeps_linears _ _ _ _ K)). cbn [part_in] in Ii. lia.
      * exists Machine.DeadObject. reflexivity.
  - intros F. specialize (Says _ F). unfold Listed.says in Says. simpl in Says. exists Machine.UninitialisedUse. unfold Machine.use_pointer. rewrite <- Says. reflexivity.
Qed.
Lemma pointer_later s M s' M' y p : keeps s M s' M' -> reads_pointer s M y (Some p) -> reads_pointer s' M' y (Some p).
Proof.
  intros K [H ->]. pose proof (keeps_linears _ _ _ _ K) as [Le Eq]. split.
  - intros [[o i] b] Ep. destruct (H _ Ep) as [A B]. split; [exact A | lia].
  - destruct p as [[[o i] b]|]; [|reflexivity]. destruct (H _ eq_refl) as [_ B]. simpl. rewrite (Eq i B). reflexivity.
Qed.
Lemma used_side_peek s M o : keeps s0 M0 s M -> peeks s (used_side m o) (reads_pointer s M (Machine.use_pointer_operand g (Translated.pointer_of o))).
Proof. intros K. destruct o as [r|]; [apply used_pointer_peek; exact K|]. apply peeks_ret. split; [intros ? [=] | reflexivity]. Qed.

(** ** Layouts *)

Lemma layout_peek s d : peeks s (layout_in E d) (fun y => Machine.layout_of_declaration P (N.to_nat d) = Translated.layout_of y).
Proof.
  unfold layout_in, object_in. eapply peeks_bind with (P := fun x => at_position (objects_of (names_in E)) d = Some x); [apply peeks_some; auto|]. intros x Hx.
  apply peeks_some. intros y Hy. unfold Machine.layout_of_declaration. rewrite (same_objects _ _ _ setting_right d x Hx). exact (same_layouts _ _ _ setting_right _ y Hy).
Qed.
Lemma size_peek s o x : find (objects_held m) o = Some x -> peeks s (size_held E m o) (fun z => Machine.size_at P g (rho (N.to_nat o)) = z /\ 1 <= z).
Proof.
  intros F. unfold size_held, layout_held. eapply peeks_bind with (P := fun y => Machine.layout_of_declaration P (N.to_nat (declaration x)) = Translated.layout_of y).
  - unfold object_state_at. eapply peeks_bind; [apply (peeks_some s _ _ (fun y => y = x)); congruence|]. intros ? ->. apply layout_peek.
  - intros y Hy. apply peeks_ret. assert (S : Machine.size_at P g (rho (N.to_nat o)) = Z.of_N (element_size y)).
    { unfold Machine.size_at. fold (there o). rewrite (same_declaration _ _ _ _ (held_bounds s0 M0 o x (keeps_refl _ _) F)), Hy. reflexivity. }
    split; [exact S|]. rewrite <- S. unfold Machine.size_at. apply Pointers.size_positive. exact sizes.
Qed.
Lemma whole_meets s M bytes size u : good s M -> (bytes < linears_in s)%N -> meets s M (whole bytes size u) (fun x s' K => 0 < size /\ (fst x < linears_in s')%N /\ vl K (fst x) = vl M bytes / size /\ snd x = vl M bytes mod size).
Proof.
  intros G I. unfold whole. eapply meets_peek; [eapply linear_peek; eauto|]. intros y (_ & _ & V). eapply meets_peek with (P := fun _ => True); [apply peeks_demand; auto|]. intros _ _.
  eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => forallb (fun '(_, k) => k mod size =? 0) (summands y) = true)); auto|]. intros ? Fo. cbn beta in Fo.
  eapply meets_peek with (P := fun r => 0 < size /\ r = constant y mod size); [unfold rest_of; destruct (Z.ltb_spec 0 size); [apply peeks_ret; auto | apply peeks_refuses]|]. intros r [Sz ->].
  eapply meets_bind; [apply quotient_meets; auto|]. intros q s1 M1 G1 K1 [Iq Vq]. apply meets_ret; auto. cbn [fst snd]. split; auto. split; auto. split; auto.
  rewrite V. unfold linear_value. assert (X : forall ks, forallb (fun '(_, k) => k mod size =? 0) ks = true -> exists k, sum_value M ks = k * size).
  { clear - Sz. induction ks as [|[a k] ks IH]; cbn [forallb]; intros Fo; [exists 0; reflexivity|]. apply andb_prop in Fo as [A B]. apply Z.eqb_eq in A. destruct (IH B) as [j Hj].
    apply Z.mod_divide in A as [h ->]; [|lia]. exists (h * va M a + j). simpl. rewrite Hj. lia. }
  destruct (X _ Fo) as [k ->]. symmetry. apply Z.mod_add. lia.
Qed.

(** ** What is outside *)

Lemma filter_false_peek s M ls : good s M -> peeks s (filter_in (fun k => let$ f := is_false k in ret (negb f)) ls) (fun out => incl out ls /\ forall k, In k ls -> literal_holds M k -> In k out).
Proof.
  intros G. unfold filter_in. eapply peeks_weaker; [apply (peeks_fold s _ (fun kept rest => exists before, ls = before ++ rest /\ incl kept before /\ forall k, In k before -> literal_holds M k -> In k kept))|].
  - intros kept k rest (before & Eq & A & B). eapply peeks_bind with (P := fun b => literal_holds M k -> b = true).
    + eapply peeks_bind; [eapply is_false_peek; eauto|]. intros f Hf. apply peeks_ret. intros H. destruct f; [destruct (Hf eq_refl H) | reflexivity].
    + intros b Hb. apply peeks_ret. exists (before ++ [k]). rewrite <- app_assoc. split; auto. split.
      * intros j I. destruct b; [apply in_app_or in I as [I|I]; apply in_or_app; auto | apply in_or_app; auto].
      * intros j I H. apply in_app_or in I as [I|[<-|[]]]; [destruct b; [apply in_or_app; left|]; auto | rewrite (Hb H); apply in_or_app; right; left; auto].
  - exists []. split; auto. split; [intros ? [] | intros ? []].
  - intros kept (before & Eq & A & B). rewrite app_nil_r in Eq. subst before. auto.
Qed.
Definition out_says (s : state) (K : model) (out : list literal) (inside : Prop) : Prop :=
  (forall k, In k out -> literal_in s k) /\ ((exists k, In k out /\ literal_holds K k) <-> ~ inside).
Lemma outside_meets s M o x i past : good s M -> keeps s0 M0 s M -> find (objects_held m) o = Some x -> (i < linears_in s)%N ->
  meets s M (outside m o i past) (fun out s' K => out_says s' K out (Machine.lower (there o) <= vl M i < Machine.upper (there o) + past)).
Proof.
  intros G K F Ii. destruct (held_bounds s M o x K F) as [_ _ [Il ->] [Iu ->]]. unfold outside, object_state_at. eapply meets_peek; [apply (peeks_some s _ _ (fun y => y = x)); congruence|]. intros ? ->.
  eapply meets_bind; [apply plus_meets; auto|]. intros end_ s1 M1 G1 K1 [Ie Ve]. pose proof (keeps_linears _ _ _ _ K1) as [L1 E1].
  eapply meets_bind; [apply less_meets; auto; lia|]. intros below s2 M2 G2 K2 [Ib Hb]. rewrite !E1 in Hb by auto. pose proof (keeps_linears _ _ _ _ K2) as [L2 E2].
  unfold at_most. eapply meets_bind with (P := fun k s' M' => literal_in s' k /\ (literal_holds M' k <-> vl M (upper x) + past <= vl M i) /\ keeps s2 M2 s' M').
  { eapply meets_bind; [apply meets_also_kept, difference_meets; auto|]. intros d s3 M3 G3 _ [K3 [Id Vd]]. apply meets_ret; auto. split; [exact Id|]. split; [|exact K3].
    unfold literal_holds. simpl. rewrite Vd, !E2, Ve, E1 by lia. lia. }
  intros above s3 M3 G3 _ (Ia & Ha & K3). destruct (literal_kept _ _ _ _ below K3 Ib) as [Ib3 Hb3].
  eapply meets_weaker; [apply looked; [exact G3 | eapply filter_false_peek; eauto]|]. intros out s4 M4 _ _ (-> & -> & Inc & All). split.
  - intros k I. destruct (Inc k I) as [<-|[<-|[]]]; assumption.
  - split.
    + intros (k & I & H). destruct (Inc k I) as [<-|[<-|[]]]; [apply Hb3, Hb in H; lia | apply Ha in H; lia].
    + intros N. destruct (Z_lt_ge_dec (vl M i) (vl M (lower x))) as [Lt|Ge].
      * exists below. assert (H : literal_holds M3 below) by (apply Hb3, Hb, Lt). split; [apply All; [left; auto | exact H] | exact H].
      * exists above. assert (H : literal_holds M3 above) by (apply Ha; lia). split; [apply All; [right; left; auto | exact H] | exact H].
Qed.
Lemma out_later s M s' M' out inside : keeps s M s' M' -> out_says s M out inside -> out_says s' M' out inside.
Proof.
  intros K [A B]. split; [intros k I; apply (literal_kept _ _ _ _ k K (A k I))|]. rewrite <- B. split; intros (k & I & H); exists k; (split; [exact I|]); apply (literal_kept _ _ _ _ k K (A k I)); exact H.
Qed.
Lemma negations_meets ls : forall s M, good s M -> (forall k, In k ls -> literal_in s k) ->
  meets s M (negations ls) (fun ns s' K => keeps s M s' K /\ (forall k, In k ns -> literal_in s' k) /\ (literals_hold K ns <-> ~ exists k, In k ls /\ literal_holds K k)).
Proof.
  unfold negations. induction ls as [|k ls IH]; intros s M G I; cbn [mapped].
  - apply meets_ret; auto. split; [apply keeps_refl|]. split; [intros ? []|]. split; [intros _ (k & [] & _) | intros _ k []].
  - eapply meets_bind; [apply negate_meets; auto; apply I; left; auto|]. intros n s1 M1 G1 K1 [In_ Hn].
    eapply meets_bind; [apply IH; [exact G1 | intros j J; apply (literal_kept _ _ _ _ j K1), I; right; exact J]|]. intros ns s2 M2 G2 _ (K2 & In2 & H2). apply meets_ret; auto.
    pose proof (keeps_trans _ _ _ _ _ _ K1 K2) as K12. destruct (literal_kept _ _ _ _ n K2 In_) as [In3 Hn3]. destruct (literal_kept _ _ _ _ k K12 (I k (or_introl eq_refl))) as [_ Hk].
    split; [exact K12|]. split; [intros j [<-|J]; auto|]. split.
    + intros H (j & [<-|J] & Hj); [apply (proj1 Hn (proj1 Hn3 (H n (or_introl eq_refl)))), Hk, Hj | apply H2; [intros j' J'; apply H; right; exact J' | eauto]].
    + intros H j [<-|J]; [apply Hn3, Hn; intros X; apply H; exists k; split; [left; auto | apply Hk, X]|]. revert j J. apply H2. intros (j & J & Hj). apply H. exists j. split; [right|]; auto.
Qed.
(** One effect inside, a failure outside. *)
Lemma bounded_right s K out inside within_ e (y : Machine.outcome Machine.state) : out_says s K out inside -> inside \/ ~ inside -> (literals_hold K within_ <-> ~ exists k, In k out /\ literal_holds K k) ->
  leaves_open e <> true -> (forall d, step d = y) -> (inside -> happens K e y) -> (~ inside -> exists f, y = Machine.fails f) -> list_right K (exact within_ e :: failing out).
Proof.
  intros [_ B] Dec W Nd S In_ Out. assert (Wi : literals_hold K within_ <-> inside) by (rewrite W, B; destruct Dec; tauto). clear W.
  assert (Fl : forall o, In o (failing out) <-> exists k, In k out /\ o = exact [k] FailsHere) by (intros o; unfold failing; rewrite in_map_iff; split; intros (k & A & C); exists k; auto).
  split.
  - intros d. rewrite S. destruct Dec as [I|N].
    + exists (exact within_ e). split; [left; auto|]. split; [apply Wi, I | apply In_, I].
    + pose proof N as N'. apply B in N' as (k & I & H). exists (exact [k] FailsHere). split; [right; apply Fl; eauto|]. split; [intros j [<-|[]]; exact H | exact (Out N)].
  - intros o [<-|I] _ H.
    + apply (undecided P under l m rho roots lasts g K e); auto. rewrite S. apply In_, Wi, H.
    + apply Fl in I as (k & I & ->). exists still. split; [reflexivity|]. rewrite S. apply Out, B. exists k. split; [exact I | apply H; left; auto].
Qed.

(** ** Instructions *)

Variable i : instruction.
Hypothesis here : at_position (code E) l = Some i.
Let numbered := registers_numbered m tables.
Lemma here_is : List.nth_error (Programs.instructions P) (Machine.location g) = Some (Translated.instruction_of i).
Proof. exact (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here). Qed.
Lemma draws_are : Machine.draws P g = match i with Havoc _ => true | _ => false end.
Proof. exact (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here). Qed.
Lemma used_meets s M o : good s M -> keeps s0 M0 s M -> meets s M (used_integer m o) (reads_integer g o).
Proof. intros G K. exact (used_integer_meets P nu tabs l m ss phi s0 M0 rho roots lasts placed g described numbered terms_in s M o G K). Qed.
Lemma fails_always K (y : Machine.outcome Machine.state) : (forall d, step d = y) -> (exists f, y = Machine.fails f) -> list_right K (shown None).
Proof. apply fails_right. Qed.
(** A pointer into an object is what the slot says. *)
Lemma pointer_says K o j b x : find (objects_held m) o = Some x -> 0 <= b -> says K (PointerSlot o j (Z.to_N b)) (Machine.Pointer {| Machine.target := rho (N.to_nat o); Machine.index := vl K j; Machine.byte := b |}).
Proof. intros F B. unfold Listed.says. simpl. rewrite (object_held o x F), N2Nat.id, Z2N.id by lia. reflexivity. Qed.
Section At.
Variables (s : state) (M : model).
Hypothesis good_here : good s M.
Hypothesis kept : keeps s0 M0 s M.
Notation lists x := (meets s M x (fun os _ K => list_right K (shown os))).
Lemma address_listed r d x : i = Address r d -> at_position (objects_of (names_in E)) d = Some x -> is_named (Certificates.origin_of x) = true -> lists (addresses m r d).
Proof.
  intros Ei Hx Nm. pose proof here_is as Hi. pose proof draws_are as Dr. rewrite Ei in Hi, Dr. unfold addresses. destruct (live m d) as [y|] eqn:Lv; [|apply meets_refuses].
  unfold live in Lv. destruct (List.find _ _) as [[o z]|] eqn:Fi; [|discriminate]. injection Lv as ->. apply find_some in Fi as [I C]. apply andb_prop in C as [C1 C2]. apply N.eqb_eq in C1.
  apply in_order_in in I as [_ F]. rewrite (objects_by_name m tables o y F). destruct (held_bounds s M o y kept F) as [_ _ [Il Lo] _].
  assert (Hn : FoldedMembers.has_name P (N.to_nat d) = true).
  { unfold FoldedMembers.has_name. rewrite (same_objects _ _ _ setting_right d x Hx). simpl. clear - Nm. destruct (Certificates.origin_of x); simpl in *; auto; discriminate. }
  pose proof (FoldedMembers.names_hold _ _ _ _ _ _ _ _ _ _ described (N.to_nat o) (object_of y) (object_held o y F)) as Na. simpl in Na.
  assert (Al : life_of_object (life_of y) = Machine.Live) by (destruct (life_of y); [reflexivity | discriminate]). rewrite C1 in Na. specialize (Na Al Hn).
  apply meets_ret; auto. eapply one_right with (x := Machine.Ok (Machine.set g (N.to_nat r) (Machine.Pointer {| Machine.target := rho (N.to_nat o); Machine.index := vl M (lower y); Machine.byte := 0 |}))); [| |discriminate].
  - intros w. unfold Machine.step. rewrite Hi. simpl. unfold Machine.address. rewrite Na. fold (there o). rewrite Lo. reflexivity.
  - split; [exact Dr|]. eexists. split; [reflexivity|]. exact (pointer_says M o (lower y) 0 y F ltac:(lia)).
Qed.
Lemma advance_listed r b n scale : i = Advance r b n scale -> lists (advances E m r b n scale).
Proof.
  intros Ei. pose proof here_is as Hi. pose proof draws_are as Dr. rewrite Ei in Hi, Dr. unfold advances.
  assert (S : forall d, step d = Machine.advance P under g (N.to_nat r) (N.to_nat b) (Translated.operand_of n) scale) by (intros d; unfold Machine.step; rewrite Hi; reflexivity). unfold Machine.advance in S.
  eapply meets_looks; [exact good_here | apply used_pointer_peek; exact kept | | intros [f U]; apply (fails_always M (Machine.fails f)); [intros d; rewrite S, U; reflexivity | exists f; reflexivity]].
  intros p Rp. eapply (meets_goes nu tabs); [apply used_meets; auto| |].
  - intros t s1 M1 G1 K1 [It Ut]. pose proof (pointer_later _ _ _ _ _ _ K1 Rp) as [Sh Up]. destruct p as [[[o j] byte]|].
    + destruct (Sh _ eq_refl) as [(x & F & Li) Ij]. pose proof (keeps_trans _ _ _ _ _ _ kept K1) as K01. simpl in Up.
      eapply meets_bind; [apply combine_meets; auto|]. intros bytes s2 M2 G2 K2 [Ib Vb]. pose proof (keeps_trans _ _ _ _ _ _ K01 K2) as K02. pose proof (keeps_linears _ _ _ _ K2) as [L2 E2].
      eapply meets_peek; [apply (size_peek s2 o x F)|]. intros size [Sz S1].
      eapply meets_bind; [apply whole_meets; auto|]. intros [elements rest] s3 M3 G3 K3 (_ & Ie & Ve & Vr). cbn [fst snd] in *. pose proof (keeps_linears _ _ _ _ K3) as [L3 E3].
      eapply meets_bind; [apply combine_meets; auto|]. intros j' s4 M4 G4 K4 [Ij' Vj]. pose proof (keeps_trans _ _ _ _ _ _ K02 (keeps_trans _ _ _ _ _ _ K3 K4)) as K04.
      assert (Bv : vl M2 bytes = Z.of_N byte + vl M1 t * scale) by (rewrite Vb; simpl; lia). rewrite Bv in Ve, Vr.
      assert (Rest : 0 <= rest) by (rewrite Vr; apply Z.mod_pos_bound; lia).
      assert (Jv : vl M4 j' = vl M1 j + (Z.of_N byte + vl M1 t * scale) / size) by (rewrite Vj; simpl; rewrite Ve, E3, E2 by lia; lia).
      assert (Mv : Machine.move P g {| Machine.target := rho (N.to_nat o); Machine.index := vl M1 j; Machine.byte := Z.of_N byte |} (vl M1 t * scale) =
        {| Machine.target := rho (N.to_nat o); Machine.index := vl M4 j'; Machine.byte := rest |}) by (unfold Machine.move; cbn [Machine.target Machine.index Machine.byte]; rewrite Sz, Jv, Vr; reflexivity).
      assert (S' : forall d, step d = let q := {| Machine.target := rho (N.to_nat o); Machine.index := vl M4 j'; Machine.byte := rest |} in
        let formed := Machine.is_inside (there o) (vl M4 j') || (vl M4 j' =? Machine.upper (there o)) && (rest =? 0) in
        match Programs.formation under with Programs.InsideObject => if formed then Machine.Ok (Machine.set g (N.to_nat r) (Machine.Pointer q)) else Machine.fails Machine.PointerFormation
        | Programs.Anywhere => Machine.Ok (Machine.set g (N.to_nat r) (Machine.Pointer q)) end).
      { intros d. rewrite S, Up, Ut. cbn [Machine.bind option_map pointer_at]. rewrite Mv. reflexivity. }
      clear S. rewrite (same_formation _ _ _ setting_right) in S'. cbv zeta in S'.
      assert (Hap : forall s' K, good s' K -> keeps s4 M4 s' K -> happens K (Sets r (PointerSlot o j' (Z.to_N rest))) (Machine.Ok (Machine.set g (N.to_nat r) (Machine.Pointer {| Machine.target := rho (N.to_nat o); Machine.index := vl M4 j'; Machine.byte := rest |})))).
      { intros s' K _ Kp. split; [exact Dr|]. eexists. split; [reflexivity|]. rewrite <- (proj2 (keeps_linears _ _ _ _ Kp) j' Ij'). exact (pointer_says K o j' rest x F Rest). }
      destruct (formation (parameters_in E)).
      * apply meets_ret; auto. eapply one_right; [exact S' | apply (Hap s4); auto; apply keeps_refl | discriminate].
      * eapply meets_bind; [apply (outside_meets s4 M4 o x j' _ G4 K04 F Ij')|]. intros out s5 M5 G5 K5 Os.
        eapply meets_bind; [apply (negations_meets out s5 M5 G5 (proj1 Os))|]. intros within_ s6 M6 G6 _ (K6 & _ & Wi). apply meets_ret; auto. cbn [shown].
        pose proof (FoldedMembers.fine_ordered _ _ fine (rho (N.to_nat o))) as Ord. unfold Bounds.ordered in Ord. fold (there o) in Ord.
        eapply bounded_right; [exact (out_later _ _ _ _ _ _ K6 Os) | lia | exact Wi | discriminate | exact S' | |]; intros Ins.
        -- assert (Fo : Machine.is_inside (there o) (vl M4 j') || (vl M4 j' =? Machine.upper (there o)) && (rest =? 0) = true).
           { unfold Machine.is_inside. apply orb_true_iff. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt, !Z.eqb_eq. destruct (Z.eqb_spec rest 0); lia. }
           rewrite Fo. apply (Hap s6); auto. eapply keeps_trans; eauto.
        -- assert (Fo : Machine.is_inside (there o) (vl M4 j') || (vl M4 j' =? Machine.upper (there o)) && (rest =? 0) = false).
           { unfold Machine.is_inside. apply orb_false_iff. rewrite !andb_false_iff, Z.leb_gt, Z.ltb_ge, Z.eqb_neq. destruct (Z.eqb_spec rest 0); split; auto; lia. }
           rewrite Fo. eexists. reflexivity.
    + eapply meets_bind with (P := fun k s' K => literal_in s' k /\ (literal_holds K k <-> vl M1 t = 0)).
      { unfold relation_literal. eapply meets_bind; [apply plus_meets; auto|]. intros v s2 M2 G2 K2 [Iv Vv]. apply meets_ret; auto. split; [exact Iv|]. unfold literal_holds. simpl. rewrite Vv. lia. }
      intros k s2 M2 G2 K2 [Ik Hk]. unfold either. eapply meets_bind; [apply negate_meets; auto|]. intros q s3 M3 G3 K3 [Iq Hq]. apply meets_ret; auto. destruct (literal_kept _ _ _ _ k K3 Ik) as [_ Hk3].
      apply (either_right P under l m rho roots lasts g M3 k q _ _ (vl M1 t =? 0)); try discriminate.
      * rewrite Hk3, Hk, Z.eqb_eq. reflexivity.
      * rewrite Hq, Hk3. reflexivity.
      * intros d. rewrite S, Up, Ut. cbn [Machine.bind option_map]. destruct (vl M1 t =? 0); [split; [exact Dr|]; eexists; split; reflexivity | eexists; reflexivity].
  - intros s1 M1 G1 Ra. destruct Rp as [_ Up]. eapply stops_listed; eauto. intros d U. exists Machine.UninitialisedUse. split; auto. rewrite S, Up. cbn [Machine.bind]. rewrite U. reflexivity.
Qed.
(** How far apart two pointers into one object are. *)
Definition gap_says (s : state) (M : model) (p q : option spot) (x : option (N * Z)) : Prop := match x with
  | Some (t, unit_) => exists a b, p = Some a /\ q = Some b /\ Machine.same_object (option_map (pointer_at M) p) (option_map (pointer_at M) q) = Some (pointer_at M a, pointer_at M b) /\
      (t < linears_in s)%N /\ 1 <= unit_ /\ vl M t * unit_ = Machine.address_in P g (pointer_at M a) - Machine.address_in P g (pointer_at M b)
  | None => Machine.same_object (option_map (pointer_at M) p) (option_map (pointer_at M) q) = None end.
Lemma gap_meets p q : (forall a, p = Some a -> spot_here s a) -> (forall a, q = Some a -> spot_here s a) ->
  meets s M (gap E m p q) (fun x s' K => keeps s M s' K /\ gap_says s' K p q x).
Proof.
  intros Hp Hq. assert (None_ : Machine.same_object (option_map (pointer_at M) p) (option_map (pointer_at M) q) = None -> meets s M (ret None) (fun x s' K => keeps s M s' K /\ gap_says s' K p q x)).
  { intros N. apply meets_ret; auto. split; [apply keeps_refl | exact N]. }
  unfold gap. destruct p as [[[o i1] b1]|]; [|apply None_; reflexivity]. destruct q as [[[o' i2] b2]|]; [|apply None_; reflexivity].
  destruct (Hp _ eq_refl) as [(x & F & _) I1]. destruct (Hq _ eq_refl) as [(x' & F' & _) I2]. destruct (N.eqb_spec o o') as [<-|D].
  - eapply meets_peek; [apply (size_peek s o x F)|]. intros size [Sz S1]. eapply meets_peek; [apply peeks_small|]. intros bytes ->.
    set (u := if Z.of_N b1 - Z.of_N b2 =? 0 then (size, 1) else (1, size)).
    assert (Go : forall unit_ scale, u = (unit_, scale) -> meets s M (let$ t := combine (Z.of_N b1 - Z.of_N b2) [(i1, scale); (i2, - scale)] in ret (Some (t, unit_)))
      (fun x s' K => keeps s M s' K /\ gap_says s' K (Some (o, i1, b1)) (Some (o, i2, b2)) x)).
    { intros unit_ scale Eu. eapply meets_bind; [apply meets_also_kept, combine_meets; exact good_here|]. intros t s1 M1 G1 _ [K1 [It Vt]]. apply meets_ret; auto. split; [exact K1|].
      pose proof (keeps_linears _ _ _ _ K1) as [L1 E1]. exists (o, i1, b1), (o, i2, b2). split; auto. split; auto. simpl. rewrite Nat.eqb_refl. split; auto. split; auto.
      unfold Machine.address_in. cbn [Machine.target Machine.index Machine.byte]. rewrite !Sz, (E1 i1 I1), (E1 i2 I2). simpl in Vt.
      unfold u in Eu. destruct (Z.eqb_spec (Z.of_N b1 - Z.of_N b2) 0) as [B|B]; injection Eu as <- <-; (split; [lia|]); rewrite Vt; lia. }
    destruct u as [unit_ scale] eqn:Eu. apply Go. reflexivity.
  - apply None_. simpl. destruct (Nat.eqb_spec (rho (N.to_nat o)) (rho (N.to_nat o'))) as [Eq|]; [|reflexivity]. exfalso. apply D, N2Nat.inj.
    exact (FoldedMembers.objects_apart _ _ _ _ _ _ _ _ _ _ described _ _ _ _ (object_held o x F) (object_held o' x' F') Eq).
Qed.
Lemma distance_listed r a b scale : i = Distance r a b scale -> lists (distances E m r a b scale).
Proof.
  intros Ei. pose proof here_is as Hi. pose proof draws_are as Dr. rewrite Ei in Hi, Dr. unfold distances.
  assert (S : forall d, step d = Machine.distance P g (N.to_nat r) (N.to_nat a) (N.to_nat b) (Z.of_N scale)) by (intros d; unfold Machine.step; rewrite Hi; reflexivity). unfold Machine.distance in S.
  eapply meets_looks; [exact good_here | apply used_pointer_peek; exact kept | | intros [f U]; apply (fails_always M (Machine.fails f)); [intros d; rewrite S, U; reflexivity | exists f; reflexivity]].
  intros p Rp. destruct Rp as [Sp Up].
  eapply meets_looks; [exact good_here | apply used_pointer_peek; exact kept | | intros [f U]; apply (fails_always M (Machine.fails f)); [intros d; rewrite S, Up, U; reflexivity | exists f; reflexivity]].
  intros q Rq. destruct Rq as [Sq Uq]. eapply meets_bind; [apply (gap_meets p q Sp Sq)|]. intros x s1 M1 G1 _ [K1 Gs].
  destruct (pointer_later _ _ _ _ _ _ K1 (conj Sp Up)) as [_ Up1]. destruct (pointer_later _ _ _ _ _ _ K1 (conj Sq Uq)) as [_ Uq1].
  assert (Fin : forall s2 M2 t z, good s2 M2 -> (t < linears_in s2)%N -> vl M2 t = z ->
    (forall d, step d = if is_within I64 z then Machine.Ok (Machine.set g (N.to_nat r) (Machine.Integer z)) else Machine.fails Machine.PointerDifference) ->
    meets s2 M2 (let$ cs := checked_to t (type_range I64) in gives (set_cases r cs)) (fun os _ K => list_right K (shown os))).
  { intros s2 M2 t z G2 It Vt Sd. eapply meets_bind; [apply (checked_meets nu tabs s2 M2 t (least I64) (greatest I64)); auto|]. intros cs s3 M3 G3 K3 Cs. apply meets_ret; auto. rewrite Vt in Cs.
    change ((least I64 <=? z) && (z <=? greatest I64)) with (is_within I64 z) in Cs. eapply cases_right; [exact Cs | exact Dr|]. intros d. rewrite Sd. destruct (is_within I64 z); eauto. }
  destruct x as [[t unit_]|].
  - destruct Gs as (u & v & -> & -> & So & It & U1 & Vt). eapply meets_bind; [apply combine_meets; auto|]. intros bytes s2 M2 G2 K2 [Ib Vb].
    eapply meets_bind; [apply whole_meets; auto|]. intros [t' rest] s3 M3 G3 K3 (Sc & It' & Vt' & Vr). cbn [fst snd] in *.
    eapply meets_peek; [apply (peeks_demand s3 _ _ (fun _ => rest = 0)); apply Z.eqb_eq|]. intros ? R0. cbn beta in R0.
    assert (Bv : vl M2 bytes = Machine.address_in P g (pointer_at M1 u) - Machine.address_in P g (pointer_at M1 v)) by (rewrite Vb; simpl; lia). rewrite Bv in Vt', Vr.
    eapply Fin; [exact G3 | exact It' | exact Vt'|]. intros d. rewrite S, Up1, Uq1. cbn [Machine.bind option_map]. cbn [option_map] in So. rewrite So. cbn [Machine.bind]. rewrite <- Vr, R0. reflexivity.
  - destruct p as [u|], q as [v|]; cbn [gap_says] in Gs.
    + apply meets_ret; auto. eapply fails_always; [intros d; rewrite S, Up1, Uq1; cbn [Machine.bind option_map]; cbn [option_map] in Gs; rewrite Gs; reflexivity | eexists; reflexivity].
    + apply meets_ret; auto. eapply fails_always; [intros d; rewrite S, Up1, Uq1; reflexivity | eexists; reflexivity].
    + apply meets_ret; auto. eapply fails_always; [intros d; rewrite S, Up1, Uq1; reflexivity | eexists; reflexivity].
    + eapply meets_bind; [apply constant_meets; auto|]. intros zero s2 M2 G2 K2 [Iz Vz]. eapply Fin; [exact G2 | exact Iz | exact Vz|].
      intros d. rewrite S, Up1, Uq1. cbn [Machine.bind option_map]. rewrite Zmod_0_l, Zdiv_0_l. reflexivity.
Qed.
(** Both answers are real where a pointer may be outside. *)
Definition answers_below out (yes no : N) : list outcome := flat_map (fun k => [under_tag Real [k] (Goes yes); under_tag Real [k] (Goes no)]) out.
Lemma outside_of_meets s1 M1 past p : good s1 M1 -> keeps s0 M0 s1 M1 -> (forall a, p = Some a -> spot_here s1 a) ->
  meets s1 M1 (outside_of m past p) (fun out s' K => keeps s1 M1 s' K /\ out_says s' K out (match option_map (pointer_at M1) p with
    | Some a => Machine.lower (Machine.object_at g (Machine.target a)) <= Machine.index a < Machine.upper (Machine.object_at g (Machine.target a)) + past | None => True end)).
Proof.
  intros G1 K1 Sp. destruct p as [[[o j] b]|]; simpl.
  - destruct (Sp _ eq_refl) as [(x & F & _) Ij]. apply meets_also_kept. apply (outside_meets s1 M1 o x j past G1 K1 F Ij).
  - apply meets_ret; auto. split; [apply keeps_refl|]. split; [intros ? []|]. split; [intros (? & [] & _) | tauto].
Qed.
Lemma compared_listed r a b yes no : i = Branch (PointersCompared r a b) yes no -> lists (compares_pointers E m r a b (Goes yes) (Goes no)).
Proof.
  intros Ei. pose proof here_is as Hi. pose proof draws_are as Dr. rewrite Ei in Hi, Dr. unfold compares_pointers.
  assert (S : forall d, step d = Machine.bind (Machine.condition_holds P g d (Translated.condition_of (PointersCompared r a b))) (fun c : bool => Machine.Ok (Machine.go (if c then N.to_nat yes else N.to_nat no) g)))
    by (intros d; unfold Machine.step; rewrite Hi; reflexivity). cbn [Translated.condition_of Machine.condition_holds] in S.
  eapply meets_looks; [exact good_here | apply used_side_peek; exact kept | | intros [f U]; apply (fails_always M (Machine.fails f)); [intros d; rewrite S, U; reflexivity | exists f; reflexivity]].
  intros p Rp. destruct Rp as [Sp Up].
  eapply meets_looks; [exact good_here | apply used_side_peek; exact kept | | intros [f U]; apply (fails_always M (Machine.fails f)); [intros d; rewrite S, Up, U; reflexivity | exists f; reflexivity]].
  intros q Rq. destruct Rq as [Sq Uq]. eapply meets_bind; [apply (gap_meets p q Sp Sq)|]. intros x s1 M1 G1 _ [K1 Gs].
  destruct (pointer_later _ _ _ _ _ _ K1 (conj Sp Up)) as [Sp1 Up1]. destruct (pointer_later _ _ _ _ _ _ K1 (conj Sq Uq)) as [Sq1 Uq1].
  assert (Sd : forall d, step d = Machine.bind (match Machine.same_object (option_map (pointer_at M1) p) (option_map (pointer_at M1) q) with
      | Some (p, q) => Machine.Ok (Machine.related (Translated.relation_of r) (Machine.address_in P g p) (Machine.address_in P g q))
      | None => match Translated.relation_of r, option_map (pointer_at M1) p, option_map (pointer_at M1) q with
        | Programs.IsEqual, None, None => Machine.Ok true
        | Programs.IsEqual, p', q' => Machine.Ok (if Machine.certainly_different g p' q' then false else negb (Machine.number d =? 0))
        | _, _, _ => Machine.fails Machine.PointerComparison end end) (fun c : bool => Machine.Ok (Machine.go (if c then N.to_nat yes else N.to_nat no) g))).
  { intros d. rewrite S, Up1, Uq1. cbn [Machine.bind]. destruct (Machine.same_object _ _) as [[? ?]|]; [reflexivity|]. destruct r, (option_map (pointer_at M1) p), (option_map (pointer_at M1) q); reflexivity. }
  clear S Up1 Uq1. destruct x as [[t unit_]|].
  - destruct Gs as (u & v & -> & -> & So & It & U1 & Vt). rewrite So in Sd. cbn [Machine.bind] in Sd.
    assert (Rel : Machine.related (Translated.relation_of r) (Machine.address_in P g (pointer_at M1 u)) (Machine.address_in P g (pointer_at M1 v)) = Machine.related (Translated.relation_of r) (vl M1 t) 0).
    { apply Bool.eq_iff_eq_true. destruct r; simpl; rewrite ?Z.eqb_eq, ?Z.ltb_lt, ?Z.leb_le; nia. }
    rewrite Rel in Sd. eapply meets_bind with (P := fun k s' K => literal_in s' k /\ (literal_holds K k <-> Machine.related (Translated.relation_of r) (vl M1 t) 0 = true)).
    { unfold relation_literal. eapply meets_bind; [apply plus_meets; auto|]. intros w s2 M2 G2 K2 [Iw Vw]. apply meets_ret; auto. split; [exact Iw|].
      unfold literal_holds. destruct r; simpl; rewrite Vw; rewrite ?Z.eqb_eq, ?Z.ltb_lt, ?Z.leb_le; lia. }
    intros k s2 M2 G2 K2 [Ik Hk]. unfold either. eapply meets_bind; [apply negate_meets; auto|]. intros n s3 M3 G3 K3 [In_ Hn]. apply meets_ret; auto. destruct (literal_kept _ _ _ _ k K3 Ik) as [_ Hk3].
    apply (either_right P under l m rho roots lasts g M3 k n _ _ (Machine.related (Translated.relation_of r) (vl M1 t) 0)); try discriminate; [rewrite Hk3; exact Hk | rewrite Hn, Hk3; reflexivity|].
    intros d. rewrite Sd. destruct (Machine.related _ _ _); split; auto.
  - cbn [gap_says] in Gs. rewrite Gs in Sd. destruct r; cbn [Translated.relation_of] in Sd.
    2,3: apply meets_ret; auto; eapply fails_always; [intros d; rewrite Sd; reflexivity | eexists; reflexivity].
    destruct (match p, q with None, None => true | _, _ => false end) eqn:Nn.
    + destruct p, q; try discriminate. eapply meets_bind; [apply (outside_of_meets s1 M1 1 None); auto; eapply keeps_trans; eauto|]. intros out s2 M2 G2 _ _.
      eapply meets_bind; [apply (looked s2 M2 _ (fun _ => True)); [exact G2 | apply peeks_ret; exact Logic.I]|]. intros out' s3 M3 G3 _ _. apply meets_ret; auto.
      eapply one_right with (x := Machine.Ok (Machine.go (N.to_nat yes) g)); [intros d; rewrite Sd; reflexivity | split; auto | discriminate].
    + set (past := match p, q with Some _, Some _ => 0 | _, _ => 1 end). pose proof (keeps_trans _ _ _ _ _ _ kept K1) as K01.
      eapply meets_bind; [apply (outside_of_meets s1 M1 past p); auto|]. intros out s2 M2 G2 _ [K2 Op]. pose proof (keeps_trans _ _ _ _ _ _ K01 K2) as K02.
      pose proof (pointer_later s1 M1 s2 M2 _ q K2 (conj Sq1 eq_refl)) as [Sq2 Eq2]. injection Eq2 as Eq2.
      eapply meets_bind; [apply (outside_of_meets s2 M2 past q); auto|]. intros out' s3 M3 G3 _ [K3 Oq]. rewrite <- Eq2 in Oq. pose proof (out_later _ _ _ _ _ _ K3 Op) as Op3.
      set (both := out ++ out').
      assert (Ob : forall s' K, keeps s3 M3 s' K -> out_says s' K both (Machine.certainly_different g (option_map (pointer_at M1) p) (option_map (pointer_at M1) q) = true)).
      { intros s' K Kp. destruct (out_later _ _ _ _ _ _ Kp Op3) as [A1 B1]. destruct (out_later _ _ _ _ _ _ Kp Oq) as [A2 B2]. unfold both. split; [intros k I; apply in_app_or in I as [I|I]; auto|].
        assert (Sp' : (exists k, In k (out ++ out') /\ literal_holds K k) <-> (exists k, In k out /\ literal_holds K k) \/ (exists k, In k out' /\ literal_holds K k)).
        { split; [intros (k & I & H); apply in_app_or in I as [I|I]; eauto | intros [(k & I & H)|(k & I & H)]; exists k; (split; [apply in_or_app; auto | exact H])]. }
        rewrite Sp', B1, B2. unfold past, Machine.certainly_different, Machine.is_inside. clear - Nn. destruct (option_map (pointer_at M1) p) as [u|] eqn:Ep, (option_map (pointer_at M1) q) as [v|] eqn:Eq;
          destruct p, q; try discriminate; rewrite ?andb_true_iff, ?Z.leb_le, ?Z.ltb_lt; lia. }
      assert (Sd' : forall d, step d = Machine.Ok (Machine.go (if (if Machine.certainly_different g (option_map (pointer_at M1) p) (option_map (pointer_at M1) q) then false else negb (Machine.number d =? 0)) then N.to_nat yes else N.to_nat no) g)).
      { intros d. rewrite Sd. destruct p, q; try discriminate; reflexivity. }
      assert (L : meets s3 M3 (let$ within_ := negations both in gives (exact within_ (Goes no) :: answers_below both yes no)) (fun os _ K => list_right K (shown os))).
      { eapply meets_bind; [apply (negations_meets both s3 M3 G3 (proj1 (Ob s3 M3 (keeps_refl _ _))))|]. intros within_ s4 M4 G4 _ (K4 & _ & Wi). apply meets_ret; auto. cbn [shown].
        destruct (Ob s4 M4 K4) as [_ B]. clear - Sd' Wi B Dr. set (different := Machine.certainly_different _ _ _) in *.
        assert (An : forall o, In o (answers_below both yes no) <-> exists k, In k both /\ (o = under_tag Real [k] (Goes yes) \/ o = under_tag Real [k] (Goes no))).
        { intros o. unfold answers_below. rewrite in_flat_map. split; intros (k & I & H); exists k; (split; [exact I|]); simpl in *; [destruct H as [<-|[<-|[]]]; auto | destruct H as [->| ->]; auto]. }
        assert (Wd : literals_hold M4 within_ <-> different = true) by (rewrite Wi, B; destruct different; split; intros H; try congruence; try (exfalso; apply H; discriminate); intros N; apply N; reflexivity).
        split.
        - intros d. rewrite Sd'. destruct different.
          + exists (exact within_ (Goes no)). split; [left; auto|]. split; [apply Wd; reflexivity | split; auto].
          + destruct (proj2 B ltac:(discriminate)) as (k & I & H). destruct (negb (Machine.number d =? 0)).
            * exists (under_tag Real [k] (Goes yes)). split; [right; apply An; eauto|]. split; [intros j [<-|[]]; exact H | split; auto].
            * exists (under_tag Real [k] (Goes no)). split; [right; apply An; eauto|]. split; [intros j [<-|[]]; exact H | split; auto].
        - intros o [<-|I] _ H.
          + apply Wd in H. exists still. split; [reflexivity|]. rewrite Sd', H. split; auto.
          + apply An in I as (k & I & Eo). assert (Df : different = false) by (apply not_true_is_false; apply B; exists k; split; [exact I | apply H; destruct Eo as [->| ->]; left; auto]).
            rewrite Df in Sd'. destruct Eo as [->| ->]; [exists {| Machine.number := 1; Machine.start := 0; Machine.fills := fun _ _ => 0 |} | exists still]; (split; [reflexivity|]); rewrite Sd'; split; auto. }
      destruct p, q; try discriminate; exact L.
Qed.
End At.
End Pointers.
