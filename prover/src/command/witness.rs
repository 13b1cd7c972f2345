//! Failing runs that are told to other verifiers, and by them.

use super::{
    Trouble,
    input::Loaded,
    output,
    places::Places,
    report::{ViolationWitness, hexadecimal},
};
use goatherd::{
    certify::Fault,
    prove::{Answer, confirm},
    task::Task,
};
use goatherd_certificates::program::Location;
use goatherd_counterexample::Counterexample;
use goatherd_frontend::{escape::escaped, files};
use goatherd_witnesses::{
    document::{Spot, end_of_call},
    follow,
    follow::{Followed, read},
    write::{self, Account},
};
use std::path::Path;

/// The greatest witness that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// Where the call ends that an instruction is; none of what is no call, or stands in the model of a library function.
fn call(places: Places<'_>, location: Location) -> Option<Spot> {
    let line = places.source_line(location).filter(|_| !places.is_model(location))?;
    let spot = spot(places, location);
    Some(Spot { column: Some(end_of_call(&line, spot.column?)?), ..spot })
}

fn spot(places: Places<'_>, location: Location) -> Spot {
    let place = places.place(location);
    Spot { file_name: place.file, line: place.line, column: Some(place.column) }
}

/// Writes the failing run as a witness, where there can be one.
///
/// # Errors
///
/// The file cannot be written.
pub fn write(path: &Path, task: &Task, loaded: &Loaded, run: &Counterexample) -> Result<ViolationWitness, Trouble> {
    let places = Places::new(loaded);
    let digests = loaded.unit.digests();
    let files: Vec<_> = loaded.unit.sources().iter().cloned().zip(digests.iter().map(hexadecimal)).collect();
    let account = Account { program: &task.program, run, files: &files, version: env!("CARGO_PKG_VERSION") };
    match write::write(account, |location| spot(places, location), |location| call(places, location)) {
        Ok(text) => {
            output::write(path, text.as_bytes())?;
            Ok(ViolationWitness::Written { path: path.display().to_string() })
        }
        Err(reason) => Ok(ViolationWitness::Unwritten { unwritten: reason.to_owned() }),
    }
}

/// Runs the program as a witness says: the answer, and the reason if it is unknown.
///
/// # Errors
///
/// The witness cannot be read, or says nothing of this program.
pub fn answer(path: &Path, task: &Task, loaded: &Loaded) -> Result<(Result<Answer, Fault>, String), Trouble> {
    let name = escaped(&path.display().to_string());
    let wrong = |reason: &str| Trouble::Usage(format!("{name}: {}", escaped(reason)));
    let text = files::text(path, LARGEST).map_err(|reason| wrong(&reason))?;
    let witness = read(&text).map_err(|reason| wrong(&reason))?;
    let places = Places::new(loaded);
    let Followed { failing, named, met } =
        follow(&task.program, task.parameters, &witness, |location| call(places, location)).map_err(wrong)?;
    let answer = failing.map_or(Ok(Answer::Unknown { attempts: Vec::new() }), |run| confirm(task, &run));
    Ok((answer, format!("no run with the values of {name} fails: it names {named} of calls, and {met} of these are made")))
}
