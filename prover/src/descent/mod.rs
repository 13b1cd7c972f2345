//! The descent engine (Shrinker): scapegoating size descent.

pub mod accesses;
pub mod addressed;
pub mod affine;
pub mod agreement;
pub mod backwards;
pub mod cases;
pub mod common;
pub mod differences;
pub mod emit;
pub mod flow;
pub mod folding;
pub mod herd;
pub mod inputs;
pub mod lemmas;
pub mod liveness;
pub mod needed;
pub mod overwritten;
mod pointees;
pub mod realisation;
pub mod refinement;
pub mod rounds;
pub mod scapegoats;
pub mod search;
pub mod sharing;
pub mod spare;
pub mod strategies;
pub mod strides;
pub mod template;
#[cfg(test)]
mod testing;
pub mod unfolding;
pub mod walks;
pub mod witnesses;
pub mod words;
