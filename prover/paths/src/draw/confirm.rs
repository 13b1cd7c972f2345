//! Is a certified graph exact? Only where inputs drive every complete path up to a length (`spec/paths.md#exact`).
//!
//! That a search finds no infeasible path says nothing: what it does not understand, it takes for feasible.

use super::{
    certified::Certified,
    driver::Driver,
    realise::{Realised, Reason},
};
use crate::graph::{Graph, Vertex};
use goatherd_systems::lts::EdgeId;
use num_bigint::BigUint;
use std::ops::ControlFlow;

/// How far paths are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Those of at most so many steps.
    pub length: usize,
    /// So many at most: lengths up to which there are more are left out.
    pub paths: usize,
}

/// What became of the paths that were tried.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Confirmation {
    /// All complete paths of at most so many steps were tried; none if not even those of length 0 were.
    pub length: Option<usize>,
    /// Has the graph complete paths that are longer?
    pub has_longer: bool,
    /// Inputs drive so many.
    pub driven: usize,
    /// So many are infeasible, according to the solver.
    pub infeasible: usize,
    /// Of so many neither is known.
    pub unknown: usize,
}

impl Confirmation {
    /// How many paths were tried.
    pub fn tried(&self) -> usize {
        self.driven + self.infeasible + self.unknown
    }

    /// Do inputs drive every complete path of at most so many steps?
    pub fn is_exact(&self, length: usize) -> bool {
        let is_far = self.length.is_some_and(|tried| tried >= length || !self.has_longer);
        is_far && self.driven == self.tried()
    }

    fn count(&mut self, realised: &Realised) {
        match realised {
            Realised::Feasible(_) => self.driven += 1,
            Realised::Infeasible => self.infeasible += 1,
            Realised::Unknown(_) => self.unknown += 1,
        }
    }
}

/// Tries the complete paths of a graph that the checker has derived, shortest first, as long as the driver has time; `visit` sees each, and may
/// end it.
pub fn confirm(
    certified: &Certified,
    bounds: Bounds,
    driver: &Driver<'_>,
    mut visit: impl FnMut(&[EdgeId], &Realised) -> ControlFlow<()>,
) -> Confirmation {
    let graph = &certified.graph;
    let ends = Ends::new(graph, bounds);
    let longest = graph.longest_path();
    let is_longer = |length: Option<usize>| longest.is_none_or(|longest| length.is_none_or(|length| longest > length));
    let mut confirmation = Confirmation::default();
    for length in 0..ends.levels.len() {
        let ended = ends.each(graph, length, &mut |path| {
            let realised = driver.realise(&certified.instructions(path));
            if realised == Realised::Unknown(Reason::Time) {
                return ControlFlow::Break(());
            }
            confirmation.count(&realised);
            visit(path, &realised)
        });
        if ended.is_break() {
            break;
        }
        confirmation.length = Some(length);
    }
    confirmation.has_longer = graph.root.is_some() && is_longer(confirmation.length);
    confirmation
}

/// From where complete paths of exactly so many steps lead.
struct Ends {
    /// By number of steps, by vertex.
    levels: Vec<Vec<bool>>,
}

impl Ends {
    /// Up to the greatest length that keeps the bounds.
    fn new(graph: &Graph, bounds: Bounds) -> Self {
        let longest = graph.longest_path().map_or(bounds.length, |longest| longest.min(bounds.length));
        let mut level: Vec<bool> = (0..graph.successors.len()).map(|vertex| graph.finals.contains(&vertex)).collect();
        let mut counts: Vec<BigUint> = level.iter().map(|is_end| BigUint::from(u32::from(*is_end))).collect();
        let (most, mut sum) = (BigUint::from(bounds.paths), BigUint::ZERO);
        let mut levels = Vec::new();
        for _ in 0..=longest {
            sum += graph.root.map(|root| counts[root].clone()).unwrap_or_default();
            if sum > most {
                break;
            }
            let targets = |vertex: usize| graph.successors[vertex].values();
            let next = (0..level.len()).map(|vertex| targets(vertex).any(|target| level[*target])).collect();
            counts = (0..level.len()).map(|vertex| targets(vertex).map(|target| &counts[*target]).sum()).collect();
            levels.push(std::mem::replace(&mut level, next));
        }
        Self { levels }
    }

    /// Each complete path of exactly so many steps, in the order of edges.
    fn each(&self, graph: &Graph, length: usize, visit: &mut impl FnMut(&[EdgeId]) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some(root) = graph.root.filter(|root| self.levels[length][*root]) else { return ControlFlow::Continue(()) };
        let mut path: Vec<EdgeId> = Vec::new();
        let ways = |vertex: Vertex, depth: usize| {
            let left = length - depth;
            let edges = if left == 0 { None } else { Some(graph.successors[vertex].iter()) };
            edges.into_iter().flatten().filter(move |(_, target)| self.levels[left - 1][**target])
        };
        let mut open = vec![ways(root, 0)];
        if length == 0 {
            return visit(&path);
        }
        while let Some(last) = open.last_mut() {
            let Some((edge, target)) = last.next() else {
                open.pop();
                path.pop();
                continue;
            };
            path.push(*edge);
            if path.len() == length {
                visit(&path)?;
                path.pop();
            } else {
                open.push(ways(*target, path.len()));
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Confirmation, Ends};
    use crate::graph::Graph;
    use std::{collections::BTreeMap, ops::ControlFlow};

    /// A loop at 0 with two edges, and an edge to the end.
    fn looping() -> Graph {
        let successors = vec![BTreeMap::from([(0, 0), (1, 0), (2, 1)]), BTreeMap::new()];
        Graph { root: Some(0), finals: [1].into(), successors }
    }

    fn all(graph: &Graph, bounds: Bounds) -> Vec<Vec<usize>> {
        let ends = Ends::new(graph, bounds);
        let mut paths = Vec::new();
        for length in 0..ends.levels.len() {
            let ended = ends.each(graph, length, &mut |path| {
                paths.push(path.to_vec());
                ControlFlow::Continue(())
            });
            assert!(ended.is_continue());
        }
        paths
    }

    #[test]
    fn paths_come_by_their_length_and_lengths_are_whole() {
        let three = all(&looping(), Bounds { length: 3, paths: 100 });
        let expected: [&[usize]; 7] = [&[2], &[0, 2], &[1, 2], &[0, 0, 2], &[0, 1, 2], &[1, 0, 2], &[1, 1, 2]];
        assert_eq!(three, expected);
        // Of three steps there are more paths than are wanted.
        assert_eq!(all(&looping(), Bounds { length: 30, paths: 6 }), expected[..3]);
        assert_eq!(all(&looping(), Bounds { length: 30, paths: 0 }), [[0usize; 0]; 0]);
    }

    #[test]
    fn a_path_without_steps() {
        let graph = Graph { root: Some(0), finals: [0].into(), successors: vec![BTreeMap::new()] };
        assert_eq!(all(&graph, Bounds { length: 5, paths: 5 }), [[0usize; 0]]);
    }

    #[test]
    fn exact_is_said_of_lengths_that_were_tried() {
        let tried = Confirmation { length: Some(4), has_longer: true, driven: 3, ..Confirmation::default() };
        assert!(tried.is_exact(4) && !tried.is_exact(5));
        assert!(Confirmation { has_longer: false, ..tried.clone() }.is_exact(5));
        assert!(!Confirmation { infeasible: 1, ..tried.clone() }.is_exact(4));
        assert!(!Confirmation { unknown: 1, ..tried.clone() }.is_exact(4));
        assert!(!Confirmation { length: None, ..tried }.is_exact(0));
    }
}
