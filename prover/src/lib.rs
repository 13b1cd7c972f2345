//! Proves C data-structure code correct for inputs of every size, and writes the certificates that show it.
//!
//! [`prove`] is the whole: [`counterexample`] looks for a failing run, [`descent`] for a proof, [`encode`] writes the certificate, and the
//! checker has the last word ([`certify`]). [`picture`] draws graphs. [`command`] is what the executables run. The reasoning about path predicates,
//! tree automata and tree models are crates of their own.

// The command names the library as its other users do.
extern crate self as goatherd;

pub mod certify;
pub mod command;
pub mod counterexample;
pub mod descent;
pub mod draw;
pub mod encode;
pub mod engine;
pub mod hunt;
pub mod paths;
pub mod picture;
pub mod progress;
pub mod prove;
