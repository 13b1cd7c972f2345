(** Derivations of configurations with folded parts (spec/calculus.md#rules), by
    the rules that are proved sound on them, and what they exclude
    (spec/calculus.md#theorem). *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Inputs Runs Existing Tidy Typed Bounds Folding FoldedMembers Configurations FoldedSteps FoldedRules Reading Subsume Cases Stepping.
From Goatherd Require Effects Rules Entries.
Import ListNotations.
Open Scope Z_scope.

Section Derivations.
Variable P : program.
Variable under : parameters.
Variable few : nat.
Variable table : nat -> sort_of_trees.
Notation machine := (system_of P under).
Notation accounts := (accounts P under).
Notation shows := (shows P under table).
(** What well-formedness asks of sorts and of the program. *)
Hypothesis of_nodes : forall s, is_node P (declaration (table s)) = true.
Hypothesis ones : one_same table.
Hypothesis checked : forall s, Sorts.named (table s) <> None -> names_wider table s.
Hypothesis locals : locals_formed P.
Hypothesis types : types_formed P.
Hypothesis memories : memory_formed P.
Hypothesis contents : Entries.contents_formed P.

(** ** End *)

Definition ends_at m := match nth_error (instructions P) (place_of m) with Some Halt | Some Ignore => True | _ => False end.
Definition ended_primary c := {| variables := variables c; symbols := symbols c; predicate := predicate c;
  primary := {| stands := HasEnded; counted := None |}; others := others c |}.
Lemma ended_scope c : in_scope c = true -> in_scope (ended_primary c) = true.
Proof. intros S. apply scope_parts in S as (S1 & S2 & S3). unfold in_scope. simpl. rewrite S1, S3. reflexivity. Qed.
Lemma ends_sound c m : stands (primary c) = At m -> ends_at m -> sound_step machine _ shows c [ended_primary c].
Proof.
  intros Pm En t ts [_ (S & nu & phi & M & Me & [A _] & O)]. rewrite Pm in A. destruct A as (s & L & D).
  pose proof (denoted_location _ _ _ _ _ _ D) as Loc. rewrite L. split; [simpl; auto|].
  intros k x Hx. simpl in Hx. destruct Hx as (d & -> & ->). exists (ended_primary c). split; [simpl; auto|]. split; [apply ended_scope; auto|].
  exists nu, phi. split; auto. split; auto. split; [|exact O]. split; [|exact Logic.I]. simpl.
  unfold ends_at in En. rewrite <- Loc in En. unfold step. destruct (nth_error (instructions P) (location s)) as [[]|]; try contradiction; auto.
Qed.
Lemma ended_sound c : sound_end machine _ shows (ended_primary c).
Proof.
  intros t ts [_ (_ & nu & phi & _ & _ & [A _] & _)]. simpl in A. split; [destruct A as [-> | ->]; simpl; auto|].
  intros k s H. destruct A as [E|E]; rewrite E in H; exact H.
Qed.

(** ** Steps of a scapegoat: one outcome is left *)

Definition follow_forced c front k m x back o := {| variables := next_variable P few (variables c) (effect_of o); symbols := symbols c;
  predicate := literals o ++ predicate c; primary := primary c; others := front ++ (k, follow_member P few (variables c) m (counted x) o) :: back |}.
Theorem folded_forced_sound c front k m x back os o : others c = front ++ (k, x) :: back -> stands x = At m -> lists P under m os ->
  (forall o', In o' os -> o' = o \/ absurd (literals o' ++ predicate c)) ->
  (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
  in_scope (follow_forced c front k m x back o) = true ->
  sound_forced machine _ shows c (length front) (follow_forced c front k m x back o).
Proof.
  intros E Xm Os One Sc Sf t ts [[_ Gts] (S & nu & phi & [W M] & Me & A & O)]. apply scope_parts in S as (S1 & S2 & S3).
  rewrite E in O, S3. apply Forall2_app_inv_l in O as (ts1 & ts2 & O1 & O2 & ->).
  inversion O2 as [|? q ? ts3 [Fk [B C]] O3]; subst. destruct q as [k' r]. simpl in Fk, B, C. subst k'.
  rewrite Xm in B. destruct B as (s & L & D).
  assert (Gr : genuine machine r).
  { rewrite Forall_forall in Gts. apply (Gts (k, r)). apply in_or_app. simpl. auto. }
  pose proof (genuine_tidy P under locals types memories contents r s Gr L) as Td.
  rewrite forallb_app in S3. simpl in S3. apply andb_prop in S3 as [S3 S4]. apply andb_prop in S4 as [Sx S5].
  pose proof Sx as Sm. unfold scoped_counted in Sm. rewrite Xm in Sm. apply andb_prop in Sm as [Sm Sn].
  exists k, r, ts1, ts3. split; auto. split; [clear - O1; induction O1; simpl; congruence|]. split.
  { rewrite L. apply never_stuck. }
  intros j y Hy. rewrite L in Hy. simpl in Hy. destruct Hy as (d & -> & ->).
  destruct (folded_exhaustive P under few table of_nodes locals types memories (symbols c) phi (variables c) nu m os s W Me Sm Os Td D Sc d)
    as (o' & mu & I & H & G & W' & R).
  destruct (One o' I) as [->|U]; [|exfalso; apply (U nu); split; auto; apply Forall_app; auto].
  split; auto. exists mu, phi. split; [split; [exact W'|] | split; [exact Me | split]].
  - simpl. apply Forall_app. split; eapply literals_agree; eauto.
  - eapply accounts_agree; eauto.
  - simpl. apply Forall2_app; [eapply others_agree; eauto|]. constructor; [|eapply others_agree; eauto]. split; auto. simpl.
    eapply follow_accounts; eauto. destruct (counted x) as [u|]; auto. simpl in Sn. rewrite <- (proj1 (agree_eval _ _ _ G) _ Sn). exact C.
Qed.

(** ** Derivations *)

Section Rules.
Variable templates : list configuration.
Inductive derived : bool -> configuration -> Prop :=
| by_step b c m os children : stands (primary c) = At m -> lists P under m os ->
    (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
    (forall o, In o os -> absurd (literals o ++ predicate c) \/
      In (follow_primary P few c m o) children /\ in_scope (follow_primary P few c m o) = true) ->
    (forall c', In c' children -> derived true c') -> derived b c
| by_step_decided b c front k m x back os o : others c = front ++ (k, x) :: back -> stands x = At m -> lists P under m os -> In o os ->
    tag_of o <> Effects.Ignorance -> (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
    (forall nu, model nu (predicate c) -> Forall (holds nu) (literals o)) -> in_scope (follow_other P few c front k m x back o) = true ->
    derived b (follow_other P few c front k m x back o) -> derived b c
| by_one_outcome b c front k m x back os o : others c = front ++ (k, x) :: back -> stands x = At m -> lists P under m os ->
    (forall o', In o' os -> o' = o \/ absurd (literals o' ++ predicate c)) ->
    (forall o, In o os -> forallb (scoped_literal (variables c)) (literals o) = true) ->
    in_scope (follow_forced c front k m x back o) = true -> derived b (follow_forced c front k m x back o) -> derived b c
| by_unfold b c x children : unfolds P table x c children -> (forall c', In c' children -> derived b c') -> derived b c
| by_split b c l : scoped_literal (variables c) l = true -> scoped_literal (variables c) (negation l) = true ->
    derived b (assume [l] c) -> derived b (assume [negation l] c) -> derived b c
| by_infeasible b c : absurd (predicate c) -> derived b c
| by_let b c t : scoped (variables c) t = true -> in_scope (define t c) = true -> derived b (define t c) -> derived b c
| by_drop b c front p back : others c = front ++ p :: back ->
    derived b {| variables := variables c; symbols := symbols c; predicate := predicate c; primary := primary c; others := front ++ back |} -> derived b c
| by_subsume c d : in_scope d = true -> covers table c d -> In d templates -> derived true c
| by_descent b c k x : In (k, x) (others c) -> stands x = HasFailed ->
    (k = Smaller \/ exists s t, counted x = Some s /\ counted (primary c) = Some t /\
       forall nu, model nu (predicate c) -> eval nu s < eval nu t) -> derived b c
| by_end b c m : stands (primary c) = At m -> ends_at m -> derived b c.

Theorem derived_closed b c : derived b c -> closed machine configuration shows templates b c.
Proof.
  induction 1 as [b c m os children Pm Os Sc Cases _ IH | b c front k m x back os o E Xm Os I T Sc En Sf _ IH
    | b c front k m x back os o E Xm Os One Sc Sf _ IH | b c x children U _ IH | b c l L L' _ IH1 _ IH2 | b c U | b c t T S _ IH
    | b c front p back E _ IH | c d Sd C I | b c k x I F L | b c m Pm En].
  - eapply closed_step; [eapply folded_step_sound; eauto | exact IH].
  - eapply closed_decided; [eapply folded_step_decided_sound; eauto | exact IH].
  - eapply closed_decided; [apply forced_decided; eapply folded_forced_sound; eauto | exact IH].
  - eapply closed_cover; [eapply unfold_sound; eauto | exact IH].
  - eapply closed_cover; [apply (folded_split_sound P under table c l L L')|]. intros c' [<-|[<-|[]]]; auto.
  - eapply closed_cover; [apply folded_infeasible_sound; exact U | intros c' []].
  - eapply closed_cover; [apply (folded_let_sound P under table c t T S)|]. intros c' [<-|[]]. exact IH.
  - eapply closed_drop; [eapply folded_drop_sound; eauto | exact IH].
  - eapply covered_closed; eauto.
  - eapply closed_descent. eapply folded_descent_sound; eauto.
  - eapply closed_step; [eapply ends_sound; eauto|]. intros c' [<-|[]]. apply closed_end. apply ended_sound.
Qed.
End Rules.

(** What roots cover does not fail, where templates and roots are derived. *)
Theorem folded_acceptance templates roots : (forall c, In c templates -> derived templates false c) -> (forall c, In c roots -> derived templates true c) ->
  (forall x, is_entry P x -> exists c, In c roots /\ shows c (Run machine x 0 x) []) -> safe machine.
Proof.
  intros T R Cov. eapply (acceptance machine configuration shows templates) with (canonical := is_entry P) (roots := roots); auto.
  - intros c I. apply derived_closed. auto.
  - intros r G F. exists r. split; auto. split; [|auto]. clear - G. induction G; auto.
  - intros c I. apply derived_closed. auto.
Qed.
End Derivations.
