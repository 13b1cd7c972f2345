//! Which expressions have a meaning.

use super::{Builder, e, failure, rejected};
use goatherd_certificates::formula::*;
use goatherd_checker::{
    Rejection,
    error::Where,
    rejection::{Fault, Part},
};

const DOMAIN: Rejection = Rejection::IllFormed(Fault::Domain);

/// A formula of p, x and a, of the domains Boolean, Integer and Array.
fn constants() -> Builder {
    let mut builder = Builder::default();
    builder.constant("p", Domain::Boolean);
    builder.constant("x", Domain::Integer);
    builder.constant("a", Domain::Array);
    builder
}

/// The expression behind these is refused.
fn refused(builder: &Builder, rejection: Rejection) {
    let place = Where::Entry(Part::Expression, 3);
    let failure = failure(&builder.certificate(&[], vec![]));
    assert_eq!(failure, rejected(place, rejection));
}

#[test]
fn operations_are_of_their_domains() {
    let [p, x, a, itself, later] = [0, 1, 2, 3, 9].map(e);
    let equal = |left, right| Expression::Equal { left, right };
    let at_most = |left, right| Expression::AtMost { left, right };
    let select = |array, index| Expression::Select { array, index };
    let store = |array, index, value| Expression::Store {
        array,
        index,
        value,
    };
    let choice = |condition, then, otherwise| Expression::IfThenElse {
        condition,
        then,
        otherwise,
    };
    let quotient = |argument, divisor| Expression::Quotient { argument, divisor };
    let sum = |part| Expression::Sum {
        constant: 0,
        summands: vec![(part, 1)],
    };
    let wrong = [
        Expression::Not(x),
        Expression::And(vec![p, x]),
        Expression::Or(vec![a]),
        equal(p, x),
        at_most(x, a),
        at_most(p, x),
        // Parts stand before.
        at_most(x, itself),
        at_most(later, x),
        Expression::Fill(a),
        select(x, x),
        select(a, p),
        store(x, x, x),
        store(a, p, x),
        store(a, x, p),
        choice(x, x, x),
        choice(p, x, a),
        sum(p),
        quotient(x, 0),
        quotient(x, -2),
        quotient(p, 2),
    ];
    for expression in wrong {
        let mut builder = constants();
        builder.add(expression);
        refused(&builder, DOMAIN);
    }
    let mut builder = constants();
    builder.add(Expression::Constant(3));
    refused(&builder, Rejection::Missing);
}

#[test]
fn witnesses_are_of_arrays_and_of_the_evidence() {
    let [x, a] = [1, 2].map(e);
    let witness = |left, right| Expression::Witness { left, right };
    let mut builder = constants();
    builder.add(witness(a, a));
    refused(&builder, DOMAIN);
    for (left, right) in [(x, a), (a, x)] {
        let mut builder = constants();
        builder.more(witness(left, right));
        refused(&builder, DOMAIN);
    }
}

#[test]
fn assertions_are_true_or_false() {
    let refused = failure(&constants().certificate(&[e(1)], vec![]));
    let place = Where::Entry(Part::Assertion, 0);
    assert_eq!(refused, rejected(place, DOMAIN));
}
