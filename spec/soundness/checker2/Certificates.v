(** The data of a certificate as it is read (spec/format.md), in the order of
    certificates/src.  Numbers are what the bytes say: that an identifier is one of
    something is a matter of well-formedness.  Unsigned numbers are [N], others [Z]. *)
From Coq Require Import List NArith ZArith.
From Goatherd Require Import Integers.
Import ListNotations.

(** Bytes, each below 256. *)
Notation text := (list N) (only parsing).

(** ** Programs *)

Inductive type := IntegerType (T : integer_type) | Pointer.
Record register := { register_name : text; register_type : type }.
Record field := { field_name : text; offset : N; field_type : type }.
Record layout := { layout_name : text; element_size : N; fields : list field }.

Inductive source := FromField (f : N) | FromAbove.
Inductive link :=
| Data | Child (sort : N) | Up | Other | Null | Same | Range (least greatest : Z) | Anything | Handed (sort : N) (from : source)
| Ring (sort byte : N)       (** the first cell of a ring around this byte of the node *)
| Last_ (f : N).             (** the last cell of the ring in this field *)
Inductive access := ReadOnly | ReadWrite.
Inductive contents := Zeros | FromTable (table : N) | Pointers (targets : list (option N)).
Inductive origin :=
| InputObject
| Static (count : N) (initially : list contents) (may : access)
| Local (count : N)
| Heap
| Node (links : list link).
Record object := { object_name : text; layout_of : N; origin_of : origin }.
Record table := { table_type : integer_type; values : list Z }.

Inductive input :=
| IntegerInput (register : N)
| ArrayInput (pointer length object : N)
| SingleInput (pointer object : N)
| LinkedInput (pointer object : N).

Inductive operand := Register (r : N) | Number (z : Z).
Inductive pointer_operand := PointerRegister (r : N) | NullPointer.
Inductive relation := IsEqual | IsLess | IsLessOrEqual.
Inductive condition :=
| IntegersCompared (r : relation) (left right : operand)
| PointersCompared (r : relation) (left right : pointer_operand).
Inductive fresh := Arbitrary | Zero.
Inductive fail_kind := Assertion | Reached | MissingReturn | Unreachable.

Inductive instruction :=
| Jump (target : N)
| Branch (c : condition) (yes no : N)
| Choose (one other : N)
| Halt
| Fail (kind : fail_kind)
| Ignore
| Assign (target : N) (value : operand)
| Compute (target : N) (op : operation) (left right : operand)
| Havoc (target : N)
| Uninitialise (target : N)
| SetNull (target : N)
| Copy (target from : N)
| Address (target object : N)
| Advance (target base : N) (index : operand) (scale : Z)
| Distance (target left right scale : N)
| Load (target address : N) (at_offset : Z)
| Store (address : N) (at_offset : Z) (from : N)
| Allocate (target object : N) (bytes : operand) (f : fresh)
| Free (pointer : N)
| Enter (object : N)
| Leave (object : N)
| CheckLeaks (roots : list N).

Record program := {
  entry : text;
  registers : list register;
  layouts : list layout;
  objects : list object;
  tables : list table;
  inputs : list input;
  instructions : list instruction;
  assertions : list N }.

(** ** Statements *)

Inductive ends := Complete | Anywhere.
Inductive claim := Safe | Unsafe | Invariant | Paths (e : ends) | Unsatisfiable.
Inductive data_model := Lp64SignedChar.
Inductive signed_overflow := Wraps | OverflowFails.
Inductive pointer_formation := FormedAnywhere | InsideObject.
Inductive allocation := Succeeds | MayFail.
Inductive arithmetic := C | Unbounded.
Record parameters := {
  model : data_model;
  on_overflow : signed_overflow;
  formation : pointer_formation;
  allocating : allocation;
  arithmetic_of : arithmetic }.
Record made_from := { file : text; digest_of_file : list N; definitions : list text; includes : list text; waived : list text }.
Record statement := {
  claimed : claim;
  under : parameters;
  landmarks : list N;
  origin_of_statement : made_from;
  program_of : program }.
Record limits := { memory : N; work : N }.
Record position := { file_of : N; line_of : N; column_of : N }.

(** ** Terms *)

Inductive atom :=
| IntegerVariable (sort : option integer_type) (number : N)
| Select (array index : N)
| Quotient (divisor : Z) (argument : N)
| Apply (op : operation) (T : integer_type) (left right : N).
Inductive array :=
| ArrayVariable (sort : integer_type) (number : N)
| Stored (array index value : N)
| Constant (value : N)
| TableOf (table : N).
Record linear := { constant : Z; summands : list (N * Z) }.
Inductive term := AtomTerm (a : atom) | LinearTerm (l : linear) | ArrayTerm (a : array).
Inductive sign := AtMostZero | IsZero | NotZero.
Record literal := { sign_of : sign; term_of : N }.
Record scope := { integers : list N; arrays : list N }.

(** ** Configurations *)

Inductive slot :=
| Forgotten | Uninitialised | IntegerSlot (term : N) | NullSlot | PointerSlot (object index byte : N) | Folded (part : N) | Last (part : N).
Inductive input_size := Smaller | NotLarger.
Inductive tree_sort := Tree (sort : N) | Segment (sort : N).
(** May it be NULL, and to which byte of a node it leads otherwise. *)
Inductive root := AnyRoot | NodeRoot | AnyAt (byte : N) | NodeAt (byte : N).
Inductive life := Live | Dead.
Record sort := { object_of : N; root_of : root; shapes : list (list link); within_sort : option N }.
Record field_state := { cells : list slot; rest : option N }.
Record object_state := {
  named : N; declaration : N; life_of : life; lower : N; upper : N; field_states : list field_state }.
