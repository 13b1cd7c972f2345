//! Smaller automata of the same language.

use crate::{
    automaton::{Automaton, AutomatonBuilder, Rule, State},
    simulation::{Relation, downward_simulation, identity, upward_simulation},
    trim::trim,
};

/// An automaton of the same language with no more states and rules: without useless states, its states merged where they simulate each
/// other downwards or upwards, and without rules and final states that others make superfluous.
pub fn reduce(automaton: &Automaton) -> Automaton {
    let mut reduced = trim(automaton).automaton;
    loop {
        let before = (reduced.state_count(), reduced.rule_count());
        reduced = merged(&reduced, &downward_simulation(&reduced, &reduced));
        reduced = trim(&pruned(&reduced, &downward_simulation(&reduced, &reduced))).automaton;
        // Upward simulation induced by the identity: only so may the states be merged.
        reduced = merged(&reduced, &upward_simulation(&reduced, &reduced, &identity(&reduced)));
        if (reduced.state_count(), reduced.rule_count()) == before {
            return reduced;
        }
    }
}

/// Merges the states that are related both ways.
fn merged(automaton: &Automaton, preorder: &Relation) -> Automaton {
    let representatives = preorder.representatives();
    let mut names = vec![None; automaton.state_count()];
    let mut count = 0;
    for (state, representative) in representatives.iter().enumerate() {
        names[state] = if representative.index() == state {
            count += 1;
            Some(State::new(count - 1))
        } else {
            // A representative is the smallest of its class and has its name already.
            names[representative.index()]
        };
    }
    automaton.renamed(count, |state| names[state.index()])
}

/// Leaves out each rule beside which there is one for the same symbol and state whose children simulate its own, and the mark of each final
/// state that another one simulates. `downward` is a partial order: no two states simulate each other.
///
/// A tree whose run uses such a rule at its root has one with a rule that is kept, since simulation is transitive and finite; by induction
/// on the size of the tree so have its subtrees.
fn pruned(automaton: &Automaton, downward: &Relation) -> Automaton {
    let index = crate::index::Index::new(automaton);
    let is_superfluous = |number: usize, rule: Rule<'_>| {
        index.reaching(rule.state).iter().filter(|other| **other != number).map(|other| automaton.rule(*other)).any(|other| {
            other.symbol == rule.symbol
                && rule.children.iter().zip(other.children).all(|(child, greater)| downward.contains(*child, *greater))
        })
    };
    let mut builder = AutomatonBuilder::with_states(automaton.state_count());
    for (_, rule) in automaton.rules().enumerate().filter(|(number, rule)| !is_superfluous(*number, *rule)) {
        builder.add_rule(rule.symbol, rule.children, rule.state);
    }
    for state in automaton.final_states() {
        if !automaton.final_states().any(|other| other != state && downward.contains(state, other)) {
            builder.accept(state);
        }
    }
    builder.build()
}
