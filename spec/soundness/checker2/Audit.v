(** What the audit of the second checker asks about. *)
From Goatherd.checker2 Require Import Meaning Normal Refuted Trees Solved.

Print Assumptions normal_meets.
Print Assumptions normal_array_meets.
Print Assumptions evident_peek.
Print Assumptions deduce_meets.
Print Assumptions refute_meets.
Print Assumptions entail_meets.
Print Assumptions shown_integer_meets.
Print Assumptions define_term_meets.
Print Assumptions inclusion_sound.
Print Assumptions model_sound.
Print Assumptions unsatisfiable_sound.
From Goatherd.checker2 Require Import Mentioned Agreeing Spanning Denoting Carried Shown Closing Listed RegisterLists Moving RegisterScopes Followed Stepped StepShown Decided Forced Replayed Templates SafeShown.
Print Assumptions within_agree.
Print Assumptions combine_within.
Print Assumptions carried_on.
Print Assumptions carried_over.
Print Assumptions infeasible_shows.
Print Assumptions split_shows.
Print Assumptions drop_shows.
Print Assumptions let_shows.
Print Assumptions ends_shows.
Print Assumptions descent_shows.
Print Assumptions setting_same.
Print Assumptions instruction_listed.
Print Assumptions instruction_within.
Print Assumptions perform_moves.
Print Assumptions moved_accounts.
Print Assumptions step_shows.
Print Assumptions step_decided_shows.
Print Assumptions alone_shows.
Print Assumptions steps_shown.
Print Assumptions rules_shown.
Print Assumptions replayed_safe.
Print Assumptions template_right.
Print Assumptions safe_shown.
From Goatherd.checker2 Require Import Leading Staying Substituted ImagesShown Covered SubsumeShown Recorded Mapped Noted PathsShown.
Print Assumptions machine_goes_on.
Print Assumptions instruction_leads.
Print Assumptions step_stands.
Print Assumptions unfold_stays.
Print Assumptions subsume_stands.
Print Assumptions root_stands.
Print Assumptions step_whole.
Print Assumptions image_meets.
Print Assumptions substitution_meets.
Print Assumptions subsume_shows.
Print Assumptions act_keeps.
Print Assumptions map_checked.
Print Assumptions act_noted.
Print Assumptions derive_notes.
Print Assumptions accepted_graph.
Print Assumptions nothing_added.
Print Assumptions all_nodes.
Print Assumptions no_path_lost.
Print Assumptions accepted_paths.
