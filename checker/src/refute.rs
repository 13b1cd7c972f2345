//! Replays refutations: deductions from the predicate and the assumptions to a contradiction (`spec/calculus.md#refutations`).

use crate::arithmetic::{divide, period, range, subtract};
use crate::parts::{map_atom, open_atom};
use crate::{Arena, Oracle, Part, Rejection, Result, ensure, term::lies_in};
use alloc::vec::Vec;
use goatherd_certificates::*;

/// The hints of one rule, as oracle.
pub struct Hints<I>(I);

impl<'a, I: Iterator<Item = &'a Refutation>> Hints<I> {
    /// The hints, in the order of the obligations.
    pub fn new(hints: impl IntoIterator<IntoIter = I>) -> Self {
        Self(hints.into_iter())
    }

    /// Every hint must have been used.
    pub fn finish(mut self) -> Result<()> {
        ensure(self.0.next().is_none(), Rejection::Hints)
    }
}

impl<'a, I: Iterator<Item = &'a Refutation>> Oracle for Hints<I> {
    fn refute(
        &mut self,
        arena: &mut Arena,
        predicate: &[Literal],
        assumptions: &[Literal],
    ) -> Result<()> {
        let refutation = self.0.next().ok_or(Rejection::Hints)?;
        check(arena, predicate, assumptions, refutation)
    }
}

/// Checks that the refutation leads to a contradiction, with its last deduction.
pub fn check(
    arena: &mut Arena,
    predicate: &[Literal],
    assumptions: &[Literal],
    refutation: &Refutation,
) -> Result<()> {
    let mut facts = Facts {
        arena,
        predicate,
        added: Vec::with_capacity(8),
    };
    facts.added.extend_from_slice(assumptions);
    // Open cases: how many facts there were before, and what was assumed.
    let mut cases: Vec<(usize, Literal)> = Vec::new();
    let mut is_closed = false;
    for deduction in &refutation.deductions {
        ensure(!is_closed, Rejection::NotRefuted)?;
        if let Deduction::Case(literal) = deduction {
            facts.arena.linear(literal.term)?;
            cases.push((facts.added.len(), *literal));
            facts.added.push(*literal);
            is_closed = facts.arena.evident(*literal) == Some(false);
        } else {
            is_closed = facts.deduce(deduction)?;
        }
        while is_closed && let Some((before, literal)) = cases.pop() {
            facts.added.truncate(before);
            let negation = facts.arena.negate(literal)?;
            facts.added.push(negation);
            is_closed = facts.arena.evident(negation) == Some(false);
        }
    }
    ensure(is_closed, Rejection::NotRefuted)
}

/// What is known: the predicate, then what was assumed and deduced.
struct Facts<'a> {
    arena: &'a mut Arena,
    predicate: &'a [Literal],
    added: Vec<Literal>,
}

