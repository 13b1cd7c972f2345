//! What a search has found so far, and where it is.

use super::{derivation::Derivation, origins::Origins, progress::Progress};
use crate::{
    state::{
        folding::states::States,
        herd::{Herd, SmallerInput},
        template::{Widened, key::Key},
        wanted::{Inequality, Wanted},
    },
    ways::strategy::Strategy,
};
use goatherd_certificates::program::Location;
use goatherd_checker::{configuration::Setting, term::Arena};
use goatherd_flow::Flow;
use goatherd_logic::Solver;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, atomic::AtomicBool},
};

/// A search.
pub struct Search<'a> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) setting: Setting<'a>,
    pub(crate) flow: &'a Flow,
    pub(crate) strategy: Strategy,
    /// The templates so far.
    pub templates: BTreeMap<Key, Widened>,
    /// The smaller inputs that scapegoats have, in the order in which they were first added: the tag of the first is 1.
    pub(crate) inputs: Vec<SmallerInput>,
    pub(crate) derivations: BTreeMap<Key, Derivation>,
    pub(crate) dirty: BTreeSet<Key>,
    /// The template that is explored.
    pub(crate) explored: Option<Key>,
    pub(crate) steps_left: u64,
    pub(crate) solver: Arc<Solver>,
    pub(crate) progress: &'a Progress,
    /// Has a way to search that is preferred to this one found a proof meanwhile?
    pub(crate) superseded: &'a AtomicBool,
    /// The states that have been found, where sorts are not given.
    pub(crate) states: Option<&'a RefCell<States>>,
    /// What failures of earlier searches have shown to be wanted at loops.
    pub(crate) wanted: Option<&'a Wanted>,
    /// Herds that have come back to the template that is explored.
    pub(crate) returned: Vec<Herd>,
    /// What would have to hold at loops for what is wanted at the next ones.
    pub(crate) unmet: BTreeSet<(Location, Inequality)>,
    /// Where templates have come from, where a failure is asked that.
    pub(crate) origins: Option<Origins>,
    /// Are there nodes that no sort has yet?
    pub(crate) has_unlisted: bool,
    pub(crate) last: Location,
    /// How often each scapegoat has been blamed.
    pub(crate) blamed: BTreeMap<usize, u32>,
    /// Has a scapegoat taken a value that it did not choose?
    pub(crate) has_own_values: bool,
    /// Where ways have been joined outside of heads.
    pub(crate) joined: BTreeSet<Location>,
}
