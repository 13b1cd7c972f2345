//! The resulting graph: the red part with its subsumptions as edges, plugged into the black part where it ends (red-black graphs 5.3.6).

use super::{
    build::Builder,
    parameters::{DifferentPaths, Parameters},
    red_part::RedId,
};
use crate::{
    graph::{Graph, Vertex},
    states::StateGraph,
};
use goatherd_logic::meter::Meter;
use goatherd_systems::{
    literal::{Literal, Overflow},
    lts::{Location, Lts, index},
};
use std::collections::{BTreeMap, BTreeSet};

/// What the analysis gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The graph, red vertices and black ones.
    pub states: StateGraph,
    /// Edges from red vertices that lead on to final locations.
    pub red_edges: usize,
    /// Edges from black vertices that do.
    pub black_edges: usize,
    /// Red vertices that are not expanded: what is below them is black.
    pub plugged: usize,
    /// Refinements.
    pub refinements: usize,
}

/// Builds the red-black graph of a transition system from a precondition, and the graph that it stands for.
pub fn analyse(lts: &Lts, precondition: &[Literal], parameters: Parameters) -> Result<Outcome, Overflow> {
    let mut builder = Builder::new(lts, precondition, parameters)?;
    builder.build()?;
    Resulting::of(&builder)
}

/// A vertex of the result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Red(RedId),
    Black(Location),
}

struct Resulting {
    graph: Graph,
    origins: Vec<Origin>,
    numbers: BTreeMap<Origin, Vertex>,
}

impl Resulting {
    fn of(builder: &Builder<'_>) -> Result<Outcome, Overflow> {
        let mut this = Self { graph: Graph::default(), origins: Vec::new(), numbers: BTreeMap::new() };
        let mut literals = Vec::new();
        let mut plugged = BTreeSet::new();
        this.graph.root = Some(this.red_number(builder, 0, &mut plugged));
        while let Some(origin) = this.origins.get(literals.len()).copied() {
            let vertex = literals.len();
            let (location, known, successors) = match origin {
                Origin::Black(location) => {
                    let edges = builder.outgoing[index(location)].iter();
                    let successors = edges.map(|edge| (*edge, Origin::Black(builder.lts.edges[*edge].target)));
                    (location, BTreeSet::new(), successors.collect::<Vec<_>>())
                }
                Origin::Red(red) => {
                    let red_vertex = &builder.red.vertices[red];
                    let known = builder.execution.literals(&builder.red.top(red))?;
                    let successors = red_vertex.successors.iter().flatten().filter(|(_, target)| !builder.red.vertices[**target].is_marked);
                    (red_vertex.location, known, successors.map(|(edge, target)| (*edge, Origin::Red(*target))).collect())
                }
            };
            if builder.lts.finals.contains(&location) {
                this.graph.finals.insert(vertex);
            }
            let mut targets = BTreeMap::new();
            for (edge, target) in successors {
                let target = match target {
                    Origin::Red(red) => this.red_number(builder, red, &mut plugged),
                    Origin::Black(_) => this.intern(target),
                };
                targets.insert(edge, target);
            }
            this.graph.successors.push(targets);
            literals.push(known);
        }
        Ok(this.outcome(builder, literals, plugged.len()))
    }

    fn intern(&mut self, origin: Origin) -> Vertex {
        let next = self.origins.len();
        let vertex = *self.numbers.entry(origin).or_insert(next);
        if vertex == next {
            self.origins.push(origin);
        }
        vertex
    }

    /// The number of the vertex that stands for a red one: its subsumer, itself, or its location in the black part.
    fn red_number(&mut self, builder: &Builder<'_>, red: RedId, plugged: &mut BTreeSet<RedId>) -> Vertex {
        let vertex = &builder.red.vertices[red];
        if let Some(subsumer) = vertex.subsumer {
            return self.intern(Origin::Red(subsumer));
        }
        let is_end = builder.outgoing[index(vertex.location)].is_empty();
        if vertex.successors.is_some() || is_end {
            return self.intern(Origin::Red(red));
        }
        plugged.insert(red);
        self.intern(Origin::Black(vertex.location))
    }

    fn outcome(self, builder: &Builder<'_>, literals: Vec<BTreeSet<Literal>>, plugged: usize) -> Outcome {
        let is_live: Vec<bool> = self.graph.distances().into_iter().map(|distance| distance.is_some()).collect();
        let (mut red_edges, mut black_edges) = (0, 0);
        for (origin, successors) in self.origins.iter().zip(&self.graph.successors) {
            let count = successors.values().filter(|target| is_live[**target]).count();
            match origin {
                Origin::Red(_) => red_edges += count,
                Origin::Black(_) => black_edges += count,
            }
        }
        let map = match builder.parameters.different_paths {
            DifferentPaths::Isomorphic => self.graph.minimised(&Meter::default()).1,
            DifferentPaths::No | DifferentPaths::Forced | DifferentPaths::Natural => {
                (0..is_live.len()).map(|vertex| is_live[vertex].then_some(vertex)).collect()
            }
        };
        let origins = self.origins.iter().enumerate();
        let black = origins.filter(|(_, origin)| matches!(origin, Origin::Black(_))).map(|(vertex, _)| vertex).collect();
        let splits = vec![Vec::new(); literals.len()];
        let safeguards = self.origins.iter().map(|origin| match origin {
            Origin::Red(red) => builder.red.vertices[*red].safeguards.clone(),
            Origin::Black(_) => Vec::new(),
        });
        let safeguards = safeguards.collect();
        let cases = literals.into_iter().map(|known| vec![known]).collect();
        let states = StateGraph { graph: self.graph, cases, splits, map, safeguards, black };
        Outcome { states, red_edges, black_edges, plugged, refinements: builder.refinements }
    }
}
