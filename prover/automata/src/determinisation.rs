//! Determinisation and complement.

use crate::{
    alphabet::Symbol,
    automaton::{Automaton, AutomatonBuilder, State},
    steps::{Exhausted, Steps},
    subsets::{SetId, Subsets},
    tuples::Tuples,
};
use rustc_hash::FxHashMap;

/// The complete deterministic automaton of the same language over these symbols: every tree over them reaches exactly one state. Each of
/// its states stands for the set of states that a tree reaches; some tree reaches it. A step is a rule of the result.
pub fn determinise(automaton: &Automaton, symbols: &[Symbol], steps: &mut Steps) -> Result<Automaton, Exhausted> {
    let mut subsets = Subsets::new(automaton);
    let mut builder = AutomatonBuilder::new();
    let mut states: FxHashMap<SetId, State> = FxHashMap::default();
    let mut sets: Vec<SetId> = Vec::new();
    // The rules whose children are among the first `closed` states, and were not among fewer.
    let mut closed = 0;
    loop {
        for symbol in symbols {
            // Before anything is closed only leaves can be read, and afterwards no leaf again; the state that is added is a child.
            let is_due = if closed == 0 { symbol.rank() == 0 } else { symbol.rank() > 0 };
            let mut choices = Tuples::new(vec![if is_due { closed } else { 0 }; symbol.rank()]);
            while let Some(choice) = if is_due { choices.advance() } else { None } {
                if closed > 0 && !choice.contains(&(closed - 1)) {
                    continue;
                }
                steps.take()?;
                let children: Vec<SetId> = choice.iter().map(|child| sets[*child]).collect();
                let set = subsets.post(*symbol, &children);
                let state = *states.entry(set).or_insert_with(|| {
                    sets.push(set);
                    builder.add_state()
                });
                let children: Vec<State> = choice.iter().map(|child| State::new(*child)).collect();
                builder.add_rule(*symbol, &children, state);
            }
        }
        if closed == sets.len() {
            break;
        }
        closed += 1;
    }
    for (state, set) in sets.iter().enumerate() {
        if !subsets.set(*set).is_disjoint(automaton.finals()) {
            builder.accept(State::new(state));
        }
    }
    Ok(builder.build())
}

/// The automaton of all trees over these symbols that are not accepted; deterministic and complete. A step is one of its rules.
pub fn complement(automaton: &Automaton, symbols: &[Symbol], steps: &mut Steps) -> Result<Automaton, Exhausted> {
    let deterministic = determinise(automaton, symbols, steps)?;
    let others: Vec<State> = deterministic.states().filter(|state| !deterministic.is_final(*state)).collect();
    Ok(deterministic.with_finals(others))
}
