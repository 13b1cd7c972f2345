(** The graph that a derivation shows (spec/calculus.md#paths): its nodes and edges, as
    they are met in the order of replay, and their image under the certificate's map. *)
From Coq Require Import List NArith ZArith Bool FMapPositive.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena States Rules Replay.
Import ListNotations.
Open Scope N_scope.

(** How a configuration was reached: paths begin there; as the root of a template; by a
    step from a node. *)
Inductive reached := AtEntry | AtTemplate (t : N) | FromNode (n : N).
(** The locations of nodes, the templates' first; entries and edges, the last first. *)
Record unfolding := { node_locations : numbered N; entry_nodes : list N; edges : list (N * N) }.
Definition with_node (u : unfolding) (l : N) : N * unfolding :=
  let (n, ls) := added (node_locations u) l in (n, {| node_locations := ls; entry_nodes := entry_nodes u; edges := edges u |}).
(** None for a configuration that has failed. *)
Definition new_node (u : unfolding) (p : place) : option N * unfolding := match p with
  | At l => let (n, u) := with_node u l in (Some n, u) | HasFailed => (None, u) end.
Definition reach_node (u : unfolding) (from : reached) (n : N) : unfolding := match from with
  | FromNode m => {| node_locations := node_locations u; entry_nodes := entry_nodes u; edges := (m, n) :: edges u |}
  | AtEntry | AtTemplate _ => {| node_locations := node_locations u; entry_nodes := n :: entry_nodes u; edges := edges u |} end.
(** A rule applies to a configuration; how what it leaves open is reached. *)
Definition visit (u : unfolding) (from : reached) (p : place) (r : rule) : computes (reached * unfolding) :=
  let reach n u := match n with Some n => ret (FromNode n, reach_node u from n) | None => ret (from, u) end in
  match r, from with
  | (Let_ _ | Split _ | Unfold _ _ | Infeasible _), _ => ret (from, u)
  | (Step _ | End_), AtTemplate t => ret (FromNode t, u)
  | Subsume t _ _, _ => reach (Some t) u
  | (Step _ | End_), _ => let (n, u) := new_node u p in reach n u
  | _, _ => refuses Rejection.Rule end.
Definition act_recorded (E : setting) (ts : indexed configuration) c (from : reached) (r : rule) (u : unfolding) : computes (list (configuration * reached) * unfolding) :=
  let$ m := member_at c 0 in
  let$ (next, u) := visit u from (place_of m) r in
  (* A path of a graph may also end in a failure. *)
  let$ cs := if match r with End_ => is_failing E (place_of m) | _ => false end then ret [] else replay_rule E ts c r in
  ret (List.map (fun c => (c, next)) cs, u).

(** ** The map *)

Section Map.
Variable P : indexed instruction.
Variable e : ends.
Variable u : unfolding.
Variable map : indexed (option N).

(** A node at which a path ends that is to be kept. *)
Definition is_kept (l : N) : bool := match at_position P l with
  | Some (Halt | Fail _) => true
  | Some Ignore => false
  | _ => match e with Anywhere => true | Complete => false end end.
(** The locations of vertices, which are numbered in the order in which they are first
    mentioned. *)
Definition place_vertex (vs : numbered N) (x : option N * N) : computes (numbered N) := match x with
  | (None, l) => demand (negb (is_kept l)) Rejection.EndLost >> ret vs
  | (Some v, l) =>
    let vs := if v =? given vs then snd (added vs l) else vs in
    let$ k := some (find vs v) Rejection.VertexOrder in
    demand (k =? l) Rejection.VertexLocation >> ret vs end.
Definition vertex_of (n : N) : computes (option N) := some (at_position map n) Rejection.Missing.
Definition same_root (r : option N) (n : N) : computes (option N) :=
  let$ v := vertex_of n in
  match v, r with
  | None, r => ret r
  | Some v, None => ret (Some v)
  | Some v, Some w => demand (v =? w) Rejection.Nondeterministic >> ret r end.
(** By vertex and location, the successor there. *)
Notation successors := (PositiveMap.t (PositiveMap.t N)).
Definition add_edge (ss : successors) (x : N * N) : computes successors :=
  let$ target_ := vertex_of (snd x) in
  match target_ with
  | None => ret ss
  | Some v =>
    let$ s := vertex_of (fst x) in
    let$ s := some s Rejection.SourceLost in
    let$ l := some (find (node_locations u) (snd x)) Rejection.Missing in
    let own := match PositiveMap.find (N.succ_pos s) ss with Some own => own | None => PositiveMap.empty N end in
    match PositiveMap.find (N.succ_pos l) own with
    | Some w => demand (w =? v) Rejection.Nondeterministic >> ret ss
    | None => ret (PositiveMap.add (N.succ_pos s) (PositiveMap.add (N.succ_pos l) v own) ss) end end.
Definition check_map (vs : list (option N)) : computes unit :=
  demand (count vs =? given (node_locations u)) Rejection.VertexCount >>
  let$ _ := folded_left place_vertex (List.combine vs (List.map snd (in_order (node_locations u)))) (none_numbered N 0) in
  let$ _ := folded_left same_root (rev (entry_nodes u)) None in
  let$ _ := folded_left add_edge (rev (edges u)) (PositiveMap.empty (PositiveMap.t N)) in
  ret tt.
End Map.

Definition template_node (u : unfolding) (c : configuration) : computes unfolding :=
  let$ m := member_at c 0 in ret (snd (new_node u (place_of m))).
(** Programs and templates as derivations of graphs have them: no cells of their own. *)
Definition paths_setting (c : certificate) (p : proof) : setting := setting_of (program_of (statement_of c)) (under (statement_of c)) 0 (sorts p).
(** All nodes and edges. *)
Definition recorded (c : certificate) (p : proof) : answer (unfolding * state) :=
  let E := paths_setting c p in
  let! (cs, s) := premises E c p in
  let nothing := {| node_locations := none_numbered N 0; entry_nodes := []; edges := [] |} in
  let! (u, s) := placed Where.Evidence (folded_left template_node cs nothing) s in
  let! u := replay_proof E (act_recorded E (index_of cs)) (fun t => match t with Some t => AtTemplate t | None => AtEntry end) cs p u s in
  Fine (u, s).
Definition graph_shown (c : certificate) (e : ends) (p : proof) (vs : list (option N)) : answer unit :=
  let! (u, s) := recorded c p in
  let! _ := placed Where.Evidence (check_map (code (paths_setting c p)) e u (index_of vs) vs) s in
  Fine tt.
