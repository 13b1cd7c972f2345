//! Terms over the variables of one configuration as terms over those of another one, which has fewer.

use goatherd_certificates::term::{Array, ArrayId, ArrayStore, ArrayVariable, Atom, Computation, LinearId, Literal, Scope, Variable};
use goatherd_checker::{
    rejection::Rejection,
    term::{Arena, array_count, integer_count, next},
};
use std::collections::{BTreeMap, HashMap};

/// Under which names variables are known.
#[derive(Clone, Default)]
pub struct Renaming {
    /// The new names of those that the template at the root has.
    pub integers: BTreeMap<Variable, Variable>,
    /// The same of arrays.
    pub arrays: BTreeMap<ArrayVariable, ArrayVariable>,
    /// How many variables the template has, before and now. What comes later is numbered from here on.
    before: Scope,
    now: Scope,
    /// Are variables of the template given names as they come?
    is_naming: bool,
    terms: HashMap<LinearId, LinearId>,
    array_terms: HashMap<ArrayId, ArrayId>,
}

/// The new number of a variable that the map does not have.
fn number(number: u32, before: u32, now: &mut u32, is_naming: bool) -> Result<u32, Rejection> {
    match number.checked_sub(before) {
        Some(behind) => now.checked_add(behind).ok_or(Rejection::Overflow),
        None if is_naming => next(now),
        None => Err(Rejection::Missing),
    }
}

impl Renaming {
    /// Gives names to the variables of a template with this scope, in the order in which they come.
    pub fn of(scope: Scope) -> Self {
        Self { before: scope, is_naming: true, ..Self::default() }
    }

    /// All variables that matter have come; how many these are.
    pub const fn close(&mut self) -> Scope {
        self.is_naming = false;
        self.now
    }

    fn variable(&mut self, variable: Variable) -> Result<Variable, Rejection> {
        if let Some(known) = self.integers.get(&variable) {
            return Ok(*known);
        }
        let before = *integer_count(&mut self.before, variable.sort)?;
        let number = number(variable.number, before, integer_count(&mut self.now, variable.sort)?, self.is_naming)?;
        let renamed = Variable { number, ..variable };
        if self.is_naming {
            self.integers.insert(variable, renamed);
        }
        Ok(renamed)
    }

    fn array_variable(&mut self, variable: ArrayVariable) -> Result<ArrayVariable, Rejection> {
        if let Some(known) = self.arrays.get(&variable) {
            return Ok(*known);
        }
        let before = *array_count(&mut self.before, variable.sort)?;
        let number = number(variable.number, before, array_count(&mut self.now, variable.sort)?, self.is_naming)?;
        let renamed = ArrayVariable { number, ..variable };
        if self.is_naming {
            self.arrays.insert(variable, renamed);
        }
        Ok(renamed)
    }

    /// The term.
    pub fn linear(&mut self, arena: &mut Arena, term: LinearId) -> Result<LinearId, Rejection> {
        if let Some(known) = self.terms.get(&term) {
            return Ok(*known);
        }
        let linear = arena.linear(term)?.clone();
        let mut parts = Vec::new();
        for (atom, coefficient) in linear.summands {
            let part = match arena.atom(atom)?.clone() {
                Atom::Variable(variable) => {
                    let variable = self.variable(variable)?;
                    arena.variable(variable)?
                }
                Atom::Select { array, index } => {
                    let (array, index) = (self.array(arena, array)?, self.linear(arena, index)?);
                    arena.select(array, index)?
                }
                Atom::Quotient { divisor, argument } => {
                    let argument = self.linear(arena, argument)?;
                    arena.quotient(argument, divisor)?
                }
                Atom::Apply(Computation { operation, kind, left, right }) => {
                    let (left, right) = (self.linear(arena, left)?, self.linear(arena, right)?);
                    arena.apply(operation, kind, left, right)?
                }
            };
            parts.push((part, coefficient));
        }
        let renamed = arena.combine(linear.constant, &parts)?;
        self.terms.insert(term, renamed);
        Ok(renamed)
    }

    /// The array.
    pub fn array(&mut self, arena: &mut Arena, array: ArrayId) -> Result<ArrayId, Rejection> {
        if let Some(known) = self.array_terms.get(&array) {
            return Ok(*known);
        }
        let renamed = match arena.array(array)?.clone() {
            Array::Store(ArrayStore { array, index, value }) => {
                let (array, index, value) = (self.array(arena, array)?, self.linear(arena, index)?, self.linear(arena, value)?);
                arena.store(array, index, value)?
            }
            Array::Constant(value) => {
                let value = self.linear(arena, value)?;
                arena.constant_array(value)?
            }
            Array::Variable(variable) => {
                let variable = self.array_variable(variable)?;
                arena.array_variable(variable)?
            }
            Array::Table(table) => arena.table(table)?,
        };
        self.array_terms.insert(array, renamed);
        Ok(renamed)
    }

    /// The literal.
    pub fn literal(&mut self, arena: &mut Arena, literal: Literal) -> Result<Literal, Rejection> {
        Ok(Literal { term: self.linear(arena, literal.term)?, ..literal })
    }
}

#[cfg(test)]
mod tests {
    use super::Renaming;
    use goatherd_certificates::{
        program::IntegerType,
        term::{Scope, Variable},
    };
    use goatherd_checker::{
        budget::Budget,
        rejection::Rejection,
        term::{Arena, integer_count},
    };

    #[test]
    fn variables_behind_the_template_follow_those_that_are_left() {
        let mut arena = Arena::new(&[], Budget::new(u64::MAX)).unwrap();
        let sort = Some(IntegerType::I32);
        let mut scope = Scope::default();
        *integer_count(&mut scope, sort).unwrap() = 2;
        let [first, second, later] = [0, 1, 2].map(|number| arena.variable(Variable { sort, number }).unwrap());
        let mut renaming = Renaming::of(scope);
        assert_eq!(renaming.linear(&mut arena, second), Ok(first), "the first one that comes");
        assert_eq!(integer_count(&mut renaming.close(), sort), Ok(&mut 1));
        let sum = arena.combine(3, &[(second, 2), (later, -1)]).unwrap();
        let renamed = arena.combine(3, &[(first, 2), (second, -1)]).unwrap();
        assert_eq!(renaming.linear(&mut arena, sum), Ok(renamed));
        assert_eq!(renaming.linear(&mut arena, first), Err(Rejection::Missing), "nothing is left of it");
    }
}
