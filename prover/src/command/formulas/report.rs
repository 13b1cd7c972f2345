//! What is reported of a query, in words and as JSON (`spec/smt.md#reports`).

use super::arguments::Certify;
use crate::command::{Exit, report::hexadecimal};
use goatherd::certify::Accepted;
use goatherd_certificates::formula::Formula;
use goatherd_frontend::escape::{self, escaped};
use goatherd_queries::evaluate::ModelValue;
use serde::Serialize;
use std::{
    fmt::Write,
    path::{Path, PathBuf},
    time::Instant,
};

/// The version of the JSON.
const SCHEMA: &str = "goatherd-certify/1";

/// What came of a question.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Answered {
    /// The checker has accepted a certificate.
    Unsatisfiable,
    /// A model was found, and evaluated.
    Satisfiable,
    /// Neither.
    Unknown,
}

/// A `check-sat` of the script.
#[derive(Clone, Serialize, Debug)]
pub struct Asked {
    question: usize,
    verdict: Answered,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<Written>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    model: Vec<Named>,
}

/// A certificate.
#[derive(Clone, Serialize, Debug)]
struct Written {
    path: PathBuf,
    bytes: usize,
    clauses: u64,
    formula_digest: String,
    statement_digest: String,
}

/// A constant and its value.
#[derive(Clone, Serialize, Debug)]
struct Named {
    name: String,
    value: String,
}

impl Asked {
    /// The checker has accepted a certificate, which is to be written there.
    pub fn unsatisfiable(question: usize, path: &Path, accepted: &Accepted) -> Self {
        let Accepted { bytes, verdict } = accepted;
        let certificate = Written {
            path: path.to_owned(),
            bytes: bytes.len(),
            clauses: verdict.counts.rules,
            formula_digest: hexadecimal(&verdict.subject_digest),
            statement_digest: hexadecimal(&verdict.statement_digest),
        };
        Self { question, verdict: Answered::Unsatisfiable, reason: None, certificate: Some(certificate), model: Vec::new() }
    }

    /// The formula is true for these values.
    pub fn satisfiable(question: usize, formula: &Formula, model: &[ModelValue]) -> Self {
        let constants = formula.constants.iter().zip(model);
        let model = constants.map(|(constant, value)| Named { name: constant.name.clone(), value: shown(value) }).collect();
        Self { question, verdict: Answered::Satisfiable, reason: None, certificate: None, model }
    }

    /// Nothing is known.
    pub fn unknown(question: usize, reason: &str) -> Self {
        Self { question, verdict: Answered::Unknown, reason: Some(reason.to_owned()), certificate: None, model: Vec::new() }
    }
}

fn shown(value: &ModelValue) -> String {
    match value {
        ModelValue::Boolean(value) => value.to_string(),
        ModelValue::Integer(value) => value.to_string(),
        ModelValue::Array(entries, other) => {
            entries.iter().fold(String::from("["), |text, (index, value)| text + &format!("{index}: {value}, ")) + &format!("else {other}]")
        }
    }
}

/// The report.
#[derive(Clone, Serialize, Debug)]
pub struct Report {
    schema: &'static str,
    file: String,
    questions: Vec<Asked>,
    /// Why not all questions are answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    milliseconds: f64,
}

impl Report {
    /// Nothing is answered.
    pub fn new(arguments: &Certify) -> Self {
        let file = arguments.file.display().to_string();
        Self { schema: SCHEMA, file, questions: Vec::new(), reason: None, milliseconds: 0.0 }
    }

    /// A question is answered.
    pub fn add(&mut self, asked: Asked) {
        self.questions.push(asked);
    }

    /// No more is.
    pub fn give_up(&mut self, reason: String) {
        self.reason = Some(reason);
    }

    /// All is said.
    pub fn finish(&mut self, start: Instant) {
        self.milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    }

    /// Where certificates are to be written, in the order of the questions.
    pub fn certified(&self) -> impl Iterator<Item = &PathBuf> {
        self.questions.iter().filter_map(|asked| asked.certificate.as_ref()).map(|certificate| &certificate.path)
    }

    fn count(&self, verdict: Answered) -> usize {
        self.questions.iter().filter(|asked| asked.verdict == verdict).count()
    }

    /// The exit status.
    pub fn exit(&self) -> Exit {
        match (self.count(Answered::Satisfiable), self.count(Answered::Unknown)) {
            (0, 0) => Exit::Done,
            (0, _) => Exit::Unknown,
            _ => Exit::Unsafe,
        }
    }

    /// As JSON on several lines, or in words.
    pub fn shown(&self, is_json: bool) -> String {
        if is_json {
            // These types have no maps, so that serialising them does not fail.
            return escape::json(&serde_json::to_string_pretty(self).unwrap_or_default()) + "\n";
        }
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        let file = &self.file;
        match (&*self.questions, &self.reason) {
            ([asked], None) => {
                let says = match asked.verdict {
                    Answered::Unsatisfiable => "no values of its constants make all assertions true",
                    Answered::Satisfiable => "all assertions are true for the values below",
                    Answered::Unknown => asked.reason.as_deref().unwrap_or_default(),
                };
                writeln!(text, "{}: {file}: {says}", word(asked.verdict))?;
                details(asked, text)?;
            }
            (_, Some(reason)) => writeln!(text, "unknown: {file}: {reason}")?,
            (asked, None) => {
                let [certified, satisfiable, unknown] =
                    [Answered::Unsatisfiable, Answered::Satisfiable, Answered::Unknown].map(|verdict| self.count(verdict));
                let count = asked.len();
                writeln!(
                    text,
                    "answered: {file}: of {count} questions {certified} are unsatisfiable, {satisfiable} satisfiable, {unknown} unknown"
                )?;
                for asked in asked {
                    writeln!(text, "  {:<12} {}", format!("question {}", asked.question), word(asked.verdict))?;
                    if let Some(reason) = &asked.reason {
                        writeln!(text, "  {:<12} {reason}", "")?;
                    }
                    details(asked, text)?;
                }
            }
        }
        writeln!(text, "  {:<12} {:.1} ms", "time", self.milliseconds)
    }
}

fn word(verdict: Answered) -> &'static str {
    match verdict {
        Answered::Unsatisfiable => "unsatisfiable",
        Answered::Satisfiable => "satisfiable",
        Answered::Unknown => "unknown",
    }
}

fn details(asked: &Asked, text: &mut String) -> std::fmt::Result {
    for Named { name, value } in &asked.model {
        writeln!(text, "  {:<12} {} = {value}", "model", escaped(name))?;
    }
    if let Some(Written { path, bytes, clauses, formula_digest, .. }) = &asked.certificate {
        writeln!(text, "  {:<12} sha256 {formula_digest}", "formula")?;
        writeln!(text, "  {:<12} {}, {bytes} bytes, {clauses} clauses", "certificate", path.display())?;
    }
    Ok(())
}
