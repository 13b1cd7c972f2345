//! Which struct types are linked to each other by pointers: what heaps of any size are made of.

use super::types::{RecordId, Records, Shape};
use std::collections::BTreeSet;

/// The struct types on a cycle of pointers (a list's node points to its own type, a file to its folder and back), those that lead to one (the
/// header of a queue), and those to which any of these lead (what hangs on a list).
pub(crate) struct Linked(BTreeSet<RecordId>);

impl Linked {
    /// Those of a translation unit, as its types say.
    pub(crate) fn declared(records: &Records) -> Self {
        Self::of(&records.ids().map(|id| (id, pointees(records, id))).collect::<Vec<_>>())
    }

    /// Those, and those that are linked by a `void *` which is used as a pointer to one type, as `next` of `struct node { void *next; }`.
    pub(crate) fn used(records: &Records) -> Self {
        let targets = |id| pointees(records, id).into_iter().chain(records.all_used_as(id)).collect();
        Self::of(&records.ids().map(|id| (id, targets(id))).collect::<Vec<_>>())
    }

    fn of(edges: &[(RecordId, BTreeSet<RecordId>)]) -> Self {
        let mut linked: BTreeSet<RecordId> = edges.iter().map(|(id, _)| *id).collect();
        // What leads to no cycle ends where all that it points to has gone.
        loop {
            let before = linked.len();
            for (id, targets) in edges {
                if linked.is_disjoint(targets) {
                    linked.remove(id);
                }
            }
            if linked.len() == before {
                break;
            }
        }
        let mut open: Vec<RecordId> = linked.iter().copied().collect();
        while let Some(id) = open.pop() {
            let targets = edges.iter().filter(|(from, _)| *from == id).flat_map(|(_, targets)| targets);
            open.extend(targets.copied().filter(|target| linked.insert(*target)));
        }
        Self(linked)
    }

    pub(crate) fn contains(&self, id: RecordId) -> bool {
        self.0.contains(&id)
    }
}

/// The struct types to which members of a struct point, also from the structs and arrays that lie in it.
fn pointees(records: &Records, id: RecordId) -> BTreeSet<RecordId> {
    let mut targets = BTreeSet::new();
    let mut inside = vec![id];
    let mut next = 0;
    while let Some(record) = inside.get(next).copied() {
        for member in records.get(record).members.iter().flatten() {
            match &member.ctype.base_element().shape {
                Shape::Record(inner) if !inside.contains(inner) => inside.push(*inner),
                Shape::Pointer(target) => targets.extend(target.as_record()),
                _ => {}
            }
        }
        next += 1;
    }
    targets
}
