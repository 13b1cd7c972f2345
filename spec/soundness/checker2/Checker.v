(** What the second checker says of a file. *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Formulas Replay.
Import ListNotations.
Open Scope N_scope.

(** What has not been looked at: graphs, tree models, the steps of formulas.  [Rules] says of
    the first rule that cannot be read why: the certificate is not valid, but a condition may
    be violated before. *)
Inductive remaining := Graph | Model | Formula | Rules (f : failure).
Inductive verdict := Accepted (c : claim) | Rejected (f : failure) | Undecided (r : remaining).

(** ** That the evidence is of the claim *)

Definition is_c (a : arithmetic) : bool := match a with C => true | Unbounded => false end.
Definition at_evidence (b : bool) (r : Rejection.t) : answer unit := ensure b (Violated Where.Evidence r).
Definition check_proof (p : proof) : answer unit := at_evidence ((1 <=? k_of p) && (k_of p <=? 16)) Rejection.Root.
Definition check_paths (c : certificate) (p : proof) : answer unit :=
  let s := statement_of c in
  at_evidence (is_empty (witnesses c)) Rejection.Claim ;;
  at_evidence ((k_of p =? 0) && is_empty (lemmas p)) Rejection.Root ;;
  at_evidence (is_c (arithmetic_of (under s)) || is_empty (objects (program_of s))) (Rejection.Unsupported Unsupported.Unbounded).

Definition first_unreadable (rs : list rules) : remaining :=
  match flat_map (fun r => match unreadable_rule r with Some f => [f] | None => [] end) rs with [] => Graph | f :: _ => Rules f end.
Definition check_program_claim (c : certificate) : answer verdict :=
  let s := statement_of c in
  let over_c := at_evidence (is_c (arithmetic_of (under s))) Rejection.Claim in
  match claimed s, shows c with
  | Safe, OfProof p => over_c ;; check_proof p ;; safe c p ;; check_witnesses c ;; Fine (Accepted Safe)
  | Unsafe, OfRun g =>
    over_c ;; at_evidence (is_empty (terms c)) Rejection.Claim ;;
    replayed_run c Where.Run g true ;; check_witnesses c ;; Fine (Accepted Unsafe)
  | Paths _, OfPaths p _ => check_paths c p ;; Fine (Undecided (first_unreadable (roots p :: derivations p)))
  | _, _ => Failed (Violated Where.Evidence Rejection.Claim) end.
Definition check_formula_claim (c : claim) : answer unit :=
  at_evidence match c with Unsatisfiable => true | _ => false end Rejection.Claim.
Definition check_model_claim (c : claim) (e : model_evidence) : answer unit := match c, e with
  | Invariant, OfInvariant _ _ | Unsafe, OfTrace _ _ => Fine tt
  | _, _ => Failed (Violated Where.Evidence Rejection.Claim) end.

(** ** Files *)

Definition check_subject (s : subject) : answer verdict := match s with
  | AboutProgram c => well_formed c ;; check_program_claim c
  | AboutModel c => check_model_claim (model_claim c) (model_shows c) ;; Fine (Undecided Model)
  | AboutFormula c =>
    check_formula_claim (formula_claim c) ;;
    well_formed_formula (formula_of c) (more_expressions (formula_shows c)) ;;
    Fine (Undecided Formula) end.
Definition check (hash : list N -> list N) (allowed : limits) (bytes : list N) : verdict :=
  match (let! s := decode hash allowed bytes in check_subject s) with Fine v => v | Failed f => Rejected f end.
