//! What comes of a comparison: who agrees with whom.

use super::results::{Claim, Program, Said};
use crate::command::process::told::Told;
use std::path::PathBuf;

/// What Goatherd says of a program.
#[derive(Debug)]
pub struct Own {
    /// What was found.
    pub told: Told,
    /// What the checker has accepted, if it has.
    pub certified: Option<Certified>,
    /// Is there no file of that name?
    pub is_missing: bool,
}

impl Own {
    /// There is a file, and no certificate.
    pub const fn uncertified(told: Told) -> Self {
        Self { told, certified: None, is_missing: false }
    }
}

/// A claim that the checker has accepted.
#[derive(Debug)]
pub struct Certified {
    /// The claim.
    pub claim: Claim,
    /// Where the certificate is.
    pub certificate: PathBuf,
}

/// A program, and what all say of it.
#[derive(Debug)]
pub struct Compared<'a> {
    /// What the tools say.
    pub program: &'a Program,
    /// What Goatherd says.
    pub own: Own,
}

/// How what is said of a program goes together. What comes first matters more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// A certificate says otherwise than a tool.
    Contradiction,
    /// There is no such file, so that nothing is compared.
    Missing,
    /// Tools contradict each other, and no certificate decides.
    Open,
    /// The tools that have a verdict say what a certificate says.
    Agreement,
    /// There is a certificate, and no tool has a verdict.
    Alone,
    /// There is no certificate, and tools have one verdict.
    Unanswered,
    /// Nobody has a verdict.
    Nothing,
}

impl Standing {
    /// All, in the order in which they matter.
    pub const ALL: [Self; 7] =
        [Self::Contradiction, Self::Missing, Self::Open, Self::Agreement, Self::Alone, Self::Unanswered, Self::Nothing];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Contradiction => "contradiction",
            Self::Missing => "missing",
            Self::Open => "open",
            Self::Agreement => "agreement",
            Self::Alone => "alone",
            Self::Unanswered => "unanswered",
            Self::Nothing => "nothing",
        }
    }
}

impl Compared<'_> {
    /// How it goes together.
    pub fn standing(&self) -> Standing {
        if self.own.is_missing {
            return Standing::Missing;
        }
        let claims = || self.program.said.iter().flatten().filter_map(|said| said.claim);
        let first = claims().next();
        match (self.own.certified.as_ref().map(|own| own.claim), first) {
            (Some(own), Some(_)) if claims().any(|claim| claim != own) => Standing::Contradiction,
            (Some(_), Some(_)) => Standing::Agreement,
            (Some(_), None) => Standing::Alone,
            (None, Some(first)) if claims().any(|claim| claim != first) => Standing::Open,
            (None, Some(_)) => Standing::Unanswered,
            (None, None) => Standing::Nothing,
        }
    }
}

/// A tool beside certificates: how many programs there are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Beside {
    /// Its verdict is the one of the certificate.
    pub agrees: usize,
    /// A certificate says otherwise.
    pub contradicted: usize,
    /// It has a verdict, and there is no certificate.
    pub more: usize,
    /// There is a certificate, and it has no verdict.
    pub less: usize,
}

impl Beside {
    /// Of the tool of this number.
    pub fn of(tool: usize, all: &[Compared<'_>]) -> Self {
        let mut beside = Self::default();
        for compared in all {
            let said = compared.program.said.get(tool).and_then(Option::as_ref).and_then(|said: &Said| said.claim);
            match (said, compared.own.certified.as_ref().map(|own| own.claim)) {
                (Some(said), Some(own)) if said == own => beside.agrees += 1,
                (Some(_), Some(_)) => beside.contradicted += 1,
                (Some(_), None) => beside.more += 1,
                (None, Some(_)) => beside.less += 1,
                (None, None) => {}
            }
        }
        beside
    }
}
