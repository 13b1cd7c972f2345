//! Builds the kernel with a hole at a time and has the generator look for a certificate that is accepted and false: `find-holes WHICH [COUNT [SEED]]`,
//! where WHICH is `known` (the two holes that there were: ends with 1 if one is not found), `rows`, `mutants`, or one of these by certificates of
//! programs that are about them: `choices`, the rows about what scapegoats choose and do not know; `twins`, the mutants of the rule Twin; `folds`,
//! those of what is said of folded heaps.

use goatherd_tests::{
    holes::{Hole, KNOWN, ROWS, Workshop, mutants},
    workspace_root,
};
use std::{env, process::ExitCode};

/// The rows about what scapegoats choose, and what they do not know.
const CHOICES: [&str; 3] = ["A3", "A5 (choice)", "A7, B1 (range)"];

/// Where the rule Twin is, and what it knows of instructions.
const TWINS: [&str; 2] = ["checker/src/twin.rs", "checker/src/flow.rs"];

/// Where it is said what folded heaps are: how they are read, which sorts are within others, and what a template may say.
const FOLDS: [&str; 4] = ["checker/src/fold.rs", "checker/src/subsume.rs", "checker/src/configuration.rs", "checker/src/kinds.rs"];

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let which = arguments.next().unwrap_or_default();
    let mut number = |default| arguments.next().and_then(|number| number.parse().ok()).unwrap_or(default);
    let (count, seed) = (number(1_000_000), number(0));
    let (holes, subject) = match which.as_str() {
        "rows" => (ROWS.to_vec(), "any"),
        "mutants" => (mutants(), "any"),
        "choices" => (ROWS.iter().copied().filter(|hole| CHOICES.contains(&hole.row)).collect(), "choices"),
        "twins" => (mutants_of(&TWINS), "twins"),
        "folds" => (mutants_of(&FOLDS), "folds"),
        _ => (KNOWN.to_vec(), "any"),
    };
    let workshop = match Workshop::new(&workspace_root().join("target/holes")) {
        Ok(workshop) => workshop,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut is_missed = false;
    for hole in &holes {
        let answer = match workshop.search(hole, count, seed, subject) {
            Ok(Some(found)) => format!("found after {found}"),
            Ok(None) => format!("not found in {count}"),
            Err(fault) => fault,
        };
        is_missed |= !answer.starts_with("found");
        println!("{} | {} | {answer}", hole.row, hole.about);
    }
    let must_be_found = !["rows", "mutants", "choices", "twins", "folds"].contains(&which.as_str());
    if is_missed && must_be_found { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The mutants that change these files alone.
fn mutants_of(files: &[&str]) -> Vec<Hole> {
    mutants().into_iter().filter(|hole| hole.changes.iter().all(|change| files.contains(&change.file))).collect()
}
