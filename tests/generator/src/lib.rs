//! Generates certificates that are no mutants of good ones: derivations over small random programs, built rule by rule against the kernel's own
//! functions, with arguments that are right, nearly right or any ([`spec/fuzzing.md`](../../../spec/fuzzing.md)).
//!
//! Read in this order: [`programs`], with what is written of each subject, and [`enumeration`] (what is claimed, and what is true), [`search`],
//! [`moves`], [`sorts`], [`templates`], [`folding`] and [`prover`] (derivations), [`certificates`] (the rest of a certificate) and [`campaign`] (one
//! after the other, with the kernel's answers); [`bytes`] is for the decoder.
// What serves tests panics where a test is wrong: no section on it in each docstring.
#![allow(clippy::missing_panics_doc)]

mod built;
pub mod bytes;
pub mod campaign;
pub mod certificates;
mod chosen;
pub mod dice;
pub mod encode;
pub mod enumeration;
pub mod folding;
pub mod moves;
pub mod programs;
pub mod prover;
pub mod refuter;
pub mod search;
pub mod sorts;
pub mod templates;
pub mod terms;
mod writer;
