//! The trees of a language, one after another.

use crate::{
    alphabet::Symbol,
    automaton::Automaton,
    steps::{Exhausted, Steps},
    subsets::{SetId, Subsets},
    tree::Tree,
    tuples::Tuples,
};

/// Which trees are enumerated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Those of at most this height; a leaf has height 1.
    Height(usize),
    /// Those of at most so many nodes.
    Size(u64),
}

/// The accepted trees within the bound, each once, by height, then in the order of their symbols and subtrees. A step is a tree that is
/// tried as a subtree.
pub fn accepted_trees(automaton: &Automaton, bound: Bound, steps: &mut Steps) -> Result<Vec<Tree>, Exhausted> {
    let mut subsets = Subsets::new(automaton);
    let mut symbols: Vec<Symbol> = automaton.rules().map(|rule| rule.symbol).collect();
    symbols.dedup();
    let mut known: Vec<Partial> = Vec::new();
    // The trees from here on have the last height.
    let mut last = 0;
    for height in 1.. {
        if matches!(bound, Bound::Height(limit) if height > limit) {
            break;
        }
        let count = known.len();
        for symbol in symbols.iter().filter(|symbol| (symbol.rank() == 0) == (height == 1)) {
            let mut choices = Tuples::new(vec![count; symbol.rank()]);
            while let Some(choice) = choices.advance() {
                steps.take()?;
                let is_new = height == 1 || choice.iter().any(|child| *child >= last);
                let size = choice.iter().fold(1, |sum: u64, child| sum.saturating_add(known[*child].size));
                if !is_new || matches!(bound, Bound::Size(limit) if size > limit) {
                    continue;
                }
                let sets: Vec<SetId> = choice.iter().map(|child| known[*child].reached).collect();
                let reached = subsets.post(*symbol, &sets);
                // A tree that reaches no state is part of no accepted one.
                if subsets.size(reached) > 0 {
                    known.push(Partial { symbol: *symbol, children: choice.to_vec(), size, reached });
                }
            }
        }
        if known.len() == count {
            break;
        }
        last = count;
    }
    let is_accepted = |tree: &usize| !subsets.set(known[*tree].reached).is_disjoint(automaton.finals());
    let tree = |root: usize| Tree::unfold(root, |tree| (known[tree].symbol, known[tree].children.clone()));
    Ok((0..known.len()).filter(is_accepted).map(tree).collect())
}

/// A tree that reaches some state.
struct Partial {
    symbol: Symbol,
    children: Vec<usize>,
    size: u64,
    reached: SetId,
}
