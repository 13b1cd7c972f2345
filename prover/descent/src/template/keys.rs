//! Which herds share a template (`spec/search.md#shape`).

use super::{
    Arrival, Basis,
    slots::{Derived, Shape, Slots},
};
use crate::herd::Herd;
use goatherd_certificates::{
    configuration::{FieldState, ObjectState, Slot},
    derivation::{MemberId, OutcomeId},
    program::{IntegerType, Link, Location, ObjectId, RegisterId, SortId, Type},
};
use goatherd_checker::{arithmetic::width, rejection::Rejection, term::Arena};
use goatherd_logic::Context;

/// Under which configurations share a template.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// How the primary came here.
    pub route: Route,
    shape: Vec<Shape>,
    /// Relevant integers of the primary that are small constants; in programs with linked structures also others that are 0 or 1, as answers
    /// are; with [`Keys::Positions`] also where its pointers point.
    constants: Vec<(RegisterId, i128)>,
    /// By how much live integers of the scapegoats are less, where that is a small constant, up to the period of their type.
    differences: Vec<(usize, RegisterId, i128)>,
    /// By how much elements that have cells of their own differ from each other, and from 0, where that is known.
    elements: Vec<(usize, usize, i128)>,
    /// What elements that have cells of their own hold, where it is a small constant: field, index and value. So a string that ends there
    /// is not taken for a longer one.
    known: Vec<(usize, usize, i128)>,
    /// The first element of an object that is known to be 0, where it has a cell of its own.
    terminators: Vec<(ObjectId, usize)>,
    /// By how much conversions of integers that no loop writes differ from them, where that is known: what the period is.
    periods: Vec<(RegisterId, IntegerType, i128)>,
    /// Between which of the constants that the program compares with the integers of nodes are, where states tell these apart: node, field, and
    /// the least value that is alike.
    values: Vec<(usize, usize, i128)>,
    /// The ways that the primary took.
    branches: Vec<(Location, OutcomeId)>,
}

impl Key {
    /// Are the herds of both at the same head, and of one shape?
    pub fn is_alike(&self, other: &Self) -> bool {
        self.route.heads.last() == other.route.heads.last() && self.shape == other.shape
    }
}

/// Which loops the primary has come through (Shrinker §0.A.1, abstract paths).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Route {
    /// The heads at which the derivation was widened, the template's own last.
    pub heads: Vec<Location>,
    /// The head at which it is, where the primary has come there for the first time.
    pub entered: Option<Location>,
    /// The loops around the last head that are still followed precisely, with the round that they are in.
    pub rounds: Vec<(Location, u32)>,
}

/// Which herds share a template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Keys {
    /// Those on one abstract path, of one shape.
    Paths,
    /// Those at one head, of one shape, whatever way they came: loops that follow each other do not multiply.
    Heads,
    /// Only those whose scapegoats also lag behind by the same amounts: sums that differ by what was left out.
    Differences,
    /// Only those whose first elements also differ by the same amounts: letters that are equal up to their case.
    Elements,
    /// Only those whose strings also end at the same of the first elements, or behind these: a string is short or long.
    Terminators,
    /// Only those whose primaries also point at the same of the first elements: what was found there before the loop.
    Positions,
    /// Those on one abstract path, where also is kept at which elements strings end, and two arrays differ; for k > 1 also only those whose first
    /// elements differ by the same amounts.
    Witnesses,
    /// Only those whose primaries also took the same ways before their loops: facts that hold on one way but not on another.
    Branches,
}

/// By how much live integers of the scapegoats are less than the primary's, where that is known and small, up to the period of their type.
fn lags(arena: &mut Arena, basis: Basis<'_>, herd: &mut Herd, head: Location) -> Result<Vec<(usize, RegisterId, i128)>, Rejection> {
    let Herd { configuration, context, tags, .. } = herd;
    let primary = configuration.member(MemberId(0))?;
    let greatest = i128::from(basis.setting.k) + 1;
    let mut lags = Vec::new();
    for (member, tag) in configuration.members.iter().zip(tags.iter()).skip(1) {
        for (register, slots) in (0..).map(RegisterId).zip(primary.registers.iter().zip(&member.registers)) {
            if let (Slot::Integer(left), Slot::Integer(right)) = slots
                && basis.flow.is_live(head, register)
                && let (Some(least), Some(most)) = context.difference_bounds(arena, *left, *right)
                && least == most
            {
                // One of the two may have wrapped around, and the other one not yet.
                let period = 1_i128 << width(basis.setting.integer_type(register)?);
                if [least, least + period, least - period].iter().any(|value| value.abs() <= greatest) {
                    lags.push((*tag, register, least));
                }
            }
        }
    }
    Ok(lags)
}

