//! The oracles that the prover hands to the checker's rules.

use crate::{context::Context, meter::Meter, refute::refute_in, solver::Solver};
use goatherd_certificates::{derivation::Refutation, term::Literal};
use goatherd_checker::{outcome::Oracle, rejection::Rejection, term::Arena};
use std::sync::Arc;

/// Answers by a context of the same predicate; for the search.
pub struct ContextOracle<'a>(pub &'a mut Context);

impl Oracle for ContextOracle<'_> {
    fn refute(&mut self, arena: &mut Arena, _predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        if self.0.refutes(arena, assumptions) { Ok(()) } else { Err(Rejection::NotRefuted) }
    }
}

/// Contexts are kept for predicates of which others are extensions.
const KEPT_CONTEXTS: usize = 16;

/// Derives the hint of each obligation, and records it.
#[derive(Default)]
pub struct HintRecorder {
    /// The hints, in the order of the obligations.
    pub hints: Vec<Refutation>,
    /// Predicates, each an extension of the one before, and their contexts.
    contexts: Vec<(Vec<Literal>, Context)>,
    /// What reasoning is paid from.
    meter: Meter,
    solver: Option<Arc<Solver>>,
}

impl HintRecorder {
    /// Nothing is recorded.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing is recorded; the solver names the literals to refute where it is not evident which.
    pub fn with_solver(solver: Arc<Solver>) -> Self {
        Self { solver: Some(solver), ..Self::default() }
    }

    /// Nothing is recorded; what cannot be paid for is not found.
    pub fn metered(meter: &Meter) -> Self {
        Self { meter: meter.clone(), ..Self::default() }
    }

    /// The hints since the last call.
    pub fn take(&mut self) -> Vec<Refutation> {
        std::mem::take(&mut self.hints)
    }

    /// Does the predicate evidently entail the literal? Nothing is recorded.
    pub fn shows(&mut self, arena: &mut Arena, predicate: &[Literal], literal: Literal) -> bool {
        arena.evident(literal) == Some(true)
            || predicate.contains(&literal)
            || self.context(arena, predicate).clone().entails(arena, literal)
    }

    /// The context of the predicate: one that is kept, or the longest that it extends, extended.
    pub fn context(&mut self, arena: &mut Arena, predicate: &[Literal]) -> &Context {
        let kept = self.contexts.iter().take_while(|(known, _)| predicate.starts_with(known)).count();
        self.contexts.truncate(kept);
        let is_known = self.contexts.last().is_some_and(|(known, _)| known.len() == predicate.len());
        if !is_known {
            let (from, mut context) =
                self.contexts.last().map_or_else(|| (0, Context::metered(&self.meter)), |(known, context)| (known.len(), context.clone()));
            context.assume_all(arena, &predicate[from..]);
            context.saturate(arena);
            if self.contexts.len() == KEPT_CONTEXTS {
                self.contexts.remove(0);
            }
            self.contexts.push((predicate.to_vec(), context));
        }
        let last = self.contexts.len() - 1;
        &self.contexts[last].1
    }
}

impl Oracle for HintRecorder {
    fn refute(&mut self, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Result<(), Rejection> {
        let context = self.context(arena, predicate);
        let mut hint = refute_in(context, arena, predicate, assumptions);
        if let (None, Some(solver)) = (&hint, &self.solver) {
            let literals: Vec<Literal> = predicate.iter().chain(assumptions).copied().collect();
            hint = solver.refute(arena, &literals);
        }
        self.hints.push(hint.ok_or(Rejection::NotRefuted)?);
        Ok(())
    }
}
