//! The accesses and calls of an expression, in the order in which lowering comes to them, and what C says of their order.

use super::{
    cells::{Cell, Name, Part, lives},
    choices::{Keepers, choice, flag},
    effects::{Effects, Scene},
    endless,
    parts::{each_part, parts},
};
use crate::lower::{
    tree::{Base, Change, Comparison, Expression, ExpressionKind, Place, Statement},
    types::{CType, width},
};
use goatherd_certificates::program::IntegerType;
use std::{collections::BTreeMap, ops::Range};

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The value of an object is read.
    Read,
    /// A value is stored: a side effect, which comes at any time before the next sequence point.
    Write,
    /// `++`, `--`, `+=`: for calls one evaluation (C11 6.5.2.4p2, 6.5.16.2p3), else a read and a write.
    Update,
    /// A call or a builtin, without its operands.
    Call,
    /// What C evaluates only sometimes: the right side of `&&` and `||`, the last two parts of `?:`. Its own events come before.
    Block,
    /// A statement expression.
    Opaque,
    /// A value is computed.
    Compute,
    /// A value that another assignment has just stored is handed on.
    Stored,
}

#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each says one thing of the event")]
pub(super) struct Event {
    pub(super) kind: Kind,
    pub(super) reads: Vec<Cell>,
    pub(super) writes: Vec<Cell>,
    /// The program may end there, or stay there for ever.
    pub(super) ends: bool,
    /// It is a statement expression that a jump may leave: nothing around it that comes later happens.
    pub(super) leaves: bool,
    /// It happens only where conditions held that are kept.
    pub(super) is_guarded: bool,
    pub(super) fails: bool,
    /// It may allocate memory.
    pub(super) allocates: bool,
    /// The events of its operands begin here and end before it.
    pub(super) first: usize,
    /// The block that it lies in.
    pub(super) block: Option<usize>,
    /// What the text calls the place.
    pub(super) name: Option<Name>,
    /// The cells that it accesses, if it is direct and they are known.
    pub(super) parts: Option<Vec<Part>>,
    /// There are labels in it, of which there can be one each only.
    pub(super) has_labels: bool,
    pub(super) offset: usize,
}

impl Event {
    /// Reads or writes an object by itself.
    pub(super) const fn is_direct(&self) -> bool {
        matches!(self.kind, Kind::Read | Kind::Write | Kind::Update)
    }

    /// It does what a call does.
    fn does(&mut self, effects: Effects) {
        self.reads = effects.reads.into_iter().collect();
        self.writes = effects.writes.into_iter().collect();
        self.ends = effects.ends;
        self.fails = effects.fails;
        self.allocates = effects.allocates;
    }

    /// May it be that nothing comes after it?
    pub(super) const fn stops(&self) -> bool {
        self.ends || self.leaves
    }

    /// Does it make a difference whether it happens at all?
    pub(super) fn matters(&self) -> bool {
        !self.writes.is_empty() || self.stops() || self.allocates
    }

    /// Is something perhaps no more behind it?
    pub(super) fn frees(&self) -> bool {
        self.writes.iter().any(|cell| matches!(cell, Cell::Life(_)))
    }

    pub(super) fn touches(&self) -> impl Iterator<Item = &Cell> {
        self.reads.iter().chain(&self.writes)
    }
}

/// The events of an expression.
#[derive(Default, Debug)]
pub(super) struct Collected {
    pub(super) events: Vec<Event>,
    /// Sequence points: all of the first range is over before anything of the second begins.
    sequenced: Vec<(Range<usize>, Range<usize>)>,
    /// Steps: the values of the first range come before all of the second.
    steps: Vec<(Range<usize>, Range<usize>)>,
    /// Compound assignments, and the events of their right sides: the object is read without an order to these (C11 6.5.16p3).
    beside: BTreeMap<usize, Range<usize>>,
    /// Of the first range and the second only one is evaluated.
    exclusive: Vec<(Range<usize>, Range<usize>)>,
    /// The items of compound literals, one list each.
    pub(super) literals: Vec<Vec<Range<usize>>>,
    pub(super) operations: Operations,
}

/// Which computations are events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Operations {
    #[default]
    None,
    /// Those that may fail.
    Failing,
}

impl Collected {
    /// Does it do anything that others could notice, but for reading and failing?
    pub(super) fn is_active(&self) -> bool {
        self.events.iter().any(|event| !event.writes.is_empty() || event.stops())
    }

