//! What terms are modulo a number.

use crate::meter::Meter;
use goatherd_systems::literal::{Term, Variable};

/// Remainders are known modulo this number at most.
const COMMON_MODULUS: i128 = 1 << 20;

/// Two residues are put together for a modulus of at most this number, as each factor of the first one is tried.
const PAIRED_MODULUS: i128 = 1 << 10;

/// What is known of a term modulo a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remainder {
    /// The modulus.
    pub modulus: i128,
    /// What remains.
    pub remainder: i128,
}

impl Remainder {
    /// Both; none where nothing satisfies both, or the modulus would be too great.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        self.common(other).filter(|common| common.modulus <= COMMON_MODULUS)
    }

    /// Both; none where nothing satisfies both.
    fn common(self, other: Self) -> Option<Self> {
        let shift = other.remainder.checked_sub(self.remainder)?;
        let steps = quotients(self.modulus, shift, other.modulus)?;
        let modulus = self.modulus.checked_mul(steps.modulus)?;
        let remainder = self.modulus.checked_mul(steps.remainder)?.checked_add(self.remainder)?;
        Some(Self { modulus, remainder: remainder.rem_euclid(modulus) })
    }

    /// The greatest number of this residue class that is at most `bound`.
    pub(super) fn round_down(self, bound: i128) -> i128 {
        bound - (bound - self.remainder).rem_euclid(self.modulus)
    }
}

/// The numbers x with `factor * x = value` modulo that number; none where there are none (the extended algorithm of Euclid).
fn quotients(factor: i128, value: i128, modulus: i128) -> Option<Remainder> {
    let (mut divisor, mut rest) = (modulus, factor.rem_euclid(modulus));
    // Each is `factor` times the number beside it.
    let (mut of_divisor, mut of_rest) = (0i128, 1i128);
    while rest != 0 {
        let quotient = divisor / rest;
        (divisor, rest) = (rest, divisor - quotient * rest);
        (of_divisor, of_rest) = (of_rest, of_divisor - quotient * of_rest);
    }
    if value % divisor != 0 {
        return None;
    }
    let period = modulus / divisor;
    let times = (value / divisor).rem_euclid(period).checked_mul(of_divisor.rem_euclid(period))?;
    Some(Remainder { modulus: period, remainder: times.rem_euclid(period) })
}

/// The remainder of the term, where it is a combination of at most two terms whose remainders are known.
pub(super) fn combination(term: &[(Variable, i128)], facts: &[(Term, i128)], modulus: i128, meter: &Meter) -> Option<i128> {
    let mut variables: Vec<Variable> = facts.iter().flat_map(|(fact, _)| fact).chain(term).map(|(variable, _)| *variable).collect();
    variables.sort_unstable();
    variables.dedup();
    if !meter.pay((1 + facts.len()) * (1 + variables.len())) {
        return None;
    }
    let row = |term: &[(Variable, i128)]| -> Vec<i128> {
        let of = |variable| term.binary_search_by_key(variable, |(other, _)| *other).map_or(0, |position| term[position].1);
        variables.iter().map(|variable| of(variable).rem_euclid(modulus)).collect()
    };
    let goal = row(term);
    let rows: Vec<(Vec<i128>, i128)> = facts.iter().map(|(fact, remainder)| (row(fact), *remainder)).collect();
    let of_one = |goal: &[i128], (fact, remainder): &(Vec<i128>, i128)| {
        factor(fact, goal, modulus)?.checked_mul(remainder.rem_euclid(modulus)).map(|product| product.rem_euclid(modulus))
    };
    if let Some(remainder) = rows.iter().find_map(|fact| of_one(&goal, fact)) {
        return Some(remainder);
    }
    if modulus > PAIRED_MODULUS {
        return None;
    }
    for (position, (left, left_remainder)) in rows.iter().enumerate() {
        for right in &rows[position + 1..] {
            for times in 1..modulus {
                if !meter.pay(variables.len()) {
                    return None;
                }
                let rest: Vec<i128> = goal.iter().zip(left).map(|(goal, left)| (goal - times * left).rem_euclid(modulus)).collect();
                if let Some(remainder) = of_one(&rest, right) {
                    return Some((times * left_remainder.rem_euclid(modulus) + remainder).rem_euclid(modulus));
                }
            }
        }
    }
    None
}

/// The least factor from 1 on by which the row becomes the goal. None is 0: that a term vanishes by its own coefficients is nothing that derivations
/// show, and of 288 random systems five had no certificate for it.
fn factor(row: &[i128], goal: &[i128], modulus: i128) -> Option<i128> {
    let any = Remainder { modulus: 1, remainder: 0 };
    let factors = row.iter().zip(goal).try_fold(any, |factors, (own, wanted)| factors.common(quotients(*own, *wanted, modulus)?))?;
    let least = if factors.remainder == 0 { factors.modulus } else { factors.remainder };
    (least < modulus).then_some(least)
}

#[cfg(test)]
mod tests {
    use super::{Remainder, combination, quotients};
    use crate::meter::Meter;

    #[test]
    fn quotients_are_all_there_are() {
        for modulus in 1..20 {
            for factor in -20..20 {
                for value in -20..20 {
                    let all: Vec<i128> = (0..modulus).filter(|number| (factor * number - value) % modulus == 0).collect();
                    let found = quotients(factor, value, modulus);
                    let found: Option<Vec<i128>> =
                        found.map(|found| (0..modulus).filter(|number| number % found.modulus == found.remainder).collect());
                    assert_eq!(found.unwrap_or_default(), all, "{factor} x = {value} mod {modulus}");
                }
            }
        }
    }

    #[test]
    fn remainders_are_put_together() {
        let of = |modulus, remainder| Remainder { modulus, remainder };
        assert_eq!(of(4, 3).and(of(6, 5)), Some(of(12, 11)));
        assert_eq!(of(4, 3).and(of(6, 4)), None);
        assert_eq!(of(1 << 19, 1).and(of(9, 1)), None);
        assert_eq!(of(1_000_000_007, 1).and(of(998_244_353, 1)), None);
    }

    #[test]
    fn combinations_of_two() {
        // 3x + y = 1, x + 2y = 4 (mod 7): the sum is 4x + 3y.
        let facts = [(vec![(0, 3), (1, 1)], 1), (vec![(0, 1), (1, 2)], 4)];
        let meter = Meter::default();
        assert_eq!(combination(&[(0, 4), (1, 3)], &facts, 7, &meter), Some(5));
        assert_eq!(combination(&[(0, 6), (1, 2)], &facts, 7, &meter), Some(2));
        assert_eq!(combination(&[(0, 6), (2, 2)], &facts, 7, &meter), None);
        // Modulo a large number, the factor is computed.
        let facts = [(vec![(0, 2)], 3)];
        assert_eq!(combination(&[(0, 1)], &facts, 1_000_000_007, &meter), Some(500_000_005));
        assert_eq!(combination(&[(0, 1)], &facts, 1_000_000_006, &meter), None);
        assert_eq!(combination(&[(0, 6), (1, 2)], &[], 7, &Meter::new(0)), None);
        // Of a number, what is said of it.
        assert_eq!(combination(&[], &[(Vec::new(), 3)], 7, &meter), Some(3));
    }
}
