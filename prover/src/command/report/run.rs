//! A failing run in terms of C: what it is given, what the environment chooses, which lines it executes.

use super::{heap::Heap, values};
use crate::command::places::{Place, Places};
use goatherd_certificates::{
    certificate::Parameters,
    program::{Instruction, Location, Program, Type},
};
use goatherd_counterexample::Counterexample;
use goatherd_frontend::lower::is_frame;
use goatherd_interpreter::{Event, Machine, Replay, Value, Write};
use serde::Serialize;

/// A name and what it holds.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Binding {
    /// A C expression.
    pub name: String,
    /// Its value, as C writes it.
    pub value: String,
}

impl Binding {
    fn new((name, value): (String, String)) -> Self {
        Self { name, value }
    }
}

/// What the environment chose at a place.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Choice {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// What.
    pub what: String,
}

/// A line that the run executed.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Executed {
    /// Its file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// Its text, without the space around it.
    pub text: String,
    /// What was written, in order.
    pub writes: Vec<Binding>,
}

/// A failing run.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct FailingRun {
    /// Why it fails.
    pub failure: String,
    /// Where it fails.
    #[serde(flatten)]
    pub place: Place,
    /// What it is given.
    pub inputs: Vec<Binding>,
    /// What the environment chooses, in order.
    pub choices: Vec<Choice>,
    /// The lines that it executes, in order.
    pub trace: Vec<Executed>,
    /// The heap at its start.
    #[serde(skip_serializing_if = "Heap::is_empty")]
    pub heap_at_entry: Heap,
    /// The heap where it fails.
    #[serde(skip_serializing_if = "Heap::is_empty")]
    pub heap_at_failure: Heap,
    /// The number of instructions that it executes.
    pub steps: u64,
}

impl FailingRun {
    /// Describes the counterexample.
    pub fn new(program: &Program, parameters: Parameters, places: Places<'_>, counterexample: &Counterexample) -> Self {
        let inputs = values::inputs(program, &counterexample.inputs).into_iter().map(Binding::new).collect();
        let mut run = Self {
            failure: places.undefined(counterexample.location).unwrap_or_else(|| counterexample.failure.to_string()),
            place: places.place(counterexample.location),
            inputs,
            choices: Vec::new(),
            trace: Vec::new(),
            heap_at_entry: Heap::default(),
            heap_at_failure: Heap::default(),
            steps: counterexample.steps,
        };
        // The run is replayed, for the names of the objects that its pointers point to.
        let Ok(mut machine) = Machine::new(program, parameters, &counterexample.inputs) else { return run };
        run.heap_at_entry = Heap::of(&machine);
        let mut environment = Replay::new(&counterexample.choices);
        let mut last: Option<Location> = None;
        for _ in 0..counterexample.steps {
            let location = machine.location();
            let event = machine.step(&mut environment);
            run.enter(places, last, location);
            if let Event::Continued(Some(write)) = event {
                run.choices.extend(choice(program, location, write).map(|what| Choice { place: places.place(location), what }));
                let is_kept = matches!(write, Write::Cell { object, .. } if machine.objects().get(object.0).is_some_and(|object| is_frame(object.layout)));
                let binding = values::write(program, machine.objects(), write).filter(|_| !is_kept).map(Binding::new);
                if let (Some(line), Some(binding)) = (run.trace.last_mut(), binding) {
                    line.writes.push(binding);
                }
            }
            last = Some(location);
        }
        run.heap_at_failure = Heap::of(&machine);
        run
    }

    /// Begins a line of the trace where the run comes to another one, or comes back to the same.
    fn enter(&mut self, places: Places<'_>, last: Option<Location>, location: Location) {
        let place = places.place(location);
        let is_same = self.trace.last().is_some_and(|line| line.file == place.file && line.line == place.line);
        if is_same && last.is_some_and(|last| last < location) {
            return;
        }
        let text = places.source_line(location).map(|text| text.trim().to_owned()).unwrap_or_default();
        self.trace.push(Executed { file: place.file, line: place.line, text, writes: Vec::new() });
    }
}

/// What the environment chose for the instruction.
fn choice(program: &Program, location: Location, write: Write) -> Option<String> {
    let Write::Register { register, value } = write else { return None };
    match program.instructions.get(location.index())? {
        Instruction::Havoc { .. } => match (value, program.registers.get(register.index())?.kind) {
            (Value::Integer(value), Type::Integer(_)) => {
                Some(format!("the nondeterministic value is {}", values::integer(program, register, value)))
            }
            _ => None,
        },
        Instruction::Allocate(_) if value == Value::Null => Some("the allocation gives NULL".to_owned()),
        _ => None,
    }
}
