(** Whether a program is given integers, arrays and single objects of integers, and linked
    structures alone, and well-formedness sees to what the theorems ask of it, of nodes that it
    makes as well: by computing. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Sorts Programs Machine Inputs Owed Tidy Typed Bounds Entries Planting Members FoldedMembers Loading Recognised Scapegoats.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena States Denoting Moving Templates FreshObjects StaticRoots RootedInputs.
From Goatherd.checker2 Require Closing ContentsDrawn Reads Replay.
Import ListNotations.
Open Scope N_scope.

Lemma entries_are {A} (l : list A) : entries (index_of l) = N.of_nat (length l).
Proof.
  assert (H : forall m n, snd (fold_left (fun '(m, n) a => (PositiveMap.add (N.succ_pos n) a m, N.succ n)) l (m : PositiveMap.t A, n)) = n + N.of_nat (length l)).
  { induction l as [|a l IH]; intros m n; cbn [fold_left length]; [cbn; lia|]. rewrite IH. lia. }
  unfold index_of. specialize (H (PositiveMap.empty A) 0). destruct (fold_left _ l _) as [m n]. exact H.
Qed.

(** ** Integers, arrays, single objects and linked structures alone *)

Section Program.
Variable Q : program.
Let P := Translated.program_of Q.

Definition type_is (r : N) (t : type) : bool := match List.nth_error (registers Q) (N.to_nat r) with Some x => same_type (register_type x) t | None => false end.
Definition operand_is (T : integer_type) (o : operand) : bool := match o with Register r => type_is r (IntegerType T) | Number z => is_within T z end.
Definition computes_well (r : N) (op : operation) (a b : operand) : bool := existsb (fun T => type_is r (IntegerType T) && negb (integer_type_eqb T Bool) && operand_is T a &&
  match op with ShiftLeft | ShiftRight => true | _ => operand_is T b end) all_types.
Definition names (of : origin -> bool) (d : N) : bool := match List.nth_error (objects Q) (N.to_nat d) with Some x => of (Certificates.origin_of x) | None => false end.
(** Objects are made of declarations that are for it, and registers have the types that
    instructions ask for. *)
Definition is_instruction_formed (i : instruction) : bool := match i with
  | Compute r op a b => computes_well r op a b
  | Copy r _ => type_is r Pointer
  | Distance r _ _ _ => type_is r (IntegerType I64)
  | Allocate _ d b _ => names is_made d && operand_is U64 b
  | Enter d | Leave d => names is_local d
  | _ => true end.
(** Each number stands there once. *)
Fixpoint are_apart (l : list N) : bool := match l with [] => true | n :: l => negb (existsb (N.eqb n) l) && are_apart l end.
Definition holds_integers (f : field) : bool := match field_type f with IntegerType _ => true | Pointer => false end.
Definition is_input_formed (i : input) : bool := match i with
  | IntegerInput _ => true
  | ArrayInput _ _ o | SingleInput _ o => match List.nth_error (objects Q) (N.to_nat o) with
    | Some x => match List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) with Some y => forallb holds_integers (fields y) && is_given x | None => false end
    | None => false end
  | LinkedInput p o => names is_node o && type_is p Pointer end.
(** A node has a link for each field, of integers where these are; below it are nodes. *)
Definition is_link_formed (p : link * field) : bool := Bool.eqb (is_integer_link (fst p)) (negb (is_pointer (field_type (snd p)))) && negb (is_of_proof (fst p)) &&
  match fst p with Child s => names is_node s | _ => true end.
Definition is_node_formed (x : object) : bool := match Certificates.origin_of x with
  | Node ks => match List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) with
    | Some y => Nat.eqb (length ks) (length (fields y)) && forallb is_link_formed (List.combine ks (fields y)) | None => false end
  | _ => true end.
Definition is_of_inputs : bool := forallb (fun b => b) [
  are_apart (registers_of_inputs (inputs Q)); forallb (fun r => r <? count (registers Q)) (registers_of_inputs (inputs Q)); are_apart (objects_of_inputs (inputs Q));
  forallb (fun x => is_given x || is_made_later x || is_static (Certificates.origin_of x)) (objects Q); forallb (fun l => 1 <=? element_size l) (layouts Q); forallb is_input_formed (inputs Q); forallb is_instruction_formed (instructions Q); forallb is_node_formed (objects Q); forallb (is_static_formed Q) (objects Q)].
Hypothesis of_inputs : is_of_inputs = true.

Lemma apart_once l : are_apart l = true -> NoDup l.
Proof.
  induction l as [|n l IH]; intros H; constructor; cbn [are_apart] in H; apply andb_prop in H as [N H]; [|auto]. intros I. apply negb_true_iff in N.
  assert (X : existsb (N.eqb n) l = true) by (apply existsb_exists; exists n; split; [exact I | apply N.eqb_refl]). congruence.
Qed.
Lemma one_of b : In b [are_apart (registers_of_inputs (inputs Q)); forallb (fun r => r <? count (registers Q)) (registers_of_inputs (inputs Q)); are_apart (objects_of_inputs (inputs Q));
  forallb (fun x => is_given x || is_made_later x || is_static (Certificates.origin_of x)) (objects Q); forallb (fun l => 1 <=? element_size l) (layouts Q); forallb is_input_formed (inputs Q); forallb is_instruction_formed (instructions Q); forallb is_node_formed (objects Q); forallb (is_static_formed Q) (objects Q)] -> b = true.
Proof. pose proof of_inputs as H. unfold is_of_inputs in H. rewrite forallb_forall in H. apply H. Qed.
Lemma registers_apart : NoDup (registers_of_inputs (inputs Q)).
Proof. apply apart_once, one_of. simpl. auto. Qed.
Lemma formed_instruction i : In i (Programs.instructions P) -> exists j, i = Translated.instruction_of j /\ is_instruction_formed j = true.
Proof.
  intros I. apply in_map_iff in I as (j & <- & I). exists j. split; auto. assert (H : forallb is_instruction_formed (instructions Q) = true) by (apply one_of; simpl; auto 8).
  rewrite forallb_forall in H. exact (H j I).
Qed.
Lemma type_holds r t : type_is r t = true -> Machine.type_of P (N.to_nat r) = Translated.type_of t.
Proof.
  unfold type_is. destruct (List.nth_error (registers Q) (N.to_nat r)) as [x|] eqn:N; [|discriminate]. intros S. unfold Machine.type_of, P. cbn [Translated.program_of Programs.registers].
  rewrite (nth_indep _ Programs.PointerType (Translated.type_of (register_type x))) by (rewrite map_length; apply nth_error_Some; congruence).
  rewrite (map_nth (fun r => Translated.type_of (register_type r))), (nth_error_nth _ _ _ N). f_equal.
  destruct (register_type x) as [T|], t as [U|]; simpl in S; try discriminate; [apply integer_type_eqb_eq in S; congruence | reflexivity].
Qed.
Lemma operand_holds T o : operand_is T o = true -> Typed.operand_fits P T (Translated.operand_of o).
Proof. destruct o as [r|z]; simpl; intros H; [exact (type_holds r (IntegerType T) H) | apply is_within_iff; exact H]. Qed.
Lemma given_objects x : In x (objects Q) -> is_given x || is_made_later x || is_static (Certificates.origin_of x) = true.
Proof. intros I. assert (H : forallb (fun x => is_given x || is_made_later x || is_static (Certificates.origin_of x)) (objects Q) = true) by (apply one_of; simpl; auto 8). rewrite forallb_forall in H. exact (H x I). Qed.
Lemma static_objects x : In x (objects Q) -> is_static_formed Q x = true.
Proof. intros I. assert (H : forallb (is_static_formed Q) (objects Q) = true) by (apply one_of; simpl; auto 12). rewrite forallb_forall in H. exact (H x I). Qed.
Lemma inputs_are : RootedInputs.inputs_formed Q.
Proof.
  split; [|apply apart_once, one_of; simpl; auto | exact given_objects | exact static_objects]. intros i I. assert (H : forallb is_input_formed (inputs Q) = true) by (apply one_of; simpl; auto 8). rewrite forallb_forall in H. specialize (H i I).
  assert (Object : forall o, match List.nth_error (objects Q) (N.to_nat o) with
    | Some x => match List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) with Some y => forallb holds_integers (fields y) && is_given x | None => false end | None => false end = true -> object_formed Q o).
  { intros o Ho. destruct (List.nth_error (objects Q) (N.to_nat o)) as [x|] eqn:Ox; [|discriminate]. destruct (List.nth_error (layouts Q) _) as [y|] eqn:Ly; [|discriminate]. exists x, y. split; [exact Ox|]. split; [exact Ly|].
    apply andb_prop in Ho as [Ho Gx]. split; [|unfold is_given in Gx; destruct (Certificates.origin_of x); discriminate || reflexivity].
    intros f J. rewrite forallb_forall in Ho. specialize (Ho f J). unfold holds_integers in Ho. destruct (field_type f) as [T|]; [eauto | discriminate]. }
  destruct i as [r|p n o|p o|p o]; cbn [is_input_formed] in H; [exact Logic.I | | exact (Object o H) | apply andb_prop in H as [H _]; exact H]. split; [|exact (Object o H)].
  intros ->. pose proof registers_apart as Nd. apply in_split in I as (a & b & E). rewrite E, flat_map_app in Nd. apply Scapegoats.NoDup_right in Nd. cbn [flat_map registers_of_input app] in Nd. inversion_clear Nd as [|? ? Nn _]. apply Nn. left. reflexivity.
Qed.
(** What is declared is given, or made later; what is not declared is as if it were given. *)
Lemma declared_here d : let o := Programs.origin_of (Machine.declaration_of P d) in o = Programs.Input \/ o = Programs.Heap \/ (exists n, o = Programs.Local (Z.of_N n)) \/ (exists x n cs a, List.nth_error (objects Q) d = Some x /\ Certificates.origin_of x = Static n cs a /\ o = Translated.origin_of (Static n cs a)) \/
  exists x ks, List.nth_error (objects Q) d = Some x /\ Certificates.origin_of x = Node ks /\ o = Programs.LinkedNode (List.map Translated.link_of ks).
Proof.
  cbv zeta. unfold Machine.declaration_of, P. cbn [Translated.program_of Programs.objects]. destruct (List.nth_error (objects Q) d) as [x|] eqn:Nx; [|rewrite nth_overflow by (rewrite map_length; apply nth_error_None; exact Nx); auto].
  rewrite (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ Nx)). cbn [Translated.object_of Programs.origin_of]. pose proof (given_objects x (List.nth_error_In _ _ Nx)) as H. unfold is_given, is_made_later in H.
  destruct (Certificates.origin_of x) as [|n cs a|n| |ks] eqn:Or; [left; reflexivity | right; right; right; left; exists x, n, cs, a; auto | right; right; left; exists n; reflexivity | right; left; reflexivity | right; right; right; right; exists x, ks; auto].
