//! Ground runs: one concrete execution, replayed with the same step function on constant terms (`spec/calculus.md#unsafe`).
//!
//! Only *Exact* outcomes count. The input is given as nested values, so it is valid by construction; k plays no part: every array has as many
//! cells as elements, up to a limit.

use crate::arithmetic::fits;
use crate::rules::is_excluded;
use crate::step::outcomes;
use crate::verdict::Counts;
use crate::{Arena, Configuration, Environment, Place, Rejection, Setting, Tag, Unsupported, ensure};
use alloc::vec::Vec;
use core::slice;
use goatherd_certificates::{GroundRun, Input, InputValue, Instruction, MemberId, ObjectId, Slot, Statement, Type};

/// The one member.
const PRIMARY: MemberId = MemberId(0);

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

/// Replays a run to the end that is expected, after exactly as many steps as it declares, with all its choices used.
pub fn replay(arena: &mut Arena, statement: &Statement, ground: &GroundRun, expected: End, counts: &mut Counts) -> Result<(), Rejection> {
    let Statement { program, parameters, .. } = statement;
    let setting = Setting { program, parameters, k: CELLS };
    let configuration = Configuration::before_inputs(arena, setting)?;
    ensure(ground.inputs.len() == program.inputs.len() && ground.steps <= STEPS, Rejection::Run)?;
    let mut run = Run { arena, setting, configuration, choices: &mut ground.choices.iter().copied() };
    for (input, value) in program.inputs.iter().zip(&ground.inputs) {
        run.set_input(input, value)?;
    }
    for step in 1..=ground.steps {
        let place = run.configuration.member(PRIMARY)?.place;
        let instruction = setting.instruction(place).ok_or(Rejection::Run)?;
        let end = match instruction {
            Instruction::Halt => Some(End::Halted),
            Instruction::Ignore => return Err(Rejection::Run),
            _ => {
                run.execute(instruction)?;
                (run.configuration.member(PRIMARY)?.place == Place::Failed).then_some(End::Failed)
            }
        };
        counts.visit(place, instruction);
        if let Some(end) = end {
            let is_declared = end == expected && step == ground.steps && run.choices.next().is_none();
            return if is_declared { Ok(()) } else { Err(Rejection::Run) };
        }
    }
    Err(Rejection::Run)
}

/// A run that goes on.
struct Run<'a> {
    arena: &'a mut Arena,
    setting: Setting<'a>,
    configuration: Configuration,
    choices: &'a mut dyn Iterator<Item = i128>,
}

impl Run<'_> {
    /// Takes the one step that the state and the choices leave.
    fn execute(&mut self, instruction: &Instruction) -> Result<(), Rejection> {
        let mut open = outcomes(self.arena, self.setting, self.configuration.member(PRIMARY)?)?;
        open.retain(|outcome| !is_excluded(self.arena, outcome));
        ensure(open.iter().all(|outcome| outcome.tag == Tag::Exact), Rejection::Ignorance)?;
        let chosen = match (open.len(), instruction) {
            (0 | 1, _) => 0,
            // The object stands first among the outcomes, NULL last.
            (_, Instruction::Allocate { .. }) => self.way([1, 0])?,
            (_, Instruction::Choose { .. }) => self.way([0, 1])?,
            _ => return Err(Rejection::Choice),
        };
        let effect = open.get(chosen).ok_or(Rejection::Choice)?.effect;
        self.configuration.apply(self.arena, self.setting, PRIMARY, effect, &mut Environment::Run(self.choices))
    }

    /// The position of the next choice among those that there are.
    fn way(&mut self, all: [i128; 2]) -> Result<usize, Rejection> {
        let choice = self.choices.next().ok_or(Rejection::Choice)?;
        all.iter().position(|other| *other == choice).ok_or(Rejection::Choice)
    }

    /// Sets one input to its value.
    fn set_input(&mut self, input: &Input, value: &InputValue) -> Result<(), Rejection> {
        let (register, slot) = match (input, value) {
            (Input::Integer { register }, InputValue::Integer(value)) if fits(*value, self.setting.integer_type(*register)?) => {
                (*register, Slot::Integer(self.arena.constant(*value)?))
            }
            (Input::Array { pointer, length, object }, InputValue::Array(elements)) => {
                let count = i128::try_from(elements.len()).map_err(|_| Rejection::Overflow)?;
                ensure(count <= self.setting.greatest_count(*object)? && fits(count, self.setting.integer_type(*length)?), Rejection::Run)?;
                let count = Slot::Integer(self.arena.constant(count)?);
                self.configuration.member_mut(PRIMARY)?.set_register(*length, count)?;
                (*pointer, self.create(*object, elements)?)
            }
            (Input::Single { pointer, .. }, InputValue::Single(None)) => (*pointer, Slot::Null),
            (Input::Single { pointer, object }, InputValue::Single(Some(fields))) => {
                (*pointer, self.create(*object, slice::from_ref(fields))?)
            }
            (Input::Linked { .. }, _) => return Err(Rejection::Unsupported(Unsupported::Linked)),
            _ => return Err(Rejection::Run),
        };
        self.configuration.member_mut(PRIMARY)?.set_register(register, slot)
    }

    /// Makes an input object live with these elements: per element its integer fields, in order.
    fn create(&mut self, object: ObjectId, elements: &[Vec<i128>]) -> Result<Slot, Rejection> {
        let integers = self.setting.layout(object)?.fields.iter().filter(|field| field.kind != Type::Pointer).count();
        ensure(elements.iter().all(|element| element.len() == integers), Rejection::Run)?;
        let count = self.arena.constant(i128::try_from(elements.len()).map_err(|_| Rejection::Overflow)?)?;
        let environment = &mut Environment::Elements(elements, 0);
        self.configuration.create(self.arena, self.setting, PRIMARY, object, count, environment)
    }
}
