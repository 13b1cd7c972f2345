//! Expressions, each once, with what they stand for.

use goatherd_certificates::formula::{Domain, Expression, ExpressionId, Formula, FormulaConstant};
use std::collections::BTreeMap;

/// All expressions of a script.
#[derive(Clone, Default, Debug)]
pub struct ExpressionTable {
    /// Those that were declared, also where their scope has ended.
    pub constants: Vec<FormulaConstant>,
    /// Each after its parts.
    pub expressions: Vec<Expression>,
    domains: Vec<Domain>,
    ids: BTreeMap<Expression, ExpressionId>,
}

fn domain(constants: &[FormulaConstant], domains: &[Domain], expression: &Expression) -> Domain {
    match expression {
        Expression::Constant(number) => constants[*number as usize].domain,
        Expression::IfThenElse { then, .. } => domains[then.index()],
        Expression::Not(_) | Expression::And(_) | Expression::Or(_) | Expression::Equal { .. } | Expression::AtMost { .. } => {
            Domain::Boolean
        }
        Expression::Sum { .. } | Expression::Quotient { .. } | Expression::Select { .. } | Expression::Witness { .. } => Domain::Integer,
        Expression::Store { .. } | Expression::Fill(_) => Domain::Array,
    }
}

impl ExpressionTable {
    /// Those of the formula, which is well formed and has each once.
    pub fn of(formula: &Formula) -> Self {
        let mut table = Self { constants: formula.constants.clone(), ..Self::default() };
        for expression in &formula.expressions {
            table.add(expression.clone());
        }
        table
    }

    /// The expression, made if it is new; its parts are of the right domains.
    pub fn add(&mut self, expression: Expression) -> ExpressionId {
        if let Some(id) = self.ids.get(&expression) {
            return *id;
        }
        // A script has at most 2^26 bytes.
        let id = ExpressionId(u32::try_from(self.expressions.len()).unwrap_or(u32::MAX));
        self.domains.push(domain(&self.constants, &self.domains, &expression));
        self.ids.insert(expression.clone(), id);
        self.expressions.push(expression);
        id
    }

    /// What it stands for.
    pub fn domain(&self, id: ExpressionId) -> Domain {
        self.domains[id.index()]
    }

    /// A new constant.
    pub fn declare(&mut self, name: &str, domain: Domain) -> ExpressionId {
        let number = u32::try_from(self.constants.len()).unwrap_or(u32::MAX);
        self.constants.push(FormulaConstant { name: name.to_owned(), domain });
        self.add(Expression::Constant(number))
    }

    /// A number.
    pub fn number(&mut self, constant: i128) -> ExpressionId {
        self.add(Expression::Sum { constant, summands: Vec::new() })
    }

    /// The value of a number.
    pub fn value(&self, id: ExpressionId) -> Option<i128> {
        match &self.expressions[id.index()] {
            Expression::Sum { constant, summands } if summands.is_empty() => Some(*constant),
            _ => None,
        }
    }

    /// A sum; of numbers alone, the number. None where that has more than 128 bits.
    pub fn sum(&mut self, summands: &[(ExpressionId, i128)]) -> Option<ExpressionId> {
        let (mut constant, mut others) = (0i128, Vec::new());
        for (part, coefficient) in summands {
            match self.value(*part) {
                Some(value) => constant = constant.checked_add(value.checked_mul(*coefficient)?)?,
                None => others.push((*part, *coefficient)),
            }
        }
        Some(match *others {
            [(part, 1)] if constant == 0 => part,
            _ => self.add(Expression::Sum { constant, summands: others }),
        })
    }

    /// The opposite.
    pub fn negation(&mut self, id: ExpressionId) -> ExpressionId {
        match self.expressions[id.index()] {
            Expression::Not(part) => part,
            _ => self.add(Expression::Not(id)),
        }
    }

    /// All of them; of one alone, that one.
    pub fn conjunction(&mut self, parts: Vec<ExpressionId>) -> ExpressionId {
        if let [part] = *parts { part } else { self.add(Expression::And(parts)) }
    }

    /// One of them; of one alone, that one.
    pub fn disjunction(&mut self, parts: Vec<ExpressionId>) -> ExpressionId {
        if let [part] = *parts { part } else { self.add(Expression::Or(parts)) }
    }

    /// `one = other`, written the same whichever comes first.
    pub fn equal(&mut self, one: ExpressionId, other: ExpressionId) -> ExpressionId {
        self.add(Expression::Equal { left: one.min(other), right: one.max(other) })
    }

    /// `left <= right`
    pub fn at_most(&mut self, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        self.add(Expression::AtMost { left, right })
    }

    /// `left < right`
    pub fn less(&mut self, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        let at_most = self.at_most(right, left);
        self.negation(at_most)
    }
}
