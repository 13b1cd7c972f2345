//! What templates of a search are made with.

use crate::state::{
    folding::{folds::Folds, states::States},
    wanted::Wanted,
};
use goatherd_certificates::derivation::Lengths;
use goatherd_checker::configuration::Setting;
use goatherd_flow::Flow;
use std::cell::RefCell;

/// Which way the loops of a program run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the first element on: herds are split at a head where no scapegoat is in step with the primary.
    Up,
    /// Also down to the first element: herds are split ahead of the last rounds as well, and the first element without a cell, which one of
    /// them writes, is remembered.
    Down,
}

/// What templates are made for.
#[derive(Clone, Copy)]
pub struct Basis<'a> {
    /// Program, parameters and k.
    pub setting: Setting<'a>,
    /// What is known of the program beforehand.
    pub flow: &'a Flow,
    /// What is known of the lengths of arrays at the entry.
    pub lengths: Lengths,
    /// Which way its loops run.
    pub direction: Direction,
    /// What is folded, where there is a choice.
    pub folds: Folds,
    /// The states that have been found, where sorts are not given.
    pub states: Option<&'a RefCell<States>>,
    /// What failures have shown to be wanted at loops.
    pub wanted: Option<&'a Wanted>,
}

impl Basis<'_> {
    /// The bounds that templates keep integers to: of what is in nodes, those that are kept when these are folded.
    pub fn thresholds(self) -> Vec<i128> {
        let of_nodes = self.states.map(|states| states.borrow().bounds.all().to_vec()).filter(|bounds| !bounds.is_empty());
        of_nodes.unwrap_or_else(|| self.flow.thresholds.clone())
    }
}
