//! What an accepted certificate shows.

use alloc::vec::Vec;
use goatherd_certificates::{
    certificate::{Claim, Origin, Parameters},
    program::Location,
};
use goatherd_checker::Budget;
use goatherd_claim_paths::Graph;
use goatherd_frame::Digest;

/// What an accepted certificate shows, and how much was checked for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The claim: it holds of the program, the model or the formula that `subject_digest` names.
    pub claim: Claim,
    /// What it was checked under, if it is about a program. Models and formulas say all of themselves.
    pub parameters: Option<Parameters>,
    /// SHA-256 of the encoding of the program, the model or the formula.
    pub subject_digest: Digest,
    /// SHA-256 of the statement's encoding.
    pub statement_digest: Digest,
    /// Where the certificate says that its subject came from.
    pub origin: Origin,
    /// How much was replayed.
    pub counts: Counts,
    /// Of `Paths`: the graph.
    pub graph: Option<Graph>,
    /// The most memory that was held at once, in bytes.
    pub peak_memory: u64,
    /// The work that was done, in steps.
    pub work: u64,
}

/// How much was replayed, and what the ground runs reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// How many rules were replayed; of an invariant, how many transitions of products were covered; of a formula, how many
    /// clauses were shown.
    pub rules: u64,
    /// How many templates were proved.
    pub templates: u64,
    /// How many instructions the ground runs executed; how many steps a trace has.
    pub steps: u64,
    /// The program's assertions, and whether a ground run reached each.
    pub assertions: Vec<(Location, bool)>,
    /// Has a ground run accessed memory?
    pub memory_accessed: bool,
}

impl Verdict {
    /// About a model or a formula, with the digests of subject and statement. What it was checked under is all in it.
    pub(crate) fn of_no_program(
        claim: Claim,
        (subject_digest, statement_digest): (Digest, Digest),
        origin: &Origin,
        counts: Counts,
        budget: &Budget,
    ) -> Self {
        Self {
            claim,
            parameters: None,
            subject_digest,
            statement_digest,
            origin: origin.clone(),
            counts,
            graph: None,
            peak_memory: budget.peak(),
            work: budget.worked(),
        }
    }

    /// Do the ground runs show that the claim says something: every assertion is reached or, where there is none, memory is accessed?
    pub fn is_vacuity_excluded(&self) -> bool {
        let counts = &self.counts;
        if counts.assertions.is_empty() {
            counts.memory_accessed
        } else {
            counts.assertions.iter().all(|(_, reached)| *reached)
        }
    }
}
