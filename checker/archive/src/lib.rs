//! Many certificates: `goatherd.toml` says what is to be proved ([`manifest`]), an archive holds the proofs ([`store`]), and [`examine`] says what a
//! certificate of it is worth now. Nothing that lies in an archive is believed: a certificate is replayed by the kernel, and compared with what
//! the [`target`] asks for.
//!
//! ```text
//! goatherd.toml                          the targets
//! proofs/objects/3f/9a...e1.goat         certificates, by the SHA-256 of their bytes
//! proofs/tasks/src/list.c/test.json      which of them belongs to the function `test` of src/list.c, and what was read for it
//! proofs/counterexamples/src/...c        failing runs, as C
//! ```
//!
//! [`verify`] goes through all of it; [`command`] is `archive verify`, which needs no prover.

pub mod bytes;
pub mod command;
mod digest;
pub mod examine;
pub mod manifest;
pub mod messages;
pub mod record;
mod report;
pub mod standing;
mod statement;
pub mod store;
pub mod target;
pub mod verify;
pub mod words;

pub use digest::{hexadecimal, sha256};
