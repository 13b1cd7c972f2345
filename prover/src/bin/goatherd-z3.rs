//! `goatherd-z3`: `goatherd`, linked with libz3. `goatherd prove --solver z3|both` runs it.

use mimalloc::MiMalloc;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    goatherd::command::main(Some(goatherd::solving::z3::answer)).into()
}
