//! `goatherd`: proves C code correct, or shows how it fails.

mod command;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::main().into()
}
