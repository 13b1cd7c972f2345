(** Kinds (spec/calculus.md#template), as far as lists of outcomes need them: that pointers to
    folded parts stand in registers and fields of pointers alone, in templates and at roots,
    and that the rules which are proved keep it. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Sorts Programs Machine Typed.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Stepping Denoting Carried Closing Listed RegisterLists Places LoadLists Moving Templates EntryLeft Leading Staying.
From Goatherd.checker2 Require Folds Covering Rules.
Import ListNotations.
Open Scope N_scope.

Section Kinds.
Variable E : setting.
Notation registers_in := (registers_of (names_in E)).
Definition holds_pointers (r : N) : Prop := forall x, at_position registers_in r = Some x -> register_type x = Pointer.
Definition is_plain_field (f : field_state) : Prop := forall v, In v (cells f) -> is_part v = false.
Definition object_kinds (x : object_state) : Prop := forall n t f, List.nth_error (field_types E (declaration x)) n = Some t -> List.nth_error (field_states x) n = Some f ->
  t = Pointer \/ is_plain_field f.
Record member_kinds (m : member_state) : Prop := {
  register_kinds : forall r v, find (held m) r = Some v -> is_part v = true -> holds_pointers r;
  objects_kinds : forall o x, find (objects_held m) o = Some x -> object_kinds x }.
Definition kinds_right (c : configuration) : Prop := forall m, In m (members_of c) -> member_kinds m.

(** ** So lists are right of loads and stores, whatever stands there *)

(** As [covered], but for kinds. *)
Definition covered_by_kinds (m : member_state) (i : instruction) : bool := match i with
  | Load _ _ _ => true
  | Store _ _ r => match find (held m) r, at_position registers_in r with Some _, Some _ => true | _, _ => false end
  | i => covered E m i end.
Lemma in_both {A B} (l : list A) (k : list B) a b : In (a, b) (List.combine l k) -> exists n, List.nth_error l n = Some a /\ List.nth_error k n = Some b.
Proof.
  revert k. induction l as [|x l IH]; intros [|y k] I; try (destruct I; fail). destruct I as [[= -> ->]|I]; [exists 0%nat; auto|]. destruct (IH k I) as (n & H). exists (S n). exact H.
Qed.
Lemma parts_here x : object_kinds x -> parts_in_pointers E x = true.
Proof.
  intros K. unfold parts_in_pointers. apply forallb_forall. intros [t f] I. apply in_both in I as (n & Nt & Nf). destruct t as [T|]; [|reflexivity].
  destruct (K n _ f Nt Nf) as [|Pl]; [discriminate|]. apply negb_true_iff. destruct (existsb is_part (cells f)) eqn:Ex; [|reflexivity]. apply existsb_exists in Ex as (v & Iv & Pv). rewrite (Pl v Iv) in Pv. discriminate.
Qed.
(** By computing. *)
Definition has_kinds (m : member_state) : bool := forallb (fun p => negb (is_part (snd p)) || match at_position registers_in (fst p) with Some x => is_pointer (register_type x) | None => true end) (in_order (held m)) &&
  forallb (fun p => parts_in_pointers E (snd p)) (in_order (objects_held m)).
Lemma both_in {A B} (l : list A) (k : list B) a b : forall n, List.nth_error l n = Some a -> List.nth_error k n = Some b -> In (a, b) (List.combine l k).
Proof. revert k. induction l as [|x l IH]; intros [|y k] [|n] Na Nb; try discriminate; cbn in *; [left; congruence | right; eauto]. Qed.
Lemma has_kinds_right m : tables_right m -> has_kinds m = true -> member_kinds m.
Proof.
  intros [R O _] H. apply andb_prop in H as [Hr Ho]. rewrite forallb_forall in Hr, Ho. split.
  - intros r v F Pv x Ax. specialize (Hr (r, v)). cbn [fst snd] in Hr. rewrite Pv, Ax in Hr. specialize (Hr (proj2 (in_order_in _ _ _) (conj (R r v F) F))). cbn in Hr. destruct (register_type x); [discriminate | reflexivity].
  - intros o x F n t f Nt Nf. specialize (Ho (o, x) (proj2 (in_order_in _ _ _) (conj (O o x F) F))). cbn [snd] in Ho. unfold parts_in_pointers in Ho. rewrite forallb_forall in Ho. specialize (Ho (t, f) (both_in _ _ t f n Nt Nf)). cbn in Ho.
    destruct t as [T|]; [|auto]. right. intros v I. destruct (is_part v) eqn:Pv; [|reflexivity]. apply negb_true_iff in Ho. assert (X : existsb is_part (cells f) = true) by (apply existsb_exists; eauto). congruence.
Qed.
Lemma kinds_cover m i : member_kinds m -> covered_by_kinds m i = true -> covered E m i = true.
Proof.
  intros [R O]. destruct i; auto; cbn [covered_by_kinds covered].
  - intros _. apply forallb_forall. intros [o x] I. apply in_order_in in I as [_ F]. apply parts_here. exact (O o x F).
  - destruct (find (held m) _) as [v|] eqn:F; [|discriminate]. destruct (at_position _ _) as [x|] eqn:A; [|discriminate]. intros _. destruct (is_part v) eqn:Pv; [|reflexivity].
    cbn [negb orb]. rewrite (R _ v F Pv x A). reflexivity.
Qed.

(** ** What members are changed to *)

Lemma kinds_again c c' : (forall m, In m (members_of c') -> In m (members_of c)) -> kinds_right c -> kinds_right c'.
Proof. intros H K m I. apply K, H, I. Qed.
Lemma same_kinds c c' : same_herd c c' -> kinds_right c -> kinds_right c'.
Proof. intros (_ & H & En). apply kinds_again. unfold members_of. rewrite H, En. auto. Qed.
Lemma member_in c who m : nth (herd c) who = Some m -> kinds_right c -> member_kinds m.
Proof. intros H K. apply K, herd_member. eapply nth_in. exact H. Qed.
Lemma set_kinds c who m : kinds_right c -> member_kinds m -> kinds_right (set_member c who m).
Proof.
  intros K M x I. unfold members_of in I. apply in_app_or in I as [I|I]; [|apply K, in_or_app; right; exact I].
  cbn [set_member with_herd herd] in I. apply replaced_in in I as [->|I]; [exact M | apply K, herd_member; exact I].
