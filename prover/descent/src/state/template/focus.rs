//! Which side of the element that is asked about indices are on (`spec/search.md#focus`).

use super::{
    arrival::Arrival,
    basis::Basis,
    key::Side,
    shape::{Beside, Derived},
    slots::{Slots, positions},
};
use crate::state::{affine::Equation, herd::Herd};
use goatherd_certificates::{
    configuration::{Address, FieldState, Life, Slot},
    program::{Location, RegisterId},
    term::{Array, ArrayStore, LinearId, Literal, Sign},
};
use goatherd_checker::{configuration::Member, rejection::Rejection, term::Arena};
use goatherd_flow::{held::IndexField, partners::Partner};
use goatherd_logic::Context;
use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

/// What is known of the sides on which indices are that are live at this head, or kept, and what would have to be known of those that its loop, or one
/// around it, moves.
pub fn sides(
    arena: &mut Arena,
    basis: Basis<'_>,
    (head, primary): (Location, &Member),
    (kept, predicate): (&[LinearId], &[Literal]),
    context: &mut Context,
) -> (Vec<Side>, Option<Literal>) {
    let flow = basis.flow;
    let (mut known, mut open) = (Vec::new(), None);
    let live = live(basis, head, primary);
    let loops = || flow.loops.iter().filter(|(other, around)| **other == head || around.body.contains(&head));
    let moved: Vec<RegisterId> = loops().flat_map(|(_, around)| around.relevant.iter().copied()).collect();
    let is_written = |writers: &BTreeSet<Location>| loops().any(|(_, around)| !around.body.is_disjoint(writers));
    let held: Vec<(IndexField, LinearId, bool)> =
        held(basis, primary).into_iter().map(|(field, index)| (field, index, is_written(&flow.focus.fields[&field]))).collect();
    let stored = stored(arena, primary);
    for (register, place, element) in places(arena, basis, &live) {
        if is_behind(&known, register) {
            continue;
        }
        // What is multiplied is compared itself, and not each of its products.
        let is_compared = place == Partner::near(0) || !flow.focus.multiplied.contains(&register);
        for bound in (-1..i128::from(basis.setting.k)).filter(|_| is_compared) {
            // The element that is asked about is told first, so of one behind it nothing is open here.
            let Ok(constant) = arena.constant(bound) else { continue };
            match side(arena, context, element, constant) {
                Some(is_within) => known.push(Side::Constant(register, place, bound, is_within)),
                None => open = open.or_else(|| arena.at_most(element, constant).ok()),
            }
        }
        if is_behind(&known, register) {
            continue;
        }
        for (other, index) in live.iter().filter(|(other, _)| is_compared && flow.focus.positions.contains(other)) {
            match side(arena, context, *index, element) {
                Some(is_within) => known.push(Side::Index(register, place, *other, is_within)),
                None if moved.contains(other) => open = open.or_else(|| arena.at_most(*index, element).ok()),
                None => {}
            }
        }
        for (field, index, is_moved) in held.iter().filter(|_| is_compared) {
            match side(arena, context, *index, element) {
                Some(is_within) => known.push(Side::Held(register, place, *field, is_within)),
                None if *is_moved => open = open.or_else(|| arena.at_most(*index, element).ok()),
                None => {}
            }
        }
        for (number, index) in kept.iter().enumerate().filter(|_| is_compared) {
            known.extend(side(arena, context, *index, element).map(|is_within| Side::Kept(register, place, number, is_within)));
        }
        for index in stored.iter().filter(|_| flow.focus.places(register).contains(&place)) {
            open = open.or_else(|| meets(arena, predicate, context, *index, element));
        }
    }
    (known, open)
}

/// On which side of what failures compare elements with those are that are asked about.
pub fn parts(
    arena: &mut Arena,
    basis: Basis<'_>,
    (head, primary): (Location, &Member),
    fields: &[&FieldState],
    context: &mut Context,
) -> Result<Vec<Side>, Rejection> {
    let mut parts = Vec::new();
    if basis.flow.focus.cuts.is_empty() {
        return Ok(parts);
    }
    for (register, place, index) in places(arena, basis, &live(basis, head, primary)) {
        if !basis.flow.focus.places(register).contains(&place) {
            continue;
        }
        for (number, field) in fields.iter().enumerate() {
            let Some(element) = element(arena, context, field, index)? else { continue };
            for cut in basis.flow.focus.cuts.iter().copied() {
                let constant = arena.constant(cut)?;
                parts.extend(side(arena, context, element, constant).map(|is_within| Side::Value(register, place, number, cut, is_within)));
            }
        }
    }
    Ok(parts)
}

