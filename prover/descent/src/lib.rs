//! The descent engine (Shrinker): scapegoating size descent.

pub mod affine;
pub mod agreement;
pub mod attempt;
pub mod cases;
pub mod differences;
pub mod emit;
pub mod folding;
pub mod herd;
pub mod inputs;
pub mod lemmas;
pub mod liveness;
pub mod needed;
pub mod progress;
pub mod realisation;
pub mod refinement;
pub mod rounds;
pub mod scapegoats;
pub mod search;
pub mod sharing;
pub mod spare;
pub mod steps;
pub mod strategies;
pub mod template;
pub mod unfolding;
pub mod witnesses;
pub mod words;
