//! The pictures of `--draw`: one file of each kind for each graph.

use super::{draw, report::smallest};
use crate::command::{Trouble, output};
use goatherd_certificates::automata::{Model, SymbolId};
use goatherd_trees::{
    model::symbol_id,
    search::{Answer, Outcome},
};
use std::path::Path;

/// Writes the pictures of a search to a directory, which is made if it is not there.
pub fn write(directory: &Path, model: &Model, outcome: &Outcome) -> Result<(), Trouble> {
    output::make_directory(directory)?;
    let trees: Vec<Option<String>> =
        outcome.rounds.iter().map(|round| round.blame.as_ref().map(|blame| smallest(model, &blame.set))).collect();
    output::picture(directory, "history", &draw::history(model, &outcome.rounds, &trees))?;
    match &outcome.answer {
        Answer::Invariant(sets) => {
            for (number, set) in sets.iter().enumerate() {
                let name = format!("line-{}", file_name(model, number));
                output::picture(directory, &name, &draw::set(model, &name, set))?;
            }
        }
        Answer::Error(trace) => {
            let ids = |tree: &[_]| tree.iter().copied().map(symbol_id).collect::<Vec<SymbolId>>();
            let name = |line: usize| model.lines.get(line).map_or_else(String::new, |line| line.name.clone());
            let mut configurations = vec![(name(0), None, ids(&trace.tree))];
            let mut line = 0;
            for step in &trace.steps {
                let action = model.lines.get(line).and_then(|line| line.actions.get(step.action)).map(|action| action.name.clone());
                configurations.push((name(step.line), action, ids(&step.tree)));
                line = step.line;
            }
            output::picture(directory, "trace", &draw::trace(model, &configurations))?;
        }
        Answer::Undecided(_) => {}
    }
    Ok(())
}

/// The line's name, if it can be part of a file's; else its number.
fn file_name(model: &Model, line: usize) -> String {
    let name = model.lines.get(line).map_or("", |line| line.name.as_str());
    let is_plain = name.chars().all(|character| character.is_ascii_alphanumeric() || "_-".contains(character));
    if is_plain && !name.is_empty() { name.to_owned() } else { format!("number-{line}") }
}
