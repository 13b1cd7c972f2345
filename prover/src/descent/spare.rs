//! Nodes that can be spared: those that nothing but loops looks at (`spec/search.md#linked-heaps`). A rotation turns a few nodes and looks at a
//! few more; what is left out is below these, however the program comes there.

use super::{
    flow::{successors, written},
    herd::{Herd, SmallerInput},
    search::{Drops, Path, Search, Stuck},
};
use goatherd_certificates::{
    configuration::Slot,
    derivation::{DroppedElement, InputDrop, MemberId},
    program::{Instruction, Location, ObjectId, RegisterId},
};
use goatherd_checker::{configuration::Place, outcome::Outcome, rules::is_excluded, step::outcomes};
use std::{collections::BTreeSet, sync::Arc};

/// How many instructions are looked at to know what the program uses behind a loop.
const AHEAD: usize = 4_000;

impl Search<'_> {
    /// Notes which nodes the primary has looked at when it comes to the head of a loop.
    pub(super) fn note_known_nodes(&self, herd: &Herd, path: &mut Path<'_>, head: Location) {
        if self.strategy.drops == Drops::Spare {
            let objects = herd.configuration.members[0].objects.iter().flatten();
            let nodes = objects.filter(|state| self.is_node(state.declaration)).map(|state| state.object);
            path.known.insert(head, Arc::new(nodes.collect()));
        }
    }

    /// Those of the smaller inputs that lack a node which the loop of this head has just passed and nothing but loops looks at.
    pub(super) fn sparing(
        &mut self,
        herd: &Herd,
        mut smaller: Vec<SmallerInput>,
        (head, path): (Location, &Path<'_>),
    ) -> Result<Vec<SmallerInput>, Stuck> {
        let known = path.known.get(&head).cloned().unwrap_or_default();
        let relevant = &self.flow.loops[&head].relevant;
        let is_new = |drop: &InputDrop| left_out(drop).is_some_and(|object| !known.contains(&object));
        smaller.retain(|input| input.drops.iter().all(|drop| is_new(drop) && self.has_just_passed(herd, relevant, drop)));
        if !smaller.is_empty() {
            let used = self.used_behind(herd, head)?;
            smaller.retain(|input| input.drops.iter().filter_map(left_out).all(|object| !used.contains(&object)));
        }
        Ok(smaller)
    }

    /// Is the primary, at the head of this loop, at a node that it had looked at when it first came there?
    pub(super) fn is_at_known_node(&self, herd: &Herd, (head, path): (Location, &Path<'_>)) -> bool {
        let Some(known) = path.known.get(&head) else { return false };
        let primary = &herd.configuration.members[0];
        let held = self.flow.loops[&head].relevant.iter().filter_map(|register| primary.register(*register).ok());
        let mut places = held.filter_map(|slot| match slot {
            Slot::Pointer { object, .. } => {
                primary.object(object).is_some_and(|state| self.is_node(state.declaration)).then_some(Some(object))
            }
            Slot::Folded(_) | Slot::Last(_) => Some(None),
            _ => None,
        });
        let is_known = |place: Option<ObjectId>| place.is_some_and(|object| known.contains(&object));
        places.next().is_some_and(is_known) && places.all(is_known)
    }

    /// Does one of the registers hold what stands in the place of the node that is left out, or point to where that is held?
    pub(super) fn has_just_passed(&self, herd: &Herd, registers: &[RegisterId], drop: &InputDrop) -> bool {
        let DroppedElement::Node { object, child: Some(child) } = drop.element else { return false };
        let Some(state) = herd.configuration.entry.as_deref().and_then(|entry| entry.object(object)) else { return false };
        let Ok(child) = usize::try_from(child) else { return false };
        let slot = state.fields.get(child).and_then(|field| field.cells.first()).filter(|slot| **slot != Slot::Null);
        let offset = self.setting.layout(state.declaration).ok().and_then(|layout| layout.fields.get(child)).map(|field| field.offset);
        let primary = &herd.configuration.members[0];
        registers.iter().filter_map(|register| primary.register(*register).ok()).any(|held| match held {
            Slot::Pointer { object: other, byte, .. } if other == object => slot.is_some() && Some(byte) == offset,
            held => slot == Some(&held),
        })
    }

    /// The objects that the primary, at the head of this loop, may use behind it and outside of later loops. What these write is not known then.
    fn used_behind(&mut self, herd: &Herd, head: Location) -> Result<BTreeSet<ObjectId>, Stuck> {
        let body = self.flow.loops[&head].body.clone();
        let mut used = BTreeSet::new();
        let mut open = vec![herd.clone()];
        let mut is_back = false;
        for _ in 0..AHEAD {
            let Some(mut probe) = open.pop() else { break };
            self.spend()?;
            let Place::At(location) = probe.configuration.members[0].place else { continue };
            let is_inside = body.contains(&location);
            if let Some(around) = self.flow.loops.get(&location).filter(|_| location != head || is_back) {
                if location != head {
                    for register in around.body.iter().filter_map(|inner| written(&self.setting.program.instructions[inner.index()])) {
                        probe.configuration.members[0].registers[register.index()] = Slot::Forgotten;
                    }
                    let exits: BTreeSet<Location> = around.body.iter().flat_map(|inner| successors(self.setting.program, *inner)).collect();
                    for exit in exits.difference(&around.body) {
                        let mut left = probe.clone();
                        left.configuration.members[0].place = Place::At(*exit);
                        open.push(left);
                    }
                }
                continue;
            }
            if let (false, Some(object)) = (is_inside, self.accessed(&probe, location)) {
                used.insert(object);
            }
            let all = outcomes(self.arena, self.setting, &probe.configuration.members[0]);
            is_back |= all.is_ok();
            match all {
                Ok(all) => {
                    let is_open = |outcome: &&Outcome| !is_excluded(self.arena, outcome);
                    let mut all: Vec<&Outcome> = all.iter().filter(is_open).collect();
                    all.retain(|outcome| !probe.context.refutes(self.arena, &outcome.literals));
                    let Some((last, others)) = all.split_last() else { continue };
                    for outcome in others {
                        let mut next = probe.clone();
                        if next.follow(self.arena, self.setting, outcome).is_ok() {
                            open.push(next);
                        }
                    }
                    if probe.follow(self.arena, self.setting, last).is_ok() {
                        open.push(probe);
                    }
                }
                Err(_) => {
                    if let Some(opening) = self.opening(&probe, MemberId(0)) {
                        open.extend(self.unfolded(&probe, opening)?);
                    }
                }
            }
        }
        Ok(used)
    }

    /// The object that the primary's next instruction reads or writes.
    fn accessed(&self, herd: &Herd, location: Location) -> Option<ObjectId> {
        let (Instruction::Load { address, .. } | Instruction::Store { address, .. }) = &self.setting.program.instructions[location.index()]
        else {
            return None;
        };
        match herd.configuration.members[0].register(*address) {
            Ok(Slot::Pointer { object, .. }) => Some(object),
            _ => None,
        }
    }
}

/// The node that is left out.
fn left_out(drop: &InputDrop) -> Option<ObjectId> {
    match drop.element {
        DroppedElement::Node { object, .. } => Some(object),
        DroppedElement::First(_) | DroppedElement::Last => None,
    }
}
