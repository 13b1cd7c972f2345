//! Pointers that are taken for pointers to something else: what is then assumed of where they point (`spec/program.md#assumed`).

use super::{Elaborator, Outcome, Source};
use crate::lower::{
    assumptions::Assumption,
    declarator_name,
    tree::{Base, Builtin, Expression, ExpressionKind, Place},
    types::{Bits, CType, Holder, RecordId, RecordKind, width},
};

/// How memory is aligned that the library allocates (C11 7.22.3p1; the System V ABI for x86-64).
const ALLOCATED: u64 = 16;

/// Models of functions that give memory of their own.
const ALLOCATE: [&str; 3] = ["realloc", "__errno_malloc", "__errno_calloc"];

/// Do two places overlap in part?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Never,
    Perhaps,
    Known,
}

impl Elaborator<'_> {
    /// A pointer to one type becomes one to another: does it point to where the other may lie? Known is only what the types say.
    pub(super) fn note_view(&mut self, pointer: &Expression, from: &CType, to: &CType, offset: usize) -> Outcome<()> {
        if from.shape != to.shape && !(self.is_model)(offset) && self.leads_anywhere(to) && !self.is_fresh(pointer) {
            self.suspicions.hidden = true;
        }
        let is_direct = !from.is_pointer() || !to.is_pointer();
        let (mut from, mut to) = (from, to);
        while let (Some(one), Some(two)) = (from.pointee(), to.pointee()) {
            (from, to) = (one, two);
        }
        let (from, to) = (from.base_element(), to.base_element());
        let is_same = from.shape == to.shape;
        if is_same || (self.is_model)(offset) {
            return Ok(());
        }
        if self.shows_other_pointers(from, to) && !self.is_fresh(pointer) {
            self.note_hidden_view();
        }
        if !to.is_record() && !to.is_scalar() {
            return Ok(());
        }
        // What is not complete may want any alignment.
        let (has, wants) = (self.alignment_there(pointer, from), self.records.alignment(to).unwrap_or(u64::MAX));
        let is_fresh = self.is_fresh(pointer);
        self.suspicions.views |= to.is_record() && !is_fresh;
        if wants <= has || is_fresh && wants <= ALLOCATED {
            return Ok(());
        }
        if to.is_record() && is_direct && from.is_scalar() && has > 1 {
            let message = "a pointer to a scalar that becomes one to a struct, which may have to be aligned otherwise";
            return self.unsupported_with_help(offset, message, "go by way of void * where it is aligned; that is then assumed");
        }
        self.assumptions.insert(Assumption::Aligned);
        Ok(())
    }

    /// Is what was a pointer to anything seen as one to what has to be aligned, where a place of the one type is taken for one of the other? Of structs one
    /// begins with the other.
    fn shows_other_pointers(&self, from: &CType, to: &CType) -> bool {
        let mut innermost = to;
        while let Some(inner) = innermost.pointee() {
            innermost = inner;
        }
        to.is_pointer() && self.is_aligned(innermost) || to.is_record() && !from.is_record() && self.leads_to_aligned(to)
    }

    /// Has an object of this type to lie at certain addresses?
    pub(super) fn is_aligned(&self, ctype: &CType) -> bool {
        let element = ctype.base_element();
        element.is_record() || element.is_scalar() && self.records.alignment(element).is_none_or(|alignment| alignment > 1)
    }

    /// Has it pointers to what has to be aligned?
    fn leads_to_aligned(&self, ctype: &CType) -> bool {
        let leaves = self.records.leaves(ctype).unwrap_or_default();
        leaves.iter().any(|leaf| leaf.pointee.as_deref().is_some_and(|target| self.is_aligned(target)))
    }

    /// Has it pointers?
    fn leads_anywhere(&self, ctype: &CType) -> bool {
        let leaves = self.records.leaves(ctype).unwrap_or_default();
        leaves.iter().any(|leaf| leaf.pointee.is_some())
    }

    /// A value of this type may be one of another type with other pointers.
    pub(super) fn note_hidden(&mut self, ctype: &CType) {
        self.suspicions.hidden |= self.leads_anywhere(ctype);
    }

    /// Does the pointer lead to the beginning of memory that nothing else has?
    fn is_fresh(&self, pointer: &Expression) -> bool {
        match &pointer.kind {
            ExpressionKind::Builtin(Builtin::Allocate(_) | Builtin::AllocateZero(..)) => true,
            ExpressionKind::Call { function, .. } => match self.requested.get(*function).map(|request| &request.source) {
                Some(Source::Definition(definition)) => {
                    let name = declarator_name(&definition.node.declarator.node);
                    (self.is_model)(definition.span.start) && name.is_some_and(|name| ALLOCATE.contains(&name))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// A pointer may have been another one that no conversion shows: one in a union, one that was copied as another, or handed on through a pointer to a
    /// function or behind `...`.
    pub(super) fn note_hidden_view(&mut self) {
        self.suspicions.hidden = true;
        self.suspicions.views = true;
        self.assumptions.insert(Assumption::Aligned);
    }

    /// A member is looked at. If it is a struct, pointers to it may be moved beyond it, to where no multiple of its size leads; of a union, something else
    /// may be there.
    pub(super) fn note_member(&mut self, record: RecordId, member: &CType) {
        self.suspicions.views |= member.base_element().is_record();
        if !self.has_union(record) {
            return;
        }
        self.suspicions.views |= member.has_parts();
        self.note_hidden(member);
        if self.leads_to_aligned(member) {
            self.note_hidden_view();
        }
    }

    /// Is it a union, or has it the members of one?
    fn has_union(&self, id: RecordId) -> bool {
        let record = self.records.get(id);
        let mut unnamed =
            record.members.iter().flatten().filter(|member| member.name.is_none()).filter_map(|member| member.ctype.as_record());
        record.kind == RecordKind::Union || unnamed.any(|inner| self.has_union(inner))
    }

    /// The value goes to the place: may it come from one that overlaps that in part?
    pub(super) fn note_assignment(&mut self, place: &Place, value: &Expression, offset: usize) -> Outcome<()> {
        if (self.is_model)(offset) {
            return Ok(());
        }
        if place.ctype.is_record() {
            return match self.overlap(place, value) {
                Overlap::Known => self.unsupported(offset, "an assignment of a struct to a place that overlaps it in part"),
                Overlap::Perhaps => {
                    self.suspicions.copies = true;
                    Ok(())
                }
                Overlap::Never => Ok(()),
            };
        }
        let whole = |place: &Place| match (place.ctype.bits, place.ctype.as_integer()) {
            (Some(Bits { first: 0, width: bits, holder: Holder::Bytes }), Some(kind)) => bits == width(kind),
            _ => false,
        };
        let mut source = value;
        while let ExpressionKind::Convert(inner) = &source.kind {
            source = inner;
        }
        if let ExpressionKind::Read(from) = &source.kind
            && (whole(place) || whole(from))
            && self.overlap(place, source) != Overlap::Never
        {
            self.assumptions.insert(Assumption::Apart);
        }
        Ok(())
    }

    fn overlap(&self, place: &Place, value: &Expression) -> Overlap {
        let from = match &value.kind {
            ExpressionKind::Read(from) => from,
            // What a function returns lies nowhere else.
            ExpressionKind::Call { .. } | ExpressionKind::CallThrough { .. } => return Overlap::Never,
            _ => return Overlap::Perhaps,
        };
        let is_one_object = match (&place.base, &from.base) {
            (Base::Variable(one), Base::Variable(two)) | (Base::Global(one), Base::Global(two)) => one == two,
            (Base::Variable(_), Base::Global(_)) | (Base::Global(_), Base::Variable(_)) | (_, Base::Value(_) | Base::Literal(..)) => false,
            _ => return Overlap::Perhaps,
        };
        let distance = i128::from(place.displacement) - i128::from(from.displacement);
        let size = |place: &Place| i128::from(self.records.size(&place.ctype).unwrap_or(0));
        let is_same = distance == 0 && place.ctype.shape == from.ctype.shape;
        let meets = is_one_object && !is_same && distance < size(from) && -distance < size(place);
        if meets { Overlap::Known } else { Overlap::Never }
    }

    /// Structs are copied or moved by the library, whose models take one after the other.
    pub(super) fn note_copy(&mut self, element: &CType) {
        self.suspicions.copies |= element.is_record();
    }

    /// What is assumed where structs may overlap in part: only where a pointer was taken for one to something else or leads into a struct or a union, may
    /// they.
    pub(super) fn judge_views(&mut self) {
        if self.suspicions.views && self.suspicions.copies {
            self.assumptions.insert(Assumption::Apart);
        }
    }

    /// What is assumed of qualified objects: a conversion that takes qualifiers away is refused, but there are other ways to such a pointer.
    pub(super) fn judge_qualifiers(&mut self) {
        let is_qualified = !self.suspicions.constants.is_empty() || !self.suspicions.volatiles.is_empty();
        if is_qualified && self.suspicions.hidden {
            self.assumptions.insert(Assumption::Qualified);
        }
    }
}
