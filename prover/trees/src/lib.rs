//! Abstract regular tree model checking (`spec/trees.md`).
//!
//! A [`model`] is lines of actions, pairs of a tree transducer and a next line. [`search`] explores it depth first with an [`abstraction`]
//! over the automata of its configuration sets; where it meets a bad configuration, [`blame`] follows it backwards and either reaches Init or
//! finds what the abstraction is to be refined by. [`trace`] writes the counterexample down. [`options`] says how, [`frame`] counts the steps.
//!
//! Holík, Rogalewicz, *Counterexample analysis in abstract regular tree model checking of complex dynamic data structures* (2007), repaired
//! in five places: [`options::Repair`].

pub mod abstraction;
pub mod blame;
pub mod frame;
pub mod model;
pub mod options;
pub mod search;
pub mod trace;
