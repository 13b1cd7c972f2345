//! Derivations without hints, as a search finds them.

use crate::state::template::{Widened, arrival::Arrival, key::Key};
use goatherd_certificates::{
    configuration::TreeId,
    derivation::{MemberId, OutcomeId, Rule, SegmentEnd},
    term::Literal,
};
use std::sync::{Arc, atomic::AtomicU32};

/// A herd that a template covers.
pub struct Leaf {
    /// The template's key.
    pub key: Key,
    /// The herd; what follows from its predicate is not kept: it takes more room than all the rest.
    pub arrival: Arrival,
    /// Which version of the template is known to cover it.
    pub(crate) version: AtomicU32,
}

/// A derivation without hints.
pub struct Derivation {
    /// Rules with one child, in order.
    pub rules: Vec<Rule>,
    /// How it ends.
    pub end: End,
}

/// How a derivation goes on or ends.
pub enum End {
    /// The primary takes a step with several outcomes.
    Step(Vec<OutcomeId>, Vec<Derivation>),
    /// A split.
    Split(Literal, Vec<Derivation>),
    /// A symbol is unfolded at an end.
    Unfold(TreeId, SegmentEnd, Vec<Derivation>),
    /// The predicate has no model.
    Infeasible,
    /// The primary has ended.
    Ended,
    /// A scapegoat has failed.
    Descent(MemberId),
    /// A scapegoat is in the primary's state.
    Twin(MemberId),
    /// A template covers it.
    Subsume(Arc<Leaf>),
}

/// What a search found: derivations from the roots, and from every template that they lead to, in this order.
#[derive(Default)]
pub struct Found {
    /// One per combination of size classes.
    pub roots: Vec<Derivation>,
    /// The templates and their derivations.
    pub templates: Vec<(Key, Widened, Derivation)>,
    /// Has a scapegoat taken a value that it did not choose? Then variables that come later are numbered behind that one.
    pub has_own_values: bool,
}
