//! The claim `Paths`: a graph that has all feasible paths of the program (`spec/calculus.md#paths`). The kernel replays the derivation,
//! [`replay`] records it, and [`graph`] makes the graph of it.
#![no_std]

extern crate alloc;

pub mod graph;
pub mod replay;

pub use graph::Graph;
pub use replay::paths;
