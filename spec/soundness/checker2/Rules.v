(** The rules of a derivation (spec/calculus.md#rules), each with its conditions and the
    order of its obligations (spec/numbering.md#rules). *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Stepping Folds Covering.
Import ListNotations.
Open Scope N_scope.

(** ** Twin *)

(** What an instruction does to something: it depends on it, makes it another one, or
    neither. *)
Inductive use := ReadIt | Renewed | NoUse.
Definition reads_register (r : N) (m : mention) : bool := match m with Reads (Register q) _ => q =? r | _ => false end.
Definition writes_register (r : N) (m : mention) : bool := match m with Writes q _ => q =? r | _ => false end.
Definition use_of_register (r : N) (i : instruction) : use :=
  let ms := mentions i in
  if existsb (reads_register r) ms then ReadIt else if existsb (writes_register r) ms then Renewed else NoUse.
Definition use_of_declaration (d : N) (i : instruction) : use := match i with
  | Address _ o => if o =? d then ReadIt else NoUse
  | Enter o => if o =? d then Renewed else NoUse
  | _ => NoUse end.
(** Where execution may go on, the last one first. *)
Definition successors (i : instruction) (l : N) : list N :=
  rev (flat_map (fun m => match m with LeadsTo k => [k] | GoesOn => [N.succ l] | _ => [] end) (mentions i)).

Section Twin.
Variable E : setting.
Variables one other : member_state.

(** Is there a way to an instruction that reads it, on which no other one renews it?
    Each location is looked at once, and leads to two. *)
Fixpoint meets (fuel : nat) (what : instruction -> use) (seen : PositiveMap.t unit) (open : list N) : computes bool := match open, fuel with
  | [], _ => ret false
  | l :: open, S fuel =>
    let$ i := some (at_position (code E) l) Rejection.Missing in
    if PositiveMap.mem (N.succ_pos l) seen then meets fuel what seen open else
    let seen := PositiveMap.add (N.succ_pos l) tt seen in
    match what i with
    | ReadIt => ret true
    | Renewed => meets fuel what seen open
    | NoUse => meets fuel what seen (successors i l ++ open) end
  | _, O => refuses Rejection.NotTwin end.
Definition meets_from (l : N) what : computes bool :=
  meets (S (N.to_nat (2 * entries (code E) + 1))) what (PositiveMap.empty unit) [l].

(** Both are known and the same; the object that a pointer leads to. *)
Definition twin_slots (v w : slot) : option (option N) := if slot_eqb v w then match v with
  | Uninitialised | NullSlot | IntegerSlot _ => Some None
  | PointerSlot o _ _ => Some (Some o)
  | _ => None end else None.
Definition twin_register (l : N) (reached : list N) (r : N) : computes (list N) :=
  let$ v := register_slot one r in let$ w := register_slot other r in
  match twin_slots v w with
  | Some None => ret reached
  | x =>
    let$ is_read := meets_from l (use_of_register r) in
    if is_read then match x with Some (Some o) => ret (o :: reached) | _ => refuses Rejection.NotTwin end else ret reached end.
Definition twin_name (l : N) (reached : list N) (d : N * object) : computes (list N) :=
  if negb (is_named (origin_of (snd d))) then ret reached else
  let$ is_addressed := meets_from l (use_of_declaration (fst d)) in
  if negb is_addressed then ret reached else
  let$ x := some (live one (fst d)) Rejection.NotTwin in
  demand match live other (fst d) with Some y => named x =? named y | None => false end Rejection.NotTwin >>
  ret (named x :: reached).
Fixpoint lists_eqb {A} (same : A -> A -> bool) (l k : list A) : bool := match l, k with
  | [], [] => true | a :: l, b :: k => same a b && lists_eqb same l k | _, _ => false end.
Definition field_eqb (f g : field_state) : bool := lists_eqb slot_eqb (cells f) (cells g) &&
  match rest f, rest g with Some a, Some b => a =? b | None, None => true | _, _ => false end.
Definition object_eqb (x y : object_state) : bool := (named x =? named y) && (declaration x =? declaration y) &&
  Bool.eqb (is_live (life_of x)) (is_live (life_of y)) && (lower x =? lower y) && (upper x =? upper y) && lists_eqb field_eqb (field_states x) (field_states y).
(** Each name is looked at once. *)
Fixpoint twin_objects (rounds : nat) (seen : PositiveMap.t unit) (reached : list N) : computes unit := match rounds with
  | O => demand (is_empty reached) Rejection.NotTwin
  | S rounds =>
    let$ (seen, more) := folded_left (fun '(seen, more) o =>
      if PositiveMap.mem (N.succ_pos o) seen then ret (seen, more) else
      let$ x := some (find (objects_held one) o) Rejection.NotTwin in
      let$ y := some (find (objects_held other) o) Rejection.NotTwin in
      demand (object_eqb x y) Rejection.NotTwin >>
      let$ found := mapped (fun v => some (twin_slots v v) Rejection.NotTwin) (flat_map cells (field_states x)) in
      ret (PositiveMap.add (N.succ_pos o) tt seen, flat_map (fun o => match o with Some o => [o] | None => [] end) found ++ more))
      reached (seen, []) in
    match more with [] => ret tt | _ => twin_objects rounds seen more end end.
Definition compares : computes unit :=
  demand match size_of other with Smaller => true | NotLarger => false end Rejection.NotSmaller >>
  match place_of one with
  | HasFailed => refuses Rejection.NotTwin
  | At l =>
    demand (place_eqb (place_of other) (At l)) Rejection.NotTwin >>
    demand (negb (asks_for_leaks E)) Rejection.Leak >>
    let$ reached := folded_left (twin_register l) (numbers_of (held one)) [] in
    let os := objects (program_in E) in
    let$ reached := folded_left (twin_name l) (List.combine (numbers_from 0 (length os)) os) reached in
    twin_objects (S (S (N.to_nat (given (objects_held one))))) (PositiveMap.empty unit) reached end.
End Twin.

Section Rules.
Variable E : setting.

Definition no_primary (who : N) : computes unit := demand (negb (who =? 0)) Rejection.Primary.
Definition twin c who : computes unit :=
  no_primary who >> let$ one := member_at c 0 in let$ other := member_at c who in compares E one other.

(** ** Root *)

(** How many classes an input has. *)
Definition classes_of (l : lengths) (i : input) : N := match i, l with
  | ArrayInput _ _ _, Classes => if 0 <? k_in E then k_in E + 2 else 1
  | SingleInput _ _, _ => 2
  | _, _ => 1 end.
Definition root_input (l : lengths) (p : configuration * N) (i : input) : computes (configuration * N) :=
  let (c, class) := p in
  let n := classes_of l i in
  let size := class mod n in
  let$ elements := constant_term (Z.of_N size) in
  let$ (elements, c) := match i with
    | ArrayInput _ length o =>
      if n - 1 <=? size then
        let$ T := integer_kind E length in
        let$ (t, c) := fresh c (Some T) in
        let$ most := greatest_count E o in
        let$ (low, high) := within t (Z.of_N size, most) in
        let$ c := assume c low in let$ c := assume c high in
        ret (t, c)
      else ret (elements, c)
    | _ => ret (elements, c) end in
  let$ (c, _) := set_input E c AnyValue i elements in
  ret (c, class / n).
(** The configuration of a class, or none when all have been given. *)
Definition root_of_class (l : lengths) (class : N) : computes (option configuration) :=
  let$ c := before_inputs E in
  let$ (c, left_) := folded_left (root_input l) (rev (inputs (program_in E))) (c, class) in
  ret (if left_ =? 0 then Some (with_entry c (nth (herd c) 0)) else None).

(** ** Steps *)

Definition not_excluded (os : list outcome) : computes (list (N * outcome)) :=
  folded_left (fun kept '(n, o) => let$ x := is_excluded o in ret (if x then kept else kept ++ [(n, o)]))
    (List.combine (numbers_from 0 (length os)) os) [].
Definition is_ignorance (o : outcome) : bool := match tag_of o with Ignorance => true | _ => false end.
(** Outcomes that are neither evidently false nor refuted, these in order. *)
Fixpoint still_open c (os : list (N * outcome)) (refuted : list N) : computes (list outcome) := match os with
  | [] => demand (is_empty refuted) Rejection.Outcomes >> ret []
  | (n, o) :: os => match refuted with
    | r :: rs => if r =? n then refute (known_literals c) (literals_of o) >> still_open c os rs
      else let$ l := still_open c os refuted in ret (o :: l)
    | [] => let$ l := still_open c os [] in ret (o :: l) end end.
Definition step c (refuted : list N) : computes (list configuration) :=
  let$ m := member_at c 0 in
  let$ os := outcomes E m in
  let$ os := not_excluded os in
  let$ os := still_open c os refuted in
  mapped (follow E c 0) os.
Definition step_alone who c : computes configuration :=
  let$ m := member_at c who in
  let$ os := outcomes E m in
  let$ os := not_excluded os in
  match os with
  | [(_, o)] => demand ((who =? 0) || negb (is_ignorance o)) Rejection.Ignorance >> follow E c who o
  | _ => refuses Rejection.Outcomes end.
Fixpoint repeated (n : nat) (f : configuration -> computes configuration) c : computes configuration := match n with
  | O => ret c | S n => let$ c := f c in repeated n f c end.
Definition steps_of c who (n : N) : computes configuration :=
  demand (n <=? entries (code E)) Rejection.Outcomes >> repeated (N.to_nat n) (step_alone who) c.
Definition step_decided c who (n : N) (x : option choice) : computes configuration :=
  no_primary who >>
  let$ m := member_at c who in
  let$ os := outcomes E m in
  let$ o := some (nth os n) Rejection.Missing in
  demand (negb (is_ignorance o)) Rejection.Ignorance >>
  for_each (entail (known_literals c)) (literals_of o) >>
  let$ (c, _) := perform E c match x with Some x => Chosen x | None => AnyValue end who (effect_of o) in
  ret c.

(** ** AddScapegoat *)

(** The cells up to one that is left out move by one. *)
Definition moved_cells (first dropped_ : N) (vs : list slot) : option (list slot) :=
  match nth vs dropped_ with
  | None => None
  | Some v =>
    let f := N.to_nat first in let d := N.to_nat dropped_ in
    Some (firstn f vs ++ [v] ++ skipn f (firstn d vs) ++ skipn (S d) vs) end.
Definition drop_element c m (p l o : N) (x : dropped) : computes member_state :=
  let$ v := register_slot m l in
  match v with
  | IntegerSlot old =>
    let$ shorter := plus old (-1) in
    let$ m := set_register m l (IntegerSlot shorter) in
    let$ y := object_state_at m o in
    let$ low := value_of (lower y) in
    let$ low := some low Rejection.Drop in
    demand ((0 <=? low) && (low <=? Z.of_N greatest_u32))%Z Rejection.Drop >>
    let first := Z.to_N low in
    let$ d := match x with First j => ret j | LastElement => ret first | DroppedNode _ _ => refuses Rejection.Drop end in
    demand (first <=? d) Rejection.Drop >>
    let$ index := constant_term (Z.of_N d) in
    let$ is_inside := less index (upper y) in
    entail (known_literals c) is_inside >>
    match x with
    | LastElement => let$ u := plus (upper y) (-1) in ret (with_objects m (put (objects_held m) o (with_upper y u)))
    | _ =>
      let$ low := plus (lower y) 1 in
      let$ fs := mapped (fun f =>
        let$ vs := some (moved_cells first d (cells f)) Rejection.Drop in ret {| cells := vs; rest := rest f |}) (field_states y) in
      set_register (with_objects m (put (objects_held m) o (with_fields (with_lower y low) fs))) p (element o low) end
  | _ => refuses Rejection.Drop end.
Definition drop_one c m (x : N * dropped) : computes member_state :=
  let m := with_size m Smaller in
  match snd x, nth (inputs (program_in E)) (fst x) with
  | DroppedNode o child, Some (LinkedInput _ _) => drop_node E m o child
  | d, Some (ArrayInput p l o) => drop_element c m p l o d
  | _, _ => refuses Rejection.Drop end.
Definition new_integer c m (x : N * N) : computes member_state := match nth (inputs (program_in E)) (fst x) with
  | Some (IntegerInput r) =>
    let$ T := integer_kind E r in
    shown_integer (variables c) (known_literals c) (snd x) (Some T) >>
    set_register m r (IntegerSlot (snd x))
  | _ => refuses Rejection.Drop end.
Fixpoint ascends_weakly (l : list N) : bool := match l with
  | a :: l' => match l' with b :: _ => (a <=? b) && ascends_weakly l' | [] => true end | [] => true end.
(** Below a node that is left out nothing may be left that the smaller input does not
    have. *)
Definition none_lost m : computes unit :=
  if negb (asks_for_leaks E) then ret tt else
  let$ l := leaks E m (flat_map (fun i => match i with LinkedInput p _ => [p] | _ => [] end) (inputs (program_in E))) in
  demand (negb l) Rejection.Leak.
Definition add_scapegoat c (drops : list (N * dropped)) (is_ : list (N * N)) : computes configuration :=
  let$ m := some (entry_member c) Rejection.EntryTerms in
  demand (ascends_weakly (List.map fst drops) && ascend (List.map fst is_)) Rejection.Drop >>
  let$ m := folded_left (drop_one c) drops m in
  none_lost m >>
  let$ m := folded_left (new_integer c) is_ m in
  ret (with_herd c (herd c ++ [m])).

(** ** The others *)

Definition split c (l : literal) : computes (list configuration) :=
  exists_in (variables c) (LinearPart (term_of l)) >>
  let$ k := negate l in
  mapped (assume c) [l; k].
Fixpoint without_member (l : list member_state) (n : N) : list member_state := match l with
  | [] => [] | m :: l => if n =? 0 then l else m :: without_member l (N.pred n) end.
Definition drop_member c who : computes configuration :=
  no_primary who >> member_at c who >> ret (with_herd c (without_member (herd c) who)).
Definition is_failing (p : place) : bool := match p, instruction_at E p with HasFailed, _ | _, Some (Fail _) => true | _, _ => false end.
Definition descent c who : computes unit :=
  no_primary who >>
  let$ m := member_at c who in let$ primary := member_at c 0 in
  demand (is_failing (place_of m)) Rejection.NotFailed >>
  match size_of m, consumed_of m, consumed_of primary with
  | Smaller, _, _ => ret tt
  | NotLarger, IntegerSlot s, IntegerSlot t =>
    let$ l := less s t in
    let$ e := is_true l in
    demand (e || stands_in l (known_literals c)) Rejection.NotSmaller
  | _, _, _ => refuses Rejection.NotSmaller end.
Definition ends_ c : computes unit :=
  let$ m := member_at c 0 in
  demand match instruction_at E (place_of m) with Some (Halt | Ignore) => true | _ => false end Rejection.NotEnded.
Definition names_term c t : computes configuration :=
  exists_in (variables c) (LinearPart t) >>
  let$ (x, c) := fresh c None in
  let$ l := equal x t in
  ret (with_literals c (known_literals c ++ [l])).

(** ** One rule *)

Definition hints_of (r : rule) : list (list deduction) := match r with
  | Step refuted => List.map snd refuted
  | Infeasible h => [h]
  | StepDecided _ _ _ hs | AddScapegoat _ _ hs | Subsume _ _ hs => hs
  | _ => [] end.
Definition one_open (c : computes configuration) : computes (list configuration) := let$ c := c in ret [c].
Definition closed (c : computes unit) : computes (list configuration) := c >> ret [].
(** What is open behind the rule, in order. *)
Definition apply_rule (ts : indexed configuration) c (r : rule) : computes (list configuration) := match r with
  | Step refuted => step c (List.map fst refuted)
  | StepDecided who n x _ => one_open (step_decided c who n x)
  | Steps who n => one_open (steps_of c who n)
  | AddScapegoat ds is_ _ => one_open (add_scapegoat c ds is_)
  | Drop who => one_open (drop_member c who)
  | Let_ t => one_open (names_term c t)
  | Split l => split c l
  | Unfold s e => unfold E c s e
  | Infeasible _ => closed (refute (known_literals c) [])
  | Subsume n mt _ => closed (let$ t := some (at_position ts n) Rejection.Missing in subsume E c t mt)
  | Descent who => closed (descent c who)
  | Twin who => closed (twin c who)
  | End_ => closed (ends_ c) end.
Definition replay_rule (ts : indexed configuration) c (r : rule) : computes (list configuration) := fun s =>
  match apply_rule ts c r (with_hints s (hints_of r)) with
  | Gives cs s => match hints_left s with [] => Gives cs s | _ :: _ => Refuses Rejection.Hints end
  | Refuses x => Refuses x end.
End Rules.
