//! The kernel.
#![no_std]

extern crate alloc;

pub mod arithmetic;
pub mod budget;
pub mod configuration;
pub mod error;
mod memory;
pub mod outcome;
pub mod refute;
pub mod rejection;
pub mod rules;
pub mod step;
pub mod subsume;
pub mod term;
