//! Assertions, what operations mean, and what follows from clauses.

use super::{Builder, contradiction, e, failure, rejected};
use goatherd_certificates::formula::*;
use goatherd_checker::{Rejection, error::Where, rejection::Fault};

use Signed::{Fails, Holds};

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
    let closed = change(|_, hints| hints.push(ClauseId(2)));
    assert_eq!(closed, step(Rejection::Hints));
    let twice = change(|_, hints| hints.insert(0, ClauseId(0)));
    assert_eq!(twice, step(Rejection::Hints));
    let itself = change(|_, hints| hints.insert(0, ClauseId(3)));
    assert_eq!(itself, step(Rejection::Missing));
    // The clause is a tautology, or speaks of what is not there.
    let tautology = change(|clause, _| clause.extend([Holds(e(0)), Fails(e(0))]));
    assert_eq!(tautology, step(Rejection::Hints));
    let overwritten = change(|clause, hints| {
        clause.extend([Holds(e(0)), Fails(e(0))]);
        hints.remove(0);
    });
    assert_eq!(overwritten, step(Rejection::Hints));
    let nowhere = change(|clause, _| clause.push(Holds(e(9))));
    assert_eq!(nowhere, step(Rejection::IllFormed(Fault::Domain)));
}

#[test]
fn a_hint_leaves_one_literal_and_none_that_is_true() {
    let mut builder = Builder::default();
    let [p, q] = ["p", "q"].map(|name| builder.constant(name, Domain::Boolean));
    let or = builder.add(Expression::Or(vec![p, q]));
    let definition = |clause| Inference::Definition {
        expression: or,
        clause,
    };
    let after = |assertion, steps: &[Inference], clause: &[Signed], hints: &[u32]| {
        let propagation = Inference::Propagation {
            clause: clause.to_vec(),
            hints: hints.iter().copied().map(ClauseId).collect(),
        };
        let steps = [&[Inference::Assertion(0)], steps, &[propagation]].concat();
        failure(&builder.certificate(&[assertion], steps))
    };
    let refused = |number| rejected(Where::Step(number), Rejection::Hints);
    // p, so p or q; but that says nothing of q.
    let consequence = [definition(0), definition(1)];
    let is_true = after(p, &consequence, &[Fails(q)], &[0, 1, 2]);
    assert_eq!(is_true, refused(3));
    // p or q says of neither that it holds.
    let two_are_left = after(or, &[definition(2)], &[Holds(q)], &[1]);
    assert_eq!(two_are_left, refused(2));
    // What was false for the sake of one clause is not for the next.
    let first = Inference::Propagation {
        clause: vec![Holds(p), Holds(q)],
        hints: vec![ClauseId(0), ClauseId(1)],
    };
    let again = after(or, &[definition(2), first], &[], &[1]);
    assert_eq!(again, refused(3));
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
