//! Random transition systems: the certified graph of each has every path that runs take, and only paths along edges.
//!
//! Usage: `random-paths [COUNT [SEED]]`.

use goatherd_interpreter::Random;
use goatherd_tests::random_paths::{examine, random_lts};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let mut number = |default| arguments.next().map_or(Some(default), Result::ok);
    let (Some(count), Some(seed)) = (number(3000), number(1)) else {
        eprintln!("usage: random-paths [COUNT [SEED]]");
        return ExitCode::from(2);
    };
    let (mut feasible, mut kept, mut wrong, mut uncertified) = (0, 0, 0u64, 0u64);
    for number in 0..count {
        let mut random = Random::new(seed.wrapping_add(number));
        match examine(&random_lts(&mut random), 120) {
            Ok(Some((runs, paths))) => {
                feasible += runs;
                kept += paths;
            }
            Ok(None) => uncertified += 1,
            Err(why) => {
                wrong += 1;
                println!("seed {}: {why}", seed.wrapping_add(number));
            }
        }
    }
    println!("{count} systems, {wrong} wrong, {uncertified} without a certificate; {feasible} paths were run, {kept} are kept");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
