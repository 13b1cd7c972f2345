(** That the root is right of programs whose inputs are integers, arrays of integers, pointers
    to single objects of integers, and linked structures (spec/calculus.md#root): the
    configurations that [root_of_class] makes are in scope, and each entry state is denoted by
    that of its class, with values of variables that are chosen as they are made. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Inputs Existing Tidy Typed Bounds Entries Owed Alike Folding FoldedMembers Configurations SameInputs Planting Loading Recognised Built Roots Elements Entering Kept Marking.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed PointerLists Moving RegisterScopes Followed Templates Leading Staying Drawn FreshObjects Opened Replayed StaticRoots RootedInputs.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

Section Roots.
Variable Q : program.
Variable us : parameters.
Variable k : N.
Variable ts : list sort.
Let E := setting_of Q us k ts.
Let P := Translated.program_of Q.
Variable trees : nat -> Sorts.sort_of_trees.
Let tabs := index_of (tables Q).
Hypothesis integers_of_c : arithmetic_of us = C.
Hypothesis formed : inputs_formed Q.
Hypothesis well_given : Loading.inputs_formed P.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation world := (world tabs).
Notation goes_on := (goes_on tabs).
Notation is_rooted := (is_rooted Q us k ts).
Notation gives := (gives Q trees).
Notation fits := (fits Q trees).
Let setting_right : same_setting E P (Translated.parameters_of us) := setting_right Q us k ts integers_of_c.

(** ** All inputs *)

(** The class of these values, and what is left of a class when its inputs have been given. *)
Fixpoint class_for (l : lengths) (is : list input) (vs : list Inputs.input_value) : N := match is, vs with
  | i :: is, v :: vs => let n := Rules.classes_of E l i in (class_of n i v + n * class_for l is vs)%N | _, _ => 0%N end.
Definition left_over (l : lengths) (is : list input) (class : N) : N := fold_left (fun class i => (class / Rules.classes_of E l i)%N) is class.
Lemma classes_positive l i : (0 < Rules.classes_of E l i)%N.
Proof. destruct i; cbn [Rules.classes_of]; try lia; destruct l; try lia; destruct (0 <? k_in E)%N; lia. Qed.
Lemma class_small l i v : (class_of (Rules.classes_of E l i) i v < Rules.classes_of E l i)%N.
Proof. pose proof (classes_positive l i). destruct i; cbn [class_of]; try lia. destruct v as [| |[row|]|]; cbn [Rules.classes_of]; lia. Qed.
Lemma class_parts l i v rest : let n := Rules.classes_of E l i in ((class_of n i v + n * rest) mod n = class_of n i v /\ (class_of n i v + n * rest) / n = rest)%N.
Proof.
  intros n. pose proof (class_small l i v) as S. fold n in S. rewrite (N.mul_comm n rest). split; [rewrite N.mod_add by lia; apply N.mod_small; exact S|].
  rewrite N.div_add by lia. rewrite N.div_small by exact S. reflexivity.
Qed.
Lemma left_mono l is : forall a b, (a <= b)%N -> (left_over l is a <= left_over l is b)%N.
Proof. induction is as [|i is IH]; intros a b L; [exact L|]. apply IH. apply N.div_le_mono; [pose proof (classes_positive l i); lia | exact L]. Qed.
Lemma left_none l is : forall vs, length vs = length is -> left_over l is (class_for l is vs) = 0%N.
Proof.
  induction is as [|i is IH]; intros [|v vs] L; try discriminate; [reflexivity|]. cbn [class_for]. unfold left_over. cbn [fold_left]. rewrite (proj2 (class_parts l i v (class_for l is vs))). apply IH. injection L as L. exact L.
Qed.
Lemma inputs_rooted l ls : forall is cs vs s c nu M m class c' rest s', incl (rev ls ++ is) (inputs Q) -> NoDup (registers_of_inputs (rev ls ++ is)) -> NoDup (objects_of_inputs (rev ls ++ is)) -> length vs = length ls ->
  world s c nu M -> is_rooted is cs c M m -> folded_left (Rules.root_input E l) ls (c, class) s = Gives (c', rest) s' ->
  exists mu M' m' cs', world s' c' mu M' /\ goes_on s c M s' c' M' /\ is_rooted (rev ls ++ is) cs' c' M' m' /\ rest = left_over l ls class /\
    forall phi ws, gives is cs c M phi m ws -> Forall2 fits ls vs -> class = class_for l ls vs -> exists phi', gives (rev ls ++ is) cs' c' M' phi' m' (rev vs ++ ws).
Proof.
  induction ls as [|i ls IH]; intros is cs vs s c nu M m class c' rest s' In_ Nr Na Lv Wo Ro R; cbn [folded_left] in R.
  - injection R as <- <- <-. exists nu, M, m, cs. split; [exact Wo|]. split; [apply goes_refl|]. split; [exact Ro|]. split; [reflexivity|]. intros phi ws G F _. inversion F; subst. exists phi. exact G.
  - destruct vs as [|v vs]; [discriminate|]. unfold bind in R. destruct (Rules.root_input E l (c, class) i s) as [[c1 class1] s1|] eqn:R1; [|discriminate].
    cbn [rev] in *. rewrite <- app_assoc in *. cbn [app] in *.
    assert (Nr' : NoDup (registers_of_inputs (i :: is))) by (rewrite flat_map_app in Nr; eapply Scapegoats.NoDup_right; exact Nr).
    assert (Na' : NoDup (objects_of_inputs (i :: is))) by (rewrite flat_map_app in Na; eapply Scapegoats.NoDup_right; exact Na).
    assert (Ii : In i (inputs Q)) by (apply In_, in_or_app; right; left; reflexivity). pose proof (inputs_plain _ formed i Ii) as Pi.
    set (k0 := Rules.classes_of E l i).
    assert (Step : exists mu M1 m1 cs1, world s1 c1 mu M1 /\ goes_on s c M s1 c1 M1 /\ is_rooted (i :: is) cs1 c1 M1 m1 /\ class1 = (class / k0)%N /\
      forall phi ws, gives is cs c M phi m ws -> fits i v -> (class mod k0)%N = class_of k0 i v -> exists phi', gives (i :: is) cs1 c1 M1 phi' m1 (v :: ws)).
    { destruct i as [r|p n o|p o|p o].
      - cbn [flat_map registers_of_input app] in Nr'. inversion_clear Nr' as [|? ? N1 _]. destruct (integer_rooted Q us k ts trees integers_of_c is cs s c nu M m r v class l c1 class1 s1 Wo Ro N1 R1) as (mu & M1 & m1 & W1 & G1 & Ro1 & Ec & Gv).
        exists mu, M1, m1, cs. split; [exact W1|]. split; [exact G1|]. split; [exact Ro1|]. split; [unfold k0; cbn [Rules.classes_of]; rewrite N.div_1_r; exact Ec|]. intros phi ws Gw Fi _. exists phi. apply Gv; auto.
      - cbn [flat_map registers_of_input objects_of_input app] in Nr', Na'. inversion_clear Nr' as [|? ? N1 N2]. inversion_clear N2 as [|? ? N3 _]. inversion_clear Na' as [|? ? A1 _].
        destruct (array_rooted Q us k ts trees integers_of_c is cs s c nu M m p n o v class l c1 class1 s1 Wo Ro Pi) as (mu & M1 & m1 & W1 & G1 & Ro1 & Ec & Gv); auto; [intros I; apply N1; right; exact I|].
        exists mu, M1, m1, (inl (N.to_nat o) :: cs). split; [exact W1|]. split; [exact G1|]. split; [exact Ro1|]. split; [exact Ec|]. intros phi ws Gw Fi Cl. exists phi. apply Gv; auto.
      - cbn [flat_map registers_of_input objects_of_input app] in Nr', Na'. inversion_clear Nr' as [|? ? N1 _]. inversion_clear Na' as [|? ? A1 _].
        destruct (single_rooted Q us k ts trees integers_of_c is cs s c nu M m p o v class l c1 class1 s1 Wo Ro Pi N1 A1 R1) as (mu & M1 & m1 & cs1 & W1 & G1 & Ro1 & Ec & Gv).
        exists mu, M1, m1, cs1. split; [exact W1|]. split; [exact G1|]. split; [exact Ro1|]. split; [exact Ec|]. intros phi ws Gw Fi Cl. exists phi. apply Gv; auto.
      - cbn [flat_map registers_of_input app] in Nr'. inversion_clear Nr' as [|? ? N1 _]. destruct (linked_rooted Q us k ts trees is cs s c nu M m p o v class l c1 class1 s1 Wo Ro Pi N1 R1) as (M1 & m1 & W1 & G1 & Ro1 & Ec & Gv).
        exists nu, M1, m1, (inr (linked_in is) :: cs). split; [exact W1|]. split; [exact G1|]. split; [exact Ro1|]. split; [unfold k0; cbn [Rules.classes_of]; rewrite N.div_1_r; exact Ec|]. intros phi ws Gw Fi _. eapply Gv; eauto. }
    destruct Step as (mu & M1 & m1 & cs1 & W1 & G1 & Ro1 & -> & Gv). injection Lv as Lv.
    destruct (IH (i :: is) cs1 vs s1 c1 mu M1 m1 (class / k0)%N c' rest s' In_ Nr Na Lv W1 Ro1 R) as (mu2 & M2 & m2 & cs2 & W2 & G2 & Ro2 & Er & Gv2).
    exists mu2, M2, m2, cs2. split; [exact W2|]. split; [eapply goes_trans; eauto|]. split; [exact Ro2|]. split; [exact Er|].
    intros phi ws Gw F Ec. inversion F as [|? ? ? ? Fi Fr]; subst. cbn [class_for] in *. fold k0 in Gv, Gv2. destruct (class_parts l i v (class_for l ls vs)) as [Em Ed]. fold k0 in Em, Ed.
    rewrite <- app_assoc. cbn [app]. destruct (Gv phi ws Gw Fi Em) as (phi1 & G3). exact (Gv2 phi1 (v :: ws) G3 Fr Ed).
Qed.

(** ** The root *)

Lemma start_rooted nu s c s' : Terms.well_sorted nu -> modelled tabs s -> before_inputs E s = Gives c s' -> later tabs s s' /\ exists M m, world s' c nu M /\ is_rooted [] [] c M m /\ known_literals c = [] /\ given (symbols c) = 0%N.
Proof.
  intros W Mo R. unfold before_inputs in R. unfold bind in R. destruct (constant_term 0 s) as [zero s1|] eqn:C0; [|discriminate].
  match type of R with folded_left _ _ ?c0 _ = _ => set (start := c0) in * end.
  assert (Me : forall mu M, Terms.well_sorted mu -> good mu s M -> meets mu s M (constant_term 0) (fun t s' M' => is_term s' M' t 0 /\ part_within s' no_scope (LinearPart t)))
    by (intros mu M Wm G; apply meets_also; [apply constant_meets; exact G | apply (constant_within mu tabs no_scope); exact G]).
  pose proof (meets_later tabs s (constant_term 0) zero s1 (fun _ _ t s' M' => is_term s' M' t 0 /\ part_within s' no_scope (LinearPart t)) Me C0) as La.
  destruct (Mo nu W) as [M G]. destruct (Me nu M W G _ _ C0) as (M1 & G1 & _ & [_ Vz] & Wz). destruct (Templates.numbered_of_right (List.map (fun _ : register => Uninitialised) (registers Q))) as [Rn Un].
  assert (Nt : forall {A} g n (a : A), find (none_numbered A g) n <> Some a) by (intros A g n a; unfold find; cbn [none_numbered present_entries]; rewrite PositiveMap.gempty; discriminate).
  set (m := with_consumed (new_member E (At 0) Uninitialised) (IntegerSlot zero)) in *. assert (W1 : world s1 start nu M1).
  { split; auto; [|eapply modelled_later; eauto]. split; [exact formed_none|]. split.
    - intros x I. apply in_app_or in I as [[<-|[]]|[]]. split; [exact Rn | |]; intros o y F; destruct (Nt _ _ _ _ F).
    - intros p I. unfold configuration_terms in I. cbn [start known_literals herd entry_member_terms entry_member flat_map literal_terms List.map app] in I.
      rewrite !app_nil_r in I. unfold member_terms in I. cbn [m with_consumed new_member consumed_of held objects_held parts_held] in I. apply in_app_or in I as [[<-|[]]|I]; [exact Wz|].
      apply in_app_or in I as [I|I]; [unfold entry_terms in I; apply in_flat_map in I as ([r v] & Iv & Ip); apply in_order_in in Iv as [_ Fv]; apply Un in Fv; apply in_map_iff in Fv as (? & <- & _); destruct Ip|].
      apply in_app_or in I as [I|I]; unfold entry_terms in I; apply in_flat_map in I as ([r v] & Iv & _); apply in_order_in in Iv as [_ Fv]; destruct (Nt _ _ _ _ Fv). }
  assert (No : forall o, find (objects_held m) o = None) by (intros o; destruct (find (objects_held m) o) as [y|] eqn:F; [destruct (Nt _ _ _ _ F) | reflexivity]).
  destruct (statics_made_all Q us k ts integers_of_c (statics_right _ formed) (objects Q) 0 s1 start nu M1 m c s') as (M2 & m2 & W2 & G2 & Ec & Em & Gi & On & St); auto.
  { intros d y F. rewrite No in F. discriminate. } { intros d x n cs a L. lia. }
  assert (Eo : exists os, m2 = with_objects m os) by eauto. clear Em. destruct Eo as [os ->].
  split; [eapply later_trans; [exact La | apply G2]|]. exists M2, (with_objects m os). split; [exact W2|]. assert (Hd : herd start = [m]) by reflexivity.
  split; [|rewrite Ec; split; reflexivity]. split; rewrite ?Ec; try (split; reflexivity); try reflexivity; auto.
  - exists zero. split; [reflexivity|]. apply (consumed_goes Q s1 start nu M1 s' c M2 m zero W1 Hd G2 eq_refl Vz).
  - split; [reflexivity|]. intros f q F. destruct (Nt _ _ _ _ F).
  - exact (new_whole E (At 0) Uninitialised).
  - intros r v F _. apply Un in F. apply in_map_iff in F as (? & <- & _). reflexivity.
  - intros o x F. right. eapply On. exact F.
  - split; [constructor|]. split; [intros f; split; [intros [] | unfold linked_in; simpl; lia] | intros o []].
  - intros o x F. pose proof (On o x F) as So. unfold static_at in So. destruct (List.nth_error (objects Q) (N.to_nat o)) as [y|] eqn:Ny; [|discriminate]. destruct (Certificates.origin_of y) as [|n cs a| | |] eqn:Or; try discriminate.
    destruct (St o y n cs a) as (l & z & _ & [Fz Dz _ _ _ _ _]); [assert (N.to_nat o < length (objects Q))%nat by (apply nth_error_Some; congruence); lia | exact Ny | exact Or|]. assert (z = x) as -> by congruence. rewrite Dz.
    change (FoldedMembers.is_node P (N.to_nat o) = false). unfold FoldedMembers.is_node. rewrite (same_objects _ _ _ setting_right o y); [cbn [Translated.object_of Programs.origin_of]; rewrite Or; reflexivity | simpl; rewrite at_position_is; exact Ny].
Qed.
Lemma registers_here : flat_map Loading.input_registers (Programs.inputs P) = List.map N.to_nat (registers_of_inputs (inputs Q)).
Proof. unfold P. cbn [Translated.program_of Programs.inputs]. generalize (inputs Q). induction l as [|i l IH]; [reflexivity|]. cbn [List.map flat_map]. rewrite map_app, IH. destruct i; reflexivity. Qed.
Lemma registers_once : NoDup (registers_of_inputs (inputs Q)).
Proof. pose proof (Loading.registers_apart P well_given) as N. rewrite registers_here in N. eapply NoDup_map_inv. exact N. Qed.
Theorem root_rooted l class s o s' vs : modelled tabs s -> length vs = length (inputs Q) -> Rules.root_of_class E l class s = Gives o s' -> later tabs s s' /\ exists nu M c m cs, world s' c nu M /\ is_rooted (inputs Q) cs c M m /\
  o = (if (left_over l (rev (inputs Q)) class =? 0)%N then Some (with_entry c (Some m)) else None) /\
  (Forall2 fits (rev (inputs Q)) (rev vs) -> class = class_for l (rev (inputs Q)) (rev vs) -> exists phi, gives (inputs Q) cs c M phi m vs).
Proof.
  intros Mo Lv R. unfold Rules.root_of_class in R. unfold bind at 1 in R. destruct (before_inputs E s) as [c0 s0|] eqn:B; [|discriminate].
  destruct (start_rooted zeros s c0 s0 zeros_sorted Mo B) as (L0 & M0 & m0 & W0 & Ro0 & Li0 & Sy0).
  unfold bind in R. change (inputs (program_in E)) with (inputs Q) in R. destruct (folded_left (Rules.root_input E l) (rev (inputs Q)) (c0, class) s0) as [[c left_] s1|] eqn:F; [|discriminate]. injection R as <- <-.
  destruct (inputs_rooted l (rev (inputs Q)) [] [] (rev vs) s0 c0 zeros M0 m0 class c left_ s1) as (mu & M & m & cs & W & G & Ro & El & Gv); auto; rewrite ?rev_involutive, ?app_nil_r; auto using incl_refl, registers_once.
  { apply (objects_apart _ formed). } { rewrite !rev_length. exact Lv. }
  rewrite rev_involutive, app_nil_r in *. split; [eapply later_trans; [exact L0 | apply G]|]. exists mu, M, c, m, cs. split; [exact W|]. split; [exact Ro|]. split.
  - rewrite El, (rooted_herd _ _ _ _ _ _ _ _ _ Ro). reflexivity.
  - intros Fi Ec. specialize (Gv {| FoldedMembers.trees := fun _ => Sorts.Empty; FoldedMembers.contexts := fun _ => Sorts.Hole |} []). rewrite rev_involutive, app_nil_r in Gv. apply Gv; auto. split; [rewrite Li0; intros q [] | split; [|constructor]].
    intros z. unfold FoldedMembers.well_meant_symbol, symbols_of, numbers_of. rewrite Sy0. destruct z; exact Logic.I.
Qed.
Theorem input_root_sane l class s d s' : modelled tabs s -> Rules.root_of_class E l class s = Gives (Some d) s' -> later tabs s s' /\ sane tabs s' d.
Proof.
  intros Mo R. destruct (root_rooted l class s (Some d) s' (List.map (fun _ => Inputs.IntegerValue 0) (inputs Q)) Mo (map_length _ _) R) as (La & nu & M & c & m & cs & Wo & Ro & Ed & _). split; [exact La|].
  destruct (left_over l (rev (inputs Q)) class =? 0)%N; [|discriminate]. injection Ed as ->. split; [apply Wo|]. destruct (world_scope _ _ _ _ _ Wo) as (F & Rt & T). pose proof (rooted_herd _ _ _ _ _ _ _ _ _ Ro) as Hd. split; [exact F|].
  split; [intros x I; apply Rt; unfold members_of in *; cbn [with_entry herd entry_member] in I; rewrite Hd in *; apply in_app_or in I as [I|[<-|[]]]; apply in_or_app; left; [exact I | left; reflexivity]|].
  intros p I. apply T. unfold configuration_terms in *. cbn [with_entry known_literals herd] in I.
  apply in_app_or in I as [I|I]; [apply in_or_app; auto|]. apply in_or_app. right. apply in_app_or in I as [I|I]; apply in_or_app; left; [exact I|].
  unfold entry_member_terms in I. cbn [with_entry entry_member] in I. rewrite Hd. cbn [flat_map]. rewrite app_nil_r. exact I.
Qed.

(** ** The inputs that the root holds *)

Lemma static_declared d n cs a : Programs.origin_of (Machine.declaration_of P d) = Programs.Static n cs a -> exists x n' cs' a', List.nth_error (objects Q) d = Some x /\ Certificates.origin_of x = Static n' cs' a' /\ n = Z.of_N n' /\ cs = List.map Translated.contents_of cs'.
Proof.
  unfold Machine.declaration_of, P. cbn [Translated.program_of Programs.objects]. destruct (List.nth_error (objects Q) d) as [x|] eqn:Nx; [|rewrite nth_overflow by (rewrite map_length; apply nth_error_None; exact Nx); discriminate].
  rewrite (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ Nx)). cbn [Translated.object_of Programs.origin_of]. destruct (Certificates.origin_of x) as [|n' cs' a'| | |] eqn:Or; try discriminate. intros [= <- <- _]. exists x, n', cs', a'. auto.
Qed.
Lemma object_given o : In o (objects_of_inputs (inputs Q)) -> Loading.is_input P (N.to_nat o) = true.
Proof.
  intros I. apply in_flat_map in I as (i & Ii & I). pose proof (inputs_plain _ formed i Ii) as Pi.
  assert (Ob : object_formed Q o) by (destruct i as [r|p n q|p q|p q]; cbn [objects_of_input] in I; try contradiction; destruct I as [<-|[]]; exact Pi || exact (proj2 Pi)).
  destruct Ob as (x & y & Ox & Ly & _ & Orig). destruct (layout_here Q us k ts integers_of_c o x y Ox Ly) as (Ax & _ & _). unfold Loading.is_input. rewrite (same_objects _ _ _ setting_right o x Ax). cbn [Translated.object_of Programs.origin_of]. rewrite Orig. reflexivity.
Qed.
(** What is given in an object that there is. *)
Lemma presented_object ss M m phi is vs cs o : (forall q x, FoldedMembers.object_named (member_of 0 m) q = Some x -> FoldedMembers.is_node P (FoldedMembers.kind x) = false) ->
  Loading.presents P ss (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> incl is (inputs Q) -> In (inl o) cs ->
  exists rows x, FoldedMembers.object_named (member_of 0 m) o = Some x /\ Loading.holds_rows P (valued M) o rows x /\ forallb (Inputs.row_fits (Programs.layout_fields (Machine.layout_of_declaration P o))) rows = true /\ forallb Inputs.is_integer (Programs.layout_fields (Machine.layout_of_declaration P o)) = true.
Proof.
  intros No. revert vs cs. induction is as [|i is IH]; intros vs cs H In_ I; [inversion H; subst; destruct I|]. assert (In' : incl is (inputs Q)) by (intros j J; apply In_; right; exact J). pose proof (inputs_plain _ formed i (In_ i (or_introl eq_refl))) as Pi.
  assert (Whole : forall q, object_formed Q q -> forallb Inputs.is_integer (Programs.layout_fields (Machine.layout_of_declaration P (N.to_nat q))) = true).
  { intros q (x & y & Ox & Ly & All & _). destruct (layout_here Q us k ts integers_of_c q x y Ox Ly) as (_ & _ & Lay). change (Machine.layout_of_declaration P (N.to_nat q)) with (Machine.layout_of_declaration (Translated.program_of Q) (N.to_nat q)). rewrite Lay. cbn [Translated.layout_of Programs.layout_fields].
    apply forallb_forall. intros f J. apply in_map_iff in J as (g & <- & J). destruct (All g J) as (T & Tg). unfold Inputs.is_integer. cbn [Translated.field_of Programs.holds]. rewrite Tg. reflexivity. }
  destruct i as [r|p n q|p q|p q]; cbn [List.map Translated.input_of] in H;
    inversion H as [| r' z is' vs' cs' Hz W R | p' n' d rows x is' vs' cs' (j & _ & O & _) Hx _ Al R | p' d is' vs' cs' Sp R | p' d row x is' vs' cs' (j & _ & O & _) Hx Fr R | p' d t fp is' vs' cs' Rd R]; subst; try (eapply IH; eauto; fail).
  - destruct I as [[= <-]|I]; [|eapply IH; eauto]. exists rows, x. split; [exact O|]. split; [exact Hx|]. split; [|apply Whole; exact (proj2 Pi)]. unfold Loading.array_allowed in Al. apply andb_prop in Al as [Al _]. apply andb_prop in Al as [Al _]. apply andb_prop in Al as [_ Ar]. exact Ar.
  - destruct I as [[= <-]|I]; [|eapply IH; eauto]. exists [row], x. split; [exact O|]. split; [exact Hx|]. split; [cbn [forallb]; rewrite Fr; reflexivity | apply Whole; exact Pi].
  - apply in_app_or in I as [I|I]; [|eapply IH; eauto]. apply (reads_slot Q) in Rd as [(_ & _ & ->)|(f & w & _ & _ & _ & _ & _ & ->)]; [destruct I | destruct I as [[=]|[]] | exact No].
Qed.
Lemma presented_register ss M m phi is vs cs r : (forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> FoldedMembers.is_node P (FoldedMembers.kind x) = false) ->
  Loading.presents P ss (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> In r (registers_of_inputs is) ->
  let v := FoldedMembers.slot_at (member_of 0 m) (N.to_nat r) in Built.leads (member_of 0 m) v /\
  forall t, v = FoldedMembers.Plain (Members.IntegerSlot t) -> Typed.value_in (Machine.type_of P (N.to_nat r)) (Machine.Integer (Terms.eval (valued M) t)).
Proof.
  intros No. revert vs cs. induction is as [|i is IH]; intros vs cs H I; [destruct I|]. cbn [List.map flat_map] in *. apply in_app_or in I as [I|I]; [|inversion H; subst; (eapply IH; [eassumption | exact I])].
  assert (In_range : forall q z, is_within (Machine.integer_type_of P q) z = true -> Typed.value_in (Machine.type_of P q) (Machine.Integer z)).
  { intros q z W. apply is_within_iff in W. unfold Machine.integer_type_of in W. destruct (Machine.type_of P q); simpl; auto. }
  destruct i as [q|p n o|p o|p o]; cbn [registers_of_input Translated.input_of] in *.
  - destruct I as [->|[]]. inversion H as [| q z is' vs' cs' (t & St & Et) W R | | | |]; subst. rewrite St. split; [exact Logic.I|]. intros u [= <-]. apply In_range. exact W.
  - inversion H as [| | p' n' d rows x is' vs' cs' (j & Sp & O & Ej) Hx (t & St & Et) Al R | | |]; subst. destruct I as [->|[->|[]]].
    + rewrite Sp. split; [simpl; congruence | discriminate].
    + rewrite St. split; [exact Logic.I|]. intros u [= <-]. apply In_range. rewrite Et. unfold Loading.array_allowed in Al. apply andb_prop in Al as [Al _]. apply andb_prop in Al as [_ Al]. exact Al.
  - destruct I as [->|[]]. inversion H as [| | | p' d is' vs' cs' Sp R | p' d row x is' vs' cs' (j & Sp & O & Ej) Hx Fr R |]; subst; rewrite Sp; (split; [simpl; congruence || exact Logic.I | discriminate]).
  - destruct I as [->|[]]. inversion H as [| | | | | p' d t fp is' vs' cs' Rd R]; subst. apply (reads_slot Q) in Rd as [(-> & _)|(f & q & -> & Hq & _)]; [split; [exact Logic.I | discriminate] | | exact No]. split; [|discriminate].
    simpl. intros E0. cbn [Presented.heap_of Scapegoats.parts] in Hq. unfold Presented.heap_part in Hq. rewrite E0 in Hq. discriminate.
Qed.
(** Linked inputs are where they can be read. *)
Lemma presented_root ss M m phi is vs cs p o : (forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> FoldedMembers.is_node P (FoldedMembers.kind x) = false) ->
  Loading.presents P ss (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> In (Programs.LinkedInput p o) (List.map Translated.input_of is) -> Kept.readable (valued M) (member_of 0 m) (FoldedMembers.slot_at (member_of 0 m) p).
Proof.
  intros No. revert vs cs. induction is as [|i is IH]; intros vs cs H I; [destruct I|]. cbn [List.map] in *. destruct I as [Ei|I]; [|inversion H; subst; (eapply IH; [eassumption | exact I])].
  rewrite Ei in H. inversion H as [| | | | | p' d t fp is' vs' cs' Rd R]; subst. apply (reads_slot Q) in Rd as [(-> & _)|(f & q & -> & Hq & _)]; [exact Logic.I | | exact No].
  simpl. intros E0. cbn [Presented.heap_of Scapegoats.parts] in Hq. unfold Presented.heap_part in Hq. rewrite E0 in Hq. discriminate.
Qed.
Lemma node_declared o : node_at Q o = true -> FoldedMembers.is_node P (N.to_nat o) = true.
Proof.
  unfold node_at. destruct (List.nth_error (objects Q) (N.to_nat o)) as [x|] eqn:Nx; [|discriminate]. intros Is. unfold FoldedMembers.is_node. rewrite (same_objects _ _ _ setting_right o x); [|simpl; rewrite at_position_is; exact Nx].
  cbn [Translated.object_of Programs.origin_of]. destruct (Certificates.origin_of x); discriminate || reflexivity.
Qed.
Theorem rooted_holds cs c M m vs phi : is_rooted (inputs Q) cs c M m -> tables_right m -> gives (inputs Q) cs c M phi m vs -> Kept.entry_right P (symbols_of c) (valued M) phi (member_of 0 m) vs cs.
Proof.
  intros Ro Tm (_ & _ & Pr). assert (Plain : forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> FoldedMembers.is_node P (FoldedMembers.kind x) = false) by exact (plain_objects _ _ _ _ _ _ _ _ _ Ro). destruct Ro as [Hd Re [Pla Sz] Cs [Gp Pa] Gi [Dm Gm] Rg Ob (Nc & Cf & Co) No Sta].
  change (given (held m) = count (registers Q)) in Gm. rewrite count_length in Gm.
  assert (Part : forall f q, FoldedMembers.part_named (member_of 0 m) f = Some q -> (f < linked_in (inputs Q))%nat /\ exists z, q = part_of z /\ is_root_part Q (symbols c) z).
  { intros f q H. rewrite part_named_is, Gp, Nat2N.id in H. destruct (Nat.ltb_spec f (linked_in (inputs Q))) as [L|]; [|discriminate]. split; [exact L|]. destruct (find (parts_held m) (N.of_nat f)) as [z|] eqn:Fz; [|discriminate]. injection H as <-. eauto. }
  assert (Slot : forall r, In (N.of_nat r) (registers_of_inputs (inputs Q)) \/ FoldedMembers.slot_at (member_of 0 m) r = FoldedMembers.Plain Members.NothingHeld \/
    ((length (registers Q) <= r)%nat /\ FoldedMembers.slot_at (member_of 0 m) r = FoldedMembers.forgotten)).
  { intros r. destruct (in_dec N.eq_dec (N.of_nat r) (registers_of_inputs (inputs Q))) as [I|N]; [auto|]. right. rewrite slot_at_is. destruct (Nat.ltb_spec r (N.to_nat (given (held m)))) as [L|L]; [|right; split; [lia | reflexivity]].
    left. destruct (find (held m) (N.of_nat r)) as [v|] eqn:F; [rewrite (Rg _ v F N); reflexivity|]. exfalso. apply (Dm (N.of_nat r)); [lia | exact F]. }
  pose proof (static_right Q us k ts integers_of_c (statics_right _ formed) M m Gi Sta) as Statics.
  assert (Named : forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> In (inl o) cs \/ static_at Q (N.of_nat o) = true).
  { intros o x H. rewrite object_named_is in H. destruct (Nat.ltb _ _); [|discriminate]. destruct (find (objects_held m) (N.of_nat o)) as [z|] eqn:F; [|discriminate]. pose proof (Ob _ z F) as Oz. rewrite Nat2N.id in Oz. exact Oz. }
  assert (Holds : Entering.holds_inputs P (symbols_of c) (valued M) phi (member_of 0 m) vs cs); [split; [| | exact Pr |]|].
  - split; [reflexivity | | | intros d n ds a O; apply static_declared in O as (x & n' & cs' & a' & Nx & Or & -> & ->); rewrite <- (Nat2N.id d) in Nx |- *; destruct (Statics (N.of_nat d) x n' cs' a' Nx Or) as (y & _ & On & Hs & _); eauto].
    + rewrite slots_of_member, Gm, Nat2N.id. unfold P. cbn [Translated.program_of Programs.registers]. rewrite map_length. reflexivity.
    + intros r L Ni. unfold P in L. cbn [Translated.program_of Programs.registers] in L. rewrite map_length in L. destruct (Slot r) as [I|[S|[G _]]]; [|exact S | lia]. exfalso. apply Ni. rewrite registers_here. rewrite <- (Nat2N.id r). apply in_map. exact I.
  - split.
    + intros o x H. destruct (Named o x H) as [I|S].
      2: { unfold static_at in S. destruct (List.nth_error (objects Q) (N.to_nat (N.of_nat o))) as [x0|] eqn:Nx; [|discriminate]. destruct (Certificates.origin_of x0) as [|n' cs' a'| | |] eqn:Or; try discriminate.
        destruct (Statics (N.of_nat o) x0 n' cs' a' Nx Or) as (y & _ & On & _ & Rt). rewrite Nat2N.id in On, Rt. rewrite H in On. injection On as ->. exact Rt. }
      destruct (presented_object _ M m phi _ _ _ _ Plain Pr (incl_refl _) I) as (rows & y & O & Hx & Ar & Ai). rewrite H in O. injection O as <-.
      pose proof (Co o I) as Io. apply in_map_iff in Io as (q & <- & Io). eapply Elements.rows_right; eauto. exact (object_given q Io).
    + intros f q H. destruct (Part f q H) as (_ & z & -> & [A1 A2 A3 (o & Fo & Lo & No_)]). exists (N.to_nat o). cbn [part_of FoldedMembers.symbol FoldedMembers.above FoldedMembers.alongside FoldedMembers.below]. rewrite A1, A2, A3.
      split; [rewrite ContentsDrawn.symbols_at, Fo; destruct (N.ltb_spec (symbol z) (given (symbols c))); [reflexivity | lia]|]. split; [apply node_declared; exact No_|]. repeat split.
    + intros r. destruct (Slot r) as [I|[->|[_ ->]]]; try exact Logic.I. pose proof (presented_register _ M m phi _ _ _ _ Plain Pr I) as [Le _]. rewrite Nat2N.id in Le. exact Le.
    + intros r t St. destruct (Slot r) as [I|[S|[_ S]]]; try (rewrite S in St; discriminate). pose proof (presented_register _ M m phi _ _ _ _ Plain Pr I) as [_ Va]. rewrite Nat2N.id in Va. apply Va. exact St.
  - exact Nc.
  - split; [exact Holds | split |].
    + intros o x E0 N0. rewrite (Plain o x E0) in N0. discriminate.
    + intros p d I. exact (presented_root _ M m phi _ _ _ p d Plain Pr I).
    + intros f q H. destruct (Part f q H) as (_ & z & -> & [A1 _ _ _]). cbn [part_of FoldedMembers.above]. rewrite A1. exact Logic.I.
    + intros [o|f].
      * intros (n & En & _). exfalso. cbn [Presented.heap_of Scapegoats.nodes] in En. unfold Presented.heap_node in En. destruct (FoldedMembers.object_named (member_of 0 m) o) as [x|] eqn:Ox; [|discriminate]. rewrite (Plain o x Ox) in En. discriminate.
      * intros (q & Eq). apply Cf. cbn [Presented.heap_of Scapegoats.parts] in Eq. unfold Presented.heap_part in Eq. destruct (FoldedMembers.part_named (member_of 0 m) f) as [z|] eqn:Fz; [|discriminate]. apply (Part f z Fz).
Qed.

(** Parts of the root hang from linked inputs. *)
Lemma presented_part ss M m phi is vs cs f : (forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> FoldedMembers.is_node P (FoldedMembers.kind x) = false) ->
  Loading.presents P ss (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> In (inr f) cs -> exists p d, In (LinkedInput p d) is /\ FoldedMembers.slot_at (member_of 0 m) (N.to_nat p) = FoldedMembers.RootOf f.
Proof.
  intros No. revert vs cs. induction is as [|i is IH]; intros vs cs H I; [inversion H; subst; destruct I|].
  assert (Later : forall vs cs, Loading.presents P ss (valued M) phi (member_of 0 m) (List.map Translated.input_of is) vs cs -> In (inr f) cs -> exists p d, In (LinkedInput p d) (i :: is) /\ FoldedMembers.slot_at (member_of 0 m) (N.to_nat p) = FoldedMembers.RootOf f).
  { intros vs' cs' R J. destruct (IH vs' cs' R J) as (p & d & K & S). exists p, d. split; [right; exact K | exact S]. }
  destruct i as [r|p n q|p q|p q]; cbn [List.map Translated.input_of] in H;
    inversion H as [| r' z is' vs' cs' Hz W R | p' n' d rows x is' vs' cs' Hp Hx Hn Al R | p' d is' vs' cs' Sp R | p' d row x is' vs' cs' Hp Hx Fr R | p' d t fp is' vs' cs' Rd R]; subst.
  - exact (Later _ _ R I).
  - destruct I as [[=]|I]. exact (Later _ _ R I).
  - exact (Later _ _ R I).
  - destruct I as [[=]|I]. exact (Later _ _ R I).
  - apply in_app_or in I as [I|I]; [|exact (Later _ _ R I)]. apply (reads_slot Q) in Rd as [(_ & _ & ->)|(g & w & S & _ & _ & _ & _ & ->)]; [destruct I | | exact No]. destruct I as [[= <-]|[]]. exists p, q. split; [left; reflexivity | exact S].
Qed.
(** What is held is of inputs and static objects, and parts hang from linked inputs, so that
    nothing is lost. *)
Lemma nothing_owed cs c M m vs phi : is_rooted (inputs Q) cs c M m -> tables_right m -> gives (inputs Q) cs c M phi m vs -> Marking.all_met P (member_of 0 m) (Entering.linked_roots P) (Marking.has_element (valued M)).
Proof.
  intros Ro Tm (_ & _ & Pr). assert (Plain : forall o x, FoldedMembers.object_named (member_of 0 m) o = Some x -> FoldedMembers.is_node P (FoldedMembers.kind x) = false) by exact (plain_objects _ _ _ _ _ _ _ _ _ Ro).
  destruct Ro as [Hd Re _ Cs [Gp Pa] Gi _ Rg Ob (Nc & Cf & Co) No Sta]. split.
  - intros o x (Ho & _ & W). exfalso. rewrite object_named_is in Ho. destruct (Nat.ltb _ _); [|discriminate]. destruct (find (objects_held m) (N.of_nat o)) as [z|] eqn:F; [|discriminate]. injection Ho as <-.
    destruct (Ob _ z F) as [I|S].
    + destruct (presented_object _ M m phi _ _ _ _ Plain Pr (incl_refl _) I) as (rows & y & O & Hx & _). rewrite (object_held 0 m Tm _ z F) in O. injection O as <-.
      rewrite (Loading.rows_kind _ _ _ _ _ Hx) in W. pose proof (Co _ I) as Io. apply in_map_iff in Io as (q & Eq & Io). rewrite <- Eq in W. pose proof (object_given q Io) as G. unfold Loading.is_input, Owed.is_owed_kind in *. destruct (Programs.origin_of _); discriminate.
    + unfold static_at in S. destruct (List.nth_error (objects Q) (N.to_nat (N.of_nat o))) as [x0|] eqn:Nx; [|discriminate]. destruct (Certificates.origin_of x0) as [|n' cs' a'| | |] eqn:Or; try discriminate.
      destruct (static_right Q us k ts integers_of_c (statics_right _ formed) M m Gi Sta (N.of_nat o) x0 n' cs' a' Nx Or) as (y & Fy & _ & Hs & _). rewrite F in Fy. injection Fy as <-. rewrite (Recognised.static_kind _ _ _ _ _ _ Hs) in W.
      unfold Owed.is_owed_kind, Machine.declaration_of, P in W. cbn [Translated.program_of Programs.objects] in W. rewrite (nth_error_nth _ _ _ (map_nth_error Translated.object_of _ _ Nx)) in W. cbn [Translated.object_of Programs.origin_of] in W. rewrite Or in W. discriminate.
  - intros f q Hq. assert (I : In (inr f) cs).
    { apply Cf. rewrite part_named_is, Gp, Nat2N.id in Hq. destruct (Nat.ltb_spec f (linked_in (inputs Q))); [assumption | discriminate]. }
    destruct (presented_part _ M m phi _ _ _ f Plain Pr I) as (p & d & Ip & Sp). rewrite <- Sp. apply Marking.met_root. unfold Entering.linked_roots, P. cbn [Translated.program_of Programs.inputs]. apply in_flat_map. exists (Translated.input_of (LinkedInput p d)). split; [apply in_map; exact Ip | left; reflexivity].
Qed.

(** ** Entry states *)

Hypothesis nodes : Planting.nodes_formed P trees.
Lemma loaded_fit is : incl is (inputs Q) -> forall a vs b, Inputs.load_inputs P a (List.map Translated.input_of is) vs = Some b -> Forall2 fits is vs.
Proof.
  induction is as [|i is IH]; intros In_ a [|v vs] b H; try discriminate; [constructor|]. cbn [List.map Inputs.load_inputs] in H. destruct (Inputs.load_input P a (Translated.input_of i) v) as [a1|] eqn:L; [|discriminate].
  constructor; [|eapply IH; eauto; intros j J; apply In_; right; exact J]. pose proof (inputs_plain _ formed i (In_ i (or_introl eq_refl))) as Pi. destruct i as [r|p n o|p o|p o]; destruct v as [z|rows|[row|]|t]; try discriminate; cbn [Translated.input_of Inputs.load_input RootedInputs.fits] in *.
  - destruct (is_within _ z); [reflexivity | discriminate].
  - unfold Loading.array_allowed. destruct (_ && _ && _ && _); [reflexivity | discriminate].
  - destruct (Inputs.row_fits _ row); [reflexivity | discriminate].
  - exact Logic.I.
  - destruct (Inputs.plant P t (N.to_nat o) Machine.Null (length (Inputs.made a))) as [[w os]|] eqn:Pt; [|discriminate]. destruct (Roots.unplanted P trees nodes t (N.to_nat o) _ _ _ (node_declared o Pi) Pt) as (tr & <- & Of & Td). eauto.
Qed.
Lemma given_until root K : (forall class s s', (class <= K)%N -> modelled tabs s -> root class s = Gives None s' -> False) -> forall class s roots, given_roots tabs root class s roots -> (class <= K)%N ->
  exists s1 d s2, modelled tabs s1 /\ root K s1 = Gives (Some d) s2 /\ In (Open s2 d) roots.
Proof.
  intros None_. induction 1 as [class s s' Mo R | class s d s' s2 roots Mo R G IH]; intros L; [destruct (None_ class s s' L Mo R)|].
  destruct (N.eq_dec class K) as [->|Ne]; [exists s, d, s'; split; [exact Mo|]; split; [exact R | left; reflexivity]|]. destruct IH as (s1 & e & s3 & M1 & R1 & I); [lia|]. exists s1, e, s3. split; [exact M1|]. split; [exact R1 | right; exact I].
Qed.
Hypothesis contents : Entries.contents_formed P.
Hypothesis targets : Recognised.targets_formed P.
Theorem input_roots_cover l s roots : given_roots tabs (Rules.root_of_class E l) 0%N s roots -> forall x, Goatherd.Runs.is_entry P x ->
  exists y, In y roots /\ shows_stage P (Translated.parameters_of us) trees tabs y (Herds.Run (Goatherd.Runs.system_of P (Translated.parameters_of us)) x 0 x) [].
Proof.
  intros Gi x (vs & st & Es & ->).
  assert (Fi : Forall2 fits (inputs Q) vs).
  { unfold Inputs.entry_state in Es. destruct (Inputs.load_inputs P _ (Programs.inputs P) vs) as [b|] eqn:Lo; [|discriminate]. eapply loaded_fit; [apply incl_refl | exact Lo]. }
  assert (Lv : length vs = length (inputs Q)) by (symmetry; exact (Folding.Forall2_length _ _ _ Fi)). set (K := class_for l (rev (inputs Q)) (rev vs)).
  assert (Zero : forall class, (class <= K)%N -> left_over l (rev (inputs Q)) class = 0%N).
  { intros class L. pose proof (left_mono l (rev (inputs Q)) class K L) as Lm. unfold K in Lm. rewrite left_none in Lm by (rewrite !rev_length; exact Lv). lia. }
  destruct (given_until (Rules.root_of_class E l) K) with (class := 0%N) (s := s) (roots := roots) as (s1 & d & s2 & Mo & R & I); [| exact Gi | lia |].
  { intros class s1 s2 L Mo R. destruct (root_rooted l class s1 None s2 vs Mo Lv R) as (_ & nu & M & c & m & cs & _ & _ & Ed & _). rewrite (Zero class L) in Ed. discriminate. }
  exists (Open s2 d). split; [exact I|]. destruct (root_rooted l K s1 (Some d) s2 vs Mo Lv R) as (_ & nu & M & c & m & cs & Wo & Ro & Ed & Gv). rewrite (Zero K (N.le_refl _)) in Ed. injection Ed as ->.
  assert (Fr : Forall2 fits (rev (inputs Q)) (rev vs)) by (clear - Fi; induction Fi; simpl; [constructor | apply Forall2_app; auto]).
  destruct (Gv Fr eq_refl) as (phi & Gh). pose proof (rooted_herd _ _ _ _ _ _ _ _ _ Ro) as Hd. pose proof (world_scope _ _ _ _ _ Wo) as Sc. assert (Tm : tables_right m) by (apply (proj1 (proj2 Sc)), herd_member; rewrite Hd; left; reflexivity).
  pose proof (rooted_holds cs c M m vs phi Ro Tm Gh) as Hi. destruct (rooted_rest _ _ _ _ _ _ _ _ _ Ro) as (En & Pr). destruct (rooted_place _ _ _ _ _ _ _ _ _ Ro) as [Pla Sz]. destruct (rooted_consumed _ _ _ _ _ _ _ _ _ Ro) as (zero & Cz & Vz).
  set (e := with_entry c (Some m)). change (symbols_of e) with (symbols_of c). pose proof Gh as (L & Me & _).
  destruct (Entering.entry_denoted_under P trees nodes well_given contents targets (symbols_of c) (valued M) phi (member_of 0 m) vs cs) as (y & Ey & Dy & _); auto; [intros _; exact (nothing_owed cs c M m vs phi Ro Tm Gh) | apply Hi|].
  rewrite Es in Ey. injection Ey as <-.
  assert (A : Configurations.accounts P (Translated.parameters_of us) (symbols_of c) (valued M) phi (counted_of m) (Herds.Run (Goatherd.Runs.system_of P (Translated.parameters_of us)) (Goatherd.Runs.Running st) 0 (Goatherd.Runs.Running st))).
  { split; cbn [counted_of Configurations.stands Configurations.counted]; [rewrite Pla; exists st; auto | rewrite Cz, valued_term, Vz; reflexivity]. }
  exists nu, M, phi. split; [apply Wo|]. split; [apply Wo|]. split; [exact L|]. split; [exact Me|]. split.
  - unfold herd_accounts, e. cbn [with_entry herd]. rewrite Hd. split; [exact A | constructor].
  - unfold entry_accounts, e. cbn [with_entry entry_member]. split; [exact A|]. split; [exact Sz|]. exists 0%N, vs, cs. auto.
Qed.
End Roots.
