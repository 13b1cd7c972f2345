//! What expressions stand for, and which clauses their operations mean (`spec/smt.md#definitions`).

use alloc::vec::Vec;
use goatherd_certificates::formula::{Domain, Expression, ExpressionId, Formula, Signed};
use goatherd_checker::{
    Arena, Rejection, ensure,
    error::{self, Failure, Where},
    rejection::{Fault, Part},
};

use Domain::{Array, Boolean, Integer};
use Signed::{Fails, Holds};

/// The expressions of a formula and of its evidence, each of which has a meaning.
pub struct Expressions<'a> {
    formula: &'a Formula,
    more: &'a [Expression],
    domains: Vec<Domain>,
}

impl<'a> Expressions<'a> {
    /// Finds the domain of each. Parts stand before what they are parts of, so nothing recurses.
    pub fn new(
        formula: &'a Formula,
        more: &'a [Expression],
        arena: &mut Arena,
    ) -> Result<Self, Failure> {
        let own = formula.expressions.len();
        let count = own.saturating_add(more.len());
        arena
            .budget
            .take(count.saturating_mul(size_of::<Domain>()))?;
        let mut all = Self {
            formula,
            more,
            domains: Vec::with_capacity(count),
        };
        for position in 0..count {
            let at = error::at(Where::Entry(Part::Expression, position));
            let expression = all.entry(position).map_err(&at)?;
            let is_witness = matches!(expression, Expression::Witness { .. });
            ensure(!is_witness || position >= own, at(DOMAIN))?;
            arena.budget.work(length(expression))?;
            let domain = all.domain_of(expression).map_err(at)?;
            all.domains.push(domain);
        }
        for (position, assertion) in formula.assertions.iter().enumerate() {
            arena.budget.work(0)?;
            all.expect(*assertion, Boolean)
                .map_err(error::at(Where::Entry(Part::Assertion, position)))?;
        }
        Ok(all)
    }

    fn entry(&self, position: usize) -> Result<&'a Expression, Rejection> {
        let more = || {
            let position = position.checked_sub(self.formula.expressions.len())?;
            self.more.get(position)
        };
        let own = self.formula.expressions.get(position);
        own.or_else(more).ok_or(Rejection::Missing)
    }

    /// The expression behind an id.
    pub fn get(&self, id: ExpressionId) -> Result<&'a Expression, Rejection> {
        self.entry(id.index())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.domains.len()
    }

    /// Of which domain it is. Of those that stand before, while domains are being found.
    pub fn domain(&self, id: ExpressionId) -> Result<Domain, Rejection> {
        self.domains.get(id.index()).copied().ok_or(DOMAIN)
    }

    /// The expression is of the domain.
    pub fn expect(&self, id: ExpressionId, domain: Domain) -> Result<(), Rejection> {
        ensure(self.domain(id)? == domain, DOMAIN)
    }

    fn domain_of(&self, expression: &Expression) -> Result<Domain, Rejection> {
        let all = |parts: &[(ExpressionId, Domain)]| {
            parts
                .iter()
                .try_for_each(|(part, domain)| self.expect(*part, *domain))
        };
        Ok(match expression {
            Expression::Constant(number) => {
                let position = usize::try_from(*number).unwrap_or(usize::MAX);
                let constant = self.formula.constants.get(position);
                constant.ok_or(Rejection::Missing)?.domain
            }
            Expression::Not(part) => all(&[(*part, Boolean)]).map(|()| Boolean)?,
            Expression::And(parts) | Expression::Or(parts) => {
                for part in parts {
                    self.expect(*part, Boolean)?;
                }
                Boolean
            }
            Expression::IfThenElse {
                condition,
                then,
                otherwise,
            } => {
                let domain = self.domain(*then)?;
                all(&[(*condition, Boolean), (*otherwise, domain)]).map(|()| domain)?
            }
            Expression::Equal { left, right } => {
                all(&[(*right, self.domain(*left)?)]).map(|()| Boolean)?
            }
            Expression::AtMost { left, right } => {
                all(&[(*left, Integer), (*right, Integer)]).map(|()| Boolean)?
            }
            Expression::Sum { summands, .. } => {
                for (part, _) in summands {
                    self.expect(*part, Integer)?;
                }
                Integer
            }
            Expression::Quotient { argument, divisor } => {
                ensure(*divisor >= 1, DOMAIN)?;
                all(&[(*argument, Integer)]).map(|()| Integer)?
            }
            Expression::Select { array, index } => {
                all(&[(*array, Array), (*index, Integer)]).map(|()| Integer)?
            }
            Expression::Store {
                array,
                index,
                value,
            } => all(&[(*array, Array), (*index, Integer), (*value, Integer)]).map(|()| Array)?,
            Expression::Fill(value) => all(&[(*value, Integer)]).map(|()| Array)?,
            Expression::Witness { left, right } => {
                all(&[(*left, Array), (*right, Array)]).map(|()| Integer)?
            }
        })
    }

    /// A clause of what a Boolean operation means, by number.
    pub fn definition(&self, id: ExpressionId, number: u32) -> Result<Vec<Signed>, Rejection> {
        let position = usize::try_from(number).unwrap_or(usize::MAX);
        let few: &[&[Signed]] = match *self.get(id)? {
            Expression::Not(part) => &[&[Fails(id), Fails(part)], &[Holds(id), Holds(part)]],
            Expression::And(ref parts) => {
                return junction(parts, position, [Fails(id), Holds(id)], [Holds, Fails]);
            }
            Expression::Or(ref parts) => {
                return junction(parts, position, [Holds(id), Fails(id)], [Fails, Holds]);
            }
            Expression::Equal {
                left: one,
                right: other,
            } if self.domain(one)? == Boolean => &[
                &[Fails(id), Fails(one), Holds(other)],
                &[Fails(id), Holds(one), Fails(other)],
                &[Holds(id), Holds(one), Holds(other)],
                &[Holds(id), Fails(one), Fails(other)],
            ],
            Expression::IfThenElse {
                condition,
                then,
                otherwise,
            } if self.domain(id)? == Boolean => &[
                &[Fails(condition), Fails(id), Holds(then)],
                &[Fails(condition), Holds(id), Fails(then)],
                &[Holds(condition), Fails(id), Holds(otherwise)],
                &[Holds(condition), Holds(id), Fails(otherwise)],
            ],
            _ => return Err(Rejection::Deduction),
        };
        let clause = few.get(position).ok_or(Rejection::Missing)?;
        Ok(clause.to_vec())
    }
}

/// Of a conjunction: that it is true says so of each part, and, last, that it is false says so of one of them. Of a disjunction the opposite.
fn junction(
    parts: &[ExpressionId],
    position: usize,
    [each, last]: [Signed; 2],
    [of_each, of_last]: [fn(ExpressionId) -> Signed; 2],
) -> Result<Vec<Signed>, Rejection> {
    if let Some(part) = parts.get(position) {
        return Ok(alloc::vec![each, of_each(*part)]);
    }
    ensure(position == parts.len(), Rejection::Missing)?;
    let parts = parts.iter().map(|part| of_last(*part));
    Ok([last].into_iter().chain(parts).collect())
}

/// Not of the domain that is needed.
const DOMAIN: Rejection = Rejection::IllFormed(Fault::Domain);

/// How many parts an expression has, where that is not bounded.
pub fn length(expression: &Expression) -> usize {
    match expression {
        Expression::And(parts) | Expression::Or(parts) => parts.len(),
        Expression::Sum { summands, .. } => summands.len(),
        _ => 0,
    }
}
