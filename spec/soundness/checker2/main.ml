(* The second checker on files, or beside the kernel.
   Usage: second-check FILE...          says of each file what it is; - is standard input
          second-check --beside        reads cases and what the kernel says of each (tests/src/bin/kernel-verdicts.rs)
   Ends with 1 if a file is rejected or the two disagree, with 2 if one is declined. *)
open Checker

(* Numbers. *)
let rec positive i = if i = 1 then XH else if i land 1 = 0 then XO (positive (i lsr 1)) else XI (positive (i lsr 1))
let n i = if i = 0 then N0 else Npos (positive i)
let rec int64_of_positive = function
  | XH -> 1L | XO p -> Int64.shift_left (int64_of_positive p) 1 | XI p -> Int64.succ (Int64.shift_left (int64_of_positive p) 1)
(* No number that is written is above 2^64 - 1. *)
let text_of = function N0 -> "0" | Npos p -> Printf.sprintf "%Lu" (int64_of_positive p)
let int_of = function N0 -> 0 | Npos p -> Int64.to_int (int64_of_positive p)

(* Bytes: all that are equal are one value. *)
let values = Array.init 256 n
let list_of_bytes bytes = List.init (Bytes.length bytes) (fun i -> values.(Bytes.get_uint8 bytes i))
let bytes_of_list l =
  let buffer = Buffer.create 1024 in
  List.iter (fun b -> Buffer.add_uint8 buffer (int_of b)) l;
  Buffer.to_bytes buffer
let hash l = list_of_bytes (Sha256.digest (bytes_of_list l))

(* Reasons, under the names of certificates/src/rejection.rs. *)
let defect : Defect.t -> string = function
  | Magic -> "Magic" | Truncated -> "Truncated" | Trailer -> "Trailer" | StatementDigest -> "StatementDigest"
  | Integer -> "Integer" | Range -> "Range" | Length -> "Length" | Text -> "Text" | Variant -> "Variant"
  | Trailing -> "Trailing" | Term -> "Term"
let fault : Fault.t -> string = function
  | EmptyLayout -> "EmptyLayout" | Fields -> "Fields" | Entry -> "Entry" | Layout -> "Layout" | Size -> "Size"
  | Contents -> "Contents" | ContentsType -> "ContentsType" | ContentsLength -> "ContentsLength" | Table -> "Table"
  | Object -> "Object" | Origin -> "Origin" | Register -> "Register" | Integer -> "Integer" | Pointer -> "Pointer"
  | Type_ -> "Type" | Constant -> "Constant" | Bool -> "Bool" | InputRegister -> "InputRegister" | InputObject -> "InputObject"
  | InputField -> "InputField" | Links -> "Links" | Same -> "Same" | Location -> "Location" | Sort -> "Sort"
  | Within -> "Within" | LandmarkOrder -> "LandmarkOrder" | Domain -> "Domain"
let part : Part.t -> string = function
  | Layout -> "Layout" | Table -> "Table" | Object -> "Object" | Input -> "Input" | Instruction -> "Instruction"
  | Landmark -> "Landmark" | Lemma -> "Lemma" | Sort -> "Sort" | Expression -> "Expression" | Assertion -> "Assertion"
let unsupported : Unsupported.t -> string = function
  | Access -> "Access" | Advance -> "Advance" | Distance -> "Distance" | NodeArray -> "NodeArray"
  | PointerArray -> "PointerArray" | Unbounded -> "Unbounded"
let rejection : Rejection.t -> string = function
  | Overflow -> "Overflow" | Term -> "Term" | Variable_ -> "Variable" | Missing -> "Missing"
  | Unsupported u -> Printf.sprintf "Unsupported(%s)" (unsupported u)
  | Forgotten -> "Forgotten" | Folded -> "Folded" | Primary -> "Primary" | AtEnd -> "AtEnd" | Outcomes -> "Outcomes"
  | Ignorance -> "Ignorance" | Choice -> "Choice" | NotRefuted -> "NotRefuted" | Deduction -> "Deduction" | Hints -> "Hints"
  | EntryTerms -> "EntryTerms" | NotSmaller -> "NotSmaller" | Drop -> "Drop" | Shape -> "Shape" | Slot -> "Slot"
  | NotRead -> "NotRead" | Progress -> "Progress" | Substitution -> "Substitution" | NotFailed -> "NotFailed"
  | NotTwin -> "NotTwin" | NotEnded -> "NotEnded" | Leak -> "Leak" | Open -> "Open" | Root -> "Root" | Claim -> "Claim" | Run -> "Run"
  | Rule -> "Rule" | VertexCount -> "VertexCount" | VertexOrder -> "VertexOrder" | VertexLocation -> "VertexLocation"
  | EndLost -> "EndLost" | SourceLost -> "SourceLost" | Nondeterministic -> "Nondeterministic" | CoverOrder -> "CoverOrder"
  | NotCovered -> "NotCovered" | NotAccepting -> "NotAccepting" | NotATree -> "NotATree" | NotInitial -> "NotInitial" | NotRelated -> "NotRelated"
  | NotBad -> "NotBad" | Domain -> "IllFormed(Domain)"
let where : Where.t -> string = function
  | Evidence -> "Evidence" | Run -> "Run"
  | Term n -> Printf.sprintf "Term(%s)" (text_of n)
  | Template n -> Printf.sprintf "Template(%s)" (text_of n)
  | Inclusion n -> Printf.sprintf "Inclusion(%s)" (text_of n)
  | Step n -> Printf.sprintf "Step(%s)" (text_of n)
  | Witness n -> Printf.sprintf "Witness(%s)" (text_of n)
  | Root (c, r) -> Printf.sprintf "Root { class: %s, rule: %s }" (text_of c) (text_of r)
  | Derivation (t, r) -> Printf.sprintf "Derivation { template: %s, rule: %s }" (text_of t) (text_of r)
