//! The bytes of a certificate about a tree model (`spec/format.md`).

use goatherd_certificates::{
    automata::{Model, ModelCertificate},
    certificate::Origin,
    decode::Decode,
};
use goatherd_checker::{Budget, error::Failure};
use goatherd_frame::{Digest, Framed, Hash};

/// The number of the subject of a certificate about a tree model.
pub const MODEL: u32 = 1;

/// A certificate about a tree model, and the digests that its verdict names.
#[derive(Debug)]
pub struct DecodedModel {
    /// The certificate.
    pub certificate: ModelCertificate,
    /// Of the encoding of the model alone.
    pub subject_digest: Digest,
    /// Of the encoding of the whole statement.
    pub statement_digest: Digest,
}

/// Decodes a certificate about a tree model.
pub fn model(frame: &Framed<'_>, budget: &mut Budget, hash: Hash) -> Result<DecodedModel, Failure> {
    let (claim, mut reader) = frame.statement(MODEL, budget)?;
    let origin = Origin::decode(&mut reader)?;
    let subject_digest = hash(reader.rest());
    let model = Model::decode(&mut reader)?;
    reader.end()?;
    let mut reader = frame.evidence(budget);
    let certificate = ModelCertificate {
        limits: frame.limits(),
        claim,
        origin,
        model,
        evidence: Decode::decode(&mut reader)?,
    };
    reader.end()?;
    Ok(DecodedModel {
        certificate,
        subject_digest,
        statement_digest: frame.statement_digest(),
    })
}
