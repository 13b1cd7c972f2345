//! When a scapegoat is in step with the primary (Shrinker §0.A.5; `spec/search.md#shape`, `spec/search.md#linked-heaps`).

use super::state::Search;
use crate::state::herd::Herd;
use goatherd_certificates::{
    configuration::{Address, Folded, FoldedId, Slot},
    derivation::{DroppedElement, MemberId},
    program::{ArrayInput, Input, Instruction, ObjectId, Origin, RegisterId, Type},
    term::{LinearId, Literal, Sign},
};
use goatherd_checker::configuration::{Member, Place};
use goatherd_flow::loops::Loop;
use std::collections::BTreeSet;

/// How well a scapegoat is in step with the primary at a loop head.
pub struct Agreement {
    /// Higher is better; none where no relevant pointer agrees.
    pub score: Option<i64>,
    /// Does everything that is accessed agree?
    pub is_full: bool,
}

/// How many places are compared at most to see whether all is the same from some place on.
const PAIRS: usize = 16;

impl Search<'_> {
    /// Is one round of the loops around this one that of the primary? Pointers are at the same elements, integers are the same distance apart
    /// all the time.
    pub(crate) fn is_settled(&mut self, herd: &mut Herd, member: MemberId, around: &Loop) -> bool {
        let outer: Vec<&Loop> = around.around.iter().map(|head| &self.flow.loops[head]).collect();
        // One that also lacks an element of what the rounds walk is in step, one element ahead.
        let is_inner = self.leaves_out_inner(herd.tags[member.index()]);
        if !is_inner && !outer.iter().all(|outer| self.is_in_round(herd, member, outer, around)) {
            return false;
        }
        around.settled.iter().all(|register| {
            let [left, right] = [0, member.index()].map(|position| herd.configuration.members[position].register(*register));
            let (Ok(left), Ok(right)) = (left, right) else { return true };
            match (left, right) {
                _ if self.is_linked(herd, member, [left, right]) => self.are_in_step(herd, member, [left, right]),
                (
                    Slot::Pointer(Address { object, index, byte }),
                    Slot::Pointer(Address { object: other, index: other_index, byte: other_byte }),
                ) => {
                    object == other && byte == other_byte && {
                        let (counterpart, is_kept) = self.counterpart(herd.tags[member.index()], object, index);
                        (is_kept || is_inner) && self.are_equal(herd, counterpart, other_index)
                    }
                }
                (Slot::Null, Slot::Pointer(_)) | (Slot::Pointer(_), Slot::Null) => false,
                (Slot::Integer(left), Slot::Integer(right)) => {
                    matches!(herd.context.difference_bounds(self.arena, left, right), (Some(least), Some(greatest)) if least == greatest)
                }
                _ => true,
            }
        })
    }

    /// Where the scapegoat has the element that the primary has at this index; if that is left out, the next one. The element itself, and
    /// whether it is not left out.
    fn counterpart(&mut self, tag: usize, object: ObjectId, index: LinearId) -> (LinearId, bool) {
        let Some(mut known) = self.arena.value(index) else { return (index, true) };
        let mut is_kept = true;
        let smaller = tag.checked_sub(1).and_then(|position| self.inputs.get(position));
        for drop in smaller.iter().flat_map(|input| &input.drops) {
            let input = usize::try_from(drop.input).ok().and_then(|input| self.setting.program.inputs.get(input));
            if let Some(Input::Array(ArrayInput { object: other, .. })) = input
                && *other == object
                && let DroppedElement::First(position) = drop.element
                && known <= i128::from(position)
            {
                is_kept &= known != i128::from(position);
                known += 1;
            }
        }
        (self.arena.constant(known).unwrap_or(index), is_kept)
    }

    /// Is the scapegoat in the primary's round of a loop, as far as that is about one of the first elements? If this is left out, the scapegoat may
    /// be at the next one where the loop inside does not tell the difference: the round has moved this pointer on already, and the loop reads others of
    /// the round but not this one; or it goes through the same elements by itself.
    fn is_in_round(&mut self, herd: &mut Herd, member: MemberId, outer: &Loop, inside: &Loop) -> bool {
        let slot = |position: usize, register: RegisterId| herd.configuration.members[position].register(register);
        let walked_inside: Vec<Slot> = inside.relevant.iter().filter_map(|register| slot(0, *register).ok()).collect();
        let mut walked = Vec::new();
        for register in &outer.relevant {
            let is_read = inside.settled.is_empty() || inside.settled.contains(register) || !inside.ahead.contains(register);
            walked.extend(slot(0, *register).ok().zip(slot(member.index(), *register).ok()).map(|pair| (is_read, pair)));
        }
        walked.into_iter().all(|(is_read, pair)| {
            if self.is_linked(herd, member, pair.into()) {
                return self.are_in_step(herd, member, pair.into());
            }
            let (Slot::Pointer(Address { object, index, .. }), Slot::Pointer(Address { object: other, index: other_index, .. })) = pair
            else {
                return true;
            };
            let is_own =
                walked_inside.iter().any(|slot| matches!(slot, Slot::Pointer(Address { object: walked, .. }) if *walked == object));
            let (counterpart, is_kept) = self.counterpart(herd.tags[member.index()], object, index);
            let may_be_there = is_kept || is_own || !is_read;
            object != other || self.arena.value(index).is_none() || (may_be_there && self.are_equal(herd, counterpart, other_index))
        })
    }

    /// Is the object a node, or are all of its declaration?
    pub(crate) fn is_node(&self, declaration: ObjectId) -> bool {
        matches!(self.setting.object(declaration).map(|object| &object.origin), Ok(Origin::Node { .. }))
    }

    /// Are these slots, one of the primary's and one of the scapegoat's, pointers one of which points into a linked structure?
    fn is_linked(&self, herd: &Herd, member: MemberId, slots: [Slot; 2]) -> bool {
        [0, member.index()].into_iter().zip(slots).any(|(position, slot)| match slot {
            Slot::Pointer(Address { object, .. }) => {
                herd.configuration.members[position].object(object).is_some_and(|state| self.is_node(state.declaration))
            }
            Slot::Folded(_) | Slot::Last(_) => true,
            _ => false,
        })
    }

    /// Do the pointers stand at the same place of structures that the two walk?
    fn are_in_step(&mut self, herd: &mut Herd, member: MemberId, slots: [Slot; 2]) -> bool {
        self.meeting_place(herd, member, slots).is_some()
    }

    /// The place of structures that both walk, if the pointers stand at the same. A pointer to a pointer stands where what it leads to does: the
    /// cell that holds it may be that of a node that was left out.
    fn meeting_place(&mut self, herd: &mut Herd, member: MemberId, slots: [Slot; 2]) -> Option<[Slot; 2]> {
        if self.are_alike(herd, member, slots) {
            return Some(slots);
        }
        let cell = |position: usize, slot: Slot| self.pointer_at(&herd.configuration.members[position], slot);
        let [left, right] = slots;
        let ((is_inside, left), (is_other_inside, right)) = cell(0, left).zip(cell(member.index(), right))?;
        ((is_inside || is_other_inside) && self.are_alike(herd, member, [left, right])).then_some([left, right])
    }

    /// The pointer in the cell that the slot points to, and whether that can be no pointer to what the cell is a part of: it is in the midst of a
    /// node, or in no node.
    pub(crate) fn pointer_at(&self, member: &Member, slot: Slot) -> Option<(bool, Slot)> {
        let Slot::Pointer(Address { object, byte, .. }) = slot else { return None };
        let state = member.object(object)?;
        let fields = &self.setting.layout(state.declaration).ok()?.fields;
        let field = fields.iter().position(|field| field.offset == byte && field.kind == Type::Pointer)?;
        let [cell] = state.fields.get(field)?.cells[..] else { return None };
        Some((byte > 0 || !self.is_node(state.declaration), cell))
    }

    /// Is all alike that is reached from these places, as far as it is looked at?
    fn are_alike_below(&mut self, herd: &mut Herd, member: MemberId, slots: [Slot; 2]) -> bool {
        let mut pairs = vec![slots];
        let mut next = 0;
        while let Some([left, right]) = pairs.get(next).copied() {
            let cells = [(0, left), (member.index(), right)].map(|(position, slot)| pointers(&herd.configuration.members[position], slot));
            if !self.are_alike(herd, member, [left, right]) || cells[0].len() != cells[1].len() {
                return false;
            }
            let [left, right] = cells;
            for (left, right) in left.into_iter().zip(right) {
                if pairs.len() < PAIRS && !pairs.contains(&[left, right]) {
                    pairs.push([left, right]);
                }
            }
            next += 1;
        }
        true
    }

    /// Do the pointers stand at nodes with the same data, or at the same folded parts?
    fn are_alike(&mut self, herd: &mut Herd, member: MemberId, [left, right]: [Slot; 2]) -> bool {
        let Herd { configuration, context, .. } = herd;
        let (primary, scapegoat) = (&configuration.members[0], &configuration.members[member.index()]);
        match (left, right) {
            (Slot::Pointer(Address { object, byte, .. }), Slot::Pointer(Address { object: other, byte: other_byte, .. })) => {
                let (Some(node), Some(other)) = (primary.object(object), scapegoat.object(other)) else { return false };
                let mut cells = node.fields.iter().zip(&other.fields).flat_map(|(field, other)| field.cells.iter().zip(&other.cells));
                (node.declaration, node.life, byte) == (other.declaration, other.life, other_byte)
                    && cells.all(|cells| match cells {
                        (Slot::Integer(left), Slot::Integer(right)) => {
                            self.arena.equal(*left, *right).is_ok_and(|literal| context.entails(self.arena, literal))
                        }
                        (Slot::Integer(_), _) | (_, Slot::Integer(_)) => false,
                        _ => true,
                    })
            }
            // What comes behind may differ by what was left out.
            (Slot::Folded(id), Slot::Folded(other)) | (Slot::Last(id), Slot::Last(other)) => {
                let tree = |member: &Member, id: FoldedId| member.folded.get(id.index()).copied().flatten().map(|part| part.tree);
                tree(primary, id).is_some_and(|symbol| tree(scapegoat, other) == Some(symbol))
            }
            _ => left == right,
        }
    }

    fn are_equal(&mut self, herd: &mut Herd, left: LinearId, right: LinearId) -> bool {
        self.arena.equal(left, right).is_ok_and(|literal| herd.context.entails(self.arena, literal))
    }

    /// The indices that the loop adds to pointers, where primary and scapegoat have the same address then.
    fn same_addresses(&mut self, herd: &mut Herd, member: MemberId, around: &Loop) -> Vec<RegisterId> {
        let tag = herd.tags[member.index()];
        let Herd { configuration, context, .. } = herd;
        let (primary, scapegoat) = (&configuration.members[0], &configuration.members[member.index()]);
        let slot = |member: &Member, register: RegisterId| member.register(register).unwrap_or(Slot::Forgotten);
        let mut same_address = Vec::new();
        for (base, index) in &around.indexed {
            let pair = (slot(primary, *base), slot(scapegoat, *base), slot(primary, *index), slot(scapegoat, *index));
            if let (
                Slot::Pointer(Address { object, index: base_index, .. }),
                Slot::Pointer(Address { object: other, index: other_base, .. }),
                Slot::Integer(term),
                Slot::Integer(other_term),
            ) = pair
            {
                let address = self.arena.combine(0, &[(base_index, 1), (term, 1)]).map(|address| self.counterpart(tag, object, address).0);
                let literal = address.and_then(|address| self.arena.combine(0, &[(address, 1), (other_base, -1), (other_term, -1)]));
                let zero = literal.map(|term| Literal { sign: Sign::Zero, term });
                if object == other && zero.is_ok_and(|literal| context.entails(self.arena, literal)) {
                    same_address.push(*index);
                }
            }
        }
        same_address
    }

    /// How well the scapegoat agrees with the primary at the head of the loop.
    pub(crate) fn agreement(&mut self, herd: &mut Herd, member: MemberId, around: &Loop) -> Agreement {
        let tag = herd.tags[member.index()];
        let slot = |member: &Member, register: RegisterId| member.register(register).unwrap_or(Slot::Forgotten);
        let same_address = self.same_addresses(herd, member, around);
        let matters = |register: &RegisterId| around.relevant.contains(register) || around.settled.contains(register);
        let mut is_full = around.indexed.iter().all(|(_, index)| same_address.contains(index) || !matters(index));
        is_full &= self.is_settled(herd, member, around);
        let (primary, scapegoat) = (&herd.configuration.members[0], &herd.configuration.members[member.index()]);
        let (mut score, mut pointers, mut agreeing) = (0_i64, 0_u32, 0_u32);
        let mut pairs: Vec<(Option<RegisterId>, Slot, Slot)> =
            around.relevant.iter().map(|register| (Some(*register), slot(primary, *register), slot(scapegoat, *register))).collect();
        // What the loop has stored where it does not come any more need not agree, as where a list begins that is appended to.
        let mut in_reach = BTreeSet::new();
        if !around.stores.is_empty() {
            in_reach = self.in_reach(primary, around);
            in_reach.append(&mut self.in_reach(scapegoat, around));
        }
        let [left, right] = [primary, scapegoat].map(|member| self.stored_pointers(member, around, &in_reach));
        pairs.extend(left.zip(right).map(|(left, right)| (None, left, right)));
        let (linked, pairs): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(_, left, right)| self.is_linked(herd, member, [*left, *right]));
        for (register, left, right) in linked {
            let agreement = self.linked_agreement(herd, member, [left, right]);
            score += agreement;
            pointers += 1;
            agreeing += u32::from(agreement > 0);
            is_full &= agreement > 0 || !register.is_none_or(|register| around.accessed.contains(&register));
        }
        let Herd { configuration, context, .. } = herd;
        let (primary, scapegoat) = (&configuration.members[0], &configuration.members[member.index()]);
        for (register, left, right) in pairs {
            // A result that is only kept, such as the last match so far, need not agree.
            let is_accessed = register.is_none_or(|register| around.accessed.contains(&register));
            match (left, right) {
                (Slot::Integer(left), Slot::Integer(right)) => {
                    let (least, greatest) = context.difference_bounds(self.arena, left, right);
                    let mut differ_by = |distance| {
                        // Most questions are answered by the bounds.
                        least.is_none_or(|least| least <= distance)
                            && greatest.is_none_or(|greatest| distance <= greatest)
                            && self
                                .arena
                                .combine(-distance, &[(left, 1), (right, -1)])
                                .is_ok_and(|term| context.entails(self.arena, Literal { sign: Sign::Zero, term }))
                    };
                    score += if register.is_some_and(|register| same_address.contains(&register)) {
                        60
                    } else if differ_by(0) {
                        15
                    } else if differ_by(1) || differ_by(-1) {
                        10
                    } else {
                        0
                    };
                }
                (
                    Slot::Pointer(Address { object, index, byte }),
                    Slot::Pointer(Address { object: other, index: other_index, byte: other_byte }),
                ) => {
                    pointers += 1;
                    let expected = match self.counterpart(tag, object, index) {
                        // In a loop that walks down, the next one is in front of it.
                        (_, false) if around.counts_down => index,
                        (counterpart, _) => counterpart,
                    };
                    let equal = self.arena.equal(expected, other_index);
                    if object == other && byte == other_byte && equal.is_ok_and(|literal| context.entails(self.arena, literal)) {
                        score += 60;
                        agreeing += 2;
                    } else {
                        score -= 20;
                        is_full &= !is_accessed;
                    }
                }
                (Slot::Null, Slot::Null) => {
                    pointers += 1;
                    agreeing += 1;
                    score += 60;
                }
                (Slot::Null | Slot::Pointer(_), Slot::Null | Slot::Pointer(_)) => {
                    pointers += 1;
                    score -= 20;
                    is_full &= !is_accessed;
                }
                _ => {}
            }
        }
        for (state, other) in primary.objects.iter().zip(&scapegoat.objects) {
            let (Some(state), Some(other)) = (state, other) else { continue };
            for (field, other) in state.fields.iter().zip(&other.fields) {
                if let (Some(array), Some(other)) = (field.rest, other.rest) {
                    score += if context.arrays_equal(self.arena, array, other) { 20 } else { -20 };
                }
            }
        }
        let score = if pointers > 0 && agreeing == 0 { None } else { Some(score) };
        Agreement { score, is_full }
    }

    /// How well two pointers agree one of which points into a linked structure: they are compared by what stands there.
    fn linked_agreement(&mut self, herd: &mut Herd, member: MemberId, slots: [Slot; 2]) -> i64 {
        let place = self.meeting_place(herd, member, slots);
        match (slots, place) {
            // Of nodes with the same data it is rather one below which all is the same.
            ([Slot::Pointer(_), _], Some(place)) => {
                let known = if self.is_same_node(herd, member, place) { 60 } else { 40 };
                known + i64::from(self.are_alike_below(herd, member, place))
            }
            (_, Some(_)) => 30,
            // A node that the other one has still folded may be the same.
            ([Slot::Pointer(_), Slot::Folded(_)] | [Slot::Folded(_), Slot::Pointer(_)], None) => 0,
            _ => -20,
        }
    }

    /// The declarations of the objects that the rounds of the loop which a member stands at the head of may come to: those that the registers
    /// lead to that it accesses memory through, and those whose addresses it takes.
    fn in_reach(&self, member: &Member, around: &Loop) -> BTreeSet<ObjectId> {
        let addresses = around.body.iter().filter_map(|location| match self.setting.program.instructions[location.index()] {
            Instruction::Address { object, .. } => Some(object),
            _ => None,
        });
        let mut in_reach: BTreeSet<ObjectId> = addresses.collect();
        let (mut objects, mut parts) = (BTreeSet::new(), BTreeSet::new());
        let is_live = |register: &RegisterId| matches!(member.place, Place::At(head) if self.flow.is_live(head, *register));
        let live = around.accessed.iter().filter(|register| is_live(register));
        let mut open: Vec<Slot> = live.filter_map(|register| member.register(*register).ok()).collect();
        while let Some(slot) = open.pop() {
            match slot {
                Slot::Pointer(Address { object, .. }) if objects.insert(object) => {
                    let Some(state) = member.object(object) else { continue };
                    in_reach.insert(state.declaration);
                    open.extend(state.fields.iter().flat_map(|field| &field.cells));
                }
                Slot::Folded(part) | Slot::Last(part) if parts.insert(part) => {
                    let part = member.folded.get(part.index()).copied().flatten();
                    open.extend(part.iter().flat_map(|part| [part.above, part.same, part.below]));
                }
                _ => {}
            }
        }
        in_reach
    }

    /// Are the nodes, which hold the same, told from others by what they hold, or else by the nodes that come behind them?
    fn is_same_node(&self, herd: &Herd, member: MemberId, [left, right]: [Slot; 2]) -> bool {
        let (primary, scapegoat) = (&herd.configuration.members[0], &herd.configuration.members[member.index()]);
        let Slot::Pointer(Address { object, .. }) = left else { return true };
        let Some(node) = primary.object(object).filter(|state| self.is_node(state.declaration)) else { return true };
        let has_data = node.fields.iter().flat_map(|field| &field.cells).any(|cell| matches!(cell, Slot::Integer(_)));
        let children = self.followed_children(node.declaration);
        has_data
            || children.is_empty()
            || children.into_iter().any(|child| self.have_same_behind((primary, left), (scapegoat, right), child))
    }

    /// Do as many nodes and the same folded parts come behind both nodes, where this child leads on, down to the same end?
    fn have_same_behind(&self, (primary, mut left): (&Member, Slot), (scapegoat, mut right): (&Member, Slot), child: u32) -> bool {
        let next = |member: &Member, slot: Slot| match slot {
            Slot::Pointer(Address { object, .. }) => {
                let state = member.object(object).filter(|state| self.is_node(state.declaration))?;
                state.fields.get(usize::try_from(child).ok()?)?.cells.first().copied().map(|slot| (None, slot))
            }
            Slot::Folded(part) => member.folded.get(part.index()).copied().flatten().map(|Folded { tree, below, .. }| (Some(tree), below)),
            _ => None,
        };
        // A ring comes back to where it began.
        for _ in 0..=primary.objects.len() + primary.folded.len() {
            match (next(primary, left), next(scapegoat, right)) {
                (Some((part, slot)), Some((other, other_slot))) if part == other => (left, right) = (slot, other_slot),
                (None, None) => return left == right,
                _ => return false,
            }
        }
        true
    }

    /// The pointers in the cells of a member's objects of these declarations, but nodes, in which the loop may store some; those of two members
    /// that have come the same way stand in one order.
    fn stored_pointers<'b>(
        &'b self,
        member: &'b Member,
        around: &'b Loop,
        in_reach: &'b BTreeSet<ObjectId>,
    ) -> impl Iterator<Item = Slot> + 'b {
        let states = member.objects.iter().flatten();
        let is_stored = |declaration: &ObjectId| around.stores.contains(declaration) && in_reach.contains(declaration);
        let states = states.filter(move |state| is_stored(&state.declaration) && !self.is_node(state.declaration));
        let cells = states.flat_map(|state| &state.fields).flat_map(|field| &field.cells);
        cells.copied().filter(|cell| !matches!(cell, Slot::Integer(_)))
    }
}

/// The pointers in the cells of the object that the slot points to.
fn pointers(member: &Member, slot: Slot) -> Vec<Slot> {
    let Slot::Pointer(Address { object, .. }) = slot else { return Vec::new() };
    let cells = member.object(object).into_iter().flat_map(|state| &state.fields).flat_map(|field| &field.cells);
    cells.copied().filter(|cell| !matches!(cell, Slot::Integer(_))).collect()
}
