//! Tests that need more than one crate.

pub mod differential;
