//! Templates whose derivations are alike, but for which alike templates they lead to: one template stands for them all
//! (`spec/search.md#what-is-written`).

use super::{
    cover::Covers,
    emitter::{Emitter, Unproved},
    needed::{self, Demand},
    plan::{Action, Looks, Node, NodeId, Places, Plan, Sharing},
};
use crate::{
    search::derivation::Found,
    state::{
        herd::Herd,
        template::{Widened, arrival::Arrival, basis::Basis, lengths::longer, meeting::Meeting, shape::Shape},
    },
};
use goatherd_certificates::configuration::InputSize;
use goatherd_checker::{rejection::Rejection, term::Arena};
use goatherd_logic::Solver;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// By template, the first one of its class.
type Classes = Vec<usize>;

/// How often classes that cannot be one are parted in two. Then they are given up.
const ROUNDS: usize = 4;

/// Templates that are to be merged, and what is to be written.
struct Merging<'a> {
    arena: &'a mut Arena,
    basis: Basis<'a>,
    solver: &'a Arc<Solver>,
    templates: Vec<Widened>,
    plan: Plan,
}

/// Merges the templates of each class, as far as what is left can be derived from what its templates have in common.
pub fn merged(
    arena: &mut Arena,
    basis: Basis<'_>,
    found: &Found,
    solver: &Arc<Solver>,
    (templates, covers): (Vec<Widened>, Covers),
) -> Result<(Vec<Widened>, Plan), Rejection> {
    let plan = Plan::new(arena, basis, found, solver, Sharing::Alike, (&templates, &covers))?;
    Merging { arena, basis, solver, templates, plan }.merged()
}

impl Merging<'_> {
    fn merged(mut self) -> Result<(Vec<Widened>, Plan), Rejection> {
        let mut parts = self.shapes()?;
        for round in 0.. {
            let (classes, plan) = self.plan.quotient(parts);
            let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (position, class) in classes.iter().enumerate() {
                members.entry(*class).or_default().push(position);
            }
            members.retain(|_, members| members.len() > 1);
            if members.is_empty() {
                return Ok((self.templates, self.plan));
            }
            let mut templates = self.templates.clone();
            for (first, members) in &members {
                templates[*first] = self.meeting(members)?;
            }
            let emitter = Emitter::new(self.arena, self.basis, &plan, templates, self.solver, Sharing::Alike);
            let (templates, unmet) = emitter.unmet(&members.keys().copied().collect());
            if unmet.is_empty() {
                return Ok((templates, plan));
            }
            parts = classes;
            for first in unmet {
                let members = &members[&first];
                let half = members.len().div_ceil(2);
                for (number, member) in members.iter().enumerate() {
                    parts[*member] = if round < ROUNDS { members[if number < half { 0 } else { half }] } else { *member };
                }
            }
        }
        Err(Rejection::Open)
    }

    /// Templates of one shape, where slots say what stands for their variables wherever herds come to them.
    fn shapes(&mut self) -> Result<Classes, Rejection> {
        let alone = self.plan.singular();
        let mut shapes: BTreeMap<(Vec<Shape>, Vec<InputSize>), usize> = BTreeMap::new();
        let mut parts = Vec::new();
        for position in 0..self.templates.len() {
            if alone.contains(&position) || self.plan.templates[position].is_none() {
                parts.push(position);
                continue;
            }
            let arrival = self.arrival(position)?;
            let shape = Meeting::shape(self.arena, self.basis, &arrival)?;
            parts.push(*shapes.entry(shape).or_insert(position));
        }
        Ok(parts)
    }

    /// The template as something that arrives.
    fn arrival(&mut self, position: usize) -> Result<Arrival, Rejection> {
        let template = &self.templates[position];
        let herd = Herd::new(self.arena, template.configuration.clone(), self.solver);
        let herd = Herd { tags: template.tags.clone(), kept_indices: template.kept_indices().to_vec(), ..herd };
        Arrival::new(self.arena, self.basis, herd)
    }

    /// The template of what these have in common.
    fn meeting(&mut self, members: &[usize]) -> Result<Widened, Rejection> {
        let mut lengths = Vec::new();
        for position in members {
            lengths.push(self.arrival(*position)?.lengths());
        }
        let lengths = lengths.into_iter().reduce(|one, other| longer(&one, &other)).unwrap_or_default();
        let mut meeting: Option<Meeting> = None;
        for position in members {
            let mut arrival = self.arrival(*position)?;
            arrival.stretch(self.arena, &lengths)?;
            match &mut meeting {
                Some(meeting) => meeting.add(self.arena, self.basis, arrival)?,
                None => meeting = Some(Meeting::new(self.arena, self.basis, arrival)?),
            }
        }
        meeting.ok_or(Rejection::Missing)?.template(self.arena, self.basis)
    }
}

