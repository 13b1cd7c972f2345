//! Why bounds have no solution, and how the kernel is told.

use crate::simplex::{Contradiction, Side};
use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    formula::Signed,
    term::{AtomId, Literal, Sign},
};
use goatherd_checker::term::Arena;
use std::collections::{BTreeMap, BTreeSet};

/// What a bound is grounded on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ground {
    /// The comparison is true, or false.
    Asserted(Signed),
    /// By the definition of a quotient.
    Quotient(AtomId, Side),
    /// The case that is looked at, how many others being around it.
    Case(u32),
}

/// Why there is no solution.
#[derive(Clone, Debug)]
pub enum Refuted {
    /// Bounds add up to a contradiction.
    Sum(Contradiction<Ground>),
    /// Bounds add up to `sum <= bound` and `sum >= bound`, where the bound is no multiple of what the sum is a multiple of.
    Indivisible {
        /// `sum <= bound`
        above: Contradiction<Ground>,
        /// `sum >= bound`
        below: Contradiction<Ground>,
    },
    /// There is none with the atom at most this, nor with one that is greater.
    Cases { atom: AtomId, at_most: i128, low: Box<Self>, high: Box<Self> },
}

impl Refuted {
    /// The bounds that are needed, comparisons first.
    pub fn grounds(&self) -> BTreeSet<Ground> {
        let mut grounds = BTreeSet::new();
        let mut open = vec![self];
        while let Some(refuted) = open.pop() {
            match refuted {
                Self::Sum(parts) => grounds.extend(parts.iter().map(|(ground, _)| *ground)),
                Self::Indivisible { above, below } => grounds.extend(above.iter().chain(below).map(|(ground, _)| *ground)),
                Self::Cases { low, high, .. } => open.extend([&**low, &**high]),
            }
        }
        grounds
    }
}

/// Writes deductions, and counts facts as the kernel does.
pub struct Writer<'a> {
    arena: &'a mut Arena,
    next: u32,
    deductions: Vec<Deduction>,
    facts: BTreeMap<Ground, FactId>,
}

impl<'a> Writer<'a> {
    /// Nothing is written.
    pub fn new(arena: &'a mut Arena) -> Self {
        Self { arena, next: 0, deductions: Vec::new(), facts: BTreeMap::new() }
    }

    /// The refutation from the comparisons among the grounds, in order. The bounds in `rounded` are divided first.
    pub fn write(mut self, refuted: &Refuted, grounds: &BTreeSet<Ground>, rounded: &BTreeSet<Ground>) -> Option<Refutation> {
        for ground in grounds.iter().filter(|ground| matches!(ground, Ground::Asserted(_))) {
            self.facts.insert(*ground, FactId(self.next));
            self.next += 1;
        }
        let mut axioms = BTreeMap::new();
        for ground in grounds {
            if let Ground::Quotient(atom, side) = *ground {
                let low = *axioms.entry(atom).or_insert_with(|| self.push(Deduction::Axiom(atom), 2));
                self.facts.insert(*ground, FactId(low.0 + side as u32));
            }
        }
        for ground in grounds.intersection(rounded) {
            let whole = *self.facts.get(ground)?;
            let fact = self.push(Deduction::Combine(vec![(whole, 1)]), 1);
            self.facts.insert(*ground, fact);
        }
        self.refuted(refuted, 0)?;
        Some(Refutation { deductions: self.deductions })
    }

    /// Adds a deduction that makes so many facts; the first of them.
    fn push(&mut self, deduction: Deduction, facts: u32) -> FactId {
        self.deductions.push(deduction);
        self.next += facts;
        FactId(self.next - facts)
    }

    fn sum(&mut self, parts: &Contradiction<Ground>) -> Option<FactId> {
        let parts = parts.iter().map(|(ground, times)| Some((*self.facts.get(ground)?, *times)));
        let parts = parts.collect::<Option<_>>()?;
        Some(self.push(Deduction::Combine(parts), 1))
    }

    /// Recurses as deep as cases stand in each other.
    fn refuted(&mut self, refuted: &Refuted, depth: u32) -> Option<()> {
        match refuted {
            Refuted::Sum(parts) => {
                self.sum(parts)?;
            }
            Refuted::Indivisible { above, below } => {
                // Each is divided and rounded, and then they contradict each other.
                let (above, below) = (self.sum(above)?, self.sum(below)?);
                self.push(Deduction::Combine(vec![(above, 1), (below, 1)]), 1);
            }
            Refuted::Cases { atom, at_most, low, high } => {
                let atom = self.arena.of_atom(*atom).ok()?;
                let term = self.arena.plus(atom, at_most.checked_neg()?).ok()?;
                let fact = self.push(Deduction::Case(Literal { sign: Sign::AtMostZero, term }), 1);
                self.facts.insert(Ground::Case(depth), fact);
                self.refuted(low, depth + 1)?;
                // Its facts are gone, and in its place stands its negation.
                self.next = fact.0 + 1;
                self.facts.insert(Ground::Case(depth), fact);
                self.refuted(high, depth + 1)?;
            }
        }
        Some(())
    }
}
