//! The C file of the certificate: what tests call, and what that returns.

use super::certificate::Checked;
use crate::command::Trouble;
use goatherd_certificates::program::IntegerType;
use goatherd_frontend::{
    lower::RETURNED,
    source::{Options, Unit, load},
};
use goatherd_interpreter::{Machine, Outcome, Replay, Tracing, Value, arithmetic::wrap, run_machine};
use goatherd_paths::draw::realise::Drive;
use std::path::{Path, PathBuf};

/// A run is given up after so many steps.
const STEPS: u64 = 10_000_000;

/// The C file.
pub struct Original {
    /// As the user named it.
    pub path: PathBuf,
    /// Where files that it includes are looked for, as the user named them.
    pub include: Vec<PathBuf>,
    unit: Unit,
}

impl Original {
    /// Reads the file, which must be the one that the certificate names.
    pub fn read(path: &Path, include: &[PathBuf], checked: &Checked) -> Result<Self, Trouble> {
        let origin = &checked.statement.origin;
        let entry = checked.statement.program.entry.clone();
        let include_directories = include.to_vec();
        let options = Options { definitions: origin.definitions.clone(), include_directories, entry };
        let unit = load(path, &options).map_err(Trouble::Source)?;
        if unit.digest() != origin.digest {
            let (path, file) = (path.display(), &origin.file);
            return Err(Trouble::Usage(format!("{path} is not the file {file} that the certificate is about: it was changed")));
        }
        Ok(Self { path: path.to_owned(), include: include.to_vec(), unit })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.unit.source()).into_owned()
    }
}

/// What the entry function returns at the end of the path, converted to `long long`; none where that is not one integer.
pub fn returned(checked: &Checked, drive: &Drive) -> Option<i128> {
    let statement = &checked.statement;
    let register = statement.program.registers.iter().position(|register| register.name == RETURNED)?;
    let mut machine = Machine::new(&statement.program, statement.parameters, &drive.inputs).ok()?;
    let run = run_machine(&mut machine, &mut Replay::new(&drive.choices), STEPS, Tracing::Off);
    match (run.outcome, machine.registers().get(register)?) {
        (Outcome::Halted, Value::Integer(value)) => Some(wrap(IntegerType::I64, *value)),
        _ => None,
    }
}
