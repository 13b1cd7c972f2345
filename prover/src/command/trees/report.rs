//! What is reported of a tree model, in words and as JSON (`spec/trees.md#reports`).

use crate::command::{Exit, arguments::Trees, report::hexadecimal};
use goatherd::{certify::Accepted, encode};
use goatherd_automata::{alphabet::Symbol, automaton::Automaton, emptiness::smallest_tree};
use goatherd_certificates::automata::{Model, SymbolId};
use goatherd_frontend::{
    escape,
    trees::{ModelFile, term},
};
use goatherd_trees::{
    model::symbol_id,
    search::{self, Outcome},
    trace::{Trace, expanded},
};
use serde::Serialize;
use std::fmt::Write;

/// The version of the JSON.
const SCHEMA: &str = "goatherd-trees/1";

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The checker has accepted an invariant.
    Proved,
    /// The checker has accepted a trace.
    Unsafe,
    /// Neither was found.
    Unknown,
}

impl Verdict {
    /// The exit status.
    pub fn exit(self) -> Exit {
        match self {
            Self::Proved => Exit::Done,
            Self::Unsafe => Exit::Unsafe,
            Self::Unknown => Exit::Unknown,
        }
    }
}

/// The report.
#[derive(Clone, Serialize, Debug)]
pub struct Report {
    schema: &'static str,
    /// What came of it.
    pub verdict: Verdict,
    /// The model's file, as the user named it.
    file: String,
    /// Why there is no other answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// SHA-256 of the model.
    model_digest: String,
    /// Names of the lines.
    lines: Vec<String>,
    /// Is Init empty? Then the invariant says nothing.
    is_vacuous: bool,
    /// What the checker has accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// From Init to Bad.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trace: Vec<Configuration>,
    /// How the abstraction was refined.
    rounds: Vec<Round>,
    /// Rules of automata that were computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
    /// Wall-clock time.
    pub milliseconds: f64,
}

/// A certificate that was written.
#[derive(Clone, Serialize, Debug)]
pub struct Certificate {
    path: String,
    bytes: usize,
    statement_digest: String,
    /// Of a product, by how many covers was its image shown to be in the next set.
    transitions: u64,
}

impl Certificate {
    /// Describes it.
    pub fn new(path: String, accepted: &Accepted) -> Self {
        let Accepted { bytes, verdict } = accepted;
        Self { path, bytes: bytes.len(), statement_digest: hexadecimal(&verdict.statement_digest), transitions: verdict.counts.rules }
    }
}

/// A line and a tree.
#[derive(Clone, Serialize, Debug)]
struct Configuration {
    line: String,
    /// The action that led here.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    tree: String,
}

/// A round of the refinement.
#[derive(Clone, Serialize, Debug)]
struct Round {
    /// Predicates, or the height.
    abstraction: usize,
    /// Configuration sets that were computed.
    sets: usize,
    /// States and rules of the sets of all lines at its end.
    states: usize,
    rules: usize,
    /// Lines on the stack when a bad configuration was met.
    path: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blame: Option<Blame>,
}

/// What the abstraction was refined by.
#[derive(Clone, Serialize, Debug)]
struct Blame {
    line: String,
    /// A smallest tree of the set.
    tree: String,
    states: usize,
}

fn name(model: &Model, line: usize) -> String {
    model.lines.get(line).map_or_else(String::new, |line| line.name.clone())
}

fn shown(model: &Model, tree: &[Symbol]) -> String {
    let ids: Vec<SymbolId> = tree.iter().copied().map(symbol_id).collect();
    term(model, &ids).unwrap_or_default()
}

/// A smallest tree of a set as a term; empty if there is none, or if it is large.
pub fn smallest(model: &Model, set: &Automaton) -> String {
    smallest_tree(set).filter(|tree| tree.size() < 1000).map_or_else(String::new, |tree| shown(model, &expanded(&tree)))
}

