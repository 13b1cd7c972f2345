(** That an accepted graph has all paths of a program of integers alone
    (spec/calculus.md#paths): there Root, Subsume and Unfold are proved, so that nothing is
    asked of them; and a certificate of a loop, of which nothing is asked at all. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Paths Terms Sorts Programs Machine Inputs Owed Tidy Typed Bounds Entries Planting FoldedMembers Loading.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Arena Mentioned Meaning Refuting States Stepping Denoting Carried Shown Closing Listed RegisterLists StepShown Replayed Graphs Covered SubsumeShown SafeShown Recorded Mapped Noted PathsShown RootedInputs InputRoots.
From Goatherd.checker2 Require Rules Replay.
Import ListNotations.
Open Scope N_scope.

Section Claim.
Variables (c : certificate) (e : ends) (p : proof) (vs : list (option N)).
Let E := paths_setting c p.
Let Q := program_of (statement_of c).
Let us := under (statement_of c).
Let P := Translated.program_of Q.
Notation machine := (Goatherd.Runs.system_of P (Translated.parameters_of us)).
Variable trees : nat -> Sorts.sort_of_trees.
Let tabs := index_of (tables Q).
Hypothesis integers_of_c : arithmetic_of us = C.
(** What decoding and well-formedness see to. *)
Hypothesis scopes_formed : forall t, In t (templates p) -> formed_scope (scope_of t).
Hypothesis locals : Tidy.locals_formed P.
Hypothesis types : Typed.types_formed P.
Hypothesis memories : Bounds.memory_formed P.
Hypothesis contents : Entries.contents_formed P.
Hypothesis no_local_sort : forall s, Tidy.is_local P (Sorts.declaration (trees s)) = false.
Hypothesis well_given : Loading.inputs_formed P.
Variables (cs : list configuration) (s : state).
Hypothesis made : Replay.premises E c p = Fine (cs, s).
(** Integers alone: no objects, and so neither linked structures nor leaks. *)
Variable rs : list N.
Hypothesis no_objects : objects Q = [].
Hypothesis no_sorts : sorts p = [].
Hypothesis no_leaks : asks_for_leaks E = false.
Hypothesis integer_inputs : inputs Q = List.map IntegerInput rs.
Hypothesis sorts_are : ContentsDrawn.sorts_right E trees.
(** Templates hold registers alone. *)
Hypothesis plain : forall d, In d cs -> holds_registers d = true /\ exists mt, is_template_formed E d mt = true.

Lemma no_nodes : ~ has_nodes c p.
Proof.
  intros (k & H). apply H. unfold WellFormed.nodes, own. cbn [paths_setting setting_of names_in sorts_in names_of objects_of]. fold Q. rewrite no_objects, no_sorts.
  rewrite !at_position_is. destruct (_ <=? k); destruct (N.to_nat _); try reflexivity; destruct (N.to_nat k); reflexivity.
Qed.
Lemma integers_formed : inputs_formed Q.
Proof.
  split; [| |rewrite no_objects; intros ? [] | rewrite no_objects; intros ? []]; rewrite integer_inputs.
  - intros i I. apply in_map_iff in I as (r & <- & _). exact Logic.I.
  - assert (H : forall l, NoDup (objects_of_inputs (List.map IntegerInput l))); [|apply H]. induction l as [|r l IH]; [constructor | exact IH].
Qed.
Lemma nothing_declared d : Machine.declaration_of P d = Machine.no_declaration.
Proof. unfold Machine.declaration_of, P. cbn [Translated.program_of Programs.objects]. rewrite no_objects. destruct d; reflexivity. Qed.
Lemma nothing_targeted : Recognised.targets_formed P.
Proof. intros d n cs0 a os t O. rewrite nothing_declared in O. discriminate. Qed.
Lemma integer_nodes : Planting.nodes_formed P trees.
Proof.
  assert (Nn : forall d, FoldedMembers.is_node P d = false) by (intros d; unfold FoldedMembers.is_node; rewrite nothing_declared; reflexivity).
  split; try (intros d N; rewrite Nn in N; discriminate). intros d k I. unfold Inputs.links_of in I. rewrite nothing_declared in I. destruct I.
Qed.
Theorem integer_paths x : (forall s1 d refuted, is_covered E d 0 s1 = false -> step_right E P (Translated.parameters_of us) trees tabs s1 d refuted) ->
  graph_shown c e p vs = Fine x -> exists u s', recorded c p = Fine (u, s') /\
  forall ls, Paths.is_path machine N place_in ls -> ends_kept c e ls -> Paths.has_path N (image_of u vs) ls.
Proof.
  intros Steps. eapply (no_path_lost c e p vs trees integers_of_c scopes_formed locals types memories contents no_local_sort integer_nodes well_given cs s made sorts_are Steps).
  - intros H. destruct (no_nodes H).
  - intros b n d mt A Su. exfalso. destruct (plain d (at_template cs n d A)) as (Hr & mt' & Fo). pose proof (registers_covered E b d mt' mt Hr no_leaks Fo) as C. discriminate (eq_trans (eq_sym C) Su).
  - intros class s1 d s' Mo R. exact (input_root_sane Q us 0 (sorts p) trees integers_of_c integers_formed well_given (lengths_of p) class s1 d s' Mo R).
  - intros s1 l G. exact (input_roots_cover Q us 0 (sorts p) trees integers_of_c integers_formed well_given integer_nodes contents nothing_targeted (lengths_of p) s1 l G).
Qed.

(** Instructions that are covered whatever the member is, or end the program. *)
Definition always_covered (i : instruction) : bool := match i with
  | Jump _ | Choose _ _ | Fail _ | Branch _ _ _ | Havoc _ | Certificates.Uninitialise _ | SetNull _ | Copy _ _ | Assign _ (Number _)
  | Compute _ _ _ _ | Advance _ _ _ _ | Distance _ _ _ _ | Halt | Ignore => true
  | _ => false end.
