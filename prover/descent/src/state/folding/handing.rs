//! What nodes hand to those below them: the frame of a call that waits holds a node, one of whose fields points to what the frame above it, that
//! of the call which it waits for, holds (`spec/search.md#folding`).

use super::{
    graph::{Graph, Handed, Holder, Leading, Root},
    states::Merging,
};
use crate::state::template::basis::Basis;
use goatherd_certificates::{
    configuration::{Address, FoldedId, Life, Slot},
    program::{Link, ObjectId, Origin, SortId, Source},
};
use goatherd_checker::{configuration::Member, rejection::Rejection};
use std::{collections::BTreeSet, sync::Arc};

/// Are sorts told apart by what nodes hand on?
fn is_handed(basis: Basis<'_>) -> bool {
    basis.states.is_some_and(|states| states.borrow().merging == Merging::Handed)
}

/// Forgets the pointers in nodes to nodes that have been freed, as to the children of the node that a call which frees a tree waits at.
pub fn forget_dead(basis: Basis<'_>, member: &mut Member) {
    if !is_handed(basis) {
        return;
    }
    let is_node = |declaration| basis.setting.object(declaration).is_ok_and(|object| matches!(object.origin, Origin::Node { .. }));
    let dead = member.objects.iter().flatten().filter(|state| state.life == Life::Dead && is_node(state.declaration));
    let dead: BTreeSet<ObjectId> = dead.map(|state| state.object).collect();
    let is_dead = |slot: &Slot| matches!(slot, Slot::Pointer(Address { object, .. }) if dead.contains(object));
    for state in member.objects.iter_mut().flatten().filter(|state| is_node(state.declaration)) {
        if state.fields.iter().flat_map(|field| &field.cells).any(is_dead) {
            let cells = Arc::make_mut(state).fields.iter_mut().flat_map(|field| &mut field.cells);
            cells.filter(|slot| is_dead(slot)).for_each(|slot| *slot = Slot::Forgotten);
        }
    }
}

