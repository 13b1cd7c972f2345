//! Abstractions over the automata of configuration sets: states that look alike are merged, so that more trees are accepted.
//!
//! Bouajjani, Habermehl, Rogalewicz, Vojnar, *Abstract regular tree model checking* (2006).

use fixedbitset::FixedBitSet;
use goatherd_automata::{
    automaton::{Automaton, AutomatonBuilder, State},
    product,
    subsets::Subsets,
    trim::trim,
};
use std::collections::BTreeMap;

/// Which states look alike.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Kind {
    /// Those that share trees with the same states of the predicates. A refinement adds the states of the blamed set: no abstraction of a set
    /// without trees of the blamed set has one of them any more.
    #[default]
    Predicates,
    /// Those that the same trees of at most this height lead to (the first of the three definitions in use: heights are counted from the
    /// leaves, 1 for a leaf, and whole languages up to the height are compared). A refinement adds one to the height.
    FiniteHeight,
}

/// Whose predicates a refinement adds to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Scope {
    /// All lines share their predicates.
    #[default]
    AllLines,
    /// Each line has its own: a refinement adds to those of the blamed line.
    PerLine,
}

/// An abstraction as far as it is refined.
#[derive(Clone, Debug)]
pub enum Abstraction {
    /// By predicates: for each line, or for all in one, the automaton whose states they are.
    Predicates {
        /// Whose predicates they are.
        scope: Scope,
        /// By line.
        predicates: Vec<Automaton>,
    },
    /// By trees of at most this height.
    FiniteHeight {
        /// From 1.
        height: usize,
    },
}

/// Sets of states that one tree reaches are at most as many; beyond, the height is not looked at further, and states are told apart.
const MOST_SETS: usize = 500;

impl Abstraction {
    /// The coarsest abstraction: by the states of the lines' bad sets, or by leaves.
    pub fn new<'a>(kind: Kind, scope: Scope, bad: impl Iterator<Item = &'a Automaton>) -> Self {
        match kind {
            Kind::FiniteHeight => Self::FiniteHeight { height: 1 },
            Kind::Predicates => {
                let bad: Vec<&Automaton> = bad.collect();
                let mut all: Vec<&Automaton> = Vec::new();
                for automaton in &bad {
                    if !all.contains(automaton) {
                        all.push(automaton);
                    }
                }
                let mut builder = AutomatonBuilder::new();
                for automaton in all {
                    builder.add_automaton(automaton);
                }
                let shared = builder.build();
                let predicates = match scope {
                    Scope::AllLines => vec![shared],
                    Scope::PerLine => vec![shared; bad.len()],
                };
                Self::Predicates { scope, predicates }
            }
        }
    }

    /// Merges what looks alike at a line.
    pub fn apply(&self, set: &Automaton, line: usize) -> Automaton {
        let set = trim(set).automaton;
        let labels = match self {
            Self::Predicates { scope, predicates } => shared_trees(&set, &predicates[if *scope == Scope::PerLine { line } else { 0 }]),
            Self::FiniteHeight { height } => short_trees(&set, *height),
        };
        let mut classes: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        let mut names = Vec::new();
        for label in labels {
            let next = classes.len();
            names.push(State::new(*classes.entry(label).or_insert(next)));
        }
        set.renamed(classes.len(), |state| Some(names[state.index()]))
    }

    /// Excludes the blamed set of a line from what is merged into sets without its trees.
    pub fn refine(&mut self, blamed: &Automaton, line: usize) {
        match self {
            Self::Predicates { scope, predicates } => {
                let predicates = &mut predicates[if *scope == Scope::PerLine { line } else { 0 }];
                *predicates = product::union(predicates, &trim(blamed).automaton);
            }
            Self::FiniteHeight { height } => *height += 1,
        }
    }

    /// How fine it is: the number of predicates, or the height.
    pub fn size(&self) -> usize {
        match self {
            Self::Predicates { predicates, .. } => predicates.iter().map(Automaton::state_count).sum(),
            Self::FiniteHeight { height } => *height,
        }
    }
}

/// For each state the predicates that it shares a tree with.
fn shared_trees(set: &Automaton, predicates: &Automaton) -> Vec<Vec<usize>> {
    let mut labels = vec![Vec::new(); set.state_count()];
    for (state, predicate) in product::intersection(set, predicates).pairs {
        labels[state.index()].push(predicate.index());
    }
    for label in &mut labels {
        label.sort_unstable();
    }
    labels
}

/// For each state the sets of states that some tree of at most this height reaches, with this state among them: states with equal languages
/// up to the height are in the same sets.
fn short_trees(set: &Automaton, height: usize) -> Vec<Vec<usize>> {
    let mut subsets = Subsets::new(set);
    let mut symbols: Vec<_> = set.rules().map(|rule| rule.symbol).collect();
    symbols.dedup();
    let empty = subsets.intern(FixedBitSet::with_capacity(set.state_count()));
    let mut reached = Vec::new();
    for _ in 0..height {
        let before = reached.len();
        let mut all = reached.clone();
        for symbol in &symbols {
            let mut choice = vec![0; symbol.rank()];
            // Without sets there is no choice but for leaves.
            while symbol.rank() == 0 || before > 0 {
                let children: Vec<_> = choice.iter().map(|chosen| reached[*chosen]).collect();
                let next = subsets.post(*symbol, &children);
                if next != empty && !all.contains(&next) {
                    all.push(next);
                }
                if all.len() > MOST_SETS {
                    return (0..set.state_count()).map(|state| vec![state]).collect();
                }
                let Some(place) = choice.iter().rposition(|chosen| chosen + 1 < before) else { break };
                choice[place] += 1;
                choice[place + 1..].fill(0);
            }
        }
        if all.len() == before {
            break;
        }
        reached = all;
    }
    let mut labels = vec![Vec::new(); set.state_count()];
    for (number, reached) in reached.iter().enumerate() {
        for state in subsets.set(*reached).ones() {
            labels[state].push(number);
        }
    }
    labels
}
