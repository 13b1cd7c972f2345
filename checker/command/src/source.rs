//! `--source`: lowers the C file again, and compares the program with the certificate's.

use goatherd_certificates::certificate::Statement;
use std::path::{Path, PathBuf};

/// What came of lowering a C file again.
#[derive(Debug)]
pub struct Comparison {
    /// The file.
    pub file: String,
    /// Are its bytes those that the certificate was made from?
    pub is_unchanged: bool,
    /// Where its program differs from the certificate's, if it does.
    pub difference: Option<String>,
}

/// Lowers the C file with the options that the statement records. Returns what is wrong with the file, if it cannot be lowered.
pub fn compare(path: &Path, _include: &[PathBuf], _statement: &Statement) -> Result<Comparison, String> {
    Err(format!("error: {}: --source is not supported", path.display()))
}
