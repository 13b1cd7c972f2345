//! A program as a transition system: one location per instruction, one edge per way on (`spec/paths.md#programs`).
//!
//! What is not linear over the integer registers is any value of its type. A pointer whose object is known is its index there, and elements
//! of arrays are variables ([`crate::memory`]). Ways on that fail without the program's own `Fail`, or that are ignored, have no edge: such a
//! path need not be kept.

use crate::{
    memory::{Elements, Memory, different, equal},
    pointees::{Pointee, Shift, elements},
};
use goatherd_certificates::{
    certificate::{Parameters, SignedOverflow},
    program::{
        Advance, Allocate, ArrayInput, Branch, Compute, Condition, Distance, Input, Instruction, IntegerType, Location, ObjectId, Operand,
        Operation, PointerOperand, Program, RegisterId, Relation, Type,
    },
};
use goatherd_checker::arithmetic::{range, width};
use goatherd_systems::{
    literal::{Linear, Literal, Overflow, Variable, negated, sum},
    lts::{Alternative, Edge, Location as LtsLocation, Lts, LtsVariable, Value, index},
    realisation::Element,
};
use std::collections::BTreeMap;

/// The transition system of a program, and the elements that variables stand for. Variable `n` is register `n`, of a pointer its index;
/// location `n` is instruction `n`.
pub fn transition_system(
    program: &Program,
    parameters: &Parameters,
    memory: Memory,
) -> Result<(Lts, BTreeMap<Variable, Element>), Overflow> {
    let mut lts = Lts { variables: program.registers.iter().map(variable).collect(), ..Lts::default() };
    let elements = Elements::new(program, memory, &mut lts.variables);
    let mut conversion = Conversion { program, parameters, elements, variables: &lts.variables, edges: Vec::new(), source: 0 };
    for (location, instruction) in (0..).zip(&program.instructions) {
        if matches!(instruction, Instruction::Halt | Instruction::Fail { .. }) {
            lts.finals.insert(location);
        }
        conversion.source = location;
        conversion.instruction(instruction)?;
    }
    let (entry, elements) = (conversion.entry()?, conversion.elements.by_variable());
    lts.edges = conversion.edges;
    lts.entry = entry;
    Ok((lts, elements))
}

fn variable(register: &goatherd_certificates::program::Register) -> LtsVariable {
    let range = match register.kind {
        Type::Integer(kind) => Some(range(kind)),
        Type::Pointer => None,
    };
    LtsVariable { name: register.name.clone(), range }
}

fn number(register: RegisterId) -> Variable {
    register.0
}

fn linear(operand: Operand) -> Linear {
    match operand {
        Operand::Register(register) => Linear::variable(number(register)),
        Operand::Constant(value) => Linear::constant(value),
    }
}

struct Conversion<'a> {
    program: &'a Program,
    parameters: &'a Parameters,
    elements: Elements<'a>,
    variables: &'a [LtsVariable],
    edges: Vec<Edge>,
    /// The location of the instruction at hand.
    source: LtsLocation,
}

