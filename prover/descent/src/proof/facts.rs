//! Hints for obligations, and which of the literals at a root they use.

use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    term::{Literal, Sign},
};
use goatherd_checker::{outcome::Oracle, rejection::Rejection, term::Arena};
use goatherd_logic::{Context, HintRecorder, Solver};
use std::{collections::BTreeSet, sync::Arc};

/// Derives hints. Literals that stand at the root of the derivation may be set aside: they are known, but not part of configurations, and it is
/// noted which of them are used.
pub struct Facts {
    recorder: HintRecorder,
    aside: Vec<Literal>,
    used: BTreeSet<usize>,
    /// Is everything taken for granted that is asked?
    is_trusting: bool,
}

impl Facts {
    /// Nothing is set aside.
    pub fn new(solver: &Arc<Solver>) -> Self {
        Self { recorder: HintRecorder::with_solver(Arc::clone(solver)), aside: Vec::new(), used: BTreeSet::new(), is_trusting: false }
    }

    /// Takes everything for granted: it has been shown before.
    pub fn trusting(solver: &Arc<Solver>) -> Self {
        Self { is_trusting: true, ..Self::new(solver) }
    }

    /// Is everything taken for granted?
    pub const fn is_trusting(&self) -> bool {
        self.is_trusting
    }

    /// Sets these literals aside.
    pub fn set_aside(&mut self, literals: Vec<Literal>) {
        self.aside = literals;
        self.used.clear();
    }

    /// The hints since the last call; none where literals are set aside.
    pub fn take_hints(&mut self) -> Vec<Refutation> {
        self.recorder.take()
    }

    /// Which of the literals that are set aside have been used since the last call.
    pub fn take_used(&mut self) -> BTreeSet<usize> {
        std::mem::take(&mut self.used)
    }

    /// Does the predicate, with what is set aside, evidently entail the literal? Nothing is recorded.
    pub fn shows(&mut self, arena: &mut Arena, predicate: &[Literal], literal: Literal) -> bool {
        let predicate = self.whole(predicate);
        self.recorder.shows(arena, &predicate, literal)
    }

    /// What follows from the predicate.
    pub fn context(&mut self, arena: &mut Arena, predicate: &[Literal]) -> Context {
        let predicate = self.whole(predicate);
        self.recorder.context(arena, &predicate).clone()
    }

    /// The predicate, with what is set aside.
    pub fn whole(&self, predicate: &[Literal]) -> Vec<Literal> {
        self.aside.iter().chain(predicate).copied().collect()
    }

    /// The literal set aside whose negation is all that is assumed, or half of it.
    fn opposite(&self, arena: &mut Arena, assumptions: &[Literal]) -> Result<Option<usize>, Rejection> {
        let [assumed] = assumptions else { return Ok(None) };
        let mut wanted = vec![arena.negate(*assumed)?];
        if assumed.sign == Sign::AtMostZero {
            for sign in [1, -1] {
                wanted.push(Literal { sign: Sign::Zero, term: arena.combine(-sign, &[(assumed.term, sign)])? });
            }
        }
        Ok(self.aside.iter().position(|literal| wanted.contains(literal)))
    }
}

impl Oracle for Facts {
    fn refute(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        if self.is_trusting {
            return Ok(());
        }
        if self.aside.is_empty() {
            return self.recorder.refute(arena, predicate, assumptions);
        }
        if let Some(position) = self.opposite(arena, assumptions)? {
            self.used.insert(position);
            return Ok(());
        }
        let predicate = self.whole(predicate);
        self.recorder.refute(arena, &predicate, assumptions)?;
        let facts = self.recorder.take().iter().flat_map(|hint| &hint.deductions).flat_map(facts).collect::<Vec<_>>();
        self.used.extend(facts.into_iter().map(FactId::index).filter(|fact| *fact < self.aside.len()));
        Ok(())
    }
}

/// The facts that a deduction names.
fn facts(deduction: &Deduction) -> Vec<FactId> {
    match deduction {
        Deduction::Combine(summands) => summands.iter().map(|(fact, _)| *fact).collect(),
        Deduction::Tighten { bound, disequality } => vec![*bound, *disequality],
        Deduction::Congruence { facts, .. } => facts.iter().flat_map(|(left, right)| [*left, *right]).collect(),
        Deduction::Evaluate { values, .. } => values.iter().flat_map(|(_, (left, right))| [*left, *right]).collect(),
        Deduction::ReadSame { facts: (left, right), .. }
        | Deduction::Convert { facts: (left, right), .. }
        | Deduction::Bits { facts: (left, right), .. } => vec![*left, *right],
        Deduction::ReadOther { fact, .. } => vec![*fact],
        Deduction::Axiom(_) | Deduction::Case(_) => Vec::new(),
    }
}
