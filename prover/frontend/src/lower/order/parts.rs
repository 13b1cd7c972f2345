//! What statements and expressions are made of.

use crate::lower::tree::{Base, Builtin, Change, Expression, ExpressionKind, Item, Place, Statement, StatementKind};

/// The expressions of a statement itself.
pub(super) fn expressions(statement: &mut Statement) -> Vec<&mut Expression> {
    match &mut statement.kind {
        StatementKind::Expression(value)
        | StatementKind::Return(Some(value))
        | StatementKind::Switch { value, .. }
        | StatementKind::If { condition: value, .. }
        | StatementKind::DoWhile { condition: value, .. } => vec![value],
        StatementKind::Initialise(_, items) => items.iter_mut().map(|item| &mut item.value).collect(),
        StatementKind::Loop { condition, step, .. } => condition.iter_mut().chain(step).collect(),
        StatementKind::Block(..)
        | StatementKind::Declare(_)
        | StatementKind::Label(_)
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(None) => Vec::new(),
    }
}

/// The statements in a statement.
pub(super) fn blocks(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match &mut statement.kind {
        StatementKind::Block(_, body)
        | StatementKind::Loop { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. } => vec![body],
        StatementKind::If { then, otherwise, .. } => vec![then, otherwise],
        StatementKind::Expression(_)
        | StatementKind::Initialise(..)
        | StatementKind::Declare(_)
        | StatementKind::Label(_)
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(_) => Vec::new(),
    }
}

/// Every expression in statements, outer ones first.
pub(super) fn each_expression(statements: &mut [Statement], visit: &mut impl FnMut(&mut Expression)) {
    for statement in statements {
        for expression in expressions(statement) {
            each_part(expression, visit);
        }
        for body in blocks(statement) {
            each_expression(body, visit);
        }
    }
}

/// Every expression in one, itself first, and those in statement expressions.
pub(super) fn each_part(expression: &mut Expression, visit: &mut impl FnMut(&mut Expression)) {
    visit(expression);
    if let ExpressionKind::Statements { statements, .. } = &mut expression.kind {
        each_expression(statements, visit);
    }
    for part in parts(expression) {
        each_part(part, visit);
    }
}

/// What an expression is made of, in the order in which it is lowered, but for the statements of statement expressions.
pub(super) fn parts(expression: &mut Expression) -> Vec<&mut Expression> {
    match &mut expression.kind {
        ExpressionKind::Read(place) | ExpressionKind::AddressOf(place) => place_parts(place),
        ExpressionKind::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
        ExpressionKind::Assign { place, value } => [&mut **value].into_iter().chain(place_parts(place)).collect(),
        ExpressionKind::Update { place, change: Change::Integer { operand, .. } | Change::Pointer { index: operand, .. }, .. } => {
            [&mut **operand].into_iter().chain(place_parts(place)).collect()
        }
        ExpressionKind::Statements { value, .. } => value.iter_mut().map(|value| &mut **value).collect(),
        ExpressionKind::Constant(_) | ExpressionKind::Function(_) => Vec::new(),
        ExpressionKind::Convert(inner) | ExpressionKind::Not(inner) => vec![inner],
        ExpressionKind::And(left, right)
        | ExpressionKind::Or(left, right)
        | ExpressionKind::Comma(left, right)
        | ExpressionKind::Then(left, right)
        | ExpressionKind::Either(left, right)
        | ExpressionKind::Binary(_, left, right)
        | ExpressionKind::Compare(_, left, right)
        | ExpressionKind::Advance { base: left, index: right, .. }
        | ExpressionKind::Element { first: left, index: right, .. }
        | ExpressionKind::Distance { left, right, .. } => vec![left, right],
        ExpressionKind::Call { arguments, .. } => arguments.iter_mut().collect(),
        ExpressionKind::CallThrough { pointer, arguments } => [&mut **pointer].into_iter().chain(arguments).collect(),
        ExpressionKind::Builtin(builtin) => match builtin {
            Builtin::Assume(inner) | Builtin::Assert(inner) | Builtin::Allocate(inner) | Builtin::Free(inner) => vec![inner],
            Builtin::AllocateZero(count, size) => vec![count, size],
            Builtin::Replace { to, from, bytes } => vec![to, from, bytes],
            Builtin::Halt(parts) => parts.iter_mut().collect(),
            Builtin::Ignore | Builtin::Fail(_) | Builtin::Undefined(_) | Builtin::Arbitrary | Builtin::Unspecified | Builtin::Numbers => {
                Vec::new()
            }
        },
    }
}

fn place_parts(place: &mut Place) -> Vec<&mut Expression> {
    match &mut place.base {
        Base::Variable(_) | Base::Global(_) => Vec::new(),
        Base::Pointer(inner) | Base::Value(inner) => vec![inner],
        Base::Literal(_, items) => items.iter_mut().map(|item: &mut Item| &mut item.value).collect(),
    }
}
