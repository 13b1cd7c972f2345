//! Expressions in which the order matters, written out: accesses that may clash are tested where they happen, and where calls come in any
//! order each event becomes a step of its own, which keeps its value in a variable.

use super::{
    cells::Pairs,
    conflicts::{Found, Test},
    effects::Scene,
    events::{Collected, Kind, Visitor, Walk},
    schedule,
};
use crate::lower::{
    tree::{Base, Builtin, Change, Comparison, Expression, ExpressionKind, Place},
    types::{Bits, CType, is_signed, width},
    undefined_behavior::UndefinedBehavior,
};
use goatherd_certificates::program::{IntegerType, Operation};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::Range,
};

/// There are too many orders, or what is found to be written is not what was looked at.
pub(super) struct TooMany;

/// Writes out all orders of an expression, with tests.
pub(super) fn rewrite(scene: &mut Scene<'_>, expression: &mut Expression, collected: &Collected, found: &Found) -> Result<(), TooMany> {
    let lifts = found.has_orders();
    let keepers = scene.keepers();
    let mut writer = Writer {
        scene,
        watches: BTreeMap::new(),
        quiet: BTreeSet::new(),
        steps: lifts.then(BTreeMap::new),
        inside: BTreeSet::new(),
        start: Vec::new(),
        events: collected.events.iter().map(|event| event.kind).collect(),
    };
    writer.inside = (0..collected.events.len()).filter(|event| collected.events[*event].block.is_some()).collect();
    writer.quiet = quiet(writer.scene, collected);
    writer.watch(collected, found);
    Walk::new(&mut writer, collected.operations, keepers).walk(expression);
    let Writer { steps, mut start, events, .. } = writer;
    if !events.is_empty() {
        return Err(TooMany);
    }
    if let Some(steps) = steps {
        start.push(schedule::orders(scene, collected, found, &steps)?);
    }
    let offset = expression.offset;
    for first in start.into_iter().rev() {
        let rest = std::mem::replace(expression, Expression::constant(0, CType::int(), offset));
        *expression = then(first, rest);
    }
    Ok(())
}

/// Reads of variables in registers that nothing in the expression writes: they may stay where they are.
fn quiet(scene: &Scene<'_>, collected: &Collected) -> BTreeSet<usize> {
    let in_registers = |event: &usize| {
        let event = &collected.events[*event];
        // One that fails reads memory, also where nothing is known to be there, as `*p` of a pointer that is NULL.
        event.kind == Kind::Read && !event.fails && event.reads.iter().all(|cell| !matches!(cell, super::cells::Cell::Memory(..)))
    };
    let written = |event: &usize| collected.events.iter().any(|other| scene.any_overlap(&other.writes, &collected.events[*event].reads));
    (0..collected.events.len()).filter(|event| in_registers(event) && !written(event)).collect()
}

/// What is done where an access happens.
#[derive(Default)]
struct Watch {
    /// It fails.
    fails: bool,
    /// These are set to 1.
    sets: Vec<Place>,
    /// It fails if one of these is 1.
    tests: Vec<Place>,
    /// Its address is kept here.
    keeps: Vec<Place>,
    /// It fails if a part of it is a part of one of these.
    meets: Vec<Met>,
}

/// Another access: where its address is kept, and by their offsets which parts of this one may be parts of it.
struct Met {
    other: Place,
    pairs: Pairs,
}

struct Writer<'s, 'a> {
    scene: &'s mut Scene<'a>,
    watches: BTreeMap<usize, Watch>,
    quiet: BTreeSet<usize>,
    /// The events as steps, if they are to be ordered.
    steps: Option<BTreeMap<usize, Expression>>,
    /// The events inside blocks, which stay there.
    inside: BTreeSet<usize>,
    /// What comes before everything.
    start: Vec<Expression>,
    /// The events that are still to come, as long as they are those that have been collected.
    events: VecDeque<Kind>,
}

impl Writer<'_, '_> {
    /// What each access that may clash has to do.
    fn watch(&mut self, collected: &Collected, found: &Found) {
        let mut kept: BTreeMap<(usize, Test), Place> = BTreeMap::new();
        for clash in &found.clashes {
            let first = &collected.events[clash.first];
            let is_certain = first.block.is_none() && !first.is_guarded && self.steps.is_none();
            if clash.test == Test::Happens && is_certain {
                self.watches.entry(clash.second).or_default().fails = true;
                continue;
            }
            // Steps come in several orders: each of the two may be the one that finds that the other has been there.
            let both = [(clash.first, clash.second), (clash.second, clash.first)];
            let pairs = if self.steps.is_some() { &both[..] } else { &both[..1] };
            for (before, after) in pairs {
                let place = kept.entry((*before, clash.test)).or_insert_with(|| {
                    let place = self.remembered(clash.test, collected.events[*before].offset);
                    if !is_certain {
                        self.start.push(assign(&place, zero(&place)));
                    }
                    let watch = self.watches.entry(*before).or_default();
                    match clash.test {
                        Test::Happens => watch.sets.push(place.clone()),
                        Test::Addresses => watch.keeps.push(place.clone()),
                    }
                    place
                });
                let place = place.clone();
                let watch = self.watches.entry(*after).or_default();
                match clash.test {
                    Test::Happens => watch.tests.push(place),
                    Test::Addresses => {
                        let turned = clash
                            .pairs
                            .iter()
                            .map(|(first, second)| if *after == clash.first { (*first, *second) } else { (*second, *first) });
                        watch.meets.push(Met { other: place, pairs: turned.collect() });
                    }
                }
            }
        }
    }

