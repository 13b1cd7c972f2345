//! What failures have shown to be wanted of the primary's integers at loops (`spec/search.md#wanted`).

use goatherd_certificates::program::{Location, ObjectId, Program, RegisterId};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

/// An integer of the primary, by where it is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Name {
    /// What the register holds; of a pointer its index.
    Register(RegisterId),
    /// The same of a cell of an object: field and element.
    Cell(ObjectId, usize, usize),
    /// How many elements the object has.
    Length(ObjectId),
}

impl Name {
    /// In the program's own names, as `account[0].balance`.
    fn words(self, program: &Program) -> String {
        let object = |object: ObjectId| program.objects.get(object.index());
        let name = |of: ObjectId| object(of).map_or("?", |object| &object.name);
        match self {
            Self::Register(register) => program.registers[register.index()].name.clone(),
            Self::Cell(cell, field, element) => {
                let layout = object(cell).and_then(|object| program.layouts.get(object.layout.index()));
                let member = layout.and_then(|layout| layout.fields.get(field)).map_or("", |field| &field.name);
                let dot = if member.is_empty() { "" } else { "." };
                format!("{}[{element}]{dot}{member}", name(cell))
            }
            Self::Length(array) => format!("length({})", name(array)),
        }
    }
}

/// `constant + sum of coefficient * integer <= 0`
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Inequality {
    /// Integer and coefficient, ascending.
    pub summands: Vec<(Name, i128)>,
    /// What is added.
    pub constant: i128,
}

/// Greatest coefficient and constant of what is wanted: that a sum fits into an `int` may be, and what is greater comes from the ends of types.
const GREATEST: i128 = 1 << 32;

impl Inequality {
    /// Of these summands; none if nothing is left of it, or it is too large.
    pub(crate) fn new(summands: BTreeMap<Name, i128>, constant: i128) -> Option<Self> {
        let is_small = summands.values().chain([&constant]).all(|number| number.saturating_abs() <= GREATEST);
        let summands: Vec<(Name, i128)> = summands.into_iter().filter(|(_, coefficient)| *coefficient != 0).collect();
        (is_small && !summands.is_empty()).then_some(Self { summands, constant })
    }

    /// The integers, ascending.
    pub(crate) fn names(&self) -> impl Iterator<Item = Name> {
        self.summands.iter().map(|(name, _)| *name)
    }

    /// So many times the sum.
    pub(crate) fn times(&self, factor: i128) -> Self {
        let summands = self.summands.iter().map(|(name, coefficient)| (*name, coefficient.saturating_mul(factor))).collect();
        Self { summands, constant: self.constant.saturating_mul(factor) }
    }

    /// With another summand and constant.
    pub(crate) fn plus(self, name: Name, coefficient: i128, constant: i128) -> Option<Self> {
        let mut summands: BTreeMap<Name, i128> = self.summands.into_iter().collect();
        let own = summands.entry(name).or_default();
        *own = own.saturating_add(coefficient);
        Self::new(summands, self.constant.saturating_add(constant))
    }

    /// In the program's own names, as `total - 7 * n <= 0`.
    pub(crate) fn words(&self, program: &Program) -> String {
        let mut words = String::new();
        for (name, coefficient) in &self.summands {
            let sign = match (words.is_empty(), *coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let times = if coefficient.abs() == 1 { String::new() } else { format!("{} * ", coefficient.unsigned_abs()) };
            // Writing to a string does not fail.
            let _ = write!(words, "{sign}{times}{}", name.words(program));
        }
        match self.constant {
            0 => words + " <= 0",
            constant => format!("{words} <= {}", constant.saturating_neg()),
        }
    }
}

/// What is wanted, by loop.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wanted {
    at: BTreeMap<Location, BTreeSet<Inequality>>,
}

impl Wanted {
    /// Adds what is wanted; what of it is new, by loop.
    pub fn learn(&mut self, inequalities: &[(Location, Inequality)]) -> BTreeMap<Location, Vec<Inequality>> {
        let mut new: BTreeMap<Location, Vec<Inequality>> = BTreeMap::new();
        for (head, inequality) in inequalities {
            if self.at.entry(*head).or_default().insert(inequality.clone()) {
                new.entry(*head).or_default().push(inequality.clone());
            }
        }
        new
    }

    /// What is wanted at the loop.
    pub fn at(&self, head: Location) -> impl Iterator<Item = &Inequality> {
        self.at.get(&head).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::{Inequality, Name, Wanted};
    use goatherd_certificates::program::{Location, RegisterId};
    use std::collections::BTreeMap;

    const TOTAL: Name = Name::Register(RegisterId(0));
    const ROUNDS: Name = Name::Register(RegisterId(1));

    /// `total - 7 * rounds + constant <= 0`
    fn sum(constant: i128) -> Inequality {
        Inequality { summands: vec![(TOTAL, 1), (ROUNDS, -7)], constant }
    }

    #[test]
    fn what_is_known_to_be_wanted_is_not_learnt_again() {
        let (mut wanted, head) = (Wanted::default(), Location(3));
        let new = wanted.learn(&[(head, sum(0)), (head, sum(-4)), (head, sum(0))]);
        assert_eq!(new, BTreeMap::from([(head, vec![sum(0), sum(-4)])]));
        assert!(wanted.learn(&[(head, sum(-4))]).is_empty());
        assert_eq!(wanted.at(head).count(), 2);
        assert_eq!(wanted.at(Location(4)).count(), 0);
    }

    #[test]
    fn summands_of_one_integer_are_added() {
        let four = Inequality { summands: vec![(TOTAL, 2), (ROUNDS, -4)], constant: -10 };
        assert_eq!(sum(0).times(2).plus(ROUNDS, 10, -10), Some(four));
        let only = Inequality { summands: vec![(TOTAL, 1)], constant: 5 };
        assert_eq!(sum(5).plus(ROUNDS, 7, 0), Some(only));
        assert_eq!(sum(0).plus(ROUNDS, 0, 1 << 33), None);
        assert_eq!(Inequality::new(BTreeMap::new(), 1), None);
    }
}
