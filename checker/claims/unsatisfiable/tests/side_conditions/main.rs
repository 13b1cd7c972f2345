//! What each inference shows, no more and no less, and each of its side conditions violated alone.
// Tests may panic; one of them is a table of cases, and steps are made where they are refused.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::too_many_lines,
    clippy::needless_pass_by_value
)]

mod arrays;
mod clauses;
mod expressions;
mod integers;

use goatherd_certificates::{
    certificate::{Claim, Limits, Origin},
    formula::*,
};
use goatherd_checker::{
    Budget, Declined, Rejection,
    error::{Failure, Where},
};
use goatherd_claim_unsatisfiable::replay;

/// The memory that a check may take, in bytes.
const MEMORY: u64 = 1 << 20;

fn e(number: usize) -> ExpressionId {
    ExpressionId(u32::try_from(number).unwrap())
}

/// Expressions, by name of what they are.
#[derive(Default)]
struct Builder {
    constants: Vec<FormulaConstant>,
    expressions: Vec<Expression>,
    more: Vec<Expression>,
}

impl Builder {
    fn constant(&mut self, name: &str, domain: Domain) -> ExpressionId {
        let number = u32::try_from(self.constants.len()).unwrap();
        self.constants.push(FormulaConstant {
            name: name.to_owned(),
            domain,
        });
        self.add(Expression::Constant(number))
    }

    /// One of the formula, before all of the evidence.
    fn add(&mut self, expression: Expression) -> ExpressionId {
        assert!(self.more.is_empty());
        self.expressions.push(expression);
        e(self.expressions.len() - 1)
    }

    fn more(&mut self, expression: Expression) -> ExpressionId {
        self.more.push(expression);
        e(self.expressions.len() + self.more.len() - 1)
    }

    fn equal(&mut self, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        self.add(Expression::Equal { left, right })
    }

    fn select(&mut self, array: ExpressionId, index: ExpressionId) -> ExpressionId {
        self.add(Expression::Select { array, index })
    }

    fn certificate(
        &self,
        assertions: &[ExpressionId],
        steps: Vec<Inference>,
    ) -> FormulaCertificate {
        FormulaCertificate {
            limits: Limits {
                memory: MEMORY,
                work: 1 << 20,
            },
            claim: Claim::Unsatisfiable,
            origin: Origin {
                file: String::from("x.smt2"),
                digest: [0; 32],
                definitions: Vec::new(),
                includes: Vec::new(),
                waived: Vec::new(),
            },
            formula: Formula {
                question: 1,
                constants: self.constants.clone(),
                expressions: self.expressions.clone(),
                assertions: assertions.to_vec(),
            },
            evidence: FormulaEvidence {
                terms: Vec::new(),
                expressions: self.more.clone(),
                steps,
            },
        }
    }

    /// The step shows exactly this clause.
    fn shows(&self, step: &Inference, clause: &[Signed]) {
        let after = |clause: Vec<Signed>| {
            let hints = vec![ClauseId(0)];
            let steps = vec![step.clone(), Inference::Propagation { clause, hints }];
            failure(&self.certificate(&[e(0)], steps))
        };
        let open = rejected(Where::Evidence, Rejection::Open);
        assert_eq!(after(clause.to_vec()), open, "{step:?} shows {clause:?}");
        for position in 0..clause.len() {
            let mut part = clause.to_vec();
            part.remove(position);
            // What is left is no contradiction, or, of one literal, none at all.
            let not_closed = rejected(Where::Step(1), Rejection::NotRefuted);
            assert_eq!(after(part.clone()), not_closed, "{step:?} shows {part:?}");
        }
    }

    /// The step is refused.
    fn refuses(&self, step: Inference, rejection: Rejection) {
        let refused = failure(&self.certificate(&[e(0)], vec![step.clone()]));
        assert_eq!(refused, rejected(Where::Step(0), rejection), "{step:?}");
    }
}

fn check(certificate: &FormulaCertificate) -> Result<(), Failure> {
    replay(certificate, Budget::within(certificate.limits)).map(|_| ())
}

fn failure(certificate: &FormulaCertificate) -> Failure {
    check(certificate).unwrap_err()
}

fn rejected(place: Where, rejection: Rejection) -> Failure {
    Failure::Rejected { place, rejection }
}

/// `p` and `not p`, by which the empty clause follows.
fn contradiction() -> FormulaCertificate {
    let mut builder = Builder::default();
    let p = builder.constant("p", Domain::Boolean);
    let not = builder.add(Expression::Not(p));
    let steps = vec![
        Inference::Assertion(0),
        Inference::Assertion(1),
        Inference::Definition {
            expression: not,
            clause: 0,
        },
        Inference::Propagation {
            clause: vec![],
            hints: vec![ClauseId(0), ClauseId(1), ClauseId(2)],
        },
    ];
    builder.certificate(&[p, not], steps)
}

#[test]
fn a_contradiction_is_accepted() {
    assert_eq!(check(&contradiction()), Ok(()));
}

#[test]
fn the_claim_and_its_end_are_looked_at() {
    let mut other = contradiction();
    other.claim = Claim::Invariant;
    assert_eq!(failure(&other), rejected(Where::Evidence, Rejection::Claim));
    let mut open = contradiction();
    open.evidence.steps.pop();
    assert_eq!(failure(&open), rejected(Where::Evidence, Rejection::Open));
    // The empty clause has to be the last one.
    let mut more = contradiction();
    more.evidence.steps.push(Inference::Assertion(0));
    assert_eq!(failure(&more), rejected(Where::Evidence, Rejection::Open));
    let mut nothing = contradiction();
    nothing.evidence.steps.clear();
    assert_eq!(
        failure(&nothing),
        rejected(Where::Evidence, Rejection::Open)
    );
}

#[test]
fn memory_and_work_are_paid_for() {
    let mut certificate = contradiction();
    certificate.limits.work = 8;
    assert_eq!(
        failure(&certificate),
        Failure::Declined(Declined::Work { limit: 8 })
    );
    let mut certificate = contradiction();
    certificate.limits.memory = 64;
    assert_eq!(
        failure(&certificate),
        Failure::Declined(Declined::Memory { limit: 64 })
    );
}
