//! A graph of states without one infeasible beginning of a path, which gets vertices of its own (`spec/paths.md#exact`).

use crate::{
    graph::{Graph, Vertex},
    states::{Case, StateGraph},
};
use goatherd_logic::meter::Meter;
use goatherd_systems::lts::EdgeId;
use std::collections::{BTreeMap, VecDeque, btree_map::Entry};

/// The same paths, but for those that begin so; none where no path of the graph does. Along the beginning nothing is said of vertices, so that
/// the derivation there goes on from what came before, instead of from a template.
pub fn without(states: &StateGraph, beginning: &[EdgeId]) -> Option<StateGraph> {
    let (last, before) = beginning.split_last()?;
    let mut result = states.clone();
    let mut vertex = states.graph.root?;
    let mut copy = result.copy(vertex);
    result.graph.root = Some(copy);
    for edge in before {
        vertex = *states.graph.successors[vertex].get(edge)?;
        let next = result.copy(vertex);
        result.graph.successors[copy].insert(*edge, next);
        copy = next;
    }
    result.graph.successors[copy].remove(last)?;
    Some(result.reachable())
}

impl StateGraph {
    /// A vertex with the same edges, of which nothing is said; its number.
    fn copy(&mut self, vertex: Vertex) -> Vertex {
        let copy = self.graph.successors.len();
        self.graph.successors.push(self.graph.successors[vertex].clone());
        if self.graph.finals.contains(&vertex) {
            self.graph.finals.insert(copy);
        }
        if self.black.contains(&vertex) {
            self.black.insert(copy);
        }
        self.cases.push(vec![Case::new()]);
        self.splits.push(Vec::new());
        self.safeguards.push(Vec::new());
        copy
    }

    /// Without the vertices that no edges lead to any more; merged anew.
    fn reachable(self) -> Self {
        let mut numbers: BTreeMap<Vertex, Vertex> = BTreeMap::new();
        let mut kept = Vec::new();
        let mut open: VecDeque<Vertex> = self.graph.root.into_iter().collect();
        while let Some(vertex) = open.pop_front() {
            if let Entry::Vacant(vacant) = numbers.entry(vertex) {
                vacant.insert(kept.len());
                kept.push(vertex);
                open.extend(self.graph.successors[vertex].values());
            }
        }
        let renumbered = |edges: &BTreeMap<EdgeId, Vertex>| edges.iter().map(|(edge, target)| (*edge, numbers[target])).collect();
        let number = |vertex: &Vertex| numbers.get(vertex).copied();
        let graph = Graph {
            root: self.graph.root.as_ref().and_then(number),
            finals: self.graph.finals.iter().filter_map(number).collect(),
            successors: kept.iter().map(|vertex| renumbered(&self.graph.successors[*vertex])).collect(),
        };
        Self {
            map: graph.minimised(&Meter::default()).1,
            graph,
            cases: kept.iter().map(|vertex| self.cases[*vertex].clone()).collect(),
            splits: kept.iter().map(|vertex| self.splits[*vertex].clone()).collect(),
            safeguards: kept.iter().map(|vertex| self.safeguards[*vertex].clone()).collect(),
            black: self.black.iter().filter_map(number).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without;
    use crate::{
        graph::Graph,
        states::{Case, StateGraph},
    };
    use goatherd_logic::meter::Meter;
    use std::collections::{BTreeMap, BTreeSet};

    /// A loop at 0 with two edges, and an edge to the end.
    fn looping() -> StateGraph {
        let successors = vec![BTreeMap::from([(0, 0), (1, 0), (2, 1)]), BTreeMap::new()];
        let graph = Graph { root: Some(0), finals: [1].into(), successors };
        let map = graph.minimised(&Meter::default()).1;
        StateGraph {
            graph,
            cases: vec![vec![Case::new()]; 2],
            splits: vec![Vec::new(); 2],
            map,
            safeguards: vec![Vec::new(); 2],
            black: BTreeSet::new(),
        }
    }

    #[test]
    fn only_what_begins_so_is_gone() {
        let states = without(&looping(), &[0, 1]).unwrap();
        // Of 1, 2, 4, 8 paths: those of three and four steps that begin so.
        assert_eq!(states.graph.count_paths(&[1, 2, 3, 4]), [1u32, 3, 6, 12].map(Into::into));
        assert!(without(&states, &[0, 1]).is_none() && without(&states, &[0, 1, 2]).is_none());
        let both = without(&states, &[2]).unwrap();
        assert_eq!(both.graph.count_paths(&[1, 2]), [0u32, 2].map(Into::into));
        // What no edges lead to is gone, and every vertex has what is said of it.
        assert_eq!(both.graph.successors.len(), 4);
        assert_eq!((both.cases.len(), both.splits.len(), both.map.len(), both.safeguards.len()), (4, 4, 4, 4));
        assert!(without(&looping(), &[]).is_none());
    }
}
