//! Conjunctions of literals, saturated: a closure of differences, other linear bounds, disequalities, residues.
//!
//! Sound and incomplete: what it says is so, on unbounded integers; what it cannot see, or what would need numbers beyond 128 bits, it does
//! not say. What it cannot [pay](Meter) for, it does not say either.

use super::{
    differences::{Differences, difference},
    maximum::{Maximum, maximum},
    remainder::{Remainder, combination},
};
use crate::{meter::Meter, rational::Rational};
use goatherd_systems::literal::{Linear, Literal, Residue, Store, Term, Variable, negated, sum};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// Bounds are made tighter so many times: they may go down without end.
const SATURATIONS: usize = 64;

/// Equalities are put into each other so many times, and no further beyond so many bounds.
const ELIMINATIONS: usize = 8;
const GENERAL_BOUNDS: usize = 40;

/// So many bounds of differences are added up, or copied, in one step of a meter.
const BOUNDS_OF_STEP: usize = 16;

/// Bounds of terms, shared.
type Bounds = Rc<[(Term, i128)]>;

/// A conjunction of literals. It only ever grows.
#[derive(Clone, Debug, Default)]
pub struct Conjunction {
    differences: Differences,
    /// Bounds on other terms.
    general: Vec<(Term, i128)>,
    disequalities: BTreeSet<(Term, i128)>,
    /// Remainders by term and modulus.
    residues: BTreeMap<(Term, i128), i128>,
    is_contradictory: bool,
    /// Greatest values that the simplex method has found.
    maxima: RefCell<BTreeMap<Term, Option<i128>>>,
    /// Bounds from which all others follow, where they have been asked for.
    generators: RefCell<Option<Bounds>>,
    meter: Meter,
}

impl Conjunction {
    /// Nothing is known; reasoning from here on is paid for.
    pub fn metered(meter: &Meter) -> Self {
        Self { meter: meter.clone(), ..Self::default() }
    }

