//! Joining of ways (`spec/search.md#joins`): code with m branches has 2^m ways, and two rounds of a loop 4^m, which mostly come to the same.

use super::{derivation::Derivation, path::Path, state::Search, stuck::Stuck};
use crate::{
    state::{herd::Herd, template::key::Route},
    ways::strategy::{Drops, Joins},
};
use goatherd_certificates::{
    derivation::{MemberId, Rule},
    program::Location,
};
use goatherd_checker::configuration::Place;

/// After how many forks ways are joined: what few branches have found out is kept apart.
const FORKS: u32 = 3;
/// The same inside of a loop, where what a round has found out is wanted in the next one.
const FORKS_INSIDE: u32 = 6;

impl Search<'_> {
    /// May what has come here be covered by a template? After a few forks, or after one where others have been joined already. Scapegoats are brought
    /// into step at heads, and so not joined there.
    pub(crate) fn may_join(&self, path: &Path<'_>, location: Location) -> bool {
        let forks = match self.flow.innermost.get(&location) {
            Some(_) if self.strategy.drops != Drops::None && self.flow.loops.contains_key(&location) => return false,
            Some(_) => FORKS_INSIDE,
            None => FORKS,
        };
        let has_forked = path.forks >= forks || (path.forks > 0 && self.joined.contains(&location));
        self.strategy.joins == Joins::Forks && has_forked
    }

    /// Covers the herd by a template at this location, with all scapegoats that come there in the same way.
    pub(crate) fn join(&mut self, mut herd: Herd, mut rules: Vec<Rule>, path: &Path<'_>, location: Location) -> Result<Derivation, Stuck> {
        self.joined.insert(location);
        let mut rounds = Vec::new();
        if self.strategy.drops != Drops::None
            && let Some(head) = self.flow.innermost.get(&location).copied()
        {
            rules.append(&mut self.admit(&mut herd, Some((head, path)))?);
            for position in 1..herd.tags.len() {
                let member = MemberId(u32::try_from(position).unwrap_or(u32::MAX));
                // One that lacks what this round is about waits for the next one: what has brought it so far may be forgotten here.
                for place in [location, head] {
                    let mut next = herd.clone();
                    let mut taken = self.run_to(&mut next, member, Some(place))?;
                    if Self::place(&next, member) == Some(Place::At(place)) {
                        rules.append(&mut taken);
                        herd = next;
                        break;
                    }
                }
            }
            // In the next round scapegoats are brought into step at the head.
            rounds.extend(path.visits.get(&head).filter(|_| !path.heads.contains(&head)).map(|visits| (head, *visits)));
        }
        let end = self.subsume(herd, Route { heads: path.heads.to_vec(), entered: Some(location), rounds })?;
        Ok(Derivation { rules, end })
    }
}
