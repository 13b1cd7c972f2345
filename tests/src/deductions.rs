//! Random refutations (`spec/calculus.md#refutations`): whatever the checker accepts, no valuation satisfies the facts.
//!
//! Deductions are drawn at random, with premises that often do not fit; what they would add is believed, and closed by elimination. Only the
//! checker stands between that and a refutation of facts that have a model.

use crate::{
    conformance::{
        Census,
        programs::{one_in, pick},
    },
    forge::MEMORY,
    refuter,
    valuation::{Function, Valuation},
};
use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    program::{IntegerType, Operation},
    term::{Array, ArrayId, ArrayStore, ArrayVariable, Atom, AtomId, Computation, LinearId, Literal, Sign, Variable},
};
use goatherd_checker::{
    budget::Budget,
    parts::{Part, map_atom},
    refute,
    rejection::Rejection,
    term::Arena,
};
use goatherd_interpreter::{Random, arithmetic::TYPES};

const VARIABLES: [Variable; 3] =
    [Variable { sort: None, number: 0 }, Variable { sort: None, number: 1 }, Variable { sort: Some(IntegerType::U8), number: 0 }];
const ARRAY: ArrayVariable = ArrayVariable { sort: IntegerType::U8, number: 0 };

struct Attempt<'a> {
    arena: Arena,
    random: &'a mut Random,
    terms: Vec<LinearId>,
    arrays: Vec<ArrayId>,
    /// What the checker would know if it believed every deduction.
    facts: Vec<Literal>,
    deductions: Vec<Deduction>,
}

/// One attempt; adds to the census what was accepted.
pub fn run(seed: u64, census: &mut Census) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let arena = Arena::new(&[], Budget::new(MEMORY)).expect("room for the tables");
    let mut attempt = Attempt { arena, random, terms: Vec::new(), arrays: Vec::new(), facts: Vec::new(), deductions: Vec::new() };
    attempt.invent().map_err(|rejection| format!("{rejection:?}"))?;
    let facts = attempt.facts.clone();
    for _ in 0..attempt.random.below(4) {
        attempt.deduce().map_err(|rejection| format!("{rejection:?}"))?;
    }
    let Some(closing) = refuter::close(&mut attempt.arena, &attempt.facts) else { return Ok(()) };
    attempt.deductions.extend(closing);
    let refutation = Refutation { deductions: attempt.deductions };
    let split = facts.len() / 2;
    let kinds: Vec<String> = refutation.deductions.iter().map(variant).collect();
    if refute::check(&mut attempt.arena, &facts[..split], &facts[split..], &refutation).is_err() {
        *census.entry(String::from("rejected")).or_insert(0) += 1;
        return Ok(());
    }
    for kind in kinds {
        *census.entry(kind).or_insert(0) += 1;
    }
    match model(&attempt.arena, attempt.random, &facts) {
        Some(model) => Err(format!("seed {seed}: {refutation:?} refutes {facts:?}, but {model:?}")),
        None => Ok(()),
    }
}

