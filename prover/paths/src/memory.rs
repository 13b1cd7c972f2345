//! Elements of memory as variables of a transition system (`spec/paths.md#memory`).
//!
//! For each pointer there is a variable for the element that it points to, and for each object there are variables for its first elements.
//! What an instruction stores in them is an [`Alternative`] per variable that may be the same element: it is, where the indices are equal.

use crate::pointees::{Pointee, Pointees};
use goatherd_certificates::program::{Field, IntegerType, Location, ObjectId, Program, RegisterId, Type};
use goatherd_checker::arithmetic::range;
use goatherd_systems::{
    literal::{Linear, Literal, Overflow, Variable, negated},
    lts::{Alternative, LtsVariable},
    realisation::Element,
};
use std::collections::BTreeMap;

/// So many elements of each object have a variable of their own.
const CELLS: i128 = 4;

/// How much of memory a transition system has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// Elements of arrays of integers.
    Elements,
    /// Nothing: what is loaded is any value.
    Unknown,
}

/// The variables for elements of a program's objects.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    program: &'a Program,
    pointees: Pointees,
    variables: BTreeMap<Element, Variable>,
}

/// The type of an object's elements, if they are integers without anything beside.
fn element_type(program: &Program, object: ObjectId) -> Option<IntegerType> {
    let layout = &program.layouts[program.objects[object.index()].layout.index()];
    match *layout.fields {
        [Field { offset: 0, kind: Type::Integer(kind), .. }] if u64::from(goatherd_checker::arithmetic::width(kind)) == 8 * layout.size => {
            Some(kind)
        }
        _ => None,
    }
}

impl<'a> Elements<'a> {
    /// Adds the variables to those of the program's registers.
    pub fn new(program: &'a Program, memory: Memory, declared: &mut Vec<LtsVariable>) -> Self {
        let mut this = Self { program, pointees: Pointees::new(program), variables: BTreeMap::new() };
        if memory == Memory::Unknown {
            return this;
        }
        let mut pointed: BTreeMap<RegisterId, Option<IntegerType>> = BTreeMap::new();
        for (number, _) in (0..).zip(&program.registers).filter(|(_, register)| register.kind == Type::Pointer) {
            let register = RegisterId(number);
            for location in (0..).map(Location).take(program.instructions.len()) {
                let object = this.pointees.at(location, register).object();
                if let Some(kind) = object.and_then(|object| element_type(program, object)) {
                    // A register may point to elements of several types, one after the other: its element is any number then.
                    pointed.entry(register).and_modify(|known| *known = known.filter(|known| *known == kind)).or_insert(Some(kind));
                }
            }
        }
        let mut declare = |element, name, kind: Option<IntegerType>| {
            this.variables.insert(element, Variable::try_from(declared.len()).unwrap_or(Variable::MAX));
            declared.push(LtsVariable { name, range: kind.map(range) });
        };
        for (register, kind) in pointed {
            declare(Element::Pointed(register), format!("*{}", program.registers[register.index()].name), kind);
        }
        for (number, object) in (0..).zip(&program.objects) {
            if let Some(kind) = element_type(program, ObjectId(number)) {
                for index in 0..CELLS {
                    declare(Element::Indexed(ObjectId(number), index), format!("{}[{index}]", object.name), Some(kind));
                }
            }
        }
        this
    }

    /// By variable.
    pub fn by_variable(&self) -> BTreeMap<Variable, Element> {
        self.variables.iter().map(|(element, variable)| (*variable, *element)).collect()
    }

    /// What the register points to before the instruction.
    pub fn pointee(&self, location: Location, register: RegisterId) -> Pointee {
        self.pointees.at(location, register)
    }

    /// The index of the pointer before the instruction: a number, or the register's variable.
    pub fn index(&self, location: Location, register: RegisterId) -> Linear {
        self.pointees.index(location, register).map_or_else(|| Linear::variable(register.0), Linear::constant)
    }

    /// The size of the object's elements, in bytes.
    pub fn size(&self, object: ObjectId) -> u64 {
        self.program.layouts[self.program.objects[object.index()].layout.index()].size
    }

    /// The type of the object's elements, if they are integers and nothing beside.
    pub fn kind(&self, object: ObjectId) -> Option<IntegerType> {
        element_type(self.program, object)
    }

    /// The variable of what the register points to.
    pub fn pointed(&self, register: RegisterId) -> Option<Variable> {
        self.variables.get(&Element::Pointed(register)).copied()
    }

    /// All variables for elements.
    pub fn all(&self) -> impl Iterator<Item = Variable> {
        self.variables.values().copied()
    }

    /// The variables that are elements of the object before the instruction, with their indices.
    pub fn of(&self, location: Location, object: ObjectId) -> Vec<(Variable, Linear)> {
        let elements = self.variables.iter().filter_map(|(element, variable)| match *element {
            Element::Pointed(register) => {
                let is_known = self.pointee(location, register) == Pointee::Object(object);
                is_known.then(|| (*variable, self.index(location, register)))
            }
            Element::Indexed(of, index) => (of == object).then(|| (*variable, Linear::constant(index))),
        });
        elements.collect()
    }

    /// The variables that may be elements of the object before the instruction.
    pub fn possibly_of(&self, location: Location, object: ObjectId) -> Vec<Variable> {
        let elements = self.variables.iter().filter(|(element, _)| match **element {
            Element::Pointed(register) => match self.pointee(location, register) {
                Pointee::Object(other) | Pointee::ObjectOrNothing(other) => other == object,
                Pointee::Anything => true,
                Pointee::Nothing => false,
            },
            Element::Indexed(other, _) => other == object,
        });
        elements.map(|(_, variable)| *variable).collect()
    }

    /// What the element of the object with this index is before the instruction.
    pub fn element(&self, location: Location, object: ObjectId, at: &Linear) -> Result<Vec<Alternative>, Overflow> {
        let mut alternatives = Vec::new();
        for (variable, index) in self.of(location, object) {
            let condition = equal(&index, at)?;
            if !condition.contains(&Literal::False) {
                alternatives.push(Alternative { condition, value: Linear::variable(variable) });
            }
        }
        // Those that are certain first.
        alternatives.sort_by_key(|alternative| alternative.condition.len());
        Ok(alternatives)
    }
}

/// Two bounds that say that the terms are equal, or what is left of them.
pub fn equal(left: &Linear, right: &Linear) -> Result<Vec<Literal>, Overflow> {
    let bounds = [Literal::less_or_equal(left, right)?, Literal::less_or_equal(right, left)?];
    Ok(bounds.into_iter().filter(|literal| *literal != Literal::True).collect())
}

/// That the terms are different.
pub fn different(left: &Linear, right: &Linear) -> Result<Literal, Overflow> {
    let Linear { term, constant } = left.plus(right, -1)?;
    let positive = if term.first().is_some_and(|(_, factor)| *factor < 0) { negated(&term) } else { term.clone() };
    let value = if positive == term { constant.checked_neg().ok_or(Overflow)? } else { constant };
    Ok(Literal::differs(positive, value))
}
