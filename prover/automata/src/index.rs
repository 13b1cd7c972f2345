//! Where the states of an automaton occur in its rules.

use crate::{
    alphabet::Symbol,
    automaton::{Automaton, State},
};

/// A place in a rule's list of children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Occurrence {
    /// The rule's symbol.
    pub symbol: Symbol,
    /// The place, counted from 0.
    pub position: usize,
    /// The position of the rule in the order of all rules.
    pub rule: usize,
}

/// For each state the rules that it occurs in, and those that reach it.
#[derive(Clone, Debug)]
pub struct Index {
    occurrences: Grouped<Occurrence>,
    reaching: Grouped<usize>,
}

impl Index {
    /// The index of an automaton.
    pub fn new(automaton: &Automaton) -> Self {
        let mut occurrences = Vec::new();
        let mut reaching = Vec::with_capacity(automaton.rule_count());
        for (rule, parts) in automaton.rules().enumerate() {
            reaching.push((parts.state, rule));
            for (position, child) in parts.children.iter().enumerate() {
                occurrences.push((*child, Occurrence { symbol: parts.symbol, position, rule }));
            }
        }
        Self { occurrences: Grouped::new(automaton.state_count(), occurrences), reaching: Grouped::new(automaton.state_count(), reaching) }
    }

    /// The places where a state is a child, sorted.
    pub fn occurrences(&self, state: State) -> &[Occurrence] {
        self.occurrences.of(state)
    }

    /// The places where a state is the child of this symbol at this position.
    pub fn occurrences_at(&self, state: State, symbol: Symbol, position: usize) -> &[Occurrence] {
        let all = self.occurrences(state);
        let start = all.partition_point(|occurrence| (occurrence.symbol, occurrence.position) < (symbol, position));
        let length = all[start..].iter().take_while(|occurrence| (occurrence.symbol, occurrence.position) == (symbol, position)).count();
        &all[start..start + length]
    }

    /// The rules that reach a state, in order.
    pub fn reaching(&self, state: State) -> &[usize] {
        self.reaching.of(state)
    }
}

/// Lists by state, one after another.
#[derive(Clone, Debug)]
struct Grouped<T> {
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T: Ord> Grouped<T> {
    fn new(state_count: usize, mut pairs: Vec<(State, T)>) -> Self {
        pairs.sort_unstable();
        let mut starts = vec![0; state_count + 1];
        for (state, _) in &pairs {
            starts[state.index() + 1] += 1;
        }
        for next in 1..starts.len() {
            starts[next] += starts[next - 1];
        }
        Self { starts, items: pairs.into_iter().map(|(_, item)| item).collect() }
    }

    fn of(&self, state: State) -> &[T] {
        &self.items[self.starts[state.index()]..self.starts[state.index() + 1]]
    }
}
