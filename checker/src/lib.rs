//! The kernel of the Goatherd checker: everything that a verdict has to be trusted for, but for the data types.
//!
//! Read in this order: [`sha256`], [`budget`], [`reader`] and [`decode`] (bytes), [`wellformed`] (which programs have a meaning).
#![no_std]

extern crate alloc;

pub mod budget;
pub mod decode;
pub mod error;
pub mod reader;
pub mod sha256;
pub mod verdict;
pub mod wellformed;

use budget::Budget;
use error::Failure;
use verdict::Verdict;

/// Checks the bytes of a certificate, holding at most `memory` bytes.
pub fn check(bytes: &[u8], memory: u64) -> Result<Verdict, Failure> {
    let mut budget = Budget::new(memory);
    let decoded = decode::decode(bytes, &mut budget, memory)?;
    wellformed::statement(&decoded.certificate)?;
    Err(Failure::NotReplayed)
}
