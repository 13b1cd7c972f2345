//! Forged certificates. Each test has a program that fails (the interpreter shows it) and a proof that one missing condition would let
//! through; the checker names that condition. Names are those of `spec/calculus.md#attacks`.

mod language;
mod model;
mod terms;
mod traps;

use goatherd_certificates::{
    certificate::{Allocation, Evidence, GroundRun, Parameters, PointerFormation, SignedOverflow},
    configuration::{Life, Slot, Template},
    derivation::{Choice, Deduction, DroppedElement, FactId, InputDrop, MemberId, OutcomeId, Refutation, Rule, TemplateId},
    program::{
        Access, Allocate, Branch, Condition, Contents, Fresh, Input, Instruction, IntegerType, Location, ObjectId, Operand, Operation,
        Origin, PointerOperand, Program, RegisterId, Relation, Table, TableId, Type,
    },
    term::{Literal, Sign, Variable},
};
use goatherd_checker::{
    configuration::Configuration,
    rejection::{Rejection, Unsupported},
};
use goatherd_interpreter::{self as interpreter, InputValue, Outcome, Random, Tracing};
use goatherd_tests::{
    forge::{Forge, PARAMETERS, certificate_of_run, check, rejection},
    programs::{FAIL, array, assign, branch, empty, integer, layout, object, pointer},
};

pub(crate) const MAY_FAIL: Parameters = Parameters { allocation: Allocation::MayFail, ..PARAMETERS };
pub(crate) const FIRST: [(u32, DroppedElement); 1] = [(0, DroppedElement::First(0))];

/// Does some run of the program on the input fail?
pub(crate) fn fails(program: &Program, parameters: Parameters, inputs: &[InputValue]) -> bool {
    (0..200).any(|seed| {
        let run = interpreter::run(program, parameters, inputs, &mut Random::new(seed), 1000, Tracing::Off).unwrap();
        matches!(run.outcome, Outcome::Failed { .. })
    })
}

/// The program fails on the input, and yet this is what the checker says of the forged proof.
pub(crate) fn forged(
    program: &Program,
    parameters: Parameters,
    inputs: &[InputValue],
    derivation: impl FnMut(&mut Forge<'_>, u64, Configuration),
) -> Rejection {
    assert!(fails(program, parameters, inputs), "the program fails");
    refused(program, parameters, 1, derivation)
}

pub(crate) fn refused(
    program: &Program,
    parameters: Parameters,
    k: u32,
    mut derivation: impl FnMut(&mut Forge<'_>, u64, Configuration),
) -> Rejection {
    let mut forge = Forge::new(program, &parameters, k);
    let mut class = 0;
    while let Some(configuration) = forge.root(class) {
        derivation(&mut forge, class, configuration);
        class += 1;
    }
    rejection(&forge.check()).expect("the forged proof is rejected")
}

/// Claims that whatever fails is impossible.
pub(crate) fn auto(forge: &mut Forge<'_>, _: u64, configuration: Configuration) {
    forge.auto(configuration);
}

pub(crate) fn of(register: RegisterId) -> Operand {
    Operand::Register(register)
}

pub(crate) const fn number(value: i128) -> Operand {
    Operand::Constant(value)
}

pub(crate) fn equal_pointers(left: RegisterId, right: PointerOperand, then: u32, otherwise: u32) -> Instruction {
    let condition = Condition::Pointers { relation: Relation::Equal, left: PointerOperand::Register(left), right };
    Instruction::Branch(Branch { condition, then: Location(then), otherwise: Location(otherwise) })
}

/// An `int` array whose length is of type U8, with one integer register.
pub(crate) fn with_array() -> (Program, [RegisterId; 3]) {
    let mut program = empty();
    let (pointer, length, _) = array(&mut program, "a", IntegerType::I32, IntegerType::U8);
    let x = integer(&mut program, "x", IntegerType::I32);
    (program, [pointer, length, x])
}

pub(crate) fn elements(count: usize) -> Vec<InputValue> {
    vec![InputValue::Array(vec![vec![0]; count])]
}

/// `p = malloc(4)`, where the object holds one `int`.
pub(crate) fn with_malloc() -> (Program, RegisterId, ObjectId, Instruction) {
    let mut program = empty();
    let target = pointer(&mut program, "p");
    let element = layout(&mut program, &[Type::Integer(IntegerType::I32)]);
    let object = object(&mut program, element, Origin::Heap);
    let allocate = Instruction::Allocate(Allocate { target, object, bytes: number(4), fresh: Fresh::Arbitrary });
    (program, target, object, allocate)
}

pub(crate) fn edited_template(edit: impl Fn(&mut Forge<'_>, &mut Template)) -> impl Fn(&mut Forge<'_>, &Configuration) {
    move |forge, configuration| {
        forge.forge_template(configuration, &edit, Forge::auto);
    }
}
