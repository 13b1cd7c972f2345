//! Tree models as text, to the data of certificates (`spec/trees.md#text`).
//!
//! [`read`] reads a file; `parser` makes the model of its text, a token of `scanner` at a time. [`term`](fn@term) writes trees.

mod parser;
mod scanner;
mod term;

pub use term::term;

use crate::{
    diagnostics::{Kind, Report},
    files,
};
use goatherd_certificates::automata::Model;
use sha2::{Digest, Sha256};
use std::path::Path;

/// A model, and the file that it was read from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelFile {
    /// The model.
    pub model: Model,
    /// SHA-256 of the file.
    pub digest: [u8; 32],
}

/// A place in the text and what is wrong there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Problem {
    /// In bytes.
    offset: usize,
    message: String,
    help: Option<String>,
}

impl Problem {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), help: None }
    }

    fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// The largest file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// Reads the model in a file. Says where and why the file holds none.
pub fn read(path: &Path) -> Result<ModelFile, Box<Report>> {
    let file = path.display().to_string();
    let failed = |reason: String| Box::new(Report::of_file(Kind::Error, &file, format!("cannot read the file: {reason}")));
    let text = files::text(path, LARGEST).map_err(failed)?;
    Ok(ModelFile { model: parse(&text, &file)?, digest: Sha256::digest(&text).into() })
}

/// The model that the text describes. Says where and why it describes none.
pub fn parse(text: &str, file: &str) -> Result<Model, Box<Report>> {
    parser::model(text).map_err(|Problem { offset, message, help }| {
        Box::new(Report { help, ..Report::of_text(Kind::Error, (file, text), offset, message) })
    })
}
