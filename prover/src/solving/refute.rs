//! Finds refutations that the checker accepts.

use super::{cases::refute_by_cases, context::Context, explanation::explain};
use goatherd_certificates::{derivation::Refutation, term::Literal};
use goatherd_checker::{refute::check, term::Arena};

/// A refutation of the predicate together with the assumptions, as [`goatherd_checker::refute::check`] accepts it: by closure, and where that
/// is not enough by linear arithmetic and a bounded number of cases.
pub fn refute(arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Option<Refutation> {
    let context = Context::of(arena, predicate);
    refute_in(&context, arena, predicate, assumptions)
}

/// The same, given the context of the predicate.
pub(super) fn refute_in(context: &Context, arena: &mut Arena, predicate: &[Literal], assumptions: &[Literal]) -> Option<Refutation> {
    let mut context = context.clone();
    context.assume_all(arena, assumptions);
    context.saturate(arena);
    let refutation =
        if context.conflict.is_some() { explain(&context, arena, context.assumed())? } else { refute_by_cases(context, arena)? };
    check(arena, predicate, assumptions, &refutation).ok()?;
    Some(refutation)
}
