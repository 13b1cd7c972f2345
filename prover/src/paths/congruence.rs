//! What equations say of remainders: elimination modulo a number, with the combination of equations that shows it.

use crate::solving::HintRecorder;
use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{AtomId, LinearId, Literal, Sign},
};
use goatherd_checker::{outcome::Oracle, refute::check, rejection::Rejection, term::Arena};
use std::collections::{BTreeMap, BTreeSet};

/// Greater moduli are not tried.
const GREATEST: i128 = 1 << 10;
/// Bounds and sums of bounds that are rounded, cuts that are kept, and how often cuts are made of cuts.
const CANDIDATES: usize = 200;
const CUTS: usize = 32;
const ROUNDS: usize = 2;

/// A term that is 0, by a fact that says so, or by two: that it is at most 0, and at least.
#[derive(Clone, Copy, Debug)]
struct Equation {
    term: LinearId,
    at_most: FactId,
    at_least: FactId,
}

/// The equations among facts.
fn equations(arena: &mut Arena, facts: &[Literal]) -> Result<Vec<Equation>, Rejection> {
    let mut equations = Vec::new();
    for (fact, Literal { sign, term }) in (0..).map(FactId).zip(facts) {
        match sign {
            Sign::NotZero => {}
            Sign::Zero => equations.push(Equation { term: *term, at_most: fact, at_least: fact }),
            Sign::AtMostZero => {
                let opposite = Literal { sign: Sign::AtMostZero, term: arena.combine(0, &[(*term, -1)])? };
                let later = (0..).map(FactId).zip(facts).find(|(other, literal)| *other > fact && **literal == opposite);
                equations.extend(later.map(|(other, _)| Equation { term: *term, at_most: fact, at_least: other }));
            }
        }
    }
    Ok(equations)
}

/// A sum of atoms and a number, and of which equations it is how many times the sum.
#[derive(Clone, Debug)]
struct Row {
    atoms: BTreeMap<AtomId, i128>,
    constant: i128,
    equations: BTreeMap<usize, i128>,
}

impl Row {
    fn new(arena: &Arena, term: LinearId, equation: Option<usize>) -> Result<Self, Rejection> {
        let linear = arena.linear(term)?;
        let equations = equation.map(|equation| (equation, 1)).into_iter().collect();
        Ok(Self { atoms: linear.summands.iter().copied().collect(), constant: linear.constant, equations })
    }

