//! Sets of states, interned, and the set that a symbol leads to.
//!
//! Determinisation, upward inclusion and downward simulation all ask the same question: which states does `symbol` reach from children in
//! these sets? The sets that occur are few compared with the questions, so each set is stored once and each answer is remembered.

use crate::{
    alphabet::Symbol,
    automaton::{Automaton, State},
    index::Index,
};
use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// An interned set: equal sets have equal numbers, in order of first mention.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SetId(usize);

impl SetId {
    /// Its number, as an index.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The sets of states of one automaton that a construction has met.
#[derive(Debug)]
pub struct Subsets<'a> {
    automaton: &'a Automaton,
    index: Index,
    sets: IndexSet<FixedBitSet, FxBuildHasher>,
    sizes: Vec<usize>,
    /// Answers for symbols of at most two children; a missing child is the set 0.
    narrow: FxHashMap<(Symbol, [SetId; 2]), SetId>,
    wide: FxHashMap<(Symbol, Vec<SetId>), SetId>,
    /// The states that a symbol without children reaches.
    leaves: FxHashMap<Symbol, FixedBitSet>,
}

impl<'a> Subsets<'a> {
    /// Without sets.
    pub fn new(automaton: &'a Automaton) -> Self {
        let mut leaves: FxHashMap<Symbol, FixedBitSet> = FxHashMap::default();
        for rule in automaton.rules().filter(|rule| rule.children.is_empty()) {
            let set = leaves.entry(rule.symbol).or_insert_with(|| FixedBitSet::with_capacity(automaton.state_count()));
            set.insert(rule.state.index());
        }
        Self {
            automaton,
            index: Index::new(automaton),
            sets: IndexSet::default(),
            sizes: Vec::new(),
            narrow: FxHashMap::default(),
            wide: FxHashMap::default(),
            leaves,
        }
    }

    /// Interns a set over all states of the automaton.
    pub fn intern(&mut self, set: FixedBitSet) -> SetId {
        let size = set.count_ones(..);
        let (number, is_new) = self.sets.insert_full(set);
        if is_new {
            self.sizes.push(size);
        }
        SetId(number)
    }

    /// The states of a set.
    pub fn set(&self, set: SetId) -> &FixedBitSet {
        &self.sets[set.0]
    }

    /// How many states a set has.
    pub fn size(&self, set: SetId) -> usize {
        self.sizes[set.0]
    }

    /// The states that `symbol` reaches from children in these sets.
    pub fn post(&mut self, symbol: Symbol, children: &[SetId]) -> SetId {
        let key = [children.first().copied().unwrap_or(SetId(0)), children.get(1).copied().unwrap_or(SetId(0))];
        let known = if children.len() <= 2 { self.narrow.get(&(symbol, key)) } else { self.wide.get(&(symbol, children.to_vec())) };
        if let Some(set) = known {
            return *set;
        }
        let set = self.compute(symbol, children);
        let set = self.intern(set);
        if children.len() <= 2 {
            self.narrow.insert((symbol, key), set);
        } else {
            self.wide.insert((symbol, children.to_vec()), set);
        }
        set
    }

    fn compute(&self, symbol: Symbol, children: &[SetId]) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.automaton.state_count());
        // The rules are found by way of the smallest set.
        let Some((position, smallest)) = children.iter().enumerate().min_by_key(|(_, child)| self.size(**child)) else {
            return self.leaves.get(&symbol).cloned().unwrap_or(reached);
        };
        for state in self.set(*smallest).ones().map(State::new) {
            for occurrence in self.index.occurrences_at(state, symbol, position) {
                let rule = self.automaton.rule(occurrence.rule);
                if rule.children.iter().zip(children).all(|(child, set)| self.set(*set).contains(child.index())) {
                    reached.insert(rule.state.index());
                }
            }
        }
        reached
    }
}