    /// A new variable for whether an access has happened, or where.
    fn remembered(&mut self, test: Test, offset: usize) -> Place {
        let ctype = match test {
            Test::Happens => CType::int(),
            Test::Addresses => CType::void().pointer_to(),
        };
        self.scene.temporary(&Expression::constant(0, ctype, offset))
    }

    /// Tests an access, and keeps what later ones are tested with.
    fn guard(&mut self, watch: &Watch, node: &mut Expression) {
        let offset = node.offset;
        if !watch.keeps.is_empty() || !watch.meets.is_empty() {
            let (ExpressionKind::Read(place) | ExpressionKind::Assign { place, .. } | ExpressionKind::Update { place, .. }) =
                &mut node.kind
            else {
                return;
            };
            let pointer = place.address();
            let address = self.scene.temporary(&pointer);
            let mut value = read(&address);
            for keep in watch.keeps.iter().rev() {
                value = then(assign(keep, read(&address)), value);
            }
            for met in watch.meets.iter().rev() {
                value = met.pairs.iter().rev().fold(value, |rest, pair| then(fail_if(is_shared(&address, met, *pair)), rest));
            }
            let value = then(assign(&address, pointer), value);
            **place = Place { base: Base::Pointer(Box::new(value)), displacement: 0, ..(**place).clone() };
        }
        let mut before = Vec::new();
        let certain = watch.fails.then(|| fail(offset));
        let tests: Vec<Expression> = certain.into_iter().chain(watch.tests.iter().map(|flag| fail_if(read(flag)))).collect();
        match operand(node).filter(|_| self.steps.is_none() && !tests.is_empty()) {
            None => before.extend(tests),
            // The other access may be in an operand, and an end of the program.
            Some(operand) => {
                let kept = self.scene.temporary(operand);
                let value = std::mem::replace(operand, Expression::constant(0, CType::int(), offset));
                let behind = tests.into_iter().rev().fold(read(&kept), |rest, test| then(test, rest));
                *operand = then(assign(&kept, value), behind);
            }
        }
        before.extend(watch.sets.iter().map(|flag| assign(flag, Expression::constant(1, CType::int(), offset))));
        for first in before.into_iter().rev() {
            let rest = std::mem::replace(node, Expression::constant(0, CType::int(), offset));
            *node = then(first, rest);
        }
    }

    /// Makes a step of a node; its value remains.
    fn lift(&mut self, kind: Kind, number: usize, node: &mut Expression, guards: &[Expression]) {
        let offset = node.offset;
        let nothing = || Expression::constant(0, CType::int(), offset);
        let is_kept = matches!(&node.kind, ExpressionKind::Assign { place, .. } if self.scene.keepers().has(place));
        let step = if kind == Kind::Write {
            let value = stored(node);
            std::mem::replace(node, value)
        } else if is_kept {
            let value = stored_place(node);
            std::mem::replace(node, value)
        } else if node.ctype.is_void() {
            let void = Expression::new(ExpressionKind::Convert(Box::new(nothing())), CType::void(), offset);
            std::mem::replace(node, void)
        } else {
            let place = self.scene.temporary(node);
            let value = std::mem::replace(node, read(&place));
            assign(&place, value)
        };
        if let Some(steps) = &mut self.steps {
            steps.insert(number, guards.iter().rev().fold(step, |step, guard| where_holds(guard.clone(), step)));
        }
    }
}

impl Visitor for Writer<'_, '_> {
    fn may_fail(&self, node: &Expression) -> bool {
        self.scene.operation_fails(node)
    }

    fn event(&mut self, kind: Kind, node: &mut Expression, range: Range<usize>, guards: &[Expression]) {
        let number = range.end;
        if self.events.front() == Some(&kind) {
            self.events.pop_front();
        }
        let watch = self.watches.remove(&number);
        if let Some(watch) = &watch {
            self.guard(watch, node);
        }
        let stays = self.inside.contains(&number) || self.quiet.contains(&number) && watch.is_none();
        if self.steps.is_some() && !stays {
            self.lift(kind, number, node, guards);
        }
    }
}

/// The operand of an access that is evaluated last: of assignments the value comes before the place.
fn operand(node: &mut Expression) -> Option<&mut Expression> {
    let (place, operand) = match &mut node.kind {
        ExpressionKind::Read(place) => (place, None),
        ExpressionKind::Assign { place, value } => (place, Some(&mut **value)),
        ExpressionKind::Update { place, change: Change::Integer { operand, .. } | Change::Pointer { index: operand, .. }, .. } => {
            (place, Some(&mut **operand))
        }
        _ => return None,
    };
    if let Base::Pointer(pointer) = &mut place.base { Some(pointer) } else { operand }
}

