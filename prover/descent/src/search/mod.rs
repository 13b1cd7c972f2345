//! The search for a derivation by scapegoating size descent (Shrinker §4, §5.4; design in `spec/search.md`).
//!
//! The primary runs; a loop is followed precisely for k rounds, then the herd is covered by a template, widened until everything that
//! arrives is covered. Scapegoats stand at the entry from the start and are advanced whenever the primary passes a loop head. Where the
//! primary may fail, a scapegoat must have failed too.

pub(crate) mod agreement;
pub(crate) mod cases;
pub(crate) mod covering;
pub(crate) mod derivation;
pub(crate) mod focus;
pub(crate) mod found;
pub(crate) mod heads;
pub(crate) mod joining;
pub(crate) mod lemmas;
pub(crate) mod lesson;
pub(crate) mod origins;
pub(crate) mod path;
pub(crate) mod progress;
pub(crate) mod refinement;
pub(crate) mod scapegoats;
pub(crate) mod state;
pub(crate) mod stuck;
pub(crate) mod twins;
pub(crate) mod unfolding;
pub(crate) mod wanted;
pub(crate) mod witnesses;

use crate::{
    state::{
        folding::states::{Merging, States},
        herd::Herd,
        words,
    },
    ways::strategy::{Drops, Joins, Strategy},
};
use covering::SQUARE;
use derivation::{Derivation, End, Found};
use path::{Path, SPLITS, UNFOLDINGS};
use state::Search;
use stuck::{Failing, Stuck};

