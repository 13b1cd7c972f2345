//! `goatherd archive`, as `goatherd-check archive` has it.

use super::{Trouble, complain, print};
use goatherd_archive::command::{Archive, run as carry_out};
use std::process::ExitCode;

/// Looks at an archive. The exit status is one of its own.
pub fn run(command: &Archive) -> ExitCode {
    let said = carry_out(command).map_err(Trouble::Usage).and_then(|said| print(&said.text).map(|()| said.status));
    said.map_or_else(|trouble| complain(&trouble).into(), ExitCode::from)
}
