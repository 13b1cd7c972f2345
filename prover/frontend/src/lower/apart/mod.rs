//! Arrays inside structs as objects of their own (`spec/program.md#arrays-apart`).
//!
//! The calculus moves pointers inside an element by constants only, so `stack.items[i]` is told apart by i, place by place. Where nothing but the
//! program's own instructions leads to the struct, its arrays may as well lie elsewhere: a program in which they do fails wherever this one does.

mod arrays;
mod places;
mod rewriting;

use super::emit::{Elements, Emitted};
use crate::diagnostics::Diagnostic;
use arrays::{Inner, NAME, inner_arrays};
use goatherd_certificates::program::{Object, Origin, Program};
use places::{Places, moves};
use std::collections::BTreeSet;

/// Where the arrays are that are members of structs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrays {
    /// In the structs.
    Inside,
    /// In objects of their own, where that is possible: of a program that fails wherever the other one does.
    Apart,
}

impl Arrays {
    /// Where they are in a program.
    pub fn of(program: &Program) -> Self {
        let is_apart = |object: &Object| {
            matches!(object.origin, Origin::Local { .. } | Origin::Heap | Origin::Static { .. }) && object.name.starts_with(NAME)
        };
        if program.objects.iter().any(is_apart) { Self::Apart } else { Self::Inside }
    }

    /// May some of this program's be elsewhere?
    pub fn may_be_apart(program: &Program) -> bool {
        !inner_arrays(program).is_empty()
    }
}

/// So often more places are found where the index has to be told apart; each time there is one more.
const ROUNDS: usize = 8;

/// The program in which arrays are apart, made by what writes a program; as it is in C, if none can be.
pub(crate) fn apart(mut emit: impl FnMut(Elements<'_>) -> Result<Emitted, Vec<Diagnostic>>) -> Result<Emitted, Vec<Diagnostic>> {
    let mut told = BTreeSet::new();
    for _ in 0..ROUNDS {
        let mut emitted = emit(Elements::MovedBut(&told))?;
        let arrays = inner_arrays(&emitted.placed.0);
        let (arrays, places) = settled(&emitted.placed.0, arrays);
        let unmoved = unmoved(&emitted, &arrays, &places);
        if arrays.is_empty() {
            break;
        }
        if unmoved.is_empty() {
            emitted.placed = rewriting::rewrite(emitted.placed, &arrays, &places);
            return Ok(emitted);
        }
        told.extend(unmoved);
    }
    emit(Elements::Told)
}

/// The arrays of objects of which is known wherever they are pointed to, and where.
fn settled(program: &Program, mut arrays: Vec<Inner>) -> (Vec<Inner>, Places) {
    loop {
        match places::places(program, &arrays) {
            Ok(places) => return (arrays, places),
            Err(lost) => arrays.retain(|array| !lost.contains(&array.object)),
        }
    }
}

/// The places of the text where a pointer is moved to an element that is not in an array apart.
fn unmoved(emitted: &Emitted, arrays: &[Inner], places: &Places) -> BTreeSet<usize> {
    let (program, offsets) = &emitted.placed;
    let instructions = program.instructions.iter().zip(offsets).zip(places);
    let unmoved =
        instructions.filter(|((instruction, offset), place)| emitted.moved.contains(offset) && !moves(instruction, place, arrays));
    unmoved.map(|((_, offset), _)| *offset).collect()
}