Qed.
Lemma named_here d x : List.nth_error (objects Q) (N.to_nat d) = Some x -> Machine.declaration_of P (N.to_nat d) = Translated.object_of x.
Proof. intros N. unfold Machine.declaration_of, P. cbn [Translated.program_of Programs.objects]. exact (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ N)). Qed.
Lemma named_origin of d : names of d = true -> exists o, Programs.origin_of (Machine.declaration_of P (N.to_nat d)) = Translated.origin_of o /\ of o = true.
Proof. unfold names. destruct (List.nth_error (objects Q) (N.to_nat d)) as [x|] eqn:Hx; [|discriminate]. intros H. exists (Certificates.origin_of x). rewrite (named_here d x Hx). auto. Qed.
Lemma inputs_given_ i d : In i (Programs.inputs P) -> In d (Tidy.input_declaration i) -> match i with
  | Programs.LinkedInput _ _ => FoldedMembers.is_node P d = true | _ => Programs.origin_of (Machine.declaration_of P d) = Programs.Input end.
Proof.
  intros I J. apply in_map_iff in I as (j & <- & I). pose proof (inputs_plain _ inputs_are j I) as Pj.
  assert (Object : forall o, object_formed Q o -> Programs.origin_of (Machine.declaration_of P (N.to_nat o)) = Programs.Input) by (intros o (x & y & Ox & _ & _ & Orig); rewrite (named_here o x Ox); cbn [Translated.object_of Programs.origin_of]; rewrite Orig; reflexivity).
  destruct j as [r|p n o|p o|p o]; try contradiction; destruct J as [<-|[]]; cbn [Translated.input_of]; [exact (Object o (proj2 Pj)) | exact (Object o Pj)|].
  apply (named_origin is_node) in Pj as (x & Eo & Is). unfold FoldedMembers.is_node. rewrite Eo. destruct x; discriminate || reflexivity.