    /// Together with more literals.
    #[must_use]
    pub fn with<'a>(&self, literals: impl IntoIterator<Item = &'a Literal>) -> Self {
        let mut result = self.clone();
        if !result.meter.pay(self.size()) {
            return result;
        }
        let mut added = Vec::new();
        let mut is_tighter = false;
        for literal in literals {
            match literal {
                Literal::Differs(term, value) => added.extend(result.disequalities.insert((term.clone(), *value)).then_some(literal)),
                _ => is_tighter |= result.add(literal),
            }
        }
        if is_tighter || !result.is_saturated_by(&added) {
            result.saturate();
        }
        result
    }

    /// About how many steps of a meter it takes to go through all of it.
    pub fn size(&self) -> usize {
        1 + self.differences.size() / BOUNDS_OF_STEP + self.general.len() + self.disequalities.len() + self.residues.len()
    }

    /// Is each of the literals known as it is, without reasoning?
    pub fn says(&self, literals: &[Literal]) -> bool {
        let is_known = |literal: &Literal| match literal {
            Literal::True => true,
            Literal::AtMost(term, bound) => {
                let known = difference(term).and_then(|(from, to)| self.differences.bound(from, to));
                known.is_some_and(|known| known <= *bound)
            }
            Literal::Differs(term, value) => self.disequalities.contains(&(term.clone(), *value)),
            Literal::False | Literal::Residue(_) => false,
        };
        literals.iter().all(is_known)
    }

    /// Has no solution.
    pub fn is_contradictory(&self) -> bool {
        self.is_contradictory
    }

    /// About how long one question takes, in units of one about a few differences: the same each time.
    pub fn effort(&self) -> usize {
        let differences = self.differences.count();
        if self.general.is_empty() {
            return 1 + differences / 16;
        }
        let rows = self.general.len() + differences;
        // Every disequality and residue is looked at again whenever something new is known.
        1 + rows * rows * (1 + self.disequalities.len() + self.residues.len()) / 8
    }

    /// The bounds of differences: all that is known of them where there are no others.
    pub fn differences(&self) -> &Differences {
        &self.differences
    }

    /// The bounds that are not differences.
    pub fn general(&self) -> &[(Term, i128)] {
        &self.general
    }

    /// The disequalities.
    pub fn disequalities(&self) -> &BTreeSet<(Term, i128)> {
        &self.disequalities
    }

    /// All bounds.
    pub fn rows(&self) -> Vec<(Term, i128)> {
        self.differences.rows().chain(self.general.iter().cloned()).collect()
    }

    /// The greatest value of the term under all bounds.
    fn maximum(&self, term: &[(Variable, i128)]) -> Maximum {
        let known = self.generators.borrow().clone();
        let Some(generators) = known.or_else(|| self.generate()) else { return Maximum::Unbounded };
        maximum(&generators, term, &self.meter)
    }

    /// Bounds from which all others follow.
    fn generate(&self) -> Option<Bounds> {
        if !self.meter.pay(1 + self.differences.size() * self.differences.width() / BOUNDS_OF_STEP) {
            return None;
        }
        let generators: Bounds = self.differences.generators().into_iter().chain(self.general.iter().cloned()).collect();
        *self.generators.borrow_mut() = Some(Rc::clone(&generators));
        Some(generators)
    }

    fn forget_answers(&mut self) {
        self.maxima.get_mut().clear();
        *self.generators.get_mut() = None;
    }

    /// All of it, as literals.
    pub fn literals(&self) -> Vec<Literal> {
        let bounds = self.rows().into_iter().map(|(term, bound)| Literal::AtMost(term, bound));
        let disequalities = self.disequalities.iter().map(|(term, value)| Literal::Differs(term.clone(), *value));
        let residue = |((term, modulus), remainder): (&(Term, i128), &i128)| {
            Literal::Residue(Residue { term: term.clone(), modulus: *modulus, remainder: *remainder })
        };
        bounds.chain(disequalities).chain(self.residues.iter().map(residue)).collect()
    }

    /// The variables that something other than differences is known of.
    pub fn entangled(&self) -> BTreeSet<Variable> {
        let terms = self.general.iter().map(|(term, _)| term).chain(self.disequalities.iter().map(|(term, _)| term));
        terms.chain(self.residues.keys().map(|(term, _)| term)).flatten().map(|(variable, _)| *variable).collect()
    }

    /// Forgets all other variables; what cannot be said without them is lost.
    pub fn retain(&mut self, variables: &BTreeSet<Variable>) {
        let speaks = |term: &Term| term.iter().all(|(variable, _)| variables.contains(variable));
        self.differences.retain(variables);
        self.general.retain(|(term, _)| speaks(term));
        self.disequalities.retain(|(term, _)| speaks(term));
        self.residues.retain(|(term, _), _| speaks(term));
        self.forget_answers();
    }

    /// Adds the variables that something other than differences relates to these, directly or not.
    pub fn connect(&self, variables: &mut BTreeSet<Variable>) {
        let general = self.general.iter().map(|(term, _)| term);
        let terms = general.chain(self.disequalities.iter().map(|(term, _)| term)).chain(self.residues.keys().map(|(term, _)| term));
        let mut open: Vec<&Term> = terms.filter(|term| term.len() > 1).collect();
        loop {
            let (related, others): (Vec<&Term>, Vec<&Term>) =
                open.into_iter().partition(|term| term.iter().any(|(variable, _)| variables.contains(variable)));
            if related.is_empty() {
                return;
            }
            variables.extend(related.into_iter().flatten().map(|(variable, _)| *variable));
            open = others;
        }
    }

    /// Adds the literal; true if that says something new.
    fn add(&mut self, literal: &Literal) -> bool {
        match literal {
            _ if self.is_contradictory => false,
            Literal::True => false,
            Literal::False => {
                self.is_contradictory = true;
                true
            }
            Literal::AtMost(term, bound) => self.add_bound(term, *bound),
            Literal::Differs(term, value) => self.disequalities.insert((term.clone(), *value)),
            Literal::Residue(Residue { term, modulus, remainder }) => {
                let old = self.residues.insert((term.clone(), *modulus), *remainder);
                self.is_contradictory |= old.is_some_and(|old| old != *remainder);
                old != Some(*remainder)
            }
        }
    }

    /// Do these disequalities, which are all that is new, leave all bounds as they are?
    fn is_saturated_by(&self, disequalities: &[&Literal]) -> bool {
        disequalities.iter().all(|literal| match literal {
            Literal::Differs(term, value) => self.greatest(term) != Some(*value) && self.least(term) != Some(*value),
            _ => true,
        })
    }

    /// Adds `term <= bound`; true if that says something new.
    fn add_bound(&mut self, term: &[(Variable, i128)], bound: i128) -> bool {
        let (mut term, mut bound) = (term.to_vec(), bound);
        loop {
            if term.is_empty() {
                self.is_contradictory |= bound < 0;
                return bound < 0;
            }
            if let Some(remainder) = self.remainder(&term) {
                bound = remainder.round_down(bound);
            }
            if let Some((from, to)) = difference(&term) {
                if !self.meter.pay(1 + self.differences.size() / BOUNDS_OF_STEP) {
                    return false;
                }
                let (is_new, is_consistent) = self.differences.add(from, to, bound);
                self.is_contradictory |= !is_consistent;
                *self.generators.get_mut() = None;
                return is_new;
            }
            let Some(canonical) = self.canonical(&term) else { return false };
            if canonical.term == term {
                *self.generators.get_mut() = None;
                // Of two bounds on one term the lesser says all.
                match self.general.iter_mut().find(|(other, _)| *other == term) {
                    Some((_, least)) if *least <= bound => return false,
                    Some((_, least)) => *least = bound,
                    None => self.general.push((term, bound)),
                }
                return true;
            }
            let Some(rest) = bound.checked_sub(canonical.constant) else { return false };
            match Literal::at_most(canonical.term, rest) {
                Literal::AtMost(smaller, rest) => (term, bound) = (smaller, rest),
                Literal::False => (term, bound) = (Term::new(), -1),
                _ => return false,
            }
        }
    }

    fn saturate(&mut self) {
        self.forget_answers();
        if self.general.is_empty() && self.disequalities.is_empty() && self.residues.is_empty() {
            return;
        }
        for _ in 0..SATURATIONS {
            if !self.meter.pay(self.size()) {
                break;
            }
            let mut has_changed = false;
            self.forget_answers();
            if !self.general.is_empty() {
                has_changed |= self.eliminate_equalities();
                if self.is_contradictory || self.maximum(&[]) == Maximum::Contradiction {
                    self.is_contradictory = true;
                    return;
                }
            }
            for (term, value) in self.disequalities.clone() {
                for (term, value) in [(negated(&term), -value), (term, value)] {
                    if self.greatest(&term) == Some(value) {
                        has_changed |= self.add_bound(&term, value - 1);
                    }
                }
            }
            has_changed |= self.round_bounds();
            if !has_changed || self.is_contradictory {
                break;
            }
        }
        self.forget_answers();
    }

    /// Bounds of terms with a known remainder go down to the next number that has it.
    fn round_bounds(&mut self) -> bool {
        if self.residues.is_empty() {
            return false;
        }
        let mut rows = self.rows();
        for (term, _) in self.residues.keys() {
            for term in [term.clone(), negated(term)] {
                rows.extend(self.greatest(&term).map(|bound| (term, bound)));
            }
        }
        let mut has_changed = false;
        for (term, bound) in rows {
            if let Some(remainder) = self.remainder(&term) {
                let rounded = remainder.round_down(bound);
                has_changed |= rounded != bound && self.add_bound(&term, rounded);
            }
        }
        has_changed
    }

    /// Bounds again in terms of representatives, and equalities with a coefficient 1 put into other equalities.
    fn eliminate_equalities(&mut self) -> bool {
        for (term, bound) in std::mem::take(&mut self.general) {
            self.add_bound(&term, bound);
        }
        let mut has_changed = false;
        for _ in 0..ELIMINATIONS {
            if !self.meter.pay(self.general.len() * self.general.len()) {
                break;
            }
            let is_new = self.eliminate_one();
            has_changed |= is_new;
            if self.is_contradictory || !is_new {
                break;
            }
        }
        has_changed
    }

    fn eliminate_one(&mut self) -> bool {
        let opposite = |(term, bound): &(Term, i128)| (negated(term), -bound);
        let known: BTreeSet<&(Term, i128)> = self.general.iter().collect();
        let mut equalities: Vec<(Term, i128)> =
            self.general.iter().filter(|row| known.contains(&opposite(row))).map(|row| row.clone().max(opposite(row))).collect();
        equalities.sort_by(|left, right| (left.0.len(), left).cmp(&(right.0.len(), right)));
        equalities.dedup();
        for (term, bound) in &equalities {
            let Some((variable, coefficient)) = term.iter().copied().find(|(_, coefficient)| coefficient.abs() == 1) else { continue };
            let rest: Term =
                term.iter().copied().filter(|(other, _)| *other != variable).map(|(other, k)| (other, -k * coefficient)).collect();
            let store = Store::from([(variable, Linear { term: rest, constant: bound * coefficient })]);
            let mut is_new = false;
            for (other, value) in equalities.iter().filter(|(other, _)| other != term) {
                for (other, value) in [(other.clone(), *value), (negated(other), -value)] {
                    let mentions = other.iter().any(|(mentioned, _)| *mentioned == variable);
                    if mentions && self.general.len() < GENERAL_BOUNDS {
                        is_new |= match Literal::at_most(other, value).substitute(&store) {
                            Ok(Literal::AtMost(term, bound)) => self.add_bound(&term, bound),
                            Ok(Literal::False) => self.add_bound(&[], -1),
                            _ => false,
                        };
                    }
                }
            }
            if is_new || self.is_contradictory {
                return is_new;
            }
        }
        false
    }

    /// The term with variables that are equal to a number or to an earlier variable replaced.
    fn canonical(&self, term: &[(Variable, i128)]) -> Option<Linear> {
        if !self.meter.pay(1 + term.len() + term.len() * self.differences.width() / BOUNDS_OF_STEP) {
            return None;
        }
        let Some(first) = term.iter().position(|(variable, _)| self.differences.is_represented(*variable)) else {
            return Some(Linear { term: term.to_vec(), constant: 0 });
        };
        let mut result = Linear { term: term[..first].to_vec(), constant: 0 };
        for (variable, coefficient) in &term[first..] {
            result = result.plus(&self.differences.representative(*variable), *coefficient).ok()?;
        }
        Some(result)
    }

    /// What the term is modulo the numbers of which something is known, all of them together (Chinese remainders).
    pub fn remainder(&self, term: &[(Variable, i128)]) -> Option<Remainder> {
        let mut moduli: Vec<i128> = self.residues.keys().map(|(_, modulus)| *modulus).collect();
        moduli.sort_unstable();
        moduli.dedup();
        let known = moduli.into_iter().filter_map(|modulus| self.remainder_modulo(term, modulus));
        known.reduce(|left, right| left.and(right).unwrap_or(left))
    }

    /// What the term is modulo that number: a combination of at most two known residues.
    fn remainder_modulo(&self, term: &[(Variable, i128)], modulus: i128) -> Option<Remainder> {
        let own = || self.residues.iter().filter(|((_, other), _)| *other == modulus);
        own().next()?;
        let term = self.canonical(term)?;
        let mut facts = Vec::new();
        for ((fact, _), remainder) in own() {
            let fact = self.canonical(fact)?;
            facts.push((fact.term, remainder - fact.constant.rem_euclid(modulus)));
        }
        let remainder = combination(&term.term, &facts, modulus, &self.meter)?;
        Some(Remainder { modulus, remainder: (remainder + term.constant.rem_euclid(modulus)).rem_euclid(modulus) })
    }

    /// The remainder of the term by the modulus, where it is known or the term has one value.
    pub fn remainder_by(&self, term: &[(Variable, i128)], modulus: i128) -> Option<i128> {
        if term.is_empty() {
            return Some(0);
        }
        if let (Some(greatest), Some(least)) = (self.greatest(term), self.least(term))
            && greatest == least
        {
            return Some(greatest.rem_euclid(modulus));
        }
        self.remainder_modulo(term, modulus).map(|found| found.remainder)
    }

    /// The least upper bound that is known.
    pub fn greatest(&self, term: &[(Variable, i128)]) -> Option<i128> {
        if term.is_empty() {
            return Some(0);
        }
        match difference(term) {
            Some((from, to)) if self.general.is_empty() => return self.differences.bound(from, to),
            Some(_) => {}
            None => {
                let canonical = self.canonical(term)?;
                if canonical.term.is_empty() {
                    return Some(canonical.constant);
                }
                if canonical.term != term {
                    let first = canonical.term[0].1;
                    let Literal::AtMost(reduced, _) = Literal::at_most(canonical.term, 0) else { return None };
                    let factor = first / reduced[0].1;
                    return self.greatest(&reduced)?.checked_mul(factor)?.checked_add(canonical.constant);
                }
            }
        }
        if let Some(known) = self.maxima.borrow().get(term) {
            return *known;
        }
        let greatest = match self.maximum(term) {
            Maximum::Value(value, _) => Some(Rational::floor(value)),
            Maximum::Contradiction | Maximum::Unbounded => None,
        };
        self.maxima.borrow_mut().insert(term.to_vec(), greatest);
        greatest
    }

    /// The greatest lower bound that is known.
    pub fn least(&self, term: &[(Variable, i128)]) -> Option<i128> {
        self.greatest(&negated(term))?.checked_neg()
    }

    /// The greatest value of `linear` that is known.
    pub fn greatest_value(&self, linear: &Linear) -> Option<i128> {
        self.greatest(&linear.term)?.checked_add(linear.constant)
    }

    /// The greatest value that is known, rounded by what is known of its remainder.
    pub fn greatest_rounded(&self, term: &[(Variable, i128)]) -> Option<i128> {
        let greatest = self.greatest(term)?;
        Some(self.remainder(term).map_or(greatest, |remainder| remainder.round_down(greatest)))
    }

    /// Does the literal follow?
    pub fn entails(&self, literal: &Literal) -> bool {
        if self.is_contradictory {
            return true;
        }
        match literal {
            Literal::True => true,
            Literal::False => false,
            Literal::AtMost(term, bound) => self.greatest(term).is_some_and(|greatest| {
                greatest <= *bound || self.remainder(term).is_some_and(|remainder| remainder.round_down(greatest) <= *bound)
            }),
            Literal::Differs(term, value) => self.excludes(term, *value),
            Literal::Residue(Residue { term, modulus, remainder }) => match self.residues.get(&(term.clone(), *modulus)) {
                Some(known) => known == remainder,
                None => self.remainder_by(term, *modulus) == Some(*remainder),
            },
        }
    }

    fn excludes(&self, term: &Term, value: i128) -> bool {
        let is_beyond =
            || self.greatest(term).is_some_and(|greatest| greatest < value) || self.least(term).is_some_and(|least| least > value);
        let is_other = || self.remainder(term).is_some_and(|known| (value - known.remainder) % known.modulus != 0);
        // The same up to a known difference.
        let is_shifted = || {
            self.disequalities.iter().any(|(other, excluded)| {
                [(other.clone(), *excluded), (negated(other), -excluded)].into_iter().any(|(other, excluded)| {
                    let Ok(shift) = sum(term, &other, -1) else { return false };
                    self.greatest(&shift) == Some(value - excluded) && self.least(&shift) == Some(value - excluded)
                })
            })
        };
        let is_refuted = || {
            let equal = [Literal::at_most(term.clone(), value), Literal::at_most(negated(term), -value)];
            (!self.general.is_empty() || !self.residues.is_empty()) && self.with(&equal).is_contradictory()
        };
        self.disequalities.contains(&(term.clone(), value)) || is_beyond() || is_other() || is_shifted() || is_refuted()
    }
}