    /// Is all of the first event over before the second, which lowering comes to later?
    pub(super) fn is_over_before(&self, first: usize, second: usize) -> bool {
        let event = &self.events[second];
        let is_operand = (event.first..second).contains(&first);
        let in_both = |(one, two): &(Range<usize>, Range<usize>)| one.contains(&first) && two.contains(&second);
        let is_beside = self.beside.get(&second).is_some_and(|operand| operand.contains(&first));
        // The value of an operand that has a sequence point in it comes after that.
        let inside = |(earlier, later): &(Range<usize>, Range<usize>)| {
            !is_beside && earlier.contains(&first) && event.first <= earlier.start && later.end <= second
        };
        is_operand && matches!(event.kind, Kind::Call | Kind::Block | Kind::Opaque)
            || self.sequenced.iter().any(|points| in_both(points) || inside(points))
            || self.exclusive.iter().any(in_both)
    }

    /// Is there a sequence point in the expression behind all of the event?
    pub(super) fn is_over_inside(&self, event: usize) -> bool {
        self.sequenced.iter().any(|(earlier, _)| earlier.contains(&event))
    }

    /// Does the second event come after the value of the first?
    pub(super) fn has_value_before(&self, first: usize, second: usize) -> bool {
        let is_operand = (self.events[second].first..second).contains(&first);
        let is_before = is_operand || self.steps.iter().any(|(one, two)| one.contains(&first) && two.contains(&second));
        is_before && self.events[first].kind != Kind::Write || self.is_over_before(first, second)
    }

    /// May two accesses be undefined together, whether in one part that C evaluates only sometimes or not?
    pub(super) fn may_be_undefined(&self, scene: &Scene<'_>) -> bool {
        let events = &self.events;
        let writers = (0..events.len()).filter(|event| events[*event].is_direct() && !events[*event].writes.is_empty());
        writers.into_iter().any(|writer| {
            let (event, mut others) = (&events[writer], 0..events.len());
            others.any(|other| {
                let (first, second) = (writer.min(other), writer.max(other));
                let cells = |event: &Event| event.touches().copied().collect::<Vec<_>>();
                let meets = other != writer && events[other].is_direct() && scene.any_overlap(&event.writes, &cells(&events[other]));
                // Of an operand only the side effect may still be to come.
                let is_operand = (events[second].first..second).contains(&first);
                meets && !(is_operand && events[first].writes.is_empty()) && !self.is_over_before(first, second)
            })
        })
    }

    /// The event of the whole expression that an event belongs to: the block that it lies in.
    pub(super) fn representative(&self, event: usize) -> usize {
        self.events[event].block.unwrap_or(event)
    }
}

/// What is done at each event.
pub(super) trait Visitor {
    /// The events of the operands are `range`; the event's own number is the range's end. It happens only where all of the guards hold.
    fn event(&mut self, kind: Kind, node: &mut Expression, range: Range<usize>, guards: &[Expression]);
    /// May the operation itself fail?
    fn may_fail(&self, node: &Expression) -> bool;
    /// A sequence point between events, the later ones perhaps with the number of their block.
    fn sequenced(&mut self, _earlier: Range<usize>, _later: Range<usize>) {}
    /// Only one of these is evaluated.
    fn exclusive(&mut self, _one: Range<usize>, _other: Range<usize>) {}
    /// The values of the earlier events come before the later ones, which use them; side effects need not.
    fn step(&mut self, _earlier: Range<usize>, _later: Range<usize>) {}
    /// These events are of the right side of the compound assignment that comes last so far.
    fn beside(&mut self, _operand: Range<usize>) {}
    /// These events make the block that comes after them.
    fn block(&mut self, _inside: Range<usize>) {}
    /// A compound literal with the events of its items.
    fn literal(&mut self, _items: Vec<Range<usize>>) {}
}

/// Goes through an expression in the order in which it is lowered.
pub(super) struct Walk<'v, V> {
    pub(super) visitor: &'v mut V,
    pub(super) operations: Operations,
    /// What meets nothing.
    pub(super) keepers: Keepers<'v>,
    next: usize,
    blocks: usize,
    guards: Vec<Expression>,
}

impl<'v, V: Visitor> Walk<'v, V> {
    pub(super) fn new(visitor: &'v mut V, operations: Operations, keepers: Keepers<'v>) -> Self {
        Self { visitor, operations, keepers, next: 0, blocks: 0, guards: Vec::new() }
    }

    fn event(&mut self, kind: Kind, node: &mut Expression, first: usize) {
        self.visitor.event(kind, node, first..self.next, &self.guards);
        self.next += 1;
    }

