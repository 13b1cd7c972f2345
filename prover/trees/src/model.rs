//! Tree models over the automata that the search works with.

use goatherd_automata::{
    alphabet::Symbol,
    automaton::{Automaton, AutomatonBuilder, State},
    transducer::{Transducer, TransducerBuilder},
};
use goatherd_certificates::automata::{self as data, StateId, SymbolId};
use goatherd_flow::graph::loop_heads;
use std::collections::BTreeSet;

/// A model (Holík and Rogalewicz, Def. 1). The first line is where it starts.
#[derive(Clone, Debug)]
pub struct Model {
    /// Init.
    pub initial: Named<Automaton>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    /// What must not be reached here.
    pub bad: Named<Automaton>,
    /// Where it leads.
    pub actions: Vec<Action>,
}

/// An action of a line.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it does.
    pub transducer: Named<Transducer>,
    /// The line where it leads, by position.
    pub next: usize,
}

/// An automaton or a transducer with the states that a certificate names, which need not be dense.
#[derive(Clone, Debug)]
pub struct Named<T> {
    /// The automaton or transducer.
    pub value: T,
    /// For each of its states the certificate's.
    pub states: Vec<StateId>,
}

impl Model {
    /// The model of a certificate, which is well-formed.
    pub fn new(model: &data::Model) -> Self {
        let rank = |symbol: &data::Symbol| usize::try_from(symbol.rank).unwrap_or(usize::MAX);
        let alphabet: Vec<Symbol> = model.alphabet.iter().enumerate().map(|(number, symbol)| Symbol::new(number, rank(symbol))).collect();
        let action = |action: &data::Action| Action { transducer: transducer(&alphabet, &action.transducer), next: action.next.index() };
        let lines =
            model.lines.iter().map(|line| Line { bad: set(&alphabet, &line.bad), actions: line.actions.iter().map(action).collect() });
        Self { initial: set(&alphabet, &model.initial), lines: lines.collect() }
    }

    /// The lines in which a loop is entered or closed: where an edge of a depth-first walk leads back to a line on the way.
    pub fn loop_heads(&self) -> BTreeSet<usize> {
        let next = |line: &Line| line.actions.iter().map(|action| action.next).collect();
        loop_heads(0, &self.lines.iter().map(next).collect::<Vec<_>>())
    }
}

fn set(alphabet: &[Symbol], automaton: &data::Automaton) -> Named<Automaton> {
    let states = states(automaton);
    let mut builder = AutomatonBuilder::with_states(states.len());
    for data::Transition { letter, children, target } in &automaton.transitions {
        builder.add_rule(alphabet[letter.index()], &dense(&states, children), dense(&states, &[*target])[0]);
    }
    for state in dense(&states, &automaton.accepting) {
        builder.accept(state);
    }
    Named { value: builder.build(), states }
}

fn transducer(alphabet: &[Symbol], transducer: &data::Transducer) -> Named<Transducer> {
    let states = states(transducer);
    let mut builder = TransducerBuilder::new();
    for _ in &states {
        builder.add_state();
    }
    for data::Transition { letter: (input, output), children, target } in &transducer.transitions {
        let (input, output) = (alphabet[input.index()], alphabet[output.index()]);
        builder.add_rule(input, output, &dense(&states, children), dense(&states, &[*target])[0]);
    }
    for state in dense(&states, &transducer.accepting) {
        builder.accept(state);
    }
    Named { value: builder.build(), states }
}

/// All states that are mentioned, ascending.
fn states<Letter>(automaton: &data::Automaton<Letter>) -> Vec<StateId> {
    let mut ids: BTreeSet<StateId> = automaton.accepting.iter().copied().collect();
    for transition in &automaton.transitions {
        ids.extend(transition.children.iter().chain([&transition.target]));
    }
    ids.into_iter().collect()
}

/// The positions of states among those that are mentioned.
fn dense(states: &[StateId], mentioned: &[StateId]) -> Vec<State> {
    mentioned.iter().filter_map(|state| states.binary_search(state).ok()).map(State::new).collect()
}

/// An automaton as a certificate holds it.
pub fn to_data(automaton: &Automaton) -> data::Automaton {
    let transitions = automaton.rules().map(|rule| data::Transition {
        letter: symbol_id(rule.symbol),
        children: rule.children.iter().copied().map(state_id).collect(),
        target: state_id(rule.state),
    });
    data::Automaton { transitions: transitions.collect(), accepting: automaton.final_states().map(state_id).collect() }
}

/// A state's number.
pub fn state_id(state: State) -> StateId {
    StateId(u32::try_from(state.index()).unwrap_or(u32::MAX))
}

/// A symbol's position in the alphabet.
pub fn symbol_id(symbol: Symbol) -> SymbolId {
    SymbolId(u32::try_from(symbol.index()).unwrap_or(u32::MAX))
}
