//! What is reported of tests, in words and as JSON.

use super::{Checked, arguments::Test};
use goatherd_frontend::escape;
use goatherd_paths::draw::{
    independence::{Independence, IndependentEffect},
    turns::{Covering, Turn},
};
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

/// A condition of a decision.
#[derive(Serialize, Debug)]
struct Condition {
    place: String,
    /// Where the first condition of its decision is.
    decision: String,
    effect: &'static str,
    /// Two tests that show it, by their numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<[usize; 2]>,
    /// How often runs were to be turned so that something is shown, in vain.
    failures: usize,
}

/// What is said of a condition.
const SHOWN: &str = "shown";
const DEAD: &str = "dead";
const NOT_SHOWN: &str = "not shown";

impl Condition {
    fn new(place: String, decision: String, effect: IndependentEffect) -> Self {
        let (effect, tests, failures) = match effect {
            IndependentEffect::Shown(tests) => (SHOWN, Some(tests), 0),
            IndependentEffect::Dead => (DEAD, None, 0),
            IndependentEffect::Open(failures) => (NOT_SHOWN, None, failures),
        };
        Self { place, decision, effect, tests, failures }
    }
}

/// What tests cover.
#[derive(Clone, Copy)]
pub struct Covered<'a> {
    /// Of branches.
    pub covering: &'a Covering<'a>,
    /// Of conditions, where they were asked for.
    pub independence: Option<&'a Independence<'a>>,
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
    /// Where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    conditions: Option<Vec<Condition>>,
    milliseconds: f64,
}

impl Report {
    /// On tests of which so many are uniform, and all.
    pub fn new(
        arguments: &Test,
        checked: &Checked,
        certificate: &Path,
        Covered { covering, independence }: Covered<'_>,
        tries: &Tries,
        [drawn, all]: [usize; 2],
        start: Instant,
    ) -> Self {
        let place = |location| checked.place(location).unwrap_or_default();
        let branch = |turn: &Turn| {
            let failures = covering.failures.get(turn).copied().unwrap_or(0);
            Branch { place: place(turn.0), goes_on: place(turn.1), failures }
        };
        let condition = |(at, first, effect)| Condition::new(place(at), place(first), effect);
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
            conditions: independence.map(|independence| independence.effects().into_iter().map(condition).collect()),
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
        entry("branches", format!("{} of {} ways on covered, {dead} dead, {open} not decided", self.covered, self.branches));
        for Branch { place, goes_on, .. } in &self.dead {
            entry("dead", format!("{place} to {goes_on}: no complete path goes there ({})", self.certificate));
        }
        for Branch { place, goes_on, failures } in &self.not_covered {
            entry("not decided", format!("{place} to {goes_on}: neither covered nor shown to be dead, tried {failures} times"));
        }
        if let Some(conditions) = &self.conditions {
            let count = |effect| conditions.iter().filter(|condition| condition.effect == effect).count();
            let (shown, all, dead, open) = (count(SHOWN), conditions.len(), count(DEAD), count(NOT_SHOWN));
            entry("conditions", format!("{shown} of {all} conditions shown to count by themselves, {dead} dead, {open} not shown"));
        }
        for Condition { place, decision, effect, failures, .. } in self.conditions.iter().flatten() {
            let at = format!("{place} in the decision at {decision}");
            match *effect {
                DEAD => entry(DEAD, format!("{at}: no complete path lets it count by itself ({})", self.certificate)),
                NOT_SHOWN => entry(NOT_SHOWN, format!("{at}: tried {failures} times")),
                _ => {}
            }
        }
        entry("certificate", self.certificate.clone());
        entry("time", format!("{:.1} ms", self.milliseconds));
        text
    }
}
