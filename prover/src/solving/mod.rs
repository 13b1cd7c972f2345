//! Deciding what follows from a path predicate, and writing it down for the checker.
//!
//! [`Context`] answers the search; [`HintRecorder`] writes the hints of a certificate, each of which the checker has accepted.

mod bounds;
mod context;
mod estimate;
mod explanation;
mod facts;
mod form;
mod matrix;
mod oracle;
mod refute;
mod saturation;

pub use context::Context;
pub use matrix::{Apart, Matrix};
pub use oracle::{ContextOracle, HintRecorder};
pub use refute::refute;
