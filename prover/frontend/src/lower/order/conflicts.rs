//! Which accesses and calls of an expression meet without an order between them.

use super::{
    cells::{self, Meeting, Pairs},
    effects::Scene,
    events::{self, Collected, Event, Kind},
    parts::each_part,
    reasons::{Reason, Refused},
};
use crate::lower::{
    tree::{Base, Change, Expression, ExpressionKind, Place},
    types::CType,
};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of cells of two accesses, structs or bit-fields, whose addresses are compared.
const PAIR_LIMIT: usize = 256;

/// Two accesses that are undefined together if they are of one scalar (C11 6.5p2); lowering comes to the first one first.
#[derive(Clone, Debug)]
pub(super) struct Clash {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) test: Test,
    /// Of a test of addresses: which parts of the two may be one.
    pub(super) pairs: Pairs,
}

/// What shows whether two accesses clash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Test {
    /// They do if both happen.
    Happens,
    /// They do if parts of them are at one address.
    Addresses,
}

/// All that there is to do for an expression.
#[derive(Default, Debug)]
pub(super) struct Found {
    pub(super) clashes: Vec<Clash>,
    /// Pairs of events, of which one is a call or has one, that C orders either way, and that come out differently.
    pub(super) either_way: BTreeSet<(usize, usize)>,
    /// Pairs of events of which the first may fail, perhaps with another one, where the second may end the program: some order has to show the failure.
    pub(super) failing_first: BTreeSet<(usize, usize)>,
    /// Per failure the events that have to happen for it, and what may end the program before.
    pub(super) failures: BTreeMap<BTreeSet<usize>, BTreeSet<usize>>,
    /// The order in which lowering comes to the events does not show all failures.
    hides_failures: bool,
    /// Blocks more than one of whose events meets others, or may end the program beside one that does: others may come in between. A block that is not
    /// opened moves as a whole.
    pub(super) crowded: BTreeSet<usize>,
    /// The places of what can be neither tested nor ordered.
    pub(super) refused: Refused,
}

impl Found {
    pub(super) fn is_empty(&self) -> bool {
        self.clashes.is_empty() && !self.has_orders()
    }

    /// Are there orders to choose from?
    pub(super) fn has_orders(&self) -> bool {
        !self.either_way.is_empty() || self.hides_failures
    }
}

/// Do two evaluations come to something else if the other one comes first, or to nothing?
pub(super) fn depend(scene: &Scene<'_>, one: &Collected, two: &Collected) -> bool {
    let writes = |one: &Collected, two: &Collected| {
        one.events.iter().filter(|event| !event.writes.is_empty()).any(|event| two.events.iter().any(|other| written(scene, event, other)))
    };
    let leaves = |one: &Collected, two: &Collected| one.events.iter().any(|event| event.leaves) && two.events.iter().any(Event::matters);
    writes(one, two) || writes(two, one) || leaves(one, two) || leaves(two, one)
}

/// May the first event write what the second touches?
fn written(scene: &Scene<'_>, one: &Event, two: &Event) -> bool {
    one.writes.iter().any(|cell| two.touches().any(|other| scene.overlap(*cell, *other)))
}

/// What is to be done for an expression.
pub(super) fn find(scene: &Scene<'_>, collected: &Collected) -> Found {
    let mut finder = Finder { scene, collected, found: Found::default(), meeting: BTreeMap::new() };
    let events = &collected.events;
    for (writer, event) in events.iter().enumerate().filter(|(_, event)| !event.writes.is_empty()) {
        for (other, touched) in events.iter().enumerate() {
            // Of two that write each is a writer; the pair is looked at once.
            let is_new = touched.writes.is_empty() || other > writer;
            if other != writer && is_new && (written(scene, event, touched) || written(scene, touched, event)) {
                finder.pair(writer.min(other), writer.max(other));
            }
        }
    }
    finder.literals();
    finder.ends();
    finder.ends_between();
    finder.leaves();
    finder.crowd();
    if finder.found.has_orders() {
        for statements in events.iter().filter(|event| event.has_labels) {
            finder.found.refused.insert(statements.offset, Reason::Statements);
        }
    }
    finder.found
}

