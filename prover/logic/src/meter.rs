//! A limit on reasoning, counted in steps: the same on every machine.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// What is paid for, and how much of it there may be.
#[derive(Debug, Default)]
struct Counter {
    spent: AtomicUsize,
    limit: AtomicUsize,
}

/// Counts the steps of all that reasons with it or a clone of it. Each loop pays before it runs, about one step for one operation on a number;
/// whoever cannot pay does not reason, and knows nothing. The default has no limit, and counts nothing.
#[derive(Clone, Debug, Default)]
pub struct Meter(Option<Arc<Counter>>);

impl Meter {
    /// With so many steps.
    pub fn new(limit: usize) -> Self {
        Self(Some(Arc::new(Counter { spent: AtomicUsize::new(0), limit: AtomicUsize::new(limit) })))
    }

    /// From now on with so many steps in all, those that were taken among them.
    pub fn limit(&self, limit: usize) {
        if let Some(counter) = &self.0 {
            counter.limit.store(limit, Relaxed);
        }
    }

    /// Pays for so many steps; false if there are not as many left: then none are left.
    #[must_use]
    pub fn pay(&self, steps: usize) -> bool {
        let Some(Counter { spent, limit }) = self.0.as_deref() else { return true };
        let (before, limit) = (spent.load(Relaxed), limit.load(Relaxed));
        let after = before.saturating_add(steps);
        let is_paid = after <= limit;
        spent.store(if is_paid { after } else { before.max(limit) }, Relaxed);
        is_paid
    }

    /// Pays for so many steps that are taken in any case: they are few, and whoever goes on asks what is [left](Self::is_exhausted).
    pub fn charge(&self, steps: usize) {
        let _ = self.pay(steps);
    }

    /// The steps that were taken.
    pub fn spent(&self) -> usize {
        self.0.as_ref().map_or(0, |counter| counter.spent.load(Relaxed))
    }

    /// Is nothing left?
    pub fn is_exhausted(&self) -> bool {
        self.0.as_ref().is_some_and(|counter| counter.spent.load(Relaxed) >= counter.limit.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::Meter;

    #[test]
    fn what_cannot_be_paid_takes_the_rest() {
        let meter = Meter::new(10);
        let clone = meter.clone();
        assert!(clone.pay(9) && !meter.is_exhausted());
        assert!(!meter.pay(2) && clone.is_exhausted() && !clone.pay(1));
        assert_eq!(meter.spent(), 10);
        meter.limit(12);
        assert!(clone.pay(1) && meter.spent() == 11);
        assert!(Meter::default().pay(usize::MAX) && !Meter::default().is_exhausted());
    }
}
