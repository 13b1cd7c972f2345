//! Arrays of any length at the entry (`spec/calculus.md#root`).

use super::Catalogue;
use crate::{
    forge::{Forge, PARAMETERS},
    programs::{self, FAIL, branch, empty},
};
use goatherd_certificates::{
    certificate::Certificate,
    derivation::{Deduction, DroppedElement, FactId, Lengths, MemberId, OutcomeId, Rule},
    program::{Instruction, IntegerType, Operand, Program, RegisterId, Relation},
    term::Literal,
};
use goatherd_checker::{Configuration, rejection::Rejection};

/// A program with an array, whose length is an `int`, and these instructions; how many elements the array has.
fn with_array(instructions: impl FnOnce(RegisterId) -> Vec<Instruction>) -> (Program, RegisterId) {
    with_array_of(IntegerType::I32, instructions)
}

/// The same with a length of that type.
fn with_array_of(length: IntegerType, instructions: impl FnOnce(RegisterId) -> Vec<Instruction>) -> (Program, RegisterId) {
    let mut program = empty();
    let (_, n, _) = programs::array(&mut program, "a", IntegerType::I8, length);
    program.instructions = instructions(n);
    (program, n)
}

/// Fails if the length is at most this.
fn longer_than(bound: i128) -> (Program, RegisterId) {
    with_array(|n| vec![branch(Relation::LessOrEqual, Operand::Register(n), Operand::Constant(bound), 1, 2), FAIL, Instruction::Halt])
}

/// A derivation from the entry, and the length.
fn proof((program, n): &(Program, RegisterId), derivation: impl FnOnce(&mut Forge<'_>, Configuration, RegisterId)) -> Certificate {
    let mut forge = Forge::new(program, &PARAMETERS, 2);
    forge.lengths = Lengths::Open;
    let root = forge.root(0).expect("one class");
    assert!(forge.root(1).is_none(), "one class");
    derivation(&mut forge, root, *n);
    forge.certificate_of(&forge.proof())
}

fn by_steps(forge: &mut Forge<'_>, configuration: Configuration, _: RegisterId) {
    forge.auto(configuration);
}

/// The length is at least this.
fn at_least(forge: &mut Forge<'_>, configuration: &Configuration, n: RegisterId, least: i128) -> Literal {
    let (n, least) = (forge.integer(configuration, 0, n), forge.constant(least));
    forge.arena.at_most(least, n).expect("a literal")
}

/// The failure is said to be impossible: what is known of it is added to what the program asks.
fn said_not_to_fail(forge: &mut Forge<'_>, configuration: Configuration, _: RegisterId) {
    forge.step_refuting(configuration, &[OutcomeId(0)]);
    if let Some(Rule::Step { refuted }) = forge.rules.last_mut() {
        refuted[0].1.deductions = vec![Deduction::Combine(vec![(FactId(0), 1), (FactId(1), 1)])];
    }
    forge.rules.push(Rule::End);
}

/// Fails if the length is at least 1,000.
fn of_a_thousand() -> (Program, RegisterId) {
    let instructions =
        |n| vec![branch(Relation::LessOrEqual, Operand::Constant(1000), Operand::Register(n), 1, 2), FAIL, Instruction::Halt];
    // The greatest number of elements is none that is known of all lengths.
    with_array_of(IntegerType::U64, instructions)
}

/// A scapegoat without the first element is blamed; nobody has asked whether there is one.
fn blamed(forge: &mut Forge<'_>, mut configuration: Configuration, _: RegisterId) {
    forge.add(&mut configuration, &[(0, DroppedElement::First(0))], &[]);
    forge.rules.push(Rule::Descent { member: MemberId(1) });
}

/// The same where there are elements; where there are none, the program does not fail.
fn blamed_where_long(forge: &mut Forge<'_>, configuration: Configuration, n: RegisterId) {
    let is_long = at_least(forge, &configuration, n, 1);
    let [mut long, short] = forge.split(configuration, is_long);
    forge.add(&mut long, &[(0, DroppedElement::First(0))], &[]);
    forge.auto(long);
    forge.auto(short);
}

/// Fails unless the array is empty.
fn not_empty() -> (Program, RegisterId) {
    with_array(|n| vec![branch(Relation::Equal, Operand::Register(n), Operand::Constant(0), 2, 1), FAIL, Instruction::Halt])
}

/// Of one element a scapegoat lacks these, as if there were more; of more elements one without the first is blamed.
fn without(dropped: [DroppedElement; 2]) -> impl FnOnce(&mut Forge<'_>, Configuration, RegisterId) {
    move |forge, configuration, n| {
        let is_long = at_least(forge, &configuration, n, 1);
        let [long, empty] = forge.split(configuration, is_long);
        let is_longer = at_least(forge, &long, n, 2);
        let [mut longer, mut one] = forge.split(long, is_longer);
        forge.add(&mut longer, &[(0, DroppedElement::First(0))], &[]);
        blame(forge, longer);
        forge.add(&mut one, &dropped.map(|element| (0, element)), &[]);
        blame(forge, one);
        forge.auto(empty);
    }
}

/// The scapegoat fails.
fn blame(forge: &mut Forge<'_>, mut configuration: Configuration) {
    forge.follow(&mut configuration, 1, None);
    forge.auto(configuration);
}

/// Fails unless the array is empty; beside it is another one, which is said to have an element that a scapegoat lacks.
fn of_another_array() -> Certificate {
    let (mut program, n) = not_empty();
    programs::array(&mut program, "b", IntegerType::I8, IntegerType::I32);
    let other = |forge: &mut Forge<'_>, configuration: Configuration, n| {
        let is_long = at_least(forge, &configuration, n, 1);
        let [mut long, empty] = forge.split(configuration, is_long);
        forge.add(&mut long, &[(1, DroppedElement::First(0))], &[]);
        blame(forge, long);
        forge.auto(empty);
    };
    proof(&(program, n), other)
}

/// Adds them.
pub(super) fn add(vectors: &mut Catalogue) {
    vectors.accepted("open-accepted", "no length is below 0", &proof(&longer_than(-1), by_steps));
    vectors.accepted("open-scapegoat", "an array without an element, where there is one", &proof(&longer_than(-1), blamed_where_long));
    let mut rejected = |name: &str, reason, certificate: Certificate| vectors.rejected(name, Rejection::NotRefuted, reason, &certificate);
    rejected("open-empty", "no array is said to be empty", proof(&longer_than(0), said_not_to_fail));
    rejected("open-short", "no array is said to be as short as its cells", proof(&longer_than(2), said_not_to_fail));
    let fails = with_array(|_| vec![FAIL]);
    let long = of_a_thousand();
    rejected("open-long", "no array is said to be long", proof(&long, said_not_to_fail));
    let (first, second, last) = (DroppedElement::First(0), DroppedElement::First(1), DroppedElement::Last);
    rejected("open-last-twice", "an array of one element lacks two at its end", proof(&not_empty(), without([last, last])));
    rejected("open-both-ends", "an array of one element lacks one at each end", proof(&not_empty(), without([first, last])));
    rejected("open-second", "an array of one element lacks its first and its second", proof(&not_empty(), without([first, second])));
    rejected("open-other", "a scapegoat lacks an element of another array than that which has one", of_another_array());
    rejected("open-not-shorter", "a scapegoat lacks an element that there may not be", proof(&fails, blamed));
}
