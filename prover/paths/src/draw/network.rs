//! A graph as paths are drawn from it: vertices and edges by dense numbers, the edges of a vertex side by side.

use crate::graph::{Graph, Vertex};
use goatherd_systems::lts::EdgeId;
use std::collections::VecDeque;

/// Position in [`Network::edges`].
pub type Number = u32;

/// An edge of a [`Network`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkEdge {
    /// What the edge is called in the graph from which the network was made.
    pub label: u32,
    /// Where it begins.
    pub source: u32,
    /// Where it leads.
    pub target: u32,
}

/// A graph with one root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// Where paths start.
    pub root: u32,
    /// By vertex: does a complete path end here?
    pub finals: Vec<bool>,
    /// By source.
    pub edges: Vec<NetworkEdge>,
    /// By vertex: its first edge; and one more, where the last vertex's end.
    first: Vec<u32>,
    /// By edge: where it leads. Counting reads nothing else of edges.
    targets: Vec<u32>,
}

fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// A number of a vertex or an edge as a position.
pub fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl Network {
    /// The vertices and edges of the graph that lie on a complete path of at most `length` edges, labelled with their numbers there; and the
    /// vertex of the graph behind each vertex. None where there is no such path.
    pub fn new(graph: &Graph, length: usize) -> Option<(Self, Vec<Vertex>)> {
        let after = graph.distances();
        let before = distances_from_root(graph);
        let is_short = |before: Option<usize>, after: Option<usize>, between: usize| {
            before.zip(after).is_some_and(|(before, after)| before.saturating_add(after).saturating_add(between) <= length)
        };
        let kept: Vec<Vertex> = (0..graph.successors.len()).filter(|vertex| is_short(before[*vertex], after[*vertex], 0)).collect();
        let mut numbers = vec![None; graph.successors.len()];
        for (position, vertex) in kept.iter().enumerate() {
            numbers[*vertex] = Some(number(position));
        }
        let root = numbers[graph.root?]?;
        let finals = kept.iter().map(|vertex| graph.finals.contains(vertex)).collect();
        let edges = kept.iter().zip(0..).flat_map(|(vertex, source)| {
            let ways = graph.successors[*vertex].iter().filter(|(_, target)| is_short(before[*vertex], after[**target], 1));
            ways.filter_map(|(edge, target)| Some(NetworkEdge { label: number(*edge), source, target: numbers[*target]? }))
                .collect::<Vec<_>>()
        });
        Some((Self::of_edges(root, finals, edges.collect()), kept))
    }

    /// A network of these edges, ascending by source.
    pub(super) fn of_edges(root: u32, finals: Vec<bool>, edges: Vec<NetworkEdge>) -> Self {
        let mut first = vec![0; finals.len() + 1];
        for edge in &edges {
            first[index(edge.source) + 1] += 1;
        }
        for vertex in 1..first.len() {
            first[vertex] += first[vertex - 1];
        }
        let targets = edges.iter().map(|edge| edge.target).collect();
        Self { root, finals, edges, first, targets }
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.finals.len()
    }

    /// The edges that begin at the vertex, and the number of the first of them.
    pub fn outgoing(&self, vertex: u32) -> (Number, &[NetworkEdge]) {
        let (first, end) = (self.first[index(vertex)], self.first[index(vertex) + 1]);
        (first, &self.edges[index(first)..index(end)])
    }

    /// Where the edges of the vertex lead, one after the other.
    pub fn targets(&self, vertex: u32) -> &[u32] {
        &self.targets[index(self.first[index(vertex)])..index(self.first[index(vertex) + 1])]
    }

    /// The most edges that one vertex has.
    pub fn greatest_degree(&self) -> usize {
        self.first.windows(2).map(|ends| index(ends[1] - ends[0])).max().unwrap_or(0)
    }

    /// The edges of the graph behind edges of the network.
    pub fn labels(&self, path: &[Number]) -> Vec<EdgeId> {
        path.iter().map(|edge| index(self.edges[index(*edge)].label)).collect()
    }
}

fn distances_from_root(graph: &Graph) -> Vec<Option<usize>> {
    let mut distances = vec![None; graph.successors.len()];
    let mut queue = VecDeque::new();
    if let Some(root) = graph.root {
        distances[root] = Some(0);
        queue.push_back(root);
    }
    while let Some(vertex) = queue.pop_front() {
        let distance = distances[vertex].map(|distance: usize| distance + 1);
        for target in graph.successors[vertex].values() {
            if distances[*target].is_none() {
                distances[*target] = distance;
                queue.push_back(*target);
            }
        }
    }
    distances
}
