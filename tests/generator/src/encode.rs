//! Writes certificates (`spec/format.md`), and repairs the digests of changed ones.

use bincode::{config, error::EncodeError, serde::encode_to_vec};
use goatherd_certificates::certificate::{Certificate, MAGIC, Statement, VERSIONS};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The number of the subject: a program.
const PROGRAM: u32 = 0;

/// How many bytes a digest has.
const DIGEST: usize = 32;

/// SHA-256.
pub fn digest(bytes: &[u8]) -> [u8; DIGEST] {
    Sha256::digest(bytes).into()
}

fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, EncodeError> {
    encode_to_vec(value, config::standard())
}

/// The bytes of a certificate, digests included. Fails only where memory ends.
pub fn certificate(certificate: &Certificate) -> Result<Vec<u8>, EncodeError> {
    let Certificate { limits, statement, files, positions, terms, evidence, witnesses } = certificate;
    let evidence = evidence.map(|rules| rules.iter().map(encode).collect::<Result<Vec<_>, _>>().map(|rules| rules.concat()))?;
    let statement = encode(&(PROGRAM, statement))?;
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(VERSIONS.start().to_le_bytes());
    bytes.extend(encode(limits)?);
    bytes.extend(digest(&statement));
    bytes.extend(encode(&statement)?);
    bytes.extend(encode(&(files, positions, terms, evidence, witnesses))?);
    bytes.extend(digest(&bytes));
    Ok(bytes)
}

/// The digest of a statement about a program.
pub fn statement_digest(statement: &Statement) -> Result<[u8; DIGEST], EncodeError> {
    Ok(digest(&encode(&(PROGRAM, statement))?))
}

/// Makes the trailer of changed bytes right again.
pub fn repair_trailer(bytes: &mut [u8]) {
    if let Some(end) = bytes.len().checked_sub(DIGEST) {
        let (before, trailer) = bytes.split_at_mut(end);
        trailer.copy_from_slice(&digest(before));
    }
}

/// Makes the digest of the statement right again, which stands at this place, as far as there is one.
pub fn repair_statement(bytes: &mut [u8], place: usize) {
    let start = place + DIGEST;
    let (skipped, length) = match bytes.get(start..) {
        Some([251, low, high, ..]) => (3, usize::from(u16::from_le_bytes([*low, *high]))),
        Some([length, ..]) => (1, usize::from(*length)),
        _ => return,
    };
    if let Some(statement) = bytes.get(start + skipped..start + skipped + length) {
        let right = digest(statement);
        bytes[place..start].copy_from_slice(&right);
    }
}
