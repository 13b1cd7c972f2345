//! Verification tasks as SV-COMP states them (`spec/tasks.md`).
//!
//! [`property`] reads property files (`unreach-call.prp`), [`definition`] reads task definitions (`TASK.yml`), and [`violation`] says whether a
//! failing run violates a property.

pub mod definition;
pub mod property;
pub mod violation;

pub use definition::{ExpectedVerdict, TaskDefinition};
pub use property::{Specification, Subproperty};
pub use violation::{LastStep, violated};

use goatherd_frontend::{
    diagnostics::{Kind, Report},
    source::reason,
};
use std::{fs::File, io::Read, path::Path};

/// The greatest file that is read, in bytes: those of the competition have some hundred.
const LARGEST: u64 = 1 << 20;

/// The text of a file.
///
/// # Errors
///
/// It cannot be read, is larger than 1 MiB, or no UTF-8.
fn text(path: &Path) -> Result<String, Box<Report>> {
    let wrong = |reason: String| Box::new(Report::of_file(Kind::Error, &path.to_string_lossy(), format!("cannot read the file: {reason}")));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| wrong(reason(&error)))?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| wrong(reason(&error)))?;
    if bytes.len() as u64 > LARGEST {
        return Err(wrong(format!("it is larger than {} MiB", LARGEST >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| wrong("it is no UTF-8".to_owned()))
}
