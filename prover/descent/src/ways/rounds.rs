//! Scapegoats on the primary's own input that draw fewer nondeterministic values: they leave out a round of a loop that draws some, as one that
//! builds a list does (`spec/calculus.md#nondeterministic-values`, `spec/search.md#values-that-are-drawn`).

use crate::{
    search::{
        scapegoats::{Alignment, Guess},
        state::Search,
        stuck::Stuck,
    },
    state::{
        consumption::consumes_less,
        herd::{Drawn, Herd, SmallerInput},
    },
    ways::strategy::Drops,
};
use goatherd_certificates::{
    configuration::InputSize,
    derivation::{MemberId, Rule},
    program::{Location, ObjectId},
};
use goatherd_checker::configuration::Place;
use goatherd_flow::building::Building;
use std::collections::{BTreeMap, BTreeSet};

/// The rounds of how many loops are left out.
const LOOPS: usize = 3;

/// What is drawn to answer whether a loop goes on, as `while (more())` and `if (done()) break;` ask.
const ANSWERS: [i128; 2] = [0, 1];

/// How a scapegoat's round ends.
enum Round {
    /// The loop is left.
    Left(Box<Herd>, Vec<Rule>),
    /// The loop goes on, or that depends on a value that is drawn.
    Open,
    /// It depends on something else.
    Stuck,
}

