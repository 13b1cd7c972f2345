//! What happens where the primary comes to the head of a loop: whether it is followed for another round, and what keeps scapegoats in step
//! (`spec/search.md`).

use super::{
    derivation::{Derivation, End},
    path::{Path, SPLITS, UNFOLDINGS},
    scapegoats::Synchronised,
    state::Search,
    stuck::Stuck,
};
use crate::{
    state::{
        folding::folds::Folds,
        herd::Herd,
        template::{
            basis::Direction,
            key::{Keys, Route},
        },
    },
    ways::strategy::Drops,
};
use goatherd_certificates::{
    derivation::{MemberId, Rule},
    program::{Instruction, Location, Program, Type},
};
use goatherd_checker::{configuration::Place, outcome::Outcome, rules::is_excluded, step::outcomes};
use goatherd_flow::{instruction::successors, loops::Loop};
use std::collections::BTreeSet;

/// After how many steps a loop whose head the primary has reached is left at the latest, if nothing is left to decide.
const LEAVING: usize = 64;
/// How many rounds of a loop in which nothing is left to decide are followed.
const DECIDED: usize = 16;
/// How many rounds of a loop are followed in search of a node that can be spared.
const SPARING: u32 = 8;
/// So many instructions before the next loops are worth a template.
const FAR: usize = 24;

