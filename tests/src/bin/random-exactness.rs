//! Random transition systems of three kinds, analysed, and refined by the paths that the solver refutes: no path that a run takes is lost, and a graph is called exact only where each path is driven.
//!
//! Usage: `random-exactness [COUNT [SEED]]`, so many systems of each kind.

use goatherd_tests::random_exactness::{Generator, Tried, examine};
use std::process::ExitCode;

/// Refinements, at most.
const ROUNDS: usize = 200;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let mut number = |default| arguments.next().map_or(Some(default), Result::ok);
    let (Some(count), Some(first)) = (number(667), number(1)) else {
        eprintln!("usage: random-exactness [COUNT [SEED]]");
        return ExitCode::from(2);
    };
    let mut is_wrong = false;
    for generator in Generator::ALL {
        let mut sums = [Tried::default(); 2];
        let mut wrong = 0;
        for seed in (0..count).map(|number| first.wrapping_add(number)) {
            match examine(&generator.system(seed), ROUNDS) {
                Ok([analysed, refined]) => sums = [sums[0].plus(analysed), sums[1].plus(refined)],
                Err(why) => {
                    wrong += 1;
                    println!("{generator:?}, seed {seed}: {why}");
                }
            }
        }
        for (graph, sum) in ["analysed", "refined"].iter().zip(sums) {
            let Tried { certified, exact, driven, infeasible, unknown } = sum;
            let systems = format!("{count} systems, {wrong} wrong, {certified} certified, {exact} exact");
            println!("{generator:?}, {graph}: {systems}; paths: {driven} driven, {infeasible} infeasible, {unknown} unknown");
        }
        is_wrong |= wrong > 0;
    }
    if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
