(** Every theorem that README.md states: none of them may rest on an axiom. *)
From Goatherd Require Import Herds Integers Terms Refutations Sorts Machine Inputs Runs Scapegoats Unfolding.
Print Assumptions acceptance.
Print Assumptions closed_steps_of_primary.
Print Assumptions closed_steps_of_scapegoat.
Print Assumptions compute_within.
Print Assumptions apply_computes.
Print Assumptions mask_and.
Print Assumptions refute_sound.
Print Assumptions entails_sound.
Print Assumptions ranges_sound.
Print Assumptions chain_trees.
Print Assumptions chain_segments.
Print Assumptions unfold_top.
Print Assumptions unfold_bottom.
Print Assumptions never_stuck.
Print Assumptions unsafe.
Print Assumptions drop_sound.
Print Assumptions scapegoat_smaller.
Print Assumptions reads_of_sort.
Print Assumptions DeadNode.is_an_input.
Print Assumptions DeadNode.drop_dead_unsound.
Print Assumptions DeadNode.drop_dead_refused.
Print Assumptions close_same.
Print Assumptions open_same.
Print Assumptions root_holds.
Print Assumptions entry_scapegoat.
