//! What each step of a refutation adds to the facts (`spec/calculus.md#refutations`), and from which: the kernel only says that it is right.

use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    program::Operation,
    term::{Array, ArrayStore, Atom, AtomId, Computation, LinearId, Literal, Sign},
};
use goatherd_checker::{
    parts::{Part, map_atom},
    rejection::Rejection,
    term::Arena,
};

/// Why a fact follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// So many times these facts, added up; is the result divided and rounded?
    Sum(Vec<(FactId, i128)>, Rounding),
    /// From `t <= 0` and `t != 0`.
    Bound(FactId, FactId),
    /// By what the atom is: its type, or the definition of a quotient.
    Definition(AtomId),
    /// Equal arguments give equal results.
    Equal(Vec<FactId>),
    /// An operation, or an entry of a table, for operands that are known.
    Value(Vec<FactId>),
    /// An element is read that was written.
    Written(Vec<FactId>),
    /// Another element is read than was written.
    Elsewhere(FactId),
    /// A value that lies in a type is its own conversion.
    Conversion(Vec<FactId>),
    /// By what bits of terms that are not negative may be.
    Bits(Vec<FactId>),
    /// It is supposed.
    Supposed,
    /// It is the opposite of what was supposed and led to a contradiction.
    Otherwise,
}

/// Is a sum divided by the greatest common divisor of its factors?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// No.
    Exact,
    /// Yes, and its constant rounded, as all terms are integers.
    Rounded,
}

/// A fact that a refutation adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Added {
    /// Its number.
    pub id: FactId,
    /// The fact.
    pub literal: Literal,
    /// Why.
    pub reason: Reason,
    /// In how many cases it stands.
    pub depth: usize,
}

/// All that a refutation adds to a predicate and assumptions, in its order. An opposite takes the number of what was supposed.
pub fn added(arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal], refutation: &Refutation) -> Result<Vec<Added>, Rejection> {
    let mut all = Vec::new();
    let mut facts = [predicate, assumptions].concat();
    let mut cases: Vec<(usize, Literal)> = Vec::new();
    let number = |position: usize| u32::try_from(position).map(FactId).map_err(|_| Rejection::Overflow);
    for deduction in &refutation.deductions {
        if let Deduction::Case(literal) = deduction {
            cases.push((facts.len(), *literal));
        }
        let (literals, reason) = deduced(arena, &facts, deduction)?;
        let mut is_closed = false;
        for literal in literals {
            all.push(Added { id: number(facts.len())?, literal, reason: reason.clone(), depth: cases.len() });
            facts.push(literal);
            // Of what is deduced, only a number is looked at.
            let is_plain = reason == Reason::Supposed || arena.value(literal.term).is_some();
            is_closed = is_plain && arena.evident(literal) == Some(false);
            if is_closed {
                break;
            }
        }
        while is_closed && let Some((before, literal)) = cases.pop() {
            facts.truncate(before);
            let literal = arena.negate(literal)?;
            all.push(Added { id: number(facts.len())?, literal, reason: Reason::Otherwise, depth: cases.len() });
            facts.push(literal);
            is_closed = arena.evident(literal) == Some(false);
        }
    }
    Ok(all)
}

/// What a deduction adds to the facts, and why.
fn deduced(arena: &mut Arena, facts: &[Literal], deduction: &Deduction) -> Result<(Vec<Literal>, Reason), Rejection> {
    let fact = |id: FactId| facts.get(id.index()).copied().ok_or(Rejection::Deduction);
    let both = |(low, high): (FactId, FactId)| if low == high { vec![low] } else { vec![low, high] };
    Ok(match deduction {
        Deduction::Combine(parts) => {
            let terms = parts.iter().map(|(id, factor)| Ok((fact(*id)?.term, *factor))).collect::<Result<Vec<_>, Rejection>>()?;
            let sum = arena.combine(0, &terms)?;
            let (term, rounding) = rounded(arena, sum)?;
            (vec![Literal { sign: Sign::AtMostZero, term }], Reason::Sum(parts.clone(), rounding))
        }
        Deduction::Tighten { bound, disequality } => {
            let term = arena.plus(fact(*bound)?.term, 1)?;
            (vec![Literal { sign: Sign::AtMostZero, term }], Reason::Bound(*bound, *disequality))
        }
        Deduction::Axiom(atom) => (axiom(arena, *atom)?, Reason::Definition(*atom)),
        Deduction::Congruence { left, right, facts } => {
            let mut used: Vec<FactId> = facts.iter().flat_map(|pair| both(*pair)).collect();
            used.dedup();
            let right = arena.of_atom(*right)?;
            (vec![equation(arena, *left, right)?], Reason::Equal(used))
        }
        Deduction::ReadSame { atom, facts } => {
            let (_, value) = read(arena, *atom)?;
            (vec![equation(arena, *atom, value)?], Reason::Written(both(*facts)))
        }
        Deduction::ReadOther { atom, fact } => {
            let (below, _) = read(arena, *atom)?;
            (vec![equation(arena, *atom, below)?], Reason::Elsewhere(*fact))
        }
        Deduction::Convert { atom, value, facts } => (vec![equation(arena, *atom, *value)?], Reason::Conversion(both(*facts))),
        Deduction::Bits { atom, facts } => (bits(arena, *atom)?, Reason::Bits(both(*facts))),
        Deduction::Evaluate { atom, values } => {
            let mut used: Vec<FactId> = values.iter().flat_map(|(_, pair)| both(*pair)).collect();
            used.dedup();
            (vec![evaluated(arena, *atom, values)?], Reason::Value(used))
        }
        Deduction::Case(literal) => (vec![*literal], Reason::Supposed),
    })
}

