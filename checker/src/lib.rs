//! The kernel of the Goatherd checker: everything that a verdict has to be trusted for, but for the data types.
//!
//! Read in this order: [`sha256`], [`budget`], [`reader`] and [`decode`] (bytes), [`wellformed`] (which programs have a meaning), [`arithmetic`]
//! and [`term`], [`configuration`], [`outcome`] and [`step`] (what an instruction may lead to), [`rules`] and [`subsume`] (derivations),
//! [`refute`] (hints), [`replay`] and [`run`].
#![no_std]

extern crate alloc;

pub mod arithmetic;
pub mod budget;
pub mod configuration;
pub mod decode;
pub mod environment;
pub mod error;
mod memory;
pub mod outcome;
pub mod parts;
pub mod reader;
pub mod refute;
pub mod rejection;
pub mod replay;
pub mod rules;
pub mod run;
pub mod sha256;
pub mod step;
pub mod substitution;
pub mod subsume;
pub mod term;
pub mod verdict;
pub mod wellformed;

use budget::Budget;
use error::{Declined, Failure, Rejected};
use rejection::Rejection;
use term::Arena;
use verdict::Verdict;

/// Checks the bytes of a certificate, holding at most `memory` bytes.
pub fn check(bytes: &[u8], memory: u64) -> Result<Verdict, Failure> {
    let mut budget = Budget::new(memory);
    let decoded = decode::decode(bytes, &mut budget, memory)?;
    let certificate = &decoded.certificate;
    wellformed::certificate(certificate).map_err(Failure::IllFormed)?;
    let statement = &certificate.statement;
    let mut arena = Arena::new(&statement.program.tables, budget)?;
    let counts = replay::replay(certificate, &mut arena).map_err(|failure| match failure {
        Failure::Rejected(Rejected { rejection: Rejection::Memory, .. }) => Declined::Memory { limit: certificate.limits.memory }.into(),
        failure => failure,
    })?;
    Ok(Verdict {
        claim: statement.claim,
        parameters: statement.parameters,
        program_digest: decoded.program_digest,
        statement_digest: decoded.statement_digest,
        origin: statement.origin.clone(),
        counts,
        peak_memory: arena.budget.peak(),
    })
}
