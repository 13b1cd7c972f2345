//! From what was found to a certificate that the checker has accepted.

pub mod formulas;
pub mod models;
pub mod paths;
pub mod refine;

use crate::encode;
use goatherd_certificates::{
    certificate::{Certificate, Evidence, GroundRun, Limits, Position, Statement},
    term::Term,
};
use goatherd_checker::{
    error::{Declined, Failure},
    rejection::Rejection,
};
use goatherd_claims::Verdict;
use goatherd_logic::Disagreement;
use std::fmt;

/// A certificate that the checker has accepted.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the checker said of them.
    pub verdict: Verdict,
}

/// A fault of the prover itself.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The search found a derivation for which no hint could be written.
    Hint(Rejection),
    /// The checker refuses a certificate that the prover has written.
    Refused(Failure),
    /// The certificate could not be encoded.
    Encoding,
    /// A thread of the search could not be started, or has not come to its end.
    Thread,
    /// The built-in reasoning and Z3 contradict each other.
    Disagreement(Disagreement),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hint(rejection) => write!(formatter, "a derivation was found, but not the hints that it needs: {rejection:?}"),
            Self::Refused(failure) => write!(formatter, "the checker refuses the certificate: {failure:?}"),
            Self::Encoding => formatter.write_str("the certificate could not be encoded"),
            Self::Thread => formatter.write_str("a thread of the search could not be started, or has not come to its end"),
            Self::Disagreement(disagreement) => disagreement.fmt(formatter),
        }
    }
}

impl std::error::Error for Fault {}

/// The least memory that a certificate declares, in bytes, and the greatest: the checker needs less than the one for most proofs.
pub(crate) const LEAST_MEMORY: u64 = 1 << 20;

pub(crate) const GREATEST_MEMORY: u64 = 1 << 30;
/// The least work that a certificate declares, in steps, and the greatest. A step takes some ten nanoseconds.
pub(crate) const LEAST_WORK: u64 = 1 << 26;
const GREATEST_WORK: u64 = 1 << 32;

/// Writes a certificate and has it checked. The memory and the work that it declares grow until they are enough for the check.
pub(crate) fn certify_statement(
    statement: Statement,
    (files, positions): (Vec<String>, Vec<Position>),
    terms: Vec<Term>,
    evidence: Evidence,
    witnesses: Vec<GroundRun>,
) -> Result<Accepted, Fault> {
    let mut certificate =
        Certificate { limits: Limits { memory: LEAST_MEMORY, work: LEAST_WORK }, statement, files, positions, terms, evidence, witnesses };
    loop {
        let bytes = encode::certificate(&certificate).map_err(|_| Fault::Encoding)?;
        let limits = &mut certificate.limits;
        match goatherd_claims::check(&bytes, *limits, encode::digest) {
            Ok(verdict) => return Ok(Accepted { bytes, verdict }),
            Err(Failure::Declined(Declined::Memory { .. })) if limits.memory < GREATEST_MEMORY => limits.memory *= 2,
            Err(Failure::Declined(Declined::Work { .. })) if limits.work < GREATEST_WORK => limits.work *= 4,
            Err(failure) => return Err(Fault::Refused(failure)),
        }
    }
}
