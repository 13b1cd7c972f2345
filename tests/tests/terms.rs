//! Terms mean what the specification says, and refutations refute.

use goatherd_certificates::program::{IntegerType, Operation};
use goatherd_checker::arithmetic;
use goatherd_interpreter::{
    Random,
    arithmetic::{OPERATIONS, TYPES},
};
use goatherd_tests::{
    conformance::{Census, programs::value},
    deductions, random_terms,
    valuation::{apply, reduce},
};

#[test]
fn normal_forms_ranges_and_substitution_keep_the_meaning() {
    let faults: Vec<_> = (0..600).filter_map(|seed| random_terms::run(seed).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_refuted_has_no_model() {
    let mut census = Census::new();
    let faults: Vec<_> = (0..4000).filter_map(|seed| deductions::run(seed, &mut census).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("{census:?}");
    for kind in ["Axiom", "Case", "Combine", "Congruence", "Convert", "Evaluate", "ReadOther", "ReadSame", "Tighten", "rejected"] {
        assert!(census.contains_key(kind), "{kind}: {census:?}");
    }
}

/// The processor's own arithmetic in a type; none where C defines nothing.
macro_rules! native {
    ($kind:ty, $operation:expr, $left:expr, $right:expr) => {{
        let (left, right) = ($left as $kind, $right as $kind);
        let amount = u32::try_from(right).ok().filter(|amount| *amount < <$kind>::BITS);
        match $operation {
            Operation::Add => Some(left.wrapping_add(right)),
            Operation::Subtract => Some(left.wrapping_sub(right)),
            Operation::Multiply => Some(left.wrapping_mul(right)),
            Operation::Divide => left.checked_div(right),
            Operation::Remainder => left.checked_rem(right),
            Operation::And => Some(left & right),
            Operation::Or => Some(left | right),
            Operation::Xor => Some(left ^ right),
            Operation::ShiftLeft => amount.map(|amount| left << amount),
            Operation::ShiftRight => amount.map(|amount| left >> amount),
        }
        .map(i128::from)
    }};
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the casts are what is tested")]
fn native(kind: IntegerType, operation: Operation, left: i128, right: i128) -> Option<i128> {
    match kind {
        IntegerType::Bool => None,
        IntegerType::I8 => native!(i8, operation, left, right),
        IntegerType::U8 => native!(u8, operation, left, right),
        IntegerType::I16 => native!(i16, operation, left, right),
        IntegerType::U16 => native!(u16, operation, left, right),
        IntegerType::I32 => native!(i32, operation, left, right),
        IntegerType::U32 => native!(u32, operation, left, right),
        IntegerType::I64 => native!(i64, operation, left, right),
        IntegerType::U64 => native!(u64, operation, left, right),
    }
}

#[test]
fn applications_are_the_processors_arithmetic() {
    let random = &mut Random::new(0);
    for kind in TYPES {
        for operation in OPERATIONS {
            for _ in 0..400 {
                let (left, right) = (value(random, kind), value(random, kind));
                let result = arithmetic::apply(operation, kind, left, right);
                let Ok(result) = result else {
                    // The product of two large values of U64 is beyond 127 bits: refused.
                    assert!(kind == IntegerType::U64 && operation == Operation::Multiply, "{kind:?} {operation:?} {left} {right}");
                    continue;
                };
                assert!(arithmetic::fits(result, kind));
                assert_eq!(result, apply(operation, kind, left, right), "{kind:?} {operation:?} {left} {right}");
                if let Some(expected) = native(kind, operation, left, right) {
                    assert_eq!(result, expected, "{kind:?} {operation:?} {left} {right}");
                }
                // Arguments are reduced first, whatever they are.
                let period = arithmetic::period(kind).unwrap();
                let far = arithmetic::apply(operation, kind, left + 3 * period, right - 5 * period);
                assert_eq!(far, Ok(result), "{kind:?} {operation:?} {left} {right}");
                assert_eq!(arithmetic::reduce(left + 7 * period, kind), Ok(reduce(kind, left)));
            }
        }
    }
}
