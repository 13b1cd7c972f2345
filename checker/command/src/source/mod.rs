//! `--source`: what is in the file, read as the command line says, compared with what the certificate is about.

mod difference;
mod formula;
mod model;
mod program;
mod system;

use crate::{
    arguments::Source,
    demands::{Demand, Difference},
};
use goatherd_certificates::{
    automata::ModelCertificate,
    certificate::{Certificate, Position},
    formula::FormulaCertificate,
};
use goatherd_frontend::confirm::Inquiry;
use std::path::{Path, PathBuf};

/// Where the instructions of a program stand in its source.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The files.
    pub files: &'a [String],
    /// One position per instruction, or none.
    pub positions: &'a [Position],
}

/// What came of reading the source again.
#[derive(Debug)]
pub struct Comparison {
    /// What is compared: `program`, `model` or `formula`.
    pub subject: &'static str,
    /// The files.
    pub files: Vec<String>,
    /// Are these files, in this order, byte for byte those that the certificate names?
    pub is_unchanged: bool,
    /// How the file was read; of a file in C.
    pub options: Option<Options>,
    /// Where what is in it differs from what the certificate is about: what led to it first; nothing if it does not.
    pub differences: Vec<Difference>,
    /// What a claim about paths compares before the program, so that other inputs are ignored: its precondition.
    pub precondition: Option<String>,
    /// The assertions that do nothing in it as it was read now, each of those that a line names; of a file in C.
    pub waived: Option<Vec<String>>,
    /// Of a failing run of a file in C: where the program takes any value for one of which C says more, `FILE:LINE:COLUMN` each. C has the run only
    /// if its values are those that C has there.
    pub open_values: Vec<String>,
    /// The compiler that judges what is believed of types; of a file in C, if it is asked.
    pub confirmation: Option<Inquiry>,
    /// How often the script asks; of a formula.
    pub questions: Option<usize>,
    /// The files and positions of the program as it was read now, where it is the certificate's.
    pub places: Option<(Vec<String>, Vec<Position>)>,
}

impl Comparison {
    /// The files, with spaces between.
    pub fn file(&self) -> String {
        self.files.join(" ")
    }

    /// Of what is read whole, whatever the command line says of C.
    fn of_text(
        subject: &'static str,
        file: &Path,
        is_unchanged: bool,
        differences: Vec<Difference>,
    ) -> Self {
        Self {
            subject,
            files: vec![file.to_string_lossy().into_owned()],
            is_unchanged,
            options: None,
            confirmation: None,
            differences,
            precondition: None,
            waived: None,
            questions: None,
            open_values: Vec::new(),
            places: None,
        }
    }
}

/// How a C file is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The entry function.
    pub entry: String,
    /// Macro definitions, in order.
    pub definitions: Vec<String>,
    /// Folders of included files, in order.
    pub includes: Vec<String>,
}

/// Reads the C file or the transition system again and compares its program. Returns what is wrong with the file, if it cannot be read.
pub fn compare<R>(
    files: &[PathBuf],
    source: &Source,
    demands: &[Demand],
    certificate: &Certificate<R>,
) -> Result<Comparison, String> {
    let is_system = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "lts");
    if files.iter().any(is_system) {
        system::compare(only(files)?, source, demands, certificate)
    } else {
        program::compare(files, source, certificate)
    }
}

/// The file, where several have no meaning.
fn only(files: &[PathBuf]) -> Result<&Path, String> {
    match files {
        [only] => Ok(only),
        _ => Err(String::from(
            "error: several files are a program in C, and the certificate is about something else",
        )),
    }
}

/// Reads the model again and compares it. Returns what is wrong with the file, if it holds none.
pub fn compare_model(
    files: &[PathBuf],
    source: &Source,
    certificate: &ModelCertificate,
) -> Result<Comparison, String> {
    refuse_options_of_c(source, "a tree model")?;
    model::compare(only(files)?, certificate)
}

/// Reads the query again and compares what it asserts where it asks. Returns what is wrong with the file, if it cannot be read.
pub fn compare_formula(
    files: &[PathBuf],
    source: &Source,
    certificate: &FormulaCertificate,
) -> Result<Comparison, String> {
    refuse_options_of_c(source, "a formula")?;
    formula::compare(only(files)?, certificate)
}

fn refuse_options_of_c(source: &Source, subject: &str) -> Result<(), String> {
    if source.is_about_c() {
        return Err(format!(
            "error: --entry, -D, -I, --waive and --undefined are for files in C, and the certificate is about {subject}"
        ));
    }
    Ok(())
}

/// The words after a flag, as on a command line.
pub fn flags(flag: &str, words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{flag} {word}")).collect();
    if words.is_empty() {
        String::from("none")
    } else {
        words.join(" ")
    }
}
