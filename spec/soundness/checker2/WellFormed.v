(** Which programs have a meaning (spec/format.md#well-formedness): the first condition
    that is violated, in the order of the tables there.  What stands in an instruction is
    a list of mentions, as in checker/src/flow.rs. *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader.
Import ListNotations.
Open Scope N_scope.

(** ** Tables *)

(** A list by position. *)
Record indexed A := { by_position : PositiveMap.t A; entries : N }.
Arguments by_position {A}. Arguments entries {A}.
Definition index_of {A} (l : list A) : indexed A :=
  let '(m, n) := fold_left (fun '(m, n) a => (PositiveMap.add (N.succ_pos n) a m, N.succ n)) l (PositiveMap.empty A, 0) in
  {| by_position := m; entries := n |}.
Definition at_position {A} (l : indexed A) (n : N) : option A := PositiveMap.find (N.succ_pos n) (by_position l).

(** A condition holds, or this one is violated. *)
Inductive checked A := Has (a : A) | Lacks (f : Fault.t).
Arguments Has {A}. Arguments Lacks {A}.
Definition andthen {A B} (x : checked A) (f : A -> checked B) : checked B := match x with Has a => f a | Lacks e => Lacks e end.
Notation "'let*' x := a 'in' b" := (andthen a (fun x => b)) (at level 200, x pattern, a at level 100, b at level 200).
Notation "a ;;; b" := (andthen a (fun _ => b)) (at level 199, right associativity).
Definition require (b : bool) (f : Fault.t) : checked unit := if b then Has tt else Lacks f.
Definition get {A} (l : indexed A) (n : N) (f : Fault.t) : checked A := match at_position l n with Some a => Has a | None => Lacks f end.
Fixpoint every {A} (check : A -> checked unit) (l : list A) : checked unit := match l with
  | [] => Has tt | a :: l => check a ;;; every check l end.

(** Every entry of a table. *)
Fixpoint each_from {A} (p : Part.t) (n : N) (check : A -> checked unit) (l : list A) : answer unit := match l with
  | [] => Fine tt
  | a :: l => match check a with Has _ => each_from p (N.succ n) check l | Lacks f => Failed (IllFormed p n f) end end.
Definition each {A} p (check : A -> checked unit) (l : list A) := each_from p 0 check l.

Definition is_pointer (t : type) : bool := match t with Pointer => true | IntegerType _ => false end.
Definition same_type (s t : type) : bool := match s, t with
  | Pointer, Pointer => true | IntegerType A, IntegerType B => integer_type_eqb A B | _, _ => false end.

(** ** Layouts and tables *)

(** The greatest size of an object, in bytes (C11 6.5.6p9: differences of pointers are [long]). *)
Definition greatest_size : N := 2 ^ 63 - 1.
Definition bytes_of (t : type) : N := match t with Pointer => 8 | IntegerType T => Z.to_N (width T) / 8 end.
Fixpoint check_fields (size behind : N) (fs : list field) : checked unit := match fs with
  | [] => Has tt
  | f :: fs =>
    require (behind <=? offset f) Fault.Fields ;;;
    let behind := offset f + bytes_of (field_type f) in
    require (behind <=? size) Fault.Fields ;;;
    check_fields size behind fs end.
Definition is_empty {A} (l : list A) : bool := match l with [] => true | _ => false end.
Definition check_layout (l : layout) : checked unit :=
  require ((0 <? element_size l) && negb (is_empty (fields l))) Fault.EmptyLayout ;;;
  require (element_size l <=? greatest_size) Fault.Size ;;;
  check_fields (element_size l) 0 (fields l).
Definition check_table (t : table) : checked unit := require (forallb (is_within (table_type t)) (values t)) Fault.Entry.

(** ** Mentions *)

(** What a register or a constant is, so that it may stand where it does. *)
Inductive needs :=
| Any | APointer | AnInteger
| Computed                  (** an integer of a type in which something is computed *)
| Of (T : integer_type)
| As (r : N)                (** an integer of the type of this register *)
| For (r : N).              (** an integer; where this register is a [_Bool], one as well *)
Inductive mention :=
| Reads (o : operand) (n : needs)
| Writes (r : N) (n : needs)
| Names (o : N) (may : origin -> bool)
| LeadsTo (l : N)
| GoesOn.

Definition is_node (o : origin) : bool := match o with Node _ => true | _ => false end.
Definition is_made (o : origin) : bool := match o with Heap | Node _ => true | _ => false end.
Definition is_local (o : origin) : bool := match o with Local _ => true | _ => false end.
Definition is_static (o : origin) : bool := match o with Static _ _ _ => true | _ => false end.
Definition is_named (o : origin) : bool := is_static o || is_local o.
Definition is_input (o : origin) : bool := match o with InputObject => true | _ => false end.

Definition pointer (r : N) : mention := Reads (Register r) APointer.
Definition pointer_side (o : pointer_operand) : list mention := match o with PointerRegister r => [pointer r] | NullPointer => [] end.
Definition compared (c : condition) : list mention := match c with
  | IntegersCompared _ l r => [Reads l AnInteger; Reads r AnInteger]
  | PointersCompared _ l r => pointer_side l ++ pointer_side r end.
(** The amount of a shift may be of any type. *)
Definition amount (op : operation) (target : N) : needs := match op with ShiftLeft | ShiftRight => AnInteger | _ => As target end.
Definition mentions (i : instruction) : list mention := match i with
  | Halt | Fail _ | Ignore => []
  | Jump t => [LeadsTo t]
  | Choose t o => [LeadsTo t; LeadsTo o]
  | Branch c t o => compared c ++ [LeadsTo t; LeadsTo o]
  | Assign t v => [GoesOn; Writes t AnInteger; Reads v (For t)]
  | Compute t op l r => [GoesOn; Writes t Computed; Reads l (As t); Reads r (amount op t)]
  | Havoc t => [GoesOn; Writes t AnInteger]
  | Uninitialise t => [GoesOn; Writes t Any]
  | SetNull t => [GoesOn; Writes t APointer]
  | Copy t s => [GoesOn; Writes t APointer; pointer s]
  | Address t o => [GoesOn; Writes t APointer; Names o is_named]
  | Advance t b i _ => [GoesOn; Writes t APointer; pointer b; Reads i AnInteger]
  | Distance t l r _ => [GoesOn; Writes t (Of I64); pointer l; pointer r]
  | Load t a _ => [GoesOn; pointer a; Writes t Any]
  | Store a _ s => [GoesOn; pointer a; Reads (Register s) Any]
  | Allocate t o b _ => [GoesOn; Writes t APointer; Reads b (Of U64); Names o is_made]
  | Free p => [GoesOn; pointer p]
  | Enter o | Leave o => [GoesOn; Names o is_local]
  | CheckLeaks rs => GoesOn :: List.map pointer rs end.
Definition defines (i : input) : list mention := match i with
  | IntegerInput r => [Writes r AnInteger]
  | ArrayInput p l o => [Writes p APointer; Names o is_input; Writes l AnInteger]
  | SingleInput p o => [Writes p APointer; Names o is_input]
  | LinkedInput p o => [Writes p APointer; Names o is_node] end.

(** The tables of a program, by position. *)
Record names := {
  registers_of : indexed register; layouts_of : indexed layout; objects_of : indexed object; tables_of : indexed table; locations : N }.
Definition names_of (P : program) : names := {|
  registers_of := index_of (registers P); layouts_of := index_of (layouts P); objects_of := index_of (objects P);
  tables_of := index_of (tables P); locations := count (instructions P) |}.

Section Names.
Variable E : names.

Definition register_of (r : N) : checked type := let* r := get (registers_of E) r Fault.Register in Has (register_type r).
Definition integer_of (r : N) : checked integer_type :=
  let* t := register_of r in match t with IntegerType T => Has T | Pointer => Lacks Fault.Integer end.
Definition object_at (o : N) : checked object := get (objects_of E) o Fault.Object.
Definition layout_at (l : N) : checked layout := get (layouts_of E) l Fault.Layout.
Definition comes_from (may : origin -> bool) (o : N) : checked unit :=
  let* o := object_at o in require (may (origin_of o)) Fault.Origin.
Definition check_location (l : N) : checked unit := require (l <? locations E) Fault.Location.

(** The one integer type that is needed, if it is one.  A [_Bool] is made of nothing
    else. *)
Definition wanted (n : needs) : checked (option integer_type) := match n with
  | Of T => Has (Some T)
  | As r => let* T := integer_of r in Has (Some T)
  | For r => let* T := integer_of r in Has (if integer_type_eqb T Bool then Some Bool else None)
  | Any | APointer | AnInteger | Computed => Has None end.
Definition check_constant (z : Z) (n : needs) : checked unit :=
  let* T := wanted n in
  require (match T with Some T => is_within T z | None => is_within I64 z || is_within U64 z end) Fault.Constant.
Definition check_integer (T : integer_type) (n : needs) : checked unit :=
  require (match n with Computed => negb (integer_type_eqb T Bool) | _ => true end) Fault.Bool ;;;
  let* w := wanted n in
  require (match w with Some W => integer_type_eqb W T | None => true end) Fault.Type_.
Definition check_register (r : N) (n : needs) : checked unit :=
  let* t := register_of r in
  match t, n with
  | _, Any | Pointer, APointer => Has tt
  | IntegerType _, APointer => Lacks Fault.Pointer
  | Pointer, _ => Lacks Fault.Integer
  | IntegerType T, _ => check_integer T n end.
Definition check_mention (m : mention) : checked unit := match m with
  | Reads (Number z) n => check_constant z n
  | Reads (Register r) n | Writes r n => check_register r n
  | Names o may => comes_from may o
  | LeadsTo l => check_location l
  | GoesOn => Has tt end.
Definition check_instruction (i : instruction) : checked unit := every check_mention (mentions i).

(** ** Objects *)

Definition is_integer_link (l : link) : bool := match l with Data | Range _ _ => true | _ => false end.
(** In sorts of a proof only: an input may hold any integers, and pointers of its own. *)
Definition is_of_proof (l : link) : bool := match l with Same | Range _ _ | Anything | Handed _ _ | Ring _ _ | Last_ _ => true | _ => false end.
(** A child's sort is a declaration of nodes, or one of so many of the proof. *)
Definition check_child (sorts s : N) : checked unit :=
  if entries (objects_of E) <=? s then require (s - entries (objects_of E) <? sorts) Fault.Sort else comes_from is_node s.
Definition is_ring (l : link) : bool := match l with Ring _ _ => true | _ => false end.
(** Of an input it is none of a proof; a pointer is handed on; a ring is inside the node,
    and a pointer to a last cell is of a ring. *)
Definition link_right (sorts : N) (l : layout) (ks : list link) (k : link) : bool := negb ((sorts =? 0) && is_of_proof k) && match k with
  | Handed _ (FromField f) => match nth ks f with Some k => negb (is_integer_link k) | None => false end
  | Ring _ b => b <? element_size l
  | Last_ f => match nth ks f with Some k => is_ring k | None => false end
  | _ => true end.
Definition check_link (sorts : N) (l : layout) (ks : list link) (k : link) (f : field) : checked unit :=
  require (Bool.eqb (is_integer_link k) (negb (is_pointer (field_type f)))) Fault.Links ;;;
  require (link_right sorts l ks k) Fault.Links ;;;
  match k with Child s | Handed s _ | Ring s _ => check_child sorts s | _ => Has tt end.
(** A link per field, of a sort where the proof has so many of its own, or of inputs where
    it has none. *)
Definition check_links (sorts : N) (l : layout) (ks : list link) : checked unit :=
  require (count ks =? count (fields l)) Fault.Links ;;;
  every (fun '(k, f) => check_link sorts l ks k f) (combine ks (fields l)).

Definition present (targets : list (option N)) : list N := flat_map (fun t => match t with Some o => [o] | None => [] end) targets.
Definition check_contents (elements : N) (c : contents) (f : field) : checked unit :=
  let fits t n := require (same_type (field_type f) t) Fault.ContentsType ;;; require (n =? elements) Fault.ContentsLength in
  match c with
  | Zeros => Has tt
  | FromTable t => let* t := get (tables_of E) t Fault.Table in fits (IntegerType (table_type t)) (count (values t))
  | Pointers targets => every (comes_from is_static) (present targets) ;;; fits Pointer (count targets) end.
Definition check_size (elements : N) (l : layout) : checked unit := require (elements * element_size l <=? greatest_size) Fault.Size.
Definition check_object (o : object) : checked unit :=
  let* l := layout_at (layout_of o) in
  match origin_of o with
  | Node ks => check_links 0 l ks
  | Local elements => check_size elements l
  | Static elements cs _ =>
    check_size elements l ;;;
    require (count cs =? count (fields l)) Fault.Contents ;;;
    every (fun '(c, f) => check_contents elements c f) (combine cs (fields l))
  | InputObject | Heap => Has tt end.

(** ** Inputs *)

(** Which registers and objects inputs have defined. *)
Notation numbers := (PositiveMap.t unit).
Definition is_new (s : numbers) (n : N) : bool := negb (PositiveMap.mem (N.succ_pos n) s).
Definition with_number (s : numbers) (n : N) : numbers := PositiveMap.add (N.succ_pos n) tt s.
Fixpoint add_all (s : numbers) (ns : list N) : option numbers := match ns with
  | [] => Some s | n :: ns => if is_new s n then add_all (with_number s n) ns else None end.
Definition written (m : mention) : list N := match m with Writes r _ => [r] | _ => [] end.
(** Any number of inputs are made of the nodes of one declaration. *)
Definition own_object (i : input) : list N := match i with
  | ArrayInput _ _ o | SingleInput _ o => [o] | IntegerInput _ | LinkedInput _ _ => [] end.
Definition holds_integers (o : N) : checked unit :=
  let* o := object_at o in
  let* l := layout_at (layout_of o) in
  require (forallb (fun f => negb (is_pointer (field_type f))) (fields l)) Fault.InputField.
Definition check_input (rs os : numbers) (i : input) : checked (numbers * numbers) :=
  every check_mention (defines i) ;;;
  (match i with ArrayInput _ _ o => holds_integers o | _ => Has tt end) ;;;
  match add_all rs (flat_map written (defines i)) with
  | None => Lacks Fault.InputRegister
  | Some rs => match add_all os (own_object i) with None => Lacks Fault.InputObject | Some os => Has (rs, os) end end.
Fixpoint check_inputs (n : N) (rs os : numbers) (is : list input) : answer unit := match is with
  | [] => Fine tt
  | i :: is => match check_input rs os i with
    | Has (rs, os) => check_inputs (N.succ n) rs os is
    | Lacks f => Failed (IllFormed Part.Input n f) end end.

(** ** Sorts *)

Definition is_same (l : link) : bool := match l with Same => true | _ => false end.
Fixpoint same_position (n : N) (ks : list link) : option N := match ks with
  | [] => None | k :: ks => if is_same k then Some n else same_position (N.succ n) ks end.
Definition same_of (ss : list (list link)) : option N := match ss with [] => None | ks :: _ => same_position 0 ks end.
(** The field, and no other, is [Same]. *)
Fixpoint is_one (same : option N) (n : N) (ks : list link) : bool := match ks with
  | [] => true
  | k :: ks => Bool.eqb (is_same k) (match same with Some s => s =? n | None => false end) && is_one same (N.succ n) ks end.
Definition check_shapes (sorts : N) (s : sort) : checked unit :=
  comes_from is_node (object_of s) ;;;
  let* o := object_at (object_of s) in
  let* l := layout_at (layout_of o) in
  require (forallb (is_one (same_of (shapes s)) 0) (shapes s)) Fault.Same ;;;
  every (check_links sorts l) (shapes s).

Section Sorts.
Variable of_proof : indexed sort.
Definition own (s : N) : option sort := if entries (objects_of E) <=? s then at_position of_proof (s - entries (objects_of E)) else None.
(** Declaration, root and shapes of a sort. *)
Definition nodes (s : N) : option (N * root * list (list link)) := match own s with
  | Some t => Some (object_of t, root_of t, shapes t)
  | None => match at_position (objects_of E) s with
    | Some {| origin_of := Node ks |} => Some (s, AnyRoot, [ks])
    | _ => None end end.
Definition same_source (s t : source) : bool := match s, t with
  | FromField f, FromField g => f =? g | FromAbove, FromAbove => true | _, _ => false end.
(** A link of the wider sort has all that this one has. *)
Definition link_within (wide k : link) : bool := match wide, k with
  | Data, Range _ _ => true
  | Range a b, Range c d => ((a <=? c) && (d <=? b))%Z
  | Child t, Child s => t =? match own s with Some {| within_sort := Some w |} => w | _ => s end
  | Data, Data | Up, Up | Other, Other | Null, Null | Same, Same | Anything, Anything => true
  | Handed s f, Handed t g => (s =? t) && same_source f g
  | Ring s b, Ring t d => (s =? t) && (b =? d)
  | Last_ f, Last_ g => f =? g
  | _, _ => false end.
Definition shape_within (wide ks : list link) : bool := forallb (fun '(w, k) => link_within w k) (combine wide ks).
Definition is_any (r : root) : bool := match r with AnyRoot | AnyAt _ => true | NodeRoot | NodeAt _ => false end.
(** To which byte of a node pointers to it lead. *)
Definition entrance (r : root) : N := match r with AnyRoot | NodeRoot => 0 | AnyAt b | NodeAt b => b end.
Definition check_within (s : sort) : checked unit := match within_sort s with
  | None => Has tt
  | Some w => match nodes w with
    | None => Lacks Fault.Sort
    | Some (d, r, ss) =>
      require ((d =? object_of s) && (entrance r =? entrance (root_of s)) && (is_any r || negb (is_any (root_of s)))
        && forallb (fun ks => existsb (fun wide => shape_within wide ks) ss) (shapes s)) Fault.Within end end.
End Sorts.
Definition check_sorts (ss : list sort) : answer unit :=
  let n := count ss in
  let of_proof := index_of ss in
  each Part.Sort (check_shapes n) ss ;; each Part.Sort (check_within of_proof) ss.

(** ** All of it *)

Fixpoint ascend_above (a : N) (l : list N) : bool := match l with [] => true | b :: l => (a <? b) && ascend_above b l end.
Definition ascend (l : list N) : bool := match l with [] => true | a :: l => ascend_above a l end.
Definition may_have_landmarks (c : claim) : bool := match c with Paths _ => true | _ => false end.
Definition check_landmarks (c : claim) (ls : list N) : answer unit :=
  each Part.Landmark check_location ls ;;
  ensure (ascend ls && (is_empty ls || may_have_landmarks c)) (IllFormed Part.Landmark (count ls) Fault.LandmarkOrder).
Definition sorts_of (e : evidence) : list sort := match e with OfProof p | OfPaths p _ => sorts p | OfRun _ => [] end.
Definition check_program (P : program) : answer unit :=
  each Part.Layout check_layout (layouts P) ;;
  each Part.Table check_table (tables P) ;;
  each Part.Object check_object (objects P) ;;
  check_inputs 0 (PositiveMap.empty unit) (PositiveMap.empty unit) (inputs P) ;;
  each Part.Instruction check_instruction (instructions P).
End Names.

Definition well_formed (c : certificate) : answer unit :=
  let s := statement_of c in
  let E := names_of (program_of s) in
  check_program E (program_of s) ;;
  check_sorts E (sorts_of (shows c)) ;;
  check_landmarks E (claimed s) (landmarks s).
