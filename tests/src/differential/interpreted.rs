//! Cases, lowered by the front end and run by the interpreter.

use super::{Dialect, Ending, Fault, compiled::bytes, generator::Case};
use goatherd_certificates::{
    certificate::{Allocation, Arithmetic, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::{ArrayInput, Input, Program, Type},
};
use goatherd_frontend::{
    lower as lowering,
    source::{Options, from_text},
};
use goatherd_interpreter::{Environment, Failure, InputValue, Machine, Outcome, Question, Tracing, Value, Zero, run_machine, well_formed};

/// One run is given up after so many steps.
const STEPS: u64 = 2_000_000;

/// What the front end makes of a source; else why it refuses it.
pub fn lower(text: &str, entry: &str) -> Result<Program, String> {
    let unit = from_text("case.c", text, &Options::default()).map_err(|reports| format!("{reports:?}"))?;
    match lowering::lower(&unit, entry) {
        Ok(lowered) => Ok(lowered.program),
        Err(diagnostics) => Err(diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect::<Vec<_>>().join("; ")),
    }
}

/// Runs every input of the case.
pub fn run(program: &Program, case: &Case, dialect: Dialect) -> Vec<Ending> {
    if let Err(error) = well_formed::check(program) {
        return case.inputs.iter().map(|_| Ending::Unknown(format!("ill-formed program: {error}"))).collect();
    }
    let parameters = Parameters {
        data_model: DataModel::Lp64SignedChar,
        signed_overflow: match dialect {
            Dialect::Wrapping => SignedOverflow::Wraps,
            Dialect::Checked => SignedOverflow::Fails,
        },
        pointer_formation: PointerFormation::Anywhere,
        allocation: Allocation::Succeeds,
        arithmetic: Arithmetic::C,
    };
    case.inputs.iter().map(|inputs| run_chosen(program, parameters, inputs)).collect()
}

/// Runs with one value after another for what the models of library functions leave open, such as the sign of `strcmp`'s result, until their
/// assumptions hold.
fn run_chosen(program: &Program, parameters: Parameters, inputs: &[InputValue]) -> Ending {
    let mut signs = Signs::default();
    for _ in 0..MOST_CHOICES {
        let mut machine = match Machine::new(program, parameters, inputs) {
            Ok(machine) => machine,
            Err(error) => return Ending::Unknown(error.to_string()),
        };
        match run_machine(&mut machine, &mut signs, STEPS, Tracing::Off).outcome {
            Outcome::Halted => return Ending::Finished(arrays(&machine)),
            Outcome::Failed { failure, .. } => return fault(failure),
            Outcome::Ignored if signs.advance() => {}
            other => return Ending::Unknown(format!("{other:?}")),
        }
    }
    Ending::Unknown("too many choices".to_owned())
}

/// How many combinations of choices are tried.
const MOST_CHOICES: u64 = 1000;

/// Goes through the combinations of 0, 1 and -1, the latest choice changing fastest.
#[derive(Default)]
struct Signs {
    choices: Vec<i128>,
    next: usize,
}

impl Signs {
    fn advance(&mut self) -> bool {
        self.choices.truncate(self.next);
        self.next = 0;
        while let Some(last) = self.choices.pop() {
            if last >= 0 {
                self.choices.push(if last == 0 { 1 } else { -1 });
                return true;
            }
        }
        false
    }
}

impl Environment for Signs {
    fn answer(&mut self, question: Question) -> Option<i128> {
        if !matches!(question, Question::Havoc { .. }) {
            return Zero.answer(question);
        }
        if self.next == self.choices.len() {
            self.choices.push(0);
        }
        self.next += 1;
        let (least, most) = question.range();
        Some(self.choices[self.next - 1].clamp(least, most))
    }
}

fn fault(failure: Failure) -> Ending {
    Ending::Faulty(match failure {
        Failure::DivisionByZero | Failure::DivisionOverflow => Fault::Division,
        Failure::ShiftAmount => Fault::Shift,
        Failure::SignedOverflow => Fault::Overflow,
        Failure::NullAccess => Fault::Null,
        Failure::OutOfBounds | Failure::DeadObject | Failure::InvalidFree => Fault::Memory,
        other => return Ending::Unknown(other.to_string()),
    })
}

/// The bytes of all array inputs.
fn arrays(machine: &Machine<'_>) -> Vec<u8> {
    let mut all = Vec::new();
    for input in &machine.program().inputs {
        let Input::Array(ArrayInput { object, .. }) = input else { continue };
        let Some(array) = machine.object_of(*object) else { continue };
        for index in 0..array.count {
            for (position, field) in array.layout.fields.iter().enumerate() {
                if let (Type::Integer(kind), Value::Integer(value)) = (field.kind, array.cell(i128::from(index), position)) {
                    all.extend(bytes(kind, value));
                }
            }
        }
    }
    all
}
