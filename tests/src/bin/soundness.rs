//! The randomised tests of the kernel's soundness, as many as wanted: `soundness conformance|terms|refutations|heaps FIRST COUNT`, and
//! `soundness mutants FIRST COUNT FILE...` on accepted certificates. Says what it saw; ends with 1 at the first disagreement.

use goatherd_tests::{
    conformance::{self, Census},
    deductions, mutants, random_heaps, random_terms,
};
use std::{env, fs, process::ExitCode};

const USAGE: &str = "usage: soundness conformance|terms|refutations|heaps|mutants FIRST COUNT [CERTIFICATE...]";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let [what, first, count, files @ ..] = arguments else { return Err(USAGE.to_owned()) };
    let number = |text: &String| text.parse::<u64>().map_err(|_| USAGE.to_owned());
    let (first, count) = (number(first)?, number(count)?);
    let seeds = first..first.saturating_add(count);
    let mut census = Census::new();
    match what.as_str() {
        "conformance" => seeds.into_iter().try_for_each(|seed| conformance::run(seed, &mut census))?,
        "terms" => seeds.into_iter().try_for_each(random_terms::run)?,
        "refutations" => seeds.into_iter().try_for_each(|seed| deductions::run(seed, &mut census))?,
        "heaps" => seeds.into_iter().try_for_each(|seed| random_heaps::run(seed, &mut census))?,
        "mutants" => {
            for file in files {
                let bytes = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
                let counts = mutants::run(&bytes, count, first).map_err(|fault| format!("{file}: {fault}"))?;
                println!("{file}: {counts:?}");
            }
        }
        _ => return Err(USAGE.to_owned()),
    }
    let seen: Vec<String> = census.iter().map(|(what, count)| format!("{count:>10} {what}")).collect();
    Ok(format!("{count} times {what}, no disagreement\n{}", seen.join("\n")))
}