impl Graph<'_> {
    /// Finds the field of the node that holds what the node that it hangs in holds too, or what the one holds in which that hangs.
    pub(crate) fn look_for_handed(&mut self, object: ObjectId) -> Result<(), Rejection> {
        let root = Root::Object(object);
        let Some(Holder::Child(above, _)) = self.holders(root).first().copied() else { return Ok(()) };
        if self.leading == Leading::Declared || above == object {
            return Ok(());
        }
        let fields = self.object(object)?.fields.len();
        for field in 0..fields {
            if let [slot @ (Slot::Pointer(_) | Slot::Folded(_) | Slot::Last(_))] = self.object(object)?.fields[field].cells[..]
                && self.find_source(root, slot)?
            {
                self.sames.insert((object, field));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Finds what is handed to a folded part whose nodes ask for it.
    pub(crate) fn look_for_handed_to(&mut self, part: FoldedId) -> Result<(), Rejection> {
        if self.leading == Leading::Any && self.takes_same(self.nodes(part)?) {
            let (root, slot) = (Root::Part(part), self.part(part)?.same);
            if !self.find_source(root, slot)? {
                self.find_way_round(root, slot)?;
            }
        }
        Ok(())
    }

    /// Finds the field of the node that leads back to it, or to a node above it: that of the last node of a ring which hangs in another node.
    pub(crate) fn look_round(&mut self, object: ObjectId) -> Result<(), Rejection> {
        if self.leading == Leading::Declared || self.knows_above(object) || self.same_field(object).is_some() {
            return Ok(());
        }
        for field in 0..self.object(object)?.fields.len() {
            if let [slot @ Slot::Pointer(_)] = self.object(object)?.fields[field].cells[..]
                && self.find_way_round(Root::Object(object), slot)?
            {
                self.sames.insert((object, field));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Notes that the pointer to a node at or above what hangs there is handed down from node to node, beginning with the one in which that node
    /// hangs; false if it is no such pointer, or if one of the nodes hands down something else.
    fn find_way_round(&mut self, root: Root, slot: Slot) -> Result<bool, Rejection> {
        let mut way = Vec::new();
        let mut current = root;
        let mut ring = BTreeSet::new();
        loop {
            ring.insert(current);
            let above = self.holders(current).iter().find(|holder| **holder != Holder::Register).copied();
            if let Root::Object(object) = current
                && self.pointer(object)? == slot
            {
                if let Some(Holder::Child(_, at)) = above {
                    let at = u32::try_from(at).map_err(|_| Rejection::Overflow)?;
                    way.push((current, Source::Field(at)));
                }
                break;
            }
            match above {
                Some(Holder::Child(object, _)) if !ring.contains(&Root::Object(object)) => {
                    way.push((current, Source::Above));
                    current = Root::Object(object);
                }
                _ => return Ok(false),
            }
        }
        let handed = |from: Source| Handed { from, slot };
        let is_free = |(root, from): &(Root, Source)| self.handed.get(root).is_none_or(|known| *known == handed(*from));
        let is_found = way.iter().all(is_free);
        if is_found {
            self.handed.extend(way.into_iter().map(|(root, from)| (root, handed(from))));
            self.rings.append(&mut ring);
        }
        Ok(is_found)
    }

    /// Finds where what is to be handed to what hangs there comes from; false if from nowhere.
    fn find_source(&mut self, root: Root, slot: Slot) -> Result<bool, Rejection> {
        let Some(Holder::Child(above, at)) = self.holders(root).first().copied() else { return Ok(false) };
        if let Some(field) = self.field_with(above, at, slot)? {
            self.handed.insert(root, Handed { from: Source::Field(field), slot });
            return Ok(true);
        }
        let over = Root::Object(above);
        let Some(Holder::Child(highest, at)) = self.holders(over).first().copied() else { return Ok(false) };
        let Some(field) = self.field_with(highest, at, slot)? else { return Ok(false) };
        let from = Source::Field(field);
        if self.handed.entry(over).or_insert(Handed { from, slot }).from != from {
            return Ok(false);
        }
        self.handed.insert(root, Handed { from: Source::Above, slot });
        Ok(true)
    }

    /// Another field of the node that holds this.
    fn field_with(&self, object: ObjectId, other: usize, slot: Slot) -> Result<Option<u32>, Rejection> {
        let mut fields = (0..).zip(&self.object(object)?.fields).enumerate();
        let found = fields.find(|(position, (_, field))| *position != other && field.cells == [slot]);
        Ok(found.map(|(_, (number, _))| number))
    }

    /// What is handed to what hangs there.
    pub fn handed_to(&self, root: Root) -> Option<Slot> {
        self.handed.get(&root).map(|handed| handed.slot)
    }

    /// As a tree of this sort, how what hangs there is linked to what it hangs in.
    pub fn hung(&self, root: Root, sort: SortId) -> Link {
        self.handed.get(&root).map_or(Link::Child(sort), |handed| Link::Handed { sort, from: handed.from })
    }

    /// Do nodes of the sort hand on what they are handed?
    pub fn hands_on(&self, sort: SortId) -> bool {
        self.shapes_of(sort).iter().flatten().any(|link| matches!(link, Link::Handed { .. }))
    }

    /// Do nodes of the sort hold what they are handed, or those right below them?
    pub fn takes_same(&self, sort: SortId) -> bool {
        let is_above = |link: &Link| matches!(link, Link::Handed { from: Source::Above, .. });
        self.same_of(sort).is_some() || self.shapes_of(sort).iter().flatten().any(is_above)
    }

    /// Does the node hang right below one of another declaration?
    pub fn is_held_by_another(&self, object: ObjectId) -> Result<bool, Rejection> {
        let [Holder::Child(above, _)] = self.holders(Root::Object(object)) else { return Ok(false) };
        Ok(self.leading == Leading::Any && self.object(*above)?.declaration != self.object(object)?.declaration)
    }
}
