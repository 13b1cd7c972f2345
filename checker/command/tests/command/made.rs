//! Certificates that the prover makes of a text.

use crate::{
    certificates::{bytes, certificate, failing},
    running::file,
};
use goatherd::{
    certify::paths::{About, certify},
    prove::{Answer, Effort, prove},
    task::Task,
};
use goatherd_certificates::certificate::{
    Arithmetic, Claim, Ends, Evidence, GroundRun, Origin, Parameters,
};
use goatherd_descent::Progress;
use goatherd_frontend::{
    link,
    lower::{Arrays, Demands, Leaks, Lowered, Results, Sizes, Undefined, lower, lower_with},
    source::{Options, load},
};
use goatherd_logic::Solver;
use goatherd_paths::{
    analysis::{Limits as PathLimits, analyse},
    memory::Memory,
    program::transition_system,
};
use goatherd_systems::{lower::with_precondition, realisation::Realisation, text::read_condition};
use std::{fs, path::PathBuf};

/// The certificate of a program in C, as the prover writes it.
pub fn proved(name: &str, text: &str, options: &Options) -> Vec<u8> {
    proved_without(name, text, options, &[])
}

/// As [`proved`], with these assertions waived.
pub fn proved_without(name: &str, text: &str, options: &Options, waived: &[&str]) -> Vec<u8> {
    proved_saying(name, text, options, waived, |_| ())
}

/// As [`proved`], with these assertions waived, and what is said of that edited.
pub fn proved_saying(
    name: &str,
    text: &str,
    options: &Options,
    waived: &[&str],
    edit: impl FnOnce(&mut Vec<String>),
) -> Vec<u8> {
    let path = file(name);
    fs::write(&path, text).unwrap();
    let unit = load(&path, options).unwrap();
    let Lowered {
        program,
        files,
        positions,
        waived,
        callees: _,
        undefined: _,
        approximate,
    } = lower_with(
        &unit,
        &options.entry,
        &Demands {
            leaks: Leaks::Ignored,
            waivers: waived.iter().map(|text| text.parse().unwrap()).collect(),
            sizes: Sizes::Exact,
            arrays: Arrays::Inside,
            results: Results::Bare,
            undefined: Undefined::Refused,
        },
    )
    .unwrap();
    let mut said = waived.iter().map(ToString::to_string).collect();
    edit(&mut said);
    let origin = Origin {
        file: String::from(name),
        digest: unit.digest(),
        definitions: options.definitions.clone(),
        includes: Vec::new(),
        waived: said,
    };
    let task = Task {
        program,
        parameters: failing().statement.parameters,
        origin,
        files,
        positions,
        approximate,
    };
    certificate_of(&task)
}

/// The certificate of a program of several files, whose entry is `main`.
pub fn proved_files(paths: &[PathBuf], undefined: Undefined) -> Vec<u8> {
    let options = Options {
        entry: String::from("main"),
        ..Options::default()
    };
    let demands = Demands {
        undefined,
        ..Leaks::Ignored.into()
    };
    let unit = link::load(paths, &options).unwrap();
    let lowered = lower_with(&unit, &options.entry, &demands).unwrap();
    certificate_of(&Task::new(
        &unit,
        lowered,
        &options,
        failing().statement.parameters,
    ))
}

/// The certificate of a run of `test` that fails.
pub fn failed(name: &str, text: &str, run: GroundRun) -> Vec<u8> {
    fs::write(file(name), text).unwrap();
    let unit = load(&file(name), &Options::default()).unwrap();
    let lowered = lower(&unit, "test").unwrap();
    let mut certificate = certificate(Claim::Unsafe, Evidence::Run(run));
    certificate.statement.program = lowered.program;
    certificate.statement.origin.definitions = Vec::new();
    certificate.files = lowered.files;
    certificate.positions = lowered.positions;
    bytes(&certificate)
}

fn certificate_of(task: &Task) -> Vec<u8> {
    let Answer::Proved { accepted, .. } = prove(
        task,
        &Effort::default(),
        &Solver::default(),
        &Progress::default(),
        &mut (),
    )
    .unwrap() else {
        panic!("{} was not proved", task.origin.file)
    };
    accepted.bytes
}

pub fn with_definitions(definitions: &[&str]) -> Options {
    Options {
        definitions: definitions
            .iter()
            .map(|definition| String::from(*definition))
            .collect(),
        ..Options::default()
    }
}

/// A certificate about the paths of `test` under a precondition.
/// As [`certified_paths_with`], of integers as C has them.
pub fn certified_paths(name: &str, text: &str, precondition: &str) -> Vec<u8> {
    certified_paths_with(name, text, precondition, Arithmetic::C)
}

/// A graph of the paths of a C file.
pub fn certified_paths_with(
    name: &str,
    text: &str,
    precondition: &str,
    arithmetic: Arithmetic,
) -> Vec<u8> {
    fs::write(file(name), text).unwrap();
    let options = Options {
        definitions: Vec::new(),
        include_directories: Vec::new(),
        entry: String::from("test"),
    };
    let unit = load(&file(name), &options).unwrap();
    let Lowered { program, .. } = lower(&unit, "test").unwrap();
    let parameters = Parameters {
        arithmetic,
        ..failing().statement.parameters
    };
    let (lts, elements) = transition_system(&program, &parameters, Memory::Elements).unwrap();
    let literals = read_condition(precondition, &lts.variables).unwrap();
    let (realisation, _) =
        with_precondition(Realisation::of_program(program, &lts, elements), &literals).unwrap();
    let outcome = analyse(&lts, &literals, PathLimits::default());
    let origin = Origin {
        file: String::from(name),
        digest: unit.digest(),
        definitions: Vec::new(),
        includes: Vec::new(),
        waived: Vec::new(),
    };
    let about = About {
        parameters,
        ends: Ends::Complete,
        origin,
        files: Vec::new(),
        positions: Vec::new(),
    };
    certify(&realisation, &outcome.states(), &about)
        .unwrap()
        .bytes
}
