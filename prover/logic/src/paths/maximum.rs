//! The greatest value of a linear term under linear bounds, over the rationals: the simplex method on the dual, on exact fractions.

use crate::{meter::Meter, rational::Rational};
use goatherd_systems::literal::{Term, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Pivots that are tried.
const PIVOTS: usize = 400;

/// So many entries of a tableau are looked at in one step of a meter. Most are 0, and stay so.
const ENTRIES_OF_STEP: usize = 4;

/// Steps of a meter for one entry that is computed.
const COMPUTED: usize = 4;

/// What the greatest value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Maximum {
    /// The bounds contradict each other.
    Contradiction,
    /// There is none, or it was not found.
    Unbounded,
    /// This value, which is the sum of the bounds times these multipliers, by position.
    Value(Rational, BTreeMap<usize, Rational>),
}

/// The greatest value of `goal` under `term <= bound` for each row. The tableau is paid for by its size, each pivot also by the entries that it
/// changes.
pub fn maximum(rows: &[(Term, i128)], goal: &[(Variable, i128)], meter: &Meter) -> Maximum {
    Dual::new(rows, goal, meter).and_then(|mut dual| dual.solve(rows)).unwrap_or(Maximum::Unbounded)
}

/// One equation per variable, one column per row of the problem; artificial columns are implicit, since they never come back.
struct Dual<'a> {
    meter: &'a Meter,
    /// Coefficients, and last the right side.
    lines: Vec<Vec<Rational>>,
    /// The basic column of each line; from the number of rows on, artificial.
    basis: Vec<usize>,
    columns: usize,
}

fn coefficient(term: &[(Variable, i128)], variable: Variable) -> Rational {
    let found = term.binary_search_by_key(&variable, |(other, _)| *other);
    Rational::integer(found.map_or(0, |position| term[position].1))
}

impl<'a> Dual<'a> {
    fn new(rows: &[(Term, i128)], goal: &[(Variable, i128)], meter: &'a Meter) -> Option<Self> {
        let terms = rows.iter().map(|(term, _)| term.as_slice()).chain([goal]);
        let variables: BTreeSet<Variable> = terms.flatten().map(|(variable, _)| *variable).collect();
        let columns = rows.len();
        if !meter.pay((columns + 1) * variables.len()) {
            return None;
        }
        let mut lines = Vec::new();
        for variable in &variables {
            let mut line: Vec<Rational> = rows.iter().map(|(term, _)| coefficient(term, *variable)).collect();
            line.push(coefficient(goal, *variable));
            if line[columns].sign() < 0 {
                line = line.into_iter().map(Rational::negated).collect::<Option<_>>()?;
            }
            lines.push(line);
        }
        Some(Self { meter, basis: (columns..columns + lines.len()).collect(), lines, columns })
    }

    fn solve(&mut self, rows: &[(Term, i128)]) -> Option<Maximum> {
        let nothing = vec![Rational::ZERO; self.columns];
        if !self.minimise(&nothing, Rational::integer(1))? {
            return None;
        }
        if self.basis.iter().zip(&self.lines).any(|(basic, line)| *basic >= self.columns && line[self.columns].sign() != 0) {
            return Some(Maximum::Unbounded);
        }
        let costs: Vec<Rational> = rows.iter().map(|(_, bound)| Rational::integer(*bound)).collect();
        if !self.minimise(&costs, Rational::ZERO)? {
            return Some(Maximum::Contradiction);
        }
        let basic = self.basis.iter().zip(&self.lines).map(|(basic, line)| (*basic, line[self.columns]));
        let multipliers: BTreeMap<usize, Rational> = basic.filter(|(basic, value)| *basic < self.columns && value.sign() != 0).collect();
        let value = multipliers.iter().try_fold(Rational::ZERO, |sum, (row, factor)| sum.plus(costs[*row].times(*factor)?))?;
        Some(Maximum::Value(value, multipliers))
    }

