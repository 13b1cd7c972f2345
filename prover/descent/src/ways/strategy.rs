//! The ways to search: what scapegoats leave out, which herds share a template, what is folded.

use crate::state::{
    folding::{bounds::NodeIntegers, folds::Folds, states::Merging},
    template::{basis::Direction, key::Keys},
};

use goatherd_certificates::derivation::Lengths;

/// One way to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// Size classes, rounds of a loop followed precisely, and, but for small arrays, cells apart.
    pub k: u32,
    /// Which elements of arrays are told apart.
    pub cells: Cells,
    /// What is known of the lengths of arrays at the entry.
    pub lengths: Lengths,
    /// What scapegoats get for the integer inputs.
    pub integers: Integers,
    /// Which elements are left out.
    pub drops: Drops,
    /// Which herds share a template.
    pub keys: Keys,
    /// Which way its loops run.
    pub direction: Direction,
    /// What is folded, where there is a choice.
    pub folds: Folds,
    /// Where scapegoats wait for the primary.
    pub meeting: Meeting,
    /// Which nodes are cells of one sort.
    pub merging: Merging,
    /// What becomes of the integers of folded nodes.
    pub bounds: NodeIntegers,
    /// Where ways are joined.
    pub joins: Joins,
}

/// Which elements of arrays are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cells {
    /// The first k.
    First,
    /// All those of the program's own small arrays, each of which has a cell of its own.
    Small,
}

/// Where what has come on several ways is covered by one template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joins {
    /// Nowhere: every way is followed to its end.
    Never,
    /// At the heads of loops.
    Heads,
    /// Also elsewhere, after a few forks.
    Forks,
}

/// Which of the places where it agrees best with the primary a scapegoat takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// The first.
    Earliest,
    /// The last.
    Latest,
}

/// What scapegoats get for the integer inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Integers {
    /// The same values.
    Kept,
    /// Also one less, where it is positive: a bound that counts elements.
    Decremented,
}

/// Which elements scapegoats leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drops {
    /// None: there are no scapegoats, and the templates alone must exclude failures.
    None,
    /// One of the first k, of each array or of some.
    First,
    /// One of the first k, the same of every input that has it.
    Joint,
    /// One of the first k, the same of all arrays that loops walk together.
    Walked,
    /// The same, but not of several arrays where each of them alone gives scapegoats.
    Apart,
    /// Also the last one.
    FirstOrLast,
    /// One of the first k, or the last one, the same of all arrays that loops walk together.
    Ends,
    /// The same as apart, but behind the first rounds of a loop scapegoats are forgotten that lack elements of what is walked anew in each of them,
    /// if another one is in step or they have written something else than the primary.
    Outer,
    /// The first k together, as many as one round of a loop looks at; or, of an array, the last one.
    Together,
    /// The first k together, the same of all arrays that loops walk together.
    Blocks,
    /// Of linked inputs, one of the nodes that the program has looked at when it comes to a loop again, whichever these are.
    Passed,
    /// Of linked inputs, the node that a loop has passed in the k-th of its first rounds.
    Recent,
    /// Of linked inputs, the first node that a loop has passed of those that nothing but loops looks at; for k > 1 also those passed next, each
    /// by itself.
    Spare,
    /// None of an input, but one of the first k rounds of a loop that draws nondeterministic values.
    Rounds,
    /// The same, where what these rounds put into a buffer of constant size is at its beginning: the scapegoat's begins one element later.
    Shifted,
    /// None of an input, but the last rounds of loops that a nondeterministic value bounds.
    LastRounds,
}

impl Drops {
    /// Are rounds left out, and nothing of an input?
    pub const fn are_rounds(self) -> bool {
        matches!(self, Self::Rounds | Self::Shifted | Self::LastRounds)
    }

    /// Are k elements left out of an array at once?
    pub const fn are_blocks(self) -> bool {
        matches!(self, Self::Together | Self::Blocks)
    }
}
