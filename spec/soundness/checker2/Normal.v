(** That terms are made right: what [Arena.v] computes has the value, under any well-sorted
    valuation, that its arguments ask for (spec/calculus.md#terms). *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning.
Import ListNotations.
Open Scope Z_scope.
Arguments Z.mul : simpl never.
Arguments Z.add : simpl never.
Arguments Z.div : simpl never.
Arguments Z.modulo : simpl never.
Arguments select_in : simpl never.

(** ** Computations that only look *)

Definition peeks {A} (s : state) (c : computes A) (P : A -> Prop) : Prop := forall a s', c s = Gives a s' -> s' = s /\ P a.
Lemma peeks_bind {A B} s (c : computes A) (f : A -> computes B) (P : A -> Prop) (Q : B -> Prop) : peeks s c P -> (forall a, P a -> peeks s (f a) Q) -> peeks s (bind c f) Q.
Proof.
  intros H K b s'' E. unfold bind in E. destruct (c s) as [a s'|] eqn:C; [|discriminate].
  destruct (H _ _ C) as [-> Pa]. eapply K; eauto.
Qed.
Lemma peeks_ret {A} s (a : A) (P : A -> Prop) : P a -> peeks s (ret a) P.
Proof. intros H b s' [= <- <-]. auto. Qed.
Lemma peeks_refuses {A} s r (P : A -> Prop) : peeks s (refuses r) P.
Proof. intros b s' [=]. Qed.
Lemma peeks_demand s b r (P : unit -> Prop) : (b = true -> P tt) -> peeks s (demand b r) P.
Proof. intros H. unfold demand. destruct b; [apply peeks_ret; auto | apply peeks_refuses]. Qed.
Lemma peeks_some {A} s (x : option A) r (P : A -> Prop) : (forall a, x = Some a -> P a) -> peeks s (some x r) P.
Proof. intros H. unfold some. destruct x; [apply peeks_ret; auto | apply peeks_refuses]. Qed.
Lemma peeks_looks {A} s (f : state -> A) (P : A -> Prop) : P (f s) -> peeks s (looks f) P.
Proof. intros H b s' [= <- <-]. auto. Qed.
Lemma peeks_small s z : peeks s (small z) (fun y => y = z).
Proof. unfold small. destruct (is_small z); [apply peeks_ret; auto | apply peeks_refuses]. Qed.
Lemma peeks_weaker {A} s (c : computes A) (P Q : A -> Prop) : peeks s c P -> (forall a, P a -> Q a) -> peeks s c Q.
Proof. intros H K a s' E. destruct (H _ _ E). auto. Qed.
Lemma peeks_fold {A B} s (f : B -> A -> computes B) (I : B -> list A -> Prop) :
  (forall b a l, I b (a :: l) -> peeks s (f b a) (fun b => I b l)) -> forall l b, I b l -> peeks s (folded_left f l b) (fun b => I b []).
Proof.
  intros H l. induction l as [|a l IH]; intros b Hb; simpl; [apply peeks_ret; auto|].
  eapply peeks_bind; [apply H; eauto | auto].
Qed.

Section Normal.
Variable nu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Variable tabs : indexed table.
Notation good := (good nu tabs).
Notation meets := (meets nu tabs).
Notation atom_value := (atom_value nu).
Notation array_value := (array_value nu tabs).

Lemma meets_peek {A B} s M (c : computes A) (f : A -> computes B) P Q : peeks s c P -> (forall a, P a -> meets s M (f a) Q) -> meets s M (bind c f) Q.
Proof.
  intros H K b s'' E. unfold bind in E. destruct (c s) as [a s'|] eqn:C; [|discriminate].
  destruct (H _ _ C) as [-> Pa]. eapply K; eauto.
Qed.

Lemma linear_peek s M t : good s M -> peeks s (linear_at t) (fun l => (t < linears_in s)%N /\ summands_in s (summands l) /\ vl M t = linear_value M l).
Proof.
  intros G. unfold linear_at, look_up, bind, ret. intros l s'. destruct (node_at (linear_nodes s) t) as [x|] eqn:E; [|discriminate].
  intros [= <- <-]. apply G in E as (A & B & C & _). auto.
Qed.
Lemma atom_peek s M a : good s M -> peeks s (atom_at a) (fun x => (a < atoms_in s)%N /\ parts_in s (parts_of_atom x) /\ va M a = atom_value M x).
Proof.
  intros G. unfold atom_at, look_up, bind, ret. intros l s'. destruct (node_at (atom_nodes s) a) as [x|] eqn:E; [|discriminate].
  intros [= <- <-]. apply G in E as (A & B & C & _). auto.
Qed.
Lemma array_peek s M a : good s M -> peeks s (array_at a) (fun x => (a < arrays_in s)%N /\ parts_in s (parts_of_array x) /\ forall j, vr M a j = array_value M x j).
Proof.
  intros G. unfold array_at, look_up, bind, ret. intros l s'. destruct (node_at (array_nodes s) a) as [x|] eqn:E; [|discriminate].
  intros [= <- <-]. apply G in E as (A & B & C). repeat split; auto. apply C.
Qed.
Lemma linear_range_peek s M t : good s M -> peeks s (linear_range t) (fun r => in_range r (vl M t)).
Proof.
  intros G. apply peeks_looks. destruct (node_at (linear_nodes s) t) as [x|] eqn:E; simpl; auto. apply G in E as (_ & _ & _ & R). auto.
Qed.
Lemma atom_range_peek s M a : good s M -> peeks s (atom_range a) (fun r => in_range r (va M a)).
Proof.
  intros G. apply peeks_looks. destruct (node_at (atom_nodes s) a) as [x|] eqn:E; simpl; auto. apply G in E as (_ & _ & _ & R). auto.
Qed.
Lemma array_range_peek s M a : good s M -> peeks s (array_range a) (fun r => forall j, in_range r (vr M a j)).
Proof.
  intros G. apply peeks_looks. destruct (node_at (array_nodes s) a) as [x|] eqn:E; simpl; auto. apply G in E as (_ & _ & R). apply R.
Qed.
Lemma value_peek s M t : good s M -> peeks s (value_of t) (fun v => match v with Some z => is_term s M t z | None => True end).
Proof.
  intros G. apply peeks_looks. destruct (node_at (linear_nodes s) t) as [x|] eqn:E; simpl; auto.
  destruct x as [[c [|]] r sc]; auto. apply G in E as (A & _ & B & _). split; auto. rewrite B. unfold linear_value; simpl. lia.
Qed.
Lemma of_atom_peek s M a : good s M -> peeks s (of_atom a) (fun t => is_term s M t (va M a)).
Proof.
  intros G t s'. unfold of_atom. destruct (PositiveMap.find (N.succ_pos a) (linear_of_atom s)) as [u|] eqn:E; [|discriminate].
  intros [= <- <-]. apply G in E as (A & _ & B). split; auto. split; auto.
Qed.

(** ** Sums *)

Lemma scaled_sum_right r q k z y : in_range r z -> in_range q y -> in_range (scaled_sum r q k) (z + k * y).
Proof.
  unfold scaled_sum, small_range. destruct r as [[a b]|], q as [[c d]|]; simpl; auto. intros Hz Hy.
  destruct (_ && _); simpl; auto. destruct (_ && _); simpl; auto. destruct (Z.leb_spec 0 k); nia.
Qed.
Definition is_linear (s : state) (t : N) (l : linear) : Prop := exists x, node_at (linear_nodes s) t = Some x /\ content x = l.
Lemma add_linear_is s M l : good s M -> meets s M (add_linear l) (fun t s' M' => is_term s' M' t (linear_value M l) /\ is_linear s' t l).
Proof.
  intros G t s' E. unfold add_linear in E. destruct (find_key _ _) as [n|] eqn:F.
  - injection E as <- <-. exists M. split; auto. split; [apply keeps_refl|].
    apply G in F as (x & E & K). apply key_of_linear_injective in K as <-. split; [|exists x; auto]. apply G in E as (A & _ & B & _). split; auto.
  - revert t s' E. change (meets s M (let$ (r, sc) := folded_left (fun '(r, sc) '(a, k) =>
       let$ x := look_up atom_nodes a in ret (scaled_sum r (range_of x) k, join sc (scope_of_node x)))
       (summands l) (Some (constant l, constant l), no_scope) in
     fun s => Gives (how_many (linear_nodes s)) (with_linears s (add_node (linear_nodes s) (key_of_linear l) {| content := l; range_of := r; scope_of_node := sc |})))
     (fun t s' M' => is_term s' M' t (linear_value M l) /\ is_linear s' t l)).
    eapply meets_peek with (P := fun p => in_range (fst p) (linear_value M l) /\ summands_in s (summands l) /\
      scope_right (fun sc' => forall a k, In (a, k) (summands l) -> atom_within s sc' a) (snd p)).
    + eapply peeks_weaker; [apply (peeks_fold s _ (fun p rest => exists before, summands l = before ++ rest /\ summands_in s before /\
        in_range (fst p) (constant l + sum_value M before) /\
        scope_right (fun sc' => forall a k, In (a, k) before -> atom_within s sc' a) (snd p)))|].
      * intros [r sc] [a k] rest (before & E & I & R & Sc). unfold look_up, bind, ret. intros p s'.
        destruct (node_at (atom_nodes s) a) as [x|] eqn:N; [|discriminate]. intros [= <- <-]. split; auto.
        exists (before ++ [(a, k)]). rewrite <- app_assoc. split; auto. pose proof (atoms_right _ (good_scopes _ _ _ _ G) _ _ N) as [Fx Sx].
        apply G in N as (A & _ & _ & Rx). destruct Sc as [F0 S0]. simpl in *. split; [|split; [|split; [apply formed_join; auto|]]].
        -- intros b h H. apply in_app_or in H as [H|[[= <- <-]|[]]]; eauto.
        -- replace (sum_value M (before ++ [(a, k)])) with (sum_value M before + k * va M a)
             by (clear; induction before as [|[b h] l IH]; simpl; lia).
           rewrite Z.add_assoc. apply scaled_sum_right; auto.
        -- intros sc' F' J b h H. destruct (includes_join sc' _ _ F0 Fx J) as [J1 J2]. apply in_app_or in H as [H|[[= <- <-]|[]]]; [eapply S0; eauto | auto].
      * exists []. simpl. split; auto. split; [intros ? ? []|]. split; [lia|]. split; [apply formed_none | intros ? ? ? ? ? []].
      * intros p (before & E & I & R & Sc). rewrite app_nil_r in E. subst before. auto.
    + intros [r sc] (R & I & Sc). intros t s' [= <- <-]. exists (with_linear_value M (linears_in s) (linear_value M l)). split; [apply good_new_linear; auto|].
      split; [eapply keeps_new_linear; eauto|]. split; [split; simpl; [unfold linears_in; simpl; lia | unfold linears_in; rewrite N.eqb_refl; auto]|].
      eexists. split; [unfold node_at; simpl; apply PositiveMap.gss | reflexivity].
Qed.
Lemma add_linear_meets s M l : good s M -> meets s M (add_linear l) (fun t s' M' => is_term s' M' t (linear_value M l)).
Proof. intros G. eapply meets_weaker; [apply add_linear_is; auto|]. intros t s' M' _ _ [H _]. exact H. Qed.

Lemma insert_value M a k : forall l l', insert_summand a k l = Some l' -> sum_value M l' = k * va M a + sum_value M l.
Proof.
  induction l as [|[b h] l IH]; simpl; intros l' E.
  - injection E as <-. simpl. lia.
  - destruct (N.compare_spec a b) as [->| |].
    + destruct (is_small _); [|discriminate]. injection E as <-. simpl. lia.
    + injection E as <-. simpl. lia.
    + destruct (insert_summand a k l) as [m|]; [|discriminate]. injection E as <-. simpl. rewrite (IH _ eq_refl). lia.
Qed.
Lemma filter_value M l : sum_value M (filter (fun '(_, k) => negb (k =? 0)) l) = sum_value M l.
Proof. induction l as [|[a k] l IH]; simpl; auto. destruct (Z.eqb_spec k 0); simpl; rewrite IH; subst; lia. Qed.

Definition parts_value (M : model) (ps : list (N * Z)) : Z := fold_right (fun '(t, k) z => k * vl M t + z) 0 ps.
Lemma combine_meets s M c ps : good s M -> meets s M (combine c ps) (fun t s' M' => is_term s' M' t (c + parts_value M ps)).
Proof.
  intros G. unfold combine. eapply meets_peek with (P := fun p => fst p + sum_value M (snd p) = c + parts_value M ps).
  - eapply peeks_weaker; [apply (peeks_fold s _ (fun p rest => fst p + sum_value M (snd p) + parts_value M rest = c + parts_value M ps))|].
    + intros [d l] [t k] rest E. eapply peeks_bind; [apply linear_peek; eauto|]. intros x (I & J & V).
      eapply peeks_bind; [apply peeks_small|]. intros ? ->. eapply peeks_bind; [apply peeks_small|]. intros ? ->.
      eapply peeks_bind with (P := fun l' => sum_value M l' = sum_value M l + k * sum_value M (summands x)).
      * eapply peeks_weaker; [apply (peeks_fold s _ (fun l' rest => sum_value M l' + k * sum_value M rest = sum_value M l + k * sum_value M (summands x)))|].
        -- intros l1 [a h] rest' E'. eapply peeks_bind; [apply peeks_small|]. intros ? ->. apply peeks_some.
           intros l2 F. rewrite (insert_value M _ _ _ _ F). simpl in E'. lia.
        -- auto.
        -- simpl. intros. lia.
      * intros l' E'. apply peeks_ret. simpl in *. rewrite E'. unfold linear_value in V. rewrite V in E. lia.
    + simpl. lia.
    + simpl. intros. lia.
  - intros [d l] E. eapply meets_weaker; [apply add_linear_meets; auto|]. intros t s' M' _ _ [I V]. split; auto. rewrite V.
    unfold linear_value. simpl. rewrite filter_value. simpl in E. lia.
Qed.
Lemma constant_meets s M z : good s M -> meets s M (constant_term z) (fun t s' M' => is_term s' M' t z).
Proof. intros G. eapply meets_weaker; [apply combine_meets; auto|]. simpl. intros t s' M' _ _. rewrite Z.add_0_r. auto. Qed.
Lemma difference_meets s M t u : good s M -> meets s M (difference t u) (fun v s' M' => is_term s' M' v (vl M t - vl M u)).
Proof.
  intros G. eapply meets_weaker; [apply combine_meets; auto|]. simpl. intros v s' M' _ _ [I V]. split; auto. rewrite V. lia.
Qed.
Lemma plus_meets s M t z : good s M -> meets s M (plus t z) (fun v s' M' => is_term s' M' v (vl M t + z)).
Proof.
  intros G. unfold plus. destruct (Z.eqb_spec z 0) as [->|].
  - eapply meets_peek; [apply linear_peek; eauto|]. intros l (I & _). apply meets_ret; auto. split; auto. lia.
  - eapply meets_weaker; [apply combine_meets; auto|]. simpl. intros v s' M' _ _ [I V]. split; auto. rewrite V. lia.
Qed.
Lemma same_summands_eq : forall l m, same_summands l m = true -> l = m.
Proof.
  induction l as [|[a k] l IH]; intros [|[b h] m]; simpl; try discriminate; auto. intros E.
  apply andb_prop in E as [E F]. apply andb_prop in E as [E E']. apply N.eqb_eq in E. apply Z.eqb_eq in E'. subst. f_equal. auto.
Qed.
Lemma constant_difference_peek s M t u : good s M -> peeks s (constant_difference t u) (fun d => match d with Some z => vl M t - vl M u = z | None => True end).
Proof.
  intros G. unfold constant_difference. eapply peeks_bind; [apply linear_peek; eauto|]. intros l (_ & _ & A).
  eapply peeks_bind; [apply linear_peek; eauto|]. intros m (_ & _ & B). destruct (same_summands _ _) eqn:E.
  - eapply peeks_bind; [apply peeks_small|]. intros ? ->. apply peeks_ret. rewrite A, B. unfold linear_value.
    apply same_summands_eq in E. rewrite E. lia.
  - apply peeks_ret. exact I.
Qed.

(** ** Atoms and arrays *)

(** The scope of parts has their variables, and those that it had. *)
Lemma scope_of_part_peek s M p : good s M -> peeks s (scope_of_part p) (fun own => part_in s p /\ scope_right (fun sc => part_within s sc p) own).
Proof.
  intros G q s'. unfold scope_of_part, look_up, bind, ret. destruct p as [t|a].
  - destruct (node_at (linear_nodes s) t) as [x|] eqn:E; [|discriminate]. intros [= <- <-]. split; auto.
    split; [apply G in E as (A & _); exact A | exact (linears_right _ (good_scopes _ _ _ _ G) _ _ E)].
  - destruct (node_at (array_nodes s) a) as [x|] eqn:E; [|discriminate]. intros [= <- <-]. split; auto.
    split; [apply G in E as (A & _); exact A | exact (arrays_right _ (good_scopes _ _ _ _ G) _ _ E)].
Qed.
Lemma scope_of_parts_peek s M : good s M -> forall ps sc, formed_scope sc -> peeks s (scope_of_parts sc ps) (fun sc' => parts_in s ps /\
  scope_right (fun sc0 => includes sc0 sc = true /\ forall p, In p ps -> part_within s sc0 p) sc').
Proof.
  intros G ps. unfold scope_of_parts. induction ps as [|p ps IH]; intros sc F; simpl; [apply peeks_ret; split; [intros ? []|split; auto; intros ? ? J; split; [auto | intros ? []]]|].
  eapply peeks_bind with (P := fun sc1 => part_in s p /\ formed_scope sc1 /\ forall sc0, formed_scope sc0 -> includes sc0 sc1 = true -> includes sc0 sc = true /\ part_within s sc0 p).
  - eapply peeks_bind; [eapply scope_of_part_peek; eauto|]. intros own (I & Fo & So). apply peeks_ret. split; auto. split; [apply formed_join; auto|].
    intros sc0 F0 J. destruct (includes_join sc0 _ _ F Fo J) as [J1 J2]. auto.
  - intros sc1 (I & F1 & S1). eapply peeks_weaker; [apply IH; auto|]. intros sc' (J & F' & S'). split; [intros r [<-|Hr]; auto|]. split; auto.
    intros sc0 F0 J0. destruct (S' sc0 F0 J0) as [J1 W]. destruct (S1 sc0 F0 J1) as [J2 W1]. split; auto. intros r [<-|Hr]; auto.
Qed.
Lemma number_guard_peek s x : peeks s (let$ _ := next_number x in ret tt) (fun _ => True).
Proof. unfold next_number, bind. intros a s'. destruct (_ <? _)%N; [|discriminate]. intros [= _ <-]. auto. Qed.

Definition is_atom (s : state) (t : N) (a : atom) : Prop := exists n x y, node_at (atom_nodes s) n = Some x /\ content x = a /\
  node_at (linear_nodes s) t = Some y /\ summands (content y) = [(n, 1)].
Lemma add_atom_is s M a r : good s M -> right_divisor a -> (parts_in s (parts_of_atom a) -> in_range r (atom_value M a)) ->
  meets s M (add_atom a r) (fun t s' M' => is_term s' M' t (atom_value M a) /\ is_atom s' t a).
Proof.
  intros G Rd R t s' E. unfold add_atom in E. destruct (find_key _ _) as [n|] eqn:F.
  - apply G in F as (x & F & K). apply key_of_atom_injective in K as <-. pose proof F as X. apply G in F as (A & _ & B & _).
    destruct (of_atom_peek s M n G _ _ E) as [-> H]. exists M. split; auto. split; [apply keeps_refl|]. rewrite <- B. split; auto.
    unfold of_atom in E. destruct (PositiveMap.find (N.succ_pos n) (linear_of_atom s)) as [u|] eqn:T; [|discriminate]. injection E as <-.
    destruct (terms_of_atoms _ (good_scopes _ _ _ _ G) n u T) as (y & Y & S). exists n, x, y. auto.
  - revert t s' E. match goal with |- forall t s', ?c s = Gives t s' -> _ => change (meets s M c (fun t s' M' => is_term s' M' t (atom_value M a) /\ is_atom s' t a)) end.
    eapply meets_peek with (P := fun _ => True); [destruct a; try (apply peeks_ret; exact I); apply number_guard_peek|]. intros _ _.
    eapply meets_peek; [eapply scope_of_parts_peek; eauto; destruct a; auto using formed_none, formed_integer|]. intros sc [I Sc].
    assert (Sc' : scope_right (fun sc' => own_atom_within sc' a /\ forall p, In p (parts_of_atom a) -> part_within s sc' p) sc).
    { destruct Sc as [F0 S0]. split; auto. intros sc' F' J. destruct (S0 sc' F' J) as [J' W]. split; auto. destruct a; simpl; auto. apply own_integer; auto. }
    eapply meets_peek; [apply (peeks_looks s _ (fun n => n = atoms_in s)); reflexivity|]. intros n ->.
    eapply meets_bind with (P := fun _ s1 M1 => va M1 (atoms_in s) = atom_value M a /\ (atoms_in s < atoms_in s1)%N /\
      exists x, node_at (atom_nodes s1) (atoms_in s) = Some x /\ content x = a).
    + intros u s1 [= <- <-]. exists (with_atom_value M (atoms_in s) (atom_value M a)). split; [apply good_new_atom; auto|].
      split; [eapply keeps_new_atom; eauto|]. simpl. rewrite N.eqb_refl. split; auto. split; [unfold atoms_in; simpl; lia|].
      eexists. split; [unfold node_at; simpl; apply PositiveMap.gss | reflexivity].
    + intros _ s1 M1 G1 K1 (V & L & x1 & X1 & Is1). eapply meets_bind; [apply add_linear_is; auto|].
      intros t s2 M2 G2 K2 [[I2 V2] (x2 & X2 & Is2)] u s3 [= <- <-]. exists M2.
      assert (W : vl M2 t = atom_value M a) by (rewrite V2; unfold linear_value; simpl; rewrite V; lia).
      assert (W' : va M2 (atoms_in s) = atom_value M a) by (rewrite (proj2 (keeps_atoms _ _ _ _ K2)); auto).
      set (s3 := with_atoms _ _ _). assert (W3 : more_nodes s2 s3) by (split; auto).
      split; [|split; [split; [split | split | split | exact W3]; simpl; auto; unfold atoms_in, linears_in, arrays_in; simpl; lia | split; [split; auto|]]].
      2: { exists (atoms_in s), x1, x2. split; [apply (more_atoms _ _ (keeps_nodes _ _ _ _ K2)); exact X1|]. rewrite Is2. auto. }
      split; try apply G2; [|apply (scopes_kept s2 s3 W3 (good_scopes _ _ _ _ G2)); auto; simpl; intros b v E;
        destruct (N.eq_dec b (atoms_in s)) as [->|D]; [rewrite PositiveMap.gss in E; injection E as <-; right; exists x2; rewrite Is2; auto
          | rewrite PositiveMap.gso in E by (intros H; apply key_of_n_injective in H; auto); auto]]. simpl. intros b v E. destruct (N.eq_dec b (atoms_in s)) as [->|D].
      * rewrite PositiveMap.gss in E. injection E as <-. split; [exact I2|]. split; [|congruence].
        pose proof (proj1 (keeps_atoms _ _ _ _ K2)). unfold atoms_in in *; simpl in *. lia.
      * rewrite PositiveMap.gso in E by (intros H; apply key_of_n_injective in H; auto). apply G2 in E. exact E.
Qed.
Lemma add_atom_meets s M a r : good s M -> right_divisor a -> (parts_in s (parts_of_atom a) -> in_range r (atom_value M a)) ->
  meets s M (add_atom a r) (fun t s' M' => is_term s' M' t (atom_value M a)).
Proof. intros G Rd R. eapply meets_weaker; [apply add_atom_is; auto|]. intros t s' M' _ _ [H _]. exact H. Qed.
Definition is_array_node (s : state) (b : N) (a : array) : Prop := exists x, node_at (array_nodes s) b = Some x /\ content x = a.
Lemma add_array_is s M a r : good s M -> (parts_in s (parts_of_array a) -> forall j, in_range r (array_value M a j)) ->
  meets s M (add_array a r) (fun b s' M' => is_array s' M' b (array_value M a) /\ is_array_node s' b a).
Proof.
  intros G R t s' E. unfold add_array in E. destruct (find_key _ _) as [n|] eqn:F.
  - injection E as <- <-. apply G in F as (x & F & K). apply key_of_array_injective in K as <-. pose proof F as X. apply G in F as (A & _ & B).
    exists M. split; auto. split; [apply keeps_refl|]. split; [split; auto; intros j; apply B | exists x; auto].
  - revert t s' E. match goal with |- forall t s', ?c s = Gives t s' -> _ => change (meets s M c (fun b s' M' => is_array s' M' b (array_value M a) /\ is_array_node s' b a)) end.
    eapply meets_peek with (P := fun _ => True); [destruct a; try (apply peeks_ret; exact I); apply number_guard_peek|]. intros _ _.
    eapply meets_peek; [eapply scope_of_parts_peek; eauto; destruct a; auto using formed_none, formed_array|]. intros sc [I Sc].
    assert (Sc' : scope_right (fun sc' => own_array_within sc' a /\ forall p, In p (parts_of_array a) -> part_within s sc' p) sc).
    { destruct Sc as [F0 S0]. split; auto. intros sc' F' J. destruct (S0 sc' F' J) as [J' W]. split; auto. destruct a; simpl; auto. apply own_array; auto. }
    intros u s1 [= <- <-]. exists (with_array_value M (arrays_in s) (array_value M a)). split; [apply good_new_array; auto|].
    split; [eapply keeps_new_array; eauto|]. split; [split; [unfold arrays_in; simpl; lia | intros j; simpl; unfold arrays_in; rewrite N.eqb_refl; auto]|].
    eexists. split; [unfold node_at; simpl; apply PositiveMap.gss | reflexivity].
Qed.
Lemma add_array_meets s M a r : good s M -> (parts_in s (parts_of_array a) -> forall j, in_range r (array_value M a j)) ->
  meets s M (add_array a r) (fun b s' M' => is_array s' M' b (array_value M a)).
Proof. intros G R. eapply meets_weaker; [apply add_array_is; auto|]. intros b s' M' _ _ [H _]. exact H. Qed.

Lemma variable_meets s M q x : good s M -> meets s M (variable q x) (fun t s' M' => is_term s' M' t (Terms.integers nu q (N.to_nat x))).
Proof.
  intros G. apply add_atom_meets; simpl; auto. intros _. destruct q as [T|]; simpl; auto. apply (proj1 sorted T).
Qed.
Lemma array_variable_meets s M T x : good s M -> meets s M (array_variable T x) (fun a s' M' => is_array s' M' a (Terms.arrays nu T (N.to_nat x))).
Proof. intros G. apply add_array_meets; auto. intros _ j. simpl. apply (proj2 sorted T). Qed.

Lemma select_meets_in fuel : forall s M a i, good s M -> meets s M (select_in fuel a i) (fun t s' M' => is_term s' M' t (vr M a (vl M i))).
Proof.
  induction fuel as [|fuel IH]; intros s M a i G.
  all: assert (At : meets s M (let$ r := array_range a in add_atom (Select a i) r) (fun t s' M' => is_term s' M' t (vr M a (vl M i))))
    by (eapply meets_peek; [apply array_range_peek; eauto|]; intros r R; apply (add_atom_meets s M (Select a i) r); simpl; auto).
  all: unfold select_in; fold select_in; eapply meets_peek; [apply array_peek; eauto|]; intros x (I & J & V); destruct x as [T x|b j v|v|t]; auto.
  1, 4: apply meets_ret; auto; split; [apply (J (LinearPart v)); simpl; auto | rewrite V; reflexivity].
  1, 3: eapply meets_peek; [apply value_peek; eauto|]; intros [z|] H; auto; destruct H as [_ H];
    eapply meets_peek with (P := fun y => at_position tabs t = Some y);
    [intros y s'; unfold table_at; rewrite (good_tables _ _ _ _ G); destruct (at_position tabs t); [intros [= <- <-]; auto | discriminate]|];
    intros y Y; eapply meets_weaker; [apply constant_meets; auto|]; intros u s' M' _ _ [Iu Vu]; split; auto;
    rewrite Vu, V, H; simpl; rewrite Y; reflexivity.
  eapply meets_peek; [apply constant_difference_peek; eauto|]. intros [d|] D; auto.
  assert (J1 : part_in s (LinearPart v)) by (apply J; simpl; auto).
  destruct (Z.eq_dec d 0) as [->|N].
  - apply meets_ret; auto. split; auto. rewrite V. simpl. destruct (Z.eqb_spec (vl M i) (vl M j)); auto. lia.
  - assert (Hs : meets s M (select_in fuel b i) (fun t s' M' => is_term s' M' t (vr M a (vl M i)))).
    { eapply meets_weaker; [apply IH; auto|]. intros u s' M' _ _ [Iu Vu]. split; auto. rewrite Vu, V. simpl.
      destruct (Z.eqb_spec (vl M i) (vl M j)); auto. lia. }
    destruct d; auto. lia.
Qed.
Lemma select_meets s M a i : good s M -> meets s M (select a i) (fun t s' M' => is_term s' M' t (vr M a (vl M i))).
Proof.
  intros G. unfold select. eapply meets_peek with (P := fun _ => True); [apply peeks_looks; exact I|]. intros n _. apply select_meets_in; auto.
Qed.

Lemma hull_left r q z : in_range r z -> in_range (hull r q) z.
Proof. destruct r as [[a b]|], q as [[c d]|]; simpl; auto. lia. Qed.
Lemma hull_right r q z : in_range q z -> in_range (hull r q) z.
Proof. destruct r as [[a b]|], q as [[c d]|]; simpl; auto. lia. Qed.
Definition stored_value (g : Z -> Z) (i v j : Z) : Z := if j =? i then v else g j.
Lemma store_meets s M a i v : good s M -> meets s M (store a i v) (fun b s' M' => is_array s' M' b (stored_value (vr M a) (vl M i) (vl M v))).
Proof.
  intros G. unfold store. eapply meets_peek; [apply array_peek; eauto|]. intros x (_ & _ & V).
  set (b := match x with Stored _ _ _ => _ | _ => _ end).
  assert (B : forall j, stored_value (vr M b) (vl M i) (vl M v) j = stored_value (vr M a) (vl M i) (vl M v) j).
  { intros j. unfold stored_value, b. destruct (Z.eqb_spec j (vl M i)) as [|N]; auto. destruct x as [T x|c k w|w|t]; auto.
    destruct (N.eqb_spec k i) as [->|]; auto. rewrite V. simpl. destruct (Z.eqb_spec j (vl M i)); auto. contradiction. }
  eapply meets_peek; [apply array_range_peek; eauto|]. intros r R. eapply meets_peek; [apply linear_range_peek; eauto|]. intros q Q.
  eapply meets_weaker; [apply (add_array_meets s M (Stored b i v)); auto|].
  - intros _ j. simpl. destruct (_ =? _); [apply hull_right; auto | apply hull_left; auto].
  - intros c s' M' _ _ [I E]. split; auto. intros j. rewrite E. apply B.
Qed.
Lemma constant_array_meets s M v : good s M -> meets s M (constant_array v) (fun b s' M' => is_array s' M' b (fun _ => vl M v)).
Proof.
  intros G. unfold constant_array. eapply meets_peek; [apply linear_range_peek; eauto|]. intros r R.
  apply (add_array_meets s M (Constant v)); auto.
Qed.
Definition table_value (t : N) (j : Z) : Z := match at_position tabs t with Some t => entry_at (values t) j | None => 0 end.
Lemma hulls_right : forall l r z, in_range r z \/ In z l -> in_range (fold_left (fun r z => hull r (Some (z, z))) l r) z.
Proof.
  induction l as [|a l IH]; simpl; intros r z [H|H]; auto; try contradiction.
  - apply IH. left. apply hull_left. auto.
  - destruct H as [->|H]; apply IH; auto. left. apply hull_right. simpl. lia.
Qed.
Lemma nth_in {A} : forall (l : list A) n a, nth l n = Some a -> In a l.
Proof. induction l as [|b l IH]; simpl; intros n a; [discriminate|]. destruct (n =? 0)%N; [intros [= ->]; auto | eauto]. Qed.
Lemma table_meets s M t : good s M -> meets s M (table_array t) (fun b s' M' => is_array s' M' b (table_value t)).
Proof.
  intros G. unfold table_array. eapply meets_peek with (P := fun y => at_position tabs t = Some y).
  { intros y s'. unfold table_at. rewrite (good_tables _ _ _ _ G). destruct (at_position tabs t); [intros [= <- <-]; auto | discriminate]. }
  intros y Y. apply (add_array_meets s M (TableOf t)); auto. intros _ j. simpl. rewrite Y. apply hulls_right.
  unfold entry_at. destruct (j <? 0); [left; simpl; lia|]. destruct (nth (values y) (Z.to_N j)) as [v|] eqn:E; [right; eapply nth_in; eauto | left; simpl; lia].
Qed.

(** ** Quotients *)

Lemma split_value M d l : 0 < d -> let (outside, inside) := split_multiples d l in sum_value M l = d * sum_value M outside + sum_value M inside.
Proof.
  intros D. unfold split_multiples. rewrite !filter_value. induction l as [|[a k] l IH]; simpl; [lia|].
  pose proof (Z.div_mod k d ltac:(lia)). nia.
Qed.
Lemma split_in s d l : summands_in s l -> summands_in s (fst (split_multiples d l)).
Proof.
  intros H a k I. unfold split_multiples in I. simpl in I. apply filter_In in I as [I _]. apply in_map_iff in I as ([b h] & [= <- _] & I).
  eapply H; eauto.
Qed.
Lemma quotient_meets s M t d : good s M -> meets s M (quotient t d) (fun u s' M' => is_term s' M' u (vl M t / d)).
Proof.
  intros G. unfold quotient. eapply meets_peek; [apply (peeks_demand s _ _ (fun _ => 1 <= d)); apply Z.leb_le|]. intros ? D. cbn beta in D.
  eapply meets_peek; [apply linear_peek; eauto|]. intros l (_ & J & V).
  pose proof (split_value M d (summands l) ltac:(lia)) as S. pose proof (split_in s d (summands l) J) as J'.
  destruct (split_multiples d (summands l)) as [outside inside].
  assert (Q : vl M t / d = constant l / d + sum_value M outside + (constant l mod d + sum_value M inside) / d).
  { rewrite V. unfold linear_value. pose proof (Z.div_mod (constant l) d ltac:(lia)).
    replace (constant l + sum_value M (summands l)) with ((constant l mod d + sum_value M inside) + (constant l / d + sum_value M outside) * d) by lia.
    rewrite Z.div_add by lia. lia. }
  eapply meets_bind; [apply add_linear_meets; auto|]. intros u s1 M1 G1 K1 [I1 V1]. unfold linear_value in V1; simpl in V1.
  eapply meets_peek; [apply linear_range_peek; eauto|]. intros r R.
  set (r' := match r with Some (a, b) => Some (a / d, b / d) | None => None end).
  assert (R' : in_range r' (vl M1 u / d)) by (unfold r'; destruct r as [[x y]|]; simpl in *; auto; split; apply Z.div_le_mono; lia).
  clearbody r'.
  eapply meets_bind with (P := fun rest s2 M2 => is_term s2 M2 rest (vl M1 u / d)).
  { assert (At : meets s1 M1 (add_atom (Quotient d u) r') (fun rest s2 M2 => is_term s2 M2 rest (vl M1 u / d)))
      by (apply (add_atom_meets s1 M1 (Quotient d u)); simpl; auto).
    destruct r' as [[x y]|]; auto. destruct (Z.eqb_spec x y) as [->|]; auto. simpl in R'. replace (vl M1 u / d) with y by lia. apply constant_meets; auto. }
  intros rest s2 M2 G2 K2 [I2 V2]. rewrite V1 in V2. destruct ((constant l / d =? 0) && is_empty outside) eqn:E.
  - apply andb_prop in E as [E E']. apply Z.eqb_eq in E. apply meets_ret; auto. split; auto. rewrite V2, Q, E.
    destruct outside; [simpl; lia | discriminate].
  - eapply meets_bind; [apply add_linear_meets; auto|]. intros o s3 M3 G3 K3 [I3 V3].
    eapply meets_weaker; [apply combine_meets; auto|]. intros v s4 M4 _ _ [I4 V4]. split; auto. rewrite V4, Q. simpl.
    rewrite V3. unfold linear_value. simpl. rewrite (proj2 (keeps_linears _ _ _ _ K3)), V2 by auto.
    (* Summands outside are atoms of the first state. *)
    replace (sum_value M2 outside) with (sum_value M outside); [lia|].
    symmetry. eapply sum_value_kept; [eapply keeps_trans; eauto | exact J'].
Qed.

(** ** Applications, and normal forms *)

Lemma apply_to_meets s M op T t u : good s M -> meets s M (apply_to op T t u) (fun v s' M' => is_term s' M' v (Integers.apply op T (vl M t) (vl M u))).
Proof.
  intros G. assert (At : meets s M (add_atom (Apply op T t u) (Some (type_range T))) (fun v s' M' => is_term s' M' v (Integers.apply op T (vl M t) (vl M u))))
    by (apply (add_atom_meets s M (Apply op T t u)); simpl; auto; intros _; apply apply_within).
  unfold apply_to. eapply meets_peek; [apply value_peek; eauto|]. intros y Y. eapply meets_peek; [apply value_peek; eauto|]. intros z Z'.
  destruct y as [y|]; auto. destruct z as [z|]; auto. destruct Y as [_ Y], Z' as [_ Z'].
  eapply meets_peek; [eapply peeks_bind; [apply peeks_small | intros; apply (peeks_ret s tt (fun _ => True)); exact I]|]. intros _ _.
  eapply meets_peek; [eapply peeks_bind; [apply peeks_small | intros; apply (peeks_ret s tt (fun _ => True)); exact I]|]. intros _ _.
  rewrite Y, Z'. apply constant_meets; auto.
Qed.
Lemma normal_meets s M a : good s M -> meets s M (normal a) (fun t s' M' => is_term s' M' t (atom_value M a)).
Proof.
  intros G. destruct a; simpl; [apply variable_meets | apply select_meets | apply quotient_meets | apply apply_to_meets]; auto.
Qed.
Lemma normal_array_meets s M a : good s M -> meets s M (normal_array a) (fun b s' M' => is_array s' M' b (array_value M a)).
Proof.
  intros G. destruct a; simpl; [apply array_variable_meets | apply store_meets | apply constant_array_meets | apply table_meets]; auto.
Qed.

(** ** Literals *)

Definition literal_holds (M : model) (l : literal) : Prop := match sign_of l with
  | AtMostZero => vl M (term_of l) <= 0 | IsZero => vl M (term_of l) = 0 | NotZero => vl M (term_of l) <> 0 end.
Definition literal_in (s : state) (l : literal) : Prop := (term_of l < linears_in s)%N.
Lemma literal_kept s M s' M' l : keeps s M s' M' -> literal_in s l -> literal_in s' l /\ (literal_holds M' l <-> literal_holds M l).
Proof.
  intros [_ [A B] _ _] H. unfold literal_in, literal_holds, linears_in in *. rewrite B by auto. split; [lia | tauto].
Qed.
Lemma negate_meets s M l : good s M -> literal_in s l -> meets s M (negate l) (fun m s' M' => literal_in s' m /\ (literal_holds M' m <-> ~ literal_holds M l)).
Proof.
  intros G H. unfold negate. destruct l as [g t]; destruct g; simpl.
  - eapply meets_bind; [apply combine_meets; auto|]. intros u s' M' G' _ [I V]. apply meets_ret; auto. split; auto.
    unfold literal_holds; simpl. rewrite V. simpl. lia.
  - apply meets_ret; auto. split; auto. unfold literal_holds; simpl. lia.
  - apply meets_ret; auto. split; auto. unfold literal_holds; simpl. lia.
Qed.
Lemma evident_peek s M l : good s M -> peeks s (evident l) (fun e => match e with Some true => literal_holds M l | Some false => ~ literal_holds M l | None => True end).
Proof.
  intros G. unfold evident. eapply peeks_bind; [apply linear_range_peek; eauto|]. intros [[a b]|] R; apply peeks_ret; auto. simpl in R.
  unfold literal_holds. destruct (sign_of l).
  - destruct (Z.leb_spec b 0); [lia|]. destruct (Z.ltb_spec 0 a); [lia|exact I].
  - destruct (Z.eqb_spec a 0), (Z.eqb_spec b 0), (Z.ltb_spec 0 a), (Z.ltb_spec b 0); simpl; try exact I; lia.
  - destruct (Z.eqb_spec a 0), (Z.eqb_spec b 0), (Z.ltb_spec 0 a), (Z.ltb_spec b 0); simpl; try exact I; lia.
Qed.
Lemma is_true_peek s M l : good s M -> peeks s (is_true l) (fun b => b = true -> literal_holds M l).
Proof.
  intros G. unfold is_true. eapply peeks_bind; [apply evident_peek; eauto|]. intros [[|]|] H; apply peeks_ret; auto; discriminate.
Qed.
Lemma is_false_peek s M l : good s M -> peeks s (is_false l) (fun b => b = true -> ~ literal_holds M l).
Proof.
  intros G. unfold is_false. eapply peeks_bind; [apply evident_peek; eauto|]. intros [[|]|] H; apply peeks_ret; auto; discriminate.
Qed.
Lemma within_meets s M t a b : good s M -> (t < linears_in s)%N -> meets s M (within t (a, b)) (fun p s' M' => literal_in s' (fst p) /\ literal_in s' (snd p) /\
  (literal_holds M' (fst p) <-> a <= vl M t) /\ (literal_holds M' (snd p) <-> vl M t <= b)).
Proof.
  intros G J. unfold within; simpl. eapply meets_bind; [apply combine_meets; auto|]. intros low s1 M1 G1 K1 [I1 V1].
  eapply meets_peek; [apply peeks_small|]. intros ? ->.
  eapply meets_bind; [apply plus_meets; auto|]. intros high s2 M2 G2 K2 [I2 V2]. apply meets_ret; auto.
  rewrite (proj2 (keeps_linears _ _ _ _ K1) t J) in V2. destruct (is_term_kept _ _ _ _ _ _ K2 (conj I1 V1)) as [I1' V1'].
  unfold literal_in, literal_holds; simpl. rewrite V1', V2. simpl. repeat split; auto; lia.
Qed.
End Normal.
