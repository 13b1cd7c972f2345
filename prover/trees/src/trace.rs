//! Counterexamples: from an initial tree, one action after another, to a bad tree.

use crate::{
    blame::Layer,
    frame::counted,
    model::{Model, symbol_id},
};
use goatherd_automata::{
    alphabet::Symbol,
    automaton::{Automaton, AutomatonBuilder, State},
    emptiness::smallest_tree,
    product::intersection,
    steps::{Exhausted, Steps},
    tree::Tree,
};
use goatherd_certificates::automata::{ModelEvidence, SymbolId};

/// A run from Init to Bad.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The initial tree: its symbols, children before their parent.
    pub tree: Vec<Symbol>,
    /// The steps.
    pub steps: Vec<Step>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The action, by position in its line.
    pub action: usize,
    /// The line that it leads to.
    pub line: usize,
    /// The tree, of the same shape as the one before.
    pub tree: Vec<Symbol>,
}

impl Trace {
    /// The lines in order, the first one included.
    pub fn lines(&self) -> Vec<usize> {
        [0].into_iter().chain(self.steps.iter().map(|step| step.line)).collect()
    }

    /// As a certificate holds it.
    pub fn to_evidence(&self) -> ModelEvidence {
        let ids = |tree: &[Symbol]| tree.iter().copied().map(symbol_id).collect::<Vec<SymbolId>>();
        let step = |step: &Step| (u32::try_from(step.action).unwrap_or(u32::MAX), ids(&step.tree));
        ModelEvidence::Trace { tree: ids(&self.tree), steps: self.steps.iter().map(step).collect() }
    }
}

/// How many nodes a tree of a counterexample has, at most.
const LARGEST: u64 = 1_000_000;

/// A run from one of the initial trees down the layers; none where its tree is too large. Every tree is taken from the first layer that has
/// one, so that each step leads to an earlier layer than the step before.
pub fn extract(model: &Model, initial: &Automaton, layers: &[Layer], steps: &mut Steps) -> Result<Option<Trace>, Exhausted> {
    let Some(mut tree) = smallest_tree(initial).filter(|tree| tree.size() <= LARGEST) else { return Ok(None) };
    let mut trace = Trace { tree: expanded(&tree), steps: Vec::new() };
    let (mut line, mut bound) = (0, layers.len());
    loop {
        let is_first = |layer: &Layer| layer.line == line && tree.is_accepted_by(&layer.set);
        let Some(number) = layers[..bound].iter().position(is_first) else { return Ok(None) };
        let Some(action) = layers[number].action else { return Ok(Some(trace)) };
        let Some(taken) = model.lines[line].actions.get(action) else { return Ok(None) };
        let image = counted(steps, taken.transducer.value.image(&single(&tree)).automaton)?;
        let mut targets = layers[..number].iter().filter(|layer| layer.line == taken.next);
        let Some(next) = targets.find_map(|layer| smallest_tree(&intersection(&image, &layer.set).automaton)) else { return Ok(None) };
        trace.steps.push(Step { action, line: taken.next, tree: expanded(&next) });
        (tree, line, bound) = (next, taken.next, number);
    }
}

/// The automaton that accepts just this tree.
fn single(tree: &Tree) -> Automaton {
    let mut builder = AutomatonBuilder::new();
    for (position, node) in tree.nodes().iter().enumerate() {
        let children: Vec<State> = node.children.iter().copied().map(State::new).collect();
        builder.add_rule(node.symbol, &children, State::new(position));
    }
    builder.accept(State::new(tree.nodes().len() - 1));
    builder.build()
}

/// The symbols of all nodes, children before their parent, shared subtrees once for each place.
pub fn expanded(tree: &Tree) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut stack = vec![(tree.nodes().len() - 1, 0)];
    while let Some((position, visited)) = stack.pop() {
        let node = &tree.nodes()[position];
        match node.children.get(visited) {
            Some(child) => {
                stack.push((position, visited + 1));
                stack.push((*child, 0));
            }
            None => symbols.push(node.symbol),
        }
    }
    symbols
}
