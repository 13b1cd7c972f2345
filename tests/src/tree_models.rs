//! Random tree models whose reachable configurations are finitely many, and the truth about them by enumeration.
//!
//! Init is a few small trees and transducers keep the shape of trees, so that all reachable configurations are enumerated: with trees as
//! nested values and transducers run node by node, without anything of the automata that the search works with.

use goatherd_certificates::automata::{
    Action, Automaton, Line, LineId, Model, ModelEvidence, StateId, Symbol, SymbolId, Transducer, Transition,
};
use goatherd_interpreter::Random;
use goatherd_trees::{
    abstraction::{Kind, Scope},
    model::Model as Searched,
    options::{Options, Places, Repair},
    search::{Answer, search},
};
use std::collections::{BTreeMap, BTreeSet};

/// The verdict of a search: is a bad configuration reachable? None where it is undecided.
pub fn verdict(model: &Model, options: &Options) -> Option<bool> {
    match search(&Searched::new(model), options, &mut |_| {}).answer {
        Answer::Invariant(_) => Some(false),
        Answer::Error(_) => Some(true),
        Answer::Undecided(_) => None,
    }
}

/// All repairs of the printed algorithm.
pub const REPAIRS: [Repair; 5] = [Repair::FreshRounds, Repair::AbstractedBad, Repair::ExactRoot, Repair::OwnSets, Repair::EarlierVisits];

/// The options with which the models are searched, one after the other.
pub fn variants() -> Vec<Options> {
    let mut variants = Vec::new();
    for kind in [Kind::Predicates, Kind::FiniteHeight] {
        for scope in [Scope::AllLines, Scope::PerLine] {
            for places in [Places::EveryLine, Places::LoopHeads] {
                variants.push(Options { kind, scope, places, ..Options::default() });
            }
        }
    }
    variants
}

/// A tree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tree {
    /// The label of the root.
    pub symbol: SymbolId,
    /// The subtrees.
    pub children: Vec<Tree>,
}

/// A configuration: a line and a tree.
pub type Configuration = (usize, Tree);

/// The ranks of the random models' symbols.
const RANKS: [u32; 6] = [0, 0, 1, 1, 2, 2];

/// The random model of this number.
pub fn numbered(number: u64) -> Model {
    random(&mut Random::new(number))
}

/// A random model.
pub fn random(random: &mut Random) -> Model {
    let alphabet: Vec<Symbol> =
        ["a", "b", "f", "g", "p", "q"].into_iter().zip(RANKS).map(|(name, rank)| Symbol { name: name.to_owned(), rank }).collect();
    let line_count = 1 + random.below(4);
    // Trees of the same shapes as Init's are bad, so that the verdict hangs on labels.
    let initial: Vec<Tree> = (0..=random.below(3)).map(|_| tree(random, 3)).collect();
    let lines = (0..line_count).map(|line| {
        let actions = (0..random.below(3) + u64::from(line == 0)).map(|number| Action {
            name: format!("t{line}{number}"),
            transducer: transducer(random),
            next: LineId(u32::try_from(random.below(line_count)).unwrap_or(0)),
        });
        let actions = actions.collect();
        let bad: Vec<Tree> = (0..random.below(3)).map(|_| relabelled(random, &initial)).collect();
        Line { name: line.to_string(), actions, bad: accepting(&bad) }
    });
    let lines = lines.collect();
    Model { alphabet, initial: accepting(&initial), lines }
}

fn tree(random: &mut Random, height: usize) -> Tree {
    let symbol = if height <= 1 { random.below(2) } else { random.below(RANKS.len() as u64) };
    let children = (0..RANKS[usize::try_from(symbol).unwrap_or(0)]).map(|_| tree(random, height - 1)).collect();
    Tree { symbol: SymbolId(u32::try_from(symbol).unwrap_or(0)), children }
}

/// One of the trees with other labels.
fn relabelled(random: &mut Random, trees: &[Tree]) -> Tree {
    let chosen = usize::try_from(random.below(trees.len() as u64)).unwrap_or(0);
    relabel(random, &trees[chosen])
}

/// The tree with other labels of the same ranks.
fn relabel(random: &mut Random, tree: &Tree) -> Tree {
    // Symbols of one rank are neighbours, an even one and an odd one.
    let symbol = SymbolId(tree.symbol.0 & !1 | u32::try_from(random.below(2)).unwrap_or(0));
    Tree { symbol, children: tree.children.iter().map(|child| relabel(random, child)).collect() }
}

/// The automaton of these trees: equal subtrees have one state.
fn accepting(trees: &[Tree]) -> Automaton {
    let mut states: BTreeMap<Tree, StateId> = BTreeMap::new();
    let mut automaton = Automaton::default();
    for tree in trees {
        let state = add(tree, &mut states, &mut automaton);
        if !automaton.accepting.contains(&state) {
            automaton.accepting.push(state);
        }
    }
    automaton
}

/// Adds the transitions of a tree; the state that it reaches.
fn add(tree: &Tree, states: &mut BTreeMap<Tree, StateId>, automaton: &mut Automaton) -> StateId {
    if let Some(state) = states.get(tree) {
        return *state;
    }
    let children = tree.children.iter().map(|child| add(child, states, automaton)).collect();
    let target = StateId(u32::try_from(states.len()).unwrap_or(u32::MAX));
    states.insert(tree.clone(), target);
    automaton.transitions.push(Transition { letter: tree.symbol, children, target });
    target
}

