//! Lemmas (`spec/calculus.md#lemmas`): assertions that a proof adds to the program.

use super::X;
use goatherd_certificates::{
    certificate::Evidence,
    derivation::{Lemma, Rule},
    program::{
        Branch, Condition, FailKind, Input, Instruction, IntegerType, Location, Operand, PointerOperand, Program, RegisterId, Relation,
    },
};
use goatherd_checker::{
    configuration::Configuration,
    error::{Failure, Where},
    rejection::Rejection,
    wellformed::{Fault, Part, add_lemmas},
};
use goatherd_tests::{
    forge::{self, Forge, PARAMETERS},
    programs,
};

const POINTER: RegisterId = RegisterId(0);
const LENGTH: RegisterId = RegisterId(1);

/// An array, and an integer input.
fn program(instructions: &[Instruction]) -> Program {
    let mut program = programs::empty();
    programs::array(&mut program, "a", IntegerType::I8, IntegerType::U8);
    let register = programs::integer(&mut program, "x", IntegerType::I8);
    program.inputs.push(Input::Integer { register });
    program.instructions = instructions.to_vec();
    program
}

fn lemma(location: u32, relation: Relation, left: RegisterId, right: i128) -> Lemma {
    let condition = Condition::Integers { relation, left: Operand::Register(left), right: Operand::Constant(right) };
    Lemma { location: Location(location), condition }
}

/// A lemma that holds everywhere.
fn true_lemma(location: u32) -> Lemma {
    lemma(location, Relation::LessOrEqual, X, 127)
}

