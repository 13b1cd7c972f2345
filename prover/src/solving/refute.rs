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
    let r = check(arena, predicate, assumptions, &refutation);
    if r.is_err() { eprintln!("DBG check {r:?} {refutation:?}\n conflict {:?}\n facts {:?}\n parts {:?}", context.conflict, context.facts.iter().enumerate().collect::<Vec<_>>(), context.parts.iter().enumerate().collect::<Vec<_>>()); for (i,l) in predicate.iter().chain(assumptions).enumerate() { eprintln!("DBG {i} {:?} {:?}", l.sign, arena.linear(l.term)); } for a in 0..arena.atom_count() { eprintln!("DBG atom {a} {:?} node {:?}", arena.atom(goatherd_certificates::term::AtomId(a as u32)), context.node(goatherd_certificates::term::AtomId(a as u32))); } for a in 0..arena.array_count() { eprintln!("DBG array {a} {:?}", arena.array(goatherd_certificates::term::ArrayId(a as u32))); } eprintln!("DBG edges {:?}", context.edges); }
    r.ok()?;
    Some(refutation)
}
