//! Queries in SMT-LIB 2.6 of linear integer arithmetic with arrays (`spec/smt.md`).
//!
//! [`read`] reads a script: `scanner` makes tokens and nests them, `script` takes one command after the other, `terms` elaborates what they mention into
//! `table`, where equal expressions are one; `definition` applies what `define-fun` defines. [`evaluate`](mod@evaluate) says what a formula comes to for given values.

mod definition;
pub mod evaluate;
mod parts;
mod scanner;
mod script;
pub mod table;
mod terms;

pub use parts::parts;
pub use script::{SmtScript, parse};

use goatherd_frontend::{
    diagnostics::{Kind, Report},
    files,
};
use sha2::{Digest, Sha256};
use std::path::Path;

/// A script, and the file that it was read from.
#[derive(Clone, Debug)]
pub struct ScriptFile {
    /// The script.
    pub script: SmtScript,
    /// SHA-256 of the file.
    pub digest: [u8; 32],
}

/// A place in the text and what is wrong there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Trouble {
    kind: Kind,
    /// In bytes.
    offset: usize,
    message: String,
}

impl Trouble {
    /// The text is not SMT-LIB.
    fn error(offset: usize, message: impl Into<String>) -> Self {
        Self { kind: Kind::Error, offset, message: message.into() }
    }

    /// It is, but not of the part that is understood.
    fn unsupported(offset: usize, message: impl Into<String>) -> Self {
        Self { kind: Kind::Unsupported, offset, message: message.into() }
    }
}

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// Reads the script in a file. Says where and why it is not understood.
pub fn read(path: &Path) -> Result<ScriptFile, Box<Report>> {
    let file = path.display().to_string();
    let failed = |reason: String| Box::new(Report::of_file(Kind::Error, &file, format!("cannot read the file: {reason}")));
    let text = files::text(path, LARGEST).map_err(failed)?;
    Ok(ScriptFile { script: parse(&text, &file)?, digest: Sha256::digest(&text).into() })
}
