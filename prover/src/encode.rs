//! Writes certificates (`spec/format.md`).
//!
//! Everything inside is the encoding of bincode 2, standard configuration; the frame around it is written here.

use bincode::{config, error::EncodeError, serde::encode_to_vec};
use goatherd_certificates::{
    certificate::{Certificate, MAGIC, VERSION},
    program::Program,
};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The bytes of a certificate, digests included. Fails only where memory ends.
pub fn certificate(certificate: &Certificate) -> Result<Vec<u8>, EncodeError> {
    let Certificate { limits, statement, files, positions, terms, evidence, witnesses } = certificate;
    let statement = encode(statement)?;
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(encode(limits)?);
    bytes.extend(Sha256::digest(&statement));
    bytes.extend(encode(&statement)?);
    bytes.extend(encode(&(files, positions, terms, evidence, witnesses))?);
    bytes.extend(Sha256::digest(&bytes));
    Ok(bytes)
}

/// The digest by which verdicts name a program: SHA-256 of its encoding.
pub fn program_digest(program: &Program) -> Result<[u8; 32], EncodeError> {
    Ok(Sha256::digest(encode(program)?).into())
}

/// The encoding of one value.
fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, EncodeError> {
    encode_to_vec(value, config::standard())
}
