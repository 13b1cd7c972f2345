//! Assignment, compound assignment, increment and decrement.

use super::{
    Emitter, Outcome,
    expressions::{Spot, value_of},
    values::{Scalar, Value},
};
use crate::lower::{
    tree::{Change, Expression, Place, ResultOf},
    types::Leaf,
};
use goatherd_certificates::program::{Advance, Instruction, IntegerType, Operation, RegisterId, Type};

impl Emitter<'_> {
    /// `place = value`; gives the value that the place then holds.
    pub(crate) fn assign(&mut self, place: &Place, value: &Expression, offset: usize) -> Outcome<Value> {
        if let Some(bits) = place.ctype.bits {
            let value = self.scalar(value, None)?;
            let spot = self.locate(place)?;
            return self.write_bits(&spot, bits, place, value).map(Value::Scalar);
        }
        if place.ctype.in_bytes && place.ctype.is_record() {
            return self.write_whole(place, value);
        }
        let leaves = self.leaves(&place.ctype.unqualified(), offset)?;
        if let ([leaf], crate::lower::tree::Base::Variable(_) | crate::lower::tree::Base::Global(_)) = (&leaves[..], &place.base)
            && place.ctype.is_scalar()
            && let Spot::Scalars(scalars) = self.locate_quietly(place)?
        {
            let target = self.scalar_at(&scalars, leaf, offset)?;
            let Some(register) = target.register() else { return self.unsupported(offset, "an assignment to a constant") };
            self.evaluate_into(value, register)?;
            let stored = self.as_leaf(target, leaf, offset);
            return Ok(value_of(&place.ctype, vec![stored]));
        }
        let mut scalars = self.evaluate(value, None)?.scalars();
        match self.locate(place)? {
            Spot::Scalars(known) => {
                for (leaf, scalar) in leaves.iter().zip(&mut scalars) {
                    let target = self.scalar_at(&known, leaf, offset)?;
                    if let Some(register) = target.register() {
                        self.move_to(register, *scalar, offset);
                    }
                    *scalar = self.as_leaf(target, leaf, offset);
                }
            }
            Spot::Memory { address, displacement } => {
                for (leaf, scalar) in leaves.iter().zip(&mut scalars) {
                    *scalar = self.store(address, displacement, leaf, *scalar, offset);
                }
            }
        }
        Ok(value_of(&place.ctype, scalars))
    }

    /// Finds a place that needs no evaluation, without writing instructions for one in memory.
    fn locate_quietly(&mut self, place: &Place) -> Outcome<Spot> {
        let start = self.lines.len();
        let in_use = self.temporaries_in_use();
        let spot = self.locate(place)?;
        if matches!(spot, Spot::Memory { .. }) {
            self.lines.truncate(start);
            self.release(in_use);
        }
        Ok(spot)
    }

    /// Writes a scalar to memory; gives what was written.
    pub(crate) fn store(&mut self, address: RegisterId, displacement: i64, leaf: &Leaf, scalar: Scalar, offset: usize) -> Scalar {
        let source = self.in_register(scalar, leaf.kind, offset);
        let total = displacement.saturating_add_unsigned(leaf.offset);
        self.push(Instruction::Store { address, offset: total, source }, offset);
        Scalar::of(source, leaf.kind)
    }

    /// Changes a place; gives the value before or after.
    pub(crate) fn update(&mut self, place: &Place, change: &Change, result: ResultOf, offset: usize) -> Outcome<Scalar> {
        let leaves = self.leaves(&place.ctype.unqualified(), offset)?;
        let [leaf] = &leaves[..] else { return self.unsupported(offset, "a change of something that is no scalar") };
        let operand = match change {
            Change::Integer { operand, .. } => self.scalar(operand, None)?,
            Change::Pointer { index, .. } => self.scalar(index, None)?,
        };
        if let Some(bits) = place.ctype.bits {
            let spot = self.locate(place)?;
            let old = self.read_bits(&spot, bits, place, None)?;
            let new = self.changed(old, leaf.kind, change, operand, None, offset)?;
            let new = self.write_bits(&spot, bits, place, new)?;
            return Ok(if result == ResultOf::Before { old } else { new });
        }
        match self.locate(place)? {
            Spot::Scalars(scalars) => {
                let target = self.scalar_at(&scalars, leaf, offset)?;
                let Some(register) = target.register() else { return self.unsupported(offset, "a change of a constant") };
                if let Some(old) = self.volatile_value(place, offset) {
                    let new = self.changed(old, leaf.kind, change, operand, Some(register), offset)?;
                    self.move_to(register, new, offset);
                    return Ok(if result == ResultOf::Before { old } else { self.as_leaf(target, leaf, offset) });
                }
                // Only straight code can wait; the change of a `_Bool` branches.
                let branches = leaf.kind == Type::Integer(IntegerType::Bool);
                let waits = result == ResultOf::Before && !branches;
                let before = if result == ResultOf::Before && branches { self.copied(target, offset) } else { target };
                let before = if result == ResultOf::Before { self.as_leaf(before, leaf, offset) } else { before };
                let start = self.lines.len();
                let new = self.changed(target, leaf.kind, change, operand, Some(register), offset)?;
                self.move_to(register, new, offset);
                if waits {
                    self.postpone(register, start);
                }
                Ok(if result == ResultOf::Before { before } else { self.as_leaf(target, leaf, offset) })
            }
            Spot::Memory { address, displacement } => {
                let old = self.temporary(leaf.kind);
                let total = displacement.saturating_add_unsigned(leaf.offset);
                self.push(Instruction::Load { target: old, address, offset: total }, offset);
                let old = self.volatile_value(place, offset).unwrap_or(Scalar::of(old, leaf.kind));
                let new = self.changed(old, leaf.kind, change, operand, None, offset)?;
                let new = self.store(address, displacement, leaf, new, offset);
                Ok(if result == ResultOf::Before { old } else { new })
            }
        }
    }

    /// What a read of a volatile integer gives: any value (C11 6.7.3p7).
    fn volatile_value(&mut self, place: &Place, offset: usize) -> Option<Scalar> {
        let kind = place.ctype.as_integer().filter(|_| place.ctype.volatile)?;
        Some(self.any_integer(kind, None, offset))
    }

    /// The value that a change makes of another, in the type of the place.
    fn changed(
        &mut self,
        old: Scalar,
        kind: Type,
        change: &Change,
        operand: Scalar,
        want: Option<RegisterId>,
        offset: usize,
    ) -> Outcome<Scalar> {
        match (change, kind) {
            (Change::Pointer { scale, .. }, _) => {
                let index = self.integer(operand, offset)?;
                let base = self.pointer_register(old, offset);
                let target = self.target(want, Type::Pointer);
                self.push(Instruction::Advance(Advance { target, base, index, scale: *scale }), offset);
                Ok(Scalar::of(target, Type::Pointer))
            }
            (Change::Integer { operation, kind, .. }, Type::Integer(own)) => {
                // Sums and bitwise operations on small unsigned numbers are the same modulo their size in the small type.
                let modular = matches!(own, IntegerType::U8 | IntegerType::U16)
                    && matches!(operation, Operation::Add | Operation::Subtract | Operation::And | Operation::Or | Operation::Xor)
                    && Self::fits(operand, own);
                if modular {
                    return self.compute(*operation, own, old, operand, want, offset);
                }
                let new = self.compute(*operation, *kind, old, operand, want, offset)?;
                if own == IntegerType::Bool {
                    let target = self.target(want, Type::Integer(own));
                    return Ok(self.normalised(new, target, offset));
                }
                Ok(self.converted(new, own, want, offset))
            }
            (Change::Integer { .. }, Type::Pointer) => self.unsupported(offset, "integer arithmetic on a pointer"),
        }
    }
}
