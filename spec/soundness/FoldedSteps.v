(** Outcomes of members with folded parts, and what their effects do
    (spec/calculus.md#outcomes): a list is one that stays the same whatever
    stands where slots point to folded parts; such slots are only copied. *)
From Coq Require Import List ZArith Bool Lia Permutation.
From Goatherd Require Import Integers Terms Sorts Programs Machine Inputs Existing Tidy Alike Typed Bounds Folding FoldedMembers Configurations Frames Views.
From Goatherd Require Members Effects Pointers Outcomes Exhaustive Opening.
Import ListNotations.
Open Scope Z_scope.

Notation holds := Terms.holds.

(** ** Effects on members with folded parts *)

Inductive effect :=
| GoesTo (l : nat)
| Sets (r : nat) (v : slot)
| FailsHere
| Draws (r : nat) (T : integer_type)
| Writes (o f : nat) (e : Effects.element) (v : slot)
| Creates (r : option nat) (d : nat) (count : term) (f : fresh)
| Kills (o : nat).
Record outcome := { tag_of : Effects.tag; literals : list literal; effect_of : effect }.

Section Effects.
Variable P : program.
Variable few : nat.
Definition set_slot m r v := {| place_of := S (place_of m); slots := replace (slots m) r v; named := named m; parts := parts m |}.
Definition goes l m := {| place_of := l; slots := slots m; named := named m; parts := parts m |}.
Definition name m o x := {| place_of := place_of m; slots := slots m; named := replace (named m) o x; parts := parts m |}.
Definition dead x := {| kind := kind x; life_of := Dead; begins := begins x; ends := ends x; contents := contents x |}.
Definition ended m o := name m o (option_map dead (object_named m o)).
Definition write_element e v f := match e, v with
  | Effects.AtCell c, _ => {| apart := replace (apart f) c v; rest := rest f |}
  | Effects.AtRest i, Plain (Members.IntegerSlot t) => {| apart := apart f; rest := option_map (fun a => Terms.Store a i t) (rest f) |}
  | Effects.AtRest _, _ => f end.
Definition written_object x f e v := {| kind := kind x; life_of := life_of x; begins := begins x; ends := ends x;
  contents := replace (contents x) f (write_element e v (nth f (contents x) no_field)) |}.
Definition made m x := {| place_of := place_of m; slots := slots m; named := named m ++ [Some x]; parts := parts m |}.
Definition plain_field x := {| apart := map Plain (Members.apart x); rest := Members.rest x |}.
Definition plain_object x := {| kind := Members.kind x; life_of := Members.life_of x; begins := Members.begins x; ends := Members.ends x;
  contents := map plain_field (Members.held x) |}.
Definition lives_as d (x : option object_state) := match x with
  | Some x => Nat.eqb (kind x) d && match life_of x with Live => true | Dead => false end | None => false end.
Definition without_earlier m d := if is_local P d
  then match find (fun o => lives_as d (object_named m o)) (seq 0 (length (named m))) with Some o => ended m o | None => m end else m.
(** Fresh variables have numbers from [n] on. *)
Definition affect n e m : member := match e with
  | GoesTo l => goes l m
  | Sets r v => set_slot m r v
  | FailsHere => m
  | Draws r T => set_slot m r (Plain (Members.IntegerSlot (Var (Some T) n)))
  | Writes o f e v => goes (S (place_of m)) (name m o (option_map (fun x => written_object x f e v) (object_named m o)))
  | Creates r d count f =>
    let m' := made (without_earlier m d) (plain_object (Effects.fresh_object P few n d count f)) in
    match r with
    | Some r => set_slot m' r (Plain (Members.PointerSlot (length (named m)) (Constant 0) 0))
    | None => goes (S (place_of m)) m' end
  | Kills o => goes (S (place_of m)) (ended m o) end.
End Effects.

(** ** A member without folded parts that stands for it *)

Section Viewed.
Variable P : program.
Variables (m : member) (rho : nat -> nat) (v : Members.member).
(** What stands where a slot points to a part is any slot. *)
Definition slot_viewed (w : slot) (u : Members.slot) := match w with
  | Plain (Members.PointerSlot o i b) => u = Members.PointerSlot (rho o) i b | Plain w => u = w | _ => True end.
Definition field_viewed x x' := Forall2 slot_viewed (apart x) (Members.apart x') /\ Members.rest x' = rest x.
Record object_viewed x x' : Prop := {
  viewed_kind : Members.kind x' = kind x;
  viewed_life : Members.life_of x' = life_of x;
  viewed_begins : Members.begins x' = begins x;
  viewed_ends : Members.ends x' = ends x;
  viewed_contents : Forall2 field_viewed (contents x) (Members.held x') }.
Record viewed : Prop := {
  viewed_place : Members.place_of v = place_of m;
  viewed_slots : Forall2 slot_viewed (slots m) (Members.slots v);
  viewed_objects : forall o x, object_named m o = Some x -> exists x', Members.object_named v (rho o) = Some x' /\ object_viewed x x';
  viewed_apart : forall o o' x x', object_named m o = Some x -> object_named m o' = Some x' -> rho o = rho o' -> o = o' }.

(** What an effect writes is plain, or copied from a register or from an element
    that the object has, if the literals hold. *)
Inductive taken (ls : list literal) : slot -> Members.slot -> Prop :=
| taken_plain w u : slot_viewed (Plain w) u -> (forall o i b, w = Members.PointerSlot o i b -> object_named m o <> None) -> taken ls (Plain w) u
| taken_register r : (r < length (slots m))%nat -> taken ls (slot_at m r) (Members.slot_at v r)
| taken_element o x x' f c : object_named m o = Some x -> life_of x = Live -> Members.object_named v (rho o) = Some x' ->
    (f < length (contents x))%nat -> (c < length (apart (nth f (contents x) no_field)))%nat ->
    (forall nu, well_sorted nu -> Forall (holds nu) ls -> eval nu (begins x) <= Z.of_nat c < eval nu (ends x)) ->
    taken ls (nth c (apart (nth f (contents x) no_field)) forgotten)
      (nth c (Members.apart (nth f (Members.held x') Members.no_field)) Members.Forgotten).
Inductive effect_viewed (ls : list literal) : effect -> Effects.effect -> Prop :=
| goes_viewed l : effect_viewed ls (GoesTo l) (Effects.GoesTo l)
| sets_viewed r w u : taken ls w u -> effect_viewed ls (Sets r w) (Effects.Sets r u)
| fails_viewed : effect_viewed ls FailsHere Effects.FailsHere
| draws_viewed r T : effect_viewed ls (Draws r T) (Effects.Draws r T)
| writes_viewed o f e w u : object_named m o <> None -> taken ls w u ->
    (forall i, e = Effects.AtRest i -> exists t, w = Plain (Members.IntegerSlot t) /\ u = Members.IntegerSlot t) ->
    effect_viewed ls (Writes o f e w) (Effects.Writes (rho o) f e u)
| creates_viewed r d count f : (is_node P d = true -> Effects.known_value count = Some 1) ->
    match r with Some r => (r < length (slots m))%nat | None => is_local P d = true end -> effect_viewed ls (Creates r d count f) (Effects.Creates r d count f)
| kills_viewed o : object_named m o <> None -> effect_viewed ls (Kills o) (Effects.Kills (rho o))
(** [Leave] of an object that is not in the table. *)
| leaves_viewed p x : Members.object_named v p = Some x -> is_local P (Members.kind x) = true -> (forall o y, object_named m o = Some y -> rho o <> p) ->
    effect_viewed ls (GoesTo (S (place_of m))) (Effects.Kills p).
Definition outcome_viewed o o' := Effects.tag_of o' = tag_of o /\ Effects.literals o' = literals o /\ effect_viewed (literals o) (effect_of o) (Effects.effect_of o').
End Viewed.
(** The list of outcomes, whatever slots that point to folded parts hold. *)
Definition lists P under m os := forall rho v, viewed m rho v -> exists os', Outcomes.outcomes P under v = Some os' /\ Forall2 (outcome_viewed P m rho v) os os'.

(** *** Lists there are, and none *)

Section Lists.
Variable P : program.
Variable under : parameters.
Variable m : member.
Definition exactly ls e := {| tag_of := Effects.Exact; literals := ls; effect_of := e |}.

(** A copy moves what stands in a register, whatever that is. *)
Theorem copy_lists r q : nth_error (instructions P) (place_of m) = Some (Copy r q) -> lists P under m [exactly [] (Sets r (slot_at m q))].
Proof.
  intros E rho v V. exists [Effects.exactly [] (Effects.Sets r (Members.slot_at v q))]. split.
  - unfold Outcomes.outcomes. rewrite (viewed_place _ _ _ V), E. reflexivity.
  - constructor; [|constructor]. split; auto. split; auto. constructor. simpl.
    pose proof (Forall2_length _ _ _ (viewed_slots _ _ _ V)) as L.
    destruct (Nat.lt_ge_cases q (length (slots m))) as [Lq|Lq]; [apply taken_register; exact Lq|].
    unfold slot_at, Members.slot_at. rewrite !nth_overflow by lia. apply taken_plain; [reflexivity | discriminate].
Qed.

(** Were parts forgotten, there would be a list still: none is used. *)
Definition erased_slot w := match w with Plain u => u | _ => Members.Forgotten end.
Definition erased_field x := {| Members.apart := map erased_slot (apart x); Members.rest := rest x |}.
Definition erased_object x := {| Members.kind := kind x; Members.life_of := life_of x; Members.begins := begins x; Members.ends := ends x;
  Members.held := map erased_field (contents x) |}.
Definition erased := {| Members.place_of := place_of m; Members.slots := map erased_slot (slots m); Members.named := map (option_map erased_object) (named m) |}.
Lemma erased_viewed : viewed m (fun o => o) erased.
Proof.
  assert (S : forall w, slot_viewed (fun o => o) w (erased_slot w)) by (intros [[]| |]; simpl; auto).
  assert (M : forall (A B : Type) (R : A -> B -> Prop) (F : A -> B) l, (forall a, R a (F a)) -> Forall2 R l (map F l)) by (intros A B R F l H; induction l; simpl; auto).
  split; auto.
  - simpl. auto.
  - intros o x E. exists (erased_object x). split.
    + unfold Members.object_named, erased. simpl. change (@None Members.object_state) with (option_map erased_object None). rewrite map_nth.
      unfold object_named in E. rewrite E. reflexivity.
    + split; auto. simpl. apply M. intros F. split; auto. simpl. auto.
Qed.
Theorem lists_erased os : lists P under m os -> exists os', Outcomes.outcomes P under erased = Some os'.
Proof. intros H. destruct (H _ _ erased_viewed) as (os' & L & _). eauto. Qed.
(** For one: what is freed is not folded. *)
Theorem folded_not_freed r os : nth_error (instructions P) (place_of m) = Some (Free r) -> lists P under m os ->
  match slot_at m r with RootOf _ | LastOf _ => False | Plain _ => True end.
Proof.
  intros E H. destruct (lists_erased os H) as (os' & L). unfold Outcomes.outcomes in L. change (Members.place_of erased) with (place_of m) in L. rewrite E in L.
  assert (Sl : Members.slot_at erased r = erased_slot (slot_at m r)).
  { unfold Members.slot_at, erased, slot_at. simpl. change Members.Forgotten with (erased_slot forgotten). apply map_nth. }
  unfold Pointers.used_pointer in L. rewrite Sl in L. destruct (slot_at m r); [exact I | discriminate | discriminate].
Qed.
End Lists.
