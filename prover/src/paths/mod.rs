//! Path analysis: a transition system with fewer infeasible paths, and none that is feasible lost (red-black graphs; `spec/paths.md`).
//!
//! [`analysis`] is the strategy; [`abstraction`] the graph for given precisions; [`symbolic`] and [`spurious`] find what is infeasible in it,
//! [`explain`] learns why; [`literal`], [`conjunction`], [`differences`] and [`maximum`] are the arithmetic.

pub mod abstraction;
pub mod analysis;
pub mod conjunction;
mod differences;
pub mod explain;
pub mod graph;
pub mod literal;
pub mod lts;
mod maximum;
pub mod precision;
pub mod program;
pub mod spurious;
pub mod symbolic;
pub mod text;
