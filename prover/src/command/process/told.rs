//! What a process of `goatherd prove --json` says, as far as it is passed on (`spec/reports.md`).

use serde::{Deserialize, Serialize};

/// The verdicts of `goatherd prove`, and one more. What comes first matters more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A fault of Goatherd.
    Internal,
    /// The file cannot be read or understood.
    Input,
    /// A run fails.
    Unsafe,
    /// Neither a proof nor a failing run was found.
    Unknown,
    /// There is a proof, and nothing shows that any input passes the assumptions.
    Vacuous,
    /// There is a proof.
    Proved,
}

impl Verdict {
    /// All, in the order in which they matter.
    pub const ALL: [Self; 6] = [Self::Internal, Self::Input, Self::Unsafe, Self::Unknown, Self::Vacuous, Self::Proved];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Internal => "internal",
            Self::Input => "input",
            Self::Unsafe => "unsafe",
            Self::Unknown => "unknown",
            Self::Vacuous => "vacuous",
            Self::Proved => "proved",
        }
    }
}

/// The report of one proof. Times, and names of files that are gone by now, are not in it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Told {
    /// What came of it.
    pub verdict: Verdict,
    /// Why there is no other answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is wrong with the C file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
    /// Every check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Checks>,
    /// The run that fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Run>,
}

impl Told {
    /// Nothing but a verdict and its reason.
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: Some(reason.into()), diagnostics: Vec::new(), checks: None, counterexample: None }
    }

    /// The place that it is about, and what is to be said there.
    pub fn summary(&self) -> String {
        if let Some(run) = self.counterexample.as_ref().filter(|_| self.verdict == Verdict::Unsafe) {
            return format!("{}:{}:{}: {}", run.file, run.line, run.column, run.failure);
        }
        match (self.diagnostics.first(), &self.reason) {
            (Some(diagnostic), _) => {
                let number = |number: Option<u32>| number.map(|number| format!(":{number}")).unwrap_or_default();
                let place = format!("{}{}{}", diagnostic.file, number(diagnostic.line), number(diagnostic.column));
                let more = match self.diagnostics.len() {
                    1 => String::new(),
                    count => format!(" (and {} more)", count - 1),
                };
                format!("{place}: {}: {}{more}", diagnostic.kind, diagnostic.message)
            }
            (None, Some(reason)) => reason.clone(),
            (None, None) => String::new(),
        }
    }
}

/// Something wrong with a C file.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Diagnostic {
    /// `error` or `unsupported`.
    pub kind: String,
    /// What is wrong.
    pub message: String,
    /// The file.
    pub file: String,
    /// From 1.
    pub line: Option<u32>,
    /// From 1, in bytes.
    pub column: Option<u32>,
    /// The text of the line.
    pub source_line: Option<String>,
}

/// The checks, by what is known of them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Checks {
    /// How many are proved.
    pub proved: u64,
    /// How many fail.
    pub fails: u64,
    /// How many are undecided.
    pub unknown: u64,
    /// All, by place.
    #[serde(skip_serializing)]
    pub list: Vec<Check>,
}

/// One check.
#[derive(Clone, PartialEq, Eq, Deserialize, Debug)]
pub struct Check {
    /// Its file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    /// What is checked.
    pub kind: String,
    /// `proved`, `unknown` or `fails`.
    pub status: String,
}

/// A failing run.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Run {
    /// Why it fails.
    pub failure: String,
    /// Where.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    /// What it is given.
    pub inputs: Vec<Binding>,
    /// The lines that it executes.
    pub trace: Vec<Executed>,
}

/// A name and what it holds.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Binding {
    /// A C expression.
    pub name: String,
    /// Its value, as C writes it.
    pub value: String,
}

/// A line that the run executed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Executed {
    /// Its file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// What was written.
    pub writes: Vec<Binding>,
}
