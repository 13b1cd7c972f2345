//! Structs that are assigned from an object which overlaps them otherwise than exactly (C11 6.5.16.1p3).

use super::{
    Emitter, Outcome,
    expressions::Spot,
    values::{Scalar, Value},
};
use crate::lower::{
    tree::{Base, Expression, ExpressionKind, GlobalId, Place, VariableId},
    types::{CType, Leaf, width},
};
use goatherd_certificates::program::{
    Advance, Condition, FailKind, Instruction, IntegerType, Operand, PointerOperand, RegisterId, Relation, Type,
};

/// How two places of one struct type may lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lie {
    /// One is the other, or they have no byte in common.
    Apart,
    Overlapping,
    Unknown,
}

impl Emitter<'_> {
    /// The value that is assigned to a place; fails where it is read from an object that overlaps the place.
    pub(crate) fn assigned(&mut self, place: &Place, value: &Expression, offset: usize) -> Outcome<(Value, Option<Spot>)> {
        let ExpressionKind::Read(source) = &value.kind else {
            if place.ctype.is_record() && sources(value).into_iter().any(|source| self.lie(place, source) != Lie::Apart) {
                return self.unsupported(offset, "a struct assigned from one of several that it may overlap");
            }
            return Ok((self.evaluate(value, None)?, None));
        };
        let lie = if place.ctype.is_record() { self.lie(place, source) } else { Lie::Apart };
        if lie == Lie::Apart {
            return Ok((self.evaluate(value, None)?, None));
        }
        let from = self.locate(source)?;
        let value = self.held_at(&from, source, None, None)?;
        let to = self.locate(place)?;
        match (lie, &from, &to) {
            (Lie::Overlapping, _, _) => self.push(Instruction::Fail { kind: FailKind::Unreachable }, offset),
            (_, Spot::Memory { address: one, displacement: first }, Spot::Memory { address: two, displacement: second }) => {
                let (one, two) = (self.moved_by(*one, *first, offset), self.moved_by(*two, *second, offset));
                self.fail_if_overlapping(one, two, &place.ctype, offset);
            }
            // What is in registers has no address.
            _ => {}
        }
        Ok((value, Some(to)))
    }

    fn moved_by(&mut self, base: RegisterId, bytes: i64, offset: usize) -> RegisterId {
        if bytes == 0 {
            return base;
        }
        let target = self.temporary(Type::Pointer);
        self.push(Instruction::Advance(Advance { target, base, index: Operand::Constant(i128::from(bytes)), scale: 1 }), offset);
        target
    }

    /// Draws a distance below the size, and fails if one pointer is that far behind the other: a proof is one for all distances.
    fn fail_if_overlapping(&mut self, one: RegisterId, two: RegisterId, ctype: &CType, offset: usize) {
        let size = self.records.size(ctype).unwrap_or(0);
        let step = self.records.alignment(ctype).unwrap_or(1).max(1);
        let Scalar::Integer(steps, _) = self.any_integer(IntegerType::U64, None, offset) else { return };
        let end = self.mark();
        let limit = Operand::Constant(i128::from(size.div_ceil(step)));
        let (some, few, other, fails) = (self.mark(), self.mark(), self.mark(), self.mark());
        self.push_branch(Condition::Integers { relation: Relation::Equal, left: steps, right: Operand::Constant(0) }, end, some, offset);
        self.bind(some);
        self.push_branch(Condition::Integers { relation: Relation::Less, left: steps, right: limit }, few, end, offset);
        self.bind(few);
        let scale = i64::try_from(step).unwrap_or(1);
        for (base, behind, next) in [(one, two, other), (two, one, end)] {
            let target = self.temporary(Type::Pointer);
            self.push(Instruction::Advance(Advance { target, base, index: steps, scale }), offset);
            let right = PointerOperand::Register(behind);
            let left = PointerOperand::Register(target);
            self.push_branch(Condition::Pointers { relation: Relation::Equal, left, right }, fails, next, offset);
            if next == other {
                self.bind(other);
            }
        }
        self.bind(fails);
        self.push(Instruction::Fail { kind: FailKind::Unreachable }, offset);
        self.bind(end);
    }

    /// How two places of a struct type may lie.
    fn lie(&self, place: &Place, source: &Place) -> Lie {
        let Some(size) = self.records.size(&place.ctype).and_then(|size| i64::try_from(size).ok()).filter(|size| *size > 0) else {
            return Lie::Apart;
        };
        if matches!(source.base, Base::Value(_) | Base::Literal(..)) {
            return Lie::Apart;
        }
        if let (Some(one), Some(two)) = (start_of(place, size), start_of(source, size)) {
            let is_whole = one.bytes.wrapping_sub(two.bytes) % size == 0;
            let is_far = one.bytes.abs_diff(two.bytes) >= size.unsigned_abs();
            match (one.from == two.from, one.is_fixed && two.is_fixed) {
                (true, _) if is_whole => return Lie::Apart,
                (true, true) => return if is_far { Lie::Apart } else { Lie::Overlapping },
                (false, _) if one.from.is_object() && two.from.is_object() => return Lie::Apart,
                _ => {}
            }
        }
        if self.may_overlap(&place.ctype) { Lie::Unknown } else { Lie::Apart }
    }

    /// Can two structs of this type have bytes in common and not lie at one place, if what both have are whole cells of the same kind? A struct
    /// whose members differ in width cannot.
    fn may_overlap(&self, ctype: &CType) -> bool {
        let (Some(size), Some(step)) = (self.records.size(ctype), self.records.alignment(ctype).filter(|step| *step > 0)) else {
            return true;
        };
        let Ok(leaves) = self.records.leaves(&ctype.unqualified()) else { return true };
        let steps = (1..size.div_ceil(step)).map(|steps| steps * step);
        steps.into_iter().any(|distance| {
            leaves.iter().all(|leaf| {
                let (begin, end) = (leaf.offset + distance, leaf.offset + distance + bytes(leaf));
                // Sorted by offset: the last one that begins before the end is the last one that may be met.
                let before = leaves.partition_point(|other| other.offset < end);
                leaves[..before].iter().rev().take_while(|other| other.offset + bytes(other) > begin).all(|other| {
                    other.offset == begin && bytes(other) == bytes(leaf) && (other.kind == Type::Pointer) == (leaf.kind == Type::Pointer)
                })
            })
        })
    }
}

