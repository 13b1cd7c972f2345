//! The memory that a check may hold: the smaller of what the certificate declares and what the caller allows.

use crate::Declined;

/// Counts the bytes that the check holds: the file, what is decoded from it, terms, configurations.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: usize,
    pub(crate) held: usize,
    pub(crate) peak: usize,
}

impl Budget {
    /// Nothing is held; at most `limit` bytes may be.
    pub fn new(limit: u64) -> Self {
        Self { limit: usize::try_from(limit).unwrap_or(usize::MAX), held: 0, peak: 0 }
    }

    /// A budget for each of so many that share what is left.
    pub(crate) fn part(&self, count: usize) -> Self {
        let limit = self.limit.saturating_sub(self.held).checked_div(count).unwrap_or(0);
        Self { limit, held: 0, peak: 0 }
    }

    /// Counts bytes that are about to be held; declines, and counts nothing, if that is more than the limit.
    pub fn take(&mut self, bytes: usize) -> Result<(), Declined> {
        let held = self.held.checked_add(bytes).filter(|held| *held <= self.limit);
        self.held = held.ok_or(Declined::Memory { limit: u64::try_from(self.limit).unwrap_or(u64::MAX) })?;
        self.peak = self.peak.max(self.held);
        Ok(())
    }

    /// Counts bytes that are held no more.
    pub const fn release(&mut self, bytes: usize) {
        self.held = self.held.saturating_sub(bytes);
    }

    /// The most that was held at once, in bytes.
    pub fn peak(&self) -> u64 {
        u64::try_from(self.peak).unwrap_or(u64::MAX)
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
        assert_eq!((budget.peak(), budget.held), (10, 9));
    }

    #[test]
    fn parts_together_take_no_more_than_what_is_left() {
        let mut budget = Budget::new(10);
        assert_eq!(budget.take(3), Ok(()));
        let mut part = budget.part(2);
        assert_eq!(part.take(3), Ok(()));
        assert_eq!(part.take(1), Err(Declined::Memory { limit: 3 }));
        assert_eq!(budget.part(0).take(1), Err(Declined::Memory { limit: 0 }));
    }
}
