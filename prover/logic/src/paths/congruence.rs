//! What equations say of remainders: elimination modulo a number, with the combination of equations that shows it.

use super::conjunction::Conjunction;
use crate::{meter::Meter, oracle::HintRecorder};
use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{AtomId, LinearId, Literal, Sign},
};
use goatherd_checker::{outcome::Oracle, refute::check, rejection::Rejection, term::Arena};
use goatherd_systems::literal::{Literal as Known, Term, negated};
use std::collections::{BTreeMap, BTreeSet};

/// Greater moduli are not tried.
const GREATEST: i128 = 1 << 10;
/// Steps of a meter for each row that is looked at when a pivot is chosen, beside one for each entry of the pivot's row.
const STEPS_OF_PIVOT: usize = 4;
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

    fn coefficient(&self, atom: AtomId) -> i128 {
        self.atoms.get(&atom).copied().unwrap_or_default()
    }

    /// Takes so many times the other row away that the atom's coefficient is a multiple of the modulus, where there is such a number.
    fn reduce(&mut self, other: &Self, atom: AtomId, modulus: i128) -> Result<(), Rejection> {
        let (own, pivot) = (self.coefficient(atom).rem_euclid(modulus), other.coefficient(atom));
        let divisor = common_divisor(modulus, pivot.rem_euclid(modulus));
        let Some(inverse) = inverse(pivot / divisor, modulus / divisor).filter(|_| own % divisor == 0) else { return Ok(()) };
        let factor = (own / divisor * inverse).rem_euclid(modulus / divisor);
        for (atom, coefficient) in &other.atoms {
            subtract(self.atoms.entry(*atom).or_default(), *coefficient, factor)?;
        }
        for (equation, count) in &other.equations {
            subtract(self.equations.entry(*equation).or_default(), *count, factor)?;
        }
        subtract(&mut self.constant, other.constant, factor)
    }

    /// The atom whose coefficient has least in common with the modulus, and what that is; none where all are multiples of the modulus.
    fn pivot(&self, modulus: i128) -> Option<(i128, AtomId)> {
        let common = self.atoms.iter().map(|(atom, coefficient)| (common_divisor(modulus, coefficient.rem_euclid(modulus)), *atom));
        common.min().filter(|(divisor, _)| *divisor < modulus)
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
    (0..modulus).find(|inverse| (number * inverse).rem_euclid(modulus) == 1 % modulus)
}

/// Equations reduced by each other.
struct Eliminated {
    /// Each with an atom that it eliminates.
    rows: Vec<(Row, AtomId)>,
    /// Those of which all coefficients are multiples of the modulus.
    rest: Vec<Row>,
}

impl Eliminated {
    /// Coefficients that have least in common with the modulus come first: modulo a power of a prime they divide all others. Nothing is refuted where
    /// this cannot be paid for.
    fn new(arena: &Arena, equations: &[Equation], modulus: i128, meter: &Meter) -> Result<Self, Rejection> {
        let rest = (0..).zip(equations).map(|(number, equation)| Row::new(arena, equation.term, Some(number)));
        let mut this = Self { rows: Vec::new(), rest: rest.collect::<Result<_, _>>()? };
        loop {
            let pivots =
                (0..).zip(&this.rest).filter_map(|(position, row)| row.pivot(modulus).map(|(divisor, atom)| (divisor, position, atom)));
            let Some((_, position, atom)) = pivots.min() else { return Ok(this) };
            let row = this.rest.remove(position);
            let entries = row.atoms.len() + row.equations.len();
            if !meter.pay((1 + this.rest.len()) * (STEPS_OF_PIVOT + entries)) {
                return Err(Rejection::NotRefuted);
            }
            this.rest.iter_mut().try_for_each(|other| other.reduce(&row, atom, modulus))?;
            this.rows.push((row, atom));
        }
    }

    /// The entries of all rows.
    fn steps_of_reduction(&self) -> usize {
        1 + self.rows.iter().map(|(row, _)| row.atoms.len() + row.equations.len()).sum::<usize>()
    }

    /// The term with the atoms eliminated.
    fn reduced(&self, arena: &Arena, term: LinearId, modulus: i128) -> Result<Row, Rejection> {
        let mut row = Row::new(arena, term, None)?;
        self.rows.iter().try_for_each(|(other, atom)| row.reduce(other, *atom, modulus))?;
        Ok(row)
    }
}

/// An integral term whose product with the modulus is equal to the value, by what the predicate says.
pub fn exact_quotient(
    arena: &mut Arena,
    predicate: &[Literal],
    value: LinearId,
    modulus: i128,
    meter: &Meter,
) -> Result<Option<LinearId>, Rejection> {
    if !(2..=GREATEST).contains(&modulus) {
        return Ok(None);
    }
    let equations = equations(arena, predicate)?;
    let (mut quotient, mut divisor) = (value, 1);
    for power in prime_powers(modulus) {
        let Some(other) = quotient_by(arena, &equations, value, power, meter)? else {
            let only = only_value(arena, predicate, value, meter)?.filter(|number| number % modulus == 0);
            return only.map(|number| arena.constant(number / modulus)).transpose();
        };
        // The value is divisor * quotient, and power * other; of times * divisor + others * power, which is 1, it is the product.
        let times = inverse(divisor, power).ok_or(Rejection::Overflow)?;
        quotient = arena.combine(0, &[(other, times), (quotient, (1 - times * divisor) / power)])?;
        divisor *= power;
    }
    Ok(Some(quotient))
}

