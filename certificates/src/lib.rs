//! The data of a Goatherd certificate, and nothing else: no logic but the order in which it is read, no dependency.
//!
//! Read in this order: [`program`] (what is proved about), [`term`] (the language of facts), [`configuration`] (members over a path
//! predicate), [`derivation`] (the rules of a proof), [`certificate`] (the whole); [`automata`] and [`formula`] (tree models and
//! formulas, which have certificates of their own); [`rejection`] (why one is not accepted). How declarations are written, and read from bytes, is in [`decode`]. The bytes are described in `spec/format.md`, the meaning of
//! programs in `spec/program.md`, the rules in `spec/calculus.md`.
#![no_std]

extern crate alloc;

pub mod automata;
pub mod certificate;
pub mod configuration;
pub mod decode;
pub mod derivation;
pub mod formula;
pub mod program;
pub mod rejection;
pub mod term;

pub use certificate::*;
pub use configuration::*;
pub use derivation::*;
// Where an object comes from, not a statement.
pub use program::Origin;
pub use program::*;
pub use term::*;