    pub(super) fn walk(&mut self, expression: &mut Expression) {
        let first = self.next;
        // Both before a visitor puts other operands there: the numbers of events are the same for every visitor.
        let may_fail = self.operations == Operations::Failing && self.visitor.may_fail(expression);
        let computed = computed_first(expression);
        match &mut expression.kind {
            ExpressionKind::Constant(_) | ExpressionKind::Function(_) => {}
            ExpressionKind::Read(place) => {
                self.place(place);
                if !expression.ctype.is_void() && !self.is_temporary(expression) {
                    self.event(Kind::Read, expression, first);
                }
            }
            ExpressionKind::AddressOf(place) => {
                self.place(place);
                if may_fail {
                    self.event(Kind::Compute, expression, first);
                }
            }
            ExpressionKind::Assign { place, value } => {
                self.walk(value);
                let is_temporary = self.keepers.has(place);
                if is_temporary {
                    self.event(Kind::Compute, expression, first);
                    return;
                }
                if let Some(kind) = computed {
                    self.event(kind, value, first);
                }
                self.written(place);
                self.event(Kind::Write, expression, first);
            }
            ExpressionKind::Update { place, change: Change::Integer { operand, .. } | Change::Pointer { index: operand, .. }, .. } => {
                self.walk(operand);
                let middle = self.next;
                self.written(place);
                self.event(Kind::Update, expression, first);
                self.visitor.beside(first..middle);
            }
            ExpressionKind::Comma(left, right) => {
                self.walk(left);
                if let Some(kind) = computed {
                    self.event(kind, left, first);
                }
                let middle = self.next;
                self.walk(right);
                self.visitor.sequenced(first..middle, middle..self.next);
            }
            ExpressionKind::Then(step, rest) => {
                self.walk(step);
                let middle = self.next;
                self.walk(rest);
                self.visitor.step(first..middle, middle..self.next);
            }
            ExpressionKind::And(..) | ExpressionKind::Or(..) | ExpressionKind::Conditional(..) => self.choice(expression, first),
            ExpressionKind::Either(one, other) => {
                self.arms([one, other]);
                self.close(expression, first, first);
            }
            ExpressionKind::Statements { .. } => self.event(Kind::Opaque, expression, first),
            ExpressionKind::Call { .. } | ExpressionKind::CallThrough { .. } | ExpressionKind::Builtin(_) => {
                self.parts(expression);
                self.event(Kind::Call, expression, first);
            }
            _ => {
                self.parts(expression);
                if may_fail {
                    self.event(Kind::Compute, expression, first);
                }
            }
        }
    }

    fn parts(&mut self, expression: &mut Expression) {
        for part in parts(expression) {
            self.walk(part);
        }
    }

    fn is_temporary(&self, expression: &Expression) -> bool {
        matches!(&expression.kind, ExpressionKind::Read(place) if self.keepers.has(place))
    }

    /// `&&`, `||`, `?:`. Where a part of an expression has kept the condition (see [`super::open`]) each of its parts is guarded for itself.
    fn choice(&mut self, expression: &mut Expression, first: usize) {
        let Some(choice) = choice(expression) else { return };
        let flag = flag(choice.condition, self.keepers).cloned();
        self.walk(choice.condition);
        let middle = self.next;
        match flag {
            None => {
                self.arms(choice.arms.into_iter().map(|(arm, _)| arm));
                self.close(expression, first, middle);
            }
            Some(flag) => {
                for (arm, side) in choice.arms {
                    let before = self.next;
                    self.guards.push(side.guard(&flag));
                    self.walk(arm);
                    self.guards.pop();
                    self.visitor.exclusive(middle..before, before..self.next);
                }
                self.visitor.sequenced(first..middle, middle..self.next);
            }
        }
    }

    /// Of these at most one is evaluated.
    fn arms<'e>(&mut self, arms: impl IntoIterator<Item = &'e mut Box<Expression>>) {
        self.blocks += 1;
        let first = self.next;
        for arm in arms {
            let middle = self.next;
            self.walk(arm);
            self.visitor.exclusive(first..middle, middle..self.next);
        }
        self.blocks -= 1;
    }

    fn close(&mut self, expression: &mut Expression, first: usize, middle: usize) {
        if self.blocks == 0 && middle < self.next {
            self.visitor.block(middle..self.next);
            self.event(Kind::Block, expression, first);
        }
        self.visitor.sequenced(first..middle, middle..self.next);
    }

    /// A place that is written. Its address is computed before, and again then: a pointer into the midst of an object would be kept during calls else.
    fn written(&mut self, place: &mut Place) {
        let first = self.next;
        let may_fail = self.operations == Operations::Failing && self.visitor.may_fail(&place.address());
        self.place(place);
        if may_fail {
            self.event(Kind::Compute, &mut place.address(), first);
        }
    }

    fn place(&mut self, place: &mut Place) {
        match &mut place.base {
            Base::Variable(_) | Base::Global(_) => {}
            Base::Pointer(inner) | Base::Value(inner) => self.walk(inner),
            Base::Literal(_, items) => {
                let mut ranges = Vec::new();
                for item in items {
                    let first = self.next;
                    self.walk(&mut item.value);
                    ranges.push(first..self.next);
                }
                self.visitor.literal(ranges);
            }
        }
    }
}

