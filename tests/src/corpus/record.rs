//! What proving and checking a program gave.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use goatherd_certificates::certificate::SignedOverflow;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::program::Program;
use crate::measurement::{Measured, measure, measure_into};

/// The commands that are measured, and how.
#[derive(Debug, Clone)]
pub struct Commands {
    /// `goatherd`.
    pub prove: PathBuf,
    /// `goatherd-check`.
    pub check: PathBuf,
    /// Threads of one search.
    pub threads: usize,
    /// The limit of one search.
    pub limit: Duration,
    /// Where certificates go.
    pub work: PathBuf,
}

/// What is known of a program after proving and checking it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// `proved`, `unsafe`, `unknown`, ... as the prover says; `killed` beyond the limit.
    pub verdict: String,
    /// The checker's exit code: 0 accepts a proof, 4 a counterexample.
    pub checked: Option<i32>,
    /// Of a proof: elements that are kept concrete.
    pub k: Option<u64>,
    /// Of a proof: the strategy that found it.
    pub strategy: Option<String>,
    /// Whole-process time of proving.
    pub prove_ms: f64,
    /// Whole-process time of checking.
    pub check_ms: Option<f64>,
    /// Size of the certificate.
    pub certificate_bytes: Option<u64>,
    /// The prover's peak resident memory.
    pub prove_peak_bytes: u64,
    /// The checker's.
    pub check_peak_bytes: Option<u64>,
    /// Of a proof: whether runs reach every assertion.
    pub vacuity_excluded: Option<bool>,
    /// Of an unsafe program: what fails, and the text of its line.
    pub failure: Option<String>,
    /// Of an unsafe program: whether its C file fails when it is built with sanitizers and run; nothing where there is no compiler.
    pub shown: Option<bool>,
    /// Why there is no answer.
    pub reason: Option<String>,
}

impl Record {
    /// Whether prover and checker give the answer that is expected.
    pub fn is_expected(&self, program: &Program) -> bool {
        self.answer() == if program.is_good() { Answer::Proved } else { Answer::Unsafe }
    }

    /// Whether they give the opposite, or disagree with each other.
    pub fn is_wrong(&self, program: &Program) -> bool {
        !self.is_expected(program) && self.answer() != Answer::None
    }

    /// The answer that both agree on.
    fn answer(&self) -> Answer {
        match (self.verdict.as_str(), self.checked) {
            ("proved", Some(0)) => Answer::Proved,
            ("unsafe", Some(4)) => Answer::Unsafe,
            ("proved" | "unsafe" | "internal", _) => Answer::Inconsistent,
            _ => Answer::None,
        }
    }

    /// Checking time by proving time.
    pub fn ratio(&self) -> Option<f64> {
        self.check_ms.map(|check| check / self.prove_ms)
    }
}

/// What is proved faster than this is measured three times.
const QUICK: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Proved,
    Unsafe,
    /// Prover and checker contradict each other, or the prover itself.
    Inconsistent,
    None,
}

impl Commands {
    /// Proves a program, and leaves its certificate to be checked; an error says what could not be run.
    pub fn prove(&self, program: &Program) -> Result<Record, String> {
        let (certificate, report, counterexample) =
            (self.certificate(program), self.file(program, "json"), self.file(program, "counterexample.c"));
        // A file of an earlier run must not be taken for one of this.
        for file in [&certificate, &counterexample] {
            let _ = std::fs::remove_file(file);
        }
        let (threads, seconds) = (self.threads.to_string(), self.limit.as_secs().to_string());
        let arguments = ["prove", "--json", "--threads", &threads, "--timeout", &seconds, "-o"].map(OsStr::new);
        let arguments = [&arguments[..], &[certificate.as_os_str(), program.file.as_os_str()]].concat();
        let grace = Duration::from_secs(2);
        let run = || measure_into(&self.prove, &arguments, self.limit + grace, &report);
        let mut proved = run()?;
        if proved.elapsed < QUICK {
            proved = median(vec![run()?, run()?, run()?]);
        }
        let said: Value = std::fs::read(&report).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        let mut record = Record::of_report(proved, &said);
        if counterexample.exists() {
            record.shown = shown(&counterexample);
        }
        let _ = std::fs::remove_file(&report);
        Ok(record)
    }

    /// Checks the certificate of a program once.
    pub fn check(&self, program: &Program) -> Result<Measured, String> {
        measure(&self.check, &[self.certificate(program).as_os_str()], self.limit)
    }

    /// Where the certificate of a program is, if there is one.
    pub fn certificate(&self, program: &Program) -> PathBuf {
        self.file(program, "goat")
    }

    fn file(&self, program: &Program, extension: &str) -> PathBuf {
        self.work.join(format!("{}.{extension}", program.name))
    }
}

impl Record {
    /// Adds what checking the certificate gave, one time or several: of these, what the run of median time did.
    pub fn add_checks(&mut self, runs: Vec<Measured>) {
        let checked = median(runs);
        self.checked = checked.code;
        self.check_ms = Some(milliseconds(checked.elapsed));
        self.check_peak_bytes = Some(checked.peak_bytes);
    }

    fn of_report(proved: Measured, said: &Value) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let counterexample = &said["counterexample"];
        let failure = text(&counterexample["failure"]).map(|failure| {
            let at = counterexample["trace"].as_array().and_then(|trace| trace.last()).map(|line| &line["text"]);
            format!("line {}: {failure}: {}", counterexample["line"], at.and_then(Value::as_str).unwrap_or_default())
        });
        Self {
            verdict: text(&said["verdict"]).filter(|_| proved.code.is_some()).unwrap_or_else(|| "killed".into()),
            checked: None,
            k: said["certificate"]["k"].as_u64(),
            strategy: text(&said["certificate"]["strategy"]),
            prove_ms: milliseconds(proved.elapsed),
            check_ms: None,
            certificate_bytes: said["certificate"]["bytes"].as_u64(),
            prove_peak_bytes: proved.peak_bytes,
            check_peak_bytes: None,
            vacuity_excluded: said["vacuity"]["excluded"].as_bool(),
            failure,
            shown: None,
            reason: text(&said["reason"])
                .or_else(|| text(&said["stuck"]["reason"]))
                .or_else(|| text(&said["diagnostics"][0]["message"]))
                .map(|reason| reason.replace('\n', " ")),
        }
    }
}

/// Of some runs, one at least, the one of median time.
fn median(mut runs: Vec<Measured>) -> Measured {
    runs.sort_by_key(|run| run.elapsed);
    runs[runs.len() / 2]
}

/// Whether the C file of a counterexample fails as it says; nothing where it cannot be built.
fn shown(file: &Path) -> Option<bool> {
    let program = file.with_extension("");
    let mut words = goatherd_counterexample::replay::compile(SignedOverflow::Wraps).split_whitespace();
    let mut compiler = Command::new(words.next()?);
    let built = compiler.args(words).args(["-w", "-o"]).args([&program, file]).output().ok()?;
    if !built.status.success() {
        return None;
    }
    let run = Command::new("timeout").arg("20").arg(&program).stdin(Stdio::null()).output().ok()?;
    let _ = std::fs::remove_file(&program);
    let (output, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let by_sanitizer = errors.contains("AddressSanitizer") || errors.contains("runtime error");
    Some(by_sanitizer || output.contains("goatherd: ") && !output.contains("do not report"))
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
