//! Inequalities of several slots that a program has assumed, as `from + size <= length`: differences do not say these, nor do equations.

use super::slots::Slots;
use crate::state::{affine::Equation, herd::Herd};
use goatherd_certificates::{
    program::IntegerType,
    term::{AtomId, Linear, LinearId, Literal, Sign},
};
use goatherd_checker::{rejection::Rejection, term::Arena};
use std::ops::RangeInclusive;

/// Of how many slots an inequality is that is kept.
const SLOTS: RangeInclusive<usize> = 3..=4;

/// Those that the predicate of the herd states.
pub fn stated(arena: &Arena, herd: &Herd, slots: &Slots) -> Result<Vec<Equation>, Rejection> {
    let mut inequalities = Vec::new();
    let has_products = !slots.factors.is_empty();
    let known = if has_products { slots.integers.len() } else { slots.integers.len() - slots.derived.len() };
    for literal in &herd.configuration.predicate {
        let linear = arena.linear(literal.term)?;
        let is_kept = SLOTS.contains(&linear.summands.len()) || has_products && is_multiple(linear);
        if literal.sign != Sign::AtMostZero || !is_kept {
            continue;
        }
        let mut inequality = Equation { summands: Vec::new(), constant: linear.constant };
        for (atom, coefficient) in &linear.summands {
            let Some((position, constant)) = slot_of(arena, &slots.integers[..known], *atom)? else { break };
            inequality.summands.push((position, *coefficient));
            inequality.constant -= coefficient.saturating_mul(constant);
        }
        if inequality.summands.len() == linear.summands.len() && !inequalities.contains(&inequality) {
            inequalities.push(inequality);
        }
    }
    Ok(inequalities)
}

/// Is it a sum of two atoms of which one counts several times? Where a row is the second one, `2 * columns <= rows * columns`.
fn is_multiple(linear: &Linear) -> bool {
    matches!(linear.summands[..], [(_, one), (_, other)] if one.abs() > 1 || other.abs() > 1)
}

/// The first of these slots that is the atom and a constant, and the constant.
fn slot_of(arena: &Arena, slots: &[(LinearId, Option<IntegerType>)], atom: AtomId) -> Result<Option<(usize, i128)>, Rejection> {
    for (position, (term, _)) in slots.iter().enumerate() {
        let linear = arena.linear(*term)?;
        if linear.summands == [(atom, 1)] {
            return Ok(Some((position, linear.constant)));
        }
    }
    Ok(None)
}

/// Both sides of equations that no difference of slots says: where a round adds one or two, `k = 2 * i` is lost, and `k <= 2 * i` is left.
pub fn halves(equations: &[Equation]) -> impl Iterator<Item = Equation> {
    let is_difference = |equation: &&Equation| matches!(equation.summands[..], [_] | [(_, 1), (_, -1)] | [(_, -1), (_, 1)]);
    equations.iter().filter(move |equation| !is_difference(equation)).flat_map(|equation| [equation.clone(), opposite(equation)])
}

fn opposite(Equation { summands, constant }: &Equation) -> Equation {
    Equation { summands: summands.iter().map(|(slot, coefficient)| (*slot, -coefficient)).collect(), constant: -constant }
}

/// Does it hold of a herd with these terms in the slots?
pub fn holds(arena: &mut Arena, herd: &mut Herd, terms: &[LinearId], inequality: &Equation) -> bool {
    literal(arena, terms, Sign::AtMostZero, inequality).is_ok_and(|literal| herd.context.entails(arena, literal))
}

/// As a literal on the terms in the slots.
pub fn literal(arena: &mut Arena, terms: &[LinearId], sign: Sign, inequality: &Equation) -> Result<Literal, Rejection> {
    let summands: Vec<(LinearId, i128)> = inequality.summands.iter().map(|(slot, coefficient)| (terms[*slot], *coefficient)).collect();
    Ok(Literal { sign, term: arena.combine(inequality.constant, &summands)? })
}
