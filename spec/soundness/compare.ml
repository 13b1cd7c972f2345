(* Runs the extracted machine on the runs that it reads, one JSON object a line
   (tests/src/bin/machine-runs.rs), and says which come out differently.
   Usage: compare COUNT < RUNS.  Fails if there is a difference, or if the runs are not as many. *)
open Machine

(* JSON, as far as it is written here.  Numbers stay text: they may be longer
   than an OCaml int. *)
type json = Nothing | Truth of bool | Text of string | Figure of string | List of json list | Record of (string * json) list

exception Malformed of string

let parse line =
  let at = ref 0 in
  let peek () = if !at < String.length line then line.[!at] else '\000' in
  let expect c = if peek () = c then incr at else raise (Malformed (Printf.sprintf "%c expected at %d" c !at)) in
  let word w value = String.iter expect w; value in
  let text () =
    expect '"';
    let buffer = Buffer.create 16 in
    while peek () <> '"' do
      if peek () = '\000' || peek () = '\\' then raise (Malformed "text");
      Buffer.add_char buffer (peek ()); incr at
    done;
    expect '"'; Buffer.contents buffer in
  let rec items close item =
    if peek () = close then (incr at; []) else
    let first = item () in
    if peek () = ',' then incr at else if peek () <> close then raise (Malformed "list");
    first :: items close item in
  let rec value () = match peek () with
    | '{' -> incr at; Record (items '}' (fun () -> let name = text () in expect ':'; (name, value ())))
    | '[' -> incr at; List (items ']' value)
    | '"' -> Text (text ())
    | 'n' -> word "null" Nothing
    | 't' -> word "true" (Truth true)
    | 'f' -> word "false" (Truth false)
    | _ ->
      let start = !at in
      while (match peek () with '0' .. '9' | '-' -> true | _ -> false) do incr at done;
      if !at = start then raise (Malformed (Printf.sprintf "value at %d" start));
      Figure (String.sub line start (!at - start)) in
  value ()

(* Numbers of the extracted machine. *)
let rec nat i = if i <= 0 then O else S (nat (i - 1))
let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n
let rec positive i = if i = 1 then XH else if i land 1 = 0 then XO (positive (i lsr 1)) else XI (positive (i lsr 1))
let z i = if i = 0 then Z0 else if i > 0 then Zpos (positive i) else Zneg (positive (-i))
let z_of_text t =
  let is_negative = t.[0] = '-' in
  let digits = if is_negative then String.sub t 1 (String.length t - 1) else t in
  let size = ref Z0 in
  String.iter (fun c -> size := Z.add (Z.mul !size (z 10)) (z (Char.code c - 48))) digits;
  if is_negative then Z.opp !size else !size
(* The digits of a sum of powers of two, least first. *)
let text_of_positive p =
  let rec double carry = function
    | [] -> if carry = 0 then [] else [carry]
    | d :: l -> let d = 2 * d + carry in (d mod 10) :: double (d / 10) l in
  let rec digits = function XH -> [1] | XO p -> double 0 (digits p) | XI p -> double 1 (digits p) in
  String.concat "" (List.rev_map string_of_int (digits p))
let text_of_z = function Z0 -> "0" | Zpos p -> text_of_positive p | Zneg p -> "-" ^ text_of_positive p

(* Programs, as serde writes them. *)
let malformed what = raise (Malformed what)
let figure = function Figure t -> z_of_text t | _ -> malformed "number"
let id = function Figure t -> nat (int_of_string t) | _ -> malformed "position"
let list f = function List l -> List.map f l | _ -> malformed "list"
let get name = function
  | Record l -> (try List.assoc name l with Not_found -> malformed name) | _ -> malformed name
let variant = function
  | Text name -> (name, Nothing) | Record [ (name, body) ] -> (name, body) | _ -> malformed "variant"

let integer_type = function
  | Text "Bool" -> Bool | Text "I8" -> I8 | Text "U8" -> U8 | Text "I16" -> I16 | Text "U16" -> U16
  | Text "I32" -> I32 | Text "U32" -> U32 | Text "I64" -> I64 | Text "U64" -> U64 | _ -> malformed "type"
let kind j = match variant j with
  | "Integer", t -> IntegerType (integer_type t) | "Pointer", _ -> PointerType | _ -> malformed "kind"
let layout j = {
  element_size = figure (get "size" j);
  layout_fields = list (fun f -> { offset = figure (get "offset" f); holds = kind (get "kind" f) }) (get "fields" j) }
let contents j = match variant j with
  | "Zero", _ -> Zeros
  | "Table", t -> FromTable (id t)
  | "Pointers", l -> Pointers (list (function Nothing -> None | o -> Some (id o)) l)
  | _ -> malformed "contents"
let link j = match variant j with
  | "Data", _ -> Data | "Child", s -> Child (id s) | "Up", _ -> Up | "Other", _ -> Other
  | "Null", _ -> Null | _ -> malformed "link"
