//! Products: pairs of states that one tree reaches together.

use crate::{
    alphabet::Symbol,
    automaton::{Automaton, AutomatonBuilder, State},
    index::Index,
};
use rustc_hash::FxHashMap;

/// A product automaton and what its states stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Product {
    /// The automaton. Every state is reached by some tree; a pair is final where both of its states are.
    pub automaton: Automaton,
    /// For each of its states the pair that it stands for.
    pub pairs: Vec<(State, State)>,
}

/// Which rules go together in a product, and under which symbol.
pub trait Matching {
    /// What a rule of the left automaton is matched by.
    fn left(&self, symbol: Symbol) -> Symbol;
    /// What a rule of the right automaton is matched by.
    fn right(&self, symbol: Symbol) -> Symbol;
    /// The symbol of the combined rule, of the same rank.
    fn combined(&mut self, left: Symbol, right: Symbol) -> Symbol;
}

/// Rules of the same symbol go together.
#[derive(Clone, Copy, Debug)]
pub struct SameSymbol;

impl Matching for SameSymbol {
    fn left(&self, symbol: Symbol) -> Symbol {
        symbol
    }

    fn right(&self, symbol: Symbol) -> Symbol {
        symbol
    }

    fn combined(&mut self, left: Symbol, _right: Symbol) -> Symbol {
        left
    }
}

/// The automaton of the trees that both accept.
pub fn intersection(left: &Automaton, right: &Automaton) -> Product {
    product(left, right, &mut SameSymbol)
}

/// The pairs of states that matching trees reach, with the combined rules.
pub fn product(left: &Automaton, right: &Automaton, matching: &mut impl Matching) -> Product {
    let mut search = Search { left, right, numbers: FxHashMap::default(), pairs: Vec::new(), builder: AutomatonBuilder::new() };
    // The symbols of the right automaton that match a symbol.
    let mut partners: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
    let mut previous = None;
    for symbol in right.rules().map(|rule| rule.symbol) {
        if previous.replace(symbol) != Some(symbol) {
            partners.entry(matching.right(symbol)).or_default().push(symbol);
        }
    }
    let mut right_leaves: FxHashMap<Symbol, Vec<State>> = FxHashMap::default();
    for rule in right.rules().filter(|rule| rule.children.is_empty()) {
        right_leaves.entry(rule.symbol).or_default().push(rule.state);
    }
    for rule in left.rules().filter(|rule| rule.children.is_empty()) {
        for partner in partners.get(&matching.left(rule.symbol)).into_iter().flatten() {
            let combined = matching.combined(rule.symbol, *partner);
            for state in right_leaves.get(partner).into_iter().flatten() {
                search.add(combined, &[], (rule.state, *state));
            }
        }
    }
    let (left_index, right_index) = (Index::new(left), Index::new(right));
    let mut next = 0;
    while let Some((one, other)) = search.pairs.get(next).copied() {
        next += 1;
        for occurrence in left_index.occurrences(one) {
            for partner in partners.get(&matching.left(occurrence.symbol)).into_iter().flatten() {
                let rules = right_index.occurrences_at(other, *partner, occurrence.position);
                if !rules.is_empty() {
                    let combined = matching.combined(occurrence.symbol, *partner);
                    for with in rules {
                        search.join(combined, occurrence.rule, with.rule);
                    }
                }
            }
        }
    }
    Product { automaton: search.builder.build(), pairs: search.pairs }
}

struct Search<'a> {
    left: &'a Automaton,
    right: &'a Automaton,
    numbers: FxHashMap<(State, State), State>,
    pairs: Vec<(State, State)>,
    builder: AutomatonBuilder,
}

impl Search<'_> {
    /// Adds the combination of two rules if all pairs of their children are known. It is found once more with each of them; the builder
    /// keeps one.
    fn join(&mut self, symbol: Symbol, left: usize, right: usize) {
        let (left, right) = (self.left.rule(left), self.right.rule(right));
        let children: Option<Vec<State>> =
            left.children.iter().zip(right.children).map(|(one, other)| self.numbers.get(&(*one, *other)).copied()).collect();
        if let Some(children) = children {
            self.add(symbol, &children, (left.state, right.state));
        }
    }

    fn add(&mut self, symbol: Symbol, children: &[State], pair: (State, State)) {
        let Self { left, right, numbers, pairs, builder } = self;
        let state = *numbers.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            let state = builder.add_state();
            if left.is_final(pair.0) && right.is_final(pair.1) {
                builder.accept(state);
            }
            state
        });
        builder.add_rule(symbol, children, state);
    }
}

/// The automaton of the trees that one of the two accepts: the states of the left one, then those of the right one.
pub fn union(left: &Automaton, right: &Automaton) -> Automaton {
    let mut builder = AutomatonBuilder::new();
    builder.add_automaton(left);
    builder.add_automaton(right);
    builder.build()
}
