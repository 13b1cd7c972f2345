//! Deciding what follows from a path predicate, and writing it down for the checker.
//!
//! [`Context`] answers the search; [`HintRecorder`] writes the hints of a certificate, each of which the checker has accepted.

mod bounds;
mod cases;
mod context;
mod estimate;
mod explanation;
mod facts;
mod form;
mod linear;
mod matrix;
mod oracle;
mod probe;
mod rational;
mod refute;
mod saturation;
mod solver;
#[cfg(feature = "z3")]
pub mod z3;

pub use context::Context;
pub(crate) use form::common_divisor;
pub use matrix::{Apart, Combination, Matrix};
pub use oracle::{ContextOracle, HintRecorder};
pub(crate) use rational::Rational;
pub use refute::refute;
pub use solver::{Answer, AskZ3, Backend, Disagreement, Solver, Unavailable, UnknownBackend};