Qed.
Lemma linked_pointers p o : In (LinkedInput p o) (inputs Q) -> type_is p Pointer = true.
Proof.
  intros I. assert (H : forallb is_input_formed (inputs Q) = true) by (apply one_of; simpl; auto 8). rewrite forallb_forall in H. specialize (H _ I). apply andb_prop in H as [_ H]. exact H.
Qed.
(** Nodes, as they are declared. *)
Lemma node_declared d : FoldedMembers.is_node P d = true -> exists x ks, List.nth_error (objects Q) d = Some x /\ Certificates.origin_of x = Node ks /\ Inputs.links_of P d = List.map Translated.link_of ks /\
  exists y, List.nth_error (layouts Q) (N.to_nat (Certificates.layout_of x)) = Some y /\ length ks = length (fields y) /\
    forall k f, In (k, f) (List.combine ks (fields y)) -> is_integer_link k = negb (is_pointer (field_type f)) /\ is_of_proof k = false /\ forall s, k = Child s -> names is_node s = true.
Proof.
  intros Nd. unfold FoldedMembers.is_node in Nd. destruct (declared_here d) as [O|[O|[[n O]|[(x & n & cs & a & Nx & Or & O)|(x & ks & Nx & Or & O)]]]]; rewrite O in Nd; try discriminate. exists x, ks. split; [exact Nx|]. split; [exact Or|]. split; [unfold Inputs.links_of; rewrite O; reflexivity|].
  assert (H : forallb is_node_formed (objects Q) = true) by (apply one_of; simpl; auto 10). rewrite forallb_forall in H. specialize (H x (List.nth_error_In _ _ Nx)). unfold is_node_formed in H. rewrite Or in H. destruct (List.nth_error (layouts Q) _) as [y|]; [|discriminate].
  apply andb_prop in H as [Le H]. apply Nat.eqb_eq in Le. rewrite forallb_forall in H. exists y. split; [reflexivity|]. split; [exact Le|]. intros k f I. specialize (H (k, f) I). unfold is_link_formed in H. cbn [fst snd] in H. apply andb_prop in H as [H C]. apply andb_prop in H as [A B].
  apply Bool.eqb_prop in A. apply negb_true_iff in B. split; [exact A|]. split; [exact B|]. intros s ->. exact C.
