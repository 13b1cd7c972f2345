//! Fields of nodes that hold what those of the cell above hold: the pointer to the header of a list, or to the node whose children they are.

use super::graph::{Graph, Holder, Root, root};
use goatherd_certificates::{
    configuration::{Address, FoldedId, ObjectState, Slot},
    program::{Link, ObjectId, SortId},
};
use goatherd_checker::{configuration, rejection::Rejection};

impl Graph<'_> {
    /// Finds the field in which the node has a pointer in common with those beside it. The first of a list has what is above it there: if that is
    /// named, it is kept, and the first node is a cell like the others; if it is not, or what is below the node points to the node itself, as on the
    /// way down a tree, the field leads up. Cells of rings that hang from nodes have nothing in common.
    pub(crate) fn look_beside(&mut self, object: ObjectId, above: Option<Slot>) -> Result<(), Rejection> {
        if self.hung.cell(object).is_some() {
            return Ok(());
        }
        let state = self.object(object)?;
        for field in self.common_fields(state)? {
            let [slot @ (Slot::Pointer(_) | Slot::Last(_))] = state.fields[field].cells[..] else { continue };
            let is_above = above == Some(slot) || self.is_held(object, slot);
            if is_above && (!self.is_named(slot) || self.is_above_others(state, field)?) {
                self.ups.insert((object, field));
                break;
            }
            if is_above || self.is_in(object, slot)? || self.is_beside(state, field, slot)? {
                self.sames.insert((object, field));
                break;
            }
        }
        Ok(())
    }

    /// The fields of the node in which loops store one pointer again and again.
    fn common_fields(&self, state: &ObjectState) -> Result<Vec<usize>, Rejection> {
        let mut fields = Vec::new();
        for (field, link) in self.links(state).unwrap_or_default().iter().enumerate() {
            if matches!(link, Link::Child(_) | Link::Other) && self.common.contains(&self.distance(state.declaration, field)?) {
                fields.push(field);
            }
        }
        Ok(fields)
    }

    /// Is it no node, or does a register name it?
    fn is_named(&self, slot: Slot) -> bool {
        let Slot::Pointer(Address { object, .. }) = slot else { return false };
        let is_node = self.object(object).is_ok_and(|state| self.links(state).is_some());
        !is_node || self.registers.iter().any(|(_, slot)| root(*slot) == Some(Root::Object(object)))
    }

    /// Does what is below the node point to the node there?
    fn is_above_others(&self, state: &ObjectState, field: usize) -> Result<bool, Rejection> {
        let pointer = self.pointer(state.object)?;
        let below = state.fields.iter().enumerate().filter(|(other, _)| *other != field).flat_map(|(_, field)| &field.cells);
        for slot in below {
            let is_above = match *slot {
                Slot::Pointer(Address { object, .. }) => {
                    self.object(object)?.fields.get(field).is_some_and(|field| field.cells == [pointer])
                }
                Slot::Folded(part) => {
                    let is_up = |links: &Vec<Link>| links.get(field) == Some(&Link::Up);
                    self.part(part)?.above == pointer && self.shapes_of(self.nodes(part)?).iter().any(is_up)
                }
                _ => false,
            };
            if is_above {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does the object hold a pointer to the node?
    fn is_in(&self, node: ObjectId, slot: Slot) -> Result<bool, Rejection> {
        let pointer = self.pointer(node)?;
        let Slot::Pointer(Address { object, .. }) = slot else { return Ok(false) };
        Ok(self.object(object)?.fields.iter().any(|field| field.cells.contains(&pointer)))
    }

    /// Does a node or folded part that leads to the node, or that it leads to, have the same there?
    fn is_beside(&self, state: &ObjectState, field: usize, slot: Slot) -> Result<bool, Rejection> {
        let pointer = self.pointer(state.object)?;
        let leads =
            |from: &ObjectState, to: Slot| from.fields.iter().enumerate().any(|(other, cells)| other != field && cells.cells == [to]);
        for other in self.member.objects.iter().flatten() {
            let is_same = other.declaration == state.declaration && other.object != state.object && other.fields[field].cells == [slot];
            if is_same && (leads(other, pointer) || leads(state, self.pointer(other.object)?)) {
                return Ok(true);
            }
        }
        for (id, part) in (0..).map(FoldedId).zip(&self.member.folded) {
            let Some(part) = part else { continue };
            let is_same = part.same == slot && self.same_of(self.nodes(id)?) == Some(field);
            if is_same && (part.below == pointer || leads(state, Slot::Folded(id))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The field in which nodes of the sort hold what the cell above does.
    pub fn same_of(&self, sort: SortId) -> Option<usize> {
        configuration::same_field(self.shapes_of(sort))
    }

    /// Does the field of the node hold what is held beside it?
    pub fn is_same(&self, object: ObjectId, field: usize) -> bool {
        self.sames.contains(&(object, field))
    }

    /// The field of the node that does.
    pub fn same_field(&self, object: ObjectId) -> Option<usize> {
        self.sames.range((object, 0)..).next().filter(|(other, _)| *other == object).map(|(_, field)| *field)
    }

    /// What stands in this field above, where it hangs.
    fn above_in(&self, root: Root, field: usize) -> Result<Option<Slot>, Rejection> {
        Ok(match self.holders(root).first() {
            Some(Holder::Child(above, _)) => self.object(*above)?.fields.get(field).and_then(|field| field.cells.first()).copied(),
            Some(Holder::Below(part)) => (self.same_of(self.nodes(*part)?) == Some(field)).then_some(self.part(*part)?.same),
            _ => None,
        })
    }

    /// The field of what is there that should hold what the cell above does, and what it holds.
    pub fn same_in(&self, at: Root) -> Result<Option<(usize, Slot)>, Rejection> {
        Ok(match at {
            Root::Object(object) => {
                let Some(field) = self.same_field(object) else { return Ok(None) };
                self.object(object)?.fields[field].cells.first().map(|slot| (field, *slot))
            }
            Root::Part(part) => self.same_of(self.nodes(part)?).zip(Some(self.part(part)?.same)),
        })
    }

    /// Does it hold that where it hangs?
    pub fn agrees_beside(&self, at: Root) -> Result<bool, Rejection> {
        if self.handed.contains_key(&at) {
            return Ok(true);
        }
        if let Root::Part(part) = at
            && self.hands_on(self.nodes(part)?)
            && self.takes_same(self.nodes(part)?)
        {
            return Ok(false);
        }
        let Some((field, slot)) = self.same_in(at)? else { return Ok(true) };
        Ok(self.above_in(at, field)? == Some(slot))
    }
}
