//! The graph that a derivation shows (`spec/calculus.md#paths`; red-black graphs 4.4.5).
//!
//! A node is a configuration to which a rule other than Subsume and Infeasible applies after a step, and the root of each template; a
//! configuration that a template covers is that template's root. Edges are steps. The certificate maps nodes to vertices; the graph is the
//! image.

use alloc::{collections::BTreeMap, vec::Vec};
use goatherd_certificates::*;
use goatherd_checker::{Budget, Configuration, Place, Rejection, ensure};

/// Bytes that a node or an edge takes here, and in the tables of the graph.
const ENTRY: usize = 64;

/// How a configuration was reached.
#[derive(Clone, Copy, Debug)]
pub enum Reached {
    /// The paths begin here.
    Entry,
    /// As the root of a template.
    Template(TemplateId),
    /// By a step from this node.
    From(usize),
}

/// The nodes of a derivation, the templates' first, and its edges.
#[derive(Clone, Debug, Default)]
pub struct Unfolding {
    locations: Vec<Location>,
    entries: Vec<usize>,
    edges: Vec<(usize, usize)>,
}

/// A graph whose paths from the root have the locations of paths of the program. A vertex has at most one edge to each location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// Where paths begin; none where there is none.
    pub root: Option<VertexId>,
    /// The location of each vertex.
    pub vertices: Vec<Location>,
    /// Ascending.
    pub edges: Vec<(VertexId, VertexId)>,
}

impl Unfolding {
    /// One node per template; before all others.
    pub fn templates(
        &mut self,
        budget: &mut Budget,
        templates: &[Configuration],
    ) -> Result<(), Rejection> {
        templates.iter().try_for_each(|template| {
            self.node(budget, template.member(MemberId(0))?.place)
                .map(drop)
        })
    }

    /// A new node; none for a configuration that has failed.
    fn node(&mut self, budget: &mut Budget, place: Place) -> Result<Option<usize>, Rejection> {
        let Place::At(location) = place else {
            return Ok(None);
        };
        budget.take(ENTRY)?;
        self.locations.push(location);
        Ok(self.locations.len().checked_sub(1))
    }

    /// Bytes that it takes here, and in the tables of the graph.
    pub fn bytes(&self) -> usize {
        let nodes = self.locations.len().saturating_add(self.entries.len());
        nodes.saturating_add(self.edges.len()).saturating_mul(ENTRY)
    }

    /// Records that a rule applies to a configuration, whose primary is at the place; how the rule's children are reached.
    pub fn visit(
        &mut self,
        budget: &mut Budget,
        reached: Reached,
        place: Place,
        rule: &Rule,
    ) -> Result<Reached, Rejection> {
        let node = match (rule, reached) {
            // Infeasible: there is no such path. After the others a template may still cover the configuration: no node yet.
            (
                Rule::Let { .. }
                | Rule::Split { .. }
                | Rule::Unfold { .. }
                | Rule::Infeasible { .. },
                _,
            ) => return Ok(reached),
            (Rule::Step { .. } | Rule::End, Reached::Template(template)) => {
                return Ok(Reached::From(template.index()));
            }
            (Rule::Subsume { template, .. }, _) => Some(template.index()),
            (Rule::Step { .. } | Rule::End, _) => self.node(budget, place)?,
            _ => return Err(Rejection::Rule),
        };
        let Some(node) = node else { return Ok(reached) };
        budget.take(ENTRY)?;
        match reached {
            Reached::From(source) => self.edges.push((source, node)),
            // Without progress no template covers the root of one.
            Reached::Entry | Reached::Template(_) => self.entries.push(node),
        }
        Ok(Reached::From(node))
    }

    /// The image of the nodes under the certificate's map.
    pub fn graph(
        &self,
        program: &Program,
        ends: Ends,
        map: &[Option<VertexId>],
    ) -> Result<Graph, Rejection> {
        ensure(map.len() == self.locations.len(), Rejection::VertexCount)?;
        let mut vertices = Vec::new();
        for (vertex, location) in map.iter().zip(&self.locations) {
            let Some(vertex) = vertex else {
                let is_kept = match program.instructions.get(location.index()) {
                    Some(Instruction::Halt | Instruction::Fail { .. }) => true,
                    instruction => {
                        ends == Ends::Anywhere && instruction != Some(&Instruction::Ignore)
                    }
                };
                ensure(!is_kept, Rejection::EndLost)?;
                continue;
            };
            if vertex.index() == vertices.len() {
                vertices.push(*location);
            }
            ensure(
                vertices.get(vertex.index()).ok_or(Rejection::VertexOrder)? == location,
                Rejection::VertexLocation,
            )?;
        }
        let vertex = |node: usize| map.get(node).copied().ok_or(Rejection::Missing);
        let mut root = None;
        for entry in &self.entries {
            if let Some(entry) = vertex(*entry)? {
                ensure(
                    *root.get_or_insert(entry) == entry,
                    Rejection::Nondeterministic,
                )?;
            }
        }
        let mut successors = BTreeMap::new();
        for (source, target) in &self.edges {
            let Some(end) = vertex(*target)? else {
                continue;
            };
            let start = vertex(*source)?.ok_or(Rejection::SourceLost)?;
            let location = self.locations.get(*target).ok_or(Rejection::Missing)?;
            ensure(
                *successors.entry((start, *location)).or_insert(end) == end,
                Rejection::Nondeterministic,
            )?;
        }
        let mut edges: Vec<_> = successors
            .into_iter()
            .map(|((start, _), end)| (start, end))
            .collect();
        edges.sort_unstable();
        Ok(Graph {
            root,
            vertices,
            edges,
        })
    }
}
