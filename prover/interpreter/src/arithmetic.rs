//! C's integers as mathematical values (`spec/program.md#integers`).

use goatherd_certificates::program::{IntegerType, Operation};

/// All integer types.
pub const TYPES: [IntegerType; 9] = [
    IntegerType::Bool,
    IntegerType::I8,
    IntegerType::U8,
    IntegerType::I16,
    IntegerType::U16,
    IntegerType::I32,
    IntegerType::U32,
    IntegerType::I64,
    IntegerType::U64,
];

/// All operations.
pub const OPERATIONS: [Operation; 10] = [
    Operation::Add,
    Operation::Subtract,
    Operation::Multiply,
    Operation::Divide,
    Operation::Remainder,
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::ShiftLeft,
    Operation::ShiftRight,
];

/// The width in bits; 8 for `_Bool`, which takes one byte of memory.
pub fn width(kind: IntegerType) -> u32 {
    match kind {
        IntegerType::Bool | IntegerType::I8 | IntegerType::U8 => 8,
        IntegerType::I16 | IntegerType::U16 => 16,
        IntegerType::I32 | IntegerType::U32 => 32,
        IntegerType::I64 | IntegerType::U64 => 64,
    }
}

/// Does the type have negative values?
pub fn is_signed(kind: IntegerType) -> bool {
    matches!(kind, IntegerType::I8 | IntegerType::I16 | IntegerType::I32 | IntegerType::I64)
}

/// The smallest value of the type.
pub fn minimum(kind: IntegerType) -> i128 {
    if is_signed(kind) { -(1i128 << (width(kind) - 1)) } else { 0 }
}

/// The largest value of the type.
pub fn maximum(kind: IntegerType) -> i128 {
    match kind {
        IntegerType::Bool => 1,
        _ if is_signed(kind) => (1i128 << (width(kind) - 1)) - 1,
        _ => (1i128 << width(kind)) - 1,
    }
}

/// Is the value one of the type's?
pub fn contains(kind: IntegerType, value: i128) -> bool {
    (minimum(kind)..=maximum(kind)).contains(&value)
}

/// The value modulo 2^width, in the type's range (C11 6.3.1.3; for `_Bool` the lowest bit).
pub fn wrap(kind: IntegerType, value: i128) -> i128 {
    if kind == IntegerType::Bool {
        return value & 1;
    }
    let low = value & ((1i128 << width(kind)) - 1);
    if low > maximum(kind) { low - (1i128 << width(kind)) } else { low }
}

/// What an operation comes to before it is wrapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Computed {
    /// In the type's range.
    Exact(i128),
    /// Out of range, or the left shift of a negative value: this is the wrapped result.
    Overflow(i128),
    /// A division by zero.
    DivisionByZero,
    /// The smallest value divided by -1, or its remainder.
    DivisionOverflow,
    /// A shift amount that is negative or not below the width.
    ShiftAmount,
}

/// Computes in `kind`, for operands inside its range (the right side of a shift: of any type).
pub fn compute(kind: IntegerType, operation: Operation, left: i128, right: i128) -> Computed {
    match operation {
        Operation::Add => fit(kind, left + right),
        Operation::Subtract => fit(kind, left - right),
        // The product of two 64-bit unsigned values may exceed 127 bits, but its low bits are right.
        Operation::Multiply => match left.checked_mul(right) {
            Some(product) => fit(kind, product),
            None => Computed::Overflow(wrap(kind, left.wrapping_mul(right))),
        },
        Operation::Divide | Operation::Remainder if right == 0 => Computed::DivisionByZero,
        Operation::Divide | Operation::Remainder if right == -1 && left == minimum(kind) => Computed::DivisionOverflow,
        Operation::Divide => Computed::Exact(left / right),
        Operation::Remainder => Computed::Exact(left % right),
        Operation::And => Computed::Exact(left & right),
        Operation::Or => Computed::Exact(left | right),
        Operation::Xor => Computed::Exact(left ^ right),
        Operation::ShiftLeft | Operation::ShiftRight if !(0..i128::from(width(kind))).contains(&right) => Computed::ShiftAmount,
        // At most 64 bits, moved by at most 63.
        Operation::ShiftLeft if left < 0 => Computed::Overflow(wrap(kind, left << right)),
        Operation::ShiftLeft => fit(kind, left << right),
        Operation::ShiftRight => Computed::Exact(left >> right),
    }
}

fn fit(kind: IntegerType, value: i128) -> Computed {
    if contains(kind, value) { Computed::Exact(value) } else { Computed::Overflow(wrap(kind, value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_is_modulo_the_width() {
        assert_eq!(wrap(IntegerType::I8, 200), -56);
        assert_eq!(wrap(IntegerType::U8, -1), 255);
        assert_eq!(wrap(IntegerType::U64, -1), (1 << 64) - 1);
        assert_eq!(wrap(IntegerType::I64, 1 << 63), -(1 << 63));
        assert_eq!(wrap(IntegerType::I32, 5), 5);
    }

    #[test]
    fn the_largest_product_wraps() {
        let most = maximum(IntegerType::U64);
        assert_eq!(compute(IntegerType::U64, Operation::Multiply, most, most), Computed::Overflow(1));
    }

    #[test]
    fn division_truncates_and_fails_where_c_says() {
        assert_eq!(compute(IntegerType::I32, Operation::Divide, -7, 2), Computed::Exact(-3));
        assert_eq!(compute(IntegerType::I32, Operation::Remainder, -7, 2), Computed::Exact(-1));
        assert_eq!(compute(IntegerType::I32, Operation::Divide, 1, 0), Computed::DivisionByZero);
        assert_eq!(compute(IntegerType::I32, Operation::Remainder, minimum(IntegerType::I32), -1), Computed::DivisionOverflow);
    }

    #[test]
    fn shifts_multiply_and_floor() {
        assert_eq!(compute(IntegerType::I32, Operation::ShiftRight, -1, 31), Computed::Exact(-1));
        assert_eq!(compute(IntegerType::I32, Operation::ShiftLeft, -1, 1), Computed::Overflow(-2));
        assert_eq!(compute(IntegerType::I32, Operation::ShiftLeft, 1, 31), Computed::Overflow(minimum(IntegerType::I32)));
        assert_eq!(compute(IntegerType::I32, Operation::ShiftLeft, 1, 32), Computed::ShiftAmount);
        assert_eq!(compute(IntegerType::U64, Operation::ShiftLeft, maximum(IntegerType::U64), 63), Computed::Overflow(1 << 63));
    }
}
