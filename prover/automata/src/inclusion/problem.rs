//! The two automata of a question, without what does not matter, and the simulation between them.

use crate::{
    automaton::{Automaton, Rule, State},
    index::Index,
    simulation::{Relation, downward_simulation},
    trim::{Trimmed, keep, productive, reachable},
};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A question of inclusion.
#[derive(Debug)]
pub struct Problem {
    /// The left automaton without useless states.
    pub left: Trimmed,
    /// The right automaton without useless states.
    pub right: Trimmed,
    /// The states on the left that some tree reaches, but no accepted one.
    pub useless: Vec<State>,
    /// The states on the left that no tree reaches.
    pub unreached: Vec<State>,
    /// The largest downward simulation between the two.
    pub simulation: Relation,
}

impl Problem {
    /// The question whether every tree of `left` is in `right`.
    pub fn new(left: &Automaton, right: &Automaton) -> Self {
        let reached = reachable(left);
        let productive_left = productive(left, &reached);
        let useless = reached.difference(&productive_left).map(State::new).collect();
        let unreached = left.states().filter(|state| !reached.contains(state.index())).collect();
        let left = keep(left, &productive_left);
        let right = keep(right, &productive(right, &reachable(right)));
        let simulation = downward_simulation(&left.automaton, &right.automaton);
        Self { left, right, useless, unreached, simulation }
    }

    /// Pairs that show the inclusion as a simulation, as states of the automata that were given, sorted; or `None` if no simulation does.
    pub fn simulation_pairs(&self) -> Option<Vec<(State, State)>> {
        let (left, right) = (&self.left.automaton, &self.right.automaton);
        let finals = right.finals();
        let partner = |state: State| self.simulation.row(state).intersection(finals).next().map(|partner| (state, State::new(partner)));
        let roots: Option<Vec<(State, State)>> = left.final_states().map(partner).collect();
        let (left_index, right_index) = (Index::new(left), Index::new(right));
        let mut needed: FxHashSet<(State, State)> = FxHashSet::default();
        let mut stack = roots?;
        while let Some(pair) = stack.pop() {
            if !needed.insert(pair) {
                continue;
            }
            for rule in left_index.reaching(pair.0).iter().map(|rule| left.rule(*rule)) {
                let counterparts =
                    right_index.reaching(pair.1).iter().map(|rule| right.rule(*rule)).filter(|other| self.is_simulated(rule, *other));
                let missing =
                    |other: &Rule<'_>| rule.children.iter().zip(other.children).filter(|(q, r)| !needed.contains(&(**q, **r))).count();
                // Pairs that are needed anyway keep the witness small.
                let best = counterparts.min_by_key(missing)?;
                stack.extend(rule.children.iter().copied().zip(best.children.iter().copied()));
            }
        }
        let origin = |(q, r): (State, State)| (self.left.origins[q.index()], self.right.origins[r.index()]);
        Some(needed.into_iter().map(origin).collect::<BTreeSet<_>>().into_iter().collect())
    }

    fn is_simulated(&self, rule: Rule<'_>, other: Rule<'_>) -> bool {
        rule.symbol == other.symbol && rule.children.iter().zip(other.children).all(|(q, r)| self.simulation.contains(*q, *r))
    }

    /// States of the right automaton as they were given.
    pub fn right_origins(&self, states: &FixedBitSet) -> Vec<State> {
        states.ones().map(|state| self.right.origins[state]).collect()
    }
}
