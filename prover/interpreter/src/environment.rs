//! What the program does not determine, and who decides it.

use crate::arithmetic;
use goatherd_certificates::program::{IntegerType, ObjectId};

/// What the machine asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// The value of a `Havoc`, of this type.
    Havoc {
        /// The register's type.
        kind: IntegerType,
    },
    /// The way of a `Choose`: 0 is `then`, 1 is `otherwise`.
    Direction,
    /// Whether an allocation that may fail gives an object (1) or NULL (0).
    Allocation {
        /// The allocation's object.
        object: ObjectId,
    },
    /// The value that one integer field of all elements of a fresh object holds.
    Contents {
        /// The object.
        object: ObjectId,
        /// The field: position in the layout.
        field: usize,
        /// Its type.
        kind: IntegerType,
    },
    /// The integer field of an element of an input, read for the first time, where the input is [drawn](crate::Machine::draw).
    Element {
        /// The field's type.
        kind: IntegerType,
    },
    /// Whether two pointers for which C11 6.5.9p6 leaves it open compare equal (1) or not (0). Not among the choices of a ground run: a run
    /// that asked this is not one that the checker replays.
    Comparison,
}

impl Question {
    /// The smallest and the largest possible answer.
    pub fn range(self) -> (i128, i128) {
        match self {
            Question::Havoc { kind } | Question::Contents { kind, .. } | Question::Element { kind } => {
                (arithmetic::minimum(kind), arithmetic::maximum(kind))
            }
            Question::Direction | Question::Allocation { .. } | Question::Comparison => (0, 1),
        }
    }
}

/// Decides what the program does not.
pub trait Environment {
    /// The answer, inside [`Question::range`]; none ends the run as [`Unanswered`](crate::Outcome::Unanswered).
    fn answer(&mut self, question: Question) -> Option<i128>;
}

/// Answers from lists, in order: the choices of a ground run, and those of open comparisons.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    choices: std::slice::Iter<'a, i128>,
    comparisons: std::slice::Iter<'a, i128>,
}

impl<'a> Replay<'a> {
    /// Replays [`GroundRun::choices`](goatherd_certificates::certificate::GroundRun::choices); open comparisons are not answered.
    pub fn new(choices: &'a [i128]) -> Self {
        Replay { choices: choices.iter(), comparisons: [].iter() }
    }

    /// Also replays the answers to open comparisons.
    #[must_use]
    pub fn with_comparisons(self, comparisons: &'a [i128]) -> Self {
        Replay { comparisons: comparisons.iter(), ..self }
    }

    /// How many choices were not asked for.
    pub fn remaining(&self) -> usize {
        self.choices.len()
    }
}

impl Environment for Replay<'_> {
    fn answer(&mut self, question: Question) -> Option<i128> {
        match question {
            Question::Comparison => self.comparisons.next().copied(),
            _ => self.choices.next().copied(),
        }
    }
}

/// Answers 0 wherever it is asked for a value, lets every allocation succeed, and calls pointers different.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl Environment for Zero {
    fn answer(&mut self, question: Question) -> Option<i128> {
        Some(i128::from(matches!(question, Question::Allocation { .. })))
    }
}

/// Answers at random, the same for the same seed: often small values or limits of the type, sometimes any value.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next 64 random bits (splitmix64: Steele, Lea, Flood 2014).
    pub fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_bits().checked_rem(bound).unwrap_or(0)
    }

    /// A value of the type.
    pub fn value(&mut self, kind: IntegerType) -> i128 {
        let (least, most) = (arithmetic::minimum(kind), arithmetic::maximum(kind));
        match self.below(8) {
            0 => least,
            1 => most,
            2 | 3 => arithmetic::wrap(kind, i128::from(self.next_bits())),
            _ => (i128::from(self.below(7)) - 2).clamp(least, most),
        }
    }
}

impl Environment for Random {
    fn answer(&mut self, question: Question) -> Option<i128> {
        Some(match question {
            Question::Havoc { kind } | Question::Contents { kind, .. } | Question::Element { kind } => self.value(kind),
            // Failing allocations end most programs early.
            Question::Allocation { .. } => i128::from(self.below(8) != 0),
            Question::Direction | Question::Comparison => i128::from(self.below(2)),
        })
    }
}
