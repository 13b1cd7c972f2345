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
    tree::{Builtin, Expression, ExpressionKind, Place},
    types::CType,
};
use std::collections::{BTreeMap, BTreeSet};

/// Orders of calls that one expression may have.
pub(super) const ORDER_LIMIT: usize = 24;
/// Pairs of calls that are ordered either way.
const PAIR_LIMIT: usize = 12;

/// A step that is executed in each of the orders.
pub(super) fn orders(
    scene: &mut Scene<'_>,
    collected: &Collected,
    found: &Found,
    steps: &BTreeMap<usize, Expression>,
) -> Result<Expression, TooMany> {
    let is_large = |event: &usize| matches!(collected.events[*event].kind, Kind::Call | Kind::Block | Kind::Opaque);
    let (large, small): (Vec<usize>, Vec<usize>) = steps.keys().copied().partition(is_large);
    let mut planner = Planner { collected, found, large, small, after: BTreeMap::new(), plans: BTreeSet::new() };
    planner.plan()?;
    let mut choices = Vec::new();
    for plan in std::mem::take(&mut planner.plans) {
        choices.push(planner.sequence(scene, &plan, steps));
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
    /// Per step, all that comes after its value, also by way of others.
    after: BTreeMap<usize, BTreeSet<usize>>,
    plans: BTreeSet<Plan>,
}

/// How the large steps are executed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Plan {
    order: Vec<usize>,
    /// Steps that may fail, which the order is for: what comes behind them is that of another plan, and left away. All is executed where there are none.
    until: BTreeSet<usize>,
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

    /// Does the second step come after the first, perhaps by way of others?
    fn follows(&self, one: usize, two: usize) -> bool {
        self.after.get(&one).is_some_and(|after| after.contains(&two))
    }

    fn may_meet(&self, one: usize, two: usize) -> bool {
        self.found.either_way.contains(&(one.min(two), one.max(two)))
    }

    /// What comes after what.
    fn close(&mut self) {
        let steps: BTreeSet<usize> = self.large.iter().chain(&self.small).copied().collect();
        for one in steps.iter().rev() {
            let mut after: BTreeSet<usize> = steps.iter().copied().filter(|two| self.comes_before(*one, *two)).collect();
            let further: Vec<usize> = after.iter().filter_map(|two| self.after.get(two)).flatten().copied().collect();
            after.extend(further);
            self.after.insert(*one, after);
        }
    }

    /// The pairs of large steps of which either may have to come first: those that meet, and those that small steps come between. A small step moves
    /// freely among the large ones that it meets, but what it comes behind has to be before what it comes ahead of: in `f(id(g)) + set(&g)` the read
    /// of `g` may come after `set` only where `id`, that gets its value, does too.
    fn pairs(&self) -> BTreeSet<Edge> {
        let is_large = |event: &usize| self.large.contains(event);
        let mut pairs: BTreeSet<Edge> = self.found.either_way.iter().copied().filter(|(one, two)| is_large(one) && is_large(two)).collect();
        for first in &self.small {
            for second in self.small.iter().filter(|second| *second == first || self.follows(*first, **second)) {
                for behind in self.large.iter().filter(|large| self.follows(**large, *first) || self.may_meet(*first, **large)) {
                    let is_fixed = self.follows(*behind, *first);
                    let is_ahead = |large: &usize| {
                        // What a step needs that may fail comes ahead of what may end: that is no choice.
                        let may_fail = !is_fixed && self.found.failing_first.contains(&(*second, *large));
                        self.follows(*second, *large) || self.may_meet(*second, *large) || may_fail
                    };
                    let is_open = |large: &usize| large != behind && !self.follows(*large, *behind) && !self.follows(*behind, *large);
                    let ahead = self.large.iter().filter(|large| is_open(large) && is_ahead(large));
                    pairs.extend(ahead.map(|large| (*behind.min(large), *behind.max(large))));
                }
            }
        }
        pairs
    }

    /// Finds the orders of the large steps: for each way to order the pairs one in which all failures are seen, or one for all that does not fail and
    /// one for each failure, which goes no further than that.
    fn plan(&mut self) -> Result<(), TooMany> {
        self.close();
        let pairs: Vec<Edge> = self.pairs().into_iter().collect();
        if pairs.len() > PAIR_LIMIT {
            return Err(TooMany);
        }
        for choice in 0..1_usize << pairs.len() {
            let chosen = |(bit, (one, two)): (usize, &Edge)| if choice >> bit & 1 == 0 { (*one, *two) } else { (*two, *one) };
            let edges: Vec<Edge> = pairs.iter().enumerate().map(chosen).collect();
            let Some(plain) = self.sorted(&edges) else { continue };
            let first = self.failing_first(&plain, &edges);
            let all: Vec<Edge> = edges.iter().chain(first.values().flatten()).copied().collect();
            if let Some(order) = self.sorted(&all) {
                self.plans.insert(Plan { order, until: BTreeSet::new() });
            } else {
                // Where the text has them in this order already, the plan of all shows it.
                for (failing, wanted) in first.into_iter().filter(|(_, wanted)| !is_kept(&plain, wanted)) {
                    let some: Vec<Edge> = edges.iter().chain(&wanted).copied().collect();
                    self.plans.extend(self.sorted(&some).map(|order| Plan { order, until: failing }));
                }
                self.plans.insert(Plan { order: plain, until: BTreeSet::new() });
            }
            if self.plans.len() > ORDER_LIMIT {
                return Err(TooMany);
            }
        }
        Ok(())
    }

    /// Per failure, what wants to come before what: its steps and all that comes before it in orders with these edges, of which `order` is
    /// one, before whatever else may end the program. For one failure alone there always is such an order.
    fn failing_first(&self, order: &[usize], edges: &[Edge]) -> BTreeMap<BTreeSet<usize>, Vec<Edge>> {
        let mut first = BTreeMap::new();
        for (failing, enders) in &self.found.failures {
            let mut needed: BTreeSet<usize> = BTreeSet::new();
            for large in order.iter().rev() {
                let is_ahead = |other: &usize| self.follows(*large, *other) || edges.contains(&(*large, *other));
                let leads = |step: &usize| large == step || self.follows(*large, *step);
                if failing.iter().any(leads) || needed.iter().any(is_ahead) {
                    needed.insert(*large);
                }
            }
            let wanted = enders.difference(&needed).flat_map(|ender| needed.iter().map(|large| (*large, *ender))).collect();
            first.insert(failing.clone(), wanted);
        }
        first
    }

    /// The large steps in an order with these edges, as near to the text as can be; none if there is no such order.
    fn sorted(&self, edges: &[Edge]) -> Option<Vec<usize>> {
        let mut open = self.large.clone();
        let mut order = Vec::new();
        while !open.is_empty() {
            let is_free = |event: &usize| {
                !open.iter().any(|other| self.follows(*other, *event) || other != event && edges.contains(&(*other, *event)))
            };
            let position = open.iter().position(is_free)?;
            order.push(open.remove(position));
        }
        Some(order)
    }

    /// The steps of a plan.
    fn sequence(&self, scene: &mut Scene<'_>, plan: &Plan, steps: &BTreeMap<usize, Expression>) -> Expression {
        let order = &plan.order;
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
        let place = |step: &usize| order.iter().position(|large| large == step).or_else(|| settled.get(step).copied());
        let last = plan.until.iter().filter_map(place).max();
        let is_recursive = scene.unit.circles.circle(scene.function).is_some();
        // Each line with its step.
        let mut lines: Vec<(usize, Expression)> = Vec::new();
        for gap in 0..=last.unwrap_or(order.len()) {
            for step in &self.small {
                let Some(effect) = steps.get(step) else { continue };
                match gaps.floating.get(step) {
                    None if settled[step] == gap => lines.push((*step, effect.clone())),
                    None if gaps.latest[step] == gap && is_recursive && self.is_read_again(*step, effect, &gaps, &settled) => {
                        lines.push((*step, effect.clone()));
                    }
                    None => {}
                    Some(flag) => lines.extend(self.slot(*step, gap, &gaps, flag, effect).into_iter().map(|line| (*step, line))),
                }
            }
            if let Some(large) = order.get(gap).filter(|large| last != Some(gap) || plan.until.contains(large)) {
                lines.extend(steps.get(large).map(|effect| (*large, effect.clone())));
            }
        }
        let offset = lines.last().map_or(0, |(_, line)| line.offset);
        let nothing = Expression::constant(0, CType::int(), 0);
        let end = match last {
            Some(_) => then(Expression::new(ExpressionKind::Builtin(Builtin::Ignore), CType::void(), offset), nothing),
            None => nothing,
        };
        lines.into_iter().rev().fold(end, |rest, (step, line)| self.line(step, line, rest))
    }

    /// Is a pointer that was read as soon as that may fail read once more where it is needed? No call or block that comes between writes it, or it would
    /// be free to move, and no single step that comes behind it has happened. Nor is it tested whether something meets it: a call may have freed what
    /// the test compares. Calls of the function itself that come between would keep the pointer else, and not what it is read from.
    fn is_read_again(&self, step: usize, effect: &Expression, gaps: &Gaps, settled: &BTreeMap<usize, usize>) -> bool {
        let is_to_come = |other: &usize| {
            let is_late = !gaps.floating.contains_key(other) && settled.get(other).is_some_and(|gap| *gap >= gaps.latest[&step]);
            !self.comes_before(step, *other) || is_late
        };
        let is_asked = self.found.clashes.iter().any(|clash| [clash.first, clash.second].contains(&step));
        let is_pointer = self.collected.events[step].kind == Kind::Read && effect.ctype.is_pointer();
        is_pointer && !is_asked && self.small.iter().all(is_to_come)
    }

    /// A step and what follows. Around the expression, of which this may be an arm, a side effect is over only where the source has a sequence point
    /// behind it.
    fn line(&self, step: usize, line: Expression, rest: Expression) -> Expression {
        if !self.collected.is_over_inside(step) {
            return then(line, rest);
        }
        let (ctype, offset) = (rest.ctype.clone(), rest.offset);
        Expression::new(ExpressionKind::Comma(Box::new(line), Box::new(rest)), ctype, offset)
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

/// Has the order all of these edges?
fn is_kept(order: &[usize], edges: &[Edge]) -> bool {
    let place = |step: &usize| order.iter().position(|large| large == step);
    edges.iter().all(|(one, two)| place(one) < place(two))
}