/// The event of what an assignment stores, or a comma has on its left, if there is something to compute.
fn computed_first(expression: &Expression) -> Option<Kind> {
    match &expression.kind {
        ExpressionKind::Assign { place, value } if is_stored(value, place.ctype.bits.map(|bits| bits.width)) => Some(Kind::Stored),
        ExpressionKind::Assign { value: first, .. } | ExpressionKind::Comma(first, _) => {
            (!matches!(first.kind, ExpressionKind::Constant(_))).then_some(Kind::Compute)
        }
        _ => None,
    }
}

/// A part of an expression that C evaluates for itself.
pub(super) enum Inner<'e> {
    Arm(&'e mut Expression),
    Statements(&'e mut Vec<Statement>, Option<&'e mut Expression>),
}

/// The parts of an expression that are evaluated for themselves, with sequence points before and after: not those of blocks that are opened.
pub(super) fn inner<'e>(expression: &'e mut Expression, keepers: Keepers<'_>) -> Vec<Inner<'e>> {
    if matches!(expression.kind, ExpressionKind::Statements { .. }) {
        let ExpressionKind::Statements { statements, value, .. } = &mut expression.kind else { return Vec::new() };
        return vec![Inner::Statements(statements, value.as_deref_mut())];
    }
    // How many parts C evaluates in any case, before the others.
    let certain = match &expression.kind {
        ExpressionKind::And(condition, _) | ExpressionKind::Or(condition, _) | ExpressionKind::Conditional(condition, ..)
            if flag(condition, keepers).is_none() =>
        {
            1
        }
        ExpressionKind::Either(..) => 0,
        _ => usize::MAX,
    };
    let each = |(position, part)| if position < certain { inner(part, keepers) } else { vec![Inner::Arm(part)] };
    parts(expression).into_iter().enumerate().flat_map(each).collect()
}

/// Are there labels in statements of the expression? There can be one of each only.
fn has_labels(expression: &mut Expression) -> bool {
    let mut found = false;
    each_part(expression, &mut |part| {
        if let ExpressionKind::Statements { statements, .. } = &mut part.kind {
            found |= !endless::labels(statements).is_empty();
        }
    });
    found
}

/// Collects events with what they do.
struct Collector<'s, 'a> {
    scene: &'s Scene<'a>,
    collected: Collected,
}

impl Visitor for Collector<'_, '_> {
    fn event(&mut self, kind: Kind, node: &mut Expression, range: Range<usize>, guards: &[Expression]) {
        let mut event = Event {
            kind,
            reads: Vec::new(),
            writes: Vec::new(),
            ends: false,
            leaves: false,
            is_guarded: !guards.is_empty(),
            fails: false,
            allocates: false,
            first: range.start,
            block: None,
            name: None,
            parts: None,
            has_labels: false,
            offset: node.offset,
        };
        let place = match &node.kind {
            ExpressionKind::Read(place) | ExpressionKind::Assign { place, .. } | ExpressionKind::Update { place, .. } => Some(place),
            _ => None,
        };
        match (kind, place) {
            (Kind::Read | Kind::Write | Kind::Update, Some(place)) => {
                let cells = self.scene.cells(place);
                event.fails = self.scene.access_fails(place, kind);
                event.name = self.scene.name(place);
                event.parts = self.scene.parts(&place.ctype);
                // What is changed may have no value; bits of a value are computed from it.
                event.fails |= kind == Kind::Update;
                if let ExpressionKind::Assign { place, value } = &node.kind {
                    event.fails |= place.ctype.bits.is_some() && self.scene.may_be_nothing(value);
                }
                if kind != Kind::Write {
                    event.reads.clone_from(&cells);
                }
                if let ExpressionKind::Update { place, change: Change::Pointer { .. }, .. } = &node.kind {
                    event.reads.extend(lives(&self.scene.roots.held(place)));
                }
                if kind != Kind::Read {
                    event.writes = cells;
                }
            }
            (Kind::Call, _) => {
                event.does(self.scene.call_effects(node));
                self.sequenced(range.clone(), range.end..range.end + 1);
            }
            (Kind::Opaque, _) => {
                event.has_labels = has_labels(node);
                if let ExpressionKind::Statements { statements, value, .. } = &mut node.kind {
                    event.leaves = endless::jumps_out(statements);
                    let mut effects = self.scene.body_effects(statements);
                    if let Some(value) = value {
                        effects.add(self.scene.expression_effects(value));
                    }
                    event.does(effects);
                }
            }
            (Kind::Compute | Kind::Stored, _) => {
                event.fails = self.scene.operation_fails(node);
                event.reads = self.scene.operation_uses(node);
            }
            _ => {}
        }
        self.collected.events.push(event);
    }

