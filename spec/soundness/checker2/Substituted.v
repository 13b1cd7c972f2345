(** That the image of a template's term has the value of the term (spec/calculus.md#subsume,
    Lemma 3): under a valuation of the configuration, and the one that the substitution makes
    of it, which gives each variable of the template the value of its image.

    Both valuations have models of the same state of terms, which grow together. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Meaning Normal.
From Goatherd.checker2 Require Covering.
Import ListNotations.
Open Scope Z_scope.

Section Substituted.
Variables nu mu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Hypothesis sorted_too : Terms.well_sorted mu.
Variable tabs : indexed table.
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).

(** ** Two models of one state *)

Definition twice {A} (s : state) (M K : model) (c : computes A) (post : A -> state -> model -> model -> Prop) : Prop :=
  forall a s', c s = Gives a s' -> exists M' K', good nu s' M' /\ good mu s' K' /\ keeps s M s' M' /\ keeps s K s' K' /\ post a s' M' K'.
Lemma twice_bind {A B} s M K (c : computes A) (f : A -> computes B) P Q : twice s M K c P ->
  (forall a s' M' K', good nu s' M' -> good mu s' K' -> keeps s M s' M' -> keeps s K s' K' -> P a s' M' K' -> twice s' M' K' (f a) Q) -> twice s M K (bind c f) Q.
Proof.
  intros H F b s2 E. unfold bind in E. destruct (c s) as [a s1|] eqn:C; [|discriminate]. destruct (H _ _ C) as (M1 & K1 & G & G' & Kp & Kp' & Pa).
  destruct (F a s1 M1 K1 G G' Kp Kp' Pa _ _ E) as (M2 & K2 & H1 & H2 & L & L' & Qb). exists M2, K2. split; auto. split; auto.
  split; [eapply keeps_trans; eauto|]. split; [eapply keeps_trans; eauto | exact Qb].
Qed.
Lemma twice_peek {A B} s M K (c : computes A) (f : A -> computes B) P Q : peeks s c P -> (forall a, P a -> twice s M K (f a) Q) -> twice s M K (bind c f) Q.
Proof. intros H F b s2 E. unfold bind in E. destruct (c s) as [a s1|] eqn:C; [|discriminate]. destruct (H _ _ C) as [-> Pa]. eapply F; eauto. Qed.
Lemma twice_ret {A} s M K (a : A) (Q : A -> state -> model -> model -> Prop) : good nu s M -> good mu s K -> Q a s M K -> twice s M K (ret a) Q.
Proof. intros G G' H b s' [= <- <-]. exists M, K. repeat (split; [auto using keeps_refl|]). exact H. Qed.
Lemma twice_refuses {A} s M K r (Q : A -> state -> model -> model -> Prop) : twice s M K (refuses r) Q.
Proof. intros a s' [=]. Qed.
Lemma twice_both {A} s M K (c : computes A) P R : meets nu s M c P -> meets mu s K c R -> twice s M K c (fun a s' M' K' => P a s' M' /\ R a s' K').
Proof.
  intros H F a s' E. destruct (H _ _ E) as (M' & G & Kp & Pa). destruct (F _ _ E) as (K' & G' & Kp' & Ra). exists M', K'. auto 6.
Qed.
Lemma twice_weaker {A} s M K (c : computes A) (P Q : A -> state -> model -> model -> Prop) : twice s M K c P ->
  (forall a s' M' K', good nu s' M' -> good mu s' K' -> keeps s M s' M' -> keeps s K s' K' -> P a s' M' K' -> Q a s' M' K') -> twice s M K c Q.
Proof. intros H F a s' E. destruct (H _ _ E) as (M' & K' & A1 & A2 & A3 & A4 & Pa). exists M', K'. auto 6. Qed.

(** ** Images *)

(** What is asked of values, if anything is: terms are made in any case. *)
Variable Q : Prop.
(** The second has the value under the configuration's valuation that the first has under the
    template's. *)
Definition image_right (s : state) (M K : model) (p : part) (n : N) : Prop := part_in s p /\ match p with
  | LinearPart t => (n < linears_in s)%N /\ (Q -> vl M n = vl K t) | ArrayPart a => (n < arrays_in s)%N /\ (Q -> forall j, vr M n j = vr K a j) end.
Definition variables_right (s : state) (M : model) (th : Covering.substitution) : Prop :=
  (forall q x l n, nth (Covering.of_integers th) (number_of_sort q) = Some l -> nth l x = Some n -> (n < linears_in s)%N /\ (Q -> vl M n = Terms.integers mu q (N.to_nat x))) /\
  (forall T x l n, nth (Covering.of_arrays th) (number_of T) = Some l -> nth l x = Some n -> (n < arrays_in s)%N /\ (Q -> forall j, vr M n j = Terms.arrays mu T (N.to_nat x) j)).
Definition theta_right (s : state) (M K : model) (th : Covering.substitution) : Prop := variables_right s M th /\
  forall p n, PositiveMap.find (Covering.key_of_part p) (Covering.images th) = Some n -> image_right s M K p n.

Lemma image_kept s M K s' M' K' p n : keeps s M s' M' -> keeps s K s' K' -> image_right s M K p n -> image_right s' M' K' p n.
Proof.
  intros Km Kk [I H]. split; [eapply part_in_kept; eauto|]. destruct p as [t|a]; simpl in *; destruct H as [In_ H].
  - destruct (is_term_kept _ _ _ _ n (vl M n) Km (conj In_ eq_refl)) as [In1 V]. split; [exact In1|]. intros hq. rewrite V, (H hq). symmetry. apply (keeps_linears _ _ _ _ Kk). exact I.
  - destruct (is_array_kept _ _ _ _ n (vr M n) Km (conj In_ (fun j => eq_refl))) as [In1 V]. split; [exact In1|]. intros hq j. rewrite V, (H hq). symmetry. apply (keeps_arrays _ _ _ _ Kk). exact I.
Qed.
Lemma theta_kept s M K s' M' K' th : keeps s M s' M' -> keeps s K s' K' -> theta_right s M K th -> theta_right s' M' K' th.
Proof.
  intros Km Kk [[A B] C]. split; [split|].
  - intros q x l n H I. destruct (A q x l n H I) as [In_ V]. destruct (is_term_kept _ _ _ _ n (vl M n) Km (conj In_ eq_refl)) as [In1 W]. split; [exact In1|].
    intros hq. rewrite W. exact (V hq).
  - intros T x l n H I. destruct (B T x l n H I) as [In_ V]. destruct (is_array_kept _ _ _ _ n (vr M n) Km (conj In_ (fun j => eq_refl))) as [In1 W]. split; [exact In1|].
    intros hq j. rewrite W. exact (V hq j).
  - intros p n H. eapply image_kept; eauto.
Qed.
Lemma key_of_part_injective p q : Covering.key_of_part p = Covering.key_of_part q -> p = q.
Proof. destruct p, q; simpl; intros [= H]; apply key_of_n_injective in H; congruence. Qed.
Lemma with_image_right s M K th p n : theta_right s M K th -> image_right s M K p n -> theta_right s M K (Covering.with_image th p n).
Proof.
  intros [V C] I. split; [exact V|]. intros q m. simpl. destruct (Pos.eq_dec (Covering.key_of_part q) (Covering.key_of_part p)) as [Eq|Ne].
  - apply key_of_part_injective in Eq. subst q. rewrite PositiveMap.gss. intros [= <-]. exact I.
  - rewrite PositiveMap.gso by exact Ne. apply C.
Qed.

(** ** Atoms *)

Lemma as_atom_peek s K t : good mu s K -> peeks s (as_atom t) (fun a => (t < linears_in s)%N /\ match a with
  | Some a => parts_in s (parts_of_atom a) /\ vl K t = atom_value mu K a | None => True end).
Proof.
  intros G. unfold as_atom. eapply peeks_bind; [eapply linear_peek; eauto|]. intros l (I & J & V).
  assert (N : peeks s (ret None) (fun a : option atom => (t < linears_in s)%N /\ match a with Some a => parts_in s (parts_of_atom a) /\ vl K t = atom_value mu K a | None => True end))
    by (apply peeks_ret; auto).
  destruct l as [c ss]. cbn [constant summands] in *. destruct c; auto. destruct ss as [|[a h] [|]]; auto. 2: { destruct h as [|[h|h|]|h]; auto. }
  destruct h as [|[h|h|]|h]; auto. eapply peeks_bind; [eapply atom_peek; eauto|]. intros x (Ia & P & W). apply peeks_ret. split; auto. split; auto.
  rewrite V. unfold linear_value. cbn [constant summands sum_value fold_right]. rewrite W. lia.
Qed.
Definition is_variable_atom (a : atom) : bool := match a with IntegerVariable _ _ => true | _ => false end.
Definition is_variable_array (a : array) : bool := match a with ArrayVariable _ _ => true | _ => false end.
(** What is known already, or no variable. *)
Definition not_known (s : state) (p : part) : Prop := match p with
  | LinearPart t => forall a, as_atom t s = Gives (Some a) s -> is_variable_atom a = false
  | ArrayPart a => forall x, array_at a s = Gives x s -> is_variable_array x = false end.
Lemma known_peek s M K th p : good mu s K -> theta_right s M K th -> peeks s (Covering.known_image th p) (fun k => match k with Some n => image_right s M K p n | None => not_known s p end).
Proof.
  intros G [[Vi Va] C]. assert (Nested : forall l x y, peeks s (Covering.nested l x y) (fun n => exists k, nth l x = Some k /\ nth k y = Some n)).
  { intros l x y. unfold Covering.nested. apply peeks_some. intros n H. destruct (nth l x) as [k|]; [eauto | discriminate]. }
  unfold Covering.known_image. destruct p as [t|a].
  - eapply peeks_bind with (P := fun a => as_atom t s = Gives a s /\ (t < linears_in s)%N /\ match a with Some a => vl K t = atom_value mu K a | None => True end).
    { intros a s' E. destruct (as_atom_peek s K t G _ _ E) as [-> (I & H)]. split; auto. split; auto. split; auto. destruct a; tauto. }
    intros a (E & I & V). assert (Cached : (match a with Some a => is_variable_atom a = false | None => True end) ->
      peeks s (ret (PositiveMap.find (Covering.key_of_part (LinearPart t)) (Covering.images th))) (fun k => match k with Some n => image_right s M K (LinearPart t) n | None => not_known s (LinearPart t) end)).
    { intros Nv. apply peeks_ret. destruct (PositiveMap.find _ _) as [n|] eqn:F; [apply C; exact F|]. intros b Eb. rewrite E in Eb. injection Eb as ->. exact Nv. }
    destruct a as [[q x|a i|d u|op T u v]|]; try (apply Cached; reflexivity || exact Logic.I).
    eapply peeks_bind; [apply Nested|]. intros n (l & Hl & Hn). apply peeks_ret. split; [exact I|]. simpl in V. rewrite V. exact (Vi _ _ _ _ Hl Hn).
  - eapply peeks_bind with (P := fun x => array_at a s = Gives x s /\ (a < arrays_in s)%N /\ forall j, vr K a j = array_value mu tabs K x j).
    { intros x s' E. destruct (array_peek mu tabs s K a G _ _ E) as [-> (I & _ & H)]. auto. }
    intros x (E & I & V). assert (Cached : is_variable_array x = false ->
      peeks s (ret (PositiveMap.find (Covering.key_of_part (ArrayPart a)) (Covering.images th))) (fun k => match k with Some n => image_right s M K (ArrayPart a) n | None => not_known s (ArrayPart a) end)).
    { intros Nv. apply peeks_ret. destruct (PositiveMap.find _ _) as [n|] eqn:F; [apply C; exact F|]. intros b Eb. rewrite E in Eb. injection Eb as <-. exact Nv. }
    destruct x as [T y|b i v|v|t]; try (apply Cached; reflexivity). eapply peeks_bind; [apply Nested|]. intros n (l & Hl & Hn). apply peeks_ret.
    split; [exact I|]. destruct (Va _ _ _ _ Hl Hn) as [In_ Vn]. split; [exact In_|]. intros hq j. rewrite (Vn hq), V. reflexivity.
Qed.

(** ** Values of images *)

Lemma value_image s M K t n : Q -> image_right s M K (LinearPart t) n -> vl M n = vl K t.
Proof. intros hq [_ [_ H]]. exact (H hq). Qed.
Lemma elements_image s M K a n : Q -> image_right s M K (ArrayPart a) n -> forall j, vr M n j = vr K a j.
Proof. intros hq [_ [_ H]]. exact (H hq). Qed.
Ltac images hq := repeat match goal with
  | H : Forall2 _ (_ :: _) _ |- _ => inversion H; clear H; subst
  | H : Forall2 _ [] _ |- _ => inversion H; clear H; subst
  | H : image_right _ _ _ (LinearPart _) _ |- _ => apply (value_image _ _ _ _ _ hq) in H
  | H : image_right _ _ _ (ArrayPart _) _ |- _ => pose proof (elements_image _ _ _ _ _ hq H); clear H end; simpl.
Lemma atom_image s M K a ns : Q -> is_variable_atom a = false -> Forall2 (image_right s M K) (parts_of_atom a) ns -> atom_value nu M (atom_with a ns) = atom_value mu K a.
Proof.
  intros hq Nv F. destruct a as [q x|b i|d u|op T u v]; [discriminate| | |]; cbn [parts_of_atom] in F; images hq; try congruence.
Qed.
Lemma array_image s M K a ns : Q -> is_variable_array a = false -> Forall2 (image_right s M K) (parts_of_array a) ns -> forall j, array_value nu tabs M (array_with a ns) j = array_value mu tabs K a j.
Proof.
  intros hq Nv F j. destruct a as [T x|b i v|v|t]; [discriminate| | |]; cbn [parts_of_array] in F; images hq; try congruence.
  match goal with H : vl ?M ?y = vl K i |- _ => rewrite H end. destruct (j =? vl K i); congruence.
Qed.
Lemma sum_image s M K (ss : list (N * Z)) : Q -> forall ps ns, Forall2 (fun ak p => exists t, p = LinearPart t /\ vl K t = va K (fst ak)) ss ps -> Forall2 (image_right s M K) ps ns ->
  parts_value M (List.combine ns (List.map snd ss)) = sum_value K ss.
Proof.
  intros hq. induction ss as [|[a k] ss IH]; intros ps ns F H; inversion F as [|? p ? qs (t & -> & V) F']; subst; inversion H as [|? n ? ms W H']; subst; [reflexivity|]. apply (value_image _ _ _ _ _ hq) in W.
  cbn [List.map snd List.combine parts_value sum_value fold_right] in *. rewrite W, V. cbn [fst]. unfold parts_value, sum_value in IH. rewrite (IH qs ms F' H'). reflexivity.
Qed.

Section Each.
Variable image : Covering.substitution -> part -> computes (N * Covering.substitution).
Hypothesis image_meets : forall s M K th p, good nu s M -> good mu s K -> theta_right s M K th ->
  twice s M K (image th p) (fun '(n, th') s' M' K' => image_right s' M' K' p n /\ theta_right s' M' K' th').
Lemma each_meets ps : forall s M K th before seen, good nu s M -> good mu s K -> theta_right s M K th -> Forall2 (image_right s M K) seen before ->
  twice s M K (folded_left (fun '(ns, th) p => let$ (n, th) := image th p in ret (ns ++ [n], th)) ps (before, th))
    (fun '(ns, th') s' M' K' => Forall2 (image_right s' M' K') (seen ++ ps) ns /\ theta_right s' M' K' th').
Proof.
  induction ps as [|p ps IH]; intros s M K th before seen G G' T F; cbn [folded_left]; [apply twice_ret; auto; rewrite app_nil_r; auto|].
  eapply twice_bind with (P := fun '(ns, th') s' M' K' => Forall2 (image_right s' M' K') (seen ++ [p]) ns /\ theta_right s' M' K' th').
  - eapply twice_bind; [apply image_meets; auto|]. intros [n th'] s1 M1 K1 G1 H1 Km Kk [I T1]. apply twice_ret; auto. split; auto.
    apply Forall2_app; [|constructor; auto]. induction F; constructor; auto. eapply image_kept; eauto.
  - intros [ns th'] s1 M1 K1 G1 H1 Km Kk [F1 T1]. eapply twice_weaker; [apply (IH s1 M1 K1 th' ns (seen ++ [p])); auto|].
    intros [ns' th''] s2 M2 K2 _ _ _ _. rewrite <- app_assoc. auto.
Qed.
End Each.

Lemma of_atoms_peek s K (ss : list (N * Z)) : good mu s K -> peeks s (mapped (fun '(a, _) => let$ t := of_atom a in ret (LinearPart t)) ss)
  (fun ps => Forall2 (fun ak p => exists t, p = LinearPart t /\ vl K t = va K (fst ak) /\ (t < linears_in s)%N) ss ps).
Proof.
  intros G. induction ss as [|[a k] ss IH]; cbn [mapped]; [apply peeks_ret; constructor|].
  eapply peeks_bind; [eapply peeks_bind; [eapply of_atom_peek; eauto|]; intros t H; apply (peeks_ret s (LinearPart t)) with (P := fun p => exists t, p = LinearPart t /\ is_term s K t (va K a)); eauto|].
  intros p (t & -> & I & V). eapply peeks_bind; [exact IH|]. intros ps F. apply peeks_ret. constructor; eauto.
Qed.
Theorem image_meets fuel : forall s M K th p, good nu s M -> good mu s K -> theta_right s M K th ->
  twice s M K (Covering.image_of fuel th p) (fun '(n, th') s' M' K' => image_right s' M' K' p n /\ theta_right s' M' K' th').
Proof.
  induction fuel as [|fuel IH]; intros s M K th p G G' T; cbn [Covering.image_of].
  { eapply twice_peek; [eapply known_peek; eauto|]. intros [n|] H; [apply twice_ret; auto | apply twice_refuses]. }
  eapply twice_peek; [eapply known_peek; eauto|]. intros [n|] Nk; [apply twice_ret; auto|].
  eapply twice_bind with (P := fun '(n, th') s' M' K' => image_right s' M' K' p n /\ theta_right s' M' K' th').
  2: { intros [n th'] s1 M1 K1 G1 H1 _ _ [I T1]. apply twice_ret; auto. split; auto. apply with_image_right; auto. }
  destruct p as [t|a].
  - eapply twice_peek with (P := fun a => as_atom t s = Gives a s /\ (t < linears_in s)%N /\ match a with Some a => parts_in s (parts_of_atom a) /\ vl K t = atom_value mu K a | None => True end).
    { intros a s' E. destruct (as_atom_peek s K t G' _ _ E) as [-> H]. auto. }
    intros [a|] (E & I & H).
    + destruct H as [Pa V]. pose proof (Nk a E) as Nv. eapply twice_bind; [apply (each_meets (Covering.image_of fuel) IH (parts_of_atom a) s M K th [] []); auto|].
      intros [ns th'] s1 M1 K1 G1 H1 Km Kk [F T1]. simpl in F. pose proof (fun hq => atom_image _ _ _ _ _ hq Nv F) as Va.
      eapply twice_bind; [apply twice_both; [apply normal_meets; auto | apply (normal_meets mu sorted_too tabs s1 K1); auto]|].
      intros n s2 M2 K2 G2 H2 Km2 Kk2 [Tn _]. apply twice_ret; auto. pose proof (keeps_trans _ _ _ _ _ _ Kk Kk2) as Kk'. split; [|eapply theta_kept; eauto].
      split; [eapply part_in_kept; [exact Kk' | exact I]|]. simpl. destruct Tn as [In2 Vn]. split; [exact In2|]. intros hq.
      rewrite (proj2 (keeps_linears _ _ _ _ Kk') t I), V, Vn, (Va hq). apply (atom_value_kept mu s K s1 K1 a Kk Pa).
    + eapply twice_peek; [eapply linear_peek; eauto|]. intros l (_ & J & V). eapply twice_peek; [eapply of_atoms_peek; eauto|]. intros ps Fp.
      eapply twice_bind; [apply (each_meets (Covering.image_of fuel) IH ps s M K th [] []); auto|].
      intros [ns th'] s1 M1 K1 G1 H1 Km Kk [F T1]. simpl in F.
      assert (Sv : Q -> parts_value M1 (List.combine ns (List.map snd (summands l))) = sum_value K1 (summands l)).
      { intros hq. eapply sum_image; [exact hq| |exact F]. clear - Fp Kk J. revert J. induction Fp as [|[b k] p ss ps (t & -> & Vt & It) _ IHp]; intros J; constructor.
        - exists t. split; auto. cbn [fst] in *. rewrite (proj2 (keeps_linears _ _ _ _ Kk) t It), Vt. symmetry. apply (keeps_atoms _ _ _ _ Kk). apply (J b k). left. reflexivity.
        - apply IHp. intros b' k' I. apply (J b' k'). right. exact I. }
      eapply twice_bind; [apply twice_both; [apply combine_meets; auto | apply (combine_meets mu tabs s1 K1); auto]|].
      intros n s2 M2 K2 G2 H2 Km2 Kk2 [Tn _]. apply twice_ret; auto. pose proof (keeps_trans _ _ _ _ _ _ Kk Kk2) as Kk'. split; [|eapply theta_kept; eauto].
      split; [eapply part_in_kept; [exact Kk' | exact I]|]. simpl. destruct Tn as [In2 Vn]. split; [exact In2|]. intros hq.
      rewrite (proj2 (keeps_linears _ _ _ _ Kk') t I), V, Vn, (Sv hq), (sum_value_kept s K s1 K1 (summands l) Kk J). reflexivity.
  - eapply twice_peek with (P := fun x => array_at a s = Gives x s /\ (a < arrays_in s)%N /\ parts_in s (parts_of_array x) /\ forall j, vr K a j = array_value mu tabs K x j).
    { intros x s' E. destruct (array_peek mu tabs s K a G' _ _ E) as [-> H]. auto. }
    intros x (E & I & Pa & V). pose proof (Nk x E) as Nv. eapply twice_bind; [apply (each_meets (Covering.image_of fuel) IH (parts_of_array x) s M K th [] []); auto|].
    intros [ns th'] s1 M1 K1 G1 H1 Km Kk [F T1]. simpl in F. pose proof (fun hq => array_image _ _ _ _ _ hq Nv F) as Va.
    eapply twice_bind; [apply twice_both; [apply normal_array_meets; auto | apply (normal_array_meets mu sorted_too tabs s1 K1); auto]|].
    intros n s2 M2 K2 G2 H2 Km2 Kk2 [[In_ Vn] _]. apply twice_ret; auto. pose proof (keeps_trans _ _ _ _ _ _ Kk Kk2) as Kk'. split; [|eapply theta_kept; eauto].
    split; [eapply part_in_kept; [exact Kk' | exact I]|]. simpl. split; auto. intros hq j. rewrite (proj2 (keeps_arrays _ _ _ _ Kk') a I j), V, Vn, (Va hq).
    apply array_value_kept with (s := s) (s' := s1); auto.
Qed.
Lemma linear_image_meets s M K th t : good nu s M -> good mu s K -> theta_right s M K th ->
  twice s M K (Covering.linear_image th t) (fun '(n, th') s' M' K' => image_right s' M' K' (LinearPart t) n /\ theta_right s' M' K' th').
Proof.
  intros G G' T. unfold Covering.linear_image. eapply twice_peek with (P := fun v => match v with Some z => is_term s K t z /\ is_term s M t z | None => True end).
  - intros v s' E. destruct (value_peek mu tabs s K t G' _ _ E) as [-> A]. destruct (value_peek nu tabs s M t G _ _ E) as [_ B]. split; auto. destruct v; auto.
  - intros [z|] H; [|apply image_meets; auto]. destruct H as [[I V] [_ W]]. apply twice_ret; auto. split; auto. split; [exact I|]. split; [exact I|]. intros _. congruence.
Qed.
End Substituted.
