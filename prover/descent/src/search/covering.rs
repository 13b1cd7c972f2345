//! Which templates cover the herds of a search (`spec/search.md`): they are widened until all that arrives is covered.

use super::{
    derivation::{Derivation, End, Found, Leaf},
    path::Path,
    state::Search,
    stuck::Stuck,
};
use crate::{
    state::{
        herd::Herd,
        template::{
            self, Widened,
            arrival::Arrival,
            basis::Basis,
            key::{Key, Keys, Route},
            keys,
        },
    },
    ways::strategy::Joins,
};
use goatherd_certificates::program::Location;
use goatherd_checker::{configuration::Setting, subsume, term::Arena};
use goatherd_flow::loops::Loop;
use goatherd_logic::{Context, ContextOracle};
use std::{
    collections::{BTreeSet, VecDeque},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

/// How often a template is widened.
const VERSIONS: u32 = 40;
/// How much more often for each of its integers, where ways are joined: each that a branch of its own counts is widened by itself, from one bound to
/// the next. With 40 versions for all, 6 such branches in a loop over an array do not converge.
const VERSIONS_EACH: usize = 6;
/// No template has this version.
const NO_VERSION: u32 = u32::MAX;
/// What a template costs besides is a step for so many pairs of what it lists.
pub(crate) const SQUARE: u64 = 1024;

impl<'a> Search<'a> {
    pub(crate) fn basis(&self) -> Basis<'a> {
        Basis {
            setting: self.setting,
            flow: self.flow,
            lengths: self.strategy.lengths,
            direction: self.strategy.direction,
            folds: self.strategy.folds,
            states: self.states,
            wanted: self.wanted,
        }
    }

    /// What a template costs grows with the square of its size: it is counted as steps, so that a search whose heaps grow with every round
    /// ends before it takes much time and memory. Templates of arrays do not grow.
    fn spend_on(&mut self, arrival: &Arrival) -> Result<(), Stuck> {
        if !self.flow.is_linked {
            return Ok(());
        }
        let size = u64::try_from(arrival.size()).unwrap_or(u64::MAX);
        self.steps_left = self.steps_left.checked_sub(size.saturating_mul(size) / SQUARE).ok_or(Stuck::Budget)?;
        Ok(())
    }

    /// Covers the herd by a template, widening it if need be.
    pub(crate) fn arrive(&mut self, mut herd: Herd, path: &Path<'_>, head: Location) -> Result<End, Stuck> {
        // What was widened inside this loop belongs to a round of it that is over.
        let Loop { body, around, .. } = &self.flow.loops[&head];
        let Path { heads, visits, .. } = path;
        let route = if self.strategy.keys == Keys::Heads {
            Route { heads: around.iter().rev().copied().chain([head]).collect(), entered: None, rounds: Vec::new() }
        } else {
            let before = heads.iter().copied().take_while(|other| *other != head).filter(|other| !body.contains(other));
            let heads: Vec<Location> = before.chain([head]).collect();
            let rounds = around.iter().filter_map(|outer| Some((*outer, *visits.get(outer)?)));
            let rounds = rounds.filter(|(outer, _)| !heads.contains(outer)).collect();
            Route { heads, entered: None, rounds }
        };
        herd.history.arrive(head);
        herd.known = path.known.get(&head).cloned().unwrap_or_default();
        self.subsume(herd, route)
    }

    /// Covers the herd by the template of its key.
    pub(crate) fn subsume(&mut self, herd: Herd, route: Route) -> Result<End, Stuck> {
        let basis = self.basis();
        let mut arrival = Arrival::new(self.arena, basis, herd).map_err(|rejection| self.rejected(rejection))?;
        self.spend_on(&arrival)?;
        if let (Some(new), Some(states)) = (arrival.new_states(), self.states) {
            // What is behind is explored once a sort has such nodes.
            states.replace(new.clone());
            self.has_unlisted = true;
            return Ok(End::Infeasible);
        }
        let key = keys::key(self.arena, basis, &mut arrival, route, self.strategy.keys).map_err(|rejection| self.rejected(rejection))?;
        self.note_returned(&key, &arrival.herd);
        // What tells the herd from those of another key need not be known of it.
        let other = if self.templates.contains_key(&key) { None } else { self.general(&key, &mut arrival) };
        let (key, is_widened) = if let Some(other) = other {
            (other, false)
        } else {
            let is_widened = self.cover(&key, &mut arrival)?;
            (key, is_widened)
        };
        if is_widened && self.explored.as_ref() == Some(&key) {
            return Err(Stuck::Outdated);
        }
        let version = AtomicU32::new(if is_widened { NO_VERSION } else { self.templates[&key].version });
        arrival.herd.context = Context::with_solver(Arc::clone(&self.solver));
        Ok(End::Subsume(Arc::new(Leaf { key, arrival, version })))
    }

    /// The key of a template for alike herds that covers this one as it is.
    fn general(&mut self, key: &Key, arrival: &mut Arrival) -> Option<Key> {
        let Self { arena, setting, templates, .. } = self;
        let mut alike = templates.iter().filter(|(other, _)| other.is_alike(key));
        alike.find(|(_, template)| is_covered(arena, *setting, template, arrival)).map(|(other, _)| other.clone())
    }

    /// Widens the template of the key until it covers the herd. Was it widened?
    fn cover(&mut self, key: &Key, arrival: &mut Arrival) -> Result<bool, Stuck> {
        let old = self.templates.get(key);
        if let Some(old) = old
            && is_covered(self.arena, self.setting, old, arrival)
        {
            return Ok(false);
        }
        let new = template::widen(self.arena, self.basis(), arrival, old).map_err(|rejection| Stuck::Rejected(self.last, rejection))?;
        if new.version > self.versions(&new) {
            return Err(Stuck::NoConvergence(key.route.heads.last().copied().unwrap_or_default()));
        }
        // What is too large to be computed is not wanted.
        self.note_unmet(&mut arrival.herd).unwrap_or_default();
        self.templates.insert(key.clone(), new);
        self.dirty.insert(key.clone());
        self.note_origin(key, &arrival.herd);
        Ok(true)
    }

    /// How often this template is widened at most.
    fn versions(&self, template: &Widened) -> u32 {
        let joined = match self.strategy.joins {
            Joins::Forks => template.integers().saturating_mul(VERSIONS_EACH),
            Joins::Heads | Joins::Never => 0,
        };
        VERSIONS.saturating_add(u32::try_from(joined).unwrap_or(u32::MAX))
    }

    /// Checks again that every herd is covered by the template as it is now. Was one widened?
    pub(crate) fn recheck(&mut self, roots: &[Derivation]) -> Result<bool, Stuck> {
        let mut leaves: Vec<Arc<Leaf>> = Vec::new();
        for derivation in roots {
            subsumed(derivation, &mut leaves);
        }
        let mut seen = BTreeSet::new();
        let mut is_widened = false;
        while let Some(leaf) = leaves.pop() {
            if self.cover_again(&leaf)? {
                is_widened = true;
            } else if seen.insert(leaf.key.clone())
                && let Some(derivation) = self.derivations.get(&leaf.key)
            {
                subsumed(derivation, &mut leaves);
            }
        }
        Ok(is_widened)
    }

    /// Widens the template of a leaf until it covers it again. Was it widened?
    fn cover_again(&mut self, leaf: &Leaf) -> Result<bool, Stuck> {
        let version = self.templates.get(&leaf.key).map_or(NO_VERSION, |template| template.version);
        if version == leaf.version.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let mut arrival = leaf.arrival.clone();
        arrival.herd.recall(self.arena);
        let is_widened = self.cover(&leaf.key, &mut arrival)?;
        if !is_widened {
            leaf.version.store(version, Ordering::Relaxed);
        }
        Ok(is_widened)
    }

    /// The derivations from the roots with the templates that they reach.
    pub(crate) fn collect(mut self, roots: Vec<Derivation>) -> Result<Found, Stuck> {
        let mut seen: BTreeSet<Key> = BTreeSet::new();
        let mut templates: Vec<(Key, Widened, Derivation)> = Vec::new();
        let mut leaves = Vec::new();
        for derivation in &roots {
            subsumed(derivation, &mut leaves);
        }
        let mut leaves = VecDeque::from(leaves);
        while let Some(leaf) = leaves.pop_front() {
            if !seen.insert(leaf.key.clone()) {
                continue;
            }
            let Leaf { key, .. } = leaf.as_ref();
            let (Some(template), Some(derivation)) = (self.templates.remove(key), self.derivations.remove(key)) else {
                return Err(Stuck::NoConvergence(key.route.heads.last().copied().unwrap_or_default()));
            };
            let mut further = Vec::new();
            subsumed(&derivation, &mut further);
            leaves.extend(further);
            templates.push((key.clone(), template, derivation));
        }
        Ok(Found { roots, templates, has_own_values: self.has_own_values })
    }
}

/// Does the template cover the herd, as far as the herd's context shows?
fn is_covered(arena: &mut Arena, setting: Setting<'_>, template: &Widened, arrival: &mut Arrival) -> bool {
    let Ok(matching) = template.matching(arena, setting, arrival) else { return false };
    let Herd { configuration, context, .. } = &mut arrival.herd;
    let mut oracle = ContextOracle(context);
    subsume::subsume(arena, setting, configuration, &template.configuration, &matching, &mut oracle).is_ok()
}

fn subsumed(derivation: &Derivation, into: &mut Vec<Arc<Leaf>>) {
    match &derivation.end {
        End::Subsume(leaf) => into.push(Arc::clone(leaf)),
        End::Step(_, children) | End::Split(_, children) | End::Unfold(_, _, children) => {
            for child in children {
                subsumed(child, into);
            }
        }
        End::Infeasible | End::Ended | End::Descent(_) | End::Twin(_) => {}
    }
}
