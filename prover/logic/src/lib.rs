//! Deciding what follows from a path predicate, and writing it down for the checker.
//!
//! [`Context`] answers the search; [`HintRecorder`] writes the hints of a certificate, each of which the checker has accepted. [`paths`] is the
//! arithmetic of path analysis. [`terms`] writes the table of terms of a certificate.

mod bounds;
mod cases;
mod context;
mod entailment;
mod enumeration;
mod estimate;
mod explanation;
mod facts;
mod form;
mod linear;
mod matrix;
pub mod meter;
mod oracle;
pub mod paths;
mod probe;
mod rational;
mod refute;
mod saturation;
mod solver;
pub mod terms;
pub mod values;
#[cfg(feature = "z3")]
pub mod z3;

pub use context::Context;
pub use form::common_divisor;
pub use matrix::{Apart, Combination, Matrix};
pub use oracle::{ContextOracle, HintRecorder};
pub use rational::Rational;
pub use refute::refute;
pub use solver::{Answer, AskZ3, Backend, Disagreement, Solver, Unavailable, UnknownBackend};