/// What the checker says of the program's proof with lemmas, whose derivation is about a program that may be another one; the most memory that
/// it held.
fn checked(
    program: &Program,
    lemmas: &[Lemma],
    derived: &Program,
    mut derivation: impl FnMut(&mut Forge<'_>, Configuration),
) -> Result<u64, Failure> {
    let mut forge = Forge::new(derived, &PARAMETERS, 1);
    for class in 0.. {
        let Some(configuration) = forge.root(class) else { break };
        derivation(&mut forge, configuration);
    }
    let mut certificate = forge.certificate_of(&forge.proof());
    certificate.statement.program = program.clone();
    let Evidence::Proof(proof) = &mut certificate.evidence else { panic!("a proof") };
    proof.lemmas = lemmas.to_vec();
    forge::check(&certificate).map(|verdict| verdict.peak_memory)
}

/// Follows all runs to their ends.
fn run(forge: &mut Forge<'_>, configuration: Configuration) {
    forge.auto(configuration);
}

/// What the checker says of the program's proof with lemmas, all of whose runs end.
fn proved(program: &Program, lemmas: &[Lemma]) -> Result<(), Failure> {
    let mut strengthened = program.clone();
    add_lemmas(&mut strengthened, lemmas).expect("lemmas of the program");
    checked(program, lemmas, &strengthened, run).map(drop)
}

/// What the checker says of lemmas, with a proof of the program without them.
fn ill_formed(program: &Program, lemmas: &[Lemma]) -> Result<(), Failure> {
    checked(program, lemmas, program, |forge, _| forge.rules.push(Rule::End)).map(drop)
}

fn fault(part: Part, index: usize, fault: Fault) -> Result<(), Failure> {
    Err(Failure::Rejected { place: Where::Entry(part, index), rejection: Rejection::IllFormed(fault) })
}

#[test]
fn lemmas_that_hold_are_accepted() {
    let program = program(&[Instruction::Null { target: POINTER }, Instruction::Halt]);
    assert_eq!(proved(&program, &[]), Ok(()));
    assert_eq!(proved(&program, &[true_lemma(1)]), Ok(()));
    // Several at one place, and one before what another has added.
    assert_eq!(proved(&program, &[true_lemma(0), true_lemma(0), true_lemma(3), true_lemma(1)]), Ok(()));
}

#[test]
fn a_lemma_that_does_not_hold_is_a_failure() {
    let program = program(&[Instruction::Halt]);
    let ended = proved(&program, &[lemma(0, Relation::Equal, X, 0)]);
    assert!(matches!(ended, Err(Failure::Rejected { rejection: Rejection::NotRefuted, .. })), "{ended:?}");
}

#[test]
fn a_lemma_takes_nothing_away_from_the_program() {
    let program = program(&[Instruction::Fail { kind: FailKind::Reached }]);
    for lemmas in [vec![], vec![true_lemma(0)], vec![lemma(0, Relation::Equal, X, 0)]] {
        assert!(proved(&program, &lemmas).is_err(), "{lemmas:?}");
    }
}

/// A lemma that asks of what a register holds whether it is what comes in as another one.
fn asks(location: u32, left: RegisterId, right: u32) -> Lemma {
    let [left, right] = [left, RegisterId(right)].map(Operand::Register);
    Lemma { location: Location(location), condition: Condition::Integers { relation: Relation::Equal, left, right } }
}

/// `if (x == 0) fail;`
fn fails_at_zero() -> Program {
    let condition = Condition::Integers { relation: Relation::Equal, left: Operand::Register(X), right: Operand::Constant(0) };
    let branch = Instruction::Branch(Branch { condition, then: Location(1), otherwise: Location(2) });
    program(&[branch, Instruction::Fail { kind: FailKind::Reached }, Instruction::Halt])
}

#[test]
fn before_a_failure_a_lemma_may_ask_for_what_comes_in() {
    let new = u32::try_from(programs::empty().registers.len() + 3).expect("few registers");
    let program = fails_at_zero();
    let mut strengthened = program.clone();
    add_lemmas(&mut strengthened, &[asks(1, X, new)]).expect("a lemma");
    assert_eq!(strengthened.inputs.last(), Some(&Input::Integer { register: RegisterId(new) }));
    assert_eq!(strengthened.registers.len(), program.registers.len() + 1);
    assert_eq!(strengthened.registers.last().map(|register| register.kind), Some(program.registers[X.index()].kind));
    let [own, moved] = [FailKind::Assertion, FailKind::Reached].map(|kind| Instruction::Fail { kind });
    assert_eq!(strengthened.instructions[3..], [own, moved, Instruction::Ignore]);
    // With each other value that comes in nothing fails, but with 0 it does.
    assert!(proved(&program, &[asks(1, X, new)]).is_err());
    // Each lemma has a register of its own, also where another one has been asked for the same failure.
    assert!(proved(&program, &[asks(1, X, new), asks(4, X, new + 1)]).is_err());
    assert_eq!(ill_formed(&program, &[asks(1, X, new), asks(4, X, new + 2)]), fault(Part::Lemma, 1, Fault::Register));
}

#[test]
fn what_comes_in_anew_is_asked_for_before_failures_alone() {
    let new = u32::try_from(programs::empty().registers.len() + 3).expect("few registers");
    let program = fails_at_zero();
    for location in [0, 2] {
        assert_eq!(ill_formed(&program, &[asks(location, X, new)]), fault(Part::Lemma, 0, Fault::Register), "{location}");
    }
    assert_eq!(ill_formed(&program, &[asks(1, X, new + 1)]), fault(Part::Lemma, 0, Fault::Register));
    assert_eq!(ill_formed(&program, &[asks(1, RegisterId(new), new)]), fault(Part::Lemma, 0, Fault::Register));
    assert_eq!(ill_formed(&program, &[asks(1, POINTER, new)]), fault(Part::Lemma, 0, Fault::Integer));
    assert_eq!(ill_formed(&program, &[asks(9, X, new)]), fault(Part::Lemma, 0, Fault::Register));
}

#[test]
fn a_lemma_is_about_what_exists() {
    let program = program(&[Instruction::Halt]);
    assert_eq!(ill_formed(&program, &[true_lemma(1)]), fault(Part::Lemma, 0, Fault::Location));
    assert_eq!(ill_formed(&program, &[true_lemma(u32::MAX)]), fault(Part::Lemma, 0, Fault::Location));
    let missing = lemma(0, Relation::Equal, RegisterId(77), 0);
    assert_eq!(ill_formed(&program, &[true_lemma(0), missing]), fault(Part::Lemma, 1, Fault::Register));
    assert_eq!(ill_formed(&program, &[lemma(0, Relation::Equal, POINTER, 0)]), fault(Part::Lemma, 0, Fault::Integer));
    assert_eq!(ill_formed(&program, &[lemma(0, Relation::Equal, X, 1 << 64)]), fault(Part::Lemma, 0, Fault::Constant));
    let relation = Relation::Equal;
    let condition = Condition::Pointers { relation, left: PointerOperand::Null, right: PointerOperand::Register(LENGTH) };
    assert_eq!(ill_formed(&program, &[Lemma { location: Location(0), condition }]), fault(Part::Lemma, 0, Fault::Pointer));
}

/// Attack: the program leads to nowhere, which means nothing; the lemma puts instructions there.
#[test]
fn nothing_leads_to_what_a_lemma_adds() {
    let nowhere = program(&[Instruction::Jump { target: Location(3) }, Instruction::Halt]);
    let halt = program(&[Instruction::Jump { target: Location(1) }, Instruction::Halt]);
    let answer = checked(&nowhere, &[true_lemma(1)], &halt, run).map(drop);
    assert_eq!(answer, fault(Part::Instruction, 0, Fault::Location));
}

/// Attack: the program runs off its end; behind it a lemma puts the instruction that it stands before.
#[test]
fn what_runs_off_the_end_fails() {
    let condition = Condition::Integers { relation: Relation::Equal, left: Operand::Register(X), right: Operand::Constant(0) };
    let branch = Instruction::Branch(Branch { condition, then: Location(1), otherwise: Location(2) });
    let off = program(&[branch, Instruction::Halt, Instruction::Null { target: POINTER }]);
    assert!(proved(&off, &[true_lemma(1)]).is_err());
    // What it would come to is no `Ignore` either.
    let fail = Instruction::Fail { kind: FailKind::Reached };
    let off = program(&[Instruction::Jump { target: Location(2) }, fail, Instruction::Null { target: POINTER }]);
    let next = u32::try_from(off.registers.len()).expect("few registers");
    assert!(proved(&off, &[asks(1, X, next)]).is_err());
}

#[test]
fn the_copy_of_the_program_counts() {
    let mut instructions = vec![Instruction::Null { target: POINTER }; 500];
    instructions[0] = Instruction::Halt;
    instructions.push(Instruction::Halt);
    let program = program(&instructions);
    let lemmas = [true_lemma(0)];
    let mut strengthened = program.clone();
    add_lemmas(&mut strengthened, &lemmas).expect("lemmas of the program");
    let held = |lemmas: &[Lemma], derived: &Program| checked(&program, lemmas, derived, run).expect("all runs end");
    let copy = u64::try_from(size_of_val(instructions.as_slice())).expect("a small program");
    assert!(held(&lemmas, &strengthened) >= held(&[], &program) + copy);
}
