(** What is left of an entry of which nodes are left out, as the second checker computes it
    (spec/calculus.md#addscapegoat): up to terms of the same value it is what [LeftNodes.v]
    says, so that it holds inputs that are smaller. *)
From Coq Require Import List NArith ZArith Bool Lia.
From Goatherd Require Import Integers.
From Goatherd Require Terms Sorts Programs Machine Inputs Existing Planting Members FoldedMembers SameInputs SameEntries Loading Recognised LeftNodes Whole Leaving Kept.
From Goatherd.checker2 Require Import Reasons Certificates Reader WellFormed Arena Mentioned Meaning Normal Agreeing Refuting States Denoting Carried Shown Listed PointerLists Places Moving Folds Followed Covered TwinShown Opened OpenShown ContentsDrawn EntryLeft.
From Goatherd.checker2 Require Rules.
Import ListNotations.
Open Scope Z_scope.

(** ** What is done to a member *)

Section Dropped.
(** The node's name, and where it begins; what comes in its place, and what was above it. *)
Variables (o low : N) (heir : slot) (up : option slot) (ks : list link).
Definition in_place (w : slot) : slot := if slot_eqb w (element o low) then heir else w.
Definition hung_fields (q : N) (fs : list field_state) : list field_state := match heir, up with
  | PointerSlot h _ _, Some v => if (q =? h)%N then set_ups v ks fs else fs | _, _ => fs end.
Definition object_dropped (q : N) (x : object_state) : object_state :=
  with_fields (if (q =? o)%N then with_life x Dead else x) (hung_fields q (List.map (map_cells in_place) (field_states x))).
Definition part_dropped (g : N) (p : folded) : folded := {| symbol := symbol p;
  above := match heir, up with Folded h, Some v => if (g =? h)%N then v else in_place (above p) | _, _ => in_place (above p) end;
  same := in_place (same p); below := in_place (below p) |}.
Record is_dropped_from (m m' : member_state) : Prop := {
  dropped_else : place_of m' = place_of m /\ size_of m' = size_of m /\ consumed_of m' = consumed_of m;
  dropped_held : held m' = map_numbered in_place (held m);
  dropped_objects : given (objects_held m') = given (objects_held m) /\ forall q, find (objects_held m') q = option_map (object_dropped q) (find (objects_held m) q);
  dropped_parts : given (parts_held m') = given (parts_held m) /\ forall g, find (parts_held m') g = option_map (part_dropped g) (find (parts_held m) g) }.
End Dropped.
(** What comes in its place stands in a field of the node, as what was above it does. *)
Definition heir_here (x : object_state) (ks : list link) (child : option N) (heir : slot) : Prop := match child with
  | None => heir = NullSlot
  | Some k => exists l f vs, nth ks k = Some l /\ is_child_of (declaration x) l = true /\ nth (field_states x) k = Some f /\ cells f = heir :: vs end.
Definition up_here (x : object_state) (ks : list link) (up : option slot) : Prop := match up_position 0 ks with
  | None => up = None | Some k => exists f v vs, nth (field_states x) k = Some f /\ cells f = v :: vs /\ up = Some v end.
Lemma first_cell_is s x k v s' : first_cell x k s = Gives v s' -> s' = s /\ exists f vs, nth (field_states x) k = Some f /\ cells f = v :: vs.
Proof. unfold first_cell. destruct (nth (field_states x) k) as [[[|w ws] rs]|]; try discriminate. unfold ret. intros [= <- <-]. split; [reflexivity|]. eexists _, _. split; reflexivity. Qed.
Theorem drop_computed E s m o child m' s' : drop_node E m o child s = Gives m' s' -> s' = s /\ exists x d r ks heir up, find (objects_held m) o = Some x /\ life_of x = Live /\
  WellFormed.nodes (names_in E) (sorts_in E) (declaration x) = Some (d, r, [ks]) /\ heir_here x ks child heir /\ up_here x ks up /\ is_dropped_from o (lower x) heir up ks m m'.
Proof.
  intros H. unfold drop_node in H. unfold bind at 1, some at 1 in H. destruct (find (objects_held m) o) as [x|] eqn:Fo; [|discriminate]. unfold ret at 1 in H.
  unfold bind at 1, demand at 1 in H. destruct (is_live (life_of x)) eqn:Lv; [|discriminate]. unfold ret at 1 in H.
  unfold bind at 1, nodes_of at 1, some at 1 in H. destruct (WellFormed.nodes (names_in E) (sorts_in E) (declaration x)) as [[[d r] ss]|] eqn:Nd; [|discriminate]. unfold ret at 1 in H. destruct ss as [|ks [|? ?]]; try discriminate.
  unfold bind at 1 in H. match type of H with (match ?y s with _ => _ end) = _ => destruct (y s) as [heir s1|] eqn:Hh; [|discriminate] end.
  assert (Eh : s1 = s /\ heir_here x ks child heir).
  { destruct child as [k|]; [|unfold ret in Hh; injection Hh as <- <-; split; reflexivity]. unfold bind at 1, demand in Hh. destruct (nth ks k) as [l|] eqn:Nk; [|discriminate]. destruct (is_child_of (declaration x) l) eqn:Ch; [|discriminate]. unfold ret at 1 in Hh.
    apply first_cell_is in Hh as [-> (f & vs & Nf & Cf)]. split; [reflexivity|]. exists l, f, vs. auto. }
  destruct Eh as [-> Eh]. unfold bind at 1 in H. match type of H with (match ?y s with _ => _ end) = _ => destruct (y s) as [up s1|] eqn:Hu; [|discriminate] end.
  assert (Eu : s1 = s /\ up_here x ks up).
  { unfold up_here. destruct (up_position 0 ks) as [k|]; [|unfold ret in Hu; injection Hu as <- <-; auto]. unfold bind in Hu. destruct (first_cell x k s) as [v s2|] eqn:Fc; [|discriminate]. unfold ret in Hu. injection Hu as <- <-.
    apply first_cell_is in Fc as [-> (f & vs & Nf & Cf)]. split; [reflexivity|]. exists f, v, vs. auto. }
  destruct Eu as [-> Eu]. unfold bind at 1, kill at 1, object_state_at at 1, bind at 1, some at 1 in H. set (place := fun w : slot => if slot_eqb w (element o (lower x)) then heir else w) in *.
  assert (Fx : forall q, find (objects_held (map_slots place m)) q = option_map (fun x => with_fields x (List.map (map_cells place) (field_states x))) (find (objects_held m) q)) by (intros q; apply find_mapped).
  assert (Fp : forall g, find (parts_held (map_slots place m)) g = option_map (map_part place) (find (parts_held m) g)) by (intros g; apply find_mapped).
  rewrite Fx, Fo in H. cbn [option_map] in H. unfold ret at 1 2 in H. set (m2 := with_objects (map_slots place m) (put (objects_held (map_slots place m)) o _)) in H.
  assert (Fx2 : forall q, find (objects_held m2) q = option_map (fun x => with_fields (if (q =? o)%N then with_life x Dead else x) (List.map (map_cells place) (field_states x))) (find (objects_held m) q)).
  { intros q. unfold m2. cbn [with_objects objects_held]. rewrite find_put. destruct (N.eqb_spec q o) as [->|_]; [rewrite Fo; reflexivity | apply Fx]. }
  assert (Done : s' = s /\ is_dropped_from o (lower x) heir up ks m m').
  { assert (Same : (forall q fs, hung_fields heir up ks q fs = fs) -> (forall g p, part_dropped o (lower x) heir up g p = map_part place p) -> m' = m2 -> is_dropped_from o (lower x) heir up ks m m').
    { intros Hf Hp ->. split; [repeat split | reflexivity | |]; (split; [reflexivity|]).
      - intros q. rewrite Fx2. destruct (find (objects_held m) q) as [y|]; [|reflexivity]. cbn [option_map]. unfold object_dropped. rewrite Hf. reflexivity.
      - intros g. change (parts_held m2) with (parts_held (map_slots place m)). rewrite Fp. destruct (find (parts_held m) g) as [p|]; [|reflexivity]. cbn [option_map]. rewrite Hp. reflexivity. }
    destruct up as [v|]; [|unfold ret in H; injection H as <- <-; split; [reflexivity|]; apply Same; [intros; destruct heir; reflexivity | intros; unfold part_dropped; destruct heir; reflexivity | reflexivity]].
    unfold hang_from in H. destruct heir as [| |t| |h i b|h|h]; try (unfold ret in H; injection H as <- <-; split; [reflexivity|]; apply Same; reflexivity).
    - unfold object_state_at, bind, some, ret in H. destruct (find (objects_held m2) h) as [y|] eqn:Fh; [|discriminate]. injection H as <- <-. split; [reflexivity|]. split; [repeat split | reflexivity | |]; (split; [reflexivity|]).
      + intros q. cbn [with_objects objects_held]. rewrite find_put. unfold object_dropped, hung_fields. rewrite Fx2 in Fh. destruct (N.eqb_spec q h) as [->|_]; [|apply Fx2]. destruct (find (objects_held m) h) as [z|]; [|discriminate]. injection Fh as <-. cbn [option_map]. destruct (h =? o)%N; reflexivity.
      + intros g. exact (Fp g).
    - unfold bind, some, ret in H. destruct (find (parts_held m2) h) as [p|] eqn:Fh; [|discriminate]. injection H as <- <-. split; [reflexivity|]. split; [repeat split | reflexivity | |]; (split; [reflexivity|]).
      + intros q. cbn [with_parts objects_held]. rewrite Fx2. reflexivity.
      + intros g. cbn [with_parts parts_held]. rewrite find_put. change (parts_held m2) with (parts_held (map_slots place m)) in *. rewrite Fp in *. unfold part_dropped. destruct (N.eqb_spec g h) as [->|_]; [|destruct (find (parts_held m) g); reflexivity].
        destruct (find (parts_held m) h) as [z|]; [|discriminate]. injection Fh as <-. reflexivity. }
  destruct Done as [-> Done]. split; [reflexivity|]. exists x, d, r, ks, heir, up. split; [reflexivity|]. split; [destruct (life_of x); [reflexivity | discriminate]|]. auto.
Qed.

(** ** It is what is to be done *)

Section Same.
Variables (o low : N) (heir : slot) (up : option slot) (ks : list link) (m m' : member_state).
Hypothesis dropped : is_dropped_from o low heir up ks m m'.
(** Pointers to the node are to where it begins. *)
Definition leads_alike (v : slot) : bool := match v with PointerSlot q i b => negb (q =? o)%N || ((i =? low)%N && (b =? 0)%N) | _ => true end.
Definition slots_in (m : member_state) : list slot := List.map snd (in_order (held m)) ++ flat_map (fun x => flat_map cells (field_states (snd x))) (in_order (objects_held m)) ++
  flat_map (fun q => [above (snd q); same (snd q); below (snd q)]) (in_order (parts_held m)).
Hypothesis alike : forall v, In v (slots_in m) -> leads_alike v = true.
Notation place := (in_place o low heir).
Notation image := (LeftNodes.image (N.to_nat o) (slot_of heir)).
Notation links := (List.map Translated.link_of ks).
Lemma placed v : leads_alike v = true -> slot_of (place v) = image (slot_of v).
Proof.
  unfold in_place. destruct v as [| |t| |q i b|g|g]; try reflexivity. cbn [leads_alike slot_eqb element slot_of LeftNodes.image]. destruct (N.eqb_spec q o) as [->|Nq]; cbn [negb orb andb].
  - intros H. rewrite H, Nat.eqb_refl. reflexivity.
  - intros _. destruct (Nat.eqb_spec (N.to_nat q) (N.to_nat o)); [lia | reflexivity].
Qed.
Lemma fields_placed fs : (forall f v, In f fs -> In v (cells f) -> leads_alike v = true) -> List.map Denoting.field_of (List.map (map_cells place) fs) = List.map (LeftNodes.image_field (N.to_nat o) (slot_of heir)) (List.map Denoting.field_of fs).
Proof.
  intros A. rewrite !map_map. apply map_ext_in. intros f I. unfold Denoting.field_of, LeftNodes.image_field. cbn [map_cells cells rest FoldedMembers.apart FoldedMembers.rest]. f_equal. rewrite !map_map. apply map_ext_in. intros v J. apply placed. exact (A f v I J).
Qed.
Lemma ups_filled v : forall ls fs, List.map Denoting.field_of (set_ups v ls fs) = LeftNodes.filled (List.map Translated.link_of ls) (slot_of v) (List.map Denoting.field_of fs).
Proof.
  induction ls as [|k ls IH]; intros [|f fs]; try reflexivity. cbn [set_ups List.map LeftNodes.filled]. rewrite IH. f_equal. destruct k; try reflexivity. cbn [set_up Translated.link_of LeftNodes.fill_field]. unfold Denoting.field_of. cbn [cells rest FoldedMembers.apart FoldedMembers.rest]. rewrite !map_map. reflexivity.
Qed.
Lemma object_is q x : (forall f v, In f (field_states x) -> In v (cells f) -> leads_alike v = true) ->
  object_of (object_dropped o low heir up ks (N.of_nat q) x) = LeftNodes.object_without (N.to_nat o) (slot_of heir) (option_map slot_of up) links q (object_of x).
Proof.
  intros A. unfold object_dropped, LeftNodes.object_without. assert (Eo : (N.of_nat q =? o)%N = Nat.eqb q (N.to_nat o)) by (destruct (N.eqb_spec (N.of_nat q) o), (Nat.eqb_spec q (N.to_nat o)); lia || reflexivity). rewrite Eo.
  assert (Fs : List.map Denoting.field_of (hung_fields heir up ks (N.of_nat q) (List.map (map_cells place) (field_states x))) =
    if LeftNodes.is_heir (slot_of heir) q then LeftNodes.hung links (option_map slot_of up) (List.map (LeftNodes.image_field (N.to_nat o) (slot_of heir)) (List.map Denoting.field_of (field_states x))) else
      List.map (LeftNodes.image_field (N.to_nat o) (slot_of heir)) (List.map Denoting.field_of (field_states x))).
  { rewrite <- (fields_placed _ A). unfold hung_fields, LeftNodes.is_heir, LeftNodes.hung. destruct heir as [| |t| |h i b|h|h]; try reflexivity. cbn [slot_of]. assert (Eh : (N.of_nat q =? h)%N = Nat.eqb q (N.to_nat h)) by (destruct (N.eqb_spec (N.of_nat q) h), (Nat.eqb_spec q (N.to_nat h)); lia || reflexivity).
    destruct up as [v|]; cbn [option_map]; [rewrite Eh; destruct (Nat.eqb q (N.to_nat h)); [apply ups_filled | reflexivity] | destruct (Nat.eqb q (N.to_nat h)); reflexivity]. }
  unfold object_of. cbn [FoldedMembers.kind FoldedMembers.life_of FoldedMembers.begins FoldedMembers.ends FoldedMembers.contents with_fields declaration life_of lower upper field_states].
  rewrite Fs. destruct (Nat.eqb q (N.to_nat o)); reflexivity.
Qed.
Lemma part_is g p : leads_alike (above p) = true -> leads_alike (same p) = true -> leads_alike (below p) = true ->
  part_of (part_dropped o low heir up (N.of_nat g) p) = LeftNodes.part_without (N.to_nat o) (slot_of heir) (option_map slot_of up) g (part_of p).
Proof.
  intros A B C. unfold part_of, part_dropped, LeftNodes.part_without. cbn [symbol above same below FoldedMembers.symbol FoldedMembers.above FoldedMembers.alongside FoldedMembers.below]. rewrite (placed _ B), (placed _ C). f_equal.
  pose proof (placed _ A) as Pa. unfold LeftNodes.is_heir_part. destruct heir as [| |t| |h i b|h|h]; cbn [slot_of]; try (destruct up; exact Pa).
  assert (Eh : (N.of_nat g =? h)%N = Nat.eqb g (N.to_nat h)) by (destruct (N.eqb_spec (N.of_nat g) h), (Nat.eqb_spec g (N.to_nat h)); lia || reflexivity). rewrite Eh.
  destruct (Nat.eqb g (N.to_nat h)), up as [v|]; cbn [option_map]; reflexivity || exact Pa.
Qed.
Theorem node_same nu l : SameInputs.tables_same nu nu (LeftNodes.without_node (N.to_nat o) (slot_of heir) (option_map slot_of up) links (member_of l m)) (member_of l m').
Proof.
  destruct dropped as [_ Hd [Gx Fx] [Gp Fp]]. split.
  - reflexivity.
  - cbn [LeftNodes.without_node FoldedMembers.slots]. rewrite map_length, !slots_of_member, Hd. reflexivity.
  - cbn [LeftNodes.without_node FoldedMembers.parts]. rewrite LeftNodes.each_length. change (length (FoldedMembers.parts (member_of l m')) = length (FoldedMembers.parts (member_of l m))). rewrite !parts_of_member, Gp. reflexivity.
  - intros r. unfold FoldedMembers.slot_at at 1. cbn [LeftNodes.without_node FoldedMembers.slots]. change FoldedMembers.forgotten with (image FoldedMembers.forgotten) at 1. rewrite map_nth. change (List.nth r (FoldedMembers.slots (member_of l m)) FoldedMembers.forgotten) with (FoldedMembers.slot_at (member_of l m) r).
    rewrite !slot_at_is, Hd. cbn [map_numbered given]. destruct (Nat.ltb_spec r (N.to_nat (given (held m)))) as [L|_]; [|reflexivity]. rewrite find_mapped. destruct (find (held m) (N.of_nat r)) as [v|] eqn:F; [|reflexivity]. cbn [option_map].
    rewrite placed; [apply slots_refl|]. apply alike. unfold slots_in. apply in_or_app. left. apply in_map_iff. exists (N.of_nat r, v). split; [reflexivity | apply in_order_in; split; [lia | exact F]].
  - intros q. unfold FoldedMembers.object_named at 1. cbn [LeftNodes.without_node FoldedMembers.named]. rewrite LeftNodes.each_at. change (List.nth q (FoldedMembers.named (member_of l m)) None) with (FoldedMembers.object_named (member_of l m) q).
    rewrite !object_named_is, Gx, Fx. destruct (Nat.ltb_spec q (N.to_nat (given (objects_held m)))) as [L|_]; [|exact Logic.I]. destruct (find (objects_held m) (N.of_nat q)) as [x|] eqn:F; [|exact Logic.I]. cbn [option_map SameInputs.both]. rewrite object_is; [apply object_refl|].
    intros f v I J. apply alike. unfold slots_in. apply in_or_app. right. apply in_or_app. left. apply in_flat_map. exists (N.of_nat q, x). split; [apply in_order_in; split; [lia | exact F]|]. cbn [snd]. apply in_flat_map. eauto.
  - intros g. unfold FoldedMembers.part_named at 1. cbn [LeftNodes.without_node FoldedMembers.parts]. rewrite LeftNodes.each_at. change (List.nth g (FoldedMembers.parts (member_of l m)) None) with (FoldedMembers.part_named (member_of l m) g).
    rewrite !part_named_is, Gp, Fp. destruct (Nat.ltb_spec g (N.to_nat (given (parts_held m)))) as [L|_]; [|exact Logic.I]. destruct (find (parts_held m) (N.of_nat g)) as [p|] eqn:F; [|exact Logic.I]. cbn [option_map SameInputs.both].
    assert (Al : forall v, In v [above p; same p; below p] -> leads_alike v = true).
    { intros v I. apply alike. unfold slots_in. do 2 (apply in_or_app; right). apply in_flat_map. exists (N.of_nat g, p). split; [apply in_order_in; split; [lia | exact F] | exact I]. }
    rewrite part_is; [apply part_refl | | |]; apply Al; simpl; auto.
Qed.

(** Nothing is mentioned that was not. *)
Lemma ups_terms v p : forall ls fs, In p (flat_map field_terms (set_ups v ls fs)) -> In p (slot_terms v) \/ In p (flat_map field_terms fs).
Proof.
  induction ls as [|k ls IH]; intros [|f fs] I; auto. cbn [set_ups flat_map] in *. apply in_app_or in I as [I|I]; [|destruct (IH fs I); [auto | right; apply in_or_app; auto]].
  destruct k; try (right; apply in_or_app; left; exact I). unfold set_up, field_terms in I. cbn [cells rest] in I. apply in_app_or in I as [I|I]; [|right; apply in_or_app; left; unfold field_terms; apply in_or_app; auto].
  apply in_flat_map in I as (w & Iw & I). apply in_map_iff in Iw as (_ & <- & _). auto.
Qed.
Lemma dropped_in s sc : slot_within s sc heir -> (forall v, up = Some v -> slot_within s sc v) -> tables_in s sc m -> tables_in s sc m'.
Proof.
  intros Wh Wu [C1 C2 C3 C4]. destruct dropped as [(_ & _ & Ec) Hd [Gx Fx] [Gp Fp]].
  assert (Wp : forall v, slot_within s sc v -> slot_within s sc (place v)) by (intros v W; unfold in_place; destruct (slot_eqb v _); auto).
  split.
  - rewrite Ec. exact C1.
  - intros r v L. rewrite Hd in L |- *. rewrite find_mapped. destruct (find (held m) r) as [w|] eqn:F; [|discriminate]. intros [= <-]. apply Wp. exact (C2 r w L F).
  - intros q x L F p I. rewrite Gx in L. rewrite Fx in F. destruct (find (objects_held m) q) as [y|] eqn:Fy; [|discriminate]. injection F as <-. pose proof (C3 q y L Fy) as Cy. unfold object_terms in I.
    assert (Ends : lower (object_dropped o low heir up ks q y) = lower y /\ upper (object_dropped o low heir up ks q y) = upper y) by (unfold object_dropped; destruct (q =? o)%N; split; reflexivity). destruct Ends as [El Eu]. rewrite El, Eu in I.
    destruct I as [<-|[<-|I]]; [apply Cy; left; reflexivity | apply Cy; right; left; reflexivity|].
    assert (J : (exists v, up = Some v /\ In p (slot_terms v)) \/ In p (flat_map field_terms (List.map (map_cells place) (field_states y)))).
    { unfold object_dropped, hung_fields in I. destruct (q =? o)%N; cbn [with_fields field_states] in I; (destruct heir as [| |t| |h i b|h|h]; auto; destruct up as [v|]; auto; destruct (q =? h)%N; auto; apply ups_terms in I as [I|I]; eauto). }
    destruct J as [(v & Ev & I')|J]; [exact (Wu v Ev p I')|]. apply in_flat_map in J as (g & Ig & J). apply in_map_iff in Ig as (f & <- & If). unfold field_terms in J. cbn [map_cells cells rest] in J.
    assert (Cf : forall p0, In p0 (field_terms f) -> part_within s sc p0) by (intros p0 I0; apply Cy; right; right; apply in_flat_map; eauto).
    apply in_app_or in J as [J|J]; [|apply Cf; unfold field_terms; apply in_or_app; auto]. apply in_flat_map in J as (w & Iw & J). apply in_map_iff in Iw as (u & <- & Iu). apply (Wp u); [|exact J]. intros p0 I0. apply Cf. unfold field_terms. apply in_or_app. left. apply in_flat_map. eauto.
  - intros g p L F t I. rewrite Gp in L. rewrite Fp in F. destruct (find (parts_held m) g) as [z|] eqn:Fz; [|discriminate]. injection F as <-. pose proof (C4 g z L Fz) as Cz. unfold folded_terms in *. cbn [part_dropped above same below] in I.
    assert (Cs : slot_within s sc (above z) /\ slot_within s sc (same z) /\ slot_within s sc (below z)) by (split; [|split]; intros u J; apply Cz; rewrite !in_app_iff; auto). destruct Cs as (Ca & Cm & Cb).
    apply in_app_or in I as [I|I]; [|apply in_app_or in I as [I|I]; [exact (Wp _ Cm t I) | exact (Wp _ Cb t I)]].
    destruct heir as [| |t0| |h i b|h|h]; try exact (Wp _ Ca t I). destruct up as [v|]; [|exact (Wp _ Ca t I)]. destruct (g =? h)%N; [exact (Wu v eq_refl t I) | exact (Wp _ Ca t I)].
Qed.
Lemma dropped_tables : tables_right m -> tables_right m'.
Proof.
  intros [R O N]. destruct dropped as [_ Hd [Gx Fx] _]. split.
  - intros r v. rewrite Hd, find_mapped. cbn [map_numbered given]. destruct (find (held m) r) as [w|] eqn:F; [intros _; exact (R r w F) | discriminate].
  - intros q x. rewrite Gx, Fx. destruct (find (objects_held m) q) as [y|] eqn:F; [intros _; exact (O q y F) | discriminate].
  - intros q x. rewrite Fx. destruct (find (objects_held m) q) as [y|] eqn:F; [|discriminate]. intros [= <-]. unfold object_dropped. destruct (q =? o)%N; exact (N q y F).
Qed.
End Same.

(** ** What is left *)

Section Left.
Variable E : setting.
Variable P : Programs.program.
Variable under : Programs.parameters.
Variable trees : nat -> Sorts.sort_of_trees.
Variable tabs : indexed table.
Hypothesis setting_right : same_setting E P under.
Hypothesis sorts_are : sorts_right E trees.
(** What well-formedness asks of nodes, inputs and static objects. *)
Hypothesis nodes : Planting.nodes_formed P trees.
Hypothesis well_given : Loading.inputs_formed P.
Hypothesis targets : Recognised.targets_formed P.
Variable c : configuration.
Variable entry : member_state.
Variables (M0 : model) (s0 : state).
Notation good nu := (good nu tabs).
Notation meets nu := (meets nu tabs).
Notation is_left_by := (is_left_by P c entry M0).
Notation is_left := (is_left P c entry M0).

(** Unfold makes pointers to a node that are to where it begins, one term for each, and nodes
    of declarations. *)
Definition is_dropped_alike (m : member_state) (o : N) : bool := match find (objects_held m) o with
  | Some x => forallb (leads_alike o (lower x)) (slots_in m) && match at_position (objects_of (names_in E)) (declaration x) with Some y => is_node (Certificates.origin_of y) | None => false end
  | None => true end.
Lemma up_found ks : forall n fs, match up_position n ks with
  | None => LeftNodes.up_field (List.map Translated.link_of ks) (List.map Denoting.field_of fs) = None
  | Some k => (n <= k)%N /\ forall f v vs, List.nth_error fs (N.to_nat (k - n)) = Some f -> cells f = v :: vs -> LeftNodes.up_field (List.map Translated.link_of ks) (List.map Denoting.field_of fs) = Some (slot_of v) end.
Proof.
  induction ks as [|k ks IH]; intros n fs; [reflexivity|]. assert (Up : k = Up \/ up_position n (k :: ks) = up_position (N.succ n) ks /\ LeftNodes.up_field (List.map Translated.link_of (k :: ks)) (List.map Denoting.field_of fs) =
    match fs with [] => None | f :: fs => LeftNodes.up_field (List.map Translated.link_of ks) (List.map Denoting.field_of fs) end) by (destruct k; auto; right; (split; [reflexivity | destruct fs; reflexivity])).
  destruct Up as [->|[-> ->]].
  - cbn [up_position]. split; [lia|]. intros f v vs Nf Cf. rewrite N.sub_diag in Nf. destruct fs as [|f0 fs]; [discriminate|]. injection Nf as ->. cbn [List.map Translated.link_of LeftNodes.up_field Denoting.field_of FoldedMembers.apart]. rewrite Cf. reflexivity.
  - destruct fs as [|f0 fs]; [specialize (IH (N.succ n) [])|specialize (IH (N.succ n) fs)]; destruct (up_position (N.succ n) ks) as [j|]; auto.
    + split; [lia|]. intros f v vs Nf. destruct (N.to_nat (j - n)); discriminate.
    + destruct IH as [Le IH]. split; [lia|]. intros f v vs Nf. apply IH with (vs := vs). replace (N.to_nat (j - n)) with (Datatypes.S (N.to_nat (j - N.succ n))) in Nf by lia. exact Nf.
Qed.
Lemma node_left k nu s M m o child : good nu s M -> is_left_by k s M m -> is_dropped_alike m o = true -> meets nu s M (drop_node E m o child) (fun m' s' M' => is_left_by Smaller s' M' m' /\ size_of m' = size_of m).
Proof.
  intros G L Al m' s' H. apply drop_computed in H as (-> & x & d & r & ks & heir & up & Fo & Lv & Nd & He & Ue & Dr). exists M. split; [exact G|]. split; [apply keeps_refl|].
  unfold is_dropped_alike in Al. rewrite Fo in Al. apply andb_prop in Al as [Al Is]. rewrite forallb_forall in Al. destruct (at_position (objects_of (names_in E)) (declaration x)) as [y|] eqn:Ay; [|discriminate].
  pose proof L as [Pl Cs Tr Tm Hi]. pose proof (dropped_else _ _ _ _ _ _ _ Dr) as (Ep & Es & Ec). split; [|exact Es]. apply tables_are_in in Tm. pose proof (objects_in_ _ _ _ Tm o x (objects_numbered m Tr o x Fo) Fo) as Tx.
  assert (Cell : forall j f v vs, nth (field_states x) j = Some f -> cells f = v :: vs -> slot_within s (variables c) v).
  { intros j f v vs Nf Cf p I. apply Tx. right. right. apply in_flat_map. exists f. split; [eapply nth_in; exact Nf|]. unfold field_terms. rewrite Cf. apply in_or_app. left. apply in_or_app. left. exact I. }
  assert (Wh : slot_within s (variables c) heir) by (unfold heir_here in He; destruct child as [j|]; [destruct He as (l & f & vs & _ & _ & Nf & Cf); exact (Cell j f heir vs Nf Cf) | subst heir; intros p []]).
  assert (Wu : forall v, up = Some v -> slot_within s (variables c) v).
  { intros v Ev. unfold up_here in Ue. destruct (up_position 0 ks) as [j|]; [|congruence]. destruct Ue as (f & w & vs & Nf & Cf & Eu). assert (v = w) as -> by congruence. exact (Cell j f w vs Nf Cf). }
  split; [congruence | congruence | exact (dropped_tables _ _ _ _ _ _ _ Dr Tr) | apply tables_are_in; exact (dropped_in _ _ _ _ _ _ _ Dr s (variables c) Wh Wu Tm)|].
  intros Se Kn phi l vs cs Ei. destruct (Hi Se Kn phi l vs cs Ei) as (vs1 & cs1 & W1 & Sz).
  assert (Isn : FoldedMembers.is_node P (N.to_nat (declaration x)) = true) by (unfold FoldedMembers.is_node; rewrite (same_objects _ _ _ setting_right _ y Ay); cbn; destruct (Certificates.origin_of y); discriminate || reflexivity).
  assert (Links : Inputs.links_of P (N.to_nat (declaration x)) = List.map Translated.link_of ks).
  { pose proof (sort_shapes _ _ sorts_are _ d r [ks] Nd) as Sh. rewrite (Planting.sorts_of_nodes _ _ nodes _ Isn) in Sh. cbn [Sorts.shapes List.map] in Sh. congruence. }
  assert (Upf : LeftNodes.up_field (List.map Translated.link_of ks) (List.map Denoting.field_of (field_states x)) = option_map slot_of up).
  { pose proof (up_found ks 0 (field_states x)) as Uf. unfold up_here in Ue. destruct (up_position 0 ks) as [j|]; [|subst up; exact Uf]. destruct Ue as (f & w & ws & Nf & Cf & ->). apply (proj2 Uf f w ws); [|exact Cf]. rewrite N.sub_0_r. rewrite nth_number in Nf. exact Nf. }
  assert (Dn : LeftNodes.drops_node P (member_of l m) (N.to_nat o) (option_map N.to_nat child) (LeftNodes.without_node (N.to_nat o) (slot_of heir) (option_map slot_of up) (List.map Translated.link_of ks) (member_of l m))).
  { exists (object_of x), (slot_of heir). split; [|split; [exact Isn|split; [cbn [object_of FoldedMembers.life_of]; rewrite Lv; reflexivity|split]]].
    - rewrite object_named_is, N2Nat.id, Fo. destruct (Nat.ltb_spec (N.to_nat o) (N.to_nat (given (objects_held m)))); [reflexivity|]. pose proof (objects_numbered m Tr o x Fo). lia.
    - cbn [object_of FoldedMembers.kind FoldedMembers.contents]. rewrite Links. unfold heir_here in He. destruct child as [j|]; [|subst heir; reflexivity]. destruct He as (l0 & f & ws & Nl & Ch & Nf & Cf). rewrite nth_number in Nl. rewrite nth_number in Nf.
      cbn [option_map LeftNodes.heir_field]. rewrite nth_error_map, Nl. destruct l0 as [|s1| | | | |? ?| |? ?|? ?|?]; try discriminate. cbn [is_child_of] in Ch. apply N.eqb_eq in Ch. subst s1. cbn [option_map Translated.link_of]. rewrite Nat.eqb_refl, nth_error_map, Nf.
      cbn [option_map Denoting.field_of FoldedMembers.apart]. rewrite Cf. reflexivity.
    - cbn [object_of FoldedMembers.kind FoldedMembers.contents]. rewrite Links, Upf. reflexivity. }
  destruct (Leaving.node_whole P trees nodes well_given targets (symbols_of c) (valued M) phi _ _ _ _ vs1 cs1 Dn W1) as (vs2 & cs2 & W2 & Le & Lt). pose proof (node_same _ _ _ _ _ _ _ Dr Al (valued M) l) as Sa.
  exists vs2, cs2. split; [eapply SameEntries.whole_too; [exact Sa | exact W2]|]. rewrite (SameInputs.weights_too _ _ _ _ _ Sa). cbn [compares]. destruct k; cbn [compares] in Sz; [lia|]. destruct Sz as [Sz No]. specialize (Lt No). lia.
Qed.

(** ** All that is left out *)

(** Computed where each is left out. *)
Fixpoint are_dropped_alike (m : member_state) (ds : list (N * dropped)) (s : state) : bool := match ds with
  | [] => true
  | x :: ds => match snd x with DroppedNode o _ => is_dropped_alike m o | First _ | LastElement => true end &&
    match Rules.drop_one E c m x s with Gives m' s' => are_dropped_alike m' ds s' | Refuses _ => true end end.
Lemma dropped_left nu s M m x : match snd x with DroppedNode o _ => is_dropped_alike m o | First _ | LastElement => true end = true -> Terms.well_sorted nu -> good nu s M -> in_scope s c -> keeps s0 M0 s M -> in_scope s0 c -> good nu s0 M0 -> is_left s M m ->
  meets nu s M (Rules.drop_one E c m x) (fun m' s' M' => is_left s' M' m').
Proof.
  intros Al W G Sc K0 Sc0 G0 L. destruct x as [i x]. unfold Rules.drop_one. cbn [fst snd] in *.
  assert (L' : is_left_by (size_of m) s M (with_size m Smaller)) by (destruct L as [Pl Cs Tr Tm H]; split; [exact Pl | exact Cs | destruct Tr; split; auto | exact Tm | exact H]).
  assert (Done : forall y, meets nu s M y (fun m' s' M' => is_left_by Smaller s' M' m' /\ size_of m' = size_of (with_size m Smaller)) -> meets nu s M y (fun m' s' M' => is_left s' M' m')).
  { intros y Y. eapply meets_weaker; [exact Y|]. intros m' s' M' _ _ [Lm Sz]. unfold EntryLeft.is_left. rewrite Sz. exact Lm. }
  assert (Array : forall p n o, nth (inputs (program_in E)) i = Some (ArrayInput p n o) -> meets nu s M (Rules.drop_element c (with_size m Smaller) p n o x) (fun m' s' M' => is_left s' M' m')).
  { intros p n o Ni. apply Done. exact (element_left E P under tabs setting_right well_given c entry M0 s0 (size_of m) nu s M (with_size m Smaller) i p n o x W G Sc K0 Sc0 G0 L' Ni). }
  destruct x as [j| |q ch]; destruct (nth (inputs (program_in E)) i) as [[r|p n o|p o|p o]|] eqn:Ni; try apply meets_refuses; try (apply Array; reflexivity). apply Done. exact (node_left (size_of m) nu s M (with_size m Smaller) q ch G L' Al).
Qed.
Lemma all_left nu ds : forall s M m, are_dropped_alike m ds s = true -> Terms.well_sorted nu -> good nu s M -> in_scope s0 c -> keeps s0 M0 s M -> good nu s0 M0 -> is_left s M m ->
  meets nu s M (folded_left (Rules.drop_one E c) ds m) (fun m' s' M' => is_left s' M' m').
Proof.
  induction ds as [|x ds IH]; intros s M m Al W G Sc0 K0 G0 L; cbn [folded_left]; [apply meets_ret; auto|]. cbn [are_dropped_alike] in Al. apply andb_prop in Al as [Ax Al].
  assert (Sc : in_scope s c) by (eapply in_scope_later; eauto). intros m2 s2 H. unfold bind in H. destruct (Rules.drop_one E c m x s) as [m1 s1|] eqn:D; [|discriminate].
  destruct (dropped_left nu s M m x Ax W G Sc K0 Sc0 G0 L m1 s1 D) as (M1 & G1 & K1 & L1). destruct (IH s1 M1 m1 Al W G1 Sc0 (keeps_trans _ _ _ _ _ _ K0 K1) G0 L1 m2 s2 H) as (M2 & G2 & K2 & L2).
  exists M2. split; [exact G2|]. split; [eapply keeps_trans; eauto | exact L2].
Qed.
End Left.
