//! Substitutions: a term for every variable of a scope (`spec/calculus.md#subsume`, theta).

use crate::parts::{map_array, map_atom};
use crate::term::SORTS;
use crate::{Arena, Part, Rejection, ensure};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use goatherd_certificates::{Array, ArrayId, ArrayVariable, Atom, LinearId, Scope, Variable};

/// The variables of a scope, in the order in which a substitution lists their terms.
pub fn variables(scope: &Scope) -> (Vec<Variable>, Vec<ArrayVariable>) {
    let sorts = [None].into_iter().chain(SORTS.map(Some));
    let integers = sorts.zip(&scope.integers).flat_map(|(sort, count)| (0..*count).map(move |number| Variable { sort, number }));
    let arrays =
        SORTS.into_iter().zip(&scope.arrays).flat_map(|(sort, count)| (0..*count).map(move |number| ArrayVariable { sort, number }));
    (integers.collect(), arrays.collect())
}

/// A term for every variable, and the terms that were substituted already.
#[derive(Default)]
pub struct Substitution {
    integers: BTreeMap<Variable, LinearId>,
    arrays: BTreeMap<ArrayVariable, ArrayId>,
    images: BTreeMap<Part, u32>,
}

impl Substitution {
    /// The terms for all variables of the scope, in the order of [`variables`]; as many as there are variables.
    pub fn new(scope: &Scope, integers: &[LinearId], arrays: &[ArrayId]) -> Result<Self, Rejection> {
        // Counted first, so that no memory is taken for variables that nobody names.
        let total = |counts: &[u32]| counts.iter().try_fold(0usize, |sum, count| sum.checked_add(usize::try_from(*count).ok()?));
        ensure(total(&scope.integers) == Some(integers.len()) && total(&scope.arrays) == Some(arrays.len()), Rejection::Substitution)?;
        let (integer_variables, array_variables) = variables(scope);
        Ok(Self {
            integers: integer_variables.into_iter().zip(integers.iter().copied()).collect(),
            arrays: array_variables.into_iter().zip(arrays.iter().copied()).collect(),
            ..Self::default()
        })
    }

    /// The term for each integer variable.
    pub fn integers(&self) -> impl Iterator<Item = (&Variable, &LinearId)> {
        self.integers.iter()
    }

    /// The array for each array variable.
    pub fn arrays(&self) -> impl Iterator<Item = (&ArrayVariable, &ArrayId)> {
        self.arrays.iter()
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

    /// The term with the images of its parts; none while some are missing.
    fn replaced(&self, arena: &mut Arena, term: Part, missing: &mut Vec<Part>) -> Result<Option<u32>, Rejection> {
        let mut replace = |part| {
            let image = self.images.get(&part).copied();
            missing.extend(image.is_none().then_some(part));
            Ok(image.unwrap_or_default())
        };
        match term {
            Part::Linear(id) => {
                let linear = arena.linear(id)?.clone();
                let mut atoms = Vec::new();
                for (atom, coefficient) in linear.summands {
                    atoms.push((map_atom(arena.atom(atom)?, &mut replace)?, coefficient));
                }
                if !missing.is_empty() {
                    return Ok(None);
                }
                let mut parts = Vec::new();
                for (atom, coefficient) in atoms {
                    let image = match atom {
                        Atom::Variable(variable) => self.integers.get(&variable).copied().ok_or(Rejection::Substitution)?,
                        atom => arena.normal(&atom)?,
                    };
                    parts.push((image, coefficient));
                }
                Ok(Some(arena.combine(linear.constant, &parts)?.0))
            }
            Part::Array(id) => match map_array(arena.array(id)?, &mut replace)? {
                _ if !missing.is_empty() => Ok(None),
                Array::Variable(variable) => self.arrays.get(&variable).map(|array| Some(array.0)).ok_or(Rejection::Substitution),
                array => Ok(Some(arena.normal_array(&array)?.0)),
            },
        }
    }
}
