(** What the second checker says of a file. *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Formulas Replay Graphs TreeModels.
Import ListNotations.
Open Scope N_scope.

Inductive verdict := Accepted (c : claim) | Rejected (f : failure).

(** ** That the evidence is of the claim *)

Definition is_c (a : arithmetic) : bool := match a with C => true | Unbounded => false end.
Definition at_evidence (b : bool) (r : Rejection.t) : answer unit := ensure b (Violated Where.Evidence r).
Definition check_proof (p : proof) : answer unit := at_evidence ((1 <=? k_of p) && (k_of p <=? 16)) Rejection.Root.
Definition check_paths (c : certificate) (p : proof) : answer unit :=
  let s := statement_of c in
  at_evidence (is_empty (witnesses c)) Rejection.Claim ;;
  at_evidence ((k_of p =? 0) && is_empty (lemmas p)) Rejection.Root ;;
  at_evidence (is_c (arithmetic_of (under s)) || is_empty (objects (program_of s))) (Rejection.Unsupported Unsupported.Unbounded).

Definition check_program_claim (c : certificate) : answer unit :=
  let s := statement_of c in
  let over_c := at_evidence (is_c (arithmetic_of (under s))) Rejection.Claim in
  match claimed s, shows c with
  | Safe, OfProof p => over_c ;; check_proof p ;; safe c p ;; check_witnesses c ;; Fine tt
  | Unsafe, OfRun g =>
    over_c ;; at_evidence (is_empty (terms c)) Rejection.Claim ;;
    replayed_run c Where.Run g true ;; check_witnesses c ;; Fine tt
  | Paths e, OfPaths p map => check_paths c p ;; graph_shown c e p map
  | _, _ => Failed (Violated Where.Evidence Rejection.Claim) end.
Definition check_formula_claim (c : claim) : answer unit :=
  at_evidence match c with Unsatisfiable => true | _ => false end Rejection.Claim.

(** ** Files *)

(** The claim, if it has been shown. *)
Definition check_subject (s : subject) : answer claim := match s with
  | AboutProgram c => well_formed c ;; check_program_claim c ;; Fine (claimed (statement_of c))
  | AboutModel c => check_model (model_of c) (model_claim c) (model_shows c) ;; Fine (model_claim c)
  | AboutFormula c =>
    check_formula_claim (formula_claim c) ;;
    unsatisfiable (formula_of c) (formula_shows c) ;;
    Fine (formula_claim c) end.
Definition check (hash : list N -> list N) (allowed : limits) (bytes : list N) : verdict :=
  match (let! s := decode hash allowed bytes in check_subject s) with Fine c => Accepted c | Failed f => Rejected f end.
