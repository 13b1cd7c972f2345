//! The kernel of the Goatherd checker: everything that a verdict has to be trusted for, but for the data types.
//!
//! Read in this order: [`sha256`], [`budget`], [`reader`] and [`decode`] (bytes), [`wellformed`] (which programs have a meaning), [`arithmetic`],
//! [`parts`], [`term`] and [`substitution`], [`configuration`] and [`environment`], [`outcome`] and [`step`] (what an instruction may lead to),
//! [`rules`] and [`subsume`] (derivations), [`refute`] (hints), [`paths`] (graphs), [`replay`] and [`run`].
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
pub mod paths;
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

pub use budget::Budget;
pub use configuration::{Configuration, Member, Place, Setting};
pub use environment::Environment;
pub use error::Declined;
pub use outcome::{Effect, Obligations, Oracle, Outcome, Tag};
pub use parts::Part;
pub(crate) use rejection::ensure;
pub use rejection::{Rejection, Unsupported};
pub use term::Arena;

use decode::Decoded;
use error::Failure;
use verdict::Verdict;

/// Checks the bytes of a certificate, holding at most `memory` bytes.
pub fn check(bytes: &[u8], memory: u64) -> Result<Verdict, Failure> {
    let mut budget = Budget::new(memory);
    let decoded = decode::decode(bytes, &mut budget, memory)?;
    verify(&decoded, budget)
}

/// Checks a certificate that was decoded with this budget.
pub fn verify(decoded: &Decoded, budget: Budget) -> Result<Verdict, Failure> {
    let Decoded { certificate, program_digest, statement_digest } = decoded;
    wellformed::certificate(certificate).map_err(Failure::IllFormed)?;
    let statement = &certificate.statement;
    let mut arena = Arena::new(&statement.program.tables, budget)?;
    let (counts, graph) = replay::replay(certificate, &mut arena)?;
    Ok(Verdict {
        claim: statement.claim,
        parameters: statement.parameters,
        program_digest: *program_digest,
        statement_digest: *statement_digest,
        origin: statement.origin.clone(),
        counts,
        graph,
        peak_memory: arena.budget.peak(),
    })
}
