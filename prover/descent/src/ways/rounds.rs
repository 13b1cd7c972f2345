//! Scapegoats on the primary's own input that draw fewer nondeterministic values: they leave out a round of a loop that draws some, as one that
//! builds a list does (`spec/calculus.md#nondeterministic-values`, `spec/search.md#values-that-are-drawn`).

use crate::{
    search::{
        derivation::{Derivation, End},
        scapegoats::Guess,
        state::Search,
        stuck::Stuck,
    },
    state::herd::{Herd, SmallerInput},
};
use goatherd_certificates::{
    configuration::{InputSize, Slot},
    derivation::{MemberId, Rule},
    program::Location,
    term::Literal,
};
use goatherd_checker::configuration::Place;
use goatherd_flow::building::Building;
use std::collections::BTreeMap;

/// The rounds of how many loops are left out.
const LOOPS: usize = 3;

impl Search<'_> {
    /// Without one of the first k rounds of a loop that draws nondeterministic values, and without the first round of all of them.
    pub(crate) fn left_out_rounds(&self) -> Vec<SmallerInput> {
        let groups: Vec<&Building> = self.flow.building.iter().take(LOOPS).collect();
        let without = |groups: &[&Building], round: u32| SmallerInput {
            rounds: groups.iter().flat_map(|group| group.heads.iter().map(|head| (*head, round))).collect(),
            lessened: groups.iter().flat_map(|group| group.bounds.iter().copied()).collect(),
            ..SmallerInput::default()
        };
        let single = groups.iter().flat_map(|group| (0..self.setting.k).map(|round| without(&[*group], round)));
        let joint = (groups.len() > 1).then(|| without(&groups, 0));
        single.chain(joint).collect()
    }

    /// Does the scapegoat draw one less than the primary here?
    pub(crate) fn draws_less(&self, herd: &Herd, member: MemberId, location: Location) -> bool {
        let position = herd.tags.get(member.index()).and_then(|tag| tag.checked_sub(1));
        position.and_then(|position| self.inputs.get(position)).is_some_and(|input| input.lessened.contains(&location))
    }

    /// Where a scapegoat that is added while the primary is at this head begins to wait: the loop of which it leaves a round out, if the primary
    /// is in that, or else the same head.
    pub(crate) fn waiting_place(&self, input: &SmallerInput, head: Location) -> Location {
        let around = &self.flow.loops[&head].around;
        let waits = |other: &&Location| **other == head || around.contains(other);
        input.rounds.keys().find(waits).copied().unwrap_or(head)
    }

    /// That the scapegoat has consumed fewer values than the primary has by now; none where its input is smaller, and this is not asked.
    fn consumes_less(&mut self, herd: &Herd, member: MemberId) -> Option<Literal> {
        let [primary, scapegoat] = [0, member.index()].map(|position| &herd.configuration.members[position]);
        match (scapegoat.size, scapegoat.consumed, primary.consumed) {
            (InputSize::NotLarger, Slot::Integer(own), Slot::Integer(most)) => self.arena.less(own, most).ok(),
            _ => None,
        }
    }

    /// Has the scapegoat a smaller input than the primary, or consumed fewer values?
    pub(crate) fn is_smaller(&mut self, herd: &mut Herd, member: MemberId) -> bool {
        let is_less = self.consumes_less(herd, member);
        is_less.map_or(herd.configuration.members[member.index()].size == InputSize::Smaller, |literal| {
            herd.context.entails(self.arena, literal)
        })
    }

    /// Blames a scapegoat that has failed. That it has consumed less must stand in the predicate.
    pub(crate) fn descent(&mut self, herd: &Herd, member: MemberId) -> End {
        match self.consumes_less(herd, member) {
            Some(literal) if self.arena.evident(literal) != Some(true) => {
                let leaf = |end| Derivation { rules: Vec::new(), end };
                End::Split(literal, vec![leaf(End::Descent(member)), leaf(End::Infeasible)])
            }
            _ => End::Descent(member),
        }
    }

    /// Advances a scapegoat of which it is known how many rounds it makes until the primary is at this head, having passed loop heads so often:
    /// none in the round that it leaves out, and from then on one with each of the primary's. None where that is not known, or it does not get there.
    pub(crate) fn keep_pace(
        &mut self,
        herd: &mut Herd,
        member: MemberId,
        head: Location,
        visits: &BTreeMap<Location, u32>,
    ) -> Result<Option<Vec<Rule>>, Stuck> {
        let Some(input) = herd.tags[member.index()].checked_sub(1).and_then(|position| self.inputs.get(position)) else { return Ok(None) };
        let count = |head: &Location| visits.get(head).copied().unwrap_or(0);
        let is_first = |head: &Location| self.flow.loops[head].around.iter().all(|outer| count(outer) == 1);
        let place = |round: (&Location, &u32)| {
            let (left_out, round) = round;
            let rounds = count(left_out);
            match rounds.checked_sub(round + 1) {
                Some(behind) if *left_out == head && is_first(left_out) => Some((head, behind)),
                Some(0) if self.flow.loops[&head].around.contains(left_out) && is_first(left_out) => Some((*left_out, 0)),
                _ => None,
            }
        };
        let Some((place, rounds)) = input.rounds.iter().find_map(place) else { return Ok(None) };
        let mut current = herd.clone();
        let mut taken = Vec::new();
        let has_arrived = |herd: &Herd| herd.configuration.members[member.index()].place == Place::At(place);
        // Where it could not enter the loop with the primary, it does so now; else it has made all of these rounds but the last.
        if !has_arrived(&current) {
            taken = self.run_to(&mut current, member, Some(place))?;
        }
        if rounds > 0 {
            let Some(rule) = self.advance(&mut current, member, Guess::Same) else { return Ok(None) };
            taken.push(rule);
            taken.extend(self.run_to(&mut current, member, Some(place))?);
        }
        let has_arrived = has_arrived(&current);
        if has_arrived {
            *herd = current;
        }
        Ok(has_arrived.then_some(taken))
    }
}