Qed.
Lemma put_kinds m r v : member_kinds m -> (is_part v = true -> holds_pointers r) -> member_kinds (with_held m (put (held m) r v)).
Proof.
  intros [R O] V. split; [|exact O]. intros q w. cbn [with_held held]. rewrite find_put. destruct (N.eqb_spec q r) as [->|_]; [intros [= <-]; exact V | apply R].
Qed.
Lemma object_put_kinds m o x : member_kinds m -> object_kinds x -> member_kinds (with_objects m (put (objects_held m) o x)).
Proof.
  intros [R O] X. split; [exact R|]. intros q y. cbn [with_objects objects_held]. rewrite find_put. destruct (q =? o); [intros [= <-]; exact X | apply O].
Qed.
Lemma like_kinds m m' : held m' = held m -> objects_held m' = objects_held m -> member_kinds m -> member_kinds m'.
Proof. intros H H' [R O]. split; [rewrite H; exact R | rewrite H'; exact O]. Qed.
Lemma register_set_kinds m r v : member_kinds m -> (is_part v = true -> holds_pointers r) -> yields (set_register m r v) member_kinds.
Proof. intros K V. unfold set_register. destruct (find (held m) r); [apply yields_ret; apply put_kinds; auto | apply yields_refuses]. Qed.
Lemma set_in_kinds c who r v : kinds_right c -> (is_part v = true -> holds_pointers r) -> yields (set_in c who r v) kinds_right.
Proof.
  intros K V. unfold set_in. eapply yields_bind; [apply member_yields|]. intros m H. eapply yields_bind; [apply register_set_kinds; [exact (member_in c who m H K) | exact V]|].
  intros m' K'. apply yields_ret. apply set_kinds; auto.
Qed.
Lemma object_state_yields m o : yields (object_state_at m o) (fun x => find (objects_held m) o = Some x).
Proof. apply yields_some. auto. Qed.

(** ** Outcomes *)

Definition outcome_kinds (m : member_state) (o : outcome) : Prop := match effect_of o with
  | Sets r v => is_part v = true -> holds_pointers r
  | Writes_ q f _ v => is_part v = true -> forall x t, find (objects_held m) q = Some x -> List.nth_error (field_types E (declaration x)) (N.to_nat f) = Some t -> t = Pointer
  | _ => True end.