    fn may_fail(&self, node: &Expression) -> bool {
        self.scene.operation_fails(node)
    }

    fn sequenced(&mut self, earlier: Range<usize>, later: Range<usize>) {
        if !earlier.is_empty() {
            self.collected.sequenced.push((earlier, later));
        }
    }

    fn exclusive(&mut self, one: Range<usize>, other: Range<usize>) {
        if !one.is_empty() && !other.is_empty() {
            self.collected.exclusive.push((one, other));
        }
    }

    fn step(&mut self, earlier: Range<usize>, later: Range<usize>) {
        self.collected.steps.push((earlier, later));
    }

    fn beside(&mut self, operand: Range<usize>) {
        self.collected.beside.insert(self.collected.events.len() - 1, operand);
    }

    fn block(&mut self, inside: Range<usize>) {
        let number = inside.end;
        for event in &mut self.collected.events[inside] {
            event.block = Some(number);
        }
    }

    fn literal(&mut self, items: Vec<Range<usize>>) {
        self.collected.literals.push(items);
    }
}

/// Is the value that of an assignment to as many bits, converted to another type at most in its sign?
fn is_stored(value: &Expression, bits: Option<u32>) -> bool {
    match &value.kind {
        ExpressionKind::Assign { place, .. } => {
            place.ctype.bits.map(|bits| bits.width) == bits && value.ctype.as_integer() != Some(IntegerType::Bool)
        }
        ExpressionKind::Convert(inner) => {
            let is_as_wide = value.ctype.as_integer().map(width) == inner.ctype.as_integer().map(width);
            is_stored(inner, bits) && is_as_wide && value.ctype.as_integer() != Some(IntegerType::Bool)
        }
        _ => false,
    }
}

/// The events of an expression; where the program may end or free in between, also the computations that may fail.
pub(super) fn collect(scene: &Scene<'_>, expression: &mut Expression) -> Collected {
    let plain = collect_with(scene, expression, Operations::None);
    if plain.events.iter().all(|event| !event.stops() && !event.frees()) {
        return plain;
    }
    write_tests(scene, expression);
    collect_failing(scene, expression)
}

/// What the operator itself tests: the operands of `&&` and `||`, and the first one of `?:`.
pub(super) fn tested(expression: &mut Expression) -> Vec<&mut Expression> {
    match &mut expression.kind {
        ExpressionKind::And(left, right) | ExpressionKind::Or(left, right) => vec![left, right],
        ExpressionKind::Conditional(condition, ..) => vec![condition],
        _ => Vec::new(),
    }
}

/// Makes a computation of each test that may fail, so that it is an event.
pub(super) fn write_tests(scene: &Scene<'_>, expression: &mut Expression) {
    each_part(expression, &mut |part| {
        tested(part).into_iter().filter(|condition| scene.may_be_nothing(condition)).for_each(write_test);
    });
}

/// Makes a computation of a condition.
pub(super) fn write_test(condition: &mut Expression) {
    let (ctype, offset) = (condition.ctype.clone(), condition.offset);
    let zero = Expression::constant(0, ctype, offset);
    let value = std::mem::replace(condition, zero.clone());
    let kind = ExpressionKind::Compare(Comparison::NotEqual, Box::new(value), Box::new(zero));
    *condition = Expression::new(kind, CType::int(), offset);
}

/// The events of an expression, and its computations that may fail.
pub(super) fn collect_failing(scene: &Scene<'_>, expression: &mut Expression) -> Collected {
    collect_with(scene, expression, Operations::Failing)
}

fn collect_with(scene: &Scene<'_>, expression: &mut Expression, operations: Operations) -> Collected {
    let mut collector = Collector { scene, collected: Collected { operations, ..Collected::default() } };
    Walk::new(&mut collector, operations, scene.keepers()).walk(expression);
    collector.collected
}
