//! Whole executions.

use crate::{
    environment::Environment,
    input::{InputValue, InvalidInput},
    machine::{Event, Machine, Write},
    outcome::Outcome,
    value::Pointer,
};
use goatherd_certificates::{
    certificate::{GroundRun, Parameters},
    program::{Instruction, Location, Program},
};
use std::collections::BTreeSet;

/// Is a trace kept?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tracing {
    /// No.
    Off,
    /// Every step.
    On,
}

/// One executed instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceEntry {
    /// Which.
    pub location: Location,
    /// Where it read or wrote memory.
    pub place: Option<Pointer>,
    /// What it wrote.
    pub write: Option<Write>,
    /// How many of the run's choices it took.
    pub choices: usize,
}

/// A finished execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// How many instructions were executed, the one that ended the run included.
    pub steps: u64,
    /// The assertions that were tested.
    pub assertions: BTreeSet<Location>,
    /// How many loads and stores were executed.
    pub accesses: u64,
    /// What the environment chose, as [`GroundRun::choices`] lists it.
    pub choices: Vec<i128>,
    /// How the environment answered comparisons that C leaves open.
    pub comparisons: Vec<i128>,
    /// Every step, if asked for.
    pub trace: Vec<TraceEntry>,
}

impl Run {
    /// The run as a certificate stores it. None if the checker would not replay it: it was cut short, is unsupported, rests on an answer to
    /// a comparison that C leaves open.
    pub fn to_certificate(&self, inputs: &[InputValue]) -> Option<GroundRun> {
        let is_final = matches!(self.outcome, Outcome::Halted | Outcome::Ignored | Outcome::Failed { .. });
        if !is_final || !self.comparisons.is_empty() {
            return None;
        }
        let inputs = inputs.iter().map(InputValue::to_certificate).collect();
        Some(GroundRun { inputs, choices: self.choices.clone(), steps: self.steps })
    }
}

/// Runs a [well-formed](crate::well_formed::check) program from its start, for at most `step_limit` instructions. Refuses values that are no
/// valid input.
pub fn run(
    program: &Program,
    parameters: Parameters,
    inputs: &[InputValue],
    environment: &mut dyn Environment,
    step_limit: u64,
    tracing: Tracing,
) -> Result<Run, InvalidInput> {
    let mut machine = Machine::new(program, parameters, inputs)?;
    Ok(run_machine(&mut machine, environment, step_limit, tracing))
}

/// Runs a machine from where it is, for at most `step_limit` instructions.
pub fn run_machine(machine: &mut Machine<'_>, environment: &mut dyn Environment, step_limit: u64, tracing: Tracing) -> Run {
    let program = machine.program();
    let mut assertions = BTreeSet::new();
    let mut trace = Vec::new();
    let mut steps = 0;
    let mut accesses = 0;
    let mut outcome = Outcome::StepLimit;
    while steps < step_limit {
        let location = machine.location();
        let chosen = machine.choices().len();
        let place = if tracing == Tracing::On { machine.place_of_access() } else { None };
        let event = machine.step(environment);
        steps += 1;
        if program.assertions.binary_search(&location).is_ok() {
            assertions.insert(location);
        }
        if let Instruction::Load { .. } | Instruction::Store { .. } = program.instructions[location.index()] {
            accesses += 1;
        }
        let write = match event {
            Event::Continued(write) => write,
            Event::Ended(_) => None,
        };
        if tracing == Tracing::On {
            trace.push(TraceEntry { location, place, write, choices: machine.choices().len() - chosen });
        }
        if let Event::Ended(end) = event {
            outcome = end;
            break;
        }
    }
    Run { outcome, steps, assertions, accesses, choices: machine.choices().to_vec(), comparisons: machine.comparisons().to_vec(), trace }
}
