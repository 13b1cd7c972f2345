//! How a herd came to be where it is.

use goatherd_certificates::program::{Location, ObjectId};
use goatherd_flow::Flow;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How a herd came to be where it is.
#[derive(Clone)]
pub struct Path<'a> {
    /// The loop heads at which the derivation was widened.
    pub heads: &'a [Location],
    /// How often the primary has passed each loop head.
    pub visits: BTreeMap<Location, u32>,
    /// How often the herd was split at loop heads and at failures.
    pub splits: u32,
    /// How often a symbol was unfolded because a scapegoat wanted it.
    pub unfoldings: u32,
    /// By head, the nodes that the primary had looked at when it first came there.
    pub known: BTreeMap<Location, Arc<BTreeSet<ObjectId>>>,
    /// The outermost loop that the primary is in.
    pub inside: Option<Location>,
    /// How often the primary had several ways to go on since the last template.
    pub forks: u32,
}

impl<'a> Path<'a> {
    /// At the entry, or at a template on this way.
    pub(crate) const fn new(heads: &'a [Location], visits: BTreeMap<Location, u32>) -> Self {
        Self { heads, visits, splits: 0, unfoldings: 0, known: BTreeMap::new(), inside: None, forks: 0 }
    }

    /// Goes on to this location. The head of the outermost loop that is left there, if one is.
    pub(crate) fn go_on(&mut self, flow: &Flow, location: Location) -> Option<Location> {
        let left = self.inside.take_if(|head| !flow.loops[head].body.contains(&location));
        if flow.loops.get(&location).is_some_and(|around| around.around.is_empty()) {
            self.inside = Some(location);
        }
        left
    }

    /// With one more fork behind it.
    pub(crate) fn forked(&self) -> Self {
        Self { forks: self.forks + 1, ..self.clone() }
    }

    /// With one more split.
    pub(crate) fn split(&self) -> Self {
        Self { splits: self.splits + 1, ..self.clone() }
    }

    /// With one more symbol unfolded for a scapegoat.
    pub(crate) fn unfolded(&self) -> Self {
        Self { unfoldings: self.unfoldings + 1, ..self.clone() }
    }
}

/// How often a path may be split, at loop heads and at failures.
pub(crate) const SPLITS: u32 = 3;

/// How often symbols are unfolded on a path because scapegoats want it.
pub(crate) const UNFOLDINGS: u32 = 3;
