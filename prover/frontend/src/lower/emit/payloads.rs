//! What hangs in nodes and is linked to nothing itself: an integer of its own, or a buffer into which nobody looks. There is one for each node, so
//! it is a node too (`spec/program.md#nodes`).

use super::Emitter;
use crate::lower::types::width;
use goatherd_certificates::program::{Allocate, Field, Instruction, Layout, LayoutId, Link, Object, ObjectId, Operand, Origin, Type};
use std::collections::{BTreeMap, BTreeSet};

impl Emitter<'_> {
    /// Makes nodes of allocations that have one size each time, where nodes hold pointers of which their types do not say that they lead to nodes.
    pub(super) fn hang_payloads(&mut self) {
        let is_holder = |origin: &Origin| matches!(origin, Origin::Node { links } if links.contains(&Link::Other));
        if !self.objects.iter().any(|object| is_holder(&object.origin)) {
            return;
        }
        let widths = self.accessed_widths();
        let mut alike: BTreeMap<LayoutId, BTreeSet<ObjectId>> = BTreeMap::new();
        for object in self.heap_objects() {
            if let Some(layout) = self.single_layout(object, &widths) {
                alike.entry(layout).or_default().insert(object);
            }
        }
        for (layout, objects) in alike {
            self.make_nodes(&objects, layout, link);
        }
    }

    /// Makes these allocations nodes of this layout, which share a declaration; that is what the links of fields are told.
    pub(super) fn make_nodes(&mut self, objects: &BTreeSet<ObjectId>, layout: LayoutId, link: impl Fn(&Field, ObjectId) -> Link) {
        let Some(declaration) = objects.first().copied() else { return };
        let links = self.layouts[layout.index()].fields.iter().map(|field| link(field, declaration)).collect();
        if let Some(object) = self.objects.get_mut(declaration.index()) {
            (object.layout, object.origin) = (layout, Origin::Node { links });
        }
        for line in &mut self.lines {
            if let Instruction::Allocate(Allocate { object, .. }) = &mut line.instruction
                && objects.contains(object)
            {
                *object = declaration;
            }
        }
    }

    /// The widths of the integers that are read from memory, or written there.
    fn accessed_widths(&self) -> BTreeSet<u32> {
        let accessed = self.prologue.iter().chain(&self.lines).filter_map(|line| match line.instruction {
            Instruction::Load { target: register, .. } | Instruction::Store { source: register, .. } => Some(self.kind_of(register)),
            _ => None,
        });
        let integers = accessed.filter_map(|kind| if let Type::Integer(kind) = kind { Some(width(kind)) } else { None });
        integers.collect()
    }

    /// How many elements the allocation makes, if it is the same number of bytes each time and they are no nodes yet.
    pub(super) fn constant_elements(&self, object: ObjectId) -> Option<u64> {
        let made = self.lines.iter().filter_map(|line| match line.instruction {
            Instruction::Allocate(Allocate { object: made, bytes, .. }) if made == object => Some(bytes),
            _ => None,
        });
        let [Operand::Constant(bytes)] = made.collect::<Vec<_>>()[..] else { return None };
        let Object { layout, origin: Origin::Heap, .. } = self.objects.get(object.index())? else { return None };
        u64::try_from(bytes).ok()?.checked_div(self.layouts.get(layout.index())?.size)
    }

    /// Of an allocation that makes the same number of bytes each time, how one element that is all of it is laid out: as its own one element is or,
    /// where there are more, of integers that nothing reads or writes, as one behind whose first integer there is nothing.
    fn single_layout(&mut self, object: ObjectId, accessed: &BTreeSet<u32>) -> Option<LayoutId> {
        let own = self.objects.get(object.index())?.layout;
        let count = self.constant_elements(object)?;
        let layout = self.layouts.get(own.index())?;
        match (count, &layout.fields[..]) {
            (1, _) => Some(own),
            (2.., [field @ Field { offset: 0, kind: Type::Integer(kind), .. }]) if !accessed.contains(&width(*kind)) => {
                let fields = vec![field.clone()];
                let whole = Layout { name: format!("{}[{count}]", layout.name), size: count.checked_mul(layout.size)?, fields };
                Some(self.add_layout(whole))
            }
            _ => None,
        }
    }
}

/// What the field of such a node is: it leads to no node.
const fn link(field: &Field, _: ObjectId) -> Link {
    match field.kind {
        Type::Integer(_) => Link::Data,
        Type::Pointer => Link::Other,
    }
}
