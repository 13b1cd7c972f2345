//! From the command line to a task.

use super::{Trouble, arguments};
use goatherd::Task;
pub use goatherd::task::plain_name;
use goatherd_certificates::certificate::Parameters;
use goatherd_frontend::{
    confirm::Inquiry,
    diagnostics::reports,
    link::load,
    lower::{Demands, Lowered, lower_and_believe, lower_with},
    source::{Options, Unit},
};
use std::path::Path;

/// A C file, read and lowered.
#[derive(Debug)]
pub struct Loaded {
    /// The file as it was read.
    pub unit: Unit,
    /// The program that it is.
    pub lowered: Lowered,
}

/// Reads and lowers the program.
pub fn read(input: &arguments::Input, demands: &Demands) -> Result<Loaded, Trouble> {
    let unit = load_unit(input)?;
    let lowered = lower_with(&unit, input.entry(), demands).map_err(|found| Trouble::Source(reports(&unit, &found)))?;
    Ok(Loaded { unit, lowered })
}

fn load_unit(input: &arguments::Input) -> Result<Unit, Trouble> {
    load(&input.files(), &options(input)).map_err(Trouble::Source)
}

/// How the file is to be read.
pub fn options(input: &arguments::Input) -> Options {
    Options { definitions: input.define.clone(), include_directories: input.include.clone(), entry: input.entry().to_owned() }
}

/// As [`read`], while a compiler begins to judge what is believed of the program's types.
pub fn read_and_confirm(input: &arguments::Input, demands: &Demands) -> Result<(Loaded, Inquiry), Trouble> {
    let unit = load_unit(input)?;
    let (lowered, beliefs) = lower_and_believe(&unit, input.entry(), demands).map_err(|found| Trouble::Source(reports(&unit, &found)))?;
    let confirmation = Inquiry::start(&unit, &beliefs);
    Ok((Loaded { unit, lowered }, confirmation))
}

/// What is to be proved of the program.
pub fn task(input: &arguments::Input, Loaded { unit, lowered }: &Loaded, parameters: Parameters) -> Task {
    task_of(input, unit, lowered.clone(), parameters)
}

/// As [`task`], of a program that this file was lowered to.
pub fn task_of(input: &arguments::Input, unit: &Unit, lowered: Lowered, parameters: Parameters) -> Task {
    Task::new(unit, lowered, &options(input), parameters)
}

/// A file, of which nothing more is said.
pub fn named(file: &Path) -> arguments::Input {
    arguments::Input { file: file.to_owned(), others: Vec::new(), entry: None, define: Vec::new(), include: Vec::new() }
}

/// The name that output files get: the file's name without its extension.
pub fn stem(path: &Path) -> String {
    match path.file_stem() {
        Some(stem) if stem != "-" => stem.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    }
}
