//! Natural numbers that are rounded down to so many bits: what tables of counts hold.
//!
//! Sums of them are too small by a known part only ([`Precision`]), so that a decision that does not depend on that part is the exact one.
//! Nothing here depends on the machine's floating point.

/// A natural number that is rounded down, `mantissa * 2^exponent`. The exponent is 0 where the mantissa has less than `BITS` bits, and 0 is
/// never the rounding of another number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Rounded<const BITS: u32> {
    mantissa: u64,
    exponent: u32,
}

/// What tables hold.
pub type Count = Rounded<62>;

impl<const BITS: u32> Rounded<BITS> {
    /// 1
    pub const ONE: Self = Self { mantissa: 1, exponent: 0 };
    /// 0
    pub const ZERO: Self = Self { mantissa: 0, exponent: 0 };

    /// Is the number 0? That is exact.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// The sum, rounded down: of its value less than two parts in 2^(BITS - 1) are lost.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let (greater, less) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let moved = less.mantissa.checked_shr(greater.exponent - less.exponent).unwrap_or(0);
        // Both have at most 62 bits.
        let sum = greater.mantissa + moved;
        let excess = u32::from(sum >> BITS != 0);
        Self { mantissa: sum >> excess, exponent: greater.exponent + excess }
    }

    /// One more than the position of the highest bit.
    fn size(self) -> u32 {
        u64::BITS - self.mantissa.leading_zeros() + self.exponent
    }

    /// `self / 2^shift`, rounded down, for a number of less than 2^(64 + shift).
    fn scaled(self, shift: i64) -> u64 {
        let shift = shift - i64::from(self.exponent);
        match u32::try_from(shift.unsigned_abs()) {
            Ok(places) if shift >= 0 => self.mantissa.checked_shr(places).unwrap_or(0),
            Ok(places) => self.mantissa.checked_shl(places).unwrap_or(0),
            Err(_) => 0,
        }
    }

    /// The quotient of two numbers, for people and for estimates.
    pub fn ratio(self, other: Self) -> f64 {
        let exponent = (i64::from(self.exponent) - i64::from(other.exponent)).clamp(-1022, 1023);
        // The power of 2 by its representation: no library function decides about it.
        let power = f64::from_bits(u64::try_from(exponent + 1023).unwrap_or(0) << 52);
        #[expect(clippy::cast_precision_loss, reason = "a quotient in double precision")]
        let quotient = self.mantissa as f64 / other.mantissa as f64;
        quotient * power
    }
}

/// How much too small the numbers of a table may be: a number x stands for one of at least x and at most `x + x / 2^bits`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Precision {
    /// None where nothing is known.
    bits: Option<u32>,
}

impl Precision {
    /// Of numbers that come from so many additions, one after the other. Each loses less than a part in 2^(BITS - 2), so that together they
    /// lose less than `additions` such parts; twice as much, as long as it is at most a half, covers the quotient by what is left.
    pub fn after<const BITS: u32>(additions: u64) -> Self {
        let lost = u64::BITS - additions.leading_zeros() + 1;
        Self { bits: BITS.checked_sub(2 + lost).filter(|bits| *bits >= 1) }
    }
}

/// The numbers as integers of at most 63 bits together, all divided by the same power of 2: least and greatest possible value of each. None
/// where the precision says nothing.
pub fn scale<const BITS: u32>(numbers: &[Rounded<BITS>], precision: Precision) -> Option<Vec<(u64, u64)>> {
    let bits = precision.bits?;
    let greatest = numbers.iter().map(|number| number.size()).max()?;
    let spare = u64::BITS - u64::try_from(numbers.len()).ok()?.leading_zeros();
    // The greatest gets so many bits that the upper limits of all do not fill 63.
    let size = 60u32.checked_sub(spare)?;
    let shift = i64::from(greatest) - i64::from(size);
    let limits = numbers.iter().map(|number| {
        let least = number.scaled(shift);
        if number.is_zero() { (0, 0) } else { (least, least + (least >> bits) + 2) }
    });
    Some(limits.collect())
}

#[cfg(test)]
mod tests {
    use super::{Precision, Rounded, scale};

    fn doubled<const BITS: u32>(times: u32) -> Rounded<BITS> {
        (0..times).fold(Rounded::ONE, |number, _| number.plus(number))
    }

    #[test]
    fn sums_are_exact_while_they_fit() {
        let five = (0..4).fold(Rounded::<62>::ONE, |sum, _| sum.plus(Rounded::ONE));
        assert_eq!(five, Rounded { mantissa: 5, exponent: 0 });
        assert_eq!(doubled::<62>(2000).size(), 2001);
        assert!((doubled::<62>(2000).ratio(doubled::<62>(1999)) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_lost_is_limited() {
        // 1000 additions of 1 on eight bits: everything above 255 is rounded away, and the precision says so.
        let sum = (0..1000).fold(Rounded::<8>::ZERO, |sum, _| sum.plus(Rounded::ONE));
        assert_eq!(sum.size(), 9);
        assert_eq!(Precision::after::<8>(1000).bits, None);
        assert_eq!(Precision::after::<62>(1000).bits, Some(49));
    }

    #[test]
    fn limits_contain_the_numbers() {
        let (large, small) = (doubled::<62>(300), doubled::<62>(3));
        let limits = scale(&[large, small, Rounded::ZERO], Precision::after::<62>(300)).unwrap();
        assert!(limits[0].0 >= 1 << 57 && limits[0].1 > limits[0].0);
        assert_eq!(limits[1..], [(0, 2), (0, 0)]);
    }
}
