//! The data of a Goatherd certificate, and nothing else: no logic, no dependency.
//!
//! Read in this order: [`program`] (what is proved about), [`term`] (the language of facts), [`configuration`] (members over a path
//! predicate), [`derivation`] (the rules of a proof), [`certificate`] (the whole); [`automata`] (tree models,
//! which have certificates of their own). The bytes are described in `spec/format.md`, the meaning
//! of programs in `spec/program.md`, the rules in `spec/calculus.md`.
#![no_std]

extern crate alloc;

pub mod automata;
pub mod certificate;
pub mod configuration;
pub mod derivation;
pub mod program;
pub mod term;

pub use certificate::*;
pub use configuration::*;
pub use derivation::*;
// Where an object comes from, not a statement.
pub use program::Origin;
pub use program::*;
pub use term::*;

/// Declares the dense identifiers of one kind of thing: a position in the table that lists them.
macro_rules! identifier {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                usize::try_from(self.0).unwrap_or(usize::MAX)
            }
        }
    };
}
pub(crate) use identifier;
