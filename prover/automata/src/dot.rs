//! Pictures of automata and trees in the language of Graphviz.
//!
//! A rule with one child is an arrow from the child to the state that it reaches, a rule without children an arrow from nowhere. A rule with
//! several children is a point: its children's arrows are numbered, one arrow leaves it. Rules that differ in their symbol only share one
//! arrow or point. Final states have two circles.

use crate::{alphabet::Alphabet, automaton::State, timbuk::Document, tree::Tree};
use std::{collections::BTreeMap, fmt::Write as _};

/// The picture of an automaton.
pub fn automaton(document: &Document, alphabet: &Alphabet) -> String {
    let Document { name, automaton, states } = document;
    let mut text = format!("digraph {} {{\n  rankdir=LR;\n  node [shape=circle];\n", quoted(name));
    for (state, label) in automaton.states().zip(states) {
        let shape = if automaton.is_final(state) { ", shape=doublecircle" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  q{} [label={}{shape}];", state.index(), quoted(label));
    }
    let mut labels: BTreeMap<(&[State], State), Vec<&str>> = BTreeMap::new();
    for rule in automaton.rules() {
        labels.entry((rule.children, rule.state)).or_default().push(alphabet.name(rule.symbol));
    }
    for (number, ((children, state), labels)) in labels.into_iter().enumerate() {
        let (target, label) = (state.index(), quoted(&labels.join(", ")));
        match children {
            [] => {
                let _ =
                    writeln!(text, "  r{number} [shape=none, label=\"\", width=0, height=0];\n  r{number} -> q{target} [label={label}];");
            }
            [child] => {
                let _ = writeln!(text, "  q{} -> q{target} [label={label}];", child.index());
            }
            _ => {
                let _ = writeln!(text, "  r{number} [shape=point];");
                for (place, child) in children.iter().enumerate() {
                    let _ = writeln!(text, "  q{} -> r{number} [label=\"{}\", arrowhead=none, fontsize=10];", child.index(), place + 1);
                }
                let _ = writeln!(text, "  r{number} -> q{target} [label={label}];");
            }
        }
    }
    text.push_str("}\n");
    text
}

/// The picture of a tree, its root above; a subtree that is stored once is drawn once.
pub fn tree(tree: &Tree, alphabet: &Alphabet) -> String {
    let mut text = "digraph tree {\n  node [shape=none, margin=0.05];\n  ordering=out;\n".to_owned();
    for (position, node) in tree.nodes().iter().enumerate() {
        let _ = writeln!(text, "  t{position} [label={}];", quoted(alphabet.name(node.symbol)));
        for child in &node.children {
            let _ = writeln!(text, "  t{position} -> t{child} [arrowhead=none];");
        }
    }
    text.push_str("}\n");
    text
}

/// A string of the language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
