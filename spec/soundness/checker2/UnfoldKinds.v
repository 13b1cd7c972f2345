(** That Unfold keeps kinds (spec/calculus.md#template): where a part stands that is opened or
    closed a pointer stood, and a node's integers are of its fields of integers. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Refuting States Stepping Denoting Carried Closing Listed RegisterLists Places Moving Leading Staying Folds Covered Opened NodeOpened ContentsDrawn Kinds KindsKept UnfoldShown.
Import ListNotations.
Open Scope N_scope.

Section UnfoldKinds.
Variable E : setting.
Notation object_kinds := (object_kinds E).
Notation member_kinds := (member_kinds E).
Notation kinds_right := (kinds_right E).

Lemma replaces_part f a b v : is_part (replaces f a b v) = true -> is_part v = true.
Proof. destruct v; cbn; auto. Qed.
Lemma replaced_kinds m f a b : member_kinds m -> member_kinds (replace_part m f a b).
Proof.
  intros [R O]. unfold replace_part. split; cbn [map_slots with_held with_parts with_objects held objects_held].
  - intros r v. rewrite find_mapped. destruct (find (held m) r) as [w|] eqn:F; [|discriminate]. intros [= <-] Pv. apply (R r w F). eapply replaces_part. exact Pv.
  - intros o x. rewrite find_mapped. destruct (find (objects_held m) o) as [z|] eqn:F; [|discriminate]. intros [= <-] n t g Nt Ng. cbn [with_fields declaration field_states] in *. rewrite nth_error_map in Ng.
    destruct (List.nth_error (field_states z) n) as [h|] eqn:Nh; [|discriminate]. injection Ng as <-. destruct (O o z F n t h Nt Nh) as [|Pl]; [auto|]. right. intros v I. cbn [map_cells cells] in I. apply in_map_iff in I as (w & <- & I).
    destruct (is_part (replaces f a b w)) eqn:Pw; [|exact Pw]. apply replaces_part in Pw. rewrite (Pl w I) in Pw. discriminate.
Qed.
Lemma close_kinds m f : member_kinds m -> yields (close_part m f) member_kinds.
Proof. intros K. unfold close_part. apply yields_any. intros p. apply yields_ret. apply replaced_kinds. exact K. Qed.
(** Fields of integers hold integers. *)
Definition integers_in (fs : list field) (xs : list content) : Prop := forall k f T, List.nth_error fs k = Some f -> field_type f = IntegerType T -> exists t, List.nth_error xs k = Some (Held (IntegerSlot t)).
Lemma open_kinds m f d b xs x y : field_types E d = List.map field_type (fields y) -> integers_in (fields y) xs -> member_kinds m -> yields (open_part m f d b xs x) (fun r => member_kinds (snd r)).
Proof.
  intros Ty In_ K. unfold open_part. apply yields_any. intros p. apply yields_any. intros zero. apply yields_any. intros one. destruct (vacant m d) as [name mv] eqn:Va.
  pose proof (vacant_kinds E m d K) as Kv. rewrite Va in Kv. cbn [snd] in Kv. destruct (rest_of_segment mv p (PointerSlot name zero b) x) as [[[[root_ last_] up_] hole_] mr] eqn:Re.
  assert (Kr : member_kinds mr).
  { destruct x as [[u [|]]|]; cbn [rest_of_segment add_part added] in Re; injection Re as _ _ _ _ <-; [| |exact Kv]; (apply (like_kinds E mv); [reflexivity | reflexivity | exact Kv]). }
  set (r_ := {| to_node := PointerSlot name zero b; up_is := up_; same_is := same p; hole_is := hole_ |}). destruct (fields_of_node r_ xs mr xs) as [[vs fs] m2] eqn:Fi. intros s a s' H. unfold bind at 1 in H.
  destruct (folded_left (hand_on (with_lasts xs vs)) (List.combine xs (with_lasts xs vs)) m2 s) as [m3 s3|] eqn:Ha; [|discriminate]. injection H as <- _. cbn [snd]. apply replaced_kinds.
  destruct (node_parts r_ xs mr xs vs fs m2 s m3 s3 Fi Ha) as (_ & (A1 & A2 & _) & _). pose proof (proj2 (final_slots _ _ _ _ _ _ (fields_are _ _ _ _ _ _ _ Fi))) as Sl.
  apply object_put_kinds; [apply (like_kinds E mr); [exact A1 | exact A2 | exact Kr]|]. intros n t g Nt Ng. cbn [declaration field_states] in *. rewrite Ty, nth_error_map in Nt. destruct (List.nth_error (fields y) n) as [fd|] eqn:Nf; [|discriminate]. injection Nt as <-.
  destruct (field_type fd) as [T|] eqn:Tf; [|auto]. right. destruct (In_ n fd T Nf Tf) as (u & Nx). rewrite nth_error_map, (Sl n _ Nx) in Ng. cbn in Ng. injection Ng as <-. intros v [<-|[]]. reflexivity.
Qed.
Lemma each_kinds act sy c : (forall m f, member_kinds m -> yields (act m f) member_kinds) -> kinds_right c -> yields (each_occurrence act sy c) kinds_right.
Proof.
  intros A K. assert (One : forall m, member_kinds m -> yields (in_member act sy m) member_kinds) by (intros m Km; apply (yields_folded act member_kinds); [intros b f Kb; apply A; exact Kb | exact Km]).
  unfold each_occurrence. eapply yields_bind; [apply (yields_mapped_in _ member_kinds); intros m I; apply One, K, herd_member; exact I|]. intros ms F.
  eapply yields_bind with (P := fun e => forall m, e = Some m -> member_kinds m).
  - destruct (entry_member c) as [m|] eqn:En; [|apply yields_ret; discriminate]. eapply yields_bind; [apply One, K; unfold members_of; rewrite En; apply in_or_app; right; left; reflexivity|]. intros m' Km'. apply yields_ret. intros x [= <-]. exact Km'.
  - intros e He. apply yields_ret. intros m I. unfold members_of in I. cbn [with_entry with_herd herd entry_member] in I. rewrite Forall_forall in F. apply in_app_or in I as [I|I]; [exact (F m I)|]. destruct e as [z|]; [|destruct I]. destruct I as [<-|[]]. auto.
Qed.
Lemma contents_integers hole xs0 : forall c env n, yields (contents_of E c env hole n xs0) (fun r => forall k l f T, List.nth_error xs0 k = Some (l, f) -> field_type f = IntegerType T -> is_hole_at hole (n + N.of_nat k) = false -> exists t, List.nth_error (fst (fst r)) k = Some (Held (IntegerSlot t))).
Proof.
  induction xs0 as [|[l f] xs0 IH]; intros c env n; cbn [contents_of]; [apply yields_ret; intros [|k]; discriminate|].
  eapply yields_bind with (P := fun r => forall T, field_type f = IntegerType T -> is_hole_at hole n = false -> exists t, fst (fst r) = Held (IntegerSlot t)).
  - fold (is_hole_at hole n). destruct (is_hole_at hole n); [apply yields_ret; discriminate|]. destruct (field_type f) as [T|] eqn:Tf.
    + assert (Int : yields (let$ (t, c0, env0) := new_value E c env T in let$ c1 := match l with Range a b => let$ (low, high) := within t (a, b) in let$ c1 := assume c0 low in assume c1 high | _ => ret c0 end in ret (Held (IntegerSlot t), c1, env0))
        (fun r => forall U, IntegerType T = IntegerType U -> false = false -> exists t, fst (fst r) = Held (IntegerSlot t))) by (apply yields_any; intros [[t c0] env0]; apply yields_any; intros c1; apply yields_ret; intros U _ _; exists t; reflexivity).
      destruct l; exact Int.
    + intros s r s' _ U [=].
  - intros [[x c1] env1] Hx. eapply yields_bind; [apply IH|]. intros [[ys c2] env2] Hy. apply yields_ret. intros [|k] l' f' T Nk Tf Nh; cbn [List.nth_error fst] in *.
    + injection Nk as <- <-. rewrite N.add_0_r in Nh. destruct (Hx T Tf Nh) as (t & ->). exists t. reflexivity.
    + apply (Hy k l' f' T Nk Tf). replace (N.succ n + N.of_nat k) with (n + N.of_nat (S k)) by lia. exact Nh.
Qed.
Lemma case_kinds c shape sy d b e ks hole y : field_types E d = List.map field_type (fields y) -> (forall s l s', layout_in E d s = Gives l s' -> l = y) -> length ks = length (fields y) ->
  (forall h l f, hole = Some h -> List.nth_error (List.combine ks (fields y)) (N.to_nat h) = Some (l, f) -> field_type f = Pointer) -> kinds_right c -> yields (open_case E c shape sy d b e ks hole) kinds_right.
Proof.
  intros Ty Ly Lk Ho K. unfold open_case. eapply yields_bind with (P := fun r => integers_in (fields y) (fst (fst r)) /\ same_herd c (snd (fst r))).
  - unfold contents_of_node. eapply yields_bind with (P := fun l => l = y); [intros s l s' H; exact (Ly s l s' H)|]. intros ? ->. intros s r s' H. split; [|exact (contents_herd _ _ _ _ _ _ _ _ _ H)].
    intros k f T Nf Tf. assert (Nk : exists l, List.nth_error ks k = Some l) by (destruct (List.nth_error ks k) as [l|] eqn:X; [eauto | apply nth_error_None in X; assert (k < length (fields y))%nat by (apply nth_error_Some; congruence); lia]). destruct Nk as (l & Nk).
    assert (Nc : List.nth_error (List.combine ks (fields y)) k = Some (l, f)) by (clear - Nk Nf; revert k Nk Nf; generalize (fields y) as gs; induction ks as [|a ks IH]; intros [|b gs] [|k] Nk Nf; try discriminate; cbn in *; [congruence | eauto]).
    apply (contents_integers hole (List.combine ks (fields y)) c AnyValue 0 s r s' H k l f T Nc Tf). rewrite N.add_0_l. unfold is_hole_at. destruct hole as [h|]; [|reflexivity]. destruct (N.eqb_spec h (N.of_nat k)) as [->|]; [|reflexivity].
    rewrite (Ho (N.of_nat k) l f eq_refl) in Tf; [discriminate | rewrite Nat2N.id; exact Nc].
  - intros [[xs c1] env1] [In_ Sh]. cbn [fst snd] in *. pose proof (same_kinds E c c1 Sh K) as K1.
    assert (Each : forall x c2, kinds_right c2 -> yields (each_occurrence (fun m f => let$ (_, m0) := open_part m f d b xs x in ret m0) sy c2) kinds_right).
    { intros x c2 K2. apply each_kinds; [|exact K2]. intros m f Km. eapply yields_bind; [apply (open_kinds m f d b xs x y Ty In_ Km)|]. intros [fs m'] Km'. apply yields_ret. exact Km'. }
    destruct shape; apply Each; exact K1.
Qed.
Theorem unfold_kinds c sy e : is_unfold_covered E c sy = true -> kinds_right c -> yields (unfold E c sy e) (Forall kinds_right).
Proof.
  intros Cv K. unfold is_unfold_covered in Cv. apply andb_prop in Cv as [_ Cv]. unfold unfold. eapply yields_bind; [apply yields_some with (Q := fun shape => find (symbols c) sy = Some shape); auto|]. intros shape Fs. rewrite Fs in Cv.
  assert (Fo : forall n is_tree, match shape with Tree t => (t, true) | Segment t => (t, false) end = (n, is_tree) -> is_sort_formed E n = true) by (intros n is_tree; destruct shape; intros [= <- _]; exact Cv).
  destruct (match shape with Tree t => (t, true) | Segment t => (t, false) end) as [n is_tree]. specialize (Fo n is_tree eq_refl). unfold is_sort_formed in Fo.
  eapply yields_bind; [apply yields_some with (Q := fun r => WellFormed.nodes (names_in E) (sorts_in E) n = Some r); auto|]. intros [[d r] ss] Nd. rewrite Nd in Fo.
  destruct (at_position (objects_of (names_in E)) d) as [ob|] eqn:Ax; [|discriminate]. apply andb_prop in Fo as [_ Fo]. destruct (at_position (layouts_of (names_in E)) (Certificates.layout_of ob)) as [y|] eqn:Ay; [|discriminate]. rewrite forallb_forall in Fo.
  assert (Ty : field_types E d = List.map field_type (fields y)) by (unfold field_types; rewrite Ax, Ay; reflexivity).
  assert (Ly : forall s l s', layout_in E d s = Gives l s' -> l = y) by (intros s l s' L; unfold layout_in, object_in, bind, some in L; rewrite Ax in L; unfold ret at 1 in L; rewrite Ay in L; injection L as <- _; reflexivity).
  eapply yields_bind with (P := Forall kinds_right).
  - destruct (_ || _); [|apply yields_ret; constructor]. eapply yields_bind; [apply each_kinds; [exact close_kinds | exact K]|]. intros z Kz. apply yields_ret. constructor; [exact Kz | constructor].
  - intros empty Ke. eapply yields_bind; [apply (yields_mapped_in _ (Forall kinds_right)); intros ks Ik; apply yields_mapped_in; intros hole Ih; specialize (Fo ks Ik); apply andb_prop in Fo as [Lk Li]; apply Nat.eqb_eq in Lk; apply (case_kinds c shape sy d (entrance r) e ks hole y Ty Ly Lk); [|exact K]|].
    + intros h l f -> Nc. rewrite forallb_forall in Li. pose proof (Li (l, f) (List.nth_error_In _ _ Nc)) as Lf. unfold link_formed in Lf. apply Bool.eqb_prop in Lf. cbn [fst snd] in Lf.
      destruct is_tree; [destruct Ih as [Ih|[]]; discriminate|]. apply in_map_iff in Ih as (h' & [= ->] & Ih). unfold holes in Ih. apply in_map_iff in Ih as ([h2 l2] & Eh & Ih). cbn in Eh. subst h2. apply filter_In in Ih as [Ih Ch].
      assert (l = l2) as ->.
      { clear - Nc Ih. assert (X : forall qs b gs, In (h, l2) (List.combine (numbers_from b (length qs)) qs) -> List.nth_error (List.combine qs gs) (N.to_nat (h - b)) = Some (l, f) -> l = l2).
        { clear. induction qs as [|a qs IH]; intros b [|g gs] I N; cbn [length numbers_from List.combine] in *; try (destruct I; fail); [destruct (N.to_nat (h - b)); discriminate|]. destruct I as [[= -> ->]|I].
          - rewrite N.sub_diag in N. cbn in N. congruence.
          - assert (b < h) by (apply in_combine_l, numbers_from_in in I; lia). replace (N.to_nat (h - b)) with (S (N.to_nat (h - N.succ b))) in N by lia. exact (IH (N.succ b) gs I N). }
        apply (X ks 0 (fields y)); [exact Ih | rewrite N.sub_0_r; exact Nc]. }
      destruct l2; try discriminate. cbn in Lf. destruct (field_type f); [discriminate | reflexivity].
    + intros others Ko. apply yields_ret. apply Forall_app. split; [exact Ke | apply concat_all; exact Ko].
Qed.
End UnfoldKinds.
