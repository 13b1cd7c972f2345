//! Nodes that are no structs: allocations of a few pointers that lead to others of their kind, as those of `typedef void *item[2]` do
//! (`spec/program.md#nodes`).

use super::Emitter;
use goatherd_certificates::program::{Field, Instruction, Layout, LayoutId, Link, ObjectId, SortId};
use std::collections::{BTreeMap, BTreeSet};

/// A node has cells for its pointers, which an index that is not known does not tell apart: what has more pointers stays an array.
const MOST_POINTERS: u64 = 4;

impl Emitter<'_> {
    /// Makes nodes of allocations that have one size each time, where pointers to them are stored in what is laid out as they are.
    pub(super) fn tie_knots(&mut self) {
        let mut alike: BTreeMap<LayoutId, BTreeSet<ObjectId>> = BTreeMap::new();
        let replaced = self.replaced_layouts();
        for object in self.heap_objects() {
            if let Some(layout) = self.whole_layout(object, &replaced) {
                alike.entry(layout).or_default().insert(object);
            }
        }
        if alike.is_empty() {
            return;
        }
        let states = self.origins();
        alike.retain(|_, objects| {
            self.lines.iter().zip(&states).any(|(line, state)| {
                let leads = |register| state.get(&register).is_some_and(|origins| !origins.is_disjoint(objects));
                matches!(line.instruction, Instruction::Store { address, source, .. } if leads(address) && leads(source))
            })
        });
        for (layout, objects) in alike {
            self.make_nodes(&objects, layout, |_, node| Link::Child(SortId(node.0)));
        }
    }

    /// How one element is laid out that is all of an allocation of a few pointers which may lead to pointers. What is reallocated stays an array, since nodes have no elements that could be copied.
    fn whole_layout(&mut self, object: ObjectId, replaced: &BTreeSet<LayoutId>) -> Option<LayoutId> {
        let count = self.constant_elements(object).filter(|count| (1..=MOST_POINTERS).contains(count))?;
        let own = self.objects.get(object.index())?.layout;
        if !self.heap.are_links(own) || replaced.contains(&own) {
            return None;
        }
        let Layout { name, size, fields } = self.layouts.get(own.index())?;
        let pointer = |place: u64| fields.iter().map(move |field| Field { offset: field.offset + place * size, ..field.clone() });
        let name = if count == 1 { name.clone() } else { format!("{name}[{count}]") };
        let whole = Layout { name, size: count * size, fields: (0..count).flat_map(pointer).collect() };
        Some(self.add_layout(whole))
    }
}
