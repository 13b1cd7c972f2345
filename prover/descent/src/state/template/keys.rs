//! Which herds share a template (`spec/search.md#shape`).

use super::{
    arrival::Arrival,
    basis::Basis,
    focus,
    key::{Key, Keys, Route},
    shape::Derived,
    slots::Slots,
};
use crate::state::{folding::modes, herd::Herd};
use goatherd_certificates::{
    configuration::{Address, FieldState, ObjectState, Slot},
    derivation::MemberId,
    program::{IntegerType, Link, Location, RegisterId, SortId, Type},
    term::LinearId,
};
use goatherd_checker::{
    arithmetic::width,
    configuration::{Member, Setting},
    rejection::Rejection,
    term::Arena,
};
use goatherd_flow::{Flow, small::is_element};
use goatherd_logic::Context;
use std::collections::BTreeSet;

impl Key {
    /// Are the herds of both at the same head, and of one shape?
    pub fn is_alike(&self, other: &Self) -> bool {
        self.route.heads.last() == other.route.heads.last() && self.shape == other.shape
    }
}

/// By how much live integers of the scapegoats are less than the primary's, where that is known and small, up to the period of their type; and
/// pointers that the loop moves, but accesses nothing through.
fn lags(arena: &mut Arena, basis: Basis<'_>, herd: &mut Herd, head: Location) -> Result<Vec<(usize, RegisterId, i128)>, Rejection> {
    let Herd { configuration, context, tags, .. } = herd;
    let primary = configuration.member(MemberId(0))?;
    let greatest = i128::from(basis.setting.k) + 1;
    let mut lags = Vec::new();
    let around = basis.flow.loops.get(&head);
    let is_kept =
        |register: &RegisterId| around.is_some_and(|around| around.relevant.contains(register) && !around.accessed.contains(register));
    for (member, tag) in configuration.members.iter().zip(tags.iter()).skip(1) {
        for (register, slots) in (0..).map(RegisterId).zip(primary.registers.iter().zip(&member.registers)) {
            if !basis.flow.is_live(head, register) {
                continue;
            }
            match slots {
                (Slot::Integer(left), Slot::Integer(right)) => {
                    let Some(lag) = difference(context, arena, *left, *right) else { continue };
                    // One of the two may have wrapped around, and the other one not yet.
                    let period = 1_i128 << width(basis.setting.integer_type(register)?);
                    if [lag, lag + period, lag - period].iter().any(|value| value.abs() <= greatest) {
                        lags.push((*tag, register, lag));
                    }
                }
                // What is kept of a walk before an element is found, as its start in a search for the last one.
                (Slot::Pointer(Address { index: left, .. }), Slot::Pointer(Address { index: right, .. })) if is_kept(&register) => {
                    let lag = difference(context, arena, *left, *right);
                    lags.extend(lag.filter(|lag| (1..=greatest).contains(&lag.abs())).map(|lag| (*tag, register, lag)));
                }
                _ => {}
            }
        }
    }
    Ok(lags)
}

