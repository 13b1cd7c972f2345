//! Compares the front end and the interpreter with the system's C compiler on generated programs.
//!
//! Usage: `differential [--seed N] [--count N] [--first N] [--dialect wrapping|checked] [--show]`; `--show` prints the C source of the case
//! `--first` and what both sides make of it. Without a dialect both are compared. Fails if any run came out differently, or a case is
//! refused. Where there is no C compiler with sanitizers nothing is compared.

use goatherd_tests::{
    differential::{
        Dialect, compare,
        compare::{Range, Tally},
        generator, interpreted, source,
    },
    workspace_root,
};
use std::process::ExitCode;

/// What is asked for.
struct Arguments {
    range: Range,
    dialects: Vec<Dialect>,
    shown: Shown,
}

/// What is printed.
#[derive(PartialEq, Eq)]
enum Shown {
    /// The comparison.
    Comparison,
    /// One case.
    Case,
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("usage: differential [--seed N] [--count N] [--first N] [--dialect wrapping|checked] [--show]");
        return ExitCode::from(3);
    };
    let work = workspace_root().join("target/differential");
    if let Err(error) = std::fs::create_dir_all(&work) {
        eprintln!("differential: cannot create {}: {error}", work.display());
        return ExitCode::FAILURE;
    }
    if arguments.shown == Shown::Case {
        println!("{}", source(&generator::generate(arguments.range.seed, arguments.range.first)));
    }
    let mut wrong = false;
    for dialect in &arguments.dialects {
        match compare::compare(&arguments.range, *dialect, &work, interpreted::lower) {
            Ok(tally) => {
                println!("{dialect:?}");
                print(&tally);
                wrong |= !tally.differences.is_empty() || !tally.refused.is_empty();
            }
            Err(error) => {
                eprintln!("differential: {error}");
                wrong = true;
            }
        }
    }
    if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn arguments() -> Option<Arguments> {
    let mut arguments = Arguments {
        range: Range { seed: 1, first: 0, count: 1000 },
        dialects: vec![Dialect::Wrapping, Dialect::Checked],
        shown: Shown::Comparison,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seed" => arguments.range.seed = words.next()?.parse().ok()?,
            "--count" => arguments.range.count = words.next()?.parse().ok()?,
            "--first" => arguments.range.first = words.next()?.parse().ok()?,
            "--dialect" => {
                arguments.dialects = match words.next()?.as_str() {
                    "wrapping" => vec![Dialect::Wrapping],
                    "checked" => vec![Dialect::Checked],
                    _ => return None,
                };
            }
            "--show" => arguments.shown = Shown::Case,
            _ => return None,
        }
    }
    if arguments.shown == Shown::Case {
        arguments.range.count = 1;
    }
    Some(arguments)
}

fn print(tally: &Tally) {
    println!("  {} runs with the same results", tally.finished);
    for (fault, count) in &tally.faulty {
        println!("  {count} runs undefined in the same way: {fault:?}");
    }
    for (reason, cases) in &tally.undecided {
        println!("  {} runs undecided, such as of case {}: {reason}", cases.len(), cases[0]);
    }
    println!("  {} bad accesses and {} overflows that the sanitizers do not see", tally.unseen_accesses, tally.unseen_overflows);
    for (reason, cases) in &tally.refused {
        println!("  {} cases refused, such as {}: {reason}", cases.len(), cases[0]);
    }
    for difference in &tally.differences {
        println!(
            "  DIFFERENT case {} input {}\n    compiled    {:?}\n    interpreted {:?}",
            difference.number, difference.input, difference.compiled, difference.interpreted
        );
    }
}
