//! Integers that lie in unions where pointers do (`spec/program.md#unions-of-pointers`).
//!
//! There is one cell, that of the pointer. What is written to an integer is, as a number, an element of the object that stands for numbers; to read one
//! is to ask how far it is from the first of these, which fails of all other pointers.

use super::{Elaborator, Outcome, places::is_repeatable, unions::Parts};
use crate::lower::{
    tree::{Base, Builtin, Change, Expression, ExpressionKind, Item, Place, ResultOf},
    types::{Bits, CType, Holder, is_signed, width},
};
use goatherd_certificates::program::{IntegerType, Operation};

/// Numbers that are set one by one in an object that is initialised.
const ZERO_LIMIT: usize = 256;

impl Elaborator<'_> {
    /// The integer that was written last to a place; fails if that was a pointer.
    pub(super) fn number_held(&mut self, place: Place, bits: Bits) -> Outcome<Expression> {
        let (ctype, offset) = (place.ctype.unqualified(), place.offset);
        let pointer = Expression::new(ExpressionKind::Read(Box::new(as_pointer(place))), pointer(), offset);
        self.number_inside_of(pointer, &ctype, bits, offset)
    }

    /// `place = value`, where the value is of the place's type.
    pub(super) fn set_number(&mut self, place: Place, bits: Bits, value: Expression, offset: usize) -> Outcome<Expression> {
        let ctype = place.ctype.unqualified();
        let value = self.number_in_cell(value, bits, offset)?;
        let kind = ExpressionKind::Assign { place: Box::new(as_pointer(place)), value: Box::new(value) };
        self.number_inside_of(Expression::new(kind, pointer(), offset), &ctype, bits, offset)
    }

    /// `place += value` and its like: the place is looked up for what it holds, and once more for what it is given.
    pub(super) fn change_number(
        &mut self,
        place: Place,
        bits: Bits,
        change: Change,
        result: ResultOf,
        offset: usize,
    ) -> Outcome<Expression> {
        let is_twice_the_same = match &place.base {
            Base::Variable(_) | Base::Global(_) => true,
            Base::Pointer(inner) => is_repeatable(inner),
            Base::Value(_) | Base::Literal(..) => false,
        };
        let Change::Integer { operation, operand, kind } = change else {
            return self.error(offset, "a change of an integer by something else");
        };
        if !is_twice_the_same {
            return self.unsupported(offset, "a change of an integer that overlaps a pointer in a union, at a place with side effects");
        }
        let (ctype, wide) = (place.ctype.unqualified(), CType::integer(kind));
        let own = CType { bits: None, ..ctype.clone() };
        let before = self.read(place.clone())?;
        let before = self.convert(before, &wide, offset)?;
        let after = Expression::new(ExpressionKind::Binary(operation, Box::new(before), operand.clone()), wide, offset);
        let after = self.convert(after, &own, offset)?;
        let after = self.set_number(place, bits, after, offset)?;
        let undone = match (result, operation) {
            (ResultOf::After, _) => return Ok(after),
            (ResultOf::Before, Operation::Add) => Operation::Subtract,
            (ResultOf::Before, _) => Operation::Add,
        };
        // Without a sign nothing overflows on the way back.
        let number = CType::integer(IntegerType::U64);
        let (after, operand) = (self.convert(after, &number, offset)?, self.convert(*operand, &number, offset)?);
        let before = Expression::new(ExpressionKind::Binary(undone, Box::new(after), Box::new(operand)), number, offset);
        self.lowest_bits(before, own.as_integer().unwrap_or(IntegerType::I64), bits)
    }

    /// The number as a pointer; the bits that the integer does not have are any.
    pub(super) fn number_in_cell(&mut self, value: Expression, bits: Bits, offset: usize) -> Outcome<Expression> {
        self.has_numbers = true;
        self.approximate.insert(offset);
        let number = CType::integer(IntegerType::I64);
        let value = self.convert(value, &number, offset)?;
        let index = if bits.width == 64 { value } else { self.with_other_bits(value, bits.width, offset)? };
        let kind = ExpressionKind::Advance { base: Box::new(numbers(offset)), index: Box::new(index), scale: 1, within: None };
        Ok(Expression::new(kind, pointer(), offset))
    }

    /// A number that has these lowest bits of a value, and any others. No sum in it wraps.
    fn with_other_bits(&mut self, value: Expression, width: u32, offset: usize) -> Outcome<Expression> {
        let number = CType::integer(IntegerType::I64);
        let others = if width == 32 {
            let others = self.any_value(&CType::int(), offset);
            self.convert(others, &number, offset)?
        } else {
            let others = self.any_value(&number, offset);
            applied(Operation::ShiftRight, others, i128::from(width))
        };
        let kind = match width {
            8 => Some(IntegerType::U8),
            16 => Some(IntegerType::U16),
            32 => Some(IntegerType::U32),
            _ => None,
        };
        let low = match kind {
            Some(kind) => {
                let low = self.convert(value, &CType::integer(kind), offset)?;
                self.convert(low, &number, offset)?
            }
            None => applied(Operation::And, value, (1 << width) - 1),
        };
        let high = applied(Operation::Multiply, others, 1 << width);
        Ok(Expression::new(ExpressionKind::Binary(Operation::Add, Box::new(high), Box::new(low)), number, offset))
    }

    /// Any value of an integer type, where C says less.
    fn any_value(&mut self, ctype: &CType, offset: usize) -> Expression {
        self.approximate.insert(offset);
        Expression::new(ExpressionKind::Builtin(Builtin::Arbitrary), ctype.unqualified(), offset)
    }

    /// The lowest bits of a number as an integer that consists of them, or as a bit-field of this type.
    fn lowest_bits(&mut self, number: Expression, kind: IntegerType, bits: Bits) -> Outcome<Expression> {
        let offset = number.offset;
        if bits.width == width(kind) {
            return self.convert(number, &CType::integer(kind), offset);
        }
        let unsigned = self.convert(number, &CType::integer(IntegerType::U64), offset)?;
        let free = i128::from(64 - bits.width);
        let upper = applied(Operation::ShiftLeft, unsigned, free);
        let wide = if is_signed(kind) { IntegerType::I64 } else { IntegerType::U64 };
        let upper = self.convert(upper, &CType::integer(wide), offset)?;
        let own = bits.value_kind(kind);
        let mut value = self.convert(applied(Operation::ShiftRight, upper, free), &CType::integer(own), offset)?;
        // Compilers have types of their own for what is in bit-fields.
        value.ctype.bits = Some(Bits { first: 0, width: width(own), holder: Holder::Bytes });
        Ok(value)
    }

    /// The bits of the number that the pointer stands for, as an integer of this type.
    fn number_inside_of(&mut self, held: Expression, ctype: &CType, bits: Bits, offset: usize) -> Outcome<Expression> {
        self.has_numbers = true;
        self.approximate.insert(offset);
        let kind = ExpressionKind::Distance { left: Box::new(held), right: Box::new(numbers(offset)), scale: 1 };
        let number = Expression::new(kind, CType::integer(IntegerType::I64), offset);
        self.lowest_bits(number, ctype.as_integer().unwrap_or(IntegerType::I64), bits)
    }

    /// Unions whose first member is an integer are zero where nothing else is said, and so is the number.
    pub(super) fn add_zero_numbers(&mut self, parts: &mut Parts, ctype: &CType, offset: usize) -> Outcome<()> {
        let mut places = Vec::new();
        self.records.zero_numbers(ctype, 0, &mut places);
        let is_set = |place: &u64| {
            parts.items.iter().any(|item| {
                let size = self.records.size(&item.value.ctype).unwrap_or(0);
                item.offset <= *place && *place < item.offset + size
            }) || parts.unions.iter().any(|known| known.offset == *place)
        };
        places.retain(|place| !is_set(place));
        if places.len() > ZERO_LIMIT {
            return self.unsupported(offset, "an initialiser of an object with more than 256 unions of pointers and integers");
        }
        for place in places {
            let zero = Expression::constant(0, CType::integer(IntegerType::I64), offset);
            let bits = Bits { first: 0, width: 64, holder: Holder::Pointer };
            parts.items.push(Item::new(place, self.number_in_cell(zero, bits, offset)?));
        }
        Ok(())
    }
}

fn pointer() -> CType {
    CType::void().pointer_to()
}

/// The pointer's cell in which an integer lies.
pub(super) fn as_pointer(place: Place) -> Place {
    Place { ctype: pointer(), ..place }
}

fn numbers(offset: usize) -> Expression {
    Expression::new(ExpressionKind::Builtin(Builtin::Numbers), pointer(), offset)
}

/// An operation with a constant, in the type of its left side.
fn applied(operation: Operation, left: Expression, right: i128) -> Expression {
    let (ctype, offset) = (left.ctype.clone(), left.offset);
    let right = Expression::constant(right, ctype.clone(), offset);
    Expression::new(ExpressionKind::Binary(operation, Box::new(left), Box::new(right)), ctype, offset)
}
