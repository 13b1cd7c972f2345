//! Drawn paths, and what is known of them.

use super::{certificate::Checked, progress::Progress};
use goatherd_certificates::program::Location;
use goatherd_logic::values::StartSolver;
use goatherd_paths::draw::realise::{Realised, Reason, realise};
use goatherd_systems::lts::EdgeId;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

/// Looks for inputs, once for each path.
pub struct Inputs<'a> {
    checked: &'a Checked,
    solver: Option<StartSolver>,
    known: BTreeMap<Vec<EdgeId>, Realised>,
    end: Option<Instant>,
    progress: &'a Progress,
}

impl<'a> Inputs<'a> {
    /// Without a solver, nothing is looked for.
    pub fn new(checked: &'a Checked, solver: Option<StartSolver>, progress: &'a Progress) -> Self {
        Self { checked, solver, known: BTreeMap::new(), end: None, progress }
    }

    /// After so much time since the start, no more are looked for.
    #[must_use]
    pub fn until(self, start: Instant, time: Option<Duration>) -> Self {
        Self { end: time.and_then(|time| start.checked_add(time)), ..self }
    }

    fn of(&mut self, path: &[EdgeId]) -> Option<Realised> {
        let solver = self.solver?;
        if let Some(known) = self.known.get(path) {
            return Some(known.clone());
        }
        if self.end.is_some_and(|end| Instant::now() >= end) {
            return Some(Realised::Unknown(Reason::Time));
        }
        self.progress.count();
        let statement = &self.checked.statement;
        let instructions = self.checked.certified.instructions(path);
        let realised = realise(&statement.program, statement.parameters, &instructions, solver);
        self.known.insert(path.to_vec(), realised.clone());
        Some(realised)
    }
}

/// A drawn path.
pub struct Drawn {
    /// Edges of the graph of steps.
    pub edges: Vec<EdgeId>,
    /// All instructions.
    pub instructions: Vec<Location>,
    /// What is known of its inputs, if they were looked for.
    pub realised: Option<Realised>,
}

/// Paths that were drawn in one way.
pub struct Sample {
    /// How many walks there were.
    pub walks: usize,
    /// Those that ended in time.
    pub paths: Vec<Drawn>,
    /// How many paths are different from all before them.
    pub distinct: usize,
    /// How many edges the paths pass.
    pub edges: usize,
    /// How many vertices the paths pass.
    pub vertices: usize,
}

impl Sample {
    /// None stands for a walk that did not end in time.
    pub fn new(checked: &Checked, walks: Vec<Option<Vec<EdgeId>>>, inputs: &mut Inputs<'_>) -> Self {
        let graph = &checked.certified.graph;
        let count = walks.len();
        let (mut distinct, mut passed, mut visited) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut paths = Vec::new();
        for edges in walks.into_iter().flatten() {
            let mut vertex = graph.root.unwrap_or_default();
            visited.insert(vertex);
            for edge in &edges {
                passed.insert((vertex, *edge));
                vertex = graph.successors[vertex][edge];
                visited.insert(vertex);
            }
            distinct.insert(edges.clone());
            let instructions = checked.certified.instructions(&edges);
            let realised = inputs.of(&edges);
            paths.push(Drawn { edges, instructions, realised });
        }
        Self { walks: count, paths, distinct: distinct.len(), edges: passed.len(), vertices: visited.len() }
    }

    /// How many of the paths are so.
    pub fn how_many(&self, is_so: impl Fn(&Realised) -> bool) -> usize {
        self.paths.iter().filter(|path| path.realised.as_ref().is_some_and(&is_so)).count()
    }
}
