//! Tests in C from drawn paths: one file that compiles and runs alone, or with the source that the program comes from.
//!
//! Each test runs the lowered program, written out as C, on the inputs of its path, and fails where an executed instruction is not
//! the path's next one; then the original function on the same inputs, which must return the same value and leave the same memory behind, or
//! fail where the path does. Each is a process of its own, so that what one leaves behind is nothing to the next.

mod lowered;
mod prelude;
mod tests;

use crate::draw::realise::Drive;
use goatherd_certificates::{
    certificate::Parameters,
    program::{Location, Program},
};
pub use tests::{Unwritable, write};

/// A path that inputs drive.
#[derive(Clone, Debug)]
pub struct Test<'a> {
    /// Its number among the drawn paths.
    pub number: usize,
    /// All its instructions.
    pub path: &'a [Location],
    /// What drives it.
    pub drive: &'a Drive,
    /// What the original function returns, as a `long long`; none where that is not known, or nothing is returned.
    pub returned: Option<i128>,
}

/// What is tested.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// What it was checked under.
    pub parameters: Parameters,
    /// Its source, if that is at hand.
    pub source: Option<Source<'a>>,
}

/// The source, as the C file refers to it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name with which it is included.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// The command that builds what [`write()`] writes. Locals that the path found holding zeros hold them there as well.
pub const COMPILE: &str = "cc -g -fwrapv -fsanitize=address -ftrivial-auto-var-init=zero";
