//! Random transition systems: the certified graph of each has every path that runs take, and only paths along edges.
//!
//! Usage: `random-paths [COUNT [SEED [STRATEGY]]]`. Without STRATEGY both are tried, red-black with all of its parameters in turn.

use goatherd_interpreter::Random;
use goatherd_tests::random_paths::{Strategy, examine, random_lts, red_black_parameters};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).take(2).map(|argument| argument.parse::<u64>());
    let mut number = |default| arguments.next().map_or(Some(default), Result::ok);
    let (Some(count), Some(seed)) = (number(3000), number(1)) else {
        eprintln!("usage: random-paths [COUNT [SEED [needed-literals | red-black]]]");
        return ExitCode::from(2);
    };
    let wanted = std::env::args().nth(3);
    let mut is_wrong = false;
    let parameters = red_black_parameters();
    let strategies: [(&str, &dyn Fn(u64) -> Strategy); 2] = [
        ("needed-literals", &|_| Strategy::NeededLiterals(120)),
        ("red-black", &|seed| Strategy::RedBlack(parameters[usize::try_from(seed).unwrap_or(0) % parameters.len()])),
    ];
    for (name, strategy) in strategies.into_iter().filter(|(name, _)| wanted.as_deref().is_none_or(|wanted| wanted == *name)) {
        let (mut feasible, mut kept, mut wrong, mut uncertified) = (0, 0, 0u64, 0u64);
        for seed in (0..count).map(|number| seed.wrapping_add(number)) {
            let mut random = Random::new(seed);
            match examine(&random_lts(&mut random), strategy(seed)) {
                Ok(Some((runs, paths))) => {
                    feasible += runs;
                    kept += paths;
                }
                Ok(None) => uncertified += 1,
                Err(why) => {
                    wrong += 1;
                    println!("seed {seed}, {:?}: {why}", strategy(seed));
                }
            }
        }
        println!(
            "{name}: {count} systems, {wrong} wrong, {uncertified} without a certificate; {feasible} paths were run, {kept} are kept: at most {} of them are infeasible",
            kept - feasible
        );
        is_wrong |= wrong > 0;
    }
    if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