impl Search<'_> {
    /// The primary is at the head of a loop, and goes on for another round if there is no end.
    pub(crate) fn pass_head(
        &mut self,
        herd: &mut Herd,
        rules: &mut Vec<Rule>,
        path: &mut Path<'_>,
        location: Location,
    ) -> Result<Option<End>, Stuck> {
        if path.unfoldings < UNFOLDINGS
            && let Some(opening) = self.handed(herd, location)
        {
            return self.explore_unfolded(herd, opening, &path.unfolded(), false).map(Some);
        }
        if let Some(end) = self.keep_before_witnesses(herd, path, location)? {
            return Ok(Some(end));
        }
        if let Some(end) = self.take_sides(herd, path, location)? {
            return Ok(Some(end));
        }
        let visit = path.visits.get(&location).copied().unwrap_or(0);
        if visit == 0 {
            self.note_known_nodes(herd, path, location);
        }
        if visit == 0
            && let Some(end) = self.twin(herd, rules, location)?
        {
            return Ok(Some(end));
        }
        if visit == 0
            && self.may_enter(herd, path, location)
            && let Some(derivation) = self.enter(herd, rules, path, location)?
        {
            *rules = derivation.rules;
            return Ok(Some(derivation.end));
        }
        if visit >= 1
            && let Some(end) = self.return_to_head(herd, rules, path, (location, visit))?
        {
            return Ok(Some(end));
        }
        path.visits.insert(location, visit.saturating_add(1));
        for inner in self.flow.nested(location) {
            path.visits.remove(&inner);
        }
        Ok(None)
    }

    /// The primary is at the head of a loop again: scapegoats are synchronised, and after the last precise round a template covers the herd.
    fn return_to_head(
        &mut self,
        herd: &mut Herd,
        rules: &mut Vec<Rule>,
        path: &Path<'_>,
        (location, visit): (Location, u32),
    ) -> Result<Option<End>, Stuck> {
        let precise = self.precise_rounds(location);
        // Behind a template no node can be left out any more.
        let is_over = self.strategy.drops == Drops::Recent && herd.tags.len() == 1 && self.is_leaving(herd, location)?;
        let mut added = Vec::new();
        if self.strategy.drops != Drops::Recent || (visit >= precise && !is_over) {
            added = self.admit(herd, Some((location, path)))?;
        }
        let is_new = self.strategy.drops == Drops::Spare && !added.is_empty();
        rules.append(&mut added);
        let is_last = self.has_rounds(herd, (location, path), visit) && !is_over && !self.runs_out(herd, location)?;
        let mut synchronised = herd.clone();
        let mut outcome = self.synchronise(&mut synchronised, location, &path.visits)?;
        if let Some(member) = outcome.failed {
            rules.append(&mut outcome.rules);
            return Ok(Some(End::Descent(member)));
        }
        // The element that keeps scapegoats from getting in step is often the one that the primary looks at in its next round.
        let is_patient = !self.strategy.drops.are_blocks() && (visit == precise || is_new);
        let is_last = is_last && (outcome.is_full || !is_patient);
        if is_last && let Some(end) = self.help_on(herd, &outcome, path)? {
            return Ok(Some(end));
        }
        if is_last {
            rules.append(&mut outcome.rules);
            rules.append(&mut outcome.leave_behind(&mut synchronised));
            if self.strategy.drops == Drops::Outer && path.heads.iter().chain([&location]).any(|head| self.flow.outer.contains(head)) {
                rules.append(&mut self.drop_inner(&mut synchronised, &outcome));
            }
            return self.arrive(synchronised, path, location).map(Some);
        }
        if !outcome.has_dropped {
            rules.append(&mut outcome.rules);
            *herd = synchronised;
        }
        Ok(None)
    }

    /// Is a herd that comes to this head for the first time covered by a template? The ways on which it may have come are many then, and what
    /// they have found out has seldom to do with the loop.
    pub(crate) fn may_enter(&self, herd: &Herd, path: &Path<'_>, head: Location) -> bool {
        let is_merged = self.strategy.folds == Folds::Uniform || self.strategy.drops == Drops::Blocks;
        is_merged && !path.heads.is_empty() && herd.tags.len() > 1 && self.flow.loops[&head].around.is_empty()
    }

    /// Covers a herd that comes to this head for the first time, if a scapegoat is in step, or after what one wants is unfolded.
    pub(crate) fn enter(&mut self, original: &Herd, before: &[Rule], path: &Path<'_>, head: Location) -> Result<Option<Derivation>, Stuck> {
        let mut herd = original.clone();
        let mut rules = before.to_vec();
        let mut outcome = self.synchronise(&mut herd, head, &path.visits)?;
        rules.append(&mut outcome.rules);
        if let Some(member) = outcome.failed {
            return Ok(Some(Derivation { rules, end: End::Descent(member) }));
        }
        if !outcome.is_full {
            let Some(opening) = outcome.openings.first().filter(|_| path.unfoldings < UNFOLDINGS) else { return Ok(None) };
            let end = self.explore_unfolded(original, *opening, &path.unfolded(), false)?;
            return Ok(Some(Derivation { rules: before.to_vec(), end }));
        }
        if self.strategy.drops == Drops::Spare && (outcome.has_dropped || outcome.in_step.contains(&false)) {
            // One that lacks the node at which the loop begins is in step behind that.
            (herd, rules) = (original.clone(), before.to_vec());
            for position in 1..herd.tags.len() {
                let member = MemberId(u32::try_from(position).unwrap_or(u32::MAX));
                rules.append(&mut self.run_to(&mut herd, member, Some(head))?);
            }
        } else {
            rules.append(&mut outcome.leave_behind(&mut herd));
        }
        herd.known = path.known.get(&head).cloned().unwrap_or_default();
        let heads = path.heads.to_vec();
        let end = self.subsume(herd, Route { heads, entered: Some(head), rounds: Vec::new() })?;
        Ok(Some(Derivation { rules, end }))
    }

    /// Is a herd that leaves an outermost loop here covered by a template? Where the loop has ended is seldom of interest for what comes next.
    fn may_leave(&self, herd: &Herd, exit: Location) -> bool {
        let is_merged = self.strategy.folds == Folds::Uniform && herd.tags.len() > 1;
        is_merged && !self.flow.loops.contains_key(&exit) && self.is_far_from_loops(exit)
    }

    /// Are there many instructions between here and the next loops, or the end of the program?
    fn is_far_from_loops(&self, exit: Location) -> bool {
        let (mut seen, mut open) = (BTreeSet::from([exit]), vec![exit]);
        while let Some(location) = open.pop() {
            if !self.flow.loops.contains_key(&location) {
                open.extend(successors(self.setting.program, location).into_iter().filter(|next| seen.insert(*next)));
            }
        }
        seen.len() >= FAR
    }

    /// Covers a herd that leaves the loop, with all scapegoats that leave it there too.
    pub(crate) fn leave(
        &mut self,
        original: &Herd,
        before: &[Rule],
        path: &Path<'_>,
        (head, exit): (Location, Location),
    ) -> Result<Option<Derivation>, Stuck> {
        if !self.may_leave(original, exit) {
            return Ok(None);
        }
        let (mut herd, mut rules, mut is_any) = (original.clone(), before.to_vec(), false);
        for position in 1..herd.tags.len() {
            let member = MemberId(u32::try_from(position).unwrap_or(u32::MAX));
            let mut next = herd.clone();
            let mut taken = self.run_to(&mut next, member, Some(exit))?;
            if next.configuration.members[position].place == Place::At(exit) {
                rules.append(&mut taken);
                (herd, is_any) = (next, true);
            }
        }
        if !is_any {
            return Ok(None);
        }
        // What was found missing before the loop may be why nothing fails behind it; where several nodes are left out, that is seldom so.
        if self.setting.k == 1 {
            herd.known = path.known.get(&head).cloned().unwrap_or_default();
        }
        let mut heads = path.heads.to_vec();
        if heads.last() != Some(&head) {
            heads.push(head);
        }
        let end = self.subsume(herd, Route { heads, entered: Some(exit), rounds: Vec::new() })?;
        Ok(Some(Derivation { rules, end }))
    }

    /// Does the primary, at the head of this loop, leave it now?
    pub(crate) fn is_leaving(&mut self, herd: &Herd, head: Location) -> Result<bool, Stuck> {
        self.leaves(herd, head, 1)
    }

    /// Does the primary, at the head of a loop inside of another one, leave it after a few rounds in which nothing is left to decide? Then there is nothing
    /// to generalise: `strlen("green")` is 5. Outside of loops that is left to ways that are followed to their end (`Joins::Never`), and the length of a
    /// list is no constant of the program.
    fn runs_out(&mut self, herd: &Herd, head: Location) -> Result<bool, Stuck> {
        let Program { instructions, registers, .. } = self.setting.program;
        let follows = |location: &Location| match &instructions[location.index()] {
            Instruction::Load { target, .. } => registers[target.index()].kind == Type::Pointer,
            _ => false,
        };
        let Loop { around, body, .. } = &self.flow.loops[&head];
        if around.is_empty() || body.iter().any(follows) {
            return Ok(false);
        }
        self.leaves(herd, head, DECIDED)
    }

    /// Does the primary, at the head of this loop, leave it within so many rounds in which nothing is left to decide?
    fn leaves(&mut self, herd: &Herd, head: Location, rounds: usize) -> Result<bool, Stuck> {
        let (mut herd, mut left) = (herd.clone(), rounds);
        for _ in 0..LEAVING.saturating_mul(rounds) {
            self.spend()?;
            let Ok(all) = outcomes(self.arena, self.setting, &herd.configuration.members[0]) else { return Ok(false) };
            let is_open = |outcome: &&Outcome| !is_excluded(self.arena, outcome);
            let open: Vec<&Outcome> = all.iter().filter(is_open).collect();
            let mut open = open.into_iter().filter(|outcome| !herd.context.refutes(self.arena, &outcome.literals));
            let (Some(outcome), None) = (open.next(), open.next()) else { return Ok(false) };
            herd.follow(self.arena, self.setting, outcome).map_err(|rejection| self.rejected(rejection))?;
            match herd.configuration.members[0].place {
                Place::At(location) if location == head => {
                    left -= 1;
                    if left == 0 {
                        return Ok(false);
                    }
                }
                Place::At(location) if self.flow.loops[&head].body.contains(&location) => {}
                _ => return Ok(true),
            }
        }
        Ok(false)
    }

    /// At the last round of a loop, where no scapegoat is in step: splits on what keeps one from it, or unfolds what one wants.
    pub(crate) fn help_on(&mut self, herd: &Herd, outcome: &Synchronised, path: &Path<'_>) -> Result<Option<End>, Stuck> {
        let is_alone = !outcome.is_full || self.strategy.direction == Direction::Down;
        let obstacles = match self.strategy.keys {
            _ if is_alone => &outcome.obstacles[..],
            Keys::Witnesses => &outcome.lost,
            _ => &[],
        };
        if path.splits < SPLITS
            && let Some(literal) = obstacles.first()
        {
            let children = self.split(herd, *literal, &path.split())?;
            return Ok(Some(End::Split(*literal, children)));
        }
        // What the program asks of nodes that the primary has passed is asked of others in a scapegoat. Behind a template there will be no other
        // one in the place of one that does not get as far as that.
        let stranded = if path.heads.is_empty() { outcome.stranded.first() } else { None };
        let wanted = if outcome.is_full { stranded } else { outcome.openings.first() };
        if path.unfoldings < UNFOLDINGS
            && let Some(opening) = wanted
        {
            return self.explore_unfolded(herd, *opening, &path.unfolded(), false).map(Some);
        }
        Ok(None)
    }

    /// Is a node that was passed spare now, at a head where the primary has unfolded what it comes to?
    pub(crate) fn may_spare_more(&self, herd: &Herd, path: &Path<'_>, head: Location) -> bool {
        self.strategy.drops == Drops::Spare && path.heads.is_empty() && herd.tags.len() == 1 && path.visits.contains_key(&head)
    }

    /// Has a loop been followed precisely for as many rounds as it should be?
    pub(crate) fn has_rounds(&self, herd: &Herd, (head, path): (Location, &Path<'_>), visit: u32) -> bool {
        let precise = self.precise_rounds(head);
        let rounds = match self.strategy.drops {
            _ if herd.tags.len() > 1 => precise,
            // What the program is about may be several nodes deep.
            Drops::Spare if path.heads.is_empty() => SPARING,
            // Without scapegoats the size is known: the loop may end after k rounds, before anything is forgotten.
            _ => precise + 1,
        };
        let is_ahead = self.strategy.drops == Drops::Spare && visit < SPARING && self.is_at_known_node(herd, (head, path));
        visit >= rounds && !is_ahead
    }

    /// How many rounds of a loop are followed precisely: as many as pass the elements that were left out.
    pub(crate) fn precise_rounds(&self, head: Location) -> u32 {
        let stride = if self.strategy.drops.are_blocks() { self.flow.loops[&head].stride.max(1) } else { 1 };
        self.strategy.k.div_ceil(stride)
    }
}
