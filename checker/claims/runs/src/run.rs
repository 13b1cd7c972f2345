//! One concrete execution, replayed with the same step function on constant terms (`spec/calculus.md#unsafe`).
//!
//! Only *Exact* outcomes count. The input is given as nested values, so it is valid by construction; k plays no part: every array has as many
//! cells as elements, up to a limit.

use crate::{
    passed::Passed,
    values::{Choices, Elements},
};
use alloc::{vec, vec::Vec};
use core::iter;
use goatherd_certificates::*;
use goatherd_checker::{
    Arena, Configuration, Environment, Member, Place, Rejection, Setting, Tag, arithmetic::fits,
    configuration::slots, ensure, rules::is_excluded, step::outcomes,
};

/// The one member.
const PRIMARY: MemberId = MemberId(0);

/// How many cells an array has at most; beyond, its contents are stores into one array.
const CELLS: u32 = 256;

/// How many instructions a run executes at most.
const STEPS: u64 = 1_000_000;

/// Replays a run, which ends after exactly as many steps as it declares, with all its choices used; says where.
pub fn replay(
    arena: &mut Arena,
    statement: &Statement,
    ground: &GroundRun,
    passed: &mut Passed,
) -> Result<Place, Rejection> {
    let Statement {
        program,
        parameters,
        ..
    } = statement;
    let setting = Setting {
        program,
        parameters,
        k: CELLS,
        sorts: &[],
    };
    let configuration = Configuration::before_inputs(arena, setting)?;
    ensure(
        ground.inputs.len() == program.inputs.len() && ground.steps <= STEPS,
        Rejection::Run,
    )?;
    let mut run = Run {
        arena,
        setting,
        configuration,
        choices: &mut ground.choices.iter().copied(),
    };
    program
        .inputs
        .iter()
        .zip(&ground.inputs)
        .try_for_each(|(input, value)| run.set_input(input, value))?;
    let mut is_over = false;
    for _ in 0..ground.steps {
        let place = run.configuration.member(PRIMARY)?.place;
        let instruction = setting
            .instruction(place)
            .filter(|_| !is_over)
            .ok_or(Rejection::Run)?;
        run.arena.budget.work(passed.assertions.len())?;
        passed.visit(place, instruction);
        is_over = *instruction == Instruction::Halt;
        if !is_over {
            run.execute(instruction)?;
        }
        is_over |= run.configuration.member(PRIMARY)?.place == Place::Failed;
    }
    ensure(is_over && run.choices.next().is_none(), Rejection::Run)?;
    Ok(run.configuration.member(PRIMARY)?.place)
}

/// How many fields a node may have.
fn most_fields(program: &Program) -> usize {
    let counts = program.layouts.iter().map(|layout| layout.fields.len());
    counts.max().unwrap_or(0)
}

