//! What templates have the same of: the form of their members' slots.

use goatherd_certificates::{
    configuration::{FoldedId, TreeId},
    program::{IntegerType, Location, ObjectId, Operation, SortId},
    term::{ArrayId, LinearId},
};
use goatherd_checker::{rejection::Rejection, term::Arena};

/// What of a configuration is not a term: templates of different shapes are different templates.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shape {
    /// A member: its location and which scapegoat it is.
    Member(Location, usize),
    /// What a register or cell holds, and the object that it points to.
    Slot(u32, Option<(ObjectId, u64)>),
    /// An object that exists.
    Object(ObjectId, bool),
    /// A node: of one element, at index 0.
    Node(ObjectId, bool),
    /// A field: how many cells stand apart, and whether there are others.
    Field(usize, bool),
    /// A constant array.
    Array(ArrayId),
    /// An array that is another one but for an element.
    Store,
    /// What a register or cell points to: the root of a folded part, or its last cell.
    Part(FoldedId, End),
    /// An index that no register holds, but that is kept.
    Kept,
    /// A folded part, an occurrence of this symbol.
    Occurrence(TreeId),
    /// A symbol: what its nodes are, and whether it has a hole.
    Symbol(SortId, bool),
    /// A node of a member that is told from others by what it holds, and the primary's that holds the same.
    Counterpart(usize, ObjectId, Option<ObjectId>),
    /// An integer that is no slot, but a function of one.
    Derived(Derived),
}

/// An integer that is a function of a slot, and on which a template keeps facts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Derived {
    /// What a conversion to the type makes of the integer at this position.
    Converted(IntegerType, usize),
    /// The product of these, in 64 bits without a sign.
    Product(Factor, Factor),
    /// The constant, divided by the integer at this position: what that is multiplied with is at most this, where the product has to fit.
    Divided(IntegerType, i128, usize),
    /// The integer at this position and the constant, divided by the other constant: of so many bits how many words there are.
    Quotient(usize, i128, i128),
    /// Of the array at this position, the first element that has no cell of its own.
    Element(usize),
    /// Of the array at the first position, the element whose index is the integer at the second.
    Selected(usize, usize),
    /// Of the array at the position, the element whose index is an integer, if one is named, and a constant.
    Read(usize, Option<usize>, i128),
    /// Of the array at the position, the element at an index that is told apart.
    Asked(usize, Beside),
}

impl Derived {
    /// The integer, given what stands at positions; k elements of each array have cells of their own.
    pub(crate) fn term(
        self,
        arena: &mut Arena,
        k: u32,
        integer: impl Fn(usize) -> LinearId,
        array: impl Fn(usize) -> ArrayId,
    ) -> Result<LinearId, Rejection> {
        let zero = arena.constant(0)?;
        let (array, index) = match self {
            Self::Converted(kind, position) => return arena.apply(Operation::Add, kind, integer(position), zero),
            Self::Divided(kind, dividend, position) => {
                let dividend = arena.constant(dividend)?;
                return arena.apply(Operation::Divide, kind, dividend, integer(position));
            }
            Self::Quotient(position, added, divisor) => {
                let dividend = arena.plus(integer(position), added)?;
                return arena.quotient(dividend, divisor);
            }
            Self::Product(left, right) => {
                let [left, right] = [left.term(arena, &integer)?, right.term(arena, &integer)?];
                return arena.apply(Operation::Multiply, WIDE, left, right);
            }
            Self::Element(position) => (array(position), arena.constant(i128::from(k))?),
            Self::Selected(position, index) => (array(position), integer(index)),
            Self::Read(position, index, constant) => (array(position), arena.plus(index.map_or(zero, integer), constant)?),
            Self::Asked(position, place) => (array(position), place.index(arena, integer)?),
        };
        arena.select(array, index)
    }

    /// Its type, given those of arrays at positions.
    pub(crate) fn sort(self, array: impl Fn(usize) -> IntegerType) -> IntegerType {
        match self {
            Self::Converted(kind, _) | Self::Divided(kind, ..) => kind,
            Self::Product(..) | Self::Quotient(..) => WIDE,
            Self::Element(position) | Self::Selected(position, _) | Self::Read(position, ..) | Self::Asked(position, _) => array(position),
        }
    }
}

/// What products are computed in where a program is to be proved (`spec/program.md#products`).
pub(crate) const WIDE: IntegerType = IntegerType::U64;

/// The integer at a position as a factor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Factor {
    /// As it is.
    Plain(usize),
    /// Converted from a narrower type.
    Converted(usize),
}

impl Factor {
    /// Where the integer is.
    pub(crate) const fn position(self) -> usize {
        match self {
            Self::Plain(position) | Self::Converted(position) => position,
        }
    }

    fn term(self, arena: &mut Arena, integer: impl Fn(usize) -> LinearId) -> Result<LinearId, Rejection> {
        match self {
            Self::Plain(position) => Ok(integer(position)),
            Self::Converted(position) => widened(arena, integer(position)),
        }
    }
}

/// The integer in the type of products, as a conversion makes it.
pub(crate) fn widened(arena: &mut Arena, integer: LinearId) -> Result<LinearId, Rejection> {
    let zero = arena.constant(0)?;
    arena.apply(Operation::Add, WIDE, integer, zero)
}

/// An index that is a sum of integers at positions, each with how often it counts, and a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Beside {
    /// Which element is asked about.
    pub own: (usize, i128),
    /// What says how far that is from the other.
    pub other: Option<(usize, i128)>,
    /// What is added.
    pub constant: i128,
}

/// What to put in the place of each term while a configuration is written as a template.
pub(crate) trait Visitor {
    fn integer(&mut self, term: LinearId, sort: Option<IntegerType>) -> LinearId;
    fn array(&mut self, array: ArrayId, sort: IntegerType) -> ArrayId;
    fn shape(&mut self, shape: Shape);

    /// The last integer has a variable of its own: stores at indices that are the same term would be one.
    fn apart(&mut self) {}
}

/// An end of a folded part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// Its root.
    Root,
    /// The cell above its hole.
    Last,
}
