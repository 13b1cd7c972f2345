//! Refutation by cases, where saturation and linear arithmetic alone find no contradiction.

use crate::{
    bounds::Node,
    context::Context,
    explanation::explain,
    facts::Disequality,
    form::Form,
    linear::{Answer, solve},
    rational::Rational,
};
use goatherd_certificates::{
    derivation::{Deduction, Refutation},
    term::{Array, ArrayStore, Atom, AtomId, Computation, LinearId, Literal, Sign},
};
use goatherd_checker::term::Arena;
use std::collections::BTreeMap;

/// Cases inside each other.
const DEPTH: usize = 10;
/// Contexts that may be tried in all.
const CONTEXTS: usize = 400;
/// Literals that are tried before one is taken that closes no side at once.
const CANDIDATES: usize = 24;

/// A refutation of the context, as far as its meter pays for it.
pub(super) fn refute_by_cases(context: Context, arena: &mut Arena) -> Option<Refutation> {
    let mut search = Search { deductions: Vec::new(), left: CONTEXTS };
    search.close(context, arena, 0)?;
    Some(Refutation { deductions: search.deductions })
}

struct Search {
    deductions: Vec<Deduction>,
    left: usize,
}

impl Search {
    /// Writes deductions that close the context; bounded recursion, one level per case.
    fn close(&mut self, mut context: Context, arena: &mut Arena, depth: usize) -> Option<()> {
        let mut depth = depth;
        loop {
            let model = match contradiction(&mut context, arena) {
                Found::Contradiction => {
                    let refutation = explain(&context, arena, context.literals().len())?;
                    self.deductions.extend(refutation.deductions);
                    return Some(());
                }
                Found::Model(model) => model,
            };
            if depth == DEPTH {
                return None;
            }
            let literal = self.choose(&context, arena, &model)?;
            let negation = arena.negate(literal).ok()?;
            self.deductions.push(Deduction::Case(literal));
            let mut assumed = context.copy()?;
            assumed.assume(arena, literal);
            depth += 1;
            self.close(assumed, arena, depth)?;
            context.assume(arena, negation);
        }
    }

    /// The literal to distinguish: one that is refuted on one side if there is one, else the first.
    fn choose(&mut self, context: &Context, arena: &mut Arena, model: &Model) -> Option<Literal> {
        let candidates = candidates(context, arena, model);
        let mut first = None;
        for literal in candidates.into_iter().take(CANDIDATES) {
            if arena.evident(literal).is_some() {
                continue;
            }
            let negation = arena.negate(literal).ok()?;
            for (side, other) in [(literal, negation), (negation, literal)] {
                self.left = self.left.checked_sub(1)?;
                let mut attempt = context.copy()?;
                attempt.assume(arena, side);
                // Only the closure: cheap, and enough to tell which literals matter.
                if attempt.is_contradictory(arena) && !is_known(context, arena, other)? {
                    return Some(side);
                }
            }
            first = first.or(Some(literal));
        }
        first
    }
}

/// Values of nodes.
pub(super) type Model = BTreeMap<Node, Rational>;

pub(super) enum Found {
    Contradiction,
    Model(Model),
}

/// Saturates the context, and adds up what it knows.
pub(super) fn contradiction(context: &mut Context, arena: &mut Arena) -> Found {
    context.saturate(arena);
    if context.conflict.is_none() {
        match solve(context) {
            Answer::Contradiction(parts) => context.contradict(&parts),
            Answer::Model(model) => return Found::Model(model),
            Answer::Unknown => return Found::Model(Model::new()),
        }
    }
    Found::Contradiction
}

/// Assuming what is known already leads nowhere. None where it cannot be paid for.
fn is_known(context: &Context, arena: &mut Arena, literal: Literal) -> Option<bool> {
    Some(context.copy()?.is_evident(arena, literal))
}

/// Literals that may decide something: the model's fractions, disequalities that it violates, open reads of stores, indices of reads from
/// the same array, other disequalities.
fn candidates(context: &Context, arena: &mut Arena, model: &Model) -> Vec<Literal> {
    let mut candidates = Vec::new();
    for (atom, node) in &context.atoms {
        if let Some(value) = model.get(node).filter(|value| value.denominator != 1) {
            candidates.extend(below(arena, *atom, value.floor()));
        }
    }
    let (violated, other): (Vec<Disequality>, Vec<Disequality>) =
        context.disequalities.iter().partition(|disequality| is_violated(context, model, **disequality));
    candidates.extend(violated.into_iter().filter_map(|disequality| less(context, arena, disequality)));
    for read in &context.reads {
        candidates.extend(same_index(arena, read.atom));
    }
    for (later, right) in context.applications.iter().enumerate() {
        for left in &context.applications[..later] {
            if left.function == right.function && context.bounds.fixed(left.node, right.node).is_none() {
                candidates.extend(same_arguments(arena, left.atom, right.atom));
            }
        }
    }
    candidates.extend(other.into_iter().filter_map(|disequality| less(context, arena, disequality)));
    candidates
}

fn is_violated(context: &Context, model: &Model, disequality: Disequality) -> bool {
    let value = context.disequality_form(disequality).and_then(|form| evaluate(&form, model));
    value.is_some_and(|value| value == Rational::ZERO)
}

fn evaluate(form: &Form, model: &Model) -> Option<Rational> {
    form.summands.iter().try_fold(Rational::integer(form.constant), |sum, (node, coefficient)| {
        let value = model.get(node).copied().unwrap_or(Rational::ZERO);
        sum.plus(value.times(Rational::integer(*coefficient))?)
    })
}

/// `atom <= value`
fn below(arena: &mut Arena, atom: AtomId, value: i128) -> Option<Literal> {
    let term = arena.of_atom(atom).ok()?;
    Some(Literal { sign: Sign::AtMostZero, term: arena.plus(term, value.checked_neg()?).ok()? })
}

/// The stated term is below 0.
fn less(context: &Context, arena: &mut Arena, disequality: Disequality) -> Option<Literal> {
    let form = context.disequality_form(disequality)?;
    let mut parts = Vec::new();
    for (node, coefficient) in &form.summands {
        let (atom, _) = context.atoms.iter().find(|(_, other)| other == node)?;
        parts.push((arena.of_atom(*atom).ok()?, *coefficient));
    }
    Some(Literal { sign: Sign::AtMostZero, term: arena.combine(form.constant.checked_add(1)?, &parts).ok()? })
}

/// A select from a store is at the index of the store.
fn same_index(arena: &mut Arena, atom: AtomId) -> Option<Literal> {
    let Atom::Select { array, index } = *arena.atom(atom).ok()? else { return None };
    let Array::Store(ArrayStore { index: at, .. }) = *arena.array(array).ok()? else { return None };
    arena.equal(at, index).ok()
}

/// The first pair of arguments that differ is equal.
fn same_arguments(arena: &mut Arena, left: AtomId, right: AtomId) -> Option<Literal> {
    let pairs: Vec<(LinearId, LinearId)> = match (arena.atom(left).ok()?, arena.atom(right).ok()?) {
        (Atom::Select { index, .. }, Atom::Select { index: other, .. }) => vec![(*index, *other)],
        (Atom::Quotient { argument, .. }, Atom::Quotient { argument: other, .. }) => vec![(*argument, *other)],
        (Atom::Apply(Computation { left, right, .. }), Atom::Apply(Computation { left: other_left, right: other_right, .. })) => {
            vec![(*left, *other_left), (*right, *other_right)]
        }
        _ => Vec::new(),
    };
    let (one, other) = pairs.into_iter().find(|(one, other)| one != other)?;
    arena.equal(one, other).ok()
}
