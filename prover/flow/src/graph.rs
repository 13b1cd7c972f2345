//! Control flow as a graph of petgraph, and the edges along which a depth-first walk comes back.

use crate::instruction::successors;
use goatherd_certificates::program::{Location, Program};
use petgraph::{
    Direction,
    graph::{DiGraph, NodeIndex},
    visit::{DfsPostOrder, EdgeRef},
};
use std::collections::BTreeSet;

/// The instructions of a program, and where each goes on to.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    graph: DiGraph<(), ()>,
    finished: Vec<Option<usize>>,
}

impl ControlFlow {
    /// Of a program.
    pub fn new(program: &Program) -> Self {
        let successors = program.instructions.iter().zip(0..).map(|(_, from)| {
            let next = successors(program, Location(from));
            next.into_iter().map(Location::index).collect()
        });
        let graph = graph(&successors.collect::<Vec<Vec<usize>>>());
        let finished = finished(&graph, 0);
        Self { graph, finished }
    }

    /// The instructions that may come before this one, of those that the entry leads to.
    pub fn predecessors(&self, location: Location) -> impl Iterator<Item = Location> {
        let before = self.graph.neighbors_directed(NodeIndex::new(location.index()), Direction::Incoming);
        before.filter(|from| self.finished[from.index()].is_some()).map(|from| location_of(from.index()))
    }

    /// The edges of a depth-first walk from the entry that lead back to where it is on the way: loops are closed by them.
    pub fn retreating(&self) -> Vec<(Location, Location)> {
        retreating(&self.graph, &self.finished).map(|(from, to)| (location_of(from), location_of(to))).collect()
    }
}

/// The nodes to which a depth-first walk from the root comes back while it is on the way from them. By node its successors, in the order in
/// which they are walked.
pub fn loop_heads(root: usize, successors: &[Vec<usize>]) -> BTreeSet<usize> {
    let graph = graph(successors);
    retreating(&graph, &finished(&graph, root)).map(|(_, head)| head).collect()
}

fn graph(successors: &[Vec<usize>]) -> DiGraph<(), ()> {
    let mut graph = DiGraph::default();
    for _ in successors {
        graph.add_node(());
    }
    let edges = successors.iter().enumerate().flat_map(|(from, next)| next.iter().map(move |to| (from, *to)));
    graph.extend_with_edges(edges.map(|(from, to)| (NodeIndex::new(from), NodeIndex::new(to))));
    graph
}

/// When a depth-first walk from the root is done with each node; none where it does not come. The first successors are walked first: petgraph
/// lists the edges of a node from the last on, and walks those that it has listed from the last on.
fn finished(graph: &DiGraph<(), ()>, root: usize) -> Vec<Option<usize>> {
    let mut finished = vec![None; graph.node_count()];
    if root < finished.len() {
        let mut walk = DfsPostOrder::new(graph, NodeIndex::new(root));
        for number in 0.. {
            let Some(node) = walk.next(graph) else { break };
            finished[node.index()] = Some(number);
        }
    }
    finished
}

/// An edge leads back where the walk is done with its target no sooner than with its source.
fn retreating(graph: &DiGraph<(), ()>, finished: &[Option<usize>]) -> impl Iterator<Item = (usize, usize)> {
    let edges = graph.edge_references().map(|edge| (edge.source().index(), edge.target().index()));
    edges.filter(|(from, to)| finished[*from].is_some() && finished[*to] >= finished[*from])
}

fn location_of(number: usize) -> Location {
    Location(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::loop_heads;
    use std::collections::BTreeSet;

    fn heads(successors: &[&[usize]]) -> BTreeSet<usize> {
        loop_heads(0, &successors.iter().map(|next| next.to_vec()).collect::<Vec<_>>())
    }

    #[test]
    fn loops_are_closed_by_edges_that_lead_back() {
        assert_eq!(heads(&[&[1], &[2, 3], &[1], &[3]]), BTreeSet::from([1, 3]));
        assert_eq!(heads(&[&[1, 2], &[3], &[3], &[]]), BTreeSet::new(), "two ways to one place are no loop");
        assert_eq!(heads(&[&[1], &[], &[2]]), BTreeSet::new(), "nothing leads to the loop");
        assert_eq!(heads(&[]), BTreeSet::new());
    }

    #[test]
    fn the_head_of_a_loop_with_two_entries_is_the_one_that_is_walked_first() {
        assert_eq!(heads(&[&[1, 2], &[2], &[1]]), BTreeSet::from([1]));
        assert_eq!(heads(&[&[2, 1], &[2], &[1]]), BTreeSet::from([2]));
    }
}
