//! Which statements may never come to their end, or are left in their middle.
//!
//! C11 6.8.5p6 lets a compiler take most loops to end, but nobody has to, and of `goto` and calls it says nothing. So a loop ends only where its text
//! shows that it counts.

use super::parts::{blocks, each_expression, expressions, parts};
use crate::lower::{
    tree::{Base, Change, Comparison, Expression, ExpressionKind, LabelId, Statement, StatementKind, Variable, VariableId},
    types::{in_range, includes},
};
use goatherd_certificates::program::{IntegerType, Operation};
use std::collections::BTreeSet;

/// Does a loop of the source do finitely many rounds, if each comes to its end: is it `for (...; i < n; i++)` (or `i > n; i--`), where nothing else
/// changes `i` or `n`, and some value of `i` is not less than any that `n` can have?
pub(super) fn counts(condition: &Expression, step: &Expression, body: &mut [Statement], variables: &[Variable]) -> bool {
    let ExpressionKind::Compare(comparison, left, right) = &condition.kind else { return false };
    let direction = match comparison {
        Comparison::Less => Operation::Add,
        Comparison::Greater => Operation::Subtract,
        _ => return false,
    };
    let Some(compared) = left.ctype.as_integer() else { return false };
    let Some((variable, own)) = local(unconverted(left), variables) else { return false };
    // All values of the type that they are compared in come up, or all that the bound can have.
    let has_all = own == compared;
    let bound = local(if has_all { without_conversions(right) } else { unconverted(right) }, variables);
    let is_reached = match (right.as_constant(), bound) {
        (Some(constant), _) => has_all || in_range(own, constant),
        (None, Some((_, kind))) => has_all || includes(own, kind),
        (None, None) => false,
    };
    let assigned = assigned(body);
    let is_steady = bound.is_none_or(|(bound, _)| bound != variable && !assigned.contains(&bound));
    is_reached && is_steady && !assigned.contains(&variable) && is_step(step, variable, direction)
}

/// The value before conversions that change no value of its type.
fn unconverted(value: &Expression) -> &Expression {
    let ExpressionKind::Convert(inner) = &value.kind else { return value };
    let is_same = value.ctype.as_integer().zip(inner.ctype.as_integer()).is_some_and(|(outer, kind)| includes(outer, kind));
    if is_same { unconverted(inner) } else { value }
}

/// The integer before all conversions between integers.
fn without_conversions(value: &Expression) -> &Expression {
    match &value.kind {
        ExpressionKind::Convert(inner) if inner.ctype.as_integer().is_some() => without_conversions(inner),
        _ => value,
    }
}

/// The integer variable that the value is read from, if only its name leads to it, and its type.
fn local(value: &Expression, variables: &[Variable]) -> Option<(VariableId, IntegerType)> {
    let ExpressionKind::Read(place) = &value.kind else { return None };
    let Base::Variable(id) = place.base else { return None };
    let variable = &variables[id];
    let kind = variable.ctype.as_integer().filter(|kind| *kind != IntegerType::Bool && !variable.addressed && !variable.ctype.volatile)?;
    Some((id, kind))
}

/// Is it `i++`, `++i`, `i += 1`, or the same down?
fn is_step(step: &Expression, variable: VariableId, direction: Operation) -> bool {
    let ExpressionKind::Update { place, change: Change::Integer { operation, operand, .. }, .. } = &step.kind else { return false };
    matches!(place.base, Base::Variable(id) if id == variable) && *operation == direction && operand.as_constant() == Some(1)
}

/// The variables of the source that statements assign to.
fn assigned(statements: &mut [Statement]) -> BTreeSet<VariableId> {
    let mut assigned = BTreeSet::new();
    each_expression(statements, &mut |part| {
        if let ExpressionKind::Assign { place, .. } | ExpressionKind::Update { place, .. } = &part.kind
            && let Base::Variable(id) = place.base
        {
            assigned.insert(id);
        }
    });
    assigned
}

