//! Nodes that can be spared: those that nothing but loops looks at (`spec/search.md#linked-heaps`). A rotation turns a few nodes and looks at a
//! few more; what is left out is below these, however the program comes there.

use super::strategy::Drops;
use crate::{
    search::{path::Path, state::Search, stuck::Stuck},
    state::herd::{Herd, SmallerInput},
};
use goatherd_certificates::{
    configuration::{Address, Slot},
    derivation::{DroppedElement, InputDrop, MemberId},
    program::{Instruction, Location, ObjectId, RegisterId},
};
use goatherd_checker::{
    configuration::{Member, Place},
    outcome::Outcome,
    rules::is_excluded,
    step::outcomes,
};
use goatherd_flow::instruction::{read, successors, written};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How many instructions are looked at to know what the program uses behind a loop.
const AHEAD: usize = 4_000;

impl Search<'_> {
    /// Notes which nodes the primary has looked at when it comes to the head of a loop.
    pub(crate) fn note_known_nodes(&self, herd: &Herd, path: &mut Path<'_>, head: Location) {
        if self.strategy.drops == Drops::Spare {
            let objects = herd.configuration.members[0].objects.iter().flatten();
            let nodes = objects.filter(|state| self.is_node(state.declaration)).map(|state| state.object);
            path.known.insert(head, Arc::new(nodes.collect()));
        }
    }

    /// Those of the smaller inputs that lack one of k nodes, one below the other, which the loop of this head has passed: the first one that
    /// nothing but loops looks at, and those below. None as long as the loop has not passed so many.
    pub(crate) fn sparing(
        &mut self,
        herd: &Herd,
        mut smaller: Vec<SmallerInput>,
        (head, path): (Location, &Path<'_>),
    ) -> Result<Vec<SmallerInput>, Stuck> {
        let known = path.known.get(&head).cloned().unwrap_or_default();
        let next = self.asked_about(herd, head);
        let is_new = |object: ObjectId| !known.contains(&object) && !next.contains(&object);
        smaller.retain(|input| input.drops.iter().all(|drop| left_out(drop).is_some_and(is_new)));
        let relevant = &self.flow.loops[&head].relevant;
        let mut levels: Vec<Vec<SmallerInput>> = Vec::new();
        let passed: Vec<InputDrop> = smaller.iter().flat_map(|input| input.drops.clone()).collect();
        loop {
            // A loop that knows the node above as well is past both: the lower one is first.
            let is_next = |drop: &InputDrop| match levels.last() {
                None => {
                    let is_passed = |drop: &InputDrop| self.has_just_passed(herd, relevant, drop);
                    is_passed(drop) && !passed.iter().any(|below| is_above(herd, drop, below) && is_passed(below))
                }
                Some(below) => below.iter().flat_map(|input| &input.drops).any(|below| is_above(herd, drop, below)),
            };
            let (level, others) = smaller.into_iter().partition(|input| input.drops.iter().all(is_next));
            if Vec::is_empty(&level) {
                break;
            }
            levels.push(level);
            smaller = others;
        }
        let count = usize::try_from(self.setting.k).unwrap_or(usize::MAX);
        if levels.len() < count {
            return Ok(Vec::new());
        }
        let wanted: BTreeSet<ObjectId> = levels.iter().flatten().flat_map(|input| &input.drops).filter_map(left_out).collect();
        let used = self.used_behind(herd, head, &wanted)?;
        let is_spare = |input: &SmallerInput| input.drops.iter().filter_map(left_out).all(|object| !used.contains(&object));
        for level in &mut levels {
            level.retain(is_spare);
        }
        let Some(top) = levels.windows(count).rposition(|window| window.iter().all(|level| !level.is_empty())).map(|low| low + count - 1)
        else {
            return Ok(Vec::new());
        };
        Ok(levels.into_iter().skip(top + 1 - count).take(count).rev().flatten().collect())
    }

    /// The node that the condition at this head asks about, where it is one: the primary has not passed it yet, although a pointer to it may be
    /// one to its first field.
    fn asked_about(&self, herd: &Herd, head: Location) -> BTreeSet<ObjectId> {
        let instruction = &self.setting.program.instructions[head.index()];
        let registers = if matches!(instruction, Instruction::Branch(_)) { read(instruction) } else { Vec::new() };
        let pointers = registers.into_iter().filter_map(|register| match herd.configuration.members[0].register(register) {
            Ok(Slot::Pointer(Address { object, .. })) => Some(object),
            _ => None,
        });
        pointers.collect()
    }

    /// Is the primary, at the head of this loop, at a node that it had looked at when it first came there?
    pub(crate) fn is_at_known_node(&self, herd: &Herd, (head, path): (Location, &Path<'_>)) -> bool {
        let Some(known) = path.known.get(&head) else { return false };
        let primary = &herd.configuration.members[0];
        let held = self.flow.loops[&head].relevant.iter().filter_map(|register| primary.register(*register).ok());
        let mut places = held.filter_map(|slot| match slot {
            Slot::Pointer(Address { object, .. }) => {
                primary.object(object).is_some_and(|state| self.is_node(state.declaration)).then_some(Some(object))
            }
            Slot::Folded(_) | Slot::Last(_) => Some(None),
            _ => None,
        });
        let is_known = |place: Option<ObjectId>| place.is_some_and(|object| known.contains(&object));
        places.next().is_some_and(is_known) && places.all(is_known)
    }

    /// Does one of the registers hold what stands in the place of the node that is left out, or point to where that is held?
    pub(crate) fn has_just_passed(&self, herd: &Herd, registers: &[RegisterId], drop: &InputDrop) -> bool {
        let DroppedElement::Node { object, child: Some(child) } = drop.element else { return false };
        let Some(state) = herd.configuration.entry.as_deref().and_then(|entry| entry.object(object)) else { return false };
        let Ok(child) = usize::try_from(child) else { return false };
        let slot = state.fields.get(child).and_then(|field| field.cells.first()).filter(|slot| **slot != Slot::Null);
        let offset = self.setting.layout(state.declaration).ok().and_then(|layout| layout.fields.get(child)).map(|field| field.offset);
        let primary = &herd.configuration.members[0];
        registers.iter().filter_map(|register| primary.register(*register).ok()).any(|held| match held {
            Slot::Pointer(Address { object: other, byte, .. }) if other == object => slot.is_some() && Some(byte) == offset,
            held => slot == Some(&held),
        })
    }

    /// Which of these objects the primary, at the head of this loop, may use behind it and outside of later loops. What these write is not known
    /// then.
    fn used_behind(&mut self, herd: &Herd, head: Location, wanted: &BTreeSet<ObjectId>) -> Result<BTreeSet<ObjectId>, Stuck> {
        let body = self.flow.loops[&head].body.clone();
        let mut used = BTreeSet::new();
        // With each way on, whether it is one from the head: there it is not back yet.
        let mut open = vec![(herd.clone(), false)];
        let mut seen: BTreeMap<Location, Vec<Member>> = BTreeMap::new();
        for _ in 0..AHEAD {
            let Some((mut probe, is_under_way)) = open.pop().filter(|_| used.len() < wanted.len()) else { break };
            let Place::At(location) = probe.configuration.members[0].place else { continue };
            let alike = seen.entry(location).or_default();
            if alike.iter().any(|other| self.points_alike(&probe.configuration.members[0], other, location)) {
                continue;
            }
            alike.push(probe.configuration.members[0].clone());
            self.spend()?;
            let is_inside = body.contains(&location);
            if let Some(around) = self.flow.loops.get(&location).filter(|_| location != head || is_under_way) {
                if location != head {
                    for register in around.body.iter().filter_map(|inner| written(&self.setting.program.instructions[inner.index()])) {
                        probe.configuration.members[0].registers[register.index()] = Slot::Forgotten;
                    }
                    let exits: BTreeSet<Location> = around.body.iter().flat_map(|inner| successors(self.setting.program, *inner)).collect();
                    for exit in exits.difference(&around.body) {
                        let mut left = probe.clone();
                        left.configuration.members[0].place = Place::At(*exit);
                        open.push((left, true));
                    }
                }
                continue;
            }
            if let (false, Some(object)) = (is_inside, self.accessed(&probe, location)) {
                used.extend(wanted.get(&object));
            }
            let all = outcomes(self.arena, self.setting, &probe.configuration.members[0]);
            match all {
                Ok(all) => {
                    let is_open = |outcome: &&Outcome| !is_excluded(self.arena, outcome);
                    let mut all: Vec<&Outcome> = all.iter().filter(is_open).collect();
                    all.retain(|outcome| !probe.context.refutes(self.arena, &outcome.literals));
                    let Some((last, others)) = all.split_last() else { continue };
                    for outcome in others {
                        let mut next = probe.clone();
                        if next.follow(self.arena, self.setting, outcome).is_ok() {
                            open.push((next, true));
                        }
                    }
                    if probe.follow(self.arena, self.setting, last).is_ok() {
                        open.push((probe, true));
                    }
                }
                Err(_) => {
                    if let Some(opening) = self.opening(&probe, MemberId(0)) {
                        open.extend(self.unfolded(&probe, opening)?.into_iter().map(|child| (child, is_under_way)));
                    }
                }
            }
        }
        Ok(used)
    }

    /// Do both members, at this location, hold the same pointers, and the same constants? What other integers they hold seldom matters to where
    /// they go.
    fn points_alike(&self, left: &Member, right: &Member, location: Location) -> bool {
        let is_variable = |slot: &Slot| matches!(slot, Slot::Integer(term) if self.arena.value(*term).is_none());
        let are_alike = |left: &Slot, right: &Slot| left == right || (is_variable(left) && is_variable(right));
        let mut registers = (0..).map(RegisterId).zip(left.registers.iter().zip(&right.registers));
        let cells = |member: &Member| -> Vec<Slot> {
            let states = member.objects.iter().flatten();
            states.flat_map(|state| &state.fields).flat_map(|field| &field.cells).copied().collect()
        };
        registers.all(|(register, (left, right))| !self.flow.is_live(location, register) || are_alike(left, right))
            && left.objects.len() == right.objects.len()
            && left.folded == right.folded
            && cells(left).len() == cells(right).len()
            && cells(left).iter().zip(&cells(right)).all(|(left, right)| are_alike(left, right))
    }

    /// The object that the primary's next instruction reads or writes. A pointer to a pointer in a node stands for what that leads to: in a smaller
    /// input the cell is another one.
    fn accessed(&self, herd: &Herd, location: Location) -> Option<ObjectId> {
        let (Instruction::Load { address, .. } | Instruction::Store { address, .. }) = &self.setting.program.instructions[location.index()]
        else {
            return None;
        };
        let primary = &herd.configuration.members[0];
        match primary.register(*address) {
            Ok(slot @ Slot::Pointer(Address { object, .. })) if !self.pointer_at(primary, slot).is_some_and(|(is_inside, _)| is_inside) => {
                Some(object)
            }
            _ => None,
        }
    }
}

/// Does the child that takes the place of one node hold the other one?
fn is_above(herd: &Herd, above: &InputDrop, below: &InputDrop) -> bool {
    let (DroppedElement::Node { object, child: Some(child) }, Some(other)) = (above.element, left_out(below)) else { return false };
    let state = herd.configuration.entry.as_deref().and_then(|entry| entry.object(object));
    let field = state.zip(usize::try_from(child).ok()).and_then(|(state, child)| state.fields.get(child));
    field.is_some_and(|field| matches!(field.cells[..], [Slot::Pointer(Address { object, .. })] if object == other))
}

/// The node that is left out.
fn left_out(drop: &InputDrop) -> Option<ObjectId> {
    match drop.element {
        DroppedElement::Node { object, .. } => Some(object),
        DroppedElement::First(_) | DroppedElement::Last => None,
    }
}
