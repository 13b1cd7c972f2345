//! Reads the primitive encodings: integers, lengths, strings, digests (`spec/format.md#encoding`).

use crate::error::{Defect, Failure, Where};
use crate::{Budget, Declined, Rejection, ensure};
use alloc::{string::String, vec::Vec};
use goatherd_certificates::decode::{Read, Source, TableLength, TableTerm, TermKind};

/// What an allocator takes beyond what it gives, at most, in bytes.
const ALLOCATION: usize = 32;

/// Where reading stands in the bytes of a file, or of a part of it.
#[derive(Debug)]
pub struct Reader<'bytes, 'budget> {
    /// What is still to be read.
    rest: &'bytes [u8],
    /// Where `rest` begins in the file.
    offset: usize,
    /// Pays for what is decoded.
    budget: &'budget mut Budget,
    /// The table of terms as far as it has been read.
    pub(crate) terms: TableLength,
}

impl<'bytes, 'budget> Reader<'bytes, 'budget> {
    /// Reads the bytes, which begin at the given offset of the file; they name no terms unless `terms` says which there are.
    pub const fn new(bytes: &'bytes [u8], offset: usize, budget: &'budget mut Budget) -> Self {
        Self {
            rest: bytes,
            offset,
            budget,
            terms: TableLength::NONE,
        }
    }

    /// Where the next byte stands in the file.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// What is still to be read.
    pub const fn rest(&self) -> &'bytes [u8] {
        self.rest
    }

    /// This defect, at the given offset.
    pub fn malformed(offset: usize, what: Defect) -> Failure {
        Failure::Rejected {
            place: Where::Byte(offset),
            rejection: Rejection::Malformed(what),
        }
    }

    /// The next `count` bytes as they are.
    pub fn take(&mut self, count: usize) -> Result<&'bytes [u8], Failure> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or_else(|| Self::malformed(self.offset, Defect::Truncated))?;
        self.rest = rest;
        self.offset = self.offset.saturating_add(count);
        Ok(taken)
    }

    /// The next `COUNT` bytes as they are.
    pub fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], Failure> {
        let offset = self.offset;
        let taken = self.take(COUNT)?.try_into();
        taken.map_err(|_| Self::malformed(offset, Defect::Truncated))
    }

    /// An unsigned integer: up to 250 in one byte, else 251, 252, 253 or 254 and 2, 4, 8 or 16 bytes, little endian, as few as do.
    pub fn unsigned<T: TryFrom<u128>>(&mut self) -> Result<T, Failure> {
        let offset = self.offset;
        let narrow = |value| T::try_from(value).map_err(|_| Self::malformed(offset, Defect::Range));
        let [first] = self.array()?;
        let (value, least) = match first {
            ..251 => return narrow(first.into()),
            251 => (u16::from_le_bytes(self.array()?).into(), 251),
            252 => (u32::from_le_bytes(self.array()?).into(), 1 << 16),
            253 => (u64::from_le_bytes(self.array()?).into(), 1 << 32),
            254 => (u128::from_le_bytes(self.array()?), 1 << 64),
            255 => return Err(Self::malformed(offset, Defect::Integer)),
        };
        ensure(value >= least, Self::malformed(offset, Defect::Integer))?;
        narrow(value)
    }

    /// A signed integer: the unsigned `2 n` for `n >= 0`, `-2 n - 1` for `n < 0`.
    pub fn signed<T: TryFrom<i128>>(&mut self) -> Result<T, Failure> {
        let offset = self.offset;
        let code: u128 = self.unsigned()?;
        let half = i128::try_from(code / 2).ok();
        let value = half.map(|half| if code.is_multiple_of(2) { half } else { !half });
        value
            .and_then(|value| T::try_from(value).ok())
            .ok_or_else(|| Self::malformed(offset, Defect::Range))
    }

    /// A length: an unsigned integer, at most the number of bytes that are left, for every element takes at least one.
    pub fn length(&mut self) -> Result<usize, Failure> {
        let offset = self.offset;
        let length = self.unsigned()?;
        let is_left = length <= self.rest.len();
        ensure(is_left, Self::malformed(offset, Defect::Length)).map(|()| length)
    }

    /// A string: its length in bytes, then UTF-8.
    pub fn text(&mut self) -> Result<String, Failure> {
        let length = self.length()?;
        let offset = self.offset;
        let bytes = self.take(length)?;
        let mut text = self.vector(length)?;
        text.extend_from_slice(bytes);
        String::from_utf8(text).map_err(|_| Self::malformed(offset, Defect::Text))
    }

    /// An empty vector with room for `count` elements, which the budget pays for.
    pub fn vector<T>(&mut self, count: usize) -> Result<Vec<T>, Failure> {
        let overhead = if count == 0 { 0 } else { ALLOCATION };
        let bytes = count
            .saturating_mul(size_of::<T>())
            .saturating_add(overhead);
        self.budget.take(bytes)?;
        let mut vector = Vec::new();
        vector
            .try_reserve_exact(count)
            .map_err(|_| Declined::Memory {
                limit: u64::try_from(bytes).unwrap_or(u64::MAX),
            })?;
        Ok(vector)
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<(), Failure> {
        ensure(
            self.rest.is_empty(),
            Self::malformed(self.offset, Defect::Trailing),
        )
    }
}

impl Source for Reader<'_, '_> {
    type Failure = Failure;

    /// The number is an unsigned integer.
    fn variant<T>(&mut self, variants: &[Read<Self, T>]) -> Result<T, Failure> {
        let offset = self.offset;
        let number = self.unsigned::<u32>()?;
        let variant = usize::try_from(number)
            .ok()
            .and_then(|number| variants.get(number));
        variant.ok_or_else(|| Self::malformed(offset, Defect::Variant))?(self)
    }

    /// The number is an unsigned integer.
    fn term(&mut self, kind: TermKind) -> Result<TableTerm, Failure> {
        let offset = self.offset;
        let number = self.unsigned()?;
        self.terms
            .term(kind, number)
            .ok_or_else(|| Self::malformed(offset, Defect::Term))
    }
}
