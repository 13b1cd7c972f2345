//! Inclusion from the leaves upwards, with antichains.
//!
//! A pair `(q, P)` stands for the trees that reach `q` on the left and exactly the states `P` on the right. Of two pairs with the same
//! state, the one with the smaller set is further from acceptance on the right: the other need not be followed. Pairs with small sets are
//! followed first, since they make more others superfluous, and since a difference is a pair whose set holds no final state.

use super::{
    answer::{Inclusion, InclusionWitness},
    problem::Problem,
};
use crate::{
    alphabet::Symbol,
    automaton::{Automaton, State},
    index::Index,
    steps::{Exhausted, Steps},
    subsets::{SetId, Subsets},
    tree::Tree,
    tuples::Tuples,
};
use rustc_hash::FxHashSet;
use std::{cmp::Reverse, collections::BinaryHeap};

/// Decides the inclusion.
pub fn search(problem: &Problem, steps: &mut Steps) -> Result<Inclusion, Exhausted> {
    let mut search = Search::new(&problem.left.automaton, &problem.right.automaton);
    if let Some(difference) = search.run(steps)? {
        return Ok(Inclusion::NotIncluded(search.tree(difference)));
    }
    let mut pairs: Vec<(State, Vec<State>)> = problem.useless.iter().map(|state| (*state, Vec::new())).collect();
    for pair in search.antichain.iter().flatten().map(|pair| &search.pairs[*pair]) {
        pairs.push((problem.left.origins[pair.state.index()], problem.right_origins(search.subsets.set(pair.set))));
    }
    pairs.sort_unstable();
    Ok(Inclusion::Included(InclusionWitness::Antichain(pairs)))
}

/// A state on the left, a set of states on the right, and the last step of trees that reach both.
#[derive(Debug)]
struct Pair {
    state: State,
    set: SetId,
    symbol: Symbol,
    children: Vec<usize>,
    is_superfluous: bool,
}

struct Search<'a> {
    left: &'a Automaton,
    right: &'a Automaton,
    index: Index,
    subsets: Subsets<'a>,
    pairs: Vec<Pair>,
    /// For each state on the left the pairs that are not superfluous.
    antichain: Vec<Vec<usize>>,
    /// For each state on the left the pairs among them that were followed.
    followed: Vec<Vec<usize>>,
    /// Pairs that were met, superfluous or not.
    met: FxHashSet<(State, SetId)>,
    /// Pairs to follow: those with small sets first, then older ones.
    waiting: BinaryHeap<Reverse<(usize, usize)>>,
}

impl<'a> Search<'a> {
    fn new(left: &'a Automaton, right: &'a Automaton) -> Self {
        Self {
            left,
            right,
            index: Index::new(left),
            subsets: Subsets::new(right),
            pairs: Vec::new(),
            antichain: vec![Vec::new(); left.state_count()],
            followed: vec![Vec::new(); left.state_count()],
            met: FxHashSet::default(),
            waiting: BinaryHeap::new(),
        }
    }

    /// Follows all pairs; the number of one that shows a difference.
    fn run(&mut self, steps: &mut Steps) -> Result<Option<usize>, Exhausted> {
        for rule in self.left.rules().filter(|rule| rule.children.is_empty()) {
            steps.take()?;
            if let Some(difference) = self.meet(rule.symbol, &[], rule.state) {
                return Ok(Some(difference));
            }
        }
        while let Some(Reverse((_, pair))) = self.waiting.pop() {
            if self.pairs[pair].is_superfluous {
                continue;
            }
            let state = self.pairs[pair].state;
            self.followed[state.index()].push(pair);
            for occurrence in 0..self.index.occurrences(state).len() {
                if let Some(difference) = self.follow(pair, occurrence, steps)? {
                    return Ok(Some(difference));
                }
            }
        }
        Ok(None)
    }

    /// Follows a pair where its state is a child, with all choices of followed pairs for the other children.
    fn follow(&mut self, pair: usize, occurrence: usize, steps: &mut Steps) -> Result<Option<usize>, Exhausted> {
        let occurrence = self.index.occurrences(self.pairs[pair].state)[occurrence];
        let rule = self.left.rule(occurrence.rule);
        // A choice that names the pair at several places is made at the first of them.
        let candidates = rule.children.iter().enumerate().map(|(place, child)| match place.cmp(&occurrence.position) {
            std::cmp::Ordering::Less => self.followed[child.index()].iter().copied().filter(|other| *other != pair).collect(),
            std::cmp::Ordering::Equal => vec![pair],
            std::cmp::Ordering::Greater => self.followed[child.index()].clone(),
        });
        let candidates: Vec<Vec<usize>> = candidates.collect();
        let mut choices = Tuples::new(candidates.iter().map(Vec::len).collect());
        let mut children = Vec::with_capacity(candidates.len());
        while let Some(choice) = choices.advance() {
            steps.take()?;
            children.clear();
            children.extend(choice.iter().zip(&candidates).map(|(chosen, candidates)| candidates[*chosen]));
            // A pair that has become superfluous on the way is followed by the one that made it so.
            if children.iter().all(|child| !self.pairs[*child].is_superfluous)
                && let Some(difference) = self.meet(rule.symbol, &children, rule.state)
            {
                return Ok(Some(difference));
            }
        }
        Ok(None)
    }

    /// Meets the pair that a rule makes of others; its number, if it shows a difference.
    fn meet(&mut self, symbol: Symbol, children: &[usize], state: State) -> Option<usize> {
        let sets: Vec<SetId> = children.iter().map(|child| self.pairs[*child].set).collect();
        let set = self.subsets.post(symbol, &sets);
        if !self.met.insert((state, set)) {
            return None;
        }
        let Self { subsets, pairs, antichain, followed, .. } = self;
        let (states, size) = (subsets.set(set), subsets.size(set));
        let known = &mut antichain[state.index()];
        if known.iter().any(|other| subsets.size(pairs[*other].set) <= size && subsets.set(pairs[*other].set).is_subset(states)) {
            return None;
        }
        let before = known.len();
        known.retain(|other| {
            let is_superfluous = subsets.size(pairs[*other].set) > size && states.is_subset(subsets.set(pairs[*other].set));
            pairs[*other].is_superfluous = is_superfluous;
            !is_superfluous
        });
        if known.len() < before {
            followed[state.index()].retain(|other| !pairs[*other].is_superfluous);
        }
        let number = pairs.len();
        known.push(number);
        let is_difference = self.left.is_final(state) && states.is_disjoint(self.right.finals());
        pairs.push(Pair { state, set, symbol, children: children.to_vec(), is_superfluous: false });
        self.waiting.push(Reverse((size, number)));
        is_difference.then_some(number)
    }

    /// A tree that reaches a pair.
    fn tree(&self, pair: usize) -> Tree {
        Tree::unfold(pair, |pair| (self.pairs[pair].symbol, self.pairs[pair].children.clone()))
    }
}
