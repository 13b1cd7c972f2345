//! Writing.

use super::Document;
use crate::alphabet::Alphabet;
use std::fmt::Write as _;

/// The text of an automaton: reading it gives the same automaton over the same alphabet.
pub fn write(document: &Document, alphabet: &Alphabet) -> String {
    let Document { name, automaton, states } = document;
    let mut text = "Ops".to_owned();
    for symbol in alphabet.symbols() {
        // Writing to a string cannot fail.
        let _ = write!(text, " {}:{}", alphabet.name(*symbol), symbol.rank());
    }
    let _ = write!(text, "\n\nAutomaton {name}\nStates");
    for state in states {
        let _ = write!(text, " {state}");
    }
    text.push_str("\nFinal States");
    for state in automaton.final_states() {
        let _ = write!(text, " {}", states[state.index()]);
    }
    text.push_str("\nTransitions\n");
    for rule in automaton.rules() {
        let children: Vec<&str> = rule.children.iter().map(|child| states[child.index()].as_str()).collect();
        let _ = writeln!(text, "{}({}) -> {}", alphabet.name(rule.symbol), children.join(","), states[rule.state.index()]);
    }
    text
}
