//! The certified graph, step by step of the transition system (`spec/paths.md#landmarks`).

use crate::graph::{Graph, Vertex};
use goatherd_certificates::{
    certificate::Ends,
    derivation::VertexId,
    program::{Instruction, Location},
};
use goatherd_claim_paths as paths;
use goatherd_systems::{lts::EdgeId, realisation::Realisation};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A certified graph whose vertices are those at landmarks.
#[derive(Clone, Debug, Default)]
pub struct Contracted {
    /// Its edges are those of the transition system.
    pub graph: Graph,
    /// By vertex: the instruction at which the location begins.
    pub locations: Vec<Location>,
}

/// Contracts what a graph has between landmarks. An edge that no landmark ends is left out. Where paths may end anywhere, all vertices are
/// final.
pub fn contract(certified: &paths::Graph, realisation: &Realisation, ends: Ends) -> Contracted {
    let mut outgoing = vec![Vec::new(); certified.vertices.len()];
    for (source, target) in &certified.edges {
        outgoing[source.index()].push(*target);
    }
    let mut contraction = Contraction { certified, realisation, outgoing, numbers: HashMap::new(), contracted: Contracted::default() };
    let Some(root) = certified.root else { return contraction.contracted };
    let entry = contraction.ends(root, None, contraction.is_landmark(root));
    contraction.contracted.graph.root = entry.landmarks.first().map(|(_, vertex)| contraction.number(*vertex));
    let is_end_anywhere = ends == Ends::Anywhere;
    let mut open: Vec<VertexId> = entry.landmarks.into_iter().map(|(_, vertex)| vertex).collect();
    while let Some(vertex) = open.pop() {
        let number = contraction.number(vertex);
        let reached = contraction.ends(vertex, None, false);
        if reached.is_final || is_end_anywhere {
            contraction.contracted.graph.finals.insert(number);
        }
        let mut successors = BTreeMap::new();
        for (edge, target) in reached.landmarks {
            let Some(edge) = edge else { continue };
            if !contraction.numbers.contains_key(&target) {
                open.push(target);
            }
            successors.insert(edge, contraction.number(target));
        }
        contraction.contracted.graph.successors[number] = successors;
    }
    contraction.contracted
}

/// What the paths from a vertex lead to before they pass another landmark.
struct Reached {
    landmarks: Vec<(Option<EdgeId>, VertexId)>,
    is_final: bool,
}

struct Contraction<'a> {
    certified: &'a paths::Graph,
    realisation: &'a Realisation,
    outgoing: Vec<Vec<VertexId>>,
    numbers: HashMap<VertexId, Vertex>,
    contracted: Contracted,
}

impl Contraction<'_> {
    fn location(&self, vertex: VertexId) -> Location {
        self.certified.vertices[vertex.index()]
    }

    fn is_landmark(&self, vertex: VertexId) -> bool {
        self.realisation.landmarks.contains_key(&self.location(vertex))
    }

    fn number(&mut self, vertex: VertexId) -> Vertex {
        let next = self.numbers.len();
        let number = *self.numbers.entry(vertex).or_insert(next);
        if number == next {
            self.contracted.locations.push(self.certified.vertices[vertex.index()]);
            self.contracted.graph.successors.push(BTreeMap::new());
        }
        number
    }

    fn ends(&self, from: VertexId, edge: Option<EdgeId>, is_landmark: bool) -> Reached {
        let mut ends = Reached { landmarks: Vec::new(), is_final: false };
        if is_landmark {
            ends.landmarks.push((edge, from));
            return ends;
        }
        let mut open = vec![(from, edge)];
        let mut seen = BTreeSet::new();
        while let Some((vertex, edge)) = open.pop() {
            let here = self.location(vertex);
            ends.is_final |=
                matches!(self.realisation.program.instructions.get(here.index()), Some(Instruction::Halt | Instruction::Fail { .. }));
            for target in &self.outgoing[vertex.index()] {
                let edge = self.realisation.edges.get(&(here, self.location(*target))).copied().or(edge);
                if self.is_landmark(*target) {
                    ends.landmarks.push((edge, *target));
                } else if seen.insert(*target) {
                    open.push((*target, edge));
                }
            }
        }
        ends
    }
}
