//! `goatherd harness`

use super::{Trouble, arguments::Harness, output, print};
use goatherd_frontend::{
    diagnostics::reports,
    harness::harness,
    source::{Options, load},
};
use std::path::Path;

/// Prints or writes a first harness.
pub fn run(arguments: &Harness) -> Result<(), Trouble> {
    let options =
        Options { definitions: arguments.define.clone(), include_directories: arguments.include.clone(), entry: arguments.entry.clone() };
    let unit = load(&arguments.file, &options).map_err(Trouble::Source)?;
    let text = harness(&unit, &arguments.entry).map_err(|found| Trouble::Source(reports(&unit, &found)))?;
    match &arguments.output {
        None => print(&text),
        Some(path) => {
            output::check(path, &arguments.file)?;
            output::write(path, included_from(path, &arguments.file, text).as_bytes())
        }
    }
}

/// The harness includes the file by its name alone; from another directory it needs the path.
fn included_from(harness: &Path, file: &Path, text: String) -> String {
    let (directory, home) = (output::directory(harness), output::directory(file));
    let is_same = directory.canonicalize().ok() == home.canonicalize().ok();
    match file.file_name() {
        Some(name) if !is_same => {
            let path = output::seen_from(&directory, file);
            text.replacen(&format!("#include \"{}\"", name.display()), &format!("#include \"{}\"", path.display()), 1)
        }
        _ => text,
    }
}
