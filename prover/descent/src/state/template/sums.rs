//! Sums of narrow values: at most so much for each round that was counted, and at least, wherever they stand (`spec/search.md#shape`).

use super::{
    arrival::Arrival,
    basis::Basis,
    shape::Derived,
    slots::{Slots, positions},
};
use crate::state::affine::Equation;
use goatherd_checker::{rejection::Rejection, term::Arena};
use goatherd_flow::sums::Total;

impl Slots {
    /// That sums are at most so much for each round that was counted, and at least; sums that stand in arrays are remembered.
    pub(crate) fn remember_sums(&mut self, arena: &mut Arena, basis: Basis<'_>, arrival: &Arrival) -> Result<(), Rejection> {
        let Some(member) = arrival.folding.members.first().filter(|_| !basis.flow.is_linked) else { return Ok(()) };
        let positions = positions(member);
        for sum in &basis.flow.sums {
            let Some(counter) = positions.get(&sum.counter).copied() else { continue };
            let totals: Vec<usize> = match sum.total {
                Total::Register(register) => positions.get(&register).copied().into_iter().collect(),
                Total::Element(offset) => self.remember_behind(arena, counter, offset, basis.setting.k)?,
            };
            for total in totals {
                let below = Equation { summands: vec![(total, 1), (counter, -sum.greatest)], constant: 0 };
                let above = Equation { summands: vec![(total, -1), (counter, sum.least)], constant: 0 };
                self.sides.extend([below, above]);
            }
        }
        Ok(())
    }

    /// Where the elements are so far behind the index at the position, which may not be of those that have cells of their own.
    fn remember_behind(&mut self, arena: &mut Arena, position: usize, offset: i128, k: u32) -> Result<Vec<usize>, Rejection> {
        let index = arena.plus(self.integers[position].0, offset)?;
        if arena.value(index).is_some_and(|index| index < i128::from(k)) {
            return Ok(Vec::new());
        }
        let mut elements = Vec::new();
        for (number, (array, sort)) in self.arrays.iter().enumerate() {
            let derived = Derived::Read(number, Some(position), offset);
            if !self.derived.contains(&derived) {
                elements.push(self.integers.len());
                self.integers.push((arena.select(*array, index)?, Some(*sort)));
                self.derived.push(derived);
            }
        }
        Ok(elements)
    }
}
