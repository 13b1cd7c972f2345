//! Refutations by the arithmetic of the kernel.

use super::{Builder, check, e, failure, rejected};
use goatherd_certificates::{
    derivation::{Deduction, FactId, Refutation},
    formula::*,
    term::{Atom, AtomId, Term, Variable},
};
use goatherd_checker::{Rejection, error::Where};

use Signed::{Fails, Holds};

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
