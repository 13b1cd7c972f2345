//! The frame of a certificate: version, limits and digests, and what stands between them (`spec/format.md#file`).
//!
//! `Safe` does not rest on it. The kernel decodes statement and evidence itself, and what it proves is what it has decoded: a frame that took other
//! bytes for them would have another statement proved, which the verdict prints and `--source` compares, or none.
#![no_std]

use goatherd_certificates::{
    certificate::{Claim, Limits, MAGIC, VERSIONS},
    decode::Decode,
};
use goatherd_checker::{
    Budget, Declined, ensure,
    error::{Defect, Failure},
    reader::Reader,
};

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// Computes SHA-256 (FIPS 180-4). It finds damage, and gives a verdict the name of what it is about: a claim is no less true under another
/// function, so this one may come from a library.
pub type Hash = fn(&[u8]) -> Digest;

/// The most bytes that [`limits`] reads.
pub const HEADER: u64 = 46;

/// The limits that a file declares, from its first bytes, and how many bytes these are. Declines other versions, and limits above what is
/// allowed.
pub fn limits(bytes: &[u8], allowed: Limits) -> Result<(Limits, usize), Failure> {
    let mut nothing = Budget::new(0);
    let mut reader = Reader::new(bytes, 0, &mut nothing);
    ensure(
        bytes.starts_with(&MAGIC),
        Reader::malformed(0, Defect::Magic),
    )?;
    reader.take(MAGIC.len())?;
    let version = u32::from_le_bytes(reader.array()?);
    let is_known = VERSIONS.contains(&version);
    ensure(is_known, Declined::Version { found: version })?;
    let limits = Limits::decode(&mut reader)?;
    let memory = Declined::Limit {
        declared: limits.memory,
        allowed: allowed.memory,
    };
    ensure(limits.memory <= allowed.memory, memory)?;
    let work = Declined::WorkLimit {
        declared: limits.work,
        allowed: allowed.work,
    };
    ensure(limits.work <= allowed.work, work)?;
    Ok((limits, reader.offset()))
}

/// A file whose digests are right. Only [`frame`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Framed<'bytes> {
    limits: Limits,
    statement_digest: Digest,
    statement: Section<'bytes>,
    evidence: Section<'bytes>,
}

/// Bytes, and at which offset of the file they begin.
type Section<'bytes> = (&'bytes [u8], usize);

impl<'bytes> Framed<'bytes> {
    /// What the file declares.
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Of the whole statement.
    pub const fn statement_digest(&self) -> Digest {
        self.statement_digest
    }

    /// The number of what the certificate is about.
    pub fn subject(&self, budget: &mut Budget) -> Result<u32, Failure> {
        u32::decode(&mut Reader::new(self.statement.0, self.statement.1, budget))
    }

    /// The claim, and the reader of what stands behind it in the statement, if it is about this subject.
    pub fn statement<'budget>(
        &self,
        subject: u32,
        budget: &'budget mut Budget,
    ) -> Result<(Claim, Reader<'bytes, 'budget>), Failure> {
        let (bytes, offset) = self.statement;
        let mut reader = Reader::new(bytes, offset, budget);
        let (found, claim) = (u32::decode(&mut reader)?, Claim::decode(&mut reader)?);
        ensure(found == subject, Reader::malformed(offset, Defect::Variant))?;
        Ok((claim, reader))
    }

    /// The reader of what stands behind the statement.
    pub const fn evidence<'budget>(&self, budget: &'budget mut Budget) -> Reader<'bytes, 'budget> {
        Reader::new(self.evidence.0, self.evidence.1, budget)
    }
}

/// Reads the frame of a file. In this order: version and limits, trailer, statement digest.
pub fn frame<'bytes>(
    bytes: &'bytes [u8],
    budget: &mut Budget,
    allowed: Limits,
    hash: Hash,
) -> Result<Framed<'bytes>, Failure> {
    let (limits, offset) = limits(bytes, allowed)?;
    // No more than is allowed.
    *budget = Budget::within(limits);
    budget.take(bytes.len())?;

    let body = body(bytes, offset, hash)?;
    let mut reader = Reader::new(body, offset, budget);
    let statement_digest: Digest = reader.array()?;
    let length = reader.length()?;
    let statement_offset = reader.offset();
    let statement = reader.take(length)?;
    ensure(
        hash(statement) == statement_digest,
        Reader::malformed(offset, Defect::StatementDigest),
    )?;
    Ok(Framed {
        limits,
        statement_digest,
        statement: (statement, statement_offset),
        evidence: (reader.rest(), reader.offset()),
    })
}

/// What stands between the limits and the trailer, which is the digest of all before it.
fn body(bytes: &[u8], offset: usize, hash: Hash) -> Result<&[u8], Failure> {
    let (contents, trailer) = bytes
        .split_last_chunk::<32>()
        .ok_or_else(|| Reader::malformed(bytes.len(), Defect::Truncated))?;
    ensure(
        hash(contents) == *trailer,
        Reader::malformed(contents.len(), Defect::Trailer),
    )?;
    let truncated = || Reader::malformed(contents.len(), Defect::Truncated);
    contents.get(offset..).ok_or_else(truncated)
}
