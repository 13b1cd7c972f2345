//! Which functions call themselves, also by way of others, and whether something is left to do after such a call.

use super::events;
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
    events::each_expression(&mut unit.functions[function].body, &mut |node| match &node.kind {
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

/// The functions on circles that go on after a call on their circle has returned to them: not all such calls are the last thing that they do.
pub(super) fn returning(unit: &mut Unit) -> BTreeSet<FunctionId> {
    let mut returning = BTreeSet::new();
    for function in 0..unit.functions.len() {
        let Some(first) = unit.circles.circle(function) else { continue };
        let tail = tail_calls(unit, function);
        let (circles, addressed) = (&unit.circles, &unit.addressed);
        let mut calls = 0;
        events::each_expression(&mut unit.functions[function].body, &mut |node| match &node.kind {
            ExpressionKind::Call { function, .. } if circles.circle(*function) == Some(first) => calls += 1,
            ExpressionKind::CallThrough { .. } if addressed.iter().any(|target| circles.circle(*target) == Some(first)) => calls += 1,
            _ => {}
        });
        if calls > tail {
            returning.insert(function);
        }
    }
    returning
}

/// How many calls of a function by itself are the last thing that it does.
fn tail_calls(unit: &Unit, function: FunctionId) -> usize {
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
                StatementKind::Return(Some(value)) => count += value.tail_calls(function),
                StatementKind::Expression(Expression { kind: ExpressionKind::Call { function: called, .. }, .. }) => {
                    count += usize::from(is_last && is_void && *called == function);
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

/// Does every way through the statements meet one of these calls? If they are calls on the function's own circle, it never returns.
pub(super) fn surely_call(statements: &mut [Statement], is_call: &dyn Fn(&Expression) -> bool) -> bool {
    for statement in statements {
        let is_met = match &mut statement.kind {
            StatementKind::Expression(value) | StatementKind::Return(Some(value)) | StatementKind::Switch { value, .. } => {
                surely_calls(value, is_call)
            }
            StatementKind::Initialise(_, items) => items.iter_mut().any(|item| surely_calls(&mut item.value, is_call)),
            StatementKind::Block(_, body) => surely_call(body, is_call),
            StatementKind::If { condition, then, otherwise } => {
                surely_calls(condition, is_call) || surely_call(then, is_call) && surely_call(otherwise, is_call)
            }
            StatementKind::Loop { condition, .. } => condition.as_mut().is_some_and(|condition| surely_calls(condition, is_call)),
            StatementKind::DoWhile { condition, body } => {
                surely_call(body, is_call) || !may_leave(body) && surely_calls(condition, is_call)
            }
            _ => false,
        };
        if is_met {
            return true;
        }
        if may_leave(std::slice::from_ref(statement)) {
            return false;
        }
    }
    false
}

fn surely_calls(expression: &mut Expression, is_call: &dyn Fn(&Expression) -> bool) -> bool {
    if is_call(expression) {
        return true;
    }
    match &mut expression.kind {
        ExpressionKind::And(left, _) | ExpressionKind::Or(left, _) => surely_calls(left, is_call),
        ExpressionKind::Conditional(condition, then, otherwise) => {
            surely_calls(condition, is_call) || surely_calls(then, is_call) && surely_calls(otherwise, is_call)
        }
        ExpressionKind::Either(one, other) => surely_calls(one, is_call) && surely_calls(other, is_call),
        ExpressionKind::Statements { statements, value, .. } => {
            surely_call(statements, is_call) || !may_leave(statements) && value.as_mut().is_some_and(|value| surely_calls(value, is_call))
        }
        _ => events::parts(expression).into_iter().any(|part| surely_calls(part, is_call)),
    }
}

/// May these statements be left in their middle?
fn may_leave(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Return(_)
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Switch { .. } => true,
        StatementKind::Block(_, body) | StatementKind::Loop { body, .. } | StatementKind::DoWhile { body, .. } => may_leave(body),
        StatementKind::If { then, otherwise, .. } => may_leave(then) || may_leave(otherwise),
        _ => false,
    })
}
