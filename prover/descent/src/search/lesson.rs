//! What a failure has taught.

use crate::state::{folding::predicates::Predicates, realisation::Realisation, wanted::Inequality};
use goatherd_certificates::program::Location;

/// What was learnt from a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lesson {
    /// Nothing that could be told apart.
    Nothing,
    /// Predicates, those that were known before among them, from a template at this loop.
    Predicates(Location, Predicates),
    /// Inequalities of the primary's integers at loops, each of which would have excluded the failure, or led to one that does.
    Inequalities(Vec<(Location, Inequality)>),
    /// The trace is feasible without folding: an execution, if one was found.
    Feasible(Option<Realisation>),
}

/// What a search was refined by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refinement {
    /// The loop whose template had merged what was to be told apart.
    pub head: Location,
    /// What was learnt, in words.
    pub learnt: Vec<String>,
}
