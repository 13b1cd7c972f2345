//! Decides random tree models whose truth is known by enumeration, as it should and without each repair of the printed algorithm.
//!
//! `tree-models [COUNT]`, 20,000 models by default. The exit status is 1 if a verdict of the whole algorithm is wrong or missing.

use goatherd_tests::tree_models::{REPAIRS, numbered, reaches_bad, trees, variants, verdict};
use goatherd_trees::options::Options;
use std::process::ExitCode;

fn main() -> ExitCode {
    let count = std::env::args().nth(1).map_or(Ok(20_000), |count| count.parse::<u64>());
    let Ok(count) = count else {
        eprintln!("usage: tree-models [COUNT]");
        return ExitCode::from(3);
    };
    let trees = trees(3);
    let truths: Vec<bool> = (0..count).map(|number| reaches_bad(&numbered(number), &trees)).collect();
    println!("{count} models, {} reach a bad configuration", truths.iter().filter(|truth| **truth).count());
    let variants = variants();
    let mut failed = 0;
    for (number, truth) in (0..).zip(&truths) {
        let options = &variants[usize::try_from(number).unwrap_or(0) % variants.len()];
        let found = verdict(&numbered(number), options);
        if found != Some(*truth) {
            failed += 1;
            println!("model {number}: {found:?}, in truth {truth}, with {options:?}");
        }
    }
    println!("with all repairs: {failed} verdicts are wrong or missing");
    for repair in REPAIRS {
        let options = Options { without: [repair].into(), steps: 20_000, ..Options::default() };
        let (mut wrong, mut missing, mut first) = (0, 0, None);
        for (number, truth) in (0..).zip(&truths) {
            match verdict(&numbered(number), &options) {
                Some(found) if found == *truth => continue,
                Some(_) => wrong += 1,
                None => missing += 1,
            }
            first.get_or_insert(number);
        }
        let first = first.map_or_else(String::new, |number| format!(", first that of model {number}"));
        println!("without {repair:?}: {wrong} verdicts are wrong, {missing} missing{first}");
    }
    ExitCode::from(u8::from(failed > 0))
}
