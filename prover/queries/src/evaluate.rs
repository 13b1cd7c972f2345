//! What a formula comes to for given values, apart from the checker.

use goatherd_certificates::formula::{Expression, Formula};
use std::collections::BTreeMap;

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelValue {
    /// Of a Boolean.
    Boolean(bool),
    /// Of an integer.
    Integer(i128),
    /// Of an array: what is stored where, no entry being the value everywhere else; and that value.
    Array(BTreeMap<i128, i128>, i128),
}

/// Are all assertions true for these values of the constants? None where numbers have more than 128 bits, or a value is of another domain.
pub fn evaluate(formula: &Formula, constants: &[ModelValue]) -> Option<bool> {
    let mut values: Vec<ModelValue> = Vec::with_capacity(formula.expressions.len());
    for expression in &formula.expressions {
        let value = evaluated(expression, constants, &values)?;
        values.push(value);
    }
    let mut assertions = formula.assertions.iter().map(|assertion| values.get(assertion.index()));
    Some(assertions.all(|value| value == Some(&ModelValue::Boolean(true))))
}

fn evaluated(expression: &Expression, constants: &[ModelValue], values: &[ModelValue]) -> Option<ModelValue> {
    use ModelValue::{Array, Boolean, Integer};
    let value = |id: &goatherd_certificates::formula::ExpressionId| values.get(id.index());
    let boolean = |id| if let Boolean(value) = value(id)? { Some(*value) } else { None };
    let integer = |id| if let Integer(value) = value(id)? { Some(*value) } else { None };
    let array = |id| if let Array(entries, other) = value(id)? { Some((entries, *other)) } else { None };
    Some(match expression {
        Expression::Constant(number) => constants.get(usize::try_from(*number).ok()?)?.clone(),
        Expression::Not(part) => Boolean(!boolean(part)?),
        Expression::And(parts) => Boolean(parts.iter().map(boolean).collect::<Option<Vec<_>>>()?.into_iter().all(|part| part)),
        Expression::Or(parts) => Boolean(parts.iter().map(boolean).collect::<Option<Vec<_>>>()?.into_iter().any(|part| part)),
        Expression::IfThenElse { condition, then, otherwise } => value(if boolean(condition)? { then } else { otherwise })?.clone(),
        Expression::Equal { left, right } => Boolean(value(left)? == value(right)?),
        Expression::AtMost { left, right } => Boolean(integer(left)? <= integer(right)?),
        Expression::Sum { constant, summands } => {
            let mut sum = *constant;
            for (part, coefficient) in summands {
                sum = sum.checked_add(integer(part)?.checked_mul(*coefficient)?)?;
            }
            Integer(sum)
        }
        Expression::Quotient { argument, divisor } => Integer(integer(argument)?.checked_div_euclid(*divisor)?),
        Expression::Select { array: from, index } => {
            let (entries, other) = array(from)?;
            Integer(entries.get(&integer(index)?).copied().unwrap_or(other))
        }
        Expression::Store { array: below, index, value } => {
            let (entries, other) = array(below)?;
            let (mut entries, index, value) = (entries.clone(), integer(index)?, integer(value)?);
            if value == other {
                entries.remove(&index);
            } else {
                entries.insert(index, value);
            }
            Array(entries, other)
        }
        Expression::Fill(value) => Array(BTreeMap::new(), integer(value)?),
        Expression::Witness { left, right } => {
            let ((one, one_other), (two, two_other)) = (array(left)?, array(right)?);
            let element = |entries: &BTreeMap<i128, i128>, other: i128, index: &i128| entries.get(index).copied().unwrap_or(other);
            let differs = |index: &&i128| element(one, one_other, index) != element(two, two_other, index);
            let beyond = one.keys().chain(two.keys()).max().map_or(Some(0), |last| last.checked_add(1))?;
            let index = one.keys().chain(two.keys()).find(differs).copied();
            Integer(index.unwrap_or(if one_other == two_other { 0 } else { beyond }))
        }
    })
}
