(** That what the second checker lists of stores is right (spec/calculus.md#memory): the places
    are all places, and at each the element is another one. *)
From Coq Require Import List NArith ZArith Bool FMapPositive Lia.
From Goatherd Require Import Integers.
From Goatherd Require Herds Terms Sorts Programs Machine Alike Typed Bounds FoldedMembers Configurations Members RegisterSteps SameValues.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Spanning Refuting Refuted States Stepping Denoting Carried Shown Closing Listed RegisterLists BeyondSums ComputedLists PointerLists Places Moving LoadLists.
Import ListNotations.
Open Scope Z_scope.

Lemma wide_either access t : wide access t = wide t access.
Proof. destruct access, t; simpl; auto. apply Z.eqb_sym. Qed.

Section Stores.
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
Variables (ss : list FoldedMembers.symbol_sort) (phi : FoldedMembers.meaning) (s0 : state) (M0 : model).
Variables (rho : nat -> nat) (roots lasts : nat -> Folding.holding) (placed : nat -> list nat) (g : Machine.state).
Hypothesis described : FoldedMembers.describes_by P ss (valued M0) phi (member_of l m) rho roots lasts placed g.
Hypothesis fine : FoldedMembers.fine_state P g.
Hypothesis tables : tables_right m.
Hypothesis terms_in : forall p, In p (member_terms m) -> part_in s0 p.
Hypothesis sizes : Bounds.sizes_formed P.
Notation says := (says l m rho roots lasts).
Notation happens := (happens P l m rho roots lasts g).
Notation list_right := (list_right P under l m rho roots lasts g).
Notation step := (Machine.step P under g).
Notation there := (there rho g).
Notation slot_in s v := (forall p, In p (slot_terms v) -> part_in s p).

Variable i : instruction.
Hypothesis here : at_position (code E) l = Some i.
Theorem store_listed s M a off r : good s M -> keeps s0 M0 s M -> i = Store a off r -> covered E m i = true -> meets s M (stores E m a off r) (fun os _ K => list_right K (shown os)).
Proof.
  intros G K Ei Cv. pose proof (here_in_program E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Hi.
  pose proof (draws_here E P under setting_right l m ss phi M0 rho roots lasts placed g described i here) as Dr. rewrite Ei in Hi, Dr, Cv. cbn [covered] in Cv.
  assert (S : forall d, step d = Machine.store P g (N.to_nat a) off (N.to_nat r)) by (intros d; unfold Machine.step; rewrite Hi; reflexivity). unfold Machine.store in S.
  unfold stores. eapply meets_peek with (P := fun t => Machine.type_of P (N.to_nat r) = Translated.type_of t /\ exists x, at_position (registers_of (names_in E)) r = Some x /\ register_type x = t).
  { unfold register_kind. eapply peeks_bind; [apply (peeks_some s _ _ (fun x => at_position (registers_of (names_in E)) r = Some x)); auto|]. intros x Hx. apply peeks_ret. split; [exact (same_registers _ _ _ setting_right r x Hx) | exists x; auto]. }
  intros access [Ta (rx & Hrx & Trx)]. rewrite Ta in S. unfold goes_on.
  eapply meets_bind; [apply (target_meets E P under setting_right nu tabs l m ss phi s0 M0 rho roots lasts placed g described tables terms_in s M a off access G K)|]. intros [t|] s1 M1 G1 _ [K1 T].
  2: { destruct T as [f Tf]. apply meets_ret; auto. apply (fails_right P under l m rho roots lasts g M1 (Machine.fails f)); [intros d; rewrite S, Tf; reflexivity | exists f; reflexivity]. }
  destruct T as [(x & fs & F & Lv & Nfs & Nt & Ft & Wi & idx & byte & Ey & Os & Ps & Cs)]. cbv zeta in Os, Ps, Cs. set (inside := Machine.lower (there (found_object t)) <= idx < Machine.upper (there (found_object t))) in *.
  rewrite Ey in S. cbn [Machine.bind Machine.target Machine.index] in S.
  unfold object_state_at. eapply meets_peek; [apply (peeks_some s1 _ _ (fun y => y = x)); congruence|]. intros ? ->.
  unfold object_in. eapply meets_peek; [apply (peeks_some s1 _ _ (fun d => at_position (objects_of (names_in E)) (declaration x) = Some d)); auto|]. intros dx Hd.
  pose proof (held_bounds P l m ss phi s0 M0 rho roots lasts placed g described tables terms_in s M (found_object t) x K F) as [Dc _ _ _].
  assert (May : Machine.may_write P (there (found_object t)) = negb (is_read_only (origin_of dx))).
  { unfold Machine.may_write. rewrite Dc, (same_objects _ _ _ setting_right _ _ Hd). cbn [Translated.object_of Programs.origin_of]. destruct (origin_of dx) as [|n cs [|]| | |]; reflexivity. }
  change (Machine.object_at g (rho (N.to_nat (found_object t)))) with (there (found_object t)) in S. rewrite May in S. destruct (is_read_only (origin_of dx)); cbn [negb] in S.
  { apply meets_ret; auto. apply (fails_right P under l m rho roots lasts g M1 (Machine.fails Machine.ReadOnlyWrite)); [exact S | eexists; reflexivity]. }
  eapply meets_peek; [apply register_slot_peek|]. intros v Fv. cbn beta in Fv. rewrite Fv, Hrx in Cv.
  eapply meets_peek; [apply (peeks_demand s1 _ _ (fun _ => True)); auto|]. intros ? _.
  pose proof (keeps_trans _ _ _ _ _ _ K K1) as K01.
  assert (Iv : slot_in s1 v).
  { intros p Ip. apply (part_in_kept _ _ _ _ _ K01), terms_in. unfold member_terms. apply in_or_app. right. apply in_or_app. left. unfold entry_terms. apply in_flat_map. exists (r, v). split; [apply in_order_in; split; [exact (registers_numbered m tables r v Fv) | exact Fv] | exact Ip]. }
  set (w := Machine.register g (N.to_nat r)) in *.
  assert (Sy : says M1 v w).
  { rewrite (same_says l m M0 rho roots lasts s0 s1 M1 v K01); [apply (register_says P l m ss phi M0 rho roots lasts placed g described (registers_numbered m tables) r v Fv)|]. intros p Ip. apply terms_in. unfold member_terms. apply in_or_app. right. apply in_or_app. left. unfold entry_terms. apply in_flat_map. exists (r, v). split; [apply in_order_in; split; [exact (registers_numbered m tables r v Fv) | exact Fv] | exact Ip]. }
  assert (Vw : Typed.value_in (Translated.type_of access) w) by (rewrite <- Ta; apply (proj1 (FoldedMembers.fine_typed _ _ fine))).
  assert (Pa : is_part v = false \/ same_type access (found_type t) = true).
  { apply orb_prop in Cv as [Cv|Cv]; [left; apply negb_true_iff; exact Cv|]. right. rewrite Trx in Cv. destruct access; [discriminate|]. destruct (found_type t); [discriminate | reflexivity]. }
  eapply meets_bind; [apply (as_type_meets E P under setting_right nu tabs l m rho roots lasts s1 M1 v access (found_type t) w G1 Iv); [rewrite wide_either; exact Wi | exact Pa]|]. intros vs s2 M2 G2 _ (K2 & Ivs & Vs).
  destruct (Vs Sy Vw) as (w' & Cw & (more0 & u0 & J0 & H0) & All). rewrite Cw in S. cbn [Machine.bind] in S.
  set (y0 := Machine.Ok (stored_at rho g (found_object t) (found_field t) idx w')).
  assert (Sd : forall d, step d = if Machine.is_inside (there (found_object t)) idx then y0 else Machine.fails Machine.OutOfBounds) by (intros d; rewrite S; reflexivity).
  assert (Lp : forall p, In p (found_places t) -> literals_in s2 (fst (fst p))) by (intros p I; destruct (Ps p I) as (hr & e & u & (ls & -> & Il & _) & _); apply (literals_kept _ _ _ _ ls K2 Il)).
  eapply meets_bind; [apply (places_mapped P nu tabs l m rho roots lasts g _ (fun p => fst (fst p)) y0 (found_places t) s2 M2 G2)|]; auto.
  - intros p s3 M3 I G3 K3. destruct (Ps p I) as (hr & e & u & (ls & -> & Il & Hl) & _ & _ & _ & La & Ie). cbn [fst].
    eapply meets_weaker with (P := fun os s' K' => s' = s3 /\ K' = M3 /\ forall o, In o os <-> exists more u', In (more, u') vs /\ o = exact (ls ++ more) (Writes_ (found_object t) (found_field t) e u')).
    { clear - G3. eapply looked; [exact G3|]. induction vs as [|[more u'] vs IH]; cbn [mapped]; [apply peeks_ret; intros o; split; [intros [] | intros (? & ? & [] & _)]|].
      eapply peeks_bind with (P := fun o => o = exact (ls ++ more) (Writes_ (found_object t) (found_field t) e u')); [eapply peeks_bind; [apply (peeks_demand s3 _ _ (fun _ => True)); auto|]; intros ? _; apply peeks_ret; reflexivity|].
      intros ? ->. eapply peeks_bind; [exact IH|]. intros os H. apply peeks_ret. intros o. split.
      - intros [<-|J]; [exists more, u'; split; [left|]; auto|]. apply H in J as (m' & v' & J & ->). exists m', v'. split; [right|]; auto.
      - intros (m' & v' & [[= <- <-]|J] & ->); [left; auto | right; apply H; eauto]. }
    intros os s' K' _ _ (-> & -> & Mem). split; [apply keeps_refl|]. pose proof (keeps_trans _ _ _ _ _ _ K2 K3) as K23. destruct (literals_kept _ _ _ _ ls K23 Il) as [Il3 Hl3].
    assert (Ivs3 : forall more u', In (more, u') vs -> literals_in s3 more /\ slot_in s3 u') by (intros more u' J; destruct (Ivs _ _ J) as [A B]; split; [apply (literals_kept _ _ _ _ more K3 A) | intros q Iq; exact (part_in_kept _ _ _ _ _ K3 (B q Iq))]).
    assert (Ie3 : forall q, In q (element_terms e) -> part_in s3 q) by (intros q Iq; exact (part_in_kept _ _ _ _ _ K23 (Ie q Iq))).
    split.
    + intros o J. apply Mem in J as (more & u' & J & ->). destruct (Ivs3 _ _ J) as [A B]. split; [intros k Ik; apply in_app_or in Ik as [Ik|Ik]; auto|]. split; [|discriminate]. intros q Iq. cbn [effect_of exact effect_terms] in Iq. apply in_app_or in Iq as [Iq|Iq]; auto.
    + intros H. exists (exact (ls ++ more0) (Writes_ (found_object t) (found_field t) e u0)). split; [apply Mem; eauto|]. intros k Ik. apply in_app_or in Ik as [Ik|Ik]; auto. apply (literals_kept _ _ _ _ more0 K3 (proj1 (Ivs _ _ J0))); auto.
    + intros o J H. apply Mem in J as (more & u' & J & ->). assert (H1 : literals_hold M3 ls) by (intros k Ik; apply H, in_or_app; auto). split; [exact H1|].
      assert (Hm : literals_hold M2 more) by (apply (literals_kept _ _ _ _ more K3 (proj1 (Ivs _ _ J))); intros k Ik; apply H, in_or_app; auto). apply Hl3, Hl in H1 as [Ins Hr].
      apply (happens_kept P l m rho roots lasts g s2 M2 s3 M3 _ _ K3); [intros q Iq; cbn [effect_of exact effect_terms] in Iq; apply in_app_or in Iq as [Iq|Iq]; [exact (proj2 (Ivs _ _ J) q Iq) | exact (part_in_kept _ _ _ _ _ K2 (Ie q Iq))]|].
      cbn [effect_of exact happens]. split; [exact Dr|]. exists idx, w'. split; [reflexivity|]. split; [exact (All more u' J Hm)|].
      destruct (La Ins Hr) as (z & old & Fz & No & Le). exists z, old. split; auto. split; auto. destruct e as [n|j]; [exact Le|]. destruct Le as [Vj Le]. split; [|exact Le]. rewrite (proj2 (keeps_linears _ _ _ _ K2) j); [exact Vj | exact (Ie (LinearPart j) (or_introl eq_refl))].
  - intros oss s3 M3 G3 _ (K3 & A & B). apply meets_ret; auto. cbn [shown]. pose proof (keeps_trans _ _ _ _ _ _ K2 K3) as K23. destruct (out_later _ _ _ _ _ _ K23 Os) as [_ Bo]. clear Os.
    assert (Pl : forall p, In p (found_places t) -> literals_hold M3 (fst (fst p)) -> inside).
    { intros p I H. destruct (Ps p I) as (hr & e & u & (ls & -> & Il & Hl) & _). cbn [fst] in H. apply (literals_kept _ _ _ _ ls K23 Il), Hl in H as [Ins _]. exact Ins. }
    assert (In1 : Machine.is_inside (there (found_object t)) idx = true <-> inside) by (unfold Machine.is_inside, inside; rewrite andb_true_iff, Z.leb_le, Z.ltb_lt; reflexivity).
    split.
    + intros d. rewrite Sd. destruct (Machine.is_inside (there (found_object t)) idx) eqn:Ins.
      * assert (Ins' : inside) by (apply In1; reflexivity). destruct (Cs Ins') as (p & I & H).
        assert (H3 : literals_hold M3 (fst (fst p))) by (destruct (Ps p I) as (hr & e & u & (ls & -> & Il & _) & _); apply (literals_kept _ _ _ _ ls K23 Il); exact H).
        destruct (B p I) as (os & J & [_ So Al]). destruct (So H3) as (o & Io & Ho).
        exists o. split; [apply in_or_app; left; apply in_concat; eauto|]. split; [exact Ho | apply (Al o Io Ho)].
      * assert (N : ~ inside) by (rewrite <- In1; discriminate). apply Bo in N as (k & I & H). exists (exact [k] FailsHere). split; [apply in_or_app; right; unfold failing; apply in_map_iff; eauto|].
        split; [intros j [<-|[]]; exact H | eexists; reflexivity].
    + intros o I _ H. apply in_app_or in I as [I|I].
      * apply in_concat in I as (os & J & Io). destruct (A os J) as (p & Ip & [Ot _ Al]). destruct (Al o Io H) as [Hp Hh]. destruct (Ot o Io) as (_ & _ & Nd).
        apply (undecided P under l m rho roots lasts g M3 _); [|exact Nd]. rewrite Sd, (proj2 In1 (Pl p Ip Hp)). exact Hh.
      * unfold failing in I. apply in_map_iff in I as (k & <- & I). assert (N : ~ inside) by (apply Bo; exists k; split; [exact I | apply H; left; auto]).
        exists still. split; [reflexivity|]. rewrite Sd. destruct (Machine.is_inside _ idx) eqn:Ins; [exfalso; apply N, In1; reflexivity | eexists; reflexivity].
Qed.
End Stores.