/// The key under which a herd arrives at the last head of the path.
pub fn key(arena: &mut Arena, basis: Basis<'_>, arrival: &mut Arrival, route: Route, keys: Keys) -> Result<Key, Rejection> {
    let Basis { setting, flow, .. } = basis;
    let slots = Slots::new(arena, basis, arrival)?;
    let head = route.entered.or(route.heads.last().copied()).unwrap_or_default();
    let Arrival { herd, folding, .. } = arrival;
    let differences = if matches!(keys, Keys::Differences | Keys::Branches) { lags(arena, basis, herd, head)? } else { Vec::new() };
    let objects = folding.members.first().map_or(&[][..], |member| &member.objects);
    let terminators = if keys == Keys::Terminators { herd.terminators(arena, objects) } else { Vec::new() };
    // What is in a node is one element of many.
    let arrays = objects.iter().filter(|state| setting.nodes(SortId(state.declaration.0)).is_err());
    let fields: Vec<&FieldState> = arrays.flat_map(|state| &state.fields).collect();
    let Herd { configuration, context, history, .. } = herd;
    let k = i128::from(setting.k);
    let mut exact = |arena: &mut Arena, left, right| match context.difference_bounds(arena, left, right) {
        (Some(least), Some(greatest)) if least == greatest && least.abs() <= k + 1 => Some(least),
        _ => None,
    };
    let mut constants = Vec::new();
    let zero = arena.constant(0)?;
    let primary = configuration.member(MemberId(0))?;
    let relevant = flow.loops.get(&head).map_or(&[][..], |around| &around.relevant);
    for register in relevant {
        if let Slot::Integer(term) = primary.register(*register)? {
            constants.extend(exact(arena, term, zero).filter(|value| (0..=k).contains(value)).map(|value| (*register, value)));
        }
    }
    if flow.is_linked {
        // What an earlier loop has found out.
        for (register, slot) in (0..).map(RegisterId).zip(&primary.registers) {
            if let Slot::Integer(term) = slot
                && flow.is_live(head, register)
                && !relevant.contains(&register)
            {
                constants.extend(exact(arena, *term, zero).filter(|value| (0..=1).contains(value)).map(|value| (register, value)));
            }
        }
    }
    if keys == Keys::Positions {
        for (number, slot) in (0..).zip(&primary.registers) {
            if let Slot::Pointer { index, .. } = slot
                && flow.is_live(head, RegisterId(number))
            {
                constants
                    .extend(exact(arena, *index, zero).filter(|value| (0..k).contains(value)).map(|value| (RegisterId(number), value)));
            }
        }
    }
    let mut known = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        for (index, cell) in field.cells.iter().enumerate() {
            if let Slot::Integer(term) = cell {
                known.extend(exact(arena, *term, zero).map(|value| (number, index, value)));
            }
        }
    }
    let mut elements = Vec::new();
    // Where arrays differ among these is not merged away either.
    if keys == Keys::Elements || (keys == Keys::Witnesses && basis.setting.k > 1) {
        let mut terms = vec![zero];
        for field in &fields {
            terms.extend(field.cells.iter().filter_map(|cell| if let Slot::Integer(term) = cell { Some(*term) } else { None }));
        }
        let own = slots.integers.len() - slots.derived.len();
        for (derived, (term, _)) in slots.derived.iter().zip(&slots.integers[own..]) {
            if matches!(derived, Derived::Converted(_, position) if terms.contains(&slots.integers[*position].0)) {
                terms.push(*term);
            }
        }
        for (row, left) in terms.iter().enumerate() {
            for (column, right) in terms.iter().enumerate().take(row) {
                if let (Some(least), Some(greatest)) = context.difference_bounds(arena, *left, *right)
                    && least == greatest
                {
                    elements.push((row, column, least));
                }
            }
        }
    }
    let own = slots.integers.len() - slots.derived.len();
    let mut periods = Vec::new();
    for (derived, (term, _)) in slots.derived.iter().zip(&slots.integers[own..]) {
        let Derived::Converted(kind, position) = derived else { continue };
        let value = slots.integers[*position].0;
        let is_value = |register: &RegisterId| matches!(primary.register(*register), Ok(Slot::Integer(term)) if term == value);
        if let Some(register) = flow.constants.iter().copied().find(is_value)
            && let (Some(least), Some(greatest)) = context.difference_bounds(arena, *term, value)
            && least == greatest
        {
            periods.push((register, *kind, least));
        }
    }
    let values = values(arena, basis, objects, context)?;
    let branches = if keys == Keys::Branches { history.branches.clone() } else { Vec::new() };
    Ok(Key { route, shape: slots.shape, constants, differences, elements, known, terminators, periods, values, branches })
}

/// Between which of the constants that the program compares with the integers of nodes are.
fn values(
    arena: &mut Arena,
    basis: Basis<'_>,
    objects: &[ObjectState],
    context: &mut Context,
) -> Result<Vec<(usize, usize, i128)>, Rejection> {
    let mut values = Vec::new();
    let Some(states) = basis.states.map(|states| states.borrow()).filter(|states| states.has_values()) else { return Ok(values) };
    let zero = arena.constant(0)?;
    for (number, state) in objects.iter().enumerate().filter(|(_, state)| basis.setting.nodes(SortId(state.declaration.0)).is_ok()) {
        for (index, (field, declared)) in state.fields.iter().zip(&basis.setting.layout(state.declaration)?.fields).enumerate() {
            if let ([Slot::Integer(term)], Type::Integer(kind)) = (field.cells.as_slice(), declared.kind)
                && let Link::Range { least, .. } = states.value(kind, context.difference_bounds(arena, *term, zero))
            {
                values.push((number, index, least));
            }
        }
    }
    Ok(values)
}
