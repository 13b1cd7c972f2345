(** That an accepted graph has all paths of a program that is given integers, arrays and single
    objects of integers, and linked structures (spec/calculus.md#paths), as far as steps, and
    what rules ask of sorts and templates, go: nothing is asked of Root, nor of the program but
    what is computed. *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd Require Import Integers.
From Goatherd Require Herds Paths Machine.
From Goatherd.checker2 Require Import Reasons Certificates WellFormed Mentioned Arena States Denoting Replayed Graphs ContentsDrawn UnfoldShown SubsumeShown Recorded Mapped Noted PathsShown InputRoots InputPrograms.
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
Let trees := trees_of E.
Let tabs := index_of (tables Q).
Hypothesis integers_of_c : arithmetic_of us = C.
Hypothesis of_inputs : is_of_inputs Q = true.
Hypothesis no_local : are_of_no_local Q (sorts p) = true.
Hypothesis scopes_formed : forall t, In t (templates p) -> formed_scope (scope_of t).
Variables (cs : list configuration) (s : state).
Hypothesis made : Replay.premises E c p = Fine (cs, s).
Theorem input_paths x : (forall s1 d refuted, is_covered E d 0 s1 = false -> step_right E P (Translated.parameters_of us) trees tabs s1 d refuted) ->
  (has_nodes c p -> forall d sy en, is_unfold_covered E d sy = false -> unfold_right E P (Translated.parameters_of us) trees tabs d sy en) ->
  (forall b n d mt, at_position (index_of cs) n = Some d -> is_read_covered E b d mt = false -> subsume_right E P (Translated.parameters_of us) trees tabs s b d mt) ->
  graph_shown c e p vs = Fine x -> exists u s', recorded c p = Fine (u, s') /\
  forall ls, Paths.is_path machine N place_in ls -> ends_kept c e ls -> Paths.has_path N (image_of u vs) ls.
Proof.
  intros Steps Unfolds Subsumes. pose proof (inputs_given Q of_inputs) as Given. pose proof (inputs_are Q of_inputs) as Formed. pose proof (inputs_nodes Q of_inputs us 0 (sorts p)) as Nodes. pose proof (inputs_contents Q of_inputs) as Contents.
  apply (no_path_lost c e p vs trees integers_of_c scopes_formed (inputs_locals Q of_inputs) (inputs_types Q of_inputs) (inputs_memory Q of_inputs) Contents (trees_not_local Q us 0 (sorts p) no_local) Nodes Given cs s made (trees_right _) Steps Unfolds Subsumes).
  - intros class s1 d s' Mo R. exact (input_root_sane Q us 0 (sorts p) trees integers_of_c Formed Given (lengths_of p) class s1 d s' Mo R).
  - intros s1 l G. exact (input_roots_cover Q us 0 (sorts p) trees integers_of_c Formed Given Nodes Contents (inputs_targets Q of_inputs) (lengths_of p) s1 l G).
Qed.
End Claim.
