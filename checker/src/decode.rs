//! The bytes of a certificate, and the types that others consist of (`spec/format.md`). What these are is in `certificates/src/`.

use crate::error::Failure;
use crate::{Budget, reader::Reader};
use alloc::{string::String, vec::Vec};
use goatherd_certificates::{
    certificate::*, decode::*, derivation::Rule, program::Program, term::Term,
};

/// A certificate about a program. Only [`certificate`] makes one: what is replayed has been looked up term by term.
#[derive(Debug)]
pub struct Decoded<'bytes>(Certificate<Rules<'bytes>>);

impl<'bytes> Decoded<'bytes> {
    /// The certificate.
    pub const fn certificate(&self) -> &Certificate<Rules<'bytes>> {
        &self.0
    }

    /// The certificate alone.
    pub fn into_certificate(self) -> Certificate<Rules<'bytes>> {
        self.0
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
        let is_left = !self.rest.is_empty();
        let rule = is_left.then(|| Rule::decode(&mut reader)).transpose()?;
        self.offset = reader.offset();
        self.rest = reader.rest();
        Ok(rule)
    }
}

/// Decodes a statement about a program, to its end, but for the claim, which stands before it. Gives the encoding of the program, too.
pub fn statement<'bytes>(
    mut reader: Reader<'bytes, '_>,
    claim: Claim,
) -> Result<(Statement, &'bytes [u8]), Failure> {
    let parameters = Parameters::decode(&mut reader)?;
    let landmarks = Decode::decode(&mut reader)?;
    let origin = Origin::decode(&mut reader)?;
    let encoding = reader.rest();
    let statement = Statement {
        claim,
        parameters,
        landmarks,
        origin,
        program: Program::decode(&mut reader)?,
    };
    reader.end().map(|()| (statement, encoding))
}

/// Decodes what stands behind a statement about a program, to its end, but for rules.
pub fn certificate<'bytes>(
    limits: Limits,
    statement: Statement,
    mut reader: Reader<'bytes, '_>,
) -> Result<Decoded<'bytes>, Failure> {
    // Whatever has been read before, no terms are those of another table (`spec/calculus.md#attacks` K1).
    reader.terms = TableLength::NONE;
    let certificate = Certificate {
        limits,
        statement,
        files: Decode::decode(&mut reader)?,
        positions: Decode::decode(&mut reader)?,
        terms: terms(&mut reader)?,
        evidence: Decode::decode(&mut reader)?,
        witnesses: Decode::decode(&mut reader)?,
    };
    reader.end().map(|()| Decoded(certificate))
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
primitive! { u32: unsigned, u64: unsigned, i64: signed, i128: signed, [u8; 32]: array, String: text, }

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
