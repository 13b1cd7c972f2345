//! What herds that share a template have in common.

use super::shape::Shape;
use goatherd_certificates::{
    derivation::OutcomeId,
    program::{IntegerType, Location, ObjectId, RegisterId},
};
use goatherd_flow::{held::IndexField, partners::Partner};

/// Under which configurations share a template.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// How the primary came here.
    pub route: Route,
    pub(crate) shape: Vec<Shape>,
    /// Relevant integers of the primary that are small constants; in programs with linked structures also others that are 0 or 1, as answers
    /// are; with [`Keys::Positions`] also where its pointers point, and with [`Keys::Modes`] what registers with modes hold.
    pub(crate) constants: Vec<(RegisterId, i128)>,
    /// By how much live integers of the scapegoats are less, where that is a small constant, up to the period of their type, and pointers that are
    /// only kept.
    pub(crate) differences: Vec<(usize, RegisterId, i128)>,
    /// By how much elements that have cells of their own differ from each other, and from 0, where that is known.
    pub(crate) elements: Vec<(usize, usize, i128)>,
    /// Where small arrays are told apart, which of their elements hold what a live register does: where something was found or put.
    pub(crate) found: Vec<(RegisterId, usize)>,
    /// What elements that have cells of their own hold, where it is a small constant: field, index and value. So a string that ends there
    /// is not taken for a longer one.
    pub(crate) known: Vec<(usize, usize, i128)>,
    /// The first element of an object that is known to be 0, where it has a cell of its own.
    pub(crate) terminators: Vec<(ObjectId, usize)>,
    /// By how much conversions of integers that no loop writes differ from them, where that is known: what the period is.
    pub(crate) periods: Vec<(RegisterId, IntegerType, i128)>,
    /// Between which of the constants that the program compares with the integers of nodes are, where states tell these apart: node, field, and
    /// the least value that is alike.
    pub(crate) values: Vec<(usize, usize, i128)>,
    /// Where indices are beside what says which element is asked about.
    pub(crate) sides: Vec<Side>,
    /// The ways that the primary took.
    pub(crate) branches: Vec<(Location, OutcomeId)>,
}

/// What is known of where something is beside the element that is asked about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// The element at this place beside the one that the register asks about is at most at this constant, or behind it.
    Constant(RegisterId, Partner, i128, bool),
    /// The index in the second register is at most that of the element at this place beside the one that the first one asks about, or greater.
    Index(RegisterId, Partner, RegisterId, bool),
    /// The same of an index that memory holds.
    Held(RegisterId, Partner, IndexField, bool),
    /// The same of an index that is kept, by number.
    Kept(RegisterId, Partner, usize, bool),
    /// The element itself, of the array of this number, is at most this constant, or greater.
    Value(RegisterId, Partner, usize, i128, bool),
}

/// Which loops the primary has come through (Shrinker §0.A.1, abstract paths).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Route {
    /// The heads at which the derivation was widened, the template's own last.
    pub heads: Vec<Location>,
    /// The head at which it is, where the primary has come there for the first time.
    pub entered: Option<Location>,
    /// The loops around the last head that are still followed precisely, with the round that they are in.
    pub rounds: Vec<(Location, u32)>,
}

/// Which herds share a template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Keys {
    /// Those on one abstract path, of one shape.
    Paths,
    /// Those at one head, of one shape, whatever way they came: loops that follow each other do not multiply.
    Heads,
    /// Only those whose scapegoats also lag behind by the same amounts: sums that differ by what was left out.
    Differences,
    /// Only those whose first elements also differ by the same amounts: letters that are equal up to their case.
    Elements,
    /// Only those whose strings also end at the same of the first elements, or behind these: a string is short or long.
    Terminators,
    /// Only those whose primaries also point at the same of the first elements: what was found there before the loop.
    Positions,
    /// Those on one abstract path, where also is kept at which elements strings end, and two arrays differ; for k > 1 also only those whose first
    /// elements differ by the same amounts.
    Witnesses,
    /// Only those whose primaries also took the same ways before their loops: facts that hold on one way but not on another.
    Branches,
    /// Those on one abstract path, and only those in which registers that say what the program does next hold the same.
    Modes,
    /// Those on one abstract path, and only those whose indices are also on the same side of the element that is asked about.
    Focus,
    /// The same, and also where the element is that loops exchange with this one, as far from the other end, or copy to its place from afar.
    Partners,
}

impl Keys {
    /// Is asked about one element?
    pub const fn have_focus(self) -> bool {
        matches!(self, Self::Focus | Self::Partners)
    }
}
