(** What the theorem asks for can be had: a program with an array of any length and
    a list, of which it checks that none leaks, its root, and a derivation that
    leaves the last element of the array out. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Herds Integers Terms Refutations Sorts Programs Machine Inputs Runs Existing Tidy Owed Typed Bounds Folding FoldedMembers Configurations FoldedSteps FoldedRules Reached Marking Stepping Derivations Entered Entries Planting Presented Loading Recognised Built Entering Roots Classes Elements LeavingOut Leaving Kept EntryKept RootKept Accepted.
From Goatherd Require Members.
Import ListNotations.
Open Scope Z_scope.

Definition list_links := [Data; Child 1].
Definition P := {|
  registers := [PointerType; IntegerType I32; PointerType];
  layouts := [{| element_size := 4; layout_fields := [{| offset := 0; Programs.holds := IntegerType I32 |}] |};
    {| element_size := 16; layout_fields := [{| offset := 0; Programs.holds := IntegerType I32 |}; {| offset := 8; Programs.holds := PointerType |}] |}];
  objects := [{| layout_of := 0; origin_of := Input |}; {| layout_of := 1; origin_of := LinkedNode list_links |}];
  tables := []; inputs := [ArrayInput 0 1 0; LinkedInput 2 1]; instructions := [CheckLeaks [2%nat]; Halt] |}.
Definition under := {| on_overflow := Wraps; formation := Anywhere; allocating := MayFail |}.
Definition table (s : nat) := {| declaration := 1; entrance := 0; may_be_null := true; shapes := [list_links]; Sorts.named := None |}.

(** ** The program is well-formed *)

Lemma objects_are d : declaration_of P d = {| layout_of := 0; origin_of := Input |} \/ d = 1%nat \/ declaration_of P d = no_declaration.
Proof. destruct d as [|[|[|d]]]; auto. Qed.
Lemma node_is d : is_node P d = true -> d = 1%nat.
Proof. unfold is_node. destruct (objects_are d) as [E|[E|E]]; auto; rewrite E; discriminate. Qed.
Lemma nodes_right : nodes_formed P table.
Proof.
  split.
  - intros d N. apply node_is in N as ->. reflexivity.
  - intros d N. apply node_is in N as ->. repeat constructor.
  - intros d N. apply node_is in N as ->. repeat constructor.
  - intros d c. unfold links_of. destruct (objects_are d) as [E|[->|E]]; [rewrite E; intros [] | | rewrite E; intros []]. simpl. intros [E|[[= <-]|[]]]; [discriminate | reflexivity].
Qed.
Lemma inputs_right : Loading.inputs_formed P.
Proof.
  split; simpl.
  - repeat constructor; simpl; intuition discriminate.
  - intros r. intuition; subst; simpl; lia.
  - intros p n d [[= <- <- <-]|[E|[]]]; [reflexivity | discriminate].
  - intros p d [E|[E|[]]]; discriminate.
  - intros p d [E|[[= <- <-]|[]]]; [discriminate | reflexivity].
Qed.
Lemma static_none d c cs a : origin_of (declaration_of P d) <> Static c cs a.
Proof. destruct (objects_are d) as [E|[->|E]]; [rewrite E | | rewrite E]; discriminate. Qed.
Lemma contents_ok : contents_formed P.
Proof.
  split.
  - intros d c cs a E. destruct (static_none _ _ _ _ E).
  - intros d l. destruct (objects_are d) as [E|[->|E]]; [rewrite E; discriminate | | rewrite E; discriminate]. intros [= <-]. repeat constructor.
  - intros d c cs a ds E. destruct (static_none _ _ _ _ E).
Qed.
Lemma not_local d : is_local P d = false.
Proof. unfold is_local. destruct (objects_are d) as [E|[->|E]]; [rewrite E | | rewrite E]; reflexivity. Qed.
Lemma locals_ok : locals_formed P.
Proof. split; intros; auto using not_local; simpl in *; intuition discriminate. Qed.
Lemma types_ok : types_formed P.
Proof. split; simpl; intros; intuition discriminate. Qed.
Lemma memory_ok : memory_formed P.
Proof.
  split; simpl.
  - intros l [<-|[<-|[]]]; simpl; lia.
  - intros; intuition discriminate.
  - intros d c. destruct (objects_are d) as [E|[->|E]]; [rewrite E | | rewrite E]; discriminate.
Qed.

(** ** Its root *)

Definition n := Var (Some I32) 0.
Definition first_state := {| place_of := 0;
  slots := [Plain (Members.PointerSlot 0 (Constant 0) 0); Plain (Members.IntegerSlot n); RootOf 0];
  named := [Some {| kind := 0; life_of := Live; begins := Constant 0; ends := n;
    contents := [{| apart := [Plain (Members.IntegerSlot (Var (Some I32) 1))]; rest := Some (ArrayVar I32 0) |}] |}; None];
  parts := [Some {| symbol := 0; above := Plain Members.NullSlot; alongside := forgotten; below := Plain Members.NullSlot |}] |}.
Definition bounds := [AtMost (Minus (Constant 0) n); AtMost (Minus n (Constant (greatest_count P 0)))].
Definition root := {| body := {| variables := 2; symbols := [TreeOf 1]; predicate := bounds; primary := newcomer first_state; others := [] |}; at_entry := first_state |}.
(** Nothing is lost where the array is the only object, and the list hangs from its
    register. *)
Lemma list_kept m : slot_at m 2 = RootOf 0 -> (forall o x, object_named m o = Some x -> kind x = 0%nat) -> (forall f q, part_named m f = Some q -> f = 0%nat) -> nothing_lost P m [2%nat].
Proof.
  intros S O F. split.
  - intros o x (E & _ & W). rewrite (O o x E) in W. discriminate.
  - intros f q E. rewrite (F f q E), <- S. apply met_root. simpl. auto.
Qed.
Lemma first_kept : nothing_lost P first_state [2%nat].
Proof.
  apply list_kept; [reflexivity | |].
  - intros [|[|[|o]]] x E; simpl in E; try discriminate. injection E as <-. reflexivity.
  - intros [|[|f]] q E; simpl in E; try discriminate. reflexivity.
Qed.
Lemma root_is : is_root P root [AtLeast 0; Only].
Proof.
  split.
  - split; [reflexivity | split; [reflexivity | intros _; exact first_kept]].
  - reflexivity.
  - intros nu. split; try reflexivity.
    + intros r L N. simpl in L, N. destruct r as [|[|[|r]]]; [destruct N; auto | destruct N; auto | destruct N; auto | lia].
    + intros d c cs a E. destruct (static_none _ _ _ _ E).
  - exists [(I32, 0%nat); (I32, 1%nat)], [(I32, 0%nat)], [0%nat], [inl 0%nat; inr 0%nat]. split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]].
    + change ([(I32, 0%nat); (I32, 1%nat)], [(I32, 0%nat)], [0%nat]) with (joined ([(I32, 0%nat); (I32, 1%nat)], [(I32, 0%nat)], []) (joined ([], [], [0%nat]) ([], [], []))).
      change (predicate (body root)) with (bounds ++ [] ++ []). change [@inl nat nat 0%nat; inr 0%nat] with ([@inl nat nat 0%nat] ++ [inr 0%nat] ++ []). constructor; [|constructor; [|constructor]].
      * set (fs := [{| of_field := 0; of_type := I32; of_cells := [1%nat]; of_rest := Some 0%nat |}]).
        apply (unsized_root P [TreeOf 1] first_state 0 1 0 {| kind := 0; life_of := Live; begins := Constant 0; ends := n;
          contents := [{| apart := [Plain (Members.IntegerSlot (Var (Some I32) 1))]; rest := Some (ArrayVar I32 0) |}] |} fs 0 I32 0 bounds); try reflexivity.
        -- split; reflexivity.
        -- split; try reflexivity. apply (fresh_integers 0 _ [] I32 [1%nat] (Some 0%nat) [] []); [reflexivity | constructor].
        -- repeat constructor. discriminate.
        -- apply incl_refl.
      * apply (linked_root P [TreeOf 1] first_state 2 1 0 0); reflexivity.
    + repeat constructor; simpl; intuition discriminate.
    + repeat constructor; auto.
    + repeat constructor; auto.
    + repeat constructor; simpl; intuition discriminate.
    + intros [|[|y]] s E; simpl in E; try discriminate. simpl. auto.
    + intros [|[|[|o]]] x E; simpl in E; try discriminate. simpl. auto.
    + intros [|[|f]] q E; simpl in E; try discriminate. simpl. auto.
