//! Violation witnesses: failing runs in a form that other verifiers read and write, version 2.0 of "Software Verification Witnesses" (Ayaziová, Beyer,
//! Lingsch-Rosenfeld, Spiessl, Strejček: SPIN 2024).
//!
//! [`document`] has their parts, [`write`](mod@write) makes one of a failing run, and [`follow`](mod@follow) runs the interpreter along one. There are none of
//! proofs: the templates of a descent proof are true of a smallest failing run, of which there is none, and so are no invariants of loops.

pub mod document;
pub mod follow;
pub mod write;

pub use document::{Spot, ViolationWitness};
pub use follow::{Followed, follow};
pub use write::{Account, Property, write};
