//! Pictures of sets, of the search and of counterexamples.

use crate::picture::Graph;
use goatherd_automata::{alphabet::Alphabet, automaton::Automaton, dot, timbuk::Document};
use goatherd_certificates::automata::{Model, SymbolId};
use goatherd_trees::search::Round;

/// A configuration set.
pub fn set(model: &Model, name: &str, set: &Automaton) -> String {
    let mut alphabet = Alphabet::new();
    for symbol in &model.alphabet {
        alphabet.intern(&symbol.name, usize::try_from(symbol.rank).unwrap_or(usize::MAX));
    }
    dot::automaton(&Document::numbered(name, set.clone()), &alphabet)
}

/// The rounds of a refinement: how fine the abstraction was, on which path a bad configuration was met, and what was blamed. `trees` are
/// smallest trees of the blamed sets, as terms.
pub fn history(model: &Model, rounds: &[Round], trees: &[Option<String>]) -> String {
    let line = |line: usize| model.lines.get(line).map_or("?", |line| &line.name);
    let mut graph = Graph::default();
    for (number, round) in rounds.iter().enumerate() {
        let label = format!("round {}: abstraction {}, {} sets", number + 1, round.abstraction, round.sets);
        graph.node(format_args!("r{number}"), label, ", shape=box");
        if round.path.is_empty() {
            graph.node("closed", "closed, without bad trees", ", shape=ellipse");
            graph.edge(format_args!("r{number}"), "closed", "");
            continue;
        }
        let path: Vec<&str> = round.path.iter().map(|place| line(*place)).collect();
        graph.node(format_args!("b{number}"), format_args!("bad on the path {}", path.join(", ")), ", shape=ellipse");
        graph.edge(format_args!("r{number}"), format_args!("b{number}"), "");
        match &round.blame {
            Some(blame) if number + 1 < rounds.len() => {
                let tree = trees.get(number).cloned().flatten().unwrap_or_default();
                let next = number + 1;
                graph.edge(format_args!("b{number}"), format_args!("r{next}"), format_args!("blamed at {}: {tree}", line(blame.line)));
            }
            _ => {}
        }
    }
    graph.finish()
}

/// The trees of a counterexample, each below its line; the action leads from one line to the next. Symbols that a step has changed are
/// filled. A configuration is a line, the action that led there, and a tree with children before their parent.
pub fn trace(model: &Model, configurations: &[(String, Option<String>, Vec<SymbolId>)]) -> String {
    let mut graph = Graph::default();
    let mut previous: Option<&[SymbolId]> = None;
    for (number, (line, action, tree)) in configurations.iter().enumerate() {
        graph.node(format_args!("l{number}"), format_args!("line {line}"), ", shape=box");
        if number > 0 {
            graph.edge(format_args!("l{}", number - 1), format_args!("l{number}"), action.as_deref().unwrap_or_default());
        }
        let mut open: Vec<usize> = Vec::new();
        for (node, symbol) in tree.iter().enumerate() {
            let Some(known) = model.alphabet.get(symbol.index()) else { continue };
            let is_changed = previous.is_some_and(|previous| previous.get(node) != Some(symbol));
            let style = if is_changed { ", shape=circle, style=filled, fillcolor=\"#ffd27f\"" } else { ", shape=circle" };
            graph.node(format_args!("n{number}_{node}"), &known.name, style);
            let rank = usize::try_from(known.rank).unwrap_or(usize::MAX);
            for child in open.split_off(open.len().saturating_sub(rank)) {
                graph.edge(format_args!("n{number}_{node}"), format_args!("n{number}_{child}"), "");
            }
            open.push(node);
        }
        if let Some(root) = open.last() {
            graph.edge(format_args!("l{number}"), format_args!("n{number}_{root}"), "");
        }
        previous = Some(tree);
    }
    graph.finish()
}
