(** That what the second checker lists of instructions that make objects, or end them, is right
    (spec/calculus.md#step): [Enter] and [Leave]. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Tidy Typed Bounds FoldedMembers Configurations Members.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists PointerLists Moving.
Import ListNotations.
Open Scope Z_scope.

(** What lives of a declaration is in the table by its name. *)
Lemma live_held m d y : tables_right m -> live m d = Some y -> find (objects_held m) (named y) = Some y /\ declaration y = d /\ life_of y = Live.
Proof.
  intros T Lv. unfold live in Lv. destruct (List.find _ _) as [[o z]|] eqn:Fi; [|discriminate]. injection Lv as ->. apply find_some in Fi as [I C]. apply andb_prop in C as [C1 C2]. apply N.eqb_eq in C1.
  apply in_order_in in I as [_ F]. rewrite (objects_by_name m T o y F). split; auto. split; auto. destruct (life_of y); [reflexivity | discriminate].
Qed.
Lemma none_live m d o y : tables_right m -> live m d = None -> find (objects_held m) o = Some y -> declaration y = d -> life_of y = Dead.
Proof.
  intros T Lv F D. unfold live in Lv. destruct (List.find _ _) as [|] eqn:Fi; [discriminate|]. assert (I : In (o, y) (in_order (objects_held m))) by (apply in_order_in; split; [exact (objects_numbered m T o y F) | exact F]).
  pose proof (find_none _ _ Fi _ I) as X. cbn in X. rewrite D, N.eqb_refl in X. destruct (life_of y); [discriminate | reflexivity].
Qed.

Section Lives.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Lemma local_is d x n : at_position (objects_of (names_in E)) d = Some x -> Certificates.origin_of x = Local n ->
  Programs.origin_of (Machine.declaration_of P (N.to_nat d)) = Programs.Local (Z.of_N n) /\ Tidy.is_local P (N.to_nat d) = true /\ FoldedMembers.is_node P (N.to_nat d) = false /\ FoldedMembers.has_name P (N.to_nat d) = true.
Proof.
  intros Hx Lo. unfold Tidy.is_local, FoldedMembers.is_node, FoldedMembers.has_name. rewrite (same_objects _ _ _ setting_right _ _ Hx). cbn [Translated.object_of Programs.origin_of]. rewrite Lo. auto.
Qed.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Variable l : N.
Variable m : member_state.
Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (s0 : state) (M0 : model).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued M0) phi (member_of l m) rho roots lasts placed g.
Hypothesis tables : tables_right m.
Variable i : instruction.
Hypothesis here : at_position (code E) l = Some i.
Notation list_right := (list_right P under l m rho roots lasts g).
Notation step := (Machine.step P under g).
Variables (s : state) (M : model).
Hypothesis good_here : good s M.
Notation lists x := (meets s M x (fun os _ K => list_right K (shown os))).

Theorem enter_listed d : i = Enter d -> covered E m i = true -> lists (enters E d).
Proof.
  intros Ei Cv. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr, Cv. cbn [covered] in Cv. unfold names_local in Cv.
  unfold enters, object_in. destruct (at_position (objects_of (names_in E)) d) as [x|] eqn:Hx; [|discriminate]. eapply meets_peek; [apply (peeks_some s _ _ (fun y => y = x)); congruence|]. intros ? ->.
  destruct (Certificates.origin_of x) as [|c cs a|n| |ls] eqn:Lo; try apply meets_refuses. destruct (local_is d x n Hx Lo) as (Oo & Ll & Nn & _).
  eapply meets_bind; [apply constant_meets; exact good_here|]. intros t s1 M1 G1 _ [_ Vt]. apply meets_ret; auto. cbn [shown].
  assert (S : forall w, step w = Machine.Ok (made_at P g None d (vl M1 t) Arbitrary w)).
  { intros w. unfold Machine.step. rewrite Hi. cbn [Translated.instruction_of]. unfold Machine.enter. rewrite Oo, Vt. unfold made_at. rewrite Ll. unfold Machine.kill_current. cbn [Machine.current Machine.next_location].
    destruct (List.nth _ (Machine.current g) None); reflexivity. }
  assert (Hap : forall w, happens P l m rho roots lasts g M1 (Creates None d t Arbitrary) (step w)).
  { intros w. split; [exact Dr|]. split; [split; [rewrite Nn; discriminate | exact Ll] | exists w; apply S]. }
  split.
  - intros w. eexists. split; [left; reflexivity|]. split; [intros k [] | apply Hap].
  - intros o [<-|[]] _ _. exists still. split; [reflexivity | apply Hap].
Qed.
Theorem leave_listed d next_ : i = Leave d -> covered E m i = true -> lists (leaves m d next_).
Proof.
  intros Ei Cv. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr, Cv. cbn [covered] in Cv. unfold names_local in Cv.
  destruct (at_position (objects_of (names_in E)) d) as [x|] eqn:Hx; [|discriminate]. destruct (Certificates.origin_of x) as [|c cs a|n| |ls] eqn:Lo; try discriminate. destruct (local_is d x n Hx Lo) as (_ & _ & _ & Hn).
  unfold leaves. destruct (live m d) as [y|] eqn:Lv; [|discriminate]. destruct (live_held m d y tables Lv) as (F & Dy & Ly).
  pose proof (FoldedMembers.names_hold _ _ _ _ _ _ _ _ _ _ described (N.to_nat (named y)) (object_of y) (object_held l m tables (named y) y F)) as Na. cbn [object_of FoldedMembers.kind FoldedMembers.life_of] in Na.
  rewrite Dy, Ly in Na. specialize (Na eq_refl Hn). apply meets_ret; auto. cbn [shown].
  eapply one_right with (x := Machine.Ok (Machine.kill (Machine.next_location g) (rho (N.to_nat (named y))))); [| |discriminate].
  - intros w. unfold Machine.step. rewrite Hi. cbn [Translated.instruction_of]. unfold Machine.leave, Machine.kill_current. cbn [Machine.current Machine.next_location]. rewrite Na. reflexivity.
  - split; [exact Dr|]. split; [congruence | reflexivity].
Qed.
End Lives.
