//! What Z3 is told, and what has been translated so far.

use goatherd_certificates::{
    program::{IntegerType, Operation, Table},
    term::{Array, ArrayId, ArrayStore, Atom, AtomId, Computation, LinearId, Variable},
};
use goatherd_checker::term::Arena;
use std::collections::BTreeMap;
use z3::{
    FuncDecl,
    ast::{self, Bool, Int},
};

/// What has been translated, and what holds of it by definition.
#[derive(Default)]
pub(crate) struct Translation {
    pub(crate) variables: BTreeMap<Variable, Int>,
    pub(crate) atoms: BTreeMap<AtomId, Int>,
    pub(crate) arrays: BTreeMap<ArrayId, ast::Array>,
    pub(crate) functions: BTreeMap<(Operation, IntegerType), FuncDecl>,
    pub(crate) axioms: Vec<Bool>,
    /// Where operations and tables are to be what they are, and not just any functions in range.
    pub(crate) exact: Option<Exact>,
}

/// What is still to be translated; a work list instead of recursion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    Atom(AtomId),
    Array(ArrayId),
}

pub(crate) fn atoms(arena: &Arena, term: LinearId) -> Option<Vec<Work>> {
    Some(arena.linear(term).ok()?.summands.iter().map(|(atom, _)| Work::Atom(*atom)).collect())
}

pub(crate) fn mentioned(arena: &Arena, work: Work) -> Option<Vec<Work>> {
    let mut needed = Vec::new();
    match work {
        Work::Atom(id) => match *arena.atom(id).ok()? {
            Atom::Variable(_) => {}
            Atom::Select { array, index } => {
                needed.push(Work::Array(array));
                needed.extend(atoms(arena, index)?);
            }
            Atom::Quotient { argument, .. } => needed.extend(atoms(arena, argument)?),
            Atom::Apply(Computation { left, right, .. }) => {
                needed.extend(atoms(arena, left)?);
                needed.extend(atoms(arena, right)?);
            }
        },
        Work::Array(id) => match *arena.array(id).ok()? {
            Array::Variable(_) | Array::Table(_) => {}
            Array::Store(ArrayStore { array, index, value }) => {
                needed.push(Work::Array(array));
                needed.extend(atoms(arena, index)?);
                needed.extend(atoms(arena, value)?);
            }
            Array::Constant(value) => needed.extend(atoms(arena, value)?),
        },
    }
    Some(needed)
}

/// What definitions need.
#[derive(Default)]
pub(crate) struct Exact {
    /// How many unknowns there are.
    pub(crate) unknowns: usize,
    /// The program's.
    pub(crate) tables: Vec<Table>,
}
