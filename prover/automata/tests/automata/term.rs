//! Trees as plain terms, and what automata make of them by definition.

use goatherd_automata::{
    alphabet::Symbol,
    automaton::{Automaton, State},
    tree::Tree,
};
use std::collections::BTreeSet;

/// A tree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Term(pub Symbol, pub Vec<Term>);

impl Term {
    pub fn size(&self) -> u64 {
        1 + self.1.iter().map(Self::size).sum::<u64>()
    }

    pub fn tree(&self) -> Tree {
        Tree::new(self.0, &self.1.iter().map(Self::tree).collect::<Vec<_>>())
    }

    pub fn from_tree(tree: &Tree) -> Self {
        let mut terms: Vec<Self> = Vec::new();
        for node in tree.nodes() {
            terms.push(Self(node.symbol, node.children.iter().map(|child| terms[*child].clone()).collect()));
        }
        terms.pop().unwrap()
    }

    /// The states that the tree reaches.
    pub fn reached(&self, automaton: &Automaton) -> BTreeSet<State> {
        let children: Vec<BTreeSet<State>> = self.1.iter().map(|child| child.reached(automaton)).collect();
        let fits = |states: &[State]| states.iter().zip(&children).all(|(state, reached)| reached.contains(state));
        automaton.rules().filter(|rule| rule.symbol == self.0 && fits(rule.children)).map(|rule| rule.state).collect()
    }

    pub fn is_accepted(&self, automaton: &Automaton) -> bool {
        self.reached(automaton).into_iter().any(|state| automaton.is_final(state))
    }

    pub fn has_shape_of(&self, other: &Self) -> bool {
        self.1.len() == other.1.len() && self.1.iter().zip(&other.1).all(|(one, two)| one.has_shape_of(two))
    }
}

/// All trees over the symbols up to a height.
pub fn terms(symbols: &[Symbol], height: usize) -> Vec<Term> {
    if height == 0 {
        return Vec::new();
    }
    let smaller = terms(symbols, height - 1);
    let mut all = Vec::new();
    for symbol in symbols {
        match symbol.rank() {
            0 => all.push(Term(*symbol, Vec::new())),
            1 => all.extend(smaller.iter().map(|child| Term(*symbol, vec![child.clone()]))),
            _ => all.extend(smaller.iter().flat_map(|one| smaller.iter().map(|two| Term(*symbol, vec![one.clone(), two.clone()])))),
        }
    }
    all
}
