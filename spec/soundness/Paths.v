(** Derivations of which nodes are recorded lose no path (spec/calculus.md#paths,
    #why-that-suffices).

    As in [Herds.v], nothing here knows what a configuration looks like.  Beside a
    derivation stands a graph: a node for each configuration to which Step or End applies,
    and one for each template; an edge for each step. *)
From Coq Require Import List.
From Goatherd Require Import Herds.
Import ListNotations.

Section Paths.
Variable Sys : system.
Variable location : Type.
(** Where an execution stands; nowhere once it has ended. *)
Variable place : state Sys -> option location.

(** The locations of an execution from a state on, up to any of its states. *)
Inductive passes : state Sys -> list location -> Prop :=
| passes_here s l : place s = Some l -> passes s [l]
| passes_on s l k s' ls : place s = Some l -> step Sys s k s' -> passes s' ls -> passes s (l :: ls).
(** A path of the program. *)
Definition is_path (ls : list location) : Prop := exists s, entry Sys s /\ passes s ls.

(** ** Graphs *)

Record graph := { vertex : Type; stands_at : vertex -> location -> Prop; begins_at : vertex -> Prop; leads_to : vertex -> vertex -> Prop }.
(** The trace of a path of the graph from a vertex on. *)
Inductive traced (g : graph) : vertex g -> list location -> Prop :=
| traced_here v l : stands_at g v l -> traced g v [l]
| traced_on v l w ls : stands_at g v l -> leads_to g v w -> traced g w ls -> traced g v (l :: ls).
Definition has_path (g : graph) (ls : list location) : Prop := exists v, begins_at g v /\ traced g v ls.

(** The vertices of a path, behind the first one, and its trace. *)
Inductive runs_along (g : graph) : vertex g -> list (vertex g) -> list location -> Prop :=
| along_here v l : stands_at g v l -> runs_along g v [] [l]
| along_on v l w vs ls : stands_at g v l -> leads_to g v w -> runs_along g w vs ls -> runs_along g v (w :: vs) (l :: ls).
Lemma traced_along g v ls : traced g v ls <-> exists vs, runs_along g v vs ls.
Proof.
  split.
  - induction 1 as [v l A | v l w ls A B _ (vs & IH)]; [exists []; constructor; exact A | exists (w :: vs); econstructor; eauto].
  - intros (vs & H). induction H; [constructor | econstructor]; eauto.
Qed.
(** Where no vertex has two successors at one location, traces are of one path each. *)
Definition deterministic (g : graph) : Prop := forall v w w' l, leads_to g v w -> leads_to g v w' -> stands_at g w l -> stands_at g w' l -> w = w'.
Lemma along_stands g v vs ls : runs_along g v vs ls -> exists l k, ls = l :: k /\ stands_at g v l.
Proof. destruct 1; eauto. Qed.
Theorem one_path_each g ls : deterministic g -> forall v vs ws, runs_along g v vs ls -> runs_along g v ws ls -> vs = ws.
Proof.
  intros D. induction ls as [|l ls IH]; intros v vs ws H K; [inversion H|].
  inversion H as [? ? A|? ? w vs' ? A B C]; subst; inversion K as [? ? A'|? ? w' ws' ? A' B' C']; subst; auto.
  - inversion C'.
  - inversion C.
  - destruct (along_stands _ _ _ _ C) as (m & k & -> & Sw). destruct (along_stands _ _ _ _ C') as (m' & k' & [= <- <-] & Sw').
    assert (w' = w) as -> by (apply (D v w' w m); auto). f_equal. eapply IH; eauto.
Qed.

(** ** Derivations with nodes *)

Variable configuration : Type.
Variable shows : configuration -> run Sys -> scapegoats Sys -> Prop.
Notation denotes := (denotes Sys configuration shows).
Variable nodes : graph.
Notation node := (vertex nodes).

(** How a configuration was reached: paths begin there; as the root of the template that
    has this node; by a step from a node. *)
Inductive reached := Entry | AsTemplate (n : node) | From (n : node).
Definition reaches (from : reached) (n : node) : Prop := match from with
  | Entry => begins_at nodes n | AsTemplate m => n = m | From m => leads_to nodes m n end.
Variable template : node -> configuration -> Prop.
(** All that the configuration denotes stands there. *)
Definition stands (c : configuration) (l : location) : Prop := forall t ts, denotes c t ts -> place (last Sys t) = Some l.
Definition has_node (from : reached) (c : configuration) (n : node) : Prop := reaches from n /\ exists l, stands c l /\ stands_at nodes n l.

(** The flag is *progress*, as in [Herds.closed]. *)
Inductive noted : bool -> reached -> configuration -> Prop :=
| noted_step b from c n cs : has_node from c n -> sound_step Sys configuration shows c cs -> (forall c', In c' cs -> noted true (From n) c') -> noted b from c
| noted_cover b from c cs : sound_cover Sys configuration shows c cs -> (forall c', In c' cs -> noted b from c') -> noted b from c
| noted_subsume from c n d : sound_subsume Sys configuration shows c d -> template n d -> reaches from n -> noted true from c
| noted_end b from c n : has_node from c n -> (forall t ts, denotes c t ts -> forall k s, step Sys (last Sys t) k s -> place s = None) -> noted b from c
| noted_over b from c : (forall t ts, denotes c t ts -> place (last Sys t) = None) -> noted b from c.

Hypothesis templates_noted : forall n d, template n d -> noted false (AsTemplate n) d.

Lemma passes_place s ls : passes s ls -> exists l, place s = Some l.
Proof. destruct 1; eauto. Qed.
(** By induction on the path, then on whether there was progress, then on the derivation. *)
Lemma accounted : forall ls b from c, noted b from c -> forall t ts, denotes c t ts -> passes (last Sys t) ls -> exists n, reaches from n /\ traced nodes n ls.
Proof.
  induction ls as [|l ls IHl]; [intros b from c _ t ts _ H; inversion H|].
  assert (Main : forall b,
    (b = true -> forall from c, noted false from c -> forall t ts, denotes c t ts -> passes (last Sys t) (l :: ls) -> exists n, reaches from n /\ traced nodes n (l :: ls)) ->
    forall from c, noted b from c -> forall t ts, denotes c t ts -> passes (last Sys t) (l :: ls) -> exists n, reaches from n /\ traced nodes n (l :: ls)).
  { intros b Hroot from c H.
    induction H as [b from c n cs (R & l' & St & At) S C _ | b from c cs S _ IH | from c n d S T R | b from c n (R & l' & St & At) S | b from c S];
      intros t ts D H; pose proof D as [Hd Sh].
    - exists n. split; [exact R|]. pose proof (St t ts D) as Pl.
      inversion H as [s m Pm | s m k s' ms Pm Hs Hp]; subst; rewrite Pl in Pm; injection Pm as ->; [constructor; exact At|].
      destruct (S t ts D) as [_ N]. destruct (N k s' Hs) as (c' & I & Sc).
      destruct (IHl true (From n) c' (C c' I) (extend Sys t k s') ts) as (w & Rw & Tw); [split; [apply herd_step; auto | exact Sc] | exact Hp|].
      eapply traced_on; [exact At | exact Rw | exact Tw].
    - destruct (S t ts D) as (c' & I & Sc). eapply IH; [exact I | exact Hroot | split; [exact Hd | exact Sc] | exact H].
    - destruct (S t ts D) as (ts' & W & Sd).
      destruct (Hroot eq_refl (AsTemplate n) d (templates_noted n d T) t ts') as (m & -> & Tm); [split; [eapply herd_weaker; eauto | exact Sd] | exact H|].
      exists n. auto.
    - exists n. split; [exact R|]. pose proof (St t ts D) as Pl.
      inversion H as [s m Pm | s m k s' ms Pm Hs Hp]; subst; rewrite Pl in Pm; injection Pm as ->; [constructor; exact At|].
      destruct (passes_place _ _ Hp) as [m' Pm']. rewrite (S t ts D k s' Hs) in Pm'. discriminate.
    - destruct (passes_place _ _ H) as [m Pm]. rewrite (S t ts D) in Pm. discriminate. }
  intros [|] from c; [apply Main | apply Main; discriminate]. intros _ from' c'. apply Main. discriminate.
Qed.

(** Roots that cover all entry states, and are reached as entries. *)
Variable roots : list configuration.
Hypothesis roots_noted : forall c, In c roots -> noted true Entry c.
Hypothesis roots_cover : forall s, entry Sys s -> exists c, In c roots /\ shows c (Run Sys s 0 s) [].
Theorem nothing_lost ls : is_path ls -> has_path nodes ls.
Proof.
  intros (s & E & P). destruct (roots_cover s E) as (c & I & S).
  apply (accounted ls true Entry c (roots_noted c I) (Run Sys s 0 s) []); [|exact P].
  split; [|exact S]. split; [constructor; exact E | constructor].
Qed.
End Paths.
