//! What equations say of remainders: elimination modulo a number, with the combination of equations that shows it.

use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{AtomId, LinearId, Literal, Sign},
};
use goatherd_checker::{outcome::Oracle, refute::check, rejection::Rejection, term::Arena};
use std::collections::{BTreeMap, BTreeSet};

use crate::solving::HintRecorder;

/// Greater moduli are not tried.
const GREATEST: i128 = 1 << 10;

/// A sum of atoms and a number, and of which facts it is how many times the sum.
#[derive(Clone, Debug)]
struct Row {
    atoms: BTreeMap<AtomId, i128>,
    constant: i128,
    facts: BTreeMap<u32, i128>,
}

impl Row {
    fn new(arena: &Arena, term: LinearId, fact: Option<u32>) -> Result<Self, Rejection> {
        let linear = arena.linear(term)?;
        let facts = fact.map(|fact| (fact, 1)).into_iter().collect();
        Ok(Self { atoms: linear.summands.iter().copied().collect(), constant: linear.constant, facts })
    }

    /// Takes so many times the other row away that the atom's coefficient is a multiple of the modulus.
    fn reduce(&mut self, other: &Self, atom: AtomId, modulus: i128) -> Result<(), Rejection> {
        let coefficient = |row: &Self| row.atoms.get(&atom).copied().unwrap_or_default();
        let Some(inverse) = inverse(coefficient(other), modulus) else { return Ok(()) };
        let factor = (coefficient(self).rem_euclid(modulus) * inverse).rem_euclid(modulus);
        for (atom, coefficient) in &other.atoms {
            subtract(self.atoms.entry(*atom).or_default(), *coefficient, factor)?;
        }
        for (fact, count) in &other.facts {
            subtract(self.facts.entry(*fact).or_default(), *count, factor)?;
        }
        subtract(&mut self.constant, other.constant, factor)
    }

    fn is_divisible(&self, modulus: i128) -> bool {
        self.atoms.values().all(|coefficient| coefficient % modulus == 0)
    }
}

fn subtract(from: &mut i128, number: i128, factor: i128) -> Result<(), Rejection> {
    *from = number.checked_mul(factor).and_then(|product| from.checked_sub(product)).ok_or(Rejection::Overflow)?;
    Ok(())
}

/// The number that, times this one, is 1 more than a multiple of the modulus. Moduli are small: they are tried.
fn inverse(number: i128, modulus: i128) -> Option<i128> {
    let number = number.rem_euclid(modulus);
    (1..modulus).find(|inverse| (number * inverse).rem_euclid(modulus) == 1)
}

/// The equations reduced by each other, each but those without one with an atom that it eliminates.
fn eliminate(arena: &Arena, facts: &[Literal], modulus: i128) -> Result<Vec<(Row, Option<AtomId>)>, Rejection> {
    let mut rows: Vec<(Row, Option<AtomId>)> = Vec::new();
    for (fact, literal) in (0..).zip(facts).filter(|(_, literal)| literal.sign == Sign::Zero) {
        let mut row = Row::new(arena, literal.term, Some(fact))?;
        for (other, atom) in &rows {
            if let Some(atom) = atom {
                row.reduce(other, *atom, modulus)?;
            }
        }
        let pivot = row.atoms.iter().find(|(_, coefficient)| inverse(**coefficient, modulus).is_some()).map(|(atom, _)| *atom);
        rows.push((row, pivot));
    }
    Ok(rows)
}

/// An integral term whose product with the modulus is equal to the value, by the equations of the predicate.
pub(super) fn exact_quotient(
    arena: &mut Arena,
    predicate: &[Literal],
    value: LinearId,
    modulus: i128,
) -> Result<Option<LinearId>, Rejection> {
    if !(2..=GREATEST).contains(&modulus) {
        return Ok(None);
    }
    let mut value = Row::new(arena, value, None)?;
    for (row, atom) in eliminate(arena, predicate, modulus)? {
        if let Some(atom) = atom {
            value.reduce(&row, atom, modulus)?;
        }
    }
    if !value.is_divisible(modulus) || value.constant % modulus != 0 {
        return Ok(None);
    }
    let mut parts = Vec::new();
    for (atom, coefficient) in &value.atoms {
        parts.push((arena.of_atom(*atom)?, coefficient / modulus));
    }
    arena.combine(value.constant / modulus, &parts).map(Some)
}

/// A refutation of equations that have no solution modulo one of their coefficients.
fn refute(arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<Option<Refutation>, Rejection> {
    let facts = [predicate, assumptions].concat();
    let mut moduli = BTreeSet::new();
    for literal in facts.iter().filter(|literal| literal.sign == Sign::Zero) {
        let summands = &arena.linear(literal.term)?.summands;
        moduli.extend(
            summands.iter().map(|(_, coefficient)| coefficient.saturating_abs()).filter(|modulus| (2..=GREATEST).contains(modulus)),
        );
    }
    for modulus in moduli {
        for (row, _) in eliminate(arena, &facts, modulus)? {
            if row.is_divisible(modulus) && row.constant % modulus != 0 {
                // Rounded from both sides, the sum is at most a number, and at least a greater one.
                let times = |sign: i128| {
                    let parts = row.facts.iter().filter(|(_, count)| **count != 0).map(|(fact, count)| (FactId(*fact), sign * count));
                    Deduction::Combine(parts.collect())
                };
                let added = u32::try_from(facts.len()).map_err(|_| Rejection::Overflow)?;
                let both = Deduction::Combine(vec![(FactId(added), 1), (FactId(added + 1), 1)]);
                let refutation = Refutation { deductions: vec![times(1), times(-1), both] };
                if check(arena, predicate, assumptions, &refutation).is_ok() {
                    return Ok(Some(refutation));
                }
            }
        }
    }
    Ok(None)
}

/// Records hints; where the reasoning of proofs finds none, by remainders.
#[derive(Default)]
pub(super) struct Recorder(pub(super) HintRecorder);

impl Oracle for Recorder {
    fn refute(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        if let Err(rejection) = self.0.refute(arena, predicate, assumptions) {
            let hint = refute(arena, predicate, assumptions)?;
            self.0.hints.push(hint.ok_or(rejection)?);
        }
        Ok(())
    }
}
