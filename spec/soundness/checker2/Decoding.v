(** Decodes a certificate (spec/format.md): its types in the order of that text, then
    the frame of a file and what it is about.  Whoever calls gives the bytes, the hash
    function, and what is allowed. *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader.
Import ListNotations.
Open Scope N_scope.

(** What is left of a list of constants. *)
Definition one_of {A} (values : list A) : reads A := variant (List.map pure values).

(** ** Statement *)

Definition d_claim := variant [pure Safe; pure Unsafe; pure Invariant; map Paths (one_of [Complete; Anywhere]); pure Unsatisfiable].
Definition d_parameters := pure Build_parameters <*> one_of [Lp64SignedChar] <*> one_of [Wraps; OverflowFails]
  <*> one_of [FormedAnywhere; InsideObject] <*> one_of [Succeeds; MayFail] <*> one_of [C; Unbounded].
Definition d_digest := take 32.
Definition d_origin := pure Build_made_from <*> text <*> d_digest <*> list_of text <*> list_of text <*> list_of text.

(** ** Program *)

Definition d_integer_type := one_of [Bool; I8; U8; I16; U16; I32; U32; I64; U64].
Definition d_type := variant [map IntegerType d_integer_type; pure Pointer].
Definition d_register := pure Build_register <*> text <*> d_type.
Definition d_field := pure Build_field <*> text <*> u64 <*> d_type.
Definition d_layout := pure Build_layout <*> text <*> u64 <*> list_of d_field.
Definition d_source := variant [map FromField u32; pure FromAbove].
Definition d_link := variant [pure Data; map Child u32; pure Up; pure Other; pure Null; pure Same;
  pure Range <*> i128 <*> i128; pure Anything; pure Handed <*> u32 <*> d_source; pure Ring <*> u32 <*> u64; map Last_ u32].
Definition d_contents := variant [pure Zeros; map FromTable u32; map Pointers (list_of (option_of u32))].
Definition d_access := one_of [ReadOnly; ReadWrite].
Definition d_object_origin := variant [pure InputObject; pure Static <*> u64 <*> list_of d_contents <*> d_access;
  map Local u64; pure Heap; map Node (list_of d_link)].
Definition d_object := pure Build_object <*> text <*> u32 <*> d_object_origin.
Definition d_table := pure Build_table <*> d_integer_type <*> list_of i128.
Definition d_input := variant [map IntegerInput u32; pure ArrayInput <*> u32 <*> u32 <*> u32;
  pure SingleInput <*> u32 <*> u32; pure LinkedInput <*> u32 <*> u32].
Definition d_operand := variant [map Register u32; map Number i128].
Definition d_pointer_operand := variant [map PointerRegister u32; pure NullPointer].
Definition d_relation := one_of [IsEqual; IsLess; IsLessOrEqual].
Definition d_condition := variant [pure IntegersCompared <*> d_relation <*> d_operand <*> d_operand;
  pure PointersCompared <*> d_relation <*> d_pointer_operand <*> d_pointer_operand].
Definition d_operation := one_of [Add; Subtract; Multiply; Divide; Remainder; And; Or; Xor; ShiftLeft; ShiftRight].
Definition d_instruction := variant [
  map Jump u32;
  pure Branch <*> d_condition <*> u32 <*> u32;
  pure Choose <*> u32 <*> u32;
  pure Halt;
  map Fail (one_of [Assertion; Reached; MissingReturn; Unreachable]);
  pure Ignore;
  pure Assign <*> u32 <*> d_operand;
  pure Compute <*> u32 <*> d_operation <*> d_operand <*> d_operand;
  map Havoc u32;
  map Uninitialise u32;
  map SetNull u32;
  pure Copy <*> u32 <*> u32;
  pure Address <*> u32 <*> u32;
  pure Advance <*> u32 <*> u32 <*> d_operand <*> i64;
  pure Distance <*> u32 <*> u32 <*> u32 <*> u64;
  pure Load <*> u32 <*> u32 <*> i64;
  pure Store <*> u32 <*> i64 <*> u32;
  pure Allocate <*> u32 <*> u32 <*> d_operand <*> one_of [Arbitrary; Zero];
  map Free u32;
  map Enter u32;
  map Leave u32;
  map CheckLeaks (list_of u32)].
Definition d_program := pure Build_program <*> text <*> list_of d_register <*> list_of d_layout <*> list_of d_object
  <*> list_of d_table <*> list_of d_input <*> list_of d_instruction <*> list_of u32.

(** ** Terms *)

Definition d_atom_id := term_id atoms_known.
Definition d_linear_id := term_id linears_known.
Definition d_array_id := term_id arrays_known.
Definition d_atom := variant [
  pure IntegerVariable <*> option_of d_integer_type <*> u32;
  pure Select <*> d_array_id <*> d_linear_id;
  pure Quotient <*> i128 <*> d_linear_id;
  pure Apply <*> d_operation <*> d_integer_type <*> d_linear_id <*> d_linear_id].
Definition d_array := variant [
  pure ArrayVariable <*> d_integer_type <*> u32;
  pure Stored <*> d_array_id <*> d_linear_id <*> d_linear_id;
  map Constant d_linear_id;
  map TableOf u32].
Definition d_linear := pure Build_linear <*> i128 <*> list_of (pair_of d_atom_id i128).
Definition d_term := variant [map AtomTerm d_atom; map LinearTerm d_linear; map ArrayTerm d_array].
(** Each entry may name those before it. *)
Definition d_terms := list_of (let? t := d_term in let? _ := add_term t in pure t).
Definition d_literal := pure Build_literal <*> one_of [AtMostZero; IsZero; NotZero] <*> d_linear_id.

(** ** Configurations *)

Definition d_slot := variant [pure Forgotten; pure Uninitialised; map IntegerSlot d_linear_id; pure NullSlot;
  pure PointerSlot <*> u32 <*> d_linear_id <*> u64; map Folded u32; map Last u32].
Definition d_tree_sort := variant [map Tree u32; map Segment u32].
Definition d_root := variant [pure AnyRoot; pure NodeRoot; map AnyAt u64; map NodeAt u64].
Definition d_sort := pure Build_sort <*> u32 <*> d_root <*> list_of (list_of d_link) <*> option_of u32.
Definition d_field_state := pure Build_field_state <*> list_of d_slot <*> option_of d_array_id.
Definition d_object_state := pure Build_object_state <*> u32 <*> u32 <*> one_of [Live; Dead] <*> d_linear_id <*> d_linear_id
  <*> list_of d_field_state.
Definition d_folded := pure Build_folded <*> u32 <*> d_slot <*> d_slot <*> d_slot.
Definition d_member := pure Build_member <*> u32 <*> one_of [Smaller; NotLarger] <*> d_slot
  <*> list_of (pair_of u32 d_slot) <*> list_of d_object_state <*> list_of d_folded.
Definition d_scope := pure Build_scope <*> exactly 10 u32 <*> exactly 9 u32.
Definition d_template := pure Build_template <*> d_scope <*> list_of d_tree_sort <*> list_of d_literal <*> list_of d_member.

(** ** Rules and evidence *)

Definition d_facts := pair_of u32 u32.
Definition d_deduction := variant [
  map Combine (list_of (pair_of u32 i128));
  pure Tighten <*> u32 <*> u32;
  map Axiom_ d_atom_id;
  pure Congruence <*> d_atom_id <*> d_atom_id <*> list_of d_facts;
  pure ReadSame <*> d_atom_id <*> d_facts;
  pure ReadOther <*> d_atom_id <*> u32;
  pure Convert <*> d_atom_id <*> d_linear_id <*> d_facts;
  map Case d_literal;
  pure Bits <*> d_atom_id <*> d_facts;
  pure Evaluate <*> d_atom_id <*> list_of (pair_of i128 d_facts)].
Definition d_refutation := list_of d_deduction.
Definition d_hints := list_of d_refutation.
Definition d_matching := pure Build_matching <*> list_of d_linear_id <*> list_of d_array_id
  <*> list_of (list_of u32) <*> list_of (list_of u32) <*> list_of (list_of u32).
Definition d_dropped := variant [map First u32; pure LastElement; pure DroppedNode <*> u32 <*> option_of u32].
Definition d_choice := variant [map Value d_linear_id;
  pure Allocation <*> d_linear_id <*> list_of (pair_of (list_of d_linear_id) (option_of d_array_id))].
Definition d_rule := variant [
  map Step (list_of (pair_of u32 d_refutation));
  pure StepDecided <*> u32 <*> u32 <*> option_of d_choice <*> d_hints;
  map Split d_literal;
  map Infeasible d_refutation;
  pure AddScapegoat <*> list_of (pair_of u32 d_dropped) <*> list_of (pair_of u32 d_linear_id) <*> d_hints;
  map Drop u32;
  pure Subsume <*> u32 <*> d_matching <*> d_hints;
  map Descent u32;
  pure End_;
  map Let_ d_linear_id;
  pure Unfold <*> u32 <*> one_of [Top; Bottom];
  pure Steps <*> u32 <*> u32;
  map Twin u32].
(** Rules are read when they are replayed; here only how many bytes they take. *)
Definition d_rules : reads rules :=
  let? n := length_of in
  let? offset := where_it_is in
  let? bytes := take n in
  fun r => Fine ({| rules_offset := offset; rules_bytes := bytes; rules_length := n; rules_terms := terms_known r |}, r).
Definition d_lemma := pure Build_lemma <*> u32 <*> d_condition.
Definition d_proof := pure Build_proof <*> u32 <*> one_of [Classes; Open] <*> list_of d_lemma <*> list_of d_sort
  <*> list_of d_template <*> d_rules <*> list_of d_rules.
Definition d_integers := list_of i128.
Definition d_input_value := variant [map IntegerValue i128; map ArrayValue (list_of d_integers);
  map SingleValue (option_of d_integers); map LinkedValue (list_of (option_of d_integers))].
Definition d_ground_run := pure Build_ground_run <*> list_of d_input_value <*> d_integers <*> u64.
Definition d_evidence := variant [map OfProof d_proof; map OfRun d_ground_run; pure OfPaths <*> d_proof <*> list_of (option_of u32)].
Definition d_position := pure Build_position <*> u32 <*> u32 <*> u32.

(** The next rule, if there is one, and what is left. *)
Definition next_rule (rs : rules) : answer (option (rule * rules)) := match rules_bytes rs with
  | [] => Fine None
  | _ :: _ =>
    let start := {| left := rules_bytes rs; left_count := rules_length rs; offset_of := rules_offset rs; terms_known := rules_terms rs |} in
    let! (one, r) := d_rule start in
    Fine (Some (one, {| rules_offset := offset_of r; rules_bytes := left r; rules_length := left_count r; rules_terms := rules_terms rs |})) end.

(** ** Tree models *)

Section Automata.
Context {letter : Type} (d_letter : reads letter).
Definition d_transition := pure (Build_transition letter) <*> d_letter <*> list_of u32 <*> u32.
Definition d_automaton := pure (Build_automaton letter) <*> list_of d_transition <*> list_of u32.
End Automata.
Definition d_sets := d_automaton u32.
Definition d_action := pure Build_action <*> text <*> d_automaton (pair_of u32 u32) <*> u32.
Definition d_line := pure Build_line <*> text <*> list_of d_action <*> d_sets.
Definition d_symbol := pure Build_tree_symbol <*> text <*> u32.
Definition d_tree_model := pure Build_tree_model <*> list_of d_symbol <*> d_sets <*> list_of d_line.
Definition d_cover := pure Build_cover <*> u32 <*> u32 <*> list_of u32.
Definition d_model_evidence := variant [
  pure OfInvariant <*> list_of d_sets <*> list_of (list_of d_cover);
  pure OfTrace <*> list_of u32 <*> list_of (pair_of u32 (list_of u32))].

(** ** Formulas *)

Definition d_expression := variant [
  map ConstantExpression u32; map Not u32; map AllOf (list_of u32); map AnyOf (list_of u32);
  pure IfThenElse <*> u32 <*> u32 <*> u32; pure Equal <*> u32 <*> u32; pure AtMost <*> u32 <*> u32;
  pure Sum <*> i128 <*> list_of (pair_of u32 i128); pure QuotientExpression <*> u32 <*> i128;
  pure SelectExpression <*> u32 <*> u32; pure StoreExpression <*> u32 <*> u32 <*> u32; map Fill u32;
  pure Witness <*> u32 <*> u32].
Definition d_clause := list_of (variant [map Holds u32; map Fails u32]).
Definition d_inference := variant [
  map AssertionStep u32; pure Definition_ <*> u32 <*> u32; map ChoiceStep u32; pure ReadSameStep <*> u32 <*> u32;
  pure ReadOtherStep <*> u32 <*> u32; map ReadFill u32; pure SameElement <*> u32 <*> list_of u32;
  pure Extensionality <*> u32 <*> u32; pure Arithmetic <*> d_clause <*> d_refutation;
  pure Propagation <*> d_clause <*> list_of u32].
Definition d_formula_constant := pure Build_formula_constant <*> text <*> one_of [BooleanDomain; IntegerDomain; ArrayDomain].
Definition d_formula := pure Build_formula <*> u32 <*> list_of d_formula_constant <*> list_of d_expression <*> list_of u32.
Definition d_formula_evidence := pure Build_formula_evidence <*> d_terms <*> list_of d_expression <*> list_of d_inference.

(** ** Files *)

Definition magic : list N := [103; 111; 97; 116; 104; 101; 114; 100].
Definition is_version (n : N) : bool := (2 <=? n) && (n <=? 4).
Fixpoint same_bytes (l k : list N) : bool := match l, k with
  | [], [] => true | a :: l, b :: k => (a =? b) && same_bytes l k | _, _ => false end.
(** The first bytes of a list are these: what is left. *)
Fixpoint without (first bytes : list N) : option (list N) := match first, bytes with
  | [], _ => Some bytes
  | a :: first, b :: bytes => if a =? b then without first bytes else None
  | _, [] => None end.

Section File.
Variable hash : list N -> list N.
Variable allowed : limits.

Definition d_limits := pure Build_limits <*> u64 <*> u64.

(** Version and limits. *)
Definition header : reads limits := fun r =>
  match without magic (left r) with
  | None => malformed 0 Defect.Magic
  | Some _ =>
    let! (_, r) := take (count magic) r in
    let! (found, r) := take 4 r in
    ensure (is_version (little_endian found)) (Declined (Declined.Version (little_endian found))) ;;
    let! (l, r) := d_limits r in
    ensure (memory l <=? memory allowed) (Declined (Declined.Limit (memory l) (memory allowed))) ;;
    ensure (work l <=? work allowed) (Declined (Declined.WorkLimit (work l) (work allowed))) ;;
    Fine (l, r) end.

Definition digest_length : N := 32.

(** The statement, and what stands behind it; all digests are right. *)
Record framed := { limits_of : limits; statement_part : reader; rest_part : reader }.
Definition frame (bytes : list N) : answer framed :=
  let total := count bytes in
  let! (l, r) := header {| left := bytes; left_count := total; offset_of := 0; terms_known := no_terms |} in
  ensure (total <=? memory l) (Declined (Declined.Memory (memory l))) ;;
  ensure (digest_length <=? total) (Malformed total Defect.Truncated) ;;
  let body := total - digest_length in
  let (contents, trailer) := split (N.to_nat body) bytes [] in
  ensure (same_bytes (hash contents) trailer) (Malformed body Defect.Trailer) ;;
  ensure (offset_of r <=? body) (Malformed body Defect.Truncated) ;;
  let (_, inner) := split (N.to_nat (offset_of r)) contents [] in
  let start := {| left := inner; left_count := body - offset_of r; offset_of := offset_of r; terms_known := no_terms |} in
  let! (digest, r) := take digest_length start in
  let! (n, r) := length_of r in
  let begins := offset_of r in
  let! (statement, r) := take n r in
  ensure (same_bytes (hash statement) digest) (Malformed (offset_of start) Defect.StatementDigest) ;;
  Fine {| limits_of := l; rest_part := r;
    statement_part := {| left := statement; left_count := n; offset_of := begins; terms_known := no_terms |} |}.

Inductive subject :=
| AboutProgram (c : certificate)
| AboutModel (c : model_certificate)
| AboutFormula (c : formula_certificate).

(** A reading to the end. *)
Definition all_of {A} (d : reads A) (r : reader) : answer A := let! (a, _) := (let? a := d in let? _ := ended in pure a) r in Fine a.
Definition about {A} (d : reads A) : reads (claim * A) := pair_of d_claim d.

Definition d_statement := about (pure (fun p ls o s c => Build_statement c p ls o s) <*> d_parameters <*> list_of u32 <*> d_origin <*> d_program).
Definition d_rest (l : limits) (s : statement) := pure (Build_certificate l s) <*> list_of text <*> list_of d_position
  <*> d_terms <*> d_evidence <*> list_of d_ground_run.

Definition decode (bytes : list N) : answer subject :=
  let! f := frame bytes in
  let! (number, r) := u32 (statement_part f) in
  if number =? 1 then
    let! (c, (o, m)) := all_of (about (pair_of d_origin d_tree_model)) r in
    let! e := all_of d_model_evidence (rest_part f) in
    Fine (AboutModel (Build_model_certificate (limits_of f) c o m e))
  else if number =? 2 then
    let! (c, (o, m)) := all_of (about (pair_of d_origin d_formula)) r in
    let! e := all_of d_formula_evidence (rest_part f) in
    Fine (AboutFormula (Build_formula_certificate (limits_of f) c o m e))
  else
    (* The claim is read before the subject is looked at. *)
    let! (c, _) := d_claim r in
    ensure (number =? 0) (Malformed (offset_of (statement_part f)) Defect.Variant) ;;
    let! (c, s) := all_of d_statement r in
    let! e := all_of (d_rest (limits_of f) (s c)) (rest_part f) in
    Fine (AboutProgram e).
End File.
