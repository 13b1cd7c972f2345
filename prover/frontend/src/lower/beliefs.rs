//! What is believed of the types, layouts and constants of a program, for a compiler to confirm ([`crate::confirm`]). Only data.

use goatherd_certificates::program::IntegerType;
use lang_c::span::Span;
use std::collections::BTreeMap;

/// All that is believed of one program.
#[derive(Clone, Default, Debug)]
pub struct Beliefs {
    /// By where the expression begins and ends in the text for the parser, each once.
    pub(crate) expressions: BTreeMap<(usize, usize), Expression>,
    /// By where `struct` or `union` stands.
    pub(crate) layouts: BTreeMap<usize, Layout>,
    /// Where these beliefs can be written down.
    pub(crate) points: Vec<Point>,
}

/// What is believed of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Expression {
    /// Its type, of a bit-field after promotion.
    pub(crate) ctype: Believed,
    pub(crate) form: Form,
    /// Its value, if it is an integer constant expression (C11 6.6p6).
    pub(crate) value: Option<i128>,
}

/// How the type of an expression is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Plain,
    /// A bit-field has no type to ask for (`__typeof__` of it is an error); what it is promoted to has one.
    BitField,
}

/// A type as far as the program form depends on it: `char` and `signed char` are one, and so are `long` and `long long`, and an enumeration and
/// its integer type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Believed {
    Void,
    Integer {
        kind: IntegerType,
        /// In declarations it is known which of the two it is.
        long_long: bool,
    },
    Pointer {
        target: Box<Believed>,
        /// Is what it points to `const`?
        constant: bool,
    },
    Array {
        element: Box<Believed>,
        /// Missing where it is unknown, or no constant.
        length: Option<u64>,
    },
    Record {
        /// `struct s`, where that names it at this place.
        name: Option<String>,
        /// Missing where it is incomplete.
        size: Option<u64>,
    },
    /// A function with a prototype.
    Function {
        result: Box<Believed>,
        parameters: Vec<Believed>,
    },
    /// Nothing is believed.
    Any,
}

/// How a struct or union is laid out, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// `struct s`
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) alignment: u64,
    /// By the names of members that are no bit-fields.
    pub(crate) offsets: Vec<(String, u64)>,
}

/// A stretch of the text, and where something can be declared that sees the names which it sees. Points are in the order of their beginnings, those
/// inside others behind them.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) span: Span,
    /// The point around it.
    pub(crate) outer: Option<usize>,
    pub(crate) room: Room,
    /// What is declared here, with its place: before it, the name means something else.
    pub(crate) names: Vec<(String, usize)>,
}

/// Where something can be declared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Room {
    /// A statement in a block: before it.
    Before,
    /// A declaration: behind it.
    After,
    /// A `for` with a declaration: at the beginning of its body, which gets braces of its own.
    Around(Span),
    /// Parameter lists, members without a tag: nowhere.
    Nowhere,
}

impl Beliefs {
    /// The innermost point around a stretch of the text.
    pub(crate) fn point(&self, start: usize, end: usize) -> Option<&Point> {
        let mut candidate = self.points.partition_point(|point| point.span.start <= start).checked_sub(1);
        while let Some(point) = candidate.and_then(|index| self.points.get(index)) {
            if end <= point.span.end {
                return Some(point);
            }
            candidate = point.outer;
        }
        None
    }
}

/// What an untagged struct or union is called that begins at this offset of the text: a name that C cannot say.
pub(crate) fn hidden_tag(offset: usize) -> String {
    format!("untagged {offset}")
}

/// What the compiler is told to call it.
pub(crate) fn written_tag(hidden: &str) -> String {
    hidden.replace("untagged ", "__goatherd_")
}