/// Does a `goto` lead back to a label that has been passed, or out of a statement expression to wherever? Then it may do so for ever. Adds the labels
/// to those that have been passed.
pub(super) fn goes_back(statements: &mut [Statement], passed: &mut BTreeSet<LabelId>) -> bool {
    let mut found = false;
    for statement in statements {
        match &statement.kind {
            StatementKind::Label(label) => {
                passed.insert(*label);
            }
            StatementKind::Goto(label) => found |= passed.contains(label),
            _ => {}
        }
        found |= expressions(statement).into_iter().any(has_goto);
        for body in blocks(statement) {
            found |= goes_back(body, passed);
        }
    }
    found
}

/// Is there a `goto` in a statement expression that leads out of it, or back?
fn has_goto(expression: &mut Expression) -> bool {
    if let ExpressionKind::Statements { statements, .. } = &mut expression.kind
        && has_outward_goto(statements)
    {
        return true;
    }
    parts(expression).into_iter().any(has_goto)
}

/// Is there a `goto` to a label outside of the statements, or back to one among them?
fn has_outward_goto(statements: &mut [Statement]) -> bool {
    let labels = labels(statements);
    let mut targets = BTreeSet::new();
    each_target(statements, &mut targets);
    targets.difference(&labels).next().is_some() || goes_back(statements, &mut BTreeSet::new())
}

/// The labels of statements, but for those in statement expressions.
pub(super) fn labels(statements: &mut [Statement]) -> BTreeSet<LabelId> {
    let mut labels = BTreeSet::new();
    let mut open: Vec<&mut Statement> = statements.iter_mut().collect();
    while let Some(statement) = open.pop() {
        if let StatementKind::Label(label) = statement.kind {
            labels.insert(label);
        }
        open.extend(blocks(statement).into_iter().flatten());
    }
    labels
}

fn each_target(statements: &mut [Statement], targets: &mut BTreeSet<LabelId>) {
    for statement in statements {
        if let StatementKind::Goto(label) = statement.kind {
            targets.insert(label);
        }
        for body in blocks(statement) {
            each_target(body, targets);
        }
    }
}

/// What the statements of a statement expression are in, of what `break` and `continue` leave.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Nesting {
    /// Nothing inside of the statement expression.
    None,
    Switch,
    Loop,
}

/// May a statement expression be left by a jump, so that what is around it never comes to a value?
pub(super) fn jumps_out(statements: &mut [Statement]) -> bool {
    let inside = labels(statements);
    jumps(statements, &inside, Nesting::None)
}

fn jumps(statements: &mut [Statement], inside: &BTreeSet<LabelId>, nesting: Nesting) -> bool {
    statements.iter_mut().any(|statement| {
        let leaves = match &statement.kind {
            StatementKind::Return(_) => true,
            StatementKind::Goto(label) => !inside.contains(label),
            StatementKind::Break => nesting == Nesting::None,
            StatementKind::Continue => nesting != Nesting::Loop,
            _ => false,
        };
        let within = match &statement.kind {
            StatementKind::Loop { .. } | StatementKind::DoWhile { .. } => Nesting::Loop,
            StatementKind::Switch { .. } => nesting.max(Nesting::Switch),
            _ => nesting,
        };
        leaves
            || expressions(statement).into_iter().any(|expression| expression_jumps(expression, inside, nesting))
            || blocks(statement).into_iter().any(|body| jumps(body, inside, within))
    })
}

fn expression_jumps(expression: &mut Expression, inside: &BTreeSet<LabelId>, nesting: Nesting) -> bool {
    if let ExpressionKind::Statements { statements, .. } = &mut expression.kind {
        let mut both = labels(statements);
        both.extend(inside);
        if jumps(statements, &both, nesting) {
            return true;
        }
    }
    parts(expression).into_iter().any(|part| expression_jumps(part, inside, nesting))
}
