//! Paths that the solver refutes are excluded from a graph, as far as the kernel follows (`spec/paths.md#exact`).

use super::{
    Accepted,
    paths::{About, certify, statement},
};
use goatherd_certificates::program::Location;
use goatherd_paths::{
    draw::{
        certified::Certified,
        confirm::{Bounds, confirm},
        driver::Driver,
        network::Network,
        realise::Realised,
        uniform::Uniform,
    },
    states::StateGraph,
    unroll::without,
};
use goatherd_systems::{lts::EdgeId, realisation::Realisation};
use std::{collections::BTreeSet, ops::ControlFlow};

/// So many beginnings of paths are excluded at most: each has vertices of its own.
const EXCLUDED: usize = 500;

/// Which paths are tried.
#[derive(Clone, Copy, Debug)]
pub enum TriedPaths {
    /// All that are short enough.
    Every(Bounds),
    /// Some that are drawn uniformly; from what is left again, after some were excluded.
    Drawn {
        /// They have at most so many steps.
        length: usize,
        /// So many.
        count: u64,
        /// Where the random numbers begin.
        seed: u64,
    },
}

/// How paths are tried, of what is analysed.
pub struct PathRefinement<'a> {
    /// The program.
    pub realisation: &'a Realisation,
    /// What its certificate is about.
    pub about: &'a About,
    /// The graph of the system itself, of whose states nothing is said.
    pub plain: &'a StateGraph,
    /// Who tries paths, as long as there is time.
    pub driver: &'a Driver<'a>,
    /// Which ones.
    pub tried: TriedPaths,
}

/// What was excluded.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Excluded {
    /// So many beginnings of paths.
    pub beginnings: usize,
    /// Those of which the kernel is not shown that they are infeasible.
    pub refused: BTreeSet<Vec<EdgeId>>,
}

impl PathRefinement<'_> {
    /// Excludes beginnings of infeasible paths, the shortest ones, until none is found of which the kernel is shown that it is infeasible.
    pub fn run(&self, graph: &mut StateGraph, accepted: &mut Accepted) -> Excluded {
        let mut excluded = Excluded::default();
        loop {
            let before = excluded.beginnings;
            let found = self.beginnings(accepted, &mut excluded);
            self.exclude(&found, (graph, accepted), &mut excluded);
            if excluded.beginnings == before {
                return excluded;
            }
        }
    }

    /// Excludes beginnings, all with one certificate; where it is not found, as it takes too much work, either half of them for itself.
    fn exclude(&self, beginnings: &[Vec<EdgeId>], (graph, accepted): (&mut StateGraph, &mut Accepted), excluded: &mut Excluded) {
        if beginnings.is_empty() || self.driver.is_over() {
            return;
        }
        let (mut states, mut count) = (None, 0);
        for beginning in beginnings {
            if let Some(smaller) = without(states.as_ref().unwrap_or(graph), beginning) {
                (states, count) = (Some(smaller), count + 1);
            }
        }
        let Some(states) = states else { return };
        match (certify(self.realisation, &states, self.about), beginnings) {
            (Ok(better), _) => {
                (*graph, *accepted) = (states, better);
                excluded.beginnings += count;
            }
            (Err(_), [beginning]) => {
                excluded.refused.insert(beginning.clone());
            }
            (Err(_), _) => {
                let (first, second) = beginnings.split_at(beginnings.len() / 2);
                self.exclude(first, (graph, accepted), excluded);
                self.exclude(second, (graph, accepted), excluded);
            }
        }
    }

    /// The shortest infeasible beginnings of paths that the solver refutes and the kernel, too, as many as may be excluded still.
    fn beginnings(&self, accepted: &Accepted, excluded: &mut Excluded) -> Vec<Vec<EdgeId>> {
        let mut found: Vec<Vec<EdgeId>> = Vec::new();
        for path in self.infeasible(accepted) {
            if self.driver.is_over() || excluded.beginnings + found.len() == EXCLUDED {
                break;
            }
            let Some(steps) = self.steps(&path) else { continue };
            let edges: Vec<EdgeId> = steps.iter().map(|step| step.edge).collect();
            if found.iter().chain(&excluded.refused).any(|beginning| edges.starts_with(beginning)) {
                continue;
            }
            let Some(beginning) = self.beginning(&path, &steps) else { continue };
            if self.has_proof(&beginning) {
                found.push(beginning);
            } else {
                excluded.refused.insert(beginning);
            }
        }
        found
    }

    /// Can the beginning be excluded from the system itself? That takes little, and where it cannot, it cannot be excluded from any graph: along the
    /// beginning, nothing is said of states in either.
    fn has_proof(&self, beginning: &[EdgeId]) -> bool {
        without(self.plain, beginning).is_some_and(|states| certify(self.realisation, &states, self.about).is_ok())
    }

    /// The instructions of paths that the solver refutes.
    fn infeasible(&self, accepted: &Accepted) -> Vec<Vec<Location>> {
        let Some(graph) = &accepted.verdict.graph else { return Vec::new() };
        let statement = statement(self.realisation, self.about);
        let Ok(certified) = Certified::new(graph, &statement, self.about.ends) else { return Vec::new() };
        let mut paths = Vec::new();
        match self.tried {
            TriedPaths::Every(bounds) => {
                confirm(&certified, bounds, self.driver, |path, realised| {
                    if *realised == Realised::Infeasible {
                        paths.push(certified.instructions(path));
                    }
                    ControlFlow::Continue(())
                });
            }
            TriedPaths::Drawn { length, count, seed } => {
                let Some((network, _)) = Network::new(&certified.graph, length) else { return paths };
                let uniform: Uniform<'_> = Uniform::new(&network, length);
                let drawn: BTreeSet<Vec<Location>> =
                    uniform.draw(seed, 0..count).iter().map(|path| certified.instructions(&network.labels(path))).collect();
                // What little effort refutes is excluded first: other paths are drawn then.
                paths.extend(drawn.iter().filter(|path| self.driver.realise_briefly(path) == Realised::Infeasible).cloned());
                if paths.is_empty() {
                    paths.extend(drawn.into_iter().filter(|path| self.driver.realise(path) == Realised::Infeasible));
                }
            }
        }
        paths
    }

    /// The edges of the system along a path, each with the place in the path where it ends; none where a path begins with no location.
    fn steps(&self, path: &[Location]) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let (mut edge, mut has_begun) = (None, false);
        for (position, location) in path.iter().enumerate() {
            if let Some(before) = position.checked_sub(1) {
                edge = self.realisation.edges.get(&(path[before], *location)).copied().or(edge);
            }
            if self.realisation.landmarks.contains_key(location) {
                if has_begun {
                    steps.push(Step { edge: edge.take()?, end: position });
                }
                has_begun = true;
            }
        }
        (!steps.is_empty()).then_some(steps)
    }

    /// The shortest infeasible beginning of an infeasible path.
    fn beginning(&self, path: &[Location], steps: &[Step]) -> Option<Vec<EdgeId>> {
        let is_refuted = |count: usize| self.driver.realise(&path[..=steps[count - 1].end]) == Realised::Infeasible;
        let (mut least, mut most) = (1, steps.len());
        if !is_refuted(most) {
            return None;
        }
        while least < most {
            let middle = usize::midpoint(least, most);
            if is_refuted(middle) { most = middle } else { least = middle + 1 }
        }
        Some(steps[..most].iter().map(|step| step.edge).collect())
    }
}

/// A step of a path.
struct Step {
    edge: EdgeId,
    end: usize,
}
