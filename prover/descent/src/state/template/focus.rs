//! Which side of the element that is asked about indices are on (`spec/search.md#focus`).

use super::{arrival::Arrival, basis::Basis, key::Side, shape::Derived, slots::Slots};
use goatherd_certificates::{
    configuration::{Address, Slot},
    program::{Location, RegisterId},
    term::{Array, ArrayStore, LinearId, Literal, Sign},
};
use goatherd_checker::{configuration::Member, rejection::Rejection, term::Arena};
use goatherd_logic::Context;
use std::collections::BTreeSet;

/// What is known of the sides on which indices are that are live at this head, and what would have to be known of those that its loop, or one around it, moves.
pub fn sides(
    arena: &mut Arena,
    basis: Basis<'_>,
    (head, primary): (Location, &Member),
    context: &mut Context,
) -> (Vec<Side>, Option<Literal>) {
    let Basis { setting, flow, .. } = basis;
    let (mut known, mut open) = (Vec::new(), None);
    let live = (0..).map(RegisterId).zip(&primary.registers).filter(|(register, _)| flow.is_live(head, *register));
    let live: Vec<(RegisterId, LinearId)> = live.filter_map(|(register, slot)| Some((register, index(*slot)?))).collect();
    let asked = live.iter().filter_map(|(register, term)| {
        let moved = flow.focus.registers.get(register)?;
        Some((*register, arena.plus(*term, moved.checked_neg()?).ok()?))
    });
    let asked: Vec<(RegisterId, LinearId)> = asked.collect();
    let loops = flow.loops.iter().filter(|(other, around)| **other == head || around.body.contains(&head));
    let moved: Vec<RegisterId> = loops.flat_map(|(_, around)| around.relevant.iter().copied()).collect();
    for (register, asked) in asked {
        for bound in -1..i128::from(setting.k) {
            let Ok(constant) = arena.constant(bound) else { continue };
            match side(arena, context, asked, constant) {
                Some(is_within) => known.push(Side::Constant(register, bound, is_within)),
                None => open = open.or_else(|| arena.at_most(asked, constant).ok()),
            }
        }
        for (other, index) in &live {
            if !flow.focus.positions.contains(other) {
                continue;
            }
            match side(arena, context, *index, asked) {
                Some(is_within) => known.push(Side::Index(register, *other, is_within)),
                None if moved.contains(other) => open = open.or_else(|| arena.at_most(*index, asked).ok()),
                None => {}
            }
        }
        for index in stored(arena, primary) {
            let Ok(literal) = arena.difference(index, asked).map(|term| Literal { sign: Sign::NotZero, term }) else { continue };
            if !matches!(context.difference_bounds(arena, index, asked), (Some(0), Some(0))) && !context.entails(arena, literal) {
                open = open.or(Some(literal));
            }
        }
    }
    (known, open)
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
    /// The elements that are asked about, and those that are found.
    pub(crate) fn remember_asked(&mut self, arena: &mut Arena, basis: Basis<'_>, arrival: &Arrival) -> Result<(), Rejection> {
        let Some(member) = arrival.folding.members.first() else { return Ok(()) };
        let focus = &basis.flow.focus;
        // The slots of the primary come first, the registers behind what it has consumed.
        let before = usize::from(matches!(member.consumed, Slot::Integer(_)));
        let indices = member.registers.iter().filter_map(|(register, slot)| Some((*register, index(*slot)?)));
        for (position, (register, index)) in (before..).zip(indices) {
            let moved = focus.registers.get(&register).copied().or_else(|| focus.found.contains(&register).then_some(0));
            let Some(back) = moved.and_then(i128::checked_neg) else { continue };
            let index = arena.plus(index, back)?;
            if arena.value(index).is_some_and(|index| index < i128::from(basis.setting.k)) {
                continue;
            }
            for (number, (array, sort)) in self.arrays.iter().enumerate() {
                self.integers.push((arena.select(*array, index)?, Some(*sort)));
                self.derived.push(Derived::Read(number, Some(position), back));
            }
        }
        Ok(())
    }
}
