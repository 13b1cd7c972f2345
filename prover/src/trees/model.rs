//! Tree models over the automata that the search works with.

use crate::automata::{
    alphabet::Symbol,
    automaton::{Automaton, AutomatonBuilder, State},
    product::{self, Matching, Product},
};
use goatherd_certificates::automata::{self as data, LineId, StateId, SymbolId};
use std::collections::{BTreeMap, BTreeSet};

/// A model (Holík and Rogalewicz, Def. 1). The first line is where it starts.
#[derive(Clone, Debug)]
pub struct Model {
    /// The symbols, in the order of the certificate's alphabet.
    pub alphabet: Vec<Symbol>,
    /// Init.
    pub initial: Named<Automaton>,
    /// The lines.
    pub lines: Vec<Line>,
    /// The identity on all trees.
    pub identity: Transducer,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    /// For people.
    pub name: String,
    /// What must not be reached here.
    pub bad: Named<Automaton>,
    /// The identity on what must not be reached here.
    pub bad_identity: Transducer,
    /// Where it leads.
    pub actions: Vec<Action>,
}

/// An action of a line.
#[derive(Clone, Debug)]
pub struct Action {
    /// For people.
    pub name: String,
    /// What it does.
    pub transducer: Transducer,
    /// The line where it leads, by position.
    pub next: usize,
}

/// An automaton with the states that a certificate names: these need not be dense.
#[derive(Clone, Debug)]
pub struct Named<T> {
    /// The automaton.
    pub automaton: T,
    /// For each of its states the certificate's.
    pub states: Vec<StateId>,
}

/// A relation between trees of one shape: an automaton over pairs of symbols.
#[derive(Clone, Debug)]
pub struct Transducer {
    /// Over symbols that stand for pairs, by position in `pairs`.
    automaton: Automaton,
    /// Input and output.
    pairs: Vec<(Symbol, Symbol)>,
    /// For each state the certificate's.
    pub states: Vec<StateId>,
}

impl Transducer {
    /// The trees that trees of the set are related to, as a product with what its states stand for.
    pub fn image(&self, set: &Automaton) -> Product {
        product::product(set, &self.automaton, &mut Side { pairs: &self.pairs, matched: |pair| pair.0, combined: |pair| pair.1 })
    }

    /// The trees that are related to trees of the set.
    pub fn inverse_image(&self, set: &Automaton) -> Automaton {
        product::product(set, &self.automaton, &mut Side { pairs: &self.pairs, matched: |pair| pair.1, combined: |pair| pair.0 }).automaton
    }
}

/// One component of each pair is matched, the other one is the result.
struct Side<'a> {
    pairs: &'a [(Symbol, Symbol)],
    matched: fn((Symbol, Symbol)) -> Symbol,
    combined: fn((Symbol, Symbol)) -> Symbol,
}

impl Matching for Side<'_> {
    fn left(&self, symbol: Symbol) -> Symbol {
        symbol
    }

    fn right(&self, symbol: Symbol) -> Symbol {
        (self.matched)(self.pairs[symbol.index()])
    }

    fn combined(&mut self, _left: Symbol, right: Symbol) -> Symbol {
        (self.combined)(self.pairs[right.index()])
    }
}

impl Model {
    /// The model of a certificate, which is well-formed.
    pub fn new(model: &data::Model) -> Self {
        let rank = |symbol: &data::Symbol| usize::try_from(symbol.rank).unwrap_or(usize::MAX);
        let alphabet: Vec<Symbol> = model.alphabet.iter().enumerate().map(|(number, symbol)| Symbol::new(number, rank(symbol))).collect();
        let all = || (0..).map(SymbolId).zip(&alphabet);
        let identity = data::Transducer {
            transitions: all()
                .map(|(id, symbol)| data::Transition { letter: (id, id), children: vec![StateId(0); symbol.rank()], target: StateId(0) })
                .collect(),
            accepting: vec![StateId(0)],
        };
        let lines = model.lines.iter().map(|line| Line {
            name: line.name.clone(),
            bad: set(&alphabet, &line.bad),
            bad_identity: transducer(&alphabet, &diagonal(&line.bad)),
            actions: line
                .actions
                .iter()
                .map(|action| Action {
                    name: action.name.clone(),
                    transducer: transducer(&alphabet, &action.transducer),
                    next: action.next.index(),
                })
                .collect(),
        });
        Self { initial: set(&alphabet, &model.initial), lines: lines.collect(), identity: transducer(&alphabet, &identity), alphabet }
    }