struct Finder<'s, 'a> {
    scene: &'s Scene<'a>,
    collected: &'s Collected,
    found: Found,
    /// Per block, its events that meet others.
    meeting: BTreeMap<usize, BTreeSet<usize>>,
}

impl Finder<'_, '_> {
    /// Two events that touch one cell, of which at least one writes it.
    fn pair(&mut self, first: usize, second: usize) {
        let (one, two) = (&self.collected.events[first], &self.collected.events[second]);
        // Inside one block the block's own expressions have been looked at.
        if one.block.is_some() && one.block == two.block || self.collected.is_over_before(first, second) {
            return;
        }
        if one.is_direct() && two.is_direct() {
            // Of an operand only the side effect may still be to come.
            let is_operand = self.collected.has_value_before(first, second);
            if !is_operand || written(self.scene, one, two) {
                self.clash(first, second);
            }
            return;
        }
        if self.collected.has_value_before(first, second) {
            return;
        }
        if one.kind == Kind::Opaque || two.kind == Kind::Opaque {
            self.found.refused.insert(two.offset, Reason::Statements);
            return;
        }
        self.order(first, second);
    }

    /// Is it `*p = *q = 0`? Both store one value, so nothing shows which comes last, unless they store different parts of it, or at different
    /// offsets. (C11 6.5p2 leaves also this undefined where `p == q`.)
    fn is_chained(&self, first: usize, second: usize) -> bool {
        let (one, two) = (&self.collected.events[first], &self.collected.events[second]);
        let in_memory = one.writes.iter().chain(&two.writes).all(|cell| matches!(cell, cells::Cell::Memory(..)));
        let is_alike = one.parts.is_some() && one.parts == two.parts;
        // What the second one stores is the last that is computed of its right side: no sum with the value of the first, `*p = (*q = 0) + 1`.
        let is_value = |value: &Event| value.first == two.first && matches!(value.kind, Kind::Compute | Kind::Stored);
        let value = self.collected.events[..second].iter().rposition(is_value);
        let is_stored = value == Some(first + 1) && self.collected.events[first + 1].kind == Kind::Stored;
        one.kind == Kind::Write && two.kind == Kind::Write && in_memory && is_alike && is_stored
    }

    fn order(&mut self, first: usize, second: usize) {
        for event in [first, second] {
            if let Some(block) = self.collected.events[event].block {
                self.meeting.entry(block).or_default().insert(event);
            }
        }
        let (one, two) = (self.collected.representative(first), self.collected.representative(second));
        self.found.either_way.insert((one.min(two), one.max(two)));
    }

    fn clash(&mut self, first: usize, second: usize) {
        let (one, two) = (&self.collected.events[first], &self.collected.events[second]);
        let in_registers = one.touches().all(|cell| !matches!(cell, cells::Cell::Memory(..)));
        let meeting = match (&one.name, &two.name) {
            _ if in_registers => Meeting::Always,
            (Some(left), Some(right)) if self.stays(first, second) => left.meets(right),
            _ => Meeting::Perhaps,
        };
        // Places that are known to meet are one place, or overlap as two stores of one value may not.
        let is_chained = self.is_chained(first, second) && (meeting != Meeting::Always || one.name == two.name);
        let pairs = match (&one.parts, &two.parts) {
            _ if meeting == Meeting::Never || meeting == Meeting::Always && is_chained => return,
            _ if meeting == Meeting::Always => Vec::new(),
            // Where the two are one object each part gets the value that it has already; what is left are structs that overlap.
            (Some(left), Some(right)) if is_chained && left.len().saturating_mul(right.len()) <= PAIR_LIMIT => {
                let shifted: Pairs = cells::pairs(left, right).into_iter().filter(|(own, others)| own != others).collect();
                if shifted.is_empty() {
                    return;
                }
                shifted
            }
            (Some(left), Some(right)) if left.len().saturating_mul(right.len()) <= PAIR_LIMIT => cells::pairs(left, right),
            _ => return self.found.refused.insert(two.offset, Reason::Parts),
        };
        let test = if meeting == Meeting::Always { Test::Happens } else { Test::Addresses };
        self.found.clashes.push(Clash { first, second, test, pairs });
    }

