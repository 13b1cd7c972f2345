//! How a model is searched.

use crate::abstraction::{Kind, Scope};
use std::collections::BTreeSet;

/// Where sets are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Places {
    /// At every line.
    #[default]
    EveryLine,
    /// At lines that a loop leads back to.
    LoopHeads,
}

/// How a bad configuration is followed backwards.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Backward {
    /// Through the bad sets of all frames above (the paper's Fig. 5).
    #[default]
    Repaired,
    /// Through the bad set of the frame right above (the paper's Fig. 4): loops that the way to a real error skips hide it.
    Legacy,
}

/// What the printed algorithm lacks (`spec/trees.md#repairs`). Leaving one out is for tests that show it to be needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Repair {
    /// Every round begins without configuration sets.
    FreshRounds,
    /// Bad trees are looked for in the abstracted union, not in the new set alone.
    AbstractedBad,
    /// The set of the root frame is Init, never abstracted, and an error begins in Init.
    ExactRoot,
    /// On the way back each frame has the set that it had.
    OwnSets,
    /// On the way back a frame's bad trees are also those that are bad at the same line above.
    EarlierVisits,
}

/// Steps that are taken at most, unless told otherwise: a minute or two.
pub const STEPS: u64 = 10_000_000;

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which states look alike.
    pub kind: Kind,
    /// Whose predicates a refinement adds to.
    pub scope: Scope,
    /// Where sets are abstracted.
    pub places: Places,
    /// How a bad configuration is followed backwards.
    pub backward: Backward,
    /// How many steps are taken, at most: rules of automata that are computed, before these are reduced.
    pub steps: u64,
    /// What is left out. Answers are wrong where this is not empty.
    pub without: BTreeSet<Repair>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kind: Kind::default(),
            scope: Scope::default(),
            places: Places::default(),
            backward: Backward::default(),
            steps: STEPS,
            without: BTreeSet::new(),
        }
    }
}
