//! Certificates by their subject.

use alloc::boxed::Box;
use goatherd_certificates::certificate::{Certificate, Limits};
use goatherd_checker::{
    Budget,
    decode::{self, Decoded, Rules},
    error::Failure,
};
use goatherd_claim_trees as trees;
use goatherd_claim_unsatisfiable as unsatisfiable;
use goatherd_frame::{Digest, Framed, Hash, frame};

/// A decoded certificate, by what it is about.
#[derive(Debug)]
pub enum Subject<'bytes> {
    /// About a program.
    Program(Box<DecodedProgram<'bytes>>),
    /// About a tree model.
    Model(Box<trees::DecodedModel>),
    /// About a formula.
    Formula(Box<unsatisfiable::DecodedFormula>),
}

impl Subject<'_> {
    /// What the certificate declares.
    pub fn limits(&self) -> Limits {
        match self {
            Self::Program(program) => program.certificate().limits,
            Self::Model(decoded) => decoded.certificate.limits,
            Self::Formula(decoded) => decoded.certificate.limits,
        }
    }

    /// Of the encoding of the program, the model or the formula alone.
    pub fn subject_digest(&self) -> Digest {
        match self {
            Self::Program(program) => program.subject_digest(),
            Self::Model(decoded) => decoded.subject_digest,
            Self::Formula(decoded) => decoded.subject_digest,
        }
    }

    /// Of the encoding of the whole statement.
    pub fn statement_digest(&self) -> Digest {
        match self {
            Self::Program(program) => program.statement_digest(),
            Self::Model(decoded) => decoded.statement_digest,
            Self::Formula(decoded) => decoded.statement_digest,
        }
    }
}

/// The number of the subject of a certificate about a program.
const PROGRAM: u32 = 0;

/// A certificate about a program as the kernel has decoded it, and the digests that its verdict names. Only [`decode`](decode()) makes one, so that no
/// verdict names what another file has:
///
/// ```compile_fail,E0616
/// use goatherd_claims::DecodedProgram;
///
/// fn rename(program: &mut DecodedProgram<'_>) {
///     program.statement_digest = [0; 32];
/// }
/// ```
#[derive(Debug)]
pub struct DecodedProgram<'bytes> {
    decoded: Decoded<'bytes>,
    subject_digest: Digest,
    statement_digest: Digest,
}

impl<'bytes> DecodedProgram<'bytes> {
    /// What the kernel replays.
    pub const fn decoded(&self) -> &Decoded<'bytes> {
        &self.decoded
    }

    /// Of the encoding of the program alone.
    pub const fn subject_digest(&self) -> Digest {
        self.subject_digest
    }

    /// Of the encoding of the whole statement.
    pub const fn statement_digest(&self) -> Digest {
        self.statement_digest
    }

    /// The certificate.
    pub const fn certificate(&self) -> &Certificate<Rules<'bytes>> {
        self.decoded.certificate()
    }

    /// The certificate alone.
    pub fn into_certificate(self) -> Certificate<Rules<'bytes>> {
        self.decoded.into_certificate()
    }
}

/// Decodes a certificate about a program.
fn program<'bytes>(
    frame: &Framed<'bytes>,
    budget: &mut Budget,
    hash: Hash,
) -> Result<DecodedProgram<'bytes>, Failure> {
    let (claim, reader) = frame.statement(PROGRAM, budget)?;
    let (statement, program) = decode::statement(reader, claim)?;
    Ok(DecodedProgram {
        subject_digest: hash(program),
        statement_digest: frame.statement_digest(),
        decoded: decode::certificate(frame.limits(), statement, frame.evidence(budget))?,
    })
}

/// Decodes a file. In this order: version and limits, trailer, statement digest, structure but that of rules.
pub fn decode<'bytes>(
    bytes: &'bytes [u8],
    budget: &mut Budget,
    allowed: Limits,
    hash: Hash,
) -> Result<Subject<'bytes>, Failure> {
    let frame = frame(bytes, budget, allowed, hash)?;
    Ok(match frame.subject(budget)? {
        trees::decode::MODEL => {
            Subject::Model(Box::new(trees::decode::model(&frame, budget, hash)?))
        }
        unsatisfiable::decode::FORMULA => Subject::Formula(Box::new(
            unsatisfiable::decode::formula(&frame, budget, hash)?,
        )),
        _ => Subject::Program(Box::new(program(&frame, budget, hash)?)),
    })
}
