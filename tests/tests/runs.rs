//! Ground runs, and the table of terms: each side condition violated alone (`spec/calculus.md#unsafe`, `spec/calculus.md#terms`).

use goatherd_certificates::{
    certificate::{Allocation, Certificate, Claim, Evidence, GroundRun, InputValue, Parameters},
    derivation::{Lengths, Proof, Rule},
    program::{Allocate, Fresh, Input, Instruction, IntegerType, Location, Operand, Origin, Program, Relation, Type},
    term::{Array, Atom, AtomId, Linear, LinearId, Term, Variable},
};
use goatherd_checker::{error::Defect, rejection::Rejection};
use goatherd_tests::{
    forge::{PARAMETERS, certificate, certificate_of_run, check, rejection},
    programs::{FAIL, array, branch, empty, integer, layout, object, pointer},
};

/// Fails where the array has two elements, x is 1, a Havoc gives 7 and the second way is chosen.
fn program() -> Program {
    let mut program = empty();
    let (_, length, _) = array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    let x = integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(Input::Integer { register: x });
    let (length, of_x) = (Operand::Register(length), Operand::Register(x));
    program.instructions = vec![
        branch(Relation::Equal, length, Operand::Constant(2), 1, 6),
        branch(Relation::Equal, of_x, Operand::Constant(1), 2, 6),
        Instruction::Havoc { target: x },
        branch(Relation::Equal, of_x, Operand::Constant(7), 4, 6),
        Instruction::Choose { then: Location(6), otherwise: Location(5) },
        FAIL,
        Instruction::Halt,
    ];
    program
}

fn run() -> GroundRun {
    GroundRun { inputs: vec![InputValue::Array(vec![vec![3], vec![-3]]), InputValue::Integer(1)], choices: vec![7, 1], steps: 6 }
}

fn answer(change: impl FnOnce(&mut GroundRun)) -> Option<Rejection> {
    let mut run = run();
    change(&mut run);
    rejection(&check(&certificate_of_run(&program(), PARAMETERS, run)))
}

#[test]
fn a_run_is_what_it_says() {
    assert_eq!(answer(|_| {}), None);
    let run = Some(Rejection::Run);
    // The inputs are valid ones.
    assert_eq!(answer(|run| drop(run.inputs.pop())), run);
    assert_eq!(answer(|run| run.inputs.swap(0, 1)), run);
    assert_eq!(answer(|run| run.inputs[1] = InputValue::Integer(128)), run);
    assert_eq!(answer(|run| run.inputs[0] = InputValue::Array(vec![vec![128], vec![0]])), run);
    assert_eq!(answer(|run| run.inputs[0] = InputValue::Array(vec![vec![0, 0], vec![0, 0]])), run);
    assert_eq!(answer(|run| run.inputs[0] = InputValue::Array(vec![vec![0]; 256])), run);
    assert_eq!(answer(|run| run.inputs[1] = InputValue::Single(None)), run);
    // It ends where it says, with a failure.
    assert_eq!(answer(|run| run.steps = 5), run);
    assert_eq!(answer(|run| run.steps = 7), run);
    assert_eq!(answer(|run| run.choices.push(0)), run);
    assert_eq!(answer(|run| run.choices[1] = 0), run);
    assert_eq!(answer(|run| run.inputs[1] = InputValue::Integer(0)), run);
    // Choices are there, and in range.
    assert_eq!(answer(|run| run.choices.truncate(1)), Some(Rejection::Choice));
    assert_eq!(answer(|run| run.choices[1] = 2), Some(Rejection::Choice));
    assert_eq!(answer(|run| run.choices[0] = 128), run);
}

#[test]
fn an_ignored_run_is_no_failure() {
    let mut program = program();
    program.instructions[5] = Instruction::Ignore;
    assert_eq!(rejection(&check(&certificate_of_run(&program, PARAMETERS, run()))), Some(Rejection::AtEnd));
}

#[test]
fn allocation_is_a_choice_only_where_it_may_fail() {
    let mut program = empty();
    let p = pointer(&mut program, "p");
    let element = layout(&mut program, &[Type::Integer(IntegerType::I8)]);
    let object = object(&mut program, element, Origin::Heap);
    program.instructions = vec![
        Instruction::Allocate(Allocate { target: p, object, bytes: Operand::Constant(1), fresh: Fresh::Arbitrary }),
        Instruction::Load { target: p, address: p, offset: 0 },
        Instruction::Halt,
    ];
    let x = integer(&mut program, "x", IntegerType::I8);
    program.instructions[1] = Instruction::Load { target: x, address: p, offset: 0 };
    let may_fail = Parameters { allocation: Allocation::MayFail, ..PARAMETERS };
    let of = |parameters, choices: &[i128]| {
        let run = GroundRun { inputs: Vec::new(), choices: choices.to_vec(), steps: 2 };
        rejection(&check(&certificate_of_run(&program, parameters, run)))
    };
    assert_eq!(of(may_fail, &[0]), None);
    assert_eq!(of(may_fail, &[2]), Some(Rejection::Choice));
    // It succeeds, and its contents are chosen; then the load does not fail.
    assert_eq!(of(may_fail, &[1, 5]), Some(Rejection::Run));
    assert_eq!(of(PARAMETERS, &[0]), Some(Rejection::Run));
}

