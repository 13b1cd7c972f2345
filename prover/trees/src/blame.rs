//! Backward analysis: from which trees do the frames on the stack lead to the bad ones, and which frame's abstraction is to blame?

use crate::{
    frame::{Frame, counted},
    model::Model,
    options::{Backward, Options, Repair},
};
use goatherd_automata::{
    automaton::Automaton,
    emptiness,
    product::{intersection, union},
    reduction::reduce,
    steps::{Exhausted, Steps},
    trim::trim,
};
use std::rc::Rc;

/// The oldest set that leads to bad trees, and that the abstraction has brought in.
#[derive(Clone, Debug)]
pub struct Blame {
    /// The frame, from 0 for the root.
    pub frame: usize,
    /// Its line.
    pub line: usize,
    /// Trees of the frame's set that lead to bad trees.
    pub set: Automaton,
    /// Has the abstraction brought all of them in? If not, no refinement excludes them.
    pub is_abstraction: bool,
}

/// Trees at a line from which bad trees are reached.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The line.
    pub line: usize,
    /// The trees. From those that are in no earlier layer of the line, the action leads to a tree of an earlier layer.
    pub set: Automaton,
    /// The action; none for the bad trees themselves.
    pub action: Option<usize>,
}

/// What the analysis finds.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Initial trees from which bad ones are reached, if there are any.
    pub initial: Option<Automaton>,
    /// The layers, from the bad trees down to the root.
    pub layers: Vec<Layer>,
    /// What to refine by, where there are none.
    pub blame: Option<Blame>,
}

/// Goes back from the bad trees that were met at the last frame (the paper's Figs. 4 and 5). `sets` are the lines' sets at the end.
pub fn backward(
    model: &Model,
    options: &Options,
    frames: &[Frame],
    sets: &[Rc<Automaton>],
    bad: Automaton,
    steps: &mut Steps,
) -> Result<Analysis, Exhausted> {
    let has = |repair| !options.without.contains(&repair);
    let mut bad_on_lines = vec![Automaton::empty(); model.lines.len()];
    let mut layers = Vec::new();
    let mut blame = None;
    let mut here = bad;
    for (number, frame) in frames.iter().enumerate().rev() {
        let line = frame.line;
        let is_last = number + 1 == frames.len();
        if !is_last {
            let action = &model.lines[line].actions[frame.action()];
            let above = match options.backward {
                Backward::Repaired => &bad_on_lines[action.next],
                Backward::Legacy => &here,
            };
            let mut leading = counted(steps, action.transducer.value.inverse_image(above).automaton)?;
            if options.backward == Backward::Repaired && has(Repair::EarlierVisits) {
                leading = union(&leading, &bad_on_lines[line]);
            }
            let is_snapshot = options.backward == Backward::Repaired && has(Repair::OwnSets);
            let set = if is_snapshot { &frame.set } else { &sets[line] };
            here = reduce(&counted(steps, intersection(&trim(&leading).automaton, set).automaton)?);
        }
        let is_empty = emptiness::is_empty(&here);
        if !is_empty {
            let exact = counted(steps, intersection(&frame.exact, &here).automaton)?;
            blame = Some(Blame { frame: number, line, set: here.clone(), is_abstraction: emptiness::is_empty(&exact) });
        }
        let action = if is_last { None } else { Some(frame.action()) };
        layers.push(Layer { line, set: here.clone(), action });
        if !is_empty {
            bad_on_lines[line] = reduce(&counted(steps, union(&bad_on_lines[line], &here))?);
        }
    }
    // The root frame is the last one that was looked at.
    let initial = if has(Repair::ExactRoot) { intersection(&here, &model.initial.value).automaton } else { here };
    let initial = trim(&initial).automaton;
    let initial = if emptiness::is_empty(&initial) { None } else { Some(initial) };
    Ok(Analysis { initial, layers, blame })
}
