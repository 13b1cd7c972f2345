//! Finds refutations that the checker accepts.

use super::{context::Context, explanation::explain};
use goatherd_certificates::{derivation::Refutation, term::Literal};
use goatherd_checker::{refute::check, term::Arena};

/// A refutation of the predicate together with the assumptions, as [`goatherd_checker::refute::check`] accepts it.
pub fn refute(arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Option<Refutation> {
    let context = Context::of(arena, predicate);
    refute_in(&context, arena, predicate, assumptions)
}

/// The same, given the context of the predicate.
pub(super) fn refute_in(context: &Context, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Option<Refutation> {
    let mut context = context.clone();
    context.assume_all(arena, assumptions);
    context.saturate(arena);
    let refutation = explain(&context, arena, predicate.len() + assumptions.len())?;
    check(arena, predicate, assumptions, &refutation).ok()?;
    Some(refutation)
}