/// By equations alone: complete for powers of primes.
fn quotient_by(
    arena: &mut Arena,
    equations: &[Equation],
    value: LinearId,
    modulus: i128,
    meter: &Meter,
) -> Result<Option<LinearId>, Rejection> {
    let value = Eliminated::new(arena, equations, modulus, meter)?.reduced(arena, value, modulus)?;
    if !value.is_divisible(modulus) || value.constant % modulus != 0 {
        return Ok(None);
    }
    let mut parts = Vec::new();
    for (atom, coefficient) in &value.atoms {
        parts.push((arena.of_atom(*atom)?, coefficient / modulus));
    }
    arena.combine(value.constant / modulus, &parts).map(Some)
}

/// The number that the value is, by bounds that are rounded after remainders.
fn only_value(arena: &Arena, predicate: &[Literal], value: LinearId, meter: &Meter) -> Result<Option<i128>, Rejection> {
    let term = |term: LinearId| -> Result<(Term, i128), Rejection> {
        let linear = arena.linear(term)?;
        Ok((linear.summands.iter().map(|(atom, coefficient)| (atom.0, *coefficient)).collect(), linear.constant))
    };
    let mut literals = Vec::new();
    for literal in predicate {
        let (term, constant) = term(literal.term)?;
        let bound = constant.checked_neg().ok_or(Rejection::Overflow)?;
        match literal.sign {
            Sign::AtMostZero => literals.push(Known::at_most(term, bound)),
            Sign::NotZero => literals.push(Known::differs(term, bound)),
            Sign::Zero => {
                let moduli = term.iter().map(|(_, coefficient)| coefficient.saturating_abs()).filter(|modulus| *modulus > 1);
                literals.extend(moduli.map(|modulus| Known::residue(term.clone(), modulus, bound)));
                literals.extend([Known::at_most(negated(&term), constant), Known::at_most(term, bound)]);
            }
        }
    }
    let facts = Conjunction::metered(meter).with(&literals);
    let (term, constant) = term(value)?;
    let ends = (facts.greatest_rounded(&term), facts.greatest_rounded(&negated(&term)));
    let (Some(greatest), Some(opposite)) = ends else { return Ok(None) };
    Ok(Some(greatest).filter(|_| greatest.checked_add(opposite) == Some(0)).and_then(|value| value.checked_add(constant)))
}

/// The powers of different primes whose product the number is.
fn prime_powers(number: i128) -> Vec<i128> {
    let (mut rest, mut powers) = (number, Vec::new());
    for prime in 2..=number {
        let mut power = 1;
        while rest % prime == 0 {
            (rest, power) = (rest / prime, power * prime);
        }
        powers.extend(Some(power).filter(|power| *power > 1));
    }
    powers
}

/// The coefficients of equations, and the powers of primes in them: moduli worth trying.
fn moduli(arena: &Arena, equations: &[Equation]) -> Result<BTreeSet<i128>, Rejection> {
    let mut moduli = BTreeSet::new();
    for equation in equations {
        let summands = &arena.linear(equation.term)?.summands;
        let coefficients = summands.iter().map(|(_, coefficient)| coefficient.saturating_abs());
        for modulus in coefficients.filter(|modulus| (2..=GREATEST).contains(modulus)) {
            if moduli.insert(modulus) {
                moduli.extend(prime_powers(modulus));
            }
        }
    }
    Ok(moduli)
}

/// A refutation of equations that have no solution modulo one of their coefficients.
fn refute(arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal], meter: &Meter) -> Result<Option<Refutation>, Rejection> {
    let facts = [predicate, assumptions].concat();
    let equations = equations(arena, &facts)?;
    for modulus in moduli(arena, &equations)? {
        for row in Eliminated::new(arena, &equations, modulus, meter)?.rest {
            if row.constant % modulus != 0 {
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
fn cuts(arena: &mut Arena, facts: &[Literal], meter: &Meter) -> Result<Vec<Cut>, Rejection> {
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
        let eliminated = Eliminated::new(arena, &equations, modulus, meter)?;
        for (parts, sum) in &sums {
            if !meter.pay(eliminated.steps_of_reduction()) {
                return Err(Rejection::NotRefuted);
            }
            let row = eliminated.reduced(arena, *sum, modulus)?;
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

/// Records hints, as far as a meter pays for them; where the reasoning of proofs finds none, by remainders: of equations alone, then together with
/// bounds.
pub struct Recorder {
    hints: HintRecorder,
    meter: Meter,
}

impl Recorder {
    /// Nothing is recorded.
    pub fn new(meter: &Meter) -> Self {
        Self { hints: HintRecorder::metered(meter), meter: meter.clone() }
    }

    /// The hints since the last call.
    pub fn take(&mut self) -> Vec<Refutation> {
        self.hints.take()
    }

    fn refute_with_cuts(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        let mut deductions = Vec::new();
        let mut assumptions = assumptions.to_vec();
        for _ in 0..ROUNDS {
            let cuts = cuts(arena, &[predicate, &assumptions].concat(), &self.meter)?;
            if cuts.is_empty() {
                break;
            }
            // Deduced facts are numbered after the assumptions: as assumptions they have the same numbers.
            for Cut { deduction, literal } in cuts {
                deductions.push(deduction);
                assumptions.push(literal);
            }
            if self.hints.refute(arena, predicate, &assumptions).is_ok() {
                if let Some(hint) = self.hints.hints.last_mut() {
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
        if self.meter.is_exhausted() {
            return Err(Rejection::NotRefuted);
        }
        if self.hints.refute(arena, predicate, assumptions).is_ok() {
            return Ok(());
        }
        match refute(arena, predicate, assumptions, &self.meter)? {
            Some(hint) => {
                self.hints.hints.push(hint);
                Ok(())
            }
            None => self.refute_with_cuts(arena, predicate, assumptions),
        }
    }
}
