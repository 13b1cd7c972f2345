//! What terms are made of: one traversal for scopes, substitutions and congruence.

use crate::Result;
use alloc::vec::Vec;
use goatherd_certificates::{Array, ArrayId, ArrayStore, Atom, Computation, LinearId};

/// A term that another one mentions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// A linear term.
    Linear(LinearId),
    /// An array.
    Array(ArrayId),
}

/// Gives the number of the term of the same kind that is to stand in place of a part.
pub type Replace<'a> = &'a mut dyn FnMut(Part) -> Result<u32>;

/// The atom with its parts replaced, in order; not yet in normal form.
pub fn map_atom(atom: &Atom, replace: Replace<'_>) -> Result<Atom> {
    Ok(match *atom {
        Atom::Variable(variable) => Atom::Variable(variable),
        Atom::Select { array, index } => Atom::Select {
            array: array_part(array, replace)?,
            index: linear_part(index, replace)?,
        },
        Atom::Quotient { divisor, argument } => Atom::Quotient {
            divisor,
            argument: linear_part(argument, replace)?,
        },
        Atom::Apply(computation) => Atom::Apply(Computation {
            left: linear_part(computation.left, replace)?,
            right: linear_part(computation.right, replace)?,
            ..computation
        }),
    })
}

/// The array with its parts replaced, in order; not yet in normal form.
pub fn map_array(array: &Array, replace: Replace<'_>) -> Result<Array> {
    Ok(match *array {
        Array::Variable(variable) => Array::Variable(variable),
        Array::Store(store) => Array::Store(ArrayStore {
            array: array_part(store.array, replace)?,
            index: linear_part(store.index, replace)?,
            value: linear_part(store.value, replace)?,
        }),
        Array::Constant(value) => Array::Constant(linear_part(value, replace)?),
        Array::Table(table) => Array::Table(table),
    })
}

/// The atom's operation, with 0 for its parts, and its parts.
pub fn open_atom(atom: &Atom) -> Result<(Atom, Vec<Part>)> {
    let mut parts = Vec::new();
    let collect = &mut |part| {
        parts.push(part);
        Ok(0)
    };
    Ok((map_atom(atom, collect)?, parts))
}

fn linear_part(id: LinearId, replace: Replace<'_>) -> Result<LinearId> {
    replace(Part::Linear(id)).map(LinearId)
}

fn array_part(id: ArrayId, replace: Replace<'_>) -> Result<ArrayId> {
    replace(Part::Array(id)).map(ArrayId)
}
