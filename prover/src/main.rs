//! `goatherd`: proves C code correct, or shows how it fails.

use mimalloc::MiMalloc;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    goatherd::command::main(None)
}