let origin j = match variant j with
  | "Input", _ -> Input
  | "Static", b ->
    let access = match get "access" b with Text "ReadOnly" -> ReadOnly | _ -> ReadWrite in
    Static (figure (get "count" b), list contents (get "contents" b), access)
  | "Local", b -> Local (figure (get "count" b))
  | "Heap", _ -> Heap
  | "Node", b -> LinkedNode (list link (get "links" b))
  | _ -> malformed "origin"
let input j = match variant j with
  | "Integer", b -> IntegerInput (id (get "register" b))
  | "Array", b -> ArrayInput (id (get "pointer" b), id (get "length" b), id (get "object" b))
  | "Single", b -> SingleInput (id (get "pointer" b), id (get "object" b))
  | "Linked", b -> LinkedInput (id (get "pointer" b), id (get "object" b))
  | _ -> malformed "input"
let operand j = match variant j with
  | "Register", r -> Register (id r) | "Constant", c -> Number (figure c) | _ -> malformed "operand"
let pointer_operand j = match variant j with
  | "Register", r -> PointerRegister (id r) | "Null", _ -> NullPointer | _ -> malformed "operand"
let relation = function
  | Text "Equal" -> IsEqual | Text "Less" -> IsLess | Text "LessOrEqual" -> IsLessOrEqual | _ -> malformed "relation"
let condition j = match variant j with
  | "Integers", b -> Integers (relation (get "relation" b), operand (get "left" b), operand (get "right" b))
  | "Pointers", b ->
    PointersCompared (relation (get "relation" b), pointer_operand (get "left" b), pointer_operand (get "right" b))
  | _ -> malformed "condition"
let operation = function
  | Text "Add" -> Add | Text "Subtract" -> Subtract | Text "Multiply" -> Multiply | Text "Divide" -> Divide
  | Text "Remainder" -> Remainder | Text "And" -> And | Text "Or" -> Or | Text "Xor" -> Xor
  | Text "ShiftLeft" -> ShiftLeft | Text "ShiftRight" -> ShiftRight | _ -> malformed "operation"
let instruction j =
  let name, b = variant j in
  let id_of field = id (get field b) in
  match name with
  | "Jump" -> Jump (id_of "target")
  | "Branch" -> Branch (condition (get "condition" b), id_of "then", id_of "otherwise")
  | "Choose" -> Choose (id_of "then", id_of "otherwise")
  | "Halt" -> Halt
  | "Fail" -> Fail
  | "Ignore" -> Ignore
  | "Assign" -> Assign (id_of "target", operand (get "value" b))
  | "Compute" -> Compute (id_of "target", operation (get "operation" b), operand (get "left" b), operand (get "right" b))
  | "Havoc" -> Havoc (id_of "target")
  | "Uninitialise" -> Uninitialise (id_of "target")
  | "Null" -> SetNull (id_of "target")
  | "Copy" -> Copy (id_of "target", id_of "source")
  | "Address" -> Address (id_of "target", id_of "object")
  | "Advance" -> Advance (id_of "target", id_of "base", operand (get "index" b), figure (get "scale" b))
  | "Distance" -> Distance (id_of "target", id_of "left", id_of "right", figure (get "scale" b))
  | "Load" -> Load (id_of "target", id_of "address", figure (get "offset" b))
  | "Store" -> Store (id_of "address", figure (get "offset" b), id_of "source")
  | "Allocate" ->
    let fresh = match get "fresh" b with Text "Zero" -> Zero | _ -> Arbitrary in
    Allocate (id_of "target", id_of "object", operand (get "bytes" b), fresh)
  | "Free" -> Free (id_of "pointer")
  | "Enter" -> Enter (id_of "object")
  | "Leave" -> Leave (id_of "object")
  | "CheckLeaks" -> CheckLeaks (list id (get "roots" b))
  | name -> malformed name
let program j = {
  registers = list (fun r -> kind (get "kind" r)) (get "registers" j);
  layouts = list layout (get "layouts" j);
  objects = list (fun o -> { layout_of = id (get "layout" o); origin_of = origin (get "origin" o) }) (get "objects" j);
  tables = list (fun t -> { table_type = integer_type (get "kind" t); values = list figure (get "values" t) }) (get "tables" j);
  inputs = list input (get "inputs" j);
  instructions = list instruction (get "instructions" j) }
let parameters j = {
  on_overflow = (match get "signed_overflow" j with Text "Fails" -> OverflowFails | _ -> Wraps);
  formation = (match get "pointer_formation" j with Text "InsideObject" -> InsideObject | _ -> Anywhere);
  allocating = (match get "allocation" j with Text "MayFail" -> MayFail | _ -> Succeeds) }

(* A linked input is written as its nodes in preorder, with an entry for each
   NULL; the declarations say how many children each has. *)
