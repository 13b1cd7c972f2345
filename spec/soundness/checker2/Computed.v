(** Certificates of files, of whose programs it is proved by computing alone that no execution
    fails: of strlen, whose loop goes through an array of any length, with a template that
    covers by its object; of one that writes zeros and looks at them again; of what leaves
    elements of arrays out, gives integers, reads values and chooses fresh objects; and of lists (spec/calculus.md#theorem). *)
From Coq Require Import List NArith Bool.
From Goatherd Require Import Integers.
From Goatherd Require Herds.
From Goatherd.checker2 Require Import Reasons Certificates Reader Decoding WellFormed Denoting InputSafe Bytes.
Import ListNotations.
Open Scope N_scope.

(** Digests are taken to be what the file says: they say nothing of the program. *)
Definition allowed : limits := {| memory := greatest_u64; work := greatest_u64 |}.
Definition hash_of (file contents : list N) : list N := match header allowed {| left := file; left_count := count file; offset_of := 0; terms_known := no_terms |} with
  | Fine (_, r) => if count contents =? count file - digest_length then skipn (length contents) file else firstn (N.to_nat digest_length) (skipn (N.to_nat (offset_of r)) file)
  | Failed _ => [] end.
Definition read_ (file : list N) : answer subject := decode (hash_of file) allowed file.
Definition shows_safe (file : list N) : bool := match read_ file with
  | Fine (AboutProgram c) => match shows c with OfProof p => shows_statement_safe c p | _ => false end
  | _ => false end.
(** The statement's program, under its parameters. *)
Definition never_fails (c : certificate) : Prop := Herds.safe (Goatherd.Runs.system_of (Translated.program_of (program_of (statement_of c))) (Translated.parameters_of (under (statement_of c)))).
Theorem file_safe file : shows_safe file = true -> exists c, read_ file = Fine (AboutProgram c) /\ never_fails c.
Proof.
  unfold shows_safe. destruct (read_ file) as [[c|m|f]|]; try discriminate. intros H. exists c. split; [reflexivity|]. destruct (shows c) as [p| |]; try discriminate.
  exact (statement_safe c p H).
Qed.
Theorem strlen_safe : exists c, read_ strlen = Fine (AboutProgram c) /\ never_fails c.
Proof. apply file_safe. vm_compute. reflexivity. Qed.
Theorem zeros_safe : exists c, read_ zero_then_check = Fine (AboutProgram c) /\ never_fails c.
Proof. apply file_safe. vm_compute. reflexivity. Qed.
Theorem elements_safe : exists c, read_ add_several_accepted = Fine (AboutProgram c) /\ never_fails c.
Proof. apply file_safe. vm_compute. reflexivity. Qed.
Theorem integers_safe : exists c, read_ tape_accepted = Fine (AboutProgram c) /\ never_fails c.
Proof. apply file_safe. vm_compute. reflexivity. Qed.
(** One that says what a fresh object holds. *)
Theorem contents_safe : exists c, read_ choice_contents_accepted = Fine (AboutProgram c) /\ never_fails c.
Proof. apply file_safe. vm_compute. reflexivity. Qed.
(** One with a lemma that asks for one failure. *)
Theorem lemma_safe : exists c, read_ lemma_new_accepted = Fine (AboutProgram c) /\ never_fails c.
Proof. apply file_safe. vm_compute. reflexivity. Qed.
(** One that gives an integer of which it is not shown that it is in range; one that says too
    much of what a scapegoat has consumed; one whose template has another
    array; one that chooses a cell which is not in range; and one whose lemma names a register that is not there. *)
Theorem twins_refused : shows_safe add_integer_range = false /\ shows_safe tape_count = false /\ shows_safe zero_subsume_array = false /\ shows_safe choice_contents_cell = false /\ shows_safe lemma_new_less = false.
Proof. vm_compute. repeat split. Qed.

(** ** Rings *)

(** A ring that hangs from a node is read; two fields lead to its last cell; a segment is part of
    it. *)
Theorem rings_safe file : In file [ring_accepted; ring_lasts_accepted; ring_segment_accepted] -> exists c, read_ file = Fine (AboutProgram c) /\ never_fails c.
Proof. intros [<-|[<-|[<-|[]]]]; apply file_safe; vm_compute; reflexivity. Qed.
(** Of one a node says that its ring is empty; of others that two cells are the last, or one of
    which nobody knows; one ring ends as a tree does, and one has two ways on. *)
Theorem rings_refused : shows_safe ring_last = false /\ shows_safe ring_lasts = false /\ shows_safe ring_last_forgotten = false /\ shows_safe ring_tree = false /\ shows_safe ring_ways = false.
Proof. vm_compute. repeat split. Qed.

(** ** Linked structures *)

(** One appends a list of any length to another. *)
Theorem list_safe : exists c, read_ list_append = Fine (AboutProgram c) /\ never_fails c.
Proof. apply file_safe. vm_compute. reflexivity. Qed.
(** A template's segment is read of one of a sort that is within its sort; trees below nodes
    that hand pointers down, and on. *)
Theorem parts_safe : forall file, In file [sort_within_segment_accepted; heap_same_accepted; heap_handed_on_accepted] -> exists c, read_ file = Fine (AboutProgram c) /\ never_fails c.
Proof. intros file I. apply file_safe. revert file I. apply Forall_forall. repeat constructor; vm_compute; reflexivity. Qed.
(** One whose hole is read as a part of another sort; one that hands down what is not there, or
    on; one that reads an object twice; and one whose cell does not lead up. *)
Theorem parts_refused : shows_safe sort_within_hole = false /\ shows_safe heap_same_behind = false /\ shows_safe heap_handed_on = false /\ shows_safe heap_shared = false /\ shows_safe heap_up = false.
Proof. vm_compute. repeat split. Qed.
(** Lists without their first, or second, node. *)
Theorem nodes_safe : forall file, In file [heap_without_first; heap_without_second] -> exists c, read_ file = Fine (AboutProgram c) /\ never_fails c.
Proof. intros file I. apply file_safe. revert file I. apply Forall_forall. repeat constructor; vm_compute; reflexivity. Qed.
(** One that puts what is above a node in its place, so that there is a circle; one that leaves
    a node out twice; and one whose scapegoat has the same list. *)
Theorem nodes_refused : shows_safe heap_no_child = false /\ shows_safe heap_left_out_twice = false /\ shows_safe heap_same_input = false.
Proof. vm_compute. repeat split. Qed.

(** ** Leaks *)

(** What is allocated is kept, or freed; a static object keeps it; and of a list without its
    first node nothing is lost. *)
Theorem leaks_safe : forall file, In file [leak_kept_accepted; leak_freed_accepted; leak_static_accepted; leak_smaller_accepted] -> exists c, read_ file = Fine (AboutProgram c) /\ never_fails c.
Proof. intros file I. apply file_safe. revert file I. apply Forall_forall. repeat constructor; vm_compute; reflexivity. Qed.
(** Nothing leads to a node that lives; a template has no node, or no list, where there is one. *)
Theorem leaks_refused : shows_safe leak_node = false /\ shows_safe leak_lost_node = false /\ shows_safe leak_lost_part = false.
Proof. vm_compute. repeat split. Qed.
