//! Advancing scapegoats: decided steps, the choices they make, and when they are in step with the primary (Shrinker §0.A.4, §0.A.5).

use super::{state::Search, stuck::Stuck};
use crate::{
    state::{
        herd::{Drawn, Herd},
        template::basis::Direction,
    },
    ways::strategy::{Drops, Meeting},
};
use goatherd_certificates::{
    configuration::Slot,
    derivation::{Choice, MemberId, OutcomeId, Rule},
    program::{Allocate, ArrayInput, Input, Instruction, Location, ObjectId, Operand, Type},
    term::{Atom, LinearId, Literal},
};
use goatherd_checker::{
    configuration::{Member, Place},
    outcome::Tag,
    parts::Part,
    rules,
    step::outcomes,
};
use goatherd_flow::{loops::Loop, opening::Opening};
use std::collections::BTreeMap;

/// How many instructions a scapegoat may run at a time.
const STRIDE: usize = 4000;

/// What a scapegoat does with a nondeterministic value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guess {
    /// The primary's.
    Same,
    /// One less than the primary's.
    OneLess,
    /// This one, as an answer to whether a loop goes on.
    Answer(i128),
}

/// Where a fresh object begins, or which of its ends is where the primary's has it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// The first element.
    Begin,
    /// The last one.
    End,
    /// None: it begins one element later.
    Later,
}

/// A scapegoat that waits at the head of an outer loop.
struct Parked {
    /// How far out that loop is.
    depth: usize,
    /// How well it agrees with the primary there.
    score: Option<i64>,
    /// How many steps it takes to get there.
    taken: usize,
    herd: Herd,
    /// Has it passed no other head since then?
    is_last: bool,
}