/// A sum that is at most 0, divided by what divides all of its factors.
fn rounded(arena: &mut Arena, sum: LinearId) -> Result<(LinearId, Rounding), Rejection> {
    let linear = arena.linear(sum)?;
    let factors = linear.summands.iter().map(|(_, factor)| factor.unsigned_abs());
    let divisor = i128::try_from(factors.fold(0, greatest_divisor)).map_err(|_| Rejection::Overflow)?;
    if divisor <= 1 {
        return Ok((sum, Rounding::Exact));
    }
    // t + c <= 0, and d divides t: t/d <= floor(-c/d).
    let negated = linear.constant.checked_neg().ok_or(Rejection::Overflow)?;
    let multiple = arena.plus(sum, negated)?;
    let reduced = arena.quotient(multiple, divisor)?;
    Ok((arena.plus(reduced, -negated.div_euclid(divisor))?, Rounding::Rounded))
}

fn greatest_divisor(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// What an atom lies between, by what it is.
fn axiom(arena: &mut Arena, atom: AtomId) -> Result<Vec<Literal>, Rejection> {
    let term = arena.of_atom(atom)?;
    let Atom::Quotient { divisor, argument } = *arena.atom(atom)? else {
        let range = arena.atom_range(atom).ok_or(Rejection::Deduction)?;
        return Ok(arena.within(term, range)?.into());
    };
    let rest = arena.combine(0, &[(argument, 1), (term, -divisor)])?;
    Ok(arena.within(rest, (0, divisor - 1))?.into())
}

/// Of an element that is read of an array after a store: the element before it, and what was stored.
fn read(arena: &mut Arena, atom: AtomId) -> Result<(LinearId, LinearId), Rejection> {
    let Atom::Select { array, index } = *arena.atom(atom)? else { return Err(Rejection::Deduction) };
    let Array::Store(ArrayStore { array: below, value, .. }) = *arena.array(array)? else { return Err(Rejection::Deduction) };
    Ok((arena.select(below, index)?, value))
}

fn equation(arena: &mut Arena, atom: AtomId, other: LinearId) -> Result<Literal, Rejection> {
    let term = arena.of_atom(atom)?;
    arena.equal(term, other)
}

/// What an atom is for operands that are these constants.
fn evaluated(arena: &mut Arena, atom: AtomId, values: &[(i128, (FactId, FactId))]) -> Result<Literal, Rejection> {
    let mut values = values.iter();
    let open = arena.atom(atom)?.clone();
    let constant = map_atom(&open, &mut |part| match part {
        Part::Array(array) => Ok(array.0),
        Part::Linear(operand) if arena.value(operand).is_some() => Ok(operand.0),
        Part::Linear(_) => Ok(arena.constant(values.next().ok_or(Rejection::Deduction)?.0)?.0),
    })?;
    let value = arena.normal(&constant)?;
    equation(arena, atom, value)
}

/// What `|` or `^` of terms that are not negative lies between.
fn bits(arena: &mut Arena, atom: AtomId) -> Result<Vec<Literal>, Rejection> {
    let Atom::Apply(Computation { operation, left, right, .. }) = *arena.atom(atom)? else { return Err(Rejection::Deduction) };
    let (zero, term, sum) = (arena.constant(0)?, arena.of_atom(atom)?, arena.combine(0, &[(left, 1), (right, 1)])?);
    let mut bounds = vec![arena.at_most(zero, term)?, arena.at_most(term, sum)?];
    for (part, other) in [(left, right), (right, left)] {
        let low = if operation == Operation::Or { part } else { arena.difference(part, other)? };
        bounds.push(arena.at_most(low, term)?);
    }
    Ok(bounds)
}