/// The element of an array at the index, of its cells where that is known.
fn element(arena: &mut Arena, context: &mut Context, field: &FieldState, index: LinearId) -> Result<Option<LinearId>, Rejection> {
    let Some(rest) = field.rest else { return Ok(None) };
    for (constant, cell) in (0..).zip(&field.cells) {
        let constant = arena.constant(constant)?;
        if let Slot::Integer(cell) = *cell
            && context.difference_bounds(arena, index, constant) == (Some(0), Some(0))
        {
            return Ok(Some(cell));
        }
    }
    arena.select(rest, index).map(Some)
}

/// The integers of registers that are live there, and the indices of pointers.
fn live(basis: Basis<'_>, at: Location, primary: &Member) -> Vec<(RegisterId, LinearId)> {
    let live = (0..).map(RegisterId).zip(&primary.registers).filter(|(register, _)| basis.flow.is_live(at, *register));
    live.filter_map(|(register, slot)| Some((register, index(*slot)?))).collect()
}

/// The indices that memory holds, where that is an object of one element.
fn held(basis: Basis<'_>, primary: &Member) -> Vec<(IndexField, LinearId)> {
    let mut held = Vec::new();
    for state in primary.objects.iter().flatten().filter(|state| state.life == Life::Live) {
        let Ok(layout) = basis.setting.layout(state.declaration) else { continue };
        for (field, declared) in state.fields.iter().zip(&layout.fields) {
            let place = IndexField { object: state.declaration, offset: declared.offset };
            if let ([Slot::Integer(index)], None) = (field.cells.as_slice(), field.rest)
                && basis.flow.focus.fields.contains_key(&place)
            {
                held.push((place, *index));
            }
        }
    }
    held
}

/// Is what is asked about known to be before all elements? Then nothing about it matters.
fn is_behind(known: &[Side], register: RegisterId) -> bool {
    known.contains(&Side::Constant(register, Partner::near(0), -1, true))
}

/// The indices that others are compared with, each with the register that asks and where it is beside what that asks about; that itself comes first.
fn places(arena: &mut Arena, basis: Basis<'_>, live: &[(RegisterId, LinearId)]) -> Vec<(RegisterId, Partner, LinearId)> {
    let focus = &basis.flow.focus;
    let mut indices = Vec::new();
    for (register, term) in live {
        let Some(moved) = focus.registers.get(register) else { continue };
        let asked = Partner::near(0);
        let others = focus.places(*register).into_iter().filter(|place| *place != asked);
        for place in iter::once(asked).chain(others) {
            indices.extend(index_at(arena, live, (*term, *moved), place).map(|index| (*register, place, index)));
        }
    }
    indices
}

/// The index at the place, given what the register that asks holds and by how much it has been moved on since.
fn index_at(arena: &mut Arena, live: &[(RegisterId, LinearId)], (term, moved): (LinearId, i128), place: Partner) -> Option<LinearId> {
    let mut summands = vec![(term, place.asked)];
    if let Some((other, sign)) = place.other {
        let (_, other) = live.iter().find(|(register, _)| *register == other)?;
        summands.push((*other, sign));
    }
    arena.combine(place.behind(moved)?, &summands).ok()
}

/// Is the index in this register the one of an element that is told apart, or another one? What would have to be known.
pub fn meeting(arena: &mut Arena, basis: Basis<'_>, at: Location, index: RegisterId, herd: &mut Herd) -> Option<Literal> {
    let Herd { configuration, context, .. } = herd;
    let primary = configuration.members.first()?;
    let index = primary.registers.get(index.index()).and_then(|slot| self::index(*slot))?;
    let live = live(basis, at, primary);
    let elements =
        places(arena, basis, &live).into_iter().filter(|(register, place, _)| basis.flow.focus.places(*register).contains(place));
    elements.collect::<Vec<_>>().into_iter().find_map(|(_, _, element)| meets(arena, &configuration.predicate, context, index, element))
}

