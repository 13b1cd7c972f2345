//! A small prover of refutations, written independently of the prover's: Fourier-Motzkin elimination, axioms of all atoms, and cases on
//! disequalities. For hand-made derivations.

use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{Atom, AtomId, Literal, Sign},
};
use goatherd_checker::{rejection::Rejection, term::Arena};
use std::collections::{BTreeMap, BTreeSet};

/// More inequalities than this, and elimination gives up.
const MOST_ROWS: usize = 3000;

/// How many disequalities are split on at once.
const DEPTH: u32 = 3;

/// An inequality `constant + sum of coefficient * atom <= 0`, and the combination of facts that it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    coefficients: BTreeMap<AtomId, i128>,
    constant: i128,
    parts: BTreeMap<u32, i128>,
}

impl Row {
    fn add(&mut self, other: &Row, factor: i128) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (atom, coefficient) in &other.coefficients {
            let entry = self.coefficients.entry(*atom).or_insert(0);
            *entry = entry.checked_add(coefficient.checked_mul(factor)?)?;
        }
        self.coefficients.retain(|_, coefficient| *coefficient != 0);
        for (fact, coefficient) in &other.parts {
            let entry = self.parts.entry(*fact).or_insert(0);
            *entry = entry.checked_add(coefficient.checked_mul(factor)?)?;
        }
        self.parts.retain(|_, coefficient| *coefficient != 0);
        Some(())
    }

    fn scaled(&self, factor: i128) -> Option<Row> {
        let mut row = Row { coefficients: BTreeMap::new(), constant: 0, parts: BTreeMap::new() };
        row.add(self, factor)?;
        Some(row)
    }
}

/// A refutation of the predicate with the assumptions, if this finds one.
pub fn refute(arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Option<Refutation> {
    let mut refuter =
        Refuter { arena, facts: predicate.iter().chain(assumptions).copied().collect(), deductions: Vec::new(), split: BTreeSet::new() };
    refuter.axioms().ok()?;
    refuter.close(DEPTH)?;
    Some(Refutation { deductions: refuter.deductions })
}

/// Deductions that lead from these facts to a contradiction; they follow what has been deduced so far.
pub fn close(arena: &mut Arena, facts: &[Literal]) -> Option<Vec<Deduction>> {
    refute(arena, facts, &[]).map(|refutation| refutation.deductions)
}

struct Refuter<'a> {
    arena: &'a mut Arena,
    /// As the checker numbers them.
    facts: Vec<Literal>,
    deductions: Vec<Deduction>,
    split: BTreeSet<usize>,
}

