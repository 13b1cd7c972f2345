//! The values that a ground run gives for what the program leaves open.

use alloc::vec::Vec;
use goatherd_certificates::{ArrayId, IntegerType, LinearId};
use goatherd_checker::{Arena, Rejection, arithmetic::fits, environment::Values};

/// One after the other; of a field of a fresh object one for all elements.
pub(crate) struct Choices<'a>(pub(crate) &'a mut dyn Iterator<Item = i128>);

impl Values for Choices<'_> {
    fn integer(&mut self, arena: &mut Arena, kind: IntegerType) -> Result<LinearId, Rejection> {
        let value = self.0.next().filter(|value| fits(*value, kind));
        arena.constant(value.ok_or(Rejection::Run)?)
    }

    fn array(&mut self, arena: &mut Arena, kind: IntegerType) -> Result<ArrayId, Rejection> {
        let value = self.integer(arena, kind)?;
        arena.constant_array(value)
    }
}

/// An array or a single object of the input: per element its integer fields.
pub(crate) struct Elements<'a> {
    pub(crate) elements: &'a [Vec<i128>],
    /// How many fields have been set.
    pub(crate) set: usize,
}

impl Values for Elements<'_> {
    fn integer(&mut self, _: &mut Arena, _: IntegerType) -> Result<LinearId, Rejection> {
        Err(Rejection::Choice)
    }

    fn array(&mut self, arena: &mut Arena, kind: IntegerType) -> Result<ArrayId, Rejection> {
        let zero = arena.constant(0)?;
        let mut array = arena.constant_array(zero)?;
        for (index, element) in self.elements.iter().enumerate().rev() {
            let value = element
                .get(self.set)
                .copied()
                .filter(|value| fits(*value, kind))
                .ok_or(Rejection::Run)?;
            let index = arena.constant(i128::try_from(index).map_err(|_| Rejection::Overflow)?)?;
            let value = arena.constant(value)?;
            array = arena.store(array, index, value)?;
        }
        self.set = self.set.saturating_add(1);
        Ok(array)
    }
}
