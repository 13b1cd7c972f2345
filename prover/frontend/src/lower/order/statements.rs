//! What statements are made of.

use crate::lower::tree::{Expression, Statement, StatementKind};

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
