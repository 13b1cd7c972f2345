//! From the command line to a task.

use super::{Trouble, arguments};
use goatherd::prove::Task;
use goatherd_certificates::certificate::{Origin, Parameters};
use goatherd_frontend::{
    confirm::Inquiry,
    diagnostics::reports,
    lower::{Demands, Lowered, lower_and_believe, lower_with},
    source::{Options, Unit, load},
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
    let lowered = lower_with(&unit, &input.entry, demands).map_err(|found| Trouble::Source(reports(&unit, &found)))?;
    Ok(Loaded { unit, lowered })
}

fn load_unit(input: &arguments::Input) -> Result<Unit, Trouble> {
    let options = Options { definitions: input.define.clone(), include_directories: input.include.clone(), entry: input.entry.clone() };
    load(&input.file, &options).map_err(Trouble::Source)
}

/// As [`read`], while a compiler begins to judge what is believed of the program's types.
pub fn read_and_confirm(input: &arguments::Input, demands: &Demands) -> Result<(Loaded, Inquiry), Trouble> {
    let unit = load_unit(input)?;
    let (lowered, beliefs) = lower_and_believe(&unit, &input.entry, demands).map_err(|found| Trouble::Source(reports(&unit, &found)))?;
    let confirmation = Inquiry::start(&unit, &beliefs);
    Ok((Loaded { unit, lowered }, confirmation))
}

/// What is to be proved of the program.
pub fn task(input: &arguments::Input, Loaded { unit, lowered }: &Loaded, parameters: Parameters) -> Task {
    task_of(input, unit, lowered.clone(), parameters)
}

/// As [`task`], of a program that this file was lowered to.
pub fn task_of(input: &arguments::Input, unit: &Unit, lowered: Lowered, parameters: Parameters) -> Task {
    let Lowered { program, files, positions, waived, approximate } = lowered;
    let origin = Origin {
        file: plain_name(&input.file),
        digest: unit.digest(),
        definitions: input.define.clone(),
        includes: input.include.iter().map(|folder| folder.to_string_lossy().into_owned()).collect(),
        waived: waived.iter().map(ToString::to_string).collect(),
    };
    // Certificates do not depend on where files lie.
    let files = files.iter().map(|file| plain_name(Path::new(file))).collect();
    Task { program, parameters, origin, files, positions, approximate }
}

/// The name without directories; `<stdin>` for the standard input.
pub fn plain_name(path: &Path) -> String {
    match path.file_name() {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => "<stdin>".to_owned(),
    }
}

/// The name that output files get: the file's name without its extension.
pub fn stem(path: &Path) -> String {
    match path.file_stem() {
        Some(stem) if stem != "-" => stem.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    }
}
