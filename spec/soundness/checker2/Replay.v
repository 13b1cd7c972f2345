(** Replays proofs and runs (spec/calculus.md#replay): a stack of open configurations, on
    the top one of which rules act. *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Formulas Arena Refuting States Stepping Folds Covering Rules Runs Solving.
Import ListNotations.
Open Scope N_scope.

(** A computation at a place of the certificate. *)
Definition placed {A} (w : Where.t) (c : computes A) (s : state) : answer (A * state) := match c s with
  | Gives a s => Fine (a, s) | Refuses r => Failed (Violated w r) end.

(** ** Lemmas *)

(** A program with other registers, inputs and instructions. *)
Definition changed (P : program) rs is_ code_ : program := {| entry := entry P; registers := rs; layouts := layouts P; objects := objects P; tables := tables P;
  inputs := is_; instructions := code_; assertions := assertions P |}.
(** Where a lemma does not hold the program fails. But one before a failure that
    equates a register with the next one, which the program does not have, asks
    for the failures in which that is what comes in anew; where it is not,
    nothing more happens. *)
Definition asking (P : program) (code_ : numbered instruction) (l : lemma) : program * bool :=
  match lemma_condition l, find code_ (lemma_location l) with
  | IntegersCompared IsEqual (Register known) (Register fresh), Some (Fail _) =>
    match fresh =? count (registers P), register_of (names_of P) known with
    | true, Has t => (changed P (registers P ++ [{| register_name := []; register_type := t |}]) (inputs P ++ [IntegerInput fresh]) (instructions P), true)
    | _, _ => (P, false) end
  | _, _ => (P, false) end.
(** An assertion at its location. *)
Definition lemma_holds (P : program) (l : lemma) : checked unit := every (check_mention (names_of P)) (compared (lemma_condition l)).
Definition add_lemma (P : program) (code_ : numbered instruction) (l : lemma) : checked (program * numbered instruction) :=
  let '(P, asks) := asking P code_ l in
  lemma_holds P l ;;;
  let n := given code_ in
  require (n + 2 <=? greatest_u32) Fault.Location ;;;
  match find code_ (lemma_location l) with
  | None => Lacks Fault.Location
  | Some i =>
    let '(or, last) := if asks : bool then (n + 2, Ignore) else (n, Jump (N.succ (lemma_location l))) in
    let code_ := put code_ (lemma_location l) (Branch (lemma_condition l) (N.succ n) or) in
    let add code_ i := snd (added code_ i) in
    Has (P, add (add (add code_ (Fail Assertion)) i) last) end.
Fixpoint add_lemmas (P : program) (n : N) (code_ : numbered instruction) (ls : list lemma) : answer (program * numbered instruction) := match ls with
  | [] => Fine (P, code_)
  | l :: ls => match add_lemma P code_ l with
    | Has (P, code_) => add_lemmas P (N.succ n) code_ ls
    | Lacks f => Failed (IllFormed Part.Lemma n f) end end.
Definition with_lemmas (P : program) (ls : list lemma) : answer program :=
  let! (P, code_) := add_lemmas P 0 (numbered_of (instructions P)) ls in
  Fine (changed P (registers P) (inputs P) (List.map snd (in_order code_))).

(** ** Terms and templates *)

Fixpoint define_all (n : N) (ts : list term) (s : state) : answer state := match ts with
  | [] => Fine s
  | t :: ts => let! (_, s) := placed (Where.Term n) (define_term t) s in define_all (N.succ n) ts s end.
Fixpoint make_templates (E : setting) (n : N) (ts : list template) (s : state) : answer (list configuration * state) := match ts with
  | [] => Fine ([], s)
  | t :: ts =>
    let! (c, s) := placed (Where.Template n) (configuration_of E t) s in
    let! (cs, s) := make_templates E (N.succ n) ts s in
    Fine (c :: cs, s) end.

(** ** Derivations *)

(** Whoever looks on keeps a mark with each open configuration, and a record. *)
Section Derive.
Context {mark record : Type}.
Variable act : configuration -> mark -> rule -> record -> computes (list (configuration * mark) * record).
Variable first_mark : mark.
(** The root of a class, if there is one, and the place of a rule. *)
Variable root_of_derivation : N -> computes (option configuration).
Variable at_rule : N -> N -> Where.t.
Notation open_configuration := (configuration * mark)%type.

(** The next configuration: the top of the stack or, where it is empty, the root of the
    next class. *)
Definition next_open (class rule : N) (stack : list open_configuration) (s : state) : answer (option (open_configuration * list open_configuration * state)) := match stack with
  | c :: stack => Fine (Some (c, stack, s))
  | [] =>
    let! (r, s) := placed (at_rule class rule) (root_of_derivation class) s in
    Fine (option_map (fun c => (c, first_mark, [], s)) r) end.
(** Every rule takes at least a byte. *)
Fixpoint derive (fuel : list N) (rs : rules) (class rule : N) (stack : list open_configuration) (log : record) (s : state) : answer record :=
  let! open := next_open class rule stack s in
  match open with
  | None =>
    let! left_ := next_rule rs in
    ensure match left_ with None => true | Some _ => false end (Violated (at_rule class rule) Rejection.Open) ;;
    Fine log
  | Some (c, mark, stack, s) =>
    let! r := next_rule rs in
    match r, fuel with
    | Some (r, rs), _ :: fuel =>
      let! (cs, log, s) := placed (at_rule class rule) (act c mark r log) s in
      let stack := cs ++ stack in
      derive fuel rs (if is_empty stack then N.succ class else class) (N.succ rule) stack log s
    | _, _ => Failed (Violated (at_rule class no_rule) Rejection.Open) end end.
Definition derivation (rs : rules) (log : record) (s : state) : answer record := derive (rules_bytes rs) rs 0 0 [] log s.
End Derive.

(** All derivations of a proof, each of which begins with the certificate's terms alone.
    The mark of a root says which derivation it is of: that of the roots, or of a template. *)
Section Proof.
Context {mark record : Type}.
Variable E : setting.
Variable act : configuration -> mark -> rule -> record -> computes (list (configuration * mark) * record).
Variable mark_of : option N -> mark.

Fixpoint derivations_of (n : N) (cs : list configuration) (ds : list rules) (log : record) (s : state) : answer record := match cs, ds with
  | c :: cs, rs :: ds =>
    let! log := derivation act (mark_of (Some n)) (fun class => ret (if class =? 0 then Some c else None)) (fun _ rule => Where.Derivation n rule) rs log s in
    derivations_of (N.succ n) cs ds log s
  | _, _ => Fine log end.
Definition replay_proof (cs : list configuration) (p : proof) (log : record) (s : state) : answer record :=
  let! log := derivation act (mark_of None) (root_of_class E (lengths_of p)) Where.Root (roots p) log s in
  derivations_of 0 cs (derivations p) log s.
End Proof.

(** Nobody looks on. *)
Definition act_alone (E : setting) (ts : indexed configuration) c (_ : unit) (r : rule) (_ : unit) : computes (list (configuration * unit) * unit) :=
  let$ cs := replay_rule E ts c r in ret (List.map (fun c => (c, tt)) cs, tt).

(** ** Claims *)

(** Terms and templates of a proof. *)
Definition premises (E : setting) (c : certificate) (p : proof) : answer (list configuration * state) :=
  let! s := define_all 0 (terms c) (initial_state (tables (program_in E))) in
  ensure (count (derivations p) =? count (templates p)) (Violated Where.Evidence Rejection.Root) ;;
  make_templates E 0 (templates p) s.
Definition safe (c : certificate) (p : proof) : answer unit :=
  let st := statement_of c in
  let! P := with_lemmas (program_of st) (lemmas p) in
  let E := setting_of P (under st) (k_of p) (sorts p) in
  let! (cs, s) := premises E c p in
  replay_proof E (act_alone E (index_of cs)) (fun _ => tt) cs p tt s.

Definition run_setting (c : certificate) : setting := setting_of (program_of (statement_of c)) (under (statement_of c)) most_cells [].
Definition replayed_run (c : certificate) (w : Where.t) (g : ground_run) (fails : bool) : answer unit :=
  let! (f, _) := placed w (run (run_setting c) g) (initial_state (tables (program_of (statement_of c)))) in
  ensure (Bool.eqb f fails) (Violated w Rejection.Run).
Definition most_witnesses : N := 4.
Fixpoint witnesses_from (c : certificate) (n : N) (gs : list ground_run) : answer unit := match gs with
  | [] => Fine tt
  | g :: gs => replayed_run c (Where.Witness n) g false ;; witnesses_from c (N.succ n) gs end.
Definition check_witnesses (c : certificate) : answer unit :=
  ensure (count (witnesses c) <=? most_witnesses) (Violated Where.Evidence Rejection.Run) ;;
  witnesses_from c 0 (witnesses c).

(** ** Formulas *)

Fixpoint solve_steps f all found values_ (n : N) (clauses : numbered (list signed_expression)) (is_ : list inference) (s : state) : answer (numbered (list signed_expression)) := match is_ with
  | [] => Fine clauses
  | i :: is_ =>
    let! (clauses, s) := placed (Where.Step n) (add_clause f all found values_ clauses i) s in
    solve_steps f all found values_ (N.succ n) clauses is_ s end.
Definition has_empty_last (clauses : numbered (list signed_expression)) : bool := match find clauses (N.pred (given clauses)) with Some [] => true | _ => false end.
Definition unsatisfiable (f : formula) (e : formula_evidence) : answer unit :=
  let es := expressions f ++ more_expressions e in
  let all := index_of es in
  let! found := find_domains_of f (more_expressions e) in
  let! s := define_all 0 (formula_terms e) (initial_state []) in
  let! (values_, s) := placed Where.Evidence (folded_left (evaluate_one found) (List.combine (numbers_from 0 (length es)) es) (PositiveMap.empty N)) s in
  let! clauses := solve_steps f all found values_ 0 (none_numbered (list signed_expression) 0) (inferences e) s in
  ensure (has_empty_last clauses) (Violated Where.Evidence Rejection.Open).
