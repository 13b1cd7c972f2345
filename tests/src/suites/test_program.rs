//! A program that compilers are tested with.

use std::path::PathBuf;

/// A program to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestProgram {
    /// Its name in the report.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Macros that are defined for the front end only, `NAME` or `NAME=VALUE`.
    pub definitions: Vec<String>,
    /// Where `#include` looks beside the file's own folder.
    pub includes: Vec<PathBuf>,
}
