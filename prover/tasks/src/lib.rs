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
    files,
};
use std::path::Path;

/// The greatest file that is read, in bytes: those of the competition have some hundred.
const LARGEST: u64 = 1 << 20;

/// The text of a file.
///
/// # Errors
///
/// It cannot be read, is larger than 1 MiB, or no UTF-8.
fn text(path: &Path) -> Result<String, Box<Report>> {
    let wrong = |reason: String| Box::new(Report::of_file(Kind::Error, &path.to_string_lossy(), format!("cannot read the file: {reason}")));
    files::text(path, LARGEST).map_err(wrong)
}
