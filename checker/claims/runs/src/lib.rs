//! Ground runs: the claim `Unsafe`, and what shows that `Safe` says something (`spec/calculus.md#unsafe`). [`run`] replays one execution with the
//! kernel's step function, [`replay`] those of a certificate.
#![no_std]

extern crate alloc;

pub mod passed;
pub mod replay;
pub mod run;
mod values;

pub use passed::Passed;
pub use replay::{fails, witnesses};