impl Search<'_> {
    pub(crate) fn place(herd: &Herd, member: MemberId) -> Option<Place> {
        herd.configuration.members.get(member.index()).map(|member| member.place)
    }

    /// Has the member failed, or is it about to?
    pub(crate) fn has_failed(&self, herd: &Herd, member: MemberId) -> bool {
        Self::place(herd, member).is_some_and(|place| rules::has_failed(self.setting, place))
    }

    /// Takes one step of a scapegoat, if its outcome is decided.
    pub(crate) fn advance(&mut self, herd: &mut Herd, member: MemberId, guess: Guess) -> Option<Rule> {
        let state = herd.configuration.members.get(member.index())?;
        let Place::At(location) = state.place else { return None };
        let all = outcomes(self.arena, self.setting, state).ok()?;
        // What is left to the environment is what it was for the primary.
        let drawn = herd.drawn.get(&location).copied();
        let (likely, others): (Vec<_>, Vec<_>) =
            (0..).zip(&all).partition(|(_, outcome)| drawn.is_none_or(|drawn| drawn.agrees_with(outcome.effect)));
        for (position, outcome) in likely.into_iter().chain(others) {
            if outcome.tag == Tag::Ignorance || !outcome.literals.iter().all(|literal| herd.context.entails(self.arena, *literal)) {
                continue;
            }
            let done = |choice| Some(Rule::StepDecided { member, outcome: OutcomeId(position), choice, hints: Vec::new() });
            if let Some(choice) = self.choice(herd, member, location, guess) {
                let mut next = herd.clone();
                if next.advance(self.arena, self.setting, member, outcome, Some(&choice)).is_ok() {
                    *herd = next;
                    return done(Some(choice));
                }
            }
            let before = herd.configuration.scope;
            if herd.advance(self.arena, self.setting, member, outcome, None).is_ok() {
                self.has_own_values |= herd.configuration.scope != before;
                return done(None);
            }
            return None;
        }
        None
    }

    /// What the scapegoat chooses: the primary's value, or a fresh object with the primary's contents, aligned to its end.
    fn choice(&mut self, herd: &Herd, member: MemberId, location: Location, guess: Guess) -> Option<Choice> {
        let primary = herd.configuration.members.first()?;
        match &self.setting.program.instructions[location.index()] {
            Instruction::Havoc { target } => {
                if let Guess::Answer(answer) = guess {
                    return self.arena.constant(answer).ok().map(Choice::Value);
                }
                let drawn = (self.counterpart_drawn(herd, member, location), primary.register(*target));
                let ((Some(Drawn::Value(value)), _) | (_, Ok(Slot::Integer(value)))) = drawn else { return None };
                let shift = if guess == Guess::OneLess || self.draws_less(herd, member, location) { -1 } else { 0 };
                Some(Choice::Value(self.arena.plus(value, shift).ok()?))
            }
            Instruction::Allocate(Allocate { object, .. }) if self.is_node(*object) => self.blank_node(*object),
            Instruction::Allocate(Allocate { object, bytes, .. }) => {
                let bytes = match bytes {
                    Operand::Constant(value) => self.arena.constant(*value).ok()?,
                    Operand::Register(register) => {
                        let Slot::Integer(term) = herd.configuration.members.get(member.index())?.register(*register).ok()? else {
                            return None;
                        };
                        term
                    }
                };
                let size = i128::from(self.setting.layout(*object).ok()?.size);
                let count = self.arena.quotient(bytes, size).ok()?;
                self.contents(primary, *object, Some(count), self.alignment(herd, member, *object)?)
            }
            Instruction::Enter { object } => self.contents(primary, *object, None, self.alignment(herd, member, *object)?),
            _ => None,
        }
    }

    /// A new node, to be filled by the program.
    fn blank_node(&mut self, declaration: ObjectId) -> Option<Choice> {
        let zero = self.arena.constant(0).ok()?;
        let content = |kind: Type| if kind == Type::Pointer { Vec::new() } else { vec![zero] };
        let fields = self.setting.layout(declaration).ok()?.fields.iter().map(|field| (content(field.kind), None));
        Some(Choice::Allocation { lower: zero, fields: fields.collect() })
    }

    /// Which end of a fresh object has its counterpart in the primary's: the last one, unless it is shifted or the arrays of the input end elsewhere.
    fn alignment(&self, herd: &Herd, member: MemberId, object: ObjectId) -> Option<Alignment> {
        if self.is_shifted(herd, member, object) {
            return Some(Alignment::Later);
        }
        if self.strategy.drops == Drops::LastRounds {
            return Some(self.where_rounds_begin(object));
        }
        let (primary, scapegoat) = (herd.configuration.members.first()?, herd.configuration.members.get(member.index())?);
        let mut arrays = self.setting.program.inputs.iter().filter_map(|input| match input {
            Input::Array(ArrayInput { object, .. }) => primary.object(*object).zip(scapegoat.object(*object)),
            _ => None,
        });
        let is_cut = arrays.any(|(state, other)| state.lower == other.lower && state.upper != other.upper);
        Some(if is_cut { Alignment::Begin } else { Alignment::End })
    }

    fn contents(&mut self, primary: &Member, object: ObjectId, count: Option<LinearId>, alignment: Alignment) -> Option<Choice> {
        let state = primary.object(object)?;
        let mut fields = Vec::new();
        let mut is_whole = false;
        for (field, declared) in state.fields.iter().zip(&self.setting.layout(object).ok()?.fields) {
            is_whole |= field.rest.is_none();
            if declared.kind == Type::Pointer {
                fields.push((Vec::new(), None));
                continue;
            }
            let cells: Option<Vec<LinearId>> =
                field.cells.iter().map(|cell| if let Slot::Integer(term) = cell { Some(*term) } else { None }).collect();
            fields.push((cells?, field.rest));
        }
        let lower = match (alignment, count) {
            (Alignment::Later, _) if !is_whole => self.arena.plus(state.lower, 1).ok()?,
            (Alignment::Begin, Some(_)) if !is_whole => state.lower,
            (Alignment::End, Some(count)) if !is_whole => self.arena.difference(state.upper, count).ok()?,
            _ => self.arena.constant(0).ok()?,
        };
        Some(Choice::Allocation { lower, fields })
    }

    /// A literal that keeps the scapegoat from going on.
    pub(crate) fn obstacle(&mut self, herd: &mut Herd, member: MemberId) -> Option<Literal> {
        let all = outcomes(self.arena, self.setting, herd.configuration.members.get(member.index())?).ok()?;
        for outcome in &all {
            if outcome.tag == Tag::Ignorance || herd.context.refutes(self.arena, &outcome.literals) {
                continue;
            }
            let undecided = outcome.literals.iter().find(|literal| !herd.context.entails(self.arena, **literal));
            if let Some(literal) = undecided {
                return Some(*literal);
            }
        }
        None
    }

    /// Is the literal about the herd? A scapegoat that was run ahead may depend on a value of its own, which is none of the herd's yet.
    pub(crate) fn exists(&self, herd: &Herd, literal: Literal) -> bool {
        self.arena.exists(&herd.configuration.scope, Part::Linear(literal.term)).is_ok()
    }

    /// Does the literal mention an element, and not only how long inputs are and where pointers point?
    fn is_about_elements(&self, literal: Literal) -> bool {
        let is_element = |atom| !matches!(self.arena.atom(atom), Ok(Atom::Variable(_)));
        self.arena.linear(literal.term).is_ok_and(|linear| linear.summands.iter().any(|(atom, _)| is_element(*atom)))
    }

    /// Runs a scapegoat to the head, or as far as it is decided.
    pub(crate) fn run_to(&mut self, herd: &mut Herd, member: MemberId, head: Option<Location>) -> Result<Vec<Rule>, Stuck> {
        let mut taken = Vec::new();
        for _ in 0..STRIDE {
            if Self::place(herd, member) == head.map(Place::At) {
                break;
            }
            self.spend()?;
            let Some(rule) = self.advance(herd, member, Guess::Same) else { break };
            taken.push(rule);
        }
        Ok(taken)
    }

    /// Runs a scapegoat as far as it is decided.
    pub(crate) fn run_on(&mut self, herd: &mut Herd, member: MemberId, guess: Guess) -> Result<Vec<Rule>, Stuck> {
        let mut taken = Vec::new();
        for _ in 0..STRIDE {
            if self.has_failed(herd, member) {
                break;
            }
            self.spend()?;
            let Some(rule) = self.advance(herd, member, guess) else { break };
            taken.push(rule);
        }
        Ok(taken)
    }

    /// Lets the scapegoat wait where it is, if that is the head of an outer loop and it has not been at a better one. What it enters right behind
    /// the head where it waits says in which round it has to be, but it waits at the head: this round may end before the primary comes there.
    fn park(&mut self, current: &mut Herd, member: MemberId, around: &Loop, taken: usize, parked: &mut Option<Parked>) {
        let Some(Place::At(location)) = Self::place(current, member) else { return };
        if !self.flow.loops.contains_key(&location) {
            return;
        }
        let is_behind = parked.as_mut().is_some_and(|other| std::mem::take(&mut other.is_last));
        let Some(depth) = around.around.iter().position(|outer| *outer == location) else { return };
        if parked.as_ref().is_some_and(|other| depth > other.depth) {
            return;
        }
        let outer = &self.flow.loops[&location];
        if !self.is_settled(current, member, outer) {
            return;
        }
        let score = self.agreement(current, member, outer).score;
        match parked {
            Some(other) if is_behind && depth < other.depth => (other.depth, other.score) = (depth, score),
            Some(other) if depth == other.depth && score <= other.score => {}
            _ => *parked = Some(Parked { depth, score, taken, herd: current.clone(), is_last: true }),
        }
    }

    /// Advances every scapegoat to where it is best in step with the primary at the loop head, and drops those that never are. Literals that
    /// kept one from going on are collected.
    pub(crate) fn synchronise(&mut self, herd: &mut Herd, head: Location, visits: &BTreeMap<Location, u32>) -> Result<Synchronised, Stuck> {
        let around = &self.flow.loops[&head];
        let is_late = self.strategy.meeting == Meeting::Latest;
        let mut result = Synchronised::default();
        // One that has just been added has all rounds of the primary before it, if they are counted: behind a template they are not.
        let visits_before = visits.get(&head).copied().filter(|visit| *visit != u32::MAX);
        let rounds = visits_before.map_or(0, |visit| visit.saturating_add(1)).max(self.setting.k + 3);
        let mut ahead = Vec::new();
        let mut position = 1;
        while position < herd.configuration.members.len() {
            let member = MemberId(u32::try_from(position).unwrap_or(u32::MAX));
            if let Some(taken) = self.keep_pace(herd, member, head, visits)? {
                result.is_full = true;
                result.in_step.push(true);
                result.rules.extend(taken);
                position += 1;
                continue;
            }
            let (mut current, mut taken) = self.left_with_primary(herd, member, head)?.unwrap_or_else(|| (herd.clone(), Vec::new()));
            let mut best: Option<(i64, usize, Herd, bool)> = None;
            let mut heads = 0;
            let mut parked: Option<Parked> = None;
            for _ in 0..STRIDE {
                self.park(&mut current, member, around, taken.len(), &mut parked);
                // It has left the loop ahead of the primary: it waits there, if last rounds are looked at apart.
                if self.strategy.direction == Direction::Down
                    && parked.is_none()
                    && heads > 0
                    && let Some(Place::At(location)) = Self::place(&current, member)
                    && !around.body.contains(&location)
                {
                    parked = Some(Parked { depth: usize::MAX, score: None, taken: taken.len(), herd: current.clone(), is_last: false });
                }
                if Self::place(&current, member) == Some(Place::At(head)) {
                    let agreement = self.agreement(&mut current, member, around);
                    if let Some(score) = agreement.score
                        && best.as_ref().is_none_or(|(other, ..)| score > *other || (is_late && score == *other))
                    {
                        best = Some((score, taken.len(), current.clone(), agreement.is_full));
                    }
                    heads += 1;
                    if heads > rounds {
                        break;
                    }
                }
                self.spend()?;
                let Some(rule) = self.advance(&mut current, member, Guess::Same) else { break };
                taken.push(rule);
                if self.has_failed(&current, member) && self.is_smaller(&mut current, member) {
                    *herd = current;
                    result.rules.extend(taken);
                    result.failed = Some(member);
                    return Ok(result);
                }
            }
            let is_full = best.as_ref().is_some_and(|(_, _, _, is_full)| *is_full);
            result.is_full |= is_full;
            if !is_full || self.strategy.direction == Direction::Down {
                let obstacles = if is_full { &mut ahead } else { &mut result.obstacles };
                obstacles.extend(self.obstacle(&mut current, member).filter(|literal| self.exists(herd, *literal)));
                result.openings.extend(self.opening(&current, member));
            }
            let stay = match (best, parked) {
                (Some((_, length, state, is_full)), parked) if is_full || parked.is_none() => Some((length, state, is_full)),
                (_, Some(Parked { taken, herd, .. })) => Some((taken, herd, true)),
                _ => None,
            };
            if let Some((length, state, is_in_step)) = stay {
                result.in_step.push(is_in_step);
                result.rules.extend(taken.into_iter().take(length));
                *herd = state;
                position += 1;
            } else {
                result.stranded.extend(self.opening(&current, member));
                let obstacle = self.obstacle(&mut current, member).filter(|literal| self.exists(herd, *literal));
                result.lost.extend(obstacle.filter(|literal| !self.is_about_elements(*literal)));
                result.rules.push(Rule::Drop { member });
                result.has_dropped = true;
                herd.configuration.members.remove(position);
                herd.tags.remove(position);
            }
        }
        if self.strategy.direction == Direction::Down {
            // What brings one into step comes before what lets one go on, and those first that were added last: they also lack what integers count.
            result.obstacles.reverse();
            result.obstacles.append(&mut ahead);
        }
        Ok(result)
    }
}

