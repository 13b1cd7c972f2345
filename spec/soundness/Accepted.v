(** Derivations from roots by the rules that stand above the first template
    (spec/calculus.md#theorem), AddScapegoat as it leaves elements and nodes out:
    what they exclude. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Inputs Runs Existing Tidy Typed Bounds Folding FoldedMembers Configurations FoldedSteps FoldedRules FoldedTwins Reading Subsume Cases Marking Stepping Creating Derivations Entered Entries Planting Presented Loading Recognised Built Entering Roots Classes Elements Whole Leaving Kept EntryKept RootKept.
From Goatherd Require Members Effects Outcomes Rules.
Import ListNotations.
Open Scope Z_scope.

Section Accepted.
Variable P : program.
Variable under : parameters.
Variable few : nat.
Variable table : nat -> sort_of_trees.
(** What well-formedness asks of sorts and of the program. *)
Hypothesis formed : nodes_formed P table.
Hypothesis well_given : inputs_formed P.
Hypothesis integer_arrays : forall p n d, In (ArrayInput p n d) (inputs P) -> forallb is_integer (layout_fields (layout_of_declaration P d)) = true.
Hypothesis contents_right : contents_formed P.
Hypothesis targets : targets_formed P.
Hypothesis locals : locals_formed P.
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.
Hypothesis ones : one_same table.
Hypothesis checked : forall s, Sorts.named (table s) <> None -> names_wider table s.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Hypothesis addresses_formed : forall r d, In (Address r d) (instructions P) -> has_name P d = true.

(** Each child of Unfold is there for a case, and opens all occurrences at the entry. *)
Definition child_kept x c c' := exists k ls, child_by x k ls (symbols (body c')) (with_entry c) (with_entry c') /\
  (forall y s, nth_error (symbols (body c)) y = Some s -> nth_error (symbols (body c')) y = Some s) /\ case_allowed P table x (body c) (symbols (body c')) k /\
  forall f q, part_named (at_entry c') f = Some q -> symbol q <> x.

Section Rules.
Variable templates : list configuration.
Inductive grows : bool -> entered -> Prop :=
| grows_forgets b c : derived P under few table templates b (body c) -> grows b c
| grows_step b c m os children : stands (primary (body c)) = At m -> offers P under m os ->
    (forall o, In o os -> forallb (scoped_literal (variables (body c))) (literals o) = true) ->
    (forall o, In o os -> absurd (literals o ++ predicate (body c)) \/
      let d := {| body := follow_primary P few (body c) m o; at_entry := at_entry c |} in In d children /\ in_scope (with_entry d) = true) ->
    (forall c', In c' children -> exists o, In o os /\ c' = {| body := follow_primary P few (body c) m o; at_entry := at_entry c |}) ->
    (forall c', In c' children -> grows true c') -> grows b c
| grows_decided b c front k m x back os o : others (body c) = front ++ (k, x) :: back -> stands x = At m -> offers P under m os -> In o os ->
    tag_of o <> Effects.Ignorance -> (forall o, In o os -> forallb (scoped_literal (variables (body c))) (literals o) = true) ->
    (forall nu, model nu (predicate (body c)) -> Forall (holds nu) (literals o)) ->
    let d := {| body := follow_other P few (body c) front k m x back o; at_entry := at_entry c |} in
    in_scope (with_entry d) = true -> grows b d -> grows b c
| grows_one_outcome b c front k m x back os o : others (body c) = front ++ (k, x) :: back -> stands x = At m -> offers P under m os ->
    (forall o', In o' os -> o' = o \/ absurd (literals o' ++ predicate (body c))) ->
    (forall o, In o os -> forallb (scoped_literal (variables (body c))) (literals o) = true) ->
    let d := {| body := follow_forced P few (body c) front k m x back o; at_entry := at_entry c |} in
    in_scope (with_entry d) = true -> grows b d -> grows b c
| grows_choice b c front k m x back r T t : others (body c) = front ++ (k, x) :: back -> stands x = At m ->
    nth_error (instructions P) (place_of m) = Some (Havoc r) -> type_of P r = IntegerType T ->
    scoped (variables (body c)) t = true -> (forall nu, model nu (predicate (body c)) -> within T (eval nu t)) ->
    let d := {| body := choose_other (body c) front k m x back r t; at_entry := at_entry c |} in
    in_scope (with_entry d) = true -> grows b d -> grows b c
| grows_creation b c front k m x back os o r d count t fs : others (body c) = front ++ (k, x) :: back -> stands x = At m -> offers P under m os -> In o os ->
    tag_of o <> Effects.Ignorance -> (forall o, In o os -> forallb (scoped_literal (variables (body c))) (literals o) = true) ->
    (forall nu, model nu (predicate (body c)) -> Forall (holds nu) (literals o)) -> effect_of o = Creates r d count Arbitrary ->
    (forall nu, model nu (predicate (body c)) -> right_choice P nu d t count fs) ->
    let c' := {| body := create_other P (body c) front k m x back r d count t fs; at_entry := at_entry c |} in
    in_scope (with_entry c') = true -> grows b c' -> grows b c
| grows_unfold b c x children : unfolds P table x (with_entry c) (map with_entry children) ->
    (forall c', In c' children -> child_kept x c c') -> (forall c', In c' children -> grows b c') -> grows b c
| grows_split b c l : scoped_literal (variables (body c)) l = true -> scoped_literal (variables (body c)) (negation l) = true ->
    grows b {| body := assume [l] (body c); at_entry := at_entry c |} -> grows b {| body := assume [negation l] (body c); at_entry := at_entry c |} -> grows b c
| grows_let b c t : scoped (variables (body c)) t = true -> let d := {| body := define t (body c); at_entry := at_entry c |} in
    in_scope (with_entry d) = true -> grows b d -> grows b c
| grows_drop b c front p back : others (body c) = front ++ p :: back ->
    grows b {| body := {| variables := variables (body c); symbols := symbols (body c); predicate := predicate (body c); primary := primary (body c);
      others := front ++ back |}; at_entry := at_entry c |} -> grows b c
| grows_add b c k m : scoped_member (variables (body c)) m = true -> none_lost P m -> leaves P c k m -> grows b (added c k m) -> grows b c.

Lemma fewer_models ls qs nu : model nu (ls ++ qs) -> model nu qs.
Proof. intros [W M]. split; auto. apply Forall_app in M as [_ M]. exact M. Qed.
(** The entry is whole wherever a derivation gets to. *)
Theorem grows_enters b c : grows b c -> entry_kept P table c -> enters P under few table templates b c.
Proof.
  induction 1 as [b c D | b c m os children Pm Os Sc Cases Are _ IH | b c front k m x back os o E Xm Os I T Sc En d Sf _ IH
    | b c front k m x back os o E Xm Os One Sc d Sf _ IH | b c front k m x back r T t E Xm Hi Ht St In_ d Sf _ IH | b c front k m x back os o r d count t fs E Xm Os I T Sc En Ef Rc c1 Sf _ IH | b c x children U Ch _ IH
    | b c l L L' _ IH1 _ IH2 | b c t T d S _ IH | b c front p back E _ IH | b c k m Sm No Lv _ IH]; intros K.
  - apply forgets_entry. exact D.
  - eapply enters_step; eauto. intros c' I. apply IH; auto. destruct (Are c' I) as (o & _ & ->). apply (entry_stays P table c); [reflexivity | reflexivity | | exact K]. intros nu. apply fewer_models.
  - eapply enters_decided; eauto.
  - eapply enters_one_outcome; eauto. apply IH. apply (entry_stays P table c); [reflexivity | reflexivity | | exact K]. intros nu. apply fewer_models.
  - eapply enters_choice; eauto.
  - eapply enters_creation; eauto.
  - eapply enters_unfold; eauto. intros c' I. apply IH; auto. destruct (Ch c' I) as (k & ls & Cb & More & Al & Gone). eapply unfold_kept; eauto.
  - apply (enters_split P under few table templates b c l L L'); [apply IH1 | apply IH2]; (apply (entry_stays P table c); [reflexivity | reflexivity | | exact K]); intros nu; apply (fewer_models [_]).
  - eapply enters_let; eauto. apply IH. apply (entry_stays P table c); [reflexivity | reflexivity | | exact K]. intros nu. apply (fewer_models [_]).
  - eapply enters_drop; eauto.
  - eapply enters_add; [|apply IH; apply (entry_stays P table c); [reflexivity | reflexivity | | exact K]; auto]. eapply leaves_adds; eauto. apply kept_whole. exact K.
Qed.
End Rules.

(** ** No execution from a valid input fails *)

(** A root for each combination of size classes, and no other. *)
Definition roots_right k l roots := roots_of P k l roots /\ forall c, In c roots -> exists cls, is_root P c cls /\ root_bare P c.
Theorem grown_safe k l templates roots : (forall c, In c templates -> derived P under few table templates false c) ->
  (forall c, In c roots -> grows templates true c) -> roots_right k l roots -> safe (system_of P under).
Proof.
  intros T G [R B]. eapply accepted_safe; eauto. intros c I. apply grows_enters; auto. destruct (B c I) as (cls & Rt & Br). eapply root_kept; eauto.
Qed.
End Accepted.
