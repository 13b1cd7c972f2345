//! Runs every example and test program on all small inputs, compiled by the system's C compiler with its sanitizers: a good
//! program never fails, its buggy twin (`NAME.buggy.c`) fails on some input.
//!
//! Usage: `small-inputs [FILE.c]...`; without arguments, all of `examples/` and `tests/programs/`. Where there is no C compiler with
//! sanitizers the run is skipped with a message and counts as passed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use goatherd_tests::corpus::options::each;
use goatherd_tests::small_inputs::{Runs, SmallInputs};
use goatherd_tests::{c_programs, is_buggy_twin, workspace_root};

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let files = if arguments.is_empty() { [c_programs("examples"), c_programs("tests/programs")].concat() } else { arguments };
    let Some(inputs) = SmallInputs::new(&workspace_root().join("target/small-inputs")) else {
        println!("small-inputs: skipped: no C compiler `cc` with -fsanitize=address,undefined here");
        return ExitCode::SUCCESS;
    };
    let results: Vec<_> = files.iter().map(|file| (file, OnceLock::new())).collect();
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let judged = each(&results, jobs, |(file, result)| result.set(judge(file, &inputs)).map_err(|_| "judged twice".to_owned()));
    if let Err(message) = judged {
        println!("small-inputs: {message}");
        return ExitCode::FAILURE;
    }
    let mut wrong = 0;
    for (file, result) in &results {
        let shown = file.strip_prefix(workspace_root()).unwrap_or(file).display();
        match result.get() {
            Some(Ok(line)) => println!("ok     {shown}: {line}"),
            Some(Err(message)) => {
                println!("WRONG  {shown}: {message}");
                wrong += 1;
            }
            None => wrong += 1,
        }
    }
    println!("{} programs, {wrong} wrong", files.len());
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs one program; says what was seen where it is as expected of its name.
fn judge(file: &Path, inputs: &SmallInputs) -> Result<String, String> {
    match (inputs.run(file)?, is_buggy_twin(file)) {
        (Runs::Good(said), false) | (Runs::Failing { input: said, .. }, true) => Ok(said),
        (Runs::Ignored(said), _) => Err(format!("no input reaches the end: {said}")),
        (Runs::Good(said), true) => Err(format!("a buggy twin that never fails: {said}")),
        (Runs::Failing { input, reason }, false) => Err(format!("{input}\n{reason}")),
    }
}
