//! Bounds on differences of two variables, closed under addition (a difference-bound matrix).

use goatherd_systems::literal::{Linear, Term, Variable};
use std::collections::BTreeSet;

/// One side of a difference: a variable, or the number 0.
pub type Side = Option<Variable>;

/// The term as `from - to`, if it is one.
pub fn difference(term: &[(Variable, i128)]) -> Option<(Side, Side)> {
    match *term {
        [(variable, 1)] => Some((Some(variable), None)),
        [(variable, -1)] => Some((None, Some(variable))),
        [(from, 1), (to, -1)] | [(to, -1), (from, 1)] => Some((Some(from), Some(to))),
        _ => None,
    }
}

/// Upper bounds of all differences of the variables that have been mentioned.
#[derive(Clone, Debug)]
pub struct Differences {
    /// Ascending.
    variables: Vec<Variable>,
    /// Row by row; row and column 0 stand for the number 0, the others for the variables; [`FREE`] where there is no bound.
    bounds: Vec<i128>,
}

const FREE: i128 = i128::MAX;

impl Default for Differences {
    fn default() -> Self {
        Self { variables: Vec::new(), bounds: vec![0] }
    }
}

impl Differences {
    /// One more than there are variables.
    pub(super) fn width(&self) -> usize {
        self.variables.len() + 1
    }

    /// How many differences there are, those without a bound among them.
    pub(super) fn size(&self) -> usize {
        self.bounds.len()
    }

    fn position(&self, side: Side) -> Option<usize> {
        match side {
            None => Some(0),
            Some(variable) => self.variables.binary_search(&variable).ok().map(|position| position + 1),
        }
    }

    /// The position of a side, which is made if it is new.
    fn admit(&mut self, side: Side) {
        let Some(variable) = side else { return };
        let Err(position) = self.variables.binary_search(&variable) else { return };
        let (old, new) = (self.width(), position + 1);
        self.variables.insert(position, variable);
        let width = self.width();
        let mut bounds = vec![FREE; width * width];
        for row in 0..old {
            for column in 0..old {
                let shifted = |place: usize| place + usize::from(place >= new);
                bounds[shifted(row) * width + shifted(column)] = self.bounds[row * old + column];
            }
        }
        bounds[new * width + new] = 0;
        self.bounds = bounds;
    }

    /// Forgets all other variables; nothing is lost about those that stay.
    pub fn retain(&mut self, variables: &BTreeSet<Variable>) {
        let width = self.width();
        let stays = |place: &usize| place.checked_sub(1).is_none_or(|position| variables.contains(&self.variables[position]));
        let places: Vec<usize> = (0..width).filter(stays).collect();
        let entry = |row: &usize, column: &usize| self.bounds[row * width + column];
        let bounds = places.iter().flat_map(|row| places.iter().map(|column| entry(row, column)).collect::<Vec<_>>()).collect();
        self.bounds = bounds;
        self.variables.retain(|variable| variables.contains(variable));
    }

    /// The least upper bound of `from - to`.
    pub fn bound(&self, from: Side, to: Side) -> Option<i128> {
        let (row, column) = (self.position(from)?, self.position(to)?);
        Some(self.bounds[row * self.width() + column]).filter(|bound| *bound != FREE)
    }

    /// Adds `from - to <= bound`: does it say something new, and is the whole consistent?
    pub fn add(&mut self, from: Side, to: Side, bound: i128) -> (bool, bool) {
        if self.bound(from, to).is_some_and(|known| known <= bound) {
            return (false, true);
        }
        self.admit(from);
        self.admit(to);
        let (Some(from), Some(to)) = (self.position(from), self.position(to)) else { return (false, true) };
        let width = self.width();
        let mut is_consistent = true;
        for row in 0..width {
            let before = self.bounds[row * width + from];
            for column in (0..width).filter(|_| before != FREE) {
                let after = self.bounds[to * width + column];
                let path = before.checked_add(bound).and_then(|sum| sum.checked_add(after)).filter(|_| after != FREE);
                let entry = &mut self.bounds[row * width + column];
                if let Some(path) = path
                    && path < *entry
                {
                    *entry = path;
                    is_consistent &= row != column;
                }
            }
        }
        (true, is_consistent)
    }

