//! Deterministic graphs whose edges carry edges of a transition system: trimming, minimising, counting paths.

use goatherd_logic::meter::Meter;
use goatherd_systems::lts::{EdgeId, Lts, index};
use num_bigint::BigUint;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Position in [`Graph::successors`].
pub type Vertex = usize;

/// Of a vertex: its class so far, and the classes to which its edges lead.
type Signature<'a> = (Vertex, &'a [(EdgeId, Vertex)]);

/// A graph with at most one successor per edge of the transition system.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// Where paths start; none where there is no path at all.
    pub root: Option<Vertex>,
    /// Where complete paths end.
    pub finals: BTreeSet<Vertex>,
    /// By vertex.
    pub successors: Vec<BTreeMap<EdgeId, Vertex>>,
}

impl Graph {
    /// The graph of all locations, in which a path is one of edges, feasible or not.
    pub fn of(lts: &Lts) -> Self {
        let outgoing = lts.edges_by_source();
        let successors = outgoing.iter().map(|edges| edges.iter().map(|edge| (*edge, index(lts.edges[*edge].target))).collect());
        let finals = lts.finals.iter().map(|location| index(*location)).filter(|location| *location < outgoing.len());
        Self { root: Some(index(lts.initial)), finals: finals.collect(), successors: successors.collect() }
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.successors.iter().map(BTreeMap::len).sum()
    }

    fn predecessors(&self) -> Vec<Vec<Vertex>> {
        let mut predecessors = vec![Vec::new(); self.successors.len()];
        for (vertex, successors) in self.successors.iter().enumerate() {
            for target in successors.values() {
                predecessors[*target].push(vertex);
            }
        }
        predecessors
    }

    /// By vertex: the length of the shortest path to a final vertex, if there is one.
    pub fn distances(&self) -> Vec<Option<usize>> {
        let predecessors = self.predecessors();
        let mut distances = vec![None; self.successors.len()];
        let mut queue: VecDeque<Vertex> = self.finals.iter().copied().collect();
        self.finals.iter().for_each(|vertex| distances[*vertex] = Some(0));
        while let Some(vertex) = queue.pop_front() {
            let distance = distances[vertex].map(|distance| distance + 1);
            for source in &predecessors[vertex] {
                if distances[*source].is_none() {
                    distances[*source] = distance;
                    queue.push_back(*source);
                }
            }
        }
        distances
    }

    /// How many edges the longest complete path has, 0 if there is none; nothing where there is no longest, because of a loop on the way to an end.
    pub fn longest_path(&self) -> Option<usize> {
        let distances = self.distances();
        let Some(root) = self.root.filter(|root| distances[*root].is_some()) else { return Some(0) };
        let is_kept = |target: &&Vertex| distances[**target].is_some();
        let mut incoming = vec![0usize; self.successors.len()];
        let mut seen = BTreeSet::from([root]);
        let mut open = vec![root];
        while let Some(vertex) = open.pop() {
            for target in self.successors[vertex].values().filter(is_kept) {
                incoming[*target] += 1;
                if seen.insert(*target) {
                    open.push(*target);
                }
            }
        }
        // Vertices whose edges from before have all been followed; those on a loop never are.
        let mut longest = vec![0; self.successors.len()];
        let mut followed = 0;
        open.extend((incoming[root] == 0).then_some(root));
        while let Some(vertex) = open.pop() {
            followed += 1;
            for target in self.successors[vertex].values().filter(is_kept) {
                longest[*target] = longest[*target].max(longest[vertex] + 1);
                incoming[*target] -= 1;
                if incoming[*target] == 0 {
                    open.push(*target);
                }
            }
        }
        (followed == seen.len()).then(|| longest.into_iter().max().unwrap_or(0))
    }

