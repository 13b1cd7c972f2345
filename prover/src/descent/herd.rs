//! A configuration together with what the search knows of it.

use crate::solving::{Context, ContextOracle, Solver};
use goatherd_certificates::{
    derivation::{Choice, MemberId, OutcomeId},
    term::Literal,
};
use goatherd_checker::{
    configuration::{Configuration, Setting},
    outcome::Outcome,
    rejection::Rejection,
    rules,
    term::Arena,
};
use std::sync::Arc;

/// A configuration, its predicate as a closed system of differences, and which scapegoats its members are.
#[derive(Clone)]
pub struct Herd {
    /// What the kernel works on.
    pub configuration: Configuration,
    /// What follows from its predicate.
    pub context: Context,
    /// Per member, which scapegoat it is; 0 is the primary.
    pub tags: Vec<usize>,
}

impl Herd {
    /// The herd at a root or template: everything in the predicate is assumed.
    pub fn new(arena: &mut Arena, configuration: Configuration, solver: &Arc<Solver>) -> Self {
        let mut context = Context::with_solver(Arc::clone(solver));
        for literal in &configuration.predicate {
            context.assume(arena, *literal);
        }
        Self { configuration, context, tags: vec![0] }
    }

    /// Tells the context what the predicate has gained.
    fn catch_up(&mut self, arena: &mut Arena, from: usize) {
        for literal in &self.configuration.predicate[from..] {
            self.context.assume(arena, *literal);
        }
    }

    /// The primary takes this outcome.
    pub fn follow(&mut self, arena: &mut Arena, setting: Setting<'_>, outcome: &Outcome) -> Result<(), Rejection> {
        let from = self.configuration.predicate.len();
        rules::follow(arena, setting, &mut self.configuration, outcome, &mut ContextOracle(&mut self.context))?;
        self.catch_up(arena, from);
        Ok(())
    }

    /// A scapegoat takes this outcome, if the context shows that it may.
    pub fn step_decided(
        &mut self,
        arena: &mut Arena,
        setting: Setting<'_>,
        which: (MemberId, OutcomeId),
        choice: Option<&Choice>,
    ) -> Result<(), Rejection> {
        let from = self.configuration.predicate.len();
        let mut oracle = ContextOracle(&mut self.context);
        rules::step_decided(arena, setting, &mut self.configuration, which, choice, &mut oracle)?;
        self.catch_up(arena, from);
        Ok(())
    }

    /// The herd with one more literal.
    #[must_use]
    pub fn with(&self, arena: &mut Arena, literal: Literal) -> Self {
        let mut herd = self.clone();
        let from = herd.configuration.predicate.len();
        herd.configuration.assume(arena, literal);
        herd.catch_up(arena, from);
        herd
    }
}
