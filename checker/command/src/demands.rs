//! What can be asked of a certificate beyond its claim (`--require`), and what it says otherwise.

use crate::{
    report::{hexadecimal, names::claim_name},
    source::Comparison,
};
use goatherd_certificates::{
    certificate::{Allocation, Claim, Parameters, PointerFormation, SignedOverflow},
    program::Program,
};
use goatherd_claims::Verdict;
use goatherd_frontend::lower::Leaks;
use serde::Serialize;
use std::str::FromStr;

/// Something that a verdict is to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Demand {
    /// Ground runs show that the claim says something.
    VacuityExcluded,
    /// This fails where it is not checked otherwise.
    Checks(Check),
    /// What allocation does.
    Allocation(Allocation),
    /// The function that executions start from.
    Entry(String),
    /// The digest of the program or the model, in hexadecimal.
    Digest(String),
    /// What inputs are compared with before the program of `--source`, as differences show it.
    Precondition(String),
}

/// What is a failure only if that is asked of the prover (`--checks`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// A signed result that is out of range.
    Overflow,
    /// A pointer that is formed outside its object.
    Pointer,
    /// Memory that is leaked.
    Leak,
}

impl FromStr for Demand {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.split_once('=').unwrap_or((text, "")) {
            ("vacuity-excluded", "") => Self::VacuityExcluded,
            ("checks", "overflow") => Self::Checks(Check::Overflow),
            ("checks", "pointer") => Self::Checks(Check::Pointer),
            ("checks", "leak") => Self::Checks(Check::Leak),
            ("allocation", "may-fail") => Self::Allocation(Allocation::MayFail),
            ("allocation", "succeeds") => Self::Allocation(Allocation::Succeeds),
            ("entry", name) if !name.is_empty() => Self::Entry(name.to_owned()),
            ("precondition", condition) if !condition.is_empty() => {
                Self::Precondition(condition.to_owned())
            }
            ("digest", digits)
                if digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) =>
            {
                Self::Digest(digits.to_ascii_lowercase())
            }
            _ => {
                let known = "vacuity-excluded, checks=overflow, checks=pointer, checks=leak, allocation=may-fail, allocation=succeeds, \
                    entry=FUNCTION, precondition=CONDITION, digest=SHA256 (64 hexadecimal digits)";
                return Err(format!("a demand is one of {known}"));
            }
        })
    }
}

/// Something that was asked for, and that the certificate says otherwise.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Difference {
    /// What it is about.
    pub what: String,
    /// What was asked for.
    pub asked: String,
    /// What the certificate says.
    pub certificate: String,
}

impl Difference {
    /// Both sides of it.
    pub fn new(
        what: impl Into<String>,
        asked: impl Into<String>,
        certificate: impl Into<String>,
    ) -> Self {
        Self {
            what: what.into(),
            asked: asked.into(),
            certificate: certificate.into(),
        }
    }
}

impl Demand {
    /// The precondition that is asked for: the last one named.
    pub fn precondition(demands: &[Self]) -> Option<&str> {
        demands.iter().rev().find_map(|demand| {
            if let Self::Precondition(condition) = demand {
                Some(condition.as_str())
            } else {
                None
            }
        })
    }

    /// What the verdict says otherwise, if it does. A model has no program. Of preconditions nothing is said here.
    pub fn unmet(&self, verdict: &Verdict, program: Option<&Program>) -> Option<Difference> {
        let (what, asked, certificate) = match self {
            Self::Precondition(_) => return None,
            Self::VacuityExcluded => ("vacuity", "excluded", vacuity(verdict)),
            Self::Digest(digest) => (
                "digest",
                digest.as_str(),
                hexadecimal(&verdict.subject_digest),
            ),
            Self::Entry(name) => (
                "entry",
                name.as_str(),
                program.map_or_else(none, |program| program.entry.clone()),
            ),
            Self::Checks(check) => {
                let (what, is_checked) = (
                    check.name(),
                    verdict
                        .parameters
                        .zip(program)
                        .map(|(parameters, of)| check.is_made(parameters, of)),
                );
                (
                    what,
                    "fails",
                    is_checked.map_or_else(none, |is_checked| {
                        String::from(if is_checked {
                            "fails"
                        } else {
                            "is not checked"
                        })
                    }),
                )
            }
            Self::Allocation(allocation) => {
                let said = verdict.parameters.map_or_else(none, |parameters| {
                    allocation_name(parameters.allocation).to_owned()
                });
                ("allocation", allocation_name(*allocation), said)
            }
        };
        (asked != certificate).then(|| Difference::new(what, asked, certificate))
    }
}

impl Check {
    const fn name(self) -> &'static str {
        match self {
            Self::Overflow => "signed overflow",
            Self::Pointer => "a pointer outside its object",
            Self::Leak => "leaked memory",
        }
    }

    fn is_made(self, parameters: Parameters, program: &Program) -> bool {
        match self {
            Self::Overflow => parameters.signed_overflow == SignedOverflow::Fails,
            Self::Pointer => parameters.pointer_formation == PointerFormation::InsideObject,
            Self::Leak => Leaks::of(program) == Leaks::Fail,
        }
    }
}

const fn allocation_name(allocation: Allocation) -> &'static str {
    match allocation {
        Allocation::Succeeds => "succeeds",
        Allocation::MayFail => "may-fail",
    }
}

/// What a model says of programs.
fn none() -> String {
    String::from("none: the certificate is about a tree model")
}

fn vacuity(verdict: &Verdict) -> String {
    match verdict.claim {
        // The failure is reached.
        Claim::Unsafe => String::from("excluded"),
        Claim::Safe if verdict.is_vacuity_excluded() => String::from("excluded"),
        Claim::Safe => String::from("not excluded"),
        claim => format!("not told of {}", claim_name(claim)),
    }
}

/// The precondition that is asked for, which is none if nothing is said, where that is another one. It is told apart from the program by the
/// source alone.
pub fn precondition(demands: &[Demand], compared: Option<&Comparison>) -> Option<Difference> {
    let asked = Demand::precondition(demands);
    let certificate = match compared {
        Some(comparison) => comparison.precondition.as_deref().unwrap_or("none"),
        None if asked.is_some() => "not told without --source",
        None => return None,
    };
    let asked = asked.unwrap_or("none");
    (asked != certificate).then(|| Difference::new("precondition", asked, certificate))
}

#[cfg(test)]
mod tests {
    use super::{Check, Demand};

    #[test]
    fn demands_are_named() {
        assert_eq!("checks=leak".parse(), Ok(Demand::Checks(Check::Leak)));
        assert_eq!("entry=f=g".parse(), Ok(Demand::Entry(String::from("f=g"))));
        assert_eq!(
            format!("digest={}", "Ab".repeat(32)).parse(),
            Ok(Demand::Digest("ab".repeat(32)))
        );
        for wrong in [
            "",
            "vacuity",
            "vacuity-excluded=yes",
            "checks",
            "checks=",
            "checks=all",
            "allocation",
            "entry",
            "entry=",
            "digest=ab",
            "precondition=",
        ] {
            assert!(wrong.parse::<Demand>().is_err(), "{wrong}");
        }
    }
}
