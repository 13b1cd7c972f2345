//! Limits of time and memory, and the line on the terminal that shows that something is going on.
//!
//! A limit turns an answer into "unknown", never into another one: at the limit the watchdog's thread ends the process, and once the
//! answer is there, before anything is written, the watchdog is gone.

use super::tell;
use goatherd_frontend::escape::escaped;
use std::{
    fs,
    io::IsTerminal,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Which limit was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exceeded {
    /// Of time.
    Time(Duration),
    /// Of memory, in bytes.
    Memory(u64),
}

/// The limits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Resident memory of the process, in bytes.
    pub memory: Option<u64>,
}

/// Watches the process until it is dropped or dismissed.
#[derive(Debug)]
pub struct Watchdog {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    dismissal: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_dismissed: bool,
    /// The tenths of a second that the terminal shows; 0 if it shows nothing.
    shown: u128,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Between two looks at the memory.
const PERIOD: Duration = Duration::from_millis(10);
/// Nothing is shown before.
const QUIET: Duration = Duration::from_millis(500);

impl Watchdog {
    /// Starts watching. `end` says that the limit was met and ends the process; on a terminal, `activity` says what is shown.
    pub fn start(limits: Limits, activity: impl Fn() -> String + Send + 'static, end: impl FnOnce(Exceeded) + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let has_terminal = std::io::stderr().is_terminal();
        if limits != Limits::default() || has_terminal {
            let watched = Arc::clone(&shared);
            std::thread::spawn(move || watch(&watched, limits, has_terminal.then_some(&activity), end));
        }
        Self { shared }
    }

    /// The answer is there: nothing ends the process any more.
    pub fn dismiss(&self) {
        let mut state = self.shared.lock();
        state.is_dismissed = true;
        state.clear();
        self.shared.dismissal.notify_all();
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.dismiss();
    }
}

fn watch<A: Fn() -> String>(shared: &Shared, limits: Limits, activity: Option<&A>, end: impl FnOnce(Exceeded)) {
    let start = Instant::now();
    let mut state = shared.lock();
    while !state.is_dismissed {
        let elapsed = start.elapsed();
        let exceeded = match limits {
            Limits { time: Some(limit), .. } if elapsed >= limit => Some(Exceeded::Time(limit)),
            Limits { memory: Some(limit), .. } if resident().is_some_and(|bytes| bytes > limit) => Some(Exceeded::Memory(limit)),
            _ => None,
        };
        if let Some(exceeded) = exceeded {
            state.clear();
            // The lock is held: nothing is written beside this.
            end(exceeded);
            return;
        }
        let tenths = elapsed.as_millis() / 100;
        if let Some(activity) = activity.filter(|_| elapsed >= QUIET && tenths != state.shown) {
            state.shown = tenths;
            tell(&format!("\r{}, {}.{} s\x1b[K", escaped(&activity()), tenths / 10, tenths % 10));
        }
        let mut wait = limits.time.map_or(Duration::MAX, |limit| limit.saturating_sub(elapsed));
        if limits.memory.is_some() || activity.is_some() {
            wait = wait.min(PERIOD);
        }
        state = shared.dismissal.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
    }
}

impl State {
    /// Removes the line from the terminal.
    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) > 0 {
            tell("\r\x1b[K");
        }
    }
}

/// The resident memory of this process in bytes, where the system says it.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}
