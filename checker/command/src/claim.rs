//! What a certificate claims of a program, and of which: everything a reader has to compare with what they meant.

use crate::source::Places;
use goatherd_certificates::{
    certificate::{Claim, Statement},
    program::Location,
};
use goatherd_claims::Verdict;
use goatherd_frontend::{
    checks::{Kind, counts},
    print::{conditions, program::Names},
};
use serde::Serialize;
use std::collections::BTreeMap;

/// What is claimed of a program.
#[derive(Debug)]
pub struct About {
    /// The function that executions start from.
    pub entry: String,
    /// What valid inputs are, one phrase each.
    pub inputs: Vec<String>,
    /// What it was checked under, one phrase each.
    pub conditions: Vec<String>,
    /// Of `Safe`: how many checks of each kind cannot fail.
    pub checks: BTreeMap<Kind, usize>,
    /// Of `Safe` and `Unsafe`: the program's assertions.
    pub assertions: Vec<Assertion>,
    /// The files that places name.
    pub files: Vec<String>,
}

/// An assertion of the program, and its place if there is one.
#[derive(Serialize, Debug)]
pub struct Assertion {
    /// The instruction.
    pub location: u32,
    /// Position among the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<u32>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// From 1, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Has a ground run come there?
    pub reached: bool,
}

impl About {
    /// What an accepted certificate claims; places are those of its program.
    pub fn new(verdict: &Verdict, statement: &Statement, places: Places<'_>) -> Self {
        let Statement {
            claim,
            program,
            parameters,
            ..
        } = statement;
        let is_counted = |claims: &[Claim]| claims.contains(claim);
        let assertion = |&(location, reached): &(Location, bool)| {
            let position = places.positions.get(location.index());
            Assertion {
                location: location.0,
                file: position.map(|position| position.file),
                line: position.map(|position| position.line),
                column: position.map(|position| position.column),
                reached,
            }
        };
        let checks = if is_counted(&[Claim::Safe]) {
            counts(program, *parameters, places.positions)
        } else {
            BTreeMap::new()
        };
        let assertions = if is_counted(&[Claim::Safe, Claim::Unsafe]) {
            verdict.counts.assertions.as_slice()
        } else {
            &[]
        };
        Self {
            entry: program.entry.clone(),
            inputs: Names::new(program).input_phrases(),
            conditions: conditions(program, *parameters),
            checks,
            assertions: assertions.iter().map(assertion).collect(),
            files: places.files.to_vec(),
        }
    }
}
