//! What is to be proved, and how a C file becomes that.

use goatherd_certificates::{
    certificate::{Origin, Parameters, Position},
    program::{Location, Program},
};
use goatherd_frontend::{
    lower::Lowered,
    source::{Options, Unit},
};
use std::{collections::BTreeSet, path::Path};

/// What is to be proved, with everything that its certificate says besides.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program.
    pub program: Program,
    /// What it is proved under.
    pub parameters: Parameters,
    /// Where it came from.
    pub origin: Origin,
    /// The files that positions name.
    pub files: Vec<String>,
    /// One position per instruction.
    pub positions: Vec<Position>,
    /// The instructions whose values are any where C says more of them, and what assumes something of these: a run that depends on such a value is no
    /// answer.
    pub approximate: BTreeSet<Location>,
}

impl Task {
    /// To prove what a C file was lowered to, after it was read with these options. Certificates do not depend on where files lie: folders are left out
    /// of all names.
    #[must_use]
    pub fn new(unit: &Unit, lowered: Lowered, reading: &Options, parameters: Parameters) -> Self {
        let Lowered { program, files, positions, waived, callees: _, undefined: _, approximate } = lowered;
        let origin = Origin {
            file: unit.sources().iter().map(|file| plain_name(Path::new(file))).collect::<Vec<_>>().join(" "),
            digest: unit.digest(),
            definitions: reading.definitions.clone(),
            includes: reading.include_directories.iter().map(|folder| folder.to_string_lossy().into_owned()).collect(),
            waived: waived.iter().map(ToString::to_string).collect(),
        };
        let files = files.iter().map(|file| plain_name(Path::new(file))).collect();
        Self { program, parameters, origin, files, positions, approximate }
    }
}

/// The name without folders; `<stdin>` for the standard input.
#[must_use]
pub fn plain_name(path: &Path) -> String {
    match path.file_name() {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => "<stdin>".to_owned(),
    }
}
