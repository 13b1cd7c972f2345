//! Cases, lowered by the front end and run by the interpreter.

use super::{Dialect, Ending, Fault, compiled::bytes, generator::Case};
use goatherd_certificates::{
    certificate::{Allocation, DataModel, Parameters, PointerFormation, SignedOverflow},
    program::{Input, Program, Type},
};
use goatherd_frontend::{
    lower as lowering,
    source::{Options, from_text},
};
use goatherd_interpreter::{Event, Failure, Machine, Outcome, Value, Zero, well_formed};

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
    };
    let once = |inputs| match Machine::new(program, parameters, inputs) {
        Ok(mut machine) => run_once(&mut machine),
        Err(error) => Ending::Unknown(error.to_string()),
    };
    case.inputs.iter().map(|inputs| once(inputs)).collect()
}

fn run_once(machine: &mut Machine<'_>) -> Ending {
    for _ in 0..STEPS {
        match machine.step(&mut Zero) {
            Event::Continued(_) => {}
            Event::Ended(Outcome::Halted) => return Ending::Finished(arrays(machine)),
            Event::Ended(Outcome::Failed { failure, .. }) => return fault(failure),
            Event::Ended(other) => return Ending::Unknown(format!("{other:?}")),
        }
    }
    Ending::Unknown("step limit".to_owned())
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
        let Input::Array { object, .. } = input else { continue };
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
