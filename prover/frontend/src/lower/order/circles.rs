//! Which functions call themselves, also by way of others, and whether something is left to do after such a call.

use super::parts::each_expression;
use crate::lower::tree::{Circles, Expression, ExpressionKind, FunctionId, Statement, StatementKind, Unit};
use std::collections::BTreeSet;

/// The circles of calls. A call through a pointer may call every function whose address is taken.
pub(super) fn find(unit: &mut Unit) -> Circles {
    let callees: Vec<BTreeSet<FunctionId>> = (0..unit.functions.len()).map(|function| callees(unit, function)).collect();
    let reached: Vec<BTreeSet<FunctionId>> = callees.iter().map(|from| reached(from, &callees)).collect();
    let first_of = |function: FunctionId| reached[function].iter().copied().filter(|other| reached[*other].contains(&function)).min();
    Circles { first: (0..callees.len()).map(first_of).collect(), returning: BTreeSet::new() }
}

fn callees(unit: &mut Unit, function: FunctionId) -> BTreeSet<FunctionId> {
    let mut callees = BTreeSet::new();
    each_expression(&mut unit.functions[function].body, &mut |node| match &node.kind {
        ExpressionKind::Call { function, .. } => {
            callees.insert(*function);
        }
        ExpressionKind::CallThrough { .. } => callees.extend(&unit.addressed),
        _ => {}
    });
    callees
}

/// All that is called, directly or by what is called.
fn reached(from: &BTreeSet<FunctionId>, callees: &[BTreeSet<FunctionId>]) -> BTreeSet<FunctionId> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<FunctionId> = from.iter().copied().collect();
    while let Some(function) = open.pop() {
        if reached.insert(function) {
            open.extend(&callees[function]);
        }
    }
    reached
}

/// The functions on circles that go on after a call on their circle has returned to them: not all such calls are the last thing that they do, or
/// another function of their circle goes on.
pub(super) fn returning(unit: &mut Unit) -> BTreeSet<FunctionId> {
    let functions = 0..unit.functions.len();
    let waiting: BTreeSet<FunctionId> = functions.clone().filter_map(|function| waits(unit, function)).collect();
    let mut returning = BTreeSet::new();
    for function in functions {
        let Some(first) = unit.circles.circle(function) else { continue };
        let calls = calls(unit, function, first);
        if waiting.contains(&first) && calls > tail_calls(unit, function, &|called| called == function) {
            returning.insert(function);
        }
    }
    returning
}

/// The circle that the function is on, if not all calls on it are the last thing that the function does.
fn waits(unit: &mut Unit, function: FunctionId) -> Option<FunctionId> {
    let first = unit.circles.circle(function)?;
    let calls = calls(unit, function, first);
    (calls > tail_calls(unit, function, &|called| unit.circles.circle(called) == Some(first))).then_some(first)
}

/// How many calls of functions on the circle there are in a function.
fn calls(unit: &mut Unit, function: FunctionId, first: FunctionId) -> usize {
    let (circles, addressed) = (&unit.circles, &unit.addressed);
    let mut calls = 0;
    each_expression(&mut unit.functions[function].body, &mut |node| match &node.kind {
        ExpressionKind::Call { function, .. } if circles.circle(*function) == Some(first) => calls += 1,
        ExpressionKind::CallThrough { .. } if addressed.iter().any(|target| circles.circle(*target) == Some(first)) => calls += 1,
        _ => {}
    });
    calls
}

/// How many calls of such functions are the last thing that a function does.
fn tail_calls(unit: &Unit, function: FunctionId, of: &dyn Fn(FunctionId) -> bool) -> usize {
    let code = &unit.functions[function];
    let is_void = code.result.is_void();
    let mut count = 0;
    let mut open: Vec<(&[Statement], bool)> = vec![(&code.body, true)];
    while let Some((statements, is_last)) = open.pop() {
        for (index, statement) in statements.iter().enumerate() {
            let is_last = match statements.get(index + 1) {
                Some(next) => matches!(next.kind, StatementKind::Return(None)),
                None => is_last,
            };
            match &statement.kind {
                StatementKind::Return(Some(value)) => count += value.tail_calls(of),
                StatementKind::Expression(Expression { kind: ExpressionKind::Call { function: called, .. }, .. }) => {
                    count += usize::from(is_last && is_void && of(*called) && unit.functions[*called].result.is_void());
                }
                StatementKind::Block(_, body) => open.push((body, is_last)),
                StatementKind::If { then, otherwise, .. } => open.extend([(&then[..], is_last), (&otherwise[..], is_last)]),
                StatementKind::Loop { body, .. } | StatementKind::DoWhile { body, .. } | StatementKind::Switch { body, .. } => {
                    open.push((body, false));
                }
                _ => {}
            }
        }
    }
    count
}
