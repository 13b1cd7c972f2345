//! Verdicts: what came of a check, in words ([`text`]) and as JSON ([`json`]).

mod json;
pub mod names;
mod text;

use crate::{claim::About, demands::Difference, second::Opinion, source::Comparison};
use goatherd_archive::messages;
use goatherd_checker::{Limits, error::Failure};
use goatherd_claims::Verdict;
use goatherd_frontend::{confirm::Confirmed, escape::escaped};
use sha2::{Digest, Sha256};

/// The exit status where all that was asked for is claimed and shown.
pub const ACCEPTED: u8 = 0;
/// The exit status where the certificate does not show what it claims.
pub const REJECTED: u8 = 1;
/// The exit status where nothing is said.
pub const DECLINED: u8 = 2;
/// The exit status for wrong usage or input.
pub const INPUT: u8 = 3;
/// The exit status where something else is claimed than what was asked for.
pub const ANOTHER_CLAIM: u8 = 4;

/// The exit status where the front end is at fault.
pub const INTERNAL: u8 = 5;

/// The version of the kernel and the digest of its source.
const KERNEL: (&str, &str) = (env!("CARGO_PKG_VERSION"), env!("KERNEL_SOURCE_DIGEST"));

/// What came of a check.
#[derive(Debug)]
pub enum Outcome {
    /// The kernel accepts the certificate.
    Accepted(Box<Accepted>),
    /// The kernel does not accept it.
    Failed {
        /// Why.
        failure: Failure,
        /// The name of the rule at fault.
        rule: Option<&'static str>,
    },
    /// The kernel accepts the certificate, and the compiler of this machine contradicts the front end that has read the source.
    Contradicted(Confirmed),
    /// Of the kernel and a second checker one accepts the certificate.
    Disagreed {
        /// What the kernel says.
        kernel: String,
        /// What the other says.
        opinion: Opinion,
    },
}

/// An accepted certificate.
#[derive(Debug)]
pub struct Accepted {
    /// What it shows.
    pub verdict: Verdict,
    /// The program that it is about; none for a model.
    pub about: Option<About>,
    /// Which `check-sat` of its script it is about, from 1; of a formula.
    pub question: Option<u32>,
    /// What `--source` found.
    pub compared: Option<Comparison>,
    /// What the compiler of this machine says of the types of a C file.
    pub types: Option<Confirmed>,
    /// What a second checker says.
    pub second: Option<Opinion>,
    /// What was asked for and is claimed otherwise.
    pub differences: Vec<Difference>,
    /// The most that the certificate says that checking it takes.
    pub declared: Limits,
}

impl Outcome {
    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Self::Accepted(accepted) if accepted.differences.is_empty() => ACCEPTED,
            Self::Accepted(_) => ANOTHER_CLAIM,
            Self::Failed {
                failure: Failure::Declined(_),
                ..
            } => DECLINED,
            Self::Failed { .. } => REJECTED,
            Self::Contradicted(_) | Self::Disagreed { .. } => INTERNAL,
        }
    }

    /// The verdict in words, or as a JSON object on several lines.
    pub fn shown(&self, is_json: bool) -> String {
        match self {
            Self::Accepted(accepted) if is_json => json::accepted(accepted),
            Self::Accepted(accepted) => text::accepted(accepted),
            Self::Failed {
                failure: Failure::Declined(reason),
                ..
            } => declined(&messages::declined(*reason), is_json),
            Self::Failed { failure, rule } if is_json => json::rejected(*failure, *rule),
            Self::Contradicted(types) => internal(&types.to_string(), is_json),
            Self::Disagreed {
                kernel,
                opinion: Opinion { checker, answer },
            } => {
                let reason = format!(
                    "the kernel and the second checker disagree, so that one of them is wrong: the kernel says {kernel}; {checker} says {answer}"
                );
                internal(&reason, is_json)
            }
            Self::Failed { failure, rule } => {
                let rule = rule.map(|rule| format!("{rule}: ")).unwrap_or_default();
                format!("rejected: {rule}{}\n", messages::failure(*failure))
            }
        }
    }
}

/// The verdict that says nothing of the certificate.
pub fn declined(reason: &str, is_json: bool) -> String {
    if is_json {
        json::declined(reason)
    } else {
        format!("declined: {reason}\n")
    }
}

/// The verdict that one of those that it rests on is at fault.
fn internal(reason: &str, is_json: bool) -> String {
    if is_json {
        json::internal(reason)
    } else {
        format!("internal error: {}\n", escaped(reason))
    }
}

/// SHA-256.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// A digest in hexadecimal.
pub fn hexadecimal(digest: &[u8; 32]) -> String {
    digest.map(|byte| format!("{byte:02x}")).concat()
}
