//! Builds the kernel with a hole at a time and has the generator look for a certificate that is accepted and false: `find-holes WHICH [COUNT [SEED]]`,
//! where WHICH is `known` (the two holes that there were: ends with 1 if one is not found), `rows`, `mutants`, or `twins`: those of the rule Twin, by
//! certificates of programs that are about it.

use goatherd_tests::{
    holes::{Hole, KNOWN, ROWS, Workshop, mutants},
    workspace_root,
};
use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let which = arguments.next().unwrap_or_default();
    let mut number = |default| arguments.next().and_then(|number| number.parse().ok()).unwrap_or(default);
    let (count, seed) = (number(1_000_000), number(0));
    let holes = match which.as_str() {
        "rows" => ROWS.to_vec(),
        "mutants" => mutants(),
        "twins" => mutants().into_iter().filter(is_of_twins).collect(),
        _ => KNOWN.to_vec(),
    };
    let workshop = match Workshop::new(&workspace_root().join("target/holes")) {
        Ok(workshop) => workshop,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let subject = if which == "twins" { "twins" } else { "any" };
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
    if is_missed && !["rows", "mutants", "twins"].contains(&which.as_str()) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Is it a fault of the rule Twin, or of what it knows of instructions?
fn is_of_twins(hole: &Hole) -> bool {
    hole.changes.iter().all(|change| ["checker/src/twin.rs", "checker/src/flow.rs"].contains(&change.file))
}
