//! A deterministic bound on work.

use std::fmt;

/// How much work may still be done, in units that each algorithm states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    limit: u64,
    taken: u64,
}

/// The bound was met before there was an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted;

impl fmt::Display for Exhausted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the bound on steps was met")
    }
}

impl std::error::Error for Exhausted {}

impl Steps {
    /// At most so many steps.
    pub fn at_most(limit: u64) -> Self {
        Self { limit, taken: 0 }
    }

    /// Without a bound.
    pub fn unbounded() -> Self {
        Self::at_most(u64::MAX)
    }

    /// Takes a step.
    pub fn take(&mut self) -> Result<(), Exhausted> {
        if self.taken >= self.limit {
            return Err(Exhausted);
        }
        self.taken += 1;
        Ok(())
    }

    /// How many were taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }
}
