//! Downward and upward simulation.
//!
//! A relation is refined from above until it is a simulation. States with the same simulators share one interned set, as the blocks of a
//! partition share a row of its relation (Ranzato and Tapparo's representation), and what a symbol makes of such sets is computed once
//! for all the rules that ask. States are looked at children first, and again only when the set of a neighbour has shrunk.

use crate::{
    alphabet::Symbol,
    automaton::{Automaton, State},
    index::Index,
    subsets::{SetId, Subsets},
};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A relation between the states of two automata: for each state of the left one those of the right one that are related to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    rows: Vec<FixedBitSet>,
}

impl Relation {
    /// The relation with these rows, one for each state on the left, each a set over all states on the right.
    pub fn new(rows: Vec<FixedBitSet>) -> Self {
        Self { rows }
    }

    /// The states related to this one.
    pub fn row(&self, state: State) -> &FixedBitSet {
        &self.rows[state.index()]
    }

    /// Are the two related?
    pub fn contains(&self, left: State, right: State) -> bool {
        self.rows[left.index()].contains(right.index())
    }

    /// The pairs, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (State, State)> + '_ {
        self.rows.iter().enumerate().flat_map(|(left, row)| row.ones().map(move |right| (State::new(left), State::new(right))))
    }

    /// For each state the smallest one that is related to it both ways: the classes of the equivalence in a preorder.
    pub fn representatives(&self) -> Vec<State> {
        let related = |left: usize| self.rows[left].ones().find(|right| self.rows[*right].contains(left)).unwrap_or(left);
        (0..self.rows.len()).map(|state| State::new(related(state))).collect()
    }
}

/// The equality of states of an automaton.
pub fn identity(automaton: &Automaton) -> Relation {
    let row = |state: State| {
        let mut row = FixedBitSet::with_capacity(automaton.state_count());
        row.insert(state.index());
        row
    };
    Relation::new(automaton.states().map(row).collect())
}

/// The largest downward simulation: `r` simulates `q` where for every rule `f(q1..qn) -> q` on the left there is a rule `f(r1..rn) -> r` on
/// the right such that each `ri` simulates `qi`. Then every tree that reaches `q` reaches `r` too.
pub fn downward_simulation(left: &Automaton, right: &Automaton) -> Relation {
    let index = Index::new(left);
    let mut subsets = Subsets::new(right);
    let mut all = FixedBitSet::with_capacity(right.state_count());
    all.insert_range(..);
    let all = subsets.intern(all);
    let mut rows = vec![all; left.state_count()];
    let order = children_first(left, &index);
    let mut ranks = vec![0; left.state_count()];
    for (rank, state) in order.iter().enumerate() {
        ranks[state.index()] = rank;
    }
    let mut waiting: BTreeSet<usize> = (0..order.len()).collect();
    let mut children = Vec::new();
    while let Some(state) = waiting.pop_first().map(|rank| order[rank]) {
        let mut row = subsets.set(rows[state.index()]).clone();
        for rule in index.reaching(state).iter().map(|rule| left.rule(*rule)) {
            children.clear();
            children.extend(rule.children.iter().map(|child| rows[child.index()]));
            let reached = subsets.post(rule.symbol, &children);
            row.intersect_with(subsets.set(reached));
        }
        let row = subsets.intern(row);
        if row != rows[state.index()] {
            rows[state.index()] = row;
            waiting.extend(index.occurrences(state).iter().map(|occurrence| ranks[left.rule(occurrence.rule).state.index()]));
        }
    }
    Relation::new(rows.into_iter().map(|row| subsets.set(row).clone()).collect())
}