Qed.
Lemma root_is_bare : root_bare P root.
Proof.
  split.
  - intros [|[|[|o]]] z E; simpl in E; try discriminate. injection E as <-. reflexivity.
  - intros nu [W M] p m d I t E. simpl in I. destruct I as [[= <- <- <-]|[I|[]]]; [|discriminate]. injection E as <-. split; [apply (proj1 W)|].
    inversion_clear M as [|? ? A M']. inversion_clear M' as [|? ? B _]. cbn [Terms.holds eval Minus n] in A, B |- *. lia.
Qed.

(** ** A derivation *)

Definition shorter := last_left_out first_state 0 1 0 n {| kind := 0; life_of := Live; begins := Constant 0; ends := n;
  contents := [{| apart := [Plain (Members.IntegerSlot (Var (Some I32) 1))]; rest := Some (ArrayVar I32 0) |}] |}.
(** The primary checks for leaks, and ends. *)
Lemma checked c : stands (primary c) = At first_state -> in_scope (follow_primary P 1 c first_state (exactly [] (GoesTo 1))) = true -> derived P under 1 table [] true c.
Proof.
  intros S Sc. set (d := follow_primary P 1 c first_state (exactly [] (GoesTo 1))) in *.
  apply (by_step P under 1 table [] true c first_state [exactly [] (GoesTo 1)] [d]); [exact S | | | |].
  - right. exists [2%nat], false. split; [reflexivity|]. split; [exact first_kept | reflexivity].
  - intros o [<-|[]]. reflexivity.
  - intros o [<-|[]]. right. split; [simpl; auto | exact Sc].
  - intros c' [<-|[]]. apply (by_end P under 1 table [] true d (goes 1 first_state)); [reflexivity | exact I].
Qed.
Lemma root_derived : grows P under 1 table [] true root.
Proof.
  apply (grows_split P under 1 table [] true root (AtMost n)); try reflexivity.
  - apply grows_forgets, checked; reflexivity.
  - match goal with |- grows _ _ _ _ _ _ ?c => apply (grows_add P under 1 table [] true c Smaller shorter) end.
    + reflexivity.
    + intros _. apply list_kept; [reflexivity | |].
      * intros [|[|[|o]]] x E; simpl in E; try discriminate. injection E as <-. reflexivity.
      * intros [|[|f]] q E; simpl in E; try discriminate. reflexivity.
    + unfold shorter. match goal with |- leaves _ ?c _ _ => apply (leaves_last P c NotLarger first_state 0 1 0 n); [exact (leaves_nothing P c) | simpl; auto | reflexivity | reflexivity|] end.
      intros nu [W M]. inversion_clear M as [|? ? A _]. cbn [Terms.holds eval Minus n negation begins ends] in A |- *. lia.
    + apply grows_forgets, checked; reflexivity.
Qed.
Theorem program_safe : safe (system_of P under).
Proof.
  refine (grown_safe P under 1 table nodes_right inputs_right _ contents_ok _ locals_ok _ _ _ types_ok memory_ok _ 1 OneClass [] [root] _ _ _).
  - intros p m d I. simpl in I. destruct I as [[= <- <- <-]|[I|[]]]; [reflexivity | discriminate].
  - intros d c cs a ds t E. destruct (static_none _ _ _ _ E).
  - intros s. reflexivity.
  - intros s ls [<-|[]]. reflexivity.
  - intros s N. destruct N. reflexivity.
  - intros r d [E|[E|[]]]; discriminate.
  - intros c [].
  - intros c [<-|[]]. exact root_derived.
  - split.
    + intros cls I. simpl in I. destruct I as [<-|[]]. exists root. split; [simpl; auto | exact root_is].
    + intros c [<-|[]]. exists [AtLeast 0; Only]. split; [exact root_is | exact root_is_bare].
Qed.
