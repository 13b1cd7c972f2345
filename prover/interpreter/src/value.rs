//! What a register or a cell of memory holds.

use core::fmt;

/// An object of the machine's memory: position in [`Machine::objects`](crate::Machine::objects). One declaration may have several over
/// time: one for each time that its scope is entered or its allocation is executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reference(pub usize);

/// A pointer that is not NULL. It need not be inside its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The object.
    pub object: Reference,
    /// The element: any integer.
    pub index: i128,
    /// Bytes from the start of the element, below the element's size.
    pub byte: u64,
}

/// What a register or a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// No value yet: only a copy may read it.
    Uninitialised,
    /// An integer in the range of the type of its register or field.
    Integer(i128),
    /// The null pointer.
    Null,
    /// A pointer to a byte of an element of an object.
    Pointer(Pointer),
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Uninitialised => formatter.write_str("uninitialised"),
            Value::Integer(value) => write!(formatter, "{value}"),
            Value::Null => formatter.write_str("NULL"),
            Value::Pointer(Pointer { object, index, byte: 0 }) => write!(formatter, "&object {}[{index}]", object.0),
            Value::Pointer(Pointer { object, index, byte }) => write!(formatter, "&object {}[{index}] + {byte} bytes", object.0),
        }
    }
}
