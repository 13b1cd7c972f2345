//! What of a heap nothing to come reads is forgotten, as registers that are dead are: the nodes above one that a search goes down from, though
//! they hang together with it.

use super::graph::{Root, root};
use crate::state::template::basis::Basis;
use goatherd_certificates::{
    configuration::{Address, FoldedId, Life, Slot, TreeSort},
    program::{Link, Location, ObjectId, Origin, RegisterId, Type},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Place},
    rejection::Rejection,
};
use goatherd_flow::accesses::{Accesses, Behind, Holder, Loads, Uses, add_new};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What instructions to come may look at in a member's heap.
struct Wanted<'a> {
    basis: Basis<'a>,
    accesses: &'a Accesses,
    configuration: &'a Configuration,
    member: &'a Member,
    found: BTreeSet<Root>,
    seen: BTreeMap<(Root, Behind), Loads>,
    open: Vec<((Root, Behind), Loads)>,
}

/// Forgets pointers of the member to objects that nothing to come reads. Where states are found, what nobody reads tells them apart.
pub fn forget_unread(basis: Basis<'_>, configuration: &Configuration, member: &mut Member) -> Result<(), Rejection> {
    let (Some(accesses), Place::At(location), None) = (&basis.flow.accesses, member.place, basis.states) else { return Ok(()) };
    // What a scapegoat elsewhere has is what the primary will come to.
    if configuration.members.first().is_none_or(|primary| primary.place != member.place) {
        return Ok(());
    }
    let (found, seen, open) = (BTreeSet::new(), BTreeMap::new(), Vec::new());
    let mut wanted = Wanted { basis, accesses, configuration, member, found, seen, open };
    wanted.start(location)?;
    if !wanted.has_others() {
        return Ok(());
    }
    while let Some((place, loads)) = wanted.open.pop() {
        wanted.follow(place, &loads)?;
    }
    let wanted = wanted.found;
    let is_unread = |slot: &Slot| matches!(*slot, Slot::Pointer(Address { object, .. }) if !wanted.contains(&Root::Object(object)));
    for state in member.objects.iter_mut().flatten().filter(|state| wanted.contains(&Root::Object(state.object))) {
        if state.fields.iter().flat_map(|field| &field.cells).any(is_unread) {
            let cells = Arc::make_mut(state).fields.iter_mut().flat_map(|field| &mut field.cells);
            cells.filter(|cell| is_unread(cell)).for_each(|cell| *cell = Slot::Forgotten);
        }
    }
    for (id, part) in (0..).map(FoldedId).zip(&mut member.folded) {
        if let Some(part) = part.as_mut().filter(|_| wanted.contains(&Root::Part(id))) {
            let slots = [&mut part.above, &mut part.below, &mut part.same].into_iter();
            slots.filter(|slot| is_unread(slot)).for_each(|slot| *slot = Slot::Forgotten);
        }
    }
    Ok(())
}

/// Forgets what pointer fields of objects hold that nothing to come reads, of all objects alike. So no states tell apart where such a field
/// leads up from where it does not; where sorts are given, all fields of nodes have to be known.
pub fn forget_unread_fields(basis: Basis<'_>, member: &mut Member) -> Result<(), Rejection> {
    let (Some(reads), Place::At(location)) = (&basis.flow.reads, member.place) else { return Ok(()) };
    for state in member.objects.iter_mut().flatten() {
        let is_node = matches!(basis.setting.object(state.declaration)?.origin, Origin::Node { .. });
        if is_node && basis.states.is_none() {
            continue;
        }
        let layout = basis.setting.layout(state.declaration)?;
        for (number, field) in layout.fields.iter().enumerate() {
            let is_known = |cells: &[Slot]| cells.iter().any(|cell| *cell != Slot::Forgotten);
            if field.kind == Type::Pointer
                && !reads.may_read(location, state.declaration, field.offset)
                && state.fields.get(number).is_some_and(|field| is_known(&field.cells))
            {
                Arc::make_mut(state).fields[number].cells.fill(Slot::Forgotten);
            }
        }
    }
    Ok(())
}