/// That the indices differ, if that is neither known nor excluded. Where it follows, but not by addition alone, as from what their elements are, it is
/// not known of what was stored: the other side of a split is contradictory then.
fn meets(arena: &mut Arena, predicate: &[Literal], context: &mut Context, index: LinearId, element: LinearId) -> Option<Literal> {
    let bounds = context.difference_bounds(arena, index, element);
    let literal = Literal { sign: Sign::NotZero, term: arena.difference(index, element).ok()? };
    let is_known = matches!(bounds, (Some(0), Some(0)) | (Some(1..), _) | (_, Some(..=-1)));
    let negation = arena.negate(literal).ok()?;
    (!is_known && !predicate.contains(&literal) && !predicate.contains(&negation)).then_some(literal)
}

/// The indices at which arrays have been written.
fn stored(arena: &Arena, primary: &Member) -> BTreeSet<LinearId> {
    let mut stored = BTreeSet::new();
    for mut array in primary.objects.iter().flatten().flat_map(|state| &state.fields).filter_map(|field| field.rest) {
        while let Ok(Array::Store(ArrayStore { array: below, index, .. })) = arena.array(array) {
            stored.insert(*index);
            array = *below;
        }
    }
    stored
}

/// The integer of a register that is one.
const fn index(slot: Slot) -> Option<LinearId> {
    match slot {
        Slot::Integer(index) | Slot::Pointer(Address { index, .. }) => Some(index),
        _ => None,
    }
}

/// Is the left one at most the right one? None where that is not known.
fn side(arena: &mut Arena, context: &mut Context, left: LinearId, right: LinearId) -> Option<bool> {
    match context.difference_bounds(arena, left, right) {
        (_, Some(..=0)) => Some(true),
        (Some(1..), _) => Some(false),
        _ => None,
    }
}

impl Slots {
    /// The elements that are asked about, those that are told apart with them, and those that are found.
    pub(crate) fn remember_asked(&mut self, arena: &mut Arena, basis: Basis<'_>, arrival: &Arrival) -> Result<(), Rejection> {
        let Some(member) = arrival.folding.members.first() else { return Ok(()) };
        let focus = &basis.flow.focus;
        let positions = positions(member);
        for (register, position) in &positions {
            let beside: Vec<Beside> = if let Some(moved) = focus.registers.get(register) {
                focus.places(*register).into_iter().filter_map(|place| Beside::new(&positions, *position, place, *moved)).collect()
            } else {
                let found = Beside { own: (*position, 1), other: None, constant: 0 };
                focus.found.contains(register).then_some(found).into_iter().collect()
            };
            for place in beside {
                let index = place.index(arena, |position| self.integers[position].0)?;
                if arena.value(index).is_some_and(|index| index < i128::from(basis.setting.k)) {
                    continue;
                }
                for (number, (array, sort)) in self.arrays.iter().enumerate() {
                    self.integers.push((arena.select(*array, index)?, Some(*sort)));
                    self.derived.push(Derived::Asked(number, place));
                }
                if !focus.multiplied.contains(register) && (place.other.is_some() || place.own.1 != 1) {
                    let indices = positions.iter().filter(|(register, _)| focus.positions.contains(register));
                    self.sides.extend(indices.flat_map(|(_, index)| place.sides(*index)));
                }
            }
        }
        Ok(())
    }
}

impl Beside {
    /// Of what is at the place, seen from what the register at the position asks about, which has been moved on by so much.
    fn new(positions: &BTreeMap<RegisterId, usize>, position: usize, place: Partner, moved: i128) -> Option<Self> {
        let other = match place.other {
            Some((other, sign)) => Some((*positions.get(&other)?, sign)),
            None => None,
        };
        Some(Self { own: (position, place.asked), other, constant: place.behind(moved)? })
    }

    /// The sums that are at most zero where the integer at the other position is at most this index, and where it is greater.
    fn sides(&self, position: usize) -> [Equation; 2] {
        let within = iter::once((position, 1)).chain(iter::once(self.own).chain(self.other).map(|(position, factor)| (position, -factor)));
        let beyond: Vec<(usize, i128)> = within.clone().map(|(position, factor)| (position, -factor)).collect();
        let constant = self.constant;
        [Equation { summands: within.collect(), constant: -constant }, Equation { summands: beyond, constant: constant.saturating_add(1) }]
    }

    /// The index itself, given what the slots at positions are.
    pub(crate) fn index(&self, arena: &mut Arena, slot: impl Fn(usize) -> LinearId) -> Result<LinearId, Rejection> {
        let summands: Vec<(LinearId, i128)> =
            iter::once(self.own).chain(self.other).map(|(position, factor)| (slot(position), factor)).collect();
        arena.combine(self.constant, &summands)
    }
}