use goatherd_certificates::{
    derivation::{Lengths, MemberId, OutcomeId, Refutation, Rule},
    program::{Instruction, Location},
    term::{LinearId, Literal},
};
use goatherd_checker::{
    configuration::{Place, Setting},
    outcome::Outcome,
    rejection::Rejection,
    rules::{self, is_excluded},
    step::outcomes,
    term::Arena,
};
use goatherd_flow::Flow;
use goatherd_logic::{Solver, refute};
use origins::Origins;
use progress::Progress;
use scapegoats::Guess;
use std::{
    cell::RefCell,
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    iter,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// How many forks a way may have that is followed to its end: what is known at a fork is kept until all of its ways have ended.
const FOLLOWED: u32 = 32;

impl<'a> Search<'a> {
    /// A search with a budget of steps.
    pub fn new(
        arena: &'a mut Arena,
        setting: Setting<'a>,
        flow: &'a Flow,
        strategy: Strategy,
        steps: u64,
        solver: Arc<Solver>,
        (progress, superseded): (&'a Progress, &'a AtomicBool),
    ) -> Self {
        Self {
            arena,
            setting,
            flow,
            strategy,
            templates: BTreeMap::new(),
            inputs: Vec::new(),
            derivations: BTreeMap::new(),
            dirty: BTreeSet::new(),
            explored: None,
            steps_left: steps,
            solver,
            progress,
            superseded,
            states: None,
            wanted: None,
            returned: Vec::new(),
            unmet: BTreeSet::new(),
            origins: None,
            has_unlisted: false,
            last: Location(0),
            blamed: BTreeMap::new(),
            has_own_values: false,
            joined: BTreeSet::new(),
        }
    }

    /// The same search, whose sorts are states that it finds.
    #[must_use]
    pub fn finding(self, states: Option<&'a RefCell<States>>) -> Self {
        let is_refined = states.is_some_and(|states| states.borrow().merging == Merging::Predicates);
        Self { states, origins: is_refined.then(Origins::default), ..self }
    }

    pub(crate) fn spend(&mut self) -> Result<(), Stuck> {
        let is_wanted = !self.superseded.load(Ordering::Relaxed);
        self.steps_left = self.steps_left.checked_sub(1).filter(|_| is_wanted).ok_or(Stuck::Budget)?;
        self.progress.count();
        Ok(())
    }

    /// Where every way is followed, nothing is forgotten, and what is known is copied at each fork: it is counted as steps, so that other ways to search
    /// get their turn.
    fn spend_on_ways(&mut self, herd: &Herd) -> Result<(), Stuck> {
        if self.strategy.joins == Joins::Never {
            let size = u64::try_from(herd.context.size()).unwrap_or(u64::MAX);
            self.steps_left = self.steps_left.checked_sub(size.saturating_mul(size) / SQUARE).ok_or(Stuck::Budget)?;
        }
        Ok(())
    }

    pub(crate) fn rejected(&self, rejection: Rejection) -> Stuck {
        Stuck::Rejected(self.last, rejection)
    }

    /// Searches for a whole proof.
    pub fn run(mut self) -> Result<Found, Stuck> {
        let mut roots = Vec::new();
        for class in 0.. {
            let root = rules::root(self.arena, self.setting, self.strategy.lengths, class).map_err(|rejection| self.rejected(rejection))?;
            let Some(configuration) = root else { break };
            let mut herd = Herd::new(self.arena, configuration, &self.solver);
            self.begin(&mut herd);
            roots.push(self.root(herd)?);
        }
        loop {
            // Short paths first: what is behind depends on them.
            while let Some(key) = self.dirty.iter().min_by_key(|key| (key.route.heads.len(), key.route.entered.is_some(), *key)).cloned() {
                self.dirty.remove(&key);
                let herd = self.resume(&key);
                let widened = key.route.heads.iter().map(|head| (*head, u32::MAX));
                // Scapegoats are in step where they have entered the loop: one round tells whether they stay so.
                let round = if self.strategy.drops == Drops::Spare { self.setting.k.saturating_add(1) } else { 1 };
                let entered = key.route.entered.map(|head| (head, round));
                let visits = widened.chain(key.route.rounds.iter().copied()).chain(entered).collect();
                self.explored = Some(key.clone());
                self.returned.clear();
                match self.explore(herd, Path::new(&key.route.heads, visits), true) {
                    Ok(derivation) => drop(self.derivations.insert(key, derivation)),
                    Err(Stuck::Outdated) => {}
                    Err(stuck) => return Err(stuck),
                }
            }
            if self.has_unlisted {
                return Err(Stuck::Unlisted(self.steps_left));
            }
            if !self.recheck(&roots)? {
                break;
            }
        }
        self.collect(roots)
    }

    /// Adds the scapegoats of a size class and explores it.
    fn root(&mut self, mut herd: Herd) -> Result<Derivation, Stuck> {
        if self.strategy.drops.are_rounds() {
            herd.candidates = self.left_out_rounds().into();
        }
        if self.strategy.drops.are_rounds() || matches!(self.strategy.drops, Drops::Passed | Drops::Recent | Drops::Spare) {
            let integers = if self.strategy.drops.are_rounds() { Vec::new() } else { self.decremented(&herd) };
            let by_sign = self.root_by_sign(&mut herd, &integers)?;
            return by_sign.map_or_else(|| self.explore(herd, Path::new(&[], BTreeMap::new()), false), Ok);
        }
        if self.strategy.drops != Drops::None
            && let Some(opening) = self.folded_input(&herd)
        {
            let (tree, end) = opening;
            let mut children = Vec::new();
            for child in self.unfolded(&herd, opening)? {
                children.push(self.root(child)?);
            }
            return Ok(Derivation { rules: Vec::new(), end: End::Unfold(tree, end, children) });
        }
        if self.strategy.lengths == Lengths::Open {
            return self.explore(herd, Path::new(&[], BTreeMap::new()), false);
        }
        let lengths = self.lengths(&herd);
        let is_open = |length: &Option<LinearId>| length.is_some_and(|length| self.arena.value(length).is_none());
        let has_open = lengths.iter().any(is_open) || self.setting.program.inputs.iter().any(|input| !self.nodes(&herd, input).is_empty());
        if self.strategy.drops != Drops::None && has_open {
            let integers = self.decremented(&herd);
            if let Some(derivation) = self.root_by_sign(&mut herd, &integers)? {
                return Ok(derivation);
            }
            // An input with other lengths than the program wants is ignored: it needs no scapegoats.
            if self.flow.equally_long.iter().all(|pair| self.may_be_equal(&mut herd, &lengths, *pair)) {
                herd.candidates = self.smaller_inputs(&mut herd, &lengths, &integers).into();
            }
        }
        self.explore(herd, Path::new(&[], BTreeMap::new()), false)
    }

    /// One less of an integer is an input only where the integer is positive: both cases, unless each is decided.
    fn root_by_sign(&mut self, herd: &mut Herd, integers: &[(u32, LinearId)]) -> Result<Option<Derivation>, Stuck> {
        let Some(literal) = self.undecided_sign(herd, integers) else { return Ok(None) };
        let negation = self.arena.negate(literal).map_err(|rejection| self.rejected(rejection))?;
        let mut children = Vec::new();
        for literal in [literal, negation] {
            let child = herd.with(self.arena, literal);
            children.push(self.root(child)?);
        }
        Ok(Some(Derivation { rules: Vec::new(), end: End::Split(literal, children) }))
    }

    fn may_be_equal(&mut self, herd: &mut Herd, lengths: &[Option<LinearId>], (left, right): (u32, u32)) -> bool {
        let length = |input: u32| usize::try_from(input).ok().and_then(|input| lengths.get(input).copied().flatten());
        let Some((left, right)) = length(left).zip(length(right)) else { return true };
        let different = self.arena.equal(left, right).and_then(|equal| self.arena.negate(equal));
        !different.is_ok_and(|literal| herd.context.entails(self.arena, literal))
    }

    /// Explores everything that the primary may do from here.
    pub(crate) fn explore(&mut self, mut herd: Herd, mut path: Path<'_>, mut is_start: bool) -> Result<Derivation, Stuck> {
        let mut rules: Vec<Rule> = Vec::new();
        if let (true, Place::At(head)) = (is_start && path.known.is_empty(), herd.configuration.members[0].place) {
            self.note_known_nodes(&herd, &mut path, head);
        }
        loop {
            self.spend()?;
            self.spend_on_ways(&herd)?;
            if self.has_failed(&herd, MemberId(0)) {
                rules.append(&mut self.admit(&mut herd, None)?);
                return self.blame(herd, rules, &path);
            }
            let Place::At(location) = herd.configuration.members[0].place else { return Err(Stuck::Budget) };
            if matches!(self.setting.program.instructions[location.index()], Instruction::Halt | Instruction::Ignore) {
                return Ok(Derivation { rules, end: End::Ended });
            }
            self.last = location;
            if is_start && self.flow.loops.contains_key(&location) && self.may_spare_more(&herd, &path, location) {
                rules.append(&mut self.admit(&mut herd, Some((location, &path)))?);
            }
            let joins = self.strategy.joins != Joins::Never;
            if !joins && path.forks > FOLLOWED {
                return Err(Stuck::Budget);
            }
            if let Some(head) = path.go_on(self.flow, location)
                && joins
                && let Some(derivation) = self.leave(&herd, &rules, &path, (head, location))?
            {
                return Ok(derivation);
            }
            if self.flow.loops.contains_key(&location)
                && !is_start
                && joins
                && let Some(end) = self.pass_head(&mut herd, &mut rules, &mut path, location)?
            {
                return Ok(Derivation { rules, end });
            }
            if !is_start && self.may_join(&path, location) {
                return self.join(herd, rules, &path, location);
            }
            if let Some(literal) = self.touched(&mut herd, location) {
                let end = self.by_size(&herd, &path, literal)?;
                return Ok(Derivation { rules, end });
            }
            if let Some(end) = self.meet_asked(&mut herd, &path, location)? {
                return Ok(Derivation { rules, end });
            }
            self.note_overwritten(&mut herd, location);
            let all = match outcomes(self.arena, self.setting, &herd.configuration.members[0]) {
                Err(Rejection::Folded) if let Some(opening) = self.opening(&herd, MemberId(0)) => {
                    // A loop head has been passed already.
                    let end = self.explore_unfolded(&herd, opening, &path, self.flow.loops.contains_key(&location))?;
                    return Ok(Derivation { rules, end });
                }
                all => all.map_err(|rejection| self.rejected(rejection))?,
            };
            is_start = false;
            let (refuted, open) = self.divide(&mut herd, &all);
            if let [(_, outcome)] = open.as_slice() {
                herd.follow(self.arena, self.setting, outcome).map_err(|rejection| self.rejected(rejection))?;
                let refuted = refuted.into_iter().map(|outcome| (outcome, Refutation::default())).collect();
                rules.push(Rule::Step { refuted });
                continue;
            }
            let children = self.branch(herd, location, &open, &path.forked())?;
            return Ok(Derivation { rules, end: End::Step(refuted, children) });
        }
    }

    /// Which of the primary's outcomes are refuted, and which are left.
    pub(crate) fn divide<'b>(&mut self, herd: &mut Herd, all: &'b [Outcome]) -> (Vec<OutcomeId>, Vec<(OutcomeId, &'b Outcome)>) {
        let (mut refuted, mut open) = (Vec::new(), Vec::new());
        for (position, outcome) in (0..).zip(all) {
            if is_excluded(self.arena, outcome) {
                continue;
            }
            if herd.context.refutes(self.arena, &outcome.literals) {
                refuted.push(OutcomeId(position));
            } else {
                open.push((OutcomeId(position), outcome));
            }
        }
        (refuted, open)
    }

    /// Explores what the primary may do after each of these outcomes of the instruction.
    fn branch(
        &mut self,
        herd: Herd,
        location: Location,
        open: &[(OutcomeId, &Outcome)],
        path: &Path<'_>,
    ) -> Result<Vec<Derivation>, Stuck> {
        let mut herds = Vec::new();
        for (mut child, (position, (number, outcome))) in iter::repeat_n(herd, open.len()).zip(open.iter().enumerate()) {
            child.follow(self.arena, self.setting, outcome).map_err(|rejection| self.rejected(rejection))?;
            child.history.branches.push((location, *number));
            herds.push((position, child));
        }
        // What stays in the loop of a template that is explored comes first: where it widens that, all else would be in vain. Heaps are left as
        // they come: what is kept of them depends on what has arrived before.
        let body = path.heads.last().filter(|_| !self.flow.is_linked).map(|head| &self.flow.loops[head].body);
        let leaves = |child: &Herd| match (body, child.configuration.members[0].place) {
            (Some(body), Place::At(location)) => !body.contains(&location),
            _ => false,
        };
        herds.sort_by_key(|(_, child)| leaves(child));
        let mut children = Vec::new();
        for (position, mut child) in herds {
            self.last = location;
            let derivation = match self.deciding_period(&mut child, &open[position].1.literals) {
                Some(literal) => {
                    let cases = self.split(&child, literal, path)?;
                    Derivation { rules: Vec::new(), end: End::Split(literal, cases) }
                }
                None => self.explore(child, path.clone(), false)?,
            };
            children.push((position, derivation));
        }
        children.sort_by_key(|(position, _)| *position);
        Ok(children.into_iter().map(|(_, derivation)| derivation).collect())
    }

    /// Both sides of a literal.
    pub(crate) fn split(&mut self, herd: &Herd, literal: Literal, path: &Path<'_>) -> Result<Vec<Derivation>, Stuck> {
        let negation = self.arena.negate(literal).map_err(|rejection| self.rejected(rejection))?;
        let last = self.last;
        let mut children = Vec::new();
        for literal in [literal, negation] {
            self.last = last;
            let mut child = herd.with(self.arena, literal);
            children.push(if child.context.is_contradictory(self.arena) {
                Derivation { rules: Vec::new(), end: End::Infeasible }
            } else {
                self.explore(child, path.clone(), false)?
            });
        }
        Ok(children)
    }

    /// The primary has failed: finds a scapegoat that fails too, if need be after splitting on what keeps one from it.
    fn blame(&mut self, mut herd: Herd, mut rules: Vec<Rule>, path: &Path<'_>) -> Result<Derivation, Stuck> {
        let mut scapegoats = Vec::new();
        let mut obstacles = Vec::new();
        let mut openings = Vec::new();
        for guess in [Guess::Same, Guess::OneLess] {
            // One that has often been blamed comes first: where few are blamed, the others are forgotten (`liveness`).
            let mut positions: Vec<usize> = (1..herd.configuration.members.len()).collect();
            positions.sort_by_key(|position| Reverse(self.blamed.get(&herd.tags[*position]).copied()));
            for position in positions {
                let member = MemberId(u32::try_from(position).unwrap_or(u32::MAX));
                let (mut current, mut taken) = match herd.configuration.members[0].place {
                    Place::At(location) => self.left_with_primary(&herd, member, location)?.unwrap_or_else(|| (herd.clone(), Vec::new())),
                    Place::Failed => (herd.clone(), Vec::new()),
                };
                taken.append(&mut self.run_on(&mut current, member, guess)?);
                if self.has_failed(&current, member) && self.is_smaller(&mut current, member) {
                    *self.blamed.entry(herd.tags[position]).or_default() += 1;
                    rules.extend(taken);
                    return Ok(Derivation { rules, end: End::Descent(member) });
                }
                if guess == Guess::Same {
                    obstacles.extend(self.obstacle(&mut current, member).filter(|literal| self.exists(&herd, *literal)));
                    openings.extend(self.opening(&current, member));
                    let place = match current.configuration.members[position].place {
                        Place::At(location) => Some(location),
                        Place::Failed => None,
                    };
                    scapegoats.push((herd.tags[position], place));
                }
            }
        }
        if path.splits < SPLITS + 2 {
            // What decides a condition of the primary comes before what keeps scapegoats back.
            let periods = self.undecided_periods(&mut herd);
            let refuting = periods.iter().copied().find(|literal| self.is_refuted_by_cases(&herd, *literal));
            let literal = refuting.or_else(|| self.deciding_store(&mut herd)).or_else(|| self.undecided_conversion(&mut herd));
            if let Some(literal) = literal.or(obstacles.first().copied()).or(periods.first().copied()) {
                let children = self.split(&herd, literal, &path.split())?;
                return Ok(Derivation { rules, end: End::Split(literal, children) });
            }
        }
        if path.unfoldings < UNFOLDINGS
            && let Some(opening) = openings.first()
        {
            let end = self.explore_unfolded(&herd, *opening, &path.unfolded(), false)?;
            return Ok(Derivation { rules, end });
        }
        // The closure adds up pairs; where several facts together, or cases, exclude the herd, all of the arithmetic is needed.
        if refute(self.arena, &herd.configuration.predicate, &[]).is_some() {
            return Ok(Derivation { rules, end: End::Infeasible });
        }
        let words = words::describe(self.arena, self.setting.program, &herd.configuration);
        let location = self.last;
        let lesson = self.learn(&mut herd)?;
        let steps_left = self.steps_left;
        Err(Stuck::Failure(Box::new(Failing { location, scapegoats, path: path.heads.to_vec(), herd: words, lesson, steps_left })))
    }
}
