//! The report of `goatherd prove`: data, as JSON puts it out (`spec/reports.md`), and as [`text`].

pub mod checks;
pub mod heap;
pub mod run;
pub mod stuck;
pub mod text;
pub mod values;

use super::{arguments, places::Place};
use checks::{Check, Status};
use goatherd::{engine::Engine, task::Task};
use goatherd_certificates::certificate::Parameters;
use goatherd_claims::Verdict;
use goatherd_descent::Strategy;
use goatherd_frontend::{
    confirm::Confirmed,
    diagnostics, escape,
    print::{conditions, program::Names},
};
use serde::Serialize;

/// Names the form of the report.
pub const SCHEMA: &str = "goatherd-prove/1";

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// No run fails.
    Proved,
    /// A run fails.
    Unsafe,
    /// Neither was found.
    Unknown,
    /// The file was not understood, or a file could not be read or written.
    Input,
    /// A fault of Goatherd itself.
    Internal,
}

/// The report of one program.
#[derive(Serialize, Debug)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// What came of it.
    pub verdict: Outcome,
    /// The C file, as the user named it; several with spaces between.
    pub file: String,
    /// The entry function.
    pub entry: String,
    /// Why there is no other answer, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is wrong with the C file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<diagnostics::Report>,
    /// Files of earlier commands, which are no answers any more, by their new names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
    /// The property of SV-COMP that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<Property>,
    /// What was to be proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<Statement>,
    /// What the C compiler says of the types, layouts and constants that the front end believes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub types: Option<Confirmed>,
    /// What the checker has accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// Where the whole is not decided: what the checker has accepted of a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<Partial>,
    /// What the search for a proof was refined by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refinements: Vec<Refinement>,
    /// Does the proof say something?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vacuity: Option<Vacuity>,
    /// Every check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<Checks>,
    /// The run that fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// Where the search for a proof ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stuck: Option<stuck::Attempt>,
    /// What the verdict rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusted: Option<Trusted>,
    /// Wall-clock time, in milliseconds.
    pub milliseconds: f64,
    /// A source line with a caret, for the text.
    #[serde(skip)]
    pub picture: Option<diagnostics::Report>,
}

impl Report {
    /// A report that says nothing but what came of it.
    pub fn new(input: &arguments::Input, verdict: Outcome) -> Self {
        Self {
            schema: SCHEMA,
            verdict,
            file: input.shown(),
            entry: input.entry().to_owned(),
            reason: None,
            diagnostics: Vec::new(),
            stale: Vec::new(),
            partial: None,
            property: None,
            statement: None,
            types: None,
            certificate: None,
            refinements: Vec::new(),
            vacuity: None,
            checks: None,
            counterexample: None,
            stuck: None,
            trusted: None,
            milliseconds: 0.0,
            picture: None,
        }
    }

    /// The report as JSON, on several lines.
    pub fn json(&self) -> String {
        // These types have no maps, so that serialising them does not fail.
        let mut text = escape::json(&serde_json::to_string_pretty(self).unwrap_or_default());
        text.push('\n');
        text
    }
}

/// A property of SV-COMP, and whether the program has it.
#[derive(Serialize, Debug)]
pub struct Property {
    /// The property file.
    pub file: String,
    /// Its parts, such as `valid-deref`.
    pub parts: Vec<String>,
    /// Does the program have it?
    pub verdict: Holds,
    /// If not: which part it violates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violated: Option<String>,
    /// The answer that the task definition expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Holds>,
    /// Which part it expects to be violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_violated: Option<String>,
}

/// Does a program have a property?
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    /// Yes.
    True,
    /// No.
    False,
    /// Neither is shown.
    Unknown,
}

