//! Objects of memory (`spec/program.md#objects`).
//!
//! An object may have more elements than the machine running this has bytes, so only written cells are stored, above the contents with
//! which the object began.

use crate::{
    arithmetic,
    value::{Reference, Value},
};
use goatherd_certificates::program::{Access, Layout, ObjectId, Type};
use std::collections::BTreeMap;

/// Is an object there to be used?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// Allocated, in scope.
    Live,
    /// Freed, or out of scope: the value of a pointer to it may only be copied.
    Dead,
}

/// May an object be passed to `free`?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Release {
    /// It was allocated, or is an input.
    Freeable,
    /// It is static or local.
    Never,
}

/// One field of all elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells<'p> {
    initial: Initial<'p>,
    written: BTreeMap<i128, Value>,
}

/// With what a field began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Initial<'p> {
    /// The same in all elements.
    Same(Value),
    /// Element i holds entry i of a table.
    Table(&'p [i128]),
    /// Element i holds entry i.
    Each(Vec<Value>),
    /// Of an input whose elements are drawn when they are first read: what has been drawn.
    Drawn(BTreeMap<i128, i128>),
}

impl<'p> Cells<'p> {
    /// All values that the cells of so many elements hold, each once or more.
    fn values(&self, count: u64) -> impl Iterator<Item = Value> {
        let initial: Vec<Value> = match &self.initial {
            // Only cells are written.
            Initial::Same(_) if u64::try_from(self.written.len()) == Ok(count) => Vec::new(),
            Initial::Same(value) => vec![*value],
            Initial::Each(values) => {
                (0..).zip(values).filter(|(index, _)| !self.written.contains_key(index)).map(|(_, value)| *value).collect()
            }
            // Integers.
            Initial::Table(_) | Initial::Drawn(_) => Vec::new(),
        };
        initial.into_iter().chain(self.written.values().copied())
    }

    /// Cells that begin so.
    pub fn new(initial: Initial<'p>) -> Self {
        Cells { initial, written: BTreeMap::new() }
    }

    fn get(&self, index: i128) -> Value {
        if let Some(&value) = self.written.get(&index) {
            return value;
        }
        let position = usize::try_from(index).ok();
        match &self.initial {
            Initial::Same(value) => *value,
            Initial::Table(values) => {
                position.and_then(|position| values.get(position)).map_or(Value::Uninitialised, |&value| Value::Integer(value))
            }
            Initial::Each(values) => position.and_then(|position| values.get(position)).copied().unwrap_or(Value::Uninitialised),
            Initial::Drawn(values) => values.get(&index).map_or(Value::Uninitialised, |&value| Value::Integer(value)),
        }
    }
}

/// An object that exists or has existed. Its elements are those with indices from 0 to below [`MemoryObject::count`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryObject<'p> {
    /// Its declaration or allocation site; none for the nodes of a linked input.
    pub declaration: Option<ObjectId>,
    /// Its elements.
    pub layout: &'p Layout,
    /// The number of elements.
    pub count: u64,
    /// May it be used?
    pub life: Life,
    /// May it be written?
    pub access: Access,
    /// May it be freed?
    pub release: Release,
    pub(crate) fields: Vec<Cells<'p>>,
}

impl MemoryObject<'_> {
    /// Is the element one of the object's?
    pub fn holds(&self, index: i128) -> bool {
        (0..i128::from(self.count)).contains(&index)
    }

    /// What the field of the element holds; uninitialised where the object has no such cell.
    pub fn cell(&self, index: i128, field: usize) -> Value {
        if self.holds(index) { self.fields.get(field).map_or(Value::Uninitialised, |cells| cells.get(index)) } else { Value::Uninitialised }
    }

    /// What its pointer fields point to.
    pub(crate) fn pointees(&self) -> impl Iterator<Item = Reference> {
        self.fields.iter().flat_map(|cells| cells.values(self.count)).filter_map(|value| match value {
            Value::Pointer(pointer) => Some(pointer.object),
            _ => None,
        })
    }

    /// Must the cell, which is one of the object's, be drawn before it is read?
    pub(crate) fn is_undrawn(&self, index: i128, field: usize) -> bool {
        self.fields.get(field).is_some_and(|cells| match &cells.initial {
            Initial::Drawn(values) => !values.contains_key(&index) && !cells.written.contains_key(&index),
            _ => false,
        })
    }

    /// Settles what an undrawn cell holds.
    pub(crate) fn draw(&mut self, index: i128, field: usize, value: i128) {
        if let Some(Cells { initial: Initial::Drawn(values), .. }) = self.fields.get_mut(field) {
            values.insert(index, value);
        }
    }

    /// The integer with which the cell of a drawn field began; 0 if it was never read.
    pub(crate) fn drawn(&self, index: i128, field: usize) -> i128 {
        match self.fields.get(field).map(|cells| &cells.initial) {
            Some(Initial::Drawn(values)) => values.get(&index).copied().unwrap_or(0),
            _ => 0,
        }
    }

    pub(crate) fn write(&mut self, index: i128, field: usize, value: Value) {
        if let Some(cells) = self.fields.get_mut(field) {
            cells.written.insert(index, value);
        }
    }

    /// The field that an access of this type at this byte of an element reaches: of the same width, a pointer for a pointer.
    pub(crate) fn field(&self, byte: u64, access: Type) -> Option<usize> {
        self.layout.fields.iter().position(|field| field.offset == byte && is_as_wide(field.kind, access))
    }
}

fn is_as_wide(left: Type, right: Type) -> bool {
    match (left, right) {
        (Type::Pointer, Type::Pointer) => true,
        (Type::Integer(left), Type::Integer(right)) => arithmetic::width(left) == arithmetic::width(right),
        _ => false,
    }
}

/// The size of a field in bytes.
pub(crate) fn size(kind: Type) -> u64 {
    match kind {
        Type::Integer(kind) => u64::from(arithmetic::width(kind) / 8),
        Type::Pointer => 8,
    }
}
