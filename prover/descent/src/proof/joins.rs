//! Templates where ways meet: what is left to write there is written once (`spec/search.md#what-is-written`).

use super::join::{Comer, Gathering, Joins, Junction};
use super::{
    emitter::{Emitter, Source},
    facts::Facts,
    plan::{Action, NodeId, Plan},
};
use crate::state::{
    herd::Herd,
    template::{
        arrival::Arrival,
        covering::Images,
        lengths::{Length, longer},
        meeting::Meeting,
    },
};
use goatherd_checker::{
    configuration::{Configuration, Place},
    rejection::Rejection,
    subsume,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// So many rules take as long to check as that a template covers a configuration, or as half of what it takes to read one.
const COST: usize = 4;

impl Joins {
    /// The positions of all templates where ways meet.
    pub fn templates(&self) -> BTreeSet<usize> {
        self.chosen.values().flatten().copied().collect()
    }
}

/// At which nodes a template saves rules, by all that is known beforehand, and how many rules are left there.
fn worthwhile(plan: &Plan) -> BTreeMap<NodeId, usize> {
    let uses = plan.uses();
    let mut sizes: Vec<usize> = Vec::new();
    // Where a template would cover the herd before the primary has taken a step.
    let mut early: Vec<bool> = Vec::new();
    let mut chosen = BTreeMap::new();
    for (number, node) in plan.nodes.iter().enumerate() {
        let size = node.children.iter().map(|child| if chosen.contains_key(child) { COST } else { sizes[*child] }).sum::<usize>() + 1;
        let is_early = match node.action {
            Action::Step(_) => false,
            Action::Subsume(..) | Action::Alone(..) => true,
            _ => node.children.iter().any(|child| early[*child] || chosen.contains_key(child)),
        };
        if saves(uses[number], size) && !is_early {
            chosen.insert(number, size);
        }
        sizes.push(size);
        early.push(is_early);
    }
    chosen
}

/// Does it pay to write so many rules once, and not in so many places?
const fn saves(places: usize, rules: usize) -> bool {
    places > 1 && (places - 1) * rules > (places + 2) * COST
}

impl Emitter<'_> {
    /// Adds templates where ways meet.
    pub(crate) fn add_joins(&mut self) -> Result<(), Rejection> {
        let sizes = worthwhile(self.plan);
        self.joins = Joins { sizes, chosen: BTreeMap::new(), gathering: Some(Gathering::default()) };
        self.resume(None);
        self.write_roots()?;
        for position in 0..self.templates.len() {
            if let Some((configuration, node)) = self.start(position) {
                self.go_on(configuration, node)?;
            }
        }
        while let Some((junction, comers)) = self.joins.gathering.as_mut().and_then(|gathering| gathering.waiting.pop_first()) {
            if let Some(gathering) = &mut self.joins.gathering {
                gathering.done.insert(junction.clone());
            }
            let left = self.join_groups(&junction, comers)?;
            self.part(junction.0.0, left)?;
        }
        self.joins.gathering = None;
        self.facts = Facts::new(&self.solver);
        self.written.clear();
        Ok(())
    }

    /// Templates for these herds: one for all of them, or, if what is left cannot be derived from that, for each half of them. Gives those for which
    /// there is none.
    fn join_groups(&mut self, junction: &Junction, comers: Vec<Comer>) -> Result<Vec<Comer>, Rejection> {
        let node = junction.0.0;
        let size = self.joins.sizes.get(&node).copied().unwrap_or_default();
        let (mut open, mut left) = (vec![comers], Vec::new());
        while let Some(mut comers) = open.pop() {
            if !saves(comers.len(), size) {
                left.append(&mut comers);
            } else if let Some(position) = self.join(node, &comers)? {
                self.joins.chosen.entry(junction.clone()).or_default().push(position);
                if let Some(gathering) = &mut self.joins.gathering {
                    gathering.covered.insert(position, (junction.clone(), comers));
                }
            } else {
                open.extend(self.parted(comers)?);
            }
        }
        Ok(left)
    }

    /// The herds parted by the first slot in which different numbers are known to stand, or else into halves.
    fn parted(&mut self, mut comers: Vec<Comer>) -> Result<Vec<Vec<Comer>>, Rejection> {
        let mut constants = Vec::new();
        let lengths = longest(&comers);
        for Comer { kept_indices, configuration, .. } in &comers {
            let mut arrival = self.arrival(configuration, kept_indices)?;
            arrival.stretch(self.arena, &lengths)?;
            constants.push(Meeting::constants(self.arena, self.basis, &arrival)?);
        }
        let slots = constants.iter().map(Vec::len).min().unwrap_or_default();
        let Some(slot) = (0..slots).find(|slot| constants.iter().any(|other| other[*slot] != constants[0][*slot])) else {
            let others = comers.split_off(comers.len() / 2);
            return Ok(vec![others, comers]);
        };
        let mut parts: BTreeMap<Option<i128>, Vec<Comer>> = BTreeMap::new();
        for (comer, constants) in comers.into_iter().zip(constants) {
            parts.entry(constants[slot]).or_default().push(comer);
        }
        Ok(parts.into_values().collect())
    }

    /// Goes on with what is derived from this template.
    fn resume(&mut self, origin: Option<usize>) {
        self.facts = match origin {
            Some(position) => {
                let mut facts = Facts::new(&self.solver);
                facts.set_aside(self.templates[position].template.configuration.predicate.clone());
                facts
            }
            None => Facts::trusting(&self.solver),
        };
        if let Some(gathering) = &mut self.joins.gathering {
            gathering.origin = origin;
        }
        self.written.clear();
    }

    /// A template for all these herds, if what is left at the node can be derived from it.
    fn join(&mut self, node: NodeId, comers: &[Comer]) -> Result<Option<usize>, Rejection> {
        let lengths = longest(comers);
        let mut meeting: Option<Meeting> = None;
        for Comer { origin, kept_indices, configuration, .. } in comers {
            self.resume(*origin);
            let context = self.facts.context(self.arena, &configuration.predicate);
            let predicate = self.facts.whole(&configuration.predicate);
            let herd = Herd::knowing(Configuration { predicate, ..configuration.clone() }, context);
            let herd = Herd { kept_indices: kept_indices.clone(), ..herd };
            let mut arrival = Arrival::new(self.arena, self.basis, herd)?;
            arrival.stretch(self.arena, &lengths)?;
            match &mut meeting {
                Some(meeting) => meeting.add(self.arena, self.basis, arrival)?,
                None => meeting = Some(Meeting::new(self.arena, self.basis, arrival)?),
            }
        }
        let Some(meeting) = meeting else { return Ok(None) };
        let template = meeting.template(self.arena, self.basis)?;
        let position = self.templates.len();
        let configuration = Configuration { predicate: Vec::new(), ..template.configuration.clone() };
        self.kept_indices = template.kept_indices().to_vec();
        self.templates.push(Source { template, node: Some(node) });
        self.resume(Some(position));
        if self.go_on(configuration, node).is_ok() {
            return Ok(Some(position));
        }
        self.forget(position);
        self.templates.truncate(position);
        Ok(None)
    }

    /// Forgets the herds that come from the template.
    fn forget(&mut self, position: usize) {
        for comers in self.joins.gathering.iter_mut().flat_map(|gathering| gathering.waiting.values_mut()) {
            comers.retain(|comer| comer.origin != Some(position));
        }
    }

    /// What is left at the node is written for each of the herds. Where that cannot be derived, as too little is known of a herd, this is so for the
    /// one that it comes from too.
    fn part(&mut self, node: NodeId, comers: Vec<Comer>) -> Result<(), Rejection> {
        let mut open = vec![(node, comers)];
        while let Some((node, comers)) = open.pop() {
            for Comer { origin, kept_indices, configuration, .. } in comers {
                // What it comes from may have been given up meanwhile.
                if origin.is_some_and(|position| !self.joins.chosen.values().flatten().any(|other| *other == position)) {
                    continue;
                }
                self.resume(origin);
                self.kept_indices = kept_indices;
                if self.go_on(configuration, node).is_ok() {
                    continue;
                }
                let position = origin.ok_or(Rejection::NotRefuted)?;
                self.forget(position);
                let covered = self.joins.gathering.as_mut().and_then(|gathering| gathering.covered.remove(&position));
                let (junction, comers) = covered.ok_or(Rejection::Missing)?;
                self.joins.chosen.entry(junction.clone()).or_default().retain(|other| *other != position);
                open.push((junction.0.0, comers));
            }
        }
        Ok(())
    }

    /// Is what is left at the node written elsewhere, once?
    pub(crate) fn meets(&mut self, configuration: &Configuration, node: NodeId) -> Result<bool, Rejection> {
        let is_place = self.joins.sizes.contains_key(&node) && configuration.progress;
        if !is_place || configuration.members.iter().any(|member| member.place == Place::Failed) {
            return Ok(false);
        }
        let kept_indices = self.kept_indices.clone();
        let arrival = self.arrival(configuration, &kept_indices)?;
        let junction = (Reverse(node), Meeting::shape(self.arena, self.basis, &arrival)?);
        let chosen = self.joins.chosen.get(&junction).cloned().unwrap_or_default();
        if let Some(gathering) = &mut self.joins.gathering {
            if !gathering.done.contains(&junction) {
                let (configuration, lengths) = (configuration.clone(), arrival.lengths());
                let comer = Comer { origin: gathering.origin, kept_indices, configuration, lengths };
                gathering.waiting.entry(junction).or_default().push(comer);
                return Ok(true);
            }
            // What is taken for granted can be written here too.
            if self.facts.is_trusting() {
                return Ok(!chosen.is_empty());
            }
            for position in chosen {
                let Ok(matching) = self.matching(position, &arrival, Images::default()) else { continue };
                let (setting, target) = (self.basis.setting, &self.templates[position].template.configuration);
                if subsume::subsume(self.arena, setting, configuration, target, &matching, &mut self.facts).is_ok() {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        for position in chosen {
            let Ok(matching) = self.matching(position, &arrival, Images::default()) else { continue };
            let positions: Vec<usize> = (0..configuration.members.len()).collect();
            if self.subsume(configuration.clone(), position, &arrival, &positions, matching).is_ok() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// As long as the longest of them, array by array.
fn longest(comers: &[Comer]) -> Vec<Length> {
    let lengths = comers.iter().map(|comer| comer.lengths.clone());
    lengths.reduce(|one, other| longer(&one, &other)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{COST, worthwhile};
    use crate::proof::plan::{Action, Hidden, Node, NodeId, Plan};
    use goatherd_certificates::derivation::{MemberId, OutcomeId};

    fn node(action: Action, children: Vec<NodeId>) -> Node {
        Node { places: Vec::new(), action, children }
    }

    /// So many steps, one behind the other, before this node.
    fn steps(plan: &mut Plan, count: usize, mut node: NodeId) -> NodeId {
        for _ in 0..count {
            plan.nodes.push(self::node(Action::Step(vec![OutcomeId(0)]), vec![node]));
            node = plan.nodes.len() - 1;
        }
        node
    }

    /// Ways that meet before so many steps.
    fn meeting(ways: usize, count: usize) -> (Plan, NodeId) {
        let mut plan = Plan { nodes: vec![node(Action::Ended, Vec::new())], ..Plan::default() };
        let node = steps(&mut plan, count, 0);
        for _ in 0..ways {
            let way = steps(&mut plan, 1, node);
            plan.roots.push(way);
        }
        (plan, node)
    }

    #[test]
    fn what_is_long_is_written_once() {
        let (plan, node) = meeting(2, 5 * COST);
        assert_eq!(worthwhile(&plan).into_iter().collect::<Vec<_>>(), [(node, 5 * COST + 1)]);
    }

    #[test]
    fn what_is_short_is_written_again() {
        let (plan, _) = meeting(2, COST);
        assert!(worthwhile(&plan).is_empty());
        let (plan, node) = meeting(9, 2 * COST);
        assert!(worthwhile(&plan).contains_key(&node));
    }

    #[test]
    fn no_template_is_reached_before_a_step() {
        let mut plan = Plan { nodes: vec![node(Action::Subsume(0, Hidden::default()), Vec::new())], ..Plan::default() };
        for number in 0..5 * COST {
            plan.nodes.push(node(Action::Decided(MemberId(1), OutcomeId(0), None), vec![number]));
        }
        plan.roots = vec![5 * COST; 2];
        assert!(worthwhile(&plan).is_empty());
        let step = steps(&mut plan, 1, 5 * COST);
        plan.roots = vec![step; 2];
        assert!(worthwhile(&plan).contains_key(&step));
    }

    #[test]
    fn one_way_meets_none() {
        let (plan, _) = meeting(1, 100 * COST);
        assert!(worthwhile(&plan).is_empty());
    }
}
