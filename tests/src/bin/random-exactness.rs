//! Random transition systems of three kinds, analysed, and refined by the paths that the solver refutes: no path that a run takes is lost, and a graph is called exact only where each path is driven.
//!
//! Usage: `random-exactness [COUNT [SEED [branching | remainders | unstructured]]]`, so many systems of each kind, or of that one. The figures so far
//! are printed every so often.

use goatherd_tests::random_exactness::{Generator, Tried, examine};
use std::process::ExitCode;

/// Figures are printed each time that so many systems were tried.
const PRINTED: u64 = 50;

/// Refinements, at most.
const ROUNDS: usize = 200;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).take(2).map(|argument| argument.parse::<u64>());
    let wanted = std::env::args().nth(3);
    let mut number = |default| arguments.next().map_or(Some(default), Result::ok);
    let (Some(count), Some(first)) = (number(667), number(1)) else {
        eprintln!("usage: random-exactness [COUNT [SEED [branching | remainders | unstructured]]]");
        return ExitCode::from(2);
    };
    let mut is_wrong = false;
    let is_wanted = |generator: &Generator| wanted.as_deref().is_none_or(|wanted| format!("{generator:?}").eq_ignore_ascii_case(wanted));
    for generator in Generator::ALL.into_iter().filter(is_wanted) {
        let mut sums = [Tried::default(); 2];
        let mut wrong = 0;
        for number in 0..count {
            let seed = first.wrapping_add(number);
            match examine(&generator.system(seed), ROUNDS) {
                Ok([analysed, refined]) => sums = [sums[0].plus(analysed), sums[1].plus(refined)],
                Err(why) => {
                    wrong += 1;
                    println!("{generator:?}, seed {seed}: {why}");
                }
            }
            if (number + 1) % PRINTED == 0 || number + 1 == count {
                for (graph, sum) in ["analysed", "refined"].iter().zip(sums) {
                    let Tried { certified, exact, driven, infeasible, unknown } = sum;
                    let systems = format!("{} systems, {wrong} wrong, {certified} certified, {exact} exact", number + 1);
                    println!("{generator:?}, {graph}: {systems}; paths: {driven} driven, {infeasible} infeasible, {unknown} unknown");
                }
            }
        }
        is_wrong |= wrong > 0;
    }
    if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
