//! The integer types: their names, sizes, ranges and conversions (C11 6.2.5, 6.3.1).

use goatherd_certificates::program::IntegerType;

/// The C name of an integer type.
pub(crate) const fn integer_name(kind: IntegerType) -> &'static str {
    match kind {
        IntegerType::Bool => "_Bool",
        IntegerType::I8 => "char",
        IntegerType::U8 => "unsigned char",
        IntegerType::I16 => "short",
        IntegerType::U16 => "unsigned short",
        IntegerType::I32 => "int",
        IntegerType::U32 => "unsigned int",
        IntegerType::I64 => "long",
        IntegerType::U64 => "unsigned long",
    }
}

/// Bits of storage; `_Bool` takes a byte.
pub(crate) const fn width(kind: IntegerType) -> u32 {
    match kind {
        IntegerType::Bool | IntegerType::I8 | IntegerType::U8 => 8,
        IntegerType::I16 | IntegerType::U16 => 16,
        IntegerType::I32 | IntegerType::U32 => 32,
        IntegerType::I64 | IntegerType::U64 => 64,
    }
}

pub(crate) const fn is_signed(kind: IntegerType) -> bool {
    matches!(kind, IntegerType::I8 | IntegerType::I16 | IntegerType::I32 | IntegerType::I64)
}

/// The least value of a type.
pub(crate) const fn minimum(kind: IntegerType) -> i128 {
    if is_signed(kind) { -(1 << (width(kind) - 1)) } else { 0 }
}

/// The greatest value of a type.
pub(crate) const fn maximum(kind: IntegerType) -> i128 {
    match kind {
        IntegerType::Bool => 1,
        _ if is_signed(kind) => (1 << (width(kind) - 1)) - 1,
        _ => (1 << width(kind)) - 1,
    }
}

/// Are all values of `inner` values of `outer`?
pub(crate) const fn includes(outer: IntegerType, inner: IntegerType) -> bool {
    minimum(outer) <= minimum(inner) && maximum(inner) <= maximum(outer)
}

pub(crate) const fn in_range(kind: IntegerType, value: i128) -> bool {
    minimum(kind) <= value && value <= maximum(kind)
}

/// The value converted to a type (C11 6.3.1.2, 6.3.1.3; signed types wrap, as GCC defines).
pub(crate) const fn convert(kind: IntegerType, value: i128) -> i128 {
    if matches!(kind, IntegerType::Bool) {
        return (value != 0) as i128;
    }
    let modulus = 1_i128 << width(kind);
    let residue = value.rem_euclid(modulus);
    if residue > maximum(kind) { residue - modulus } else { residue }
}

/// Integer promotion (C11 6.3.1.1p2).
pub(crate) const fn promote(kind: IntegerType) -> IntegerType {
    if width(kind) < 32 { IntegerType::I32 } else { kind }
}

/// The usual arithmetic conversions on integers (C11 6.3.1.8). In the order int, unsigned, long, unsigned long each type either holds all
/// values of the ones before it or wins over them, so the greater one is the common type.
pub(crate) fn common(left: IntegerType, right: IntegerType) -> IntegerType {
    promote(left).max(promote(right))
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_wrap_into_the_type() {
        assert_eq!(convert(IntegerType::I8, 200), -56);
        assert_eq!(convert(IntegerType::U8, -1), 255);
        assert_eq!(convert(IntegerType::Bool, 256), 1);
        assert_eq!(convert(IntegerType::U64, -1), i128::from(u64::MAX));
        assert_eq!(convert(IntegerType::I32, 1 << 31), -(1 << 31));
    }

    #[test]
    fn common_types_follow_the_standard() {
        assert_eq!(common(IntegerType::I8, IntegerType::U8), IntegerType::I32);
        assert_eq!(common(IntegerType::I32, IntegerType::U32), IntegerType::U32);
        assert_eq!(common(IntegerType::U32, IntegerType::I64), IntegerType::I64);
        assert_eq!(common(IntegerType::I64, IntegerType::U64), IntegerType::U64);
    }
}