    /// Is the variable equal to a number, or to an earlier variable plus a number?
    pub(super) fn is_represented(&self, variable: Variable) -> bool {
        let Some(row) = self.position(Some(variable)) else { return false };
        let width = self.width();
        let is_tied = |column: usize| {
            let (own, opposite) = (self.bounds[row * width + column], self.bounds[column * width + row]);
            own != FREE && opposite != FREE && Some(own) == opposite.checked_neg()
        };
        (0..row).any(is_tied)
    }

    /// What the variable is equal to: a number, or the earliest variable plus a number.
    pub fn representative(&self, variable: Variable) -> Linear {
        let side = Some(variable);
        let fixed = |other: Side| self.bound(side, other).filter(|bound| self.bound(other, side) == bound.checked_neg());
        if let Some(value) = fixed(None) {
            return Linear::constant(value);
        }
        let earlier = self.variables.iter().take_while(|other| **other < variable);
        let mut equal = earlier.filter_map(|other| Some((*other, fixed(Some(*other))?)));
        equal.next().map_or_else(|| Linear::variable(variable), |(other, constant)| Linear { term: vec![(other, 1)], constant })
    }

    /// Bounds from which all others follow, as few as there can be (Larsen, Larsson, Pettersson, Yi 1997): of variables that are equal but for a
    /// number, those that tie each to the first, and between these first ones what is no sum of two.
    pub fn generators(&self) -> Vec<(Term, i128)> {
        let width = self.width();
        let bound = |row: usize, column: usize| Some(self.bounds[row * width + column]).filter(|bound| *bound != FREE);
        let is_tied = |left: usize, right: usize| bound(left, right).is_some_and(|own| bound(right, left) == own.checked_neg());
        let first: Vec<usize> = (0..width).map(|place| (0..place).find(|other| is_tied(place, *other)).unwrap_or(place)).collect();
        let sum = |row, through, column| bound(row, through)?.checked_add(bound(through, column)?);
        let is_sum = |row: usize, column: usize, own: i128| {
            let others = (0..width).filter(|place| first[*place] == *place && *place != row && *place != column);
            others.into_iter().any(|through| sum(row, through, column).is_some_and(|sum| sum <= own))
        };
        let places = (0..width * width).map(|place| (place / width, place % width)).filter(|(row, column)| row != column);
        let stays = |row: usize, column: usize, own: i128| {
            if first[row] == row && first[column] == column {
                !is_sum(row, column, own)
            } else {
                first[row] == column || first[column] == row
            }
        };
        let kept = places
            .filter_map(|(row, column)| Some((row, column, bound(row, column)?)))
            .filter(|(row, column, own)| stays(*row, *column, *own));
        kept.map(|(row, column, own)| (self.term(row, column), own)).collect()
    }

    /// What the entry bounds.
    fn term(&self, row: usize, column: usize) -> Term {
        let side = |place: usize, sign: i128| place.checked_sub(1).map(|position| (self.variables[position], sign));
        let mut term: Term = side(row, 1).into_iter().chain(side(column, -1)).collect();
        term.sort_unstable();
        term
    }

    /// How many bounds there are.
    pub fn count(&self) -> usize {
        // The diagonal is no bound.
        self.bounds.iter().filter(|bound| **bound != FREE).count() - self.width()
    }

    /// All bounds, as terms.
    pub fn rows(&self) -> impl Iterator<Item = (Term, i128)> {
        let width = self.width();
        let places = (0..width * width).map(move |place| (place / width, place % width)).filter(|(row, column)| row != column);
        places.filter_map(move |(row, column)| {
            let bound = self.bounds[row * width + column];
            (bound != FREE).then(|| (self.term(row, column), bound))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Differences;

    #[test]
    fn generators_say_all() {
        let mut facts = Differences::default();
        for (from, to, bound) in
            [(Some(0), Some(1), 2), (Some(1), Some(2), 3), (Some(2), Some(3), 1), (Some(3), Some(2), -1), (Some(3), None, 7)]
        {
            facts.add(from, to, bound);
        }
        let generators = facts.generators();
        assert!(generators.len() < facts.rows().count());
        let mut again = Differences::default();
        for (term, bound) in &generators {
            let (from, to) = super::difference(term).unwrap();
            again.add(from, to, *bound);
        }
        assert_eq!(again.rows().collect::<Vec<_>>(), facts.rows().collect::<Vec<_>>());
    }
}