Definition listed_kinds m (os : option (list outcome)) : Prop := match os with Some os => Forall (outcome_kinds m) os | None => True end.
Section Lists.
Variable m : member_state.
Hypothesis kinds : member_kinds m.
Notation lists c := (yields c (listed_kinds m)).
Lemma failing_kinds ls : Forall (outcome_kinds m) (failing ls).
Proof. apply Forall_forall. intros o I. apply in_map_iff in I as (l & <- & _). exact I. Qed.
Lemma cases_kinds r cs : Forall (outcome_kinds m) (set_cases r cs).
Proof. apply Forall_forall. intros o I. apply in_map_iff in I as ([ls [v|]] & <- & _); [intros Pv; discriminate | exact Logic.I]. Qed.
#[local] Hint Resolve failing_kinds cases_kinds concat_all : leading.
#[local] Hint Extern 1 (outcome_kinds _ _) => (exact Logic.I || (intros Pv; discriminate Pv)) : leading.
Lemma sets_kinds r v : (is_part v = true -> holds_pointers r) -> lists (sets r v).
Proof. intros V. unfold sets, always. apply yields_ret. constructor; [exact V | constructor]. Qed.
Lemma either_kinds l e f : outcome_kinds m (exact [] e) -> outcome_kinds m (exact [] f) -> lists (either l e f).
Proof. intros A B. unfold either. apply yields_any. intros k. apply yields_ret. constructor; [exact A | constructor; [exact B | constructor]]. Qed.
Lemma kind_yields r : yields (register_kind E r) (fun t => exists x, at_position registers_in r = Some x /\ register_type x = t).
Proof. unfold register_kind. eapply yields_bind; [apply yields_some with (Q := fun x => at_position registers_in r = Some x); auto|]. intros x A. apply yields_ret. exists x. split; [exact A | reflexivity]. Qed.
Lemma slot_yields r : yields (register_slot m r) (fun v => find (held m) r = Some v).
Proof. apply yields_some. auto. Qed.
Lemma pointers_hold r x : at_position registers_in r = Some x -> register_type x = Pointer -> holds_pointers r.
Proof. intros A T y B. rewrite A in B. injection B as <-. exact T. Qed.
Lemma assigns_kinds r o : lists (assigns E m r o).
Proof.
  unfold assigns. apply yields_any. intros T. destruct o as [q|z]; [|through].
  eapply yields_bind with (P := fun U => exists x, at_position registers_in q = Some x /\ register_type x = IntegerType U).
  { unfold integer_kind. eapply yields_bind; [apply kind_yields|]. intros t (x & A & Tx). destruct t as [U|]; [apply yields_ret; exists x; split; [exact A | exact Tx] | apply yields_refuses]. }
  intros U (x & A & Tx). destruct (integer_type_eqb U T).
  - eapply yields_bind; [apply slot_yields|]. intros v F. apply sets_kinds. intros Pv. rewrite (register_kinds _ kinds q v F Pv x A) in Tx. discriminate.
  - destruct (lies_in _ _); through; apply sets_kinds; discriminate.
Qed.
Lemma opaque_kinds r op T s t : lists (opaque E r op T s t).
Proof.
  unfold opaque. apply yields_any. intros u. eapply yields_bind with (P := fun x => Forall (outcome_kinds m) (snd x)).
  - through.
  - intros [under others] H. simpl in H. through.
Qed.
Lemma computes_to_kinds r op a b : lists (computes_to E m r op a b).
Proof. unfold computes_to, beyond_sums. through; apply opaque_kinds. Qed.
Lemma advances_kinds r b i k : lists (advances E m r b i k).
Proof. unfold advances. through; try (apply sets_kinds; discriminate); apply either_kinds; try exact I; discriminate. Qed.
Lemma distances_kinds r a b k : lists (distances E m r a b k).
Proof. unfold distances. through. Qed.
Lemma branches_kinds c yes no : lists (branches E m c yes no).
Proof.
  unfold branches, compares_pointers, always. through; try (apply either_kinds; exact I).
  all: apply Forall_forall; intros o J; apply in_flat_map in J as (l & _ & [<-|[<-|[]]]); exact I.
Qed.

(** *** Memory *)

(** Of a place that is found: parts stand in fields of pointers, and these are accessed as
    pointers. *)