#[test]
fn witnesses_halt() {
    let halting = || GroundRun { inputs: vec![InputValue::Array(Vec::new()), InputValue::Integer(0)], choices: Vec::new(), steps: 2 };
    let with = |witnesses: Vec<GroundRun>| {
        let mut certificate = certificate_of_run(&program(), PARAMETERS, run());
        certificate.witnesses = witnesses;
        check(&certificate)
    };
    assert_eq!(rejection(&with(vec![halting(); 4])), None);
    assert_eq!(rejection(&with(vec![halting(); 5])), Some(Rejection::Run));
    assert_eq!(rejection(&with(vec![run()])), Some(Rejection::Run));
    let late = GroundRun { steps: 3, ..halting() };
    assert_eq!(rejection(&with(vec![late])), Some(Rejection::Run));
}

#[test]
fn evidence_is_of_the_claim() {
    let mut certificate = certificate_of_run(&program(), PARAMETERS, run());
    certificate.statement.claim = Claim::Safe;
    assert_eq!(rejection(&check(&certificate)), Some(Rejection::Claim));
}

#[test]
fn a_run_that_fails_has_no_terms() {
    let mut certificate = certificate_of_run(&program(), PARAMETERS, run());
    assert_eq!(rejection(&check(&certificate)), None);
    certificate.terms.push(Term::Atom(Atom::Variable(Variable { sort: None, number: 0 })));
    assert_eq!(rejection(&check(&certificate)), Some(Rejection::Claim));
}

/// A proof of a program that halts at once, with these terms.
fn with_terms(terms: Vec<Term>) -> Option<Rejection> {
    let mut program = empty();
    program.instructions = vec![Instruction::Halt];
    let proof = Proof {
        k: 1,
        lengths: Lengths::Classes,
        lemmas: Vec::new(),
        sorts: Vec::new(),
        templates: Vec::new(),
        roots: vec![Rule::End],
        derivations: Vec::new(),
    };
    let certificate: Certificate = certificate(&program, PARAMETERS, terms, Evidence::Proof(proof));
    rejection(&check(&certificate))
}

#[test]
fn terms_are_new_and_in_normal_form() {
    let x = || Term::Atom(Atom::Variable(Variable { sort: None, number: 0 }));
    let y = || Term::Atom(Atom::Variable(Variable { sort: Some(IntegerType::Bool), number: 0 }));
    let linear = |constant, summands: &[(u32, i128)]| {
        let summands = summands.iter().map(|(atom, coefficient)| (AtomId(*atom), *coefficient)).collect();
        Term::Linear(Linear { constant, summands })
    };
    let quotient = |divisor, argument| Term::Atom(Atom::Quotient { divisor, argument: LinearId(argument) });
    assert_eq!(with_terms(vec![x(), y(), linear(1, &[(0, 2), (1, -1)])]), None);
    assert_eq!(with_terms(vec![x(), quotient(2, 0)]), None);
    for terms in [
        vec![x(), x()],
        // An atom is a linear term already.
        vec![x(), linear(0, &[(0, 1)])],
        vec![linear(1, &[]), linear(1, &[])],
        vec![x(), linear(0, &[(0, 0)])],
        vec![x(), y(), linear(0, &[(1, 1), (0, 1)])],
        vec![x(), linear(0, &[(0, 1), (0, 1)])],
        // Quotients that are not reduced, or known.
        vec![x(), linear(0, &[(0, 3)]), quotient(2, 1)],
        vec![x(), linear(-1, &[(0, 1)]), quotient(2, 1)],
        vec![x(), quotient(1, 0)],
        vec![x(), quotient(0, 0)],
        vec![x(), quotient(-2, 0)],
        vec![y(), quotient(2, 0)],
        // A select that is known.
        vec![
            linear(5, &[]),
            Term::Array(Array::Constant(LinearId(0))),
            Term::Atom(Atom::Select { array: goatherd_certificates::term::ArrayId(0), index: LinearId(0) }),
        ],
    ] {
        assert_eq!(with_terms(terms.clone()), Some(Rejection::Term), "{terms:?}");
    }
    // What does not stand before.
    assert_eq!(with_terms(vec![linear(0, &[(0, 2)])]), Some(Rejection::Malformed(Defect::Term)));
    assert_eq!(with_terms(vec![quotient(2, 0)]), Some(Rejection::Malformed(Defect::Term)));
}
