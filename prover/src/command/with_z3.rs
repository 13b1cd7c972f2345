//! Hands the command line over to the executable that is linked with libz3: to load that library takes longer than most proofs do.

use super::Trouble;
use std::{env, ffi::OsStr, io, process};

/// Beside this executable.
const EXECUTABLE: &str = "goatherd-z3";

/// Runs the other executable on the same command line in the place of this one; returns only what went wrong.
pub fn hand_over<T>() -> Result<T, Trouble> {
    let error = match env::current_exe() {
        Ok(path) => run(path.with_file_name(format!("{EXECUTABLE}{}", env::consts::EXE_SUFFIX)).as_os_str()),
        Err(error) => error,
    };
    Err(Trouble::Usage(match error.kind() {
        io::ErrorKind::NotFound => {
            format!(
                "Z3 needs {EXECUTABLE} beside this executable; it is built with the feature z3 (otherwise: prove --solver builtin, paths without --confirm, draw --no-inputs)"
            )
        }
        _ => format!("{EXECUTABLE} cannot be run: {error}"),
    }))
}

#[cfg(unix)]
fn run(path: &OsStr) -> io::Error {
    use std::os::unix::process::CommandExt;
    process::Command::new(path).args(env::args_os().skip(1)).exec()
}

/// Elsewhere, it is run and waited for.
#[cfg(not(unix))]
fn run(path: &OsStr) -> io::Error {
    match process::Command::new(path).args(env::args_os().skip(1)).status() {
        Ok(status) => process::exit(status.code().unwrap_or(super::Exit::Internal as i32)),
        Err(error) => error,
    }
}
