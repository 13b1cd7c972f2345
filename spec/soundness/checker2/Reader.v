(** Reads the primitive encodings: integers, lengths, strings, lists
    (spec/format.md#encoding).  A reading either gives a value and where it ends, or
    says at which byte it fails, and why. *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd.checker2 Require Import Reasons Certificates.
Import ListNotations.
Open Scope N_scope.

(** How many elements a list has.  (Those of the library are not tail-recursive,
    and a file may be long.) *)
Fixpoint counted {A} (l : list A) (so_far : N) : N := match l with [] => so_far | _ :: l => counted l (N.succ so_far) end.
Definition count {A} (l : list A) : N := counted l 0.
Definition reversed {A} (l : list A) : list A := rev_append l [].

(** Where reading stands: what is left and how much that is, where it begins in the
    file, and the table of terms as far as it has been read. *)
Record reader := { left : list N; left_count : N; offset_of : N; terms_known : known }.
Definition no_terms := {| atoms_known := 0; linears_known := 0; arrays_known := 0 |}.
Definition reader_of bytes offset k := {| left := bytes; left_count := count bytes; offset_of := offset; terms_known := k |}.

Definition reads A := reader -> answer (A * reader).
Definition pure {A} (a : A) : reads A := fun r => Fine (a, r).
Definition bind {A B} (d : reads A) (f : A -> reads B) : reads B := fun r => let! (a, r) := d r in f a r.
Definition apply {A B} (f : reads (A -> B)) (d : reads A) : reads B := bind f (fun f => bind d (fun a => pure (f a))).
Definition map {A B} (f : A -> B) (d : reads A) : reads B := apply (pure f) d.
Notation "'let?' x := d 'in' e" := (bind d (fun x => e)) (at level 200, x pattern, d at level 100, e at level 200).
Notation "f '<*>' d" := (apply f d) (at level 58, left associativity).

Definition where_it_is : reads N := fun r => Fine (offset_of r, r).
Definition malformed {A} (offset : N) (d : Defect.t) : answer A := Failed (Malformed offset d).
Definition refuse {A} (offset : N) (d : Defect.t) : reads A := fun _ => malformed offset d.

(** ** Bytes *)

Fixpoint split (n : nat) (bytes taken : list N) : list N * list N := match n, bytes with
  | S n, b :: bytes => split n bytes (b :: taken)
  | _, _ => (reversed taken, bytes) end.
Definition take (n : N) : reads (list N) := fun r =>
  if n <=? left_count r then
    let (taken, rest) := split (N.to_nat n) (left r) [] in
    Fine (taken, {| left := rest; left_count := left_count r - n; offset_of := offset_of r + n; terms_known := terms_known r |})
  else malformed (offset_of r) Defect.Truncated.

(** ** Integers *)

Definition byte : reads N := fun r => match left r with
  | b :: rest => Fine (b, {| left := rest; left_count := N.pred (left_count r); offset_of := N.succ (offset_of r); terms_known := terms_known r |})
  | [] => malformed (offset_of r) Defect.Truncated end.
Definition little_endian (bytes : list N) : N := fold_right (fun b n => b + 256 * n) 0 bytes.
Definition greatest_u32 : N := 2 ^ 32 - 1.
Definition greatest_u64 : N := 2 ^ 64 - 1.
Definition greatest_u128 : N := 2 ^ 128 - 1.

(** The longer forms: the first byte, how many bytes follow, and the least value
    that needs so many. *)
Definition longer (first : N) : option (N * N) :=
  if first =? 251 then Some (2, 251) else if first =? 252 then Some (4, 2 ^ 16)
  else if first =? 253 then Some (8, 2 ^ 32) else if first =? 254 then Some (16, 2 ^ 64) else None.
Definition unsigned (greatest : N) : reads N :=
  let? offset := where_it_is in
  let narrow n := if n <=? greatest then pure n else refuse offset Defect.Range in
  let? first := byte in
  if first <=? 250 then narrow first else match longer first with
  | None => refuse offset Defect.Integer
  | Some (bytes, least) =>
    let? taken := take bytes in
    let n := little_endian taken in
    if least <=? n then narrow n else refuse offset Defect.Integer end.
Definition u32 := unsigned greatest_u32.
Definition u64 := unsigned greatest_u64.

(** [2 n] stands for n, [2 n + 1] for -n - 1. *)
Definition signed_of (code : N) : Z := if N.even code then Z.of_N (code / 2) else (- Z.of_N (code / 2) - 1)%Z.
Definition signed (bits : Z) : reads Z :=
  let? offset := where_it_is in
  let? code := unsigned greatest_u128 in
  let z := signed_of code in
  if ((- 2 ^ (bits - 1) <=? z) && (z <? 2 ^ (bits - 1)))%Z then pure z else refuse offset Defect.Range.
Definition i64 := signed 64.
Definition i128 := signed 128.

(** ** Texts *)

Definition between (least greatest b : N) := (least <=? b) && (b <=? greatest).
Definition continues := between 128 191.
(** Well-formed byte sequences of Unicode, table 3-7. *)
Fixpoint is_utf8 (bytes : list N) : bool := match bytes with
  | [] => true
  | a :: bytes => if a <=? 127 then is_utf8 bytes else match bytes with
    | [] => false
    | b :: bytes => if between 194 223 a then continues b && is_utf8 bytes else match bytes with
      | [] => false
      | c :: bytes =>
        if between 224 239 a then
          (if a =? 224 then between 160 191 b else if a =? 237 then between 128 159 b else continues b) && continues c && is_utf8 bytes
        else match bytes with
        | [] => false
        | d :: bytes => between 240 244 a &&
          (if a =? 240 then between 144 191 b else if a =? 244 then between 128 143 b else continues b) && continues c && continues d && is_utf8 bytes
        end end end end.

Definition length_of : reads N :=
  let? offset := where_it_is in
  let? n := u64 in
  fun r => if n <=? left_count r then Fine (n, r) else malformed offset Defect.Length.
Definition text : reads (list N) :=
  let? n := length_of in
  let? offset := where_it_is in
  let? bytes := take n in
  if is_utf8 bytes then pure bytes else refuse offset Defect.Text.

(** ** Lists and variants *)

Fixpoint so_many {A} (n : nat) (d : reads A) (before : list A) (r : reader) : answer (list A * reader) := match n with
  | O => Fine (reversed before, r)
  | S n => let! (a, r) := d r in so_many n d (a :: before) r end.
(** A length is at most the number of bytes that are left. *)
Definition list_of {A} (d : reads A) : reads (list A) := let? n := length_of in so_many (N.to_nat n) d [].
(** As many values as the number says, without a length. *)
Definition exactly {A} (n : nat) (d : reads A) : reads (list A) := so_many n d [].

Fixpoint nth {A} (l : list A) (n : N) : option A := match l with
  | [] => None | a :: l => if n =? 0 then Some a else nth l (N.pred n) end.
Definition variant {A} (variants : list (reads A)) : reads A :=
  let? offset := where_it_is in
  let? n := u32 in
  match nth variants n with Some d => d | None => refuse offset Defect.Variant end.
Definition option_of {A} (d : reads A) : reads (option A) := variant [pure None; map Some d].
Definition pair_of {A B} (d : reads A) (e : reads B) : reads (A * B) := pure pair <*> d <*> e.

(** ** Terms *)

(** The number of a term that the table has. *)
Definition term_id (kind : known -> N) : reads N :=
  let? offset := where_it_is in
  let? n := u32 in
  fun r => if n <? kind (terms_known r) then Fine (n, r) else malformed offset Defect.Term.
(** Where a count ends, more entries are none that can be named. *)
Definition one_more (n : N) := N.min (N.succ n) greatest_u32.
Definition with_term (t : term) (k : known) : known := match t with
  | AtomTerm _ => {| atoms_known := one_more (atoms_known k); linears_known := one_more (linears_known k); arrays_known := arrays_known k |}
  | LinearTerm _ => {| atoms_known := atoms_known k; linears_known := one_more (linears_known k); arrays_known := arrays_known k |}
  | ArrayTerm _ => {| atoms_known := atoms_known k; linears_known := linears_known k; arrays_known := one_more (arrays_known k) |} end.
Definition add_term (t : term) : reads unit := fun r =>
  Fine (tt, {| left := left r; left_count := left_count r; offset_of := offset_of r; terms_known := with_term t (terms_known r) |}).

Definition ended : reads unit := fun r =>
  match left r with [] => Fine (tt, r) | _ :: _ => malformed (offset_of r) Defect.Trailing end.
