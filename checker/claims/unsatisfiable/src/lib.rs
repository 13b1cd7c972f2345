//! Claims about formulas of integers and arrays: certificates of their own, of which the kernel reads the frame and replays the arithmetic
//! (`spec/smt.md`).
#![no_std]

extern crate alloc;

pub mod decode;
mod expressions;
pub mod replay;

pub use decode::DecodedFormula;
pub use replay::replay;