    /// Are the pointers that lead to two places the same throughout?
    fn stays(&self, first: usize, second: usize) -> bool {
        let names = [first, second].into_iter().filter_map(|event| self.collected.events[event].name.as_ref());
        let loads: Vec<_> = names.flat_map(|name| name.loads.iter().copied()).collect();
        !self.collected.events.iter().any(|event| self.scene.any_overlap(&event.writes, &loads))
    }

    /// The items of a compound literal come in any order, each as a whole (C11 6.7.9p23): they have to be independent.
    fn literals(&mut self) {
        let events = &self.collected.events;
        for items in &self.collected.literals {
            for (position, item) in items.iter().enumerate() {
                let before = items[..position].iter().flat_map(|range| &events[range.clone()]);
                let meets = before.into_iter().find(|one| {
                    events[item.clone()].iter().any(|two| {
                        let skips = |one: &Event, two: &Event| one.stops() && two.fails || one.leaves && two.matters();
                        written(self.scene, one, two) || written(self.scene, two, one) || skips(one, two) || skips(two, one)
                    })
                });
                if meets.is_some() {
                    self.found.refused.insert(events[item.start].offset, Reason::Items);
                }
            }
        }
        if self.found.has_orders() && !self.collected.literals.is_empty() {
            let first = events.first().map_or(0, |event| event.offset);
            self.found.refused.insert(first, Reason::Items);
        }
    }

    /// Where a statement expression may be left by a jump, whatever is written or allocated beside it has been, or not; and beside what may not come to its end, or
    /// may be left too, it decides which comes first where the program goes on.
    fn leaves(&mut self) {
        let events = &self.collected.events;
        for leaving in (0..events.len()).filter(|event| events[*event].leaves) {
            let matters = |event: &usize| *event != leaving && events[*event].matters();
            for other in (0..events.len()).filter(matters) {
                let (first, second) = (leaving.min(other), leaving.max(other));
                let is_inside = self.collected.representative(leaving) == self.collected.representative(other);
                if !is_inside && !self.collected.has_value_before(first, second) {
                    self.found.refused.insert(events[leaving].offset, Reason::Statements);
                }
            }
        }
    }

    /// Where an event may end the program that another, unordered, may fail in.
    fn ends(&mut self) {
        let events = &self.collected.events;
        for ender in (0..events.len()).filter(|event| events[*event].stops()) {
            for failing in (0..events.len()).filter(|event| events[*event].fails) {
                let (first, second) = (ender.min(failing), ender.max(failing));
                let (one, two) = (self.collected.representative(failing), self.collected.representative(ender));
                if one == two || self.collected.has_value_before(first, second) {
                    continue;
                }
                self.found.failing_first.insert((one, two));
                self.found.failures.entry(BTreeSet::from([one])).or_default().insert(two);
                self.found.hides_failures |= ender < failing;
            }
        }
    }

