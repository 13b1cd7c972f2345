//! What Goatherd says of a program of another verifier's suite: proved, then checked with `--source`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::measurement::{measure, measure_into};

/// The commands that are run, and how.
#[derive(Debug, Clone)]
pub struct Commands {
    /// `goatherd`.
    pub prove: PathBuf,
    /// `goatherd-check`.
    pub check: PathBuf,
    /// The limit of one search.
    pub limit: Duration,
    /// Where `#include` looks.
    pub includes: Vec<PathBuf>,
}

/// What came of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// `proved`, `unsafe`, `unknown`, `input`, `internal`; `killed` beyond the limit.
    pub word: String,
    /// Why, where it is not proved.
    pub reason: String,
    /// What the checker says of what the prover claims of this very file; nothing where nothing is claimed.
    pub checked: Option<Checked>,
    /// Whole-process time of proving.
    pub milliseconds: u64,
}

/// What the checker says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Checked {
    /// It accepts it.
    Accepted,
    /// It does not.
    Rejected,
    /// It had not said anything when its time was over.
    Unfinished,
}

impl Checked {
    /// What an exit status means; none where the command was ended.
    fn of(status: Option<i32>) -> Self {
        match status {
            Some(0) => Self::Accepted,
            Some(_) => Self::Rejected,
            None => Self::Unfinished,
        }
    }
}

/// How much longer than its limit a search may take to end.
const GRACE: Duration = Duration::from_secs(10);

/// How long a check may take: the C compiler alone, which it asks about types, is waited for 20 s.
const CHECK: Duration = Duration::from_mins(1);

impl Commands {
    /// Proves and checks the file, whose entry is `main`; certificates and reports go to the folder. An error says what could not be run.
    pub fn decide(&self, file: &Path, work: &Path) -> Result<Verdict, String> {
        let (certificate, report) = (work.join("program.goat"), work.join("report.json"));
        // A file of an earlier run must not be taken for one of this.
        let _ = std::fs::remove_file(&certificate);
        let seconds = self.limit.as_secs().to_string();
        // As these suites assume; the macro is what Predator's own tests are built with.
        let common = ["--entry", "main", "-D", "PREDATOR"];
        let mut arguments: Vec<&OsStr> =
            ["prove", "--json", "--allocation", "succeeds", "--timeout", &seconds, "-o"].map(OsStr::new).to_vec();
        arguments.extend([certificate.as_os_str(), file.as_os_str()]);
        arguments.extend(common.map(OsStr::new));
        arguments.extend(self.included());
        let measured = measure_into(&self.prove, &arguments, self.limit + GRACE, &report)?;
        let said: Value = std::fs::read(&report).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        let word = said["verdict"].as_str().filter(|_| measured.code.is_some()).unwrap_or("killed").to_owned();
        let expect = match word.as_str() {
            "proved" => Some("safe"),
            "unsafe" => Some("unsafe"),
            _ => None,
        };
        let checked = expect.map(|claim| {
            let mut arguments = vec![certificate.as_os_str(), OsStr::new("--source"), file.as_os_str()];
            arguments.extend(common.map(OsStr::new));
            arguments.extend(["--expect", claim].map(OsStr::new));
            arguments.extend(self.included());
            Ok::<_, String>(Checked::of(measure(&self.check, &arguments, CHECK)?.code))
        });
        let milliseconds = u64::try_from(measured.elapsed.as_millis()).unwrap_or(u64::MAX);
        Ok(Verdict { reason: reason(&word, &said), word, checked: checked.transpose()?, milliseconds })
    }

    fn included(&self) -> impl Iterator<Item = &OsStr> {
        self.includes.iter().flat_map(|folder| [OsStr::new("-I"), folder.as_os_str()])
    }
}

/// Why it is not proved, in a line.
fn reason(word: &str, said: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().replace('\n', " ");
    match word {
        "input" => format!("{}: {}", text(&said["diagnostics"][0]["kind"]), text(&said["diagnostics"][0]["message"])),
        "unknown" => format!("{}; {}", text(&said["reason"]), text(&said["stuck"]["reason"])),
        "unsafe" => format!("{} at line {}", text(&said["counterexample"]["failure"]), said["counterexample"]["line"]),
        _ => String::new(),
    }
}
