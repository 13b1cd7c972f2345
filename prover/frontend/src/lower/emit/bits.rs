//! Bit-fields, and integers in unions whose cells are bytes: their bits are taken from bytes and put there.

use super::{
    Emitter, Outcome,
    expressions::{Spot, value_of},
    values::{Scalar, Value},
};
use crate::lower::{
    tree::{Expression, Place},
    types::{Bits, CType, Leaf, convert, is_signed, width},
};
use goatherd_certificates::program::{Compute, Condition, Instruction, IntegerType, Operand, Operation, RegisterId, Relation, Type};

/// The bits of one byte: which byte it is, and from which bit to before which.
#[derive(Clone, Copy)]
struct Piece {
    byte: u32,
    low: u32,
    high: u32,
}

impl Piece {
    const fn count(self) -> u32 {
        self.high - self.low
    }

    const fn is_whole(self) -> bool {
        self.low == 0 && self.high == 8
    }

    /// The bits as a number.
    const fn mask(self) -> i128 {
        ((1 << self.count()) - 1) << self.low
    }
}

fn pieces(bits: Bits) -> impl Iterator<Item = Piece> {
    let end = bits.first + bits.width;
    (0..bits.bytes()).map(move |byte| {
        let low = if byte == 0 { bits.first } else { 0 };
        Piece { byte, low, high: (end - 8 * byte).min(8) }
    })
}

const BYTE: IntegerType = IntegerType::U8;