Record folded := { symbol : N; above : slot; same : slot; below : slot }.
Record member := {
  location : N; size : input_size; consumed : slot;
  register_slots : list (N * slot); object_states : list object_state; folded_parts : list folded }.
Record template := { scope_of : scope; trees : list tree_sort; predicate : list literal; members : list member }.

(** ** Derivations *)

Inductive deduction :=
| Combine (summed : list (N * Z))
| Tighten (bound disequality : N)
| Axiom_ (a : N)
| Congruence (left right : N) (facts : list (N * N))
| ReadSame (a : N) (facts : N * N)
| ReadOther (a : N) (fact : N)
| Convert (a value : N) (facts : N * N)
| Case (l : literal)
| Bits (a : N) (facts : N * N)
| Evaluate (a : N) (valued : list (Z * (N * N))).
Notation refutation := (list deduction) (only parsing).
Inductive segment_end := Top | Bottom.
Record matching := {
  integer_images : list N; array_images : list N;
  paths_read : list (list N); shapes_read : list (list N); objects_matched : list (list N) }.
Inductive dropped := First (j : N) | LastElement | DroppedNode (object : N) (child : option N).
Inductive choice :=
| Value (term : N)
| Allocation (at_lower : N) (of_fields : list (list N * option N)).
Inductive rule :=
| Step (refuted : list (N * refutation))
| StepDecided (member outcome : N) (c : option choice) (hints : list refutation)
| Split (l : literal)
| Infeasible (r : refutation)
| AddScapegoat (drops : list (N * dropped)) (new_integers : list (N * N)) (hints : list refutation)
| Drop (member : N)
| Subsume (template : N) (m : matching) (hints : list refutation)
| Descent (member : N)
| End_
| Let_ (term : N)
| Unfold (tree : N) (e : segment_end)
| Steps (member count : N)
| Twin (member : N).
Inductive lengths := Classes | Open.
Record lemma := { lemma_location : N; lemma_condition : condition }.

(** How many atoms, linear terms and arrays the table of terms has. *)
Record known := { atoms_known : N; linears_known : N; arrays_known : N }.
(** Rules that are still to be read: where they begin, their bytes, how many
    these are, and which terms they may name. *)
Record rules := { rules_offset : N; rules_bytes : list N; rules_length : N; rules_terms : known }.
Record proof := {
  k_of : N; lengths_of : lengths; lemmas : list lemma; sorts : list sort;
  templates : list template; roots : rules; derivations : list rules }.

Inductive input_value :=
| IntegerValue (z : Z)
| ArrayValue (elements : list (list Z))
| SingleValue (fields : option (list Z))
| LinkedValue (nodes : list (option (list Z))).
Record ground_run := { input_values : list input_value; choices : list Z; steps : N }.
Inductive evidence :=
| OfProof (p : proof)
| OfRun (r : ground_run)
| OfPaths (p : proof) (vertices : list (option N)).
Record certificate := {
  declared : limits;
  statement_of : statement;
  files : list text;
  positions : list position;
  terms : list term;
  shows : evidence;
  witnesses : list ground_run }.

(** ** Tree models *)

Record tree_symbol := { symbol_name : text; rank : N }.
Record transition (letter : Type) := { letter_of : letter; children : list N; target : N }.
Record automaton (letter : Type) := { transitions : list (transition letter); accepting : list N }.
Record action := { action_name : text; transducer : automaton (N * N); next : N }.
Record line := { line_name : text; actions : list action; bad : automaton N }.
Record tree_model := { alphabet : list tree_symbol; initial : automaton N; lines : list line }.
Record cover := { cover_source : N; cover_transducer : N; cover_targets : list N }.
Inductive model_evidence :=
| OfInvariant (automata : list (automaton N)) (covers : list (list cover))
| OfTrace (tree : list N) (steps : list (N * list N)).
Record model_certificate := {
  model_limits : limits; model_claim : claim; model_origin : made_from; model_of : tree_model; model_shows : model_evidence }.

(** ** Formulas *)

Inductive domain := BooleanDomain | IntegerDomain | ArrayDomain.
Inductive expression :=
| ConstantExpression (c : N)
| Not (e : N)
| AllOf (es : list N)
| AnyOf (es : list N)
| IfThenElse (c t e : N)
| Equal (left right : N)
| AtMost (left right : N)
| Sum (c : Z) (es : list (N * Z))
| QuotientExpression (argument : N) (divisor : Z)
| SelectExpression (array index : N)
| StoreExpression (array index value : N)
| Fill (e : N)
| Witness (left right : N).
Inductive signed_expression := Holds (e : N) | Fails (e : N).
Inductive inference :=
| AssertionStep (a : N)
| Definition_ (e clause : N)
| ChoiceStep (equality : N)
| ReadSameStep (equality indices : N)
| ReadOtherStep (equality indices : N)
| ReadFill (equality : N)
| SameElement (equality : N) (premises : list N)
| Extensionality (equality elements : N)
| Arithmetic (clause : list signed_expression) (r : refutation)
| Propagation (clause : list signed_expression) (hints : list N).
Record formula_constant := { constant_name : text; domain_of : domain }.
Record formula := {
  question : N; constants : list formula_constant; expressions : list expression; asserted : list N }.
Record formula_evidence := { formula_terms : list term; more_expressions : list expression; inferences : list inference }.
Record formula_certificate := {
  formula_limits : limits; formula_claim : claim; formula_origin : made_from; formula_of : formula; formula_shows : formula_evidence }.
