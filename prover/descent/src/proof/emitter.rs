//! What writes a derivation: the plan, and what has been written.

use super::{
    facts::Facts,
    join::Joins,
    needed::Demand,
    plan::{NodeId, Plan, Sharing},
};
use crate::state::template::{Widened, basis::Basis};
use goatherd_certificates::{
    derivation::{Rule, TemplateId},
    program::Location,
    term::LinearId,
};
use goatherd_checker::term::Arena;
use goatherd_logic::Solver;
use std::{collections::BTreeMap, sync::Arc};

/// A template, and what is left to write from it.
pub(crate) struct Source {
    pub(crate) template: Widened,
    /// None where no herd comes there.
    pub(crate) node: Option<NodeId>,
}

/// What becomes of a literal of a template that does not hold where that is to cover a herd.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unproved {
    /// The template does not cover the herd.
    Refused,
    /// It is noted: it matters if the literal is needed.
    Noted,
}

pub(crate) struct Emitter<'a> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) basis: Basis<'a>,
    pub(crate) plan: &'a Plan,
    pub(crate) sharing: Sharing,
    /// Those that the search has found, then those where ways meet.
    pub(crate) templates: Vec<Source>,
    pub(crate) joins: Joins,
    /// Templates that may cover each other's herds.
    pub(crate) alike: BTreeMap<Option<Location>, Vec<usize>>,
    /// The templates that are written, by their numbers, and under which number each is.
    pub(crate) written_templates: Vec<usize>,
    pub(crate) numbers: BTreeMap<usize, TemplateId>,
    pub(crate) written: Vec<Rule>,
    pub(crate) facts: Facts,
    pub(crate) solver: Arc<Solver>,
    /// What is used so that templates cover herds, where just that is asked.
    pub(crate) demand: Option<Demand>,
    pub(crate) unproved: Unproved,
    /// Where two arrays had been found different where the derivation begins.
    pub(crate) kept_indices: Vec<LinearId>,
}
