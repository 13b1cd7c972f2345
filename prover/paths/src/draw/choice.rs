//! Picks one of several cells with exactly the probability that their weights say.
//!
//! A random real number of `[0, 1)`, of which 64 bits at a time become known, falls into one of the intervals that the weights cut out.
//! As soon as the known bits settle which one, that is the pick. Rounded weights settle it nearly always; where they do not, exact ones do.
//! Both look at the same number, so that the pick and the words that it takes do not depend on which of them was asked.

use super::{
    rounded::{Precision, Rounded, scale},
    stream::Stream,
};
use num_bigint::BigUint;

/// What 64 bits settle, with rounded weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pick {
    /// This cell, whatever follows.
    Cell(usize),
    /// The exact weights are needed.
    Undecided,
}

/// The only cell with a weight, if there is only one: it is picked without a word.
pub fn only<T>(weights: &[T], is_zero: impl Fn(&T) -> bool) -> Option<usize> {
    let mut cells = weights.iter().enumerate().filter(|(_, weight)| !is_zero(weight)).map(|(cell, _)| cell);
    let first = cells.next();
    first.filter(|_| cells.next().is_none())
}

/// The cell of a number whose first 64 bits are the word.
pub fn pick<const BITS: u32>(weights: &[Rounded<BITS>], precision: Precision, word: u64) -> Pick {
    let Some(limits) = scale(weights, precision) else { return Pick::Undecided };
    let sum = |limit: fn(&(u64, u64)) -> u64| limits.iter().map(limit).map(u128::from).sum::<u128>();
    let (mut rest_least, mut rest_greatest) = (sum(|limits| limits.0), sum(|limits| limits.1));
    let (mut before_least, mut before_greatest) = (0u128, 0u128);
    let (word, next) = (u128::from(word), u128::from(word) + 1);
    for (cell, (least, greatest)) in limits.iter().enumerate() {
        // All sums are below 2^63, so that the products are below 2^127. The cell begins at the latest at the greatest that may come before,
        // out of the least that may come after; it ends at the earliest the other way round.
        let is_after_its_start = word * (before_greatest + rest_least) >= before_greatest << 64;
        before_least += u128::from(*least);
        before_greatest += u128::from(*greatest);
        rest_least -= u128::from(*least);
        rest_greatest -= u128::from(*greatest);
        let is_before_its_end = next * (before_least + rest_greatest) <= before_least << 64;
        if is_before_its_end {
            return if is_after_its_start { Pick::Cell(cell) } else { Pick::Undecided };
        }
    }
    Pick::Undecided
}

/// The cell of a number whose first 64 bits are the word; more words are taken from the stream until it is settled. Some weight is not 0.
pub fn pick_exactly(weights: &[BigUint], word: u64, stream: &mut Stream) -> usize {
    let total: BigUint = weights.iter().sum();
    let (mut known, mut bits) = (BigUint::from(word), 64u64);
    loop {
        let (least, greatest) = (&known * &total, (&known + 1u32) * &total);
        let mut before = BigUint::ZERO;
        for (cell, weight) in weights.iter().enumerate() {
            let start = &before << bits;
            before += weight;
            if start <= least && greatest <= &before << bits {
                return cell;
            }
        }
        known = (known << 64u32) + stream.word();
        bits += 64;
    }
}

#[cfg(test)]
mod tests {
    use super::{Pick, only, pick, pick_exactly};
    use crate::draw::{
        rounded::{Precision, Rounded},
        stream::Stream,
    };
    use num_bigint::BigUint;

    fn rounded<const BITS: u32>(number: u64) -> Rounded<BITS> {
        // Digit by digit: 2x, and 1 where the bit is set.
        (0..u64::BITS).rev().fold(Rounded::ZERO, |sum, bit| {
            let twice = sum.plus(sum);
            if number >> bit & 1 == 1 { twice.plus(Rounded::ONE) } else { twice }
        })
    }

    #[test]
    fn rounded_weights_never_pick_another_cell() {
        let mut stream = Stream::new(7, 0);
        let mut settled = 0;
        for round in 0..2000u32 {
            let weights: Vec<u64> = (0..2 + round % 5).map(|_| stream.word() >> (stream.word() % 50 + 10)).collect();
            if only(&weights, |weight| *weight == 0).is_some() || weights.iter().all(|weight| *weight == 0) {
                continue;
            }
            let exact: Vec<BigUint> = weights.iter().map(|weight| BigUint::from(*weight)).collect();
            let rounded: Vec<Rounded<16>> = weights.iter().map(|weight| rounded(*weight)).collect();
            let word = stream.word();
            if let Pick::Cell(cell) = pick(&rounded, Precision::after::<16>(128), word) {
                assert_eq!(cell, pick_exactly(&exact, word, &mut stream.clone()));
                settled += 1;
            }
        }
        assert!(settled > 500, "{settled}");
    }

    #[test]
    fn every_word_is_counted_once() {
        // Of three equal weights, the words that 64 bits settle are a third each, and two words need more.
        let third = u64::MAX / 3;
        let weights = vec![BigUint::from(1u32); 3];
        for (word, cell) in [(0, 0), (third - 1, 0), (third + 1, 1), (2 * third - 1, 1), (2 * third + 2, 2), (u64::MAX, 2)] {
            assert_eq!(pick_exactly(&weights, word, &mut Stream::new(0, 0)), cell, "{word}");
        }
        let mut taking = Stream::new(3, 0);
        assert!(pick_exactly(&weights, third, &mut taking) < 2);
        assert_ne!(taking.word(), Stream::new(3, 0).word());
    }
}
