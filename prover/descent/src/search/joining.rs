//! Joining of ways outside of loops (`spec/search.md#joins`): straight-line code with m branches has 2^m ways, which mostly come to the same.

use super::{derivation::End, path::Path, state::Search, stuck::Stuck};
use crate::{
    state::{herd::Herd, template::key::Route},
    ways::strategy::Joins,
};
use goatherd_certificates::program::Location;

/// After how many forks ways are joined: what few branches have found out is kept apart.
const FORKS: u32 = 3;

impl Search<'_> {
    /// May what has come here be covered by a template? After a few forks, or after one where others have been joined already.
    pub(crate) fn may_join(&self, path: &Path<'_>, location: Location) -> bool {
        let has_forked = path.forks >= FORKS || (path.forks > 0 && self.joined.contains(&location));
        self.strategy.joins == Joins::Forks && has_forked && !self.flow.loops.values().any(|around| around.body.contains(&location))
    }

    /// Covers the herd by a template at this location.
    pub(crate) fn join(&mut self, herd: Herd, path: &Path<'_>, location: Location) -> Result<End, Stuck> {
        self.joined.insert(location);
        self.subsume(herd, Route { heads: path.heads.to_vec(), entered: Some(location), rounds: Vec::new() })
    }
}
