//! Transition systems as text: the program of the system under the precondition that the command line names.

use super::{Comparison, Places, difference::first_difference};
use crate::{
    arguments::Source,
    demands::{Demand, Difference},
};
use goatherd_certificates::{
    certificate::{Arithmetic, Certificate},
    program::{Instruction, Program},
};
use goatherd_frontend::{escape::escaped, files, print::program::Names};
use goatherd_systems::{
    lower::lower,
    text::{self, TextError},
};
use sha2::{Digest, Sha256};
use std::path::Path;

pub(super) fn compare<R>(
    file: &Path,
    source: &Source,
    demands: &[Demand],
    certificate: &Certificate<R>,
) -> Result<Comparison, String> {
    if source.is_about_c() {
        return Err(String::from(
            "error: --entry, -D, -I, --waive and --undefined are for files in C, not for transition systems",
        ));
    }
    let name = escaped(&file.to_string_lossy());
    let text = files::text(file, files::LARGEST)
        .map_err(|reason| format!("error: cannot read {name}: {reason}"))?;
    let lts = text::read_lts(&text).map_err(|error| format!("error: {name}:{error}"))?;
    let precondition = Demand::precondition(demands);
    let literals = precondition.map_or(Ok(Vec::new()), |condition| {
        text::read_condition(condition, &lts.variables).map_err(
            |TextError {
                 column, message, ..
             }| {
                format!("error: --require precondition: column {column}: {message}")
            },
        )
    })?;
    let statement = &certificate.statement;
    let certified = &statement.program;
    // A system has no entry function: a program of it is named after its file, wherever that is now.
    let own = lower(&lts, &literals, &certified.entry)
        .map_err(|error| format!("error: {name}: {error}"))?;
    let positions = own.positions(&text, &lts);
    let files = vec![file.to_string_lossy().into_owned()];
    let mut differences = Vec::new();
    if statement.parameters.arithmetic != Arithmetic::Unbounded {
        differences.push(Difference::new(
            "integers",
            "unbounded, as those of a transition system are",
            "of their C types",
        ));
    }
    if own.program != *certified {
        let own_places = Places {
            files: &files,
            positions: &positions,
        };
        let certified_places = Places {
            files: &certificate.files,
            positions: &certificate.positions,
        };
        let of_precondition = is_restricted(certified) != is_restricted(&own.program);
        differences.extend(of_precondition.then(|| {
            let side = |program| {
                if is_restricted(program) {
                    first_instruction(program)
                } else {
                    String::from("none")
                }
            };
            Difference::new("precondition", side(&own.program), side(certified))
        }));
        differences.extend(first_difference(
            (&own.program, own_places),
            (certified, certified_places),
        ));
    }
    Ok(Comparison {
        subject: "program",
        files: vec![file.to_string_lossy().into_owned()],
        is_unchanged: Sha256::digest(text.as_bytes())[..] == statement.origin.digest,
        options: None,
        places: differences.is_empty().then_some((files, positions)),
        precondition: precondition
            .filter(|_| differences.is_empty())
            .map(str::to_owned),
        differences,
        waived: None,
        questions: None,
        open_values: Vec::new(),
        confirmation: None,
    })
}

/// Does something stand before the jump to where the system starts?
fn is_restricted(program: &Program) -> bool {
    !matches!(
        program.instructions.first(),
        None | Some(Instruction::Jump { .. })
    )
}

fn first_instruction(program: &Program) -> String {
    let instruction = program.instructions.first();
    let shown = instruction.map(|instruction| Names::new(program).instruction(instruction));
    format!("begins with {}", shown.unwrap_or_default())
}
