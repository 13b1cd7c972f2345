//! What is known of the places where ways of a plan meet.

use super::plan::NodeId;
use crate::state::template::{lengths::Length, shape::Shape};
use goatherd_certificates::{configuration::InputSize, term::LinearId};
use goatherd_checker::configuration::Configuration;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Where ways meet, and which herds do there: nodes with greater numbers come first, since they lead to the others.
pub(crate) type Junction = (Reverse<NodeId>, (Vec<Shape>, Vec<InputSize>));

/// A herd that has come to where ways meet.
#[derive(Clone)]
pub(crate) struct Comer {
    /// The template of another such place that it comes from, if it comes from one.
    pub(crate) origin: Option<usize>,
    /// Where two arrays had been found different before.
    pub(crate) kept_indices: Vec<LinearId>,
    pub(crate) configuration: Configuration,
    /// How long its arrays are.
    pub(crate) lengths: Vec<Length>,
}

/// What is known of the places where ways meet.
#[derive(Default)]
pub struct Joins {
    /// How many rules are left there.
    pub(crate) sizes: BTreeMap<NodeId, usize>,
    /// The templates that stand there, by their positions.
    pub(crate) chosen: BTreeMap<Junction, Vec<usize>>,
    /// The herds that come there, as long as templates are being looked for.
    pub(crate) gathering: Option<Gathering>,
}

/// Herds that have come to where ways meet.
#[derive(Default)]
pub(crate) struct Gathering {
    pub(crate) waiting: BTreeMap<Junction, Vec<Comer>>,
    /// Where templates have been looked for.
    pub(crate) done: BTreeSet<Junction>,
    /// By template, what it is for.
    pub(crate) covered: BTreeMap<usize, (Junction, Vec<Comer>)>,
    /// Where the herd at hand comes from.
    pub(crate) origin: Option<usize>,
}
