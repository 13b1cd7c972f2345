//! What the entry function is given (`spec/program.md#inputs`).

use crate::{
    arithmetic,
    memory::{Cells, Initial, Life, MemoryObject, Release},
    value::{Pointer, Reference, Value},
};
use goatherd_certificates::{
    certificate,
    program::{Access, ArrayInput, Input, Layout, Link, ObjectId, Origin, Program, RegisterId, Type},
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
    /// Of a linked input: its nodes, each behind the one above it; empty for NULL.
    Linked(Vec<LinkedNode>),
}

/// A node of a linked input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkedNode {
    /// Its integer fields, in order.
    pub integers: Vec<i128>,
    /// Per child field NULL or a node further down the list, which no other field points to.
    pub children: Vec<Option<usize>>,
}

impl LinkedNode {
    /// The declarations of the nodes of an input whose root has this one. None if they are not one tree with each node behind the one above
    /// it, or do not have one child per [`Link::Child`] of their declarations.
    pub fn declarations(program: &Program, root: ObjectId, nodes: &[Self]) -> Option<Vec<ObjectId>> {
        let mut declarations: Vec<Option<ObjectId>> = vec![None; nodes.len()];
        if let Some(first) = declarations.first_mut() {
            *first = Some(root);
        }
        for (place, node) in nodes.iter().enumerate() {
            let mut children = node.children.iter();
            for link in links_of(program, declarations[place]?) {
                let Link::Child(declaration) = link else { continue };
                if let Some(child) = *children.next()? {
                    let known = declarations.get_mut(child).filter(|known| child > place && known.is_none())?;
                    *known = Some(ObjectId(declaration.0));
                }
            }
            if children.next().is_some() {
                return None;
            }
        }
        declarations.into_iter().collect()
    }
}

/// What the fields of a node are to its heap; nothing where the object is no node.
pub fn links_of(program: &Program, declaration: ObjectId) -> &[Link] {
    match program.objects.get(declaration.index()).map(|object| &object.origin) {
        Some(Origin::Node { links }) => links,
        _ => &[],
    }
}

impl InputValue {
    /// The value that a certificate stores for this input; none if it is not one of the input's kind, or no tree.
    pub fn from_certificate(program: &Program, input: &Input, value: &certificate::InputValue) -> Option<Self> {
        Some(match (input, value) {
            (Input::Integer { .. }, certificate::InputValue::Integer(value)) => InputValue::Integer(*value),
            (Input::Array(_), certificate::InputValue::Array(elements)) => InputValue::Array(elements.clone()),
            (Input::Single { .. }, certificate::InputValue::Single(fields)) => InputValue::Single(fields.clone()),
            (Input::Linked { object, .. }, certificate::InputValue::Linked(entries)) => {
                InputValue::Linked(from_preorder(program, *object, entries)?)
            }
            _ => return None,
        })
    }

    /// The value as a certificate stores it.
    pub fn to_certificate(&self) -> certificate::InputValue {
        match self {
            InputValue::Integer(value) => certificate::InputValue::Integer(*value),
            InputValue::Array(elements) => certificate::InputValue::Array(elements.clone()),
            InputValue::Single(fields) => certificate::InputValue::Single(fields.clone()),
            InputValue::Linked(nodes) => certificate::InputValue::Linked(to_preorder(nodes)),
        }
    }
}

/// Each node before its children, these in the order of their fields; an entry for each NULL.
fn to_preorder(nodes: &[LinkedNode]) -> Vec<Option<Vec<i128>>> {
    let mut entries = Vec::new();
    let mut open = vec![(!nodes.is_empty()).then_some(0)];
    while let Some(node) = open.pop() {
        let node = node.and_then(|place: usize| nodes.get(place));
        entries.push(node.map(|node| node.integers.clone()));
        open.extend(node.into_iter().flat_map(|node| node.children.iter().rev().copied()));
    }
    entries
}

/// The nodes that such entries describe; none if there are too few or too many.
fn from_preorder(program: &Program, root: ObjectId, entries: &[Option<Vec<i128>>]) -> Option<Vec<LinkedNode>> {
    let mut nodes: Vec<LinkedNode> = Vec::new();
    // Which declaration the next entry has, and which field of which node points to it.
    let mut open: Vec<(ObjectId, Option<(usize, usize)>)> = vec![(root, None)];
    for entry in entries {
        let (declaration, owner) = open.pop()?;
        let Some(integers) = entry else { continue };
        let place = nodes.len();
        if let Some((owner, child)) = owner {
            nodes[owner].children[child] = Some(place);
        }
        let children = links_of(program, declaration)
            .iter()
            .filter_map(|link| if let Link::Child(child) = link { Some(ObjectId(child.0)) } else { None });
        let children: Vec<ObjectId> = children.collect();
        nodes.push(LinkedNode { integers: integers.clone(), children: vec![None; children.len()] });
        open.extend(children.into_iter().enumerate().map(|(child, declaration)| (declaration, Some((place, child)))).rev());
    }
    open.is_empty().then_some(nodes)
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
    /// There is not one integer per integer field.
    Fields(usize),
    /// The nodes are not one tree with each node behind the one above it, or have not one child per child field.
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
            (Input::Array(ArrayInput { pointer, length, object }), InputValue::Array(elements)) => {
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
            (Input::Linked { pointer, object }, InputValue::Linked(nodes)) => self.linked(program, position, *object, *pointer, nodes),
            _ => Err(InvalidInput::Kind(position)),
        }
    }

    fn undrawn(&mut self, program: &'p Program, position: usize, count: u64) -> Result<(), InvalidInput> {
        let Input::Array(ArrayInput { pointer, length, object }) = program.inputs[position] else {
            return Err(InvalidInput::Kind(position));
        };
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

    fn linked(
        &mut self,
        program: &'p Program,
        position: usize,
        root: ObjectId,
        pointer: RegisterId,
        nodes: &[LinkedNode],
    ) -> Result<(), InvalidInput> {
        let first = self.objects.len();
        let declarations = LinkedNode::declarations(program, root, nodes).ok_or(InvalidInput::Shape(position))?;
        let mut above = vec![Value::Null; nodes.len()];
        for (place, (node, declaration)) in nodes.iter().zip(declarations).enumerate() {
            let layout = layout_of(program, declaration);
            check_integers(position, layout, &node.integers)?;
            for &child in node.children.iter().flatten() {
                above[child] = start(first + place);
            }
            let (mut integers, mut children) = (node.integers.iter(), node.children.iter());
            let fields = links_of(program, declaration).iter().map(|link| {
                Cells::new(Initial::Same(match link {
                    Link::Data | Link::Range { .. } => integers.next().map_or(Value::Uninitialised, |&value| Value::Integer(value)),
                    Link::Child(_) | Link::Handed { .. } => {
                        children.next().copied().flatten().map_or(Value::Null, |child| start(first + child))
                    }
                    Link::Up => above[place],
                    Link::Other | Link::Same | Link::Any | Link::Ring { .. } | Link::Last(_) => Value::Uninitialised,
                    Link::Null => Value::Null,
                }))
            });
            let fields = fields.collect();
            self.add(layout, Some(declaration), 1, fields);
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
