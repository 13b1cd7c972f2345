//! What a terminal shows while paths are drawn, and the end of the time for what comes before the first of them is tried.

use super::arguments::Draw;
use crate::command::{
    Exit, tell,
    watchdog::{Exceeded, Limits, Watchdog},
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Counts the paths that are tried.
pub struct Progress {
    tried: Arc<AtomicUsize>,
    file: String,
    /// Ends the process where not even counting is done in time.
    counting: Watchdog,
    shown: Option<Watchdog>,
}

impl Progress {
    /// Before anything is counted.
    pub fn new(arguments: &Draw) -> Self {
        let file = super::shown(arguments);
        let (name, shown) = (file.clone(), file.clone());
        let end = move |exceeded| {
            if let Exceeded::Time(limit) = exceeded {
                tell(&format!("goatherd: {name}: no path was drawn after {} s (--timeout)\n", limit.as_secs_f64()));
            }
            std::process::exit(Exit::Unknown as i32);
        };
        let limits = Limits { time: arguments.timeout.0, memory: None };
        let counting = Watchdog::start(limits, move || format!("{shown}: counting and drawing"), end);
        Self { tried: Arc::default(), file, counting, shown: None }
    }

    /// So many paths have been drawn: from now on, each is tried as long as there is time.
    pub fn has_drawn(&mut self, count: usize) {
        self.counting.dismiss();
        let (tried, file) = (Arc::clone(&self.tried), self.file.clone());
        let activity = move || format!("{file}: {} of {count} paths tried", tried.load(Ordering::Relaxed));
        self.shown = Some(Watchdog::start(Limits::default(), activity, |_| {}));
    }

    /// One more is tried.
    pub fn count(&self) {
        self.tried.fetch_add(1, Ordering::Relaxed);
    }
}