let declined : Declined.t -> string = function
  | Version found -> "Version " ^ text_of found
  | Limit (declared, allowed) -> Printf.sprintf "Limit %s %s" (text_of declared) (text_of allowed)
  | WorkLimit (declared, allowed) -> Printf.sprintf "WorkLimit %s %s" (text_of declared) (text_of allowed)
  | Memory limit -> "Memory " ^ text_of limit
let failure = function
  | Declined d -> "declined " ^ declined d
  | Malformed (offset, d) -> Printf.sprintf "rejected Byte(%s) Malformed(%s)" (text_of offset) (defect d)
  | IllFormed (p, entry, f) -> Printf.sprintf "rejected Entry(%s, %s) IllFormed(%s)" (part p) (text_of entry) (fault f)
  | MissingEntry (p, entry) -> Printf.sprintf "rejected Entry(%s, %s) Missing" (part p) (text_of entry)
  | Violated (w, r) -> Printf.sprintf "rejected %s %s" (where w) (rejection r)
let claim = function
  | Safe -> "Safe" | Unsafe -> "Unsafe" | Invariant -> "Invariant" | Unsatisfiable -> "Unsatisfiable"
  | Paths Complete -> "Paths(Complete)" | Paths Anywhere -> "Paths(Anywhere)"
let verdict = function Accepted c -> "accepted " ^ claim c | Rejected f -> failure f

let limits_of memory work = { memory = n memory; work = n work }
let check_bytes limits bytes = check hash limits (list_of_bytes bytes)

(* Files; "-" is standard input. *)
let bytes_of_channel channel =
  let buffer = Buffer.create 65536 and chunk = Bytes.create 65536 in
  let rec read () =
    match input channel chunk 0 (Bytes.length chunk) with
    | 0 -> Buffer.to_bytes buffer
    | length -> Buffer.add_subbytes buffer chunk 0 length; read ()
  in
  read ()
let bytes_of_file path =
  if path = "-" then begin
    set_binary_mode_in stdin true;
    bytes_of_channel stdin
  end
  else
    let channel = open_in_bin path in
    Fun.protect ~finally:(fun () -> close_in channel) (fun () -> bytes_of_channel channel)
let status = function Accepted _ -> 0 | Rejected (Declined _) -> 2 | Rejected _ -> 1
let check_file worst path =
  let answer = check_bytes (limits_of max_int max_int) (bytes_of_file path) in
  Printf.printf "%s: %s\n" path (verdict answer);
  if worst = 1 || status answer = 1 then 1 else max worst (status answer)

(* Beside the kernel. *)
let starts_with prefix text = String.length text >= String.length prefix && String.sub text 0 (String.length prefix) = prefix
(* Memory and work are each checker's own count; what one declines the other may say anything about. *)
let is_own_count kernel = starts_with "declined Memory" kernel || starts_with "declined Work " kernel
let agree answer kernel = is_own_count kernel || verdict answer = kernel

let bytes_of_hex hex = Bytes.init (String.length hex / 2) (fun i -> Char.chr (int_of_string ("0x" ^ String.sub hex (2 * i) 2)))
(* What cases are counted by: the condition, without its place. *)
let kind_of answer = match answer with
  | Rejected (Malformed (_, d)) -> "Malformed " ^ defect d
  | Rejected (IllFormed (p, _, f)) -> Printf.sprintf "IllFormed %s %s" (part p) (fault f)
  | Rejected (MissingEntry (p, _)) -> "Missing " ^ part p
  | Rejected (Declined d) -> "declined " ^ List.hd (String.split_on_char ' ' (declined d))
  | Rejected (Violated (_, r)) -> rejection r
  | Accepted _ -> verdict answer

let compare_all () =
  let limits, count = Scanf.sscanf (input_line stdin) "allowed %d %d cases %d" (fun m w count -> (limits_of m w, count)) in
  let counts = Hashtbl.create 64 and wrong = ref 0 and seen = ref 0 in
  (try
     while true do
       match String.split_on_char '\t' (input_line stdin) with
       | [ name; kernel; hex ] ->
         incr seen;
         let answer = check_bytes limits (bytes_of_hex hex) in
         let kind = kind_of answer in
         Hashtbl.replace counts kind (1 + Option.value ~default:0 (Hashtbl.find_opt counts kind));
         if not (agree answer kernel) then begin
           incr wrong;
           Printf.printf "%s: the kernel says %s; the second checker %s; %s\n" name kernel (verdict answer) hex
         end
       | _ -> failwith "a case has a name, a verdict and bytes, with tabs between"
     done
   with End_of_file -> ());
  List.iter (fun (kind, count) -> Printf.printf "%8d  %s\n" count kind) (List.sort compare (List.of_seq (Hashtbl.to_seq counts)));
  Printf.printf "%d cases, %d differences\n" !seen !wrong;
  if !wrong > 0 || !seen <> count then 1 else 0

let usage () =
  prerr_endline "usage: second-check FILE... (- is standard input)\n       second-check --beside < CASES";
  exit 3
let () =
  match List.tl (Array.to_list Sys.argv) with
  | [ "--beside" ] -> exit (compare_all ())
  | [] -> usage ()
  | files -> (
    try exit (List.fold_left check_file 0 files)
    with Sys_error message -> prerr_endline message; exit 3)
