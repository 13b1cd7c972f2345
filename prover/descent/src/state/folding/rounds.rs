//! Finds the rings that hang from nodes (`spec/search.md#rings`).

use super::{
    graph::Graph,
    hung::{Back, HungRings, WayRound},
};
use goatherd_certificates::{
    configuration::{Address, Life, ObjectState, Slot, TreeSort},
    program::{Link, ObjectId},
};

impl Graph<'_> {
    /// Finds the rings that hang from nodes.
    pub(crate) fn find_rings(&mut self) {
        let mut found = HungRings::default();
        for state in self.member.objects.iter().flatten().filter(|state| state.life == Life::Live) {
            let Some(links) = self.links(state) else { continue };
            for (field, link) in links.iter().enumerate() {
                let (Link::Child(sort), [first]) = (link, state.fields[field].cells.as_slice()) else { continue };
                if let Some(round) = round(self, state, (field, *first), ObjectId(sort.0)) {
                    found.add(state, field, ObjectId(sort.0), round);
                }
            }
        }
        self.hung = found;
    }
}

/// The byte of the node to which the pointer leads, if that may be the header of a ring of such cells: where these are nodes like it, it is not the
/// one by which the node itself is linked.
fn header(graph: &Graph<'_>, state: &ObjectState, cells: ObjectId, slot: Slot) -> Option<u64> {
    match slot {
        Slot::Pointer(Address { object, index, byte }) if object == state.object && index == state.lower => {
            (cells != state.declaration || byte != graph.entrance(state.declaration)).then_some(byte)
        }
        _ => None,
    }
}

/// The way from this field of the node round to the node itself: of several the longest, as that by which cells are linked forth is longer than that
/// from the first one back.
fn round(graph: &Graph<'_>, state: &ObjectState, (field, first): (usize, Slot), cells: ObjectId) -> Option<WayRound> {
    if let Some(byte) = header(graph, state, cells, first) {
        return Some(WayRound { byte, cells: Vec::new(), parts: Vec::new(), back: Back::Field(state.object, field), last: first });
    }
    let fields = graph.setting.layout(cells).map_or(0, |layout| layout.fields.len());
    let rounds = (0..fields).rev().filter_map(|on| follow(graph, state, first, (cells, on)));
    rounds.max_by_key(|round| round.cells.len() + round.parts.len())
}

/// The way that leads on by this field of cells.
fn follow(graph: &Graph<'_>, state: &ObjectState, first: Slot, (declaration, on): (ObjectId, usize)) -> Option<WayRound> {
    let (mut cells, mut parts, mut current, mut last) = (Vec::new(), Vec::new(), first, None);
    loop {
        if let (Some(byte), Some((back, last))) = (header(graph, state, declaration, current), last) {
            return Some(WayRound { byte, cells, parts, back, last });
        }
        let (next, back, own) = match current {
            Slot::Pointer(Address { object, .. }) => {
                if cells.contains(&object) {
                    return None;
                }
                cells.push(object);
                let cell = graph.object(object).ok().filter(|cell| cell.life == Life::Live && cell.declaration == declaration)?;
                (*cell.fields.get(on)?.cells.first()?, Back::Field(object, on), graph.pointer(object).ok()?)
            }
            Slot::Folded(part) => {
                if parts.contains(&part) {
                    return None;
                }
                parts.push(part);
                let TreeSort::Segment(sort) = graph.sort(part).ok()? else { return None };
                let (object, _, shapes) = graph.setting.nodes(sort).ok()?;
                let leads_on = object == declaration && shapes.iter().all(|links| links.get(on) == Some(&Link::Child(sort)));
                leads_on.then_some((graph.part(part).ok()?.below, Back::Below(part), Slot::Last(part)))?
            }
            _ => return None,
        };
        let is_entered = matches!(current, Slot::Folded(_)) || own == current;
        is_entered.then_some(())?;
        (current, last) = (next, Some((back, own)));
    }
}
