//! Graphs of states: what a strategy gives, and what is certified.

use crate::graph::{Graph, Vertex};
use goatherd_systems::{literal::Literal, lts::EdgeId};
use std::collections::BTreeSet;

/// Literals all of which hold.
pub type Case = BTreeSet<Literal>;

/// A graph with what holds at its vertices, and how they are merged.
#[derive(Clone, Debug)]
pub struct StateGraph {
    /// The graph. An edge of the system that a vertex does not have is marked: what holds there contradicts its guard.
    pub graph: Graph,
    /// By vertex: one of these cases holds at it, however it is reached. At least one.
    pub cases: Vec<Vec<Case>>,
    /// By vertex: literals that tell its cases apart, where no path says which of them holds.
    pub splits: Vec<Vec<Literal>>,
    /// By vertex: which vertex of the certified graph it is; none where no path is to be kept.
    pub map: Vec<Option<Vertex>>,
    /// By vertex: paths from it that are infeasible, and that nothing that is abstracted there may make possible: its safeguard condition. Empty of
    /// a strategy without.
    pub safeguards: Vec<Vec<Vec<EdgeId>>>,
    /// The vertices of the black part, where nothing is known; none of a strategy without one.
    pub black: BTreeSet<Vertex>,
}