    /// Takes so many times the other row away that the atom's coefficient is a multiple of the modulus.
    fn reduce(&mut self, other: &Self, atom: AtomId, modulus: i128) -> Result<(), Rejection> {
        let coefficient = |row: &Self| row.atoms.get(&atom).copied().unwrap_or_default();
        let Some(inverse) = inverse(coefficient(other), modulus) else { return Ok(()) };
        let factor = (coefficient(self).rem_euclid(modulus) * inverse).rem_euclid(modulus);
        for (atom, coefficient) in &other.atoms {
            subtract(self.atoms.entry(*atom).or_default(), *coefficient, factor)?;
        }
        for (equation, count) in &other.equations {
            subtract(self.equations.entry(*equation).or_default(), *count, factor)?;
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
fn eliminate(arena: &Arena, equations: &[Equation], modulus: i128) -> Result<Vec<(Row, Option<AtomId>)>, Rejection> {
    let mut rows: Vec<(Row, Option<AtomId>)> = Vec::new();
    for (number, equation) in equations.iter().enumerate() {
        let mut row = Row::new(arena, equation.term, Some(number))?;
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
    let equations = equations(arena, predicate)?;
    let mut value = Row::new(arena, value, None)?;
    for (row, atom) in eliminate(arena, &equations, modulus)? {
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

/// The coefficients of equations: moduli worth trying.
fn moduli(arena: &Arena, equations: &[Equation]) -> Result<BTreeSet<i128>, Rejection> {
    let mut moduli = BTreeSet::new();
    for equation in equations {
        let summands = &arena.linear(equation.term)?.summands;
        moduli.extend(
            summands.iter().map(|(_, coefficient)| coefficient.saturating_abs()).filter(|modulus| (2..=GREATEST).contains(modulus)),
        );
    }
    Ok(moduli)
}

/// A refutation of equations that have no solution modulo one of their coefficients.
fn refute(arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<Option<Refutation>, Rejection> {
    let facts = [predicate, assumptions].concat();
    let equations = equations(arena, &facts)?;
    for modulus in moduli(arena, &equations)? {
        for (row, _) in eliminate(arena, &equations, modulus)? {
            if row.is_divisible(modulus) && row.constant % modulus != 0 {
                // Rounded from both sides, the sum is at most a number, and at least a greater one.
                let times = |sign: i128| {
                    let counts = row.equations.iter().map(|(equation, count)| (equations[*equation], sign * count));
                    let parts = counts.filter(|(_, count)| *count != 0).map(|(Equation { at_most, at_least, .. }, count)| {
                        if count > 0 || at_most == at_least { (at_most, count) } else { (at_least, -count) }
                    });
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

/// A bound that is rounded, and the deduction that does it.
struct Cut {
    deduction: Deduction,
    literal: Literal,
}

/// Bounds to which multiples of equations are added so that all coefficients have a common divisor that the constant does not have:
/// rounded, they are tighter (Chvátal-Gomory cuts). Of single bounds, and of sums of two.
fn cuts(arena: &mut Arena, facts: &[Literal]) -> Result<Vec<Cut>, Rejection> {
    let equations = equations(arena, facts)?;
    let bounds = (0..).map(FactId).zip(facts).filter(|(_, literal)| literal.sign == Sign::AtMostZero);
    let bounds: Vec<(FactId, LinearId)> = bounds.map(|(fact, literal)| (fact, literal.term)).collect();
    let mut sums: Vec<(Vec<(FactId, i128)>, LinearId)> = bounds.iter().map(|(fact, term)| (vec![(*fact, 1)], *term)).collect();
    for (position, (left, term)) in bounds.iter().enumerate() {
        for (right, other) in &bounds[position + 1..] {
            if sums.len() < CANDIDATES {
                sums.push((vec![(*left, 1), (*right, 1)], arena.combine(0, &[(*term, 1), (*other, 1)])?));
            }
        }
    }
    let mut cuts: Vec<Cut> = Vec::new();
    for modulus in moduli(arena, &equations)? {
        let rows = eliminate(arena, &equations, modulus)?;
        for (parts, sum) in &sums {
            let mut row = Row::new(arena, *sum, None)?;
            for (other, atom) in &rows {
                if let Some(atom) = atom {
                    row.reduce(other, *atom, modulus)?;
                }
            }
            if !row.is_divisible(modulus) || row.constant % modulus == 0 || row.atoms.values().all(|coefficient| *coefficient == 0) {
                continue;
            }
            let counts = row.equations.iter().filter(|(_, count)| **count != 0).map(|(equation, count)| (&equations[*equation], *count));
            let used = counts.map(
                |(Equation { at_most, at_least, .. }, count)| {
                    if count > 0 || at_most == at_least { (*at_most, count) } else { (*at_least, -count) }
                },
            );
            let deduction = Deduction::Combine(parts.iter().copied().chain(used).collect());
            let literal = rounded(arena, &row)?;
            if cuts.len() < CUTS && !facts.contains(&literal) && !cuts.iter().any(|cut| cut.literal == literal) {
                cuts.push(Cut { deduction, literal });
            }
        }
    }
    Ok(cuts)
}

/// `row <= 0`, divided by the common divisor of its coefficients.
fn rounded(arena: &mut Arena, row: &Row) -> Result<Literal, Rejection> {
    let divisor = row.atoms.values().fold(0, |divisor, coefficient| common_divisor(divisor, coefficient.saturating_abs()));
    let mut parts = Vec::new();
    for (atom, coefficient) in row.atoms.iter().filter(|(_, coefficient)| **coefficient != 0) {
        parts.push((arena.of_atom(*atom)?, coefficient / divisor));
    }
    let constant = row.constant.checked_neg().ok_or(Rejection::Overflow)?.div_euclid(divisor).checked_neg().ok_or(Rejection::Overflow)?;
    Ok(Literal { sign: Sign::AtMostZero, term: arena.combine(constant, &parts)? })
}

fn common_divisor(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left, right);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// Records hints; where the reasoning of proofs finds none, by remainders: of equations alone, then together with bounds.
#[derive(Default)]
pub(super) struct Recorder(pub(super) HintRecorder);

impl Recorder {
    fn refute_with_cuts(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        let mut deductions = Vec::new();
        let mut assumptions = assumptions.to_vec();
        for _ in 0..ROUNDS {
            let cuts = cuts(arena, &[predicate, &assumptions].concat())?;
            if cuts.is_empty() {
                break;
            }
            // Deduced facts are numbered after the assumptions: as assumptions they have the same numbers.
            for Cut { deduction, literal } in cuts {
                deductions.push(deduction);
                assumptions.push(literal);
            }
            if self.0.refute(arena, predicate, &assumptions).is_ok() {
                if let Some(hint) = self.0.hints.last_mut() {
                    hint.deductions.splice(..0, deductions);
                }
                return Ok(());
            }
        }
        Err(Rejection::NotRefuted)
    }
}

impl Oracle for Recorder {
    fn refute(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        if self.0.refute(arena, predicate, assumptions).is_ok() {
            return Ok(());
        }
        match refute(arena, predicate, assumptions)? {
            Some(hint) => {
                self.0.hints.push(hint);
                Ok(())
            }
            None => self.refute_with_cuts(arena, predicate, assumptions),
        }
    }
}
