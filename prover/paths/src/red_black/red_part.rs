//! The red part: occurrences of locations, with stacks of configurations (red-black graphs 5.2.1).

use super::configuration::Configuration;
use goatherd_systems::lts::{EdgeId, Location};
use std::{collections::BTreeMap, rc::Rc};

/// Position in [`RedPart::vertices`].
pub type RedId = usize;

/// One occurrence of a location.
#[derive(Clone, Debug)]
pub struct RedVertex {
    /// The location.
    pub location: Location,
    /// What it was reached from; none for the root.
    pub parent: Option<(RedId, EdgeId)>,
    /// Edges from the root to it.
    pub depth: usize,
    /// The last one is the configuration of the vertex.
    pub stack: Vec<Rc<Configuration>>,
    /// Is it known to be unreachable?
    pub is_marked: bool,
    /// What it is subsumed by.
    pub subsumer: Option<RedId>,
    /// Its safeguard condition: no state that it stands for can go these paths. Their weakest preconditions of false say the same.
    pub safeguards: Vec<Vec<EdgeId>>,
    /// The successors, once they are built.
    pub successors: Option<BTreeMap<EdgeId, RedId>>,
    /// Is it on the stack of vertices to visit?
    pub is_waiting: bool,
    /// Has the sub-graph that it was part of been destroyed?
    pub is_destroyed: bool,
}

/// A tree with subsumption links.
#[derive(Clone, Debug)]
pub struct RedPart {
    /// The root has number 0.
    pub vertices: Vec<RedVertex>,
    /// Those that are not destroyed.
    pub count: usize,
}

impl RedPart {
    /// A root alone.
    pub fn new(location: Location, configuration: Configuration) -> Self {
        let mut this = Self { vertices: Vec::new(), count: 0 };
        this.add(location, None, configuration);
        this
    }

    /// A new vertex, marked if its configuration is contradictory.
    pub fn add(&mut self, location: Location, parent: Option<(RedId, EdgeId)>, configuration: Configuration) -> RedId {
        let depth = parent.map_or(0, |(parent, _)| self.vertices[parent].depth + 1);
        self.count += 1;
        self.vertices.push(RedVertex {
            location,
            parent,
            depth,
            is_marked: configuration.is_contradictory(),
            stack: vec![Rc::new(configuration)],
            subsumer: None,
            safeguards: Vec::new(),
            successors: None,
            is_waiting: false,
            is_destroyed: false,
        });
        self.vertices.len() - 1
    }

    /// The configuration of a vertex.
    pub fn top(&self, vertex: RedId) -> Rc<Configuration> {
        let stack = &self.vertices[vertex].stack;
        Rc::clone(&stack[stack.len() - 1])
    }

    /// The vertex and those above it, up to the root.
    pub fn ancestors(&self, vertex: RedId) -> impl Iterator<Item = RedId> {
        std::iter::successors(Some(vertex), |vertex| self.vertices[*vertex].parent.map(|(parent, _)| parent))
    }

    /// The edges from the root to a vertex.
    pub fn path_to(&self, vertex: RedId) -> Vec<EdgeId> {
        let mut path: Vec<EdgeId> = self.ancestors(vertex).filter_map(|vertex| Some(self.vertices[vertex].parent?.1)).collect();
        path.reverse();
        path
    }

    /// Destroys what is below a vertex. The vertices that were subsumed by that, or by the vertex itself, and are still there.
    pub fn destroy_below(&mut self, vertex: RedId) -> Vec<RedId> {
        let mut open: Vec<RedId> = self.vertices[vertex].successors.take().into_iter().flat_map(BTreeMap::into_values).collect();
        while let Some(below) = open.pop() {
            self.count -= 1;
            let vertex = &mut self.vertices[below];
            (vertex.is_destroyed, vertex.is_waiting) = (true, false);
            vertex.stack.truncate(1);
            open.extend(vertex.successors.take().into_iter().flat_map(BTreeMap::into_values));
        }
        let mut freed = Vec::new();
        for other in 0..self.vertices.len() {
            let Some(subsumer) = self.vertices[other].subsumer.filter(|_| !self.vertices[other].is_destroyed) else { continue };
            if subsumer == vertex || self.vertices[subsumer].is_destroyed {
                self.vertices[other].subsumer = None;
                freed.push(other);
            }
        }
        freed
    }
}
