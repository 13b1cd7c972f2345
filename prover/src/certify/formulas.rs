//! Certificates of formulas without a model, and the checker's word on them.

use super::{Accepted, GREATEST_MEMORY, GREATEST_WORK, LEAST_WORK};
use crate::encode;
use goatherd_certificates::{
    certificate::{Claim, Limits, Origin},
    formula::{Formula, FormulaCertificate, FormulaEvidence},
};
use std::fmt;

/// Why there is no certificate: a fault of the prover.
#[derive(Clone, Debug)]
pub enum Uncertified {
    /// The checker refuses the certificate.
    Refused(goatherd_checker::error::Failure),
    /// The certificate could not be encoded.
    Encoding,
}

impl fmt::Display for Uncertified {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(failure) => write!(formatter, "the checker refuses the certificate: {failure:?}"),
            Self::Encoding => formatter.write_str("the certificate could not be encoded"),
        }
    }
}

impl std::error::Error for Uncertified {}

/// Declared limits are multiples of this, in bytes.
const MEMORY_UNIT: u64 = 1 << 20;

/// The certificate, accepted by the checker.
pub fn certify(formula: &Formula, origin: &Origin, evidence: FormulaEvidence) -> Result<Accepted, Uncertified> {
    let limits = Limits { memory: GREATEST_MEMORY, work: GREATEST_WORK };
    let mut certificate =
        FormulaCertificate { limits, claim: Claim::Unsatisfiable, origin: origin.clone(), formula: formula.clone(), evidence };
    let verdict = check(&certificate)?.verdict;
    // The declared limit is part of the file: leave room for it.
    certificate.limits.memory = (verdict.peak_memory / MEMORY_UNIT + 1) * MEMORY_UNIT;
    certificate.limits.work = verdict.work.max(LEAST_WORK);
    check(&certificate)
}

fn check(certificate: &FormulaCertificate) -> Result<Accepted, Uncertified> {
    let bytes = encode::formula_certificate(certificate).map_err(|_| Uncertified::Encoding)?;
    let verdict = goatherd_claims::check(&bytes, certificate.limits, encode::digest).map_err(Uncertified::Refused)?;
    Ok(Accepted { bytes, verdict })
}
