//! Programs that stand for transition systems: which instructions are which locations and edges.

use crate::{
    graph::EdgeId,
    lts::{Location as LtsLocation, Lts},
    memory::Element,
};
use goatherd_certificates::program::{Location, Program};
use goatherd_logic::paths::literal::Variable;
use std::collections::BTreeMap;

/// A program that stands for a transition system.
#[derive(Clone, Debug)]
pub struct Realisation {
    /// The program.
    pub program: Program,
    /// The instructions at which a location of the system begins.
    pub landmarks: BTreeMap<Location, LtsLocation>,
    /// From an instruction to the next: the edge of the system that such a step is part of. Others are part of every edge.
    pub edges: BTreeMap<(Location, Location), EdgeId>,
    /// The variables of the system that are no registers: which elements of memory they stand for.
    pub elements: BTreeMap<Variable, Element>,
}

impl Realisation {
    /// A program whose own transition system this is.
    pub fn of_program(program: Program, lts: &Lts, elements: BTreeMap<Variable, Element>) -> Self {
        let landmarks = (0..).zip(&program.instructions).map(|(location, _)| (Location(location), location)).collect();
        let edges = lts.edges.iter().enumerate().map(|(id, edge)| ((Location(edge.source), Location(edge.target)), id)).collect();
        Self { program, landmarks, edges, elements }
    }
}
