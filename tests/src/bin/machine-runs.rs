//! Writes runs of random programs as the interpreter runs them, one JSON object a line: for implementations of the program form that are not
//! in Rust (`spec/soundness`).
//!
//! Usage: `machine-runs [COUNT [SEED]]`.

use goatherd_interpreter::{Life, Machine, Outcome, Random, Tracing, Value, run_machine, well_formed};
use goatherd_tests::random_programs::{Case, generate};
use serde::Serialize;
use std::{
    fmt::Write as _,
    io::{self, BufWriter, Write as _},
    process::ExitCode,
};

/// One run is given up after so many steps.
const STEPS: u64 = 150;

/// How many elements of an object are written down.
const ELEMENTS: u64 = 4;

/// A program, a run of it, and where it led.
#[derive(Serialize)]
struct Line<'a> {
    program: &'a goatherd_certificates::program::Program,
    parameters: &'a goatherd_certificates::certificate::Parameters,
    inputs: Vec<goatherd_certificates::certificate::InputValue>,
    choices: &'a [i128],
    comparisons: &'a [i128],
    limit: u64,
    result: String,
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let mut number = |default: u64| words.next().map_or(Some(default), |word| word.parse().ok());
    let (Some(count), Some(seed)) = (number(1000), number(1)) else {
        eprintln!("usage: machine-runs [COUNT [SEED]]");
        return ExitCode::from(3);
    };
    match write(count, seed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("machine-runs: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(count: u64, seed: u64) -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let mut random = Random::new(seed);
    for _ in 0..count {
        let Case { program, parameters, inputs } = generate(&mut random);
        well_formed::check(&program).map_err(io::Error::other)?;
        let mut machine = Machine::new(&program, parameters, &inputs).map_err(io::Error::other)?;
        let run = run_machine(&mut machine, &mut random, STEPS, Tracing::Off);
        let line = Line {
            program: &program,
            parameters: &parameters,
            inputs: inputs.iter().map(goatherd_interpreter::InputValue::to_certificate).collect(),
            choices: &run.choices,
            comparisons: &run.comparisons,
            limit: STEPS,
            result: result(&machine, run.outcome, run.steps),
        };
        serde_json::to_writer(&mut output, &line)?;
        output.write_all(b"\n")?;
    }
    output.flush()
}

/// How the run ended, where, after how many steps, and the state then: registers, and the first elements of all objects.
fn result(machine: &Machine<'_>, outcome: Outcome, steps: u64) -> String {
    let ending = match outcome {
        Outcome::Halted => String::from("Halted"),
        Outcome::Ignored => String::from("Ignored"),
        Outcome::Failed { failure: goatherd_interpreter::Failure::Program(_), .. } => String::from("Program"),
        Outcome::Failed { failure, .. } => format!("{failure:?}"),
        Outcome::Unsupported { .. } => String::from("Unsupported"),
        Outcome::Unanswered { .. } => String::from("Unanswered"),
        Outcome::StepLimit => String::from("StepLimit"),
    };
    let registers: Vec<String> = machine.registers().iter().map(|value| shown(*value)).collect();
    let mut text = format!("{ending} at {} after {steps}: {}", machine.location().0, registers.join(" "));
    for object in machine.objects() {
        let life = if object.life == Life::Live { "live" } else { "dead" };
        // Writing to a string does not fail.
        let _ = write!(text, "; {life} {}", object.count);
        for index in 0..object.count.min(ELEMENTS) {
            for field in 0..object.layout.fields.len() {
                let _ = write!(text, " {}", shown(object.cell(i128::from(index), field)));
            }
        }
    }
    text
}

fn shown(value: Value) -> String {
    match value {
        Value::Uninitialised => String::from("-"),
        Value::Integer(value) => value.to_string(),
        Value::Null => String::from("null"),
        Value::Pointer(pointer) => format!("{}[{}]+{}", pointer.object.0, pointer.index, pointer.byte),
    }
}