Qed.
Lemma first_paired {A B} (l : list A) : forall (k : list B) a, length l = length k -> In a l -> exists b, In (a, b) (List.combine l k).
Proof. induction l as [|x l IH]; intros [|y k] a L I; try discriminate; [destruct I|]. destruct I as [->|I]; [exists y; left; reflexivity|]. injection L as L. destruct (IH k a L I) as (b & J). exists b. right. exact J. Qed.
Lemma child_node d k : In (Sorts.Child k) (Inputs.links_of P d) -> FoldedMembers.is_node P k = true.
Proof.
  intros I. assert (Nd : FoldedMembers.is_node P d = true) by (unfold FoldedMembers.is_node; unfold Inputs.links_of in I; destruct (Programs.origin_of _); try (destruct I; fail); reflexivity).
  destruct (node_declared d Nd) as (x & ks & _ & _ & Li & y & _ & Le & F). rewrite Li in I. apply in_map_iff in I as (l & El & I). destruct (first_paired ks (fields y) l Le I) as (f & J). destruct (F _ _ J) as (_ & _ & C). destruct l; try discriminate. cbn [Translated.link_of] in El. injection El as <-.
  specialize (C _ eq_refl). apply named_origin in C as (o & Eo & C). unfold FoldedMembers.is_node. rewrite Eo. destruct o; discriminate || reflexivity.