Lemma always_right : forallb always_covered (instructions Q) = true -> forall s1 d refuted, is_covered E d 0 s1 = false -> step_right E P (Translated.parameters_of us) trees tabs s1 d refuted.
Proof.
  rewrite forallb_forall. intros All s1 d refuted Nc ds s' _ R. exfalso. unfold Rules.step, member_at, bind, some in R. unfold is_covered in Nc.
  destruct (nth (herd d) 0) as [m|]; [|discriminate]. unfold ret at 1, outcomes in R. destruct (place_of m) as [l|]; [|discriminate]. cbn [instruction_at] in R.
  destruct (at_position (code E) l) as [i|] eqn:At; [|discriminate].
  assert (I : In i (instructions Q)) by (unfold E in At; cbn [paths_setting setting_of code] in At; rewrite at_position_is in At; eapply List.nth_error_In; exact At).
  specialize (All i I). unfold bind, some, ret in R. destruct (next_number l s1); [|discriminate].
  destruct i; cbn [always_covered covered list_of_instruction] in All, Nc, R; try discriminate.
  all: solve [destruct c0; discriminate | destruct value; discriminate | destruct op; discriminate].
Qed.
End Claim.

(** ** A loop *)

(** Of a program that goes round any number of times: its certificate is accepted, and its
    graph has all paths. *)
Module Looping.
Definition code_ : list instruction := [Choose 1 2; Jump 0; Halt].
Definition looping : program := {| entry := []; registers := []; layouts := []; objects := []; tables := []; inputs := []; instructions := code_; assertions := [] |}.
Definition loops : Certificates.template := {| scope_of := no_scope; trees := []; predicate := [];
  members := [{| location := 0; size := NotLarger; consumed := Forgotten; register_slots := []; object_states := []; folded_parts := [] |}] |}.
Definition rules_of (bytes : list N) : rules := {| rules_offset := 0; rules_bytes := bytes; rules_length := count bytes; rules_terms := {| atoms_known := 0; linears_known := 0; arrays_known := 0 |} |}.
(** The template covers; a step, with nothing refuted; the end. *)
Definition subsume_ : list N := [6; 0; 0; 0; 0; 0; 1; 0; 0].
Definition step_ : list N := [0; 0].
Definition end_ : list N := [8].
Definition evidence_ : proof := {| k_of := 0; lengths_of := Classes; lemmas := []; sorts := []; templates := [loops];
  roots := rules_of subsume_; derivations := [rules_of (step_ ++ step_ ++ subsume_ ++ end_)] |}.
Definition map_ : list (option N) := [Some 0; Some 1; Some 2].
Definition certificate_ : certificate := {|
  declared := {| memory := 0; work := 0 |};
  statement_of := {| claimed := Paths Complete;
    under := {| Certificates.model := Lp64SignedChar; on_overflow := OverflowFails; formation := InsideObject; allocating := MayFail; arithmetic_of := C |};
    landmarks := []; origin_of_statement := {| file := []; digest_of_file := []; definitions := []; Certificates.includes := []; waived := [] |}; program_of := looping |};
  files := []; positions := []; terms := []; Certificates.shows := OfPaths evidence_ map_; witnesses := [] |}.
Theorem accepted : graph_shown certificate_ Complete evidence_ map_ = Fine tt.
Proof. vm_compute. reflexivity. Qed.
Notation P := (Translated.program_of looping).
Notation machine := (Goatherd.Runs.system_of P (Translated.parameters_of (under (statement_of certificate_)))).
Theorem nothing_lost : exists u s, recorded certificate_ evidence_ = Fine (u, s) /\
  forall ls, Paths.is_path machine N place_in ls -> ends_kept certificate_ Complete ls -> Paths.has_path N (image_of u map_) ls.
Proof.
  set (trees := ContentsDrawn.trees_of (paths_setting certificate_ evidence_)).
  destruct (Replay.premises (paths_setting certificate_ evidence_) certificate_ evidence_) as [[cs s]|] eqn:Pr; [|vm_compute in Pr; discriminate].
  assert (Locals : Tidy.locals_formed P).
  { split; [intros i d []|intros d k I; unfold Inputs.links_of in I; destruct d; destruct I | |]; cbn; intros; intuition discriminate. }
  assert (Types : Typed.types_formed P) by (split; cbn; intros; intuition discriminate).
  assert (Memories : Bounds.memory_formed P) by (split; [intros l [] | cbn; intros; intuition discriminate | intros d n H; destruct d; discriminate]).
  assert (Contents : Entries.contents_formed P) by (split; intros d; destruct d; discriminate).
  assert (Given : Loading.inputs_formed P) by (split; try (intros; contradiction); constructor).
  assert (Plain : forall d, In d cs -> holds_registers d = true /\ exists mt, is_template_formed (paths_setting certificate_ evidence_) d mt = true)
    by (vm_compute in Pr; injection Pr as <- _; intros d [<-|[]]; split; [reflexivity | exists {| integer_images := []; array_images := []; shapes_read := []; paths_read := []; objects_matched := [] |}; vm_compute; reflexivity]).
  apply (integer_paths certificate_ Complete evidence_ map_ trees eq_refl) with (cs := cs) (s := s) (rs := []) (x := tt); auto; try reflexivity.
  - intros t [<-|[]]. split; reflexivity.
  - exact (ContentsDrawn.trees_not_local (program_of (statement_of certificate_)) (under (statement_of certificate_)) 0 (sorts evidence_) eq_refl).
  - exact (ContentsDrawn.trees_right _).
  - apply always_right. reflexivity.
Qed.
End Looping.
