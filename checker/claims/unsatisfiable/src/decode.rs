//! The bytes of a certificate about a formula (`spec/format.md#formulas`).

use goatherd_certificates::{
    certificate::Origin,
    decode::Decode,
    formula::{Formula, FormulaCertificate, FormulaEvidence},
};
use goatherd_checker::{Budget, decode::terms, error::Failure};
use goatherd_frame::{Digest, Framed, Hash};

/// The number of the subject of a certificate about a formula.
pub const FORMULA: u32 = 2;

/// A certificate about a formula, and the digests that its verdict names.
#[derive(Debug)]
pub struct DecodedFormula {
    /// The certificate.
    pub certificate: FormulaCertificate,
    /// Of the encoding of the formula alone.
    pub subject_digest: Digest,
    /// Of the encoding of the whole statement.
    pub statement_digest: Digest,
}

/// Decodes a certificate about a formula.
pub fn formula(
    frame: &Framed<'_>,
    budget: &mut Budget,
    hash: Hash,
) -> Result<DecodedFormula, Failure> {
    let (claim, mut reader) = frame.statement(FORMULA, budget)?;
    let origin = Origin::decode(&mut reader)?;
    let subject_digest = hash(reader.rest());
    let formula = Formula::decode(&mut reader)?;
    reader.end()?;
    let mut reader = frame.evidence(budget);
    let evidence = FormulaEvidence {
        // These make known which terms the steps may name.
        terms: terms(&mut reader)?,
        expressions: Decode::decode(&mut reader)?,
        steps: Decode::decode(&mut reader)?,
    };
    reader.end()?;
    Ok(DecodedFormula {
        certificate: FormulaCertificate {
            limits: frame.limits(),
            claim,
            origin,
            formula,
            evidence,
        },
        subject_digest,
        statement_digest: frame.statement_digest(),
    })
}
