//! Paths that the solver refutes are excluded from the graph, as far as the kernel follows (`spec/paths.md#exact`).

use super::{arguments::Paths, search::Found, subject::Subject};
use goatherd::certify::{
    Accepted,
    paths::{certify, statement},
};
use goatherd_certificates::program::Location;
use goatherd_logic::values::StartSolver;
use goatherd_paths::{
    draw::{
        certified::Certified,
        confirm::{Bounds, confirm},
        realise::{Realised, realise},
    },
    unroll::without,
};
use goatherd_systems::lts::EdgeId;
use std::{collections::BTreeSet, fmt::Write, ops::ControlFlow, time::Instant};

/// So many beginnings of paths are excluded at most: each has vertices of its own.
const EXCLUDED: usize = 500;

/// A graph under refinement.
pub struct Refinement<'a> {
    pub arguments: &'a Paths,
    pub subject: &'a Subject,
    pub solver: StartSolver,
    pub start: Instant,
}

impl Refinement<'_> {
    /// Excludes beginnings of infeasible paths, the shortest ones, until none is found of which the kernel is shown that it is infeasible.
    pub fn run(&self, found: &mut Found, accepted: &mut Accepted) {
        let (mut excluded, mut refused) = (0, BTreeSet::new());
        loop {
            let before = excluded;
            for path in self.infeasible(accepted) {
                let Some(beginning) = self.beginning(&path) else { continue };
                if self.is_over() || excluded == EXCLUDED || refused.contains(&beginning) {
                    continue;
                }
                let Some(states) = without(&found.states, &beginning) else { continue };
                match certify(&self.subject.realisation, &states, &self.subject.about) {
                    Ok(better) => {
                        (found.states, *accepted) = (states, better);
                        excluded += 1;
                    }
                    Err(_) => {
                        refused.insert(beginning);
                    }
                }
            }
            if excluded == before {
                break;
            }
        }
        let refused = refused.len();
        // Writing to a string does not fail.
        let _ = write!(found.stopped, "; --refine: {excluded} beginnings of paths excluded, {refused} infeasible without a proof");
    }

    fn is_over(&self) -> bool {
        self.arguments.timeout.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    /// The instructions of paths that the solver refutes.
    fn infeasible(&self, accepted: &Accepted) -> Vec<Vec<Location>> {
        let (Some(graph), Some(length)) = (&accepted.verdict.graph, self.arguments.trying.confirm) else { return Vec::new() };
        let statement = statement(&self.subject.realisation, &self.subject.about);
        let Ok(certified) = Certified::new(graph, &statement, self.subject.about.ends) else { return Vec::new() };
        let mut paths = Vec::new();
        let bounds = Bounds { length, paths: self.arguments.trying.confirm_paths };
        confirm(&certified, &statement, bounds, self.solver, |path, realised| {
            if *realised == Realised::Infeasible {
                paths.push(certified.instructions(path));
            }
            if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        paths
    }

    /// The shortest infeasible beginning of an infeasible path, by edges of the system.
    fn beginning(&self, path: &[Location]) -> Option<Vec<EdgeId>> {
        let realisation = &self.subject.realisation;
        // By number of edges: the position of the landmark behind them.
        let mut ends = Vec::new();
        let mut edges = Vec::new();
        let mut edge = None;
        for (position, location) in path.iter().enumerate() {
            if let Some(before) = position.checked_sub(1) {
                edge = realisation.edges.get(&(path[before], *location)).copied().or(edge);
            }
            if realisation.landmarks.contains_key(location) {
                edges.extend(edge.take());
                ends.push(position);
            }
        }
        let parameters = self.subject.about.parameters;
        let is_refuted =
            |count: usize| realise(&realisation.program, parameters, &path[..=ends[count]], self.solver) == Realised::Infeasible;
        let (mut least, mut most) = (1, edges.len());
        if ends.len() != edges.len() + 1 || edges.is_empty() || !is_refuted(most) {
            return None;
        }
        while least < most {
            let middle = usize::midpoint(least, most);
            if is_refuted(middle) { most = middle } else { least = middle + 1 }
        }
        edges.truncate(most);
        Some(edges)
    }
}