/// A transducer with one to three states and random transitions.
fn transducer(random: &mut Random) -> Transducer {
    let states = 1 + random.below(3);
    let state = |random: &mut Random| StateId(u32::try_from(random.below(states)).unwrap_or(0));
    let mut transducer = Transducer::default();
    for (input, rank) in (0u32..).zip(RANKS) {
        for _ in 0..=random.below(3) {
            let output = if random.below(2) == 0 { input } else { input ^ 1 };
            let children = (0..rank).map(|_| state(random)).collect();
            transducer.transitions.push(Transition { letter: (SymbolId(input), SymbolId(output)), children, target: state(random) });
        }
    }
    transducer.transitions.sort();
    transducer.transitions.dedup();
    transducer.accepting.push(state(random));
    transducer
}

/// Does the automaton accept the tree?
pub fn accepts(automaton: &Automaton, tree: &Tree) -> bool {
    states(automaton, tree).iter().any(|state| automaton.accepting.contains(state))
}

fn states(automaton: &Automaton, tree: &Tree) -> BTreeSet<StateId> {
    let children: Vec<BTreeSet<StateId>> = tree.children.iter().map(|child| states(automaton, child)).collect();
    let fits = |transition: &&Transition<SymbolId>| {
        transition.letter == tree.symbol && transition.children.iter().zip(&children).all(|(state, states)| states.contains(state))
    };
    automaton.transitions.iter().filter(fits).map(|transition| transition.target).collect()
}

/// The trees that a transducer relates a tree to.
pub fn image(transducer: &Transducer, tree: &Tree) -> BTreeSet<Tree> {
    let reached = outputs(transducer, tree);
    reached.into_iter().filter(|(state, _)| transducer.accepting.contains(state)).flat_map(|(_, trees)| trees).collect()
}

/// For each state the output trees with which the transducer reaches it.
fn outputs(transducer: &Transducer, tree: &Tree) -> BTreeMap<StateId, BTreeSet<Tree>> {
    let children: Vec<_> = tree.children.iter().map(|child| outputs(transducer, child)).collect();
    let mut reached: BTreeMap<StateId, BTreeSet<Tree>> = BTreeMap::new();
    for Transition { letter: (input, output), children: from, target } in &transducer.transitions {
        if *input != tree.symbol {
            continue;
        }
        let mut lists = vec![Vec::new()];
        for (state, outputs) in from.iter().zip(&children) {
            let of_child: Vec<&Tree> = outputs.get(state).into_iter().flatten().collect();
            lists = lists
                .iter()
                .flat_map(|list: &Vec<Tree>| of_child.iter().map(move |tree| list.iter().chain([*tree]).cloned().collect()))
                .collect();
        }
        reached.entry(*target).or_default().extend(lists.into_iter().map(|children| Tree { symbol: *output, children }));
    }
    reached
}

/// All trees with the labels of the random models up to a height.
pub fn trees(height: usize) -> Vec<Tree> {
    let mut all: Vec<Tree> = Vec::new();
    for _ in 0..height {
        let mut next = Vec::new();
        for (symbol, rank) in (0..).map(SymbolId).zip(RANKS) {
            match rank {
                0 => next.push(Tree { symbol, children: Vec::new() }),
                1 => next.extend(all.iter().map(|child| Tree { symbol, children: vec![child.clone()] })),
                _ => next.extend(
                    all.iter().flat_map(|left| all.iter().map(move |right| Tree { symbol, children: vec![left.clone(), right.clone()] })),
                ),
            }
        }
        all = next;
    }
    all
}

/// Is a bad configuration reachable? Init's trees are among those given.
pub fn reaches_bad(model: &Model, trees: &[Tree]) -> bool {
    let mut waiting: Vec<Configuration> = trees.iter().filter(|tree| accepts(&model.initial, tree)).map(|tree| (0, tree.clone())).collect();
    let mut seen: BTreeSet<Configuration> = waiting.iter().cloned().collect();
    while let Some((line, tree)) = waiting.pop() {
        if accepts(&model.lines[line].bad, &tree) {
            return true;
        }
        for action in &model.lines[line].actions {
            for next in image(&action.transducer, &tree) {
                let next = (action.next.index(), next);
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
    }
    false
}

/// Is what shows a claim about a model true of it: the trace, step by step; of an invariant, that no bad configuration is reachable?
pub fn is_true(model: &Model, evidence: &ModelEvidence, trees: &[Tree]) -> bool {
    match evidence {
        ModelEvidence::Invariant { .. } => !reaches_bad(model, trees),
        ModelEvidence::Trace { tree, steps } => {
            let Some(mut tree) = parsed(model, tree) else { return false };
            let mut line = 0;
            if !accepts(&model.initial, &tree) {
                return false;
            }
            for (action, next) in steps {
                let Some(action) = usize::try_from(*action).ok().and_then(|action| model.lines[line].actions.get(action)) else {
                    return false;
                };
                let Some(next) = parsed(model, next) else { return false };
                if !image(&action.transducer, &tree).contains(&next) {
                    return false;
                }
                (tree, line) = (next, action.next.index());
            }
            accepts(&model.lines[line].bad, &tree)
        }
    }
}

/// The tree of these symbols, children before their parent.
fn parsed(model: &Model, symbols: &[SymbolId]) -> Option<Tree> {
    let mut open = Vec::new();
    for symbol in symbols {
        let rank = usize::try_from(model.alphabet.get(symbol.index())?.rank).ok()?;
        let children = open.split_off(open.len().checked_sub(rank)?);
        open.push(Tree { symbol: *symbol, children });
    }
    let [_] = open[..] else { return None };
    open.pop()
}
