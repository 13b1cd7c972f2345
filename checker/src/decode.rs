//! The bytes of a certificate: the frame, and the types that others consist of (`spec/format.md`). What these are is in `certificates/src/`.

use crate::error::{Defect, Failure};
use crate::{Budget, Declined, ensure, reader::Reader};
use alloc::{string::String, vec::Vec};
use goatherd_certificates::{
    certificate::*, decode::*, derivation::Rule, program::Program, term::Term,
};

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// Computes SHA-256 (FIPS 180-4). It finds damage, and gives a verdict the name of what it is about: a claim is no less true under another
/// function, so this one may come from a library.
pub type Hash = fn(&[u8]) -> Digest;

/// A certificate about a program, and the digests that its verdict names. Only [`program`] makes one: what is replayed has been looked up term by
/// term.
#[derive(Debug)]
pub struct Decoded<'bytes> {
    certificate: Certificate<Rules<'bytes>>,
    subject_digest: Digest,
    statement_digest: Digest,
}

impl<'bytes> Decoded<'bytes> {
    /// The certificate.
    pub const fn certificate(&self) -> &Certificate<Rules<'bytes>> {
        &self.certificate
    }

    /// The certificate alone.
    pub fn into_certificate(self) -> Certificate<Rules<'bytes>> {
        self.certificate
    }

    /// Of the encoding of the program alone.
    pub const fn subject_digest(&self) -> Digest {
        self.subject_digest
    }

    /// Of the encoding of the whole statement.
    pub const fn statement_digest(&self) -> Digest {
        self.statement_digest
    }
}

/// The rules of a derivation that are still to be read. They are nearly all of a file, and take twenty times as much once they are read.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'bytes> {
    offset: usize,
    rest: &'bytes [u8],
    terms: TableLength,
}

impl<'bytes> Decode<Reader<'bytes, '_>> for Rules<'bytes> {
    fn decode(reader: &mut Reader<'bytes, '_>) -> Result<Self, Failure> {
        let length = reader.length()?;
        Ok(Self {
            offset: reader.offset(),
            rest: reader.take(length)?,
            terms: reader.terms,
        })
    }
}

impl Rules<'_> {
    /// Reads the next one, if there is one; the budget pays for it.
    pub fn next(&mut self, budget: &mut Budget) -> Result<Option<Rule>, Failure> {
        let mut reader = Reader::new(self.rest, self.offset, budget);
        reader.terms = self.terms;
        let rule = if self.rest.is_empty() {
            None
        } else {
            Some(Rule::decode(&mut reader)?)
        };
        (self.offset, self.rest) = (reader.offset(), reader.rest());
        Ok(rule)
    }
}

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
    ensure(version == VERSION, Declined::Version { found: version })?;
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

/// Bytes of a file that are still to be read, the first of which stands at this offset.
type Rest<'bytes> = (&'bytes [u8], usize);

/// A file whose digests are right. Only [`frame`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Framed<'bytes> {
    limits: Limits,
    statement_digest: Digest,
    statement: Rest<'bytes>,
    evidence: Rest<'bytes>,
}

impl<'bytes> Framed<'bytes> {
    /// What it declares.
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

/// The number of the subject of a certificate about a program.
const PROGRAM: u32 = 0;

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

/// Decodes a certificate about a program, but for its rules.
pub fn program<'bytes>(
    frame: &Framed<'bytes>,
    budget: &mut Budget,
    hash: Hash,
) -> Result<Decoded<'bytes>, Failure> {
    let (claim, mut reader) = frame.statement(PROGRAM, budget)?;
    let (statement, subject_digest) = statement(&mut reader, claim, hash)?;
    let mut reader = frame.evidence(budget);
    let certificate = Certificate {
        limits: frame.limits,
        statement,
        files: Decode::decode(&mut reader)?,
        positions: Decode::decode(&mut reader)?,
        terms: terms(&mut reader)?,
        evidence: Decode::decode(&mut reader)?,
        witnesses: Decode::decode(&mut reader)?,
    };
    reader.end()?;
    Ok(Decoded {
        certificate,
        subject_digest,
        statement_digest: frame.statement_digest,
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

/// A statement about a program, to its end, and the digest of the program.
fn statement(
    reader: &mut Reader<'_, '_>,
    claim: Claim,
    hash: Hash,
) -> Result<(Statement, Digest), Failure> {
    let parameters = Parameters::decode(reader)?;
    let landmarks = Decode::decode(reader)?;
    let origin = Origin::decode(reader)?;
    let digest = hash(reader.rest());
    let program = Program::decode(reader)?;
    reader.end()?;
    let statement = Statement {
        claim,
        parameters,
        landmarks,
        origin,
        program,
    };
    Ok((statement, digest))
}

/// The table of terms, each entry of which names earlier ones.
pub fn terms(reader: &mut Reader<'_, '_>) -> Result<Vec<Term>, Failure> {
    list(reader, |reader| {
        let term = Term::decode(reader)?;
        reader.terms.add(&term);
        Ok(term)
    })
}

/// A length, and then as many values.
fn list<'bytes, 'budget, T>(
    reader: &mut Reader<'bytes, 'budget>,
    mut read: impl FnMut(&mut Reader<'bytes, 'budget>) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let length = reader.length()?;
    let mut vector = reader.vector(length)?;
    for _ in 0..length {
        vector.push(read(reader)?);
    }
    Ok(vector)
}

/// What the reader reads by itself.
macro_rules! primitive {
    ($($name:ty: $read:ident,)*) => { $(
        impl Decode<Reader<'_, '_>> for $name {
            fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
                reader.$read()
            }
        }
    )* };
}
primitive! { u32: unsigned, u64: unsigned, i64: signed, i128: signed, Digest: array, String: text, }

impl<const COUNT: usize> Decode<Reader<'_, '_>> for [u32; COUNT] {
    fn decode(reader: &mut Reader<'_, '_>) -> Result<Self, Failure> {
        let mut numbers = [0; COUNT];
        for number in &mut numbers {
            *number = reader.unsigned()?;
        }
        Ok(numbers)
    }
}

impl<'bytes, 'budget, T: Decode<Reader<'bytes, 'budget>>> Decode<Reader<'bytes, 'budget>>
    for Vec<T>
{
    fn decode(reader: &mut Reader<'bytes, 'budget>) -> Result<Self, Failure> {
        list(reader, T::decode)
    }
}

impl<'bytes, 'budget, T: Decode<Reader<'bytes, 'budget>>> Decode<Reader<'bytes, 'budget>>
    for Option<T>
{
    fn decode(reader: &mut Reader<'bytes, 'budget>) -> Result<Self, Failure> {
        reader.variant(&[|_| Ok(None), |reader| T::decode(reader).map(Some)])
    }
}

impl<'bytes, 'budget, Left, Right> Decode<Reader<'bytes, 'budget>> for (Left, Right)
where
    Left: Decode<Reader<'bytes, 'budget>>,
    Right: Decode<Reader<'bytes, 'budget>>,
{
    fn decode(reader: &mut Reader<'bytes, 'budget>) -> Result<Self, Failure> {
        Ok((Left::decode(reader)?, Right::decode(reader)?))
    }
}
