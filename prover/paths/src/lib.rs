//! Path analysis: a transition system with fewer infeasible paths, and none that is feasible lost (red-black graphs; `spec/paths.md`).
//!
//! [`analysis`] is the strategy; [`abstraction`] the graph for given precisions; [`symbolic`] and [`spurious`] find what is infeasible in it,
//! [`explain`] learns why; [`derive`](mod@derive) writes the derivation of the graph, as that of the program that [`lower`](goatherd_systems::lower) makes of a transition system
//! or that [`program`] sees as one; [`contract`] takes the checked graph back. The arithmetic is that of [`goatherd_logic::paths`]. [`draw`] draws
//! paths from a checked graph.

pub mod abstraction;
pub mod analysis;
mod cases;
pub mod contract;
pub mod derive;
pub mod draw;
pub mod explain;
mod folding;
mod generalise;
pub mod graph;
pub mod memory;
pub mod pointees;
pub mod precision;
pub mod program;
pub mod red_black;
pub mod spurious;
pub mod states;
pub mod symbolic;
pub mod unroll;
