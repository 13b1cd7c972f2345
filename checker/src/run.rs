//! Ground runs: one concrete execution, replayed with the same step function on constant terms (`spec/calculus.md#unsafe`).
//!
//! Only *Exact* outcomes count. The input is given as nested values, so it is valid by construction; k plays no part: every array has as many
//! cells as elements, up to a limit.

use crate::arithmetic::fits;
use crate::configuration::{Configuration, Place, Setting};
use crate::environment::Environment;
use crate::outcome::Tag;
use crate::rejection::{Rejection, Unsupported};
use crate::rules::is_excluded;
use crate::step::outcomes;
use crate::term::Arena;
use crate::verdict::Counts;
use alloc::vec::Vec;
use core::slice;
use goatherd_certificates::certificate::{GroundRun, InputValue, Parameters};
use goatherd_certificates::configuration::Slot;
use goatherd_certificates::derivation::MemberId;
use goatherd_certificates::program::{Input, Instruction, ObjectId, Program, Type};

/// How many cells an array has at most; beyond, its contents are stores into one array.
const CELLS: u32 = 256;

/// How many instructions a run executes at most.
const STEPS: u64 = 1_000_000;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// At `Halt`.
    Halted,
    /// It failed.
    Failed,
}

/// Replays a run to its end, after exactly as many steps as it declares, with all its choices used.
pub fn replay(
    arena: &mut Arena,
    program: &Program,
    parameters: &Parameters,
    ground: &GroundRun,
    counts: &mut Counts,
) -> Result<End, Rejection> {
    let setting = Setting { program, parameters, k: CELLS };
    let mut configuration = Configuration::before_inputs(arena, setting)?;
    if ground.inputs.len() != program.inputs.len() || ground.steps > STEPS {
        return Err(Rejection::Run);
    }
    for (input, value) in program.inputs.iter().zip(&ground.inputs) {
        set_input(arena, setting, &mut configuration, input, value)?;
    }
    let mut choices = ground.choices.iter().copied();
    for step in 1..=ground.steps {
        let place = configuration.member(MemberId(0))?.place;
        let instruction = setting.instruction(place).ok_or(Rejection::Run)?;
        let end = match instruction {
            Instruction::Halt => Some(End::Halted),
            Instruction::Ignore => return Err(Rejection::Run),
            _ => {
                execute(arena, setting, &mut configuration, instruction, &mut choices)?;
                (configuration.member(MemberId(0))?.place == Place::Failed).then_some(End::Failed)
            }
        };
        counts.visit(place, instruction);
        if let Some(end) = end {
            return if step == ground.steps && choices.next().is_none() { Ok(end) } else { Err(Rejection::Run) };
        }
    }
    Err(Rejection::Run)
}

/// Takes the one step that the state and the choices leave.
fn execute(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &mut Configuration,
    instruction: &Instruction,
    choices: &mut dyn Iterator<Item = i128>,
) -> Result<(), Rejection> {
    let mut open = outcomes(arena, setting, configuration.member(MemberId(0))?)?;
    open.retain(|outcome| !is_excluded(arena, outcome));
    if open.iter().any(|outcome| outcome.tag != Tag::Exact) {
        return Err(Rejection::Ignorance);
    }
    let chosen = match (open.len(), instruction) {
        (0 | 1, _) => 0,
        // The object stands first among the outcomes, NULL last.
        (_, Instruction::Allocate { .. }) => way(choices, [1, 0])?,
        (_, Instruction::Choose { .. }) => way(choices, [0, 1])?,
        _ => return Err(Rejection::Choice),
    };
    let outcome = open.get(chosen).ok_or(Rejection::Choice)?;
    configuration.apply(arena, setting, MemberId(0), outcome.effect, &mut Environment::Run(choices))
}

/// The position of the next choice among those that there are.
fn way(choices: &mut dyn Iterator<Item = i128>, all: [i128; 2]) -> Result<usize, Rejection> {
    let choice = choices.next().ok_or(Rejection::Choice)?;
    all.iter().position(|other| *other == choice).ok_or(Rejection::Choice)
}

/// Sets one input to its value.
fn set_input(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &mut Configuration,
    input: &Input,
    value: &InputValue,
) -> Result<(), Rejection> {
    let (register, slot) = match (input, value) {
        (Input::Integer { register }, InputValue::Integer(value)) if fits(*value, setting.integer_type(*register)?) => {
            (*register, Slot::Integer(arena.constant(*value)?))
        }
        (Input::Array { pointer, length, object }, InputValue::Array(elements)) => {
            let count = i128::try_from(elements.len()).map_err(|_| Rejection::Overflow)?;
            if count > setting.greatest_count(*object)? || !fits(count, setting.integer_type(*length)?) {
                return Err(Rejection::Run);
            }
            let count = Slot::Integer(arena.constant(count)?);
            configuration.member_mut(MemberId(0))?.set_register(*length, count)?;
            (*pointer, create(arena, setting, configuration, *object, elements)?)
        }
        (Input::Single { pointer, .. }, InputValue::Single(None)) => (*pointer, Slot::Null),
        (Input::Single { pointer, object }, InputValue::Single(Some(fields))) => {
            (*pointer, create(arena, setting, configuration, *object, slice::from_ref(fields))?)
        }
        (Input::Linked { .. }, _) => return Err(Rejection::Unsupported(Unsupported::Linked)),
        _ => return Err(Rejection::Run),
    };
    configuration.member_mut(MemberId(0))?.set_register(register, slot)
}

/// Makes an input object live with these elements: per element its integer fields, in order.
fn create(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &mut Configuration,
    object: ObjectId,
    elements: &[Vec<i128>],
) -> Result<Slot, Rejection> {
    let integers = setting.layout(object)?.fields.iter().filter(|field| field.kind != Type::Pointer).count();
    if elements.iter().any(|element| element.len() != integers) {
        return Err(Rejection::Run);
    }
    let count = arena.constant(i128::try_from(elements.len()).map_err(|_| Rejection::Overflow)?)?;
    configuration.create(arena, setting, MemberId(0), object, count, &mut Environment::Elements(elements, 0))
}
