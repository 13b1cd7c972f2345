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

use goatherd_certificates::{
    certificate::{Claim, Limits, Origin},
    derivation::{Deduction, FactId, Refutation},
    formula::*,
    term::{Atom, AtomId, Term, Variable},
};
use goatherd_checker::{
    Budget, Declined, Rejection,
    error::{Failure, Where},
    rejection::{Fault, Part},
};
use goatherd_claim_unsatisfiable::replay;

use Signed::{Fails, Holds};

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

fn combine(parts: &[(u32, i128)]) -> Deduction {
    let part = |(fact, times): &(u32, i128)| (FactId(*fact), *times);
    Deduction::Combine(parts.iter().map(part).collect())
}

fn arithmetic(clause: &[Signed], deductions: Vec<Deduction>) -> Inference {
    Inference::Arithmetic {
        clause: clause.to_vec(),
        refutation: Refutation { deductions },
    }
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
fn propagation_follows_its_hints() {
    let change = |change: fn(&mut Vec<Signed>, &mut Vec<ClauseId>)| {
        let mut certificate = contradiction();
        let Some(Inference::Propagation { clause, hints }) = certificate.evidence.steps.last_mut()
        else {
            panic!("the last step")
        };
        change(clause, hints);
        failure(&certificate)
    };
    let step = |rejection| rejected(Where::Step(3), rejection);
    // A hint is missing, comes too early, too late, twice, or does not exist.
    let missing = change(|_, hints| hints.truncate(2));
    assert_eq!(missing, step(Rejection::NotRefuted));
    let early = change(|_, hints| hints.rotate_right(1));
    assert_eq!(early, step(Rejection::Hints));
    let beyond = change(|_, hints| hints.push(ClauseId(0)));
    assert_eq!(beyond, step(Rejection::Hints));
    let twice = change(|_, hints| hints.insert(0, ClauseId(0)));
    assert_eq!(twice, step(Rejection::Hints));
    let itself = change(|_, hints| hints.insert(0, ClauseId(3)));
    assert_eq!(itself, step(Rejection::Missing));
    // The clause is a tautology, or speaks of what is not there.
    let tautology = change(|clause, _| clause.extend([Holds(e(0)), Fails(e(0))]));
    assert_eq!(tautology, step(Rejection::Hints));
    let nowhere = change(|clause, _| clause.push(Holds(e(9))));
    assert_eq!(nowhere, step(Rejection::IllFormed(Fault::Domain)));
}

#[test]
fn a_clause_is_of_what_is_true_or_false() {
    let mut builder = Builder::default();
    let p = builder.constant("p", Domain::Boolean);
    let x = builder.constant("x", Domain::Integer);
    let not = builder.add(Expression::Not(p));
    let steps = vec![
        Inference::Definition {
            expression: not,
            clause: 0,
        },
        Inference::Propagation {
            clause: vec![Fails(p), Fails(not), Holds(x)],
            hints: vec![ClauseId(0)],
        },
    ];
    let refused = failure(&builder.certificate(&[p], steps));
    assert_eq!(
        refused,
        rejected(Where::Step(1), Rejection::IllFormed(Fault::Domain))
    );
}

#[test]
fn assertions_are_those_of_the_formula() {
    let mut builder = Builder::default();
    let p = builder.constant("p", Domain::Boolean);
    builder.shows(&Inference::Assertion(0), &[Holds(p)]);
    builder.refuses(Inference::Assertion(1), Rejection::Missing);
}

#[test]
fn definitions_are_what_operations_mean() {
    let mut builder = Builder::default();
    let [p, q, r] = ["p", "q", "r"].map(|name| builder.constant(name, Domain::Boolean));
    let x = builder.constant("x", Domain::Integer);
    let not = builder.add(Expression::Not(p));
    let and = builder.add(Expression::And(vec![p, q]));
    let or = builder.add(Expression::Or(vec![p, q]));
    let equal = builder.equal(p, q);
    let choice = builder.add(Expression::IfThenElse {
        condition: p,
        then: q,
        otherwise: r,
    });
    let of_integers = builder.equal(x, x);
    let integer = builder.add(Expression::IfThenElse {
        condition: p,
        then: x,
        otherwise: x,
    });
    let all: [(ExpressionId, Vec<Vec<Signed>>); 5] = [
        (
            not,
            vec![vec![Fails(not), Fails(p)], vec![Holds(not), Holds(p)]],
        ),
        (
            and,
            vec![
                vec![Fails(and), Holds(p)],
                vec![Fails(and), Holds(q)],
                vec![Holds(and), Fails(p), Fails(q)],
            ],
        ),
        (
            or,
            vec![
                vec![Holds(or), Fails(p)],
                vec![Holds(or), Fails(q)],
                vec![Fails(or), Holds(p), Holds(q)],
            ],
        ),
        (
            equal,
            vec![
                vec![Fails(equal), Fails(p), Holds(q)],
                vec![Fails(equal), Holds(p), Fails(q)],
                vec![Holds(equal), Holds(p), Holds(q)],
                vec![Holds(equal), Fails(p), Fails(q)],
            ],
        ),
        (
            choice,
            vec![
                vec![Fails(p), Fails(choice), Holds(q)],
                vec![Fails(p), Holds(choice), Fails(q)],
                vec![Holds(p), Fails(choice), Holds(r)],
                vec![Holds(p), Holds(choice), Fails(r)],
            ],
        ),
    ];
    let definition = |expression, clause: usize| Inference::Definition {
        expression,
        clause: u32::try_from(clause).unwrap(),
    };
    for (expression, clauses) in all {
        for (number, clause) in clauses.iter().enumerate() {
            builder.shows(&definition(expression, number), clause);
        }
        builder.refuses(definition(expression, clauses.len()), Rejection::Missing);
    }
    for other in [p, x, of_integers, integer] {
        builder.refuses(definition(other, 0), Rejection::Deduction);
    }
    builder.refuses(definition(e(99), 0), Rejection::Missing);
}

#[test]
fn a_choice_is_one_of_two() {
    let mut builder = Builder::default();
    let p = builder.constant("p", Domain::Boolean);
    let [x, y, z] = ["x", "y", "z"].map(|name| builder.constant(name, Domain::Integer));
    let choice = builder.add(Expression::IfThenElse {
        condition: p,
        then: x,
        otherwise: y,
    });
    let [then, otherwise, other] = [x, y, z].map(|value| builder.equal(choice, value));
    let turned = builder.equal(x, choice);
    let step = |equality| Inference::Choice { equality };
    builder.shows(&step(then), &[Fails(p), Holds(then)]);
    builder.shows(&step(otherwise), &[Holds(p), Holds(otherwise)]);
    for equality in [other, turned, choice] {
        builder.refuses(step(equality), Rejection::Deduction);
    }
}

/// `select(store(a, i, v), j)` and what it may be equal to.
struct Reads {
    builder: Builder,
    same: ExpressionId,
    other: ExpressionId,
    indices: ExpressionId,
}

fn reads() -> Reads {
    let mut builder = Builder::default();
    builder.constant("p", Domain::Boolean);
    let a = builder.constant("a", Domain::Array);
    let [i, j, v] = ["i", "j", "v"].map(|name| builder.constant(name, Domain::Integer));
    let store = builder.add(Expression::Store {
        array: a,
        index: i,
        value: v,
    });
    let (element, below) = (builder.select(store, j), builder.select(a, j));
    let same = builder.equal(element, v);
    let other = builder.equal(element, below);
    let indices = builder.equal(i, j);
    Reads {
        builder,
        same,
        other,
        indices,
    }
}

#[test]
fn a_store_is_read() {
    let Reads {
        mut builder,
        same,
        other,
        indices,
    } = reads();
    let read_same = |equality, indices| Inference::ReadSame { equality, indices };
    let read_other = |equality, indices| Inference::ReadOther { equality, indices };
    builder.shows(&read_same(same, indices), &[Fails(indices), Holds(same)]);
    builder.shows(&read_other(other, indices), &[Holds(indices), Holds(other)]);
    let [a, i, j] = [1, 2, 3].map(e);
    // Of another array, at another index, of no store; the indices the other way round, or others.
    let elsewhere = builder.select(a, i);
    let of_elsewhere = builder.equal(e(6), elsewhere);
    let of_no_store = builder.equal(e(7), e(4));
    let turned = builder.equal(j, i);
    let one = builder.equal(i, i);
    for (equality, indices) in [
        (same, turned),
        (same, one),
        (same, same),
        (other, indices),
        (of_no_store, indices),
    ] {
        builder.refuses(read_same(equality, indices), Rejection::Deduction);
    }
    for (equality, indices) in [
        (other, turned),
        (other, one),
        (same, indices),
        (of_elsewhere, indices),
    ] {
        builder.refuses(read_other(equality, indices), Rejection::Deduction);
    }
}

#[test]
fn an_array_of_one_value_is_read() {
    let mut builder = Builder::default();
    let [v, w] = ["v", "w"].map(|name| builder.constant(name, Domain::Integer));
    let a = builder.constant("a", Domain::Array);
    let fill = builder.add(Expression::Fill(v));
    let element = builder.select(fill, w);
    let of_constant = builder.select(a, w);
    let [right, wrong] = [v, w].map(|value| builder.equal(element, value));
    let of_other = builder.equal(of_constant, v);
    let p = builder.add(Expression::And(vec![]));
    let certificate = |steps| builder.certificate(&[p], steps);
    let step = |equality| Inference::ReadFill { equality };
    let open = rejected(Where::Evidence, Rejection::Open);
    assert_eq!(failure(&certificate(vec![step(right)])), open);
    for equality in [wrong, of_other] {
        let refused = rejected(Where::Step(0), Rejection::Deduction);
        assert_eq!(failure(&certificate(vec![step(equality)])), refused);
    }
}

#[test]
fn equal_arrays_have_equal_elements() {
    let mut builder = Builder::default();
    builder.constant("p", Domain::Boolean);
    let [a, b] = ["a", "b"].map(|name| builder.constant(name, Domain::Array));
    let [i, j] = ["i", "j"].map(|name| builder.constant(name, Domain::Integer));
    let (left, right, beside) = (
        builder.select(a, i),
        builder.select(b, j),
        builder.select(a, j),
    );
    let equality = builder.equal(left, right);
    let (arrays, indices) = (builder.equal(a, b), builder.equal(i, j));
    let (turned, in_one) = (builder.equal(b, a), builder.equal(left, beside));
    let step = |equality, premises: &[ExpressionId]| Inference::SameElement {
        equality,
        premises: premises.to_vec(),
    };
    builder.shows(
        &step(equality, &[arrays, indices]),
        &[Fails(arrays), Fails(indices), Holds(equality)],
    );
    builder.shows(&step(in_one, &[indices]), &[Fails(indices), Holds(in_one)]);
    let wrong: [&[ExpressionId]; 6] = [
        &[],
        &[arrays],
        &[indices],
        &[indices, arrays],
        &[turned, indices],
        &[arrays, indices, indices],
    ];
    for premises in wrong {
        builder.refuses(step(equality, premises), Rejection::Deduction);
    }
    builder.refuses(step(in_one, &[arrays, indices]), Rejection::Deduction);
    builder.refuses(step(arrays, &[]), Rejection::Deduction);
}

#[test]
fn arrays_that_differ_have_a_witness() {
    let mut builder = Builder::default();
    builder.constant("p", Domain::Boolean);
    let [a, b] = ["a", "b"].map(|name| builder.constant(name, Domain::Array));
    let i = builder.constant("i", Domain::Integer);
    let equality = builder.equal(a, b);
    let more =
        |builder: &mut Builder, index: ExpressionId, (one, other): (ExpressionId, ExpressionId)| {
            let left = builder.more(Expression::Select { array: one, index });
            let right = builder.more(Expression::Select {
                array: other,
                index,
            });
            builder.more(Expression::Equal { left, right })
        };
    let witness = builder.more(Expression::Witness { left: a, right: b });
    let turned = builder.more(Expression::Witness { left: b, right: a });
    let elements = more(&mut builder, witness, (a, b));
    let wrong = [
        more(&mut builder, i, (a, b)),
        more(&mut builder, turned, (a, b)),
        more(&mut builder, witness, (b, a)),
        more(&mut builder, witness, (a, a)),
    ];
    let step = |elements| Inference::Extensionality { equality, elements };
    builder.shows(&step(elements), &[Holds(equality), Fails(elements)]);
    for elements in wrong {
        builder.refuses(step(elements), Rejection::Deduction);
    }
}

#[test]
fn arithmetic_is_that_of_the_kernel() {
    let mut builder = Builder::default();
    builder.constant("p", Domain::Boolean);
    let [x, y] = ["x", "y"].map(|name| builder.constant(name, Domain::Integer));
    let below = builder.add(Expression::AtMost { left: x, right: y });
    let above = builder.add(Expression::AtMost { left: y, right: x });
    let equal = builder.equal(x, y);
    let total = [Holds(below), Holds(above)];
    // x > y and y > x: 2 <= 0
    builder.shows(
        &arithmetic(&total, vec![combine(&[(0, 1), (1, 1)])]),
        &total,
    );
    let wrong = [
        arithmetic(&total, vec![]),
        arithmetic(&total, vec![combine(&[(0, 1)])]),
        arithmetic(
            &[Holds(below), Fails(above)],
            vec![combine(&[(0, 1), (1, 1)])],
        ),
        arithmetic(&[], vec![combine(&[])]),
    ];
    for step in wrong {
        builder.refuses(step, Rejection::NotRefuted);
    }
    for step in [
        arithmetic(&total, vec![combine(&[(0, 1), (2, 1)])]),
        arithmetic(&total, vec![combine(&[(0, 1), (1, -1)])]),
        // Not a comparison of integers.
        arithmetic(
            &[Holds(e(0)), Holds(below), Holds(above)],
            vec![combine(&[(1, 1), (2, 1)])],
        ),
    ] {
        builder.refuses(step, Rejection::Deduction);
    }
    // The opposite of an equation is not two comparisons at once; the opposite of its negation is.
    builder.shows(
        &arithmetic(
            &[Fails(equal), Holds(below)],
            vec![combine(&[(0, 1), (1, 1)])],
        ),
        &[Fails(equal), Holds(below)],
    );
    builder.refuses(
        arithmetic(
            &[Holds(equal), Holds(below)],
            vec![combine(&[(0, 1), (1, 1)])],
        ),
        Rejection::Deduction,
    );
}

#[test]
fn numbers_are_of_any_size_or_refused() {
    // x <= y and y <= x - 1 where x is as large as no type of C has it: still a contradiction.
    let mut builder = Builder::default();
    let x = builder.constant("x", Domain::Integer);
    let sum = |builder: &mut Builder, constant, factor| {
        builder.add(Expression::Sum {
            constant,
            summands: vec![(x, factor)],
        })
    };
    let limit = builder.add(Expression::Sum {
        constant: i128::from(u64::MAX) + 1,
        summands: vec![],
    });
    let large = builder.add(Expression::AtMost {
        left: limit,
        right: x,
    });
    let certificate = builder.certificate(
        &[large],
        vec![arithmetic(&[Fails(large)], vec![combine(&[(0, 1)])])],
    );
    // That a variable is that large is no contradiction.
    assert_eq!(
        failure(&certificate),
        rejected(Where::Step(0), Rejection::NotRefuted)
    );
    // 2^126 x, four times, has no place.
    let quarter = sum(&mut builder, 0, 1 << 126);
    builder.add(Expression::Sum {
        constant: 0,
        summands: vec![(quarter, 4)],
    });
    let certificate = builder.certificate(&[], vec![]);
    assert_eq!(
        failure(&certificate),
        rejected(Where::Evidence, Rejection::Overflow)
    );
}

#[test]
fn expressions_have_a_meaning() {
    let integer = Domain::Integer;
    let wrong: Vec<(Expression, Rejection)> = vec![
        (Expression::Constant(3), Rejection::Missing),
        (Expression::Not(e(1)), Rejection::IllFormed(Fault::Domain)),
        (Expression::Not(e(3)), Rejection::IllFormed(Fault::Domain)),
        (
            Expression::And(vec![e(0), e(1)]),
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::Or(vec![e(2)]),
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::Equal {
                left: e(0),
                right: e(1),
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::AtMost {
                left: e(1),
                right: e(2),
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::AtMost {
                left: e(0),
                right: e(1),
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (Expression::Fill(e(2)), Rejection::IllFormed(Fault::Domain)),
        (
            Expression::Select {
                array: e(1),
                index: e(1),
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::Select {
                array: e(2),
                index: e(0),
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::Store {
                array: e(2),
                index: e(1),
                value: e(0),
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::IfThenElse {
                condition: e(1),
                then: e(1),
                otherwise: e(1),
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::IfThenElse {
                condition: e(0),
                then: e(1),
                otherwise: e(2),
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::Sum {
                constant: 0,
                summands: vec![(e(0), 1)],
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::Quotient {
                argument: e(1),
                divisor: 0,
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::Quotient {
                argument: e(1),
                divisor: -2,
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        (
            Expression::Quotient {
                argument: e(0),
                divisor: 2,
            },
            Rejection::IllFormed(Fault::Domain),
        ),
        // A formula has no witnesses.
        (
            Expression::Witness {
                left: e(2),
                right: e(2),
            },
            Rejection::IllFormed(Fault::Domain),
        ),
    ];
    for (expression, rejection) in wrong {
        let mut builder = Builder::default();
        builder.constant("p", Domain::Boolean);
        builder.constant("x", integer);
        builder.constant("a", Domain::Array);
        builder.add(expression.clone());
        let refused = failure(&builder.certificate(&[], vec![]));
        assert_eq!(
            refused,
            rejected(Where::Entry(Part::Expression, 3), rejection),
            "{expression:?}"
        );
    }
    let mut builder = Builder::default();
    let x = builder.constant("x", integer);
    let refused = failure(&builder.certificate(&[x], vec![]));
    assert_eq!(
        refused,
        rejected(
            Where::Entry(Part::Assertion, 0),
            Rejection::IllFormed(Fault::Domain)
        )
    );
}

#[test]
fn terms_are_in_normal_form_and_quotients_the_kernels() {
    // x = 2 (x div 2) + 2 is impossible, by the definition of the quotient.
    let mut builder = Builder::default();
    let x = builder.constant("x", Domain::Integer);
    let quotient = builder.add(Expression::Quotient {
        argument: x,
        divisor: 2,
    });
    let sum = builder.add(Expression::Sum {
        constant: 2,
        summands: vec![(quotient, 2)],
    });
    let equal = builder.equal(x, sum);
    let steps = vec![
        Inference::Assertion(0),
        // x - 2 q - 2 = 0 and x - 2 q <= 1: 1 <= 0
        arithmetic(
            &[Fails(equal)],
            vec![Deduction::Axiom(AtomId(1)), combine(&[(0, -1), (2, 1)])],
        ),
        Inference::Propagation {
            clause: vec![],
            hints: vec![ClauseId(0), ClauseId(1)],
        },
    ];
    let mut certificate = builder.certificate(&[equal], steps);
    let variable = Term::Atom(Atom::Variable(Variable {
        sort: None,
        number: x.0,
    }));
    let divided = |divisor| {
        Term::Atom(Atom::Quotient {
            divisor,
            argument: goatherd_certificates::term::LinearId(0),
        })
    };
    certificate.evidence.terms = vec![variable.clone(), divided(2)];
    assert_eq!(check(&certificate), Ok(()));
    // Of another quotient the axiom is of no use.
    certificate.evidence.terms = vec![variable.clone(), divided(3)];
    assert_eq!(
        failure(&certificate),
        rejected(Where::Step(1), Rejection::NotRefuted)
    );
    certificate.evidence.terms = vec![variable.clone(), variable];
    assert_eq!(
        failure(&certificate),
        rejected(Where::Term(1), Rejection::Term)
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