/// How many folded parts the member has had, which is the number of the next one.
fn part_count(member: &Member) -> Result<u32, Rejection> {
    u32::try_from(member.folded.len()).map_err(|_| Rejection::Overflow)
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
        let mut open = outcomes(
            self.arena,
            self.setting,
            self.configuration.member(PRIMARY)?,
        )?;
        open.retain(|outcome| !is_excluded(self.arena, outcome));
        ensure(
            open.iter().all(|outcome| outcome.tag == Tag::Exact),
            Rejection::Ignorance,
        )?;
        let mut chosen = 0;
        if open.len() > 1 {
            let ways = match instruction {
                // The object stands first among the outcomes, NULL last.
                Instruction::Allocate(_) => [Some(1), Some(0)],
                Instruction::Choose { .. } => [Some(0), Some(1)],
                _ => return Err(Rejection::Choice),
            };
            let choice = self.choices.next();
            chosen = ways
                .iter()
                .position(|way| *way == choice)
                .ok_or(Rejection::Choice)?;
        }
        let effect = open.get(chosen).ok_or(Rejection::Choice)?.effect;
        self.configuration
            .change(self.arena, self.setting, PRIMARY)
            .apply(effect, &mut Environment::Run(&mut Choices(self.choices)))
    }

    /// Unfolds the root of a linked input, and what hangs below, as the nodes say.
    fn set_nodes(
        &mut self,
        input: &Input,
        pointer: RegisterId,
        nodes: &[Option<Vec<i128>>],
    ) -> Result<(), Rejection> {
        let Self {
            arena,
            setting,
            configuration,
            ..
        } = self;
        let zero = arena.constant(0)?;
        configuration.change(arena, *setting, PRIMARY).set_input(
            input,
            zero,
            &mut Environment::Any,
        )?;
        let Slot::Folded(root) = configuration.member(PRIMARY)?.register(pointer)? else {
            return Err(Rejection::Missing);
        };
        let mut open = vec![root];
        for node in nodes {
            let part = open.pop().ok_or(Rejection::Run)?;
            let member = configuration.member_mut(PRIMARY)?;
            arena.budget.work(slots(member.bytes()))?;
            let fields = node.as_ref().map_or(0, |_| most_fields(setting.program));
            // A node with its fields, and the parts below it.
            let size = size_of::<(FieldState, Slot, Option<Folded>)>();
            let bytes = fields.saturating_mul(size);
            arena
                .budget
                .take(bytes.saturating_add(size_of::<ObjectState>()))?;
            let Some(integers) = node else {
                member.close(part)?;
                continue;
            };
            let tree = member.folded(part)?.tree;
            let (TreeSort::Tree(sort) | TreeSort::Segment(sort)) = configuration.sort(tree)?;
            let (declaration, (_, byte), [links]) = setting.nodes(sort)? else {
                return Err(Rejection::Run);
            };
            let data = &mut integers.iter().copied();
            let contents = configuration.change(arena, *setting, PRIMARY).contents(
                declaration,
                links,
                None,
                &mut Environment::Run(&mut Choices(data)),
            )?;
            ensure(data.next().is_none(), Rejection::Run)?;
            let member = configuration.member_mut(PRIMARY)?;
            let first = part_count(member)?;
            member.open(arena, part, (declaration, byte), &contents, None)?;
            // Those below the node have been made in the order of its fields.
            open.extend((first..part_count(member)?).rev().map(FoldedId));
        }
        ensure(open.is_empty(), Rejection::Run)
    }

    /// Sets one input to its value.
    fn set_input(&mut self, input: &Input, value: &InputValue) -> Result<(), Rejection> {
        let elements = match (input, value) {
            (Input::Integer { .. }, InputValue::Integer(value)) => {
                let (zero, value) = (self.arena.constant(0)?, &mut iter::once(*value));
                return self
                    .configuration
                    .change(self.arena, self.setting, PRIMARY)
                    .set_input(input, zero, &mut Environment::Run(&mut Choices(value)));
            }
            (Input::Array(_), InputValue::Array(elements)) => elements.as_slice(),
            (Input::Single { .. }, InputValue::Single(fields)) => fields.as_slice(),
            (Input::Linked { pointer, .. }, InputValue::Linked(nodes)) => {
                return self.set_nodes(input, *pointer, nodes);
            }
            _ => return Err(Rejection::Run),
        };
        let count = i128::try_from(elements.len()).map_err(|_| Rejection::Overflow)?;
        if let Input::Array(ArrayInput { length, object, .. }) = *input {
            ensure(
                count <= self.setting.greatest_count(object)?
                    && fits(count, self.setting.integer_type(length)?),
                Rejection::Run,
            )?;
        }
        let count = self.arena.constant(count)?;
        let mut values = Elements { elements, set: 0 };
        self.configuration
            .change(self.arena, self.setting, PRIMARY)
            .set_input(input, count, &mut Environment::Run(&mut values))?;
        // As many values per element as there are integer fields.
        ensure(
            elements.iter().all(|element| element.len() == values.set),
            Rejection::Run,
        )
    }
}
