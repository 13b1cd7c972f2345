//! States that matter: reached by a tree, and leading to acceptance.

use crate::{
    automaton::{Automaton, State},
    index::Index,
};
use fixedbitset::FixedBitSet;

/// The states that some tree reaches.
pub fn reachable(automaton: &Automaton) -> FixedBitSet {
    let index = Index::new(automaton);
    let mut reached = FixedBitSet::with_capacity(automaton.state_count());
    // For each rule the number of its places whose state is not reached yet.
    let mut missing: Vec<usize> = automaton.rules().map(|rule| rule.children.len()).collect();
    let mut stack = Vec::new();
    for rule in automaton.rules().filter(|rule| rule.children.is_empty()) {
        if !reached.put(rule.state.index()) {
            stack.push(rule.state);
        }
    }
    while let Some(state) = stack.pop() {
        for occurrence in index.occurrences(state) {
            missing[occurrence.rule] -= 1;
            let target = automaton.rule(occurrence.rule).state;
            if missing[occurrence.rule] == 0 && !reached.put(target.index()) {
                stack.push(target);
            }
        }
    }
    reached
}

/// The states that occur in an accepting run whose other states are among `reachable`.
pub fn productive(automaton: &Automaton, reachable: &FixedBitSet) -> FixedBitSet {
    let index = Index::new(automaton);
    let mut useful = automaton.finals().clone();
    useful.intersect_with(reachable);
    let mut stack: Vec<State> = useful.ones().map(State::new).collect();
    while let Some(state) = stack.pop() {
        for rule in index.reaching(state).iter().map(|rule| automaton.rule(*rule)) {
            if rule.children.iter().all(|child| reachable.contains(child.index())) {
                for child in rule.children {
                    if !useful.put(child.index()) {
                        stack.push(*child);
                    }
                }
            }
        }
    }
    useful
}

/// An automaton without useless states, and where its states come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trimmed {
    /// The automaton: every state occurs in an accepting run.
    pub automaton: Automaton,
    /// For each of its states the one that it was, in ascending order.
    pub origins: Vec<State>,
}

/// Leaves out the states that occur in no accepting run, and their rules.
pub fn trim(automaton: &Automaton) -> Trimmed {
    keep(automaton, &productive(automaton, &reachable(automaton)))
}

/// Leaves out the states that are not in this set, and their rules.
pub fn keep(automaton: &Automaton, kept: &FixedBitSet) -> Trimmed {
    let origins: Vec<State> = kept.ones().map(State::new).collect();
    let mut names = vec![None; automaton.state_count()];
    for (name, origin) in origins.iter().enumerate() {
        names[origin.index()] = Some(State::new(name));
    }
    Trimmed { automaton: automaton.renamed(origins.len(), |state| names[state.index()]), origins }
}
