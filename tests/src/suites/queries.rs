//! Queries of other solvers' suites: what `goatherd certify` answers, whether the checker accepts it, and what the suite expects.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

/// The commands that are run, and how.
#[derive(Debug, Clone)]
pub struct Solving {
    /// `goatherd`.
    pub certify: PathBuf,
    /// `goatherd-check`.
    pub check: PathBuf,
    /// The limit of one script.
    pub limit: Duration,
}

/// The answer to a `check-sat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answered {
    /// There is no model; of ours: the checker accepts the certificate as one about this very script.
    Unsat,
    /// There is one.
    Sat,
    /// Neither is known.
    Unknown,
}

/// What came of a script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "judgement", content = "detail")]
pub enum Judged {
    /// The reader does not know what the script uses.
    Refused(String),
    /// The answers, in order; the suite has the same, or does not know, or we do not.
    Answered(Vec<Answered>),
    /// An answer is not the suite's, the checker does not accept one, or the command failed.
    Wrong(String),
}

/// What the suite expects of each question: the lines `; EXPECT: ANSWER`, or what `(set-info :status ANSWER)` says of the only one. Empty where it says nothing.
pub fn expected(script: &str) -> Vec<Answered> {
    let answered = |word: &str| match word {
        "unsat" => Some(Answered::Unsat),
        "sat" => Some(Answered::Sat),
        "unknown" => Some(Answered::Unknown),
        _ => None,
    };
    let lines = script.lines().filter_map(|line| answered(line.trim().strip_prefix("; EXPECT:")?.trim()));
    let expected: Vec<Answered> = lines.collect();
    if !expected.is_empty() {
        return expected;
    }
    let statuses = script.split("(set-info :status").skip(1).filter_map(|rest| answered(rest.split(')').next()?.trim()));
    statuses.collect()
}

impl Solving {
    /// Has a script answered in this folder, and what is certified checked. An error says what could not be run.
    pub fn judge(&self, script: &Path, work: &Path) -> Result<Judged, String> {
        let seconds = self.limit.as_secs().to_string();
        let mut command = Command::new(&self.certify);
        command.current_dir(work).args(["certify", "--json", "--timeout", &seconds]).arg(script);
        let output = run(&mut command)?;
        if output.status.code() == Some(3) {
            return Ok(Judged::Refused(refusal(&String::from_utf8_lossy(&output.stderr))));
        }
        let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
            let said = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned();
            return Ok(Judged::Wrong(format!("the command failed: {said}")));
        };
        let mut answers = Vec::new();
        for question in report["questions"].as_array().into_iter().flatten() {
            let answer = match question["verdict"].as_str() {
                Some("unsatisfiable") => Answered::Unsat,
                Some("satisfiable") => Answered::Sat,
                _ => Answered::Unknown,
            };
            // Under a limit, certificates are not written.
            let is_given_up = report["reason"].is_string();
            if answer == Answered::Unsat && !is_given_up && !self.is_accepted(question, script, work)? {
                return Ok(Judged::Wrong(format!("the checker does not accept the answer to question {}", question["question"])));
            }
            answers.push(answer);
        }
        let text = std::fs::read(script).map_err(|error| format!("{}: {error}", script.display()))?;
        Ok(compared(answers, &expected(&String::from_utf8_lossy(&text))))
    }

    fn is_accepted(&self, question: &Value, script: &Path, work: &Path) -> Result<bool, String> {
        let certificate = work.join(question["certificate"]["path"].as_str().unwrap_or_default());
        let mut command = Command::new(&self.check);
        command.arg(&certificate).args(["--expect", "unsatisfiable", "--source"]).arg(script);
        Ok(run(&mut command)?.status.success())
    }
}

fn run(command: &mut Command) -> Result<Output, String> {
    command.stdin(Stdio::null()).output().map_err(|error| format!("{}: {error}", command.get_program().display()))
}

/// Where the suite expects as many answers as there are, none is the opposite.
fn compared(answers: Vec<Answered>, expected: &[Answered]) -> Judged {
    let pairs = answers.iter().zip(expected).filter(|_| answers.len() == expected.len());
    let mut wrong = pairs.zip(1..).filter(|((own, other), _)| own != other && ![**own, **other].contains(&Answered::Unknown));
    match wrong.next() {
        Some(((own, other), number)) => Judged::Wrong(format!("question {number}: {own:?}, and the suite expects {other:?}")),
        None => Judged::Answered(answers),
    }
}

