//! Of which type the elements of an array are, where that is a narrower one than its declaration says: marks are 0 or 1, whatever can hold more
//! (`spec/search.md#narrow-elements`).

use goatherd_certificates::{
    program::IntegerType,
    term::{Array, ArrayId, ArrayStore, LinearId},
};
use goatherd_checker::{
    arithmetic::range,
    rejection::Rejection,
    term::{Arena, SORTS},
};
use goatherd_logic::Context;

/// The narrowest type that all elements are of, given the declared one: by what the array was made of, and what is known of all that was stored in it.
pub fn narrowest(arena: &mut Arena, context: &mut Context, array: ArrayId, declared: IntegerType) -> Result<IntegerType, Rejection> {
    let (mut values, mut array) = (Vec::new(), array);
    let mut least_type = loop {
        match *arena.array(array)? {
            Array::Store(ArrayStore { array: below, value, .. }) => {
                values.push(value);
                array = below;
            }
            Array::Variable(variable) => break Some(variable.sort),
            Array::Constant(value) => {
                values.push(value);
                break None;
            }
            Array::Table(_) => break Some(declared),
        }
    };
    for value in values {
        if least_type == Some(declared) {
            break;
        }
        let of_value = type_of(arena, context, value)?.unwrap_or(declared);
        least_type = Some(least_type.map_or(of_value, |so_far| common(so_far, of_value)));
    }
    Ok(least_type.filter(|kind| is_within(*kind, declared)).unwrap_or(declared))
}

/// The narrowest type that has the values of both.
pub fn common(one: IntegerType, other: IntegerType) -> IntegerType {
    SORTS.into_iter().find(|wider| is_within(one, *wider) && is_within(other, *wider)).unwrap_or(other)
}

/// The narrowest type that has all values that the term may have; none where they are too many.
fn type_of(arena: &mut Arena, context: &mut Context, value: LinearId) -> Result<Option<IntegerType>, Rejection> {
    let zero = arena.constant(0)?;
    let (Some(low), Some(high)) = context.difference_bounds(arena, value, zero) else { return Ok(None) };
    Ok(SORTS.into_iter().find(|kind| range(*kind).0 <= low && high <= range(*kind).1))
}

fn is_within(inner: IntegerType, outer: IntegerType) -> bool {
    let ((least, greatest), (low, high)) = (range(inner), range(outer));
    low <= least && greatest <= high
}

#[cfg(test)]
mod tests {
    use super::{common, narrowest};
    use goatherd_certificates::{
        program::IntegerType::{Bool, I8, I16, I32, I64, U8, U32},
        term::{ArrayVariable, Literal, Sign, Variable},
    };
    use goatherd_checker::{budget::Budget, term::Arena};
    use goatherd_logic::Context;

    #[test]
    fn marks_that_are_stored_among_zeros_are_of_the_narrowest_type() {
        let mut arena = Arena::new(&[], Budget::new(u64::MAX)).unwrap();
        let [zero, one] = [0, 1].map(|value| arena.constant(value).unwrap());
        let value = arena.variable(Variable { sort: Some(I32), number: 0 }).unwrap();
        let zeros = arena.constant_array(zero).unwrap();
        let marked = arena.store(zeros, value, one).unwrap();
        let filled = arena.store(marked, one, value).unwrap();
        let mut context = Context::new();
        assert_eq!(narrowest(&mut arena, &mut context, zeros, I32), Ok(Bool));
        assert_eq!(narrowest(&mut arena, &mut context, marked, I32), Ok(Bool));
        assert_eq!(narrowest(&mut arena, &mut context, filled, I32), Ok(I32));
        let bounds = [arena.at_most(zero, value), arena.combine(-200, &[(value, 1)]).map(|term| Literal { sign: Sign::AtMostZero, term })];
        context.assume_all(&mut arena, &bounds.map(Result::unwrap));
        assert_eq!(narrowest(&mut arena, &mut context, filled, I32), Ok(U8));
        // No narrower type of the elements themselves has these.
        assert_eq!(narrowest(&mut arena, &mut context, filled, I8), Ok(I8));
        let input = arena.array_variable(ArrayVariable { sort: I32, number: 0 }).unwrap();
        let stored = arena.store(input, value, one).unwrap();
        assert_eq!(narrowest(&mut arena, &mut context, stored, I32), Ok(I32));
    }

    #[test]
    fn the_common_type_has_the_values_of_both() {
        assert_eq!([common(Bool, Bool), common(Bool, U8), common(U8, I8), common(I32, U32)], [Bool, U8, I16, I64]);
    }
}
