//! Look-ahead: which paths can be gone from a configuration (red-black graphs 5.3.5, 6.2.2).

use super::{build::Builder, configuration::Configuration, parameters::LookAhead};
use goatherd_systems::{
    literal::Overflow,
    lts::{EdgeId, Location, index},
};
use std::{collections::BTreeMap, rc::Rc};

/// Steps that are looked at from one configuration: what is further is not compared.
const STEPS: usize = 20_000;

/// Stands for the end of a path.
const BACK: EdgeId = EdgeId::MAX;

impl Builder<'_> {
    /// `compare_fp_sets`: can the same paths be gone from both, as far as is looked?
    pub(super) fn has_same_future(&self, location: Location, left: &Configuration, right: &Configuration) -> Result<bool, Overflow> {
        let is_blind = matches!(self.parameters.look_ahead, LookAhead::Length(0) | LookAhead::LoopVisits(0));
        Ok(is_blind || self.future(location, left)? == self.future(location, right)?)
    }

    /// The tree of paths, edge by edge, with the ways back.
    fn future(&self, location: Location, configuration: &Configuration) -> Result<Rc<[EdgeId]>, Overflow> {
        if let Some(known) = configuration.future.get() {
            return Ok(Rc::clone(known));
        }
        let (length, visits) = match self.parameters.look_ahead {
            LookAhead::Length(length) => (length, usize::MAX),
            LookAhead::LoopVisits(visits) => (usize::MAX, visits),
        };
        let edges = self.paths(location, configuration.clone(), length, visits)?;
        Ok(Rc::clone(configuration.future.get_or_init(|| edges.into())))
    }

    /// Paths of at most so many edges that come to each loop header at most so many times.
    fn paths(&self, location: Location, configuration: Configuration, length: usize, visits: usize) -> Result<Vec<EdgeId>, Overflow> {
        let mut edges = Vec::new();
        // By loop header: how often the path at hand has come to it.
        let mut counts: BTreeMap<Location, usize> = BTreeMap::new();
        // The path at hand, and the next edge to follow from each of its locations.
        let mut path = vec![(location, configuration, 0)];
        let (mut steps, mut depth) = (0, 0);
        while let Some((location, configuration, next)) = path.last_mut() {
            let location = *location;
            let is_short = depth < length && steps < STEPS;
            let edge = self.outgoing[index(location)].get(*next).copied();
            *next += 1;
            let Some(edge) = edge.filter(|_| is_short) else {
                path.pop();
                depth = depth.saturating_sub(1);
                edges.push(BACK);
                counts.entry(location).and_modify(|count| *count = count.saturating_sub(1));
                continue;
            };
            steps += 1;
            let target = self.lts.edges[edge].target;
            let is_header = self.loop_headers.contains(&target);
            if is_header && counts.get(&target).is_some_and(|count| *count >= visits) {
                continue;
            }
            let after = self.execution.step(configuration, edge)?;
            if after.is_contradictory() {
                continue;
            }
            edges.push(edge);
            *counts.entry(target).or_default() += 1;
            path.push((target, after, 0));
            depth += 1;
        }
        Ok(edges)
    }
}
