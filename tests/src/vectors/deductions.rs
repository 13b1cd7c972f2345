//! Every deduction, from facts that Split assumes; each of the rejected ones would refute facts that have a model.

use super::Catalogue;
use crate::{
    forge::{Forge, PARAMETERS},
    programs,
};
use goatherd_certificates::{
    certificate::Certificate,
    derivation::{Deduction, FactId, Refutation, Rule},
    program::{Input, Instruction, IntegerType, Operation, Program, RegisterId},
    term::{AtomId, LinearId, Literal, Sign, Variable},
};
use goatherd_checker::rejection::Rejection;

/// A program with three integer inputs that halts at once.
fn program() -> Program {
    let mut program = programs::empty();
    for name in ["x", "y", "z"] {
        let register = programs::integer(&mut program, name, IntegerType::I16);
        program.inputs.push(Input::Integer { register });
    }
    program.instructions = vec![Instruction::Halt];
    program
}

/// Facts, and deductions from them; the facts are counted from 0.
type Refuted = (Vec<Literal>, Vec<Deduction>);

/// Where the facts hold the configuration is closed by the deductions, elsewhere by End.
fn refuted(build: impl FnOnce(&mut Forge<'_>, [LinearId; 3]) -> Refuted) -> Certificate {
    let program = program();
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let mut configuration = forge.root(0).expect("one class");
    let inputs = [0, 1, 2].map(|register| forge.integer(&configuration, 0, RegisterId(register)));
    let (facts, deductions) = build(&mut forge, inputs);
    let count = facts.len();
    for fact in facts {
        let [with, _] = forge.split(configuration, fact);
        configuration = with;
    }
    assert_eq!(configuration.predicate.len(), count, "the facts and no others");
    forge.rules.push(Rule::Infeasible { refutation: Refutation { deductions } });
    forge.rules.extend((0..count).map(|_| Rule::End));
    forge.certificate_of(&forge.proof())
}

fn combined(parts: &[(u32, i128)]) -> Deduction {
    Deduction::Combine(parts.iter().map(|(fact, coefficient)| (FactId(*fact), *coefficient)).collect())
}

fn literal(sign: Sign, term: LinearId) -> Literal {
    Literal { sign, term }
}

/// `constant + coefficient * term`
fn scaled(forge: &mut Forge<'_>, constant: i128, coefficient: i128, term: LinearId) -> LinearId {
    forge.arena.combine(constant, &[(term, coefficient)]).expect("small integers")
}

fn difference(forge: &mut Forge<'_>, left: LinearId, right: LinearId) -> LinearId {
    forge.arena.difference(left, right).expect("small integers")
}

/// `left < right`, that is `left - right + 1 <= 0`
fn less(forge: &mut Forge<'_>, left: LinearId, right: LinearId) -> Literal {
    forge.arena.less(left, right).expect("small integers")
}

fn atom(forge: &Forge<'_>, term: LinearId) -> AtomId {
    forge.arena.linear(term).expect("a term").summands[0].0
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    combine(vectors);
    tighten(vectors);
    axiom(vectors);
    congruence(vectors);
    reads(vectors);
    convert(vectors);
    case(vectors);
    bits(vectors);
    evaluate(vectors);
}

fn combine(vectors: &mut Catalogue) {
    let sum = |sign, constant, coefficient, factor| {
        refuted(|forge, [x, ..]| {
            let (first, second) = (scaled(forge, 1, 1, x), scaled(forge, constant, coefficient, x));
            (vec![literal(Sign::AtMostZero, first), literal(sign, second)], vec![combined(&[(0, 1), (1, factor)])])
        })
    };
    vectors.accepted("combine-accepted", "x + 1 <= 0 and -x <= 0 sum up to 1 <= 0", &sum(Sign::AtMostZero, 0, -1, 1));
    vectors.accepted("combine-equality-accepted", "an equality is subtracted: x + 1 <= 0 and x = 0", &sum(Sign::Zero, 0, 1, -1));
    let wrong = "Combine subtracts x <= 0 from x + 1 <= 0: the coefficient of an inequality is not positive";
    vectors.rejected("combine-negative", Rejection::Deduction, wrong, &sum(Sign::AtMostZero, 0, 1, -1));
    let wrong = "Combine adds the disequality -x != 0 to x + 1 <= 0";
    vectors.rejected("combine-disequality", Rejection::Deduction, wrong, &sum(Sign::NotZero, 0, -1, 1));
    let wrong = "Combine adds x + 1 <= 0 and -x - 1 <= 0 up to 0 <= 0, which is no contradiction";
    vectors.rejected("combine-not-refuted", Rejection::NotRefuted, wrong, &sum(Sign::AtMostZero, -1, -1, 1));
    let wrong = "Combine names fact 9, and there are two";
    let missing = refuted(|forge, [x, ..]| {
        let terms = [scaled(forge, 1, 1, x), scaled(forge, 0, -1, x)];
        (terms.map(|term| literal(Sign::AtMostZero, term)).to_vec(), vec![combined(&[(0, 1), (9, 1)])])
    });
    vectors.rejected("combine-missing-fact", Rejection::Deduction, wrong, &missing);
    let rounded = |constant| {
        refuted(|forge, [x, ..]| {
            let term = scaled(forge, constant, 2, x);
            (vec![literal(Sign::Zero, term)], vec![combined(&[(0, 1)]), combined(&[(0, -1)]), combined(&[(1, 1), (2, 1)])])
        })
    };
    vectors.accepted("combine-rounding-accepted", "2x - 1 = 0 gives x <= 0 and, rounded, -x + 1 <= 0", &rounded(-1));
    let wrong = "2x - 2 = 0 gives x - 1 <= 0 and -x + 1 <= 0, which sum up to 0 <= 0";
    vectors.rejected("combine-rounding", Rejection::NotRefuted, wrong, &rounded(-2));
}

fn tighten(vectors: &mut Catalogue) {
    let of = |of_other: bool| {
        refuted(|forge, [x, y, _]| {
            let opposite = scaled(forge, 0, -1, x);
            let different = if of_other { y } else { x };
            let facts = vec![literal(Sign::AtMostZero, x), literal(Sign::NotZero, different), literal(Sign::AtMostZero, opposite)];
            (facts, vec![Deduction::Tighten { bound: FactId(0), disequality: FactId(1) }, combined(&[(2, 1), (3, 1)])])
        })
    };
    vectors.accepted("tighten-accepted", "x <= 0 and x != 0 give x + 1 <= 0", &of(false));
    vectors.rejected("tighten-other-term", Rejection::Deduction, "Tighten takes x <= 0 and y != 0", &of(true));
}

fn axiom(vectors: &mut Catalogue) {
    let large = refuted(|forge, [x, ..]| {
        let term = scaled(forge, 40_000, -1, x);
        (vec![literal(Sign::AtMostZero, term)], vec![Deduction::Axiom(atom(forge, x)), combined(&[(0, 1), (2, 1)])])
    });
    vectors.accepted("axiom-range-accepted", "an input of type I16 is not at least 40000", &large);
    let limit = refuted(|forge, [x, ..]| {
        let term = scaled(forge, 32_767, -1, x);
        (vec![literal(Sign::AtMostZero, term)], vec![Deduction::Axiom(atom(forge, x)), combined(&[(0, 1), (2, 1)])])
    });
    vectors.rejected("axiom-range", Rejection::NotRefuted, "an input of type I16 may be at least 32767", &limit);
    let quotient = |rest| {
        refuted(|forge, [x, ..]| {
            let half = forge.arena.quotient(x, 2).expect("half");
            let term = forge.arena.combine(rest, &[(half, 2), (x, -1)]).expect("small integers");
            (vec![literal(Sign::AtMostZero, term)], vec![Deduction::Axiom(atom(forge, half)), combined(&[(0, 1), (2, 1)])])
        })
    };
    vectors.accepted("axiom-quotient-accepted", "the remainder of x by 2 is not at least 2", &quotient(2));
    vectors.rejected("axiom-quotient", Rejection::NotRefuted, "the remainder of x by 2 may be at least 1", &quotient(1));
    let program = program();
    let mut forge = Forge::new(&program, &PARAMETERS, 1);
    let configuration = forge.root(0).expect("one class");
    let term = forge.integer(&configuration, 0, RegisterId(0));
    let named = forge.arena.variable(Variable { sort: None, number: 0 }).expect("a variable");
    let deductions = vec![Deduction::Axiom(atom(&forge, named))];
    forge.rules = vec![Rule::Let { term }, Rule::Infeasible { refutation: Refutation { deductions } }];
    let certificate = forge.certificate_of(&forge.proof());
    vectors.rejected("axiom-unbounded", Rejection::Deduction, "Axiom of a variable without a sort, which has no range", &certificate);
}

fn congruence(vectors: &mut Catalogue) {
    let of = |sign, divisor| {
        refuted(|forge, [x, y, _]| {
            let (left, right) = (forge.arena.quotient(x, 2).expect("half"), forge.arena.quotient(y, divisor).expect("a part"));
            let equal = literal(sign, difference(forge, x, y));
            let differ = less(forge, left, right);
            let congruence =
                Deduction::Congruence { left: atom(forge, left), right: atom(forge, right), facts: vec![(FactId(0), FactId(0))] };
            (vec![equal, differ], vec![congruence, combined(&[(1, 1), (2, -1)])])
        })
    };
    vectors.accepted("congruence-accepted", "where x = y their halves are not different", &of(Sign::Zero, 2));
    vectors.rejected("congruence-one-bound", Rejection::Deduction, "Congruence of halves with x <= y alone", &of(Sign::AtMostZero, 2));
    vectors.rejected("congruence-other-divisor", Rejection::Deduction, "Congruence of a half and a third", &of(Sign::Zero, 3));
}

fn reads(vectors: &mut Catalogue) {
    let of = |is_same: bool, sign| {
        refuted(|forge, [x, y, z]| {
            let zero = forge.constant(0);
            let zeros = forge.arena.constant_array(zero).expect("an array");
            let stored = forge.arena.store(zeros, x, z).expect("an array");
            let read = forge.arena.select(stored, y).expect("an element");
            let index = literal(sign, difference(forge, x, y));
            let differ = less(forge, read, if is_same { z } else { zero });
            let atom = atom(forge, read);
            let deduction = if is_same {
                Deduction::ReadSame { atom, facts: (FactId(0), FactId(0)) }
            } else {
                Deduction::ReadOther { atom, fact: FactId(0) }
            };
            (vec![index, differ], vec![deduction, combined(&[(1, 1), (2, -1)])])
        })
    };
    vectors.accepted("read-same-accepted", "after a store at x, element y is what was stored where x = y", &of(true, Sign::Zero));
    vectors.rejected("read-same-one-bound", Rejection::Deduction, "ReadSame with x <= y alone", &of(true, Sign::AtMostZero));
    vectors.accepted("read-other-accepted", "after a store at x, element y is as before where x != y", &of(false, Sign::NotZero));
    vectors.rejected(
        "read-other-may-be-same",
        Rejection::Deduction,
        "ReadOther with x <= y, which does not exclude x = y",
        &of(false, Sign::AtMostZero),
    );
}

fn convert(vectors: &mut Catalogue) {
    let of = |greatest: i128, shift| {
        refuted(|forge, [x, ..]| {
            let zero = forge.constant(0);
            let byte = forge.arena.apply(Operation::Add, IntegerType::U8, x, zero).expect("a conversion");
            let value = scaled(forge, shift, 1, x);
            let bounds = [scaled(forge, -shift, -1, x), scaled(forge, shift - greatest, 1, x)];
            let differ = less(forge, byte, value);
            let facts = bounds.map(|term| literal(Sign::AtMostZero, term)).into_iter().chain([differ]).collect();
            let convert = Deduction::Convert { atom: atom(forge, byte), value, facts: (FactId(0), FactId(1)) };
            (facts, vec![convert, combined(&[(2, 1), (3, -1)])])
        })
    };
    vectors.accepted("convert-accepted", "0 <= x <= 255 is its own value in U8", &of(255, 0));
    vectors.accepted("convert-period-accepted", "0 <= x + 256 <= 255 is the value of x in U8", &of(255, 256));
    vectors.rejected("convert-out-of-range", Rejection::Deduction, "Convert to U8 with 0 <= x <= 256", &of(256, 0));
    vectors.rejected("convert-part-of-period", Rejection::Deduction, "Convert to U8 as x + 128, where the period is 256", &of(255, 128));
    let of_wide = |wide, greatest: i128| {
        refuted(|forge, [x, ..]| {
            let zero = forge.constant(0);
            let mut converted = |kind| forge.arena.apply(Operation::Add, kind, x, zero).expect("a conversion");
            let (byte, wide) = (converted(IntegerType::U8), converted(wide));
            // That it is at least 0 is evident by its type.
            let bound = scaled(forge, -greatest, 1, wide);
            let differ = less(forge, byte, wide);
            let convert = Deduction::Convert { atom: atom(forge, byte), value: wide, facts: (FactId(0), FactId(0)) };
            (vec![literal(Sign::AtMostZero, bound), differ], vec![convert, combined(&[(1, 1), (2, -1)])])
        })
    };
    vectors.accepted("convert-wide-accepted", "x in U16, where it is at most 255, is x in U8", &of_wide(IntegerType::U16, 255));
    let wrong = "Convert to U8 where x in _Bool, which has eight bits and two values, is 0";
    vectors.rejected("convert-bool", Rejection::Deduction, wrong, &of_wide(IntegerType::Bool, 0));
}

fn bits(vectors: &mut Catalogue) {
    let of = |operation, least: i128| {
        refuted(|forge, [x, y, _]| {
            let result = forge.arena.apply(operation, IntegerType::I16, x, y).expect("an operation");
            let facts = [scaled(forge, 0, -1, x), scaled(forge, least, -1, y)].map(|term| literal(Sign::AtMostZero, term));
            let below = less(forge, result, x);
            let bits = Deduction::Bits { atom: atom(forge, result), facts: (FactId(0), FactId(1)) };
            (facts.into_iter().chain([below]).collect(), vec![bits, combined(&[(2, 1), (5, 1)])])
        })
    };
    vectors.accepted("bits-accepted", "x | y is at least x, where 0 <= x and 0 <= y", &of(Operation::Or, 0));
    vectors.rejected("bits-negative", Rejection::Deduction, "x | y may be less than x, where y may be -1", &of(Operation::Or, -1));
    vectors.rejected("bits-other-operation", Rejection::Deduction, "Bits of x & y, which may be less than x", &of(Operation::And, 0));
}

fn evaluate(vectors: &mut Catalogue) {
    // x = 6 and 3 <= x & 3, where 6 & 3 is 2.
    let of = |sign, values: &[i128]| {
        let values: Vec<_> = values.iter().map(|value| (*value, (FactId(0), FactId(0)))).collect();
        refuted(|forge, [x, ..]| {
            let three = forge.constant(3);
            let masked = forge.arena.apply(Operation::And, IntegerType::I32, x, three).expect("an operation");
            let facts = vec![literal(sign, scaled(forge, -6, 1, x)), literal(Sign::AtMostZero, scaled(forge, 3, -1, masked))];
            (facts, vec![Deduction::Evaluate { atom: atom(forge, masked), values }, combined(&[(1, 1), (2, 1)])])
        })
    };
    vectors.accepted("evaluate-accepted", "x & 3 is 2, where x = 6", &of(Sign::Zero, &[6]));
    let wrong = "x & 3 need not be 2, where only x <= 6 is known";
    vectors.rejected("evaluate-bound", Rejection::Deduction, wrong, &of(Sign::AtMostZero, &[6]));
    vectors.rejected("evaluate-other-value", Rejection::Deduction, "x & 3 at x = 5, where x = 6", &of(Sign::Zero, &[5]));
    vectors.rejected("evaluate-no-value", Rejection::Deduction, "x & 3 at no value of x", &of(Sign::Zero, &[]));
    vectors.rejected("evaluate-spare-value", Rejection::Deduction, "x & 3 at two values, where 3 is a constant", &of(Sign::Zero, &[6, 3]));
}

fn case(vectors: &mut Catalogue) {
    let of = |is_complete: bool| {
        refuted(|forge, [x, ..]| {
            let (below, opposite) = (scaled(forge, 1, 1, x), scaled(forge, 0, -1, x));
            let facts = vec![literal(Sign::NotZero, x), literal(Sign::AtMostZero, x), literal(Sign::AtMostZero, opposite)];
            let mut deductions = vec![Deduction::Case(literal(Sign::AtMostZero, below)), combined(&[(2, 1), (3, 1)])];
            if is_complete {
                deductions.extend([Deduction::Tighten { bound: FactId(1), disequality: FactId(0) }, combined(&[(2, 1), (4, 1)])]);
            }
            (facts, deductions)
        })
    };
    vectors.accepted("case-accepted", "x < 0 is refuted, then x >= 0", &of(true));
    vectors.rejected("case-one-alone", Rejection::NotRefuted, "only the case x < 0 is refuted", &of(false));
    let outside = refuted(|forge, [x, ..]| {
        let (positive, negative) = (scaled(forge, 1, -1, x), literal(Sign::AtMostZero, x));
        let closed = combined(&[(0, 1), (1, 1)]);
        (vec![literal(Sign::AtMostZero, positive)], vec![Deduction::Case(negative), closed, combined(&[(0, 1), (2, 1)])])
    });
    vectors.rejected("case-fact-outside", Rejection::Deduction, "a fact of the first case is named after it", &outside);
}
