//! Claims about tree models: certificates of their own, of which the kernel reads the frame (`spec/calculus.md#tree-models`).
#![no_std]

extern crate alloc;

pub mod decode;
pub mod replay;

pub use decode::DecodedModel;
pub use replay::{Replayed, replay};
