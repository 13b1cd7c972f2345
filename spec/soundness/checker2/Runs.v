(** Ground runs: one concrete execution, by the same lists of outcomes on constant terms
    (spec/calculus.md#unsafe, spec/numbering.md#runs). *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Stepping Folds Rules.
Import ListNotations.
Open Scope N_scope.

(** The greatest number of elements that have cells, and of steps. *)
Definition most_cells : N := 256.
Definition most_steps : N := 1000000.

Section Run.
Variable E : setting.

Definition no_choices_left env : bool := match env with FromRun [] => true | _ => false end.
Definition is_exact (o : outcome) : bool := match tag_of o with Exact => true | _ => false end.
(** Which of several outcomes is chosen: of [Allocate] 1 is the first, an object, and 0 the
    last, NULL; of [Choose] 0 is the first. *)
Definition chosen_way (i : instruction) (z : Z) : option N := match i with
  | Allocate _ _ _ _ => if (z =? 1)%Z then Some 0 else if (z =? 0)%Z then Some 1 else None
  | Choose _ _ => if (z =? 0)%Z then Some 0 else if (z =? 1)%Z then Some 1 else None
  | _ => None end.
Definition execute c (cs : list Z) (i : instruction) : computes (configuration * list Z) :=
  let$ m := member_at c 0 in
  let$ os := outcomes E m in
  let$ os := not_excluded os in
  demand (forallb (fun '(_, o) => is_exact o) os) Rejection.Ignorance >>
  let$ (n, cs) := if 1 <? count os then match cs with
      | z :: cs => let$ n := some (chosen_way i z) Rejection.Choice in ret (n, cs)
      | [] => refuses Rejection.Choice end
    else ret (0, cs) in
  let$ (_, o) := some (nth os n) Rejection.Choice in
  let$ (c, env) := perform E c (FromRun cs) 0 (effect_of o) in
  ret (c, match env with FromRun cs => cs | _ => [] end).

(** ** Inputs *)

(** Nodes in preorder, the children of each in the order of its fields; [open] are the
    parts that are still to be said. *)
Fixpoint set_nodes c (open : list N) (ns : list (option (list Z))) : computes configuration := match ns with
  | [] => demand (is_empty open) Rejection.Run >> ret c
  | n :: ns => match open with
    | [] => refuses Rejection.Run
    | f :: open =>
      let$ m := member_at c 0 in
      match n with
      | None => let$ m := close_part m f in set_nodes (set_member c 0 m) open ns
      | Some data =>
        let$ p := part_at m f in
        let$ shape := some (find (symbols c) (symbol p)) Rejection.Missing in
        let$ (d, r, ss) := nodes_of E match shape with Tree s | Segment s => s end in
        match ss with
        | [ks] =>
          let$ (xs, c, env) := contents_of_node E c (FromRun data) d ks None in
          demand (no_choices_left env) Rejection.Run >>
          let$ m := member_at c 0 in
          let$ (fs, m) := open_part m f d (entrance r) xs None in
          set_nodes (set_member c 0 m) (fs ++ open) ns
        | _ => refuses Rejection.Run end end end end.
Definition set_linked c (i : input) p (ns : list (option (list Z))) : computes configuration :=
  let$ zero := constant_term 0 in
  let$ (c, _) := set_input E c AnyValue i zero in
  let$ m := member_at c 0 in
  let$ v := register_slot m p in
  match v with Folded f => set_nodes c [f] ns | _ => refuses Rejection.Missing end.
(** As many values per element as there are integer fields. *)
Definition set_elements c (i : input) (es : list (list Z)) : computes configuration :=
  let$ n := constant_term (Z.of_N (count es)) in
  let$ (c, env) := set_input E c (FromElements es 0) i n in
  demand match env with FromElements _ set => forallb (fun e => count e =? set) es | _ => false end Rejection.Run >>
  ret c.
Definition set_value c (x : input * input_value) : computes configuration := match x with
  | (IntegerInput _ as i, IntegerValue z) => let$ zero := constant_term 0 in let$ (c, _) := set_input E c (FromRun [z]) i zero in ret c
  | (ArrayInput _ l o as i, ArrayValue es) =>
    let$ most := greatest_count E o in
    let$ T := integer_kind E l in
    demand ((Z.of_N (count es) <=? most)%Z && is_within T (Z.of_N (count es))) Rejection.Run >>
    set_elements c i es
  | (SingleInput _ _ as i, SingleValue e) => set_elements c i match e with Some e => [e] | None => [] end
  | (LinkedInput p _ as i, LinkedValue ns) => set_linked c i p ns
  | _ => refuses Rejection.Run end.

(** ** All steps *)

Definition is_halt (i : instruction) : bool := match i with Halt => true | _ => false end.
Definition has_failed (p : place) : bool := match p with HasFailed => true | At _ => false end.
(** [over]: the last step has been taken. *)
Fixpoint run_steps (n : nat) c (cs : list Z) (over : bool) : computes (configuration * list Z * bool) := match n with
  | O => ret (c, cs, over)
  | S n =>
    let$ m := member_at c 0 in
    let$ i := some (if over then None else instruction_at E (place_of m)) Rejection.Run in
    let$ (c, cs) := if is_halt i then ret (c, cs) else execute c cs i in
    let$ m := member_at c 0 in
    run_steps n c cs (is_halt i || has_failed (place_of m)) end.
(** Does the run fail? *)
Definition run (g : ground_run) : computes bool :=
  let$ c := before_inputs E in
  let is_ := inputs (program_in E) in
  demand ((count (input_values g) =? count is_) && (steps g <=? most_steps)) Rejection.Run >>
  let$ c := folded_left set_value (List.combine is_ (input_values g)) c in
  let$ (c, cs, over) := run_steps (N.to_nat (steps g)) c (choices g) false in
  demand (over && is_empty cs) Rejection.Run >>
  let$ m := member_at c 0 in
  ret (has_failed (place_of m)).
End Run.