impl Wanted<'_> {
    /// What registers and objects that can be named hold.
    fn start(&mut self, location: Location) -> Result<(), Rejection> {
        let Basis { setting, flow, .. } = self.basis;
        for (register, slot) in (0..).map(RegisterId).zip(&self.member.registers) {
            if flow.is_live(location, register) {
                self.note(*slot, self.accesses.through(location, Holder::Register(register)));
            }
        }
        for state in self.member.objects.iter().flatten() {
            let is_lasting = match setting.object(state.declaration)?.origin {
                Origin::Static { .. } | Origin::Input => true,
                Origin::Local { .. } => state.life == Life::Live,
                _ => false,
            };
            if is_lasting && flow.addressed[location.index()].contains(&state.declaration) {
                let slot = Slot::Pointer(Address { object: state.object, index: state.lower, byte: 0 });
                self.note(slot, self.accesses.through(location, Holder::Object(state.declaration)));
            }
        }
        Ok(())
    }

    /// Are there pointers to objects beside these?
    fn has_others(&self) -> bool {
        let cells = self.member.objects.iter().flatten().flat_map(|state| &state.fields).flat_map(|field| &field.cells);
        let parts = self.member.folded.iter().flatten().flat_map(|part| [&part.above, &part.below, &part.same]);
        let mut objects = cells.chain(parts).filter(|slot| matches!(slot, Slot::Pointer(_))).filter_map(|slot| root(*slot));
        objects.any(|object| !self.found.contains(&object))
    }

    /// What the pointer leads to may be looked at, and these loads may do so.
    fn note(&mut self, slot: Slot, uses: &Uses) {
        let Some(root) = root(slot) else { return };
        self.found.insert(root);
        let byte = match slot {
            Slot::Pointer(Address { byte, .. }) => Some(byte),
            Slot::Folded(part) | Slot::Last(part) => self.entrance(part),
            _ => None,
        };
        let byte = byte.and_then(|byte| i64::try_from(byte).ok());
        for (behind, loads) in uses {
            let place = (root, behind.and_then(|behind| behind.checked_add(byte?)));
            let new = add_new(self.seen.entry(place).or_default(), loads);
            if !new.is_clear() {
                self.open.push((place, new));
            }
        }
    }

    /// These loads have their address there.
    fn follow(&mut self, (root, behind): (Root, Behind), loads: &Loads) -> Result<(), Rejection> {
        for (offset, uses) in self.accesses.behind(loads) {
            let place = behind.and_then(|behind| behind.checked_add(offset));
            let slots = match root {
                Root::Object(object) => self.fields(object, place)?,
                Root::Part(part) => self.links(part, place)?,
            };
            for slot in slots {
                self.note(slot, &uses);
            }
        }
        Ok(())
    }

    /// What the object has there.
    fn fields(&self, object: ObjectId, place: Behind) -> Result<Vec<Slot>, Rejection> {
        let Some(state) = self.member.object(object) else { return Ok(Vec::new()) };
        let layout = self.basis.setting.layout(state.declaration)?;
        let size = i64::try_from(layout.size).unwrap_or(i64::MAX).max(1);
        let place = place.map(|place| place.rem_euclid(size));
        let fields = layout.fields.iter().zip(&state.fields);
        let fields = fields.filter(|(field, _)| place.is_none_or(|place| i64::try_from(field.offset) == Ok(place)));
        Ok(fields.flat_map(|(_, field)| &field.cells).copied().collect())
    }

    /// To which byte of the nodes of the part pointers lead.
    fn entrance(&self, part: FoldedId) -> Option<u64> {
        let folded = self.member.folded.get(part.index()).copied().flatten()?;
        let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = *self.configuration.trees.get(folded.tree.index())?;
        self.basis.setting.nodes(sort).ok().map(|(_, (_, byte), _)| byte)
    }

    /// What nodes of the part have there.
    fn links(&self, part: FoldedId, place: Behind) -> Result<Vec<Slot>, Rejection> {
        let Some(folded) = self.member.folded.get(part.index()).copied().flatten() else { return Ok(Vec::new()) };
        let setting = self.basis.setting;
        let Some(TreeSort::Tree(sort) | TreeSort::Segment(sort)) = self.configuration.trees.get(folded.tree.index()).copied() else {
            return Ok(Vec::new());
        };
        let (declaration, _, shapes) = setting.nodes(sort)?;
        let fields = &setting.layout(declaration)?.fields;
        let mut found = Vec::new();
        for (field, link) in shapes.iter().flat_map(|links| fields.iter().zip(links)) {
            if place.is_none_or(|place| i64::try_from(field.offset) == Ok(place)) {
                match link {
                    Link::Child(_) => found.extend([Slot::Folded(part), folded.below]),
                    Link::Up => found.extend([Slot::Folded(part), folded.above]),
                    Link::Ring { .. } | Link::Last(_) => found.push(Slot::Folded(part)),
                    Link::Same => found.push(folded.same),
                    _ => {}
                }
            }
        }
        Ok(found)
    }
}
