//! Substitutions: a term for every variable of a scope (`spec/calculus.md#subsume`, theta).

use crate::parts::{map_array, map_atom};
use crate::term::{SORTS, sort_index};
use crate::{Arena, Obligations, Part, Rejection, Result, ensure};
use alloc::{collections::BTreeMap, vec::Vec};
use goatherd_certificates::*;

/// The images of terms.
pub struct Substitution<'a> {
    /// Of integer variables, by sort and number.
    integers: [&'a [LinearId]; 10],
    /// Of array variables.
    arrays: [&'a [ArrayId]; 9],
    /// Of what was substituted already.
    images: BTreeMap<Part, u32>,
}

/// The terms for the variables of each sort, if there are as many terms as variables.
fn by_sort<'a, T, const SORTS: usize>(
    counts: &[u32; SORTS],
    mut terms: &'a [T],
) -> Result<[&'a [T]; SORTS]> {
    let mut sorts = [&[][..]; SORTS];
    for (sort, count) in sorts.iter_mut().zip(counts) {
        let count = usize::try_from(*count).unwrap_or(usize::MAX);
        let split = terms.split_at_checked(count);
        (*sort, terms) = split.ok_or(Rejection::Substitution)?;
    }
    ensure(terms.is_empty(), Rejection::Substitution).map(|()| sorts)
}

impl<'a> Substitution<'a> {
    /// A term for each variable of the scope, in its order of sorts.
    pub fn new(
        obligations: &mut Obligations<'_>,
        scope: &Scope,
        matching: &'a Matching,
    ) -> Result<Self> {
        let integers = by_sort(&scope.integers, &matching.integers)?;
        let arrays = by_sort(&scope.arrays, &matching.arrays)?;
        for (sort, terms) in [None].into_iter().chain(SORTS.map(Some)).zip(integers) {
            for term in terms {
                obligations.integer(*term, sort)?;
            }
        }
        for (sort, arrays) in SORTS.into_iter().zip(arrays) {
            for array in arrays {
                obligations.array(*array, sort)?;
            }
        }
        Ok(Self {
            integers,
            arrays,
            images: BTreeMap::new(),
        })
    }

    /// The image of a linear term; of a constant, itself.
    pub fn linear(&mut self, arena: &mut Arena, id: LinearId) -> Result<LinearId> {
        if arena.value(id).is_some() {
            Ok(id)
        } else {
            self.image(arena, Part::Linear(id)).map(LinearId)
        }
    }

    /// The image of an array.
    pub fn array(&mut self, arena: &mut Arena, id: ArrayId) -> Result<ArrayId> {
        self.image(arena, Part::Array(id)).map(ArrayId)
    }

    /// The image of a variable, which must have one, or of what was substituted already.
    fn known(&self, arena: &Arena, part: Part) -> Result<Option<u32>> {
        let image = match part {
            Part::Linear(id)
                if let Some(&Atom::Variable(Variable { sort, number })) = arena.as_atom(id)? =>
            {
                let terms = self.integers.get(sort_index(sort));
                terms.and_then(|terms| Some(terms.get(usize::try_from(number).ok()?)?.0))
            }
            Part::Array(id)
                if let Array::Variable(ArrayVariable { sort, number }) = *arena.array(id)? =>
            {
                let mut sorts = self.arrays.iter().zip(SORTS);
                let arrays = sorts.find(|(_, other)| *other == sort);
                arrays.and_then(|(arrays, _)| Some(arrays.get(usize::try_from(number).ok()?)?.0))
            }
            part => return Ok(self.images.get(&part).copied()),
        };
        image.map(Some).ok_or(Rejection::Substitution)
    }

    /// Substitutes in the term and in all that it mentions, innermost first: with a work list instead of recursion.
    fn image(&mut self, arena: &mut Arena, term: Part) -> Result<u32> {
        let mut open = Vec::new();
        loop {
            let part = open.last().copied().unwrap_or(term);
            arena.budget.work(0)?;
            let mut image = self.known(arena, part)?;
            if image.is_none() {
                image = self.replaced(arena, part, &mut open)?;
                image.and_then(|image| self.images.insert(part, image));
            }
            if let Some(image) = image
                && open.pop().is_none()
            {
                return Ok(image);
            }
        }
    }

    /// The term with the images of its parts; none while some are missing, which are added to these.
    fn replaced(
        &self,
        arena: &mut Arena,
        term: Part,
        missing: &mut Vec<Part>,
    ) -> Result<Option<u32>> {
        let before = missing.len();
        let mut replace = |arena: &Arena, part| {
            let image = self.known(arena, part)?;
            if image.is_none() {
                missing.push(part);
            }
            Ok(image.unwrap_or_default())
        };
        let id = match term {
            Part::Linear(id) => {
                if let Some(atom) = arena.as_atom(id)? {
                    let image = map_atom(atom, &mut |part| replace(arena, part))?;
                    if missing.len() > before {
                        return Ok(None);
                    }
                    arena.normal(&image)?.0
                } else {
                    let Linear { constant, summands } = arena.linear(id)?.clone();
                    let mut parts = Vec::with_capacity(summands.len());
                    for (atom, coefficient) in summands {
                        let part = Part::Linear(arena.of_atom(atom)?);
                        parts.push((LinearId(replace(arena, part)?), coefficient));
                    }
                    if missing.len() > before {
                        return Ok(None);
                    }
                    arena.combine(constant, &parts)?.0
                }
            }
            Part::Array(id) => {
                let image = map_array(arena.array(id)?, &mut |part| replace(arena, part))?;
                if missing.len() > before {
                    return Ok(None);
                }
                arena.normal_array(&image)?.0
            }
        };
        Ok(Some(id))
    }
}
