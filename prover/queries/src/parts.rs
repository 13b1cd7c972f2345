//! The parts of expressions.

use goatherd_certificates::formula::{Expression, ExpressionId};

/// Calls with each part of an expression.
pub fn parts(expression: &Expression, found: &mut impl FnMut(ExpressionId)) {
    replace(&mut expression.clone(), &mut |part| {
        found(part);
        part
    });
}

/// Puts other expressions in place of the parts.
pub fn replace(expression: &mut Expression, by: &mut impl FnMut(ExpressionId) -> ExpressionId) {
    let parts: Vec<&mut ExpressionId> = match expression {
        Expression::Constant(_) => Vec::new(),
        Expression::Not(part) | Expression::Quotient { argument: part, .. } | Expression::Fill(part) => vec![part],
        Expression::And(parts) | Expression::Or(parts) => parts.iter_mut().collect(),
        Expression::IfThenElse { condition, then, otherwise } => vec![condition, then, otherwise],
        Expression::Equal { left, right } | Expression::AtMost { left, right } | Expression::Witness { left, right } => vec![left, right],
        Expression::Sum { summands, .. } => summands.iter_mut().map(|(part, _)| part).collect(),
        Expression::Select { array, index } => vec![array, index],
        Expression::Store { array, index, value } => vec![array, index, value],
    };
    for part in parts {
        *part = by(*part);
    }
}