    /// Where an event may end the program before both of two accesses that are undefined together.
    fn ends_between(&mut self) {
        let events = &self.collected.events;
        for (one, two) in self.found.clashes.iter().map(|clash| (clash.first, clash.second)) {
            let both = [one, two];
            let (left, right) = (self.collected.representative(one), self.collected.representative(two));
            for ender in (0..events.len()).filter(|event| events[*event].stops()) {
                let place = self.collected.representative(ender);
                let is_behind = |access: usize| ender < access && self.collected.has_value_before(ender, access);
                if both.contains(&ender) || both.into_iter().any(is_behind) || place == left || place == right {
                    continue;
                }
                self.found.failures.entry(BTreeSet::from([left, right])).or_default().insert(place);
                for access in both.into_iter().filter(|access| *access > ender || !self.collected.has_value_before(*access, ender)) {
                    self.found.failing_first.insert((self.collected.representative(access), place));
                    self.found.hides_failures |= ender < access;
                }
            }
        }
    }

    /// Which blocks others may come in the middle of.
    fn crowd(&mut self) {
        let clashes = self.found.clashes.iter().flat_map(|clash| [clash.first, clash.second]);
        let clashing: BTreeSet<usize> = clashes.filter_map(|event| self.collected.events[event].block).collect();
        let stops = |block: usize| self.collected.events.iter().any(|event| event.block == Some(block) && event.stops());
        let is_crowded = |block: &usize| {
            let meeting = self.meeting.get(block).map_or(0, BTreeSet::len);
            meeting > 1 || (meeting == 1 || clashing.contains(block)) && stops(*block)
        };
        self.found.crowded = self.meeting.keys().chain(&clashing).copied().filter(is_crowded).collect();
    }
}

/// Writes `a += f()` as `a = a + f()` where the call may change `a`, or not come back: it may do so after `a` has been read (C11 6.5.16p3).
pub(super) fn split_updates(scene: &mut Scene<'_>, expression: &mut Expression) {
    each_part(expression, &mut |node| {
        let ExpressionKind::Update { place, change: Change::Integer { operand, .. } | Change::Pointer { index: operand, .. }, .. } =
            &mut node.kind
        else {
            return;
        };
        let cells = scene.cells(place);
        let calls = events::collect(scene, operand).events;
        let writes = |event: &Event| !event.is_direct() && scene.any_overlap(&event.writes, &cells);
        if calls.iter().any(|event| writes(event) || event.stops()) {
            split(scene, node);
        }
    });
}

fn split(scene: &mut Scene<'_>, node: &mut Expression) {
    let ExpressionKind::Update { place, change, .. } = &node.kind else { return };
    let (mut from, mut to) = ((**place).clone(), (**place).clone());
    if let Base::Pointer(_) = place.base {
        let pointer = place.address();
        let kept = scene.temporary(&pointer);
        let read = Expression::new(ExpressionKind::Read(Box::new(kept.clone())), pointer.ctype.clone(), place.offset);
        let ctype = pointer.ctype.clone();
        let assign = ExpressionKind::Assign { place: Box::new(kept), value: Box::new(pointer) };
        from = Place { base: Base::Pointer(Box::new(Expression::new(assign, ctype, place.offset))), displacement: 0, ..from };
        to = Place { base: Base::Pointer(Box::new(read)), displacement: 0, ..to };
    }
    let (ctype, offset) = (place.ctype.unqualified(), node.offset);
    let old = Expression::new(ExpressionKind::Read(Box::new(from)), ctype.clone(), offset);
    let new = match change {
        Change::Integer { operation, operand, kind } => {
            let wide = CType::integer(*kind);
            let old = Expression::new(ExpressionKind::Convert(Box::new(old)), wide.clone(), offset);
            let new = Expression::new(ExpressionKind::Binary(*operation, Box::new(old), operand.clone()), wide, offset);
            Expression::new(ExpressionKind::Convert(Box::new(new)), ctype.clone(), offset)
        }
        Change::Pointer { index, scale } => {
            let kind = ExpressionKind::Advance { base: Box::new(old), index: index.clone(), scale: *scale, within: None };
            Expression::new(kind, ctype.clone(), offset)
        }
    };
    *node = Expression::new(ExpressionKind::Assign { place: Box::new(to), value: Box::new(new) }, node.ctype.clone(), offset);
}
