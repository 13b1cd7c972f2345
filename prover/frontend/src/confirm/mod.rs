//! Has the C compiler of this machine confirm what the front end believes of types, layouts and constants.
//!
//! The file is written once more, as it was before it was rewritten for the parser, with a `_Static_assert` for each belief (`claims`, `machine`,
//! `text`), and the compiler judges it (`compiler`) beside whatever else is done. What it finds false is a defect of the front end: then no verdict
//! about the file is to be had.

mod claims;
mod compiler;
mod judge;
mod machine;
#[cfg(test)]
mod tests;
mod text;

use crate::{lower::Beliefs, source::Unit};
use compiler::{Compiler, Said, Warnings};
use judge::{Asked, Judged};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt, io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// The compiler that judges.
const COMPILER: &str = "cc";
/// So long after it was started a compiler is not waited for any more.
const PATIENCE: Duration = Duration::from_secs(20);
/// A file of more bytes is not given to the compiler.
const LARGEST: usize = 64 << 20;

/// What the compiler says of what is believed.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Confirmed {
    /// All holds.
    Confirmed {
        /// Its name and version, such as `gcc 12.2.0`.
        compiler: String,
        /// How many assertions it has judged.
        facts: usize,
    },
    /// It has not judged.
    Unconfirmed {
        /// Why not.
        reason: String,
    },
    /// Some of it is false: a defect of the front end.
    Contradicted {
        /// Its name and version.
        compiler: String,
        /// What is false: where it is, what is believed, and what the compiler says.
        contradictions: Vec<String>,
    },
}

impl Confirmed {
    /// Nobody has asked.
    pub fn not_asked() -> Confirmed {
        Confirmed::Unconfirmed { reason: "nobody asked (--no-confirm)".to_owned() }
    }
}

impl fmt::Display for Confirmed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Confirmed { compiler, facts } => write!(formatter, "confirmed by {COMPILER} ({compiler}), {facts} facts"),
            Self::Unconfirmed { reason } => write!(formatter, "not confirmed: {reason}"),
            Self::Contradicted { compiler, contradictions } => {
                write!(formatter, "{COMPILER} ({compiler}) says something else: {}", contradictions.join("; "))
            }
        }
    }
}

/// A compiler at work. Where this is dropped, it is ended.
#[derive(Debug)]
pub struct Inquiry {
    asked: Asked,
    start: Instant,
    answer: Arc<Answer>,
    /// Nothing where it could not be started. It ends with this.
    _running: Option<Compiler>,
}

/// What a compiler said, as soon as it has.
#[derive(Default, Debug)]
struct Answer {
    said: Mutex<Option<Result<Said, String>>>,
    bell: Condvar,
}

impl Inquiry {
    /// Starts `cc`.
    pub fn start(unit: &Unit, beliefs: &Beliefs) -> Inquiry {
        Inquiry::start_with(COMPILER, unit, beliefs)
    }

    /// As [`Inquiry::start`], with the compiler of this name.
    pub fn start_with(compiler: &str, unit: &Unit, beliefs: &Beliefs) -> Inquiry {
        let asked = Asked::new(compiler, unit, beliefs);
        let (answer, running) = if asked.page.text.len() > LARGEST {
            let answer = Answer::default();
            answer.give(Err(format!("there are more than {} MiB to judge", LARGEST >> 20)));
            (Arc::new(answer), None)
        } else {
            run(compiler, asked.page.text.clone(), Warnings::Off)
        };
        Inquiry { asked, start: Instant::now(), answer, _running: running }
    }

    /// What the compiler says, when it has judged; it has 20 seconds for that.
    pub fn wait(&self) -> Confirmed {
        self.judged(PATIENCE.saturating_sub(self.start.elapsed()), || format!("after {} s", PATIENCE.as_secs()))
    }

    /// What the compiler has said by now, for those who have no time left.
    pub fn by_now(&self) -> Confirmed {
        self.judged(Duration::ZERO, || "when the search ended".to_owned())
    }

    fn judged(&self, patience: Duration, end: impl FnOnce() -> String) -> Confirmed {
        let unconfirmed = |reason| Confirmed::Unconfirmed { reason };
        let compiler = &self.asked.compiler;
        let judged = match self.answer.wait(patience) {
            None => return unconfirmed(format!("{compiler} was not ready {}", end())),
            Some(Err(reason)) => return unconfirmed(reason),
            Some(Ok(said)) => self.asked.judge(&said),
        };
        match judged {
            Err(reason) => unconfirmed(reason),
            Ok(Judged { version, refused }) if refused.is_empty() => {
                Confirmed::Confirmed { compiler: version, facts: self.asked.claims.len() }
            }
            Ok(Judged { version, refused }) => {
                let (answer, running) = run(compiler, self.asked.questions(&refused), Warnings::On);
                let said = answer.wait(PATIENCE).and_then(Result::ok);
                drop(running);
                let answers = said.map_or_else(BTreeMap::new, |said| self.asked.answers(&said));
                let contradictions = refused.iter().map(|claim| self.asked.contradiction(*claim, &answers)).collect();
                Confirmed::Contradicted { compiler: version, contradictions }
            }
        }
    }
}

/// Starts a compiler.
fn run(compiler: &str, text: String, warnings: Warnings) -> (Arc<Answer>, Option<Compiler>) {
    let answer = Arc::new(Answer::default());
    let given = Arc::clone(&answer);
    let reason = |error: &io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no program {compiler}"),
        _ => format!("{compiler}: {error}"),
    };
    match Compiler::start(compiler, text, warnings, move |said| given.give(said.map_err(|error| error.to_string()))) {
        Ok(running) => (answer, Some(running)),
        Err(error) => {
            answer.give(Err(reason(&error)));
            (answer, None)
        }
    }
}

impl Answer {
    fn lock(&self) -> MutexGuard<'_, Option<Result<Said, String>>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give(&self, said: Result<Said, String>) {
        *self.lock() = Some(said);
        self.bell.notify_all();
    }

    /// What is said before so much time has passed.
    fn wait(&self, patience: Duration) -> Option<Result<Said, String>> {
        let (said, _) = self.bell.wait_timeout_while(self.lock(), patience, |said| said.is_none()).unwrap_or_else(PoisonError::into_inner);
        said.clone()
    }
}