/// What a place is counted from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Variable(VariableId),
    Global(GlobalId),
    /// What this variable points to.
    Target(VariableId),
}

impl From {
    fn is_object(self) -> bool {
        !matches!(self, Self::Target(_))
    }
}

/// A place as so many bytes behind something, and any number of whole structs more if it is not fixed.
struct Start {
    from: From,
    bytes: i64,
    is_fixed: bool,
}

fn start_of(place: &Place, size: i64) -> Option<Start> {
    let start = match &place.base {
        Base::Variable(id) => Start { from: From::Variable(*id), bytes: 0, is_fixed: true },
        Base::Global(id) => Start { from: From::Global(*id), bytes: 0, is_fixed: true },
        Base::Pointer(pointer) => start_of_target(pointer, size)?,
        Base::Value(_) | Base::Literal(..) => return None,
    };
    Some(Start { bytes: start.bytes.checked_add(place.displacement)?, ..start })
}

/// Where a pointer points to. Nothing on the way may be changed by what is evaluated with it.
fn start_of_target(pointer: &Expression, size: i64) -> Option<Start> {
    match &pointer.kind {
        ExpressionKind::Convert(inner) if inner.ctype.is_pointer() => start_of_target(inner, size),
        ExpressionKind::AddressOf(place) => start_of(place, size),
        ExpressionKind::Read(place) if place.displacement == 0 && place.ctype.is_pointer() && !place.ctype.volatile => match place.base {
            Base::Variable(id) => Some(Start { from: From::Target(id), bytes: 0, is_fixed: true }),
            _ => None,
        },
        ExpressionKind::Advance { base, index, scale } if scale % size == 0 && is_plain(index) => {
            Some(Start { is_fixed: false, ..start_of_target(base, size)? })
        }
        _ => None,
    }
}

fn is_plain(index: &Expression) -> bool {
    match &index.kind {
        ExpressionKind::Constant(_) => true,
        ExpressionKind::Read(place) => matches!(place.base, Base::Variable(_) | Base::Global(_)),
        ExpressionKind::Convert(inner) => is_plain(inner),
        ExpressionKind::Binary(_, left, right) => is_plain(left) && is_plain(right),
        _ => false,
    }
}

fn bytes(leaf: &Leaf) -> u64 {
    match leaf.kind {
        Type::Integer(kind) => u64::from(width(kind).div_ceil(8)),
        Type::Pointer => 8,
    }
}

/// The objects that a struct may be read from.
fn sources(value: &Expression) -> Vec<&Place> {
    match &value.kind {
        ExpressionKind::Read(place) => vec![place],
        ExpressionKind::Conditional(_, then, otherwise) => sources(then).into_iter().chain(sources(otherwise)).collect(),
        ExpressionKind::Comma(_, last) | ExpressionKind::Statements { value: Some(last), .. } => sources(last),
        _ => Vec::new(),
    }
}
