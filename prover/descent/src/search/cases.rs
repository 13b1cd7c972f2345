//! Which literals decide where a converted value lies, so that a herd can be split on one (`spec/search.md#shape`).

use super::state::Search;
use crate::state::herd::Herd;
use goatherd_certificates::{
    program::{IntegerType, Operation},
    term::{Array, ArrayStore, Atom, AtomId, Computation, LinearId, Literal},
};
use goatherd_checker::arithmetic::range;
use std::collections::BTreeSet;

impl Search<'_> {
    /// Where one value is converted to two types of a width, as `*p == (unsigned char)c` and `*q == (char)c` do: on which side of the range
    /// that both have it lies, if that is not known.
    pub(crate) fn undecided_conversion(&mut self, herd: &mut Herd) -> Option<Literal> {
        let mut conversions: Vec<(AtomId, IntegerType, LinearId)> = Vec::new();
        for literal in &herd.configuration.predicate {
            for (atom, _) in &self.arena.linear(literal.term).ok()?.summands {
                if let Atom::Apply(Computation { operation: Operation::Add, kind, left, .. }) = *self.arena.atom(*atom).ok()? {
                    conversions.push((*atom, kind, left));
                }
            }
        }
        for (atom, kind, argument) in &conversions {
            for (_, other, from) in &conversions {
                if from == argument && range(*other).1 < range(*kind).1 {
                    let (term, greatest) = (self.arena.of_atom(*atom).ok()?, self.arena.constant(range(*other).1).ok()?);
                    // Known as a bound, not only by refuting the opposite: what follows from it needs it stated.
                    let (least, most) = herd.context.difference_bounds(self.arena, term, greatest);
                    if most.is_none_or(|most| most > 0) && least.is_none_or(|least| least <= 0) {
                        return self.arena.at_most(term, greatest).ok();
                    }
                }
            }
        }
        None
    }

    /// Of the values that are converted, as a `char` that becomes an `unsigned char`, those that may lie in two periods of the type: in
    /// which of them they lie. Within one period the conversion is a difference.
    pub(crate) fn undecided_periods(&mut self, herd: &mut Herd) -> Vec<Literal> {
        let atoms = self.atoms(&herd.configuration.predicate);
        atoms.into_iter().filter_map(|atom| self.undecided_period(herd, atom)).collect()
    }

    /// Where a way is taken on a comparison of converted values: what says in which period one of them lies, if the way is impossible in
    /// one, as what is impossible must not be merged with what is not; or if the value was converted back, as `(char)(unsigned char)c` is,
    /// since in each period it is the value itself.
    pub(crate) fn deciding_period(&mut self, herd: &mut Herd, literals: &[Literal]) -> Option<Literal> {
        let atoms = self.atoms(literals);
        let periods: Vec<Literal> = atoms.iter().filter_map(|atom| self.undecided_period(herd, *atom)).collect();
        let refuting = periods.into_iter().find(|literal| {
            let Ok(negation) = self.arena.negate(*literal) else { return false };
            [*literal, negation].into_iter().any(|case| herd.with(self.arena, case).context.is_contradictory(self.arena))
        });
        refuting.or_else(|| {
            let inner = atoms.iter().filter_map(|atom| match self.arena.atom(*atom) {
                Ok(Atom::Apply(Computation { operation: Operation::Add, left, .. })) => self.arena.linear(*left).ok(),
                _ => None,
            });
            let inner: Vec<AtomId> = inner.flat_map(|linear| &linear.summands).map(|(atom, _)| *atom).collect();
            inner.into_iter().find_map(|atom| self.undecided_period(herd, atom))
        })
    }

    /// Where an element is read that may have been stored right before or may not: whether it was, if the herd is impossible in one case.
    pub(crate) fn deciding_store(&mut self, herd: &mut Herd) -> Option<Literal> {
        let atoms = self.atoms(&herd.configuration.predicate);
        atoms.into_iter().find_map(|atom| {
            let Atom::Select { array, index } = *self.arena.atom(atom).ok()? else { return None };
            let Array::Store(ArrayStore { index: stored, .. }) = *self.arena.array(array).ok()? else { return None };
            let (least, greatest) = herd.context.difference_bounds(self.arena, index, stored);
            let literal = self.arena.equal(index, stored).ok()?;
            let cases = [literal, self.arena.negate(literal).ok()?];
            let is_open = least.is_none_or(|least| least <= 0)
                && greatest.is_none_or(|greatest| greatest >= 0)
                && !cases.iter().any(|case| herd.configuration.predicate.contains(case));
            let mut is_impossible = |case| herd.with(self.arena, case).context.is_contradictory(self.arena);
            (is_open && cases.into_iter().any(&mut is_impossible)).then_some(literal)
        })
    }

    /// What the literals are about.
    fn atoms(&self, literals: &[Literal]) -> BTreeSet<AtomId> {
        let linear = literals.iter().filter_map(|literal| self.arena.linear(literal.term).ok());
        linear.flat_map(|linear| &linear.summands).map(|(atom, _)| *atom).collect()
    }

    fn undecided_period(&mut self, herd: &mut Herd, atom: AtomId) -> Option<Literal> {
        let Atom::Apply(Computation { operation: Operation::Add, kind, left, .. }) = *self.arena.atom(atom).ok()? else { return None };
        let zero = self.arena.constant(0).ok()?;
        let (Some(low), Some(high)) = herd.context.difference_bounds(self.arena, left, zero) else { return None };
        let (least, greatest) = range(kind);
        let last = [least - 1, greatest].into_iter().find(|last| (low..high).contains(last))?;
        let bound = self.arena.constant(last).ok()?;
        self.arena.at_most(left, bound).ok()
    }

    /// Is the herd contradictory both with the literal and with its negation?
    pub(crate) fn is_refuted_by_cases(&mut self, herd: &Herd, literal: Literal) -> bool {
        let Ok(negation) = self.arena.negate(literal) else { return false };
        [literal, negation].into_iter().all(|case| herd.with(self.arena, case).context.is_contradictory(self.arena))
    }
}
