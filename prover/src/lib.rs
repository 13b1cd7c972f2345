//! Proves C data-structure code correct for inputs of every size, and writes the certificates that show it.

pub mod encode;
pub mod solving;
