//! Visits of lines, and the counting of steps.

use goatherd_automata::{
    automaton::Automaton,
    emptiness,
    inclusion::{self, Inclusion, Method},
    steps::{Exhausted, Steps},
};
use std::rc::Rc;

/// A visit of a line.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The line.
    pub line: usize,
    /// Its configuration set after the visit began.
    pub set: Rc<Automaton>,
    /// The same before abstraction.
    pub exact: Rc<Automaton>,
    /// How many of the line's actions were taken.
    pub taken: usize,
}

impl Frame {
    /// The action that leads to the frame above.
    pub fn action(&self) -> usize {
        self.taken.saturating_sub(1)
    }
}

/// Counts the rules of an automaton as steps. It is counted as computed, before it is reduced: that is what takes time.
pub fn counted(steps: &mut Steps, automaton: Automaton) -> Result<Automaton, Exhausted> {
    (0..=automaton.rule_count()).try_for_each(|_| steps.take())?;
    Ok(automaton)
}

/// Is every tree of one set in the other?
pub fn is_included(set: &Automaton, other: &Automaton, steps: &mut Steps) -> Result<bool, Exhausted> {
    if emptiness::is_empty(set) {
        return Ok(true);
    }
    Ok(matches!(inclusion::inclusion(set, other, Method::default(), steps)?, Inclusion::Included(_)))
}
