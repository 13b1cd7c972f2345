(** Members that hold inputs denote entry states (spec/calculus.md#root), and may
    be added as scapegoats where they hold less than the entry does
    (spec/calculus.md#addscapegoat). *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Herds Integers Terms Sorts Programs Machine Inputs Runs Existing Tidy Alike Owed Typed Bounds Folding FoldedMembers Configurations Reached Marking Entries Derivations Entered Planting Presented Loading Recognised Sizes Built.
From Goatherd Require Members Scapegoats.
Import ListNotations.
Open Scope Z_scope.

Section Entering.
Variable P : program.
Variable under : parameters.
Variable table : nat -> sort_of_trees.
(** What well-formedness asks of sorts and of the program. *)
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Hypothesis contents_right : contents_formed P.
Hypothesis targets : targets_formed P.
Hypothesis locals : locals_formed P.

(** A member before its first instruction that holds these inputs, which consist
    of these objects and parts. *)
Record holds_inputs sorts nu phi m vs cs : Prop := {
  inputs_shaped : entry_shaped P nu m;
  inputs_built : buildable P sorts nu m;
  inputs_presented : presents P sorts nu phi m (inputs P) vs cs;
  inputs_once : NoDup cs }.

(** Where leaks are checked nothing is lost at the entry (spec/calculus.md#leaks). *)
Definition linked_roots := flat_map (fun i => match i with LinkedInput p _ => [p] | _ => [] end) (inputs P).
Definition none_lost m := checks_leaks P -> nothing_lost P m linked_roots.
(** ... under one valuation. *)
Definition none_lost_under nu m := checks_leaks P -> all_met P m linked_roots (has_element nu).
Theorem entry_denoted_under sorts nu phi m vs cs : none_lost_under nu m -> well_meant P table sorts phi -> holds_inputs sorts nu phi m vs cs ->
  exists y, entry_state P vs = Some y /\ denotes_state P sorts nu phi m y /\ input_size_of P y = weights nu phi m cs.
Proof.
  intros No Me [S B Pr O].
  assert (St : forall d, is_static_at P d = true -> object_named m d <> None).
  { intros d Sd. unfold is_static_at, is_static_declaration in Sd. destruct (origin_of (declaration_of P d)) as [|count ds may| | |] eqn:Od; try discriminate.
    destruct (shaped_statics _ _ _ S d count ds may Od) as (x & E & _). congruence. }
  pose proof (built_describes P table formed sorts nu phi m Me B) as D.
  pose proof (built_fine P table formed contents_right sorts nu phi m Me B St) as F.
  destruct (recognised P table formed well_given targets sorts nu phi m S Me _ _ _ _ _ D (fine_typed _ _ F) vs cs Pr O) as (y & rn & _ & E & A & Sz & _ & _ & _ & _ & All).
  { intros d Ld. rewrite built_name. destruct (is_static_at P d) eqn:Sd; auto. unfold is_static_at, is_static_declaration in Sd. unfold is_local in Ld.
    destruct (origin_of (declaration_of P d)); discriminate. }
  exists y. split; auto. split; auto. exists (built P sorts nu phi m), rn. split; auto. split; [do 4 eexists; exact D|]. split; [exact A|].
  intros Ck. split; [|intros p L _; apply All, live_exists; exact L].
  intros o W. pose proof (all_met_found P sorts nu phi m linked_roots _ _ _ _ _ D (all_tabled _ _ _ _ _ _ _ _ _ _ D Ck) (No Ck) o W) as Fo.
  destruct (found_alike P rn _ y linked_roots A (fine_named _ _ F) o Fo) as (p & k & R & _). congruence.
Qed.
Corollary entry_denoted sorts nu phi m vs cs : (checks_leaks P -> well_sorted nu) -> none_lost m -> well_meant P table sorts phi -> holds_inputs sorts nu phi m vs cs ->
  exists y, entry_state P vs = Some y /\ denotes_state P sorts nu phi m y /\ input_size_of P y = weights nu phi m cs.
Proof. intros Ws No. apply entry_denoted_under. intros Ck. apply nothing_lost_met; auto. Qed.

(** Local objects do not exist at the entry. *)
Lemma entry_locals s : is_entry P (Running s) -> forall d, is_local P d = true -> nth d (current s) None = None.
Proof.
  intros (vs & s' & E & [= <-]) d L. pose proof (entry_tidy P locals vs s E) as T. destruct (nth d (current s) None) as [o|] eqn:N; auto. exfalso.
  unfold entry_state in E. destruct (load_inputs _ _ _ _) as [a|] eqn:La; [|discriminate]. simpl in E. injection E as <-.
  cbn [current add_statics] in N. rewrite (nth_numbered _ _ d no_declaration) in N. destruct (Nat.ltb _ _); [|discriminate]. cbn [fst snd] in N.
  fold (declaration_of P d) in N. pose proof L as L'. unfold is_local in L'. destruct (origin_of (declaration_of P d)); try discriminate.
  assert (X : loads P a).
  { eapply load_inputs_loads; [exact locals | apply incl_refl | | exact La]. split; simpl.
    - apply map_length.
    - intros e _. clear. revert e. induction (objects P); intros [|e]; simpl; auto.
    - constructor. }
  rewrite (load_names _ _ X d L) in N. discriminate.
Qed.
Theorem entry_at_least sorts nu phi m vs cs x : well_meant P table sorts phi -> holds_inputs sorts nu phi m vs cs -> is_entry P (Running x) ->
  denotes_state P sorts nu phi m x -> (weights nu phi m cs <= input_size_of P x)%nat.
Proof.
  intros Me [S _ Pr O] Ex (g & rn & F & (rho & ro & la & ce & D) & A & _).
  refine (at_least P table formed well_given targets sorts nu phi m S Me g rho ro la ce D (fine_typed _ _ F) rn x A vs cs Pr O _).
  intros d L. pose proof (same_names _ _ _ _ A d (Members.local_has_name P d L)) as N. rewrite (entry_locals x Ex d L) in N. simpl in N.
  destruct (nth d (current g) None); [destruct N | reflexivity].
Qed.

(** ** AddScapegoat *)

Definition lighter c k m := forall nu phi, model nu (predicate (body c)) -> well_meant P table (symbols (body c)) phi -> exists vs cs vs' cs',
  holds_inputs (symbols (body c)) nu phi (at_entry c) vs cs /\ holds_inputs (symbols (body c)) nu phi m vs' cs' /\
  match k with Smaller => (weights nu phi m cs' < weights nu phi (at_entry c) cs)%nat | NotLarger => (weights nu phi m cs' <= weights nu phi (at_entry c) cs)%nat end.
Theorem lighter_adds c k m : scoped_member (variables (body c)) m = true -> none_lost m -> lighter c k m -> adds P table c k m.
Proof.
  intros Sc No L. split; auto. intros nu phi x M Me Ex Dx. destruct (L nu phi M Me) as (vs & cs & vs' & cs' & H & H' & Lt).
  destruct (entry_denoted _ _ _ _ _ _ (fun _ => proj1 M) No Me H') as (y & Ey & Dy & Sy). pose proof (entry_at_least _ _ _ _ _ _ x Me H Ex Dx) as Sx.
  exists y. split; [exists vs', y; auto|]. split; auto. rewrite Sy. destruct k; lia.
Qed.

(** ** Root *)

(** A configuration of the primary alone, before its first instruction. *)
Definition starts c := others (body c) = [] /\ primary (body c) = newcomer (at_entry c) /\ none_lost (at_entry c).
Theorem start_shows c nu phi vs cs : starts c -> in_scope (body c) = true -> model nu (predicate (body c)) -> well_meant P table (symbols (body c)) phi ->
  holds_inputs (symbols (body c)) nu phi (at_entry c) vs cs -> exists s, entry_state P vs = Some s /\
  shows_entered P under table c (Run (system_of P under) (Running s) 0 (Running s)) [].
Proof.
  intros (Ot & Pm & No) Sc M Me H. destruct (entry_denoted _ _ _ _ _ _ (fun _ => proj1 M) No Me H) as (s & E & D & _). exists s. split; auto.
  assert (Sm : scoped_member (variables (body c)) (at_entry c) = true).
  { unfold in_scope in Sc. apply andb_prop in Sc as [Sc _]. apply andb_prop in Sc as [_ Sc]. rewrite Pm in Sc. unfold scoped_counted in Sc. simpl in Sc.
    apply andb_prop in Sc as [Sc _]. exact Sc. }
  split; [unfold with_entry; rewrite with_member_scope, Sc, Sm; reflexivity|]. exists nu, phi. split; auto. split; auto. simpl. rewrite Ot, Pm. simpl.
  assert (A : accounts P under (symbols (body c)) nu phi (newcomer (at_entry c)) (Run (system_of P under) (Running s) 0 (Running s))).
  { split; simpl; eauto. }
  split; [exact A|]. constructor; [|constructor]. split; [reflexivity | exact A].
Qed.
(** Roots that hold all valid inputs between them. *)
Definition covers_inputs (roots : list entered) := forall vs s, entry_state P vs = Some s -> exists c nu phi cs, In c roots /\
  starts c /\ in_scope (body c) = true /\ model nu (predicate (body c)) /\ well_meant P table (symbols (body c)) phi /\ holds_inputs (symbols (body c)) nu phi (at_entry c) vs cs.
Lemma covers_shows roots : covers_inputs roots -> forall s, is_entry P (Running s) -> exists c, In c roots /\
  shows_entered P under table c (Run (system_of P under) (Running s) 0 (Running s)) [].
Proof.
  intros C s (vs & s' & E & [= <-]). destruct (C vs s E) as (c & nu & phi & cs & I & St & Sc & M & Me & H). exists c. split; auto.
  destruct (start_shows c nu phi vs cs St Sc M Me H) as (s' & E' & S). rewrite E in E'. injection E' as <-. exact S.
Qed.

(** ** No execution from a valid input fails *)

Variable few : nat.
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.
Hypothesis ones : one_same table.
Hypothesis checked : forall s, Sorts.named (table s) <> None -> names_wider table s.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Hypothesis addresses_formed : forall r d, In (Address r d) (instructions P) -> has_name P d = true.
Theorem derived_safe templates roots : (forall c, In c templates -> derived P under few table templates false c) ->
  (forall c, In c roots -> enters P under few table templates true c) -> covers_inputs roots -> safe (system_of P under).
Proof. intros T R C. eapply entered_acceptance; eauto. apply covers_shows. exact C. Qed.
End Entering.
