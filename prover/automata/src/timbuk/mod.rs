//! The Timbuk text format for tree automata, as Timbuk and libvata write it: `spec/automata.md#timbuk`.

mod reader;
mod writer;

pub use reader::{Error, read};
pub use writer::write;

use crate::automaton::Automaton;

/// What a file holds: one automaton with names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// The name of the automaton.
    pub name: String,
    /// The automaton.
    pub automaton: Automaton,
    /// The names of its states, in order.
    pub states: Vec<String>,
}

impl Document {
    /// The automaton with states that are named by their numbers: `q0`, `q1` and so on.
    pub fn numbered(name: &str, automaton: Automaton) -> Self {
        let states = (0..automaton.state_count()).map(|number| format!("q{number}")).collect();
        Self { name: name.to_owned(), automaton, states }
    }
}
