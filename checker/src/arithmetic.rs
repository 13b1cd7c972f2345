//! Checked arithmetic and the ranges of C's integer types (`spec/program.md#data-model`).

use crate::{Rejection, Result};
use goatherd_certificates::{IntegerType, Operation};

/// The sum, or a rejection.
pub fn add(left: i128, right: i128) -> Result<i128> {
    left.checked_add(right).ok_or(Rejection::Overflow)
}

/// The difference, or a rejection.
pub fn subtract(left: i128, right: i128) -> Result<i128> {
    left.checked_sub(right).ok_or(Rejection::Overflow)
}

/// The product, or a rejection.
pub fn multiply(left: i128, right: i128) -> Result<i128> {
    left.checked_mul(right).ok_or(Rejection::Overflow)
}

/// The greatest integer not above `value / divisor`, and what is left over; the divisor is positive.
pub fn divide(value: i128, divisor: i128) -> Result<(i128, i128)> {
    let quotient = value.checked_div_euclid(divisor);
    let rest = value.checked_rem_euclid(divisor);
    quotient.zip(rest).ok_or(Rejection::Overflow)
}

/// Least and greatest value of a type.
pub const fn range(kind: IntegerType) -> (i128, i128) {
    match kind {
        IntegerType::Bool => (0, 1),
        IntegerType::I8 => (-0x80, 0x7f),
        IntegerType::U8 => (0, 0xff),
        IntegerType::I16 => (-0x8000, 0x7fff),
        IntegerType::U16 => (0, 0xffff),
        IntegerType::I32 => (-0x8000_0000, 0x7fff_ffff),
        IntegerType::U32 => (0, 0xffff_ffff),
        IntegerType::I64 => (-0x8000_0000_0000_0000, 0x7fff_ffff_ffff_ffff),
        IntegerType::U64 => (0, 0xffff_ffff_ffff_ffff),
    }
}

/// Width in bits, as stored.
pub const fn width(kind: IntegerType) -> u32 {
    let (least, greatest) = range(kind);
    greatest.abs_diff(least).count_ones().next_multiple_of(8)
}

/// `2^bits`; bits are below 127.
pub fn power(bits: u32) -> Result<i128> {
    2i128.checked_pow(bits).ok_or(Rejection::Overflow)
}

/// The least power of two in a sum of different ones, such as a mask of bits; 1 for the empty sum.
pub fn lowest_bit(mask: i128) -> Result<i128> {
    Ok((mask & subtract(0, mask)?).max(1))
}

/// How many values a type has: the period of its wrap-around.
pub fn period(kind: IntegerType) -> Result<i128> {
    let (least, greatest) = range(kind);
    add(subtract(greatest, least)?, 1)
}

/// Is the value one of the type?
pub fn fits(value: i128, kind: IntegerType) -> bool {
    let (least, greatest) = range(kind);
    least <= value && value <= greatest
}

/// The value of the type that is equal modulo its period.
pub fn reduce(value: i128, kind: IntegerType) -> Result<i128> {
    let (least, _) = range(kind);
    add(divide(subtract(value, least)?, period(kind)?)?.1, least)
}

/// The operation, as [`goatherd_certificates::term::Atom::Apply`] defines it: total, both arguments and the result reduced to the type, 0
/// where C defines nothing.
pub fn apply(operation: Operation, kind: IntegerType, left: i128, right: i128) -> Result<i128> {
    let (left, right) = (reduce(left, kind)?, reduce(right, kind)?);
    let amount = u32::try_from(right)
        .ok()
        .filter(|amount| *amount < width(kind));
    let result = match (operation, amount) {
        (Operation::Add, _) => add(left, right)?,
        (Operation::Subtract, _) => subtract(left, right)?,
        (Operation::Multiply, _) => multiply(left, right)?,
        (Operation::Divide, _) => left.checked_div(right).unwrap_or(0),
        (Operation::Remainder, _) => left.checked_rem(right).unwrap_or(0),
        (Operation::And, _) => left & right,
        (Operation::Or, _) => left | right,
        (Operation::Xor, _) => left ^ right,
        (Operation::ShiftLeft, Some(amount)) => multiply(left, power(amount)?)?,
        (Operation::ShiftRight, Some(amount)) => divide(left, power(amount)?)?.0,
        (Operation::ShiftLeft | Operation::ShiftRight, None) => 0,
    };
    reduce(result, kind)
}