    /// The smallest deterministic graph with the same complete paths, and the vertex of it that stands for each vertex of this one: none for
    /// those that reach no final vertex. Every vertex must be reachable. Partition refinement (red-black graphs 6.2.4); each of its passes is charged
    /// to the meter.
    pub fn minimised(&self, meter: &Meter) -> (Self, Vec<Option<Vertex>>) {
        let is_live: Vec<bool> = self.distances().into_iter().map(|distance| distance.is_some()).collect();
        let mut classes: Vec<Vertex> = (0..self.successors.len()).map(|vertex| usize::from(self.finals.contains(&vertex))).collect();
        let kept: Vec<Vertex> = (0..classes.len()).filter(|vertex| is_live[*vertex]).collect();
        // The edges between vertices that are kept, side by side.
        let mut edges: Vec<(EdgeId, Vertex)> = Vec::with_capacity(self.edge_count());
        let mut ends = Vec::with_capacity(kept.len());
        for vertex in &kept {
            edges.extend(self.successors[*vertex].iter().filter(|(_, target)| is_live[**target]).map(|(edge, target)| (*edge, *target)));
            ends.push(edges.len());
        }
        let mut count = 0;
        loop {
            meter.charge(kept.len() + edges.len());
            // Vertices of one class go to the same classes along the same edges. Classes are numbered in the order of their first vertices.
            let signatures: Vec<(EdgeId, Vertex)> = edges.iter().map(|(edge, target)| (*edge, classes[*target])).collect();
            let mut numbers: FxHashMap<Signature<'_>, Vertex> = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
            let mut refined = vec![0; classes.len()];
            let mut start = 0;
            for (vertex, end) in kept.iter().zip(&ends) {
                let next = numbers.len();
                refined[*vertex] = *numbers.entry((classes[*vertex], &signatures[start..*end])).or_insert(next);
                start = *end;
            }
            let refined_count = numbers.len();
            classes = refined;
            if refined_count == count {
                break;
            }
            count = refined_count;
        }
        let mut graph = Self { successors: vec![BTreeMap::new(); count], ..Self::default() };
        let map: Vec<Option<Vertex>> = classes.iter().zip(&is_live).map(|(class, live)| live.then_some(*class)).collect();
        for (vertex, class) in map.iter().enumerate() {
            let Some(class) = class else { continue };
            let targets = self.successors[vertex].iter().filter_map(|(edge, target)| Some((*edge, map[*target]?)));
            graph.successors[*class].extend(targets);
        }
        graph.root = self.root.and_then(|root| map[root]);
        graph.finals = self.finals.iter().filter_map(|vertex| map[*vertex]).collect();
        (graph, map)
    }

    /// How many complete paths have at most `length` edges, for each of the lengths.
    pub fn count_paths(&self, lengths: &[usize]) -> Vec<BigUint> {
        let mut counts = vec![BigUint::default(); lengths.len()];
        let Some(root) = self.root else { return counts };
        let mut paths = vec![BigUint::default(); self.successors.len()];
        paths[root] += 1u32;
        for length in 0..=lengths.iter().copied().max().unwrap_or(0) {
            let complete: BigUint = self.finals.iter().map(|vertex| &paths[*vertex]).sum();
            for (count, wanted) in counts.iter_mut().zip(lengths) {
                if length <= *wanted {
                    *count += &complete;
                }
            }
            let mut longer = vec![BigUint::default(); paths.len()];
            for (count, successors) in paths.iter().zip(&self.successors).filter(|(count, _)| **count != BigUint::ZERO) {
                for target in successors.values() {
                    longer[*target] += count;
                }
            }
            paths = longer;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use goatherd_logic::meter::Meter;
    use std::collections::BTreeMap;

    fn graph(finals: &[usize], edges: &[(usize, usize, usize)]) -> Graph {
        let count = edges.iter().map(|(source, _, target)| source.max(target) + 1).max().unwrap_or(1);
        let mut graph = Graph { root: Some(0), finals: finals.iter().copied().collect(), successors: vec![BTreeMap::new(); count] };
        for (source, edge, target) in edges {
            graph.successors[*source].insert(*edge, *target);
        }
        graph
    }

    #[test]
    fn merges_what_has_the_same_paths() {
        let (small, map) = graph(&[3], &[(0, 0, 1), (0, 1, 2), (1, 2, 3), (2, 2, 3), (0, 3, 4)]).minimised(&Meter::default());
        assert_eq!(small.successors.len(), 3);
        assert_eq!(map[1], map[2]);
        assert_eq!(map[4], None);
    }

    #[test]
    fn longest_paths() {
        assert_eq!(graph(&[3], &[(0, 0, 1), (1, 0, 2), (0, 1, 3), (2, 0, 3)]).longest_path(), Some(3));
        // A loop counts if it is on the way from the root to an end.
        assert_eq!(graph(&[1], &[(0, 0, 1), (0, 1, 2), (2, 0, 2), (3, 0, 3), (3, 1, 1)]).longest_path(), Some(1));
        assert_eq!(graph(&[1], &[(0, 0, 2), (2, 0, 2), (2, 1, 1)]).longest_path(), None);
        assert_eq!(graph(&[0], &[(0, 0, 0)]).longest_path(), None);
        assert_eq!(graph(&[], &[(0, 0, 0)]).longest_path(), Some(0));
    }

    #[test]
    fn counts_paths() {
        let counts = graph(&[1], &[(0, 0, 0), (0, 1, 1)]).count_paths(&[0, 1, 5]);
        assert_eq!(counts, [0u32.into(), 1u32.into(), 5u32.into()]);
    }
}
