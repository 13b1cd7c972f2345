(** That the lists of all instructions that are covered are right (spec/calculus.md#step). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Typed Bounds FoldedMembers Configurations Members RegisterSteps SameValues Stepping.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists ComputedLists PointerLists LoadLists StoreLists LifeLists CellsStand LeakLists.
Import ListNotations.
Open Scope Z_scope.

Section Covered.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
(** What is said of executions' states is asked of no covered instruction but this: that
    what is addressed has a name, and what is entered or left is local. *)
Lemma covered_asked m i : covered E m i = true -> RegisterSteps.asked_of P (Translated.instruction_of i).
Proof.
  intros Cv. destruct i; simpl in *; auto; try discriminate; unfold names_local in Cv; destruct (at_position _ _) as [x|] eqn:Hx; try discriminate.
  all: unfold FoldedMembers.has_name, Tidy.is_local; rewrite (same_objects _ _ _ setting_right _ _ Hx); simpl; clear - Cv; destruct (Certificates.origin_of x); simpl in *; auto; discriminate.
Qed.
(** What is allocated has no name, and there is a register for it. *)
Lemma covered_allocates l m i : covered E m i = true -> tables_right m -> forall r e b f, Translated.instruction_of i = Programs.Allocate r e b f -> (r < length (FoldedMembers.slots (member_of l m)))%nat /\ FoldedMembers.has_name P e = false.
Proof.
  intros Cv T r e b f Ei. destruct i; try discriminate. injection Ei as <- <- <- <-. cbn [covered] in Cv. apply andb_prop in Cv as [Cv Fr]. split.
  - rewrite slots_of_member. destruct (find (held m) _) as [v|] eqn:F; [|discriminate]. pose proof (registers_numbered m T _ _ F). lia.
  - destruct (at_position _ _) as [x|] eqn:Hx; [|discriminate]. exact (proj1 (made_is E P under setting_right _ x Hx Cv)).
Qed.
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
Let numbered := registers_numbered m tables.
Hypothesis terms_in : forall p, In p (member_terms m) -> part_in s0 p.
Variable i : instruction.
Hypothesis here : at_position (code E) l = Some i.
Notation list_right := (list_right P under l m rho roots lasts g).
Hypothesis types : Typed.types_formed P.
Hypothesis sizes : Bounds.sizes_formed P.
Hypothesis good_here : good s0 M0.
Notation lists x := (meets s0 M0 x (fun os _ K => list_right K (shown os))).
Theorem instruction_listed j : i = j -> covered E m j = true -> is_leak_known m j s0 = true -> lists (list_of_instruction E m j (N.succ l)).
Proof.
  intros Ei Cv Kn. pose proof (keeps_refl s0 M0) as kept. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr. destruct j as [k|[r a b|r a b] yes no|a b| |k| |r o|r op a b|r|r|r|r q|r o|r p j k|r p q k|r p k|p k q|r o b f|p|o|o|rs];
  try discriminate; cbn [list_of_instruction].
  - eapply goes_listed; eauto.
  - eapply branch_listed; eauto.
  - eapply compared_listed; eauto.
  - eapply choose_listed; eauto.
  - eapply fail_listed; eauto.
  - eapply assign_listed; eauto. rewrite Ei. exact Cv.
  - destruct op; [eapply compute_listed; eauto | eapply compute_listed; eauto | eapply product_listed; eauto | | | | eapply product_listed; eauto | | |]; eapply beyond_sums_listed; eauto 7.
  - eapply havoc_listed; eauto.
  - eapply sets_listed with (w := Machine.Uninitialised); eauto; [intros d; unfold Machine.step; rewrite Hi; reflexivity | reflexivity].
  - eapply sets_listed with (w := Machine.Null); eauto; [intros d; unfold Machine.step; rewrite Hi; reflexivity | reflexivity].
  - eapply meets_peek; [apply register_slot_peek|]. intros v F. cbn beta in F.
    eapply sets_listed with (w := Machine.register g (N.to_nat q)); eauto; [intros d; unfold Machine.step; rewrite Hi; reflexivity | eapply slot_says; eauto].
  - destruct (at_position (objects_of (names_in E)) o) as [x|] eqn:Hx; [|simpl in Cv; rewrite Hx in Cv; discriminate]. simpl in Cv. rewrite Hx in Cv. eapply address_listed; eauto.
  - eapply advance_listed; eauto.
  - eapply distance_listed; eauto.
  - eapply load_listed; eauto.
  - eapply store_listed; eauto. rewrite Ei. exact Cv.
  - eapply allocate_listed; eauto. rewrite Ei. exact Cv.
  - eapply free_listed; eauto.
  - eapply enter_listed; eauto. rewrite Ei. exact Cv.
  - eapply leave_listed; eauto. rewrite Ei. exact Cv.
  - unfold is_leak_known, is_computed in Kn. apply andb_prop in Kn as [Kn Ld]. apply andb_prop in Kn as [Nu St]. pose proof (objects_numbered m tables) as No.
    destruct (cells_stand m s0) as [b1 s1|] eqn:C1; [|discriminate]. destruct (leads_stand m s0) as [b2 s2|] eqn:C2; [|discriminate].
    destruct (cells_peek nu tabs s0 M0 m good_here No _ _ C1) as [_ Cells]. destruct (leads_peek nu tabs s0 M0 m good_here No _ _ C2) as [_ Leads].
    eapply leaks_listed; eauto; [apply numbered_now; exact Nu | rewrite <- Ei; exact here].
Qed.
End Covered.
