//! `goatherd`: proves C code correct, or shows how it fails.

mod command;

use mimalloc::MiMalloc;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    command::main().into()
}
