//! A smallest tree of a language, or none.

use crate::{
    automaton::{Automaton, State},
    index::Index,
    tree::Tree,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// An accepted tree with the fewest nodes, or `None` where no tree is accepted.
///
/// Knuth, *A generalization of Dijkstra's algorithm* (1977): states are settled in the order of the size of their smallest tree.
pub fn smallest_tree(automaton: &Automaton) -> Option<Tree> {
    let found = smallest_rules(automaton);
    let best = automaton.final_states().filter_map(|state| Some((found[state.index()]?.0, state))).min()?;
    Some(Tree::unfold(best.1.index(), |state| match found[state] {
        Some((_, rule)) => {
            let rule = automaton.rule(rule);
            (rule.symbol, rule.children.iter().map(|child| child.index()).collect())
        }
        None => unreachable!("the children of a settled rule are settled"),
    }))
}

/// Is no tree accepted?
pub fn is_empty(automaton: &Automaton) -> bool {
    crate::trim::reachable(automaton).is_disjoint(automaton.finals())
}

/// For each state the size of its smallest tree and the last rule of a run on it; `None` where no tree reaches it.
pub(super) fn smallest_rules(automaton: &Automaton) -> Vec<Option<(u64, usize)>> {
    let index = Index::new(automaton);
    let mut found: Vec<Option<(u64, usize)>> = vec![None; automaton.state_count()];
    // For each rule the places that are not settled yet, and the size of the tree so far.
    let mut open: Vec<(usize, u64)> = automaton.rules().map(|rule| (rule.children.len(), 1)).collect();
    let leaves = automaton.rules().enumerate().filter(|(_, rule)| rule.children.is_empty());
    let mut queue: BinaryHeap<Reverse<(u64, State, usize)>> = leaves.map(|(number, rule)| Reverse((1, rule.state, number))).collect();
    while let Some(Reverse((size, state, rule))) = queue.pop() {
        if found[state.index()].is_some() {
            continue;
        }
        found[state.index()] = Some((size, rule));
        for occurrence in index.occurrences(state) {
            let (missing, sum) = &mut open[occurrence.rule];
            *missing -= 1;
            *sum = sum.saturating_add(size);
            if *missing == 0 {
                queue.push(Reverse((*sum, automaton.rule(occurrence.rule).state, occurrence.rule)));
            }
        }
    }
    found
}
