//! Exact fractions of 128-bit integers; operations that overflow give none.

use crate::form::common_divisor;
use std::cmp::Ordering;

/// `numerator / denominator`, in lowest terms, with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rational {
    /// Negative where the number is.
    pub numerator: i128,
    /// Positive.
    pub denominator: i128,
}

impl Rational {
    /// 0.
    pub const ZERO: Self = Self::integer(0);

    /// An integer.
    pub const fn integer(value: i128) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    fn new(numerator: i128, denominator: i128) -> Option<Self> {
        let divisor = common_divisor(numerator, denominator).checked_mul(denominator.signum())?;
        Some(Self { numerator: numerator.checked_div(divisor)?, denominator: denominator.checked_div(divisor)? })
    }

    /// The sum; none where it overflows, as below.
    pub fn plus(self, other: Self) -> Option<Self> {
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Self::integer(self.numerator.checked_add(other.numerator)?));
        }
        let (left, right) = (self.numerator.checked_mul(other.denominator)?, other.numerator.checked_mul(self.denominator)?);
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated()?)
    }

    /// The product.
    pub fn times(self, other: Self) -> Option<Self> {
        // Nearly all are integers, and finding common divisors takes long.
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Self::integer(self.numerator.checked_mul(other.numerator)?));
        }
        Self::new(self.numerator.checked_mul(other.numerator)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The quotient; none where `other` is 0, too.
    pub fn over(self, other: Self) -> Option<Self> {
        if other.denominator == 1 && other.numerator.unsigned_abs() == 1 {
            return Some(Self { numerator: self.numerator.checked_mul(other.numerator)?, ..self });
        }
        Self::new(self.numerator.checked_mul(other.denominator)?, self.denominator.checked_mul(other.numerator)?)
    }

    /// The number with the other sign.
    pub fn negated(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_neg()?, ..self })
    }

    /// 1, 0 or -1.
    pub fn sign(self) -> i128 {
        self.numerator.signum()
    }

    /// Which is greater.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        Some(self.minus(other)?.numerator.cmp(&0))
    }

    /// The greatest integer not above it.
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::Rational;

    #[test]
    fn fractions_are_in_lowest_terms() {
        let half = Rational::integer(-2).over(Rational::integer(-4)).unwrap();
        assert_eq!((half.numerator, half.denominator), (1, 2));
        assert_eq!(half.plus(half), Some(Rational::integer(1)));
        assert_eq!(half.minus(Rational::integer(1)).unwrap().floor(), -1);
        assert_eq!(half.over(Rational::ZERO), None);
        assert_eq!(Rational::integer(i128::MAX).plus(half), None);
    }
}