/// The value that an assignment stores, behind the tests before it: of a bit-field what its bits then hold (C11 6.5.16p3).
fn stored(node: &Expression) -> Expression {
    match &node.kind {
        ExpressionKind::Assign { place, value } => match (place.ctype.bits, place.ctype.as_integer()) {
            (Some(bits), Some(own)) => held_by(bits, own, value, node),
            _ => (**value).clone(),
        },
        ExpressionKind::Comma(_, right) | ExpressionKind::Then(_, right) => stored(right),
        _ => node.clone(),
    }
}

/// The value of bits of this type behind an assignment to them.
fn held_by(bits: Bits, own: IntegerType, value: &Expression, node: &Expression) -> Expression {
    let wide = if is_signed(own) { IntegerType::I64 } else { IntegerType::U64 };
    let number = |value: i128| Box::new(Expression::constant(value, CType::integer(wide), node.offset));
    let converted = |value: Expression, ctype: CType| Expression::new(ExpressionKind::Convert(Box::new(value)), ctype, node.offset);
    let compute = |operation, left: Expression, right: i128| {
        let kind = ExpressionKind::Binary(operation, Box::new(left), number(right));
        Expression::new(kind, CType::integer(wide), node.offset)
    };
    if bits.width == width(own) {
        return converted(value.clone(), node.ctype.clone());
    }
    let low = compute(Operation::And, converted(value.clone(), CType::integer(wide)), (1 << bits.width) - 1);
    if !is_signed(own) {
        return converted(low, node.ctype.clone());
    }
    // The uppermost bit counts as negative.
    let sign = 1 << (bits.width - 1);
    converted(compute(Operation::Subtract, compute(Operation::Xor, low, sign), sign), node.ctype.clone())
}

/// The variable that an assignment writes.
fn stored_place(node: &Expression) -> Expression {
    match &node.kind {
        ExpressionKind::Assign { place, .. } => read(place),
        _ => node.clone(),
    }
}

/// 0 or NULL.
fn zero(place: &Place) -> Expression {
    Expression::constant(0, place.ctype.clone(), place.offset)
}

pub(super) fn read(place: &Place) -> Expression {
    Expression::new(ExpressionKind::Read(Box::new(place.clone())), place.ctype.clone(), place.offset)
}

pub(super) fn assign(place: &Place, value: Expression) -> Expression {
    let (ctype, offset) = (place.ctype.clone(), value.offset);
    let value = Expression { ctype: ctype.clone(), ..value };
    Expression::new(ExpressionKind::Assign { place: Box::new(place.clone()), value: Box::new(value) }, ctype, offset)
}

/// One step, then the rest, whose value remains.
pub(super) fn then(first: Expression, second: Expression) -> Expression {
    let (ctype, offset) = (second.ctype.clone(), second.offset);
    Expression::new(ExpressionKind::Then(Box::new(first), Box::new(second)), ctype, offset)
}

/// The second only where the first is not 0. Its value is not looked at.
pub(super) fn where_holds(condition: Expression, effect: Expression) -> Expression {
    let offset = effect.offset;
    let effect = then(effect, Expression::constant(0, CType::int(), offset));
    Expression::new(ExpressionKind::And(Box::new(condition), Box::new(effect)), CType::int(), offset)
}

/// Is a part behind the address the part of the other access that belongs to it?
fn is_shared(address: &Place, met: &Met, (own, others): (i64, i64)) -> Expression {
    let offset = address.offset;
    let moved = |place: &Place, bytes: i64| {
        let index = Box::new(Expression::constant(1, CType::integer(IntegerType::I64), offset));
        let advance = ExpressionKind::Advance { base: Box::new(read(place)), index, scale: bytes, within: None };
        if bytes == 0 { read(place) } else { Expression::new(advance, place.ctype.clone(), offset) }
    };
    let compare = |comparison, left, right| {
        Expression::new(ExpressionKind::Compare(comparison, Box::new(left), Box::new(right)), CType::int(), offset)
    };
    let equal = compare(Comparison::Equal, moved(address, own), moved(&met.other, others));
    // The other access may not have happened: then NULL is kept of it, which cannot be moved.
    if others == 0 {
        return equal;
    }
    let happened = compare(Comparison::NotEqual, read(&met.other), zero(&met.other));
    Expression::new(ExpressionKind::And(Box::new(happened), Box::new(equal)), CType::int(), offset)
}

fn fail(offset: usize) -> Expression {
    Expression::new(ExpressionKind::Builtin(Builtin::Undefined(UndefinedBehavior::Unsequenced)), CType::void(), offset)
}

fn fail_if(condition: Expression) -> Expression {
    let offset = condition.offset;
    where_holds(condition, fail(offset))
}
