//! Declarations of nodes: one per linked struct type, for its inputs and its allocations alike.

use super::{Emitter, Outcome};
use crate::lower::types::{CType, RecordId, Shape};
use goatherd_certificates::program::{Link, Object, ObjectId, Origin, SortId, Type};

/// What a declaration of nodes is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It says which heaps an input may be.
    Input,
    /// It says which nodes may be of one tree: any.
    Allocation,
}

impl Emitter<'_> {
    /// The declaration of the nodes of a linked struct type, and with it those of all types that they lead to: every pointer to a linked struct
    /// is a child, any other pointer is none. A `void *` is one to what it is used for, but not in inputs, where it leads nowhere.
    pub(crate) fn node(&mut self, id: RecordId, purpose: Purpose, offset: usize) -> Outcome<ObjectId> {
        let mut undescribed = Vec::new();
        let object = self.declare_node(id, offset, &mut undescribed)?;
        while let Some((id, object)) = undescribed.pop() {
            let mut links = Vec::new();
            for leaf in self.leaves(&CType::new(Shape::Record(id)), offset)? {
                let target = match leaf.pointee.as_deref() {
                    Some(pointee) if pointee.is_void() && purpose == Purpose::Allocation => self.records.used_as(id, leaf.offset),
                    pointee => pointee.and_then(CType::as_record),
                };
                let target = target.filter(|target| self.has_layout(*target));
                links.push(match (leaf.kind, target) {
                    (Type::Integer(_), _) => Link::Data,
                    (Type::Pointer, None) => Link::Other,
                    (Type::Pointer, Some(target)) => Link::Child(SortId(self.declare_node(target, offset, &mut undescribed)?.0)),
                });
            }
            if let Some(Object { origin, .. }) = self.objects.get_mut(object.index()) {
                *origin = Origin::Node { links };
            }
        }
        Ok(object)
    }

    /// The declaration's number; one that is new is to be described.
    fn declare_node(&mut self, id: RecordId, offset: usize, undescribed: &mut Vec<(RecordId, ObjectId)>) -> Outcome<ObjectId> {
        let ctype = CType::new(Shape::Record(id));
        let layout = self.layout(&ctype, offset)?;
        let known = self.objects.iter().position(|object| object.layout == layout && matches!(object.origin, Origin::Node { .. }));
        if let Some(known) = known {
            return Ok(ObjectId(u32::try_from(known).unwrap_or(u32::MAX)));
        }
        let name = self.records.name(&ctype);
        let object = self.object(&name, layout, Origin::Node { links: Vec::new() });
        undescribed.push((id, object));
        Ok(object)
    }

    /// Is the struct complete, and made of what is supported?
    fn has_layout(&self, id: RecordId) -> bool {
        self.records.leaves(&CType::new(Shape::Record(id))).is_ok_and(|leaves| !leaves.is_empty())
    }
}
