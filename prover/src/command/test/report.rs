//! What is reported of tests, in words and as JSON.

use super::{Checked, arguments::Test};
use goatherd_frontend::escape;
use goatherd_paths::draw::turns::{Covering, Turn};
use serde::Serialize;
use std::{fmt::Write, path::Path, time::Instant};

/// The version of the JSON.
const SCHEMA: &str = "goatherd-test/1";

/// What was asked of the solver.
#[derive(Serialize, Clone, Copy, Default, Debug)]
pub struct Tries {
    /// Different paths that were drawn and tried.
    pub drawn: usize,
    /// Runs that were to be turned another way.
    pub turned: usize,
    /// Of both: according to the solver, there is no such run.
    pub infeasible: usize,
    /// Of both: neither a run nor its absence was found.
    pub unknown: usize,
    /// Runs that were found, but do not come to an end of their own: memory is misused, an assumption fails, or they are too long.
    pub lost: usize,
    /// A limit was met before all was tried.
    #[serde(rename = "ended")]
    pub is_ended: bool,
}

/// A way on at a branch.
#[derive(Serialize, Debug)]
struct Branch {
    place: String,
    goes_on: String,
    /// How often runs were to be turned there, in vain.
    failures: usize,
}

/// The report on a file of tests.
#[derive(Serialize, Debug)]
pub struct Report {
    schema: &'static str,
    tests: String,
    certificate: String,
    entry: String,
    /// Tests on uniform paths.
    uniform: usize,
    /// Tests through what those do not cover.
    covering: usize,
    tries: Tries,
    branches: usize,
    covered: usize,
    dead: Vec<Branch>,
    not_covered: Vec<Branch>,
    milliseconds: f64,
}

impl Report {
    /// On tests of which so many are uniform, and all.
    pub fn new(
        arguments: &Test,
        checked: &Checked,
        certificate: &Path,
        covering: &Covering<'_>,
        tries: &Tries,
        [drawn, all]: [usize; 2],
        start: Instant,
    ) -> Self {
        let place = |location| checked.place(location).unwrap_or_default();
        let branch = |turn: &Turn| {
            let failures = covering.failures.get(turn).copied().unwrap_or(0);
            Branch { place: place(turn.0), goes_on: place(turn.1), failures }
        };
        Self {
            schema: SCHEMA,
            tests: arguments.out.display().to_string(),
            certificate: certificate.display().to_string(),
            entry: checked.statement.program.entry.clone(),
            uniform: drawn,
            covering: all - drawn,
            tries: *tries,
            branches: covering.count(),
            covered: covering.covered.len(),
            dead: covering.dead.iter().map(branch).collect(),
            not_covered: covering.open().iter().map(branch).collect(),
            milliseconds: start.elapsed().as_secs_f64() * 1e3,
        }
    }

    /// As one JSON object.
    pub fn json(&self) -> String {
        // These types have no maps, so that serialising them does not fail.
        escape::json(&serde_json::to_string_pretty(self).unwrap_or_default()) + "\n"
    }

    /// In words.
    pub fn text(&self) -> String {
        let mut text = format!("tests of {}: {}\n", self.entry, self.tests);
        // Writing to a string does not fail.
        let mut entry = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<13}{value}");
        };
        let Tries { drawn, turned, infeasible, unknown, lost, is_ended } = self.tries;
        entry("tests", format!("{} on uniform paths, {} through branches that those do not cover", self.uniform, self.covering));
        let ended = if is_ended { "; a limit was met (--tries, --timeout)" } else { "" };
        entry("tried", format!("{drawn} drawn paths, {turned} turns of runs; {infeasible} infeasible, {unknown} unknown{ended}"));
        if lost > 0 {
            entry("lost", format!("{lost} runs misuse memory, break an assumption or do not end in time: goatherd prove may say which"));
        }
        let (dead, open) = (self.dead.len(), self.not_covered.len());
        entry("branches", format!("{} of {} ways on covered, {dead} dead, {open} not covered", self.covered, self.branches));
        for Branch { place, goes_on, .. } in &self.dead {
            entry("dead", format!("{place} to {goes_on}: no complete path goes there ({})", self.certificate));
        }
        for Branch { place, goes_on, failures } in &self.not_covered {
            entry("not covered", format!("{place} to {goes_on}: tried {failures} times"));
        }
        entry("certificate", self.certificate.clone());
        entry("time", format!("{:.1} ms", self.milliseconds));
        text
    }
}
