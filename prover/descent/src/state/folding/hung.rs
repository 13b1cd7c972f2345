//! Rings that hang from nodes: a pointer leads from a node to the first cell, and the last one back to a byte of the same node, the header
//! (`spec/search.md#rings`).

use goatherd_certificates::{
    configuration::{FoldedId, ObjectState, Slot},
    program::ObjectId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where a ring leads back to its header.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Back {
    /// From this field of a cell, or of the node itself if the ring has no cells.
    Field(ObjectId, usize),
    /// From the hole of a segment.
    Below(FoldedId),
}

/// A ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HungRing {
    /// At which byte of the node its header is.
    pub byte: u64,
    /// Of which declaration its cells are.
    pub cells: ObjectId,
}

/// The rings of a member.
#[derive(Default)]
pub struct HungRings {
    /// By node and field, what hangs there.
    rings: BTreeMap<(ObjectId, usize), HungRing>,
    /// By node and field, the field from which the ring hangs to the last cell of which this one leads.
    lasts: BTreeMap<(ObjectId, usize), usize>,
    /// By what leads back, the header's node.
    backs: BTreeMap<Back, ObjectId>,
    /// By cell, the node and the field that its ring hangs from.
    cells: BTreeMap<ObjectId, (ObjectId, usize)>,
    /// The segments of their cells.
    parts: BTreeSet<FoldedId>,
}

/// A way from the first cell to the header.
pub struct WayRound {
    /// At which byte that is.
    pub byte: u64,
    /// The cells on the way.
    pub cells: Vec<ObjectId>,
    /// The segments on the way.
    pub parts: Vec<FoldedId>,
    /// What leads to the header.
    pub back: Back,
    /// The pointer to the last cell.
    pub last: Slot,
}

impl HungRings {
    /// Adds a ring, if it is another one than those so far: its header and cells are its own.
    pub fn add(&mut self, state: &ObjectState, field: usize, cells: ObjectId, round: WayRound) {
        let object = state.object;
        let is_known = self.rings.range((object, 0)..=(object, field)).any(|(_, ring)| ring.byte == round.byte);
        let is_other = |cell| self.cells.contains_key(cell);
        if is_known || round.cells.iter().any(is_other) || round.parts.iter().any(|part| self.parts.contains(part)) {
            return;
        }
        self.rings.insert((object, field), HungRing { byte: round.byte, cells });
        self.cells.extend(round.cells.into_iter().map(|cell| (cell, (object, field))));
        self.parts.extend(round.parts);
        self.backs.insert(round.back, object);
        let others = state.fields.iter().enumerate().filter(|(other, _)| *other != field);
        self.lasts.extend(others.filter(|(_, other)| other.cells == [round.last]).map(|(other, _)| ((object, other), field)));
    }

    /// What hangs from this field of the node.
    pub fn ring(&self, object: ObjectId, field: usize) -> Option<HungRing> {
        self.rings.get(&(object, field)).copied()
    }

    /// From which field of the node the ring hangs whose last cell this field leads to.
    pub fn last(&self, object: ObjectId, field: usize) -> Option<usize> {
        self.lasts.get(&(object, field)).copied()
    }

    /// The node to whose header this leads back.
    pub fn back(&self, back: Back) -> Option<ObjectId> {
        self.backs.get(&back).copied()
    }

    /// The node and the field from which the ring hangs that this is a cell of.
    pub fn cell(&self, cell: ObjectId) -> Option<(ObjectId, usize)> {
        self.cells.get(&cell).copied()
    }

    /// Does the field of the node lead to no child, but to the last cell of a ring, or back to a header?
    pub fn leads_round(&self, object: ObjectId, field: usize) -> bool {
        self.last(object, field).is_some() || self.back(Back::Field(object, field)).is_some()
    }
}
