//! The oracle with which derivations are built: it shows what it can, and sometimes claims what it cannot.

use crate::{dice::Dice, refuter, terms::Known};
use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{AtomId, LinearId, Literal, Sign},
};
use goatherd_checker::{outcome::Oracle, refute, rejection::Rejection, term::Arena};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// More literals than this are not looked at.
const MOST_LITERALS: usize = 12;

/// How many random refutations are shown to the kernel.
const GUESSES: usize = 6;

/// What has been asked of the terms at hand, and what came of it: a search that goes back asks the same again.
pub type Memory = Rc<RefCell<BTreeMap<Vec<Literal>, Option<Refutation>>>>;

/// Shows the obligations of one rule.
pub struct Prover {
    dice: Dice,
    lies: usize,
    memory: Memory,
    /// What was shown, in order.
    pub hints: Vec<Refutation>,
}

impl Prover {
    /// Nothing has been shown; once in `lies` times something is claimed that is not.
    pub fn new(dice: Dice, lies: usize, memory: Memory) -> Self {
        Self { dice, lies, memory, hints: Vec::new() }
    }

    /// A refutation that the kernel takes.
    pub fn find(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Option<Refutation> {
        if predicate.is_empty() && assumptions.is_empty() || predicate.len() + assumptions.len() > MOST_LITERALS {
            return None;
        }
        let asked = [predicate, assumptions].concat();
        let known = self.memory.borrow().get(&asked).cloned();
        let found = known.unwrap_or_else(|| {
            let found = refuter::refute(arena, predicate, assumptions);
            let found = found.filter(|found| refute::check(arena, predicate, assumptions, found).is_ok());
            self.memory.borrow_mut().insert(asked, found.clone());
            found
        });
        if found.is_some() {
            return found;
        }
        if !self.dice.once_in(8) {
            return None;
        }
        let facts = predicate.len() + assumptions.len();
        let mut guesses = (0..GUESSES).map(|_| self.guess(arena, facts)).collect::<Vec<_>>();
        guesses.retain(|guess| refute::check(arena, predicate, assumptions, guess).is_ok());
        guesses.pop()
    }

    /// Any deductions.
    fn guess(&mut self, arena: &Arena, facts: usize) -> Refutation {
        let known = Known::of(arena);
        let [atoms, linears] = [known.atoms, known.linears].map(|count| usize::try_from(count).unwrap_or(0));
        let mut deductions = Vec::new();
        let count = 1 + self.dice.below(3);
        for made in 0..count {
            deductions.push(self.deduction(facts + made, atoms, linears));
        }
        let last = FactId(u32::try_from(facts + count - 1).unwrap_or(0));
        let (other, factor) = (self.fact(facts + count), self.dice.one([1, -1, 2]));
        deductions.push(Deduction::Combine(vec![(last, self.dice.one([1, -1])), (other, factor)]));
        Refutation { deductions }
    }

    fn fact(&mut self, facts: usize) -> FactId {
        FactId(self.dice.id(facts))
    }

    fn deduction(&mut self, facts: usize, atoms: usize, linears: usize) -> Deduction {
        let atom = AtomId(self.dice.id(atoms));
        let pair = (self.fact(facts), self.fact(facts));
        match self.dice.below(10) {
            0 => Deduction::Tighten { bound: pair.0, disequality: pair.1 },
            1 => Deduction::Congruence { left: atom, right: AtomId(self.dice.id(atoms)), facts: vec![pair] },
            2 => Deduction::ReadSame { atom, facts: pair },
            3 => Deduction::ReadOther { atom, fact: pair.0 },
            4 => Deduction::Convert { atom, value: LinearId(self.dice.id(linears)), facts: pair },
            5 => Deduction::Bits { atom, facts: pair },
            6 => Deduction::Case(Literal {
                sign: self.dice.one([Sign::AtMostZero, Sign::Zero, Sign::NotZero]),
                term: LinearId(self.dice.id(linears)),
            }),
            7 => Deduction::Combine(vec![(pair.0, 1), (pair.1, self.dice.one([1, -1]))]),
            8 => Deduction::Evaluate { atom, values: vec![(self.dice.one([0, 1, -1]), pair)] },
            _ => Deduction::Axiom(atom),
        }
    }
}

impl Oracle for Prover {
    fn refute(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        match self.find(arena, predicate, assumptions) {
            Some(refutation) => self.hints.push(refutation),
            None if self.dice.once_in(self.lies) => self.hints.push(Refutation::default()),
            None => return Err(Rejection::NotRefuted),
        }
        Ok(())
    }
}
