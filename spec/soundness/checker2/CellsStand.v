(** Cells of what lives, and the elements that it has (spec/calculus.md#leaks, #twin): what is
    computed where a rule asks for it. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms FoldedMembers FoldedTwins Marking.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Refuting States Stepping Denoting Carried Listed Places LoadLists.
Import ListNotations.
Open Scope Z_scope.

Definition all_true {A} (f : A -> computes bool) (l : list A) : computes bool := folded_left (fun b a => let$ c := f a in ret (b && c)) l true.
(** Is it computed, and true? *)
Definition is_computed (x : computes bool) (s : state) : bool := match x s with Gives b _ => b | Refuses _ => false end.
Definition in_live (f : object_state -> field_state -> computes bool) (m : member_state) : computes bool :=
  all_true (fun '(_, x) => if is_live (life_of x) then all_true (f x) (field_states x) else ret true) (in_order (objects_held m)).
(** Does each element of a field without a rest have a cell, in all that lives?  It is made
    so, and no rule changes it; but a template may say otherwise, of states that are not
    there. *)
Definition field_stands (x : object_state) (f : field_state) : computes bool := if has_no_rest f then is_all x f else ret true.
Definition cells_stand : member_state -> computes bool := in_live field_stands.
(** Is each cell that leads somewhere of an element that the object has?  Templates have it
    (attack B6), and no rule changes it. *)
Definition leads_on (v : slot) : bool := match v with PointerSlot _ _ _ | Folded _ => true | _ => false end.
Definition leads_within (x : object_state) (f : field_state) : computes bool := if existsb leads_on (cells f) then
    let$ low := value_of (lower x) in let$ high := value_of (upper x) in
    ret match low, high with Some low, Some high => (low <=? 0) && (Z.of_N (count (cells f)) <=? high) | _, _ => false end
  else ret true.
Definition leads_stand : member_state -> computes bool := in_live leads_within.

Lemma all_true_peek {A} s (f : A -> computes bool) (Q : A -> Prop) l : (forall a, peeks s (f a) (fun b => b = true -> Q a)) -> peeks s (all_true f l) (fun b => b = true -> forall a, In a l -> Q a).
Proof.
  intros Each. unfold all_true. eapply peeks_weaker; [apply (peeks_fold s _ (fun b rest => exists before, l = before ++ rest /\ (b = true -> forall a, In a before -> Q a)))|].
  - intros b a rest (before & Eq & B). eapply peeks_bind; [apply Each|]. intros k Hk. apply peeks_ret. exists (before ++ [a]). rewrite <- app_assoc. split; auto. intros T d I. apply andb_prop in T as [T1 T2].
    apply in_app_or in I as [I|[<-|[]]]; auto.
  - exists []. split; auto. intros _ ? [].
  - intros b (before & Eq & B). rewrite app_nil_r in Eq. subst before. exact B.
Qed.
Lemma live_peek s f (Q : object_state -> field_state -> Prop) m : (forall x g, peeks s (f x g) (fun b => b = true -> Q x g)) -> numbered_right (objects_held m) ->
  peeks s (in_live f m) (fun b => b = true -> forall o x g, find (objects_held m) o = Some x -> life_of x = Live -> In g (field_states x) -> Q x g).
Proof.
  intros Each R. eapply peeks_weaker; [apply (all_true_peek s _ (fun p => life_of (snd p) = Live -> forall g, In g (field_states (snd p)) -> Q (snd p) g))|].
  - intros [o x]. cbn [snd]. destruct (life_of x); cbn [is_live]; [|apply peeks_ret; discriminate].
    eapply peeks_weaker; [apply (all_true_peek s _ (Q x)); intros g; apply Each|]. auto.
  - intros b H T o x g F L I. apply (H T (o, x)); [apply in_order_in; split; [exact (R o x F) | exact F] | exact L | exact I].
Qed.
Lemma cells_peek nu tabs s M m : good nu tabs s M -> numbered_right (objects_held m) -> peeks s (cells_stand m) (fun b => b = true -> forall o x, find (objects_held m) o = Some x -> life_of x = Live ->
  FoldedTwins.covered_cells (valued M) (object_of x)).
Proof.
  intros G R. eapply peeks_weaker; [apply (live_peek s _ (fun x f => rest f = None -> 0 <= vl M (lower x) /\ vl M (upper x) <= Z.of_nat (length (cells f)))); [|exact R]|].
  - intros x f. unfold field_stands, has_no_rest. destruct (rest f) eqn:Rf; [apply peeks_ret; intros _ H; discriminate|]. eapply peeks_weaker; [eapply all_peek; exact G | auto].
  - intros b H T o x F Lv f i If Rf Bi. apply in_map_iff in If as (y & <- & If). cbn [object_of FoldedMembers.begins FoldedMembers.ends] in Bi. rewrite !valued_term in Bi.
    cbn [field_of FoldedMembers.rest FoldedMembers.apart] in *. rewrite map_length. destruct (H T o x y F Lv If) as [H1 H2]; [destruct (rest y); [discriminate | reflexivity] | lia].
Qed.
Lemma leads_peek nu tabs s M m : good nu tabs s M -> numbered_right (objects_held m) -> peeks s (leads_stand m) (fun b => b = true -> forall o x f j v, find (objects_held m) o = Some x -> life_of x = Live ->
  In f (field_states x) -> List.nth_error (cells f) j = Some v -> leads_on v = true -> Marking.has_element (valued M) (object_of x) j).
Proof.
  intros G R. eapply peeks_weaker; [apply (live_peek s _ (fun x f => existsb leads_on (cells f) = true -> vl M (lower x) <= 0 /\ Z.of_nat (length (cells f)) <= vl M (upper x))); [|exact R]|].
  - intros x f. unfold leads_within. destruct (existsb leads_on (cells f)); [|apply peeks_ret; discriminate].
    eapply peeks_bind; [apply (value_peek nu tabs); exact G|]. intros low Hl. eapply peeks_bind; [apply (value_peek nu tabs); exact G|]. intros high Hh. apply peeks_ret.
    destruct low as [low|], high as [high|]; try discriminate. intros B _. apply andb_prop in B as [B1 B2]. apply Z.leb_le in B1, B2. destruct Hl as [_ ->], Hh as [_ ->]. rewrite length_counted in B2. lia.
  - intros b H T o x f j v F Lv If Nj Le. destruct (H T o x f F Lv If) as [H1 H2]; [apply existsb_exists; exists v; split; [eapply List.nth_error_In; eauto | exact Le]|].
    assert (Lj : (j < length (cells f))%nat) by (apply List.nth_error_Some; congruence). unfold Marking.has_element. cbn [object_of FoldedMembers.begins FoldedMembers.ends]. rewrite !valued_term. lia.
Qed.

(** What is computed where leaks are checked: both, and that parts are numbered. *)
Definition is_leak_known (m : member_state) (i : instruction) (s : state) : bool := match i with
  | CheckLeaks _ => is_numbered (parts_held m) && is_computed (cells_stand m) s && is_computed (leads_stand m) s
  | _ => true end.