/// The largest upward simulation induced by a downward one: `r` simulates `q` where `r` is final if `q` is, and for every rule
/// `f(..q..) -> p` on the left there is a rule `f(..r..) -> s` on the right at the same place such that `s` simulates `p` and the other
/// children are related by `downward`. Then every context that leads `q` to acceptance leads `r` there.
///
/// Abdulla, Bouajjani, Holík, Kaati, Vojnar, *Computing simulations over tree automata* (2008).
pub fn upward_simulation(left: &Automaton, right: &Automaton, downward: &Relation) -> Relation {
    let (left_index, right_index) = (Index::new(left), Index::new(right));
    let mut sets = Subsets::new(right);
    let mut every = FixedBitSet::with_capacity(right.state_count());
    every.insert_range(..);
    let every = sets.intern(every);
    let finals = sets.intern(right.finals().clone());
    let mut rows: Vec<SetId> = left.states().map(|state| if left.is_final(state) { finals } else { every }).collect();
    let siblings: Vec<SetId> = left.states().map(|state| sets.intern(downward.row(state).clone())).collect();
    let order: Vec<State> = children_first(left, &left_index).into_iter().rev().collect();
    let mut ranks = vec![0; left.state_count()];
    for (rank, state) in order.iter().enumerate() {
        ranks[state.index()] = rank;
    }
    let mut waiting: BTreeSet<usize> = (0..order.len()).collect();
    let mut known: FxHashMap<Question, FixedBitSet> = FxHashMap::default();
    while let Some(state) = waiting.pop_first().map(|rank| order[rank]) {
        let mut row = sets.set(rows[state.index()]).clone();
        for occurrence in left_index.occurrences(state) {
            let rule = left.rule(occurrence.rule);
            let mut children: Vec<SetId> = rule.children.iter().map(|child| siblings[child.index()]).collect();
            // The place of the state itself may hold anything.
            children[occurrence.position] = every;
            let question = Question { symbol: rule.symbol, position: occurrence.position, children, state: rows[rule.state.index()] };
            let answer = known.entry(question).or_insert_with_key(|question| pre(right, &right_index, &sets, question));
            row.intersect_with(answer);
        }
        let row = sets.intern(row);
        if row != rows[state.index()] {
            rows[state.index()] = row;
            for rule in left_index.reaching(state) {
                waiting.extend(left.rule(*rule).children.iter().map(|child| ranks[child.index()]));
            }
        }
    }
    Relation::new(rows.into_iter().map(|row| sets.set(row).clone()).collect())
}

/// Which states stand at this place of a rule for the symbol, with children and result in these sets?
#[derive(PartialEq, Eq, Hash, Debug)]
struct Question {
    symbol: Symbol,
    position: usize,
    children: Vec<SetId>,
    state: SetId,
}

fn pre(automaton: &Automaton, index: &Index, sets: &Subsets<'_>, question: &Question) -> FixedBitSet {
    let mut found = FixedBitSet::with_capacity(automaton.state_count());
    let mut add = |rule: usize| {
        let rule = automaton.rule(rule);
        let fits = rule.symbol == question.symbol
            && sets.set(question.state).contains(rule.state.index())
            && rule.children.iter().zip(&question.children).all(|(child, set)| sets.set(*set).contains(child.index()));
        if fits {
            found.insert(rule.children[question.position].index());
        }
    };
    // The rules are found by way of the smallest set.
    match question.children.iter().enumerate().min_by_key(|(_, set)| sets.size(**set)) {
        Some((place, set)) if sets.size(*set) < sets.size(question.state) => {
            for state in sets.set(*set).ones().map(State::new) {
                index.occurrences_at(state, question.symbol, place).iter().for_each(|occurrence| add(occurrence.rule));
            }
        }
        _ => {
            for state in sets.set(question.state).ones().map(State::new) {
                index.reaching(state).iter().for_each(|rule| add(*rule));
            }
        }
    }
    found
}

/// All states, children before the states that their rules reach, as far as there are no cycles.
fn children_first(automaton: &Automaton, index: &Index) -> Vec<State> {
    let mut order = Vec::with_capacity(automaton.state_count());
    let mut seen = FixedBitSet::with_capacity(automaton.state_count());
    // A state and the number of its rules that were looked at.
    let mut stack: Vec<(State, usize)> = Vec::new();
    for start in automaton.states() {
        if !seen.put(start.index()) {
            stack.push((start, 0));
        }
        while let Some((state, looked_at)) = stack.pop() {
            match index.reaching(state).get(looked_at) {
                None => order.push(state),
                Some(rule) => {
                    stack.push((state, looked_at + 1));
                    for child in automaton.rule(*rule).children {
                        if !seen.put(child.index()) {
                            stack.push((*child, 0));
                        }
                    }
                }
            }
        }
    }
    order
}