fn variant(deduction: &Deduction) -> String {
    let text = format!("{deduction:?}");
    text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

impl Attempt<'_> {
    fn invent(&mut self) -> Result<(), Rejection> {
        for variable in VARIABLES {
            self.terms.push(self.arena.variable(variable)?);
        }
        self.arrays.push(self.arena.array_variable(ARRAY)?);
        for _ in 0..6 {
            let term = self.term()?;
            self.terms.push(term);
        }
        for _ in 0..3 + self.random.below(4) {
            let (left, right) = (*pick(self.random, &self.terms), *pick(self.random, &self.terms));
            let term = self.arena.combine(i128::from(self.random.below(5)) - 2, &[(left, 1), (right, -1)])?;
            let sign = *pick(self.random, &[Sign::AtMostZero, Sign::AtMostZero, Sign::Zero, Sign::NotZero]);
            self.facts.push(Literal { sign, term });
        }
        for atom in self.atoms() {
            if one_in(self.random, 2) {
                self.doubt(atom)?;
            }
        }
        Ok(())
    }

    /// Facts about what an atom reads, and that it is something else: often a contradiction, and sometimes just not one.
    fn doubt(&mut self, atom: AtomId) -> Result<(), Rejection> {
        let term = self.arena.of_atom(atom)?;
        let others = self.atoms();
        let (gap, other) = match *self.arena.atom(atom)? {
            Atom::Select { array, index } => match *self.arena.array(array)? {
                Array::Store(ArrayStore { array: below, index: at, value }) => {
                    let gap = self.arena.difference(at, index)?;
                    (gap, if one_in(self.random, 2) { value } else { self.arena.select(below, index)? })
                }
                _ => return Ok(()),
            },
            Atom::Apply(Computation { operation: Operation::Add, left, .. }) => {
                let near = self.arena.plus(left, *pick(self.random, &[0, 0, 2, -2, 256]))?;
                let converted = others.iter().find_map(|other| match *self.arena.atom(*other).ok()? {
                    Atom::Apply(Computation { operation: Operation::Add, left: same, .. }) if *other != atom && same == left => {
                        Some(*other)
                    }
                    _ => None,
                });
                let other = match converted {
                    Some(other) if one_in(self.random, 2) => self.arena.of_atom(other)?,
                    _ => near,
                };
                let difference = self.arena.difference(term, other)?;
                self.facts.push(Literal { sign: Sign::NotZero, term: difference });
                // The value is in a small range, or near its end.
                let bound = *pick(self.random, &[0, 1, 3, 127, 128]);
                let (low, high) = (self.arena.combine(0, &[(left, -1)])?, self.arena.plus(left, -bound)?);
                self.facts.extend([low, high].map(|term| Literal { sign: Sign::AtMostZero, term }));
                return Ok(());
            }
            Atom::Quotient { divisor, argument } => {
                let other = others.iter().find_map(|other| match *self.arena.atom(*other).ok()? {
                    Atom::Quotient { divisor: same, argument: other_argument } if *other != atom && same == divisor => {
                        Some((*other, other_argument))
                    }
                    _ => None,
                });
                let Some((other, other_argument)) = other else { return Ok(()) };
                (self.arena.difference(argument, other_argument)?, self.arena.of_atom(other)?)
            }
            _ => return Ok(()),
        };
        let opposite = self.arena.combine(0, &[(gap, -1)])?;
        let shifted = self.arena.plus(gap, i128::from(self.random.below(3)))?;
        let about_gap = match self.random.below(5) {
            0 => vec![(Sign::Zero, gap)],
            1 => vec![(Sign::AtMostZero, gap), (Sign::AtMostZero, opposite)],
            2 => vec![(Sign::NotZero, *pick(self.random, &[gap, opposite]))],
            _ => vec![(Sign::AtMostZero, shifted)],
        };
        let difference = self.arena.difference(term, other)?;
        self.facts.extend(about_gap.into_iter().map(|(sign, term)| Literal { sign, term }));
        self.facts.push(Literal { sign: Sign::NotZero, term: difference });
        Ok(())
    }

    fn term(&mut self) -> Result<LinearId, Rejection> {
        let (left, right) = (*pick(self.random, &self.terms), *pick(self.random, &self.terms));
        let array = *pick(self.random, &self.arrays);
        match self.random.below(9) {
            0 => self.arena.combine(1, &[(left, 1), (right, 1)]),
            1 => self.arena.combine(0, &[(left, 2), (right, -3)]),
            2 => self.arena.quotient(left, i128::from(self.random.below(3)) + 2),
            3 => self.arena.apply(
                *pick(self.random, &[Operation::Xor, Operation::Divide, Operation::Multiply]),
                IntegerType::I8,
                left,
                right,
            ),
            6 => {
                // A conversion, and one to another type.
                let zero = self.arena.constant(0)?;
                let term = self.arena.apply(Operation::Add, *pick(self.random, &TYPES[..4]), left, zero)?;
                self.terms.push(term);
                self.arena.apply(Operation::Add, *pick(self.random, &TYPES[..4]), left, zero)
            }
            4 | 5 => {
                let stored = self.arena.store(array, left, *pick(self.random, &self.terms[..3]))?;
                self.arrays.push(stored);
                self.arena.select(stored, right)
            }
            _ => self.arena.select(array, left),
        }
    }

    fn atoms(&self) -> Vec<AtomId> {
        (0..=u32::MAX).map(AtomId).take_while(|atom| self.arena.atom(*atom).is_ok()).collect()
    }

    /// All conversions with their arguments.
    fn conversions(&self) -> Vec<(AtomId, LinearId)> {
        let conversion = |atom: AtomId| match *self.arena.atom(atom).ok()? {
            Atom::Apply(Computation { operation: Operation::Add, left, .. }) => Some((atom, left)),
            _ => None,
        };
        self.atoms().into_iter().filter_map(conversion).collect()
    }

    fn random_fact(&mut self) -> FactId {
        let count = u64::try_from(self.facts.len()).unwrap_or(1);
        FactId(u32::try_from(self.random.below(count)).unwrap_or(0))
    }

    /// Two facts; sometimes the very ones that say that the term is zero.
    fn zero(&mut self, term: LinearId) -> Result<(FactId, FactId), Rejection> {
        if one_in(self.random, 4) {
            return Ok((self.random_fact(), self.random_fact()));
        }
        let opposite = self.arena.combine(0, &[(term, -1)])?;
        let find = |this: &Self, wanted: LinearId, other: LinearId| {
            let position = this.facts.iter().position(|fact| match fact.sign {
                Sign::AtMostZero => fact.term == wanted,
                Sign::Zero => fact.term == wanted || fact.term == other,
                Sign::NotZero => false,
            });
            position.and_then(|position| u32::try_from(position).ok()).map(FactId)
        };
        let (low, high) = (find(self, term, opposite), find(self, opposite, term));
        Ok((low.unwrap_or_else(|| self.random_fact()), high.unwrap_or_else(|| self.random_fact())))
    }

    /// One deduction, and what it would add.
    fn deduce(&mut self) -> Result<(), Rejection> {
        let atom = *pick(self.random, &self.atoms());
        let term = self.arena.of_atom(atom)?;
        match self.random.below(8) {
            7 => self.evaluate(atom)?,
            5 | 6 => {
                let conversions = self.conversions();
                if conversions.is_empty() {
                    return Ok(());
                }
                let (atom, left) = *pick(self.random, &conversions);
                let term = self.arena.of_atom(atom)?;
                let others: Vec<_> = conversions.iter().filter(|(other, same)| *other != atom && *same == left).collect();
                let value = if others.is_empty() || one_in(self.random, 3) {
                    left
                } else {
                    let (other, _) = **pick(self.random, &others);
                    self.arena.of_atom(other)?
                };
                let value = self.arena.plus(value, *pick(self.random, &[0, 0, 0, 256, 1, -2]))?;
                let facts = (self.random_fact(), self.random_fact());
                let difference = self.arena.difference(term, value)?;
                self.add(Deduction::Convert { atom, value, facts }, Sign::Zero, difference);
            }
            0 => {
                let bound = self.random_fact();
                let literal = self.facts[bound.index()];
                let matching = self.facts.iter().position(|fact| fact.sign == Sign::NotZero);
                let disequality = matching.and_then(|position| u32::try_from(position).ok()).map_or(bound, FactId);
                let tightened = self.arena.plus(literal.term, 1)?;
                self.add(Deduction::Tighten { bound, disequality }, Sign::AtMostZero, tightened);
            }
            1 => {
                let (left, right) = (self.random_fact(), self.random_fact());
                let parts = vec![(left, i128::from(self.random.below(4)) - 1), (right, 1)];
                let terms: Vec<_> = parts.iter().map(|(fact, coefficient)| (self.facts[fact.index()].term, *coefficient)).collect();
                let sum = self.arena.combine(0, &terms)?;
                // Where the coefficients have a common divisor the checker rounds; what it knows then is at least this.
                self.add(Deduction::Combine(parts), Sign::AtMostZero, sum);
            }
            2 => {
                let right = *pick(self.random, &self.atoms());
                let pairs = match (self.arena.atom(atom)?.clone(), self.arena.atom(right)?.clone()) {
                    (Atom::Select { index, .. }, Atom::Select { index: other, .. }) => vec![(index, other)],
                    (Atom::Quotient { argument, .. }, Atom::Quotient { argument: other, .. }) => vec![(argument, other)],
                    (
                        Atom::Apply(Computation { left, right, .. }),
                        Atom::Apply(Computation { left: other_left, right: other_right, .. }),
                    ) => {
                        vec![(left, other_left), (right, other_right)]
                    }
                    _ => return Ok(()),
                };
                let mut facts = Vec::new();
                for (one, other) in pairs {
                    if one != other || one_in(self.random, 10) {
                        let gap = self.arena.difference(one, other)?;
                        facts.push(self.zero(gap)?);
                    }
                }
                let other = self.arena.of_atom(right)?;
                let difference = self.arena.difference(term, other)?;
                self.add(Deduction::Congruence { left: atom, right, facts }, Sign::Zero, difference);
            }
            kind => {
                let Atom::Select { array, index } = *self.arena.atom(atom)? else { return Ok(()) };
                let Array::Store(ArrayStore { array: below, index: at, value }) = *self.arena.array(array)? else { return Ok(()) };
                let gap = self.arena.difference(at, index)?;
                if kind == 3 {
                    let facts = self.zero(gap)?;
                    let difference = self.arena.difference(term, value)?;
                    self.add(Deduction::ReadSame { atom, facts }, Sign::Zero, difference);
                } else {
                    let opposite = self.arena.combine(0, &[(gap, -1)])?;
                    let excluding = self.facts.iter().position(|fact| {
                        let is_gap = |term| self.arena.constant_difference(fact.term, term).is_ok_and(|gap| gap.is_some());
                        is_gap(gap) || is_gap(opposite)
                    });
                    let fact = excluding.and_then(|position| u32::try_from(position).ok()).map_or_else(|| self.random_fact(), FactId);
                    let other = self.arena.select(below, index)?;
                    let difference = self.arena.difference(term, other)?;
                    self.add(Deduction::ReadOther { atom, fact }, Sign::Zero, difference);
                }
            }
        }
        Ok(())
    }

    /// The atom for values that its arguments may have or not.
    fn evaluate(&mut self, atom: AtomId) -> Result<(), Rejection> {
        let open = self.arena.atom(atom)?.clone();
        let mut values = Vec::new();
        let closed = map_atom(&open, &mut |part| {
            let argument = match part {
                Part::Linear(argument) => argument,
                Part::Array(array) => return Ok(array.0),
            };
            if self.arena.value(argument).is_some() {
                return Ok(argument.0);
            }
            // What some fact says of the argument, if there is one.
            let stated = self.facts.iter().find_map(|fact| {
                let gap = self.arena.constant_difference(argument, fact.term).ok().flatten();
                gap.filter(|_| fact.sign == Sign::Zero)
            });
            let value = stated.unwrap_or_else(|| i128::from(self.random.below(4)) - 1);
            let constant = self.arena.constant(value)?;
            let gap = self.arena.difference(argument, constant)?;
            values.push((value, self.zero(gap)?));
            Ok(constant.0)
        })?;
        if one_in(self.random, 20) {
            values.pop();
        }
        let value = self.arena.normal(&closed)?;
        let term = self.arena.of_atom(atom)?;
        let difference = self.arena.difference(term, value)?;
        self.add(Deduction::Evaluate { atom, values }, Sign::Zero, difference);
        Ok(())
    }

    fn add(&mut self, deduction: Deduction, sign: Sign, term: LinearId) {
        self.deductions.push(deduction);
        self.facts.push(Literal { sign, term });
    }
}

/// A valuation from a small box that satisfies all facts.
fn model(arena: &Arena, random: &mut Random, facts: &[Literal]) -> Option<Valuation> {
    let functions: Vec<Function> = (0..6)
        .map(|_| {
            let value = |random: &mut Random| *pick(random, &[0i128, 1, 2, 3, 254, 255]);
            Function { exceptions: (-6..=6).map(|index| (index, value(random))).collect(), otherwise: value(random) }
        })
        .collect();
    for (x, y, small) in (-4i128..=4).flat_map(|x| (-4i128..=4).flat_map(move |y| [0, 1, 2, 3, 255].map(|small| (x, y, small)))) {
        for function in &functions {
            let mut valuation = Valuation::default();
            valuation.integers.extend(VARIABLES.into_iter().zip([x, y, small]));
            valuation.arrays.insert(ARRAY, function.clone());
            if facts.iter().all(|fact| valuation.holds(arena, &[], *fact) == Some(true)) {
                return Some(valuation);
            }
        }
    }
    None
}
