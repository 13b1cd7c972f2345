//! The complete paths through one vertex or edge, as those of a graph of two layers: before and after it was passed.

use super::network::{Network, NetworkEdge, Number, index};

/// What a path may pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Element {
    /// A vertex of the network.
    Vertex(u32),
    /// An edge of the network.
    Edge(Number),
}

/// The paths of a network that pass an element.
#[derive(Clone, Debug)]
pub struct Through {
    /// Its complete paths are those of the network that pass the element; its labels are the network's edges.
    pub network: Network,
}

impl Through {
    /// Of this element.
    pub fn new(network: &Network, element: Element) -> Self {
        let count = u32::try_from(network.vertex_count()).unwrap_or(u32::MAX);
        let passes = |vertex: u32| element == Element::Vertex(vertex);
        let root = if passes(network.root) { network.root + count } else { network.root };
        let edges = |layer: u32| {
            (0..).zip(&network.edges).map(move |(number, edge)| {
                let is_passed = layer == count || passes(edge.target) || element == Element::Edge(number);
                let target = edge.target + if is_passed { count } else { 0 };
                NetworkEdge { label: number, source: edge.source + layer, target }
            })
        };
        let edges = edges(0).chain(edges(count)).collect();
        let finals = vec![false; network.vertex_count()].into_iter().chain(network.finals.iter().copied()).collect();
        Self { network: Network::of_edges(root, finals, edges) }
    }

    /// Without the paths that pass this one too.
    #[must_use]
    pub fn without(&self, element: Element) -> Self {
        let count = u32::try_from(self.network.vertex_count() / 2).unwrap_or(u32::MAX);
        let is_element = |vertex: u32| element == Element::Vertex(vertex % count.max(1));
        let is_kept = |edge: &&NetworkEdge| !is_element(edge.target) && element != Element::Edge(edge.label);
        let edges = self.network.edges.iter().filter(is_kept).copied().collect();
        let mut finals = self.network.finals.clone();
        if is_element(self.network.root) {
            finals.fill(false);
        }
        Self { network: Network::of_edges(self.network.root, finals, edges) }
    }

    /// The edges of the original network on a path.
    pub fn path(&self, path: &[Number]) -> Vec<Number> {
        path.iter().map(|edge| self.network.edges[index(*edge)].label).collect()
    }
}
