//! Drawn paths, and what is known of them.

use super::{certificate::Checked, progress::Progress};
use goatherd_certificates::program::Location;
use goatherd_paths::draw::{driver::Driver, realise::Realised};
use goatherd_systems::lts::EdgeId;
use std::collections::BTreeSet;

/// Looks for inputs.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    pub checked: &'a Checked,
    /// Without one, nothing is looked for.
    pub driver: Option<&'a Driver<'a>>,
    pub progress: &'a Progress,
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

impl Inputs<'_> {
    /// What is known of each path, which `visit` is told at once; none stands for a walk that did not end in time.
    pub fn sample<E>(self, walks: Vec<Option<Vec<EdgeId>>>, mut visit: impl FnMut(usize, &Drawn) -> Result<(), E>) -> Result<Sample, E> {
        let graph = &self.checked.certified.graph;
        let count = walks.len();
        // What is found with little effort comes first, so that no question takes the time of others.
        if let Some(driver) = self.driver {
            for edges in walks.iter().flatten() {
                driver.realise_briefly(&self.checked.certified.instructions(edges));
            }
        }
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
            let instructions = self.checked.certified.instructions(&edges);
            let realised = self.driver.map(|driver| driver.realise(&instructions));
            self.progress.count();
            let drawn = Drawn { edges, instructions, realised };
            visit(paths.len(), &drawn)?;
            paths.push(drawn);
        }
        Ok(Sample { walks: count, paths, distinct: distinct.len(), edges: passed.len(), vertices: visited.len() })
    }
}

impl Sample {
    /// How many of the paths are so.
    pub fn how_many(&self, is_so: impl Fn(&Realised) -> bool) -> usize {
        self.paths.iter().filter(|path| path.realised.as_ref().is_some_and(&is_so)).count()
    }
}
