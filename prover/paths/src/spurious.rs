//! Spurious paths: those of a graph that symbolic execution refutes, shortest first (`spec/paths.md#spurious`).

use crate::{
    graph::{Graph, Vertex},
    symbolic::{ConfigurationId, Explorer, PartId},
};
use goatherd_systems::{literal::Variable, lts::EdgeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};

/// How far the search goes.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Configurations that are followed from each vertex; four times as many where they differ on variables of the precision.
    pub width: usize,
    /// Configurations in all.
    pub configurations: usize,
    /// Spurious paths of the least length that are returned.
    pub paths: usize,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Prefixes of complete paths of the graph, whose last edge symbolic execution refutes.
    pub paths: Vec<Vec<EdgeId>>,
    /// How long the shortest complete path through each of them is.
    pub length: usize,
    /// Has everything been looked at?
    pub is_exhaustive: bool,
}

/// What is to be followed: the length of the shortest complete path, an ordinal, the vertex, the configuration there, the trace so far.
type Entry = (usize, usize, Vertex, Option<ConfigurationId>, Option<usize>);

/// A node of the tree of explored prefixes.
#[derive(Clone, Copy)]
struct Trace {
    edge: EdgeId,
    before: Option<usize>,
    length: usize,
}

/// Best first by the length of the shortest complete path that goes on from here; `known` paths are passed over.
pub fn spurious_paths(
    graph: &Graph,
    explorer: &mut Explorer<'_>,
    relevant: &BTreeSet<Variable>,
    known: &BTreeSet<Vec<EdgeId>>,
    effort: Effort,
) -> Found {
    let distances = graph.distances();
    let mut found = Found { is_exhaustive: true, ..Found::default() };
    let Some((root, distance)) = graph.root.and_then(|root| Some((root, distances[root]?))) else { return found };
    let mut traces: Vec<Trace> = Vec::new();
    let mut queue: BinaryHeap<Reverse<Entry>> = BinaryHeap::new();
    queue.push(Reverse((distance, 0, root, Some(0), None)));
    let mut ordinal = 0;
    let mut crowd = Crowd::new(effort.width);
    while let Some(Reverse((length, _, vertex, configuration, trace))) = queue.pop() {
        let is_enough = !found.paths.is_empty() && (length > found.length || found.paths.len() >= effort.paths);
        if is_enough || ordinal >= effort.configurations || explorer.meter.is_exhausted() {
            found.is_exhaustive = false;
            break;
        }
        let Some(configuration) = configuration else {
            let path = path_to(&traces, trace);
            if !known.contains(&path) {
                found.paths.push(path);
                found.length = length;
            }
            continue;
        };
        match crowd.admits(vertex, configuration, explorer, relevant) {
            Admission::Seen => continue,
            Admission::Crowded => {
                found.is_exhaustive = false;
                continue;
            }
            Admission::Admitted => {}
        }
        let depth = trace.map_or(0, |trace| traces[trace].length) + 1;
        for (edge, target) in &graph.successors[vertex] {
            let Some(distance) = distances[*target] else { continue };
            ordinal += 1;
            traces.push(Trace { edge: *edge, before: trace, length: depth });
            let after = explorer.step(configuration, *edge);
            queue.push(Reverse((depth + distance, ordinal, *target, after, Some(traces.len() - 1))));
        }
    }
    found
}

fn path_to(traces: &[Trace], last: Option<usize>) -> Vec<EdgeId> {
    let mut path: Vec<EdgeId> = std::iter::successors(last, |trace| traces[*trace].before).map(|trace| traces[trace].edge).collect();
    path.reverse();
    path
}

/// Which configurations have been followed from each vertex.
struct Crowd {
    width: usize,
    seen: FxHashSet<(Vertex, ConfigurationId)>,
    counts: FxHashMap<Vertex, usize>,
    /// By the part that the precision speaks about.
    parts: FxHashSet<(Vertex, PartId)>,
}

enum Admission {
    Admitted,
    Seen,
    Crowded,
}

impl Crowd {
    fn new(width: usize) -> Self {
        Self { width, seen: FxHashSet::default(), counts: FxHashMap::default(), parts: FxHashSet::default() }
    }

    fn admits(&mut self, vertex: Vertex, id: ConfigurationId, explorer: &mut Explorer<'_>, relevant: &BTreeSet<Variable>) -> Admission {
        if !self.seen.insert((vertex, id)) {
            return Admission::Seen;
        }
        let configuration = explorer.get(id);
        let part = (relevant.len() < configuration.store.len()).then(|| (vertex, explorer.part(id, relevant)));
        let count = self.counts.entry(vertex).or_default();
        if *count >= self.width {
            let is_new = part.as_ref().is_none_or(|part| !self.parts.contains(part));
            if !configuration.facts.general().is_empty() || !is_new || *count >= 4 * self.width {
                return Admission::Crowded;
            }
        }
        self.parts.extend(part);
        *count += 1;
        Admission::Admitted
    }
}
