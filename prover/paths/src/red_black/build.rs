//! The main procedure: a depth-first traversal of the system that builds the red part (red-black graphs 5.3.1, Algorithm 2), and its
//! refine-and-restart (5.3.4).

use super::{
    configuration::Execution,
    parameters::{Parameters, Restart},
    red_part::{RedId, RedPart},
};
use goatherd_systems::{
    literal::{Literal, Overflow},
    lts::{EdgeId, Location, Lts, index},
};
use std::{collections::BTreeSet, rc::Rc};

/// The red-black graph under construction.
pub struct Builder<'a> {
    pub(super) lts: &'a Lts,
    pub(super) outgoing: Vec<Vec<EdgeId>>,
    pub(super) loop_headers: BTreeSet<Location>,
    pub(super) execution: Execution<'a>,
    pub(super) parameters: Parameters,
    /// In the order in which they are abstracted: with this one the results of the thesis come out.
    pub(super) variables_by_name: Vec<usize>,
    /// The red part.
    pub(super) red: RedPart,
    /// Vertices to visit, the last first.
    waiting: Vec<RedId>,
    /// How often the analysis has been refined and restarted.
    pub(super) refinements: usize,
}

impl<'a> Builder<'a> {
    /// The root alone, to be visited.
    pub fn new(lts: &'a Lts, precondition: &[Literal], parameters: Parameters) -> Result<Self, Overflow> {
        let execution = Execution::new(lts);
        let red = RedPart::new(lts.initial, execution.initial(precondition)?);
        let (outgoing, loop_headers) = (lts.edges_by_source(), execution.loop_headers());
        let mut variables_by_name: Vec<usize> = (0..lts.variables.len()).collect();
        variables_by_name.sort_by_key(|variable| &lts.variables[*variable].name);
        let waiting = Vec::new();
        let mut this = Self { lts, outgoing, loop_headers, execution, parameters, variables_by_name, red, waiting, refinements: 0 };
        this.wait(0);
        Ok(this)
    }

    /// Algorithm 2, `build`.
    pub fn build(&mut self) -> Result<(), Overflow> {
        while let Some(vertex) = self.waiting.pop() {
            let red = &mut self.red.vertices[vertex];
            if !std::mem::take(&mut red.is_waiting) || red.is_destroyed || red.is_marked {
                continue;
            }
            let (depth, is_final) = (red.depth, self.lts.finals.contains(&red.location));
            let is_end = self.outgoing[index(red.location)].is_empty();
            if is_final && self.refine(vertex)? || is_end {
                continue;
            }
            if self.execution.work() >= self.parameters.work {
                continue;
            }
            let is_short = self.parameters.maximal_red_length == 0 || depth < self.parameters.maximal_red_length;
            if !self.detect_subsumption(vertex)? && is_short && self.red.count < self.parameters.vertices {
                self.build_successors(vertex)?;
            }
        }
        Ok(())
    }

    /// Puts a vertex on the stack of those to visit, if it is not there.
    pub(super) fn wait(&mut self, vertex: RedId) {
        if !std::mem::replace(&mut self.red.vertices[vertex].is_waiting, true) {
            self.waiting.push(vertex);
        }
    }

    /// `build_se_succs`: the first edge is followed first.
    fn build_successors(&mut self, vertex: RedId) -> Result<(), Overflow> {
        let configuration = self.red.top(vertex);
        let mut successors = Vec::new();
        for edge in &self.outgoing[index(self.red.vertices[vertex].location)] {
            let after = self.execution.step(&configuration, *edge)?;
            successors.push((*edge, self.red.add(self.lts.edges[*edge].target, Some((vertex, *edge)), after)));
        }
        successors.iter().rev().for_each(|(_, successor)| self.wait(*successor));
        self.red.vertices[vertex].successors = Some(successors.into_iter().collect());
        Ok(())
    }

    /// Takes back the abstraction that made the path to a vertex feasible, if there is one, and restarts there.
    fn refine(&mut self, vertex: RedId) -> Result<bool, Overflow> {
        let is_spent = self.refinements >= self.parameters.refinements || self.execution.work() >= self.parameters.work;
        if self.parameters.restart == Restart::Disabled || is_spent {
            return Ok(false);
        }
        let path = self.red.path_to(vertex);
        let initial = Rc::clone(&self.red.vertices[0].stack[0]);
        if self.execution.is_feasible(&initial, &path)? {
            return Ok(false);
        }
        let mut chain: Vec<RedId> = self.red.ancestors(vertex).collect();
        chain.reverse();
        for (position, faulty) in chain.into_iter().enumerate() {
            if let Some((kept, length)) = self.faulty_abstraction(faulty, &path[position..])? {
                self.refinements += 1;
                self.restart(faulty, kept, path[position..position + length].to_vec())?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `faulty_abs`: where in its stack a loop header has the last configuration from which the path is infeasible, and the length of the
    /// shortest infeasible prefix of it.
    fn faulty_abstraction(&self, vertex: RedId, path: &[EdgeId]) -> Result<Option<(usize, usize)>, Overflow> {
        let red = &self.red.vertices[vertex];
        if red.stack.len() < 2 || !self.loop_headers.contains(&red.location) {
            return Ok(None);
        }
        let mut before = None;
        for (position, configuration) in red.stack.iter().enumerate() {
            let length = self.execution.shortest_infeasible(configuration, path)?;
            if let (Some(before), None) = (before, length) {
                return Ok(Some((position - 1, before)));
            }
            before = length;
        }
        Ok(None)
    }

    /// Restores a configuration from the stack of a vertex, records why, and starts again from there.
    fn restart(&mut self, vertex: RedId, kept: usize, safeguard: Vec<EdgeId>) -> Result<(), Overflow> {
        let red = &mut self.red.vertices[vertex];
        red.safeguards.push(safeguard);
        red.subsumer = None;
        red.stack.truncate(kept + 1);
        // What is above may have been abstracted since: no state that comes from there is to be lost.
        if let Some((parent, edge)) = red.parent {
            let reached = self.execution.step(&self.red.top(parent), edge)?;
            if !self.execution.subsumes(&self.red.top(vertex), &reached)? {
                self.red.vertices[vertex].stack.push(Rc::new(reached));
            }
        }
        let freed = self.red.destroy_below(vertex);
        for subsumed in freed {
            self.wait(subsumed);
        }
        self.wait(vertex);
        Ok(())
    }
}
