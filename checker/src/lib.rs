//! The kernel of the Goatherd checker: everything that a verdict has to be trusted for, but for the data types.
//!
//! Read in this order: [`budget`], [`reader`] and [`decode`] (bytes), [`wellformed`] (which programs have a meaning), [`arithmetic`],
//! [`parts`], [`term`] and [`substitution`], [`configuration`] and [`environment`], [`outcome`] and [`step`] (what an instruction may lead to),
//! [`unfold`], `leaks`, [`rules`], [`subsume`], [`flow`] and [`twin`] (derivations), [`apply`] (a rule of theirs), [`refute`] (hints), [`paths`] (graphs), [`replay`] and [`run`]; for tree models, [`trees`]
//! alone.
#![no_std]

extern crate alloc;

pub mod apply;
pub mod arithmetic;
pub mod budget;
pub mod configuration;
pub mod decode;
pub mod environment;
pub mod error;
pub mod flow;
mod fold;
mod leaks;
pub mod memory;
pub mod outcome;
pub mod parts;
pub mod paths;
pub mod reader;
pub mod refute;
pub mod replay;
pub mod rules;
pub mod run;
pub mod step;
pub mod substitution;
pub mod subsume;
pub mod term;
pub mod trees;
pub mod twin;
pub mod unfold;
pub mod verdict;
pub mod wellformed;

pub use configuration::{Configuration, Member, Place, Setting};
pub(crate) use error::ensure;
pub use goatherd_certificates::certificate::Limits;
pub use goatherd_certificates::rejection::{self, Declined, Rejection, Unsupported};
pub use outcome::{Change, Effect, Obligations, Oracle, Outcome, Tag};
pub use {budget::Budget, environment::Environment, parts::Part, term::Arena};

use {error::Failure, goatherd_certificates::Statement, replay::Spread, verdict::Verdict};

/// Checks the bytes of a certificate within these limits.
pub fn check(bytes: &[u8], allowed: Limits, hash: decode::Hash) -> Result<Verdict, Failure> {
    let mut budget = Budget::within(allowed);
    let decoded = decode::decode(bytes, &mut budget, allowed, hash)?;
    verify(&decoded, budget, Spread::ONE)
}

/// Checks a certificate that was decoded with this budget. The verdict is the same however its derivations are spread; each share holds what
/// one alone does.
pub fn verify(
    decoded: &decode::Decoded<'_>,
    mut budget: Budget,
    spread: Spread<'_>,
) -> Result<Verdict, Failure> {
    let (claim, parameters, origin, (counts, graph)) = match decoded.certificate() {
        decode::Subject::Program(certificate) => {
            wellformed::certificate(certificate, &mut budget)?;
            let Statement {
                claim,
                parameters,
                origin,
                program,
                ..
            } = &certificate.statement;
            let mut arena = Arena::new(&program.tables, budget)?;
            let shown = replay::replay(certificate, &mut arena, spread)?;
            budget = arena.budget;
            (claim, Some(*parameters), origin, shown)
        }
        decode::Subject::Model(certificate) => {
            let counts = trees::replay(certificate, &mut budget)?;
            (
                &certificate.claim,
                None,
                &certificate.origin,
                (counts, None),
            )
        }
    };
    let (subject_digest, statement_digest) = (decoded.subject_digest(), decoded.statement_digest());
    let (peak_memory, work) = (budget.peak(), budget.worked());
    Ok(Verdict {
        claim: *claim,
        parameters,
        subject_digest,
        statement_digest,
        origin: origin.clone(),
        counts,
        graph,
        peak_memory,
        work,
    })
}
