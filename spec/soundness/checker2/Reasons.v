(** Why a certificate is not accepted (spec/format.md#errors): its places, defects of
    bytes and faults of programs, under the names of certificates/src/rejection.rs.
    Reasons of rules come with the rules. *)
From Coq Require Import List NArith.
Import ListNotations.

(** What is wrong with bytes. *)
Module Defect.
Inductive t := Magic | Truncated | Trailer | StatementDigest | Integer | Range | Length | Text | Variant | Trailing | Term.
End Defect.

(** A condition of well-formedness. *)
Module Fault.
Inductive t :=
| EmptyLayout | Fields | Entry | Layout | Size | Contents | ContentsType | ContentsLength | Table | Object | Origin
| Register | Integer | Pointer | Type_ | Constant | Bool | InputRegister | InputObject | InputField | Links | Same
| Location | Sort | Within | LandmarkOrder | Domain.
End Fault.

(** A table of a statement, or of evidence. *)
Module Part.
Inductive t := Layout | Table | Object | Input | Instruction | Landmark | Lemma | Sort | Expression | Assertion.
End Part.

(** Limits that a caller sets; numbers are what the file has, and what is allowed. *)
Module Declined.
Inductive t :=
| Version (found : N)
| Limit (declared allowed : N)
| WorkLimit (declared allowed : N)
| Memory (limit : N).
End Declined.

(** A violated side condition of a rule, a deduction, a term or a template. *)
Module Unsupported.
Inductive t := Access | Advance | Distance | NodeArray | PointerArray | Unbounded.
End Unsupported.
Module Rejection.
Inductive t :=
| Overflow | Term | Variable_ | Missing | Unsupported (u : Unsupported.t) | Forgotten | Folded | Primary | AtEnd | Outcomes | Ignorance
| Choice | NotRefuted | Deduction | Hints | EntryTerms | NotSmaller | Drop | Shape | Slot | NotRead | Progress | Substitution | NotFailed
| NotTwin | NotEnded | Leak | Open | Root | Claim | Run | Rule | VertexCount | VertexOrder | VertexLocation | EndLost | SourceLost
| Nondeterministic | CoverOrder | NotCovered | NotAccepting | NotATree | NotInitial | NotRelated | NotBad | Domain.
End Rejection.

(** Places of evidence; that of a rule is [no_rule] behind the last one. *)
Module Where.
Inductive t := Evidence | Term (n : N) | Template (n : N) | Root (class rule : N) | Derivation (template rule : N) | Run | Witness (n : N) | Inclusion (n : N) | Step (n : N).
End Where.
Definition no_rule : N := (2 ^ 32 - 1)%N.

Inductive failure :=
| Declined (d : Declined.t)
| Malformed (offset : N) (d : Defect.t)
| IllFormed (p : Part.t) (entry : N) (f : Fault.t)
| MissingEntry (p : Part.t) (entry : N)
| Violated (w : Where.t) (r : Rejection.t).

(** A value, or why there is none. *)
Inductive answer (A : Type) := Fine (a : A) | Failed (f : failure).
Arguments Fine {A}. Arguments Failed {A}.

Definition ensure (condition : bool) (f : failure) : answer unit := if condition then Fine tt else Failed f.
Definition then_ {A B} (x : answer A) (f : A -> answer B) : answer B := match x with Fine a => f a | Failed e => Failed e end.
Notation "'let!' x := a 'in' b" := (then_ a (fun x => b)) (at level 200, x pattern, a at level 100, b at level 200).
Notation "a ;; b" := (then_ a (fun _ => b)) (at level 199, right associativity).
