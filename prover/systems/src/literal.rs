//! Literals over integer variables, as a precision tracks them: bounds, disequalities and residues of linear terms.

use std::{collections::BTreeMap, fmt};

/// A variable: its position among those of the transition system, or a symbol of symbolic execution.
pub type Variable = u32;

/// A sum of variables times coefficients, by ascending variable, without coefficients 0.
pub type Term = Vec<(Variable, i128)>;

/// Arithmetic went beyond 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

/// `term + constant`
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Linear {
    /// The sum.
    pub term: Term,
    /// What is added to it.
    pub constant: i128,
}

impl Linear {
    /// The variable alone.
    pub fn variable(variable: Variable) -> Self {
        Self { term: vec![(variable, 1)], constant: 0 }
    }

    /// The number alone.
    pub fn constant(constant: i128) -> Self {
        Self { term: Vec::new(), constant }
    }

    /// `self + factor * other`
    pub fn plus(&self, other: &Self, factor: i128) -> Result<Self, Overflow> {
        let constant = factor.checked_mul(other.constant).and_then(|product| self.constant.checked_add(product)).ok_or(Overflow)?;
        Ok(Self { term: sum(&self.term, &other.term, factor)?, constant })
    }

    /// For people, with these names for the variables.
    pub fn show(&self, names: &[String]) -> String {
        match (self.term.is_empty(), self.constant) {
            (true, constant) => constant.to_string(),
            (false, 0) => show_term(&self.term, names),
            (false, constant) => {
                let sign = if constant < 0 { '-' } else { '+' };
                format!("{} {sign} {}", show_term(&self.term, names), constant.unsigned_abs())
            }
        }
    }

    /// Every variable replaced by what the store holds for it; those that it does not mention stay.
    pub fn substitute(&self, store: &Store) -> Result<Self, Overflow> {
        let mut result = Self::constant(self.constant);
        for (variable, coefficient) in &self.term {
            match store.get(variable) {
                Some(value) => result = result.plus(value, *coefficient)?,
                None => result.term = sum(&result.term, &[(*variable, 1)], *coefficient)?,
            }
        }
        Ok(result)
    }
}

/// What variables hold.
pub type Store = BTreeMap<Variable, Linear>;

/// `left + factor * right`
pub fn sum(left: &[(Variable, i128)], right: &[(Variable, i128)], factor: i128) -> Result<Term, Overflow> {
    let mut result = Term::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        let (variable, coefficient) = match (left.peek(), right.peek()) {
            (Some((this, own)), Some((other, added))) if this == other => {
                let coefficient = added.checked_mul(factor).and_then(|product| own.checked_add(product)).ok_or(Overflow)?;
                left.next();
                right.next();
                (*this, coefficient)
            }
            (Some((this, own)), other) if other.is_none_or(|(other, _)| this < other) => {
                left.next();
                (*this, *own)
            }
            (_, Some((other, added))) => {
                right.next();
                (*other, added.checked_mul(factor).ok_or(Overflow)?)
            }
            (_, None) => return Ok(result),
        };
        if coefficient != 0 {
            result.push((variable, coefficient));
        }
    }
}

/// `-term`
pub fn negated(term: &[(Variable, i128)]) -> Term {
    term.iter().map(|(variable, coefficient)| (*variable, -coefficient)).collect()
}

/// A literal in lowest terms. Terms are not empty, and the coefficients of bounds and disequalities have no common divisor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Literal {
    /// Always.
    True,
    /// Never.
    False,
    /// `term <= bound`
    AtMost(Term, i128),
    /// `term != value`; the first coefficient is positive.
    Differs(Term, i128),
    /// `term = remainder (mod modulus)`
    Residue(Residue),
}

/// `term = remainder (mod modulus)`: coefficients and remainder lie in `0..modulus`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Residue {
    /// The sum.
    pub term: Term,
    /// Greater than 1.
    pub modulus: i128,
    /// What remains.
    pub remainder: i128,
}

/// The greatest common divisor of the coefficients; 0 of none.
pub fn common_divisor(term: &[(Variable, i128)]) -> i128 {
    term.iter().fold(0, |divisor, (_, coefficient)| greatest_common_divisor(divisor, *coefficient))
}

/// At least 0; 0 of 0 and 0.
pub fn greatest_common_divisor(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left.saturating_abs(), right.saturating_abs());
    // Nearly all coefficients are 1, and division is slow.
    if left == 1 || right == 1 {
        return 1;
    }
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

impl Literal {
    /// `term <= bound`, divided by the common divisor and rounded down.
    pub fn at_most(mut term: Term, bound: i128) -> Self {
        if term.is_empty() {
            return if bound >= 0 { Self::True } else { Self::False };
        }
        let divisor = common_divisor(&term);
        if divisor == 1 {
            return Self::AtMost(term, bound);
        }
        for (_, coefficient) in &mut term {
            *coefficient /= divisor;
        }
        Self::AtMost(term, bound.div_euclid(divisor))
    }

