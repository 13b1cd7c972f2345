//! Transition systems over integers (`spec/paths.md`): what path analysis works on, and what stands in files `NAME.lts`.
//!
//! [`text`] reads a system, [`lts`] is its data and [`literal`] that of its conditions; [`lower`](mod@lower) makes the program that a certificate
//! is about, and [`realisation`] says which instructions of a program stand for which locations and edges. The checker's command reads systems
//! with this crate alone, so that it trusts nothing of their analysis.

pub mod literal;
pub mod lower;
pub mod lts;
pub mod realisation;
pub mod text;
