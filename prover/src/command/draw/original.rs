//! The C file of the certificate: what tests call, and what that returns.

use super::{Draw, Trouble, certificate::Checked};
use goatherd::{counterexample::replay::scan::Scan, draw::realise::Drive};
use goatherd_certificates::program::{Program, RegisterId};
use goatherd_frontend::{
    lower::lower,
    source::{Options, Unit, from_text, load},
};
use goatherd_interpreter::{Machine, Outcome, Replay, Tracing, Value, run_machine};
use std::path::{Path, PathBuf};

/// The variable that receives what the function returns.
const RESULT: &str = "goatherd_result";

/// The function that calls it.
const ENTRY: &str = "goatherd_entry";

/// A run is given up after so many steps.
const STEPS: u64 = 10_000_000;

/// The C file.
pub struct Original {
    /// As the user named it.
    pub path: PathBuf,
    unit: Unit,
    /// The program that ends with the returned value in a register; none where nothing is returned that is an integer.
    returning: Option<(Program, RegisterId)>,
}

impl Original {
    /// Reads the file, which must be the one that the certificate names.
    pub fn read(path: &Path, arguments: &Draw, checked: &Checked) -> Result<Self, Trouble> {
        let origin = &checked.certificate.statement.origin;
        let entry = checked.certificate.statement.program.entry.clone();
        let include_directories = arguments.include.clone();
        let mut options = Options { definitions: origin.definitions.clone(), include_directories, entry };
        let unit = load(path, &options).map_err(Trouble::Source)?;
        if unit.digest() != origin.digest {
            let (path, file) = (path.display(), &origin.file);
            return Err(Trouble::Usage(format!("{path} is not the file {file} that the certificate is about: it was changed")));
        }
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
        options.include_directories.insert(0, directory.to_owned());
        let text = String::from_utf8_lossy(unit.source()).into_owned();
        let returning = returning(&text, &mut options);
        Ok(Self { path: path.to_owned(), unit, returning })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.unit.source()).into_owned()
    }

    /// What the function returns, converted to `long long`.
    pub fn returned(&self, checked: &Checked, drive: &Drive) -> Option<i128> {
        let (program, register) = self.returning.as_ref()?;
        let mut machine = Machine::new(program, checked.certificate.statement.parameters, &drive.inputs).ok()?;
        let run = run_machine(&mut machine, &mut Replay::new(&drive.choices), STEPS, Tracing::Off);
        match (run.outcome, machine.registers().get(register.index())?) {
            (Outcome::Halted, Value::Integer(value)) => Some(*value),
            _ => None,
        }
    }
}

/// The program of a function that keeps what the entry function returns.
fn returning(text: &str, options: &mut Options) -> Option<(Program, RegisterId)> {
    let scan = Scan::new(text);
    let parameters = scan.parameters(&options.entry).filter(|_| options.entry != "main")?;
    let names: Vec<&str> =
        parameters.iter().map(|parameter| goatherd::counterexample::replay::scan::declared_name(parameter)).collect::<Option<_>>()?;
    let declared = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let call = format!("{}({})", options.entry, names.join(", "));
    let text = format!("{text}\nlong long {RESULT};\nvoid {ENTRY}({declared}) {{ {RESULT} = {call}; }}\n");
    ENTRY.clone_into(&mut options.entry);
    let unit = from_text("<returning>", &text, options).ok()?;
    let program = lower(&unit, ENTRY).ok()?.program;
    let register = program.registers.iter().position(|register| register.name == RESULT)?;
    Some((program, RegisterId(u32::try_from(register).ok()?)))
}
