//! The comparison of many cases, and what came of it.

use super::{Dialect, Ending, Fault, compiled, generator::generate, interpreted, source};
use goatherd_certificates::program::Program;
use std::{collections::BTreeMap, io, path::Path};

/// How many cases are compiled into one program: a compromise between the compiler's start and its memory.
const BATCH: u64 = 50;

/// Which cases are compared.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The seed from which they are made.
    pub seed: u64,
    /// The number of the first.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// A run that came out differently.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The case's number.
    pub number: u64,
    /// Which of its inputs.
    pub input: usize,
    /// How the compiled program ended.
    pub compiled: Ending,
    /// How the interpreter ended.
    pub interpreted: Ending,
}

/// What came of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Runs that finished with the same results.
    pub finished: u64,
    /// Runs that were undefined in the same way.
    pub faulty: BTreeMap<Fault, u64>,
    /// Cases with runs that either side did not decide, by reason.
    pub undecided: BTreeMap<String, Vec<u64>>,
    /// Bad accesses that the sanitizers did not see: they look for damage near objects, not for objects.
    pub unseen_accesses: u64,
    /// Overflows that the sanitizers did not see: the compiler narrows or removes a computation before it is watched.
    pub unseen_overflows: u64,
    /// Cases that the front end refuses, by reason.
    pub refused: BTreeMap<String, Vec<u64>>,
    /// Runs that came out differently.
    pub differences: Vec<Difference>,
}

impl Tally {
    /// How many runs were compared.
    pub fn compared(&self) -> u64 {
        self.finished + self.faulty.values().sum::<u64>()
    }
}

/// Compares the cases, with what `lower` makes of each: of its source and the name of the entry function. Compiles in
/// the directory. Fails if the compiler does.
pub fn compare(
    range: &Range,
    dialect: Dialect,
    directory: &Path,
    lower: impl Fn(&str, &str) -> Result<Program, String>,
) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let end = range.first.saturating_add(range.count);
    let mut first = range.first;
    while first < end {
        let next = first.saturating_add(BATCH).min(end);
        let mut cases = Vec::new();
        let mut interpreted = Vec::new();
        for number in first..next {
            let case = generate(range.seed, number);
            match lower(&source(&case), &case.entry) {
                Ok(program) => {
                    interpreted.push((number, interpreted::run(&program, &case, dialect)));
                    cases.push(case);
                }
                Err(reason) => tally.refused.entry(reason).or_default().push(number),
            }
        }
        let compiled = compiled::run(&cases, dialect, directory)?;
        tally.add(interpreted, compiled);
        first = next;
    }
    Ok(tally)
}

impl Tally {
    fn add(&mut self, interpreted: Vec<(u64, Vec<Ending>)>, compiled: Vec<Vec<Ending>>) {
        for ((number, interpreted), compiled) in interpreted.into_iter().zip(compiled) {
            for (input, (interpreted, compiled)) in interpreted.into_iter().zip(compiled).enumerate() {
                match (&interpreted, &compiled) {
                    (Ending::Unknown(reason), _) | (_, Ending::Unknown(reason)) => {
                        self.undecided.entry(reason.clone()).or_default().push(number);
                    }
                    (Ending::Finished(_), _) if interpreted == compiled => self.finished += 1,
                    (Ending::Faulty(fault), _) if interpreted == compiled => *self.faulty.entry(*fault).or_default() += 1,
                    (Ending::Faulty(Fault::Memory), _) => self.unseen_accesses += 1,
                    (Ending::Faulty(Fault::Overflow), _) => self.unseen_overflows += 1,
                    _ => self.differences.push(Difference { number, input, compiled, interpreted }),
                }
            }
        }
    }
}