Qed.
Lemma node_fields d : FoldedMembers.is_node P d = true -> Forall2 Entries.link_fits (Programs.layout_fields (Machine.layout_of_declaration P d)) (Inputs.links_of P d).
Proof.
  intros Nd. destruct (node_declared d Nd) as (x & ks & Nx & _ & Li & y & Ly & Le & F). rewrite Li. assert (Ld : Machine.layout_of_declaration P d = Translated.layout_of y).
  { rewrite <- (Nat2N.id d) in Nx |- *. unfold Machine.layout_of_declaration. rewrite (named_here _ x Nx). unfold P. cbn [Translated.program_of Programs.layouts Translated.object_of Programs.layout_of]. exact (nth_error_nth _ _ _ (map_nth_error Translated.layout_of _ _ Ly)). }
  rewrite Ld. cbn [Translated.layout_of Programs.layout_fields]. clear - Le F. revert F Le. generalize (fields y). induction ks as [|l ks IH]; intros [|f fs] F Le; try discriminate; cbn [List.map]; constructor.
  - destruct (F l f (or_introl eq_refl)) as (A & B & _). unfold Entries.link_fits. cbn [Translated.field_of Programs.holds]. destruct l; try discriminate; destruct (field_type f); try discriminate; exact Logic.I.
  - apply IH; [intros k g I; apply F; right; exact I | injection Le; auto].
Qed.
Lemma inputs_locals : Tidy.locals_formed P.
Proof.
  split.
  - intros i d I J. pose proof (inputs_given_ i d I J) as O. unfold Tidy.is_local. destruct i; try (rewrite O; reflexivity). unfold FoldedMembers.is_node in O. destruct (Programs.origin_of _); discriminate || reflexivity.
  - intros d k I. apply child_node in I. unfold FoldedMembers.is_node in I. unfold Tidy.is_local. destruct (Programs.origin_of _); discriminate || reflexivity.
  - intros r d b f I. apply formed_instruction in I as ([] & [= -> -> -> ->] & F). cbn [is_instruction_formed] in F. apply andb_prop in F as [F _]. apply named_origin in F as (o & Eo & F). unfold Tidy.is_local. rewrite Eo. destruct o; discriminate || reflexivity.
  - intros d [I|I]; apply formed_instruction in I as ([] & [= ->] & F); apply named_origin in F as (o & Eo & F); unfold Tidy.is_local; rewrite Eo; destruct o; discriminate || reflexivity.
Qed.
Lemma inputs_types : Typed.types_formed P.
Proof.
  split.
  - intros r op a b I. apply formed_instruction in I as ([] & [= -> -> -> ->] & F). cbn [is_instruction_formed] in F. apply existsb_exists in F as (T & _ & F).
    apply andb_prop in F as [F Fb]. apply andb_prop in F as [F Fa]. apply andb_prop in F as [Ft Nb]. exists T. split; [exact (type_holds _ _ Ft)|].
    split; [intros ->; discriminate|]. split; [apply operand_holds; exact Fa|]. destruct op0; auto; apply operand_holds; exact Fb.
  - intros r q I. apply formed_instruction in I as ([] & [= -> ->] & F). exact (type_holds _ _ F).
  - intros r q p z I. apply formed_instruction in I as ([] & [= -> -> -> ->] & F). exact (type_holds _ _ F).
Qed.
Lemma inputs_memory : Bounds.memory_formed P.
Proof.
  split.
  - intros l I. apply in_map_iff in I as (x & <- & I). assert (H : forallb (fun l => 1 <=? element_size l) (layouts Q) = true) by (apply one_of; simpl; auto 8).
    rewrite forallb_forall in H. specialize (H x I). apply N.leb_le in H. simpl. lia.
  - intros r d b f I. apply formed_instruction in I as ([] & [= -> -> -> ->] & F). cbn [is_instruction_formed] in F. apply andb_prop in F as [F Fb]. apply named_origin in F as (o & Eo & F).
    split; [unfold Members.has_name; rewrite Eo; destruct o; discriminate || reflexivity | apply operand_holds; exact Fb].
  - intros d n H. destruct (declared_here d) as [O|[O|[[k O]|[(x & m & cs & a & _ & _ & O)|(x & ks & _ & _ & O)]]]]; rewrite O in H; try discriminate. injection H as <-. lia.