Definition target_kinds (access : type) (t : option target_found) : Prop := match t with
  | Some t => (forall x k, find (objects_held m) (found_object t) = Some x -> List.nth_error (field_types E (declaration x)) (N.to_nat (found_field t)) = Some k -> k = found_type t) /\
      (found_type t = Pointer <-> access = Pointer) /\ forall ls e v, In (ls, e, v) (found_places t) -> is_part v = true -> found_type t = Pointer
  | None => True end.
Lemma cells_yield within_ i z low vs : forall c, yields (cell_places within_ i z low c vs) (fun ps => forall ls e v, In (ls, e, v) ps -> In v vs).
Proof.
  induction vs as [|w vs IH]; intros c; cbn [cell_places]; [apply yields_ret; intros ls e v []|].
  eapply yields_bind with (P := fun ps : list memory_place => forall ls e v, In (ls, e, v) ps -> v = w).
  - destruct (_ && _); [|apply yields_ret; intros ls e v []]. apply yields_any. intros d. unfold place_under. eapply yields_bind with (P := fun p : memory_place => snd p = w).
    + apply yields_any. intros k. apply yields_ret. reflexivity.
    + intros p Ep. apply yields_ret. intros ls e v [Eq|[]]. rewrite Eq in Ep. exact Ep.
  - intros here H. eapply yields_bind; [apply IH|]. intros others H'. apply yields_ret. intros ls e v I. apply in_app_or in I as [I|I]; [left; symmetry; eauto | right; eauto].
Qed.
Lemma rest_yields within_ i low f : yields (rest_places within_ i low f) (fun ps => forall ls e v, In (ls, e, v) ps -> is_part v = false).
Proof.
  unfold rest_places. destruct (rest f) as [a|]; [|apply yields_ret; intros ls e v []]. apply yields_any. intros t. apply yields_any. intros above. apply yields_any. intros below.
  apply (yields_folded _ (fun ps : list memory_place => forall ls e v, In (ls, e, v) ps -> is_part v = false)); [|intros ls e v []].
  intros ps u H. apply yields_any. intros [|]; [apply yields_ret; exact H|]. unfold place_under. eapply yields_bind with (P := fun p : memory_place => snd p = IntegerSlot t).
  - apply yields_any. intros k. apply yields_ret. reflexivity.
  - intros p Ep. apply yields_ret. intros ls e v I. apply in_app_or in I as [I|[Eq|[]]]; [eauto|]. rewrite Eq in Ep. cbn [snd] in Ep. rewrite Ep. reflexivity.
Qed.
Lemma layout_yields d : yields (layout_in E d) (fun y => field_types E d = List.map field_type (fields y)).
Proof.
  unfold layout_in, object_in, field_types. eapply yields_bind; [apply yields_some with (Q := fun x => at_position (objects_of (names_in E)) d = Some x); auto|]. intros x ->.
  apply yields_some. intros y ->. reflexivity.
Qed.
Lemma target_yields r off access : yields (target E m r off access) (target_kinds access).
Proof.
  unfold target. apply yields_goes_on; [exact I|]. intros [[[o i] b]|]; [|apply yields_ret; exact I].
  eapply yields_bind with (P := fun y => forall x, find (objects_held m) o = Some x -> field_types E (declaration x) = List.map field_type (fields y)).
  { unfold layout_held. eapply yields_bind; [apply object_state_yields|]. intros x F. eapply yields_weaker; [apply layout_yields|]. intros y H x' F'. rewrite F in F'. injection F' as <-. exact H. }
  intros y Ty. cbv zeta. apply yields_any. intros elements. apply yields_any. intros byte. apply yields_any. intros j.
  eapply yields_bind; [apply yields_some with (Q := fun ft => hit 0 byte access (fields y) = Some ft); auto|]. intros [f t] Hit.
  destruct (hit_found _ _ _ _ _ _ Hit) as (_ & Wi & _ & fd & Nf & Tf). rewrite Nat.sub_0_r in Nf.
  eapply yields_bind; [apply object_state_yields|]. intros x F. eapply yields_bind; [apply yields_some with (Q := fun fs => nth (field_states x) f = Some fs); auto|]. intros fs Nfs.
  do 3 (apply yields_any; intros ?). apply yields_any. intros _. do 2 (apply yields_any; intros ?). eapply yields_bind; [apply cells_yield|]. intros here H. eapply yields_bind; [apply rest_yields|]. intros there T.
  apply yields_ret. cbn [target_kinds found_object found_field found_type found_places].
  assert (Here : List.nth_error (field_types E (declaration x)) (N.to_nat f) = Some t) by (rewrite (Ty x F), nth_error_map, Nf; cbn [option_map]; rewrite Tf; reflexivity).
  split; [intros x' k F'; rewrite F in F'; injection F' as <-; congruence|]. split; [unfold wide in Wi; destruct access, t; split; try discriminate; auto|].
  intros ls e v I Pv. apply in_app_or in I as [I|I]; [|rewrite (T ls e v I) in Pv; discriminate]. rewrite nth_number in Nfs.
  destruct (objects_kinds _ kinds o x F _ t fs Here Nfs) as [|Pl]; [assumption|]. rewrite (Pl v (H ls e v I)) in Pv. discriminate.