impl From<bool> for Holds {
    fn from(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// What was to be proved.
#[derive(Serialize, Debug)]
pub struct Statement {
    /// SHA-256 of the program, as `goatherd lower` prints it.
    pub program_digest: String,
    /// What valid inputs are, one phrase per input.
    pub inputs: Vec<String>,
    /// What it is proved under.
    pub parameters: Parameters,
    /// The same in words.
    pub under: Vec<String>,
    /// The assertions of the source that do nothing in the program: `FILE:LINE:COLUMN`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<String>,
}

impl Statement {
    /// Describes the statement.
    pub fn new(task: &Task, program_digest: &[u8; 32]) -> Self {
        let Task { program, parameters, origin, .. } = task;
        Self {
            program_digest: hexadecimal(program_digest),
            inputs: Names::new(program).input_phrases(),
            parameters: *parameters,
            under: conditions(program, *parameters),
            waived: origin.waived.clone(),
        }
    }
}

/// What was learnt from a failure that no execution has.
#[derive(Serialize, Debug)]
pub struct Refinement {
    /// The loop at which heaps had been merged that were to be told apart.
    pub place: Place,
    /// By what they are told apart: what a node holds, and what hangs below it.
    pub learnt: Vec<String>,
}

/// An accepted certificate.
#[derive(Serialize, Debug)]
pub struct Certificate {
    /// Where it was written.
    pub path: String,
    /// Its size.
    pub bytes: usize,
    /// SHA-256 of its statement.
    pub statement_digest: String,
    /// Of a proof: which engine found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Of a proof: what was followed precisely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u32>,
    /// Of a proof: how it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Rules that were replayed.
    pub rules: u64,
    /// Templates that were proved.
    pub templates: u64,
    /// The most memory that the checker held at once, in bytes.
    pub checker_memory: u64,
}

impl Certificate {
    /// Describes the certificate.
    pub fn new(path: String, bytes: usize, verdict: &Verdict, strategy: Option<Strategy>) -> Self {
        Self {
            path,
            bytes,
            statement_digest: hexadecimal(&verdict.statement_digest),
            engine: strategy.map(|strategy| Engine::of(strategy).to_string()),
            k: strategy.map(|strategy| strategy.k),
            strategy: strategy.map(|strategy| strategy.to_string()),
            rules: verdict.counts.rules,
            templates: verdict.counts.templates,
            checker_memory: verdict.peak_memory,
        }
    }
}

/// A proof of all checks but some assertions.
#[derive(Serialize, Debug)]
pub struct Partial {
    /// The certificate.
    pub certificate: Certificate,
    /// The assertions that do nothing in its program: `FILE:LINE:COLUMN`.
    pub waived: Vec<String>,
    /// What checks the certificate, and that it is about these.
    pub command: String,
}

/// Does the proof say something?
#[derive(Serialize, Debug)]
pub struct Vacuity {
    /// Runs that do not fail reach every assertion or, where there is none, access memory.
    pub excluded: bool,
    /// Assertions that no run reaches.
    pub missed: Vec<Place>,
}

/// Every check.
#[derive(Serialize, Debug)]
pub struct Checks {
    /// How many are proved.
    pub proved: usize,
    /// How many fail.
    pub fails: usize,
    /// How many are undecided.
    pub unknown: usize,
    /// All, by place.
    pub list: Vec<Check>,
}

impl Checks {
    /// Counts the checks.
    pub fn new(list: Vec<Check>) -> Self {
        let count = |status| list.iter().filter(|check| check.status == status).count();
        Self { proved: count(Status::Proved), fails: count(Status::Fails), unknown: count(Status::Unknown), list }
    }
}

/// A run that fails, and the C file that shows it.
#[derive(Serialize, Debug)]
pub struct Counterexample {
    /// The run.
    #[serde(flatten)]
    pub run: run::FailingRun,
    /// Has the checker confirmed it?
    pub confirmed: bool,
    /// The C file that shows it.
    #[serde(flatten)]
    pub replay: Replay,
    /// The witness that other verifiers read, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<ViolationWitness>,
}

/// The witness that tells a run to other verifiers.
#[derive(Serialize, Debug)]
#[serde(untagged)]
pub enum ViolationWitness {
    /// It was written.
    Written {
        /// Where.
        path: String,
    },
    /// It was not.
    Unwritten {
        /// Why not.
        unwritten: String,
    },
}

/// The C file that shows a run.
#[derive(Serialize, Debug)]
#[serde(untagged)]
pub enum Replay {
    /// It was written.
    Written {
        /// Where.
        path: String,
        /// Builds and runs it.
        command: String,
    },
    /// It was not.
    Unwritten {
        /// Why not.
        unwritten: String,
    },
}

/// What the verdict rests on, beside the front end and, where the file needs it, `cc -E`.
#[derive(Serialize, Debug)]
pub struct Trusted {
    /// The version of the kernel that accepted the certificate.
    pub kernel_version: &'static str,
    /// The digest of its source.
    pub kernel_source_digest: &'static str,
}

/// What this command rests on.
pub const TRUSTED: Trusted = Trusted { kernel_version: env!("CARGO_PKG_VERSION"), kernel_source_digest: env!("KERNEL_SOURCE_DIGEST") };

/// A digest in hexadecimal.
pub fn hexadecimal(digest: &[u8; 32]) -> String {
    digest.map(|byte| format!("{byte:02x}")).concat()
}