impl Search<'_> {
    /// Without one of the first k rounds of a loop that draws nondeterministic values, and without the first round of all of them.
    pub(crate) fn left_out_rounds(&self) -> Vec<SmallerInput> {
        let groups: Vec<&Building> = self.flow.building.iter().take(LOOPS).collect();
        if self.strategy.drops == Drops::LastRounds {
            return Self::fewer_rounds(&groups);
        }
        let without = |groups: &[&Building], round: u32| SmallerInput {
            rounds: groups.iter().flat_map(|group| group.heads.iter().map(|head| (*head, round))).collect(),
            lessened: groups.iter().flat_map(|group| group.bounds.iter().copied()).collect(),
            shifted: if self.strategy.drops == Drops::Shifted {
                groups.iter().flat_map(|group| group.buffers.iter().copied()).collect()
            } else {
                BTreeSet::new()
            },
            ..SmallerInput::default()
        };
        let single = groups.iter().flat_map(|group| (0..self.setting.k).map(|round| without(&[*group], round)));
        let joint = (groups.len() > 1).then(|| without(&groups, 0));
        single.chain(joint).collect()
    }

    /// With one less for what bounds these loops, of each group by itself and of all: so the last rounds are left out.
    fn fewer_rounds(groups: &[&Building]) -> Vec<SmallerInput> {
        let bounds: Vec<&BTreeSet<Location>> = groups.iter().map(|group| &group.bounds).filter(|bounds| !bounds.is_empty()).collect();
        let all: BTreeSet<Location> = bounds.iter().copied().flatten().copied().collect();
        let joint = (bounds.len() > 1).then_some(&all);
        bounds.into_iter().chain(joint).map(|lessened| SmallerInput { lessened: lessened.clone(), ..SmallerInput::default() }).collect()
    }

    /// Does the scapegoat draw one less than the primary here?
    pub(crate) fn draws_less(&self, herd: &Herd, member: MemberId, location: Location) -> bool {
        self.input_of(herd, member).is_some_and(|input| input.lessened.contains(&location))
    }

    /// Does the scapegoat's object begin one element later than the primary's, so that what its first round writes is where the primary's second
    /// round writes? Nothing is left out of a buffer that is longer than what is put into it, so that has one element more behind.
    pub(crate) fn is_shifted(&self, herd: &Herd, member: MemberId, object: ObjectId) -> bool {
        self.input_of(herd, member).is_some_and(|input| input.shifted.contains(&object))
    }

    /// Where an object of a scapegoat that leaves the last rounds out is aligned to the primary's: where the first round writes.
    pub(crate) fn where_rounds_begin(&self, object: ObjectId) -> Alignment {
        if self.flow.descending.contains(&object) { Alignment::End } else { Alignment::Begin }
    }

    /// What the primary has drawn where the scapegoat draws now: the last value, or, if the scapegoat makes the same rounds up to the last ones, the one
    /// that it has drawn as many values before.
    pub(crate) fn counterpart_drawn(&self, herd: &Herd, member: MemberId, location: Location) -> Option<Drawn> {
        let last = herd.drawn.get(&location).copied();
        if self.strategy.drops != Drops::LastRounds {
            return last;
        }
        let tag = herd.tags.get(member.index()).copied()?;
        let count = herd.repeated.get(&(tag, location)).copied().unwrap_or_default();
        herd.draws.get(&location).and_then(|draws| draws.get(count)).copied().map(Drawn::Value).or(last)
    }

    fn input_of(&self, herd: &Herd, member: MemberId) -> Option<&SmallerInput> {
        let position = herd.tags.get(member.index())?.checked_sub(1)?;
        self.inputs.get(position)
    }

    /// Where a scapegoat that is added while the primary is at this head begins to wait: the loop of which it leaves a round out, if the primary
    /// is in that, or else the same head.
    pub(crate) fn waiting_place(&self, input: &SmallerInput, head: Location) -> Location {
        let around = &self.flow.loops[&head].around;
        let waits = |other: &&Location| **other == head || around.contains(other);
        input.rounds.keys().find(waits).copied().unwrap_or(head)
    }

    /// Has the scapegoat a smaller input than the primary, or consumed fewer values?
    pub(crate) fn is_smaller(&mut self, herd: &mut Herd, member: MemberId) -> bool {
        let is_less = consumes_less(self.arena, &herd.configuration, member);
        is_less.map_or(herd.configuration.members[member.index()].size == InputSize::Smaller, |literal| {
            herd.context.entails(self.arena, literal)
        })
    }

    /// The scapegoat behind the loop that it builds its data in, where the primary has left that, and it would go on. `while (n < MAX && more())`
    /// has ended at the bound then, which the scapegoat has not come to, with a round less: what it draws ends its loop.
    pub(crate) fn left_with_primary(&mut self, herd: &Herd, member: MemberId, head: Location) -> Result<Option<(Herd, Vec<Rule>)>, Stuck> {
        let Some(Place::At(own)) = Self::place(herd, member) else { return Ok(None) };
        let is_left = self.strategy.drops.are_rounds() && self.flow.drawing.contains(&own) && !self.flow.loops[&own].body.contains(&head);
        if !is_left || !matches!(self.round(herd, member, (own, Guess::Same))?, Round::Open) {
            return Ok(None);
        }
        let answers = ANSWERS.into_iter().chain(self.flow.thresholds.iter().copied().filter(|threshold| !ANSWERS.contains(threshold)));
        for answer in answers {
            if let Round::Left(left, rules) = self.round(herd, member, (own, Guess::Answer(answer)))? {
                return Ok(Some((*left, rules)));
            }
        }
        Ok(None)
    }

    /// Tries the round of a scapegoat that is at the head of a loop.
    fn round(&mut self, herd: &Herd, member: MemberId, (head, guess): (Location, Guess)) -> Result<Round, Stuck> {
        let (mut current, mut rules) = (herd.clone(), Vec::new());
        let had_own_values = self.has_own_values;
        while let Some(rule) = self.advance(&mut current, member, guess) {
            self.spend()?;
            rules.push(rule);
            match Self::place(&current, member) {
                Some(Place::At(location)) if location == head => break,
                Some(Place::At(location)) if self.flow.loops[&head].body.contains(&location) => {}
                _ => return Ok(Round::Left(Box::new(current), rules)),
            }
        }
        // What was tried in vain has drawn nothing.
        self.has_own_values = had_own_values;
        let is_made = Self::place(&current, member) == Some(Place::At(head));
        Ok(if is_made || current.configuration.scope != herd.configuration.scope { Round::Open } else { Round::Stuck })
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
        let Some(input) = self.input_of(herd, member) else { return Ok(None) };
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
