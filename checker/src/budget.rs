//! The memory and the work that a check may take: the smaller of what the certificate declares and what the caller allows.

use crate::Declined;
use goatherd_certificates::certificate::Limits;

/// Counts the bytes that the check holds (the file, what is decoded from it, terms, configurations) and the steps of work that it takes. Both
/// are paid for in advance.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    pub(crate) held: usize,
    peak: usize,
    worked: u64,
}

impl Budget {
    /// Nothing is held; at most `limit` bytes may be. As much work as it takes.
    pub const fn new(limit: u64) -> Self {
        Self::within(Limits::of_memory(limit))
    }

    /// Nothing is held, and nothing has been done.
    pub const fn within(limits: Limits) -> Self {
        Self {
            limits,
            held: 0,
            peak: 0,
            worked: 0,
        }
    }

    /// Counts bytes that are about to be held; declines, and counts nothing, if that is more than the limit.
    pub fn take(&mut self, bytes: usize) -> Result<(), Declined> {
        let held = self.held.checked_add(bytes);
        let limit = self.limits.memory;
        self.held = held
            .filter(|held| u64::try_from(*held).is_ok_and(|held| held <= limit))
            .ok_or(Declined::Memory { limit })?;
        self.peak = self.peak.max(self.held);
        Ok(())
    }

    /// Counts bytes that are held no more.
    pub const fn release(&mut self, bytes: usize) {
        self.held = self.held.saturating_sub(bytes);
    }

    /// Counts steps that are about to be taken, one more than what they look at; declines if these are too many.
    pub fn work(&mut self, looked_at: usize) -> Result<(), Declined> {
        let steps = u64::try_from(looked_at).unwrap_or(u64::MAX);
        let worked = self.worked.checked_add(steps.saturating_add(1));
        let limit = self.limits.work;
        self.worked = worked
            .filter(|worked| *worked <= limit)
            .ok_or(Declined::Work { limit })?;
        Ok(())
    }

    /// The most that was held at once, in bytes.
    pub fn peak(&self) -> u64 {
        u64::try_from(self.peak).unwrap_or(u64::MAX)
    }

    /// The work that was done, in steps.
    pub const fn worked(&self) -> u64 {
        self.worked
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;
    use crate::error::Declined;
    use goatherd_certificates::certificate::Limits;

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
    fn work_is_counted() {
        let mut budget = Budget::within(Limits {
            memory: 0,
            work: 10,
        });
        assert_eq!(budget.work(8), Ok(()));
        assert_eq!(budget.work(1), Err(Declined::Work { limit: 10 }));
        assert_eq!(budget.work(usize::MAX), Err(Declined::Work { limit: 10 }));
        assert_eq!(budget.work(0), Ok(()));
        assert_eq!(budget.worked(), 10);
        assert_eq!(Budget::new(0).work(usize::MAX - 1), Ok(()));
    }
}
