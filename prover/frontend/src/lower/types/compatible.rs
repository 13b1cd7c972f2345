//! What may be taken for what where nothing converts it: arguments and results of calls through pointers to functions.

use super::{CType, Parameters, Records, Shape, Signature, promote};
use goatherd_certificates::program::IntegerType;

impl Records {
    /// May a value of the type `given` be taken for one of the type `taken`, without a conversion? The types are compatible, but for qualifiers of
    /// the value itself (C11 6.7.6.3p15), or one points to `void` or characters and the other to anything, or one to more qualified values of the
    /// same type: what is behind the pointer is reached as after a conversion that no compiler is told of.
    pub(crate) fn passes(&self, given: &CType, taken: &CType) -> bool {
        let (given, taken) = (given.unqualified(), taken.unqualified());
        are_compatible(&given, &taken)
            || given.pointee().zip(taken.pointee()).is_some_and(|(from, to)| {
                let is_alike = are_compatible(&from.unqualified(), &to.unqualified());
                // A pointer to a va_list becomes no other one.
                let is_hidden = (is_untyped(from) || is_untyped(to)) && ![from, to].into_iter().any(|ctype| self.is_argument_list(ctype));
                (is_alike || is_hidden) && self.keeps_qualifiers(from, to, is_alike)
            })
    }

    /// Is everything that is `const` or `volatile` behind the first pointer so behind the second?
    fn keeps_qualifiers(&self, from: &CType, to: &CType, is_alike: bool) -> bool {
        let keeps = |whole: fn(&CType) -> bool, has: fn(&Records, &CType) -> bool| {
            whole(to) || !has(self, from) || is_alike && !whole(from) && !whole(from.base_element())
        };
        keeps(|ctype| ctype.constant, Records::has_constant) && keeps(|ctype| ctype.volatile, Records::has_volatile)
    }
}

/// Are the types compatible (C11 6.2.7, 6.7.3p10, 6.7.6.1p2, 6.7.6.2p6, 6.7.6.3p15)? Types that are one here, as `char` and `signed char`, are.
fn are_compatible(one: &CType, two: &CType) -> bool {
    let is_alike = match (&one.shape, &two.shape) {
        (Shape::Pointer(one), Shape::Pointer(two)) => are_compatible(one, two),
        (Shape::Array(one, length), Shape::Array(two, other)) => {
            are_compatible(one, two) && length.zip(*other).is_none_or(|(length, other)| length == other)
        }
        (Shape::Function(one), Shape::Function(two)) => have_compatible_signatures(one, two),
        (one, two) => one == two,
    };
    is_alike && (one.constant, one.volatile, one.long_long) == (two.constant, two.volatile, two.long_long)
}

fn have_compatible_signatures(one: &Signature, two: &Signature) -> bool {
    let are_all = |one: &[CType], two: &[CType]| {
        one.len() == two.len() && one.iter().zip(two).all(|(one, two)| are_compatible(&one.unqualified(), &two.unqualified()))
    };
    let is_promoted = |ctype: &CType| ctype.as_integer().is_none_or(|kind| promote(kind) == kind);
    are_compatible(&one.result, &two.result)
        && match (&one.parameters, &two.parameters) {
            (Parameters::Exact(one), Parameters::Exact(two)) | (Parameters::Variadic(one), Parameters::Variadic(two)) => are_all(one, two),
            (Parameters::Unknown, Parameters::Unknown) => true,
            (Parameters::Unknown, Parameters::Exact(types)) | (Parameters::Exact(types), Parameters::Unknown) => {
                types.iter().all(is_promoted)
            }
            (Parameters::Variadic(_), _) | (_, Parameters::Variadic(_)) => false,
        }
}

/// May what is behind a pointer to this be anything?
fn is_untyped(pointee: &CType) -> bool {
    matches!(pointee.shape, Shape::Void | Shape::Integer(IntegerType::I8 | IntegerType::U8))
}