Qed.
Lemma as_type_yields v from to : yields (as_type E v from to) (fun vs => forall ls w, In (ls, w) vs -> is_part w = true -> is_part v = true).
Proof.
  assert (Same : yields (ret [([], v)]) (fun vs : list (list literal * slot) => forall ls w, In (ls, w) vs -> is_part w = true -> is_part v = true))
    by (apply yields_ret; intros ls w [Eq|[]] H; congruence).
  unfold as_type. destruct (same_type from to); [exact Same|]. destruct v as [| |t| |o i b|f|f]; try exact Same; try apply yields_refuses.
  destruct to as [T|]; [|apply yields_refuses]. destruct (integer_type_eqb T Bool); [apply yields_refuses|]. apply yields_any. intros cs.
  eapply yields_weaker; [apply yields_mapped with (Q := fun p => is_part (snd p) = false); intros [ls u]; apply yields_any; intros k; apply yields_ret; reflexivity|].
  intros vs F ls w I Pw. rewrite Forall_forall in F. specialize (F _ I). cbn [snd] in F. congruence.
Qed.
Lemma loads_kinds r a off : lists (loads E m r a off).
Proof.
  unfold loads. eapply yields_bind; [apply kind_yields|]. intros access (rx & A & Tx). unfold goes_on. eapply yields_bind; [apply target_yields|]. intros [t|] T; [|apply yields_ret; exact I].
  destruct T as (_ & Ac & Pa). set (here := found_places t) in *.
  assert (All : forall ps, incl ps here -> yields (mapped (fun '(ls, _, v) => let$ vs := as_type E v (found_type t) access in ret (List.map (fun '(more, v) => exact (ls ++ more) (Sets r v)) vs)) ps) (Forall (Forall (outcome_kinds m)))).
  { induction ps as [|[[ls e] v] ps IH]; intros In_; cbn [mapped]; [apply yields_ret; constructor|].
    eapply yields_bind with (P := Forall (outcome_kinds m)); [|intros os H; eapply yields_bind; [apply IH; intros p J; apply In_; right; exact J|]; intros oss Hs; apply yields_ret; constructor; assumption].
    eapply yields_bind; [apply as_type_yields|]. intros vs V. apply yields_ret. apply Forall_forall. intros o J. apply in_map_iff in J as ([more w] & <- & J). intros Pw.
    apply (pointers_hold r rx A). rewrite Tx. apply Ac. apply (Pa ls e v); [apply In_; left; reflexivity | exact (V more w J Pw)]. }
  eapply yields_bind; [apply All, incl_refl|]. intros os H. apply yields_ret. cbn [listed_kinds gives]. apply Forall_app. split; [apply concat_all; exact H | apply failing_kinds].
