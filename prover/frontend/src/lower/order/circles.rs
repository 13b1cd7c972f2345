//! Which functions call themselves, also by way of others, and whether something is left to do after such a call.

use super::parts::each_expression;
use crate::lower::tree::{Circles, Expression, ExpressionKind, FunctionId, Statement, StatementKind, Unit};
use std::collections::BTreeSet;

/// The circles of calls. A call through a pointer may call every function whose address is taken.
pub(super) fn find(unit: &mut Unit) -> Circles {
    let callees: Vec<BTreeSet<FunctionId>> = (0..unit.functions.len()).map(|function| callees(unit, function)).collect();
    let reached: Vec<BTreeSet<FunctionId>> = callees.iter().map(|from| reached(from, &callees)).collect();
    let first_of = |function: FunctionId| reached[function].iter().copied().filter(|other| reached[*other].contains(&function)).min();
    Circles { first: (0..callees.len()).map(first_of).collect(), ..Circles::default() }
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

/// The functions on circles that go on after a call on their circle has returned to them: not all such calls are tail calls by themselves.
pub(super) fn returning(unit: &mut Unit) -> BTreeSet<FunctionId> {
    let functions = 0..unit.functions.len();
    let is_returning = |function: &FunctionId| {
        let Some(first) = unit.circles.circle(*function) else { return false };
        calls(unit, *function, first) > tail_calls(unit, *function, &|called| called == *function)
    };
    functions.filter(is_returning).collect()
}

/// The circles, by their first functions, on which all calls are tail calls, and all functions that have a value come back with one.
pub(super) fn ending(unit: &mut Unit) -> BTreeSet<FunctionId> {
    let functions = 0..unit.functions.len();
    let goes_on = |function: FunctionId| {
        let first = unit.circles.circle(function)?;
        let calls = calls(unit, function, first);
        let is_on_circle = |called| unit.circles.circle(called) == Some(first);
        (calls > tail_calls(unit, function, &is_on_circle) || !has_value(unit, function)).then_some(first)
    };
    let going_on: BTreeSet<FunctionId> = functions.filter_map(goes_on).collect();
    unit.circles.first.iter().flatten().copied().filter(|first| !going_on.contains(first)).collect()
}

/// Does the function come back with a value, if it has one at all?
fn has_value(unit: &Unit, function: FunctionId) -> bool {
    let code = &unit.functions[function];
    code.result.is_void() || ends_with_value(&code.body) && !has_empty_return(&code.body)
}

fn ends_with_value(statements: &[Statement]) -> bool {
    match statements.last().map(|statement| &statement.kind) {
        Some(StatementKind::Return(value)) => value.is_some(),
        Some(StatementKind::Block(_, body)) => ends_with_value(body),
        Some(StatementKind::If { then, otherwise, .. }) => ends_with_value(then) && ends_with_value(otherwise),
        _ => false,
    }
}

fn has_empty_return(statements: &[Statement]) -> bool {
    let mut open: Vec<&[Statement]> = vec![statements];
    while let Some(statements) = open.pop() {
        for statement in statements {
            match &statement.kind {
                StatementKind::Return(None) => return true,
                StatementKind::If { then, otherwise, .. } => open.extend([&then[..], &otherwise[..]]),
                StatementKind::Block(_, body)
                | StatementKind::Loop { body, .. }
                | StatementKind::DoWhile { body, .. }
                | StatementKind::Switch { body, .. } => open.push(body),
                _ => {}
            }
        }
    }
    false
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
