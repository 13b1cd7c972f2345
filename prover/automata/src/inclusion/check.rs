//! Checking witnesses of inclusion, straight from their definitions.

use super::{answer::InclusionWitness, choice::uncovered_choice};
use crate::{
    automaton::{Automaton, Rule, State},
    index::Index,
    steps::{Exhausted, Steps},
    subsets::{SetId, Subsets},
    tuples::Tuples,
};
use fixedbitset::FixedBitSet;
use std::collections::{BTreeMap, BTreeSet};

impl InclusionWitness {
    /// Does it show that every tree of `left` is in `right`? States that the automata do not have show nothing. A step is a combination of
    /// a rule with pairs of the witness.
    pub fn shows(&self, left: &Automaton, right: &Automaton, steps: &mut Steps) -> Result<bool, Exhausted> {
        let is_on_left = |state: &State| state.index() < left.state_count();
        let is_on_right = |state: &State| state.index() < right.state_count();
        let are_known = match self {
            Self::Simulation { pairs, unreached } => {
                pairs.iter().all(|(q, r)| is_on_left(q) && is_on_right(r)) && unreached.iter().all(is_on_left)
            }
            Self::Antichain(pairs) | Self::Covering(pairs) => pairs.iter().all(|(q, set)| is_on_left(q) && set.iter().all(is_on_right)),
        };
        match self {
            _ if !are_known => Ok(false),
            Self::Simulation { pairs, unreached } => Ok(is_simulation(pairs, unreached, left, right)),
            Self::Antichain(pairs) => is_antichain(pairs, left, right, steps),
            Self::Covering(pairs) => is_covering(pairs, left, right, steps),
        }
    }
}

fn is_simulation(pairs: &[(State, State)], unreached: &[State], left: &Automaton, right: &Automaton) -> bool {
    let unreached = set_of(unreached, left);
    let is_reached = |state: &State| !unreached.contains(state.index());
    let is_closed = left.rules().all(|rule| is_reached(&rule.state) || !rule.children.iter().all(is_reached));
    let related: BTreeSet<(State, State)> = pairs.iter().copied().collect();
    let (left_index, right_index) = (Index::new(left), Index::new(right));
    let are_finals_related = left.final_states().filter(is_reached).all(|q| right.final_states().any(|r| related.contains(&(q, r))));
    let has_counterpart =
        |rule: Rule<'_>, state: State| {
            right_index.reaching(state).iter().map(|other| right.rule(*other)).any(|other| {
                other.symbol == rule.symbol && rule.children.iter().zip(other.children).all(|(q, r)| related.contains(&(*q, *r)))
            })
        };
    let is_matched = |rule: Rule<'_>, state: State| !rule.children.iter().all(is_reached) || has_counterpart(rule, state);
    let are_matched = pairs.iter().all(|(q, r)| left_index.reaching(*q).iter().all(|rule| is_matched(left.rule(*rule), *r)));
    is_closed && are_finals_related && are_matched
}

fn is_antichain(pairs: &[(State, Vec<State>)], left: &Automaton, right: &Automaton, steps: &mut Steps) -> Result<bool, Exhausted> {
    let mut subsets = Subsets::new(right);
    let mut sets: Vec<Vec<SetId>> = vec![Vec::new(); left.state_count()];
    for (state, set) in pairs {
        let set = set_of(set, right);
        if left.is_final(*state) && set.is_disjoint(right.finals()) {
            return Ok(false);
        }
        sets[state.index()].push(subsets.intern(set));
    }
    for rule in left.rules() {
        let mut choices = Tuples::new(rule.children.iter().map(|child| sets[child.index()].len()).collect());
        while let Some(choice) = choices.advance() {
            steps.take()?;
            let children: Vec<SetId> = rule.children.iter().zip(choice).map(|(child, chosen)| sets[child.index()][*chosen]).collect();
            let reached = subsets.post(rule.symbol, &children);
            if !sets[rule.state.index()].iter().any(|set| subsets.set(*set).is_subset(subsets.set(reached))) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn is_covering(pairs: &[(State, Vec<State>)], left: &Automaton, right: &Automaton, steps: &mut Steps) -> Result<bool, Exhausted> {
    let mut sets: BTreeMap<State, Vec<FixedBitSet>> = BTreeMap::new();
    for (state, set) in pairs {
        sets.entry(*state).or_default().push(set_of(set, right));
    }
    let covers = |state: State, chosen: &FixedBitSet| sets.get(&state).is_some_and(|sets| sets.iter().any(|set| set.is_subset(chosen)));
    if !left.final_states().all(|state| covers(state, right.finals())) {
        return Ok(false);
    }
    let (left_index, right_index) = (Index::new(left), Index::new(right));
    for (state, set) in pairs {
        for rule in left_index.reaching(*state).iter().map(|rule| left.rule(*rule)) {
            let others = set.iter().flat_map(|other| right_index.reaching(*other)).map(|other| right.rule(*other));
            let tuples: Vec<&[State]> = others.filter(|other| other.symbol == rule.symbol).map(|other| other.children).collect();
            let is_covered = |place: usize, chosen: &FixedBitSet| covers(rule.children[place], chosen);
            if uncovered_choice(&tuples, rule.children.len(), right.state_count(), is_covered, steps)?.is_some() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn set_of(states: &[State], automaton: &Automaton) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(automaton.state_count());
    set.extend(states.iter().map(|state| state.index()));
    set
}
