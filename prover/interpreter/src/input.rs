//! What the entry function is given (`spec/program.md#inputs`).

use crate::{
    arithmetic,
    memory::{Cells, Initial, Life, MemoryObject, Release},
    value::{Pointer, Reference, Value},
};
use goatherd_certificates::{
    certificate,
    program::{Access, Input, Layout, ObjectId, Program, RegisterId, Type},
};
use std::{collections::BTreeMap, fmt};

/// The value of one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputValue {
    /// Of an integer input.
    Integer(i128),
    /// Of an array input: per element its integer fields, in order.
    Array(Vec<Vec<i128>>),
    /// Of a single input: NULL, or the integer fields.
    Single(Option<Vec<i128>>),
    /// Of a linked input: its nodes, the root first; empty for NULL.
    Linked(Vec<LinkedNode>),
}

/// A node of a linked input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkedNode {
    /// Its integer fields, in order.
    pub integers: Vec<i128>,
    /// Per pointer field NULL or a node further down the list, which no other field points to.
    pub children: Vec<Option<usize>>,
}

impl InputValue {
    /// The value that a certificate stores; none for linked inputs.
    pub fn from_certificate(value: &certificate::InputValue) -> Option<Self> {
        match value {
            certificate::InputValue::Integer(value) => Some(InputValue::Integer(*value)),
            certificate::InputValue::Array(elements) => Some(InputValue::Array(elements.clone())),
            certificate::InputValue::Single(fields) => Some(InputValue::Single(fields.clone())),
            certificate::InputValue::Linked(_) => None,
        }
    }

    /// The value as a certificate stores it; none for linked inputs.
    pub fn to_certificate(&self) -> Option<certificate::InputValue> {
        match self {
            InputValue::Integer(value) => Some(certificate::InputValue::Integer(*value)),
            InputValue::Array(elements) => Some(certificate::InputValue::Array(elements.clone())),
            InputValue::Single(fields) => Some(certificate::InputValue::Single(fields.clone())),
            InputValue::Linked(_) => None,
        }
    }
}

/// The value of one input, perhaps only in part: [`Machine::draw`](crate::Machine::draw).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputShape {
    /// This value.
    Whole(InputValue),
    /// An array of so many elements; each is asked for when it is first read.
    Length(u64),
}

/// Why values are not an input of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidInput {
    /// There is not one value per input.
    Count {
        /// How many inputs the program has.
        expected: usize,
        /// How many values there are.
        found: usize,
    },
    /// The value is of another kind than the input (its position).
    Kind(usize),
    /// An integer is not in the range of its type, or an array is longer than its length's type allows.
    Range(usize),
    /// There is not one integer per integer field, or not one child per pointer field.
    Fields(usize),
    /// The nodes are not one tree with the root first.
    Shape(usize),
    /// An array whose elements have pointer fields.
    PointerField(usize),
}

impl fmt::Display for InvalidInput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidInput::Count { expected, found } => write!(formatter, "{expected} inputs expected, {found} given"),
            InvalidInput::Kind(input) => write!(formatter, "input {input}: another kind of value"),
            InvalidInput::Range(input) => write!(formatter, "input {input}: out of range"),
            InvalidInput::Fields(input) => write!(formatter, "input {input}: wrong number of fields"),
            InvalidInput::Shape(input) => write!(formatter, "input {input}: not a tree with its root first"),
            InvalidInput::PointerField(input) => write!(formatter, "input {input}: an array of elements with pointers is unsupported"),
        }
    }
}

impl std::error::Error for InvalidInput {}

/// What inputs put into the machine at its start.
pub(crate) struct Entry<'p> {
    pub(crate) registers: Vec<(RegisterId, Value)>,
    pub(crate) objects: Vec<MemoryObject<'p>>,
}

/// Builds the inputs of a well-formed program. Refuses values that are no valid input.
pub(crate) fn build<'p>(program: &'p Program, values: &[InputValue]) -> Result<Entry<'p>, InvalidInput> {
    check_count(program, values.len())?;
    let mut entry = Entry { registers: Vec::new(), objects: Vec::new() };
    for (position, value) in values.iter().enumerate() {
        entry.value(program, position, value)?;
    }
    Ok(entry)
}

/// As [`build`], of inputs whose arrays may be drawn later.
pub(crate) fn build_shapes<'p>(program: &'p Program, shapes: &[InputShape]) -> Result<Entry<'p>, InvalidInput> {
    check_count(program, shapes.len())?;
    let mut entry = Entry { registers: Vec::new(), objects: Vec::new() };
    for (position, shape) in shapes.iter().enumerate() {
        match shape {
            InputShape::Whole(value) => entry.value(program, position, value)?,
            InputShape::Length(count) => entry.undrawn(program, position, *count)?,
        }
    }
    Ok(entry)
}

fn check_count(program: &Program, found: usize) -> Result<(), InvalidInput> {
    let expected = program.inputs.len();
    if found == expected { Ok(()) } else { Err(InvalidInput::Count { expected, found }) }
}

fn layout_of(program: &Program, object: ObjectId) -> &Layout {
    &program.layouts[program.objects[object.index()].layout.index()]
}