impl Conversion<'_> {
    fn edge(&mut self, target: LtsLocation, guard: Vec<Literal>, assignments: Vec<(Variable, Value)>) {
        self.edges.push(Edge { source: self.source, target, guard, assignments });
    }

    fn goto(&mut self, target: Location, guard: Vec<Literal>) {
        self.edge(target.0, guard, Vec::new());
    }

    /// Goes on at the next instruction.
    fn assign(&mut self, guard: Vec<Literal>, assignments: impl IntoIterator<Item = (Variable, Value)>) {
        // Ascending, each variable once.
        let assignments: BTreeMap<Variable, Value> = assignments.into_iter().collect();
        self.edge(self.source + 1, guard, assignments.into_iter().collect());
    }

    fn in_range(&self, target: Variable, value: Linear) -> Result<Value, Overflow> {
        let extent = self.extent(&value);
        Value::in_range(value, &self.variables[index(target)], extent)
    }

    /// The least and the greatest value, by the ranges of the variables; none where one has no range.
    fn extent(&self, value: &Linear) -> Option<(i128, i128)> {
        let (mut lowest, mut highest) = (value.constant, value.constant);
        for (variable, coefficient) in &value.term {
            let (least, greatest) = self.variables[index(*variable)].range?;
            let ends = (coefficient.checked_mul(least)?, coefficient.checked_mul(greatest)?);
            lowest = lowest.checked_add(ends.0.min(ends.1))?;
            highest = highest.checked_add(ends.0.max(ends.1))?;
        }
        Some((lowest, highest))
    }

    /// What holds at the start: array inputs and what they point to.
    fn entry(&self) -> Result<Vec<Literal>, Overflow> {
        let mut entry = Vec::new();
        for input in &self.program.inputs {
            let (Input::Array(ArrayInput { pointer, .. }) | Input::Single { pointer, .. }) = input else { continue };
            entry.extend(equal(&Linear::variable(pointer.0), &Linear::constant(0))?);
            if let Input::Array(ArrayInput { length, .. }) = input {
                entry.push(Literal::less_or_equal(&Linear::constant(0), &Linear::variable(length.0))?);
            }
        }
        Ok(entry)
    }

    fn integer_type(&self, register: RegisterId) -> Option<IntegerType> {
        match self.program.registers.get(register.index())?.kind {
            Type::Integer(kind) => Some(kind),
            Type::Pointer => None,
        }
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), Overflow> {
        match instruction {
            Instruction::Halt | Instruction::Fail { .. } | Instruction::Ignore => {}
            Instruction::Jump { target } => self.goto(*target, Vec::new()),
            // Whatever decides, there is one way on.
            Instruction::Branch(Branch { then, otherwise, .. }) | Instruction::Choose { then, otherwise } if then == otherwise => {
                self.goto(*then, Vec::new());
            }
            Instruction::Choose { then, otherwise } => {
                self.goto(*then, Vec::new());
                self.goto(*otherwise, Vec::new());
            }
            Instruction::Branch(Branch { condition, then, otherwise }) => {
                let (holds, fails) = match condition {
                    Condition::Integers { relation, left, right } => guards(*relation, &linear(*left), &linear(*right))?,
                    Condition::Pointers { relation, left, right } => match self.common_object(*left, *right) {
                        Some((left, right)) => guards(*relation, &left, &right)?,
                        None => (Vec::new(), Vec::new()),
                    },
                };
                self.goto(*then, holds);
                self.goto(*otherwise, fails);
            }
            Instruction::Assign { target, value } => {
                let value = self.in_range(number(*target), linear(*value))?;
                self.assign(Vec::new(), [(number(*target), value)]);
            }
            Instruction::Compute(Compute { target, operation, left, right }) => self.compute(*target, *operation, *left, *right)?,
            Instruction::Havoc { target } | Instruction::Uninitialise { target } => self.unknown(*target),
            Instruction::Distance(Distance { target, left, right, scale }) => self.distance(*target, *left, *right, *scale)?,
            Instruction::Load { target, address, offset } => self.load(*target, *address, *offset)?,
            Instruction::Store { address, offset, source } => self.store(*address, *offset, *source)?,
            Instruction::Copy { target, source } => self.point(*target, self.pointee(*source), &self.place(*source))?,
            Instruction::Address { target, object } => self.point(*target, Pointee::Object(*object), &Linear::constant(0))?,
            Instruction::Advance(Advance { target, base, index, scale }) => self.advance(*target, *base, *index, *scale)?,
            Instruction::Allocate(Allocate { target, object, .. }) => {
                let fresh = self.forgotten(*object);
                let index = (number(*target), Value::Exact(Linear::constant(0)));
                let pointed = self.elements.pointed(*target).map(|variable| (variable, Value::Unknown));
                self.assign(Vec::new(), fresh.into_iter().chain([index]).chain(pointed));
            }
            Instruction::Enter { object } | Instruction::Leave { object } => self.assign(Vec::new(), self.forgotten(*object)),
            Instruction::Null { .. } | Instruction::Free { .. } | Instruction::CheckLeaks { .. } => self.assign(Vec::new(), []),
        }
        Ok(())
    }

    fn unknown(&mut self, target: RegisterId) {
        let assignments = if self.integer_type(target).is_some() { vec![(number(target), Value::Unknown)] } else { Vec::new() };
        self.assign(Vec::new(), assignments);
    }

    fn pointee(&self, register: RegisterId) -> Pointee {
        self.elements.pointee(Location(self.source), register)
    }

    /// The index of a pointer.
    fn place(&self, register: RegisterId) -> Linear {
        self.elements.index(Location(self.source), register)
    }

    /// The indices of two pointers that point into one object.
    fn common_object(&self, left: PointerOperand, right: PointerOperand) -> Option<(Linear, Linear)> {
        let (PointerOperand::Register(left), PointerOperand::Register(right)) = (left, right) else { return None };
        let (Pointee::Object(object), Pointee::Object(other)) = (self.pointee(left), self.pointee(right)) else { return None };
        (object == other).then(|| (self.place(left), self.place(right)))
    }

    /// The register points there from now on, at the index.
    fn point(&mut self, target: RegisterId, pointee: Pointee, at: &Linear) -> Result<(), Overflow> {
        let Some(object) = pointee.object() else {
            let pointed = self.elements.pointed(target);
            self.assign(Vec::new(), [number(target)].into_iter().chain(pointed).map(|variable| (variable, Value::Unknown)));
            return Ok(());
        };
        let mut assignments = vec![(number(target), Value::Exact(at.clone()))];
        if let Some(variable) = self.elements.pointed(target) {
            assignments.push((variable, self.element(variable, object, at)?));
        }
        self.assign(Vec::new(), assignments);
        Ok(())
    }

    /// What the element of the object is, as a value of the variable.
    fn element(&self, target: Variable, object: ObjectId, at: &Linear) -> Result<Value, Overflow> {
        let mut alternatives = Vec::new();
        for Alternative { mut condition, value } in self.elements.element(Location(self.source), object, at)? {
            let (declared, source) = (&self.variables[index(target)], value.term.first().map(|(variable, _)| *variable));
            if source.is_none_or(|source| self.variables[index(source)].range != declared.range) {
                condition.extend(declared.range_of(&value)?);
            }
            if condition.is_empty() {
                return Ok(Value::Exact(value));
            }
            alternatives.push(Alternative { condition, value });
        }
        Ok(if alternatives.is_empty() { Value::Unknown } else { Value::Where(alternatives) })
    }

    fn advance(&mut self, target: RegisterId, base: RegisterId, index: Operand, scale: i64) -> Result<(), Overflow> {
        let pointee = self.pointee(base);
        let shift = pointee.object().and_then(|object| elements(self.elements.size(object), index, scale));
        let from = self.place(base);
        match shift {
            Some(Shift::By(count)) => self.point(target, pointee, &from.plus(&Linear::constant(count), 1)?),
            Some(Shift::Times(register, count)) => self.point(target, pointee, &from.plus(&Linear::variable(number(register)), count)?),
            None => self.point(target, Pointee::Anything, &from),
        }
    }

    fn distance(&mut self, target: RegisterId, left: RegisterId, right: RegisterId, scale: u64) -> Result<(), Overflow> {
        let object = self.pointee(left).object();
        let operands = self.common_object(PointerOperand::Register(left), PointerOperand::Register(right));
        let factor = object.map(|object| self.elements.size(object)).filter(|size| scale != 0 && size % scale == 0);
        let (Some((left, right)), Some(size)) = (operands, factor) else {
            self.unknown(target);
            return Ok(());
        };
        let difference = Linear::default().plus(&left.plus(&right, -1)?, i128::from(size / scale))?;
        let value = self.in_range(number(target), difference)?;
        self.assign(Vec::new(), [(number(target), value)]);
        Ok(())
    }

    /// The index of the element that is accessed, and the object; none if it is not an array of integers of that width.
    fn accessed(&self, address: RegisterId, offset: i64, kind: IntegerType) -> Result<Option<(ObjectId, Linear)>, Overflow> {
        let object = self.pointee(address).object();
        let Some(object) = object.filter(|object| self.elements.kind(*object).is_some_and(|own| width(own) == width(kind))) else {
            return Ok(None);
        };
        let Some(Shift::By(count)) = elements(self.elements.size(object), Operand::Constant(i128::from(offset)), 1) else {
            return Ok(None);
        };
        Ok(Some((object, self.place(address).plus(&Linear::constant(count), 1)?)))
    }

    fn load(&mut self, target: RegisterId, address: RegisterId, offset: i64) -> Result<(), Overflow> {
        let Some(kind) = self.integer_type(target) else {
            return self.point(target, Pointee::Anything, &Linear::default());
        };
        let value = match self.accessed(address, offset, kind)? {
            Some((object, at)) => self.element(number(target), object, &at)?,
            None => Value::Unknown,
        };
        self.assign(Vec::new(), [(number(target), value)]);
        Ok(())
    }

    fn store(&mut self, address: RegisterId, offset: i64, source: RegisterId) -> Result<(), Overflow> {
        let kind = self.integer_type(source);
        let accessed = kind.map(|kind| self.accessed(address, offset, kind)).transpose()?.flatten();
        let Some((object, at)) = accessed else {
            // Whatever that was: it is in no other object, where the object is known.
            let forgotten = match self.pointee(address).object() {
                Some(object) => self.forgotten(object),
                None => self.elements.all().map(|variable| (variable, Value::Unknown)).collect(),
            };
            self.assign(Vec::new(), forgotten);
            return Ok(());
        };
        let known = self.elements.of(Location(self.source), object);
        let mut assignments = self.forgotten(object);
        let stored = Linear::variable(number(source));
        for (variable, place) in known {
            let declared = &self.variables[index(variable)];
            let mut same = equal(&place, &at)?;
            same.extend(declared.range_of(&stored)?.into_iter().filter(|_| declared.range != self.variables[index(number(source))].range));
            let other = different(&place, &at)?;
            let value = if same.is_empty() {
                Value::Exact(stored.clone())
            } else if other == Literal::True {
                Value::Exact(Linear::variable(variable))
            } else {
                let same = Alternative { condition: same, value: stored.clone() };
                Value::Where(vec![same, Alternative { condition: vec![other], value: Linear::variable(variable) }])
            };
            assignments.push((variable, value));
        }
        self.assign(Vec::new(), assignments);
        Ok(())
    }

    /// Nothing is known any more of the object's elements.
    fn forgotten(&self, object: ObjectId) -> Vec<(Variable, Value)> {
        self.elements.possibly_of(Location(self.source), object).into_iter().map(|variable| (variable, Value::Unknown)).collect()
    }

    fn compute(&mut self, target: RegisterId, operation: Operation, left: Operand, right: Operand) -> Result<(), Overflow> {
        let (first, second) = (linear(left), linear(right));
        let result = match (operation, left, right) {
            (Operation::Add, ..) => Some(first.plus(&second, 1)?),
            (Operation::Subtract, ..) => Some(first.plus(&second, -1)?),
            (Operation::Multiply, _, Operand::Constant(factor)) => Some(Linear::default().plus(&first, factor)?),
            (Operation::Multiply, Operand::Constant(factor), _) => Some(Linear::default().plus(&second, factor)?),
            _ => None,
        };
        let Some(result) = result else {
            self.unknown(target);
            return Ok(());
        };
        let fails = self.parameters.signed_overflow == SignedOverflow::Fails;
        let is_signed = self.integer_type(target).is_some_and(|kind| range(kind).0 < 0);
        // Where overflow fails, only what is in range goes on.
        let guard = if fails && is_signed { variable(&self.program.registers[target.index()]).range_of(&result)? } else { Vec::new() };
        let guard = guard.into_iter().filter(|literal| *literal != Literal::True).collect();
        let value = self.in_range(number(target), result)?;
        self.assign(guard, [(number(target), value)]);
        Ok(())
    }
}

/// When a comparison holds, and when it fails.
fn guards(relation: Relation, left: &Linear, right: &Linear) -> Result<(Vec<Literal>, Vec<Literal>), Overflow> {
    let Linear { term, constant } = left.plus(right, -1)?;
    let opposite = constant.checked_neg().ok_or(Overflow)?;
    Ok(match relation {
        Relation::Equal => {
            let equal = vec![Literal::at_most(term.clone(), opposite), Literal::at_most(negated(&term), constant)];
            (equal, vec![Literal::differs(term, opposite)])
        }
        Relation::Less => (vec![Literal::at_most(term.clone(), opposite - 1)], vec![Literal::at_most(sum(&[], &term, -1)?, constant)]),
        Relation::LessOrEqual => {
            (vec![Literal::at_most(term.clone(), opposite)], vec![Literal::at_most(sum(&[], &term, -1)?, constant - 1)])
        }
    })
}
