//! Where templates say what is wanted at a loop, as far as all that arrives obeys it (`spec/search.md#wanted`).

use super::{
    arrival::Arrival,
    basis::Basis,
    shape::{Shape, Visitor},
    slots::{Slots, visit},
};
use crate::state::{
    affine::Equation,
    wanted::{Inequality, Name},
};
use goatherd_certificates::{
    configuration::Member,
    program::IntegerType,
    term::{ArrayId, LinearId},
};
use goatherd_checker::{configuration::Place, rejection::Rejection, term::Arena};
use std::collections::{BTreeMap, VecDeque};

impl Slots {
    /// What is wanted at the loop that the primary has come to.
    pub(crate) fn remember_wanted(&mut self, arena: &mut Arena, basis: Basis<'_>, arrival: &Arrival) -> Result<(), Rejection> {
        let Place::At(head) = arrival.herd.configuration.members[0].place else { return Ok(()) };
        let wanted: Vec<&Inequality> = basis.wanted.into_iter().flat_map(|wanted| wanted.at(head)).collect();
        let Some(member) = arrival.folding.members.first().filter(|_| !wanted.is_empty()) else { return Ok(()) };
        let mut positions = Positions::new(member);
        visit(arena, basis.setting, arrival, &mut positions)?;
        for Inequality { summands, constant } in wanted {
            let summands: Option<Vec<(usize, i128)>> =
                summands.iter().map(|(name, coefficient)| Some((*positions.found.get(name)?, *coefficient))).collect();
            self.sides.extend(summands.map(|summands| Equation { summands, constant: *constant }));
        }
        Ok(())
    }
}

/// At which position each integer of the primary is among the slots.
struct Positions {
    /// The names of what the primary holds, in the order in which it is visited.
    names: VecDeque<Name>,
    /// The names of the integers that come next.
    next: VecDeque<Option<Name>>,
    members: usize,
    /// Has what the primary has consumed been visited? It comes before all names.
    has_begun: bool,
    integers: usize,
    found: BTreeMap<Name, usize>,
}

impl Positions {
    fn new(primary: &Member) -> Self {
        let mut names: VecDeque<Name> = primary.registers.iter().map(|(register, _)| Name::Register(*register)).collect();
        for state in &primary.objects {
            for (field, cells) in state.fields.iter().enumerate() {
                names.extend((0..cells.cells.len()).map(|cell| Name::Cell(state.object, field, cell)));
            }
        }
        Self { names, next: VecDeque::new(), members: 0, has_begun: false, integers: 0, found: BTreeMap::new() }
    }
}

impl Visitor for Positions {
    fn integer(&mut self, term: LinearId, _: Option<IntegerType>) -> LinearId {
        if let Some(name) = self.next.pop_front().flatten() {
            self.found.insert(name, self.integers);
        }
        self.integers += 1;
        term
    }

    fn array(&mut self, array: ArrayId, _: IntegerType) -> ArrayId {
        self.next.clear();
        array
    }

    fn shape(&mut self, shape: Shape) {
        self.next.clear();
        match shape {
            Shape::Member(..) => self.members += 1,
            _ if self.members != 1 => {}
            Shape::Slot(..) | Shape::Part(..) if self.has_begun => self.next.extend([self.names.pop_front()]),
            Shape::Slot(..) | Shape::Part(..) => self.has_begun = true,
            Shape::Object(object, _) => self.next.extend([None, Some(Name::Length(object))]),
            _ => {}
        }
    }
}
