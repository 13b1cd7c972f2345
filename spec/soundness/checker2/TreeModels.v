(** Tree models: invariants with covers, and traces (spec/calculus.md#tree-models). *)
From Coq Require Import List NArith ZArith Bool.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena.
Import ListNotations.
Open Scope N_scope.

Definition holds_state (s : N) (l : list N) : bool := existsb (N.eqb s) l.
Definition at_ (w : Where.t) (b : bool) (r : Rejection.t) : answer unit := ensure b (Violated w r).
Definition get_ {A} (w : Where.t) (x : option A) : answer A := match x with Some a => Fine a | None => Failed (Violated w Rejection.Missing) end.

(** ** Inclusions *)

Section Inclusion.
Variable source_ : automaton N.
Variable over : automaton (N * N).
Variable target_ : automaton N.
Variable covers : list cover.

(** What is said to cover a pair of states, in order. *)
Definition covers_of (p : N * N) : list (list N) :=
  List.map cover_targets (filter (fun c => (cover_source c =? fst p) && (cover_transducer c =? snd p)) covers).
(** Covers of accepting states have one of the target's among them. *)
Definition is_cover_accepting (c : cover) : bool :=
  negb (holds_state (cover_source c) (accepting N source_) && holds_state (cover_transducer c) (accepting (N * N) over)) ||
  existsb (fun s => holds_state s (accepting N target_)) (cover_targets c).
(** One of each list, in all ways, the first list's changing fastest. *)
Fixpoint ways (ls : list (list (list N))) : list (list (list N)) := match ls with
  | [] => [[]]
  | l :: ls => flat_map (fun w => List.map (fun x => x :: w) l) (ways ls) end.
Fixpoint each_in (states : list N) (lists : list (list N)) : bool := match states, lists with
  | [], [] => true | s :: states, l :: lists => holds_state s l && each_in states lists | _, _ => false end.
Definition reaches (letter : N) (children_ : list (list N)) (s : N) : bool :=
  existsb (fun t => (letter_of N t =? letter) && (target N t =? s) && each_in (children N t) children_) (transitions N target_).
Definition is_covered (left_ : transition N) (right_ : transition (N * N)) : bool :=
  forallb (fun way => existsb (forallb (reaches (snd (letter_of (N * N) right_)) way)) (covers_of (target N left_, target (N * N) right_)))
    (ways (List.map covers_of (List.combine (children N left_) (children (N * N) right_)))).
Definition inclusion (w : Where.t) : answer unit :=
  at_ w (forallb (fun c => ascend (cover_targets c)) covers) Rejection.CoverOrder ;;
  at_ w (forallb is_cover_accepting covers) Rejection.NotAccepting ;;
  at_ w (forallb (fun l => forallb (fun r => if fst (letter_of (N * N) r) =? letter_of N l then is_covered l r else true)
    (transitions (N * N) over)) (transitions N source_)) Rejection.NotCovered.
End Inclusion.

(** The identity on a set. *)
Definition diagonal (a : automaton N) : automaton (N * N) := Build_automaton (N * N)
  (List.map (fun t => Build_transition (N * N) (letter_of N t, letter_of N t) (children N t) (target N t)) (transitions N a)) (accepting N a).
Definition no_trees : automaton N := Build_automaton N [] [].

Section Model.
Variable m : tree_model.

(** What has to be shown, in order: that the first set holds Init; of each line that its
    set holds no bad tree, and that each action leads into the next line's set. *)
Definition inclusions (sets : list (automaton N)) : list (automaton N * automaton (N * N) * option (automaton N)) :=
  (initial m, diagonal (initial m), nth sets 0) ::
  flat_map (fun '(l, own) => (own, diagonal (bad l), Some no_trees) :: List.map (fun a => (own, transducer a, nth sets (next a))) (actions l))
    (List.combine (lines m) sets).
Fixpoint check_inclusions (n : N) (is_ : list (automaton N * automaton (N * N) * option (automaton N))) (covers : list (list cover)) : answer unit := match is_, covers with
  | [], _ => at_ Where.Evidence match covers with [] => true | _ :: _ => false end Rejection.Hints
  | _ :: _, [] => Failed (Violated Where.Evidence Rejection.Hints)
  | (source_, over, target_) :: is_, cs :: covers =>
    let! target_ := get_ Where.Evidence target_ in
    inclusion source_ over target_ cs (Where.Inclusion n) ;;
    check_inclusions (N.succ n) is_ covers end.
Definition check_invariant (sets : list (automaton N)) (covers : list (list cover)) : answer unit :=
  at_ Where.Evidence (count sets =? count (lines m)) Rejection.Hints ;;
  check_inclusions 0 (inclusions sets) covers.

(** ** Traces *)

Definition rank_of (s : N) : option N := option_map rank (nth (alphabet m) s).
Fixpoint split_off (n : N) (open : list (list N)) (children_ : list (list N)) : option (list (list N) * list (list N)) :=
  if n =? 0 then Some (children_, open) else match open with
  | [] => None | x :: open => split_off (N.pred n) open (x :: children_) end.
(** Letters, children before their parent; [open] are the states of trees so far, the last
    first. *)
Fixpoint states_of {letter} (same : letter -> letter -> bool) (symbol_of : letter -> N) (w : Where.t) (a : automaton letter)
  (tree : list letter) (open : list (list N)) : answer (list (list N)) := match tree with
  | [] => Fine open
  | x :: tree =>
    let! r := get_ w (rank_of (symbol_of x)) in
    match split_off r open [] with
    | None => Failed (Violated w Rejection.NotATree)
    | Some (children_, open) =>
      let states := List.map (target letter) (filter (fun t => same (letter_of letter t) x && each_in (children letter t) children_) (transitions letter a)) in
      states_of same symbol_of w a tree (states :: open) end end.
Definition accepts {letter} same symbol_of w (a : automaton letter) tree (otherwise : Rejection.t) : answer unit :=
  let! open := states_of same symbol_of w a tree [] in
  match open with
  | [root_] => at_ w (existsb (fun s => holds_state s root_) (accepting letter a)) otherwise
  | _ => Failed (Violated w Rejection.NotATree) end.
Definition accepts_tree w (a : automaton N) tree otherwise : answer unit := accepts N.eqb (fun s => s) w a tree otherwise.
Definition same_pair (p q : N * N) : bool := (fst p =? fst q) && (snd p =? snd q).
Definition same_rank (p : N * N) : bool := match rank_of (fst p), rank_of (snd p) with
  | Some r, Some s => r =? s | None, None => true | _, _ => false end.
Definition line_at w (n : N) : answer line := get_ w (nth (lines m) n).
Fixpoint check_steps (n l : N) (tree : list N) (ss : list (N * list N)) : answer unit :=
  let w := Where.Step n in
  match ss with
  | [] => let! l := line_at w l in accepts_tree w (bad l) tree Rejection.NotBad
  | (a, output) :: ss =>
    let! l := line_at w l in
    let! a := get_ w (nth (actions l) a) in
    let overlay := List.combine tree output in
    at_ w ((count tree =? count output) && forallb same_rank overlay) Rejection.NotRelated ;;
    accepts same_pair fst w (transducer a) overlay Rejection.NotRelated ;;
    check_steps (N.succ n) (next a) output ss end.
Definition check_trace (tree : list N) (ss : list (N * list N)) : answer unit :=
  accepts_tree (Where.Step 0) (initial m) tree Rejection.NotInitial ;;
  check_steps 0 0 tree ss.
End Model.

Definition check_model (m : tree_model) (c : claim) (e : model_evidence) : answer unit := match e, c with
  | OfInvariant sets covers, Invariant => check_invariant m sets covers
  | OfTrace tree ss, Unsafe => check_trace m tree ss
  | _, _ => Failed (Violated Where.Evidence Rejection.Claim) end.
