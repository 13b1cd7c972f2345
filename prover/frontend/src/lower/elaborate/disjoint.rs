//! Where `|` and `^` are sums: their operands have no set bit in common (C11 6.5.11p4, 6.5.12p4), as in `high << 8 | low` with a byte `low`. Of a sum
//! more is known than of a bitwise operation.

use crate::lower::{
    tree::{Expression, ExpressionKind},
    types::{is_signed, maximum, width},
};
use goatherd_certificates::program::{IntegerType, Operation};

/// So deep operands are looked into: four bytes that are put together take six, eight bytes ten.
const DEPTH: u32 = 12;

/// Addition, where the operation on the operands, which are of this type, is one.
pub(super) fn as_sum(operation: Operation, kind: IntegerType, left: &Expression, right: &Expression) -> Operation {
    let is_sum = matches!(operation, Operation::Or | Operation::Xor)
        && bits(left, kind, DEPTH).zip(bits(right, kind, DEPTH)).is_some_and(|(left, right)| left & right == 0);
    if is_sum { Operation::Add } else { operation }
}

/// The bits that may be set in the expression of this type, if it is not negative; none where it may be.
fn bits(expression: &Expression, kind: IntegerType, depth: u32) -> Option<i128> {
    let any = if is_signed(kind) { None } else { Some(maximum(kind)) };
    let Some(depth) = depth.checked_sub(1) else { return any };
    match &expression.kind {
        ExpressionKind::Constant(value) => (*value >= 0).then_some(*value),
        ExpressionKind::Convert(inner) => {
            let inner = inner.ctype.as_integer().and_then(|kind| bits(inner, kind, depth));
            inner.filter(|inner| kind != IntegerType::Bool && *inner <= maximum(kind)).or(any)
        }
        ExpressionKind::Binary(operation @ (Operation::ShiftLeft | Operation::ShiftRight), left, right) => {
            let amount = right.as_constant().and_then(|amount| u32::try_from(amount).ok()).filter(|amount| *amount < width(kind));
            let Some((left, amount)) = bits(left, kind, depth).zip(amount) else { return any };
            // Of 64 bits at most 63 come in front.
            let moved = if *operation == Operation::ShiftLeft { left.checked_shl(amount)? } else { left.checked_shr(amount)? };
            if moved <= maximum(kind) { Some(moved) } else { any.map(|any| moved & any) }
        }
        ExpressionKind::Binary(operation, left, right) => {
            let (left, right) = (bits(left, kind, depth), bits(right, kind, depth));
            match (operation, left, right) {
                (Operation::And, Some(left), Some(right)) => Some(left & right),
                // What a negative operand has in common with another one is a part of that.
                (Operation::And, Some(known), None) | (Operation::And, None, Some(known)) => Some(known),
                (Operation::Or | Operation::Xor, Some(left), Some(right)) => Some(left | right),
                (Operation::Add, Some(left), Some(right)) if left & right == 0 => Some(left | right),
                _ => any,
            }
        }
        _ => any,
    }
}