impl Emitter<'_> {
    /// The value of the bits at a place.
    pub(crate) fn read_bits(&mut self, spot: &Spot, bits: Bits, place: &Place, want: Option<RegisterId>) -> Outcome<Scalar> {
        let wide = if bits.width <= 32 { IntegerType::U32 } else { IntegerType::U64 };
        let offset = place.offset;
        let mut sum: Option<Scalar> = None;
        let mut position = 0;
        for piece in pieces(bits) {
            let mut part = self.byte_at(spot, piece, offset)?;
            if piece.low > 0 {
                part = self.apply(Operation::ShiftRight, BYTE, part, i128::from(piece.low), offset)?;
            }
            if piece.high < 8 {
                part = self.apply(Operation::And, BYTE, part, (1 << piece.count()) - 1, offset)?;
            }
            if position > 0 {
                part = self.apply(Operation::Multiply, wide, part, 1 << position, offset)?;
            }
            position += piece.count();
            sum = Some(match sum {
                None => part,
                Some(sum) => self.compute(Operation::Add, wide, sum, part, None, offset)?,
            });
        }
        let Some(sum) = sum else { return self.unsupported(offset, "a bit-field without bits") };
        Ok(self.signed_bits(sum, bits, place, want))
    }

    /// Puts a value into the bits at a place; gives the value that they then hold.
    pub(crate) fn write_bits(&mut self, spot: &Spot, bits: Bits, place: &Place, value: Scalar) -> Outcome<Scalar> {
        let wide = if bits.width <= 32 { IntegerType::U32 } else { IntegerType::U64 };
        let offset = place.offset;
        let value = Scalar::Integer(self.operand_in(value, wide, offset), wide);
        let full = if wide == IntegerType::U32 { 32 } else { 64 };
        let value = if bits.width < full { self.apply(Operation::And, wide, value, (1 << bits.width) - 1, offset)? } else { value };
        let mut rest = value;
        for piece in pieces(bits) {
            let mut part = self.converted(rest, BYTE, None, offset);
            if piece.byte + 1 < bits.bytes() {
                rest = self.apply(Operation::ShiftRight, wide, rest, i128::from(piece.count()), offset)?;
            }
            if piece.low > 0 {
                part = self.apply(Operation::Multiply, BYTE, part, 1 << piece.low, offset)?;
            }
            if !piece.is_whole() {
                let old = self.byte_at(spot, piece, offset)?;
                let others = self.apply(Operation::And, BYTE, old, 0xff & !piece.mask(), offset)?;
                part = if piece.high < 8 { self.apply(Operation::And, BYTE, part, piece.mask(), offset)? } else { part };
                part = self.compute(Operation::Add, BYTE, others, part, None, offset)?;
            }
            self.set_byte(spot, piece, part, offset)?;
        }
        Ok(self.signed_bits(value, bits, place, None))
    }

    /// What a struct holds that lies in bytes: each of its integers is made of these.
    pub(crate) fn read_whole(&mut self, place: &Place) -> Outcome<Value> {
        let spot = self.locate(place)?;
        let mut scalars = Vec::new();
        for (part, bits, place) in self.parts_in_bytes(place)? {
            scalars.push(self.read_bits(&spot.further(part), bits, &place, None)?);
        }
        Ok(value_of(&place.ctype, scalars))
    }

    /// Puts each integer of a struct into bytes; gives what they then hold.
    pub(crate) fn write_whole(&mut self, place: &Place, value: &Expression) -> Outcome<Value> {
        let values = self.evaluate(value, None)?.scalars();
        let spot = self.locate(place)?;
        let mut scalars = Vec::new();
        for ((part, bits, place), value) in self.parts_in_bytes(place)?.into_iter().zip(values) {
            scalars.push(self.write_bits(&spot.further(part), bits, &place, value)?);
        }
        Ok(value_of(&place.ctype, scalars))
    }

    /// The integers of a struct that lies in bytes: where they begin, which bits they are, and as places.
    fn parts_in_bytes(&mut self, place: &Place) -> Outcome<Vec<(u64, Bits, Place)>> {
        match self.records.leaves_in_bytes(&place.ctype.unqualified()) {
            Ok(parts) => {
                let part = |(at, ctype): (u64, CType)| ctype.bits.map(|bits| (at, bits, Place { ctype, ..place.clone() }));
                Ok(parts.into_iter().filter_map(part).collect())
            }
            Err(what) => self.unsupported(place.offset, what),
        }
    }

    /// The bits, read as a number that is not negative, as a value of their type.
    fn signed_bits(&mut self, value: Scalar, bits: Bits, place: &Place, want: Option<RegisterId>) -> Scalar {
        let offset = place.offset;
        let own = place.ctype.as_integer().unwrap_or(IntegerType::I32);
        let kind = bits.value_kind(own);
        if bits.width == width(own) || !is_signed(own) {
            return self.converted(value, kind, want, offset);
        }
        if let Scalar::Integer(Operand::Constant(constant), _) = value {
            let negative = constant >> (bits.width - 1) & 1 == 1;
            let value = if negative { constant - (1 << bits.width) } else { constant };
            return Scalar::Integer(Operand::Constant(value), kind);
        }
        let target = self.temporary(Type::Integer(kind));
        self.move_to(target, value, offset);
        let (negative, end) = (self.mark(), self.mark());
        let left = Operand::Register(target);
        let right = Operand::Constant(1 << (bits.width - 1));
        self.push_branch(Condition::Integers { relation: Relation::Less, left, right }, end, negative, offset);
        self.bind(negative);
        // Of 31 bits the number itself would be out of range, its negative is not.
        let right = Operand::Constant(-(1 << bits.width));
        self.push(Instruction::Compute(Compute { target, operation: Operation::Add, left, right }), offset);
        self.bind(end);
        Scalar::of(target, Type::Integer(kind))
    }

    /// An operation with a constant; of two constants the result is one.
    fn apply(&mut self, operation: Operation, kind: IntegerType, left: Scalar, right: i128, offset: usize) -> Outcome<Scalar> {
        if let Scalar::Integer(Operand::Constant(left), _) = left {
            let value = match operation {
                Operation::And => left & right,
                Operation::ShiftRight => left >> right,
                Operation::Multiply => left * right,
                _ => return self.unsupported(offset, "an operation on bits"),
            };
            return Ok(Scalar::Integer(Operand::Constant(convert(kind, value)), kind));
        }
        self.compute(operation, kind, left, Scalar::Integer(Operand::Constant(right), kind), None, offset)
    }

    fn byte_at(&mut self, spot: &Spot, piece: Piece, offset: usize) -> Outcome<Scalar> {
        match spot {
            Spot::Scalars(scalars) => {
                let scalar = self.scalar_at(scalars, &byte_leaf(piece), offset)?;
                // A byte that is read keeps its value when the place is written.
                Ok(self.copied(scalar, offset))
            }
            Spot::Memory { address, displacement } => {
                let target = self.temporary(Type::Integer(BYTE));
                let total = displacement.saturating_add(i64::from(piece.byte));
                self.push(Instruction::Load { target, address: *address, offset: total }, offset);
                Ok(Scalar::of(target, Type::Integer(BYTE)))
            }
        }
    }

    fn set_byte(&mut self, spot: &Spot, piece: Piece, value: Scalar, offset: usize) -> Outcome<()> {
        match spot {
            Spot::Scalars(scalars) => {
                let target = self.scalar_at(scalars, &byte_leaf(piece), offset)?;
                let Some(register) = target.register() else { return self.unsupported(offset, "an assignment to a constant") };
                self.move_to(register, value, offset);
            }
            Spot::Memory { address, displacement } => {
                self.store(*address, *displacement, &byte_leaf(piece), value, offset);
            }
        }
        Ok(())
    }
}

fn byte_leaf(piece: Piece) -> Leaf {
    Leaf { name: String::new(), offset: u64::from(piece.byte), kind: Type::Integer(BYTE), pointee: None }
}
