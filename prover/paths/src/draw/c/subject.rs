//! What a C file of tests is about.

use crate::draw::realise::Drive;
use goatherd_certificates::{
    certificate::Parameters,
    program::{Location, Program},
};
use std::fmt;

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
    /// The macros that it was analysed with, in order: `NAME` or `NAME=VALUE`.
    pub definitions: &'a [String],
    /// Where files that it includes are looked for, as seen from the C file.
    pub include_directories: &'a [String],
    /// The models of library functions that it may call.
    pub models: &'a [LibraryModel],
}

/// What a library function is for the analysis: C leaves open what it gives, so that a test has to give what the path says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LibraryModel {
    /// The function's name.
    pub name: &'static str,
    /// Its definition in C.
    pub text: &'static str,
}

/// Why there are no tests in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unwritable {
    /// The program is a transition system, whose integers are unbounded.
    Unbounded,
    /// Paths need not end.
    Prefix,
    /// It has static objects with pointers.
    Memory,
    /// It calls this function, which writes to memory what is any value for a path.
    Text(&'static str),
    /// The result of this function is used in some calls, and in others not.
    Results(String),
    /// It uses `errno` beside functions of which C does not say to what they set it.
    Errno,
    /// The entry function's parameters were not found in the source.
    Entry,
    /// This input belongs to no parameter that was found.
    Input(String),
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unbounded => f.write_str("the certificate is about a transition system on unbounded integers, not about a C function"),
            Self::Prefix => f.write_str("the certificate is about paths that need not end, and a test runs to an end"),
            Self::Memory => f.write_str("unsupported: static objects that hold pointers are not written as C"),
            Self::Text(name) => {
                write!(
                    f,
                    "unsupported: what `{name}` writes is anything for a path; draw without --source, or replace the call by a function of your own"
                )
            }
            Self::Results(name) => {
                write!(
                    f,
                    "unsupported: the result of `{name}` is used in some calls and in others not, and a path has values for the first only; use it in all calls or in none"
                )
            }
            Self::Errno => f.write_str("unsupported: `errno` beside library functions that may set it to any value; draw without --source"),
            Self::Entry => f.write_str("the entry function's parameters were not found in the source"),
            Self::Input(name) => write!(f, "no parameter of the entry function was found for `{name}`"),
        }
    }
}

impl std::error::Error for Unwritable {}
