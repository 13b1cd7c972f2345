//! What is checked, one entry per place and kind.

use crate::command::places::{Place, Places};
use goatherd_certificates::{
    certificate::Parameters,
    program::{Branch, Instruction, Location, Program},
};
pub use goatherd_frontend::checks::{Kind, kind};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It never fails.
    Proved,
    /// Neither.
    Unknown,
    /// A run fails it.
    Fails,
}

/// One check.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Check {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// What.
    pub kind: Kind,
    /// What is known of it.
    pub status: Status,
}

/// The checks of a program by place. Runs fail at the instructions `failing`; all others have `status`.
pub fn checks(program: &Program, parameters: Parameters, places: Places<'_>, status: Status, failing: &BTreeSet<Location>) -> Vec<Check> {
    let mut statuses: BTreeMap<(Place, Kind), Status> = BTreeMap::new();
    for (location, instruction) in (0..).map(Location).zip(&program.instructions) {
        let is_failing = failing.contains(&location);
        let kind = kind(program, parameters, instruction);
        let Some(kind) = kind.or(is_failing.then_some(Kind::Value)) else { continue };
        let status = if is_failing { Status::Fails } else { status };
        let entry = statuses.entry((places.place(location), kind)).or_insert(status);
        *entry = status.max(*entry);
    }
    statuses.into_iter().map(|((place, kind), status)| Check { place, kind, status }).collect()
}

/// What fails where a search found that this instruction leads to a failure: a branch to a failing instruction stands for that one.
pub fn kind_of_failure(program: &Program, parameters: Parameters, location: Location) -> Kind {
    let instruction = |location: Location| program.instructions.get(location.index());
    let targets = match instruction(location) {
        Some(Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise }) => vec![*then, *otherwise],
        Some(Instruction::Jump { target }) => vec![*target],
        _ => Vec::new(),
    };
    let failing = targets.into_iter().filter_map(instruction).find(|target| matches!(target, Instruction::Fail { .. }));
    failing.or(instruction(location)).and_then(|instruction| kind(program, parameters, instruction)).unwrap_or(Kind::Value)
}
