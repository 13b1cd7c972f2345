//! Substitutions: a term for every variable of a scope (`spec/calculus.md#subsume`, theta).

use crate::parts::{map_array, map_atom};
use crate::term::SORTS;
use crate::{Arena, Obligations, Part, Rejection, ensure};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use goatherd_certificates::{Array, ArrayId, ArrayVariable, Atom, Linear, LinearId, Scope, Variable};

/// The variables of a scope, in the order in which a substitution lists their terms.
pub fn variables(scope: &Scope) -> (Vec<Variable>, Vec<ArrayVariable>) {
    let sorts = [None].into_iter().chain(SORTS.map(Some));
    let integers = sorts.zip(&scope.integers).flat_map(|(sort, count)| (0..*count).map(move |number| Variable { sort, number }));
    let arrays =
        SORTS.into_iter().zip(&scope.arrays).flat_map(|(sort, count)| (0..*count).map(move |number| ArrayVariable { sort, number }));
    (integers.collect(), arrays.collect())
}

/// The images of terms: of all variables, and of what was substituted already.
pub struct Substitution {
    images: BTreeMap<Part, u32>,
}

impl Substitution {
    /// The terms for all variables of the scope, in the order of [`variables`]; as many as there are variables, each of its sort.
    pub fn new(obligations: &mut Obligations<'_>, scope: &Scope, integers: &[LinearId], arrays: &[ArrayId]) -> Result<Self, Rejection> {
        // Counted first, so that no memory is taken for variables that nobody names.
        let total = |counts: &[u32]| counts.iter().try_fold(0usize, |sum, count| sum.checked_add(usize::try_from(*count).ok()?));
        ensure(total(&scope.integers) == Some(integers.len()) && total(&scope.arrays) == Some(arrays.len()), Rejection::Substitution)?;
        let (integer_variables, array_variables) = variables(scope);
        let mut images = BTreeMap::new();
        for (variable, term) in integer_variables.into_iter().zip(integers) {
            obligations.integer(*term, variable.sort)?;
            images.insert(Part::Linear(obligations.arena.variable(variable)?), term.0);
        }
        for (variable, array) in array_variables.into_iter().zip(arrays) {
            obligations.array(*array, variable.sort)?;
            images.insert(Part::Array(obligations.arena.array_variable(variable)?), array.0);
        }
        Ok(Self { images })
    }

    /// The image of a linear term.
    pub fn linear(&mut self, arena: &mut Arena, id: LinearId) -> Result<LinearId, Rejection> {
        self.image(arena, Part::Linear(id)).map(LinearId)
    }

    /// The image of an array.
    pub fn array(&mut self, arena: &mut Arena, id: ArrayId) -> Result<ArrayId, Rejection> {
        self.image(arena, Part::Array(id)).map(ArrayId)
    }

    /// Substitutes in the term and in all that it mentions, innermost first: with a work list instead of recursion.
    fn image(&mut self, arena: &mut Arena, term: Part) -> Result<u32, Rejection> {
        let mut open = vec![term];
        while let Some(part) = open.last().copied() {
            let mut missing = Vec::new();
            if !self.images.contains_key(&part)
                && let Some(image) = self.replaced(arena, part, &mut missing)?
            {
                self.images.insert(part, image);
            }
            if missing.is_empty() {
                open.pop();
            }
            open.extend(missing);
        }
        self.images.get(&term).copied().ok_or(Rejection::Substitution)
    }

    /// The term with the images of its parts; none while some are missing. No variable is its own image.
    fn replaced(&self, arena: &mut Arena, term: Part, missing: &mut Vec<Part>) -> Result<Option<u32>, Rejection> {
        let mut replace = |part| {
            let image = self.images.get(&part).copied();
            missing.extend(image.is_none().then_some(part));
            Ok(image.unwrap_or_default())
        };
        match term {
            Part::Linear(id) => {
                let Linear { constant, summands } = arena.linear(id)?.clone();
                if constant == 0
                    && let [(atom, 1)] = summands.as_slice()
                {
                    let image = map_atom(arena.atom(*atom)?, &mut replace)?;
                    ensure(!matches!(image, Atom::Variable(_)), Rejection::Substitution)?;
                    return if missing.is_empty() { Ok(Some(arena.normal(&image)?.0)) } else { Ok(None) };
                }
                let mut parts = Vec::new();
                for (atom, coefficient) in summands {
                    parts.push((LinearId(replace(Part::Linear(arena.of_atom(atom)?))?), coefficient));
                }
                if missing.is_empty() { Ok(Some(arena.combine(constant, &parts)?.0)) } else { Ok(None) }
            }
            Part::Array(id) => {
                let image = map_array(arena.array(id)?, &mut replace)?;
                ensure(!matches!(image, Array::Variable(_)), Rejection::Substitution)?;
                if missing.is_empty() { Ok(Some(arena.normal_array(&image)?.0)) } else { Ok(None) }
            }
        }
    }
}
