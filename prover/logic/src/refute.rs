//! Finds refutations that the checker accepts.

use crate::{
    cases::refute_by_cases,
    context::Context,
    enumeration::refute_by_values,
    explanation::explain,
    solver::{Answer, Backend, Solver},
};
use goatherd_certificates::{derivation::Refutation, term::Literal};
use goatherd_checker::{refute::check, term::Arena};

/// A refutation of the predicate together with the assumptions, as [`goatherd_checker::refute::check`] accepts it: by closure, and where that
/// is not enough by linear arithmetic and a bounded number of cases.
pub fn refute(arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Option<Refutation> {
    let context = Context::of(arena, predicate);
    refute_in(&context, arena, predicate, assumptions)
}

/// The same, given the context of the predicate, as far as its meter pays for it.
pub(super) fn refute_in(context: &Context, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Option<Refutation> {
    let mut context = context.copy()?;
    context.assume_all(arena, assumptions);
    let refutation = refute_context(context, arena)?;
    check(arena, predicate, assumptions, &refutation).ok()?;
    Some(refutation)
}

/// A refutation of the literals that uses only those at the given positions.
pub(super) fn refute_core(arena: &mut Arena, literals: &[Literal], core: &[usize]) -> Option<Refutation> {
    let mut context = Context::new();
    for (position, literal) in literals.iter().enumerate() {
        if core.contains(&position) {
            context.assume(arena, *literal);
        } else {
            context.leave_out(*literal);
        }
    }
    let refutation = refute_context(context, arena)?;
    check(arena, literals, &[], &refutation).ok()?;
    Some(refutation)
}

impl Solver {
    /// A refutation of literals that the closure does not refute, by the core that Z3 names.
    pub(super) fn refute(&self, arena: &mut Arena, literals: &[Literal]) -> Option<Refutation> {
        if self.backend() == Backend::Builtin {
            return None;
        }
        match self.answer(arena, literals) {
            Answer::Contradiction(core) => refute_core(arena, literals, &core),
            Answer::Model(_) | Answer::None => None,
        }
    }
}

fn refute_context(mut context: Context, arena: &mut Arena) -> Option<Refutation> {
    context.saturate(arena);
    if context.conflict.is_some() {
        let literals = context.literals().len();
        return explain(&context, arena, literals);
    }
    refute_by_cases(context.copy()?, arena).or_else(|| refute_by_values(context, arena))
}
