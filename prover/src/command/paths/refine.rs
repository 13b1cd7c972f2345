//! Paths that the solver refutes are excluded from the graph, as far as the kernel follows (`spec/paths.md#exact`).

use super::subject::Subject;
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
        network::Network,
        realise::{Realised, realise},
        uniform::Uniform,
    },
    states::StateGraph,
    unroll::without,
};
use goatherd_systems::lts::EdgeId;
use std::{cell::RefCell, collections::BTreeSet, ops::ControlFlow, time::Instant};

/// So many beginnings of paths are excluded at most: each has vertices of its own.
const EXCLUDED: usize = 500;

/// Which paths are tried.
#[derive(Clone, Copy, Debug)]
pub enum Tried {
    /// All that are short enough.
    Every(Bounds),
    /// So many that are drawn uniformly, of at most so many steps; from what is left again, after some were excluded.
    Drawn { length: usize, count: u64, seed: u64 },
}

/// A graph under refinement.
pub struct Refinement<'a> {
    pub subject: &'a Subject,
    pub solver: StartSolver,
    pub tried: Tried,
    /// When it is over.
    pub end: Option<Instant>,
    /// Drawn paths that are not known to be infeasible.
    pub kept: RefCell<BTreeSet<Vec<Location>>>,
}

/// What was excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excluded {
    /// Beginnings of paths.
    pub beginnings: usize,
    /// Those of which the kernel is not shown that they are infeasible.
    pub refused: usize,
}

impl<'a> Refinement<'a> {
    /// By these paths.
    pub fn new(subject: &'a Subject, solver: StartSolver, tried: Tried, end: Option<Instant>) -> Self {
        Self { subject, solver, tried, end, kept: RefCell::default() }
    }

    /// Excludes beginnings of infeasible paths, the shortest ones, until none is found of which the kernel is shown that it is infeasible.
    pub fn run(&self, graph: &mut StateGraph, accepted: &mut Accepted) -> Excluded {
        let (mut excluded, mut refused) = (0, BTreeSet::new());
        loop {
            let before = excluded;
            for path in self.infeasible(accepted) {
                if self.is_over() || excluded == EXCLUDED {
                    break;
                }
                let Some(beginning) = self.beginning(&path) else { continue };
                if refused.contains(&beginning) {
                    continue;
                }
                let Some(states) = without(graph, &beginning) else { continue };
                match certify(&self.subject.realisation, &states, &self.subject.about) {
                    Ok(better) => {
                        (*graph, *accepted) = (states, better);
                        excluded += 1;
                    }
                    Err(_) => {
                        refused.insert(beginning);
                    }
                }
            }
            if excluded == before {
                return Excluded { beginnings: excluded, refused: refused.len() };
            }
        }
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The instructions of paths that the solver refutes.
    fn infeasible(&self, accepted: &Accepted) -> Vec<Vec<Location>> {
        let Some(graph) = &accepted.verdict.graph else { return Vec::new() };
        let statement = statement(&self.subject.realisation, &self.subject.about);
        let Ok(certified) = Certified::new(graph, &statement, self.subject.about.ends) else { return Vec::new() };
        let mut paths = Vec::new();
        match self.tried {
            Tried::Every(bounds) => {
                confirm(&certified, &statement, bounds, self.solver, |path, realised| {
                    if *realised == Realised::Infeasible {
                        paths.push(certified.instructions(path));
                    }
                    if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
            }
            Tried::Drawn { length, count, seed } => {
                let Some((network, _)) = Network::new(&certified.graph, length) else { return paths };
                let uniform: Uniform<'_> = Uniform::new(&network, length);
                let drawn: BTreeSet<Vec<Location>> =
                    uniform.draw(seed, 0..count).iter().map(|path| certified.instructions(&network.labels(path))).collect();
                paths.extend(drawn.into_iter().filter(|path| self.is_infeasible(path)));
            }
        }
        paths
    }

    /// Does the solver refute a drawn path? Those that it does not are tried once.
    fn is_infeasible(&self, path: &[Location]) -> bool {
        if self.is_over() || self.kept.borrow().contains(path) {
            return false;
        }
        let program = &self.subject.realisation.program;
        let is_infeasible = realise(program, self.subject.about.parameters, path, self.solver) == Realised::Infeasible;
        if !is_infeasible {
            self.kept.borrow_mut().insert(path.to_vec());
        }
        is_infeasible
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
