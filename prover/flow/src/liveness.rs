//! Which registers are read later on before they are written.

use crate::{
    backwards::backwards,
    instruction::{read, successors, written},
};
use goatherd_certificates::program::{Program, RegisterId};
use std::collections::BTreeSet;

/// By location: the registers that are read from there on before they are written.
pub fn liveness(program: &Program) -> Vec<BTreeSet<RegisterId>> {
    backwards(program, BTreeSet::new(), |location, live: &[BTreeSet<RegisterId>]| {
        let instruction = &program.instructions[location.index()];
        let behind = successors(program, location).into_iter().flat_map(|next| &live[next.index()]).copied();
        behind.filter(|register| written(instruction) != Some(*register)).chain(read(instruction)).collect()
    })
}