let linked program declaration entries =
  let rest = ref entries in
  let rec tree d = match !rest with
    | [] -> malformed "tree"
    | Nothing :: tail -> rest := tail; NoNode
    | row :: tail ->
      rest := tail;
      let integers = list figure row in
      let sorts = List.filter_map (function Child s -> Some s | _ -> None) (links_of program d) in
      let children = List.fold_left (fun found s -> tree s :: found) [] sorts in
      LinkedTo (integers, List.rev children) in
  let t = tree declaration in
  if !rest <> [] then malformed "tree" else t
let input_value program input j = match variant j, input with
  | ("Integer", v), _ -> IntegerValue (figure v)
  | ("Array", rows), _ -> ArrayValue (list (list figure) rows)
  | ("Single", Nothing), _ -> SingleValue None
  | ("Single", row), _ -> SingleValue (Some (list figure row))
  | ("Linked", List entries), LinkedInput (_, d) -> LinkedValue (linked program d entries)
  | _ -> malformed "input"

(* How the interpreter tells the same. *)
let shown = function
  | Uninitialised -> "-"
  | Integer v -> text_of_z v
  | Null0 -> "null"
  | Pointer p -> Printf.sprintf "%d[%s]+%s" (int_of_nat p.target) (text_of_z p.index) (text_of_z p.byte)
let name_of_failure = function
  | ProgramFailed -> "Program" | NullAccess -> "NullAccess" | OutOfBounds -> "OutOfBounds" | DeadObject -> "DeadObject"
  | UninitialisedUse -> "Uninitialised" | DivisionByZero -> "DivisionByZero" | DivisionOverflow -> "DivisionOverflow"
  | ShiftAmount -> "ShiftAmount" | SignedOverflow -> "SignedOverflow" | PointerFormation -> "PointerFormation"
  | PointerComparison -> "PointerComparison" | PointerDifference -> "PointerDifference" | InvalidFree -> "InvalidFree"
  | ReadOnlyWrite -> "ReadOnly" | Leak -> "Leak"
let name_of_final = function
  | Ended Halted -> "Halted" | Ended Ignored -> "Ignored" | Ended (Failed f) -> name_of_failure f
  | Ended Unsupported -> "Unsupported" | Unanswered -> "Unanswered" | StepLimit -> "StepLimit"
let elements_shown = 4
let shown_object (o : object0) =
  let count = Z.sub o.upper o.lower in
  let least = match Z.compare count (z elements_shown) with Lt -> count | _ -> z elements_shown in
  let rec rows i = if Z.eqb i least then [] else List.map (fun c -> shown (read c i)) o.fields_of @ rows (Z.add i (z 1)) in
  String.concat " " ((match o.alive with Live -> "; live" | Dead -> "; dead") :: text_of_z count :: rows Z0)
let shown_result r =
  let s = r.last_state in
  Printf.sprintf "%s at %d after %d: %s%s" (name_of_final r.how) (int_of_nat s.location) (int_of_nat r.steps)
    (String.concat " " (List.map shown s.values0)) (String.concat "" (List.map shown_object s.memory))

let run line =
  let j = parse line in
  let p = program (get "program" j) in
  let values = match get "inputs" j with
    | List values -> List.map2 (input_value p) p.inputs values | _ -> malformed "inputs" in
  let expected = match get "result" j with Text t -> t | _ -> malformed "result" in
  match replay p (parameters (get "parameters" j)) values (list figure (get "choices" j)) (list figure (get "comparisons" j))
          (id (get "limit" j)) with
  | None -> ("invalid input", expected)
  | Some r when r.unused <> [] -> ("choices left over: " ^ shown_result r, expected)
  | Some r -> (shown_result r, expected)

let () =
  let announced = match Sys.argv with
    | [| _; count |] -> int_of_string count | _ -> prerr_endline "usage: compare COUNT < RUNS"; exit 3 in
  let count = ref 0 and wrong = ref 0 and endings = Hashtbl.create 20 in
  (try
     while true do
       let line = input_line stdin in
       incr count;
       let found, expected = try run line with Malformed what -> ("malformed: " ^ what, "a run") in
       let ending = List.hd (String.split_on_char ' ' expected) in
       Hashtbl.replace endings ending (1 + try Hashtbl.find endings ending with Not_found -> 0);
       if found <> expected then begin
         incr wrong;
         if !wrong <= 5 then Printf.printf "run %d\n  interpreter %s\n  machine     %s\n" !count expected found
       end
     done
   with End_of_file -> ());
  Printf.printf "%d runs, %d different\n" !count !wrong;
  List.iter (fun (ending, n) -> Printf.printf "  %6d %s\n" n ending)
    (List.sort compare (Hashtbl.fold (fun ending n l -> (ending, n) :: l) endings []));
  if !wrong > 0 || !count <> announced then exit 1
