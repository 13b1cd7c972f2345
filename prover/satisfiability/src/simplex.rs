//! The simplex method for bounds that come and go (Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)", 2006), with why there is no
//! solution: bounds whose sum, each times a positive number, is impossible (Farkas).

use goatherd_logic::{Rational, common_divisor};
use std::{cmp::Ordering, collections::BTreeMap};

/// A variable or a sum of variables.
pub type Column = usize;

/// Which bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// Not less.
    Lower,
    /// Not greater.
    Upper,
}

/// Bounds by what they are grounded on, and how often each is taken.
pub type Contradiction<G> = Vec<(G, i128)>;

/// Numbers have more than 128 bits, or it takes too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GivenUp;

/// A bound, and what it is grounded on.
type Grounded<G> = Option<(i128, G)>;

/// The bounds of a column.
type Bounds<G> = [Grounded<G>; 2];

/// Columns, their bounds and values. All values of columns that are no rows are within their bounds.
#[derive(Clone, Debug)]
pub struct Simplex<G> {
    /// Of a row: the columns that it is the sum of, each times a number that is not 0. None of these is a row.
    rows: Vec<Option<BTreeMap<Column, Rational>>>,
    values: Vec<Rational>,
    bounds: Vec<Bounds<G>>,
    /// Bounds that were replaced.
    replaced: Vec<(Column, Side, Grounded<G>)>,
    /// How many columns were exchanged.
    pub pivots: usize,
}

impl<G: Copy> Simplex<G> {
    /// No columns.
    pub fn new() -> Self {
        Self { rows: Vec::new(), values: Vec::new(), bounds: Vec::new(), replaced: Vec::new(), pivots: 0 }
    }

    /// A new variable.
    pub fn variable(&mut self) -> Column {
        self.rows.push(None);
        self.values.push(Rational::ZERO);
        self.bounds.push([None, None]);
        self.rows.len() - 1
    }

    /// A new sum.
    pub fn sum(&mut self, summands: &[(Column, i128)]) -> Result<Column, GivenUp> {
        let (mut row, mut value) = (BTreeMap::new(), Rational::ZERO);
        for (column, coefficient) in summands {
            let coefficient = Rational::integer(*coefficient);
            value = value.plus(self.values[*column].times(coefficient).ok_or(GivenUp)?).ok_or(GivenUp)?;
            match self.rows[*column].clone() {
                None => add(&mut row, *column, coefficient)?,
                Some(inner) => add_all(&mut row, &inner, coefficient)?,
            }
        }
        let column = self.variable();
        self.rows[column] = Some(row);
        self.values[column] = value;
        Ok(column)
    }

    /// The value of a column, once [`Simplex::check`] finds no contradiction.
    pub fn value(&self, column: Column) -> Rational {
        self.values[column]
    }

    /// How many bounds there have been: for [`Simplex::return_to`].
    pub fn mark(&self) -> usize {
        self.replaced.len()
    }

    /// Takes bounds back.
    pub fn return_to(&mut self, mark: usize) {
        for (column, side, old) in self.replaced.drain(mark..).rev() {
            self.bounds[column][side as usize] = old;
        }
    }

    /// Adds a bound; a contradiction if it excludes the other one of the same column.
    pub fn bound(&mut self, column: Column, side: Side, bound: i128, ground: G) -> Result<Option<Contradiction<G>>, GivenUp> {
        let [lower, upper] = self.bounds[column];
        let (is_new, opposite) = match side {
            Side::Lower => (lower.is_none_or(|(known, _)| bound > known), upper.filter(|(other, _)| *other < bound)),
            Side::Upper => (upper.is_none_or(|(known, _)| bound < known), lower.filter(|(other, _)| *other > bound)),
        };
        if !is_new {
            return Ok(None);
        }
        if let Some((_, other)) = opposite {
            return Ok(Some(vec![(ground, 1), (other, 1)]));
        }
        self.replaced.push((column, side, self.bounds[column][side as usize]));
        self.bounds[column][side as usize] = Some((bound, ground));
        if self.rows[column].is_none() && self.beyond(column)? == Some(side) {
            self.set(column, Rational::integer(bound))?;
        }
        Ok(None)
    }

    /// The bound that the value does not keep.
    fn beyond(&self, column: Column) -> Result<Option<Side>, GivenUp> {
        let [lower, upper] = self.bounds[column];
        let compared = |bound: Grounded<G>| match bound {
            Some((bound, _)) => self.values[column].compare(Rational::integer(bound)).ok_or(GivenUp).map(Some),
            None => Ok(None),
        };
        Ok(match (compared(lower)?, compared(upper)?) {
            (Some(Ordering::Less), _) => Some(Side::Lower),
            (_, Some(Ordering::Greater)) => Some(Side::Upper),
            _ => None,
        })
    }

    /// Gives a column that is no row another value, and the rows with it.
    fn set(&mut self, column: Column, value: Rational) -> Result<(), GivenUp> {
        let change = value.minus(self.values[column]).ok_or(GivenUp)?;
        for (row, parts) in self.rows.iter().enumerate() {
            if let Some(coefficient) = parts.as_ref().and_then(|parts| parts.get(&column)) {
                let change = coefficient.times(change).ok_or(GivenUp)?;
                self.values[row] = self.values[row].plus(change).ok_or(GivenUp)?;
            }
        }
        self.values[column] = value;
        Ok(())
    }

