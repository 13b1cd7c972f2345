//! The kernel of the Goatherd checker: everything that a verdict has to be trusted for, but for the data types.
//!
//! Read in this order: [`sha256`], [`budget`], [`reader`] and [`decode`] (bytes), [`wellformed`] (which programs have a meaning), [`arithmetic`]
//! and [`term`], [`configuration`], [`outcome`] and [`step`] (what an instruction may lead to), [`rules`] and [`subsume`] (derivations),
//! [`refute`] (hints), [`replay`] and [`run`]; for tree models [`trees`] alone.
#![no_std]

extern crate alloc;

pub mod arithmetic;
pub mod budget;
pub mod configuration;
pub mod decode;
pub mod error;
mod memory;
pub mod outcome;
pub mod reader;
pub mod refute;
pub mod rejection;
pub mod replay;
pub mod rules;
pub mod run;
pub mod sha256;
pub mod step;
pub mod subsume;
pub mod term;
pub mod trees;
pub mod verdict;
pub mod wellformed;

use budget::Budget;
use decode::Subject;
use error::{Declined, Failure, Rejected};
use goatherd_certificates::{automata::ModelCertificate, certificate::Statement};
use rejection::Rejection;
use term::Arena;
use verdict::Verdict;

/// Checks the bytes of a certificate, holding at most `memory` bytes.
pub fn check(bytes: &[u8], memory: u64) -> Result<Verdict, Failure> {
    let mut budget = Budget::new(memory);
    let decoded = decode::decode(bytes, &mut budget, memory)?;
    let (subject_digest, statement_digest) = (decoded.subject_digest, decoded.statement_digest);
    let limits = match &decoded.certificate {
        Subject::Program(certificate) => certificate.limits,
        Subject::Model(certificate) => certificate.limits,
    };
    let declined = |failure| match failure {
        Failure::Rejected(Rejected { rejection: Rejection::Memory, .. }) => Declined::Memory { limit: limits.memory }.into(),
        failure => failure,
    };
    Ok(match decoded.certificate {
        Subject::Program(certificate) => {
            wellformed::certificate(&certificate).map_err(Failure::IllFormed)?;
            let mut arena = Arena::new(&certificate.statement.program.tables, budget);
            let counts = replay::replay(&certificate, &mut arena).map_err(declined)?;
            let Statement { claim, parameters, origin, .. } = certificate.statement;
            let peak_memory = arena.budget.peak();
            Verdict { claim, parameters: Some(parameters), subject_digest, statement_digest, origin, counts, peak_memory }
        }
        Subject::Model(certificate) => {
            trees::well_formed(&certificate.model).map_err(Failure::IllFormed)?;
            let counts = trees::replay(&certificate, &mut budget).map_err(declined)?;
            let ModelCertificate { claim, origin, .. } = certificate;
            Verdict { claim, parameters: None, subject_digest, statement_digest, origin, counts, peak_memory: budget.peak() }
        }
    })
}
