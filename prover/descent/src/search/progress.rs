//! What a proof search is at, for those who wait for it.

use crate::ways::strategy::Strategy;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// Shared by the searches, which write it, and whoever shows it. Nothing that is decided depends on it.
#[derive(Debug, Default)]
pub struct Progress {
    strategies: Mutex<Vec<Strategy>>,
    configurations: AtomicU64,
}

impl Progress {
    /// The strategies that are being tried; none before the first and after the last one, while runs are searched for one that fails.
    pub fn strategies(&self) -> Vec<Strategy> {
        self.strategies.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many configurations all searches together have gone through.
    pub fn configurations(&self) -> u64 {
        self.configurations.load(Ordering::Relaxed)
    }

    /// These strategies are tried now.
    pub fn enter(&self, strategies: &[Strategy]) {
        *self.strategies.lock().unwrap_or_else(PoisonError::into_inner) = strategies.to_vec();
    }

    /// Another configuration is gone through.
    pub(crate) fn count(&self) {
        self.configurations.fetch_add(1, Ordering::Relaxed);
    }
}
