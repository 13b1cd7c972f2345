//! Decides formulas of linear integer arithmetic with arrays, as far as it goes, and shows that one has no model (`spec/smt.md`).
//!
//! [`decide`] makes clauses of a formula: what its Boolean operations mean, and `instances` of what holds of arrays and choices. `clauses` searches them;
//! `arithmetic` says which comparisons contradict each other, by the method of `simplex`, and `refutation` writes that down for the kernel.

mod arithmetic;
mod clauses;
mod instances;
mod refutation;
mod simplex;

use arithmetic::Arithmetic;
use clauses::{Clauses, Searched};
use goatherd_certificates::{
    formula::{Domain, Expression, ExpressionId, Formula, FormulaEvidence, Inference, Signed},
    term::Term,
};
use goatherd_logic::terms::renumber_refutations;
use goatherd_queries::{
    evaluate::{ModelValue, evaluate},
    table::ExpressionTable,
};
use std::collections::BTreeMap;

/// Quotients stand at most so deeply inside of each other: what makes columns and the certificate's table of terms of them recurses as deeply.
const DEEPEST: u32 = 1000;

/// What is known of a formula.
#[derive(Clone, Debug)]
pub enum Decision {
    /// It has no model, and this shows it.
    Unsatisfiable(FormulaEvidence),
    /// It is true for these values of its constants: so says evaluation.
    Satisfiable(Vec<ModelValue>),
    /// Nothing, and why, in words.
    Unknown(&'static str),
}

/// Looks for a model, or for why there is none, no longer than so many steps.
pub fn decide(formula: &Formula, steps: usize) -> Decision {
    let mut table = ExpressionTable::of(formula);
    if depth_of_quotients(&table) > DEEPEST {
        return Decision::Unknown("divisions stand more than 1,000 deep inside of each other");
    }
    let Ok(instances) = instances::instances(&mut table) else { return Decision::Unknown("too many elements of arrays are read") };
    let equations = equations(&mut table);
    let booleans = (0..).map(ExpressionId).zip(&table.expressions).map(|(id, _)| id).filter(|id| table.domain(*id) == Domain::Boolean);
    let mut clauses = Clauses::new(booleans.collect());
    let Ok(mut arithmetic) = Arithmetic::new(&table) else { return Decision::Unknown("a number has more than 128 bits") };
    for (number, assertion) in (0..).zip(&formula.assertions) {
        clauses.add(&[Signed::Holds(*assertion)], Inference::Assertion(number));
    }
    for (id, expression) in (0..).map(ExpressionId).zip(&table.expressions) {
        define(&table, id, expression, &mut clauses);
    }
    for (clause, inference) in instances {
        clauses.add(&clause, inference);
    }
    for (equal, sides, comparisons) in equations {
        for lemma in arithmetic.equation(equal, sides, comparisons) {
            let inference = Inference::Arithmetic { clause: lemma.clause.clone(), refutation: lemma.refutation };
            clauses.add(&lemma.clause, inference);
        }
    }
    match clauses.search(&mut arithmetic, steps) {
        Searched::Unsatisfiable => evidence(formula, table, &clauses, &arithmetic),
        Searched::Satisfiable => {
            let model = model(formula, &table, &clauses, &arithmetic);
            let model = model.filter(|model| evaluate(formula, model) == Some(true));
            model.map_or(Decision::Unknown("values were found that are no model of its arrays"), Decision::Satisfiable)
        }
        Searched::Unknown => Decision::Unknown("it takes too many steps (--steps), or numbers of more than 128 bits"),
    }
}

/// How deeply quotients stand inside of each other.
fn depth_of_quotients(table: &ExpressionTable) -> u32 {
    let mut depths: Vec<u32> = Vec::with_capacity(table.expressions.len());
    for expression in &table.expressions {
        let depth = match expression {
            Expression::Quotient { argument, .. } => depths[argument.index()] + 1,
            Expression::Sum { summands, .. } => summands.iter().map(|(part, _)| depths[part.index()]).max().unwrap_or(0),
            // Arithmetic looks at these as at variables.
            _ => 0,
        };
        depths.push(depth);
    }
    depths.iter().max().copied().unwrap_or(0)
}

/// An equation of integers, its sides, and `left <= right` and `right <= left`.
type Equation = (ExpressionId, (ExpressionId, ExpressionId), [ExpressionId; 2]);

/// The equations of integers, with comparisons for each.
fn equations(table: &mut ExpressionTable) -> Vec<Equation> {
    let mut equations = Vec::new();
    for (id, expression) in (0..).map(ExpressionId).zip(table.expressions.clone()) {
        if let Expression::Equal { left, right } = expression
            && table.domain(left) == Domain::Integer
        {
            let comparisons = [table.at_most(left, right), table.at_most(right, left)];
            equations.push((id, (left, right), comparisons));
        }
    }
    equations
}

/// Adds the clauses of what a Boolean operation means, as `spec/smt.md#definitions` numbers them.
fn define(table: &ExpressionTable, id: ExpressionId, expression: &Expression, clauses: &mut Clauses) {
    use Signed::{Fails, Holds};
    let of = |signs: &[Signed]| signs.to_vec();
    let all: Vec<Vec<Signed>> = match expression {
        Expression::Not(part) => vec![of(&[Fails(id), Fails(*part)]), of(&[Holds(id), Holds(*part)])],
        Expression::And(parts) => {
            let each = parts.iter().map(|part| of(&[Fails(id), Holds(*part)]));
            let last = [Holds(id)].into_iter().chain(parts.iter().copied().map(Fails)).collect();
            each.chain([last]).collect()
        }
        Expression::Or(parts) => {
            let each = parts.iter().map(|part| of(&[Holds(id), Fails(*part)]));
            let last = [Fails(id)].into_iter().chain(parts.iter().copied().map(Holds)).collect();
            each.chain([last]).collect()
        }
        Expression::Equal { left, right } if table.domain(*left) == Domain::Boolean => vec![
            of(&[Fails(id), Fails(*left), Holds(*right)]),
            of(&[Fails(id), Holds(*left), Fails(*right)]),
            of(&[Holds(id), Holds(*left), Holds(*right)]),
            of(&[Holds(id), Fails(*left), Fails(*right)]),
        ],
        Expression::IfThenElse { condition, then, otherwise } if table.domain(id) == Domain::Boolean => vec![
            of(&[Fails(*condition), Fails(id), Holds(*then)]),
            of(&[Fails(*condition), Holds(id), Fails(*then)]),
            of(&[Holds(*condition), Fails(id), Holds(*otherwise)]),
            of(&[Holds(*condition), Holds(id), Fails(*otherwise)]),
        ],
        _ => return,
    };
    for (number, clause) in (0..).zip(all) {
        clauses.add(&clause, Inference::Definition { expression: id, clause: number });
    }
}

/// What leads to the empty clause, with terms of its own.
fn evidence(formula: &Formula, table: ExpressionTable, clauses: &Clauses, arithmetic: &Arithmetic) -> Decision {
    let mut steps = clauses.proof();
    let refutations =
        steps.iter_mut().filter_map(|step| if let Inference::Arithmetic { refutation, .. } = step { Some(refutation) } else { None });
    let Ok(terms) = renumber_refutations(&arithmetic.arena, refutations) else { return Decision::Unknown("a term is not there") };
    let terms: Vec<Term> = terms;
    let expressions = table.expressions.into_iter().skip(formula.expressions.len()).collect();
    Decision::Unsatisfiable(FormulaEvidence { terms, expressions, steps })
}

/// The values of the constants in what the search has found.
fn model(formula: &Formula, table: &ExpressionTable, clauses: &Clauses, arithmetic: &Arithmetic) -> Option<Vec<ModelValue>> {
    let mut values: Vec<ModelValue> = formula
        .constants
        .iter()
        .map(|constant| match constant.domain {
            Domain::Boolean => ModelValue::Boolean(false),
            Domain::Integer => ModelValue::Integer(0),
            Domain::Array => ModelValue::Array(BTreeMap::new(), 0),
        })
        .collect();
    for (id, expression) in (0..).map(ExpressionId).zip(&table.expressions) {
        match expression {
            Expression::Constant(number) => match &mut values[*number as usize] {
                ModelValue::Boolean(value) => *value = clauses.is_true(id)?,
                ModelValue::Integer(value) => *value = arithmetic.value(id)?,
                ModelValue::Array(..) => {}
            },
            Expression::Select { array, index } => {
                let Expression::Constant(number) = table.expressions[array.index()] else { continue };
                let (index, element) = (arithmetic.value(*index)?, arithmetic.value(id)?);
                if let ModelValue::Array(entries, _) = &mut values[number as usize]
                    && element != 0
                {
                    entries.insert(index, element);
                }
            }
            _ => {}
        }
    }
    Some(values)
}
