//! Small random automata, the same in every run.

use goatherd_automata::{
    alphabet::{Alphabet, Symbol},
    automaton::{Automaton, AutomatonBuilder, State},
    transducer::{Transducer, TransducerBuilder},
};

/// A linear congruential generator (Knuth's MMIX constants).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % bound as u64).unwrap()
    }
}

/// Two symbols without children, one with one child, one with two.
pub fn alphabet() -> Alphabet {
    let mut alphabet = Alphabet::new();
    for (name, rank) in [("a", 0), ("b", 0), ("g", 1), ("f", 2)] {
        alphabet.intern(name, rank);
    }
    alphabet
}

/// An automaton with 1 to `states` states.
pub fn automaton(random: &mut Random, symbols: &[Symbol], states: usize) -> Automaton {
    let states = 1 + random.below(states);
    let mut builder = AutomatonBuilder::with_states(states);
    for symbol in symbols {
        for _ in 0..random.below(if symbol.rank() == 0 { states + 1 } else { 2 * states * symbol.rank() + 1 }) {
            let children: Vec<State> = (0..symbol.rank()).map(|_| State::new(random.below(states))).collect();
            builder.add_rule(*symbol, &children, State::new(random.below(states)));
        }
    }
    for _ in 0..=random.below(states) {
        builder.accept(State::new(random.below(states)));
    }
    builder.build()
}

/// The automaton with a few rules more.
pub fn extended(random: &mut Random, automaton: &Automaton, symbols: &[Symbol]) -> Automaton {
    let mut builder = AutomatonBuilder::new();
    builder.add_automaton(automaton);
    let states = automaton.state_count() + 1;
    for _ in 0..random.below(4) {
        let symbol = symbols[random.below(symbols.len())];
        let children: Vec<State> = (0..symbol.rank()).map(|_| State::new(random.below(states))).collect();
        builder.add_rule(symbol, &children, State::new(random.below(states)));
    }
    builder.build()
}

/// A transducer with 1 to `states` states.
pub fn transducer(random: &mut Random, symbols: &[Symbol], states: usize) -> Transducer {
    let states = 1 + random.below(states);
    let mut builder = TransducerBuilder::new();
    for _ in 0..states {
        builder.add_state();
    }
    for input in symbols {
        for output in symbols.iter().filter(|output| output.rank() == input.rank()) {
            for _ in 0..random.below(2 * states + 1) {
                let children: Vec<State> = (0..input.rank()).map(|_| State::new(random.below(states))).collect();
                builder.add_rule(*input, *output, &children, State::new(random.below(states)));
            }
        }
    }
    builder.accept(State::new(random.below(states)));
    builder.build()
}
