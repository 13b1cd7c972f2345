//! Functions that are defined by a term: the term with arguments in place of parameters.

use crate::{parts::replace, table::ExpressionTable};
use goatherd_certificates::formula::{Domain, Expression, ExpressionId};
use std::collections::{BTreeMap, BTreeSet};

/// The most expressions that all applications of a script may be worked through for. With `(define-fun f ((x Int)) Int (g (g x)))`, and g defined in the
/// same way, terms double with each definition.
const MOST_EXPRESSIONS: usize = 1 << 19;

/// A function and what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Constants that stand for the arguments, and are nowhere else.
    parameters: Vec<ExpressionId>,
    /// What the body consists of that may mention parameters, each after its parts.
    expressions: Vec<ExpressionId>,
    body: ExpressionId,
}

/// How many expressions applications have been worked through for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Expanded(usize);

/// Applications come to too many expressions, or to numbers of more than 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Definition {
    /// Of a body in which these constants stand for the arguments: no expression older than they mentions them.
    pub fn new(table: &ExpressionTable, parameters: Vec<ExpressionId>, body: ExpressionId) -> Self {
        let first = parameters.iter().min().copied().unwrap_or(body);
        let (mut needed, mut open) = (BTreeSet::new(), vec![body]);
        while let Some(id) = open.pop() {
            if id >= first && needed.insert(id) {
                crate::parts(&table.expressions[id.index()], &mut |part| open.push(part));
            }
        }
        Self { parameters, expressions: needed.into_iter().collect(), body }
    }

    /// Of what domains the arguments are.
    pub fn domains(&self, table: &ExpressionTable) -> Vec<Domain> {
        self.parameters.iter().map(|parameter| table.domain(*parameter)).collect()
    }

    /// The body with the arguments, as many as there are parameters and of their domains.
    pub fn apply(
        &self,
        arguments: &[ExpressionId],
        table: &mut ExpressionTable,
        expanded: &mut Expanded,
    ) -> Result<ExpressionId, TooLarge> {
        expanded.0 = expanded.0.saturating_add(self.expressions.len());
        if expanded.0 > MOST_EXPRESSIONS {
            return Err(TooLarge);
        }
        let mut places: BTreeMap<ExpressionId, ExpressionId> = self.parameters.iter().copied().zip(arguments.iter().copied()).collect();
        for id in &self.expressions {
            if places.contains_key(id) {
                continue;
            }
            let mut expression = table.expressions[id.index()].clone();
            replace(&mut expression, &mut |part| places.get(&part).copied().unwrap_or(part));
            let place = simplified(expression, table).ok_or(TooLarge)?;
            places.insert(*id, place);
        }
        Ok(places.get(&self.body).copied().unwrap_or(self.body))
    }
}

/// The expression as it is written where it stands in a term by itself.
fn simplified(expression: Expression, table: &mut ExpressionTable) -> Option<ExpressionId> {
    Some(match expression {
        Expression::Not(part) => table.negation(part),
        Expression::And(parts) => table.conjunction(parts),
        Expression::Or(parts) => table.disjunction(parts),
        Expression::Equal { left, right } => table.equal(left, right),
        Expression::Sum { constant, mut summands } => {
            summands.push((table.number(constant), 1));
            table.sum(&summands)?
        }
        other => table.add(other),
    })
}
