//! Elements of arrays.

use super::{Builder, e, failure, rejected};
use goatherd_certificates::formula::*;
use goatherd_checker::{Rejection, error::Where};

use Signed::{Fails, Holds};

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
    let of_value = builder.equal(e(4), j);
    let b = builder.constant("b", Domain::Array);
    let beside = builder.select(b, j);
    let of_beside = builder.equal(e(6), beside);
    for (equality, indices) in [
        (same, turned),
        (same, one),
        (same, of_value),
        (same, same),
        (other, indices),
        (of_no_store, indices),
    ] {
        builder.refuses(read_same(equality, indices), Rejection::Deduction);
    }
    for (equality, indices) in [
        (other, turned),
        (other, one),
        (other, of_value),
        (of_beside, indices),
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
    let more = |builder: &mut Builder, elements: [(ExpressionId, ExpressionId); 2]| {
        let [left, right] =
            elements.map(|(array, index)| builder.more(Expression::Select { array, index }));
        builder.more(Expression::Equal { left, right })
    };
    let witness = builder.more(Expression::Witness { left: a, right: b });
    let turned = builder.more(Expression::Witness { left: b, right: a });
    let elements = more(&mut builder, [(a, witness), (b, witness)]);
    let wrong = [
        more(&mut builder, [(a, i), (b, i)]),
        more(&mut builder, [(a, turned), (b, turned)]),
        more(&mut builder, [(b, witness), (a, witness)]),
        more(&mut builder, [(a, witness), (a, witness)]),
        more(&mut builder, [(b, witness), (b, witness)]),
        more(&mut builder, [(a, witness), (b, i)]),
        more(&mut builder, [(a, i), (b, witness)]),
    ];
    let step = |elements| Inference::Extensionality { equality, elements };
    builder.shows(&step(elements), &[Holds(equality), Fails(elements)]);
    for elements in wrong {
        builder.refuses(step(elements), Rejection::Deduction);
    }
}
