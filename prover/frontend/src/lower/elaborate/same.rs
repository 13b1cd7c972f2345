//! When two declarations may be of one function or object (C11 6.2.7).

use crate::lower::types::{CType, Parameters, Shape, Signature, promote};

/// Of a function.
pub(super) fn parameters_of(ctype: &CType) -> Option<&Parameters> {
    match &ctype.shape {
        Shape::Function(signature) => Some(&signature.parameters),
        _ => None,
    }
}

/// May two declarations of a function be of one function? Which pointers are pointers to what does not count.
pub(super) fn goes_with(one: &CType, two: &CType) -> bool {
    let (Shape::Function(one), Shape::Function(two)) = (&one.shape, &two.shape) else { return false };
    let parameters = match (&one.parameters, &two.parameters) {
        (Parameters::Exact(one), Parameters::Exact(two)) | (Parameters::Variadic(one), Parameters::Variadic(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| is_like(one, two))
        }
        (Parameters::Variadic(_), _) | (_, Parameters::Variadic(_)) => false,
        // What such parameters become by promotion alone is of another type (C11 6.7.6.3p15).
        (Parameters::Unknown, Parameters::Exact(types)) => {
            types.iter().all(|one| one.as_integer().is_none_or(|kind| promote(kind) == kind))
        }
        (Parameters::Unknown | Parameters::Exact(_), Parameters::Unknown) => true,
    };
    parameters && is_like(&one.result, &two.result)
}

/// Are two types of one function or object compatible (C11 6.2.7, 6.7.6.3p15)? What one of them leaves open is no difference.
pub(super) fn is_compatible(one: &CType, two: &CType) -> bool {
    (one.constant, one.volatile) == (two.constant, two.volatile)
        && match (&one.shape, &two.shape) {
            (Shape::Array(one, length), Shape::Array(two, other)) => {
                length.zip(*other).is_none_or(|(one, two)| one == two) && is_compatible(one, two)
            }
            (Shape::Function(one), Shape::Function(two)) => {
                let parameters = match (&one.parameters, &two.parameters) {
                    (Parameters::Exact(one), Parameters::Exact(two)) | (Parameters::Variadic(one), Parameters::Variadic(two)) => {
                        one.len() == two.len()
                            && one.iter().zip(two).all(|(one, two)| is_compatible(&one.unqualified(), &two.unqualified()))
                    }
                    // Whether such declarations are of one function has been asked before.
                    (Parameters::Unknown, _) | (_, Parameters::Unknown) => true,
                    _ => false,
                };
                parameters && is_compatible(&one.result.unqualified(), &two.result.unqualified())
            }
            (Shape::Pointer(one), Shape::Pointer(two)) => is_compatible(one, two),
            _ => one.unqualified() == two.unqualified(),
        }
}

/// Are two functions compatible but for their last parameters, which are both of this kind?
pub(super) fn is_alike_but_last(one: &CType, two: &CType, is_such: &dyn Fn(&CType) -> bool) -> bool {
    let (Some(Parameters::Exact(first)), Some(Parameters::Exact(second))) = (parameters_of(one), parameters_of(two)) else { return false };
    let (Some((last, _)), Some((other, rest))) = (first.split_last(), second.split_last()) else { return false };
    let Shape::Function(signature) = &two.shape else { return false };
    let parameters = rest.iter().cloned().chain([last.clone()]).collect();
    let alike = Signature { result: signature.result.clone(), parameters: Parameters::Exact(parameters) };
    is_such(last) && is_such(other) && is_compatible(one, &CType { shape: Shape::Function(alike.into()), ..two.clone() })
}

fn is_like(one: &CType, two: &CType) -> bool {
    match (&one.shape, &two.shape) {
        (Shape::Pointer(_), Shape::Pointer(_)) | (Shape::Opaque(_), Shape::Opaque(_)) => true,
        (one, two) => one == two,
    }
}
