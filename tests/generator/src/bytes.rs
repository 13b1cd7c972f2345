//! Changed bytes of generated certificates, under digests that are right: for the decoder, and for the whole check behind it.

use crate::{certificates::LIMITS, dice::Dice, encode};
use goatherd_checker::error::Failure;
use goatherd_claims::Verdict;

/// Bytes before the digest of the statement where the limits are those of the generator: magic, version, and two limits, each of five bytes.
pub const HEAD: usize = 8 + 4 + 2 * 5;

/// How many bytes a digest has.
const DIGEST: usize = 32;

/// Changes a few bytes, most often behind the statement, and makes the trailer right again.
pub fn change(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let statement = HEAD + DIGEST;
    // The length of the statement, so that what follows can be found.
    let length = match bytes.get(statement) {
        Some(251) => bytes.get(statement + 1..statement + 3).map(|bytes| 3 + usize::from(bytes[0]) + 256 * usize::from(bytes[1])),
        Some(length) => Some(1 + usize::from(*length)),
        None => None,
    };
    let rest = statement + length.unwrap_or(0);
    for _ in 0..=dice.below(3) {
        let end = bytes.len().saturating_sub(DIGEST);
        let start = if dice.once_in(8) { 0 } else { rest.min(end) };
        let place = start + dice.below(end.saturating_sub(start));
        let random = u8::try_from(dice.below(256)).unwrap_or(0);
        let value = dice.one([0, 1, 2, 3, 250, 251, 252, 253, 254, 255, random]);
        match dice.below(8) {
            0 if place < end => drop(bytes.remove(place)),
            1 => bytes.insert(place, value),
            2 => {
                let count = dice.below(end.saturating_sub(place).min(12));
                let copied: Vec<u8> = bytes.get(place..place + count).map(<[u8]>::to_vec).unwrap_or_default();
                let target = start + dice.below(end.saturating_sub(start));
                bytes.splice(target..target, copied);
            }
            3 => {
                bytes.get_mut(place).into_iter().for_each(|byte| *byte = byte.wrapping_add(1));
            }
            4 => bytes.truncate(place.max(1) + DIGEST),
            _ => bytes.get_mut(place).into_iter().for_each(|byte| *byte = value),
        }
    }
    if !dice.once_in(16) {
        encode::repair_statement(bytes, HEAD);
        encode::repair_trailer(bytes);
    }
}

/// What the kernel says of the bytes.
pub fn check(bytes: &[u8]) -> Result<Verdict, Failure> {
    goatherd_claims::check(bytes, LIMITS, encode::digest)
}

/// Puts the generator's limits into bytes whose own take as many.
pub fn limit(bytes: &mut [u8]) {
    let of_four = |limit: u64| [&[252][..], &u32::try_from(limit).unwrap_or(u32::MAX).to_le_bytes()].concat();
    if let Some(limits) = bytes.get_mut(HEAD - 10..HEAD) {
        limits.copy_from_slice(&[of_four(LIMITS.memory), of_four(LIMITS.work)].concat());
    }
}