impl<'p> Entry<'p> {
    fn value(&mut self, program: &'p Program, position: usize, value: &InputValue) -> Result<(), InvalidInput> {
        match (&program.inputs[position], value) {
            (Input::Integer { register }, InputValue::Integer(value)) => self.integer(program, position, *register, *value),
            (Input::Array { pointer, length, object }, InputValue::Array(elements)) => {
                // A vector may have more elements than there are numbers of 64 bits only in theory.
                let count = u64::try_from(elements.len()).map_err(|_| InvalidInput::Range(position))?;
                let layout = self.array(program, position, *object, *length, count)?;
                self.structure(position, layout, Some(*object), *pointer, elements)
            }
            (Input::Single { pointer, .. }, InputValue::Single(None)) => {
                self.registers.push((*pointer, Value::Null));
                Ok(())
            }
            (Input::Single { pointer, object }, InputValue::Single(Some(fields))) => {
                self.structure(position, layout_of(program, *object), Some(*object), *pointer, std::slice::from_ref(fields))
            }
            (Input::Linked { pointer, object }, InputValue::Linked(nodes)) => {
                self.linked(position, layout_of(program, *object), *pointer, nodes)
            }
            _ => Err(InvalidInput::Kind(position)),
        }
    }

    fn undrawn(&mut self, program: &'p Program, position: usize, count: u64) -> Result<(), InvalidInput> {
        let Input::Array { pointer, length, object } = program.inputs[position] else { return Err(InvalidInput::Kind(position)) };
        let layout = self.array(program, position, object, length, count)?;
        let fields = layout.fields.iter().map(|_| Cells::new(Initial::Drawn(BTreeMap::new()))).collect();
        let start = self.add(layout, Some(object), count, fields);
        self.registers.push((pointer, start));
        Ok(())
    }

    /// Checks the number of elements, sets the length, and gives the layout.
    fn array(
        &mut self,
        program: &'p Program,
        position: usize,
        object: ObjectId,
        length: RegisterId,
        count: u64,
    ) -> Result<&'p Layout, InvalidInput> {
        let layout = layout_of(program, object);
        if layout.fields.iter().any(|field| field.kind == Type::Pointer) {
            return Err(InvalidInput::PointerField(position));
        }
        if count > i64::MAX.unsigned_abs() / layout.size {
            return Err(InvalidInput::Range(position));
        }
        self.integer(program, position, length, i128::from(count))?;
        Ok(layout)
    }

    fn integer(&mut self, program: &Program, position: usize, register: RegisterId, value: i128) -> Result<(), InvalidInput> {
        match program.registers[register.index()].kind {
            Type::Integer(kind) if arithmetic::contains(kind, value) => {
                self.registers.push((register, Value::Integer(value)));
                Ok(())
            }
            _ => Err(InvalidInput::Range(position)),
        }
    }

    /// One object with these elements, and the register that points to its start.
    fn structure(
        &mut self,
        position: usize,
        layout: &'p Layout,
        declaration: Option<ObjectId>,
        pointer: RegisterId,
        elements: &[Vec<i128>],
    ) -> Result<(), InvalidInput> {
        for element in elements {
            check_integers(position, layout, element)?;
        }
        let mut integers = 0;
        let mut fields = Vec::new();
        for field in &layout.fields {
            fields.push(Cells::new(match field.kind {
                Type::Pointer => Initial::Same(Value::Uninitialised),
                Type::Integer(_) => {
                    integers += 1;
                    Initial::Each(elements.iter().map(|element| Value::Integer(element[integers - 1])).collect())
                }
            }));
        }
        let start = self.add(layout, declaration, u64::try_from(elements.len()).unwrap_or(u64::MAX), fields);
        self.registers.push((pointer, start));
        Ok(())
    }

    fn linked(&mut self, position: usize, layout: &'p Layout, pointer: RegisterId, nodes: &[LinkedNode]) -> Result<(), InvalidInput> {
        let first = self.objects.len();
        let mut owned = vec![false; nodes.len()];
        for (place, node) in nodes.iter().enumerate() {
            check_integers(position, layout, &node.integers)?;
            if node.children.len() + node.integers.len() != layout.fields.len() {
                return Err(InvalidInput::Fields(position));
            }
            for &child in node.children.iter().flatten() {
                match owned.get_mut(child) {
                    Some(taken) if child > place && !*taken => *taken = true,
                    _ => return Err(InvalidInput::Shape(position)),
                }
            }
            let (mut integers, mut children) = (node.integers.iter(), node.children.iter());
            let fields = layout.fields.iter().map(|field| {
                Cells::new(Initial::Same(match field.kind {
                    Type::Integer(_) => integers.next().map_or(Value::Uninitialised, |&value| Value::Integer(value)),
                    Type::Pointer => children.next().copied().flatten().map_or(Value::Null, |child| start(first + child)),
                }))
            });
            let fields = fields.collect();
            self.add(layout, None, 1, fields);
        }
        if owned.iter().skip(1).any(|owned| !owned) {
            return Err(InvalidInput::Shape(position));
        }
        self.registers.push((pointer, if nodes.is_empty() { Value::Null } else { start(first) }));
        Ok(())
    }

    fn add(&mut self, layout: &'p Layout, declaration: Option<ObjectId>, count: u64, fields: Vec<Cells<'p>>) -> Value {
        self.objects.push(MemoryObject {
            declaration,
            layout,
            count,
            life: Life::Live,
            access: Access::ReadWrite,
            release: Release::Freeable,
            fields,
        });
        start(self.objects.len() - 1)
    }
}

fn start(object: usize) -> Value {
    Value::Pointer(Pointer { object: Reference(object), index: 0, byte: 0 })
}

/// One integer per integer field, each in range.
fn check_integers(position: usize, layout: &Layout, integers: &[i128]) -> Result<(), InvalidInput> {
    let kinds = layout.fields.iter().filter_map(|field| match field.kind {
        Type::Integer(kind) => Some(kind),
        Type::Pointer => None,
    });
    let mut found = integers.iter();
    for kind in kinds {
        match found.next() {
            None => return Err(InvalidInput::Fields(position)),
            Some(&value) if !arithmetic::contains(kind, value) => return Err(InvalidInput::Range(position)),
            Some(_) => {}
        }
    }
    if found.next().is_some() { Err(InvalidInput::Fields(position)) } else { Ok(()) }
}