Qed.
Lemma static_declared d n cs a : Programs.origin_of (Machine.declaration_of P d) = Programs.Static n cs a -> exists x l n' cs', List.nth_error (objects Q) d = Some x /\ n = Z.of_N n' /\ cs = List.map Translated.contents_of cs' /\
  Programs.layout_fields (Machine.layout_of_declaration P d) = List.map Translated.field_of (fields l) /\ length cs' = length (fields l) /\ forall f c, In (f, c) (List.combine (fields l) cs') -> are_contents_right Q n' (f, c) = true.
Proof.
  intros O. destruct (declared_here d) as [O'|[O'|[[m O']|[(x & m & cs' & a' & Nx & Or & O')|(x & ks & _ & _ & O')]]]]; rewrite O' in O; try discriminate. injection O as <- <- _. pose proof (static_objects x (List.nth_error_In _ _ Nx)) as F. unfold is_static_formed in F. rewrite Or in F.
  destruct (List.nth_error (layouts Q) _) as [l|] eqn:Ly; [|discriminate]. apply andb_prop in F as [Le F]. apply Nat.eqb_eq in Le. rewrite forallb_forall in F. exists x, l, m, cs'. split; [exact Nx|]. split; [reflexivity|]. split; [reflexivity|]. split; [|split; [exact Le | intros f c I; exact (F (f, c) I)]].
  rewrite <- (Nat2N.id d) in Nx |- *. unfold Machine.layout_of_declaration. rewrite (named_here _ x Nx). unfold P. cbn [Translated.program_of Programs.layouts Translated.object_of Programs.layout_of]. rewrite (nth_error_nth _ _ _ (map_nth_error Translated.layout_of _ _ Ly)). reflexivity.
Qed.
Lemma static_is d : static_at Q d = true -> Inputs.is_static_declaration (Machine.declaration_of P (N.to_nat d)) = true.
Proof. unfold static_at. destruct (List.nth_error (objects Q) (N.to_nat d)) as [x|] eqn:Nx; [|discriminate]. intros S. rewrite (named_here d x Nx). unfold Inputs.is_static_declaration. cbn [Translated.object_of Programs.origin_of]. destruct (Certificates.origin_of x); discriminate || reflexivity. Qed.
Lemma pointers_right n ds cs fs : In (Programs.Pointers ds) (List.map Translated.contents_of cs) -> length cs = length fs -> (forall f c, In (f, c) (List.combine fs cs) -> are_contents_right Q n (f, c) = true) ->
  (Z.of_nat (length ds) <= Z.of_N n)%Z /\ forall t, In (Some t) ds -> Inputs.is_static_declaration (Machine.declaration_of P t) = true.
Proof.
  intros I Le F. apply in_map_iff in I as (c & Ec & I). apply In_nth_error in I as (k & I). destruct (List.nth_error fs k) as [g|] eqn:Ng; [|apply nth_error_None in Ng; assert (k < length cs)%nat by (apply nth_error_Some; congruence); lia].
  pose proof (F g c (Reads.both_at _ _ _ _ _ Ng I)) as R. destruct c as [|t|os]; try discriminate. cbn [Translated.contents_of] in Ec. injection Ec as <-. unfold are_contents_right in R. cbn [fst snd] in R. destruct (field_type g); [discriminate|]. apply andb_prop in R as [Cn R]. apply N.eqb_eq in Cn. rewrite count_length in Cn. rewrite forallb_forall in R.
  split; [rewrite map_length; lia|]. intros t J. apply in_map_iff in J as ([o|] & Eo & J); [|discriminate]. injection Eo as <-. apply static_is. exact (R _ J).
Qed.
Lemma inputs_contents : Entries.contents_formed P.
Proof.
  split; intros d.
  - intros k cs a O. apply static_declared in O as (x & l & n & cs' & _ & -> & -> & Lf & Le & F). split; [lia|]. rewrite Lf. clear - F Le. revert cs' F Le. generalize (fields l). induction l0 as [|f fs IH]; intros [|c cs] F Le; try discriminate; cbn [List.map]; constructor.
    + pose proof (F f c (or_introl eq_refl)) as R. unfold are_contents_right in R. cbn [fst snd] in R. unfold Entries.contents_fit. cbn [Translated.field_of Programs.holds]. destruct c as [|t|os], (field_type f) as [T|]; cbn [Translated.contents_of Translated.type_of]; try discriminate; try exact Logic.I.
      destruct (List.nth_error (tables Q) (N.to_nat t)) as [b|] eqn:Nb; [|discriminate]. apply andb_prop in R as [_ R]. exists (Translated.table_of b). split; [unfold P; cbn [Translated.program_of Programs.tables]; exact (map_nth_error _ _ _ Nb)|]. apply Forall_forall. intros z I. rewrite forallb_forall in R. apply is_within_iff. exact (R z I).
    + apply IH; [intros g k I; apply F; right; exact I | injection Le; auto].
  - intros l O. pose proof (node_fields d) as F. unfold FoldedMembers.is_node, Inputs.links_of in F. rewrite O in F. exact (F eq_refl).
  - intros k cs a ds O I. apply static_declared in O as (x & l & n & cs' & _ & -> & -> & _ & Le & F). exact (pointers_right n ds cs' (fields l) I Le F).
Qed.
Lemma inputs_targets : Recognised.targets_formed P.
Proof. intros d n cs a ds t O I J. apply static_declared in O as (x & l & n' & cs' & _ & -> & -> & _ & Le & F). exact (proj2 (pointers_right n' ds cs' (fields l) I Le F) t J). Qed.
Lemma inputs_nodes us k ts : Planting.nodes_formed P (ContentsDrawn.trees_of (setting_of Q us k ts)).
Proof.
  split.
  - intros d Nd. destruct (node_declared d Nd) as (x & ks & Nx & Or & Li & _). unfold ContentsDrawn.trees_of, WellFormed.nodes, own. cbn [setting_of names_in sorts_in names_of objects_of].
    rewrite entries_are, !Closing.at_position_is, Nat2N.id. destruct (N.leb_spec (N.of_nat (length (objects Q))) (N.of_nat d)) as [L|_]; [assert (d < length (objects Q))%nat by (apply nth_error_Some; congruence); lia|].
    rewrite Nx. destruct x as [nm ly o]. cbn in Or. subst o. cbn [List.map]. rewrite Nat2N.id, Li. reflexivity.
  - intros d Nd. destruct (node_declared d Nd) as (x & ks & _ & _ & Li & y & _ & Le & F). rewrite Li. apply Forall_forall. intros l I. apply in_map_iff in I as (k0 & <- & I). destruct (first_paired ks (fields y) k0 Le I) as (f & J). destruct (F _ _ J) as (_ & Np & _). destruct k0; try discriminate; exact Logic.I.
  - exact node_fields.
  - intros d c0 I. exact (child_node d c0 I).
Qed.
Lemma inputs_given : Loading.inputs_formed P.
Proof.
  assert (Rs : flat_map Loading.input_registers (Programs.inputs P) = List.map N.to_nat (registers_of_inputs (inputs Q))).
  { unfold P. cbn [Translated.program_of Programs.inputs]. generalize (inputs Q). induction l as [|i l IH]; [reflexivity|]. cbn [List.map flat_map]. rewrite map_app, IH. destruct i; reflexivity. }
  split.
  - rewrite Rs. apply FinFun.Injective_map_NoDup; [intros a b; apply N2Nat.inj | exact registers_apart].
  - intros r I. rewrite Rs in I. apply in_map_iff in I as (q & <- & I). assert (H : forallb (fun r => r <? count (registers Q)) (registers_of_inputs (inputs Q)) = true) by (apply one_of; simpl; auto 8).
    rewrite forallb_forall in H. specialize (H q I). apply N.ltb_lt in H. rewrite count_length in H. unfold P. cbn [Translated.program_of Programs.registers]. rewrite map_length. lia.
  - intros p n d I. unfold Loading.is_input. rewrite (inputs_given_ _ d I (or_introl eq_refl)). reflexivity.
  - intros p d I. unfold Loading.is_input. rewrite (inputs_given_ _ d I (or_introl eq_refl)). reflexivity.
  - intros p d I. exact (inputs_given_ _ d I (or_introl eq_refl)).
Qed.
End Program.