impl Facts<'_> {
    fn fact(&self, id: FactId) -> Result<Literal> {
        let fact = self.predicate.iter().chain(&self.added).nth(id.index());
        fact.copied().ok_or(Rejection::Deduction)
    }

    /// Adds the facts that follow; is one of them a contradiction?
    fn deduce(&mut self, deduction: &Deduction) -> Result<bool> {
        match deduction {
            Deduction::Combine(parts) => self.combine(parts),
            Deduction::Tighten { bound, disequality } => self.tighten(*bound, *disequality),
            Deduction::Axiom(atom) => self.axiom(*atom),
            Deduction::Congruence { left, right, facts } => self.congruence(*left, *right, facts),
            Deduction::ReadSame { atom, facts } => {
                let (_, gap, value) = self.read(*atom)?;
                self.is_zero(gap, *facts)?;
                self.equate(*atom, value)
            }
            Deduction::ReadOther { atom, fact } => {
                let (below, gap, _) = self.read(*atom)?;
                self.implies(*fact, Literal::new(Sign::NotZero, gap))?;
                self.equate(*atom, below)
            }
            Deduction::Convert { atom, value, facts } => self.convert(*atom, *value, *facts),
            Deduction::Bits { atom, facts } => self.bits(*atom, *facts),
            Deduction::Evaluate { atom, values } => self.evaluate(*atom, values),
            // Handled by the caller, which keeps the open cases.
            Deduction::Case(_) => Err(Rejection::Deduction),
        }
    }

    fn add(&mut self, sign: Sign, term: LinearId) -> bool {
        let literal = Literal { sign, term };
        self.added.push(literal);
        self.arena.value(term).is_some() && self.arena.evident(literal) == Some(false)
    }

    /// Linear combination with integer rounding (Farkas; Chvatal-Gomory).
    fn combine(&mut self, parts: &[(FactId, i128)]) -> Result<bool> {
        let mut terms = Vec::with_capacity(parts.len());
        for (fact, coefficient) in parts {
            let literal = self.fact(*fact)?;
            let is_allowed = match literal.sign {
                Sign::AtMostZero => *coefficient > 0,
                Sign::Zero => *coefficient != 0,
                Sign::NotZero => false,
            };
            ensure(is_allowed, Rejection::Deduction)?;
            terms.push((literal.term, *coefficient));
        }
        let sum = self.arena.combine(0, &terms)?;
        let linear = self.arena.linear(sum)?;
        let mut divisor = 0;
        for (_, coefficient) in &linear.summands {
            divisor = common_divisor(divisor, *coefficient)?;
        }
        if divisor <= 1 {
            return Ok(self.add(Sign::AtMostZero, sum));
        }
        // t + c <= 0 with t a multiple of d: t/d <= floor(-c/d).
        let negated = subtract(0, linear.constant)?;
        let (bound, _) = divide(negated, divisor)?;
        let multiple = self.arena.plus(sum, negated)?;
        let reduced = self.arena.quotient(multiple, divisor)?;
        let rounded = self.arena.plus(reduced, subtract(0, bound)?)?;
        Ok(self.add(Sign::AtMostZero, rounded))
    }

    fn tighten(&mut self, bound: FactId, disequality: FactId) -> Result<bool> {
        let Literal { sign, term } = self.fact(bound)?;
        ensure(sign == Sign::AtMostZero, Rejection::Deduction)?;
        self.implies(disequality, Literal::new(Sign::NotZero, term))?;
        let tightened = self.arena.plus(term, 1)?;
        Ok(self.add(Sign::AtMostZero, tightened))
    }

    /// The definition of a quotient; the range of anything else.
    fn axiom(&mut self, atom: AtomId) -> Result<bool> {
        let term = self.arena.of_atom(atom)?;
        let bounds = if let Atom::Quotient { divisor, argument } = *self.arena.atom(atom)? {
            let multiple = (term, subtract(0, divisor)?);
            let rest = self.arena.combine(0, &[(argument, 1), multiple])?;
            self.arena.within(rest, (0, subtract(divisor, 1)?))?
        } else {
            let range = self.arena.atom_range(atom).ok_or(Rejection::Deduction)?;
            self.arena.within(term, range)?
        };
        let [low, high] = bounds.map(|bound| self.add(bound.sign, bound.term));
        Ok(low || high)
    }

    /// What is needed is evident, or the fact says it, about the same term or the opposite one, up to constants. With `t` the needed term, the fact is about
    /// `t + gap` or `-t + gap`.
    fn implies(&mut self, fact: FactId, needed: Literal) -> Result<()> {
        if self.arena.evident(needed) == Some(true) {
            return Ok(());
        }
        let fact = self.fact(fact)?;
        let opposite = self.arena.combine(0, &[(needed.term, -1)])?;
        let gap = self.arena.constant_difference(fact.term, needed.term)?;
        let opposite_gap = self.arena.constant_difference(fact.term, opposite)?;
        let either =
            |holds: fn(i128) -> bool| gap.is_some_and(holds) || opposite_gap.is_some_and(holds);
        let is_implied = match (fact.sign, needed.sign) {
            (Sign::AtMostZero, Sign::AtMostZero) => gap.is_some_and(|gap| gap >= 0),
            (Sign::Zero, Sign::AtMostZero) => {
                gap.is_some_and(|gap| gap >= 0) || opposite_gap.is_some_and(|gap| gap <= 0)
            }
            (Sign::AtMostZero, Sign::NotZero) => either(|gap| gap > 0),
            (Sign::NotZero, Sign::NotZero) => either(|gap| gap == 0),
            _ => false,
        };
        ensure(is_implied, Rejection::Deduction)
    }

    /// `term = 0`, given by `term <= 0` and `-term <= 0`. An equality is both.
    fn is_zero(&mut self, term: LinearId, (low, high): (FactId, FactId)) -> Result<()> {
        let opposite = self.arena.combine(0, &[(term, -1)])?;
        self.implies(low, Literal::new(Sign::AtMostZero, term))?;
        self.implies(high, Literal::new(Sign::AtMostZero, opposite))
    }

    /// Of `select(store(A, i, v), j)`: `select(A, j)`, `i - j`, and v.
    fn read(&mut self, atom: AtomId) -> Result<(LinearId, LinearId, LinearId)> {
        let Atom::Select { array, index } = *self.arena.atom(atom)? else {
            return Err(Rejection::Deduction);
        };
        let Array::Store(store) = *self.arena.array(array)? else {
            return Err(Rejection::Deduction);
        };
        let read = self.arena.select(store.array, index)?;
        let gap = self.arena.difference(store.index, index)?;
        Ok((read, gap, store.value))
    }

    /// A conversion is the one value of the type that is equal to its argument modulo the period (C11 6.3.1.3).
    fn convert(
        &mut self,
        atom: AtomId,
        value: LinearId,
        (low, high): (FactId, FactId),
    ) -> Result<bool> {
        let (kind, argument) = conversion(self.arena, atom)?.ok_or(Rejection::Deduction)?;
        let linear = self.arena.linear(value)?;
        let mut distance = self.arena.constant_difference(value, argument)?;
        // By periods, not widths: `_Bool` has eight bits and two values (`spec/calculus.md#attacks` F2).
        if let [(wide, 1)] = linear.summands.as_slice()
            && let Some((other, from)) = conversion(self.arena, *wide)?
            && (from, divide(period(other)?, period(kind)?)?.1) == (argument, 0)
        {
            distance = Some(linear.constant);
        }
        ensure(
            divide(distance.ok_or(Rejection::Deduction)?, period(kind)?)?.1 == 0,
            Rejection::Deduction,
        )?;
        let [at_least, at_most] = self.arena.within(value, range(kind))?;
        self.implies(low, at_least)?;
        self.implies(high, at_most)?;
        self.equate(atom, value)
    }

    /// Of two terms that are not negative, `|` adds those bits of the other that one does not have, and `^` takes those away that it has.
    fn bits(&mut self, atom: AtomId, (first, second): (FactId, FactId)) -> Result<bool> {
        let Atom::Apply(computation) = *self.arena.atom(atom)? else {
            return Err(Rejection::Deduction);
        };
        let is_or = computation.operation == Operation::Or;
        let is_meant = is_or || computation.operation == Operation::Xor;
        ensure(is_meant, Rejection::Deduction)?;
        let (left, right) = (computation.left, computation.right);
        let zero = self.arena.constant(0)?;
        let term = self.arena.of_atom(atom)?;
        let sum = self.arena.combine(0, &[(left, 1), (right, 1)])?;
        let mut bounds = alloc::vec![self.arena.at_most(zero, term)?];
        bounds.push(self.arena.at_most(term, sum)?);
        for (part, other, fact) in [(left, right, first), (right, left, second)] {
            // So that the operation is on the terms themselves, not on their values reduced to the type.
            let range = self.arena.range(part);
            ensure(lies_in(range, computation.kind), Rejection::Deduction)?;
            let needed = self.arena.at_most(zero, part)?;
            self.implies(fact, needed)?;
            let low = if is_or {
                part
            } else {
                self.arena.difference(part, other)?
            };
            bounds.push(self.arena.at_most(low, term)?);
        }
        Ok(bounds.into_iter().fold(false, |is_closed, bound| {
            is_closed | self.add(bound.sign, bound.term)
        }))
    }

    fn equate(&mut self, atom: AtomId, other: LinearId) -> Result<bool> {
        let term = self.arena.of_atom(atom)?;
        let difference = self.arena.difference(term, other)?;
        Ok(self.add(Sign::Zero, difference))
    }

    fn congruence(
        &mut self,
        left: AtomId,
        right: AtomId,
        facts: &[(FactId, FactId)],
    ) -> Result<bool> {
        let (operation, parts) = open_atom(self.arena.atom(left)?)?;
        let (other_operation, other_parts) = open_atom(self.arena.atom(right)?)?;
        ensure(operation == other_operation, Rejection::Deduction)?;
        let mut facts = facts.iter();
        let pairs = parts.into_iter().zip(other_parts);
        for pair in pairs.filter(|(one, other)| one != other) {
            let (Part::Linear(one), Part::Linear(other)) = pair else {
                return Err(Rejection::Deduction);
            };
            let gap = self.arena.difference(one, other)?;
            self.is_zero(gap, *facts.next().ok_or(Rejection::Deduction)?)?;
        }
        ensure(facts.next().is_none(), Rejection::Deduction)?;
        let right = self.arena.of_atom(right)?;
        self.equate(left, right)
    }

    /// The atom with constants for its arguments, in normal form.
    fn evaluate(&mut self, atom: AtomId, values: &[(i128, (FactId, FactId))]) -> Result<bool> {
        let mut values = values.iter();
        let evaluated = map_atom(&self.arena.atom(atom)?.clone(), &mut |part| match part {
            Part::Array(array) => Ok(array.0),
            Part::Linear(argument) if self.arena.value(argument).is_some() => Ok(argument.0),
            Part::Linear(argument) => {
                let (value, facts) = *values.next().ok_or(Rejection::Deduction)?;
                let value = self.arena.constant(value)?;
                let gap = self.arena.difference(argument, value)?;
                self.is_zero(gap, facts)?;
                Ok(value.0)
            }
        })?;
        ensure(values.next().is_none(), Rejection::Deduction)?;
        let value = self.arena.normal(&evaluated)?;
        self.equate(atom, value)
    }
}

/// The type and the argument of a conversion: `argument + 0` in the type.
fn conversion(arena: &Arena, atom: AtomId) -> Result<Option<(IntegerType, LinearId)>> {
    let conversion = match arena.atom(atom)? {
        Atom::Apply(of) if of.operation == Operation::Add => Some(of),
        _ => None,
    };
    let conversion = conversion.filter(|of| arena.value(of.right) == Some(0));
    Ok(conversion.map(|of| (of.kind, of.left)))
}

/// The greatest common divisor.
fn common_divisor(left: i128, right: i128) -> Result<i128> {
    let mut left = left.checked_abs().ok_or(Rejection::Overflow)?;
    let mut right = right.checked_abs().ok_or(Rejection::Overflow)?;
    while right != 0 {
        (left, right) = (right, divide(left, right)?.1);
    }
    Ok(left)
}
