(** That what the second checker finds of leaks is right (spec/calculus.md#leaks): what its
    search follows is met, and what it has not met, where all that it has met is known,
    nothing leads to. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Typed Bounds Owed Reached FoldedMembers Configurations Members Marking.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Refuting States Stepping Denoting Carried Shown Closing Listed RegisterLists PointerLists LifeLists Moving CellsStand.
Import ListNotations.
Open Scope Z_scope.

Lemma both_at {A B} (R : A -> B -> Prop) l k : Forall2 R l k -> forall n, match List.nth_error l n, List.nth_error k n with Some a, Some b => R a b | None, None => True | _, _ => False end.
Proof. induction 1 as [|a b l k H _ IH]; intros [|n]; simpl; auto. exact (IH n). Qed.

(** ** How much is left *)

Lemma shorter {A B} (f h : A -> list B) n l : (forall k, In k l -> (length (h k) <= length (f k))%nat) -> In n l -> (length (h n) < length (f n))%nat -> (length (flat_map h l) < length (flat_map f l))%nat.
Proof.
  assert (Le : forall l, (forall k, In k l -> (length (h k) <= length (f k))%nat) -> (length (flat_map h l) <= length (flat_map f l))%nat).
  { clear. induction l as [|a l IH]; intros H; [auto|]. cbn [flat_map]. rewrite !app_length. pose proof (H a (or_introl eq_refl)). specialize (IH (fun k I => H k (or_intror I))). lia. }
  induction l as [|a l IH]; intros H I L; [destruct I|]. cbn [flat_map]. rewrite !app_length. pose proof (H a (or_introl eq_refl)). pose proof (Le l (fun k I => H k (or_intror I))).
  destruct I as [->|I]; [lia|]. specialize (IH (fun k I => H k (or_intror I)) I L). lia.
Qed.
Lemma clear_shorter {A} (x : numbered A) n a : find x n = Some a -> (n < given x)%N -> (length (in_order (clear x n)) < length (in_order x))%nat.
Proof.
  intros F L. unfold in_order. change (numbers_of (clear x n)) with (numbers_of x). apply (shorter _ _ n).
  - intros k _. rewrite find_clear. destruct (k =? n)%N; [simpl; lia | auto].
  - apply numbers_of_in. exact L.
  - rewrite find_clear, N.eqb_refl, F. simpl. lia.
Qed.
Lemma order_bounded {A} (x : numbered A) : (length (in_order x) <= N.to_nat (given x))%nat.
Proof.
  unfold in_order. replace (N.to_nat (given x)) with (length (numbers_of x)) by (unfold numbers_of; apply numbers_from_length). generalize (numbers_of x) as l.
  induction l as [|n l IH]; [auto|]. cbn [flat_map length]. rewrite app_length. destruct (find x n); simpl; lia.
Qed.

(** ** The search *)

Section Search.
Variable m : member_state.
Hypothesis tables : tables_right m.
(** What is met: objects and parts. *)
Variables (meets_object meets_part : N -> Prop).
Definition is_met (v : slot) : Prop := match v with PointerSlot o _ _ => meets_object o | Folded f => meets_part f | _ => True end.
Hypothesis cells_met : forall o x v, meets_object o -> find (objects_held m) o = Some x -> In v (cells_of_object x) -> is_met v.
Hypothesis below_met : forall f p, meets_part f -> find (parts_held m) f = Some p -> is_met (below p).
(** Where the search begins. *)
Variable starts : list slot.

(** It leads to nothing, or to an object that has been met. *)
Definition is_done (r : reach) (v : slot) : Prop := match v with
  | PointerSlot o _ _ => find (objects_held m) o <> None /\ find (objects_left r) o = None
  | Folded _ | Last _ | Forgotten => False
  | _ => True end.
Record searching (r : reach) (todo : list slot) : Prop := {
  todo_met : forall v, In v todo -> is_met v;
  left_objects : forall o x, find (objects_left r) o = Some x -> find (objects_held m) o = Some x;
  left_parts : given (parts_left r) = given (parts_held m) /\ forall f p, find (parts_left r) f = Some p -> find (parts_held m) f = Some p;
  objects_given : given (objects_left r) = given (objects_held m);
  gone_objects : forall o x, find (objects_held m) o = Some x -> find (objects_left r) o = None -> meets_object o;
  gone_parts : forall f p, find (parts_held m) f = Some p -> find (parts_left r) f = None -> meets_part f;
  starts_done : is_found r = true -> forall v, In v starts -> is_done r v \/ In v todo;
  cells_done : is_found r = true -> forall o x v, find (objects_held m) o = Some x -> find (objects_left r) o = None -> In v (cells_of_object x) -> is_done r v \/ In v todo }.
Lemma searching_same r todo todo' : (forall v, In v todo <-> In v todo') -> searching r todo -> searching r todo'.
Proof.
  intros H [T Lo Lp Og Go Gp S C]. split; auto.
  - intros v I. apply T, H, I.
  - intros Fd v I. destruct (S Fd v I) as [D|J]; [auto | right; apply H, J].
  - intros Fd o x v F N I. destruct (C Fd o x v F N I) as [D|J]; [auto | right; apply H, J].
Qed.
Definition one_followed (r r' : reach) (found : list slot) : Prop :=
  (is_found r' = true -> is_found r = true /\ (found = [] /\ (length (in_order (objects_left r')) <= length (in_order (objects_left r)))%nat \/ (length (in_order (objects_left r')) < length (in_order (objects_left r)))%nat)).
Lemma follow_searching v r todo : searching r (v :: todo) -> searching (snd (follow_slot m v r)) (fst (follow_slot m v r) ++ todo) /\ one_followed r (snd (follow_slot m v r)) (fst (follow_slot m v r)).
Proof.
  intros [T Lo Lp Og Go Gp S C].
  (* Nothing is met: it leads nowhere, or it is not known where. *)
  assert (Same : forall b, (b = true -> is_found r = true /\ is_done r v) -> let r' := {| objects_left := objects_left r; parts_left := parts_left r; is_found := b |} in searching r' todo /\ one_followed r r' []).
  { intros b Hb r'. split; [|intros Fd; split; [apply Hb; exact Fd | left; split; [reflexivity | apply le_n]]]. split; auto.
    - intros w I. apply T. right. exact I.
    - intros Fd w I. destruct (Hb Fd) as [Fr D]. destruct (S Fr w I) as [D'|[<-|J]]; [left; exact D' | left; exact D | right; exact J].
    - intros Fd o x w F N I. destruct (Hb Fd) as [Fr D]. destruct (C Fr o x w F N I) as [D'|[<-|J]]; [left; exact D' | left; exact D | right; exact J]. }
  assert (Nowhere : is_done r v -> searching r todo /\ one_followed r r []).
  { intros D. specialize (Same (is_found r) (fun H => conj H D)). destruct r; exact Same. }
  assert (Unknown : let r' := {| objects_left := objects_left r; parts_left := parts_left r; is_found := false |} in searching r' todo /\ one_followed r r' []) by (apply Same; discriminate).
  destruct v as [| |t| |o i b|f|f]; cbn [follow_slot]; try (apply Nowhere; exact I); try exact Unknown.
  - destruct (find (objects_held m) o) as [x|] eqn:F; [|exact Unknown]. destruct (find (objects_left r) o) as [y|] eqn:Fl; [|apply Nowhere; split; [congruence | exact Fl]].
    pose proof (Lo o y Fl) as Fy. rewrite F in Fy. injection Fy as <-. cbn [fst snd]. set (r' := {| objects_left := clear (objects_left r) o; parts_left := parts_left r; is_found := is_found r |}).
    assert (Mo : meets_object o) by (exact (T _ (or_introl eq_refl))).
    assert (Mono : forall w, is_done r w -> is_done r' w).
    { intros [| | | |q j c| |]; simpl; auto. intros [H N]. split; [exact H|]. rewrite find_clear, N. destruct (q =? o)%N; reflexivity. }
    assert (Here : forall j c, is_done r' (PointerSlot o j c)) by (intros j c; split; [congruence | cbn [objects_left r']; rewrite find_clear, N.eqb_refl; reflexivity]).
    split.
    + split; cbn [objects_left parts_left is_found r'].
      * intros w I. apply in_app_or in I as [I|I]; [exact (cells_met o x w Mo F I) | apply T; right; exact I].
      * intros q z Hq. rewrite find_clear in Hq. destruct (q =? o)%N; [discriminate | auto].
      * exact Lp.
      * exact Og.
      * intros q z Hq N. rewrite find_clear in N. destruct (N.eqb_spec q o) as [->|]; [exact Mo | eauto].
      * exact Gp.
      * intros Fd w I. destruct (S Fd w I) as [D|[<-|J]]; [left; apply Mono, D | left; apply Here | right; apply in_or_app; auto].
      * intros Fd q z w Hq N I. rewrite find_clear in N. destruct (N.eqb_spec q o) as [->|].
        -- rewrite F in Hq. injection Hq as <-. right. apply in_or_app. auto.
        -- destruct (C Fd q z w Hq N I) as [D|[<-|J]]; [left; apply Mono, D | left; apply Here | right; apply in_or_app; auto].
    + intros Fd. split; [exact Fd|]. right. apply (clear_shorter _ o x); [exact Fl|]. rewrite Og. exact (objects_numbered m tables o x F).
  - destruct (find (parts_left r) f) as [p|] eqn:Fp; [|exact Unknown]. pose proof (proj2 Lp f p Fp) as Fq. cbn [fst snd]. split; [|discriminate].
    assert (Mp : meets_part f) by (exact (T _ (or_introl eq_refl))). split; cbn [objects_left parts_left is_found]; auto; try discriminate.
    + intros w [<-|I]; [exact (below_met f p Mp Fq) | apply T; right; exact I].
    + split; [exact (proj1 Lp)|]. intros h z Hh. rewrite find_clear in Hh. destruct (h =? f)%N; [discriminate | apply Lp; exact Hh].
    + intros h z Hh N. rewrite find_clear in N. destruct (N.eqb_spec h f) as [->|]; [exact Mp | eauto].
Qed.
(** A round follows all that there is to follow. *)
Definition round_from (vs : list slot) (more : list slot) (r : reach) : list slot * reach := fold_left (fun '(more, r) v => let (found, r) := follow_slot m v r in (rev_append found more, r)) vs (more, r).
Lemma round_searching vs : forall more r, searching r (vs ++ more) -> let '(more', r') := round_from vs more r in searching r' more' /\
  (is_found r' = true -> is_found r = true /\ (more' = more /\ (length (in_order (objects_left r')) <= length (in_order (objects_left r)))%nat \/ (length (in_order (objects_left r')) < length (in_order (objects_left r)))%nat)).
Proof.
  induction vs as [|v vs IH]; intros more r H; [cbn; split; [exact H|]; intros Fd; split; [exact Fd | left; auto]|].
  destruct (follow_searching v r (vs ++ more) H) as [H' O]. unfold round_from. cbn [fold_left]. destruct (follow_slot m v r) as [found r1] eqn:Fo. cbn [fst snd] in H', O.
  specialize (IH (rev_append found more) r1). unfold round_from in IH. destruct (fold_left _ vs (rev_append found more, r1)) as [more' r'].
  destruct IH as [H2 M]; [eapply searching_same; [|exact H']; intros w; rewrite rev_append_rev, !in_app_iff, <- in_rev; tauto|]. split; [exact H2|].
  intros Fd. destruct (M Fd) as [F1 X]. destruct (O F1) as [F0 Y]. split; [exact F0|]. destruct Y as [[-> Y]|Y]; [|right; destruct X as [[_ X]|X]; lia].
  destruct X as [[-> X]|X]; [left; split; [reflexivity | lia] | right; lia].
Qed.
(** Where all that is met is known, as many rounds as there are objects, and one more, leave
    nothing to do. *)
Lemma rounds_searching rounds : forall vs r, searching r vs -> exists todo, searching (reach_all m rounds vs r) todo /\
  (is_found (reach_all m rounds vs r) = true -> is_found r = true /\ ((length (in_order (objects_left r)) < rounds)%nat -> todo = [])).
Proof.
  induction rounds as [|rounds IH]; intros vs r H; cbn [reach_all]; [exists vs; split; [exact H|]; intros Fd; split; [exact Fd | lia]|].
  pose proof (round_searching vs [] r) as R. rewrite app_nil_r in R. specialize (R H). unfold round_from in R. destruct (fold_left _ vs ([], r)) as [more r1]. destruct R as [H1 M].
  destruct more as [|w more]; [exists []; split; [exact H1|]; intros Fd; split; [exact (proj1 (M Fd)) | auto]|].
  destruct (IH (w :: more) r1 H1) as (todo & H2 & D). exists todo. split; [exact H2|]. intros Fd. destruct (D Fd) as [F1 Em]. destruct (M F1) as [F0 X]. split; [exact F0|].
  intros L. apply Em. destruct X as [[X _]|X]; [discriminate | lia].
Qed.
End Search.

(** ** What it finds *)

Section Leaks.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Hypothesis setting_right : same_setting E P under.
Variable nu : Terms.valuation.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Variable l : N.
Variable m : member_state.
Variable M0 : model.
Hypothesis tables : tables_right m.
(** What is computed of the member. *)
Hypothesis parts_numbered : numbered_right (parts_held m).
Hypothesis leads_stand : forall o x f j v, find (objects_held m) o = Some x -> life_of x = Live -> In f (field_states x) -> List.nth_error (cells f) j = Some v -> leads_on v = true ->
  Marking.has_element (valued M0) (object_of x) j.
Variable rs : list N.
Notation mm := (member_of l m).
Notation rts := (List.map N.to_nat rs).
Notation met := (Marking.met P mm rts).

Lemma held_name n x : FoldedMembers.object_named mm n = Some x -> exists o y, n = N.to_nat o /\ find (objects_held m) o = Some y /\ x = object_of y.
Proof.
  rewrite object_named_is. destruct (Nat.ltb _ _); [|discriminate]. destruct (find (objects_held m) (N.of_nat n)) as [y|] eqn:F; [|discriminate]. intros [= <-].
  exists (N.of_nat n), y. split; [lia | auto].
Qed.
Lemma named_held o x : find (objects_held m) o = Some x -> FoldedMembers.object_named mm (N.to_nat o) = Some (object_of x).
Proof. apply object_held. exact tables. Qed.
(** Cells, as the member has them. *)
Lemma cell_there x k j : (k < length (FoldedMembers.contents (object_of x)))%nat -> (j < length (FoldedMembers.apart (List.nth k (FoldedMembers.contents (object_of x)) FoldedMembers.no_field)))%nat ->
  exists f v, In f (field_states x) /\ List.nth_error (cells f) j = Some v /\ List.nth j (FoldedMembers.apart (List.nth k (FoldedMembers.contents (object_of x)) FoldedMembers.no_field)) FoldedMembers.forgotten = slot_of v.
Proof.
  cbn [object_of FoldedMembers.contents]. rewrite map_length. intros Lk Lj. destruct (List.nth_error (field_states x) k) as [f|] eqn:Nf; [|apply nth_error_None in Nf; lia].
  rewrite (nth_error_nth _ _ _ (map_nth_error field_of _ _ Nf)) in *. cbn [field_of FoldedMembers.apart] in *. rewrite map_length in Lj.
  destruct (List.nth_error (cells f) j) as [v|] eqn:Nv; [|apply nth_error_None in Nv; lia]. exists f, v. split; [eapply List.nth_error_In; eauto|]. split; [exact Nv|].
  apply nth_error_nth. apply map_nth_error. exact Nv.
Qed.
Lemma there_cell x v : In v (cells_of_object x) -> life_of x = Live /\ exists f k j, In f (field_states x) /\ List.nth_error (cells f) j = Some v /\ (k < length (FoldedMembers.contents (object_of x)))%nat /\
  (j < length (FoldedMembers.apart (List.nth k (FoldedMembers.contents (object_of x)) FoldedMembers.no_field)))%nat /\
  List.nth j (FoldedMembers.apart (List.nth k (FoldedMembers.contents (object_of x)) FoldedMembers.no_field)) FoldedMembers.forgotten = slot_of v.
Proof.
  unfold cells_of_object. destruct (life_of x); [|intros []]. cbn [is_live]. intros I. split; [reflexivity|]. apply in_flat_map in I as (f & If & Iv).
  apply In_nth_error in If as (k & Nf). apply In_nth_error in Iv as (j & Nv). exists f, k, j. split; [eapply List.nth_error_In; eauto|]. split; [exact Nv|].
  cbn [object_of FoldedMembers.contents]. rewrite map_length, (nth_error_nth _ _ _ (map_nth_error field_of _ _ Nf)). cbn [field_of FoldedMembers.apart]. rewrite map_length.
  split; [apply List.nth_error_Some; congruence|]. split; [apply List.nth_error_Some; congruence|]. apply nth_error_nth, map_nth_error. exact Nv.
Qed.

(** *** What is followed is met *)

Notation surely := (Marking.has_element (valued M0)).
Definition object_is_met (o : N) : Prop := exists i b, met surely (FoldedMembers.Plain (Members.PointerSlot (N.to_nat o) i b)).
Definition part_is_met (f : N) : Prop := met surely (FoldedMembers.RootOf (N.to_nat f)).
Lemma slot_is_met v : met surely (slot_of v) -> is_met object_is_met part_is_met v.
Proof. destruct v; simpl; auto. intros H. exists (term_of_number index), (Z.of_N byte). exact H. Qed.
Lemma cells_are_met o x v : object_is_met o -> find (objects_held m) o = Some x -> In v (cells_of_object x) -> is_met object_is_met part_is_met v.
Proof.
  intros (i & b & H) F I. destruct (leads_on v) eqn:Le; [|destruct v; discriminate || exact Logic.I]. apply there_cell in I as (Lv & f & k & j & If & Nv & Lk & Lj & Es). apply slot_is_met. rewrite <- Es.
  eapply Marking.met_cell; [exact H | apply named_held; exact F | cbn [object_of FoldedMembers.life_of]; rewrite Lv; reflexivity | eapply leads_stand; eauto | exact Lk | exact Lj].
Qed.
Lemma part_held_named f p : find (parts_held m) f = Some p -> FoldedMembers.part_named mm (N.to_nat f) = Some (part_of p).
Proof.
  intros F. pose proof (parts_numbered f p F) as L. unfold FoldedMembers.part_named. simpl. unfold entries_of. apply nth_error_nth. rewrite nth_error_map, numbers_of_at.
  destruct (Nat.ltb_spec (N.to_nat f) (N.to_nat (given (parts_held m)))); [|lia]. cbn [option_map]. rewrite N2Nat.id, F. reflexivity.
Qed.
Lemma below_is_met f p : part_is_met f -> find (parts_held m) f = Some p -> is_met object_is_met part_is_met (below p).
Proof. intros H F. apply slot_is_met. exact (Marking.met_below P mm rts surely _ _ H (part_held_named f p F)). Qed.

(** *** What is owed *)

Lemma owed_named n x : find (objects_held m) n = Some x -> Stepping.is_owed E x = true -> Marking.owed_here P mm (N.to_nat n) (object_of x).
Proof.
  intros F W. unfold Stepping.is_owed in W. apply andb_prop in W as [Lv W]. destruct (at_position _ _) as [d|] eqn:Hd; [|discriminate].
  split; [exact (named_held n x F)|]. cbn [object_of FoldedMembers.life_of FoldedMembers.kind]. split; [destruct (life_of x); [reflexivity | discriminate]|].
  unfold Owed.is_owed_kind. rewrite (same_objects _ _ _ setting_right _ _ Hd). cbn [Translated.object_of Programs.origin_of]. destruct (Certificates.origin_of d); discriminate || reflexivity.
Qed.
Lemma named_owed o x : Marking.owed_here P mm o x -> exists n y, o = N.to_nat n /\ find (objects_held m) n = Some y /\ x = object_of y /\ Stepping.is_owed E y = true.
Proof.
  intros (Ho & Lv & W). destruct (held_name o x Ho) as (n & y & -> & F & ->). exists n, y. split; auto. split; auto. split; auto. cbn [object_of FoldedMembers.life_of FoldedMembers.kind] in Lv, W.
  unfold Stepping.is_owed. destruct (life_of y); [|discriminate]. cbn [is_live andb]. unfold Owed.is_owed_kind in W. destruct (at_position _ _) as [d|] eqn:Hd.
  - rewrite (same_objects _ _ _ setting_right _ _ Hd) in W. cbn [Translated.object_of Programs.origin_of] in W. destruct (Certificates.origin_of d); discriminate || reflexivity.
  - apply (all_objects _ _ _ setting_right) in Hd. unfold Machine.declaration_of in W. rewrite nth_overflow in W by exact Hd. discriminate.
Qed.

(** *** Where it begins *)

Notation starts vs := (vs ++ static_starts E m).
Notation all_left := {| objects_left := objects_held m; parts_left := parts_held m; is_found := true |}.
Notation search := (searching m object_is_met part_is_met).
Definition are_slots (vs : list slot) : Prop := Forall2 (fun r v => find (held m) r = Some v) rs vs.
Lemma slots_peek s : peeks s (mapped (register_slot m) rs) are_slots.
Proof.
  unfold are_slots. clear. induction rs as [|r qs IH]; cbn [mapped]; [apply peeks_ret; constructor|]. eapply peeks_bind; [apply (peeks_some s _ _ (fun v => find (held m) r = Some v)); auto|].
  intros v Hv. eapply peeks_bind; [exact IH|]. intros vs Hs. apply peeks_ret. constructor; assumption.
Qed.
Lemma numbered_at {A} (os : list A) d x : forall n, In (d, x) (List.combine (numbers_from n (length os)) os) -> (n <= d)%N /\ List.nth_error os (N.to_nat (d - n)) = Some x.
Proof.
  induction os as [|y os IH]; intros n; cbn [length numbers_from List.combine]; [intros []|]. intros [[= <- <-]|J]; [rewrite N.sub_diag; split; [lia | reflexivity]|].
  destruct (IH _ J) as [A1 A2]. split; [lia|]. replace (N.to_nat (d - n)) with (S (N.to_nat (d - N.succ n))) by lia. exact A2.
Qed.
Lemma static_kind d x : In (d, x) (List.combine (numbers_from 0 (length (objects (program_in E)))) (objects (program_in E))) -> Owed.is_static_kind P (N.to_nat d) = is_static (Certificates.origin_of x).
Proof.
  intros I. apply numbered_at in I as [_ I]. rewrite N.sub_0_r in I.
  unfold Owed.is_static_kind, Machine.declaration_of. rewrite (same_program _ _ _ setting_right). cbn [Translated.program_of Programs.objects]. rewrite (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ I)).
  cbn [Translated.object_of Programs.origin_of]. unfold is_static. destruct (Certificates.origin_of x); reflexivity.
Qed.
Lemma starts_searching vs : are_slots vs -> searching m object_is_met part_is_met (starts vs) all_left (starts vs).
Proof.
  intros Sl. split; cbn [objects_left parts_left is_found]; auto; try congruence.
  - intros v I. apply in_app_or in I as [I|I].
    + apply slot_is_met. apply In_nth_error in I as (k & Nk). pose proof (both_at _ _ _ Sl k) as F. rewrite Nk in F. destruct (List.nth_error rs k) as [r|] eqn:Nr; [|destruct F]. rewrite <- (slot_at_member l m r v (registers_numbered m tables) F).
      apply Marking.met_root. apply in_map. eapply List.nth_error_In. exact Nr.
    + unfold static_starts in I. apply in_map_iff in I as ((d & x) & <- & I). apply filter_In in I as [I St]. destruct (live m d) as [y|] eqn:Lv; [|exact Logic.I]. destruct (live_held m d y tables Lv) as (F & D & Ly).
      exists (Terms.Constant 0), 0. apply (Marking.met_static P mm rts surely _ (object_of y)); [apply named_held; exact F | cbn [object_of FoldedMembers.life_of]; rewrite Ly; reflexivity|].
      cbn [object_of FoldedMembers.kind]. rewrite D, (static_kind d x I). exact St.
Qed.

(** *** Where nothing has leaked *)

Lemma leaks_looks s : peeks s (leaks E m rs) (fun _ => True).
Proof.
  unfold leaks. eapply peeks_bind; [apply slots_peek|]. intros vs _. eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => True)); auto|]. intros _ _. apply peeks_ret. exact Logic.I.
Qed.
Notation rounds := (S (N.to_nat (given (objects_held m) + given (parts_held m)))).
Lemma all_reached from r todo : searching m object_is_met part_is_met from r todo -> existsb (fun '(_, x) => Stepping.is_owed E x) (in_order (objects_left r)) = false -> is_empty (in_order (parts_left r)) = true -> Marking.all_met P mm rts surely.
Proof.
  intros H Ex Em. split.
  - intros o x W. destruct (named_owed o x W) as (n & y & -> & F & -> & Wy). apply (gone_objects _ _ _ _ _ _ H n y F). destruct (find (objects_left r) n) as [z|] eqn:Fz; [|reflexivity]. exfalso.
    pose proof (left_objects _ _ _ _ _ _ H n z Fz) as Fy. rewrite F in Fy. injection Fy as <-. assert (X : existsb (fun '(_, x) => Stepping.is_owed E x) (in_order (objects_left r)) = true); [|congruence].
    apply existsb_exists. exists (n, y). split; [|exact Wy]. apply in_order_in. split; [rewrite (objects_given _ _ _ _ _ _ H); exact (objects_numbered m tables n y F) | exact Fz].
  - intros f q Hq. unfold FoldedMembers.part_named in Hq. cbn [member_of FoldedMembers.parts] in Hq. unfold entries_of in Hq.
    destruct (Nat.ltb_spec f (N.to_nat (given (parts_held m)))) as [L|L]; [|rewrite nth_overflow in Hq by (rewrite map_length; unfold numbers_of; rewrite numbers_from_length; exact L); discriminate].
    destruct (find (parts_held m) (N.of_nat f)) as [p|] eqn:F.
    + replace f with (N.to_nat (N.of_nat f)) by lia. apply (gone_parts _ _ _ _ _ _ H _ p F). destruct (find (parts_left r) (N.of_nat f)) as [z|] eqn:Fz; [|reflexivity]. exfalso.
      destruct (in_order (parts_left r)) as [|e es] eqn:Eo; [|discriminate]. assert (I : In (N.of_nat f, z) (in_order (parts_left r))); [|rewrite Eo in I; destruct I].
      apply in_order_in. split; [rewrite (proj1 (left_parts _ _ _ _ _ _ H)); lia | exact Fz].
    + erewrite nth_error_nth in Hq; [|rewrite nth_error_map, numbers_of_at; destruct (Nat.ltb_spec f (N.to_nat (given (parts_held m)))); [reflexivity | lia]]. rewrite F in Hq. discriminate.
Qed.

Lemma unleaked_peek s : peeks s (leaks E m rs) (fun leaked => leaked = false -> Marking.all_met P mm rts surely).
Proof.
  unfold leaks. eapply peeks_bind; [apply slots_peek|]. intros vs Sl.
  destruct (rounds_searching m tables object_is_met part_is_met cells_are_met below_is_met (starts vs) rounds (starts vs) all_left (starts_searching vs Sl)) as (todo & H & _).
  set (r := reach_all m rounds (starts vs) all_left) in *. eapply peeks_bind; [apply peeks_demand with (P := fun _ => (if existsb (fun '(_, x) => Stepping.is_owed E x) (in_order (objects_left r)) then is_found r else is_empty (in_order (parts_left r))) = true); auto|].
  intros ? Em. cbn beta in Em. apply peeks_ret. intros Ex. rewrite Ex in Em. eapply all_reached; eauto.
Qed.

(** *** In a state that the member describes *)

Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued M0) phi (member_of l m) rho roots lasts placed g.
Hypothesis fine : FoldedMembers.fine_state P g.
Hypothesis elements_stand : forall o x, find (objects_held m) o = Some x -> life_of x = Live -> FoldedTwins.covered_cells (valued M0) (object_of x).

(** *** What is met is known, where it says so *)

Section Known.
Variables (vs : list slot) (r : reach).
Hypothesis slots_are : are_slots vs.
Hypothesis searched : searching m object_is_met part_is_met (starts vs) r [].
Hypothesis is_known : is_found r = true.
Definition is_gone (v : FoldedMembers.slot) : Prop := match v with
  | FoldedMembers.Plain Members.Forgotten | FoldedMembers.RootOf _ | FoldedMembers.LastOf _ => False
  | FoldedMembers.Plain (Members.PointerSlot o _ _) => exists n x, o = N.to_nat n /\ find (objects_held m) n = Some x /\ find (objects_left r) n = None
  | FoldedMembers.Plain _ => True end.
Lemma done_gone v : is_done m r v -> is_gone (slot_of v).
Proof. destruct v as [| |t| |o i b|f|f]; simpl; auto. intros [H N]. destruct (find (objects_held m) o) as [x|] eqn:F; [eauto | congruence]. Qed.
Lemma start_gone v : In v (starts vs) -> is_gone (slot_of v).
Proof. intros I. apply done_gone. destruct (starts_done _ _ _ _ _ _ searched is_known v I) as [D|[]]. exact D. Qed.
Lemma static_start d : Owed.is_static_kind P d = true -> In match live m (N.of_nat d) with Some y => element (named y) (lower y) | None => Forgotten end (starts vs).
Proof.
  intros S. apply in_or_app. right. unfold static_starts. destruct (List.nth_error (objects (program_in E)) d) as [x|] eqn:Nx.
  - apply in_map_iff. exists (N.of_nat d, x). split; [reflexivity|]. pose proof (in_positions _ _ _ 0%N Nx) as I. rewrite N.add_0_l in I. apply filter_In. split; [exact I|].
    pose proof (static_kind _ _ I) as K. rewrite Nat2N.id, S in K. symmetry. exact K.
  - exfalso. unfold Owed.is_static_kind, Machine.declaration_of in S. rewrite (same_program _ _ _ setting_right) in S. cbn [Translated.program_of Programs.objects] in S.
    rewrite nth_overflow in S by (rewrite map_length; apply nth_error_None; exact Nx). discriminate.
Qed.
Lemma static_named d : Owed.is_static_kind P d = true -> FoldedMembers.has_name P d = true.
Proof. unfold Owed.is_static_kind, FoldedMembers.has_name. destruct (Programs.origin_of _); discriminate || reflexivity. Qed.
Theorem met_gone v : met Marking.perhaps v -> is_gone v.
Proof.
  induction 1 as [q I | o x Ho Lv St | d St Mi | o i b x k j _ IH Ho Lv _ Lk Lj | f q _ [] _].
  - apply in_map_iff in I as (n & <- & I). apply In_nth_error in I as (k & Nk). pose proof (both_at _ _ _ slots_are k) as F. rewrite Nk in F. destruct (List.nth_error vs k) as [v|] eqn:Nv; [|destruct F].
    rewrite (slot_at_member l m n v (registers_numbered m tables) F). apply start_gone. apply in_or_app. left. eapply List.nth_error_In. exact Nv.
  - (* Of a declaration one object lives at most. *)
    pose proof (start_gone _ (static_start _ St)) as G. destruct (live m (N.of_nat (FoldedMembers.kind x))) as [y|] eqn:Ly; [|destruct G].
    destruct (live_held m _ y tables Ly) as (Fy & Dy & Lvy). destruct G as (n & z & En & Fz & Nz). apply N2Nat.inj in En. subst n.
    pose proof (FoldedMembers.names_hold _ _ _ _ _ _ _ _ _ _ described _ _ (named_held _ _ Fy)) as N1. cbn [object_of FoldedMembers.kind FoldedMembers.life_of] in N1. rewrite Lvy, Dy, Nat2N.id in N1.
    pose proof (FoldedMembers.names_hold _ _ _ _ _ _ _ _ _ _ described o x Ho Lv (static_named _ St)) as N2. specialize (N1 eq_refl (static_named _ St)). rewrite N1 in N2. injection N2 as N2.
    pose proof (FoldedMembers.objects_apart _ _ _ _ _ _ _ _ _ _ described _ _ _ _ (named_held _ _ Fy) Ho N2) as Eo. exists (named y), y. auto.
  - pose proof (start_gone _ (static_start _ St)) as G. destruct (live m (N.of_nat d)) as [y|] eqn:Ly; [|destruct G]. destruct (live_held m _ y tables Ly) as (Fy & Dy & Lvy).
    specialize (Mi _ _ (named_held _ _ Fy)). cbn [object_of FoldedMembers.kind FoldedMembers.life_of] in Mi. rewrite Dy, Nat2N.id, Lvy in Mi. discriminate (Mi eq_refl).
  - destruct IH as (n & y & -> & F & N). rewrite (named_held n y F) in Ho. injection Ho as <-. destruct (cell_there y k j Lk Lj) as (f & v & If & Nv & ->). apply done_gone.
    assert (I : In v (cells_of_object y)).
    { unfold cells_of_object. cbn [object_of FoldedMembers.life_of] in Lv. destruct (life_of y); [|discriminate]. cbn [is_live]. apply in_flat_map. exists f. split; [exact If | eapply List.nth_error_In; exact Nv]. }
    destruct (cells_done _ _ _ _ _ _ searched is_known n y v F N I) as [D|[]]. exact D.
Qed.
Lemma lost_unmet n x : find (objects_left r) n = Some x -> Stepping.is_owed E x = true -> Marking.one_unmet P mm rts (Marking.is_said (valued M0)).
Proof.
  intros Fn W. pose proof (left_objects _ _ _ _ _ _ searched n x Fn) as F. split.
  - intros v H. apply met_gone in H. destruct v as [[| |t| |o i b]|f|f]; simpl in *; auto. destruct H as (k & y & -> & Fk & _). rewrite (named_held k y Fk). discriminate.
  - intros o i b y H Ho Lv. destruct (held_name o y Ho) as (k & z & -> & Fk & ->). cbn [object_of FoldedMembers.life_of] in Lv.
    intros q e Lq Be Re. apply (elements_stand k z Fk) with (i := e); auto; [destruct (life_of z); [reflexivity | discriminate]|]. apply nth_In. exact Lq.
  - exists (N.to_nat n), (object_of x). split; [exact (owed_named n x F W)|]. intros i b H. apply met_gone in H. destruct H as (k & y & En & _ & Nk). apply N2Nat.inj in En. subst k. congruence.
Qed.
End Known.

(** *** The list *)

Definition is_right (leaked : bool) : Prop := if leaked then Marking.one_unmet P mm rts (Marking.is_said (valued M0)) else Marking.all_met P mm rts surely.
Lemma leaks_peek s : peeks s (leaks E m rs) is_right.
Proof.
  unfold leaks. eapply peeks_bind; [apply slots_peek|]. intros vs Sl.
  destruct (rounds_searching m tables object_is_met part_is_met cells_are_met below_is_met (starts vs) rounds (starts vs) all_left (starts_searching vs Sl)) as (todo & H & D).
  set (r := reach_all m rounds (starts vs) all_left) in *. destruct (existsb _ (in_order (objects_left r))) eqn:Ex.
  - eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => is_found r = true)); auto|]. intros ? Fd. cbn beta in Fd. apply peeks_ret. unfold is_right.
    destruct (D Fd) as [_ Em]. cbn [objects_left] in Em. rewrite Em in H by (pose proof (order_bounded (objects_held m)); lia).
    apply existsb_exists in Ex as ((n & x) & I & W). apply in_order_in in I as [_ F]. eapply lost_unmet; eauto.
  - eapply peeks_bind; [apply (peeks_demand s _ _ (fun _ => is_empty (in_order (parts_left r)) = true)); auto|]. intros ? Em. cbn beta in Em. apply peeks_ret. eapply all_reached; eauto.
Qed.
Theorem leaks_listed s M : good s M -> at_position (code E) l = Some (CheckLeaks rs) -> meets s M (checks_leaks E m rs (N.succ l)) (fun os _ K => list_right P under l m rho roots lasts g K (shown os)).
Proof.
  intros G here. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described _ here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described _ here) as Dr. cbn [Translated.instruction_of] in Hi, Dr.
  assert (Ck : Owed.checks_leaks P) by (eexists; eapply List.nth_error_In; exact Hi). pose proof (FoldedMembers.all_tabled _ _ _ _ _ _ _ _ _ _ described Ck) as Tb.
  pose proof (FoldedMembers.fine_inside _ _ fine) as In_. pose proof (FoldedMembers.fine_exist _ _ fine) as Ex.
  unfold checks_leaks. eapply meets_peek; [apply leaks_peek|]. intros [|] R; cbn [is_right] in R.
  - apply meets_ret; auto. apply (fails_right P under l m rho roots lasts g M (Machine.fails Machine.Leak)); [|exists Machine.Leak; reflexivity]. intros d. unfold Machine.step. rewrite Hi.
    apply Reached.leaks_exactly; auto. eapply Marking.unmet_not_found; eauto. apply (FoldedMembers.fine_named _ _ fine).
  - assert (S : forall d, Machine.step P under g d = Machine.Ok (Machine.next_location g)).
    { intros d. unfold Machine.step. rewrite Hi. apply Reached.no_leaks_exactly; auto. intros p W. eapply Marking.all_met_found; eauto. }
    apply meets_ret; auto. apply (one_right P under l m rho roots lasts g M (Goes (N.succ l)) (Machine.Ok (Machine.next_location g))); [exact S | | discriminate].
    split; [exact Dr|]. left. unfold Machine.next_location. rewrite (FoldedMembers.is_at _ _ _ _ _ _ _ _ _ _ described), N2Nat.inj_succ. reflexivity.
Qed.
End Leaks.