/// The difference of two integers, if it is known.
fn difference(context: &mut Context, arena: &mut Arena, left: LinearId, right: LinearId) -> Option<i128> {
    match context.difference_bounds(arena, left, right) {
        (Some(least), Some(most)) if least == most => Some(least),
        _ => None,
    }
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
    let arrays: Vec<&ObjectState> = objects.iter().filter(|state| setting.nodes(SortId(state.declaration.0)).is_err()).collect();
    let fields: Vec<&FieldState> = arrays.iter().flat_map(|state| &state.fields).collect();
    // Where each element of a small array is told apart, what matters is which of them are in use, and not what they hold.
    let ignored = if flow.told_apart.is_some() { elements_of_arrays(setting, &arrays)? } else { BTreeSet::new() };
    let Herd { configuration, context, history, kept_indices, .. } = herd;
    let k = i128::from(setting.k);
    let most = flow.told_apart.map_or(k, i128::from);
    let (mut constants, zero, primary) = (Vec::new(), arena.constant(0)?, configuration.member(MemberId(0))?);
    for mode in flow.modes.iter().filter(|mode| flow.is_live(head, mode.register)) {
        constants.extend(modes::value(arena, context, primary, mode)?.map(|value| (mode.register, value)));
    }
    let mut exact = |arena: &mut Arena, left, right| match context.difference_bounds(arena, left, right) {
        (Some(least), Some(greatest)) if least == greatest && least.abs() <= k.max(most) + 1 => Some(least),
        _ => None,
    };
    let relevant = flow.loops.get(&head).map_or(&[][..], |around| &around.relevant);
    // What counts down to the first element stops before it.
    let least = if flow.loops.get(&head).is_some_and(|around| around.counts_down) { -1 } else { 0 };
    // How many elements are in use is not forgotten in a loop over them.
    let is_told_apart = |register: &RegisterId| flow.told_apart.is_some() && flow.is_live(head, *register) && !relevant.contains(register);
    let others: Vec<RegisterId> = (0..).map(RegisterId).take(primary.registers.len()).filter(is_told_apart).collect();
    for register in relevant.iter().chain(&others) {
        if let Slot::Integer(term) = primary.register(*register)? {
            constants.extend(exact(arena, term, zero).filter(|value| (least..=most).contains(value)).map(|value| (*register, value)));
        }
    }
    if flow.is_linked {
        // What an earlier loop has found out. Where ways are joined inside of a loop, what that changes is none of it: many counters have many values.
        let is_head = flow.loops.contains_key(&head);
        let changed = flow.loops.values().filter(|around| !is_head && around.body.contains(&head)).flat_map(|around| &around.relevant);
        let changed: BTreeSet<RegisterId> = changed.copied().collect();
        for (register, slot) in (0..).map(RegisterId).zip(&primary.registers) {
            if let Slot::Integer(term) = slot
                && flow.is_live(head, register)
                && !relevant.contains(&register)
                && !changed.contains(&register)
            {
                constants.extend(exact(arena, *term, zero).filter(|value| (0..=1).contains(value)).map(|value| (register, value)));
            }
        }
    }
    if keys == Keys::Positions {
        for (number, slot) in (0..).zip(&primary.registers) {
            if let Slot::Pointer(Address { index, .. }) = slot
                && flow.is_live(head, RegisterId(number))
            {
                constants
                    .extend(exact(arena, *index, zero).filter(|value| (0..k).contains(value)).map(|value| (RegisterId(number), value)));
            }
        }
    }
    let mut known = Vec::new();
    for (number, field) in fields.iter().enumerate().filter(|(number, _)| !ignored.contains(number)) {
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
    let cells = fields.iter().enumerate().filter(|(number, _)| ignored.contains(number)).flat_map(|(_, field)| field.cells.iter().copied());
    let found = found(arena, flow, (head, primary), context, &cells.collect::<Vec<_>>());
    let periods = periods(arena, flow, primary, context, &slots);
    let values = values(arena, basis, objects, context)?;
    let mut sides = Vec::new();
    if keys.have_focus() {
        (sides, _) = focus::sides(arena, basis, (head, primary), (kept_indices, &configuration.predicate), context);
        sides.extend(focus::parts(arena, basis, (head, primary), &fields, context)?);
    }
    let branches = if keys == Keys::Branches { history.branches.clone() } else { Vec::new() };
    Ok(Key { route, shape: slots.shape, constants, differences, elements, found, known, terminators, periods, values, sides, branches })
}

/// How far what is converted is from the constant that it is made of.
fn periods(arena: &mut Arena, flow: &Flow, primary: &Member, context: &mut Context, slots: &Slots) -> Vec<(RegisterId, IntegerType, i128)> {
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
    periods
}

/// Which of these elements hold what a register does that is live where the member stands.
fn found(
    arena: &mut Arena,
    flow: &Flow,
    (head, primary): (Location, &Member),
    context: &mut Context,
    cells: &[Slot],
) -> Vec<(RegisterId, usize)> {
    let mut found = Vec::new();
    for (register, slot) in (0..).map(RegisterId).zip(&primary.registers) {
        let Slot::Integer(value) = *slot else { continue };
        // Where a register holds a number, what is known of elements is bounds.
        if arena.value(value).is_some() || !flow.is_live(head, register) {
            continue;
        }
        for (number, cell) in cells.iter().enumerate() {
            if let Slot::Integer(cell) = *cell
                && difference(context, arena, cell, value) == Some(0)
            {
                found.push((register, number));
            }
        }
    }
    found
}

/// Which of the fields of these objects hold elements of arrays, of their own or of structs.
fn elements_of_arrays(setting: Setting<'_>, objects: &[&ObjectState]) -> Result<BTreeSet<usize>, Rejection> {
    let mut fields = Vec::new();
    for state in objects {
        for (field, declared) in state.fields.iter().zip(&setting.layout(state.declaration)?.fields) {
            fields.push(field.cells.len() != 1 || field.rest.is_some() || is_element(&declared.name));
        }
    }
    Ok(fields.iter().enumerate().filter(|(_, is_element)| **is_element).map(|(number, _)| number).collect())
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
    for (number, state) in objects.iter().enumerate().filter(|(_, state)| !states.bound(state.declaration)) {
        let Ok((_, _, [links])) = basis.setting.nodes(SortId(state.declaration.0)) else { continue };
        for (index, (field, declared)) in state.fields.iter().zip(&basis.setting.layout(state.declaration)?.fields).enumerate() {
            if let ([Slot::Integer(term)], Type::Integer(kind)) = (field.cells.as_slice(), declared.kind)
                && let Link::Range { least, .. } =
                    states.value((state.declaration, links), kind, context.difference_bounds(arena, *term, zero))
            {
                values.push((number, index, least));
            }
        }
    }
    Ok(values)
}