impl Refuter<'_> {
    /// The axioms of all atoms, also of those inside others.
    fn axioms(&mut self) -> Result<(), Rejection> {
        let mut seen = BTreeSet::new();
        let mut open = Vec::new();
        for literal in &self.facts {
            open.extend(self.arena.linear(literal.term)?.summands.iter().map(|(atom, _)| *atom));
        }
        while let Some(atom) = open.pop() {
            if !seen.insert(atom) {
                continue;
            }
            let term = self.arena.of_atom(atom)?;
            let bounds = if let Atom::Quotient { divisor, argument } = *self.arena.atom(atom)? {
                let rest = self.arena.combine(0, &[(argument, 1), (term, -divisor)])?;
                open.extend(self.arena.linear(argument)?.summands.iter().map(|(atom, _)| *atom));
                [self.arena.combine(0, &[(rest, -1)])?, self.arena.plus(rest, 1 - divisor)?]
            } else {
                let Some((least, greatest)) = self.arena.atom_range(atom) else { continue };
                [self.arena.combine(least, &[(term, -1)])?, self.arena.plus(term, -greatest)?]
            };
            self.deductions.push(Deduction::Axiom(atom));
            self.facts.extend(bounds.map(|term| Literal { sign: Sign::AtMostZero, term }));
        }
        Ok(())
    }

    fn close(&mut self, depth: u32) -> Option<()> {
        if let Some(parts) = self.eliminate() {
            self.deductions.push(Deduction::Combine(parts));
            return Some(());
        }
        if depth == 0 {
            return None;
        }
        for fact in 0..self.facts.len() {
            let literal = self.facts[fact];
            if literal.sign != Sign::NotZero || self.split.contains(&fact) {
                continue;
            }
            let (before, written) = (self.facts.len(), self.deductions.len());
            let case = Literal { sign: Sign::AtMostZero, ..literal };
            self.split.insert(fact);
            self.deductions.push(Deduction::Case(case));
            self.facts.push(case);
            let ids = |fact: usize| FactId(u32::try_from(fact).unwrap_or(u32::MAX));
            self.deductions.push(Deduction::Tighten { bound: ids(before), disequality: ids(fact) });
            let tightened = Literal { sign: Sign::AtMostZero, term: self.arena.plus(literal.term, 1).ok()? };
            self.facts.push(tightened);
            // A constant closes the case as it is written down, if it is positive.
            let is_false = self.arena.value(tightened.term).is_some_and(|value| value > 0);
            let mut closed = is_false || self.close(depth - 1).is_some();
            if closed {
                self.facts.truncate(before);
                let negation = self.arena.negate(case).ok()?;
                self.facts.push(negation);
                closed = self.arena.evident(negation) == Some(false) || self.close(depth - 1).is_some();
            }
            if closed {
                return Some(());
            }
            self.split.remove(&fact);
            self.facts.truncate(before);
            self.deductions.truncate(written);
        }
        None
    }

    /// A combination of facts that is a positive constant.
    fn eliminate(&self) -> Option<Vec<(FactId, i128)>> {
        let mut rows = Vec::new();
        for (number, literal) in (0u32..).zip(&self.facts) {
            if literal.sign == Sign::NotZero {
                continue;
            }
            let linear = self.arena.linear(literal.term).ok()?;
            let row = Row {
                coefficients: linear.summands.iter().copied().collect(),
                constant: linear.constant,
                parts: BTreeMap::from([(number, 1)]),
            };
            if literal.sign == Sign::Zero {
                rows.push(row.scaled(-1)?);
            }
            rows.push(row);
        }
        loop {
            if let Some(row) = rows.iter().find(|row| row.coefficients.is_empty() && row.constant > 0) {
                return Some(row.parts.iter().map(|(fact, coefficient)| (FactId(*fact), *coefficient)).collect());
            }
            // Eliminate the atom that makes the fewest new rows.
            let mut counts: BTreeMap<AtomId, (usize, usize)> = BTreeMap::new();
            for (atom, coefficient) in rows.iter().flat_map(|row| &row.coefficients) {
                let entry = counts.entry(*atom).or_default();
                if *coefficient > 0 { entry.0 += 1 } else { entry.1 += 1 }
            }
            let (atom, _) = counts.iter().min_by_key(|(_, (above, below))| above * below)?;
            let (with, mut without): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.coefficients.contains_key(atom));
            let (above, below): (Vec<Row>, Vec<Row>) = with.into_iter().partition(|row| row.coefficients[atom] > 0);
            for row in &above {
                for other in &below {
                    let mut sum = row.scaled(-other.coefficients[atom])?;
                    sum.add(other, row.coefficients[atom])?;
                    without.push(sum);
                }
            }
            without.sort();
            without.dedup_by(|left, right| left.coefficients == right.coefficients && left.constant == right.constant);
            if without.len() > MOST_ROWS {
                return None;
            }
            rows = without;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::refute;
    use goatherd_certificates::term::{Literal, Sign};
    use goatherd_checker::{Arena, budget::Budget, refute::check};

    /// Of a hint that the constant is 0, if there is one, whether the kernel takes it.
    fn hint(constant: i128) -> Option<bool> {
        let mut arena = Arena::new(&[], Budget::new(1 << 16)).unwrap();
        let literal = Literal { sign: Sign::NotZero, term: arena.constant(constant).unwrap() };
        let refutation = refute(&mut arena, &[], &[literal])?;
        Some(check(&mut arena, &[], &[literal], &refutation).is_ok())
    }

    #[test]
    fn of_constants_zero_alone_is_zero() {
        assert_eq!([-5, -1, 0, 1, 5].map(hint), [None, None, Some(true), None, None]);
    }
}
