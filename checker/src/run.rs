//! Ground runs: one concrete execution, replayed with the same step function on constant terms (`spec/calculus.md#unsafe`).
//!
//! Only *Exact* outcomes count. The input is given as nested values, so it is valid by construction; k plays no part: every array has as many
//! cells as elements, up to a limit.

use crate::arithmetic::fits;
use crate::configuration::{Configuration, Place, Setting, extent};
use crate::outcome::{Effect, Oracle, Tag};
use crate::rejection::{Rejection, Unsupported};
use crate::rules::is_excluded;
use crate::step::outcomes;
use crate::term::Arena;
use crate::verdict::Counts;
use alloc::vec::Vec;
use goatherd_certificates::certificate::{GroundRun, InputValue, Parameters};
use goatherd_certificates::configuration::Slot;
use goatherd_certificates::derivation::{Choice, MemberId};
use goatherd_certificates::program::{Fresh, Input, Instruction, IntegerType, ObjectId, Program, Type};
use goatherd_certificates::term::{LinearId, Literal};

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

/// In a ground run every condition is decided: there is nothing to show.
struct Evident;

impl Oracle for Evident {
    fn refute(&mut self, _: &mut Arena, _: &[Literal], _: &[Literal]) -> Result<(), Rejection> {
        Err(Rejection::Run)
    }
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
    let mut choices = ground.choices.iter();
    for step in 1..=ground.steps {
        let Place::At(location) = configuration.member(MemberId(0))?.place else { return Err(Rejection::Run) };
        let instruction = program.instructions.get(location.index()).ok_or(Rejection::Missing)?;
        let end = match instruction {
            Instruction::Halt => Some(End::Halted),
            Instruction::Ignore => return Err(Rejection::Run),
            _ => {
                execute(arena, setting, &mut configuration, instruction, &mut choices)?;
                (configuration.member(MemberId(0))?.place == Place::Failed).then_some(End::Failed)
            }
        };
        counts.visit(location, instruction);
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
    choices: &mut core::slice::Iter<'_, i128>,
) -> Result<(), Rejection> {
    let mut open = outcomes(arena, setting, configuration.member(MemberId(0))?)?;
    open.retain(|outcome| !is_excluded(arena, outcome));
    if open.iter().any(|outcome| outcome.tag != Tag::Exact) {
        return Err(Rejection::Ignorance);
    }
    let chosen = if open.len() > 1 {
        let way = choices.next().copied().ok_or(Rejection::Choice)?;
        match (instruction, way) {
            (Instruction::Choose { .. }, 0 | 1) => usize::from(way == 1),
            // The object stands first among the outcomes, NULL last.
            (Instruction::Allocate { .. }, 0 | 1) => usize::from(way == 0),
            _ => return Err(Rejection::Choice),
        }
    } else {
        0
    };
    let outcome = open.get(chosen).ok_or(Rejection::Choice)?;
    let choice = match outcome.effect {
        Effect::Havoc(_, kind) => Some(Choice::Value(value(arena, kind, choices)?)),
        Effect::Create { object, count, fresh: Fresh::Arbitrary, .. } => {
            let mut fields = Vec::new();
            for field in &setting.layout(object)?.fields {
                let Type::Integer(kind) = field.kind else {
                    fields.push((Vec::new(), None));
                    continue;
                };
                let value = value(arena, kind, choices)?;
                let (cells, has_others) = extent(setting, object, field.kind, arena.value(count))?;
                let rest = if has_others { Some(arena.constant_array(value)?) } else { None };
                fields.push(((0..cells).map(|_| value).collect(), rest));
            }
            Some(Choice::Allocation { lower: arena.constant(0)?, fields })
        }
        _ => None,
    };
    configuration.apply(arena, setting, MemberId(0), outcome.effect, choice.as_ref(), &mut Evident)
}

fn value(arena: &mut Arena, kind: IntegerType, choices: &mut core::slice::Iter<'_, i128>) -> Result<LinearId, Rejection> {
    let value = choices.next().copied().filter(|value| fits(*value, kind)).ok_or(Rejection::Choice)?;
    arena.constant(value)
}

/// Sets one input to its value.
fn set_input(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &mut Configuration,
    input: &Input,
    value: &InputValue,
) -> Result<(), Rejection> {
    match (input, value) {
        (Input::Integer { register }, InputValue::Integer(value)) if fits(*value, setting.integer_type(*register)?) => {
            let term = arena.constant(*value)?;
            configuration.member_mut(MemberId(0))?.set_register(*register, Slot::Integer(term))
        }
        (Input::Array { pointer, length, object }, InputValue::Array(elements)) => {
            let count = i128::try_from(elements.len()).map_err(|_| Rejection::Overflow)?;
            if count > setting.greatest_count(*object)? || !fits(count, setting.integer_type(*length)?) {
                return Err(Rejection::Run);
            }
            set_contents(arena, setting, configuration, *object, elements)?;
            let (index, count) = (arena.constant(0)?, arena.constant(count)?);
            let member = configuration.member_mut(MemberId(0))?;
            member.set_register(*length, Slot::Integer(count))?;
            member.set_register(*pointer, Slot::Pointer { object: *object, index, byte: 0 })
        }
        (Input::Single { pointer, .. }, InputValue::Single(None)) => {
            configuration.member_mut(MemberId(0))?.set_register(*pointer, Slot::Null)
        }
        (Input::Single { pointer, object }, InputValue::Single(Some(fields))) => {
            set_contents(arena, setting, configuration, *object, core::slice::from_ref(fields))?;
            let slot = Slot::Pointer { object: *object, index: arena.constant(0)?, byte: 0 };
            configuration.member_mut(MemberId(0))?.set_register(*pointer, slot)
        }
        (Input::Linked { .. }, _) => Err(Rejection::Unsupported(Unsupported::Linked)),
        _ => Err(Rejection::Run),
    }
}

/// Makes an input object live with these elements: per element its integer fields, in order.
fn set_contents(
    arena: &mut Arena,
    setting: Setting<'_>,
    configuration: &mut Configuration,
    object: ObjectId,
    elements: &[Vec<i128>],
) -> Result<(), Rejection> {
    let count = i128::try_from(elements.len()).map_err(|_| Rejection::Overflow)?;
    let mut fields = configuration.fresh_fields(arena, setting, object, Some(count), Fresh::Arbitrary)?;
    let layout = setting.layout(object)?;
    let integers: Vec<IntegerType> =
        layout.fields.iter().filter_map(|field| if let Type::Integer(kind) = field.kind { Some(kind) } else { None }).collect();
    if elements.iter().any(|element| element.len() != integers.len()) {
        return Err(Rejection::Run);
    }
    let states = fields.iter_mut().zip(&layout.fields).filter(|(_, field)| field.kind != Type::Pointer);
    for ((position, kind), (state, _)) in integers.iter().enumerate().zip(states) {
        for (number, element) in elements.iter().enumerate() {
            let value = element.get(position).copied().filter(|value| fits(*value, *kind)).ok_or(Rejection::Run)?;
            let value = arena.constant(value)?;
            if let Some(cell) = state.cells.get_mut(number) {
                *cell = Slot::Integer(value);
            } else {
                let index = arena.constant(i128::try_from(number).map_err(|_| Rejection::Overflow)?)?;
                state.rest = Some(arena.store(state.rest.ok_or(Rejection::Missing)?, index, value)?);
            }
        }
    }
    let upper = arena.constant(count)?;
    configuration.create(arena, MemberId(0), object, upper, fields)
}
