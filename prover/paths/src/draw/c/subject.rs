//! What a C file of tests is about.

use crate::draw::realise::Drive;
use goatherd_certificates::{
    certificate::Parameters,
    program::{Location, Program},
};

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

/// The command that builds what [`write()`](super::tests::write) writes. Locals that the path found holding zeros hold them there as well.
pub const COMPILE: &str = "cc -g -fwrapv -fsanitize=address -ftrivial-auto-var-init=zero";
