(** What the elements of objects lead to (spec/program.md#check-leaks): which
    objects are found depends on what elements hold alone, and not on how a
    state keeps it.  An invariant of executions. *)
From Coq Require Import List ZArith Bool Lia.
From Goatherd Require Import Integers Sorts Programs Machine Inputs Existing Tidy Alike Owed Bounds Leaks.
From Goatherd Require FoldedMembers.
Import ListNotations.
Open Scope Z_scope.

(** ** What is kept of an object is of its elements *)

Lemma find_in i l v : find_written i l = Some v -> In (i, v) l.
Proof. induction l as [|[j w] l IH]; simpl; [discriminate|]. destruct (Z.eqb_spec i j) as [->|]; [intros [= ->]; auto | auto]. Qed.
Lemma find_once i v l : NoDup (map fst l) -> In (i, v) l -> find_written i l = Some v.
Proof.
  induction l as [|[j w] l IH]; simpl; [intros _ []|]. intros N I. inversion_clear N as [|? ? Nj Nl]. destruct I as [[= -> ->]|I]; [rewrite Z.eqb_refl; reflexivity|].
  destruct (Z.eqb_spec i j) as [->|]; auto. destruct Nj. apply in_map_iff. exists (j, v). auto.
Qed.
Lemma find_none_in i l : find_written i l = None -> ~ In i (map fst l).
Proof. induction l as [|[j w] l IH]; simpl; [auto|]. destruct (Z.eqb_spec i j); [discriminate|]. intros H [->|I]; [congruence | apply IH; auto]. Qed.
(** Numbers from lo on. *)
Definition numbers lo n := map (fun k => lo + Z.of_nat k) (seq 0 n).
Lemma in_numbers lo n i : In i (numbers lo n) <-> lo <= i < lo + Z.of_nat n.
Proof.
  unfold numbers. rewrite in_map_iff. split.
  - intros (k & <- & I). apply in_seq in I. lia.
  - intros B. exists (Z.to_nat (i - lo)). split; [lia | apply in_seq; lia].
Qed.
Lemma once_bounded l lo hi : NoDup l -> (forall i, In i l -> lo <= i < hi) -> l <> [] -> Z.of_nat (length l) <= hi - lo.
Proof.
  intros N B E. assert (L : lo < hi) by (destruct l as [|i l]; [congruence | specialize (B i (or_introl eq_refl)); lia]).
  pose proof (NoDup_incl_length N (l' := numbers lo (Z.to_nat (hi - lo)))) as X. unfold numbers in X. rewrite map_length, seq_length in X.
  assert (I : incl l (map (fun k => lo + Z.of_nat k) (seq 0 (Z.to_nat (hi - lo))))) by (intros i I; apply in_numbers; specialize (B i I); lia). specialize (X I). lia.
Qed.
Lemma one_left l lo hi : Z.of_nat (length l) < hi - lo -> exists i, lo <= i < hi /\ ~ In i l.
Proof.
  intros L. assert (N : NoDup (numbers lo (Z.to_nat (hi - lo)))) by (apply FinFun.Injective_map_NoDup; [intros a b; lia | apply seq_NoDup]).
  destruct (in_dec Z.eq_dec lo l) as [_|Nl]; [|exists lo; split; [lia | exact Nl]].
  destruct (existsb (fun i => negb (if in_dec Z.eq_dec i l then true else false)) (numbers lo (Z.to_nat (hi - lo)))) eqn:E.
  - apply existsb_exists in E as (i & I & E). apply in_numbers in I. exists i. split; [lia|]. destruct (in_dec Z.eq_dec i l); [discriminate | auto].
  - exfalso. assert (I : incl (numbers lo (Z.to_nat (hi - lo))) l).
    { intros i I. destruct (in_dec Z.eq_dec i l) as [J|J]; auto. assert (X : existsb (fun i => negb (if in_dec Z.eq_dec i l then true else false)) (numbers lo (Z.to_nat (hi - lo))) = true); [|congruence].
      apply existsb_exists. exists i. split; auto. destruct (in_dec Z.eq_dec i l); [contradiction | auto]. }
    pose proof (NoDup_incl_length N I) as X. unfold numbers in X. rewrite map_length, seq_length in X. lia.
Qed.
Lemma leads_from_reads x c o : cells_inside x c -> In o (leads_from x c) <-> exists i, between x i /\ In o (pointees_of (read c i)).
Proof.
  intros [N W L]. unfold leads_from. rewrite in_app_iff, in_flat_map. rewrite Forall_forall in W. split.
  - intros [((i & v) & I & P)|H].
    + exists i. split; [apply (W _ I)|]. unfold read. rewrite (find_once i v _ N I). exact P.
    + destruct (initially c) as [v|l|f] eqn:E.
      * destruct (Z.ltb_spec (Z.of_nat (length (written c))) (upper x - lower x)) as [B|B]; [|destruct H].
        destruct (one_left (map fst (written c)) (lower x) (upper x)) as (i & Bi & Ni); [rewrite map_length; lia|]. exists i. split; [exact Bi|].
        unfold read. destruct (find_written i (written c)) as [w|] eqn:F; [destruct Ni; apply find_in in F; apply in_map_iff; exists (i, w); auto|]. rewrite E. exact H.
      * apply in_flat_map in H as ((k & v) & I & P). simpl in P. destruct (is_written c (Z.of_nat k)) eqn:Iw; [destruct P|].
        assert (En : nth_error l k = Some v).
        { clear - I. assert (X : forall a, In (k, v) (combine (seq a (length l)) l) -> (a <= k)%nat /\ nth_error l (k - a) = Some v).
          { clear. induction l as [|y l IH]; intros a; simpl; [intros []|]. intros [[= <- <-]|J]; [rewrite Nat.sub_diag; auto|]. destruct (IH (S a) J) as [A B]. split; [lia|].
            replace (k - a)%nat with (S (k - S a)) by lia. exact B. }
          destruct (X O I) as [_ Y]. rewrite Nat.sub_0_r in Y. exact Y. }
        exists (Z.of_nat k). split; [eapply L; eauto; intros Z0; rewrite Z0 in P; destruct P|]. unfold read, is_written in *. destruct (find_written _ _); [discriminate|]. rewrite E.
        simpl. destruct (Z.leb_spec 0 (Z.of_nat k)); [|lia]. rewrite Nat2Z.id, (nth_error_nth _ _ _ En). exact P.
      * destruct H.
  - intros (i & B & P). unfold read in P. destruct (find_written i (written c)) as [v|] eqn:F; [left; exists (i, v); split; [apply find_in; exact F | exact P]|].
    right. destruct (initially c) as [v|l|f]; simpl in P.
    + destruct (Z.ltb_spec (Z.of_nat (length (written c))) (upper x - lower x)) as [L1|L1]; [exact P|]. exfalso.
      assert (X : Z.of_nat (length (i :: map fst (written c))) <= upper x - lower x); [|simpl in X; rewrite map_length in X; unfold between in B; lia].
      apply once_bounded; [constructor; [apply find_none_in; exact F | exact N] | | discriminate]. intros j [<-|J]; [exact B|]. apply in_map_iff in J as (p & <- & J). apply (W _ J).
    + destruct (Z.leb_spec 0 i); [|destruct P]. apply in_flat_map. exists (Z.to_nat i, nth (Z.to_nat i) l Uninitialised).
      destruct (nth_error l (Z.to_nat i)) as [v|] eqn:E; [|apply nth_error_None in E; rewrite nth_overflow in P by exact E; destruct P]. rewrite (nth_error_nth _ _ _ E) in P |- *. split.
      * clear - E. assert (X : forall k a, nth_error l k = Some v -> In ((a + k)%nat, v) (combine (seq a (length l)) l)).
        { clear. induction l as [|y l IH]; intros [|k] a; simpl; try discriminate; [intros [= ->]; rewrite Nat.add_0_r; auto|]. intros H. right. replace (a + S k)%nat with (S a + k)%nat by lia. apply IH. exact H. }
        apply (X _ O E).
      * simpl. unfold is_written. rewrite Z2Nat.id by lia. rewrite F. exact P.
    + destruct P.
Qed.

(** ** What is found *)

Lemma leads_on_reads s o o' : inside_state s -> In o' (leads_on s o) <->
  alive (object_at s o) = Live /\ exists f i, between (object_at s o) i /\ In o' (pointees_of (read (field_of (object_at s o) f) i)).
Proof.
  intros In_. specialize (In_ o). unfold all_inside in In_. rewrite Forall_forall in In_. unfold leads_on, is_live. destruct (alive (object_at s o)).
  - rewrite in_flat_map. split.
    + intros (c & Ic & I). split; auto. destruct (In_nth _ _ no_cells Ic) as (f & _ & E). apply (leads_from_reads _ _ _ (In_ c Ic)) in I as (i & B & P).
      exists f, i. split; auto. unfold field_of. rewrite E. exact P.
    + intros (_ & f & i & B & P). unfold field_of in P. destruct (nth_in_or_default f (fields_of (object_at s o)) no_cells) as [I|E].
      * exists (nth f (fields_of (object_at s o)) no_cells). split; auto. apply (leads_from_reads _ _ _ (In_ _ I)). exists i. auto.
      * rewrite E in P. destruct P.
  - split; [intros [] | intros [X _]; discriminate].
Qed.

Section Found.
Variable P : program.

Notation owed := (owed P).
Lemma owed_is s o : is_owed P s o = true <-> owed s o.
Proof.
  unfold is_owed, owed, is_owed_kind, is_live. destruct (origin_of _); destruct (alive _); split; auto; try discriminate; try (intros [A B]; discriminate).
Qed.

Section State.
Variables (s : state) (roots : list nat).
Inductive found : nat -> Prop :=
| found_root r o : In r roots -> In o (pointees_of (register s r)) -> found o
| found_static o : alive (object_at s o) = Live -> is_static_kind P (declared (object_at s o)) = true -> found o
| found_next o f i o' : found o -> alive (object_at s o) = Live -> between (object_at s o) i -> In o' (pointees_of (read (field_of (object_at s o) f) i)) -> found o'.
Hypothesis inside : inside_state s.

(** The machine says of dead static objects too that they are led to: these lead
    nowhere. *)
Lemma leads_found o : leads_to P s roots o -> found o \/ alive (object_at s o) = Dead.
Proof.
  induction 1 as [r o I J | o L S | o o' _ IH I].
  - left. eapply found_root; eauto.
  - destruct (alive (object_at s o)) eqn:A; auto. left. apply found_static; auto.
  - apply (leads_on_reads s o o' inside) in I as (A & f & i & B & I). destruct IH as [F|D]; [|congruence]. left. eapply found_next; eauto.
Qed.
Lemma found_leads o : found o -> leads_to P s roots o.
Proof.
  induction 1 as [r o I J | o A S | o f i o' _ IH A B I].
  - eapply from_root; eauto.
  - apply from_static; [apply live_exists; exact A | exact S].
  - eapply from_field; [exact IH|]. apply (leads_on_reads s o o' inside). split; auto. exists f, i. auto.
Qed.
Hypothesis exist : pointers_exist s.
(** [CheckLeaks] fails if and only if an object that is owed is not found. *)
Theorem leaks_exactly : (exists o, owed s o /\ ~ found o) -> check_leaks P s roots = fails Leak.
Proof.
  intros (o & W & N). apply check_leaks_fails; [exact exist|]. exists o. split; [apply live_exists, W|]. split; [apply owed_is; exact W|].
  intros L. apply leads_found in L as [L|L]; [contradiction|]. destruct W as [A _]. congruence.
Qed.
Theorem no_leaks_exactly : (forall o, owed s o -> found o) -> check_leaks P s roots = Ok (next_location s).
Proof.
  intros F. unfold check_leaks. cbv zeta. destruct (existsb _ _) eqn:E; auto. exfalso.
  assert (X : check_leaks P s roots = fails Leak) by (unfold check_leaks; cbv zeta; rewrite E; reflexivity).
  apply check_leaks_fails in X as (o & _ & W & N); [|exact exist]. apply N, found_leads, F, owed_is. exact W.
Qed.
(** One or the other. *)
Lemma found_or_lost : (forall o, owed s o -> found o) \/ exists o, owed s o /\ ~ found o.
Proof.
  destruct (existsb (fun o => is_owed P s o && negb (mem o (reached P s roots))) (all_objects s)) eqn:E.
  - right. apply existsb_exists in E as (o & _ & E). apply andb_prop in E as [W N]. exists o. split; [apply owed_is; exact W|]. intros F.
    apply found_leads, reached_exactly, mem_in in F; [|exact exist]. rewrite F in N. discriminate.
  - left. intros o W. destruct (mem o (reached P s roots)) eqn:Me.
    + apply mem_in, reached_exactly in Me; [|exact exist]. apply leads_found in Me as [F|D]; [exact F|]. destruct W as [A _]. congruence.
    + exfalso. assert (X : existsb (fun o => is_owed P s o && negb (mem o (reached P s roots))) (all_objects s) = true); [|congruence].
      apply existsb_exists. exists o. split; [apply in_seq; pose proof (live_exists s o (proj1 W)); lia|]. apply owed_is in W. rewrite W, Me. reflexivity.
Qed.
End State.

(** *** States that are alike *)

Section Alike.
Variables (rho : renaming) (g s : state) (roots : list nat).
Hypothesis same : alike (FoldedMembers.everything P) rho g s.
Hypothesis by_name : FoldedMembers.lives_by_name P g.
Hypothesis mapped : all_mapped P rho g s.
Lemma pointees_alike v w o : value_alike rho v w -> In o (pointees_of v) -> exists p k, rho o = Some (p, k) /\ In p (pointees_of w).
Proof. destruct v as [| | |q], w as [| | |q']; simpl; try contradiction. intros (k & R & _) [<-|[]]. exists (target q'), k. auto. Qed.
Lemma pointees_alike_back v w p : value_alike rho v w -> In p (pointees_of w) -> exists o k, rho o = Some (p, k) /\ In o (pointees_of v).
Proof. destruct v as [| | |q], w as [| | |q']; simpl; try contradiction. intros (k & R & _) [<-|[]]. exists (target q), k. auto. Qed.
Lemma found_alike o : found g roots o -> exists p k, rho o = Some (p, k) /\ found s roots p.
Proof.
  induction 1 as [r o I J | o A S | o f i o' _ (p & k & R & F) A B I].
  - destruct (pointees_alike _ _ _ (same_registers _ _ _ _ same r Logic.I) J) as (p & k & R & I'). exists p, k. split; auto. eapply found_root; eauto.
  - assert (N : FoldedMembers.has_name P (declared (object_at g o)) = true) by (unfold FoldedMembers.has_name; unfold is_static_kind in S; destruct (origin_of _); auto).
    pose proof (same_names _ _ _ _ same _ N) as X. rewrite (by_name o A N) in X. simpl in X.
    destruct (nth (declared (object_at g o)) (current s) None) as [p|]; [|destruct X]. destruct X as (k & R). exists p, k. split; auto.
    pose proof (same_object_states _ _ _ _ same _ _ _ R) as [D V _ _ _ _]. apply found_static; congruence.
  - pose proof (same_object_states _ _ _ _ same _ _ _ R) as [D V Lo Up _ C].
    destruct (pointees_alike _ _ _ (C A f i B Logic.I) I) as (p' & k' & R' & I'). exists p', k'. split; auto.
    eapply found_next; [exact F | congruence | | exact I']. unfold between in *. lia.
Qed.
Lemma found_alike_back p : found s roots p -> exists o k, rho o = Some (p, k) /\ found g roots o.
Proof.
  induction 1 as [r p I J | p A S | p f i p' _ (o & k & R & F) A B I].
  - destruct (pointees_alike_back _ _ _ (same_registers _ _ _ _ same r Logic.I) J) as (o & k & R & I'). exists o, k. split; auto. eapply found_root; eauto.
  - destruct (mapped_to _ _ _ _ mapped p A (or_intror S)) as (o & k & R). exists o, k. split; auto.
    pose proof (same_object_states _ _ _ _ same _ _ _ R) as [D V _ _ _ _]. apply found_static; congruence.
  - pose proof (same_object_states _ _ _ _ same _ _ _ R) as [D V Lo Up _ C].
    assert (A' : alive (object_at g o) = Live) by congruence. assert (B' : between (object_at g o) (i - k)) by (unfold between in *; lia).
    pose proof (C A' f (i - k) B' Logic.I) as X. replace (i - k + k) with i in X by lia.
    destruct (pointees_alike_back _ _ _ X I) as (o' & k' & R' & I'). exists o', k'. split; auto. eapply found_next; eauto.
Qed.
(** So nothing is lost in the one if nothing is in the other. *)
Theorem all_found_alike : (forall o, owed g o -> found g roots o) -> forall p, owed s p -> found s roots p.
Proof.
  intros F p [A W]. destruct (mapped_to _ _ _ _ mapped p A (or_introl W)) as (o & k & R). pose proof (same_object_states _ _ _ _ same _ _ _ R) as [D V _ _ _ _].
  destruct (found_alike o) as (p' & k' & R' & F'); [apply F; split; congruence|]. congruence.
Qed.
Theorem lost_alike o : owed g o -> ~ found g roots o -> exists p, owed s p /\ ~ found s roots p.
Proof.
  intros W N. destruct (rho o) as [[p k]|] eqn:R; [|destruct (mapped_from _ _ _ _ mapped o W R)]. exists p.
  pose proof (same_object_states _ _ _ _ same _ _ _ R) as [D V _ _ _ _]. destruct W as [A W]. split; [split; congruence|].
  intros F. apply found_alike_back in F as (o' & k' & R' & F). rewrite (one_to_one _ _ _ _ same _ _ _ _ _ R R') in N. contradiction.
Qed.
End Alike.
End Found.

(** *** Steps keep all that is owed in both *)

Section Steps.
Variable P : program.
Variable under : parameters.
Variables (rho rho' : renaming) (g s g' s' : state) (d d' : decision).
Hypothesis mapped : all_mapped P rho g s.
Hypothesis same : alike (FoldedMembers.everything P) rho g s.
Hypothesis same' : alike (FoldedMembers.everything P) rho' g' s'.
Hypothesis further : more rho rho'.
Hypothesis steps : step P under g d = Ok g'.
Hypothesis steps' : step P under s d' = Ok s'.
(** What is allocated is pointed to. *)
Hypothesis allocated : forall r e b f, nth_error (instructions P) (location g) = Some (Allocate r e b f) -> (r < length (values g))%nat /\ FoldedMembers.has_name P e = false.
Lemma points r v u q : values u = replace (values v) r (Pointer q) -> (r < length (values v))%nat -> register u r = Pointer q.
Proof. intros E L. unfold register. rewrite E, nth_replace, Nat.eqb_refl. apply Nat.ltb_lt in L. rewrite L. reflexivity. Qed.
Theorem mapped_on : all_mapped P rho' g' s'.
Proof.
  split.
  - intros o [A W]. destruct (Nat.lt_ge_cases o (length (memory g))) as [L|L].
    + destruct (step_revives P under _ _ _ steps o L A) as [A' D]. rewrite D in W. destruct (rho o) as [x|] eqn:R; [|destruct (mapped_from _ _ _ _ mapped o (conj A' W) R)].
      rewrite (further _ _ R). discriminate.
    + destruct (step_comes P under _ _ _ o steps L A) as (_ & [Lo|(r & e & b & f & k & c & I & _ & V)]); [apply local_not_owed in Lo as [Lo _]; congruence|].
      destruct (allocated _ _ _ _ I) as [Lr _]. pose proof (same_registers _ _ _ _ same' r Logic.I) as X. rewrite (points _ _ _ _ V Lr) in X. simpl in X.
      destruct (register s' r) as [| | |q]; try contradiction. destruct X as (j & R & _). simpl in R. rewrite R. discriminate.
  - intros p A W. destruct (Nat.lt_ge_cases p (length (memory s))) as [L|L].
    + destruct (step_revives P under _ _ _ steps' p L A) as [A' D]. rewrite D in W. destruct (mapped_to _ _ _ _ mapped p A' W) as (o & k & R). exists o, k. apply further. exact R.
    + destruct (step_comes P under _ _ _ p steps' L A) as (_ & [Lo|(r & e & b & f & k & c & I & E & V)]); [apply local_not_owed in Lo as [Lo Lo']; destruct W; congruence|].
      rewrite (same_location _ _ _ _ same) in I. destruct (allocated _ _ _ _ I) as [Lr _]. rewrite <- (same_register_count _ _ _ _ same) in Lr.
      pose proof (same_registers _ _ _ _ same' r Logic.I) as X. rewrite (points _ _ _ _ V Lr) in X. destruct (register g' r) as [| | |q]; simpl in X; try contradiction.
      destruct X as (j & R & _). simpl in R. eauto.
Qed.
End Steps.