    /// Finds values within all bounds, or why there are none. The least column first, on both sides: so it ends (Bland).
    pub fn check(&mut self) -> Result<Option<Contradiction<G>>, GivenUp> {
        loop {
            let mut beyond = None;
            for row in 0..self.rows.len() {
                if self.rows[row].is_some()
                    && let Some(side) = self.beyond(row)?
                {
                    beyond = Some((row, side));
                    break;
                }
            }
            let Some((row, side)) = beyond else { return Ok(None) };
            let parts = self.rows[row].clone().unwrap_or_default();
            let mut free = None;
            for (column, coefficient) in &parts {
                // To which side the column has to move.
                let direction = if (coefficient.sign() > 0) == (side == Side::Lower) { Side::Upper } else { Side::Lower };
                let limit = self.bounds[*column][direction as usize];
                let is_free = match limit {
                    None => true,
                    Some((limit, _)) => self.values[*column] != Rational::integer(limit),
                };
                if is_free {
                    free = Some(*column);
                    break;
                }
            }
            let Some(column) = free else { return self.explain(row, side, &parts).map(Some) };
            let Some((bound, _)) = self.bounds[row][side as usize] else { return Err(GivenUp) };
            self.exchange(row, column)?;
            self.set(row, Rational::integer(bound))?;
        }
    }

    /// The row cannot be moved: its bound, and those of all its parts.
    fn explain(&self, row: Column, side: Side, parts: &BTreeMap<Column, Rational>) -> Result<Contradiction<G>, GivenUp> {
        let ground = |column: Column, side: Side| self.bounds[column][side as usize].map(|(_, ground)| ground).ok_or(GivenUp);
        let mut factor = 1i128;
        for coefficient in parts.values() {
            let denominator = coefficient.denominator;
            factor = factor.checked_mul(denominator / common_divisor(factor, denominator)).ok_or(GivenUp)?;
        }
        let mut contradiction = vec![(ground(row, side)?, factor)];
        for (column, coefficient) in parts {
            let direction = if (coefficient.sign() > 0) == (side == Side::Lower) { Side::Upper } else { Side::Lower };
            let times = coefficient.numerator.checked_mul(factor / coefficient.denominator).and_then(i128::checked_abs).ok_or(GivenUp)?;
            contradiction.push((ground(*column, direction)?, times));
        }
        Ok(contradiction)
    }

    /// Bounds that leave a sum of integers only values that are no multiples of what all its coefficients are multiples of: from above, and from below.
    /// Every column stands for an integer.
    pub fn indivisible(&self) -> Result<Option<[Contradiction<G>; 2]>, GivenUp> {
        for (row, parts) in self.rows.iter().enumerate() {
            let Some(parts) = parts else { continue };
            let mut factor = 1i128;
            for coefficient in parts.values() {
                let denominator = coefficient.denominator;
                factor = factor.checked_mul(denominator / common_divisor(factor, denominator)).ok_or(GivenUp)?;
            }
            // factor * row - ... = 0
            let (mut sums, mut fixed, mut divisor) = ([Vec::new(), Vec::new()], 0i128, 0i128);
            let others =
                parts.iter().map(|(column, part)| Some((*column, part.numerator.checked_mul(factor / part.denominator)?.checked_neg()?)));
            for part in [Some((row, factor))].into_iter().chain(others) {
                let (column, coefficient) = part.ok_or(GivenUp)?;
                match self.bounds[column] {
                    [Some((least, below)), Some((greatest, above))] if least == greatest => {
                        fixed = coefficient.checked_mul(least).and_then(|part| fixed.checked_add(part)).ok_or(GivenUp)?;
                        let (one, other) = if coefficient > 0 { (above, below) } else { (below, above) };
                        let times = coefficient.checked_abs().ok_or(GivenUp)?;
                        sums[0].push((one, times));
                        sums[1].push((other, times));
                    }
                    _ => divisor = common_divisor(divisor, coefficient),
                }
            }
            if divisor > 1 && fixed % divisor != 0 {
                return Ok(Some(sums));
            }
        }
        Ok(None)
    }

    /// The row becomes a column of which the other one is a row.
    fn exchange(&mut self, row: Column, column: Column) -> Result<(), GivenUp> {
        self.pivots += 1;
        let mut parts = self.rows[row].take().unwrap_or_default();
        let coefficient = parts.remove(&column).ok_or(GivenUp)?;
        // column = (row - other parts) / coefficient
        let mut solved = BTreeMap::new();
        let inverse = Rational::integer(1).over(coefficient).ok_or(GivenUp)?;
        add_all(&mut solved, &parts, inverse.negated().ok_or(GivenUp)?)?;
        solved.insert(row, inverse);
        for other in self.rows.iter_mut().flatten() {
            if let Some(times) = other.remove(&column) {
                add_all(other, &solved, times)?;
            }
        }
        self.rows[column] = Some(solved);
        Ok(())
    }
}

fn add(row: &mut BTreeMap<Column, Rational>, column: Column, coefficient: Rational) -> Result<(), GivenUp> {
    let sum = row.get(&column).copied().unwrap_or(Rational::ZERO).plus(coefficient).ok_or(GivenUp)?;
    if sum.sign() == 0 {
        row.remove(&column);
    } else {
        row.insert(column, sum);
    }
    Ok(())
}

fn add_all(row: &mut BTreeMap<Column, Rational>, parts: &BTreeMap<Column, Rational>, times: Rational) -> Result<(), GivenUp> {
    parts.iter().try_for_each(|(column, coefficient)| add(row, *column, coefficient.times(times).ok_or(GivenUp)?))
}
