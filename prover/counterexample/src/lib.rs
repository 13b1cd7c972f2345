//! Bounded search for concrete runs: failures, and the witnesses that a proof is not vacuous.
//!
//! A run is fixed by its input and what its environment chooses. Both are drawn from one [source](source::Source), small things first, and
//! the same budget, counted in interpreter steps, always gives the same runs. Read in this order: [`candidates`] (which values are worth
//! trying), [`source`] (who picks among them), [`inputs`] (how an input is built), [`guide`] (how runs grow out of earlier ones), [`search`](mod@search) (what is run, and
//! what is kept), [`shrink`] (how a failing run is made small), [`replay`] (how it becomes a C file).

pub mod candidates;
pub mod guide;
pub mod inputs;
pub mod replay;
pub mod search;
pub mod shrink;
pub mod source;

pub use replay::write_c;
pub use search::{Counterexample, Findings, Goal, Witness, failing, retrace, search};
