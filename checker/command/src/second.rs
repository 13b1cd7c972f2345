//! A second checker, which is asked about the very bytes that the kernel has judged (`--second`; `spec/soundness/README.md#the-second-checker`).

use crate::{
    demands::Difference,
    report::{Outcome, names::claim_name},
    shown,
};
use goatherd_archive::messages;
use goatherd_certificates::certificate::{Claim, Ends};
use goatherd_checker::error::Failure;
use serde::Serialize;
use std::{
    io::{Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

/// What a second checker prints is not read beyond so many bytes: an answer is one line of some hundred.
const LONGEST_ANSWER: u64 = 1 << 16;

/// What comes before the answer: the name of the file, which is standard input.
const PREFIX: &str = "-: ";

/// What a second checker says of a certificate.
#[derive(Serialize, Debug)]
pub struct Opinion {
    /// The checker.
    pub checker: String,
    /// `accepted CLAIM`, or `rejected` or `declined` with a reason.
    pub answer: String,
}

/// The outcome, with what the second checker says of the same bytes. Where one of the two accepts and the other rejects, that is all there is to say.
/// What the kernel declines the second checker is not asked about.
///
/// # Errors
///
/// If the second checker cannot be run, or does not answer.
pub fn consulted(checker: &Path, bytes: &[u8], outcome: Outcome) -> Result<Outcome, String> {
    if matches!(
        outcome,
        Outcome::Contradicted(_)
            | Outcome::Failed {
                failure: Failure::Declined(_),
                ..
            }
    ) {
        return Ok(outcome);
    }
    let opinion = ask(checker, bytes)?;
    let is_accepted = opinion.answer.starts_with("accepted ");
    Ok(match outcome {
        Outcome::Failed { failure, .. } if is_accepted => Outcome::Disagreed {
            kernel: format!("rejected: {}", messages::failure(failure)),
            opinion,
        },
        Outcome::Accepted(mut accepted) => {
            let expected = format!("accepted {}", claim(accepted.verdict.claim));
            if opinion.answer.starts_with("declined ") {
                let unmet = Difference::new("second checker", expected, opinion.answer.as_str());
                accepted.differences.push(unmet);
            } else if opinion.answer != expected {
                return Ok(Outcome::Disagreed {
                    kernel: expected,
                    opinion,
                });
            }
            accepted.second = Some(opinion);
            Outcome::Accepted(accepted)
        }
        other => other,
    })
}

/// A claim, as the second checker names it.
fn claim(claim: Claim) -> String {
    match claim {
        Claim::Paths(Ends::Complete) => String::from("Paths(Complete)"),
        Claim::Paths(Ends::Anywhere) => String::from("Paths(Anywhere)"),
        claim => claim_name(claim).to_owned(),
    }
}

/// Runs the second checker on standard input, so that it judges these bytes, whatever becomes of the file.
fn ask(checker: &Path, bytes: &[u8]) -> Result<Opinion, String> {
    let failed = |what: &str| format!("error: --second: {} {what}", shown(checker));
    let mut child = Command::new(checker)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(&format!("cannot be run: {error}")))?;
    let said = converse(&mut child, bytes);
    // It may go on writing what nobody reads, and is waited for so that it does not stay behind. One that has ended cannot be killed.
    drop(child.kill());
    drop(child.wait());
    let said = said.map_err(|error| failed(&format!("cannot be asked: {error}")))?;
    let answer = said.lines().find_map(|line| line.strip_prefix(PREFIX));
    let answer = answer.filter(|answer| {
        ["accepted ", "rejected ", "declined "]
            .iter()
            .any(|word| answer.starts_with(word))
    });
    let Some(answer) = answer else {
        return Err(failed(
            "does not answer as spec/soundness/checker2/second-check does",
        ));
    };
    Ok(Opinion {
        checker: checker.to_string_lossy().into_owned(),
        answer: answer.to_owned(),
    })
}

/// Writes the certificate to the checker and reads what it says.
fn converse(child: &mut Child, bytes: &[u8]) -> std::io::Result<String> {
    let (input, output) = (child.stdin.take(), child.stdout.take());
    thread::scope(|scope| {
        // A checker that knows enough reads no further; then nothing is lost.
        let write = scope.spawn(move || input.map(|mut input| drop(input.write_all(bytes))));
        let mut said = String::new();
        if let Some(output) = output {
            output.take(LONGEST_ANSWER).read_to_string(&mut said)?;
        }
        drop(write.join());
        Ok(said)
    })
}
