//! Elements that are known to hold what a register does: what has been entered, or was found, is found again (`spec/search.md#witnesses`).
//!
//! Where arrays come in, smaller inputs say it; of what a program has entered itself there is no smaller one.

use super::{path::Path, state::Search};
use crate::{
    state::{herd::Herd, template::key::Keys},
    ways::strategy::Drops,
};
use goatherd_certificates::{
    configuration::Slot,
    program::{Input, Location, Program, RegisterId},
    term::{Array, ArrayId, ArrayStore, Atom, LinearId, Literal},
};
use goatherd_checker::term::Arena;
use std::collections::BTreeSet;

/// So many indices are kept at most.
const KEPT: usize = 2;

/// Does a search in this way keep where elements are that registers hold?
pub(crate) fn keeps_entered(program: &Program, keys: Keys) -> bool {
    keys == Keys::Paths && program.inputs.iter().all(|input| matches!(input, Input::Integer { .. }))
}

impl Search<'_> {
    /// At a loop, forgets indices at which nothing is known any more; before its first round, keeps those at which elements are what live registers hold.
    pub(crate) fn note_entered(&mut self, herd: &mut Herd, path: &Path<'_>, head: Location) {
        if !self.flow.keeps_entered || self.strategy.drops != Drops::None {
            return;
        }
        let Some(primary) = herd.configuration.members.first() else { return };
        let live = (0..).map(RegisterId).zip(&primary.registers).filter(|(register, _)| self.flow.is_live(head, *register));
        let integers = live.filter_map(|(_, slot)| if let Slot::Integer(integer) = slot { Some(*integer) } else { None });
        let held: Vec<LinearId> = integers.filter(|integer| self.arena.value(*integer).is_none()).collect();
        let fields = primary.objects.iter().flatten().flat_map(|state| &state.fields);
        let arrays: Vec<ArrayId> = fields.filter_map(|field| field.rest).collect();
        let is_first = path.visits.get(&head).is_none_or(|visit| *visit == 0);
        let new = if is_first { accessed(self.arena, &arrays, &herd.configuration.predicate) } else { BTreeSet::new() };
        let mut kept = Vec::new();
        for (index, room) in
            herd.kept_indices.clone().into_iter().map(|index| (index, usize::MAX)).chain(new.into_iter().map(|index| (index, KEPT)))
        {
            if kept.len() < room && !kept.contains(&index) && self.is_told(herd, &arrays, &held, index) {
                kept.push(index);
            }
        }
        herd.kept_indices = kept;
    }

    /// Is an element at this index known to be a constant, or what one of these integers is?
    fn is_told(&mut self, herd: &mut Herd, arrays: &[ArrayId], held: &[LinearId], index: LinearId) -> bool {
        if self.arena.value(index).is_some_and(|index| index < i128::from(self.setting.k)) {
            // It has a cell of its own.
            return false;
        }
        let Ok(zero) = self.arena.constant(0) else { return false };
        arrays.iter().any(|array| {
            let Ok(element) = self.arena.select(*array, index) else { return false };
            let mut bounds = |other: LinearId| herd.context.difference_bounds(self.arena, element, other);
            held.iter().any(|integer| bounds(*integer) == (Some(0), Some(0)))
                || herd.kept_indices.contains(&index) && matches!(bounds(zero), (Some(least), Some(most)) if least == most)
        })
    }
}

/// The indices at which elements of the arrays were stored, or at which the predicate speaks of one.
fn accessed(arena: &Arena, arrays: &[ArrayId], predicate: &[Literal]) -> BTreeSet<LinearId> {
    let mut own: BTreeSet<ArrayId> = BTreeSet::new();
    let mut indices = BTreeSet::new();
    for mut array in arrays.iter().copied() {
        own.insert(array);
        while let Ok(Array::Store(ArrayStore { array: below, index, .. })) = arena.array(array) {
            indices.insert(*index);
            array = *below;
            own.insert(array);
        }
    }
    for (atom, _) in predicate.iter().filter_map(|literal| arena.linear(literal.term).ok()).flat_map(|linear| &linear.summands) {
        if let Ok(Atom::Select { array, index }) = arena.atom(*atom)
            && own.contains(array)
        {
            indices.insert(*index);
        }
    }
    indices
}