    /// False where the cost has no minimum; none on overflow.
    fn minimise(&mut self, costs: &[Rational], artificial: Rational) -> Option<bool> {
        for _ in 0..PIVOTS {
            if !self.meter.pay(1 + (self.columns + 1) * self.lines.len() / ENTRIES_OF_STEP) {
                return None;
            }
            let Some(enter) = self.entering(costs, artificial)? else { return Some(true) };
            let Some(leave) = self.leaving(enter)? else { return Some(false) };
            self.pivot(leave, enter)?;
        }
        None
    }

    /// The first column whose reduced cost is negative (Bland's rule).
    #[allow(clippy::option_option)]
    fn entering(&self, costs: &[Rational], artificial: Rational) -> Option<Option<usize>> {
        let prices: Vec<Rational> = self.basis.iter().map(|basic| costs.get(*basic).copied().unwrap_or(artificial)).collect();
        for (column, cost) in costs.iter().enumerate() {
            if self.basis.contains(&column) {
                continue;
            }
            let mut reduced = *cost;
            for (price, line) in prices.iter().zip(&self.lines).filter(|(price, line)| price.sign() != 0 && line[column].sign() != 0) {
                reduced = reduced.minus(price.times(line[column])?)?;
            }
            if reduced.sign() < 0 {
                return Some(Some(column));
            }
        }
        Some(None)
    }

    /// The line with the least ratio; among equals the one of the least basic column. Artificial columns stay at 0.
    #[allow(clippy::option_option)]
    fn leaving(&self, enter: usize) -> Option<Option<usize>> {
        let mut best: Option<(Rational, usize, usize)> = None;
        for (position, line) in self.lines.iter().enumerate() {
            let value = line[self.columns];
            if line[enter].sign() < 0 && self.basis[position] >= self.columns && value.sign() == 0 {
                return Some(Some(position));
            }
            if line[enter].sign() > 0 {
                let ratio = value.over(line[enter])?;
                let is_better = match best {
                    None => true,
                    Some((other, basic, _)) => ratio.compare(other)?.then(self.basis[position].cmp(&basic)).is_lt(),
                };
                if is_better {
                    best = Some((ratio, self.basis[position], position));
                }
            }
        }
        Some(best.map(|(_, _, position)| position))
    }

    fn pivot(&mut self, leave: usize, enter: usize) -> Option<()> {
        let is_kept = |value: &&Rational| value.sign() != 0;
        let lines = self.lines.iter().filter(|line| line[enter].sign() != 0).count();
        if !self.meter.pay(COMPUTED * lines * self.lines[leave].iter().filter(is_kept).count()) {
            return None;
        }
        let factor = self.lines[leave][enter];
        let divided = |value: &Rational| if value.sign() == 0 { Some(*value) } else { value.over(factor) };
        let pivot: Vec<Rational> = self.lines[leave].iter().map(divided).collect::<Option<_>>()?;
        for (position, line) in self.lines.iter_mut().enumerate() {
            let factor = line[enter];
            if position != leave && factor.sign() != 0 {
                for (value, other) in line.iter_mut().zip(&pivot) {
                    if other.sign() != 0 {
                        *value = value.minus(factor.times(*other)?)?;
                    }
                }
            }
        }
        self.lines[leave] = pivot;
        self.basis[leave] = enter;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Maximum, maximum};
    use crate::{meter::Meter, rational::Rational};

    #[test]
    fn finds_the_greatest_value_and_its_multipliers() {
        // x + y <= 4, x - y <= 1: 2x <= 5
        let rows = [(vec![(0, 1), (1, 1)], 4), (vec![(0, 1), (1, -1)], 1)];
        let Maximum::Value(value, multipliers) = maximum(&rows, &[(0, 1)], &Meter::default()) else { panic!("bounded") };
        assert_eq!(Some(value), Rational::integer(5).over(Rational::integer(2)));
        assert_eq!(multipliers.len(), 2);
        assert_eq!(maximum(&rows, &[(1, 1)], &Meter::default()), Maximum::Unbounded);
    }

    #[test]
    fn sees_a_contradiction() {
        let rows = [(vec![(0, 1), (1, 1)], 0), (vec![(0, -1)], -1), (vec![(1, -1)], 0)];
        assert_eq!(maximum(&rows, &[], &Meter::default()), Maximum::Contradiction);
    }
}