    /// `term != value`
    pub fn differs(mut term: Term, value: i128) -> Self {
        let Some((_, first)) = term.first() else {
            return if value == 0 { Self::False } else { Self::True };
        };
        let divisor = common_divisor(&term) * first.signum();
        if value % divisor != 0 {
            return Self::True;
        }
        for (_, coefficient) in &mut term {
            *coefficient /= divisor;
        }
        Self::Differs(term, value / divisor)
    }

    /// `term = remainder (mod modulus)`, for a modulus above 1.
    pub fn residue(mut term: Term, modulus: i128, remainder: i128) -> Self {
        for (_, coefficient) in &mut term {
            *coefficient = coefficient.rem_euclid(modulus);
        }
        term.retain(|(_, coefficient)| *coefficient != 0);
        let remainder = remainder.rem_euclid(modulus);
        match (term.is_empty(), remainder) {
            (true, 0) => Self::True,
            (true, _) => Self::False,
            (false, _) => Self::Residue(Residue { term, modulus, remainder }),
        }
    }

    /// `left <= right`
    pub fn less_or_equal(left: &Linear, right: &Linear) -> Result<Self, Overflow> {
        let Linear { term, constant } = left.plus(right, -1)?;
        Ok(Self::at_most(term, constant.checked_neg().ok_or(Overflow)?))
    }

    /// What holds where the literal, a bound or a constant, does not; `True` for others.
    pub fn opposite(&self) -> Result<Self, Overflow> {
        Ok(match self {
            Self::True => Self::False,
            Self::AtMost(term, bound) => {
                Self::AtMost(negated(term), bound.checked_neg().and_then(|least| least.checked_sub(1)).ok_or(Overflow)?)
            }
            Self::False | Self::Differs(..) | Self::Residue(_) => Self::True,
        })
    }

    /// The sum that it is about; empty for the constants.
    pub fn term(&self) -> &[(Variable, i128)] {
        match self {
            Self::True | Self::False => &[],
            Self::AtMost(term, _) | Self::Differs(term, _) | Self::Residue(Residue { term, .. }) => term,
        }
    }

    /// Every variable replaced by what the store holds for it.
    pub fn substitute(&self, store: &Store) -> Result<Self, Overflow> {
        if self.term().iter().all(|(variable, _)| !store.contains_key(variable)) {
            return Ok(self.clone());
        }
        let Linear { term, constant } = Linear { term: self.term().to_vec(), constant: 0 }.substitute(store)?;
        let less = |number: i128| number.checked_sub(constant).ok_or(Overflow);
        Ok(match self {
            Self::True | Self::False => self.clone(),
            Self::AtMost(_, bound) => Self::at_most(term, less(*bound)?),
            Self::Differs(_, value) => Self::differs(term, less(*value)?),
            Self::Residue(Residue { modulus, remainder, .. }) => Self::residue(term, *modulus, less(*remainder)?),
        })
    }

    /// For people, with these names for the variables.
    pub fn show<'a>(&'a self, names: &'a [String]) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| match self {
            Self::True => f.write_str("true"),
            Self::False => f.write_str("false"),
            Self::AtMost(term, bound) => write!(f, "{} <= {bound}", show_term(term, names)),
            Self::Differs(term, value) => write!(f, "{} != {value}", show_term(term, names)),
            Self::Residue(Residue { term, modulus, remainder }) => write!(f, "({}) % {modulus} == {remainder}", show_term(term, names)),
        })
    }
}

fn show_term(term: &[(Variable, i128)], names: &[String]) -> String {
    let mut text = String::new();
    for (position, (variable, coefficient)) in term.iter().enumerate() {
        let sign = match (position, *coefficient < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        text += sign;
        if coefficient.unsigned_abs() != 1 {
            text += &coefficient.unsigned_abs().to_string();
            text.push('*');
        }
        let name = usize::try_from(*variable).ok().and_then(|position| names.get(position));
        text += &name.cloned().unwrap_or_else(|| format!("symbol {variable}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Linear, Literal, Store};

    #[test]
    fn literals_are_in_lowest_terms() {
        assert_eq!(Literal::at_most(vec![(0, 2), (1, -4)], -3), Literal::AtMost(vec![(0, 1), (1, -2)], -2));
        assert_eq!(Literal::differs(vec![(0, -2)], 4), Literal::Differs(vec![(0, 1)], -2));
        assert_eq!(Literal::differs(vec![(0, 2)], 3), Literal::True);
        assert_eq!(Literal::residue(vec![(0, 3), (1, -1)], 3, -1), Literal::residue(vec![(1, 2)], 3, 2));
        assert_eq!(Literal::residue(vec![(0, 4)], 2, 1), Literal::False);
    }

    #[test]
    fn substitution_is_simultaneous() {
        let store = Store::from([(0, Linear { term: vec![(1, 1)], constant: 1 }), (1, Linear::variable(0))]);
        let swapped = Literal::AtMost(vec![(0, 1), (1, -1)], 5).substitute(&store);
        assert_eq!(swapped, Ok(Literal::AtMost(vec![(0, -1), (1, 1)], 4)));
    }
}
