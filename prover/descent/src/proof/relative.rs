//! Terms by where a configuration has them, so that they mean the same in another one of its kind.

use goatherd_certificates::{
    configuration::{self, Slot},
    derivation::MemberId,
    program::{IntegerType, ObjectId, Operation, RegisterId},
    term::{Array, ArrayId, ArrayStore, Atom, Computation, LinearId},
};
use goatherd_checker::{
    configuration::{Configuration, Member, Place},
    rejection::Rejection,
    term::Arena,
};
use goatherd_flow::Flow;

/// Where a member has a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Home {
    /// The integer in a register, or the index of the pointer in it.
    Register(RegisterId),
    /// The first valid index of an object.
    Lower(ObjectId),
    /// The first index above the valid ones.
    Upper(ObjectId),
    /// A cell: object, field and index.
    Cell(ObjectId, usize, usize),
    /// The array for the other elements: object and field.
    Rest(ObjectId, usize),
    /// Nowhere, but it is remembered: which of the indices that no register holds.
    Kept(usize),
}

/// A member and where it has a term.
pub type Address = (MemberId, Home);

/// An integer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Relative {
    constant: i128,
    summands: Vec<(RelativeAtom, i128)>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum RelativeAtom {
    At(Address),
    Select(RelativeArray, Relative),
    Quotient(i128, Relative),
    Apply(Operation, IntegerType, Box<[Relative; 2]>),
}

/// An array: one that is somewhere, without so many of its last stores.
pub type RelativeArray = (Address, usize);

/// The terms of a configuration that are read again, by where they are.
pub struct Homes {
    integers: Vec<(Address, LinearId)>,
    arrays: Vec<(Address, ArrayId)>,
}

impl Homes {
    /// Those of live registers and of all objects, and the indices that no register holds.
    pub fn new(flow: &Flow, configuration: &Configuration, kept_indices: &[LinearId]) -> Self {
        let mut homes = Self { integers: Vec::new(), arrays: Vec::new() };
        for (number, member) in (0..).map(MemberId).zip(&configuration.members) {
            homes.member(flow, number, member);
        }
        let kept_indices = kept_indices.iter().enumerate();
        homes.integers.extend(kept_indices.map(|(number, index)| ((MemberId(0), Home::Kept(number)), *index)));
        homes
    }

    fn member(&mut self, flow: &Flow, number: MemberId, member: &Member) {
        let Place::At(location) = member.place else { return };
        for (register, slot) in (0..).map(RegisterId).zip(&member.registers) {
            if flow.is_live(location, register) {
                self.slot((number, Home::Register(register)), *slot);
            }
        }
        for state in member.objects.iter().flatten() {
            let bounds = [(Home::Lower(state.object), state.lower), (Home::Upper(state.object), state.upper)];
            self.integers.extend(bounds.map(|(home, bound)| ((number, home), bound)));
            for (field, contents) in state.fields.iter().enumerate() {
                for (index, cell) in contents.cells.iter().enumerate() {
                    self.slot((number, Home::Cell(state.object, field, index)), *cell);
                }
                self.arrays.extend(contents.rest.map(|rest| ((number, Home::Rest(state.object, field)), rest)));
            }
        }
    }

    fn slot(&mut self, address: Address, slot: Slot) {
        if let Slot::Integer(term) | Slot::Pointer(configuration::Address { index: term, .. }) = slot {
            self.integers.push((address, term));
        }
    }

    /// The term by where it is; none where some of it is nowhere.
    pub fn relative(&self, arena: &Arena, term: LinearId) -> Result<Option<Relative>, Rejection> {
        let linear = arena.linear(term)?;
        let mut relative = Relative { constant: linear.constant, summands: Vec::new() };
        for (atom, coefficient) in &linear.summands {
            let mut home = None;
            for (address, other) in &self.integers {
                let other = arena.linear(*other)?;
                if other.summands == [(*atom, 1)] {
                    home = Some((*address, other.constant));
                    break;
                }
            }
            let found = if let Some((address, constant)) = home {
                relative.constant -= constant.saturating_mul(*coefficient);
                RelativeAtom::At(address)
            } else {
                let Some(found) = self.compound(arena, arena.atom(*atom)?)? else { return Ok(None) };
                found
            };
            relative.summands.push((found, *coefficient));
        }
        Ok(Some(relative))
    }

    fn compound(&self, arena: &Arena, atom: &Atom) -> Result<Option<RelativeAtom>, Rejection> {
        Ok(match *atom {
            Atom::Variable(_) => None,
            Atom::Select { array, index } => {
                let array = self.relative_array(arena, array)?;
                array.zip(self.relative(arena, index)?).map(|(array, index)| RelativeAtom::Select(array, index))
            }
            Atom::Quotient { divisor, argument } => {
                self.relative(arena, argument)?.map(|argument| RelativeAtom::Quotient(divisor, argument))
            }
            Atom::Apply(Computation { operation, kind, left, right }) => {
                let both = self.relative(arena, left)?.zip(self.relative(arena, right)?);
                both.map(|(left, right)| RelativeAtom::Apply(operation, kind, Box::new([left, right])))
            }
        })
    }

    /// The array by where it is; none where it is nowhere.
    pub fn relative_array(&self, arena: &Arena, array: ArrayId) -> Result<Option<RelativeArray>, Rejection> {
        for (address, home) in &self.arrays {
            let (mut below, mut count) = (*home, 0);
            while below != array
                && let Array::Store(ArrayStore { array, .. }) = *arena.array(below)?
            {
                (below, count) = (array, count + 1);
            }
            if below == array {
                return Ok(Some((*address, count)));
            }
        }
        Ok(None)
    }

