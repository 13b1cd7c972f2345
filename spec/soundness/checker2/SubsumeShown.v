(** That Subsume shows what it has to show, as the second checker computes it
    (spec/calculus.md#subsume): by substitution, and by reading where the template has folded
    parts. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Owed Folding FoldedMembers Configurations Reading Subsume.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Denoting Carried Shown Closing Listed Moving Templates Leading Staying Substituted ContentsDrawn Going Covered SortsFormed PartsCovered MembersCovered ImagesShown.
From Goatherd.checker2 Require Covering.
Import ListNotations.
Open Scope Z_scope.

(** What is computed where the rule is taken: that tables are numbered, sorts well-formed, and
    parts of the template such as templates have. *)
Definition are_symbols_formed (E : setting) (d : configuration) : bool := is_numbered (symbols d) && forallb (fun n => match find (symbols d) n with
  | Some (Tree s) => match WellFormed.nodes (names_in E) (sorts_in E) s with Some _ => true | None => false end | Some (Segment _) => true | None => false end) (numbers_of (symbols d)).
Definition is_template_formed (E : setting) (d : configuration) (mt : matching) : bool := match entry_member d with None => true | Some _ => false end && are_sorts_formed E && are_symbols_formed E d && forallb (is_member_formed d mt) (herd d).
Definition holds_registers (d : configuration) : bool := forallb holds_nothing (herd d).
Definition is_read_covered (E : setting) (c d : configuration) (mt : matching) : bool := is_template_formed E d mt &&
  ((holds_registers d && negb (asks_for_leaks E)) || (forallb (is_wide E) (herd c) && forallb (is_wide E) (herd d) && is_numbered (symbols c) && forallb (fun m => is_numbered (parts_held m)) (herd c))).
(** Of templates that hold registers alone, whatever they cover. *)
Lemma registers_covered E c d mt mt' : holds_registers d = true -> asks_for_leaks E = false -> is_template_formed E d mt = true -> is_read_covered E c d mt' = true.
Proof.
  intros Hr Nl Fo. unfold is_read_covered. rewrite Hr, Nl. apply andb_true_intro. split; [|reflexivity]. unfold is_template_formed in *. apply andb_prop in Fo as [Fo Fm]. rewrite Fo. cbn [andb]. unfold holds_registers in Hr. rewrite forallb_forall in Fm, Hr |- *.
  intros t I. specialize (Fm t I). specialize (Hr t I). unfold holds_nothing in Hr. apply andb_prop in Hr as [_ Hr]. unfold is_member_formed in *. destruct (in_order (parts_held t)); [exact Fm | discriminate].
Qed.

Section SubsumeShown.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Notation machine := (Goatherd.Runs.system_of P under).
Notation shows_under := (shows_under P under trees tabs).
Notation shows := (shows_stage P under trees tabs).
Notation good nu := (good nu tabs).
Notation sane := (sane tabs).
Notation modelled := (modelled tabs).
Notation later := (later tabs).
Hypothesis setting_right : same_setting E P under.
Hypothesis sorts_are : sorts_right E trees.
Hypothesis leaks_asked : Owed.checks_leaks P -> asks_for_leaks E = true.
Variables c d : configuration.
Variable mt : matching.
Variable start : state.
Hypothesis terms_modelled : modelled start.
Hypothesis template_scope : in_scope start d.
Hypothesis whole_c : whole E c.
Hypothesis whole_d : whole E d.
Hypothesis tables_c : forall m, In m (herd c) -> tables_right m.
Hypothesis covered : is_read_covered E c d mt = true.
Lemma covered_parts : entry_member d = None /\ are_sorts_formed E = true /\ numbered_right (symbols d) /\ (forall n, (n < given (symbols d))%N -> exists sh, find (symbols d) n = Some sh /\
    match sh with Tree s => WellFormed.nodes (names_in E) (sorts_in E) s <> None | Segment _ => True end) /\ (forall t, In t (herd d) -> is_member_formed d mt t = true) /\
  forall m t, In m (herd c) -> In t (herd d) -> holds_nothing t = true /\ ~ Owed.checks_leaks P \/ (is_wide E m = true /\ is_wide E t = true) /\ numbered_right (parts_held m) /\ numbered_right (symbols c).
Proof.
  pose proof covered as C. unfold is_read_covered, is_template_formed, are_symbols_formed in C. apply andb_prop in C as [C Wi]. apply andb_prop in C as [C Fd]. apply andb_prop in C as [C Sd]. apply andb_prop in C as [En So]. apply andb_prop in Sd as [Nd Sd].
  rewrite forallb_forall in Fd, Sd. split; [destruct (entry_member d); [discriminate | reflexivity]|]. split; [exact So|]. split; [apply numbered_now; exact Nd|]. split.
  - intros n L. apply numbers_of_in in L. specialize (Sd n L). destruct (find (symbols d) n) as [[s|s]|]; [| |discriminate]; [exists (Tree s) | exists (Segment s)]; (split; [reflexivity|]); [|exact Logic.I]. destruct (WellFormed.nodes _ _ s); discriminate.
  - split; [exact Fd|]. intros m t Im It. apply orb_prop in Wi as [Wi|Wi].
    + apply andb_prop in Wi as [A B]. left. unfold holds_registers in A. rewrite forallb_forall in A. split; [exact (A t It)|]. intros Ck. apply leaks_asked in Ck. rewrite Ck in B. discriminate.
    + apply andb_prop in Wi as [Wi Np]. apply andb_prop in Wi as [Wi Ns]. apply andb_prop in Wi as [A B]. right. rewrite forallb_forall in A, B, Np. split; [auto|]. split; apply numbered_now; auto.
Qed.
Lemma tables_d t : In t (herd d) -> tables_right t.
Proof. intros I. apply (proj1 (proj2 template_scope)), herd_member. exact I. Qed.
Definition terms_in (e : configuration) (s : state) : Prop := forall p, In p (configuration_terms e) -> part_in s p.
Lemma member_terms_there s e m : terms_in e s -> In m (herd e) -> tables_right m -> member_there s m.
Proof.
  intros H I T. split; [exact T|]. intros p J. apply H. unfold configuration_terms. apply in_or_app. right. apply in_or_app. left. apply in_flat_map. eauto.
Qed.
Lemma terms_in_kept e s M s' M' : keeps s M s' M' -> terms_in e s -> terms_in e s'.
Proof. intros K H p I. eapply part_in_kept; eauto. Qed.
Lemma literals_there e s : terms_in e s -> forall l, In l (known_literals e) -> literal_in s l.
Proof. intros H l I. apply (H (LinearPart (term_of l))). unfold configuration_terms. apply in_or_app. left. apply in_map_iff. eauto. Qed.

(** ** What is left of the rule behind its substitution *)

Section Rest.
Variables nu mu : Terms.valuation.
Hypothesis sorted : Terms.well_sorted nu.
Hypothesis sorted_too : Terms.well_sorted mu.
Variable Q : Prop.
Variables (s0 : state) (M0 K0 : model).
Hypothesis terms_c : terms_in c s0.
Hypothesis terms_d : terms_in d s0.
Hypothesis known_hold : Q -> forall l, In l (known_literals c) -> literal_holds M0 l.
Notation goes := (goes nu mu tabs Q s0 M0 K0).
Let known_in := literals_there c s0 terms_c.
Notation seen_right := (seen_right c d mt trees s0).
Notation covers_member := (covers_member c d P trees Q M0 K0).
Lemma literals_goes th ls : (forall l, In l ls -> literal_in s0 l) ->
  goes th (folded_left (fun th l => let$ (t, th) := Covering.linear_image th (term_of l) in entail (known_literals c) (lit (sign_of l) t) >> ret th) ls th) (fun th => th) (fun _ => Q -> forall l, In l ls -> literal_holds K0 l).
Proof.
  intros Ls. eapply goes_weaker; [apply (goes_folded nu mu tabs Q s0 M0 K0 (fun th l => let$ (t, th) := Covering.linear_image th (term_of l) in entail (known_literals c) (lit (sign_of l) t) >> ret th) (fun th => th) (fun _ => True) (fun _ _ => True) (fun _ l => Q -> literal_holds K0 l)); auto|].
  - intros th1 l I _. apply goes_twice. intros s M K He. pose proof (known_here c nu mu tabs Q s0 M0 K0 known_in known_hold _ _ _ _ He) as [L Ho]. pose proof (Ls l I) as Il. destruct (term_here nu mu tabs Q s0 M0 K0 _ _ _ _ (term_of l) He Il) as (Js & _ & Vk). destruct He as [G G' _ _ T].
    eapply twice_bind; [apply (linear_image_meets nu mu sorted sorted_too tabs Q); auto|]. intros [u th2] s1 M1 K1 G1 H1 Km Kk [[_ [Iu Vu]] T1].
    assert (L1 : forall k, In k (known_literals c) -> literal_in s1 k) by (intros k J; apply (literal_kept _ _ _ _ k Km); auto).
    eapply twice_bind; [apply twice_both; [apply (entail_meets nu sorted tabs s1 M1 (known_literals c) (lit (sign_of l) u)); auto | apply (entail_meets mu sorted_too tabs s1 K1 (known_literals c) (lit (sign_of l) u)); auto]|].
    intros ? s2 M2 K2 G2 H2 Km2 Kk2 [En _]. apply twice_ret; auto. split; [eapply theta_kept; eauto|]. split; [exact Logic.I|]. split; [exact Logic.I|]. intros hq.
    assert (Ho1 : forall k, In k (known_literals c) -> literal_holds M1 k) by (intros k J; apply (literal_kept _ _ _ _ k Km (L k J)), Ho; auto). specialize (En Ho1). unfold literal_holds in *. cbn [sign_of term_of lit] in En. rewrite (Vu hq), (proj2 (keeps_linears _ _ _ _ Kk) _ Js), Vk in En. exact En.
  - intros th1 (_ & _ & H) hq l I. exact (H l I hq).
Qed.
Lemma herd_goes : forall ps th seen r, (forall p, In p ps -> members_right E c d mt P s0 (fst (fst p)) (snd (fst p))) -> seen_right seen r ->
  goes th (folded_left (Covering.cover_member E c d mt) ps (th, seen)) fst (fun st => exists r', seen_right (snd st) r' /\ reads_on seen r (snd st) r' /\
    (forall y, seen_as (snd st) y <> None -> seen_as seen y <> None \/ exists p f q, In p ps /\ find (parts_held (snd (fst p))) f = Some q /\ symbol q = y) /\
    forall seen2 r2, reads_on (snd st) r' seen2 r2 -> forall p, In p ps -> covers_member (fst (fst p)) (snd (fst p)) r2).
Proof.
  destruct covered_parts as (_ & So & Sd & _). induction ps as [|[[m t] os] ps IH]; intros th seen r Mr Se; cbn [folded_left].
  - apply goes_ret; [reflexivity|]. exists r. split; [exact Se|]. split; [apply reads_on_refl|]. split; [auto | intros ? ? _ ? []].
  - eapply goes_bind; [apply (member_goes E c d mt P under setting_right trees sorts_are So leaks_asked nu mu sorted sorted_too tabs Q s0 M0 K0 known_in known_hold Sd th seen r m t os); [exact (Mr (m, t, os) (or_introl eq_refl)) | exact Se]|].
    intros [th1 seen1] (r1 & Se1 & On1 & Sy1 & Co1). cbn [fst snd] in *. eapply goes_weaker; [apply (IH th1 seen1 r1); [intros p I; apply Mr; right; exact I | exact Se1]|]. intros [th2 seen2] (r2 & Se2 & On2 & Sy2 & Co2). cbn [fst snd] in *.
    exists r2. split; [exact Se2|]. split; [eapply reads_on_trans; eauto|]. split.
    + intros y H. destruct (Sy2 y H) as [A|(p & f & q & I & B)]; [|right; exists p, f, q; split; [right; exact I | exact B]]. destruct (Sy1 y A) as [B|(f & q & B)]; [left; exact B | right; exists (m, t, os), f, q; split; [left; reflexivity | exact B]].
    + intros seen3 r3 On3 p [<-|I]; [apply (Co1 seen3 r3); eapply reads_on_trans; eauto | eapply Co2; eauto].
Qed.
Definition rest_of_subsume th : computes unit :=
  demand (count (paths_read mt) =? given (symbols d))%N Rejection.Substitution >>
  demand ((count (herd c) =? count (herd d)) && (count (objects_matched mt) =? count (herd d)))%N Rejection.Shape >>
  let$ (th, read_) := folded_left (Covering.cover_member E c d mt) (List.combine (List.combine (herd c) (herd d)) (objects_matched mt)) (th, PositiveMap.empty (list Covering.piece)) in
  demand (forallb (fun '(n, s) => PositiveMap.mem (N.succ_pos n) read_ || Covering.may_be_empty E s) (in_order (symbols d))) Rejection.NotRead >>
  let$ _ := folded_left (fun th l => let$ (t, th) := Covering.linear_image th (term_of l) in entail (known_literals c) (lit (sign_of l) t) >> ret th) (known_literals d) th in
  ret tt.
Lemma first_of_pairs {A B} (l : list A) : forall (k : list B), length k = length l -> forall a, In a l -> exists b, In (a, b) (List.combine l k).
Proof.
  induction l as [|x l IH]; intros [|y k] L a I; try discriminate; [destruct I|]. destruct I as [->|I]; [exists y; left; reflexivity|]. injection L as L. destruct (IH k L a I) as (b & J). exists b. right. exact J.
Qed.
(** What it comes to: each member covers one, and what has no occurrence is empty. *)
Record rest_shows (r : Subsume.reading) : Prop := {
  rest_long : length (herd c) = length (herd d);
  rest_covers : forall p, In p (List.combine (herd c) (herd d)) -> covers_member (fst p) (snd p) r;
  rest_symbols : forall n sh, find (symbols d) n = Some sh -> (exists p f q, In p (List.combine (herd c) (herd d)) /\ find (parts_held (snd p)) f = Some q /\ symbol q = n) \/
    Covering.may_be_empty E sh = true /\ Subsume.piece_for r (N.to_nat n) = Reading.NullPiece /\ Subsume.path_for r (N.to_nat n) = Reading.PathEnd;
  rest_literals : Q -> forall l, In l (known_literals d) -> literal_holds K0 l }.
Lemma rest_meets s M K th : here nu mu tabs Q s0 M0 K0 s M K th -> forall u s', rest_of_subsume th s = Gives u s' -> exists M' K' th' r, here nu mu tabs Q s0 M0 K0 s' M' K' th' /\ rest_shows r.
Proof.
  intros He u s' H. destruct covered_parts as (_ & _ & Sd & _ & Fd & Wi). unfold rest_of_subsume in H.
  unfold bind at 1, demand at 1 in H. destruct (_ =? _)%N; [|discriminate]. unfold ret at 1 in H. unfold bind at 1, demand at 1 in H. destruct (_ && _) eqn:Le; [|discriminate]. unfold ret at 1 in H. apply andb_prop in Le as [Lc Lo]. apply N.eqb_eq in Lc, Lo. rewrite (Templates.count_length (herd c)), (Templates.count_length (herd d)) in Lc. rewrite (Templates.count_length (objects_matched mt)), (Templates.count_length (herd d)) in Lo. apply Nat2N.inj in Lc, Lo.
  set (all := List.combine (List.combine (herd c) (herd d)) (objects_matched mt)) in *. unfold bind at 1 in H. destruct (folded_left _ all _ s) as [[th1 read_] s1|] eqn:F; [|discriminate].
  assert (Mr : forall p, In p all -> members_right E c d mt P s0 (fst (fst p)) (snd (fst p))).
  { intros [[m t] os] I. apply in_combine_l in I. pose proof (in_combine_l _ _ _ _ I) as Im. pose proof (in_combine_r _ _ _ _ I) as It. cbn [fst snd]. split; [split; [exact (whole_in E c m whole_c Im) | exact (whole_in E d t whole_d It)]|].
    split; [split; [exact (member_terms_there s0 c m terms_c Im (tables_c m Im)) | exact (member_terms_there s0 d t terms_d It (tables_d t It))]|]. split; [auto | auto]. }
  destruct (herd_goes all th _ _ Mr (none_seen c d mt trees s0) s M K He _ _ F) as (M1 & K1 & He1 & (r & Se & _ & Sy & Co)). cbn [fst snd] in *.
  unfold bind at 1, demand at 1 in H. destruct (forallb _ _) eqn:Em; [|discriminate]. unfold ret at 1 in H. unfold bind at 1 in H. destruct (folded_left _ (known_literals d) th1 s1) as [th2 s2|] eqn:Fl; [|discriminate]. injection H as _ <-.
  destruct (literals_goes th1 (known_literals d) (literals_there d s0 terms_d) s1 M1 K1 He1 _ _ Fl) as (M2 & K2 & He2 & Ho). exists M2, K2, th2, r. split; [exact He2|]. split; [lia | | | exact Ho].
  - intros p I. destruct (first_of_pairs (List.combine (herd c) (herd d)) (objects_matched mt)) with (a := p) as (os & J); [rewrite combine_length; lia | exact I|]. exact (Co read_ r (reads_on_refl read_ r) (p, os) J).
  - intros n sh Fn. rewrite forallb_forall in Em. specialize (Em (n, sh) (proj2 (in_order_in _ _ _) (conj (Sd n sh Fn) Fn))). cbn beta iota in Em. destruct (seen_as read_ n) as [ps|] eqn:Sn.
    + left. destruct (Sy n) as [A|(p & f & q & I & Fq & Eq)]; [rewrite Sn; discriminate | unfold seen_as in A; rewrite PositiveMap.gempty in A; congruence|]. exists (fst p), f, q. destruct p as [p os]. split; [exact (in_combine_l _ _ _ _ I) | auto].
    + right. apply orb_prop in Em as [Em|Em]; [exfalso; apply PositiveMap.mem_2 in Em as (ps & Mp); apply PositiveMap.find_1 in Mp; unfold seen_as in Sn; congruence|]. split; [exact Em | exact (unseen_empty _ _ _ _ _ _ _ Se n Sn)].
Qed.
End Rest.

(** ** What is covered accounts for the same *)

Section Accounts.
Variables (M0 K0 : model) (phi : FoldedMembers.meaning) (r : Subsume.reading).
Hypothesis meant : FoldedMembers.well_meant P trees (symbols_of c) phi.
Notation phi' := (Subsume.meaning_of (valued M0) phi r).
Lemma member_accounts m t run : covers_member c d P trees True M0 K0 m t r -> is_member_formed d mt t = true -> numbered_right (symbols d) -> Configurations.accounts P under (symbols_of c) (valued M0) phi (counted_of m) run ->
  Configurations.accounts P under (symbols_of d) (valued K0) phi' (counted_of t) run /\ forall f q, find (parts_held t) f = Some q -> FoldedMembers.well_meant_symbol P trees (symbols_of d) phi' (N.to_nat (symbol q)).
Proof.
  intros [Pl _ Cn (u & Co & No)] Fo Sd [A B]. destruct covered_parts as (_ & So & _).
  assert (Count : match Configurations.counted (counted_of t) with Some a => Terms.eval (valued K0) a = Z.of_nat (Herds.consumed machine run) | None => True end).
  { simpl in *. destruct (consumed_of t) as [| |n| | | |]; auto. destruct Cn as (a & Ea & V). rewrite Ea in B. rewrite valued_term in *. rewrite <- (V Logic.I). exact B. }
  pose proof Fo as Fp. unfold is_member_formed in Fp. apply andb_prop in Fp as [Fn Fp]. apply andb_prop in Fn as [Fn _]. apply andb_prop in Fn as [Fn _]. apply andb_prop in Fn as [Fn _]. apply numbered_now in Fn.
  unfold location_of in Co, No. simpl in A. destruct (place_of m) as [l|] eqn:Pm.
  - rewrite <- Pl in Fp. destruct A as (st & L & g & rn & F & (rho & ro & la & ce & D) & Al & Mp).
    assert (Ty : Typed.typed P g) by (eapply FoldedMembers.fine_typed; exact F). split.
    + split; [|exact Count]. simpl. rewrite <- Pl. exists st. split; [exact L|]. exists g, rn. split; [exact F|]. split; [|split; [exact Al | exact Mp]]. eexists _, _, _, _.
      eapply (Subsume.member_described P trees (entailed_here True M0) (symbols_of c) (symbols_of d) (term_image True M0 K0) (array_image True M0 K0) (member_of l m) (member_of l t) u (valued M0) (valued K0) phi r rho ro la ce g);
        [intros x H; exact (H Logic.I) | intros a b H; exact (H Logic.I) | intros a b H; exact (H Logic.I) | exact meant | exact Ty | exact D | exact (ones_same E So trees sorts_are) | exact (checked_sorts E So trees sorts_are) | exact (of_nodes E So P under trees setting_right sorts_are) | exact Co | exact No].
    + intros f q Fq. eapply (Subsume.part_described P trees (entailed_here True M0) (symbols_of c) (symbols_of d) (term_image True M0 K0) (array_image True M0 K0) (member_of l m) (member_of l t) u (valued M0) (valued K0) phi r rho ro la ce g) with (f := N.to_nat f) (q := part_of q);
        [intros x H; exact (H Logic.I) | intros a b H; exact (H Logic.I) | exact meant | exact Ty | exact D | exact (ones_same E So trees sorts_are) | exact (checked_sorts E So trees sorts_are) | exact (of_nodes E So P under trees setting_right sorts_are) | exact Co | exact (part_in_table l t f q Fn Fq)].
  - rewrite <- Pl in Fp. split; [split; [simpl; rewrite <- Pl; exact A | exact Count]|]. intros f q Fq. assert (I : In (f, q) (in_order (parts_held t))) by (apply in_order_in; split; [exact (Fn f q Fq) | exact Fq]). destruct (in_order (parts_held t)); [destruct I | discriminate].
Qed.
Lemma others_account ms : forall ts ss rs, (forall p, In p (List.combine ms ts) -> covers_member c d P trees True M0 K0 (fst p) (snd p) r) -> length ms = length ts -> (forall t, In t ts -> is_member_formed d mt t = true) -> numbered_right (symbols d) -> ss = symbols_of c ->
  Forall2 (Configurations.accounts_sized P under ss (valued M0) phi) (List.map sized_of ms) rs ->
  (exists rs', Forall2 (Herds.weaker machine) rs rs' /\ Forall2 (Configurations.accounts_sized P under (symbols_of d) (valued K0) phi') (List.map sized_of ts) rs') /\
  forall t f q, In t ts -> find (parts_held t) f = Some q -> FoldedMembers.well_meant_symbol P trees (symbols_of d) phi' (N.to_nat (symbol q)).
Proof.
  induction ms as [|m ms IH]; intros [|t ts] ss rs C L Fo Sd -> F; try discriminate; inversion F as [|? x ? rs0 [Sz A] F0]; subst; [split; [exists []; split; constructor | intros ? ? ? []]|].
  destruct (IH ts (symbols_of c) rs0) as [(rs' & Wk & F') Sy]; auto; [intros p I; apply C; right; exact I | intros y I; apply Fo; right; exact I|]. destruct x as [k x]. simpl in Sz, A. pose proof (C (m, t) (or_introl eq_refl)) as Cm. cbn [fst snd] in Cm.
  destruct (member_accounts m t x Cm (Fo t (or_introl eq_refl)) Sd A) as [A' Sy']. split.
  - exists ((size_of_input (size_of t), x) :: rs'). split; constructor; auto.
    + split; [reflexivity|]. cbn [fst]. pose proof (covers_size _ _ _ _ _ _ _ _ _ _ Cm) as S0. rewrite <- Sz. destruct (size_of m), (size_of t); simpl in *; auto; discriminate.
    + split; [reflexivity|]. cbn [snd sized_of]. exact A'.
  - intros y f q [<-|I] Fq; [exact (Sy' f q Fq) | exact (Sy y f q I Fq)].
Qed.
End Accounts.

(** ** The rule *)

(** The valuation that the substitution makes of the configuration's. *)
Definition substituted (th : Covering.substitution) (M : model) : Terms.valuation := {|
  Terms.integers := fun q x => match nth (Covering.of_integers th) (number_of_sort q) with
    | Some l => match nth l (N.of_nat x) with Some n => vl M n | None => 0 end | None => 0 end;
  Terms.arrays := fun T x j => match nth (Covering.of_arrays th) (number_of T) with
    | Some l => match nth l (N.of_nat x) with Some n => vr M n j | None => 0 end | None => 0 end |}.
Lemma substituted_sorted s th M : substitution_right c s M th -> (forall l, In l (known_literals c) -> literal_holds M l) -> Terms.well_sorted (substituted th M).
Proof.
  intros [_ I A] H. split.
  - intros T x. cbn. destruct (nth (Covering.of_integers th) (N.succ (number_of T))) as [l|] eqn:Hl; [|apply zero_within]. destruct (nth l (N.of_nat x)) as [n|] eqn:Hn; [|apply zero_within].
    destruct (I (Some T) (N.of_nat x) l n Hl Hn) as [_ V]. exact (V H).
  - intros T x j. cbn. destruct (nth (Covering.of_arrays th) (number_of T)) as [l|] eqn:Hl; [|apply zero_within]. destruct (nth l (N.of_nat x)) as [n|] eqn:Hn; [|apply zero_within].
    destruct (A T (N.of_nat x) l n Hl Hn) as [_ V]. exact (V H j).
Qed.
Lemma substituted_right s th M K : substitution_right c s M th -> theta_right (substituted th M) True s M K th.
Proof.
  intros [Se I A]. split; [split|].
  - intros q x l n Hl Hn. destruct (I q x l n Hl Hn) as [In_ _]. split; [exact In_|]. intros _. cbn. rewrite Hl, N2Nat.id, Hn. reflexivity.
  - intros T x l n Hl Hn. destruct (A T x l n Hl Hn) as [In_ _]. split; [exact In_|]. intros _ j. cbn. rewrite Hl, N2Nat.id, Hn. reflexivity.
  - intros p n. rewrite Se, PositiveMap.gempty. discriminate.
Qed.
Lemma unasked_right mu s th M K : substitution_right c s M th -> theta_right mu False s M K th.
Proof.
  intros [Se I A]. split; [split|].
  - intros q x l n Hl Hn. destruct (I q x l n Hl Hn) as [In_ _]. split; [exact In_ | contradiction].
  - intros T x l n Hl Hn. destruct (A T x l n Hl Hn) as [In_ _]. split; [exact In_ | contradiction].
  - intros p n. rewrite Se, PositiveMap.gempty. discriminate.
Qed.
Lemma subsume_is s u s' : Covering.subsume E c d mt s = Gives u s' -> exists th s1, Covering.substitution_of c (variables d) mt s = Gives th s1 /\ rest_of_subsume th s1 = Gives u s'.
Proof.
  unfold Covering.subsume, bind at 1, demand at 1. destruct (progress c); [|discriminate]. unfold ret at 1. unfold bind at 1.
  destruct (Covering.substitution_of c (variables d) mt s) as [th s1|]; [|discriminate]. intros H. exists th, s1. split; [reflexivity | exact H].
Qed.
Lemma terms_of s e nu M : good nu s M -> in_scope s e -> terms_in e s.
Proof. intros G (_ & _ & H) p I. exact (within_in nu tabs _ s M _ G (H p I)). Qed.
Lemma template_model s mu : later start s -> Terms.well_sorted mu -> exists K0 K, good mu start K0 /\ good mu s K /\ keeps start K0 s K /\ terms_in d s.
Proof.
  intros La W. destruct (terms_modelled mu W) as [K0 G0]. destruct (La mu K0 W G0) as (K & G & Kp). exists K0, K. split; auto. split; auto. split; auto.
  eapply terms_in_kept; [exact Kp|]. eapply terms_of; [exact G0 | exact template_scope].
Qed.
Lemma subsume_later s u s' : sane s c -> later start s -> Covering.subsume E c d mt s = Gives u s' -> later s s'.
Proof.
  intros [_ Sc] La H nu M W G. apply subsume_is in H as (th & s1 & Hs & Hr). pose proof (terms_of s c nu M G Sc) as Tc.
  destruct (substitution_meets c nu W tabs (variables d) mt s M G (literals_there c s Tc) _ _ Hs) as (M1 & G1 & K1 & Su).
  destruct (template_model s zeros La zeros_sorted) as (_ & K & _ & Gk & _ & Td).
  destruct (substitution_meets c zeros zeros_sorted tabs (variables d) mt s K Gk (literals_there c s Tc) _ _ Hs) as (L1 & Gl & Kl & _).
  assert (He : here nu zeros tabs False s1 M1 L1 s1 M1 L1 th) by (split; auto using keeps_refl; apply unasked_right; exact Su).
  assert (Tc1 : terms_in c s1) by (eapply terms_in_kept; [exact K1 | exact Tc]). assert (Td1 : terms_in d s1) by (eapply terms_in_kept; [exact K1 | exact Td]).
  destruct (rest_meets nu zeros W zeros_sorted False s1 M1 L1 Tc1 Td1 (fun hq => match hq with end) s1 M1 L1 th He u s' Hr) as (M2 & K2 & th2 & r & [G2 _ F2 _ _] & _).
  exists M2. split; [exact G2 | eapply keeps_trans; eauto].
Qed.
Theorem subsume_shows s u s' : sane s c -> later start s -> Covering.subsume E c d mt s = Gives u s' -> later s s' /\ Herds.sound_subsume machine stage shows (Open s c) (Open start d).
Proof.
  intros Sn La H. split; [eapply subsume_later; eauto|]. destruct Sn as [_ Sc]. apply subsume_is in H as (th & s1 & Hs & Hr). intros t ts [_ (nu & M & phi & S)]. pose proof S as (W & G & L & _).
  pose proof (terms_of s c nu M G Sc) as Tc.
  destruct (substitution_meets c nu W tabs (variables d) mt s M G (literals_there c s Tc) _ _ Hs) as (M1 & G1 & K1 & Su).
  assert (L1 : forall l, In l (known_literals c) -> literal_holds M1 l) by (intros l I; apply (literal_kept _ _ _ _ l K1 (literals_there c s Tc l I)); auto).
  set (mu := substituted th M1). pose proof (substituted_sorted s1 th M1 Su L1) as Wm. fold mu in Wm.
  destruct (template_model s mu La Wm) as (K0 & K & G0 & Gk & Kp & Td).
  destruct (substitution_meets c mu Wm tabs (variables d) mt s K Gk (literals_there c s Tc) _ _ Hs) as (L2 & Gl & Kl & _).
  assert (Tc1 : terms_in c s1) by (eapply terms_in_kept; [exact K1 | exact Tc]). assert (Td1 : terms_in d s1) by (eapply terms_in_kept; [exact K1 | exact Td]).
  assert (He : here nu mu tabs True s1 M1 L2 s1 M1 L2 th) by (split; auto using keeps_refl; apply substituted_right; exact Su).
  destruct (rest_meets nu mu W Wm True s1 M1 L2 Tc1 Td1 (fun _ => L1) s1 M1 L2 th He u s' Hr) as (M' & K' & th' & r & _ & [Len Cv Sy Ho]).
  pose proof (carried_on P under trees tabs s s1 c nu M M1 phi t ts Sc G1 K1 S) as (_ & _ & _ & Me & A & _).
  pose proof (keeps_trans _ _ _ _ _ _ Kp Kl) as Kt. destruct covered_parts as (En & _ & Sd & Dense & Fo & _). set (phi' := Subsume.meaning_of (valued M1) phi r).
  assert (X : (exists ts', Forall2 (Herds.weaker machine) ts ts' /\ herd_accounts P under d (symbols_of d) (valued L2) phi' t ts') /\
    forall x f q, In x (herd d) -> find (parts_held x) f = Some q -> FoldedMembers.well_meant_symbol P trees (symbols_of d) phi' (N.to_nat (symbol q))).
  { unfold herd_accounts in *. destruct (herd c) as [|m ms] eqn:Hc; [destruct A|]. destruct (herd d) as [|x xs] eqn:Hd; [discriminate|]. destruct A as [A B].
    destruct (member_accounts M1 L2 phi r Me m x t (Cv (m, x) (or_introl eq_refl)) (Fo x (or_introl eq_refl)) Sd A) as [A' Sy1].
    destruct (others_account M1 L2 phi r Me ms xs (symbols_of c) ts) as [(ts' & Wk & F) Sy2]; auto; [intros p I; apply Cv; right; exact I | intros y I; apply Fo; right; exact I|]. split.
    - exists ts'. split; [exact Wk|]. split; [exact A' | exact F].
    - intros y f q [<-|I] Fq; [exact (Sy1 f q Fq) | exact (Sy2 y f q I Fq)]. }
  destruct X as [(ts' & Wk & Ac) Oc]. exists ts'. split; [exact Wk|]. exists mu, K0, phi'.
  apply (carried P under trees tabs s1 start d mu mu L2 K0 phi' t ts' Wm G0).
  - intros p I. pose proof (kept_value start K0 s1 L2 p Kt (terms_of start d mu K0 G0 template_scope p I)) as V. destruct p; simpl in *; [symmetry; exact V | intros j; symmetry; apply V].
  - split; [exact Wm|]. split; [exact Gl|]. split; [exact (Ho Logic.I)|]. split; [|split; [exact Ac|]; unfold entry_accounts; rewrite En; exact Logic.I].
    intros x. destruct (Nat.lt_ge_cases x (N.to_nat (given (symbols d)))) as [Lx|Lx]; [|unfold FoldedMembers.well_meant_symbol; replace (List.nth_error (symbols_of d) x) with (@None FoldedMembers.symbol_sort); [exact Logic.I|]; symmetry; apply nth_error_None; unfold symbols_of, numbers_of; rewrite map_length, numbers_from_length; exact Lx].
    destruct (Dense (N.of_nat x)) as (sh & Fx & Nx); [lia|]. destruct (Sy (N.of_nat x) sh Fx) as [(p & f & q & I & Fq & Eq)|(Em & Ep & Et)].
    + rewrite <- (Nat2N.id x), <- Eq. destruct p as [m y]. apply in_combine_r in I. exact (Oc y f q I Fq).
    + rewrite Nat2N.id in Ep, Et. pose proof (symbols_at d (N.of_nat x)) as At. rewrite Nat2N.id, Fx in At. destruct (N.ltb_spec (N.of_nat x) (given (symbols d))); [|lia]. unfold FoldedMembers.well_meant_symbol. rewrite At. cbn [phi' Subsume.meaning_of FoldedMembers.trees FoldedMembers.contexts]. destruct sh as [k|k]; cbn [symbol_of].
      * rewrite Ep. cbn [Covering.may_be_empty] in Em. destruct (WellFormed.nodes (names_in E) (sorts_in E) k) as [[[d0 ro] ss]|] eqn:Nd; [|congruence]. split; [apply Sorts.of_null; rewrite (sort_null _ _ sorts_are k d0 ro ss Nd); exact Em | constructor].
      * rewrite Et. change (Reading.context_of (valued M1) phi Reading.PathEnd) with Sorts.Hole. split; constructor.
Qed.
End SubsumeShown.
