//! Runs the programs in `target/corpus/` on all small inputs: an instance that holds must never fail; a buggy twin, or an instance that
//! does not hold, should fail on one.
//!
//! Usage: `corpus-confirm [--jobs N] [NAME]...`, where a name stands for all programs that begin with it. What was run before is not
//! run again. Fails where a program that is said to hold fails; where a buggy one fails on no small input, the counterexample that the
//! prover finds must show it, and `bench-corpus` tells. Without a C compiler that has sanitizers, the run is skipped with a message.

use std::process::ExitCode;
use std::sync::Mutex;

use goatherd_tests::corpus::journal::Journal;
use goatherd_tests::corpus::options::{Options, each, selected_programs};
use goatherd_tests::corpus::program::Program;
use goatherd_tests::corpus::report::Confirmation;
use goatherd_tests::small_inputs::{self, Runs, SmallInputs};
use goatherd_tests::workspace_root;

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("corpus-confirm: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let work = workspace_root().join("target/bench-corpus");
    let Some(inputs) = SmallInputs::new(&work.join("small-inputs")) else {
        println!("corpus-confirm: skipped: no C compiler `cc` with -fsanitize=address,undefined here");
        return Ok(ExitCode::SUCCESS);
    };
    let (programs, _) = selected_programs(options)?;
    let journal = Journal::open(&work.join("confirmations.jsonl")).map_err(|error| error.to_string())?;
    let counts = Mutex::new([0; 3]);
    each(&programs, options.jobs, |program| {
        let confirmation = confirm(program, &inputs, &journal)?;
        let (kind, word, said) = match (&confirmation, program.is_good()) {
            (Confirmation::NeverFails(said), true) | (Confirmation::Fails(said), false) => (0, "ok    ", said),
            (Confirmation::Fails(said), true) => (1, "WRONG ", said),
            (Confirmation::NeverFails(said), false) | (Confirmation::Nothing(said), _) => (2, "open  ", said),
        };
        println!("{word} {}: {}", program.name, said.lines().next().unwrap_or_default());
        counts.lock().map_err(|error| error.to_string())?[kind] += 1;
        Ok(())
    })?;
    let [confirmed, wrong, open] = counts.into_inner().map_err(|error| error.to_string())?;
    println!("{} programs: {confirmed} confirmed, {wrong} contradicted, {open} open", programs.len());
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn confirm(program: &Program, inputs: &SmallInputs, journal: &Journal<Confirmation>) -> Result<Confirmation, String> {
    let text = std::fs::read(&program.file).map_err(|error| error.to_string())?;
    let digest = small_inputs::digest(&text);
    if let Some(confirmation) = journal.result(&program.name, &digest) {
        return Ok(confirmation);
    }
    let confirmation = match inputs.run(&program.file) {
        Ok(Runs::Good(said)) => Confirmation::NeverFails(said),
        Ok(Runs::Failing { input, .. }) => Confirmation::Fails(input),
        Ok(Runs::Ignored(said)) => Confirmation::Nothing(format!("no input reaches the end: {said}")),
        Err(reason) => Confirmation::Nothing(reason),
    };
    journal.write(&program.name, &digest, &confirmation).map_err(|error| error.to_string())?;
    Ok(confirmation)
}
