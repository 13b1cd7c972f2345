//! Paths drawn at random from a certified graph (`spec/paths.md#drawing`).
//!
//! Read in this order: [`network`] (the graph as it is drawn from), [`rounded`] and [`counts`] (how many paths there are), [`stream`] and
//! [`choice`] (who picks, and how that is exact), [`uniform`], [`isotropic`] and [`cover`] (three ways to draw). [`certified`] is the graph of a
//! certificate; [`realise`] finds inputs that drive a path, [`trials`] and [`approach`] where the solver gives up, [`driver`] by all of these,
//! [`confirm`] of all paths up to a length, [`repetitions`], [`guided`] and [`turns`] of what is not covered yet, [`kept`] close to the run that was
//! turned; [`mutation`] is how inputs are changed; [`decisions`] are conditions that decide together, [`independence`] is which of them tests show
//! to count by themselves; [`c`] writes tests.

pub mod approach;
pub mod c;
pub mod certified;
pub mod choice;
pub mod confirm;
pub mod counts;
pub mod cover;
pub mod decisions;
pub mod driver;
mod game;
pub mod guided;
pub mod independence;
pub mod isotropic;
pub mod kept;
pub mod mutation;
pub mod network;
pub mod realise;
pub mod repetitions;
pub mod rounded;
pub mod stream;
pub mod through;
pub mod trials;
pub mod turns;
pub mod uniform;