impl Plan {
    /// The templates for whose variables something stands at a node that slots do not say.
    fn singular(&self) -> BTreeSet<usize> {
        let singular = |action: &Action| match action {
            Action::Subsume(position, hidden) => hidden.names_variables().then_some(*position),
            Action::Alone(position, _) => Some(*position),
            _ => None,
        };
        self.nodes.iter().filter_map(|node| singular(&node.action)).collect()
    }

    /// The coarsest classes of templates within these whose derivations are alike, and the graph where a class has one template.
    fn quotient(&self, mut classes: Classes) -> (Classes, Self) {
        loop {
            let (numbers, plan) = self.merged(&classes);
            let mut firsts: HashMap<(usize, Option<NodeId>), usize> = HashMap::new();
            let mut finer = Vec::new();
            for (position, class) in classes.iter().enumerate() {
                let node = self.templates[position].map(|node| numbers[node]);
                finer.push(*firsts.entry((*class, node)).or_insert(position));
            }
            if finer == classes {
                return (classes, plan);
            }
            classes = finer;
        }
    }

    /// The graph where a class of templates is one, and which of its nodes stands for each.
    fn merged(&self, classes: &Classes) -> (Vec<NodeId>, Self) {
        let mut plan = Self::default();
        let mut known: HashMap<(&Places, Looks, Vec<NodeId>), NodeId> = HashMap::new();
        let mut numbers: Vec<NodeId> = Vec::new();
        for node in &self.nodes {
            let action = match &node.action {
                Action::Subsume(position, hidden) => Action::Subsume(classes[*position], hidden.clone()),
                other => other.clone(),
            };
            let children: Vec<NodeId> = node.children.iter().map(|child| numbers[*child]).collect();
            let next = plan.nodes.len();
            let number = match action.looks() {
                Some(looks) => *known.entry((&node.places, looks, children.clone())).or_insert(next),
                None => next,
            };
            if number == next {
                plan.nodes.push(Node { places: node.places.clone(), action, children });
            }
            numbers.push(number);
        }
        plan.roots = self.roots.iter().map(|node| numbers[*node]).collect();
        let templates = self.templates.iter().zip(classes).enumerate();
        plan.templates = templates.map(|(position, (node, class))| node.filter(|_| *class == position).map(|node| numbers[node])).collect();
        (numbers, plan)
    }
}

impl Emitter<'_> {
    /// Of the templates at these positions, those from which what is left cannot be derived; all templates, with no more literals than are needed
    /// for what can.
    fn unmet(mut self, merged: &BTreeSet<usize>) -> (Vec<Widened>, BTreeSet<usize>) {
        self.unproved = Unproved::Noted;
        let mut unmet = BTreeSet::new();
        let mut demands = Vec::new();
        for position in 0..self.templates.len() {
            if !merged.contains(&position) {
                // It has no more than is needed.
                let literals = self.templates[position].template.stored.predicate.len();
                demands.push(Demand { own: (0..literals).collect(), leaves: Vec::new() });
                continue;
            }
            let demand = self.template_demand(position);
            unmet.extend(demand.is_err().then_some(position));
            demands.push(demand.unwrap_or_default());
        }
        let needed = needed::needed(&demands);
        unmet.extend(needed::unmet(&demands, &needed));
        for (source, literals) in self.templates.iter_mut().zip(&needed) {
            source.template.keep_literals(literals);
        }
        (self.templates.into_iter().map(|source| source.template).collect(), unmet)
    }
}

#[cfg(test)]
mod tests {
    use crate::proof::plan::{Action, Hidden, Node, NodeId, Plan};
    use goatherd_certificates::derivation::OutcomeId;

    /// A graph of templates, each of which leads by a step, one of whose outcomes is open, to another one.
    fn leading(templates: &[(u32, usize)]) -> Plan {
        let mut plan = Plan::default();
        let mut push = |action, children: Vec<NodeId>| {
            plan.nodes.push(Node { places: Vec::new(), action, children });
            plan.nodes.len() - 1
        };
        let mut starts = Vec::new();
        for (outcome, target) in templates {
            let leaf = push(Action::Subsume(*target, Hidden::default()), Vec::new());
            starts.push(Some(push(Action::Step(vec![OutcomeId(*outcome)]), vec![leaf])));
        }
        plan.templates = starts;
        plan
    }

    #[test]
    fn templates_that_lead_to_each_other_alike_are_one() {
        let (classes, plan) = leading(&[(0, 1), (0, 0), (0, 2)]).quotient(vec![0; 3]);
        assert_eq!(classes, [0, 0, 0]);
        assert_eq!((plan.nodes.len(), plan.templates), (2, vec![Some(1), None, None]));
    }

    #[test]
    fn templates_that_lead_to_others_are_told_apart() {
        let (classes, _) = leading(&[(0, 1), (0, 2), (1, 2)]).quotient(vec![0; 3]);
        assert_eq!(classes, [0, 1, 2]);
        let (classes, _) = leading(&[(0, 2), (0, 2), (0, 2)]).quotient(vec![0, 0, 2]);
        assert_eq!(classes, [0, 0, 2]);
    }
}
