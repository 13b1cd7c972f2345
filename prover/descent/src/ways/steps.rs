//! How many steps each way to search may take.

use super::strategy::{Drops, Joins, Strategy};
use crate::state::template::key::Keys;
use goatherd_certificates::derivation::Lengths;

/// How many steps are taken where every way is followed to its end: the sieve of Eratosthenes up to 100 takes 3,000.
const FOLLOWED: u64 = 20_000;

/// How many steps strategies may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// Those that leave out elements of what is walked together, for k up to 2: the most promising, and most fail early if they fail. Blocks of them
    /// may take twice as many.
    pub walked: u64,
    /// All others.
    pub others: u64,
}

/// Following so many rounds of a loop is cheap.
const FEW_ROUNDS: u32 = 2;

impl Steps {
    /// At most so many.
    #[must_use]
    pub fn limited(self, steps: u64) -> Self {
        Self { walked: self.walked.min(steps), others: self.others.min(steps) }
    }

    /// For this strategy.
    pub fn of(self, strategy: Strategy) -> u64 {
        match strategy.drops {
            // It comes before all others, and where it fails, it mostly does so early.
            _ if strategy.lengths == Lengths::Open => self.others.max(self.walked / 4),
            // Elements with cells of their own tell many templates apart.
            Drops::Walked if strategy.keys == Keys::Witnesses && strategy.k > 1 => self.walked.saturating_mul(2),
            Drops::Walked | Drops::Outer if strategy.k <= FEW_ROUNDS => self.walked,
            // There are many size classes for as many elements as a round takes, and for each choice of integers that are less scapegoats of their own.
            Drops::Blocks | Drops::Ends => self.walked.saturating_mul(2),
            // A way may end or part at, between and behind two nodes, each with what it leads on to on either side; scapegoats take most of the steps.
            Drops::Spare if strategy.k > 1 => self.others.saturating_mul(6),
            // A proof for one round is much smaller than one for two, which would be found before it.
            Drops::Spare => self.others.saturating_mul(2),
            // Where this fails, it mostly does so early.
            Drops::None if strategy.keys == Keys::Heads => self.others.max(self.walked / 4),
            // What is told apart by what comes next are many small templates.
            Drops::None if strategy.keys == Keys::Modes => self.walked,
            // A run that has not ended by then is too long for a certificate.
            Drops::None if strategy.joins == Joins::Never => self.others.min(FOLLOWED),
            // Ways that are joined do not multiply.
            Drops::None if strategy.joins == Joins::Forks => self.walked,
            Drops::Walked
            | Drops::Outer
            | Drops::None
            | Drops::First
            | Drops::Joint
            | Drops::Apart
            | Drops::FirstOrLast
            | Drops::Together
            | Drops::Passed
            | Drops::Recent
            | Drops::Rounds
            | Drops::Shifted
            | Drops::LastRounds => self.others,
        }
    }
}
