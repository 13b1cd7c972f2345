//! Builds the kernel with one condition switched off at a time and asks it about the test vectors: `kernel-mutants [FIRST [EVERY]]`, from the
//! mutant with this number on, each or every so many. Ends with 1 if one is not noticed.

use goatherd_tests::{
    kernel_mutants::{Laboratory, all, noticed},
    workspace_root,
};
use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let numbers: Vec<usize> = env::args().skip(1).filter_map(|number| number.parse().ok()).collect();
    let (first, every) = (numbers.first().copied().unwrap_or(0), numbers.get(1).copied().unwrap_or(1).max(1));
    match run(first, every) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn run(first: usize, every: usize) -> Result<(), String> {
    let laboratory = Laboratory::new(&workspace_root().join("target/kernel-mutants")).map_err(|error| error.to_string())?;
    let expected = laboratory.answers()?;
    let mut faults = 0;
    for mutant in all().skip(first).step_by(every) {
        let answer = laboratory.answers_of(&mutant.change).and_then(|found| noticed(mutant, &expected, &found));
        match &answer {
            Ok(other) => println!("{}, {}: noticed by {}", mutant.change.file, mutant.about, other.join(", ")),
            Err(fault) => println!("{}, {}: {fault}", mutant.change.file, mutant.about),
        }
        faults += usize::from(answer.is_err());
    }
    if faults == 0 { Ok(()) } else { Err(format!("{faults} mutants are not noticed")) }
}
