//! The memory that a check may hold: the smaller of what the certificate declares and what the caller allows.

use crate::Declined;

/// Counts the bytes that the check holds: the file, what is decoded from it, terms, configurations.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: u64,
    held: u64,
    peak: u64,
}

impl Budget {
    /// Nothing is held; at most `limit` bytes may be.
    pub const fn new(limit: u64) -> Self {
        Self { limit, held: 0, peak: 0 }
    }

    /// Counts bytes that are about to be held; declines, and counts nothing, if that is more than the limit.
    pub fn take(&mut self, bytes: usize) -> Result<(), Declined> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let held = self.held.checked_add(bytes).filter(|held| *held <= self.limit).ok_or(Declined::Memory { limit: self.limit })?;
        self.held = held;
        self.peak = self.peak.max(held);
        Ok(())
    }

    /// Counts bytes that are held no more.
    pub fn release(&mut self, bytes: usize) {
        self.held = self.held.saturating_sub(u64::try_from(bytes).unwrap_or(u64::MAX));
    }

    /// The most that was held at once, in bytes.
    pub const fn peak(&self) -> u64 {
        self.peak
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;
    use crate::error::Declined;

    #[test]
    fn the_limit_may_be_reached_but_not_passed() {
        let mut budget = Budget::new(10);
        assert_eq!(budget.take(10), Ok(()));
        assert_eq!(budget.take(1), Err(Declined::Memory { limit: 10 }));
        assert_eq!(budget.take(usize::MAX), Err(Declined::Memory { limit: 10 }));
        budget.release(4);
        assert_eq!(budget.take(3), Ok(()));
        assert_eq!(budget.peak(), 10);
    }
}
