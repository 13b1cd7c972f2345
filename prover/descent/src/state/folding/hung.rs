//! Rings that hang from nodes: a pointer leads from a node to the first cell, and the last one back to a byte of the same node, the header
//! (`spec/search.md#rings`).

use super::graph::{Graph, Root, root};
use goatherd_certificates::{
    configuration::{Address, FoldedId, Life, ObjectState, Slot, TreeSort},
    program::{Link, ObjectId},
};
use std::collections::BTreeMap;

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
    cells: BTreeMap<Root, (ObjectId, usize)>,
}

/// A way from the first cell to the header.
struct Round {
    byte: u64,
    cells: Vec<Root>,
    back: Back,
    last: Slot,
}

impl HungRings {
    /// Finds them.
    pub fn new(graph: &Graph<'_>) -> Self {
        let mut found = Self::default();
        for state in graph.member.objects.iter().flatten().filter(|state| state.life == Life::Live) {
            let Some(links) = graph.links(state) else { continue };
            for (field, link) in links.iter().enumerate() {
                let (Link::Child(sort), [first]) = (link, state.fields[field].cells.as_slice()) else { continue };
                if let Some(round) = round(graph, state, (field, *first), ObjectId(sort.0)) {
                    found.add(state, field, ObjectId(sort.0), round);
                }
            }
        }
        found
    }

    /// Adds a ring, if it is another one than those so far: its header and cells are its own.
    fn add(&mut self, state: &ObjectState, field: usize, cells: ObjectId, round: Round) {
        let object = state.object;
        let is_known = self.rings.range((object, 0)..=(object, field)).any(|(_, ring)| ring.byte == round.byte);
        if is_known || round.cells.iter().any(|cell| self.cells.contains_key(cell)) {
            return;
        }
        self.rings.insert((object, field), HungRing { byte: round.byte, cells });
        self.cells.extend(round.cells.into_iter().map(|cell| (cell, (object, field))));
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
    pub fn cell(&self, cell: Root) -> Option<(ObjectId, usize)> {
        self.cells.get(&cell).copied()
    }

    /// Does the field of the node lead to no child, but to the last cell of a ring, or back to a header?
    pub fn leads_round(&self, object: ObjectId, field: usize) -> bool {
        self.last(object, field).is_some() || self.back(Back::Field(object, field)).is_some()
    }
}

/// The byte of the node to which the pointer leads, if that may be a header: it is not the one by which the node itself is linked.
fn header(graph: &Graph<'_>, state: &ObjectState, slot: Slot) -> Option<u64> {
    match slot {
        Slot::Pointer(Address { object, index, byte })
            if object == state.object && index == state.lower && byte != graph.entrance(state.declaration) =>
        {
            Some(byte)
        }
        _ => None,
    }
}

/// The way from this field of the node round to the node itself: of several the longest, as that by which cells are linked forth is longer than that
/// from the first one back.
fn round(graph: &Graph<'_>, state: &ObjectState, (field, first): (usize, Slot), cells: ObjectId) -> Option<Round> {
    if let Some(byte) = header(graph, state, first) {
        return Some(Round { byte, cells: Vec::new(), back: Back::Field(state.object, field), last: first });
    }
    let fields = graph.setting.layout(cells).map_or(0, |layout| layout.fields.len());
    let rounds = (0..fields).rev().filter_map(|on| follow(graph, state, first, (cells, on)));
    rounds.max_by_key(|round| round.cells.len())
}

/// The way that leads on by this field of cells.
fn follow(graph: &Graph<'_>, state: &ObjectState, first: Slot, (declaration, on): (ObjectId, usize)) -> Option<Round> {
    let (mut cells, mut current, mut last) = (Vec::new(), first, None);
    loop {
        if let (Some(byte), Some((back, last))) = (header(graph, state, current), last) {
            return Some(Round { byte, cells, back, last });
        }
        let cell = root(current).filter(|cell| !cells.contains(cell))?;
        let (next, back, own) = match current {
            Slot::Pointer(Address { object, .. }) => {
                let cell = graph.object(object).ok().filter(|cell| cell.life == Life::Live && cell.declaration == declaration)?;
                (*cell.fields.get(on)?.cells.first()?, Back::Field(object, on), graph.pointer(object).ok()?)
            }
            Slot::Folded(part) => {
                let TreeSort::Segment(sort) = graph.sort(part).ok()? else { return None };
                let (object, _, shapes) = graph.setting.nodes(sort).ok()?;
                let leads_on = object == declaration && shapes.iter().all(|links| links.get(on) == Some(&Link::Child(sort)));
                leads_on.then_some((graph.part(part).ok()?.below, Back::Below(part), Slot::Last(part)))?
            }
            _ => return None,
        };
        let is_entered = matches!(current, Slot::Folded(_)) || own == current;
        is_entered.then_some(())?;
        cells.push(cell);
        (current, last) = (next, Some((back, own)));
    }
}
