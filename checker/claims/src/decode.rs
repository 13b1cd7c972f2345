//! Certificates by their subject.

use alloc::boxed::Box;
use goatherd_certificates::certificate::Limits;
use goatherd_checker::{
    Budget,
    decode::{self, Digest, Hash},
    error::Failure,
};
use goatherd_claim_trees as trees;
use goatherd_claim_unsatisfiable as unsatisfiable;

/// A decoded certificate, by what it is about.
#[derive(Debug)]
pub enum Subject<'bytes> {
    /// About a program.
    Program(Box<decode::Decoded<'bytes>>),
    /// About a tree model.
    Model(Box<trees::DecodedModel>),
    /// About a formula.
    Formula(Box<unsatisfiable::DecodedFormula>),
}

impl Subject<'_> {
    /// What the certificate declares.
    pub fn limits(&self) -> Limits {
        match self {
            Self::Program(decoded) => decoded.certificate().limits,
            Self::Model(decoded) => decoded.certificate.limits,
            Self::Formula(decoded) => decoded.certificate.limits,
        }
    }

    /// Of the encoding of the program, the model or the formula alone.
    pub fn subject_digest(&self) -> Digest {
        match self {
            Self::Program(decoded) => decoded.subject_digest(),
            Self::Model(decoded) => decoded.subject_digest,
            Self::Formula(decoded) => decoded.subject_digest,
        }
    }

    /// Of the encoding of the whole statement.
    pub fn statement_digest(&self) -> Digest {
        match self {
            Self::Program(decoded) => decoded.statement_digest(),
            Self::Model(decoded) => decoded.statement_digest,
            Self::Formula(decoded) => decoded.statement_digest,
        }
    }
}

/// Decodes a file. In this order: version and limits, trailer, statement digest, structure but that of rules.
pub fn decode<'bytes>(
    bytes: &'bytes [u8],
    budget: &mut Budget,
    allowed: Limits,
    hash: Hash,
) -> Result<Subject<'bytes>, Failure> {
    let frame = decode::frame(bytes, budget, allowed, hash)?;
    Ok(match frame.subject(budget)? {
        trees::decode::MODEL => {
            Subject::Model(Box::new(trees::decode::model(&frame, budget, hash)?))
        }
        unsatisfiable::decode::FORMULA => Subject::Formula(Box::new(
            unsatisfiable::decode::formula(&frame, budget, hash)?,
        )),
        _ => Subject::Program(Box::new(decode::program(&frame, budget, hash)?)),
    })
}
