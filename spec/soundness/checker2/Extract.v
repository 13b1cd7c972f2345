(** The second checker as OCaml: [main.ml] reads files for it. *)
From Goatherd.checker2 Require Import Checker.
Require Extraction.
Require Import ExtrOcamlBasic.
Extraction Language OCaml.
Extraction "checker.ml" check.