Qed.
Lemma stores_kinds a off r : lists (stores E m a off r).
Proof.
  unfold stores. eapply yields_bind; [apply kind_yields|]. intros access (rx & A & Tx). unfold goes_on. eapply yields_bind; [apply target_yields|]. intros [t|] T; [|apply yields_ret; exact I].
  destruct T as (Ob & Ac & _). apply yields_any. intros x. apply yields_any. intros d. destruct (is_read_only _); [apply yields_ret; exact I|].
  eapply yields_bind; [apply slot_yields|]. intros v F. apply yields_any. intros _. eapply yields_bind; [apply as_type_yields|]. intros vs V.
  eapply yields_bind; [apply yields_mapped with (Q := Forall (outcome_kinds m)); intros [[ls e] w]|].
  - assert (All : forall ws, incl ws vs -> yields (mapped (fun '(more, v) => demand (is_cell e || is_integer_slot v) Rejection.Shape >> ret (exact (ls ++ more) (Writes_ (found_object t) (found_field t) e v))) ws) (Forall (outcome_kinds m))).
    { induction ws as [|[more u] ws IH]; intros In_; cbn [mapped]; [apply yields_ret; constructor|]. eapply yields_bind with (P := outcome_kinds m).
      - apply yields_any. intros _. apply yields_ret. intros Pu y k Fy Nk. rewrite (Ob y k Fy Nk). apply Ac. rewrite <- Tx.
        exact (register_kinds _ kinds r v F (V more u (In_ _ (or_introl eq_refl)) Pu) rx A).
      - intros o Ho. eapply yields_bind; [apply IH; intros p J; apply In_; right; exact J|]. intros os Hs. apply yields_ret. constructor; assumption. }
    apply All, incl_refl.
  - intros os H. apply yields_ret. cbn [listed_kinds gives]. apply Forall_app. split; [apply concat_all; exact H | apply failing_kinds].
Qed.
Lemma addresses_kinds r d : lists (addresses m r d).
Proof. unfold addresses. destruct (live m d); [apply sets_kinds; discriminate | apply yields_refuses]. Qed.
Lemma allocates_kinds r d b f : lists (allocates E m r d b f).
Proof.
  unfold allocates. apply yields_goes_on; [exact I|]. intros n. do 7 (apply yields_any; intros ?). unfold goes_on.
  eapply yields_bind; [apply either_kinds; [exact I | discriminate]|]. intros [os|] H; simpl in H; [|apply yields_ret; exact I]. through.
Qed.
Lemma frees_kinds r next_ : lists (frees E m r next_).
Proof. unfold frees, always. through; apply either_kinds; exact I. Qed.
Lemma enters_kinds d : lists (enters E d).
Proof. unfold enters, always. through. Qed.
Lemma leaves_kinds d next_ : lists (leaves m d next_).
Proof. unfold leaves, always. through. Qed.
Lemma checks_leaks_kinds rs next_ : lists (checks_leaks E m rs next_).
Proof. unfold checks_leaks, always. through. Qed.
(** A register to which pointers are copied holds pointers, as well-formedness asks. *)
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Hypothesis types : Typed.types_formed P.
Lemma instruction_kinds i l next_ : at_position (code E) l = Some i -> lists (list_of_instruction E m i next_).
Proof.
  intros At. destruct i; cbn [list_of_instruction]; try (apply yields_refuses); try (apply yields_ret; exact I).
  - unfold always. apply yields_ret. constructor; [exact I | constructor].
  - apply branches_kinds.
  - apply yields_ret. constructor; [exact I | constructor; [exact I | constructor]].
  - apply assigns_kinds.
  - apply computes_to_kinds.
  - unfold always. through.
  - apply sets_kinds. discriminate.
  - apply sets_kinds. discriminate.
  - apply yields_any. intros v. apply sets_kinds. intros _ x A. apply (same_code _ _ _ setting_right) in At. apply List.nth_error_In in At.
    pose proof (Typed.copy_formed _ types _ _ At) as T. rewrite (same_registers _ _ _ setting_right _ _ A) in T. destruct (register_type x); [discriminate | reflexivity].
  - apply addresses_kinds.
  - apply advances_kinds.
  - apply distances_kinds.
  - apply loads_kinds.
  - apply stores_kinds.
  - apply allocates_kinds.
  - apply frees_kinds.
  - apply enters_kinds.
  - apply leaves_kinds.
  - apply checks_leaks_kinds.
Qed.
Lemma outcomes_kinds : yields (outcomes E m) (Forall (outcome_kinds m)).
Proof.
  unfold outcomes. destruct (place_of m) as [l|]; [|apply yields_refuses]. cbn [instruction_at]. eapply yields_bind; [apply yields_some with (Q := fun i => at_position (code E) l = Some i); auto|]. intros i At.
  apply yields_any. intros next_. eapply yields_bind; [eapply instruction_kinds; exact At|]. intros [os|] H; apply yields_ret; [exact H | constructor; [exact I | constructor]].
Qed.
End Lists.
End Kinds.