#[cfg(test)]
mod tests {
    use super::Conjunction;
    use goatherd_systems::literal::Literal;

    fn conjunction(literals: &[Literal]) -> Conjunction {
        Conjunction::default().with(literals)
    }

    #[test]
    fn differences_add_up() {
        let facts = conjunction(&[Literal::at_most(vec![(0, 1), (1, -1)], 2), Literal::at_most(vec![(1, 1), (2, -1)], 3)]);
        assert!(facts.entails(&Literal::at_most(vec![(0, 1), (2, -1)], 5)));
        assert!(!facts.entails(&Literal::at_most(vec![(0, 1), (2, -1)], 4)));
        assert!(facts.with(&[Literal::at_most(vec![(0, -1), (2, 1)], -6)]).is_contradictory());
    }

    #[test]
    fn disequalities_tighten_bounds() {
        let facts = conjunction(&[Literal::at_most(vec![(0, 1)], 3), Literal::differs(vec![(0, 1)], 3)]);
        assert_eq!(facts.greatest(&[(0, 1)]), Some(2));
    }

    #[test]
    fn residues_round_bounds() {
        let facts = conjunction(&[Literal::residue(vec![(0, 1)], 2, 0), Literal::at_most(vec![(0, 1)], 5)]);
        assert!(facts.entails(&Literal::at_most(vec![(0, 1)], 4)));
        assert!(facts.with(&[Literal::at_most(vec![(0, -1)], -5)]).is_contradictory());
        assert!(facts.entails(&Literal::differs(vec![(0, 1)], 3)));
    }

    #[test]
    fn remainders_add_up() {
        let facts = conjunction(&[
            Literal::residue(vec![(0, 1)], 2, 1),
            Literal::residue(vec![(0, 1)], 3, 2),
            Literal::residue(vec![(0, 1)], 4, 1),
        ]);
        assert!(facts.entails(&Literal::differs(vec![(0, 1)], 7)));
        assert!(!facts.entails(&Literal::differs(vec![(0, 1)], 17)));
        assert_eq!(facts.with(&[Literal::at_most(vec![(0, 1)], 16)]).greatest(&[(0, 1)]), Some(5));
    }

    #[test]
    fn general_bounds_need_the_simplex_method() {
        let facts = conjunction(&[Literal::at_most(vec![(0, 1), (1, 1)], 4), Literal::at_most(vec![(0, 1), (1, -1)], 1)]);
        assert!(facts.entails(&Literal::at_most(vec![(0, 1)], 2)));
        assert!(facts.with(&[Literal::at_most(vec![(0, -1)], -3)]).is_contradictory());
    }
}
