//! The orders of the steps of an expression.
//!
//! Calls, and blocks that C evaluates only sometimes, come in each order that C allows and that makes a difference. A single access is too
//! small to be told apart in as many orders: before each call with which it meets it happens or not, and at the latest where its value is needed.

use super::{
    conflicts::Found,
    effects::Scene,
    events::{Collected, Kind},
    rewrite::{TooMany, assign, read, then, where_holds},
};
use crate::lower::{
    tree::{Expression, ExpressionKind, Place},
    types::CType,
};
use std::collections::{BTreeMap, BTreeSet};

/// Orders of calls that one expression may have.
pub(super) const ORDER_LIMIT: usize = 24;
/// Pairs of calls that are ordered either way.
const PAIR_LIMIT: usize = 8;

/// A step that is executed in each of the orders.
pub(super) fn orders(
    scene: &mut Scene<'_>,
    collected: &Collected,
    found: &Found,
    steps: &BTreeMap<usize, Expression>,
) -> Result<Expression, TooMany> {
    let is_large = |event: &usize| matches!(collected.events[*event].kind, Kind::Call | Kind::Block | Kind::Opaque);
    let (large, small): (Vec<usize>, Vec<usize>) = steps.keys().copied().partition(is_large);
    let mut planner = Planner { collected, found, large, small, orders: BTreeSet::new() };
    planner.plan()?;
    let mut choices = Vec::new();
    for order in std::mem::take(&mut planner.orders) {
        choices.push(planner.sequence(scene, &order, steps));
    }
    choices.into_iter().rev().reduce(|other, one| either(one, other)).ok_or(TooMany)
}

/// One of two effects.
pub(super) fn either(one: Expression, other: Expression) -> Expression {
    let offset = one.offset;
    Expression::new(ExpressionKind::Either(Box::new(one), Box::new(other)), CType::void(), offset)
}

struct Planner<'a> {
    collected: &'a Collected,
    found: &'a Found,
    /// Calls and blocks.
    large: Vec<usize>,
    /// All other steps.
    small: Vec<usize>,
    orders: BTreeSet<Vec<usize>>,
}

/// Where small steps may come in an order of the large ones: gap `g` is before the large step `g`, and the last one after all of them.
#[derive(Default)]
struct Gaps {
    earliest: BTreeMap<usize, usize>,
    latest: BTreeMap<usize, usize>,
    /// Steps and gaps before the last in which it makes a difference that they come there, for themselves or for others that need them.
    wanted: BTreeSet<(usize, usize)>,
    /// Steps that are free to move, with what remembers whether they have been.
    floating: BTreeMap<usize, Place>,
}

/// One event before another.
type Edge = (usize, usize);