/// What is not understood, without its place: `FILE:1:18: unsupported: WHAT`.
fn refusal(said: &str) -> String {
    let line = said.lines().next().unwrap_or_default();
    let from = ["unsupported: ", "error: "].iter().filter_map(|kind| line.find(kind)).min();
    line[from.unwrap_or_default()..].to_owned()
}

/// What came of all scripts, by name: a table, then what is wrong, and the reasons of refusals.
pub fn markdown(judged: &BTreeMap<String, Judged>) -> String {
    let mut refusals: BTreeMap<&str, usize> = BTreeMap::new();
    let mut answers: BTreeMap<Answered, usize> = BTreeMap::new();
    let (mut understood, mut wrong) = (0, Vec::new());
    for (name, judgement) in judged {
        match judgement {
            Judged::Refused(reason) => *refusals.entry(reason).or_default() += 1,
            Judged::Answered(given) => {
                understood += 1;
                for answer in given {
                    *answers.entry(*answer).or_default() += 1;
                }
            }
            Judged::Wrong(reason) => wrong.push((name, reason)),
        }
    }
    let count = |answer| answers.get(&answer).copied().unwrap_or(0);
    let [certified, satisfiable, unknown] = [Answered::Unsat, Answered::Sat, Answered::Unknown].map(count);
    let mut text = format!(
        "| scripts | understood | questions | unsatisfiable, accepted | satisfiable | unknown | wrong |\n|--:|--:|--:|--:|--:|--:|--:|\n\
         | {} | {understood} | {} | {certified} | {satisfiable} | {unknown} | {} |\n",
        judged.len(),
        certified + satisfiable + unknown,
        wrong.len()
    );
    // Writing to a string does not fail.
    for (name, reason) in wrong {
        let _ = writeln!(text, "\nWRONG {name}: {reason}");
    }
    let mut refusals: Vec<(&str, usize)> = refusals.into_iter().collect();
    refusals.sort_by_key(|(reason, count)| (usize::MAX - count, *reason));
    let _ = writeln!(text, "\n## Refused\n\n| scripts | what |\n|--:|---|");
    for (reason, count) in refusals {
        let _ = writeln!(text, "| {count} | {} |", reason.replace('|', "\\|"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Answered, Judged, compared, expected, markdown, refusal};
    use std::collections::BTreeMap;

    #[test]
    fn suites_say_what_they_expect() {
        assert_eq!(expected("; EXPECT: sat\n; EXPECT: unsat\n(check-sat)"), [Answered::Sat, Answered::Unsat]);
        assert_eq!(expected("(set-info :status unsat)\n(check-sat)"), [Answered::Unsat]);
        assert_eq!(expected("; EXPECT: (model\n(check-sat)"), []);
    }

    #[test]
    fn opposite_answers_are_wrong() {
        let (sat, unsat, unknown) = (Answered::Sat, Answered::Unsat, Answered::Unknown);
        assert_eq!(compared(vec![sat, unknown], &[sat, unsat]), Judged::Answered(vec![sat, unknown]));
        assert_eq!(compared(vec![sat], &[sat, unsat]), Judged::Answered(vec![sat]));
        assert_eq!(compared(vec![sat, sat], &[sat, unsat]), Judged::Wrong("question 2: Sat, and the suite expects Unsat".to_owned()));
    }

    #[test]
    fn reasons_are_counted() {
        let said = |place: &str| refusal(&format!("q.smt2:{place}: unsupported: a quantifier\n  |"));
        let judged =
            [("a", Judged::Refused(said("1:2"))), ("b", Judged::Refused(said("3:4"))), ("c", Judged::Answered(vec![Answered::Unsat]))];
        let report = markdown(&judged.map(|(name, judged)| (name.to_owned(), judged)).into_iter().collect::<BTreeMap<_, _>>());
        assert!(report.contains("| 3 | 1 | 1 | 1 | 0 | 0 | 0 |"), "{report}");
        assert!(report.contains("| 2 | unsupported: a quantifier |"), "{report}");
    }
}
