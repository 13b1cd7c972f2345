(** The machine as OCaml: [compare.ml] runs it beside the interpreter. *)
From Goatherd Require Import Integers Sorts Programs Machine Inputs Runs.
Require Extraction.
Require Import ExtrOcamlBasic.
Extraction Language OCaml.
Extraction "machine.ml" replay.