    /// The lines in which a loop is entered or closed: where an edge of a depth-first walk leads back to a line on the way.
    pub fn loop_heads(&self) -> BTreeSet<usize> {
        let mut heads = BTreeSet::new();
        let mut seen = BTreeSet::from([0]);
        let mut path = vec![(0, 0)];
        while let Some((line, taken)) = path.last_mut() {
            let Some(action) = self.lines[*line].actions.get(*taken) else {
                path.pop();
                continue;
            };
            *taken += 1;
            let next = action.next;
            if path.iter().any(|(line, _)| *line == next) {
                heads.insert(next);
            }
            if seen.insert(next) {
                path.push((next, 0));
            }
        }
        heads
    }
}

/// The identity on a set.
fn diagonal(set: &data::Automaton) -> data::Transducer {
    let transitions = set.transitions.iter().map(|transition| data::Transition {
        letter: (transition.letter, transition.letter),
        children: transition.children.clone(),
        target: transition.target,
    });
    data::Transducer { transitions: transitions.collect(), accepting: set.accepting.clone() }
}

fn set(alphabet: &[Symbol], automaton: &data::Automaton) -> Named<Automaton> {
    build(automaton, |symbol| alphabet[symbol.index()])
}

fn transducer(alphabet: &[Symbol], transducer: &data::Transducer) -> Transducer {
    let mut numbers: BTreeMap<(SymbolId, SymbolId), Symbol> = BTreeMap::new();
    let mut pairs = Vec::new();
    for transition in &transducer.transitions {
        numbers.entry(transition.letter).or_insert_with(|| {
            let (input, output) = (alphabet[transition.letter.0.index()], alphabet[transition.letter.1.index()]);
            pairs.push((input, output));
            Symbol::new(pairs.len() - 1, input.rank())
        });
    }
    let Named { automaton, states } = build(transducer, |pair| numbers[&pair]);
    Transducer { automaton, pairs, states }
}

/// Numbers the states densely.
fn build<Letter: Copy>(automaton: &data::Automaton<Letter>, symbol: impl Fn(Letter) -> Symbol) -> Named<Automaton> {
    let mut ids: BTreeSet<StateId> = automaton.accepting.iter().copied().collect();
    for transition in &automaton.transitions {
        ids.extend(transition.children.iter().chain([&transition.target]));
    }
    let states: Vec<StateId> = ids.into_iter().collect();
    let dense = |state: &StateId| State::new(states.binary_search(state).unwrap_or(0));
    let mut builder = AutomatonBuilder::with_states(states.len());
    for transition in &automaton.transitions {
        let children: Vec<State> = transition.children.iter().map(dense).collect();
        builder.add_rule(symbol(transition.letter), &children, dense(&transition.target));
    }
    automaton.accepting.iter().for_each(|state| builder.accept(dense(state)));
    Named { automaton: builder.build(), states }
}

/// An automaton as a certificate holds it.
pub fn to_data(automaton: &Automaton) -> data::Automaton {
    let id = |state: State| StateId(u32::try_from(state.index()).unwrap_or(u32::MAX));
    let transitions = automaton.rules().map(|rule| data::Transition {
        letter: symbol_id(rule.symbol),
        children: rule.children.iter().copied().map(id).collect(),
        target: id(rule.state),
    });
    data::Automaton { transitions: transitions.collect(), accepting: automaton.final_states().map(id).collect() }
}

/// A symbol's position in the alphabet.
pub fn symbol_id(symbol: Symbol) -> SymbolId {
    SymbolId(u32::try_from(symbol.index()).unwrap_or(u32::MAX))
}

/// A line's position.
pub fn line_id(line: usize) -> LineId {
    LineId(u32::try_from(line).unwrap_or(u32::MAX))
}