/// What synchronising did.
#[derive(Default)]
pub struct Synchronised {
    /// The steps taken and the scapegoats dropped.
    pub rules: Vec<Rule>,
    /// Was one dropped?
    pub has_dropped: bool,
    /// Is one in step with the primary in everything that is accessed?
    pub is_full: bool,
    /// Per scapegoat that is left: is it in step, or does it wait?
    pub in_step: Vec<bool>,
    /// A scapegoat that failed on the way.
    pub failed: Option<MemberId>,
    /// Conditions on which scapegoats were stuck.
    pub obstacles: Vec<Literal>,
    /// Symbols that scapegoats wanted unfolded.
    pub openings: Vec<Opening>,
    /// Those of them that were dropped.
    pub stranded: Vec<Opening>,
    /// Conditions on which scapegoats were stuck that were dropped, where these are not about elements.
    pub lost: Vec<Literal>,
}

impl Synchronised {
    /// Before a template: where scapegoats are in step, or wait, those that have come out of step are not taken along.
    pub(crate) fn leave_behind(&self, herd: &mut Herd) -> Vec<Rule> {
        let mut rules = Vec::new();
        for position in (1..=self.in_step.len()).rev() {
            if self.is_full && !self.in_step[position - 1] {
                rules.push(Rule::Drop { member: MemberId(u32::try_from(position).unwrap_or(u32::MAX)) });
                herd.configuration.members.remove(position);
                herd.tags.remove(position);
            }
        }
        rules
    }
}
