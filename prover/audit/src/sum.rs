//! Sums of texts, and comparisons of them as C has them: nothing is subtracted where the other side can be added to.

use goatherd_certificates::term::Sign;

/// `constant + sum of factor * text`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sum {
    /// The constant.
    pub constant: i128,
    /// Factors other than 0 and what they are of, each text once.
    pub parts: Vec<(i128, String)>,
}

impl Sum {
    /// A number.
    pub const fn of(constant: i128) -> Self {
        Self { constant, parts: Vec::new() }
    }

    /// Adds so many times a text; none where numbers get too large.
    pub fn add(&mut self, factor: i128, text: &str) -> Option<()> {
        if let Some(position) = self.parts.iter().position(|(_, other)| other == text) {
            let sum = self.parts[position].0.checked_add(factor)?;
            if sum == 0 {
                self.parts.remove(position);
            } else {
                self.parts[position].0 = sum;
            }
        } else if factor != 0 {
            self.parts.push((factor, text.to_owned()));
        }
        Some(())
    }

    /// Adds so many times another sum; none where numbers get too large.
    pub fn add_sum(&mut self, factor: i128, other: &Self) -> Option<()> {
        self.constant = self.constant.checked_add(factor.checked_mul(other.constant)?)?;
        other.parts.iter().try_for_each(|(inner, text)| self.add(factor.checked_mul(*inner)?, text))
    }

    /// As C has it: `2*i - n + 1`.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // What is added stands before what is subtracted.
        let added = self.parts.iter().filter(|(factor, _)| *factor > 0);
        for (factor, part) in added.chain(self.parts.iter().filter(|(factor, _)| *factor < 0)) {
            text += match (text.is_empty(), *factor < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text += &if *factor > 0 { summand(factor.unsigned_abs(), part) } else { multiple(factor.unsigned_abs(), part) };
        }
        match self.constant {
            constant if text.is_empty() => constant.to_string(),
            0 => text,
            constant if constant < 0 => format!("{text} - {}", constant.unsigned_abs()),
            constant => format!("{text} + {constant}"),
        }
    }

    /// As a part of something else, in parentheses where it needs them.
    pub fn operand(&self) -> String {
        match self.parts.as_slice() {
            [] if self.constant >= 0 => self.constant.to_string(),
            [(1, part)] if self.constant == 0 => part.clone(),
            _ => format!("({})", self.text()),
        }
    }

    /// What is added, and what is subtracted, without its sign.
    fn sides(&self) -> [Option<String>; 2] {
        [1, -1].map(|sign| {
            let parts = self.parts.iter().filter(|(factor, _)| factor.signum() == sign);
            let parts: Vec<String> = parts.map(|(factor, part)| summand(factor.unsigned_abs(), part)).collect();
            (!parts.is_empty()).then(|| parts.join(" + "))
        })
    }

    /// How the sum compares with 0, as a comparison of C.
    pub fn compared(&self, sign: Sign) -> String {
        let [left, right] = self.sides();
        let constant = self.constant;
        let relation = match sign {
            Sign::AtMostZero => "<=",
            Sign::Zero => "==",
            Sign::NotZero => "!=",
        };
        match (left, right) {
            // left + constant - right <= 0
            (Some(left), Some(right)) => match (sign, constant) {
                (Sign::AtMostZero, 1) => format!("{left} < {right}"),
                (_, 0) => format!("{left} {relation} {right}"),
                (_, 1..) => format!("{left} + {constant} {relation} {right}"),
                (_, _) => format!("{left} {relation} {right} + {}", constant.unsigned_abs()),
            },
            (Some(left), None) => format!("{left} {relation} {}", Self::of(constant).negated()),
            (None, Some(right)) => {
                let relation = if sign == Sign::AtMostZero { ">=" } else { relation };
                format!("{right} {relation} {constant}")
            }
            (None, None) => format!("{constant} {relation} 0"),
        }
    }

    /// The constant with the other sign, as text.
    fn negated(&self) -> String {
        match self.constant {
            0 => String::from("0"),
            constant if constant < 0 => constant.unsigned_abs().to_string(),
            constant => format!("-{constant}"),
        }
    }
}

fn multiple(factor: u128, text: &str) -> String {
    if factor == 1 { text.to_owned() } else { format!("{factor}*{text}") }
}

/// What is added to others: `(p - s)` as `p - s`.
fn summand(factor: u128, text: &str) -> String {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    // Not `(x)(y)`, nor a conversion, which binds more than it holds.
    let inner = inner.filter(|inner| factor == 1 && !inner.contains(['(', ')']));
    inner.map_or_else(|| multiple(factor, text), ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::Sum;
    use goatherd_certificates::term::Sign;

    #[test]
    fn comparisons_are_those_of_c() {
        let sum = |constant, parts: &[(i128, &str)]| {
            let mut sum = Sum::of(constant);
            for (factor, text) in parts {
                sum.add(*factor, text).unwrap();
            }
            sum
        };
        for (sum, sign, text) in [
            (sum(1, &[(1, "i"), (-1, "n")]), Sign::AtMostZero, "i < n"),
            (sum(0, &[(-1, "i"), (1, "n")]), Sign::AtMostZero, "n <= i"),
            (sum(2, &[(-1, "i")]), Sign::AtMostZero, "i >= 2"),
            (sum(-7, &[(2, "i")]), Sign::AtMostZero, "2*i <= 7"),
            (sum(-1, &[(1, "i"), (-1, "i'")]), Sign::Zero, "i == i' + 1"),
            (sum(0, &[(-1, "s[0]")]), Sign::NotZero, "s[0] != 0"),
            (sum(4, &[(1, "i")]), Sign::Zero, "i == -4"),
            (sum(i128::MIN, &[(1, "i")]), Sign::Zero, "i == 170141183460469231731687303715884105728"),
            (sum(1, &[]), Sign::AtMostZero, "1 <= 0"),
            (sum(3, &[(1, "i"), (-1, "i")]), Sign::Zero, "3 == 0"),
            (sum(0, &[(1, "n"), (-1, "(p - s)")]), Sign::AtMostZero, "n <= p - s"),
        ] {
            assert_eq!(sum.compared(sign), text);
        }
        assert_eq!(sum(-1, &[(-1, "i"), (1, "n")]).text(), "n - i - 1");
        assert_eq!(sum(0, &[(-1, "(p - s)"), (1, "(q - s)")]).text(), "q - s - (p - s)");
        assert_eq!(sum(i128::MAX, &[]).add_sum(1, &Sum::of(1)), None);
    }
}