    /// The array that is there.
    pub fn absolute_array(&self, arena: &Arena, (address, count): RelativeArray) -> Result<ArrayId, Rejection> {
        let mut array = find(&self.arrays, address)?;
        for _ in 0..count {
            let Array::Store(ArrayStore { array: below, .. }) = *arena.array(array)? else { return Err(Rejection::Shape) };
            array = below;
        }
        Ok(array)
    }

    /// The term that is there.
    pub fn absolute(&self, arena: &mut Arena, relative: &Relative) -> Result<LinearId, Rejection> {
        let mut parts = Vec::new();
        for (atom, coefficient) in &relative.summands {
            let part = match atom {
                RelativeAtom::At(address) => find(&self.integers, *address)?,
                RelativeAtom::Select(array, index) => {
                    let index = self.absolute(arena, index)?;
                    arena.select(self.absolute_array(arena, *array)?, index)?
                }
                RelativeAtom::Quotient(divisor, argument) => {
                    let argument = self.absolute(arena, argument)?;
                    arena.quotient(argument, *divisor)?
                }
                RelativeAtom::Apply(operation, kind, both) => {
                    let [left, right] = [&both[0], &both[1]].map(|side| self.absolute(arena, side));
                    arena.apply(*operation, *kind, left?, right?)?
                }
            };
            parts.push((part, *coefficient));
        }
        arena.combine(relative.constant, &parts)
    }
}

fn find<T: Copy>(homes: &[(Address, T)], address: Address) -> Result<T, Rejection> {
    homes.iter().find(|(other, _)| *other == address).map(|(_, term)| *term).ok_or(Rejection::Missing)
}

#[cfg(test)]
mod tests {
    use super::{Address, Home, Homes};
    use goatherd_certificates::{
        derivation::MemberId,
        program::{IntegerType, ObjectId, RegisterId},
        term::{ArrayVariable, LinearId, Variable},
    };
    use goatherd_checker::{budget::Budget, rejection::Rejection, term::Arena};

    const INDEX: Address = (MemberId(0), Home::Register(RegisterId(0)));
    const LENGTH: Address = (MemberId(0), Home::Upper(ObjectId(0)));
    const CONTENTS: Address = (MemberId(0), Home::Rest(ObjectId(0), 0));

    fn variable(arena: &mut Arena, number: u32) -> Result<LinearId, Rejection> {
        arena.variable(Variable { sort: None, number })
    }

    /// An array with these two variables for an index and its length.
    fn homes(arena: &mut Arena, [index, length]: [u32; 2], array: u32) -> Result<Homes, Rejection> {
        let index = variable(arena, index)?;
        let index = arena.plus(index, 2)?;
        let array = arena.array_variable(ArrayVariable { sort: IntegerType::I8, number: array })?;
        Ok(Homes { integers: vec![(INDEX, index), (LENGTH, variable(arena, length)?)], arrays: vec![(CONTENTS, array)] })
    }

    /// The element at an index that is one below the register's, less the length.
    fn term(arena: &mut Arena, [index, length]: [u32; 2], array: u32) -> Result<LinearId, Rejection> {
        let index = variable(arena, index)?;
        let index = arena.plus(index, 1)?;
        let array = arena.array_variable(ArrayVariable { sort: IntegerType::I8, number: array })?;
        let (element, length) = (arena.select(array, index)?, variable(arena, length)?);
        arena.difference(element, length)
    }

    #[test]
    fn a_term_is_found_again_in_another_configuration() -> Result<(), Rejection> {
        let mut arena = Arena::new(&[], Budget::new(1 << 20)).map_err(Rejection::from)?;
        let here = homes(&mut arena, [0, 1], 0)?;
        let known = term(&mut arena, [0, 1], 0)?;
        let relative = here.relative(&arena, known)?.ok_or(Rejection::Missing)?;
        let there = homes(&mut arena, [5, 3], 2)?;
        let wanted = term(&mut arena, [5, 3], 2)?;
        assert_eq!(there.absolute(&mut arena, &relative)?, wanted);
        Ok(())
    }

    #[test]
    fn what_is_nowhere_has_no_place() -> Result<(), Rejection> {
        let mut arena = Arena::new(&[], Budget::new(1 << 20)).map_err(Rejection::from)?;
        let here = homes(&mut arena, [0, 1], 0)?;
        let unknown = variable(&mut arena, 7)?;
        assert_eq!(here.relative(&arena, unknown)?, None);
        Ok(())
    }

    #[test]
    fn an_array_is_found_below_its_last_stores() -> Result<(), Rejection> {
        let mut arena = Arena::new(&[], Budget::new(1 << 20)).map_err(Rejection::from)?;
        let (index, value) = (variable(&mut arena, 0)?, arena.constant(1)?);
        let below = arena.array_variable(ArrayVariable { sort: IntegerType::I8, number: 0 })?;
        let above = arena.store(below, index, value)?;
        let homes = Homes { integers: Vec::new(), arrays: vec![(CONTENTS, above)] };
        assert_eq!(homes.relative_array(&arena, below)?, Some((CONTENTS, 1)));
        assert_eq!(homes.absolute_array(&arena, (CONTENTS, 1))?, below);
        Ok(())
    }
}
