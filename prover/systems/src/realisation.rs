//! Programs that stand for transition systems: which instructions are which locations and edges.

use crate::{
    literal::Variable,
    lts::{EdgeId, Location as LtsLocation, Lts, index},
    text::{edge_lines, final_line},
};
use goatherd_certificates::{
    certificate::Position,
    program::{Location, ObjectId, Program, RegisterId},
};
use std::collections::BTreeMap;

/// An element that a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Element {
    /// The one that the register points to.
    Pointed(RegisterId),
    /// The one with this index.
    Indexed(ObjectId, i128),
}

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

    /// Where its instructions stand in the text of the system: at the edge that an instruction is part of, for a location at the first edge from
    /// there, and for those without at the final locations.
    pub fn positions(&self, text: &str, lts: &Lts) -> Vec<Position> {
        let lines: Vec<u32> = edge_lines(text).collect();
        let last = final_line(text);
        let outgoing = lts.edges_by_source();
        let of_instruction = |location: Location| {
            let of_step = self.edges.range((location, Location(0))..=(location, Location(u32::MAX))).next().map(|(_, edge)| *edge);
            let first = || outgoing.get(index(*self.landmarks.get(&location)?))?.first().copied();
            let line = first().or(of_step).and_then(|edge| lines.get(edge).copied()).or(last).unwrap_or(1);
            Position { file: 0, line, column: 1 }
        };
        (0..).map(Location).take(self.program.instructions.len()).map(of_instruction).collect()
    }
}
