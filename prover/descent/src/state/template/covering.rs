//! Templates of other keys that may cover a herd.

use super::{Widened, arrival::Arrival, lengths::is_all};
use goatherd_certificates::{
    configuration::{Address, FieldState, Folded, Member, ObjectState, Slot},
    derivation::{Matching, MemberId},
    program::ObjectId,
    term::{Array, ArrayId, ArrayStore, ArrayVariable, Atom, Computation, LinearId, Variable},
};
use goatherd_checker::{rejection::Rejection, term::Arena};
use goatherd_logic::terms;
use std::collections::BTreeMap;

/// What stands in the place of a template's variables.
#[derive(Default)]
pub struct Images {
    /// Of integers.
    pub integers: BTreeMap<Variable, LinearId>,
    /// Of arrays.
    pub arrays: BTreeMap<ArrayVariable, ArrayId>,
}

impl Widened {
    /// Under what the template may cover a herd, and which of its scapegoats have to be forgotten for it, the last first; none where they do not
    /// look alike. Whether it does cover it is another question. Which scapegoats the herd's members are, and where in what arrives they stand, is
    /// given, and what is known to stand for some variables.
    pub fn covering(
        &self,
        arena: &mut Arena,
        tags: &[usize],
        positions: &[usize],
        arrival: &Arrival,
        mut images: Images,
    ) -> Result<Option<(Vec<MemberId>, Matching)>, Rejection> {
        let folding = &arrival.folding;
        let mut members = Vec::new();
        for tag in &self.tags {
            let Some(member) = tags.iter().position(|other| other == tag) else { return Ok(None) };
            members.push(member);
        }
        if self.stored.trees != folding.trees || !members.is_sorted() {
            return Ok(None);
        }
        let dropped = (0..tags.len()).rev().filter(|member| !members.contains(member));
        let dropped = dropped.map(|member| MemberId(u32::try_from(member).unwrap_or(u32::MAX))).collect();
        let mut objects = Vec::new();
        for (target, member) in self.stored.members.iter().zip(members) {
            let position = positions.get(member).copied().unwrap_or_default();
            let (Some(member), Some(names)) = (folding.members.get(position), folding.objects.get(position)) else { return Ok(None) };
            let Some(matched) = images.member(arena, member, names, target)? else { return Ok(None) };
            objects.push(matched);
        }
        if !self.kept_indices.is_empty() && arrival.herd.kept_indices.len() != self.kept_indices.len() {
            return Ok(None);
        }
        for (index, target) in arrival.herd.kept_indices.iter().zip(&self.kept_indices) {
            images.integer(arena, *index, *target)?;
        }
        let (integers, arrays) = terms::variables(&self.stored.scope);
        let zero = arena.constant(0)?;
        let anything = arena.constant_array(zero)?;
        let matching = Matching {
            integers: integers.iter().map(|variable| images.integers.get(variable).copied().unwrap_or(zero)).collect(),
            arrays: arrays.iter().map(|variable| images.arrays.get(variable).copied().unwrap_or(anything)).collect(),
            paths: folding.paths.clone(),
            shapes: folding.shapes.clone(),
            objects,
        };
        Ok(Some((dropped, matching)))
    }
}

impl Widened {
    /// The variables that slots or literals mention: themselves.
    pub fn mentioned(&self, arena: &mut Arena) -> Result<Images, Rejection> {
        let mut images = Images::default();
        for member in &self.stored.members {
            let names: Vec<ObjectId> = member.objects.iter().map(|state| state.object).collect();
            images.member(arena, member, &names, member)?;
        }
        for term in self.kept_indices.iter().copied().chain(self.stored.predicate.iter().map(|literal| literal.term)) {
            images.mention(arena, term)?;
        }
        Ok(images)
    }
}

impl Images {
    /// The variables of the term stand for themselves.
    fn mention(&mut self, arena: &mut Arena, term: LinearId) -> Result<(), Rejection> {
        let (mut terms, mut arrays) = (vec![term], Vec::new());
        loop {
            if let Some(array) = arrays.pop() {
                match *arena.array(array)? {
                    Array::Variable(variable) => drop(self.arrays.insert(variable, array)),
                    Array::Store(ArrayStore { array, index, value }) => {
                        arrays.push(array);
                        terms.extend([index, value]);
                    }
                    Array::Constant(value) => terms.push(value),
                    Array::Table(_) => {}
                }
            } else if let Some(term) = terms.pop() {
                for (atom, _) in arena.linear(term)?.summands.clone() {
                    match *arena.atom(atom)? {
                        Atom::Variable(variable) => drop(self.integers.insert(variable, arena.of_atom(atom)?)),
                        Atom::Select { array, index } => {
                            arrays.push(array);
                            terms.push(index);
                        }
                        Atom::Quotient { argument, .. } => terms.push(argument),
                        Atom::Apply(Computation { left, right, .. }) => terms.extend([left, right]),
                    }
                }
            } else {
                return Ok(());
            }
        }
    }

