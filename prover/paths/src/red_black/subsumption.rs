//! Subsumption, natural or forced by abstraction, and the propagation of abstractions (red-black graphs 5.3.3, Algorithms 3 to 5).

use super::{
    build::Builder,
    configuration::{Configuration, Constraint},
    parameters::{AbstractionMethod, DifferentPaths},
    red_part::RedId,
};
use goatherd_systems::literal::Overflow;
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// New configurations for vertices.
type Propagation = BTreeMap<RedId, Rc<Configuration>>;

impl Builder<'_> {
    /// Algorithm 3, `detect_sub`: has a subsumption been established?
    pub(super) fn detect_subsumption(&mut self, vertex: RedId) -> Result<bool, Overflow> {
        if !self.loop_headers.contains(&self.red.vertices[vertex].location) {
            return Ok(false);
        }
        for (candidate, is_on_path) in self.candidates(vertex) {
            let (small, large) = (self.red.top(vertex), self.red.top(candidate));
            let location = self.red.vertices[vertex].location;
            if !self.has_same_future(location, &small, &large)? {
                continue;
            }
            if self.execution.subsumes(&large, &small)? {
                self.red.vertices[vertex].subsumer = Some(candidate);
                return Ok(true);
            }
            if !is_on_path && self.parameters.different_paths == DifferentPaths::Natural {
                continue;
            }
            if let Some(abstraction) = self.abstraction(candidate, &small, is_on_path)?
                && let Some(propagation) = self.propagable(abstraction, candidate, vertex)?
            {
                self.propagate(propagation);
                self.red.vertices[vertex].subsumer = Some(candidate);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The vertices that may subsume one, from the root on, and whether they are on the path to it.
    fn candidates(&self, vertex: RedId) -> Vec<(RedId, bool)> {
        let location = self.red.vertices[vertex].location;
        let is_candidate = |other: &RedId| {
            let red = &self.red.vertices[*other];
            let is_free = !red.is_marked && red.subsumer.is_none() && !red.is_waiting && !red.is_destroyed;
            *other != vertex && red.location == location && is_free
        };
        let mut on_path: Vec<RedId> = self.red.ancestors(vertex).filter(is_candidate).collect();
        on_path.reverse();
        let elsewhere = match self.parameters.different_paths {
            DifferentPaths::No | DifferentPaths::Isomorphic => Vec::new(),
            DifferentPaths::Forced | DifferentPaths::Natural => {
                (0..self.red.vertices.len()).filter(is_candidate).filter(|other| !on_path.contains(other)).collect()
            }
        };
        on_path.into_iter().map(|candidate| (candidate, true)).chain(elsewhere.into_iter().map(|candidate| (candidate, false))).collect()
    }

    /// A configuration that subsumes those of both vertices and entails the candidate's safeguard condition.
    fn abstraction(&self, candidate: RedId, small: &Configuration, is_on_path: bool) -> Result<Option<Rc<Configuration>>, Overflow> {
        match self.parameters.abstraction {
            AbstractionMethod::ConstraintRemoval => self.constraint_removal(candidate, small),
            AbstractionMethod::StoreUpdate => self.store_update(candidate, small, is_on_path),
        }
    }

    fn constraint_removal(&self, candidate: RedId, small: &Configuration) -> Result<Option<Rc<Configuration>>, Overflow> {
        let top = self.red.top(candidate);
        let mut seen = BTreeSet::new();
        let constraints: Vec<&Constraint> = top.predicate.iter().filter(|constraint| seen.insert(*constraint)).collect();
        let without_first = |count: usize| {
            let removed = constraints[..count].iter().map(|constraint| Constraint::clone(constraint)).collect();
            self.execution.without(&top, &removed)
        };
        // The more is removed, the more is subsumed: how many are enough is found by halving.
        let (mut least, mut most) = (1, constraints.len());
        while least < most {
            let middle = usize::midpoint(least, most);
            if self.execution.subsumes(&without_first(middle)?, small)? { most = middle } else { least = middle + 1 }
        }
        if constraints.is_empty() {
            return Ok(None);
        }
        let abstraction = without_first(least)?;
        let suffices = self.execution.subsumes(&abstraction, small)? && self.entails_safeguards(candidate, &abstraction)?;
        Ok(suffices.then(|| Rc::new(abstraction)))
    }

    fn store_update(&self, candidate: RedId, small: &Configuration, is_on_path: bool) -> Result<Option<Rc<Configuration>>, Overflow> {
        let mut abstraction = self.red.top(candidate);
        let differs = |variable: &usize| abstraction.store[*variable] != small.store[*variable];
        let (mut variables, others): (Vec<usize>, Vec<usize>) = self.variables_by_name.iter().copied().partition(differs);
        // Between different paths a constraint may stand for a variable that neither of them assigns.
        if !is_on_path {
            variables.extend(others);
        }
        for variable in variables {
            if !self.execution.is_constrained(&abstraction, variable)? {
                continue;
            }
            let weaker = self.execution.with_new_symbol(&abstraction, variable)?;
            if !self.entails_safeguards(candidate, &weaker)? {
                return Ok(None);
            }
            abstraction = Rc::new(weaker);
            if self.execution.subsumes(&abstraction, small)? {
                return Ok(Some(abstraction));
            }
        }
        Ok(None)
    }

    fn entails_safeguards(&self, vertex: RedId, configuration: &Configuration) -> Result<bool, Overflow> {
        for path in &self.red.vertices[vertex].safeguards {
            if self.execution.is_feasible(configuration, path)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Algorithm 4, `propagable`: the configurations below `candidate` after an abstraction there, if all subsumptions still hold, and that
    /// of `subsumed` by `candidate`, too.
    fn propagable(&self, abstraction: Rc<Configuration>, candidate: RedId, subsumed: RedId) -> Result<Option<Propagation>, Overflow> {
        let mut propagation = Propagation::new();
        let mut open = vec![(candidate, abstraction)];
        while let Some((vertex, configuration)) = open.pop() {
            let red = &self.red.vertices[vertex];
            let subsumer = red.subsumer.or((vertex == subsumed).then_some(candidate));
            if let Some(subsumer) = subsumer.filter(|_| !red.is_marked) {
                let top = propagation.get(&subsumer).cloned().unwrap_or_else(|| self.red.top(subsumer));
                if !self.execution.subsumes(&top, &configuration)? {
                    return Ok(None);
                }
                propagation.insert(vertex, configuration);
                continue;
            }
            let is_header = self.loop_headers.contains(&red.location) && !red.is_marked;
            let configuration = if is_header { self.combine(vertex, configuration)? } else { configuration };
            for (edge, successor) in red.successors.iter().flatten() {
                open.push((*successor, Rc::new(self.execution.step(&configuration, *edge)?)));
            }
            propagation.insert(vertex, configuration);
        }
        Ok(Some(propagation))
    }

    /// Algorithm 5, `propagate`.
    fn propagate(&mut self, propagation: Propagation) {
        for (vertex, configuration) in propagation {
            let red = &mut self.red.vertices[vertex];
            let is_reached = red.is_marked && !configuration.is_contradictory();
            red.stack.push(configuration);
            if is_reached {
                red.is_marked = false;
                red.safeguards.clear();
                self.wait(vertex);
            }
        }
    }

    /// `combine_abs`: what is propagated to a loop header, with what has been abstracted there before.
    fn combine(&self, vertex: RedId, propagated: Rc<Configuration>) -> Result<Rc<Configuration>, Overflow> {
        if self.red.vertices[vertex].stack.len() < 2 {
            return Ok(propagated);
        }
        let top = self.red.top(vertex);
        Ok(match self.parameters.abstraction {
            AbstractionMethod::ConstraintRemoval => Rc::new(self.execution.common(&propagated, &top)?),
            AbstractionMethod::StoreUpdate => {
                let mut combined = propagated;
                for variable in 0..top.store.len() {
                    if !self.execution.is_constrained(&top, variable)? && self.execution.is_constrained(&combined, variable)? {
                        combined = Rc::new(self.execution.with_new_symbol(&combined, variable)?);
                    }
                }
                combined
            }
        })
    }
}
