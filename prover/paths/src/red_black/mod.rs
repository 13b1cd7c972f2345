//! The strategy of the thesis: symbolic execution with subsumption, abstraction, refinement and look-ahead (red-black graphs chapter 5;
//! `spec/paths.md#red-black`).

mod build;
mod configuration;
mod elimination;
mod look_ahead;
pub mod parameters;
mod red_part;
mod resulting;
mod subsumption;

pub use resulting::{Outcome, analyse};