impl Report {
    /// Nothing is known yet.
    pub fn new(arguments: &Trees, file: &ModelFile) -> Self {
        let model = &file.model;
        Self {
            schema: SCHEMA,
            verdict: Verdict::Unknown,
            file: arguments.file.display().to_string(),
            reason: None,
            model_digest: encode::model_digest(model).map(|digest| hexadecimal(&digest)).unwrap_or_default(),
            lines: model.lines.iter().map(|line| line.name.clone()).collect(),
            is_vacuous: false,
            certificate: None,
            trace: Vec::new(),
            rounds: Vec::new(),
            steps: None,
            milliseconds: 0.0,
        }
    }

    /// A round has ended.
    pub fn add(&mut self, model: &Model, round: &search::Round) {
        self.rounds.push(Round {
            abstraction: round.abstraction,
            sets: round.sets,
            states: round.reached.iter().map(Automaton::state_count).sum(),
            rules: round.reached.iter().map(Automaton::rule_count).sum(),
            path: round.path.iter().map(|line| name(model, *line)).collect(),
            blame: round.blame.as_ref().map(|blame| Blame {
                line: name(model, blame.line),
                tree: smallest_tree(&blame.set)
                    .filter(|tree| tree.size() < 1000)
                    .map_or_else(String::new, |tree| shown(model, &expanded(&tree))),
                states: blame.set.state_count(),
            }),
        });
    }

    /// The search has ended.
    pub fn finish(&mut self, model: &Model, outcome: &Outcome) {
        self.steps = Some(outcome.steps);
        for round in outcome.rounds.iter().skip(self.rounds.len()) {
            self.add(model, round);
        }
        self.is_vacuous = model.initial.accepting.is_empty();
    }

    /// Adds the counterexample.
    pub fn describe(&mut self, model: &Model, trace: &Trace) {
        self.trace.push(Configuration { line: name(model, 0), action: None, tree: shown(model, &trace.tree) });
        let mut line = 0;
        for step in &trace.steps {
            let action = model.lines.get(line).and_then(|line| line.actions.get(step.action)).map(|action| action.name.clone());
            self.trace.push(Configuration { line: name(model, step.line), action, tree: shown(model, &step.tree) });
            line = step.line;
        }
    }

    /// As JSON, on several lines.
    pub fn json(&self) -> String {
        // These types have no maps, so that serialising them does not fail.
        let mut text = escape::json(&serde_json::to_string_pretty(self).unwrap_or_default());
        text.push('\n');
        text
    }

    /// In words.
    pub fn text(&self) -> String {
        let file = &self.file;
        let mut text = match self.verdict {
            Verdict::Proved => format!("proved: {file}: no configuration in Bad is reachable from Init\n"),
            Verdict::Unsafe => {
                let lines: Vec<&str> = self.trace.iter().map(|configuration| configuration.line.as_str()).collect();
                format!("unsafe: {file}: Bad is reached from Init by the trace {}\n", lines.join(", "))
            }
            Verdict::Unknown => format!("unknown: {file}: {}\n", self.reason.as_deref().unwrap_or_default()),
        };
        // Writing to a string does not fail.
        let mut entry = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<12} {value}");
        };
        for Configuration { line, action, tree } in &self.trace {
            let action = action.as_ref().map_or_else(String::new, |action| format!("  ({action})"));
            entry(&format!("line {line}"), format!("{tree}{action}"));
        }
        if self.is_vacuous {
            entry("vacuous", "Init is empty".to_owned());
        }
        for (number, round) in (1..).zip(&self.rounds) {
            let Round { abstraction, sets, states, rules, path, blame } = round;
            let mut value = format!("abstraction {abstraction}, {sets} sets computed, {states} states, {rules} rules");
            if !path.is_empty() {
                let _ = write!(value, "; bad on the path {}", path.join(", "));
            }
            if let Some(Blame { line, tree, states }) = blame {
                let _ = write!(value, "; blamed at line {line}: {tree} ({states} states)");
            }
            entry(&format!("round {number}"), value);
        }
        entry("model", format!("sha256 {}", self.model_digest));
        if let Some(Certificate { path, bytes, .. }) = &self.certificate {
            entry("certificate", format!("{path}, {bytes} bytes"));
        }
        if let Some(steps) = self.steps {
            entry("steps", steps.to_string());
        }
        entry("time", format!("{:.1} ms", self.milliseconds));
        text
    }
}