impl Planner<'_> {
    fn comes_before(&self, one: usize, two: usize) -> bool {
        one < two && self.collected.has_value_before(one, two)
    }

    fn may_meet(&self, one: usize, two: usize) -> bool {
        self.found.either_way.contains(&(one.min(two), one.max(two)))
    }

    /// Finds the orders of the large steps.
    fn plan(&mut self) -> Result<(), TooMany> {
        let is_large = |event: &usize| self.large.contains(event);
        let pairs: Vec<Edge> = self.found.either_way.iter().copied().filter(|(one, two)| is_large(one) && is_large(two)).collect();
        if pairs.len() > PAIR_LIMIT {
            return Err(TooMany);
        }
        // What may fail wants to come first: with all that it needs.
        let mut first: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
        for (failing, ender) in &self.found.failing_first {
            let needed = self.large.iter().filter(|event| *event == failing || self.comes_before(**event, *failing));
            first.entry(*failing).or_default().extend(needed.map(|event| (*event, *ender)));
        }
        for choice in 0..1_usize << pairs.len() {
            let chosen = |(bit, (one, two)): (usize, &Edge)| if choice >> bit & 1 == 0 { (*one, *two) } else { (*two, *one) };
            let edges: Vec<Edge> = pairs.iter().enumerate().map(chosen).collect();
            let Some(plain) = self.sorted(&edges) else { continue };
            let all: Vec<Edge> = edges.iter().chain(first.values().flatten()).copied().collect();
            if let Some(order) = self.sorted(&all) {
                self.orders.insert(order);
                continue;
            }
            self.orders.insert(plain);
            for wanted in first.values() {
                let some: Vec<Edge> = edges.iter().chain(wanted).copied().collect();
                self.orders.extend(self.sorted(&some));
            }
            if self.orders.len() > ORDER_LIMIT {
                return Err(TooMany);
            }
        }
        if self.orders.len() > ORDER_LIMIT { Err(TooMany) } else { Ok(()) }
    }

    /// The large steps in an order with these edges, as near to the text as can be; none if there is no such order.
    fn sorted(&self, edges: &[Edge]) -> Option<Vec<usize>> {
        let mut open = self.large.clone();
        let mut order = Vec::new();
        while !open.is_empty() {
            let is_free = |event: &usize| {
                !open.iter().any(|other| self.comes_before(*other, *event) || other != event && edges.contains(&(*other, *event)))
            };
            let position = open.iter().position(is_free)?;
            order.push(open.remove(position));
        }
        Some(order)
    }

    /// All steps, with the large ones in this order.
    fn sequence(&self, scene: &mut Scene<'_>, order: &[usize], steps: &BTreeMap<usize, Expression>) -> Expression {
        let mut gaps = self.gaps(order);
        self.let_float(scene, order, &mut gaps);
        // Where a step is executed that does not float: as soon as what it needs is there.
        let mut settled: BTreeMap<usize, usize> = BTreeMap::new();
        for step in &self.small {
            let needed = self.small.iter().filter(|other| self.comes_before(**other, *step)).filter_map(|other| settled.get(other)).max();
            let at =
                if gaps.floating.contains_key(step) { gaps.latest[step] } else { gaps.earliest[step].max(needed.copied().unwrap_or(0)) };
            settled.insert(*step, at);
        }
        let mut lines: Vec<Expression> = Vec::new();
        for gap in 0..=order.len() {
            for step in &self.small {
                let Some(effect) = steps.get(step) else { continue };
                match gaps.floating.get(step) {
                    None if settled[step] == gap => lines.push(effect.clone()),
                    None => {}
                    Some(flag) => lines.extend(self.slot(*step, gap, &gaps, flag, effect)),
                }
            }
            if let Some(large) = order.get(gap) {
                lines.extend(steps.get(large).cloned());
            }
        }
        let nothing = Expression::constant(0, CType::int(), 0);
        lines.into_iter().rev().fold(nothing, |rest, line| then(line, rest))
    }

    /// Where each small step may come.
    fn gaps(&self, order: &[usize]) -> Gaps {
        let mut gaps = Gaps::default();
        for step in &self.small {
            let after_large = order.iter().rposition(|large| self.comes_before(*large, *step)).map_or(0, |position| position + 1);
            let needed = self.small.iter().filter(|other| self.comes_before(**other, *step));
            let after_small = needed.filter_map(|other| gaps.earliest.get(other)).copied().max();
            gaps.earliest.insert(*step, after_large.max(after_small.unwrap_or(0)));
        }
        for step in self.small.iter().rev() {
            let before_large = order.iter().position(|large| self.comes_before(*step, *large)).unwrap_or(order.len());
            let needing = self.small.iter().filter(|other| self.comes_before(*step, **other));
            let before_small = needing.filter_map(|other| gaps.latest.get(other)).copied().min();
            gaps.latest.insert(*step, before_large.min(before_small.unwrap_or(order.len())));
        }
        for step in self.small.iter().rev() {
            let between = gaps.earliest[step]..gaps.latest[step];
            for (gap, large) in order.iter().enumerate().filter(|(gap, _)| between.contains(gap)) {
                let meets = self.may_meet(*step, *large) || self.found.failing_first.contains(&(*step, *large));
                let is_needed = || self.small.iter().any(|other| self.comes_before(*step, *other) && gaps.wanted.contains(&(*other, gap)));
                if meets || is_needed() {
                    gaps.wanted.insert((*step, gap));
                }
            }
        }
        gaps
    }

    /// Which small steps are free to move: those that meet a large one, and those that need them.
    fn let_float(&self, scene: &mut Scene<'_>, order: &[usize], gaps: &mut Gaps) {
        for step in &self.small {
            let between = gaps.earliest[step]..gaps.latest[step];
            let meets = order.get(between.clone()).into_iter().flatten().any(|large| self.may_meet(*step, *large));
            let is_wanted = between.into_iter().any(|gap| gaps.wanted.contains(&(*step, gap)));
            let needs_floating = || gaps.floating.keys().any(|other| self.comes_before(*other, *step));
            if meets || is_wanted && needs_floating() {
                let flag = Expression::constant(0, CType::int(), self.collected.events[*step].offset);
                gaps.floating.insert(*step, scene.temporary(&flag));
            }
        }
    }

    /// What a step that is free to move does in a gap.
    fn slot(&self, step: usize, gap: usize, gaps: &Gaps, flag: &Place, effect: &Expression) -> Vec<Expression> {
        let (earliest, latest, offset) = (gaps.earliest[&step], gaps.latest[&step], effect.offset);
        let number = |value| Expression::constant(value, CType::int(), offset);
        let is_open = || Expression::new(ExpressionKind::Not(Box::new(read(flag))), CType::int(), offset);
        let mut lines = Vec::new();
        if gap == earliest {
            lines.push(assign(flag, number(0)));
        }
        if gap == latest {
            let is_asked = gaps.floating.keys().any(|other| self.comes_before(step, *other));
            let effect = if is_asked { then(effect.clone(), assign(flag, number(1))) } else { effect.clone() };
            lines.push(where_holds(is_open(), effect));
        } else if (earliest..latest).contains(&gap) && gaps.wanted.contains(&(step, gap)) {
            let done = then(effect.clone(), assign(flag, number(1)));
            let either = ExpressionKind::Either(Box::new(done), Box::new(number(0)));
            let mut line = Expression::new(either, CType::void(), offset);
            for other in gaps.floating.iter().filter(|(other, _)| self.comes_before(**other, step)).map(|(_, flag)| flag) {
                line = where_holds(read(other), line);
            }
            lines.push(where_holds(is_open(), line));
        }
        lines
    }
}