    /// Learns what stands for the variables in the member; gives the objects that are matched. None where they do not look alike.
    fn member(
        &mut self,
        arena: &mut Arena,
        member: &Member,
        names: &[ObjectId],
        target: &Member,
    ) -> Result<Option<Vec<ObjectId>>, Rejection> {
        if member.location != target.location || member.size > target.size || member.folded.len() != target.folded.len() {
            return Ok(None);
        }
        if !self.slot(arena, member.consumed, target.consumed)? {
            return Ok(None);
        }
        for (register, target) in &target.registers {
            let slot = member.registers.iter().find(|(other, _)| other == register).map_or(Slot::Forgotten, |(_, slot)| *slot);
            if !self.slot(arena, slot, *target)? {
                return Ok(None);
            }
        }
        let mut objects = Vec::new();
        for target in &target.objects {
            let mut states = member.objects.iter().zip(names);
            let Some((state, name)) = states.find(|(state, _)| state.object == target.object) else { return Ok(None) };
            if !self.object(arena, state, target)? {
                return Ok(None);
            }
            objects.push(*name);
        }
        for (Folded { tree, above, same, below }, target) in member.folded.iter().zip(&target.folded) {
            let is_alike = *tree == target.tree && self.slot(arena, *above, target.above)? && self.slot(arena, *same, target.same)?;
            if !is_alike || !self.slot(arena, *below, target.below)? {
                return Ok(None);
            }
        }
        Ok(Some(objects))
    }

    fn object(&mut self, arena: &mut Arena, state: &ObjectState, target: &ObjectState) -> Result<bool, Rejection> {
        let is_alike = state.declaration == target.declaration && state.life == target.life && state.fields.len() == target.fields.len();
        if !is_alike || !self.integer(arena, state.lower, target.lower)? || !self.integer(arena, state.upper, target.upper)? {
            return Ok(false);
        }
        for (field, target) in state.fields.iter().zip(&target.fields) {
            let FieldState { cells, rest } = field;
            let is_alike = cells.len() == target.cells.len() && rest.is_some() == target.rest.is_some();
            let beyond = target.cells.get(cells.len()..).filter(|_| is_all(arena, state, field));
            if !is_alike && !beyond.is_some_and(|beyond| beyond.iter().all(|slot| matches!(slot, Slot::Integer(_)))) {
                return Ok(false);
            }
            for (cell, target) in cells.iter().zip(&target.cells) {
                if !self.slot(arena, *cell, *target)? {
                    return Ok(false);
                }
            }
            if let (Some(rest), Some(target)) = (rest, target.rest)
                && !self.array(arena, *rest, target)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// An array of templates is a variable, a table, or stores into one.
    fn array(&mut self, arena: &mut Arena, mut array: ArrayId, mut target: ArrayId) -> Result<bool, Rejection> {
        while let Array::Store(ArrayStore { array: target_below, index: target_index, value: target_value }) = *arena.array(target)? {
            let Array::Store(ArrayStore { array: below, index, value }) = *arena.array(array)? else { return Ok(false) };
            if !self.integer(arena, index, target_index)? || !self.integer(arena, value, target_value)? {
                return Ok(false);
            }
            (array, target) = (below, target_below);
        }
        if let Array::Variable(variable) = arena.array(target)? {
            self.arrays.entry(*variable).or_insert(array);
        }
        Ok(true)
    }

    fn slot(&mut self, arena: &mut Arena, slot: Slot, target: Slot) -> Result<bool, Rejection> {
        match (slot, target) {
            (_, Slot::Forgotten) => Ok(true),
            (Slot::Integer(term), Slot::Integer(target)) => self.integer(arena, term, target),
            (Slot::Pointer(Address { object, index, byte }), Slot::Pointer(Address { object: other, index: target, byte: other_byte })) => {
                Ok(object == other && byte == other_byte && self.integer(arena, index, target)?)
            }
            (slot, target) => Ok(slot == target),
        }
    }

    /// A term of templates is a constant, or a variable and a constant.
    fn integer(&mut self, arena: &mut Arena, term: LinearId, target: LinearId) -> Result<bool, Rejection> {
        if let Some(target) = arena.value(target) {
            return Ok(arena.value(term).is_none_or(|value| value == target));
        }
        let linear = arena.linear(target)?;
        if let [(atom, 1)] = linear.summands[..]
            && let Atom::Variable(variable) = *arena.atom(atom)?
        {
            let constant = linear.constant;
            let image = arena.plus(term, -constant)?;
            self.integers.entry(variable).or_insert(image);
        }
        Ok(true)
    }
}
